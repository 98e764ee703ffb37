//! The story of a session, the workspace or a file. Records are read page by page and only so many for one answer; the rules say
//! which of them anybody cares about. Texts are bounded, and secrets in them are named instead of told.

use std::collections::HashMap;

use augment_core::file::FilePath;
use augment_core::id::{RunId, Wanted, read_wanted};
use augment_core::ledger::{Record, Topic};
use augment_core::refusal::Refusal;
use augment_core::scan;
use augment_core::text::shortened;
use augment_core::timeline::{self, Point, PointKind, Said, Who};
use augment_host::store::{LedgerQuery, Order, Snapshot, StoreError};
use augment_protocol::changes::Evidence;
use augment_protocol::figures as wire;
use serde_json::Value;
use tower_lsp_server::jsonrpc::Result;

use super::methods::{Door, refusal, snapshot};
use super::{from_wire, sessions};

const PAGE: u32 = 200;
/// How many records are read at once, and at most for one answer.
const READ_AT_ONCE: usize = 1_000;
const READ: usize = 5_000;
/// How much of a text travels.
const SHOWN: usize = 300;

impl Door {
    pub(super) async fn timeline(&self, ask: wire::AskTimeline) -> Result<wire::Timeline> {
        snapshot(&self.shared, move |snapshot| {
            let mut query = LedgerQuery::default();
            if let Some(file) = &ask.file {
                match FilePath::from_text(file) {
                    Ok(path) => query.topics.push(Topic::File(path).to_string()),
                    Err(problem) => return Ok(Err(refusal(&Refusal::BadPath { path: file.clone(), problem }))),
                }
            }
            if let Some(wanted) = &ask.session {
                match sessions::find(snapshot, Some(wanted))? {
                    Some(session) => query.session = Some(session.id),
                    None => return Ok(Err(sessions::unknown(Some(wanted)))),
                }
            }
            page(snapshot, query, &ask).map(Ok)
        })
        .await?
    }
}

fn page(
    snapshot: &Snapshot<'_>,
    mut query: LedgerQuery,
    ask: &wire::AskTimeline,
) -> std::result::Result<wire::Timeline, StoreError> {
    let limit = usize::try_from(ask.limit.unwrap_or(PAGE).clamp(1, from_wire::PAGE_LIMIT)).unwrap_or(1);
    let mut names = Names { snapshot, runs: HashMap::new(), titles: HashMap::new() };
    let (mut points, mut read, mut last) = (Vec::new(), 0, None);
    query.limit = READ_AT_ONCE;
    let more = 'pages: loop {
        query.order = match ask.after {
            Some(after) => Order::OldestFirst { after: last.unwrap_or(after) },
            None => Order::NewestFirst { before: last.or(ask.before) },
        };
        let found = snapshot.records(&query)?;
        let all = found.links.len();
        for (at, link) in found.links.iter().enumerate() {
            last = Some(link.record.sequence);
            if let Some(point) = names.point(&link.record, ask)? {
                points.push(point);
            }
            if points.len() == limit {
                break 'pages found.more || at + 1 < all;
            }
        }
        read += all;
        if !found.more || read >= READ {
            break found.more;
        }
    };
    Ok(wire::Timeline { points, next: last.filter(|_| more), revision: snapshot.revision()? })
}

/// A record with its data read.
struct Read<'a> {
    record: &'a Record,
    data: Value,
}

impl Said for Read<'_> {
    fn kind(&self) -> &str {
        &self.record.kind
    }

    fn actor(&self) -> &str {
        &self.record.actor
    }

    fn subject(&self) -> &str {
        &self.record.subject
    }

    fn about(&self) -> &[String] {
        &self.record.about
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.data.get(name)?.as_str()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.data.get(name)?.as_u64()
    }
}

/// Agents of runs and titles of tasks, looked up once for each answer.
struct Names<'a> {
    snapshot: &'a Snapshot<'a>,
    runs: HashMap<String, Option<String>>,
    titles: HashMap<String, Option<String>>,
}

