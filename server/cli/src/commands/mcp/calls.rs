//! What the tools do: one or two calls of the host each, and an answer in words for a model.

use std::path::Path;
use std::time::Duration;

use augment_core::completion::Metric;
use augment_core::file::ContentHash;
use augment_core::knowledge::notes;
use augment_host::workspace::Workspace;
use augment_protocol::agents::{AskDecision, LogDiscovered, OneQuestion, OwnTask, Question, ReadHandOff, ReportWork};
use augment_protocol::archive::KnowledgeEntry;
use augment_protocol::changes::ClaimFile;
use augment_protocol::completion::{CompletionReport, DecisionPoint, NextStep, ReportedMetric};
use augment_protocol::methods::{
    FileClaim, QuestionShow, QueueHeartbeat, RunAsk, RunDiscovered, RunHandOff, RunReport, RunScope, RunTask,
    SessionReports, SessionShown,
};
use augment_protocol::queue::{Heartbeat, Priority};
use augment_protocol::sessions::{ListReports, RequestScope, SessionStatus};
use augment_protocol::status::Nothing;
use serde_json::Value;

use super::tools::{self, Ask, ClaimChange, Complete, Discovered, Figure, ScopeWanted, ToolCall};
use crate::client::Client;
use crate::commands::decision::chosen;
use crate::commands::{Failure, own_run, typed_path};
use crate::output::time;

/// Among so many of the newest reports is the one of a task that has just ended.
const NEWEST: u32 = 20;
/// How long a tool waits for a person. Clients give a tool up after a minute.
const WAIT: Duration = Duration::from_secs(50);

/// The result of a call, as MCP has it.
pub(super) async fn carry_out(workspace: Result<Workspace, Failure>, call: ToolCall) -> Value {
    match carried_out(workspace, call).await {
        Ok(Outcome { text, data: None }) => tools::done(&text),
        Ok(Outcome { text, data: Some(data) }) => tools::done_with(&text, &data),
        Err(Failure::Told { message, .. }) => tools::failed(&message),
        Err(Failure::Closed | Failure::Interrupted) => tools::failed("The call was given up."),
    }
}

/// What a tool tells: words for a model, and sometimes the data behind them.
struct Outcome {
    text: String,
    data: Option<Value>,
}

async fn carried_out(workspace: Result<Workspace, Failure>, call: ToolCall) -> Result<Outcome, Failure> {
    if !own_run::has_token() {
        return Err(own_run::no_token());
    }
    let workspace = workspace?;
    let mut client = own_run::connect(&workspace).await?;
    if let ToolCall::SessionStatus = call {
        let status = client.call::<SessionShown>(Nothing {}).await?;
        return Ok(Outcome { text: session_text(&status), data: serde_json::to_value(&status).ok() });
    }
    let text = told_of(&workspace, &mut client, call).await?;
    Ok(Outcome { text, data: None })
}

async fn told_of(workspace: &Workspace, client: &mut Client, call: ToolCall) -> Result<String, Failure> {
    match call {
        ToolCall::GetTask => Ok(described(&client.call::<RunTask>(Nothing {}).await?)),
        ToolCall::Heartbeat => heartbeat(client).await,
        ToolCall::ClaimChange(claim) => claim_change(workspace, client, claim).await,
        ToolCall::AskDecision(ask) => {
            let question = client.call::<RunAsk>(asked(ask)).await?;
            Ok(told(&own_run::answered(client, question, WAIT).await?))
        }
        ToolCall::GetAnswer(which) => {
            let question = client.call::<QuestionShow>(OneQuestion { question: which.id }).await?;
            Ok(told(&own_run::answered(client, question, WAIT).await?))
        }
        ToolCall::LogDiscoveredTask(found) => {
            let Discovered { title, description, priority } = found;
            let task = client.call::<RunDiscovered>(LogDiscovered { title, description, priority }).await?;
            Ok(format!("In the queue as {}: {}. Somebody else does it; go on with your own task.", task.id, task.title))
        }
        ToolCall::Complete(complete) => {
            let report = ReportWork { task: None, report: Some(reported(complete)), xml: None };
            let run = client.call::<RunReport>(report).await?;
            let kept = format!("The report for {} ({}) is kept. End your turn now.", run.task, run.run);
            // The report is kept whether or not the session's can be read.
            Ok(match task_report(client, &run.task).await {
                Ok(Some(report)) => format!("{kept}\n\n{report}"),
                Ok(None) | Err(_) => kept,
            })
        }
        ToolCall::ReadHandOff => Ok(client.call::<RunHandOff>(ReadHandOff::default()).await?.text),
        ToolCall::SessionStatus => Ok(session_text(&client.call::<SessionShown>(Nothing {}).await?)),
        ToolCall::RequestScope(wanted) => {
            let ScopeWanted { paths, why } = wanted;
            let question = client.call::<RunScope>(RequestScope { paths, why }).await?;
            Ok(told(&own_run::answered(client, question, WAIT).await?))
        }
    }
}

