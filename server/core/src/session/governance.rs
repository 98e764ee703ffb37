//! What the project's documents say: the plan, the changelog, and whether there is an architecture. Read by the host before
//! each turn that needs it; here only put together and asked.

use crate::document::{Changelog, Finished, Plan, PlanStatus, PlanTask};
use crate::report::{Next, Progress};
use crate::session::Item;
use crate::task::NAME_LIMIT;
use crate::text::{quoted, shortened};

pub use crate::report::LastSession;

/// How many tasks are proposed for a session.
const PROPOSED: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Governance {
    /// The name of the workspace's folder.
    pub project: String,
    /// The documents that were read, by path, and those that are not there.
    pub read: Vec<String>,
    pub missing: Vec<String>,
    /// What could not be understood in them, with the line.
    pub problems: Vec<String>,
    pub plan: Option<Plan>,
    /// Where the plan lies.
    pub plan_path: String,
    pub changelog: Option<Changelog>,
    /// Today's date where the person is, as in `2026-02-28`.
    pub today: String,
}

impl Governance {
    /// The number of the next session: one more than the changelog's highest, or where it names none, than the plan's.
    #[must_use]
    pub fn next_session(&self) -> u32 {
        let by_changelog = self.changelog.as_ref().map_or(1, Changelog::next_session);
        let by_plan = self.plan.as_ref().and_then(|plan| session_in(plan.last_updated.as_deref()?));
        match by_plan {
            Some(last) if by_changelog == 1 => last.saturating_add(1),
            Some(_) | None => by_changelog,
        }
    }

    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        let (done, total) = self.plan.as_ref()?.progress();
        Some(Progress { done, total })
    }

    #[must_use]
    pub fn phase(&self) -> Option<String> {
        self.plan.as_ref()?.phase.clone()
    }

    #[must_use]
    pub fn sprint_goal(&self) -> Option<String> {
        self.plan.as_ref()?.sprint_goal.clone()
    }

    /// The current phase's place among all.
    #[must_use]
    pub fn phase_place(&self) -> Option<(u32, u32)> {
        let plan = self.plan.as_ref()?;
        let current = plan.current_phase()?;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Some((count(current + 1), count(plan.phases.len())))
    }

    /// What a thing called so serves, by the plan.
    #[must_use]
    pub fn goal_of(&self, title: &str) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let task = &plan.tasks[plan.find_task(title)?];
        let phase = task.phase.and_then(|phase| plan.phases.get(phase));
        let goal = plan.sprint_goal.clone().or_else(|| phase.and_then(|phase| phase.goal.clone()));
        goal.or_else(|| phase.map(|phase| phase.name.clone())).or_else(|| Some(task.title.clone()))
    }

    /// Whether a goal that a person named is one of the plan's: its sprint goal, a phase or its goal, or a task.
    #[must_use]
    pub fn has_goal(&self, goal: &str) -> bool {
        let Some(plan) = &self.plan else { return false };
        let same = |other: &str| other.trim().eq_ignore_ascii_case(goal.trim());
        plan.sprint_goal.as_deref().is_some_and(same)
            || plan.phase.as_deref().is_some_and(same)
            || plan
                .phases
                .iter()
                .any(|phase| same(&phase.name) || same(&phase.id) || phase.goal.as_deref().is_some_and(same))
            || plan.find_task(goal).is_some()
    }

    /// Whether there are goals at all that something could serve.
    #[must_use]
    pub fn has_goals(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| !plan.tasks.is_empty() || plan.sprint_goal.is_some())
    }

    /// A thing for a scope, with what the plan knows of it.
    #[must_use]
    pub fn item(&self, title: &str) -> Item {
        let found = self.plan.as_ref().and_then(|plan| plan.find_task(title).map(|at| (plan, at)));
        let (planned, estimate) = match found {
            Some((plan, at)) => {
                let task = &plan.tasks[at];
                let counts = task.status != PlanStatus::Complete && plan.current_tasks().contains(&at);
                (counts, task.estimate.clone())
            }
            None => (false, None),
        };
        Item {
            title: title.to_owned(),
            task: None,
            goal: self.goal_of(title),
            planned,
            estimate,
            end: None,
            ended: None,
            attempt: None,
        }
    }

    /// What the plan says should be done next.
    #[must_use]
    pub fn proposed(&self) -> Vec<Item> {
        let Some(plan) = &self.plan else { return Vec::new() };
        plan.proposed(PROPOSED).into_iter().map(|at| self.item(&plan.tasks[at].title)).collect()
    }

    /// What to say where the current phase is done and another has open tasks: nothing is proposed then.
    #[must_use]
    pub fn phase_is_done(&self) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let Finished { phase, next, open } = plan.finished()?;
        let named = |at: usize| plan.phases.get(at).map(|phase| quoted(&shortened(&phase.name, NAME_LIMIT)));
        let tasks = if open == 1 { "1 open task".to_owned() } else { format!("{open} open tasks") };
        Some(format!(
            "All of {} is done; {} has {tasks}. The line **Current phase:** in {} names the phase: change it to go on there.",
            named(phase)?,
            named(next)?,
            self.plan_path
        ))
    }

    /// Tasks of the current phase that are open, by title: `is_open` is told what the plan says, and may know better.
    pub(super) fn open_tasks(&self, is_open: impl Fn(&str, bool) -> bool) -> Vec<String> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let tasks = plan.current_tasks().into_iter().map(|at| &plan.tasks[at]);
        let open = tasks.filter(|task| is_open(&task.title, task.status != PlanStatus::Complete));
        open.map(|task| task.title.clone()).collect()
    }

    /// What the phases after the current one hold first.
    #[must_use]
    pub fn next_sprint(&self) -> Vec<Next> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let current = plan.current_phase();
        let is_later = |task: &&PlanTask| task.phase > current && task.status != PlanStatus::Complete;
        let later = plan.tasks.iter().filter(is_later).take(PROPOSED);
        later.map(|task| Next { title: task.title.clone(), estimate: task.estimate.clone() }).collect()
    }

    #[must_use]
    pub fn last_session(&self) -> Option<LastSession> {
        let entry = self.changelog.as_ref()?.last_session()?;
        Some(LastSession {
            session: entry.session,
            date: entry.date.clone(),
            completed: entry.done.clone(),
            carried_over: entry.not_done.clone(),
            duration: entry.duration.clone(),
        })
    }

    /// The model that the plan asks for, in general or for one of these things.
    #[must_use]
    pub fn model_for(&self, items: &[Item]) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let of_items = items.iter().filter_map(|item| plan.tasks[plan.find_task(&item.title)?].model.clone());
        let wanted: Vec<String> = of_items.chain(plan.model.clone()).collect();
        wanted.into_iter().max_by_key(|model| strength(model))
    }
}

