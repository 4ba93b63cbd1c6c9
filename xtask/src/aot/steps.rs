//! Training steps that are compiled for GPUs that are not here, and what is held of each.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::Value;

use super::code_objects::{self, CodeObjects, Sizes};
use super::shapes::{LLAMA_1B, LLAMA_7B_LORA, MAMBA_370M, MAMBA2_1300M, MIXTRAL_3B, MIXTRAL_LORA, MPT_1B, Shape};
use super::{Finery, temporaries_violation};

/// What a run may use of a device's memory; runtime's `SessionOptions` reserve as much.
const USABLE: f64 = 0.92;

/// A step that is compiled, and the memory it should take.
pub(super) struct Case {
    pub(super) target: &'static str,
    shape: &'static Shape,
    /// Whether rows hold several documents, which on H200 cuDNN's attention keeps apart.
    packed: bool,
    /// Whether layers multiply in 8-bit floats.
    float8: bool,
    /// Bytes of temporaries with the pinned plugins (0.11.2 for CUDA, 0.12.0 for ROCm). H200 has cuDNN's attention, and ours where
    /// that lacks what a model asks for; AMD has ours. Neither holds scores.
    temporary_bytes: f64,
}

pub(super) const CASES: [Case; 26] = [
    Case { target: "h200", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 22.248e9 },
    Case { target: "h200", shape: &LLAMA_1B, packed: false, float8: true, temporary_bytes: 21.475e9 },
    Case { target: "h200", shape: &LLAMA_7B_LORA, packed: false, float8: true, temporary_bytes: 35.652e9 },
    Case { target: "mi300x", shape: &LLAMA_1B, packed: false, float8: true, temporary_bytes: 21.217e9 },
    Case { target: "h200", shape: &LLAMA_7B_LORA, packed: false, float8: false, temporary_bytes: 35.652e9 },
    Case { target: "h200", shape: &LLAMA_7B_LORA, packed: true, float8: false, temporary_bytes: 35.853e9 },
    Case { target: "mi300x", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 22.033e9 },
    Case { target: "mi300x", shape: &LLAMA_7B_LORA, packed: false, float8: false, temporary_bytes: 35.195e9 },
    Case { target: "mi300x", shape: &LLAMA_7B_LORA, packed: true, float8: false, temporary_bytes: 35.195e9 },
    Case { target: "mi250", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 22.033e9 },
    Case { target: "mi250", shape: &LLAMA_7B_LORA, packed: false, float8: false, temporary_bytes: 35.195e9 },
    Case { target: "h200", shape: &MPT_1B, packed: false, float8: false, temporary_bytes: 22.967e9 },
    Case { target: "h200", shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 19.617e9 },
    Case { target: "h200", shape: &MAMBA2_1300M, packed: false, float8: false, temporary_bytes: 34.360e9 },
    Case { target: "h200", shape: &MIXTRAL_3B, packed: false, float8: false, temporary_bytes: 25.931e9 },
    Case { target: "h200", shape: &MIXTRAL_LORA, packed: false, float8: false, temporary_bytes: 25.306e9 },
    Case { target: "mi300x", shape: &MPT_1B, packed: false, float8: false, temporary_bytes: 22.989e9 },
    Case { target: "mi300x", shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 19.413e9 },
    Case { target: "mi300x", shape: &MAMBA2_1300M, packed: false, float8: false, temporary_bytes: 33.952e9 },
    Case { target: "mi300x", shape: &MIXTRAL_3B, packed: false, float8: false, temporary_bytes: 25.373e9 },
    Case { target: "mi300x", shape: &MIXTRAL_LORA, packed: false, float8: false, temporary_bytes: 25.194e9 },
    Case { target: "mi250", shape: &MPT_1B, packed: false, float8: false, temporary_bytes: 22.989e9 },
    Case { target: "mi250", shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 19.413e9 },
    Case { target: "mi250", shape: &MAMBA2_1300M, packed: false, float8: false, temporary_bytes: 33.952e9 },
    Case { target: "mi250", shape: &MIXTRAL_3B, packed: false, float8: false, temporary_bytes: 25.469e9 },
    Case { target: "mi250", shape: &MIXTRAL_LORA, packed: false, float8: false, temporary_bytes: 25.177e9 },
];