/// What the session has told of a task, if it has ended by its report.
async fn task_report(client: &mut Client, task: &str) -> Result<Option<String>, Failure> {
    let newest = ListReports { limit: Some(NEWEST), ..ListReports::default() };
    let reports = client.call::<SessionReports>(newest).await?.reports;
    let of_task = reports.into_iter().rev().find(|report| report.task.as_deref() == Some(task));
    Ok(of_task.map(|report| report.text))
}

fn session_text(status: &SessionStatus) -> String {
    let mut text = status.text.trim_end().to_owned();
    if let Some(session) = status.session.as_ref().filter(|session| !session.paths.is_empty()) {
        text.push_str(&format!("\n\nWrite only in: {}", session.paths.join(", ")));
    }
    if let Some(question) = &status.question {
        text.push_str(&format!("\n\nThe person is asked: {question}"));
    }
    text
}

async fn heartbeat(client: &mut Client) -> Result<String, Failure> {
    let own = client.call::<RunTask>(Nothing {}).await?;
    let task = client.call::<QueueHeartbeat>(Heartbeat { task: own.task.id, attempt: None }).await?;
    Ok(match &task.lease {
        Some(lease) => format!("{} stays yours for another {}.", task.id, time::length(lease.length_ms)),
        None => format!("Heard for {}.", task.id),
    })
}

async fn claim_change(workspace: &Workspace, client: &mut Client, claim: ClaimChange) -> Result<String, Failure> {
    let path = typed_path::inside(workspace.root(), None, Path::new(&claim.path))?.to_text();
    let hash = claim.content.as_ref().map(|content| ContentHash::of(content.as_bytes()).to_string());
    let how = if hash.is_some() { ", with exactly this content" } else { "" };
    client.call::<FileClaim>(ClaimFile { path: path.clone(), hash, task: None }).await?;
    Ok(format!("{path} is claimed{how}."))
}

fn asked(ask: Ask) -> AskDecision {
    let options = ask.options.into_iter().map(tools::AskOption::choice).collect();
    AskDecision { question: ask.question, detail: ask.detail, options, recommendation: ask.recommendation }
}

fn reported(complete: Complete) -> CompletionReport {
    let metric = |(name, value): (String, Figure)| {
        let metric = Metric { name, value: value.text() };
        let unit = metric.known().map(|known| known.unit().word().to_owned());
        ReportedMetric { name: metric.name, value: metric.value, unit }
    };
    let decision = |decision: tools::Decision| DecisionPoint {
        question: decision.question,
        options: decision.options.into_iter().map(tools::AskOption::choice).collect(),
        recommendation: decision.recommendation,
    };
    CompletionReport {
        status: complete.status,
        // Who reports is known by the token.
        agent: None,
        timestamp: None,
        summary: complete.summary,
        metrics: complete.metrics.into_iter().map(metric).collect(),
        next_steps: complete
            .next_agents
            .into_iter()
            .map(|next| NextStep { agent: next.agent, reason: next.reason })
            .collect(),
        decisions: complete.decisions.into_iter().map(decision).collect(),
    }
}

