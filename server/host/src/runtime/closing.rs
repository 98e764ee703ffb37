//! Taking the steps in which a session is completed: its artifacts are looked at and delivered, what was left lying about
//! goes, its archive is written, and whoever wants to know is told. Each step is a turn of its own; what cannot be saved is
//! done again in a moment, and by the next process where this one ends.
//!
//! Files of an archive are announced before they are written, as documents are, so that nobody is blamed for them.

use std::collections::BTreeMap;

use augment_core::closing::{Artifact, Check, CloseStep, Content, Delivered, Notice, Outside, StepClosed, StepWork};
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::ledger::{Link, Topic};
use augment_core::session::SessionId;
use augment_core::settings::{NOTICES_COMMAND, program};
use augment_core::turn::Input;

use super::hands::{self, PutError};
use super::{Moved, Owner, Work};
use crate::archive::form::{LEDGER, SESSION, SUMMARY};
use crate::archive::{RECORD_BYTES, write};
use crate::files::{Expected, ExpectedThing, Thing};
use crate::notices::{Clients, Program, Target};
use crate::store::{LedgerQuery, Order, StoreError, Was};
use crate::vcs;

/// How often a file may change under our hands before it is left alone.
const TRIES: usize = 8;
const NEW_MODE: u32 = 0o644;
const WRITE_BITS: u32 = 0o222;
/// How many records an archive holds, and how many are read at once.
const RECORDS: usize = 10_000;
const PAGE: usize = 1_000;
/// How many of the last announcements of a file are looked through for what is there.
const ANNOUNCED: usize = 50;
/// How many folders of one name are tried.
const NAMES: u32 = 99;

/// What is left to be done for the completion of a session.
pub(super) enum ClosingOrder {
    Step(Box<CloseStep>),
    Seal(Box<Content>),
}

/// Files that were to be written for a session, and the content that is known of them.
#[derive(Default)]
struct Announcements {
    paths: Vec<FilePath>,
    known: Vec<Was>,
}

/// What was put, or why not.
type Put = Result<(), String>;

impl Owner {
    /// Takes a step, tells what came of it, and goes on with what follows from that.
    pub(super) fn close(&mut self, orders: Vec<ClosingOrder>, moved: &mut Moved) {
        let mut orders: std::collections::VecDeque<ClosingOrder> = orders.into();
        while let Some(order) = orders.pop_front() {
            let input = match order {
                ClosingOrder::Step(wanted) => self.take_step(&wanted).map(Input::StepClosed),
                ClosingOrder::Seal(content) => self.seal(&content),
            };
            let done = input.and_then(|input| self.write(&[Work::Decide(Box::new(input))], &mut None));
            match done {
                Ok(written) => {
                    *moved = moved.and(written.moved);
                    for mut decided in written.decided {
                        orders.extend(std::mem::take(&mut decided.closing));
                        drop(self.carry_out(decided, moved));
                    }
                }
                Err(error) => {
                    self.session_waits = true;
                    drop(self.keep_failure(&error));
                    return;
                }
            }
        }
    }

    fn take_step(&mut self, wanted: &CloseStep) -> Result<StepClosed, StoreError> {
        let session = wanted.session;
        let outside = match &wanted.work {
            StepWork::Nothing => Outside::default(),
            StepWork::Outputs { paths, deliver } => self.outputs(session, paths, deliver.as_ref())?,
            StepWork::CleanUp { paths } => self.clean_up(session, paths)?,
            StepWork::Archive(content) => self.archive(content)?,
            StepWork::Notify(notice) => self.notify(notice)?,
        };
        Ok(StepClosed { session, step: wanted.step, outside })
    }

    fn outputs(
        &mut self,
        session: SessionId,
        paths: &[FilePath],
        deliver: Option<&FilePath>,
    ) -> Result<Outside, StoreError> {
        let head = vcs::head(&self.places.root);
        let mut outside = Outside::default();
        for path in paths {
            let (artifact, why) = self.artifact(session, path, deliver, head.as_deref())?;
            outside.artifacts.push(artifact);
            outside.evidence.extend(why);
        }
        Ok(outside)
    }

