//! How the algorithms of a paper are related.

use crate::relation::key::Key;
use crate::relation::{Assumption, Comparison, Generality, Relation, Verdict, Wanted, relate};
use crate::transfer::Analysis;
use crate::zoo::graph::may_relate;
use linnaeus_algebra::SortedSet;

/// Two algorithms, by their numbers, and what comparing them came to.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The one that stands first.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// How they are related.
    pub comparison: Comparison,
}

/// The pairs of algorithms whose calls allow a relation.
pub fn candidates(analyses: &[Option<&Analysis>]) -> Vec<(usize, usize)> {
    let calls: Vec<Option<Vec<usize>>> = analyses.iter().map(|a| a.map(|a| Key::new(a, false).calls)).collect();
    let n = analyses.len();
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    all.filter(|&(i, j)| calls[i].as_ref().zip(calls[j].as_ref()).is_some_and(|(a, b)| may_relate(a, b))).collect()
}

/// Compares two algorithms; none if they are not related.
pub fn pair(first: (usize, &Analysis), second: (usize, &Analysis)) -> Option<Pair> {
    let comparison = relate(first.1, second.1, Wanted::ALL);
    let distinct = matches!(comparison.verdict, Verdict::Distinct(_));
    (!distinct).then_some(Pair { first: first.0, second: second.0, comparison })
}

impl Pair {
    /// Whether the two are one algorithm: each as general as the other, with nothing assumed.
    pub fn is_same(&self) -> bool {
        match &self.comparison.verdict {
            Verdict::Related(w) => {
                w.generality == Generality::Equal
                    && w.relation <= Relation::Lft
                    && w.assumptions.iter().all(|a| matches!(a, Assumption::Positive(_)))
            }
            _ => false,
        }
    }

    /// Whether a limit left the question open.
    pub fn is_undecided(&self) -> bool {
        matches!(self.comparison.verdict, Verdict::Undecided(_))
    }
}

/// Classes of at least two algorithms of which every two are the same, first ones first.
pub fn classes(pairs: &[Pair]) -> Vec<Vec<usize>> {
    let same: SortedSet<(usize, usize)> = pairs.iter().filter(|p| p.is_same()).map(|p| (p.first, p.second)).collect();
    let members: SortedSet<usize> = same.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for member in members {
        match found.iter_mut().find(|class| class.iter().all(|elder| same.contains(&(*elder, member)))) {
            Some(class) => class.push(member),
            None => found.push(vec![member]),
        }
    }
    found.retain(|class| class.len() > 1);
    found
}
