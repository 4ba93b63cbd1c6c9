//! What differs between platforms: the process's variables, how a client is set up, and which XLA flags programs get.

use std::fmt;
use std::path::Path;

use pjrt::{CompileOptions, FlagValue, OptionValue};

use crate::SessionOptions;
use crate::plugins::Platform;

/// The most layers that programs unroll by themselves. Unlike a loop they take longer to compile with each: by the figures below a training
/// step takes 0.3 to 0.7 s a layer, so 20 to 40 s for these.
const UNROLLED_LAYERS_MAX: usize = 64;

/// The same of programs that generate.
const UNROLLED_IN_GENERATION_MAX: usize = 256;

/// Whether programs over a model of `layers` layers unroll them, unless somebody says otherwise.
///
/// - CUDA: measured on an H200, a training step of 24 layers is 8 % faster than as a loop, of LoRA on 32 layers 11 %. Compiling takes 15 s in
///   place of 8 s, and 31 s in place of 10 s. BENCHMARKS.md has the commands, dates and cards (`--scan-layers true` is the loop).
/// - CPU: measured on two cores at 15M parameters, a training step takes as much processor time either way.
/// - ROCm: as CUDA, whose copies it would have to make too. Only compiled.
pub fn unrolls_layers(platform: Platform, layers: usize) -> bool {
    match platform {
        Platform::Cpu | Platform::Cuda | Platform::Rocm => layers <= UNROLLED_LAYERS_MAX,
    }
}

/// Whether programs that generate unroll the layers: in a loop they copy each layer's weights out of their stacks, and on CPUs its keys and values, too. On an H200, and
/// at 15M parameters on two cores, a step takes half the time. On four H200s a step of 80 layers with 16 texts took 35.1 ms as a loop and 14.6 unrolled, and compiled in
/// 3 s more (2026-11-28); more than 64 were timed nowhere else.
pub fn unrolls_layers_in_generation(layers: usize) -> bool {
    layers <= UNROLLED_IN_GENERATION_MAX
}

/// How many slots a cache of keys and values has, and a step of generation reads of it, at the least: a program belongs to each number.
///
/// - CPU: what is read takes time in proportion, and compiling does not.
/// - GPUs: 1,024 slots of a 7B model are half a gigabyte, 0.13 ms on an H200 beside the 2.4 ms or more that its weights take; one more program in
///   the middle of an answer is seconds.
pub fn cache_slots_min(platform: Platform) -> usize {
    match platform {
        Platform::Cpu => 256,
        Platform::Cuda | Platform::Rocm => 1024,
    }
}

/// How many tokens, with their padding, a program that makes vectors of texts has side by side: as many rows as fit are computed for one.
///
/// - CPU: what is computed takes time in proportion. One row.
/// - CUDA: up to about a hundred tokens take the time in which the weights are read. With 256 tokens 128 texts of 10 each, 7B, took 0.12 s in place of 1.11 on an H100 on
///   2026-11-26, and a single text 15 ms in place of 9: half of that serves both.
/// - ROCm: as CUDA. Only compiled.
pub fn tokens_side_by_side(platform: Platform) -> usize {
    match platform {
        Platform::Cpu => 1,
        Platform::Cuda | Platform::Rocm => 128,
    }
}

/// Whether a platform's devices run a program's exchanges in its order, so that some may stand within a loop and some beside it.
///
/// - GPUs: each launches the program's kernels one after the other.
/// - CPU: the plugin begins what has what it needs. Of eight devices some were seen to wait in an exchange within a loop, and some in one
///   beside it.
pub fn keeps_exchanges_in_order(platform: Platform) -> bool {
    match platform {
        Platform::Cpu => false,
        Platform::Cuda | Platform::Rocm => true,
    }
}