    fn artifact(
        &mut self,
        session: SessionId,
        path: &FilePath,
        deliver: Option<&FilePath>,
        head: Option<&str>,
    ) -> Result<(Artifact, Option<String>), StoreError> {
        let mut artifact = Artifact {
            path: path.to_text(),
            hash: None,
            size: None,
            check: Check::Missing,
            delivered: Delivered::Workspace,
            received: false,
        };
        let (content, mode) = match self.hands.look(path).map(|look| look.thing) {
            Ok(Thing::File { content, mode }) => (content, mode),
            Ok(Thing::Absent) => return Ok((artifact, None)),
            Ok(Thing::Link(_)) => return Ok((artifact, Some(format!("{path} is a link, and links are not followed")))),
            Err(why) => return Ok((artifact, Some(why))),
        };
        let mut why_not = None;
        artifact.check = Check::Present;
        artifact.hash = Some(ContentHash::of(&content).to_string());
        artifact.size = u64::try_from(content.len()).ok();
        artifact.received = true;
        let elsewhere = deliver.filter(|folder| !path.is_within(folder)).map(|folder| below(folder, path));
        match elsewhere {
            Some(Ok(place)) => {
                artifact.delivered = Delivered::Folder(place.to_text());
                if let Err(why) = self.put(session, &place, &content, mode)? {
                    (artifact.check, artifact.received) = (Check::Differs, false);
                    why_not = Some(format!("{path} was not delivered to {place}: {why}"));
                }
            }
            Some(Err(problem)) => {
                (artifact.check, artifact.received) = (Check::Differs, false);
                why_not = Some(format!("{path} was not delivered: {problem}"));
            }
            None => {
                let state = FileState { path: path.clone(), mode, body: Body::Text(content) };
                if let Some(head) = head
                    && !vcs::equal_to_head(&self.places.root, None, vec![state]).is_empty()
                {
                    artifact.delivered = Delivered::Commit(head.to_owned());
                }
            }
        }
        Ok((artifact, why_not))
    }

    fn clean_up(&self, session: SessionId, paths: &[FilePath]) -> Result<Outside, StoreError> {
        let ours = self.announcements(session)?;
        let around = paths.iter().chain(&ours.paths).cloned();
        let (removed, kept) = hands::leavings(&self.places, around, &ours.known);
        let mut evidence: Vec<String> = removed.iter().map(|path| format!("{path} was removed, it was ours")).collect();
        evidence.extend(kept.iter().map(|kept| format!("{kept} stays: it may be somebody's only copy")));
        Ok(Outside { evidence, ..Outside::default() })
    }

    /// Tells whoever wants to know. That a program is about to be told is saved first: a process that ends meanwhile cannot
    /// say whether it was.
    fn notify(&mut self, notice: &Notice) -> Result<Outside, StoreError> {
        let words = program(&self.readers.settings().text(NOTICES_COMMAND)).unwrap_or_default();
        let mut targets: Vec<Box<dyn Target>> = vec![Box::new(Clients)];
        if !words.is_empty() {
            let begun = Input::NoticeBegun { session: notice.session };
            self.write(&[Work::Decide(Box::new(begun))], &mut None)?;
            targets.push(Box::new(Program { words, folder: self.places.root.clone() }));
        }
        let mut outside = Outside::default();
        for target in targets {
            match target.tell(notice) {
                Ok(line) => outside.evidence.push(line),
                Err(why) => outside.failure = Some(why),
            }
        }
        Ok(outside)
    }

    /// Takes away what a process that was ended in the middle left beside what it wrote for a session.
    pub(super) fn sweep_after(&mut self, session: SessionId, moved: &mut Moved) {
        let ours = match self.announcements(session) {
            Ok(ours) => ours,
            Err(error) => {
                tracing::warn!("{error}");
                return;
            }
        };
        let told = hands::sweep(&self.places, ours.paths.into_iter(), &ours.known);
        self.tell_left(told, moved);
    }

    /// What was about to be written for a session, and what it takes the place of: content that is nobody's only copy.
    fn announcements(&self, session: SessionId) -> Result<Announcements, StoreError> {
        let topics = vec![Topic::Session(session).to_string(), "kind:session.document".into()];
        let query = LedgerQuery { topics, limit: PAGE, ..LedgerQuery::default() };
        let found = self.readers.read(|snapshot| snapshot.records(&query))?;
        let mut ours = Announcements::default();
        for link in found.links {
            let files = link.record.about.iter().filter_map(|topic| topic.strip_prefix("file:"));
            ours.paths.extend(files.filter_map(|text| FilePath::from_text(text).ok()));
            let data: serde_json::Value = serde_json::from_str(&link.record.data).unwrap_or_default();
            let hashes = ["hash", "before"].into_iter().filter_map(|name| data.get(name)?.as_str());
            ours.known.extend(hashes.filter_map(ContentHash::from_hex).map(Was::File));
        }
        Ok(ours)
    }

