//! `prompt report` and `prompt unify`: files in `Research/` and `Development/`, each announced before it is written, and
//! none written over what somebody else has there.

use augment_core::file::{ContentHash, FilePath};
use augment_core::ledger::Topic;
use augment_core::prompt::artifact::{self, Artifact, Kind, Missing, Scope, artifact_text, file_name};
use augment_core::prompt::subject::{self, Found, Side};
use augment_core::prompt::{Prompt, PromptState, Role, Step, stamp_digits};
use augment_core::text::quoted;
use augment_host::files::{self, Expected, ExpectedThing, HardLinks, Root, Thing, Wanted};
use augment_host::store::LedgerQuery;
use augment_host::vcs::history::{Body, History, Part};
use augment_protocol::prompts as wire;
use augment_protocol::{FAILED, REFUSED};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::change::{Change, holding};
use super::committing::{commit, no_credential};
use super::desk::{Desk, told};
use super::finishing::{base_now, head_of};
use super::gathering::Gathered;
use super::starting::short_name;
use super::tip_files::state_of;
use super::{subjects, to_wire};
use crate::service::methods::no;

/// How long an answer may be, and a file that is looked at.
const ANSWER: usize = 1_024 * 1_024;
const FILE_BYTES: u64 = 8 * 1_024 * 1_024;
const MODE: u32 = 0o644;
/// How many files of a prompt its artifact names.
const NAMED: usize = 200;

/// A file that is to be written.
struct File {
    path: FilePath,
    text: String,
}

pub(super) fn report(desk: &Desk, wanted: &wire::ReportPrompt) -> Result<wire::ReportedPrompt> {
    desk.refuse_other(wanted.prompt.as_deref())?;
    let history = desk.history()?;
    let history = history.as_ref();
    let found = desk.take_up(history, wanted.dry_run)?;
    let mut notes = found.notes();
    if let Some(prompt) = found.same(|role, _| role == Role::Report) {
        return Ok(written_before(desk, &prompt, notes));
    }
    let prompt = desk.prompt_under_way()?;
    if !wanted.with_credentials {
        no_credential("answer", &wanted.answer)?;
        no_credential("title", &wanted.title)?;
    }
    if wanted.answer.len() > ANSWER {
        let message = format!("The answer has {} bytes, and {ANSWER} are the most. Shorten it.", wanted.answer.len());
        return Err(no(REFUSED, "text-too-long", message));
    }
    if wanted.title.trim().is_empty() {
        return Err(no(REFUSED, "empty-text", "The report has no title. Give one with --title.".to_owned()));
    }
    let root = desk.shared.workspace.root();
    let found = subjects::look(root);
    let tip = history.ground().map_err(|error| told(&error))?.tip.map(|tip| tip.id);
    let files = files_of(desk, history, tip.as_deref(), &prompt, wanted, &found)?;
    let artifact = files.first().map(|file| (file.path.to_text(), file.text.clone())).unwrap_or_default();
    // What an earlier report of the same has left there is taken as it is, and nobody writes it.
    let is_there = |file: &&File| text_at(desk, &file.path.to_text()).is_some_and(|there| there == file.text);
    let paths: Vec<String> = files.iter().filter(|file| !is_there(file)).map(|file| file.path.to_text()).collect();
    if wanted.dry_run {
        let prompt = to_wire::prompt(&prompt);
        let (path, text) = artifact;
        return Ok(wire::ReportedPrompt { path, text, files: paths, intent: None, notes, prompt });
    }
    if was_announced(desk, &prompt)? {
        notes.extend(sweep(desk, &files));
    }
    nothing_in_the_way(desk, &files)?;
    // The artifact comes last, and is told of when it is there: as long as it is not, nothing is taken for a report.
    let mut written = Vec::new();
    for file in files.iter().rev() {
        write(desk, Some(&prompt), file)
            .map_err(|error| Error { message: after(&written, &error.message).into(), ..error })?;
        written.push(file.path.to_text());
    }
    let prompt = desk.post(Step::Reported { prompt: prompt.id, path: artifact.0.clone() })?;
    let (intent, prompt) = if wanted.leave {
        (None, prompt)
    } else {
        let gathered = Gathered { tip, changes: files.iter().map(part).collect(), ..Gathered::default() };
        let digits = stamp_digits(&prompt.stamp).unwrap_or_default();
        let text = format!("intent: report {digits} {}", kind(wanted.kind).word());
        let (said, prompt) = commit(desk, history, &prompt, Role::Report, &text, &gathered)?;
        notes.extend(said);
        (prompt.intents.last().map(to_wire::intent), prompt)
    };
    let (path, text) = artifact;
    Ok(wire::ReportedPrompt { path, text, files: paths, intent, notes, prompt: to_wire::prompt(&prompt) })
}

