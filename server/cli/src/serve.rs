//! `augment-cli serve --stdio`: what editors start. It connects to the host, starting one if there is none, and copies
//! bytes. It understands none of them but a goodbye, and ends when either side does.

mod farewell;

use std::time::Duration;

use augment_host::workspace::Workspace;
use tokio::io::{AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::connect::{self, ConnectError};
use farewell::{Farewell, Goodbye};

/// How long the host may take for its last words after the editor has closed its side.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a serving pipe ended.
#[derive(Debug)]
enum End {
    Editor,
    Host,
}

pub(crate) async fn run(workspace: &Workspace) -> Result<(), ConnectError> {
    let stream = connect::lasting_stream(workspace).await?;
    let (mut from_host, mut to_host) = stream.into_split();
    let mut farewell = Farewell::default();
    let upstream = async {
        let copied = copy(&mut to_host, &mut farewell).await;
        let closed = to_host.shutdown().await;
        copied.and(closed)
    };
    let downstream = async {
        let mut output = tokio::io::stdout();
        let mut buffer = vec![0_u8; 64 * 1_024];
        loop {
            let read = from_host.read(&mut buffer).await?;
            if read == 0 {
                return std::io::Result::Ok(());
            }
            output.write_all(&buffer[..read]).await?;
            output.flush().await?;
        }
    };
    tokio::pin!(downstream);
    let end = tokio::select! {
        _ = upstream => {
            // The editor is done; what the host still has to say gets a moment.
            if tokio::time::timeout(LAST_WORDS, &mut downstream).await.is_err() {
                tracing::debug!("the host kept its side open");
            }
            End::Editor
        }
        _ = &mut downstream => End::Host,
    };
    let broken = |why: &str| Err(ConnectError::Broken(std::io::Error::other(why.to_owned())));
    match (end, farewell.goodbye()) {
        // The host ends a connection whose editor has said goodbye.
        (End::Editor, _) | (End::Host, Goodbye::InOrder) => Ok(()),
        (End::Host, Goodbye::Abrupt) => broken("the editor said exit without shutdown"),
        (End::Host, Goodbye::NotSaid) => broken("the host went away"),
    }
}

/// What the editor says, on to the host.
async fn copy(to_host: &mut (impl AsyncWrite + Unpin), farewell: &mut Farewell) -> std::io::Result<()> {
    let mut input = tokio::io::stdin();
    let mut buffer = vec![0_u8; 64 * 1_024];
    loop {
        let read = input.read(&mut buffer).await?;
        if read == 0 {
            return Ok(());
        }
        farewell.hear(&buffer[..read]);
        to_host.write_all(&buffer[..read]).await?;
    }
}
