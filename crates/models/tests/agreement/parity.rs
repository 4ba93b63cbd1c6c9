//! Llama and LoRA against transformers and peft, in f32 on the CPU plugin. The fixtures' meaning: `scripts/fixtures/llama.py`, `lora.py`.

use std::collections::BTreeMap;

use crate::subject::{Batch, Oracle, Results, Subject, TOLERANCE, difference, fixture};
use graph::Remat;
use models::{LanguageModel, LayerLoop, products_kept};

/// Compares logits, loss and every gradient, however layers are lowered.
#[track_caller]
fn check(case: &str, mut subject: Subject, batch: &Batch, oracle: &Oracle, peft_prefix: &str) {
    for layers in [LayerLoop::Loop, LayerLoop::Unrolled] {
        subject.layers = layers;
        compare(&format!("{case}, {layers:?}"), &subject.run(batch), oracle, peft_prefix);
    }
}

/// The greatest difference of logits, losses and gradients, which is said and bounded.
#[track_caller]
pub(crate) fn compare(case: &str, results: &Results, oracle: &Oracle, peft_prefix: &str) -> f32 {
    // Of padding there are none to compare.
    let logits = if oracle.has("logits") { difference(&results.logits, &oracle.floats("logits")) } else { 0.0 };
    let loss = difference(&[results.loss], &oracle.floats("loss"));
    if oracle.has("auxiliary_loss") {
        let auxiliary_loss = difference(&[results.auxiliary_loss], &oracle.floats("auxiliary_loss"));
        assert!(auxiliary_loss < TOLERANCE, "{case}: auxiliary loss differs by {auxiliary_loss}");
    }
    let mut expected: BTreeMap<String, Vec<f32>> = oracle.gradients();
    let mut gradients = 0.0f32;
    let mut worst = String::new();
    for (name, found) in &results.gradients {
        let key = format!("{peft_prefix}{name}");
        let expected = expected.remove(&key).unwrap_or_else(|| panic!("{case}: {key} has no gradient in the oracle"));
        let off = difference(found, &expected);
        if off.total_cmp(&gradients).is_ge() {
            (gradients, worst) = (off, key);
        }
    }
    assert!(expected.is_empty(), "{case}: gradients that were not computed: {:?}", expected.keys());
    println!("{case:36} logits {logits:.1e}  loss {loss:.1e}  gradients {gradients:.1e} ({worst})");
    assert!(logits < TOLERANCE, "{case}: logits differ by {logits}");
    assert!(loss < TOLERANCE, "{case}: loss differs by {loss}");
    assert!(gradients < TOLERANCE, "{case}: the gradient of {worst} differs by {gradients}");
    logits.max(loss).max(gradients)
}

#[test]
fn llama() {
    let cases = [
        "llama2_mha",
        "llama3_gqa_rope",
        "linear_rope",
        "tied_embeddings",
        "biases",
        "head_dim",
        "sharded",
        "bf16",
        "f16",
    ];
    for case in cases {
        let oracle = Oracle::open(&format!("llama/{case}/oracle.safetensors"));
        check(case, Subject::open(&format!("llama/{case}"), None), &Batch::of(&oracle), &oracle, "");
    }
}

/// Model folders with two documents each, in one row and alone.
const PACKED: [&str; 2] = ["packed", "packed_long"];

#[test]
fn packed_documents() {
    for case in PACKED {
        let oracle = Oracle::open(&format!("llama/{case}/packed.safetensors"));
        check(case, Subject::open(&format!("llama/{case}"), None), &Batch::of(&oracle), &oracle, "");
    }
}

