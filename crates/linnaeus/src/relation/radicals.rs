//! Square roots in the values of a branch as symbols of their own, whose squares are known.

use super::operators::is_coefficient;
use linnaeus_algebra::solve::{Branch, Value, modulo_square};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap, Variable};

/// Stands for the one square root in the parameters, where a parameter makes it rational.
pub const ROOT: Variable = Variable(3_900_000);

/// So many roots are told apart.
const ROOTS: u32 = 1000;

/// Whether a symbol stands for a square root.
pub fn is_root(v: Variable) -> bool {
    (ROOT.0..ROOT.0 + ROOTS).contains(&v.0)
}

/// The values of a branch with a symbol for every root.
#[derive(Clone, Debug, Default)]
pub struct Radicals {
    /// What is determined.
    pub values: SortedMap<Variable, RationalFunction>,
    /// The roots, and what they are roots of.
    pub squares: Vec<(Variable, Polynomial)>,
}

impl Radicals {
    /// Those of a branch.
    pub fn of(branch: &Branch) -> Result<Radicals, Exhausted> {
        let mut found = Radicals::default();
        for (v, value) in branch.conditions.iter().chain(&branch.values) {
            let value = match value {
                Value::Rational(r) => r.clone(),
                Value::Root { a, b, radicand } => {
                    let root = found.root(radicand);
                    a.add(&b.mul(&RationalFunction::variable(root))?)?
                }
            };
            found.values.insert(*v, value);
        }
        Ok(found)
    }

    /// The symbol of a root.
    fn root(&mut self, radicand: &Polynomial) -> Variable {
        if let Some((root, _)) = self.squares.iter().find(|(_, square)| square == radicand) {
            return *root;
        }
        let root = Variable(ROOT.0 + 1 + self.squares.len() as u32);
        self.squares.push((root, radicand.clone()));
        root
    }

    /// With the values of coefficients of operators put in, no root below the line; nothing if that is divided by zero.
    pub fn settled(&self, r: &RationalFunction) -> Result<Option<RationalFunction>, Exhausted> {
        let value = |v: Variable| self.values.get(&v).filter(|_| is_coefficient(v)).cloned();
        // Twice, for one coefficient may be given in another.
        let Some(once) = r.substitute(&value)? else { return Ok(None) };
        let Some(mut found) = once.substitute(&value)? else { return Ok(None) };
        for (root, square) in &self.squares {
            match rationalized(&found, *root, square)? {
                Some(there) => found = there,
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }
}

/// A value without powers of a root, and with none below the line; nothing if that is divided by zero.
fn rationalized(
    r: &RationalFunction,
    root: Variable,
    square: &Polynomial,
) -> Result<Option<RationalFunction>, Exhausted> {
    if r.numerator().degree_in(root) < 2 && r.denominator().degree_in(root) == 0 {
        return Ok(Some(r.clone()));
    }
    let Some([a, b]) = modulo_square(r, root, square)? else { return Ok(None) };
    a.add(&b.mul(&RationalFunction::variable(root))?).map(Some)
}

/// A value in which a root occurs by its square only, without it; nothing if it does not.
pub fn squared_away(
    r: &RationalFunction,
    root: Variable,
    square: &Polynomial,
) -> Result<Option<RationalFunction>, Exhausted> {
    let found = rationalized(r, root, square)?;
    Ok(found.filter(|there| there.numerator().degree_in(root) == 0))
}
