//! `changes diff`: what was changed, from before it to now, made of the two contents that the host keeps.

use augment_protocol::changes::{BodyKind, Content, ListChanges, OneFile, WhichContent};
use augment_protocol::methods::{ChangesContent, ChangesHistory};
use serde::Serialize;

use super::{Ended, Ending, Failure, PAGE, Session, bytes_of, fetch, find};
use crate::args::DiffArgs;
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::diff::{Side, painted, unified};
use crate::output::table::Look;

/// One file's diff, for programs. The contents themselves are asked for by `augment/changes/content`.
#[derive(Debug, Serialize)]
struct FileDiff {
    path: String,
    before: SideFacts,
    after: SideFacts,
    /// Unified, bytes that are not UTF-8 written `\xff`; empty where nothing differs.
    diff: String,
}

#[derive(Debug, Serialize)]
struct SideFacts {
    path: String,
    body: BodyKind,
    hash: Option<String>,
    mode: u32,
}

impl From<Content> for SideFacts {
    fn from(content: Content) -> Self {
        Self { path: content.path, body: content.body, hash: content.hash, mode: content.mode }
    }
}

#[derive(Debug, Serialize)]
struct DiffList {
    files: Vec<FileDiff>,
}

pub(super) async fn run(session: &mut Session, args: DiffArgs) -> Ended {
    let file = args.file.as_deref().map(|file| session.typed_path(file)).transpose()?;
    let mut client = session.connect(Wish::OneShot).await?;
    let pairs = wanted(&mut client, args, file).await?;
    let mut files = Vec::with_capacity(pairs.len());
    for (before, after) in pairs {
        files.push(compared(&mut client, before, after).await?);
    }
    session.show(&DiffList { files }, told)?;
    Ok(Ending::Done)
}

/// The two contents of each file to compare; no first one means nothing.
async fn wanted(
    client: &mut Client,
    args: DiffArgs,
    file: Option<String>,
) -> Result<Vec<(Option<WhichContent>, WhichContent)>, Failure> {
    let now = |path: String| WhichContent { path, ..WhichContent::default() };
    if let Some(wanted) = args.hunk {
        let file = find::hunk(client, &wanted).await?;
        let id = file.hunks.first().map(|hunk| hunk.id.clone());
        let before = WhichContent { before_hunk: id, ..now(file.path.clone()) };
        return Ok(vec![(Some(before), now(file.path))]);
    }
    if let (Some(step), Some(path)) = (args.step, &file) {
        let before =
            step_before(client, path, step).await?.map(|step| WhichContent { step: Some(step), ..now(path.clone()) });
        return Ok(vec![(before, WhichContent { step: Some(step), ..now(path.clone()) })]);
    }
    let pending = args.task_id.is_none() && args.run.is_none();
    let before = |path: String| WhichContent {
        before_task: args.task_id.clone(),
        before_run: args.run.clone(),
        before_pending: pending.then_some(true),
        ..now(path)
    };
    if let Some(path) = file {
        return Ok(vec![(Some(before(path.clone())), now(path))]);
    }
    // Of a task or run also what is approved already: it is what it did.
    let params = ListChanges {
        task: args.task_id.clone(),
        run: args.run.clone(),
        decided: (!pending).then_some(true),
        limit: Some(PAGE),
        ..ListChanges::default()
    };
    let list = fetch(client, params, Some(u32::MAX)).await?;
    Ok(list.files.into_iter().map(|file| (Some(before(file.path.clone())), now(file.path))).collect())
}

/// The step before a step of a file's history; `None` for the first one.
async fn step_before(client: &mut Client, path: &str, step: u32) -> Result<Option<u32>, Failure> {
    let history = client.call::<ChangesHistory>(OneFile { path: path.to_owned(), decided: None }).await?;
    let Some(at) = history.steps.iter().position(|known| known.step == step) else {
        let message =
            format!("There is no step {step} in what is known of it. `augment-cli changes history` numbers them.");
        return Err(Failure::told("unknown-step", message));
    };
    Ok(at.checked_sub(1).and_then(|at| history.steps.get(at)).map(|before| before.step))
}

async fn compared(
    client: &mut Client,
    before: Option<WhichContent>,
    after: WhichContent,
) -> Result<FileDiff, CallError> {
    let after = client.call::<ChangesContent>(after).await?;
    let before = match before {
        Some(before) => client.call::<ChangesContent>(before).await?,
        None => nothing(&after.path),
    };
    let (was, is) = (bytes_of(&before).unwrap_or_default(), bytes_of(&after).unwrap_or_default());
    let diff = unified(side(&before, &was), side(&after, &is));
    drop((was, is));
    Ok(FileDiff { path: after.path.clone(), before: before.into(), after: after.into(), diff })
}

