//! The store: one SQLite database a workspace. All writes of a turn are one transaction; a write that fails leaves the
//! database as it was. A database from a newer program is refused untouched, and a damaged one is never replaced.

mod closing_row;
mod decision_row;
mod figures;
mod file_row;
mod flag_row;
mod kept;
mod ledger;
mod prompt_row;
mod reader;
mod run_row;
mod session_row;
mod talk_row;
mod task_row;
mod under_way;
mod view;

#[cfg(test)]
mod cost;

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use augment_core::file::{ContentHash, FilePath};
use augment_core::ledger::{Event, Head};
use augment_core::review::policy::ReviewPolicy;
use augment_core::run::HandOffPolicy;
use augment_core::session::{Governance, SessionPolicy};
use augment_core::settings::SettingChange;
use augment_core::time::{Boot, Steady, Wall};
use augment_core::turn::{Effect, Turn};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub use figures::Counted;
pub use file_row::PendingCounts;
pub use kept::{UnderWay, Was};
pub use ledger::{LedgerQuery, Order, Records};
pub use reader::{Counts, ListQuery, Page, Reader, Snapshot};
pub use run_row::RunQuery;
pub use session_row::KeptReport;
pub use talk_row::AllowedAgent;
pub use view::TurnView;

/// Marks the file as ours, so that another program's database is not taken for one.
const APPLICATION_ID: i32 = 0x4155_474d;

/// How long SQLite's log may be when the database is opened.
const LOG_LIMIT: u64 = 1_024 * 1_024;
/// How many sessions that are to be completed are looked at, as many as a start goes on with.
const CLOSINGS: usize = 16;
/// How long to wait for another connection.
const BUSY: Duration = Duration::from_secs(5);

/// Each migration brings a database from the version before to its own. The last one is the version of this program.
const MIGRATIONS: &[&str] = &[
    include_str!("store/schema.sql"),
    include_str!("store/changes.sql"),
    include_str!("store/review.sql"),
    include_str!("store/runs.sql"),
    include_str!("store/sessions.sql"),
    include_str!("store/closing.sql"),
    include_str!("store/hand_off_text.sql"),
    include_str!("store/flag_passed.sql"),
    include_str!("store/prompts.sql"),
    include_str!("store/figures.sql"),
    include_str!("store/resources.sql"),
];

/// What the person wants done without being asked.
#[derive(Debug, Clone, Default)]
pub struct Policies {
    pub review: ReviewPolicy,
    pub hand_off: HandOffPolicy,
    pub session: SessionPolicy,
    /// What the project's documents say.
    pub governance: Arc<Governance>,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "{} was written by a newer program (form {found}; this one knows {known}). Update Augment Orchestrator; nothing was changed.",
        path.display()
    )]
    Newer { path: PathBuf, found: i64, known: usize },
    #[error("{} is not a database of Augment Orchestrator. Move it away and try again; nothing was changed.", path.display())]
    Foreign { path: PathBuf },
    #[error("{} is damaged: {reason}. It was left as it is. Restore a copy, or move it away to begin anew.", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error(
        "{} is empty or gone, though this workspace has been used. Nothing was changed. Restore a copy, or remove {} to begin anew.",
        path.display(), path.parent().unwrap_or(path).display()
    )]
    Gone { path: PathBuf },
    #[error("The disk is full, so nothing was changed. Free some space around {} and try again.", path.display())]
    Full { path: PathBuf },
    #[error("{} cannot be written: {reason}. Nothing was changed. Check the disk and the permissions, then try again.", path.display())]
    NotWritable { path: PathBuf, reason: String },
    #[error("{}: {source}. Nothing was changed.", path.display())]
    Other { path: PathBuf, source: rusqlite::Error },
}