impl Names<'_> {
    /// The point that a record is, if it is one and asked for.
    fn point(
        &mut self,
        record: &Record,
        ask: &wire::AskTimeline,
    ) -> std::result::Result<Option<wire::TimelinePoint>, StoreError> {
        let data = serde_json::from_str(&record.data).unwrap_or_default();
        let Some(point) = timeline::point(&Read { record, data }) else { return Ok(None) };
        let kind = kind(point.kind);
        if ask.kinds.as_ref().is_some_and(|wanted| !wanted.contains(&kind)) {
            return Ok(None);
        }
        let who = self.who(&point.who)?;
        if ask.who.is_some_and(|wanted| wanted != who.kind) || ask.name.is_some() && ask.name != who.name {
            return Ok(None);
        }
        let mut told = self.told(record, point, kind, who)?;
        // A decision may be about many files; whoever asks about one is told of that.
        if let Some(asked) = ask.file.as_ref().filter(|_| kind == wire::PointKind::Decision) {
            told.file = Some(asked.clone());
        }
        Ok(Some(told))
    }

    fn told(
        &mut self,
        record: &Record,
        point: Point,
        kind: wire::PointKind,
        who: wire::TimelineWho,
    ) -> std::result::Result<wire::TimelinePoint, StoreError> {
        let task_title = match &point.task {
            Some(task) => self.title(task)?,
            None => None,
        };
        Ok(wire::TimelinePoint {
            sequence: record.sequence,
            time: record.time.0,
            kind,
            who,
            task: point.task,
            task_title,
            run: point.run,
            session: point.session,
            file: point.file,
            decision: point.decision,
            step: point.step.and_then(|step| u32::try_from(step).ok()),
            added: point.added,
            removed: point.removed,
            evidence: point.evidence.as_deref().and_then(evidence),
            summary: shown(&point.summary),
        })
    }

    fn who(&mut self, who: &Who) -> std::result::Result<wire::TimelineWho, StoreError> {
        let (kind, name) = match who {
            Who::Person { name } => (wire::WhoKind::Person, Some(name.clone())),
            Who::Run { run } => (wire::WhoKind::Agent, self.agent(run)?),
            Who::Vcs => (wire::WhoKind::Vcs, None),
            Who::Host => (wire::WhoKind::Host, None),
            Who::Unknown => (wire::WhoKind::Unknown, None),
        };
        Ok(wire::TimelineWho { kind, name: name.map(|name| shown(&name)) })
    }

    fn agent(&mut self, run: &str) -> std::result::Result<Option<String>, StoreError> {
        if let Some(known) = self.runs.get(run) {
            return Ok(known.clone());
        }
        let id = run.split_once('.').and_then(|(task, attempt)| match read_wanted(task) {
            Wanted::Exactly(task) => Some(RunId { task, attempt: attempt.parse().ok()? }),
            Wanted::OneOf(_) | Wanted::Nothing => None,
        });
        let agent = match id {
            Some(id) => self.snapshot.run(id)?.map(|run| run.agent),
            None => None,
        };
        self.runs.insert(run.to_owned(), agent.clone());
        Ok(agent)
    }

    fn title(&mut self, task: &str) -> std::result::Result<Option<String>, StoreError> {
        if let Some(known) = self.titles.get(task) {
            return Ok(known.clone());
        }
        let title = match read_wanted(task) {
            Wanted::Exactly(id) => self.snapshot.task(id)?.map(|task| shown(&task.title)),
            Wanted::OneOf(_) | Wanted::Nothing => None,
        };
        self.titles.insert(task.to_owned(), title.clone());
        Ok(title)
    }
}

/// A text as anybody may read it.
fn shown(text: &str) -> String {
    shortened(&scan::masked(text), SHOWN).into_owned()
}

fn evidence(name: &str) -> Option<Evidence> {
    serde_json::from_value(Value::String(name.to_owned())).ok()
}

fn kind(kind: PointKind) -> wire::PointKind {
    match kind {
        PointKind::Session => wire::PointKind::Session,
        PointKind::TaskTaken => wire::PointKind::TaskTaken,
        PointKind::TaskEnded => wire::PointKind::TaskEnded,
        PointKind::RunStarted => wire::PointKind::RunStarted,
        PointKind::RunEnded => wire::PointKind::RunEnded,
        PointKind::Question => wire::PointKind::Question,
        PointKind::Revision => wire::PointKind::Revision,
        PointKind::Decision => wire::PointKind::Decision,
        PointKind::Report => wire::PointKind::Report,
        PointKind::Checkpoint => wire::PointKind::Checkpoint,
        PointKind::Flag => wire::PointKind::Flag,
        PointKind::Finding => wire::PointKind::Finding,
        PointKind::Commit => wire::PointKind::Commit,
    }
}
