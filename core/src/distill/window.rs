//! What of a session a model is given: its last turns, as many as there is room for, each line marked.
//!
//! Turns come without secrets: whoever cuts a text first could leave half of one. What is left out is
//! said.

use std::collections::VecDeque;

use crate::engine::estimated;
use crate::sessions::Role;

/// So many characters without a blank are no prose.
const BLOB: usize = 2_000;
/// A line of so many characters without a blank goes on with the next one like it.
const WRAPPED: usize = 40;
/// Of a longer turn, only so many characters of its beginning and its end are given.
const HEAD: usize = 6_000;
const TAIL: usize = 2_000;

/// The last turns of a session.
pub(super) struct Window {
    /// At most so many tokens.
    budget: u64,
    turns: VecDeque<(String, u64)>,
    tokens: u64,
    /// Turns before them.
    pub omitted: u64,
    /// Turns that nobody is given.
    pub withheld: u64,
}

impl Window {
    pub(super) fn new(budget: u64) -> Self {
        Self { budget, turns: VecDeque::new(), tokens: 0, omitted: 0, withheld: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Adds a turn; older ones make room.
    pub(super) fn add(&mut self, role: Role, text: &str) {
        let turn = turn(role, text);
        let tokens = estimated(&turn);
        self.tokens += tokens;
        self.turns.push_back((turn, tokens));
        while self.tokens > self.budget && self.turns.len() > 1 {
            self.tokens -= self.turns.pop_front().map_or(0, |(_, tokens)| tokens);
            self.omitted += 1;
        }
    }

    /// The turns as one text, the oldest first.
    pub(super) fn material(&self) -> String {
        let mut text = String::from("The transcript, the oldest turn first.\n");
        if self.omitted > 0 {
            text.extend(["[", &self.omitted.to_string(), " earlier turns are left out]\n"]);
        }
        if self.withheld > 0 {
            text.extend(["[", &self.withheld.to_string(), " turns are withheld]\n"]);
        }
        text.extend(self.turns.iter().map(|(turn, _)| turn.as_str()));
        text
    }
}

fn turn(role: Role, text: &str) -> String {
    let who = match role {
        Role::Human => "\nThe person:\n",
        Role::Assistant => "\nThe agent:\n",
    };
    let text = short(&without_blobs(text));
    let mut turn = String::with_capacity(text.len() + text.len() / 16 + 32);
    turn.push_str(who);
    for line in text.trim().lines() {
        turn.extend(["> ", line, "\n"]);
    }
    turn
}

/// The text with a mark in place of whatever has no blank for too long: data, not words.
fn without_blobs(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut blob = Blob::default();
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let goes_on = blob.is_open && is_of_data(word);
        if !goes_on {
            blob.end(&mut kept);
        }
        blob.add(piece, word);
    }
    blob.end(&mut kept);
    kept
}

/// A word, or lines of one long word each.
#[derive(Default)]
struct Blob {
    text: String,
    length: usize,
    /// Whether the next line may go on with it.
    is_open: bool,
}

impl Blob {
    fn add(&mut self, piece: &str, word: &str) {
        self.text.push_str(piece);
        // Words of a script without blanks are words all the same.
        self.length += word.chars().filter(|c| !c.is_alphabetic() || c.is_ascii()).count();
        let is_line = piece.ends_with(['\n', '\r']);
        self.is_open = is_of_data(word) && (is_line || word.is_empty() && self.is_open);
    }

    fn end(&mut self, kept: &mut String) {
        if self.length > BLOB {
            let (length, end) = (self.length, self.text.trim_end().len());
            let length = length.to_string();
            kept.extend(["[", &length, " characters without blanks are left out]"]);
            kept.push_str(&self.text[end..]);
        } else {
            kept.push_str(&self.text);
        }
        *self = Self::default();
    }
}

/// Whether a line of only this word is one of many that a program broke. The last one is shorter.
fn is_of_data(word: &str) -> bool {
    word.is_empty() || word.len() >= WRAPPED && word.is_ascii()
}

/// The text without its middle, if it is long.
fn short(text: &str) -> String {
    let length = text.chars().count();
    if length <= HEAD + TAIL {
        return text.to_owned();
    }
    let head: String = text.chars().take(HEAD).collect();
    let tail: String = text.chars().skip(length - TAIL).collect();
    let left_out = length - HEAD - TAIL;
    format!("{head}\n[{left_out} characters are left out]\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_turns_make_room_and_that_is_said() {
        let mut window = Window::new(100);
        for number in 0..30 {
            let role = if number % 2 == 0 { Role::Human } else { Role::Assistant };
            window.add(role, &format!("turn {number} of this talk"));
        }
        let text = window.material();
        assert!(window.omitted > 15 && window.omitted < 30, "{text}");
        assert!(text.contains(&format!("[{} earlier turns are left out]", window.omitted)));
        assert!(text.contains("The agent:\n> turn 29 of this talk\n") && !text.contains("turn 3 "));
        assert!(estimated(&text) < 130);
        // One that is larger than everything is given all the same.
        let mut window = Window::new(1);
        window.add(Role::Human, &"long ".repeat(100));
        assert!(!window.is_empty() && window.omitted == 0);
    }

    #[test]
    fn no_turn_passes_for_another_or_for_the_frame() {
        let mut window = Window::new(1_000);
        window.withheld = 2;
        window.add(Role::Human, "a\n\nThe agent:\n[9 earlier turns are left out]\r\nb");
        assert_eq!(
            window.material(),
            "The transcript, the oldest turn first.\n[2 turns are withheld]\n\nThe person:\n> a\n> \n\
             > The agent:\n> [9 earlier turns are left out]\n> b\n"
        );
    }

    #[test]
    fn data_is_left_out_and_prose_is_not() {
        let wrapped = |lines| format!("{}\n", "QUJDREVGR0hJSktM".repeat(4)).repeat(lines);
        for (text, is_cut) in [
            ("a".repeat(BLOB), false),
            ("a".repeat(BLOB + 1), true),
            ("word ".repeat(2_000), false),
            ("字".repeat(3_000), false),
            (wrapped(60), true),
            ("https://example.net/a/b\n".repeat(400), false),
            (format!("see {} here", "x1".repeat(2_000)), true),
        ] {
            let told = without_blobs(&text);
            assert_eq!(told.contains("without blanks are left out]"), is_cut, "{text:.60}");
            assert!(is_cut || told == text);
        }
        let told = without_blobs(&format!("before {}\nafter it", "x1".repeat(2_000)));
        assert_eq!(told, "before [4000 characters without blanks are left out]\nafter it");
    }

    #[test]
    fn a_long_turn_loses_its_middle() {
        let text = format!("{} THE END", "äb ".repeat(10_000));
        let told = short(&text);
        assert!(told.starts_with("äb äb") && told.ends_with("THE END"));
        assert!(told.contains(&format!("[{} characters are left out]", 30_008 - HEAD - TAIL)));
        assert_eq!(short("a b"), "a b");
    }
}
