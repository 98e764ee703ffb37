//! Tables and styled words. A cell makes its text visible by itself, so nothing from outside gets in raw. On a terminal a
//! table fits its width, one line a row; elsewhere rows are as long as they are.

use anstyle::{AnsiColor, Style};
use augment_core::text::{visible, visible_lines};
use comfy_table::presets::NOTHING;
use comfy_table::{Attribute, CellAlignment, Color, ColumnConstraint, ContentArrangement, Row, Table};

/// What a word is to look like. The stream that it is printed to takes colours away where they are not wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Faint,
    Strong,
    Good,
    Busy,
    Warn,
    Bad,
    /// A line that a change takes away.
    Removed,
}

impl Look {
    pub(crate) fn paint(self, text: &str) -> String {
        let style = self.style();
        format!("{style}{}{style:#}", visible(text))
    }

    /// The same for code, where tabs stay.
    pub(crate) fn paint_lines(self, text: &str) -> String {
        let style = self.style();
        format!("{style}{}{style:#}", visible_lines(text))
    }

    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Faint => Style::new().dimmed(),
            Self::Strong => Style::new().bold(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Busy => AnsiColor::Cyan.on_default(),
            Self::Warn => AnsiColor::Yellow.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Removed => AnsiColor::Red.on_default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    text: String,
    look: Look,
}

impl Cell {
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self::styled(text, Look::Plain)
    }

    pub(crate) fn styled(text: impl AsRef<str>, look: Look) -> Self {
        Self { text: visible(text.as_ref()).into_owned(), look }
    }

    fn built(&self) -> comfy_table::Cell {
        let cell = comfy_table::Cell::new(&self.text);
        // The styles of no text would keep the spaces before it from being trimmed.
        let look = if self.text.is_empty() { Look::Plain } else { self.look };
        match look {
            Look::Plain => cell,
            Look::Faint => cell.add_attribute(Attribute::Dim),
            Look::Strong => cell.add_attribute(Attribute::Bold),
            Look::Good => cell.fg(Color::DarkGreen),
            Look::Busy => cell.fg(Color::DarkCyan),
            Look::Warn => cell.fg(Color::DarkYellow),
            Look::Bad => cell.fg(Color::DarkRed).add_attribute(Attribute::Bold),
            Look::Removed => cell.fg(Color::DarkRed),
        }
    }
}

/// How a column behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// As wide as its widest cell.
    Fixed(&'static str),
    /// The same, with numbers under each other.
    Number(&'static str),
    /// Gives way where the terminal is too narrow.
    Text(&'static str),
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Self::Fixed(name) | Self::Number(name) | Self::Text(name) => name,
        }
    }
}

pub(crate) fn table(columns: &[Column], rows: Vec<Vec<Cell>>, width: Option<u16>) -> String {
    let mut table = Table::new();
    // Styles are always put in and taken out by the stream, so that there is one place that knows if they are wanted.
    table.load_style(NOTHING).force_no_tty().enforce_styling().style_text_only();
    table.set_header(row(columns.iter().map(|column| Cell::styled(column.name(), Look::Faint))));
    for cells in rows {
        table.add_row(row(cells.into_iter()));
    }
    if let Some(width) = width {
        // Text that is cut off is cut anywhere, not between words: visible text holds no NUL to break it at.
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width).set_delimiter('\0');
    }
    let last = columns.len().saturating_sub(1);
    for (at, (column, built)) in columns.iter().zip(table.column_iter_mut()).enumerate() {
        built.set_padding((0, if at == last { 0 } else { 2 }));
        match column {
            Column::Fixed(_) => {
                built.set_constraint(ColumnConstraint::ContentWidth);
            }
            Column::Number(_) => {
                built.set_constraint(ColumnConstraint::ContentWidth);
                built.set_cell_alignment(CellAlignment::Right);
            }
            Column::Text(_) => {}
        }
    }
    table.trim_fmt()
}

fn row(cells: impl Iterator<Item = Cell>) -> Row {
    let mut row = Row::from(cells.map(|cell| cell.built()).collect::<Vec<_>>());
    row.max_height(1);
    row
}

/// Names and values under each other. Values are cells: one visible line each.
pub(crate) fn fields(entries: &[(&str, Cell)]) -> String {
    let widest = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines = entries.iter().map(|(name, value)| {
        let name = Look::Faint.paint(&format!("{name:<widest$}"));
        format!("{name}  {}", value.look.paint(&value.text)).trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    const COLUMNS: [Column; 3] = [Column::Fixed("ID"), Column::Text("TITLE"), Column::Number("AGE")];

    fn rows() -> Vec<Vec<Cell>> {
        vec![
            vec![Cell::styled("a1", Look::Strong), Cell::new("Refactor the authentication module"), Cell::new("5m")],
            vec![Cell::new("b12"), Cell::styled("日本語 title", Look::Bad), Cell::new("120d")],
        ]
    }

    #[test]
    fn without_a_terminal_rows_are_whole_and_aligned() {
        assert_eq!(
            plain(&table(&COLUMNS, rows(), None)),
            "ID   TITLE                                AGE\n\
             a1   Refactor the authentication module    5m\n\
             b12  日本語 title                        120d"
        );
    }

    #[test]
    fn on_a_terminal_the_text_gives_way() {
        assert_eq!(
            plain(&table(&COLUMNS, rows(), Some(30))),
            "ID   TITLE                 AGE\n\
             a1   Refactor the authe…    5m\n\
             b12  日本語 title         120d"
        );
        for width in [1, 5, 9, 12, 80, 300] {
            assert_eq!(plain(&table(&COLUMNS, rows(), Some(width))).lines().count(), 3, "{width}");
        }
    }

    #[test]
    fn cells_hold_nothing_that_acts_on_a_terminal() {
        let cells = vec![vec![Cell::new("a1"), Cell::new("\u{1b}[31mred\ttab\r\n\u{9b}2J\u{202e}"), Cell::new("1s")]];
        let text = table(&COLUMNS, cells, None);
        assert!(plain(&text).contains("\\u{1b}[31mred\\ttab\\r\\n\\u{9b}2J\\u{202e}"), "{text}");
        let shown = fields(&[("title", Cell::new("\u{1b}]0;x\u{7}"))]);
        assert_eq!(plain(&shown), "title  \\u{1b}]0;x\\u{7}");
        assert_eq!(plain(&Look::Bad.paint("\u{1b}c")), "\\u{1b}c");
    }

    #[test]
    fn fields_stand_under_each_other() {
        let text = fields(&[("a", Cell::new("1")), ("long", Cell::styled("2", Look::Good)), ("none", Cell::new(""))]);
        assert_eq!(plain(&text), "a     1\nlong  2\nnone");
    }
}
