//! Paths of the REST API. `{x}` marks a parameter, percent-encoded by the caller.

/// Liveness, open.
pub const HEALTH: &str = "/health";
/// The description of this API.
pub const OPENAPI: &str = "/openapi.json";
/// The MCP endpoint.
pub const MCP: &str = "/mcp";
/// What the server holds.
pub const STATUS: &str = "/api/v1/status";
/// The store of a working directory.
pub const SCOPE: &str = "/api/v1/scope";
/// Preferences.
pub const SETTINGS: &str = "/api/v1/settings";
/// The model that embeds texts.
pub const SETTINGS_EMBEDDING: &str = "/api/v1/settings/embedding";
/// The model that writes texts.
pub const SETTINGS_ENGINE: &str = "/api/v1/settings/engine";
/// Try a model that embeds.
pub const EMBEDDING_TEST: &str = "/api/v1/embedding/test";
/// Try a model that writes.
pub const ENGINE_TEST: &str = "/api/v1/engine/test";
/// Keys of models.
pub const CREDENTIALS: &str = "/api/v1/credentials";
/// One of them.
pub const CREDENTIAL: &str = "/api/v1/credentials/{ref}";
/// Search over all stores.
pub const SEARCH: &str = "/api/v1/search";
/// Health checks.
pub const DOCTOR: &str = "/api/v1/doctor";
/// Mend what can be mended.
pub const DOCTOR_FIX: &str = "/api/v1/doctor/fix";
/// Reindex all stores.
pub const REINDEX: &str = "/api/v1/reindex";
/// Write stores into an archive.
pub const EXPORT: &str = "/api/v1/export";
/// Take in an archive, or what another program remembers.
pub const IMPORT: &str = "/api/v1/import";
/// Embedding models of this machine.
pub const MODELS: &str = "/api/v1/models";
/// Fetch one.
pub const MODELS_PULL: &str = "/api/v1/models/pull";
/// One of them.
pub const MODEL: &str = "/api/v1/models/{name}";
/// Take a text out of everything.
pub const PURGE: &str = "/api/v1/purge";
/// A new token.
pub const AUTH_ROTATE: &str = "/api/v1/auth/rotate";
/// Counts by day and agent.
pub const USAGE: &str = "/api/v1/usage";
/// Open in the editor.
pub const FILES_OPEN: &str = "/api/v1/files/open";
/// Show in the file manager.
pub const FILES_REVEAL: &str = "/api/v1/files/reveal";
/// Sessions of an agent.
pub const TRANSCRIPTS: &str = "/api/v1/agents/{name}/transcripts";
/// One of them.
pub const TRANSCRIPT: &str = "/api/v1/agents/{name}/transcripts/{id}";
/// Write down what one of them taught.
pub const DISTILL: &str = "/api/v1/agents/{name}/transcripts/distill";
/// The audit trail.
pub const AUDIT: &str = "/api/v1/audit";
/// MCP calls.
pub const INVOCATIONS: &str = "/api/v1/mcp/invocations";
/// Live events.
pub const EVENTS: &str = "/api/v1/events";
/// Stop the server.
pub const SHUTDOWN: &str = "/api/v1/shutdown";
/// Exchange a one-time code for a session token, open.
pub const SESSION: &str = "/api/v1/session";
/// Make a one-time code.
pub const SESSION_CODE: &str = "/api/v1/session/code";
/// Prove that this is Coffer, open.
pub const PROVE: &str = "/api/v1/prove";
/// Jobs.
pub const JOBS: &str = "/api/v1/jobs";
/// One job.
pub const JOB: &str = "/api/v1/jobs/{id}";
/// Stores and knowledge bases.
pub const RESOURCES: &str = "/api/v1/resources";
/// One of them.
pub const RESOURCE: &str = "/api/v1/resources/{kind}/{name}";
/// Use it.
pub const RESOURCE_ENABLE: &str = "/api/v1/resources/{kind}/{name}/enable";
/// Leave it out.
pub const RESOURCE_DISABLE: &str = "/api/v1/resources/{kind}/{name}/disable";
/// Save the working state.
pub const HANDOFF: &str = "/api/v1/handoff";
/// Pick it up.
pub const RESUME: &str = "/api/v1/resume";
/// Registered agents.
pub const AGENTS: &str = "/api/v1/agents";
/// Agents that could be registered.
pub const AGENT_CANDIDATES: &str = "/api/v1/agents/candidates";
/// One agent.
pub const AGENT: &str = "/api/v1/agents/{name}";
/// Coffer's MCP server in its files.
pub const AGENT_MCP: &str = "/api/v1/agents/{name}/mcp-install";
/// Coffer's hook in its files.
pub const AGENT_HOOK: &str = "/api/v1/agents/{name}/hook-install";
/// What an agent is told at the start of a session.
pub const SESSION_CONTEXT: &str = "/api/v1/agents/{name}/session-context";
/// A session of an agent ended.
pub const SESSION_END: &str = "/api/v1/agents/{name}/sessions/{id}/end";
/// Stores.
pub const STORES: &str = "/api/v1/memory_stores";
/// Which stores may be one project's.
pub const MERGE_SCAN: &str = "/api/v1/memory_stores/merge_scan";
/// Merge two stores.
pub const MERGE: &str = "/api/v1/memory_stores/merge";
/// One store.
pub const STORE: &str = "/api/v1/memory_stores/{name}";
/// Its label.
pub const STORE_LABEL: &str = "/api/v1/memory_stores/{name}/label";
/// File its inbox.
pub const STORE_ORGANIZE: &str = "/api/v1/memory_stores/{name}/organize";
/// Tidy its topics.
pub const STORE_REORG: &str = "/api/v1/memory_stores/{name}/reorg";
/// What an agent that starts in its project is told.
pub const STORE_INJECTION: &str = "/api/v1/memory_stores/{name}/injection";
/// Its counts.
pub const STORE_METRICS: &str = "/api/v1/memory_stores/{name}/metrics";
/// Its facts.
pub const FACTS: &str = "/api/v1/memory_stores/{name}/facts";
/// One fact.
pub const FACT: &str = "/api/v1/memory_stores/{name}/facts/{id}";
/// Recall.
pub const RECALL: &str = "/api/v1/memory_stores/{name}/recall";
/// Reindex one store.
pub const STORE_REINDEX: &str = "/api/v1/memory_stores/{name}/reindex";
/// The rules lane.
pub const RULES: &str = "/api/v1/memory_stores/{name}/rules";
/// Take one rule out.
pub const RULES_DELETE: &str = "/api/v1/memory_stores/{name}/rules/delete";
/// The journal lane.
pub const JOURNAL: &str = "/api/v1/memory_stores/{name}/journal";
/// A day of it.
pub const JOURNAL_DAY: &str = "/api/v1/memory_stores/{name}/journal/{period}";
/// The handoff lane.
pub const STORE_HANDOFF: &str = "/api/v1/memory_stores/{name}/handoff";
/// The working state of a branch.
pub const HANDOFF_BRANCH: &str = "/api/v1/memory_stores/{name}/handoff/{branch}";
/// Retired versions.
pub const SUPERSEDED: &str = "/api/v1/memory_stores/{name}/superseded";
/// Put one back.
pub const RESTORE: &str = "/api/v1/memory_stores/{name}/superseded/restore";
/// The consolidation log.
pub const CONSOLIDATION_LOG: &str = "/api/v1/memory_stores/{name}/consolidation-log";
/// Knowledge bases.
pub const KNOWLEDGE_BASES: &str = "/api/v1/knowledge_bases";
/// One of them.
pub const KNOWLEDGE_BASE: &str = "/api/v1/knowledge_bases/{name}";
/// Its documents.
pub const DOCUMENTS: &str = "/api/v1/knowledge_bases/{name}/documents";
/// One document.
pub const DOCUMENT: &str = "/api/v1/knowledge_bases/{name}/documents/{id}";
/// Make it from its original again.
pub const DOCUMENT_RECONVERT: &str = "/api/v1/knowledge_bases/{name}/documents/{id}/reconvert";
/// Take in what stands at its source now.
pub const DOCUMENT_UPDATE: &str = "/api/v1/knowledge_bases/{name}/documents/{id}/update-source";
/// Compare its documents with the index.
pub const KB_REINDEX: &str = "/api/v1/knowledge_bases/{name}/reindex";
/// Look at the sources of its documents.
pub const KB_CHECK_SOURCES: &str = "/api/v1/knowledge_bases/{name}/check-sources";
/// Search it.
pub const KB_SEARCH: &str = "/api/v1/knowledge_bases/{name}/search";
/// Grep it.
pub const KB_GREP: &str = "/api/v1/knowledge_bases/{name}/grep";
/// Its counts.
pub const KB_METRICS: &str = "/api/v1/knowledge_bases/{name}/metrics";

