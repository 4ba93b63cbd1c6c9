//! A recording of an NVIDIA H200 (`scripts/fixtures/gpu_profile.py`), and the program that it is of.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use expect_test::expect;
use graph::Places;
use hlo::{Module, Space};
use profile::{Kind, Profile, Program, Recording, trace};
use serde_json::Value;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/gpu/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn recorded() -> (Program, Space) {
    let module = Module::read("hlo", &fixture("step.hlo.pb")).unwrap();
    (Program::new(&module, &Places::default()), Space::read(&fixture("steps.xplane.pb")).unwrap())
}

fn profile(program: &Program, space: &Space) -> Profile {
    Profile::of(program, &Recording { space, steps: 3, seconds: 0.003 }).unwrap()
}

/// The events of a trace.
fn events(trace: &str) -> Vec<Value> {
    let trace: Value = serde_json::from_str(trace).unwrap();
    trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X").cloned().collect()
}

#[test]
fn times_are_those_that_another_reader_finds() {
    let sums: Value = serde_json::from_slice(&fixture("sums.json")).unwrap();
    let (program, space) = recorded();
    let mut kernels: BTreeMap<String, (u64, f64)> = BTreeMap::new();
    for event in events(&trace(&program, &space)) {
        let (count, micros) = kernels.entry(event["args"]["kernel"].as_str().unwrap().to_owned()).or_default();
        (*count, *micros) = (*count + 1, *micros + event["dur"].as_f64().unwrap());
    }
    let known = sums["kernels"].as_object().unwrap();
    assert!(kernels.keys().eq(known.keys()), "{kernels:?}");
    for (name, (count, micros)) in &kernels {
        assert_eq!(known[name][0].as_u64(), Some(*count), "{name}");
        // Sums of some hundred numbers in f64.
        assert!((known[name][1].as_f64().unwrap() * 1e-6 - micros).abs() < 1e-6, "{name}: {micros}");
    }
    let profile = profile(&program, &space);
    let of_steps = |key: &str| sums[key].as_f64().unwrap() * 1e-9 / 3.0;
    let [busy, window] = ["busy_ps", "window_ps"].map(of_steps);
    let idle = profile.kinds.iter().find(|kind| kind.kind == Kind::Idle).unwrap().ms;
    assert!((profile.step_ms - window).abs() < 1e-9 && (idle - (window - busy)).abs() < 1e-9, "{profile:?}");
    let parts = [
        profile.kinds.iter().map(|kind| kind.ms).sum(),
        profile.parts.iter().map(|part| part.ms()).sum::<f64>() + idle,
    ];
    // Each moment is counted once, whichever way it is summed up.
    assert!(parts.iter().all(|sum: &f64| (sum - window).abs() < 1e-9), "{parts:?}");
}

