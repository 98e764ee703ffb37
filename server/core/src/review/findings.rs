//! What the security scan finds in pending hunks. A finding stops the approval of its hunk until a person has acknowledged
//! it with a reason, or has let such findings pass below a path until a day. Only the hunk, the rule and the reason are
//! kept, never the value.

use std::cell::LazyCell;

use super::{Selection, select};
use crate::actor::Actor;
use crate::file::{Body, FilePath, FileState};
use crate::glob::Glob;
use crate::ledger::{Data, Event, Topic};
use crate::queue::{check_name, check_scope, look};
use crate::refusal::Refusal;
use crate::scan::{self, Finding};
use crate::session::SessionRefusal;
use crate::time::{Now, Wall};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{Hunk, HunkId, Kind, Shape, Standing, Weave};

/// How long a reason may be.
const REASON_LIMIT: usize = 500;

/// A person has looked at findings of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledged {
    pub hunk: String,
    pub rule: String,
    pub reason: String,
    pub by: String,
    pub time: Wall,
}

/// Findings of a rule or kind that are let pass below a path, until a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    pub number: u64,
    pub rule: String,
    pub path: String,
    /// The last day, as in `2027-01-31`.
    pub until: String,
    pub reason: String,
    pub by: String,
}

impl Allowed {
    #[must_use]
    pub fn is_expired(&self, today: &str) -> bool {
        self.until.as_str() < today
    }

    /// Whether this lets a finding at a path pass today.
    #[must_use]
    pub fn covers(&self, finding: &Finding, path: &FilePath, today: &str) -> bool {
        self.names(finding) && self.is_about(path, today)
    }

    fn names(&self, finding: &Finding) -> bool {
        self.rule == finding.rule.id || self.rule == finding.rule.kind.name()
    }

    fn is_about(&self, path: &FilePath, today: &str) -> bool {
        !self.is_expired(today) && Glob::new(&self.path).matches(path)
    }
}

/// What is asked to be let pass, unchecked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowDraft {
    pub rule: String,
    pub path: String,
    pub until: String,
    pub reason: String,
}

/// A finding in a hunk, with why it does not stop anything, if so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkFinding {
    pub finding: Finding,
    pub passes: Option<String>,
}

/// What the scan finds in each of these hunks of a file, which is looked through once for all of them. An allow comment that
/// waits for a decision itself does not count: whoever wrote the value may have written the comment, or had another run write
/// it. Content that is decided as a whole cannot be looked through here, and where it may be text that is told.
pub fn findings_in<V: View>(view: &V, weave: &Weave, hunks: &[Hunk]) -> Result<Vec<Vec<HunkFinding>>, V::Error> {
    let FileState { path, body, .. } = weave.view();
    let found: Vec<Vec<Finding>> = match &body {
        Body::Text(text) => scan::scan_each(&path, text, &weave.visible_spans(hunks)),
        Body::Whole { length, .. } | Body::Large { length, .. } => {
            let told = |hunk: &Hunk| scan::not_looked_at(&path, *length).filter(|_| brings_content(hunk));
            hunks.iter().map(|hunk| told(hunk).into_iter().collect()).collect()
        }
        Body::Absent | Body::Link(_) | Body::Special => vec![Vec::new(); hunks.len()],
    };
    if found.iter().all(Vec::is_empty) {
        return Ok(vec![Vec::new(); hunks.len()]);
    }
    let today = view.governance()?.today.clone();
    let allowed: Vec<Allowed> = view.allowed()?.into_iter().filter(|entry| entry.is_about(&path, &today)).collect();
    let blame = LazyCell::new(|| weave.blame());
    let is_pending = |line: u32| {
        let at = usize::try_from(line).unwrap_or(usize::MAX);
        blame.get(at).is_none_or(|line| line.standing == Standing::Pending)
    };
    let mut all = Vec::with_capacity(hunks.len());
    for (hunk, found) in hunks.iter().zip(found) {
        let acknowledged = if found.is_empty() { Vec::new() } else { view.acknowledged(&hunk.id.to_string())? };
        let passes = |finding: &Finding| {
            let comment = finding.allowed.as_ref().filter(|comment| !is_pending(comment.line));
            let by_comment = comment.map(|comment| format!("allowed by a comment: {}", comment.reason));
            let seen = acknowledged.iter().find(|seen| seen.rule == finding.rule.id);
            let by_person = seen.map(|seen| format!("acknowledged by {}: {}", seen.by, seen.reason));
            let listed = allowed.iter().find(|allowed| allowed.names(finding));
            let by_list = listed.map(|allowed| format!("allowed until {}: {}", allowed.until, allowed.reason));
            by_person.or(by_list).or(by_comment)
        };
        all.push(found.into_iter().map(|finding| HunkFinding { passes: passes(&finding), finding }).collect());
    }
    Ok(all)
}

