//! The viewer's files, inside the program: no folder to install beside it, none to read at run time.
//!
//! Knows files and their names only. Headers, caching and who may ask are the server's business.

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// One file of the viewer.
#[derive(Debug)]
pub struct Asset {
    /// The value of `Content-Type`.
    pub mime: &'static str,
    /// The contents.
    pub bytes: &'static [u8],
    /// The contents packed with gzip, for whom accepts that; `None` where packing gains nothing.
    pub gzip: Option<&'static [u8]>,
    /// The value of `ETag`, quotes included; it changes when `bytes` do.
    pub etag: &'static str,
}

/// The file for the path of a URL, such as `/style.css`.
///
/// A path without a dot is one of the viewer's own pages, and the answer is `index.html`, which
/// draws it. `None`: there is no such file.
pub fn get(path: &str) -> Option<&'static Asset> {
    let name = path.trim_start_matches('/');
    let name = if name.contains('.') { name } else { "index.html" };
    FILES.iter().find(|(file, _)| *file == name).map(|(_, asset)| asset)
}

const fn mime(name: &str) -> &'static str {
    match extension(name.as_bytes()) {
        b"css" => "text/css; charset=utf-8",
        b"html" => "text/html; charset=utf-8",
        b"js" => "text/javascript; charset=utf-8",
        b"json" => "application/json",
        b"png" => "image/png",
        b"svg" => "image/svg+xml",
        b"txt" => "text/plain; charset=utf-8",
        // Browsers compile while they load only for exactly this.
        b"wasm" => "application/wasm",
        b"woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// What follows the last dot; constant, so that the table is built by the compiler.
const fn extension(name: &[u8]) -> &[u8] {
    let mut start = name.len();
    while start > 0 && name[start - 1] != b'.' {
        start -= 1;
    }
    name.split_at(start).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn pages_of_the_viewer_are_drawn_by_index_html() {
        for path in ["/", "", "/stores/global", "/index.html"] {
            let page = get(path).unwrap();
            assert_eq!(page.mime, "text/html; charset=utf-8", "{path}");
            assert!(page.bytes.starts_with(b"<!DOCTYPE html>"), "{path}");
        }
    }

    #[test]
    fn a_missing_file_is_no_page() {
        for path in ["/nothing.js", "/../Cargo.toml", "/.dist"] {
            assert!(get(path).is_none(), "{path}");
        }
    }

    #[test]
    fn every_file_has_a_type_and_a_tag_of_its_own() {
        let mut tags = std::collections::BTreeSet::new();
        for (name, asset) in FILES {
            assert_ne!(asset.mime, "application/octet-stream", "{name}");
            assert!(asset.etag.len() == 34 && asset.etag.starts_with('"'), "{name}");
            assert!(tags.insert(asset.etag), "{name}");
        }
    }

    #[test]
    fn the_packed_form_is_smaller_and_holds_the_same() {
        for (name, asset) in FILES {
            let Some(packed) = asset.gzip else { continue };
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(packed).read_to_end(&mut unpacked).unwrap();
            assert!(packed.len() < asset.bytes.len(), "{name}");
            assert_eq!(unpacked, asset.bytes, "{name}");
        }
        assert!(get("/").unwrap().gzip.is_some(), "text packs well");
    }

    #[test]
    fn the_viewer_is_small() {
        let sizes = FILES.iter().map(|(_, asset)| asset.gzip.unwrap_or(asset.bytes).len());
        let whole: usize = sizes.sum();
        assert!(whole <= 600 << 10, "{whole} bytes, packed");
    }

    #[test]
    fn types_follow_the_last_extension() {
        assert_eq!(mime("coffer-ui_bg.wasm"), "application/wasm");
        assert_eq!(mime("a.b/style.min.css"), "text/css; charset=utf-8");
        assert_eq!(mime("no-extension"), "application/octet-stream");
    }

    #[test]
    fn the_built_viewer_has_its_parts() {
        for part in ["/boot.js", "/coffer-ui.js", "/coffer-ui_bg.wasm", "/icon.svg"] {
            assert_eq!(get(part).is_some(), BUILT, "{part}");
        }
    }
}
