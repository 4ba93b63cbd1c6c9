//! Figures in the terminal: braille dots (two by four to a cell) where the locale is UTF-8, plain ASCII elsewhere.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::axis::{Axis, Scale};
use crate::curve::{Line, range};
use crate::{Figure, Panel};

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Characters beyond ASCII.
    pub unicode: bool,
    /// ANSI colours.
    pub color: bool,
}

impl Terminal {
    /// As the locale variables say it (POSIX: `LC_ALL`, then `LC_CTYPE`, then `LANG`).
    pub fn detect(color: bool) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .unwrap_or_default()
            .to_ascii_lowercase();
        Self { unicode: locale.contains("utf-8") || locale.contains("utf8"), color }
    }
}

/// Curves that look different.
const LOOKS: usize = 12;
/// ANSI foreground colours, bright where the plain one is hard to read on black; then the others that are neither black, white nor grey.
const ANSI_COLORS: [u8; LOOKS] = [94, 33, 32, 95, 36, 91, 93, 35, 92, 31, 96, 34];
const ASCII_LINES: [char; LOOKS] = ['*', '+', 'o', 'x', '#', '@', '%', '=', 'v', '&', '^', '$'];
/// Letters, so that they are not taken for a line.
const ASCII_MARKS: [char; LOOKS] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'];
const MARK: char = '●';
/// Bit of the dot in column 0 or 1 and row 0 to 3 of a braille cell (Unicode 16.0, section 21.1).
const BRAILLE_BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
const BRAILLE_BLANK: u32 = 0x2800;

/// Rows of the area between the axes.
const PANEL_ROWS: usize = 12;
/// Where fewer columns than these would be left for the curves, their axis has no labels.
const LABELLED_COLUMNS_MIN: usize = 6;

impl Figure {
    /// The figure as lines of at most `width` columns, each ended by a newline: its panels one below the other, with a
    /// blank line between.
    pub fn to_text(&self, terminal: Terminal, width: usize) -> String {
        let lines: Vec<Vec<Line>> = self.panels.iter().map(Panel::lines).collect();
        let x_range = range(lines.iter().flatten().flat_map(Line::points).map(|point| point[0])).unwrap_or((0.0, 1.0));
        // Without colours, braille lines of several curves could not be told apart.
        let braille = terminal.unicode && (terminal.color || self.names.len() == 1);
        let y_axes: Vec<Option<Axis>> =
            self.panels.iter().zip(&lines).map(|(panel, lines)| y_axis(panel, lines)).collect();
        // One for all panels, so that the same x stands in the same column.
        let ticks = y_axes.iter().flatten().flat_map(|axis| &axis.ticks);
        let gutter = ticks.map(|tick| tick.label.len() + 2).max().unwrap_or(0);
        let gutter = if gutter + 1 + LABELLED_COLUMNS_MIN > width { 0 } else { gutter };
        let columns = width.saturating_sub(gutter + 1).max(1);
        let x = Axis::linear(x_range.0, x_range.1, self.x_is_whole, (columns / 10).max(1));
        let page = Page { figure: self, terminal, braille, width, gutter, columns, x };
        let panel = |((panel, lines), y): ((&Panel, &Vec<Line>), &Option<Axis>)| page.panel(panel, lines, y.as_ref());
        self.panels.iter().zip(&lines).zip(&y_axes).map(panel).collect::<Vec<_>>().join("\n")
    }
}

/// None where there is nothing to show.
fn y_axis(panel: &Panel, lines: &[Line]) -> Option<Axis> {
    let (low, high) = range(lines.iter().flat_map(Line::points).map(|point| point[1]))?;
    let low = if panel.from_zero && panel.y_scale == Scale::Linear { low.min(0.0) } else { low };
    Some(Axis::with_margin(low, high, panel.y_scale, PANEL_ROWS / 3, 0.02))
}

/// What one cell shows.
#[derive(Debug, Clone, Copy, Default)]
enum Cell {
    #[default]
    Empty,
    /// Part of a curve, the one that was drawn there last, and for braille which of the eight dots are set.
    Line { curve: usize, dots: u8 },
    /// A mark beside a curve.
    Mark { curve: usize },
}

