//! Reports on terminals that are narrower than their tables. A terminal breaks a line wherever it ends, and columns stand below others' then.

use std::io;
use std::iter::repeat_n;
use std::os::fd::AsFd;

use rustix::termios::tcgetwinsize;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How far in the rest of a line stands that is continued below.
const INDENT: usize = 4;

/// Columns of the terminal that is printed on; where there is none, a file has as many as it takes.
pub(crate) fn columns() -> usize {
    columns_of(io::stdout()).unwrap_or(usize::MAX)
}

/// Columns of what is a terminal and tells them. One that nobody has told its rows may know them.
pub(crate) fn columns_of(terminal: impl AsFd) -> Option<usize> {
    tcgetwinsize(terminal).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Columns that the environment tells, e.g. where what is printed goes to a terminal through a pipe.
pub(crate) fn columns_told() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0)
}

/// A report in so many columns. In each paragraph that is wider, sentences are broken between words, and so is what stands beside a name. Of a table the columns that
/// find no room stand below the others, each row's below itself. Nothing is left out.
pub(crate) fn fitted(text: &str, columns: usize) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.split('\n').collect();
        if lines.iter().all(|line| width(line) <= columns) {
            return paragraph.to_owned();
        }
        let fitted: Vec<String> = match lines.iter().all(|line| gaps(line) <= 1) {
            true => lines.iter().map(|line| beside_name(line, columns)).collect(),
            false => below(&lines, columns),
        };
        fitted.join("\n")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Columns that a text takes: letters of some scripts take two.
fn width(line: &str) -> usize {
    line.width()
}

fn width_of(row: &[char]) -> usize {
    row.iter().map(|character| character.width().unwrap_or(0)).sum()
}

/// How many times two spaces or more stand between words.
fn gaps(line: &str) -> usize {
    line.trim().split("  ").filter(|part| !part.trim().is_empty()).count().saturating_sub(1)
}

/// A line of a name, and of a text that goes on below its beginning.
fn beside_name(line: &str, columns: usize) -> String {
    let start = line.len() - line.trim_start().len();
    let named = line[start..].find("  ").map_or(start, |end| start + end);
    let text = line[named..].trim_start();
    let head = &line[..line.len() - text.len()];
    wrapped(head, text, width(head), columns)
}

/// Rows whose last columns stand below the first, and of those again the last where they are too wide: a row is parted where all of them have a space between two.
fn below(lines: &[&str], columns: usize) -> Vec<String> {
    let mut rests: Vec<Vec<char>> = lines.iter().map(|line| line.trim_end().chars().collect()).collect();
    let mut rows = vec![Vec::new(); rests.len()];
    let (mut indent, mut room) = (0, columns);
    while rests.iter().any(|rest| width_of(rest) > room) {
        let Some(cut) = last_gap(&rests, room) else { break };
        for (row, rest) in rows.iter_mut().zip(&mut rests) {
            let first: String = rest.drain(..cut.min(rest.len())).collect();
            add(row, indent, first.trim_end(), columns);
        }
        let leading = |rest: &Vec<char>| rest.iter().position(|character| *character != ' ');
        let shift = rests.iter().filter_map(leading).min().unwrap_or(0);
        rests.iter_mut().for_each(|rest| _ = rest.drain(..shift.min(rest.len())));
        (indent, room) = (INDENT, columns.saturating_sub(INDENT).max(1));
    }
    for (row, rest) in rows.iter_mut().zip(&rests) {
        add(row, indent, &rest.iter().collect::<String>(), columns);
    }
    rows.into_iter().map(|row| row.join("\n")).collect()
}

/// The last place within `room` where a column of all rows has ended. Where the first row, which names the columns, has a single space it is within a name.
fn last_gap(rows: &[Vec<char>], room: usize) -> Option<usize> {
    let is_space = |row: &Vec<char>, at: usize| row.get(at).is_none_or(|character| *character == ' ');
    let is_between = |at: usize| rows.first().is_none_or(|names| is_space(names, at - 1) || is_space(names, at + 1));
    (1..=room).rev().find(|&at| {
        let is_end = rows.iter().all(|row| is_space(row, at)) && rows.iter().any(|row| !is_space(row, at - 1));
        let has_room = |row: &Vec<char>| width_of(&row[..at.min(row.len())]) <= room;
        is_end && is_between(at) && rows.iter().any(|row| row.len() > at) && rows.iter().all(has_room)
    })
}

/// Adds to a row's lines a part of it, broken where that is too wide, unless there is nothing of it.
fn add(row: &mut Vec<String>, indent: usize, part: &str, columns: usize) {
    if !part.is_empty() || row.is_empty() {
        let (spaces, text) = part.split_at(part.len() - part.trim_start().len());
        row.push(wrapped(&(" ".repeat(indent) + spaces), text, INDENT, columns));
    }
}

