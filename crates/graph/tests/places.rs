//! What the lines of a program's text are said to compute.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use expect_test::expect;
use graph::{Axis, DType, Graph, Init, Output, ParamSpec, Phase, Program, Remat, Stack, Tensor, with_named_lines};

const A: Axis = Axis::new("a", 2);
const LAYERS: Axis = Axis::new("layers", 2);

/// Layers 1 and 3 of some model: a product with a weight, and its exponential.
fn layers<'g>(graph: &'g Graph, x: Tensor<'g>, remat: Remat) -> Tensor<'g> {
    let stack = [Stack { axis: LAYERS, first: 1, step: 2 }];
    let _named = graph.named("layers", &[], Some("loop"));
    let (carry, _) = graph.scan(LAYERS, &[x], &[], remat, |step| {
        let _named = graph.named("layers.*", &stack, Some("mlp"));
        let name = "layers.*.up.weight".into();
        let weight = ParamSpec { name, dtype: DType::F32, axes: vec![A], stack: stack.to_vec(), init: Init::Ones };
        let up = {
            let _named = graph.named("layers.*.up", &stack, None);
            step.carry[0] * graph.param(weight)
        };
        let _part = graph.named_part("activation");
        (vec![up.exp()], vec![])
    });
    carry[0]
}

/// The gradient of a sum of what the layers make, and what is left of a weight after a step.
fn program(unrolled: &[&'static str], remat: Remat) -> Program {
    let graph = Graph::new();
    let y = layers(&graph, graph.input("x", DType::F32, &[A]), remat);
    let loss = {
        let _named = graph.named("loss", &[], Some("head"));
        y.sum_all()
    };
    let (spec, weight) = graph.params().remove(0);
    let grad = graph.grad(loss, &[weight])[0];
    let _named = graph.named(&format!("update.{}", spec.name), &spec.stack, Some("optimizer"));
    let next = weight - grad;
    let output = Output { name: &spec.name, stack: &spec.stack, tensor: next };
    graph.lower_unrolled("golden", &[output], &[(weight, 0)], unrolled).unwrap()
}

/// The text, each line of it behind what it is said to compute.
fn labelled(program: &Program) -> String {
    let line = |(at, line): (usize, &str)| {
        let label = program.places.of_line(at + 1).map_or(String::new(), |label| {
            let phase = match label.phase {
                Phase::Forward => "",
                Phase::Recomputed => "recomputed ",
                Phase::Backward => "backward ",
            };
            format!("{phase}{} [{}] {}", label.path, label.part, label.op)
        });
        let line = line.trim();
        let op = line.find(" = ").map_or(line, |at| &line[at + 3..]);
        format!("{label:<50}{}\n", op.split([' ', '(']).next().unwrap_or_default())
    };
    program.text.lines().enumerate().map(line).collect()
}

#[test]
fn unrolled_layers_have_their_numbers() {
    expect![[r#"
                                                          1
                                                          0
        layers.1.up [mlp] multiply                        stablehlo.multiply
        layers.1 [activation] exponential                 stablehlo.exponential
        layers.3.up [mlp] multiply                        stablehlo.multiply
        layers.3 [activation] exponential                 stablehlo.exponential
         [] constant                                      stablehlo.constant
        backward loss [head] broadcast                    stablehlo.broadcast_in_dim
        backward layers.3 [activation] multiply           stablehlo.multiply
        backward layers.3.up [mlp] multiply               stablehlo.multiply
        backward layers.3.up [mlp] multiply               stablehlo.multiply
        backward layers.1 [activation] multiply           stablehlo.multiply
        backward layers.1.up [mlp] multiply               stablehlo.multiply
        backward layers.1.up [mlp] multiply               stablehlo.multiply
        update.layers.1.up.weight [optimizer] subtract    stablehlo.subtract
        update.layers.3.up.weight [optimizer] subtract    stablehlo.subtract
         []                                               return
                                                          }
                                                          }
    "#]]
    .assert_eq(&labelled(&program(&["layers"], Remat::none())));
}

#[test]
fn loops_are_of_all_layers_and_what_is_computed_again_is_said_to_be() {
    expect![[r#"
                                                          1
                                                          0
        layers [loop] scan                                stablehlo.constant
        layers [loop] scan                                stablehlo.constant
        layers [loop] scan                                stablehlo.broadcast_in_dim
        layers [loop] scan                                stablehlo.while
        layers [loop] scan                                cond
        layers [loop] scan                                stablehlo.constant
        layers [loop] scan                                stablehlo.compare
        layers [loop] scan                                stablehlo.return
        layers [loop] scan                                }
        layers [loop] scan                                stablehlo.constant
        layers [loop] scan                                stablehlo.dynamic_slice
        layers [loop] scan                                stablehlo.reshape
        layers.*.up [mlp] multiply                        stablehlo.multiply
        layers.* [activation] exponential                 stablehlo.exponential
        layers [loop] scan                                stablehlo.constant
        layers [loop] scan                                stablehlo.add
        layers [loop] scan                                stablehlo.reshape
        layers [loop] scan                                stablehlo.constant
        layers [loop] scan                                stablehlo.dynamic_update_slice
        layers [loop] scan                                stablehlo.return
        layers [loop] scan                                }
         [] constant                                      stablehlo.constant
        backward loss [head] broadcast                    stablehlo.broadcast_in_dim
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.broadcast_in_dim
        backward layers [loop] scan                       stablehlo.while
        backward layers [loop] scan                       cond
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.compare
        backward layers [loop] scan                       stablehlo.return
        backward layers [loop] scan                       }
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.subtract
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.dynamic_slice
        backward layers [loop] scan                       stablehlo.reshape
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.dynamic_slice
        backward layers [loop] scan                       stablehlo.reshape
        recomputed layers.*.up [mlp] multiply             stablehlo.multiply
        recomputed layers.* [activation] exponential      stablehlo.exponential
        backward layers.* [activation] multiply           stablehlo.multiply
        backward layers.*.up [mlp] multiply               stablehlo.multiply
        backward layers.*.up [mlp] multiply               stablehlo.multiply
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.add
        backward layers [loop] scan                       stablehlo.reshape
        backward layers [loop] scan                       stablehlo.constant
        backward layers [loop] scan                       stablehlo.dynamic_update_slice
        backward layers [loop] scan                       stablehlo.return
        backward layers [loop] scan                       }
        update.layers.*.up.weight [optimizer] subtract    stablehlo.subtract
         []                                               return
                                                          }
                                                          }
    "#]]
    .assert_eq(&labelled(&program(&[], Remat::full())));
}

