//! `complete`: a run's report. It is printed as the XML that readers of an agent's output look for, and told with the
//! run's token where there is one.

use std::io;

use augment_core::completion::{self, AgentName, Choice, DecisionPoint, Metric, NextStep, Report, Status};
use augment_core::text::{quoted, visible};
use augment_protocol::agents::{ReportWork, RunInfo};
use augment_protocol::completion as wire;
use augment_protocol::methods::RunReport;

use super::{Ended, Ending, Failure, Session, decision, own_run};
use crate::args::{ReportArgs, ReportStatus, TypedDecision, bounded_stdin};
use crate::connect::Wish;
use crate::output::Format;

pub(super) async fn run(session: &mut Session, args: ReportArgs) -> Ended {
    let report = written(args)?;
    let xml = completion::write(&report);
    // Before it is told: a report that the host refuses or does not hear still stands in the output.
    if session.output.format() == Format::Human {
        session.output.print(&xml)?;
    }
    let told = if own_run::has_token() { Some(tell(session, &report).await?) } else { None };
    match session.output.format() {
        Format::Json => {
            session.output.json(&serde_json::json!({ "report": to_wire(&report), "xml": xml, "run": told }))?;
        }
        // On stderr, so that stdout holds the report and nothing else.
        Format::Human => session.output.tell(&how_it_was_told(told.as_ref())),
    }
    Ok(Ending::Done)
}

/// Tells a report with the run's token.
pub(super) async fn tell(session: &mut Session, report: &Report) -> Result<RunInfo, Failure> {
    let params = ReportWork { task: None, report: Some(to_wire(report)), xml: None };
    Ok(session.connect(Wish::OneShot).await?.call::<RunReport>(params).await?)
}

pub(super) fn how_it_was_told(told: Option<&RunInfo>) -> String {
    match told {
        Some(run) => format!("Reported for {}.", visible(&run.run)),
        None => "No AUGMENT_TOKEN is set: the report is printed and told to nobody.".to_owned(),
    }
}

fn written(args: ReportArgs) -> Result<Report, Failure> {
    let summary = match args.summary.as_str() {
        "-" => bounded_stdin(io::stdin().lock()).map_err(|message| Failure::told("stdin", message))?,
        summary => summary.to_owned(),
    };
    if summary.trim().is_empty() {
        let message = "The summary is empty. Say what was done, what is left and why.";
        return Err(Failure::told("bad-summary", message));
    }
    let agent = args.agent.map(|name| named(&name)).transpose()?;
    let next_steps = args.next.iter().map(|text| next_step(text)).collect::<Result<Vec<_>, _>>()?;
    let metrics = args.metric.into_iter().map(|(name, value)| Metric { name, value }).collect();
    let status = match args.status {
        ReportStatus::Completed => Status::Completed,
        ReportStatus::Partial => Status::Partial,
        ReportStatus::Blocked => Status::Blocked,
    };
    let decisions = args.decisions.0.into_iter().map(decision_point).collect::<Result<Vec<_>, _>>()?;
    Ok(Report { status, agent, timestamp: None, summary, metrics, next_steps, decisions })
}

fn decision_point(typed: TypedDecision) -> Result<DecisionPoint, Failure> {
    if typed.question.trim().is_empty() {
        return Err(Failure::told("bad-decision", "A decision has no question. Say what is to be decided."));
    }
    let options: Vec<wire::Choice> = typed.options.iter().map(|text| decision::choice(text)).collect();
    decision::check_recommendation(typed.recommend.as_deref(), &options)?;
    let options = options.into_iter().map(|choice| Choice { value: choice.value, text: choice.text }).collect();
    Ok(DecisionPoint { question: typed.question, options, recommendation: typed.recommend })
}

fn named(name: &str) -> Result<AgentName, Failure> {
    let no_name = || Failure::told("bad-agent", format!("{} names no agent. Use for example @reviewer.", quoted(name)));
    AgentName::new(name).ok_or_else(no_name)
}

