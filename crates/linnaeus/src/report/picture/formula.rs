//! A line of mathematics in a picture: letters slanted, digits after a name and `_{…}` below the line.

use super::canvas::escaped;
use crate::report::expression::{Script, name};
use std::fmt::Write;

/// How much smaller what stands below the line is.
const SMALL: f64 = 0.72;

/// Characters that are set alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    text: String,
    slanted: bool,
    below: bool,
}

/// A line of mathematics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    runs: Vec<Run>,
}

impl Formula {
    /// Plain words.
    pub fn words(text: &str) -> Formula {
        let mut formula = Formula::default();
        formula.push(text, false, false);
        formula
    }

    /// A formula as the reports write it for a terminal, or as it was typed.
    pub fn new(text: &str) -> Formula {
        let mut formula = Formula::default();
        let mut rest = text;
        let mut below = false;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                _ if c.is_alphabetic() => {
                    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                    formula.name(&rest[..end], &rest[end..], below)
                }
                '_' if rest.starts_with("_{") => {
                    below = true;
                    2
                }
                '_' => {
                    let end = rest[1..].find(|c: char| !c.is_alphanumeric()).map_or(rest.len(), |i| i + 1);
                    formula.push(&rest[1..end], true, true);
                    end
                }
                '}' if below => {
                    below = false;
                    1
                }
                '-' => {
                    formula.push("−", false, below);
                    1
                }
                '*' if rest[1..].starts_with(|c: char| c.is_alphanumeric() || c == '(') => {
                    // A product needs no sign after a number; after a name a thin space does.
                    if !formula.runs.last().is_some_and(|r| r.text.ends_with(|c: char| c.is_ascii_digit() && !r.below))
                    {
                        formula.push("\u{2009}", false, below);
                    }
                    1
                }
                _ => {
                    formula.push(&rest[..c.len_utf8()], false, below);
                    c.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        formula
    }

    /// One after the other.
    pub fn then(mut self, other: Formula) -> Formula {
        for run in other.runs {
            self.push(&run.text, run.slanted, run.below);
        }
        self
    }

    /// A name and the digits after it; how much of the text that was.
    fn name(&mut self, letters: &str, rest: &str, below: bool) -> usize {
        let upright = ["prox", "proj", "argmin", "env", "grad", "subgrad", "exp", "log", "sqrt", "inv"];
        self.push(&name(Script::Unicode, letters), !upright.contains(&letters), below);
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.push(&rest[..digits], false, true);
        letters.len() + digits
    }

    fn push(&mut self, text: &str, slanted: bool, below: bool) {
        match self.runs.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if (last.slanted, last.below) == (slanted, below) => last.text.push_str(text),
            _ => self.runs.push(Run { text: text.to_string(), slanted, below }),
        }
    }

    /// How wide it is at a size, rather too much than too little: fonts differ.
    pub fn width(&self, size: f64) -> f64 {
        let of = |r: &Run| r.text.chars().map(advance).sum::<f64>() * if r.below { SMALL } else { 1.0 };
        size * self.runs.iter().map(of).sum::<f64>()
    }

    /// Without what is set how.
    pub fn plain(&self) -> String {
        self.runs.iter().map(|r| r.text.as_str()).collect()
    }

    /// The inside of an SVG text.
    pub fn svg(&self, size: f64) -> String {
        let mut out = String::new();
        let mut low = false;
        for run in &self.runs {
            let text = escaped(&run.text);
            let mut style = String::new();
            if run.below != low {
                let _ = write!(style, " dy=\"{:.1}\"", if run.below { 0.22 * size } else { -0.22 * size });
                low = run.below;
            }
            if run.below {
                let _ = write!(style, " font-size=\"{:.1}\"", SMALL * size);
            }
            if run.slanted {
                style.push_str(" font-style=\"italic\"");
            }
            let _ = if style.is_empty() { write!(out, "{text}") } else { write!(out, "<tspan{style}>{text}</tspan>") };
        }
        out
    }
}

/// The width of a character as a share of the size, in a wide font with serifs.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | '\'' | ':' | ';' | '|' | '·' => 0.36,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | ' ' => 0.42,
        '\u{2009}' => 0.22,
        '\u{303}' => 0.0,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.46,
        'm' | 'w' | 'M' | 'W' => 1.02,
        '+' | '−' | '=' | '<' | '>' | '≠' | '→' | '∇' => 0.86,
        'A'..='Z' => 0.8,
        c if c.is_ascii() => 0.66,
        _ => 0.76,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Formula::new(text).svg(10.0), expected);
    }

    #[test]
    fn formulas() {
        check("x", "<tspan font-style=\"italic\">x</tspan>");
        check("2", "2");
        check("z - 1", "<tspan font-style=\"italic\">z</tspan> − 1");
        assert_eq!(Formula::new("prox_{t f}").plain(), "proxt f");
        assert_eq!(Formula::new("2*x1[k+1] - tau*A'*y").plain(), "2x1[k+1] − τ\u{2009}A'\u{2009}y");
        assert!(Formula::new("x1").svg(10.0).contains("dy=\"2.2\" font-size=\"7.2\">1<"));
        assert!(Formula::new("a < b & c").svg(10.0).contains(" &lt; "));
    }

    #[test]
    fn anything_can_be_set() {
        for text in ["", "_", "_{", "}", "x_{", "_1", "{}", "x_{a_{b}}", "-*-", "é_{ß}}"] {
            assert!(Formula::new(text).width(10.0) >= 0.0, "{text}");
        }
    }
}
