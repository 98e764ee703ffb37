//! `prompt guard`: the facts that the judge of a completed prompt asks for. Nothing is changed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use augment_core::prompt::PromptState;
use augment_core::prompt::artifact::{is_research, parse_artifact};
use augment_core::prompt::guard::{
    CommitFact, Facts, Freshness, JjFact, Pushed, ResearchFact, all_hold, closure, judge,
};
use augment_core::prompt::message::read;
use augment_core::prompt::stamp_digits;
use augment_core::text::quoted;
use augment_core::view::View as _;
use augment_host::files;
use augment_host::vcs::history::{Body, Commit, History, HistoryError, Remote, System};
use augment_protocol::prompts as wire;
use tower_lsp_server::jsonrpc::Result;

use super::desk::{Desk, told};
use super::subjects;

/// How far down a session's commit is looked for, and how far above it on the remote.
const LINEAGE: usize = 5_000;
const ABOVE: usize = 1_000;
/// How many intents a note names.
const INTENTS_NAMED: usize = 3;
/// How much of a file is read for what it says about itself, and of what a repository says about itself.
const BEGINNING: usize = 16 * 1_024;
const OF_REPOSITORY: u64 = 1_024 * 1_024;

pub(super) fn guard(desk: &Desk, wanted: &wire::GuardPrompt) -> Result<wire::Guarded> {
    let history = desk.history()?;
    let history = history.as_ref();
    let branch = desk.branch(history, wanted.branch.as_deref())?;
    let remote = desk.remote(wanted.remote.as_deref());
    let facts = facts(desk, history, &branch, &remote, wanted.branch.is_some())?;
    let judged = judge(&facts);
    let session = closure(&facts.lineage).and_then(|closure| facts.lineage.get(closure.session));
    let mut notes = Vec::new();
    if let Some(commit) = session {
        for id in read(&commit.message).message.squashed {
            if history.find(&id).map_err(|error| told(&error))?.is_none() {
                let why = match history.system() {
                    System::Git => {
                        format!(
                            "Its originals may not have been fetched (`git fetch {remote} 'refs/augment/*:refs/augment/*'`)."
                        )
                    }
                    System::Jj { .. } => "jj keeps originals only where they were made.".to_owned(),
                };
                notes.push(format!("{id}, which the session's commit names, is not here. {why}"));
            }
        }
        notes.extend(next_under_way(desk, history, &facts)?);
    }
    Ok(wire::Guarded {
        holds: all_hold(&judged),
        invariants: judged
            .iter()
            .map(|one| wire::Invariant {
                number: u32::from(one.invariant.number()),
                name: one.invariant.name().to_owned(),
                holds: one.holds(),
                wrong: one.wrong().map(str::to_owned),
                // What cannot be judged says why, and what has to be done first.
                mend: one.mend().or(one.why_not()).map(str::to_owned),
            })
            .collect(),
        session: session.map(|commit| commit.name().to_owned()),
        branch,
        remote,
        notes,
    })
}

