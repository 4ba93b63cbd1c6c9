use std::fs;
use std::time::{Duration, Instant};

use checkpoint::{TargetModules, TensorSpec, write_adapter};
use graph::{DType, HostTensor};
use models::{AdapterPool, LanguageModel};
use runtime::Hardware;
use serde_json::json;

use super::*;
use crate::Counters;
use crate::base_model::KnownAs;
use crate::service::Counted;

const RANK: usize = 4;
const MODULE: &str = "model.layers.0.self_attn.q_proj";

fn plan() -> ModelPlan {
    let config = json!({
        "model_type": "llama", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1, "num_attention_heads": 4
    });
    ModelPlan::new(LanguageModel::from_json(&config).unwrap(), DType::F32, Hardware::CPU)
}

/// A pool for so many adapters, without a device.
fn pool(adapters: usize) -> Option<Pool> {
    let modules = std::iter::once("model.layers.*.self_attn.q_proj".to_owned()).collect();
    let layout = AdapterPool { places: 1 + adapters * RANK, stretches: 0, modules: Arc::new(modules) };
    Some(Pool::of(layout, Vec::new()))
}

/// Writes an adapter that holds nothing but `value`, in place of what is there.
fn write(folder: &Path, value: f32) {
    let new = folder.with_extension("new");
    let config = LoraConfig {
        r: RANK,
        target_modules: Some(TargetModules::Names(vec!["q_proj".to_owned()])),
        ..LoraConfig::default()
    };
    let specs = ["lora_A", "lora_B"].map(|factor| {
        let shape = if factor == "lora_A" { [RANK, 32] } else { [32, RANK] };
        TensorSpec::new(format!("{MODULE}.{factor}.weight"), DType::F32, shape)
    });
    write_adapter(&new, &config, &specs, None, |spec| {
        Ok(HostTensor::from_vec(&spec.shape, vec![value; spec.shape.iter().product()]).unwrap())
    })
    .unwrap();
    fs::create_dir_all(folder).unwrap();
    for file in ["adapter_config.json", "adapter_model.safetensors"] {
        fs::rename(new.join(file), folder.join(file)).unwrap();
    }
}

/// How an adapter stands once nothing of it is being read.
fn standing(adapters: &mut Adapters, generation: u64, pool: &mut Option<Pool>, put: &mut Write<'_>) -> Standing {
    for _ in 0..10_000 {
        adapters.receive(true);
        match adapters.bring(generation, true, pool, put).unwrap() {
            Standing::Coming => {}
            other => return other,
        }
    }
    panic!("the adapter does not come");
}

fn ready(adapters: &mut Adapters, generation: u64, pool: &mut Option<Pool>) -> Arc<Places> {
    match standing(adapters, generation, pool, &mut |_, _, _| Ok(())) {
        Standing::Ready(places) => places,
        other => panic!("{other:?}"),
    }
}

/// The bytes of one such adapter in host memory.
fn bytes_of_one(plan: &ModelPlan, pool: &Option<Pool>, folder: &Path) -> u64 {
    let config = config_of(folder).unwrap();
    Reader::new(plan.clone(), RANK).footprint(&config, &pool.as_ref().unwrap().layout).unwrap().bytes
}

fn below(seed: &mut u64, end: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) % end as u64) as usize
}

/// Waits until nothing is looked for or looked at.
fn settle(adapters: &mut Adapters) {
    while adapters.is_looking() {
        adapters.receive(true);
    }
}

/// What requests get by a name.
fn told(adapters: &mut Adapters, name: &str) -> Option<AdapterEntry> {
    let (tell, told) = std::sync::mpsc::channel();
    adapters.tell(name.to_owned(), move |entry| tell.send(entry).unwrap());
    settle(adapters);
    told.recv().unwrap()
}

fn unload(adapters: &mut Adapters, name: &str) -> bool {
    let (reply, _told) = oneshot::channel();
    adapters.begin_to_unload(name.to_owned(), reply);
    settle(adapters);
    let (name, is_in_folder, _) = adapters.take_unloading().pop().unwrap();
    adapters.unload(&name, is_in_folder).is_some()
}

/// Its files may be others by then.
#[test]
fn what_is_unloaded_is_read_from_the_folder_anew() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("poet")).unwrap();
    fs::write(folder.path().join("poet/adapter_config.json"), "{}").unwrap();
    let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan(), &options);
    let first = adapters.acquire("poet").unwrap();
    settle(&mut adapters);
    assert!(adapters.acquire("../poet").is_none());
    assert!(unload(&mut adapters, "poet") && adapters.entries().is_empty());
    // The answer under way goes on with what it has.
    assert!(adapters.known.contains_key(&first));
    assert!(adapters.acquire("poet").unwrap() > first);
    adapters.release(first, false, &mut None);
    assert!(!adapters.known.contains_key(&first));
}

/// Nothing stays of a name that somebody made up.
#[test]
fn a_name_that_the_folder_does_not_have_is_none_once_that_is_known() {
    let (folder, mut pool) = (tempfile::tempdir().unwrap(), pool(1));
    let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan(), &options);
    let [first, second] = [(); 2].map(|()| adapters.acquire("nobody").unwrap());
    assert!(first == second && adapters.is_sought(first) && adapters.entries().is_empty());
    assert_eq!(standing(&mut adapters, first, &mut pool, &mut |_, _, _| Ok(())), Standing::Absent);
    assert!(adapters.names.is_empty() && told(&mut adapters, "nobody").is_none());
    [first, second].into_iter().for_each(|generation| adapters.release(generation, false, &mut pool));
    adapters.sweep(&mut pool);
    assert!(adapters.known.is_empty());
    write(&folder.path().join("nobody"), 1.0);
    let generation = adapters.acquire("nobody").unwrap();
    ready(&mut adapters, generation, &mut pool);
    assert!(!adapters.is_sought(generation) && adapters.entries().len() == 1);
}

