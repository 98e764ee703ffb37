//! `prompt show`: one prompt, or one `session:` commit, by any name that the list gives it. A name that fits several is
//! told, never guessed.

use augment_core::text::quoted;
use augment_protocol::methods::PromptsListed;
use augment_protocol::prompts::{ListPrompts, Prompt, PromptList, SessionCommit};

use super::{Ended, Ending, Failure, Session, now_ms, shown};
use crate::args::ShowPromptArgs;
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::Format;

/// How far back is looked at first. Each comes with its whole message, so they are not asked for without bounds.
const LOOKED_AT: u32 = 200;
/// Fewer characters are no name of a commit.
const SHORTEST: usize = 4;

pub(super) async fn run(session: &mut Session, args: ShowPromptArgs) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let params = ListPrompts { limit: Some(LOOKED_AT), branch: args.branch };
    let list = client.call::<PromptsListed>(params).await?;
    if let Some(found) = find(&list, &args.id)? {
        return tell(session, found, args.prompt);
    }
    let older = older(&mut client, &args.id).await?;
    match older.as_ref().map(|list| find(list, &args.id)).transpose()?.flatten() {
        Some(found) => tell(session, found, args.prompt),
        None => Err(unknown(&args.id)),
    }
}

/// What stands at a commit that is older than what was looked at.
async fn older(client: &mut Client, id: &str) -> Result<Option<PromptList>, Failure> {
    if id.len() < SHORTEST || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(None);
    }
    match client.call::<PromptsListed>(ListPrompts { limit: Some(1), branch: Some(id.to_owned()) }).await {
        Ok(list) => Ok(Some(list)),
        // There is no such commit: that is what the person is told.
        Err(CallError::Refused { .. } | CallError::Failed { .. }) => Ok(None),
        Err(error @ (CallError::Disconnected | CallError::Protocol(_))) => Err(error.into()),
    }
}

/// A prompt with the commit that came of it, as far as there are both.
#[derive(Debug, Clone, Copy)]
struct Found<'a> {
    prompt: Option<&'a Prompt>,
    session: Option<&'a SessionCommit>,
}

fn tell(session: &Session, found: Found<'_>, only_the_prompt: bool) -> Ended {
    let Found { prompt, session: commit } = found;
    if only_the_prompt {
        let text = prompt.map(|prompt| &prompt.text).or(commit.map(|commit| &commit.prompt));
        let text = text.map(String::as_str).unwrap_or_default();
        match session.output.format() {
            Format::Json => session.output.json(&serde_json::json!({ "text": text }))?,
            Format::Human => session.output.exact(text)?,
        }
        return Ok(Ending::Done);
    }
    let document = serde_json::json!({ "prompt": prompt, "session": commit });
    session.show(&document, |_| shown::details(prompt, commit, now_ms()))?;
    Ok(Ending::Done)
}

fn find<'a>(list: &'a PromptList, id: &str) -> Result<Option<Found<'a>>, Failure> {
    let all = paired(list);
    let named = |found: &&Found<'_>| found.prompt.is_some_and(|prompt| is_id(prompt, id));
    if let Some(found) = all.iter().find(named) {
        return Ok(Some(*found));
    }
    // Its own commit comes before those that it is made of: in single mode they share a change id.
    for names in [own_names, inner_names] {
        let fits = |found: &&Found<'_>| id.len() >= SHORTEST && names(found).iter().any(|name| name.starts_with(id));
        let mut fitting = all.iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (None, _) => {}
            (Some(found), None) => return Ok(Some(*found)),
            (Some(_), Some(_)) => {
                let message = format!(
                    "{} is the beginning of several commits. Give more of it; `augment-cli prompt list --json` has them whole.",
                    quoted(id)
                );
                return Err(Failure::told("ambiguous", message));
            }
        }
    }
    Ok(None)
}

/// `p7`, or `7`.
fn is_id(prompt: &Prompt, id: &str) -> bool {
    prompt.id == id || prompt.id.strip_prefix('p') == Some(id)
}

/// Each commit with its prompt, and the prompts that have none.
fn paired(list: &PromptList) -> Vec<Found<'_>> {
    let came_of = |prompt: &Prompt, commit: &SessionCommit| {
        prompt.finished.as_ref().is_some_and(|made| {
            made.commit == commit.commit || commit.change.as_ref().is_some_and(|change| *change == made.change)
        })
    };
    let prompts = list.prompts.iter().map(|prompt| Found {
        prompt: Some(prompt),
        session: list.sessions.iter().find(|commit| came_of(prompt, commit)),
    });
    let alone = list.sessions.iter().filter(|commit| !list.prompts.iter().any(|prompt| came_of(prompt, commit)));
    prompts.chain(alone.map(|commit| Found { prompt: None, session: Some(commit) })).collect()
}

