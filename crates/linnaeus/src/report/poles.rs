//! Poles and zeros of a transfer matrix: exactly, as the factors of its pole polynomial and of its zero polynomial, and where they
//! lie in the plane for some numbers.

use super::entry::EntryPrinter;
use super::expression::{DISPLAY_FUEL, Names, Printer, Script, product};
use super::picture::{Mark, plane};
use super::roots;
use crate::FUEL;
use crate::simulate::numbers::evaluate;
use crate::synthesis::{Commuting, Coordinates, reduced};
use crate::system::{LinearSystem, Z, operator_symbol, parameter};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable, with_fuel};
use serde::Serialize;
use std::collections::BTreeMap;

/// Poles and zeros.
#[derive(Clone, Debug, Serialize)]
pub struct PolesReport {
    /// The version of this form.
    pub schema: u32,
    /// Where det(zI − A) of a minimal realization vanishes.
    pub poles: Vec<RootReport>,
    /// Where H loses rank; none where det H is zero everywhere.
    pub zeros: Option<Vec<RootReport>>,
    /// What the symbols in them are taken as below, by name.
    pub numbers: Vec<NumberReport>,
    /// Where they then lie, in floating point; nothing where a symbol is no number of its own, such as a square root.
    pub places: Option<Vec<PlaceReport>>,
    /// A picture of that.
    pub picture: Option<String>,
}

/// What a symbol is taken as.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberReport {
    /// Its name, as the text spells it.
    pub name: String,
    /// Its value.
    pub value: f64,
}

/// Where a pole or a zero lies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceReport {
    /// `pole` or `zero`.
    pub kind: &'static str,
    /// Its real and its imaginary part.
    pub at: (f64, f64),
    /// How often it counts.
    pub multiplicity: u32,
}

/// Roots of one factor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RootReport {
    /// `z = \beta`, or `z^{2} - z + \beta = 0` for a factor of higher degree.
    pub equation: String,
    /// How often the factor occurs.
    pub multiplicity: u32,
}

/// Poles and zeros of an algorithm, operators as commuting symbols. The pole polynomial π is the characteristic polynomial
/// of a minimal realization and det H · π the zero polynomial, as in the Smith–McMillan form. Parameters that are not among the values
/// are taken as 0.8, 0.56, …, operators as 1.
pub fn poles(model: &Commuting, values: &BTreeMap<String, f64>) -> Result<PolesReport, Exhausted> {
    let (poles, zeros) = with_fuel(FUEL, || {
        let minimal = reduced(model, Coordinates::Minimal)?.model;
        let (p, n) = (minimal.ports.len(), minimal.a.rows());
        let z = RationalFunction::variable(Z);
        let shifted = Matrix::identity(n).scale(&z)?.sub(&minimal.a)?;
        let pole = if n == 0 { RationalFunction::one() } else { shifted.determinant()? };
        // det H · π is the determinant of the system matrix [zI − A, B; −C, D].
        let system = Matrix::from_fn(n + p, n + p, |i, j| match (i < n, j < n) {
            (true, true) => shifted[(i, j)].clone(),
            (true, false) => minimal.b[(i, j - n)].clone(),
            (false, true) => minimal.c[(i - n, j)].neg(),
            (false, false) => minimal.d[(i - n, j - n)].clone(),
        });
        Ok::<_, Exhausted>((pole, system.determinant()?))
    })?;
    let printer = EntryPrinter { system: &model.system, script: Script::Latex };
    let names: Names = &|v| printer.name_of(v);
    let printer = Printer { script: Script::Latex, names };
    with_fuel(DISPLAY_FUEL, || {
        let poles = factors(poles.numerator());
        let zeros = (!zeros.is_zero()).then(|| factors(zeros.numerator()));
        let all = || poles.iter().chain(zeros.iter().flatten());
        let numbers = numbers(&model.system, all(), values);
        let places = numbers.as_ref().and_then(|numbers| {
            let own = places(&poles, "pole", numbers)?;
            Some([own, places(zeros.as_deref().unwrap_or_default(), "zero", numbers)?].concat())
        });
        let plain = EntryPrinter { system: &model.system, script: Script::Plain };
        let number = |(v, value): (Variable, f64)| NumberReport { name: plain.name_of(v), value };
        Ok(PolesReport {
            schema: 1,
            picture: places.as_deref().map(drawn),
            poles: equations(&printer, &poles),
            zeros: zeros.map(|z| equations(&printer, &z)),
            numbers: numbers.into_iter().flatten().map(number).collect(),
            places,
        })
    })
}

/// A factor and how often it occurs.
type Factor = (Polynomial, u32);

fn factors(p: &Polynomial) -> Vec<Factor> {
    product(p).factors.into_iter().filter(|(f, _)| f.degree_in(Z) > 0).collect()
}