/// Environment variables with which a process that uses a platform should have started.
///
/// They are read before `main`, or by a plugin's initialisers, so a program that lacks them starts itself again.
///
/// - XLA logs its progress to the standard error output unless told otherwise; its errors stay, and the processor's warnings. Those of GPUs'
///   plugins do not: each program for several GPUs is warned of for its shardings' form, which is the one that they read. One line escapes it:
///   where there is no NVIDIA driver the CUDA plugin says so while it is loaded, before it looks at variables.
/// - `MALLOC_CONF` is for programs with jemalloc in them, such as `finery`: what is freed goes back to the kernel at once, while
///   models are loaded, and memory comes in huge pages where the kernel gives them on `madvise`, which the CPU plugin's programs
///   with their large temporaries are faster with.
pub fn process_variables(platform: Platform) -> &'static [(&'static str, &'static str)] {
    const LOG_LEVEL: &str = "TF_CPP_MIN_LOG_LEVEL";
    match platform {
        Platform::Cpu => &[(LOG_LEVEL, "1"), ("MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0,thp:always")],
        Platform::Cuda | Platform::Rocm => &[(LOG_LEVEL, "2")],
    }
}

/// The environment variable that a platform's client is to find as it starts, unless whoever started the process has set it.
///
/// - CPU: how many threads it has, where it is several devices. A device waits in an exchange with a thread. It may begin those of a loop and those beside
///   it in any order, so that one device waits in the one and another in the other: where threads are as many as devices, as the plugin has
///   it by itself, nobody is left to begin what both wait for. A device is in as many exchanges at once as loops are within each other, and one more:
///   those of micro-batches, of layers, and of what a layer or the loss goes through.
pub(crate) fn client_variable(options: &SessionOptions) -> Option<(&'static str, String)> {
    let own = options.cpu_device_count.filter(|_| options.platform == Platform::Cpu)? as usize;
    let devices = own * options.group.as_ref().map_or(1, |group| group.size() as usize);
    if devices == 1 || THREAD_VARIABLES.iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Some((THREAD_VARIABLES[0], (cores + 4 * devices).to_string()))
}

/// What the CPU's client looks up for the number of its threads, the first first.
const THREAD_VARIABLES: [&str; 2] = ["PJRT_NPROC", "NPROC"];

/// How many threads the CPU's client has, which `variable` is asked for as that looks variables of the environment up.
pub(crate) fn client_threads(variable: impl Fn(&str) -> Option<String>) -> usize {
    let set = THREAD_VARIABLES.iter().find_map(|name| variable(name)?.trim().parse::<i32>().ok());
    match set {
        Some(threads) => usize::try_from(threads).unwrap_or(0),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The options with which a platform's client starts.
pub(crate) fn client_options(options: &SessionOptions) -> Vec<(&'static str, OptionValue)> {
    match options.platform {
        // Left to itself the plugin presents four.
        Platform::Cpu => vec![("cpu_device_count", i64::from(options.cpu_device_count.unwrap_or(1)).into())],
        Platform::Cuda | Platform::Rocm => {
            let mut client = vec![
                ("platform_name", options.platform.name().into()),
                // Best fit with coalescing: XLA's own allocator over one reserved region.
                ("allocator", "bfc".into()),
                ("memory_fraction", options.memory_fraction.into()),
                ("preallocate", options.preallocate.into()),
            ];
            // One GPU a process: NCCL refuses two on one.
            if let Some(group) = &options.group {
                client.push(("visible_devices", OptionValue::IntList(vec![group.local_device().into()])));
            }
            client
        }
    }
}

/// An XLA flag that programs of a platform are compiled with, unless whoever has them compiled sets it.
#[derive(Clone, Copy, Debug)]
pub struct PlatformFlag {
    /// The platform.
    pub platform: Platform,
    /// The flag's name.
    pub name: &'static str,
    /// What it is set to.
    pub value: Setting,
    /// Which programs it is for.
    pub programs: Programs,
    /// Why: what was measured, or goes wrong without.
    pub reason: &'static str,
}

/// What a flag is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A switch that is on by default.
    Off,
    /// A switch that is off by default.
    On,
    /// An integer.
    Number(i64),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Off => f.write_str("false"),
            Setting::On => f.write_str("true"),
            Setting::Number(number) => write!(f, "{number}"),
        }
    }
}

