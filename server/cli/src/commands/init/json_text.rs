//! JSON as text that a person has formatted: a member or an element is put in or taken out by changing nothing but the
//! bytes that it takes, and taking out is the reverse of putting in.
//!
//! The text is checked by `serde_json` first, so what is read here is sound; it is read once more for the places of
//! things.

use serde_json::Value;

/// Where something is in the text, and what is in it.
#[derive(Debug)]
struct Node {
    start: usize,
    end: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Each member with where its key begins.
    Object(Vec<(String, usize, Node)>),
    Array(Vec<Node>),
    Other,
}

/// One step into a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    At(usize),
}

/// A text that is an object, and its value.
#[derive(Debug)]
pub(super) struct JsonText<'a> {
    text: &'a str,
    root: Node,
    pub(super) value: Value,
}

impl<'a> JsonText<'a> {
    /// Says in words why it cannot be understood, with the line.
    pub(super) fn read(text: &'a str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("it is no plain JSON: {error}"))?;
        if !value.is_object() {
            return Err("it is no JSON object (line 1)".into());
        }
        let root = Reader { text: text.as_bytes(), at: 0 }.node().ok_or("its structure is not understood (line 1)")?;
        Ok(Self { text, root, value })
    }

    /// The text with a value put at the end of what `path` leads to: an object takes it under `key`, an array where
    /// there is no key. What is missing on the way is made. Also says which of the way was made.
    pub(super) fn with(
        &self,
        path: &[&str],
        key: Option<&str>,
        value: &Value,
    ) -> Result<(String, Vec<String>), String> {
        let mut node = &self.root;
        let mut there = 0;
        while there < path.len() {
            match self.member(node, path[there])? {
                Some(next) => node = next,
                None => break,
            }
            there += 1;
        }
        // What is missing is made from the inside out, around the value.
        let mut value = value.clone();
        let mut key = key;
        for missing in path[there..].iter().rev() {
            value = match key {
                Some(key) => Value::Object([(key.to_owned(), value)].into_iter().collect()),
                None => Value::Array(vec![value]),
            };
            key = Some(missing);
        }
        let made = (there..path.len()).map(|at| path[..=at].join("/")).collect();
        match (&node.kind, key) {
            (Kind::Object(_), Some(_)) | (Kind::Array(_), None) => Ok((self.insert(node, key, &value), made)),
            (Kind::Object(_) | Kind::Array(_) | Kind::Other, _) => {
                let expected = if key.is_some() { "an object" } else { "a list" };
                Err(format!("{} is not {expected} (line {})", path[..there].join("."), self.line(node.start)))
            }
        }
    }

