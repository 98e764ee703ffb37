//! Research artifacts and the links between the two folders of a subject.

use augment_core::prompt::artifact::{
    Artifact, ArtifactRead, Kind, LINK_NAME, Name, Scope, artifact_text, file_name, is_research, parse_artifact,
    parse_name, slug, unify,
};
use augment_core::prompt::subject::Found;
use augment_core::simulation::Random;

use super::nasty;
use super::subjects::found;

fn artifact() -> Artifact {
    Artifact {
        title: "Sign in\nby link".to_owned(),
        stamp: "♓︎.5.4.47 5919AM".to_owned(),
        kind: Kind::Answer,
        scope: Scope::ModifiedFiles,
        subject: "Login".to_owned(),
        prompt_number: 3,
        session: Some("kkmmnnoo".to_owned()),
        parent: Some("qrstuvwx".to_owned()),
        prompt: "Do\n```\nthis\n```\n".to_owned(),
        answer: "\nIt is **done**.\n\n## Files changed\n\n- Kind: draft\n- Parent change: zzzzzzzz\n".to_owned(),
        files: vec!["src/__init__.py".to_owned(), "a`b".to_owned(), "`c`\n".to_owned()],
    }
}

#[test]
fn j6_an_artifact_tells_what_came_of_a_prompt() {
    assert_eq!(
        artifact_text(&artifact()),
        "# Sign in by link\n\n- Stamp: ♓︎.5.4.47 5919AM\n- Kind: answer\n- Change scope: modified-files\n- Subject: Login\n\
         - Prompt: 3\n- Session change: kkmmnnoo\n- Parent change: qrstuvwx\n\n## Prompt\n\n````text\nDo\n```\nthis\n```\n\n````\n\n\
         ## Answer\n\nIt is **done**.\n\n## Files changed\n\n- Kind: draft\n- Parent change: zzzzzzzz\n\n\
         ## Files changed\n\n- `src/__init__.py`\n- ``a`b``\n- `` `c`\\n ``\n"
    );
    let bare = Artifact { session: None, parent: None, files: Vec::new(), answer: String::new(), ..artifact() };
    let text = artifact_text(&bare);
    assert!(!text.contains("change: "), "{text}");
    assert!(text.ends_with("\n## Answer\n\nNone.\n\n## Files changed\n\nNone.\n"), "{text}");
}

#[test]
fn j6_an_artifact_is_read_back_and_no_answer_speaks_for_it() {
    let read = parse_artifact(&artifact_text(&artifact()));
    let expected = ArtifactRead {
        kind: Some(Kind::Answer),
        scope: Some(Scope::ModifiedFiles),
        stamp: Some("♓︎.5.4.47 5919AM".to_owned()),
        session: Some("kkmmnnoo".to_owned()),
        parent: Some("qrstuvwx".to_owned()),
        prompt: Some("Do\n```\nthis\n```\n".to_owned()),
    };
    assert_eq!(read, expected);
    let bare = Artifact { parent: None, ..artifact() };
    assert_eq!(parse_artifact(&artifact_text(&bare)).parent, None);
}

#[test]
fn j6_a_prompt_in_an_artifact_is_kept_to_the_byte() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let artifact = Artifact { prompt: nasty(&mut random), answer: nasty(&mut random), ..artifact() };
        let read = parse_artifact(&artifact_text(&artifact));
        assert_eq!(read.prompt.as_ref(), Some(&artifact.prompt), "seed {seed}");
        assert_eq!(read.parent.as_deref(), Some("qrstuvwx"), "seed {seed}");
    }
}

#[test]
fn j6_files_that_are_not_ours_say_what_they_say() {
    let parent = |parent: &str| ArtifactRead { parent: Some(parent.to_owned()), ..ArtifactRead::default() };
    for (text, expected) in [
        ("", ArtifactRead::default()),
        ("# Notes\n\nJust so.\n", ArtifactRead::default()),
        ("# Notes\n\n**Parent change:** `kkmmnnoo`\n", parent("kkmmnnoo")),
        ("parent change: kkmmnnoo (main)\n", parent("kkmmnnoo")),
        ("# Notes\n\n- Kind: essay\n- Stamp: today\n\n## Later\n\nParent change: kkmmnnoo\n", ArtifactRead::default()),
        ("## Prompt\n\nDo it\n", ArtifactRead::default()),
        ("## Prompt\n\n```text\nnever closed\n", ArtifactRead::default()),
        ("* kind: DRAFT\n", ArtifactRead { kind: Some(Kind::Draft), ..ArtifactRead::default() }),
        (
            "Stamp: 5919.12.6.5.23\n",
            ArtifactRead { stamp: Some("5919.12.6.5.23".to_owned()), ..ArtifactRead::default() },
        ),
    ] {
        assert_eq!(parse_artifact(text), expected, "{text}");
    }
    assert_eq!(parse_artifact(&"Kind: draft\n".repeat(800_000)), ArtifactRead::default());
}

