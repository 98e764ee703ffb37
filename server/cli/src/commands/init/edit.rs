//! What a file is to become, when our pieces go in or come out. Nothing here touches a disk.

use serde_json::Value;

use super::json_text::{JsonText, Step};
use super::section;
use super::wanted::Piece;
use super::words;

/// The mode of files that we make.
pub(super) const NEW_FILE_MODE: u32 = 0o644;

/// What a file is to become.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edited {
    /// `None`: no file.
    pub(super) text: Option<String>,
    /// Of a file that is made.
    pub(super) mode: u32,
    /// What was made in a JSON file on the way to our entries.
    pub(super) made: Vec<String>,
}

/// The file with our pieces; `None` where all of them are there. An error says in words why it is left alone.
pub(super) fn put(current: Option<&str>, pieces: &[Piece]) -> Result<Option<Edited>, String> {
    let mut edited = Edited { text: current.map(str::to_owned), mode: NEW_FILE_MODE, made: Vec::new() };
    for piece in pieces {
        match piece {
            Piece::Section(marks, body) => {
                let text = edited.text.as_deref().unwrap_or_default();
                if *marks == section::TOML {
                    check_toml(text)?;
                }
                let with = section::with(text, *marks, body)?;
                if let Some(with) = with {
                    if *marks == section::TOML {
                        check_toml(&with)?;
                    }
                    edited.text = Some(with);
                }
            }
            Piece::Server(server) => put_server(&mut edited, server)?,
            Piece::Hooks { events, command } => put_hooks(&mut edited, events, command)?,
            Piece::Whole { text, mode } => match edited.text.as_deref() {
                Some(there) if there == text => {}
                Some(_) => return Err("it is there already, with other content".into()),
                None => {
                    edited.text = Some(text.clone());
                    edited.mode = *mode;
                }
            },
        }
    }
    Ok((edited.text.as_deref() != current).then_some(edited))
}

fn check_toml(text: &str) -> Result<(), String> {
    let parsed = text.parse::<toml_edit::DocumentMut>();
    parsed.map(drop).map_err(|error| {
        let told = error.to_string();
        format!("it would be no sound TOML: {}", told.lines().next().unwrap_or_default().trim())
    })
}

fn put_server(edited: &mut Edited, server: &Value) -> Result<(), String> {
    with_json(edited, |json| {
        if !json.value["mcpServers"][words::SERVER].is_null() {
            return Ok(None);
        }
        json.with(&["mcpServers"], Some(words::SERVER), server).map(Some)
    })
}

fn put_hooks(edited: &mut Edited, events: &[&str], command: &str) -> Result<(), String> {
    for event in events {
        with_json(edited, |json| {
            let groups = json.value["hooks"][event].as_array();
            let is_there = groups.into_iter().flatten().any(|group| !ours_in(group).is_empty());
            if is_there { Ok(None) } else { json.with(&["hooks", event], None, &words::hook(command)).map(Some) }
        })?;
    }
    Ok(())
}

type WithMade = (String, Vec<String>);

