//! What is written by hand, by the assembler: XLA's plugin hands it to the driver as it is, so that nothing else reads it where there is no GPU.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use graph::Graph;
use kernels::{Operation, PackedProduct};
use runtime::plugins::{Environment, cuda_toolchain};

/// The PTX that an operation's program calls.
fn text(operation: &Operation) -> String {
    let graph = Graph::new();
    let arguments = operation.arguments();
    let inputs: Vec<_> =
        arguments.iter().map(|given| graph.input(given.name, given.ty.dtype, &given.ty.axes)).collect();
    let results = operation.run(&&graph, &inputs).unwrap();
    let program = graph.lower("by_hand", &[("result", results[0])], &[]).unwrap();
    let (_, rest) = program.text.split_once("kernel_data = \"").unwrap();
    rest.split('"').next().unwrap().replace("\\0A", "\n").replace("\\22", "\"").replace("\\5C", "\\")
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
    let is_by_hand = |operation: &Operation| matches!(operation, Operation::PackedProduct(_));
    let all: Vec<_> = Operation::tried().into_iter().chain(Operation::timed()).filter(is_by_hand).collect();
    assert!(all.iter().any(|one| matches!(one, Operation::PackedProduct(PackedProduct { rows: 128, .. }))));
    for operation in all {
        let (path, made) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
        std::fs::write(&path, text(&operation)).unwrap();
        let mut ptxas = Command::new(toolchain.join("bin/ptxas"));
        let output = ptxas.args(["-arch=sm_90a", "-v", "-o"]).args([&made, &path]).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
        // What it serialises of matrix units it calls a potential performance loss.
        let is_as_written = !said.contains("warning") && !said.contains("Performance Loss");
        assert!(output.status.success() && is_as_written, "{operation}: {said}");
        assert!(said.contains(" 0 bytes spill stores, 0 bytes spill loads"), "{operation}: {said}");
    }
}
