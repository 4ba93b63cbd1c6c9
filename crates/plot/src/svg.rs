//! A drawing as SVG text, with two decimals, so that the same runs give the same bytes.

use std::fmt::{self, Write};

use crate::drawing::{Anchor, Color, Drawing, Shape, Stroke, Text, Weight};
use crate::font::{self, Fonts};
use crate::{Error, Figure};

impl Figure {
    /// The figure as an SVG document.
    ///
    /// # Errors
    /// The embedded font, whose widths the layout goes by, cannot be read.
    pub fn to_svg(&self) -> Result<String, Error> {
        Ok(Svg(&self.draw(&Fonts::load()?)).to_string())
    }
}

struct Svg<'a>(&'a Drawing);

impl fmt::Display for Svg<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drawing { width, height, shapes } = self.0;
        let (width, height) = (Number(*width), Number(*height));
        let family = font::FAMILY;
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{family}">"#
        )?;
        writeln!(out, r##"<rect width="100%" height="100%" fill="#ffffff"/>"##)?;
        shapes.iter().try_for_each(|shape| write_shape(out, shape))?;
        writeln!(out, "</svg>")
    }
}

fn write_shape(out: &mut fmt::Formatter<'_>, shape: &Shape) -> fmt::Result {
    match shape {
        Shape::Line { points, stroke } => {
            out.write_str(r#"<polyline points=""#)?;
            for (index, [x, y]) in points.iter().enumerate() {
                let separator = if index == 0 { "" } else { " " };
                write!(out, "{separator}{},{}", Number(*x), Number(*y))?;
            }
            out.write_str(r#"" fill="none""#)?;
            write_stroke(out, stroke)?;
            out.write_str(r#" stroke-linejoin="round" stroke-linecap="round"/>"#)?;
        }
        Shape::Marker { center: [x, y], radius, stroke } => {
            let [x, y, radius] = [*x, *y, *radius].map(Number);
            write!(out, r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="#ffffff""##)?;
            write_stroke(out, stroke)?;
            out.write_str("/>")?;
        }
        Shape::Text(text) => write_text(out, text)?,
    }
    out.write_char('\n')
}

fn write_stroke(out: &mut fmt::Formatter<'_>, stroke: &Stroke) -> fmt::Result {
    write!(out, r#" stroke="{}" stroke-width="{}""#, stroke.color, Number(stroke.width))?;
    if stroke.opacity < 1.0 {
        write!(out, r#" stroke-opacity="{}""#, Number(stroke.opacity))?;
    }
    if let Some([dash, gap]) = stroke.dash {
        write!(out, r#" stroke-dasharray="{} {}""#, Number(dash), Number(gap))?;
    }
    Ok(())
}

fn write_text(out: &mut fmt::Formatter<'_>, text: &Text) -> fmt::Result {
    let [x, y, size] = [text.at[0], text.at[1], text.size].map(Number);
    write!(out, r#"<text x="{x}" y="{y}" font-size="{size}" fill="{}""#, text.color)?;
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.write_str(r#" text-anchor="middle""#)?,
        Anchor::End => out.write_str(r#" text-anchor="end""#)?,
    }
    match text.weight {
        Weight::Regular => {}
        Weight::SemiBold => out.write_str(r#" font-weight="600""#)?,
    }
    write!(out, ">{}</text>", Escaped(&text.text))
}

/// At most two decimals, and none that say nothing.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        write!(out, "{}", rounded + 0.0)
    }
}

impl fmt::Display for Color {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(red, green, blue) = self;
        write!(out, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Text as XML character data. Control characters, which XML cannot hold, become the replacement character.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '&' => out.write_str("&amp;"),
            '<' => out.write_str("&lt;"),
            '>' => out.write_str("&gt;"),
            control if control.is_control() => out.write_char(char::REPLACEMENT_CHARACTER),
            other => out.write_char(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_name_cannot_break_the_document() {
        assert_eq!(Escaped("a<b>&\u{1}\"é").to_string(), "a&lt;b&gt;&amp;\u{fffd}\"é");
    }
}
