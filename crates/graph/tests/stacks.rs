//! Parameters of one name in several stacks, whose tensors a checkpoint numbers otherwise than one by one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor, Init, Output, ParamSpec, Program, ProgramInput, Remat, Stack, Tensor};

mod support;

const A: Axis = Axis::new("a", 2);
const PAIRS: Axis = Axis::new("pairs", 3);
const DENSE: Axis = Axis::new("dense", 2);
const SPARSE: Axis = Axis::new("sparse", 1);
const EXPERTS: Axis = Axis::new("experts", 2);

fn spec(stack: Stack) -> ParamSpec {
    ParamSpec { name: "layers.*.w".into(), dtype: DType::F32, axes: vec![A], stack: vec![stack], init: Init::Ones }
}

/// x -> x * w of layer 0 + w of layer 1, and so on.
fn pairs<'g>(graph: &'g Graph, x: Tensor<'g>) -> Tensor<'g> {
    let (carry, _) = graph.scan(PAIRS, &[x], &[], Remat::full(), |step| {
        let half = |first| graph.param(spec(Stack { axis: PAIRS, first, step: 2 }));
        (vec![step.carry[0] * half(0) + half(1)], vec![])
    });
    carry[0]
}

/// The same over the layers of two loops that are behind each other.
fn dense_then_sparse<'g>(graph: &'g Graph, x: Tensor<'g>) -> Tensor<'g> {
    let loop_over = |x: Tensor<'g>, axis: Axis, first: usize| {
        let (carry, _) = graph.scan(axis, &[x], &[], Remat::none(), |step| {
            (vec![step.carry[0] * graph.param(spec(Stack { axis, first, step: 1 }))], vec![])
        });
        carry[0]
    };
    loop_over(loop_over(x, DENSE, 0), SPARSE, DENSE.size)
}

type Model = for<'g> fn(&'g Graph, Tensor<'g>) -> Tensor<'g>;

