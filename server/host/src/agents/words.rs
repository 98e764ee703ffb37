//! Bytes into text, however they are cut: a character whose bytes come in two pieces is one character, and bytes that are
//! no text are shown as U+FFFD.

/// The part of a character that was heard, and waits for the rest of it. Never more than three bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    half: Vec<u8>,
}

impl Words {
    /// Goes on after this part of a character.
    pub(super) fn after(half: &[u8]) -> Self {
        Self { half: half[..half.len().min(3)].to_vec() }
    }

    pub(super) fn half(&self) -> &[u8] {
        &self.half
    }

    pub(super) fn hear(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.half);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        for chunk in all.utf8_chunks() {
            text.push_str(chunk.valid());
            let invalid = chunk.invalid();
            let last = invalid.as_ptr_range().end == all.as_ptr_range().end;
            if last && may_go_on(invalid) {
                self.half = invalid.to_vec();
            } else if !invalid.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        text
    }

    /// What was half heard, when no more will come.
    pub(super) fn rest(&mut self) -> Option<String> {
        (!std::mem::take(&mut self.half).is_empty()).then(|| char::REPLACEMENT_CHARACTER.to_string())
    }
}

/// Whether more bytes could make a character of these.
fn may_go_on(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => false,
        Err(error) => error.error_len().is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_the_same_however_it_is_cut() {
        let bytes = b"a\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xff\xc3( \xe2\x82 end\xf0\x9f";
        let whole = String::from_utf8_lossy(bytes).into_owned();
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let mut words = Words::default();
                let mut text = words.hear(&bytes[..first]);
                text += &words.hear(&bytes[first..second]);
                text += &words.hear(&bytes[second..]);
                text += &words.rest().unwrap_or_default();
                assert_eq!(text, whole, "cut at {first} and {second}");
            }
        }
    }
}
