//! How a model's loop over layers is lowered.

use std::fmt;

/// What becomes of the scan over layers in a program. The numbers are the same, but for rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerLoop {
    /// A loop over stacked parameters: program and compile time do not grow with depth.
    Loop,
    /// Each layer by itself, with arrays of its own: nothing is copied into and out of stacks.
    Unrolled,
}

impl LayerLoop {
    /// Unrolled if `condition` holds.
    pub fn unrolled_if(condition: bool) -> LayerLoop {
        if condition { LayerLoop::Unrolled } else { LayerLoop::Loop }
    }

    /// The axes to unroll.
    pub fn unrolled(self) -> &'static [&'static str] {
        match self {
            LayerLoop::Loop => &[],
            LayerLoop::Unrolled => &["layers"],
        }
    }
}

impl fmt::Display for LayerLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LayerLoop::Loop => "in a loop",
            LayerLoop::Unrolled => "unrolled",
        })
    }
}
