//! `history`: the story of the workspace, a session or a file, as people tell it.

use augment_protocol::figures::{AskTimeline, PointKind, Timeline};
use augment_protocol::methods::TimelineShown;

use super::{Ended, Ending, Session};
use crate::args::{HistoryArgs, TypedKind};
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::timeline;

/// The most that the host gives in one page.
const PAGE: u32 = 1_000;
const SHOWN: u32 = 50;

pub(super) async fn run(session: &mut Session, args: HistoryArgs) -> Ended {
    let file = args.path.or(args.file).as_deref().map(|typed| session.typed_path(typed)).transpose()?;
    let kinds: Vec<PointKind> = args.kind.iter().map(|typed| kind(*typed)).collect();
    let ask = AskTimeline {
        session: args.session,
        file: file.clone(),
        kinds: (!kinds.is_empty()).then_some(kinds),
        who: None,
        name: args.by,
        before: args.from.filter(|_| !args.oldest),
        after: args.oldest.then_some(args.from.unwrap_or(0)),
        limit: None,
    };
    let mut client = session.connect(Wish::OneShot).await?;
    let story = fetch(&mut client, ask, args.limit.unwrap_or(SHOWN)).await?;
    let width = session.output.width();
    session.show(&story, |story| timeline::told(story, file.as_deref(), width))?;
    Ok(Ending::Done)
}

/// As many pages as it takes, as one.
async fn fetch(client: &mut Client, mut ask: AskTimeline, limit: u32) -> Result<Timeline, CallError> {
    let mut story = Timeline { points: Vec::new(), next: None, revision: 0 };
    loop {
        let missing = limit.saturating_sub(u32::try_from(story.points.len()).unwrap_or(u32::MAX));
        ask.limit = Some(missing.clamp(1, PAGE));
        let page = client.call::<TimelineShown>(ask.clone()).await?;
        story.points.extend(page.points);
        story = Timeline { points: story.points, next: page.next, revision: page.revision };
        let is_full = story.points.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
        let Some(next) = story.next.filter(|_| !is_full) else { return Ok(story) };
        if ask.after.is_some() {
            ask.after = Some(next);
        } else {
            ask.before = Some(next);
        }
    }
}

fn kind(typed: TypedKind) -> PointKind {
    match typed {
        TypedKind::Session => PointKind::Session,
        TypedKind::TaskTaken => PointKind::TaskTaken,
        TypedKind::TaskEnded => PointKind::TaskEnded,
        TypedKind::RunStarted => PointKind::RunStarted,
        TypedKind::RunEnded => PointKind::RunEnded,
        TypedKind::Question => PointKind::Question,
        TypedKind::Revision => PointKind::Revision,
        TypedKind::Decision => PointKind::Decision,
        TypedKind::Report => PointKind::Report,
        TypedKind::Checkpoint => PointKind::Checkpoint,
        TypedKind::Flag => PointKind::Flag,
        TypedKind::Finding => PointKind::Finding,
        TypedKind::Commit => PointKind::Commit,
    }
}
