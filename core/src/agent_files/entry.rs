//! What Coffer has in a file: how it is recognized, put there, and taken away again.
//!
//! A server or a hook is recognized by its program's name, never by its position. A switch is a key
//! of the person's, of which only the value was Coffer's.

use super::change::Change;
use super::flaw::Flaw;
use super::node::{Node, Step, way};
use super::text::Text;

/// The programs that Coffer names in files of agents.
const SERVERS: [&str; 2] = ["coffer-mcp-shim", "coffer"];
const HOOK: &str = "coffer-hook";

/// One thing in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    kind: Kind,
    /// Where it is: the key itself, or the list of hooks.
    path: Vec<Step>,
    value: Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A key with the way to an MCP server.
    Server,
    /// An item of a list of hooks.
    Hook,
    /// A key of the person's.
    Switch,
    /// A key that the agent wants in its file; whatever value it has is fine.
    Needed,
}

/// How an entry stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is not there.
    Absent,
    /// It is there.
    Present,
    /// It is there, and says something else than Coffer would write.
    Other,
}

impl Entry {
    /// An MCP server.
    pub(crate) fn server<const N: usize>(path: [&str; N], value: Node) -> Self {
        Self { kind: Kind::Server, path: way(path), value }
    }

    /// A hook at the end of a list.
    pub(crate) fn hook<const N: usize>(path: [&str; N], value: Node) -> Self {
        Self { kind: Kind::Hook, path: way(path), value }
    }

    /// A value under a key of the person's.
    pub(crate) fn switch<const N: usize>(path: [&str; N], value: Node) -> Self {
        Self { kind: Kind::Switch, path: way(path), value }
    }

    /// A key without which the agent does not take its file.
    pub(crate) fn needed<const N: usize>(path: [&str; N], value: Node) -> Self {
        Self { kind: Kind::Needed, path: way(path), value }
    }

    /// What names it in the ledger.
    pub(super) fn id(&self) -> String {
        super::flaw::shown(&self.path)
    }

    /// How it stands in what a file says.
    pub(crate) fn standing(&self, node: &Node) -> Standing {
        let is_same = |way: &[Step]| match (self.kind, node.at(way)) {
            (_, None) => false,
            (Kind::Needed, Some(_)) => true,
            (Kind::Server | Kind::Switch, Some(present)) => says(present, &self.value),
            (Kind::Hook, Some(present)) => {
                let matches = self.matcher(node, way);
                says(present, self.handler())
                    && matches.is_none_or(|(way, wanted)| node.at(&way) == Some(wanted))
            }
        };
        match self.places(node).first() {
            None => Standing::Absent,
            Some(way) if is_same(way) => Standing::Present,
            Some(_) => Standing::Other,
        }
    }

    /// Whether it counts for whether Coffer is installed.
    pub(crate) fn counts(&self) -> bool {
        self.kind != Kind::Needed
    }

    /// The text with the entry in it, and what changed for it, step by step.
    pub(super) fn put(&self, text: &Text) -> Result<(Text, Vec<Change>), Flaw> {
        let mut writing = Writing { entry: self, text: text.clone(), changes: Vec::new() };
        let place = self.places(text.node()).into_iter().next();
        match (self.kind, place) {
            (Kind::Needed, Some(_)) => {}
            (Kind::Hook, None) => writing.push()?,
            (Kind::Hook, Some(way)) => self.renew_hook(&mut writing, &way)?,
            (Kind::Server | Kind::Switch, Some(way)) => writing.merge(&way, &[], &self.value)?,
            (Kind::Server | Kind::Switch | Kind::Needed, None) => {
                if self.kind == Kind::Server && text.node().at(&self.path).is_some() {
                    return Err(Flaw::form(
                        &self.path,
                        "is another server; give that one another name",
                    ));
                }
                writing.merge(&self.path, &[], &self.value)?;
            }
        }
        Ok((writing.text, writing.changes))
    }

    fn renew_hook(&self, writing: &mut Writing<'_>, way: &[Step]) -> Result<(), Flaw> {
        let group = self.path.len() + 1;
        writing.merge(way, &way[group..], self.handler())?;
        match self.matcher(writing.text.node(), way) {
            Some((way, wanted)) => writing.merge(&way, &way[group..], wanted),
            None => Ok(()),
        }
    }

    /// What starts the program: the value itself, or the one handler in its group.
    fn handler(&self) -> &Node {
        match self.value.key("hooks").map(Node::items) {
            Some([handler]) => handler,
            _ => &self.value,
        }
    }

    /// What the group around a hook is for, and where that is. A group that the person added to is
    /// matched as the person says.
    fn matcher(&self, node: &Node, way: &[Step]) -> Option<(Vec<Step>, &Node)> {
        let wanted = self.value.key("matcher")?;
        let group = self.with_group(node, way);
        let is_alone = group.len() == self.path.len() + 1 && group.len() < way.len();
        is_alone.then(|| ([group, &super::node::way(["matcher"])].concat(), wanted))
    }

