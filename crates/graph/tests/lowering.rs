//! The text of programs, and what is refused while tracing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use expect_test::{Expect, expect};
use graph::{Axis, CustomCall, DType, Graph, HostTensor, Init, ParamSpec, RandomKey, Remat, Stack, Tensor, TensorType};

mod support;

const A: Axis = Axis::new("a", 2);
const B: Axis = Axis::new("b", 3);
const LAYERS: Axis = Axis::new("layers", 4);

fn check_text(graph: &Graph, outputs: &[(&str, Tensor<'_>)], expected: &Expect) {
    expected.assert_eq(&graph.lower("golden", outputs, &[]).unwrap().text);
}

#[test]
fn arithmetic_broadcasts_by_name() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[A, B]);
    let y = graph.input("y", DType::F32, &[B]);
    check_text(
        &graph,
        &[("z", (x + y) * 2.0)],
        &expect![[r#"
        module @golden attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
          func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<2x3xf32>) {
            %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
            %1 = stablehlo.add %arg0, %0 : tensor<2x3xf32>
            %2 = stablehlo.constant dense<2.0e0> : tensor<f32>
            %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
            %4 = stablehlo.multiply %1, %3 : tensor<2x3xf32>
            return %4 : tensor<2x3xf32>
          }
        }
    "#]],
    );
}

/// Multiplies `x` by a parameter of each layer.
fn layers<'g>(graph: &'g Graph, x: Tensor<'g>) -> Tensor<'g> {
    let (carry, _) = graph.scan(LAYERS, &[x], &[], Remat::full(), |step| {
        let name = "layers.*.w".into();
        let spec =
            ParamSpec { name, dtype: DType::F32, axes: vec![A], stack: vec![Stack::of(LAYERS)], init: Init::Ones };
        (vec![step.carry[0] * graph.param(spec)], vec![])
    });
    carry[0]
}

