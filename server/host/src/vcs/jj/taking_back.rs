//! Taking back what was written, by its inverse and not by going back in jj's operations, which would take other work with
//! it. Refused where a remote has it, other commits stand on it, or somebody has put something of theirs in it. The files on disk stay as they are.

use augment_core::text::{quoted, shell_word};

use super::super::history::{Commit, Held, HistoryError, Result, Synthesis};
use super::Jj;
use super::committing::expect_tip;
use super::program::Look;
use super::reading::{Standing, literal, revision};

/// What jj says of an operation that was abandoned.
const NO_OPERATION: &str = "No operation ID";

impl Jj {
    /// The content of the newest commit goes into `@`, which keeps its description.
    pub(super) fn uncommit(&self, made: &str) -> Result<()> {
        let Standing { working, tip } = self.standing(Look::First)?;
        let then = self.commit_of(made)?.commit;
        // Its message may have been the session's meanwhile.
        let Some(now) = self.now(made)? else {
            // It was taken back before.
            return expect_tip(tip.as_ref(), then.parents.first().map(String::as_str));
        };
        expect_tip(tip.as_ref(), Some(&now.id))?;
        expect_own_words(&now, &then)?;
        self.expect_ours(&now)?;
        let before = self.operation()?;
        let from = revision(Some(&now.id));
        self.program.jj(Look::First, &["squash", "--from", &from, "--into", "@", "--use-destination-message"])?;
        self.expect_same(&before, &working.commit)
    }

    pub(super) fn unmake_one(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()> {
        let Standing { working, .. } = self.standing(Look::First)?;
        let here = self.operation()?;
        if let Err(error) = self.unmake(plan, made, before, &working.commit) {
            // What was done of it stays, and the same given again goes on from there.
            let is_untouched = self.operation().is_ok_and(|now| now == here);
            return Err(if is_untouched { error } else { error.partly_done() });
        }
        self.expect_same(&here, &working.commit)
    }

    fn unmake(&self, plan: &Synthesis, made: &str, before: &str, working: &Commit) -> Result<()> {
        // It is asked before anything is written.
        let was = self.bookmarked_before(plan, before)?;
        match plan.commits.as_slice() {
            [single] => {
                let (original, current) = (self.commit_of(single)?.commit, self.current(single)?.commit);
                self.expect_ours(&current)?;
                if current.message != original.message {
                    expect_own_words(&current, &self.commit_of(made)?.commit)?;
                    self.describe(&current.id, &original.message)?;
                }
                let current = self.current(single)?.commit;
                self.lead_back(plan, &current, &was)
            }
            [] | [_, _, ..] => {
                // Where it is gone, it was taken back before.
                let Some(now) = self.now(made)? else { return Ok(()) };
                self.expect_unchanged(&now, made)?;
                self.expect_ours(&now)?;
                let onto = revision(Some(&plan.tip));
                if working.id == now.id {
                    // It holds what the tip holds, so the files stay.
                    self.program.jj(Look::First, &["new", &onto])?;
                } else if working.parents == [now.id.clone()] {
                    self.program.jj(Look::First, &["rebase", "--source", "@", "--destination", &onto])?;
                }
                self.lead_back(plan, &now, &was)?;
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
        match above.first() {
            None => Ok(()),
            Some(above) => Err(HistoryError::Refused {
                what: "Taking it back".to_owned(),
                words: format!("{} stands on {}. Take that back first.", above.commit.name(), made.name()),
            }),
        }
    }

    /// Where the bookmark was before. Where that cannot be known, since jj has forgotten the operation, it is what the
    /// session stood on.
    pub(super) fn bookmarked_before(&self, plan: &Synthesis, before: &str) -> Result<Vec<String>> {
        let Some(bookmark) = &plan.bookmark else { return Ok(Vec::new()) };
        let base = || plan.base.iter().cloned().collect();
        if before.is_empty() {
            return Ok(base());
        }
        match self.all_then(before, &bookmarks(bookmark)) {
            Err(HistoryError::Failed { words, .. }) if words.contains(NO_OPERATION) => Ok(base()),
            found => found,
        }
    }

    /// The bookmark goes where it was before.
    pub(super) fn lead_back(&self, plan: &Synthesis, made: &Commit, was: &[String]) -> Result<()> {
        let Some(bookmark) = &plan.bookmark else { return Ok(()) };
        if self.only(&bookmarks(bookmark))?.is_none_or(|now| now.commit.id != made.id) {
            return Ok(());
        }
        match was {
            [was] => {
                let was = self.current(was)?.commit.id;
                if was == made.id { Ok(()) } else { self.set_bookmark(bookmark, &was) }
            }
            // It was in conflict, which nobody can bring back. It is the person's all the same.
            [_, _, ..] => Ok(()),
            [] => {
                self.program.jj(Look::First, &["bookmark", "forget", "--", &format!("exact:{}", literal(bookmark))])?;
                Ok(())
            }
        }
    }

    /// The hashes of a revset, as it was after an operation.
    fn all_then(&self, operation: &str, revset: &str) -> Result<Vec<String>> {
        let template = r#"commit_id ++ "\n""#;
        let arguments = ["log", "--at-operation", operation, "--no-graph", "-r", revset, "-T", template];
        let said = self.program.jj(Look::Aside, &arguments)?;
        Ok(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect())
    }

    fn expect_same(&self, before: &str, then: &Commit) -> Result<()> {
        let now = self.standing(Look::Aside)?.working.commit;
        if self.tree(&then.id)? == self.tree(&now.id)? {
            return Ok(());
        }
        Err(self.take_all_back(before, then, &now)?)
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
