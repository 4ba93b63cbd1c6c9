//! LoRA adapters in PEFT's layout: `adapter_config.json` and `adapter_model.safetensors`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use graph::HostTensor;

use crate::adapter_config::{ADAPTER_CONFIG, LoraConfig, module_of};
use crate::atomic::{Publish, complete_file, create_folder, json_to, publish, publish_together};
use crate::differences::Differences;
use crate::error::{Error, SourceError, no_folder};
use crate::expert_factors;
use crate::manifest::saved_tensors;
use crate::module_match::BadPattern;
use crate::safetensors_file::{Access, SafetensorsFile};
use crate::safetensors_write::{TensorSpec, write_complete};
use crate::stored::{self, Block, Stored};
use crate::tensor_files::TensorFiles;
use crate::training_state::{MANIFEST, STATE, is_moment};

pub(crate) const ADAPTER_WEIGHTS: &str = "adapter_model.safetensors";
/// What PEFT's wrappers put before every module path.
pub(crate) const KEY_PREFIX: &str = "base_model.model.";

/// One of the two matrices of an adapter, which adds `scale * B A x` to a module's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LoraFactor {
    /// `[r, in]`.
    A,
    /// `[out, r]`.
    B,
}

/// The module and the matrix that a key without its prefix is of, and the name of the adapter where an older file puts one
/// (`lora_A.default.weight`). `None` for any other key.
fn parse_key(key: &str) -> Option<(&str, LoraFactor, Option<&str>)> {
    let path = key.strip_suffix(".weight")?;
    [(".lora_A", LoraFactor::A), (".lora_B", LoraFactor::B)].into_iter().find_map(|(infix, factor)| {
        let (module, adapter) = path.rsplit_once(infix)?;
        match adapter.strip_prefix('.') {
            None if adapter.is_empty() => Some((module, factor, None)),
            Some(name) if !name.is_empty() && !name.contains('.') => Some((module, factor, Some(name))),
            _ => None,
        }
    })
}

/// What the name of a DoRA module's magnitude ends with, in the model and in PEFT's files.
pub const MAGNITUDE: &str = ".lora_magnitude_vector";

/// Whether a parameter, by the model's name for it, is one that only an adapter has.
pub(crate) fn is_added(name: &str) -> bool {
    name.ends_with(MAGNITUDE) || parse_key(name).is_some()
}

/// The path of the module that a tensor is of, by the model's name for it, what follows it there, and which factor of an adapter it is.
fn split(name: &str) -> (&str, &str, Option<LoraFactor>) {
    let (module, factor) = match parse_key(name) {
        Some((module, factor, _)) => (module, Some(factor)),
        None => (name.strip_suffix(MAGNITUDE).unwrap_or_else(|| module_of(name)), None),
    };
    (module, &name[module.len()..], factor)
}

/// The names that PEFT's wrappers put into the paths of what they hold: of the module that an adapter is beside, and of modules that are
/// trained in full, the one that is trained and the one that is not.
pub(crate) const BASE_LAYER: &str = ".base_layer";
const SAVED: &str = ".modules_to_save";
const ORIGINAL: &str = ".original_module.";

/// Whose names a file's tensors have.
#[derive(Clone, Copy)]
enum Naming {
    Peft,
    /// The model's own.
    Checkpoint,
}

/// An adapter on disk, checked: every module has both matrices, of the rank that the configuration gives it.
#[derive(Debug)]
pub struct AdapterFolder {
    config: LoraConfig,
    /// The file of the tensors, or the list of their files.
    path: PathBuf,
    tensors: TensorFiles,
    keys: Keys,
    /// Ranks by the paths that modules have in the file.
    ranks: BTreeMap<String, usize>,
}

/// Where the tensors stand in the file, by their names without what PEFT puts into them. A module there may be a parameter with the matrices
/// of all experts.
#[derive(Debug, Default)]
struct Keys {
    /// Module path to the keys of A and B.
    modules: BTreeMap<String, [String; 2]>,
    /// The name of any tensor to its key.
    tensors: BTreeMap<String, String>,
}