/// A report that an interrupted command had written and committed.
fn written_before(desk: &Desk, prompt: &Prompt, notes: Vec<String>) -> wire::ReportedPrompt {
    let path = prompt.report.clone().unwrap_or_default();
    wire::ReportedPrompt {
        text: text_at(desk, &path).unwrap_or_default(),
        files: vec![path.clone()],
        path,
        intent: prompt.intents.last().map(to_wire::intent),
        notes,
        prompt: to_wire::prompt(prompt),
    }
}

fn kind(kind: wire::ArtifactKind) -> Kind {
    match kind {
        wire::ArtifactKind::Answer => Kind::Answer,
        wire::ArtifactKind::Draft => Kind::Draft,
        wire::ArtifactKind::Question => Kind::Question,
    }
}

fn part(file: &File) -> Change {
    let body = Body::File { content: file.text.clone().into_bytes(), executable: false };
    let told = wire::CommittedPart {
        path: file.path.to_text(),
        change: wire::PartChange::Added,
        added: 0,
        removed: 0,
        rest: false,
    };
    let holding = holding(&state_of(&file.path, body.clone()));
    let parts = vec![Part { path: file.path.clone(), body }];
    Change { file: None, parts, told, settles: None, lines: None, along: Vec::new(), holding }
}

/// The artifact, and what is missing for its subject to be known on both sides.
fn files_of(
    desk: &Desk,
    history: &dyn History,
    tip: Option<&str>,
    prompt: &Prompt,
    wanted: &wire::ReportPrompt,
    found: &[Found],
) -> Result<Vec<File>> {
    let named = wanted.subject.clone().or_else(|| prompt.subjects.first().cloned());
    let Some(named) = named else {
        let message = "No subject was found for this prompt. Name the one that the report belongs to with --subject; a new \
                       one is made.";
        return Err(no(REFUSED, "no-subject", message.to_owned()));
    };
    let subject = subject::subject_name(&named).map_err(|problem| no(REFUSED, problem.code(), problem.to_string()))?;
    let tier = subject::tier_for(&subject, found);
    let folder = subject::folder_for(Side::Research, tier, &subject, found);
    let root = desk.shared.workspace.root();
    let digits = stamp_digits(&prompt.stamp).unwrap_or_default();
    let changed = changed_files(history, prompt)?;
    let has_work = !changed.is_empty();
    let scope = match wanted.scope {
        Some(wire::ChangeScope::ModifiedFiles) => Scope::ModifiedFiles,
        Some(wire::ChangeScope::NoFiles) => Scope::NoFiles,
        None if has_work => Scope::ModifiedFiles,
        None => Scope::NoFiles,
    };
    let session =
        prompt.finished.as_ref().map(|finished| finished.change.get(..12).unwrap_or(&finished.change).to_owned());
    let parent = match prompt.state {
        // The report will stand on what is finished.
        PromptState::Finished => {
            let head = head_of(history, prompt)?;
            // What stands on the tip is jj's `@`, and what is committed goes below that.
            if head.parents.first().map(String::as_str) == tip {
                let message = "The session's commit is `@` itself, so a report would be written into it. Go on from it (`jj new`), \
                               then repeat.";
                return Err(no(REFUSED, "session-checked-out", message.to_owned()));
            }
            Some(short_name(&head))
        }
        PromptState::Open => base_now(history, prompt)?,
        PromptState::Closed | PromptState::Dropped => prompt.base.as_ref().map(|base| base.name.clone()),
    };
    let text_on = |parent: Option<String>| {
        artifact_text(&Artifact {
            title: wanted.title.trim().to_owned(),
            stamp: prompt.stamp.clone(),
            kind: kind(wanted.kind),
            scope,
            subject: subject.clone(),
            prompt_number: prompt.id.0,
            session: session.clone(),
            parent,
            prompt: prompt.text.clone(),
            answer: wanted.answer.clone(),
            files: changed.clone(),
        })
    };
    // The same report given again is the one that is there, and not a second one on top of it.
    let plain = file_name(&digits, kind(wanted.kind), &wanted.title, |_| false).unwrap_or_default();
    let first = text_on(session.clone());
    let is_first = text_at(desk, &format!("{folder}/{plain}")).is_some_and(|text| text == first);
    let text = if is_first { first } else { text_on(parent) };
    // What an interrupted report has left is taken for it, and never somebody else's.
    let is_taken = |name: &str| {
        root.join(&folder).join(name).symlink_metadata().is_ok()
            && text_at(desk, &format!("{folder}/{name}")).is_none_or(|there| there != text)
    };
    let name = file_name(&digits, kind(wanted.kind), &wanted.title, is_taken);
    let Some(name) = name else {
        let message = format!("All names for it in {folder} are taken. Give another title.");
        return Err(no(REFUSED, "name-taken", message));
    };
    let mut with: Vec<Found> = found.to_vec();
    if !with.iter().any(|one| one.folder == folder) {
        let (side, files, words) = (Side::Research, Vec::new(), String::new());
        with.push(Found { side, tier, subject: subject.clone(), folder: folder.clone(), files, words });
    }
    let lower = subject.to_lowercase();
    let missing = artifact::unify(&with).into_iter().filter(|one| one.subject.to_lowercase() == lower);
    let mut files = vec![File { path: path_of(&format!("{folder}/{name}"))?, text }];
    for Missing { path, text, .. } in missing {
        files.push(File { path: path_of(&path)?, text });
    }
    // Links that an earlier try has written, and that no commit has, go with it; what somebody else has written there does not.
    let folder_on = |side: Side| subject::folder_for(side, tier, &subject, &with);
    for side in Side::ALL {
        let path = path_of(&format!("{}/{}", folder_on(side), artifact::LINK_NAME))?;
        let is_new = history.checked_out(tip, &path).map_err(|error| told(&error))? == Body::Absent;
        let own = artifact::link_text(&subject, side, &folder_on(side.other()));
        let is_own = text_at(desk, &path.to_text()).is_some_and(|text| text == own);
        if is_new && is_own && !files.iter().any(|file| file.path == path) {
            files.push(File { path, text: own });
        }
    }
    Ok(files)
}

