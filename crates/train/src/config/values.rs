//! The types of single keys: closed sets of words, and values that can be written in more than one form.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use data::{ExcessLength, Fields, Form, Packing, Source, Split, ValSetSize};
use models::LossChunk;
use serde_json::{Map, Value};

use super::declare::{choices, settings};
use super::error::Problems;
use super::setting::Bound::Within;
use super::setting::{Bound, Scalar, Setting, refuse};
use super::source::{Kind, Node};
use crate::schedule::ScheduleKind;

choices! {
    /// What is trained in place of all weights.
    pub enum Adapter {
        /// Low-rank adaptation (Hu et al. 2021): a product of two small matrices beside each target, all else frozen.
        Lora = "lora",
    }
}

choices! {
    for Form {
        /// `{"text"}`: plain text, every token a target.
        Text = "completion" | "text",
        /// `{"messages": [{"role", "content"}, …]}`, laid out by the chat template.
        Messages = "chat_template" | "messages" | "chat",
        /// `{"prompt", "completion"}` (or `"response"`), both texts or both lists of messages.
        PromptCompletion = "prompt_completion",
        /// `{"instruction", "input", "output"}`, `input` optional.
        Alpaca = "alpaca",
        /// `{"conversations": [{"from", "value"}, …]}`, laid out by the chat template.
        Sharegpt = "sharegpt",
        /// `{"segments": [{"label", "text"}, …]}`: texts end to end without a template, of which the loss counts those
        /// labelled `true`.
        InputOutput = "input_output",
    }
}

choices! {
    for ExcessLength {
        /// Left out, and counted.
        Drop = "drop",
        /// Cut at the end, and counted.
        Truncate = "truncate",
        /// The run stops and names the sample.
        Raise = "raise",
    }
}

choices! {
    for Packing {
        /// Several whole samples to a row.
        FirstFit = "true",
        /// One sample to a row, the rest of it padding.
        Off = "false",
        /// Samples end to end, cut where a row ends, with no padding: for pre-training.
        Concatenate = "concatenate",
    }
}

choices! {
    for ScheduleKind {
        /// Stays at the peak.
        Constant = "constant" | "constant_with_warmup",
        /// Falls in a straight line, to 0 at the last step.
        Linear = "linear",
        /// Falls along half a cosine, to `cosine_min_lr_ratio` of the peak.
        Cosine = "cosine",
    }
}

choices! {
    /// The update rule.
    pub enum OptimizerKind {
        /// Adam with decoupled weight decay (Loshchilov and Hutter 2019), moments in f32.
        Adamw = "adamw" | "adamw_torch" | "adamw_torch_fused",
    }
}

choices! {
    /// The type in which the forward and backward passes compute. Master weights and optimizer state are f32 in
    /// either case.
    pub enum ComputeDtype {
        /// `bf16` on GPUs, `f32` on CPUs.
        Auto = "auto",
        /// IEEE single precision.
        F32 = "f32" | "float32" | "fp32",
        /// bfloat16 matrix products and activations; loss, norms and softmax sums stay f32.
        Bf16 = "bf16" | "bfloat16",
        /// As `auto`, but layers multiply with their weights in 8-bit floats, forward and backward: activations and weights in E4M3,
        /// gradients in E5M2, each tensor with a scale of its own from its largest element. A LoRA run holds
        /// the weights in them, too. Embeddings, output layer, norms, attention,
        /// routers, experts and adapters stay as they are. For GPUs that have them: NVIDIA's from compute capability 8.9 on, AMD's gfx942
        /// and gfx950. CPUs compute the same by way of wider types, slowly.
        Fp8 = "fp8",
    }
}

choices! {
    /// Which activations of a layer are computed again in the backward pass instead of kept (rematerialisation).
    pub enum GradientCheckpointing {
        /// As was measured to be faster: `none` where an adapter is trained with fused attention, else `dots`.
        Auto = "auto",
        /// All are kept: most memory. Where all weights are trained, 0.8 % faster than `dots` and 18 % more memory, as measured
        /// with 1.3 billion of them.
        None = "none" | "false",
        /// Products with weights and results of attention are kept, the cheap rest is computed again.
        Dots = "dots",
        /// Only a layer's input is kept: least memory, about a third more compute.
        Full = "full" | "true",
    }
}

choices! {
    /// Which kernels compute what platforms have kernels for: attention, state spaces and experts, all on GPUs. The numbers are the same, but for
    /// rounding.
    pub enum KernelChoice {
        /// As was measured to be faster: the vendor's where they serve, Finery's where those do not.
        Auto = "auto",
        /// Finery's wherever they serve.
        Finery = "finery",
        /// None, but the plain operations that the others are compared with: to tell whether a kernel is what is wrong.
        None = "none" | "false",
    }
}

