//! What configurations and files of adapters come to beside a model.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use checkpoint::{AdapterFolder, LoraConfig, MAGNITUDE, cast};
use graph::{DType, GraphError, HostTensor, ParamArray};
use models::{AdapterPool, Anatomy, LinearModule, Lora, Pooled};

use super::files::{Factors, Footprint, LEFT, Order, Read, rank_room};
use super::{Broken, read_config};
use crate::ModelPlan;
use crate::batch::{NEW, NO_MAGNITUDE, Room, pooled_specs, written_specs};
use crate::service::AdapterFault;

/// Configurations that are remembered with what they mean.
const REMEMBERED: usize = 64;

const OTHER_TEMPLATE: &str = "has another chat template than the model's, by which conversations with it are laid out all the same: start the server with \
    --chat-template and that one if it is meant for all, or merge the adapter (`finery merge`) and serve the result";

/// Reads adapters for a model, which is traced once for all of them. Those of a server often have the same configuration.
pub(crate) struct Reader {
    plan: ModelPlan,
    /// The most ranks of an adapter.
    rank_max: usize,
    /// By which conversations are laid out, with any adapter; `None`: nobody looks at those of adapters.
    chat_template: Option<String>,
    adaptable: OnceLock<Result<Anatomy, GraphError>>,
    served: Memo<LoraConfig, Served>,
    understood: Memo<(LoraConfig, AdapterPool), Understood>,
    /// What was told that does not fit the model in folders of adapters.
    pub(super) told: Mutex<BTreeSet<String>>,
}

/// The latest answers, by what they are answers to.
struct Memo<K, V>(Mutex<VecDeque<(K, Answer<V>)>>);

type Answer<V> = Result<Arc<V>, String>;

impl<K: PartialEq, V> Memo<K, V> {
    fn new() -> Memo<K, V> {
        Memo(Mutex::default())
    }

    fn get(&self, key: K, make: impl FnOnce(&K) -> Result<V, String>) -> Answer<V> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answer)) = known.iter().find(|(other, _)| *other == key) {
            return answer.clone();
        }
        let answer = make(&key).map(Arc::new);
        known.truncate(REMEMBERED - 1);
        known.push_front((key, answer.clone()));
        answer
    }
}

/// What a configuration means that can be served.
pub(crate) struct Served {
    lora: Lora,
    /// The path of each adapted module, with its number, and without, as [`LinearModule::path`] has it.
    pub(crate) modules: BTreeMap<String, String>,
    ranks: usize,
}

/// What it comes to beside a pool.
struct Understood {
    served: Arc<Served>,
    footprint: Footprint,
    /// What the program is given that writes such an adapter.
    arrays: Vec<ParamArray>,
    /// The tensors that its files have, by the model's names, and those of the model's own that may be beside them.
    tensors: Vec<(String, Vec<usize>)>,
}

impl Reader {
    /// For adapters of no more than `rank_max` ranks.
    pub(crate) fn new(plan: ModelPlan, rank_max: usize) -> Reader {
        Reader {
            plan,
            rank_max,
            chat_template: None,
            adaptable: OnceLock::new(),
            served: Memo::new(),
            understood: Memo::new(),
            told: Mutex::default(),
        }
    }

    /// The same beside a model whose conversations are laid out by this template.
    pub(crate) fn with_chat_template(self, chat_template: Option<String>) -> Reader {
        Reader { chat_template, ..self }
    }

    /// The most ranks of an adapter.
    pub(crate) fn rank_max(&self) -> usize {
        self.rank_max
    }

    /// What the model's adapters choose from.
    pub(crate) fn adaptable(&self) -> Result<&Anatomy, GraphError> {
        self.adaptable.get_or_init(|| self.plan.model.adaptable()).as_ref().map_err(Clone::clone)
    }

    fn linear(&self) -> Result<&[LinearModule], String> {
        self.adaptable().map(|anatomy| &*anatomy.linear).map_err(|error| error.to_string())
    }

    /// What a configuration means, if it can be served beside others.
    pub(crate) fn served(&self, config: &LoraConfig) -> Answer<Served> {
        self.served.get(config.clone(), |config| self.serve(config))
    }

    fn serve(&self, config: &LoraConfig) -> Result<Served, String> {
        let adaptable = self.adaptable().map_err(|error| error.to_string())?;
        let lora = peft::lora_among(config, &self.plan.model, adaptable).map_err(|error| error.to_string())?;
        if let Some(name) = lora.own.first() {
            // A matrix of the model's size for each adapter would leave little to be shared.
            return Err(format!(
                "it trains `{name}` in full, which is not served beside other adapters: merge it (`finery merge`) and serve the result"
            ));
        }
        let mut modules = BTreeMap::new();
        for module in &adaptable.linear {
            for path in module.paths().into_iter().filter(|path| lora.modules.contains_key(path)) {
                if module.share < 1.0 {
                    return Err(format!(
                        "`{path}` is an expert's, and adapters of experts are not served beside others"
                    ));
                }
                modules.insert(path, module.path.clone());
            }
        }
        if let Some((path, module)) = lora.modules.iter().find(|(_, module)| !(module.scale as f32).is_finite()) {
            return Err(format!(
                "lora_alpha and r make {:e} of the scale of `{path}`, which is no finite number in f32",
                module.scale
            ));
        }
        let ranks = lora.modules.values().map(|module| module.rank).max().unwrap_or_default();
        if ranks > self.rank_max {
            return Err(format!(
                "its rank of {ranks} is more than there is room for, {}: start the server with --max-lora-rank {ranks}, or make it smaller",
                self.rank_max
            ));
        }
        Ok(Served { lora, modules, ranks })
    }

