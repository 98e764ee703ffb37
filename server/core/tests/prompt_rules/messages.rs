//! The message of a session's commit: written in one form, read in all.

use augment_core::prompt::message::{
    BadMessage, CHANGES_LIMIT, Lack, Section, SessionMessage, change_id, check_context, is_id, is_intent, is_session,
    parse, read, without_session,
};
use augment_core::prompt::{PROMPT_LIMIT, Plan, PromptId};
use augment_core::simulation::Random;

use super::nasty;

const ROUNDS: u64 = 20_000;
const STAMP: &str = "♓︎.5.4.47 5919AM";

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn of_several() -> SessionMessage {
    SessionMessage {
        summary: "Sign in by link".to_owned(),
        stamp: Some(STAMP.to_owned()),
        prompt: "Let people sign in\nby a link.\n".to_owned(),
        context: "A link instead of a password.\n\nMail stays as it is.".to_owned(),
        changes: texts(&["send a link", "take the link"]),
        squashed: texts(&["kkmmnnoo", "qrstuvwxyzkl"]),
        kept: String::new(),
        trailers: Vec::new(),
    }
}

fn of_one() -> SessionMessage {
    SessionMessage {
        changes: texts(&["send a link"]),
        squashed: Vec::new(),
        kept: "intent: send a link".to_owned(),
        ..of_several()
    }
}

#[test]
fn j3_several_commits_are_told_with_their_ids() {
    assert_eq!(
        of_several().compose().unwrap(),
        "session: Sign in by link\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nLet people sign in\nby a link.\n\n\n\
         ## Agent Context\nA link instead of a password.\n\nMail stays as it is.\n\n\
         ## Logical Changes\n- send a link\n- take the link\n\n## Squashed Change IDs\n- kkmmnnoo\n- qrstuvwxyzkl\n"
    );
}

#[test]
fn j3_one_commit_keeps_what_it_said_behind_the_session() {
    let mut message = of_one();
    message.prompt = "Link".to_owned();
    message.context = "So.".to_owned();
    message.kept = "intent: send a link\n\nChange-Id: kkmmnnooppqqrrsstt\n".to_owned();
    message.trailers = pairs(&[("Change-Id", "kkmmnnooppqqrrsstt")]);
    assert_eq!(
        message.compose().unwrap(),
        "session: Sign in by link\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nLink\n\n## Agent Context\nSo.\n\n\
         ## Logical Changes\n- send a link\n\nintent: send a link\n\nChange-Id: kkmmnnooppqqrrsstt\n"
    );
}

#[test]
fn j4_trailers_are_the_last_paragraph_and_none_is_doubled() {
    for (kept, own, expected) in [
        ("intent: x", "Change-Id: kkmm", "\nintent: x\n\nChange-Id: kkmm\n"),
        ("intent: x\n\nChange-Id: old", "Change-Id: kkmm", "\nintent: x\n\nChange-Id: kkmm\n"),
        (
            "intent: x\n\nSigned-off-by: Ada\n\nChange-Id: kkmm",
            "Change-Id: kkmm",
            "\nintent: x\n\nSigned-off-by: Ada\nChange-Id: kkmm\n",
        ),
        ("fix: x\n\nbody\nSee: y\n", "Change-Id: kkmm", "\nfix: x\n\nbody\nSee: y\n\nChange-Id: kkmm\n"),
        ("Change-Id: kkmm", "Change-Id: kkmm", "- send a link\n\nChange-Id: kkmm\n"),
    ] {
        let own = own.split_once(": ").expect("a name and a value");
        let message = SessionMessage { kept: kept.to_owned(), trailers: pairs(&[own]), ..of_one() };
        let text = message.compose().unwrap();
        assert!(text.ends_with(expected), "{kept:?}\n{text}");
        assert_eq!(text.matches("Change-Id").count(), 1, "{text}");
        assert_eq!(parse(&text), Ok(message.tidied()));
    }
}

