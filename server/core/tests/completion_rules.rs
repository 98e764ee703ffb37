//! Completion reports, case by case: what is found in a text, what it says, and what is told about the rest.

use std::fmt::Write as _;

use augment_core::completion::{
    AgentName, Choice, DecisionPoint, Found, MAX_DEPTH, MAX_FOUND, Metric, NextStep, Report, Status, What, examine,
    find, write,
};
use augment_core::text::visible;

/// One line for each finding: where it is, what it is, and what it says.
fn described(found: &[Found]) -> String {
    found.iter().map(describe).collect::<Vec<_>>().join("\n")
}

fn describe(found: &Found) -> String {
    let said = match &found.what {
        What::Report(report) => format!("report {}", report_line(report)),
        What::Broken(bad) => format!("broken {bad}"),
        What::Other => "other".to_owned(),
        What::Quoted => "quoted".to_owned(),
        What::LeftOut => format!("left out to {}", found.span.end),
    };
    format!("{}:{} {said}", found.line, found.column)
}

fn report_line(report: &Report) -> String {
    let mut line = report.status.word().to_owned();
    let mut add =
        |name: &str, value: &str| write!(line, " {name}={}", visible(value)).expect("writing to a string cannot fail");
    if let Some(agent) = &report.agent {
        add("agent", &agent.to_string());
    }
    if let Some(timestamp) = &report.timestamp {
        add("time", timestamp);
    }
    add("summary", &report.summary);
    for metric in &report.metrics {
        let unit = metric.known().map_or("?", |known| known.unit().word());
        add("metric", &format!("{} {} {unit}", metric.name, metric.value));
    }
    for step in &report.next_steps {
        add("next", &format!("{} {}", step.agent, step.reason.as_deref().unwrap_or("-")));
    }
    for point in &report.decisions {
        let options: Vec<String> =
            point.options.iter().map(|choice| format!("{}:{}", choice.value, choice.text)).collect();
        let recommendation = point.recommendation.as_deref().unwrap_or("-");
        add("ask", &format!("{} [{}] {recommendation}", point.question, options.join("|")));
    }
    line
}

fn check(text: impl AsRef<[u8]>, expected: &str) {
    let text = text.as_ref();
    assert_eq!(described(&find(text)), expected, "{}", String::from_utf8_lossy(text));
}

/// A report that only has a status and what is given.
fn with(inside: &str) -> String {
    format!("<agent_completion><status>completed</status>{inside}</agent_completion>")
}

const SMALL: &str = "<agent_completion><status>partial</status><summary>x</summary></agent_completion>";

/// The form that the protocol shows, with a real status.
const FULL: &str = r#"<agent_completion>
  <status>completed</status>
  <agent>@agent-name</agent>
  <timestamp>2025-12-18T04:30:00Z</timestamp>
  <summary>
    Brief description
      of two lines
  </summary>
  <metrics>
    <metric name="files_scanned">42</metric>
    <metric name="coffee">3 cups</metric>
  </metrics>
  <next_steps>
    <recommend>@next-agent</recommend>
    <reason>Why this agent should run next</reason>
    <recommend>refactorer</recommend>
    <recommend>@@theme-enforcer</recommend>
    <reason>Colours</reason>
    <reason>and fonts</reason>
  </next_steps>
  <decision_points>
    <decision>
      <question>Apply all fixes automatically?</question>
      <options>
        <option value="yes">Apply all 12 fixes</option>
        <option>Select</option>
        <option value="no"/>
      </options>
      <recommendation>yes</recommendation>
    </decision>
    <decision><question>Which name?</question></decision>
  </decision_points>
</agent_completion>"#;

const FULL_LINE: &str = "report completed agent=@agent-name time=2025-12-18T04:30:00Z \
    summary=Brief description\\n      of two lines \
    metric=files_scanned 42 files metric=coffee 3 cups ? \
    next=@next-agent Why this agent should run next next=@refactorer - next=@theme-enforcer Colours\\nand fonts \
    ask=Apply all fixes automatically? [yes:Apply all 12 fixes|Select:Select|no:no] yes ask=Which name? [] -";

