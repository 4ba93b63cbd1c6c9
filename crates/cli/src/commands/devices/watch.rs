//! `finery devices --watch`: what sensors tell, every second.

use std::io::{self, IsTerminal as _, Write as _};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use console::{Alignment, Term, measure_text_width, pad_str, truncate_str};
use runtime::plugins::Platform;
use sensors::{Device, Machine, Monitor, Reading};
use serde_json::{Value, json};

use crate::narrow;

const INTERVAL: Duration = Duration::from_secs(1);

/// Reads the sensors of a platform's GPUs, or of those that are found, and of the host until it is stopped or nobody reads any more: as one
/// JSON object a line; else as a table, which a terminal sees in one place. No device is opened, so that nothing on it is disturbed.
///
/// # Errors
/// The output cannot be written.
pub(super) fn run(platform: Option<Platform>, as_json: bool) -> anyhow::Result<()> {
    let mut monitor = Monitor::of_machine(&Machine::this(), platform);
    let names = monitor.devices();
    let mut shown = Vec::new();
    let mut due = Instant::now();
    loop {
        let readings = monitor.read(Instant::now());
        let mut rows =
            names.iter().zip(&readings).map(|((_, name), (device, reading))| (*device, name.as_deref(), reading));
        let text = if as_json {
            let devices: Vec<Value> = rows.map(|(device, name, reading)| row_json(device, name, reading)).collect();
            format!("{}\n", json!({ "time": now(), "devices": devices }))
        } else if io::stdout().is_terminal() {
            let (height, usual) = Term::stdout().size();
            let width = narrow::columns_of(io::stdout()).unwrap_or_else(|| usual.into());
            let lines = table(rows.by_ref(), width, usize::from(height));
            let text = erased(&shown, width) + &joined(&lines);
            shown = lines;
            text
        } else {
            format!("{}\n", joined(&table(rows.by_ref(), usize::MAX, usize::MAX)))
        };
        let mut out = io::stdout().lock();
        // At once, so that nobody sees half of it.
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("printing what the sensors tell")?;
        drop(out);
        due = after(due, Instant::now());
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

/// When the reading behind that of `due` is due. After a pause, as of Ctrl-Z, those that were missed are not made up for.
fn after(due: Instant, now: Instant) -> Instant {
    (due + INTERVAL).max(now)
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |elapsed| elapsed.as_secs_f64())
}

fn row_json(device: Device, name: Option<&str>, reading: &Reading) -> Value {
    let mut row = json!({ "device": device, "name": name });
    let read = serde_json::to_value(reading).expect("a reading has strings for keys");
    if let (Value::Object(row), Value::Object(read)) = (&mut row, read) {
        row.extend(read);
    }
    row
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Takes lines off a terminal of this width, on which long ones may have been broken since they were drawn wider.
fn erased(lines: &[String], width: usize) -> String {
    let rows: usize = lines.iter().map(|line| measure_text_width(line).div_ceil(width.max(1)).max(1)).sum();
    match rows {
        0 => String::new(),
        // Up to the first, and all from there on (ECMA-48: CPL and ED).
        rows => format!("\x1b[{rows}F\x1b[J"),
    }
}

const HEADS: [&str; 7] = ["device", "busy", "memory", "power", "temperature", "throttled", "name"];

/// The table in a terminal of this size: the last columns go where there is no room, and the last rows.
fn table<'r>(
    rows: impl Iterator<Item = (Device, Option<&'r str>, &'r Reading)>,
    width: usize,
    height: usize,
) -> Vec<String> {
    let row = |(device, name, reading): (Device, Option<&str>, &Reading)| {
        let load = reading.load.map(|load| format!("load {load:.2}"));
        [
            Some(device.to_string()),
            // As wide as it gets, so that what is beside it stays where it is.
            super::busy(reading).map(|busy| format!("{busy:>5}")),
            memory(reading),
            super::power(reading),
            super::temperature(reading),
            super::throttled(reading),
            name.map(str::to_owned).or(load),
        ]
        .map(|cell| cell.unwrap_or_else(|| "-".to_owned()))
    };
    let rows: Vec<[String; HEADS.len()]> = [HEADS.map(str::to_owned)].into_iter().chain(rows.map(row)).collect();
    let widths: [usize; HEADS.len()] =
        std::array::from_fn(|at| rows.iter().map(|row| measure_text_width(&row[at])).max().unwrap_or(0));
    let mut columns = HEADS.len();
    while columns > 1 && widths[..columns].iter().map(|width| width + 2).sum::<usize>() - 2 > width {
        columns -= 1;
    }
    let line = |row: &[String; HEADS.len()]| {
        let cells = row[..columns].iter().zip(widths);
        let cells: Vec<_> = cells.map(|(cell, width)| pad_str(cell, width, Alignment::Left, None)).collect();
        truncate_str(cells.join("  ").trim_end(), width, "").into_owned()
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    // One row of the terminal is the cursor's.
    lines.truncate(height.saturating_sub(1).max(1));
    lines
}

fn memory(reading: &Reading) -> Option<String> {
    let [used, total] = [reading.memory_used_bytes?, reading.memory_total_bytes?].map(|bytes| bytes as f64 / 1e9);
    Some(format!("{used:.1} of {total:.1} GB"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use sensors::Throttling;

    use super::*;

    fn lines(width: usize, height: usize) -> String {
        let busy = Reading {
            memory_used_bytes: Some(132_000_000_000),
            memory_total_bytes: Some(150_000_000_000),
            utilisation_percent: Some(99.0),
            power_watts: Some(698.25),
            power_limit_watts: Some(700.0),
            temperature_celsius: Some(86.0),
            throttling: Some(Throttling { power: true, temperature: true, ..Throttling::default() }),
            ..Reading::default()
        };
        let cool = Reading { power_limit_watts: None, throttling: Some(Throttling::default()), ..busy };
        let host = Reading { load: Some(3.25), utilisation_percent: Some(4.6), ..Reading::default() };
        let rows = [
            (Device::Gpu(0), Some("NVIDIA H200"), &busy),
            (Device::Gpu(1), Some("NVIDIA H200"), &cool),
            (Device::Host, None, &host),
        ];
        table(rows.into_iter(), width, height).join("\n")
    }

    #[test]
    fn what_a_pause_has_missed_is_not_read() {
        let due = Instant::now();
        let late = due + Duration::from_millis(300);
        assert_eq!(after(due, late), due + INTERVAL);
        let resumed = due + 60 * INTERVAL;
        let next = after(due, resumed);
        assert_eq!((next, after(next, resumed)), (resumed, resumed + INTERVAL));
    }

    #[test]
    fn the_table_in_a_wide_terminal() {
        expect![[r#"
            device  busy   memory             power         temperature  throttled           name
            gpu0     99 %  132.0 of 150.0 GB  698 of 700 W  86 °C        power, temperature  NVIDIA H200
            gpu1     99 %  132.0 of 150.0 GB  698 W         86 °C        no                  NVIDIA H200
            host      5 %  -                  -             -            -                   load 3.25"#]]
        .assert_eq(&lines(100, 24));
        assert_eq!(lines(92, 24), lines(usize::MAX, usize::MAX));
    }

    #[test]
    fn columns_and_rows_go_where_there_is_no_room() {
        expect![[r#"
            device  busy   memory             power
            gpu0     99 %  132.0 of 150.0 GB  698 of 700 W
            gpu1     99 %  132.0 of 150.0 GB  698 W"#]]
        .assert_eq(&lines(46, 4));
        for width in 1..100 {
            let lines = lines(width, 24);
            assert!(lines.lines().all(|line| measure_text_width(line) <= width), "{width}: {lines}");
        }
        assert_eq!(lines(3, 1), "dev");
    }

    #[test]
    fn what_was_drawn_is_erased_whatever_width_the_terminal_has_now() {
        let drawn = ["12345678".to_owned(), String::new(), "123".to_owned()];
        assert_eq!(erased(&[], 80), "");
        assert_eq!(erased(&drawn, 80), "\x1b[3F\x1b[J");
        assert_eq!(erased(&drawn, 4), "\x1b[4F\x1b[J");
        assert_eq!(erased(&drawn, 3), "\x1b[5F\x1b[J");
    }
}
