//! Prompt sessions as rows: whether one is under way has a column, the rest lies beside it as JSON. And the files in which
//! something may be left to be committed: every file that was put since it was last found to be committed.

use std::collections::BTreeMap;
use std::ops::Range;

use augment_core::prompt::{
    Began, Finished, Intent, Place, Plan, Prompt, PromptId, PromptState, Pushed, Role, Writing, Written,
};
use augment_core::review::FileNumber;
use augment_core::time::Wall;
use augment_core::weave::HeldLines;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::file_row::{damaged, number as file_number, read_number};
use super::rows;

#[derive(Serialize, Deserialize)]
struct Rest {
    state: String,
    text: String,
    context: String,
    stamp: String,
    model: String,
    subjects: Vec<String>,
    system: String,
    base: Option<(String, String)>,
    branch: Option<String>,
    started: i64,
    /// By file, the step that it was at; not noted by earlier programs.
    #[serde(default)]
    left: Option<BTreeMap<u64, u32>>,
    intents: Vec<RestIntent>,
    finished: Option<RestFinished>,
    report: Option<String>,
    pushed: Option<RestPushed>,
    writing: Option<RestWriting>,
    written: Vec<RestWritten>,
    /// Not noted by earlier programs.
    #[serde(default)]
    taking_back: bool,
    /// By file, runs of its lines; not noted by earlier programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    lines: BTreeMap<u64, Vec<Range<u64>>>,
}

#[derive(Serialize, Deserialize)]
struct RestIntent {
    text: String,
    role: String,
    commit: String,
    change: String,
}

#[derive(Serialize, Deserialize)]
struct RestFinished {
    summary: String,
    commit: String,
    change: String,
    squashed: Vec<String>,
    at: i64,
}

