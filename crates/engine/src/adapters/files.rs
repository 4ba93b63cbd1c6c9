//! Adapters as files, and what is made of them: their factors in the order of the pool, read on a thread of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use checkpoint::{AdapterFolder, LoraConfig, cast};
use graph::{HostTensor, ParamArray};
use models::{AdapterPool, LanguageModel, Lora, Pooled};
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::config_of;
use crate::ModelPlan;
use crate::batch::{NEW, NO_MAGNITUDE, Room, pooled_specs, written_specs};
use crate::service::Refusal;

/// An adapter's factors as the pool takes them.
pub(crate) struct Factors {
    /// What they take there.
    pub(crate) room: Room,
    /// By the names of what the program that writes them is given.
    pub(crate) arrays: Vec<(String, HostTensor<'static>)>,
    /// SHA-256 of all of it: of what is computed with, and not of files, which may change between being hashed and being read.
    pub(crate) hash: Hash,
}

pub(crate) type Hash = [u8; 32];

impl Factors {
    fn new(room: Room, arrays: Vec<(String, HostTensor<'static>)>) -> Factors {
        let mut hash = Sha256::new();
        hash.update((room.ranks as u64).to_le_bytes());
        for (name, tensor) in &arrays {
            // Names and sizes, so that no two lists have the same bytes.
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((tensor.bytes().len() as u64).to_le_bytes());
            hash.update(tensor.bytes());
        }
        Factors { room, arrays, hash: hash.finalize().into() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.arrays.iter().map(|(_, tensor)| tensor.bytes().len() as u64).sum()
    }
}

/// What an adapter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Footprint {
    /// Of the pool.
    pub(crate) room: Room,
    /// Of host memory.
    pub(crate) bytes: u64,
}

/// For how many ranks the program is made by which an adapter of so many is written.
pub(crate) fn rank_room(rank: usize) -> usize {
    rank.next_power_of_two().max(8)
}

/// What a thread is asked to read.
pub(crate) struct Order {
    pub(crate) generation: u64,
    pub(crate) path: PathBuf,
    pub(crate) layout: Option<AdapterPool>,
    /// The most ranks of an adapter.
    pub(crate) rank_max: usize,
    /// Bytes of host memory that are kept for it.
    pub(crate) bytes: u64,
}

/// What comes of an order.
pub(crate) enum Read {
    /// The adapter's factors, of no more bytes than were kept for them.
    Factors(Factors),
    /// Nothing yet: they take more than was kept for them.
    Needs(Footprint),
    /// Why there are none.
    Failed(String),
}

/// An adapter that is to be registered, once its configuration was looked at.
pub(crate) struct Look {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) is_pinned: bool,
    /// The pool beside which it is to be served.
    pub(crate) layout: AdapterPool,
    /// Who asked.
    pub(crate) reply: oneshot::Sender<Result<(), Refusal>>,
}

/// What a thread is asked for.
enum Task {
    Read(Order),
    Look(Look),
}

/// What comes of a thread that reads.
pub(crate) enum Received {
    /// What came of the order for a generation.
    Read(u64, Read),
    /// What an adapter takes, or what is wrong with it.
    Looked(Look, Result<Footprint, String>),
    /// Nothing yet.
    Nothing,
    /// The thread is gone.
    Ended,
}

/// What is said of an adapter that is not to blame.
const PANICKED: &str = "reading it panicked, which is a fault of this program: its log says where";

/// How long nothing else is looked at where there is nothing to compute.
const MOMENT: Duration = Duration::from_millis(5);

/// Reads adapters on a thread of its own, one after the other; it ends with this.
pub(crate) struct Loader {
    tasks: Sender<Task>,
    done: Receiver<Received>,
}

impl Loader {
    pub(crate) fn new(plan: ModelPlan) -> Loader {
        let (looked_at, mut last) = (plan.clone(), None);
        let look = move |look: &Look| look_at(&looked_at, &look.path, &look.layout);
        Loader::begin(move |order| read_factors(&plan, order, &mut last), look)
    }

