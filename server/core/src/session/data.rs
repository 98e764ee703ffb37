//! Reports as data, for programs: the same that people read, in the one canonical form of records.

use crate::ledger::Data;
use crate::report::{
    Checkpoint, GoalImpact, LastSession, Next, Progress, SessionEnd, SessionStart, SprintReview, TaskReport,
};

/// What can be told: as text, and as data.
pub(super) trait Tell {
    fn text(&self) -> String;
    fn data(&self) -> Data;
}

fn progress(of: Progress) -> Data {
    Data::map([("done", of.done.into()), ("total", of.total.into()), ("percent", of.percent().into())])
}

fn next(next: &Next) -> Data {
    Data::map([("title", next.title.as_str().into()), ("estimate", next.estimate.clone().into())])
}

fn impact(of: &GoalImpact) -> Data {
    Data::map([
        ("phase", of.phase.clone().into()),
        ("sprintGoal", of.sprint_goal.clone().into()),
        ("was", progress(of.was)),
        ("now", progress(of.now)),
        ("remaining", of.remaining.clone().into()),
    ])
}

impl Tell for TaskReport {
    fn text(&self) -> String {
        self.render()
    }

    fn data(&self) -> Data {
        Data::map([
            ("task", self.task.as_str().into()),
            ("end", self.end.word().into()),
            ("changed", self.changed.clone().into()),
            ("impact", impact(&self.impact)),
            ("soFar", self.so_far.clone().into()),
            ("scope", progress(self.scope)),
            ("next", self.next.as_ref().map(next).into()),
        ])
    }
}

impl Tell for Checkpoint {
    fn text(&self) -> String {
        self.render()
    }

    fn data(&self) -> Data {
        let done = |done: &crate::report::DoneTask| {
            Data::map([
                ("title", done.title.as_str().into()),
                ("end", done.end.word().into()),
                ("note", done.note.clone().into()),
            ])
        };
        Data::map([
            ("done", self.done.iter().map(done).collect::<Vec<_>>().into()),
            ("inProgress", self.in_progress.clone().into()),
            ("remaining", self.remaining.clone().into()),
            ("sprintGoal", self.sprint_goal.clone().into()),
            ("progress", progress(self.progress)),
            ("next", self.next.as_ref().map(next).into()),
        ])
    }
}

impl Tell for SprintReview {
    fn text(&self) -> String {
        self.render()
    }

    fn data(&self) -> Data {
        let one =
            |(title, of): &(String, GoalImpact)| Data::map([("task", title.as_str().into()), ("impact", impact(of))]);
        Data::map([
            ("checkpoint", self.checkpoint.data()),
            ("impacts", self.impacts.iter().map(one).collect::<Vec<_>>().into()),
            ("architecture", self.architecture.clone().into()),
            ("decisions", self.decisions.clone().into()),
            ("nextSprint", self.next_sprint.iter().map(next).collect::<Vec<_>>().into()),
        ])
    }
}

impl Tell for SessionStart {
    fn text(&self) -> String {
        self.render()
    }

    fn data(&self) -> Data {
        let last = |last: &LastSession| {
            Data::map([
                ("session", last.session.into()),
                ("date", last.date.clone().into()),
                ("completed", last.completed.clone().into()),
                ("carriedOver", last.carried_over.clone().into()),
                ("duration", last.duration.clone().into()),
            ])
        };
        let proposed = |item: &crate::report::Proposed| {
            Data::map([
                ("title", item.title.as_str().into()),
                ("estimate", item.estimate.clone().into()),
                ("goal", item.goal.clone().into()),
            ])
        };
        Data::map([
            ("project", self.project.as_str().into()),
            ("model", self.model.clone().into()),
            ("modelWarning", self.model_warning.clone().into()),
            ("session", self.session.into()),
            ("continues", self.continues.into()),
            ("read", self.read.clone().into()),
            ("missing", self.missing.clone().into()),
            ("problems", self.problems.clone().into()),
            ("phase", self.phase.clone().into()),
            ("sprintGoal", self.sprint_goal.clone().into()),
            ("progress", self.progress.map(progress).into()),
            ("last", self.last.as_ref().map(last).into()),
            ("proposed", self.proposed.iter().map(proposed).collect::<Vec<_>>().into()),
            ("automatic", self.automatic.clone().into()),
        ])
    }
}

impl Tell for SessionEnd {
    fn text(&self) -> String {
        self.render()
    }

    fn data(&self) -> Data {
        let not_done =
            |(what, why): &(String, String)| Data::map([("what", what.as_str().into()), ("why", why.as_str().into())]);
        Data::map([
            ("session", self.session.into()),
            ("date", self.date.as_str().into()),
            ("minutes", self.minutes.into()),
            ("agents", self.agents.clone().into()),
            ("tasks", self.tasks.iter().map(Tell::data).collect::<Vec<_>>().into()),
            ("scope", progress(self.scope)),
            ("review", self.review.as_ref().map(Tell::data).into()),
            ("checkpoint", self.checkpoint.data()),
            ("files", self.files.clone().into()),
            ("notDone", self.not_done.iter().map(not_done).collect::<Vec<_>>().into()),
            ("decisions", self.decisions.clone().into()),
            ("discovered", self.discovered.clone().into()),
            ("before", progress(self.before)),
            ("after", progress(self.after)),
            ("phase", self.phase.clone().into()),
            ("sprintGoal", self.sprint_goal.clone().into()),
            ("documents", self.documents.clone().into()),
            ("commitMessage", self.commit_message.clone().into()),
            ("automatic", self.automatic.clone().into()),
            ("notes", self.notes.clone().into()),
        ])
    }
}