#[test]
fn a_scan_of_parameters_and_its_gradient_are_two_loops() {
    let graph = Graph::new();
    let y = layers(&graph, graph.input("x", DType::F32, &[A]));
    let (spec, w) = graph.params().remove(0);
    assert_eq!(spec.checkpoint_names(), ["layers.0.w", "layers.1.w", "layers.2.w", "layers.3.w"]);
    let grad = graph.grad(y.sum_all(), &[w])[0];
    check_text(
        &graph,
        &[("grad", grad)],
        &expect![[r#"
        module @golden attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
          func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<4x2xf32>) -> (tensor<4x2xf32>) {
            %0 = stablehlo.constant dense<0> : tensor<i32>
            %1 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
            %7:4 = stablehlo.while(%3 = %0, %4 = %arg1, %5 = %arg0, %6 = %2) : tensor<i32>, tensor<4x2xf32>, tensor<2xf32>, tensor<4x2xf32>
            cond {
              %8 = stablehlo.constant dense<4> : tensor<i32>
              %9 = stablehlo.compare LT, %3, %8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %9 : tensor<i1>
            } do {
              %10 = stablehlo.constant dense<0> : tensor<i32>
              %11 = stablehlo.dynamic_slice %4, %3, %10, sizes = [1, 2] : (tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
              %12 = stablehlo.reshape %11 : (tensor<1x2xf32>) -> tensor<2xf32>
              %13 = stablehlo.multiply %5, %12 : tensor<2xf32>
              %14 = stablehlo.constant dense<1> : tensor<i32>
              %15 = stablehlo.add %3, %14 : tensor<i32>
              %16 = stablehlo.reshape %5 : (tensor<2xf32>) -> tensor<1x2xf32>
              %17 = stablehlo.constant dense<0> : tensor<i32>
              %18 = stablehlo.dynamic_update_slice %6, %16, %3, %17 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
              stablehlo.return %15, %4, %13, %18 : tensor<i32>, tensor<4x2xf32>, tensor<2xf32>, tensor<4x2xf32>
            }
            %19 = stablehlo.constant dense<1.0e0> : tensor<f32>
            %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f32>) -> tensor<2xf32>
            %21 = stablehlo.constant dense<0> : tensor<i32>
            %22 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
            %29:5 = stablehlo.while(%24 = %21, %25 = %arg1, %26 = %7#3, %27 = %20, %28 = %23) : tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<4x2xf32>
            cond {
              %30 = stablehlo.constant dense<4> : tensor<i32>
              %31 = stablehlo.compare LT, %24, %30 : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %31 : tensor<i1>
            } do {
              %32 = stablehlo.constant dense<3> : tensor<i32>
              %33 = stablehlo.subtract %32, %24 : tensor<i32>
              %34 = stablehlo.constant dense<0> : tensor<i32>
              %35 = stablehlo.dynamic_slice %25, %33, %34, sizes = [1, 2] : (tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
              %36 = stablehlo.reshape %35 : (tensor<1x2xf32>) -> tensor<2xf32>
              %37 = stablehlo.constant dense<0> : tensor<i32>
              %38 = stablehlo.dynamic_slice %26, %33, %37, sizes = [1, 2] : (tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
              %39 = stablehlo.reshape %38 : (tensor<1x2xf32>) -> tensor<2xf32>
              %40 = stablehlo.multiply %27, %36 : tensor<2xf32>
              %41 = stablehlo.multiply %27, %39 : tensor<2xf32>
              %42 = stablehlo.constant dense<1> : tensor<i32>
              %43 = stablehlo.add %24, %42 : tensor<i32>
              %44 = stablehlo.reshape %41 : (tensor<2xf32>) -> tensor<1x2xf32>
              %45 = stablehlo.constant dense<0> : tensor<i32>
              %46 = stablehlo.dynamic_update_slice %28, %44, %33, %45 : (tensor<4x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
              stablehlo.return %43, %25, %26, %40, %46 : tensor<i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<4x2xf32>
            }
            return %29#4 : tensor<4x2xf32>
          }
        }
    "#]],
    );
}

#[test]
fn an_unrolled_scan_has_an_argument_and_a_result_for_each_layer_and_no_stack() {
    let graph = Graph::new();
    let y = layers(&graph, graph.input("x", DType::F32, &[A]));
    let (_, w) = graph.params().remove(0);
    let grad = graph.grad(y.sum_all(), &[w])[0];
    let outputs = [("layers.*.w", w - grad * 0.5)];
    let program = graph.lower_unrolled("golden", &outputs, &[(w, 0)], &["layers"]).unwrap();
    let inputs: Vec<_> = program.inputs.iter().map(|input| (input.name.as_str(), input.donated_to)).collect();
    assert_eq!(inputs[..3], [("x", None), ("layers.0.w", Some(0)), ("layers.1.w", Some(1))]);
    let outputs: Vec<_> = program.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(outputs, ["layers.0.w", "layers.1.w", "layers.2.w", "layers.3.w"]);
    expect![[r#"
        module @golden attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
          func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg2: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %arg3: tensor<2xf32> {tf.aliasing_output = 2 : i32}, %arg4: tensor<2xf32> {tf.aliasing_output = 3 : i32}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
            %0 = stablehlo.multiply %arg0, %arg1 : tensor<2xf32>
            %1 = stablehlo.multiply %0, %arg2 : tensor<2xf32>
            %2 = stablehlo.multiply %1, %arg3 : tensor<2xf32>
            %3 = stablehlo.multiply %2, %arg4 : tensor<2xf32>
            %4 = stablehlo.constant dense<1.0e0> : tensor<f32>
            %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<2xf32>
            %6:2 = stablehlo.optimization_barrier %2, %5 : tensor<2xf32>, tensor<2xf32>
            %7 = stablehlo.multiply %6#1, %arg4 : tensor<2xf32>
            %8 = stablehlo.multiply %6#1, %6#0 : tensor<2xf32>
            %9:2 = stablehlo.optimization_barrier %1, %7 : tensor<2xf32>, tensor<2xf32>
            %10 = stablehlo.multiply %9#1, %arg3 : tensor<2xf32>
            %11 = stablehlo.multiply %9#1, %9#0 : tensor<2xf32>
            %12:2 = stablehlo.optimization_barrier %0, %10 : tensor<2xf32>, tensor<2xf32>
            %13 = stablehlo.multiply %12#1, %arg2 : tensor<2xf32>
            %14 = stablehlo.multiply %12#1, %12#0 : tensor<2xf32>
            %15:2 = stablehlo.optimization_barrier %arg0, %13 : tensor<2xf32>, tensor<2xf32>
            %16 = stablehlo.multiply %15#1, %arg1 : tensor<2xf32>
            %17 = stablehlo.multiply %15#1, %15#0 : tensor<2xf32>
            %18 = stablehlo.constant dense<5.0e-1> : tensor<f32>
            %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<2xf32>
            %20 = stablehlo.multiply %17, %19 : tensor<2xf32>
            %21 = stablehlo.multiply %14, %19 : tensor<2xf32>
            %22 = stablehlo.multiply %11, %19 : tensor<2xf32>
            %23 = stablehlo.multiply %8, %19 : tensor<2xf32>
            %24 = stablehlo.subtract %arg1, %20 : tensor<2xf32>
            %25 = stablehlo.subtract %arg2, %21 : tensor<2xf32>
            %26 = stablehlo.subtract %arg3, %22 : tensor<2xf32>
            %27 = stablehlo.subtract %arg4, %23 : tensor<2xf32>
            return %24, %25, %26, %27 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
          }
        }
    "#]].assert_eq(&program.text);
}

/// Forward, and backward with the inner loop computed again once: that a rule of the outer body reads what it gives, and its own backward pass what it keeps,
/// are not two reasons.
#[test]
fn a_loop_within_a_loop_is_computed_again_once() {
    for remat in [Remat::full(), Remat::dots(&[])] {
        let graph = Graph::new();
        let steps = Axis::new("steps", 3);
        let (x, w) = (graph.input("x", DType::F32, &[A]), graph.input("w", DType::F32, &[steps, A]));
        let (carry, _) = graph.scan(LAYERS, &[x], &[], remat.clone(), |layer| {
            let (inner, all) = graph.scan(steps, &[layer.carry[0]], &[w], remat.clone(), |step| {
                let next = (step.carry[0] * step.slices[0]).tanh();
                (vec![next], vec![next * next])
            });
            (vec![inner[0] * all[0].sum(&["steps"])], vec![])
        });
        let gradients = graph.grad(carry[0].sum_all(), &[x, w]);
        let outputs = [("loss", carry[0].sum_all()), ("x", gradients[0]), ("w", gradients[1])];
        let text = graph.lower("nested", &outputs, &[]).unwrap().text;
        assert_eq!(text.matches("stablehlo.while(").count(), 5, "{remat:?}: {text}");
    }
}

#[test]
fn what_no_result_needs_is_not_emitted() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[A]);
    let _unused = x.exp().tanh();
    let text = graph.lower("dead", &[("x", -x)], &[]).unwrap().text;
    assert!(!text.contains("exponential") && !text.contains("tanh"), "{text}");
}

type Trace = fn(&Graph);

fn check_mistakes(cases: &[(Trace, &str)]) {
    for (trace, expected) in cases {
        let graph = Graph::new();
        trace(&graph);
        assert_eq!(graph.lower("bad", &[], &[]).unwrap_err().to_string(), *expected);
    }
}

#[test]
fn mistakes_name_the_op_its_arguments_and_the_rule() {
    let cases: [(Trace, &str); 9] = [
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A]) + g.input("y", DType::F32, &[Axis::new("a", 5)]);
            },
            "add(f32[a: 2], f32[a: 5]): axis `a` has different sizes in the two arguments",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A]) * g.input("y", DType::BF16, &[A]);
            },
            "multiply(f32[a: 2], bf16[a: 2]): f32 and bf16 are different element types; cast one",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A, B]);
                let _ = x.rename("a", "b");
            },
            "rename(f32[a: 2, b: 3]): the result would have axis `b` twice; rename one",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A]).dot(g.input("y", DType::F32, &[B]), &["a"]);
            },
            "dot(f32[a: 2], f32[b: 3]): the contracted axis `a` is not in both arguments",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A]).slice("a", 1, 2);
            },
            "slice(f32[a: 2]): 1..3 reaches beyond axis `a` of size 2",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[B]).split("b", &[A, A.named("c")]);
            },
            "split(f32[b: 3]): [a: 2, c: 2] multiply to 4, not to 3",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let _ = g.scan(LAYERS, &[x], &[], Remat::full(), |s| (vec![s.carry[0].cast(DType::F64)], vec![]));
            },
            "scan: the carry comes in as f32[a: 2] and goes out as f64[a: 2]",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let _ = g.custom_vjp(&[x], |i| (vec![i[0] * x], vec![]), |_, ct| vec![Some(ct[0])]);
            },
            "custom_vjp: it uses a tensor f32[a: 2] from outside; pass it as an input",
        ),
        (
            |g| {
                let x = g.input("x", DType::I32, &[]);
                let _ = g.grad(x, &[x]);
            },
            "grad(i32[]): the loss must be floating point and have no axes",
        ),
    ];
    check_mistakes(&cases);
}

