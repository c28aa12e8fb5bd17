//! An embedding provider that knows a few words: those of one meaning have one direction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use coffer_corpus::provider::{Answer, Asked, Provider};
use serde_json::{Value, json};

use super::TestServer;

/// Where the model that embeds is set.
pub const EMBEDDING: &str = "/api/v1/settings/embedding";

const MEANINGS: [&[&str]; 3] =
    [&["car", "automobile"], &["doctor", "physician"], &["river", "stream"]];

/// The provider, and how it behaves just now.
pub struct Meaning {
    provider: Provider,
    /// Whether it answers 500.
    pub down: Arc<AtomicBool>,
    /// How long it thinks, in milliseconds.
    pub slow: Arc<AtomicU64>,
}

impl Meaning {
    /// Starts it. The model `small` has 8 numbers, any other 16.
    pub fn start() -> Self {
        let (down, slow) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let (is_down, thinks) = (Arc::clone(&down), Arc::clone(&slow));
        let provider = Provider::start(move |_, asked| {
            std::thread::sleep(Duration::from_millis(thinks.load(Ordering::SeqCst)));
            match is_down.load(Ordering::SeqCst) {
                true => Answer::json(500, r#"{"error": {"message": "out of order"}}"#),
                false => answer(asked),
            }
        });
        Self { provider, down, slow }
    }

    /// The settings that name a model of it.
    pub fn settings(&self, model: &str) -> Value {
        json!({"provider": "lmstudio", "model": model, "base_url": self.provider.url()})
    }

    /// Everything that it was asked.
    pub fn asked(&self) -> Vec<Asked> {
        self.provider.asked()
    }

    /// The model that it was asked for last.
    pub fn last_model(&self) -> String {
        let asked = self.provider.asked();
        let body: Value = serde_json::from_str(&asked.last().unwrap().body).unwrap();
        body["model"].as_str().unwrap().to_owned()
    }
}

fn answer(asked: &Asked) -> Answer {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let width = if body["model"] == "small" { 8 } else { 16 };
    let texts = body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    let rows = texts.enumerate().map(|(index, text)| {
        let text = text.to_lowercase();
        let mut vector = vec![0.01; width];
        for (at, words) in MEANINGS.iter().enumerate() {
            vector[at] += words.iter().filter(|word| text.contains(**word)).count() as f64;
        }
        json!({"index": index, "embedding": vector})
    });
    Answer::json(200, &json!({"data": rows.collect::<Vec<_>>()}).to_string())
}

/// Whether every document of the global store has its vectors.
pub fn is_embedded(server: &TestServer) -> bool {
    let metrics = server.get("/api/v1/memory_stores/global/metrics").json();
    let modes = metrics["indexed_modes"].as_array().unwrap();
    modes.contains(&json!("hybrid")) && metrics["documents_degraded"] == 0
}
