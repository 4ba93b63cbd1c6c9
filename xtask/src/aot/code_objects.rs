//! What AMD's compiler made of kernels: their registers and instructions, read from code objects that the ROCm plugin leaves, beside what their texts ask for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// What the ROCm plugin leaves code objects by, of modules of any size.
const CODE_OBJECTS: &str = "TF_XLA_HSACO_CACHE_DIR";
const SMALLEST: &str = "TF_XLA_HSACO_BITCODE_SIZE_THRESHOLD";

/// LLVM's tools as Debian names them, which know gfx942.
const READELF: &str = "llvm-readelf-19";
const OBJDUMP: &str = "llvm-objdump-19";

/// Lanes of a wave on all GPUs that kernels are compiled for.
const LANES: u64 = 64;

/// Kernels whose registers of a kind may spill, what they are compiled for then, and how many.
type Spills = ((&'static str, Sizes), &'static str, u64);

/// Kernels whose scalar registers may spill. A condition of a block takes a pair of them for each element that a lane has, 106 are
/// all that a wave has, and what does not fit goes into lanes of a vector register: a move each, and no memory. Others hold few conditions at a time.
const SCALAR_SPILLS: &[Spills] = &[
    // Who sees whom, and which elements of a head there are.
    (("mi250", Sizes::Timed), "attention_forward", 64),
    (("mi250", Sizes::Small), "attention_forward", 48),
    (("mi250", Sizes::Small), "attention_backward_keys", 56),
    (("mi250", Sizes::Small), "attention_backward_queries", 8),
    (("mi250", Sizes::Small), "paged_attention", 16),
    (("mi300x", Sizes::Timed), "attention_forward", 32),
    (("mi300x", Sizes::Small), "attention_forward", 72),
    (("mi300x", Sizes::Small), "attention_backward_keys", 56),
    (("mi300x", Sizes::Small), "attention_backward_queries", 8),
    (("mi300x", Sizes::Small), "paged_attention", 16),
    // Which tokens are before which, in a triangle, and in one document.
    (("mi250", Sizes::Timed), "dual_scan_gradients", 216),
    (("mi250", Sizes::Small), "dual_scan_gradients", 224),
    (("mi250", Sizes::Timed), "dual_scan_gradient_c", 16),
    (("mi300x", Sizes::Timed), "dual_scan_gradients", 208),
    (("mi300x", Sizes::Small), "dual_scan_gradients", 216),
    (("mi300x", Sizes::Timed), "dual_scan_gradient_c", 24),
    // Rows, columns and tokens of tiles that odd sizes leave empty.
    (("mi250", Sizes::Small), "grouped_product", 80),
    (("mi250", Sizes::Small), "grouped_product_of_rows", 48),
    (("mi300x", Sizes::Small), "grouped_product", 64),
    (("mi300x", Sizes::Small), "grouped_product_of_rows", 48),
    (("mi250", Sizes::Small), "narrow_product", 8),
    (("mi250", Sizes::Small), "selective_scan_gradients", 24),
    (("mi300x", Sizes::Small), "selective_scan_gradients", 16),
];

/// Kernels whose vector registers may spill, where lanes have no memory for it: into accumulators, a move each.
const VECTOR_SPILLS: &[Spills] = &[
    // Of one odd size: both gradients' sums, tiles and masks take one more than the 256 that instructions name.
    (("mi250", Sizes::Small), "attention_backward_keys", 1),
];

/// Which sizes kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sizes {
    /// Those of steps, and of operations that are timed.
    Timed,
    /// Small and odd ones, that operations are tried at.
    Small,
}

/// What a code object's metadata and instructions say of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    vector_registers: u64,
    accumulators: u64,
    /// Of vector registers; into accumulators, where there is no memory for them.
    spilled: u64,
    scalars_spilled: u64,
    /// Bytes of memory that each lane has for what does not fit into registers.
    private_bytes: u64,
    lanes: u64,
    matrix_instructions: usize,
}

/// The code objects of a command, in a folder of their own.
pub(super) struct CodeObjects {
    dir: PathBuf,
    place: String,
}

impl CodeObjects {
    /// An empty folder of this name.
    pub(super) fn new(root: &Path, name: &str) -> Result<CodeObjects> {
        let dir = root.join("target/code-objects").join(name);
        if dir.exists() {
            std::fs::remove_dir_all(&dir).with_context(|| format!("emptying {}", dir.display()))?;
        }
        std::fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
        let place = dir.display().to_string();
        Ok(CodeObjects { dir, place })
    }

