//! Layout of a figure: a legend, and below it its panels.

use crate::axis::{Axis, Scale};
use crate::curve::{Line, range};
use crate::drawing::{Anchor, Color, Drawing, Shape, Stroke, Text, Weight};
use crate::font::Fonts;
use crate::{Figure, Panel};

/// Okabe and Ito's colours (Color Universal Design, 2008), which people with any colour vision tell apart, without the
/// yellow that white swallows.
const PALETTE: [Color; 7] = [
    Color(0x00, 0x72, 0xb2),
    Color(0xd5, 0x5e, 0x00),
    Color(0x00, 0x9e, 0x73),
    Color(0xcc, 0x79, 0xa7),
    Color(0xe6, 0x9f, 0x00),
    Color(0x56, 0xb4, 0xe9),
    Color(0x33, 0x33, 0x33),
];
/// Set when the colours come round again.
const DASHES: [Option<[f64; 2]>; 3] = [None, Some([6.0, 4.0]), Some([1.5, 4.0])];

const INK: Color = Color(0x26, 0x26, 0x26);
const FAINT_INK: Color = Color(0x6b, 0x6b, 0x6b);
const AXIS_INK: Color = Color(0x8c, 0x8c, 0x8c);
const GRID_INK: Color = Color(0xe8, 0xe8, 0xe8);

const MARGIN: f64 = 20.0;
const PANEL_WIDTH: f64 = 330.0;
const PANEL_HEIGHT: f64 = 220.0;
const PANEL_GAP: f64 = 28.0;
const TITLE_HEIGHT: f64 = 26.0;
const X_LABEL_HEIGHT: f64 = 42.0;
const LEGEND_ROW_HEIGHT: f64 = 22.0;
const LEGEND_GAP: f64 = 8.0;
const TITLE_SIZE: f64 = 13.0;
const LABEL_SIZE: f64 = 11.0;
const LEGEND_SIZE: f64 = 12.0;
const MARKER_RADIUS: f64 = 3.2;

impl Figure {
    /// The figure's shapes; `fonts` say how wide its words are.
    pub(crate) fn draw(&self, fonts: &Fonts) -> Drawing {
        let columns = if self.panels.len() == 4 { 2 } else { self.panels.len().clamp(1, 3) };
        let panels = laid_out(self);
        let gutter = panels.iter().map(|panel| panel.gutter(fonts)).max_by(f64::total_cmp).unwrap_or(0.0);
        let cell_width = gutter + PANEL_WIDTH + PANEL_GAP;
        let cell_height = TITLE_HEIGHT + PANEL_HEIGHT + X_LABEL_HEIGHT;

        let width = 2.0 * MARGIN + columns as f64 * cell_width - PANEL_GAP;
        let has_marks = panels.iter().any(|panel| panel.lines.iter().any(|line| !line.marks.is_empty()));
        let (mut shapes, legend_height) = legend(self, has_marks, MARGIN + gutter, width - MARGIN, fonts);
        for (index, panel) in panels.iter().enumerate() {
            let left = MARGIN + gutter + (index % columns) as f64 * cell_width;
            let top = MARGIN + legend_height + TITLE_HEIGHT + (index / columns) as f64 * cell_height;
            panel.draw(left, top, &mut shapes);
        }
        let rows = panels.len().div_ceil(columns);
        let height = 2.0 * MARGIN + legend_height + rows as f64 * cell_height - 6.0;
        Drawing { width: width.round(), height: height.round(), shapes }
    }
}

/// How the curves of name `index` are told from the others.
fn curve_stroke(index: usize) -> Stroke {
    let dash = DASHES[index / PALETTE.len() % DASHES.len()];
    Stroke { color: PALETTE[index % PALETTE.len()], width: 1.8, opacity: 1.0, dash }
}

