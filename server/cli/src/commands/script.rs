//! A host that follows a script, for tests: it answers each request with the next line and keeps what it was asked.

use augment_protocol::REFUSED;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::service::frames::{self, FrameReader};

pub(super) enum Reply {
    Result(Value),
    /// The `data` of a refusal.
    Refused(Value),
}

/// A client of the scripted host, and the parameters of all that was asked once the script has ended.
pub(super) async fn host(script: Vec<(&'static str, Reply)>) -> (Client, JoinHandle<Vec<Value>>) {
    let (near, far) = tokio::io::duplex(64 * 1_024);
    let followed = tokio::spawn(follow(far, script));
    let (reader, writer) = tokio::io::split(near);
    let client = Client::start(Box::new(reader), Box::new(writer)).await.unwrap();
    (client, followed)
}

async fn follow(far: tokio::io::DuplexStream, script: Vec<(&'static str, Reply)>) -> Vec<Value> {
    let (reader, mut writer) = tokio::io::split(far);
    let mut frames = FrameReader::new(reader);
    let introduction = ("initialize", Reply::Result(json!({})));
    let mut asked = Vec::new();
    for (expected, reply) in std::iter::once(introduction).chain(script) {
        let mut message = next_request(&mut frames).await;
        assert_eq!(message["method"], expected);
        asked.push(message["params"].take());
        let answer = match reply {
            Reply::Result(result) => json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }),
            Reply::Refused(data) => {
                let error = json!({ "code": REFUSED, "message": "No.", "data": data });
                json!({ "jsonrpc": "2.0", "id": message["id"], "error": error })
            }
        };
        frames::write(&mut writer, answer.to_string().as_bytes()).await.unwrap();
    }
    asked.split_off(1)
}

async fn next_request(frames: &mut FrameReader<tokio::io::ReadHalf<tokio::io::DuplexStream>>) -> Value {
    loop {
        let frame = frames.next().await.unwrap().expect("the client asks as often as the script says");
        let message: Value = serde_json::from_slice(&frame).unwrap();
        if message.get("id").is_some() {
            return message;
        }
    }
}
