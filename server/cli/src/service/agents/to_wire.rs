//! Runs, questions, reports and hand-offs, from the rules' types to the wire's and back.

use augment_core::completion::{self, AgentName, Choice, DecisionPoint, KnownMetric, Metric, NextStep, Report};
use augment_core::id::RunId;
use augment_core::run::{
    Adapter, HandOff, HandOffState, Question, QuestionKind, Reported, Resources, Run, RunState, Stopped, Usage,
};
use augment_core::task::{Status, Task};
use augment_core::time::Wall;
use augment_protocol::REFUSED;
use augment_protocol::agents as wire;
use augment_protocol::completion as report_wire;
use tower_lsp_server::jsonrpc::Result;

use crate::service::methods::no;

pub(super) fn adapter(adapter: Adapter) -> wire::AdapterKind {
    match adapter {
        Adapter::Acp => wire::AdapterKind::Acp,
        Adapter::Command => wire::AdapterKind::Command,
        Adapter::Attached => wire::AdapterKind::Attached,
    }
}

fn state(state: RunState) -> wire::RunState {
    match state {
        RunState::Starting => wire::RunState::Starting,
        RunState::Running => wire::RunState::Running,
        RunState::Waiting => wire::RunState::Waiting,
        RunState::Completed => wire::RunState::Completed,
        RunState::Partial => wire::RunState::Partial,
        RunState::Blocked => wire::RunState::Blocked,
        RunState::Failed => wire::RunState::Failed,
        RunState::Cancelled => wire::RunState::Cancelled,
        RunState::TimedOut => wire::RunState::TimedOut,
        RunState::Disconnected => wire::RunState::Disconnected,
    }
}

pub(super) fn run(run: &Run, title: String) -> wire::RunInfo {
    wire::RunInfo {
        run: run.id.to_string(),
        task: run.id.task.to_string(),
        title,
        agent: run.agent.clone(),
        adapter: adapter(run.adapter),
        state: state(run.standing.state),
        ended: run.ended.is_some(),
        why: run.standing.why.code(),
        because: run.standing.why.to_string(),
        started_at: run.started.0,
        ended_at: run.ended.map(|Wall(ms)| ms),
        last_sign: run.last_sign.sign.name().to_owned(),
        last_sign_at: run.last_sign.wall.0,
        process: run.facts.process.code(),
        reported: run.facts.reported.map(Reported::name).map(str::to_owned),
        stopped: run.facts.stopped.map(Stopped::name).map(str::to_owned),
        message: run.message.clone(),
        questions: run.questions,
        usage: run.usage.as_ref().map(usage),
        resources: run.resources.map(resources),
    }
}

fn resources(Resources { cpu_ms, peak_memory_bytes }: Resources) -> wire::Resources {
    wire::Resources { cpu_ms, peak_memory_bytes }
}

fn usage(usage: &Usage) -> wire::Usage {
    wire::Usage { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens, cost: usage.cost.clone() }
}

pub(super) fn question(question: &Question) -> wire::Question {
    wire::Question {
        id: question.id.to_string(),
        run: question.run.to_string(),
        task: question.run.task.to_string(),
        agent: question.agent.clone(),
        kind: match question.kind {
            QuestionKind::Permission => wire::QuestionKind::Permission,
            QuestionKind::Decision => wire::QuestionKind::Decision,
            QuestionKind::DecisionPoint => wire::QuestionKind::DecisionPoint,
        },
        question: question.question.clone(),
        detail: question.detail.clone(),
        options: question
            .options
            .iter()
            .map(|option| report_wire::Choice { value: option.value.clone(), text: option.text.clone() })
            .collect(),
        recommendation: question.recommendation.clone(),
        asked_at: question.asked.0,
        answer: question.answer.as_ref().map(|answer| wire::QuestionAnswer {
            choice: answer.choice.clone(),
            text: answer.text.clone(),
            by: answer.by.to_string(),
            at: answer.at.0,
        }),
    }
}

