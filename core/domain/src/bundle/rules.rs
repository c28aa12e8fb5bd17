//! Cutting a file of rules, which is Markdown of any shape, into rules: an item of a list with what
//! belongs to it, a paragraph, a block. A heading stays with what follows it.

use crate::frontmatter;

/// How the comment begins that says where a rule of the organizer comes from.
pub const ORIGIN: &str = "<!-- coffer:";
const ORIGIN_END: &str = "-->";

/// The comment on where a rule comes from: an agent, and the item that it was made of.
#[must_use]
pub fn origin(agent: &str, item: &str) -> String {
    let plain = |text: &str| text.replace("--", "-").replace(['\n', '\r', '>'], " ");
    format!("{ORIGIN} from {}, {} {ORIGIN_END}", plain(agent), plain(item))
}

/// A text without such comments.
#[must_use]
pub fn without_origin(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(ORIGIN) {
        let Some((_, after)) = after.split_once(ORIGIN_END) else { break };
        left += before.trim_end_matches(' ');
        rest = after;
    }
    left + rest
}

/// The rules of a file's text.
#[must_use]
pub fn rules_of(text: &str) -> Vec<String> {
    cut(&without_origin(text)).into_iter().map(|(headings, rule)| headings + &rule).collect()
}

/// The rules of a file's text that are items of lists, as they stand, with where they come from.
#[must_use]
pub fn bullets_of(text: &str) -> Vec<String> {
    cut(text).into_iter().map(|(_, rule)| rule).filter(|rule| item(rule)).collect()
}

/// Whether a text is nothing but a list of rules, below a title at most. What else is in a file a person put
/// there, as a heading that says what the rules below it are for.
#[must_use]
pub fn is_plain_list(text: &str) -> bool {
    let text = without_origin(text).replace("\r\n", "\n");
    let split = frontmatter::split(&text);
    let body = split.body_text();
    let title = body.lines().next().filter(|line| is_heading(line));
    let list = title.map_or(body, |title| &body[title.len()..]);
    let is_item = |(headings, rule): &(String, String)| headings.is_empty() && item(rule);
    let ends_with_heading = list.lines().next_back().is_some_and(is_heading);
    split.header.is_none() && !ends_with_heading && cut(list).iter().all(is_item)
}

/// A file's text without one of its rules, which is given as `bullets_of` gives it; every other byte stays.
/// `None` where it does not stand there, or cannot be taken out without another rule changing.
#[must_use]
pub fn without_bullet(text: &str, rule: &str) -> Option<String> {
    let (given, mut left) = (bullets_of(rule), bullets_of(text));
    let [rule] = given.as_slice() else { return None };
    let at = left.iter().position(|bullet| bullet == rule)?;
    left.remove(at);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    (0..lines.len()).find_map(|from| {
        let upto = from + lines_of(rule, &lines[from..])?;
        let without = [&lines[..from], &lines[upto..]].concat().concat();
        (bullets_of(&without) == left).then_some(without)
    })
}

/// How many lines a rule takes at the beginning of these; how many empty ones are in it is all the same.
fn lines_of(rule: &str, lines: &[&str]) -> Option<usize> {
    let is_empty = |line: &str| line.trim().is_empty();
    let mut taken = 0;
    for wanted in rule.lines().filter(|line| !is_empty(line)) {
        let empty = lines[taken..].iter().take_while(|line| taken > 0 && is_empty(line)).count();
        let line = lines.get(taken + empty)?.trim_start_matches('\u{feff}').trim_end();
        if line != wanted.trim_end() {
            return None;
        }
        taken += empty + 1;
    }
    Some(taken)
}

/// The rules of a text, each with the headings before it.
fn cut(text: &str) -> Vec<(String, String)> {
    let text = text.replace("\r\n", "\n");
    let mut cut = Cut::default();
    for line in frontmatter::split(&text).body_text().lines() {
        cut.take(line);
    }
    cut.end();
    cut.rules
}

