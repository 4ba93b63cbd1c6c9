//! Line charts in the terminal: braille dots (two by four to a cell) where the locale is UTF-8, plain ASCII elsewhere.

use std::fmt::Write as _;

use crate::plot::axis::{Axis, Scale};
use crate::plot::figure::range;

/// A named line through points `[x, y]`; points that are not finite are left out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<[f64; 2]>,
}

/// What to draw.
#[derive(Debug, Clone)]
pub(crate) struct TerminalChart<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_title: &'a str,
    pub(crate) series: &'a [Series],
    /// Columns of the whole chart, labels included.
    pub(crate) width: usize,
    /// Rows of the area between the axes.
    pub(crate) height: usize,
    pub(crate) y_scale: Scale,
    /// Whether a linear y axis begins at 0 even where no value is near it.
    pub(crate) from_zero: bool,
}

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terminal {
    pub(crate) unicode: bool,
    pub(crate) color: bool,
}

impl Terminal {
    /// As the locale variables say it (POSIX: `LC_ALL`, then `LC_CTYPE`, then `LANG`).
    pub(crate) fn detect(color: bool) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .unwrap_or_default()
            .to_ascii_lowercase();
        Self { unicode: locale.contains("utf-8") || locale.contains("utf8"), color }
    }
}

/// ANSI foreground colours, bright where the plain one is hard to read on black.
const ANSI_COLORS: [u8; 6] = [94, 33, 32, 95, 36, 91];
const ASCII_MARKS: [char; 6] = ['*', '+', 'o', 'x', '#', '@'];
/// Bit of the dot in column 0 or 1 and row 0 to 3 of a braille cell (Unicode 16.0, section 21.1).
const BRAILLE_BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
const BRAILLE_BLANK: u32 = 0x2800;

/// Dots of one cell: the series that was drawn there last, and for braille which of the eight are set.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    series: Option<usize>,
    dots: u8,
}

