//! What can be found wrong with a run before it has a device: all of it at once, and before any work.
//!
//! The checks are those of the run itself. Each looks at some keys and at the files that these name, and is passed over where
//! what it would look at was refused already, so that one mistake is told once.

use std::collections::BTreeMap;
use std::path::Path;

use checkpoint::{Checkpoint, ModelSource};
use data::{ChatTemplate, Clock, Tokenizer};
use models::{LanguageModel, LoraError};
use runtime::plugins::Platform;
use runtime::{Hardware, Memory};

use crate::config::{ConfigErrors, Dataset, Draft, Duration, ModelConfig, TargetModules, TrainConfig};
use crate::metrics::now;
use crate::plan::{self, PlanError};
use crate::position::End;
use crate::resume::Resumed;
use crate::run_folder::{EarlierRun, RunFolder, refuse_own_config};
use crate::setup::Setup;
use crate::start::{folders_found, warn};
use crate::{BatchShape, Error, layout, memory_guard, micro_batch, run_data};

/// Reads a configuration as [`TrainConfig::load`] does, and checks what its keys name: the folder of the run, model, adapter,
/// tokenizer, template, first records of the data, and the checkpoint that it goes on from. Nothing is left behind. Of several processes
/// that are to make one run, one `takes_folder` to see whether it can be had.
///
/// # Errors
/// All mistakes, each with its line, its key and what to do.
pub fn preflight(
    path: &Path,
    overrides: &[String],
    earlier: EarlierRun,
    takes_folder: bool,
) -> Result<TrainConfig, ConfigErrors> {
    let mut draft = Draft::load(path, overrides)?;
    if let Some(config) = draft.config().cloned() {
        // The draft keeps what was written; the checks see the folder of the model that it stands for.
        let draft = &mut draft;
        if takes_folder {
            folder(draft, path, &config, earlier);
        }
        profiled(draft, &config);
        let base = base_model(draft, &config);
        let folder = base.as_ref().map(|base| base.model().path().to_path_buf());
        let written = config.clone();
        let config = TrainConfig { base_model: folder.or(config.base_model.clone()), ..config };
        let model = language_model(draft, &config, base.as_ref());
        let tokenizer = tokenizer(draft, &config, model.as_ref());
        let setup = model.and_then(|model| setup(draft, &config, &model, base));
        datasets(draft, "datasets", &config, &config.datasets, tokenizer.as_ref());
        datasets(draft, "test_datasets", &config, &config.test_datasets, tokenizer.as_ref());
        start(draft, &written, earlier, setup.as_ref());
        if let Some(setup) = setup.filter(|_| draft.is_all_sound()) {
            warn(&setup, &config);
        }
    }
    draft.finish()
}

/// As the run takes its folder, and gives it back without a trace.
fn folder(draft: &mut Draft, path: &Path, config: &TrainConfig, earlier: EarlierRun) {
    if draft.is_sound("output_dir") {
        let taken = refuse_own_config(path, config, earlier).and_then(|()| RunFolder::lock(config, earlier));
        draft.note("output_dir", taken);
    }
}

/// Refuses steps to be recorded that a run of so many steps does not come to, wherever it goes on.
fn profiled(draft: &mut Draft, config: &TrainConfig) {
    let (Some(steps), Duration::Steps(total)) = (config.profile_steps, config.duration()) else { return };
    let (first, last) = steps.after(0).into_inner();
    if last > total && draft.are_sound(&["profile_steps", "max_steps", "max_duration"]) {
        let nearest = total.saturating_sub(last - first).max(1);
        draft.refuse(
            "profile_steps",
            format!(
                "`profile_steps` records the steps {first} to {last}, and the run has {total}: name some of these, such as `{nearest}-{total}`, or \
                 make it longer"
            ),
        );
    }
}

fn base_model(draft: &mut Draft, config: &TrainConfig) -> Option<ModelSource> {
    let folder = config.base_model.as_deref().filter(|_| draft.is_sound("base_model"))?;
    let source = draft.note("base_model", ModelSource::open(folder, None))?;
    Some(plan::beside_adapter(config, source))
}

