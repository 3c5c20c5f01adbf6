//! How the cards are related: which pairs are worth comparing, one comparison, and the record of all
//! pairs that were found related, `zoo/relations.txt`.

use super::{Animal, Zoo};
use crate::diagnostic::{Code, Diagnostic};
use crate::relation::behavior::Side;
use crate::relation::key::{Key, repetition};
use crate::relation::{Assumption, Generality, Limit, Names, Relation, Verdict, Wanted, Witness, compare_as, relate};
use crate::source::Span;
use crate::syntax::ast::OracleKind;
use crate::transfer::Analysis;
use crate::transfer::graph::Special;
use linnaeus_algebra::{SortedMap, SortedSet};
use std::fmt::{self, Write};

/// Two related cards. The first has the smaller identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// `ALG-0001`.
    pub first: String,
    /// `ALG-0002`.
    pub second: String,
    /// How they are related.
    pub relation: Relation,
    /// What the first is to the second.
    pub generality: Generality,
    /// What is assumed (`h = 0 in ALG-0002`), or [`DUAL`]; mostly nothing.
    pub assuming: String,
}

/// Stands for an assumption where the functions of the one card are the conjugates of the other's.
pub const DUAL: &str = "dual";

/// What comparing two cards came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They are related.
    Related(Edge),
    /// They are not.
    Distinct,
    /// It was not decided.
    Undecided(Limit),
}

/// Whether the numbers of calls per function allow a relation: they are the same, or become the same when
/// a function of one side is left out, or when one side is repeated.
pub fn may_relate(a: &[usize], b: &[usize]) -> bool {
    a == b || without_one(a, b) || without_one(b, a) || repetition(a, b).or(repetition(b, a)).is_some()
}

/// Whether the many calls without those of one function are the few.
fn without_one(many: &[usize], few: &[usize]) -> bool {
    many.len() == few.len() + 1 && (0..many.len()).any(|i| many[..i].iter().chain(&many[i + 1..]).eq(few))
}

impl Zoo {
    /// Pairs of cards, by their places in [`Zoo::animals`], that are worth comparing.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let keys: Vec<Option<&Key>> = self.animals().iter().map(Animal::key).collect();
        let n = keys.len();
        let all = (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
        all.filter(move |&(i, j)| keys[i].zip(keys[j]).is_some_and(|(a, b)| may_relate(&a.calls, &b.calls)))
    }
}

/// Whether a card says that the two meet. Families that meet are many, and few of them are worth telling.
pub fn meet(a: &Animal, b: &Animal) -> bool {
    a.card.meets.contains(&b.card.slug) || b.card.meets.contains(&a.card.slug)
}

/// Compares two cards; the order in which they are given is of no consequence.
pub fn relate_cards(a: &Animal, b: &Animal) -> Outcome {
    let (a, b) = if a.card.id <= b.card.id { (a, b) } else { (b, a) };
    let (Some(first), Some(second)) = (a.analysis(), b.analysis()) else {
        return Outcome::Distinct;
    };
    let verdict = match relate(first, second, Wanted::ALL).verdict {
        Verdict::Distinct(_) if meet(a, b) => compare_as(first, second, None, Names::Foreign).verdict,
        verdict => verdict,
    };
    match verdict {
        Verdict::Related(witness) => Outcome::Related(Edge {
            first: a.card.id.clone(),
            second: b.card.id.clone(),
            relation: witness.relation,
            generality: witness.generality,
            assuming: assuming(&witness, (a, first), (b, second)),
        }),
        Verdict::Distinct(_) => Outcome::Distinct,
        Verdict::Undecided(limit) => Outcome::Undecided(limit),
    }
}

