//! Compiles all kernels for GPUs that are not here, and holds what AMD's compiler made of them to what their texts ask for.

use anyhow::Context;

use super::code_objects::{self, CodeObjects, Sizes};
use super::{Finery, Found};

/// Kernels that are compiled for a target.
pub(super) struct Kernels {
    target: &'static str,
    /// Which of them.
    arguments: &'static [&'static str],
}

/// For each target small and odd sizes, which take other branches of a kernel (masked tails, heads of 80, few rows) and are three times as many, and all that are
/// timed.
pub(super) const RUNS: [Kernels; 6] = [
    Kernels { target: "h200", arguments: &["--small"] },
    Kernels { target: "mi300x", arguments: &["--small"] },
    Kernels { target: "mi250", arguments: &["--small"] },
    Kernels { target: "h200", arguments: &[] },
    Kernels { target: "mi300x", arguments: &[] },
    Kernels { target: "mi250", arguments: &[] },
];

impl Kernels {
    pub(super) fn name(&self) -> String {
        format!("kernels for {}, {} sizes", self.target, if self.is_small() { "small" } else { "timed" })
    }

    fn is_small(&self) -> bool {
        self.arguments.contains(&"--small")
    }

    /// Compiles them; gives lines about them, and what is wrong with them.
    pub(super) fn run(&self, finery: &Finery) -> Found {
        let Kernels { target, arguments } = self;
        let name = [&[*target][..], arguments].concat().join("-").replace([' ', '-'], "_");
        let objects = CodeObjects::new(&finery.root, &format!("kernels-{name}"))?;
        let path = finery.root.join(format!("target/aot-kernels-{name}.mlir"));
        let place = path.display().to_string();
        let command = [&["bench", "kernels", "--target", target, "--dump", &place][..], arguments].concat();
        let mut lines = vec![finery.run_with(&objects.variables(), &command)?.trim().to_owned()];
        let mut wrong = Vec::new();
        if *target != "h200" {
            let programs = std::fs::read_to_string(&path).with_context(|| format!("reading {place}"))?;
            let (made, wanted) = (objects.read()?, code_objects::wanted(&programs)?);
            lines.extend(made.iter().map(|((name, _), made)| made.row(target, name)));
            let sizes = if self.is_small() { Sizes::Small } else { Sizes::Timed };
            wrong = code_objects::violations((*target, sizes), &made, &wanted);
        }
        Ok((lines, wrong))
    }
}
