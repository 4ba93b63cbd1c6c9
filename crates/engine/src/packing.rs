//! Weights in twelve bits beside those in bf16, for steps of few tokens, which take as long as reading them does.

use graph::TensorType;
use models::{Gpu, PackedParam, PackedWeight, TokenKernels};
use runtime::{Array, Arrays, Bytes, Memory, Parameters, Session};

use crate::ModelPlan;
use crate::error::Result;
use crate::memory::bytes_of_weights;

/// The largest part that may be lost of a row ([`PackedWeight::loss`]). At worst a product is off by that part of the row's sum times the largest element of its vector; with vectors of normal
/// numbers, by its root mean square, some twentieth of what rounding the product to bf16 takes. A row of 4096 loses about half as much whose largest weight is a thousand times the others' deviation.
const LOSS_MAX: f32 = 1.0 / (1 << 16) as f32;

/// Of what is free behind the weights, the part that packed ones may take: most of it is for keys and values.
const PART_OF_FREE: u128 = 4;

/// Packs the weights for which the plan's programs have products of packed ones, and puts them beside the others: all of them, or none where there is no room or one
/// would lose too much, which the plan says then.
pub(crate) fn pack(session: &Session, plan: &mut ModelPlan, params: &mut Arrays) {
    if !plan.model.packed {
        return;
    }
    plan.model.packed = false;
    match packed(session, plan, params) {
        Ok(Ok(packed)) => {
            plan.model.packed = !packed.is_empty();
            packed.into_iter().for_each(|(name, array)| params.insert(&name, array));
        }
        Ok(Err(reason)) => tracing::info!("weights are not packed: {reason}"),
        // The model is there, and computes without.
        Err(error) => tracing::warn!("weights are not packed: {error}"),
    }
}

/// Packed weights by the names of their arrays, or why there are none.
fn packed(
    session: &Session,
    plan: &ModelPlan,
    params: &Arrays,
) -> Result<std::result::Result<Vec<(String, Array)>, String>> {
    if plan.model.token_kernels != Some(TokenKernels::Gpu(Gpu::Hopper)) {
        return Ok(Err("there are no kernels for that".to_owned()));
    }
    let weights = plan.model.packed_weights()?;
    let specs: Vec<_> = weights.iter().flat_map(|packed| [&packed.words, &packed.scales]).cloned().collect();
    let needed = bytes_of_weights(&specs, None);
    let reserved = plan.bytes_reserved();
    if let Some(reason) = session.memory_of_each(1)?.and_then(|memory| lack_of_room(memory, needed, reserved)) {
        return Ok(Err(reason));
    }
    let (declared, unrolled) = (plan.params()?, plan.layers.unrolled());
    let mut packed = Vec::new();
    let mut parameters = Parameters::on(session, None);
    for PackedParam { weights, words, scales } in &weights {
        let stack = &words.stack;
        for (place, (words, scales)) in words.arrays(unrolled).into_iter().zip(scales.arrays(unrolled)).enumerate() {
            let array_of = |name: &String| {
                let weight = declared.iter().find(|spec| spec.name == *name && spec.stack == *stack)?;
                let array = weight.arrays(unrolled).into_iter().nth(place).filter(|array| array.stacked == 0)?;
                Some((params.get(&array.name)?, array.ty))
            };
            let Some(given) = weights.iter().map(array_of).collect::<Option<Vec<_>>>() else {
                return Ok(Err(format!("`{}` has no arrays of its own", words.name)));
            };
            let [of_words, of_scales, lost] = pack_one(&mut parameters, &given)?;
            let lost = lost.download(session)?.to_f32()[0];
            // NaN is more.
            if !lost.le(&LOSS_MAX) {
                let name = &words.name;
                return Ok(Err(format!(
                    "`{name}` has a row of which {lost:.1e} would be lost, where {LOSS_MAX:.1e} may be"
                )));
            }
            packed.extend([(words.name, of_words), (scales.name, of_scales)]);
        }
    }
    tracing::info!("weights are packed, too, for steps of few texts: {} more", Bytes(needed));
    Ok(Ok(packed))
}