/// Whether a text begins as an item of a list.
pub(super) fn item(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match digits {
        0 => line.strip_prefix(['-', '*', '+']),
        1..=9 => line[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    mark.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && line[marks..].starts_with([' ', '\t'])
}

/// The sign of a fence, with which it ends too.
fn fence(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|sign| line.trim_start().starts_with(sign))
}

#[derive(Default)]
struct Cut {
    rules: Vec<(String, String)>,
    headings: String,
    rule: String,
    fence: Option<&'static str>,
    after_blank: bool,
}

impl Cut {
    fn take(&mut self, line: &str) {
        if let Some(sign) = self.fence {
            self.add(line);
            let rest = line.trim().strip_prefix(sign);
            if rest.is_some_and(|rest| rest.bytes().all(|byte| byte == sign.as_bytes()[0])) {
                self.fence = None;
            }
            return;
        }
        let belongs = line.starts_with([' ', '\t']) && !self.rule.is_empty();
        match line.trim().is_empty() {
            true => self.after_blank = true,
            false if belongs => self.add(line),
            false if is_heading(line) => {
                self.end();
                self.headings += line.trim_end();
                self.headings.push('\n');
            }
            false => {
                if self.after_blank || item(line) {
                    self.end();
                }
                self.add(line);
            }
        }
        if !line.trim().is_empty() {
            self.fence = fence(line);
        }
    }

    fn add(&mut self, line: &str) {
        if std::mem::take(&mut self.after_blank) && !self.rule.is_empty() {
            self.rule.push('\n');
        }
        self.rule += line.trim_end();
        self.rule.push('\n');
    }

    fn end(&mut self) {
        let rule = std::mem::take(&mut self.rule);
        self.after_blank = false;
        if !rule.trim().is_empty() {
            self.rules.push((std::mem::take(&mut self.headings), rule.trim_end().to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_falls_apart_into_rules() {
        let cases: [(&str, &[&str]); 15] = [
            ("", &[]),
            ("---\na: b\n---\n- one\n- two\n", &["- one", "- two"]),
            ("- one\n  more\n\n  and more\n- two", &["- one\n  more\n\n  and more", "- two"]),
            (
                "- one\n  - inner\n* two\n+ three\n1. four\n2) five",
                &["- one\n  - inner", "* two", "+ three", "1. four", "2) five"],
            ),
            (
                "# Style\n\n- one\n- two\n## Tests\n- three\n# Nothing\n",
                &["# Style\n- one", "- two", "## Tests\n- three"],
            ),
            ("# A\n## B\ntext", &["# A\n## B\ntext"]),
            ("a\nb\n\nc\n", &["a\nb", "c"]),
            ("lead:\n- one", &["lead:", "- one"]),
            (
                "```sh\n- no item\n\n# no heading\n```\n- one",
                &["```sh\n- no item\n\n# no heading\n```", "- one"],
            ),
            (
                "- one\n  ```\n  x\n\n- y\n  ```\n- two",
                &["- one\n  ```\n  x\n\n- y\n  ```", "- two"],
            ),
            ("```\nnever ended\n\n- a", &["```\nnever ended\n\n- a"]),
            ("````\n- a\n````\n- b", &["````\n- a\n````", "- b"]),
            ("- one\r\n- two\r\n", &["- one", "- two"]),
            ("-no item\n#no heading\n----\n", &["-no item\n#no heading\n----"]),
            ("\u{feff}- 規則\n- 二", &["- 規則", "- 二"]),
        ];
        for (text, rules) in cases {
            assert_eq!(rules_of(text), rules, "{text:?}");
        }
    }

    #[test]
    fn what_a_person_put_between_rules_makes_it_more_than_a_list() {
        for list in [
            "",
            "# Mine\n",
            "- a\n- b\n  ```\n  # no heading\n  ```\n",
            "# Mine\n\n* a\n\n1. b\n",
            "\u{feff}- a\r\n",
        ] {
            assert!(is_plain_list(list), "{list:?}");
        }
        for more in [
            "---\ntitle: Mine\n---\n- a\n",
            "- a\n\nBetween.\n\n- b\n",
            "# Mine\n## Rust\n- a\n",
            "- a\n# End\n",
            "- a\n\n---\n\n- b\n",
            "<!-- mine -->\n- a\n",
        ] {
            assert!(!is_plain_list(more), "{more:?}");
        }
    }

    #[test]
    fn one_rule_is_taken_out_and_nothing_else() {
        for (text, rule, left) in [
            ("- one\n- two\n- three\n", "- two", Some("- one\n- three\n")),
            ("- one\n- two\n- one\n", "- one", Some("- two\n- one\n")),
            ("# A\r\n\r\n* odd  one\r\n- two", "- two", Some("# A\r\n\r\n* odd  one\r\n")),
            ("---\na:\n- x\n---\n- y\n- x\n", "- x", Some("---\na:\n- x\n---\n- y\n")),
            ("- a\n  b\n\n\n  c\n- d", "- a\n  b\n\n  c", Some("- d")),
            ("- a\n- a\n  b\n", "- a\n  b", Some("- a\n")),
            ("```\n- x\n```\n\n- x\n", "- x", Some("```\n- x\n```\n\n")),
            ("\u{feff}- 規則\n- 二", "- 規則", Some("- 二")),
            ("- only <!-- coffer: from codex, 01J -->", "- only", None),
            ("text\n", "text", None),
            ("- a\n", "", None),
            ("", "- a", None),
        ] {
            assert_eq!(without_bullet(text, rule).as_deref(), left, "{text:?}");
        }
    }

    #[test]
    fn where_a_rule_comes_from_is_not_told() {
        let bullet = format!("- Use tabs. {}", origin("codex", "01J0-->x"));
        assert_eq!(bullet, "- Use tabs. <!-- coffer: from codex, 01J0- x -->");
        assert_eq!(
            rules_of(&format!("{bullet}\n- two <!-- mine -->")),
            ["- Use tabs.", "- two <!-- mine -->"]
        );
        assert_eq!(without_origin("a <!-- coffer: never ended"), "a <!-- coffer: never ended");
    }
}