/// Whether a hunk puts content there that is decided as a whole.
fn brings_content(hunk: &Hunk) -> bool {
    match &hunk.shape {
        Shape::Created { kind: to } | Shape::Replaced { to, .. } => match to {
            Kind::Whole { .. } | Kind::Large { .. } => true,
            Kind::Absent | Kind::Text | Kind::Link(_) | Kind::Special => false,
        },
        Shape::Lines(_) | Shape::Deleted { .. } | Shape::Mode { .. } | Shape::Renamed { .. } => false,
    }
}

/// Those findings of each hunk that stop its approval.
pub(super) fn stopping_in<V: View>(view: &V, weave: &Weave, hunks: &[Hunk]) -> Result<Vec<Vec<Finding>>, V::Error> {
    let blocks = view.review_policy()?.blocks;
    let stops = |found: &HunkFinding| found.passes.is_none() && blocks.contains(&found.finding.rule.kind);
    let stopping =
        |found: Vec<HunkFinding>| found.into_iter().filter(&stops).map(|found| found.finding).collect::<Vec<_>>();
    Ok(findings_in(view, weave, hunks)?.into_iter().map(stopping).collect())
}

/// Whether anything in these hunks stops their approval.
pub(super) fn stops<V: View>(view: &V, weave: &Weave, hunks: &[Hunk]) -> Result<bool, V::Error> {
    Ok(stopping_in(view, weave, hunks)?.iter().any(|found| !found.is_empty()))
}

/// The refusal to approve hunks that hold these; it names the first of them.
pub(super) fn refusal(path: &FilePath, hunks: &[(HunkId, Vec<Finding>)]) -> Option<Refusal> {
    let (hunk, first) = hunks.iter().find_map(|(hunk, found)| Some((*hunk, found.first()?)))?;
    let more = hunks.iter().map(|(_, found)| found.len()).sum::<usize>() - 1;
    let (path, what) = (path.clone(), first.rule.what.to_owned());
    Some(Refusal::Session(SessionRefusal::Findings { path, line: first.line, what, more, hunk }))
}

/// How many findings of one look are recorded.
const RECORDED: usize = 20;

/// The records of what is found in new hunks. Where there is more, the last one counts it.
pub(super) fn records<V: View>(view: &V, weave: &Weave, hunks: &[Hunk]) -> Result<Vec<Effect>, V::Error> {
    let all = findings_in(view, weave, hunks)?;
    let found: Vec<(&Hunk, HunkFinding)> =
        hunks.iter().zip(all).flat_map(|(hunk, found)| found.into_iter().map(move |found| (hunk, found))).collect();
    let record = |kind, hunk: &Hunk, data| {
        let (actor, subject) = (Actor::Host, Topic::File(weave.path().clone()));
        Effect::Record(Event { actor, kind, subject, about: super::seen::about(&hunk.author), data })
    };
    let mut effects = Vec::new();
    for (hunk, found) in found.iter().take(RECORDED) {
        let data = Data::map([
            ("rule", found.finding.rule.id.into()),
            ("kind", found.finding.rule.kind.name().into()),
            ("line", (found.finding.line + 1).into()),
            ("hunk", hunk.id.to_string().into()),
            ("passes", found.passes.clone().into()),
        ]);
        effects.push(record("scan.found", hunk, data));
    }
    if let Some((hunk, _)) = found.get(RECORDED) {
        let more = u64::try_from(found.len() - RECORDED).unwrap_or(u64::MAX);
        effects.push(record("scan.found-more", hunk, Data::map([("more", more.into())])));
    }
    Ok(effects)
}

fn reason(text: &str) -> Result<String, Refusal> {
    // A reason is shown and kept; one that repeats the value would spread it.
    check_name("reason", &scan::masked(text), REASON_LIMIT)
}

