//! Poles and zeros of a transfer matrix, exactly: the factors of its pole polynomial and of its zero polynomial.

use super::entry::EntryPrinter;
use super::expression::{DISPLAY_FUEL, Names, Printer, Script, product};
use crate::FUEL;
use crate::synthesis::{Commuting, Coordinates, reduced};
use crate::system::Z;
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, with_fuel};
use serde::Serialize;

/// Poles and zeros.
#[derive(Clone, Debug, Serialize)]
pub struct PolesReport {
    /// The version of this form.
    pub schema: u32,
    /// Where det(zI − A) of a minimal realization vanishes.
    pub poles: Vec<RootReport>,
    /// Where H loses rank; none where det H is zero everywhere.
    pub zeros: Option<Vec<RootReport>>,
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
/// of a minimal realization and det H · π the zero polynomial, as in the Smith–McMillan form.
pub fn poles(model: &Commuting) -> Result<PolesReport, Exhausted> {
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
        let zeros = (!zeros.is_zero()).then(|| roots(&printer, zeros.numerator()));
        Ok(PolesReport { schema: 1, poles: roots(&printer, poles.numerator()), zeros })
    })
}

fn roots(printer: &Printer, p: &Polynomial) -> Vec<RootReport> {
    let factors = product(p).factors.into_iter().filter(|(f, _)| f.degree_in(Z) > 0);
    let root = |(factor, multiplicity): (Polynomial, u32)| {
        let equation = match &factor.coefficients_in(Z)[..] {
            [c, d] => match RationalFunction::new(-c, d.clone()) {
                Ok(Some(value)) => format!("z = {}", printer.rational(&value)),
                _ => format!("{} = 0", printer.polynomial(&factor)),
            },
            _ => format!("{} = 0", printer.polynomial(&factor)),
        };
        RootReport { equation, multiplicity }
    };
    factors.map(root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesis::{Given, read};
    use crate::system::Coefficients;

    fn told(text: &str) -> (Vec<String>, Option<Vec<String>>) {
        let Some(Given::Commuting(model)) = read(text, Coefficients::AsWritten).given else { panic!("{text}") };
        let found = poles(&model).expect("little work");
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
    fn states_that_no_query_shows_are_no_poles() {
        let (poles, _) = told("x[k+1] = x[k] - t*grad f(x[k]); s[k+1] = 3*s[k] + x[k]");
        assert_eq!(poles, ["z = 1 (1)"]);
    }
}
