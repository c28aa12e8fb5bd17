//! `secrets.patterns`: expressions for secrets that the table does not know.

use toml_edit::{Item, Value};

use crate::secrets::Custom;

/// Where they stand in the file.
pub(super) const NAME: &str = "secrets.patterns";

/// The patterns of a list, and what is wrong with others, a fragment each.
pub(super) fn read(item: &Item) -> (Custom, Vec<String>) {
    let mut custom = Custom::default();
    let Some(list) = item.as_array() else {
        return (custom, vec![format!("`{NAME}` must be a list; no pattern is used")]);
    };
    let mut wrong = Vec::new();
    for (number, value) in (1..).zip(list) {
        let said = match named(value) {
            None => " must be a text, or a table of `name` and `pattern`".to_owned(),
            Some((name, pattern)) => match custom.add(name, pattern) {
                Ok(()) => continue,
                Err(reason) => format!(", `{pattern:.60}`, {reason}"),
            },
        };
        wrong.push(format!("`{NAME}` number {number}{said}; it is passed over"));
    }
    (custom, wrong)
}

fn named(value: &Value) -> Option<(Option<&str>, &str)> {
    if let Some(pattern) = value.as_str() {
        return Some((None, pattern));
    }
    let table = value.as_inline_table()?;
    let is_known = table.iter().all(|(key, _)| ["name", "pattern"].contains(&key));
    let text = |key: &str| table.get(key).map(Value::as_str);
    match (text("name"), text("pattern")?) {
        (None, Some(pattern)) if is_known => Some((None, pattern)),
        (Some(Some(name)), Some(pattern)) if is_known => Some((Some(name), pattern)),
        _ => None,
    }
}
