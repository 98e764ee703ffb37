//! What is read is what there is, and looking changes nothing.

use std::fs;

use augment_host::vcs::Jj;
use augment_host::vcs::history::{About, Commit, Held, History as _, System};

use crate::bench::{Bench, Kind, text};

#[test]
fn a_workspace_is_jjs_where_the_nearest_repository_is() {
    let bench = Bench::new(Kind::Colocated);
    assert_eq!(bench.history().system(), System::Jj { colocated: true });
    assert_eq!(Bench::with(Kind::Apart, "below/it").history().system(), System::Jj { colocated: false });
    let inner = bench.top.join("inner");
    fs::create_dir(&inner).unwrap();
    bench.git(&inner, &["init", "--quiet"]);
    assert!(Jj::open(&inner, &bench.environment).unwrap().is_none(), "that is git's");
    let plain = tempfile::tempdir().unwrap();
    assert!(Jj::open(plain.path(), &bench.environment).unwrap().is_none());
    let without = [("PATH".to_owned(), "/nowhere".to_owned())];
    assert_eq!(
        Jj::open(&bench.root, &without).unwrap_err().to_string(),
        "This is a jj repository, and no jj is found in PATH. Install it (`cargo install --locked jj-cli`), then repeat."
    );
}

#[test]
fn commits_are_found_by_change_and_hash_and_by_the_beginning_of_either() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base\n\nwith \"quotes\", a tab\t and ♓︎\n");
    let top = bench.committed("f", "2\n", "top\n\nChange-Id: kkkkmmmmnnnnpppp");
    bench.jj(&["bookmark", "set", "dev", "-r", &base]);
    bench.put("f", "unseen\n");
    let operation = || bench.jj(&["op", "log", "--ignore-working-copy", "--no-graph", "--limit", "1", "-T", "id"]);
    let (before, history) = (operation(), bench.history());
    let found = history.find(&base).unwrap().unwrap();
    let Commit { id, change, parents, message, time, conflict } = found.clone();
    assert_eq!((id, parents, conflict), (base.clone(), vec![], false));
    assert_eq!(message, "base\n\nwith \"quotes\", a tab\t and ♓︎\n");
    let change = change.unwrap();
    assert_eq!(change.len(), 32);
    assert!(time > 1_600_000_000);
    for name in [&base[..12], &change, &change[..8]] {
        assert_eq!(history.find(name).unwrap(), Some(found.clone()), "{name}");
    }
    for name in ["", "dev", "zzzzzzzzzzzz", "0123456789ab", "x | root()", "@", "-"] {
        assert_eq!(history.find(name).unwrap(), None, "{name}");
    }
    assert_eq!(history.find("kkkkmmmmnnnn").unwrap().unwrap().id, top, "by its trailer");
    let ids = |from, limit| {
        let all = history.lineage(from, limit).unwrap();
        all.into_iter().map(|commit| commit.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(None, 10), [top.clone(), base.clone()]);
    assert_eq!(ids(None, 1), [top.as_str()]);
    assert_eq!(ids(Some("dev"), 10), [base.as_str()]);
    assert!(history.is_ancestor(&top, &base).unwrap());
    assert!(!history.is_ancestor(&base, &top).unwrap());
    let unknown = history.lineage(Some("no such"), 5).unwrap_err();
    assert!(unknown.to_string().starts_with("\"no such\" is no commit, branch or bookmark"), "{unknown}");
    assert_eq!(operation(), before, "looking has changed something");
}

#[test]
fn commits_since_a_base_are_those_below_and_those_beside() {
    let bench = Bench::new(Kind::Colocated);
    let older = bench.committed("f", "0\n", "older");
    let base = bench.committed("f", "1\n", "base");
    bench.jj(&["new", &older]);
    bench.committed("z", "z\n", "stands on something older");
    bench.jj(&["new", &base]);
    let first = bench.committed("a", "1\n", "intent: beside, first");
    let second = bench.committed("a", "2\n", "intent: beside, second");
    bench.jj(&["bookmark", "set", "feature", "-r", &second]);
    bench.jj(&["new", &base]);
    let below = bench.committed("b", "1\n", "intent: below");
    bench.jj(&["bookmark", "set", "dev", "-r", &below]);
    let told = |all: Vec<(Commit, Option<String>)>| {
        all.into_iter().map(|(commit, bookmark)| (commit.id, bookmark)).collect::<Vec<_>>()
    };
    let mut found = told(bench.history().since(Some(&base)).unwrap());
    let at = |found: &[(String, Option<String>)], id: &str| found.iter().position(|(known, _)| known == id).unwrap();
    assert!(at(&found, &first) < at(&found, &second), "oldest first");
    found.sort();
    let feature = Some("feature".to_owned());
    let mut wanted = vec![(first, feature.clone()), (second, feature), (below, None)];
    wanted.sort();
    assert_eq!(found, wanted);
    // What somebody else has pushed meanwhile is not ours.
    bench.remote_at(&base);
    bench.other_pushes();
    bench.jj(&["git", "fetch", "--remote", "origin"]);
    let mut found = told(bench.history().since(Some(&base)).unwrap());
    found.sort();
    assert_eq!(found, wanted);
    bench.put("c", "work\n");
    bench.history().ground().unwrap();
    assert!(told(bench.history().since(Some(&base)).unwrap()).contains(&(bench.id("@"), None)), "@ with work in it");
}