#[test]
fn every_part_of_a_report_is_read() {
    check(FULL, &format!("1:1 {FULL_LINE}"));
    check(FULL.replace('\n', "\r\n"), &format!("1:1 {FULL_LINE}"));
}

#[test]
fn reports_are_found_in_an_agents_output() {
    let rule = "═".repeat(40);
    let framed = format!("Done with it.\n\n{rule}\n  ✅ AGENT COMPLETION\n{rule}\n\n  {FULL}\n{rule}\nbye\n");
    check(framed, &format!("7:3 {FULL_LINE}"));
    check(
        format!("\u{1b}[32mä\u{1b}[0m {SMALL} and {SMALL}\n\u{1b}[1m{SMALL}\u{1b}[0m"),
        "1:12 report partial summary=x\n1:98 report partial summary=x\n2:5 report partial summary=x",
    );
    check(
        b"\xff\xfe\n\xff <agent_completion><status>blocked</status></agent_completion>\xff",
        "2:3 report blocked summary=",
    );
    check("no report, <agent_completions/> nor <agent-completion>, </agent_completion>", "");
    check("", "");
    let found = find(format!("ab {SMALL} c").as_bytes());
    assert_eq!(found[0].span, 3..3 + SMALL.len());
}

#[test]
fn what_agents_leave_out_or_add_breaks_nothing() {
    for (inside, line) in [
        ("", "summary="),
        ("<summary/>", "summary="),
        ("<agent> </agent><timestamp></timestamp><metrics/><next_steps></next_steps>", "summary="),
        ("<summary>a</summary> stray words <colour a='1'><status>blocked</status>red</colour>", "summary=a"),
        ("<summary>made <b>two <i>big</i></b> steps<br/></summary>", "summary=made two big steps"),
        ("<next_steps><reason>none</reason><recommend/><reason>for nobody</reason></next_steps>", "summary="),
        ("<metrics><metric/><metric name='tests_generated'/></metrics>", "summary= metric=tests_generated  test files"),
        (
            "<decision_points><decision/><decision><question>Q</question><options><option/></options></decision></decision_points>",
            "summary= ask=Q [] -",
        ),
        ("<summary>\u{1b}[1;31mred\u{1b}[0m</summary>", "summary=red"),
    ] {
        check(with(inside), &format!("1:1 report completed {line}"));
    }
    check(
        "<agent_completion version='2' >\n<status> COMPLETED </status></agent_completion >",
        "1:1 report completed summary=",
    );
}

#[test]
fn text_is_read_as_xml_reads_it() {
    for (summary, read) in [
        ("a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;", "a <b> & \"c\" 'd'"),
        ("&#65;&#x42;&#x1F600;", "AB😀"),
        ("&amp;lt;", "&lt;"),
        ("a<!-- not < & this -->b", "ab"),
        ("<![CDATA[a < b && <status>c</status> ]] ]>]]> d", "a < b && <status>c</status> ]] ]> d"),
        ("<![CDATA[<agent_completion>]]>", "<agent_completion>"),
        ("one\r\ntwo\rthree&#13;.", "one\\ntwo\\nthree\\r."),
        ("> ' \" ]] >", "> ' \" ]] >"),
        ("äöü 日本 👨\u{200d}👩", "äöü 日本 👨\u{200d}👩"),
    ] {
        check(with(&format!("<summary>{summary}</summary>")), &format!("1:1 report completed summary={read}"));
    }
    check(
        with("<metrics><metric name=' a&#10;&quot;b\n\t>' name2=''>1</metric></metrics>"),
        "1:1 report completed summary= metric=a\\n\"b  > 1 ?",
    );
}

