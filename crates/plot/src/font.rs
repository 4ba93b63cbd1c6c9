//! The embedded font: Inter (SIL Open Font License, `fonts/OFL.txt`), cut down to Latin-1 and a few dashes.
//!
//! Made with fonttools 4.68 from the npm package @fontsource/inter 5.3.0 (weights 400 and 600), then saved as TrueType:
//!
//! ```text
//! pyftsubset inter-latin-400-normal.woff2 --unicodes=U+20-7E,U+A0-FF,U+2013,U+2014,U+2026,U+2212 --layout-features='' \
//!     --no-hinting --name-IDs='0,1,2,13,14' --drop-tables+=GSUB,GPOS,GDEF,STAT
//! ```

use ttf_parser::{Face, FaceParsingError, GlyphId};

use crate::drawing::Weight;

/// The family for viewers of an SVG, which carries no font.
pub(crate) const FAMILY: &str = "Inter, 'Helvetica Neue', Arial, sans-serif";

const REGULAR: &[u8] = include_bytes!("fonts/Inter-Regular.ttf");
const SEMI_BOLD: &[u8] = include_bytes!("fonts/Inter-SemiBold.ttf");

/// Both weights, parsed.
pub(crate) struct Fonts {
    regular: Face<'static>,
    semi_bold: Face<'static>,
}

impl Fonts {
    /// Parses the embedded files.
    pub(crate) fn load() -> Result<Self, FaceParsingError> {
        Ok(Self { regular: Face::parse(REGULAR, 0)?, semi_bold: Face::parse(SEMI_BOLD, 0)? })
    }

    pub(crate) fn face(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::SemiBold => &self.semi_bold,
        }
    }

    /// Each glyph of `text` with its offset from the start, and the width of the whole, in pixels. A character that the
    /// font lacks is drawn as the box that stands for it.
    pub(crate) fn layout(&self, text: &str, size: f64, weight: Weight) -> (Vec<(GlyphId, f64)>, f64) {
        let face = self.face(weight);
        let scale = size / f64::from(face.units_per_em());
        let mut x = 0.0;
        let mut glyphs = Vec::new();
        for character in text.chars() {
            let glyph = face.glyph_index(character).unwrap_or(GlyphId(0));
            glyphs.push((glyph, x));
            x += f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        }
        (glyphs, x)
    }

    pub(crate) fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        self.layout(text, size, weight).1
    }
}
