//! `audit export`: records page by page from the host to a file or stdout. At no time more than one page is held. The end of the
//! ledger is looked up first, so that an export ends even while records are being written.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use augment_core::text::visible;
use augment_protocol::changes::{AuthorKind, Hunk, ListChanges};
use augment_protocol::methods::{AuditList, ChangesList, SessionDetail};
use augment_protocol::records::ListRecords;
use augment_protocol::sessions::{OneSession, SessionDetails};

use super::{Ended, Ending, Failure, PAGE, Session, wanted};
use crate::args::{AuditFilters, ExportArgs, ExportFormat};
use crate::client::Client;
use crate::commands::now_ms;
use crate::connect::Wish;
use crate::output::export::{About, Exported, Form, Sum, form, masked};
use crate::output::html::{Changes, MAX_RECORDS, Page};

/// How many changed files are asked for at once.
const FILES: u32 = 50;
/// How many files of records are kept in mind to find their changes.
const MAX_TOPICS: usize = 20_000;

pub(super) async fn run(session: &mut Session, args: &ExportArgs) -> Ended {
    let out = args.out.as_deref().map(|path| Target::new(path, args.force)).transpose()?;
    let mut client = session.connect(Wish::OneShot).await?;
    let params = wanted(session, &args.filters)?;
    let details = match &args.filters.session {
        Some(named) => Some(client.call::<SessionDetail>(OneSession { session: Some(named.clone()) }).await?),
        None => None,
    };
    let nonce = augment_host::token::fresh().map_err(|error| Failure::told("random", error.to_string()))?;
    let mut form = form(args.format, Page::new(nonce, details.as_ref()));
    let root = session.workspace()?.root().to_owned();
    let project = root.file_name().unwrap_or(root.as_os_str()).to_string_lossy().into_owned();
    let about = About { project: masked(&project), wanted: asked_for(&args.filters), made: now_ms() };
    let mut sink = match out {
        Some(target) => Sink::File(target),
        None => Sink::Stdout,
    };
    sink.write(session, &form.begin(&about))?;
    let within = details.as_ref().map(Within::of);
    let (mut sum, files) = write_records(session, &mut client, params, args.format, form.as_mut(), &mut sink).await?;
    if args.format == ExportFormat::Html {
        sum.changes = changes(&mut client, &files, within.as_ref()).await?;
    }
    let end = form.end(&sum).map_err(unwritable)?;
    sink.write(session, &end)?;
    let Sink::File(target) = sink else { return Ok(Ending::Done) };
    let path = target.finish()?;
    let document = serde_json::json!({
        "file": path.display().to_string(), "records": sum.records, "redacted": sum.redacted, "head": sum.head,
    });
    session.show(&document, |_| told(&path, &sum))?;
    Ok(Ending::Done)
}

fn told(path: &Path, sum: &Sum) -> String {
    let records = if sum.records == 1 { "1 record".to_owned() } else { format!("{} records", sum.records) };
    let redacted = match sum.redacted {
        0 => String::new(),
        redacted => format!(" In {redacted} of them secrets were redacted."),
    };
    // What `audit verify --head` is given later; it is worth nothing if it lies in the file alone.
    let head = if sum.records == 0 { String::new() } else { format!(" The head is {}.", sum.head) };
    format!("{records} in {}.{redacted}{head}", visible(&path.to_string_lossy()))
}

fn unwritable(error: serde_json::Error) -> Failure {
    Failure::told("output", format!("A record cannot be written: {error}."))
}

/// The filters that were typed, by their names.
fn asked_for(filters: &AuditFilters) -> Vec<(&'static str, String)> {
    let AuditFilters { task, run, agent, file, session, actor, kind, since, until } = filters;
    let now = now_ms();
    let moment = |moment: &crate::args::Moment| crate::output::time::utc(moment.resolve(now));
    let entries = [
        ("session", session.clone()),
        ("task", task.clone()),
        ("run", run.clone()),
        ("agent", agent.clone()),
        ("file", file.as_ref().map(|path| path.display().to_string())),
        ("actor", actor.clone()),
        ("kind", kind.clone()),
        ("since", since.as_ref().map(moment)),
        ("until", until.as_ref().map(moment)),
    ];
    entries.into_iter().filter_map(|(name, value)| Some((name, masked(&value?)))).collect()
}

