//! Taking back what was written, by its inverse and not by going back in jj's operations, which would take other work with
//! it. Refused where a remote has it, other commits stand on it, or somebody has put something of theirs in it. The files on disk stay as they are.

use augment_core::text::{quoted, shell_word, visible};

use super::super::history::{Commit, Held, HistoryError, Result, Synthesis};
use super::Jj;
use super::committing::expect_tip;
use super::program::Look;
use super::reading::{Known, ROOT, Standing, literal, revision};
use super::synthesising::told;

/// What jj says of an operation that was abandoned.
const NO_OPERATION: &str = "No operation ID";

/// Where a bookmark was.
#[derive(Debug)]
pub(super) enum Was {
    Nowhere,
    At(String),
    /// On the root of everything, which is no commit of anybody's.
    AtRoot,
    /// In several places at once.
    InConflict,
}

/// A session's commit that may be taken back.
pub(super) struct ToUnmake {
    working: Commit,
    /// Where its bookmark was.
    was: Was,
    what: Unmade,
}

/// What is taken back of it.
enum Unmade {
    /// The message of a single one, which gets its own again.
    Message { original: Commit, current: Commit },
    /// The commit that was made of several; `None` where it was taken back before.
    Whole(Option<Commit>),
}

impl Jj {
    /// `@` and the commit that may be taken back from below it; `None` where it was taken back before.
    pub(super) fn ready_to_uncommit(&self, made: &str) -> Result<Option<(Commit, Commit)>> {
        let Standing { working, tip } = self.standing(Look::First)?;
        let then = self.commit_of(made)?.commit;
        // Its message may have been the session's meanwhile.
        let Some(now) = self.now(made)? else {
            // It was taken back before.
            expect_tip(tip.as_ref(), then.parents.first().map(String::as_str))?;
            return Ok(None);
        };
        expect_tip(tip.as_ref(), Some(&now.id))?;
        expect_own_words(&now, &then)?;
        self.expect_ours(&now)?;
        Ok(Some((working.commit, now)))
    }

    /// The content of the newest commit goes into `@`, which keeps its description. It is left out below `@`, and `@` is
    /// not merged with what comes below it then, but holds what it held: so nothing on disk changes whatever the person has
    /// made of it since.
    pub(super) fn uncommit(&self, made: &str) -> Result<()> {
        let Some((working, now)) = self.ready_to_uncommit(made)? else { return Ok(()) };
        let before = self.operation()?;
        let from = revision(Some(&now.id));
        let arguments = ["abandon", "--restore-descendants", "--retain-bookmarks", "-r", &from];
        self.program.jj(Look::First, &arguments)?;
        self.expect_kept(&before, &working)
    }

    pub(super) fn ready_to_unmake(&self, plan: &Synthesis, made: &str, before: &str) -> Result<ToUnmake> {
        let working = self.standing(Look::First)?.working.commit;
        let was = self.bookmarked_before(plan, before)?;
        let what = match plan.commits.as_slice() {
            [single] => {
                let (original, current) = (self.commit_of(single)?.commit, self.current(single)?.commit);
                self.expect_ours(&current)?;
                if current.message != original.message {
                    expect_own_words(&current, &self.commit_of(made)?.commit)?;
                }
                Unmade::Message { original, current }
            }
            [] | [_, _, ..] => {
                let now = self.now(made)?;
                if let Some(now) = &now {
                    self.expect_unchanged(now, made)?;
                    self.expect_ours(now)?;
                }
                Unmade::Whole(now)
            }
        };
        Ok(ToUnmake { working, was, what })
    }

