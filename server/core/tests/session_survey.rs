//! Temporary.
use augment_core::simulation::session;
#[test]
#[expect(clippy::disallowed_methods, reason = "x")]
fn survey() {
    let number = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    std::panic::set_hook(Box::new(|_| {}));
    let mut failed = 0;
    for seed in number("SESSIONS_FROM")..number("SESSIONS_TO") {
        if let Err(panic) = std::panic::catch_unwind(|| session(seed)) {
            failed += 1;
            let text = panic.downcast_ref::<String>().unwrap();
            println!("{}", text.lines().next().unwrap());
        }
    }
    println!("SURVEY {failed} failed");
}
