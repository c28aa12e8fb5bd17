//! Installing, listing and removing models over real folders and a server of this machine.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use coffer_corpus::models::{BERT_WIDTH, write_bert, write_table};
use coffer_domain::id::sha256;

use super::*;

struct Place {
    temp: tempfile::TempDir,
    models: Models,
}

impl Place {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path().join("home"));
        fs::create_dir(home.root()).unwrap();
        fs::create_dir(temp.path().join("tiny")).unwrap();
        write_bert(&temp.path().join("tiny")).unwrap();
        Self { temp, models: Models::new(home, || Some("used".to_owned())) }
    }

    fn source(&self) -> PathBuf {
        self.temp.path().join("tiny")
    }

    fn folder(&self) -> PathBuf {
        self.temp.path().join("home/models")
    }

    fn installed(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder()) else { return Vec::new() };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    fn add(&self, name: &str) -> Result<Model> {
        self.install(name, InstallFrom::Folder(self.source()))
    }

    fn install(&self, name: &str, from: InstallFrom) -> Result<Model> {
        self.models.install(&install(name, from), &|_, _| true)
    }
}

fn install(name: &str, from: InstallFrom) -> Install {
    Install { name: ModelName::parse(name).unwrap(), from }
}

#[test]
fn a_folder_becomes_a_model_that_is_listed_and_removed() {
    let place = Place::new();
    assert_eq!(place.models.list().unwrap(), []);
    fs::write(place.source().join("notes.txt"), "not of the model").unwrap();
    let told = Cell::new((0, 0));
    let tell = |done, total| {
        assert!(done >= told.get().0);
        told.set((done, total));
        true
    };
    let from = InstallFrom::Folder(place.source());
    let model = place.models.install(&install("a", from), &tell).unwrap();
    assert_eq!(told.get(), (model.size_bytes, model.size_bytes));
    assert_eq!((model.kind, model.dimensions), (Some(ModelKind::Bert), Some(BERT_WIDTH as u64)));
    let weights = fs::read(place.source().join("model.safetensors")).unwrap();
    assert_eq!(model.sha256, Some(sha256(&weights)));
    assert_eq!((model.checksum, model.in_use, &model.problem), (Checksum::Recorded, false, &None));
    assert!(!place.folder().join("a/notes.txt").exists());

    fs::create_dir(place.folder().join("by-hand")).unwrap();
    write_table(&place.folder().join("by-hand")).unwrap();
    fs::create_dir(place.folder().join("empty")).unwrap();
    place.add("used").unwrap();
    fs::write(place.folder().join("used/config.json"), "{}").unwrap();
    fs::create_dir(place.folder().join("linked")).unwrap();
    for file in ["config.json", "coffer-model.json"] {
        let link = place.folder().join("linked").join(file);
        std::os::unix::fs::symlink(place.source().join("config.json"), link).unwrap();
    }
    let listed: Vec<_> = place
        .models
        .list()
        .unwrap()
        .into_iter()
        .map(|model| (model.name, model.checksum, model.in_use, model.problem.is_some()))
        .collect();
    let row = |name: &str, checksum, in_use, bad| (name.to_owned(), checksum, in_use, bad);
    assert_eq!(
        listed,
        [
            row("a", Checksum::Recorded, false, false),
            row("by-hand", Checksum::Unknown, false, false),
            row("empty", Checksum::Unknown, false, true),
            row("linked", Checksum::Unknown, false, true),
            row("used", Checksum::Changed, true, true),
        ]
    );

    assert!(matches!(place.models.remove("used"), Err(Error::ModelInUse(name)) if name == "used"));
    for name in ["none", "../tiny", "", "a/1_Pooling"] {
        assert!(matches!(place.models.remove(name), Err(Error::ModelNotFound(_))), "{name}");
    }
    place.models.remove("a").unwrap();
    place.models.remove("empty").unwrap();
    place.models.remove("linked").unwrap();
    assert_eq!(place.installed(), ["by-hand", "used"]);
    assert!(place.source().join("config.json").exists());
}

#[test]
fn nothing_is_written_over() {
    let place = Place::new();
    place.add("a").unwrap();
    let before = fs::metadata(place.folder().join("a/config.json")).unwrap().modified().unwrap();
    assert!(matches!(place.add("a"), Err(Error::ModelExists(name)) if name == "a"));
    let from = InstallFrom::Folder(place.source());
    assert!(place.models.check_install(&install("a", from)).is_err());
    let after = fs::metadata(place.folder().join("a/config.json")).unwrap().modified().unwrap();
    assert_eq!((before, place.installed()), (after, vec!["a".to_owned()]));
}

#[test]
fn what_is_no_model_is_not_installed_and_leaves_nothing() {
    let place = Place::new();
    let damages: [(&str, &str, &str); 4] = [
        ("config.json", "{\"model_type\": \"llama\"}", "type `llama`"),
        ("model.safetensors", "short", "model.safetensors"),
        ("tokenizer.json", "{", "tokenizer.json"),
        ("1_Pooling/config.json", "{\"pooling_mode_max_tokens\": true}", "pooling"),
    ];
    for (file, text, said) in damages {
        let path = place.source().join(file);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, text).unwrap();
        let refused = place.add("a").unwrap_err();
        assert!(matches!(refused, Error::BadModel { .. }), "{refused:?}");
        assert!(refused.to_string().contains(said), "{refused}");
        assert_eq!(place.installed(), Vec::<String>::new(), "{file}");
        fs::write(&path, whole).unwrap();
    }
    fs::remove_file(place.source().join("tokenizer.json")).unwrap();
    let from = InstallFrom::Folder(place.source());
    let refused = place.models.check_install(&install("a", from)).unwrap_err().to_string();
    assert!(refused.contains("`tokenizer.json` is missing"), "{refused}");
    let none = InstallFrom::Folder(place.temp.path().join("none"));
    assert!(matches!(place.models.check_install(&install("a", none)), Err(Error::BadModel { .. })));
    let own = InstallFrom::Folder(place.folder());
    place.models.check_install(&install("a", own)).unwrap_err();
}

