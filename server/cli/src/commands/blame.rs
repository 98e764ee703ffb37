//! `blame`: who wrote each line of a file as it is now.

use augment_protocol::changes::{Blame, Content, OneFile, WhichContent};
use augment_protocol::methods::{ChangesContent, GetBlame};

use super::changes::text_of;
use super::{Ended, Ending, Session};
use crate::args::BlameArgs;
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::Format;
use crate::output::changes::blame::{blame, clipped, no_lines};

/// How often the file may change between its authors and its lines before what there is must do.
const ROUNDS: u32 = 5;

pub(super) async fn run(session: &mut Session, args: BlameArgs) -> Ended {
    let path = session.typed_path(&args.file)?;
    let mut client = session.connect(Wish::OneShot).await?;
    let whole = |found: Blame| match args.lines {
        Some(lines) => clipped(found, lines),
        None => found,
    };
    if session.output.format() == Format::Json {
        let found = client.call::<GetBlame>(OneFile { path, decided: None }).await?;
        session.output.json(&whole(found))?;
        return Ok(Ending::Done);
    }
    let (found, content) = fetch(&mut client, &path).await?;
    match no_lines(&content) {
        Some(words) => session.output.print(words)?,
        None => session.output.print(&blame(&whole(found), text_of(&content).as_deref()))?,
    }
    Ok(Ending::Done)
}

/// Authors and lines of one and the same content.
async fn fetch(client: &mut Client, path: &str) -> Result<(Blame, Content), CallError> {
    let mut round = 0;
    loop {
        round += 1;
        let found = client.call::<GetBlame>(OneFile { path: path.to_owned(), decided: None }).await?;
        let which = WhichContent { path: path.to_owned(), ..WhichContent::default() };
        let content = client.call::<ChangesContent>(which).await?;
        if found.hash == content.hash || round == ROUNDS {
            return Ok((found, content));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::script::{Reply, host};

    #[tokio::test]
    async fn authors_and_lines_are_of_one_content() {
        let authors = |hash: &str| Reply::Result(json!({ "path": "a", "hash": hash, "spans": [] }));
        let lines = |hash: &str| {
            let content = json!({
                "path": "a", "body": "text", "text": hash, "exact": true, "base64": null, "hash": hash, "mode": 0o644,
            });
            Reply::Result(content)
        };
        let (blame, content) = ("augment/blame", "augment/changes/content");
        // Between the first two answers the file was written.
        let script = vec![(blame, authors("1")), (content, lines("2")), (blame, authors("2")), (content, lines("2"))];
        let (mut client, said) = host(script).await;
        let (found, shown) = fetch(&mut client, "a").await.unwrap();
        assert_eq!((found.hash, shown.hash), (Some("2".into()), Some("2".into())));
        assert_eq!(said.await.unwrap().len(), 4);
    }
}
