//! How right and how fast kernels are.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use ::train::{Launched, record_launches};
use anyhow::{Context, ensure};
use graph::{DType, Graph, HostTensor, Tensor, TensorType};
use kernels::{Argument, Array, Distance, Interpreter, Operation, filled};
use runtime::aot::{self, Nodes, Target};
use runtime::plugins::Platform;
use runtime::{Buffer, CompileOptions, Executable, Hardware, Session};
use serde::Serialize;

use super::rates::{Ceilings, Times, cached_bytes, time};
use super::{print, refuse_launches, show, target_parser, write_text};
use crate::commands::devices::DeviceArgs;
use crate::narrow::{self, fitted};
use crate::progress::{ProgressMode, Task, Unit, above_bars};
use crate::usage::{self, Misuse};

/// On GPUs each kernel is compared with its reference in plain operations and timed, beside what the device reaches in a copy and in a product
/// of matrices. What takes less than half a millisecond is timed several times over in one program, each time on arrays of its own, so that neither
/// launching programs nor the device's caches are what is timed. On a CPU kernels are interpreted, at small sizes, and the references alone are timed.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// Only operations whose line holds this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// What random numbers come from [default: another one each time]
    #[arg(long, value_parser = usage::seed)]
    seed: Option<u64>,
    /// Small and odd sizes, on a GPU and for one that is not here too
    #[arg(long)]
    small: bool,
    /// Say how long each launch of an operation takes
    #[arg(long, conflicts_with = "target")]
    launches: bool,
    /// Compile for a device that need not be here, and run nothing
    #[arg(long, value_name = "DEVICE", value_parser = target_parser())]
    target: Option<Target>,
    /// With --target, write the StableHLO text of what is compiled to this file, one program behind the other
    #[arg(long, value_name = "FILE", requires = "target")]
    dump: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// All measurements.
#[derive(Debug, Serialize)]
struct Report {
    device: String,
    seed: u64,
    #[serde(flatten)]
    ceilings: Ceilings,
    operations: Vec<Row>,
}

/// An operation's measurements.
#[derive(Debug, Serialize)]
struct Row {
    operation: String,
    /// How far the result that is farthest off is off the reference's, as a part of its norm.
    off_by: f64,
    /// How far it may be.
    tolerance: f64,
    /// How far the vector of a result is off that is farthest off.
    vector_off_by: f64,
    /// How far it may be.
    vector_tolerance: f64,
    /// Of the kernel, on GPUs, unless it is off: of one repetition, from its first launch to the next one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<Times>,
    /// How often a program that was timed has the kernel, each time with arrays of its own.
    repetitions: usize,
    /// Whether all that these read and write may lie in the device's caches, from which `gb_per_s` is then.
    in_caches: bool,
    /// Of a program that has the reference once, with what launching it takes.
    reference_ms: Times,
    /// The time that its bytes and its products take at the least, at the rates of copy and product.
    floor_ms: f64,
    /// Of the reference where kernels are interpreted; of a kernel that is off, nothing.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    reached: Option<Reached>,
    /// What the kernel launches, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launches: Vec<Launched>,
}

/// What was reached in the time that was measured.
#[derive(Clone, Copy, Debug, Serialize)]
struct Reached {
    /// What the floor is of that time.
    ceiling_fraction: f64,
    tflop_per_s: f64,
    gb_per_s: f64,
}

