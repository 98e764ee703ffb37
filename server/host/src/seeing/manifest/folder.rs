//! The known files of one folder, sorted by name. The names lie in one piece: a workspace has very many of them, and a
//! piece of memory for each would cost more than all that is known of the file.

use super::Entry;

#[derive(Default)]
pub(in crate::seeing) struct Files {
    names: Vec<u8>,
    sorted: Vec<Named>,
    /// Bytes of names that are not used any more.
    unused: usize,
}

/// A file and where its name lies.
pub(in crate::seeing) struct Named {
    name: u32,
    name_length: u16,
    entry: Entry,
}

impl Named {
    /// `at` is where the name lies among all names. `None` for a name that no file system has.
    pub(in crate::seeing) fn new(at: usize, length: usize, entry: Entry) -> Option<Self> {
        Some(Self { name: u32::try_from(at).ok()?, name_length: u16::try_from(length).ok()?, entry })
    }

    fn name<'a>(&self, names: &'a [u8]) -> &'a [u8] {
        &names[self.name as usize..][..usize::from(self.name_length)]
    }
}

impl Files {
    /// Of files in any order, whose names lie in `names`; the list is empty afterwards and can be used again.
    pub(in crate::seeing) fn gather(names: &[u8], named: &mut Vec<Named>) -> Self {
        named.sort_unstable_by(|a, b| a.name(names).cmp(b.name(names)));
        let bytes = named.iter().map(|named| usize::from(named.name_length)).sum();
        let mut files = Self::with_capacity(bytes, named.len());
        for named in named.drain(..) {
            files.push(named.name(names), named.entry);
        }
        files
    }

    pub(super) fn with_capacity(name_bytes: usize, files: usize) -> Self {
        Self { names: Vec::with_capacity(name_bytes), sorted: Vec::with_capacity(files), unused: 0 }
    }

    /// Puts a file behind all others, where it belongs by its name. A name that no file system has is left out.
    pub(super) fn push(&mut self, name: &[u8], entry: Entry) {
        self.sorted.extend(Named::new(self.names.len(), name.len(), entry));
        self.names.extend_from_slice(name);
    }

    /// True when the file was not known before.
    pub(super) fn set(&mut self, name: &[u8], entry: Entry) -> bool {
        match self.known().position(name) {
            Ok(at) => {
                self.sorted[at].entry = entry;
                false
            }
            Err(at) => {
                let Some(named) = Named::new(self.names.len(), name.len(), entry) else { return false };
                self.names.extend_from_slice(name);
                self.sorted.insert(at, named);
                true
            }
        }
    }

    /// True when the file was known before.
    pub(super) fn remove(&mut self, name: &[u8]) -> bool {
        let Ok(at) = self.known().position(name) else { return false };
        self.unused += usize::from(self.sorted.remove(at).name_length);
        if self.unused > self.names.len() / 2 {
            *self = Self::gather(&self.names, &mut self.sorted);
        }
        true
    }

    #[cfg(test)]
    pub(super) fn name_bytes(&self) -> usize {
        self.names.len()
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known { names: &self.names, sorted: &self.sorted }
    }
}

#[derive(Clone, Copy, Default)]
pub(in crate::seeing) struct Known<'a> {
    names: &'a [u8],
    sorted: &'a [Named],
}

impl<'a> Known<'a> {
    pub(in crate::seeing) fn get(&self, name: &[u8]) -> Option<&'a Entry> {
        self.position(name).ok().map(|at| &self.sorted[at].entry)
    }

    /// Where a file is, or else where it would be.
    pub(in crate::seeing) fn position(&self, name: &[u8]) -> Result<usize, usize> {
        self.sorted.binary_search_by(|named| named.name(self.names).cmp(name))
    }

    pub(in crate::seeing) fn len(&self) -> usize {
        self.sorted.len()
    }

    pub(in crate::seeing) fn at(&self, position: usize) -> (&'a [u8], &'a Entry) {
        let named = &self.sorted[position];
        (named.name(self.names), &named.entry)
    }

    pub(in crate::seeing) fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a Entry)> {
        self.sorted.iter().map(move |named| (named.name(self.names), &named.entry))
    }
}