/// Where an adapter's file has a tensor of a model.
struct Place<'a> {
    name: &'a str,
    key: &'a str,
    /// Which part of the tensor there it is.
    block: Option<Block>,
    factor: Option<LoraFactor>,
}

impl AdapterFolder {
    /// Opens the adapter in `folder`, or the one in its sub-folder `name`. Without a name, a folder that holds one
    /// adapter in a sub-folder, and none itself, stands for that one.
    ///
    /// # Errors
    /// There is no adapter or more than one, a file is damaged, a setting is not supported, or the tensors are not the
    /// complete pairs of a LoRA adapter.
    pub fn open(folder: impl AsRef<Path>, name: Option<&str>) -> Result<Self, Error> {
        AdapterFolder::open_for(folder.as_ref(), name, Access::Mapped)
    }

    /// As [`AdapterFolder::open`], for files that others may write meanwhile: no more than their headers is read before a tensor is asked for,
    /// and one that is not there any more is an error.
    ///
    /// # Errors
    /// As [`AdapterFolder::open`].
    pub fn open_unmapped(folder: impl AsRef<Path>) -> Result<Self, Error> {
        AdapterFolder::open_for(folder.as_ref(), None, Access::Read)
    }

    fn open_for(folder: &Path, name: Option<&str>, access: Access) -> Result<Self, Error> {
        let folder = find_adapter(folder, name)?;
        let config = LoraConfig::read(folder.join(ADAPTER_CONFIG))?;
        let mut path = folder.join(ADAPTER_WEIGHTS);
        // A checkpoint of training has the model's own names, without what PEFT puts into them, and moments.
        let (tensors, naming) = if path.is_file() {
            (TensorFiles::of_file(SafetensorsFile::open_for(&path, access)?), Naming::Peft)
        } else if let Some(state) = saved_tensors(&folder, access)? {
            path = folder.join(if folder.join(STATE).is_file() { STATE } else { MANIFEST });
            (state.only(|name| !is_moment(name)), Naming::Checkpoint)
        } else {
            let pickled = folder.join("adapter_model.bin").is_file();
            let hint = if pickled { "; save it again from peft, which turns adapter_model.bin into it" } else { "" };
            return Err(Error::Adapter { path: folder, problem: format!("it has no {ADAPTER_WEIGHTS}{hint}") });
        };
        let keys = Keys::of(tensors.names(), naming, &config).map_err(|problem| adapter_error(&path, problem))?;
        let bad = |pattern: BadPattern| adapter_error(&path, pattern.to_string());
        let (targets, mut ranks) = (config.targets().map_err(bad)?, BTreeMap::new());
        for (module, [a, b]) in &keys.modules {
            let r = targets.scaling(module).map_err(bad)?.r;
            ranks.insert(module.clone(), r);
            let problem = match (tensors.shape(a), tensors.shape(b)) {
                (Some([rows, _]), Some([_, columns])) if (*rows, *columns) == (r, r) => continue,
                // The factors of all experts.
                (Some([rows, _]), Some([_, columns]))
                    if rows == columns && expert_factors::is_of_experts(module) && rows % r == 0 =>
                {
                    continue;
                }
                (Some(&[_, _]), Some(&[_, _])) => format!("the configuration gives it the rank {r}"),
                _ => "only adapters of linear modules, which have two dimensions, are supported".to_string(),
            };
            let shapes =
                format!("{:?} and {:?}", tensors.shape(a).unwrap_or_default(), tensors.shape(b).unwrap_or_default());
            return Err(adapter_error(
                &path,
                format!("A and B of \"{module}\" have the shapes {shapes}, but {problem}"),
            ));
        }
        drop(targets);
        Ok(AdapterFolder { config, path, tensors, keys, ranks })
    }

    /// Whether a folder has the configuration of an adapter.
    pub(crate) fn is_at(folder: &Path) -> bool {
        folder.join(ADAPTER_CONFIG).is_file()
    }