impl From<Setting> for FlagValue {
    fn from(setting: Setting) -> FlagValue {
        match setting {
            Setting::Off => FlagValue::Bool(false),
            Setting::On => FlagValue::Bool(true),
            Setting::Number(number) => FlagValue::Int(number),
        }
    }
}

/// Programs that a flag is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// Every program.
    All,
    /// Those for several devices.
    OnSeveralDevices,
    /// Those that compute in 8-bit floats.
    WithFloat8,
    /// Steps of generation.
    Steps,
    /// Those that multiply for each head of each row, as attention in plain operations does.
    WithHeadProducts,
    /// Those that multiply packed weights, by kernels in PTX.
    WithPackedProducts,
}

const PACKED_TWICE: &str = "its products keep a packed copy of their second matrix for as long as that stays at one address: a \
    parameter that is updated in place would be multiplied as it was at first, without a word";
const ALL_AT_ONCE: &str = "begins as much as can begin, such as gathering all layers' weights at once: a step of six unrolled \
    layers takes twice the temporaries";
const TRITON_PRODUCTS: &str = "each product is tried as Triton's, too, in many forms, and chosen by timing each once: on an H100 a step that scores prompts took \
    22 s to compile in place of 2 s, one of LoRA over 7B 38 s in place of 25 s; with the vendor's alone LoRA trains 2.3 % faster, 1.3B 0.6 %, and \
    a step of generation over 96 texts of 7B takes 15.5 ms in place of 16.8";
const TRITON_FLOAT8: &str = "products of 8-bit floats are tried as Triton's, too, in many forms: a 1.3B step took 68 s to compile in \
    place of 14 s on an H200, and that of LoRA over 7B more than 85 s in place of 25 s, for 2 % of the first step's time; the vendor's \
    are what is chosen anyhow";

const JOINED_WEIGHTS: &str = "products with one input are made one, for which weights are written one behind the other in each step: of 7B and 16 texts \
    1.0 of 6.7 ms on an H200";

const EARLY_LAUNCHES: &str = "a kernel that is launched before the one in front of it has ended keeps multiprocessors while it waits: of 7B, the same \
    program both ways on one H200, 16 texts take 3.96 ms without in place of 4.08, 64 texts 7.17 in place of 7.31, and 128 texts 11.99 in place of 12.08 to \
    12.19; one text takes 3.03 in place of 3.01";

const MERGED_HEADS: &str = "XLA makes one axis of rows and heads, and its older analysis of tiles mistakes it where a tile has several rows and the \
    number of heads is no power of two: attention of 4 rows and 3 heads came out wrong on an H200, in bf16 and f32, in every second row";

const EMITTERS_TIMED: &str = "what a fusion is generated by is chosen by timing, so that a program's roundings change with each compilation, and what is \
    chosen is not always possible: a mixture's step did not compile on an H100 in five of eight tries (\"Failed to compute symbolic tile\"). Without \
    it a packed 1.3B step took 254.7 ms in place of 258.4 to 259.3, and one of 64 texts of 7B 12.45 in place of 12.47";