impl StoreError {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "newer-database",
            Self::Foreign { .. } => "foreign-database",
            Self::Damaged { .. } => "damaged-database",
            Self::Gone { .. } => "database-gone",
            Self::Full { .. } => "disk-full",
            Self::NotWritable { .. } | Self::Other { .. } => "not-saved",
        }
    }

    pub(crate) fn new(path: &Path, source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        let reason = source.to_string();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(
                ErrorCode::ReadOnly | ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::PermissionDenied,
            ) => Self::NotWritable { path, reason },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { path, reason },
            _ => Self::Other { path, source },
        }
    }
}

/// The writing side. Only the owner of the workspace has one.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    policy: Arc<Policies>,
    /// Contents that were kept and that nothing refers to yet, since what they were kept for comes in the next turn.
    lately: HashSet<ContentHash>,
}

impl Store {
    /// Opens the database, making or migrating it as needed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::new(path, source);
        // Held until the file is open for writing, so that SQLite reads its log once and not twice.
        let (found, before) = version_before_touching(path)?;
        // Made here with its mode; what SQLite puts beside it gets the same.
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(path)
            .map_err(|error| not_writable(path, &error))?;
        let connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
        .map_err(failed)?;
        configure(&connection).map_err(failed)?;
        // Checkpointing at every close would cost single commands more than their own work.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        drop(before);
        shorten_log(&connection, path);
        let mut store = Self { connection, path: path.to_owned(), policy: Arc::default(), lately: HashSet::new() };
        store.migrate(found)?;
        mark_used(path)?;
        Ok(store)
    }

    /// Puts everything into the one file and closes it, for whoever leaves in good order.
    pub fn close(self) {
        if let Err(error) = empty_log(&self.connection) {
            tracing::warn!("the log of {} could not be emptied: {error}", self.path.display());
        }
    }

    fn migrate(&mut self, found: usize) -> Result<(), StoreError> {
        let path = self.path.clone();
        let failed = |source| StoreError::new(&path, source);
        for (at, migration) in MIGRATIONS.iter().enumerate().skip(found) {
            let transaction =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            transaction.execute_batch(migration).map_err(failed)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
            transaction
                .pragma_update(None, "user_version", i64::try_from(at + 1).unwrap_or(i64::MAX))
                .map_err(failed)?;
            transaction.commit().map_err(failed)?;
        }
        Ok(())
    }

    /// When the next lease runs out or the next run counts as silent, by the steady clock of this boot; at once where
    /// another boot left a lease behind.
    pub fn next_due(&self, boot: &Boot) -> Result<Option<Steady>, StoreError> {
        let sql = "SELECT CASE \
                WHEN EXISTS (SELECT 1 FROM task WHERE lease_boot < ?1) OR EXISTS (SELECT 1 FROM task WHERE lease_boot > ?1) \
                THEN 0 ELSE (SELECT min(lease_due_ms) FROM task WHERE lease_boot = ?1) END";
        let due =
            self.connection.prepare_cached(sql).and_then(|mut query| query.query_row([&boot.0], |row| row.get(0)));
        let failed = |source| StoreError::new(&self.path, source);
        let lease: Option<Steady> = due.map(|due: Option<i64>| due.map(Steady)).map_err(failed)?;
        let silent = run_row::next_silent(&self.connection, boot).map_err(failed)?;
        Ok([lease, silent].into_iter().flatten().min())
    }

    /// The session that is under way.
    pub fn session(&self) -> Result<Option<augment_core::session::Session>, StoreError> {
        session_row::open(&self.connection).map_err(|source| StoreError::new(&self.path, source))
    }

    /// Whether a session that has ended is still to be completed.
    pub fn is_closing(&self) -> Result<bool, StoreError> {
        Ok(!self.open_closings(1)?.is_empty())
    }

    /// Sessions that have ended and are still to be completed.
    pub fn closing_sessions(&self) -> Result<Vec<augment_core::session::SessionId>, StoreError> {
        Ok(self.open_closings(CLOSINGS)?.into_iter().map(|closing| closing.session).collect())
    }

    fn open_closings(&self, limit: usize) -> Result<Vec<augment_core::closing::Closing>, StoreError> {
        closing_row::open(&self.connection, limit).map_err(|source| StoreError::new(&self.path, source))
    }

    /// Settings that were recorded and whose file may not have been written.
    pub fn settings_under_way(&self) -> Result<Vec<SettingChange>, StoreError> {
        under_way::all(&self.connection).map_err(|source| StoreError::new(&self.path, source))
    }

    /// Forgets a setting that has come to its end, in the file or with a failure that was told.
    pub fn setting_settled(&self, key: &str) -> Result<(), StoreError> {
        under_way::forget(&self.connection, key).map_err(|source| StoreError::new(&self.path, source))
    }

    /// Files that a decision was about to write when the process before this one ended.
    pub fn writes_under_way(&self) -> Result<Vec<UnderWay>, StoreError> {
        kept::under_way(&self.connection).map_err(|source| StoreError::new(&self.path, source))
    }

    /// Files with a decision that was to be saved in an editor.
    pub fn awaiting_save(&self) -> Result<Vec<FilePath>, StoreError> {
        file_row::awaiting_save(&self.connection).map_err(|source| StoreError::new(&self.path, source))
    }

    /// What the rules are to take for the person's policy from the next turn on.
    pub fn set_policy(&mut self, policy: Arc<Policies>) {
        self.policy = policy;
    }

    /// Begins the one transaction of a turn. Dropping it undoes the turn.
    pub fn begin(&mut self) -> Result<Batch<'_>, StoreError> {
        let path = &self.path;
        let failed = |source| StoreError::new(path, source);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let head = ledger::head(&transaction).map_err(failed)?;
        Ok(Batch { transaction, path, policy: &self.policy, lately: &mut self.lately, head, first_head: head })
    }
}