/// Prints the measurements. An operation that is off is an error behind them.
pub(super) fn run(args: &Args, json: bool, progress: ProgressMode) -> anyhow::Result<()> {
    if let Some(target) = args.target {
        return compile_all(args, json, target, progress);
    }
    let session = args.device.open(progress)?;
    refuse_launches(args.launches, session.platform())?;
    let hardware = session.hardware()?;
    let operations = chosen(args.small || session.platform() == Platform::Cpu, hardware, &args.only)?;
    let seed = args.seed.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().map_or(0, |now| now.subsec_nanos().into()));
    let ceilings = Ceilings::of(&session, progress)?;
    let shown = Task::bar(progress, "operations", operations.len() as u64, Unit::Items);
    let mut report = Report { device: session.devices()[0].kind()?, seed, ceilings, operations: Vec::new() };
    let layout = Layout::new(operations.iter().map(|operation| operation.to_string().len()).max(), narrow::columns());
    // What is known is printed: all of them take minutes.
    if !json {
        above_bars(|| print(report.header(layout)))?;
    }
    let mut failed = None;
    for operation in operations {
        let row = measure(&session, &operation, seed, ceilings, args.launches);
        let row = match row.with_context(|| format!("measuring {operation}")) {
            Ok(row) => row,
            // What is known is told.
            Err(error) => {
                failed = Some(error);
                break;
            }
        };
        if !json {
            above_bars(|| print(row.line(layout)))?;
            row.launches.iter().try_for_each(|launched| above_bars(|| print(launched.to_string())))?;
        }
        report.operations.push(row);
        shown.advance(1);
    }
    shown.finish();
    if json {
        print(serde_json::to_string(&report)?)?;
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let off: Vec<_> = report.operations.iter().filter(|row| row.is_off()).map(|row| row.operation.as_str()).collect();
    ensure!(off.is_empty(), "these are further off than they may be, with --seed {seed}: {}", off.join("; "));
    Ok(())
}

impl fmt::Display for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compile = if let [_] = self.operations[..] { "operation compiles" } else { "operations compile" };
        write!(f, "{}\n{} {compile} for {}", self.operations.join("\n"), self.operations.len(), self.target)
    }
}

/// What is told of each operation, with the width of its column.
const COLUMNS: [(&str, usize); 10] = [
    ("ms", 9),
    ("min to max", 17),
    ("plain ms", 9),
    ("floor ms", 9),
    ("of it", 6),
    ("TFLOP/s", 8),
    ("GB/s", 8),
    ("off by", 8),
    ("may be", 8),
    ("repeated", 8),
];
/// Those of a terminal without room for all: how fast it is, beside what, and whether it is right.
const FEW_COLUMNS: [usize; 5] = [0, 2, 3, 4, 7];

/// How operations stand in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// All columns beside the name.
    Beside { name_columns: usize },
    /// A few columns below the name.
    Below { terminal_columns: usize },
}

impl Layout {
    /// Where the longest name is so long.
    fn new(longest: Option<usize>, terminal_columns: usize) -> Layout {
        let name_columns = longest.unwrap_or(0);
        let all = name_columns + 1 + COLUMNS.iter().map(|(_, width)| 1 + width).sum::<usize>();
        if all <= terminal_columns { Layout::Beside { name_columns } } else { Layout::Below { terminal_columns } }
    }

    /// A name with its cells.
    fn line(self, name: &str, cells: &[String; COLUMNS.len()]) -> String {
        let cell = |at: usize| format!(" {:>width$}", cells[at], width = COLUMNS[at].1);
        match self {
            Layout::Beside { name_columns } => {
                format!("{name:name_columns$} {}", (0..COLUMNS.len()).map(cell).collect::<String>())
            }
            Layout::Below { terminal_columns } => {
                let cells: String = FEW_COLUMNS.into_iter().map(cell).collect();
                format!("{}\n{cells}", fitted(name, terminal_columns)).trim_start_matches('\n').to_owned()
            }
        }
    }
}

impl Report {
    /// What stands above the lines of operations.
    fn header(&self, layout: Layout) -> String {
        let about = if self.device == "cpu" { "; kernels are interpreted there, and references timed" } else { "" };
        let (device, ceilings, seed) = (&self.device, self.ceilings, self.seed);
        let about = format!("{device}: {ceilings}; seed {seed}{about}");
        let about =
            if let Layout::Below { terminal_columns } = layout { fitted(&about, terminal_columns) } else { about };
        format!("{about}\n\n{}", layout.line("", &COLUMNS.map(|(name, _)| name.to_owned())))
    }
}