#[test]
fn broken_xml_is_told_with_its_place() {
    for (summary, column, told) in [
        ("R&D", 2, "a & that begins no entity. Write &amp; for it."),
        ("a && b", 3, "a & that begins no entity. Write &amp; for it."),
        ("ä < b", 3, "a < that begins no tag. Write &lt; for it."),
        (
            "&nbsp;",
            1,
            "the entity \"nbsp\" is not known here, only lt, gt, amp, quot and apos are. Write the character itself.",
        ),
        ("&#0;", 1, "\"&#0;\" stands for no character that XML can hold. Leave it out."),
        ("&#xD800;", 1, "\"&#xD800;\" stands for no character that XML can hold. Leave it out."),
        ("&#x110000;", 1, "\"&#x110000;\" stands for no character that XML can hold. Leave it out."),
        (
            "&#99999999999999999999;",
            1,
            "\"&#99999999999999999999;\" stands for no character that XML can hold. Leave it out.",
        ),
        ("&#+5;", 1, "a & that begins no entity. Write &amp; for it."),
        (
            "Vec<String> x",
            4,
            "\"<String>\" is not closed before \"</summary>\". Close it, or write &lt; for its < if it is meant as text.",
        ),
        (
            "a <b and c",
            3,
            "\"<b\" does not go on as a tag does. Write attributes as name=\"value\", and &lt; for a < that is meant as text.",
        ),
        ("a</b>", 2, "\"</b>\" closes nothing that is open. Leave it out."),
        (
            "<!DOCTYPE a>",
            1,
            "a declaration (<!DOCTYPE, <!ENTITY or the like): reports have none. Leave it out, or write &lt; for its < if it is meant as text.",
        ),
        (
            "<?php x ?>",
            1,
            "a processing instruction (<?): reports have none. Leave it out, or write &lt; for its < if it is meant as text.",
        ),
        ("<!-- a -- b -->", 8, "a comment holds --. Leave one of them out."),
        ("x]]>y", 2, "]]> stands in text. Write ]]&gt; for it."),
        ("a\u{1}b", 2, "the character U+0001 cannot stand in XML. Leave it out, or spell it."),
        ("\u{1b}]52;c;AA\u{7}", 1, "the character U+001B cannot stand in XML. Leave it out, or spell it."),
        ("\u{ffff}", 1, "the character U+FFFF cannot stand in XML. Leave it out, or spell it."),
        ("<a b='1' b='2'/>", 10, "the attribute \"b\" is given twice. Give it once."),
        ("<a b='<'/>", 7, "a < that begins no tag. Write &lt; for it."),
        (
            "<a b=1/>",
            1,
            "\"<a\" does not go on as a tag does. Write attributes as name=\"value\", and &lt; for a < that is meant as text.",
        ),
    ] {
        let text = with(&format!("<summary>\n{summary}</summary>"));
        let told = format!("1:1 broken line 2, column {column}: {told}");
        check(&text, &told);
        assert_eq!(find(text.as_bytes())[0].span, 0..text.len(), "a broken report goes to its closing tag: {summary}");
        // A later report is not lost for it.
        check(
            format!(
                "{text}
{SMALL}"
            ),
            &format!(
                "{told}
3:1 report partial summary=x"
            ),
        );
    }
    let mut bytes = with("\n<summary>a").into_bytes();
    let end = bytes.len() - "</agent_completion>".len();
    bytes.splice(end..end, *b"\xc3(</summary>");
    check(bytes, "1:1 broken line 2, column 11: bytes that are not UTF-8. Write the report in UTF-8.");
}

#[test]
fn what_is_cut_off_is_told() {
    for end in 1..SMALL.len() - 18 {
        let found = find(&SMALL.as_bytes()[..end]);
        assert_eq!(found.len(), usize::from(end >= 17), "{}", &SMALL[..end]);
        assert!(found.iter().all(|found| matches!(found.what, What::Broken(_))), "{}", &SMALL[..end]);
    }
    check(
        "<agent_completion>\n<summary>a",
        "1:1 broken line 2, column 1: the text ends before \"<summary>\" is closed. Write all of the report.",
    );
    check(
        "<agent_completion><!-- a",
        "1:1 broken line 1, column 19: the text ends before \"<!--\" is closed. Write all of the report.",
    );
    check(
        format!("<agent_completion><status>completed\n{SMALL}"),
        "1:1 broken line 2, column 1: another report begins before this one is closed. Write </agent_completion> before it.\n\
         2:1 report partial summary=x",
    );
}