    /// Writes the archive, and says where it is and what is in it.
    fn archive(&mut self, content: &Content) -> Result<Outside, StoreError> {
        Ok(match self.write_archive(content)? {
            Ok((folder, evidence)) => Outside { evidence, folder: Some(folder), ..Outside::default() },
            Err(why) => Outside { failure: Some(why), ..Outside::default() },
        })
    }

    fn seal(&mut self, content: &Content) -> Result<Input, StoreError> {
        let failure = self.write_archive(content)?.err();
        Ok(Input::ArchiveSealed { session: content.session.id, failure })
    }

    /// The summary and the records first: whoever finds `session.json` finds all that it names.
    fn write_archive(&mut self, content: &Content) -> Result<Result<(String, Vec<String>), String>, StoreError> {
        let session = content.session.id;
        let folder = match &content.folder {
            Some(folder) => folder.clone(),
            None => match self.free_folder(content)? {
                Some(folder) => folder,
                None => return Ok(Err(format!("{} holds too many folders of this name", content.archives))),
            },
        };
        let place = |name: &str| {
            FilePath::from_text(&format!("{folder}/{name}")).map_err(|problem| format!("{folder}: {problem}"))
        };
        let (summary_at, ledger_at, session_at) = match (place(SUMMARY), place(LEDGER), place(SESSION)) {
            (Ok(summary), Ok(ledger), Ok(session)) => (summary, ledger, session),
            (Err(why), _, _) | (_, Err(why), _) | (_, _, Err(why)) => return Ok(Err(why)),
        };
        let ours = content.summary();
        let summary = match self.put_summary(session, &summary_at, &ours)? {
            Ok(summary) => summary,
            Err(why) => return Ok(Err(why)),
        };
        let links = self.records_of(content)?;
        let ledger = write::ledger_lines(&links);
        let hashes = (write::hash(&summary), write::hash(ledger.as_bytes()));
        let text = match write::session_json(content, &links, hashes.0, hashes.1) {
            Ok(text) if text.len() as u64 > RECORD_BYTES => {
                return Ok(Err(format!("{session_at} would have {} bytes, and nobody reads that much", text.len())));
            }
            Ok(text) => text,
            Err(error) => return Ok(Err(error.to_string())),
        };
        for (place, bytes) in [(&ledger_at, ledger.as_bytes()), (&session_at, text.as_bytes())] {
            if let Err(why) = self.put(session, place, bytes, NEW_MODE)? {
                return Ok(Err(why));
            }
        }
        let kept = if summary == ours.as_bytes() { "" } else { ": it was edited since, and is kept as it is" };
        let cut = match links.len() {
            RECORDS.. => {
                format!(": the first {RECORDS} records alone; augment-cli audit export --session {session} has all")
            }
            _ => String::new(),
        };
        let evidence = vec![format!("{summary_at}{kept}"), session_at.to_text(), format!("{ledger_at}{cut}")];
        Ok(Ok((folder, evidence)))
    }

    /// A folder that no other session has its archive in, also none that came from another machine.
    fn free_folder(&self, content: &Content) -> Result<Option<String>, StoreError> {
        let name = format!("{}/{}", content.archives, write::folder_name(content));
        for number in 1..=NAMES {
            let folder = if number == 1 { name.clone() } else { format!("{name}-{number}") };
            let mut is_free = true;
            for file in [SUMMARY, LEDGER, SESSION] {
                let Ok(path) = FilePath::from_text(&format!("{folder}/{file}")) else { return Ok(None) };
                is_free &= match self.hands.look(&path).map(|look| look.thing) {
                    Ok(Thing::Absent) => true,
                    Ok(Thing::File { content: there, .. }) => self.is_ours(content.session.id, &path, &there)?,
                    Ok(Thing::Link(_)) => false,
                    // Why nothing can be there is told when it is written.
                    Err(_) => true,
                };
            }
            if is_free {
                return Ok(Some(folder));
            }
        }
        Ok(None)
    }

