//! Recordings of several devices, made up.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use expect_test::expect;
use graph::Places;
use hlo::{Event, Line, Module, Plane, Space, Stat};
use profile::{Kind, Profile, Program, Recording};

/// A kernel with its start and end in microseconds.
fn event(name: &str, start: u64, end: u64) -> Event {
    let [start_ps, duration_ps] = [start, end - start].map(|micros| micros * 1_000_000);
    Event { name: Arc::from(name), start_ps, duration_ps, stats: Vec::new(), of_name: Arc::default() }
}

fn plane(name: &str, lines: Vec<Line>) -> Plane {
    Plane { name: name.to_owned(), lines }
}

fn line(id: u64, name: &str, events: Vec<Event>) -> Line {
    Line { id, name: name.to_owned(), events }
}

/// A program without instructions: kernels are known by their names alone.
fn program() -> Program {
    Program::new(&Module::read("hlo", &[0x1a, 2, 0x28, 1, 0x30, 1]).unwrap(), &Places::default())
}

#[test]
fn exchanges_count_while_nothing_else_runs() {
    let compute = vec![event("nvjet_gemm", 0, 4_000), event("loop_add_fusion", 6_000, 8_000)];
    // Beside the product, for itself, then beside what is added up.
    let exchange =
        vec![event("ncclDevKernel_AllGather", 1_000, 5_000), event("ncclDevKernel_ReduceScatter", 7_000, 8_500)];
    let first = vec![line(1, "Stream #1(Compute)", compute), line(2, "Stream #2(Compute)", exchange)];
    // What sums up the others is not counted again.
    let second = vec![
        line(1, "Stream #1(Compute)", vec![event("nvjet_gemm", 0, 9_000)]),
        line(9, "XLA Modules", vec![event("train_step", 0, 9_000)]),
        line(3, "Stream #3(MemcpyD2H)", vec![event("MemcpyD2H", 9_500, 10_000)]),
    ];
    let planes = vec![
        plane("/device:GPU:0", first),
        plane("/device:GPU:1", second),
        plane("/host:CPU", vec![line(1, "Stream of thoughts", vec![event("python", 0, 99_000)])]),
    ];
    let space = Space { planes, warnings: vec!["some events were lost".to_owned()], ..Space::default() };
    let profile = Profile::of(&program(), &Recording { space: &space, steps: 1, seconds: 0.011 }).unwrap();
    expect![[r#"
        A step takes 9.25 ms on the device, 11.00 ms by the host's clock (mean of 1)

        by what runs                            ms    share    kernels
          GEMM                                6.50   70.3 %          1
          elementwise, reductions             1.00   10.8 %        0.5
          copies and fills                    0.25    2.7 %        0.5
          collectives, exposed                0.75    8.1 %          1
          idle                                0.75    8.1 %          0

        by part of the model, ms           forward     again  backward       all    share
          not known                           8.50      0.00      0.00      8.50   91.9 %

              ms   times  what takes longest      where: op (instruction)
           6.500       1  GEMM                    not known: - (nvjet_gemm)
           1.000     0.5  elementwise, reductions not known: - (loop_add_fusion)
           0.500     0.5  collectives, exposed    not known: - (ncclDevKernel_AllGather)
           0.250     0.5  copies and fills        not known: - (MemcpyD2H)
           0.250     0.5  collectives, exposed    not known: - (ncclDevKernel_ReduceScatter)

        Exchanges are under way for 2.75 ms of a step, and for 0.75 ms nothing else runs

        by device, ms                         step      idle   exposed collectives
          /device:GPU:0                       8.50      1.00                  1.50
          /device:GPU:1                      10.00      0.50                  0.00

        The profiler warns: some events were lost
    "#]]
    .assert_eq(&profile.to_string());
    let read: Profile = serde_json::from_str(&serde_json::to_string(&profile).unwrap()).unwrap();
    assert_eq!(read, profile);
}

fn varint(value: usize) -> Vec<u8> {
    if value < 0x80 { vec![value as u8] } else { [vec![(value & 0x7f) as u8 | 0x80], varint(value >> 7)].concat() }
}

/// A field of a message that holds a number.
fn number(field: usize, value: usize) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A field of a message that holds bytes, a text or a message.
fn bytes(field: usize, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len()), value.to_vec()].concat()
}

/// A program that calls kernels of these names, in `call.1`, `call.2` and so on.
fn calls(kernels: &[&str]) -> Program {
    let call = |(kernel, id): (&&str, usize)| {
        let config = format!("{{debug = false, name = \"{kernel}\", num_stages = 2 : i32}}");
        let name = format!("call.{id}");
        let texts = [(1, name.as_str()), (2, "custom-call"), (28, "__gpu$xla.gpu.triton"), (43, &config)];
        let fields = texts.map(|(field, text)| bytes(field, text.as_bytes())).concat();
        bytes(2, &[fields, number(35, id)].concat())
    };
    let instructions: Vec<u8> = kernels.iter().zip(1..).flat_map(call).collect();
    let module = [bytes(3, &[instructions, number(5, 1)].concat()), number(6, 1)].concat();
    Program::new(&Module::read("hlo", &module).unwrap(), &Places::default())
}

/// By the instruction's own name for the kernel, or in a graph by the event's, which may be numbered.
#[test]
fn kernels_of_experts_have_a_place_of_their_own() {
    let kernels = ["grouped_product", "grouped_product_of_weights", "expert_segments", "selective_scan"];
    let program = calls(&kernels);
    let of_op = |at: usize| vec![(Arc::from("hlo_op"), Stat::Text(format!("call.{}", at + 1).into()))];
    let times = |at: u64| (1_000 * at, 1_000 * at + 500);
    let said = (0..4).map(|at| {
        let (start, end) = times(at as u64);
        Event { of_name: Arc::new(of_op(at)), ..event("kernel", start, end) }
    });
    let named = kernels.iter().zip(4..).map(|(kernel, at)| {
        let (start, end) = times(at);
        event(&format!("{kernel}_2"), start, end)
    });
    for (events, other) in [(said.collect(), Kind::Kernels), (named.collect(), Kind::Elementwise)] {
        let planes = vec![plane("/device:GPU:0", vec![line(1, "Stream #1(Compute)", events)])];
        let space = Space { planes, ..Space::default() };
        let profile = Profile::of(&program, &Recording { space: &space, steps: 1, seconds: 0.004 }).unwrap();
        let found: Vec<_> = profile.kinds.iter().map(|kind| (kind.kind, kind.ms, kind.count)).collect();
        assert_eq!(found, [(Kind::Experts, 1.5, 3.0), (other, 0.5, 1.0), (Kind::Idle, 1.5, 0.0)]);
        assert!(profile.to_string().contains("\n  expert kernels                      1.50   42.9 %          3\n"));
    }
}

#[test]
fn without_a_device_there_is_no_profile() {
    let space = Space { planes: vec![plane("/host:CPU", vec![])], ..Space::default() };
    let recording = |steps| Recording { space: &space, steps, seconds: 1.0 };
    assert!(Profile::of(&program(), &recording(1)).is_none());
    let idle = Space { planes: vec![plane("/device:GPU:0", vec![line(1, "Stream #1", vec![])])], ..Space::default() };
    assert!(Profile::of(&program(), &Recording { space: &idle, steps: 1, seconds: 1.0 }).is_none());
    assert!(Profile::of(&program(), &recording(0)).is_none());
}