/// Whatever was loaded from elsewhere by its name before.
#[test]
fn what_is_put_into_the_folder_after_its_name_was_unloaded_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan(), &options);
    for name in (0..100).map(|number| format!("customer-{number}")) {
        adapters.register(&name, "elsewhere".into());
        assert!(unload(&mut adapters, &name));
    }
    write(&folder.path().join("customer-7"), 1.0);
    let put = AdapterEntry { name: "customer-7".to_owned(), path: folder.path().join("customer-7") };
    assert_eq!((told(&mut adapters, "customer-7"), adapters.list().all()), (Some(put.clone()), vec![put]));
    assert!(adapters.acquire("customer-7").is_some());
}

/// One that is in memory goes on; of the others the folder decides, whether they could not be read, have left memory or were never asked for.
#[test]
fn what_is_taken_out_of_the_folder_is_there_only_as_long_as_it_is_in_memory() {
    let (folder, plan, mut pool) = (tempfile::tempdir().unwrap(), plan(), pool(3));
    let path = |name: &str| folder.path().join(name);
    let names = ["broken", "gone", "kept", "later"];
    names.iter().for_each(|name| write(&path(name), name.len() as f32));
    fs::write(path("broken").join("adapter_model.safetensors"), "garbage").unwrap();
    let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan, &options);
    // As the engine does at its start.
    for (name, place, _) in adapters.in_folder().unwrap().into_iter().filter(|(name, ..)| name != "later") {
        adapters.register(&name, place);
    }
    let listed = |adapters: &mut Adapters| {
        let all = adapters.list().all();
        all.into_iter().map(|entry| entry.name).collect::<Vec<_>>()
    };
    let mut ask = |adapters: &mut Adapters, name: &str| {
        let generation = adapters.acquire(name).unwrap();
        let found = standing(adapters, generation, &mut pool, &mut |_, _, _| Ok(()));
        adapters.release(generation, false, &mut pool);
        adapters.sweep(&mut pool);
        found
    };
    assert!(matches!(ask(&mut adapters, "kept"), Standing::Ready(_)));
    let gone = adapters.names["gone"];
    assert!(matches!(ask(&mut adapters, "gone"), Standing::Ready(_)));
    for _ in 0..2 {
        let Standing::Broken(Broken { fault, reason }) = ask(&mut adapters, "broken") else { panic!("it is garbage") };
        assert!(fault == AdapterFault::Files && reason.contains("safetensors"), "{reason}");
        assert_eq!(listed(&mut adapters), names, "its files may be mended");
        assert_eq!(told(&mut adapters, "broken").unwrap().path, path("broken"));
    }
    names.iter().for_each(|name| fs::remove_dir_all(path(name)).unwrap());
    assert_eq!(listed(&mut adapters), ["gone", "kept"]);
    assert!(told(&mut adapters, "broken").is_none() && told(&mut adapters, "kept").is_some());
    for name in ["broken", "later"] {
        assert_eq!(ask(&mut adapters, name), Standing::Absent, "{name}");
    }
    assert!(matches!(ask(&mut adapters, "kept"), Standing::Ready(_)));
    // It leaves memory.
    adapters.change(gone, |adapter| (adapter.places, adapter.host) = (None, None));
    assert_eq!((listed(&mut adapters), told(&mut adapters, "gone")), (vec!["kept".to_owned()], None));
    assert_eq!(ask(&mut adapters, "gone"), Standing::Absent);
    assert_eq!(adapters.names.keys().collect::<Vec<_>>(), ["kept"]);
    assert!(!unload(&mut adapters, "broken") && unload(&mut adapters, "kept"));
    write(&path("broken"), 3.0);
    assert!(matches!(ask(&mut adapters, "broken"), Standing::Ready(_)));
}

#[test]
fn a_folder_of_adapters_is_not_itself_one() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("poet"), 1.0);
    let found = |path: PathBuf| {
        let options = EngineOptions { adapters: Some(path), ..EngineOptions::default() };
        Adapters::new(&plan(), &options)
            .in_folder()
            .map(|all| all.into_iter().map(|(name, ..)| name).collect::<Vec<_>>())
    };
    assert_eq!(found(folder.path().to_owned()).unwrap(), ["poet"]);
    let path = folder.path().join("poet");
    let expected = format!(
        "{0} is itself an adapter, and not a folder of adapters: give the folder above it to --adapters, or give --lora-modules NAME={0}",
        path.display()
    );
    assert_eq!(found(path).unwrap_err().to_string(), expected);
    let options = EngineOptions {
        adapters: Some(folder.path().to_owned()),
        model_names: vec!["poet".to_owned()],
        ..EngineOptions::default()
    };
    let mut adapters = Adapters::new(&plan(), &options);
    assert!(adapters.in_folder().unwrap().is_empty() && adapters.list().all().is_empty(), "it is the model's name");
    assert!(adapters.acquire("poet").is_none() && told(&mut adapters, "poet").is_none());
}

