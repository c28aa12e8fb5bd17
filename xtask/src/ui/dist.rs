//! From the compiled viewer to the folder that is embedded: wasm-bindgen's glue, the page, and the
//! files of `ui/public`. The folder is replaced whole, and only when something in it changes.

use crate::machine_paths;
use crate::workspace;
use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Packs `wasm` and the static files into `ui/dist`, unless they are what it was made from.
pub(super) fn pack(wasm: &Path) -> Result<()> {
    let ui = workspace::root().join("ui");
    let (dist, new) = (ui.join("dist"), ui.join("dist.tmp"));
    let stamp = workspace::target_dir().join("ui/dist.sha256");
    let digest = digest(&inputs(wasm, &ui)?)?;
    if dist.exists() && fs::read_to_string(&stamp).is_ok_and(|last| last == digest) {
        return Ok(());
    }
    remove_dir(&new)?;
    bind(wasm, &new)?;
    fs::copy(ui.join("index.html"), new.join("index.html"))?;
    fs::copy(icon(), new.join("icon.svg"))?;
    let public = ui.join("public");
    for file in files(&public)? {
        let to = new.join(file.strip_prefix(&public)?);
        fs::create_dir_all(to.parent().unwrap_or(&new))?;
        fs::copy(&file, to)?;
    }
    shorten_style(&new.join("style.css"))?;
    refuse_machine_paths(&new)?;
    remove_dir(&dist)?;
    fs::rename(&new, &dist)?;
    fs::write(stamp, digest)?;
    Ok(())
}

fn bind(wasm: &Path, out: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).web(true)?.typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(out).context("wasm-bindgen failed")?;
    shorten(&out.join("coffer-ui.js"))
}

/// Takes comments that have lines of their own and blanks at the ends of lines out of the glue.
fn shorten(script: &Path) -> Result<()> {
    let text = fs::read_to_string(script)?;
    let is_comment = |line: &&str| ["//", "/**", "*"].iter().any(|mark| line.starts_with(mark));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    fs::write(script, lines.collect::<Vec<_>>().join("\n"))?;
    Ok(())
}

/// Takes comments, and the blanks at the ends of lines, out of the style sheet.
fn shorten_style(style: &Path) -> Result<()> {
    let text = fs::read_to_string(style)?;
    let uncommented = |part: &str| part.split_once("*/").map_or("", |(_, rest)| rest).to_owned();
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let text: String = std::iter::once(first).chain(parts.map(uncommented)).collect();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    fs::write(style, lines.collect::<Vec<_>>().join("\n"))?;
    Ok(())
}

fn inputs(wasm: &Path, ui: &Path) -> Result<Vec<PathBuf>> {
    let mut inputs = vec![wasm.to_owned(), ui.join("index.html"), icon()];
    inputs.extend(files(&ui.join("public"))?);
    Ok(inputs)
}

fn icon() -> PathBuf {
    workspace::root().join("icons/coffer.svg")
}

/// One digest over names, lengths and contents.
fn digest(files: &[PathBuf]) -> Result<String> {
    let mut hasher = Sha256::new();
    for file in files {
        let bytes = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        hasher.update(file.as_os_str().as_encoded_bytes());
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(&bytes);
    }
    Ok(hex::encode(hasher.finalize()))
}

/// All files under `dir`, in a fixed order.
fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(dir).with_context(|| format!("cannot list `{}`", dir.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn refuse_machine_paths(dir: &Path) -> Result<()> {
    for file in files(dir)? {
        if let Some(folder) = machine_paths::find(&fs::read(&file)?)? {
            bail!("`{}` names a folder of this machine, `{}`", file.display(), folder.display());
        }
    }
    Ok(())
}

fn remove_dir(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_sees_names_and_contents() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "one").unwrap();
        fs::write(&b, "one").unwrap();
        let first = digest(std::slice::from_ref(&a)).unwrap();
        assert_ne!(first, digest(&[b]).unwrap());
        fs::write(&a, "two").unwrap();
        assert_ne!(first, digest(&[a]).unwrap());
    }

    #[test]
    fn files_are_found_in_all_folders() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("b")).unwrap();
        fs::write(dir.path().join("b/c"), "").unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        assert_eq!(files(dir.path()).unwrap(), [dir.path().join("a"), dir.path().join("b/c")]);
    }
}
