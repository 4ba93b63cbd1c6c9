//! Adapters as files, and what is made of them: their factors in the order of the pool, read on a thread of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use checkpoint::{AdapterFolder, LoraConfig, cast};
use graph::{DType, HostTensor, ParamArray};
use models::{AdapterPool, LanguageModel, Lora};

use crate::ModelPlan;
use crate::batch::written_specs;

/// An adapter's factors as the pool takes them.
pub(crate) struct Factors {
    pub(crate) rank: usize,
    /// By the names of what the program that writes them is given.
    pub(crate) arrays: Vec<(String, HostTensor<'static>)>,
}

impl Factors {
    pub(crate) fn bytes(&self) -> u64 {
        self.arrays.iter().map(|(_, tensor)| tensor.bytes().len() as u64).sum()
    }
}

/// For how many ranks the program is made by which an adapter of so many is written.
pub(crate) fn rank_room(rank: usize) -> usize {
    rank.next_power_of_two().max(8)
}

/// What a thread is asked to read.
struct Order {
    generation: u64,
    path: PathBuf,
    layout: Option<AdapterPool>,
}

/// What comes of a thread that reads.
pub(crate) enum Received {
    /// An adapter's factors, or why there are none.
    Read(u64, Result<Factors, String>),
    /// Nothing yet.
    Nothing,
    /// The thread is gone.
    Ended,
}

/// How long nothing else is looked at where there is nothing to compute.
const MOMENT: Duration = Duration::from_millis(5);

type Read = (u64, Result<Factors, String>);

/// Reads adapters on a thread of its own, one after the other; it ends with this.
pub(crate) struct Loader {
    orders: Sender<Order>,
    read: Receiver<Read>,
}

impl Loader {
    pub(crate) fn new(plan: ModelPlan) -> Loader {
        let (orders, inbox) = channel::<Order>();
        let (outbox, read) = channel();
        std::thread::spawn(move || {
            for Order { generation, path, layout } in inbox {
                let factors = factors(&plan, &path, layout.as_ref());
                if outbox.send((generation, factors)).is_err() {
                    break;
                }
            }
        });
        Loader { orders, read }
    }

    pub(crate) fn read(&self, generation: u64, path: PathBuf, layout: Option<AdapterPool>) {
        // If the thread is gone nothing comes back, as for a file that takes forever.
        let _ = self.orders.send(Order { generation, path, layout });
    }

    /// The next that has been read, waiting a moment for it if so wanted.
    pub(crate) fn receive(&self, wait: bool) -> Received {
        let time = if wait { MOMENT } else { Duration::ZERO };
        match self.read.recv_timeout(time) {
            Ok((generation, read)) => Received::Read(generation, read),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Ended,
        }
    }
}

/// The modules beside which an adapter of that configuration is, as [`models::LinearModule::path`] has them.
pub(crate) fn served_modules(model: &LanguageModel, config: &LoraConfig) -> Result<BTreeSet<String>, String> {
    Ok(modules_of(model, &served(model, config)?)?.into_values().collect())
}

/// What a configuration means, if it can be served beside others.
fn served(model: &LanguageModel, config: &LoraConfig) -> Result<Lora, String> {
    let lora = peft::lora(config, model).map_err(|error| error.to_string())?;
    if lora.dora {
        return Err(
            "use_dora is not served beside other adapters: merge it (`finery export`) and serve the result".into()
        );
    }
    match lora.own.first() {
        Some(name) => Err(format!(
            "it trains `{name}` in full, which is not served beside other adapters: merge it (`finery export`) and serve the result"
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

fn factors(plan: &ModelPlan, path: &Path, layout: Option<&AdapterPool>) -> Result<Factors, String> {
    let folder = AdapterFolder::open(path, None).map_err(|error| error.to_string())?;
    let lora = served(&plan.model, folder.config())?;
    let layout = layout.ok_or("there is no room for adapters")?;
    let modules = modules_of(&plan.model, &lora)?;
    if let Some((path, _)) = modules.iter().find(|(_, module)| !layout.modules.contains(*module)) {
        return Err(format!(
            "it adapts `{path}`, a module for which there is no room: start the server with an adapter beside it in its folder"
        ));
    }
    let rank = lora.modules.values().map(|module| module.rank).max().unwrap_or_default();
    let specs = layout.specs(&plan.model, plan.dtype).map_err(|error| error.to_string())?;
    let arrays = written_specs(&specs, rank_room(rank));
    let arrays = arrays.iter().flat_map(|spec| spec.arrays(plan.layers.unrolled()));
    let arrays = arrays.map(|array| Ok((array.name.clone(), factor(&folder, &lora, &array, plan.dtype)?)));
    Ok(Factors { rank, arrays: arrays.collect::<Result<_, String>>()? })
}

/// What the files have of an array, whose last axes are (rank, width); zeros where they have nothing.
fn factor(
    folder: &AdapterFolder,
    lora: &Lora,
    array: &ParamArray,
    dtype: DType,
) -> Result<HostTensor<'static>, String> {
    let shape = array.ty.shape();
    let [room, width] = [shape[shape.len() - 2], shape[shape.len() - 1]];
    let mut values = vec![0.0f32; shape.iter().product()];
    for (name, to) in array.checkpoint_names.iter().zip(values.chunks_mut(room * width)) {
        let name = name.trim_start_matches(crate::batch::NEW);
        let (own, is_a) = AdapterPool::factor_of(name).ok_or_else(|| format!("{name} is no factor of a pool"))?;
        let module = name.rsplit_once('.').map_or("", |(module, _)| module);
        let Some(settings) = lora.modules.get(module) else { continue };
        let tensor = folder.tensor(&own).map_err(|error| error.to_string())?;
        let tensor = tensor.ok_or_else(|| format!("its files have no {own}"))?;
        let wanted = if is_a { [settings.rank, width] } else { [width, settings.rank] };
        if tensor.shape() != wanted {
            return Err(format!("{own} has the shape {:?} and not {wanted:?}", tensor.shape()));
        }
        let read = tensor.to_f32();
        match is_a {
            true => to[..read.len()].copy_from_slice(&read),
            false => {
                for (column, ranks) in read.chunks(settings.rank).enumerate() {
                    for (rank, value) in ranks.iter().enumerate() {
                        to[rank * width + column] = (f64::from(*value) * settings.scale) as f32;
                    }
                }
            }
        }
    }
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return Err(format!("it holds {value}, which is no finite number"));
    }
    let values = HostTensor::from_vec(&shape, values).map_err(|error| error.to_string())?;
    Ok(cast(values, dtype).map_err(|error| error.to_string())?.into_owned())
}
