//! From the rules' types to the wire's.

use augment_core::ledger::Link;
use augment_core::run::Run;
use augment_core::task::{Origin, Priority, Status, Task};
use augment_core::time::{Now, Wall};
use augment_host::settings::Settings;
use augment_host::store;
use augment_host::workspace::Places;
use augment_protocol::{queue as wire, records, settings as wire_settings};

pub(super) fn task(task: &Task, now: &Now) -> wire::Task {
    wire::Task {
        id: task.id.to_string(),
        title: task.title.clone(),
        description: task.description.clone(),
        priority: priority(task.priority),
        status: status(task.status),
        origin: match task.origin {
            Origin::Typed => wire::Origin::Typed,
            Origin::Connector => wire::Origin::Connector,
            Origin::Discovered => wire::Origin::Discovered,
            Origin::HandOff => wire::Origin::HandOff,
        },
        goal: task.goal.clone(),
        scope: task.scope.clone(),
        labels: task.labels.clone(),
        capabilities: task.route.capabilities.iter().cloned().collect(),
        assignee: task.route.assignee.clone(),
        depends_on: task.depends_on.iter().map(ToString::to_string).collect(),
        waits_for: task.waits_for,
        time_limit_ms: task.time_limit_ms,
        attempt: task.attempt,
        attempts_used: task.attempts_used,
        max_attempts: task.max_attempts,
        created_at: task.created.0,
        started_at: task.started.map(|Wall(ms)| ms),
        ended_at: task.ended.map(|Wall(ms)| ms),
        holder: task.holder.clone(),
        result: task.result.clone(),
        lease: task.lease.as_ref().map(|lease| wire::Lease {
            length_ms: lease.length_ms,
            // A lease of an earlier boot is carried over at the next turn and then has its whole length.
            left_ms: if lease.boot == now.boot { lease.due.ms_since(now.steady).max(0) } else { lease.length_ms },
            last_heartbeat_at: lease.last_heartbeat.0,
        }),
        revision: task.revision,
    }
}

pub(super) fn priority_name(priority: wire::Priority) -> &'static str {
    match priority {
        wire::Priority::High => "high",
        wire::Priority::Medium => "medium",
        wire::Priority::Low => "low",
    }
}

fn priority(priority: Priority) -> wire::Priority {
    match priority {
        Priority::High => wire::Priority::High,
        Priority::Medium => wire::Priority::Medium,
        Priority::Low => wire::Priority::Low,
    }
}

fn status(status: Status) -> wire::Status {
    match status {
        Status::Pending => wire::Status::Pending,
        Status::InProgress => wire::Status::InProgress,
        Status::Completed => wire::Status::Completed,
        Status::Failed => wire::Status::Failed,
        Status::Partial => wire::Status::Partial,
        Status::Blocked => wire::Status::Blocked,
        Status::Cancelled => wire::Status::Cancelled,
    }
}

pub(super) fn summary(task: &Task) -> wire::TaskSummary {
    wire::TaskSummary { id: task.id.to_string(), title: task.title.clone(), status: status(task.status) }
}

pub(super) fn counts(counts: &store::Counts) -> wire::Counts {
    wire::Counts {
        pending: counts.of(Status::Pending),
        in_progress: counts.of(Status::InProgress),
        completed: counts.of(Status::Completed),
        failed: counts.of(Status::Failed),
        partial: counts.of(Status::Partial),
        blocked: counts.of(Status::Blocked),
        cancelled: counts.of(Status::Cancelled),
    }
}

pub(super) fn run(run: &Run) -> wire::Run {
    wire::Run {
        run: run.id.to_string(),
        agent: run.agent.clone(),
        started_at: run.started.0,
        ended_at: run.ended.map(|Wall(ms)| ms),
        outcome: run.ended.map(|_| run.standing.state.name().to_owned()),
    }
}

pub(super) fn record(link: &Link) -> records::Record {
    let record = &link.record;
    records::Record {
        sequence: record.sequence,
        time: record.time.0,
        actor: record.actor.clone(),
        kind: record.kind.clone(),
        subject: record.subject.clone(),
        about: record.about.clone(),
        // Somebody may have edited the file, so what is kept there need not be JSON.
        data: serde_json::from_str(&record.data).unwrap_or_else(|_| serde_json::Value::String(record.data.clone())),
        version: record.version,
        previous: link.previous.to_string(),
        hash: link.hash.to_string(),
    }
}

pub(super) fn settings(settings: &Settings, places: &Places) -> wire_settings::SettingList {
    wire_settings::SettingList {
        settings: settings
            .all()
            .map(|(setting, resolved)| wire_settings::Setting {
                key: setting.key.to_owned(),
                value: resolved.value.to_string(),
                source: resolved.source.name().to_owned(),
                about: setting.about.to_owned(),
                takes: setting.wanted(),
                refused_policy: resolved.refused_policy.as_ref().map(ToString::to_string),
            })
            .collect(),
        problems: settings.problems().to_vec(),
        user_file: places.user_settings.display().to_string(),
        policy_file: places.policy.display().to_string(),
    }
}
