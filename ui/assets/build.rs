//! Embeds `ui/dist`, which `cargo xtask ui` makes, or a page saying how to make it. Never builds the
//! viewer itself: a compiler inside a build script is minutes of surprise.
//!
//! `COFFER_REQUIRE_UI` in the environment makes a missing `ui/dist` an error.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::{env, fs};
use zopfli::{Format, Options};

/// How often a smaller form is looked for.
const ITERATIONS: NonZeroU64 = NonZeroU64::new(5).unwrap();

const PLACEHOLDER: &str = "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Coffer\
    </title><p>The viewer is not part of this build. Run <code>cargo xtask ui</code> in Coffer's \
    source folder, then build again.</p></html>";

fn main() -> io::Result<()> {
    let out = folder("OUT_DIR")?;
    let dist = folder("CARGO_MANIFEST_DIR")?.join("../dist");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", dist.display());
    let built = dist.join("index.html").exists();
    let mut files = if built { files(&dist, "")? } else { placeholder(&out)? };
    files.sort();

    let mut code = format!(
        "/// Whether the viewer is embedded, not the page that stands for it.\n\
        pub const BUILT: bool = {built};\n\n static FILES: &[(&str, Asset)] = &[\n"
    );
    for (name, path) in &files {
        code.push_str(&entry(name, path, &out)?);
    }
    code.push_str("];\n");
    fs::write(out.join("assets.rs"), code)
}

/// A folder that cargo names in the environment.
fn folder(variable: &str) -> io::Result<PathBuf> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| io::Error::other(variable.to_owned()))
}

/// All files under `dir`: their names in URLs, which begin with `prefix`, and where they are.
fn files(dir: &Path, prefix: &str) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            found.extend(files(&path, &format!("{name}/"))?);
        } else {
            found.push((name, path.canonicalize()?));
        }
    }
    Ok(found)
}

fn placeholder(out: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    if env::var_os("COFFER_REQUIRE_UI").is_some() {
        return Err(io::Error::other("ui/dist is missing: run `cargo xtask ui` first"));
    }
    println!("cargo:warning=ui/dist is missing, a placeholder is embedded: run `cargo xtask ui`");
    // A path that never exists runs this script in each build, so that the placeholder goes away
    // even when ui/dist comes out of a cache with old times.
    println!("cargo:rerun-if-changed={}", out.join("never").display());
    let page = out.join("placeholder.html");
    fs::write(&page, PLACEHOLDER)?;
    Ok(vec![("index.html".to_owned(), page)])
}

/// Packed as small as gzip allows, which takes a minute and is done once a viewer.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let options = Options { iteration_count: ITERATIONS, ..Options::default() };
    zopfli::compress(options, Format::Gzip, bytes, &mut packed)?;
    Ok(packed)
}

/// The line of code that embeds one file, with its compressed form where that is smaller.
fn entry(name: &str, path: &Path, out: &Path) -> io::Result<String> {
    let bytes = fs::read(path)?;
    let digest = hex::encode(&Sha256::digest(&bytes)[..16]);
    let packed = packed(&bytes)?;
    let mut line = format!("    ({name:?}, Asset {{ bytes: include_bytes!({path:?}), gzip: ");
    if packed.len() < bytes.len() {
        let file = out.join(format!("{digest}.gz"));
        fs::write(&file, packed)?;
        let _ = write!(line, "Some(include_bytes!({file:?}))");
    } else {
        line.push_str("None");
    }
    let _ = writeln!(line, ", mime: mime({name:?}), etag: {:?} }}),", format!("\"{digest}\""));
    Ok(line)
}