#[test]
fn links_of_a_cache_are_followed_but_not_into_coffers_folder() {
    let place = Place::new();
    let cache = place.temp.path().join("cache");
    fs::create_dir(&cache).unwrap();
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::os::unix::fs::symlink(place.source().join(file), cache.join(file)).unwrap();
    }
    place.install("a", InstallFrom::Folder(cache.clone())).unwrap();
    assert!(!fs::symlink_metadata(place.folder().join("a/config.json")).unwrap().is_symlink());
    fs::remove_file(cache.join("config.json")).unwrap();
    let key = place.temp.path().join("home/master.key");
    fs::write(&key, "{}").unwrap();
    std::os::unix::fs::symlink(key, cache.join("config.json")).unwrap();
    assert!(place.install("b", InstallFrom::Folder(cache)).is_err());
}

#[test]
fn an_end_that_was_asked_for_leaves_nothing() {
    let place = Place::new();
    let request = install("a", InstallFrom::Folder(place.source()));
    for last in [1, 20_000, 110_000] {
        let ended = place.models.install(&request, &|done, _| done < last);
        assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
        assert_eq!(place.installed(), Vec::<String>::new());
    }
}

#[test]
fn what_a_dead_installation_left_is_taken_away() {
    let place = Place::new();
    fs::create_dir_all(place.folder().join("other.part/1_Pooling")).unwrap();
    fs::write(place.folder().join("other.part/1_Pooling/config.json"), "half").unwrap();
    fs::create_dir_all(place.folder().join("a.part")).unwrap();
    assert_eq!(place.models.list().unwrap(), []);
    place.add("a").unwrap();
    assert_eq!(place.installed(), ["a"]);
}

/// A server of files by their paths, with what it answers; each request is a connection.
fn serve(files: BTreeMap<String, (u16, Vec<u8>)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/tiny", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            let mut stream = BufReader::new(stream);
            let mut first = String::new();
            stream.read_line(&mut first).unwrap();
            let mut line = String::new();
            while stream.read_line(&mut line).unwrap() > 2 {
                line.clear();
            }
            let path = first.split(' ').nth(1).unwrap().trim_start_matches("/tiny/");
            let (status, body) = files.get(path).cloned().unwrap_or((404, Vec::new()));
            let to = if status == 302 { "Location: http://127.0.0.1:1/x\r\n" } else { "" };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\n{to}Content-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.get_mut().write_all(&[head.as_bytes(), &body].concat());
        }
    });
    address
}

/// The files of a model as a server has them, with their list.
fn offered(folder: &Path) -> BTreeMap<String, (u16, Vec<u8>)> {
    let (mut files, mut rows) = (BTreeMap::new(), Vec::new());
    for name in FILES {
        let Ok(bytes) = fs::read(folder.join(name)) else { continue };
        let (size, sha) = (bytes.len(), sha256(&bytes));
        rows.push(format!(r#"{{"name": "{name}", "size": {size}, "sha256": "{sha}"}}"#));
        files.insert(name.to_owned(), (200, bytes));
    }
    let list = format!(r#"{{"files": [{}]}}"#, rows.join(","));
    files.insert("coffer-model.json".to_owned(), (200, list.into_bytes()));
    files
}

#[test]
fn a_model_is_fetched_from_a_server_and_compared_with_its_list() {
    let place = Place::new();
    let files = offered(&place.source());
    let url = serve(files.clone());
    let model = place.install("a", InstallFrom::Url(url)).unwrap();
    assert_eq!((model.checksum, model.dimensions), (Checksum::Recorded, Some(BERT_WIDTH as u64)));
    place.add("b").unwrap();
    let read = |name: &str, file: &str| fs::read(place.folder().join(name).join(file)).unwrap();
    for file in FILES.iter().filter(|file| place.source().join(file).exists()) {
        assert_eq!(read("a", file), read("b", file), "{file}");
    }

    type Change = fn(&mut BTreeMap<String, (u16, Vec<u8>)>);
    let changes: [(Change, &str); 7] = [
        (|files| drop(files.remove("coffer-model.json")), "the server answered 404"),
        (|files| drop(files.remove("model.safetensors")), "the server answered 404"),
        (|files| files.get_mut("tokenizer.json").unwrap().0 = 302, "points elsewhere"),
        (|files| files.get_mut("tokenizer.json").unwrap().1[100] ^= 1, "is not what"),
        (|files| files.get_mut("tokenizer.json").unwrap().1.truncate(99), "bytes that it should"),
        (|files| files.get_mut("config.json").unwrap().1.push(b' '), "bytes that it should"),
        (|files| files.get_mut("coffer-model.json").unwrap().1.push(b'!'), "understood"),
    ];
    for (change, said) in changes {
        let mut files = files.clone();
        change(&mut files);
        let refused = place.install("c", InstallFrom::Url(serve(files))).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused} lacks {said}");
        assert_eq!(place.installed(), ["a", "b"]);
    }
    // Nobody there, and somebody who speaks no TLS.
    let plain = serve(files).replace("http:", "https:");
    for url in ["http://127.0.0.1:1/x".to_owned(), "https://127.0.0.1:1/x".to_owned(), plain] {
        let refused = place.install("c", InstallFrom::Url(url)).unwrap_err();
        assert!(matches!(refused, Error::Unavailable { action: "fetch", .. }), "{refused}");
    }
}
