//! Runs, questions and hand-offs for people. All of it is agents' text: nothing of it reaches the terminal raw.

use augment_core::text::{visible, visible_lines};
use augment_protocol::agents::{
    AdapterKind, Agent, AgentSource, HandOff, HandOffState, Question, QuestionKind, Resources, RunDetails, RunInfo,
    RunState,
};
use augment_protocol::changes::BodyKind;
use augment_protocol::completion::CompletionReport;
use augment_protocol::queue::{Status, Task};

use super::size::size;
use super::table::{Cell, Column, Look, fields, table};
use super::time::{age, length};
use super::{diff, records};

fn ago(at_ms: i64, now_ms: i64) -> String {
    format!("{} ago", age(at_ms, now_ms))
}

pub(crate) fn plain(text: &str) -> String {
    visible(text).into_owned()
}

pub(crate) fn lines(text: &str) -> String {
    visible_lines(text).into_owned()
}

/// What an agent wrote, with its lines and nothing that steers a terminal. A carriage return at the end of a line is part
/// of that end.
pub(crate) fn harmless(text: &str) -> String {
    visible_lines(&text.replace("\r\n", "\n")).into_owned()
}

pub(crate) fn state_name(state: RunState) -> &'static str {
    match state {
        RunState::Starting => "starting",
        RunState::Running => "running",
        RunState::Waiting => "waiting",
        RunState::Completed => "completed",
        RunState::Partial => "partial",
        RunState::Blocked => "blocked",
        RunState::Failed => "failed",
        RunState::Cancelled => "cancelled",
        RunState::TimedOut => "timed-out",
        RunState::Disconnected => "disconnected",
    }
}

fn look(state: RunState) -> Look {
    match state {
        RunState::Completed => Look::Good,
        RunState::Starting | RunState::Running => Look::Busy,
        RunState::Waiting | RunState::Partial | RunState::Blocked => Look::Warn,
        RunState::Failed | RunState::TimedOut | RunState::Disconnected => Look::Bad,
        RunState::Cancelled => Look::Faint,
    }
}

fn adapter_name(adapter: AdapterKind) -> &'static str {
    match adapter {
        AdapterKind::Acp => "acp",
        AdapterKind::Command => "command",
        AdapterKind::Attached => "attached",
    }
}

pub(crate) fn started(run: &RunInfo) -> String {
    format!("{} works on {} {} as run {}.", plain(&run.agent), run.task, plain(&run.title), run.run)
}

/// One run in one line.
pub(crate) fn line(run: &RunInfo, now_ms: i64) -> String {
    let state = look(run.state).paint(state_name(run.state));
    let since = ago(run.ended_at.unwrap_or(run.started_at), now_ms);
    format!(
        "{} {} on {} {}: {state}, {} ({since})",
        run.run,
        plain(&run.agent),
        run.task,
        plain(&run.title),
        run.because
    )
}

pub(crate) fn table_of(runs: &[RunInfo], now_ms: i64, width: Option<u16>) -> String {
    if runs.is_empty() {
        return "No agent is at work.".to_owned();
    }
    let columns = [
        Column::Fixed("RUN"),
        Column::Fixed("AGENT"),
        Column::Fixed("STATE"),
        Column::Text("TASK"),
        Column::Text("BECAUSE"),
        Column::Fixed("LAST SIGN"),
    ];
    let rows = runs.iter().map(|run| {
        vec![
            Cell::new(&run.run),
            Cell::new(&run.agent),
            Cell::styled(state_name(run.state), look(run.state)),
            Cell::new(format!("{} {}", run.task, run.title)),
            Cell::new(&run.because),
            Cell::styled(format!("{} {}", run.last_sign, ago(run.last_sign_at, now_ms)), Look::Faint),
        ]
    });
    table(&columns, rows.collect(), width)
}

