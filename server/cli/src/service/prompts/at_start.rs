//! The files as they were committed when the prompt under way began: what its commits have taken away is known by that.

use augment_core::file::FileState;
use augment_core::review::TrackedFile;
use augment_host::vcs::history::History;
use tower_lsp_server::jsonrpc::Result;

use super::desk::Desk;
use super::tip_files::TipFiles;

pub(super) struct AtStart<'a> {
    /// `None` where no prompt is under way, or nothing was committed before it.
    files: Option<TipFiles<'a>>,
}

impl<'a> AtStart<'a> {
    /// `files` as `TipFiles` takes them.
    pub(super) fn new(desk: &'a Desk, history: &'a dyn History, files: &'a [TrackedFile]) -> Result<Self> {
        let began_at = desk.began_at()?;
        Ok(Self { files: began_at.map(|commit| TipFiles::new(desk, history, files).of(Some(commit))) })
    }

    /// The file as it was, where that may matter.
    pub(super) fn of(&self, file: &TrackedFile) -> Result<Option<FileState>> {
        self.files.as_ref().filter(|_| file.weave.may_return()).map(|files| files.before(file)).transpose()
    }
}