/// A disk may be slow, and an adapter large.
#[test]
fn nobody_who_asks_about_an_adapter_waits_until_others_are_read() {
    let mut adapters = Adapters::new(&plan(), &EngineOptions::default());
    let (go_on, hold) = std::sync::mpsc::channel::<()>();
    let read = move |_: &Order| {
        let _ = hold.recv();
        Err(Broken::by_files("it was held"))
    };
    adapters.loader = Loader::begin(read, |_| Ok(Footprint::default()));
    let (generation, mut pool) = (adapters.register("slow", "slow".into()), pool(1));
    let put: &mut Write<'_> = &mut |_, _, _| Ok(());
    assert_eq!(adapters.bring(generation, true, &mut pool, put).unwrap(), Standing::Coming);
    let (reply, _told) = oneshot::channel();
    let layout = pool.as_ref().unwrap().layout.clone();
    adapters.look(Look { name: "new".to_owned(), path: "new".into(), is_pinned: false, layout, reply });
    settle(&mut adapters);
    assert_eq!(adapters.take_looked().len(), 1);
    assert!(adapters.known[&generation].is_loading);
    drop(go_on);
}

/// Nor until others are looked at, whose numbers are all read.
#[test]
fn a_name_is_looked_for_while_an_adapter_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("poet"), 1.0);
    let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan(), &options);
    let (go_on, hold) = std::sync::mpsc::channel();
    adapters.hold_looks(hold);
    let (reply, _waits) = oneshot::channel();
    let (path, layout) = (folder.path().join("poet"), pool(1).unwrap().layout);
    adapters.look(Look { name: "new".to_owned(), path, is_pinned: false, layout, reply });
    let (tell, told) = std::sync::mpsc::channel();
    adapters.tell("poet".to_owned(), move |entry| tell.send(entry).unwrap());
    let (reply, _waits) = oneshot::channel();
    adapters.begin_to_unload("poet".to_owned(), reply);
    let until = Instant::now() + Duration::from_secs(20);
    while adapters.unloading.is_empty() && Instant::now() < until {
        adapters.receive(true);
    }
    assert_eq!(told.try_recv().unwrap().map(|entry| entry.name), Some("poet".to_owned()));
    assert!(matches!(&adapters.take_unloading()[..], [(name, true, _)] if name == "poet"));
    assert!(adapters.is_looking() && adapters.take_looked().is_empty(), "it is still held");
    go_on.send(()).unwrap();
    settle(&mut adapters);
    assert!(matches!(&adapters.take_looked()[..], [(_, Ok(_))]));
}

/// A client may leave before its turn, and while many gigabytes are read.
#[test]
fn an_adapter_that_nobody_waits_for_is_looked_at_no_further() {
    let folder = tempfile::tempdir().unwrap();
    let layout = pool(1).unwrap().layout;
    let mut adapters = Adapters::new(&plan(), &EngineOptions::default());
    adapters.loader =
        Loader::begin(|_| Err(Broken::by_files("none is read")), |look| Err(format!("{} was read", look.name)));
    let mut look = |name: &str, is_waited_for: bool| {
        let (reply, told) = oneshot::channel();
        let _told = is_waited_for.then_some(told);
        let layout = layout.clone();
        adapters.look(Look { name: name.to_owned(), path: name.into(), is_pinned: false, layout, reply });
        settle(&mut adapters);
        adapters.take_looked().pop().unwrap().1.unwrap_err()
    };
    assert_eq!([look("left", false), look("here", true)], [files::LEFT, "here was read"]);
    // Of two arrays, the second is at fault.
    write(folder.path(), 60_000.0);
    let reader = Reader::new(ModelPlan { dtype: DType::F16, ..plan() }, RANK);
    let look_through = |arrays: usize| {
        let asked = std::cell::Cell::new(0);
        let is_wanted = || asked.replace(asked.get() + 1) < arrays;
        reader.look_through(folder.path(), &layout, is_wanted).unwrap_err().reason
    };
    assert_eq!([look_through(0), look_through(1)], [files::LEFT; 2]);
    assert!(look_through(2).contains("lora_B.weight holds 120000"));
}

/// What is computed with it would be none either.
#[test]
fn numbers_that_are_not_finite_are_found_when_an_adapter_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let (path, layout) = (folder.path().join("a"), pool(1).unwrap().layout);
    let alpha = |alpha: f64| {
        let mut config: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(path.join("adapter_config.json")).unwrap()).unwrap();
        config["lora_alpha"] = json!(alpha);
        fs::write(path.join("adapter_config.json"), config.to_string()).unwrap();
    };
    let narrow = |dtype| ModelPlan { dtype, ..plan() };
    let cases = [
        (DType::F32, 1.0, 8.0, "", ""),
        (DType::F32, f32::NAN, 8.0, "lora_A.weight holds NaN which is no finite number in f32", ""),
        (DType::F32, f32::INFINITY, 8.0, "lora_A.weight holds inf which is no finite number in f32", ""),
        (DType::F16, 60_000.0, 4.0, "", ""),
        (DType::F16, 60_000.0, 8.0, "lora_B.weight holds 120000, with the scale of lora_alpha and r, which is", ""),
        (DType::F16, 70_000.0, 4.0, "lora_A.weight holds 70000 which is no finite number in f16", ""),
        (DType::F32, 1e10, 1e30, "lora_B.weight holds inf, with the scale of", ""),
        // The configuration alone tells so.
        (DType::F32, 1.0, 1e300, "", "lora_alpha and r make 2.5e299 of"),
    ];
    for (dtype, value, numerator, said, said_at_once) in cases {
        write(&path, value);
        alpha(numerator);
        let mut adapters = Adapters::new(&narrow(dtype), &EngineOptions::default());
        let told = |looked: std::result::Result<Footprint, String>, said: &str| match (looked, said) {
            (Ok(_), "") => {}
            (Err(reason), said) if !said.is_empty() && reason.contains(said) => {}
            (looked, _) => panic!("{value}, {numerator} in {dtype}: {looked:?}"),
        };
        told(adapters.look_at(&path, &layout), said_at_once);
        // As over HTTP.
        let (reply, _waits) = oneshot::channel();
        let (name, path, layout) = ("a".to_owned(), path.clone(), layout.clone());
        adapters.look(Look { name, path, is_pinned: false, layout, reply });
        settle(&mut adapters);
        let (_, looked) = adapters.take_looked().pop().unwrap();
        told(looked, if said.is_empty() { said_at_once } else { said });
    }
}

