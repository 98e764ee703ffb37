//! The person who decides: all kinds of selections and verdicts, with a look first where one is asked for, and taking
//! back at once, where the disk must be exactly what it was.

use super::actors::ada;
use super::world::{Step, World};
use crate::actor::Actor;
use crate::queue::{Claim, Ending, Finish, TaskDraft};
use crate::refusal::Refusal;
use crate::review::{
    Assignee, Decide, DecisionId, Purge, Selection, TakeBack, confirm_token, redo_shown, select, undo_shown,
};
use crate::turn::{Answer, Command, Decided, Input};
use crate::weave::Standing;

/// What went otherwise than planned so far. Where nothing did, a decision and its undoing change nothing.
type Mishaps = (u64, u64, Option<u64>, Option<u64>);

impl World {
    fn ask(&mut self, actor: Actor, command: Command) -> Step<Result<Answer, Refusal>> {
        let line = super::super::script::line(&actor, &command);
        let answer = self.turn(&Input::Asked { actor, command })?;
        let came = match &answer {
            Ok(_) => "done".to_owned(),
            Err(refusal) => format!("refused {}", refusal.code()),
        };
        self.say(format!("{line} -> {came}"));
        Ok(answer)
    }

    fn mishaps(&self) -> Mishaps {
        let met = |what| self.summary.met.get(what).copied();
        (self.summary.crashes, self.summary.overtaken, met("not written"), met("written in the editor"))
    }

    pub(super) fn decides(&mut self) -> Step {
        let what = self.selection();
        let verdict = if self.random.chance(60) { Standing::Rejected } else { Standing::Approved };
        if self.random.chance(2)
            && let Some(run) = self.runs.first().copied()
        {
            let command = Command::Decide(Decide { verdict, what, confirm: None });
            return self.ask(Actor::Run { run }, command).map(drop);
        }
        let actor = if self.random.chance(20) { Actor::Person { name: "bo".to_owned() } } else { ada() };
        // Where the host has missed nothing, what is decided can be taken back to the byte.
        let exact = self.disk == self.known && self.git.is_none();
        let (before, mishaps) = (self.disk.clone(), self.mishaps());
        let answer = self.says_yes(&actor, verdict, what)?;
        let Ok(Answer::Decided(Decided { decision, hunks, .. })) = answer else { return Ok(()) };
        if hunks == 0 || !self.random.chance(50) {
            return Ok(());
        }
        let after = self.disk.clone();
        let of = |decision: DecisionId| TakeBack { decision: Some(decision.to_string()), confirm: None };
        let undone = self.ask(ada(), Command::UndoDecision(of(decision)))?;
        if !exact || mishaps != self.mishaps() {
            return Ok(());
        }
        match undone {
            Ok(_) if self.disk == before => self.summary.met("undone exactly"),
            Ok(_) => return Err(format!("undoing {decision} at once does not give back what was there")),
            Err(refusal) => return Err(format!("{decision} cannot be undone at once: {refusal}")),
        }
        if self.random.chance(50) {
            let redone = self.ask(ada(), Command::RedoDecision(of(decision)))?;
            if mishaps == self.mishaps() {
                match redone {
                    Ok(_) if self.disk == after => self.summary.met("redone exactly"),
                    Ok(_) => return Err(format!("redoing {decision} at once does not give back what was there")),
                    Err(refusal) => return Err(format!("{decision} cannot be redone at once: {refusal}")),
                }
            }
        }
        Ok(())
    }

    /// Decides, and where that is asked for looks first; at times at something that is no longer so.
    fn says_yes(&mut self, actor: &Actor, verdict: Standing, what: Selection) -> Step<Result<Answer, Refusal>> {
        let first = Command::Decide(Decide { verdict, what: what.clone(), confirm: None });
        let answer = self.ask(actor.clone(), first)?;
        let Err(Refusal::Entangled { .. } | Refusal::ControlFiles { .. }) = answer else { return Ok(answer) };
        let Ok(selected) = select(&self.memory, &what) else { return Ok(answer) };
        let token = confirm_token(verdict, &selected);
        if self.random.chance(10) {
            self.summary.overtaken += 1;
            let path = self.any_file();
            self.person_edits(&path)?;
            self.look(&crate::review::Cause::Live)?;
        }
        if self.random.chance(15) {
            return Ok(answer);
        }
        let is_so = select(&self.memory, &what).is_ok_and(|selected| confirm_token(verdict, &selected) == token);
        let command = Command::Decide(Decide { verdict, what, confirm: Some(token) });
        let answer = self.ask(actor.clone(), command)?;
        match &answer {
            Err(Refusal::ShownOtherwise { .. }) if is_so => Err("a yes to what is shown was not taken".to_owned()),
            Ok(_) | Err(_) => Ok(answer),
        }
    }

