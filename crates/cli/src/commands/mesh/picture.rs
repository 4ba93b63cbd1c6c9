//! A tensor cut into the parts that devices hold: as a grid of their numbers in a terminal, and in colours as SVG.

use std::fmt::Write as _;

use train::Placement;

/// The parts of a tensor, as rows and columns. Dimensions before the last two that are split stand one below the other.
pub(super) struct Picture {
    /// For each row its parts: the devices that hold it.
    rows: Vec<Vec<Vec<usize>>>,
}

/// More than these are not drawn one by one.
const DEVICES_NAMED: usize = 8;

impl Picture {
    pub(super) fn of(tensor: &Placement) -> Picture {
        let shape = tensor.ty.shape();
        let sharding = &tensor.sharding;
        let part = sharding.part_type(&tensor.ty).shape();
        let counts: Vec<usize> = shape.iter().zip(&part).map(|(whole, part)| whole / part.max(&1)).collect();
        let columns = counts.last().copied().unwrap_or(1);
        let rows = counts.iter().product::<usize>() / columns;
        let mut cells = vec![vec![Vec::new(); columns]; rows];
        for device in 0..sharding.mesh().device_count() {
            let ranges = sharding.part(&shape, device);
            let at = ranges.iter().zip(&part).zip(&counts);
            let place = at.fold(0, |place, ((range, part), count)| place * count + range.start / part.max(&1));
            cells[place / columns][place % columns].push(device);
        }
        Picture { rows: cells }
    }

    /// With a line around each part. As many columns stand side by side as fit in so many of a terminal's; others follow below.
    pub(super) fn text(&self, room: usize) -> String {
        let labels: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|held| named(held)).collect()).collect();
        let width = labels.iter().flatten().map(String::len).max().unwrap_or(0) + 2;
        let columns = labels.first().map_or(0, Vec::len);
        let side_by_side = (room.saturating_sub(1) / (width + 1)).max(1);
        let block = |first: usize| {
            let shown = first..columns.min(first + side_by_side);
            grid(labels.iter().map(|row| &row[shown.clone()]), width)
        };
        (0..columns).step_by(side_by_side).map(block).collect::<Vec<_>>().join("\n")
    }
}

/// Rows of labels in cells so wide, with lines around them.
fn grid<'l>(rows: impl Iterator<Item = &'l [String]>, width: usize) -> String {
    let rows: Vec<&[String]> = rows.collect();
    let columns = rows.first().map_or(0, |row| row.len());
    let rule = |left: &str, middle: &str, right: &str| {
        format!("{left}{}{right}", vec!["─".repeat(width); columns].join(middle))
    };
    let mut lines = vec![rule("┌", "┬", "┐")];
    for (number, row) in rows.into_iter().enumerate() {
        if number > 0 {
            lines.push(rule("├", "┼", "┤"));
        }
        let cells: Vec<String> = row.iter().map(|label| format!("{label:^width$}")).collect();
        lines.push(format!("│{}│", cells.join("│")));
    }
    lines.push(rule("└", "┴", "┘"));
    lines.join("\n")
}

/// Device numbers, those side by side as a range.
fn named(devices: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &device in devices {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == device => *last = device,
            _ => runs.push((device, device)),
        }
    }
    let run = |(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first},{last}"),
        _ => format!("{first}-{last}"),
    };
    let more = if runs.len() > DEVICES_NAMED { ",…" } else { "" };
    runs.iter().take(DEVICES_NAMED).map(run).collect::<Vec<_>>().join(",") + more
}

const ROW_HEIGHT: usize = 64;
const LABEL_WIDTH: usize = 420;
const GRID_WIDTH: usize = 360;
const MARGIN: usize = 16;

/// All tensors one below the other, each part in the colour of the first device that holds it, with the numbers of all.
pub(super) fn svg(tensors: &[&Placement]) -> String {
    let (width, height) = (LABEL_WIDTH + GRID_WIDTH + 2 * MARGIN, tensors.len() * ROW_HEIGHT + 2 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (number, tensor) in tensors.iter().enumerate() {
        let top = MARGIN + number * ROW_HEIGHT;
        let name = tensor.name.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"{}\">{name}</text>", top + 16);
        let axes = tensor.ty.axes.iter().map(|axis| format!("{} {}", axis.name, axis.size));
        let axes = axes.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#666666\">{axes}</text>", top + 32);
        draw(&mut text, &Picture::of(tensor), top);
    }
    text + "</svg>\n"
}

fn draw(text: &mut String, picture: &Picture, top: usize) {
    let (rows, columns) = (picture.rows.len(), picture.rows.first().map_or(1, Vec::len));
    let (cell_width, cell_height) = (GRID_WIDTH as f64 / columns as f64, (ROW_HEIGHT - 12) as f64 / rows as f64);
    for (row, cells) in picture.rows.iter().enumerate() {
        for (column, devices) in cells.iter().enumerate() {
            let x = (LABEL_WIDTH + MARGIN) as f64 + column as f64 * cell_width;
            let y = top as f64 + row as f64 * cell_height;
            // The golden angle sets the colours of neighbours apart.
            let hue = devices.first().map_or(0, |device| device * 137 % 360);
            let _ = writeln!(
                text,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell_width:.1}\" height=\"{cell_height:.1}\" fill=\"hsl({hue}, 60%, 78%)\" \
                 stroke=\"#444444\" stroke-width=\"0.5\"/>"
            );
            if cell_height >= 12.0 {
                let (x, y) = (x + cell_width / 2.0, y + cell_height / 2.0 + 4.0);
                let label = named(devices);
                let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>");
            }
        }
    }
}
