//! Every family against transformers and peft, in f32 on the CPU plugin. The fixtures' meaning: `scripts/fixtures/zoo.py`.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use crate::generation::{self, Generator};
use crate::parity::compare;
use crate::subject::{Batch, Oracle, Subject, TOLERANCE, difference, fixture};
use models::{LanguageModel, LayerLoop, known_families};

/// The names of a family's cases.
#[track_caller]
pub(crate) fn cases(family: &str) -> Vec<String> {
    let folder = fixture("zoo").join(family);
    let mut cases: Vec<String> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}; scripts/fixtures/zoo.py makes it", folder.display()))
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "{family} has no fixtures");
    cases
}

/// Checks all cases of a family: alone, in packed rows, with an adapter, and what it generates.
#[track_caller]
fn check(family: &str) {
    let mut worst = 0.0f32;
    for (number, case) in cases(family).iter().enumerate() {
        let model = format!("zoo/{family}/{case}");
        let mut subject = Subject::open(&model, None);
        let oracle = Oracle::open(&format!("{model}/oracle.safetensors"));
        let batch = Batch::of(&oracle);
        // How layers are lowered makes no other model: once is enough.
        let loops: &[LayerLoop] =
            if number == 0 { &[LayerLoop::Loop, LayerLoop::Unrolled] } else { &[LayerLoop::Unrolled] };
        for layers in loops {
            subject.layers = *layers;
            worst = worst.max(compare(&format!("{family}/{case} {layers}"), &subject.run(&batch), &oracle, ""));
        }
        let mut packed = subject.run(&batch.packed());
        packed.logits.truncate(oracle.floats("logits").len());
        worst = worst.max(compare(&format!("{family}/{case} packed"), &packed, &oracle, ""));
        for adapter in adapters(&model) {
            let oracle = Oracle::open(&format!("{model}/{adapter}/oracle.safetensors"));
            let results = Subject::open(&model, Some(&format!("{model}/{adapter}"))).run(&batch);
            worst = worst.max(compare(&format!("{family}/{case} {adapter}"), &results, &oracle, "base_model.model."));
        }
        if let Some(generated) = oracle.ids("generated") {
            let prompt = oracle.ids("prompt").expect("what was generated follows a prompt");
            generation::check(&format!("{family}/{case}"), &mut subject, &prompt, &generated);
        }
        let again = LanguageModel::from_json(&subject.model.to_json()).expect("a config.json that was written is read");
        assert!(again == subject.model, "{family}/{case}: config.json does not read back as it was");
    }
    check_parity(family, worst);
}

/// Compares a family's greatest difference with the one on record; `UPDATE_EXPECT=1` records it, rounded up to 1, 2 or 5.
#[track_caller]
fn check_parity(family: &str, worst: f32) {
    static FILE: Mutex<()> = Mutex::new(());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let power = 10.0f32.powf(worst.log10().floor());
        let digit = [1, 2, 5, 10].into_iter().find(|digit| *digit as f32 * power >= worst).unwrap();
        let _one_at_a_time = FILE.lock().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/parity.txt");
        let text = fs::read_to_string(&path).unwrap();
        let (head, rows) = text.split_at(text.find("\n\n").unwrap() + 2);
        let others = rows.lines().filter(|row| row.split(' ').next() != Some(family)).map(str::to_owned);
        let mut rows: Vec<String> = others.chain([format!("{family} {:e}", digit as f32 * power)]).collect();
        rows.sort();
        fs::write(&path, format!("{head}{}\n", rows.join("\n"))).unwrap();
        return;
    }
    let recorded = known_families().find(|known| known.model_type == family).and_then(|known| known.parity);
    let recorded = recorded.unwrap_or_else(|| {
        panic!("{family} agrees within {worst:e}; UPDATE_EXPECT=1 writes that into crates/models/src/parity.txt")
    });
    // Other processors sum in another order; more than that is another computation.
    assert!(worst <= 2.0 * recorded, "{family}: {worst:e}, but parity.txt says {recorded:e}");
}

/// The folders of a case's adapters.
fn adapters(model: &str) -> Vec<String> {
    let several = fs::read_dir(fixture(model).join("adapters")).into_iter().flatten();
    let mut folders: Vec<String> =
        several.map(|entry| format!("adapters/{}", entry.unwrap().file_name().into_string().unwrap())).collect();
    folders.sort();
    folders.extend(fixture(model).join("adapter").is_dir().then(|| "adapter".to_owned()));
    folders
}

