//! `claim`: says that a file is written for a task. It is evidence, not a lock: it hinders nobody.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use augment_core::file::ContentHash;
use augment_core::text::{quoted, visible};
use augment_protocol::changes::ClaimFile;
use augment_protocol::methods::FileClaim;

use super::{Ended, Ending, Failure, Session};
use crate::args::ClaimFileArgs;
use crate::connect::Wish;

/// The longest content that is hashed. Longer files are not kept anyway, so their content proves nothing.
const CONTENT_LIMIT: u64 = 64 * 1_024 * 1_024;

pub(super) async fn run(session: &mut Session, args: ClaimFileArgs) -> Ended {
    let path = session.typed_path(&args.file)?;
    let hash = match (&args.hash, &args.content) {
        (Some(hash), _) => Some(checked(hash)?),
        (None, Some(content)) => Some(hash_of(content)?),
        (None, None) => None,
    };
    let params = ClaimFile { path: path.clone(), hash: hash.map(|hash| hash.to_string()), task: args.task_id };
    let document = serde_json::json!({ "claimed": params.path, "hash": params.hash, "task": params.task });
    session.connect(Wish::OneShot).await?.call::<FileClaim>(params).await?;
    let how = if hash.is_some() { " with exactly this content" } else { "" };
    session.show(&document, |_| format!("Claimed {}{how}.", visible(&path)))?;
    Ok(Ending::Done)
}

fn checked(hash: &str) -> Result<ContentHash, Failure> {
    ContentHash::from_hex(hash).ok_or_else(|| {
        let message = format!(
            "{} is not a BLAKE3 hash. Give 64 hexadecimal digits, or the content with --content.",
            quoted(hash)
        );
        Failure::told("bad-hash", message)
    })
}

fn hash_of(content: &Path) -> Result<ContentHash, Failure> {
    let read =
        if content.as_os_str() == "-" { bounded(io::stdin().lock()) } else { File::open(content).and_then(bounded) };
    match read {
        Ok(Some(bytes)) => Ok(ContentHash::of(&bytes)),
        Ok(None) => Err(Failure::told(
            "too-long",
            format!("The content is longer than {CONTENT_LIMIT} bytes. Claim the file without it."),
        )),
        Err(error) => {
            let name = visible(&content.to_string_lossy()).into_owned();
            Err(Failure::told("content", format!("The content {name} cannot be read: {error}.")))
        }
    }
}

/// All of it, or `None` where it is longer than the limit.
fn bounded(input: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    input.take(CONTENT_LIMIT + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= CONTENT_LIMIT).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_hashed_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("content");
        std::fs::write(&file, b"a\r\nb\xff").unwrap();
        assert_eq!(hash_of(&file).ok(), Some(ContentHash::of(b"a\r\nb\xff")));
        assert!(hash_of(&folder.path().join("none")).is_err());
        let hash = ContentHash::of(b"x").to_string();
        assert_eq!(checked(&hash).ok(), Some(ContentHash::of(b"x")));
        assert!(checked("abc").is_err());
    }
}
