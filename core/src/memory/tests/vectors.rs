//! Vectors over real files, with a model that is a table of words.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use coffer_domain::store::Fusion;

use super::*;
use crate::knowledge::Left;
use crate::models::{Embedder, ModelFailure, ModelRef, Role};

/// Words of one meaning: each is a direction of its own.
const MEANINGS: [&[&str]; 4] = [
    &["car", "automobile"],
    &["doctor", "physician"],
    &["begin", "commence"],
    &["river", "stream"],
];

/// What the tests say of the model.
#[derive(Default)]
struct Model {
    /// Texts that it was given.
    asked: AtomicUsize,
    /// The texts themselves.
    seen: Mutex<Vec<String>>,
    down: AtomicBool,
    slow: AtomicBool,
}

struct Words {
    model: Arc<Model>,
    dimensions: usize,
}

impl Embedder for Words {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(
        &self,
        texts: &[String],
        role: Role,
        deadline: Instant,
    ) -> std::result::Result<Vec<Option<Vec<f32>>>, ModelFailure> {
        if self.model.down.load(Ordering::SeqCst) {
            return Err(ModelFailure::Unavailable("the model is down".to_owned()));
        }
        if role == Role::Query && self.model.slow.load(Ordering::SeqCst) {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
            return Err(ModelFailure::Late);
        }
        if texts.iter().any(|text| text.contains("poison")) {
            return Err(ModelFailure::Refused("too much".to_owned()));
        }
        self.model.asked.fetch_add(texts.len(), Ordering::SeqCst);
        self.model.seen.lock().unwrap().extend_from_slice(texts);
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

impl Words {
    fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let text = text.to_lowercase();
        let mut vector = vec![0.01; self.dimensions];
        for (at, words) in MEANINGS.iter().enumerate() {
            vector[at] += words.iter().filter(|word| text.contains(**word)).count() as f32;
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        (!text.contains("unreadable")).then(|| vector.into_iter().map(|x| x / length).collect())
    }
}

/// A home whose settings name a model, or none.
struct Ground {
    at: Fixture,
    model: Arc<Model>,
    configured: Arc<Mutex<Option<(String, usize)>>>,
}

impl Ground {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let configured = Arc::new(Mutex::new(Some(("one".to_owned(), 8))));
        let model = Arc::new(Model::default());
        let memory = Self::open(temp.path(), &configured, &model);
        Self { at: Fixture { temp, memory }, model, configured }
    }

    fn open(
        path: &Path,
        configured: &Arc<Mutex<Option<(String, usize)>>>,
        model: &Arc<Model>,
    ) -> Memory {
        let (configured, model) = (Arc::clone(configured), Arc::clone(model));
        let named = move || {
            let (name, dimensions) = configured.lock().unwrap().clone()?;
            Some(ModelRef { identity: name, settings: dimensions.to_string() })
        };
        let open =
            move |wanted: &ModelRef| -> std::result::Result<Arc<dyn Embedder>, ModelFailure> {
                let dimensions = wanted.settings.parse().unwrap();
                Ok(Arc::new(Words { model: Arc::clone(&model), dimensions }))
            };
        Fixture::open_with(path, Embedders::new(named, open))
    }

    fn choose(&self, model: Option<(&str, usize)>) {
        let model = model.map(|(name, dimensions)| (name.to_owned(), dimensions));
        *self.configured.lock().unwrap() = model;
    }

    fn embed(&self) -> Embedded {
        self.at.memory.embed(&|_, _| true).unwrap()
    }

    fn ask(&self, query: &str, mode: Option<Mode>) -> (Vec<String>, Mode, bool) {
        let asked = Recall { query: query.to_owned(), mode, top_k: 20 };
        let answer = self.at.memory.recall(&[GLOBAL], &asked).unwrap();
        let texts = answer.hits.into_iter().map(|hit| hit.text).collect();
        (texts, answer.mode, answer.fallback)
    }

    fn degraded(&self) -> u64 {
        self.at.memory.metrics(&GLOBAL).unwrap().degraded
    }

    fn asked(&self) -> usize {
        self.model.asked.swap(0, Ordering::SeqCst)
    }
}

#[test]
fn a_question_finds_what_means_the_same() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    ground.at.remember("the river is wide");
    // Nothing is embedded yet: terms answer, and say that they do.
    assert_eq!(ground.ask("car", None), (vec![], Mode::Keyword, true));
    assert_eq!(ground.embed(), Embedded { passages: 2, waiting: 0, failure: None });
    let (texts, mode, fallback) = ground.ask("car", None);
    assert_eq!((texts[0].as_str(), mode, fallback), ("the automobile is red", Mode::Hybrid, false));
    let (texts, mode, _) = ground.ask("stream", Some(Mode::Vector));
    assert_eq!((texts[0].as_str(), texts.len(), mode), ("the river is wide", 2, Mode::Vector));
    assert_eq!(ground.ask("car", Some(Mode::Keyword)), (vec![], Mode::Keyword, false));
    // What changes waits, and is found by its terms meanwhile.
    ground.at.remember("a physician of ships");
    assert_eq!(ground.degraded(), 1);
    assert_eq!(ground.ask("physician", None).0[0], "a physician of ships");
    assert_eq!(ground.embed().passages, 1);
    assert_eq!(ground.degraded(), 0);
    assert_eq!(ground.ask("doctor", None).0[0], "a physician of ships");
    let modes = ground.at.memory.metrics(&GLOBAL).unwrap().indexed_modes;
    assert_eq!(modes, [Mode::Grep, Mode::Keyword, Mode::Vector, Mode::Hybrid]);
}

