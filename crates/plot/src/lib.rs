//! Line charts: small multiples that share an x axis, as SVG, as PNG, or as text for a terminal.
//!
//! A [`Figure`] is plain data. For files it is laid out as a drawing of a few shapes, which is written as SVG or painted
//! as PNG; a terminal gets its own layout, because it has columns instead of pixels. A plotting crate would bring its own
//! fonts or the system's, and megabytes of code; four shapes, an embedded font of 16 KB and a rasteriser are all that
//! curves need.

mod axis;
mod curve;
mod drawing;
mod error;
mod figure;
mod font;
mod png;
mod svg;
mod terminal;

pub use axis::{Scale, si};
pub use curve::{Curve, Figure, Panel};
pub use error::Error;
pub use terminal::Terminal;
