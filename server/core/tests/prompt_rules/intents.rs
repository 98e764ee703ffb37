//! What an intent may say.

use augment_core::prompt::intent::check;

const PROMPT: &str = "Let people sign in by a link that we mail to them, and keep the password form.\n\nUse the `mailer`.\n\
                      internationalisation-configuration-directory";

#[test]
fn j2_an_intent_is_one_line_with_one_prefix() {
    for (said, prompt, message) in [
        ("mail a link", PROMPT, "intent: mail a link"),
        ("intent: mail a link", PROMPT, "intent: mail a link"),
        (" Intent:intent:  mail a link \n", PROMPT, "intent: mail a link"),
        ("intention: mail a link", PROMPT, "intent: intention: mail a link"),
        // Seven words of the prompt in a row may be there by chance.
        ("people sign in by a link that works", PROMPT, "intent: people sign in by a link that works"),
        // Shorter prompts than four words are ordinary words.
        ("fix the login", "Fix the login", "intent: fix the login"),
        ("use the mailer", PROMPT, "intent: use the mailer"),
        ("ändern: 日本", "", "intent: ändern: 日本"),
    ] {
        assert_eq!(check(said, prompt).as_deref(), Ok(message), "{said}");
    }
    let longest = "a".repeat(192);
    assert_eq!(check(&longest, PROMPT), Ok(format!("intent: {longest}")));
}

#[test]
fn j2_what_is_no_intent_is_refused_with_what_to_do() {
    let of_prompt = |found: &str| {
        format!(
            "\"{found}\" is text of the prompt, which stands in the session's own commit only. Say in other words what was changed."
        )
    };
    let of_session = |line: &str| {
        format!(
            "\"{line}\" belongs to the session's own commit, which is written when the prompt is finished. Say only what was changed."
        )
    };
    for (said, prompt, code, sentence) in [
        ("", PROMPT, "empty-text", "The intent says nothing. Say in one line what was changed.".to_owned()),
        ("intent: \n", PROMPT, "empty-text", "The intent says nothing. Say in one line what was changed.".to_owned()),
        (
            "mail a link\n\nand more",
            PROMPT,
            "several-lines",
            "An intent is one line, and this has 3. Keep the first thing said, and commit other changes on their own."
                .to_owned(),
        ),
        (
            &"a".repeat(193),
            PROMPT,
            "text-too-long",
            "The intent has 201 characters with its prefix, and 200 are taken. Shorten it, or split the change."
                .to_owned(),
        ),
        (
            "mail\u{1b}[1m",
            PROMPT,
            "control-character",
            "The intent holds \\u{1b}, which cannot be seen. Take it out.".to_owned(),
        ),
        ("session: mail a link", PROMPT, "session-block-in-intent", of_session("session: mail a link")),
        ("intent: Session: x", PROMPT, "session-block-in-intent", of_session("Session: x")),
        ("mail\n\n## Original Prompt\nx", PROMPT, "session-block-in-intent", of_session("## Original Prompt")),
        ("mail\n## squashed change ids", PROMPT, "session-block-in-intent", of_session("## squashed change ids")),
        ("mail\n\nChange-Id: kkmm", PROMPT, "session-block-in-intent", of_session("Change-Id: kkmm")),
        (
            "intent: fix  the LOGIN test",
            "Fix the login test.",
            "prompt-text-in-intent",
            of_prompt("fix the LOGIN test"),
        ),
        (
            "Now people sign in  by a link, that we use",
            PROMPT,
            "prompt-text-in-intent",
            of_prompt("people sign in by a link that we"),
        ),
        (
            "name the internationalisation configuration directory",
            PROMPT,
            "prompt-text-in-intent",
            of_prompt("internationalisation-configuration-directory"),
        ),
    ] {
        let no = check(said, prompt).expect_err(said);
        assert_eq!((no.code(), no.to_string()), (code, sentence), "{said}");
    }
}

#[test]
fn j2_a_first_line_of_the_prompt_is_no_intent() {
    let prompt =
        "\n  Fix the login test.\n\nIt fails on Mondays, since the clock is read twice.\nUse a clock of our own.\n";
    let no = check("fix the login test", prompt).expect_err("it is the first line");
    assert_eq!(no.code(), "prompt-text-in-intent");
    for said in ["fix the login test on Mondays", "use a clock of our own", "fix the login"] {
        assert!(check(said, prompt).is_ok(), "{said}");
    }
    assert!(check("fix the login", "Fix the login\n\nand more").is_ok(), "three words are ordinary");
}

#[test]
fn j2_text_of_the_prompt_is_known_where_words_are_not_written_apart() {
    for (said, prompt, found) in [
        ("修复登录页面的错误并添加测试用例", "修复登录页面的错误并添加测试用例", "修复登录页面的错误并添加测试用例"),
        ("现在修复登录页面，的错误 并添加了", "请修复登录页面的错误并添加测试用例。", "修复登录页面的错误并添加"),
        ("修复 LoginController 的错误", "请修复LoginController的错误，谢谢", "修复LoginController的错误"),
        (
            "ログインページのエラーを直す",
            "まず、ログインページのエラーを直してください。",
            "ログインページのエラーを直",
        ),
        ("แก้ไขข้อผิดพลาดหน้าเข้าสู่ระบบ", "ช่วยแก้ไขข้อผิดพลาดหน้าเข้าสู่ระบบ", ""),
        ("修复登录页面错误", "修复登录页面错误\n\n谢谢", "修复登录页面错误"),
        ("修复登录页面错误", "修复登录页面错误", "修复登录页面错误"),
    ] {
        let no = check(said, prompt).expect_err(said);
        assert_eq!(no.code(), "prompt-text-in-intent", "{said}");
        assert!(no.to_string().contains(found), "{no}");
    }
    for (said, prompt) in [
        // Eleven characters in a row, or a name that both have.
        ("重写登录页面的错误并添加", "修复登录页面的错误并添测试用例"),
        ("改正 InternationalisationConfiguration 类", "请看InternationalisationConfiguration的错误"),
        ("修复登录", "修复登录"),
    ] {
        assert!(check(said, prompt).is_ok(), "{said}");
    }
}

/// The work grows with the prompt and no faster than the line is long.
#[test]
fn a_prompt_of_one_word_over_and_over_is_compared_in_time() {
    let prompt = "a b ".repeat(200_000);
    assert!(check(&"a a ".repeat(40), &prompt).is_ok());
    assert!(check(&"a b ".repeat(40), &prompt).is_err());
}