#[test]
fn an_adapter_for_another_model_or_task_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (path, layout) = (folder.path().join("a"), pool(1).unwrap().layout);
    let plan = ModelPlan { known_as: KnownAs::by(Path::new("quickstart/base"), None), ..plan() };
    let options = EngineOptions { model_names: vec!["org/served".to_owned()], ..EngineOptions::default() };
    let adapters = Adapters::new(&plan, &options);
    let mut told = 0;
    for (base, task, news) in [
        (json!("quickstart/base"), json!("CAUSAL_LM"), 0),
        (json!("other/served"), json!("CAUSAL_LM"), 0),
        (json!(null), json!(null), 0),
        (json!("org/other"), json!("CAUSAL_LM"), 1),
        (json!("org/base"), json!("SEQ_CLS"), 1),
    ] {
        write(&path, 1.0);
        let file = path.join("adapter_config.json");
        let mut config: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        (config["base_model_name_or_path"], config["task_type"]) = (base.clone(), task);
        fs::write(&file, config.to_string()).unwrap();
        adapters.look_at(&path, &layout).unwrap();
        told += news;
        assert_eq!(adapters.reader.told.lock().unwrap().len(), told, "{base}");
    }
}

#[test]
fn an_adapter_with_another_chat_template_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (path, layout) = (folder.path().join("a"), pool(1).unwrap().layout);
    write(&path, 1.0);
    let told = |served: Option<&str>| {
        let options = EngineOptions { chat_template: served.map(str::to_owned), ..EngineOptions::default() };
        let adapters = Adapters::new(&plan(), &options);
        // Once, however often it is registered.
        for _ in 0..2 {
            adapters.look_at(&path, &layout).unwrap();
        }
        adapters.reader.told.lock().unwrap().len()
    };
    assert_eq!(told(Some("{{ messages }}")), 0, "it has none");
    for (file, text) in [
        ("tokenizer_config.json", json!({"chat_template": "{{ messages }}\n"}).to_string()),
        ("chat_template.jinja", "{{ messages }}\n".to_owned()),
    ] {
        fs::write(path.join(file), text).unwrap();
        for (served, expected) in [(Some("{{ messages }}"), 0), (Some("{{ bos_token }}"), 1), (None, 0)] {
            assert_eq!(told(served), expected, "{file}, {served:?}");
        }
    }
    fs::write(path.join("tokenizer_config.json"), "{").unwrap();
    assert_eq!(told(Some("{{ bos_token }}")), 0, "what is damaged is not used");
}

/// Tracing a large model takes tens of milliseconds.
#[test]
fn a_model_is_traced_once_for_all_adapters_and_a_configuration_understood_once() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 1.0);
    let (config, reader) = (config_of(folder.path()).unwrap(), Reader::new(plan(), RANK));
    let served = reader.served(&config).unwrap();
    assert!(Arc::ptr_eq(&served, &reader.served(&config).unwrap()));
    let traced: *const _ = reader.adaptable().unwrap();
    // More of them than are remembered.
    for alpha in 100..300 {
        let config = LoraConfig { lora_alpha: f64::from(alpha), ..config.clone() };
        assert!(!Arc::ptr_eq(&served, &reader.served(&config).unwrap()));
    }
    assert!(std::ptr::eq(traced, reader.adaptable().unwrap()));
    assert!(!Arc::ptr_eq(&served, &reader.served(&config).unwrap()), "it was forgotten meanwhile");
}

/// Of files that are being written, no more is known than that.
#[test]
fn what_is_cut_off_or_of_too_many_ranks_is_told_by_a_look() {
    let (folder, plan, pool) = (tempfile::tempdir().unwrap(), plan(), pool(1).unwrap());
    let look = |rank_max| Reader::new(plan.clone(), rank_max).look_at(folder.path(), &pool.layout).map(drop);
    write(folder.path(), 1.0);
    assert_eq!(look(RANK), Ok(()));
    let reason = look(RANK - 1).unwrap_err().reason;
    assert_eq!(
        reason,
        "its rank of 4 is more than there is room for, 3: start the server with --max-lora-rank 4, or make it smaller"
    );
    let weights = folder.path().join("adapter_model.safetensors");
    fs::OpenOptions::new().write(true).open(&weights).unwrap().set_len(1000).unwrap();
    let reason = look(RANK).unwrap_err().reason;
    assert!(reason.contains("is not a valid safetensors file") && reason.contains("truncated"), "{reason}");
    fs::remove_file(&weights).unwrap();
    let reason = look(RANK).unwrap_err().reason;
    assert!(reason.ends_with("it has no adapter_model.safetensors"), "{reason}");
}

