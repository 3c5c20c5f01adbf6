//! Random algorithms: a few iterates, oracles, parameters, at times operators and implicit lines.

use super::random::Random;

/// What acts between the iterates.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Setting {
    Scalars,
    /// `W: X -> X symmetric`.
    Square,
    /// `A: X -> Y` and its adjoint.
    Between,
    /// Two operators that do not commute.
    TwoOperators,
}

struct Writer<'a> {
    random: &'a mut Random,
    setting: Setting,
    style: Style,
    /// Name, whether it lives in the second space, the offset of its definition.
    iterates: Vec<(String, bool, i64)>,
}

/// What a text is made of.
struct Style {
    coefficients: &'static [&'static str],
    /// The oracles on the first and on the second space.
    oracles: [Vec<&'static str>; 2],
    /// Whether every line calls an oracle.
    busy: bool,
    /// How deep sums are nested.
    depth: usize,
    /// Whether there are constant vectors.
    constants: bool,
}

const ON_FIRST: [&str; 8] = ["grad f", "prox_{t f}", "subgrad f", "P_C", "F", "grad f", "R_{t f}", "grad h"];
const ON_SECOND: [&str; 4] = ["prox_{s g*}", "grad g", "P_D", "prox_{(1/s) g}"];

/// A text. Most are well posed, not all.
pub fn algorithm(random: &mut Random) -> String {
    let setting = match random.below(8) {
        0..=3 => Setting::Scalars,
        4 => Setting::Square,
        5 | 6 => Setting::Between,
        _ => Setting::TwoOperators,
    };
    let style = Style {
        coefficients: &["", "", "", "2*", "a*", "b*", "t*", "(1 - a)*", "1/2*", "0.3*", "(a + b)*", "a*b*"],
        oracles: [ON_FIRST.to_vec(), ON_SECOND.to_vec()],
        busy: true,
        // Two levels of operators make H larger than a test can wait for.
        depth: if matches!(setting, Setting::Square | Setting::Between) { 1 } else { 2 },
        constants: false,
    };
    write(random, setting, style)
}

/// Whether a text has parameters and operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Symbols {
    /// Numbers alone.
    None,
    /// Parameters, at times operators and constants.
    Some,
}

