//! One commit of exactly some parts: `@` is split, with a diff editor of ours for that one command, which puts the wanted
//! contents where jj asks for them. It is one operation, so it is made or it is not; `@` keeps its name, its description
//! and what rests. What came out is read back, and taken back where it is not what was wanted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use augment_core::text::{quoted, shell_word};

use super::super::history::{Body, Commit, HistoryError, Made, NewCommit, Part, Result};
use super::Jj;
use super::program::{Look, random_name};
use super::reading::{Standing, literal, revision, says};

/// How long the names of all parts may be together: a command takes no more.
const MAX_NAMES: usize = 1_000_000;
/// How many files are named that are left out.
const MAX_NOTES: usize = 5;

/// The contents by the repository's names, in order: what stands in the way of another goes first.
type Wanted<'a> = BTreeMap<String, &'a Body>;

impl Jj {
    /// Refused where the commit would be.
    pub(super) fn look_at_parts(&self, wanted: &NewCommit) -> Result<()> {
        self.ready_to_commit(wanted)?;
        let stored = self.for_store(&wanted.parts)?;
        self.parts_to_commit(wanted, &stored).map(drop)
    }

    /// Where everything stands, if a commit may be made there.
    fn ready_to_commit(&self, wanted: &NewCommit) -> Result<Standing> {
        wanted.expect_each_once()?;
        let standing = self.standing(Look::First)?;
        expect_tip(standing.tip.as_ref(), wanted.tip.as_deref())?;
        self.expect_resolved([&standing.working.commit].into_iter().chain(&standing.tip))?;
        Ok(standing)
    }

