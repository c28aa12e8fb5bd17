//! The graph of the reference MCP memory server: one JSON object a line, entities and relations.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::{Found, Reading, SourceFile, label};

/// A line, as the server writes it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Entity {
        name: String,
        #[serde(rename = "entityType", default)]
        kind: String,
        #[serde(default)]
        observations: Vec<String>,
    },
    Relation {
        from: String,
        to: String,
        #[serde(rename = "relationType", default)]
        kind: String,
    },
}

/// What is known of one entity.
#[derive(Default)]
struct Entity {
    name: String,
    kind: String,
    observations: Vec<String>,
    relations: Vec<String>,
    said: HashSet<String>,
}

/// Entities in the order of their first line.
#[derive(Default)]
struct Graph {
    entities: Vec<Entity>,
    by_name: HashMap<String, usize>,
}

/// Makes a fact of each entity: its observations, and the relations that begin at it. The server
/// is known to damage its file when two write at once, so a line that does not parse spoils no
/// other, and two objects on one line are both read.
pub(super) fn read(file: SourceFile<'_>, reading: &mut Reading) {
    let mut graph = Graph::default();
    for (at, line) in file.text.lines().enumerate() {
        for parsed in serde_json::Deserializer::from_str(line).into_iter::<Line>() {
            match parsed {
                Ok(line) => graph.put(line),
                Err(error) => {
                    let reason = format!("it is no entity or relation: {}", plain(&error));
                    reading.skip(format!("{}:{}", file.path, at + 1), reason);
                    break;
                }
            }
        }
    }
    for entity in graph.entities {
        reading.take(found(file, &entity));
    }
}

/// What is wrong with a line, without the place in it and without what it says.
fn plain(error: &serde_json::Error) -> &'static str {
    match error.classify() {
        serde_json::error::Category::Data => "a field is missing or of another kind",
        serde_json::error::Category::Eof => "it breaks off",
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => "it is no JSON",
    }
}

impl Graph {
    fn put(&mut self, line: Line) {
        match line {
            Line::Entity { name, kind, observations } => {
                let entity = self.of_name(name);
                if entity.kind.is_empty() {
                    entity.kind = kind;
                }
                for observation in observations {
                    if entity.said.insert(observation.clone()) {
                        entity.observations.push(observation);
                    }
                }
            }
            Line::Relation { from, to, kind } => {
                let relation = format!("{} [[{}]]", label(&kind, 200), label(&to, 200));
                let entity = self.of_name(from);
                // No observation holds a NUL before its text.
                if entity.said.insert(format!("\0{relation}")) {
                    entity.relations.push(relation);
                }
            }
        }
    }

    fn of_name(&mut self, name: String) -> &mut Entity {
        let next = self.entities.len();
        let at = *self.by_name.entry(name.clone()).or_insert(next);
        if at == next {
            self.entities.push(Entity { name, ..Entity::default() });
        }
        &mut self.entities[at]
    }
}

fn found(file: SourceFile<'_>, entity: &Entity) -> Found {
    let kind = label(&entity.kind, 200);
    let mut text = format!("**{}**", label(&entity.name, 200));
    if !kind.is_empty() {
        text.extend([" (", &kind, ")"]);
    }
    text.push_str("\n\n");
    for observation in &entity.observations {
        text.extend(["- ", &observation.trim().replace('\n', "\n  "), "\n"]);
    }
    if !entity.relations.is_empty() {
        let gap = if entity.observations.is_empty() { "" } else { "\n" };
        text.extend([gap, "Relations:\n\n"]);
        text.extend(entity.relations.iter().map(|relation| format!("- {}\n", relation.trim())));
    }
    Found {
        place: format!("{}#{}", file.path, label(&entity.name, 80)),
        title: entity.name.clone(),
        description: Some(kind),
        text,
        labels: Vec::new(),
        created_at: file.modified,
        updated_at: file.modified,
    }
}

#[cfg(test)]
mod tests {
    use crate::import::Format;
    use crate::import::tests::reading;

    #[test]
    fn entities_are_facts_with_their_relations() {
        let text = concat!(
            r#"{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea","two\nlines"]}"#,
            "\n\n",
            r#"{"type":"entity","name":"Ada","entityType":"","observations":["likes tea","codes"]}{"type":"entity","name":"Acme","entityType":"company","observations":[]}"#,
            "\n",
            r#"{"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}"#,
            "\n",
            r#"{"type":"relation","from":"Nobody","to":"Acme","relationType":"knows"}"#,
            "\n",
        );
        let reading = reading(Format::McpMemory, "memory.jsonl", text);
        assert_eq!(reading.skipped, []);
        let texts: Vec<&str> = reading.found.iter().map(|found| found.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "**Ada** (person)\n\n- likes tea\n- two\n  lines\n- codes\n\nRelations:\n\n- works_at [[Acme]]",
                "**Acme** (company)",
                "**Nobody**\n\nRelations:\n\n- knows [[Acme]]",
            ]
        );
        assert_eq!(reading.found[0].place, "memory.jsonl#Ada");
    }

    #[test]
    fn a_damaged_line_spoils_no_other() {
        let text = "{\"type\":\"entity\",\"name\":\"A\",\"obs\n{\"type\":\"other\"}\n[1]\n\
            {\"type\":\"entity\",\"name\":\"B\"}\n";
        let reading = reading(Format::McpMemory, "m.jsonl", text);
        assert_eq!(reading.found.len(), 1);
        let places: Vec<&str> = reading.skipped.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["m.jsonl:1", "m.jsonl:2", "m.jsonl:3"]);
    }
}
