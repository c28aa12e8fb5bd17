//! What the person is told in a box of the system: things that no page can show, because they are
//! about the window itself or there is none.

use rfd::{AsyncMessageDialog, MessageLevel};

/// Something that was asked for is done. Ends when the box is closed.
pub(crate) async fn news(text: &str) {
    show(MessageLevel::Info, text.to_owned()).await;
}

/// Something did not work. Ends when the box is closed.
pub(crate) async fn trouble(text: &str, hint: Option<&str>) {
    let hint = hint.map(|hint| format!("\n\n{hint}")).unwrap_or_default();
    show(MessageLevel::Error, format!("{}{hint}", sentence(text))).await;
}

async fn show(level: MessageLevel, text: String) {
    // Zero bytes would end the process in the toolkit's C strings.
    let text = text.replace('\0', "");
    AsyncMessageDialog::new()
        .set_level(level)
        .set_title("Coffer")
        .set_description(text)
        .show()
        .await;
}

/// Errors are fragments; a box shows sentences, and nothing there renders backticks.
fn sentence(fragment: &str) -> String {
    let mut letters = fragment.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_become_sentences() {
        for (fragment, wanted) in [
            ("cannot make `/x`: full", "Cannot make `/x`: full."),
            ("already one.", "Already one."),
            ("übel", "Übel."),
        ] {
            assert_eq!(sentence(fragment), wanted);
        }
    }
}
