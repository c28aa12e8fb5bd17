//! Does a value look drawn by chance, or written by a person? Tells keys from identifiers.
//!
//! Deliberately absent: what surrounds the value; that is `judge`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Shannon's entropy in bits a byte: 0 for `aaaa`, 4 for all hexadecimal digits once.
#[expect(clippy::cast_precision_loss, reason = "lengths are small")]
pub(super) fn entropy(value: &[u8]) -> f32 {
    let mut counts = [0_usize; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    let share = |count: usize| count as f32 / value.len() as f32;
    let bits = |count: usize| -share(count) * share(count).log2();
    counts.into_iter().filter(|count| *count > 0).map(bits).sum()
}

/// A key of at least 16 characters: letters broken by digits and by changes of case where a name
/// would have words.
pub(super) fn is_random(value: &[u8]) -> bool {
    value.len() >= 16
        && entropy(value) >= 3.0
        && (is_hex(value) || has_scattered_digits(value) || has_scattered_case(value))
}

/// Digits and lower-case (or upper-case) letters of base 16, at least one of each.
pub(super) fn is_hex(value: &[u8]) -> bool {
    let one_case = |range: std::ops::RangeInclusive<u8>| {
        value.iter().all(|byte| byte.is_ascii_digit() || range.contains(byte))
    };
    let mixed = value.iter().any(u8::is_ascii_digit) && value.iter().any(|b| !b.is_ascii_digit());
    mixed && (one_case(b'a'..=b'f') || one_case(b'A'..=b'F'))
}

/// `k3jd82mzq1`: a group of digits in every eight characters, and three in all.
fn has_scattered_digits(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let groups = digit_groups(value);
    groups >= 3 && groups * 8 >= value.len() && letters * 3 >= value.len()
}

/// How often digits begin behind something else.
pub(super) fn digit_groups(value: &[u8]) -> usize {
    let is_start = |pair: &&[u8]| !pair[0].is_ascii_digit() && pair[1].is_ascii_digit();
    value.windows(2).filter(is_start).count()
}

/// `dKqPzWbN`: both cases, and fewer than half of the letters stand in words, or the sort of the
/// character changes so often that there can be none.
pub(super) fn has_scattered_case(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let upper = value.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let mixed =
        upper * 8 >= letters && (letters - upper) * 8 >= letters && letters * 2 >= value.len();
    let in_words = letters_in_words(value);
    let is_broken = changes(value) * 5 >= value.len() * 2 || digit_groups(value) >= 3;
    mixed && (in_words * 2 < letters || (is_broken && in_words * 3 < letters * 2))
}

/// How often a small letter, a capital or a digit follows another sort of them.
fn changes(value: &[u8]) -> usize {
    let sort = |byte: u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase());
    let is_change =
        |pair: &&[u8]| pair.iter().all(u8::is_ascii_alphanumeric) && sort(pair[0]) != sort(pair[1]);
    value.windows(2).filter(is_change).count()
}

/// Letters in runs like `word`, `Word` or `WORD` of at least four, with a vowel in every five.
pub(super) fn letters_in_words(value: &[u8]) -> usize {
    let goes_on = |word: &[u8], byte: u8| match word {
        [] => byte.is_ascii_alphabetic(),
        [first] => {
            byte.is_ascii_lowercase() || (first.is_ascii_uppercase() && byte.is_ascii_uppercase())
        }
        [.., last] => {
            byte.is_ascii_alphabetic() && byte.is_ascii_lowercase() == last.is_ascii_lowercase()
        }
    };
    let (mut total, mut start) = (0, 0);
    for (at, byte) in value.iter().copied().chain([0]).enumerate() {
        if !goes_on(&value[start..at], byte) {
            total += if is_word(&value[start..at]) { at - start } else { 0 };
            start = if byte.is_ascii_alphabetic() { at } else { at + 1 };
        }
    }
    total
}

fn is_word(run: &[u8]) -> bool {
    let vowels = run.iter().filter(|byte| b"aeiouyAEIOUY".contains(byte)).count();
    run.len() >= 4 && vowels * 5 >= run.len()
}

/// What stands for a key in documents and templates: `xxxx`, `your-key`, `${TOKEN}`, `123456…`.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    const OPENINGS: &[&str] = &["<", "${", "$(", "{{", "{%", "%(", "%{", "#{", "[redacted", "@@"];
    let is_variable = value.first() == Some(&b'$')
        && value.iter().skip(1).all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    is_variable
        || OPENINGS.iter().any(|opening| value.starts_with(opening.as_bytes()))
        || SAMPLES.is_match(value)
        || is_filled(value)
        || is_monotone(value)
}