/// A person has looked at findings, and says why they may stay.
pub(crate) fn acknowledge<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    rule: Option<&str>,
    why: &str,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let why = reason(why)?;
    let what = Selection { hunks: vec![wanted.to_owned()], ..Selection::default() };
    let mut effects = Vec::new();
    for selected in select(view, &what)? {
        let all = look(findings_in(view, &selected.file.weave, &selected.hunks))?;
        for (hunk, found) in selected.hunks.iter().zip(all) {
            let mut rules: Vec<&'static str> = found
                .into_iter()
                .filter(|found| found.passes.is_none())
                .map(|found| found.finding.rule.id)
                .filter(|id| rule.is_none_or(|rule| rule == *id))
                .collect();
            rules.sort_unstable();
            rules.dedup();
            for id in rules {
                let hunk = hunk.id.to_string();
                effects.push(Effect::Record(Event {
                    actor: actor.clone(),
                    kind: "scan.acknowledged",
                    subject: Topic::File(selected.file.path().clone()),
                    about: Vec::new(),
                    data: Data::map([
                        ("hunk", hunk.as_str().into()),
                        ("rule", id.into()),
                        ("reason", why.as_str().into()),
                    ]),
                }));
                effects.push(Effect::PutAcknowledged(Box::new(Acknowledged {
                    hunk,
                    rule: id.to_owned(),
                    reason: why.clone(),
                    by: actor.to_string(),
                    time: now.wall,
                })));
            }
        }
    }
    if effects.is_empty() {
        return Err(SessionRefusal::NothingFound { hunk: wanted.to_owned() }.into());
    }
    Ok(Turn::done(Answer::Noted, effects))
}

/// How many entries the list holds.
const ALLOWED_LIMIT: usize = 500;

/// A person lets findings pass for a while.
pub(crate) fn allow<V: View>(view: &V, actor: &Actor, draft: &AllowDraft) -> Result<Turn, Stop<V::Error>> {
    let rule = draft.rule.trim();
    let is_known = scan::rules().iter().any(|known| known.id == rule || known.kind.name() == rule);
    if !is_known {
        return Err(SessionRefusal::UnknownRule { value: draft.rule.clone() }.into());
    }
    let path = check_scope(std::slice::from_ref(&draft.path))?.into_iter().next().unwrap_or_default();
    if path.is_empty() {
        return Err(Refusal::NothingSelected.into());
    }
    let today = look(view.governance())?.today.clone();
    if !is_day(draft.until.trim()) || draft.until.trim() < today.as_str() {
        return Err(SessionRefusal::BadDate { value: draft.until.clone() }.into());
    }
    let count = look(view.allowed())?.len();
    if count >= ALLOWED_LIMIT {
        return Err(Refusal::TooMany { field: "allowed findings", count: count + 1, limit: ALLOWED_LIMIT }.into());
    }
    let allowed = Allowed {
        number: look(view.next_allowed())?,
        rule: rule.to_owned(),
        path,
        until: draft.until.trim().to_owned(),
        reason: reason(&draft.reason)?,
        by: actor.to_string(),
    };
    let data = Data::map([
        ("number", allowed.number.into()),
        ("rule", allowed.rule.as_str().into()),
        ("path", allowed.path.as_str().into()),
        ("until", allowed.until.as_str().into()),
        ("reason", allowed.reason.as_str().into()),
    ]);
    let event =
        Event { actor: actor.clone(), kind: "scan.allowed", subject: Topic::Workspace, about: Vec::new(), data };
    Ok(Turn::done(Answer::Noted, vec![Effect::Record(event), Effect::PutAllowed(Box::new(allowed))]))
}

/// A day as in `2027-01-31`.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
        return false;
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    let (year, month, day) = (number(year), number(month), number(day));
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Takes that back.
pub(crate) fn drop_allowed<V: View>(view: &V, actor: &Actor, number: u64) -> Result<Turn, Stop<V::Error>> {
    if !look(view.allowed())?.iter().any(|allowed| allowed.number == number) {
        return Err(SessionRefusal::UnknownAllowed { number }.into());
    }
    let data = Data::map([("number", number.into())]);
    let event =
        Event { actor: actor.clone(), kind: "scan.disallowed", subject: Topic::Workspace, about: Vec::new(), data };
    Ok(Turn::done(Answer::Noted, vec![Effect::Record(event), Effect::DropAllowed(number)]))
}

#[cfg(test)]
mod tests {
    use super::is_day;

    #[test]
    fn days_are_days_of_the_calendar() {
        for day in ["2027-01-31", "2028-02-29", "2026-12-01"] {
            assert!(is_day(day), "{day}");
        }
        for no in
            ["2027-02-29", "2027-13-01", "2027-1-1", "tomorrow", "2027-00-10", "2027-01-00", "27-01-01", "２027-01-01"]
        {
            assert!(!is_day(no), "{no}");
        }
    }
}