    /// One that reads by `read` and looks by `look`. Where one of them panics that adapter has failed, and the next ones are read.
    pub(crate) fn begin(
        mut read: impl FnMut(&Order) -> Result<Read, String> + Send + 'static,
        look: impl Fn(&Look) -> Result<Footprint, String> + Send + 'static,
    ) -> Loader {
        let (tasks, inbox) = channel::<Task>();
        let (outbox, done) = channel();
        std::thread::spawn(move || {
            for task in inbox {
                let received = match task {
                    Task::Read(order) => {
                        let read = catch_unwind(AssertUnwindSafe(|| read(&order)))
                            .unwrap_or_else(|_| Err(PANICKED.to_owned()));
                        Received::Read(order.generation, read.unwrap_or_else(Read::Failed))
                    }
                    Task::Look(asked) => {
                        let looked = catch_unwind(AssertUnwindSafe(|| look(&asked)));
                        let looked = looked.unwrap_or_else(|_| Err(PANICKED.to_owned()));
                        Received::Looked(asked, looked)
                    }
                };
                if outbox.send(received).is_err() {
                    break;
                }
            }
        });
        Loader { tasks, done }
    }

    pub(crate) fn read(&self, order: Order) {
        // If the thread is gone nothing comes back, as for a file that takes forever.
        let _ = self.tasks.send(Task::Read(order));
    }

    /// Has an adapter looked at. False if the thread is gone: who asked is told by the reply that is dropped.
    pub(crate) fn look(&self, look: Look) -> bool {
        self.tasks.send(Task::Look(look)).is_ok()
    }

    /// The next that has been read, waiting a moment for it if so wanted.
    pub(crate) fn receive(&self, wait: bool) -> Received {
        let time = if wait { MOMENT } else { Duration::ZERO };
        match self.done.recv_timeout(time) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Ended,
        }
    }
}

/// The modules beside which an adapter of that configuration is, as [`models::LinearModule::path`] has them.
pub(crate) fn served_modules(model: &LanguageModel, config: &LoraConfig) -> Result<BTreeSet<String>, String> {
    Ok(modules_of(model, &served(model, config)?)?.into_values().collect())
}

/// What a configuration comes to beside a pool. The adapters of a server often have the same one.
struct Understood {
    config: LoraConfig,
    lora: Lora,
    footprint: Footprint,
    /// What the program is given that writes such an adapter.
    arrays: Vec<ParamArray>,
}

impl Understood {
    fn of(plan: &ModelPlan, config: &LoraConfig, layout: &AdapterPool) -> Result<Understood, String> {
        let lora = served(&plan.model, config)?;
        let modules = modules_of(&plan.model, &lora)?;
        if let Some((path, _)) = modules.iter().find(|(_, module)| !layout.modules.contains(*module)) {
            return Err(format!(
                "it adapts `{path}`, for which there is no room: start the server with --lora-target-modules {}, or with an adapter of it",
                path.rsplit('.').next().unwrap_or(path)
            ));
        }
        if lora.dora && layout.stretches == 0 {
            return Err("it is DoRA's (use_dora), for which there is no room: start the server with such an adapter (--adapters, --lora-modules)".into());
        }
        let ranks = lora.modules.values().map(|module| module.rank).max().unwrap_or_default();
        let linear = layout.linear(&plan.model).map_err(|error| error.to_string())?;
        let specs = linear.iter().flat_map(|module| pooled_specs(layout, module, plan.dtype, lora.dora));
        let written = written_specs(&specs.collect::<Vec<_>>(), rank_room(ranks));
        let arrays: Vec<_> = written.iter().flat_map(|spec| spec.arrays(plan.layers.unrolled())).collect();
        let bytes = |array: &ParamArray| array.ty.shape().iter().product::<usize>() * array.ty.dtype.size();
        let bytes = arrays.iter().map(bytes).sum::<usize>() as u64;
        let footprint = Footprint { room: Room { ranks, stretches: usize::from(lora.dora) }, bytes };
        Ok(Understood { config: config.clone(), lora, footprint, arrays })
    }
}

/// What the adapter of a folder takes, by its configuration.
pub(crate) fn look_at(plan: &ModelPlan, path: &Path, layout: &AdapterPool) -> Result<Footprint, String> {
    footprint(plan, &config_of(path)?, layout)
}

/// What an adapter of that configuration takes, if there is room for its modules and kind at all.
pub(crate) fn footprint(plan: &ModelPlan, config: &LoraConfig, layout: &AdapterPool) -> Result<Footprint, String> {
    Ok(Understood::of(plan, config, layout)?.footprint)
}

