//! Taking back what was written, by its inverse and not by going back in jj's operations, which would take other work with
//! it. Refused where a remote has it or other commits stand on it. The files on disk stay as they are.

use super::super::history::{Commit, HistoryError, Result, Synthesis};
use super::Jj;
use super::committing::expect_tip;
use super::program::Look;
use super::reading::{Standing, literal, revision};

impl Jj {
    /// The content of the newest commit goes into `@`, which keeps its description.
    pub(super) fn uncommit(&self, made: &str) -> Result<()> {
        let Standing { working, tip } = self.standing(Look::First)?;
        let known = self.commit_of(made)?;
        if known.hidden && tip.as_ref().map(|tip| &tip.id) == known.commit.parents.first() {
            // It was taken back before.
            return Ok(());
        }
        // Its message may have been the session's meanwhile.
        let known = if known.hidden { self.current(made)? } else { known };
        expect_tip(tip.as_ref(), Some(&known.commit.id))?;
        self.expect_ours(&known.commit)?;
        let before = self.operation()?;
        let from = revision(Some(&known.commit.id));
        self.program.jj(Look::First, &["squash", "--from", &from, "--into", "@", "--use-destination-message"])?;
        self.expect_same(&before, &working.commit)
    }

    pub(super) fn unmake_one(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()> {
        let Standing { working, .. } = self.standing(Look::First)?;
        let here = self.operation()?;
        match plan.commits.as_slice() {
            [single] => {
                let (original, current) = (self.commit_of(single)?.commit, self.current(single)?.commit);
                self.expect_ours(&current)?;
                if current.message != original.message {
                    self.describe(&current.id, &original.message)?;
                }
                let current = self.current(single)?.commit;
                self.lead_back(plan, &current, before)?;
            }
            [] | [_, _, ..] => {
                let known = self.commit_of(made)?;
                if !known.hidden {
                    self.expect_ours(&known.commit)?;
                    if working.commit.parents == [known.commit.id.clone()] {
                        let onto = revision(Some(&plan.tip));
                        self.program.jj(Look::First, &["rebase", "--source", "@", "--destination", &onto])?;
                    }
                    self.lead_back(plan, &known.commit, before)?;
                    let gone = revision(Some(&known.commit.id));
                    self.program.jj(Look::First, &["abandon", "--retain-bookmarks", "-r", &gone])?;
                }
            }
        }
        self.expect_same(&here, &working.commit)
    }

    /// Refuses what is on a remote, and what more than `@` stands on.
    pub(super) fn expect_ours(&self, made: &Commit) -> Result<()> {
        if let Some(remote) = self.pushed_to(&made.id)? {
            return Err(HistoryError::Pushed { commit: made.name().to_owned(), remote });
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

    /// The bookmark goes where it was before. Where that cannot be known, it goes to what the session stood on.
    pub(super) fn lead_back(&self, plan: &Synthesis, made: &Commit, before: &str) -> Result<()> {
        let Some(bookmark) = &plan.bookmark else { return Ok(()) };
        let there = format!("bookmarks(exact:{})", literal(bookmark));
        if self.only(&there)?.is_none_or(|now| now.commit.id != made.id) {
            return Ok(());
        }
        let was = match before {
            "" => plan.base.clone(),
            before => self.only_then(before, &there)?,
        };
        match was {
            Some(was) => {
                let was = self.current(&was)?.commit.id;
                if was == made.id { Ok(()) } else { self.set_bookmark(bookmark, &was) }
            }
            None => {
                self.program.jj(Look::First, &["bookmark", "forget", "--", &format!("exact:{}", literal(bookmark))])?;
                Ok(())
            }
        }
    }

    /// The hash of the only commit of a revset, as it was after an operation.
    fn only_then(&self, operation: &str, revset: &str) -> Result<Option<String>> {
        let template = r#"commit_id ++ "\n""#;
        let arguments = ["log", "--at-operation", operation, "--no-graph", "-r", revset, "-T", template];
        let said = self.program.jj(Look::Aside, &arguments)?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let mut found = said.lines();
        Ok(found.next().filter(|_| found.next().is_none()).map(str::to_owned))
    }

    fn expect_same(&self, before: &str, then: &Commit) -> Result<()> {
        let now = self.standing(Look::Aside)?.working.commit;
        if self.tree(&then.id)? == self.tree(&now.id)? {
            return Ok(());
        }
        Err(self.take_all_back(before, then, &now)?)
    }
}
