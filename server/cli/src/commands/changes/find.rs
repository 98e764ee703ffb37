//! Finding a hunk by its id or a beginning of it. The host lists hunks by file, so all that wait are looked through,
//! and what is decided only where none of those is meant.

use augment_core::text::{quoted, visible};
use augment_protocol::changes::{ChangedFile, ListChanges};
use augment_protocol::methods::ChangesList;

use super::{Failure, PAGE};
use crate::client::Client;

/// The shortest beginning that is taken for an id.
const SHORTEST: usize = 4;
/// How many of the hunks that could be meant are named.
const NAMED: usize = 5;

/// The file with this one hunk in it.
pub(super) async fn hunk(client: &mut Client, wanted: &str) -> Result<ChangedFile, Failure> {
    if wanted.len() < SHORTEST {
        let message =
            format!("{} is too short for a hunk. Type at least {SHORTEST} characters of its id.", quoted(wanted));
        return Err(Failure::told("unknown-hunk", message));
    }
    for decided in [None, Some(true)] {
        let mut found = Vec::new();
        let mut params = ListChanges { decided, limit: Some(PAGE), ..ListChanges::default() };
        loop {
            let page = client.call::<ChangesList>(params.clone()).await?;
            let next = page.next.filter(|_| !page.files.is_empty());
            page.files.into_iter().for_each(|file| meant(file, wanted, &mut found));
            match next {
                Some(next) => params.after = Some(next),
                None => break,
            }
        }
        if let Some(file) = only_one(found, wanted)? {
            return Ok(file);
        }
    }
    let message = format!(
        "There is no hunk {}. It may have been decided, or have changed since it was shown. `augment-cli changes list` shows what waits.",
        quoted(wanted)
    );
    Err(Failure::told("unknown-hunk", message))
}

/// The hunks of a file that could be meant, each as a file of its own.
fn meant(mut file: ChangedFile, wanted: &str, found: &mut Vec<ChangedFile>) {
    let wanted = wanted.to_ascii_lowercase();
    let hunks = std::mem::take(&mut file.hunks);
    for hunk in hunks.into_iter().filter(|hunk| hunk.id.starts_with(&wanted)) {
        found.push(ChangedFile { hunks: vec![hunk], more_hunks: false, ..file.clone() });
    }
}

fn only_one(mut found: Vec<ChangedFile>, wanted: &str) -> Result<Option<ChangedFile>, Failure> {
    // The whole id is meant even where another one begins with it.
    if let Some(at) = found.iter().position(|file| file.hunks.iter().any(|hunk| hunk.id == wanted)) {
        return Ok(Some(found.swap_remove(at)));
    }
    if found.len() < 2 {
        return Ok(found.pop());
    }
    let ids = found.iter().flat_map(|file| &file.hunks).map(|hunk| visible(&hunk.id).into_owned());
    let named = ids.take(NAMED).collect::<Vec<_>>().join(", ");
    let more = if found.len() > NAMED { " or others" } else { "" };
    let message = format!("{} could be {named}{more}. Type more of the id.", quoted(wanted));
    Err(Failure::told("ambiguous-hunk", message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::changes::tests::{run, sample_file, sample_hunk};

    fn find(ids: &[&str], wanted: &str) -> Result<Option<String>, String> {
        let hunks = ids.iter().map(|id| sample_hunk(id, run("goose", "a1", "x"))).collect();
        let mut found = Vec::new();
        meant(sample_file("a", hunks), wanted, &mut found);
        match only_one(found, wanted) {
            Ok(file) => Ok(file.and_then(|file| file.hunks.into_iter().next()).map(|hunk| hunk.id)),
            Err(Failure::Told { message, .. }) => Err(message),
            Err(Failure::Closed | Failure::Interrupted) => Err(String::new()),
        }
    }

    #[test]
    fn a_beginning_means_one_hunk_or_is_asked_about() {
        assert_eq!(find(&["3fa2c1", "9b40d7"], "3fa2"), Ok(Some("3fa2c1".into())));
        assert_eq!(find(&["3fa2c1", "9b40d7"], "3FA2"), Ok(Some("3fa2c1".into())));
        assert_eq!(find(&["3fa2c1"], "0000"), Ok(None));
        assert_eq!(find(&["3fa2", "3fa2c1"], "3fa2"), Ok(Some("3fa2".into())));
        assert_eq!(
            find(&["3fa2c1", "3fa2d0"], "3fa2"),
            Err("\"3fa2\" could be 3fa2c1, 3fa2d0. Type more of the id.".into())
        );
    }
}