fn described(own: &OwnTask) -> String {
    let task = &own.task;
    let mut text = format!("Task {} (your run is {}): {}\n", task.id, own.run, task.title);
    if !own.holds {
        text.push_str("This run does not hold the task any more. Stop working on it.\n");
    }
    if !task.description.is_empty() {
        text.push_str(&format!("\n{}\n\n", task.description));
    }
    if !task.scope.is_empty() {
        text.push_str(&format!("Change only files that match: {}\n", task.scope.join(", ")));
    }
    let priority = match task.priority {
        Priority::High => "high",
        Priority::Medium => "medium",
        Priority::Low => "low",
    };
    text.push_str(&format!("Priority: {priority}\n"));
    if let Some(limit) = task.time_limit_ms {
        text.push_str(&format!("Time limit: {}\n", time::length(limit)));
    }
    text.push_str(&format!("Workspace: {}\n", own.workspace));
    if own.has_hand_off {
        text.push_str("Another agent worked on this before you: call read_hand_off before you start.\n");
    }
    text.push_str(&learnt(&own.from_earlier));
    text.push_str("Call complete when you are done or cannot go on.");
    text
}

/// What earlier sessions have left.
fn learnt(entries: &[KnowledgeEntry]) -> String {
    let said = entries.iter().map(|entry| (entry.text.as_str(), entry.source.as_deref().or(entry.by.as_deref())));
    notes(said).map(|notes| format!("\n{notes}\n\n")).unwrap_or_default()
}

fn told(question: &Question) -> String {
    let id = &question.id;
    let Some(answer) = &question.answer else {
        return format!(
            "{id} is not answered yet: call get_answer with id {id}. Until then do what does not depend on it."
        );
    };
    let Some(chosen) = chosen(question) else {
        return format!("{id} was withdrawn: nobody needs an answer any more.");
    };
    let text = question.options.iter().find(|option| Some(&option.value) == answer.choice.as_ref());
    let meaning = text.filter(|option| option.text != chosen).map(|option| format!(" ({})", option.text));
    format!("Answer to {id}: {chosen}{}\nBy {}.", meaning.unwrap_or_default(), answer.by)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_told_with_what_it_means() {
        let question = |answer: Value| -> Question {
            serde_json::from_value(json!({
                "id": "q7", "run": "a1.1", "task": "a1", "agent": "goose", "kind": "decision", "question": "Which?",
                "detail": "", "options": [{ "value": "redis", "text": "Use Redis" }], "recommendation": null,
                "askedAt": 1, "answer": answer,
            }))
            .unwrap()
        };
        let answer =
            |choice: Value, text: Value, by: &str| json!({ "choice": choice, "text": text, "by": by, "at": 2 });
        assert!(told(&question(Value::Null)).starts_with("q7 is not answered yet: call get_answer with id q7"));
        let chosen = question(answer(json!("redis"), Value::Null, "person:jo"));
        assert_eq!(told(&chosen), "Answer to q7: redis (Use Redis)\nBy person:jo.");
        let text = question(answer(Value::Null, json!("neither"), "person:jo"));
        assert_eq!(told(&text), "Answer to q7: neither\nBy person:jo.");
        let withdrawn = question(answer(Value::Null, Value::Null, "withdrawn"));
        assert_eq!(told(&withdrawn), "q7 was withdrawn: nobody needs an answer any more.");
    }

    #[test]
    fn figures_that_are_known_get_their_unit() {
        let call = ToolCall::understand(json!({ "name": "complete", "arguments": {
            "status": "partial", "summary": "s", "metrics": { "files_modified": 3, "cups": "2" },
            "next_agents": [{ "agent": "reviewer" }], "decisions": [{ "question": "Which?", "options": [{ "value": "a" }] }],
        }}));
        let Ok(ToolCall::Complete(complete)) = call else { panic!("not understood") };
        let report = reported(complete);
        let units: Vec<_> = report.metrics.iter().map(|one| (one.name.as_str(), one.unit.as_deref())).collect();
        assert_eq!(units, [("cups", None), ("files_modified", Some("files"))]);
        assert_eq!(report.decisions[0].options[0].text, "a");
    }
}
