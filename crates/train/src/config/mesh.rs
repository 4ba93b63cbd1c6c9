//! `mesh`: the devices of a run, and how tensors lie on them.

use graph::AxisRule;
use mesh::{AXES, MESH_AXES, MeshSize, MeshSizes, ReduceDtype, Rules, StateSharding};
use runtime::plugins::Platform;
use serde_json::{Map, Value};

use super::declare::{choices, settings};
use super::error::Problems;
use super::setting::{Bound, Scalar, Setting, refuse};
use super::source::{Kind, Node};
use super::spelling;

settings! {
    /// Over how many devices a step is spread, and how.
    pub struct MeshConfig {
        "Mesh" {
            /// Data parallel: devices that hold the same, and compute for other rows.
            dp: MeshSize = MeshSize::default(),
            /// Fully sharded data parallel: devices that compute for other rows, and hold parts of what `sharding` says.
            fsdp: MeshSize = MeshSize::default(),
            /// Model parallel: devices that hold and compute parts of every layer's heads and hidden units, and of the vocabulary.
            mp: MeshSize = MeshSize::default(),
            /// What is split over `fsdp`.
            sharding: StateSharding = StateSharding::default(),
            /// Whether what layers hand on to each other, and what the backward pass keeps of it, is split over `mp` by the positions of a
            /// row: for long rows, or large ones for the devices.
            sequence_parallel: bool = false,
            /// In which devices add up their gradients.
            reduce_dtype: ReduceDtype = ReduceDtype::default(),
            /// Where axes of parameters lie otherwise than `finery mesh show` shows: `{vocab: none}` for an axis of all,
            /// `{embed_tokens: {vocab: [mp, fsdp]}}` for one of those parameters whose names hold a text. In names, `*` stands for the
            /// numbers of layers.
            parameters: ParameterRules = ParameterRules::default(),
            /// The same for axes of what is computed.
            activations: AxisRules = AxisRules::default(),
        }
    }
}

impl Default for MeshConfig {
    /// One device.
    fn default() -> MeshConfig {
        let MeshSizes { dp, fsdp, mp } = MeshSizes::default();
        MeshConfig {
            dp,
            fsdp,
            mp,
            sharding: StateSharding::default(),
            sequence_parallel: false,
            reduce_dtype: ReduceDtype::default(),
            parameters: ParameterRules::default(),
            activations: AxisRules::default(),
        }
    }
}

impl MeshConfig {
    /// The sizes.
    pub fn sizes(&self) -> MeshSizes {
        MeshSizes { dp: self.dp, fsdp: self.fsdp, mp: self.mp }
    }

    /// How tensors lie on devices of a platform.
    pub fn rules(&self, platform: Platform) -> Rules {
        Rules {
            sharding: self.sharding,
            sequence_parallel: self.sequence_parallel,
            reduce_dtype: self.reduce_dtype,
            exchanges_in_order: runtime::keeps_exchanges_in_order(platform),
            parameters: self.parameters.0.clone(),
            activations: self.activations.0.clone(),
        }
    }
}

choices! {
    for StateSharding {
        /// Parameters, gradients and moments: each device holds its share, and gathers a layer's weights where it computes with them.
        Zero3 = "zero3",
        /// Moments; all hold all parameters and gradients.
        Zero1 = "zero1",
        /// Nothing, as over `dp`.
        None = "none",
    }
}

choices! {
    for ReduceDtype {
        /// Exact but for the order of the sum.
        F32 = "f32" | "float32",
        /// With `dtype: bf16`, half of the bytes that devices exchange of gradients; each device's share of one is rounded to 8 bits, and so may
        /// be what is added up on the way. What is computed in f32 stays f32: also what kernels of experts and state spaces, and a loss in chunks, add up for
        /// their weights. CPUs add up in f32 all the same.
        Bf16 = "bf16" | "bfloat16",
    }
}