#[test]
fn both_ways_of_merging_find_by_terms_and_by_meaning() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    ground.at.remember("walnut trees begin to bloom");
    ground.embed();
    for fusion in [Fusion::Mix, Fusion::Rrf] {
        let patch = ConfigPatch { fusion: Some(fusion), ..ConfigPatch::default() };
        ground.at.memory.configure(&GLOBAL, &patch, &Author::USER, now()).unwrap();
        for (query, first) in
            [("car", "the automobile is red"), ("walnut", "walnut trees begin to bloom")]
        {
            assert_eq!(ground.ask(query, None).0[0], first, "{fusion:?}");
        }
    }
}

#[test]
fn a_model_that_fails_leaves_the_terms_and_is_asked_again() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    ground.model.down.store(true, Ordering::SeqCst);
    let done = ground.embed();
    assert_eq!((done.waiting, done.failure.as_deref()), (1, Some("the model is down")));
    assert_eq!(ground.at.memory.embedding_trouble().as_deref(), Some("the model is down"));
    assert_eq!(ground.degraded(), 1);
    assert_eq!(
        ground.ask("automobile", None),
        (vec!["the automobile is red".into()], Mode::Keyword, true)
    );
    ground.model.down.store(false, Ordering::SeqCst);
    assert_eq!(ground.embed().failure, None);
    assert_eq!((ground.degraded(), ground.at.memory.embedding_trouble()), (0, None));
    // A model that is slow holds no question up for longer than its patience.
    ground.model.slow.store(true, Ordering::SeqCst);
    let began = Instant::now();
    assert_eq!(ground.ask("automobile", None).1, Mode::Keyword);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn a_text_that_no_model_takes_holds_up_no_other() {
    let ground = Ground::new();
    ground.at.remember("poison ivy");
    ground.at.remember("an unreadable automobile");
    ground.at.remember("the automobile is red");
    assert_eq!(ground.embed(), Embedded { passages: 3, waiting: 0, failure: None });
    // Alone in its batch it is told from a model that refuses all.
    ground.at.remember("another poison");
    assert_eq!(ground.embed(), Embedded { passages: 1, waiting: 0, failure: None });
    let (texts, mode, _) = ground.ask("car", Some(Mode::Vector));
    assert_eq!((texts, mode), (vec!["the automobile is red".to_owned()], Mode::Vector));
    assert_eq!(ground.ask("ivy", None).0[0], "poison ivy");
    // A question that the model cannot read is answered by terms.
    assert_eq!(ground.ask("unreadable", None).1, Mode::Keyword);
    assert_eq!(ground.embed().passages, 0);
}