/// All of these ran in graphs of kernels, of which events say no more than the graph's name.
#[test]
fn kernels_of_graphs_are_of_the_instructions_that_they_run_for() {
    let (program, space) = recorded();
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for event in events(&trace(&program, &space)) {
        let text = |key: &str| event["args"][key].as_str().unwrap_or("-").to_owned();
        *counts.entry((text("kernel"), text("instruction"))).or_default() += 1;
    }
    let rows: String =
        counts.iter().map(|((kernel, instruction), count)| format!("{count:>2} {kernel} = {instruction}\n")).collect();
    expect![[r#"
         12 gemm_fusion_dot_general_11 = gemm_fusion_dot_general.11
         12 gemm_fusion_dot_general_2 = gemm_fusion_dot_general.2
         12 gemm_fusion_dot_general_3 = gemm_fusion_dot_general.3
         12 gemm_fusion_dot_general_9 = gemm_fusion_dot_general.9
          3 input_convert_reduce_fusion = input_convert_reduce_fusion
          3 input_reduce_fusion = input_reduce_fusion
         12 loop_add_fusion = loop_add_fusion
         12 loop_add_fusion = loop_add_fusion.1
          3 loop_broadcast_fusion = loop_broadcast_fusion
          3 loop_broadcast_fusion_1 = loop_broadcast_fusion.1
          3 loop_broadcast_fusion_2 = loop_broadcast_fusion.2
         12 loop_dynamic_update_slice_fusion_1 = loop_dynamic_update_slice_fusion.1
         12 loop_dynamic_update_slice_fusion_2 = loop_dynamic_update_slice_fusion.2
         12 loop_dynamic_update_slice_fusion_4 = loop_dynamic_update_slice_fusion.4
         12 loop_dynamic_update_slice_fusion_5 = loop_dynamic_update_slice_fusion.5
         12 loop_multiply_fusion = loop_multiply_fusion
          3 loop_multiply_fusion_1 = loop_multiply_fusion.1
         12 loop_slice_fusion = loop_slice_fusion
          3 loop_subtract_fusion = loop_subtract_fusion
          3 memcpy128 = copy.42
         12 memcpy128 = loop_dynamic_slice_fusion.4
         12 memcpy128 = loop_dynamic_slice_fusion.5
         12 memcpy128 = loop_dynamic_slice_fusion.6
         12 memcpy128 = loop_dynamic_slice_fusion.7
         12 memcpy128 = loop_dynamic_update_slice_fusion.6
         12 memcpy128 = loop_dynamic_update_slice_fusion.7
          3 memcpy32_post = copy.41
          3 memcpy32_post = copy.6
         12 nvjet_sm90_tss_128x128_64x6_1x2_h_bz_NTT = custom-call.0
         12 nvjet_sm90_tss_128x128_64x6_1x2_h_bz_NTT = custom-call.1
    "#]]
    .assert_eq(&rows);
}

#[test]
fn a_recording_is_a_table() {
    let (program, space) = recorded();
    expect![[r#"
        A step takes 0.75 ms on the device, 1.00 ms by the host's clock (mean of 3)

        by what runs                            ms    share    kernels
          GEMM                                0.37   49.0 %         24
          elementwise, reductions             0.09   12.1 %         24
          copies and fills                    0.19   25.1 %         42
          idle                                0.10   13.8 %          0

        by part of the model, ms           forward     again  backward       all    share
          not known                           0.64      0.00      0.00      0.64   86.2 %

              ms   times  what takes longest      where: op (instruction)
           0.067       4  GEMM                    not known: - (gemm_fusion_dot_general.3)
           0.066       4  GEMM                    not known: - (gemm_fusion_dot_general.2)
           0.060       4  GEMM                    not known: - (gemm_fusion_dot_general.9)
           0.059       4  GEMM                    not known: - (gemm_fusion_dot_general.11)
           0.058       4  GEMM                    not known: - (custom-call.0)
           0.056       4  GEMM                    not known: - (custom-call.1)
           0.025       4  elementwise, reductions not known: - (loop_multiply_fusion)
           0.024       4  copies and fills        not known: - (loop_dynamic_slice_fusion.5)
           0.024       4  copies and fills        not known: - (loop_dynamic_slice_fusion.4)
           0.023       4  elementwise, reductions not known: - (loop_dynamic_update_slice_fusion.2)
           0.023       1  copies and fills        not known: - (loop_broadcast_fusion.1)
           0.017       4  elementwise, reductions not known: - (loop_dynamic_update_slice_fusion.5)
           0.017       4  copies and fills        not known: - (loop_slice_fusion)
           0.015       4  copies and fills        not known: - (loop_dynamic_update_slice_fusion.6)
           0.015       4  copies and fills        not known: - (loop_dynamic_update_slice_fusion.7)
    "#]]
    .assert_eq(&profile(&program, &space).to_string());
}

/// A recording says of another program's kernels whose they are.
#[test]
fn of_another_program_nothing_is_said() {
    let (program, mut space) = recorded();
    let module = Module::read("hlo", &[fixture("step.hlo.pb"), b"\x0a\x05other".to_vec()].concat()).unwrap();
    assert_eq!(module.name, "other");
    let other = Program::new(&module, &Places::default());
    assert!(events(&trace(&other, &space)).iter().all(|event| event["args"]["instruction"].is_null()));
    assert!(events(&trace(&program, &space)).iter().any(|event| !event["args"]["instruction"].is_null()));
    space.planes.clear();
    assert!(Profile::of(&program, &Recording { space: &space, steps: 3, seconds: 1.0 }).is_none());
}