    /// The text without the entry; `changes` are what Coffer noted of it, oldest first.
    pub(super) fn take(&self, text: &Text, changes: &[Change]) -> Result<Text, Flaw> {
        match self.kind {
            // As long as something else is in the file, the agent wants it.
            Kind::Needed if text.node().keys() > 1 => Ok(text.clone()),
            Kind::Needed | Kind::Switch => take_back(text, &self.path, &self.value, changes),
            Kind::Server | Kind::Hook => {
                let mut text = text.clone();
                while let Some(way) = self.places(text.node()).into_iter().next() {
                    let next = self.take_own(&text, &way, changes)?;
                    if next == text {
                        break;
                    }
                    text = next;
                }
                Ok(text)
            }
        }
    }

    fn take_own(&self, text: &Text, way: &[Step], changes: &[Change]) -> Result<Text, Flaw> {
        let is_whole = |change: &&Change| change.below.is_empty() && change.prior.is_none();
        let own = way;
        let way = self.with_group(text.node(), own);
        let Some(whole) = changes.iter().find(is_whole) else {
            if changes.is_empty() {
                // Nothing is known of what was there before; the list or table around it stays.
                let kept = if self.kind == Kind::Hook { self.path.len() } else { way.len() - 1 };
                return text.remove(way, kept);
            }
            // It was the person's before it was Coffer's.
            return changes.iter().rev().try_fold(text.clone(), |text, change| {
                let root = if self.kind == Kind::Hook { &own[..=self.path.len()] } else { own };
                change.turned_back(&text, &[root, &change.below].concat())
            });
        };
        let gone = |text: &Text| self.places(text.node()).is_empty();
        whole.cut_out(text, way, gone)
    }

    /// The way to the group around a hook that is alone in it.
    fn with_group<'w>(&self, node: &Node, way: &'w [Step]) -> &'w [Step] {
        let group = self.path.len() + 1;
        let is_alone = way.len() > group
            && node.at(&way[..way.len() - 1]).is_some_and(|handlers| handlers.items().len() == 1);
        if self.kind == Kind::Hook && is_alone { &way[..group] } else { way }
    }

    /// The ways to what is Coffer's, whether or not it says what it should.
    fn places(&self, node: &Node) -> Vec<Vec<Step>> {
        match self.kind {
            Kind::Needed | Kind::Switch => {
                node.at(&self.path).map(|_| self.path.clone()).into_iter().collect()
            }
            Kind::Server => self.servers(node),
            Kind::Hook => self.hooks(node),
        }
    }

    fn servers(&self, node: &Node) -> Vec<Vec<Step>> {
        let Some((own, above)) = self.path.split_last() else { return Vec::new() };
        let Some(Node::Table(servers)) = node.at(above) else { return Vec::new() };
        let ours = servers.iter().filter(|(_, server)| is_server(server)).map(|(name, _)| name);
        let mut names: Vec<Step> = ours.cloned().map(Step::Key).collect();
        // The one by Coffer's own name comes first.
        names.sort_by_key(|name| name != own);
        names.into_iter().map(|name| [above, &[name]].concat()).collect()
    }

    fn hooks(&self, node: &Node) -> Vec<Vec<Step>> {
        let groups = node.at(&self.path).map(Node::items).unwrap_or_default();
        let mut found = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            let way = [&self.path[..], &[Step::Item(index)]].concat();
            if is_hook(group) {
                found.push(way.clone());
            }
            let handlers = group.key("hooks").map(Node::items).unwrap_or_default();
            let ours = handlers.iter().enumerate().filter(|(_, handler)| is_hook(handler));
            let hooks = Step::Key("hooks".to_owned());
            found.extend(ours.map(|(at, _)| [&way[..], &[hooks.clone(), Step::Item(at)]].concat()));
        }
        found
    }
}

/// A text under change for an entry.
struct Writing<'e> {
    entry: &'e Entry,
    text: Text,
    changes: Vec<Change>,
}

