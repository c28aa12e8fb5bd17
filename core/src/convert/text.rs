//! Texts: their charset, and what is nearly Markdown already.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use super::{Converted, Format, Rejected, clean, languages};

/// The text of bytes, whatever their charset: by byte order mark, as UTF-8, else by what the bytes
/// look like.
pub(super) fn decode(bytes: &[u8]) -> Result<String, Rejected> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Ok(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned());
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return if text.contains('\0') { Err(binary()) } else { Ok(text.to_owned()) };
    }
    if bytes.contains(&0) {
        return Err(binary());
    }
    Ok(guess(bytes).decode_without_bom_handling(bytes).0.into_owned())
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    if encoding == UTF_8 { encoding_rs::WINDOWS_1252 } else { encoding }
}

fn binary() -> Rejected {
    Rejected::Unsupported("it is neither text nor a document of a known kind".to_owned())
}

/// Markdown and text as they are, source code between fences.
pub(super) fn pass_through(
    name: &str,
    format: Format,
    bytes: &[u8],
) -> Result<Converted, Rejected> {
    let text = clean::plain(&decode(bytes)?);
    if clean::is_empty(&text) {
        return Err(Rejected::Empty);
    }
    let markdown = match format {
        Format::Code => fenced(languages::of(name).unwrap_or_default(), &text),
        _ => text,
    };
    Ok(Converted { markdown, title: None, format, engine: "pass-through".to_owned() })
}

/// Code between fences that are longer than any row of backticks in it.
pub(super) fn fenced(language: &str, code: &str) -> String {
    let longest = code.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if code.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{code}{end}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charsets_are_told_apart() {
        let greek = "Καλημέρα κόσμε, αυτό είναι ένα κείμενο.";
        let german = "Größere Übungen für Käufer";
        let utf16: Vec<u8> =
            "\u{feff}Größe".encode_utf16().flat_map(|unit| unit.to_le_bytes()).collect();
        for (bytes, wanted) in [
            (german.as_bytes().to_vec(), german),
            (encoding_rs::WINDOWS_1252.encode(german).0.into_owned(), german),
            (encoding_rs::WINDOWS_1253.encode(greek).0.into_owned(), greek),
            (utf16, "Größe"),
            (b"\xef\xbb\xbfabc".to_vec(), "abc"),
        ] {
            assert_eq!(decode(&bytes).unwrap(), wanted);
        }
        assert_eq!(decode(b"\x7fELF\0\0").unwrap_err().code(), "unsupported");
        assert_eq!(decode(b"\xff\x00\x01").unwrap_err().code(), "unsupported");
    }

    #[test]
    fn chinese_and_japanese_are_told_apart() {
        let japanese = "これは日本語の文章です。検索できるようにします。";
        let chinese = "这是一个用来测试编码识别的中文段落,内容并不重要。";
        let sjis = encoding_rs::SHIFT_JIS.encode(japanese).0;
        let gbk = encoding_rs::GBK.encode(chinese).0;
        assert_eq!(decode(&sjis).unwrap(), japanese);
        assert_eq!(decode(&gbk).unwrap(), chinese);
    }

    #[test]
    fn code_is_fenced_by_its_language() {
        let code = pass_through("a/main.rs", Format::Code, b"fn main() {}\r\n").unwrap();
        assert_eq!(code.markdown, "```rust\nfn main() {}\n```\n");
        assert_eq!(fenced("md", "````\nx\n````"), "`````md\n````\nx\n````\n`````\n");
    }

    #[test]
    fn markdown_stays_as_it_is() {
        let text = "# A  \n\n\n\n* b\n";
        let converted = pass_through("a.md", Format::Markdown, text.as_bytes()).unwrap();
        assert_eq!((converted.markdown.as_str(), converted.title), (text, None));
        assert_eq!(pass_through("a.md", Format::Markdown, b" \n"), Err(Rejected::Empty));
    }
}