/// Opening a pipe waits for its other end, for ever if there is none.
#[test]
fn a_pipe_is_no_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("adapter_config.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (tell, told) = std::sync::mpsc::channel();
    let path = folder.path().to_owned();
    std::thread::spawn(move || tell.send(config_of(&path).map(drop)));
    let refused = told.recv_timeout(Duration::from_secs(20)).expect("nobody waits for it").unwrap_err();
    assert_eq!(refused, format!("cannot read {}: it is not a file", pipe.display()));
}

/// Whoever asks for an adapter cannot help that a disk fails.
#[test]
fn files_that_the_system_fails_to_read_are_not_at_fault_themselves() {
    let of = |cause: io::Error| {
        let path = PathBuf::from("a/adapter_model.safetensors");
        Broken::from(checkpoint::Error::Io { action: "read", path, cause })
    };
    let says = "could not read a/adapter_model.safetensors: ";
    for kind in [
        ErrorKind::NotFound,
        ErrorKind::UnexpectedEof,
        ErrorKind::InvalidData,
        ErrorKind::InvalidInput,
        ErrorKind::IsADirectory,
        ErrorKind::NotADirectory,
    ] {
        let Broken { fault, reason } = of(kind.into());
        assert!(fault == AdapterFault::Files && reason.starts_with(says), "{kind:?}, {reason}");
    }
    for kind in [ErrorKind::PermissionDenied, ErrorKind::StaleNetworkFileHandle, ErrorKind::TimedOut, ErrorKind::Other]
    {
        let Broken { fault, reason } = of(kind.into());
        assert!(fault == AdapterFault::Engine && reason.starts_with(says), "{kind:?}, {reason}");
    }
    // Of Linux and its like: EIO and EINVAL.
    for number in [5, 22] {
        assert_eq!(of(io::Error::from_raw_os_error(number)).fault, AdapterFault::Engine, "{number}");
    }
    let rule = "it has no adapter_model.safetensors".to_owned();
    assert_eq!(Broken::from(checkpoint::Error::Adapter { path: "a".into(), problem: rule }).fault, AdapterFault::Files);
}

/// A process cannot read its memory at 0: EIO, also for root.
#[test]
#[cfg(target_os = "linux")]
fn an_adapter_that_the_system_fails_to_read_is_the_servers_fault() {
    let (folder, mut pool) = (tempfile::tempdir().unwrap(), pool(1));
    let config = folder.path().join("adapter_config.json");
    std::os::unix::fs::symlink("/proc/self/mem", &config).unwrap();
    let mut adapters = Adapters::new(&plan(), &EngineOptions::default());
    let generation = adapters.register("a", folder.path().to_owned());
    let found = standing(&mut adapters, generation, &mut pool, &mut |_, _, _| Ok(()));
    let Standing::Broken(Broken { fault, reason }) = found else { panic!("{found:?}") };
    assert!(reason.starts_with(&format!("could not read {}: ", config.display())), "{reason}");
    assert_eq!(fault, AdapterFault::Engine);
    // Others are at fault themselves.
    fs::remove_file(&config).unwrap();
    let generation = adapters.register("a", folder.path().to_owned());
    let found = standing(&mut adapters, generation, &mut pool, &mut |_, _, _| Ok(()));
    assert!(matches!(&found, Standing::Broken(Broken { fault: AdapterFault::Files, .. })), "{found:?}");
}

#[test]
fn after_an_adapter_whose_reading_panics_others_are_read() {
    let (folder, plan) = (tempfile::tempdir().unwrap(), plan());
    let mut pool = pool(2);
    let mut adapters = Adapters::new(&plan, &EngineOptions::default());
    let read = |order: &Order| {
        assert!(!order.path.ends_with("odd"), "a fault");
        Ok(Read::Needs(Footprint { bytes: 7, ..Footprint::default() }))
    };
    adapters.loader = Loader::begin(read, |look| panic!("a fault with {}", look.name));
    let [odd, fine] = ["odd", "fine"].map(|name| adapters.register(name, folder.path().join(name)));
    let put: &mut Write<'_> = &mut |_, _, _| Ok(());
    let found = standing(&mut adapters, odd, &mut pool, put);
    let Standing::Broken(Broken { fault, reason }) = found else { panic!("{found:?}") };
    assert!(fault == AdapterFault::Engine && reason.starts_with("reading it panicked"), "{reason}");
    assert_eq!(adapters.bring(fine, true, &mut pool, put).unwrap(), Standing::Coming);
    (0..1000).for_each(|_| adapters.receive(adapters.known[&fine].is_loading));
    assert_eq!(adapters.known[&fine].footprint.bytes, 7, "the thread goes on");
    let (reply, _told) = tokio::sync::oneshot::channel();
    let layout = pool.unwrap().layout;
    adapters.look(Look { name: "new".to_owned(), path: "new".into(), is_pinned: false, layout, reply });
    (0..1000).for_each(|_| adapters.receive(adapters.is_looking()));
    let looked: Vec<_> = adapters.take_looked().into_iter().map(|(look, looked)| (look.name, looked)).collect();
    assert!(matches!(&looked[..], [(name, Err(reason))] if name == "new" && reason.starts_with("reading it panicked")));
}

