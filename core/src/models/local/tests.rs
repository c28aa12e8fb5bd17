//! Local models over tiny ones that are made for tests, whole and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use coffer_corpus::models::{BERT_TOKENS, BERT_WIDTH, TABLE_WIDTH, write_bert, write_table};

use super::*;

/// A folder of models with the two tiny ones.
fn models() -> (tempfile::TempDir, PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("models");
    for name in ["tiny", "table"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    write_bert(&folder.join("tiny")).unwrap();
    write_table(&folder.join("table")).unwrap();
    (temp, folder)
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn embed(model: &LocalEmbedder, texts: &[&str]) -> Vec<Option<Vec<f32>>> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    model.embed(&texts, Role::Passage, soon()).unwrap()
}

fn vector(model: &LocalEmbedder, text: &str) -> Vec<f32> {
    embed(model, &[text]).remove(0).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn refusal(folder: &Path, name: &str) -> String {
    match open(folder, name) {
        Err(ModelFailure::Refused(reason)) => reason,
        Err(other) => panic!("{name}: {other:?}"),
        Ok(_) => panic!("{name} was taken"),
    }
}

const TEXTS: [&str; 5] = [
    "how do we release the project",
    "the password is a secret",
    "why",
    "car, truck or vehicle: which is fast? never the slow one.",
    "x1 y2 z3 and a database table by the customer account",
];

#[test]
fn the_same_text_gives_the_same_vector_alone_and_among_others() {
    let (_temp, folder) = models();
    for (name, width) in [("tiny", BERT_WIDTH), ("table", TABLE_WIDTH)] {
        let model = open(&folder, name).unwrap();
        assert_eq!(model.dimensions(), width);
        let together = embed(&model, &TEXTS);
        for (text, together) in TEXTS.iter().zip(&together) {
            let together = together.as_ref().unwrap();
            let alone = vector(&model, text);
            assert_eq!(alone, vector(&model, text), "{name}: {text}");
            assert_eq!(alone.len(), width);
            assert!((cosine(&alone, &alone) - 1.0).abs() < 1e-5, "{name}: {text}");
            let apart = alone.iter().zip(together).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-4, "{name}: {text}: {apart}");
        }
        let different = together
            .windows(2)
            .all(|pair| cosine(pair[0].as_ref().unwrap(), pair[1].as_ref().unwrap()) < 0.999);
        assert!(different, "{name} tells no texts apart");
    }
}

#[test]
fn many_texts_keep_their_order() {
    let (_temp, folder) = models();
    let model = open(&folder, "tiny").unwrap();
    let texts: Vec<String> = (0..60).map(|n| "test ".repeat(n % 13 + 1) + TEXTS[n % 5]).collect();
    let all = model.embed(&texts, Role::Passage, soon()).unwrap();
    for (text, found) in texts.iter().zip(all) {
        assert!(cosine(&found.unwrap(), &vector(&model, text)) > 0.9999, "{text}");
    }
}

#[test]
fn the_static_model_knows_what_words_mean() {
    let (_temp, folder) = models();
    let model = open(&folder, "table").unwrap();
    let [car, automobile, invoice] =
        ["car", "automobile", "invoice"].map(|text| vector(&model, text));
    assert!(cosine(&car, &automobile) > cosine(&car, &invoice) + 0.3);
    assert_eq!(model.kind(), ModelKind::Static);
}

#[test]
fn strange_texts_have_vectors_or_none() {
    let (_temp, folder) = models();
    let (tiny, table) = (open(&folder, "tiny").unwrap(), open(&folder, "table").unwrap());
    let long = "release the car ".repeat(6_250);
    let glued = "x".repeat(100_000);
    for text in
        ["", " \n\t", "\0", &long, "e\u{301}\u{202e}\u{200d}", "\u{feff}the", "🚗 car the a"]
    {
        let found = vector(&tiny, text);
        assert!((cosine(&found, &found) - 1.0).abs() < 1e-5, "{:.20}", text);
    }
    // Only the beginning is read.
    let beginning = "release the car ".repeat(BERT_TOKENS);
    assert_eq!(vector(&tiny, &long), vector(&tiny, &beginning));
    assert_eq!(embed(&tiny, &[&glued]), [None], "one word that is not known");
    assert_eq!(embed(&table, &["", " ", "the"])[..2], [None, None], "nothing to add up");
    assert_eq!(embed(&table, &[]), Vec::<Option<Vec<f32>>>::new());
}

#[test]
fn what_a_model_cannot_read_has_no_vector() {
    let (_temp, folder) = models();
    for name in ["tiny", "table"] {
        let model = open(&folder, name).unwrap();
        let texts = [
            "部署流程是什么",
            "the car",
            "デプロイの手順",
            "배포는 어떻게 하나요",
            "การปรับใช้",
            "部署 the release of the project",
        ];
        let found: Vec<_> = embed(&model, &texts).iter().map(Option::is_some).collect();
        assert_eq!(found, [false, true, false, false, false, true], "{name}");
    }
}

#[test]
fn a_deadline_is_kept() {
    let (_temp, folder) = models();
    let model = open(&folder, "tiny").unwrap();
    let texts = vec!["the release of the car ".repeat(20); 5_000];
    let started = Instant::now();
    let late = model.embed(&texts, Role::Passage, started + Duration::from_millis(50));
    assert_eq!(late, Err(ModelFailure::Late));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let past = model.embed(&texts[..1], Role::Query, started);
    assert_eq!(past, Err(ModelFailure::Late));
}

#[test]
fn eight_threads_work_at_once() {
    let (_temp, folder) = models();
    let model = open(&folder, "tiny").unwrap();
    let alone: Vec<_> = TEXTS.iter().map(|text| vector(&model, text)).collect();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (model, alone) = (&model, &alone);
            scope.spawn(move || {
                let role = if thread % 2 == 0 { Role::Query } else { Role::Passage };
                for (text, alone) in TEXTS.iter().zip(alone) {
                    let texts = [(*text).to_owned()];
                    let found = model.embed(&texts, role, soon()).unwrap().remove(0).unwrap();
                    assert_eq!(&found, alone, "{text}");
                }
            });
        }
    });
}

