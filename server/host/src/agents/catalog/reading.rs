//! From a file of agents to their tables. Nothing here judges a value; that is the core's.

use std::path::Path;

use augment_core::agent::{AgentDraft, AgentProblem, AgentSpec, Source, nearest_of};
use augment_core::text::{quoted, visible};
use toml_edit::{Item, TableLike};

use crate::toml_file;

/// How many agents a file may have.
const AGENTS: usize = 64;

/// What a file says of one agent.
pub(super) struct Table {
    pub(super) name: String,
    draft: AgentDraft,
    /// Keys that are not known and values of the wrong kind.
    problems: Vec<AgentProblem>,
}

impl Table {
    /// The agent, or all that is wrong, in sentences.
    pub(super) fn checked(&self, source: Source) -> Result<AgentSpec, Vec<String>> {
        let mut problems: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        match self.draft.check(&self.name, source) {
            Ok(spec) if problems.is_empty() => Ok(spec),
            Ok(_) => Err(problems),
            Err(more) => {
                problems.extend(more.iter().map(ToString::to_string));
                Err(problems)
            }
        }
    }

    pub(super) fn told(&self, path: &Path, problem: &str) -> String {
        format!("{}: agents.{}: {problem}", path.display(), visible(&self.name))
    }
}

/// The tables of a file, and what is wrong with it as a whole.
pub(super) fn tables(path: &Path) -> (Vec<Table>, Vec<String>) {
    let document = match toml_file::read(path) {
        Ok(None) => return Default::default(),
        Ok(Some(document)) => document,
        Err(reason) => {
            return (Vec::new(), vec![format!("{}: {reason} None of its agents is there.", path.display())]);
        }
    };
    let (mut tables, mut problems) = (Vec::new(), Vec::new());
    for (key, item) in document.iter() {
        match item.as_table_like().filter(|_| key == "agents") {
            Some(agents) => tables.extend(agents.iter().map(|(name, item)| table(name, item))),
            None => {
                let meant = nearest_of(key, ["agents"].into_iter()).map_or("Use", |_| "Did you mean");
                let mark = if meant == "Use" { "." } else { "?" };
                problems.push(format!(
                    "{}: There is nothing called {} here. {meant} [agents.NAME]{mark}",
                    path.display(),
                    quoted(key)
                ));
            }
        }
    }
    if tables.len() > AGENTS {
        problems.push(format!(
            "{}: It has {} agents; {AGENTS} are the most. Those after the first {AGENTS} are left out.",
            path.display(),
            tables.len()
        ));
        tables.truncate(AGENTS);
    }
    (tables, problems)
}

fn table(name: &str, item: &Item) -> Table {
    let mut table = Table { name: name.to_owned(), draft: AgentDraft::default(), problems: Vec::new() };
    match item.as_table_like() {
        Some(values) => values.iter().for_each(|(key, item)| table.take(key, item)),
        None => table.problems.push(AgentProblem::WrongKind {
            key: "agents",
            value: shown(item),
            wanted: "a table such as [agents.NAME]",
        }),
    }
    table
}

impl Table {
    fn take(&mut self, key: &str, item: &Item) {
        let draft = &mut self.draft;
        let taken = match key {
            "preset" => text("preset", item).map(|value| draft.preset = Some(value)),
            "command" => text("command", item).map(|value| draft.command = Some(value)),
            "args" => texts("args", item).map(|value| draft.args = Some(value)),
            "env" => texts("env", item).map(|value| draft.env = value),
            "set" => pairs("set", item).map(|value| draft.set = value),
            "adapter" => text("adapter", item).map(|value| draft.adapter = Some(value)),
            "capabilities" => texts("capabilities", item).map(|value| draft.capabilities = value),
            "parallel" => number("parallel", item).map(|value| draft.parallel = Some(value)),
            "timeLimit" => duration("timeLimit", item).map(|value| draft.time_limit = Some(value)),
            "doneBy" => text("doneBy", item).map(|value| draft.done_by = Some(value)),
            "prompt" => text("prompt", item).map(|value| draft.prompt = Some(value)),
            "mode" => text("mode", item).map(|value| draft.mode = Some(value)),
            "writable" => texts("writable", item).map(|value| draft.writable = value),
            "confine" => text("confine", item).map(|value| draft.confine = Some(value)),
            "permission" => text("permission", item).map(|value| draft.permission = Some(value)),
            _ => Err(AgentProblem::UnknownKey { key: key.to_owned() }),
        };
        self.problems.extend(taken.err());
    }
}

fn shown(item: &Item) -> String {
    item.to_string().trim().to_owned()
}

fn text(key: &'static str, item: &Item) -> Result<String, AgentProblem> {
    let wrong = || AgentProblem::WrongKind { key, value: shown(item), wanted: "a text in quotes" };
    item.as_str().map(str::to_owned).ok_or_else(wrong)
}

fn number(key: &'static str, item: &Item) -> Result<i64, AgentProblem> {
    let wrong = || AgentProblem::WrongKind { key, value: shown(item), wanted: "a whole number" };
    item.as_integer().ok_or_else(wrong)
}

/// `"30m"`, or a number of minutes.
fn duration(key: &'static str, item: &Item) -> Result<String, AgentProblem> {
    match item.as_integer() {
        Some(minutes) => Ok(minutes.to_string()),
        None => text(key, item),
    }
}

fn texts(key: &'static str, item: &Item) -> Result<Vec<String>, AgentProblem> {
    let wrong =
        || AgentProblem::WrongKind { key, value: shown(item), wanted: "a list of texts such as [\"a\", \"b\"]" };
    let list = item.as_array().ok_or_else(wrong)?;
    list.iter().map(|value| value.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

fn pairs(key: &'static str, item: &Item) -> Result<Vec<(String, String)>, AgentProblem> {
    // Without the values: they may be secrets.
    let wrong =
        || AgentProblem::WrongKind {
            key, value: "…".into(), wanted: "a table of texts such as { NAME = \"value\" }"
        };
    let table: &dyn TableLike = item.as_table_like().ok_or_else(wrong)?;
    table
        .iter()
        .map(|(name, item)| item.as_str().map(|text| (name.to_owned(), text.to_owned())).ok_or_else(wrong))
        .collect()
}
