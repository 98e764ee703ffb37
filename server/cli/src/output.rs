//! Everything that is printed goes through here: tables for people, one JSON document for programs, errors to stderr.
//! Text from outside is made visible before it gets here or by what is built here; nothing of it reaches the terminal
//! raw. Nothing here calls the host.

pub(crate) mod agents;
pub(crate) mod analytics;
pub(crate) mod archive;
pub(crate) mod changes;
mod closing;
pub(crate) mod demo;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod plan;
pub(crate) mod prompt;
pub(crate) mod protocol;
pub(crate) mod records;
pub(crate) mod reports;
pub(crate) mod runs;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod size;
pub(crate) mod table;
pub(crate) mod tasks;
pub(crate) mod time;
pub(crate) mod timeline;

use std::io::{self, IsTerminal as _, Write as _};

use anstream::{AutoStream, ColorChoice};
use augment_core::text::visible_lines;

use crate::args::Color;
use table::Look;

/// Why something could not be printed.
#[derive(Debug)]
pub(crate) enum PrintError {
    /// The reader has left. That is its right; nothing is wrong.
    Closed,
    Failed(io::Error),
}

impl From<io::Error> for PrintError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Failed(error) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Human,
    Json,
}

/// The size of the terminal that stdout is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Screen {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
}

#[derive(Debug)]
pub(crate) struct Output {
    format: Format,
    flag: Option<Color>,
    setting: Option<Color>,
}

impl Output {
    pub(crate) fn new(format: Format, flag: Option<Color>) -> Self {
        Self { format, flag, setting: None }
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether the setting `output.color` could make a difference.
    pub(crate) fn asks_for_color(&self) -> bool {
        self.format == Format::Human && self.flag.is_none() && self.setting.is_none() && !no_color()
    }

    pub(crate) fn set_color(&mut self, setting: Color) {
        self.setting = Some(setting);
    }

    /// The terminal, if stdout is one; else rows are printed as long as they are.
    pub(crate) fn screen(&self) -> Option<Screen> {
        let stdout = io::stdout();
        if !stdout.is_terminal() {
            return None;
        }
        let size = rustix::termios::tcgetwinsize(&stdout).ok()?;
        (size.ws_col > 0).then_some(Screen { columns: size.ws_col, rows: size.ws_row })
    }

    /// The width that tables are to fit in.
    pub(crate) fn width(&self) -> Option<u16> {
        self.screen().map(|screen| screen.columns)
    }

    /// Prints lines for people. Colours in them stay only where they are wanted.
    pub(crate) fn print(&self, text: &str) -> Result<(), PrintError> {
        let stdout = io::stdout();
        let choice = choose(self.flag, self.setting, no_color(), AutoStream::choice(&stdout));
        let mut stream = AutoStream::new(stdout.lock(), choice);
        write_lines(&mut stream, text)?;
        Ok(())
    }

    /// Clears the terminal and prints; where stdout is none, sets the text apart by an empty line.
    pub(crate) fn redraw(&self, text: &str, drawn_before: Drawn) -> Result<(), PrintError> {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if self.screen().is_some() && !dumb {
            self.raw(b"\x1b[H\x1b[2J")?;
        } else if drawn_before == Drawn::Before {
            self.print("")?;
        }
        self.print(text)
    }

    /// Prints one JSON document on one line.
    pub(crate) fn json(&self, document: &impl serde::Serialize) -> Result<(), PrintError> {
        let text = json::line(document).map_err(io::Error::other)?;
        self.raw(format!("{text}\n").as_bytes())
    }

    /// Prints bytes of our own making as they are.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), PrintError> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// Prints a person's own text to the byte where a program reads it. On a terminal it is made visible, as all text is.
    pub(crate) fn exact(&self, text: &str) -> Result<(), PrintError> {
        if io::stdout().is_terminal() { self.print(&visible_lines(text)) } else { self.raw(text.as_bytes()) }
    }

    /// Tells people something beside the result. A stderr that nobody reads is not worth failing for.
    pub(crate) fn tell(&self, text: &str) {
        let stderr = io::stderr();
        let choice = choose(self.flag, self.setting, no_color(), AutoStream::choice(&stderr));
        let mut stream = AutoStream::new(stderr.lock(), choice);
        write_lines(&mut stream, text).unwrap_or_default();
    }

    /// Whether somebody can be asked: people read what is printed, and both ends are a terminal.
    pub(crate) fn can_ask(&self) -> bool {
        self.format == Format::Human && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Puts a question to the person, to be answered on the same line.
    pub(crate) fn question(&self, text: &str) -> Result<(), PrintError> {
        let mut stderr = io::stderr().lock();
        stderr.write_all(format!("{} ", visible_lines(text)).as_bytes())?;
        stderr.flush()?;
        Ok(())
    }

    /// Prints why the command came to nothing.
    pub(crate) fn error(&self, code: &str, message: &str, data: Option<&serde_json::Value>) {
        match self.format {
            Format::Human => {
                let word = Look::Bad.paint("error:");
                self.tell(&format!("{word} {}", visible_lines(message)));
            }
            Format::Json => self.tell(&json::error_line(code, message, data)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    First,
    Before,
}

fn write_lines(stream: &mut impl io::Write, text: &str) -> io::Result<()> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    // In one piece, so that the lines of two programs on one pipe do not mix.
    stream.write_all(format!("{text}{end}").as_bytes())?;
    stream.flush()
}

fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// The flag first, then NO_COLOR, then the setting; `auto` is what the stream and its environment say.
fn choose(flag: Option<Color>, setting: Option<Color>, no_color: bool, auto: ColorChoice) -> ColorChoice {
    let wish = match flag {
        Some(flag) => flag,
        None if no_color => Color::Never,
        None => setting.unwrap_or(Color::Auto),
    };
    match wish {
        Color::Always => ColorChoice::AlwaysAnsi,
        Color::Never => ColorChoice::Never,
        Color::Auto => auto,
    }
}

/// Styled text without its styles, as a stream without colours prints it.
#[cfg(test)]
pub(crate) fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_comes_before_no_color_and_that_before_the_setting() {
        let auto = ColorChoice::Auto;
        let cases = [
            ((None, None, false), auto),
            ((None, Some(Color::Always), false), ColorChoice::AlwaysAnsi),
            ((None, Some(Color::Always), true), ColorChoice::Never),
            ((Some(Color::Always), Some(Color::Never), true), ColorChoice::AlwaysAnsi),
            ((Some(Color::Never), Some(Color::Always), false), ColorChoice::Never),
            ((Some(Color::Auto), Some(Color::Always), false), auto),
        ];
        for ((flag, setting, no_color), expected) in cases {
            assert_eq!(choose(flag, setting, no_color, auto), expected, "{flag:?} {setting:?} {no_color}");
        }
    }

    #[test]
    fn lines_end_with_one_line_break() {
        let written = |text: &str| {
            let mut out = Vec::new();
            write_lines(&mut out, text).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written("one"), "one\n");
        assert_eq!(written("one\ntwo\n"), "one\ntwo\n");
        assert_eq!(written(""), "\n");
    }

    #[test]
    fn a_closed_pipe_is_told_from_a_failure() {
        assert!(matches!(PrintError::from(io::Error::from(io::ErrorKind::BrokenPipe)), PrintError::Closed));
        assert!(matches!(PrintError::from(io::Error::from(io::ErrorKind::StorageFull)), PrintError::Failed(_)));
    }
}
