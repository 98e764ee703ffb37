//! Writing a session's record into the project's documents. A document is edited by spans from what is on disk at that
//! moment and written only if it is still that; one that changes meanwhile is read again. What is not understood, not
//! writable or unsaved in an editor is left alone, and said.

use augment_core::document::{Changelog, Edited, Problem, add_entry, edit_plan};
use augment_core::file::{ContentHash, FilePath};
use augment_core::ledger::Topic;
use augment_core::session::{DocumentsWritten, SessionId, WriteDocuments};
use augment_core::settings::{SESSION_CHANGELOG, SESSION_PLAN};
use augment_core::turn::Input;

use super::hands::PutError;
use super::{Moved, Owner, Work};
use crate::files::{Expected, ExpectedThing, Look, Thing};
use crate::store::{LedgerQuery, StoreError};

/// How often a document may change under our hands before it is left alone.
const TRIES: usize = 8;
const NEW_MODE: u32 = 0o644;
/// The bits that let somebody write to a file.
const WRITE_BITS: u32 = 0o222;

/// What came of one document.
enum Outcome {
    Changed(Vec<String>),
    /// It says so already, or there is none.
    Same(String),
    LeftAlone(String),
}

/// A document that is to hold the record of a session.
struct ToWrite<'a> {
    session: SessionId,
    /// The project's own count.
    number: u32,
    path: &'a str,
    /// Whether it is made where there is none.
    makes: bool,
}

impl Owner {
    /// Does what the end of a session wants of the documents, and tells what came of it. What cannot be saved is done
    /// again in a moment.
    pub(super) fn write_documents(&mut self, wanted: &WriteDocuments, moved: &mut Moved) {
        let told = self.try_documents(wanted);
        let input = told.map(|told| Work::Decide(Box::new(Input::DocumentsWritten(told))));
        match input.and_then(|input| self.write(&[input], &mut None)) {
            Ok(written) => {
                *moved = moved.and(written.moved);
                for mut decided in written.decided {
                    self.close(std::mem::take(&mut decided.closing), moved);
                }
            }
            Err(error) => {
                self.session_waits = true;
                drop(self.keep_failure(&error));
            }
        }
    }

    fn try_documents(&mut self, wanted: &WriteDocuments) -> Result<DocumentsWritten, StoreError> {
        let settings = self.readers.settings();
        let (changelog, plan) = (settings.text(SESSION_CHANGELOG), settings.text(SESSION_PLAN));
        let mut told = DocumentsWritten {
            session: wanted.session,
            lines: Vec::new(),
            changed: Vec::new(),
            left_alone: Vec::new(),
            changelog: None,
            plan: None,
        };
        let (mut record, session) = (wanted.record.clone(), wanted.session);
        let number = self.free_number(session, &changelog, record.entry.session)?;
        if number != record.entry.session {
            told.left_alone.push(format!(
                "{changelog}: session {:03} is written down there already, and not by us, so this one is session {number:03}",
                record.entry.session
            ));
            (record.entry.session, record.edit.session) = (number, number);
        }
        let to_write = ToWrite { session, number, path: &changelog, makes: wanted.makes_changelog };
        let outcome = self.write_document(&to_write, &mut told.left_alone, |text| add_entry(text, &record.entry))?;
        note(&mut told, &changelog, outcome, |told, path| told.changelog = Some(path));
        let to_write = ToWrite { session, number, path: &plan, makes: false };
        let outcome = self.write_document(&to_write, &mut told.left_alone, |text| edit_plan(text, &record.edit))?;
        note(&mut told, &plan, outcome, |told, path| told.plan = Some(path));
        Ok(told)
    }

