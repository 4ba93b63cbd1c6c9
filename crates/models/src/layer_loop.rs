//! How a model's loop over layers is lowered.

/// What becomes of the scan over layers in a program. The numbers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerLoop {
    /// A loop over stacked parameters: program and compile time do not grow with depth.
    Loop,
    /// Each layer by itself, with arrays of its own: nothing is copied into and out of stacks.
    Unrolled,
}

impl LayerLoop {
    /// The axes to unroll.
    pub fn unrolled(self) -> &'static [&'static str] {
        match self {
            LayerLoop::Loop => &[],
            LayerLoop::Unrolled => &["layers"],
        }
    }
}