#[test]
fn j3_what_is_written_is_read_back_to_the_byte_whatever_the_prompt_holds() {
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let mut message = if random.chance(50) { of_one() } else { of_several() };
        message.prompt = nasty(&mut random);
        if random.chance(20) {
            message.prompt.push_str(&of_several().compose().unwrap());
        }
        if message.prompt.trim().is_empty() {
            message.prompt.push('x');
        }
        message.context =
            random.pick(&["c", "c\n", "\n\nc", "# Title\n\n- a\n- b", "### Agent Context", "c\r\n"]).into();
        if message.squashed.is_empty() {
            message.kept = random.pick(&["intent: x", "fix: y", "Title\n\n- a: b\n- c", "- x"]).into();
        }
        message.changes.push(random.pick(&["- x", "* y", "a: b", "intent: z"]).into());
        if random.chance(50) {
            message.trailers = pairs(&[("Change-Id", "kkmmnnooppqqrrsstt"), ("Signed-off-by", "Ada\n <ada@x>")]);
        }
        let text = message.compose().unwrap_or_else(|no| panic!("seed {seed}: {no}"));
        let back = parse(&text).unwrap_or_else(|lacks| panic!("seed {seed}: {lacks:?} in\n{text}"));
        assert_eq!(back, message, "seed {seed}");
        assert_eq!(back.compose().as_ref(), Ok(&text), "seed {seed}");
    }
}

/// A message into which something was put, at random places.
fn spoiled(random: &mut Random) -> String {
    let message = if random.chance(50) { of_one() } else { of_several() };
    let mut text = message.compose().expect("it is whole");
    for _ in 0..=random.below(3) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        text.insert_str(random.pick(&places), &nasty(random));
    }
    text
}

#[test]
fn any_text_is_read_and_what_can_be_written_again_reads_the_same() {
    let mut written_again = 0;
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let text = if random.chance(20) { format!("session: {}", nasty(&mut random)) } else { spoiled(&mut random) };
        let Ok(message) = parse(&text) else { continue };
        // Older forms may hold what is not written today.
        let Ok(written) = message.compose() else { continue };
        assert_eq!(parse(&written), Ok(message.tidied()), "seed {seed}:\n{text}");
        written_again += 1;
    }
    assert!(written_again > ROUNDS / 10, "only {written_again} of {ROUNDS} were whole");
}

const REST: &str = "\n## Original Prompt\nDo it\n\n## Agent Context\nSo.\n\n## Logical Changes\n- a\n\nintent: a\n";

#[test]
fn j7_older_second_lines_are_read() {
    for (head, stamp) in [
        ("session: s\n♓︎.5.4.47 5919AM\n", Some("♓︎.5.4.47 5919AM")),
        ("session: s\nsolar: 5919.12.6.5.23\n", Some("5919.12.6.5.23")),
        ("session: s\nsolar: ♓︎6°5'23\" | 5919 AM\n", Some("♓︎6°5'23\" | 5919 AM")),
        ("session: s\n♓︎6°5'23\" | 5919 AM\n", Some("♓︎6°5'23\" | 5919 AM")),
        ("session: s\n\n", None),
        ("session: s\n", None),
        ("session: s\nmodel: some-model\nsolar: 5919.12.6.5.23\n", Some("5919.12.6.5.23")),
        ("session:s\n\nsolar: 5919.12.6.5.23\nmodel: 5919.12.6.5.24\n", Some("5919.12.6.5.23")),
    ] {
        let message = parse(&format!("{head}{REST}")).unwrap_or_else(|lacks| panic!("{head}: {lacks:?}"));
        assert_eq!((message.summary.as_str(), message.stamp.as_deref()), ("s", stamp), "{head}");
        assert_eq!((message.prompt.as_str(), message.context.as_str()), ("Do it", "So."), "{head}");
        assert_eq!((message.changes, message.kept.as_str()), (texts(&["a"]), "intent: a"), "{head}");
    }
}

