//! The handlers of the knowledge base, and what of it is told when work begins. A run may look; only a person adds,
//! approves and drops. What is told is data with its source, never more than a few entries.

use augment_core::actor::Role;
use augment_core::file::FilePath;
use augment_core::knowledge::{self, Draft, Entry, KnowledgeId, Step, Subject, ToWrite};
use augment_core::session::Session;
use augment_core::settings::KNOWLEDGE_FILE;
use augment_core::task::Task;
use augment_core::text::{quoted, shortened};
use augment_core::turn::Command;
use augment_host::clock;
use augment_host::knowledge::{KnowledgeError, SharedError, SharedFile};
use augment_protocol::archive as wire;
use augment_protocol::{FAILED, REFUSED};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::Shared;
use super::archive::apart;
use super::methods::{Door, no, refusal};

const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 1_000;
/// How often the shared file may change under our hands.
const TRIES: usize = 8;
/// How many words are searched for at once, and how long they may be.
const WORDS: usize = 32;
const LENGTH: usize = 1_000;

/// All entries, and what could not be read.
struct Known {
    entries: Vec<Entry>,
    problems: Vec<String>,
}

impl Shared {
    fn knowledge_path(&self) -> Result<FilePath> {
        let set = self.runtime.settings().text(KNOWLEDGE_FILE);
        FilePath::from_text(&set).map_err(|problem| {
            let message = format!(
                "{KNOWLEDGE_FILE} is {}, but {problem}. Set it to a file with `augment-cli config set`.",
                quoted(&set)
            );
            no(REFUSED, "no-knowledge-file", message)
        })
    }

    fn shared_file(&self) -> Result<SharedFile> {
        SharedFile::read(self.workspace.root(), &self.knowledge_path()?).map_err(|error| not_shared(&error))
    }

    /// What is known. A part that cannot be read is told, and takes nothing of the rest away.
    fn known(&self) -> Result<Known> {
        let path = self.knowledge_path()?;
        let mut problems = Vec::new();
        // New archives first: what was learnt in them is known from then on, and not longer than they are there. Nothing
        // else is taken in while the index is read.
        if self.has_archive() {
            match self.read_archive(|index| Ok(self.knowledge.keep_only(&index.folders()?))) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => problems.push(error.to_string()),
                Err(error) => problems.push(error.message.to_string()),
            }
        }
        let local = self.knowledge.entries().unwrap_or_else(|error| {
            problems.push(error.to_string());
            Vec::new()
        });
        problems.dedup();
        let shared = SharedFile::read(self.workspace.root(), &path).unwrap_or_else(|error| {
            problems.push(error.to_string());
            SharedFile::empty(&path)
        });
        Ok(Known { entries: augment_host::knowledge::all(local, &shared, clock::wall().0), problems })
    }

    /// What fits the work that begins; it begins also where nothing can be read.
    pub(super) fn learnt_earlier(&self, subject: &Subject) -> Vec<Entry> {
        match self.known() {
            Ok(Known { entries, problems }) => {
                for problem in problems {
                    tracing::warn!("{problem}");
                }
                knowledge::matching(subject, entries)
            }
            Err(error) => {
                tracing::warn!("{}", error.message);
                Vec::new()
            }
        }
    }

    /// The entry that an id means.
    fn entry(&self, wanted: &str) -> Result<Entry> {
        let Known { entries, problems } = self.known()?;
        let wanted = wanted.trim();
        let begins = |entry: &Entry| !wanted.is_empty() && entry.id.to_string().starts_with(wanted);
        let mut found: Vec<Entry> = entries.into_iter().filter(begins).collect();
        if found.len() == 1 {
            return Ok(found.swap_remove(0));
        }
        if let Some(exact) = found.iter().position(|entry| entry.id.to_string() == wanted) {
            return Ok(found.swap_remove(exact));
        }
        if found.is_empty() {
            let why = problems.first().map(|problem| format!(" {problem}")).unwrap_or_default();
            let message = format!(
                "There is no entry {}. `augment-cli knowledge list` shows them.{why}",
                quoted(&shortened(wanted, 60))
            );
            return Err(no(REFUSED, "unknown-knowledge", message));
        }
        let ids: Vec<String> = found.iter().take(10).map(|entry| entry.id.to_string()).collect();
        let message = format!("{} means several entries. Name one: {}.", quoted(wanted), ids.join(", "));
        Err(no(REFUSED, "ambiguous-knowledge", message))
    }
}

