//! The last touch on a system: calls in the order of the text, and which adjoints occur.

use super::{Atom, Call, LinearForm, LinearSystem};
use linnaeus_algebra::SortedSet;

impl LinearSystem {
    /// Puts a system in order once all its lines are known.
    pub(super) fn arrange(&mut self) {
        self.sort_calls();
        self.find_adjoints();
    }

    /// Marks which of A and A' occur.
    fn find_adjoints(&mut self) {
        let forms = self.equations.iter().map(|e| &e.form).chain(self.calls.iter().map(|c| &c.argument));
        let mut found = SortedSet::new();
        for polynomial in forms.flat_map(LinearForm::values) {
            for (word, _) in polynomial.terms() {
                found.extend(word.iter().map(|l| (l.operator, l.adjoint)));
            }
        }
        for (i, operator) in self.operators.iter_mut().enumerate() {
            operator.plain_used = found.contains(&(i as u16, false));
            operator.adjoint_used = found.contains(&(i as u16, true));
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
