//! A kernel that takes weights: what it computes and what its derivatives are, on any mesh.

use graph::{Axis, DType, Graph, HostTensor, Init, ParamSpec, Program, Tensor};
use mesh::{MeshShape, Rules};
use runtime::{Arrays, BoundProgram};

use crate::{ALONE, Sizes, session};

const BATCH: Axis = Axis::new("batch", 8);
const POSITION: Axis = Axis::new("position", 3);
const INNER: Axis = Axis::new("inner", 16);
const EMBED: Axis = Axis::new("embed", 8);

/// As a block with weights of its own computes: tanh(x * rates) times a matrix.
fn plain<'g>(inputs: &[Tensor<'g>]) -> Tensor<'g> {
    (inputs[0] * inputs[1]).tanh().dot(inputs[2], &["inner"])
}

/// The same as a kernel, which nobody can look into, with the derivatives that it brings.
fn kernel<'g>(inputs: &[Tensor<'g>]) -> Tensor<'g> {
    let graph = inputs[0].graph();
    let apart = ["batch", "inner"];
    let results = graph.custom_vjp(
        inputs,
        |inputs| (graph.per_shard(&apart, inputs, |own| vec![plain(own)]), inputs.to_vec()),
        |inputs, cts| {
            let cotangents = graph.per_shard(&apart, &[inputs, cts].concat(), |own| {
                let [x, rates, weight, ct] = [0, 1, 2, 3].map(|place: usize| own[place]);
                let hidden = (x * rates).tanh();
                let slope = ct.dot(weight, &["embed"]) * (-(hidden * hidden) + 1.0);
                let of_rates = (slope * x).sum(&["batch", "position"]);
                vec![slope * rates, of_rates, hidden.dot(ct, &["batch", "position"])]
            });
            cotangents.into_iter().map(Some).collect()
        },
    );
    results[0]
}

/// The results, and what they say of the loss of both inputs and weights.
fn program(layer: for<'g> fn(&[Tensor<'g>]) -> Tensor<'g>, (dp, fsdp, mp): Sizes) -> Program {
    let graph = Graph::on(Rules::default().partition(MeshShape { dp, fsdp, mp }, &[]));
    let x = graph.input("x", DType::F32, &[BATCH, POSITION, INNER]);
    let param = |name: &str, axes: &[Axis]| {
        let (name, axes) = (name.to_owned(), axes.to_vec());
        graph.param(ParamSpec { name, dtype: DType::F32, axes, stack: vec![], init: Init::Ones })
    };
    let inputs = [x, param("rates", &[INNER]), param("weight", &[INNER, EMBED])];
    let y = layer(&inputs);
    let grads = graph.grad((y * y).sum_all(), &inputs);
    let outputs = [("y", y), ("of_x", grads[0]), ("of_rates", grads[1]), ("of_weight", grads[2])];
    // Weights are updated where they lie.
    graph.lower("layer", &outputs, &[(inputs[1], 2), (inputs[2], 3)]).unwrap()
}

fn run(program: &Program) -> Vec<Vec<f32>> {
    let mut own = Arrays::new();
    let bound = BoundProgram::compile(session(), program, &Arrays::new(), &mut own).unwrap();
    for input in &program.inputs {
        let count = input.ty.element_count();
        let values = (0..count).map(|at| ((at * 7 + count) % 23) as f32 / 23.0 - 0.4).collect();
        own.upload(session(), &input.name, &HostTensor::from_vec(&input.ty.shape(), values).unwrap()).unwrap();
    }
    let free = bound.run(&Arrays::new(), &mut own).unwrap();
    let updated = ["rates", "weight"].map(|name| own.get(name).unwrap());
    free.iter().chain(updated).map(|array| array.download(session()).unwrap().to_f32()).collect()
}

#[test]
fn a_kernel_with_weights_gives_what_plain_ops_give() {
    let expected = run(&program(plain, ALONE));
    for mesh in [ALONE, (8, 1, 1), (1, 8, 1), (1, 1, 8), (2, 2, 2)] {
        let found = run(&program(kernel, mesh));
        assert_eq!(found.len(), expected.len());
        for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found.len(), expected.len(), "{mesh:?}: result {place}");
            // Sums of some hundred numbers below 1, in another order.
            let is_close = |(found, expected): (&f32, &f32)| (found - expected).abs() < 1e-4;
            assert!(found.iter().zip(expected).all(is_close), "{mesh:?}: result {place} is {found:?} for {expected:?}");
        }
    }
}
