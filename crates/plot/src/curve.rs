//! What is drawn: figures of panels of curves.

use crate::axis::Scale;

/// Panels over one x, each with a curve of every name.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Who the curves of a panel belong to, in their order.
    pub names: Vec<String>,
    /// One below the other or side by side.
    pub panels: Vec<Panel>,
    /// What the x axis counts, with its unit.
    pub x_title: String,
    /// Whether x is a whole number.
    pub x_is_whole: bool,
    /// What the marks beside the curves are.
    pub mark_name: String,
}

/// One quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The quantity, with its unit.
    pub title: String,
    /// One for each name of the figure; one without points draws nothing.
    pub curves: Vec<Curve>,
    /// How its values are spread.
    pub y_scale: Scale,
    /// Whether a linear y axis begins at 0 even where no value is near it.
    pub from_zero: bool,
}

/// A line through points `[x, y]` in order of x, and marks beside it. What an axis cannot show (infinities, and values of
/// 0 or less on a logarithmic one) is left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// The points of the line.
    pub points: Vec<[f64; 2]>,
    /// Single values, not joined by a line.
    pub marks: Vec<[f64; 2]>,
    /// Weight of the past in the moving average that is drawn in place of the line, from 0 for none to below 1.
    pub smoothing: f64,
}

/// A curve as its panel shows it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// All points that the axes can show.
    pub(crate) raw: Vec<[f64; 2]>,
    /// As long as `raw`; absent without smoothing.
    pub(crate) smooth: Option<Vec<[f64; 2]>>,
    pub(crate) marks: Vec<[f64; 2]>,
}

impl Panel {
    pub(crate) fn lines(&self) -> Vec<Line> {
        let shows = |point: &&[f64; 2]| {
            point.iter().all(|value| value.is_finite()) && (self.y_scale == Scale::Linear || point[1] > 0.0)
        };
        let line = |curve: &Curve| {
            let raw: Vec<[f64; 2]> = curve.points.iter().filter(shows).copied().collect();
            let smooth = (curve.smoothing > 0.0).then(|| smoothed(&raw, curve.smoothing));
            Line { smooth, raw, marks: curve.marks.iter().filter(shows).copied().collect() }
        };
        self.curves.iter().map(line).collect()
    }
}

impl Line {
    /// The points that are joined.
    pub(crate) fn joined(&self) -> &[[f64; 2]] {
        self.smooth.as_deref().unwrap_or(&self.raw)
    }

    /// All that is drawn, in no order.
    pub(crate) fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.raw.iter().chain(&self.marks)
    }
}

/// Least and greatest of finite values.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// Exponential moving average without the pull of its start towards 0, as TensorBoard smooths.
fn smoothed(points: &[[f64; 2]], weight: f64) -> Vec<[f64; 2]> {
    let (mut average, mut total_weight) = (0.0, 0.0);
    let smooth = |&[x, y]: &[f64; 2]| {
        average = weight * average + (1.0 - weight) * y;
        total_weight = weight * total_weight + (1.0 - weight);
        [x, average / total_weight]
    };
    points.iter().map(smooth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_keeps_a_constant_and_averages_the_rest() {
        let constant = [[0.0, 3.0], [1.0, 3.0], [2.0, 3.0]];
        for (point, expected) in smoothed(&constant, 0.9).iter().zip(constant) {
            assert!((point[1] - expected[1]).abs() < 1e-12 && point[0] == expected[0]);
        }
        // Weights 1/4, 1/2 and 1 over 7/4.
        let values = smoothed(&[[0.0, 7.0], [1.0, 0.0], [2.0, 14.0]], 0.5);
        assert!((values[2][1] - (7.0 * 0.25 + 14.0) / 1.75).abs() < 1e-12, "{values:?}");
    }

    #[test]
    fn what_an_axis_cannot_show_is_left_out_before_smoothing() {
        let points = vec![[0.0, 1.0], [1.0, f64::NAN], [2.0, 0.0], [f64::INFINITY, 1.0], [3.0, 4.0]];
        let panel = |y_scale| Panel {
            title: String::new(),
            curves: vec![Curve { points: points.clone(), marks: points.clone(), smoothing: 0.5 }],
            y_scale,
            from_zero: false,
        };
        let [line] = &panel(Scale::Log).lines()[..] else { panic!("one curve") };
        assert_eq!(line.raw, [[0.0, 1.0], [3.0, 4.0]]);
        assert_eq!(line.marks, line.raw);
        assert_eq!(line.joined(), [[0.0, 1.0], [3.0, (0.25 + 0.5 * 4.0) / 0.75]]);
        let [line] = &panel(Scale::Linear).lines()[..] else { panic!("one curve") };
        assert_eq!(line.raw, [[0.0, 1.0], [2.0, 0.0], [3.0, 4.0]]);
    }
}
