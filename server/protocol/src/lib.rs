//! The protocol: what travels between the host and its clients. Types here are made for the wire and hold no rules; the
//! rules' own types never travel. Every method stands in `methods` once, with its parameters, its result, who may call
//! it and what it does; TypeScript and the reference in README.md are written from that.

pub mod agents;
pub mod archive;
pub mod changes;
pub mod closing;
pub mod completion;
pub mod demo;
pub mod figures;
#[cfg(feature = "generate")]
pub mod generate;
pub mod hello;
pub mod methods;
pub mod prompts;
pub mod queue;
pub mod records;
pub mod sessions;
pub mod settings;
pub mod status;

/// The version of the protocol. A host serves clients of its own version and of older ones it still understands.
pub const PROTOCOL_VERSION: u32 = 1;

/// The JSON-RPC error code of every refusal. `data` is a `RefusalData`.
pub const REFUSED: i64 = -32001;
/// The JSON-RPC error code of every failure: something outside did not work. `data` is a `RefusalData`, too.
pub const FAILED: i64 = -32003;
