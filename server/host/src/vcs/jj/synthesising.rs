//! One commit of a whole session. A single commit gets its message. Of several, a new commit is made on their base with the
//! tip's content, `@` is led onto it, and the originals stay where they are, visible. Then the bookmark is led to it. Where
//! `@` itself was the tip, a new one is made at last: what is written next would go into what is finished.
//!
//! Each step looks first whether it was taken already, so that one that was interrupted anywhere is finished by doing it
//! again. While a commit is in the making, its description says of what, so that it is known again: also where a step
//! fails, and what was written until then is taken back.

use augment_core::text::{quoted, shell_word, visible};

use super::super::history::{Commit, Held, HistoryError, Made, Result, Synthesis};
use super::Jj;
use super::committing::expect_tip;
use super::program::Look;
use super::reading::{Known, Standing, literal, revision, says};

/// A session's commit that may be made.
pub(super) struct ToMake {
    standing: Standing,
    /// What the person should hear of how the bookmark is led.
    notes: Vec<String>,
    /// Where an earlier attempt has made it already.
    done: Option<Commit>,
}

impl Jj {
    pub(super) fn ready_to_make(&self, plan: &Synthesis) -> Result<ToMake> {
        let standing = self.standing(Look::First)?;
        let notes = self.expect_own_bookmark(plan, &standing)?;
        let done = match plan.commits.as_slice() {
            [single] => self.ready_to_describe(plan, single, &standing)?,
            [] | [_, _, ..] => self.ready_to_make_of_several(plan, &standing)?,
        };
        Ok(ToMake { standing, notes, done })
    }

    pub(super) fn make_one(&self, plan: &Synthesis) -> Result<Made> {
        let before = plan.operation.clone().map_or_else(|| self.operation(), Ok);
        let error = match self.make(plan) {
            Ok(made) => return Ok(made),
            Err(error) => error,
        };
        // What failed may have done part of its work, and an attempt before it more of that.
        Err(match before.and_then(|before| self.clear_away(plan, &before)) {
            Ok(()) => error,
            Err(why) => error.half_done(&why),
        })
    }

    fn make(&self, plan: &Synthesis) -> Result<Made> {
        let ToMake { standing, mut notes, done } = self.ready_to_make(plan)?;
        // What another process has written of it was not there before.
        let before = plan.operation.clone().map_or_else(|| self.operation(), Ok)?;
        let made = match plan.commits.as_slice() {
            [single] => self.describe_single(plan, single, done)?,
            [] | [_, _, ..] => self.make_of_several(plan, &standing, done)?,
        };
        if !self.lead_bookmark(plan, &made)? {
            notes.clear();
        }
        let working = &standing.working.commit;
        if working.id == plan.tip || working.id == made.id {
            self.program.jj(Look::First, &["new", &revision(Some(&made.id))])?;
        }
        let now = self.standing(Look::Aside)?;
        if self.tree(&now.working.commit.id)? != self.tree(&standing.working.commit.id)? {
            return Err(self.odd("your files have changed meanwhile. Let them rest, then repeat"));
        }
        Ok(Made { commit: made, before, staged: Vec::new(), notes })
    }

    pub(super) fn find_one(&self, plan: &Synthesis) -> Result<Option<Commit>> {
        let made = match plan.commits.as_slice() {
            [single] => self.described(plan, single)?,
            [] | [_, _, ..] => self.whole(plan)?,
        };
        let Some(made) = made else { return Ok(None) };
        let working = self.commits(Look::Aside, "@", None)?.pop();
        let is_led = working.is_some_and(|Known { commit: working, .. }| {
            ![&plan.tip, &made.commit.id].contains(&&working.id) && working.parents != [plan.tip.clone()]
        });
        let is_marked = match &plan.bookmark {
            Some(bookmark) => made.bookmarks.contains(bookmark),
            None => true,
        };
        Ok((is_led && is_marked).then_some(made.commit))
    }

    /// The commit that has the session's message already, by the change that it was.
    fn described(&self, plan: &Synthesis, single: &str) -> Result<Option<Known>> {
        let current = self.current(single)?;
        Ok(Some(current).filter(|current| says(&current.commit.message, &plan.message)))
    }

    /// What a commit is now, after rewriting.
    pub(super) fn current(&self, id: &str) -> Result<Known> {
        let known = self.commit_of(id)?;
        let change = known.commit.change.clone().unwrap_or_default();
        if !known.hidden {
            return Ok(known);
        }
        let now = self.only(&format!("change_id({})", literal(&change)))?;
        now.ok_or_else(|| {
            self.odd(&format!("the change {change} is gone, or there are several of it. Look at `jj log`, then repeat"))
        })
    }

