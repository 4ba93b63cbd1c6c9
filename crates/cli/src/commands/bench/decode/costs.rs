//! What a step of generation reads, and what prompts compute.

use std::collections::HashMap;

use engine::{Model, ModelPlan};
use graph::{ParamSpec, Program, ProgramInput};
use models::Precision;

use super::{Args, adapted_modules};

/// Bytes of weights and adapters that a step reads on each device.
pub(super) fn bytes_of_step(model: &Model<'_>, args: &Args) -> anyhow::Result<f64> {
    let plan = model.plan();
    let weights = weight_bytes(plan, &args.decode_program(plan)?, args.batch)?;
    Ok((weights + adapter_bytes(plan, args)?) / plan.model_parts() as f64)
}

/// Bytes of the weights that a step of all texts reads: of an embedding that is not the output layer too, none to speak of; of experts, as many as
/// tokens are sent to if all are as likely.
fn weight_bytes(plan: &ModelPlan, program: &Program, batch: usize) -> anyhow::Result<f64> {
    let anatomy = plan.model.anatomy(Precision::uniform(plan.dtype), None)?;
    // A module's weight is multiplied with; a vocabulary's that is none looked up.
    let part = |spec: &ParamSpec| match anatomy.linear.iter().find(|module| module.weight == spec.name) {
        Some(module) => 1.0 - (1.0 - module.share).powi(i32::try_from(batch).unwrap_or(i32::MAX)),
        None if spec.axes.iter().any(|axis| axis.name == "vocab") => 0.0,
        None => 1.0,
    };
    let packed = plan.model.packed_weights()?.into_iter().flat_map(|packed| [packed.words, packed.scales]);
    let packed: Vec<_> = packed.filter(|_| plan.model.packed).collect();
    let of_each = |specs: &[ParamSpec], part: &dyn Fn(&ParamSpec) -> f64| -> HashMap<String, f64> {
        let arrays = specs.iter().map(|spec| (part(spec), spec.arrays(plan.layers.unrolled())));
        arrays.flat_map(|(part, arrays)| arrays.into_iter().map(move |array| (array.name, part))).collect()
    };
    let mut parts = of_each(&plan.params()?, &part);
    parts.extend(of_each(&packed, &|_| 1.0));
    let read: Vec<_> = program.inputs_read().collect();
    // An embedding that is the output layer, packed, is looked up.
    let is_looked_up = |name: &str| read.iter().any(|input| input.name.strip_suffix(".words") == Some(name));
    let bytes = |input: &&ProgramInput| {
        let part = parts.get(&input.name).copied().filter(|_| !is_looked_up(&input.name)).unwrap_or(0.0);
        part * (input.ty.element_count() * input.ty.dtype.size()) as f64
    };
    Ok(read.iter().map(bytes).sum())
}

/// Bytes of the adapters' factors that a step reads: of each adapter that a text has.
fn adapter_bytes(plan: &ModelPlan, args: &Args) -> anyhow::Result<f64> {
    let numbers = adapted_modules(plan, &args.adapter_targets)?
        .iter()
        .map(|module| module.count() * args.adapter_rank * (module.input.size + module.output.size))
        .sum::<usize>();
    Ok((args.adapters.min(args.batch) * numbers * plan.dtype.size()) as f64)
}

/// FLOPs of `texts` prompts of `tokens` tokens: two for each weight and token, of the output layer each prompt's last; attention to what a token sees.
pub(super) fn prompt_flops(plan: &ModelPlan, texts: usize, tokens: usize) -> anyhow::Result<f64> {
    let anatomy = plan.model.anatomy(Precision::uniform(plan.dtype), None)?;
    let linear = anatomy.linear.iter().map(|module| {
        let weights = (module.count() * module.input.size * module.output.size) as f64 * module.share;
        2.0 * weights * if module.is_head { 1.0 } else { tokens as f64 }
    });
    let attention = anatomy.attention.iter().map(|module| {
        let window = module.window.unwrap_or(tokens).min(tokens);
        let seen = (window * (window + 1) / 2 + (tokens - window) * window) as f64;
        4.0 * (module.layers() * module.heads * module.head_dim) as f64 * seen
    });
    let states =
        anatomy.state_space.iter().map(|one| 6.0 * (one.layers() * one.channels * one.state_size * tokens) as f64);
    Ok(texts as f64 * linear.chain(attention).chain(states).sum::<f64>())
}

#[cfg(test)]
mod tests {
    use engine::decode_program;
    use graph::DType;
    use models::{LanguageModel, ModelPreset};
    use runtime::Hardware;

    use super::super::PAGE_TOKENS;
    use super::*;

    #[test]
    fn a_token_reads_the_experts_that_it_is_sent_to() {
        let preset = ModelPreset::find("mixtral-3b").expect("a mixture of eight experts, two for each token");
        let model = LanguageModel::from_json(&preset.config).expect("a preset describes a model");
        let plan = ModelPlan::new(model, DType::BF16, Hardware::CPU);
        let (hidden, keys, mlp) = (2048, 512, 7168);
        let layer = 2 * hidden * (hidden + keys) + 8 * hidden + 2 * 3 * hidden * mlp + 2 * hidden;
        let all = 8 * layer + hidden + 32_000 * hidden;
        assert_eq!(read_by_one(&plan), 2.0 * f64::from(all));
    }

    fn read_by_one(plan: &ModelPlan) -> f64 {
        let program = decode_program(plan, 1, PAGE_TOKENS, 64, 32).expect("it can be traced");
        weight_bytes(plan, &program, 1).expect("it can be traced")
    }

    #[test]
    fn packed_weights_are_read_in_place_of_others() {
        let preset = ModelPreset::find("llama-7b").expect("a preset");
        let model = LanguageModel::from_json(&preset.config).expect("a preset describes a model");
        let packed = ModelPlan::new(model, DType::BF16, runtime::aot::Target::H200.description().hardware());
        assert!(packed.model.packed);
        let plain = read_by_one(&packed.clone().unpacked());
        let (hidden, mlp, vocab) = (4096.0, 11_008.0, 32_000.0);
        let matrices = 2.0 * (32.0 * (4.0 * hidden * hidden + 3.0 * hidden * mlp) + vocab * hidden);
        let norms = 2.0 * 65.0 * hidden;
        assert_eq!(plain, matrices + norms);
        // With a scale in f32 for each row.
        let scales = 4.0 * (32.0 * (5.0 * hidden + 2.0 * mlp) + vocab);
        assert_eq!(read_by_one(&packed), 0.75 * matrices + scales + norms);
        // Where the output layer is the embedding, that is read packed, and looked up as it is.
        let preset = ModelPreset::find("llama-1b").expect("a preset");
        let model = LanguageModel::from_json(&preset.config).expect("a preset describes a model");
        let packed = ModelPlan::new(model, DType::BF16, runtime::aot::Target::H200.description().hardware());
        let (packed, plain) = (read_by_one(&packed), read_by_one(&packed.unpacked()));
        assert!(packed > 0.75 * plain && packed < 0.76 * plain, "{packed} of {plain}");
    }
}