/// Above the columns of [`Compiled::row`].
pub(super) const HEADINGS: &str = "target   preset                compile s arguments GiB temporaries GiB device GiB";

/// What compiling has told.
pub(super) struct Compiled {
    seconds: f64,
    argument_bytes: u64,
    temporary_bytes: u64,
    program_bytes: u64,
    device_bytes: u64,
    /// FLOPs of products in 8 bits, by the types of their factors.
    float8_flops: BTreeMap<String, f64>,
    /// How often each routine of a library and each kernel of Finery's is called.
    calls: BTreeMap<String, f64>,
    /// Fusions that multiply what matrix cores take.
    products_made: BTreeSet<String>,
    /// Code objects of such fusions, where they are read.
    products_read: Option<usize>,
    /// What is wrong with the code objects.
    wrong_objects: Vec<String>,
}

impl Case {
    /// Whether the device has room for it: eight experts' weights in bf16 alone are 93 GB, and one die of an MI250 has 64.
    fn fits(&self) -> bool {
        !(self.target == "mi250" && self.shape.preset == MIXTRAL_LORA.preset)
    }

    pub(super) fn name(&self) -> String {
        let [packed, float8] =
            [(self.packed, ", packed"), (self.float8, ", fp8")].map(|(is, word)| if is { word } else { "" });
        format!("{}{packed}{float8}", self.shape.preset)
    }

    pub(super) fn compile(&self, finery: &Finery) -> Result<Compiled> {
        let mut arguments = vec!["bench", "train", "--json", "--preset", self.shape.preset, "--target", self.target];
        arguments.extend(self.packed.then_some("--packed"));
        if self.float8 {
            arguments.extend(["--dtype", "fp8"]);
        }
        if self.shape.scan_layers {
            arguments.extend(["--scan-layers", "true"]);
        }
        let name = format!("step-{}-{}", self.target, self.name().replace(", ", "-"));
        let path = finery.root.join(format!("target/aot-{name}.mlir"));
        let place = path.display().to_string();
        arguments.extend(["--dump", &place]);
        let is_amd = self.target != "h200";
        let objects = CodeObjects::new(&finery.root, &name)?;
        let output = finery.run_with(&objects.variables(), &arguments)?;
        let mut compiled = Compiled::parse(&output)
            .with_context(|| format!("reading what was printed for {}: {output:?}", self.target))?;
        if is_amd {
            let text = std::fs::read_to_string(&path).with_context(|| format!("reading {place}"))?;
            let (made, wanted) = (objects.read()?, code_objects::wanted(&text)?);
            compiled.wrong_objects = code_objects::violations((self.target, Sizes::Timed), &made, &wanted);
            let (read, wrong) = code_objects::violations_of_fusions(self.target, &made, &compiled.products_made);
            compiled.products_read = Some(read);
            compiled.wrong_objects.extend(wrong);
        }
        Ok(compiled)
    }

    /// What the compiled step should call and does not, or calls and should not.
    fn misses(&self, calls: &BTreeMap<String, f64>) -> Vec<String> {
        let is_amd = self.target != "h200";
        let kernels = if is_amd { self.shape.kernels } else { self.shape.beside_cudnn };
        let missing = kernels.iter().filter(|kernel| !calls.contains_key(**kernel));
        let foreign = calls.keys().filter(|name| is_amd && name.to_lowercase().contains("cudnn"));
        let missing = missing.map(|kernel| format!("does not call the kernel `{kernel}`"));
        missing.chain(foreign.map(|name| format!("calls cuDNN's `{name}`"))).collect()
    }

