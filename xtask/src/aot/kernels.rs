//! Compiles all kernels for GPUs that are not here, and reads what AMD's compiler made of them: which registers spill, and whether what
//! multiplies matrices does so with the matrix cores' instructions.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Finery;

/// Kernels whose products of matrices have to be the matrix cores' (MFMA), by the beginning of their names.
const PRODUCTS: &[&str] = &["attention", "grouped", "dual_scan", "narrow_product", "paged_attention"];

/// Those among them that multiply no matrices.
const OTHERS: &[&str] = &["dual_scan_exponents", "paged_attention_join"];

/// What the ROCm plugin leaves code objects by, of modules of any size.
const CODE_OBJECTS: &str = "TF_XLA_HSACO_CACHE_DIR";
const SMALLEST: &str = "TF_XLA_HSACO_BITCODE_SIZE_THRESHOLD";

/// What is compiled for each target. Small and odd sizes take other branches of a kernel: masked tails, heads of 80, few rows.
const RUNS: [(&str, &[&str]); 9] = [
    ("h200", &[]),
    ("h200", &["--small", "--only", "attention"]),
    ("h200", &["--small", "--only", "grouped product"]),
    ("mi300x", &[]),
    ("mi300x", &["--small"]),
    ("mi250", &[]),
    ("mi250", &["--small", "--only", "attention"]),
    ("mi250", &["--small", "--only", "grouped product"]),
    ("mi250", &["--small", "--only", "scan"]),
];

/// LLVM's tools as Debian names them, which know gfx942.
const READELF: &str = "llvm-readelf-19";
const OBJDUMP: &str = "llvm-objdump-19";

/// What a code object's metadata and instructions say of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Made {
    vector_registers: u64,
    accumulators: u64,
    spilled: u64,
    /// Bytes of memory that each lane has for what does not fit into registers.
    private_bytes: u64,
    matrix_instructions: usize,
}

/// Compiles all kernels for each target; gives lines about them, and what is wrong with them.
pub(super) fn run(finery: &Finery) -> Result<(Vec<String>, Vec<String>)> {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (index, (target, arguments)) in RUNS.iter().enumerate() {
        let dir = finery.root.join(format!("target/code-objects/{index}"));
        if dir.exists() {
            std::fs::remove_dir_all(&dir).with_context(|| format!("emptying {}", dir.display()))?;
        }
        std::fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
        let place = dir.display().to_string();
        let variables = [(CODE_OBJECTS, place.as_str()), (SMALLEST, "0")];
        let command = [&["bench", "kernels", "--target", target][..], arguments].concat();
        lines.push(finery.run_with(&variables, &command)?.trim().to_owned());
        if *target != "h200" {
            let made = read_all(&dir)?;
            ensure!(!made.is_empty(), "the ROCm plugin left no code object in {place}: were kernels compiled?");
            lines.extend(made.iter().map(|((name, _), made)| made.row(target, name)));
            wrong.extend(made.iter().flat_map(|((name, _), made)| made.violations(target, name)));
        }
    }
    Ok((lines, wrong))
}

/// The kernels of all code objects in a folder, by name and code object.
fn read_all(dir: &Path) -> Result<BTreeMap<(String, String), Made>> {
    let mut all = BTreeMap::new();
    for entry in dir.read_dir().with_context(|| format!("reading {}", dir.display()))? {
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
    Ok(all)
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
            "private_segment_fixed_size" => made.private_bytes = number()?,
            "symbol" => name = value.trim_end_matches(".kd").to_owned(),
            // The last key of a kernel.
            "wavefront_size" => {
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

impl Made {
    fn row(&self, target: &str, name: &str) -> String {
        format!(
            "{target:<8} {name:<40} {:>4} registers, {:>4} accumulators, {:>4} spilled, {:>4} MFMA",
            self.vector_registers, self.accumulators, self.spilled, self.matrix_instructions
        )
    }

    fn violations(&self, target: &str, name: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        // Registers that spill to accumulators cost a move each, and no memory.
        if self.private_bytes > 0 {
            let (spilled, bytes) = (self.spilled, self.private_bytes);
            wrong.push(format!(
                "{name} for {target}: {spilled} vector registers spill, and lanes have {bytes} bytes of memory"
            ));
        }
        // A module's second kernel of a name is the name and a number.
        let name =
            name.rsplit_once("__").filter(|(_, number)| number.parse::<usize>().is_ok()).map_or(name, |(name, _)| name);
        let is_product = PRODUCTS.iter().any(|product| name.starts_with(product)) && !OTHERS.contains(&name);
        if is_product && self.matrix_instructions == 0 {
            wrong.push(format!("{name} for {target}: it multiplies matrices without the matrix cores (no MFMA)"));
        }
        wrong
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
    .symbol:         attention_forward.kd
    .vgpr_count:     256
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .private_segment_fixed_size: 24
    .symbol:         other.kd
    .vgpr_count:     512
    .vgpr_spill_count: 6
    .wavefront_size: 64
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
        let first = Made { vector_registers: 256, accumulators: 128, ..Made::default() };
        let second = Made { vector_registers: 512, spilled: 6, private_bytes: 24, ..Made::default() };
        assert_eq!(kernels["attention_forward"], first);
        assert_eq!(kernels["other"], second);
        assert_eq!(matrix_instructions(ASSEMBLY), BTreeMap::from([("attention_forward".to_owned(), 1)]));
        let with_products = Made { matrix_instructions: 1, ..first.clone() };
        assert_eq!(with_products.violations("mi300x", "attention_forward").len(), 0);
        assert_eq!(first.violations("mi300x", "attention_forward").len(), 1);
        assert_eq!(second.violations("mi300x", "other").len(), 1);
        assert!(metadata("  - .agpr_count:     many\n").is_err());
    }
}
