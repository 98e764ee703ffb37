//! The plan for people.

use augment_core::text::visible;
use augment_protocol::sessions::{PlanTask, PlanView, Progress};

use super::scan::counted;
use super::table::{Cell, Column, Look, fields, table};

fn bar(progress: &Progress) -> String {
    let filled = usize::try_from(progress.cells.min(10)).unwrap_or(0);
    let bar = format!("{}{}", "█".repeat(filled), "░".repeat(10 - filled));
    format!("{bar} {}% ({}/{} tasks)", progress.percent, progress.done, progress.total)
}

fn problems(view: &PlanView) -> Vec<String> {
    let told = view.problems.iter().chain(&view.notes);
    told.map(|problem| format!("{} {}", Look::Warn.paint("note:"), visible(problem))).collect()
}

fn no_plan(view: &PlanView) -> String {
    if !view.problems.is_empty() {
        return "No plan is used here, for what is said below.".to_owned();
    }
    "There is no plan here: the setting session.plan says where it is, and by default it is PROJECT_PLAN.md.".to_owned()
}

fn task_look(task: &PlanTask) -> Look {
    match task.status.as_str() {
        "complete" => Look::Good,
        "in-progress" => Look::Busy,
        "blocked" => Look::Warn,
        _ => Look::Plain,
    }
}

pub(crate) fn show(view: &PlanView, width: Option<u16>) -> String {
    let Some(path) = &view.path else {
        let mut lines = vec![no_plan(view)];
        lines.extend(problems(view));
        return lines.join("\n");
    };
    let text = |value: &Option<String>| Cell::new(value.as_deref().unwrap_or("-"));
    let mut entries =
        vec![("plan", Cell::new(path)), ("phase", text(&view.phase)), ("sprint goal", text(&view.sprint_goal))];
    entries.extend(view.progress.as_ref().map(|progress| ("progress", Cell::new(bar(progress)))));
    entries.extend(view.last_updated.as_ref().map(|updated| ("last updated", Cell::new(updated))));
    let mut parts = vec![fields(&entries)];
    if !view.tasks.is_empty() {
        let columns = [
            Column::Number("LINE"),
            Column::Fixed("STATUS"),
            Column::Fixed("ESTIMATE"),
            Column::Text("TASK"),
            Column::Text("PHASE"),
        ];
        let rows = view.tasks.iter().map(|task| {
            vec![
                Cell::styled(task.line.to_string(), Look::Faint),
                Cell::styled(&task.status, task_look(task)),
                Cell::new(task.estimate.as_deref().unwrap_or("")),
                Cell::styled(&task.title, if task.current { Look::Strong } else { Look::Plain }),
                Cell::styled(task.phase.as_deref().unwrap_or(""), Look::Faint),
            ]
        });
        parts.push(table(&columns, rows.collect(), width));
    }
    let problems = problems(view);
    if !problems.is_empty() {
        parts.push(problems.join("\n"));
    }
    parts.join("\n\n")
}

pub(crate) fn check(view: &PlanView) -> String {
    let mut lines = match &view.path {
        None => vec![no_plan(view)],
        Some(path) => {
            let (phases, tasks) = (counted(view.phases.len(), "phase"), counted(view.tasks.len(), "task"));
            let fine = if view.problems.is_empty() { Look::Good.paint("ok:") } else { Look::Warn.paint("partly:") };
            vec![format!("{fine} {}: {phases} and {tasks} are understood.", visible(path))]
        }
    };
    lines.extend(problems(view));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    fn sample() -> PlanView {
        PlanView {
            path: Some("PROJECT_PLAN.md".into()),
            phase: Some("Phase 1".into()),
            sprint_goal: None,
            last_updated: None,
            progress: Some(Progress { done: 1, total: 2, percent: 50, cells: 5 }),
            phases: vec![],
            tasks: vec![PlanTask {
                title: "Build\u{1b} it".into(),
                status: "planned".into(),
                estimate: Some("1h".into()),
                phase: None,
                current: true,
                line: 7,
                paths: vec![],
            }],
            problems: vec!["PROJECT_PLAN.md, line 9: no status".into()],
            notes: vec![],
        }
    }

    #[test]
    fn the_plan_is_told_with_what_is_not_understood() {
        assert_eq!(
            plain(&show(&sample(), None)),
            "plan         PROJECT_PLAN.md\nphase        Phase 1\nsprint goal  -\nprogress     █████░░░░░ 50% (1/2 tasks)\n\n\
             LINE  STATUS   ESTIMATE  TASK            PHASE\n   7  planned  1h        Build\\u{1b} it\n\n\
             note: PROJECT_PLAN.md, line 9: no status"
        );
        assert_eq!(
            plain(&check(&sample())),
            "partly: PROJECT_PLAN.md: 0 phases and 1 task are understood.\nnote: PROJECT_PLAN.md, line 9: no status"
        );
    }
}
