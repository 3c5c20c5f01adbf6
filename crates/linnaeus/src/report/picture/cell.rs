//! Entries of matrices in a picture: a quotient is a fraction.

use super::canvas::{Anchor, Canvas, Look, Point};
use super::formula::Formula;

/// What stands in one place of a matrix.
#[derive(Clone, Debug)]
pub struct Cell {
    sign: Formula,
    above: Formula,
    below: Option<Formula>,
}

/// Room beside the line of a fraction.
const OVERHANG: f64 = 4.0;

impl Cell {
    /// An entry as the reports write it for a terminal.
    pub fn new(text: &str) -> Cell {
        let (sign, size) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
        match quotient(size) {
            Some((above, below)) => Cell {
                sign: Formula::new(sign),
                above: Formula::new(bare(above)),
                below: Some(Formula::new(bare(below))),
            },
            None => Cell { sign: Formula::default(), above: Formula::new(text), below: None },
        }
    }

    fn fraction_width(&self, size: f64) -> f64 {
        let below = self.below.as_ref().map_or(0.0, |b| b.width(size) + 2.0 * OVERHANG);
        below.max(self.above.width(size) + if self.below.is_some() { 2.0 * OVERHANG } else { 0.0 })
    }

    /// How wide it is.
    pub fn width(&self, size: f64) -> f64 {
        self.sign.width(size) + 3.0 + self.fraction_width(size)
    }

    /// How high it is.
    pub fn height(&self, size: f64) -> f64 {
        if self.below.is_some() { 2.7 * size } else { 1.2 * size }
    }

    /// Draws it around a point.
    pub fn draw(&self, canvas: &mut Canvas, (x, y): Point, size: f64, look: Look) {
        let Some(below) = &self.below else {
            return canvas.text((x, y + 0.32 * size), Anchor::Middle, size, look, &self.above);
        };
        let left = x - self.width(size) / 2.0;
        let width = self.fraction_width(size);
        let middle = x + self.width(size) / 2.0 - width / 2.0;
        if self.sign != Formula::default() {
            canvas.text((left, y + 0.32 * size), Anchor::Start, size, look, &self.sign);
        }
        canvas.line(&[(middle - width / 2.0, y), (middle + width / 2.0, y)], look);
        canvas.text((middle, y - 0.42 * size), Anchor::Middle, size, look, &self.above);
        canvas.text((middle, y + 1.0 * size), Anchor::Middle, size, look, below);
    }
}

/// `above/below`, if the text is one quotient and no sum.
fn quotient(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut slash = None;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '/' if depth == 0 && slash.is_some() => return None,
            '/' if depth == 0 => slash = Some(i),
            ' ' if depth == 0 => return None,
            _ => {}
        }
    }
    slash.map(|i| (&text[..i], &text[i + 1..]))
}

/// Without parentheses around the whole.
fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0;
    let balanced = inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    if balanced { inner } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients() {
        assert_eq!(quotient("(2z - 1)/(z - 1)"), Some(("(2z - 1)", "(z - 1)")));
        assert_eq!(quotient("τA'/z"), Some(("τA'", "z")));
        for whole in ["2", "A/z + B/z", "a/b/c", "(a/b)", "W(z²I - 2zW + W)⁻¹"] {
            assert_eq!(quotient(whole), None, "{whole}");
        }
        assert_eq!(bare("(z - 1)"), "z - 1");
        assert_eq!(bare("(z - 1)(z - β)"), "(z - 1)(z - β)");
        assert_eq!(bare("(z - 1)²"), "(z - 1)²");
    }
}