/// `agent`, or `agent:reason`.
fn next_step(text: &str) -> Result<NextStep, Failure> {
    let (agent, reason) = match text.split_once(':') {
        Some((agent, reason)) => (agent, Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty())),
        None => (text, None),
    };
    Ok(NextStep { agent: named(agent)?, reason })
}

pub(super) fn to_wire(report: &Report) -> wire::CompletionReport {
    wire::CompletionReport {
        status: match report.status {
            Status::Completed => wire::ReportedStatus::Completed,
            Status::Partial => wire::ReportedStatus::Partial,
            Status::Blocked => wire::ReportedStatus::Blocked,
        },
        agent: report.agent.as_ref().map(ToString::to_string),
        timestamp: report.timestamp.clone(),
        summary: report.summary.clone(),
        metrics: report.metrics.iter().map(metric_to_wire).collect(),
        next_steps: report
            .next_steps
            .iter()
            .map(|step| wire::NextStep { agent: step.agent.to_string(), reason: step.reason.clone() })
            .collect(),
        decisions: report.decisions.iter().map(decision_to_wire).collect(),
    }
}

fn decision_to_wire(point: &DecisionPoint) -> wire::DecisionPoint {
    let choice = |choice: &Choice| wire::Choice { value: choice.value.clone(), text: choice.text.clone() };
    wire::DecisionPoint {
        question: point.question.clone(),
        options: point.options.iter().map(choice).collect(),
        recommendation: point.recommendation.clone(),
    }
}

fn metric_to_wire(metric: &Metric) -> wire::ReportedMetric {
    wire::ReportedMetric {
        name: metric.name.clone(),
        value: metric.value.clone(),
        unit: metric.known().map(|known| known.unit().word().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::DecisionArgs;

    fn args(next: &[&str]) -> ReportArgs {
        ReportArgs {
            status: ReportStatus::Partial,
            summary: "Half <of> it".into(),
            next: next.iter().map(|&next| next.to_owned()).collect(),
            metric: vec![("files_modified".into(), "3".into())],
            agent: Some("goose".into()),
            decisions: DecisionArgs(vec![TypedDecision {
                question: "Split it?".into(),
                options: vec!["yes=Into three".into(), "no".into()],
                recommend: Some("yes".into()),
            }]),
        }
    }

    #[test]
    fn what_is_typed_becomes_a_report_that_can_be_read_back() {
        let report = written(args(&["@reviewer: look: closely", "ops"])).ok().unwrap();
        let steps: Vec<_> =
            report.next_steps.iter().map(|step| (step.agent.to_string(), step.reason.as_deref())).collect();
        assert_eq!(steps, [("@reviewer".to_owned(), Some("look: closely")), ("@ops".to_owned(), None)]);
        let xml = completion::write(&report);
        let found = completion::find(xml.as_bytes());
        assert!(format!("{found:?}").contains("Half <of> it"), "{found:?}");
        let wire = to_wire(&report);
        let [point] = wire.decisions.as_slice() else { panic!("{wire:?}") };
        let options: Vec<_> = point.options.iter().map(|one| (one.value.as_str(), one.text.as_str())).collect();
        assert_eq!(options, [("yes", "Into three"), ("no", "no")]);
        assert_eq!(point.recommendation.as_deref(), Some("yes"));
        assert_eq!(wire.metrics.first().and_then(|metric| metric.unit.as_deref()), Some("files"));
    }

    #[test]
    fn an_agent_without_a_name_is_refused() {
        assert!(written(args(&["@:why"])).is_err());
    }

    #[test]
    fn a_decision_asks_something_and_recommends_one_of_its_options() {
        for (question, recommend) in [(" ", "yes"), ("Split it?", "maybe")] {
            let mut wrong = args(&[]);
            wrong.decisions.0[0].question = question.into();
            wrong.decisions.0[0].recommend = Some(recommend.into());
            assert!(written(wrong).is_err(), "{question} {recommend}");
        }
        let mut without_options = args(&[]);
        without_options.decisions.0[0].options.clear();
        assert!(written(without_options).is_err());
    }
}
