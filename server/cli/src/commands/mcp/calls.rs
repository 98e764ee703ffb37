//! What the tools do: one or two calls of the host each, and an answer in words for a model.

use std::path::Path;
use std::time::Duration;

use augment_core::completion::Metric;
use augment_core::file::ContentHash;
use augment_host::workspace::Workspace;
use augment_protocol::agents::{AskDecision, LogDiscovered, OneQuestion, OwnTask, Question, ReadHandOff, ReportWork};
use augment_protocol::changes::ClaimFile;
use augment_protocol::completion::{CompletionReport, DecisionPoint, NextStep, ReportedMetric};
use augment_protocol::methods::{
    FileClaim, QuestionShow, QueueHeartbeat, RunAsk, RunDiscovered, RunHandOff, RunReport, RunTask,
};
use augment_protocol::queue::{Heartbeat, Priority};
use augment_protocol::status::Nothing;
use serde_json::Value;

use super::tools::{self, Ask, ClaimChange, Complete, Discovered, Figure, ToolCall};
use crate::client::Client;
use crate::commands::decision::chosen;
use crate::commands::{Failure, own_run, typed_path};
use crate::output::time;

/// How long a tool waits for a person. Clients give a tool up after a minute.
const WAIT: Duration = Duration::from_secs(50);

/// The result of a call, as MCP has it.
pub(super) async fn carry_out(workspace: Result<Workspace, Failure>, call: ToolCall) -> Value {
    match carried_out(workspace, call).await {
        Ok(text) => tools::done(&text),
        Err(Failure::Told { message, .. }) => tools::failed(&message),
        Err(Failure::Closed | Failure::Interrupted) => tools::failed("The call was given up."),
    }
}

async fn carried_out(workspace: Result<Workspace, Failure>, call: ToolCall) -> Result<String, Failure> {
    if !own_run::has_token() {
        return Err(own_run::no_token());
    }
    let workspace = workspace?;
    let mut client = own_run::connect(&workspace).await?;
    match call {
        ToolCall::GetTask => Ok(described(&client.call::<RunTask>(Nothing {}).await?)),
        ToolCall::Heartbeat => heartbeat(&mut client).await,
        ToolCall::ClaimChange(claim) => claim_change(&workspace, &mut client, claim).await,
        ToolCall::AskDecision(ask) => {
            let question = client.call::<RunAsk>(asked(ask)).await?;
            Ok(told(&own_run::answered(&mut client, question, WAIT).await?))
        }
        ToolCall::GetAnswer(which) => {
            let question = client.call::<QuestionShow>(OneQuestion { question: which.id }).await?;
            Ok(told(&own_run::answered(&mut client, question, WAIT).await?))
        }
        ToolCall::LogDiscoveredTask(found) => {
            let Discovered { title, description, priority } = found;
            let task = client.call::<RunDiscovered>(LogDiscovered { title, description, priority }).await?;
            Ok(format!("In the queue as {}: {}. Somebody else does it; go on with your own task.", task.id, task.title))
        }
        ToolCall::Complete(complete) => {
            let report = ReportWork { task: None, report: Some(reported(complete)), xml: None };
            let run = client.call::<RunReport>(report).await?;
            Ok(format!("The report for {} ({}) is kept. End your turn now.", run.task, run.run))
        }
        ToolCall::ReadHandOff => Ok(client.call::<RunHandOff>(ReadHandOff::default()).await?.text),
    }
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
    text.push_str("Call complete when you are done or cannot go on.");
    text
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
