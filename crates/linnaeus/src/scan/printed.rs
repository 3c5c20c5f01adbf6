//! What a paper prints against what is computed: transfer functions, realizations.

use super::Listing;
use super::at_a_point;
use super::claims::{Claim, Value};
use super::expand::Expanded;
use super::source::Place;
use crate::diagnostic::Diagnostic;
use crate::relation::shift::relative_degree;
use crate::source::{Source, Span};
use crate::syntax::ast::{
    Declaration, DeclarationNode, Declared, Expression, Index, Node, Operation, OperatorTraits, OracleKind, OracleName,
};
use crate::syntax::notation::Notation;
use crate::syntax::{TransferText, parse_as};
use crate::synthesis::given::entries;
use crate::system::{LinearSystem, Z, operator_symbol, parameter};
use crate::transfer::{Analysis, Transfer};
use crate::{FUEL, limit_work};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, SortedSet, Variable, with_fuel};

/// A formula that a paper prints for an algorithm.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Where it stands.
    pub place: Place,
    /// Whether it is true.
    pub agreement: Agreement,
}

/// How a printed transfer function compares with the one computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreement {
    /// They are the same; rows and columns may be in another order.
    Same,
    /// They are the same up to a shift in time.
    Shifted(Vec<i64>),
    /// They are the same where these parameters are 1.
    Special(Vec<String>),
    /// These entries differ: row, column, what is printed, what is computed.
    Differs(Vec<(usize, usize, RationalFunction, RationalFunction)>),
    /// Entries differ, row and column, whose operators do not commute.
    DiffersIn(Vec<(usize, usize)>),
    /// It has another size: so many rows, so many calls.
    Size(usize, usize),
    /// It cannot be read, or is not compared.
    Unread(String),
}

impl Agreement {
    /// Whether what is printed is true, if perhaps not in general.
    pub fn is_true(&self) -> bool {
        matches!(self, Agreement::Same | Agreement::Shifted(_) | Agreement::Special(_))
    }
}

/// More calls than this are not tried in every order.
const ORDERS: usize = 5;

/// Compares a claim with an algorithm.
pub fn check(paper: &Expanded, claim: &Claim, listing: &Listing) -> Option<Agreement> {
    let analysis = listing.reading.analysis.as_ref()?;
    let p = analysis.channels.len();
    let Transfer::Commuting { h, .. } = &analysis.transfer else {
        let Value::Transfer(rows) = &claim.value else { return None };
        let compared = expressions(paper, rows).map_err(|problem| problem.message);
        let compared = compared.and_then(|rows| at_a_point::compare(&rows, analysis, &orders(p)));
        return Some(compared.unwrap_or_else(Agreement::Unread));
    };
    let all: Vec<usize> = (0..p).collect();
    let computed = h.submatrix(&all, &all);
    let agreement = with_fuel(FUEL, || {
        let printed = match evaluate(paper, &claim.value, analysis) {
            Ok(matrix) => matrix,
            Err(problem) => return Ok(Agreement::Unread(problem.message)),
        };
        if printed.rows() != p || printed.cols() != p {
            return Ok(Agreement::Size(printed.rows(), p));
        }
        compare(&printed, &computed, analysis)
    });
    Some(agreement.unwrap_or_else(|Exhausted| Agreement::Unread(limit_work(Span::default()).message)))
}

/// The printed matrix in the symbols of the algorithm.
fn evaluate(paper: &Expanded, value: &Value, analysis: &Analysis) -> Result<Matrix<RationalFunction>, Diagnostic> {
    let exhausted = |_: Exhausted| limit_work(Span::default());
    let realized = |m: Matrix<RationalFunction>, n: usize| {
        let (states, calls): (Vec<usize>, Vec<usize>) = (0..m.rows()).partition(|i| *i < n);
        let part = |rows: &[usize], cols: &[usize]| m.submatrix(rows, cols);
        let (a, b) = (part(&states, &states), part(&states, &calls));
        let (c, d) = (part(&calls, &states), part(&calls, &calls));
        if (0..n * n).any(|e| a[(e / n, e % n)].variables().contains(&Z)) {
            return Err(unreadable("z stands in the matrix A"));
        }
        Matrix::transfer(&a, &b, &c, &d, Z).map_err(exhausted)
    };
    match value {
        Value::Transfer(rows) => read(paper, rows, analysis),
        Value::Realization(rows, n) => realized(read(paper, rows, analysis)?, *n),
        Value::Parts(parts) => {
            let [a, b, c, d] = &**parts;
            let beside = |l: &[Vec<Span>], r: &[Vec<Span>]| {
                l.iter().zip(r).map(|(l, r)| l.iter().chain(r).copied().collect()).collect::<Vec<Vec<Span>>>()
            };
            let fit = |l: &[Vec<Span>], r: &[Vec<Span>]| l.len() == r.len();
            if !fit(a, b) || !fit(c, d) || a.iter().chain(c).any(|r| r.len() != a.len()) {
                return Err(unreadable("the matrices A, B, C, D do not fit"));
            }
            let rows: Vec<Vec<Span>> = beside(a, b).into_iter().chain(beside(c, d)).collect();
            realized(read(paper, &rows, analysis)?, a.len())
        }
    }
}

