//! The adapter against a scripted provider: real HTTP, every byte kept.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use coffer_corpus::provider::{Answer, Asked, Provider as Scripted};
use coffer_domain::credential::CredentialRef;
use coffer_domain::time::Timestamp;
use coffer_env::Home;
use serde_json::{Value, json};

use super::*;
use crate::config::{EngineConfig, ModelSource};
use crate::index::Index;

const KEY: &str = "test-key-that-only-one-host-gets";
const NOW: Timestamp = Timestamp::from_micros(1_780_000_000_000_000);

struct Ground {
    _temp: tempfile::TempDir,
    credentials: Credentials,
    settings: Settings,
}

impl Ground {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::at(temp.path());
        let index = Arc::new(Index::open(&home.database(), NOW).unwrap());
        let credentials = Credentials::without_keyring(&home, index);
        credentials.set(&key(), KEY.into(), NOW).unwrap();
        // A secret that only this person knows of.
        std::fs::write(home.config_file(), "[secrets]\npatterns = ['ACME-[0-9]+']\n").unwrap();
        let settings = Settings::open(&home, || {});
        Self { _temp: temp, credentials, settings }
    }

    fn open(
        &self,
        source: ModelSource,
        dimensions: Option<u32>,
    ) -> Result<RemoteEmbedder, ModelFailure> {
        let config = EmbeddingConfig { source, dimensions };
        RemoteEmbedder::open(&config, &self.credentials, &self.settings, soon())
    }

    /// An embedder of width 2 over a script.
    fn over(
        &self,
        script: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static,
    ) -> (Scripted, RemoteEmbedder) {
        let provider = Scripted::start(script);
        let embedder = self.open(at(Provider::OpenAi, &provider.url()), Some(2)).unwrap();
        (provider, embedder)
    }

    /// As `one`, for a provider at another port.
    fn one_again(&self, answer: Answer) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
        self.credentials.set(&key(), KEY.into(), NOW).unwrap();
        self.one(answer)
    }

    /// What comes of one text, over one answer.
    fn one(&self, answer: Answer) -> Result<Vec<Option<Vec<f32>>>, ModelFailure> {
        let (_provider, embedder) = self.over(move |_, _| answer.clone());
        embedder.embed(&texts(&["one"]), Role::Passage, soon())
    }
}

fn key() -> CredentialRef {
    CredentialRef::parse("key").unwrap()
}

fn at(provider: Provider, url: &str) -> ModelSource {
    let base_url = Some(url.to_owned());
    ModelSource { provider, model: "m/1".to_owned(), base_url, credential_ref: Some(key()) }
}

fn soon() -> Instant {
    clock::instant() + Duration::from_secs(10)
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap()
}