/// What the symbols are taken as; nothing if one is neither a parameter nor an operator.
fn numbers<'a>(
    system: &LinearSystem,
    factors: impl Iterator<Item = &'a Factor>,
    values: &BTreeMap<String, f64>,
) -> Option<SortedMap<Variable, f64>> {
    let symbols: SortedSet<Variable> = factors.flat_map(|(f, _)| f.variables()).filter(|v| *v != Z).collect();
    // Numbers of which none is a simple function of the others.
    let usual = |n: usize| (0..n).fold(0.8, |value, _| 0.7 * value);
    let parameters = (0..system.parameters.len()).map(|n| (parameter(n), &system.parameters[n], usual(n)));
    let operators = (0..system.operators.len()).map(|n| (operator_symbol(n), &system.operators[n].name, 1.0));
    let is_free = |v: &Variable| system.functions.iter().all(|(w, ..)| w != v);
    let known: SortedMap<Variable, f64> = parameters
        .chain(operators)
        .filter(|(v, ..)| is_free(v))
        .map(|(v, name, usual)| (v, values.get(name).copied().unwrap_or(usual)))
        .collect();
    symbols.into_iter().map(|v| known.get(&v).map(|value| (v, *value))).collect()
}

fn places(factors: &[Factor], kind: &'static str, numbers: &SortedMap<Variable, f64>) -> Option<Vec<PlaceReport>> {
    let value = |v: Variable| numbers.get(&v).copied().unwrap_or(f64::NAN);
    let mut found: Vec<PlaceReport> = Vec::new();
    for (factor, times) in factors {
        let coefficients: Vec<f64> = factor.coefficients_in(Z).iter().map(|c| evaluate(c, &value)).collect();
        for (at, n) in roots::roots(&coefficients)? {
            let near = |p: &&mut PlaceReport| (p.at.0 - at.0).hypot(p.at.1 - at.1) < 1e-9;
            match found.iter_mut().find(near) {
                Some(place) => place.multiplicity += n * times,
                None => found.push(PlaceReport { kind, at, multiplicity: n * times }),
            }
        }
    }
    Some(found)
}

fn drawn(places: &[PlaceReport]) -> String {
    let mark = |p: &PlaceReport| Mark { at: p.at, multiplicity: p.multiplicity, cross: p.kind == "pole" };
    let marks: Vec<Mark> = places.iter().map(mark).collect();
    plane(&marks)
        .svg("Poles and zeros", "Crosses are poles, rings are zeros; the circle is that of all z with |z| = 1.")
}

fn equations(printer: &Printer, factors: &[Factor]) -> Vec<RootReport> {
    let root = |(factor, multiplicity): &Factor| {
        let equation = match &factor.coefficients_in(Z)[..] {
            [c, d] => match RationalFunction::new(-c, d.clone()) {
                Ok(Some(value)) => format!("z = {}", printer.rational(&value)),
                _ => format!("{} = 0", printer.polynomial(factor)),
            },
            _ => format!("{} = 0", printer.polynomial(factor)),
        };
        RootReport { equation, multiplicity: *multiplicity }
    };
    factors.iter().map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesis::{Given, read};
    use crate::system::Coefficients;

    fn told(text: &str) -> (Vec<String>, Option<Vec<String>>) {
        let Some(Given::Commuting(model)) = read(text, Coefficients::AsWritten).given else { panic!("{text}") };
        let found = poles(&model, &BTreeMap::new()).expect("little work");
        let all = |list: Vec<RootReport>| -> Vec<String> {
            list.into_iter().map(|r| format!("{} ({})", r.equation, r.multiplicity)).collect()
        };
        (all(found.poles), found.zeros.map(all))
    }

    #[test]
    fn one_channel() {
        let (poles, zeros) = told("x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])");
        assert_eq!(poles, ["z = 1 (1)", "z = b (1)"]);
        assert_eq!(zeros.unwrap(), ["z = 0 (1)"]);
    }

    /// det H of Douglas–Rachford is −2/(z − 1): one pole, which is not that of two entries, and no zero.
    #[test]
    fn two_channels() {
        let text = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";
        assert_eq!(told(text), (vec!["z = 1 (1)".to_string()], Some(vec![])));
    }

    #[test]
    fn in_the_plane() {
        let text = "x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])";
        let Some(Given::Commuting(model)) = read(text, Coefficients::AsWritten).given else { panic!("{text}") };
        let found = poles(&model, &BTreeMap::from([("b".to_string(), 0.25)])).expect("little work");
        assert_eq!(found.numbers, [NumberReport { name: "b".to_string(), value: 0.25 }]);
        let places: Vec<_> =
            found.places.expect("numbers").into_iter().map(|p| (p.kind, p.at, p.multiplicity)).collect();
        assert_eq!(places, [("pole", (1.0, 0.0), 1), ("pole", (0.25, 0.0), 1), ("zero", (0.0, 0.0), 1)]);
        // With b = 1 the two poles are one.
        let found = poles(&model, &BTreeMap::from([("b".to_string(), 1.0)])).expect("little work");
        assert_eq!(found.places.expect("numbers")[0].multiplicity, 2);
        assert!(found.picture.expect("a picture").contains("Poles and zeros"));
        let none = poles(&model, &BTreeMap::from([("b".to_string(), f64::NAN)])).expect("little work");
        assert_eq!((none.places, none.picture), (None, None));
    }

    #[test]
    fn states_that_no_query_shows_are_no_poles() {
        let (poles, _) = told("x[k+1] = x[k] - t*grad f(x[k]); s[k+1] = 3*s[k] + x[k]");
        assert_eq!(poles, ["z = 1 (1)"]);
    }
}