/// What all panels have in common.
struct Page<'a> {
    figure: &'a Figure,
    terminal: Terminal,
    braille: bool,
    width: usize,
    /// Columns left of the axis; 0 where there is no room for its labels.
    gutter: usize,
    /// Columns right of it.
    columns: usize,
    x: Axis,
}

impl Page<'_> {
    fn panel(&self, panel: &Panel, lines: &[Line], y: Option<&Axis>) -> String {
        let mut out = format!("{}\n", self.clipped(&panel.title));
        let Some(y) = y else {
            return out + &self.clipped("(no finite value)") + "\n";
        };
        self.write_rows(&mut out, y, &self.cells(lines, y));
        self.write_x_axis(&mut out);
        let has_marks = lines.iter().any(|line| !line.marks.is_empty());
        if self.figure.names.len() > 1 || has_marks {
            self.write_legend(&mut out, has_marks);
        }
        out
    }

    /// Rows of cells, the top one first.
    fn cells(&self, lines: &[Line], y: &Axis) -> [Vec<Cell>; PANEL_ROWS] {
        let [cell_columns, cell_rows] = if self.braille { [2, 4] } else { [1, 1] };
        let [dot_columns, dot_rows] = [self.columns * cell_columns, PANEL_ROWS * cell_rows];
        let dot = |point: &[f64; 2]| {
            let across = self.x.position(point[0]) * (dot_columns - 1) as f64;
            let down = (1.0 - y.position(point[1])) * (dot_rows - 1) as f64;
            [across.round() as i64, down.round() as i64]
        };
        let mut cells = std::array::from_fn(|_| vec![Cell::default(); self.columns]);
        for (curve, line) in lines.iter().enumerate() {
            let mut previous = None;
            for dot in line.joined().iter().map(dot) {
                for [column, row] in between(previous.unwrap_or(dot), dot) {
                    let (column, row) = (column as usize, row as usize);
                    let cell = &mut cells[row / cell_rows][column / cell_columns];
                    let before = if let Cell::Line { dots, .. } = *cell { dots } else { 0 };
                    let dots = before | BRAILLE_BITS[column % cell_columns][row % cell_rows];
                    *cell = Cell::Line { curve, dots };
                }
                previous = Some(dot);
            }
        }
        // Above all lines, of which each has many points.
        for (curve, line) in lines.iter().enumerate() {
            for [column, row] in line.marks.iter().map(dot) {
                cells[row as usize / cell_rows][column as usize / cell_columns] = Cell::Mark { curve };
            }
        }
        cells
    }

    fn write_rows(&self, out: &mut String, y: &Axis, cells: &[Vec<Cell>]) {
        let mut labels = [""; PANEL_ROWS];
        for tick in &y.ticks {
            let row = ((1.0 - y.position(tick.value)) * (PANEL_ROWS - 1) as f64).round() as usize;
            labels[row.min(PANEL_ROWS - 1)] = &tick.label;
        }
        for (label, row) in labels.iter().zip(cells) {
            let bar = match (label.is_empty(), self.terminal.unicode) {
                (true, true) => '│',
                (false, true) => '┤',
                (_, false) => '|',
            };
            let mut line = match self.gutter.checked_sub(1) {
                Some(room) => format!("{label:>room$} {bar}"),
                None => bar.to_string(),
            };
            // Colours would be spaces' too, and the end of a line is trimmed.
            let end = row.iter().rposition(|cell| !matches!(cell, Cell::Empty)).map_or(0, |last| last + 1);
            for cell in &row[..end] {
                match *cell {
                    Cell::Empty => line.push(' '),
                    Cell::Line { curve, dots } => {
                        let dots = char::from_u32(BRAILLE_BLANK + u32::from(dots));
                        self.push_colored(
                            &mut line,
                            dots.filter(|_| self.braille).unwrap_or(ascii(ASCII_LINES, curve)),
                            curve,
                        );
                    }
                    Cell::Mark { curve } => self.push_colored(&mut line, self.mark(curve), curve),
                }
            }
            out.push_str(&line);
            out.push('\n');
        }
    }

    /// The axis, its tick labels, as many as fit, and its title below.
    fn write_x_axis(&self, out: &mut String) {
        let [corner, flat, notch] = if self.terminal.unicode { ['└', '─', '┬'] } else { ['+', '-', '+'] };
        let mut bar = vec![flat; self.columns];
        let mut labels = vec![' '; self.width];
        let mut free_from = 0;
        for tick in &self.x.ticks {
            let column = (self.x.position(tick.value) * (self.columns - 1) as f64).round() as usize;
            let length = tick.label.len();
            // Below its notch, but for the last one, which must end where the lines do.
            let start = (self.gutter + 1 + column).saturating_sub(length / 2).min(self.width.saturating_sub(length));
            let end = start + length;
            if start < free_from || end > self.width {
                continue;
            }
            bar[column.min(self.columns - 1)] = notch;
            labels.splice(start..end, tick.label.chars());
            free_from = end + 2;
        }
        let bar: String = bar.into_iter().collect();
        let labels: String = labels.into_iter().collect();
        let title = self.clipped(&self.figure.x_title);
        let indent = (self.gutter + 1 + self.columns.saturating_sub(title.width()) / 2).min(self.width - title.width());
        let _ = writeln!(out, "{}{corner}{bar}", " ".repeat(self.gutter));
        let _ = writeln!(out, "{}", labels.trim_end());
        let _ = writeln!(out, "{}{title}", " ".repeat(indent));
    }

    /// The names, as many to a line as fit.
    fn write_legend(&self, out: &mut String, has_marks: bool) {
        let mut column = 0;
        let mut entry = |symbol: char, curve: Option<usize>, name: &str| {
            let name = self.cut(name, self.width.saturating_sub(2));
            let width = 2 + name.width();
            match column {
                0 => {}
                _ if column + 3 + width <= self.width => {
                    out.push_str("   ");
                    column += 3;
                }
                _ => {
                    out.push('\n');
                    column = 0;
                }
            }
            match curve {
                Some(curve) => self.push_colored(out, symbol, curve),
                None => out.push(symbol),
            }
            out.push(' ');
            out.push_str(&name);
            column += width;
        };
        for (curve, name) in self.figure.names.iter().enumerate() {
            entry(if self.braille { '━' } else { ascii(ASCII_LINES, curve) }, Some(curve), name);
            if has_marks && !self.braille {
                entry(self.mark(curve), Some(curve), &self.figure.mark_name);
            }
        }
        if has_marks && self.braille {
            entry(MARK, (self.figure.names.len() == 1).then_some(0), &self.figure.mark_name);
        }
        out.push('\n');
    }

    fn mark(&self, curve: usize) -> char {
        if self.braille { MARK } else { ascii(ASCII_MARKS, curve) }
    }

    fn push_colored(&self, out: &mut String, symbol: char, curve: usize) {
        if self.terminal.color {
            let code = ANSI_COLORS[curve % ANSI_COLORS.len()];
            let _ = write!(out, "\x1b[{code}m{symbol}\x1b[0m");
        } else {
            out.push(symbol);
        }
    }

    fn clipped(&self, text: &str) -> String {
        self.cut(text, self.width)
    }

    /// `text` in at most `width` columns, with a sign where something is missing.
    fn cut(&self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_owned();
        }
        let sign = if self.terminal.unicode { '…' } else { '~' };
        let mut cut = String::new();
        let mut used = 1;
        for character in text.chars() {
            used += character.width().unwrap_or(0);
            if used > width {
                break;
            }
            cut.push(character);
        }
        if width > 0 {
            cut.push(sign);
        }
        cut
    }
}

fn ascii(symbols: [char; LOOKS], curve: usize) -> char {
    symbols[curve % symbols.len()]
}

/// All dots of a straight line, both ends included.
fn between([x0, y0]: [i64; 2], [x1, y1]: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
    let steps = (x1 - x0).abs().max((y1 - y0).abs());
    (0..=steps).map(move |step| {
        let part = if steps == 0 { 0.0 } else { step as f64 / steps as f64 };
        let between = |from: i64, to: i64| from + ((to - from) as f64 * part).round() as i64;
        [between(x0, x1), between(y0, y1)]
    })
}

#[cfg(test)]
mod tests;
