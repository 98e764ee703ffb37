//! Figures of a period: what is asked for is checked here, counted by the rules, and put into the words of the wire.

use std::collections::BTreeMap;

use augment_core::analytics::{self, Analysis, Bucket, Filter, Period};
use augment_core::session::Session;
use augment_core::text::quoted;
use augment_core::time::Wall;
use augment_host::agents::catalog::Catalog;
use augment_host::clock;
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::REFUSED;
use augment_protocol::figures as wire;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::methods::{Door, no, snapshot};
use super::sessions;
use crate::output::analytics::csv;

/// What is looked at where nothing is said: so many days before the end.
const PERIOD_MS: i64 = 30 * 86_400_000;

impl Door {
    pub(super) async fn analytics(&self, ask: wire::AskAnalytics) -> Result<wire::Analytics> {
        let places = self.shared.workspace.places().clone();
        let now = clock::now().wall;
        snapshot(&self.shared, move |snapshot| {
            let session = match &ask.session {
                None => None,
                Some(wanted) => match sessions::find(snapshot, Some(wanted))? {
                    Some(session) => Some(session),
                    None => return Ok(Err(sessions::unknown(Some(wanted)))),
                },
            };
            if let Some(agent) = &ask.agent
                && !snapshot.has_worked(agent)?
                && Catalog::read(&places).find(agent).is_err()
            {
                return Ok(Err(unknown_agent(agent)));
            }
            let period = match period(&ask, session.as_ref(), now) {
                Ok(period) => period,
                Err(error) => return Ok(Err(error)),
            };
            tell(snapshot, period, Filter { agent: ask.agent, label: ask.label }).map(Ok)
        })
        .await?
    }

    pub(super) async fn analytics_csv(&self, ask: wire::AskAnalytics) -> Result<wire::AnalyticsFile> {
        let offset = ask.utc_offset_minutes.unwrap_or(0);
        let figures = self.analytics(ask).await?;
        Ok(wire::AnalyticsFile { text: csv(&figures, None, offset) })
    }
}

fn unknown_agent(agent: &str) -> Error {
    let message = format!(
        "No agent {} is configured, and none of that name has worked here. `augment-cli agent list` shows them.",
        quoted(agent)
    );
    no(REFUSED, "unknown-agent", message)
}

/// What is asked for and lies within the session.
fn period(ask: &wire::AskAnalytics, session: Option<&Session>, now: Wall) -> Result<Period> {
    // A session that lasts is told up to now; the moment of its end is still its own.
    let last = session.map(|session| session.ended.unwrap_or(now).0.saturating_add(1));
    let to = ask.to.or(last).unwrap_or(now.0.saturating_add(1));
    let from = ask.from.or(session.map(|session| session.started.0)).unwrap_or(to.saturating_sub(PERIOD_MS));
    let (from, to) = match (session, last) {
        (Some(session), Some(last)) => (from.max(session.started.0), to.min(last)),
        (Some(_) | None, _) => (from, to),
    };
    let bucket = match ask.bucket.unwrap_or(wire::Bucket::Day) {
        wire::Bucket::Hour => Bucket::Hour,
        wire::Bucket::Day => Bucket::Day,
        wire::Bucket::Week => Bucket::Week,
    };
    let offset_ms = i64::from(ask.utc_offset_minutes.unwrap_or(0)) * 60_000;
    Period::new(Wall(from), Wall(to), bucket, offset_ms)
        .map_err(|problem| no(REFUSED, problem.code(), problem.to_string()))
}

fn tell(snapshot: &Snapshot<'_>, period: Period, filter: Filter) -> std::result::Result<wire::Analytics, StoreError> {
    let mut analysis = Analysis::new(period, filter);
    let counted = snapshot.count_figures(&mut analysis)?;
    let nothing = analytics::Figures::default();
    let by_bucket = period.buckets().map(|start| wire::BucketFigures {
        start: start.0,
        figures: figures(analysis.by_bucket.get(&start).unwrap_or(&nothing)),
    });
    Ok(wire::Analytics {
        from: period.from().0,
        to: period.to().0,
        bucket: match period.bucket() {
            Bucket::Hour => wire::Bucket::Hour,
            Bucket::Day => wire::Bucket::Day,
            Bucket::Week => wire::Bucket::Week,
        },
        total: figures(&analysis.total),
        by_agent: named(&analysis.by_agent),
        by_type: named(&analysis.by_type),
        by_bucket: by_bucket.collect(),
        more: counted.more,
        revision: snapshot.revision()?,
    })
}

/// The busiest first.
fn named(by_name: &BTreeMap<Option<String>, analytics::Figures>) -> Vec<wire::NamedFigures> {
    let mut all: Vec<_> = by_name.iter().collect();
    all.sort_by_key(|(_, figures)| {
        std::cmp::Reverse((figures.runs.ended(), figures.tasks.ended(), figures.hunks.decided()))
    });
    let shown = all.into_iter().take(wire::MOST_NAMED);
    shown.map(|(name, counted)| wire::NamedFigures { name: name.clone(), figures: figures(counted) }).collect()
}

fn rate(rate: analytics::Rate) -> wire::Rate {
    wire::Rate { part: rate.part, of: rate.of }
}

fn figures(counted: &analytics::Figures) -> wire::Figures {
    let analytics::Figures { tasks, runs, hunks, tokens, costs, .. } = counted;
    let (times, used) = (counted.times(), counted.used());
    wire::Figures {
        tasks: wire::TaskFigures {
            ended: tasks.ended(),
            completed: tasks.completed,
            partial: tasks.partial,
            blocked: tasks.blocked,
            failed: tasks.failed,
            cancelled: tasks.cancelled,
            success: rate(tasks.success()),
            failure: rate(tasks.failure()),
        },
        runs: wire::RunFigures {
            ended: runs.ended(),
            completed: runs.completed,
            partial: runs.partial,
            blocked: runs.blocked,
            failed: runs.failed,
            cancelled: runs.cancelled,
            timed_out: runs.timed_out,
            disconnected: runs.disconnected,
            success: rate(runs.success()),
            failure: rate(runs.failure()),
        },
        times: wire::TimeFigures {
            runs: times.runs,
            median_ms: times.median_ms,
            p90_ms: times.p90_ms,
            total_ms: times.total_ms,
        },
        hunks: wire::HunkFigures {
            approved: hunks.approved,
            rejected: hunks.rejected,
            undone: hunks.undone,
            redone: hunks.redone,
            approval: rate(hunks.approval()),
            rejection: rate(hunks.rejection()),
        },
        tokens: wire::TokenFigures { runs: tokens.runs, input: tokens.input, output: tokens.output },
        costs: costs
            .iter()
            .map(|(currency, spent)| wire::CostFigures {
                currency: currency.clone(),
                amount: spent.amount.to_string(),
                runs: spent.runs,
            })
            .collect(),
        resources: wire::ResourceFigures {
            runs: used.runs,
            cpu_median_ms: used.cpu_median_ms,
            cpu_total_ms: used.cpu_total_ms,
            peak_memory_bytes: used.peak_memory_bytes,
        },
    }
}