/// The shape of the model.
fn language_model(draft: &mut Draft, config: &TrainConfig, base: Option<&ModelSource>) -> Option<LanguageModel> {
    if !draft.are_sound(&["base_model", "model_config"]) || config.base_model.is_some() && base.is_none() {
        return None;
    }
    if let Some(ModelConfig::Inline(map)) = &config.model_config {
        let unknown = plan::unknown_keys(map);
        for error in &unknown {
            let PlanError::NoSuchKey { key, .. } = error else { continue };
            draft.refuse(&format!("model_config.{key}"), error);
        }
        if !unknown.is_empty() {
            return None;
        }
    }
    let model = match plan::language_model(config, base) {
        // Said of the document as a whole.
        Err(PlanError::NoModel) => None,
        result => draft.note(model_key(config), result),
    }?;
    if draft.is_sound("sequence_len") {
        draft.note("sequence_len", run_data::check_length(config, &model));
    }
    Some(model)
}

/// The key that says what the model is.
fn model_key(config: &TrainConfig) -> &'static str {
    if config.model_config.is_some() { "model_config" } else { "base_model" }
}

/// The plan of the run, checked against its files.
fn setup(draft: &mut Draft, config: &TrainConfig, model: &LanguageModel, base: Option<ModelSource>) -> Option<Setup> {
    if let TargetModules::Named(names) = &config.lora_target_modules {
        let refused = names.iter().filter_map(|name| plan::check_target(name, model).err());
        let refused: Vec<PlanError> = refused.collect();
        refused.iter().for_each(|error| draft.refuse("lora_target_modules", error));
        if !refused.is_empty() {
            return None;
        }
    }
    if draft.are_sound(&["adapter", "lora_modules_to_save"])
        && let Err(error) = plan::check_saved(config, model)
    {
        draft.refuse("lora_modules_to_save", error);
        return None;
    }
    if !draft.are_sound(&["adapter", "lora_target_modules", "lora_model_dir"]) {
        return None;
    }
    let start = config.lora_model_dir.as_deref().filter(|_| config.adapter.is_some());
    let source = match (base, start) {
        (Some(base), Some(start)) => Some(peft::parted(draft.note("lora_model_dir", base.with_adapter(start))?)),
        (base, _) => base,
    };
    if let Some(adapter) = source.as_ref().and_then(ModelSource::adapter) {
        // As the adapter needs it.
        let model = draft.note("base_model", plan::language_model(config, source.as_ref()))?;
        let differences = plan::differences_from(adapter.config(), config, &model).map_err(Error::Plan);
        for (key, own) in note_of_adapter(draft, config, differences)? {
            if draft.is_given(key) && draft.is_sound(key) {
                draft.refuse(
                    key,
                    format!("`{key}` contradicts `lora_model_dir`, whose adapter has {own}: leave it out"),
                );
            }
        }
    }
    // No mistake depends on the platform but a type that a device lacks, which is told when there is one.
    let setup = note_of_adapter(draft, config, Setup::of(config, Hardware::CPU, source))?;
    draft.note(key_of_size(draft, setup.plan.batch), memory_guard::check_batches(setup.plan.batch, Memory::of_host()));
    // A size that is `auto` is not known yet: one device divides everything.
    let devices = config.mesh.sizes().given();
    if draft.are_sound(&["mesh", "micro_batch_size"]) {
        draft.note("mesh", layout::partition(config, &setup.plan, Platform::Cpu, devices));
        if draft.are_sound(&["mesh", "global_batch_size"]) {
            draft.note("global_batch_size", micro_batch::fewest(config, devices));
        }
    }
    let params = draft.note(model_key(config), setup.stored_params())?;
    if let Some(source) = &setup.source {
        draft.note("base_model", source.check_model(&params));
        draft.note("lora_model_dir", source.check_adapter(&params));
    }
    Some(setup)
}

/// The key that makes a batch as large as it is: of those that are given, the one with the largest number.
fn key_of_size(draft: &Draft, batch: BatchShape) -> &'static str {
    let BatchShape { accumulation, rows, positions, .. } = batch;
    let factors =
        [("gradient_accumulation_steps", accumulation), ("sequence_len", positions), ("micro_batch_size", rows)];
    let given = factors.into_iter().filter(|(key, _)| draft.is_given(key));
    given.max_by_key(|(_, factor)| *factor).map_or("micro_batch_size", |(key, _)| key)
}

