//! From the greeting to the open session.

use augment_core::text::{quoted, shortened, visible};
use serde_json::value::RawValue;

use super::detail::bounded;
use super::meaning::{Problem, ProblemKind};
use super::{Acp, MESSAGE_BYTES, SAMPLE_CHARS, Stage, sentence, v1};
use crate::agents::adapter::{Act, Said};

impl Acp {
    pub(super) fn greeted(&mut self, outcome: Result<&RawValue, Problem>, acts: &mut Vec<Act>) -> Result<(), String> {
        let greeting = match outcome {
            Ok(result) => match v1::greeting(result) {
                Ok(greeting) => greeting,
                Err(problem) => {
                    self.unusable("The agent's greeting cannot be read. Is it an ACP agent?".to_owned(), acts);
                    return Err(problem);
                }
            },
            Err(problem) => {
                self.unusable(format!("The agent would not begin: {}", sentence(&problem.message)), acts);
                return Ok(());
            }
        };
        if greeting.version != v1::VERSION {
            let reason = format!(
                "The agent speaks version {} of the Agent Client Protocol, and only version {} is spoken here. Use a version of the agent that speaks it.",
                greeting.version,
                v1::VERSION
            );
            self.unusable(reason, acts);
            return Ok(());
        }
        self.agent = greeting.agent.map(|agent| shortened(&agent, SAMPLE_CHARS).into_owned());
        self.log_ins = greeting.log_ins.iter().map(|name| shortened(name, SAMPLE_CHARS).into_owned()).collect();
        let id = self.id();
        let tools = self.assignment.as_ref().and_then(|assignment| assignment.tools.as_ref());
        match v1::new_session(id, &self.cwd, tools) {
            Some(message) => {
                self.stage = Stage::Opening(id);
                acts.push(Act::Send(message));
            }
            None => {
                let folder = self.cwd.display();
                self.unusable(
                    format!("The name of the folder {folder} or of a tool is not UTF-8, and ACP takes no other."),
                    acts,
                );
            }
        }
        Ok(())
    }

    pub(super) fn opened(&mut self, outcome: Result<&RawValue, Problem>, acts: &mut Vec<Act>) -> Result<(), String> {
        let opened = match outcome {
            Ok(result) => match v1::opened(result) {
                Ok(opened) => opened,
                Err(problem) => {
                    self.unusable(
                        "The agent opened a session, but what it says of it cannot be read.".to_owned(),
                        acts,
                    );
                    return Err(problem);
                }
            },
            Err(problem) => {
                self.unusable(self.not_opened(&problem), acts);
                return Ok(());
            }
        };
        self.log_ins = Vec::new();
        acts.push(Act::Said(Said::Began { agent: self.agent.take() }));
        let session = opened.session;
        match self.options.mode.clone() {
            Some(mode) if opened.mode.as_ref() == Some(&mode) => {}
            Some(mode) if !opened.modes.is_empty() && !opened.modes.contains(&mode) => {
                self.mode_not_set(&format!("it has only {}", opened.modes.join(", ")), acts);
            }
            Some(mode) => {
                let id = self.id();
                acts.push(Act::Send(v1::set_mode(id, &session, &mode)));
                self.stage = Stage::SettingMode(id);
                self.session = Some(session);
                return Ok(());
            }
            None => {}
        }
        self.session = Some(session);
        self.ready(acts);
        Ok(())
    }

    pub(super) fn not_opened(&self, problem: &Problem) -> String {
        match problem.kind {
            ProblemKind::LogIn if self.log_ins.is_empty() => {
                "The agent wants somebody to log in. Log in with the agent's own program first, then start it again."
                    .to_owned()
            }
            ProblemKind::LogIn => format!(
                "The agent wants somebody to log in ({}). Log in with the agent's own program first, then start it again.",
                visible(&self.log_ins.join(", "))
            ),
            ProblemKind::Cancelled | ProblemKind::Other => {
                format!("The agent opened no session: {}", sentence(&problem.message))
            }
        }
    }

    pub(super) fn mode_not_set(&mut self, why: &str, acts: &mut Vec<Act>) {
        let mode = self.options.mode.as_deref().unwrap_or_default();
        let title = format!("setting the mode {}", quoted(mode));
        acts.push(Act::Said(Said::Failed { title, message: bounded(why, MESSAGE_BYTES) }));
    }
}