/// Compiled programs are cached by their texts.
#[test]
fn names_change_no_text() {
    let named = |path: &str| {
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[A]);
        let _named = graph.named(path, &[], Some("part"));
        graph.lower("golden", &[("y", x.exp() + 1.0)], &[]).unwrap()
    };
    let (one, other) = (named("one"), named("other"));
    assert_eq!(one.text, other.text);
    let line = one.text.lines().position(|line| line.contains("stablehlo.exponential")).unwrap() + 1;
    assert_eq!(one.places.of_line(line).unwrap().path, "one");
    assert_eq!(other.places.of_line(line).unwrap().path, "other");
    assert!(one.places.of_line(0).is_none() && one.places.of_line(1000).is_none());
}

#[test]
fn derivatives_written_by_hand_are_backward_wherever_they_run() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[A]);
    let (carry, _) = graph.scan(LAYERS, &[x], &[], Remat::full(), |step| {
        let _named = graph.named("kernel", &[], Some("part"));
        let y = graph.custom_vjp(
            &[step.carry[0]],
            |inputs| (vec![inputs[0].exp()], vec![inputs[0]]),
            |residuals, cts| vec![Some(residuals[0].tanh() * cts[0])],
        );
        (y, vec![])
    });
    let grad = graph.grad(carry[0].sum_all(), &[x])[0];
    let program = graph.lower("golden", &[("grad", grad)], &[]).unwrap();
    let phase = |op: &str| {
        let lines = program.text.lines().enumerate().filter(|(_, line)| line.contains(op));
        let phases: Vec<Phase> = lines.map(|(at, _)| program.places.of_line(at + 1).unwrap().phase).collect();
        phases
    };
    assert_eq!(phase("stablehlo.tanh"), [Phase::Backward]);
    assert_eq!(phase("stablehlo.exponential"), [Phase::Forward]);
}

/// All that stands in one line is named, and nothing else is changed.
#[test]
fn lines_are_named_after_themselves() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[A]);
    let y = layers(&graph, x, Remat::none());
    let program = graph.lower("golden", &[("y", y.sum_all())], &[]).unwrap();
    let named = with_named_lines(&program.text);
    let names = |line: &str| line.split_once(" loc(").map(|(_, name)| name.to_owned());
    for (number, (line, named)) in (1..).zip(program.text.lines().zip(named.lines())) {
        assert_eq!(named.split(" loc(").next(), Some(line));
        let name = names(named);
        assert!(name.is_none() || name == Some(format!("\"line {number}\")")), "{named}");
        if line.contains("stablehlo.exponential") || line.contains("stablehlo.multiply") {
            assert!(name.is_some(), "{named}");
        }
        if line.contains("stablehlo.while") || line.ends_with('{') {
            assert!(name.is_none(), "{named}");
        }
    }
    assert_eq!(named.lines().count(), program.text.lines().count());
}
