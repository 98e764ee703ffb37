//! The hello at both ends of a connection: one bounded line each way, in bounded time, before any JSON-RPC.

use std::sync::Arc;
use std::time::Duration;

use augment_core::actor::{Actor, Role};
use augment_core::turn::Input;
use augment_host::agents::processes::{is_below_this, is_kept};
use augment_protocol::PROTOCOL_VERSION;
use augment_protocol::hello::{ClientHello, HELLO_LIMIT, HostHello};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::{Shared, VERSION};

const PATIENCE: Duration = Duration::from_secs(5);

/// What a process hears that an agent has started and that wants to pass for a person.
pub(crate) const NOT_A_PERSON: &str = "This program was started by an agent, so it can only speak with its run's token. A person decides in a window of their own.";

/// What the host made of a caller.
#[derive(Debug)]
pub(crate) enum Admission {
    Welcome(Actor),
    /// A newer program takes over.
    HandOver,
    Refused,
}

/// The host's side: reads the caller's hello, answers it, and says who it is. The caller's process is known where there is
/// one other than this.
pub(crate) async fn admit<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    shared: &Arc<Shared>,
    caller: Option<u32>,
) -> std::io::Result<Admission> {
    let line = tokio::time::timeout(PATIENCE, read_line(stream)).await??;
    let (answer, admission) = match judge(&line, shared, caller).await {
        Ok(verdict) => verdict,
        Err((code, message)) => {
            tracing::warn!(code, "a connection was refused");
            let noted = shared.runtime.post(Input::ConnectionRefused { reason: message.clone() }).await;
            if let Err(error) = noted {
                tracing::error!("{error}");
            }
            (HostHello::Refused { code: code.to_owned(), message }, Admission::Refused)
        }
    };
    let mut line = serde_json::to_vec(&answer)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    stream.flush().await?;
    Ok(admission)
}

/// Tells a caller that there is no room, without hearing it out.
pub(crate) async fn turn_away<S: AsyncWrite + Unpin>(stream: &mut S, connections: usize) {
    let message = format!("{connections} connections are open already, which is the limit. Close some and try again.");
    let answer = HostHello::Refused { code: "too-many-connections".into(), message };
    let line = serde_json::to_string(&answer).unwrap_or_default() + "\n";
    if stream.write_all(line.as_bytes()).await.is_err() {
        tracing::debug!("a caller that was turned away did not listen");
    }
}

async fn judge(
    line: &[u8],
    shared: &Arc<Shared>,
    caller: Option<u32>,
) -> Result<(HostHello, Admission), (&'static str, String)> {
    let hello: ClientHello = serde_json::from_slice(line).map_err(|error| {
        ("bad-hello", format!("The first line is not a hello: {error}. Speak through `augment-cli serve`."))
    })?;
    let (asked, shown) = (shared.clone(), hello.token.clone());
    let found = tokio::task::spawn_blocking(move || asked.actor_of(&shown)).await;
    let found = found.map_err(|_| ("not-readable", "The host could not look the token up. Try again.".to_owned()))?;
    let actor = found.map_err(|error| ("not-readable", error.to_string()))?.ok_or_else(|| {
        let message =
            "The token is not known in this workspace. Use the person's token, or the one that came with the task.";
        ("foreign-token", message.to_owned())
    })?;
    // Whatever an agent's processes have read on the disk, none of them is a person.
    if actor.role() == Role::Person && caller.is_some_and(|pid| is_kept(pid) || is_below_this(pid)) {
        return Err(("role-may-not", NOT_A_PERSON.to_owned()));
    }
    if hello.hand_over {
        return match actor {
            Actor::Person { .. } if version(&hello.version) > version(VERSION) => {
                Ok((HostHello::HandingOver, Admission::HandOver))
            }
            Actor::Person { .. } => Err((
                "not-newer",
                format!(
                    "The host of this workspace is {VERSION}, not older than {}. Update the caller.",
                    hello.version
                ),
            )),
            Actor::Run { .. } | Actor::Host => {
                Err(("role-may-not", "A run may not ask the host to leave. A person decides that.".to_owned()))
            }
        };
    }
    if hello.protocol != PROTOCOL_VERSION {
        let message = format!(
            "This host speaks protocol {PROTOCOL_VERSION}, the caller {}. Update the older of the two.",
            hello.protocol
        );
        return Err(("other-protocol", message));
    }
    if shared.leaving().borrow().is_some() {
        return Ok((HostHello::HandingOver, Admission::Refused));
    }
    let welcome = HostHello::Welcome {
        protocol: PROTOCOL_VERSION,
        version: VERSION.to_owned(),
        role: actor.role().name().to_owned(),
        pid: std::process::id(),
    };
    Ok((welcome, Admission::Welcome(actor)))
}

/// The caller's side: says hello and reads the host's answer.
pub(crate) async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    hello: &ClientHello,
) -> std::io::Result<HostHello> {
    let mut line = serde_json::to_vec(hello)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    stream.flush().await?;
    let answer = tokio::time::timeout(PATIENCE, read_line(stream)).await??;
    Ok(serde_json::from_slice(&answer)?)
}

/// A version as numbers that compare; what is not a number counts as 0.
pub(crate) fn version(text: &str) -> [u64; 3] {
    let mut numbers = text.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

/// Reads byte by byte so that nothing behind the line is taken; a hello is short.
async fn read_line<S: AsyncRead + Unpin>(stream: &mut S) -> std::io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        match stream.read_u8().await? {
            b'\n' => return Ok(line),
            byte if line.len() < HELLO_LIMIT => line.push(byte),
            _ => return Err(std::io::Error::other(format!("the hello is longer than {HELLO_LIMIT} bytes"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_compare_as_numbers() {
        assert!(version("0.10.0") > version("0.9.9"));
        assert!(version("1.0") > version("0.99.99"));
        assert_eq!(version("1.2.3-beta"), [1, 2, 3]);
        assert_eq!(version("nonsense"), [0, 0, 0]);
    }
}
