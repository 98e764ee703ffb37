//! The story of a session, a workspace or a file as people tell it: of all that is recorded, what somebody cares about
//! afterwards, with who did it and where. A record of a kind that is not known here is left out, never guessed at.

use crate::run::RunState;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointKind {
    Session,
    TaskTaken,
    TaskEnded,
    RunStarted,
    RunEnded,
    Question,
    Revision,
    Decision,
    Report,
    Checkpoint,
    Flag,
    Finding,
    Commit,
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    Person {
        name: String,
    },
    /// `b12.2`.
    Run {
        run: String,
    },
    Vcs,
    /// The host itself, also where it carries out a person's policy.
    Host,
    Unknown,
}

impl Who {
    /// As records name actors and authors.
    #[must_use]
    pub fn read(name: &str) -> Self {
        match name.split_once(':') {
            Some(("person", name)) => Self::Person { name: name.to_owned() },
            Some(("run", run)) => Self::Run { run: run.to_owned() },
            Some(("commit", _)) => Self::Vcs,
            Some(_) | None => match name {
                "host" => Self::Host,
                "vcs" => Self::Vcs,
                _ => Self::Unknown,
            },
        }
    }
}

/// What a record says, whatever form it is kept in.
pub trait Said {
    fn kind(&self) -> &str;
    fn actor(&self) -> &str;
    fn subject(&self) -> &str;
    fn about(&self) -> &[String];
    /// A text of its data.
    fn text(&self, name: &str) -> Option<&str>;
    /// A number of its data.
    fn number(&self, name: &str) -> Option<u64>;
}

/// One point of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub kind: PointKind,
    pub who: Who,
    /// `b12`.
    pub task: Option<String>,
    pub run: Option<String>,
    pub session: Option<String>,
    pub file: Option<String>,
    /// For `undo`.
    pub decision: Option<String>,
    /// Of the file's history.
    pub step: Option<u64>,
    pub added: u64,
    pub removed: u64,
    /// The name of what the author is known by.
    pub evidence: Option<String>,
    /// In words. What stands in it from outside is neither bounded nor masked here.
    pub summary: String,
}

/// The point that a record is, if anybody cares.
#[must_use]
pub fn point(said: &impl Said) -> Option<Point> {
    let (kind, who, summary) = told(said)?;
    let run = topic(said, "run:").or_else(|| match &who {
        Who::Run { run } => Some(run.clone()),
        Who::Person { .. } | Who::Vcs | Who::Host | Who::Unknown => None,
    });
    // A session is about all of its tasks, and none of them is the place of what happens to it.
    let task = topic(said, "task:").filter(|_| kind != PointKind::Session);
    let task = task.or_else(|| Some(run.as_deref()?.split_once('.')?.0.to_owned()));
    let is_revision = kind == PointKind::Revision;
    let lines = |name| said.number(name).filter(|_| is_revision).unwrap_or(0);
    Some(Point {
        kind,
        who,
        task,
        run,
        session: topic(said, "session:"),
        file: topic(said, "file:"),
        decision: topic(said, "decision:"),
        step: said.number("step").filter(|_| is_revision),
        added: lines("added"),
        removed: lines("removed"),
        evidence: said.text("evidence").filter(|_| is_revision).map(str::to_owned),
        summary,
    })
}

/// What a record is about, of one kind: its subject, or the first of its topics.
fn topic(said: &impl Said, prefix: &str) -> Option<String> {
    let all = std::iter::once(said.subject()).chain(said.about().iter().map(String::as_str));
    all.filter_map(|topic| topic.strip_prefix(prefix)).map(str::to_owned).next()
}

