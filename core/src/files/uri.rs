//! A path as a `file:` URI.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// Everything but letters, digits, `/` and what RFC 3986 never reserves.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URI of an absolute path.
pub(super) fn file_uri(path: &Path) -> String {
    format!("file://{}", percent_encode(path.as_os_str().as_encoded_bytes(), ENCODED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_encoded_byte_by_byte() {
        for (path, uri) in [
            ("/a/b-c_d.e~f", "file:///a/b-c_d.e~f"),
            ("/a b&c=d/#?%.md", "file:///a%20b%26c%3Dd/%23%3F%25.md"),
            ("/ü/ß.md", "file:///%C3%BC/%C3%9F.md"),
            ("/部署.md", "file:///%E9%83%A8%E7%BD%B2.md"),
            ("/\"'`$(x);:@+,!*[]", "file:///%22%27%60%24%28x%29%3B%3A%40%2B%2C%21%2A%5B%5D"),
            ("/", "file:///"),
        ] {
            assert_eq!(file_uri(Path::new(path)), uri);
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_stay_bytes() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/od\xff"));
        assert_eq!(file_uri(path), "file:///od%FF");
    }
}