#[test]
fn names_are_listed_anew_when_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan(), &options);
    let listed = |adapters: &mut Adapters| {
        let entries = adapters.entries();
        assert!(Arc::ptr_eq(&entries, &adapters.entries()), "it is made once");
        entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>()
    };
    assert!(listed(&mut adapters).is_empty());
    ["wise", "poet"].into_iter().for_each(|name| _ = adapters.register(name, name.into()));
    assert_eq!(listed(&mut adapters), ["poet", "wise"]);
    adapters.register("poet", "elsewhere".into());
    assert_eq!((adapters.entries()[0].path.as_path(), listed(&mut adapters).len()), (Path::new("elsewhere"), 2));
    adapters.unload("wise", false);
    assert_eq!(listed(&mut adapters), ["poet"]);
    // What is put into the folder is found by its name and listed, and registered once it was asked for.
    let all = |adapters: &mut Adapters| {
        let all = adapters.list().all().into_iter().map(|entry| entry.name);
        all.collect::<Vec<_>>().join(" ")
    };
    assert_eq!((told(&mut adapters, "put"), all(&mut adapters)), (None, "poet".to_owned()));
    for other in ["aside", ".hidden/adapter_config.json", "empty"] {
        fs::create_dir_all(folder.path().join(other)).unwrap();
    }
    fs::write(folder.path().join("aside/adapter_model.safetensors"), "").unwrap();
    fs::write(folder.path().join("adapter_config.json"), "{}").unwrap();
    fs::create_dir(folder.path().join("put")).unwrap();
    fs::write(folder.path().join("put/adapter_config.json"), "{}").unwrap();
    let put = AdapterEntry { name: "put".to_owned(), path: folder.path().join("put") };
    assert_eq!((told(&mut adapters, "put"), listed(&mut adapters)), (Some(put.clone()), vec!["poet".to_owned()]));
    assert_eq!((all(&mut adapters), &adapters.list().all()[1]), ("poet put".to_owned(), &put));
    adapters.acquire("put").unwrap();
    settle(&mut adapters);
    assert_eq!((adapters.entry("put"), listed(&mut adapters).len()), (Some(put), 2));
    assert_eq!(all(&mut adapters), "poet put");
    unload(&mut adapters, "put");
    assert_eq!((listed(&mut adapters), all(&mut adapters)), (vec!["poet".to_owned()], "poet put".to_owned()));
    fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(all(&mut adapters), "poet", "those that are registered lie elsewhere");
}

/// An answer of the test below.
struct Held {
    generation: u64,
    places: Option<Arc<Places>>,
}

/// Answers with adapters, and a device of which it is known what lies in each place.
struct Scene {
    adapters: Adapters,
    pool: Option<Pool>,
    device: HashMap<u32, Hash>,
    /// What each generation's first answer found.
    contents: HashMap<u64, Hash>,
    held: Vec<Held>,
    replaced: usize,
    computed: usize,
}

impl Scene {
    fn end(&mut self, at: usize) {
        let Held { generation, places } = self.held.remove(at);
        self.adapters.release(generation, places.is_some(), &mut self.pool);
    }

    /// Brings the adapters of all answers nearer, as the engine does it.
    fn bring(&mut self) {
        let (mut at, mut is_first) = (0, true);
        while at < self.held.len() {
            let Held { generation, places } = &mut self.held[at];
            if places.is_some() {
                at += 1;
                continue;
            }
            let put: &mut Write<'_> = &mut |_, factors, places| {
                places.ranks.iter().for_each(|place| _ = self.device.insert(*place, factors.hash));
                Ok(())
            };
            match self.adapters.bring(*generation, is_first, &mut self.pool, put).unwrap() {
                Standing::Ready(found) => {
                    self.adapters.begin(*generation);
                    self.computed += 1;
                    let content = self.device[&found.ranks[0]];
                    let first = *self.contents.entry(*generation).or_insert(content);
                    assert_eq!(first, content, "a generation of two contents");
                    *places = Some(found);
                }
                Standing::Replaced(next) => {
                    self.replaced += 1;
                    self.adapters.change_over(*generation, next, &mut self.pool);
                    *generation = next;
                }
                Standing::Broken(Broken { reason, .. }) => {
                    assert!(reason.starts_with("its files hold another adapter"), "{reason}");
                    self.end(at);
                }
                Standing::Coming => (at, is_first) = (at + 1, false),
                Standing::NoRoom => break,
                Standing::Absent => panic!("the folder has them all"),
            }
        }
    }

    fn check(&self) {
        let mut taken: HashMap<u32, u64> = HashMap::new();
        for Held { generation, places } in &self.held {
            for place in places.iter().flat_map(|places| &places.ranks) {
                assert_eq!(self.device[place], self.contents[generation], "what is computed with was written over");
                assert_eq!(*taken.entry(*place).or_insert(*generation), *generation, "two adapters have one place");
            }
        }
    }
}

