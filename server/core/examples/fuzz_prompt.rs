//! Reads broken messages of sessions, artifacts and stamps: `fuzz_prompt COUNT SEED`. Takes them in all the forms that occur,
//! breaks them by characters, splices and tokens, and holds each text against what must hold for every one. A failure is
//! repeated with `fuzz_prompt 1 SEED`, where the seed is the one that was told last.

use augment_core::prompt::artifact::{parse_artifact, parse_name};
use augment_core::prompt::intent;
use augment_core::prompt::message::{SessionMessage, change_id, is_session, parse, read};
use augment_core::prompt::stamp_digits;
use augment_core::simulation::Random;
use augment_core::stamp::{Form, Precision, Stamp};

const TEXTS: &[&str] = &[
    "session: Sign in\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nLet people in.\n\n## Agent Context\nA link.\n\n\
     ## Logical Changes\n- send it\n- take it\n\n## Squashed Change IDs\n- kkmmnnoo\n- qrstuvwxyzkl\n",
    "session: One\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nx\n\n## Agent Context\ny\n\n## Logical Changes\n- z\n\n\
     intent: z\n\nSigned-off-by: Ada <ada@example.com>\nChange-Id: kkmmnnooppqqrrsstt\n",
    "session: Older\nsolar: 5919.12.6.5.23\nmodel: some\n\n## Original Prompt [SYNTHETIC]\nx\n\n## Agent Context\ny\n\n\
     ## Logical Changes\n- z\n",
    "session: Older\nsolar: ♓︎6°5'23\" | 5919 AM\n\n## Original Prompt\nx\n## Agent Context\ny\n## Logical Changes\n* z\n",
    "intent: send a link\n\nChange-Id: kkmmnnooppqqrrsstt\n",
    "591912050447_answer_a-door.md",
    "59191205_draft_x_1.md",
    "# A door\n\nkind: answer\nscope: no-files\nparent: kkmmnnoo\n\nText.\n",
    "♓︎.5.4.47 5919AM",
    "5919.12.5.4.47",
];

const TOKENS: &[&str] = &[
    "session:",
    "intent:",
    "## Original Prompt\n",
    "## Agent Context\n",
    "## Logical Changes\n",
    "## Squashed Change IDs\n",
    "## agent context [synthetic]:\n",
    "## ",
    "- ",
    "* ",
    "- kkmmnnoo\n",
    "- 0a1b2c3\n",
    "Change-Id: ",
    "Change-Id: kkmm\n",
    "Signed-off-by: x\n",
    "solar: ",
    "model: x\n",
    "♓︎",
    "♈",
    "\u{fe0e}",
    "AM",
    ".60.60.60 ",
    "°",
    "'",
    "\"",
    "---\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\u{0}",
    "\u{feff}",
    "\u{2028}",
    "\u{202e}",
    "\u{1b}[1m",
    "é",
    "99999999999999999999",
    "-1",
    "0",
];

fn break_once(text: &mut Vec<char>, random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(6) {
        0 if at < text.len() => {
            text[at] = char::from_u32(u32::try_from(random.below(0x3000)).unwrap_or(0)).unwrap_or('x')
        }
        1 => {
            let end = (at + random.below(40)).min(text.len());
            text.drain(at..end);
        }
        2 => {
            let end = (at + random.below(60)).min(text.len());
            let piece = text[at..end].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, piece);
        }
        3 => text.truncate(at),
        _ => {
            let token: Vec<char> = random.pick(TOKENS).chars().collect();
            text.splice(at..at, token);
        }
    }
}

fn broken(random: &mut Random) -> String {
    let mut text: Vec<char> = random.pick(TEXTS).chars().collect();
    if random.chance(20) {
        text.extend(random.pick(TEXTS).chars());
    }
    for _ in 0..random.below(8) {
        break_once(&mut text, random);
    }
    text.into_iter().collect()
}

/// What must hold for every text.
fn hold(text: &str) {
    let reading = read(text);
    match parse(text) {
        Ok(message) => {
            assert!(is_session(text), "only a session's message is read as one: {text:?}");
            assert_eq!(reading.message, message, "both ways to read say the same");
            hold_message(&message);
        }
        Err(lacks) => {
            assert!(!lacks.is_empty(), "what is not read is told: {text:?}");
            assert_eq!(lacks, reading.lacks);
        }
    }
    // A prompt of any text is read back to the byte from the message that holds it.
    let around = SessionMessage {
        summary: "Whatever".into(),
        stamp: Some("♓︎.5.4.47 5919AM".into()),
        prompt: text.to_owned(),
        context: "So.".into(),
        changes: vec!["one".into()],
        squashed: Vec::new(),
        kept: String::new(),
        trailers: Vec::new(),
    };
    hold_message(&around);
    if let Ok(description) = intent::check(text, "Let people in") {
        assert_eq!(description.lines().count(), 1, "an intent is one line: {description:?}");
    }
    if let Some(id) = change_id(text) {
        // A value may go on over lines, of which what is white at the end is left out.
        assert!(id.lines().all(|line| text.contains(line)), "an id stands in the text: {id:?}");
    }
    for line in text.lines() {
        if let Some(digits) = stamp_digits(line) {
            assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{digits:?}");
        }
        if let Ok(stamp) = Stamp::parse(line) {
            let again = Stamp::parse(&stamp.text(Form::Line, Precision::Second));
            assert_eq!(again, Ok(stamp), "a stamp is read back from its line: {line:?}");
        }
        let _name = parse_name(line);
    }
    let _artifact = parse_artifact(text);
}

/// What can be written is read back as it was.
fn hold_message(message: &SessionMessage) {
    let Ok(written) = message.compose() else { return };
    assert_eq!(parse(&written), Ok(message.tidied()), "{written:?}");
}

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "this program is told how much, and tells how far")]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a count and a seed"));
    let count = arguments.next().unwrap_or(100_000);
    let first = arguments.next().unwrap_or(1);
    for seed in first..first + count {
        let tried = std::panic::catch_unwind(|| hold(&broken(&mut Random::new(seed))));
        if tried.is_err() {
            println!("failed with seed {seed}");
            std::process::exit(1);
        }
        if (seed - first + 1) % 1_000_000 == 0 {
            println!("{} texts hold", seed - first + 1);
        }
    }
    println!("{count} texts hold, from seed {first} on");
}