/// Layers whose adapters differ, in loops: forward and backward, and what each step of generation leaves for the next.
#[test]
fn adapters_that_differ_from_layer_to_layer_run_in_loops() {
    for (model, adapter) in [("zoo/llama/grouped", "some_layers"), ("zoo/gpt2/scaled_by_layer", "dora")] {
        let folder = format!("{model}/adapters/{adapter}");
        let oracle = Oracle::open(&format!("{folder}/oracle.safetensors"));
        let mut subject = Subject::open(model, Some(&folder));
        subject.layers = LayerLoop::Loop;
        let batch = Batch::of(&oracle);
        compare(&format!("{folder}, in a loop"), &subject.run(&batch), &oracle, "base_model.model.");
        let prompt = batch.first(6);
        let generated = Generator::new(&subject).continue_greedily(&prompt.ids, 12).remove(1);
        let mut whole = batch.first(18);
        whole.ids.splice(6.., generated.iter().copied());
        let logits = subject.run(&whole).logits;
        let likeliest = |row: &[f32]| (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b])).map(|id| id as i32);
        let at_once: Vec<i32> = logits.chunks(96).skip(5).take(12).filter_map(likeliest).collect();
        assert_eq!(generated, at_once, "{folder}");
    }
}

/// As padded vocabularies and pruned models have them. PEFT divides 0 by 0 there.
#[test]
fn rows_of_zeros_stay_zeros_with_dora() {
    let (model, adapter) = ("zoo/llama/grouped", "zoo/llama/grouped/adapters/pattern");
    let mut subject = Subject::open(model, Some(adapter));
    let module = subject.lora.as_ref().unwrap().modules.keys().next().unwrap().clone();
    let outputs = subject.values[&format!("{module}.lora_magnitude_vector")].len();
    for name in ["weight", "lora_B.weight", "lora_magnitude_vector"] {
        let values = subject.values.get_mut(&format!("{module}.{name}")).unwrap();
        let width = values.len() / outputs;
        values[..width].fill(0.0);
    }
    let results = subject.run(&Batch::of(&Oracle::open(&format!("{adapter}/oracle.safetensors"))));
    assert!(results.loss.is_finite());
    assert!(results.gradients.values().flatten().all(|value| value.is_finite()));
    let of_row = &results.gradients[&format!("{module}.lora_magnitude_vector")];
    assert_eq!(of_row[0], 0.0);
    assert!(of_row[1..].iter().all(|value| *value != 0.0), "{of_row:?}");
}

/// Models whose rotations depend on the length: that of a token's own document, not of its row.
#[test]
fn a_packed_document_is_as_long_as_it_is_alone() {
    for case in ["dynamic", "longrope"] {
        let subject = Subject::open(&format!("zoo/llama/{case}"), None);
        assert!(subject.model.depends_on_length());
        let rows = Batch::of(&Oracle::open(&format!("zoo/llama/{case}/oracle.safetensors")));
        let (short, long) = (rows.first(9), rows.first(22));
        let row = short.followed_by(&long);
        let apart = [subject.run(&short).logits, subject.run(&long).logits].concat();
        let off = difference(&subject.run(&row).logits, &apart);
        assert!(off < TOLERANCE, "{case}: logits differ by {off}");
        // Both sides of the length where the rotation changes are there.
        let off = difference(&subject.run(&rows.first(22)).logits[..9 * 96], &apart[..9 * 96]);
        assert!(off > 1e-2, "{case}: the length makes no difference: {off}");
    }
}

/// A router's loss counts no padding, which nothing but the rows' lengths tells from tokens where they are not packed.
#[test]
fn routers_are_not_judged_by_padding() {
    let subject = Subject::open("zoo/mixtral/window", None);
    let oracle = Oracle::open("zoo/mixtral/window/padded.safetensors");
    let mut batch = Batch::of(&oracle);
    compare("padded rows", &subject.run(&batch), &oracle, "");
    batch.lengths = None;
    let off = difference(&[subject.run(&batch).auxiliary_loss], &oracle.floats("auxiliary_loss"));
    assert!(off > 10.0 * TOLERANCE, "padding makes no difference: {off}");
}

macro_rules! families {
    ($($family:ident)*) => {
        $(#[test]
        fn $family() {
            check(stringify!($family));
        })*

        #[test]
        fn all_families_are_checked() {
            let mut checked = vec![$(stringify!($family)),*];
            checked.sort();
            let mut known = LanguageModel::model_types();
            known.sort();
            assert_eq!(checked, known);
        }
    };
}

families! {
    falcon
    gemma2
    gemma3_text
    gpt2
    gpt_neox
    llama
    mamba
    mamba2
    mistral
    mixtral
    mpt
    olmo2
    phi3
    qwen2
    qwen3
    qwen3_moe
    starcoder2
}
