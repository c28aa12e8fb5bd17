//! The engine against a scripted provider: real HTTP, every byte kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use coffer_corpus::provider::{Answer, Asked, Provider as Scripted};
use coffer_domain::time::Timestamp;
use coffer_env::Home;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::config::{EngineConfig, ModelSource, PreferencesPatch, Provider};

const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);
const ON: &dyn Fn() -> bool = &|| true;

struct Ground {
    _temp: tempfile::TempDir,
    engine: Engine,
    settings: Settings,
    provider: Scripted,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Word {
    word: String,
}

impl Ground {
    fn over(script: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let index = Arc::new(Index::open(&home.database(), NOW).unwrap());
        let credentials = Credentials::without_keyring(&home, Arc::clone(&index));
        let settings = Settings::open(&home, || {});
        let provider = Scripted::start(script);
        let source = ModelSource {
            provider: Provider::LmStudio,
            model: "writer".to_owned(),
            base_url: Some(provider.url()),
            credential_ref: None,
        };
        settings.set_engine(Some(&EngineConfig { source })).unwrap();
        let engine = Engine::new(&settings, &credentials, index);
        Self { _temp: temp, engine, settings, provider }
    }

    fn ask(&self) -> Result<Word, EngineFailure> {
        self.engine.writer().unwrap().unwrap().ask("Say a word.", "Anything.", ON)
    }

    fn cap(&self, tokens: u64) {
        let patch =
            PreferencesPatch { daily_token_cap: Some(tokens), ..PreferencesPatch::default() };
        self.settings.change(&patch).unwrap();
    }

