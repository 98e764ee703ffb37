//! The rooms of the house, and the one way between them: `cli → host → core`, `cli → protocol`, `host → protocol`. These
//! tests read the manifests and the sources of `core` and fail when a layer is crossed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a room may depend on. A list of `None` means anything but what is in `never`.
struct Room {
    name: &'static str,
    only: Option<&'static [&'static str]>,
    only_in_tests: Option<&'static [&'static str]>,
    never: &'static [&'static str],
}

const ROOMS: &[Room] = &[
    Room {
        name: "core",
        only: Some(&["aho-corasick", "blake3", "memchr", "unicode-segmentation", "unicode-width"]),
        only_in_tests: Some(&["augment-core"]),
        never: &[],
    },
    Room {
        name: "protocol",
        only: Some(&["serde", "serde_json", "ts-rs"]),
        only_in_tests: None,
        never: &["augment-core", "augment-host", "augment-cli"],
    },
    Room { name: "host", only: None, only_in_tests: None, never: &["augment-cli"] },
    Room { name: "cli", only: None, only_in_tests: None, never: &[] },
];

/// Parts of the standard library that touch the world outside.
const FORBIDDEN_PATHS: &[&str] =
    &["std::env", "std::fs", "std::io", "std::net", "std::os", "std::process", "std::thread", "std::*"];
/// Names that have no business in `core`, wherever they come from.
const FORBIDDEN_NAMES: &[&str] =
    &["Instant", "SystemTime", "libc", "rusqlite", "rustix", "serde", "serde_json", "tokio", "tracing", "ts_rs"];

#[test]
fn every_room_depends_only_on_what_it_may() {
    for room in ROOMS {
        let manifest = read(&server().join(room.name).join("Cargo.toml"));
        assert_eq!(crossed_by_manifest(room, &manifest), Vec::<String>::new(), "server/{}/Cargo.toml", room.name);
    }
}

#[test]
fn the_core_touches_nothing_outside() {
    let files = rust_files(&server().join("core/src"));
    assert!(files.len() > 15, "the sources are found: {files:?}");
    for file in files {
        assert_eq!(crossed_by_source(&read(&file)), Vec::<String>::new(), "{}", file.display());
    }
}

#[test]
fn the_core_has_no_build_script() {
    assert!(!server().join("core/build.rs").exists());
}

#[test]
fn a_crossed_layer_is_found_in_a_source() {
    for (source, expected) in [
        ("fn f() { std::fs::read(\"x\").ok(); }", "std::fs"),
        ("use std::{fmt, fs::{self, File}};", "std::fs"),
        ("use std::{collections::BTreeMap, io};", "std::io"),
        ("use ::std :: net::TcpStream;", "std::net"),
        ("fn f() { let home = std::env::var(\"HOME\"); }", "std::env"),
        ("use std::os::unix::net::UnixStream;", "std::os"),
        ("use std::process;", "std::process"),
        ("fn f() { std::thread::sleep(d) }", "std::thread"),
        ("use std::time::{Duration, SystemTime};", "SystemTime"),
        ("fn f(at: std::time::Instant) {}", "Instant"),
        ("#[tokio::main] async fn main() {}", "tokio"),
        ("#[derive(serde::Serialize)] struct S;", "serde"),
        ("use std as s;", "std by another name"),
        ("use std::*;", "std::*"),
        ("const S: &str = \"\\\"\"; use std::fs; // \"", "std::fs"),
        ("const S: &str = r#\"a \" b\"#; use std::fs;", "std::fs"),
        ("const C: char = '\"'; use std::fs; const D: char = '\"';", "std::fs"),
        ("/* a /* b */ c */ use std::fs;", "std::fs"),
        ("fn f<'a>(x: &'a str) { std::env::args(); } // '", "std::env"),
    ] {
        assert_eq!(crossed_by_source(source), [expected], "{source}");
    }
}

