//! The host does what the core decides. It owns a workspace's data folder, keeps its state in one database, and runs the
//! mailbox through which everything that changes state goes, one input after the other.
//!
//! Nothing here decides: a rule about tasks, leases, roles or settings belongs into the core. Nothing here knows the
//! wire: what travels is translated where the service is.

// Keeping agents rests on what Linux offers for it: subreapers, handles of processes, and /proc.
#[cfg(target_os = "linux")]
pub mod agents;
pub mod archive;
pub mod clock;
pub mod demo;
pub mod editors;
pub mod files;
pub mod gathering;
mod governance;
pub mod knowledge;
pub mod notices;
pub mod own_program;
pub mod owner;
pub mod runtime;
pub mod seeing;
pub mod settings;
pub mod store;
pub mod token;
pub mod toml_file;
pub mod vcs;
pub mod workspace;