fn facts(desk: &Desk, history: &dyn History, branch: &str, remote: &str, is_named: bool) -> Result<Facts> {
    let ground = history.ground().map_err(|error| told(&error))?;
    let from = is_named.then_some(branch);
    let mut commits = history.lineage(from, LINEAGE).map_err(|error| told(&error))?;
    if let Some(working) = ground.working.clone().filter(|_| !is_named) {
        commits.insert(0, working);
    }
    let cut = shallow(desk.shared.workspace.root());
    let mut lineage: Vec<CommitFact> = commits.iter().map(|commit| fact(commit, &cut)).collect();
    let closed = closure(&lineage);
    if let Some(closed) = closed {
        lineage.truncate(closed.session + 1);
        // Without its parents a commit seems to have brought everything.
        for commit in lineage.iter_mut().filter(|commit| !commit.is_cut) {
            let touched = history.touched(&commit.hash).map_err(|error| told(&error))?;
            commit.touched = touched.iter().map(FilePath::to_text).collect();
        }
    }
    let session = closed.and_then(|closed| lineage.get(closed.session));
    let own = closed.map_or(0..0, |closed| closed.head..closed.session + 1);
    let head = closed.and_then(|closed| lineage.get(closed.head)).map(|head| head.hash.clone());
    // What jj holds in its working commit is in nobody's history yet, unless the session itself is being edited.
    let is_working = |commit: &Commit| ground.working.as_ref().is_some_and(|working| working.id == commit.id);
    let counts = |commit: &&Commit| !is_working(commit) || head.as_deref() == Some(&*commit.id);
    let newest = commits.iter().find(counts).map(|commit| commit.id.clone());
    let in_newest = |path: &str| -> Result<Option<Vec<u8>>> {
        let (Some(newest), Ok(place)) = (&newest, FilePath::from_text(path)) else { return Ok(None) };
        match history.at(newest, &place).map_err(|error| told(&error))? {
            Body::File { content, .. } => Ok(Some(content)),
            Body::Absent | Body::Link(_) => Ok(None),
        }
    };
    let digits = session.and_then(|session| stamp_digits(read(&session.message).message.stamp.as_deref()?));
    let mut paths: BTreeSet<String> = digits
        .as_deref()
        .map(|digits| subjects::stamped(desk.shared.workspace.root(), digits).into_iter().collect())
        .unwrap_or_default();
    paths.extend(lineage[own.clone()].iter().flat_map(|commit| commit.touched.iter().cloned()));
    let research = research(paths, digits.as_deref(), &in_newest)?;
    let freshness = freshness(history, own.filter_map(|at| Some((lineage.get(at)?, commits.get(at)?))), &research)?;
    let prompt = prompt(desk, session)?;
    let has_branch = match history.lineage(Some(branch), 1) {
        Ok(found) => !found.is_empty(),
        Err(HistoryError::Unknown { .. }) => false,
        Err(error) => return Err(told(&error)),
    };
    let jj = match history.system() {
        System::Git => None,
        System::Jj { .. } => Some(JjFact {
            bookmark: history.lineage(Some(branch), 1).ok().and_then(|found| found.into_iter().next()).map(|at| at.id),
            working: ground.working.map(|working| working.id).unwrap_or_default(),
        }),
    };
    Ok(Facts {
        branch: branch.to_owned(),
        remote: remote.to_owned(),
        has_branch,
        pushed: pushed(history, remote, branch, head.as_deref(), &cut)?,
        lineage,
        research,
        freshness,
        jj,
        prompt,
    })
}

/// The prompt under way, as far as its commands could mend something here: finished ones only for their own session.
fn prompt(desk: &Desk, session: Option<&CommitFact>) -> Result<Option<PromptState>> {
    let Some(prompt) = desk.read(|snapshot| snapshot.view().prompt())? else { return Ok(None) };
    let is_its = |commit: &CommitFact| {
        prompt.finished.as_ref().is_some_and(|finished| {
            finished.commit == commit.hash || commit.change.as_ref().is_some_and(|change| *change == finished.change)
        })
    };
    Ok(match prompt.state {
        PromptState::Open => Some(PromptState::Open),
        PromptState::Finished => session.is_some_and(is_its).then_some(PromptState::Finished),
        PromptState::Closed | PromptState::Dropped => None,
    })
}

/// What is said of an open prompt, which is no part of the session before it that is judged: that it is there, and what of
/// it the remote does not have. It is told beside the verdicts and changes none, so what cannot be looked up is left out.
fn next_under_way(desk: &Desk, history: &dyn History, facts: &Facts) -> Result<Option<String>> {
    let prompt = desk.read(|snapshot| snapshot.view().prompt())?;
    let Some(prompt) = prompt.filter(|prompt| prompt.state == PromptState::Open) else { return Ok(None) };
    let is_missing = |commit: &str| match &facts.pushed {
        Pushed::NoRemote | Pushed::NoBranch => true,
        Pushed::Unknown { .. } => false,
        Pushed::At { tip, .. } => history.is_ancestor(tip, commit).is_ok_and(|has_it| !has_it),
    };
    let found = prompt.intents.iter().filter_map(|intent| {
        let name = if intent.change.is_empty() { &intent.commit } else { &intent.change };
        let commit = history.find(name).ok().flatten().or_else(|| history.find(&intent.commit).ok().flatten())?;
        is_missing(&commit.id).then_some(intent.text.as_str())
    });
    Ok(Some(open_note(&prompt.id.to_string(), &found.collect::<Vec<_>>(), &facts.branch, &facts.remote)))
}