impl TerminalChart<'_> {
    /// The chart as lines of text, each ended by a newline.
    pub(crate) fn render(&self, terminal: Terminal) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter().filter(|point| self.shows(point)));
        let ranges = range(points().map(|point| point[0])).zip(range(points().map(|point| point[1])));
        let Some(((x_low, x_high), (y_low, y_high))) = ranges else {
            return format!("{}\n(no finite value)\n", self.title);
        };
        let y_low = if self.from_zero && self.y_scale == Scale::Linear { y_low.min(0.0) } else { y_low };
        let y = Axis::with_margin(y_low, y_high, self.y_scale, (self.height / 3).max(2), 0.02);
        let gutter = y.ticks.iter().map(|tick| tick.label.len()).max().unwrap_or(0) + 1;
        let columns = self.width.saturating_sub(gutter + 2).max(8);
        let x = Axis::new(x_low, x_high, Scale::Linear, (columns / 10).max(1));
        // Without colours, braille lines of several series could not be told apart.
        let braille = terminal.unicode && (terminal.color || self.series.len() == 1);
        let cells = self.plot(&x, &y, columns, braille);

        let mut out = format!("{}\n", self.title);
        self.write_rows(&mut out, &y, &cells, gutter, braille, terminal);
        write_x_axis(&mut out, &x, self.x_title, gutter, columns, terminal.unicode);
        if self.series.len() > 1 {
            self.write_legend(&mut out, gutter, braille, terminal);
        }
        out
    }

    fn shows(&self, point: &[f64; 2]) -> bool {
        point.iter().all(|value| value.is_finite()) && (self.y_scale == Scale::Linear || point[1] > 0.0)
    }

    /// Rows of cells, the top one first.
    fn plot(&self, x: &Axis, y: &Axis, columns: usize, braille: bool) -> Vec<Vec<Cell>> {
        let [cell_columns, cell_rows] = if braille { [2, 4] } else { [1, 1] };
        let [dot_columns, dot_rows] = [columns * cell_columns, self.height * cell_rows];
        let mut cells = vec![vec![Cell::default(); columns]; self.height];
        for (index, series) in self.series.iter().enumerate() {
            let dots = series.points.iter().filter(|point| self.shows(point)).map(|point| {
                let across = x.position(point[0]) * (dot_columns - 1) as f64;
                let down = (1.0 - y.position(point[1])) * (dot_rows - 1) as f64;
                [across.round() as i64, down.round() as i64]
            });
            let mut previous = None;
            for dot in dots {
                for [column, row] in line(previous.unwrap_or(dot), dot) {
                    let (column, row) = (column as usize, row as usize);
                    let cell = &mut cells[row / cell_rows][column / cell_columns];
                    cell.series = Some(index);
                    cell.dots |= BRAILLE_BITS[column % cell_columns][row % cell_rows];
                }
                previous = Some(dot);
            }
        }
        cells
    }

    fn write_rows(
        &self,
        out: &mut String,
        y: &Axis,
        cells: &[Vec<Cell>],
        gutter: usize,
        braille: bool,
        terminal: Terminal,
    ) {
        let mut labels = vec![""; self.height];
        for tick in &y.ticks {
            let row = ((1.0 - y.position(tick.value)) * (self.height - 1) as f64).round() as usize;
            labels[row.min(self.height - 1)] = &tick.label;
        }
        for (label, row) in labels.iter().zip(cells) {
            let bar = match (label.is_empty(), terminal.unicode) {
                (true, true) => '│',
                (false, true) => '┤',
                (_, false) => '|',
            };
            let mut line = format!("{label:>gutter$} {bar}");
            for cell in row {
                match cell.series {
                    None => line.push(' '),
                    Some(series) => {
                        let braille_cell = char::from_u32(BRAILLE_BLANK + u32::from(cell.dots));
                        let mark = braille_cell.filter(|_| braille).unwrap_or(ASCII_MARKS[series % ASCII_MARKS.len()]);
                        push_colored(&mut line, mark, series, terminal.color);
                    }
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }

    fn write_legend(&self, out: &mut String, gutter: usize, braille: bool, terminal: Terminal) {
        out.push_str(&" ".repeat(gutter + 2));
        for (index, series) in self.series.iter().enumerate() {
            let mark = if braille { '━' } else { ASCII_MARKS[index % ASCII_MARKS.len()] };
            out.push_str(if index == 0 { "" } else { "   " });
            push_colored(out, mark, index, terminal.color);
            let _ = write!(out, " {}", series.name);
        }
        out.push('\n');
    }
}

fn push_colored(out: &mut String, mark: char, series: usize, color: bool) {
    if color {
        let code = ANSI_COLORS[series % ANSI_COLORS.len()];
        let _ = write!(out, "\x1b[{code}m{mark}\x1b[0m");
    } else {
        out.push(mark);
    }
}

/// All dots of a straight line, both ends included.
fn line([x0, y0]: [i64; 2], [x1, y1]: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
    let steps = (x1 - x0).abs().max((y1 - y0).abs());
    (0..=steps).map(move |step| {
        let part = if steps == 0 { 0.0 } else { step as f64 / steps as f64 };
        let between = |from: i64, to: i64| from + ((to - from) as f64 * part).round() as i64;
        [between(x0, x1), between(y0, y1)]
    })
}

/// The axis with its tick labels below, as many as fit, and its title at the right.
fn write_x_axis(out: &mut String, x: &Axis, title: &str, gutter: usize, columns: usize, unicode: bool) {
    let [corner, flat, notch] = if unicode { ['└', '─', '┬'] } else { ['+', '-', '+'] };
    let mut bar = vec![flat; columns];
    let mut labels = vec![' '; columns + title.len() + 2];
    let mut free_from = 0;
    for tick in &x.ticks {
        let column = (x.position(tick.value) * (columns - 1) as f64).round() as usize;
        let start = column.saturating_sub(tick.label.len() / 2);
        let end = start + tick.label.len();
        if start < free_from || end > labels.len() {
            continue;
        }
        bar[column.min(columns - 1)] = notch;
        labels.splice(start..end, tick.label.chars());
        free_from = end + 2;
    }
    let indent = " ".repeat(gutter + 1);
    let bar: String = bar.into_iter().collect();
    let _ = writeln!(out, "{indent}{corner}{bar}");
    let labels: String = labels.into_iter().collect();
    let _ = writeln!(out, "{indent} {}  {title}", labels.trim_end());
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const PLAIN: Terminal = Terminal { unicode: true, color: false };
    const ASCII: Terminal = Terminal { unicode: false, color: false };

    fn decay(name: &str, rate: f64) -> Series {
        let points = (0..=200).map(|step| [f64::from(step), 1.0 + 8.0 * (-rate * f64::from(step)).exp()]).collect();
        Series { name: name.to_owned(), points }
    }

    #[track_caller]
    fn check(series: &[Series], y_scale: Scale, terminal: Terminal, expected: Expect) {
        let chart =
            TerminalChart { title: "loss", x_title: "step", series, width: 60, height: 9, y_scale, from_zero: false };
        expected.assert_eq(&chart.render(terminal));
    }

    #[test]
    fn one_series_in_braille() {
        check(
            &[decay("a", 0.02)],
            Scale::Linear,
            PLAIN,
            expect![[r#"
            loss
               │⠲⡀
             8 ┤ ⠘⠦⡀
               │   ⠘⢦⡀
             6 ┤     ⠈⠳⣄⡀
               │        ⠙⠢⢄⡀
             4 ┤           ⠉⠓⠦⣄⡀
               │               ⠈⠙⠒⠦⢄⣀⡀
             2 ┤                     ⠈⠉⠑⠒⠲⠤⠤⢤⣀⣀⣀
               │                                ⠉⠉⠉⠉⠙⠒⠒⠒⠒⠒⠒⠒⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤
               └┬─────────────┬─────────────┬────────────┬─────────────┬
                0            50            100          150           200  step
        "#]],
        );
    }

    #[test]
    fn one_series_in_ascii_on_a_log_axis() {
        check(
            &[decay("a", 0.02)],
            Scale::Log,
            ASCII,
            expect![[r#"
            loss
               |**
             8 |  *****
             6 |      *****
             4 |          ******
               |               ******
               |                     *******
             2 |                           ********
               |                                   *************
               |                                               *********
               ++-------------+-------------+------------+-------------+
                0            50            100          150           200  step
        "#]],
        );
    }

    #[test]
    fn series_without_colors_have_marks() {
        check(
            &[decay("adamw", 0.02), decay("lora", 0.06)],
            Scale::Linear,
            PLAIN,
            expect![[r#"
            loss
               │+*
             8 ┤++*
               │ ++***
             6 ┤  +  ****
               │   ++   ****
             4 ┤    ++      *****
               │      +++        ********
             2 ┤        +++++++         ********************
               │              ++++++++++++++++++++++++++++++++++++++++++
               └┬─────────────┬─────────────┬────────────┬─────────────┬
                0            50            100          150           200  step
                * adamw   + lora
        "#]],
        );
    }

    #[test]
    fn degenerate_series_are_drawn() {
        let series = |points: &[[f64; 2]]| [Series { name: "a".to_owned(), points: points.to_vec() }];
        check(
            &series(&[]),
            Scale::Linear,
            ASCII,
            expect![[r#"
            loss
            (no finite value)
        "#]],
        );
        check(
            &series(&[[3.0, f64::NAN]]),
            Scale::Linear,
            ASCII,
            expect![[r#"
            loss
            (no finite value)
        "#]],
        );
        check(
            &series(&[[3.0, 2.0]]),
            Scale::Linear,
            ASCII,
            expect![[r#"
            loss
             2.2 |
                 |
             2.1 |
                 |
               2 |                           *
                 |
             1.9 |
                 |
             1.8 |
                 ++--------+--------+--------+-------+--------+--------+
                  2.7     2.8      2.9       3      3.1      3.2      3.3  step
        "#]],
        );
    }

    #[test]
    fn no_size_panics() {
        let series = [decay("a", 0.02)];
        for size in 1..30 {
            for terminal in [PLAIN, ASCII] {
                let chart = TerminalChart {
                    title: "",
                    x_title: "step",
                    series: &series,
                    width: size,
                    height: size,
                    y_scale: Scale::Linear,
                    from_zero: true,
                };
                assert_eq!(chart.render(terminal).lines().count(), size + 3);
            }
        }
    }
}
