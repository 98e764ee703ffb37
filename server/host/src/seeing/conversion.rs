//! What a checkout may do to a file on its way from the object database to the disk. Where it does something, the object
//! is not the file, and a copy is taken. Rules are read to the safe side: a line that may mean a conversion counts as
//! one, whatever takes it back later. No filter is ever run.

use std::path::Path;

use ignore::gitignore::Gitignore;

use super::rules::patterns;

/// From the harmless to the opaque.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Conversion {
    #[default]
    None,
    /// Line ends or `$Id$`: every such conversion changes the length.
    Visible,
    /// A filter or an encoding: the length says nothing.
    Opaque,
}

/// The lines of one file of attributes that matter here.
pub(super) struct Attributes {
    visible: Gitignore,
    opaque: Gitignore,
    /// For everything, from the repository's configuration.
    always: Conversion,
}

impl Default for Attributes {
    fn default() -> Self {
        Self { visible: Gitignore::empty(), opaque: Gitignore::empty(), always: Conversion::None }
    }
}

impl Attributes {
    pub(super) fn read(text: &[u8]) -> Self {
        let mut macros: Vec<(Vec<u8>, Conversion)> = Vec::new();
        let (mut visible, mut opaque) = (Vec::new(), Vec::new());
        for line in text.split(|byte| *byte == b'\n') {
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let Some(pattern) = words.next().filter(|word| !word.starts_with(b"#")) else { continue };
            let found = words.map(|word| conversion_of(word, &macros)).max().unwrap_or_default();
            if let Some(name) = pattern.strip_prefix(b"[attr]") {
                macros.push((name.to_vec(), found));
                continue;
            }
            let lines = match found {
                Conversion::None => continue,
                Conversion::Visible => &mut visible,
                Conversion::Opaque => &mut opaque,
            };
            // A quoted pattern is too rare to be taken apart: it counts for everything.
            lines.extend_from_slice(if pattern.starts_with(b"\"") { b"*" } else { pattern });
            lines.push(b'\n');
        }
        Self { visible: patterns(&visible), opaque: patterns(&opaque), always: Conversion::None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.visible.is_empty() && self.opaque.is_empty() && self.always == Conversion::None
    }

    /// What the configuration does to all files.
    pub(super) fn with_always(mut self, always: Conversion) -> Self {
        self.always = always;
        self
    }

    pub(super) fn conversion(&self, path: &Path) -> Conversion {
        if self.opaque.matched(path, false).is_ignore() {
            Conversion::Opaque
        } else if self.visible.matched(path, false).is_ignore() {
            Conversion::Visible
        } else {
            self.always
        }
    }
}

fn conversion_of(word: &[u8], macros: &[(Vec<u8>, Conversion)]) -> Conversion {
    if word.starts_with(b"-") || word.starts_with(b"!") {
        return Conversion::None;
    }
    let name = word.split(|byte| *byte == b'=').next().unwrap_or(word);
    match name {
        b"filter" | b"working-tree-encoding" | b"encoding-working-tree" => Conversion::Opaque,
        b"text" | b"eol" | b"crlf" | b"ident" => Conversion::Visible,
        name => macros.iter().rev().find(|(known, _)| known == name).map_or(Conversion::None, |(_, found)| *found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_may_convert_are_found() {
        let attributes = Attributes::read(
            b"# *.no filter=x\n*.psd filter=lfs diff=lfs -text\n[attr]big filter=lfs\n*.iso big\n* text=auto\nbin/* -text\n*.u16 working-tree-encoding=UTF-16\n*.png binary\n",
        );
        for (path, expected) in [
            ("a.psd", Conversion::Opaque),
            ("a/b.iso", Conversion::Opaque),
            ("x.u16", Conversion::Opaque),
            ("main.rs", Conversion::Visible),
            ("a.no", Conversion::Visible),
        ] {
            assert_eq!(attributes.conversion(Path::new(path)), expected, "{path}");
        }
        let attributes = Attributes::read(b"*.png binary\n*.c diff=cpp\n");
        assert_eq!(attributes.conversion(Path::new("a.c")), Conversion::None);
    }
}
