//! Sessions, flags, reports and the plan as clients see them.

use augment_core::closing::{self, Closing};
use augment_core::document::{Plan, PlanStatus};
use augment_core::report;
use augment_core::session::{
    Flag, FlagAnswer, FlagKind, Governance, Item, ItemStanding, Level, Session, SessionState, WaitingFlag,
    item_standing, own_paths,
};
use augment_core::settings::SESSION_CHANGELOG;
use augment_core::view::View;
use augment_host::store::KeptReport;
use augment_protocol::closing as wire_closing;
use augment_protocol::sessions as wire;

fn state(state: SessionState) -> wire::SessionState {
    match state {
        SessionState::Planned => wire::SessionState::Planned,
        SessionState::Confirmed => wire::SessionState::Confirmed,
        SessionState::Working => wire::SessionState::Working,
        SessionState::Checkpoint => wire::SessionState::Checkpoint,
        SessionState::Ending => wire::SessionState::Ending,
        SessionState::Ended => wire::SessionState::Ended,
        SessionState::Abandoned => wire::SessionState::Abandoned,
    }
}

fn progress(of: report::Progress) -> wire::Progress {
    let cells = of.bar().chars().filter(|cell| *cell == '█').count();
    wire::Progress {
        done: of.done,
        total: of.total,
        percent: of.percent(),
        cells: u32::try_from(cells).unwrap_or(u32::MAX),
    }
}

fn item<V: View>(view: &V, item: &Item) -> Result<wire::ScopeItem, V::Error> {
    let ItemStanding { paths, waiting } = item_standing(view, item)?;
    Ok(wire::ScopeItem {
        title: item.title.clone(),
        task: item.task.map(|task| task.to_string()),
        goal: item.goal.clone(),
        planned: item.planned,
        estimate: item.estimate.clone(),
        end: item.end.map(|end| end.word().to_owned()),
        paths,
        waiting,
    })
}

fn items<V: View>(view: &V, items: &[Item]) -> Result<Vec<wire::ScopeItem>, V::Error> {
    items.iter().map(|one| item(view, one)).collect()
}

pub(super) fn session<V: View>(view: &V, session: &Session) -> Result<wire::Session, V::Error> {
    Ok(wire::Session {
        id: session.id.to_string(),
        number: session.number,
        state: state(session.state),
        protocol: session.protocol.clone(),
        automatic: session.automatic.clone(),
        model: session.model.clone(),
        started_at: session.started.0,
        confirmed_at: session.confirmed.map(|time| time.0),
        ended_at: session.ended.map(|time| time.0),
        end_reason: session.end_reason.clone(),
        phase: session.phase.clone(),
        sprint_goal: session.sprint_goal.clone(),
        before: progress(session.before),
        now: progress(session.progress()),
        items: items(view, &session.items)?,
        paths: session.paths.clone(),
        streak: session.streak,
        checkpoints: session.checkpoints,
        checkpoint_after: view.session_policy()?.checkpoint_after,
        discovered: session.discovered.clone(),
    })
}

pub(super) fn closing(closing: &Closing) -> wire_closing::Closing {
    wire_closing::Closing {
        protocol: closing.protocol.clone(),
        steps: closing.steps.iter().map(step).collect(),
        artifacts: closing.artifacts.iter().map(artifact).collect(),
        learnings: closing.learnings.clone(),
        rating: closing.feedback.as_ref().map(|feedback| feedback.rating),
        feedback: closing.feedback.as_ref().and_then(|feedback| feedback.text.clone()),
        tags: closing.tags.clone(),
        archive: closing.archive.clone(),
    }
}

fn step(step: &closing::Step) -> wire_closing::ClosingStep {
    wire_closing::ClosingStep {
        step: match step.name {
            closing::StepName::Confirmation => wire_closing::ClosingStepName::Confirmation,
            closing::StepName::Outputs => wire_closing::ClosingStepName::Outputs,
            closing::StepName::Summary => wire_closing::ClosingStepName::Summary,
            closing::StepName::Knowledge => wire_closing::ClosingStepName::Knowledge,
            closing::StepName::CleanUp => wire_closing::ClosingStepName::CleanUp,
            closing::StepName::Archive => wire_closing::ClosingStepName::Archive,
            closing::StepName::Notification => wire_closing::ClosingStepName::Notification,
        },
        outcome: match step.outcome {
            closing::StepOutcome::Waiting => wire_closing::StepOutcome::Waiting,
            closing::StepOutcome::Done => wire_closing::StepOutcome::Done,
            closing::StepOutcome::Failed => wire_closing::StepOutcome::Failed,
            closing::StepOutcome::Skipped => wire_closing::StepOutcome::Skipped,
        },
        evidence: step.evidence.clone(),
        at: step.at.map(|at| at.0),
        tries: step.tries,
    }
}

fn artifact(artifact: &closing::Artifact) -> wire_closing::Artifact {
    wire_closing::Artifact {
        path: artifact.path.clone(),
        hash: artifact.hash.clone(),
        size: artifact.size,
        check: artifact.check.name().to_owned(),
        delivered: artifact.delivered.to_string(),
        received: artifact.received,
    }
}

pub(super) fn governance<V: View>(view: &V, governance: &Governance) -> Result<wire::Governance, V::Error> {
    let proposed = governance.proposed();
    Ok(wire::Governance {
        project: governance.project.clone(),
        read: governance.read.clone(),
        missing: governance.missing.clone(),
        problems: governance.problems.clone(),
        phase: governance.phase(),
        sprint_goal: governance.sprint_goal(),
        progress: governance.progress().map(progress),
        next_session: governance.next_session(),
        model: governance.model_for(&proposed),
        proposed: items(view, &proposed)?,
    })
}

