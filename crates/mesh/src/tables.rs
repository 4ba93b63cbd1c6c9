//! The tables from axes of tensors to axes of the mesh.

use graph::{AxisRule, AxisTable, Outermost, Partition};

use crate::shape::MeshShape;

/// The names of a mesh's axes, the outermost first: neighbours along the last exchange most.
pub const MESH_AXES: [&str; 3] = ["dp", "fsdp", "mp"];

/// Axes of models' tensors that a rule can be about.
pub const AXES: [&str; 25] = [
    "batch",
    "branches",
    "channel",
    "convolved",
    "embed",
    "expert_mlp",
    "experts",
    "gate_up",
    "head_dim",
    "heads",
    "inner",
    "keys",
    "kernel",
    "kv_heads",
    "mlp",
    "position",
    "positions",
    "projected",
    "queries",
    "queries_keys_values",
    "rank",
    "selected",
    "state",
    "time_step_rank",
    "vocab",
];

/// The widths within a layer of which model parallelism gives each device a part, with the vocabulary. Not among them are `experts`, whose
/// hidden units are split in their place: a token goes to any of them, so whoever held one whole would be sent it, or send its weights.
/// Nor are the widths of Mamba-2's projections, which are sums that seldom divide.
const WIDTHS: [&str; 9] =
    ["mlp", "expert_mlp", "gate_up", "vocab", "queries", "keys", "queries_keys_values", "inner", "branches"];

/// Heads, which divide as the widths do that they make up.
const HEADS: [&str; 2] = ["kv_heads", "heads"];

/// The two factors of an adapter.
const FACTORS: [&str; 2] = ["lora_A", "lora_B"];

/// What is split over `fsdp`, after DeepSpeed's stages (Rajbhandari et al. 2020, "ZeRO").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateSharding {
    /// Parameters, gradients and what the optimizer remembers.
    #[default]
    Zero3,
    /// What the optimizer remembers; all devices hold all parameters and their gradients.
    Zero1,
    /// Nothing: as along `dp`.
    None,
}

/// In which gradients are added up over devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReduceDtype {
    /// f32.
    #[default]
    F32,
    /// bf16, where they are computed in that.
    Bf16,
}

/// How tensors lie on a mesh, besides its sizes, and what programs for it do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What is split over `fsdp`.
    pub sharding: StateSharding,
    /// Whether what is computed beside the layers' widths, such as the residual stream, is split over `mp` by its position.
    pub sequence_parallel: bool,
    /// In which gradients are added up over devices.
    pub reduce_dtype: ReduceDtype,
    /// Whether the devices keep their exchanges in order, as [`Partition::exchanges_in_order`] says.
    pub exchanges_in_order: bool,
    /// Rules for parameters, before the usual ones.
    pub parameters: Vec<AxisRule>,
    /// Rules for activations, before the usual ones.
    pub activations: Vec<AxisRule>,
}

impl Rules {
    /// How tensors lie on a mesh; `None` for one device. `slots` are the names of what an optimizer remembers of a parameter.
    pub fn partition(&self, shape: MeshShape, slots: &[&str]) -> Option<Partition> {
        (shape.device_count() > 1).then(|| self.partition_of_any(shape, slots))
    }

    /// As [`Rules::partition`], on one device too.
    pub fn partition_of_any(&self, shape: MeshShape, slots: &[&str]) -> Partition {
        let moments: Vec<String> = slots.iter().map(|slot| format!(".{slot}")).collect();
        let (factors, names) = match self.sharding {
            StateSharding::Zero3 => (factors(""), Some(Vec::new())),
            // No names stand for all tensors.
            StateSharding::Zero1 if !moments.is_empty() => {
                (moments.iter().flat_map(|moment| factors(moment)).collect(), Some(moments))
            }
            StateSharding::Zero1 => (Vec::new(), None),
            StateSharding::None => (Vec::new(), None),
        };
        Partition {
            mesh: shape.mesh(),
            parameters: AxisTable {
                rules: [self.parameters.clone(), factors, over_mp()].concat(),
                outermost: names.map(|names| Outermost { names, over: vec!["fsdp"] }),
            },
            activations: AxisTable::of([self.activations.clone(), activations(self.sequence_parallel)].concat()),
            narrow_sums: self.reduce_dtype == ReduceDtype::Bf16,
            exchanges_in_order: self.exchanges_in_order,
        }
    }
}

