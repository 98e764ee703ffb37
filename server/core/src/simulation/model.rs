//! The queue as a person would keep it on paper: a list of items that is read from the top, no index, no counter, no
//! rank. It is written from what the queue promises and shares no rule with `queue`; where both say the same, both are
//! probably right. The one thing it is told is where an item lands when its priority is edited.

use std::collections::BTreeMap;
use std::fmt;

use super::values::{Refused, attempts, claimant, clearable, limit, lines, names, one_line, priority, setting, sorted};
use crate::actor::Actor;
use crate::queue::{Claim, Edit, Ending, Finish, LEASES_A_TURN, Place, TaskDraft};
use crate::turn::Command;

/// What came of a command, as far as the model can say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Refused(&'static str),
    Changed(u64),
    Alive(u64),
    Taken {
        number: u64,
        attempt: u32,
    },
    NothingReady,
    Removed(u64),
    Moved {
        number: u64,
        was: String,
    },
    SettingChanged,
    /// Nothing of the queue's.
    Noted,
}

#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) number: u64,
    id: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) priority: String,
    pub(super) status: &'static str,
    pub(super) goal: Option<String>,
    pub(super) scope: Vec<String>,
    pub(super) labels: Vec<String>,
    pub(super) assignee: Option<String>,
    /// Required capabilities, in alphabetical order.
    pub(super) needs: Vec<String>,
    pub(super) depends_on: Vec<u64>,
    pub(super) limit_ms: Option<i64>,
    pub(super) attempt: u32,
    pub(super) attempts_used: u32,
    pub(super) max_attempts: u32,
    pub(super) created: i64,
    pub(super) started: Option<i64>,
    pub(super) ended: Option<i64>,
    pub(super) holder: Option<String>,
    pub(super) result: Words,
    pub(super) lease: Option<Held>,
    /// The number of the last record that changed it.
    pub(super) revision: u64,
}

/// The result of an item: what its holder said, or something that the host put there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Words {
    Said(Option<String>),
    ByHost,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) boot: String,
    pub(super) length_ms: i64,
    pub(super) began: i64,
    pub(super) due: i64,
}

/// The model's clock at one operation.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) wall: i64,
    pub(super) steady: i64,
    pub(super) boot: String,
}

/// What a passing of time did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Passed {
    pub(super) returned: usize,
    pub(super) failed: usize,
    pub(super) carried: usize,
}

impl Passed {
    pub(super) fn all(self) -> usize {
        self.returned + self.failed + self.carried
    }
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, what) in [(self.returned, "returned"), (self.failed, "failed"), (self.carried, "carried over")] {
            if count > 0 {
                write!(f, "({count} {what}) ")?;
            }
        }
        Ok(())
    }
}