/// What was written, and the files that it is about.
async fn write_records(
    session: &Session,
    client: &mut Client,
    mut params: ListRecords,
    format: ExportFormat,
    form: &mut dyn Form,
    sink: &mut Sink,
) -> Result<(Sum, BTreeSet<String>), Failure> {
    let end = ListRecords { limit: Some(1), ..ListRecords::default() };
    let end = client.call::<AuditList>(end).await?.records.first().map_or(0, |record| record.sequence);
    let mut sum = Sum { head: augment_core::ledger::Hash::NONE.to_string(), ..Sum::default() };
    let mut files = BTreeSet::new();
    params.limit = Some(PAGE);
    params.after = Some(0);
    loop {
        let page = client.call::<AuditList>(params.clone()).await?;
        let is_over = page.records.last().is_none_or(|record| record.sequence >= end);
        for record in page.records.into_iter().take_while(|record| record.sequence <= end) {
            if format == ExportFormat::Html {
                if sum.records == MAX_RECORDS {
                    return Err(too_many());
                }
                note_files(&mut files, &record.subject, &record.about);
            }
            sum.head.clone_from(&record.hash);
            let exported = Exported::new(record);
            sum.records += 1;
            sum.redacted += u64::from(exported.redacted);
            let piece = form.record(&exported).map_err(unwritable)?;
            sink.write(session, &piece)?;
        }
        params.after = page.next;
        if is_over || page.next.is_none() {
            break;
        }
    }
    Ok((sum, files))
}

fn too_many() -> Failure {
    let message = format!(
        "A page shows at most {MAX_RECORDS} records. Narrow it down with --session, --since or another filter, or export as jsonl or csv."
    );
    Failure::told("too-many-records", message)
}

fn note_files(files: &mut BTreeSet<String>, subject: &str, about: &[String]) {
    let topics = std::iter::once(subject).chain(about.iter().map(String::as_str));
    for path in topics.filter_map(|topic| topic.strip_prefix("file:")) {
        if files.len() < MAX_TOPICS && !files.contains(path) {
            files.insert(path.to_owned());
        }
    }
}

/// What belongs to a session: work on its tasks and what people did, while it lasted.
struct Within {
    tasks: BTreeSet<String>,
    from: i64,
    to: i64,
}

impl Within {
    fn of(SessionDetails { session, .. }: &SessionDetails) -> Self {
        Self {
            tasks: session.items.iter().filter_map(|item| item.task.clone()).collect(),
            from: session.started_at,
            to: session.ended_at.unwrap_or(i64::MAX),
        }
    }

    fn has(&self, hunk: &Hunk) -> bool {
        let is_its_work = match hunk.author.kind {
            AuthorKind::Run => hunk.author.task.as_ref().is_some_and(|task| self.tasks.contains(task)),
            AuthorKind::Person | AuthorKind::Vcs | AuthorKind::Unknown | AuthorKind::Before => true,
        };
        is_its_work && (self.from..=self.to).contains(&hunk.time)
    }
}

/// The hunks of these files, decided and pending, and of a session only its own.
async fn changes(client: &mut Client, files: &BTreeSet<String>, within: Option<&Within>) -> Result<Changes, Failure> {
    let mut changes = Changes::default();
    let mut params = ListChanges { decided: Some(true), limit: Some(FILES), ..ListChanges::default() };
    while !files.is_empty() {
        let page = client.call::<ChangesList>(params.clone()).await?;
        for mut file in page.files.into_iter().filter(|file| files.contains(&file.path.replace('\n', "\\x0a"))) {
            file.hunks.retain(|hunk| within.is_none_or(|within| within.has(hunk)));
            if !file.hunks.is_empty() {
                changes.take(&file);
            }
        }
        params.after = page.next;
        if params.after.is_none() || changes.is_full() {
            break;
        }
    }
    Ok(changes)
}

enum Sink {
    Stdout,
    File(Target),
}

impl Sink {
    fn write(&mut self, session: &Session, text: &str) -> Result<(), Failure> {
        match self {
            Self::Stdout => Ok(session.output.raw(text.as_bytes())?),
            Self::File(target) => target.write(text),
        }
    }
}

/// The file to be: written beside its place, and moved there once it is whole.
struct Target {
    path: PathBuf,
    beside: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Target {
    fn new(path: &Path, force: bool) -> Result<Self, Failure> {
        let shown = visible(&path.to_string_lossy()).into_owned();
        if !force && path.symlink_metadata().is_ok() {
            let message = format!("{shown} is there already. Name another file, or add --force to replace it.");
            return Err(Failure::told("file-exists", message));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let beside = path.with_file_name(name);
        match File::create_new(&beside) {
            Ok(file) => Ok(Self { path: path.to_owned(), beside, file: Some(BufWriter::new(file)) }),
            Err(error) => Err(Self::failed(&shown, &error)),
        }
    }

    fn failed(shown: &str, error: &std::io::Error) -> Failure {
        Failure::told("output", format!("{shown} cannot be written: {error}. Name a file where you may write."))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(text.as_bytes()));
        written.map_err(|error| Self::failed(&visible(&self.path.to_string_lossy()), &error))
    }

    fn finish(mut self) -> Result<PathBuf, Failure> {
        let whole = self.file.take().map_or(Ok(()), |mut file| file.flush());
        let moved = whole.and_then(|()| std::fs::rename(&self.beside, &self.path));
        moved.map_err(|error| Self::failed(&visible(&self.path.to_string_lossy()), &error))?;
        Ok(self.path.clone())
    }
}

impl Drop for Target {
    /// What did not become whole does not stay.
    fn drop(&mut self) {
        std::fs::remove_file(&self.beside).unwrap_or_default();
    }
}
