//! Programs that find their arguments by name.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor, Init, ParamSpec, Program, Stack};
use runtime::plugins::{Environment, Platform};
use runtime::{Arrays, BoundProgram, Parameters, Session};

const A: Axis = Axis::new("a", 2);

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// `state` becomes `state + weight * data`; the other result is its sum.
fn step() -> Program {
    let graph = Graph::new();
    let [data, state, weight] = ["data", "state", "weight"].map(|name| graph.input(name, DType::F32, &[A]));
    let next = state + weight * data;
    graph.lower("step", &[("state", next), ("sum", next.sum_all())], &[(state, 0)]).unwrap()
}

fn values(values: [f32; 2]) -> HostTensor<'static> {
    HostTensor::from_vec(&[2], values.to_vec()).unwrap()
}

#[test]
fn results_take_the_places_of_the_arguments_that_they_consume() {
    let session = session();
    let (mut fixed, mut own) = (Arrays::new(), Arrays::new());
    fixed.upload(&session, "weight", &values([1.0, 10.0])).unwrap();
    let program = BoundProgram::compile(&session, &step(), &fixed, &mut own).unwrap();
    own.upload(&session, "state", &values([0.0, 0.0])).unwrap();
    own.upload(&session, "data", &values([1.0, 2.0])).unwrap();
    let sums = [0, 1].map(|_| {
        let results = program.run(&fixed, &mut own).unwrap();
        assert_eq!(results.len(), 1);
        results[0].download(&session).unwrap().to_f32()[0]
    });
    assert_eq!(sums, [21.0, 42.0]);
    let state = own.get("state").unwrap().download(&session).unwrap();
    assert_eq!(state.to_f32(), [2.0, 40.0]);
}

#[test]
fn what_cannot_be_bound_is_named() {
    let session = session();
    let (mut fixed, mut own) = (Arrays::new(), Arrays::new());
    fixed.upload(&session, "weight", &values([1.0, 1.0])).unwrap();
    let program = BoundProgram::compile(&session, &step(), &fixed, &mut own).unwrap();
    own.upload(&session, "state", &values([0.0, 0.0])).unwrap();
    let missing = program.run(&fixed, &mut own).unwrap_err();
    assert_eq!(missing.to_string(), "program step, argument data: there is no array of this name");
    fixed.upload(&session, "state", &values([0.0, 0.0])).unwrap();
    assert!(BoundProgram::compile(&session, &step(), &fixed, &mut own).is_ok(), "its own arrays go before fixed ones");
    let bound = BoundProgram::compile(&session, &step(), &fixed, &mut Arrays::new());
    let Err(consumed) = bound else { panic!("it is bound") };
    assert_eq!(
        consumed.to_string(),
        "program step, argument state: a result takes over its memory: it belongs among the program's own arrays, not the fixed ones"
    );
    // As many bytes.
    let columns = HostTensor::from_vec(&[1, 2], vec![0.0f32, 0.0]).unwrap();
    let numbers = HostTensor::from_vec(&[2], vec![0i32, 0]).unwrap();
    for (data, found) in [(columns, "F32 [1, 2]"), (numbers, "S32 [2]")] {
        own.upload(&session, "data", &data).unwrap();
        let rule = format!("it should be F32 [2], but the array of this name is {found}");
        let other = program.run(&fixed, &mut own).unwrap_err();
        assert_eq!(other.to_string(), format!("program step, argument data: {rule}"));
    }
}

