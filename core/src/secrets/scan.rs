//! The rules, held over a text in one pass: an automaton finds the keywords, and only around them the
//! regular expressions run, over a bounded stretch.
//!
//! Time is linear: a rule looks at a bounded stretch for each keyword. After a secret it goes on behind
//! that, else behind the word that began it.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input};
use regex::bytes::{CaptureLocations, Regex, RegexBuilder};

use super::Hit;
use super::families;
use super::rule::{Candidate, Rule};

/// All rules, ready to run.
struct Table {
    keywords: AhoCorasick,
    /// By keyword: the rule it belongs to.
    rule_of: Vec<usize>,
    rules: Vec<(&'static Rule, Regex)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// How many rules there are: what is found without one ranks behind them.
pub(super) fn ranks() -> usize {
    TABLE.rules.len()
}

/// What the rules find in a text, in the order of the keywords.
pub(super) fn scan(text: &[u8], hits: &mut Vec<Hit>) {
    let mut runners = vec![Runner::default(); TABLE.rules.len()];
    for found in TABLE.keywords.try_find_overlapping_iter(Input::new(text)).into_iter().flatten() {
        let rank = TABLE.rule_of[found.pattern().as_usize()];
        let (rule, regex) = &TABLE.rules[rank];
        if let Some(found) = runners[rank].look(rule, regex, text, found.start()) {
            hits.push(Hit { rank, kind: rule.kind, whole: found.whole, range: found.secret });
        }
    }
}

impl Table {
    fn new() -> Self {
        let rules: Vec<_> = families::rules().map(|rule| (rule, compile(rule))).collect();
        let words = rules.iter().enumerate();
        let words = words.flat_map(|(at, (rule, _))| rule.keywords.iter().map(move |w| (at, *w)));
        let (rule_of, words): (Vec<_>, Vec<_>) = words.unzip();
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
        let keywords = builder.build(words).expect("the keywords are few and short");
        Self { keywords, rule_of, rules }
    }
}

fn compile(rule: &Rule) -> Regex {
    let pattern = format!("{}{}", rule.pattern, rule.tail);
    let built = RegexBuilder::new(&pattern).unicode(false).build();
    built.unwrap_or_else(|error| panic!("the rule for {} is wrong: {error}", rule.kind))
}

/// One rule on its way through a text.
#[derive(Clone, Default)]
struct Runner {
    /// Made when it is needed: most texts need few rules.
    groups: Option<CaptureLocations>,
    /// What is before was looked at.
    done: usize,
}

impl Runner {
    /// Looks around a keyword for a secret.
    fn look<'a>(
        &mut self,
        rule: &Rule,
        regex: &Regex,
        text: &'a [u8],
        keyword: usize,
    ) -> Option<Candidate<'a>> {
        let is_inside = || keyword > 0 && text[keyword - 1].is_ascii_alphanumeric();
        if keyword < self.done || (rule.starts_word && is_inside()) {
            return None;
        }
        let start = keyword.saturating_sub(rule.back).max(self.done);
        let window = &text[start..text.len().min(keyword + rule.reach)];
        let groups = self.groups.get_or_insert_with(|| regex.capture_locations());
        let behind_word = || {
            let word = text[keyword..].iter().take_while(|byte| is_word(**byte)).count();
            keyword + word.max(1)
        };
        let Some(whole) = regex.captures_read(groups, window) else {
            self.done = behind_word();
            return None;
        };
        // The first group that took part.
        let group = (1..groups.len()).find_map(|group| groups.get(group));
        let (from, to) = group.unwrap_or((whole.start(), whole.end()));
        let whole = start + whole.start()..start + whole.end();
        let candidate = Candidate { text, whole, secret: start + from..start + to };
        if !rule.accepts(&candidate) {
            // What was taken for a value may name one: `pass: password: …`.
            self.done = behind_word();
            return None;
        }
        self.done = candidate.secret.end.max(keyword + 1);
        Some(candidate)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