    /// What a command has to be run with.
    pub(super) fn variables(&self) -> [(&str, &str); 2] {
        [(CODE_OBJECTS, &self.place), (SMALLEST, "0")]
    }

    /// The kernels of all code objects, by name and code object.
    pub(super) fn read(&self) -> Result<BTreeMap<(String, String), Made>> {
        let mut all = BTreeMap::new();
        for entry in self.dir.read_dir().with_context(|| format!("reading {}", self.place))? {
            let path = entry?.path();
            let mut kernels = metadata(&output(READELF, &["--notes"], &path)?)?;
            let instructions = matrix_instructions(&output(OBJDUMP, &["--disassemble"], &path)?);
            for (name, count) in instructions {
                if let Some(made) = kernels.get_mut(&name) {
                    made.matrix_instructions = count;
                }
            }
            let object = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            all.extend(kernels.into_iter().map(|(name, made)| ((name, object.clone()), made)));
        }
        ensure!(!all.is_empty(), "the ROCm plugin left no code object in {}: was anything compiled?", self.place);
        Ok(all)
    }
}

fn output(tool: &str, arguments: &[&str], path: &Path) -> Result<String> {
    let output = Command::new(tool).args(arguments).arg(path).output();
    let output = output.with_context(|| format!("running {tool}, which Debian has in its package llvm-19"))?;
    ensure!(output.status.success(), "{tool} failed on {} ({})", path.display(), output.status);
    String::from_utf8(output.stdout).with_context(|| format!("reading what {tool} printed"))
}

/// Each kernel of what `llvm-readelf --notes` prints.
fn metadata(notes: &str) -> Result<BTreeMap<String, Made>> {
    let mut kernels = BTreeMap::new();
    // A kernel's own keys stand at one depth; those of its arguments, which have names too, stand deeper.
    let own = notes.lines().filter_map(|line| {
        let line = line.strip_prefix("  - ").or_else(|| line.strip_prefix("    "))?;
        let (key, value) = line.strip_prefix('.')?.split_once(':')?;
        Some((key, value.trim()))
    });
    let (mut name, mut made) = (String::new(), Made::default());
    for (key, value) in own {
        let number = || value.parse::<u64>().with_context(|| format!("reading {key} of a code object: `{value}`"));
        match key {
            "agpr_count" => made.accumulators = number()?,
            "vgpr_count" => made.vector_registers = number()?,
            "vgpr_spill_count" => made.spilled = number()?,
            "sgpr_spill_count" => made.scalars_spilled = number()?,
            "private_segment_fixed_size" => made.private_bytes = number()?,
            "symbol" => name = value.trim_end_matches(".kd").to_owned(),
            // The last key of a kernel.
            "wavefront_size" => {
                made.lanes = number()?;
                kernels.insert(std::mem::take(&mut name), std::mem::take(&mut made));
            }
            _ => {}
        }
    }
    Ok(kernels)
}

/// How many instructions of the matrix cores each function has, of what `llvm-objdump --disassemble` prints.
fn matrix_instructions(assembly: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut function = String::new();
    for line in assembly.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split_once('<')).map(|(_, name)| name) {
            function = name.to_owned();
        } else if line.trim_start().starts_with("v_mfma") {
            *counts.entry(function.clone()).or_default() += 1;
        }
    }
    counts
}

/// The kernels that programs bring along in Triton's form, by their names: of each that differs from others of the name the least instructions of matrix
/// cores that its products take.
pub(super) fn wanted(programs: &str) -> Result<BTreeMap<String, Vec<usize>>> {
    let (mut wanted, mut known) = (BTreeMap::<String, Vec<usize>>::new(), BTreeSet::new());
    for kernel in programs.split("tt.func public @").skip(1) {
        let name = kernel.split('(').next().unwrap_or_default();
        let (text, rest) = kernel.split_once("num_warps = ").with_context(|| format!("{name} has no `num_warps`"))?;
        let warps = rest.split(' ').next().and_then(|warps| warps.parse().ok());
        let warps = warps.with_context(|| format!("{name} has no number of warps"))?;
        if known.insert((text, warps)) {
            let products = text.split("tt.dot ").skip(1).map(|product| least_instructions(product, warps));
            let least = products.sum::<Option<usize>>().with_context(|| format!("{name} has a product of no types"))?;
            wanted.entry(name.to_owned()).or_default().push(least);
        }
    }
    Ok(wanted)
}

