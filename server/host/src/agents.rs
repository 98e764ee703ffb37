//! Agents as processes: started, watched, stopped, and never lost sight of.
//!
//! Each run has a small process of its own, its *keeper* (`keeper`), that starts the agent, reads all it says, and
//! stays its ancestor: whatever the agent starts ends up below the keeper, however it detaches itself. The host's side of
//! that is `keeping`. The two speak over a socket (`frames`), and what a later host must know lies in the run's folder
//! (`folder`, `output_log`).
//!
//! What always holds:
//!
//! - **A run is over when nothing of it lives**: the agent, and every process that it started, directly or not.
//! - **Nothing is ended by mistake**: a process is known by its number and its start, and signals go to what was checked.
//! - **Nothing grows**: what is said is kept in files of bounded size, and what is dropped is counted.
//! - **The agent gets what the order lists and nothing else**: no variable and no open file of ours reaches it.
//!
//! What cannot hold: a process that an agent has another program start (a container, a service, a job for later) is that
//! program's child, not ours. Nothing here decides what an exit means; that is a rule.

pub mod acp;
pub mod adapter;
pub mod catalog;
pub mod command;
pub mod confinement;
mod folder;
mod frames;
mod git_control;
pub mod keeper;
pub mod keeping;
pub mod launch;
pub mod order;
pub mod output_log;
mod packing;
pub mod processes;
pub mod running;
mod words;