fn told(said: &impl Said) -> Option<(PointKind, Who, String)> {
    let actor = || Who::read(said.actor());
    let text = |name: &str| said.text(name).unwrap_or_default();
    let with = |words: &str, name: &str| match said.text(name) {
        Some(text) if !text.is_empty() => format!("{words}: {text}"),
        Some(_) | None => words.to_owned(),
    };
    Some(match said.kind() {
        "session.started" => (PointKind::Session, actor(), "session started".to_owned()),
        "session.confirmed" => (PointKind::Session, actor(), "scope confirmed".to_owned()),
        "session.adjusted" => (PointKind::Session, actor(), "scope adjusted".to_owned()),
        // Whoever orders the end ends it; that its documents are written then is the host's.
        "session.ending" => (PointKind::Session, actor(), with("session ended", "reason")),
        "session.ended" => (PointKind::Session, actor(), "the session's end is on record".to_owned()),
        "session.abandoned" => (PointKind::Session, actor(), with("session abandoned", "reason")),
        "session.checkpoint" => {
            (PointKind::Checkpoint, actor(), format!("checkpoint after {}", count(said, "tasks", "task")))
        }
        "session.continued" => (PointKind::Checkpoint, actor(), "the person said to go on".to_owned()),
        "session.reported" => (PointKind::Report, actor(), report_words(text("level")).to_owned()),
        "session.committed" => (PointKind::Commit, actor(), format!("committed as {}", short_commit(text("commit")))),
        "prompt.started" => (PointKind::Session, actor(), with("prompt started", "stamp")),
        "prompt.intent" => (PointKind::Commit, actor(), with("intent committed", "intent")),
        "prompt.finished" => (PointKind::Commit, actor(), with("session commit made", "summary")),
        "prompt.taken-back" => (PointKind::Commit, actor(), taken_back(said)),
        "prompt.pushed" => (PointKind::Commit, actor(), format!("pushed to {} of {}", text("branch"), text("remote"))),
        "prompt.dropped" => (PointKind::Session, actor(), "prompt given up".to_owned()),
        "vcs.moved" => (PointKind::Commit, Who::Vcs, moved(said)),
        "task.claimed" => {
            // Whoever hands a task to an agent does not work on it.
            let who = topic(said, "run:").map_or_else(actor, |run| Who::Run { run });
            (PointKind::TaskTaken, who, format!("taken, attempt {}", said.number("attempt")?))
        }
        "task.ended" => (PointKind::TaskEnded, run_or(said, actor()), with(text("status"), "result")),
        "task.failed" => (PointKind::TaskEnded, run_or(said, actor()), with("failed", "reason")),
        "task.returned" => (PointKind::TaskEnded, run_or(said, actor()), with("returned to the queue", "reason")),
        "task.cancelled" => (PointKind::TaskEnded, actor(), with("cancelled", "reason")),
        "task.put-aside" => (PointKind::TaskEnded, actor(), "put aside by a person".to_owned()),
        "run.state" | "run.reconnected" => return run_state(said),
        "question.asked" => (PointKind::Question, actor(), with("asked", "text")),
        "question.answered" => (PointKind::Question, actor(), answer(said)),
        "file.changed" => (PointKind::Revision, Who::read(text("author")), lines(said)),
        "file.attributed" => {
            (PointKind::Revision, Who::read(text("author")), format!("attributed instead of to {}", text("instead")))
        }
        "file.parked" => (PointKind::Revision, Who::Vcs, with("what waits stays with the branch", "branch")),
        "file.returned" => (PointKind::Revision, Who::Vcs, with("came back with the branch", "branch")),
        "file.came-back" => (PointKind::Revision, Who::Vcs, "version control gave back what it had taken".to_owned()),
        "review.approved" => (PointKind::Decision, actor(), decided(said, "approved")),
        "review.rejected" => (PointKind::Decision, actor(), decided(said, "rejected")),
        "review.undone" => (PointKind::Decision, actor(), decided(said, "undone")),
        "review.redone" => (PointKind::Decision, actor(), decided(said, "redone")),
        "review.implied" => {
            let verb = if text("verdict") == "approved" { "approved by a commit" } else { "taken back by an edit" };
            (PointKind::Decision, Who::read(text("by")), decided(said, verb))
        }
        "review.assigned" => (PointKind::Decision, actor(), format!("assigned to {}", text("to"))),
        "scope.left" => (PointKind::Flag, run_or(said, actor()), with(flag_words(text("kind")), "why")),
        "scope.answered" => (PointKind::Flag, actor(), with("flag answered", "answer")),
        "scope.reopened" => (PointKind::Flag, actor(), "flag is up again".to_owned()),
        "scan.found" => (PointKind::Finding, run_or(said, actor()), finding(said)),
        "scan.acknowledged" => (PointKind::Finding, actor(), with("finding looked at", "rule")),
        _ => return None,
    })
}