#[test]
fn words_about_a_layer_do_not_cross_it() {
    for source in [
        "//! Never uses std::fs, tokio or serde.\nuse std::fmt;",
        "/* std::net /* std::env */ SystemTime */ use std::collections::{BTreeMap, btree_map};",
        "const S: &str = \"https://std::fs // tokio\";",
        "const S: &str = r##\"std::fs \"# tokio\"##;",
        "let message = b\"std::env\"; let c = '\\'';",
        "fn environment(offset: Fs) -> observed { mystd::fs::x() }",
    ] {
        assert_eq!(crossed_by_source(source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn a_crossed_layer_is_found_in_a_manifest() {
    let crossed = |name: &str, manifest: &str| {
        let room = ROOMS.iter().find(|room| room.name == name).expect("it is one of the rooms");
        crossed_by_manifest(room, manifest)
    };
    for (room, manifest, expected) in [
        ("core", "[dependencies]\nblake3 = \"1\"\ntokio = \"1\"", "tokio in dependencies"),
        ("core", "[dependencies]\nblake3 = { version = \"1\", package = \"rusqlite\" }", "rusqlite in dependencies"),
        ("core", "[dependencies.serde]\nversion = \"1\"", "serde in dependencies"),
        ("core", "[target.'cfg(unix)'.dependencies]\nrustix = \"1\"", "rustix in dependencies"),
        ("core", "[build-dependencies]\ncc = \"1\"", "cc in build-dependencies"),
        ("core", "[dev-dependencies]\naugment-host.workspace = true", "augment-host in dev-dependencies"),
        ("protocol", "[dependencies]\naugment-core.workspace = true # why", "augment-core in dependencies"),
        ("protocol", "[dev-dependencies]\naugment-core = { path = \"../core\" }", "augment-core in dev-dependencies"),
        ("host", "[dependencies]\n\"augment-cli\" = { path = \"../cli\" }", "augment-cli in dependencies"),
    ] {
        assert_eq!(crossed(room, manifest), [expected], "{manifest}");
    }
    let fine = "[package]\nname = \"tokio\"\n[features]\nserde = []\n[dependencies]\nblake3.workspace = true # tokio\n";
    assert_eq!(crossed("core", fine), Vec::<String>::new());
    assert_eq!(crossed("host", "[dependencies]\naugment-core = \"1\"\naugment-protocol = \"1\""), Vec::<String>::new());
}

fn crossed_by_manifest(room: &Room, manifest: &str) -> Vec<String> {
    let mut crossed = Vec::new();
    for (section, names) in dependencies(manifest) {
        let only = if section == "dev-dependencies" { room.only_in_tests } else { room.only };
        for name in names {
            let allowed = only.is_none_or(|only| only.contains(&name.as_str()));
            if !allowed || room.never.contains(&name.as_str()) {
                crossed.push(format!("{name} in {section}"));
            }
        }
    }
    crossed
}

/// The crates that a manifest names, by kind of dependency. It reads the shapes that manifests have, not all of TOML.
fn dependencies(manifest: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut section = None;
    for line in manifest.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let parts: Vec<&str> = header.split('.').collect();
            let kind = parts.iter().position(|part| part.ends_with("dependencies"));
            section = kind.map(|at| parts[at].to_owned());
            if let (Some(kind), Some(name)) = (&section, kind.and_then(|at| parts.get(at + 1))) {
                found.entry(kind.clone()).or_default().push(unquoted(name));
                section = None;
            }
        } else if let (Some(kind), Some((key, value))) = (&section, line.split_once('=')) {
            let renamed = value.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
            let name = renamed.map_or_else(|| unquoted(key.split('.').next().unwrap_or_default()), str::to_owned);
            found.entry(kind.clone()).or_default().push(name);
        }
    }
    found
}

fn unquoted(name: &str) -> String {
    name.trim().trim_matches(['"', '\'']).to_owned()
}

fn crossed_by_source(source: &str) -> Vec<String> {
    let words = words(&code_only(source));
    let mut crossed = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if FORBIDDEN_NAMES.contains(&word.as_str()) {
            crossed.push(word.clone());
        }
        if word == "std" {
            match words.get(at + 1).map(String::as_str) {
                Some("::") => crossed.extend(forbidden_paths(&words[at + 2..])),
                Some("as") => crossed.push("std by another name".to_owned()),
                _ => {}
            }
        }
    }
    crossed.dedup();
    crossed
}

/// What follows `std::`: one name, or a group of which each first name counts.
fn forbidden_paths(after: &[String]) -> Vec<String> {
    let mut firsts = Vec::new();
    let mut depth = 0_usize;
    let mut begins = true;
    for word in after {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "," => begins = depth == 1,
            name if begins => {
                firsts.push(format!("std::{name}"));
                begins = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    firsts.retain(|path| FORBIDDEN_PATHS.contains(&path.as_str()));
    firsts
}

/// The source without comments and without what is inside quotes.
fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if first == '"' {
            quoted(rest)
        } else if let Some(length) = raw_quoted(rest).filter(|_| !code.ends_with(is_of_a_name)) {
            length
        } else {
            character(rest).unwrap_or(0)
        };
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.push(' ');
            rest = &rest[skipped..];
        }
    }
    code
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
        } else {
            at += 1;
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn raw_quoted(text: &str) -> Option<usize> {
    let after = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let begins = text.len() - body.len();
    Some(body.find(&end).map_or(text.len(), |at| begins + at + end.len()))
}

/// The length of a character in quotes; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    let mut characters = body.char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        let closing = body.char_indices().skip(2).find(|(_, c)| *c == '\'')?;
        return Some(1 + closing.0 + 1);
    }
    let (at, second) = characters.next()?;
    (second == '\'').then_some(1 + at + 1)
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Names, `::`, and every other character that is no space.
fn words(code: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joins = false;
    for c in code.chars() {
        match (words.last_mut(), c) {
            (Some(last), c) if joins && is_of_a_name(c) && last.ends_with(is_of_a_name) => last.push(c),
            (Some(last), ':') if joins && last == ":" => last.push(':'),
            (_, c) if !c.is_whitespace() => words.push(c.to_string()),
            (_, _) => {}
        }
        joins = !c.is_whitespace();
    }
    words
}

fn server() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[expect(clippy::disallowed_methods, reason = "the test reads the sources that it is about")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("the folder can be read to its end").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
