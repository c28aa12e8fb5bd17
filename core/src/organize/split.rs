//! Files of too many rules are cut into files of categories. The model only says which rule is about
//! what: no word of a rule goes through it.

use std::collections::BTreeSet;

use coffer_domain::bundle::without_origin;
use coffer_domain::store::StoreName;
use coffer_env::clock;
use serde::Deserialize;
use serde_json::json;

use super::{Organized, Organizer, PassState};
use crate::engine::{EngineFailure, Writer, estimated};
use crate::memory::{Applied, RULES_OF_A_FILE, RulesFile};

const INSTRUCTIONS: &str = include_str!("prompts/split.md");
/// The most tokens of a file that is shown whole.
const MATERIAL: u64 = 64_000;
/// How often files are looked at again: a category may be too large itself.
const ROUNDS: usize = 4;

/// The answer's shape.
#[derive(Debug, Deserialize)]
struct Answer {
    categories: Vec<Category>,
}

#[derive(Debug, Deserialize)]
struct Category {
    name: String,
    rules: Vec<usize>,
}

impl Organizer {
    /// Splits every file of more than a hundred rules, and what comes of it.
    pub(super) fn split_all(
        &self,
        writer: &Writer,
        store: &StoreName,
        report: &mut Organized,
        go_on: &dyn Fn() -> bool,
    ) {
        let mut left_alone = BTreeSet::new();
        for _ in 0..ROUNDS {
            let files = match self.memory.rules_files(store) {
                Ok(files) => files,
                Err(error) => return report.note("rules", error.to_string()),
            };
            let is_large = |file: &&RulesFile| {
                file.rules.len() > RULES_OF_A_FILE && !left_alone.contains(&file.category)
            };
            let large: Vec<&RulesFile> = files.iter().filter(is_large).collect();
            if large.is_empty() {
                return;
            }
            for file in large {
                match self.split(writer, store, file, &files, go_on) {
                    Ok(Applied::Done) => {
                        report.rules_files_split += 1;
                        report.state = PassState::Done;
                    }
                    // Asking again would give the same, or be about another file.
                    Ok(Applied::Same | Applied::Moved) => {
                        left_alone.insert(file.category.clone());
                    }
                    Err(failure) => {
                        left_alone.insert(file.category.clone());
                        if !report.stop(&format!("rules/{}.md", file.category), &failure) {
                            return;
                        }
                    }
                }
            }
        }
    }

    fn split(
        &self,
        writer: &Writer,
        store: &StoreName,
        file: &RulesFile,
        files: &[RulesFile],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Applied, EngineFailure> {
        if !file.is_list {
            let reason = "it holds more than a list of rules; only a person can split it";
            return Err(EngineFailure::Refused(reason.to_owned()));
        }
        let shown = |(number, rule): (usize, &String)| json!({"number": number, "rule": without_origin(rule)});
        let material = json!({
            "file": file.category,
            "files": files.iter().map(|file| &file.category).collect::<Vec<_>>(),
            "rules": file.rules.iter().enumerate().map(shown).collect::<Vec<_>>(),
        });
        let material = material.to_string();
        if estimated(&material) > MATERIAL {
            let reason = "it is too large to be shown to a model; only a person can split it";
            return Err(EngineFailure::Refused(reason.to_owned()));
        }
        let instructions = INSTRUCTIONS.replace("{most}", &RULES_OF_A_FILE.to_string());
        let answer: Answer = writer.ask(&instructions, &material, go_on)?;
        let categories = judged(answer, file).map_err(EngineFailure::Malformed)?;
        let applied = self.memory.split_rules(store, file, &categories, clock::now());
        applied.map_err(|error| EngineFailure::Refused(error.to_string()))
    }
}

/// The categories, if every rule is in exactly one, and there are at least two.
fn judged(answer: Answer, file: &RulesFile) -> Result<Vec<(String, Vec<usize>)>, String> {
    let mut seen = vec![false; file.rules.len()];
    let mut categories: Vec<(String, Vec<usize>)> = Vec::new();
    for Category { name, rules } in answer.categories {
        if name.trim().is_empty() {
            return Err("a category has no name".to_owned());
        }
        for number in &rules {
            match seen.get_mut(*number) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => return Err(format!("rule {number} is in two categories")),
                None => return Err(format!("there is no rule {number}")),
            }
        }
        match categories.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.extend(rules),
            None if rules.is_empty() => {}
            None => categories.push((name, rules)),
        }
    }
    if let Some(number) = seen.iter().position(|seen| !seen) {
        return Err(format!("rule {number} is in no category"));
    }
    if categories.len() < 2 {
        return Err("all rules are in one category".to_owned());
    }
    Ok(categories)
}
