//! From a file of agents to their tables. Nothing here judges a value; that is the core's.

use std::path::Path;

use augment_core::agent::{AgentDraft, AgentProblem, AgentSpec, PRESETS, Source, nearest_of};
use augment_core::text::{quoted, visible};
use toml_edit::{Item, TableLike};

use crate::toml_file;

/// The one thing that stands in such a file.
pub(super) const AGENTS_KEY: &str = "agents";

/// How many agents a file may have.
const AGENTS: usize = 64;

/// What a file says of one agent.
pub(super) struct Table {
    pub(super) name: String,
    draft: AgentDraft,
    /// Keys that are not known and values of the wrong kind.
    misread: Vec<AgentProblem>,
}

impl Table {
    /// The agent, or all that is wrong, in sentences.
    pub(super) fn checked(&self, source: Source) -> Result<AgentSpec, Vec<String>> {
        match self.draft.check(&self.name, source) {
            Ok(spec) if self.misread.is_empty() => Ok(spec),
            Ok(_) | Err(_) => Err(self.problems(source).iter().map(ToString::to_string).collect()),
        }
    }

    /// All that is wrong.
    pub(super) fn problems(&self, source: Source) -> Vec<AgentProblem> {
        let mut problems = self.misread.clone();
        problems.extend(self.draft.check(&self.name, source).err().into_iter().flatten());
        problems
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
        match item.as_table_like().filter(|_| key == AGENTS_KEY) {
            Some(agents) => tables.extend(agents.iter().map(|(name, item)| table(name, item))),
            None => problems.push(format!("{}: {}", path.display(), nothing_called(key).0)),
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

/// What is said of something else in the file, and whether it is near to what belongs there.
pub(super) fn nothing_called(key: &str) -> (String, bool) {
    let is_near = nearest_of(key, [AGENTS_KEY].into_iter()).is_some();
    let way_on = if is_near { "Did you mean [agents.NAME]?" } else { "Use [agents.NAME]." };
    (format!("There is nothing called {} here. {way_on}", quoted(key)), is_near)
}

/// Whether a name is one that a workspace cannot take: `Some(true)` if a preset has it, `Some(false)` if the user's file. Also
/// in other letter cases: two names that look alike are one to a hurried reader.
pub(super) fn taken_by_preset(name: &str, users: &[Table]) -> Option<bool> {
    if users.iter().any(|table| table.name.eq_ignore_ascii_case(name)) {
        return Some(false);
    }
    PRESETS.iter().any(|preset| preset.name.eq_ignore_ascii_case(name)).then_some(true)
}

pub(super) fn table(name: &str, item: &Item) -> Table {
    let mut table = Table { name: name.to_owned(), draft: AgentDraft::default(), misread: Vec::new() };
    match item.as_table_like() {
        Some(values) => values.iter().for_each(|(key, item)| table.take(key, item)),
        None => table.misread.push(AgentProblem::WrongKind {
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
        self.misread.extend(taken.err());
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