/// Reports an error on the adapter's key that it is about.
fn note_of_adapter<T>(draft: &mut Draft, config: &TrainConfig, result: Result<T, Error>) -> Option<T> {
    let key = match result.as_ref().err() {
        Some(Error::Plan(PlanError::NoLayer { .. })) => "peft_layers_to_transform",
        Some(Error::Plan(PlanError::NoModuleToSave { .. })) => "lora_modules_to_save",
        Some(Error::Plan(PlanError::NoTarget { .. })) => "lora_target_modules",
        // All else is the configuration's of the adapter that is trained on.
        _ if config.lora_model_dir.is_some() => "lora_model_dir",
        Some(Error::Plan(PlanError::Lora(LoraError::DoraOfExperts { .. }))) => "peft_use_dora",
        _ => "lora_target_modules",
    };
    draft.note(key, result)
}

/// The tokenizer with the template of the run.
fn tokenizer(draft: &mut Draft, config: &TrainConfig, model: Option<&LanguageModel>) -> Option<Tokenizer> {
    let key = if config.tokenizer.is_some() { "tokenizer" } else { "base_model" };
    let is_there = config.tokenizer.is_some() || config.base_model.as_deref().is_some_and(Path::is_dir);
    let clock = now() as i64;
    let mut tokenizer = match draft.are_sound(&["tokenizer", key]) && is_there {
        true => draft.note(key, run_data::own_tokenizer(config, clock)),
        false => None,
    };
    if let (Some(tokenizer), Some(model)) = (&tokenizer, model) {
        draft.note(key, tokenizer.check_vocab(model.sizes().vocab_size));
    }
    if let Some(path) = config.chat_template.as_deref().filter(|_| draft.is_sound("chat_template")) {
        if is_pipe(path) {
            return None;
        }
        let text = draft.note("chat_template", run_data::read_template(path))?;
        let compiled = match &mut tokenizer {
            Some(tokenizer) => tokenizer.set_only_chat_template(&text),
            None => ChatTemplate::new(&text, &BTreeMap::new(), Clock::At(clock)).map(drop),
        };
        draft.note("chat_template", compiled.map_err(run_data::in_template(path)))?;
    }
    tokenizer
}

/// Whether a file can be read once, which is for the run to do.
fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Tries the first records. Without a tokenizer, or where it is not sure how to read them, only whether there are files.
fn datasets(draft: &mut Draft, key: &str, config: &TrainConfig, datasets: &[Dataset], tokenizer: Option<&Tokenizer>) {
    let options_are_sound =
        draft.are_sound(&["sequence_len", "sample_packing", "excess_length_strategy", "train_on_inputs", "skip_bad"]);
    for (index, dataset) in datasets.iter().enumerate() {
        let at = format!("{key}.{index}");
        if !draft.are_sound(&[&format!("{at}.path"), &format!("{at}.split")]) {
            continue;
        }
        let tried = match tokenizer.filter(|_| options_are_sound && draft.is_sound(&at)) {
            Some(tokenizer) => {
                let options = run_data::dataset_options(config, std::slice::from_ref(dataset));
                data::Dataset::try_first_records(&options, tokenizer)
            }
            None => data::Source::from(dataset).try_open(),
        };
        draft.note(&at, tried.map_err(Error::from));
    }
}

/// What the run goes on from, as far as its names and sizes tell: its own newest checkpoint, else that of another run.
fn start(draft: &mut Draft, config: &TrainConfig, earlier: EarlierRun, setup: Option<&Setup>) -> Option<()> {
    let own = match earlier {
        EarlierRun::Resumed if draft.is_sound("output_dir") => {
            draft.note("output_dir", checkpoint::latest_unverified(&config.output_dir))?
        }
        _ => None,
    };
    let other = config.resume_from_checkpoint.as_deref().filter(|_| draft.is_sound("resume_from_checkpoint"));
    let (key, checkpoint) = match (own, other) {
        (Some(own), _) => ("output_dir", own),
        (None, Some(other)) => {
            let key = "resume_from_checkpoint";
            (key, draft.note(key, Checkpoint::open_unverified(other))?)
        }
        (None, None) => return None,
    };
    let resumed = draft.note(key, Resumed::read(checkpoint))?;
    // All keys are compared.
    let setup = setup.filter(|_| draft.is_all_sound())?;
    let found = draft.note(key, folders_found(config, Some(&resumed)))?;
    draft.note(key, resumed.check_settings(&found, setup))?;
    if let Duration::Steps(steps) = config.duration() {
        draft.note(key, resumed.check_end(End::Step(steps)))?;
    }
    Some(())
}
