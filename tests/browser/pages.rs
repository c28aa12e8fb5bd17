//! Every page of the viewer, in both themes and in a large and a small window: nothing complains
//! and nothing sticks out. A person may look too: see `support::browser` for pictures.

use std::path::Path;

use serde_json::{Value, json};

use super::{agents, engine, remember, signed_in, way_in};
use crate::engine::distill;
use crate::engine::scripted::{said, served};
use crate::support::browser::{Browser, Theme, keys};
use crate::support::mcp::Mcp;
use crate::support::process::PATIENCE;
use crate::support::{TestServer, project};

const SIZES: [(u32, u32); 2] = [(1280, 800), (720, 520)];
const THEMES: [Theme; 2] = [Theme::Light, Theme::Dark];

const LONG: &str = "# A long one\n\nWith a\u{200b}hidden sign, `code`, **weight** and \
    [a link](https://example.org/a/very/long/path/that/goes/on?and=on&and=on).\n\n\
    averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword\n\n\
    ```\ncargo nextest run -p coffer-cli --test it --no-fail-fast -- and a line that is far too long for any window to show\n```\n\n\
    | one | two | three | four | five | six | seven | eight | nine | ten |\n|-|-|-|-|-|-|-|-|-|-|\n\
    | aaaaaaaaaaaaaa | bbbbbbbbbbbbbb | cccccccccccccc | dddddddddddddd | eeeeeeeeeeeeee | f | g | h | i | j |\n\n\
    > quoted\n\n- [x] done\n- [ ] open\n  - deeper\n\n1. first\n2. second\n\n---\n\n### Lower\n";

/// What is there to be shown, and where.
struct Ground {
    server: TestServer,
    /// The project's store.
    project: String,
    /// A long fact of the global store.
    fact: String,
    /// The page of a document of a knowledge base.
    document: String,
    /// The page of a conversation of an agent.
    conversation: String,
}

impl Ground {
    fn new() -> Self {
        let server = TestServer::start();
        let app = project::repository(server.folder(), "app");
        let long =
            "a-project-whose-folder-has-a-name-that-is-rather-long-for-any-column-of-a-window";
        let other = project::repository(server.folder(), long);
        let fact = remember(&server, "A long one", LONG)["id"].as_str().unwrap().to_owned();
        for at in 0..60 {
            remember(
                &server,
                &format!("Fact number {at}"),
                &format!("What fact {at} says of walnuts."),
            );
        }
        let project = work(&server, &app);
        work(&server, &other);
        write_lanes(&server.home().memory().join("global"));
        agents::write_rules(&server, &project, &"- 始终使用胡桃木，不要使用橡木。\n".repeat(400));
        assert_eq!(server.trigger("/api/v1/reindex?wait=30").status, 200);
        let document = fill_base(&server);
        let conversation = connect_agents(&server);
        Self { server, project, fact, document, conversation }
    }

    /// Each page: its name, its path, and what is there once it is drawn.
    fn pages(&self) -> Vec<(&'static str, String, &'static str)> {
        let global = |rest: &str| format!("/stores/global{rest}");
        let project = |rest: &str| format!("/stores/{}{rest}", self.project);
        vec![
            ("knowledge", global(""), "#facts .doc"),
            ("knowledge-last-page", global("?page=1"), "#facts .doc"),
            (
                "knowledge-filtered",
                global("?q=nothing-like-this"),
                "[data-testid=lane-knowledge] .state",
            ),
            ("rules", global("/rules"), "[data-testid=lane-rules] .doc"),
            ("journal", global("/journal"), "[data-testid=lane-journal] .prose"),
            ("log", global("/log"), "[data-testid=lane-log] .prose"),
            ("start", global("/start"), "[data-testid=copy-block]"),
            ("fact", global(&format!("/facts/{}", self.fact)), "[data-testid=fact] .prose table"),
            ("project", project(""), "#facts .doc"),
            ("project-start", project("/start"), "[data-testid=start-remark]"),
            ("project-rules", project("/rules"), "[data-testid=lane-rules] .doc"),
            ("project-journal", project("/journal"), "[data-testid=lane-journal] .state"),
            ("project-handoff", project("/handoff"), "[data-testid=lane-handoff] .doc"),
            ("project-log", project("/log"), "[data-testid=lane-log] .state"),
            ("bases", "/bases".to_owned(), "[data-testid=base-list] .doc"),
            ("base", "/bases/manuals".to_owned(), "[data-testid=base-document]"),
            ("document", self.document.clone(), "[data-testid=document-page] .prose table"),
            ("agents", "/agents".to_owned(), "[data-testid=candidate]"),
            ("agent", "/agents/codex".to_owned(), "[data-testid=agent-file]"),
            ("agent-drift", "/agents/claude-code".to_owned(), "[data-testid=drift]"),
            (
                "conversations",
                "/agents/codex/conversations".to_owned(),
                "[data-testid=conversation]",
            ),
            (
                "conversations-unread",
                "/agents/claude-code/conversations".to_owned(),
                "[data-testid=unread]",
            ),
            ("conversation", self.conversation.clone(), "[data-testid=turn]"),
            (
                "conversation-unread",
                "/agents/claude-code/conversations/odd".to_owned(),
                "[data-testid=empty]",
            ),
            (
                "conversations-no-reader",
                "/agents/cursor/conversations".to_owned(),
                "[data-testid=empty]",
            ),
            ("activity", "/activity".to_owned(), "[data-testid=change]"),
            ("activity-calls", "/activity?view=calls".to_owned(), "[data-testid=call]"),
            ("settings", "/settings".to_owned(), "[data-testid=check]"),
            ("no-store", "/stores/project-NONE".to_owned(), "[data-testid=missing]"),
            ("no-lane", global("/nothing"), "[data-testid=missing]"),
            ("no-base", "/bases/none".to_owned(), "[data-testid=missing]"),
            ("no-agent", "/agents/none".to_owned(), "[data-testid=missing]"),
            ("no-page", "/nothing".to_owned(), "[data-testid=missing]"),
        ]
    }
}

