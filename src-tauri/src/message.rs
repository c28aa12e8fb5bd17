//! What the person is told in a box of the system: things that no page can show, because they are
//! about the window itself or there is none.

use rfd::{AsyncMessageDialog, MessageLevel};

/// Something that was asked for is done. Ends when the box is closed.
pub(crate) async fn news(title: &str, text: &str) {
    show(MessageLevel::Info, title, text).await;
}

/// Something did not work, and why. Ends when the box is closed.
pub(crate) async fn trouble(title: &str, reason: &str, hint: Option<&str>) {
    let hint = hint.map(|hint| format!("\n\n{hint}")).unwrap_or_default();
    show(MessageLevel::Error, title, &format!("{}{hint}", sentence(reason))).await;
}

async fn show(level: MessageLevel, title: &str, text: &str) {
    // The toolkit's texts end at a zero byte, and the library does not expect one.
    let text = text.replace('\0', "");
    AsyncMessageDialog::new().set_level(level).set_title(title).set_description(text).show().await;
}

/// Errors are fragments; a box shows sentences.
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
