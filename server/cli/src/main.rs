//! `augment-cli`: Augment Orchestrator on the command line, and the host that editors talk to.

mod args;
mod client;
mod commands;
mod connect;
mod host_process;
mod log_file;
mod output;
mod serve;
mod service;

fn main() -> std::process::ExitCode {
    commands::run()
}