/// An agent works in a folder; its project's store.
fn work(server: &TestServer, folder: &Path) -> String {
    let mut agent = Mcp::connect(server, Some(folder));
    let fact = json!({"text": LONG, "title": "What the project's agent knows"});
    let written = agent.done("coffer__remember", &fact);
    agent.done("coffer__set_handoff", &json!({"body": LONG}));
    agent.done("coffer__recall", &json!({"query": "walnuts"}));
    agent.failed("coffer__recall", &json!({"query": ""}));
    written["store"].as_str().unwrap().to_owned()
}

/// A knowledge base of documents of some formats; the page of a long one.
fn fill_base(server: &TestServer) -> String {
    let description = "What every bridge keeper has to know, and a little more than that";
    let made = json!({"name": "manuals", "description": description});
    assert_eq!(server.post("/api/v1/knowledge_bases", &made).status, 201);
    let folder = server.folder().join("papers");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("long.md"), LONG).unwrap();
    std::fs::write(folder.join("notes.txt"), "Notes without a heading.\n").unwrap();
    std::fs::write(folder.join("bridge.rs"), "fn open() {}\n").unwrap();
    let documents = "/api/v1/knowledge_bases/manuals/documents";
    let taken = server.post(&format!("{documents}?wait=60"), &json!({"path": folder.to_str()}));
    assert!(taken.status < 300, "{}", taken.text());
    let long = server.get(&format!("{documents}?q=A%20long%20one")).json();
    format!("/bases/manuals/documents/{}", long["documents"][0]["id"].as_str().unwrap())
}

