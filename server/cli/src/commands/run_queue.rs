//! `run queue`: keeps taking tasks for an agent, as many at a time as is wanted, until it is interrupted or nothing is left.
//! Ctrl-C takes no more tasks; what runs goes on.

use std::collections::BTreeSet;

use augment_protocol::agents::{ListRuns, OneRun, RunState, StartAgent};
use augment_protocol::methods::{AgentStart, RunShow, RunsList};

use super::reports::Reports;
use super::{Ended, Ending, Failure, Session, lasting, now_ms};
use crate::args::RunQueueArgs;
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::{Format, runs};

pub(super) async fn run(session: &mut Session, args: RunQueueArgs) -> Ended {
    let mut kept = Kept::default();
    let ended = loop {
        let mut client = session.connect(Wish::Lasting).await?;
        let ended = lasting::until_left(work(session, &mut client, &args, &mut kept)).await;
        // The next host has the runs of the one that went away.
        match ended {
            Err(Failure::Told { code, .. }) if code == "disconnected" => {}
            ended => break ended,
        }
    };
    if let Err(Failure::Interrupted) = ended {
        session.output.tell("No more tasks are taken. What runs goes on; `augment-cli agent list` shows it.");
    }
    ended
}

/// What became of the runs that were started.
#[derive(Debug, Default)]
struct Tally {
    completed: u32,
    others: u32,
}

/// What is known over a change of hosts.
#[derive(Debug, Default)]
struct Kept {
    running: BTreeSet<String>,
    tally: Tally,
    reports: Option<Reports>,
}

async fn work(session: &Session, client: &mut Client, args: &RunQueueArgs, kept: &mut Kept) -> Ended {
    let Kept { running, tally, reports } = kept;
    let reports = match reports {
        Some(reports) => reports,
        None => reports.insert(Reports::from_now(client).await?),
    };
    // The session waits for a word of the person's: told once, and work goes on after it.
    let mut waits = false;
    let mut full: Option<Full> = None;
    loop {
        let mut is_empty = false;
        while full.is_none() && running.len() < args.parallel as usize {
            let before = active(client).await?;
            let params = StartAgent { agent: args.agent.clone(), task: None, time_limit_ms: args.timeout };
            match client.call::<AgentStart>(params).await {
                Ok(started) => match started.run {
                    Some(run) => {
                        waits = false;
                        tell(session, &serde_json::json!({ "started": run }), || runs::started(&run))?;
                        running.insert(run.run);
                    }
                    None => {
                        is_empty = true;
                        break;
                    }
                },
                Err(CallError::Refused { code, .. }) if code == "too-many-runs" => {
                    full = Some(Full::seen(before, active(client).await?));
                }
                Err(CallError::Refused { code, message, .. }) if is_held(&code) && may_wait(args, running) => {
                    if !waits {
                        session.output.tell(&runs::plain(&message));
                    }
                    waits = true;
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        if args.until_empty && is_empty && running.is_empty() {
            let told = format!("Nothing is ready any more: {} completed, {} not.", tally.completed, tally.others);
            tell(session, &serde_json::json!({ "completed": tally.completed, "others": tally.others }), || told)?;
            return Ok(if tally.others == 0 { Ending::Done } else { Ending::No });
        }
        client.next_moved().await?;
        let active = active(client).await?;
        collect(session, client, running, &active, tally).await?;
        reports.print_fresh(session, client, |_| true).await?;
        full = full.filter(|full| full.stays(&active));
    }
}

/// Who was at work when one more was too many: until one of them has ended, nothing is tried again.
#[derive(Debug)]
struct Full(BTreeSet<String>);

impl Full {
    /// Looked at on both sides of the refusal, since whoever made it full may have ended by the second look, or begun
    /// after the first.
    fn seen(before: BTreeSet<String>, after: BTreeSet<String>) -> Self {
        Self(before.into_iter().chain(after).collect())
    }

    fn stays(&self, active: &BTreeSet<String>) -> bool {
        !self.0.is_empty() && self.0.is_subset(active)
    }
}

/// The refusals that a word of the person's takes away: to a scope, or at a checkpoint.
fn is_held(code: &str) -> bool {
    matches!(code, "scope-not-confirmed" | "checkpoint-waits" | "session-ending")
}

/// Whoever wants an end gets one once nothing runs any more.
fn may_wait(args: &RunQueueArgs, running: &BTreeSet<String>) -> bool {
    !args.until_empty || !running.is_empty()
}

/// The runs that have not ended.
async fn active(client: &mut Client) -> Result<BTreeSet<String>, Failure> {
    let list = client.call::<RunsList>(ListRuns { active: true, limit: Some(1_000), ..ListRuns::default() }).await?;
    Ok(list.runs.into_iter().map(|run| run.run).collect())
}

/// Tells of the runs that have ended.
async fn collect(
    session: &Session,
    client: &mut Client,
    running: &mut BTreeSet<String>,
    active: &BTreeSet<String>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let ended: Vec<String> = running.difference(active).cloned().collect();
    for id in ended {
        running.remove(&id);
        let details = client.call::<RunShow>(OneRun { run: id }).await?;
        if details.run.state == RunState::Completed {
            tally.completed += 1
        } else {
            tally.others += 1
        }
        tell(session, &serde_json::json!({ "ended": details.run }), || runs::line(&details.run, now_ms()))?;
    }
    Ok(())
}

fn tell(session: &Session, document: &serde_json::Value, text: impl FnOnce() -> String) -> Result<(), Failure> {
    match session.output.format() {
        Format::Json => session.output.json(document)?,
        Format::Human => session.output.print(&text())?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(names: &str) -> BTreeSet<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    fn stays(before: &str, after: &str, active: &str) -> bool {
        Full::seen(runs(before), runs(after)).stays(&runs(active))
    }

    #[test]
    fn while_those_who_filled_it_work_nothing_is_tried() {
        assert!(stays("a1.1", "a1.1", "a1.1"));
        assert!(stays("", "a1.1", "a1.1"), "one began between the look and the refusal");
        assert!(stays("a1.1", "a1.1", "a1.1 a2.1"));
    }

    #[test]
    fn once_one_of_them_has_ended_it_is_tried_again() {
        assert!(!stays("a1.1 a2.1", "a1.1 a2.1", "a2.1"));
        assert!(!stays("a1.1", "", ""), "it ended between the refusal and the second look");
        assert!(!stays("a1.1", "a2.1", "a2.1"));
        assert!(!stays("", "", ""), "it came and went between the looks");
    }
}