/// A document's loss in a packed row is its loss alone, by our own arithmetic and by the oracle's.
#[test]
fn a_packed_document_has_its_loss_alone() {
    for case in PACKED {
        let subject = Subject::open(&format!("llama/{case}"), None);
        let oracle = Oracle::open(&format!("llama/{case}/packed.safetensors"));
        for (document, expected) in oracle.floats("document_losses").iter().enumerate() {
            let mut row = Batch::of(&oracle);
            let of_document = row.segments.as_ref().unwrap().iter().zip(&row.weights);
            row.weights =
                of_document.map(|(segment, weight)| if *segment == document as i32 { *weight } else { 0.0 }).collect();
            let alone = Oracle::open(&format!("llama/{case}/document_{document}.safetensors"));
            let (in_row, alone) = (subject.run(&row).loss, subject.run(&Batch::of(&alone)).loss);
            // Another length sums in another order, nothing else.
            assert!((in_row - alone).abs() < 2e-6, "{case} {document}: {in_row} in a row, {alone} alone");
            let off = (in_row - expected).abs();
            assert!(off < TOLERANCE, "{case} {document}: {in_row}, but transformers has {expected}");
            // The documents' positions and segments are what makes it so.
            row.segments = None;
            let leaking = subject.run(&row).loss;
            assert!(
                document == 0 || (leaking - alone).abs() > 1e-2,
                "without segments the loss is {leaking}, as alone"
            );
        }
    }
}

/// What backward keeps changes no number, in one block of queries or in several.
#[test]
fn rematerialisation_policies() {
    let llama = [("llama/llama2_mha", "oracle"), ("llama/long", "oracle"), ("llama/packed_long", "packed")];
    for (case, oracle) in llama.into_iter().chain([("zoo/mixtral/window", "oracle")]) {
        let oracle = Oracle::open(&format!("{case}/{oracle}.safetensors"));
        for remat in [products_kept(), Remat::dots(&[]), Remat::full()] {
            let mut subject = Subject::open(case, None);
            subject.model.remat = remat;
            check(case, subject, &Batch::of(&oracle), &oracle, "");
        }
    }
}

#[test]
fn adapters() {
    for adapter in ["qv_r4", "all_linear_rslora"] {
        let folder = format!("lora/{adapter}");
        let oracle = Oracle::open(&format!("{folder}/oracle.safetensors"));
        let batch = Batch::of(&oracle);
        let adapted = Subject::open("lora/base", Some(&folder));
        check(adapter, Subject::open("lora/base", Some(&folder)), &batch, &oracle, "base_model.model.");

        let mut plain = Subject::open("lora/base", None);
        let base = difference(&plain.run(&batch).logits, &oracle.floats("base_logits"));
        merge(&mut plain, &adapted);
        let merged = difference(&plain.run(&batch).logits, &oracle.floats("merged_logits"));
        println!("{adapter:24} base logits {base:.1e}  merged logits {merged:.1e}");
        assert!(base < TOLERANCE && merged < TOLERANCE, "{adapter}: base {base}, merged {merged}");
    }
}

/// Adds `scale * B A` to the weights of each adapted module, in f64.
fn merge(plain: &mut Subject, adapted: &Subject) {
    let lora = adapted.lora.as_ref().unwrap();
    for (path, module) in &lora.modules {
        let factor = |name: &str| &adapted.values[&format!("{path}.{name}.weight")];
        let (a, b) = (factor("lora_A"), factor("lora_B"));
        let weight = plain.values.get_mut(&format!("{path}.weight")).unwrap();
        let (inputs, outputs) = (a.len() / module.rank, b.len() / module.rank);
        for (output, input) in (0..outputs).flat_map(|output| (0..inputs).map(move |input| (output, input))) {
            let products =
                (0..module.rank).map(|r| f64::from(a[r * inputs + input]) * f64::from(b[output * module.rank + r]));
            let at = output * inputs + input;
            weight[at] = (f64::from(weight[at]) + module.scale * products.sum::<f64>()) as f32;
        }
    }
}

/// transformers 5 and 4 write the same model in two ways.
#[test]
fn config_styles_agree() {
    let read = |name: &str| {
        let folder = fixture("llama/llama3_gqa_rope");
        LanguageModel::from_json(&checkpoint::read_json(folder.join(name)).unwrap()).unwrap()
    };
    let config = read("config.json");
    assert_eq!(config, read("config.hub.json"));
    assert_eq!(config, LanguageModel::from_json(&config.to_json()).unwrap());
}