/// Vectors whose direction tells the length of their text, in the order that `turn` makes.
fn vectors(asked: &Asked, turn: impl FnOnce(&mut Vec<Value>)) -> Answer {
    let body = body(asked);
    let texts = body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    let mut rows: Vec<Value> = texts
        .enumerate()
        .map(|(index, text)| json!({"index": index, "embedding": [text.len(), 1], "object": "x"}))
        .collect();
    turn(&mut rows);
    Answer::json(200, &json!({"object": "list", "data": rows, "usage": {}}).to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be none")]
fn of_length(length: usize) -> Option<Vec<f32>> {
    let (x, y) = (length as f64, 1.0);
    let norm = x.hypot(y);
    Some(vec![(x / norm) as f32, (y / norm) as f32])
}

#[test]
fn texts_become_vectors_in_their_order_whatever_the_answers() {
    let ground = Ground::new();
    let (provider, embedder) = ground.over(|_, asked| vectors(asked, |rows| rows.reverse()));
    assert_eq!(embedder.dimensions(), 2);
    let found = embedder.embed(&texts(&["a", "bcd", "ef"]), Role::Query, soon()).unwrap();
    assert_eq!(found, [of_length(1), of_length(3), of_length(2)]);
    let asked = provider.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, "POST /v1/embeddings");
    assert_eq!(asked[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let agent = format!("coffer/{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(asked[0].header("user-agent"), Some(agent.as_str()));
    let expected = json!({"model": "m/1", "input": ["a", "bcd", "ef"], "dimensions": 2});
    assert_eq!(body(&asked[0]), expected);
    assert_eq!(embedder.embed(&[], Role::Query, soon()).unwrap(), [] as [Option<Vec<f32>>; 0]);
    assert_eq!(provider.asked().len(), 1);
}

#[test]
fn each_provider_is_asked_in_its_own_way() {
    let ground = Ground::new();
    let ask = |provider, model: &str, role| {
        let scripted = Scripted::start(|_, asked| vectors(asked, |_| {}));
        let source = ModelSource {
            model: model.to_owned(),
            ..at(provider, scripted.url().trim_end_matches("/v1"))
        };
        ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
        let embedder = ground.open(source, Some(2)).unwrap();
        embedder.embed(&texts(&["a"]), role, soon()).unwrap();
        scripted.asked().remove(0)
    };
    let voyage = body(&ask(Provider::Voyage, "voyage-4", Role::Query));
    assert_eq!(
        voyage,
        json!({"model": "voyage-4", "input": ["a"], "output_dimension": 2, "input_type": "query"})
    );
    let voyage = body(&ask(Provider::Voyage, "voyage-4", Role::Passage));
    assert_eq!(voyage["input_type"], "document");
    let jina = body(&ask(Provider::Jina, "jina-embeddings-v3", Role::Query));
    assert_eq!(
        jina,
        json!({"model": "jina-embeddings-v3", "input": ["a"], "dimensions": 2, "task": "retrieval.query"})
    );
    let jina = body(&ask(Provider::Jina, "jina-embeddings-v2-base-en", Role::Query));
    assert_eq!(jina.get("task"), None);
    let azure = ask(Provider::Azure, "my deployment/1", Role::Query);
    assert_eq!(
        azure.line,
        "POST /openai/deployments/my%20deployment%2F1/embeddings?api-version=2024-10-21"
    );
    assert_eq!((azure.header("api-key"), azure.header("authorization")), (Some(KEY), None));
}

#[test]
fn a_width_that_is_not_set_is_what_the_model_answers() {
    let ground = Ground::new();
    let provider = Scripted::start(|_, asked| vectors(asked, |_| {}));
    let embedder = ground.open(at(Provider::OpenAi, &provider.url()), None).unwrap();
    assert_eq!(embedder.dimensions(), 2);
    assert_eq!(body(&provider.asked()[0]).get("dimensions"), None);
    let nobody = Scripted::start(|_, _| Answer::json(500, ""));
    ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
    let failed = ground.open(at(Provider::OpenAi, &nobody.url()), None).map(drop);
    assert!(matches!(failed, Err(ModelFailure::Unavailable(_))), "{failed:?}");
}

#[test]
fn many_texts_go_in_several_requests() {
    let ground = Ground::new();
    let (provider, embedder) = ground.over(|_, asked| vectors(asked, |_| {}));
    let mut many: Vec<String> = (1..=130).map(|length| "x".repeat(length)).collect();
    many.extend(["y".repeat(60_000), "z".repeat(60_000), "w".repeat(150_000), "v".to_owned()]);
    let found = embedder.embed(&many, Role::Passage, soon()).unwrap();
    let expected: Vec<_> = many.iter().map(|text| of_length(text.len())).collect();
    assert_eq!(found, expected);
    let counts: Vec<usize> = provider
        .asked()
        .iter()
        .map(|asked| body(asked)["input"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [64, 64, 3, 1, 1, 1]);
}

#[test]
fn secrets_do_not_leave_and_empty_texts_are_not_sent() {
    let ground = Ground::new();
    let (provider, embedder) = ground.over(|_, asked| vectors(asked, |_| {}));
    let github = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5");
    let text = format!("the token is {github}, and ACME-12345 too");
    let found = embedder.embed(&[text, " \n".to_owned(), "fine".to_owned()], Role::Query, soon());
    let found = found.unwrap();
    assert_eq!((found[0].is_some(), &found[1], &found[2]), (true, &None, &of_length(4)));
    for asked in provider.asked() {
        let whole = asked.whole();
        assert!(!whole.contains(&github) && !whole.contains("ACME-12345"), "{whole}");
        assert!(asked.body.contains("[redacted: "), "{}", asked.body);
    }
    // A text that cannot be scrubbed is dropped; nothing of it leaves.
    assert_eq!(fit_by(|_| Err(secrets::Unscrubbed::Failed), "anything"), None);
}

#[test]
fn answers_that_are_none_are_told_apart() {
    let ground = Ground::new();
    let good = r#"{"data": [{"index": 0, "embedding": [3, 4]}]}"#;
    assert_eq!(ground.one(Answer::json(200, good)).unwrap(), [Some(vec![0.6, 0.8])]);
    let with = |status, body: &str| Answer::json(status, body);
    for (answer, expected) in [
        (
            with(401, r#"{"error": {"message": "Incorrect API key"}}"#),
            "Refused answered 401: Incorrect API key",
        ),
        (with(403, r#"{"error": "no\n access"}"#), "Refused answered 403: no access"),
        (with(404, r#"{"message": "no model `m/1`"}"#), "Refused answered 404: no model `m/1`"),
        (with(400, r#"{"detail": "too long"}"#), "Refused answered 400: too long"),
        (with(400, r#"[{"error": {"code": 400, "message": "bad"}}]"#), "Refused answered 400: bad"),
        (with(422, ""), "Refused answered 422"),
        (with(500, "<html>Oops</html>"), "Unavailable answered 500: <html>Oops</html>"),
        (
            with(503, r#"{"error": {"message": "overloaded"}}"#),
            "Unavailable answered 503: overloaded",
        ),
        (with(200, good).cut(10), "Unavailable broke off"),
        (with(200, &good[..20]), "Refused something else"),
        (with(200, "<html>a login page</html>"), "Refused something else"),
        (
            with(200, r#"{"data": [{"index": 0, "embedding": [null, 4]}]}"#),
            "Refused something else",
        ),
        (
            with(200, r#"{"data": [{"index": 0, "embedding": [1e999, 4]}]}"#),
            "Refused something else",
        ),
        (with(200, r#"{"data": [{"index": 0, "embedding": [1e300, 4]}]}"#), "Refused direction"),
        (with(200, r#"{"data": []}"#), "Refused 0 vectors to 1 texts"),
        (with(200, r#"{"data": [{"embedding": [1, 2, 3]}]}"#), "Refused 3 numbers instead of 2"),
        (with(200, r#"{"data": [{"embedding": [0, 0]}]}"#), "Refused direction"),
    ] {
        let failure = ground.one_again(answer).unwrap_err();
        let (kind, reason) = expected.split_once(' ').unwrap();
        let said = match &failure {
            ModelFailure::Refused(said) => ("Refused", said),
            ModelFailure::Unavailable(said) => ("Unavailable", said),
            ModelFailure::Late => panic!("{expected}"),
        };
        assert!(said.0 == kind && said.1.contains(reason), "{expected}: {failure:?}");
        assert!(!said.1.contains(KEY), "{failure:?}");
    }
}

#[test]
fn a_providers_words_are_short_and_hold_no_key() {
    let ground = Ground::new();
    let github = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5";
    let long = format!("bad key {KEY} and {github} {}", "word ".repeat(500));
    let body = json!({"error": {"message": long}}).to_string();
    let said = ground.one(Answer::json(401, &body)).unwrap_err().to_string();
    assert!(said.contains("bad key [redacted] and [redacted: "), "{said}");
    assert!(!said.contains(KEY) && !said.contains(github) && said.chars().count() < 260, "{said}");
}

#[test]
fn a_busy_provider_is_asked_again_within_the_deadline() {
    let ground = Ground::new();
    let busy = |wait: &'static str| {
        move |number, asked: &Asked| match number {
            0 => Answer::with(429, &[("retry-after", wait)], r#"{"error": {"message": "slow"}}"#),
            _ => vectors(asked, |_| {}),
        }
    };
    let (provider, embedder) = ground.over(busy("0"));
    assert_eq!(embedder.embed(&texts(&["a"]), Role::Query, soon()).unwrap(), [of_length(1)]);
    assert_eq!(provider.asked().len(), 2);
    let begun = clock::instant();
    ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
    let (provider, embedder) = ground.over(busy("3600"));
    let failure = embedder.embed(&texts(&["a"]), Role::Query, soon()).unwrap_err();
    assert!(matches!(&failure, ModelFailure::Unavailable(said) if said.contains("429: slow")));
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(provider.asked().len(), 1);
    ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
    let (provider, embedder) = ground.over(|_, _| Answer::with(429, &[("retry-after", "0")], ""));
    embedder.embed(&texts(&["a"]), Role::Query, soon()).unwrap_err();
    assert_eq!(provider.asked().len(), 5, "it is not asked forever");
}

#[test]
fn a_slow_provider_is_late_and_a_gone_one_unavailable() {
    let ground = Ground::new();
    let (_provider, embedder) = ground.over(|_, asked| {
        thread::sleep(Duration::from_secs(2));
        vectors(asked, |_| {})
    });
    let begun = clock::instant();
    let bit = begun + Duration::from_millis(200);
    assert_eq!(embedder.embed(&texts(&["a"]), Role::Query, bit), Err(ModelFailure::Late));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(embedder.embed(&texts(&["a"]), Role::Query, begun), Err(ModelFailure::Late));
    // Nobody listens there any more.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
    let source = at(Provider::OpenAi, &format!("http://127.0.0.1:{port}/v1"));
    let gone = ground.open(source, Some(2)).unwrap();
    let failure = gone.embed(&texts(&["a"]), Role::Query, soon()).unwrap_err();
    let said = failure.to_string();
    assert!(matches!(failure, ModelFailure::Unavailable(_)), "{said}");
    assert!(said.contains("cannot be reached: connection refused"), "{said}");
}

#[test]
fn a_redirect_is_not_followed() {
    let ground = Ground::new();
    let elsewhere = Scripted::start(|_, asked| vectors(asked, |_| {}));
    let target = format!("{}/embeddings", elsewhere.url());
    let (_provider, embedder) =
        ground.over(move |_, _| Answer::with(307, &[("location", &target)], ""));
    let failure = embedder.embed(&texts(&["a"]), Role::Query, soon()).unwrap_err();
    assert!(matches!(&failure, ModelFailure::Refused(said) if said.contains("not followed")));
    assert!(elsewhere.asked().is_empty());
}

#[test]
fn a_key_goes_to_its_own_host_only() {
    let ground = Ground::new();
    let (_provider, _embedder) = ground.over(|_, asked| vectors(asked, |_| {}));
    let other = Scripted::start(|_, asked| vectors(asked, |_| {}));
    let source = at(Provider::OpenAi, &other.url());
    let refused = ground.open(source.clone(), Some(2)).map(drop).unwrap_err();
    let said = refused.to_string();
    assert!(matches!(refused, ModelFailure::Refused(_)), "{said}");
    assert!(said.contains("set the credential again") && !said.contains(KEY), "{said}");
    assert!(other.asked().is_empty());
    let unknown = ModelSource { credential_ref: CredentialRef::parse("none"), ..source.clone() };
    let refused = ground.open(unknown, Some(2)).map(drop).unwrap_err();
    assert!(refused.to_string().contains("no credential `none`"), "{refused}");
    // Without a key there is none to send.
    let keyless = ModelSource { credential_ref: None, ..source };
    let embedder = ground.open(keyless, Some(2)).unwrap();
    embedder.embed(&texts(&["a"]), Role::Query, soon()).unwrap();
    assert_eq!(other.asked()[0].header("authorization"), None);
}

#[test]
fn a_name_of_this_machine_is_looked_up_and_asked() {
    let ground = Ground::new();
    let provider = Scripted::start(|_, asked| vectors(asked, |_| {}));
    let named = provider.url().replace("127.0.0.1", "localhost");
    let embedder = ground.open(at(Provider::Ollama, &named), Some(2)).unwrap();
    assert_eq!(embedder.embed(&texts(&["a"]), Role::Query, soon()).unwrap(), [of_length(1)]);
}

#[test]
fn it_may_be_asked_from_anywhere_and_by_many_at_once() {
    let ground = Ground::new();
    let (_provider, embedder) = ground.over(|_, asked| vectors(asked, |_| {}));
    let embedder = Arc::new(embedder);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let asks = (1..=8).map(|length| {
            let embedder = Arc::clone(&embedder);
            tokio::task::spawn_blocking(move || {
                let found = embedder.embed(&["x".repeat(length)], Role::Query, soon());
                assert_eq!(found.unwrap(), [of_length(length)]);
            })
        });
        for ask in asks.collect::<Vec<_>>() {
            ask.await.unwrap();
        }
        // Even on a thread that must not block.
        let found = embedder.embed(&texts(&["ab"]), Role::Query, soon());
        assert_eq!(found.unwrap(), [of_length(2)]);
    });
}

#[test]
fn a_model_that_writes_is_pinged_with_a_few_tokens() {
    let ground = Ground::new();
    for (provider, limit) in
        [(Provider::OpenAi, "max_completion_tokens"), (Provider::OpenRouter, "max_tokens")]
    {
        let scripted = Scripted::start(|_, _| Answer::json(200, r#"{"choices": [{"x": 1}]}"#));
        ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
        let engine = EngineConfig { source: at(provider, &scripted.url()) };
        ping(&engine, &ground.credentials, soon()).unwrap();
        let asked = scripted.asked();
        assert_eq!(asked[0].line, "POST /v1/chat/completions");
        let tokens = body(&asked[0])[limit].as_u64().unwrap();
        assert!((1..=16).contains(&tokens));
    }
    for (answer, reason) in [
        (Answer::json(200, r#"{"choices": []}"#), "nothing that can be read"),
        (Answer::json(200, r#"{"ok": true}"#), "something else"),
        (Answer::json(401, r#"{"error": {"message": "no"}}"#), "401: no"),
    ] {
        let scripted = Scripted::start(move |_, _| answer.clone());
        ground.credentials.set(&key(), KEY.into(), NOW).unwrap();
        let engine = EngineConfig { source: at(Provider::OpenAi, &scripted.url()) };
        let failure = ping(&engine, &ground.credentials, soon()).unwrap_err();
        assert!(failure.to_string().contains(reason), "{failure}");
    }
}
