//! Who serves models: the one table of providers.

/// Who serves a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// OpenAI, and whatever speaks as it does at another address.
    OpenAi,
    /// OpenRouter.
    OpenRouter,
    /// Voyage AI.
    Voyage,
    /// Jina AI.
    Jina,
    /// Google's Gemini.
    Gemini,
    /// Azure OpenAI: the model is a deployment of the person's own resource.
    Azure,
    /// Alibaba's DashScope.
    DashScope,
    /// Ollama.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// A model that runs in this process; it only embeds.
    Local,
}

struct Row {
    provider: Provider,
    name: &'static str,
    base_url: Option<&'static str>,
    needs_key: bool,
}

const fn row(
    provider: Provider,
    name: &'static str,
    base_url: Option<&'static str>,
    needs_key: bool,
) -> Row {
    Row { provider, name, base_url, needs_key }
}

/// In the order of the enum.
const TABLE: [Row; 10] = [
    row(Provider::OpenAi, "openai", Some("https://api.openai.com/v1"), true),
    row(Provider::OpenRouter, "openrouter", Some("https://openrouter.ai/api/v1"), true),
    row(Provider::Voyage, "voyage", Some("https://api.voyageai.com/v1"), true),
    row(Provider::Jina, "jina", Some("https://api.jina.ai/v1"), true),
    row(
        Provider::Gemini,
        "gemini",
        Some("https://generativelanguage.googleapis.com/v1beta/openai"),
        true,
    ),
    row(Provider::Azure, "azure", None, true),
    row(
        Provider::DashScope,
        "dashscope",
        Some("https://dashscope.aliyuncs.com/compatible-mode/v1"),
        true,
    ),
    row(Provider::Ollama, "ollama", Some("http://localhost:11434/v1"), false),
    row(Provider::LmStudio, "lmstudio", Some("http://localhost:1234/v1"), false),
    row(Provider::Local, "local", None, false),
];

impl Provider {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.provider)
    }

    /// The provider of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.provider)
    }

    /// The name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Where it is asked unless the settings say otherwise; `None` where only the person knows, and
    /// for models in this process.
    #[must_use]
    pub const fn base_url(self) -> Option<&'static str> {
        self.row().base_url
    }

    /// Whether it answers nobody without a key, so that the engine's key stands in for a missing one
    /// where the engine is asked at the same host.
    #[must_use]
    pub const fn needs_key(self) -> bool {
        self.row().needs_key
    }

    const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Endpoint;

    #[test]
    fn the_table_has_each_provider_at_its_place_and_sound_addresses() {
        for provider in Provider::all() {
            assert_eq!(provider.row().provider, provider);
            assert_eq!(Provider::parse(provider.name()), Some(provider));
            if let Some(address) = provider.base_url() {
                assert_eq!(Endpoint::parse(address).unwrap().base(), address);
            }
        }
        assert_eq!(Provider::parse("OpenAI"), None);
    }
}