fn with_json(
    edited: &mut Edited,
    edit: impl FnOnce(&JsonText<'_>) -> Result<Option<WithMade>, String>,
) -> Result<(), String> {
    // A file that is not there, or has nothing in it, begins as an empty object.
    let text = edited.text.as_deref().filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    if let Some((text, made)) = edit(&JsonText::read(text)?)? {
        edited.text = Some(text);
        edited.made.extend(made);
    }
    Ok(())
}

/// The places of our hooks in one group.
fn ours_in(group: &Value) -> Vec<usize> {
    let hooks = group["hooks"].as_array().into_iter().flatten().enumerate();
    let is_ours = |hook: &Value| hook["command"].as_str().is_some_and(words::is_our_hook);
    hooks.filter(|(_, hook)| is_ours(hook)).map(|(at, _)| at).collect()
}

/// The file without our pieces; `None` where none of them is there. What was made for them and is empty without them goes
/// with them: what `made` names, or, where nobody knows, all of it.
pub(super) fn take_out(current: &str, pieces: &[Piece], made: Option<&[String]>) -> Result<Option<Edited>, String> {
    let mut text = current.to_owned();
    let mut whole = false;
    for piece in pieces {
        match piece {
            Piece::Section(marks, _) => {
                if let Some(without) = section::without(&text, *marks)? {
                    text = without;
                }
            }
            Piece::Server(_) | Piece::Hooks { .. } if text.trim().is_empty() => {}
            Piece::Server(_) => {
                let json = JsonText::read(&text)?;
                let servers = &json.value["mcpServers"];
                if !servers[words::SERVER].is_null() {
                    let alone = servers.as_object().is_some_and(|servers| servers.len() == 1);
                    let path: &[&str] = if alone && may_go(made, "mcpServers") {
                        &["mcpServers"]
                    } else {
                        &["mcpServers", words::SERVER]
                    };
                    text = json.without(&keys(path)).ok_or("our server in it is not understood")?;
                }
            }
            Piece::Hooks { .. } => {
                while let Some(without) = without_one_hook(&text, made)? {
                    text = without;
                }
            }
            Piece::Whole { text: ours, .. } => {
                if text != *ours {
                    return Err("it was changed since; remove it by hand".into());
                }
                whole = true;
            }
        }
    }
    if !whole && text == current {
        return Ok(None);
    }
    // Nothing is left of a file that we made.
    let empty = text.trim().is_empty()
        || serde_json::from_str::<Value>(&text).is_ok_and(|value| value == serde_json::json!({}));
    let text = (!whole && !empty).then_some(text);
    Ok(Some(Edited { text, mode: NEW_FILE_MODE, made: Vec::new() }))
}

fn may_go(made: Option<&[String]>, what: &str) -> bool {
    made.is_none_or(|made| made.iter().any(|one| one == what))
}

fn keys(path: &[&str]) -> Vec<Step> {
    path.iter().map(|key| Step::Key((*key).to_owned())).collect()
}

/// Takes one of our hooks out, with the group, the event and `hooks` itself where nothing else is in them.
fn without_one_hook(text: &str, made: Option<&[String]>) -> Result<Option<String>, String> {
    let json = JsonText::read(text)?;
    let Some(events) = json.value["hooks"].as_object() else { return Ok(None) };
    for (event, groups) in events {
        let groups = groups.as_array().map(Vec::as_slice).unwrap_or_default();
        for (at, group) in groups.iter().enumerate() {
            let Some(hook) = ours_in(group).first().copied() else { continue };
            let mut path =
                [keys(&["hooks", event]), vec![Step::At(at)], keys(&["hooks"]), vec![Step::At(hook)]].concat();
            if group["hooks"].as_array().is_some_and(|hooks| hooks.len() == 1) {
                path.truncate(3);
                if groups.len() == 1 && may_go(made, &format!("hooks/{event}")) {
                    path.truncate(2);
                    if events.len() == 1 && may_go(made, "hooks") {
                        path.truncate(1);
                    }
                }
            }
            return json.without(&path).ok_or_else(|| "our hooks in it are not understood".into()).map(Some);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::InitAgent;
    use crate::commands::init::wanted;

    const AGENTS: [InitAgent; 6] =
        [InitAgent::Claude, InitAgent::Codex, InitAgent::Gemini, InitAgent::Qwen, InitAgent::Auggie, InitAgent::Goose];

    fn files() -> impl Iterator<Item = wanted::WantedFile> {
        AGENTS.into_iter().flat_map(wanted::of).chain(std::iter::once(wanted::shared()))
    }

    const JSON: [&str; 9] = [
        "{\n  \"model\": \"x\"\n}\n",
        "{\"model\":\"x\"}",
        "{\r\n\t\"model\": \"x\"\r\n}",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }] }\n    ]\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    \"mine\": { \"command\": \"x\" }\n  },\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": []\n      }\n    ]\n  }\n}\n",
        "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"*\",\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}],\"Stop\":[]}}",
        "{ \"a\": [ ], \"hooks\": {\"x\": 1} }",
        "{\n    \"mcpServers\": {\n        \"z\": {}\n    }\n}",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(npm:*)\"\n    ]\n  },\n\n  \"hooks\": {\n    \"SessionStart\": [1],\n    \"PreToolUse\": [2], \"Stop\": [3]\n  }\n}\n\n",
    ];
    const TEXTS: [&str; 6] = ["# A", "# A\n", "a = 1\n", "\n", "# A\r\n\r\n", "[x]\ny = 1"];

    #[test]
    fn what_goes_in_comes_out_again_to_the_byte() {
        let mut checked = 0;
        for file in files() {
            for before in JSON.into_iter().chain(TEXTS) {
                let Ok(Some(with)) = put(Some(before), &file.pieces) else { continue };
                let text = with.text.unwrap();
                assert_eq!(put(Some(&text), &file.pieces), Ok(None), "{}: twice", file.path);
                let out = take_out(&text, &file.pieces, Some(&with.made)).unwrap().unwrap();
                // An empty file is gone; what it was is remembered elsewhere.
                assert_eq!(
                    out.text.as_deref(),
                    Some(before).filter(|text| !text.trim().is_empty()),
                    "{}: {text}",
                    file.path
                );
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }

    /// A JSON object with members that may be ours to extend, in any formatting: a small generator of its own, so that a
    /// seed says all.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % bound
        }

        fn space(&mut self, out: &mut String) {
            for _ in 0..self.below(3) {
                out.push_str(["", " ", "\n", "\t", "\r\n", "  "][self.below(6) as usize]);
            }
        }

        fn value(&mut self, out: &mut String, depth: u64) {
            match self.below(if depth > 3 { 4 } else { 6 }) {
                0 => out.push_str("-1.5e3"),
                1 => out.push_str("\"x\\\"},]ü\\u0041\""),
                2 => out.push_str("null"),
                3 => out.push_str("true"),
                4 => self.list(out, '[', ']', depth),
                _ => self.list(out, '{', '}', depth),
            }
        }

        fn list(&mut self, out: &mut String, open: char, close: char, depth: u64) {
            out.push(open);
            let mut names = vec!["hooks", "mcpServers", "PreToolUse", "Stop", "a", "b}", "\u{e9}"];
            for at in 0..self.below(4) {
                if at > 0 {
                    out.push(',');
                }
                self.space(out);
                if open == '{' {
                    let name = names.remove(self.below(names.len() as u64) as usize);
                    out.push_str(&Value::from(name).to_string());
                    self.space(out);
                    out.push(':');
                    self.space(out);
                }
                self.value(out, depth + 1);
                self.space(out);
            }
            out.push(close);
        }
    }

    /// Whether something in it is empty, of which the white space inside is not kept.
    fn has_empty(text: &str) -> bool {
        let bare: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        bare.contains("{}") || bare.contains("[]")
    }

    #[test]
    fn whatever_the_file_is_taking_out_reverses_putting_in() {
        let pieces: Vec<_> = files().filter(|file| file.path.ends_with(".json")).map(|file| file.pieces).collect();
        let mut reversed = 0;
        for seed in 1..800_u64 {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut before = String::new();
            random.space(&mut before);
            random.list(&mut before, '{', '}', 0);
            random.space(&mut before);
            let pieces = &pieces[random.below(pieces.len() as u64) as usize];
            // What does not fit is left alone.
            let Ok(Some(with)) = put(Some(&before), pieces) else { continue };
            let text = with.text.unwrap();
            let out = take_out(&text, pieces, Some(&with.made)).unwrap().unwrap().text.unwrap_or_default();
            if has_empty(&before) {
                let value =
                    |text: &str| serde_json::from_str::<Value>(if text.is_empty() { "{}" } else { text }).unwrap();
                assert_eq!(value(&out), value(&before), "seed {seed}: {before:?} {text:?}");
            } else {
                assert_eq!(out, before, "seed {seed}: {text:?}");
                reversed += 1;
            }
        }
        assert!(reversed > 100, "{reversed}");
    }

    #[test]
    fn a_file_that_was_made_is_gone_again() {
        for file in files() {
            for before in [None, Some("")] {
                let edited = put(before, &file.pieces);
                if matches!(&file.pieces[..], [Piece::Whole { .. }]) && before.is_some() {
                    assert!(edited.is_err(), "{}", file.path);
                    continue;
                }
                let with = edited.unwrap().unwrap();
                let text = with.text.unwrap();
                for made in [Some(with.made.as_slice()), None] {
                    let out = take_out(&text, &file.pieces, made).unwrap().unwrap();
                    assert_eq!(out.text, None, "{}: {text}", file.path);
                }
            }
        }
    }

    #[test]
    fn what_the_person_adds_to_our_entries_stays() {
        let file = wanted::of(InitAgent::Gemini).remove(1);
        let with = put(None, &file.pieces).unwrap().unwrap();
        let mut value: Value = serde_json::from_str(with.text.as_deref().unwrap()).unwrap();
        let mine = serde_json::json!({ "type": "command", "command": "mine" });
        value["hooks"]["BeforeTool"][0]["hooks"].as_array_mut().unwrap().push(mine.clone());
        value["hooks"]["AfterTool"].as_array_mut().unwrap().insert(0, serde_json::json!({ "hooks": [mine] }));
        value["mcpServers"]["mine"] = serde_json::json!({ "command": "x" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let out = take_out(&text, &file.pieces, Some(&with.made)).unwrap().unwrap().text.unwrap();
        let left: Value = serde_json::from_str(&out).unwrap();
        let mine = serde_json::json!([{ "hooks": [{ "type": "command", "command": "mine" }] }]);
        let expected = serde_json::json!({
            "hooks": { "BeforeTool": mine, "AfterTool": mine }, "mcpServers": { "mine": { "command": "x" } },
        });
        assert_eq!(left, expected, "{out}");
    }

    #[test]
    fn what_cannot_be_understood_is_left_alone() {
        let settings = wanted::of(InitAgent::Claude).remove(2);
        for text in ["{ // mine\n}", "{", "[]", "{\"hooks\": 7}", "{\"hooks\": {\"Stop\": {}}}"] {
            assert!(put(Some(text), &settings.pieces).is_err(), "{text}");
        }
        let toml = wanted::of(InitAgent::Codex).remove(1);
        assert!(put(Some("a = = 1\n"), &toml.pieces).is_err());
        let twice = "[mcp_servers.augment-orchestrator]\ncommand = \"mine\"\n";
        assert!(put(Some(twice), &toml.pieces).is_err());
    }

    #[test]
    fn our_texts_are_sound() {
        assert!(check_toml(words::CODEX_SERVER).is_ok());
        for file in files() {
            let text = put(None, &file.pieces).unwrap().unwrap().text.unwrap();
            assert!(text.ends_with('\n') && !text.contains("\n\n\n") && !text.contains('\t'), "{}", file.path);
            if file.path.ends_with(".toml") {
                assert!(check_toml(&text).is_ok(), "{text}");
            }
            if file.path.ends_with(".json") {
                assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
            }
        }
    }
}
