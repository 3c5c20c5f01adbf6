//! Boxes, lines and texts, and the SVG that is made of them. Colors follow the reader's light or dark scheme;
//! every text is text, and a title and a description say what is seen.

use super::formula::Formula;
use std::fmt::Write;

/// A point.
pub type Point = (f64, f64);

/// Room around everything.
const MARGIN: f64 = 24.0;

/// Okabe and Ito's colors and some more, in a light and in a dark scheme.
const TONES: [(&str, &str); 8] = [
    ("#0072b2", "#56b4e9"),
    ("#c4500a", "#f0883e"),
    ("#00795a", "#2fc79a"),
    ("#a3447c", "#e39ac3"),
    ("#86640a", "#e3b341"),
    ("#5b3fa0", "#b39ddb"),
    ("#5b7f2b", "#9ccc65"),
    ("#666666", "#aaaaaa"),
];

/// A rectangle with its sides along the axes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rect {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// The rectangle of a size around a point.
    pub fn around((x, y): Point, w: f64, h: f64) -> Rect {
        Rect { x: x - w / 2.0, y: y - h / 2.0, w, h }
    }

    /// The right side.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// The lower side.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The point in the middle.
    pub fn center(&self) -> Point {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }
}

/// Where a text stands relative to its point.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
    /// To the left of it.
    End,
}

/// How a shape looks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// As the text.
    Plain,
    /// Less important.
    Faint,
    /// A line to measure by.
    Grid,
    /// One of several that must be told apart.
    Tone(usize),
    /// The same, in dashes.
    Dashed(usize),
}

impl Look {
    fn class(self) -> String {
        match self {
            Look::Plain => "plain".to_string(),
            Look::Faint => "faint".to_string(),
            Look::Grid => "faint grid".to_string(),
            Look::Tone(n) => format!("tone{}", n % TONES.len()),
            Look::Dashed(n) => format!("tone{} dashed", n % TONES.len()),
        }
    }
}

/// A picture in the making. Shapes are drawn in the order in which they are added.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    body: String,
    bounds: Option<(Point, Point)>,
    pub(super) texts: Vec<(Rect, String)>,
    pub(super) boxes: Vec<Rect>,
    pub(super) strokes: Vec<Vec<Point>>,
}

impl Canvas {
    fn cover(&mut self, r: Rect) {
        let ((x0, y0), (x1, y1)) = self.bounds.unwrap_or(((r.x, r.y), (r.right(), r.bottom())));
        self.bounds = Some(((x0.min(r.x), y0.min(r.y)), (x1.max(r.right()), y1.max(r.bottom()))));
    }

    /// What is covered so far.
    pub fn extent(&self) -> Rect {
        let ((x0, y0), (x1, y1)) = self.bounds.unwrap_or_default();
        Rect { x: x0, y: y0, w: x1 - x0, h: y1 - y0 }
    }

    /// A box with rounded corners.
    pub fn rect(&mut self, r: Rect, radius: f64, look: Look) {
        self.cover(r);
        self.boxes.push(r);
        let _ = writeln!(
            self.body,
            "<rect class=\"box {}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius}\"/>",
            look.class(),
            r.x,
            r.y,
            r.w,
            r.h
        );
    }

    /// A line of text on a base line.
    pub fn text(&mut self, at: Point, anchor: Anchor, size: f64, look: Look, formula: &Formula) {
        let width = formula.width(size);
        let (x, word) = match anchor {
            Anchor::Start => (at.0, "start"),
            Anchor::Middle => (at.0 - width / 2.0, "middle"),
            Anchor::End => (at.0 - width, "end"),
        };
        let place = Rect { x, y: at.1 - 0.82 * size, w: width, h: 1.1 * size };
        self.cover(place);
        self.texts.push((place, formula.plain()));
        let _ = writeln!(
            self.body,
            "<text xml:space=\"preserve\" class=\"{}\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"{word}\">{}</text>",
            look.class(),
            at.0,
            at.1,
            formula.svg(size)
        );
    }

