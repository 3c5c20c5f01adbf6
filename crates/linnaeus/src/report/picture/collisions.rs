//! What a layout must not do: let texts touch, cross or be crossed, or boxes overlap.

use super::canvas::{Anchor, Canvas, Look, Point, Rect};
use super::formula::Formula;

impl Canvas {
    /// Texts that touch another text, cross the border of a box or are crossed by a line, and boxes that
    /// overlap without one being inside the other.
    pub fn collisions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (i, (a, text)) in self.texts.iter().enumerate() {
            let others = self.texts[i + 1..].iter().filter(|(b, _)| meet(*a, *b));
            found.extend(others.map(|(_, other)| format!("`{text}` touches `{other}`")));
            let crossed = |b: &&Rect| meet(*a, **b) && !inside(*a, **b);
            found.extend(self.boxes.iter().filter(crossed).map(|b| format!("`{text}` crosses {b:?}")));
            let struck = |line: &&Vec<Point>| line.windows(2).any(|s| strikes(s[0], s[1], *a));
            found.extend(self.strokes.iter().filter(struck).map(|l| format!("`{text}` is crossed by {l:?}")));
        }
        for (i, a) in self.boxes.iter().enumerate() {
            let overlap = |b: &&Rect| meet(*a, **b) && !inside(*a, **b) && !inside(**b, *a);
            found.extend(self.boxes[i + 1..].iter().filter(overlap).map(|b| format!("{a:?} overlaps {b:?}")));
        }
        found
    }
}

fn meet(a: Rect, b: Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

fn inside(a: Rect, b: Rect) -> bool {
    b.x <= a.x && a.right() <= b.right() && b.y <= a.y && a.bottom() <= b.bottom()
}

/// Whether a segment runs through a rectangle, by clipping it.
fn strikes(p: Point, q: Point, r: Rect) -> bool {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (start, step, low, high) in [(p.0, q.0 - p.0, r.x, r.right()), (p.1, q.1 - p.1, r.y, r.bottom())] {
        if step == 0.0 {
            if start <= low || start >= high {
                return false;
            }
        } else {
            let (a, b) = ((low - start) / step, (high - start) / step);
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
    }
    from < to
}

#[test]
fn collisions_are_seen() {
    let word = Formula::words("word");
    let mut canvas = Canvas::default();
    canvas.rect(Rect { x: 0.0, y: 0.0, w: 100.0, h: 40.0 }, 4.0, Look::Plain);
    canvas.text((50.0, 25.0), Anchor::Middle, 12.0, Look::Plain, &word);
    assert_eq!(canvas.collisions(), Vec::<String>::new());
    for (spoil, count) in [
        (
            &(|c: &mut Canvas| c.text((60.0, 25.0), Anchor::Middle, 12.0, Look::Plain, &Formula::words("word")))
                as &dyn Fn(&mut Canvas),
            1,
        ),
        (&|c: &mut Canvas| c.line(&[(0.0, 0.0), (100.0, 40.0)], Look::Plain), 1),
        (&|c: &mut Canvas| c.rect(Rect { x: 50.0, y: 10.0, w: 100.0, h: 40.0 }, 4.0, Look::Plain), 2),
    ] {
        let mut spoilt = canvas.clone();
        spoil(&mut spoilt);
        assert_eq!(spoilt.collisions().len(), count);
    }
}
