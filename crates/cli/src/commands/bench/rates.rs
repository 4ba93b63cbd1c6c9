//! How long things take, and what a device reaches at most.

use std::fmt;
use std::time::{Duration, Instant};

use graph::{Axis, DType, Graph, HostTensor, TensorType};
use kernels::{Argument, Fill, filled};
use runtime::plugins::Platform;
use runtime::{Buffer, CompileOptions, Executable, Memory, Session};
use serde::{Serialize, Serializer};

use crate::progress::{ProgressMode, Task};

/// Milliseconds of several measurements.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Times {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Times {
    /// Of one of so many repetitions.
    pub(super) fn of_one_of(self, repetitions: usize) -> Times {
        let one = |ms: f64| ms / repetitions as f64;
        Times { median: one(self.median), min: one(self.min), max: one(self.max) }
    }

    /// Of one measurement at least, in any order.
    pub(super) fn of(mut measured: Vec<f64>) -> Times {
        measured.sort_by(f64::total_cmp);
        let (middle, last) = (measured.len() / 2, measured.len() - 1);
        // Of an even number of them the mean of the two in the middle.
        let median = 0.5 * (measured[middle] + measured[last - middle]);
        Times { median, min: measured[0], max: measured[last] }
    }
}

/// Measurements, and what each lasts at the least: launching one program after the other hides what the host takes for each, if the device takes
/// longer.
const MEASUREMENTS: usize = 7;
const MEASURED_MS: f64 = 40.0;

/// What no second run is needed of to know that each measurement is of one.
const SLOW_MS: f64 = 1000.0;

/// How long a program takes on the device, of many that are launched one after the other without waiting, or on the host where that takes longer.
pub(super) fn time(executable: &Executable, inputs: &[Buffer]) -> anyhow::Result<Times> {
    let inputs: Vec<_> = inputs.iter().collect();
    let measure = |runs: usize| -> anyhow::Result<f64> {
        let started = Instant::now();
        let mut last = Vec::new();
        for _ in 0..runs {
            last = executable.execute(&inputs)?;
        }
        last.iter().try_for_each(Buffer::wait)?;
        Ok(started.elapsed().as_secs_f64() * 1e3 / runs as f64)
    };
    // The first run is slower than others, unless it is slow.
    let first = measure(1)?;
    let runs = ((MEASURED_MS / if first < SLOW_MS { measure(2)? } else { first }) as usize).clamp(1, 1000);
    Ok(Times::of((0..MEASUREMENTS).map(|_| measure(runs)).collect::<anyhow::Result<_>>()?))
}

/// What may lie in caches, if no more than this is read and written before it is wanted again: twice the 50 MB of an H200's second cache and some,
/// twice the 256 MB of an MI300X's last and of a large processor's, which its cores share.
pub(super) fn cached_bytes(platform: Platform) -> f64 {
    match platform {
        Platform::Cuda => 128e6,
        Platform::Rocm | Platform::Cpu => 512e6,
    }
}

/// Bytes of an array whose copy tells at which rate memory is read and written: no less than caches hold. A processor's is a sixteenth of the memory that
/// is free at most, since what was copied before may not be freed yet.
fn copied_bytes(platform: Platform, memory: Option<Memory>) -> usize {
    let most = match platform {
        Platform::Cpu => memory.map_or(u64::MAX, |memory| memory.free / 16),
        Platform::Cuda | Platform::Rocm => u64::MAX,
    };
    let cached = cached_bytes(platform).max(DEVICE_COPIED) as u64;
    cached.min(most) as usize
}

/// So much takes a GPU a quarter of a millisecond, beside which a launch is short.
const DEVICE_COPIED: f64 = 512e6;

/// How long products are computed before they are timed: what a card does that was idle it does not keep up. A processor has one that is not counted.
const WARM_UP: Duration = Duration::from_secs(1);

/// Weights' standard deviation, as models are given theirs at first.
const DEVIATION: f64 = 0.02;

/// So many of them are drawn, and repeated in what is larger.
const DRAWN: usize = 1 << 20;

/// An array of numbers as weights are, normal and of either sign: what a product takes of power, and with it a GPU's clock, is a matter of its numbers' bits.
fn like_weights(shape: &[usize], dtype: DType, seed: u64) -> anyhow::Result<HostTensor<'static>> {
    let count = shape.iter().product::<usize>();
    let different = count.min(DRAWN);
    let ty = TensorType::new(dtype, &[Axis::new("element", different)]);
    let argument = Argument { name: "weights", ty, fill: Fill::Normal(DEVIATION) };
    let drawn = filled(&[argument], seed).remove(0).to_host(dtype, &[different])?;
    let all = count * dtype.size();
    let mut bytes = Vec::with_capacity(all);
    while bytes.len() < all {
        let part = drawn.bytes();
        bytes.extend_from_slice(&part[..part.len().min(all - bytes.len())]);
    }
    Ok(HostTensor::new(dtype, shape, bytes)?)
}

