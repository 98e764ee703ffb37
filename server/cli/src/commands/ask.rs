//! A question to the person at the terminal. Only `y` and `yes` are a yes; the end of the input is a no.

use std::io::{self, BufRead};

use super::{Failure, Session};

/// More than this on one line is no answer.
const ANSWER_LIMIT: u64 = 1_024;

/// Asks and waits. Whoever calls this holds no connection: others can use the workspace while the person thinks.
pub(super) async fn yes(session: &Session, question: &str) -> Result<bool, Failure> {
    session.output.question(question)?;
    let answer = tokio::task::spawn_blocking(|| read_answer(io::stdin().lock())).await;
    match answer {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(Failure::told("stdin", format!("The answer cannot be read: {error}."))),
        Err(error) => Err(Failure::told("stdin", format!("The answer cannot be read: {error}."))),
    }
}

fn read_answer(input: impl BufRead) -> io::Result<bool> {
    let mut line = String::new();
    input.take(ANSWER_LIMIT).read_line(&mut line)?;
    let answer = line.trim();
    Ok(answer.eq_ignore_ascii_case("y") || answer.eq_ignore_ascii_case("yes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for (line, expected) in [
            ("y\n", true),
            (" YES \n", true),
            ("yes", true),
            ("\n", false),
            ("", false),
            ("n\n", false),
            ("yess\n", false),
        ] {
            assert_eq!(read_answer(line.as_bytes()).unwrap(), expected, "{line:?}");
        }
    }
}
