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
    for (rule, told) in [
        (
            "mesh.parameters={nosuch: {vocab: mp}}",
            "`mesh.parameters.nosuch`: no parameter's name holds \"nosuch\"; `finery mesh show` lists them, with `*` for the numbers of layers",
        ),
        ("mesh.parameters={embed_token: {vocb: mp}}", "did you mean `vocab`?"),
        ("mesh.parameters={embd_tokens: {vocab: mp}}", "did you mean `embed_tokens`?"),
        ("mesh.parameters={layers.0.self_attn: {queries: none}}", "did you mean `layers.*.self_attn`?"),
        (
            "mesh.parameters={embed_tokens: {queries: mp}}",
            "`mesh.parameters.embed_tokens.queries`: no parameter of that name has an axis `queries`; there are embed, vocab",
        ),
        (
            "mesh.parameters.position=mp",
            "`mesh.parameters.position`: no parameter has an axis `position`; there are embed, keys, mlp, queries, vocab",
        ),
    ] {
        // On one device, too.
        for mesh in ["mesh.mp=2", "mesh.mp=1"] {
            let message = refused(&[mesh, rule]);
            assert!(message.contains(told), "{rule}: {message}");
        }
    }
    let output = folder.run(&["mesh", "show", "run.yaml", "--devices", "0"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("'--devices <COUNT>': it should be a whole number from 1 on"), "{message}");
}

/// Weights are not asked for, as in `finery plan`.
#[test]
fn a_preset_stands_for_a_base_model() {
    let folder = Folder::new();
    let lora = |base: &str| CONFIG.replace("model_config:\n  {", &format!("base_model: {base}\nadapter: lora\n# {{"));
    folder.write("run.yaml", lora("llama-15m"));
    let output = folder.run(&["mesh", "show", "run.yaml", "mesh.fsdp=8"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    // Of 15,191,712 in f32.
    assert!(text.contains("each device  7.6 MB of frozen weights"), "{text}");
    for (base, told) in [
        (
            "llama-15",
            "there is no folder or preset llama-15 to take base_model's shape from; did you mean the preset llama-15m?",
        ),
        ("models/nowhere", "shape from; give a model's folder, or a preset of `finery models --presets`"),
    ] {
        folder.write("run.yaml", lora(base));
        let message = refusal(&folder.run(&["mesh", "show", "run.yaml"]));
        assert!(message.contains(told), "{message}");
    }
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
    assert!(
        text.contains("\nrows         4 in a micro-batch, the fewest that micro_batch_size: auto may find\n"),
        "{text}"
    );
    let text = shown(&["global_batch_size=8"]);
    assert!(text.contains("(accumulation 2, batch 4 over fsdp, position 32)"), "{text}");
    assert!(text.contains("may find, and 8 in a step\n"), "{text}");
    let text = shown(&["--devices", "4", "gradient_accumulation_steps=3"]);
    assert!(text.contains("(accumulation 3, batch 2 over fsdp, position 32)"), "{text}");
}

/// A picture that is wider than the terminal goes on below.
#[test]
fn wide_pictures_are_cut() {
    let folder = Folder::new();
    folder.write("run.yaml", CONFIG);
    let output = folder.run(&[
        "mesh",
        "show",
        "run.yaml",
        "mesh.fsdp=64",
        "micro_batch_size=64",
        "--param",
        "model.norm.weight",
    ]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let drawn: Vec<&str> = text.lines().filter(|line| line.starts_with(['┌', '│', '└'])).collect();
    assert!(drawn.iter().all(|line| line.chars().count() <= 80), "{text}");
    // Fifteen parts of five columns fit in 80; a parameter and two moments have 64 parts each.
    assert_eq!(drawn.len(), 3 * 3 * 5, "{text}");
    for device in 0..64 {
        assert!(
            text.contains(&format!("│ {device} ")) || text.contains(&format!("│ {device:>2} ")),
            "{device}: {text}"
        );
    }
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

    let onto_itself = folder.run(&["mesh", "show", "run.yaml", "mesh.fsdp=8", "--svg", "run.yaml"]);
    assert_eq!(onto_itself.status.code(), Some(1), "{onto_itself:?}");
    let message = String::from_utf8(onto_itself.stderr).unwrap();
    assert!(message.contains("writing run.yaml: it is the input, which would be lost"), "{message}");
    assert_eq!(std::fs::read_to_string(folder.path("run.yaml")).unwrap(), CONFIG, "the configuration stays");
}