impl Row {
    fn line(&self, layout: Layout) -> String {
        let ms = self.ms.map_or_else(|| "-".to_owned(), |ms| format!("{:.4}", ms.median));
        let spread = self.ms.map_or_else(|| "-".to_owned(), |ms| format!("{:.4} to {:.4}", ms.min, ms.max));
        let Row { operation, reference_ms, floor_ms, off_by, tolerance, repetitions, .. } = self;
        let (plain, place) = (reference_ms.median, if self.in_caches { ", in caches" } else { "" });
        let [part, flops, bytes] = self.reached.map_or_else(
            || ["-", "-", "-"].map(str::to_owned),
            |Reached { ceiling_fraction, tflop_per_s, gb_per_s }| {
                [format!("{:.0} %", 1e2 * ceiling_fraction), format!("{tflop_per_s:.1}"), format!("{gb_per_s:.1}")]
            },
        );
        let vector = match self.vector_off_by <= self.vector_tolerance {
            true => String::new(),
            false => format!(", a vector off by {:.1e} of {:.1e}", self.vector_off_by, self.vector_tolerance),
        };
        let [plain, floor] = [plain, *floor_ms].map(|ms| format!("{ms:.4}"));
        let [off, most] = [off_by, tolerance].map(|off| format!("{off:.1e}"));
        let cells = [ms, spread, plain, floor, part, flops, bytes, off, most, repetitions.to_string()];
        format!("{}{place}{vector}", layout.line(operation, &cells))
    }

    /// NaN is off.
    fn is_off(&self) -> bool {
        !(self.off_by <= self.tolerance && self.vector_off_by <= self.vector_tolerance)
    }
}

/// Those whose lines hold a text, as a device takes them.
fn chosen(small: bool, hardware: Hardware, only: &str) -> Result<Vec<Operation>, Misuse> {
    let all = fit(if small { Operation::tried() } else { Operation::timed() }, hardware)?;
    let kinds: BTreeSet<_> = all.iter().map(|operation| kind(&operation.to_string())).collect();
    let chosen: Vec<_> = all.into_iter().filter(|operation| operation.to_string().contains(only)).collect();
    match chosen.is_empty() {
        true => {
            let kinds = Vec::from_iter(kinds).join(", ");
            Err(Misuse(format!("--only: no operation has `{only}` in its line; lines begin with one of: {kinds}")))
        }
        false => Ok(chosen),
    }
}

/// What an operation's line says before its first size.
fn kind(line: &str) -> String {
    let is_size = |word: &&str| word.starts_with(|first: char| first == '(' || first.is_ascii_digit());
    let words: Vec<_> = line.split(' ').take_while(|word| !is_size(word)).collect();
    words.join(" ").trim_end_matches(" of").to_owned()
}

/// In the blocks and the 8-bit floats that a device has, where it has some.
fn fit(operations: Vec<Operation>, hardware: Hardware) -> Result<Vec<Operation>, Misuse> {
    if hardware.platform == Platform::Cpu {
        return Ok(operations);
    }
    let refuse = |reason| {
        let instead = "take another GPU, or --device cpu, where kernels are interpreted";
        Misuse(format!("there is no kernel to measure: {reason}; {instead}"))
    };
    let gpu = ::train::gpu_or_reason(hardware).map_err(refuse)?;
    let float8 = hardware.float8().ok();
    let of_gpu = operations.into_iter().filter(|operation| operation.is_for(gpu));
    Ok(of_gpu.filter_map(|operation| operation.on(gpu).with_float8(float8)).collect())
}

/// What compiling for an absent device tells.
#[derive(Debug, Serialize)]
struct Compiled {
    target: &'static str,
    operations: Vec<String>,
}