pub(super) struct Model {
    /// By number, lowest first.
    items: Vec<Item>,
    /// The numbers of all items of each priority, in the order in which they are handed out.
    lanes: [(&'static str, Vec<u64>); 3],
    last_number: u64,
    records: u64,
    /// Records of moves, and of turns that ended too many leases for one: which items they touched besides the one named
    /// depends on how the order is kept.
    loose: BTreeMap<u64, Learnt>,
}

impl Model {
    pub(super) fn new(records: u64) -> Self {
        let lanes = ["high", "medium", "low"].map(|priority| (priority, Vec::new()));
        Self { items: Vec::new(), lanes, last_number: 0, records, loose: BTreeMap::new() }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn lanes(&self) -> &[(&'static str, Vec<u64>); 3] {
        &self.lanes
    }

    pub(super) fn records(&self) -> u64 {
        self.records
    }

    pub(super) fn last_number(&self) -> u64 {
        self.last_number
    }

    pub(super) fn item(&self, number: u64) -> Option<&Item> {
        self.at(number).map(|at| &self.items[at])
    }

    fn at(&self, number: u64) -> Option<usize> {
        self.items.binary_search_by_key(&number, |item| item.number).ok()
    }

    fn item_mut(&mut self, number: u64) -> &mut Item {
        let at = self.at(number).expect("the model names only its own items");
        &mut self.items[at]
    }

    fn lane(&mut self, priority: &str) -> &mut Vec<u64> {
        let lane = self.lanes.iter_mut().find(|(name, _)| *name == priority);
        &mut lane.expect("an item has one of the three priorities").1
    }

    /// Whether this can be the revision of the item. Where a record may have touched it unbeknown, the model learns it.
    pub(super) fn learns_revision(&mut self, number: u64, revision: u64) -> Option<Learnt> {
        let loose = self.loose.get(&revision).copied();
        let item = self.item_mut(number);
        if item.revision == revision {
            return Some(Learnt::Nothing);
        }
        let learnt = loose.filter(|_| revision > item.revision)?;
        item.revision = revision;
        Some(learnt)
    }

    /// The order of a priority after one item was edited into it: only that item may stand somewhere new.
    pub(super) fn learns_order(&mut self, number: u64, priority: &str, order: Vec<u64>) -> Result<(), String> {
        let others: Vec<u64> = order.iter().copied().filter(|other| *other != number).collect();
        let lane = self.lane(priority);
        lane.retain(|other| *other != number);
        if *lane != others {
            return Err(format!(
                "editing the priority of {} changed the order of others: {lane:?}, now {others:?}",
                id_text(number)
            ));
        }
        *lane = order;
        Ok(())
    }

    pub(super) fn time_passed(&mut self, now: &Moment) -> Passed {
        let mut passed = Passed::default();
        let mut touched = Vec::new();
        for item in &mut self.items {
            let Some(lease) = &mut item.lease else { continue };
            if lease.boot != now.boot {
                *lease = held(now, lease.length_ms, now.steady, item.limit_ms);
                passed.carried += 1;
            } else if lease.due > now.steady {
                continue;
            } else if item.attempts_used < item.max_attempts {
                item.lease = None;
                item.status = "pending";
                passed.returned += 1;
            } else {
                item.lease = None;
                item.status = "failed";
                item.ended = Some(now.wall);
                item.result = Words::ByHost;
                passed.failed += 1;
            }
            touched.push(item.number);
        }
        let first = self.records + 1;
        self.records += u64::try_from(touched.len()).expect("a usize fits 64 bits");
        let (last, fits) = (self.records, touched.len() <= LEASES_A_TURN);
        if !fits {
            let ends = (first..last).skip(LEASES_A_TURN - 1).step_by(LEASES_A_TURN).chain([last]);
            self.loose.extend(ends.map(|end| (end, Learnt::WhichTurn)));
        }
        for number in touched {
            self.item_mut(number).revision = if fits { last } else { first };
        }
        passed
    }

    pub(super) fn obey(&mut self, actor: &Actor, command: &Command, now: &Moment) -> Verdict {
        let verdict = self.try_obey(actor, command, now).unwrap_or_else(Verdict::Refused);
        let touched = match &verdict {
            Verdict::NothingReady | Verdict::Alive(_) => return verdict,
            Verdict::Refused(_) | Verdict::Removed(_) | Verdict::SettingChanged | Verdict::Noted => None,
            Verdict::Changed(number) | Verdict::Taken { number, .. } | Verdict::Moved { number, .. } => Some(*number),
        };
        self.records += 1;
        let records = self.records;
        if let Some(number) = touched {
            self.item_mut(number).revision = records;
            if matches!(
                command,
                Command::MoveTask { .. } | Command::EditTask { edit: Edit { priority: Some(_), .. }, .. }
            ) {
                self.loose.insert(records, Learnt::Respread);
            }
        }
        verdict
    }

    fn try_obey(&mut self, actor: &Actor, command: &Command, now: &Moment) -> Result<Verdict, Refused> {
        let by_run = matches!(actor, Actor::Run { .. });
        if by_run && !matches!(command, Command::Heartbeat { .. } | Command::FinishTask { .. } | Command::ClaimFile(_))
        {
            return Err("role-may-not");
        }
        match command {
            Command::AddTask(draft) => self.add(draft, now),
            Command::EditTask { task, edit, shown_at } => self.edit(task, edit, *shown_at),
            Command::MoveTask { task, place, shown_at } => self.move_to(task, place, *shown_at),
            Command::RemoveTask { task, shown_at } => self.remove(task, *shown_at),
            Command::CancelTask { task, reason, shown_at } => self.cancel(task, reason.as_deref(), *shown_at, now),
            Command::RetryTask { task, shown_at } => self.retry(task, *shown_at),
            Command::TakeNext(claim) => self.next(claim, now),
            Command::ClaimTask { task, claim } => self.claim(task, claim, now),
            Command::Heartbeat { task, attempt } => self.heartbeat(actor, task, *attempt, now),
            Command::FinishTask { task, attempt, finish } => self.finish(actor, task, *attempt, finish, now),
            Command::ChangeSetting(change) => setting(change).map(|()| Verdict::SettingChanged),
            // What is about files and agents is made up and judged in whole sessions, not here.
            Command::Decide(_)
            | Command::UndoDecision(_)
            | Command::RedoDecision(_)
            | Command::AssignChanges { .. }
            | Command::PurgeDecisions(_)
            | Command::ClaimFile(_)
            | Command::EditorSaved { .. }
            | Command::StartAgent(_)
            | Command::AllowAgent { .. }
            | Command::StopRun(_)
            | Command::ReportRun { .. }
            | Command::AskPerson(_)
            | Command::AnswerQuestion { .. }
            | Command::LogDiscovered(_)
            | Command::DecideHandOff { .. }
            | Command::HookSeen(_)
            | Command::StartSession { .. }
            | Command::ConfirmScope { .. }
            | Command::AdjustScope(_)
            | Command::ContinueSession { .. }
            | Command::EndSession { .. }
            | Command::SessionCommitted { .. }
            | Command::CompleteSession(_)
            | Command::ResumeSession(_)
            | Command::AnswerFlag(_)
            | Command::RequestScope(_)
            | Command::AcknowledgeFinding { .. }
            | Command::AllowFinding(_)
            | Command::DropAllowed(_)
            | Command::Remember(_)
            | Command::Prompt(_)
            | Command::StopHost => Ok(Verdict::Noted),
        }
    }

    /// The one item whose id is, or begins with, what was typed.
    pub(super) fn resolve(&self, typed: &str) -> Result<u64, Refused> {
        let typed = typed.trim().to_lowercase();
        if let Ok(number) = typed.parse::<u64>() {
            return self.item(number).map(|item| item.number).ok_or("unknown-task");
        }
        if typed.is_empty() {
            return Err("unknown-task");
        }
        let mut meant = self.items.iter().filter(|item| item.id.starts_with(&typed));
        match (meant.next(), meant.next()) {
            (None, _) => Err("unknown-task"),
            (Some(one), None) => Ok(one.number),
            (Some(_), Some(_)) => Err("ambiguous-task"),
        }
    }

    fn resolve_shown(&self, typed: &str, shown_at: Option<u64>) -> Result<u64, Refused> {
        let number = self.resolve(typed)?;
        let revision = self.item(number).map(|item| item.revision);
        if shown_at.is_some() && shown_at != revision { Err("stale") } else { Ok(number) }
    }

    fn add(&mut self, draft: &TaskDraft, now: &Moment) -> Result<Verdict, Refused> {
        if let Some(origin) = &draft.origin
            && !["typed", "connector", "discovered", "hand-off"].contains(&origin.as_str())
        {
            return Err("unknown-origin");
        }
        let number = self.last_number + 1;
        let item = Item {
            number,
            id: id_text(number),
            title: one_line(&draft.title, 200)?,
            description: lines(&draft.description)?,
            priority: priority(draft.priority.as_deref().unwrap_or("medium"))?,
            status: "pending",
            goal: clearable(draft.goal.as_deref().unwrap_or(""), 200)?,
            scope: names(&draft.scope, 64, 256)?,
            labels: names(&draft.labels, 32, 100)?,
            assignee: clearable(draft.assignee.as_deref().unwrap_or(""), 100)?,
            needs: sorted(names(&draft.capabilities, 16, 100)?),
            depends_on: self.dependencies(&draft.depends_on)?,
            limit_ms: limit(draft.time_limit_ms)?,
            attempt: 0,
            attempts_used: 0,
            max_attempts: attempts(draft.max_attempts)?,
            created: now.wall,
            started: None,
            ended: None,
            holder: None,
            result: Words::Said(None),
            lease: None,
            revision: 0,
        };
        self.last_number = number;
        self.lane(&item.priority).push(number);
        self.items.push(item);
        Ok(Verdict::Changed(number))
    }

    fn edit(&mut self, typed: &str, edit: &Edit, shown_at: Option<u64>) -> Result<Verdict, Refused> {
        let number = self.resolve_shown(typed, shown_at)?;
        let mut item = self.item_mut(number).clone();
        match item.status {
            "pending" => {}
            "in-progress" => {
                if edit.capabilities.is_some() || edit.assignee.is_some() || edit.depends_on.is_some() {
                    return Err("held");
                }
            }
            _ => return Err("wrong-status"),
        }
        let before = told(&item);
        let old_priority = item.priority.clone();
        if let Some(title) = &edit.title {
            item.title = one_line(title, 200)?;
        }
        if let Some(description) = &edit.description {
            item.description = lines(description)?;
        }
        if let Some(goal) = &edit.goal {
            item.goal = clearable(goal, 200)?;
        }
        if let Some(scope) = &edit.scope {
            item.scope = names(scope, 64, 256)?;
        }
        if let Some(labels) = &edit.labels {
            item.labels = names(labels, 32, 100)?;
        }
        if let Some(needs) = &edit.capabilities {
            item.needs = sorted(names(needs, 16, 100)?);
        }
        if let Some(assignee) = &edit.assignee {
            item.assignee = clearable(assignee, 100)?;
        }
        if let Some(limit_ms) = edit.time_limit_ms {
            item.limit_ms = limit((limit_ms != 0).then_some(limit_ms))?;
            if let (Some(held), Some(limit_ms)) = (item.lease.as_mut(), item.limit_ms)
                && held.began + limit_ms < held.due
            {
                held.due = held.began + limit_ms;
            }
        }
        if let Some(max_attempts) = edit.max_attempts {
            item.max_attempts = attempts(max_attempts)?;
        }
        if let Some(wanted) = &edit.depends_on {
            item.depends_on = self.dependencies(wanted)?;
            if item.depends_on.iter().any(|dependency| self.leads_to(*dependency, number)) {
                return Err("dependency-cycle");
            }
        }
        if let Some(wanted) = &edit.priority {
            item.priority = priority(wanted)?;
        }
        if told(&item) == before {
            return Err("nothing-to-change");
        }
        if item.priority != old_priority {
            // Somewhere in the new lane; the driver asks where.
            self.lane(&old_priority).retain(|other| *other != number);
            self.lane(&item.priority).push(number);
        }
        *self.item_mut(number) = item;
        Ok(Verdict::Changed(number))
    }

    fn move_to(&mut self, typed: &str, place: &Place, shown_at: Option<u64>) -> Result<Verdict, Refused> {
        let number = self.resolve_shown(typed, shown_at)?;
        if self.item_mut(number).ended.is_some() {
            return Err("wrong-status");
        }
        let was = self.item_mut(number).priority.clone();
        let (lane_name, beside) = match place {
            Place::Top | Place::Bottom => (was.clone(), None),
            Place::Before(other) | Place::After(other) => {
                let other = self.resolve(other)?;
                if other == number {
                    return Err("beside-itself");
                }
                (self.item_mut(other).priority.clone(), Some(other))
            }
        };
        self.lane(&was).retain(|other| *other != number);
        let lane = self.lane(&lane_name);
        let beside = beside.map(|other| lane.iter().position(|found| *found == other).expect("it is in its lane"));
        let at = match (place, beside) {
            (Place::Top, _) => 0,
            (Place::Before(_), Some(at)) => at,
            (Place::After(_), Some(at)) => at + 1,
            (Place::Bottom | Place::Before(_) | Place::After(_), _) => lane.len(),
        };
        lane.insert(at, number);
        self.item_mut(number).priority = lane_name;
        Ok(Verdict::Moved { number, was })
    }

    fn remove(&mut self, typed: &str, shown_at: Option<u64>) -> Result<Verdict, Refused> {
        let number = self.resolve_shown(typed, shown_at)?;
        if self.item_mut(number).status == "in-progress" {
            return Err("held");
        }
        if self.items.iter().any(|item| item.depends_on.contains(&number)) {
            return Err("needed");
        }
        self.items.retain(|item| item.number != number);
        self.lanes.iter_mut().for_each(|(_, lane)| lane.retain(|other| *other != number));
        Ok(Verdict::Removed(number))
    }

    fn cancel(
        &mut self,
        typed: &str,
        reason: Option<&str>,
        shown_at: Option<u64>,
        now: &Moment,
    ) -> Result<Verdict, Refused> {
        let number = self.resolve_shown(typed, shown_at)?;
        let reason = reason.map(lines).transpose()?;
        let item = self.item_mut(number);
        if !["pending", "in-progress"].contains(&item.status) {
            return Err("wrong-status");
        }
        item.status = "cancelled";
        item.lease = None;
        item.ended = Some(now.wall);
        item.result = Words::Said(reason);
        Ok(Verdict::Changed(number))
    }

    fn retry(&mut self, typed: &str, shown_at: Option<u64>) -> Result<Verdict, Refused> {
        let number = self.resolve_shown(typed, shown_at)?;
        let item = self.item_mut(number);
        if !["failed", "partial", "blocked", "cancelled"].contains(&item.status) {
            return Err("wrong-status");
        }
        item.status = "pending";
        item.attempts_used = 0;
        item.ended = None;
        item.result = Words::Said(None);
        Ok(Verdict::Changed(number))
    }

    fn next(&mut self, claim: &Claim, now: &Moment) -> Result<Verdict, Refused> {
        let agent = claimant(claim)?;
        let in_order = self.lanes.iter().flat_map(|(_, lane)| lane);
        let found = in_order.filter_map(|number| self.item(*number)).find(|item| {
            item.status == "pending" && fits(item, &agent, claim) && self.open_dependencies(item).next().is_none()
        });
        match found.map(|item| item.number) {
            Some(number) => Ok(self.take(number, agent, claim, now)),
            None => Ok(Verdict::NothingReady),
        }
    }

    fn claim(&mut self, typed: &str, claim: &Claim, now: &Moment) -> Result<Verdict, Refused> {
        let agent = claimant(claim)?;
        let number = self.resolve(typed)?;
        let item = self.item(number).ok_or("unknown-task")?;
        match item.status {
            "pending" => {}
            "in-progress" => return Err("held"),
            _ => return Err("wrong-status"),
        }
        if self.open_dependencies(item).next().is_some() {
            return Err("not-ready");
        }
        if !fits(item, &agent, claim) {
            return Err("not-for-agent");
        }
        Ok(self.take(number, agent, claim, now))
    }

    fn take(&mut self, number: u64, agent: String, claim: &Claim, now: &Moment) -> Verdict {
        let item = self.item_mut(number);
        item.status = "in-progress";
        item.attempt += 1;
        item.attempts_used += 1;
        item.holder = Some(agent);
        item.started = Some(now.wall);
        item.ended = None;
        item.result = Words::Said(None);
        item.lease = Some(held(now, claim.lease_ms, now.steady, item.limit_ms));
        Verdict::Taken { number, attempt: item.attempt }
    }

    fn heartbeat(
        &mut self,
        actor: &Actor,
        typed: &str,
        attempt: Option<u32>,
        now: &Moment,
    ) -> Result<Verdict, Refused> {
        let number = self.spoken_for(actor, typed, attempt)?;
        let item = self.item_mut(number);
        let Some(lease) = &item.lease else { return Err("wrong-status") };
        item.lease = Some(held(now, lease.length_ms, lease.began, item.limit_ms));
        Ok(Verdict::Alive(number))
    }

    fn finish(
        &mut self,
        actor: &Actor,
        typed: &str,
        attempt: Option<u32>,
        finish: &Finish,
        now: &Moment,
    ) -> Result<Verdict, Refused> {
        let result = finish.result.as_deref().map(lines).transpose()?;
        let number = self.spoken_for(actor, typed, attempt)?;
        let item = self.item_mut(number);
        if !["pending", "in-progress"].contains(&item.status) {
            return Err("wrong-status");
        }
        item.status = match finish.ending {
            Ending::Completed => "completed",
            Ending::Partial => "partial",
            Ending::Blocked => "blocked",
            Ending::Failed => "failed",
        };
        item.lease = None;
        item.ended = Some(now.wall);
        item.result = Words::Said(result);
        Ok(Verdict::Changed(number))
    }

    /// Only the attempt under way may be spoken for, and its number has to be said by everyone but the run itself.
    fn spoken_for(&self, actor: &Actor, typed: &str, attempt: Option<u32>) -> Result<u64, Refused> {
        let number = self.resolve(typed)?;
        let item = self.item(number).ok_or("unknown-task")?;
        let said = match actor {
            Actor::Run { run } if run.task.number() != number => return Err("not-its-task"),
            Actor::Run { run } => Some(run.attempt),
            Actor::Person { .. } | Actor::Host => attempt,
        };
        let under_way = (item.status == "in-progress").then_some(item.attempt);
        match said {
            Some(_) if said == under_way => Ok(number),
            Some(_) => Err("late-word"),
            None if under_way.is_some() => Err("attempt-not-said"),
            None => Ok(number),
        }
    }

    fn dependencies(&self, wanted: &[String]) -> Result<Vec<u64>, Refused> {
        if wanted.len() > 64 {
            return Err("too-many");
        }
        let mut numbers = Vec::new();
        for typed in wanted {
            let number = self.resolve(typed)?;
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        Ok(numbers)
    }

    pub(super) fn open_dependencies<'a>(&'a self, item: &'a Item) -> impl Iterator<Item = u64> + 'a {
        let open = |number: &u64| self.item(*number).is_none_or(|dependency| dependency.status != "completed");
        item.depends_on.iter().copied().filter(open)
    }

    /// Whether following dependencies from one item comes to the other.
    fn leads_to(&self, from: u64, to: u64) -> bool {
        let mut reached = vec![from];
        let mut at = 0;
        while let Some(number) = reached.get(at).copied() {
            if number == to {
                return true;
            }
            for next in self.item(number).map_or(&[][..], |item| &item.depends_on) {
                if !reached.contains(next) {
                    reached.push(*next);
                }
            }
            at += 1;
        }
        false
    }
}

/// What the model had to be told about a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Learnt {
    Nothing,
    /// A reorder gave it a new place to make room.
    Respread,
    /// In which of several turns its lease ended.
    WhichTurn,
}

pub(super) fn id_text(number: u64) -> String {
    let digits = number.to_string();
    let letter = "abcdefghijkl".chars().nth(digits.len() - 1).unwrap_or('?');
    format!("{letter}{digits}")
}

fn held(now: &Moment, length_ms: i64, began: i64, limit_ms: Option<i64>) -> Held {
    let mut due = now.steady + length_ms;
    if let Some(limit_ms) = limit_ms
        && began + limit_ms < due
    {
        due = began + limit_ms;
    }
    Held { boot: now.boot.clone(), length_ms, began, due }
}

fn fits(item: &Item, agent: &str, claim: &Claim) -> bool {
    let for_it = match &item.assignee {
        Some(assignee) => assignee == agent,
        None => true,
    };
    for_it && item.needs.iter().all(|need| claim.capabilities.contains(need))
}

/// Everything about an item that an edit can change.
fn told(item: &Item) -> impl PartialEq + use<> {
    let Item {
        title,
        description,
        priority,
        goal,
        scope,
        labels,
        assignee,
        needs,
        depends_on,
        limit_ms,
        max_attempts,
        ..
    } = item.clone();
    ((title, description, priority, goal), (scope, labels, assignee, needs), (depends_on, limit_ms, max_attempts))
}
