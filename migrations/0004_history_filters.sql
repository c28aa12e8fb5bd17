-- Each filter of the history reads its own rows only, newest first.
CREATE INDEX audit_by_event ON audit_events (event, seq);
CREATE INDEX audit_by_store ON audit_events (store, seq);
CREATE INDEX audit_by_actor ON audit_events (actor, seq);
CREATE INDEX invocations_by_tool ON mcp_invocations (tool, seq);
CREATE INDEX invocations_by_agent ON mcp_invocations (agent, seq);
