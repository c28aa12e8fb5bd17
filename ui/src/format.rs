//! Numbers and short texts, as people read them.

/// A size on disk in decimal units, as file managers show it: `0 B`, `1.2 kB`, `35 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    // Whole numbers only: writing fractions would be a good part of the program.
    let (mut unit, mut name) = (1000, 0);
    while bytes >= unit / 2 * 1999 && name + 1 < UNITS.len() {
        unit *= 1000;
        name += 1;
    }
    let name = UNITS[name];
    if bytes < unit / 20 * 199 {
        let tenths = (bytes * 10 + unit / 2) / unit;
        return format!("{}.{} {name}", tenths / 10, tenths % 10);
    }
    format!("{} {name}", (bytes + unit / 2) / unit)
}

/// A number with its thousands apart: `10,000`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 fact`, `2 facts`.
pub(crate) fn count(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A message such as ``no fact `x` `` as a sentence: capital letter first, period last.
pub(crate) fn sentence(fragment: &str) -> String {
    let fragment = fragment.trim();
    let mut chars = fragment.chars();
    let Some(first) = chars.next() else { return String::new() };
    let end = if fragment.ends_with(['.', '!', '?', '…', ':']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), chars.as_str())
}

/// A word of the wire, such as `token_rotated`, for people: `Token rotated`.
pub(crate) fn humanize(word: &str) -> String {
    let spaced = word.trim().replace(['_', '-'], " ");
    let mut chars = spaced.chars();
    chars
        .next()
        .map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), chars.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_or_three_digits() {
        for (size, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (1234, "1.2 kB"),
            (9_949, "9.9 kB"),
            (9_951, "10 kB"),
            (999_499, "999 kB"),
            (999_600, "1.0 MB"),
            (35_200_000, "35 MB"),
            (7_000_000_000_000_000, "7000 TB"),
        ] {
            assert_eq!(bytes(size), shown);
        }
    }

    #[test]
    fn thousands_are_apart() {
        for (value, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(number(value), shown);
        }
        assert_eq!(count(1, "fact", "facts"), "1 fact");
        assert_eq!(count(0, "fact", "facts"), "0 facts");
    }

    #[test]
    fn fragments_become_sentences() {
        assert_eq!(sentence("no fact `x`"), "No fact `x`.");
        assert_eq!(sentence("Done!"), "Done!");
        assert_eq!(sentence("  "), "");
        assert_eq!(humanize("token_rotated"), "Token rotated");
        assert_eq!(humanize(""), "");
    }
}
