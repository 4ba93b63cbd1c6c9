//! Rotary position embeddings (Su et al. 2021, "RoFormer").

use std::f64::consts::TAU;

use graph::{Axis, HostTensor, Tensor};

use crate::layers::widen;

/// How the frequencies are changed for contexts longer than those of pre-training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RopeScaling {
    /// Not at all.
    None,
    /// All divided by a factor.
    Linear {
        /// The divisor.
        factor: f64,
    },
    /// Llama 3.1: low ones divided, high ones kept, those between blended.
    Llama3 {
        /// The divisor of low frequencies.
        factor: f64,
        /// Wavelengths longer than the original context over this are divided.
        low_freq_factor: f64,
        /// Wavelengths shorter than the original context over this are kept.
        high_freq_factor: f64,
        /// The context length of pre-training.
        original_max_position_embeddings: f64,
    },
}

/// Radians per position, for each pair of elements of a head: `theta^(-2i / head_dim)`, scaled.
pub(crate) fn frequencies(head_dim: usize, theta: f64, scaling: RopeScaling) -> Vec<f64> {
    (0..head_dim / 2).map(|i| scaled(theta.powf(-2.0 * i as f64 / head_dim as f64), scaling)).collect()
}

fn scaled(frequency: f64, scaling: RopeScaling) -> f64 {
    match scaling {
        RopeScaling::None => frequency,
        RopeScaling::Linear { factor } => frequency / factor,
        RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } => {
            let wavelength = TAU / frequency;
            let turns = original_max_position_embeddings / wavelength;
            let blend = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0.0, 1.0);
            (1.0 - blend) * frequency / factor + blend * frequency
        }
    }
}

/// Cosine and sine of the angles at given positions.
#[derive(Clone, Copy)]
pub(crate) struct Rotation<'g> {
    cos: Tensor<'g>,
    sin: Tensor<'g>,
}

const HALF: &str = "half_head_dim";

impl<'g> Rotation<'g> {
    /// `positions`: i32 over any axes.
    pub(crate) fn at(positions: Tensor<'g>, frequencies: &[f64]) -> Rotation<'g> {
        let graph = positions.graph();
        let values: Vec<f32> = frequencies.iter().map(|frequency| *frequency as f32).collect();
        let axis = Axis::new(HALF, values.len());
        let table = match HostTensor::from_slice(&[values.len()], &values) {
            Ok(table) => graph.literal(&table, &[axis]),
            Err(_) => unreachable!("the shape is the slice's length"),
        };
        let angles = positions.cast(graph::DType::F32) * table;
        Rotation { cos: angles.cos(), sin: angles.sin() }
    }

    /// Rotates the pairs (i, i + head_dim / 2) of `x`, as Hugging Face's checkpoints have them.
    pub(crate) fn apply(self, x: Tensor<'g>) -> Tensor<'g> {
        let head_dim = x.axis("head_dim").size;
        let wide = widen(x);
        let half = |start| wide.slice("head_dim", start, head_dim / 2).rename("head_dim", HALF);
        let (first, second) = (half(0), half(head_dim / 2));
        let (cos, sin) = (self.cos.cast(wide.dtype()), self.sin.cast(wide.dtype()));
        let rotated =
            [first * cos - second * sin, second * cos + first * sin].map(|part| part.rename(HALF, "head_dim"));
        Tensor::concat(&rotated, "head_dim").cast(x.dtype())
    }
}
