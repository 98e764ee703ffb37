//! The known files of a folder, sorted by name. A workspace has very many folders with few files each, so those that are
//! found together lie together in one piece of memory, and their names in another; a folder gets pieces of its own when
//! something in it changes.

use std::ops::Range;
use std::sync::Arc;

use super::Entry;

/// A file and where its name lies.
struct Named {
    name: u32,
    name_length: u16,
    entry: Entry,
}

impl Named {
    fn name<'a>(&self, names: &'a [u8]) -> &'a [u8] {
        &names[self.name as usize..][..usize::from(self.name_length)]
    }
}

/// Files, and all their names one after the other.
#[derive(Default)]
pub(in crate::seeing) struct Piece {
    names: Vec<u8>,
    files: Vec<Named>,
}

impl Piece {
    /// `None` for a name that no file system has, or when there are more names than can be counted.
    fn add_name(&mut self, name: &[u8], entry: Entry) -> Option<Named> {
        let at = u32::try_from(self.names.len()).ok()?;
        let name_length = u16::try_from(name.len()).ok()?;
        self.names.extend_from_slice(name);
        Some(Named { name: at, name_length, entry })
    }

    fn push(&mut self, name: &[u8], entry: Entry) {
        let named = self.add_name(name, entry);
        self.files.extend(named);
    }

    fn known(&self, files: Range<usize>) -> Known<'_> {
        Known { names: &self.names, sorted: &self.files[files] }
    }
}

/// Folders with their files, as they are found.
#[derive(Default)]
pub(in crate::seeing) struct Gathered {
    piece: Piece,
    folders: Vec<(Box<[u8]>, Range<usize>)>,
    /// How many files belong to a folder already.
    done: usize,
}

impl Gathered {
    /// A file of the folder that will be named next, in any order.
    pub(in crate::seeing) fn push(&mut self, name: &[u8], entry: Entry) {
        self.piece.push(name, entry);
    }

    /// All files since the last folder lie in this one.
    pub(in crate::seeing) fn end_folder(&mut self, folder: Box<[u8]>) {
        let Piece { names, files } = &mut self.piece;
        if files.len() > self.done {
            files[self.done..].sort_unstable_by(|a, b| a.name(names).cmp(b.name(names)));
            self.folders.push((folder, self.done..files.len()));
            self.done = files.len();
        }
    }

    /// The folders in the order of their paths.
    pub(in crate::seeing) fn into_folders(mut self) -> Vec<(Box<[u8]>, Files)> {
        self.folders.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let piece = Arc::new(self.piece);
        let files = |files| Files::Shared { piece: Arc::clone(&piece), files };
        self.folders.into_iter().map(|(folder, range)| (folder, files(range))).collect()
    }
}

/// The files of one folder.
pub(in crate::seeing) enum Files {
    /// A part of a piece that others have parts of too.
    Shared { piece: Arc<Piece>, files: Range<usize> },
    Own {
        piece: Piece,
        /// Bytes of names that are not used any more.
        unused: usize,
    },
}

impl Default for Files {
    fn default() -> Self {
        Self::Own { piece: Piece::default(), unused: 0 }
    }
}

impl Files {
    pub(super) fn known(&self) -> Known<'_> {
        match self {
            Self::Shared { piece, files } => piece.known(files.clone()),
            Self::Own { piece, .. } => piece.known(0..piece.files.len()),
        }
    }

    /// True when the file was not known before.
    pub(super) fn set(&mut self, name: &[u8], entry: Entry) -> bool {
        let place = self.known().position(name);
        let (piece, _) = self.own();
        match place {
            Ok(at) => {
                piece.files[at].entry = entry;
                false
            }
            Err(at) => {
                let Some(named) = piece.add_name(name, entry) else { return false };
                piece.files.insert(at, named);
                true
            }
        }
    }

    /// True when the file was known before.
    pub(super) fn remove(&mut self, name: &[u8]) -> bool {
        let Ok(at) = self.known().position(name) else { return false };
        let (piece, unused) = self.own();
        *unused += usize::from(piece.files.remove(at).name_length);
        if *unused > piece.names.len() / 2 {
            *self = self.known().copied();
        }
        true
    }

    /// Its own piece, and how much of it is not used.
    fn own(&mut self) -> (&mut Piece, &mut usize) {
        if let Self::Shared { .. } = self {
            *self = self.known().copied();
        }
        match self {
            Self::Own { piece, unused } => (piece, unused),
            Self::Shared { .. } => unreachable!("it has just been given a piece of its own"),
        }
    }

    #[cfg(test)]
    pub(super) fn name_bytes(&self) -> usize {
        self.known().names.len()
    }
}

#[derive(Clone, Copy, Default)]
pub(in crate::seeing) struct Known<'a> {
    names: &'a [u8],
    sorted: &'a [Named],
}

impl<'a> Known<'a> {
    fn copied(self) -> Files {
        let name_bytes = self.sorted.iter().map(|named| usize::from(named.name_length)).sum();
        let (names, files) = (Vec::with_capacity(name_bytes), Vec::with_capacity(self.len() + 1));
        let mut piece = Piece { names, files };
        for (name, entry) in self.iter() {
            piece.push(name, *entry);
        }
        Files::Own { piece, unused: 0 }
    }

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
