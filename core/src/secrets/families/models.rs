//! Keys of model providers and of the services that agents use.

use crate::secrets::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule::token("anthropic-key", &["sk-ant-"], r"^sk-ant-[a-z0-9]+-[\w-]{20,}"),
    Rule::token("openrouter-key", &["sk-or-"], r"^sk-or-v1-[a-f0-9]{64}"),
    Rule::token(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"],
        r"^sk-(?:proj|svcacct|admin|None)-[\w-]{20,}",
    )
    .floor(3.0),
    Rule::token("langfuse-key", &["sk-lf-"], r"^sk-lf-[a-f0-9]{8}-[a-f0-9-]{27}"),
    Rule::token("openai-key", &["sk-"], r"^sk-[A-Za-z0-9]{32,}").floor(3.0),
    Rule::token("huggingface-token", &["hf_", "api_org_"], r"^(?:hf|api_org)_[A-Za-z0-9]{34}")
        .floor(3.0),
    Rule::token("groq-key", &["gsk_"], r"^gsk_[A-Za-z0-9]{48,}"),
    Rule::token("xai-key", &["xai-"], r"^xai-[A-Za-z0-9]{70,}"),
    Rule::token("replicate-token", &["r8_"], r"^r8_[A-Za-z0-9]{37}"),
    Rule::token("perplexity-key", &["pplx-"], r"^pplx-[A-Za-z0-9]{48}"),
    Rule::token("together-key", &["tgp_v1_"], r"^tgp_v1_[\w-]{40,}"),
    Rule::token("fireworks-key", &["fw_"], r"^fw_[A-Za-z0-9]{22,24}").floor(3.5),
    Rule::token("nvidia-key", &["nvapi-"], r"^nvapi-[\w-]{60,}"),
    Rule::token("elevenlabs-key", &["sk_"], r"^sk_[a-f0-9]{48}"),
    Rule::token("langsmith-key", &["lsv2_"], r"^lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    Rule::token("tavily-key", &["tvly-"], r"^tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    Rule::token("pinecone-key", &["pcsk_"], r"^pcsk_[A-Za-z0-9_]{50,}"),
    Rule::token("voyage-key", &["pa-"], r"^pa-[\w-]{43}").floor(4.0),
    Rule::token("e2b-key", &["e2b_"], r"^e2b_[a-f0-9]{40}"),
    Rule::token("cerebras-key", &["csk-"], r"^csk-[a-z0-9]{48}"),
    Rule::token("jina-key", &["jina_"], r"^jina_[a-f0-9]{32}[\w-]{20,}"),
    Rule::token("firecrawl-key", &["fc-"], r"^fc-[a-f0-9]{32}"),
    Rule::token("composio-key", &["comp_"], r"^comp_[\w-]{40,}").floor(3.5),
];
