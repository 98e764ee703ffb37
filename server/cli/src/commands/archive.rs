//! `archive …` and `knowledge …`: what earlier sessions left, and what was learnt in them.

use std::path::{Path, PathBuf};

use augment_protocol::archive::{
    AddKnowledge, ImportArchives, ListArchives, ListKnowledge, OneArchive, OneKnowledge, SearchArchives,
    SearchKnowledge, VerifyArchives,
};
use augment_protocol::methods::{
    ArchiveImport, ArchiveListed, ArchiveSearch, ArchiveShow, ArchiveVerify, KnowledgeAdd, KnowledgeApprove,
    KnowledgeDrop, KnowledgeListed, KnowledgeSearch,
};

use super::{Ended, Ending, Failure, Session, now_ms};
use crate::args::{ArchiveCommand, ArchiveFilters, KnowledgeCommand};
use crate::connect::Wish;
use crate::output::Format;
use crate::output::archive::{self as shown, Asked};

pub(super) async fn run(session: &mut Session, command: ArchiveCommand) -> Ended {
    match command {
        ArchiveCommand::List(filters) => {
            let list = session.connect(Wish::OneShot).await?.call::<ArchiveListed>(wanted(filters)).await?;
            let width = session.output.width();
            session.show(&list, |list| shown::list(list, width))?;
            Ok(Ending::Done)
        }
        ArchiveCommand::Search(args) => {
            let params = SearchArchives { words: args.words.join(" "), only: Some(wanted(args.filters)) };
            let hits = session.connect(Wish::OneShot).await?.call::<ArchiveSearch>(params).await?;
            session.show(&hits, shown::hits)?;
            Ok(Ending::Done)
        }
        ArchiveCommand::Show { session: wanted } => {
            let params = OneArchive { session: wanted };
            let details = session.connect(Wish::OneShot).await?.call::<ArchiveShow>(params).await?;
            match session.output.format() {
                Format::Json => session.output.json(&details.record)?,
                Format::Human => session.output.print(&shown::details(&details))?,
            }
            Ok(Ending::Done)
        }
        ArchiveCommand::Verify(args) => {
            let params = VerifyArchives { sessions: args.sessions };
            let verified = session.connect(Wish::OneShot).await?.call::<ArchiveVerify>(params).await?;
            session.show(&verified, shown::verified)?;
            Ok(if verified.holds { Ending::Done } else { Ending::No })
        }
        ArchiveCommand::Import { folders } => {
            let folders = folders.iter().map(|folder| whole_path(folder)).collect::<Result<_, _>>()?;
            let params = ImportArchives { folders };
            let imported = session.connect(Wish::OneShot).await?.call::<ArchiveImport>(params).await?;
            session.show(&imported, shown::imported)?;
            Ok(Ending::Done)
        }
    }
}

fn wanted(filters: ArchiveFilters) -> ListArchives {
    let now = now_ms();
    ListArchives {
        tags: (!filters.tag.is_empty()).then_some(filters.tag),
        task: filters.task,
        agent: filters.agent,
        since: filters.since.map(|moment| moment.resolve(now)),
        until: filters.until.map(|moment| moment.resolve(now)),
        limit: filters.limit,
    }
}

/// The host may run in another folder.
fn whole_path(typed: &Path) -> Result<String, Failure> {
    let whole: PathBuf = std::path::absolute(typed)
        .map_err(|error| Failure::told("usage", format!("{} is no path: {error}.", typed.display())))?;
    let text = whole.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::told("usage", "A folder whose path is not UTF-8 cannot be imported. Rename it."))
}

pub(super) async fn knowledge(session: &mut Session, command: KnowledgeCommand) -> Ended {
    match command {
        KnowledgeCommand::List { tag, shared, local, limit } => {
            let shared = match (shared, local) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            };
            let asked = if tag.is_none() && shared.is_none() { Asked::All } else { Asked::Some };
            let params = ListKnowledge { tag, shared, limit };
            let list = session.connect(Wish::OneShot).await?.call::<KnowledgeListed>(params).await?;
            session.show(&list, |list| shown::knowledge(list, asked))?;
            Ok(Ending::Done)
        }
        KnowledgeCommand::Search { words, limit } => {
            let params = SearchKnowledge { words: words.join(" "), limit };
            let list = session.connect(Wish::OneShot).await?.call::<KnowledgeSearch>(params).await?;
            session.show(&list, |list| shown::knowledge(list, Asked::Some))?;
            Ok(Ending::Done)
        }
        KnowledgeCommand::Add { text, tag, file } => {
            let files = file.iter().map(|typed| session.typed_path(typed)).collect::<Result<_, _>>()?;
            let params = AddKnowledge { text, tags: tag, files };
            let entry = session.connect(Wish::OneShot).await?.call::<KnowledgeAdd>(params).await?;
            session.show(&entry, |entry| shown::kept("Kept on this machine", entry))?;
            Ok(Ending::Done)
        }
        KnowledgeCommand::Approve { entry } => {
            let params = OneKnowledge { entry };
            let entry = session.connect(Wish::OneShot).await?.call::<KnowledgeApprove>(params).await?;
            session.show(&entry, |entry| {
                shown::kept("Shared with everybody who has the repository, once it is committed", entry)
            })?;
            Ok(Ending::Done)
        }
        KnowledgeCommand::Drop { entry } => {
            let params = OneKnowledge { entry };
            let entry = session.connect(Wish::OneShot).await?.call::<KnowledgeDrop>(params).await?;
            session.show(&entry, |entry| shown::kept("Dropped", entry))?;
            Ok(Ending::Done)
        }
    }
}