fn own_names<'a>(found: &Found<'a>) -> Vec<&'a str> {
    let made = found.prompt.and_then(|prompt| prompt.finished.as_ref());
    let made = made.into_iter().flat_map(|made| [made.commit.as_str(), made.change.as_str()]);
    let commit = found.session.into_iter().flat_map(|commit| [Some(commit.commit.as_str()), commit.change.as_deref()]);
    made.chain(commit.flatten()).collect()
}

/// The commits that it is made of.
fn inner_names<'a>(found: &Found<'a>) -> Vec<&'a str> {
    let intents = found.prompt.into_iter().flat_map(|prompt| &prompt.intents);
    let intents = intents.flat_map(|intent| [intent.commit.as_str(), intent.change.as_str()]);
    let squashed = found.session.into_iter().flat_map(|commit| &commit.squashed);
    let squashed = squashed.flat_map(|named| [Some(named.change.as_str()), named.commit.as_deref()]);
    intents.chain(squashed.flatten()).collect()
}

fn unknown(id: &str) -> Failure {
    let message = format!(
        "There is no prompt {} here, and no session commit of that name. `augment-cli prompt list` shows them.",
        quoted(id)
    );
    Failure::told("unknown-prompt", message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list() -> PromptList {
        let intent = |commit: &str, change: &str| json!({ "text": "intent: x", "role": "work", "commit": commit, "change": change });
        let prompt = |id: &str, intents: Vec<serde_json::Value>, finished: serde_json::Value| {
            json!({ "id": id, "state": "open", "headline": id, "text": format!("text of {id}"), "context": "",
                "stamp": "", "model": "chronos", "subjects": [], "system": "git", "base": null, "branch": null,
                "startedMs": 0, "intents": intents, "finished": finished, "report": null, "pushed": null })
        };
        let session = |commit: &str, change: Option<&str>, squashed: &[&str]| {
            let squashed: Vec<_> = squashed.iter().map(|change| json!({ "change": change, "commit": null })).collect();
            json!({ "commit": commit, "change": change, "summary": "s", "stamp": null, "timeMs": 0, "prompt": "q",
                "context": "", "changes": [], "squashed": squashed, "lacks": [], "message": "m" })
        };
        let made = json!({ "summary": "s", "commit": "aaaa1111", "change": "kkkklmno", "squashed": [] });
        serde_json::from_value(json!({
            "prompts": [
                prompt("p2", vec![intent("bbbb2222", "pppptttt")], json!(null)),
                prompt("p1", vec![intent("cccc3333", "kkkklmno")], made),
            ],
            "sessions": [session("aaaa9999", Some("kkkklmno"), &[]), session("aaab4444", None, &["zzzzyyyy"])],
            "revision": 1,
        }))
        .unwrap()
    }

    fn check(id: &str, expected: (Option<&str>, Option<&str>)) {
        let list = list();
        let found = find(&list, id).ok().flatten().unwrap_or_else(|| panic!("{id}"));
        let prompt = found.prompt.map(|prompt| prompt.id.as_str());
        assert_eq!((prompt, found.session.map(|commit| commit.commit.as_str())), expected, "{id}");
    }

    #[test]
    fn every_name_of_the_list_leads_to_it() {
        check("p1", (Some("p1"), Some("aaaa9999")));
        check("2", (Some("p2"), None));
        check("aaaa9", (Some("p1"), Some("aaaa9999")));
        // The commit that was made and rewritten since is the same change.
        check("aaaa1111", (Some("p1"), Some("aaaa9999")));
        check("kkkk", (Some("p1"), Some("aaaa9999")));
        check("cccc3", (Some("p1"), Some("aaaa9999")));
        check("pppp", (Some("p2"), None));
        check("aaab", (None, Some("aaab4444")));
        check("zzzzyyyy", (None, Some("aaab4444")));
    }

    #[test]
    fn what_fits_several_or_nothing_is_not_guessed() {
        let list = list();
        for id in ["p9", "9", "dddd", "aaa", "", "intent"] {
            assert!(matches!(find(&list, id), Ok(None)), "{id}");
        }
        let mut doubled = self::list();
        doubled.sessions[1].commit = "aaaa4444".into();
        let found = find(&doubled, "aaaa");
        assert!(matches!(found, Err(Failure::Told { ref code, .. }) if code == "ambiguous"), "{found:?}");
    }
}