    /// What is wrong with the products in 8 bits: none where they are not asked for; else all of the layers', in the target's own types, of which the
    /// forward pass has one, and the backward pass two, or one of frozen weights. Those that are computed again come on top.
    fn float8_violation(&self, flops: &BTreeMap<String, f64>) -> Option<String> {
        if !self.float8 {
            return (!flops.is_empty()).then(|| format!("multiplies in 8 bits: {flops:?}"));
        }
        let types: &[&str] =
            if self.target == "h200" { &["f8e4m3fn", "f8e5m2"] } else { &["f8e4m3fnuz", "f8e5m2fnuz"] };
        let own = flops.iter().filter(|(factors, _)| factors.split(' ').all(|factor| types.contains(&factor)));
        let (found, all): (f64, f64) = (own.map(|(_, flops)| flops).sum(), flops.values().sum());
        let passes = if self.shape.adapters.is_some() { 2 } else { 3 };
        let expected = (passes * 2 * self.shape.in_8_bits * self.shape.tokens) as f64;
        // A first layer's queries, keys and values are of embeddings, which have no gradient where adapters are trained.
        let is_all = found == all && (0.99 * expected..1.5 * expected).contains(&found);
        (!is_all).then(|| format!("{expected:.3e} FLOPs of its layers are to be in {types:?}, and are {flops:?}"))
    }
}

impl Compiled {
    fn parse(json: &str) -> Result<Compiled> {
        let report: Value = serde_json::from_str(json)?;
        let bytes = |key: &str| report[key].as_u64().with_context(|| format!("no whole number `{key}`"));
        Ok(Compiled {
            seconds: report["compile_seconds"].as_f64().context("no number `compile_seconds`")?,
            argument_bytes: bytes("argument_bytes")?,
            temporary_bytes: bytes("temporary_bytes")?,
            program_bytes: bytes("program_bytes")?,
            device_bytes: bytes("device_bytes")?,
            float8_flops: numbers(&report, "float8_flops")?,
            calls: numbers(&report, "calls")?,
            products_made: names(&report, "products_made")?,
            products_read: None,
            wrong_objects: Vec::new(),
        })
    }

    /// Bytes of the device that it may use.
    fn usable(&self) -> f64 {
        self.device_bytes as f64 * USABLE
    }

    fn fits(&self) -> bool {
        self.program_bytes as f64 <= self.usable()
    }

    pub(super) fn row(&self, case: &Case) -> String {
        let fits = if self.fits() { "fits" } else { "DOES NOT FIT" };
        let products = self.products_read.map(|read| {
            let all = self.products_made.len();
            format!("; of {all} fusions that multiply matrices {read} code objects are read")
        });
        format!(
            "{:<8} {:<21} {:>9.1} {:>13.2} {:>15.2} {:>10.1}  {fits}: {:.1} of {:.1} GiB that may be used{}",
            case.target,
            case.name(),
            self.seconds,
            gib(self.argument_bytes as f64),
            gib(self.temporary_bytes as f64),
            gib(self.device_bytes as f64),
            gib(self.program_bytes as f64),
            gib(self.usable()),
            products.unwrap_or_default(),
        )
    }

    pub(super) fn violations(&self, case: &Case) -> Vec<String> {
        let name = format!("{} for {}", case.name(), case.target);
        let mut wrong = Vec::new();
        let expected = case.shape.argument_bytes(case.packed, case.float8);
        if self.argument_bytes != expected {
            let found = self.argument_bytes;
            wrong.push(format!("{name}: takes {found} bytes of arguments; its parameters and data are {expected}"));
        }
        wrong.extend(temporaries_violation(&name, self.temporary_bytes, case.temporary_bytes));
        if self.fits() != case.fits() {
            let (found, usable) = (gib(self.program_bytes as f64), gib(self.usable()));
            let known = if case.fits() { "should fit" } else { "is known not to" };
            wrong.push(format!("{name}: takes {found:.1} of {usable:.1} GiB that may be used, and {known}"));
        }
        let float8 = case.float8_violation(&self.float8_flops);
        let told = case.misses(&self.calls).into_iter().chain(float8).chain(self.wrong_objects.iter().cloned());
        wrong.extend(told.map(|told| format!("{name}: {told}")));
        wrong
    }
}

/// The numbers of an object in a report, by their keys.
fn numbers(report: &Value, key: &str) -> Result<BTreeMap<String, f64>> {
    let object = report[key].as_object().with_context(|| format!("no object `{key}`"))?;
    let number = |(name, value): (&String, &Value)| Some((name.clone(), value.as_f64()?));
    object.iter().map(number).collect::<Option<_>>().with_context(|| format!("`{key}` holds what is no number"))
}

