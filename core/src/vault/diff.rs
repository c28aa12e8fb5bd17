//! What a change would do to a file, as a unified diff.

use std::path::Path;

use similar::TextDiff;

/// The diff of a file, which may come or go; empty for no change.
pub(crate) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    const NONE: &str = "/dev/null";
    let name = path.display().to_string();
    let named = |text: Option<&str>| if text.is_some() { name.clone() } else { NONE.to_owned() };
    let texts = (before.unwrap_or_default(), after.unwrap_or_default());
    if before.is_some() == after.is_some() && texts.0 == texts.1 {
        return String::new();
    }
    let diff = TextDiff::from_lines(texts.0, texts.1);
    diff.unified_diff().context_radius(3).header(&named(before), &named(after)).to_string()
}