    /// What there is to commit of some parts, and what the person should hear of the rest.
    fn parts_to_commit<'a>(&self, wanted: &NewCommit, stored: &'a [Part]) -> Result<(Wanted<'a>, Vec<String>)> {
        let (parts, notes) = self.differing_parts(wanted.tip.as_deref(), stored)?;
        if parts.is_empty() { Err(HistoryError::Nothing) } else { Ok((parts, notes)) }
    }

    /// The parts that are not so in the tip already.
    fn differing_parts<'a>(&self, tip: Option<&str>, stored: &'a [Part]) -> Result<(Wanted<'a>, Vec<String>)> {
        let mut parts = self.by_place(stored)?;
        for (place, body) in std::mem::take(&mut parts) {
            if self.body_at(tip, &place)? != *body {
                parts.insert(place, body);
            }
        }
        let notes = self.leave_out_unchecked(&mut parts)?;
        Ok((parts, notes))
    }

    pub(super) fn commit_parts(&self, wanted: &NewCommit) -> Result<Made> {
        let standing = self.ready_to_commit(wanted)?;
        let stored = self.for_store(&wanted.parts)?;
        let (parts, mut notes) = self.parts_to_commit(wanted, &stored)?;
        let working = self.with_all(&parts, standing)?;
        let before = self.operation()?;
        let bench = Bench::lay(&parts)?;
        let mut arguments = split(&bench, &wanted.message);
        arguments.extend(parts.keys().map(|place| file(place)));
        let failed = self.program.jj(Look::First, &arguments).err();
        let now = match self.standing(Look::Aside) {
            Ok(now) => now,
            // Whether it was made is not known, so whoever comes next looks for it.
            Err(why) => return Err(failed.unwrap_or_else(|| self.odd("what came of it is not known")).half_done(&why)),
        };
        let made = match (now.tip, failed) {
            // It may also have failed after it was made.
            (Some(made), _) if now.working.commit.change == working.change && self.is_it(&made, wanted, &parts)? => {
                made
            }
            (_, Some(failed)) => return Err(failed),
            // Somebody may have gone on from it already.
            (_, None) => match self.made_on_tip(wanted, &parts)? {
                Some(made) => made,
                None => return Err(self.take_all_back(&before)?),
            },
        };
        if made.message.trim_end() != wanted.message.trim_end() {
            notes.push("jj has added trailers to the message, as your settings say".to_owned());
        }
        Ok(Made { commit: made, before, staged: Vec::new(), notes })
    }

    pub(super) fn find_parts(&self, wanted: &NewCommit) -> Result<Option<Commit>> {
        if wanted.parts.is_empty() {
            return self.find_by_message(wanted);
        }
        let stored = self.for_store(&wanted.parts)?;
        let (parts, _) = self.differing_parts(wanted.tip.as_deref(), &stored)?;
        self.made_on_tip(wanted, &parts)
    }

    fn made_on_tip(&self, wanted: &NewCommit, parts: &Wanted<'_>) -> Result<Option<Commit>> {
        for known in self.commits(Look::Aside, &format!("{}+", revision(wanted.tip.as_deref())), None)? {
            if self.is_it(&known.commit, wanted, parts)? {
                return Ok(Some(known.commit));
            }
        }
        Ok(None)
    }

    /// The wanted commit where nobody knows any more what it was to hold. One that was made lies between its tip and `@`,
    /// so as long as `@` stands on that tip itself it was not: whatever else stands there and says the same is older. Once
    /// `@` is elsewhere, it is the only one that says so.
    fn find_by_message(&self, wanted: &NewCommit) -> Result<Option<Commit>> {
        let on_tip = format!("{}+ ~ working_copies()", revision(wanted.tip.as_deref()));
        let mut found = self.commits(Look::Aside, &on_tip, None)?;
        found.retain(|known| is_on(&known.commit, wanted.tip.as_deref()));
        found.retain(|known| says(&known.commit.message, &wanted.message));
        if let Some(at) = found.iter().position(|known| known.below) {
            return Ok(Some(found.swap_remove(at).commit));
        }
        let working = self.commits(Look::Aside, "@", None)?.pop();
        let is_elsewhere = working.is_some_and(|working| !is_on(&working.commit, wanted.tip.as_deref()));
        Ok(if is_elsewhere && found.len() == 1 { found.pop().map(|known| known.commit) } else { None })
    }

    /// Takes out the files that are missing on disk only because they are not checked out (`jj sparse`), and says so of
    /// them: nobody has removed them.
    fn leave_out_unchecked(&self, parts: &mut Wanted<'_>) -> Result<Vec<String>> {
        if !parts.values().any(|body| **body == Body::Absent) {
            return Ok(Vec::new());
        }
        let said = self.program.jj(Look::Aside, &["sparse", "list"])?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let patterns: Vec<&str> = said.lines().collect();
        let is_checked_out = |place: &str| {
            patterns.iter().any(|pattern| {
                let below = place.strip_prefix(pattern);
                *pattern == "." || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let mut notes = Vec::new();
        parts.retain(|place, body| {
            let stays = **body != Body::Absent || is_checked_out(place);
            if !stays {
                notes.push(format!("{} is not checked out (`jj sparse list`), so it stays as it is", quoted(place)));
            }
            stays
        });
        if notes.len() > MAX_NOTES {
            let more = notes.len() - MAX_NOTES;
            notes.truncate(MAX_NOTES);
            notes.push(format!("{more} more files are not checked out and stay as they are"));
        }
        Ok(notes)
    }

    /// Refuses commits with conflicts, naming their files.
    pub(super) fn expect_resolved<'a>(&self, commits: impl Iterator<Item = &'a Commit>) -> Result<()> {
        for commit in commits {
            let files = self.conflicts(commit)?;
            if !files.is_empty() {
                return Err(HistoryError::Conflicts(files));
            }
        }
        Ok(())
    }

    fn by_place<'a>(&self, parts: &'a [Part]) -> Result<Wanted<'a>> {
        let placed = parts.iter().map(|part| Ok((self.place(&part.path)?, &part.body)));
        let placed: Wanted<'a> = placed.collect::<Result<_>>()?;
        if placed.keys().map(|place| place.len() + 16).sum::<usize>() > MAX_NAMES {
            return Err(HistoryError::Refused {
                what: "The commit".to_owned(),
                words: format!("{} files are more than one commit can be made of here. Make several.", placed.len()),
            });
        }
        Ok(placed)
    }

    fn body_at(&self, commit: Option<&str>, place: &str) -> Result<Body> {
        commit.map_or(Ok(Body::Absent), |commit| self.body(commit, place))
    }

    /// `@`, in which every part differs. A new file that jj does not track by itself, as the person's settings say, is
    /// tracked now: it is wanted by name.
    fn with_all(&self, parts: &Wanted<'_>, standing: Standing) -> Result<Commit> {
        let tip = standing.tip.as_ref().map(|tip| tip.id.as_str());
        let missing = self.missing(parts, tip, &standing.working.commit)?;
        if missing.is_empty() {
            return Ok(standing.working.commit);
        }
        let mut arguments = vec!["file".to_owned(), "track".to_owned(), "--".to_owned()];
        arguments.extend(missing.iter().map(|place| file(place)));
        self.program.jj(Look::First, &arguments)?;
        // What is tracked comes into `@` only when the files are looked at again.
        let working = self.standing(Look::First)?.working.commit;
        match self.missing(parts, tip, &working)?.first() {
            None => Ok(working),
            Some(place) => Err(HistoryError::Refused {
                what: "The commit".to_owned(),
                words: format!(
                    "{} is the same in `@` as in the commit below, or jj does not track it (ignored, or larger than snapshot.max-new-file-size). Look at `jj status`, then repeat.",
                    quoted(place)
                ),
            }),
        }
    }

    fn missing(&self, parts: &Wanted<'_>, tip: Option<&str>, working: &Commit) -> Result<Vec<String>> {
        let differing: BTreeSet<String> = self.differing(tip, &working.id)?.into_iter().collect();
        Ok(parts.keys().filter(|place| !differing.contains(*place)).cloned().collect())
    }

    /// Whether a commit is the wanted one: on that tip, with that message, and with these parts alone.
    fn is_it(&self, made: &Commit, wanted: &NewCommit, parts: &Wanted<'_>) -> Result<bool> {
        let tip = wanted.tip.as_deref();
        if !is_on(made, tip) || !says(&made.message, &wanted.message) {
            return Ok(false);
        }
        let differing: BTreeSet<String> = self.differing(tip, &made.id)?.into_iter().collect();
        if !differing.iter().eq(parts.keys()) {
            return Ok(false);
        }
        for (place, body) in parts {
            if self.body(&made.id, place)? != **body {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a commit stands on that tip alone; on none, where there was none.
fn is_on(commit: &Commit, tip: Option<&str>) -> bool {
    commit.parents.iter().map(String::as_str).eq(tip)
}

pub(super) fn expect_tip(found: Option<&Commit>, expected: Option<&str>) -> Result<()> {
    let found = found.map(|tip| tip.id.as_str());
    if found == expected {
        return Ok(());
    }
    let told = |id: Option<&str>| id.map_or("no commit", |id| id.get(..12).unwrap_or(id)).to_owned();
    Err(HistoryError::Moved { expected: told(expected), found: told(found) })
}

/// The command that splits `@`, up to the files.
fn split(bench: &Bench, message: &str) -> Vec<String> {
    // jj reads these values as TOML, in which such a string of JSON is one, too.
    let text = |value: &str| serde_json::Value::from(value).to_string();
    let editor = [text(&bench.script()), text("$right"), text(&bench.folder.to_string_lossy())].join(",");
    let mut arguments: Vec<String> = ["split", "-r", "@", "--insert-before", "@"].map(str::to_owned).to_vec();
    for setting in [
        format!("merge-tools.augment-orchestrator.program={}", text("/bin/sh")),
        format!("merge-tools.augment-orchestrator.edit-args=[{editor}]"),
        "ui.diff-instructions=false".to_owned(),
    ] {
        arguments.extend(["--config".to_owned(), setting]);
    }
    arguments.extend(["--tool".to_owned(), "augment-orchestrator".to_owned()]);
    arguments.extend([format!("--message={message}"), "--".to_owned()]);
    arguments
}

/// A file set of one file, whatever its name is.
fn file(place: &str) -> String {
    format!("root-file:{}", literal(place))
}

/// The folder with the wanted contents and the diff editor, for the time of one command.
struct Bench {
    folder: PathBuf,
}

impl Bench {
    fn lay(parts: &Wanted<'_>) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("augment-jj-{}", random_name()?));
        let io = |source| HistoryError::Io { what: folder.display().to_string(), source };
        fs::DirBuilder::new().mode(0o700).create(&folder).map_err(io)?;
        let bench = Self { folder: folder.clone() };
        bench.fill(parts).map_err(io)?;
        Ok(bench)
    }

    fn script(&self) -> String {
        self.folder.join("put.sh").to_string_lossy().into_owned()
    }

    fn fill(&self, parts: &Wanted<'_>) -> std::io::Result<()> {
        let mut script = BEGINNING.to_owned();
        for place in parts.keys() {
            script.push_str(&format!("gone {}\n", word(place)));
        }
        for (number, (place, body)) in parts.iter().enumerate() {
            let kept = self.folder.join(number.to_string());
            match body {
                Body::Absent => continue,
                Body::Link(target) => {
                    std::os::unix::fs::symlink(Path::new(std::ffi::OsStr::from_bytes(target)), &kept)?
                }
                Body::File { content, executable } => {
                    fs::write(&kept, content)?;
                    fs::set_permissions(&kept, fs::Permissions::from_mode(if *executable { 0o755 } else { 0o644 }))?;
                }
            }
            let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
            script.push_str(&format!("put {number} {} {}\n", word(folder), word(place)));
        }
        fs::write(self.script(), script)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!("{} could not be removed: {error}", self.folder.display());
        }
    }
}

/// A word of the script, to the byte: unlike a command that is shown, it may hold anything.
fn word(text: &str) -> String {
    let plain = shell_word(text);
    if plain == text { plain } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The diff editor: `$1` is the folder that jj reads afterwards, with what differs in `@`.
const BEGINNING: &str = r#"set -eu
right=$1
here=$2
gone() {
  if [ -d "$right/$1" ] && [ ! -L "$right/$1" ]; then return; fi
  rm -f -- "$right/$1"
}
put() {
  if [ -d "$right/$3" ] && [ ! -L "$right/$3" ]; then find "$right/$3" -depth -type d -exec rmdir -- {} +; fi
  mkdir -p -- "$right/$2"
  cp -P -- "$here/$1" "$right/$3"
}
"#;