fn legend(figure: &Figure, has_marks: bool, left: f64, right: f64, fonts: &Fonts) -> (Vec<Shape>, f64) {
    const SWATCH_WIDTH: f64 = 18.0;
    const SWATCH_GAP: f64 = 6.0;
    const ENTRY_GAP: f64 = 20.0;
    let mut shapes = Vec::new();
    let (mut x, mut y) = (left, MARGIN + LEGEND_SIZE);
    let entries = figure.names.iter().map(String::as_str).enumerate().map(|(index, name)| (Some(index), name));
    for (curve, name) in entries.chain(has_marks.then_some((None, figure.mark_name.as_str()))) {
        let width = SWATCH_WIDTH + SWATCH_GAP + fonts.width(name, LEGEND_SIZE, Weight::Regular);
        if x > left && x + width > right {
            (x, y) = (left, y + LEGEND_ROW_HEIGHT);
        }
        let middle = y - LEGEND_SIZE * 0.36;
        shapes.push(match curve {
            Some(index) => Shape::Line {
                points: vec![[x, middle], [x + SWATCH_WIDTH, middle]],
                stroke: Stroke { width: 2.4, ..curve_stroke(index) },
            },
            None => {
                let color = if figure.names.len() == 1 { PALETTE[0] } else { FAINT_INK };
                marker([x + SWATCH_WIDTH / 2.0, middle], color)
            }
        });
        shapes.push(label([x + SWATCH_WIDTH + SWATCH_GAP, y], name, LEGEND_SIZE, INK, Anchor::Start));
        x += width + ENTRY_GAP;
    }
    (shapes, y - MARGIN - LEGEND_SIZE + LEGEND_ROW_HEIGHT + LEGEND_GAP)
}

/// A panel with its axes.
struct LaidOut<'a> {
    title: &'a str,
    lines: Vec<Line>,
    x: Axis,
    /// Absent when there is nothing to show.
    y: Option<Axis>,
    x_title: &'a str,
}

/// All panels, over the same x.
fn laid_out(figure: &Figure) -> Vec<LaidOut<'_>> {
    let lines: Vec<Vec<Line>> = figure.panels.iter().map(|panel| panel.lines()).collect();
    let points = lines.iter().flatten().flat_map(Line::points);
    let (x_low, x_high) = range(points.map(|point| point[0])).unwrap_or((0.0, 1.0));
    // A run from its beginning starts at the axis; a later part of a run does not leave most of the panel empty.
    let x = Axis::linear(if x_low < 0.1 * x_high { 0.0 } else { x_low }, x_high, figure.x_is_whole, 6);
    figure.panels.iter().zip(lines).map(|(panel, lines)| with_axes(figure, panel, lines, x.clone())).collect()
}

fn with_axes<'a>(figure: &'a Figure, panel: &'a Panel, lines: Vec<Line>, x: Axis) -> LaidOut<'a> {
    let y = range(lines.iter().flat_map(Line::points).map(|point| point[1])).map(|(low, high)| {
        let from_zero = panel.from_zero && panel.y_scale == Scale::Linear;
        Axis::with_margin(if from_zero { low.min(0.0) } else { low }, high, panel.y_scale, 5, 0.05)
    });
    LaidOut { title: &panel.title, lines, x, y, x_title: &figure.x_title }
}