/// The run that a record is about, where the host only tells of it.
fn run_or(said: &impl Said, actor: Who) -> Who {
    match topic(said, "run:") {
        Some(run) if actor == Who::Host => Who::Run { run },
        Some(_) | None => actor,
    }
}

/// Only where a run begins to work, is lost or comes to its end; what it does meanwhile is its work.
fn run_state(said: &impl Said) -> Option<(PointKind, Who, String)> {
    let who = run_or(said, Who::read(said.actor()));
    let state = |name| said.text(name).and_then(RunState::from_name);
    let why = said.text("why").unwrap_or_default();
    let (from, to) = (state("from")?, state("to")?);
    let words = if why.is_empty() { to.name().to_owned() } else { format!("{to}: {why}") };
    if to.is_ended() || to == RunState::Disconnected {
        return Some((PointKind::RunEnded, who, words));
    }
    match (from, to) {
        (RunState::Starting, RunState::Running) => Some((PointKind::RunStarted, who, "started".to_owned())),
        (RunState::Disconnected, _) => Some((PointKind::RunStarted, who, "reconnected".to_owned())),
        (_, _) => None,
    }
}

fn report_words(level: &str) -> &'static str {
    match level {
        "start" => "start report",
        "light" => "task report",
        "medium" => "checkpoint report",
        "heavy" => "sprint review",
        "comprehensive" => "session report",
        _ => "report",
    }
}

fn flag_words(kind: &str) -> &'static str {
    match kind {
        "unauthorised" => "written before the scope was confirmed",
        _ => "outside the confirmed scope",
    }
}

fn finding(said: &impl Said) -> String {
    let rule = said.text("rule").unwrap_or("something");
    match said.number("line") {
        Some(line) => format!("{rule} found in line {line}"),
        None => format!("{rule} found"),
    }
}

fn answer(said: &impl Said) -> String {
    let given = said.text("text").filter(|text| !text.is_empty()).or_else(|| said.text("choice"));
    match (said.text("by"), given) {
        (Some("withdrawn"), _) => "question withdrawn".to_owned(),
        (_, Some(given)) => format!("answered: {given}"),
        (_, None) => "answered".to_owned(),
    }
}

fn lines(said: &impl Said) -> String {
    let (added, removed) = (said.number("added").unwrap_or(0), said.number("removed").unwrap_or(0));
    let renamed = said.text("from").map(|from| format!("renamed from {from}"));
    let how = said.text("what").map(str::to_owned).or(renamed);
    match (how, added + removed) {
        (None, _) => format!("+{added} −{removed}"),
        (Some(how), 0) => how,
        (Some(how), _) => format!("{how}, +{added} −{removed}"),
    }
}

fn decided(said: &impl Said, verb: &str) -> String {
    let hunks = count(said, "hunks", "hunk");
    match said.number("files") {
        Some(files) if files > 1 => format!("{verb}: {hunks} in {files} files"),
        Some(_) | None => format!("{verb}: {hunks}"),
    }
}

