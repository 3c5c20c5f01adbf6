//! `compare` as LaTeX: a statement and its proof, ready to paste. The only packages are amsmath and
//! amssymb; there are no theorem environments.

mod distinct;
mod transfer;

use super::compare::{earlier, filters, reason, sentence};
use super::expression::{Script, TILDE, name};
use super::known::known;
use super::lines::Lines;
use super::show::oracle_name;
use super::speaker::{Speaker, letter};
use super::typeset::{aligned, listed, terms, together};
use crate::relation::behavior::Side;
use crate::relation::state_map::{States, skipped, state_map};
use crate::relation::{
    Assumption, Comparison, Conjugate, Folded, Generality, Recheck, Relation, Sign, Verdict, Witness, identity, paced,
};
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::system::schedule::{Motion, Schedule};
use crate::system::{Constant, LinearSystem, Oracle, Signal, Z};
use crate::transfer::Analysis;
use crate::transfer::graph::Special;
use crate::{FUEL, Reading};
use linnaeus_algebra::{Matrix, SortedSet, with_fuel};
use std::fmt::Write;

/// Statement and proof of a comparison; nothing if a text was not read.
pub fn proof(first: &Reading, second: &Reading, comparison: &Comparison) -> String {
    let (Some(a), Some(b)) = (&first.analysis, &second.analysis) else {
        return String::new();
    };
    let known = known([a, b], comparison, Script::Latex);
    let [a, b] = comparison.texts(a, b);
    let same = same_sequences(a, b, &comparison.verdict);
    let marked = marked(a, b, &same);
    let mut out = String::new();
    let recheck = match comparison.recheck {
        Some(Recheck::Passed) => "; re-checked by exact simulation",
        _ => "",
    };
    let _ = writeln!(out, "% Needs the packages amsmath and amssymb. Made by Linnaeus{recheck}.");
    let clash = |name: &str| is_taken(a, name) && !same.contains(name);
    out.push_str(&algorithm("A", first, &|_| false));
    out.push_str(&algorithm("B", second, &clash));
    for known in known {
        let _ = writeln!(out, "{}", known.latex());
    }
    if marked.1 {
        out.push_str("A tilde marks what belongs to B and has a namesake in A.\n");
    }
    // Numbers that change with the index are those of all iterations that are taken as one.
    let repeat = match &comparison.verdict {
        Verdict::Related(witness) => witness.repeat,
        _ => None,
    };
    let texts = paced(a, &marked.0, repeat);
    let [first, second] = texts.as_ref().map_or([a, &marked.0], |[a, b]| [&**a, &**b]);
    let writer = Writer {
        texts: [a, &marked.0],
        start: Speaker::new(first, second, Script::Latex),
        each: Speaker { index: Some("k"), ..Speaker::new(first, second, Script::Latex) },
    };
    out.push_str(&match &comparison.verdict {
        Verdict::Related(witness) => writer.related(witness),
        Verdict::Distinct(found) => writer.distinct(found, &same),
        Verdict::Undecided(limit) => {
            format!("\n\\paragraph{{Remark.}} Whether A and B are related was not decided: {}.\n", reason(*limit))
        }
    });
    if let Verdict::Distinct(found) = &comparison.verdict
        && let Some(witness) = found.renamed.as_deref().filter(|witness| witness.repeat.is_none())
    {
        let (second, _) = self::marked(a, b, &SortedSet::new());
        let start = Speaker::new(a, &second, Script::Latex);
        let each = Speaker { index: Some("k"), ..Speaker::new(a, &second, Script::Latex) };
        out.push_str(&Writer { texts: [a, &second], start, each }.renamed(witness));
    }
    if let Some(folded) = &comparison.folded {
        out.push_str(&remark(folded));
    }
    out
}

/// Names of sequences that the two have in common where they are distinct.
fn same_sequences(first: &Analysis, second: &Analysis, verdict: &Verdict) -> SortedSet<String> {
    let Verdict::Distinct(found) = verdict else { return SortedSet::new() };
    let ours = &first.system.schedules.list;
    let places = found.nearest.iter().flat_map(|nearest| &nearest.place);
    let both = second.system.schedules.list.iter().zip(places);
    let is_one = |(s, at): &(&Schedule, &usize)| is_named(s) && ours.get(**at).is_some_and(|t| t.name == s.name);
    both.filter(is_one).map(|(s, _)| s.name.clone()).collect()
}

