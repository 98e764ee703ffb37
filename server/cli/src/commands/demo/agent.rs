//! The demo's agent: plays what `augment_core::demo` has written down for it. It works only as a run in a demo workspace of
//! ours, on the one task that it knows, and edits nothing that is not as it knows it. It speaks as any agent does, with the
//! token of its run, and can decide nothing.

use std::path::Path;
use std::time::Duration;

use augment_core::completion::{AgentName, Metric, Report, Status, write};
use augment_core::demo::{self, ANSWERS, QUESTION};
use augment_core::text::{quoted, visible};
use augment_host::demo::is_demo;
use augment_protocol::agents::AskDecision;
use augment_protocol::completion::Choice;
use augment_protocol::methods::{RunAsk, RunTask};
use augment_protocol::status::Nothing;

use super::super::{Ended, Ending, Failure, Session, decision, own_run, report};

/// Between two edits, so that a person sees them come.
const PACE: Duration = Duration::from_millis(400);
/// How long it waits for its answer.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// What came of the edits.
#[derive(Debug, Default)]
struct Work {
    edited: Vec<&'static str>,
    left_alone: Vec<&'static str>,
}

pub(in super::super) async fn run(session: &mut Session) -> Ended {
    let workspace = session.workspace()?;
    if !is_demo(workspace.places()) {
        let root = workspace.root().to_string_lossy().into_owned();
        let message = format!("{} is no demo, and the demo's agent works nowhere else.", visible(&root));
        return Err(Failure::told("no-demo", message));
    }
    if !own_run::has_token() {
        return Err(own_run::no_token());
    }
    let mut client = own_run::connect(&workspace).await?;
    let task = client.call::<RunTask>(Nothing {}).await?.task;
    if task.title != demo::TASK {
        let summary = format!("I know how to do one thing: {}. Start me on that.", quoted(demo::TASK));
        return tell(session, Status::Blocked, summary, 0).await;
    }
    session.output.print(&format!("{}. One question first.", visible(&task.title)))?;
    let asked = client.call::<RunAsk>(question()).await?;
    let answered = own_run::answered(&mut client, asked, PATIENCE).await?;
    let Some(answer) = decision::chosen(&answered) else {
        let summary = "Nobody has said how long a session lasts, so nothing was done.".to_owned();
        return tell(session, Status::Blocked, summary, 0).await;
    };
    let work = edit(session, workspace.root(), answer, PACE).await?;
    let status = match (work.edited.is_empty(), work.left_alone.is_empty()) {
        (false, true) => Status::Completed,
        (false, false) => Status::Partial,
        (true, _) => Status::Blocked,
    };
    let summary = match status {
        Status::Completed => demo::summary(answer),
        Status::Partial | Status::Blocked => {
            format!("Not as I know them, so I left them alone: {}.", work.left_alone.join(", "))
        }
    };
    tell(session, status, summary, work.edited.len()).await
}

fn question() -> AskDecision {
    let choice = |(value, text): &(&str, &str)| Choice { value: (*value).to_owned(), text: (*text).to_owned() };
    AskDecision {
        question: QUESTION.to_owned(),
        detail: String::new(),
        options: ANSWERS.iter().map(choice).collect(),
        recommendation: ANSWERS.first().map(|(value, _)| (*value).to_owned()),
    }
}

async fn edit(session: &Session, root: &Path, answer: &str, pace: Duration) -> Result<Work, Failure> {
    let mut work = Work::default();
    for edit in demo::edits(answer) {
        tokio::time::sleep(pace).await;
        let path = root.join(edit.path);
        let failed = |error: std::io::Error| Failure::told("edit", format!("{} cannot be edited: {error}.", edit.path));
        let edited = std::fs::read_to_string(&path).ok().and_then(|text| edit.apply(&text));
        let (list, word) = match edited {
            Some(text) => {
                std::fs::write(&path, text).map_err(failed)?;
                (&mut work.edited, "edited")
            }
            None => (&mut work.left_alone, "is not as I know it, and is left alone"),
        };
        if !list.contains(&edit.path) {
            list.push(edit.path);
            session.output.print(&format!("{} {word}.", edit.path))?;
        }
    }
    Ok(work)
}

async fn tell(session: &mut Session, status: Status, summary: String, files: usize) -> Ended {
    let told = Report {
        status,
        agent: AgentName::new(demo::AGENT),
        timestamp: None,
        summary,
        metrics: vec![Metric { name: "files_modified".to_owned(), value: files.to_string() }],
        next_steps: Vec::new(),
        decisions: Vec::new(),
    };
    session.output.print(&write(&told))?;
    report::tell(session, &told).await?;
    Ok(Ending::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_recommends_one_of_its_answers() {
        let question = question();
        decision::check_recommendation(question.recommendation.as_deref(), &question.options).ok().unwrap();
        assert_eq!(question.options.len(), 2);
    }

    #[tokio::test]
    async fn what_the_person_has_changed_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in demo::FILES {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let auth = folder.path().join("src/auth.js");
        std::fs::write(&auth, "mine\n").unwrap();
        std::fs::remove_file(folder.path().join("README.md")).unwrap();
        let session = Session::new(crate::args::Global { workspace: None, json: false, color: None });
        let work = edit(&session, folder.path(), "hour", Duration::ZERO).await.ok().unwrap();
        assert_eq!(work.edited, ["src/server.js"]);
        assert_eq!(work.left_alone, ["src/auth.js", "README.md"]);
        assert_eq!(std::fs::read_to_string(auth).unwrap(), "mine\n");
        assert!(!folder.path().join("README.md").exists());
    }
}
