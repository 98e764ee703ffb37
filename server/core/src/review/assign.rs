//! A person says whose a change is, where it was unknown or taken for somebody else's.

use std::collections::BTreeSet;

use super::{Selection, select};
use crate::actor::Actor;
use crate::attribution::{Author, Evidence};
use crate::ledger::{Data, Event, Topic};
use crate::queue;
use crate::refusal::Refusal;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::RevisionNo;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assignee {
    /// The newest run of a task.
    Task(String),
    /// The person who asks.
    Me,
}

/// Assigns whole revisions: all that one look at the file showed. What becomes the person's own is approved with it.
pub(crate) fn assign<V: View>(
    view: &V,
    actor: &Actor,
    what: &Selection,
    to: &Assignee,
) -> Result<Turn, Stop<V::Error>> {
    let author = match (to, actor) {
        (Assignee::Task(wanted), _) => {
            let task = queue::find(view, wanted)?;
            if task.attempt == 0 {
                return Err(Refusal::NeverWorkedOn { task: task.id }.into());
            }
            Author::Run(task.run())
        }
        (Assignee::Me, Actor::Person { name }) => Author::Person { name: name.clone() },
        (Assignee::Me, Actor::Run { .. } | Actor::Host) => return Err(Refusal::NothingSelected.into()),
    };
    let held = matches!(author, Author::Run(_));
    let selected = select(view, what)?;
    let policy = queue::look(view.review_policy())?;
    if let Some(two) = selected.iter().find(|selected| !held && policy.needs_second(selected.file.path())) {
        return Err(Refusal::NeedsSecond { path: two.file.path().clone() }.into());
    }
    let (mut hunks, files) = (0, u32::try_from(selected.len()).unwrap_or(u32::MAX));
    let mut effects = Vec::new();
    for mut selected in selected {
        hunks += u32::try_from(selected.hunks.len()).unwrap_or(u32::MAX);
        let revisions: BTreeSet<RevisionNo> =
            selected.hunks.iter().flat_map(|hunk| selected.file.weave.revisions_of(&hunk.marks)).collect();
        for revision in revisions {
            selected.file.weave.reattribute(revision, author.clone(), Evidence::Assigned, held);
        }
        let about = match &author {
            Author::Run(run) => vec![Topic::Task(run.task), Topic::Run(*run)],
            Author::Person { .. } | Author::Vcs | Author::Unknown => Vec::new(),
        };
        let to = match &author {
            Author::Run(run) => format!("run:{run}"),
            Author::Person { name } => format!("person:{name}"),
            Author::Vcs | Author::Unknown => "unknown".to_owned(),
        };
        let ids: Vec<String> = selected.hunks.iter().map(|hunk| hunk.id.to_string()).collect();
        effects.push(Effect::Record(Event {
            actor: actor.clone(),
            kind: "review.assigned",
            subject: Topic::File(selected.file.path().clone()),
            about,
            data: Data::map([("to", to.into()), ("hunks", ids.into())]),
        }));
        effects.push(Effect::PutFile(Box::new(selected.file)));
    }
    Ok(Turn::done(Answer::Assigned { hunks, files }, effects))
}
