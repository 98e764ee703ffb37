//! `scan …`: what should be looked at in changes or files, and what may stay.

use std::path::PathBuf;

use augment_core::scan::rules;
use augment_protocol::methods::{ScanAcknowledge, ScanAllowed, ScanAllows, ScanDisallow, ScanRun};
use augment_protocol::sessions::{AcknowledgeFinding, AllowFinding, DropScanAllow, ScanFiles};
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Failure, Session};
use crate::args::{ScanArgs, ScanCommand};
use crate::connect::Wish;
use crate::output::scan;

pub(super) async fn run(session: &mut Session, args: ScanArgs) -> Ended {
    match args.command {
        None if args.rules => list_rules(session),
        None => look(session, args.paths).await,
        Some(ScanCommand::Acknowledge { hunk, rule, reason }) => {
            let params = AcknowledgeFinding { hunk, rule, reason };
            let result = session.connect(Wish::OneShot).await?.call::<ScanAcknowledge>(params).await?;
            session.show(&result, scan::acknowledged)?;
            Ok(Ending::Done)
        }
        Some(ScanCommand::Allow { rule, path, until, reason }) => {
            let params = AllowFinding { rule, path, until, reason };
            let list = session.connect(Wish::OneShot).await?.call::<ScanAllowed>(params).await?;
            let width = session.output.width();
            session.show(&list, |list| scan::allowed(list, width))?;
            Ok(Ending::Done)
        }
        Some(ScanCommand::Allowed) => {
            let list = session.connect(Wish::OneShot).await?.call::<ScanAllows>(Nothing {}).await?;
            let width = session.output.width();
            session.show(&list, |list| scan::allowed(list, width))?;
            Ok(Ending::Done)
        }
        Some(ScanCommand::Disallow { number }) => {
            let list = session.connect(Wish::OneShot).await?.call::<ScanDisallow>(DropScanAllow { number }).await?;
            let width = session.output.width();
            session.show(&list, |list| scan::allowed(list, width))?;
            Ok(Ending::Done)
        }
    }
}

async fn look(session: &mut Session, typed: Vec<PathBuf>) -> Ended {
    let paths = match &typed[..] {
        [] => None,
        typed => Some(typed.iter().map(|path| session.typed_below(path)).collect::<Result<Vec<_>, Failure>>()?),
    };
    let of_files = paths.is_some();
    let result = session.connect(Wish::OneShot).await?.call::<ScanRun>(ScanFiles { paths }).await?;
    session.show(&result, |result| scan::result(result, of_files))?;
    let stops = result.findings.iter().any(|finding| finding.allowed.is_none());
    let is_whole = result.not_read.is_empty() && !result.more;
    Ok(if stops || !is_whole { Ending::No } else { Ending::Done })
}

fn list_rules(session: &Session) -> Ended {
    let rules: Vec<_> = rules()
        .iter()
        .map(|rule| serde_json::json!({ "rule": rule.id, "kind": rule.kind.name(), "about": rule.what }))
        .collect();
    let width = session.output.width();
    session.show(&serde_json::json!({ "rules": rules }), |_| scan::rules_table(width))?;
    Ok(Ending::Done)
}