/// How many instructions of each wave a product takes at the least, `… : tensor<128x64xbf16> * tensor<64x32xbf16> -> …`.
fn least_instructions(product: &str, warps: usize) -> Option<usize> {
    let (_, types) = product.split_once(" : tensor<")?;
    let (left, rest) = types.split_once("> * tensor<")?;
    let (right, _) = rest.split_once('>')?;
    let [rows, inner, element] = left.split('x').collect::<Vec<_>>().try_into().ok()?;
    let columns = right.split('x').nth(1)?;
    let [rows, inner, columns] = [rows, inner, columns].map(|size| size.parse::<usize>().ok());
    // Of the largest instruction: 32 x 32 x 8, of half as many f32, which may be rounded to 19 bits, and twice as many 8-bit floats.
    let most = match element {
        "f32" => 4096,
        "bf16" | "f16" => 8192,
        _ => 16_384,
    };
    Some((rows? * inner? * columns? / (warps * most)).max(1))
}

/// A module's second kernel of a name is the name and a number.
fn base(name: &str) -> &str {
    name.rsplit_once("__").filter(|(_, number)| number.parse::<usize>().is_ok()).map_or(name, |(name, _)| name)
}

/// What is wrong with the kernels that were made for a target of those that are `wanted`.
pub(super) fn violations(
    (target, sizes): (&str, Sizes),
    made: &BTreeMap<(String, String), Made>,
    wanted: &BTreeMap<String, Vec<usize>>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for ((name, _), made) in made {
        if made.lanes != LANES {
            wrong.push(format!("{name} for {target}: a wave has {} lanes and not {LANES}", made.lanes));
        }
        if wanted.contains_key(base(name)) {
            wrong.extend(
                made.spills((target, sizes), base(name)).map(|spills| format!("{name} for {target}: {spills}")),
            );
        }
    }
    for (name, least) in wanted {
        let own = made.iter().filter(|((made, _), _)| base(made) == name);
        let mut found: Vec<_> = own.map(|(_, made)| made.matrix_instructions).collect();
        if found.len() < least.len() {
            let (found, least) = (found.len(), least.len());
            wrong.push(format!("{name} for {target}: {found} were made of {least} that programs have"));
        }
        // Which is which nobody says: that of the most products is held to be the one with the most instructions.
        let mut least = least.clone();
        for counts in [&mut found, &mut least] {
            counts.sort_unstable_by(|a, b| b.cmp(a));
        }
        for (found, least) in found.iter().zip(&least).filter(|(found, least)| found < least) {
            wrong.push(format!(
                "{name} for {target}: {found} instructions of the matrix cores (MFMA), where its products take {least}"
            ));
        }
    }
    wrong
}

/// How many code objects are of those that the compiler made of itself, of fusions that multiply what matrix cores take, and what is wrong with them.
///
/// Fusions that compute the same share the first one's, and layers are alike, so that there are fewer than fusions: only that there is one is asked for.
pub(super) fn violations_of_fusions(
    target: &str,
    made: &BTreeMap<(String, String), Made>,
    products: &BTreeSet<String>,
) -> (usize, Vec<String>) {
    let kernels: BTreeSet<_> = products.iter().map(|fusion| fusion.replace(['.', '-'], "_")).collect();
    let found: Vec<_> = made.iter().filter(|((name, _), _)| kernels.contains(name)).collect();
    if !products.is_empty() && found.is_empty() {
        let said = format!("no code object for {target} is of {} fusions that multiply matrices", products.len());
        return (0, vec![said]);
    }
    let without = found.iter().filter(|(_, made)| made.matrix_instructions == 0);
    let wrong = without.map(|((name, _), _)| format!("{name} for {target}: it multiplies matrices without MFMA"));
    (found.len(), wrong.collect())
}

impl Made {
    pub(super) fn row(&self, target: &str, name: &str) -> String {
        format!(
            "{target:<8} {name:<40} {:>4} registers, {:>4} accumulators, {:>4} spilled, {:>4} scalars spilled, {:>4} MFMA",
            self.vector_registers, self.accumulators, self.spilled, self.scalars_spilled, self.matrix_instructions
        )
    }

