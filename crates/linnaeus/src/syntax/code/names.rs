//! Names of a program → names of the plain notation.

use crate::syntax::names::{greek, is_reserved};
use linnaeus_algebra::{SortedMap, SortedSet};

/// Names that were given, each to one name of the program.
#[derive(Default)]
pub struct Names {
    given: SortedMap<String, String>,
    taken: SortedSet<String>,
    letter: String,
}

impl Names {
    /// No name may be the letter that counts, or end with it as an index would.
    pub fn new(letter: &str) -> Names {
        Names { letter: letter.to_string(), taken: SortedSet::from([letter.to_string()]), ..Names::default() }
    }

    /// The name of an iterate.
    pub fn iterate(&mut self, raw: &str) -> String {
        self.name(raw)
    }

    /// The name of something that never changes.
    pub fn constant(&mut self, raw: &str) -> String {
        self.name(raw)
    }

    fn name(&mut self, raw: &str) -> String {
        if let Some(known) = self.given.get(raw) {
            return known.clone();
        }
        let found = self.free(raw);
        self.given.insert(raw.to_string(), found.clone());
        found
    }

    /// A name that nothing has yet, like this one.
    pub fn fresh(&mut self, raw: &str) -> String {
        if !self.given.contains_key(raw) {
            return self.name(raw);
        }
        self.free(raw)
    }

    fn free(&mut self, raw: &str) -> String {
        let mut stem = clean(raw);
        let suffix = format!("_{}", self.letter);
        if let Some(short) = stem.strip_suffix(&suffix).filter(|s| !s.is_empty()) {
            stem = short.to_string();
        }
        if is_reserved(&stem) {
            stem.push('1');
        }
        let mut name = stem.clone();
        let mut n = 0;
        while self.taken.contains(&name) {
            n += 1;
            name = format!("{stem}_{n}");
        }
        self.taken.insert(name.clone());
        name
    }

    /// The name that was given.
    pub fn known(&self, raw: &str) -> Option<String> {
        self.given.get(raw).cloned()
    }

    /// What the program calls a name.
    pub fn raw(&self, name: &str) -> Option<String> {
        self.given.iter().find(|(_, n)| *n == name).map(|(raw, _)| raw.clone())
    }
}

/// A name as the plain notation can read it: Greek spelled out, marks as words, no underscores at the ends.
pub fn clean(raw: &str) -> String {
    let mut name = String::new();
    for c in raw.chars() {
        let small = "₀₁₂₃₄₅₆₇₈₉".chars().position(|d| d == c);
        match c {
            _ if greek(c).is_some() => {
                if !name.is_empty() && !name.ends_with('_') {
                    name.push('_');
                }
                name.push_str(greek(c).unwrap_or_default());
            }
            _ if small.is_some() => name.push(char::from_digit(small.unwrap_or(0) as u32, 10).unwrap_or('0')),
            '\u{302}' => name.push_str("_hat"),
            '\u{303}' => name.push_str("_tilde"),
            '\u{304}' | '\u{305}' => name.push_str("_bar"),
            '\u{307}' => name.push_str("_dot"),
            '⁺' | '₊' => name.push_str("_plus"),
            '⁻' | '₋' => name.push_str("_minus"),
            '\u{2032}' => name.push_str("_prime"),
            '∇' => name.push_str("nabla_"),
            '∂' => name.push_str("partial_"),
            '_' if name.is_empty() || name.ends_with('_') => {}
            c if c.is_alphanumeric() || c == '_' => name.push(c),
            _ => {}
        }
    }
    while name.ends_with('_') {
        name.pop();
    }
    // Python keeps the word for itself.
    if matches!(name.as_str(), "lamda" | "lambd") {
        name = "lambda".to_string();
    }
    if !name.starts_with(char::is_alphabetic) {
        name = format!("v{name}");
    }
    name.chars().take(90).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned() {
        let shown: Vec<String> = ["lambda_", "λ", "x̂", "x₁", "_private", "αβ"].iter().map(|n| clean(n)).collect();
        assert_eq!(shown, ["lambda", "lambda", "x_hat", "x1", "private", "alpha_beta"]);
    }

    #[test]
    fn names_stay_apart() {
        let mut names = Names::new("k");
        assert_eq!(names.iterate("lambda_"), "lambda");
        assert_eq!(names.constant("λ"), "lambda_1");
        assert_eq!(names.iterate("x_k"), "x");
        assert_eq!(names.iterate("grad"), "grad1");
        assert_eq!(names.fresh("x_k"), "x_1");
    }
}