/// Agents that are connected, in several ways, and one that is not; the page of a conversation.
fn connect_agents(server: &TestServer) -> String {
    let at = |path: &str| server.folder().join(path);
    for folder in [".claude", ".codex", ".cursor", ".gemini"] {
        std::fs::create_dir_all(at(folder)).unwrap();
    }
    for kind in ["codex", "claude_code", "cursor"] {
        let made = server.post("/api/v1/agents", &json!({"type": kind, "connect": true}));
        assert_eq!(made.status, 201, "{}", made.text());
    }
    let servers = std::fs::read_to_string(at(".claude.json")).unwrap();
    std::fs::write(at(".claude.json"), servers.replace("--agent", "--agnet")).unwrap();
    std::fs::write(at(".claude/settings.json"), "{}\n").unwrap();
    std::fs::write(at(".cursor/mcp.json"), "{ // mine\n}").unwrap();
    agents::sessions(server, "codex-0.171.0", ".codex");
    agents::sessions(server, "claude-2.0.76", ".claude");
    agents::say(server, "odd", r#"{"type":"hologram"}"#);
    let found = server.get("/api/v1/agents/codex/transcripts?sort=message_count").json();
    let id = found["sessions"][0]["session_id"].as_str().unwrap();
    format!("/agents/codex/conversations/{id}")
}

fn write_lanes(store: &Path) {
    for (path, text) in [
        (
            "rules/coding.md",
            "- Always `cargo fmt`.\n- Never force-push. <!-- coffer: from codex, 01J -->\n",
        ),
        ("journal/2026-06-08.md", "## 09:00 Older\n\nOlder things.\n"),
        ("journal/2026-06-09.md", LONG),
        ("consolidation-log.md", "- 2026-06-09 retired `a.md`\n- 2026-06-10 merged two\n"),
    ] {
        std::fs::create_dir_all(store.join(path).parent().unwrap()).unwrap();
        std::fs::write(store.join(path), text).unwrap();
    }
}

#[test]
fn every_page_is_drawn_well_in_every_size_and_theme() {
    let ground = Ground::new();
    let browser = signed_in(&ground.server, "/");
    for (name, path, drawn) in ground.pages() {
        browser.go(&way_in(&ground.server, &path));
        browser.see(drawn);
        is_drawn_well(&browser, name);
        assert_ne!(browser.value("document.title"), "", "{name}");
        assert_eq!(browser.value("document.querySelectorAll('h1').length"), 1, "{name}");
    }
}

#[test]
fn what_opens_on_a_page_is_drawn_well_too() {
    let ground = Ground::new();
    let browser = signed_in(&ground.server, &format!("/stores/{}", ground.project));
    browser.click("#facts .doc-head");
    browser.see("#facts [data-testid=provenance]");
    is_drawn_well(&browser, "opened-fact");
    browser.click("[data-lane=handoff]");
    browser.see("[data-testid=lane-handoff] .doc");
    browser.type_into("[data-testid=search]", "walnuts");
    browser.see("[data-testid=hit]");
    is_drawn_well(&browser, "search");
    browser.value("document.querySelector('#search').select()");
    browser.type_into("[data-testid=search]", "qqqzzz");
    browser.see("[data-testid=search-panel] .hits-none");
    is_drawn_well(&browser, "search-without-hits");

    browser.go(&way_in(&ground.server, "/agents"));
    browser.click("[data-testid=candidate][data-id=gemini] button");
    browser.see("[data-testid=diff]");
    is_drawn_well(&browser, "proposal");
    browser.press(&[keys::ESCAPE]);
    browser.go(&way_in(&ground.server, "/agents/claude-code"));
    browser.click("[data-testid=connect]");
    browser.see("[data-testid=diff] .removed");
    is_drawn_well(&browser, "proposal-again");
    browser.go(&way_in(&ground.server, "/agents/codex"));
    browser.click("[data-testid=memory-off]");
    browser.see("[data-testid=diff]");
    is_drawn_well(&browser, "proposal-memory");
    browser.go(&way_in(&ground.server, "/agents/cursor"));
    browser.click("[data-testid=connect]");
    browser.see("[data-testid=copy-block]");
    is_drawn_well(&browser, "refused-proposal");
}

#[test]
fn a_new_home_is_drawn_well() {
    let server = TestServer::start();
    let browser = signed_in(&server, "/");
    for (name, path, drawn) in [
        ("first-run", "/", "[data-testid=first-run]"),
        ("empty-rules", "/stores/global/rules", "main .state"),
        ("empty-journal", "/stores/global/journal", "main .state"),
        ("empty-handoff", "/stores/global/handoff", "main .state"),
        ("empty-log", "/stores/global/log", "main .state"),
        ("empty-start", "/stores/global/start", "[data-testid=copy-block]"),
        ("empty-bases", "/bases", "main .state"),
        ("empty-agents", "/agents", "main .state"),
        ("empty-activity", "/activity", "[data-testid=changes]"),
        ("empty-calls", "/activity?view=calls", "[data-testid=calls]"),
    ] {
        browser.go(&way_in(&server, path));
        browser.see(drawn);
        is_drawn_well(&browser, name);
    }
    browser.go(&format!("http://127.0.0.1:{}/settings", server.info.port));
    browser.reload();
    browser.see("[data-testid=signed-out]");
    is_drawn_well(&browser, "signed-out");
}

#[test]
fn a_first_run_with_agents_is_drawn_well() {
    let server = agents::server(&[".claude", ".codex"]);
    let browser = signed_in(&server, "/");
    browser.see("[data-testid=first-run] [data-testid=candidate]");
    is_drawn_well(&browser, "first-run-found");
    browser.click("[data-testid=candidate][data-id=claude-code] button");
    browser.click("[data-testid=proposal-make]");
    browser.see("[data-testid=first-run] [data-testid=connected]");
    is_drawn_well(&browser, "first-run-connected");
}

#[test]
fn passes_of_the_model_are_drawn_well() {
    let (server, _provider) = served(engine::sorted);
    engine::fill_inbox(&server);
    let browser = signed_in(&server, "/stores/global");
    browser.see("[data-testid=organize]:enabled");
    is_drawn_well(&browser, "with-a-model");
    browser.click("[data-testid=organize]");
    browser.see("[data-testid=would-send]");
    browser.see("[data-testid=tokens-left]");
    is_drawn_well(&browser, "pass");
    browser.click("[data-testid=pass-begin]");
    browser.see("[data-testid=pass-work] [data-testid=outcome]");
    is_drawn_well(&browser, "pass-over");
    browser.click("[data-testid=reorg]");
    browser.see("[data-testid=tokens-left]");
    is_drawn_well(&browser, "pass-reorg");
    browser.go(&way_in(&server, "/stores/global/rules"));
    browser.see("[data-rule]");
    is_drawn_well(&browser, "rules-derived");
    browser.click("[data-rule]");
    browser.go(&way_in(&server, "/stores/global/log"));
    let version = "[data-testid=lane-log] [data-testid=document][data-id^=rules]";
    browser.see(version);
    browser.click(&format!("{version} button"));
    browser.see("[data-testid=restore]");
    is_drawn_well(&browser, "versions");
    browser.go(&way_in(&server, "/settings"));
    browser.see("[data-testid=tokens-today]");
    browser.see("[data-testid=check]");
    browser.value("document.querySelector('[data-testid=tokens-today]').scrollIntoView()");
    is_drawn_well(&browser, "tokens");
}

#[test]
fn distilling_is_drawn_well() {
    let (server, _provider) = distill::served(|_| said(distill::TWO));
    let long = "A planted it, watered it, and waited for the frost. ".repeat(40);
    distill::talk(&server, "s", &["plant the walnut", &long, "now the hazel", "A no"]);
    let browser = signed_in(&server, "/agents/claude-code/conversations/s");
    browser.see("[data-testid=distill]:enabled");
    is_drawn_well(&browser, "conversation-with-a-model");
    browser.click("[data-testid=distill]");
    browser.see("[data-testid=tokens-left]");
    is_drawn_well(&browser, "distill");
    browser.click("[data-testid=distill-begin]");
    browser.see("[data-testid=insight]");
    is_drawn_well(&browser, "distilled");
}

#[test]
fn a_lossy_reorg_is_drawn_well() {
    let (server, _provider) = served(engine::forgetful);
    engine::topic(&server);
    let browser = signed_in(&server, "/stores/global");
    browser.reads("[data-testid=store-header]", "1 topic ", PATIENCE);
    browser.click("[data-testid=reorg]");
    browser.see("[data-testid=pass-begin]:enabled");
    browser.click("[data-testid=pass-begin]");
    browser.see("[data-testid=pass-lost]");
    is_drawn_well(&browser, "pass-lost");
}

/// Nothing complains, nothing sticks out to the side, and dark is dark.
#[track_caller]
fn is_drawn_well(browser: &Browser, name: &str) {
    let mut grounds = Vec::new();
    for size in SIZES {
        for theme in THEMES {
            browser.show_as(size, theme);
            browser.answer("requestAnimationFrame(() => requestAnimationFrame(done))");
            let shown = format!("{name}-{}-{}", size.0, theme.word());
            assert_eq!(browser.value("innerWidth"), size.0, "{shown}");
            assert_eq!(browser.value(STICKS_OUT), json!([]), "{shown}");
            browser.picture(&shown);
            grounds.push(browser.value("getComputedStyle(document.body).backgroundColor"));
        }
    }
    assert!(is_dark(&grounds[1]) && !is_dark(&grounds[0]), "{name}: {grounds:?}");
    assert_eq!(grounds[..2], grounds[2..], "{name}");
    let mut complaints = browser.complaints();
    if name.starts_with("no-") {
        // That there is no such thing is what is asked.
        complaints.retain(|said| !said.contains("404 (Not Found)"));
    }
    if name.starts_with("refused-") {
        complaints.retain(|said| !said.contains("409 (Conflict)"));
    }
    assert_eq!(complaints, [""; 0], "{name}");
}

/// What is wider than the window: the page itself, or something that nothing around it cuts off or
/// scrolls.
const STICKS_OUT: &str = "(() => {
    const root = document.documentElement;
    const out = root.scrollWidth > root.clientWidth ? ['the page: ' + root.scrollWidth] : [];
    const isHeld = (element) => {
        for (let around = element.parentElement; around && around !== document.body; around = around.parentElement)
            if (getComputedStyle(around).overflowX !== 'visible') return true;
        return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
        const place = element.getBoundingClientRect();
        if (place.width > 0 && place.right > root.clientWidth + 1 && !isHeld(element))
            out.push(`${element.tagName}.${element.getAttribute('class')}: ${place.right}`);
    }
    return out;
})()";

/// Whether a color, as in `rgb(25, 29, 29)`, is nearer to black.
fn is_dark(color: &Value) -> bool {
    let parts = color.as_str().unwrap().trim_start_matches("rgb(").trim_end_matches(')');
    parts.split(", ").map(|part| part.parse::<u32>().unwrap()).sum::<u32>() < 3 * 128
}