fn not_writable(path: &Path, error: &std::io::Error) -> StoreError {
    if error.kind() == std::io::ErrorKind::StorageFull {
        return StoreError::Full { path: path.to_owned() };
    }
    StoreError::NotWritable { path: path.to_owned(), reason: error.to_string() }
}

/// Empties SQLite's log into the database once it has grown. What is already in the database is remembered in shared
/// memory only, which ends with the last process, so single commands alone would let the log grow without end, and each
/// would read all of it.
fn shorten_log(connection: &Connection, path: &Path) {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if !std::fs::metadata(Path::new(&log)).is_ok_and(|found| found.len() > LOG_LIMIT) {
        return;
    }
    if let Err(error) = empty_log(connection) {
        tracing::warn!("the log of {} could not be shortened: {error}", path.display());
    }
}

/// A reader that is in the way is not waited for; the next one to open the database tries again.
fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    let emptied = connection
        .busy_timeout(Duration::ZERO)
        .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    emptied.and(connection.busy_timeout(BUSY))
}

/// The file that says that there has been a database, so that one that has vanished is not taken for a new beginning.
fn used_mark(path: &Path) -> PathBuf {
    path.with_extension("used")
}

fn mark_used(path: &Path) -> Result<(), StoreError> {
    let mark = used_mark(path);
    if !mark.exists() {
        let made = OpenOptions::new().append(true).create(true).mode(0o600).open(&mark);
        made.map_err(|error| not_writable(&mark, &error))?;
    }
    Ok(())
}

/// The version of the file as it lies there, found out without writing a byte.
fn version_before_touching(path: &Path) -> Result<(usize, Option<Connection>), StoreError> {
    let new = |connection| {
        if used_mark(path).exists() { Err(StoreError::Gone { path: path.to_owned() }) } else { Ok((0, connection)) }
    };
    if !path.exists() {
        return new(None);
    }
    let failed = |source| StoreError::new(path, source);
    // Where the very first write was broken off, SQLite has to undo it before it can read anything.
    let access =
        if journal_of(path).exists() { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(failed)?;
    configure(&connection).map_err(failed)?;
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed);
    let (application, version) = (number("application_id")?, number("user_version")?);
    if version == 0 && application == 0 {
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
        return if tables == 0 { new(Some(connection)) } else { Err(StoreError::Foreign { path: path.to_owned() }) };
    }
    if application != i64::from(APPLICATION_ID) {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    match usize::try_from(version) {
        Ok(version) if version <= MIGRATIONS.len() => Ok((version, Some(connection))),
        _ => Err(StoreError::Newer { path: path.to_owned(), found: version, known: MIGRATIONS.len() }),
    }
}

/// What SQLite keeps beside a database until it has its log: only while it is being made.
fn journal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-journal");
    name.into()
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    // The owner is alone with the file but for its own readers, so a wait is short or something is wrong.
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(64);
    // Without this, SQLite translates a query that has been kept anew whenever other values are given to it: they could make
    // another index the better one. Which index is the right one does not hang on values here.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cache_size", -8_192)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "trusted_schema", false)
}