/// A text with at most three different oracles. Most are well posed, not all.
pub fn small(random: &mut Random, symbols: Symbols) -> String {
    let numbers = symbols == Symbols::None;
    let setting = match random.below(8) {
        0 if !numbers => Setting::Square,
        1 | 2 if !numbers => Setting::Between,
        3 if !numbers => Setting::TwoOperators,
        _ => Setting::Scalars,
    };
    let mut some =
        |all: &[&'static str]| -> Vec<&'static str> { (0..1 + random.below(3)).map(|_| *random.pick(all)).collect() };
    let oracles = if numbers {
        let first = ["grad f", "prox_{2 f}", "prox_{h}", "P_C", "F", "grad h", "prox_{3 g*}", "subgrad g", "R_{2 f}"];
        [some(&first), Vec::new()]
    } else {
        let first = [&ON_FIRST[..], &["prox_{t h}", "grad g", "prox_{b h*}", "J_{t T}"]].concat();
        [some(&first), some(&ON_SECOND)]
    };
    let style = Style {
        coefficients: if numbers {
            &["", "", "", "", "2*", "3*", "1/2*", "0.3*", "4*", "2/5*"]
        } else {
            &["", "", "", "", "2*", "a*", "b*", "t*", "(1 - a)*", "1/2*"]
        },
        oracles,
        busy: false,
        depth: 1,
        constants: !numbers && setting == Setting::Scalars && random.one_in(4),
    };
    write(random, setting, style)
}

fn write(random: &mut Random, setting: Setting, style: Style) -> String {
    let mut text = match setting {
        Setting::Scalars => String::new(),
        Setting::Square => "operator W: X -> X symmetric\n".to_string(),
        Setting::Between => "operator A: X -> Y\n".to_string(),
        Setting::TwoOperators => "operators B1, B2: X -> X\n".to_string(),
    };
    if style.constants {
        text.push_str("constant c0\n");
    }
    let n = 1 + random.below(4);
    let iterates =
        (0..n).map(|i| (format!("x{i}"), setting == Setting::Between && random.one_in(2), random.below(2) as i64));
    let iterates: Vec<_> = iterates.collect();
    let mut writer = Writer { random, setting, style, iterates };
    let mut lines: Vec<String> = (0..n).map(|i| writer.line(i)).collect();
    writer.random.shuffle(&mut lines);
    text.push_str(&lines.join("\n"));
    text
}

impl Writer<'_> {
    fn line(&mut self, i: usize) -> String {
        let (name, second, at) = self.iterates[i].clone();
        let mut value = self.sum(i, second, self.style.depth);
        let has_call = ["prox", "grad", "F(", "P_", "J_"].iter().any(|oracle| value.contains(oracle));
        if !has_call && (self.style.busy || i == 0) {
            value = format!("{value} - {}{}", self.coefficient(), self.call(i, second, 1));
        }
        format!("{name}[k{}] = {value}", offset(at))
    }

    /// A sum in line i, in the first or second space.
    fn sum(&mut self, i: usize, second: bool, depth: usize) -> String {
        let terms = 1 + self.random.below(3);
        let mut text = String::new();
        for t in 0..terms {
            if t > 0 {
                text.push_str(if self.random.one_in(2) { " + " } else { " - " });
            }
            text.push_str(&self.coefficient());
            text.push_str(&self.term(i, second, depth));
        }
        text
    }

    fn term(&mut self, i: usize, second: bool, depth: usize) -> String {
        let choice = self.random.below(10);
        match (self.setting, choice) {
            (_, 0..=2) if depth > 0 => self.call(i, second, depth - 1),
            (Setting::Square, 3) if depth > 0 => format!("W*({})", self.sum(i, false, depth - 1)),
            (Setting::Square, 4) if depth > 0 => {
                format!("(I - W)*({})", self.sum(i, false, depth - 1))
            }
            (Setting::Between, 3..=5) if depth > 0 && second => {
                format!("A*({})", self.sum(i, false, depth - 1))
            }
            (Setting::Between, 3..=5) if depth > 0 => {
                format!("A'*({})", self.sum(i, true, depth - 1))
            }
            (Setting::TwoOperators, 3) => format!("B1*{}", self.reading(i, false)),
            (Setting::TwoOperators, 4) => format!("B2*{}", self.reading(i, false)),
            (Setting::TwoOperators, 5) => format!("B1*B2*{}", self.reading(i, false)),
            (_, 7) if self.style.constants => "c0".to_string(),
            (_, 6) if depth > 0 => format!("({})", self.sum(i, second, depth - 1)),
            _ => self.reading(i, second),
        }
    }

    /// An iterate of the space: new values of earlier lines, older values of all.
    fn reading(&mut self, i: usize, second: bool) -> String {
        let fitting: Vec<usize> = (0..self.iterates.len()).filter(|&j| self.iterates[j].1 == second).collect();
        if fitting.is_empty() {
            // The other space has no iterate of its own.
            let inner = self.reading(i, !second);
            return if second { format!("A*{inner}") } else { format!("A'*{inner}") };
        }
        let j = *self.random.pick(&fitting);
        let (name, _, at) = self.iterates[j].clone();
        let implicit = self.random.one_in(12);
        let age = if j < i || implicit { self.random.below(3) } else { 1 + self.random.below(2) } as i64;
        format!("{name}[k{}]", offset(at - age))
    }

    fn call(&mut self, i: usize, second: bool, depth: usize) -> String {
        let argument = self.sum(i, second, depth);
        let oracle = *self.random.pick(&self.style.oracles[usize::from(second)]);
        format!("{oracle}({argument})")
    }

    fn coefficient(&mut self) -> String {
        self.random.pick(self.style.coefficients).to_string()
    }
}

fn offset(at: i64) -> String {
    match at {
        0 => String::new(),
        at if at > 0 => format!("+{at}"),
        at => at.to_string(),
    }
}
