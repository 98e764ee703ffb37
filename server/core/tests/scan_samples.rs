//! Every rule of the scan against its samples: what it must find, and what it must leave alone.

use augment_core::file::FilePath;
use augment_core::scan::{Kind, Rule, rules, scan_all};

/// Rules about the scan itself; their tests are beside the code.
const ABOUT_THE_SCAN: [&str; 3] = ["long-line", "not-looked-at", "too-many-findings"];
const LEAST: usize = 3;

struct Sample {
    rule: &'static Rule,
    positive: bool,
    path: FilePath,
    text: String,
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for (kind, list) in [
        (Kind::Credential, include_str!("scan_samples/credential.txt")),
        (Kind::PersonalData, include_str!("scan_samples/personal-data.txt")),
        (Kind::Environment, include_str!("scan_samples/environment.txt")),
        (Kind::Dependency, include_str!("scan_samples/dependency.txt")),
    ] {
        let mut rule = None;
        for line in list.lines().filter(|line| !line.is_empty()) {
            if let Some(id) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                rule = rules().iter().find(|rule| rule.id == id);
                assert_eq!(rule.map(|rule| rule.kind), Some(kind), "{id}");
                continue;
            }
            let (sign, rest) = line.split_at(2);
            let (path, text) = rest.split_once(" | ").unwrap_or_else(|| panic!("a path and a text: {line}"));
            samples.push(Sample {
                rule: rule.expect("a section comes first"),
                positive: sign == "+ ",
                path: FilePath::from_text(path).expect("a path"),
                text: joined(text),
            });
        }
    }
    samples
}

fn joined(text: &str) -> String {
    text.replace("{}", "").replace('⏎', "\n").replace("\\t", "\t")
}

#[test]
fn every_rule_finds_its_samples_and_leaves_the_others_alone() {
    let mut wrong = Vec::new();
    for Sample { rule, positive, path, text } in samples() {
        let found: Vec<&str> = scan_all(&path, text.as_bytes())
            .iter()
            .filter(|finding| finding.rule.kind == rule.kind)
            .map(|finding| finding.rule.id)
            .collect();
        let right = if positive { found.contains(&rule.id) } else { found.is_empty() };
        if !right {
            wrong.push(format!("{} {} {path}: {text}\n    found {found:?}", rule.id, if positive { "+" } else { "-" }));
        }
    }
    assert!(wrong.is_empty(), "{} samples:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_rule_has_samples_of_both_sorts() {
    let samples = samples();
    for rule in rules().iter().filter(|rule| !ABOUT_THE_SCAN.contains(&rule.id)) {
        for positive in [true, false] {
            let count = samples.iter().filter(|sample| sample.rule == rule && sample.positive == positive).count();
            assert!(count >= LEAST, "{}: {count} samples that are {positive}", rule.id);
        }
    }
}

#[test]
fn no_message_holds_what_was_found() {
    for Sample { path, text, .. } in samples() {
        let secret = |kind: Kind| matches!(kind, Kind::Credential | Kind::PersonalData);
        for finding in scan_all(&path, text.as_bytes()).iter().filter(|finding| secret(finding.rule.kind)) {
            let line = text.split('\n').nth(finding.line as usize).expect("the line is there");
            let value = &line[finding.start as usize..finding.end as usize];
            assert!(!finding.message.contains(value), "{path}: {}", finding.message);
            // A public prefix may be told, and nothing behind it.
            let tail: String = value.chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect();
            assert!(value.len() < 12 || !finding.message.contains(&tail), "{path}: {}", finding.message);
        }
    }
}

#[test]
fn the_samples_themselves_look_like_nothing_live() {
    let path = FilePath::from_text("server/core/tests/scan_samples/credential.txt").expect("a path");
    let list = include_str!("scan_samples/credential.txt");
    let found: Vec<String> = scan_all(&path, list.as_bytes())
        .iter()
        .filter(|finding| finding.rule.kind == Kind::Credential)
        .map(|finding| format!("{}: {}", finding.line + 1, finding.rule.id))
        .collect();
    assert_eq!(found, Vec::<String>::new());
}