#[test]
fn j7_headings_may_carry_a_mark_and_ids_any_form() {
    let text = "session: s\n\n## Original Prompt [SYNTHETIC]\nDo it\n## [SYNTHETIC] Agent Context\nSo.\n\n\
                ## Logical Changes [synthetic]:\n\n* a\n  and more\n- b\n\n## Squashed Change IDs\n- kkmmnnoo\n- `qrstuvwxyzkl` b\n\
                - 1a2b3c4\n- zyxwvutsrqponmlkzyxwvutsrqponmlk\n\nChange-Id: kkmm\n";
    let message = parse(text).unwrap();
    assert_eq!(message.prompt, "Do it");
    assert_eq!(message.context, "So.");
    assert_eq!(message.changes, texts(&["a and more", "b"]));
    assert_eq!(message.squashed, texts(&["kkmmnnoo", "qrstuvwxyzkl", "1a2b3c4", "zyxwvutsrqponmlkzyxwvutsrqponmlk"]));
    assert_eq!((message.kept.as_str(), message.trailers), ("", pairs(&[("Change-Id", "kkmm")])));
}

#[test]
fn j7_what_is_lacking_is_told() {
    let whole = of_several().compose().unwrap();
    let without = |heading: &str| whole.replacen(heading, "## Other", 1);
    for (text, expected) in [
        ("intent: a\n".to_owned(), "it does not begin with `session:`"),
        (whole.replacen(" Sign in by link", "", 1), "nothing stands behind `session:`"),
        (without("## Original Prompt"), "`## Original Prompt` is missing or empty"),
        (without("## Agent Context"), "`## Agent Context` is missing or empty"),
        (without("## Logical Changes"), "`## Logical Changes` is missing or empty"),
        (
            without("## Squashed Change IDs").replace("## Other\n- kkmmnnoo\n- qrstuvwxyzkl\n", ""),
            "`## Squashed Change IDs` is missing or empty",
        ),
        (whole.replace("- kkmmnnoo\n- qrstuvwxyzkl\n", ""), "`## Squashed Change IDs` is missing or empty"),
        (whole.replace("kkmmnnoo", "abc"), "\"abc\" under `## Squashed Change IDs` names no commit"),
        (format!("session: s\n{}", "x".repeat(5 << 20)), "it has 5242891 bytes, more than the 4194304 that are read"),
    ] {
        let lacks = parse(&text).unwrap_err();
        let lacks: Vec<String> = lacks.iter().map(Lack::to_string).collect();
        assert_eq!(lacks, [expected], "{}", text.get(..400).unwrap_or(&text));
    }
    // What can be read is, for those who only show it.
    let reading = read("session: half done\nsolar: 5919.12.6.5.23\n\n## Agent Context\nSo.\n");
    assert_eq!((reading.message.summary.as_str(), reading.message.context.as_str()), ("half done", "So."));
    assert_eq!(reading.lacks, [Section::Prompt, Section::Changes].map(Lack::Section));
}