impl LaidOut<'_> {
    /// Room to the left of the panel for the labels of its y axis.
    fn gutter(&self, fonts: &Fonts) -> f64 {
        let ticks = self.y.iter().flat_map(|axis| &axis.ticks);
        let widths = ticks.map(|tick| fonts.width(&tick.label, LABEL_SIZE, Weight::Regular));
        widths.max_by(f64::total_cmp).unwrap_or(0.0) + 8.0
    }

    fn draw(&self, left: f64, top: f64, shapes: &mut Vec<Shape>) {
        let bottom = top + PANEL_HEIGHT;
        shapes.push(Shape::Text(Text {
            weight: Weight::SemiBold,
            ..text([left, top - 10.0], self.title, TITLE_SIZE, INK, Anchor::Start)
        }));
        self.draw_x_axis(left, bottom, shapes);
        let Some(y) = &self.y else {
            let center = [left + PANEL_WIDTH / 2.0, top + PANEL_HEIGHT / 2.0];
            shapes.push(label(center, "no finite value", LABEL_SIZE, FAINT_INK, Anchor::Middle));
            return;
        };
        for tick in &y.ticks {
            let at = bottom - y.position(tick.value) * PANEL_HEIGHT;
            shapes.push(thin_line([left, at], [left + PANEL_WIDTH, at], GRID_INK));
            shapes.push(label([left - 8.0, at + LABEL_SIZE * 0.36], &tick.label, LABEL_SIZE, FAINT_INK, Anchor::End));
        }
        shapes.push(thin_line([left, bottom], [left + PANEL_WIDTH, bottom], AXIS_INK));
        let place = |&[x_value, y_value]: &[f64; 2]| {
            [left + self.x.position(x_value) * PANEL_WIDTH, bottom - y.position(y_value) * PANEL_HEIGHT]
        };
        self.draw_curves(place, shapes);
    }

    fn draw_x_axis(&self, left: f64, bottom: f64, shapes: &mut Vec<Shape>) {
        for tick in &self.x.ticks {
            let at = left + self.x.position(tick.value) * PANEL_WIDTH;
            shapes.push(thin_line([at, bottom], [at, bottom + 4.0], AXIS_INK));
            shapes.push(label([at, bottom + 17.0], &tick.label, LABEL_SIZE, FAINT_INK, Anchor::Middle));
        }
        let center = left + PANEL_WIDTH / 2.0;
        shapes.push(label([center, bottom + 34.0], self.x_title, LABEL_SIZE, INK, Anchor::Middle));
    }

    fn draw_curves(&self, place: impl Fn(&[f64; 2]) -> [f64; 2], shapes: &mut Vec<Shape>) {
        let line = |points: &[[f64; 2]], stroke| Shape::Line { points: thinned(points.iter().map(&place)), stroke };
        // Faint lines below all bold ones, so that one run's noise does not cover another's trend.
        for (index, curve) in self.lines.iter().enumerate().filter(|(_, line)| line.smooth.is_some()) {
            let faint = Stroke { width: 1.0, opacity: 0.28, dash: None, ..curve_stroke(index) };
            shapes.push(line(&curve.raw, faint));
        }
        for (index, curve) in self.lines.iter().enumerate() {
            match curve.joined() {
                [] => {}
                [point] => shapes.push(line(&[*point, *point], Stroke { width: 4.0, ..curve_stroke(index) })),
                points => shapes.push(line(points, curve_stroke(index))),
            }
        }
        for (index, curve) in self.lines.iter().enumerate() {
            let color = curve_stroke(index).color;
            shapes.extend(curve.marks.iter().map(|point| marker(place(point), color)));
        }
    }
}

/// Leaves out what no eye can see: of the points within half a pixel of x, the first, least, greatest and last remain.
fn thinned(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let points: Vec<[f64; 2]> = points.collect();
    let mut kept = Vec::new();
    for bucket in points.chunk_by(|a, b| (a[0] * 2.0).floor() == (b[0] * 2.0).floor()) {
        let by_y = |&a: &usize, &b: &usize| bucket[a][1].total_cmp(&bucket[b][1]);
        let extremes = [(0..bucket.len()).min_by(by_y), (0..bucket.len()).max_by(by_y)];
        let mut indices: Vec<usize> = extremes.into_iter().flatten().chain([0, bucket.len() - 1]).collect();
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| bucket[index]));
    }
    kept
}

fn marker(center: [f64; 2], color: Color) -> Shape {
    Shape::Marker { center, radius: MARKER_RADIUS, stroke: Stroke { color, width: 1.6, opacity: 1.0, dash: None } }
}

fn thin_line(from: [f64; 2], to: [f64; 2], color: Color) -> Shape {
    Shape::Line { points: vec![from, to], stroke: Stroke { color, width: 1.0, opacity: 1.0, dash: None } }
}

fn label(at: [f64; 2], content: &str, size: f64, color: Color, anchor: Anchor) -> Shape {
    Shape::Text(text(at, content, size, color, anchor))
}

fn text(at: [f64; 2], content: &str, size: f64, color: Color, anchor: Anchor) -> Text {
    Text { at, text: content.to_owned(), size, color, anchor, weight: Weight::Regular }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_extremes_and_ends() {
        let noisy = (0..100_000).map(|index| [f64::from(index) / 1000.0, f64::from(index % 7)]);
        let kept = thinned(noisy);
        assert!(kept.len() <= 200 * 4, "{} points in 100 pixels", kept.len());
        assert_eq!(range(kept.iter().map(|point| point[1])), Some((0.0, 6.0)));
        assert_eq!((kept.first().unwrap()[0], kept.last().unwrap()[0]), (0.0, 99.999));
        assert!(kept.is_sorted_by_key(|point| point[0]));
    }

    #[test]
    fn few_points_are_all_kept() {
        let points = [[0.0, 1.0], [0.1, 5.0], [0.2, 3.0], [7.0, 2.0]];
        assert_eq!(thinned(points.into_iter()), [points[0], points[1], points[2], points[3]]);
    }
}
