//! Training curves as a figure: small multiples that share an x axis, for one or more runs.
//!
//! Records become [`curve::Curve`]s, [`figure::draw`] lays these out as a [`drawing::Drawing`] of a few shapes, and that is
//! written as SVG ([`svg`]) or painted as PNG ([`png`]). A plotting crate would bring its own fonts or the system's, and
//! megabytes of code; four shapes, an embedded font of 16 KB and a rasteriser are all that the figure needs.

pub(crate) mod axis;
pub(crate) mod curve;
pub(crate) mod drawing;
pub(crate) mod figure;
pub(crate) mod font;
pub(crate) mod png;
pub(crate) mod svg;