choices! {
    /// Whether the program loops over layers whose parameters are stacked. The numbers are the same, but for rounding.
    pub enum ScanLayers {
        /// As was measured to be faster on the platform, at the model's depth.
        Auto = "auto",
        /// A loop: program and compile time do not grow with depth.
        True = "true",
        /// Layers one after the other, each with parameters of its own: nothing is copied into and out of stacks.
        False = "false",
    }
}

settings! {
    /// One source of samples.
    pub struct Dataset {
        "Data set" {
            /// A JSONL file, or one that holds a JSON array; plain, gzip or Zstandard, which is told from the content. Or a
            /// folder of such files.
            path: PathBuf,
            /// Which part: `train`, `validation` or `test`, told from the names of a folder's files (a file alone is `train`),
            /// with a range of its records if wanted, `train[:90%]`, `train[100:200]`, `train[-10%:]`; several are joined by
            /// `+`. Not set: all of a file, and `train` of a folder.
            split: Option<Split> = None,
            /// How often each sample comes in a pass: 2 is twice; 0.5 is half of the samples, the same ones in each pass.
            /// Not set: once.
            weight: Option<f64> = None; Within(0.001, 1000.0),
            /// The form of its records. Not set: told from the keys of the first, where those that are named here are looked for before
            /// others.
            r#type: Option<Form> = None,
            /// Key of a document's text. Not set: `text`.
            field: Option<String> = None,
            /// Key of a conversation's messages. Not set: `messages`, or `conversations` with `type: sharegpt`.
            field_messages: Option<String> = None,
            /// Key of the tools that a conversation may call. Not set: `tools`.
            field_tools: Option<String> = None,
            /// Keys of a message as templates know them, each with what the records call it:
            /// `{role: from, content: value}`.
            message_property_mappings: Option<Mapping<String>> = None,
            /// Key of a message's role, as `message_property_mappings: {role: …}`.
            message_field_role: Option<String> = None,
            /// Key of a message's text, as `message_property_mappings: {content: …}`.
            message_field_content: Option<String> = None,
            /// Key of a message that says, `true` or `false`, whether the loss counts it, whatever its role; `"weight": 0`
            /// says that it does not as well. Not set: `train`.
            message_field_training: Option<String> = None,
            /// Roles as templates know them, each with the names that the records have for it:
            /// `{user: [human], assistant: [gpt, bot]}`. They take the place of ShareGPT's usual names (`human`, `gpt`, …), and
            /// a record is bad that has a role which is neither among them nor one that templates know. Not set: the usual names.
            roles: Option<Mapping<Vec<String>>> = None,
            /// Key of an instruction with `type: alpaca`. Not set: `instruction`.
            field_instruction: Option<String> = None,
            /// Key of what an instruction is about. Not set: `input`.
            field_input: Option<String> = None,
            /// Key of the answer to an instruction. Not set: `output`.
            field_output: Option<String> = None,
            /// Key of a system message: it stands before a conversation that begins with none, and with `type: alpaca` in
            /// place of Alpaca's first sentences. A record is bad whose conversation begins with another one, where this
            /// is given, and one whose prompt is a text. Not set: `system`, and none with `type: alpaca`.
            field_system: Option<String> = None,
        }
    }
}

impl From<&Dataset> for Source {
    fn from(dataset: &Dataset) -> Self {
        let mapping = dataset.message_property_mappings.iter().flat_map(|mapping| &mapping.0);
        let single = [("role", &dataset.message_field_role), ("content", &dataset.message_field_content)];
        let single = single.into_iter().filter_map(|(name, key)| Some((name.to_owned(), key.clone()?)));
        let fields = Fields {
            text: dataset.field.clone(),
            messages: dataset.field_messages.clone(),
            tools: dataset.field_tools.clone(),
            message: mapping.map(|(name, key)| (name.clone(), key.clone())).chain(single).collect(),
            train: dataset.message_field_training.clone(),
            roles: dataset.roles.as_ref().map(|roles| roles.0.clone()).unwrap_or_default(),
            instruction: dataset.field_instruction.clone(),
            input: dataset.field_input.clone(),
            output: dataset.field_output.clone(),
            system: dataset.field_system.clone(),
        };
        let Dataset { path, split, r#type: form, weight, .. } = dataset.clone();
        Source { path, split, form, fields, weight: weight.unwrap_or(1.0) }
    }
}

impl Scalar for Split {
    fn noun(_: Bound) -> String {
        "the name of a split, with a range if wanted, such as `train` or `train[:90%]`".to_owned()
    }

