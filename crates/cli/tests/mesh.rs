//! `finery mesh` as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/command.rs"]
mod command;
#[path = "support/folder.rs"]
mod folder;

use command::refusal;
use expect_test::{Expect, expect};
use folder::Folder;

const CONFIG: &str = "\
model_config:
  {model_type: llama, vocab_size: 96, hidden_size: 64, intermediate_size: 96, num_hidden_layers: 2, num_attention_heads: 4}
tokenizer: tokenizer.json
datasets: [{path: text.jsonl}]
learning_rate: 1.0e-3
micro_batch_size: 8
sequence_len: 32
sample_packing: false
";

fn check(words: &[&str], expected: Expect) {
    let folder = Folder::new();
    folder.write("run.yaml", CONFIG);
    let output = folder.run(&[&["mesh", "show", "run.yaml"], words].concat());
    assert!(output.status.success(), "{output:?}");
    expected.assert_eq(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn each_tensor_with_its_parts() {
    check(
        &["mesh.fsdp=auto", "mesh.mp=2"],
        expect![[r#"
            mesh         dp 1 x fsdp 4 x mp 2: devices 0 to 7
            each device  41.3 kB of trained weights, 82.6 kB of moments, 0.8 kB of data; gradients and activations come on top
            moments      as their parameters

            tokens                                         i32 (accumulation 1, batch 8 over fsdp, position 32): 0.3 kB of 1.0 kB
            targets                                        i32 (accumulation 1, batch 8 over fsdp, position 32): 0.3 kB of 1.0 kB
            weights                                        f32 (accumulation 1, batch 8 over fsdp, position 32): 0.3 kB of 1.0 kB
            lengths                                        i32 (accumulation 1, batch 8 over fsdp): 0.0 kB of 0.0 kB
            model.embed_tokens.weight                      f32 (vocab 96 over mp and fsdp, embed 64): 3.1 kB of 24.6 kB
            model.layers.*.input_layernorm.weight          f32 (layers 2, embed 64 over fsdp): 0.1 kB of 0.5 kB
            model.layers.*.self_attn.q_proj.weight         f32 (layers 2, queries 64 over mp and fsdp, embed 64): 4.1 kB of 32.8 kB
            model.layers.*.self_attn.k_proj.weight         f32 (layers 2, keys 64 over mp and fsdp, embed 64): 4.1 kB of 32.8 kB
            model.layers.*.self_attn.v_proj.weight         f32 (layers 2, keys 64 over mp and fsdp, embed 64): 4.1 kB of 32.8 kB
            model.layers.*.self_attn.o_proj.weight         f32 (layers 2, embed 64 over fsdp, queries 64 over mp): 4.1 kB of 32.8 kB
            model.layers.*.post_attention_layernorm.weight f32 (layers 2, embed 64 over fsdp): 0.1 kB of 0.5 kB
            model.layers.*.mlp.gate_proj.weight            f32 (layers 2, mlp 96 over mp and fsdp, embed 64): 6.1 kB of 49.2 kB
            model.layers.*.mlp.up_proj.weight              f32 (layers 2, mlp 96 over mp and fsdp, embed 64): 6.1 kB of 49.2 kB
            model.layers.*.mlp.down_proj.weight            f32 (layers 2, embed 64 over fsdp, mlp 96 over mp): 6.1 kB of 49.2 kB
            model.norm.weight                              f32 (embed 64 over fsdp): 0.1 kB of 0.3 kB
            lm_head.weight                                 f32 (vocab 96 over mp and fsdp, embed 64): 3.1 kB of 24.6 kB
        "#]],
    );
    check(
        &["mesh.fsdp=2", "mesh.mp=2", "mesh.parameters={down_proj: {mlp: none}}", "--param", "down_proj.weight"],
        expect![[r#"
            mesh         dp 1 x fsdp 2 x mp 2: devices 0 to 3
            each device  94.8 kB of trained weights, 189.7 kB of moments, 1.6 kB of data; gradients and activations come on top
            moments      as their parameters

            model.layers.*.mlp.down_proj.weight            f32 (layers 2, embed 64 over fsdp, mlp 96): 24.6 kB of 49.2 kB
            ┌─────┐
            │ 0,1 │
            ├─────┤
            │ 2,3 │
            └─────┘
            model.layers.*.mlp.down_proj.weight.exp_avg    f32 (layers 2, embed 64 over fsdp, mlp 96): 24.6 kB of 49.2 kB
            ┌─────┐
            │ 0,1 │
            ├─────┤
            │ 2,3 │
            └─────┘
            model.layers.*.mlp.down_proj.weight.exp_avg_sq f32 (layers 2, embed 64 over fsdp, mlp 96): 24.6 kB of 49.2 kB
            ┌─────┐
            │ 0,1 │
            ├─────┤
            │ 2,3 │
            └─────┘
        "#]],
    );
}

#[test]
fn moments_that_lie_otherwise_are_told() {
    check(
        &["mesh.fsdp=4", "mesh.sharding=zero1", "--param", "norm.weight"],
        expect![[r#"
        mesh         dp 1 x fsdp 4 x mp 1: devices 0 to 3
        each device  329.0 kB of trained weights, 164.5 kB of moments, 0.8 kB of data; gradients and activations come on top

        model.layers.*.input_layernorm.weight                     f32 (layers 2, embed 64): 0.5 kB of 0.5 kB
        ┌─────┐
        │ 0-3 │
        └─────┘
        model.layers.*.post_attention_layernorm.weight            f32 (layers 2, embed 64): 0.5 kB of 0.5 kB
        ┌─────┐
        │ 0-3 │
        └─────┘
        model.norm.weight                                         f32 (embed 64): 0.3 kB of 0.3 kB
        ┌─────┐
        │ 0-3 │
        └─────┘
        model.layers.*.input_layernorm.weight.exp_avg             f32 (layers 2, embed 64 over fsdp): 0.1 kB of 0.5 kB
        ┌───┬───┬───┬───┐
        │ 0 │ 1 │ 2 │ 3 │
        └───┴───┴───┴───┘
        model.layers.*.input_layernorm.weight.exp_avg_sq          f32 (layers 2, embed 64 over fsdp): 0.1 kB of 0.5 kB
        ┌───┬───┬───┬───┐
        │ 0 │ 1 │ 2 │ 3 │
        └───┴───┴───┴───┘
        model.layers.*.post_attention_layernorm.weight.exp_avg    f32 (layers 2, embed 64 over fsdp): 0.1 kB of 0.5 kB
        ┌───┬───┬───┬───┐
        │ 0 │ 1 │ 2 │ 3 │
        └───┴───┴───┴───┘
        model.layers.*.post_attention_layernorm.weight.exp_avg_sq f32 (layers 2, embed 64 over fsdp): 0.1 kB of 0.5 kB
        ┌───┬───┬───┬───┐
        │ 0 │ 1 │ 2 │ 3 │
        └───┴───┴───┴───┘
        model.norm.weight.exp_avg                                 f32 (embed 64 over fsdp): 0.1 kB of 0.3 kB
        ┌───┬───┬───┬───┐
        │ 0 │ 1 │ 2 │ 3 │
        └───┴───┴───┴───┘
        model.norm.weight.exp_avg_sq                              f32 (embed 64 over fsdp): 0.1 kB of 0.3 kB
        ┌───┬───┬───┬───┐
        │ 0 │ 1 │ 2 │ 3 │
        └───┴───┴───┴───┘
    "#]],
    );
}

#[test]
fn what_does_not_divide_is_named() {
    let folder = Folder::new();
    folder.write("run.yaml", CONFIG);
    let refused = |words: &[&str]| refusal(&folder.run(&[&["mesh", "show", "run.yaml"], words].concat()));
    expect!["model.embed_tokens.weight: its axis `vocab` of 96 does not divide into 5 parts, over the mesh's mp: give the mesh sizes that divide it, or keep the axis whole by `mesh.parameters.vocab=none`"].assert_eq(&refused(&["mesh.mp=5"]));
    expect![
        "`micro_batch_size` is 8, and the mesh spreads rows over 3 devices (dp times fsdp): make it a multiple of that"
    ]
    .assert_eq(&refused(&["mesh.fsdp=3"]));
    expect![[r#"no tensor of the step has a name that holds "nothing": leave --param out to see all"#]]
        .assert_eq(&refused(&["--param", "nothing"]));
}

/// The mesh is that of the machine, and the rows are the fewest that it spreads.
#[test]
fn what_is_open_is_as_a_machine_of_eight_devices_would_have_it() {
    let folder = Folder::new();
    folder.write("run.yaml", CONFIG);
    let shown = |words: &[&str]| {
        let words =
            [&["mesh", "show", "run.yaml", "mesh.fsdp=auto", "mesh.mp=2", "micro_batch_size=auto"], words].concat();
        let output = folder.run(&words);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = shown(&[]);
    assert!(text.starts_with("mesh         dp 1 x fsdp 4 x mp 2: devices 0 to 7\n"), "{text}");
    assert!(text.contains("(accumulation 1, batch 4 over fsdp, position 32)"), "{text}");
    let text = shown(&["--devices", "4", "gradient_accumulation_steps=3"]);
    assert!(text.contains("(accumulation 3, batch 2 over fsdp, position 32)"), "{text}");
}

#[test]
fn a_picture_is_written() {
    let folder = Folder::new();
    folder.write("run.yaml", CONFIG);
    let output =
        folder.run(&["mesh", "show", "run.yaml", "mesh.fsdp=8", "--param", "up_proj.weight", "--svg", "mesh.svg"]);
    assert!(output.status.success(), "{output:?}");
    let svg = std::fs::read_to_string(folder.path("mesh.svg")).unwrap();
    // Eight parts each of a parameter and its two moments, and the paper behind them.
    assert_eq!(svg.matches("<rect").count(), 3 * 8 + 1, "{svg}");
}
