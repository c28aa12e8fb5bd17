//! A header as a tree that knows where in the text each value stands.
//!
//! Built from parser events with a stack of our own: depth and what aliases unfold to are bounded
//! here, not by the call stack or by memory. Merge keys (`<<`) and tags have no meaning for us.

use super::{FrontmatterError, Value};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span};
use std::collections::{HashMap, HashSet};
use std::mem;
use std::ops::Range;

/// Deepest nesting of lists and maps.
const DEPTH: usize = 64;
/// Most bytes the header may unfold to through aliases.
const UNFOLDED: usize = 4 * super::HEADER_LIMIT;

/// A value and the bytes of the header it stands on.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// For a value that is not written at all, an empty range somewhere in the line of its key.
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Null,
    Text(String, ScalarStyle),
    List(Vec<Node>),
    Map(Map),
}

/// The keys of one map.
#[derive(Debug, Clone, Default)]
pub(super) struct Map {
    pub(super) entries: Vec<Entry>,
    /// Where the map begins, if it is written with braces.
    pub(super) brace: Option<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_range: Range<usize>,
    pub(super) node: Node,
}

impl Map {
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key == key)
    }

    pub(super) fn into_values(self) -> Vec<(String, Value)> {
        self.entries.into_iter().map(|entry| (entry.key, entry.node.into_value())).collect()
    }
}

impl Node {
    fn into_value(self) -> Value {
        match self.kind {
            Kind::Null => Value::Null,
            Kind::Text(text, _) => Value::Text(text),
            Kind::List(items) => Value::List(items.into_iter().map(Self::into_value).collect()),
            Kind::Map(map) => Value::Map(map.into_values()),
        }
    }

    /// What the value weighs in the budget of unfolded bytes.
    fn weight(&self) -> usize {
        1 + match &self.kind {
            Kind::Null => 0,
            Kind::Text(text, _) => text.len(),
            Kind::List(items) => items.iter().map(Self::weight).sum(),
            Kind::Map(map) => map.entries.iter().map(|e| e.key.len() + e.node.weight()).sum(),
        }
    }
}

/// Reads a header; an empty one is an empty map.
pub(super) fn read(header: &str) -> Result<Map, FrontmatterError> {
    let mut reader = Reader::new(header);
    for event in Parser::new_from_str(header) {
        let (event, span) = event.map_err(|error| syntax(&error))?;
        reader.take(event, span)?;
    }
    Ok(reader.root.unwrap_or_default())
}

/// A list or map that is not closed yet.
struct Open {
    kind: Kind,
    key: Option<(String, Range<usize>)>,
    keys: HashSet<String>,
    anchor: usize,
    start: usize,
    flow: bool,
}

struct Reader {
    /// Byte offset of each character; the parser counts characters.
    offsets: Vec<usize>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    unfolded: usize,
    root: Option<Map>,
}