fn not_shared(error: &SharedError) -> Error {
    let (code, kind) = match error {
        SharedError::NotUnderstood { .. } => (REFUSED, "not-understood"),
        SharedError::OtherForm { .. } => (REFUSED, "other-form"),
        SharedError::Link { .. } => (REFUSED, "leads-out"),
        SharedError::ReadOnly { .. } => (REFUSED, "read-only"),
        SharedError::Full { .. } => (REFUSED, "too-large"),
        SharedError::Files(_) => (FAILED, "not-readable"),
    };
    no(code, kind, error.to_string())
}

fn not_kept(error: &KnowledgeError) -> Error {
    no(FAILED, "not-readable", error.to_string())
}

impl Door {
    /// Whoever may not do it is refused, and that is recorded, before anything is looked at.
    async fn may(&self, step: impl FnOnce(Box<Entry>) -> Step) -> Result<()> {
        if self.actor.role() != Role::Run {
            return Ok(());
        }
        let text = String::new();
        let entry = Entry {
            id: KnowledgeId::of(&text),
            text,
            tags: Vec::new(),
            files: Vec::new(),
            source: None,
            shared: false,
            by: None,
            at: 0,
        };
        self.ask(Command::Remember(step(Box::new(entry)))).await?;
        Err(Error::internal_error())
    }

    pub(super) async fn knowledge_list(&self, list: wire::ListKnowledge) -> Result<wire::KnowledgeList> {
        apart(&self.shared, move |shared| {
            let tag = list.tag.map(|tag| tag.trim().to_lowercase());
            let known = shared.known()?;
            let fits = |entry: &Entry| {
                tag.as_ref().is_none_or(|tag| entry.tags.contains(tag))
                    && list.shared.is_none_or(|shared| entry.shared == shared)
            };
            Ok(told(known, fits, list.limit))
        })
        .await
    }

    pub(super) async fn knowledge_search(&self, search: wire::SearchKnowledge) -> Result<wire::KnowledgeList> {
        let words: Vec<String> = search
            .words
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        if words.is_empty() {
            let message = format!("There is no word in {}. Name at least one to search for.", quoted(&search.words));
            return Err(no(REFUSED, "nothing-to-search", message));
        }
        if words.len() > WORDS || search.words.len() > LENGTH {
            let message = format!("That is too much to search for at once. Name at most {WORDS} words.");
            return Err(no(REFUSED, "nothing-to-search", message));
        }
        apart(&self.shared, move |shared| {
            let known = shared.known()?;
            let fits = |entry: &Entry| {
                let whole =
                    [&entry.text, &entry.tags.join(" "), &entry.files.join(" ")].map(|text| text.to_lowercase());
                words.iter().all(|word| whole.iter().any(|text| text.contains(word)))
            };
            Ok(told(known, fits, search.limit))
        })
        .await
    }

    pub(super) async fn knowledge_add(&self, add: wire::AddKnowledge) -> Result<wire::KnowledgeEntry> {
        let wire::AddKnowledge { text, tags, files } = add;
        let draft = Draft { text, tags, files };
        // Recorded as it is kept; a text that holds a secret is not recorded at all.
        if let Some(what) = draft.secret().filter(|_| self.actor.role() != Role::Run) {
            return Err(holds_secret(&what));
        }
        self.ask(Command::Remember(Step::Added(draft.clone()))).await?;
        let draft = draft.checked().map_err(|no| refusal(&no))?;
        let (by, at) = (self.actor.to_string(), clock::wall().0);
        let kept = apart(&self.shared, move |shared| {
            shared.knowledge.add(&draft, &by, at).map_err(|error| not_kept(&error))?;
            shared.entry(&KnowledgeId::of(&draft.text).to_string())
        })
        .await;
        match kept {
            Ok(entry) => Ok(to_wire(entry)),
            Err(error) => {
                self.not_done("knowledge add", &error).await;
                Err(error)
            }
        }
    }

    pub(super) async fn knowledge_approve(&self, one: wire::OneKnowledge) -> Result<wire::KnowledgeEntry> {
        let path = self.shared.knowledge_path()?;
        self.may(|entry| Step::Approved { entry, file: ToWrite { path, text: Vec::new() } }).await?;
        let found = apart(&self.shared, move |shared| shared.entry(&one.entry)).await?;
        if found.shared {
            return Ok(to_wire(found));
        }
        let draft = Draft { text: found.text.clone(), tags: found.tags.clone(), files: found.files.clone() };
        if let Some(what) = draft.secret() {
            return Err(holds_secret(&what));
        }
        let entry = Entry { shared: true, by: Some(self.actor.to_string()), at: clock::wall().0, ..found };
        let written = self
            .write_shared(entry.clone(), |file, entry| file.with(entry), |entry, file| Step::Approved { entry, file })
            .await;
        written.map(|()| to_wire(entry))
    }

