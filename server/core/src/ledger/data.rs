//! The data of a record, and its one canonical JSON text: keys in order, no spaces, nothing optional in the spelling.

use std::collections::BTreeMap;

use super::encoding;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Data>),
    Map(BTreeMap<&'static str, Data>),
}

impl Data {
    #[must_use]
    pub fn map<const N: usize>(entries: [(&'static str, Self); N]) -> Self {
        Self::Map(entries.into())
    }

    /// Every text in it as the function gives it.
    pub(crate) fn each_text(&mut self, change: &impl Fn(&str) -> Option<String>) {
        match self {
            Self::Null | Self::Bool(_) | Self::Int(_) => {}
            Self::Text(text) => {
                if let Some(changed) = change(text) {
                    *text = changed;
                }
            }
            Self::List(items) => items.iter_mut().for_each(|item| item.each_text(change)),
            Self::Map(entries) => entries.values_mut().for_each(|value| value.each_text(change)),
        }
    }

    #[must_use]
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Int(value) => out.push_str(&value.to_string()),
            Self::Text(text) => encoding::write_text(out, text),
            Self::List(items) => encoding::write_list(out, items, |out, item| item.write(out)),
            Self::Map(entries) => {
                out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    encoding::write_text(out, key);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Data {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Data {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u64> for Data {
    fn from(value: u64) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Data {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Data {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Data {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_json_has_one_spelling() {
        let data = Data::map([
            ("z", Data::Null),
            ("a", Data::List(vec![true.into(), (-5_i64).into(), "q\"\\\n\u{1b}ä".into()])),
            ("m", Data::map([("k", "v".into())])),
        ]);
        assert_eq!(data.canonical(), r#"{"a":[true,-5,"q\"\\\n\u001bä"],"m":{"k":"v"},"z":null}"#);
    }
}