/// `xxxx` in place of a key or of its middle. A long key may have four of a letter in a row by chance.
fn is_filled(value: &[u8]) -> bool {
    const FILLERS: &[u8] = b"x*._-";
    let same = |a: &u8, b: &u8| a.eq_ignore_ascii_case(b);
    let is_filler = |run: &&[u8]| run.len() >= 4 && FILLERS.contains(&run[0].to_ascii_lowercase());
    let filled: usize = value.chunk_by(same).filter(is_filler).map(<[u8]>::len).sum();
    filled > 0 && (filled * 6 >= value.len() || value.len() < 20)
}

/// Words of placeholders. None is so short that it may be in a key by chance.
static SAMPLES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    const WORDS: &[&str] = &[
        "changeme",
        "change-me",
        "change_me",
        "example",
        "placeholder",
        "redacted",
        "replace",
        "your-",
        "your_",
        "yourkey",
        "yourtoken",
        "yourpass",
        "insert-",
        "insert_",
        "dummy",
        "key-here",
        "key_here",
        "token-here",
        "token_here",
        "abcdefgh",
        "01234567",
        "12345678",
        "foobar",
        "notreal",
        "not-a-real",
        "fake-",
        "fake_",
    ];
    let built = AhoCorasick::builder().ascii_case_insensitive(true).build(WORDS);
    built.expect("the words are few and short")
});

/// At most three different characters, or an ascending row.
fn is_monotone(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    value.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let different = seen.into_iter().filter(|seen| *seen).count();
    let steps = value.windows(2).filter(|pair| pair[1] == pair[0].wrapping_add(1)).count();
    value.len() >= 6 && (different <= 3 || steps * 2 > value.len())
}

/// A ULID: 26 characters of Crockford's base 32, the first at most 7.
pub(super) fn is_ulid(value: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() && !b"ILOUilou".contains(byte);
    value.len() == 26 && value[0].is_ascii_digit() && value[0] < b'8' && value.iter().all(is_digit)
}

/// A UUID with its hyphens.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    let fits = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    value.len() == 36 && value.iter().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_told_from_names() {
        for value in ["k3jd82mzq1xw9v0a7b", "dKqPzWbNrTgYhJmLxCvB", "9f86d081884c7d659a2feaa0"] {
            assert!(is_random(value.as_bytes()), "{value}");
        }
        for value in [
            "short1A",
            "getAuthenticationToken",
            "aws_secret_access_key_name",
            "my-service-account-v2",
            "aaaaaaaaaaaaaaaaaaaaaa",
            "com.example.app.TokenStore",
            "GL_COMPRESSED_RGBA_ASTC_10x10_KHR",
        ] {
            assert!(!is_random(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn placeholders_are_known() {
        for value in [
            "xxxxxxxxxxxx",
            "your-api-key",
            "${TOKEN}",
            "$TOKEN",
            "<token>",
            "{{ key }}",
            "********",
            "AKIAIOSFODNN7EXAMPLE",
            "1234567890",
            "[redacted: token]",
            "changeme",
            "sk-proj-xxxxxxxxxxxxxxxxxxxx",
            "ghp_aB3dXXXXXXXXXXXXXXXXXXXXXXXX9k1m",
            "sk-ant-api03-....",
            "hf_****",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in
            ["hf_sIclqoNytlIajKexXXxPrLzcsIIExdTiJR", "hf_XADrNEotokrxxXXpYbIXxWvqoQyTejyaiS"]
        {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
        assert!(!is_placeholder(b"k3jd82mzq1xw9v0a"));
        assert!(!is_placeholder(b"$aB3!x"));
    }

    #[test]
    fn ids_are_known() {
        assert!(is_ulid(b"01ARZ3NDEKTSV4RRFFQ69G5FAV") && !is_ulid(b"91ARZ3NDEKTSV4RRFFQ69G5FAV"));
        assert!(is_uuid(b"0f8fad5b-d9cb-469f-a165-70867728950e") && !is_uuid(b"0f8fad5b"));
    }

    #[test]
    fn entropy_is_in_bits() {
        assert!(entropy(b"aaaa").abs() < 1e-6);
        assert!((entropy(b"0123456789abcdef") - 4.0).abs() < 1e-5);
    }
}
