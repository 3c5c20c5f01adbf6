//! Square roots of numbers and parameters.
//!
//! The root of a product of parameters is the product of their roots, and where the root of a parameter occurs, the
//! parameter is its square: all arithmetic stays rational. The root of a number, or of a sum, is a symbol of its own,
//! whose square is put in.

use super::LinearSystem;
use linnaeus_algebra::solve::{modulo_square, rational_root, split_square_integer};
use linnaeus_algebra::{Exhausted, Integer, Rational, RationalFunction, Variable};

/// c and n with √r = c √n, n whole and without small square factors.
pub fn split_root(r: &Rational) -> (Rational, Integer) {
    let below = Integer::from(r.denominator().clone());
    let (whole, rest) = split_square_integer(&(r.numerator() * &below));
    (Rational::from(whole) / Rational::from(below), rest)
}

/// The variables of a product with their powers; nothing for a sum or a negative value.
pub fn monomial(s: &RationalFunction) -> Option<Vec<(Variable, i32)>> {
    let mut found = Vec::new();
    for (part, sign) in [(s.numerator(), 1), (s.denominator(), -1)] {
        let mut terms = part.terms();
        let ((powers, coefficient), None) = (terms.next()?, terms.next()) else { return None };
        if *coefficient < Integer::ZERO {
            return None;
        }
        found.extend(powers.iter().map(|(v, e)| (*v, sign * *e as i32)));
    }
    Some(found)
}

/// A function of parameters: its symbol, its name, its argument.
type Function = (Variable, &'static str, RationalFunction);

/// Whether a symbol is a square root.
pub fn is_root(v: Variable, functions: &[Function]) -> bool {
    functions.iter().any(|(w, name, _)| *w == v && *name == "sqrt")
}

/// The root of a product of squares of roots.
pub fn known_root(s: &RationalFunction, functions: &[Function]) -> Result<Option<RationalFunction>, Exhausted> {
    let content = Rational::from(s.numerator().content()) / Rational::from(s.denominator().content());
    let (Some(powers), Some(content)) = (monomial(s), rational_root(&content)) else { return Ok(None) };
    if !powers.iter().all(|(v, e)| e % 2 == 0 && is_root(*v, functions)) {
        return Ok(None);
    }
    let mut root = RationalFunction::rational(&content);
    for (v, e) in powers {
        root = root.mul(&RationalFunction::variable(v).pow(e / 2)?.expect("a variable"))?;
    }
    Ok(Some(root))
}

/// A value with the square of a root replaced by what that is the root of, and no root below the line.
pub fn reduced(
    r: &RationalFunction,
    (root, square): (Variable, &RationalFunction),
) -> Result<RationalFunction, Exhausted> {
    // √(n/d) is √(nd)/d.
    let (above, below) = (square.numerator(), RationalFunction::polynomial(square.denominator().clone()));
    let symbol = RationalFunction::variable(root);
    let Some(over) = symbol.div(&below)? else { return Ok(r.clone()) };
    let put = |v: Variable| (v == root).then(|| over.clone());
    let Some(there) = r.substitute(&put)? else { return Ok(r.clone()) };
    match modulo_square(&there, root, &above.mul(square.denominator())?)? {
        Some([a, b]) => a.add(&b.mul(&below)?.mul(&symbol)?),
        None => Ok(r.clone()),
    }
}

impl LinearSystem {
    /// Parameters whose square roots occur in their stead, and these.
    pub fn squares(&self) -> impl Iterator<Item = (Variable, Variable)> {
        let roots = self.functions.iter().filter(|(_, name, _)| *name == "sqrt");
        roots.filter_map(|(root, _, argument)| match argument.variables()[..] {
            [v] if *argument == RationalFunction::variable(v) => Some((v, *root)),
            _ => None,
        })
    }

    /// Puts in the squares of roots of numbers: √2·√2 is 2, and 1/(1 + √2) is √2 − 1.
    pub(super) fn settle_roots(&mut self) -> Result<(), Exhausted> {
        let is_number = |(_, name, argument): &&Function| *name == "sqrt" && argument.variables().is_empty();
        let roots: Vec<Function> = self.functions.iter().filter(is_number).cloned().collect();
        for (root, _, square) in roots {
            let holds = |r: &RationalFunction| r.variables().contains(&root);
            self.map_numbers(&mut |r| if holds(r) { reduced(r, (root, &square)) } else { Ok(r.clone()) })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_taken_out() {
        for (n, d, whole, rest) in [(8, 1, (2, 1), 2), (1, 2, (1, 2), 2), (12, 25, (2, 5), 3), (49, 4, (7, 2), 1)] {
            let (c, r) = split_root(&(Rational::from(n) / Rational::from(d)));
            assert_eq!((c, r), (Rational::from(whole.0) / Rational::from(whole.1), Integer::from(rest)), "{n}/{d}");
        }
    }

    #[test]
    fn no_root_is_left_below_and_no_square_above() {
        let [root, a] = [0, 1].map(|n| RationalFunction::variable(Variable(n)));
        let two = RationalFunction::integer(2);
        // 1/(1 + √2) = √2 − 1.
        let value = RationalFunction::one().add(&root).unwrap().inverse().unwrap();
        let found = reduced(&value, (Variable(0), &two)).unwrap();
        assert_eq!(found, root.sub(&RationalFunction::one()).unwrap());
        // √a³ = a √a.
        let found = reduced(&root.pow(3).unwrap().unwrap(), (Variable(0), &a)).unwrap();
        assert_eq!(found, root.mul(&a).unwrap());
    }
}
