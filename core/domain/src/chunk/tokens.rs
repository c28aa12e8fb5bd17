//! A guess at how many tokens a model makes of a text, without the model's vocabulary.
//!
//! Weights are quarters of a token, so that they add up exactly over any division of a text.

/// Quarters of a token in one token.
pub(super) const QUARTERS: usize = 4;

/// About how many tokens a model reads: a quarter per ASCII character, half of one for letters of
/// other alphabets, one for every character of scripts such as Han, kana, Hangul or Thai and for
/// every emoji. Rounded up.
pub fn approximate_tokens(text: &str) -> usize {
    weight(text).div_ceil(QUARTERS)
}

/// The weight of a text in quarters of a token.
pub(super) fn weight(text: &str) -> usize {
    text.chars().map(char_weight).sum()
}

/// The weight of a character in quarters of a token.
pub(super) fn char_weight(c: char) -> usize {
    match u32::from(c) {
        0..=0x7f => 1,
        // Latin, Greek, Cyrillic, Hebrew, Arabic, Indic and their like; general punctuation.
        0x80..=0xdff | 0x10a0..=0x10ff | 0x1200..=0x177f | 0x1800..=0x2dff => 2,
        _ => QUARTERS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let cases = [
            ("", 0),
            ("a", 1),
            ("abcd", 1),
            ("abcde", 2),
            ("部署流程", 4),
            ("привет", 3),
            ("😀", 1),
            ("データ ab", 4),
            ("ประเทศ", 6),
        ];
        for (text, tokens) in cases {
            assert_eq!(approximate_tokens(text), tokens, "{text}");
        }
    }
}