    fn selection(&mut self) -> Selection {
        let mut what = Selection::default();
        let hunks: Vec<String> = self.memory.files().hunks().map(|(id, _)| id.to_owned()).collect();
        match self.random.below(8) {
            0..=2 if !hunks.is_empty() => {
                what.hunks.push(self.random.pick(&hunks));
                if self.random.chance(30) {
                    what.hunks.push(self.random.pick(&hunks));
                }
            }
            3..=4 => what.file = Some(self.any_path().to_text()),
            5 => what.task = Some(format!("a{}", 1 + self.random.below(4))),
            6 => what.unknown = true,
            7 => what.run = Some(format!("a{}.1", 1 + self.random.below(4))),
            _ => what.all = true,
        }
        what
    }

    pub(super) fn takes_back(&mut self) -> Step {
        let decisions: Vec<String> = self.memory.files().decisions().keys().map(ToString::to_string).collect();
        let named = !decisions.is_empty() && self.random.chance(50);
        let which = named.then(|| self.random.pick(&decisions));
        let undo = self.random.chance(60);
        let order = |confirm: Option<String>| {
            let wanted = TakeBack { decision: which.clone(), confirm };
            if undo { Command::UndoDecision(wanted) } else { Command::RedoDecision(wanted) }
        };
        let answer = self.ask(ada(), order(None))?;
        let Err(Refusal::Entangled { .. }) = answer else { return Ok(()) };
        let which = which.as_deref();
        let shown = if undo { undo_shown(&self.memory, which) } else { redo_shown(&self.memory, which) };
        let Ok(shown) = shown else { return Err("what is asked about cannot be shown".to_owned()) };
        match self.ask(ada(), order(Some(shown.confirm_token())))? {
            Err(Refusal::ShownOtherwise { .. } | Refusal::Entangled { .. }) => {
                Err("a yes to what is shown was not taken".to_owned())
            }
            Ok(_) => {
                self.summary.met("redone among others' work");
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }

    pub(super) fn assigns(&mut self) -> Step {
        let mut what = self.selection();
        if self.random.chance(50) {
            what = Selection { unknown: true, ..Selection::default() };
        }
        let to = if self.random.chance(50) { Assignee::Me } else { Assignee::Task("a1".to_owned()) };
        let _answer = self.ask(ada(), Command::AssignChanges { what, to })?;
        self.fates.claimed(&self.disk, &self.memory);
        Ok(())
    }

    pub(super) fn purges(&mut self) -> Step {
        self.settle()?;
        let purge = Purge { older_than_ms: self.random.between(0, 30_000), confirm: self.random.chance(70) };
        let stays = self.fates.before_purge(&self.disk, &self.memory);
        let confirm = purge.confirm;
        let disk = self.disk.clone();
        self.ask(ada(), Command::PurgeDecisions(purge))?.map_err(|refusal| refusal.to_string())?;
        if self.disk != disk {
            return Err("purging wrote files".to_owned());
        }
        if confirm {
            self.fates.purged(&stays);
        }
        self.settle()
    }

    pub(super) fn begins_run(&mut self) -> Step {
        let draft = TaskDraft { title: "Work".to_owned(), max_attempts: 3, ..TaskDraft::default() };
        let _added = self.ask(ada(), Command::AddTask(draft))?;
        let claim =
            Claim { agent: "goose".to_owned(), capabilities: [].into(), lease_ms: 3_600_000, token_hash: [7; 32] };
        if let Ok(Answer::Taken { run, .. }) = self.ask(ada(), Command::TakeNext(claim))? {
            self.runs.push(run);
        }
        Ok(())
    }

    pub(super) fn ends_run(&mut self) -> Step {
        if self.runs.is_empty() {
            return Ok(());
        }
        let run = self.runs.remove(self.random.below(self.runs.len()));
        let finish = Finish { ending: Ending::Completed, result: None };
        let command = Command::FinishTask { task: run.task.to_string(), attempt: Some(run.attempt), finish };
        self.ask(Actor::Run { run }, command).map(drop)
    }
}
