//! Compiles all kernels for GPUs that are not here, and holds what AMD's compiler made of them to what their texts ask for.

use anyhow::{Context, Result};

use super::Finery;
use super::code_objects::{self, CodeObjects};

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

/// Compiles all kernels for each target; gives lines about them, and what is wrong with them.
pub(super) fn run(finery: &Finery) -> Result<(Vec<String>, Vec<String>)> {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (index, (target, arguments)) in RUNS.iter().enumerate() {
        let objects = CodeObjects::new(&finery.root, &index.to_string())?;
        let path = finery.root.join("target/aot-kernels.mlir");
        let place = path.display().to_string();
        let command = [&["bench", "kernels", "--target", target, "--dump", &place][..], arguments].concat();
        lines.push(finery.run_with(&objects.variables(), &command)?.trim().to_owned());
        if *target != "h200" {
            let programs = std::fs::read_to_string(&path).with_context(|| format!("reading {place}"))?;
            let (made, wanted) = (objects.read()?, code_objects::wanted(&programs)?);
            lines.extend(made.iter().map(|((name, _), made)| made.row(target, name)));
            wrong.extend(code_objects::violations(target, &made, &wanted));
        }
    }
    Ok((lines, wrong))
}