/// Layers and experts, stacked or apart: drawn, loaded and read back tensor by tensor.
#[test]
fn parameters_are_the_same_tensors_in_one_array_or_in_many() {
    let session = session();
    let mut parameters = Parameters::new(&session);
    let (layers, experts) = (Axis::new("layers", 2), Axis::new("experts", 3));
    for axes in [vec![A], vec![]] {
        let spec = ParamSpec {
            name: "layers.*.experts.*.w".into(),
            dtype: DType::BF16,
            axes: axes.clone(),
            stack: vec![Stack { axis: layers, first: 1, step: 2 }, Stack::of(experts)],
            init: Init::Normal(1.0),
        };
        let mut drawn = Vec::new();
        for unrolled in [&[][..], &["layers"], &["layers", "experts"]] {
            let mut tensors = Vec::new();
            for array in spec.arrays(unrolled) {
                let values = parameters.init(&array, 7).unwrap();
                for (position, name) in array.checkpoint_names.iter().enumerate() {
                    tensors.push((name.clone(), parameters.read(&array, &values, position, DType::F32).unwrap()));
                }
            }
            assert_eq!(tensors.len(), 6);
            assert_eq!(
                (tensors[0].0.as_str(), tensors[5].0.as_str()),
                ("layers.1.experts.0.w", "layers.3.experts.2.w")
            );
            assert!(tensors[0].1.to_f32() != tensors[1].1.to_f32(), "each tensor has its own numbers");
            drawn.push(tensors);
        }
        let bytes = |tensors: &[(String, HostTensor<'_>)]| -> Vec<Vec<u8>> {
            tensors.iter().map(|(_, tensor)| tensor.bytes().to_vec()).collect()
        };
        assert!(bytes(&drawn[0]) == bytes(&drawn[1]) && bytes(&drawn[0]) == bytes(&drawn[2]));

        for array in spec.arrays(&["layers"]) {
            let read = |name: &str| -> Result<HostTensor<'static>, runtime::Error> {
                let tensor = drawn[0].iter().find(|(known, _)| known == name).unwrap();
                Ok(tensor.1.clone())
            };
            let loaded = parameters.load(&array, read).unwrap();
            for (position, name) in array.checkpoint_names.iter().enumerate() {
                let found = parameters.read(&array, &loaded, position, DType::F32).unwrap();
                assert_eq!(found.bytes(), read(name).unwrap().bytes(), "{name}");
            }
        }
    }
}

/// What state-space models begin with: rates that count up, and steps whose widths are spread evenly over magnitudes.
#[test]
fn counted_logarithms_and_inverse_softplus_are_drawn() {
    let session = session();
    let mut parameters = Parameters::new(&session);
    let (rows, columns) = (Axis::new("rows", 2), Axis::new("columns", 500));
    let mut drawn = |axes: &[Axis], init: Init| {
        let (name, axes) = ("w".into(), axes.to_vec());
        let spec = ParamSpec { name, dtype: DType::F32, axes, stack: Vec::new(), init };
        let array = spec.arrays(&[]).remove(0);
        let values = parameters.init(&array, 7).unwrap();
        parameters.read(&array, &values, 0, DType::F32).unwrap().to_f32()
    };
    let counted = drawn(&[rows, columns], Init::LogCount);
    for (i, found) in counted.iter().enumerate() {
        let expected = ((i % columns.size + 1) as f32).ln();
        assert!((found - expected).abs() < 1e-5, "{found} instead of {expected} at {i}");
    }
    assert!(drawn(&[rows], Init::Constant(0.25)) == [0.25; 2]);

    let widths = drawn(&[columns], Init::SoftplusInverse { low: 1e-3, high: 1e-1, floor: 2e-3 });
    let widths: Vec<f32> = widths.into_iter().map(|x| x.exp().ln_1p()).collect();
    assert!(widths.iter().all(|width| (1.99e-3..0.101).contains(width)), "{widths:?}");
    let share = |low: f32, high: f32| widths.iter().filter(|x| (low..high).contains(*x)).count() as f32 / 500.0;
    // Logarithms of 2 and 10 as parts of that of 100; a deviation of the share of 500 is at most 0.022.
    let expected = [(1e-3, 2.01e-3, 0.151), (1e-2, 1e-1, 0.5)];
    for (low, high, expected) in expected {
        assert!((share(low, high) - expected).abs() < 0.1, "{} of the widths are in {low}..{high}", share(low, high));
    }
}