/// How many hunks of a flag are named.
const HUNKS_NAMED: usize = 1_000;

/// A flag that waits, with what of it waits.
pub(super) fn waiting_flag(waiting: &WaitingFlag) -> wire::Flag {
    let hunks = waiting.hunks.iter().take(HUNKS_NAMED).map(ToString::to_string).collect();
    wire::Flag { hunks: Some(hunks), ..flag(&waiting.flag) }
}

pub(in crate::service) fn flag(flag: &Flag) -> wire::Flag {
    wire::Flag {
        id: flag.id.to_string(),
        session: flag.session.to_string(),
        kind: match flag.kind {
            FlagKind::OutOfScope => wire::FlagKind::OutOfScope,
            FlagKind::Unauthorised => wire::FlagKind::Unauthorised,
        },
        path: flag.path.to_text(),
        run: flag.run.map(|run| run.to_string()),
        task: flag.run.map(|run| run.task.to_string()),
        needed: flag.why.is_some(),
        why: flag.why.clone(),
        time: flag.time.0,
        answer: flag.answer.map(flag_answer),
        answered_by: flag.answered_by.clone(),
        hunks: None,
        message: flag.message(),
    }
}

fn flag_answer(answer: FlagAnswer) -> wire::FlagAnswer {
    match answer {
        FlagAnswer::Extend => wire::FlagAnswer::Extend,
        FlagAnswer::Log => wire::FlagAnswer::Log,
        FlagAnswer::AllowOnce => wire::FlagAnswer::AllowOnce,
        FlagAnswer::RolledBack => wire::FlagAnswer::RolledBack,
        FlagAnswer::Refused => wire::FlagAnswer::Refused,
    }
}

pub(super) fn report(report: &KeptReport) -> wire::SessionReport {
    wire::SessionReport {
        number: report.number,
        session: report.session.to_string(),
        level: match report.level {
            Level::Start => wire::ReportLevel::Start,
            Level::Light => wire::ReportLevel::Light,
            Level::Medium => wire::ReportLevel::Medium,
            Level::Heavy => wire::ReportLevel::Heavy,
            Level::Comprehensive => wire::ReportLevel::Comprehensive,
        },
        task: report.task.map(|task| task.to_string()),
        time: report.time.0,
        text: report.text.clone(),
        // It was written as JSON by the store, so what cannot be read is damage that the text makes up for.
        data: serde_json::from_str(&report.data).unwrap_or_default(),
    }
}

fn plan_status(status: PlanStatus) -> &'static str {
    match status {
        PlanStatus::Planned => "planned",
        PlanStatus::InProgress => "in-progress",
        PlanStatus::Complete => "complete",
        PlanStatus::Blocked => "blocked",
    }
}

pub(super) fn plan<V: View>(view: &V, path: String, changelog: &str) -> Result<wire::PlanView, V::Error> {
    let governance = &*view.governance()?;
    let plan = governance.plan.as_ref();
    Ok(wire::PlanView {
        path: plan.map(|_| path),
        phase: governance.phase(),
        sprint_goal: governance.sprint_goal(),
        last_updated: plan.and_then(|plan| plan.last_updated.clone()),
        progress: governance.progress().map(progress),
        phases: plan.map(phases).unwrap_or_default(),
        tasks: plan.map(|plan| tasks(view, plan)).transpose()?.unwrap_or_default(),
        problems: governance.problems.clone(),
        notes: changelog_note(governance, changelog).into_iter().chain(governance.phase_is_done()).collect(),
    })
}

fn changelog_note(governance: &Governance, path: &str) -> Option<String> {
    if governance.missing.iter().any(|missing| missing == path) {
        return Some(format!(
            "{path} is not there, so no earlier session is known; the end of a session makes it. The setting \
             {SESSION_CHANGELOG} says where it is."
        ));
    }
    let is_empty = governance.changelog.as_ref().is_some_and(|changelog| changelog.last_session().is_none());
    is_empty.then(|| format!("{path} tells of no session yet; the end of a session adds its entry."))
}

fn phases(plan: &Plan) -> Vec<wire::PlanPhase> {
    let phase = |phase: &augment_core::document::Phase| wire::PlanPhase {
        id: phase.id.clone(),
        name: phase.name.clone(),
        status: phase.status.map(|status| plan_status(status).to_owned()),
        goal: phase.goal.clone(),
        line: phase.line,
    };
    plan.phases.iter().map(phase).collect()
}

fn tasks<V: View>(view: &V, plan: &Plan) -> Result<Vec<wire::PlanTask>, V::Error> {
    let current = plan.current_tasks();
    let mut is_current = vec![false; plan.tasks.len()];
    for at in current {
        is_current[at] = true;
    }
    let task = |(task, current): (&augment_core::document::PlanTask, bool)| {
        Ok(wire::PlanTask {
            title: task.title.clone(),
            status: plan_status(task.status).to_owned(),
            estimate: task.estimate.clone(),
            phase: task.phase.and_then(|phase| plan.phases.get(phase)).map(|phase| phase.name.clone()),
            current,
            line: task.line,
            paths: own_paths(view, &task.title)?,
        })
    };
    plan.tasks.iter().zip(is_current).map(task).collect()
}
