//! The table that people read, and the same as JSON.

use serde_json::{Map, Value};

/// One measured thing.
pub(crate) struct Row {
    what: String,
    target: &'static str,
    /// By column: the value and its unit.
    values: Vec<String>,
    raw: Vec<Value>,
}

/// Rows of a table with one column for each number of notes.
#[derive(Default)]
pub(crate) struct Report {
    columns: Vec<String>,
    rows: Vec<Row>,
}

impl Report {
    /// Begins a column.
    pub(crate) fn column(&mut self, name: String) {
        self.columns.push(name);
    }

    /// Adds a value to the present column.
    pub(crate) fn add(&mut self, what: &str, target: &'static str, value: f64, unit: &str) {
        let shown = format!("{value:.2} {unit}");
        let row = match self.rows.iter().position(|row| row.what == what) {
            Some(at) => &mut self.rows[at],
            None => {
                let (values, raw) = (Vec::new(), Vec::new());
                self.rows.push(Row { what: what.to_owned(), target, values, raw });
                let last = self.rows.len() - 1;
                &mut self.rows[last]
            }
        };
        row.values.push(shown);
        row.raw.push(Value::from(value));
    }

    /// Prints both forms.
    pub(crate) fn print(&self) {
        println!("| what | target (10k notes) | {} |", self.columns.join(" | "));
        println!("|---|---|{}", "---|".repeat(self.columns.len()));
        for row in &self.rows {
            println!("| {} | {} | {} |", row.what, row.target, row.values.join(" | "));
        }
        let rows: Map<String, Value> =
            self.rows.iter().map(|row| (row.what.clone(), Value::from(row.raw.clone()))).collect();
        println!("\n{}", Value::from(rows));
    }
}