/// The number in `2026-02-26 (Session 008)`.
fn session_in(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let (_, rest) = lower.split_once("session")?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).take(6).collect();
    digits.parse().ok()
}

/// What families of models are called, from small to large. A name that holds none of these is taken for the middle.
const SMALL: [&str; 6] = ["haiku", "mini", "nano", "flash", "lite", "small"];
const LARGE: [&str; 5] = ["opus", "ultra", "max", "heavy", "large"];

fn strength(model: &str) -> u8 {
    let model = model.to_ascii_lowercase();
    let has = |word: &str| model.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word);
    match (SMALL.iter().any(|word| has(word)), LARGE.iter().any(|word| has(word))) {
        (true, false) => 0,
        (false, true) => 2,
        (true, true) | (false, false) => 1,
    }
}

/// What is to be said where the plan asks for a more capable model than the one at work.
#[must_use]
pub fn model_warning(wanted: Option<&str>, at_work: Option<&str>) -> Option<String> {
    let wanted = wanted?;
    match at_work {
        Some(at_work) if at_work.eq_ignore_ascii_case(wanted) => None,
        Some(at_work) if strength(at_work) >= strength(wanted) => None,
        Some(at_work) => Some(format!(
            "The plan asks for {wanted}, and {at_work} is at work, which is less capable. Change the model, or go on knowing it."
        )),
        None => Some(format!("The plan asks for {wanted}; which model is at work is not known.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_less_capable_model_is_told() {
        let warns = |wanted: &str, at_work: &str| model_warning(Some(wanted), Some(at_work)).is_some();
        assert!(warns("claude-opus-4-5", "claude-sonnet-4-6"));
        assert!(warns("sonnet", "claude-haiku-4-5"));
        assert!(warns("gpt-5", "gpt-5-mini"));
        assert!(!warns("sonnet", "claude-opus-4-5"));
        assert!(!warns("claude-sonnet-4-6", "claude-sonnet-4-6"));
        assert!(!warns("gemini-2.5-flash", "gemini-2.5-pro"));
        assert!(model_warning(Some("opus"), None).is_some());
        assert_eq!(model_warning(None, None), None);
    }
}
