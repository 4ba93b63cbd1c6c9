//! `cargo xtask aot`: compiles whole training steps and all kernels for GPUs that are not here, and checks the memory that steps take, what they call and
//! multiply in, and the registers and instructions that kernels became.
//!
//! `finery bench train --target` compiles each step in a process of its own, because plugins stay loaded for good. What
//! passes here has been compiled and never run: only a GPU shows that it runs.

mod code_objects;
mod finery;
mod job;
mod kernels;
mod shapes;
mod steps;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Result, ensure};

use finery::Finery;
use job::{Job, LLAMA_405B};
use steps::{CASES, Case, HEADINGS};

/// How far temporaries may be from those measured: the compiler's own choices move them by a few percent when a
/// program's order changes, while a value that is kept by mistake over 24 layers or more moves them by far more.
const TEMPORARIES_TOLERANCE: f64 = 0.10;

/// Installs the plugins for GPUs and the CUDA toolchain into Finery's cache.
///
/// # Errors
/// A plugin cannot be installed.
pub(crate) fn set_up(root: &Path) -> Result<bool> {
    install(&Finery::find(root)?)?;
    Ok(true)
}

fn install(finery: &Finery) -> Result<()> {
    for arguments in [&["plugin", "install", "cuda", "--toolchain"][..], &["plugin", "install", "rocm"]] {
        print!("{}", finery.run(arguments)?);
    }
    Ok(())
}

/// Compiles all steps and kernels and checks them, or those whose names have one of some words in them; false if one is not what it should be.
///
/// # Errors
/// As [`set_up`]; or a step does not compile.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let finery = Finery::find(root)?;
    install(&finery)?;
    let steps = CASES.iter().map(Work::Step);
    let kernels = kernels::RUNS.iter().map(Work::Kernels);
    // First what takes longest, since what is left at the end is compiled on one processor alone.
    let mut all: Vec<Work> = kernels.chain(steps).chain([Work::Job(&LLAMA_405B)]).collect();
    let has_any = |name: String| words.iter().any(|words| name.contains(words));
    let fits_none = words.iter().find(|words| !all.iter().any(|work| work.name().contains(**words)));
    ensure!(fits_none.is_none(), "nothing that is compiled has `{}` in its name", fits_none.unwrap_or(&""));
    all.retain(|work| words.is_empty() || has_any(work.name()));
    let (mut rows, mut of_kernels, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for (work, found) in all.iter().zip(at_once(&all, AT_ONCE, |work| work.run(&finery))) {
        let (lines, violations) = found?;
        if matches!(work, Work::Kernels(_)) { &mut of_kernels } else { &mut rows }.extend(lines);
        wrong.extend(violations);
    }
    // After the plugins' own messages, so that the table stays in one piece.
    println!("\n{HEADINGS}");
    for line in rows.iter().chain(&of_kernels).chain(&wrong) {
        println!("{line}");
    }
    Ok(wrong.is_empty())
}

/// Compilers at work at once: one alone leaves half of two processors idle, and each takes up to 6 GB.
const AT_ONCE: usize = 2;

/// Something to compile.
enum Work {
    Step(&'static Case),
    Job(&'static Job),
    Kernels(&'static kernels::Kernels),
}

/// Lines about what was compiled, and what is wrong with it.
type Found = Result<(Vec<String>, Vec<String>)>;

impl Work {
    fn name(&self) -> String {
        match self {
            Work::Step(case) => format!("{} for {}", case.name(), case.target),
            Work::Job(job) => format!("{} for {}", job.arguments[1], job.arguments[3]),
            Work::Kernels(kernels) => kernels.name(),
        }
    }

    fn run(&self, finery: &Finery) -> Found {
        match self {
            Work::Step(case) => {
                let compiled = case.compile(finery)?;
                Ok((vec![compiled.row(case)], compiled.violations(case)))
            }
            Work::Job(job) => {
                let (line, wrong) = job.run(finery)?;
                Ok((vec![line], wrong))
            }
            Work::Kernels(kernels) => kernels.run(finery),
        }
    }
}

/// What `run` finds of each of `all`, in their order, so many of them at once. None is begun behind one that failed.
fn at_once<T: Sync, R: Send>(all: &[T], count: usize, run: impl Fn(&T) -> Result<R> + Sync) -> Vec<Result<R>> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut found = Vec::new();
        while !has_failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = all.get(index) else { break };
            let result = run(one);
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            found.push((index, result));
        }
        found
    };
    let mut found: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}

fn temporaries_violation(name: &str, found: u64, expected: f64) -> Option<String> {
    let change = found as f64 / expected - 1.0;
    (change.abs() > TEMPORARIES_TOLERANCE).then(|| {
        format!(
            "{name}: {found} bytes of temporaries are {:+.0} % from the {expected:.0} in xtask/src/aot; find out why, and write the new \
             number there if it is meant",
            change * 100.0
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_in_order_and_nothing_is_begun_behind_a_failure() {
        let all: Vec<u64> = (0..40).collect();
        // The first take longest.
        let late = |number: &u64| {
            thread::sleep(std::time::Duration::from_millis(20u64.saturating_sub(*number)));
            Ok(2 * number)
        };
        let found: Vec<u64> = at_once(&all, 3, late).into_iter().map(|result| result.expect("found")).collect();
        assert_eq!(found, all.iter().map(|number| 2 * number).collect::<Vec<_>>());

        let fails = |number: &u64| {
            anyhow::ensure!(*number != 5, "five");
            thread::sleep(std::time::Duration::from_millis(20));
            Ok(*number)
        };
        let found = at_once(&all, 2, fails);
        assert!(found.len() < all.len(), "all were begun");
        assert_eq!(found[5].as_ref().expect_err("the failure").to_string(), "five");
    }
}