#[test]
fn the_old_vectors_answer_until_the_new_ones_are_complete() {
    let ground = Ground::new();
    for number in 0..70 {
        ground.at.remember(&format!("automobile number {number}"));
    }
    ground.embed();
    ground.choose(Some(("two", 16)));
    let answers = |ground: &Ground| ground.ask("car", Some(Mode::Vector)).1 == Mode::Vector;
    assert!(answers(&ground));
    // Cut off after the first batch: the old ones still answer.
    let cut_off = ground.at.memory.embed(&|_, _| false);
    assert!(matches!(cut_off, Err(Error::Cancelled)), "{cut_off:?}");
    assert!(answers(&ground) && ground.degraded() > 0);
    ground.asked();
    assert_eq!(ground.embed().waiting, 0);
    assert_eq!(ground.asked(), 70 - 32, "what was embedded before is not again");
    assert!(answers(&ground));
    // The same again costs nothing, neither does a file that was only touched.
    ground.asked();
    ground.embed();
    assert_eq!(ground.asked(), 0);
    // Settings that name no model for a moment, as while a person mends them, cost no vector.
    ground.choose(None);
    assert_eq!(ground.at.memory.embed_few().unwrap(), Left::Nothing);
    assert_eq!((ground.ask("automobile", None).1, ground.degraded()), (Mode::Keyword, 0));
    ground.choose(Some(("two", 16)));
    ground.asked();
    assert!(answers(&ground));
    assert_eq!(ground.asked(), 1, "the question alone");
    // Turned off by word, they go.
    ground.choose(None);
    ground.embed();
    ground.choose(Some(("two", 16)));
    assert!(!answers(&ground));
    ground.choose(None);
    ground.embed();
    ground.at.assert_rebuilt();
}

/// The set is dropped between two batches of the one who embeds.
#[test]
fn a_store_that_goes_while_it_is_embedded_takes_nothing_else_along() {
    let ground = Ground::new();
    for number in 0..70 {
        ground.at.remember(&format!("automobile number {number}"));
    }
    let project = StoreName::Project(Id::of_project("/a"));
    let fact = FactIn { text: "the river is wide", ..FactIn::default() };
    ground.at.memory.remember(&project, fact, &Author::USER, Stamp::new()).unwrap();
    let memory = &ground.at.memory;
    let index = || memory.knowledge().index().generation();
    let (before, rows) = (index(), || {
        let all = crate::index::HistoryFilter { limit: 500, ..Default::default() };
        memory.knowledge().read(|db| crate::index::audit(db, &all)).unwrap().len()
    });
    let audited = rows();
    let done = memory.embed(&|done, _| {
        if done > 0 && fs::metadata(ground.at.inbox()).is_ok() {
            memory.delete_store(&GLOBAL, &Author::USER, now()).unwrap();
        }
        true
    });
    assert_eq!(done.unwrap().waiting, 0);
    assert_eq!(index(), before, "the database is the same one");
    assert!(rows() > audited, "its history stays");
    let asked = Recall { query: "stream".into(), mode: Some(Mode::Vector), top_k: 5 };
    assert_eq!(memory.recall(&[project], &asked).unwrap().hits.len(), 1);
}

#[test]
fn no_model_sees_a_store_that_leaves_vectors_out() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    let memory = &ground.at.memory;
    let off = StoreName::Project(Id::of_project("/off"));
    let plain = StoreName::Project(Id::of_project("/plain"));
    for store in [&off, &plain] {
        let text = format!("walnut of {store}");
        let fact = FactIn { text: &text, ..FactIn::default() };
        memory.remember(store, fact, &Author::USER, Stamp::new()).unwrap();
    }
    memory.set_enabled(&off, false, &Author::USER, now()).unwrap();
    let modes = Some(vec![Mode::Grep, Mode::Keyword]);
    let patch = ConfigPatch { retrieval_modes: modes, ..ConfigPatch::default() };
    memory.configure(&plain, &patch, &Author::USER, now()).unwrap();
    assert_eq!((ground.embed().passages, memory.waiting_for_vectors().unwrap()), (1, 0));
    assert_eq!(memory.embed_few().unwrap(), Left::Nothing);
    let seen = ground.model.seen.lock().unwrap();
    assert!(seen.iter().all(|text| !text.contains("walnut")), "{seen:?}");
}

