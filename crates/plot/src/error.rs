//! What can keep a figure from being drawn.

/// Why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A font of this crate.
    #[error("the embedded font cannot be read: {0}")]
    Font(#[from] ttf_parser::FaceParsingError),
    /// More pixels than an image can have.
    #[error("the figure is too large for a PNG: {0} x {1} pixels; draw fewer panels, or write an SVG")]
    TooLarge(u32, u32),
    /// The encoder refused.
    #[error("the figure cannot be encoded as PNG: {0}")]
    Png(String),
}