impl Reader {
    fn new(header: &str) -> Self {
        let ends = std::iter::once(header.len());
        Self {
            offsets: header.char_indices().map(|(at, _)| at).chain(ends).collect(),
            open: Vec::new(),
            anchors: HashMap::new(),
            unfolded: 0,
            root: None,
        }
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), FrontmatterError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let kind = match text.as_ref() {
                    "" | "~" | "null" | "Null" | "NULL" if plain => Kind::Null,
                    _ => Kind::Text(text.into_owned(), style),
                };
                let range = self.range(span);
                self.put(Node { kind, range }, anchor, span)
            }
            Event::Alias(anchor) => self.unfold(anchor, span),
            Event::SequenceStart(anchor, _) => self.begin(Kind::List(Vec::new()), anchor, span),
            Event::MappingStart(anchor, _) => self.begin(Kind::Map(Map::default()), anchor, span),
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::DocumentStart(_) if self.root.is_some() => Err(not_a_map(span)),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, kind: Kind, anchor: usize, span: Span) -> Result<(), FrontmatterError> {
        if self.open.len() == DEPTH {
            return Err(FrontmatterError::TooDeep { line: line(span.start), limit: DEPTH });
        }
        if self.open.is_empty() && matches!(kind, Kind::List(_)) {
            return Err(not_a_map(span));
        }
        let (start, flow) = (self.range(span).start, !span.is_empty());
        self.open.push(Open { kind, key: None, keys: HashSet::new(), anchor, start, flow });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), FrontmatterError> {
        let Some(open) = self.open.pop() else {
            return Err(not_a_map(span));
        };
        let Open { mut kind, anchor, start, flow, .. } = open;
        let last = match &mut kind {
            Kind::Map(map) => {
                map.brace = flow.then_some(start);
                map.entries.last().map(|entry| entry.node.range.end)
            }
            Kind::List(items) => items.last().map(|item| item.range.end),
            Kind::Null | Kind::Text(..) => None,
        };
        // A collection without brackets ends with its last item; the parser names the next token.
        let end = last.filter(|_| !flow).unwrap_or(self.range(span).end);
        self.put(Node { kind, range: start..end.max(start) }, anchor, span)
    }

    fn unfold(&mut self, anchor: usize, span: Span) -> Result<(), FrontmatterError> {
        let Some(node) = self.anchors.get(&anchor) else {
            let message = "an alias inside the value it stands for".to_owned();
            return Err(FrontmatterError::Syntax { line: line(span.start), message });
        };
        self.unfolded += node.weight();
        if self.unfolded > UNFOLDED {
            return Err(FrontmatterError::TooLarge { line: line(span.start), limit: UNFOLDED });
        }
        let node = Node { kind: node.kind.clone(), range: self.range(span) };
        self.put(node, 0, span)
    }

    /// Puts a finished value where it belongs: the root, a list, a map as key or as value.
    fn put(&mut self, node: Node, anchor: usize, span: Span) -> Result<(), FrontmatterError> {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            return self.put_root(node, span);
        };
        match (&mut open.kind, mem::take(&mut open.key)) {
            (Kind::List(items), _) => items.push(node),
            (Kind::Map(map), Some((key, key_range))) => {
                map.entries.push(Entry { key, key_range, node });
            }
            (Kind::Map(_), None) => {
                let key = node.into_key().ok_or_else(|| not_a_map(span))?;
                if !open.keys.insert(key.0.clone()) {
                    let (line, key) = (line(span.start), key.0);
                    return Err(FrontmatterError::DuplicateKey { line, key });
                }
                open.key = Some(key);
            }
            (Kind::Null | Kind::Text(..), _) => return Err(not_a_map(span)),
        }
        Ok(())
    }

    fn put_root(&mut self, node: Node, span: Span) -> Result<(), FrontmatterError> {
        match node.kind {
            Kind::Map(map) => self.root = Some(map),
            Kind::Null => self.root = Some(Map::default()),
            Kind::Text(..) | Kind::List(_) => return Err(not_a_map(span)),
        }
        Ok(())
    }

    fn range(&self, span: Span) -> Range<usize> {
        let byte = |mark: Marker| self.offsets[mark.index().min(self.offsets.len() - 1)];
        byte(span.start)..byte(span.end)
    }
}

impl Node {
    fn into_key(self) -> Option<(String, Range<usize>)> {
        match self.kind {
            Kind::Null => Some((String::new(), self.range)),
            Kind::Text(text, _) => Some((text, self.range)),
            Kind::List(_) | Kind::Map(_) => None,
        }
    }
}

/// The line of the file: the opening fence stands before the header.
fn line(mark: Marker) -> u32 {
    u32::try_from(mark.line() + 1).unwrap_or(u32::MAX)
}

fn not_a_map(span: Span) -> FrontmatterError {
    FrontmatterError::NotAMap { line: line(span.start) }
}

fn syntax(error: &ScanError) -> FrontmatterError {
    FrontmatterError::Syntax { line: line(*error.marker()), message: error.info().to_owned() }
}