    fn spills(&self, compiled_for: (&str, Sizes), name: &str) -> Option<String> {
        let Made { spilled, private_bytes, scalars_spilled, .. } = *self;
        let most = |spills: &[Spills]| {
            let is_it = |(of, kernel, _): &&Spills| *of == compiled_for && *kernel == name;
            spills.iter().find(is_it).map_or(0, |(_, _, most)| *most)
        };
        if spilled > most(VECTOR_SPILLS) || private_bytes > 0 {
            return Some(format!("{spilled} vector registers spill, and lanes have {private_bytes} bytes of memory"));
        }
        let most = most(SCALAR_SPILLS);
        (scalars_spilled > most).then(|| format!("{scalars_spilled} scalar registers spill, where {most} may"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two kernels, the lines that matter and some that look like them.
    const NOTES: &str = "\
    AMDGPU Metadata:
amdhsa.kernels:
  - .agpr_count:     128
    .args:
      - .name:           arg0
        .size:           8
    .name:           attention_forward
    .private_segment_fixed_size: 0
    .sgpr_spill_count: 22
    .symbol:         attention_forward.kd
    .vgpr_count:     256
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .private_segment_fixed_size: 24
    .symbol:         other__1.kd
    .vgpr_count:     512
    .vgpr_spill_count: 6
    .wavefront_size: 32
amdhsa.target:   'amdgcn-unknown-amdhsa-amdgiz-gfx942:sramecc+:xnack-'
";

    const ASSEMBLY: &str = "\
0000000000001800 <attention_forward>:
\tv_mfma_f32_32x32x8_bf16 a[0:15], v[0:1], v[2:3], 0   // 000000001800: D3E00000
\ts_endpgm
0000000000001900 <other>:
\ts_endpgm
";

    #[test]
    fn code_objects_are_read() {
        let kernels = metadata(NOTES).expect("the metadata is whole");
        let first =
            Made { vector_registers: 256, accumulators: 128, scalars_spilled: 22, lanes: 64, ..Made::default() };
        let second = Made { vector_registers: 512, spilled: 6, private_bytes: 24, lanes: 32, ..Made::default() };
        assert_eq!(
            kernels,
            [("attention_forward", first), ("other__1", second)].map(|(n, m)| (n.to_owned(), m)).into()
        );
        assert_eq!(matrix_instructions(ASSEMBLY), BTreeMap::from([("attention_forward".to_owned(), 1)]));
        assert!(metadata("  - .agpr_count:     many\n").is_err());
    }

    /// As a step's text has them: grids differ where kernels do not, and warps and texts where they do.
    #[test]
    fn kernels_are_read_from_programs() {
        let call = |grid: usize, body: &str, warps: usize| {
            format!(
                "{{grid_x = {grid}, ir = \"module {{\\0A tt.func public @a(%x) {{{body}}}\", num_warps = {warps} : i32}}\n"
            )
        };
        let product = |element: &str| {
            format!(
                "%3 = tt.dot %0, %1, %2, inputPrecision = tf32 : tensor<128x64x{element}> * tensor<64x32x{element}> -> tensor<128x32xf32>\\0A"
            )
        };
        let text =
            |calls: &[String]| wanted(&calls.concat()).expect("the text is whole").remove("a").unwrap_or_default();
        let both = product("bf16") + &product("f32");
        // 128 x 64 x 32 is 32 times 32 x 32 x 8: shared by four waves eight for each, and twice as many of f32.
        assert_eq!(text(&[call(1, &both, 4), call(2, &both, 4)]), [8 + 16]);
        assert_eq!(text(&[call(1, &both, 4), call(1, &both, 8), call(1, "", 4)]), [24, 12, 0]);
        assert!(wanted("tt.func public @a(%x) {}").is_err());
        assert!(wanted(&call(1, "tt.dot %0, %1", 4)).is_err());
    }

    fn objects(all: &[(&str, Made)]) -> BTreeMap<(String, String), Made> {
        let named = all.iter().enumerate().map(|(at, (name, made))| ((name.to_string(), at.to_string()), made.clone()));
        named.collect()
    }

    #[test]
    fn kernels_that_are_not_what_they_should_be_are_found() {
        let fine = Made { lanes: 64, matrix_instructions: 24, ..Made::default() };
        let wanted = BTreeMap::from([("grouped_product".to_owned(), vec![12, 24])]);
        let wrong = |first: Made, second: Made| {
            violations(
                ("mi300x", Sizes::Timed),
                &objects(&[("grouped_product", first), ("grouped_product__1", second)]),
                &wanted,
            )
        };
        let half = Made { matrix_instructions: 12, ..fine.clone() };
        assert_eq!(wrong(half.clone(), fine.clone()), Vec::<String>::new());
        let found = wrong(half.clone(), half.clone());
        assert_eq!(
            found,
            ["grouped_product for mi300x: 12 instructions of the matrix cores (MFMA), where its products take 24"]
        );
        assert_eq!(wrong(Made { lanes: 32, ..fine.clone() }, fine.clone()).len(), 1);
        // Into accumulators, without memory.
        assert_eq!(wrong(Made { spilled: 1, ..fine.clone() }, fine.clone()).len(), 1);
        assert_eq!(wrong(Made { private_bytes: 4, ..fine.clone() }, fine.clone()).len(), 1);
        assert_eq!(wrong(Made { scalars_spilled: 1, ..fine.clone() }, fine.clone()).len(), 1);
        let found = violations(
            ("mi300x", Sizes::Timed),
            &objects(&[("grouped_product", fine.clone()), ("loop_fusion", half)]),
            &wanted,
        );
        assert_eq!(found, ["grouped_product for mi300x: 1 were made of 2 that programs have"]);
        let none = violations(("mi300x", Sizes::Timed), &objects(&[("loop_fusion", fine)]), &wanted);
        assert_eq!(none, ["grouped_product for mi300x: 0 were made of 2 that programs have"]);
    }

    #[test]
    fn registers_spill_only_where_that_is_known() {
        let fine = Made { lanes: 64, matrix_instructions: 24, ..Made::default() };
        let count = |compiled_for: (&str, Sizes), kernel: &str, made: Made| {
            let wanted = BTreeMap::from([(kernel.to_owned(), vec![24])]);
            violations(compiled_for, &objects(&[(kernel, made)]), &wanted).len()
        };
        let vectors =
            |compiled_for, spilled| count(compiled_for, "attention_backward_keys", Made { spilled, ..fine.clone() });
        assert_eq!([1, 2].map(|spilled| vectors(("mi250", Sizes::Small), spilled)), [0, 1]);
        assert_eq!([("mi250", Sizes::Timed), ("mi300x", Sizes::Small)].map(|other| vectors(other, 1)), [1, 1]);
        let scalars = |compiled_for, scalars_spilled| {
            count(compiled_for, "grouped_product", Made { scalars_spilled, ..fine.clone() })
        };
        assert_eq!([80, 81].map(|spilled| scalars(("mi250", Sizes::Small), spilled)), [0, 1]);
        assert_eq!([("mi250", Sizes::Timed), ("mi300x", Sizes::Small)].map(|other| scalars(other, 80)), [1, 1]);
    }

    #[test]
    fn the_compilers_own_products_are_those_of_matrix_cores() {
        let products = BTreeSet::from(["gemm_fusion_dot.1".to_owned(), "gemm_fusion_dot.2.remat".to_owned()]);
        let wrong = |all: &[(&str, Made)]| violations_of_fusions("mi300x", &objects(all), &products);
        let fine = Made { lanes: 64, matrix_instructions: 24, ..Made::default() };
        let without = Made { matrix_instructions: 0, ..fine.clone() };
        // That of the first is the second's, too.
        assert_eq!(
            wrong(&[("gemm_fusion_dot_1", fine.clone()), ("loop_fusion", without.clone())]),
            (1, Vec::<String>::new())
        );
        let found = wrong(&[("gemm_fusion_dot_1", fine), ("gemm_fusion_dot_2_remat", without.clone())]);
        assert_eq!(
            found,
            (2, vec!["gemm_fusion_dot_2_remat for mi300x: it multiplies matrices without MFMA".to_owned()])
        );
        assert_eq!(
            wrong(&[("loop_fusion", without)]),
            (0, vec!["no code object for mi300x is of 2 fusions that multiply matrices".to_owned()])
        );
    }
}