/// The flags that are not XLA's own defaults, each with its reason. Of fast math, fast min/max, oneDNN, vector width and fusion emitters none
/// made a CPU's steps faster by more than noise.
pub const PLATFORM_FLAGS: [PlatformFlag; 10] = [
    PlatformFlag {
        platform: Platform::Cpu,
        name: "xla_cpu_use_xnnpack",
        value: Setting::Off,
        programs: Programs::All,
        reason: PACKED_TWICE,
    },
    PlatformFlag {
        platform: Platform::Cpu,
        name: "xla_cpu_enable_concurrency_optimized_scheduler",
        value: Setting::Off,
        programs: Programs::OnSeveralDevices,
        reason: ALL_AT_ONCE,
    },
    PlatformFlag {
        platform: Platform::Cuda,
        name: "xla_gpu_experimental_enable_fusion_autotuner",
        value: Setting::Off,
        programs: Programs::All,
        reason: EMITTERS_TIMED,
    },
    PlatformFlag {
        platform: Platform::Cuda,
        name: "xla_gpu_enable_triton_gemm",
        value: Setting::Off,
        programs: Programs::All,
        reason: TRITON_PRODUCTS,
    },
    PlatformFlag {
        platform: Platform::Cuda,
        name: "xla_gpu_dot_merger_threshold_mb",
        value: Setting::Number(0),
        programs: Programs::Steps,
        reason: JOINED_WEIGHTS,
    },
    PlatformFlag {
        platform: Platform::Cuda,
        name: "xla_gpu_enable_pdl",
        value: Setting::Off,
        programs: Programs::WithPackedProducts,
        reason: EARLY_LAUNCHES,
    },
    PlatformFlag {
        platform: Platform::Cuda,
        name: "xla_gpu_experimental_enable_tiling_propagation",
        value: Setting::On,
        programs: Programs::WithHeadProducts,
        reason: MERGED_HEADS,
    },
    PlatformFlag {
        platform: Platform::Rocm,
        name: "xla_gpu_experimental_enable_fusion_autotuner",
        value: Setting::Off,
        programs: Programs::All,
        reason: EMITTERS_TIMED,
    },
    PlatformFlag {
        platform: Platform::Rocm,
        name: "xla_gpu_enable_triton_gemm",
        value: Setting::Off,
        programs: Programs::WithFloat8,
        reason: TRITON_FLOAT8,
    },
    PlatformFlag {
        platform: Platform::Rocm,
        name: "xla_gpu_experimental_enable_tiling_propagation",
        value: Setting::On,
        programs: Programs::WithHeadProducts,
        reason: MERGED_HEADS,
    },
];

impl Programs {
    fn hold(self, text: &str, options: &CompileOptions) -> bool {
        match self {
            Programs::All => true,
            Programs::OnSeveralDevices => options.partitions > 1,
            // The types' names in StableHLO, behind a dimension.
            Programs::WithFloat8 => ["xf8E4M3", "xf8E5M2"].iter().any(|name| text.contains(name)),
            Programs::Steps => text.contains("module @step "),
            Programs::WithHeadProducts => text.contains("batching_dims = [0, 1] x [0, 1]"),
            Programs::WithPackedProducts => text.contains("packed_product\""),
        }
    }
}

/// The platform's XLA flags for a program, under those that the caller has set, and but for those of which `asked`, the flags in `XLA_FLAGS`, says something:
/// to XLA a program's own flags are more than that. `cuda_toolchain` is of no use to other platforms.
pub(crate) fn with_platform_flags(
    platform: Platform,
    cuda_toolchain: Option<&Path>,
    asked: &[u8],
    text: &str,
    mut options: CompileOptions,
) -> CompileOptions {
    for flag in PLATFORM_FLAGS {
        if flag.platform == platform && flag.programs.hold(text, &options) && !names(asked, flag.name) {
            options.flags.entry(flag.name.to_owned()).or_insert(flag.value.into());
        }
    }
    if let (Platform::Cuda, Some(dir)) = (platform, cuda_toolchain)
        && !names(asked, DATA_DIR)
    {
        let data_dir = || FlagValue::String(dir.display().to_string());
        options.flags.entry(DATA_DIR.to_owned()).or_insert_with(data_dir);
    }
    options
}

const DATA_DIR: &str = "xla_gpu_cuda_data_dir";