fn compile_all(args: &Args, json: bool, target: Target, progress: ProgressMode) -> anyhow::Result<()> {
    let description = target.description();
    let (plugin, toolchain) = args.device.compiler(description.platform, progress)?;
    let operations = chosen(args.small, description.hardware(), &args.only)?;
    let shown = Task::bar(progress, "operations", operations.len() as u64, Unit::Items);
    let mut texts = String::new();
    for operation in &operations {
        let program =
            program(&operation.arguments(), |dtype| dtype, |graph, inputs| Ok(operation.run(&graph, inputs)?))?;
        aot::compile_program(&plugin, &description, Nodes::one(1), toolchain.as_deref(), &program)
            .with_context(|| format!("compiling {operation}"))?;
        texts.push_str(&program.text);
        shown.advance(1);
    }
    shown.finish();
    write_text(&texts, args.dump.as_deref())?;
    let operations = operations.iter().map(ToString::to_string).collect();
    show(&Compiled { target: target.name(), operations }, json)
}

/// Runs whose launches are recorded.
const RECORDED: usize = 8;

/// Launching a program takes the host some tens of microseconds, behind which a short kernel hides. A program that takes as long as this is timed as it
/// is, and of others one that has the kernel as often as takes about twice as long.
const LONG_MS: f64 = 0.5;

/// How often a kernel is repeated at the most: each of XLA's arguments and results takes the host time, too.
const REPETITIONS_MAX: usize = 128;

/// What the arrays of all repetitions may take of the device's memory.
const ARRAYS_MAX: f64 = 16e9;

/// How often a program is to have what takes so long, launch and all, reads and writes so many bytes of arrays that take so many, so that it is
/// neither its launch nor the caches that are timed.
fn repetitions(ms: f64, touched: f64, held: f64, cached: f64) -> usize {
    let for_time = if ms < LONG_MS { 2.0 * LONG_MS / ms } else { 1.0 };
    let for_caches = if cached.is_finite() { (cached / touched).floor() + 1.0 } else { 1.0 };
    let most = (ARRAYS_MAX / held).floor().clamp(1.0, REPETITIONS_MAX as f64);
    for_time.max(for_caches).ceil().min(most) as usize
}

/// A kernel's time, and how often the program that was timed has it.
///
/// A program of one kernel is launched again and again without waiting. If that takes so short a time that the launch may be what takes it, or reads so
/// little that it stays in the caches, a program is timed that has the kernel several times over. Each time has arguments and results of its own, so
/// that the compiler can neither make one of them nor leave one out, and none finds its arrays in the caches as the one before left them, as long as all
/// of them together are larger ([`Row::in_caches`] tells where they are not). The device runs them one after the other. What is left between two of
/// them is counted: on NVIDIA's about a microsecond.
fn time_kernel(
    session: &Session,
    operation: &Operation,
    touched: f64,
    once: &Executable,
    hosts: &[HostTensor<'_>],
) -> anyhow::Result<(Times, usize)> {
    let upload = || hosts.iter().map(|host| Ok(session.upload(host)?)).collect::<anyhow::Result<Vec<Buffer>>>();
    let mut given = upload()?;
    let ms = time(once, &given)?;
    let bytes = |ty: &TensorType| (ty.element_count() * ty.dtype.size()) as f64;
    let arguments = operation.arguments();
    let held = arguments.iter().map(|argument| &argument.ty).chain(&operation.results()).map(bytes).sum();
    let repetitions = repetitions(ms.median, touched, held, cached_bytes(session.platform()));
    if repetitions == 1 {
        return Ok((ms, 1));
    }
    let program = repeated(operation, repetitions)?;
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default())?;
    for _ in 1..repetitions {
        given.extend(upload()?);
    }
    Ok((time(&executable, &given)?.of_one_of(repetitions), repetitions))
}

