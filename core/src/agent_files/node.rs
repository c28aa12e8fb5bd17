//! What a file says, whatever its format: the measure that every edit is held against.

use indexmap::IndexMap;

/// A value. Tables are equal whatever the order of their keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A number, a date, null: as it is written.
    Other(String),
    /// A list.
    List(Vec<Self>),
    /// An object or table.
    Table(IndexMap<String, Self>),
}

/// One step from a table to a key of it, or from a list to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A key.
    Key(String),
    /// An item, from 0.
    Item(usize),
}

impl Node {
    /// A table without keys.
    pub(crate) fn empty() -> Self {
        Self::Table(IndexMap::new())
    }

    /// A table.
    pub(crate) fn table<const N: usize>(keys: [(&str, Self); N]) -> Self {
        Self::Table(keys.map(|(key, value)| (key.to_owned(), value)).into_iter().collect())
    }

    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A whole number.
    pub(crate) fn number(number: u32) -> Self {
        Self::Other(number.to_string())
    }

    /// What a table has under a key.
    pub(crate) fn key(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Table(keys) => keys.get(key),
            Self::Text(_) | Self::Flag(_) | Self::Other(_) | Self::List(_) => None,
        }
    }

    /// How many keys a table has; none of anything else.
    pub(super) fn keys(&self) -> usize {
        match self {
            Self::Table(keys) => keys.len(),
            Self::Text(_) | Self::Flag(_) | Self::Other(_) | Self::List(_) => 0,
        }
    }

    /// The items of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Text(_) | Self::Flag(_) | Self::Other(_) | Self::Table(_) => &[],
        }
    }

    /// The text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Flag(_) | Self::Other(_) | Self::List(_) | Self::Table(_) => None,
        }
    }

    /// What is at the end of a way.
    pub(crate) fn at(&self, way: &[Step]) -> Option<&Self> {
        way.iter().try_fold(self, |node, step| match step {
            Step::Key(key) => node.key(key),
            Step::Item(index) => node.items().get(*index),
        })
    }

    /// Whether nothing is in it.
    pub(crate) fn is_bare(&self) -> bool {
        match self {
            Self::Table(keys) => keys.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Text(_) | Self::Flag(_) | Self::Other(_) => false,
        }
    }

    /// The same with another value at the end of a way; missing tables are made. A way through
    /// something else changes nothing.
    pub(super) fn with(mut self, way: &[Step], value: Self) -> Self {
        if let Some(place) = self.place(way) {
            *place = value;
        }
        self
    }

    /// The same with one more item in a list, which is made where it is missing.
    pub(super) fn with_item(mut self, way: &[Step], value: Self) -> Self {
        if self.at(way).is_none() {
            return self.with(way, Self::List(vec![value]));
        }
        if let Some(Self::List(items)) = self.place(way) {
            items.push(value);
        }
        self
    }

    /// The same without what is at the end of a way.
    pub(super) fn without(mut self, way: &[Step]) -> Self {
        let Some((last, above)) = way.split_last() else { return Self::empty() };
        if let Some(parent) = self.place(above) {
            match (parent, last) {
                (Self::Table(keys), Step::Key(key)) => drop(keys.shift_remove(key)),
                (Self::List(items), Step::Item(index)) if *index < items.len() => {
                    items.remove(*index);
                }
                _ => {}
            }
        }
        self
    }

    fn place(&mut self, way: &[Step]) -> Option<&mut Self> {
        way.iter().try_fold(self, |node, step| match (node, step) {
            (Self::Table(keys), Step::Key(key)) => {
                Some(keys.entry(key.clone()).or_insert_with(Self::empty))
            }
            (Self::List(items), Step::Item(index)) => items.get_mut(*index),
            _ => None,
        })
    }

    /// The same without tables that hold nothing: a header in TOML may come and go with its keys.
    pub(super) fn dense(self) -> Self {
        let Self::Table(keys) = self else { return self };
        let dense = keys.into_iter().map(|(key, value)| (key, value.dense()));
        Self::Table(dense.filter(|(_, value)| *value != Self::empty()).collect())
    }
}

/// A way of keys.
pub(crate) fn way<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<Step> {
    keys.into_iter().map(|key| Step::Key(key.to_owned())).collect()
}