impl Writing<'_> {
    fn push(&mut self) -> Result<(), Flaw> {
        let next = self.text.push(&self.entry.path, &self.entry.value)?;
        let there = self.depth(&self.entry.path);
        self.note(next, &[], None, there);
        Ok(())
    }

    /// Lets a value say what another one says; what else it says stays.
    fn merge(&mut self, way: &[Step], below: &[Step], value: &Node) -> Result<(), Flaw> {
        match (self.text.node().at(way), value) {
            (Some(present), value) if says(present, value) => Ok(()),
            (Some(Node::Table(_)), Node::Table(keys)) => {
                keys.iter().try_for_each(|(key, value)| {
                    let step = [Step::Key(key.clone())];
                    self.merge(&[way, &step].concat(), &[below, &step].concat(), value)
                })
            }
            (present, value) => {
                let is_there = present.is_some();
                let prior = is_there.then(|| self.text.written(way)).flatten();
                if is_there && prior.is_none() {
                    return Err(Flaw::form(way, "has a form that cannot be changed"));
                }
                let next = self.text.set(way, value)?;
                let there = self.depth(way);
                self.note(next, below, prior, there);
                Ok(())
            }
        }
    }

    /// How many steps of a way are there already.
    fn depth(&self, way: &[Step]) -> usize {
        let is_there = |depth: &usize| self.text.node().at(&way[..*depth]).is_some();
        (0..=way.len()).rev().find(is_there).unwrap_or(0)
    }

    fn note(&mut self, next: Text, below: &[Step], prior: Option<String>, there: usize) {
        let splice = super::splice::Splice::between(self.text.body(), next.body());
        let entry = self.entry.id();
        self.changes.push(Change { entry, below: below.to_vec(), prior, there, splice });
        self.text = next;
    }
}

/// A key's value as it was before, where the present one is still Coffer's.
fn take_back(text: &Text, way: &[Step], ours: &Node, changes: &[Change]) -> Result<Text, Flaw> {
    match changes.first() {
        Some(first) if text.node().at(way) == Some(ours) => match first.prior {
            Some(_) => first.turned_back(text, way),
            None => first.cut_out(text, way, |text| text.node().at(way).is_none()),
        },
        _ => Ok(text.clone()),
    }
}

/// Whether a value says all that another one says.
fn says(present: &Node, wanted: &Node) -> bool {
    match (present, wanted) {
        (Node::Table(_), Node::Table(keys)) => {
            keys.iter().all(|(key, value)| present.key(key).is_some_and(|it| says(it, value)))
        }
        _ => present == wanted,
    }
}

fn is_server(server: &Node) -> bool {
    let mut words = match server.key("command") {
        Some(Node::Text(program)) => {
            let arguments = server.key("args").map(Node::items).unwrap_or_default();
            std::iter::once(program.as_str())
                .chain(arguments.iter().filter_map(Node::as_text))
                .collect::<Vec<_>>()
        }
        Some(Node::List(words)) => words.iter().filter_map(Node::as_text).collect(),
        _ => return false,
    }
    .into_iter();
    match words.next().map(name_of) {
        Some(name) if name == SERVERS[0] => true,
        Some(name) if name == SERVERS[1] => words.next() == Some("mcp"),
        _ => false,
    }
}

fn is_hook(handler: &Node) -> bool {
    let lines = ["command", "bash", "powershell"].into_iter();
    lines.filter_map(|key| handler.key(key)?.as_text()).any(starts_hook)
}

/// Whether it is the hook that a shell starts first by a line.
fn starts_hook(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches('&').trim_start();
    let words = shlex::split(line).unwrap_or_default();
    // A path of Windows without quotes does not come through a shell's eyes whole.
    let bare = line.split_whitespace().next().unwrap_or_default();
    words.first().is_some_and(|word| name_of(word) == HOOK) || name_of(bare) == HOOK
}

/// The name of a program, whichever system its path is of.
fn name_of(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".exe").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognized_by_their_names() {
        for line in [
            "coffer-hook",
            "'/a b/coffer-hook' --agent x",
            "/a\\ b/coffer-hook --agent x",
            "\"C:\\Program Files\\coffer-hook.exe\" --agent x",
            "C:\\x\\coffer-hook.exe --agent x",
            "& 'C:\\a b\\coffer-hook.exe' --agent x",
            "'/it'\\''s/coffer-hook' --agent x",
        ] {
            assert!(starts_hook(line), "{line}");
        }
        for line in
            ["", "echo coffer-hook", "coffer-hooks", "/coffer-hook/run", "x && coffer-hook", "'"]
        {
            assert!(!starts_hook(line), "{line}");
        }
        let server = |command: Node, args: &[&str]| {
            let args = args.iter().map(|word| Node::text(*word)).collect();
            is_server(&Node::table([("command", command), ("args", Node::List(args))]))
        };
        assert!(server(Node::text("/a/coffer-mcp-shim"), &[]));
        assert!(server(Node::text("coffer"), &["mcp", "--agent", "x"]));
        let words = ["C:\\coffer.exe", "mcp"].map(Node::text).to_vec();
        assert!(server(Node::List(words), &[]));
        for (command, args) in
            [("coffer", &["serve"][..]), ("coffer", &[]), ("npx", &["coffer", "mcp"])]
        {
            assert!(!server(Node::text(command), args), "{command} {args:?}");
        }
        assert!(!is_server(&Node::table([("url", Node::text("http://127.0.0.1/mcp"))])));
    }
}
