//! `status`: the whole, or one task.

use augment_protocol::agents::ListQuestions;
use augment_protocol::methods::{GetStatus, HandOffsList, QuestionsList};
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Session, now_ms, queue};
use crate::connect::Wish;
use crate::output::{runs, tasks};

pub(super) async fn run(session: &mut Session, task: Option<String>) -> Ended {
    if let Some(task) = task {
        return queue::show(session, task).await;
    }
    let mut client = session.connect(Wish::OneShot).await?;
    let status = client.call::<GetStatus>(Nothing {}).await?;
    let questions = client.call::<QuestionsList>(ListQuestions::default()).await?.questions;
    let hand_offs = client.call::<HandOffsList>(Nothing {}).await?.hand_offs;
    let width = session.output.width();
    session.show(&status, |status| {
        let mut text = tasks::overall(status, now_ms(), width);
        text.push_str(&runs::waiting(&questions, &hand_offs));
        text
    })?;
    Ok(Ending::Done)
}
