//! What kernels must not do: rules of writing them, and faults that the interpreter finds.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use expect_test::{Expect, expect};
use graph::{Axis, DType, TensorType};
use kernels::{Array, Builder, Code, Interpreter, Launch, Operation, Road, Value};

/// The rule that a kernel breaks while it is written.
fn refused(write: impl for<'k> FnOnce(&'k Builder), expected: Expect) {
    let builder = Builder::new("wrong");
    write(&builder);
    expected.assert_eq(&builder.finish().unwrap_err().to_string());
}

#[test]
fn what_does_not_fit_is_refused() {
    let error = expect!["the kernel `wrong` cannot be built: Add: shapes [4] and [8] do not meet"];
    refused(|k| _ = k.range(4) + k.range(8), error);
    let error = expect!["the kernel `wrong` cannot be built: Multiply: i32[4] meets f32[4]: cast one"];
    refused(|k| _ = k.range(4) * k.zeros(&[4]), error);
    let error = expect!["the kernel `wrong` cannot be built: block: a size of i32[3] is not a power of two"];
    refused(|k| _ = k.range(3), error);
    let error = expect!["the kernel `wrong` cannot be built: load: i32[4] is no pointer"];
    refused(|k| _ = k.range(4).load(), error);
    let error = expect!["the kernel `wrong` cannot be built: constant: 2147483648 is beyond 32 bits"];
    refused(|k| _ = k.range(4) * (1usize << 31), error);
    let error = expect![
        "the kernel `wrong` cannot be built: dot: f32[16, 8] times f32[8, 16] is not f32[16, 16], or less than 16 products are added up"
    ];
    refused(|k| _ = k.zeros(&[16, 8]).dot(k.zeros(&[8, 16])), error);
    let error = expect!["the kernel `wrong` cannot be built: for: f32[4] is carried, and the body gives f32[2]"];
    refused(|k| _ = k.for_range(0, 4, 1, [k.zeros(&[4])], |_, _| [k.zeros(&[2])]), error);
    let error = expect!["the kernel `wrong` cannot be built: combine: elements are combined with what is none of them"];
    let outside = |k: &Builder| {
        let own = k.program_id(0);
        k.reduce([k.range(4)], 0, |[a], [b]| [a + b + own]);
    };
    refused(outside, error);
    let error = expect!["the kernel `wrong` cannot be built: reduce: elements are combined with what is none of them"];
    let outside = |k: &Builder| {
        let own = k.program_id(0);
        k.reduce([k.range(4)], 0, |_, _| [own]);
    };
    refused(outside, error);
    let error = expect![
        "the kernel `wrong` cannot be built: second: arrays that are read are declared before those that are written"
    ];
    let late = |k: &Builder| {
        k.output("first", DType::F32);
        k.input("second", DType::F32);
    };
    refused(late, error);
    let error = expect![
        "the kernel `wrong` cannot be built: select: between pointers one truth value chooses, and not bool[4]"
    ];
    let of_two = |k: &Builder| {
        let [first, second] = ["first", "second"].map(|name| k.input(name, DType::F32));
        k.range(4).less(2).select(first, second);
    };
    refused(of_two, error);
}

/// What would be printed as another conversion, or as one that Triton does not have.
#[test]
fn conversions_that_are_not_defined_are_refused() {
    let result = |from: DType, to: DType| {
        let builder = Builder::new("wrong");
        let _ = builder.full(1.0, from, &[4]).cast(to);
        builder.finish().map_err(|error| error.to_string())
    };
    let is_built = |from, to| result(from, to).is_ok();
    let [narrow, other] = [DType::F8E4M3FN, DType::F8E5M2FNUZ];
    for (from, to) in [
        (DType::F32, narrow),
        (DType::BF16, other),
        (narrow, other),
        (DType::I32, narrow),
        (narrow, DType::I32),
        (narrow, DType::Bool),
        (DType::BF16, DType::F16),
        (DType::F16, DType::BF16),
        (DType::F32, DType::Bool),
        (DType::I32, DType::Bool),
    ] {
        let expected = format!("the kernel `wrong` cannot be built: cast: {from}[4] does not become {to}");
        assert_eq!(result(from, to).unwrap_err(), expected);
    }
    for (from, to) in [
        (narrow, DType::F32),
        (other, DType::F16),
        (DType::F32, DType::BF16),
        (DType::F16, DType::F64),
        (DType::F32, DType::I32),
        (DType::I64, DType::F32),
        (DType::I32, DType::I64),
        (DType::I64, DType::I32),
        (DType::Bool, DType::F32),
        (DType::Bool, DType::I32),
    ] {
        assert!(is_built(from, to), "{from} to {to}");
    }
    for dtype in [DType::U8, DType::U32] {
        let error = expect![[r"the kernel `wrong` cannot be built: type: kernels do not compute in DTYPE"]];
        let builder = Builder::new("wrong");
        builder.input("bytes", dtype);
        error.assert_eq(&builder.finish().unwrap_err().to_string().replace(&dtype.to_string(), "DTYPE"));
    }
}

