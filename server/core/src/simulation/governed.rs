//! Sessions, their flags and what was told, in memory. Work is not governed here unless a test wants it: the models of the
//! queue know nothing of sessions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::closing::{CloseStep, Closing, Content};
use crate::file::FilePath;
use crate::id::TaskId;
use crate::prompt::{Prompt, PromptId};
use crate::review::{Acknowledged, Allowed};
use crate::session::{Flag, FlagId, Governance, Session, SessionId, SessionPolicy, Told, Touch, WriteDocuments};
use crate::turn::Effect;

#[derive(Debug, Clone)]
pub struct Governed {
    pub sessions: BTreeMap<SessionId, Session>,
    pub told: Vec<Told>,
    pub flags: BTreeMap<FlagId, Flag>,
    pub touched: BTreeMap<(TaskId, FilePath), Touch>,
    pub acknowledged: Vec<Acknowledged>,
    pub allowed: Vec<Allowed>,
    pub to_write: Vec<WriteDocuments>,
    pub closings: BTreeMap<SessionId, Closing>,
    pub prompts: BTreeMap<PromptId, Prompt>,
    pub to_close: Vec<CloseStep>,
    pub to_seal: Vec<Content>,
    pub policy: SessionPolicy,
    pub governance: Arc<Governance>,
}

impl Default for Governed {
    fn default() -> Self {
        Self {
            sessions: BTreeMap::new(),
            told: Vec::new(),
            flags: BTreeMap::new(),
            touched: BTreeMap::new(),
            acknowledged: Vec::new(),
            allowed: Vec::new(),
            to_write: Vec::new(),
            closings: BTreeMap::new(),
            prompts: BTreeMap::new(),
            to_close: Vec::new(),
            to_seal: Vec::new(),
            policy: SessionPolicy { is_on: false, ..SessionPolicy::default() },
            governance: Arc::new(Governance { today: "2026-02-28".to_owned(), ..Governance::default() }),
        }
    }
}

impl Governed {
    /// Performs an effect, if it is one about sessions.
    pub(super) fn apply(&mut self, effect: &Effect) {
        match effect {
            Effect::PutSession(session) => {
                self.sessions.insert(session.id, (**session).clone());
                let open = self.sessions.values().filter(|session| session.state.is_open()).count();
                assert!(open <= 1, "{open} sessions are open at once");
            }
            Effect::TellSession(told) => self.told.push((**told).clone()),
            Effect::PutFlag(flag) => drop(self.flags.insert(flag.id, (**flag).clone())),
            Effect::NoteTouched { task, path, touch } => {
                let key = (*task, path.clone());
                let touch = touch.after(self.touched.get(&key).copied());
                self.touched.insert(key, touch);
            }
            Effect::WriteDocuments(documents) => self.to_write.push((**documents).clone()),
            Effect::PutPrompt(prompt) => drop(self.prompts.insert(prompt.id, (**prompt).clone())),
            Effect::PutClosing(closing) => drop(self.closings.insert(closing.session, (**closing).clone())),
            Effect::CloseStep(step) => self.to_close.push((**step).clone()),
            Effect::SealArchive(content) => self.to_seal.push((**content).clone()),
            Effect::PutAcknowledged(seen) => self.acknowledged.push((**seen).clone()),
            Effect::PutAllowed(allowed) => self.allowed.push((**allowed).clone()),
            Effect::DropAllowed(number) => self.allowed.retain(|allowed| allowed.number != *number),
            Effect::Record(_)
            | Effect::SettleFiles(_)
            | Effect::LoosenFiles(_)
            | Effect::PutTask(_)
            | Effect::RemoveTask(_)
            | Effect::FreeDependents(_)
            | Effect::BeginRun { .. }
            | Effect::PutRun(_)
            | Effect::PutReport { .. }
            | Effect::PutQuestion(_)
            | Effect::PutHandOff(_)
            | Effect::PutHandOffText { .. }
            | Effect::AllowAgent { .. }
            | Effect::EndProcess(_)
            | Effect::TellAgent { .. }
            | Effect::StartHandOff { .. }
            | Effect::WriteSetting(_)
            | Effect::PutFile(_)
            | Effect::PutDecision(_)
            | Effect::ForgetDecision(_)
            | Effect::DropContent(_)
            | Effect::KeepApproval(_)
            | Effect::PutClaim(_)
            | Effect::DropClaim(_)
            | Effect::WriteFile(_)
            | Effect::SettleWrite { .. } => {}
        }
    }

    pub(super) fn open(&self) -> Option<Session> {
        self.sessions.values().find(|session| session.state.is_open()).cloned()
    }

    pub(super) fn next_session(&self) -> SessionId {
        SessionId(self.sessions.keys().next_back().map_or(1, |id| id.0 + 1))
    }

    pub(super) fn next_flag(&self) -> u64 {
        self.flags.keys().next_back().map_or(1, |id| id.0 + 1)
    }

    pub(super) fn flags_at(&self, session: SessionId, path: &FilePath) -> Vec<Flag> {
        self.flags.values().filter(|flag| flag.session == session && flag.path == *path).cloned().collect()
    }

    pub(super) fn flags_waiting(&self, session: SessionId, limit: usize) -> Vec<Flag> {
        let waiting = self.flags.values().filter(|flag| flag.session == session && flag.answer.is_none());
        waiting.take(limit).cloned().collect()
    }

    pub(super) fn touched_by(&self, task: TaskId, limit: usize) -> Vec<(FilePath, Touch)> {
        let of = self.touched.iter().filter(|((by, _), _)| *by == task);
        of.map(|((_, path), touch)| (path.clone(), *touch)).take(limit).collect()
    }
}
