//! Duality: an algorithm for f and g is one for f* and g* in disguise, since the graph of ∂f* is that
//! of ∂f with its coordinates exchanged. The dual of min f(x) + g(A x) is min f*(−A'y) + g*(y), so
//! a conjugate may come with a reflected argument.

use super::behavior::{Behavior, Port};
use super::hypothesis::Hypothesis;
use super::scaling::{Gauge, Gauges};
use super::shift::{Chosen, candidates};
use super::verdict::{Conjugate, Sign};
use crate::syntax::ast::OracleKind;
use crate::system::Oracle;
use crate::transfer::graph::has_graph;
use linnaeus_algebra::RationalFunction;
use std::sync::Arc;

/// The behavior with the oracles of f read as those of f*; nothing if an oracle has no conjugate. A
/// gradient that is called as it is has none: its inverse would have to be called.
pub fn conjugated(b: &Behavior) -> Option<Behavior> {
    let has_conjugate = |p: &Port| has_graph(&p.oracle) && p.oracle.kind != OracleKind::Gradient;
    let all = !b.ports.is_empty() && b.ports.iter().all(has_conjugate);
    all.then(|| read_as(b, &|_| true))
}

/// The behavior with the oracles of some f read as those of f*.
pub fn read_as(b: &Behavior, is_conjugate: &dyn Fn(&str) -> bool) -> Behavior {
    let port = |p: &Port| {
        let conjugate = p.oracle.conjugate ^ is_conjugate(&p.oracle.function);
        Port { oracle: Oracle { conjugate, ..p.oracle.clone() }, ..p.clone() }
    };
    Behavior { ports: Arc::new(b.ports.iter().map(port).collect()), ..b.clone() }
}

/// Every shift with every choice of reflected functions but their opposites: the sign of all signals
/// together says nothing. The conjugate of a set's indicator is no indicator, so that two
/// projections are no pair.
pub fn gauges(a: &Behavior, b: &Behavior, chosen: Chosen) -> Gauges {
    let is_set = |p: &Port| p.oracle.kind == OracleKind::Projection;
    if a.ports.iter().zip(b.ports.iter()).any(|(p, q)| is_set(p) && is_set(q)) {
        return Gauges { list: Vec::new(), complete: true };
    }
    let shifts = candidates(&a.h, &b.h, chosen);
    let functions = functions(a);
    let place = |p: &Port| functions.iter().position(|f| *f == p.oracle.function).expect("one of them");
    let mut list = Vec::new();
    for shift in shifts.vectors {
        for choice in (0..1u32 << functions.len()).step_by(2) {
            let minus: Vec<bool> = a.ports.iter().map(|p| choice >> place(p) & 1 == 1).collect();
            list.push(Gauge::signed(shift.clone(), &minus));
        }
    }
    Gauges { list, complete: shifts.complete }
}

/// Which function of the first is the conjugate of which of the second.
pub fn pairs(a: &Behavior, b: &Behavior, hypothesis: &Hypothesis, filters: &[RationalFunction]) -> Vec<Conjugate> {
    let pair = |first: String| {
        let i = a.ports.iter().position(|p| p.oracle.function == first).expect("one of them");
        let second = b.ports[hypothesis.order[i]].oracle.function.clone();
        Conjugate { first, second, sign: if filters[i].is_one() { Sign::Plus } else { Sign::Minus } }
    };
    functions(a).into_iter().map(pair).collect()
}

/// The functions in the order of the channels.
fn functions(a: &Behavior) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for port in a.ports.iter() {
        if !found.contains(&port.oracle.function) {
            found.push(port.oracle.function.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::behavior::Side;
    use super::*;
    use crate::transfer::graph::between;
    use linnaeus_algebra::Matrix;

    /// The signs that make an algorithm its own dual, without shifts and with the same parameters.
    fn signs(text: &str) -> Vec<Vec<RationalFunction>> {
        let analysis = crate::read(text).analysis.unwrap();
        let a = Behavior::new(&analysis, Side::First).unwrap();
        let b = conjugated(&a).unwrap();
        let pairs = a.ports.iter().zip(b.ports.iter());
        let matrices = pairs.map(|(p, q)| between(&p.oracle, &q.oracle)).collect::<Result<Vec<Matrix<_>>, _>>();
        let b = b.in_oracles(&matrices.unwrap()).unwrap().unwrap();
        let same = |g: &Gauge| g.apply(&b).unwrap().h == a.h;
        gauges(&a, &b, Chosen::Second).list.into_iter().filter(same).map(|g| g.filters).collect()
    }

    /// Douglas–Rachford with step 1 on f and g is the same on f* and g*(−·).
    #[test]
    fn douglas_rachford_is_its_own_dual() {
        let text = "x[k] = prox_f(w[k]); y[k] = prox_g(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";
        let one = RationalFunction::one();
        assert_eq!(signs(text), [vec![one.clone(), one.neg()]]);
        assert!(signs(&text.replace("2*x[k] - w[k]", "x[k]")).is_empty());
        assert!(signs("x[k+1] = prox_f(x[k])").is_empty());
    }
}
