//! Every derivative rule against central differences in f64, through the CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor, RandomKey, Remat, Tensor};

mod support;

const A: Axis = Axis::new("a", 3);
const B: Axis = Axis::new("b", 4);
const C: Axis = Axis::new("c", 2);
const ONE: Axis = Axis::new("one", 1);

/// Elements in [0.3, 1.7], all different: inside the domain of every op, away from kinks and ties.
fn sample(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| 0.3 + 1.4 * ((i * 7919 + seed * 104_729 + 13) % 1009) as f64 / 1009.0).collect()
}

/// Sets of axes to unroll: those of scans, and any others, along which all values are in parts then.
const UNROLLED: [&[&str]; 3] = [&["layers"], &["outer"], &["a", "c", "outer", "layers"]];

/// Checks the gradient of `sum(w * f(inputs))`, w fixed and uneven, with respect to every element of every input; and that value and
/// gradients are the same whatever is unrolled.
fn check<F>(name: &str, inputs: &[&[Axis]], f: F)
where
    F: for<'g> Fn(&'g Graph, &[Tensor<'g>]) -> Tensor<'g>,
{
    let loss = |with_gradients: bool, unrolled: &[&'static str]| {
        let graph = &Graph::new();
        let tensors: Vec<_> =
            inputs.iter().enumerate().map(|(i, axes)| graph.input(&format!("x{i}"), DType::F64, axes)).collect();
        let y = f(graph, &tensors);
        let key = RandomKey::new(graph.constant(7.0, DType::U32));
        let weights = key.uniform(&y.axes()).cast(DType::F64) + 0.5;
        let loss = (y * weights).sum_all();
        let mut outputs = vec![("loss", loss)];
        if with_gradients {
            outputs.extend(graph.grad(loss, &tensors).into_iter().map(|grad| ("grad", grad)));
        }
        graph.lower_unrolled("check", &outputs, &[], unrolled).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let (value, both) = (loss(false, &[]), loss(true, &[]));
    let points: Vec<Vec<f64>> =
        inputs.iter().enumerate().map(|(i, axes)| sample(axes.iter().map(|axis| axis.size).product(), i)).collect();
    let host = |points: &[Vec<f64>]| -> Vec<HostTensor<'static>> {
        let shape = |axes: &[Axis]| axes.iter().map(|axis| axis.size).collect::<Vec<_>>();
        points.iter().zip(inputs).map(|(p, axes)| HostTensor::from_vec(&shape(axes), p.clone()).unwrap()).collect()
    };
    let compiled = support::compile(&value);
    let at = |points: &[Vec<f64>]| compiled.run(&host(points))[0].to_vec::<f64>().unwrap()[0];
    let results = support::compile(&both).run(&host(&points));
    for unrolled in UNROLLED {
        let program = loss(true, unrolled);
        if program.text == both.text {
            continue;
        }
        for (found, expected) in support::compile(&program).run(&host(&points)).iter().zip(&results) {
            let pairs = found.to_vec::<f64>().unwrap().into_iter().zip(expected.to_vec::<f64>().unwrap());
            for (found, expected) in pairs {
                // Sums of a few numbers of order one, in another order.
                let fits = (found - expected).abs() <= 1e-12 * (1.0 + expected.abs());
                assert!(fits, "{name}, {unrolled:?} unrolled: {found}, {expected} in loops\n{}", program.text);
            }
        }
    }
    for (i, gradient) in results[1..].iter().enumerate() {
        for (k, exact) in gradient.to_vec::<f64>().unwrap().into_iter().enumerate() {
            // Five points: the rounding of the backend's tanh and exp, about 1e-12, is divided by a step of 1e-3, and what the formula
            // leaves out is of the order of the step's fourth power.
            let step = 1e-3;
            let moved = |by: f64| {
                let mut moved = points.clone();
                moved[i][k] += by * step;
                at(&moved)
            };
            let central = (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * step);
            let error = (exact - central).abs();
            assert!(
                error <= 1e-7 * (1.0 + central.abs()),
                "{name}: d/dx{i}[{k}] is {exact}, differences give {central}"
            );
        }
    }
}

#[test]
fn unary_ops() {
    type Case = (&'static str, for<'g> fn(Tensor<'g>) -> Tensor<'g>);
    let cases: [Case; 17] = [
        ("abs", |x| (x - 1.0).abs()),
        ("cos", |x| x.cos()),
        ("erf", |x| x.erf()),
        ("exp", |x| x.exp()),
        ("expm1", |x| x.expm1()),
        ("log", |x| x.log()),
        ("log1p", |x| x.log1p()),
        ("logistic", |x| x.logistic()),
        ("neg", |x| -x),
        ("rsqrt", |x| x.rsqrt()),
        ("sin", |x| x.sin()),
        ("sqrt", |x| x.sqrt()),
        ("tanh", |x| x.tanh()),
        ("silu", |x| x.silu()),
        ("fence", |x| x.fenced() * x),
        ("softplus", |x| (x - 1.0).softplus()),
        ("sign", |x| (x - 1.0).sign() * x),
    ];
    for (name, f) in cases {
        check(name, &[&[A, B]], |_, x| f(x[0]));
        check(name, &[&[ONE]], |_, x| f(x[0]));
        check(name, &[&[]], |_, x| f(x[0]));
    }
}

#[test]
fn binary_ops_with_broadcasting_size_one_and_repeated_inputs() {
    type Case = (&'static str, for<'g> fn(Tensor<'g>, Tensor<'g>) -> Tensor<'g>);
    let cases: [Case; 7] = [
        ("add", |x, y| x + y),
        ("sub", |x, y| x - y),
        ("mul", |x, y| x * y),
        ("div", |x, y| x / y),
        ("maximum", |x, y| x.maximum(y)),
        ("minimum", |x, y| x.minimum(y)),
        ("select", |x, y| x.greater(y).select(x * y, y)),
    ];
    for (name, f) in cases {
        check(name, &[&[A, B], &[A, B]], |_, x| f(x[0], x[1]));
        check(name, &[&[A, B], &[B]], |_, x| f(x[0], x[1]));
        check(name, &[&[], &[B, A]], |_, x| f(x[0], x[1]));
        check(name, &[&[A], &[B]], |_, x| f(x[0], x[1]));
        check(name, &[&[A, ONE], &[ONE, A]], |_, x| f(x[0], x[1]));
        check(name, &[&[A, B]], |_, x| f(x[0], x[0] * 0.7 + 0.1));
    }
}

/// The gradient of `loss(x)` at `x = [1.25, 2.5, 3.75]`.
fn gradient(loss: impl for<'g> Fn(Tensor<'g>) -> Tensor<'g>) -> Vec<f64> {
    let graph = Graph::new();
    let x = graph.input("x", DType::F64, &[A]);
    let grads = graph.grad(loss(x), &[x]);
    let program = graph.lower("gradient", &[("grad", grads[0])], &[]).unwrap();
    let at = HostTensor::from_vec(&[3], vec![1.25, 2.5, 3.75]).unwrap();
    support::compile(&program).run(&[at])[0].to_vec().unwrap()
}

/// The values here are exact in every type.
#[test]
fn conversions_carry_the_cotangent_back_in_the_type_of_the_input() {
    for dtype in [DType::F32, DType::BF16, DType::F16] {
        assert_eq!(
            gradient(|x| (x.cast(dtype) * x.cast(dtype)).sum_all().cast(DType::F64)),
            [2.5, 5.0, 7.5],
            "{dtype}"
        );
    }
}

#[test]
fn stop_gradient_and_integers_block() {
    assert_eq!(gradient(|x| (x.stop_gradient() * x).sum_all()), [1.25, 2.5, 3.75]);
    assert_eq!(gradient(|x| (x.cast(DType::I32).cast(DType::F64) * x).sum_all()), [1.0, 2.0, 3.0]);
}

#[test]
fn rows_read_from_beyond_an_axis_get_no_gradient() {
    let indices = HostTensor::from_vec(&[3], vec![5i32, 1, -1]).unwrap();
    let taken = gradient(|x| x.take("a", x.graph().literal(&indices, &[Axis::new("row", 3)])).sum_all());
    assert_eq!(taken, [0.0, 1.0, 0.0]);
}

#[test]
fn shape_ops() {
    check("transpose", &[&[A, B, C]], |_, x| x[0].transpose(&["c", "a", "b"]));
    check("rename", &[&[A, B]], |_, x| x[0].rename("a", "z") * x[0]);
    check("broadcast", &[&[B]], |_, x| x[0].broadcast(&[A, B, ONE]) * x[0]);
    check("split", &[&[A, B]], |_, x| x[0].split("b", &[Axis::new("o", 2), Axis::new("i", 2)]));
    check("merge", &[&[A, B, C]], |_, x| x[0].merge(&["c", "a"], "ca"));
    check("merge size one", &[&[ONE, A]], |_, x| x[0].merge(&["one", "a"], "m"));
    check("slice", &[&[A, B]], |_, x| x[0].slice("b", 1, 2));
    check("pad", &[&[A, B]], |_, x| x[0].pad("a", 2, 1, 5.0));
    check("concat", &[&[A, B], &[ONE.named("a"), B]], |_, x| Tensor::concat(&[x[0], x[1], x[0]], "a"));
}

#[test]
fn reductions() {
    check("sum", &[&[A, B, C]], |_, x| x[0].sum(&["c", "a"]));
    check("max", &[&[A, B, C]], |_, x| x[0].max(&["b"]));
    check("mean", &[&[A, ONE]], |_, x| x[0].mean(&["a", "one"]));
    check("softmax", &[&[A, B]], |_, x| x[0].softmax("b") * x[0]);
    check("log_sum_exp", &[&[A, B]], |_, x| x[0].log_sum_exp("a"));
}

#[test]
fn dots() {
    check("matrix", &[&[A, B], &[B, C]], |_, x| x[0].dot(x[1], &["b"]));
    check("transposed weight", &[&[A, B], &[C, B]], |_, x| x[0].dot(x[1], &["b"]));
    check("batched", &[&[A, B, C], &[B, A, ONE]], |_, x| x[0].dot(x[1], &["b"]));
    check("two contracted", &[&[A, B, C], &[C, A]], |_, x| x[0].dot(x[1], &["a", "c"]));
    check("outer", &[&[A], &[B]], |_, x| x[0].dot(x[1], &[]));
    check("inner", &[&[A], &[A]], |_, x| x[0].dot(x[1], &["a"]));
    check("size one", &[&[ONE, A], &[ONE, B]], |_, x| x[0].dot(x[1], &["one"]));
    check("repeated", &[&[A, B]], |_, x| x[0].dot(x[0].rename("a", "z"), &["b"]));
}

#[test]
fn index_ops() {
    let ids = |graph: &Graph| -> HostTensor<'static> {
        let _ = graph;
        HostTensor::from_vec(&[4], vec![2i32, 0, 2, 1]).unwrap()
    };
    check("take", &[&[A, C]], |g, x| x[0].take("a", g.literal(&ids(g), &[B])));
    check("take inner", &[&[C, A]], |g, x| x[0].take("a", g.literal(&ids(g), &[B])));
    check("take along", &[&[C, B, A]], |g, x| x[0].take("a", g.literal(&ids(g), &[B])));
    check("scatter_add along", &[&[B, A, C], &[B, C]], |g, x| {
        x[0].scatter_add("a", g.literal(&ids(g), &[B]), x[1]) * x[0]
    });
    check("scatter_add", &[&[A, C], &[B, C]], |g, x| x[0].scatter_add("a", g.literal(&ids(g), &[B]), x[1]));
    let rows = Axis::new("rows", 3);
    let places = HostTensor::from_vec(&[3], vec![2i32, 0, 9]).unwrap();
    check("scatter", &[&[A, C], &[rows, C]], |g, x| x[0].scatter("a", g.literal(&places, &[rows]), x[1]) * x[0]);
    check("scatter along", &[&[rows, A], &[rows]], |g, x| x[0].scatter("a", g.literal(&places, &[rows]), x[1]));
    check("scatter_add outside", &[&[A, C], &[rows, C]], |g, x| {
        x[0].scatter_add("a", g.literal(&places, &[rows]), x[1])
    });
    check("take sorted", &[&[A, B]], |_, x| x[0].take("a", x[0].argsort("a").rename("a", "sorted")));
    check("take sorted inner", &[&[A, B]], |_, x| x[0].take("b", x[0].argsort("b").rename("b", "sorted")));
    check("dynamic_slice", &[&[A, B]], |g, x| {
        x[0].dynamic_slice(&[("b", g.constant(1.0, DType::I32), 2), ("a", g.constant(9.0, DType::I32), 1)])
    });
    check("dynamic_update", &[&[A, B], &[A, Axis::new("b", 2)]], |g, x| {
        x[0].dynamic_update(x[1], &[("b", g.constant(1.0, DType::I32))]) * x[0]
    });
}

const LAYERS: Axis = Axis::new("layers", 3);

/// A recurrence with a constant, a carry, stacked inputs and outputs, used outside and inside.
fn recurrence<'g>(graph: &'g Graph, x: &[Tensor<'g>], remat: Remat) -> Tensor<'g> {
    let (init, weights, constant) = (x[0], x[1], x[2]);
    let (carry, outputs) = graph.scan(LAYERS, &[init], &[weights], remat, |step| {
        let h = step.carry[0];
        let mixed = h.dot(step.slices[0], &["a"]).rename("z", "a");
        let next = (mixed * constant).tanh().checkpoint_name("next") + h;
        (vec![next], vec![next.exp() * constant])
    });
    carry[0].sum(&["b"]) * outputs[0]
}

#[test]
fn scans_under_every_policy() {
    let z = Axis::new("z", 3);
    for remat in [Remat::none(), Remat::dots(&[]), Remat::dots(&["next"]), Remat::full()] {
        let name = format!("{remat:?}");
        check(&name, &[&[B, A], &[LAYERS, A, z], &[B]], |g, x| recurrence(g, x, remat.clone()));
    }
}

#[test]
fn scan_corner_cases() {
    let one = Axis::new("layers", 1);
    check("one step", &[&[A], &[one, A]], |g, x| {
        let (carry, _) = g.scan(one, &[x[0]], &[x[1]], Remat::full(), |s| (vec![s.carry[0] * s.slices[0]], vec![]));
        carry[0]
    });
    check("outputs only", &[&[LAYERS, A]], |g, x| {
        let (_, ys) = g.scan(LAYERS, &[], &[x[0]], Remat::full(), |s| (vec![], vec![s.slices[0] * s.slices[0]]));
        ys[0]
    });
    check("carry passed through and index used", &[&[A], &[A]], |g, x| {
        let (carry, ys) = g.scan(LAYERS, &[x[0], x[1]], &[], Remat::none(), |s| {
            let scale = s.index.cast(DType::F64) + 1.0;
            (vec![s.carry[0] * s.carry[1] * scale, s.carry[1]], vec![s.carry[0]])
        });
        carry[0] * carry[1] + ys[0].sum(&["layers"])
    });
    check("initial carry constant, made active by the body", &[&[A]], |g, x| {
        let zero = g.full(0.1, DType::F64, &[A]);
        let (carry, _) = g.scan(LAYERS, &[zero], &[], Remat::full(), |s| (vec![(s.carry[0] + x[0]) * x[0]], vec![]));
        carry[0]
    });
}

#[test]
fn scans_inside_scans() {
    let outer = Axis::new("outer", 2);
    for remat in [Remat::none(), Remat::dots(&["h"]), Remat::full()] {
        check("nested", &[&[A], &[outer, A], &[LAYERS, A]], |g, x| {
            let (carry, _) = g.scan(outer, &[x[0]], &[x[1]], remat.clone(), |o| {
                let (inner, ys) = g.scan(LAYERS, &[o.carry[0]], &[x[2]], remat.clone(), |s| {
                    let h = (s.carry[0] * s.slices[0] + o.slices[0]).tanh().checkpoint_name("h");
                    (vec![h], vec![h * h])
                });
                (vec![inner[0] * ys[0].sum(&["layers"])], vec![])
            });
            carry[0]
        });
        check("nested, one result kept and one not", &[&[A], &[outer, A], &[LAYERS, A]], |g, x| {
            let (carry, _) = g.scan(outer, &[x[0]], &[x[1]], Remat::dots(&["kept"]), |o| {
                let (inner, ys) = g.scan(LAYERS, &[o.carry[0]], &[x[2]], remat.clone(), |s| {
                    let h = (s.carry[0] * s.slices[0] + o.slices[0]).tanh();
                    (vec![h], vec![h * h])
                });
                (vec![inner[0].checkpoint_name("kept") * ys[0].sum(&["layers"]).sin()], vec![])
            });
            carry[0]
        });
    }
}

#[test]
fn a_gradient_may_be_taken_inside_a_scan() {
    // Gradient accumulation: the outer loop sums gradients of a captured weight.
    let graph = Graph::new();
    let steps = Axis::new("steps", 2);
    let w = graph.input("w", DType::F64, &[A]);
    let data = graph.input("data", DType::F64, &[steps, A]);
    let zero = graph.full(0.0, DType::F64, &[A]);
    let (sum, _) = graph.scan(steps, &[zero], &[data], Remat::none(), |s| {
        let loss = (w * w * s.slices[0]).sum_all();
        let grad = graph.grad(loss, &[w])[0];
        (vec![s.carry[0] + grad], vec![])
    });
    let program = graph.lower("accumulate", &[("sum", sum[0])], &[]).unwrap();
    let inputs = [
        HostTensor::from_vec(&[3], vec![1.0, 2.0, 3.0]).unwrap(),
        HostTensor::from_vec(&[2, 3], vec![1.0, 1.0, 1.0, 0.5, 2.0, -1.0]).unwrap(),
    ];
    assert_eq!(support::compile(&program).run(&inputs)[0].to_vec::<f64>().unwrap(), [3.0, 12.0, 0.0]);
}

/// `sin` with its derivative written by hand, through residuals that are an input and a computed value.
fn sine<'g>(graph: &'g Graph, x: Tensor<'g>, scale: Tensor<'g>) -> Tensor<'g> {
    let out = graph.custom_vjp(
        &[x, scale],
        |inputs| {
            let (x, scale) = (inputs[0], inputs[1]);
            let s = x.sin().checkpoint_name("sine");
            (vec![s * scale], vec![x, scale, s])
        },
        |residuals, cts| {
            let [x, scale, s] = residuals else { panic!("three residuals") };
            vec![Some(cts[0] * x.cos() * *scale), Some(cts[0] * *s)]
        },
    );
    out[0]
}

#[test]
fn custom_derivatives_stand_alone_and_in_scans() {
    check("custom_vjp", &[&[A], &[A]], |g, x| sine(g, x[0], x[1]) * x[0]);
    for remat in [Remat::none(), Remat::dots(&["sine"]), Remat::full()] {
        check("custom_vjp in a scan", &[&[A], &[LAYERS, A]], |g, x| {
            let (carry, _) = g.scan(LAYERS, &[x[0]], &[x[1]], remat.clone(), |s| {
                (vec![sine(g, s.carry[0], s.slices[0]) + s.carry[0]], vec![])
            });
            carry[0]
        });
    }
}
