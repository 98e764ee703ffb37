//! One connection: frames in, answers and notices out. Requests reach the service in the order they came, each polled
//! once before the next is read, so that what they post is posted in that order.

use std::sync::Arc;

use augment_core::actor::Actor;
use augment_host::runtime::Moved;
use augment_protocol::methods::{MovedNotice, Notification as _};
use augment_protocol::status::{Moved as MovedWire, Part};
use futures::stream::{FuturesUnordered, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tower::Service as _;
use tower_lsp_server::jsonrpc::{Error, Request, Response};

use super::editing::{self, Editing};
use super::frames::{self, FrameError, FrameReader};
use super::{ClientGuard, Shared, has_to_leave, methods};

/// How many requests of one connection are answered at once; past that its frames wait.
const IN_FLIGHT: usize = 64;

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;

/// Serves a connection that has been let in, until it ends or the process leaves.
pub(crate) async fn serve<R, W>(reader: R, mut writer: W, shared: Arc<Shared>, actor: Actor)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let _guard = ClientGuard::new(shared.clone());
    if let Err(error) = converse(FrameReader::new(reader), &mut writer, &shared, actor).await {
        tracing::debug!("a connection ended: {error}");
    }
}

async fn converse<R, W>(
    mut frames: FrameReader<R>,
    writer: &mut W,
    shared: &Arc<Shared>,
    actor: Actor,
) -> std::io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (id, mut orders) = shared.runtime.editors().begin();
    let (editor, mut messages) = Editing::new(id);
    let editor = Arc::new(editor);
    let (mut service, _socket) = methods::service(shared.clone(), actor.clone(), editor.clone());
    let _ending = Ending { editing: editor.clone(), shared: shared.clone() };
    let mut in_flight = FuturesUnordered::new();
    let mut confirming = FuturesUnordered::new();
    let mut moved = shared.runtime.moved();
    let mut told = *moved.borrow_and_update();
    let mut leaving = shared.leaving();
    let mut listens = false;
    loop {
        let has_room = in_flight.len() < IN_FLIGHT;
        tokio::select! {
            biased;
            Some(response) = in_flight.next(), if !in_flight.is_empty() => {
                if let Ok(Some(response)) = response {
                    listens |= is_introduction(&response);
                    frames::write(writer, &serde_json::to_vec(&response)?).await?;
                }
            }
            Some(()) = confirming.next(), if !confirming.is_empty() => {}
            frame = frames.next(), if has_room => match frame {
                Ok(None) => break,
                Ok(Some(frame)) => match understand(&frame) {
                    Ok(Understood::Answer(answer)) => {
                        if let Some(input) = editor.answered(&answer) {
                            // Told to whoever looks; nobody waits for it here.
                            drop(shared.runtime.post(input));
                        }
                        if let Some(decide) = editor.agreed(&answer) {
                            let door = service.inner().clone();
                            confirming.push(async move { door.confirmed(decide).await });
                        }
                    }
                    Ok(Understood::Request(request)) => {
                        // The service leaves requests of this kind without an answer, which nobody may wait for in vain.
                        if let Some(id) = request.id().filter(|_| request.method().starts_with("$/")) {
                            let response = Response::from_error(id.clone(), Error::method_not_found());
                            frames::write(writer, &serde_json::to_vec(&response)?).await?;
                            continue;
                        }
                        let ends = request.method() == "exit";
                        let mut answer = service.call(request);
                        match futures::poll!(&mut answer) {
                            std::task::Poll::Ready(Ok(Some(response))) => {
                                listens |= is_introduction(&response);
                                frames::write(writer, &serde_json::to_vec(&response)?).await?;
                            }
                            std::task::Poll::Ready(Ok(None) | Err(_)) => {}
                            std::task::Poll::Pending => in_flight.push(answer),
                        }
                        if ends {
                            break;
                        }
                    }
                    Err((code, message)) => frames::write(writer, &error_frame(code, &message)).await?,
                },
                Err(FrameError::Io(error)) => return Err(error),
                Err(error) => {
                    // Where one frame ends and the next begins is lost, so this is the last word.
                    frames::write(writer, &error_frame(PARSE_ERROR, &error.to_string())).await?;
                    break;
                }
            },
            Ok(()) = moved.changed(), if listens => {
                let now = *moved.borrow_and_update();
                if editor.hears_moves() {
                    frames::write(writer, &moved_frame(told, now)).await?;
                }
                let changed = told.changes != now.changes;
                told = now;
                if changed {
                    for news in editor.news(service.inner()).await {
                        frames::write(writer, news.to_string().as_bytes()).await?;
                    }
                }
            }
            Some(message) = messages.recv() => frames::write(writer, message.to_string().as_bytes()).await?,
            () = editor.is_due(), if listens => {
                for news in editor.diagnostics(service.inner()).await {
                    frames::write(writer, news.to_string().as_bytes()).await?;
                }
            }
            Some(order) = orders.recv() => match editor.request(shared, &order) {
                Some(request) => frames::write(writer, request.to_string().as_bytes()).await?,
                None => {
                    tracing::warn!("{} cannot be changed in its editor", order.path);
                    drop(shared.runtime.post(editing::not_done(&order)));
                }
            },
            () = has_to_leave(&mut leaving), if in_flight.is_empty() => break,
        }
    }
    // What a person has said yes to is done, also if the editor is gone by then.
    while confirming.next().await.is_some() {}
    // A client that has said all it wants to say may still be waiting for its answers.
    while let Some(response) = in_flight.next().await {
        if let Ok(Some(response)) = response {
            frames::write(writer, &serde_json::to_vec(&response)?).await?;
        }
    }
    Ok(())
}