/// Gradients after a mistake are placeholders, whatever it has left of the graph.
#[test]
fn mistakes_in_scans_are_told_though_gradients_are_taken() {
    let cases: [(Trace, &str); 4] = [
        (
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let outside = x.exp();
                let (outer, _) = g.scan(LAYERS, &[x], &[], Remat::full(), |o| {
                    let (inner, _) = g.scan(B, &[o.carry[0]], &[], Remat::full(), |s| {
                        let out = g.custom_vjp(
                            &[s.carry[0]],
                            |i| (vec![i[0] * outside], vec![i[0]]),
                            |_, ct| vec![Some(ct[0])],
                        );
                        (vec![out[0].tanh()], vec![])
                    });
                    (vec![inner[0] * inner[0]], vec![])
                });
                assert_eq!(g.grad(outer[0].sum_all(), &[x])[0].ty(), x.ty());
            },
            "custom_vjp: it uses a tensor f32[a: 2] from outside; pass it as an input",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let (carry, _) =
                    g.scan(LAYERS, &[x, x], &[], Remat::none(), |s| (vec![s.carry[0] * s.carry[1]], vec![]));
                g.grad(carry[0].sum_all(), &[x]);
            },
            "scan: 2 carries come in and 1 go out",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let _ = g.scan(A, &[], &[x], Remat::none(), |s| (vec![], vec![s.slices[0] * x]));
            },
            "scan: stacked along it, f32[a: 2] would have axis `a` twice; rename one",
        ),
        (
            // Nothing is stacked until a rule reads it.
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let (carry, _) = g.scan(A, &[x], &[], Remat::none(), |s| (vec![s.carry[0].exp()], vec![]));
                g.grad(carry[0].sum_all(), &[x]);
            },
            "scan: stacked along it, f32[a: 2] would have axis `a` twice; rename one",
        ),
    ];
    check_mistakes(&cases);
}