    /// Refused where a single commit may not get the session's message; gives it where it has that already.
    fn ready_to_describe(&self, plan: &Synthesis, single: &str, standing: &Standing) -> Result<Option<Commit>> {
        if let Some(done) = self.described(plan, single)? {
            // Nobody was shown what was written into it since.
            if done.commit.id == standing.working.commit.id && self.tree(&done.commit.id)? != self.tree(single)? {
                expect_plan(plan, standing)?;
            }
            return Ok(Some(done.commit));
        }
        expect_plan(plan, standing)?;
        let known = self.commit_of(single)?.commit;
        self.expect_resolved([&known].into_iter())?;
        self.expect_unheld(plan)?;
        if let Some(remote) = self.pushed_to(single)? {
            return Err(HistoryError::Pushed { commit: known.name().to_owned(), remote });
        }
        self.expect_free(plan, &format!("{}-", revision(Some(single))))?;
        Ok(None)
    }

    fn describe_single(&self, plan: &Synthesis, single: &str, done: Option<Commit>) -> Result<Commit> {
        if let Some(done) = done {
            return Ok(done);
        }
        self.describe(single, &plan.message)?;
        Ok(self.current(single)?.commit)
    }

    pub(super) fn describe(&self, id: &str, message: &str) -> Result<()> {
        let revset = revision(Some(id));
        self.program.jj_with(Look::First, &["describe", "-r", &revset, "--stdin"], message.as_bytes())?;
        Ok(())
    }

    /// Refused where several commits may not be made into one; gives that one where it is there already.
    fn ready_to_make_of_several(&self, plan: &Synthesis, standing: &Standing) -> Result<Option<Commit>> {
        if let Some(made) = self.whole(plan)? {
            // Nobody was shown what was written into the tip since.
            if standing.working.commit.change == self.commit_of(&plan.tip)?.commit.change {
                expect_plan(plan, standing)?;
            }
            return Ok(Some(made.commit));
        }
        expect_plan(plan, standing)?;
        self.expect_whole(plan)?;
        self.expect_unheld(plan)?;
        self.expect_free(plan, &revision(plan.base.as_deref()))?;
        for commit in plan.commits.iter().chain([&plan.tip]) {
            self.expect_resolved([&self.commit_of(commit)?.commit].into_iter())?;
        }
        Ok(None)
    }

    fn make_of_several(&self, plan: &Synthesis, standing: &Standing, done: Option<Commit>) -> Result<Commit> {
        let made = done.map_or_else(|| self.make_whole(plan), Ok)?;
        if standing.working.commit.parents == [plan.tip.clone()] {
            let onto = revision(Some(&made.id));
            self.program.jj(Look::First, &["rebase", "--source", "@", "--destination", &onto])?;
        }
        Ok(made)
    }

    /// The new commit, where it has its content and its message.
    fn whole(&self, plan: &Synthesis) -> Result<Option<Known>> {
        let tree = self.tree(&plan.tip)?;
        for known in self.on_base(plan)? {
            if says(&known.commit.message, &plan.message) && self.tree(&known.commit.id)? == tree {
                return Ok(Some(known));
            }
        }
        Ok(None)
    }

    fn on_base(&self, plan: &Synthesis) -> Result<Vec<Known>> {
        self.commits(Look::Aside, &format!("{}+", revision(plan.base.as_deref())), None)
    }

    fn make_whole(&self, plan: &Synthesis) -> Result<Commit> {
        let mark = mark(plan);
        let begun = || -> Result<Option<Known>> {
            Ok(self.on_base(plan)?.into_iter().find(|known| says(&known.commit.message, &mark)))
        };
        let new = match begun()? {
            Some(new) => new.commit,
            None => {
                let base = revision(plan.base.as_deref());
                self.program.jj(Look::First, &["new", "--no-edit", &format!("--message={mark}"), &base])?;
                begun()?.ok_or_else(|| self.odd("the commit that it made is not found again"))?.commit
            }
        };
        if self.tree(&new.id)? != self.tree(&plan.tip)? {
            let (from, into) = (revision(Some(&plan.tip)), revision(Some(&new.id)));
            self.program.jj(Look::First, &["restore", "--from", &from, "--into", &into])?;
        }
        let new = self.current(&new.id)?.commit;
        if self.tree(&new.id)? != self.tree(&plan.tip)? {
            return Err(self.odd("the session's commit did not get the content of its tip"));
        }
        self.describe(&new.id, &plan.message)?;
        Ok(self.current(&new.id)?.commit)
    }