/// A program that has an operation several times over: arguments of the first, then of the second and so on, and results in the same order.
fn repeated(operation: &Operation, repetitions: usize) -> anyhow::Result<graph::Program> {
    let graph = Graph::new();
    let (arguments, mut results) = (operation.arguments(), Vec::new());
    for number in 0..repetitions {
        let input = |argument: &Argument| {
            graph.input(&format!("{}{number}", argument.name), argument.ty.dtype, &argument.ty.axes)
        };
        let inputs: Vec<_> = arguments.iter().map(input).collect();
        results.extend(operation.run(&&graph, &inputs)?);
    }
    let names: Vec<_> = (0..results.len()).map(|i| format!("result{i}")).collect();
    let outputs: Vec<_> = names.iter().map(String::as_str).zip(results).collect();
    Ok(graph.lower("kernels", &outputs, &[])?)
}

fn measure(
    session: &Session,
    operation: &Operation,
    seed: u64,
    ceilings: Ceilings,
    launches: bool,
) -> anyhow::Result<Row> {
    let arguments = operation.arguments();
    let inputs = filled(&arguments, seed);
    let hosts = |dtype: fn(DType) -> DType| -> anyhow::Result<Vec<HostTensor<'static>>> {
        let host =
            |(argument, array): (&Argument, &Array)| Ok(array.to_host(dtype(argument.ty.dtype), &argument.ty.shape())?);
        arguments.iter().zip(&inputs).map(host).collect()
    };
    let upload = |hosts: &[HostTensor<'_>]| -> anyhow::Result<Vec<Buffer>> {
        hosts.iter().map(|host| Ok(session.upload(host)?)).collect()
    };
    let is_cpu = session.platform() == Platform::Cpu;
    // The reference in a wider type than the kernel's, and timed in the kernel's own.
    let wide = wider(is_cpu, operation);
    let reference = |dtype| built(session, &arguments, dtype, |graph, inputs| Ok(operation.reference(graph, inputs)));
    let expected = numbers(session, &reference(wide)?, &upload(&hosts(wide)?)?)?;
    let own = hosts(|dtype| dtype)?;
    let given = upload(&own)?;
    let traced = || built(session, &arguments, |dtype| dtype, |graph, inputs| Ok(operation.run(&graph, inputs)?));
    let kernel = if is_cpu { None } else { Some(traced()?) };
    // Before the reference in the kernel's own type, whose results memory would hold.
    let found = match &kernel {
        None => interpreted(operation, &inputs)?,
        Some(kernel) => poison(session, operation).and_then(|()| numbers(session, kernel, &given))?,
    };
    let distance = Distance::farthest(&operation.distances(&found, &expected));
    drop((found, expected));
    let tolerance = if is_cpu { operation.tolerance() } else { operation.tolerance_on_gpus() };
    let (touched, mut timed, mut launched) = (operation.bytes(&inputs), None, Vec::new());
    if let Some(kernel) = worth_timing(kernel, distance, tolerance) {
        timed = Some(time_kernel(session, operation, touched, &kernel, &own)?);
        if launches {
            let given: Vec<_> = given.iter().collect();
            launched = record_launches(session, RECORDED, || -> anyhow::Result<()> {
                Ok(kernel.execute(&given)?.iter().try_for_each(Buffer::wait)?)
            })?;
        }
    }
    let reference_ms = time(&reference(|dtype| dtype)?, &given)?;
    let (ms, repetitions) = timed.map_or((None, 1), |(ms, repetitions)| (Some(ms), repetitions));
    let [bytes, flops] = [touched / 1e9, operation.flops(&inputs) / 1e12];
    let floor = (bytes / ceilings.copy_gb_per_s).max(flops / ceilings.product_tflop_per_s);
    let reached = |Times { median, .. }| {
        let seconds = median / 1e3;
        Reached { ceiling_fraction: floor / seconds, tflop_per_s: flops / seconds, gb_per_s: bytes / seconds }
    };
    Ok(Row {
        operation: operation.to_string(),
        off_by: distance.whole,
        tolerance,
        vector_off_by: distance.vector,
        vector_tolerance: Distance::VECTORS * tolerance,
        ms,
        repetitions,
        in_caches: touched * repetitions as f64 <= cached_bytes(session.platform()),
        reference_ms,
        floor_ms: floor * 1e3,
        reached: if is_cpu { Some(reference_ms) } else { ms }.map(reached),
        launches: launched,
    })
}