    /// The configuration.
    pub fn config(&self) -> &LoraConfig {
        &self.config
    }

    /// The file that holds the matrices.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The paths of the adapted modules in the base model, sorted, as the file has them.
    pub fn modules(&self) -> impl ExactSizeIterator<Item = &str> {
        self.keys.modules.keys().map(String::as_str)
    }

    /// The names of all tensors without what PEFT puts into them, sorted, each with its shape.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &[usize])> {
        let shape = |key| self.tensors.shape(key).unwrap_or_default();
        self.keys.tensors.iter().map(move |(name, key)| (name.as_str(), shape(key)))
    }

    /// Whether it has an adapter of the model's module at a path.
    pub fn adapts(&self, module: &str) -> bool {
        self.place(&format!("{module}.lora_A.weight")).is_some()
    }

    /// Whether it holds what the model calls so.
    pub fn holds(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Whether it has a tensor of the model in one with those of other experts.
    pub fn has_of_all_experts(&self, name: &str) -> bool {
        self.place(name).is_some_and(|place| place.block.is_some())
    }

    /// Those tensors among the model's own `parameters` that it holds though they are not trained: weights of the output layer, beside its
    /// adapter.
    ///
    /// # Errors
    /// An element type has no [`graph::DType`].
    pub fn frozen(
        &self,
        parameters: impl IntoIterator<Item = String>,
    ) -> Result<BTreeMap<String, HostTensor<'_>>, Error> {
        let is_frozen = |name: &String| !is_added(name) && !self.config.trains(name, |module| self.adapts(module));
        let frozen = parameters.into_iter().filter(is_frozen);
        let held = frozen.map(|name| Ok(self.tensor(&name)?.map(|tensor| (name, tensor))));
        held.filter_map(Result::transpose).collect()
    }

    /// A tensor by the model's name, if the file has it.
    ///
    /// # Errors
    /// Its element type has no [`graph::DType`], or it cannot be read.
    pub fn tensor(&self, name: &str) -> Result<Option<HostTensor<'_>>, Error> {
        let Some(place) = self.place(name) else { return Ok(None) };
        let (Some(block), factor) = (place.block, place.factor) else {
            return self.tensors.tensor(place.key).map(Some);
        };
        let Some(factor) = factor else {
            return self.tensors.at(&Stored { name: place.key.into(), block: Some(block) }).map(Some);
        };
        let rank = self.ranks[split(place.name).0];
        let all = self.tensors.tensor(place.key)?;
        let none = || adapter_error(&self.path, format!("its tensor \"{}\" has no part for {name}", place.key));
        expert_factors::of_expert(factor, &block, rank, &all).map(Some).ok_or_else(none)
    }

    /// Compares what it holds with the names and shapes of parameters, those that an adapter adds to the model and those of the model's own: of these it may hold
    /// what it trains, and the output layer's weight beside its adapter.
    ///
    /// # Errors
    /// Tensors are missing, not expected, or of another shape.
    pub fn check<'n>(&self, parameters: impl IntoIterator<Item = (&'n str, &'n [usize])>) -> Result<(), Error> {
        let is_needed = |name: &str| match self.config.trains(name, |module| self.adapts(module)) {
            // PEFT has not always written the biases that it trained.
            true => !name.ends_with(".bias") || self.holds(name),
            false => is_added(name) || self.holds(name),
        };
        let differences = self.differences(parameters.into_iter().filter(|(name, _)| is_needed(name)));
        match differences.is_empty() {
            true => Ok(()),
            false => Err(Error::Differences { path: self.path.clone(), differences }),
        }
    }

    /// What it has too few, too many, or in another shape, beside the names and shapes that a model needs of it.
    fn differences<'n>(&self, expected: impl IntoIterator<Item = (&'n str, &'n [usize])>) -> Differences {
        let mut needed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (name, shape) in expected {
            let Some(Place { name, block, factor, .. }) = self.place(name) else {
                needed.insert(name, shape.to_vec());
                continue;
            };
            let shape = match (block, factor) {
                (None, _) => shape.to_vec(),
                (Some(block), None) => block.whole(shape),
                (Some(block), Some(factor)) => expert_factors::whole(factor, &block, shape),
            };
            // Of the parts for all experts the last has the largest.
            let whole = needed.entry(name).or_default();
            *whole = shape.max(std::mem::take(whole));
        }
        Differences::between(needed.iter().map(|(name, shape)| (*name, &**shape)), self.tensors())
    }

    /// Where the file has what the model calls `name`.
    fn place<'n>(&'n self, name: &'n str) -> Option<Place<'n>> {
        let (module, below, factor) = split(name);
        let weight = if is_added(name) { format!("{module}.weight") } else { name.to_owned() };
        stored::whole_places(&weight).find_map(|place| {
            let held = match is_added(name) {
                true => format!("{}{below}", place.name.strip_suffix(".weight").unwrap_or(&place.name)).into(),
                false => place.name,
            };
            let (name, key) = self.keys.tensors.get_key_value(&*held)?;
            Some(Place { name, key, block: place.block, factor })
        })
    }
}

