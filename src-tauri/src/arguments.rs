//! How the program was started. There is one choice, so no parser.

/// Starts in the tray, without a window.
pub(crate) const MINIMIZED: &str = "--minimized";

/// Whether no window was asked for.
pub(crate) fn is_minimized<A: AsRef<str>>(mut arguments: impl Iterator<Item = A>) -> bool {
    arguments.any(|argument| argument.as_ref() == MINIMIZED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_word_counts() {
        for (arguments, wanted) in [
            (vec!["coffer-desktop"], false),
            (vec!["coffer-desktop", "--minimized"], true),
            (vec!["coffer-desktop", "--minimized=no", "minimized"], false),
        ] {
            assert_eq!(is_minimized(arguments.iter()), wanted, "{arguments:?}");
        }
    }
}