/// Parameters over `mp`, as activations are.
fn over_mp() -> Vec<AxisRule> {
    WIDTHS.into_iter().chain(HEADS).map(|axis| AxisRule::new(axis, &["mp"])).collect()
}

/// Adapters' factors, or of their names those that end in `suffix`: over (`mp`, `fsdp`) and (`fsdp`, `mp`), their rank over `mp`.
fn factors(suffix: &str) -> Vec<AxisRule> {
    let factor = |name: &str| {
        let name = format!("{name}.weight{suffix}");
        let outer = WIDTHS.into_iter().chain(HEADS).chain(["embed"]);
        let outer: Vec<AxisRule> = outer.map(|axis| AxisRule::of(&name, axis, &["fsdp"])).collect();
        [vec![AxisRule::of(&name, "rank", &["mp"])], outer].concat()
    };
    FACTORS.into_iter().flat_map(factor).collect()
}

/// Rows, and the groups of rows that are told apart for their experts (`shard`), over `dp` and `fsdp`, widths and heads over `mp`, also those
/// of a state space (`state_groups`, `group_heads`). The residual
/// stream's width is whole, so that a layer's weights are gathered along it where they are computed with. Where `sequence_parallel`, positions
/// get what widths and heads have left of `mp`: all of it between the layers' products (Korthikanti et al. 2022, "Reducing Activation
/// Recomputation in Large Transformer Models").
fn activations(sequence_parallel: bool) -> Vec<AxisRule> {
    let rows = ["batch", "shard"].map(|axis| AxisRule::new(axis, &["dp", "fsdp"]));
    let whole = ["embed", "rank"].map(|axis| AxisRule::new(axis, &[]));
    let position = AxisRule::new("position", if sequence_parallel { &["mp"] } else { &[] });
    // Mamba-2's heads, whose projections lie whole: groups of them, or where these do not divide the heads of a group.
    let scanned = ["state_groups", "group_heads"].map(|axis| AxisRule::new(axis, &["mp"]));
    rows.into_iter().chain(over_mp()).chain(whole).chain([position]).chain(scanned).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use graph::{Axis, DType, ParamSpec};
    use models::{LanguageModel, Lora, LoraModule, Precision};

    use super::*;

    /// The parameters of a model of each family, with adapters.
    fn zoo() -> Vec<(String, Vec<ParamSpec>)> {
        let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo");
        let folders = |at: &Path| -> Vec<std::path::PathBuf> {
            let entries =
                std::fs::read_dir(at).expect("it is there").map(|entry| entry.expect("it can be read").path());
            entries.filter(|path| path.is_dir()).collect()
        };
        let models = folders(&zoo).into_iter().flat_map(|family| folders(&family));
        models
            .map(|folder| {
                let config = std::fs::read(folder.join("config.json")).expect("each has one");
                let config = serde_json::from_slice(&config).expect("it is JSON");
                let model = LanguageModel::from_json(&config).expect("it is a model's");
                let linear = model.linear_modules().expect("it can be traced");
                let lora = Lora::of_each(&linear, LoraModule { rank: 4, scale: 1.0 }, 0.0);
                let params = model.params(Precision::uniform(DType::F32), Some(&lora)).expect("it can be traced");
                (folder.display().to_string(), params)
            })
            .collect()
    }

    /// Else a part of one tensor would be another than that of the tensor that it meets.
    #[test]
    fn what_is_split_has_one_size_in_a_model_and_all_axes_are_known() {
        let zoo = zoo();
        assert!(zoo.len() > 20, "{}", zoo.len());
        for (model, params) in zoo {
            let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
            for axis in params.iter().flat_map(|spec| &spec.axes) {
                assert!(AXES.contains(&axis.name), "{model}: {axis:?}");
                let is_split = WIDTHS.contains(&axis.name) || HEADS.contains(&axis.name) || axis.name == "embed";
                if is_split {
                    assert_eq!(*sizes.entry(axis.name).or_insert(axis.size), axis.size, "{model}: {}", axis.name);
                }
            }
        }
    }

    /// Over which axes of a mesh of (2, 2, 2) each axis of a tensor is split.
    fn over(sharding: StateSharding, name: &str, axes: &[&'static str]) -> Vec<String> {
        let rules = Rules { sharding, ..Rules::default() };
        let shape = MeshShape { dp: 2, fsdp: 2, mp: 2 };
        let partition = rules.partition(shape, &["exp_avg", "exp_avg_sq"]).expect("8 devices");
        let axes: Vec<Axis> = axes.iter().map(|name| Axis::new(name, 8)).collect();
        let lies = partition.of_parameter(name, &axes, 0).expect("8 divides");
        lies.dims().iter().map(|over| over.join("+")).collect()
    }

    #[test]
    fn the_usual_tables() {
        let zero3 = |name: &str, axes: &[&'static str]| over(StateSharding::Zero3, name, axes);
        assert_eq!(zero3("model.layers.*.mlp.up_proj.weight", &["mlp", "embed"]), ["mp+fsdp", ""]);
        assert_eq!(zero3("model.layers.*.mlp.down_proj.weight", &["embed", "mlp"]), ["fsdp", "mp"]);
        assert_eq!(zero3("model.layers.*.norm.weight", &["embed"]), ["fsdp"]);
        assert_eq!(zero3("model.embed_tokens.weight", &["vocab", "embed"]), ["mp+fsdp", ""]);
        assert_eq!(zero3("model.layers.*.mixer.A_log", &["inner", "state"]), ["mp+fsdp", ""]);
        assert_eq!(zero3("w1.weight", &["experts", "expert_mlp", "embed"]), ["fsdp", "mp", ""]);
        assert_eq!(zero3("up_proj.lora_A.weight", &["rank", "embed"]), ["mp", "fsdp"]);
        assert_eq!(zero3("up_proj.lora_B.weight", &["mlp", "rank"]), ["fsdp", "mp"]);
        assert_eq!(zero3("down_proj.lora_A.weight", &["rank", "mlp"]), ["mp", "fsdp"]);
    }

    #[test]
    fn zero_1_splits_moments_alone() {
        let [up, factor] = ["up_proj.weight", "up_proj.lora_A.weight"];
        let zero1 = |name: &str, axes: &[&'static str]| over(StateSharding::Zero1, name, axes);
        assert_eq!(zero1(up, &["mlp", "embed"]), ["mp", ""]);
        assert_eq!(zero1(factor, &["rank", "embed"]), ["", ""]);
        for slot in ["exp_avg", "exp_avg_sq"] {
            assert_eq!(zero1(&format!("{up}.{slot}"), &["mlp", "embed"]), ["mp+fsdp", ""]);
            assert_eq!(zero1(&format!("{factor}.{slot}"), &["rank", "embed"]), ["mp", "fsdp"]);
        }
        assert_eq!(over(StateSharding::None, "up_proj.weight.exp_avg", &["mlp", "embed"]), ["mp", ""]);
        let rules = Rules { sharding: StateSharding::Zero1, ..Rules::default() };
        let without = rules.partition_of_any(MeshShape { dp: 1, fsdp: 4, mp: 2 }, &[]);
        assert_eq!(without.parameters.outermost, None, "an optimizer that remembers nothing splits nothing");
    }
}