    fn tokens(&self) -> u64 {
        self.engine.spent().unwrap().tokens
    }
}

/// An answer of a text, with what it cost.
fn said(text: &str, tokens: Option<u64>) -> Answer {
    let message = json!({"role": "assistant", "content": text});
    answered(&message, "stop", tokens)
}

fn answered(message: &Value, reason: &str, tokens: Option<u64>) -> Answer {
    let usage = |tokens: u64| {
        let completion = tokens.min(1);
        json!({"prompt_tokens": tokens - completion, "completion_tokens": completion})
    };
    let usage = tokens.map(usage);
    let body = json!({"choices": [{"message": message, "finish_reason": reason}], "usage": usage});
    Answer::json(200, &body.to_string())
}

#[test]
fn without_one_nothing_is_asked() {
    let ground = Ground::over(|_, _| said("", None));
    ground.settings.set_engine(None).unwrap();
    assert!(ground.engine.writer().unwrap().is_none() && !ground.engine.is_configured());
    assert!(ground.provider.asked().is_empty());
}

#[test]
fn an_answer_is_read_and_what_it_cost_is_counted() {
    let ground = Ground::over(|_, _| said("```json\n{\"word\": \"ok\"}\n```", Some(120)));
    assert_eq!(ground.ask(), Ok(Word { word: "ok".to_owned() }));
    assert_eq!(ground.ask(), Ok(Word { word: "ok".to_owned() }));
    assert_eq!(ground.tokens(), 240);
    let asked: Value = serde_json::from_str(&ground.provider.asked()[0].body).unwrap();
    assert_eq!(
        asked,
        json!({"model": "writer", "max_tokens": ANSWER, "messages": [
            {"role": "system", "content": "Say a word."}, {"role": "user", "content": "Anything."},
        ]})
    );
    // Another program over the same home goes on counting.
    let budget = Budget::new(ground.settings.clone(), Arc::clone(&index_of(&ground)));
    assert_eq!(budget.spent(clock::now()).unwrap().tokens, 240);
}

/// A provider that says nothing of it, or that it cost nothing.
#[test]
fn what_nobody_counts_is_estimated() {
    for told in [None, Some(0)] {
        let ground = Ground::over(move |_, _| said("{\"word\": \"ok\"}", told));
        assert_eq!(ground.ask(), Ok(Word { word: "ok".to_owned() }));
        assert!((10..100).contains(&ground.tokens()), "{told:?}: {}", ground.tokens());
    }
}

fn index_of(ground: &Ground) -> Arc<Index> {
    let home = Home::at(ground._temp.path());
    Arc::new(Index::open(&home.database(), NOW).unwrap())
}

#[test]
fn answers_that_cannot_be_used_are_told_apart() {
    let half = || Answer::json(200, r#"{"choices": [{"message": {"content": "{\"wo"#);
    let cut = || answered(&json!({"content": "{\"word\": \"ok\"}"}), "length", Some(9));
    type Fits = fn(&EngineFailure) -> bool;
    let malformed: Fits = |failure| matches!(failure, EngineFailure::Malformed(_));
    let unavailable: Fits = |failure| matches!(failure, EngineFailure::Unavailable(_));
    let refused: Fits = |failure| matches!(failure, EngineFailure::Refused(_));
    let cases: Vec<(Answer, Fits)> = vec![
        (said("I would rather not.", Some(9)), malformed),
        (said("{\"word\": \"o", Some(9)), malformed),
        (said("{\"term\": \"ok\"}", Some(9)), malformed),
        (said("", Some(9)), malformed),
        (cut(), malformed),
        (Answer::json(500, r#"{"error": "out of order"}"#), unavailable),
        (Answer::json(503, "<html>"), unavailable),
        (said("{\"word\": \"ok\"}", None).cut(5), unavailable),
        (Answer::json(401, r#"{"error": {"message": "who are you"}}"#), refused),
        (Answer::json(400, r#"{"error": {"message": "context length"}}"#), refused),
        (Answer::json(200, "[]"), refused),
        (Answer::json(200, r#"{"choices": []}"#), refused),
        (half(), refused),
    ];
    for (number, (answer, fits)) in cases.into_iter().enumerate() {
        let ground = Ground::over(move |_, _| answer.clone());
        let failure = ground.ask().unwrap_err();
        assert!(fits(&failure) && !failure.ends_all(), "{number}: {failure:?}");
    }
}

#[test]
fn a_busy_provider_is_asked_again() {
    let busy = || Answer::with(429, &[("retry-after", "0")], "{}");
    let ground = Ground::over(move |count, _| match count {
        0 | 1 => busy(),
        _ => said("{\"word\": \"ok\"}", Some(5)),
    });
    assert!(ground.ask().is_ok());
    assert_eq!(ground.provider.asked().len(), 3);
}

#[test]
fn the_days_cap_is_never_passed() {
    let ground = Ground::over(|_, _| said("{\"word\": \"ok\"}", Some(6_000)));
    ground.cap(20_000);
    assert!(ground.ask().is_ok() && ground.ask().is_ok());
    let over = ground.ask().unwrap_err();
    assert_eq!(over, EngineFailure::Budget { used: 12_000, cap: 20_000 });
    assert!(over.ends_all() && over.to_string().contains("12000 of today's 20000 tokens"));
    assert_eq!(ground.provider.asked().len(), 2);
    ground.cap(1_000_000);
    assert!(ground.ask().is_ok());
}

#[test]
fn jobs_that_ask_at_once_stay_below_the_cap_together() {
    let ground = Ground::over(|_, _| {
        thread::sleep(Duration::from_millis(300));
        said("{\"word\": \"ok\"}", Some(8_000))
    });
    ground.cap(20_000);
    let asked = thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| ground.ask())).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(asked.iter().filter(|answer| answer.is_ok()).count(), 2, "{asked:?}");
    assert_eq!(ground.tokens(), 16_000);
}

#[test]
fn what_the_provider_does_not_say_is_estimated_and_failures_cost_nothing() {
    let ground = Ground::over(|count, _| match count {
        0 => said("{\"word\": \"ok\"}", None),
        _ => Answer::json(500, "{}"),
    });
    ground.ask().unwrap();
    let estimate = ground.tokens();
    assert!((8..40).contains(&estimate), "{estimate}");
    ground.ask().unwrap_err();
    assert_eq!(ground.tokens(), estimate);
    assert_eq!((estimated("abcd efgh"), estimated("規則を"), estimated("")), (3, 3, 0));
}

#[test]
fn nobody_waits_for_what_was_cancelled() {
    let ground = Ground::over(|_, _| {
        thread::sleep(Duration::from_secs(20));
        said("{}", None)
    });
    let writer = ground.engine.writer().unwrap().unwrap();
    let goes_on = AtomicBool::new(true);
    let began = clock::instant();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            goes_on.store(false, Ordering::SeqCst);
        });
        let go_on = || goes_on.load(Ordering::SeqCst);
        let failure = writer.ask::<Word>("a", "b", &go_on).unwrap_err();
        assert_eq!(failure, EngineFailure::Cancelled);
        assert_eq!(writer.ask::<Word>("a", "b", &go_on), Err(EngineFailure::Cancelled));
    });
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(ground.provider.asked().len(), 1);
}

#[test]
fn tools_are_called_and_answered() {
    let call = json!({"content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"at\":1}"}},
        {"type": "function", "function": {"name": "look", "arguments": {"at": 2}}},
    ]});
    let ground = Ground::over(move |count, _| match count {
        0 => answered(&call, "tool_calls", Some(50)),
        _ => said("done", Some(60)),
    });
    let writer = ground.engine.writer().unwrap().unwrap();
    let tool = Tool {
        name: "look",
        description: "Looks.",
        parameters: r#"{"type":"object","properties":{"at":{"type":"integer"}}}"#,
    };
    let mut conversation = vec![Said::User("Look around.".to_owned())];
    let first = writer.go_on(&conversation, std::slice::from_ref(&tool), ON).unwrap();
    let names: Vec<_> =
        first.calls.iter().map(|call| (&*call.id, &*call.name, &*call.arguments)).collect();
    assert_eq!(names, [("c1", "look", "{\"at\":1}"), ("call_1", "look", "{\"at\":2}")]);
    conversation.push(Said::Model { text: first.text, calls: first.calls });
    conversation.push(Said::Tool { call: "c1".to_owned(), text: "a wall".to_owned() });
    let second = writer.go_on(&conversation, &[tool], ON).unwrap();
    assert_eq!((second.text.as_str(), second.calls.len()), ("done", 0));
    let asked: Value = serde_json::from_str(&ground.provider.asked()[1].body).unwrap();
    assert_eq!(asked["messages"][1]["tool_calls"][0]["function"]["name"], "look");
    assert_eq!(asked["messages"][1]["content"], Value::Null);
    assert_eq!(
        asked["messages"][2],
        json!({"role": "tool", "tool_call_id": "c1", "content": "a wall"})
    );
    assert_eq!(asked["tools"][0]["function"]["parameters"]["type"], "object");
}

#[test]
fn no_secret_leaves_in_any_turn() {
    let secret = concat!("ghp_", "x9Kd02mQp4Zt7Rw1Yb5Nc8Vf3Lh6Js0GaTe4");
    let ground = Ground::over(|_, _| said("{\"word\": \"ok\"}", Some(5)));
    let writer = ground.engine.writer().unwrap().unwrap();
    let with = |text: &str| format!("{text} {secret}");
    let call = Call { id: "c".to_owned(), name: "t".to_owned(), arguments: with("args") };
    let said = [
        Said::System(with("a")),
        Said::User(with("b")),
        Said::Model { text: with("c"), calls: vec![call] },
        Said::Tool { call: "c".to_owned(), text: with("d") },
    ];
    writer.go_on(&said, &[], ON).unwrap();
    let sent = ground.provider.asked()[0].whole();
    assert!(!sent.contains(secret) && !sent.contains(&secret[4..]), "{sent}");
    assert_eq!(sent.matches("redacted").count(), 5, "{sent}");
}