#[test]
fn donations_are_of_an_argument_to_a_result() {
    // Of the arguments 0 and 1 and the sum of both, 2.
    let error = |pairs: &[(usize, usize)]| {
        let graph = Graph::new();
        let [x, y] = ["x", "y"].map(|name| graph.input(name, DType::F32, &[A]));
        let tensors = [x, y, x + y];
        let donate: Vec<_> = pairs.iter().map(|(tensor, result)| (tensors[*tensor], *result)).collect();
        let outputs = [("sum", x + y), ("product", x * y), ("total", (x + y).sum_all())];
        graph.lower("donate", &outputs, &donate).err().map(|error| error.to_string())
    };
    assert_eq!(error(&[(0, 1), (1, 0)]), None);
    for (pairs, rule) in [
        (&[(2, 0)][..], "it is no argument of the program"),
        (&[(0, 0), (0, 1)], "it is donated twice"),
        (&[(0, 0), (1, 0)], "result 0 takes over the memory of another argument"),
        (&[(0, 2)], "result 2 is not of that type"),
        (&[(0, 3)], "result 3 is not of that type"),
    ] {
        assert_eq!(error(pairs), Some(format!("donate(f32[a: 2]): {rule}")));
    }
}

#[test]
fn constants_and_literals_are_values_of_their_type() {
    let cases: [(Trace, &str); 6] = [
        (|g| _ = g.constant(-1.0, DType::U32), "constant(): -1 is no value of u32"),
        (|g| _ = g.constant(256.0, DType::U8), "constant(): 256 is no value of u8"),
        (|g| _ = g.full(f64::INFINITY, DType::I32, &[A]), "constant(): inf is no value of i32"),
        (|g| _ = g.constant(f64::NAN, DType::I64), "constant(): NaN is no value of i64"),
        (|g| _ = g.constant(f64::NEG_INFINITY, DType::F8E4M3FN), "constant(): -inf is no value of f8e4m3fn"),
        (
            |g| _ = g.literal(&HostTensor::new(DType::Bool, &[2], vec![1, 0]).unwrap(), &[A]),
            "literal(): is not defined for bool[a: 2]; compare one of u8",
        ),
    ];
    check_mistakes(&cases);
    let graph = Graph::new();
    let ends = [
        (DType::U8, 255.0),
        (DType::U32, 4_294_967_295.0),
        (DType::I32, -2_147_483_648.0),
        (DType::I64, -(2f64.powi(63))),
    ];
    let outputs = ends.map(|(dtype, value)| ("end", graph.constant(value, dtype)));
    let found = support::compile(&graph.lower("ends", &outputs, &[]).unwrap()).run(&[]);
    assert_eq!(found[0].to_vec::<u8>(), Some(vec![u8::MAX]));
    assert_eq!(found[1].to_vec::<u32>(), Some(vec![u32::MAX]));
    assert_eq!(found[2].to_vec::<i32>(), Some(vec![i32::MIN]));
    assert_eq!(found[3].to_vec::<i64>(), Some(vec![i64::MIN]));
}