/// Whether a path is one of a route, whatever its parameters.
pub fn is_of(route: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let alike = route.split('/').all(|part| match parts.next() {
        Some(given) => given == part || (part.starts_with('{') && !given.is_empty()),
        None => false,
    });
    alike && parts.next().is_none()
}

/// Fills the `{…}` parameters of a path, percent-encoding each value.
pub fn fill(route: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut path = String::with_capacity(route.len() + 32);
    for part in route.split_inclusive('/') {
        let (name, slash) = part.strip_suffix('/').map_or((part, ""), |name| (name, "/"));
        if name.starts_with('{') {
            encode(values.next().copied().unwrap_or_default(), &mut path);
        } else {
            path.push_str(name);
        }
        path.push_str(slash);
    }
    path
}

/// Percent-encodes a path segment or query value: all but unreserved characters.
pub fn encode(value: &str, into: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            into.push(char::from(byte));
        } else {
            into.push('%');
            into.push(char::from(HEX[usize::from(byte >> 4)]));
            into.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_filled_and_encoded() {
        assert_eq!(fill(FACT, &["global", "01J"]), "/api/v1/memory_stores/global/facts/01J");
        assert_eq!(fill("/x/{branch}/y", &["feat/ü?"]), "/x/feat%2F%C3%BC%3F/y");
        assert_eq!(fill(STATUS, &[]), STATUS);
    }

    #[test]
    fn paths_are_known_by_their_routes() {
        assert!(is_of(DOCUMENTS, "/api/v1/knowledge_bases/guide/documents"));
        for other in [
            "/api/v1/knowledge_bases//documents",
            "/api/v1/knowledge_bases/guide/documents/",
            "/api/v1/knowledge_bases/guide/documents/x",
            "/api/v1/knowledge_bases/documents",
            "/api/v1/knowledge_bases/guide/Documents",
        ] {
            assert!(!is_of(DOCUMENTS, other), "{other}");
        }
    }
}