    fn understood(&self, config: &LoraConfig, layout: &AdapterPool) -> Answer<Understood> {
        self.understood.get((config.clone(), layout.clone()), |(config, layout)| self.understand(config, layout))
    }

    fn understand(&self, config: &LoraConfig, layout: &AdapterPool) -> Result<Understood, String> {
        let served = self.served(config)?;
        let Served { lora, modules, ranks } = &*served;
        if let Some((path, _)) = modules.iter().find(|(_, module)| !layout.modules.contains(*module)) {
            return Err(format!(
                "it adapts `{path}`, for which there is no room: start the server with --lora-target-modules {}, or with an adapter of it",
                path.rsplit('.').next().unwrap_or(path)
            ));
        }
        if lora.dora && layout.stretches == 0 {
            return Err("it is DoRA's (use_dora), for which there is no room: start the server with such an adapter (--adapters, --lora-modules)".into());
        }
        let linear = self.linear()?;
        let pooled = linear.iter().filter(|module| layout.modules.contains(&module.path));
        let specs = pooled.flat_map(|module| pooled_specs(layout, module, self.plan.dtype, lora.dora));
        let written = written_specs(&specs.collect::<Vec<_>>(), rank_room(*ranks));
        let arrays: Vec<_> = written.iter().flat_map(|spec| spec.arrays(self.plan.layers.unrolled())).collect();
        let bytes = |array: &ParamArray| array.ty.shape().iter().product::<usize>() * array.ty.dtype.size();
        let bytes = arrays.iter().map(bytes).sum::<usize>() as u64;
        let footprint = Footprint { room: Room { ranks: *ranks, stretches: usize::from(lora.dora) }, bytes };
        let tensors = linear.iter().flat_map(|module| tensors_of(module, lora)).collect();
        Ok(Understood { served, footprint, arrays, tensors })
    }

    /// What an adapter of that configuration takes, if there is room for its modules, kind and ranks at all.
    pub(crate) fn footprint(&self, config: &LoraConfig, layout: &AdapterPool) -> Result<Footprint, String> {
        Ok(self.understood(config, layout)?.footprint)
    }

    /// What the adapter of a folder takes, if its files are such as can be served: of the weights no more is looked at than what they are.
    pub(crate) fn look_at(&self, path: &Path, layout: &AdapterPool) -> Result<Footprint, Broken> {
        let (folder, understood) = self.open(path, layout)?;
        self.tell_misfits(path, folder.config(), true);
        Ok(understood.footprint)
    }

    /// [`Reader::look_at`], and looks at each number of the weights, which takes as long as reading them: no further once it is not wanted, asked before each
    /// array.
    pub(crate) fn look_through(
        &self,
        path: &Path,
        layout: &AdapterPool,
        is_wanted: impl Fn() -> bool,
    ) -> Result<Footprint, Broken> {
        let (folder, understood) = self.open(path, layout)?;
        self.tell_misfits(path, folder.config(), true);
        for array in &understood.arrays {
            if !is_wanted() {
                return Err(Broken::by_files(LEFT));
            }
            factor(&folder, &understood.served.lora, array)?;
        }
        Ok(understood.footprint)
    }

    /// Tells what in an adapter's folder does not fit the model: of one that is read each such thing once, however many adapters of a folder have it, and
    /// of one that is being registered always. Of a chat template always once: an adapter that is trained on is registered again after each step.
    fn tell_misfits(&self, path: &Path, config: &LoraConfig, is_new: bool) {
        // Reads files, which may take long.
        let other_template = self.other_template(path);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tell = |key: String, misfit: &str, always: bool| {
            if told.insert(key) || always {
                tracing::warn!("the adapter {} {misfit}", path.display());
            }
        };
        for misfit in self.plan.known_as.misfits(config) {
            tell(misfit.clone(), &misfit, is_new);
        }
        if let Some(template) = other_template {
            tell(template, OTHER_TEMPLATE, false);
        }
    }

    /// What stands for the chat template of an adapter's folder, if that is another than conversations are laid out by.
    fn other_template(&self, path: &Path) -> Option<String> {
        let served = self.chat_template.as_deref()?;
        // What is damaged is not used.
        let own = data::chat_template_source(path).ok()??;
        let mut hasher = DefaultHasher::new();
        own.trim().hash(&mut hasher);
        (own.trim() != served.trim()).then(|| format!("chat template {:x}", hasher.finish()))
    }