    /// The summary, unless a person has changed it since; gives what is there.
    fn put_summary(
        &mut self,
        session: SessionId,
        path: &FilePath,
        text: &str,
    ) -> Result<Result<Vec<u8>, String>, StoreError> {
        if let Ok(Thing::File { content, .. }) = self.hands.look(path).map(|look| look.thing)
            && !self.is_ours(session, path, &content)?
        {
            return Ok(Ok(content));
        }
        Ok(self.put(session, path, text.as_bytes(), NEW_MODE)?.map(|()| text.as_bytes().to_vec()))
    }

    /// Puts a file in its place, where nothing is or something that this session has put there.
    fn put(&mut self, session: SessionId, path: &FilePath, text: &[u8], mode: u32) -> Result<Put, StoreError> {
        for _ in 0..TRIES {
            let look = match self.hands.look(path) {
                Ok(look) => look,
                Err(why) => return Ok(Err(why)),
            };
            let (expected, mode) = match look.thing {
                Thing::File { content, .. } if content == text => return Ok(Ok(())),
                Thing::File { content, .. } if !self.is_ours(session, path, &content)? => {
                    return Ok(Err(format!(
                        "{path} is somebody else's, or was edited since it was written. Move it away, then repeat."
                    )));
                }
                Thing::File { mode, .. } if mode & WRITE_BITS == 0 => {
                    return Ok(Err(format!("{path} is read-only. Let it be written to, then repeat.")));
                }
                Thing::File { content, mode } => {
                    (ExpectedThing::File { hash: ContentHash::of(&content), mode: Some(mode) }, mode)
                }
                Thing::Absent => (ExpectedThing::Absent, mode),
                Thing::Link(_) => return Ok(Err(format!("{path} is a link. Take it away, then repeat."))),
            };
            if self.hands.is_unsaved(path, look.hash) {
                return Ok(Err(format!("{path} has unsaved text in an editor. Save it or close it, then repeat.")));
            }
            self.announce(session, None, path, look.hash, text)?;
            let expected = Expected { path: path.clone(), thing: expected };
            match self.hands.put(expected, Thing::File { content: text.to_vec(), mode }) {
                Ok(()) => return Ok(Ok(())),
                Err(PutError::Differs) => {}
                Err(PutError::Failed(why)) => return Ok(Err(why)),
            }
        }
        Ok(Err(format!("{path} changed again and again while it was to be written. Try again.")))
    }

    /// Whether this session was about to write this there, the last time or before: a process that is killed leaves what
    /// was there until then.
    fn is_ours(&self, session: SessionId, path: &FilePath, content: &[u8]) -> Result<bool, StoreError> {
        let topics = vec![
            Topic::Session(session).to_string(),
            "kind:session.document".into(),
            Topic::File(path.clone()).to_string(),
        ];
        let query = LedgerQuery { topics, limit: ANNOUNCED, ..LedgerQuery::default() };
        let found = self.readers.read(|snapshot| snapshot.records(&query))?;
        let hash = ContentHash::of(content).to_string();
        let says = |link: &Link| {
            let data = serde_json::from_str::<serde_json::Value>(&link.record.data).ok()?;
            Some(data.get("hash")?.as_str()? == hash)
        };
        Ok(found.links.iter().any(|link| says(link) == Some(true)))
    }

    /// The session's own records, and those of its tasks while it was under way, in their order.
    fn records_of(&self, content: &Content) -> Result<Vec<Link>, StoreError> {
        let session = &content.session;
        let own = LedgerQuery { topics: vec![Topic::Session(session.id).to_string()], ..LedgerQuery::default() };
        let of_tasks = session.items.iter().filter_map(|item| item.task).map(|task| LedgerQuery {
            topics: vec![Topic::Task(task).to_string()],
            since: Some(session.started),
            until: session.ended,
            ..LedgerQuery::default()
        });
        let mut links = BTreeMap::new();
        for query in std::iter::once(own).chain(of_tasks) {
            let mut after = 0;
            while links.len() < RECORDS {
                let query = LedgerQuery { order: Order::OldestFirst { after }, limit: PAGE, ..query.clone() };
                let page = self.readers.read(|snapshot| snapshot.records(&query))?;
                after = page.links.last().map_or(after, |link| link.record.sequence);
                links.extend(page.links.into_iter().map(|link| (link.record.sequence, link)));
                if !page.more {
                    break;
                }
            }
        }
        Ok(links.into_values().collect())
    }
}

/// The same path below a folder.
fn below(folder: &FilePath, path: &FilePath) -> Result<FilePath, augment_core::file::BadPath> {
    FilePath::new([folder.as_bytes(), b"/", path.as_bytes()].concat())
}
