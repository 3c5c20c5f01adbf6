//! Curves of positive numbers over iterations, on a logarithmic scale.

use super::canvas::{Anchor, Canvas, Look, Point, Rect};
use super::formula::Formula;

/// One curve. What is no number is left out.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is.
    pub name: Formula,
    /// How it looks.
    pub look: Look,
    /// One number per iteration.
    pub values: Vec<f64>,
}

/// Curves that share their axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is measured.
    pub title: &'static str,
    /// The curves.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 230.0;
/// From one panel to the next.
const PITCH: f64 = HEIGHT + 104.0;
/// What is smaller is drawn here: rounding errors are of this size.
const LEAST: i32 = -18;
/// A longer curve is thinned out.
const POINTS: usize = 400;

/// Panels one below the other.
pub fn plot(panels: &[Panel]) -> Canvas {
    let mut canvas = Canvas::default();
    for (n, panel) in panels.iter().enumerate() {
        panel.draw(&mut canvas, PITCH * n as f64);
    }
    canvas
}

impl Panel {
    fn draw(&self, canvas: &mut Canvas, top: f64) {
        let frame = Rect { x: 0.0, y: top, w: WIDTH, h: HEIGHT };
        canvas.rect(frame, 0.0, Look::Faint);
        canvas.text((0.0, top - 14.0), Anchor::Start, 16.0, Look::Plain, &Formula::words(self.title));
        let (low, high) = self.decades();
        let length = self.curves.iter().map(|c| c.values.len()).max().unwrap_or(0).max(2) - 1;
        let x = |k: usize| WIDTH * k as f64 / length as f64;
        let y = |v: f64| top + HEIGHT * (f64::from(high) - v.log10().max(f64::from(low))) / f64::from(high - low);
        let step = ((high - low + 5) / 6).max(1);
        for decade in (low..=high).filter(|d| (d - low) % step == 0) {
            let at = top + HEIGHT * f64::from(high - decade) / f64::from(high - low);
            if decade != low && decade != high {
                canvas.line(&[(0.0, at), (WIDTH, at)], Look::Grid);
            }
            canvas.text((-10.0, at + 4.0), Anchor::End, 13.0, Look::Plain, &power_of_ten(decade));
        }
        for k in ticks(length) {
            canvas.line(&[(x(k), top + HEIGHT), (x(k), top + HEIGHT + 5.0)], Look::Faint);
            let number = Formula::words(&k.to_string());
            canvas.text((x(k), top + HEIGHT + 20.0), Anchor::Middle, 13.0, Look::Plain, &number);
        }
        let middle = (WIDTH / 2.0, top + HEIGHT + 42.0);
        canvas.text(middle, Anchor::Middle, 14.0, Look::Faint, &Formula::words("iterations before"));
        for (n, curve) in self.curves.iter().enumerate() {
            for piece in curve.pieces(&x, &y) {
                canvas.line(&piece, curve.look);
            }
            let at = top + 14.0 + 22.0 * n as f64;
            canvas.line(&[(WIDTH + 18.0, at), (WIDTH + 44.0, at)], curve.look);
            canvas.text((WIDTH + 52.0, at + 5.0), Anchor::Start, 14.0, Look::Plain, &curve.name);
        }
    }

    /// The powers of ten between which all values lie.
    fn decades(&self) -> (i32, i32) {
        let values = || self.curves.iter().flat_map(|c| c.values.iter()).filter(|v| v.is_finite() && **v > 0.0);
        let low = values().fold(f64::INFINITY, |m, v| m.min(*v)).log10().floor();
        // Up to 1 at least, so that rounding errors look as small as they are.
        let high = values().fold(1.0_f64, |m, v| m.max(*v)).log10().ceil();
        let has_zero = self.curves.iter().any(|c| c.values.contains(&0.0));
        match (low.is_finite() && high.is_finite(), has_zero) {
            (false, _) => (LEAST, 0),
            (true, false) => ((low as i32).clamp(LEAST, high as i32 - 1), high as i32),
            (true, true) => (LEAST, high as i32),
        }
    }
}

impl Curve {
    /// Lines between neighbours that are numbers.
    fn pieces(&self, x: &dyn Fn(usize) -> f64, y: &dyn Fn(f64) -> f64) -> Vec<Vec<Point>> {
        let every = self.values.len().div_ceil(POINTS).max(1);
        let kept = self.values.iter().enumerate().filter(|(k, _)| k % every == 0 || k + 1 == self.values.len());
        let points: Vec<Option<Point>> = kept.map(|(k, v)| v.is_finite().then(|| (x(k), y(*v)))).collect();
        points
            .split(Option::is_none)
            .map(|p| p.iter().flatten().copied().collect())
            .filter(|p: &Vec<_>| p.len() > 1)
            .collect()
    }
}

/// Round numbers from 0 to a length, at most seven.
fn ticks(length: usize) -> Vec<usize> {
    let steps = (0..18).flat_map(|e| [1, 2, 5].map(|m| m * 10_usize.pow(e)));
    let step = steps.into_iter().find(|s| length / s <= 6).unwrap_or(length.max(1));
    (0..=length).step_by(step).collect()
}

fn power_of_ten(n: i32) -> Formula {
    let digit = |c: char| match c {
        '-' => '⁻',
        c => c.to_digit(10).and_then(|d| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize)).unwrap_or(c),
    };
    Formula::words(&format!("10{}", n.to_string().chars().map(digit).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(values: &[f64]) -> Panel {
        Panel {
            title: "p",
            curves: vec![Curve { name: Formula::new("f"), look: Look::Tone(0), values: values.to_vec() }],
        }
    }

    #[test]
    fn axes() {
        assert_eq!(ticks(1), [0, 1]);
        assert_eq!(ticks(200), [0, 50, 100, 150, 200]);
        assert_eq!(power_of_ten(-12).plain(), "10⁻¹²");
        assert_eq!(panel(&[1.0, 0.02]).decades(), (-2, 0));
        assert_eq!(panel(&[1.0, 0.0]).decades(), (LEAST, 0));
        assert_eq!(panel(&[f64::NAN]).decades(), (LEAST, 0));
        assert_eq!(panel(&[1e-16, 2e-15]).decades(), (-16, 0));
    }

    #[test]
    fn any_values_can_be_drawn() {
        for values in
            [&[][..], &[0.0], &[1.0], &[f64::INFINITY, 1.0, f64::NAN, 2.0, 3.0], &[1e-300, 1e300], &[1.0; 5000]]
        {
            let canvas = plot(&[panel(values), panel(values)]);
            assert_eq!(canvas.collisions(), Vec::<String>::new());
            assert!(!canvas.svg("t", "d").contains("NaN"), "{values:?}");
        }
    }
}