/// How much text one page carries, so that it fits into a frame whatever people have written.
const PAGE_BYTES: usize = 4 * 1_024 * 1_024;

/// Adds to what a page holds, and says if it still fits.
fn fits_in(page: &mut usize, more: usize) -> bool {
    *page += more;
    *page <= PAGE_BYTES
}

/// A limit on rows, as SQLite takes it.
fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The writes of one turn.
#[derive(Debug)]
pub struct Batch<'store> {
    transaction: Transaction<'store>,
    path: &'store Path,
    policy: &'store Policies,
    lately: &'store mut HashSet<ContentHash>,
    head: Head,
    first_head: Head,
}

impl Batch<'_> {
    /// What the rules see: everything up to and including what this turn has written so far.
    #[must_use]
    pub fn view(&self) -> TurnView<'_> {
        TurnView::new(&self.transaction, self.path, self.policy).with_lately(self.lately)
    }

    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    /// Performs the effects of one decision inside the transaction, and gives the tasks it wrote, and the one it answers
    /// with, their revision. Effects outside the database are not for here.
    pub fn apply(&mut self, turn: &mut Turn, time: Wall) -> Result<(), StoreError> {
        let recorded = self.apply_effects(&turn.effects, time)?;
        if let (Some(recorded), Ok(answer)) = (recorded, &mut turn.verdict)
            && let Some(task) = answer.task_mut()
        {
            task.revision = recorded;
        }
        Ok(())
    }

    fn apply_effects(&mut self, effects: &[Effect], time: Wall) -> Result<Option<u64>, StoreError> {
        let mut recorded = None;
        for effect in effects {
            if let Effect::Record(event) = effect {
                recorded = Some(self.record(event, time)?);
            }
        }
        for effect in effects {
            self.apply_one(effect, recorded).map_err(|source| StoreError::new(self.path, source))?;
        }
        Ok(recorded)
    }

    fn record(&mut self, event: &Event, time: Wall) -> Result<u64, StoreError> {
        self.head = ledger::append(&self.transaction, self.head, event, time)
            .map_err(|source| StoreError::new(self.path, source))?;
        Ok(self.head.sequence)
    }

    fn apply_one(&self, effect: &Effect, recorded: Option<u64>) -> rusqlite::Result<()> {
        match effect {
            Effect::Record(_) => Ok(()),
            Effect::WriteSetting(change) => under_way::keep(&self.transaction, change),
            Effect::PutFile(file) => file_row::put(&self.transaction, file, recorded),
            Effect::PutDecision(decision) => decision_row::put(&self.transaction, decision),
            Effect::ForgetDecision(id) => decision_row::forget(&self.transaction, *id),
            Effect::DropContent(hash) => kept::drop_content(&self.transaction, *hash),
            Effect::KeepApproval(approval) => decision_row::keep_approval(&self.transaction, approval),
            Effect::PutClaim(claim) => decision_row::put_claim(&self.transaction, claim),
            Effect::DropClaim(claim) => decision_row::drop_claim(&self.transaction, *claim),
            Effect::WriteFile(write) => kept::begin_write(&self.transaction, write),
            Effect::SettleWrite { decision, file } => kept::settle_write(&self.transaction, *decision, *file),
            Effect::PutTask(task) => task_row::put(&self.transaction, task, recorded.unwrap_or(task.revision)),
            Effect::RemoveTask(id) => task_row::remove(&self.transaction, *id),
            Effect::FreeDependents(id) => self
                .transaction
                .prepare_cached(
                    "UPDATE task SET waits_for = waits_for - 1 \
                     WHERE waits_for > 0 AND number IN (SELECT task FROM dependency WHERE depends_on = ?1)",
                )?
                .execute([task_row::number(*id)])
                .map(drop),
            Effect::BeginRun { run, token_hash } => run_row::begin(&self.transaction, run, token_hash),
            Effect::PutRun(run) => run_row::put(&self.transaction, run),
            Effect::PutReport { run, report } => run_row::put_report(&self.transaction, *run, report),
            Effect::PutQuestion(question) => talk_row::put_question(&self.transaction, question),
            Effect::PutHandOff(hand_off) => talk_row::put_hand_off(&self.transaction, hand_off),
            Effect::PutHandOffText { hand_off, text } => {
                talk_row::put_hand_off_text(&self.transaction, *hand_off, text)
            }
            Effect::AllowAgent { name, hash, text } => talk_row::allow(&self.transaction, name, hash, text),
            Effect::PutSession(session) => session_row::put(&self.transaction, session),
            Effect::TellSession(told) => session_row::tell(&self.transaction, told),
            Effect::PutFlag(flag) => flag_row::put(&self.transaction, flag),
            Effect::NoteTouched { task, path, touch } => flag_row::note_touched(&self.transaction, *task, path, *touch),
            Effect::PutAcknowledged(seen) => flag_row::acknowledge(&self.transaction, seen),
            Effect::PutAllowed(allowed) => flag_row::allow(&self.transaction, allowed),
            Effect::DropAllowed(number) => flag_row::disallow(&self.transaction, *number),
            Effect::PutPrompt(prompt) => prompt_row::put(&self.transaction, prompt),
            Effect::SettleFiles(files) => prompt_row::settle(&self.transaction, files),
            Effect::LoosenFiles(files) => {
                files.iter().try_for_each(|file| prompt_row::loosen(&self.transaction, *file))
            }
            Effect::PutClosing(closing) => closing_row::put(&self.transaction, closing),
            // Documents, steps and orders to processes follow after the transaction.
            Effect::WriteDocuments(_) | Effect::CloseStep(_) | Effect::SealArchive(_) => Ok(()),
            Effect::EndProcess(_) | Effect::TellAgent { .. } | Effect::StartHandOff { .. } => Ok(()),
        }
    }

    /// Keeps some content under its hash.
    pub fn keep(&mut self, content: &[u8]) -> Result<(), StoreError> {
        let kept = kept::keep(&self.transaction, content).map_err(|source| StoreError::new(self.path, source))?;
        self.lately.insert(kept);
        Ok(())
    }

    /// Everything that was kept until now is referred to by what was written since, or never will be.
    pub fn kept_is_referred_to(&mut self) {
        self.lately.clear();
    }

    /// Some content that is kept.
    pub fn fetch(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        kept::fetch(&self.transaction, hash).map_err(|source| StoreError::new(self.path, source))
    }

    /// Keeps what is known of a file beyond the manifest.
    pub fn put_known(&self, path: &FilePath, generation: u64, entry: &[u8]) -> Result<(), StoreError> {
        kept::put_known(&self.transaction, path, generation, entry).map_err(|source| StoreError::new(self.path, source))
    }

    pub fn forget_known(&self, generation: u64) -> Result<(), StoreError> {
        kept::forget_known(&self.transaction, generation).map_err(|source| StoreError::new(self.path, source))
    }

    /// Makes the turn last. Nobody may hear of it before this returns.
    pub fn commit(self) -> Result<Head, StoreError> {
        let Self { transaction, path, policy: _, lately: _, head, first_head } = self;
        if head != first_head {
            ledger::keep_head(&transaction, head).map_err(|source| StoreError::new(path, source))?;
        }
        transaction.commit().map_err(|source| StoreError::new(path, source))?;
        Ok(head)
    }
}