#[test]
fn what_a_report_must_say_is_told() {
    for (inside, told) in [
        (
            "",
            "1: it has no <status>. Write <status>completed</status>, <status>partial</status> or <status>blocked</status>.",
        ),
        (
            "All done!",
            "1: it has no <status>. Write <status>completed</status>, <status>partial</status> or <status>blocked</status>.",
        ),
        (
            "<status>completed|partial|blocked</status>",
            "19: the status \"completed|partial|blocked\" is unknown. Write completed, partial or blocked.",
        ),
        ("<status/>", "19: the status \"\" is unknown. Write completed, partial or blocked."),
        ("<status>partial</status><status>blocked</status>", "43: <status> stands there twice. Write it once."),
        ("<status>partial</status><summary/><summary/>", "53: <summary> stands there twice. Write it once."),
        (
            "<status>partial</status><metrics><metric>1</metric></metrics>",
            "52: a metric without a name. Write <metric name=\"…\">.",
        ),
        (
            "<status>partial</status><decision_points><decision><recommendation>a</recommendation></decision></decision_points>",
            "60: a decision without a question. Write <question> in it.",
        ),
        // What comes first in the text is told.
        ("<status>done</status> & ", "19: the status \"done\" is unknown. Write completed, partial or blocked."),
    ] {
        check(format!("<agent_completion>{inside}</agent_completion>"), &format!("1:1 broken line 1, column {told}"));
    }
}