fn assuming(witness: &Witness, a: (&Animal, &Analysis), b: (&Animal, &Analysis)) -> String {
    let of = |side: Side| if side == Side::First { a } else { b };
    let said = |assumption: &Assumption| match assumption {
        Assumption::Function(side, f, special) => {
            let (animal, analysis) = of(*side);
            let is_set = |o: &crate::system::Oracle| o.function == *f && o.kind == OracleKind::Projection;
            let set = analysis.channels.iter().any(|c| is_set(&c.oracle));
            let how = match (special, set) {
                (Special::Zero, false) => "= 0",
                (Special::Zero, true) => "is the whole space",
                (Special::IndicatorOfZero, false) => "is the indicator of {0}",
                (Special::IndicatorOfZero, true) => "= {0}",
            };
            Some(format!("{f} {how} in {}", animal.card.id))
        }
        Assumption::Identity(side, i, factor) => {
            let (animal, analysis) = of(*side);
            let what = match factor {
                r if r.is_one() => "= I",
                r if r.neg().is_one() => "= -I",
                _ => "is a multiple of I",
            };
            Some(format!("{} {what} in {}", analysis.system.operators[*i].name, animal.card.id))
        }
        Assumption::ZeroConstant(side, name) => Some(format!("{name} = 0 in {}", of(*side).0.card.id)),
        Assumption::Trait(side, f, what) => {
            Some(format!("{} in {}", what.said_of(f, ["is", "are"]), of(*side).0.card.id))
        }
        Assumption::Dual(_) => Some(DUAL.to_string()),
        Assumption::Same(side, f, g) => Some(format!("{g} = {f} in {}", of(*side).0.card.id)),
        Assumption::Conjugate(pair) => {
            let [(one, h), (other, g)] = pair.naming(a.1);
            Some(format!("{h} in {} is {g}* in {}", of(one).0.card.id, of(other).0.card.id))
        }
        Assumption::Positive(_) | Assumption::Sample(_) | Assumption::Symmetric(..) | Assumption::Commuting(..) => None,
    };
    let mut list: Vec<String> = witness.assumptions.iter().filter_map(said).collect();
    list.dedup();
    list.join(", ")
}

impl Edge {
    /// The other card, and what the one is to it.
    pub fn seen_from(&self, id: &str) -> (&str, Generality) {
        match self.generality {
            _ if id == self.first => (&self.second, self.generality),
            Generality::Instance => (&self.first, Generality::Contains),
            Generality::Contains => (&self.first, Generality::Instance),
            same => (&self.first, same),
        }
    }

    /// Whether the cards are one algorithm: each as general as the other, with nothing assumed.
    pub fn is_same(&self) -> bool {
        self.generality == Generality::Equal && self.relation <= Relation::Lft && self.assuming.is_empty()
    }
}

/// The line of the record.
impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Edge { first, second, relation, generality, assuming } = self;
        write!(f, "{first} {second} {} {}", relation.word(), generality.word())?;
        if assuming.is_empty() { Ok(()) } else { write!(f, " {assuming}") }
    }
}

/// What was found when cards were compared: which cards, with checksums of their equations, and the
/// pairs that are related. A pair of these cards that is not listed is not related, or undecided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Identifiers and checksums.
    pub cards: SortedMap<String, u64>,
    /// Related pairs, by identifiers.
    pub edges: SortedMap<(String, String), Edge>,
}

const HEADER: &str = "\
# How the cards of the zoo are related. Written by `linnaeus zoo check --write`, not by hand.
#
# First the cards that were compared, each with a checksum of its equations. Then the pairs that are related:
# how (in the words of `linnaeus compare --json`), what the first is to the second, and what is assumed, if anything.
";

impl Record {
    /// Whether both cards were compared as they are.
    pub fn covers(&self, a: &Animal, b: &Animal) -> bool {
        [a, b].iter().all(|x| self.cards.get(&x.card.id) == Some(&checksum(&x.card.equations)))
    }

    /// Notes that a card was compared.
    pub fn cover(&mut self, animal: &Animal) {
        self.cards.insert(animal.card.id.clone(), checksum(&animal.card.equations));
    }

    /// Notes that two cards are related.
    pub fn insert(&mut self, edge: Edge) {
        self.edges.insert((edge.first.clone(), edge.second.clone()), edge);
    }

