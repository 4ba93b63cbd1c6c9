//! Reports on terminals that are narrower than their tables. A terminal breaks a line wherever it ends, and columns stand below others' then.

use std::iter::repeat_n;

use console::Term;

/// How far in the rest of a line stands that is continued below.
const INDENT: usize = 4;

/// Columns of the terminal that is printed on; where there is none, a file has as many as it takes.
pub(crate) fn columns() -> usize {
    Term::stdout().size_checked().map_or(usize::MAX, |(_, columns)| usize::from(columns))
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

fn width(line: &str) -> usize {
    line.chars().count()
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

/// Rows whose last columns stand below the first, where all of them have a space between two.
fn below(lines: &[&str], columns: usize) -> Vec<String> {
    let rows: Vec<Vec<char>> = lines.iter().map(|line| line.chars().collect()).collect();
    let is_space = |row: &Vec<char>, at: usize| row.get(at).is_none_or(|character| *character == ' ');
    let ends = |at: &usize| rows.iter().all(|row| is_space(row, *at)) && rows.iter().any(|row| !is_space(row, *at - 1));
    let Some(cut) = (1..=columns).rev().find(ends) else {
        return lines.iter().map(|line| wrapped("", line, INDENT, columns)).collect();
    };
    let rest = |row: &Vec<char>| row.get(cut..).unwrap_or_default().iter().collect::<String>();
    let rests: Vec<String> = rows.iter().map(rest).collect();
    let leading = |rest: &String| width(rest) - width(rest.trim_start());
    let shift = rests.iter().filter(|rest| !rest.trim().is_empty()).map(leading).min().unwrap_or(0);
    let one = |(row, rest): (&Vec<char>, &String)| {
        let first: String = row.iter().take(cut).collect();
        let first = first.trim_end();
        if rest.trim().is_empty() {
            return first.to_owned();
        }
        let spaces: String = repeat_n(' ', INDENT + leading(rest) - shift).collect();
        format!("{first}\n{}", wrapped(&spaces, rest.trim_start(), INDENT, columns))
    };
    rows.iter().zip(&rests).map(one).collect()
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
}