fn path_of(path: &str) -> Result<FilePath> {
    FilePath::new(path.as_bytes())
        .map_err(|problem| no(REFUSED, "bad-path", format!("{} is no path in the workspace: {problem}.", quoted(path))))
}

/// The files that were changed for the prompt, without what it tells of itself.
fn changed_files(history: &dyn History, prompt: &Prompt) -> Result<Vec<String>> {
    let mut changed = std::collections::BTreeSet::new();
    let of_session = prompt.finished.iter().map(|finished| match prompt.system.as_str() {
        "git" => &finished.commit,
        _ => &finished.change,
    });
    let of_intents =
        prompt.intents.iter().filter(|intent| intent.role == Role::Work).map(|intent| match prompt.system.as_str() {
            "git" => &intent.commit,
            _ => &intent.change,
        });
    let commits: Vec<&String> = if prompt.finished.is_some() { of_session.collect() } else { of_intents.collect() };
    for name in commits {
        // One that was rewritten by hand since is told by what it is now, or not at all.
        let Some(commit) = history.find(name).map_err(|error| told(&error))? else { continue };
        changed.extend(history.touched(&commit.id).map_err(|error| told(&error))?);
    }
    Ok(changed.iter().take(NAMED).map(FilePath::to_text).collect())
}

/// Whether a file was announced for the prompt before; it may have been interrupted in the middle then.
fn was_announced(desk: &Desk, prompt: &Prompt) -> Result<bool> {
    let topics = vec![Topic::Prompt(prompt.id).to_string(), "kind:prompt.document".to_owned()];
    let query = LedgerQuery { topics, limit: 1, ..LedgerQuery::default() };
    Ok(!desk.read(|snapshot| snapshot.records(&query))?.links.is_empty())
}

/// What an earlier report that was interrupted has left beside its files goes, unless it may be somebody's only copy.
fn sweep(desk: &Desk, files: &[File]) -> Vec<String> {
    let Ok(opened) = Root::open(desk.shared.workspace.root(), FILE_BYTES, HardLinks::Separate) else {
        return Vec::new();
    };
    let folders: std::collections::BTreeSet<Option<FilePath>> = files.iter().map(|file| file.path.folder()).collect();
    let swept = folders.iter().filter_map(|folder| files::sweep(&opened, folder.as_ref(), |_| false).ok());
    let kept = swept.flat_map(|swept| swept.kept);
    kept.map(|kept| format!("A process that was ended in the middle left {kept}. Look at it.")).collect()
}