#[test]
fn rows_and_halves_are_those_of_a_block() {
    let error = expect!["the kernel `wrong` cannot be built: split: the last dimension of i32[4] is not of two"];
    refused(|k| _ = k.range(4).split(), error);
    let error = expect!["the kernel `wrong` cannot be built: rows: those of i32[4] would be scalars"];
    refused(|k| _ = k.range(4).rows(), error);
    // Row i of four is (i, 10 + i).
    let rows = run(|k, program, _, taken| {
        let block = k.range(4).column() + k.range(2).row() * 10;
        let [even, odd] = block.split();
        let rows = block.rows();
        let sums = rows.iter().enumerate().map(|(i, row)| *row * (i + 1)).reduce(|a, b| a + b).unwrap();
        let columns = odd.sum(0) - even.sum(0);
        (taken + program * 2 + k.range(2)).store((sums + columns).cast(DType::F32));
    });
    // 1 * 0 + 2 * 1 + 3 * 2 + 4 * 3 = 20, and 10 * 10 more; the columns differ by 4 * 10.
    assert_eq!(rows.unwrap(), [60.0, 160.0, 60.0, 160.0]);
}

/// Two programs that read `given` (4 elements) and write `taken` (4 elements), two each if they do what they should.
fn run(write: impl for<'k> FnOnce(&'k Builder, Value<'k>, Value<'k>, Value<'k>)) -> Result<Vec<f64>, String> {
    let builder = Builder::new("pair");
    let given = builder.input("given", DType::F32);
    let taken = builder.output("taken", DType::F32);
    write(&builder, builder.program_id(0), given, taken);
    let results = vec![TensorType::new(DType::F32, &[Axis::new("element", 4)])];
    let launch = Launch {
        kernel: builder.finish().unwrap(),
        grid: [2, 1, 1],
        code: Code::Triton { warps: 4, stages: 1 },
        results,
        in_place: Vec::new(),
    };
    let interpreter = Interpreter::default();
    let results = (&interpreter).run(&launch, &[Array::new(DType::F32, vec![1.0, 2.0, 3.0, 4.0])]);
    interpreter.finish().map_err(|fault| fault.to_string())?;
    Ok(results[0].numbers().to_vec())
}