#[test]
fn an_element_of_another_program_is_no_report() {
    check(r#"a <agent_completion path="a/b" status="done">text</agent_completion> b"#, "1:3 other");
    check(r#"<agent_completion path="a/b" status="done">a < b && c</agent_completion>"#, "1:1 other");
    check(r#"<agent_completion path="a"/>"#, "1:1 other");
}

#[test]
fn what_stands_in_code_is_quoted_not_said() {
    for text in [
        format!("Write it so:\n```xml\n{FULL}\n```\nThen go on."),
        format!("~~~~\n```\n{SMALL}\n```\n~~~\n{SMALL}\n~~~~~  \nend"),
        format!("1. so:\n    ```xml\n    {SMALL}\n    ```\n2. end"),
        format!("> ```\n> {SMALL}\n> ```\nend"),
        "End with `<agent_completion>` and `</agent_completion>`.".to_owned(),
        format!("so: ``{SMALL}`` or `{SMALL}`, or `` ` {SMALL} ``"),
        // A block that is the last word and holds more than the report.
        format!("```\nSo:\n{SMALL}\n```\n"),
        format!("```\n{SMALL}\nand so on\n```\n"),
        format!("```\n{SMALL}\n{SMALL}\n```\n"),
    ] {
        check(text, "");
    }
    check(format!("```xml\n{SMALL}\n```\nnow:\n{SMALL}"), "5:1 report partial summary=x");
    check(format!("it`s done: {SMALL}"), "1:12 report partial summary=x");
    check(format!("`a` {SMALL} `b`"), "1:5 report partial summary=x");
    // A fence that nobody closes hides nothing.
    check(format!("```\ncut\n{SMALL}\n"), "3:1 report partial summary=x");
    check(format!("````\n```\n{SMALL}\n```\n{SMALL}"), "5:1 report partial summary=x");
    // Code inside a report is its text.
    check(with("<summary>`a\n```\nb\n```\n</summary>"), "1:1 report completed summary=`a\\n```\\nb\\n```");
}

#[test]
fn what_is_quoted_by_other_means_is_not_said_either() {
    for text in [
        // Comments.
        format!("Done.\n<!-- {SMALL} -->\nend"),
        format!("Done.\n<!--\nEnd so:\n\n{SMALL}\n-->\nend"),
        format!("a <!-- {SMALL} --> b"),
        // Character data of another element.
        format!("<example><![CDATA[{SMALL}]]></example>"),
        format!("<example>\n  <![CDATA[\n{SMALL}\n]]>\n</example>"),
        // Quotations.
        format!("You said:\n> {SMALL}\nend"),
        format!("> {}\n", SMALL.replace("><", ">\n> <")),
        format!("   > > so: {SMALL}"),
        // Indented code.
        format!("Write it so:\n\n    {SMALL}\n\nThen go on."),
        format!("Write it so:\r\n  \r\n\t{}\r\nThen go on.", SMALL.replace("><", ">\r\n\t  <")),
        format!("So:\n\n    a\n\n    {SMALL}\nend"),
        format!("- a\n\nSo:\n\n    {SMALL}\n\nend"),
        // The last word, and more than a report.
        format!("So:\n\n    a\n    {SMALL}\n"),
    ] {
        check(&text, "");
        let told = examine(text.as_bytes());
        assert!(told.len() == 1 && told[0].what == What::Quoted, "{told:?} in {text}");
    }
}

#[test]
fn what_only_looks_quoted_is_said() {
    for (text, place) in [
        // Nobody closes it, or it was only named.
        (format!("<!-- cut\n{SMALL}"), "2:1"),
        (format!("The <!-- is gone.\n\n{SMALL}\na --> b"), "3:1"),
        (format!("<!-- a -->{SMALL}<!-- b -->"), "1:11"),
        (format!("a --> b\n{SMALL}"), "2:1"),
        (format!("<a><![CDATA[ cut\n{SMALL}"), "2:1"),
        (format!("Sections begin with <![CDATA[.\n{SMALL}\n]]>"), "2:1"),
        // The end of a tag, and an arrow.
        (format!("-> {SMALL}"), "1:4"),
        (format!("    > {SMALL}"), "1:7"),
        // Indented by whoever shows it: all of it, below a line, in a list, or as the last word.
        (format!("    Done.\n\n    {SMALL}\n\n    Bye."), "3:5"),
        (format!("Done.\n    {SMALL}\nBye."), "2:5"),
        (format!("Done.\n\n   {SMALL}\nBye."), "3:4"),
        (format!("- Done.\n\n    {SMALL}\n\nBye."), "3:5"),
        (format!("1. Done.\n   more\n\n       {SMALL}\n\nBye."), "4:8"),
        (format!("Done.\n\n    {SMALL}\n\n---\n"), "3:5"),
        // It begins indented, and goes on below.
        (format!("Done.\n\n    {}\nBye.", SMALL.replace("><", ">\n<")), "3:5"),
    ] {
        check(text, &format!("{place} report partial summary=x"));
    }
    check(
        with("<summary><![CDATA[a]]> <!-- b -->\n\n    > c</summary>"),
        "1:1 report completed summary=a \\n\\n    > c",
    );
    check(
        format!("Done. <!-- {} -->\n{SMALL}", with("<summary><!-- a --></summary>")),
        "1:12 report completed summary=\n2:1 report partial summary=x",
    );
}

#[test]
fn whoever_asks_is_told_of_examples() {
    let told = |text: &str| described(&examine(text.as_bytes()));
    for (text, expected) in [
        (format!("So:\n```xml\n{SMALL}\n```\nnow:\n{SMALL}"), "3:1 quoted\n6:1 report partial summary=x"),
        (format!("End with `<agent_completion>`, as in ``{SMALL}``."), "1:11 quoted\n1:40 quoted"),
        // A block that is the last word and holds more than the report.
        (format!("```\n{SMALL}\n{SMALL}\n```\n"), "2:1 quoted\n3:1 quoted"),
        (format!("```\nSo:\n  {SMALL}\n```\n"), "3:3 quoted"),
        // One that holds nothing else is said.
        (format!("```\n{SMALL}\n```\n"), "2:1 report partial summary=x"),
        ("`<agent_completions>` </agent_completion>".to_owned(), ""),
    ] {
        assert_eq!(told(&text), expected, "{text}");
    }
    assert_eq!(examine(&b"```\n<agent_completion>\n```\nx\n".repeat(1_000)).len(), MAX_FOUND + 1);
}

#[test]
fn a_block_that_is_the_last_word_is_said() {
    for (before, after) in [("Done.\n```xml\n", "\n```\n"), ("Done.\n~~~\n", "\n~~~\n\n  ═══━━━\n\u{1b}[0m\n---")]
    {
        check(format!("{before}{SMALL}{after}"), "3:1 report partial summary=x");
    }
    check(
        "```xml\n<agent_completion><status>partial</status>&</agent_completion>\n```",
        "2:1 broken line 2, column 43: a & that begins no entity. Write &amp; for it.",
    );
    check(
        "```xml\n<agent_completion><status>partial</status>\n```\n",
        "2:1 broken line 2, column 1: the text ends before \"<agent_completion>\" is closed. Write all of the report.",
    );
}

#[test]
fn hostile_text_is_an_error_or_plain_text() {
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n";
    check(
        format!("{bomb}{}", with("<summary>&b;</summary>")),
        "2:1 broken line 2, column 54: the entity \"b\" is not known here, only lt, gt, amp, quot and apos are. Write the character itself.",
    );
    let deep = with(&"<a>".repeat(200_000));
    check(
        deep,
        &format!(
            "1:1 broken line 1, column {}: its elements are nested more than 32 deep. Write a flatter report.",
            45 + 3 * (MAX_DEPTH - 1)
        ),
    );
    check(
        with(&"<a/>".repeat(20_000)),
        "1:1 broken line 1, column 40037: it has more than 10000 elements. Write fewer.",
    );
    check(
        with(&format!("<summary>{}</summary>", "x".repeat(65_537))),
        "1:1 broken line 1, column 45: <summary> has more than 65536 bytes of text. Write less.",
    );
    check(
        with(&"x".repeat(2 << 20)),
        "1:1 broken line 1, column 1: it is longer than 1048576 bytes. Write a shorter report.",
    );
    let attributes: String = (0..20).map(|number| format!(" a{number}=''")).collect();
    check(
        with(&format!("<a{attributes}/>")),
        "1:1 broken line 1, column 45: an element has more than 16 attributes. Write fewer.",
    );
    let begun = find("<agent_completion".repeat(3).as_bytes());
    assert!(begun.len() == 3 && begun.iter().all(|found| matches!(found.what, What::Broken(_))), "{begun:?}");
}

#[test]
fn of_very_many_the_last_are_kept() {
    let found = find(format!("{SMALL}\n").repeat(1_000).as_bytes());
    assert_eq!(found.len(), MAX_FOUND + 1);
    assert_eq!(describe(&found[0]), format!("1:1 left out to {}", (1_000 - MAX_FOUND) * (SMALL.len() + 1) - 1));
    assert_eq!(describe(&found[MAX_FOUND]), "1000:1 report partial summary=x");
}

#[test]
fn a_report_is_written_in_one_form() {
    let name = |text| AgentName::new(text).unwrap();
    let report = Report {
        status: Status::Blocked,
        agent: Some(name("@a&b")),
        timestamp: Some("now".to_owned()),
        summary: " <two>\n\tlines \u{1b}[1m \u{202e}\u{9b}\r ".to_owned(),
        metrics: vec![
            Metric { name: "a\n\"b\"".to_owned(), value: "1".to_owned() },
            Metric { name: " ".to_owned(), value: "lost".to_owned() },
        ],
        next_steps: vec![
            NextStep { agent: name("x"), reason: Some("y's \"z\"".to_owned()) },
            NextStep { agent: name("@w"), reason: None },
        ],
        decisions: vec![DecisionPoint {
            question: "Q?".to_owned(),
            options: vec![Choice { value: "v".to_owned(), text: "]]>".to_owned() }],
            recommendation: Some("v".to_owned()),
        }],
    };
    let expected = "<agent_completion>
  <status>blocked</status>
  <agent>@a&amp;b</agent>
  <timestamp>now</timestamp>
  <summary>&lt;two&gt;
\tlines \\u{1b}[1m &#x202e;&#x9b;</summary>
  <metrics>
    <metric name=\"a&#xa;&quot;b&quot;\">1</metric>
  </metrics>
  <next_steps>
    <recommend>@x</recommend>
    <reason>y's &quot;z&quot;</reason>
    <recommend>@w</recommend>
  </next_steps>
  <decision_points>
    <decision>
      <question>Q?</question>
      <options>
        <option value=\"v\">]]&gt;</option>
      </options>
      <recommendation>v</recommendation>
    </decision>
  </decision_points>
</agent_completion>
";
    assert_eq!(write(&report), expected);
    let empty = Report {
        agent: None,
        timestamp: None,
        summary: String::new(),
        metrics: Vec::new(),
        next_steps: Vec::new(),
        decisions: Vec::new(),
        ..report
    };
    assert_eq!(
        write(&empty),
        "<agent_completion>\n  <status>blocked</status>\n  <summary></summary>\n</agent_completion>\n"
    );
}