    /// What [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Result<Record, Vec<Diagnostic>> {
        let mut record = Record::default();
        let mut problems = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let span = Span::new(start, start + line.trim_end().len());
            start += line.len();
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] | ["#", ..] => {}
                [first, ..] if first.starts_with('#') => {}
                ["card", id, sum] if u64::from_str_radix(sum, 16).is_ok() => {
                    record.cards.insert(id.to_string(), u64::from_str_radix(sum, 16).unwrap_or_default());
                }
                _ => match edge(&words) {
                    Some(edge) => record.insert(edge),
                    None => problems.push(
                        Diagnostic::error(Code::Card, span, "this is no pair of related cards")
                            .help("let `linnaeus zoo check --write` write this file"),
                    ),
                },
            }
        }
        if problems.is_empty() { Ok(record) } else { Err(problems) }
    }
}

fn edge(words: &[&str]) -> Option<Edge> {
    let [first, second, relation, generality, assuming @ ..] = words else { return None };
    Some(Edge {
        first: first.to_string(),
        second: second.to_string(),
        relation: Relation::from_word(relation)?,
        generality: Generality::from_word(generality)?,
        assuming: assuming.join(" "),
    })
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{HEADER}\n");
        for (id, sum) in &self.cards {
            writeln!(text, "card {id} {sum:016x}")?;
        }
        text.push('\n');
        for edge in self.edges.values() {
            writeln!(text, "{edge}")?;
        }
        f.write_str(&text)
    }
}

/// FNV-1a.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Classes of at least two cards of which every pair is one algorithm, first cards first. A black box may stand
/// for a gradient and for a resolvent, which are not each other: such a card belongs where its elders are.
pub fn classes<'a>(edges: impl Iterator<Item = &'a Edge>) -> Vec<Vec<&'a str>> {
    let same: SortedSet<(&str, &str)> = edges.filter(|e| e.is_same()).map(|e| (&*e.first, &*e.second)).collect();
    let cards: SortedSet<&str> = same.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut found: Vec<Vec<&str>> = Vec::new();
    for card in cards {
        match found.iter_mut().find(|class| class.iter().all(|elder| same.contains(&(*elder, card)))) {
            Some(class) => class.push(card),
            None => found.push(vec![card]),
        }
    }
    found.retain(|class| class.len() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_allow_a_relation() {
        for (a, b, may) in [
            (&[1, 1][..], &[1, 1][..], true),
            (&[1, 2], &[1], true),
            (&[1, 2], &[2], true),
            (&[1, 2], &[1, 1], false),
            (&[1], &[3], true),
            (&[1, 1], &[2, 2], true),
            (&[1, 2], &[2, 3], false),
            (&[1, 1, 1], &[1], false),
        ] {
            assert_eq!(may_relate(a, b), may, "{a:?} {b:?}");
            assert_eq!(may_relate(b, a), may, "{b:?} {a:?}");
        }
    }

    #[test]
    fn a_record_is_read_as_it_is_written() {
        let text = "card ALG-0001 00000000000000ff\nALG-0001 ALG-0002 conditional instance g = 0 in ALG-0002\n";
        let record = Record::parse(text).expect("a record");
        assert_eq!(record.cards["ALG-0001"], 255);
        assert_eq!(Record::parse(&record.to_string()), Ok(record));
        assert_eq!(Record::parse("# x\nALG-0001 ALG-0002 oracle").expect_err("two words").len(), 1);
    }

    #[test]
    fn all_of_a_class_are_the_same() {
        let lines =
            ["A B oracle equal", "A C lft equal", "B C shift equal", "A D oracle equal dual", "C E oracle equal"];
        let edges: Vec<Edge> = lines.iter().filter_map(|l| edge(&l.split(' ').collect::<Vec<_>>())).collect();
        assert_eq!(classes(edges.iter()), [["A", "B", "C"]]);
    }
}
