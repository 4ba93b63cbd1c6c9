//! Adapters as PEFT writes them: of some layers, of several ranks, DoRA's, with modules and biases trained in full.

use checkpoint::{ModelSource, SafetensorsFile};
use data::Batch;
use graph::DType;
use models::LayerLoop;
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer, write_adapter};

use crate::recorded::batch;
use crate::support::{self, fixture, largest_difference, state};

/// Fixtures of crates/models: a model's folder, and its adapter's name.
const ADAPTERS: [(&str, &str); 4] = [
    ("llama/grouped", "some_layers"),
    ("llama/grouped", "pattern"),
    ("gpt2/scaled_by_layer", "dora"),
    ("gpt2/scaled_by_layer", "saved"),
];

/// A model with its adapter, what peft computed with it, and the tokens.
struct Case {
    name: &'static str,
    source: ModelSource,
    oracle: SafetensorsFile,
    batch: Batch,
}

impl Case {
    fn all() -> impl Iterator<Item = Case> {
        ADAPTERS.into_iter().map(|(model, name)| {
            let model = fixture("../../../models/tests/fixtures/zoo").join(model);
            let folder = model.join("adapters").join(name);
            let oracle = SafetensorsFile::open(folder.join("oracle.safetensors")).unwrap();
            let ids = |name: &str| oracle.tensor(name).unwrap().to_vec::<i32>().unwrap();
            let batch = batch(&ids("input_ids"), &ids("labels"), oracle.shape("input_ids").unwrap()[1]);
            Case { name, source: ModelSource::open(&model, Some(&folder)).unwrap(), oracle, batch }
        })
    }

    fn trainer(&self, layers: LayerLoop, dropout: f64, compute: DType) -> Trainer<'static> {
        let Batch { rows, sequence_len: positions, .. } = self.batch;
        let shape = BatchShape { accumulation: 1, rows, positions, packed: false };
        let lora = support::lora(&self.source, dropout);
        // Keys' biases have no gradient but rounding errors, which are not to be scaled up.
        let optimizer = Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-3, weight_decay: 0.1 });
        let plan =
            StepPlan { trained: Trained::Adapters, compute, layers, optimizer, ..support::plan(&self.source, shape) };
        let plan = StepPlan { model: plan.model.clone().beside(Some(&lora)), lora: Some(lora), ..plan };
        support::trainer(plan, &self.source)
    }
}

/// Names, shapes and values, whatever the device computes in.
#[test]
fn what_peft_wrote_is_written_back_as_it_was() {
    for case in Case::all() {
        let trainer = case.trainer(LayerLoop::Loop, 0.0, DType::BF16);
        let adapter = case.source.adapter().unwrap();
        let folder = tempfile::tempdir().unwrap();
        write_adapter(folder.path(), adapter.config(), Some(adapter), &trainer, 0).unwrap();
        let [theirs, ours] = [adapter.path().to_path_buf(), folder.path().join("adapter_model.safetensors")]
            .map(|path| SafetensorsFile::open(path).unwrap());
        assert!(theirs.names().eq(ours.names()), "{}", case.name);
        for name in theirs.names() {
            assert_eq!(theirs.tensor(name).unwrap(), ours.tensor(name).unwrap(), "{}: {name}", case.name);
        }
        let again = ModelSource::open(case.source.model().path(), Some(folder.path())).unwrap();
        assert_eq!(again.adapter().unwrap().config(), adapter.config());
        again.check(&trainer.program().params).unwrap();
    }
}

#[test]
fn steps_begin_with_the_loss_of_peft_and_are_the_same_in_loops() {
    for case in Case::all() {
        let steps = |layers| {
            let mut trainer = case.trainer(layers, 0.0, DType::F32);
            let before = state(&trainer);
            let losses = [1, 2].map(|number| trainer.step(&case.batch, number, 1e-3, 0).unwrap().loss as f32);
            let after = state(&trainer);
            assert!(after.iter().all(|(name, values)| *values != before[name]), "{}: all is trained", case.name);
            (losses, after)
        };
        let ((looped, looped_state), (unrolled, unrolled_state)) = (steps(LayerLoop::Loop), steps(LayerLoop::Unrolled));
        let expected = case.oracle.tensor("loss").unwrap().to_f32();
        // Order one, in f32.
        assert!(largest_difference(&looped[..1], &expected) < 1e-5, "{}: {looped:?} {expected:?}", case.name);
        assert!(largest_difference(&looped, &unrolled) < 1e-5 && looped[1] < looped[0], "{looped:?} {unrolled:?}");
        assert!(looped_state.keys().eq(unrolled_state.keys()), "{}", case.name);
        for (name, values) in &looped_state {
            let error = largest_difference(values, &unrolled_state[name]);
            assert!(error < 1e-5, "{}: {name} differs by {error}", case.name);
        }
    }
}

#[test]
fn they_go_on_bit_for_bit_with_dropout() {
    for case in Case::all() {
        let step =
            |trainer: &mut Trainer<'_>, number| trainer.step(&case.batch, number, 1e-3, 5).unwrap().loss.to_bits();
        let mut through = case.trainer(LayerLoop::Unrolled, 0.3, DType::F32);
        step(&mut through, 1);
        let mut after = case.trainer(LayerLoop::Unrolled, 0.3, DType::F32);
        let mut reader = through.reader();
        after.restore(|name, ranges| Ok(reader.read(name, DType::F32)?.into_part(ranges))).unwrap();
        assert_eq!(step(&mut after, 2), step(&mut through, 2), "{}", case.name);
        assert_eq!(state(&after), state(&through), "{}", case.name);
    }
}
