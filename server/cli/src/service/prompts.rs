//! The handlers of prompt sessions. Each works at a *desk* of its own, on a thread that may wait: it reads the store and
//! the history, posts what it is about to write, has the history write it, and posts what came of it. One works at a time,
//! and whoever comes next first finds out what became of something that was begun and not told of again.

mod at_start;
mod branches;
mod change;
mod closing;
mod committing;
mod desk;
mod doubts;
mod finishing;
mod gathering;
mod grouping;
mod guarding;
mod listing;
mod lost_intents;
mod reporting;
mod sorting;
mod starting;
mod subjects;
mod tip_files;
mod to_wire;

use std::collections::BTreeMap;

use augment_core::actor::Role;
use augment_core::prompt::{PromptState, Step};
use augment_core::refusal::Refusal;
use augment_core::settings::PROMPT_INTENTS;
use augment_core::view::View as _;
use augment_protocol::changes::Decided;
use augment_protocol::prompts as wire;
use augment_protocol::status::Nothing;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::methods::{Door, refusal, snapshot};
use desk::Desk;

impl Door {
    /// What only a person may do, alone, with the files known as they are.
    async fn at_desk<T: Send + 'static>(
        &self,
        action: &'static str,
        environment: BTreeMap<String, String>,
        work: impl FnOnce(&Desk) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if self.actor.role() == Role::Run {
            return Err(refusal(&Refusal::RoleMayNot { role: Role::Run, action }));
        }
        let mut alone = self.shared.prompts.lock().await;
        // Whoever says nothing of theirs is taken for the one who spoke last.
        if !environment.is_empty() {
            alone.clone_from(&environment);
        }
        let environment = alone.clone();
        self.settle().await?;
        let (shared, actor) = (self.shared.clone(), self.actor.clone());
        let handle = tokio::runtime::Handle::current();
        let at_desk = move || {
            let desk = Desk::new(shared, actor, handle, &environment)?;
            work(&desk).map_err(|error| desk.after_found(error))
        };
        let done = tokio::task::spawn_blocking(at_desk).await;
        drop(alone);
        done.map_err(|_| Error::internal_error())?
    }

    pub(super) async fn prompt_status(&self, _: Nothing) -> Result<wire::PromptStatus> {
        self.at_desk("prompt status", BTreeMap::new(), |desk| listing::status(desk, Vec::new())).await
    }

    pub(super) async fn prompt_start(&self, start: wire::StartPrompt) -> Result<wire::StartedPrompt> {
        let environment = start.environment.clone();
        self.at_desk("prompt start", environment, move |desk| starting::start(desk, &start)).await
    }

    pub(super) async fn prompt_context(&self, context: wire::SetContext) -> Result<wire::PromptStatus> {
        self.at_desk("prompt context", BTreeMap::new(), move |desk| {
            let wire::SetContext { context, prompt, with_credentials } = context;
            desk.refuse_other(prompt.as_deref())?;
            let prompt = desk.open_prompt()?;
            desk.post(Step::Context { prompt: prompt.id, context, with_credentials })?;
            listing::status(desk, Vec::new())
        })
        .await
    }

    pub(super) async fn prompt_intent(&self, wanted: wire::CommitIntent) -> Result<wire::IntentCommitted> {
        let environment = wanted.environment.clone();
        self.at_desk("prompt intent", environment, move |desk| committing::intent(desk, &wanted)).await
    }

    pub(super) async fn prompt_finish(&self, wanted: wire::FinishPrompt) -> Result<wire::FinishedPrompt> {
        let environment = wanted.environment.clone();
        self.at_desk("prompt finish", environment, move |desk| finishing::finish(desk, &wanted)).await
    }

    pub(super) async fn prompt_report(&self, wanted: wire::ReportPrompt) -> Result<wire::ReportedPrompt> {
        let environment = wanted.environment.clone();
        self.at_desk("prompt report", environment, move |desk| reporting::report(desk, &wanted)).await
    }

    pub(super) async fn prompt_unify(&self, wanted: wire::UnifySubjects) -> Result<wire::UnifiedSubjects> {
        self.at_desk("prompt unify", BTreeMap::new(), move |desk| reporting::unify(desk, wanted.write)).await
    }

    pub(super) async fn prompt_push(&self, wanted: wire::PushPrompt) -> Result<wire::PushedPrompt> {
        let environment = wanted.environment.clone();
        self.at_desk("prompt push", environment, move |desk| closing::push(desk, &wanted)).await
    }

    pub(super) async fn prompt_undo(&self, wanted: wire::UndoPrompt) -> Result<wire::UndonePrompt> {
        let environment = wanted.environment.clone();
        self.at_desk("prompt undo", environment, move |desk| closing::undo(desk, &wanted)).await
    }

    pub(super) async fn prompt_drop(&self, one: wire::OnePrompt) -> Result<wire::PromptStatus> {
        let environment = one.environment.clone();
        self.at_desk("prompt drop", environment, move |desk| closing::give_up(desk, one.prompt)).await
    }

    pub(super) async fn prompts_list(&self, list: wire::ListPrompts) -> Result<wire::PromptList> {
        self.at_desk("prompt list", BTreeMap::new(), move |desk| listing::list(desk, &list)).await
    }

    pub(super) async fn prompt_guard(&self, wanted: wire::GuardPrompt) -> Result<wire::Guarded> {
        let environment = wanted.environment.clone();
        self.at_desk("prompt guard", environment, move |desk| guarding::guard(desk, &wanted)).await
    }

    /// Where the person wants it so, what was just approved becomes an intent at once. What comes of it is told with the
    /// decision; the decision itself stands either way.
    pub(super) async fn intent_of(&self, decided: &mut Decided) {
        if self.shared.runtime.settings().text(PROMPT_INTENTS) != "approved" {
            return;
        }
        let open = snapshot(&self.shared, |snapshot| snapshot.view().prompt()).await;
        let is_open = open.is_ok_and(|prompt| prompt.is_some_and(|prompt| prompt.state == PromptState::Open));
        if !is_open {
            return;
        }
        let decision = decided.decision.clone();
        let made = self
            .at_desk("prompt intent", BTreeMap::new(), move |desk| Ok(committing::of_decision(desk, &decision)))
            .await;
        let said = made.unwrap_or_else(|error| committing::not_committed(&error));
        decided.message += &format!(" {said}");
    }
}