    fn parse(text: &str, _: bool) -> Option<Self> {
        text.parse().ok()
    }

    fn value(&self) -> Value {
        Value::from(self.to_string())
    }
}

/// A map whose keys are the user's.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping<T>(pub BTreeMap<String, T>);

impl<T: Setting> Setting for Mapping<T> {
    fn accepts(_: Bound) -> String {
        format!("a map of names, each to {}", T::accepts(Bound::Any))
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            refuse(node, &Self::accepts(bound), [], at, problems);
            return None;
        };
        let read = entries.iter().map(|entry| {
            let value = T::read(&entry.value, Bound::Any, &format!("{at}.{}", entry.key), problems)?;
            Some((entry.key.clone(), value))
        });
        // Collected first, so that a bad value does not hide the problems of those after it.
        let read: Vec<_> = read.collect();
        read.into_iter().collect::<Option<_>>().map(Mapping)
    }

    fn write(&self) -> Value {
        Value::Object(self.0.iter().map(|(name, value)| (name.clone(), value.write())).collect())
    }
}

/// Rows of a micro-batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MicroBatch {
    /// The most that fit.
    Auto,
    /// So many.
    Rows(u64),
}

impl fmt::Display for MicroBatch {
    /// As it is written in a configuration.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MicroBatch::Auto => f.write_str("auto"),
            MicroBatch::Rows(rows) => write!(f, "{rows}"),
        }
    }
}

impl Scalar for MicroBatch {
    fn noun(bound: Bound) -> String {
        format!("{}, or `auto` for the most that fit", u64::noun(bound))
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        if text == "auto" { Some(MicroBatch::Auto) } else { u64::parse(text, quoted).map(MicroBatch::Rows) }
    }

    fn within(&self, bound: Bound) -> bool {
        match self {
            MicroBatch::Auto => true,
            MicroBatch::Rows(rows) => rows.within(bound),
        }
    }

    fn value(&self) -> Value {
        match self {
            MicroBatch::Auto => Value::from("auto"),
            MicroBatch::Rows(rows) => Value::from(*rows),
        }
    }
}

impl Scalar for LossChunk {
    fn noun(bound: Bound) -> String {
        format!("{}, or `auto`", u64::noun(bound))
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        match text {
            "auto" => Some(LossChunk::Auto),
            _ => {
                u64::parse(text, quoted).map(|tokens| LossChunk::Tokens(usize::try_from(tokens).unwrap_or(usize::MAX)))
            }
        }
    }

    fn within(&self, bound: Bound) -> bool {
        match self {
            LossChunk::Auto => true,
            LossChunk::Tokens(tokens) => (*tokens as u64).within(bound),
        }
    }

    fn value(&self) -> Value {
        match self {
            LossChunk::Auto => Value::from("auto"),
            LossChunk::Tokens(tokens) => Value::from(*tokens),
        }
    }
}

/// Steps of a run that are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileSteps {
    /// So many, once the run is warm.
    Count(u64),
    /// From the first to the second, both included.
    Range(u64, u64),
}

impl ProfileSteps {
    /// Steps that a run takes before it is warm: allocators have what they need, and clocks are no longer those of a cold device.
    const WARMUP: u64 = 9;

    /// The numbers of the steps, in a run that goes on after a step.
    pub(crate) fn after(self, step: u64) -> RangeInclusive<u64> {
        match self {
            ProfileSteps::Count(count) => {
                let first = step.saturating_add(ProfileSteps::WARMUP + 1);
                first..=first.saturating_add(count - 1)
            }
            ProfileSteps::Range(first, last) => first..=last,
        }
    }
}

impl Scalar for ProfileSteps {
    fn noun(bound: Bound) -> String {
        format!("{}, or a range of steps such as `100-102`", u64::noun(bound))
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        let Some((first, last)) = text.split_once('-') else { return u64::parse(text, quoted).map(Self::Count) };
        let [first, last] = [first, last].map(|step| u64::parse(step.trim(), false));
        let range = first.zip(last).filter(|(first, last)| *first > 0 && first <= last);
        range.map(|(first, last)| Self::Range(first, last))
    }

    fn within(&self, bound: Bound) -> bool {
        match self {
            ProfileSteps::Count(count) => count.within(bound),
            ProfileSteps::Range(first, last) => (last - first + 1).within(bound),
        }
    }

