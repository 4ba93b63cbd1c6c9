use expect_test::{Expect, expect};

use super::*;
use crate::Curve;

const PLAIN: Terminal = Terminal { unicode: true, color: false };
const ASCII: Terminal = Terminal { unicode: false, color: false };
const COLOR: Terminal = Terminal { unicode: true, color: true };

/// Falls from 9 towards 1, with a mark above every fiftieth point.
fn decay(rate: f64) -> Curve {
    let points: Vec<[f64; 2]> =
        (0..=200).map(|step| [f64::from(step), 1.0 + 8.0 * (-rate * f64::from(step)).exp()]).collect();
    let marks = points.iter().skip(50).step_by(50).map(|[x, y]| [*x, y + 0.8]).collect();
    Curve { points, marks, smoothing: 0.0 }
}

fn without_marks(curve: Curve) -> Curve {
    Curve { marks: Vec::new(), ..curve }
}

fn figure(curves: &[(&str, Curve)], y_scale: Scale) -> Figure {
    let panel = Panel {
        title: "Loss".to_owned(),
        curves: curves.iter().map(|(_, curve)| curve.clone()).collect(),
        y_scale,
        from_zero: false,
    };
    Figure {
        names: curves.iter().map(|(name, _)| (*name).to_owned()).collect(),
        panels: vec![panel],
        x_title: "Step".to_owned(),
        x_is_whole: true,
        mark_name: "evaluation".to_owned(),
    }
}

/// Columns that a terminal uses for a line, escape sequences aside.
fn columns(line: &str) -> usize {
    let mut shown = line.to_owned();
    while let Some(start) = shown.find('\x1b') {
        let end = start + shown[start..].find('m').expect("a colour ends") + 1;
        shown.replace_range(start..end, "");
    }
    shown.width()
}

#[track_caller]
fn check(figure: &Figure, terminal: Terminal, width: usize, expected: Expect) {
    let text = figure.to_text(terminal, width);
    expected.assert_eq(&text);
    assert!(text.lines().all(|line| columns(line) <= width));
}