#[test]
fn prompts_change_what_is_read() {
    let (_temp, folder) = models();
    fs::rename(folder.join("tiny"), folder.join("tiny-e5")).unwrap();
    let model = open(&folder, "tiny-e5").unwrap();
    let texts = ["the car".to_owned()];
    let of = |role| model.embed(&texts, role, soon()).unwrap().remove(0).unwrap();
    assert!(cosine(&of(Role::Query), &of(Role::Passage)) < 0.9999);
}

#[test]
fn a_model_that_is_not_there_is_only_unavailable() {
    let (temp, folder) = models();
    for folder in [&folder, &temp.path().join("none")] {
        let Err(ModelFailure::Unavailable(reason)) = open(folder, "other") else {
            panic!("something is there")
        };
        assert!(reason.contains("`other`") && reason.contains("coffer models list"), "{reason}");
    }
    for name in ["../models/tiny", "", "/tmp", "tiny/", "tiny.part"] {
        assert!(refusal(&folder, name).contains("must be"), "{name}");
    }
}

/// What is done to a file, its name, and what the refusal must name.
type Damage = (&'static str, &'static str, fn(&Path), &'static str);

fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Changes the header of weights and its length.
fn change_header(path: &Path, change: impl Fn(String) -> String) {
    let bytes = fs::read(path).unwrap();
    let length = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let header = change(String::from_utf8(bytes[8..8 + length].to_vec()).unwrap());
    let mut changed = (header.len() as u64).to_le_bytes().to_vec();
    changed.extend(header.into_bytes());
    changed.extend(&bytes[8 + length..]);
    fs::write(path, changed).unwrap();
}

const DAMAGES: &[Damage] = &[
    ("tiny", "config.json", |path| fs::remove_file(path).unwrap(), "is missing"),
    ("tiny", "tokenizer.json", |path| fs::remove_file(path).unwrap(), "is missing"),
    ("tiny", "model.safetensors", |path| fs::remove_file(path).unwrap(), "is missing"),
    ("tiny", "config.json", |path| fs::write(path, "{").unwrap(), "cannot be understood"),
    ("tiny", "config.json", |path| fs::write(path, vec![b' '; 2 << 20]).unwrap(), "larger than"),
    ("tiny", "config.json", |path| fs::write(path, "[".repeat(100_000)).unwrap(), "understood"),
    ("tiny", "config.json", |path| replace(path, "\"bert\"", "\"qwen3\""), "type `qwen3`"),
    ("tiny", "config.json", |path| replace(path, ": 32", ": 0"), "`hidden_size`"),
    ("tiny", "config.json", |path| replace(path, ": 32", ": 99999999"), "`hidden_size`"),
    ("tiny", "config.json", |path| replace(path, ": 32", ": 36"), "words of 32"),
    ("tiny", "config.json", |path| replace(path, ": 4,", ": 5,"), "divide"),
    ("tiny", "config.json", |path| replace(path, "layers\": 2", "layers\": 3"), "encoder.layer.2"),
    ("tiny", "config.json", |path| replace(path, ": 128", ": 4096"), "position_embeddings"),
    ("tiny", "config.json", |path| replace(path, "\"gelu\"", "\"mish\""), "`mish`"),
    ("tiny", "1_Pooling/config.json", |path| replace(path, ": false", ": true"), "pooling"),
    (
        "tiny",
        "modules.json",
        |path| fs::write(path, r#"[{"type": "a.b.Dense"}]"#).unwrap(),
        "`Dense`",
    ),
    ("tiny", "tokenizer.json", |path| fs::write(path, "{}").unwrap(), "cannot be understood"),
    (
        "tiny",
        "tokenizer.json",
        |path| fs::write(path, [0xff; 100]).unwrap(),
        "cannot be understood",
    ),
    (
        "tiny",
        "tokenizer.json",
        |path| replace(path, "\"car\":", "\"car\":4000000000,\"carx\":"),
        "does not fit",
    ),
    ("tiny", "model.safetensors", |path| fs::write(path, "").unwrap(), "is cut off"),
    ("tiny", "model.safetensors", |path| fs::write(path, [0xff; 64]).unwrap(), "header"),
    ("tiny", "model.safetensors", |path| fs::write(path, [0; 64]).unwrap(), "header"),
    (
        "tiny",
        "model.safetensors",
        |path| fs::write(path, &fs::read(path).unwrap()[..50_000]).unwrap(),
        "is cut off",
    ),
    (
        "tiny",
        "model.safetensors",
        |path| change_header(path, |header| header.replacen("\"F32\"", "\"I32\"", 1)),
        "type I32",
    ),
    (
        "tiny",
        "model.safetensors",
        |path| change_header(path, |header| header.replace("word_embeddings", "word_embedding")),
        "word_embeddings",
    ),
    (
        "tiny",
        "model.safetensors",
        // A vocabulary of a thousand million words that is not there.
        |path| change_header(path, |header| header.replacen("[128, 32]", "[1000000000, 32]", 1)),
        "header",
    ),
    (
        "tiny",
        "model.safetensors",
        |path| {
            change_header(path, |header| header.replacen("\"shape\":[32]", "\"shape\":[8, 4]", 1));
        },
        "shape [8, 4]",
    ),
    (
        "tiny",
        "model.safetensors",
        |path| change_header(path, |header| header + &" ".repeat(9 << 20)),
        "header",
    ),
    (
        "table",
        "model.safetensors",
        |path| change_header(path, |header| header.replace("embeddings", "mapping")),
        "`mapping`",
    ),
    (
        "table",
        "model.safetensors",
        |path| change_header(path, |header| header.replace("embeddings", "other")),
        "`embeddings`",
    ),
];

#[test]
fn damaged_models_are_refused_by_file_and_reason() {
    for (name, file, damage, said) in DAMAGES {
        let (_temp, folder) = models();
        damage(&folder.join(name).join(file));
        let reason = refusal(&folder, name);
        let names_it = reason.contains(&format!("the model `{name}`"));
        assert!(names_it && reason.contains(said), "{file}: {reason} lacks {said}");
    }
}

#[test]
fn weights_cut_anywhere_are_refused() {
    let (_temp, folder) = models();
    let path = folder.join("table/model.safetensors");
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(97) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(refusal(&folder, "table").contains("model.safetensors"), "{length}");
    }
}

#[test]
fn weights_that_are_no_numbers_are_refused_when_used() {
    let (_temp, folder) = models();
    let path = folder.join("tiny/model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let length = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    bytes[8 + length..].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let model = open(&folder, "tiny").unwrap();
    let refused = model.embed(&["the car".to_owned()], Role::Query, soon());
    assert!(matches!(refused, Err(ModelFailure::Refused(_))), "{refused:?}");
}

#[test]
fn a_folder_that_cannot_be_reached_is_unavailable() {
    let (_temp, folder) = models();
    fs::remove_dir_all(folder.join("tiny")).unwrap();
    fs::write(folder.join("tiny"), "a file").unwrap();
    assert!(matches!(open(&folder, "tiny"), Err(ModelFailure::Unavailable(_))));
    fs::remove_file(folder.join("table/config.json")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("table/config.json")).unwrap();
    assert!(matches!(open(&folder, "table"), Err(ModelFailure::Unavailable(_))));
}

#[test]
fn relatives_of_roberta_count_places_behind_the_filler() {
    let (_temp, folder) = models();
    let plain = vector(&open(&folder, "tiny").unwrap(), TEXTS[0]);
    let config = folder.join("tiny/config.json");
    replace(&config, "\"bert\"", "\"xlm-roberta\"");
    let shifted = vector(&open(&folder, "tiny").unwrap(), TEXTS[0]);
    assert!(cosine(&plain, &shifted) < 0.9999);
    // A BERT whose places begin one row later is the same.
    replace(&config, "\"xlm-roberta\"", "\"bert\"");
    let weights = folder.join("tiny/model.safetensors");
    let mut bytes = fs::read(&weights).unwrap();
    let start = 8 + usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let header = String::from_utf8(bytes[8..start].to_vec()).unwrap();
    let (_, rest) = header.split_once("position_embeddings.weight").unwrap();
    let (_, rest) = rest.split_once("data_offsets\":[").unwrap();
    let (from, rest) = rest.split_once(',').unwrap();
    let (from, to): (usize, usize) =
        (from.parse().unwrap(), rest.split_once(']').unwrap().0.parse().unwrap());
    bytes[start + from..start + to].rotate_left(BERT_WIDTH * 4);
    fs::write(&weights, bytes).unwrap();
    assert_eq!(vector(&open(&folder, "tiny").unwrap(), TEXTS[0]), shifted);

    replace(&config, "\"bert\"", "\"xlm-roberta\"");
    replace(&config, "\"pad_token_id\": 0", "\"pad_token_id\": 99");
    assert!(refusal(&folder, "tiny").contains("`pad_token_id`"));
}

#[test]
fn the_first_token_can_stand_for_the_text() {
    let (_temp, folder) = models();
    let mean = vector(&open(&folder, "tiny").unwrap(), TEXTS[0]);
    let pooling = r#"{"pooling_mode_mean_tokens": false, "pooling_mode_cls_token": true}"#;
    fs::write(folder.join("tiny/1_Pooling/config.json"), pooling).unwrap();
    let model = open(&folder, "tiny").unwrap();
    let first = vector(&model, TEXTS[0]);
    assert!(cosine(&first, &mean) < 0.999);
    let together = embed(&model, &TEXTS).remove(0).unwrap();
    assert!(first.iter().zip(&together).all(|(a, b)| (a - b).abs() < 1e-4));
}

/// With the real model, where `COFFER_TEST_MODEL` names the folder of all-MiniLM-L6-v2.
#[test]
fn the_real_model_agrees_with_its_makers() {
    let Some(folder) = std::env::var_os("COFFER_TEST_MODEL").map(PathBuf::from) else { return };
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let model = open(folder.parent().unwrap(), &name).unwrap();
    let known = [
        ("This is an example sentence", [0.06766, 0.06350, 0.04871, 0.07931]),
        ("The cat sits outside", [0.13919, 0.00303, 0.04701, 0.03957]),
    ];
    for (text, first) in known {
        let found = vector(&model, text);
        let near =
            found.iter().zip(first).all(|(found, first): (&f32, f32)| (found - first).abs() < 1e-4);
        assert!(near, "{text}: {:?}", &found[..4]);
    }
    let foreign = ["梅雨とは何季の一種か?", "范廷颂是什么时候被任为主教的？", "배포는 어떻게?"];
    assert_eq!(embed(&model, &foreign), [None, None, None]);
}