/// The text of a file of the workspace; nothing where there is none, or something else.
fn text_at(desk: &Desk, path: &str) -> Option<String> {
    let opened = Root::open(desk.shared.workspace.root(), FILE_BYTES, HardLinks::Separate).ok()?;
    match files::look(&opened, &FilePath::new(path.as_bytes()).ok()?).ok()?.thing {
        Thing::File { content, .. } => String::from_utf8(content).ok(),
        Thing::Absent | Thing::Link(_) => None,
    }
}

/// Refused where one of the files could not be written, before any of them is.
fn nothing_in_the_way(desk: &Desk, files: &[File]) -> Result<()> {
    let root = desk.shared.workspace.root();
    for file in files {
        let path = file.path.to_text();
        for above in std::iter::successors(file.path.folder(), FilePath::folder) {
            let found = root.join(above.to_text()).symlink_metadata();
            if let Some(found) = found.ok().filter(|found| !found.is_dir()) {
                let what = if found.is_symlink() { "a link" } else { "no folder" };
                let message = format!("{above} is {what}, so {path} cannot be written. Move it away, then repeat.");
                return Err(no(REFUSED, "in-the-way", message));
            }
        }
        if root.join(&path).symlink_metadata().is_ok() && text_at(desk, &path).is_none_or(|there| there != file.text) {
            let message = format!("{path} is there already, and is something else. Move it away, then repeat.");
            return Err(no(REFUSED, "in-the-way", message));
        }
    }
    Ok(())
}

/// Why a file was not written, with those that were written before it and are there now.
fn after(written: &[String], message: &str) -> String {
    if written.is_empty() {
        return message.to_owned();
    }
    // That is said of the one file, and would be read as being about all of them.
    let message = message.replace(" Nothing was changed.", "");
    format!(
        "{message} Written until then, and there: {}. The same report given again goes on from that.",
        written.join(", ")
    )
}

/// Writes a file where nothing else is, announced first.
fn write(desk: &Desk, prompt: Option<&Prompt>, file: &File) -> Result<()> {
    let failed = |message: String| no(FAILED, "not-written", message);
    let root = desk.shared.workspace.root();
    let opened = Root::open(root, FILE_BYTES, HardLinks::Separate).map_err(|error| failed(error.to_string()))?;
    let found = files::look(&opened, &file.path).map_err(|error| failed(error.to_string()))?;
    let text = file.text.clone().into_bytes();
    if found.hash == Some(ContentHash::of(&text)) {
        return Ok(());
    }
    let prompt = prompt.map(|prompt| prompt.id);
    desk.ask(Step::Announce { prompt, path: file.path.clone(), before: None, text: text.clone() })?;
    let expected = Expected { path: file.path.clone(), thing: ExpectedThing::Absent };
    let wanted = Wanted { path: file.path.clone(), thing: Thing::File { content: text, mode: MODE } };
    files::replace(&opened, &expected, &wanted).map(drop).map_err(|error| failed(error.to_string()))
}

pub(super) fn unify(desk: &Desk, write_them: bool) -> Result<wire::UnifiedSubjects> {
    let root = desk.shared.workspace.root();
    let found = subjects::look(root);
    let missing = artifact::unify(&found);
    let names: std::collections::BTreeSet<String> = found.iter().map(|one| one.subject.to_lowercase()).collect();
    let prompt = desk.prompt_under_way().ok();
    let mut counterparts = Vec::new();
    for Missing { subject, path, text, .. } in missing {
        let mut problem = None;
        if write_them {
            let written = path_of(&path).and_then(|path| write(desk, prompt.as_ref(), &File { path, text }));
            problem = written.err().map(|error| error.message.into_owned());
        }
        counterparts.push(wire::Counterpart { subject, path, problem });
    }
    let subjects = u32::try_from(names.len()).unwrap_or(u32::MAX);
    Ok(wire::UnifiedSubjects { written: write_them, counterparts, subjects })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_before_a_failure_is_told() {
        let full = "There is no space left for r.md. Nothing was changed. Free some space on its disk and try again.";
        assert_eq!(after(&[], full), full);
        assert_eq!(
            after(&["a.md".to_owned(), "b.md".to_owned()], full),
            "There is no space left for r.md. Free some space on its disk and try again. Written until then, and there: \
             a.md, b.md. The same report given again goes on from that."
        );
    }
}