fn count(said: &impl Said, name: &str, thing: &str) -> String {
    match said.number(name).unwrap_or(0) {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// By its first line; by its hash where it was taken back before lines were recorded.
fn taken_back(said: &impl Said) -> String {
    match said.text("what").filter(|what| !what.is_empty()) {
        Some(what) => format!("taken back: {what}"),
        None => format!("taken back: {}", short_commit(said.text("commit").unwrap_or_default())),
    }
}

fn moved(said: &impl Said) -> String {
    let commit = |name| said.text(name).map(short_commit).unwrap_or_default();
    let way = match (said.text("fromBranch"), said.text("toBranch")) {
        (Some(from), Some(to)) if from != to => format!("branch {from} → {to}"),
        _ => format!("commit {} → {}", commit("from"), commit("to")),
    };
    match said.number("files").unwrap_or(0) {
        // A commit of what lies there already writes no file.
        0 => way,
        _ => format!("{way}, {}", count(said, "files", "file")),
    }
}

fn short_commit(commit: &str) -> String {
    commit.chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Written<'a> {
        kind: &'a str,
        actor: &'a str,
        subject: &'a str,
        about: Vec<String>,
        data: Vec<(&'a str, &'a str)>,
    }

    impl Said for Written<'_> {
        fn kind(&self) -> &str {
            self.kind
        }
        fn actor(&self) -> &str {
            self.actor
        }
        fn subject(&self) -> &str {
            self.subject
        }
        fn about(&self) -> &[String] {
            &self.about
        }
        fn text(&self, name: &str) -> Option<&str> {
            self.data.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
        }
        fn number(&self, name: &str) -> Option<u64> {
            self.text(name)?.parse().ok()
        }
    }

    /// `kind actor subject about,… name=value,…` and what is told of it.
    fn check(record: &str, expected: &str) {
        let parts: Vec<&str> = record.split_whitespace().collect();
        let [kind, actor, subject, about, data] = parts[..] else { panic!("{record}") };
        let list = |text: &str| text.split(',').filter(|part| *part != "-").map(str::to_owned).collect::<Vec<_>>();
        let data: Vec<(&str, &str)> = data.split(',').filter_map(|entry| entry.split_once('=')).collect();
        let told = point(&Written { kind, actor, subject, about: list(about), data }).map_or_else(
            || "nothing".to_owned(),
            |point| {
                let who = match &point.who {
                    Who::Person { name } => name.clone(),
                    Who::Run { run } => format!("run {run}"),
                    Who::Vcs => "vcs".to_owned(),
                    Who::Host => "host".to_owned(),
                    Who::Unknown => "unknown".to_owned(),
                };
                let places =
                    [point.task, point.run, point.file, point.decision, point.step.map(|step| step.to_string())];
                let places: Vec<String> = places.into_iter().flatten().collect();
                format!("{:?} {who} [{}] {}", point.kind, places.join(" "), point.summary)
            },
        );
        assert_eq!(told, expected, "{record}");
    }

    #[test]
    fn what_people_care_about_is_told_and_the_rest_is_left_out() {
        for (record, expected) in [
            ("session.started person:ada session:s1 - number=9", "Session ada [] session started"),
            ("session.ending person:ada session:s1 - reason=asked", "Session ada [] session ended: asked"),
            ("session.ended host session:s1 - reason=asked", "Session host [] the session's end is on record"),
            ("session.checkpoint host session:s1 - tasks=3", "Checkpoint host [] checkpoint after 3 tasks"),
            ("session.reported host session:s1 task:a1 level=light", "Report host [a1] task report"),
            (
                "task.claimed person:ada task:a1 run:a1.1,agent:goose attempt=1",
                "TaskTaken run a1.1 [a1 a1.1] taken, attempt 1",
            ),
            (
                "task.ended run:a1.1 task:a1 run:a1.1 status=completed,result=ok",
                "TaskEnded run a1.1 [a1 a1.1] completed: ok",
            ),
            ("task.cancelled person:ada task:a1 - reason=", "TaskEnded ada [a1] cancelled"),
            ("run.state host run:a1.1 task:a1 from=starting,to=running", "RunStarted run a1.1 [a1 a1.1] started"),
            ("run.state host run:a1.1 task:a1 from=running,to=waiting", "nothing"),
            (
                "run.state host run:a1.1 task:a1 from=running,to=timed-out,why=late",
                "RunEnded run a1.1 [a1 a1.1] timed-out: late",
            ),
            (
                "run.state host run:a1.1 task:a1 from=running,to=disconnected",
                "RunEnded run a1.1 [a1 a1.1] disconnected",
            ),
            (
                "run.reconnected host run:a1.1 task:a1 from=disconnected,to=running",
                "RunStarted run a1.1 [a1 a1.1] reconnected",
            ),
            ("run.state host run:a1.1 task:a1 from=x,to=y", "nothing"),
            (
                "file.changed host file:src/a.rs task:a1,run:a1.1 author=run:a1.1,evidence=inferred,added=2,removed=1,step=4",
                "Revision run a1.1 [a1 a1.1 src/a.rs 4] +2 −1",
            ),
            ("file.changed host file:a.rs - author=unknown,added=1,removed=0", "Revision unknown [a.rs] +1 −0"),
            (
                "file.changed host file:a.rs - author=unknown,added=2,removed=0,what=created",
                "Revision unknown [a.rs] created, +2 −0",
            ),
            (
                "file.changed host file:a.rs - author=unknown,added=0,removed=0,what=deleted",
                "Revision unknown [a.rs] deleted",
            ),
            (
                "file.changed host file:b.rs file:a.rs author=unknown,added=0,removed=0,from=a.rs",
                "Revision unknown [b.rs] renamed from a.rs",
            ),
            (
                "file.changed host file:b.rs file:a.rs author=unknown,added=2,removed=0,from=a.rs",
                "Revision unknown [b.rs] renamed from a.rs, +2 −0",
            ),
            ("file.parked host file:a.rs - branch=main", "Revision vcs [a.rs] what waits stays with the branch: main"),
            (
                "review.approved person:ada decision:d7 file:a.rs,task:a1,run:a1.1 hunks=3,files=1",
                "Decision ada [a1 a1.1 a.rs d7] approved: 3 hunks",
            ),
            (
                "review.rejected host decision:d8 file:a.rs,file:b.rs hunks=3,files=2",
                "Decision host [a.rs d8] rejected: 3 hunks in 2 files",
            ),
            (
                "review.implied host file:a.rs decision:d9 verdict=approved,hunks=1,by=commit:abc",
                "Decision vcs [a.rs d9] approved by a commit: 1 hunk",
            ),
            (
                "scope.left host file:a.rs session:s1,task:a1,run:a1.1 kind=out-of-scope",
                "Flag run a1.1 [a1 a1.1 a.rs] outside the confirmed scope",
            ),
            (
                "scan.found host file:a.rs task:a1,run:a1.1 rule=aws-key,line=4",
                "Finding run a1.1 [a1 a1.1 a.rs] aws-key found in line 4",
            ),
            ("question.answered person:ada run:a1.1 - by=person,choice=yes", "Question ada [a1 a1.1] answered: yes"),
            (
                "session.committed person:ada session:s1 - commit=0123456789abcdef",
                "Commit ada [] committed as 0123456789ab",
            ),
            ("prompt.started person:ada prompt:p1 - stamp=5919AM", "Session ada [] prompt started: 5919AM"),
            ("prompt.intent person:ada prompt:p1 file:a.rs intent=add", "Commit ada [a.rs] intent committed: add"),
            ("prompt.finished person:ada prompt:p1 - summary=better", "Commit ada [] session commit made: better"),
            ("prompt.taken-back person:ada prompt:p1 - what=better,commit=abc", "Commit ada [] taken back: better"),
            (
                "prompt.taken-back person:ada prompt:p1 - commit=0123456789abcdef",
                "Commit ada [] taken back: 0123456789ab",
            ),
            (
                "prompt.pushed person:ada prompt:p1 - remote=origin,branch=main",
                "Commit ada [] pushed to main of origin",
            ),
            ("prompt.dropped person:ada prompt:p1 - -", "Session ada [] prompt given up"),
            ("prompt.writing person:ada prompt:p1 - intent=add", "nothing"),
            ("prompt.closed person:ada prompt:p1 - child=abc", "nothing"),
            (
                "vcs.moved host workspace - fromBranch=main,toBranch=side,files=1",
                "Commit vcs [] branch main → side, 1 file",
            ),
            (
                "vcs.moved host workspace - fromBranch=main,toBranch=main,from=aaa,to=bbb,files=2",
                "Commit vcs [] commit aaa → bbb, 2 files",
            ),
            ("vcs.moved host workspace - from=aaa,to=bbb,files=0", "Commit vcs [] commit aaa → bbb"),
            ("session.confirmed person:ada session:s1 task:a3,task:a4 -", "Session ada [] scope confirmed"),
            ("task.added person:ada task:a1 - title=x", "nothing"),
            ("setting.changed person:ada setting:x - -", "nothing"),
            ("made.up person:ada task:a1 - -", "nothing"),
        ] {
            check(record, expected);
        }
    }
}
