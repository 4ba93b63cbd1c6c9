//! What is written by hand, by the assembler: XLA's plugin hands it to the driver as it is, so that nothing else reads it where there is no GPU.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use graph::Graph;
use kernels::Operation;
use runtime::plugins::{Environment, cuda_toolchain};

/// The PTX that an operation's program calls, if it does.
fn text(operation: &Operation) -> Option<String> {
    let graph = Graph::new();
    let arguments = operation.arguments();
    let inputs: Vec<_> =
        arguments.iter().map(|given| graph.input(given.name, given.ty.dtype, &given.ty.axes)).collect();
    let results = operation.run(&&graph, &inputs).unwrap();
    let program = graph.lower("by_hand", &[("result", results[0])], &[]).unwrap();
    let (_, rest) = program.text.split_once("kernel_data = \"")?;
    Some(rest.split('"').next()?.replace("\\0A", "\n").replace("\\22", "\"").replace("\\5C", "\\"))
}

/// The texts that are kept, of sizes that no operation has.
fn golden() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ptx"));
    paths.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn all_is_assembled_and_stays_in_registers() {
    let Some(toolchain) = cuda_toolchain(&Environment::from_process()) else {
        assert!(
            std::env::var_os("FINERY_REQUIRE_PLUGINS").is_none(),
            "FINERY_REQUIRE_PLUGINS is set, but no ptxas is here"
        );
        eprintln!("not tested: there is no ptxas; run `cargo xtask aot-setup`");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let all = Operation::tried().into_iter().chain(Operation::timed());
    let all = all.filter(|one| {
        matches!(one, Operation::PackedProduct(_) | Operation::PagedAttention(_) | Operation::UnpackedPages(_))
    });
    let called: Vec<_> = all.filter_map(|one| text(&one).map(|text| (one.to_string(), text))).collect();
    for kind in ["packed", "attention", "unpacking"] {
        assert!(called.iter().any(|(name, _)| name.starts_with(kind)), "no {kind}");
    }
    for (name, text) in called.into_iter().chain(golden()) {
        let (path, made) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
        std::fs::write(&path, text).unwrap();
        let mut ptxas = Command::new(toolchain.join("bin/ptxas"));
        let output = ptxas.args(["-arch=sm_90a", "-v", "-o"]).args([&made, &path]).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
        // What it serialises of matrix units it calls a potential performance loss.
        let is_as_written = !said.contains("warning") && !said.contains("Performance Loss");
        assert!(output.status.success() && is_as_written, "{name}: {said}");
        assert!(said.contains(" 0 bytes spill stores, 0 bytes spill loads"), "{name}: {said}");
    }
}
