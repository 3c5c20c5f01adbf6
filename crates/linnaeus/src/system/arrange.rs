//! The last touch on a system: calls in the order of the text, which adjoints occur, and which operator an argmin holds.

use super::{Atom, Call, LinearForm, LinearSystem};
use crate::operator::{Letter, OperatorPolynomial};
use crate::syntax::ast::OracleKind;
use linnaeus_algebra::SortedSet;

impl LinearSystem {
    /// Puts a system in order once all its lines are known.
    pub(super) fn arrange(&mut self) {
        self.sort_calls();
        self.find_adjoints();
        self.find_maps();
    }

    /// Marks which of A and A' occur.
    fn find_adjoints(&mut self) {
        let forms = self.equations.iter().map(|e| &e.form).chain(self.calls.iter().map(|c| &c.argument));
        let mut found = SortedSet::new();
        let maps = self.calls.iter().filter_map(|c| c.oracle.map.as_ref());
        for polynomial in forms.flat_map(LinearForm::values).chain(maps) {
            for (word, _) in polynomial.terms() {
                found.extend(word.iter().map(|l| (l.operator, l.adjoint)));
            }
        }
        for (i, operator) in self.operators.iter_mut().enumerate() {
            operator.plain_used = found.contains(&(i as u16, false));
            operator.adjoint_used = found.contains(&(i as u16, true));
        }
    }

    /// `argmin_{rho f}(v)` does not name its operator: it is the only one that leads from the minimizer to `v`.
    fn find_maps(&mut self) {
        let mut letters = Vec::new();
        for (i, o) in self.operators.iter().enumerate() {
            let letter = |adjoint: bool| Letter { class: o.class, operator: i as u16, adjoint, inverse: false };
            // A map between two spaces leads back by its adjoint, whether that occurs or not.
            let turns = !self.spaces.same(o.domain, o.codomain);
            if o.plain_used || turns && o.adjoint_used {
                letters.push((o.domain, o.codomain, letter(false)));
            }
            if o.adjoint_used || turns && o.plain_used {
                letters.push((o.codomain, o.domain, letter(true)));
            }
        }
        for call in self.calls.iter_mut().filter(|c| c.oracle.kind == OracleKind::Argmin && c.oracle.map.is_none()) {
            let leads = |l: &&(_, _, Letter)| self.spaces.same(l.0, call.output) && self.spaces.same(l.1, call.input);
            if let [(_, _, one)] = letters.iter().filter(leads).collect::<Vec<_>>()[..] {
                call.oracle.map = Some(OperatorPolynomial::letter(*one));
            }
        }
    }

    /// Numbers the calls by where they end in the text, so that a call in the query of another comes first.
    fn sort_calls(&mut self) {
        let mut order: Vec<usize> = (0..self.calls.len()).collect();
        order.sort_by_key(|&i| (self.calls[i].span.end, std::cmp::Reverse(self.calls[i].span.start)));
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let renumber = |form: &mut LinearForm| {
            let old = std::mem::take(form);
            form.extend(old.into_iter().map(|(atom, c)| match atom {
                Atom::Call(i) => (Atom::Call(place[i]), c),
                other => (other, c),
            }));
        };
        self.equations.iter_mut().for_each(|e| renumber(&mut e.form));
        self.calls.iter_mut().for_each(|c| renumber(&mut c.argument));
        let mut calls: Vec<Option<Call>> = self.calls.drain(..).map(Some).collect();
        self.calls = order.into_iter().filter_map(|i| calls[i].take()).collect();
    }
}