    fn value(&self) -> Value {
        match self {
            ProfileSteps::Count(count) => Value::from(*count),
            ProfileSteps::Range(first, last) => Value::from(format!("{first}-{last}")),
        }
    }
}

/// How long a run is, as LLM Foundry writes it: a count and a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// `100ba`: optimizer steps (batches).
    Steps(u64),
    /// `2ep`: passes over the training data.
    Epochs(u64),
    /// `1_000_000tok`: tokens, padding not counted.
    Tokens(u64),
    /// `5000sp`: samples.
    Samples(u64),
}

impl Scalar for Duration {
    fn noun(_: Bound) -> String {
        "a whole number above 0 with a unit, `ba` (steps), `ep` (epochs), `tok` (tokens) or `sp` (samples), such as `100ba` or \
         `1_000_000tok`"
            .to_owned()
    }

    fn parse(text: &str, _: bool) -> Option<Self> {
        let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
        let (count, unit) = text.split_at(unit_at);
        let count = u64::parse(count, false).filter(|count| *count > 0)?;
        match unit {
            "ba" => Some(Self::Steps(count)),
            "ep" => Some(Self::Epochs(count)),
            "tok" => Some(Self::Tokens(count)),
            "sp" => Some(Self::Samples(count)),
            _ => None,
        }
    }

    fn value(&self) -> Value {
        match self {
            Duration::Steps(count) => format!("{count}ba"),
            Duration::Epochs(count) => format!("{count}ep"),
            Duration::Tokens(count) => format!("{count}tok"),
            Duration::Samples(count) => format!("{count}sp"),
        }
        .into()
    }
}

/// How much of the training data is set aside for evaluation, as Axolotl's `val_set_size` writes it; nothing for 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut(pub Option<ValSetSize>);

impl Scalar for HeldOut {
    fn noun(_: Bound) -> String {
        "a fraction below 1 or a whole number of samples".to_owned()
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        match u64::parse(text, quoted) {
            Some(0) => Some(Self(None)),
            Some(samples) => Some(Self(Some(ValSetSize::Count(samples)))),
            // 1.0 is all as a part, and one sample as a number.
            None => ValSetSize::from_number(f64::parse(text, quoted).filter(|size| *size != 1.0)?).ok().map(Self),
        }
    }

    fn value(&self) -> Value {
        match self.0 {
            None => Value::from(0),
            Some(ValSetSize::Fraction(part)) => Value::from(part),
            Some(ValSetSize::Count(samples)) => Value::from(samples),
        }
    }
}

/// The matrices that get an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetModules {
    /// Every matrix of the layers that PEFT takes; not the embeddings and not the output head, as in PEFT.
    AllLinear,
    /// Those whose module path ends in one of these names, such as `q_proj`.
    Named(Vec<String>),
}

impl Setting for TargetModules {
    fn accepts(_: Bound) -> String {
        "`all-linear` or a list of module names such as `[q_proj, v_proj]`".to_owned()
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        match &node.kind {
            Kind::Scalar { text, .. } if text == "all-linear" => Some(Self::AllLinear),
            Kind::List(items) if !items.is_empty() => Vec::read(node, Bound::Any, at, problems).map(Self::Named),
            _ => {
                refuse(node, &Self::accepts(bound), ["all-linear"], at, problems);
                None
            }
        }
    }

    fn write(&self) -> Value {
        match self {
            TargetModules::AllLinear => Value::from("all-linear"),
            TargetModules::Named(names) => names.write(),
        }
    }
}

/// The shape of a model that is trained from scratch.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelConfig {
    /// A `config.json`, a folder that holds one, or the name of a preset.
    File(PathBuf),
    /// The content of a `config.json`.
    Inline(Map<String, Value>),
}

impl Setting for ModelConfig {
    fn accepts(_: Bound) -> String {
        "the path of a `config.json`, its content as a map with Hugging Face's names, or a preset of `finery models --presets`".to_owned()
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        match (&node.kind, node.to_json()) {
            (Kind::Map(_), Value::Object(map)) => Some(Self::Inline(map)),
            (Kind::Scalar { .. }, _) => PathBuf::read(node, bound, at, problems).map(Self::File),
            _ => {
                refuse(node, &Self::accepts(bound), [], at, problems);
                None
            }
        }
    }

    fn write(&self) -> Value {
        match self {
            ModelConfig::File(path) => path.write(),
            ModelConfig::Inline(map) => Value::Object(map.clone()),
        }
    }
}