    fn open(&self, path: &Path, layout: &AdapterPool) -> Result<(AdapterFolder, Arc<Understood>), Broken> {
        self.understood(&read_config(path)?, layout).map_err(Broken::by_files)?;
        // Not mapped: whoever writes into a file that is would end the server.
        let folder = AdapterFolder::open_unmapped(path)?;
        let understood = self.understood(folder.config(), layout).map_err(Broken::by_files)?;
        let tensors = understood.tensors.iter().map(|(name, shape)| (&**name, &**shape));
        folder.check(tensors)?;
        Ok((folder, understood))
    }

    /// Reads an adapter.
    pub(crate) fn read(&self, order: &Order) -> Result<Read, Broken> {
        let layout = order.layout.as_ref();
        let layout = layout.ok_or_else(|| Broken::new(AdapterFault::Room, "there is no room for adapters"))?;
        let (folder, understood) = self.open(&order.path, layout)?;
        let Understood { served, footprint, arrays, .. } = &*understood;
        self.tell_misfits(&order.path, folder.config(), false);
        if footprint.bytes > order.bytes {
            return Ok(Read::Needs(*footprint));
        }
        let arrays = arrays.iter().map(|array| Ok((array.name.clone(), factor(&folder, &served.lora, array)?)));
        Ok(Read::Factors(Factors::new(footprint.room, arrays.collect::<Result<_, Broken>>()?)))
    }
}

/// What the files of an adapter have of a module's, and the weight of the model's own that PEFT writes beside the output layer's.
fn tensors_of(module: &LinearModule, lora: &Lora) -> Vec<(String, Vec<usize>)> {
    let (input, output) = (module.input.size, module.output.size);
    let whole = if module.transposed { vec![input, output] } else { vec![output, input] };
    let mut all = Vec::new();
    for (path, weight) in module.paths().into_iter().zip(module.weights()) {
        let Some(settings) = lora.modules.get(&path) else { continue };
        all.push((format!("{path}.lora_A.weight"), vec![settings.rank, input]));
        all.push((format!("{path}.lora_B.weight"), vec![output, settings.rank]));
        all.extend(lora.dora.then(|| (format!("{path}{MAGNITUDE}"), vec![output])));
        all.push((weight, whole.clone()));
    }
    all
}

/// The largest finite number of a type that is computed in.
fn largest(dtype: DType) -> f32 {
    match dtype {
        DType::F16 => 65_504.0,
        DType::BF16 => f32::from_bits(0x7f7f_0000),
        _ => f32::MAX,
    }
}

/// What the files have of an array, whose last axes are (rank, width), or (width) of magnitudes. Where they have nothing there are zeros, and
/// [`NO_MAGNITUDE`].
fn factor(folder: &AdapterFolder, lora: &Lora, array: &ParamArray) -> Result<HostTensor<'static>, Broken> {
    let shape = array.ty.shape();
    let pooled = |name: &str| {
        let name = name.trim_start_matches(NEW);
        let none = || Broken::new(AdapterFault::Engine, format!("{name} is no parameter of a pool"));
        let (pooled, own) = Pooled::of(name).ok_or_else(none)?;
        let module = name.rsplit_once('.').map_or("", |(module, _)| module);
        Ok::<_, Broken>((pooled, own, module.to_owned()))
    };
    let (kind, ..) = pooled(&array.name)?;
    let (own_axes, nothing) = if kind == Pooled::Stretch { (1, NO_MAGNITUDE) } else { (2, 0.0) };
    let width = shape[shape.len() - 1];
    let size: usize = shape[shape.len() - own_axes..].iter().product();
    let mut values = vec![nothing; shape.iter().product()];
    for (name, to) in array.checkpoint_names.iter().zip(values.chunks_mut(size)) {
        let (_, own, module) = pooled(name)?;
        let Some(settings) = lora.modules.get(&module) else { continue };
        let tensor = folder.tensor(&own)?;
        let tensor = tensor.ok_or_else(|| Broken::by_files(format!("its files have no {own}")))?;
        let scale = if kind == Pooled::B { settings.scale } else { 1.0 };
        let read: Vec<f32> = tensor.to_f32().iter().map(|value| (f64::from(*value) * scale) as f32).collect();
        let most = largest(array.ty.dtype);
        if let Some(value) = read.iter().find(|value| value.is_nan() || value.abs() > most) {
            let scaled = if kind == Pooled::B { ", with the scale of lora_alpha and r," } else { "" };
            let reason = format!("{own} holds {value}{scaled} which is no finite number in {}", array.ty.dtype);
            return Err(Broken::by_files(reason));
        }
        match kind {
            Pooled::A | Pooled::Stretch => to[..read.len()].copy_from_slice(&read),
            Pooled::B => {
                for (column, ranks) in read.chunks(settings.rank).enumerate() {
                    for (rank, value) in ranks.iter().enumerate() {
                        to[rank * width + column] = *value;
                    }
                }
            }
        }
    }
    let values = HostTensor::from_vec(&shape, values).map_err(|error| Broken::by_files(error.to_string()))?;
    Ok(cast(values, array.ty.dtype).map_err(|error| Broken::by_files(error.to_string()))?.into_owned())
}