/// What holds once parameters that do nothing but scale a function are taken into it.
fn remark(found: &Folded) -> String {
    let mut out = "\n\\paragraph{Remark.}".to_string();
    for (side, factor) in &found.factors {
        let (f, c) = (name(Script::Latex, &factor.function), name(Script::Latex, &factor.parameter));
        let _ = write!(
            out,
            " The parameter ${c}$ of {} does nothing but scale ${f}$, and ${c} {f}$ may be any function that ${f}$ may be.",
            letter(*side)
        );
    }
    let _ = writeln!(out, " Taken into the function, {}.", sentence(&found.witness));
    out
}

/// What is declared of operators, functions and sets: a claim that needs it says so.
fn declared(system: &LinearSystem, is_marked: &dyn Fn(&str) -> bool) -> Vec<String> {
    let shown = |n: &str| match is_marked(n) {
        true => format!("$\\tilde{{{}}}$", name(Script::Latex, n)),
        false => format!("${}$", name(Script::Latex, n)),
    };
    let mut found = Vec::new();
    for operator in system.operators.iter().filter(|o| o.symmetric) {
        found.push(format!("{} is symmetric", shown(&operator.name)));
    }
    let classes: SortedSet<u16> = system.operators.iter().map(|o| o.class).filter(|c| *c != 0).collect();
    for class in classes {
        let all: Vec<String> = system.operators.iter().filter(|o| o.class == class).map(|o| shown(&o.name)).collect();
        if all.len() > 1 {
            found.push(format!("{} commute", listed(&all)));
        }
    }
    for (function, traits) in &system.traits {
        for one in traits {
            found.push(match one {
                FunctionTrait::Linear => format!("the oracle of {} is linear", shown(function)),
                FunctionTrait::Homogeneous => {
                    format!("{} is positively homogeneous", shown(function))
                }
                FunctionTrait::Cone => format!("{} is that of a cone", shown(function)),
            });
        }
    }
    found
}

fn is_taken(a: &Analysis, name: &str) -> bool {
    let system = &a.system;
    system.parameters.iter().any(|p| p == name)
        || system.operators.iter().any(|o| o.name == name)
        || system.signals.iter().any(|s| s.name == name)
        || system.schedules.list.iter().any(|s| is_named(s) && s.name == name)
}

/// Whether a sequence has a name of its own: k and powers have none.
fn is_named(s: &Schedule) -> bool {
    matches!(s.motion, Motion::Free | Motion::Recursion(_))
}

/// The second with a mark on every name that the first has too, but for those of sequences that are the same, and
/// whether there are any.
fn marked(first: &Analysis, second: &Analysis, same: &SortedSet<String>) -> (Analysis, bool) {
    let mut b = second.clone();
    let mut any = false;
    let mut mark = |name: &mut String| {
        if is_taken(first, name) && !same.contains(name) {
            name.insert(0, TILDE);
            any = true;
        }
    };
    b.system.parameters.iter_mut().for_each(&mut mark);
    b.system.operators.iter_mut().for_each(|o| mark(&mut o.name));
    b.system.signals.iter_mut().for_each(|s: &mut Signal| mark(&mut s.name));
    b.system.schedules.list.iter_mut().filter(|s| is_named(s)).for_each(|s| mark(&mut s.name));
    b.system.constants.iter_mut().for_each(|c: &mut Constant| {
        if is_taken(first, &c.name) {
            mark(&mut c.name);
        }
    });
    (b, any)
}

fn algorithm(which: &str, reading: &Reading, is_marked: &dyn Fn(&str) -> bool) -> String {
    let system = reading.analysis.as_ref().map(|a| &a.system);
    let lines = Lines { is_marked, system }.algorithm(&reading.algorithm);
    let mut out = format!("\n\\paragraph{{Algorithm {which}.}}\n{}", aligned(&lines));
    let declared = system.map(|s| declared(s, is_marked)).unwrap_or_default();
    if !declared.is_empty() {
        let _ = writeln!(out, "Here {}.", listed(&declared));
    }
    let frozen: Vec<String> =
        system.iter().flat_map(|s| &s.frozen).map(|n| format!("${}$", name(Script::Latex, n))).collect();
    if !frozen.is_empty() {
        let _ = writeln!(out, "Here {} is taken as a constant, the same in all iterations.", listed(&frozen));
    }
    let changes = reading.analysis.iter().flat_map(|a| &a.system.changes);
    let changes: Vec<String> =
        changes.map(|c| format!("$\\text{{{}}}$ in place of $\\text{{{}}}$", c.new, c.signal)).collect();
    if !changes.is_empty() {
        let _ = writeln!(out, "The equations are linear in {}.", listed(&changes));
    }
    out
}