/// A hand-off with the task that was made of it.
pub(super) fn hand_off(hand_off: &HandOff, task: Option<&Task>) -> wire::HandOff {
    let begun = task.filter(|task| task.attempt > 0);
    let waits = task.is_some_and(|task| task.attempt == 0 && task.status == Status::Pending);
    wire::HandOff {
        id: hand_off.id.to_string(),
        from_run: hand_off.from.to_string(),
        from_agent: hand_off.from_agent.clone(),
        to_agent: hand_off.to_agent.clone(),
        reason: hand_off.reason.clone(),
        state: match hand_off.state {
            HandOffState::Proposed => wire::HandOffState::Proposed,
            HandOffState::Accepted => wire::HandOffState::Accepted,
            HandOffState::Dismissed => wire::HandOffState::Dismissed,
            HandOffState::Stopped => wire::HandOffState::Stopped,
        },
        task: hand_off.task.map(|task| task.to_string()),
        run: begun.map(|task| RunId { task: task.id, attempt: task.attempt }.to_string()),
        can_start: match hand_off.state {
            HandOffState::Proposed | HandOffState::Stopped => true,
            HandOffState::Accepted => waits,
            HandOffState::Dismissed => false,
        },
        proposed_at: hand_off.proposed.0,
    }
}

pub(super) fn status_word(status: report_wire::ReportedStatus) -> &'static str {
    match status {
        report_wire::ReportedStatus::Completed => "completed",
        report_wire::ReportedStatus::Partial => "partial",
        report_wire::ReportedStatus::Blocked => "blocked",
    }
}

pub(super) fn standing_word(standing: augment_protocol::changes::Standing) -> &'static str {
    match standing {
        augment_protocol::changes::Standing::Pending => "pending",
        augment_protocol::changes::Standing::HalfApproved => "approved by one of two",
        augment_protocol::changes::Standing::Approved => "approved",
        augment_protocol::changes::Standing::Rejected => "rejected",
    }
}

pub(super) fn report(report: &Report) -> report_wire::CompletionReport {
    report_wire::CompletionReport {
        status: match report.status {
            completion::Status::Completed => report_wire::ReportedStatus::Completed,
            completion::Status::Partial => report_wire::ReportedStatus::Partial,
            completion::Status::Blocked => report_wire::ReportedStatus::Blocked,
        },
        agent: report.agent.as_ref().map(ToString::to_string),
        timestamp: report.timestamp.clone(),
        summary: report.summary.clone(),
        metrics: report
            .metrics
            .iter()
            .map(|metric| report_wire::ReportedMetric {
                name: metric.name.clone(),
                value: metric.value.clone(),
                unit: KnownMetric::from_name(&metric.name).map(|known| known.unit().word().to_owned()),
            })
            .collect(),
        next_steps: report
            .next_steps
            .iter()
            .map(|step| report_wire::NextStep { agent: step.agent.to_string(), reason: step.reason.clone() })
            .collect(),
        decisions: report
            .decisions
            .iter()
            .map(|point| report_wire::DecisionPoint {
                question: point.question.clone(),
                options: point
                    .options
                    .iter()
                    .map(|choice| report_wire::Choice { value: choice.value.clone(), text: choice.text.clone() })
                    .collect(),
                recommendation: point.recommendation.clone(),
            })
            .collect(),
    }
}

/// A report as a client gives it. It goes through its XML, so that it has the same limits however it came.
pub(super) fn report_from(given: report_wire::CompletionReport) -> Result<Report> {
    let name = |text: &str| {
        AgentName::new(text)
            .ok_or_else(|| no(REFUSED, "bad-report", format!("{text:?} is no name of an agent. Name one.")))
    };
    let report = Report {
        status: match given.status {
            report_wire::ReportedStatus::Completed => completion::Status::Completed,
            report_wire::ReportedStatus::Partial => completion::Status::Partial,
            report_wire::ReportedStatus::Blocked => completion::Status::Blocked,
        },
        agent: given.agent.as_deref().and_then(AgentName::new),
        timestamp: given.timestamp,
        summary: given.summary,
        metrics: given.metrics.into_iter().map(|metric| Metric { name: metric.name, value: metric.value }).collect(),
        next_steps: given
            .next_steps
            .into_iter()
            .map(|step| Ok(NextStep { agent: name(&step.agent)?, reason: step.reason }))
            .collect::<Result<_>>()?,
        decisions: given
            .decisions
            .into_iter()
            .map(|point| DecisionPoint {
                question: point.question,
                options: point
                    .options
                    .into_iter()
                    .map(|choice| Choice { value: choice.value, text: choice.text })
                    .collect(),
                recommendation: point.recommendation,
            })
            .collect(),
    };
    super::read_report(&completion::write(&report))
}
