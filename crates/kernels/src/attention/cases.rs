//! Sizes at which attention is tried and timed.

use std::fmt;

use graph::DType;

use super::{Attention, Biases, Gpu};

impl Attention {
    /// Small and odd ones: each kind of mask and score, in blocks of each kind of GPU.
    pub(crate) fn tried() -> Vec<Attention> {
        let small = Attention::causal(1, 197, [2, 1], 64, Gpu::Amd);
        let one = Attention { batch: 1, kv_heads: 1, ..small };
        let packed = Attention { batch: 3, kv_heads: 1, documents: true, ..small };
        vec![
            Attention { gpu: Gpu::Hopper, positions: 256, ..small },
            Attention { gpu: Gpu::Hopper, groups: 2, ..one },
            Attention { batch: 2, groups: 3, positions: 133, ..small },
            Attention { positions: 17, ..one },
            Attention { positions: 65, head_dim: 80, dtype: DType::F16, ..small },
            Attention { head_dim: 96, gpu: Gpu::Nvidia, ..one },
            Attention { head_dim: 128, gpu: Gpu::Nvidia, ..one },
            Attention { head_dim: 256, positions: 131, gpu: Gpu::Hopper, ..one },
            Attention { head_dim: 256, ..one },
            Attention { head_dim: 24, positions: 70, ..small },
            Attention { head_dim: 5, positions: 70, ..small },
            Attention { causal: false, ..small },
            Attention { causal: false, positions: 128, groups: 2, ..one },
            Attention { window: Some(50), gpu: Gpu::Hopper, positions: 300, ..one },
            Attention { window: Some(50), groups: 2, ..one },
            Attention { window: Some(3), positions: 100, ..one },
            Attention { softcap: Some(2.0), dtype: DType::F16, ..small },
            Attention { biases: Some(Biases::Exact), groups: 2, ..one },
            Attention { biases: Some(Biases::InBf16 { scale: 0.125 }), ..small },
            packed,
            Attention { gpu: Gpu::Hopper, positions: 400, groups: 2, ..packed },
            Attention { causal: false, ..packed },
            Attention { window: Some(20), softcap: Some(3.0), groups: 2, ..packed },
            Attention { biases: Some(Biases::InBf16 { scale: 0.125 }), groups: 2, ..packed },
            Attention { causal: false, biases: Some(Biases::Exact), window: Some(90), ..packed },
            // As in Gemma 2 and others on what is not Hopper.
            Attention { head_dim: 256, positions: 150, window: Some(40), softcap: Some(5.0), gpu: Gpu::Nvidia, ..one },
            Attention { head_dim: 192, positions: 140, groups: 2, gpu: Gpu::Nvidia, ..packed },
            Attention {
                head_dim: 160,
                positions: 90,
                biases: Some(Biases::InBf16 { scale: 0.125 }),
                gpu: Gpu::Nvidia,
                ..packed
            },
            Attention { positions: 120, softcap: Some(3.0), biases: Some(Biases::Exact), gpu: Gpu::Nvidia, ..small },
            Attention { positions: 180, window: Some(30), gpu: Gpu::Nvidia, ..packed },
        ]
    }

    /// A layer of a model with 1.3B parameters, and what others do at that size.
    pub(crate) fn timed() -> Vec<Attention> {
        let layer = Attention::causal(8, 2048, [16, 1], 128, Gpu::Hopper);
        vec![
            layer,
            Attention { batch: 2, positions: 8192, ..layer },
            Attention { documents: true, ..layer },
            Attention { biases: Some(Biases::Exact), ..layer },
            Attention { window: Some(512), ..layer },
            Attention { kv_heads: 4, groups: 2, head_dim: 256, softcap: Some(50.0), ..layer },
        ]
    }
}

impl fmt::Display for Attention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Attention { batch, positions, kv_heads, groups, head_dim, dtype, .. } = self;
        write!(f, "({batch}, {positions}, {kv_heads}, {groups}, {head_dim}), {dtype}")?;
        if !self.causal {
            f.write_str(", full")?;
        }
        if let Some(window) = self.window {
            write!(f, ", window {window}")?;
        }
        if let Some(cap) = self.softcap {
            write!(f, ", cap {cap}")?;
        }
        match self.biases {
            Some(Biases::Exact) => f.write_str(", biases")?,
            Some(Biases::InBf16 { .. }) => f.write_str(", biases in bf16")?,
            None => {}
        }
        if self.documents {
            f.write_str(", packed")?;
        }
        write!(f, ", blocks for {}", self.gpu)
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Gpu::Hopper => "Hopper",
            Gpu::Nvidia => "NVIDIA",
            Gpu::Amd => "AMD",
        })
    }
}