#[test]
fn sizes_that_do_not_fit_are_told_with_the_axis() {
    let cases: [(Trace, &str); 8] = [
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A, B]).broadcast(&[B, Axis::new("a", 7)]);
            },
            "broadcast(f32[a: 2, b: 3]): axis `a` has size 2, not 7; only axes that are missing can be added",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A]).broadcast(&[B, Axis::new("a", 7)]);
            },
            "broadcast(f32[a: 2]): axis `a` has size 2, not 7; only axes that are missing can be added",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A, B]).broadcast(&[B]);
            },
            "broadcast(f32[a: 2, b: 3]): axis a: 2 is not among the wanted axes [b: 3]",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A, B]);
                let _ = g.input("p", DType::Bool, &[Axis::new("a", 5)]).select(x, x);
            },
            "select(bool[a: 5], f32[a: 2, b: 3], f32[a: 2, b: 3]): axis `a` has different sizes in the arguments",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A, B]);
                let _ = g.input("p", DType::Bool, &[A]).select(x, g.input("y", DType::F32, &[Axis::new("b", 2)]));
            },
            "select(bool[a: 2], f32[a: 2, b: 3], f32[b: 2]): axis `b` has different sizes in the arguments",
        ),
        (
            |g| {
                let _ = g.input("x", DType::F32, &[A, B]).max(&["a", "a"]);
            },
            "max(f32[a: 2, b: 3]): axis `a` is named twice",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A, B]);
                let _ = x.dot(x, &["a", "a"]);
            },
            "dot(f32[a: 2, b: 3], f32[a: 2, b: 3]): axis `a` is named twice",
        ),
        (
            |g| {
                let x = g.input("x", DType::F32, &[A]);
                let _ = x.dynamic_update(x, &[("b", g.constant(0.0, DType::I32))]);
            },
            "dynamic_update(f32[a: 2], f32[a: 2], i32[]): there is no axis `b`",
        ),
    ];
    check_mistakes(&cases);
}

#[test]
fn the_first_mistake_is_the_one_told() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[A]);
    let wrong = x.sum(&["b"]);
    let _ = wrong.dot(x, &["nowhere"]).slice("a", 7, 9);
    assert_eq!(graph.lower("bad", &[], &[]).unwrap_err().to_string(), "sum(f32[a: 2]): there is no axis `b`");
}