    pub(super) async fn knowledge_drop(&self, one: wire::OneKnowledge) -> Result<wire::KnowledgeEntry> {
        self.may(|entry| Step::Dropped { entry, file: None }).await?;
        let entry = apart(&self.shared, move |shared| shared.entry(&one.entry)).await?;
        if entry.shared {
            let step = |entry, file| Step::Dropped { entry, file: Some(file) };
            self.write_shared(entry.clone(), |file, entry| file.without(&entry.id), step).await?;
        } else {
            self.ask(Command::Remember(Step::Dropped { entry: Box::new(entry.clone()), file: None })).await?;
        }
        let dropped = entry.clone();
        let kept =
            apart(&self.shared, move |shared| shared.knowledge.drop_entry(&dropped).map_err(|error| not_kept(&error)));
        if let Err(error) = kept.await {
            self.not_done("knowledge drop", &error).await;
            return Err(error);
        }
        Ok(to_wire(entry))
    }

    /// Records what will be written, and writes it if the file is still what was read; else it is read again.
    async fn write_shared(
        &self,
        entry: Entry,
        edit: impl Fn(&SharedFile, &Entry) -> std::result::Result<Vec<u8>, SharedError>,
        step: impl Fn(Box<Entry>, ToWrite) -> Step,
    ) -> Result<()> {
        let command = step(Box::new(entry.clone()), ToWrite { path: self.shared.knowledge_path()?, text: Vec::new() });
        let command = command.command_name();
        for _ in 0..TRIES {
            let file = apart(&self.shared, Shared::shared_file).await?;
            let text = edit(&file, &entry).map_err(|error| not_shared(&error))?;
            let (path, hash) = file.place();
            if self.shared.runtime.editors().is_unsaved(path, hash) {
                let message = format!("{path} has unsaved text in an editor. Save it or close it, then repeat.");
                return Err(no(REFUSED, "unsaved", message));
            }
            let path = path.clone();
            let remembered = step(Box::new(entry.clone()), ToWrite { path, text: text.clone() });
            self.ask(Command::Remember(remembered)).await?;
            let written = apart(&self.shared, move |shared| {
                file.put(shared.workspace.root(), text).map_err(|error| not_shared(&error))
            })
            .await;
            match written {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => {
                    self.not_done(command, &error).await;
                    return Err(error);
                }
            }
        }
        let message = "The file of shared knowledge changed again and again while it was to be written. Try once more.";
        let error = no(FAILED, "busy", message.to_owned());
        self.not_done(command, &error).await;
        Err(error)
    }

    /// What is told to whoever begins.
    pub(super) async fn learnt_earlier(&self, subject: Subject) -> Vec<wire::KnowledgeEntry> {
        let learnt = apart(&self.shared, move |shared| Ok(shared.learnt_earlier(&subject))).await;
        learnt.unwrap_or_default().into_iter().map(to_wire).collect()
    }
}

/// What a session is about.
pub(super) fn session_subject(session: &Session) -> Subject {
    let titles = session.items.iter().flat_map(|item| [Some(item.title.clone()), item.goal.clone()]);
    Subject { titles: titles.flatten().collect(), patterns: session.paths.clone(), labels: Vec::new() }
}

/// What a task is about.
pub(super) fn task_subject(task: &Task) -> Subject {
    let titles = [Some(task.title.clone()), task.goal.clone()];
    Subject {
        titles: titles.into_iter().flatten().collect(),
        patterns: task.scope.clone(),
        labels: task.labels.clone(),
    }
}

fn holds_secret(what: &str) -> Error {
    let message = format!("The text holds {what}, so it is not taken. Say it without.");
    no(REFUSED, "findings", message)
}

fn told(known: Known, fits: impl Fn(&Entry) -> bool, limit: Option<u32>) -> wire::KnowledgeList {
    let limit = usize::try_from(limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)).unwrap_or(1);
    let mut entries: Vec<_> = known.entries.into_iter().filter(fits).take(limit + 1).map(to_wire).collect();
    let more = entries.len() > limit;
    entries.truncate(limit);
    wire::KnowledgeList { entries, problems: known.problems, more }
}

fn to_wire(entry: Entry) -> wire::KnowledgeEntry {
    let Entry { id, text, tags, files, source, shared, by, at } = entry;
    wire::KnowledgeEntry { id: id.to_string(), text, tags, files, source, shared, by, at }
}