#[test]
fn what_stands_beside_is_beside_without_a_bookmark_too() {
    let bench = Bench::new(Kind::Colocated);
    let base = bench.committed("f", "1\n", "base");
    let first = bench.committed("a", "1\n", "intent: a side experiment");
    let second = bench.committed("a", "2\n", "notes about it");
    bench.jj(&["new", &base]);
    // What another workspace has in the making, and what is empty, is nobody's line of work.
    bench.jj(&["workspace", "add", "../another", "-r", &base]);
    let another = bench.top.parent().unwrap().join("another");
    fs::write(another.join("theirs"), "t\n").unwrap();
    bench.run("jj", &another, &["status"]);
    bench.jj(&["new", "--no-edit", "-m", "intent: nothing yet", &base]);
    let below = bench.committed("b", "1\n", "intent: below");
    let history = bench.history();
    let newest = history.find(&second).unwrap().unwrap().change.unwrap()[..12].to_owned();
    let mut found: Vec<_> =
        history.since(Some(&base)).unwrap().into_iter().map(|(commit, name)| (commit.id, name)).collect();
    let mut wanted = vec![(first.clone(), Some(newest.clone())), (second.clone(), Some(newest)), (below.clone(), None)];
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    bench.jj(&["bookmark", "create", "spike", "-r", &second]);
    let since = history.since(Some(&base)).unwrap();
    let name = |id: &str| since.iter().find(|(commit, _)| commit.id == id).unwrap().1.clone();
    assert_eq!((name(&first), name(&below)), (Some("spike".to_owned()), None));
}

#[test]
fn what_is_below_is_told_whoever_holds_it() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base");
    bench.remote();
    bench.jj(&["config", "set", "--repo", "revset-aliases.'trunk()'", "dev@origin"]);
    bench.committed("p", "p\n", "intent: p");
    bench.committed("q", "q\n", "intent: q");
    let mate = bench.other_pushes();
    bench.jj(&["git", "fetch", "--remote", "origin"]);
    bench.jj(&["rebase", "-d", "dev@origin"]);
    bench.jj(&["new"]);
    let (blank, q, p) = (bench.id("@-"), bench.id("@--"), bench.id("@---"));
    let history = bench.history();
    let line = |history: &Jj| -> Vec<_> {
        history.since(Some(&base)).unwrap().into_iter().map(|(commit, name)| (commit.id, name)).collect()
    };
    let wanted = [&mate, &p, &q, &blank].map(|id| (id.clone(), None::<String>));
    assert_eq!(line(&history), wanted);
    let of_mate = About { on_remote: true, held: true, blank: false };
    let about = history.about(Some(&base)).unwrap();
    assert_eq!((about[&mate], about[&p], about[&blank].blank), (of_mate, About::default(), true));
    let remote = Held::Remote { branch: "dev".to_owned(), remote: "origin".to_owned() };
    assert_eq!((history.held(&mate).unwrap(), history.held(&p).unwrap()), (Some(remote), None));

    bench.jj(&["tag", "set", "v1", "-r", &p]);
    assert_eq!(line(&history), wanted, "a tag takes nothing away");
    assert_eq!(history.about(Some(&base)).unwrap()[&p], About { held: true, ..About::default() });
    assert_eq!(history.held(&p).unwrap(), Some(Held::Tag("v1".to_owned())));
    bench.jj(&["tag", "delete", "v1"]);
    bench.jj(&["config", "set", "--repo", "revset-aliases.'immutable_heads()'", &format!("'{q}'")]);
    assert_eq!(history.held(&p).unwrap(), Some(Held::Setting));
}

#[test]
fn lines_that_a_person_wants_wrapped_are_read_as_a_whole() {
    let bench = Bench::new(Kind::Apart);
    bench.jj(&["config", "set", "--user", "ui.log-word-wrap", "true"]);
    let words = "a message of so many words that they do not fit on one line of any screen ".repeat(4);
    let base = bench.committed("f", "1\n", &words);
    bench.put("f", "2\n");
    let made = bench.commit(&words, vec![text("f", "2\n")]).unwrap();
    assert_eq!((made.commit.parents, made.commit.message.trim_end()), (vec![base], words.trim_end()));
}
