//! `demo`: makes a project to try everything on, fills its queue, and says what to type next. `agent` is the agent that our
//! own program plays there.

pub(super) mod agent;

use std::path::Path;

use augment_core::demo::{AGENT, TASK, TASKS};
use augment_host::demo::make;
use augment_protocol::methods::QueueAdd;
use augment_protocol::queue::AddTask;

use super::{Ended, Ending, Failure, Session, places};
use crate::connect::{self, Wish};
use crate::output::demo::{Made, made};

pub(super) async fn run(session: &Session, folder: Option<&Path>) -> Ended {
    let workspace = make(folder).map_err(|error| Failure::told(error.code(), error.to_string()))?;
    let mut client = connect::connect(&workspace, Wish::OneShot).await?;
    let mut task = None;
    for seed in TASKS {
        let scope = seed.scope.iter().map(|&pattern| pattern.to_owned()).collect();
        let params = AddTask {
            title: seed.title.to_owned(),
            priority: Some(seed.priority.to_owned()),
            scope: Some(scope),
            ..AddTask::default()
        };
        let added = client.call::<QueueAdd>(params).await?;
        task = task.or((seed.title == TASK).then_some(added.id));
    }
    let demo = Made { folder: places::path(workspace.root()), task: task.unwrap_or_default(), agent: AGENT };
    session.show(&demo, made)?;
    Ok(Ending::Done)
}
