//! Weights in twelve bits beside those in bf16, for steps of few tokens, which take as long as reading them does.

use graph::{Axis, DType, Init, ParamArray, ParamSpec, TensorType};
use models::{Gpu, PackedWeight, TokenKernels};
use runtime::{Arrays, Bytes, Parameters, Session};

use crate::ModelPlan;
use crate::error::Result;
use crate::memory::bytes_of_weights;

/// The largest part of a row's absolute values that may be lost: what is off then is less than one rounding in f32 of a sum over the row.
const LOSS_MAX: f32 = 1.0 / (1 << 24) as f32;

/// Of what is free behind the weights, the part that packed ones may take: most of it is for keys and values.
const PART_OF_FREE: u64 = 4;

/// Packs the weights for which the plan's programs have products of packed ones, and puts them beside the others: all of them, or none where there is no room or one
/// would lose too much, which the plan says then.
pub(crate) fn pack(session: &Session, plan: &mut ModelPlan, params: &mut Arrays) -> Result<()> {
    if !plan.model.packed {
        return Ok(());
    }
    plan.model.packed = false;
    if plan.model.token_kernels != Some(TokenKernels::Gpu(Gpu::Hopper)) {
        return Ok(());
    }
    let declared = plan.params()?;
    let weights = plan.model.packed_weights()?;
    let specs: Vec<_> = weights.iter().flat_map(|(_, specs)| specs).cloned().collect();
    let needed = bytes_of_weights(&specs, None);
    if let Some(memory) = session.memory_of_each(1)?
        && needed > u128::from(memory.free / PART_OF_FREE)
    {
        let (needed, free) = (Bytes(needed), Bytes(memory.free.into()));
        tracing::info!("weights are not packed: that would take {needed}, and {free} are free for all else");
        return Ok(());
    }
    let unrolled = plan.layers.unrolled();
    let mut packed = Vec::new();
    let mut parameters = Parameters::on(session, None);
    for (name, [words, scales]) in &weights {
        let is_it = |spec: &&ParamSpec| spec.name == *name && spec.stack == words.stack;
        let Some(weight) = declared.iter().find(is_it) else { return Ok(()) };
        let arrays = weight.arrays(unrolled).into_iter().zip(words.arrays(unrolled)).zip(scales.arrays(unrolled));
        for ((weight, words), scales) in arrays {
            let Some(values) = params.get(&weight.name).filter(|_| weight.stacked == 0) else { return Ok(()) };
            let lost = parameters.computed(&loss_of(&weight), &weight, values, PackedWeight::loss)?;
            let lost = lost.download(session)?.to_f32()[0];
            if lost > LOSS_MAX {
                let name = &weight.name;
                tracing::info!("weights are not packed: `{name}` has rows of which {lost:.1e} would be lost");
                return Ok(());
            }
            packed.push((words.name.clone(), parameters.computed(&words, &weight, values, PackedWeight::words)?));
            packed.push((scales.name.clone(), parameters.computed(&scales, &weight, values, PackedWeight::scales)?));
        }
    }
    plan.model.packed = !packed.is_empty();
    packed.into_iter().for_each(|(name, array)| params.insert(&name, array));
    Ok(())
}

/// A number beside a weight.
fn loss_of(weight: &ParamArray) -> ParamArray {
    let (ty, checkpoint_names) = (TensorType::new(DType::F32, &[] as &[Axis]), Vec::new());
    ParamArray { name: format!("{}.loss", weight.name), ty, stacked: 0, checkpoint_names, init: Init::Zeros }
}

#[cfg(test)]
mod tests {
    use graph::HostTensor;
    use models::{LanguageModel, ModelPreset};
    use runtime::plugins::{Environment, Platform};

    use super::*;
    use crate::batch::decode_program;

    /// A small model's plan as a Hopper has it, and its parameters here.
    fn of_hopper(session: &Session) -> (ModelPlan, Arrays) {
        let mut config = ModelPreset::find("llama-15m").expect("a preset").config.clone();
        for (key, value) in
            [("hidden_size", 256), ("intermediate_size", 512), ("num_hidden_layers", 2), ("vocab_size", 320)]
        {
            config[key] = value.into();
        }
        for heads in ["num_attention_heads", "num_key_value_heads"] {
            config[heads] = 4.into();
        }
        let model = LanguageModel::from_json(&config).expect("it describes a model");
        let plan = ModelPlan::new(model, DType::BF16, runtime::aot::Target::H200.description().hardware());
        let mut parameters = Parameters::on(session, None);
        let mut params = Arrays::new();
        for array in
            plan.params().expect("it has parameters").iter().flat_map(|spec| spec.arrays(plan.layers.unrolled()))
        {
            params.insert(&array.name, parameters.init(&array, 1).expect("there is room"));
        }
        (plan, params)
    }

    fn cpu() -> Session {
        runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU")
    }

    #[test]
    fn a_step_finds_all_that_it_reads() {
        let session = cpu();
        let (mut plan, mut params) = of_hopper(&session);
        assert!(plan.model.packed);
        let missing = |plan: &ModelPlan, params: &Arrays| {
            let program = decode_program(plan, 1, 32, 64, 32).expect("it can be traced");
            let names =
                program.inputs.iter().filter(|input| input.name.contains("proj") || input.name.contains("head"));
            names.filter(|input| params.get(&input.name).is_none()).count()
        };
        assert!(missing(&plan, &params) > 0);
        pack(&session, &mut plan, &mut params).expect("it is packed");
        assert!(plan.model.packed);
        assert_eq!(missing(&plan, &params), 0);
    }

    #[test]
    fn nothing_is_packed_where_a_row_would_lose_too_much() {
        let session = cpu();
        let (mut plan, mut params) = of_hopper(&session);
        let name = "model.layers.1.mlp.up_proj.weight";
        let mut weight = params.get(name).expect("it is there").download(&session).expect("it can be read").to_f32();
        weight[5] = 1e6;
        let weight: Vec<u8> = weight.into_iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect();
        let weight = HostTensor::new(DType::BF16, &[512, 256], weight).expect("it is as long");
        params.insert(name, session.upload(&weight).expect("there is room"));
        pack(&session, &mut plan, &mut params).expect("that is no error");
        assert!(!plan.model.packed && params.get("model.layers.0.mlp.up_proj.weight.words").is_none());
    }
}