impl Scalar for MeshSize {
    fn noun(_: Bound) -> String {
        MeshSize::WORDS.to_owned()
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        if quoted { None } else { text.parse().ok() }
    }

    fn value(&self) -> Value {
        match self {
            MeshSize::Auto => Value::from("auto"),
            MeshSize::Devices(count) => Value::from(*count),
        }
    }
}

/// Rules for axes of parameters: those of parameters with certain names first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterRules(Vec<AxisRule>);

/// Rules for axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AxisRules(Vec<AxisRule>);

impl Setting for AxisRules {
    fn accepts(_: Bound) -> String {
        format!("a map of axes, such as `vocab`, each to {}", over_words())
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            refuse(node, &Self::accepts(bound), [], at, problems);
            return None;
        };
        let read =
            entries.iter().map(|entry| axis_rule(&entry.key, &entry.value, &format!("{at}.{}", entry.key), problems));
        // Collected first, so that a bad rule does not hide the problems of those after it.
        read.collect::<Vec<_>>().into_iter().collect::<Option<_>>().map(AxisRules)
    }

    fn write(&self) -> Value {
        match self.0.is_empty() {
            true => Value::Null,
            false => Value::Object(self.0.iter().map(|rule| (rule.axis.to_owned(), over(rule))).collect()),
        }
    }
}

impl Setting for ParameterRules {
    fn accepts(bound: Bound) -> String {
        format!("{}; or of parts of parameters' names, each to such a map", AxisRules::accepts(bound))
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            refuse(node, &Self::accepts(bound), [], at, problems);
            return None;
        };
        let read = entries.iter().map(|entry| {
            let at = format!("{at}.{}", entry.key);
            match &entry.value.kind {
                Kind::Map(_) => {
                    let rules = AxisRules::read(&entry.value, bound, &at, problems)?.0.into_iter();
                    Some(rules.map(|rule| AxisRule { name: Some(entry.key.clone()), ..rule }).collect())
                }
                _ => axis_rule(&entry.key, &entry.value, &at, problems).map(|rule| vec![rule]),
            }
        });
        // Collected first, as above.
        let read: Vec<Option<Vec<AxisRule>>> = read.collect();
        let mut rules = read.into_iter().collect::<Option<Vec<_>>>()?.concat();
        rules.sort_by_key(|rule| rule.name.is_none());
        Some(ParameterRules(rules))
    }

    fn write(&self) -> Value {
        let mut written = Map::new();
        for rule in &self.0 {
            let map = match &rule.name {
                None => &mut written,
                Some(name) => match written.entry(name.clone()).or_insert_with(|| Value::Object(Map::new())) {
                    Value::Object(own) => own,
                    _ => unreachable!("names come before axes"),
                },
            };
            map.insert(rule.axis.to_owned(), over(rule));
        }
        if written.is_empty() { Value::Null } else { Value::Object(written) }
    }
}

fn over_words() -> String {
    format!("one or a list of {}, or `none`", MESH_AXES.join(", "))
}

/// A rule without a name.
fn axis_rule(axis: &str, node: &Node, at: &str, problems: &mut Problems) -> Option<AxisRule> {
    let Some(axis) = AXES.into_iter().find(|known| *known == axis) else {
        let near = spelling::nearest(axis, AXES).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        problems
            .add(node.place, format!("`{at}` names no axis of a model's tensors: there are {}{near}", AXES.join(", ")));
        return None;
    };
    let texts: Option<Vec<&str>> = match &node.kind {
        Kind::Scalar { text, .. } if text == "none" => Some(Vec::new()),
        Kind::Scalar { text, .. } => Some(vec![text]),
        Kind::List(items) => items
            .iter()
            .map(|item| if let Kind::Scalar { text, .. } = &item.kind { Some(text.as_str()) } else { None })
            .collect(),
        Kind::Map(_) => None,
    };
    if let Some([_, _, ..]) = texts.as_deref().filter(|texts| texts.contains(&"none")) {
        let rule = "`none`, which means no axis of the mesh, beside others";
        problems.add(node.place, format!("`{at}` has {rule}: write `none` alone, or leave it out"));
        return None;
    }
    let known = |text: &str| MESH_AXES.into_iter().find(|axis| *axis == text);
    let over: Option<Vec<&'static str>> = texts.and_then(|texts| texts.into_iter().map(known).collect());
    match over {
        Some(over) => match (1..over.len()).find(|at| over[..*at].contains(&over[*at])) {
            None => Some(AxisRule { name: None, axis, over }),
            Some(again) => {
                problems.add(node.place, format!("`{at}` has `{0}` twice: write `{0}` once", over[again]));
                None
            }
        },
        None => {
            refuse(node, &over_words(), MESH_AXES, at, problems);
            None
        }
    }
}