fn unreadable(message: &str) -> Diagnostic {
    Diagnostic::error(crate::diagnostic::Code::BadTransfer, Span::default(), message)
}

/// Reads a square matrix of formulas; names mean what they mean in the algorithm.
fn read(paper: &Expanded, rows: &[Vec<Span>], analysis: &Analysis) -> Result<Matrix<RationalFunction>, Diagnostic> {
    let place = Span::default();
    let read = expressions(paper, rows)?;
    let mut names: SortedSet<String> = SortedSet::new();
    read.iter().flatten().for_each(|e| {
        e.walk(&mut |e| {
            if let Node::Name(n) | Node::Apply(n, ..) = &e.node {
                names.insert(n.clone());
            }
        });
    });
    let system = &analysis.system;
    let declared =
        |list: Vec<String>| -> Vec<Declared> { list.into_iter().map(|name| Declared { name, span: place }).collect() };
    let known =
        |list: &mut dyn Iterator<Item = &String>| declared(list.filter(|n| names.contains(*n)).cloned().collect());
    let parameters = known(&mut system.parameters.iter());
    let operators = known(&mut system.operators.iter().map(|o| &o.name));
    let mut declarations = Vec::new();
    if !parameters.is_empty() {
        declarations.push(DeclarationNode::Parameter(parameters));
    }
    if !operators.is_empty() {
        declarations.push(DeclarationNode::Operator(operators, None, OperatorTraits::default()));
    }
    let query = || {
        let index = Index { letter: "k".to_string(), halves: 0, span: place };
        Expression::new(place, Node::Indexed("query~".to_string(), index))
    };
    // A function of its own for every row, so that every row has its own space.
    let oracle = |i: usize| {
        let call = OracleName {
            span: place,
            kind: OracleKind::Gradient,
            function: format!("port~{}", i + 1),
            conjugate: false,
            step: None,
        };
        Expression::new(place, Node::Call(Box::new(call.at(query(), None))))
    };
    let text = TransferText {
        declarations: declarations.into_iter().map(|node| Declaration { span: place, node }).collect(),
        oracles: (0..rows.len()).map(oracle).collect(),
        rows: read,
        span: place,
    };
    let (printed, h) = entries(&text)?;
    let rename = |v: Variable| renamed(v, &printed, system);
    Ok(h.map(|e| e.rename(&rename)))
}

/// The entries of a square matrix.
fn expressions(paper: &Expanded, rows: &[Vec<Span>]) -> Result<Vec<Vec<Expression>>, Diagnostic> {
    if rows.is_empty() || rows.len() > crate::syntax::MAX_ROWS || rows.iter().any(|r| r.len() != rows.len()) {
        return Err(unreadable("the matrix is not square"));
    }
    let expression = |span: &Span| {
        let (algorithm, problems) =
            parse_as(&Source::new(&format!("q = {}", paper.text.slice(*span))), Notation::Latex);
        let error = problems.into_iter().find(|d| d.severity == crate::diagnostic::Severity::Error);
        match (algorithm.statements.into_iter().next(), error) {
            (Some(statement), None) => Ok(multiplied(&statement.value)),
            (_, Some(problem)) => Err(problem),
            _ => Err(unreadable("an entry is no expression")),
        }
    };
    rows.iter().map(|r| r.iter().map(expression).collect()).collect()
}

/// Nothing is called in an entry: `W(z I - W)^-1` is a product.
fn multiplied(e: &Expression) -> Expression {
    let product = |name: &str, span: Span, factor: Expression| {
        let name = Expression::new(span, Node::Name(name.to_string()));
        Expression::new(e.span, Node::Binary(Operation::Multiply, Box::new(name), Box::new(factor)))
    };
    match &e.node {
        Node::Apply(name, span, argument, None) => product(name, *span, multiplied(argument)),
        Node::Power(base, exponent) => match &base.node {
            Node::Apply(name, span, argument, None) => {
                let node = Node::Power(Box::new(multiplied(argument)), exponent.clone());
                product(name, *span, Expression::new(base.span, node))
            }
            _ => Expression::new(e.span, e.node.map_children(&multiplied)),
        },
        node => Expression::new(e.span, node.map_children(&multiplied)),
    }
}

/// The symbol of the same name; a name that the algorithm does not have stays foreign.
fn renamed(v: Variable, from: &LinearSystem, to: &LinearSystem) -> Variable {
    if v == Z {
        return Z;
    }
    let foreign = |n: usize| parameter(50_000 + n);
    let own = |name: &str| {
        let parameters = to.parameters.iter().position(|p| p == name).map(parameter);
        parameters.or_else(|| to.operators.iter().position(|o| o.name == name).map(operator_symbol))
    };
    let named = (0..from.parameters.len()).find(|n| parameter(*n) == v).map(|n| (n, from.parameters[n].as_str()));
    let operator = || {
        let found = (0..from.operators.len()).find(|n| operator_symbol(*n) == v);
        found.map(|n| (1000 + n, from.operators[n].name.as_str()))
    };
    named.or_else(operator).map_or(v, |(n, name)| own(name).unwrap_or(foreign(n)))
}