fn open_note(prompt: &str, missing: &[&str], branch: &str, remote: &str) -> String {
    let named: Vec<String> = missing.iter().take(INTENTS_NAMED).map(|text| quoted(text)).collect();
    let more = match missing.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let waits = match missing.len() {
        0 => String::new(),
        1 => format!(" Not pushed to {branch} of {remote} is its intent {}.", named.join(", ")),
        count => format!(" Not pushed to {branch} of {remote} are {count} intents of it: {}{more}.", named.join(", ")),
    };
    format!(
        "Prompt {prompt} is open, and no part of this: what is judged is the session before it.{waits} \
         `augment-cli prompt status` shows what comes next."
    )
}

/// Of these files, the findings that the newest commit has; those with the session's stamp with the session that they name.
fn research(
    paths: BTreeSet<String>,
    digits: Option<&str>,
    in_newest: &dyn Fn(&str) -> Result<Option<Vec<u8>>>,
) -> Result<Vec<ResearchFact>> {
    let mut found = Vec::new();
    for path in paths.into_iter().filter(|path| is_research(path)) {
        let Some(mut content) = in_newest(&path)? else { continue };
        content.truncate(BEGINNING);
        let name = path.rsplit('/').next().unwrap_or(&path);
        let is_stamped = digits.is_some_and(|digits| name.starts_with(digits));
        let told = is_stamped.then(|| parse_artifact(&String::from_utf8_lossy(&content)));
        found.push(ResearchFact { session: told.and_then(|told| told.session), path });
    }
    Ok(found)
}

fn beginning(file: &Path) -> Option<String> {
    files::beginning(file, OF_REPOSITORY).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The commits whose parents were left out of a shallow clone, as git notes them beside its store.
fn shallow(root: &Path) -> BTreeSet<String> {
    let store = root.ancestors().find_map(store_in);
    let noted = store.and_then(|store| beginning(&store.join("shallow"))).unwrap_or_default();
    noted.lines().map(str::to_owned).collect()
}

/// The store of git of a repository whose top a folder is, also behind jj and from a worktree.
fn store_in(top: &Path) -> Option<PathBuf> {
    let said = |file: &Path| beginning(file).map(|text| text.trim().to_owned());
    let behind = top.join(".jj/repo/store");
    if let Some(target) = said(&behind.join("git_target")) {
        return Some(behind.join(target));
    }
    let beside = top.join(".git");
    if beside.is_dir() {
        return Some(beside);
    }
    let worktree = top.join(said(&beside)?.strip_prefix("gitdir:")?.trim());
    let common = said(&worktree.join("commondir"));
    Some(common.map_or(worktree.clone(), |common| worktree.join(common)))
}

fn fact(commit: &Commit, cut: &BTreeSet<String>) -> CommitFact {
    CommitFact {
        hash: commit.id.clone(),
        change: commit.change.clone(),
        message: commit.message.clone(),
        touched: Vec::new(),
        is_cut: cut.contains(&commit.id),
    }
}

/// What the session's own commits brought and names a parent, each with what is the parent of the commit that brought it
/// first.
fn freshness<'a>(
    history: &dyn History,
    own: impl DoubleEndedIterator<Item = (&'a CommitFact, &'a Commit)> + Clone,
    research: &[ResearchFact],
) -> Result<Vec<Freshness>> {
    let mut fresh = Vec::new();
    for path in research.iter().map(|found| &found.path).filter(|path| is_research(path)) {
        let Some((brought, commit)) = own.clone().rev().find(|(fact, _)| fact.touched.contains(path)) else { continue };
        let Ok(place) = FilePath::from_text(path) else { continue };
        let Body::File { content, .. } = history.at(&commit.id, &place).map_err(|error| told(&error))? else {
            continue;
        };
        let Some(named) = parse_artifact(&String::from_utf8_lossy(&content)).parent else { continue };
        let mut actual = Vec::new();
        for parent in &commit.parents {
            let change = history.find(parent).map_err(|error| told(&error))?.and_then(|found| found.change);
            actual.extend(change);
            actual.push(parent.clone());
        }
        fresh.push(Freshness { path: path.clone(), named, actual: (!brought.is_cut).then_some(actual) });
    }
    Ok(fresh)
}