/// What the device reaches in this run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::commands) struct Ceilings {
    /// Bytes that a large copy reads and writes.
    pub(in crate::commands) copy_gb_per_s: f64,
    /// Of a product of two large matrices, on a GPU behind a second of such products.
    pub(in crate::commands) product_tflop_per_s: f64,
    /// What that is in.
    #[serde(serialize_with = "as_text")]
    pub(in crate::commands) product_dtype: DType,
}

fn as_text<S: Serializer>(dtype: &DType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(dtype)
}

impl Ceilings {
    /// Measures them on the first device, with a product in what models are computed in there: in bf16 on GPUs and in f32 on CPUs.
    pub(in crate::commands) fn of(session: &Session, progress: ProgressMode) -> anyhow::Result<Ceilings> {
        let is_cpu = session.platform() == Platform::Cpu;
        Ceilings::in_type(session, if is_cpu { DType::F32 } else { DType::BF16 }, progress)
    }

    /// The same with a product in this type.
    pub(super) fn in_type(session: &Session, product_dtype: DType, progress: ProgressMode) -> anyhow::Result<Ceilings> {
        let measuring = Task::spinner(progress, "measuring a copy and a product");
        let side = if session.platform() == Platform::Cpu { 1024 } else { 8192 };
        let product_tflop_per_s = product_rate(session, side, product_dtype)?;
        let copy_gb_per_s = copy_rate(session)?;
        measuring.finish();
        Ok(Ceilings { copy_gb_per_s, product_tflop_per_s, product_dtype })
    }
}

fn copy_rate(session: &Session) -> anyhow::Result<f64> {
    let count = copied_bytes(session.platform(), session.memory()?) / DType::F32.size();
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[Axis::new("element", count)]);
    let program = graph.lower("copy", &[("y", x + 1.0)], &[])?;
    let copy = session.compile(&program.name, &program.text, &CompileOptions::default())?;
    let given = session.upload(&like_weights(&[count], DType::F32, 0)?)?;
    let ms = time(&copy, &[given])?;
    Ok(2.0 * (count * DType::F32.size()) as f64 / ms.median / 1e6)
}

fn product_rate(session: &Session, side: usize, dtype: DType) -> anyhow::Result<f64> {
    let graph = Graph::new();
    let [a, b, c] = ["row", "inner", "column"].map(|name| Axis::new(name, side));
    let product = graph.input("a", dtype, &[a, b]).dot(graph.input("b", dtype, &[b, c]), &["inner"]);
    let program = graph.lower("product", &[("c", product)], &[])?;
    let product = session.compile(&program.name, &program.text, &CompileOptions::default())?;
    let given = [0, 1].map(|seed| Ok(session.upload(&like_weights(&[side, side], dtype, seed)?)?));
    let given = given.into_iter().collect::<anyhow::Result<Vec<Buffer>>>()?;
    let warm_up = if session.platform() == Platform::Cpu { Duration::ZERO } else { WARM_UP };
    let started = Instant::now();
    while started.elapsed() < warm_up {
        let results = product.execute(&given.iter().collect::<Vec<_>>())?;
        results.iter().try_for_each(Buffer::wait)?;
    }
    Ok(2.0 * (side as f64).powi(3) / time(&product, &given)?.median / 1e9)
}

impl fmt::Display for Ceilings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ceilings { copy_gb_per_s, product_tflop_per_s, .. } = self;
        write!(f, "a copy moves {copy_gb_per_s:.0} GB/s, a product does {product_tflop_per_s:.2} TFLOP/s")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// In each type, whatever is repeated of them.
    #[test]
    fn a_product_is_of_numbers_like_weights() {
        for dtype in [DType::BF16, DType::F32] {
            let numbers = like_weights(&[3, DRAWN / 2], dtype, 0).expect("they fill the shape").to_f32();
            let negative = numbers.iter().filter(|x| **x < 0.0).count() as f64 / numbers.len() as f64;
            let squares = numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / numbers.len() as f64;
            assert!((0.49..0.51).contains(&negative), "{dtype}: {negative} of them are negative");
            assert!((0.0199..0.0201).contains(&squares.sqrt()), "{dtype}: {}", squares.sqrt());
            // Of bf16 there are 256 in each power of two and its negative, and normal numbers lie in more than ten of those.
            let different: BTreeSet<u32> = numbers.iter().map(|x| x.to_bits()).collect();
            assert!(different.len() > 2560, "{dtype}: {}", different.len());
        }
        let [a, b] = [0, 1].map(|seed| like_weights(&[64], DType::F32, seed).expect("they fill the shape").to_f32());
        assert_ne!(a, b);
    }

    #[test]
    fn what_is_copied_is_larger_than_caches_where_memory_has_room() {
        let memory = |gigabytes: u64| Some(Memory { total: 1 << 40, free: gigabytes * 1_000_000_000, peak: None });
        for platform in [Platform::Cpu, Platform::Cuda, Platform::Rocm] {
            for memory in [None, memory(16)] {
                assert!(copied_bytes(platform, memory) as f64 >= cached_bytes(platform));
            }
        }
        assert_eq!(copied_bytes(Platform::Cpu, memory(4)), 250_000_000);
    }
}