fn adapter_error(path: &Path, problem: String) -> Error {
    Error::Adapter { path: path.to_path_buf(), problem }
}

fn find_adapter(folder: &Path, name: Option<&str>) -> Result<PathBuf, Error> {
    let is_adapter = |path: &Path| path.join(ADAPTER_CONFIG).is_file();
    let problem = |problem: String| Error::Adapter { path: folder.to_path_buf(), problem };
    if name.is_none() && is_adapter(folder) {
        return Ok(folder.to_path_buf());
    }
    if !folder.is_dir() {
        return Err(problem(no_folder(folder).to_owned()));
    }
    let mut named = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io("list", folder))? {
        let path = entry.map_err(Error::io("list", folder))?.path();
        if is_adapter(&path) {
            named.push(path);
        }
    }
    named.sort();
    let name_of = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let all = || named.iter().map(name_of).collect::<Vec<_>>().join(", ");
    match (name, named.as_slice()) {
        (Some(name), paths) => match paths.iter().find(|path| name_of(path) == name) {
            Some(path) => Ok(path.clone()),
            // PEFT gives the adapter that is named "default" no sub-folder.
            None if name == "default" && is_adapter(folder) => Ok(folder.to_path_buf()),
            None if paths.is_empty() => Err(problem(format!("it holds no adapter named \"{name}\""))),
            None => Err(problem(format!("it holds no adapter named \"{name}\", only {}", all()))),
        },
        (None, []) => Err(problem(format!("it has no {ADAPTER_CONFIG}"))),
        (None, [path]) => Ok(path.clone()),
        (None, _) => Err(problem(format!("it holds several adapters ({}); name one of them", all()))),
    }
}