#[test]
fn j6_a_title_becomes_a_slug() {
    for (title, expected) in [
        ("Sign in, by LINK!", "sign-in-by-link"),
        ("--a__b--", "a-b"),
        ("Größe 2", "gr-e-2"),
        ("日本", "prompt"),
        ("", "prompt"),
    ] {
        assert_eq!(slug(title), expected);
    }
    assert_eq!(slug(&"abcd ".repeat(30)), format!("{}abcd", "abcd-".repeat(11)));
    assert_eq!(slug(&"a".repeat(100)), "a".repeat(60));
}

#[test]
fn j6_a_name_that_is_taken_gets_a_number() {
    let name = |taken: &[&str]| file_name("591912050447", Kind::Draft, "A b", |name| taken.contains(&name));
    let plain = "591912050447_draft_a-b.md";
    assert_eq!(name(&[]).as_deref(), Some(plain));
    assert_eq!(name(&[plain]).as_deref(), Some("591912050447_draft_a-b_1.md"));
    assert_eq!(name(&[plain, "591912050447_draft_a-b_1.md"]).as_deref(), Some("591912050447_draft_a-b_2.md"));
    assert_eq!(file_name("591912050447", Kind::Draft, "A b", |_| true), None);
}

#[test]
fn j6_names_are_read_in_old_and_new_form() {
    for (name, digits, kind, slug, number) in [
        ("591912050447_draft_a-b.md", "591912050447", Some(Kind::Draft), "a-b", None),
        ("591912050447_question_a-b_2.md", "591912050447", Some(Kind::Question), "a-b", Some(2)),
        ("59191205_answer_a_b.md", "59191205", Some(Kind::Answer), "a_b", None),
        ("59191205_notes.md", "59191205", None, "notes", None),
    ] {
        assert_eq!(parse_name(name), Some(Name { digits, kind, slug, number }), "{name}");
    }
    for name in
        ["notes.md", "5919_answer_a.md", "59191205044a_answer_a.md", "591912050447_answer_a.txt", "591912050447_.md"]
    {
        assert_eq!(parse_name(name), None, "{name}");
    }
    assert_eq!(Kind::from_word("Answer"), Some(Kind::Answer));
    assert_eq!(Scope::from_word("no-files"), Some(Scope::NoFiles));
    assert_eq!(Scope::from_word("some"), None);
}

#[test]
fn j7_a_link_is_no_finding() {
    for (path, expected) in [
        ("Research/high/Login/a.md", true),
        ("Research/Low/Login/sub/a.txt", true),
        ("Research/high/Login/Counterpart.md", false),
        ("Research/high/Login", false),
        ("Research/notes.md", false),
        ("Development/high/Login/a.md", false),
    ] {
        assert_eq!(is_research(path), expected, "{path}");
    }
}

fn missing(folders: &[&str]) -> Vec<String> {
    let folders: Vec<Found> = folders.iter().map(|line| found(line)).collect();
    unify(&folders).into_iter().map(|one| format!("{} -> {}", one.path, one.text.replace('\n', "|"))).collect()
}

#[test]
fn j6_unify_lists_the_counterpart_and_a_link_on_each_side() {
    assert_eq!(
        missing(&["Research/low/Login: a.md"]),
        [
            "Development/low/Login/Counterpart.md -> # Login||What was found out about it is in [Research/low/Login](<../../../Research/low/Login/>).|",
            "Research/low/Login/Counterpart.md -> # Login||What is planned and built of it is in [Development/low/Login](<../../../Development/low/Login/>).|",
        ]
    );
    // Folders that are there are used as they are spelled, and the first tier of several.
    assert_eq!(
        missing(&["Research/Low/login: a.md", "Research/medium/login: a.md", "Development/High/Login: counterpart.md"]),
        [
            "Research/medium/login/Counterpart.md -> # login||What is planned and built of it is in [Development/High/Login](<../../../Development/High/Login/>).|"
        ]
    );
    assert_eq!(
        missing(&["Development/High/A: Counterpart.md", "Research/HIGH/B: Counterpart.md"]),
        [
            "Research/HIGH/A/Counterpart.md -> # A||What is planned and built of it is in [Development/High/A](<../../../Development/High/A/>).|",
            "Development/High/B/Counterpart.md -> # B||What was found out about it is in [Research/HIGH/B](<../../../Research/HIGH/B/>).|",
        ]
    );
}

#[test]
fn j6_after_unify_nothing_is_missing() {
    let mut folders: Vec<Found> =
        ["Research/low/Login: a.md", "Development/medium/Mail", "Research/high/MAIL", "Research/HIGH/x"]
            .map(found)
            .into();
    for one in unify(&folders) {
        let (folder, file) = one.path.rsplit_once('/').expect("a file in a folder");
        assert_eq!(file, LINK_NAME);
        match folders.iter_mut().find(|known| known.folder == folder) {
            Some(known) => known.files.push(file.to_owned()),
            None => folders.push(found(&format!("{folder}: {file}"))),
        }
    }
    assert_eq!(unify(&folders), []);
    assert_eq!(unify(&[]), []);
}
