//! Which subjects a prompt touches, and where what is new about one goes.

use augment_core::prompt::subject::{
    Found, Place, RANKED_LIMIT, Ranked, Side, Tier, folder_for, rank, subject_name, tier_for,
};

/// `Research/high/Login-Form: notes.md; text`.
pub(super) fn found(line: &str) -> Found {
    let (folder, rest) = line.split_once(": ").unwrap_or((line, ""));
    let (files, words) = rest.split_once("; ").unwrap_or((rest, ""));
    let place = Place::of(folder).expect("a subject's folder");
    Found {
        side: place.side,
        tier: place.tier,
        subject: place.subject.to_owned(),
        folder: place.folder.to_owned(),
        files: files.split_whitespace().map(str::to_owned).collect(),
        words: words.to_owned(),
    }
}

fn check(prompt: &str, folders: &[&str], expected: &[&str]) {
    let mut folders: Vec<Found> = folders.iter().map(|line| found(line)).collect();
    let say = |one: &Ranked| {
        let places: Vec<&str> = one.places.iter().map(|(_, _, folder)| folder.as_str()).collect();
        format!("{} {} by {} in {}", one.subject, one.score, one.why.join(" "), places.join(" "))
    };
    let ranked: Vec<String> = rank(prompt, &folders).iter().map(say).collect();
    assert_eq!(ranked, expected, "{prompt}");
    folders.reverse();
    let again: Vec<String> = rank(prompt, &folders).iter().map(say).collect();
    assert_eq!(again, expected, "the order in which folders are found does not matter");
}

#[test]
fn j1_names_count_more_than_files_and_files_more_than_text() {
    check(
        "Mend the login form, please",
        &[
            "Research/high/Mail: queue.md; the login is told about by mail",
            "Development/low/Sessions: login-form.md; x",
            "Development/high/LoginForm: plan.md; form",
            "Research/medium/Weather: rain.md; sun",
        ],
        &[
            "LoginForm 20 by form login in Development/high/LoginForm",
            "Sessions 6 by form login in Development/low/Sessions",
            "Mail 1 by login in Research/high/Mail",
        ],
    );
}

#[test]
fn j1_both_sides_are_one_subject() {
    check(
        "prompt-sessions",
        &["Research/Medium/prompt_session: a.md; x", "Development/low/Prompt-Session", "Research/low/Prompt-Session"],
        &[
            "Prompt-Session 20 by prompt session in Development/low/Prompt-Session Research/low/Prompt-Session",
            "prompt_session 20 by prompt session in Research/Medium/prompt_session",
        ],
    );
    check(
        "sessions",
        &["Research/Medium/session: a.md; x", "Development/low/Session", "Research/low/SESSION"],
        &["Session 10 by session in Development/low/Session Research/Medium/session Research/low/SESSION"],
    );
    let ranked = rank("session", &[found("Research/high/Session")]);
    assert!(ranked[0].has(Side::Research) && !ranked[0].has(Side::Development));
}

#[test]
fn j1_words_are_folded_and_common_ones_say_nothing() {
    check(
        "What is the policy for the boxes of classes and the status in GitHub, please?",
        &[
            "Research/high/What-Is-The: for.md; please",
            "Research/high/Policies",
            "Research/high/Box",
            "Research/high/Class",
            "Research/high/Github",
            "Research/high/Status",
        ],
        &[
            "Box 10 by box in Research/high/Box",
            "Class 10 by class in Research/high/Class",
            "Github 10 by github in Research/high/Github",
            "Policies 10 by policy in Research/high/Policies",
            "Status 10 by status in Research/high/Status",
        ],
    );
    check(
        "HTTPServer",
        &["Research/high/http-server"],
        &["http-server 20 by http server in Research/high/http-server"],
    );
}

#[test]
fn a_ranking_is_bounded() {
    let many: Vec<Found> = (0..500).map(|number| found(&format!("Research/high/Mail-{number}"))).collect();
    assert_eq!(rank("mail", &many).len(), RANKED_LIMIT);
    let long = Found { words: format!("{}mail", "ä".repeat(40_000)), ..found("Research/high/Other") };
    assert_eq!(rank("mail", &[long]), []);
    assert_eq!(rank("", &many), []);
}

#[test]
fn j6_what_is_new_goes_to_the_first_tier_that_holds_the_subject() {
    let folders =
        ["Research/low/Login", "Development/Medium/LOGIN", "Research/high/Other", "Development/low/x"].map(found);
    assert_eq!(tier_for("login", &folders), Tier::Medium);
    assert_eq!(tier_for("x", &folders), Tier::Low);
    assert_eq!(tier_for("new", &folders), Tier::High);
    assert_eq!(tier_for("new", &[]), Tier::High);
    assert_eq!(folder_for(Side::Development, Tier::Medium, "login", &folders), "Development/Medium/LOGIN");
    assert_eq!(folder_for(Side::Development, Tier::Medium, "new", &folders), "Development/Medium/new");
    assert_eq!(folder_for(Side::Research, Tier::Medium, "new", &folders), "Research/medium/new");
}

#[test]
fn j1_a_path_is_in_a_subject_or_not() {
    let place = Place::of("Research/HIGH/Login/sub/a.md").expect("it is in one");
    assert_eq!((place.side, place.tier, place.subject), (Side::Research, Tier::High, "Login"));
    assert_eq!((place.folder, place.inside), ("Research/HIGH/Login", "sub/a.md"));
    assert_eq!(Place::of("Development/low/x").map(|place| place.inside), Some(""));
    for path in
        ["", "Research", "Research/high", "Research/high/", "Research/urgent/x", "src/high/x", "Research/high/.git/x"]
    {
        assert_eq!(Place::of(path), None, "{path}");
    }
}

#[test]
fn j1_a_name_is_kept_as_it_was_typed_where_it_can_be_a_folder() {
    for (typed, expected) in
        [("Prompt-Session", "Prompt-Session"), (" prompt  session ", "prompt-session"), ("größe_2", "größe_2")]
    {
        assert_eq!(subject_name(typed).as_deref(), Ok(expected));
    }
    for (typed, code, sentence) in [
        (" ", "empty-text", "The subject has no name. Give one such as Prompt-Session."),
        (
            "../up",
            "bad-subject",
            "\"../up\" cannot be a subject's folder because of \".\". Take letters, digits, - and _ only.",
        ),
        (
            "a/b",
            "bad-subject",
            "\"a/b\" cannot be a subject's folder because of \"/\". Take letters, digits, - and _ only.",
        ),
        (&"a".repeat(81), "text-too-long", "The subject's name has 81 characters, and 80 are taken. Shorten it."),
    ] {
        let no = subject_name(typed).expect_err(typed);
        assert_eq!((no.code(), no.to_string().as_str()), (code, sentence));
    }
}