#[test]
fn random_numbers_depend_on_position_alone_and_are_spread_evenly() {
    let draw = |axes: &[Axis]| {
        let graph = Graph::new();
        let seed = graph.input("seed", DType::U32, &[]);
        let key = RandomKey::new(seed).fold_in_name("layer");
        let outputs = [("uniform", key.uniform(axes)), ("normal", key.normal(axes))];
        let program = graph.lower("random", &outputs, &[]).unwrap();
        let both = support::compile(&program).run(&[HostTensor::scalar(5u32)]);
        [both[0].to_f32(), both[1].to_f32()]
    };
    let [uniform, normal] = draw(&[Axis::new("rows", 64), Axis::new("columns", 128)]);
    assert_eq!(draw(&[Axis::new("all", 64 * 128)]), [uniform.clone(), normal.clone()]);
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    let square: Vec<f32> = normal.iter().map(|x| x * x).collect();
    // Five standard errors of 8192 draws.
    assert!((mean(&uniform) - 0.5).abs() < 0.016, "{}", mean(&uniform));
    assert!(mean(&normal).abs() < 0.055 && (mean(&square) - 1.0).abs() < 0.08, "{} {}", mean(&normal), mean(&square));
    assert!(uniform.iter().all(|x| (0.0..1.0).contains(x)));
}

/// What a loop carries for a result that nobody asks for is not computed, unless what is asked for reads it.
#[test]
fn a_loop_carries_what_is_read() {
    let carried = |wanted: usize| {
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[Axis::new("steps", 3), Axis::new("a", 2)]);
        let zeros = graph.full(0.0, DType::F32, &[Axis::new("a", 2)]);
        let (sums, _) = graph.scan(Axis::new("steps", 3), &[zeros; 3], &[x], Remat::none(), |step| {
            let (own, carry) = (step.slices[0], step.carry);
            // The second reads the first, and the third itself alone.
            (vec![carry[0] + own.exp(), carry[1] + carry[0].tanh(), carry[2] + own.sin()], vec![])
        });
        let text = graph.lower("sums", &[("sum", sums[wanted])], &[]).unwrap().text;
        ["exponential", "tanh", "sine"].map(|op| text.contains(&format!("stablehlo.{op} ")))
    };
    assert_eq!(carried(0), [true, false, false]);
    assert_eq!(carried(1), [true, true, false]);
    assert_eq!(carried(2), [false, false, true]);
}

/// Each result by its number where there are several, and without one where it is alone.
#[test]
fn results_stand_in_place_of_arguments() {
    let ty = |size| TensorType::new(DType::F32, &[Axis::new("element", size)]);
    let text = |results: &[usize], in_place: Vec<(usize, usize)>| {
        let graph = Graph::new();
        let args = [graph.input("a", DType::F32, &ty(2).axes), graph.input("b", DType::F32, &ty(3).axes)];
        let call = CustomCall {
            target: "kernel".into(),
            api_version: 4,
            backend_config: "{}".into(),
            operand_layouts: vec![None; 2],
            results: results.iter().map(|size| (ty(*size), None)).collect(),
            in_place,
        };
        let result = graph.custom_call(call, &args)[0];
        graph.lower("call", &[("result", result)], &[]).map(|program| {
            let from = program.text.find("output_operand_aliases").unwrap();
            program.text[from..].split(", result_layouts").next().unwrap().to_owned()
        })
    };
    let alias = |place: &str, argument: usize| {
        format!(
            "#stablehlo.output_operand_alias<output_tuple_indices = [{place}], operand_index = {argument}, operand_tuple_indices = []>"
        )
    };
    let printed = |aliases: &[String]| format!("output_operand_aliases = [{}]", aliases.join(", "));
    assert_eq!(text(&[3], vec![(0, 1)]).unwrap(), printed(&[alias("", 1)]));
    assert_eq!(text(&[3, 2], vec![(0, 1), (1, 0)]).unwrap(), printed(&[alias("0", 1), alias("1", 0)]));
    for (results, pair) in [([3, 2], (0, 0)), ([3, 2], (2, 0)), ([3, 2], (0, 2))] {
        let error = text(&results, vec![pair]).unwrap_err().to_string();
        assert!(error.contains("cannot stand in place of its argument"), "{error}");
    }
}
