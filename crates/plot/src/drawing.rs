//! The shapes a figure is made of, in pixels from the top left corner.

/// An opaque sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) color: Color,
    pub(crate) width: f64,
    pub(crate) opacity: f64,
    /// Lengths of dash and gap; a solid line without.
    pub(crate) dash: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Line {
        points: Vec<[f64; 2]>,
        stroke: Stroke,
    },
    /// A white disc with a coloured rim.
    Marker {
        center: [f64; 2],
        radius: f64,
        stroke: Stroke,
    },
    Text(Text),
}

/// A line of text; `at` is on its baseline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) at: [f64; 2],
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) color: Color,
    pub(crate) anchor: Anchor,
    pub(crate) weight: Weight,
}

/// Shapes on a white ground, the first at the bottom.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) shapes: Vec<Shape>,
}