#[derive(Serialize, Deserialize)]
struct RestPushed {
    remote: String,
    branch: String,
    commit: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum RestWriting {
    Commit {
        role: String,
        text: String,
        change: String,
        tip: Option<String>,
        files: Vec<String>,
        /// Not noted by earlier programs.
        #[serde(default)]
        staged: Vec<String>,
    },
    Synthesis {
        summary: String,
        message: String,
        base: Option<String>,
        tip: String,
        commits: Vec<String>,
        names: Vec<String>,
        change: String,
        bookmark: Option<String>,
        /// Not noted by earlier programs.
        #[serde(default)]
        operation: Option<String>,
    },
}

#[derive(Serialize, Deserialize)]
struct RestWritten {
    writing: RestWriting,
    commit: String,
    before: String,
    /// Not noted by earlier programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    lines_before: BTreeMap<u64, Vec<Range<u64>>>,
}

fn rest_lines(lines: &BTreeMap<FileNumber, HeldLines>) -> BTreeMap<u64, Vec<Range<u64>>> {
    lines.iter().map(|(file, lines)| (file.0, lines.runs().to_vec())).collect()
}

fn lines(rest: BTreeMap<u64, Vec<Range<u64>>>) -> BTreeMap<FileNumber, HeldLines> {
    rest.into_iter().map(|(file, runs)| (FileNumber(file), HeldLines::of_runs(runs))).collect()
}

impl From<&Writing> for RestWriting {
    fn from(writing: &Writing) -> Self {
        match writing.clone() {
            Writing::Commit { role, text, change, tip, files, staged } => {
                Self::Commit { role: role.name().to_owned(), text, change, tip, files, staged }
            }
            Writing::Synthesis(plan) => {
                let Plan { summary, message, base, tip, commits, names, change, bookmark, operation } = plan;
                Self::Synthesis { summary, message, base, tip, commits, names, change, bookmark, operation }
            }
        }
    }
}

fn role(name: &str) -> rusqlite::Result<Role> {
    Role::from_name(name).ok_or_else(|| damaged(format!("what a commit was for cannot be read: {name}")))
}

fn writing(rest: RestWriting) -> rusqlite::Result<Writing> {
    Ok(match rest {
        RestWriting::Commit { role: name, text, change, tip, files, staged } => {
            Writing::Commit { role: role(&name)?, text, change, tip, files, staged }
        }
        RestWriting::Synthesis { summary, message, base, tip, commits, names, change, bookmark, operation } => {
            Writing::Synthesis(Plan { summary, message, base, tip, commits, names, change, bookmark, operation })
        }
    })
}

fn number(id: PromptId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

pub(super) fn put(connection: &Connection, prompt: &Prompt) -> rusqlite::Result<()> {
    let prompt = prompt.clone();
    let under_way = prompt.state.is_under_way();
    let rest = Rest {
        state: prompt.state.name().to_owned(),
        text: prompt.text,
        context: prompt.context,
        stamp: prompt.stamp,
        model: prompt.model,
        subjects: prompt.subjects,
        system: prompt.system,
        base: prompt.base.map(|base| (base.commit, base.name)),
        branch: prompt.branch,
        started: prompt.began.time.0,
        left: prompt.began.left.map(|left| left.into_iter().map(|(file, step)| (file.0, step)).collect()),
        intents: prompt
            .intents
            .into_iter()
            .map(|Intent { text, role, commit, change }| RestIntent {
                text,
                role: role.name().to_owned(),
                commit,
                change,
            })
            .collect(),
        finished: prompt.finished.map(|Finished { summary, commit, change, squashed, at }| RestFinished {
            summary,
            commit,
            change,
            squashed,
            at: at.0,
        }),
        report: prompt.report,
        pushed: prompt.pushed.map(|Pushed { remote, branch, commit }| RestPushed { remote, branch, commit }),
        writing: prompt.writing.as_ref().map(RestWriting::from),
        written: prompt
            .written
            .into_iter()
            .map(|Written { writing, commit, before, lines_before }| RestWritten {
                writing: (&writing).into(),
                commit,
                before,
                lines_before: rest_lines(&lines_before),
            })
            .collect(),
        taking_back: prompt.taking_back,
        lines: rest_lines(&prompt.lines),
    };
    let data = serde_json::to_string(&rest).map_err(|error| damaged(error.to_string()))?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO prompt (id, under_way, data) VALUES (?1, ?2, ?3)")?
        .execute(params![number(prompt.id), under_way, data])
        .map(drop)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Prompt> {
    let rest: Rest = serde_json::from_str(row.get_ref(1)?.as_str()?)
        .map_err(|error| damaged(format!("a prompt cannot be read: {error}")))?;
    let state = PromptState::from_name(&rest.state);
    let intent = |RestIntent { text, role: name, commit, change }| {
        Ok::<_, rusqlite::Error>(Intent { text, role: role(&name)?, commit, change })
    };
    let step = |RestWritten { writing: rest, commit, before, lines_before }| {
        Ok::<_, rusqlite::Error>(Written { writing: writing(rest)?, commit, before, lines_before: lines(lines_before) })
    };
    Ok(Prompt {
        id: PromptId(u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0)),
        state: state.ok_or_else(|| damaged(format!("a prompt's state cannot be read: {}", rest.state)))?,
        text: rest.text,
        context: rest.context,
        stamp: rest.stamp,
        model: rest.model,
        subjects: rest.subjects,
        system: rest.system,
        base: rest.base.map(|(commit, name)| Place { commit, name }),
        branch: rest.branch,
        began: Began {
            time: Wall(rest.started),
            left: rest.left.map(|left| left.into_iter().map(|(file, step)| (FileNumber(file), step)).collect()),
        },
        intents: rest.intents.into_iter().map(intent).collect::<rusqlite::Result<_>>()?,
        finished: rest.finished.map(|RestFinished { summary, commit, change, squashed, at }| Finished {
            summary,
            commit,
            change,
            squashed,
            at: Wall(at),
        }),
        report: rest.report,
        pushed: rest.pushed.map(|RestPushed { remote, branch, commit }| Pushed { remote, branch, commit }),
        writing: rest.writing.map(writing).transpose()?,
        written: rest.written.into_iter().map(step).collect::<rusqlite::Result<_>>()?,
        taking_back: rest.taking_back,
        lines: lines(rest.lines),
    })
}

pub(super) fn open(connection: &Connection) -> rusqlite::Result<Option<Prompt>> {
    let sql = "SELECT id, data FROM prompt WHERE under_way = 1 ORDER BY id DESC LIMIT 1";
    connection.prepare_cached(sql)?.query_row([], read).optional()
}

pub(super) fn find(connection: &Connection, id: PromptId) -> rusqlite::Result<Option<Prompt>> {
    connection.prepare_cached("SELECT id, data FROM prompt WHERE id = ?1")?.query_row([number(id)], read).optional()
}

pub(super) fn list(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<Prompt>> {
    let sql = "SELECT id, data FROM prompt ORDER BY id DESC LIMIT ?1";
    connection.prepare_cached(sql)?.query_map([rows(limit)], read)?.collect()
}

pub(super) fn next(connection: &Connection) -> rusqlite::Result<PromptId> {
    let highest: Option<i64> =
        connection.prepare_cached("SELECT max(id) FROM prompt")?.query_row([], |row| row.get(0))?;
    Ok(PromptId(u64::try_from(highest.unwrap_or(0)).unwrap_or(0) + 1))
}

/// The file was put: something in it may be left to be committed.
pub(super) fn loosen(connection: &Connection, file: FileNumber) -> rusqlite::Result<()> {
    connection.prepare_cached("INSERT OR IGNORE INTO loose (file) VALUES (?1)")?.execute([file_number(file)]).map(drop)
}

pub(super) fn settle(connection: &Connection, files: &[FileNumber]) -> rusqlite::Result<()> {
    let mut sql = connection.prepare_cached("DELETE FROM loose WHERE file = ?1")?;
    for file in files {
        sql.execute([file_number(*file)])?;
    }
    Ok(())
}

/// Whether nothing of it is left to be committed.
pub(super) fn is_settled(connection: &Connection, file: FileNumber) -> rusqlite::Result<bool> {
    let mut sql = connection.prepare_cached("SELECT NOT EXISTS (SELECT 1 FROM loose WHERE file = ?1)")?;
    sql.query_row([file_number(file)], |row| row.get(0))
}

pub(super) fn loose(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<FileNumber>> {
    let sql = "SELECT file.number FROM loose JOIN file ON file.number = loose.file \
               WHERE file.parked IS NULL ORDER BY file.path LIMIT ?1";
    connection.prepare_cached(sql)?.query_map([rows(limit)], |row| read_number(row, 0))?.collect()
}