#[test]
fn each_program_writes_its_own_elements() {
    let double = run(|k, program, given, taken| {
        let elements = program * 2 + k.range(2);
        (taken + elements).store((given + elements).load() * 2.0);
    });
    assert_eq!(double.unwrap(), [2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn faults_are_found() {
    let fault = |expected: Expect, found: Result<Vec<f64>, String>| expected.assert_eq(&found.unwrap_err());
    fault(
        expect!["the kernel `pair`, in its program [1, 0, 0]: it reads element 4 of `given`, which has 4"],
        run(|k, program, given, taken| {
            let elements = program * 2 + k.range(2);
            (taken + elements).store((given + elements + 1).load());
        }),
    );
    fault(
        expect!["the kernel `pair`, in its program [0, 0, 0]: it writes element -1 of `taken`, which has 4"],
        run(|k, _, _, taken| (taken + (k.range(2) - 1)).store(k.zeros(&[2]))),
    );
    fault(
        expect![
            "the kernel `pair`, in its program [1, 0, 0]: it writes element 1 of `taken`, which program [0, 0, 0] writes too"
        ],
        run(|k, program, _, taken| (taken + program + k.range(2)).store(k.zeros(&[2]))),
    );
    fault(
        expect![
            "the kernel `pair`, in its program [0, 0, 0]: it writes different numbers to element 0 of `taken` at once"
        ],
        run(|k, _, _, taken| (taken + k.range(2).and(0)).store(k.range(2).cast(DType::F32))),
    );
    fault(
        expect!["the kernel `pair`, in its program [1, 0, 0]: no program wrote element 1 of `taken`"],
        run(|_, program, given, taken| (taken + program * 2).store(given.load())),
    );
    fault(
        expect!["the kernel `pair`, in its program [0, 0, 0]: Multiply gives 4294967296, which i32 does not hold"],
        run(|k, program, given, taken| {
            let far = (program + 65_536) * 65_536;
            (taken + k.range(2)).store((given + far).load() + k.zeros(&[2]));
        }),
    );
    fault(
        expect!["the kernel `pair`, in its program [0, 0, 0]: it writes to `given`, which is read only"],
        run(|k, _, given, _| (given + k.range(2)).store(k.zeros(&[2]))),
    );
    fault(
        expect!["the kernel `pair`, in its program [0, 0, 0]: it reads element 0 of `taken`, which is written"],
        run(|_, _, _, taken| taken.store(taken.load())),
    );
    // Also what the program itself wrote: by another lane, perhaps.
    fault(
        expect!["the kernel `pair`, in its program [0, 0, 0]: it reads element 1 of `taken`, which is written"],
        run(|k, _, given, taken| {
            (taken + k.range(2)).store((given + k.range(2)).load());
            (taken + 2 + k.range(2)).store((taken + (k.int(1) - k.range(2))).load());
        }),
    );
}

/// Of an array in place of another, what no program writes stays, and what one writes none reads: programs run in any order.
#[test]
fn what_is_written_in_place_keeps_the_rest_and_is_not_read() {
    let run = |read: Option<usize>, in_place: (usize, usize)| {
        let builder = Builder::new("place");
        let given = builder.input("given", DType::F32);
        let taken = builder.output("taken", DType::F32);
        let program = builder.program_id(0);
        let value = match read {
            Some(further) => (given + program * 2 + further).load() * 10.0,
            None => builder.float(7.0),
        };
        (taken + program + 1).store(value);
        let results = vec![TensorType::new(DType::F32, &[Axis::new("element", 4)])];
        let kernel = builder.finish().unwrap();
        let launch = Launch {
            kernel,
            grid: [2, 1, 1],
            code: Code::Triton { warps: 1, stages: 1 },
            results,
            in_place: vec![in_place],
        };
        let interpreter = Interpreter::default();
        let results = (&interpreter).run(&launch, &[Array::new(DType::F32, vec![1.0, 2.0, 3.0, 4.0])]);
        interpreter.finish().map(|()| results[0].numbers().to_vec()).map_err(|fault| fault.to_string())
    };
    assert_eq!(run(None, (0, 0)).unwrap(), [1.0, 7.0, 7.0, 4.0]);
    expect!["the kernel `place`, in its program [1, 0, 0]: it reads element 2 of `given`, which program [1, 0, 0] writes in place"]
        .assert_eq(&run(Some(0), (0, 0)).unwrap_err());
    expect!["the kernel `place`, in its program [0, 0, 0]: it reads element 1 of `given`, which program [0, 0, 0] writes in place"]
        .assert_eq(&run(Some(1), (0, 0)).unwrap_err());
    for absent in [(0, 1), (1, 0)] {
        let error = run(None, absent).unwrap_err();
        assert!(error.contains("cannot stand in place of array"), "{error}");
    }
    // One writes the second element and reads the first and the last.
    let builder = Builder::new("ends");
    let given = builder.input("given", DType::F32);
    let taken = builder.output("taken", DType::F32);
    (taken + 1).store(given.load() + (given + 3).load());
    let results = vec![TensorType::new(DType::F32, &[Axis::new("element", 4)])];
    let kernel = builder.finish().unwrap();
    let launch =
        Launch { kernel, grid: [1, 1, 1], code: Code::Triton { warps: 1, stages: 1 }, results, in_place: vec![(0, 0)] };
    let interpreter = Interpreter::default();
    let results = (&interpreter).run(&launch, &[Array::new(DType::F32, vec![1.0, 2.0, 3.0, 4.0])]);
    interpreter.finish().unwrap();
    assert_eq!(results[0].numbers(), [1.0, 5.0, 3.0, 4.0]);
}

#[test]
fn whole_numbers_are_divided_by_something() {
    let divided = |divide: for<'k> fn(Value<'k>, Value<'k>) -> Value<'k>| {
        run(|k, program, given, taken| {
            let place = divide(k.int(1), program);
            (taken + program * 2 + k.range(2)).store((given + place + k.range(2)).load());
        })
    };
    let error = "the kernel `pair`, in its program [0, 0, 0]: Divide by 0, of i32";
    assert_eq!(divided(|one, program| one / program).unwrap_err(), error);
    let error = "the kernel `pair`, in its program [0, 0, 0]: Remainder by 0, of i32";
    assert_eq!(divided(|one, program| one % program).unwrap_err(), error);
    assert_eq!(divided(|one, program| one / program.maximum(1)).unwrap(), [2.0, 3.0, 2.0, 3.0]);
    // Among floating-point numbers there is an infinity for it.
    let quotient = run(|k, program, given, taken| {
        let elements = program * 2 + k.range(2);
        (taken + elements).store((given + elements).load() / 0.0);
    });
    assert_eq!(quotient.unwrap(), [f64::INFINITY; 4]);
}

/// Loops, conditions, reductions and scans, each against what a line of Rust says.
#[test]
fn regions_are_interpreted() {
    let count = run(|k, program, given, taken| {
        let [sum] = k.for_range(0, program + 1, 1, [k.float(0.0)], |i, [sum]| [sum + (given + i).load()]);
        let [other] = k.when(program.equals(0), || [k.float(10.0)], || [sum * 2.0]);
        let elements = program * 2 + k.range(2);
        (taken + elements).store(k.range(2).equals(0).select(sum.broadcast(&[2]), other));
    });
    assert_eq!(count.unwrap(), [1.0, 10.0, 3.0, 6.0]);
    let sums = run(|k, program, given, taken| {
        let all = (given + k.range(4)).load();
        let behind = k.scan([all], 0, true, |[a], [b]| [a + b])[0];
        let most = all.max(0);
        let chosen = program.equals(0).select(k.int(0), 1usize);
        let mask = k.range(4).less(2);
        let either = chosen.equals(0).broadcast(&[4]).select(behind, most);
        (taken + program * 2 + k.range(4)).store_where(either, mask);
    });
    assert_eq!(sums.unwrap(), [10.0, 9.0, 4.0, 4.0]);
}

/// Along each dimension of a matrix of 1, 2 and 3, 4, with a number that the combination has of its own, in an order that can be told: of scans the one that
/// is promised, of reductions one that none is, as on a device.
#[test]
fn elements_are_combined_along_one_dimension() {
    let combined = |dim: usize, is_reduced: bool, reverse: bool| {
        let found = run(|k, program, given, taken| {
            let all = (given + k.range(4)).load().reshape(&[2, 2]);
            let found = match is_reduced {
                true => k.reduce([all], dim, |[a], [b]| [a * 10.0 + b])[0].expand(0).broadcast(&[2, 2]),
                false => k.scan([all], dim, reverse, |[a], [b]| [a * 10.0 + b])[0],
            };
            let own = (k.range(4) / 2).equals(program);
            (taken + k.range(4)).store_where(found.reshape(&[4]), own);
        });
        found.unwrap()
    };
    assert_eq!(combined(0, true, false), [31.0, 42.0, 31.0, 42.0]);
    assert_eq!(combined(1, true, false), [21.0, 43.0, 21.0, 43.0]);
    assert_eq!(combined(0, false, false), [1.0, 2.0, 13.0, 24.0]);
    assert_eq!(combined(0, false, true), [31.0, 42.0, 3.0, 4.0]);
    assert_eq!(combined(1, false, true), [21.0, 2.0, 43.0, 4.0]);
    // By halves: of 1, 2, 3, 4 first 3 with 1 and 4 with 2.
    let halves = run(|k, program, given, taken| {
        let all = (given + k.range(4)).load();
        let found = k.reduce([all], 0, |[a], [b]| [a * 10.0 + b])[0];
        (taken + program * 2 + k.range(2)).store(found.broadcast(&[2]));
    });
    assert_eq!(halves.unwrap(), [451.0; 4]);
    // Combined side by side, elements have no branch each.
    let branches = run(|k, program, given, taken| {
        let all = (given + k.range(4)).load().reshape(&[2, 2]);
        let greater = k.reduce([all], 0, |[a], [b]| k.when(a.less(b), || [b], || [a]))[0];
        (taken + program * 2 + k.range(2)).store(greater);
    });
    let error = "the kernel `pair`, in its program [0, 0, 0]: it combines elements by more than arithmetic";
    assert_eq!(branches.unwrap_err(), error);
}

/// How what is launched begins, in Triton IR or by hand, and no arrays.
#[derive(Default)]
struct Names(RefCell<BTreeSet<String>>);

impl Road for &Names {
    type Array = ();

    fn run(&self, launch: &Launch, _: &[()]) -> Vec<()> {
        let named = match &launch.code {
            Code::ByHand(by_hand) => format!(".entry {}(", by_hand.name),
            Code::Triton { .. } => format!("@{}(", launch.kernel.name()),
        };
        self.0.borrow_mut().insert(named);
        vec![(); launch.results.len()]
    }
}

#[test]
fn each_kernel_of_the_catalogue_has_a_golden_text() {
    let names = Names::default();
    for operation in [Operation::tried(), Operation::timed()].concat() {
        operation.run(&&names, &vec![(); operation.arguments().len()]).unwrap();
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let texts = golden.read_dir().unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let texts = texts.collect::<Vec<_>>().concat();
    // Those of sums have the name of what is summed, and differ in sizes.
    let has_text = |name: &String| texts.contains(name) || name.starts_with("@sum_");
    let without: Vec<_> = names.0.into_inner().into_iter().filter(|name| !has_text(name)).collect();
    assert!(without.is_empty(), "no text in tests/golden has these kernels: {without:?}");
    assert!(texts.contains("@sum_"));
}