pub(crate) fn overview(
    agents: &[Agent],
    problems: &[String],
    runs: &[RunInfo],
    now_ms: i64,
    width: Option<u16>,
) -> String {
    let columns = [
        Column::Fixed("AGENT"),
        Column::Fixed("FROM"),
        Column::Fixed("ADAPTER"),
        Column::Fixed("AT WORK"),
        Column::Text("STATE"),
    ];
    // Presets that are not installed are of interest only to who looks for one.
    let (shown, missing): (Vec<&Agent>, Vec<&Agent>) =
        agents.iter().partition(|agent| agent.program.is_some() || agent.source != AgentSource::Preset);
    let rows = shown.iter().map(|agent| {
        let from = match agent.source {
            AgentSource::Preset => "preset",
            AgentSource::User => "you",
            AgentSource::Workspace => "workspace",
        };
        let state = match (&agent.problem, agent.allowed) {
            (None, _) => Cell::styled("ready", Look::Good),
            (Some(problem), true) => Cell::styled(problem, Look::Faint),
            (Some(problem), false) => Cell::styled(problem, Look::Warn),
        };
        vec![
            Cell::styled(&agent.name, Look::Strong),
            Cell::new(from),
            Cell::new(adapter_name(agent.adapter)),
            Cell::new(format!("{}/{}", agent.active, agent.parallel)),
            state,
        ]
    });
    let mut parts = Vec::new();
    if !shown.is_empty() {
        parts.push(table(&columns, rows.collect(), width));
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|agent| agent.name.as_str()).collect();
        parts.push(format!(
            "Not installed: {}. `augment-cli agent list-presets` says how to get them.",
            plain(&names.join(", "))
        ));
    }
    parts.push(table_of(runs, now_ms, width));
    parts.extend(problems.iter().map(|problem| Look::Warn.paint(problem)));
    parts.join("\n\n")
}

pub(crate) fn details(details: &RunDetails, now_ms: i64, width: Option<u16>) -> String {
    let run = &details.run;
    let mut entries = vec![
        ("Run", Cell::styled(&run.run, Look::Strong)),
        ("Task", Cell::new(format!("{} {}", run.task, run.title))),
        ("Agent", Cell::new(format!("{} ({})", run.agent, adapter_name(run.adapter)))),
        ("State", Cell::styled(format!("{}: {}", state_name(run.state), run.because), look(run.state))),
        ("Process", Cell::new(&run.process)),
        ("Last sign of life", Cell::new(format!("{} {}", run.last_sign, ago(run.last_sign_at, now_ms)))),
        ("Started", Cell::new(ago(run.started_at, now_ms))),
    ];
    if let Some(ended) = run.ended_at {
        entries.push(("Ended", Cell::new(ago(ended, now_ms))));
    }
    if let Some(reported) = &run.reported {
        entries.push(("It reported", Cell::new(reported)));
    }
    if let Some(stopped) = &run.stopped {
        entries.push(("Its turn ended", Cell::new(stopped)));
    }
    if let Some(usage) = &run.usage {
        let cost = usage.cost.as_ref().map(|cost| format!(", {cost}")).unwrap_or_default();
        let told = format!("{} tokens in, {} out{cost}", usage.input_tokens, usage.output_tokens);
        entries.push(("It used", Cell::new(told)));
    }
    entries.extend(resources(run).map(|text| ("Resources", Cell::new(text))));
    if let (Some(message), None) = (&run.message, &details.report) {
        entries.push(("It said", Cell::new(message)));
    }
    let mut parts = vec![fields(&entries)];
    parts.extend(details.report.as_ref().map(report));
    parts.extend(details.questions.iter().map(|one| question(one, now_ms)));
    parts.extend(details.hand_offs.iter().map(hand_off_line));
    if !details.records.is_empty() {
        parts.push(format!("Last operations:\n{}", records::list(&details.records, width)));
    }
    if !details.tail.trim().is_empty() {
        parts.push(format!("The end of what it said:\n{}", harmless(details.tail.trim_end())));
    }
    parts.join("\n\n")
}

/// What its processes used. Of a run that goes on, or that somebody else started, there is nothing to say.
fn resources(run: &RunInfo) -> Option<String> {
    match &run.resources {
        Some(Resources { cpu_ms, peak_memory_bytes }) => Some(format!(
            "{} of processor time, at most {} of memory in one process",
            length(i64::try_from(*cpu_ms).unwrap_or(i64::MAX)),
            size(*peak_memory_bytes)
        )),
        None => (run.ended && run.adapter != AdapterKind::Attached).then(|| "not known".to_owned()),
    }
}