/// A kernel that is not off: of another no time tells anything.
fn worth_timing<K>(kernel: Option<K>, distance: Distance, tolerance: f64) -> Option<K> {
    kernel.filter(|_| distance.is_within(tolerance))
}

/// Leaves nothing but NaN where the results of a kernel come to stand next: what it does not write is found then.
fn poison(session: &Session, operation: &Operation) -> anyhow::Result<()> {
    built(session, &[], |dtype| dtype, |graph, _| Ok(operation.poison(graph)))?.execute(&[])?;
    Ok(())
}

fn interpreted(operation: &Operation, inputs: &[Array]) -> anyhow::Result<Vec<Vec<f64>>> {
    let interpreter = Interpreter::default();
    let results = operation.run(&&interpreter, inputs)?;
    interpreter.finish()?;
    Ok(results.iter().map(|result| result.numbers().to_vec()).collect())
}

/// In what an operation's reference is computed: in f64, which on GPUs takes twice the memory, and what is of 16 bits needs no more than f32.
fn wider(is_cpu: bool, operation: &Operation) -> fn(DType) -> DType {
    let is_half = operation.results().first().is_some_and(|result| matches!(result.dtype, DType::BF16 | DType::F16));
    if is_half && !is_cpu { as_f32 } else { as_f64 }
}

fn as_f32(dtype: DType) -> DType {
    if dtype.is_float() || dtype.is_float8() { DType::F32 } else { dtype }
}

fn as_f64(dtype: DType) -> DType {
    if dtype.is_float() || dtype.is_float8() { DType::F64 } else { dtype }
}

type Traced<'g> = anyhow::Result<Vec<Tensor<'g>>>;