/// The texts of a list in a report.
fn names(report: &Value, key: &str) -> Result<BTreeSet<String>> {
    let list = report[key].as_array().with_context(|| format!("no list `{key}`"))?;
    let name = |value: &Value| Some(value.as_str()?.to_owned());
    list.iter().map(name).collect::<Option<_>>().with_context(|| format!("`{key}` holds what is no text"))
}

fn gib(bytes: f64) -> f64 {
    bytes / (1u64 << 30) as f64
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{ATTENTION, MAMBA};
    use super::*;

    fn case(target: &str, preset: &str) -> &'static Case {
        let is_it = |case: &&Case| case.target == target && case.shape.preset == preset && !case.packed && !case.float8;
        CASES.iter().find(is_it).expect("a case")
    }

    /// What is wrong with a step that takes so many bytes of a device of 64 GiB and is else as it should be.
    fn wrong(case: &Case, program_bytes: u64) -> Vec<String> {
        let compiled = Compiled {
            argument_bytes: case.shape.argument_bytes(case.packed, case.float8),
            temporary_bytes: case.temporary_bytes as u64,
            program_bytes,
            device_bytes: 1 << 36,
            calls: case.shape.kernels.iter().map(|name| ((*name).to_owned(), 1.0)).collect(),
            ..compiled()
        };
        compiled.violations(case)
    }

    #[test]
    fn what_no_longer_fits_is_found_and_what_fits_anew() {
        let (small, large) = (1 << 35, 1 << 36);
        let fits = case("mi250", "mixtral-3b");
        assert_eq!(wrong(fits, small), Vec::<String>::new());
        let found = "mixtral-3b for mi250: takes 64.0 of 58.9 GiB that may be used, and should fit";
        assert_eq!(wrong(fits, large), [found]);
        let does_not = case("mi250", "mixtral-8x7b-lora");
        assert_eq!(wrong(does_not, large), Vec::<String>::new());
        let found = "mixtral-8x7b-lora for mi250: takes 32.0 of 58.9 GiB that may be used, and is known not to";
        assert_eq!(wrong(does_not, small), [found]);
    }

    #[test]
    fn experts_that_are_trained_have_gradients_of_weights() {
        let of_rows = ["grouped_product", "grouped_product_of_rows"];
        let calls = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 1.0)).collect();
        let calls = calls(&[ATTENTION, &of_rows].concat());
        let missing = case("mi300x", "mixtral-3b").misses(&calls);
        assert_eq!(missing, ["does not call the kernel `grouped_product_of_weights`"]);
        assert_eq!(case("mi300x", "mixtral-8x7b-lora").misses(&calls), Vec::<String>::new());
        // On an H200 cuDNN has attention, but not MPT's.
        let products = of_rows.iter().map(|name| ((*name).to_owned(), 1.0)).collect();
        assert_eq!(case("h200", "mixtral-3b").misses(&products), missing);
        assert_eq!(case("h200", "mixtral-8x7b-lora").misses(&products), Vec::<String>::new());
        assert_eq!(case("h200", "mpt-1b").misses(&products).len(), ATTENTION.len());
    }

    #[test]
    fn memory_beyond_the_window_is_a_violation() {
        let case = Case { target: "h200", shape: &LLAMA_1B, packed: false, float8: false, temporary_bytes: 25.0e9 };
        let wrong = |argument_bytes, temporary_bytes| {
            let (program_bytes, device_bytes) = (argument_bytes + temporary_bytes, 150_000_000_000);
            let compiled = Compiled { argument_bytes, temporary_bytes, program_bytes, device_bytes, ..compiled() };
            compiled.violations(&case).len()
        };
        let arguments = LLAMA_1B.argument_bytes(false, false);
        assert_eq!(wrong(arguments, 27_400_000_000), 0);
        assert_eq!(wrong(arguments, 22_600_000_000), 0);
        assert_eq!(wrong(arguments, 27_600_000_000), 1);
        assert_eq!(wrong(arguments - 4, 22_400_000_000), 2);
    }

    fn compiled() -> Compiled {
        Compiled {
            seconds: 13.5,
            argument_bytes: 1 << 30,
            temporary_bytes: 1 << 30,
            program_bytes: 1 << 30,
            device_bytes: 1 << 30,
            float8_flops: BTreeMap::new(),
            calls: BTreeMap::new(),
            products_made: BTreeSet::new(),
            products_read: None,
            wrong_objects: Vec::new(),
        }
    }

    #[test]
    fn a_step_for_amd_calls_its_kernels_and_nothing_of_nvidias() {
        let case = |target| Case { target, shape: &MAMBA_370M, packed: false, float8: false, temporary_bytes: 1.0 };
        let calls = |more: &[&str]| -> BTreeMap<String, f64> {
            MAMBA.iter().chain(more).map(|name| ((*name).to_owned(), 24.0)).collect()
        };
        assert_eq!(case("mi300x").misses(&calls(&["__cublas$lt$matmul"])), Vec::<String>::new());
        let cudnn = calls(&["__cudnn$fmhaSoftmax"]);
        assert_eq!(case("mi250").misses(&cudnn), ["calls cuDNN's `__cudnn$fmhaSoftmax`"]);
        let mut less = calls(&["selective_scan_carry"]);
        less.remove("selective_scan");
        assert_eq!(case("mi300x").misses(&less), ["does not call the kernel `selective_scan`"]);
        assert_eq!(case("h200").misses(&calls(&["__cudnn$fmhaSoftmax"])), Vec::<String>::new());
        assert_eq!(case("h200").misses(&less), ["does not call the kernel `selective_scan`"]);
    }

    #[test]
    fn a_step_in_8_bits_multiplies_in_them() {
        let is_wrong = |target, float8, shape: &'static Shape, flops: &[(&str, f64)]| {
            let case = Case { target, shape, packed: false, float8, temporary_bytes: 1.0 };
            let flops = flops.iter().map(|(types, flops)| ((*types).to_owned(), *flops)).collect();
            case.float8_violation(&flops).is_some()
        };
        // 24 layers of 7 products, each of 16,384 tokens.
        let pass = 2.0 * 16_384.0 * 24.0 * f64::from(4 * 2048 * 2048 + 3 * 2048 * 5504);
        let ocp = [("f8e4m3fn f8e4m3fn", pass), ("f8e5m2 f8e4m3fn", 2.0 * pass)];
        let fnuz = [("f8e4m3fnuz f8e4m3fnuz", pass), ("f8e5m2fnuz f8e4m3fnuz", 2.0 * pass)];
        assert!(!is_wrong("h200", true, &LLAMA_1B, &ocp) && !is_wrong("mi300x", true, &LLAMA_1B, &fnuz));
        assert!(is_wrong("h200", true, &LLAMA_1B, &fnuz) && is_wrong("mi300x", true, &LLAMA_1B, &ocp));
        // All of them, a pass and nothing in what was asked to be in bf16 or is upcast by the compiler.
        assert!(is_wrong("h200", true, &LLAMA_1B, &[]) && is_wrong("h200", true, &LLAMA_1B, &ocp[..1]));
        assert!(is_wrong("h200", false, &LLAMA_1B, &ocp) && !is_wrong("h200", false, &LLAMA_1B, &[]));
        // Of frozen weights there is no gradient.
        let pass = 2.0 * 8192.0 * 32.0 * f64::from(4 * 4096 * 4096 + 3 * 4096 * 11_008);
        let lora = [("f8e4m3fn f8e4m3fn", pass), ("f8e5m2 f8e4m3fn", 0.995 * pass)];
        assert!(!is_wrong("h200", true, &LLAMA_7B_LORA, &lora) && is_wrong("h200", true, &LLAMA_7B_LORA, &lora[..1]));
    }

    #[test]
    fn what_fits_leaves_room_for_the_driver() {
        let case = &CASES[0];
        let row = |program_bytes| Compiled { program_bytes, device_bytes: 100 << 30, ..compiled() }.row(case);
        assert!(row(92 << 30).contains("  fits: 92.0 of 92.0 GiB"), "{}", row(92 << 30));
        assert!(row((92 << 30) + 1).contains("DOES NOT FIT"));
    }

    #[test]
    fn a_report_that_lacks_a_number_says_which() {
        let error = Compiled::parse(r#"{"compile_seconds": 1.5, "argument_bytes": 1, "temporary_bytes": -2}"#);
        assert_eq!(error.err().map(|error| error.to_string()).as_deref(), Some("no whole number `temporary_bytes`"));
    }
}
