//! Points of the complex plane, with the unit circle.

use super::canvas::{Anchor, Canvas, Look, Point};
use super::formula::Formula;

/// A point.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where it is.
    pub at: Point,
    /// How often it counts.
    pub multiplicity: u32,
    /// A cross, as poles have, or a ring, as zeros have.
    pub cross: bool,
}

/// Half of the picture.
const HALF: f64 = 170.0;
/// What is farther out is drawn at the edge.
const FARTHEST: f64 = 20.0;
/// Half of a mark.
const MARK: f64 = 5.5;

/// The plane around all points; those that are too far out stand at its edge.
pub fn plane(marks: &[Mark]) -> Canvas {
    let farthest = marks.iter().fold(1.0_f64, |m, p| m.max(p.at.0.abs()).max(p.at.1.abs()));
    let unit = 0.86 * HALF / farthest.min(FARTHEST);
    let clip = |x: f64| (unit * x).clamp(-0.97 * HALF, 0.97 * HALF);
    let mut canvas = Canvas::default();
    canvas.line(&[(-HALF, 0.0), (HALF, 0.0)], Look::Grid);
    canvas.line(&[(0.0, HALF), (0.0, -HALF)], Look::Grid);
    canvas.line(&ring((0.0, 0.0), unit, 96), Look::Faint);
    canvas.text((HALF + 6.0, 4.0), Anchor::Start, 14.0, Look::Faint, &Formula::words("Re z"));
    canvas.text((0.0, -HALF - 8.0), Anchor::Middle, 14.0, Look::Faint, &Formula::words("Im z"));
    for mark in marks {
        let (x, y) = (clip(mark.at.0), clip(-mark.at.1));
        let look = Look::Tone(usize::from(!mark.cross));
        if mark.cross {
            canvas.line(&[(x - MARK, y - MARK), (x + MARK, y + MARK)], look);
            canvas.line(&[(x - MARK, y + MARK), (x + MARK, y - MARK)], look);
        } else {
            canvas.line(&ring((x, y), MARK, 24), look);
        }
        if mark.multiplicity > 1 {
            let side = if mark.cross { -9.0 } else { 19.0 };
            canvas.text(
                (x + 8.0, y + side),
                Anchor::Start,
                13.0,
                look,
                &Formula::words(&mark.multiplicity.to_string()),
            );
        }
    }
    canvas
}

fn ring((x, y): Point, radius: f64, corners: usize) -> Vec<Point> {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / corners as f64;
    (0..=corners).map(|i| (x + radius * angle(i).cos(), y + radius * angle(i).sin())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_points_stay_on_the_picture() {
        for at in [(0.0, 0.0), (1e9, -1e9), (-0.5, 3.0)] {
            let canvas =
                plane(&[Mark { at, multiplicity: 1, cross: true }, Mark { at, multiplicity: 2, cross: false }]);
            let extent = canvas.extent();
            assert!(extent.w < 2.0 * HALF + 60.0 && extent.h < 2.0 * HALF + 60.0, "{at:?}: {extent:?}");
            assert!(!canvas.svg("t", "d").contains("NaN"));
        }
    }
}