/// Lets go of an editor's documents when its connection ends, however it ends.
struct Ending {
    editing: Arc<Editing>,
    shared: Arc<Shared>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let (editing, shared) = (self.editing.clone(), self.shared.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            drop(runtime.spawn(async move { editing.end(&shared).await }));
        }
    }
}

/// What a frame is.
#[derive(Debug)]
enum Understood {
    Request(Request),
    /// To a request of ours.
    Answer(Value),
}

fn understand(frame: &[u8]) -> Result<Understood, (i64, String)> {
    let value: Value =
        serde_json::from_slice(frame).map_err(|error| (PARSE_ERROR, format!("The frame is not JSON: {error}.")))?;
    let Value::Object(object) = &value else {
        return Err((INVALID_REQUEST, "The frame is JSON, but not an object.".into()));
    };
    let Some(method) = object.get("method") else {
        return if object.contains_key("result") || object.contains_key("error") {
            Ok(Understood::Answer(value))
        } else {
            Err((INVALID_REQUEST, "The frame has no method.".into()))
        };
    };
    let needs_params = method.as_str().is_some_and(|method| method.starts_with("augment/"));
    let has_params = object.get("params").is_some_and(|params| !params.is_null());
    let mut value = value;
    if needs_params && !has_params {
        value["params"] = json!({});
    }
    serde_json::from_value(value)
        .map(Understood::Request)
        .map_err(|error| (INVALID_REQUEST, format!("The frame is not a JSON-RPC request: {error}.")))
}

/// Whether this is the answer to `initialize`: from then on the client hears what moves.
fn is_introduction(response: &Response) -> bool {
    response.result().is_some_and(|result| result.pointer("/capabilities/experimental/augment").is_some())
}

fn error_frame(code: i64, message: &str) -> Vec<u8> {
    json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}}).to_string().into_bytes()
}

fn moved_frame(told: Moved, now: Moved) -> Vec<u8> {
    let mut parts = vec![Part::Ledger];
    if now.queue != told.queue {
        parts.push(Part::Queue);
    }
    if now.settings != told.settings {
        parts.push(Part::Settings);
    }
    if now.changes != told.changes {
        parts.push(Part::Changes);
    }
    if now.agents != told.agents {
        parts.push(Part::Agents);
    }
    if now.sessions != told.sessions {
        parts.push(Part::Sessions);
    }
    if now.prompts != told.prompts {
        parts.push(Part::Prompts);
    }
    let params = MovedWire { revision: now.revision, parts };
    json!({"jsonrpc": "2.0", "method": MovedNotice::NAME, "params": params}).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_no_requests_are_told_apart() {
        let problem =
            |frame: &str| understand(frame.as_bytes()).err().map(|(code, message)| format!("{code} {message}"));
        assert_eq!(problem(r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#), None);
        assert_eq!(problem(r#"{"jsonrpc":"2.0","id":1,"result":null}"#), None);
        assert_eq!(
            problem("{").unwrap(),
            "-32700 The frame is not JSON: EOF while parsing an object at line 1 column 1."
        );
        assert_eq!(problem("[]").unwrap(), "-32600 The frame is JSON, but not an object.");
        assert_eq!(problem(r#"{"jsonrpc":"2.0","id":1}"#).unwrap(), "-32600 The frame has no method.");
        assert!(
            problem(r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#)
                .unwrap()
                .starts_with("-32600 The frame is not a JSON-RPC")
        );
        assert!(
            problem(&"[".repeat(5_000)).unwrap().starts_with("-32700 The frame is not JSON: recursion limit exceeded")
        );
    }
}
