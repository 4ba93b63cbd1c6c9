//! How long things take, and what a device reaches at most.

use std::fmt;
use std::time::Instant;

use graph::{Axis, DType, Graph, HostTensor};
use runtime::plugins::Platform;
use runtime::{Buffer, CompileOptions, Executable, Session};
use serde::Serialize;

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

/// What the device reaches in this run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Ceilings {
    /// Bytes that a large copy reads and writes.
    pub(super) copy_gb_per_s: f64,
    /// Of a product of two large matrices, in bf16 on GPUs and in f32 on CPUs.
    pub(super) product_tflop_per_s: f64,
}

impl Ceilings {
    /// Measures them on the first device.
    pub(super) fn of(session: &Session) -> anyhow::Result<Ceilings> {
        let (copied, side, dtype) = match session.platform() {
            Platform::Cpu => (1 << 26, 1024, DType::F32),
            Platform::Cuda | Platform::Rocm => (1 << 29, 8192, DType::BF16),
        };
        // Of all bits, so that a product draws as much power as one of weights.
        let filled = |shape: &[usize], dtype: DType| -> anyhow::Result<Buffer> {
            let count = shape.iter().product::<usize>() * dtype.size();
            let bytes: Vec<u8> = (0..count).map(|i| (i * 131 % 61) as u8).collect();
            Ok(session.upload(&HostTensor::new(dtype, shape, bytes)?)?)
        };
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[Axis::new("element", copied / 4)]);
        let program = graph.lower("copy", &[("y", x + 1.0)], &[])?;
        let copy = session.compile(&program.name, &program.text, &CompileOptions::default())?;
        let copy_ms = time(&copy, &[filled(&[copied / 4], DType::F32)?])?;
        let graph = Graph::new();
        let [a, b, c] = ["row", "inner", "column"].map(|name| Axis::new(name, side));
        let product = graph.input("a", dtype, &[a, b]).dot(graph.input("b", dtype, &[b, c]), &["inner"]);
        let program = graph.lower("product", &[("c", product)], &[])?;
        let product = session.compile(&program.name, &program.text, &CompileOptions::default())?;
        let product_ms = time(&product, &[filled(&[side, side], dtype)?, filled(&[side, side], dtype)?])?;
        let flops = 2.0 * (side as f64).powi(3);
        Ok(Ceilings {
            copy_gb_per_s: 2.0 * copied as f64 / copy_ms.median / 1e6,
            product_tflop_per_s: flops / product_ms.median / 1e9,
        })
    }
}

impl fmt::Display for Ceilings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ceilings { copy_gb_per_s, product_tflop_per_s } = self;
        write!(f, "a copy moves {copy_gb_per_s:.0} GB/s, a product does {product_tflop_per_s:.2} TFLOP/s")
    }
}
