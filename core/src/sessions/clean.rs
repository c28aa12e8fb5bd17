//! A session's turns without secrets, in their order: what is a secret may be told by the turn before.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Message, Role};
use crate::secrets::{Custom, Unscrubbed};

/// So much of the end of what an agent said is looked at for a question, in bytes.
const QUESTION: usize = 400;
/// The longest answer that is one word, in bytes.
const WORD: usize = 256;
/// What a question for a secret names.
const NAMES: &[&str] = &[
    "password",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "token",
    "api key",
    "api-key",
    "secret",
    "credential",
    "access key",
    "mot de passe",
    "contraseña",
    "senha",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "пароль",
];

/// Goes along a session.
pub struct Clean {
    secrets: Arc<Custom>,
    /// Whether the agent asked for a secret last.
    is_asked: bool,
}

impl Clean {
    /// At the begin of a session.
    pub(super) fn new(secrets: Arc<Custom>) -> Self {
        Self { secrets, is_asked: false }
    }

    /// Hears a turn that nobody is given.
    pub(super) fn pass(&mut self, message: &Message) {
        // What the person keeps private is as if it was not said.
        if !message.text.trim().is_empty() {
            self.is_asked = is_question(message);
        }
    }

    /// The next turn's words without secrets.
    ///
    /// # Errors
    ///
    /// They cannot be scrubbed, and must not go anywhere.
    pub(crate) fn next<'m>(&mut self, message: &'m Message) -> Result<Cow<'m, str>, Unscrubbed> {
        let was_asked = std::mem::replace(&mut self.is_asked, is_question(message));
        let text = self.secrets.scrub(&message.text)?.text;
        let word = text.trim();
        let is_word = word.len() <= WORD && !word.contains(char::is_whitespace);
        if was_asked && is_word && message.role == Role::Human {
            let told = format!("the password is {word}");
            if !self.secrets.scrub(&told)?.found.is_empty() {
                return Ok(Cow::Borrowed("[redacted: password]"));
            }
        }
        Ok(text)
    }
}

/// Whether an agent asks for a secret at the end of what it says.
fn is_question(message: &Message) -> bool {
    let text = message.text.trim_end();
    let end = text[text.ceil_char_boundary(text.len().saturating_sub(QUESTION))..].to_lowercase();
    message.role == Role::Assistant && NAMES.iter().any(|name| end.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcripts::Position;

    fn told(turns: &[(Role, &str)]) -> Vec<String> {
        let mut clean = Clean::new(Arc::default());
        let position = Position { ordinal: 1, key: 1 };
        let turn = |(role, text): &(Role, &str)| {
            let message = Message { role: *role, text: (*text).to_owned(), at: None, position };
            clean.next(&message).unwrap().into_owned()
        };
        turns.iter().map(turn).collect()
    }

    #[test]
    fn a_word_that_answers_a_question_for_a_secret_is_one() {
        use Role::{Assistant as A, Human as H};
        let question = "I need to log in. What is the password of the staging box?";
        for answer in ["Sommer2024!", " q7Gz!k2m\n", "k3jd82mzq1xw9v0a7b"] {
            assert_eq!(told(&[(A, question), (H, answer)])[1], "[redacted: password]", "{answer}");
            assert_eq!(told(&[(A, "Wie heißt es?"), (H, answer)])[1], answer);
            assert_eq!(told(&[(H, question), (H, answer)])[1], answer);
            assert_eq!(told(&[(A, question), (H, "wait"), (H, answer)])[2], answer);
        }
        for answer in
            ["yes", "no idea, ask Bob", "/etc/hosts", "config.toml", "v1.2.3", "$PASSWORD"]
        {
            assert_eq!(told(&[(A, question), (H, answer)])[1], answer);
        }
        let long = format!("{question} {}", "word ".repeat(200));
        assert_eq!(told(&[(A, &long), (H, "Sommer2024!")])[1], "Sommer2024!");
    }
}