/// What a configuration means, if it can be served beside others.
fn served(model: &LanguageModel, config: &LoraConfig) -> Result<Lora, String> {
    let lora = peft::lora(config, model).map_err(|error| error.to_string())?;
    match lora.own.first() {
        // A matrix of the model's size for each adapter would leave little to be shared.
        Some(name) => Err(format!(
            "it trains `{name}` in full, which is not served beside other adapters: merge it (`finery merge`) and serve the result"
        )),
        None => Ok(lora),
    }
}

/// The path of each adapted module, with its number, and without.
fn modules_of(model: &LanguageModel, lora: &Lora) -> Result<BTreeMap<String, String>, String> {
    let linear = model.adaptable_modules().map_err(|error| error.to_string())?;
    let mut found = BTreeMap::new();
    for module in &linear {
        for path in module.paths().into_iter().filter(|path| lora.modules.contains_key(path)) {
            if module.share < 1.0 {
                return Err(format!("`{path}` is an expert's, and adapters of experts are not served beside others"));
            }
            found.insert(path, module.path.clone());
        }
    }
    Ok(found)
}

fn read_factors(plan: &ModelPlan, order: &Order, last: &mut Option<Understood>) -> Result<Read, String> {
    let folder = AdapterFolder::open(&order.path, None).map_err(|error| error.to_string())?;
    let layout = order.layout.as_ref().ok_or("there is no room for adapters")?;
    let understood = match last.take().filter(|last| last.config == *folder.config()) {
        Some(same) => same,
        None => Understood::of(plan, folder.config(), layout)?,
    };
    let Understood { lora, footprint, arrays, .. } = last.insert(understood);
    let Footprint { room, bytes } = *footprint;
    if room.ranks > order.rank_max {
        return Err(format!("its rank of {} is more than there is room for, {}", room.ranks, order.rank_max));
    }
    if bytes > order.bytes {
        return Ok(Read::Needs(*footprint));
    }
    let arrays = arrays.iter().map(|array| Ok((array.name.clone(), factor(&folder, lora, array)?)));
    Ok(Read::Factors(Factors::new(room, arrays.collect::<Result<_, String>>()?)))
}

/// What the files have of an array, whose last axes are (rank, width), or (width) of magnitudes. Where they have nothing there are zeros, and
/// [`NO_MAGNITUDE`].
fn factor(folder: &AdapterFolder, lora: &Lora, array: &ParamArray) -> Result<HostTensor<'static>, String> {
    let shape = array.ty.shape();
    let pooled = |name: &str| {
        let name = name.trim_start_matches(NEW);
        let (pooled, own) = Pooled::of(name).ok_or_else(|| format!("{name} is no parameter of a pool"))?;
        let module = name.rsplit_once('.').map_or("", |(module, _)| module);
        Ok::<_, String>((pooled, own, module.to_owned()))
    };
    let (kind, ..) = pooled(&array.name)?;
    let (own_axes, nothing) = if kind == Pooled::Stretch { (1, NO_MAGNITUDE) } else { (2, 0.0) };
    let width = shape[shape.len() - 1];
    let size: usize = shape[shape.len() - own_axes..].iter().product();
    let mut values = vec![nothing; shape.iter().product()];
    for (name, to) in array.checkpoint_names.iter().zip(values.chunks_mut(size)) {
        let (_, own, module) = pooled(name)?;
        let Some(settings) = lora.modules.get(&module) else { continue };
        let tensor = folder.tensor(&own).map_err(|error| error.to_string())?;
        let tensor = tensor.ok_or_else(|| format!("its files have no {own}"))?;
        let wanted = match kind {
            Pooled::A => vec![settings.rank, width],
            Pooled::B => vec![width, settings.rank],
            Pooled::Stretch => vec![width],
        };
        if tensor.shape() != wanted {
            return Err(format!("{own} has the shape {:?} and not {wanted:?}", tensor.shape()));
        }
        let scale = if kind == Pooled::B { settings.scale } else { 1.0 };
        let read: Vec<f32> = tensor.to_f32().iter().map(|value| (f64::from(*value) * scale) as f32).collect();
        if let Some(value) = read.iter().find(|value| !value.is_finite()) {
            return Err(format!("{own} holds {value}, which is no finite number"));
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
    let values = HostTensor::from_vec(&shape, values).map_err(|error| error.to_string())?;
    Ok(cast(values, array.ty.dtype).map_err(|error| error.to_string())?.into_owned())
}