fn nothing(path: &str) -> Content {
    Content {
        path: path.to_owned(),
        body: BodyKind::Absent,
        text: None,
        exact: true,
        base64: None,
        hash: None,
        mode: 0,
    }
}

fn side<'a>(content: &'a Content, bytes: &'a [u8]) -> Side<'a> {
    Side { path: &content.path, body: content.body, content: bytes, hash: content.hash.as_deref(), mode: content.mode }
}

fn told(list: &DiffList) -> String {
    let diffs: Vec<String> =
        list.files.iter().filter(|file| !file.diff.is_empty()).map(|file| painted(&file.diff)).collect();
    if diffs.is_empty() { Look::Faint.paint("Nothing differs.") } else { diffs.join("\n") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::commands::script::{Reply, host};

    const CONTENT: &str = "augment/changes/content";
    const HISTORY: &str = "augment/changes/history";

    fn args() -> DiffArgs {
        DiffArgs { task_id: None, run: None, file: None, hunk: None, step: None }
    }

    fn text(text: &str) -> Reply {
        let content = json!({
            "path": "a", "body": "text", "text": text, "exact": true, "base64": null, "hash": text, "mode": 0o644,
        });
        Reply::Result(content)
    }

    fn history(steps: &[u32]) -> Reply {
        let author = json!({ "kind": "before", "name": null, "run": null, "task": null, "taskTitle": null });
        let step = |step: &u32| {
            json!({
                "step": step, "time": 0, "kind": "revision", "author": author, "evidence": null, "added": 0, "removed": 0,
                "summary": "",
            })
        };
        let steps: Vec<Value> = steps.iter().map(step).collect();
        Reply::Result(json!({ "path": "a", "steps": steps, "more": false }))
    }

    async fn check(args: DiffArgs, script: Vec<(&'static str, Reply)>, expected_asked: &[Value], expected: &str) {
        let (mut client, said) = host(script).await;
        let pairs = wanted(&mut client, args, Some("a".into())).await.unwrap();
        let mut files = Vec::new();
        for (before, after) in pairs {
            files.push(compared(&mut client, before, after).await.unwrap());
        }
        assert_eq!(said.await.unwrap(), expected_asked);
        assert_eq!(crate::output::plain(&told(&DiffList { files })), expected);
    }

    #[tokio::test]
    async fn a_task_is_compared_with_what_was_before_it() {
        check(
            DiffArgs { task_id: Some("b12".into()), ..args() },
            vec![(CONTENT, text("new\n")), (CONTENT, text("old\n"))],
            &[json!({ "path": "a" }), json!({ "path": "a", "beforeTask": "b12" })],
            "diff a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-old\n+new",
        )
        .await;
    }

    #[tokio::test]
    async fn without_a_task_it_is_all_that_is_pending() {
        check(
            args(),
            vec![(CONTENT, text("same\n")), (CONTENT, text("same\n"))],
            &[json!({ "path": "a" }), json!({ "path": "a", "beforePending": true })],
            "Nothing differs.",
        )
        .await;
    }

    #[tokio::test]
    async fn a_step_is_compared_with_the_one_before_it() {
        check(
            DiffArgs { step: Some(7), ..args() },
            vec![(HISTORY, history(&[2, 4, 7])), (CONTENT, text("new")), (CONTENT, text(""))],
            &[json!({ "path": "a" }), json!({ "path": "a", "step": 7 }), json!({ "path": "a", "step": 4 })],
            "diff a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,1 @@\n+new\n\\ No newline at end of file",
        )
        .await;
        // The first step came out of nothing.
        check(
            DiffArgs { step: Some(2), ..args() },
            vec![(HISTORY, history(&[2, 4, 7])), (CONTENT, text("x\n"))],
            &[json!({ "path": "a" }), json!({ "path": "a", "step": 2 })],
            "diff a/a b/a\nnew file, mode 644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x",
        )
        .await;
        let (mut client, _) = host(vec![(HISTORY, history(&[2]))]).await;
        let missing = wanted(&mut client, DiffArgs { step: Some(3), ..args() }, Some("a".into())).await;
        assert!(matches!(missing, Err(Failure::Told { code, .. }) if code == "unknown-step"));
    }
}