fn over(rule: &AxisRule) -> Value {
    match rule.over.as_slice() {
        [] => Value::from("none"),
        [one] => Value::from(*one),
        several => several.iter().map(|axis| Value::from(*axis)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::TrainConfig;

    fn config(mesh: &str) -> Result<TrainConfig, super::super::ConfigErrors> {
        let text = format!(
            "model_config: llama-15m\ntokenizer: t\ndatasets: [{{path: a}}]\nlearning_rate: 1.0e-3\nmesh: {mesh}"
        );
        TrainConfig::parse(&text, Path::new("config.yaml"), &[])
    }

    #[test]
    fn rules_of_names_come_before_those_of_axes() {
        let written =
            "{fsdp: 4, parameters: {vocab: none, lm_head: {vocab: [fsdp, mp], embed: mp}}, activations: {embed: mp}}";
        let config = config(written).expect("it is valid");
        let expected = Rules {
            sequence_parallel: false,
            reduce_dtype: ReduceDtype::F32,
            exchanges_in_order: true,
            sharding: StateSharding::Zero3,
            parameters: vec![
                AxisRule::of("lm_head", "vocab", &["fsdp", "mp"]),
                AxisRule::of("lm_head", "embed", &["mp"]),
                AxisRule::new("vocab", &[]),
            ],
            activations: vec![AxisRule::new("embed", &["mp"])],
        };
        assert_eq!(config.mesh.rules(Platform::Cuda), expected);
        assert_eq!(config.mesh.rules(Platform::Cpu), Rules { exchanges_in_order: false, ..expected });
        let again = TrainConfig::parse(&config.to_yaml(), Path::new("config.yaml"), &[]).expect("it is its own");
        assert_eq!(again, config);
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("{fsdp: 0}", "`mesh.fsdp` must be a whole number from 1 to 65536"),
            ("{tp: 2}", "`mesh.tp` is not a key; did you mean `mp`?"),
            ("{ddp: 2}", "`mesh.ddp` is not a key; did you mean `dp`?"),
            ("{parameters: {vocabulary: none}}", "`mesh.parameters.vocabulary` names no axis of a model's tensors"),
            ("{parameters: {lm_head: {vocb: none}}}", "did you mean `vocab`?"),
            ("{parameters: {vocab: tp}}", "`mesh.parameters.vocab` must be one or a list of dp, fsdp, mp, or `none`"),
            ("{activations: {mlp: [mp, mp]}}", "`mesh.activations.mlp` has `mp` twice: write `mp` once"),
            (
                "{parameters: {vocab: [mp, none]}}",
                "`mesh.parameters.vocab` has `none`, which means no axis of the mesh, beside others: write",
            ),
            (
                "{parameters: {vocab: [mp, tp]}}",
                "`mesh.parameters.vocab` must be one or a list of dp, fsdp, mp, or `none`",
            ),
            ("{sharding: zero2}", "`mesh.sharding` must be"),
        ];
        for (mesh, rule) in cases {
            let errors = config(mesh).expect_err("it is wrong").to_string();
            assert!(errors.contains(rule), "{mesh}: {errors}");
        }
    }
}
