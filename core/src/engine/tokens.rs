//! How many tokens a text has, about: providers differ, and only say so afterwards. Erring upwards.

use crate::models::{Call, Completed, Said, Tool};

/// What a message costs beside its text.
const MESSAGE: u64 = 8;

/// Tokens of a text: a quarter of its ASCII letters, and one for each other character.
#[must_use]
pub fn estimated(text: &str) -> u64 {
    let (mut ascii, mut others) = (0_u64, 0_u64);
    for letter in text.chars() {
        if letter.is_ascii() { ascii += 1 } else { others += 1 }
    }
    ascii.div_ceil(4) + others
}

/// Tokens of what a model is given.
pub(super) fn of_conversation(said: &[Said], tools: &[Tool]) -> u64 {
    let turns: u64 = said.iter().map(of_turn).sum();
    let tool = |tool: &Tool| {
        let Tool { name, description, parameters } = tool;
        [name, description, parameters].into_iter().map(|text| estimated(text)).sum::<u64>()
    };
    turns + tools.iter().map(tool).sum::<u64>()
}

/// Tokens of what a model said.
pub(super) fn of_answer(completed: &Completed) -> u64 {
    estimated(&completed.text) + completed.calls.iter().map(of_call).sum::<u64>()
}

fn of_turn(said: &Said) -> u64 {
    MESSAGE
        + match said {
            Said::System(text) | Said::User(text) | Said::Tool { text, .. } => estimated(text),
            Said::Model { text, calls } => estimated(text) + calls.iter().map(of_call).sum::<u64>(),
        }
}

fn of_call(call: &Call) -> u64 {
    MESSAGE + estimated(&call.name) + estimated(&call.arguments)
}