/// Writes claims and proofs.
struct Writer<'a> {
    /// The texts as they are written; the speakers count iterations as the claim does.
    texts: [&'a Analysis; 2],
    /// States as they start.
    start: Speaker<'a>,
    /// States in iteration k.
    each: Speaker<'a>,
}

/// The claim.
impl Writer<'_> {
    fn related(&self, witness: &Witness) -> String {
        let branch = witness.branches.first();
        let identity = branch.and_then(|branch| {
            let work = || identity(self.texts[0], self.texts[1], witness, branch);
            with_fuel(FUEL, work).ok().flatten()
        });
        let map = with_fuel(FUEL, || state_map(self.texts[0], self.texts[1], witness));
        let mut out = String::from("\n\\paragraph{Claim.}\n");
        out.push_str(&self.assumptions(witness));
        let _ = writeln!(out, "{}", self.how(witness));
        out.push_str(&self.parameters(witness));
        let _ = writeln!(out, "{}", self.calls(witness));
        out.push_str(&self.counterparts(witness));
        let _ = writeln!(out, "{}", self.generality(witness));
        if let Ok(map) = &map {
            out.push_str(&self.telling(witness, map).initialization(map, witness));
        }
        let others = self.other_ways(witness, map.as_ref().ok());
        for (which, way, map) in &others {
            let _ = write!(out, "With the {which} choice of parameters, ");
            let start = self.telling(way, map).initialization(map, way);
            out.push_str(&start.replacen("The", "the", 1));
        }
        out.push_str(&self.skipped(witness));
        out.push_str("\n\\paragraph{Proof.}\n");
        match &identity {
            Some(identity) => out.push_str(&self.by_transfer(witness, identity)),
            None => out.push_str(&self.by_markov(witness)),
        }
        match &map {
            Ok(map) => out.push_str(&self.telling(witness, map).change_of_variables(witness, map)),
            Err(why) => drop(writeln!(out, "No change of variables is given: {}.", why.reason())),
        }
        for (which, way, map) in &others {
            let _ = writeln!(out, "For the {which} choice of parameters:");
            out.push_str(&self.telling(way, map).change_of_variables(way, map));
        }
        out.push_str(&self.remarks(witness, map.is_ok()));
        out.push_str("\\hfill$\\square$\n");
        out
    }

    /// The other branches on which B starts otherwise, or on which only there is a start.
    fn other_ways(&self, witness: &Witness, first: Option<&States>) -> Vec<(String, Witness, States)> {
        let starts = |way: &Witness, map: &States| self.telling(way, map).start.starts(map);
        let own = first.map(|map| starts(witness, map));
        let mut found = Vec::new();
        for n in 1..witness.branches.len() {
            let way = witness.on_way(n);
            let Ok(map) = with_fuel(FUEL, || state_map(self.texts[0], self.texts[1], &way)) else { continue };
            if own.as_ref() != Some(&starts(&way, &map)) {
                found.push((ordinal(n + 1), way, map));
            }
        }
        found
    }

    /// The writer that knows the root in a state map and which algorithm is repeated.
    fn telling(&self, witness: &Witness, map: &States) -> Writer<'_> {
        let repeat = witness.repeat;
        Writer { texts: self.texts, start: self.start.telling(map, repeat), each: self.each.telling(map, repeat) }
    }

    fn assumptions(&self, witness: &Witness) -> String {
        let own = witness.assumptions.iter().map(|a| self.assumption(a));
        let list: Vec<String> = own.chain(self.regularity(witness)).collect();
        if list.is_empty() { String::new() } else { format!("Let {}.\n", listed(&list)) }
    }

    fn assumption(&self, a: &Assumption) -> String {
        let function = |f: &str| name(Script::Latex, f);
        match a {
            Assumption::Function(side, f, special) => {
                let text = match (self.kind(*side, f), special) {
                    (Some(OracleKind::Projection), Special::Zero) => "$ be the whole space",
                    (Some(OracleKind::Projection), Special::IndicatorOfZero) => " = \\{0\\}$",
                    (_, Special::Zero) => " = 0$",
                    (Some(OracleKind::Resolvent), Special::IndicatorOfZero) => "$ be the normal cone of $\\{0\\}$",
                    (_, Special::IndicatorOfZero) => "$ be the indicator function of $\\{0\\}$",
                };
                format!("${}{text} in algorithm {}", function(f), letter(*side))
            }
            Assumption::ZeroConstant(side, c) => format!("${} = 0$ in algorithm {}", function(c), letter(*side)),
            Assumption::Identity(side, i, factor) => {
                let operator = name(Script::Latex, &self.start.system(*side).operators[*i].name);
                format!("${operator} = {}$ in algorithm {}", self.start.multiple(factor), letter(*side))
            }
            Assumption::Same(side, f, g) => {
                format!("${} = {}$ in algorithm {}", function(g), function(f), letter(*side))
            }
            Assumption::Symmetric(side, i) => {
                let operator = &self.start.system(*side).operators[*i].name;
                format!("${}$ be symmetric in algorithm {}", function(operator), letter(*side))
            }
            Assumption::Commuting(side, i, j) => {
                let [v, w] = [i, j].map(|n| function(&self.start.system(*side).operators[*n].name));
                format!("${v}$ and ${w}$ commute in algorithm {}", letter(*side))
            }
            Assumption::Trait(side, f, what) => {
                let said = what.said_of(&format!("${}$", function(f)), ["be", "be"]);
                format!("{said} in algorithm {}", letter(*side))
            }
            Assumption::Positive(c) => format!("${} > 0$", self.start.rational(c)),
            Assumption::Dual(pairs) => {
                let pair = |c: &Conjugate| {
                    let (f, g) = (function(&c.first), function(&c.second));
                    let reflected = match c.sign {
                        Sign::Plus => String::new(),
                        Sign::Minus => format!(" with reflected argument, ${g}^{{*}}(-\\,\\cdot\\,)$"),
                    };
                    format!("${f}$ in algorithm A be the conjugate of ${g}$ in algorithm B{reflected}")
                };
                listed(&pairs.iter().map(pair).collect::<Vec<_>>())
            }
            Assumption::Conjugate(pair) => {
                let said = |(side, f): (Side, &str)| format!("${}$ in algorithm {}", function(f), letter(side));
                let [one, other] = pair.naming(self.start.first).map(said);
                format!("{one} be the conjugate of {other}")
            }
            Assumption::Sample(map) => {
                let (ours, theirs) = (&self.start.first.system.letter, &self.start.second.system.letter);
                let at = |index: &str| match map.by {
                    0 => index.to_string(),
                    by => format!("{index}{by:+}"),
                };
                // The bare index is a sample without a name.
                let sample = |n: &str, at: &str| match n {
                    "" => format!("the sample at ${at}$"),
                    n => format!("the sample ${}_{{{at}}}$", function(n)),
                };
                let (one, two) = (&map.first, &map.second);
                match map.every {
                    None => format!("{} of B be {} of A", sample(two, theirs), sample(one, &at(ours))),
                    Some((Side::First, n)) => {
                        format!("{} of B be {} of A", sample(two, theirs), sample(one, &at(&format!("{n}{theirs}"))))
                    }
                    Some((Side::Second, n)) => {
                        format!("{} of A be {} of B", sample(one, ours), sample(two, &at(&format!("{n}{ours}"))))
                    }
                }
            }
        }
    }

    /// What it takes for an oracle to be expressed by another one of the same function.
    fn regularity(&self, witness: &Witness) -> Vec<String> {
        let (a, b) = (self.start.first, self.start.second);
        let mut found: Vec<String> = Vec::new();
        let mut say = |text: String| {
            if !found.contains(&text) {
                found.push(text);
            }
        };
        let mut steps = Vec::new();
        for (n, &(i, j)) in witness.channel_map.iter().enumerate() {
            let (own, other) = (&a.channels[i % a.channels.len()].oracle, &b.channels[j % b.channels.len()].oracle);
            let is_conjugate = witness.conjugate(&other.function).is_some();
            if !is_conjugate && witness.matrices.get(n).is_none_or(|m| *m == Matrix::identity(2)) {
                continue;
            }
            let f = name(Script::Latex, &own.function);
            say(match own.kind {
                OracleKind::BlackBox => continue,
                OracleKind::Projection => format!("${f}$ be a nonempty closed convex set"),
                OracleKind::Resolvent => format!("${f}$ be maximally monotone"),
                _ => format!("${f}$ be closed, proper and convex"),
            });
            steps.extend([(Side::First, own), (Side::Second, other)]);
        }
        for (side, oracle) in steps {
            let has_step = !matches!(oracle.kind, OracleKind::Gradient | OracleKind::Subdifferential);
            if has_step && !oracle.step.variables().is_empty() {
                say(format!("${} > 0$", self.start.rational(&oracle.step.rename(&|v| side.place(v)))));
            }
        }
        found
    }

    /// The kind of oracle by which a side asks a function.
    fn kind(&self, side: Side, function: &str) -> Option<OracleKind> {
        let analysis = if side == Side::First { self.start.first } else { self.start.second };
        analysis.channels.iter().find(|c| c.oracle.function == function).map(|c| c.oracle.kind)
    }

    /// What functions, sets and black boxes of B stand for that are called otherwise in A.
    fn counterparts(&self, witness: &Witness) -> String {
        if witness.is_dual() {
            return String::new();
        }
        let (a, b) = (self.start.first, self.start.second);
        let mut list: Vec<String> = Vec::new();
        for (n, &(i, j)) in witness.channel_map.iter().enumerate() {
            let (own, other) = (&a.channels[i % a.channels.len()].oracle, &b.channels[j % b.channels.len()].oracle);
            if witness.conjugate(&other.function).is_some() {
                continue;
            }
            let same = witness.matrices.get(n).is_none_or(|m| *m == Matrix::identity(2));
            let of = |o: &Oracle| name(Script::Latex, &o.function);
            let base = |o: &Oracle| match o.kind {
                OracleKind::Projection => format!("N_{{{}}}", of(o)),
                OracleKind::Resolvent | OracleKind::BlackBox => of(o),
                _ => format!("\\partial {}", of(o)),
            };
            let oracle = |o: &Oracle, a: &Analysis| oracle_name(o, &a.system, Script::Latex);
            let text = match (own.kind == other.kind, same) {
                (true, _) if own.function == other.function => continue,
                (true, _) => format!("${}$ of B is ${}$ of A", of(other), of(own)),
                (false, true) if own.kind == OracleKind::BlackBox || other.kind == OracleKind::BlackBox => {
                    format!("${}$ of B is ${}$ of A", oracle(other, b), oracle(own, a))
                }
                (false, _) if base(own) == base(other) => continue,
                (false, _) => format!("${}$ of B is ${}$ of A", base(other), base(own)),
            };
            if !list.contains(&text) {
                list.push(text);
            }
        }
        if list.is_empty() { String::new() } else { format!("Here {}.\n", listed(&list)) }
    }

    fn how(&self, witness: &Witness) -> String {
        let is_dual = witness.is_dual();
        let changed = witness.matrices.iter().any(|m| *m != Matrix::identity(2));
        let relation = match witness.relation {
            Relation::Conditional if changed => Relation::Lft,
            Relation::Conditional if witness.shift.iter().any(|m| *m != 0) => Relation::Shift,
            relation => relation,
        };
        match (witness.repeat, relation) {
            (Some((Side::First, n)), _) => {
                format!(
                    "One iteration of algorithm B is {n} iterations of algorithm A, here called inner and counted as one."
                )
            }
            (Some((Side::Second, n)), _) => {
                format!(
                    "One iteration of algorithm A is {n} iterations of algorithm B, here called inner and counted as one."
                )
            }
            _ if is_dual => "Algorithms A and B are dual to each other.".to_string(),
            (_, Relation::Oracle | Relation::Conditional) => {
                "Algorithms A and B make the same oracle calls.".to_string()
            }
            (_, Relation::Shift) => "Algorithms A and B make the same oracle calls up to a shift in time.".to_string(),
            (_, Relation::Permutation) => {
                "Algorithms A and B make the same oracle calls when their oracles are exchanged.".to_string()
            }
            (_, Relation::Lft) => {
                "Algorithms A and B are the same algorithm in different oracles of the same functions.".to_string()
            }
            (_, Relation::LinearOracle) => {
                "Algorithms A and B are the same up to filters that commute with the linear oracles.".to_string()
            }
            (_, _) => {
                "Algorithms A and B are the same up to scalings that commute with the homogeneous oracles.".to_string()
            }
        }
    }

    /// B's parameters, every way.
    fn parameters(&self, witness: &Witness) -> String {
        let mut ways: Vec<_> = witness.branches.iter().map(|b| self.start.way(witness, b)).collect();
        ways.iter_mut().for_each(|way| self.start.add_laws(&witness.sequences, way));
        for (n, map) in witness.constants.iter().enumerate() {
            self.start.add_constants(witness, (map, &witness.branches[n]), &mut ways[n]);
        }
        // Operators that are the identity were named among the assumptions.
        let identities: Vec<&String> = witness
            .assumptions
            .iter()
            .filter_map(|a| match a {
                Assumption::Identity(Side::Second, i, _) => Some(&self.start.second.system.operators[*i].name),
                _ => None,
            })
            .collect();
        let mut out = String::new();
        for (n, way) in ways.iter().enumerate() {
            let equation = |(p, v): (&String, &String)| (format!("{} &= ", name(Script::Latex, p)), terms(v));
            let is_identity = |p: &String| identities.contains(&p);
            let equations: Vec<(String, Vec<String>)> =
                way.parameters.iter().filter(|(p, _)| !is_identity(p)).map(equation).collect();
            let lead = match (ways.len(), n) {
                (1, _) => "The parameters of B are",
                (_, 0) => "The parameters of B are either",
                _ => "or",
            };
            let mut rest = Vec::new();
            let free: Vec<String> = way.free.iter().map(|v| format!("${}$", name(Script::Latex, v))).collect();
            if !free.is_empty() {
                rest.push(format!("with arbitrary {}", listed(&free)));
            }
            let conditions: Vec<String> = way.conditions.iter().map(|c| format!("${c}$")).collect();
            if !conditions.is_empty() {
                rest.push(format!("where {}", listed(&conditions)));
            }
            let end = if n + 1 == ways.len() { "." } else { "," };
            match (equations.is_empty(), rest.is_empty()) {
                (true, true) => {}
                (true, false) => drop(writeln!(out, "This holds {}{end}", rest.join(" "))),
                (false, true) => {
                    let _ = write!(out, "{lead}\n{}", together(&equations));
                }
                (false, false) => {
                    let _ = writeln!(out, "{lead}\n{}{}{end}", together(&equations), rest.join(" "));
                }
            }
        }
        if witness.same_parameters == Some(true) && !ways.is_empty() {
            out.push_str("In particular it holds with the same values for the parameters of the same names.\n");
        }
        out
    }

    /// Which call is which.
    fn calls(&self, witness: &Witness) -> String {
        let filters = filters(witness);
        let one = |(n, &(i, j)): (usize, &(usize, usize))| {
            let m = witness.shift[n];
            let when = if m == 0 { "k".to_string() } else { earlier(m).replace(' ', "") };
            let (a, b) = (self.oracle(witness, Side::First, i), self.oracle(witness, Side::Second, j));
            if let Some(c) = filters.get(n).filter(|c| !c.is_one()) {
                let factor = self.transformed(&self.start.rational(c));
                return match c.variables().contains(&Z) {
                    true => {
                        format!("the transforms of query and answer of {a} in A are ${factor}$ times those of {b} in B")
                    }
                    false => format!(
                        "query and answer of {a} in iteration $k$ of A are ${factor}$ times those of {b} in iteration ${when}$ of B"
                    ),
                };
            }
            format!("the call of {a} in iteration $k$ of A is the call of {b} in iteration ${when}$ of B")
        };
        let mut text = listed(&witness.channel_map.iter().enumerate().map(one).collect::<Vec<_>>());
        if let Some(first) = text.get(..1) {
            text = format!("{}{}", first.to_uppercase(), &text[1..]);
        }
        if filters.iter().any(|c| c.variables().contains(&Z)) {
            text.push_str(
                ", where the transform of $v$ is $\\sum_k v^k z^{-k}$ and both algorithms are started with all states zero",
            );
        }
        format!("{text}.")
    }

    /// An oracle in a sentence; those of a repeated algorithm with their inner iteration.
    fn oracle(&self, witness: &Witness, side: Side, channel: usize) -> String {
        let analysis = if side == Side::First { self.start.first } else { self.start.second };
        let p = analysis.channels.len();
        let own = &analysis.channels[channel % p];
        let mut text = format!("${}$", oracle_name(&own.oracle, &analysis.system, Script::Latex));
        if own.copy > 0 {
            let _ = write!(text, " ({})", ordinal(own.copy));
        }
        if witness.repeat.is_some_and(|(s, _)| s == side) {
            let _ = write!(text, " of inner iteration {}", channel / p + 1);
        }
        text
    }

    fn generality(&self, witness: &Witness) -> &'static str {
        match witness.generality {
            Generality::Equal => "Either algorithm is as general as the other.",
            Generality::Instance => "Algorithm A is a special case of algorithm B.",
            Generality::Contains => "Algorithm B is a special case of algorithm A.",
            Generality::Overlap => "Neither contains the other: they meet for these parameters.",
        }
    }

    fn initialization(&self, map: &States, witness: &Witness) -> String {
        let [theirs, ours] = self.start.both_starts(map);
        let equation = |line: &String| {
            let (left, right) = line.split_once(" = ").unwrap_or((line, "0"));
            (format!("{left} &= "), terms(right))
        };
        let starts = [("B is started with", theirs), ("A is started with", ours)];
        let starts = starts.into_iter().filter(|(_, lines)| !lines.is_empty());
        let starts: Vec<String> = starts
            .map(|(who, lines)| format!("{who}\n{}", aligned(&lines.iter().map(equation).collect::<Vec<_>>())))
            .collect();
        if starts.is_empty() {
            return String::new();
        }
        let answers = self.early_answers(map, &self.start);
        let open = if self.start.is_open(map) { "Here $k$ is the index at which A starts.\n" } else { "" };
        let own: Vec<String> = self.start.own_answers(map).iter().map(|line| format!("${line}$")).collect();
        let given = match &own[..] {
            [] => String::new(),
            own => format!("B itself gives {}, which no start sets.\n", listed(own)),
        };
        let divided: Vec<String> =
            self.start.start_conditions(map, witness).iter().map(|line| format!("${line}$")).collect();
        let where_ = match &divided[..] {
            [] => String::new(),
            all => format!("This start is for {}.\n", listed(all)),
        };
        format!("The calls coincide when {}{answers}{given}{where_}{open}", starts.join("and "))
    }

    /// Says what the answers are that the start mentions.
    fn early_answers(&self, map: &States, speaker: &Speaker) -> String {
        let lines = speaker.starts(map);
        let mut found = Vec::new();
        for (analysis, side) in [(speaker.first, Side::First), (speaker.second, Side::Second)] {
            for i in 0..analysis.channels.len() {
                let answer = speaker.answer(side, i);
                if lines.iter().any(|l| l.contains(&format!("{answer}^"))) {
                    let index = if speaker.index.is_some() { "k" } else { "l" };
                    found.push(format!(
                        "${answer}^{{{index}}}$ is the answer of {} in iteration ${index}$ of {}",
                        self.label(side, i),
                        letter(side)
                    ));
                }
            }
        }
        if found.is_empty() { String::new() } else { format!("where {}.\n", listed(&found)) }
    }

    fn skipped(&self, witness: &Witness) -> String {
        let list: Vec<String> = skipped(witness)
            .iter()
            .map(|(i, n)| match n {
                1 => format!("the first call of {}", self.oracle(witness, Side::First, *i)),
                n => format!("the first {n} calls of {}", self.oracle(witness, Side::First, *i)),
            })
            .collect();
        if list.is_empty() {
            return String::new();
        }
        let verb = if list.len() == 1 { "is" } else { "are" };
        format!("Of the calls of A, {} {verb} not made by B.\n", listed(&list))
    }
}

fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_string(),
        2 => "second".to_string(),
        3 => "third".to_string(),
        n => format!("{n}th"),
    }
}
