//! The way from runs to the loop: what is seen of them is posted, and before one is over the files are looked at.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use augment_core::turn::Input;
use tokio::sync::oneshot;

use super::eyes::{Eyes, Opener};
use super::{Letter, Reply};
use crate::agents::running::Running;
use crate::workspace::Places;

/// The runs, with the way to the mailbox and to the files.
pub(super) fn kept_here(
    places: &Places,
    mailbox: &SyncSender<Letter>,
    opener: &Opener,
    eyes: &Arc<Eyes>,
) -> Result<Arc<Running>, std::io::Error> {
    let mailbox = mailbox.clone();
    let post = Arc::new(move |input: Input| {
        let (reply, _nobody_waits) = oneshot::channel();
        let letter = Letter::Input { input: Box::new(input), reply: Reply::Asker(reply) };
        if mailbox.send(letter).is_err() {
            tracing::debug!("the host leaves; the next one will see what a run does now");
        }
    });
    let (opener, eyes) = (opener.clone(), eyes.clone());
    let settle = Arc::new(move || {
        if let Err(error) = opener.settle(&eyes) {
            tracing::warn!("{error}");
        }
    });
    Running::new(places.data.join("runs"), places.root.clone(), post, settle)
}