/// Host memory for two of six adapters, a device for two, and files that change under all of it: a generation's answers find what its first found, no two
/// have a place, and memory is never more than it may be.
#[test]
fn no_two_adapters_are_mixed_up_whatever_is_evicted_and_replaced() {
    let (folder, plan, pool) = (tempfile::tempdir().unwrap(), plan(), pool(2));
    let path = |name: usize| folder.path().join(format!("a{name}"));
    (0..6).for_each(|name| write(&path(name), name as f32));
    let host_bytes = 2 * bytes_of_one(&plan, &pool, &path(0));
    let adapters = Some(folder.path().to_owned());
    let options = EngineOptions { adapters, adapter_host_bytes: host_bytes, ..EngineOptions::default() };
    let (device, contents, held) = Default::default();
    let adapters = Adapters::new(&plan, &options);
    let mut scene = Scene { adapters, pool, device, contents, held, replaced: 0, computed: 0 };
    let (mut seed, mut value) = (11, 100.0);
    for _ in 0..2500 {
        let name = below(&mut seed, 6);
        match below(&mut seed, 10) {
            0 => {
                value += 1.0;
                write(&path(name), value);
            }
            1 if below(&mut seed, 8) == 0 => {
                scene.adapters.unload(&format!("a{name}"), true);
                scene.adapters.register(&format!("a{name}"), path(name));
            }
            2..=5 if scene.held.len() < 8 => {
                let generation = scene.adapters.acquire(&format!("a{name}")).unwrap();
                scene.held.push(Held { generation, places: None });
            }
            6.. if !scene.held.is_empty() => scene.end(below(&mut seed, scene.held.len())),
            _ => {}
        }
        scene.adapters.receive(below(&mut seed, 4) == 0);
        scene.adapters.sweep(&mut scene.pool);
        scene.bring();
        assert!(scene.adapters.host_bytes() <= host_bytes, "{} bytes", scene.adapters.host_bytes());
        scene.check();
    }
    let Scene { computed, replaced, .. } = scene;
    assert!(computed > 150 && replaced > 5, "{computed} computed, {replaced} replaced: too few to know anything");
    while !scene.held.is_empty() {
        scene.end(0);
    }
    // What is counted is what is there.
    let mut adapters = scene.adapters;
    while !adapters.reading.is_empty() {
        adapters.receive(true);
    }
    let on_host: u64 = adapters.known.values().filter_map(|one| one.host.as_ref()).map(|factors| factors.bytes()).sum();
    assert_eq!(adapters.host_bytes(), on_host);
    let on_device = adapters.known.values().map(|one| one.room().ranks).sum::<usize>();
    assert_eq!(scene.pool.unwrap().left().ranks + on_device, 2 * RANK);
    assert_eq!(adapters.idle_room.ranks, on_device);
}

#[test]
fn an_adapter_whose_files_change_and_whose_name_is_gone_fails_clearly() {
    let (folder, plan) = (tempfile::tempdir().unwrap(), plan());
    let path = folder.path().join("a");
    write(&path, 1.0);
    let mut pool = pool(1);
    let bytes = bytes_of_one(&plan, &pool, &path);
    let mut adapters = Adapters::new(&plan, &EngineOptions { adapter_host_bytes: bytes, ..EngineOptions::default() });
    let first = adapters.register("a", path.clone());
    adapters.acquire("a").unwrap();
    ready(&mut adapters, first, &mut pool);
    // Another takes its memory in both tiers while an answer waits for it.
    let other = folder.path().join("other");
    write(&other, 2.0);
    adapters.register("other", other);
    let second = adapters.acquire("other").unwrap();
    ready(&mut adapters, second, &mut pool);
    adapters.unload("a", false);
    write(&path, 3.0);
    let found = standing(&mut adapters, first, &mut pool, &mut |_, _, _| Ok(()));
    let Standing::Broken(Broken { fault, reason }) = found else { panic!("{found:?}") };
    assert!(reason.starts_with("its files hold another adapter than when it was asked for"), "{reason}");
    assert_eq!(fault, AdapterFault::Files);
}

#[test]
fn host_memory_is_a_bound_that_no_adapter_is_larger_than() {
    let (folder, plan) = (tempfile::tempdir().unwrap(), plan());
    write(folder.path().join("a").as_path(), 1.0);
    let mut pool = pool(1);
    let bytes = bytes_of_one(&plan, &pool, &folder.path().join("a"));
    let options = EngineOptions {
        adapters: Some(folder.path().to_owned()),
        adapter_host_bytes: bytes - 1,
        ..EngineOptions::default()
    };
    let mut adapters = Adapters::new(&plan, &options);
    let generation = adapters.acquire("a").unwrap();
    let found = standing(&mut adapters, generation, &mut pool, &mut |_, _, _| Ok(()));
    let Standing::Broken(Broken { fault, reason }) = found else { panic!("{found:?}") };
    let expected = format!("it takes {bytes} bytes of host memory, and all adapters there may take {}", bytes - 1);
    assert!(fault == AdapterFault::Room && reason.starts_with(&expected), "{reason}");
    assert_eq!(adapters.host_bytes(), 0);
}