    /// A line through points.
    pub fn line(&mut self, points: &[Point], look: Look) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        self.stroke(points.to_vec(), &format!("M{}", list.join("L")), look);
    }

    /// A line with a head at its end.
    pub fn arrow(&mut self, points: &[Point], look: Look) {
        self.line(points, look);
        if let [.., from, to] = points {
            self.head(*from, *to, look);
        }
    }

    /// A line through points with rounded corners and a head at its end.
    pub fn route(&mut self, points: &[Point], look: Look) {
        let mut path = String::new();
        for (n, &(x, y)) in points.iter().enumerate() {
            let (Some(&next), Some(&last)) = (points.get(n + 1), n.checked_sub(1).and_then(|m| points.get(m))) else {
                let _ = write!(path, "{}{x:.1} {y:.1}", if n == 0 { 'M' } else { 'L' });
                continue;
            };
            let ((ax, ay), (bx, by)) = (towards((x, y), last), towards((x, y), next));
            let _ = write!(path, "L{ax:.1} {ay:.1}Q{x:.1} {y:.1} {bx:.1} {by:.1}");
        }
        self.stroke(points.to_vec(), &path, look);
        if let [.., from, to] = points {
            self.head(*from, *to, look);
        }
    }

    fn stroke(&mut self, points: Vec<Point>, path: &str, look: Look) {
        for &(x, y) in &points {
            self.cover(Rect { x, y, w: 0.0, h: 0.0 });
        }
        self.strokes.push(points);
        let _ = writeln!(self.body, "<path class=\"line {}\" d=\"{path}\"/>", look.class());
    }

    fn head(&mut self, from: Point, to: Point, look: Look) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1e-9);
        let (dx, dy) = (dx / length, dy / length);
        let corner = |side: f64| (to.0 - 8.0 * dx + side * 3.4 * dy, to.1 - 8.0 * dy - side * 3.4 * dx);
        let ((ax, ay), (bx, by)) = (corner(1.0), corner(-1.0));
        let _ = writeln!(
            self.body,
            "<path class=\"head {}\" d=\"M{:.1} {:.1}L{ax:.1} {ay:.1}L{bx:.1} {by:.1}Z\"/>",
            look.class(),
            to.0,
            to.1
        );
    }

    /// The picture.
    pub fn svg(&self, title: &str, description: &str) -> String {
        let r = self.extent();
        let (w, h) = (r.w + 2.0 * MARGIN, r.h + 2.0 * MARGIN);
        let (x, y) = (r.x - MARGIN, r.y - MARGIN);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title description\" \
             viewBox=\"{x:.1} {y:.1} {w:.1} {h:.1}\" width=\"{w:.0}\" height=\"{h:.0}\" \
             font-family=\"'STIX Two Text', Cambria, 'Times New Roman', 'DejaVu Serif', serif\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n<style>{}</style>\n\
             <rect class=\"page\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>\n{}</svg>\n",
            escaped(title),
            escaped(description),
            style(),
            self.body
        )
    }
}

/// A point near the first, on the way to the second.
fn towards(from: Point, to: Point) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let share = (8.0 / dx.hypot(dy).max(1e-9)).min(0.5);
    (from.0 + share * dx, from.1 + share * dy)
}

fn style() -> String {
    let mut light = String::new();
    let mut dark = String::new();
    for (n, (day, night)) in TONES.iter().enumerate() {
        let _ = write!(light, ".tone{n}{{color:{day}}}");
        let _ = write!(dark, ".tone{n}{{color:{night}}}");
    }
    format!(
        ".page{{fill:#fff}}.plain{{color:#24292f}}.faint{{color:#6b7480}}{light}\
         @media (prefers-color-scheme:dark){{.page{{fill:#0d1117}}.plain{{color:#e6edf3}}.faint{{color:#9da7b3}}{dark}}}\
         text{{fill:currentColor;white-space:pre}}.box{{stroke:currentColor;fill:currentColor;fill-opacity:.07;stroke-width:1.3}}\
         .box.faint{{stroke-opacity:.5;fill-opacity:.04}}.line{{stroke:currentColor;fill:none;stroke-width:1.4}}\
         .head{{fill:currentColor}}.grid{{stroke-opacity:.25;stroke-width:1}}.dashed{{stroke-dasharray:5 4}}"
    )
}

/// Text as it may stand in XML; what may not stand there at all is left out.
pub fn escaped(text: &str) -> String {
    let allowed = |c: &char| matches!(c, '\n' | '\t') || *c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;");
        let picture = Canvas::default().svg("<t>", "d & e");
        assert!(picture.contains("<title id=\"title\">&lt;t&gt;</title>") && picture.contains("d &amp; e"));
    }
}