#[test]
fn a_key_that_the_border_of_passages_cuts_is_covered() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    let key: String = (0..120).map(|line| format!("{:x}\n", sha2_like(line))).collect();
    let text = format!(
        "# Keys\n\nthe automobile\n\n-----BEGIN RSA PRIVATE KEY-----\n{key}-----END RSA PRIVATE KEY-----\n\nthe river\n"
    );
    fs::write(ground.at.inbox().join("key.md"), &text).unwrap();
    ground.ask("river", None);
    assert!(ground.embed().passages > 2, "the key is longer than a passage");
    let seen = ground.model.seen.lock().unwrap();
    for line in key.lines() {
        assert!(seen.iter().all(|text| !text.contains(line)), "{line}");
    }
    assert!(seen.iter().any(|text| text.contains("the river")));
}

/// 64 digits that look drawn by chance.
fn sha2_like(number: u64) -> u128 {
    let mix = |x: u64| {
        x.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (x >> 7).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    };
    u128::from(mix(number + 1)) << 64 | u128::from(mix(mix(number + 77)))
}

#[test]
fn an_edit_and_a_delete_take_their_vectors_along() {
    let ground = Ground::new();
    let fact = ground.at.remember("the automobile is red").fact;
    let other = ground.at.remember("a physician of ships").fact;
    ground.embed();
    let change = FactChange { text: Some("the river is wide".into()), ..FactChange::default() };
    ground.at.memory.edit(&GLOBAL, &fact.id, &change, &Author::USER, now()).unwrap();
    ground.at.memory.delete(&GLOBAL, &other.id, &Author::USER, now()).unwrap();
    assert_eq!(ground.ask("car", Some(Mode::Vector)).0, [""; 0]);
    ground.embed();
    assert_eq!(ground.ask("stream", Some(Mode::Vector)).0, ["the river is wide"]);
    // A lost database is filled again, and its vectors too.
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(ground.at.temp.path().join(format!("coffer.db{end}")));
    }
    assert_eq!(ground.ask("river", None).0, ["the river is wide"]);
    assert_eq!(ground.embed().passages, 1);
    assert_eq!(ground.ask("stream", Some(Mode::Vector)).0, ["the river is wide"]);
}

#[test]
fn a_store_may_leave_vectors_out() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    ground.embed();
    let only = |modes: &[Mode], default| {
        let patch = ConfigPatch {
            retrieval_modes: Some(modes.to_vec()),
            default_mode: default,
            ..ConfigPatch::default()
        };
        ground.at.memory.configure(&GLOBAL, &patch, &Author::USER, now()).unwrap();
    };
    only(&[Mode::Grep, Mode::Keyword], None);
    assert_eq!(ground.ask("car", None), (vec![], Mode::Keyword, true));
    only(&[Mode::Keyword, Mode::Hybrid], Some(Mode::Keyword));
    assert_eq!(ground.ask("car", None), (vec![], Mode::Keyword, false));
    assert_eq!(ground.ask("car", Some(Mode::Hybrid)).1, Mode::Hybrid);
}

#[test]
fn little_is_embedded_quietly_and_much_is_a_job() {
    let ground = Ground::new();
    ground.at.remember("the automobile is red");
    assert_eq!(ground.at.memory.embed_few().unwrap(), Left::Nothing);
    assert_eq!(ground.ask("car", None).1, Mode::Hybrid);
    for number in 0..300 {
        fs::write(ground.at.inbox().join(format!("{number}.md")), "a river").unwrap();
    }
    ground.ask("river", None);
    assert_eq!(ground.at.memory.embed_few().unwrap(), Left::Much);
    ground.embed();
    assert_eq!(ground.at.memory.embed_few().unwrap(), Left::Nothing);
    ground.at.remember("a physician");
    ground.model.down.store(true, Ordering::SeqCst);
    assert_eq!(ground.at.memory.embed_few().unwrap(), Left::Failed);
}