    pub(super) fn unmake_one(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()> {
        // It is all asked before anything is written.
        let ready = self.ready_to_unmake(plan, made, before)?;
        let here = self.operation()?;
        if let Err(error) = self.unmake(plan, &ready) {
            // What was done of it stays, and the same given again goes on from there.
            let is_untouched = self.operation().is_ok_and(|now| now == here);
            return Err(if is_untouched { error } else { error.partly_done() });
        }
        self.expect_kept(&here, &ready.working)
    }

    fn unmake(&self, plan: &Synthesis, ready: &ToUnmake) -> Result<()> {
        let ToUnmake { working, was, what } = ready;
        match what {
            Unmade::Message { original, current } => {
                if current.message == original.message {
                    return self.lead_back(plan, current, was);
                }
                self.describe(&current.id, &original.message)?;
                self.lead_back(plan, &self.current(&original.id)?.commit, was)
            }
            Unmade::Whole(None) => Ok(()),
            Unmade::Whole(Some(now)) => {
                let onto = revision(Some(&plan.tip));
                if working.id == now.id {
                    // It holds what the tip holds, so the files stay.
                    self.program.jj(Look::First, &["new", &onto])?;
                } else if working.parents == [now.id.clone()] {
                    self.program.jj(Look::First, &["rebase", "--source", "@", "--destination", &onto])?;
                }
                self.lead_back(plan, now, was)?;
                let gone = revision(Some(&now.id));
                self.program.jj(Look::First, &["abandon", "--retain-bookmarks", "-r", &gone]).map(drop)
            }
        }
    }

    /// What a commit of ours is now, whoever has rewritten it; `None` where it is gone.
    fn now(&self, made: &str) -> Result<Option<Commit>> {
        let then = self.commit_of(made)?;
        if !then.hidden {
            return Ok(Some(then.commit));
        }
        let change = literal(then.commit.change.as_deref().unwrap_or_default());
        match self.any(&format!("change_id({change})"))? {
            true => self.current(made).map(|known| Some(known.commit)),
            false => Ok(None),
        }
    }

    /// Refuses a commit that is to go and that somebody has rewritten: what is in it now would go with it.
    fn expect_unchanged(&self, now: &Commit, made: &str) -> Result<()> {
        let then = self.commit_of(made)?.commit;
        expect_own_words(now, &then)?;
        if now.parents == then.parents && self.tree(&now.id)? == self.tree(&then.id)? {
            return Ok(());
        }
        Err(kept(&format!(
            "{} was rewritten since: it holds other files, or stands on another commit. Take that back (`jj op log` lists what was done, `jj op revert` takes one back), then repeat",
            now.name()
        )))
    }

    /// Refuses what is on a remote, what jj holds for ever, and what more than `@` stands on.
    pub(super) fn expect_ours(&self, made: &Commit) -> Result<()> {
        if let Some(remote) = self.pushed_to(&made.id)? {
            return Err(HistoryError::Pushed { commit: made.name().to_owned(), remote });
        }
        if let Some(why) = self.held_by(&made.id)? {
            let way = match &why {
                Held::Tag(name) => format!("Delete the tag (`jj tag delete {}`)", shell_word(name)),
                Held::Remote { .. } | Held::Setting => "Change that (`jj config edit`)".to_owned(),
            };
            let words = format!("{} stays as it is, since {why}. {way}, then repeat.", made.name());
            return Err(HistoryError::Refused { what: "Taking it back".to_owned(), words });
        }
        let above = self.commits(Look::Aside, &format!("{}+ ~ @", revision(Some(&made.id))), Some(1))?;
        let Some(above) = above.first() else { return Ok(()) };
        let words = match above.elsewhere {
            true => self.in_another_workspace(above, made)?,
            false => format!("{} stands on {}. Take that back first.", above.commit.name(), made.name()),
        };
        Err(HistoryError::Refused { what: "Taking it back".to_owned(), words })
    }

    /// That the working copy of another workspace stands on a commit, and how it gets off it.
    fn in_another_workspace(&self, above: &Known, made: &Commit) -> Result<String> {
        let workspaces: Vec<String> = self.workspaces_at(&above.commit.id)?.iter().map(|name| quoted(name)).collect();
        let (workspaces, made_name) = (workspaces.join(" and "), made.name());
        let onto = made.parents.first().map_or("'root()'", |parent| parent.get(..12).unwrap_or(parent));
        Ok(match above.is_blank() {
            true => format!(
                "the working copy of the workspace {workspaces} stands on {made_name}. Go elsewhere there (`jj new {onto}` in that workspace), then repeat."
            ),
            // Whoever goes elsewhere leaves it where it is.
            false => format!(
                "the working copy of the workspace {workspaces} ({name}) stands on {made_name}, with work in it. Move it off there (`jj rebase --source {name} --destination {onto}`), then repeat.",
                name = above.commit.name()
            ),
        })
    }

    /// Where the bookmark was before. Where that cannot be known, since jj has forgotten the operation, or is gone, it is
    /// what the session stood on.
    pub(super) fn bookmarked_before(&self, plan: &Synthesis, before: &str) -> Result<Was> {
        let Some(bookmark) = &plan.bookmark else { return Ok(Was::Nowhere) };
        let base = || plan.base.clone().map_or(Was::Nowhere, Was::At);
        if before.is_empty() {
            return Ok(base());
        }
        let found = match self.all_then(before, &bookmarks(bookmark)) {
            Err(HistoryError::Failed { words, .. }) if words.contains(NO_OPERATION) => return Ok(base()),
            found => found?,
        };
        Ok(match found.as_slice() {
            [] => Was::Nowhere,
            [root] if root == ROOT => Was::AtRoot,
            [commit] => match self.still(commit)? {
                Some(_) => Was::At(commit.clone()),
                None => base(),
            },
            [_, _, ..] => Was::InConflict,
        })
    }

    /// The bookmark goes where it was before.
    pub(super) fn lead_back(&self, plan: &Synthesis, made: &Commit, was: &Was) -> Result<()> {
        let Some(bookmark) = &plan.bookmark else { return Ok(()) };
        if self.only(&bookmarks(bookmark))?.is_none_or(|now| now.commit.id != made.id) {
            return Ok(());
        }
        match was {
            // It may have been rewritten only now, as `@` is.
            Was::At(commit) => match self.still(commit)? {
                Some(was) if was.commit.id != made.id => self.set_bookmark(bookmark, &was.commit.id),
                Some(_) | None => Ok(()),
            },
            Was::AtRoot => self.set_bookmark(bookmark, ROOT),
            // Nobody can bring that back. It is the person's all the same.
            Was::InConflict => Ok(()),
            Was::Nowhere => {
                self.program.jj(Look::First, &["bookmark", "forget", "--", &format!("exact:{}", literal(bookmark))])?;
                Ok(())
            }
        }
    }

    /// What a commit is now, whoever has rewritten it; `None` where it is gone, or where there are several of it.
    fn still(&self, id: &str) -> Result<Option<Known>> {
        let Some(known) = self.found(id)? else { return Ok(None) };
        if !known.hidden {
            return Ok(Some(known));
        }
        let change = literal(known.commit.change.as_deref().unwrap_or_default());
        self.only(&format!("change_id({change})"))
    }

    /// Says of the bookmarks on a commit that they go below it, but of the one that is led back.
    pub(super) fn led_below(&self, made: &str, led: Option<&str>) -> Result<Vec<String>> {
        let Some(Known { commit, bookmarks, .. }) = self.still(made)? else { return Ok(Vec::new()) };
        let own = bookmarks.iter().filter(|bookmark| Some(bookmark.as_str()) != led);
        let Some(below) = commit.parents.first() else {
            return Ok(own.map(|bookmark| format!("the bookmark {} goes to the root", visible(bookmark))).collect());
        };
        let below = self.commit_of(below)?.commit;
        Ok(own.map(|bookmark| format!("the bookmark {} goes to {}", visible(bookmark), told(&below))).collect())
    }
}

fn bookmarks(name: &str) -> String {
    format!("bookmarks(exact:{})", literal(name))
}

/// Refuses a commit whose description somebody has changed: those words are theirs, and would be gone.
fn expect_own_words(now: &Commit, then: &Commit) -> Result<()> {
    if now.message.trim_end() == then.message.trim_end() {
        return Ok(());
    }
    let name = now.name();
    Err(kept(&format!(
        "{name} was described anew since ({}), and these words would be lost. Note them, give it its own again (`jj log --no-graph -r {} -T description | jj describe {name} --stdin`), then repeat",
        quoted(now.message.lines().next().unwrap_or_default()),
        then.id.get(..12).unwrap_or(&then.id)
    )))
}

fn kept(words: &str) -> HistoryError {
    let words = format!("{words}; or leave it as it is, and give the prompt up with `augment-cli prompt drop`.");
    HistoryError::Refused { what: "Taking it back".to_owned(), words }
}