    /// Refuses a plan of several that leaves out something between its base and its tip: the new commit would hold that,
    /// too. What is empty brings nothing along.
    fn expect_whole(&self, plan: &Synthesis) -> Result<()> {
        let between = format!("{}..{}", revision(plan.base.as_deref()), revision(Some(&plan.tip)));
        let all = self.commits(Look::Aside, &between, None)?;
        match all.iter().find(|known| !known.empty && !plan.commits.contains(&known.commit.id)) {
            None => Ok(()),
            Some(other) => Err(HistoryError::Refused {
                what: "The session's commit".to_owned(),
                words: format!(
                    "{} stands among its commits and is none of them. Look at `jj log`, then repeat.",
                    told(&other.commit)
                ),
            }),
        }
    }

    /// Refuses a plan of commits that jj holds for ever, the newest of them by name.
    fn expect_unheld(&self, plan: &Synthesis) -> Result<()> {
        let between = format!("({}..{}) & immutable()", revision(plan.base.as_deref()), revision(Some(&plan.tip)));
        let held = self.commits(Look::Aside, &between, None)?;
        match held.into_iter().find(|known| plan.commits.contains(&known.commit.id)) {
            None => Ok(()),
            Some(held) => {
                let why = self.held_by(&held.commit.id)?.unwrap_or(Held::Setting);
                Err(not_rewritten(&held.commit, why))
            }
        }
    }

