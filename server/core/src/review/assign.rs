//! A person says whose a change is, where it was unknown or taken for somebody else's.

use std::collections::BTreeSet;

use super::decide::{Ask, Carrying, Decide, asks};
use super::seen::{about, author_name, touched};
use super::{DecisionKind, Selected, Selection, TrackedFile, findings, select};
use crate::actor::Actor;
use crate::attribution::{Author, Evidence};
use crate::ledger::{Data, Event, Topic};
use crate::queue;
use crate::refusal::Refusal;
use crate::session;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{Hunk, RevisionNo, Standing};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assignee {
    /// The newest run of a task.
    Task(String),
    /// The person who asks.
    Me,
}

/// Assigns whole revisions: all that one look at the file showed, also where only a part of it was named. What becomes the
/// person's own is approved with it, by a decision that can be taken back.
pub(crate) fn assign<V: View>(
    view: &V,
    actor: &Actor,
    what: &Selection,
    to: &Assignee,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let author = author(view, actor, to)?;
    let is_own = matches!(author, Author::Person { .. });
    let selected = select(view, what)?;
    let policy = queue::look(view.review_policy())?;
    if let Some(two) = selected.iter().find(|selected| is_own && policy.needs_second(&selected.file.weave)) {
        return Err(Refusal::NeedsSecond { path: two.file.path().clone() }.into());
    }
    let approve = Decide { verdict: Standing::Approved, what: what.clone(), confirm: None };
    if is_own && asks(&approve, &selected, &policy) == Ask::Control {
        return Err(Refusal::ControlFiles { files: selected.len() }.into());
    }
    let (mut hunks, files) = (0, u32::try_from(selected.len()).unwrap_or(u32::MAX));
    let mut effects = Vec::new();
    let mut approving = Carrying::new(queue::look(view.next_decision())?, actor, now);
    for Selected { mut file, hunks: named } in selected {
        let revisions: BTreeSet<RevisionNo> =
            named.iter().flat_map(|hunk| file.weave.revisions_of(&hunk.marks)).collect();
        if is_own {
            stopped(view, &file, &revisions)?;
            let authors: Vec<Author> = named.iter().map(|hunk| hunk.author.clone()).collect();
            let mut left = file.weave.hunks();
            left.retain(|hunk| !is_of(&file, hunk, &revisions));
            let passed = session::settle_approved(view, actor, &file.weave, &authors, &left, approving.id);
            effects.extend(queue::look(passed)?);
        }
        let instead: BTreeSet<String> = named.iter().map(|hunk| author_name(&hunk.author)).collect();
        for revision in &revisions {
            file.weave.reattribute(*revision, author.clone(), Evidence::Assigned, true);
            effects.extend(touched(&file.weave, *revision, &author));
        }
        let mut moved = file.weave.hunks();
        moved.retain(|hunk| is_of(&file, hunk, &revisions));
        hunks += u32::try_from(moved.len()).unwrap_or(u32::MAX);
        let ids: Vec<String> = moved.iter().map(|hunk| hunk.id.to_string()).collect();
        effects.push(Effect::Record(Event {
            actor: actor.clone(),
            kind: "review.assigned",
            subject: Topic::File(file.path().clone()),
            about: about(&author),
            data: Data::map([
                ("to", author_name(&author).into()),
                ("instead", instead.into_iter().collect::<Vec<_>>().into()),
                ("hunks", ids.into()),
            ]),
        }));
        if is_own {
            approving.take(view, file, &moved, Standing::Approved)?;
        } else {
            effects.push(Effect::PutFile(Box::new(file)));
        }
    }
    let decision = is_own.then_some(approving.id);
    if is_own {
        effects.extend(approving.turn(DecisionKind::Approve).effects);
    }
    Ok(Turn::done(Answer::Assigned { hunks, files, decision }, effects))
}

fn is_of(file: &TrackedFile, hunk: &Hunk, revisions: &BTreeSet<RevisionNo>) -> bool {
    file.weave.revisions_of(&hunk.marks).iter().any(|no| revisions.contains(no))
}

/// What the scan has found must be looked at before it is approved in this way, too.
fn stopped<V: View>(view: &V, file: &TrackedFile, revisions: &BTreeSet<RevisionNo>) -> Result<(), Stop<V::Error>> {
    let hunks: Vec<Hunk> = file.weave.hunks().into_iter().filter(|hunk| is_of(file, hunk, revisions)).collect();
    let found = queue::look(findings::stopping_in(view, &file.weave, &hunks))?;
    let found: Vec<_> = hunks.iter().map(|hunk| hunk.id).zip(found).collect();
    findings::refusal(file.path(), &found).map_or(Ok(()), |no| Err(no.into()))
}

fn author<V: View>(view: &V, actor: &Actor, to: &Assignee) -> Result<Author, Stop<V::Error>> {
    match (to, actor) {
        (Assignee::Task(wanted), _) => {
            let task = queue::find(view, wanted)?;
            if task.attempt == 0 {
                return Err(Refusal::NeverWorkedOn { task: task.id }.into());
            }
            Ok(Author::Run(task.run()))
        }
        (Assignee::Me, Actor::Person { name }) => Ok(Author::Person { name: name.clone() }),
        (Assignee::Me, Actor::Run { .. } | Actor::Host) => Err(Refusal::NothingSelected.into()),
    }
}