impl Keys {
    /// Finds A and B of every module and what there is beside them, and refuses keys that are neither.
    fn of<'k>(keys: impl Iterator<Item = &'k str>, naming: Naming, config: &LoraConfig) -> Result<Keys, String> {
        let prefix = match naming {
            Naming::Peft => KEY_PREFIX,
            Naming::Checkpoint => "",
        };
        let (mut found, mut others) = (BTreeMap::<Cow<'_, str>, BTreeMap<LoraFactor, &str>>::new(), Vec::new());
        let mut adapter = None;
        for key in keys {
            let path = key.strip_prefix(prefix).ok_or_else(|| refused_key(key))?;
            let Some((module, factor, name)) = parse_key(path) else {
                others.push((path, key));
                continue;
            };
            let module = expert_factors::parameter_of(module, config).map_or(Cow::Borrowed(module), Cow::Owned);
            match adapter {
                Some(first) if first != name => {
                    return Err(format!("\"{key}\" belongs to another adapter than the keys before it"));
                }
                _ => adapter = Some(name),
            }
            found.entry(module).or_default().insert(factor, key);
        }
        if found.is_empty() && others.is_empty() {
            return Err("it holds no tensor".to_string());
        }
        let mut sorted = Keys::default();
        for (module, factors) in found {
            let [a, b] = match (factors.get(&LoraFactor::A), factors.get(&LoraFactor::B)) {
                (Some(a), Some(b)) => [a.to_string(), b.to_string()],
                (Some(_), None) => return Err(format!("\"{module}\" has lora_A but no lora_B")),
                _ => return Err(format!("\"{module}\" has lora_B but no lora_A")),
            };
            for (factor, key) in [(LoraFactor::A, &a), (LoraFactor::B, &b)] {
                sorted.tensors.insert(format!("{module}.lora_{factor:?}.weight"), key.clone());
            }
            sorted.modules.insert(module.into_owned(), [a, b]);
        }
        // Before the embedding's own weight, which stands beside its adapter.
        others.sort_by_key(|(path, _)| !path.contains("lora_embedding_"));
        for (path, key) in others {
            sorted.add(path, key, naming, config)?;
        }
        sorted.check_magnitudes(config)?;
        Ok(sorted)
    }

    /// Adds the key of a tensor that is neither A nor B.
    fn add(&mut self, path: &str, key: &str, naming: Naming, config: &LoraConfig) -> Result<(), String> {
        let is_adapted = |module: &str| self.modules.contains_key(module);
        // With `bias: all` PEFT writes biases of modules that are trained in full once more, under both of its wrappers' names.
        if path.contains(ORIGINAL) {
            return Ok(());
        }
        let name = path.strip_suffix(".weight").filter(|path| path.ends_with(MAGNITUDE)).unwrap_or(path);
        let name = name.replace(BASE_LAYER, "").replace(SAVED, "");
        let is_magnitude = name.strip_suffix(MAGNITUDE).is_some_and(|module| config.use_dora && is_adapted(module));
        // Of the output layer, PEFT writes the weight beside its adapter, too.
        let module = path.strip_suffix(".weight").and_then(|module| match naming {
            Naming::Peft => module.strip_suffix(BASE_LAYER),
            Naming::Checkpoint => Some(module),
        });
        let is_base = module.is_some_and(is_adapted);
        if !is_magnitude && !is_base && !config.trains(&name, is_adapted) {
            return Err(refused_key(key));
        }
        self.tensors.insert(name, key.to_owned());
        Ok(())
    }

    fn check_magnitudes(&self, config: &LoraConfig) -> Result<(), String> {
        let has_magnitude = |module: &&String| self.tensors.contains_key(&format!("{module}{MAGNITUDE}"));
        match self.modules.keys().find(|module| config.use_dora && !has_magnitude(module)) {
            Some(module) => Err(format!("\"{module}\" has no lora_magnitude_vector, which use_dora asks for")),
            None => Ok(()),
        }
    }
}

fn refused_key(key: &str) -> String {
    let reason = if key.contains("lora_magnitude_vector") {
        "belongs to DoRA, which the configuration does not say it is (use_dora), or to a module without lora_A"
    } else if key.contains("lora_embedding_") {
        "adapts an embedding, and only adapters of linear modules are supported; train the embedding in full (modules_to_save)"
    } else if key.contains(".lora_A") || key.contains(".lora_B") {
        "is not \"base_model.model.<module>.lora_A.weight\" or its lora_B"
    } else {
        "is not part of LoRA, and neither modules_to_save nor bias names it; embeddings that were only resized are not supported"
    };
    format!("its tensor \"{key}\" {reason}")
}

/// Writes `adapter_config.json` and `adapter_model.safetensors` into `folder`, as PEFT does: the tensors `specs`, under the model's names
/// for them, which `source` is asked for. The file says after which `step` they were trained, where that is given.
///
/// Whoever is interrupted leaves the adapter that was there, the new one, or weights without a configuration, which do not
/// load.
///
/// # Errors
/// The configuration is not supported or gives a module another rank, a tensor comes twice, `source` fails or yields another dtype or
/// shape, or the files cannot be written.
pub fn write_adapter<'t>(
    folder: impl AsRef<Path>,
    config: &LoraConfig,
    specs: &[TensorSpec],
    step: Option<u64>,
    source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
) -> Result<(), Error> {
    write_adapter_through(&mut publish, folder.as_ref(), config, specs, step, source)
}