#[test]
fn what_is_pinned_stays_and_pins_keep_to_what_there_is() {
    let (folder, plan) = (tempfile::tempdir().unwrap(), plan());
    let path = |name: &str| folder.path().join(name);
    ["a", "b", "c"].iter().for_each(|name| write(&path(name), name.len() as f32));
    let mut pool = pool(2);
    let of_pool = Room::of(&pool.as_ref().unwrap().layout);
    let config = config_of(&path("a")).unwrap();
    let takes = Reader::new(plan.clone(), RANK).footprint(&config, &pool.as_ref().unwrap().layout).unwrap();
    let options = EngineOptions {
        adapters: Some(folder.path().to_owned()),
        adapter_host_bytes: 2 * takes.bytes,
        adapter_rank_max: RANK,
        ..EngineOptions::default()
    };
    let mut adapters = Adapters::new(&plan, &options);
    adapters.register_pinned("a", path("a"), takes, of_pool).unwrap();
    let [pinned] = adapters.absent_pins()[..] else { panic!("it is to come without being asked for") };
    let places = ready(&mut adapters, pinned, &mut pool);
    assert!(adapters.absent_pins().is_empty());
    for name in ["b", "c", "b", "c"] {
        let generation = adapters.acquire(name).unwrap();
        ready(&mut adapters, generation, &mut pool);
        adapters.release(generation, false, &mut pool);
        assert!(adapters.known[&pinned].host.is_some(), "host memory keeps it");
        assert_eq!(adapters.known[&pinned].places.as_ref(), Some(&places), "the device keeps it");
    }
    // Once more, by its own name: it takes its own place.
    adapters.register_pinned("a", path("a"), takes, of_pool).unwrap();
    adapters.sweep(&mut pool);
    assert_eq!(adapters.lack_beside_pins(of_pool), None, "there is a place for one of the most ranks");
    adapters.register_pinned("b", path("b"), takes, of_pool).unwrap();
    let lack = adapters.lack_beside_pins(of_pool).unwrap();
    assert!(lack.starts_with("pinned adapters leave 0 of the device's 8 ranks (--max-loras times"), "{lack}");
    let reason = adapters.register_pinned("c", path("c"), takes, of_pool).unwrap_err();
    let expected = "it has 4 ranks, and pinned adapters leave 0 of the device's 8 (--max-loras times --max-lora-rank): unload one of them, or start the \
                    server with a larger --max-loras";
    assert_eq!(reason, expected);
    for generation in adapters.absent_pins() {
        ready(&mut adapters, generation, &mut pool);
    }
    let generation = adapters.acquire("c").unwrap();
    let found = standing(&mut adapters, generation, &mut pool, &mut |_, _, _| Ok(()));
    let Standing::Broken(Broken { fault, reason }) = found else { panic!("{found:?}") };
    assert_eq!((fault, reason.as_str()), (AdapterFault::Room, expected));
    adapters.release(generation, false, &mut pool);
    assert!(unload(&mut adapters, "a"));
    adapters.sweep(&mut pool);
    let generation = adapters.acquire("c").unwrap();
    ready(&mut adapters, generation, &mut pool);
}

/// Of what an adapter is none of nothing is said.
#[test]
fn what_an_adapter_lacks_is_told_by_the_options_for_it() {
    let options = EngineOptions { adapter_rank_max: RANK, ..EngineOptions::default() };
    let mut adapters = Adapters::new(&plan(), &options);
    let of_pool = Room { ranks: 8, stretches: 1 };
    let takes = |ranks, stretches| Footprint { room: Room { ranks, stretches }, bytes: 1 };
    adapters.register_pinned("a", "a".into(), takes(4, 1), of_pool).unwrap();
    let lack = adapters.lack_beside_pins(of_pool).unwrap();
    assert!(lack.starts_with("pinned adapters have all 1 places of DoRA's (--max-loras)"), "{lack}");
    let reason = adapters.check_new("b", takes(2, 1), of_pool).unwrap_err();
    assert!(reason.starts_with("it is DoRA's, and pinned adapters leave none of the device's 1 places"), "{reason}");
    assert_eq!(adapters.check_new("b", takes(4, 0), of_pool), Ok(()));
    let reason = adapters.check_new("b", takes(5, 0), of_pool).unwrap_err();
    assert!(reason.starts_with("it has 5 ranks, and pinned") && !reason.contains("DoRA"), "{reason}");
}

/// With 10,000 registered and 64 on the device: all that the host does for the adapter of an answer, from its arrival to its end.
#[test]
fn a_resident_adapter_costs_an_answer_a_microsecond() {
    let (folder, plan) = (tempfile::tempdir().unwrap(), plan());
    let path = folder.path().join("a");
    write(&path, 1.0);
    let mut pool = pool(64);
    let mut adapters = Adapters::new(&plan, &EngineOptions::default());
    let names: Vec<String> = (0..10_000).map(|number| format!("customer-{number:05}")).collect();
    for name in &names {
        adapters.register(name, path.clone());
    }
    let resident: Vec<&String> = names.iter().step_by(names.len() / 64).take(64).collect();
    for name in &resident {
        let generation = adapters.acquire(name).unwrap();
        ready(&mut adapters, generation, &mut pool);
        adapters.release(generation, false, &mut pool);
    }
    let counters = Arc::new(Counters::new(Instant::now()));
    let (mut seed, mut best) = (3, Duration::MAX);
    for _ in 0..20 {
        let picks: Vec<_> = (0..2000).map(|_| resident[below(&mut seed, 64)]).collect();
        let began = Instant::now();
        for name in &picks {
            let mut counted = Counted::waiting(&counters);
            counted.wait_with(name);
            let generation = adapters.acquire(name).unwrap();
            let standing = adapters.bring(generation, true, &mut pool, &mut |_, _, _| Ok(())).unwrap();
            assert!(matches!(standing, Standing::Ready(_)));
            adapters.begin(generation);
            counted.run();
            drop(counted);
            adapters.release(generation, true, &mut pool);
        }
        best = best.min(began.elapsed() / picks.len() as u32);
    }
    eprintln!("{} ns for an answer with a resident adapter", best.as_nanos());
    // A development build is not what is served with.
    let most = if cfg!(debug_assertions) { Duration::from_micros(10) } else { Duration::from_micros(1) };
    assert!(best <= most, "{best:?}");
}
