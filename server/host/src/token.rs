//! Tokens: what a connection shows to prove its role. The person's token lies in a file that only the person can read; a
//! run's token is told once, to the holder, and kept only as its hash.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

const SECRET_BYTES: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("{} cannot be used as the person's token: {source}.", path.display())]
    Unusable { path: PathBuf, source: std::io::Error },
    #[error("{} can be read by others or is not yours. Remove it; a new one is made at the next start.", path.display())]
    NotPrivate { path: PathBuf },
    #[error("{} does not hold a token. Remove it; a new one is made at the next start.", path.display())]
    NoToken { path: PathBuf },
    #[error("The system gave no random numbers: {0}.")]
    NoRandom(getrandom::Error),
}

/// A new secret, as hexadecimal text.
pub fn fresh() -> Result<String, TokenError> {
    let mut secret = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut secret).map_err(TokenError::NoRandom)?;
    Ok(blake3::Hash::from_bytes(secret).to_hex().to_string())
}

#[must_use]
pub fn hash(token: &str) -> [u8; 32] {
    blake3::hash(token.as_bytes()).into()
}

/// Whether two tokens are the same, in a time that does not tell how much of them agrees.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    blake3::hash(a.as_bytes()) == blake3::hash(b.as_bytes())
}

/// The person's token, made on first use. Call only as the owner of the workspace.
pub fn of_person(path: &Path) -> Result<String, TokenError> {
    match read_person(path) {
        Err(TokenError::Unusable { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => make_person(path),
        answer => answer,
    }
}

/// The person's token if there is one.
pub fn read_person(path: &Path) -> Result<String, TokenError> {
    let unusable = |source| TokenError::Unusable { path: path.to_owned(), source };
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0))
        .open(path)
        .map_err(unusable)?;
    let found = file.metadata().map_err(unusable)?;
    if found.mode() & 0o077 != 0 || found.uid() != rustix::process::getuid().as_raw() {
        return Err(TokenError::NotPrivate { path: path.to_owned() });
    }
    let mut text = String::new();
    file.take(256).read_to_string(&mut text).map_err(unusable)?;
    let token = text.trim();
    if token.len() != SECRET_BYTES * 2 || !token.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(TokenError::NoToken { path: path.to_owned() });
    }
    Ok(token.to_owned())
}

fn make_person(path: &Path) -> Result<String, TokenError> {
    let unusable = |source| TokenError::Unusable { path: path.to_owned(), source };
    let token = fresh()?;
    // Written beside and renamed, so that a crash never leaves half a token.
    let beside = path.with_extension("new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside).map_err(unusable)?;
    file.write_all(token.as_bytes()).and_then(|()| file.sync_all()).map_err(unusable)?;
    std::fs::rename(&beside, path).map_err(unusable)?;
    Ok(token)
}