/// A text behind what a line begins with, broken between words where the line is full. A text that fits stays as it is.
fn wrapped(head: &str, text: &str, indent: usize, columns: usize) -> String {
    if width(head) + width(text) <= columns {
        return format!("{head}{text}");
    }
    let (mut whole, mut at, mut is_first) = (head.to_owned(), width(head), true);
    for word in text.split_whitespace() {
        let space = usize::from(!is_first);
        if !is_first && at + space + width(word) > columns {
            whole.push('\n');
            whole.extend(repeat_n(' ', indent));
            at = indent;
        } else if !is_first {
            whole.push(' ');
            at += 1;
        }
        whole.push_str(word);
        at += width(word);
        is_first = false;
    }
    whole
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use rustix::pty::{OpenptFlags, openpt};
    use rustix::termios::{Winsize, tcsetwinsize};

    use super::*;

    #[test]
    fn reports_fit_into_fifty_columns() {
        let report = "\
A step takes 262.11 ms on the device, 262.51 ms by the host's clock (mean of 3)

by part of the model, ms           forward     again  backward       all    share
  mlp                                40.67      0.00     86.20    126.87   48.4 %
  residual stream and layer loop      1.39      0.00      0.00      1.39    0.5 %

      ms   times  what takes longest      where: op (instruction)
   3.135       1  GEMM                    backward/lm_head: dot (custom-call.482)
   1.064       1  elementwise, reductions update.model.layers.11.mlp.gate_proj.weight: subtract (loop_add_subtract_fusion.5)

server  /v1/chat/completions at http://127.0.0.1:8000, base
load    closed loop of 16 clients; prompts 128, answers 64
done    100

ms          mean        min        p50        p90        p95        p99        max
TTFT       12.31       8.20      11.90      18.44      20.01      25.70      31.22
E2E      1234.50    1100.00    1230.00    1300.00    1310.00    1320.00    1400.00";
        let fitted = fitted(report, 50);
        expect![[r#"
            A step takes 262.11 ms on the device, 262.51 ms by
            the host's clock (mean of 3)

            by part of the model, ms           forward
                again  backward       all    share
              mlp                                40.67
                 0.00     86.20    126.87   48.4 %
              residual stream and layer loop      1.39
                 0.00      0.00      1.39    0.5 %

                  ms   times  what takes longest
                where: op (instruction)
               3.135       1  GEMM
                backward/lm_head: dot (custom-call.482)
               1.064       1  elementwise, reductions
                update.model.layers.11.mlp.gate_proj.weight:
                subtract (loop_add_subtract_fusion.5)

            server  /v1/chat/completions at
                    http://127.0.0.1:8000, base
            load    closed loop of 16 clients; prompts 128,
                    answers 64
            done    100

            ms          mean        min        p50        p90
                    p95        p99        max
            TTFT       12.31       8.20      11.90      18.44
                  20.01      25.70      31.22
            E2E      1234.50    1100.00    1230.00    1300.00
                1310.00    1320.00    1400.00"#]]
        .assert_eq(&fitted);
        assert!(fitted.lines().all(|line| width(line) <= 50), "{fitted}");
        assert_eq!(super::fitted(report, usize::MAX), report, "what has room stays as it is");
    }

    /// Where columns take more than two lines, too.
    #[test]
    fn numbers_stand_below_the_names_of_their_columns() {
        let times = "\
ms          mean        min        p50        p90        p95        p99        max
TTFT       12.31       8.20      11.90      18.44      20.01      25.70      31.22
E2E      1234.50    1100.00    1230.00    1300.00    1310.00    1320.00  101400.00";
        let parts = "\
by part of the model, ms           forward     again  backward       all    share
  mlp                                40.67      0.00     86.20    126.87   48.4 %
  residual stream and layer loop      1.39      0.00      0.00      1.39    0.5 %";
        for (table, least) in [(times, 16), (parts, 42)] {
            for columns in least..90 {
                let text = fitted(table, columns);
                let lines: Vec<&str> = text.lines().collect();
                assert!(lines.iter().all(|line| width(line) <= columns), "{columns}:\n{text}");
                let height = lines.len() / 3;
                assert_eq!(lines.len(), 3 * height, "{columns}:\n{text}");
                // Where each column ends in each row, its first line with another name than numbers.
                let ends = |row: usize| -> Vec<Vec<usize>> {
                    let of_line = |line: &&str| {
                        let chars: Vec<char> = line.chars().chain([' ', ' ']).collect();
                        let is_end = |at: &usize| chars[*at] != ' ' && chars[*at + 1] == ' ' && chars[at + 2] == ' ';
                        (0..line.chars().count()).filter(is_end).skip(usize::from(!line.starts_with("    "))).collect()
                    };
                    lines[row * height..(row + 1) * height].iter().map(of_line).collect()
                };
                assert_eq!(ends(1), ends(0), "{columns}:\n{text}");
                assert_eq!(ends(2), ends(0), "{columns}:\n{text}");
            }
        }
        expect![[r#"
            ms          mean        min        p50
                    p90        p95        p99        max
            TTFT       12.31       8.20      11.90
                  18.44      20.01      25.70      31.22
            E2E      1234.50    1100.00    1230.00
                1300.00    1310.00    1320.00  101400.00"#]]
        .assert_eq(&fitted(times, 44));
        expect![[r#"
            by part of the model, ms           forward
                again  backward       all    share
              mlp                                40.67
                 0.00     86.20    126.87   48.4 %
              residual stream and layer loop      1.39
                 0.00      0.00      1.39    0.5 %"#]]
        .assert_eq(&fitted(parts, 45));
    }

    #[test]
    fn wide_letters_fit_too() {
        let report = "\
model  模型 模型 模型 模型
load   closed loop of 16 clients

step   what         ms
一二三四   GEMM       1.25
五六     attention  0.50";
        let fitted = fitted(report, 18);
        expect![[r#"
            model  模型 模型
                   模型 模型
            load   closed loop
                   of 16
                   clients

            step
                what
                  ms
            一二三四
                GEMM
                1.25
            五六
                attention
                0.50"#]]
        .assert_eq(&fitted);
        assert!(fitted.lines().all(|line| width(line) <= 18), "{fitted}");
    }

    #[test]
    fn a_terminal_tells_its_columns_without_its_rows() {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        for (ws_row, ws_col, columns) in [(0, 45, Some(45)), (24, 80, Some(80)), (24, 0, None), (0, 0, None)] {
            tcsetwinsize(&terminal, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
            assert_eq!(columns_of(&terminal), columns, "{ws_row} rows and {ws_col} columns");
        }
        assert_eq!(columns_of(tempfile::tempfile().unwrap()), None);
    }
}