fn pushed(
    history: &dyn History,
    remote: &str,
    branch: &str,
    head: Option<&str>,
    cut: &BTreeSet<String>,
) -> Result<Pushed> {
    let tip = match history.remote(remote, branch).map_err(|error| told(&error))? {
        Remote::NoRemote => return Ok(Pushed::NoRemote),
        Remote::NoBranch => return Ok(Pushed::NoBranch),
        Remote::At(tip) => tip,
    };
    let Some(head) = head else { return Ok(Pushed::At { tip, has_head: false, above: Vec::new() }) };
    if history.find(&tip).map_err(|error| told(&error))?.is_none() {
        return Ok(Pushed::Unknown { tip });
    }
    let has_head = history.is_ancestor(&tip, head).map_err(|error| told(&error))?;
    let mut above = Vec::new();
    if has_head {
        let found = history.lineage(Some(&tip), ABOVE).map_err(|error| told(&error))?;
        above = found.iter().take_while(|commit| commit.id != head).map(|commit| fact(commit, cut)).collect();
    }
    Ok(Pushed::At { tip, has_head, above })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where git notes what a shallow clone leaves out: beside the store, wherever that is.
    #[test]
    fn what_a_shallow_clone_leaves_out_is_found_from_everywhere() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let at = folder.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(at, text).unwrap();
        };
        put("plain/.git/shallow", "1111\n2222\n");
        put("plain/below/it", "");
        put("plain/.git/worktrees/w/commondir", "../..\n");
        put("worktree/.git", "gitdir: ../plain/.git/worktrees/w\n");
        put("jj/.jj/repo/store/git_target", "../../../../plain/.git");
        put("whole/.git/HEAD", "ref: refs/heads/main\n");
        for place in ["plain", "plain/below", "worktree", "jj"] {
            let cut: Vec<String> = shallow(&folder.path().join(place)).into_iter().collect();
            assert_eq!(cut, ["1111", "2222"], "{place}");
        }
        assert!(shallow(&folder.path().join("whole")).is_empty());
    }

    #[test]
    fn an_open_prompt_is_named_with_what_is_not_pushed() {
        let said = |missing: &[&str]| open_note("p2", missing, "dev", "origin");
        let begins = "Prompt p2 is open, and no part of this: what is judged is the session before it.";
        let ends = "`augment-cli prompt status` shows what comes next.";
        assert_eq!(said(&[]), format!("{begins} {ends}"));
        assert_eq!(
            said(&["intent: a"]),
            format!("{begins} Not pushed to dev of origin is its intent \"intent: a\". {ends}")
        );
        assert_eq!(
            said(&["a", "b", "c", "d"]),
            format!("{begins} Not pushed to dev of origin are 4 intents of it: \"a\", \"b\", \"c\" and 1 more. {ends}")
        );
    }

    #[test]
    fn files_with_the_stamp_say_whose_they_are_and_what_is_not_committed_does_not_count() {
        let text = "# T\n\n- Session change: kkmmnnoo\n\n## Prompt\n";
        let at = |name: &str| format!("Research/high/Login/{name}");
        let paths =
            ["591912050447_answer_a.md", "591912050448_answer_b.md", "591912050447_answer_uncommitted.md"].map(at);
        let in_newest = |path: &str| Ok((!path.contains("uncommitted")).then(|| text.as_bytes().to_vec()));
        let paths = BTreeSet::from_iter(paths.into_iter().chain(["src/a.rs".to_owned(), at("Counterpart.md")]));
        let found = research(paths, Some("591912050447"), &in_newest).unwrap();
        let found: Vec<_> = found.iter().map(|found| (found.path.as_str(), found.session.as_deref())).collect();
        let expected = [
            ("Research/high/Login/591912050447_answer_a.md", Some("kkmmnnoo")),
            ("Research/high/Login/591912050448_answer_b.md", None),
        ];
        assert_eq!(found, expected);
    }
}