    /// Takes back whatever of a plan was written and is not finished: a session's commit that nobody has reached, or the
    /// message of a single one. Once this is done nothing is left of it.
    fn clear_away(&self, plan: &Synthesis, before: &str) -> Result<()> {
        let working = self.commits(Look::Aside, "@", None)?.pop();
        let working = working.ok_or_else(|| self.odd("it knows no working copy here"))?.commit;
        match plan.commits.as_slice() {
            [single] => {
                let Some(Known { commit: original, .. }) = self.found(single)? else { return Ok(()) };
                let change = literal(original.change.as_deref().unwrap_or_default());
                for known in self.commits(Look::Aside, &format!("change_id({change})"), None)? {
                    if known.commit.id != original.id && says(&known.commit.message, &plan.message) {
                        self.describe(&known.commit.id, &original.message)?;
                        let was = self.bookmarked_before(plan, before)?;
                        self.lead_back(plan, &self.current(single)?.commit, &was)?;
                    }
                }
            }
            [] | [_, _, ..] => {
                let mark = mark(plan);
                for known in self.on_base(plan)? {
                    let made = &known.commit;
                    if says(&made.message, &mark) || says(&made.message, &plan.message) {
                        self.clear_away_one(plan, made, &working, before)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The inverse of the steps, from the last to the first.
    fn clear_away_one(&self, plan: &Synthesis, made: &Commit, working: &Commit, before: &str) -> Result<()> {
        self.expect_ours(made)?;
        if working.parents == [made.id.clone()] {
            let onto = revision(Some(&plan.tip));
            self.program.jj(Look::First, &["rebase", "--source", "@", "--destination", &onto])?;
        }
        self.lead_back(plan, made, &self.bookmarked_before(plan, before)?)?;
        self.program.jj(Look::First, &["abandon", "--retain-bookmarks", "-r", &revision(Some(&made.id))])?;
        Ok(())
    }

    /// Refuses to lead a bookmark away from what a remote has: everything of that must be in `below`.
    fn expect_free(&self, plan: &Synthesis, below: &str) -> Result<()> {
        let Some(bookmark) = &plan.bookmark else { return Ok(()) };
        for known in self.remote_bookmarks(bookmark)? {
            let target = revision(Some(&known.target));
            let is_below = self.any(&format!("{target} & ::({below})"))?;
            if is_below {
                continue;
            }
            let found = self.commit_of(&known.target)?.commit;
            let (remote, branch) = (known.remote, bookmark.clone());
            return Err(if plan.commits.contains(&known.target) {
                not_rewritten(&found, Held::Remote { branch, remote })
            } else {
                HistoryError::RemoteMoved { remote, branch, found: found.name().to_owned() }
            });
        }
        Ok(())
    }

    /// Refuses to lead a bookmark off somebody's other work: it is below the session's commit, on what the session is made
    /// of in whatever form, or on `@`. Gives what the person should hear of how it is led.
    fn expect_own_bookmark(&self, plan: &Synthesis, standing: &Standing) -> Result<Vec<String>> {
        let Some(bookmark) = &plan.bookmark else { return Ok(Vec::new()) };
        let targets = self.commits(Look::Aside, &format!("bookmarks(exact:{})", literal(bookmark)), None)?;
        if self.is_in_conflict(bookmark)? {
            return Err(HistoryError::Refused {
                what: "The session's commit".to_owned(),
                words: format!(
                    "the bookmark {name} is in conflict (`jj bookmark list {word}`). Say where it belongs (`jj bookmark set {word} --allow-backwards -r …`), or name another one with `--bookmark NAME`, then repeat.",
                    name = quoted(bookmark),
                    word = shell_word(bookmark)
                ),
            });
        }
        if targets.is_empty() {
            return Ok(vec![format!("made the bookmark {}", visible(bookmark))]);
        }
        let below = match plan.commits.as_slice() {
            [single] => format!("::{}", revision(Some(single))),
            [] | [_, _, ..] => format!("::{}", revision(plan.base.as_deref())),
        };
        let mut changes = Vec::new();
        for commit in &plan.commits {
            changes.extend(self.commit_of(commit)?.commit.change);
        }
        let mut notes = Vec::new();
        for target in targets {
            let at = &target.commit;
            if at.id == standing.working.commit.id && at.id != plan.tip {
                notes.push(format!("the bookmark {} was at `@`", visible(bookmark)));
                continue;
            }
            let is_own = at.change.as_ref().is_some_and(|change| changes.contains(change))
                || says(&at.message, &plan.message)
                || self.any(&format!("{} & {below}", revision(Some(&at.id))))?;
            if is_own {
                continue;
            }
            let remotes = self.remote_bookmarks(bookmark)?;
            return Err(match remotes.into_iter().find(|known| known.target == at.id) {
                // It was fetched, so it is where the remote has it.
                Some(known) => HistoryError::RemoteMoved {
                    remote: known.remote,
                    branch: bookmark.clone(),
                    found: at.name().to_owned(),
                },
                None => elsewhere(bookmark, at),
            });
        }
        Ok(notes)
    }

    /// Whether it was led: `false` where it was there already.
    fn lead_bookmark(&self, plan: &Synthesis, made: &Commit) -> Result<bool> {
        let Some(bookmark) = &plan.bookmark else { return Ok(false) };
        if self.commit_of(&made.id)?.bookmarks.contains(bookmark) {
            return Ok(false);
        }
        self.set_bookmark(bookmark, &made.id)?;
        Ok(true)
    }

    pub(super) fn set_bookmark(&self, bookmark: &str, id: &str) -> Result<()> {
        let (name, to) = (literal(bookmark), revision(Some(id)));
        self.program.jj(Look::First, &["bookmark", "set", "--allow-backwards", "-r", &to, "--", &name])?;
        Ok(())
    }

    /// `@` as what comes next goes into. One that stands above is that already, whatever was committed in between; another
    /// is made only where the files on disk stay as they are.
    pub(super) fn child(&self, of: &str) -> Result<Commit> {
        let Standing { working, .. } = self.standing(Look::First)?;
        let of = self.commit_of(of)?.commit;
        let (here, there) = (revision(Some(&working.commit.id)), revision(Some(&of.id)));
        if working.commit.parents == [of.id.clone()] || self.any(&format!("{there} & ::({here}-)"))? {
            return Ok(working.commit);
        }
        if self.tree(&working.commit.id)? != self.tree(&of.id)? {
            let commit = if working.is_blank() { "" } else { "Commit that, " };
            return Err(HistoryError::Refused {
                what: "A fresh child".to_owned(),
                words: format!(
                    "`@` ({}) holds other files than {of}. {commit}{} there yourself (`jj new {of}`), then repeat.",
                    short(&working.commit),
                    if commit.is_empty() { "Go" } else { "go" },
                    of = short(&of)
                ),
            });
        }
        self.program.jj(Look::First, &["new", &there])?;
        Ok(self.standing(Look::Aside)?.working.commit)
    }
}

/// What a commit says while it is in the making.
fn mark(plan: &Synthesis) -> String {
    format!("session of prompt {} in the making, of {}", plan.prompt, plan.tip)
}

/// A commit by its name and its title.
pub(super) fn told(commit: &Commit) -> String {
    let title = commit.message.lines().next().filter(|title| !title.is_empty()).unwrap_or("(no description set)");
    format!("{} {}", short(commit), quoted(title))
}

fn short(commit: &Commit) -> &str {
    commit.name().get(..12).unwrap_or(commit.name())
}

fn not_rewritten(commit: &Commit, why: Held) -> HistoryError {
    let title = commit.message.lines().next().unwrap_or_default().to_owned();
    HistoryError::Held { name: short(commit).to_owned(), title, why }
}

fn elsewhere(bookmark: &str, at: &Commit) -> HistoryError {
    HistoryError::Refused {
        what: "The session's commit".to_owned(),
        words: format!(
            "the bookmark {} is at {}, which is other work. Name another one with `--bookmark NAME`, or move it yourself (`jj bookmark set {} --allow-backwards -r @-`), then repeat.",
            quoted(bookmark),
            told(at),
            shell_word(bookmark)
        ),
    }
}

/// The tip of a plan is what `@` stands on, or `@` itself.
fn expect_plan(plan: &Synthesis, standing: &Standing) -> Result<()> {
    if standing.working.commit.id == plan.tip {
        return Ok(());
    }
    expect_tip(standing.tip.as_ref(), Some(&plan.tip))
}
