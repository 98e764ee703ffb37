//! Commands that stay: they end with Ctrl-C, or when the reader of their output has left, whether or not there is
//! something to print just then.

use std::io;
use std::os::fd::AsFd as _;

use tokio::io::Interest;
use tokio::net::unix::pipe::Sender;

use super::{Ended, Failure};

/// Works until it ends by itself, is interrupted, or nobody reads any more.
pub(super) async fn until_left(work: impl Future<Output = Ended>) -> Ended {
    tokio::select! {
        // Ctrl-C is heard only once it has been waited for, so that comes before the first line is printed.
        biased;
        interrupted = tokio::signal::ctrl_c() => match interrupted {
            Ok(()) => Err(Failure::Interrupted),
            Err(error) => Err(Failure::told("signal", format!("Ctrl-C cannot be waited for: {error}."))),
        },
        () = reader_left() => Err(Failure::Closed),
        ended = work => ended,
    }
}

/// Ends when stdout is a pipe whose reader has gone. Elsewhere it never does: files and terminals cannot be waited for
/// in this way, or need not be.
async fn reader_left() {
    let is_pipe = rustix::fs::fstat(io::stdout())
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Fifo);
    let own = if is_pipe { io::stdout().as_fd().try_clone_to_owned().ok() } else { None };
    // Unchecked, since the checked way makes the pipe non-blocking, and with it the stdout that all printing goes to.
    // Nothing is ever written here.
    if let Some(pipe) = own.and_then(|own| Sender::from_owned_fd_unchecked(own).ok())
        && pipe.ready(Interest::ERROR).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}