pub(crate) fn how_to_follow(run: &RunInfo) -> String {
    let id = &run.run;
    format!("`augment-cli agent logs {id} --follow` follows it, `augment-cli agent stop {id}` ends it.")
}

/// What became of a run that was followed to its end, and of its task.
pub(crate) fn ended(details: &RunDetails, task: &Task, hunks: usize, now_ms: i64) -> String {
    let mut parts = vec![line(&details.run, now_ms)];
    // What a program wrote has just been read.
    if details.run.adapter != AdapterKind::Command {
        parts.extend(details.run.message.as_ref().map(|message| lines(message)));
    }
    if details.run.why == "exited-without-report" {
        parts.push("It is not known whether it is done. For a program that is done when it ends well, set doneBy = \"exit\" in agents.toml.".to_owned());
    }
    parts.extend(task_words(task));
    if hunks > 0 {
        let (are, them) = if hunks == 1 { ("hunk waits", "it") } else { ("hunks wait", "them") };
        parts.push(format!("{hunks} {are} for your decision: `augment-cli changes list` shows {them}."));
    }
    let open = details.questions.iter().filter(|question| question.answer.is_none());
    parts.extend(open.map(|one| question(one, now_ms)));
    let proposed = details.hand_offs.iter().filter(|hand_off| hand_off.state == HandOffState::Proposed);
    parts.extend(proposed.map(hand_off_line));
    parts.join("\n")
}

/// What a run's end means for its task, where something is to be done about it.
fn task_words(task: &Task) -> Option<String> {
    let left = task.max_attempts.saturating_sub(task.attempts_used);
    match task.status {
        Status::Pending => {
            Some(format!("{} is back in the queue; {left} of {} attempts are left.", task.id, task.max_attempts))
        }
        Status::Failed | Status::Partial | Status::Blocked | Status::Cancelled => {
            let status = super::tasks::status_name(task.status);
            Some(format!("{} is {status}; `augment-cli queue retry {}` puts it back into the queue.", task.id, task.id))
        }
        Status::InProgress | Status::Completed => None,
    }
}

/// What an agent reported, as its claim.
fn report(report: &CompletionReport) -> String {
    let mut text = String::from("Its report, in its own words:");
    for line in report.summary.lines() {
        text.push_str(&format!("\n  {}", plain(line)));
    }
    for metric in &report.metrics {
        let unit = metric.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        text.push_str(&format!("\n  {}: {}{unit}", plain(&metric.name), plain(&metric.value)));
    }
    text
}

pub(crate) fn question(question: &Question, now_ms: i64) -> String {
    let what = match question.kind {
        QuestionKind::Permission => "asks for leave",
        QuestionKind::Decision => "asks",
        QuestionKind::DecisionPoint => "leaves to decide",
    };
    let head = format!(
        "{} {} {what} ({}, {}): {}",
        Look::Strong.paint(&question.id),
        plain(&question.agent),
        question.run,
        ago(question.asked_at, now_ms),
        lines(&question.question)
    );
    let mut text = head;
    for line in question.detail.lines().take(12) {
        text.push_str(&format!("\n    {}", lines(line)));
    }
    if question.detail.lines().count() > 12 {
        text.push_str("\n    …");
    }
    match &question.answer {
        Some(_) => text.push_str(&format!("\n  {}", answer_words(question))),
        None => {
            for (at, option) in question.options.iter().enumerate() {
                let recommended =
                    if question.recommendation.as_deref() == Some(&option.value) { " (recommended)" } else { "" };
                text.push_str(&format!(
                    "\n  {}. {} — {}{recommended}",
                    at + 1,
                    plain(&option.value),
                    plain(&option.text)
                ));
            }
            let how = if question.options.is_empty() { "--text \"…\"" } else { "<option>" };
            text.push_str(&format!(
                "\n  {}",
                Look::Faint.paint(&format!("augment-cli agent answer {} {how}", question.id))
            ));
        }
    }
    text
}