/// The loss and its gradients with respect to all parameters.
fn program(model: Model, unrolled: &[&'static str]) -> (Program, Vec<ParamSpec>) {
    let graph = Graph::new();
    let loss = model(&graph, graph.input("x", DType::F32, &[A])).sum_all();
    let (specs, tensors): (Vec<_>, Vec<_>) = graph.params().into_iter().unzip();
    let gradients = graph.grad(loss, &tensors);
    let named = specs.iter().zip(gradients);
    let named = named.map(|(spec, tensor)| Output { name: &spec.name, stack: &spec.stack, tensor });
    let outputs: Vec<_> = [("loss", loss).into()].into_iter().chain(named).collect();
    (graph.lower_unrolled("stacks", &outputs, &[], unrolled).unwrap(), specs)
}

/// What the checkpoint holds in layer `number`.
fn weights(number: usize) -> Vec<f32> {
    (0..A.size).map(|i| 0.5 + (number * A.size + i) as f32 / 8.0).collect()
}

/// Runs the program with the checkpoint's tensors: all that comes out, each array's numbers in the checkpoint's order.
fn run(program: &Program, specs: &[ParamSpec], unrolled: &[&str]) -> Vec<f32> {
    let arrays: Vec<_> = specs.iter().flat_map(|spec| spec.arrays(unrolled)).collect();
    let number = |name: &String| name.split('.').nth(1).unwrap().parse().unwrap();
    let input = |input: &ProgramInput| {
        let values = match arrays.iter().find(|array| array.name == input.name) {
            Some(array) => array.checkpoint_names.iter().flat_map(|name| weights(number(name))).collect(),
            None => vec![2.0, 3.0],
        };
        HostTensor::from_vec(&input.ty.shape(), values).unwrap()
    };
    let inputs: Vec<_> = program.inputs.iter().map(input).collect();
    support::compile(program).run(&inputs).iter().flat_map(HostTensor::to_f32).collect()
}

fn input_names(program: &Program) -> Vec<&str> {
    program.inputs.iter().map(|input| input.name.as_str()).collect()
}

#[test]
fn both_halves_of_pairs_of_layers_stand_in_one_loop() {
    let ((looped, specs), (apart, _)) = (program(pairs, &[]), program(pairs, &["pairs"]));
    assert_eq!(input_names(&looped), ["x", "layers.*[0::2].w", "layers.*[1::2].w"]);
    let numbers = [0, 2, 4, 1, 3, 5].map(|number| format!("layers.{number}.w"));
    assert_eq!(input_names(&apart)[1..], numbers);
    for (program, numbers) in [(&looped, &["*[0::2]", "*[1::2]"][..]), (&apart, &["0", "2", "4", "1", "3", "5"])] {
        let names: Vec<_> = program.outputs[1..].iter().map(|output| output.name.clone()).collect();
        assert_eq!(names, numbers.iter().map(|number| format!("layers.{number}.w")).collect::<Vec<_>>());
    }
    let found = run(&looped, &specs, &[]);
    assert_eq!(found, run(&apart, &specs, &["pairs"]));
    let mut x = [2.0, 3.0];
    for pair in 0..PAIRS.size {
        let (factor, addend) = (weights(2 * pair), weights(2 * pair + 1));
        x = [0, 1].map(|i| x[i] * factor[i] + addend[i]);
    }
    // Few bits: exact.
    assert_eq!(found[0], x[0] + x[1]);
}

#[test]
fn layers_behind_the_first_few_have_a_loop_of_their_own() {
    let unrolled = ["dense", "sparse"];
    let ((looped, specs), (apart, _)) = (program(dense_then_sparse, &[]), program(dense_then_sparse, &unrolled));
    assert_eq!(input_names(&looped), ["x", "layers.*.w", "layers.*[2::1].w"]);
    assert_eq!(input_names(&apart), ["x", "layers.0.w", "layers.1.w", "layers.2.w"]);
    assert_eq!(run(&looped, &specs, &[]), run(&apart, &specs, &unrolled));
}

#[test]
fn what_differs_between_declarations_is_told() {
    let plain = spec(Stack::of(DENSE));
    let cases = [
        (ParamSpec { init: Init::Zeros, ..plain.clone() }, "declared with initial values Ones and again with Zeros"),
        (
            ParamSpec { dtype: DType::BF16, ..plain.clone() },
            "declared as f32[dense: 2, a: 2] and again as bf16[dense: 2, a: 2]",
        ),
        (
            spec(Stack { axis: SPARSE, first: 1, step: 1 }),
            "its tensor `layers.1.w` is declared already; give the stacks other numbers",
        ),
        (
            ParamSpec { name: "layers.0.w".into(), stack: vec![], ..plain.clone() },
            "its tensor `layers.0.w` is declared already; give the stacks other numbers",
        ),
    ];
    for (again, rule) in cases {
        let graph = Graph::new();
        graph.param(plain.clone());
        let name = again.name.clone();
        graph.param(again);
        assert_eq!(graph.lower("bad", &[], &[]).unwrap_err().to_string(), format!("{name}: {rule}"));
    }
}

#[test]
fn a_result_has_the_axes_that_it_is_said_to_be_stacked_along() {
    let graph = Graph::new();
    let tensor = graph.input("x", DType::F32, &[A]);
    let output = Output { name: "layers.*.w", stack: &[Stack::of(DENSE)], tensor };
    let error = graph.lower_unrolled("bad", &[output], &[], &[]).unwrap_err();
    assert_eq!(error.to_string(), "layers.*.w: it is f32[a: 2], but should be stacked along [dense: 2]");
}

#[test]
fn two_arguments_have_two_names() {
    let graph = Graph::new();
    graph.param(spec(Stack::of(DENSE)));
    graph.stacked_input("layers.*.w", DType::F32, &[Stack::of(EXPERTS)], &[A]);
    let outputs: [Output<'_, '_>; 0] = [];
    for (unrolled, name) in [(&[][..], "layers.*.w"), (&["dense", "experts"], "layers.0.w")] {
        let error = graph.lower_unrolled("bad", &outputs, &[], unrolled).unwrap_err();
        assert_eq!(error.to_string(), format!("{name}: two arguments have this name"));
    }
}
