//! A file of agents while somebody writes it: what is wrong in it and where, in the words that are told of a file that is
//! saved. What a workspace's agent names besides is bound when it is read for good, and not looked at here.

use std::ops::Range;

use augment_core::agent::{AGENT_KEYS, AgentProblem, KEYS, Shape, Source, nearest_of};
use toml_edit::{Item, TableLike};

use super::reading::{self, Table};
use crate::toml_file::{self, Fault, Weight};
use crate::workspace::Places;

/// What is wrong in the file of the user or of the workspace.
#[must_use]
pub fn inspect(source: Source, text: &str, places: &Places) -> Vec<Fault> {
    let document = match toml_file::spanned(text) {
        Ok(document) => document,
        Err(fault) => return vec![fault],
    };
    let users = match source {
        Source::Workspace => reading::tables(&places.user_agents).0,
        Source::User | Source::Preset => Vec::new(),
    };
    let mut faults = Vec::new();
    for (key, item) in document.iter() {
        let agents = match item.as_table_like().filter(|_| key == reading::AGENTS_KEY) {
            Some(agents) => agents,
            None => {
                let (message, is_near) = reading::nothing_called(key);
                let instead = is_near.then(|| reading::AGENTS_KEY.to_owned());
                faults.push(Fault {
                    span: key_span(document.as_table(), key),
                    message,
                    weight: Weight::Error,
                    instead,
                });
                continue;
            }
        };
        for (name, item) in agents.iter() {
            let table = reading::table(name, item);
            let mut problems = table.problems(source);
            problems.extend(taken(&table, source, &users));
            let whole = key_span(agents, name);
            faults.extend(problems.iter().map(|problem| fault(problem, item, &whole)));
        }
    }
    faults
}

fn taken(table: &Table, source: Source, users: &[Table]) -> Option<AgentProblem> {
    let by_preset = match source {
        Source::Workspace => reading::taken_by_preset(&table.name, users)?,
        Source::User | Source::Preset => return None,
    };
    Some(AgentProblem::NameTaken { name: table.name.clone(), by_preset })
}

fn fault(problem: &AgentProblem, agent: &Item, whole: &Range<usize>) -> Fault {
    let values = agent.as_table_like();
    let found = problem.key().and_then(|key| values?.get_key_value(key));
    let key_span = found.and_then(|(key, _)| key.span());
    let value_span = found.and_then(|(_, item)| item.span());
    let (span, instead) = match problem {
        AgentProblem::UnknownKey { key } => (key_span, nearest_of(key, KEYS.iter().copied()).map(str::to_owned)),
        AgentProblem::UnknownPreset { nearest, .. } => (value_span, nearest.map(quoted)),
        AgentProblem::BadValue { key, value, .. } => (value_span, nearest_choice(key, value)),
        AgentProblem::BadName { .. }
        | AgentProblem::WrongKind { .. }
        | AgentProblem::BadText { .. }
        | AgentProblem::TooMany { .. }
        | AgentProblem::NoCommand { .. }
        | AgentProblem::BadVariable { .. }
        | AgentProblem::OurVariable { .. }
        | AgentProblem::PromptRuns { .. }
        | AgentProblem::PlaceWithoutPrompt
        | AgentProblem::OnlyForAcp { .. }
        | AgentProblem::OnlyForCommand { .. }
        | AgentProblem::BadFolder { .. }
        | AgentProblem::RelativeProgram { .. }
        | AgentProblem::NotForWorkspace { .. }
        | AgentProblem::PathNotInWorkspace { .. }
        | AgentProblem::NameTaken { .. } => (value_span, None),
    };
    let span = span.unwrap_or_else(|| whole.clone());
    Fault { span, message: problem.to_string(), weight: Weight::Error, instead }
}

fn nearest_choice(key: &str, value: &str) -> Option<String> {
    let shape = AGENT_KEYS.iter().find(|known| known.name == key)?.shape;
    let Shape::Choice(choices) = shape else { return None };
    nearest_of(value.trim(), choices.iter().copied()).map(quoted)
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

fn key_span(table: &dyn TableLike, name: &str) -> Range<usize> {
    table.get_key_value(name).and_then(|(key, _)| key.span()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: Source, text: &str, expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::below(folder.path());
        std::fs::write(&places.user_agents, "[agents.mine]\ncommand = \"x\"\n").unwrap();
        let told: Vec<String> = inspect(source, text, &places)
            .into_iter()
            .map(|fault| format!("{} | {} | {}", &text[fault.span], fault.message, fault.instead.unwrap_or_default()))
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn keys_and_values_are_underlined_with_what_was_meant() {
        check(
            Source::User,
            "[agents.goose]\nparalel = 2\n[agents.x]\ncommand = \"x\"\nprompt = \"stdn\"\nparallel = 99\n[agents.y]\n",
            &[
                "paralel | There is no key \"paralel\". Did you mean parallel? | parallel",
                "99 | \"99\" does not fit parallel. Use a whole number from 1 to 64. | ",
                "\"stdn\" | \"stdn\" does not fit prompt. Use argument, stdin or nothing. | \"stdin\"",
                "y | It says neither command nor preset. Add command = \"…\" with its program, or preset = \"…\"; \
                 `augment-cli agent list-presets` shows them. | ",
            ],
        );
    }

    #[test]
    fn a_workspace_cannot_take_a_name_and_is_told_so_where_it_stands() {
        check(
            Source::Workspace,
            "[agents.mine]\ncommand = \"./x\"\n[agent.y]\ncommand = \"y\"\n",
            &[
                "mine | \"mine\" is an agent of your own, and a workspace cannot take its name; yours stays. Give the agent another name. | ",
                "agent | There is nothing called \"agent\" here. Did you mean [agents.NAME]? | agents",
            ],
        );
        check(Source::User, "[agents.mine]\ncommand = \"~/x\"\n", &[]);
    }
}
