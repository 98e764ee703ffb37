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
mod surroundings;

fn main() -> std::process::ExitCode {
    // The host starts these for each run, and they stay as long as it does: they get by without all that commands need.
    #[cfg(target_os = "linux")]
    {
        let mut args = std::env::args_os().skip(1);
        if args.next().is_some_and(|first| first == "keep") {
            return augment_host::agents::keeper::main(args.next().as_deref());
        }
    }
    augment_host::own_program::note();
    commands::run()
}
