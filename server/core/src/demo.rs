//! The demo: a small project to play with, the tasks in its queue, what the built-in agent does there (`script`), and how far
//! a person has come (`stage`). All of it is data that is compiled in; nothing here writes a file or starts anything.
//!
//! The agent is offered in a demo workspace of ours alone, and edits nothing but the text that it knows from here.

mod script;
mod stage;

use crate::agent::{AgentSpec, PromptBy};
use crate::run::{Adapter, DoneBy};

pub use script::{ANSWERS, Edit, QUESTION, edits, summary};
pub use stage::{Facts, Stage, stage};

/// The project's name, and that of its folder.
pub const NAME: &str = "lantern";
/// The built-in agent's name.
pub const AGENT: &str = "demo";
/// The hidden command by which our own program plays it.
pub const AGENT_COMMAND: &str = "demo-agent";
/// The task that the built-in agent knows how to do.
pub const TASK: &str = "Let sessions end after a day";

/// The project's files, by their paths in it.
pub const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("../demo/README.md")),
    ("PROJECT_PLAN.md", include_str!("../demo/PROJECT_PLAN.md")),
    ("CHANGELOG.md", include_str!("../demo/CHANGELOG.md")),
    ("package.json", include_str!("../demo/package.json")),
    ("src/auth.js", include_str!("../demo/src/auth.js")),
    ("src/notes.js", include_str!("../demo/src/notes.js")),
    ("src/server.js", include_str!("../demo/src/server.js")),
    ("test/auth.test.js", include_str!("../demo/test/auth.test.js")),
];

/// A task as it is put into the demo's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    pub title: &'static str,
    pub priority: &'static str,
    /// Where its work may be; empty for everywhere.
    pub scope: &'static [&'static str],
}

pub const TASKS: &[Seed] = &[
    Seed { title: TASK, priority: "high", scope: &["src/**"] },
    Seed { title: "Keep notes on disk", priority: "high", scope: &[] },
    Seed { title: "Refuse oversized notes", priority: "medium", scope: &[] },
    Seed { title: "Refactor authentication module", priority: "medium", scope: &[] },
    Seed { title: "Describe the HTTP door in the README", priority: "low", scope: &[] },
];

/// The built-in agent, played by this program.
#[must_use]
pub fn agent(program: String) -> AgentSpec {
    AgentSpec {
        adapter: Adapter::Command,
        program,
        arguments: vec![AGENT_COMMAND.to_owned()],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Nothing,
        ..AgentSpec::empty(AGENT)
    }
}

/// What a file of the project says when it is new.
#[must_use]
pub fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Plan;

    #[test]
    fn the_plan_proposes_the_agents_task_first_and_the_queue_holds_it() {
        let plan = Plan::read(file("PROJECT_PLAN.md").unwrap().as_bytes()).unwrap();
        let proposed: Vec<&str> = plan.proposed(3).into_iter().map(|at| plan.tasks[at].title.as_str()).collect();
        assert_eq!(proposed, [TASK, "Keep notes on disk", "Refuse oversized notes"]);
        for seed in TASKS {
            assert!(plan.tasks.iter().any(|task| task.title == seed.title), "{}", seed.title);
        }
        assert_eq!(TASKS.first().map(|seed| seed.title), Some(TASK));
    }
}