fn compare(
    printed: &Matrix<RationalFunction>,
    computed: &Matrix<RationalFunction>,
    analysis: &Analysis,
) -> Result<Agreement, Exhausted> {
    let p = computed.rows();
    let orders = orders(p);
    let ordered = |order: &[usize]| printed.submatrix(order, order);
    if orders.iter().any(|order| ordered(order) == *computed) {
        return Ok(Agreement::Same);
    }
    for order in &orders {
        if let Some(shift) = shifted(computed, &ordered(order))? {
            return Ok(Agreement::Shifted(shift));
        }
    }
    if let Some(names) = special(printed, computed, analysis, &orders)? {
        return Ok(Agreement::Special(names));
    }
    let equal = |order: &Vec<usize>| {
        let m = ordered(order);
        (0..p * p).filter(|n| m[(n / p, n % p)] == computed[(n / p, n % p)]).count()
    };
    // The first of the best.
    let best = orders.iter().rev().max_by_key(|o| equal(o)).cloned().unwrap_or_default();
    let m = ordered(&best);
    let differs = (0..p * p).map(|n| (n / p, n % p)).filter(|ij| m[*ij] != computed[*ij]);
    Ok(Agreement::Differs(differs.map(|(i, j)| (i, j, m[(i, j)].clone(), computed[(i, j)].clone())).collect()))
}

/// Parameters that the printed matrix does not have, if with 1 in their place both are the same.
fn special(
    printed: &Matrix<RationalFunction>,
    computed: &Matrix<RationalFunction>,
    analysis: &Analysis,
    orders: &[Vec<usize>],
) -> Result<Option<Vec<String>>, Exhausted> {
    let p = computed.rows();
    let all = |m: &Matrix<RationalFunction>| -> SortedSet<Variable> {
        (0..p * p).flat_map(|n| m[(n / p, n % p)].variables()).collect()
    };
    let (said, used) = (all(printed), all(computed));
    let missing: Vec<usize> = (0..analysis.system.parameters.len())
        .filter(|n| used.contains(&parameter(*n)) && !said.contains(&parameter(*n)))
        .collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let value = |v: Variable| missing.iter().any(|n| parameter(*n) == v).then(RationalFunction::one);
    let mut reduced = Vec::new();
    for n in 0..p * p {
        let Some(entry) = computed[(n / p, n % p)].substitute(&value)? else { return Ok(None) };
        reduced.push(entry);
    }
    let reduced = Matrix::from_fn(p, p, |i, j| reduced[i * p + j].clone());
    let same = orders.iter().any(|order| printed.submatrix(order, order) == reduced);
    Ok(same.then(|| missing.iter().map(|n| analysis.system.parameters[*n].clone()).collect()))
}

/// The m with G = Δ_m H Δ_m⁻¹, Δ_m = diag(z^(-m_i)), if there is one.
fn shifted(g: &Matrix<RationalFunction>, h: &Matrix<RationalFunction>) -> Result<Option<Vec<i64>>, Exhausted> {
    let p = g.rows();
    let mut m: Vec<Option<i64>> = vec![None; p];
    for start in 0..p {
        if m[start].is_some() {
            continue;
        }
        m[start] = Some(0);
        let mut todo = vec![start];
        while let Some(i) = todo.pop() {
            for j in 0..p {
                // g_ij = z^(m_j − m_i) h_ij.
                for (row, column, sign) in [(i, j, 1), (j, i, -1)] {
                    let degrees = (relative_degree(&g[(row, column)]), relative_degree(&h[(row, column)]));
                    let lag = match degrees {
                        (None, None) => continue,
                        (Some(a), Some(b)) => sign * (b - a),
                        _ => return Ok(None),
                    };
                    let wanted = m[i].map(|m| m + lag);
                    match m[j] {
                        None => {
                            m[j] = wanted;
                            todo.push(j);
                        }
                        known if known != wanted => return Ok(None),
                        _ => {}
                    }
                }
            }
        }
    }
    let m: Vec<i64> = m.into_iter().map(Option::unwrap_or_default).collect();
    let z = RationalFunction::variable(Z);
    for i in 0..p {
        for j in 0..p {
            let Some(power) = z.pow((m[j] - m[i]) as i32)? else { return Ok(None) };
            if h[(i, j)].mul(&power)? != g[(i, j)] {
                return Ok(None);
            }
        }
    }
    let least = m.iter().min().copied().unwrap_or(0);
    Ok(Some(m.iter().map(|x| x - least).collect()))
}

/// The orders in which calls may be printed.
fn orders(p: usize) -> Vec<Vec<usize>> {
    if p <= ORDERS { permutations(p) } else { vec![(0..p).collect()] }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..n {
        found = found
            .iter()
            .flat_map(|p: &Vec<usize>| {
                (0..n)
                    .filter(|i| !p.contains(i))
                    .map(|i| p.iter().copied().chain([i]).collect::<Vec<_>>())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    found
}