/// Git itself stops reading at such lines, and finds no trailer behind them.
#[test]
fn j4_a_change_id_is_found_whatever_the_prompt_holds() {
    let mut message = of_several();
    message.prompt =
        "a\n---\n# ------------------------ >8 ------------------------\n\nChange-Id: zzzzzzzz\n".to_owned();
    assert_eq!(change_id(&message.compose().unwrap()), None);
    message.trailers = pairs(&[("Change-Id", "kkmmnnoo")]);
    assert_eq!(change_id(&message.compose().unwrap()).as_deref(), Some("kkmmnnoo"));
    for (text, expected) in [
        ("intent: a\n\nChange-Id: kkmmnnoo\n", Some("kkmmnnoo")),
        ("a\n\nchange-id: kkmmnnoo\nSigned-off-by: Ada\n", Some("kkmmnnoo")),
        ("a\n\nChange-Id: kkmmnnoo\n\nmore\n", None),
        ("intent: a\n", None),
        ("", None),
    ] {
        assert_eq!(change_id(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn j2_a_message_is_known_by_its_first_word() {
    assert!(is_session("session: x") && is_session("session:\n"));
    assert!(!is_session("Session: x") && !is_session(" session: x") && !is_session("a\nsession: x"));
    assert!(is_intent("intent: x") && !is_intent("session: x") && !is_intent("an intent: x"));
    for (word, expected) in [
        ("kkmmnnoo", true),
        ("kkmmnno", false),
        ("kkmmnnoj", false),
        ("1a2b3c4", true),
        ("1a2b3c", false),
        ("kkmm1234", false),
    ] {
        assert_eq!(is_id(word), expected, "{word}");
    }
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let change = |change: fn(&mut SessionMessage)| {
        let mut message = of_several();
        change(&mut message);
        message.compose().expect_err("it is refused")
    };
    let alone = SessionMessage { kept: String::new(), trailers: pairs(&[("Fixes", "#3")]), ..of_one() };
    for (no, code, sentence) in [
        (change(|m| m.summary.clear()), "empty-text", "The summary is empty. Say it, then repeat."),
        (
            change(|m| m.summary = "a\nb".to_owned()),
            "control-character",
            "The summary holds \\n at character 2, which cannot be kept there. Take it out, then repeat.",
        ),
        (
            change(|m| m.summary = "a".repeat(201)),
            "text-too-long",
            "The summary has 201 characters, and 200 are taken. Shorten it, then repeat.",
        ),
        (
            change(|m| m.changes[0] = " a".to_owned()),
            "bad-line",
            "The change \" a\" begins or ends with white space or a colon. Take that away, then repeat.",
        ),
        (
            change(|m| m.changes[0] = ": a".to_owned()),
            "bad-line",
            "The change \": a\" begins or ends with white space or a colon. Take that away, then repeat.",
        ),
        (change(|m| m.changes.clear()), "empty-text", "The list of changes is empty. Say it, then repeat."),
        (
            change(|m| m.changes = vec!["a".to_owned(); CHANGES_LIMIT + 1]),
            "too-many",
            "There are 2001 changes, and 2000 are taken. Finish in several sessions.",
        ),
        (
            change(|m| m.stamp = None),
            "bad-stamp",
            "\"\" is no stamp such as ♓︎.5.4.47 5919AM. `augment-cli stamp` prints one.",
        ),
        (
            change(|m| m.stamp = Some("5919.12.5.4.47".to_owned())),
            "bad-stamp",
            "\"5919.12.5.4.47\" is no stamp such as ♓︎.5.4.47 5919AM. `augment-cli stamp` prints one.",
        ),
        (change(|m| m.prompt = " \n".to_owned()), "empty-text", "The prompt is empty. Say it, then repeat."),
        (
            change(|m| m.prompt = "a\nb\0".to_owned()),
            "control-character",
            "Line 2 of the prompt holds a zero byte, which no commit can keep. Take it out, then repeat.",
        ),
        (
            change(|m| m.prompt = "a".repeat(PROMPT_LIMIT + 1)),
            "text-too-long",
            "The prompt has 1048577 bytes, and 1048576 are kept. Put the long part into a file and name it in the prompt.",
        ),
        (
            change(|m| m.squashed[1] = "later".to_owned()),
            "bad-change-id",
            "\"later\" names no commit: a change id has 8 to 32 letters from k to z, a hash 7 to 64 hexadecimal digits.",
        ),
        (
            change(|m| m.squashed.clear()),
            "no-change-ids",
            "There are 2 changes and no commits named that they were made in. Name each under ## Squashed Change IDs.",
        ),
        (
            change(|m| m.kept = "intent: a".to_owned()),
            "kept-and-squashed",
            "A session of several commits keeps their ids and no description of one of them: leave out \"intent: a\".",
        ),
        (
            change(|m| m.trailers = pairs(&[("Change Id", "kkmm")])),
            "bad-trailer",
            "\"Change Id: kkmm\" cannot stand as the trailer of the message: a name of letters, digits and hyphens, a value of one line, after a description or a Change-Id.",
        ),
        (
            alone.compose().expect_err("nothing tells it from a description"),
            "bad-trailer",
            "\"Fixes: #3\" cannot stand as the trailer of the message: a name of letters, digits and hyphens, a value of one line, after a description or a Change-Id.",
        ),
    ] {
        assert_eq!((no.code(), no.to_string().as_str()), (code, sentence));
    }
}

#[test]
fn a_context_that_holds_a_heading_is_refused_with_its_line() {
    for heading in
        ["## Agent Context", "## original prompt: ", "## Logical Changes [SYNTHETIC]", "## Squashed Change IDs\r"]
    {
        let no = check_context(&format!("So.\n\n{heading}\nmore")).expect_err(heading);
        assert_eq!(no, BadMessage::Heading { part: "context", line: 3, heading: heading.to_owned() });
        assert_eq!(no.code(), "session-heading");
        assert!(no.to_string().starts_with("Line 3 of the context is \"## "), "{no}");
        let kept = SessionMessage { kept: format!("intent: a\n{heading}"), ..of_one() };
        assert_eq!(kept.compose().expect_err(heading).code(), "session-heading");
    }
    assert_eq!(check_context("### Agent Context\n## Agent Context and more\n # Agent Context"), Ok(()));
    assert_eq!(check_context(" ").expect_err("it is empty").to_string(), "The context is empty. Say it, then repeat.");
}

#[test]
fn a_yes_to_a_plan_is_for_that_plan_and_that_prompt() {
    let text = |text: &str| text.to_owned();
    let shown = Plan {
        summary: text("It is better"),
        message: text("session: It is better\n"),
        base: Some(text("b")),
        tip: text("t"),
        commits: vec![text("c1"), text("c2")],
        names: vec![text("n1"), text("n2")],
        change: text("k"),
        bookmark: None,
        operation: None,
    };
    let token = shown.confirm_token(PromptId(1));
    assert_eq!(shown.clone().confirm_token(PromptId(1)), token);
    let others = [
        Plan { summary: text("It is worse"), ..shown.clone() },
        Plan { message: text("session: It is better\n\n"), ..shown.clone() },
        Plan { base: None, ..shown.clone() },
        Plan { base: Some(text("")), ..shown.clone() },
        Plan { tip: text("u"), ..shown.clone() },
        Plan { commits: vec![text("c1")], ..shown.clone() },
        Plan { commits: vec![text("c1\n2 c2")], ..shown.clone() },
        Plan { commits: vec![text("c1"), text("c2"), text("n1")], names: vec![text("n2")], ..shown.clone() },
        Plan { names: vec![text("n2"), text("n1")], ..shown.clone() },
        Plan { change: text("l"), ..shown.clone() },
        Plan { bookmark: Some(text("dev")), ..shown.clone() },
    ];
    let mut tokens: Vec<String> = others.iter().map(|other| other.confirm_token(PromptId(1))).collect();
    tokens.extend([token, shown.confirm_token(PromptId(2))]);
    let different: std::collections::BTreeSet<&String> = tokens.iter().collect();
    assert_eq!(different.len(), tokens.len());
}

#[test]
fn a_summary_that_was_typed_with_its_word_has_it_once() {
    for typed in
        ["Sign in by link", "session: Sign in by link", " Session:SESSION: Sign in by link ", "session:Sign in by link"]
    {
        assert_eq!(without_session(typed), "Sign in by link", "{typed}");
    }
    assert_eq!(without_session("session:"), "");
    assert_eq!(without_session("sessions: two"), "sessions: two");
}