/// Whether flags, each behind dashes, say something of the one with this name.
fn names(flags: &[u8], name: &str) -> bool {
    let all = flags.split(u8::is_ascii_whitespace);
    all.filter_map(|flag| flag.split(|byte| *byte == b'=').next())
        .any(|flag| flag.strip_prefix(b"--") == Some(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use graph::{Axis, CustomCall, DType, Graph, TensorType};

    use super::*;

    #[test]
    fn only_cuda_is_told_of_the_toolchain_and_the_callers_flag_wins() {
        let data_dir = |platform, options| {
            let options = with_platform_flags(platform, Some(Path::new("/opt/cuda")), b"", "", options);
            options.flags.get("xla_gpu_cuda_data_dir").cloned()
        };
        let named = |dir: &str| FlagValue::String(dir.to_owned());
        assert_eq!(data_dir(Platform::Cuda, CompileOptions::default()), Some(named("/opt/cuda")));
        assert_eq!(data_dir(Platform::Rocm, CompileOptions::default()), None);
        let callers = CompileOptions::default().with_flag("xla_gpu_cuda_data_dir", named("/mine"));
        assert_eq!(data_dir(Platform::Cuda, callers), Some(named("/mine")));
    }

    #[test]
    fn what_a_user_asks_for_is_not_set() {
        let own = |asked: &str| {
            let (dir, text) = (Some(Path::new("/opt/cuda")), "module @step {}");
            let options = with_platform_flags(Platform::Cuda, dir, asked.as_bytes(), text, CompileOptions::default());
            options.flags.into_keys().collect::<Vec<_>>()
        };
        let all = own("--xla_gpu_enable_triton_gemm_any=true --xla_gpu");
        for asked in [
            "--xla_gpu_enable_triton_gemm=true",
            " --xla_dump_to=/tmp\n--xla_gpu_enable_triton_gemm",
            "--xla_gpu_cuda_data_dir=/mine",
        ] {
            let left = own(asked);
            let gone: Vec<_> = all.iter().filter(|flag| !left.contains(flag)).collect();
            assert!(matches!(&gone[..], [flag] if asked.contains(flag.as_str())), "{asked}: {gone:?}");
        }
    }

    #[test]
    fn nvidias_products_are_the_vendors_and_amds_of_8_bit_floats() {
        let flag = |platform, text| {
            let options = with_platform_flags(platform, None, b"", text, CompileOptions::default());
            options.flags.get("xla_gpu_enable_triton_gemm").cloned()
        };
        for text in ["tensor<4x8xf8E4M3FN>", "tensor<4x8xf8E5M2FNUZ>", "tensor<4x8xbf16>"] {
            assert_eq!(flag(Platform::Cuda, text), Some(FlagValue::Bool(false)), "{text}");
            let amds = (!text.contains("bf16")).then_some(FlagValue::Bool(false));
            assert_eq!(flag(Platform::Rocm, text), amds, "{text}");
            assert_eq!(flag(Platform::Cpu, text), None, "{text}");
        }
    }

    #[test]
    fn no_gpu_times_what_a_fusion_is_generated_by() {
        let flag = |platform| {
            let options = with_platform_flags(platform, None, b"", "module @train_step {}", CompileOptions::default());
            options.flags.get("xla_gpu_experimental_enable_fusion_autotuner").cloned()
        };
        assert_eq!(
            [Platform::Cuda, Platform::Rocm, Platform::Cpu].map(flag),
            [Some(FlagValue::Bool(false)), Some(FlagValue::Bool(false)), None]
        );
    }

    #[test]
    fn threads_are_those_that_the_first_number_says() {
        let threads = |set: &[(&str, &str)]| {
            let find = |name: &str| set.iter().find(|(other, _)| *other == name);
            client_threads(|name| find(name).map(|(_, value)| (*value).to_owned()))
        };
        let own = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(threads(&[]), own);
        assert_eq!(threads(&[("NPROC", "3")]), 3);
        assert_eq!(threads(&[("NPROC", "3"), ("PJRT_NPROC", "57")]), 57);
        assert_eq!(threads(&[("NPROC", "3"), ("PJRT_NPROC", "many")]), 3);
        assert_eq!(threads(&[("NPROC", "-1")]), 0);
        assert_eq!(threads(&[("PJRT_NPROC", "")]), own);
    }

    #[test]
    fn weights_of_a_step_are_not_joined() {
        let flag = |text| {
            let options = with_platform_flags(Platform::Cuda, None, b"", text, CompileOptions::default());
            options.flags.get("xla_gpu_dot_merger_threshold_mb").cloned()
        };
        assert_eq!(flag("module @step attributes {}"), Some(FlagValue::Int(0)));
        assert_eq!(flag("module @train_step attributes {}"), None);
    }

    #[test]
    fn beside_packed_products_nothing_is_launched_early() {
        let flag = |platform, name: &str| {
            let graph = Graph::new();
            let axes = [Axis::new("row", 4)];
            let call = CustomCall {
                target: "__gpu$xla.gpu.ptx".to_owned(),
                api_version: 4,
                backend_config: format!("{{name = \"{name}\"}}"),
                operand_layouts: vec![None],
                results: vec![(TensorType::new(DType::F32, &axes), None)],
                in_place: Vec::new(),
            };
            let results = graph.custom_call(call, &[graph.input("x", DType::F32, &axes)]);
            let text = graph.lower("step", &[("result", results[0])], &[]).expect("a program").text;
            let options = with_platform_flags(platform, None, b"", &text, CompileOptions::default());
            options.flags.get("xla_gpu_enable_pdl").cloned()
        };
        assert_eq!(flag(Platform::Cuda, "gated_packed_product"), Some(FlagValue::Bool(false)));
        assert_eq!(flag(Platform::Cuda, "packed_product"), Some(FlagValue::Bool(false)));
        assert_eq!(flag(Platform::Cuda, "paged_attention_by_hand"), None);
        assert_eq!(flag(Platform::Rocm, "packed_product"), None);
    }

    #[test]
    fn products_of_heads_are_tiled_by_the_newer_analysis() {
        let flag = |platform, text| {
            let options = with_platform_flags(platform, None, b"", text, CompileOptions::default());
            options.flags.get("xla_gpu_experimental_enable_tiling_propagation").cloned()
        };
        let graph = Graph::new();
        let axes = [Axis::new("batch", 2), Axis::new("head", 3), Axis::new("position", 4), Axis::new("dim", 5)];
        let [q, k] = ["q", "k"].map(|name| graph.input(name, DType::F32, &axes));
        let scores = q.dot(k.rename("position", "key"), &["dim"]);
        let program = graph.lower("scores", &[("scores", scores)], &[]).expect("a program");
        for platform in [Platform::Cuda, Platform::Rocm] {
            assert_eq!(flag(platform, &program.text), Some(FlagValue::Bool(true)), "{}", program.text);
            assert_eq!(flag(platform, "module @train_step attributes {}"), None);
        }
        assert_eq!(flag(Platform::Cpu, &program.text), None);
    }

    /// docs/platforms.md has each flag in the table of its platform, with the reason that is here, and no other. A reason that NVIDIA's table has is not told
    /// again in AMD's.
    #[test]
    fn the_documents_tables_have_the_flags_and_their_reasons() {
        let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/platforms.md");
        let document = std::fs::read_to_string(document).expect("docs/platforms.md");
        let sections: Vec<&str> = document.split("\n## ").skip(1).collect();
        for (platform, title) in [(Platform::Cpu, "CPU"), (Platform::Cuda, "NVIDIA"), (Platform::Rocm, "AMD")] {
            let section = sections.iter().find(|section| section.starts_with(title)).expect(title);
            let programs = |programs| match programs {
                Programs::All => "all programs",
                Programs::OnSeveralDevices => "programs for several devices",
                Programs::WithFloat8 => "programs with 8-bit floats",
                Programs::Steps => "steps of generation",
                Programs::WithHeadProducts => "programs with products for each head of each row",
                Programs::WithPackedProducts => "programs with products of packed weights",
            };
            let is_told = |flag: &PlatformFlag| {
                let other = |other: &PlatformFlag| other.platform == Platform::Cuda && other.name == flag.name;
                flag.platform == Platform::Rocm && PLATFORM_FLAGS.iter().any(|it| other(it) && it.reason == flag.reason)
            };
            let row = |flag: &PlatformFlag| {
                let reason = if is_told(flag) { "as on NVIDIA" } else { flag.reason };
                format!("| {} | `{}={}` | {reason} |", programs(flag.programs), flag.name, flag.value)
            };
            let rows: Vec<String> = PLATFORM_FLAGS.iter().filter(|flag| flag.platform == platform).map(row).collect();
            let found: Vec<&str> = section.lines().filter(|line| line.contains("| `xla_")).collect();
            assert_eq!(found, rows, "{title}");
        }
    }
}