/// A program that computes what `trace` makes of the arguments.
fn program(
    arguments: &[Argument],
    dtype: fn(DType) -> DType,
    trace: impl for<'g> Fn(&'g Graph, &[Tensor<'g>]) -> Traced<'g>,
) -> anyhow::Result<graph::Program> {
    let graph = Graph::new();
    let inputs: Vec<_> = arguments
        .iter()
        .map(|argument| graph.input(argument.name, dtype(argument.ty.dtype), &argument.ty.axes))
        .collect();
    let results = trace(&graph, &inputs)?;
    let names: Vec<_> = (0..results.len()).map(|i| format!("result{i}")).collect();
    let outputs: Vec<_> = names.iter().map(String::as_str).zip(results).collect();
    Ok(graph.lower("kernel", &outputs, &[])?)
}

fn built(
    session: &Session,
    arguments: &[Argument],
    dtype: fn(DType) -> DType,
    trace: impl for<'g> Fn(&'g Graph, &[Tensor<'g>]) -> Traced<'g>,
) -> anyhow::Result<Executable> {
    let program = program(arguments, dtype, trace)?;
    Ok(session.compile(&program.name, &program.text, &CompileOptions::default())?)
}

/// What a program gives, as f64.
fn numbers(session: &Session, executable: &Executable, inputs: &[Buffer]) -> anyhow::Result<Vec<Vec<f64>>> {
    let results = executable.execute(&inputs.iter().collect::<Vec<_>>())?;
    let wide = |result: &Buffer| -> anyhow::Result<Vec<f64>> {
        let host = session.download(result)?;
        Ok(host.to_vec::<f64>().unwrap_or_else(|| host.to_f32().into_iter().map(f64::from).collect()))
    };
    results.iter().map(wide).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn what_is_short_or_small_is_repeated() {
        let cached = cached_bytes(Platform::Cuda);
        let [kilobyte, megabyte, gigabyte] = [1e3, 1e6, 1e9];
        // What takes long and is larger than caches is not.
        assert_eq!(repetitions(0.5, gigabyte, gigabyte, cached), 1);
        assert_eq!(repetitions(3.0, gigabyte, 50.0 * gigabyte, cached), 1);
        // A product of 33 MB whose launch takes as long as itself: a millisecond of them, and more than caches hold.
        let found = repetitions(0.018, 33.0 * megabyte, 33.0 * megabyte, cached);
        assert_eq!(found, 56);
        assert!(found as f64 * 33.0 * megabyte > cached);
        // What takes long and is small is still read from memory.
        let found = repetitions(2.0, 20.0 * megabyte, 20.0 * megabyte, cached);
        assert!(found as f64 * 20.0 * megabyte > cached && found < 10, "{found}");
        // Of what is tiny no number of them is more than caches hold.
        assert_eq!(repetitions(0.017, 8.0 * kilobyte, 8.0 * kilobyte, cached), REPETITIONS_MAX);
        // Arrays of which little is read have to be there all the same.
        assert_eq!(repetitions(0.02, 17.0 * megabyte, gigabyte, cached), 16);
        assert_eq!(repetitions(0.02, 17.0 * megabyte, 20.0 * gigabyte, cached), 1);
    }

    #[test]
    fn narrow_terminals_have_few_columns_below_names() {
        let name = "attention of 8 x 2048 tokens, 32 heads of 128, causal, bf16";
        let cells =
            ["0.1234", "0.1200 to 0.1300", "1.5000", "0.1000", "81 %", "412.0", "3100.0", "2.1e-3", "1.0e-2", "8"]
                .map(str::to_owned);
        let heads = COLUMNS.map(|(head, _)| head.to_owned());
        let lines = |columns: usize| {
            let layout = Layout::new(Some(name.len()), columns);
            format!("{}\n{}", layout.line("", &heads), layout.line(name, &cells))
        };
        expect![[r#"
                    ms  plain ms  floor ms  of it   off by
            attention of 8 x 2048 tokens, 32 heads of 128,
            causal, bf16
                0.1234    1.5000    0.1000   81 %   2.1e-3"#]]
        .assert_eq(&lines(50));
        expect![[r#"
                                                                                ms        min to max  plain ms  floor ms  of it  TFLOP/s     GB/s   off by   may be repeated
            attention of 8 x 2048 tokens, 32 heads of 128, causal, bf16     0.1234  0.1200 to 0.1300    1.5000    0.1000   81 %    412.0   3100.0   2.1e-3   1.0e-2        8"#]].assert_eq(&lines(usize::MAX));
        assert_ne!(Layout::new(Some(name.len()), 160), Layout::new(Some(name.len()), 159));
    }

    const A100: Hardware = Hardware { platform: Platform::Cuda, compute_capability: Some((8, 0)), gfx: None };
    const TURING: Hardware = Hardware { compute_capability: Some((7, 5)), ..A100 };
    const HOPPER: Hardware = Hardware { compute_capability: Some((9, 0)), ..A100 };
    const MI300: Hardware = Hardware { platform: Platform::Rocm, compute_capability: None, gfx: Some(0x942) };

    /// Triton ends the process that asks for others.
    #[test]
    fn what_is_held_in_8_bits_is_in_those_of_the_device() {
        let ada = Hardware { compute_capability: Some((8, 9)), ..A100 };
        let gfx = |gfx| Hardware { gfx: Some(gfx), ..MI300 };
        for (hardware, expected) in [
            (A100, None),
            (ada, Some(DType::F8E4M3FN)),
            (HOPPER, Some(DType::F8E4M3FN)),
            (gfx(0x90a), None),
            (MI300, Some(DType::F8E4M3FNUZ)),
            (gfx(0x950), Some(DType::F8E4M3FN)),
        ] {
            for small in [true, false] {
                let operations = chosen(small, hardware, "").expect("there are some");
                let arguments = operations.iter().flat_map(Operation::arguments);
                let held: Vec<_> = arguments.map(|given| given.ty.dtype).filter(|dtype| dtype.is_float8()).collect();
                assert_eq!(held.is_empty(), expected.is_none(), "{hardware:?}");
                assert!(held.iter().all(|dtype| Some(*dtype) == expected), "{hardware:?}: {held:?}");
            }
        }
    }

    #[test]
    fn operations_are_chosen_by_the_lines_that_are_printed() {
        let count = |hardware, only| chosen(false, hardware, only).map_or(0, |operations| operations.len());
        assert!(count(MI300, "for AMD") > 0 && count(MI300, "f8e4m3fnuz") > 0 && count(HOPPER, "for Hopper") > 0);
        let refused = chosen(false, MI300, "for Hopper").expect_err("none is for Hopper there").to_string();
        let expected = "--only: no operation has `for Hopper` in its line; lines begin with one of: attention, \
                        attention forward, attention forward and backward, causal convolution backward, \
                        causal convolution forward, dual scan forward, dual scan forward and backward, \
                        grouped product backward, grouped product forward, norm, product, selective scan forward, \
                        selective scan forward and backward, writing";
        assert_eq!(refused, expected);
    }

    #[test]
    fn a_gpu_without_our_kernels_is_refused() {
        let refused = chosen(false, TURING, "").expect_err("it has none").to_string();
        let expected = "there is no kernel to measure: Finery's kernel needs compute capability 8.0, and the GPU has 7.5; take another GPU, or --device \
                        cpu, where kernels are interpreted";
        assert_eq!(refused, expected);
        assert!(chosen(true, Hardware::CPU, "").is_ok());
    }

    #[test]
    fn what_is_off_is_not_timed() {
        let distance = |whole, vector| Distance { whole, vector };
        let is_timed = |distance| worth_timing(Some(()), distance, 1e-3).is_some();
        assert!(is_timed(distance(1e-3, Distance::VECTORS * 1e-3)));
        for off in [distance(2e-3, 0.0), distance(f64::NAN, 0.0), distance(1e-4, 5e-3), distance(0.0, f64::NAN)] {
            assert!(!is_timed(off), "{off:?}");
        }
        let ms = Times { median: 1.0, min: 1.0, max: 1.0 };
        let row = Row {
            operation: "one".to_owned(),
            off_by: f64::NAN,
            tolerance: 1e-3,
            vector_off_by: 0.0,
            vector_tolerance: 4e-3,
            ms: None,
            repetitions: 1,
            in_caches: false,
            reference_ms: ms,
            floor_ms: 0.5,
            reached: None,
            launches: Vec::new(),
        };
        let told = serde_json::to_value(&row).expect("it can be written");
        assert!(row.is_off() && told.get("ms").is_none() && told.get("gb_per_s").is_none(), "{told}");
        assert!(Row { off_by: 0.0, vector_off_by: 5e-3, ..row }.is_off());
    }

    #[test]
    fn references_are_wider_than_kernels() {
        for operation in [Operation::tried(), Operation::timed()].concat() {
            let own = operation.results()[0].dtype;
            for is_cpu in [true, false] {
                let wide = wider(is_cpu, &operation)(own);
                assert!(wide.size() > own.size(), "{operation} is compared in {wide}");
            }
        }
    }

    #[test]
    fn repetitions_have_arrays_of_their_own() {
        let operation = Operation::tried().into_iter().find(|one| matches!(one, Operation::PagedAttention(_)));
        let operation = operation.expect("attention to pages is in the list");
        let calls = |program: &graph::Program| program.text.matches("@__gpu$xla.gpu.triton").count();
        let [once, thrice] = [1, 3].map(|times| repeated(&operation, times).expect("it can be traced"));
        assert!(calls(&once) > 0 && calls(&thrice) == 3 * calls(&once), "{}", thrice.text);
        let count = |program: &graph::Program| [program.inputs.len(), program.outputs.len()];
        assert_eq!(count(&once), [operation.arguments().len(), operation.results().len()]);
        assert_eq!(count(&thrice), count(&once).map(|count| 3 * count));
    }
}
