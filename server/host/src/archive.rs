//! The archive of ended sessions: folders in the workspace, each with a record that programs read, a summary that people
//! read and the session's part of the ledger. This room says what is written there, and reads, finds, checks and takes in
//! such folders.
//!
//! What lies there came with the repository, perhaps from somebody else: it is data of bounded size and strict form, no
//! link in it is followed, and nothing in it is ever run. The index beside the workspace's data is a copy that is made
//! anew whenever it does not fit; no fact lives there alone.

mod adherence;
pub mod form;
mod import;
mod index;
pub mod lines;
mod read;
pub mod redaction;
pub mod schema;
mod verify;
mod words;
pub mod write;

pub use adherence::archived;
pub use import::{Arrival, ImportError, Prepared, prepare, put};
pub use index::{ArchiveIndex, Filter, Found, Hit, IndexError, Problem, Read, Reading, Row, Taken};
pub use read::{RECORD_BYTES, ReadError, Shelf, is_plain_name, record_of};
pub use verify::{Checked, Unsound, check_files, check_ledger};
pub use words::{NotSearchable, to_match};