    fn write_document(
        &mut self,
        &ToWrite { session, number, path, makes }: &ToWrite<'_>,
        left_alone: &mut Vec<String>,
        edit: impl Fn(&[u8]) -> Result<Edited, Problem>,
    ) -> Result<Outcome, StoreError> {
        let left = |why: &str| Ok(Outcome::LeftAlone(why.to_owned()));
        let Ok(named) = FilePath::from_text(path) else { return left("its path cannot be used") };
        for _ in 0..TRIES {
            let (thing, hash) = match self.hands.look(&named) {
                Ok(look) => (look.thing, look.hash),
                Err(reason) => return left(&reason),
            };
            let (text, mode) = match thing {
                Thing::File { content, mode } => (content, mode),
                Thing::Absent if makes => (Vec::new(), NEW_MODE),
                Thing::Absent => return Ok(Outcome::Same("there is none".into())),
                Thing::Link(_) => return left("it is a link"),
            };
            if hash.is_some() && mode & WRITE_BITS == 0 {
                return left("it is read-only");
            }
            if self.hands.is_unsaved(&named, hash) {
                return left("it has unsaved text in an editor");
            }
            let edited = match edit(&text) {
                Ok(edited) => edited,
                Err(problem) => return left(&problem.to_string()),
            };
            if edited.text == text {
                // Written by an earlier process, or in an earlier try, which could not tell of it any more.
                if self.is_announced(session, &named)? {
                    return Ok(Outcome::Changed(vec!["written already".into()]));
                }
                left_alone.extend(edited.left_alone.iter().map(|problem| format!("{path}: {problem}")));
                return Ok(Outcome::Same("nothing to change".into()));
            }
            let expected = match hash {
                Some(hash) => ExpectedThing::File { hash, mode: Some(mode) },
                None => ExpectedThing::Absent,
            };
            self.announce(session, Some(number), &named, hash, &edited.text)?;
            let wanted = Thing::File { content: edited.text, mode };
            match self.hands.put(Expected { path: named.clone(), thing: expected }, wanted) {
                Ok(()) => {
                    left_alone.extend(edited.left_alone.iter().map(|problem| format!("{path}: {problem}")));
                    return Ok(Outcome::Changed(edited.changes));
                }
                Err(PutError::Differs) => {}
                Err(PutError::Failed(why)) => return left(&why),
            }
        }
        left("it changed again and again while it was to be written")
    }

    /// The number to write a session down under: its own, or where the changelog has an entry of that number that is not
    /// ours, from a colleague or an agent, the next one that is free.
    fn free_number(&self, session: SessionId, path: &str, number: u32) -> Result<u32, StoreError> {
        let Ok(named) = FilePath::from_text(path) else { return Ok(number) };
        let Ok(Look { thing: Thing::File { content, .. }, .. }) = self.hands.look(&named) else { return Ok(number) };
        let Ok(changelog) = Changelog::read(&content) else { return Ok(number) };
        let is_taken = changelog.entries.iter().any(|entry| entry.session == Some(number));
        if is_taken && !self.is_announced(session, &named)? {
            return Ok(changelog.next_session());
        }
        Ok(number)
    }

    /// Says whose the change is that will be seen. Only what is announced is written, so that it is known for ours later.
    pub(super) fn announce(
        &mut self,
        session: SessionId,
        number: Option<u32>,
        path: &FilePath,
        before: Option<ContentHash>,
        text: &[u8],
    ) -> Result<(), StoreError> {
        let input = Input::DocumentAnnounced { session, number, path: path.clone(), before, text: text.to_vec() };
        self.write(&[Work::Decide(Box::new(input))], &mut None).map(drop)
    }

    /// Whether the record of this session was about to be written to a document.
    fn is_announced(&self, session: SessionId, path: &FilePath) -> Result<bool, StoreError> {
        let topics = vec![
            Topic::Session(session).to_string(),
            "kind:session.document".into(),
            Topic::File(path.clone()).to_string(),
        ];
        let query = LedgerQuery { topics, limit: 1, ..LedgerQuery::default() };
        self.readers.read(|snapshot| Ok(!snapshot.records(&query)?.links.is_empty()))
    }
}

fn note(told: &mut DocumentsWritten, path: &str, outcome: Outcome, keep: impl FnOnce(&mut DocumentsWritten, String)) {
    match outcome {
        Outcome::Changed(changes) => {
            let words = changes.join("; ");
            told.lines.push(format!("{path}: {words}"));
            told.changed.push(path.to_owned());
            keep(told, path.to_owned());
        }
        Outcome::Same(why) => told.lines.push(format!("{path}: {why}")),
        Outcome::LeftAlone(why) => {
            told.lines.push(format!("{path}: left as it is, {why}"));
            told.left_alone.push(format!("{path}: {why}"));
        }
    }
}