/// Why so many bytes for packed weights are too many; `reserved`: what keys and values are to have at least. Behind those programs and adapters take memory, too.
fn lack_of_room(memory: Memory, needed: u128, reserved: u128) -> Option<String> {
    let free = u128::from(memory.free);
    let said = Bytes(needed);
    if needed > free / PART_OF_FREE {
        return Some(format!("that takes {said}, more than a quarter of the {} that are free", Bytes(free)));
    }
    let others = free.saturating_sub(reserved);
    (needed > others / 2).then(|| {
        let [others, reserved] = [others, reserved].map(Bytes);
        format!("that takes {said}, more than half of the {others} that are free beside {reserved} for keys and values")
    })
}

/// The words, scales and loss of a weight, or of what gates and what it gates in turn.
fn pack_one(parameters: &mut Parameters<'_>, given: &[(&Array, TensorType)]) -> Result<[Array; 3]> {
    let mut derived = parameters
        .derived("pack", given, |weights| {
            let weight = match *weights {
                [gate, up] => PackedWeight::in_turn([gate, up]),
                _ => weights[0],
            };
            let (words, scales) = (PackedWeight::words(weight), PackedWeight::scales(weight));
            vec![("words", words), ("scales", scales), ("loss", PackedWeight::loss(weight))]
        })?
        .into_iter();
    Ok(std::array::from_fn(|_| derived.next().expect("it has three results")))
}

#[cfg(test)]
mod tests {
    use graph::{DType, HostTensor, ParamArray};
    use models::{LanguageModel, Lora, LoraModule, ModelPreset};
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
            let is_packed = |name: &str| name.ends_with(".words") || name.ends_with(".scales");
            let names = program.inputs_read().filter(|input| is_packed(&input.name));
            names.filter(|input| params.get(&input.name).is_none()).count()
        };
        assert!(missing(&plan, &params) > 0);
        pack(&session, &mut plan, &mut params);
        assert!(plan.model.packed);
        assert_eq!(missing(&plan, &params), 0);
        // And makes nothing that no step asks for, with an adapter or without.
        let made = plan.model.packed_weights().expect("it has some").into_iter();
        let made = made.flat_map(|packed| [packed.words, packed.scales]);
        let made: Vec<_> = made.flat_map(|spec| spec.arrays(plan.layers.unrolled())).collect();
        let linear = plan.model.linear_modules().expect("it has some");
        let lora = Lora::of_each(&linear, LoraModule { rank: 4, scale: 1.0 }, 0.0);
        for lora in [None, Some(lora)] {
            let has_adapter = lora.is_some();
            let adapted = ModelPlan { lora, ..plan.clone() };
            let program = decode_program(&adapted, 1, 32, 64, 32).expect("it can be traced");
            let asked = |name: &str| program.inputs_read().any(|input| input.name == name);
            let is_read = |array: &ParamArray| params.get(&array.name).is_some() && asked(&array.name);
            let unread = made.iter().find(|array| !is_read(array)).map(|array| &array.name);
            assert_eq!(unread, None, "with an adapter: {has_adapter}");
        }
    }

    /// For most of what is free is for keys and values, or for what is asked for.
    #[test]
    fn packed_weights_take_a_part_of_what_is_free() {
        let memory = Memory { total: 2000, free: 1000, peak: None };
        for (needed, reserved, fits) in
            [(250, 0, true), (251, 0, false), (250, 500, true), (250, 501, false), (1, 2000, false)]
        {
            assert_eq!(lack_of_room(memory, needed, reserved).is_none(), fits, "{needed} beside {reserved}");
        }
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
        pack(&session, &mut plan, &mut params);
        assert!(!plan.model.packed && params.get("model.layers.0.mlp.down_proj.weight.words").is_none());
    }
}
