//! The parts of an identifier: where case changes, and where letters meet digits.

/// The parts of a word of at least two characters each; nothing for a word of one part.
///
/// `getUserName` gives `get`, `User`, `Name`; `HTTPServer2` gives `HTTP`, `Server`; `utf8` gives
/// `utf`. Parts joined by punctuation need no help, the tokenizer splits there.
pub(crate) fn parts(word: &str) -> impl Iterator<Item = &str> {
    // Most words are of this kind, and looking closer at each takes longer than cutting the text.
    let plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let whole = plain || boundaries(word).next().is_none();
    let starts = std::iter::once(0).chain(boundaries(word));
    let ends = boundaries(word).chain([word.len()]);
    starts
        .zip(ends)
        .take_while(move |_| !whole)
        .map(|(start, end)| &word[start..end])
        .filter(|part| part.chars().nth(1).is_some())
}

/// Byte offsets at which a new part begins, but for the first.
fn boundaries(word: &str) -> impl Iterator<Item = usize> {
    let next = word.char_indices().skip(1);
    let after_next = word.chars().skip(2).map(Some).chain([None]);
    word.chars().zip(next).zip(after_next).filter_map(|((before, (at, c)), after)| {
        let hump = before.is_lowercase() && c.is_uppercase();
        let acronym_ends =
            before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
        let digits = before.is_numeric() != c.is_numeric();
        (hump || acronym_ends || digits).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_where_case_or_kind_changes() {
        let cases: [(&str, &[&str]); 11] = [
            ("getUserName", &["get", "User", "Name"]),
            ("HTTPServer2", &["HTTP", "Server"]),
            ("parseHTTP", &["parse", "HTTP"]),
            ("utf8", &["utf"]),
            ("sha256sum", &["sha", "256", "sum"]),
            ("ÜberGröße", &["Über", "Größe"]),
            ("word", &[]),
            ("Word", &[]),
            ("HTTP", &[]),
            ("x", &[]),
            ("", &[]),
        ];
        for (word, expected) in cases {
            assert_eq!(parts(word).collect::<Vec<_>>(), expected, "{word}");
        }
    }
}
