//! A drawing as PNG, painted by tiny-skia at twice the pixels of the SVG, for dense displays and print.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform};
use ttf_parser::OutlineBuilder;

use crate::drawing::{Anchor, Color, Drawing, Shape, Stroke, Text};
use crate::font::Fonts;
use crate::{Error, Figure};

const SCALE: f32 = 2.0;

impl Figure {
    /// The figure as the bytes of a PNG file.
    ///
    /// # Errors
    /// It has more panels than an image has room for.
    pub fn to_png(&self) -> Result<Vec<u8>, Error> {
        let fonts = Fonts::load()?;
        self.draw(&fonts).to_png(&fonts)
    }
}

impl Drawing {
    fn to_png(&self, fonts: &Fonts) -> Result<Vec<u8>, Error> {
        let [width, height] = [self.width, self.height].map(|length| (length as f32 * SCALE).ceil() as u32);
        let mut pixmap = Pixmap::new(width, height).ok_or(Error::TooLarge(width, height))?;
        pixmap.fill(tiny_skia::Color::WHITE);
        let mut painter = Painter { pixmap, fonts };
        self.shapes.iter().for_each(|shape| painter.paint(shape));
        painter.pixmap.encode_png().map_err(|error| Error::Png(error.to_string()))
    }
}

struct Painter<'a> {
    pixmap: Pixmap,
    fonts: &'a Fonts,
}

impl Painter<'_> {
    fn paint(&mut self, shape: &Shape) {
        match shape {
            Shape::Line { points, stroke } => {
                let mut builder = PathBuilder::new();
                for (index, &[x, y]) in points.iter().enumerate() {
                    if index == 0 { builder.move_to(x as f32, y as f32) } else { builder.line_to(x as f32, y as f32) }
                }
                if let Some(path) = builder.finish() {
                    self.stroke(&path, stroke);
                }
            }
            Shape::Marker { center: [x, y], radius, stroke } => {
                if let Some(path) = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32) {
                    self.fill(&path, Color(255, 255, 255));
                    self.stroke(&path, stroke);
                }
            }
            Shape::Text(text) => self.text(text),
        }
    }

    fn text(&mut self, text: &Text) {
        let (glyphs, width) = self.fonts.layout(&text.text, text.size, text.weight);
        let start = match text.anchor {
            Anchor::Start => text.at[0],
            Anchor::Middle => text.at[0] - width / 2.0,
            Anchor::End => text.at[0] - width,
        };
        let face = self.fonts.face(text.weight);
        let scale = (text.size / f64::from(face.units_per_em())) as f32;
        let mut outline = Outline { builder: PathBuilder::new(), x: 0.0, y: text.at[1] as f32, scale };
        for (glyph, offset) in glyphs {
            outline.x = (start + offset) as f32;
            // A glyph without an outline is a space.
            face.outline_glyph(glyph, &mut outline);
        }
        if let Some(path) = outline.builder.finish() {
            self.fill(&path, text.color);
        }
    }

    fn fill(&mut self, path: &Path, color: Color) {
        self.pixmap.fill_path(path, &paint(color, 1.0), FillRule::Winding, transform(), None);
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) {
        let style = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: stroke.dash.and_then(|dash| StrokeDash::new(dash.map(|length| length as f32).to_vec(), 0.0)),
            ..tiny_skia::Stroke::default()
        };
        self.pixmap.stroke_path(path, &paint(stroke.color, stroke.opacity), &style, transform(), None);
    }
}

fn transform() -> Transform {
    Transform::from_scale(SCALE, SCALE)
}

fn paint(Color(red, green, blue): Color, opacity: f64) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    paint
}

/// Collects glyph outlines, whose y axis points up, at a place in the drawing.
struct Outline {
    builder: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}