/// As [`write_adapter`], with files that `publish` gives their names.
fn write_adapter_through<'t>(
    publish: Publish<'_>,
    folder: &Path,
    config: &LoraConfig,
    specs: &[TensorSpec],
    step: Option<u64>,
    mut source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
) -> Result<(), Error> {
    let refuse = |problem: String| Error::Adapter { path: folder.to_path_buf(), problem };
    config.check().map_err(refuse)?;
    if config.has_target_parameters() {
        return Err(refuse("it has target_parameters, and such adapters are read but not written".to_owned()));
    }
    let (targets, mut adapted) = (config.targets()?, BTreeSet::new());
    for spec in specs {
        let Some((module, factor, _)) = parse_key(&spec.name) else { continue };
        adapted.insert(module);
        let (r, at) = (targets.scaling(module)?.r, if factor == LoraFactor::A { 0 } else { 1 });
        if spec.shape.get(at) != Some(&r) {
            let problem =
                format!("{} would be {:?}, but the configuration gives it the rank {r}", spec.name, spec.shape);
            return Err(refuse(problem));
        }
    }
    let key = |spec: &TensorSpec| {
        let (module, below, _) = split(&spec.name);
        let is_beside = adapted.contains(module) && !is_added(&spec.name);
        format!("{KEY_PREFIX}{}{}{below}", targets.written_path(module), if is_beside { BASE_LAYER } else { "" })
    };
    let keyed: Vec<TensorSpec> = specs.iter().map(|spec| TensorSpec { name: key(spec), ..spec.clone() }).collect();
    let asked: BTreeMap<&str, &TensorSpec> = keyed.iter().map(|spec| spec.name.as_str()).zip(specs).collect();
    create_folder(folder)?;
    let (weights_path, config_path) = (folder.join(ADAPTER_WEIGHTS), folder.join(ADAPTER_CONFIG));
    let keyed: Vec<&TensorSpec> = keyed.iter().collect();
    let weights = write_complete(&weights_path, &keyed, step, |spec| source(asked[&*spec.name]))?;
    let config = complete_file(&config_path, |writer| json_to(writer, &config_path, config))?;
    publish_together(vec![weights], config, publish)
}

#[cfg(test)]
mod tests {
    use graph::DType;

    use super::*;

    /// Ranks and shapes are the same, so that old matrices would load under the new scale.
    #[test]
    fn an_interrupted_overwrite_does_not_mix_adapters() {
        let config = |lora_alpha| LoraConfig { r: 1, lora_alpha, ..LoraConfig::default() };
        let modules = ["q.lora_A.weight", "q.lora_B.weight"].map(|name| TensorSpec::new(name, DType::F32, [1, 1]));
        let of = |value: f32| move |_: &TensorSpec| Ok(HostTensor::from_vec(&[1, 1], vec![value])?);
        for published in 0..2 {
            let folder = tempfile::tempdir().unwrap();
            write_adapter(folder.path(), &config(1.0), &modules, None, of(1.0)).unwrap();
            let mut left = published;
            let mut publish_some = |file: atomic_file::CompleteFile| {
                let killed = || Error::io("publish", folder.path())(std::io::ErrorKind::Interrupted.into());
                left = usize::checked_sub(left, 1).ok_or_else(killed)?;
                publish(file)
            };
            write_adapter_through(&mut publish_some, folder.path(), &config(2.0), &modules, None, of(2.0)).unwrap_err();
            AdapterFolder::open(folder.path(), None).expect_err("one of the files is old");

            write_adapter(folder.path(), &config(2.0), &modules, None, of(2.0)).unwrap();
            let adapter = AdapterFolder::open(folder.path(), None).unwrap();
            let a = adapter.tensor("q.lora_A.weight").unwrap().unwrap();
            assert_eq!((adapter.config().lora_alpha, a.to_f32()), (2.0, vec![2.0]));
        }
    }
}
