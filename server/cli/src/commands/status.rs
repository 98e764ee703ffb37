//! `status`: the whole, or one task.

use augment_protocol::methods::GetStatus;
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Session, now_ms, queue};
use crate::connect::Wish;
use crate::output::tasks;

pub(super) async fn run(session: &mut Session, task: Option<String>) -> Ended {
    if let Some(task) = task {
        return queue::show(session, task).await;
    }
    let status = session.connect(Wish::OneShot).await?.call::<GetStatus>(Nothing {}).await?;
    let width = session.output.width();
    session.show(&status, |status| tasks::overall(status, now_ms(), width))?;
    Ok(Ending::Done)
}