#[test]
fn one_curve_in_braille() {
    check(
        &figure(&[("a", decay(0.02))], Scale::Linear),
        PLAIN,
        60,
        expect![[r#"
        Loss
           │⢢
           │ ⠱⡀
         8 ┤  ⠉⢆
           │    ⠣⣀
         6 ┤     ⠈⠢⡀
           │       ⠉⠢⡀
           │         ⠈⠒⢄⡀ ●
         4 ┤            ⠉⠲⢄⡀
           │               ⠈⠓⠦⢄⡀
           │                   ⠈⠉⠒⠦⢤⣀⣀  ●
         2 ┤                         ⠈⠉⠑⠒⠲⠤⠤⢄⣀⣀⣀⡀    ●             ●
           │                                    ⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤
           └┬─────────────┬─────────────┬────────────┬─────────────┬
            0            50            100          150          200
                                      Step
        ━ a   ● evaluation
    "#]],
    );
    check(
        &figure(&[("a", without_marks(decay(0.02)))], Scale::Linear),
        PLAIN,
        20,
        expect![[r#"
        Loss
           │⡆
           │⢹
         8 ┤⠈⡆
           │ ⢧
         6 ┤ ⠘⡄
           │  ⢣
           │  ⠈⣆
         4 ┤   ⠘⡄
           │    ⠘⣄
           │     ⠈⢦⡀
         2 ┤       ⠙⠢⣄⡀
           │          ⠉⠙⠒⠲⠤⠤
           └┬──────────────┬
            0            200
                  Step
    "#]],
    );
}

#[test]
fn one_curve_in_ascii_on_a_log_axis() {
    check(
        &figure(&[("a", decay(0.02))], Scale::Log),
        ASCII,
        60,
        expect![[r#"
        Loss
           |**
         8 | ****
         6 |    ****
           |       ****   A
         4 |          *****
           |              *****
           |                  *****     A
           |                      *****              A
         2 |                          *******                      A
           |                                ********
           |                                       ************
           |                                                  ******
           ++-------------+-------------+------------+-------------+
            0            50            100          150          200
                                      Step
        * a   A evaluation
    "#]],
    );
}

#[test]
fn curves_without_colors_have_letters() {
    check(
        &figure(&[("adamw", decay(0.02)), ("lora", decay(0.06))], Scale::Linear),
        PLAIN,
        60,
        expect![[r#"
        Loss
           │+
           │++*
         8 ┤ +**
           │ ++ **
         6 ┤  +  ***
           │  ++   ***
           │   ++     *** A
         4 ┤    ++       ****
           │      ++        ******      A
         2 ┤       ++++   B      *********           A
           │          ++++++++          B************B*********    B
           │                 +++++++++++++++++++++++++++++++++++++++
           └┬─────────────┬─────────────┬────────────┬─────────────┬
            0            50            100          150          200
                                      Step
        * adamw   A evaluation   + lora   B evaluation
    "#]],
    );
}

#[test]
fn twenty_columns_hold_everything() {
    check(
        &figure(&[("a", decay(0.02))], Scale::Linear),
        PLAIN,
        20,
        expect![[r#"
        Loss
           │⡆
           │⢹
         8 ┤⠈⡆
           │ ⢧
         6 ┤ ⠘⡄
           │  ⢣
           │  ⠈⣆●
         4 ┤   ⠘⡄
           │    ⠘⣄
           │     ⠈⢦⡀●
         2 ┤       ⠙⠢⣄⡀●   ●
           │          ⠉⠙⠒⠲⠤⠤
           └┬──────────────┬
            0            200
                  Step
        ━ a   ● evaluation
    "#]],
    );
    let curves = [("a run with a long name", decay(0.02)), ("b", decay(0.06)), ("長い名前の実験です", decay(0.03))];
    check(
        &figure(&curves, Scale::Linear),
        ASCII,
        20,
        expect![[r#"
        Loss
           |o
           |o
         8 |oo
           |+o
         6 | o*
           | oo*
           | +o*A
         4 | +ooC
           |  +oo** A
         2 |  ++Bo**C  A
           |   ++oooBo*C***C
           |     ++++ooooooo
           ++--------------+
            0            200
                  Step
        * a run with a long~
        A evaluation   + b
        B evaluation
        o 長い名前の実験です
        C evaluation
    "#]],
    );
}

#[test]
fn marks_that_lie_outside_of_the_curve_are_in_the_range() {
    let mut curve = decay(0.02);
    curve.marks = vec![[250.0, 12.0]];
    check(
        &figure(&[("a", curve)], Scale::Linear),
        PLAIN,
        40,
        expect![[r#"
        Loss
         12 ┤                                  ●
            │
         10 ┤
            │⢆
          8 ┤⠘⣆
            │ ⠘⣆
          6 ┤  ⠈⢧
            │    ⠱⣄
          4 ┤     ⠈⠳⣄
            │       ⠈⠑⠦⣀
          2 ┤          ⠈⠙⠒⠤⢄⣀⡀
            │                ⠈⠉⠉⠒⠒⠒⠒⠦⠤⠤⠤⠤
            └┬─────────────┬────────────┬───────
             0            100          200
                            Step
        ━ a   ● evaluation
    "#]],
    );
}

#[test]
fn degenerate_curves_are_drawn() {
    let of =
        |points: &[[f64; 2]]| figure(&[("a", Curve { points: points.to_vec(), ..Curve::default() })], Scale::Linear);
    check(
        &of(&[]),
        ASCII,
        60,
        expect![[r#"
        Loss
        (no finite value)
    "#]],
    );
    check(
        &of(&[[3.0, f64::NAN]]),
        ASCII,
        10,
        expect![[r#"
        Loss
        (no finit~
    "#]],
    );
    check(
        &of(&[[3.0, 2.0]]),
        ASCII,
        60,
        expect![[r#"
        Loss
         2.2 |
             |
             |
         2.1 |
             |
             |
           2 |                           *
             |
         1.9 |
             |
             |
         1.8 |
             +---------------------------+--------------------------
                                         3
                                       Step
    "#]],
    );
}

#[test]
fn panels_line_up() {
    let mut two = figure(&[("a", without_marks(decay(0.02)))], Scale::Linear);
    let mut rate = two.panels[0].clone();
    rate.title = "Learning rate".to_owned();
    rate.curves[0].points.iter_mut().for_each(|point| point[1] *= 1e-4);
    two.panels.push(rate);
    let text = two.to_text(PLAIN, 40);
    let axes: Vec<&str> = text.lines().filter(|line| line.contains('└')).collect();
    assert_eq!(axes.len(), 2);
    assert_eq!(axes[0], axes[1]);
}

/// The axis's line was longer than the terminal by the axis's title, and was wrapped.
#[test]
fn no_line_is_wider_than_the_terminal() {
    let curves = [("first", decay(0.02)), ("a run of some name, of a length that some have", decay(0.001))];
    for runs in [1, 2] {
        for scale in [Scale::Linear, Scale::Log] {
            let mut figure = figure(&curves[..runs], scale);
            figure.x_title = "Time (min)".to_owned();
            for width in 1..130 {
                for terminal in [PLAIN, ASCII, COLOR] {
                    let text = figure.to_text(terminal, width);
                    let widest = text.lines().max_by_key(|line| columns(line)).unwrap();
                    assert!(columns(widest) <= width.max(2), "{width} columns hold no {widest:?}");
                    let rows = text.lines().filter(|line| line.contains(['│', '┤', '|'])).count();
                    assert_eq!(rows, PANEL_ROWS, "{text}");
                }
            }
        }
    }
}

/// As many as there are GPUs in most machines, and more.
#[test]
fn twelve_curves_look_different() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let curves = names.map(|name| (name, decay(0.02)));
    for terminal in [COLOR, ASCII] {
        let text = figure(&curves, Scale::Linear).to_text(terminal, 400);
        let legend = text.lines().last().expect("a legend");
        // The names and what stands for their marks; of colours one mark is for all.
        let looks: Vec<String> =
            legend.split("   ").map(|entry| entry.rsplit_once(' ').expect("a name").0.to_owned()).collect();
        let distinct: std::collections::BTreeSet<&String> = looks.iter().collect();
        let expected = if terminal.color { 12 + 1 } else { 2 * 12 };
        assert_eq!((looks.len(), distinct.len()), (expected, expected), "{legend}");
    }
}