    fn member<'n>(&self, node: &'n Node, key: &str) -> Result<Option<&'n Node>, String> {
        let Kind::Object(members) = &node.kind else {
            return Err(format!("what should hold {key} is not an object (line {})", self.line(node.start)));
        };
        let mut found = members.iter().filter(|(name, _, _)| name == key);
        let first = found.next();
        match found.next() {
            Some((_, again, _)) => Err(format!("{key} is there twice (line {})", self.line(*again))),
            None => Ok(first.map(|(_, _, node)| node)),
        }
    }

    fn insert(&self, into: &Node, key: Option<&str>, value: &Value) -> String {
        let last = match &into.kind {
            Kind::Object(members) => members.last().map(|(_, start, node)| (*start, node.end)),
            Kind::Array(elements) => elements.last().map(|node| (node.start, node.end)),
            Kind::Other => None,
        };
        let style = self.style();
        let (at, before, indent, after) = match last {
            Some((start, end)) => {
                let space = self.space_before(start);
                match space.rfind('\n') {
                    Some(line) => (end, format!(",{space}"), Some(space[line + 1..].to_owned()), String::new()),
                    None if space.is_empty() && style.spaced => (end, ", ".into(), None, String::new()),
                    None => (end, format!(",{space}"), None, String::new()),
                }
            }
            None if style.one_line => (into.start + 1, String::new(), None, String::new()),
            None => {
                let outer = self.indent_of_line(into.start);
                let indent = format!("{outer}{}", style.unit);
                (
                    into.start + 1,
                    format!("{}{indent}", style.line_end),
                    Some(indent),
                    format!("{}{outer}", style.line_end),
                )
            }
        };
        let mut piece = before;
        if let Some(key) = key {
            let colon = if style.spaced { ": " } else { ":" };
            piece.push_str(&format!("{}{colon}", Value::from(key)));
        }
        style.write(&mut piece, value, indent.as_deref());
        piece.push_str(&after);
        // Nothing but white space is in something that is empty.
        let rest = if last.is_some() { at } else { into.end - 1 };
        format!("{}{piece}{}", &self.text[..at], &self.text[rest..])
    }

    /// The text without what `path` leads to; `None` where that is nothing.
    pub(super) fn without(&self, path: &[Step]) -> Option<String> {
        let (last, way) = path.split_last()?;
        let mut node = &self.root;
        for step in way {
            node = match (&node.kind, step) {
                (Kind::Object(members), Step::Key(key)) => &members.iter().find(|(name, _, _)| name == key)?.2,
                (Kind::Array(elements), Step::At(at)) => elements.get(*at)?,
                (Kind::Object(_) | Kind::Array(_) | Kind::Other, _) => return None,
            };
        }
        let spans: Vec<(usize, usize)> = match &node.kind {
            Kind::Object(members) => members.iter().map(|(_, start, node)| (*start, node.end)).collect(),
            Kind::Array(elements) => elements.iter().map(|node| (node.start, node.end)).collect(),
            Kind::Other => return None,
        };
        let at = match (&node.kind, last) {
            (Kind::Object(members), Step::Key(key)) => members.iter().position(|(name, _, _)| name == key)?,
            (Kind::Array(_), Step::At(at)) => *at,
            (Kind::Object(_) | Kind::Array(_) | Kind::Other, _) => return None,
        };
        let (start, end) = *spans.get(at)?;
        let (from, to) = match (at.checked_sub(1).and_then(|before| spans.get(before)), spans.get(at + 1)) {
            (Some((_, before)), _) => (*before, end),
            (None, Some((next, _))) => (start, *next),
            (None, None) => (node.start + 1, node.end - 1),
        };
        Some(format!("{}{}", &self.text[..from], &self.text[to..]))
    }

    fn line(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    /// The white space right before a place.
    fn space_before(&self, at: usize) -> &str {
        let before = &self.text[..at];
        &before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..]
    }

    fn indent_of_line(&self, at: usize) -> &str {
        let line = &self.text[self.text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    fn style(&self) -> Style {
        let text = self.text.trim_matches([' ', '\t', '\r', '\n']);
        let members = match &self.root.kind {
            Kind::Object(members) => members.as_slice(),
            Kind::Array(_) | Kind::Other => &[],
        };
        let one_line = !text.contains('\n') && !members.is_empty();
        let unit = members.first().and_then(|(_, start, _)| {
            let space = self.space_before(*start);
            space.rfind('\n').map(|line| space[line + 1..].to_owned())
        });
        Style {
            one_line,
            // `"a":1` without a blank is compact; a text without members tells nothing.
            spaced: members.first().is_none_or(|(_, _, node)| self.text[..node.start].ends_with([' ', '\t', '\n'])),
            unit: unit.filter(|unit| !unit.is_empty()).unwrap_or_else(|| "  ".to_owned()),
            line_end: if self.text.contains("\r\n") { "\r\n" } else { "\n" },
        }
    }
}

/// How the text is formatted.
struct Style {
    one_line: bool,
    spaced: bool,
    unit: String,
    line_end: &'static str,
}

impl Style {
    /// Over several lines that begin with `indent`, or on one line without it.
    fn write(&self, out: &mut String, value: &Value, indent: Option<&str>) {
        let (open, close, items): (_, _, Vec<(Option<&String>, &Value)>) = match value {
            Value::Object(members) if !members.is_empty() => {
                ('{', '}', members.iter().map(|(key, value)| (Some(key), value)).collect())
            }
            Value::Array(elements) if !elements.is_empty() => {
                ('[', ']', elements.iter().map(|value| (None, value)).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                out.push_str(&value.to_string());
                return;
            }
        };
        let inner = indent.map(|indent| format!("{indent}{}", self.unit));
        out.push(open);
        for (at, (key, value)) in items.into_iter().enumerate() {
            match &inner {
                Some(inner) => {
                    let comma = if at > 0 { "," } else { "" };
                    out.push_str(&format!("{comma}{}{inner}", self.line_end));
                }
                None if at == 0 => {}
                None => out.push_str(if self.spaced { ", " } else { "," }),
            }
            if let Some(key) = key {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(if self.spaced { ": " } else { ":" });
            }
            self.write(out, value, inner.as_deref());
        }
        if let Some(indent) = indent {
            out.push_str(&format!("{}{indent}", self.line_end));
        }
        out.push(close);
    }
}

/// Reads a text that is known to be sound; its depth is bounded by that check.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn node(&mut self) -> Option<Node> {
        self.space();
        let start = self.at;
        let kind = match self.text.get(self.at)? {
            b'{' => Kind::Object(self.items(b'}', |reader| {
                reader.space();
                let start = reader.at;
                let key = reader.string()?;
                reader.space();
                reader.at += 1;
                Some((key, start, reader.node()?))
            })?),
            b'[' => Kind::Array(self.items(b']', Self::node)?),
            b'"' => {
                self.string()?;
                Kind::Other
            }
            _ => {
                while self.text.get(self.at).is_some_and(|byte| !b",]} \t\r\n".contains(byte)) {
                    self.at += 1;
                }
                Kind::Other
            }
        };
        Some(Node { start, end: self.at, kind })
    }

    fn items<T>(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.space();
            match self.text.get(self.at)? {
                byte if *byte == close => {
                    self.at += 1;
                    return Some(items);
                }
                b',' => self.at += 1,
                _ => items.push(item(self)?),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.text.get(self.at)? {
                b'\\' => self.at += 2,
                b'"' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        serde_json::from_slice(self.text.get(start..self.at)?).ok()
    }

    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SHAPES: [&str; 20] = [
        "{\n  \"a\": 1\n}\n",
        "{\n  \"a\": 1\n}",
        "{\n\t\"a\": {\n\t\t\"b\": [1, 2]\n\t}\n}\n",
        "{\r\n    \"a\": 1\r\n}\r\n",
        "{\"a\":1}",
        "{\"a\": 1}\n",
        "{ \"a\" : 1 }",
        "  \n{\"a\": \"x}]\\\"{\"}\n\n",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"x\": 1}\n    ]\n  }\n}\n",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"*\"\n      }\n    ]\n  },\n  \"z\": 1\n}\n",
        "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"*\"}]}}",
        "{\n  \"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\"}, 2]}\n}\n",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [1,\n      2\n    ] }\n}",
        "{\n\"a\":1,\n\"hooks\":{\n\"PreToolUse\":[\n1\n]\n}\n}\n",
        "{\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\", \"args\": [] }\n  }\n}\n",
        "{\n  \"\\u0068ooks\": {\"x\": 1}\n}\n",
        "{\n  \"ünï\": \"💥\",\n  \"b\": null\n}\n",
        "{\n  \"a\": [\n  ],\n  \"b\": {   }\n}\n",
        "{\"a\":[[[[[[1]]]]]],\"b\":-1.5e10,\"c\":true}",
        "{\n    \"a\": 1,\n\n    \"b\": 2\n\n}\n\n\n",
    ];

    fn put(text: &str) -> (String, Vec<String>) {
        let value = json!({ "hooks": [{ "type": "command", "command": "x" }] });
        JsonText::read(text).unwrap().with(&["hooks", "PreToolUse"], None, &value).unwrap()
    }

    fn keys(path: &str) -> Vec<Step> {
        path.split('/').map(|key| Step::Key(key.to_owned())).collect()
    }

    #[test]
    fn taking_out_what_was_put_in_gives_the_same_bytes() {
        for text in SHAPES {
            let (with, made) = put(text);
            let read = JsonText::read(&with).unwrap();
            let elements = read.value["hooks"]["PreToolUse"].as_array().unwrap();
            let path = match made.first() {
                Some(outermost) => keys(outermost),
                None => [keys("hooks/PreToolUse"), vec![Step::At(elements.len() - 1)]].concat(),
            };
            assert_eq!(read.without(&path).as_deref(), Some(text), "{with}");
        }
    }

    #[test]
    fn nothing_but_the_new_value_differs() {
        for text in SHAPES {
            let with = put(text).0;
            let mut value: Value = serde_json::from_str(&with).unwrap();
            let event = value["hooks"]["PreToolUse"].as_array_mut().unwrap();
            assert_eq!(event.pop().unwrap()["hooks"][0]["command"], "x");
            let emptied = event.is_empty();
            let hooks = value["hooks"].as_object_mut().unwrap();
            if emptied {
                hooks.remove("PreToolUse");
            }
            if hooks.is_empty() {
                value.as_object_mut().unwrap().remove("hooks");
            }
            assert_eq!(value, serde_json::from_str::<Value>(text).unwrap(), "{with}");
        }
    }

    #[test]
    fn it_is_formatted_as_the_text_around_it() {
        assert_eq!(
            put("{\n\t\"a\": 1\n}\n").0,
            "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"command\": \
             \"x\",\n\t\t\t\t\t\t\"type\": \"command\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n"
        );
        let compact = "{\"a\":1,\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"command\":\"x\",\"type\":\"command\"}]}]}}";
        assert_eq!(put("{\"a\":1}").0, compact);
        assert!(put("{\r\n  \"a\": 1\r\n}\r\n").0.lines().count() > 5);
        assert!(!put("{\r\n  \"a\": 1\r\n}\r\n").0.replace("\r\n", "").contains('\n'));
        let empty = JsonText::read("{}\n").unwrap().with(&["m"], Some("k"), &json!(1)).unwrap().0;
        assert_eq!(empty, "{\n  \"m\": {\n    \"k\": 1\n  }\n}\n");
    }

    #[test]
    fn what_is_made_on_the_way_is_told() {
        assert_eq!(put("{}").1, ["hooks", "hooks/PreToolUse"]);
        assert_eq!(put("{\"hooks\": {}}").1, ["hooks/PreToolUse"]);
        assert_eq!(put("{\"hooks\": {\"PreToolUse\": []}}").1, Vec::<String>::new());
    }

    #[test]
    fn what_cannot_be_understood_is_told_with_its_line() {
        for (text, part) in [
            ("", "line 1"),
            ("{\n  // no\n}", "line 2"),
            ("{\n  \"a\": 1,\n}", "line 3"),
            ("[]", "no JSON object"),
            ("{\"a\": 1", "line 1"),
            ("\u{feff}{}", "line 1"),
        ] {
            let told = JsonText::read(text).unwrap_err();
            assert!(told.contains(part), "{text:?}: {told}");
        }
        for (text, part) in [
            ("{\n\"hooks\": []}", "is not an object (line 2)"),
            ("{\n\n\"hooks\": {\"PreToolUse\": 7}}", "hooks.PreToolUse is not a list (line 3)"),
            ("{\"hooks\": {},\n\"hooks\": {}}", "hooks is there twice (line 2)"),
        ] {
            let told = JsonText::read(text).unwrap().with(&["hooks", "PreToolUse"], None, &json!(1)).unwrap_err();
            assert!(told.contains(part), "{text:?}: {told}");
        }
    }

    #[test]
    fn something_in_the_middle_is_taken_out_alone() {
        let text = "{\n  \"a\": 1,\n  \"b\": [1, 2, 3],\n  \"c\": 3\n}\n";
        let read = JsonText::read(text).unwrap();
        assert_eq!(read.without(&keys("a")).unwrap(), "{\n  \"b\": [1, 2, 3],\n  \"c\": 3\n}\n");
        assert_eq!(read.without(&[Step::Key("b".into()), Step::At(1)]).unwrap(), text.replace(" 2,", ""));
        assert_eq!(read.without(&keys("c")).unwrap(), "{\n  \"a\": 1,\n  \"b\": [1, 2, 3]\n}\n");
        assert_eq!(read.without(&keys("none")), None);
    }
}
