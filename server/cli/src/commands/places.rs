//! `where`: all places of a workspace.

use std::path::Path;

use super::{Ended, Ending, Session};
use crate::output::table::{Cell, fields};

pub(super) fn run(session: &Session) -> Ended {
    let workspace = session.workspace()?;
    let places = workspace.places();
    let program = std::env::current_exe().map(|program| path(&program)).unwrap_or_default();
    let named = [
        ("program", "program", program),
        ("workspace", "workspace", path(workspace.root())),
        ("data", "data", path(&places.data)),
        ("database", "database", path(&places.database)),
        ("lock", "lock", path(&places.lock)),
        ("socket", "socket", path(&places.socket)),
        ("token", "token", path(&places.token)),
        ("log", "log", path(&places.log)),
        ("userSettings", "settings", path(&places.user_settings)),
        ("policy", "policy", path(&places.policy)),
        ("userAgents", "agents", path(&places.user_agents)),
        ("workspaceAgents", "workspace agents", path(&places.workspace_agents)),
    ];
    let document: serde_json::Map<String, serde_json::Value> =
        named.iter().map(|(key, _, path)| ((*key).to_owned(), path.as_str().into())).collect();
    session.show(&document, |_| fields(&named.each_ref().map(|(_, name, path)| (*name, Cell::new(path)))))?;
    Ok(Ending::Done)
}

/// A path as text; bytes that are no text are replaced.
pub(super) fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
