//! A question to the person at the terminal. Only `y` and `yes` are a yes; the end of the input is a no.

use std::io::{self, BufRead};

use super::{Failure, Session};

/// More than this on one line is no answer.
const ANSWER_LIMIT: u64 = 1_024;

/// Asks and waits. Whoever calls this holds no connection: others can use the workspace while the person thinks.
pub(super) async fn yes(session: &Session, question: &str) -> Result<bool, Failure> {
    Ok(line(session, &format!("{question} [y/N]")).await?.is_some_and(|answer| is_yes(&answer)))
}

/// One line of the person's, without the blanks around it; nothing at the end of the input.
pub(super) async fn line(session: &Session, question: &str) -> Result<Option<String>, Failure> {
    session.output.question(question)?;
    let answer = tokio::task::spawn_blocking(|| read_line(io::stdin().lock())).await;
    match answer {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(Failure::told("stdin", format!("The answer cannot be read: {error}."))),
        Err(error) => Err(Failure::told("stdin", format!("The answer cannot be read: {error}."))),
    }
}

pub(super) fn is_yes(answer: &str) -> bool {
    answer.eq_ignore_ascii_case("y") || answer.eq_ignore_ascii_case("yes")
}

/// The next line; more than an answer can be is not read.
pub(super) fn read_line(input: impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = input.take(ANSWER_LIMIT).read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
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
            let answer = read_line(line.as_bytes()).unwrap();
            assert_eq!(answer.is_some_and(|answer| is_yes(&answer)), expected, "{line:?}");
        }
    }
}
