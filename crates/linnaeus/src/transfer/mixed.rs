//! Calls of one resolvent in several guises: R = 2J − I and the gradient of the Moreau envelope, (I − J)/t, ask what
//! J is asked, so that either beside J is a call of J.

use crate::operator::OperatorPolynomial;
use crate::syntax::ast::OracleKind;
use crate::system::{Atom, LinearForm, LinearSystem, Oracle};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction};

/// The same equations with all such calls made of J, if a text calls J besides.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
pub fn of_one_kind(system: &LinearSystem) -> Result<Option<LinearSystem>, Exhausted> {
    let plain = |call: usize| -> Option<Oracle> {
        let of = &system.calls[call].oracle;
        let is_bent = matches!(of.kind, OracleKind::Reflected | OracleKind::MoreauGradient);
        let is_plain = |o: &&Oracle| {
            let kind = matches!(o.kind, OracleKind::Prox | OracleKind::Resolvent | OracleKind::Projection);
            let step = o.kind == OracleKind::Projection || o.step == of.step;
            kind && step && (&o.function, o.conjugate, &o.sample) == (&of.function, of.conjugate, &of.sample)
        };
        system.calls.iter().map(|c| &c.oracle).filter(|_| is_bent).find(is_plain).cloned()
    };
    let bent: Vec<(usize, Oracle)> = (0..system.calls.len()).filter_map(|c| Some((c, plain(c)?))).collect();
    if bent.is_empty() {
        return Ok(None);
    }
    let mut found = system.clone();
    for (call, oracle) in bent {
        let of = found.calls[call].oracle.clone();
        // The answer is `own` times J's plus `query` times the query.
        let (own, query) = match of.kind {
            OracleKind::Reflected => (RationalFunction::integer(2), RationalFunction::integer(-1)),
            _ => match of.step.inverse() {
                Some(inverse) => (inverse.neg(), inverse),
                None => return Ok(None),
            },
        };
        let argument = found.calls[call].argument.clone();
        found.calls[call].oracle = oracle;
        let put = |form: &mut LinearForm| -> Result<(), Exhausted> {
            let Some(factor) = form.remove(&Atom::Call(call)) else { return Ok(()) };
            let times = |r: &RationalFunction| factor.mul(&OperatorPolynomial::scalar(r.clone()));
            let mut terms = vec![(Atom::Call(call), times(&own)?)];
            for (atom, c) in &argument {
                terms.push((*atom, times(&query)?.mul(c)?));
            }
            for (atom, c) in terms {
                let sum = form.remove(&atom).unwrap_or_else(OperatorPolynomial::zero).add(&c)?;
                if !sum.is_zero() {
                    form.insert(atom, sum);
                }
            }
            Ok(())
        };
        found.equations.iter_mut().try_for_each(|e| put(&mut e.form))?;
        found.calls.iter_mut().try_for_each(|c| put(&mut c.argument))?;
    }
    Ok(Some(found))
}