/// What agents wait for, as lines below the state of the whole.
pub(crate) fn waiting(questions: &[Question], hand_offs: &[HandOff]) -> String {
    const SHOWN: usize = 5;
    let mut text = String::new();
    for question in questions.iter().take(SHOWN) {
        let words = question.question.lines().next().unwrap_or_default();
        text.push_str(&format!(
            "\n{} {} asks: {}",
            Look::Warn.paint(&question.id),
            plain(&question.agent),
            plain(words)
        ));
    }
    if !questions.is_empty() {
        text.push_str("\n  `augment-cli agent questions` shows what waits for your answer.");
    }
    let proposed = hand_offs.iter().filter(|hand_off| hand_off.state == HandOffState::Proposed).count();
    if proposed > 0 {
        let who = if proposed == 1 { "An agent suggests" } else { "Agents suggest" };
        text.push_str(&format!("\n{who} who should go on: `augment-cli handoff list`."));
    }
    text
}

fn answer_words(question: &Question) -> String {
    let Some(answer) = &question.answer else { return String::new() };
    let words: Vec<&str> = [answer.choice.as_deref(), answer.text.as_deref()].into_iter().flatten().collect();
    if words.is_empty() {
        format!("No answer is needed any more ({}).", plain(&answer.by))
    } else {
        format!("Answered: {} ({}).", plain(&words.join("; ")), plain(&answer.by))
    }
}

pub(crate) fn answered(question: &Question) -> String {
    format!("{}: {}", question.id, answer_words(question))
}

/// What a yes to an agent would be for: all that it says, or, where something of it was allowed before, what has changed.
pub(crate) fn configuration(agent: &Agent) -> String {
    let name = Look::Strong.paint(&agent.name);
    match &agent.allowed_before {
        None => {
            format!("{name} comes with this workspace. It would be started like this:\n\n{}", lines(&agent.command))
        }
        Some(before) => {
            let changed = diff::unified(text_side(&agent.name, before), text_side(&agent.name, &agent.command));
            format!(
                "{name} comes with this workspace, and is not what was allowed before. This has changed:\n\n{}",
                diff::painted(&changed)
            )
        }
    }
}

fn text_side<'a>(name: &'a str, text: &'a str) -> diff::Side<'a> {
    diff::Side { path: name, body: BodyKind::Text, content: text.as_bytes(), hash: None, mode: 0 }
}

pub(crate) fn hand_off_line(hand_off: &HandOff) -> String {
    let reason = hand_off.reason.as_ref().map(|reason| format!(": {}", plain(reason))).unwrap_or_default();
    let task = hand_off.task.as_ref().map(|task| format!(" as {task}")).unwrap_or_default();
    let state = match hand_off.state {
        HandOffState::Proposed => "proposed",
        HandOffState::Accepted => "accepted",
        HandOffState::Dismissed => "dismissed",
        HandOffState::Stopped => "stopped, since the chain is too long or goes in a circle",
    };
    // What an agent said stands beside the commands and never in them.
    let next = match hand_off.state {
        HandOffState::Proposed | HandOffState::Stopped => {
            format!(
                "\n  `augment-cli handoff show {0}` is what was left for them; `handoff start {0}` or `handoff dismiss {0}` decides.",
                hand_off.id
            )
        }
        HandOffState::Accepted if hand_off.can_start => {
            format!("\n  `augment-cli handoff start {}` starts them.", hand_off.id)
        }
        HandOffState::Accepted | HandOffState::Dismissed => String::new(),
    };
    format!(
        "{} {} ({}) suggests that {} goes on{reason} [{state}{task}]{next}",
        Look::Strong.paint(&hand_off.id),
        plain(&hand_off.from_agent),
        hand_off.from_run,
        plain(&hand_off.to_agent)
    )
}

pub(crate) fn hand_offs(hand_offs: &[HandOff]) -> String {
    if hand_offs.is_empty() {
        return "No agent has suggested another one.".to_owned();
    }
    hand_offs.iter().map(hand_off_line).collect::<Vec<_>>().join("\n")
}
