//! Every `distinct` says what differs, and its run is one that the second algorithm cannot follow.

mod support;

use linnaeus::operator::{Letter, OperatorPolynomial};
use linnaeus::relation::behavior::Side;
use linnaeus::relation::{Compared, Exchange, Nearest, Obstruction, Refutation, Relation, Verdict, compare};
use linnaeus::report;
use linnaeus::system::operator_symbol;
use linnaeus::system::schedule::{Motion, schedule, scheduled};
use linnaeus::transfer::{Analysis, Transfer, over_operators};
use linnaeus_algebra::solve::rational_root;
use linnaeus_algebra::{Matrix, Rational, RationalFunction, Variable};
use support::corpus;
use support::disguise::perturb;
use support::generate::{self, Symbols};
use support::random::Random;
use support::rewrite::Draft;

const ZOO: &str = include_str!("corpus/zoo.txt");
const RELATIONS: &str = include_str!("corpus/relations.txt");

type M = Matrix<RationalFunction>;

const DOUGLAS_RACHFORD: &str = "x[k] = prox_{t f}(w[k]); y[k] = prox_{t g}(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]";

fn read(text: &str) -> Analysis {
    linnaeus::read(text).analysis.unwrap_or_else(|| panic!("refused: {text}"))
}

fn obstruction(a: &Analysis, b: &Analysis) -> Option<Box<Obstruction>> {
    match compare(a, b, None).verdict {
        Verdict::Distinct(found) => Some(found),
        _ => None,
    }
}

/// A run and the reading that it refutes.
struct Trial<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    nearest: &'a Nearest,
    run: &'a Refutation,
}

impl Trial<'_> {
    /// How many components vectors have.
    fn size(&self) -> usize {
        self.run.queries.0.len()
    }

    fn analysis(&self, side: Side) -> &Analysis {
        if side == Side::First { self.first } else { self.second }
    }

    /// A value in a text's own symbols, in an iteration.
    fn own(&self, side: Side, r: &RationalFunction, k: i64) -> RationalFunction {
        let value = |v: Variable| match scheduled(v) {
            Some((j, offset)) => self.sequence(side, j, self.run.origin + k + offset).as_rational(),
            None => self.run.numbers.get(&side.place(v)).cloned(),
        };
        r.evaluate(&value).unwrap().expect("no denominator vanishes")
    }

    /// What a text says of its sequence at a time, or the run if it does not say it.
    fn sequence(&self, side: Side, j: usize, time: i64) -> RationalFunction {
        let system = &self.analysis(side).system;
        let joint = if side == Side::First { j } else { self.nearest.place[j] };
        match &system.schedules.list[j].motion {
            Motion::Clock => RationalFunction::integer(time),
            Motion::Power(base) => self.own(side, base, 0).pow(time as i32).unwrap().unwrap(),
            Motion::Function(_, radicand) => {
                let square = self.own(side, radicand, time - self.run.origin);
                match self.run.modulus {
                    None => number(&rational_root(&square.as_rational().unwrap()).expect("a square")),
                    // Of two roots the smaller one.
                    Some(p) => {
                        let root = |y: &u64| y * y % u64::from(p) == residue(&square, p);
                        RationalFunction::integer((1..u64::from(p)).find(root).expect("a square") as i64)
                    }
                }
            }
            Motion::Free | Motion::Recursion(_) => number(&self.run.numbers[&schedule(joint, time)]),
        }
    }

    /// Whether the numbers of the run keep to a text's recursions.
    fn keeps_recursions(&self, side: Side) {
        for (j, s) in self.analysis(side).system.schedules.list.iter().enumerate() {
            let Motion::Recursion(next) = &s.motion else { continue };
            let joint = if side == Side::First { j } else { self.nearest.place[j] };
            let known = |t: i64| self.run.numbers.contains_key(&schedule(joint, t));
            for time in (-5..20).filter(|t| known(*t) && known(t + 1)) {
                let found = self.own(side, next, time - self.run.origin);
                self.assert_same(&found, &self.sequence(side, j, time + 1), &format!("{} at {time}", s.name));
            }
        }
    }

    /// Whether two numbers are the same in the field of the run.
    #[track_caller]
    fn assert_same(&self, x: &RationalFunction, y: &RationalFunction, what: &str) {
        match self.run.modulus {
            None => assert_eq!(x, y, "{what}"),
            Some(p) => assert_eq!(residue(x, p), residue(y, p), "{what}"),
        }
    }

    fn operator(&self, side: Side, letter: Letter) -> M {
        let symbol = side.place(operator_symbol(letter.operator as usize));
        let plain = match self.run.operators.get(&symbol) {
            Some(m) => m.clone(),
            None => column(vec![number(&self.run.numbers[&symbol])]),
        };
        let plain = if letter.inverse { plain.inverse().unwrap().unwrap() } else { plain };
        if letter.adjoint { plain.transpose() } else { plain }
    }

    /// How one side's state and inputs enter its queries in an iteration, C and D.
    fn asking(&self, side: Side, k: usize) -> [M; 2] {
        self.numbers(side, k, |m| [m[2], m[3]], |m| [m[2], m[3]])
    }

    /// How they enter its next state, A and B.
    fn going_on(&self, side: Side, k: usize) -> [M; 2] {
        self.numbers(side, k, |m| [m[0], m[1]], |m| [m[0], m[1]])
    }

    fn numbers(
        &self,
        side: Side,
        k: usize,
        plain: fn([&M; 4]) -> [&M; 2],
        words: fn([&Matrix<OperatorPolynomial>; 4]) -> [&Matrix<OperatorPolynomial>; 2],
    ) -> [M; 2] {
        let both = [self.first, self.second].map(|a| matches!(a.transfer, Transfer::Commuting { .. }));
        let analysis = self.analysis(side);
        if let (Transfer::Commuting { realization: r, .. }, [true, true], 1) = (&analysis.transfer, both, self.size()) {
            return plain([&r.a, &r.b, &r.c, &r.d]).map(|m| m.map(|e| self.own(side, e, k as i64)));
        }
        let r = over_operators(analysis).unwrap();
        let n = self.size();
        words([&r.a, &r.b, &r.c, &r.d]).map(|m| {
            let block = |p: &OperatorPolynomial| {
                let mut sum: M = Matrix::zero(n, n);
                for (word, c) in p.terms() {
                    let start = Matrix::identity(n).scale(&self.own(side, c, k as i64)).unwrap();
                    let term = word.iter().fold(start, |m, l| m.mul(&self.operator(side, *l)).unwrap());
                    sum = sum.add(&term).unwrap();
                }
                sum
            };
            let blocks: Vec<Vec<M>> = (0..m.rows()).map(|i| m.row(i).iter().map(block).collect()).collect();
            Matrix::from_fn(m.rows() * n, m.cols() * n, |i, j| blocks[i / n][j / n][(i % n, j % n)].clone())
        })
    }

    /// How a pair of the second's is made of one of the first's.
    fn inverse(&self, pair: usize, k: usize) -> M {
        let own = |v: Variable| match scheduled(v) {
            // The symbols of a reading are the first's, and those that only the second has.
            Some((j, offset)) if j < self.first.system.schedules.list.len() => {
                self.sequence(Side::First, j, self.run.origin + k as i64 + offset).as_rational()
            }
            Some((j, offset)) => self.run.numbers.get(&schedule(j, self.run.origin + k as i64 + offset)).cloned(),
            None => self.run.numbers.get(&v).cloned(),
        };
        let m = self.run.matrices[pair].map(|e| e.evaluate(&own).unwrap().unwrap());
        m.inverse().unwrap().unwrap()
    }
}

fn number(x: &Rational) -> RationalFunction {
    RationalFunction::rational(x)
}

/// A number modulo a prime.
fn residue(x: &RationalFunction, p: u32) -> u64 {
    x.evaluate_mod(&|_| unreachable!("a number"), u64::from(p)).expect("no denominator vanishes")
}

/// The rank modulo a prime.
fn rank(m: &M, p: u32) -> usize {
    let p = u64::from(p);
    let mut rows: Vec<Vec<u64>> =
        (0..m.rows()).map(|i| m.row(i).iter().map(|x| residue(x, p as u32)).collect()).collect();
    let mut found = 0;
    for column in 0..m.cols() {
        let Some(pivot) = (found..rows.len()).find(|i| rows[*i][column] != 0) else { continue };
        rows.swap(found, pivot);
        let inverse = (1..p).find(|y| y * rows[found][column] % p == 1).expect("a prime");
        let above = rows[found].clone();
        for row in &mut rows[found + 1..] {
            let factor = row[column] * inverse % p;
            row.iter_mut().zip(&above).for_each(|(x, y)| *x = (*x + (p - factor) * y) % p);
        }
        found += 1;
    }
    found
}

fn column(list: Vec<RationalFunction>) -> M {
    Matrix::from_fn(list.len(), 1, |i, _| list[i].clone())
}

/// Runs the first from its start with the listed answers and any others, then asks for a start of the second that
/// makes all calls before the last, and for one that makes that, too.
fn check_run(a: &Analysis, b: &Analysis, found: &Obstruction, run: &Refutation) {
    let nearest = found.nearest.as_ref().expect("a reading");
    let trial = Trial { first: a, second: b, nearest, run };
    trial.keeps_recursions(Side::First);
    trial.keeps_recursions(Side::Second);
    let size = trial.size();
    let constants: Vec<RationalFunction> = run.constants.iter().flatten().map(number).collect();
    let last = run.calls.last().expect("calls");
    let mut state = column(run.start.iter().flatten().map(number).collect());
    let known = |k: usize, i: usize| run.calls.iter().find(|c| (c.iteration, c.channel) == (k, i));
    let p = a.channels.len();
    for k in 0..=last.iteration {
        let [sc, sd] = trial.asking(Side::First, k);
        // What is not listed is of no consequence.
        let any = |i: usize| RationalFunction::integer(1000 + 7 * k as i64 + 3 * i as i64);
        let answer = |i: usize| known(k, i / size).map_or_else(|| any(i), |c| number(&c.answer[i % size]));
        let inputs = (0..sd.cols()).map(|j| if j < p * size { answer(j) } else { constants[j - p * size].clone() });
        let inputs = column(inputs.collect());
        let queries = sc.mul(&state).unwrap().add(&sd.mul(&inputs).unwrap()).unwrap();
        for i in 0..sc.rows() {
            if let Some(call) = known(k, i / size) {
                let asked = number(&call.query[i % size]);
                trial.assert_same(&queries[(i, 0)], &asked, &format!("query {i} of iteration {k}"));
            }
        }
        if k < last.iteration {
            let [sa, sb] = trial.going_on(Side::First, k);
            state = sa.mul(&state).unwrap().add(&sb.mul(&inputs).unwrap()).unwrap();
        }
    }

    let q = b.channels.len();
    let n = match &b.transfer {
        Transfer::Commuting { realization, .. } => realization.states.len(),
        Transfer::Noncommuting { realization, .. } => realization.states.len(),
    } * size;
    // The start and the constants of the second are unknown.
    let free = b.system.constants.len() * size;
    let (mut from_start, mut driven) = (Matrix::identity(n).hstack(&Matrix::zero(n, free)), Matrix::zero(n, 1));
    let mut rows: Vec<(bool, Vec<RationalFunction>)> = Vec::new();
    for k in 0..=run.iteration {
        let [tc, td] = trial.asking(Side::Second, k);
        let mut answers: Vec<_> =
            (0..td.cols()).map(|i| RationalFunction::integer(2000 + 5 * (k + i) as i64)).collect();
        answers[q * size..].fill(RationalFunction::zero());
        let mut wanted = Vec::new();
        for (pair, &(i, j)) in nearest.channel_map.iter().enumerate() {
            let Some(call) = known(k + nearest.shift[pair] as usize, i) else { continue };
            for c in 0..size {
                let both = column(vec![number(&call.query[c]), number(&call.answer[c])]);
                let both = trial.inverse(pair, k).mul(&both).unwrap();
                answers[j * size + c] = both[(1, 0)].clone();
                if !run.others.contains(&(call.iteration, call.channel)) {
                    wanted.push((std::ptr::eq(call, last), j * size + c, both[(0, 0)].clone()));
                }
            }
        }
        let inputs = column(answers);
        let enter = |m: &M| {
            let all: Vec<usize> = (0..m.rows()).collect();
            let constants = m.submatrix(&all, &(q * size..m.cols()).collect::<Vec<_>>());
            Matrix::zero(m.rows(), n).hstack(&constants)
        };
        let queries = tc.mul(&driven).unwrap().add(&td.mul(&inputs).unwrap()).unwrap();
        let seen = tc.mul(&from_start).unwrap().add(&enter(&td)).unwrap();
        for (is_last, j, query) in wanted {
            let mut row = seen.row(j).to_vec();
            row.push(query.sub(&queries[(j, 0)]).unwrap());
            rows.push((is_last, row));
        }
        if k == run.iteration {
            break;
        }
        let [ta, tb] = trial.going_on(Side::Second, k);
        driven = ta.mul(&driven).unwrap().add(&tb.mul(&inputs).unwrap()).unwrap();
        from_start = ta.mul(&from_start).unwrap().add(&enter(&tb)).unwrap();
    }
    let solvable = |rows: Vec<Vec<RationalFunction>>| {
        let all: Vec<usize> = (0..rows.len()).collect();
        let both = Matrix::from_rows(rows);
        let start = both.submatrix(&all, &(0..n + free).collect::<Vec<_>>());
        match run.modulus {
            None => start.rank().unwrap() == both.rank().unwrap(),
            Some(p) => rank(&start, p) == rank(&both, p),
        }
    };
    let (parting, before): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(is_last, _)| *is_last);
    let rows = |list: &[(bool, Vec<RationalFunction>)]| list.iter().map(|(_, r)| r.clone()).collect::<Vec<_>>();
    assert_eq!(parting.len(), size);
    assert!(before.is_empty() || solvable(rows(&before)), "they part before the last call");
    assert!(!solvable([rows(&before), rows(&parting)].concat()), "a start of the second makes all calls");
    assert_ne!(run.queries.0, run.queries.1);
}

/// Whether one linear map has all these pairs: no combination of the queries is zero but for the answers'.
fn is_linear(calls: &[&Exchange]) -> bool {
    let row = |c: &&Exchange, both: bool| -> Vec<RationalFunction> {
        c.query.iter().chain(c.answer.iter().filter(|_| both)).map(number).collect()
    };
    let rank = |both: bool| Matrix::from_rows(calls.iter().map(|c| row(c, both)).collect()).rank().unwrap();
    rank(false) == rank(true)
}

/// Kind, entries, and whether there is a run.
fn summary(a: &str, b: &str) -> String {
    let (a, b) = (read(a), read(b));
    let comparison = compare(&a, &b, None);
    let Verdict::Distinct(found) = &comparison.verdict else { panic!("not distinct") };
    if let Ok(run) = &found.run {
        check_run(&a, &b, found, run);
    }
    let r = report::compare(&a, &b, &comparison).obstruction.expect("an obstruction");
    let entry = |e: &report::EntryReport| format!("({}, {}): {} | {}", e.row, e.column, e.first, e.second);
    let entries: Vec<String> = r.entries.iter().map(entry).collect();
    format!("{}; {}; {}", r.kind, entries.join("; "), if r.run.is_some() { "run" } else { "no run" })
}

#[track_caller]
fn check(a: &str, b: &str, expected: &str) {
    assert_eq!(summary(a, b), expected, "{a} and {b}");
}

#[test]
fn what_differs() {
    let descent = "x[k+1] = x[k] - t*grad f(x[k])";
    let heavy_ball = "x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])";
    let nesterov = "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])";
    check(
        heavy_ball,
        nesterov,
        "entries; (0, 0): -t*z/((z - 1)*(z - b)) | -t*((b + 1)*z - b)/((b + 1)*(z - 1)*(z - b)); run",
    );
    check(descent, "x[k+1] = 2*x[k] - s*grad f(x[k])", "poles; (0, 0): -t/(z - 1) | -t/(z - 2); run");
    check(
        "x[k+1] = x[k] - grad f(x[k])",
        "x[k+1] = x[k] - grad f(x[k]) + 1/2*(x[k] - x[k-1])",
        "order; (0, 0): -1/(z - 1) | -2*z/((z - 1)*(2*z - 1)); run",
    );
    check(descent, "x[k+1] = F(x[k]) + G(x[k])", "oracles; ; no run");
    let proximal = "x[k+1] = prox_{t g}(x[k] - t*grad f(x[k]))";
    check(proximal, &proximal.replace("f(x[k])", "f(x[k-1])"), "delays; (0, 1): 1/z | 1/(z**2); run");
    // The step is part of the oracle.
    let point = |t: u8| format!("x[k+1] = prox_{{{t} f}}(x[k])");
    check(&point(2), &point(3), "entries; (0, 0): 2 | 3; run");
    // What starts at one point and looks back asks for the same more than once.
    let late = |x: &str| format!("x[k+1] = prox_{{t g}}({x} - t*grad f(x[k-2]))");
    check(&late("x[k]"), &late("x[k-1]"), "poles; (1, 1): 1/z | 1/(z**2); run");
}

/// Of readings that are about as near, the one in which functions keep their names is told.
#[test]
fn functions_of_one_name_are_paired() {
    let first = "q1[k] = 2*w1[k] - v1[k]; v1[k] = prox_{2 f*}(q1[k]); q2[k] = -6*w1[k] + 4*v1[k] - v2[k]; \
                 v2[k] = prox_{2 g}(q2[k]); w1[k+1] = -w1[k] + v1[k] + v2[k]";
    let second = "y1[k] = 0; u1[k] = prox_{1 f}(y1[k]); y2[k] = -x1[k] - 2*u1[k]; u2[k] = prox_{1 g}(y2[k]); \
                  x1[k+1] = -u1[k] + u2[k]";
    for (a, b) in [(first, second), (second, first)] {
        let (a, b) = (read(a), read(b));
        let found = obstruction(&a, &b).expect("distinct").nearest.expect("a reading");
        let function = |x: &Analysis, i: usize| x.channels[i].oracle.function.clone();
        assert!(found.channel_map.iter().all(|&(i, j)| function(&a, i) == function(&b, j)), "{:?}", found.channel_map);
    }
}

#[test]
fn operators_and_other_oracles() {
    let chambolle_pock = "x[k+1] = prox_{t f}(x[k] - t*A'*y[k]); y[k+1] = prox_{s g*}(y[k] + s*A*(2*x[k+1] - x[k]))";
    let arrow_hurwicz = chambolle_pock.replace("(2*x[k+1] - x[k])", "x[k+1]");
    check(chambolle_pock, &arrow_hurwicz, "entries; (1, 0): s*(2*z - 1)*A/z | s*A; run");
    let conjugate = "x[k] = prox_{t f}(w[k]); y[k] = prox_{(1/t) g*}((3*x[k] - w[k])/t); w[k+1] = x[k] - t*y[k]";
    let expected = "entries; (0, 0): -1/(z - 1) | -2/(z - 1); (1, 0): (2*z - 1)/(z - 1) | (3*z - 1)/(z - 1); run";
    check(DOUGLAS_RACHFORD, conjugate, expected);
    let two = "x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); \
        v[k+1] = prox_{s g*}(v[k] + s*B*x[k+1])";
    let late = two.replace("s*B*x[k+1]", "s*B*x[k]");
    check(two, &late, "entries; (1, 0): -t*s*B*adjoint(A) | 0; (1, 1): 1 - t*s*B*adjoint(B) | 1; run");
    // Numbers commute, so that these operators must be matrices.
    let mixed = "operator W: X -> X; operator V: X -> X; x[k+1] = W*x[k] - t*V*grad f(x[k])";
    let moved = "operator W: X -> X; operator V: X -> X; y[k+1] = W*y[k] - t*grad f(V*y[k])";
    check(mixed, moved, "entries; (0, 0): -t*W*V | -t*V*W; run");
}

#[test]
fn coefficients_that_change() {
    let descent = "x[k+1] = x[k] - alpha[k]*grad f(x[k])";
    check(descent, &descent.replace("alpha[k]", "alpha[k+1]"), "entries; (0, 0): -alpha[k-1] | -alpha[k]; run");
    let harmonic = "x[k+1] = x[k] - 1/k*grad f(x[k])";
    check(harmonic, &harmonic.replace("1/k", "2^k"), "entries; (0, 0): -1/(k - 1) | -(2**k)/2; run");
    // One square root must be rational: t[0] = 2/3 makes t[1] = 4/3. Two never are.
    let rule = "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2;";
    let early = format!("{rule} x[k+1] = x[k] - t[k]*grad f(x[k])");
    check(&early, &early.replace("t[k]*grad", "t[k+1]*grad"), "entries; (0, 0): -t[k-1] | -t[k]; run");
    check(&early, &early.replace("t[k]*grad", "t[k+2]*grad"), "entries; (0, 0): -t[k-1] | -t[k+1]; run");
    let varying = "operator A: X -> Y; x[k+1] = prox_{tau[k] f}(x[k] - tau[k]*A'*y[k]); \
        y[k+1] = prox_{sigma g*}(y[k] + sigma*A*x[k+1])";
    let found = summary(varying, &varying.replace("tau[k]*A'", "tau[k+1]*A'"));
    assert!(found.ends_with("; run"), "{found}");
}

/// What was declared of the oracles holds of their answers.
#[test]
fn declared_oracles() {
    let plain = "x[k+1] = x[k] - t*grad f(x[k])";
    let heavy = "x[k+1] = x[k] - t*grad f(x[k]) + 1/2*(x[k] - x[k-1])";
    let twice = "y[k+1] = y[k] - s*grad f(y[k]) - r*grad g(y[k]); w[k+1] = w[k] - s*grad f(w[k] + y[k])";
    for (first, second) in [
        (plain, "x[k+1] = 2*x[k] - t*grad f(x[k])"),
        (heavy, "x[k+1] = x[k] - t*prox_f(x[k])"),
        (twice, "y[k+1] = y[k] - s*grad f(y[k]) - r*grad g(y[k]); w[k+1] = 3*w[k] - s*grad f(w[k] + y[k])"),
    ] {
        for declaration in ["function f linear;", "function f homogeneous;"] {
            let [a, b] = [first, second].map(|text| read(&format!("{declaration} {text}")));
            let found = obstruction(&a, &b).unwrap_or_else(|| panic!("{declaration} {first} and {second} are related"));
            let run = found.run.as_ref().unwrap_or_else(|_| panic!("{declaration} {first} and {second}: no run"));
            check_run(&a, &b, &found, run);
            let own: Vec<&Exchange> =
                run.calls.iter().filter(|c| a.channels[c.channel].oracle.function == "f").collect();
            if declaration.contains("linear") {
                assert!(is_linear(&own), "{own:?}");
                assert_eq!(run.linear.len(), 1);
            }
            // A homogeneous function has one gradient on a ray, and a multiple of a query has that multiple of a linear answer.
            for (c, d) in own.iter().flat_map(|c| own.iter().map(move |d| (*c, *d))) {
                let queries = [c, d].map(|c| c.query.iter().map(number).collect::<Vec<_>>());
                let parallel = Matrix::from_rows(queries.to_vec()).rank().unwrap() < 2;
                let sign = c.query.iter().zip(&d.query).fold(Rational::ZERO, |sum, (x, y)| sum + x * y);
                let alike = if declaration.contains("linear") { is_linear(&[c, d]) } else { c.answer == d.answer };
                assert!(!parallel || sign <= Rational::ZERO || alike, "{c:?} {d:?}");
            }
        }
    }
}

/// No constants of the second help it to follow.
#[test]
fn constants_of_the_second_are_unknown() {
    check(
        "constant b; x[k+1] = x[k] - t*grad f(x[k]) + b",
        "constant d; x[k+1] = 2*x[k] - t*grad f(x[k]) + 5*d",
        "poles; (0, 0): -t/(z - 1) | -t/(z - 2); run",
    );
}

/// What the first calls before the second calls anything is part of the run, and where calls wait for each other the
/// last one is the first that the second cannot make.
#[test]
fn calls_that_others_depend_on() {
    let late = "q1[k] = 2*w1[k] - v1[k]; v1[k] = prox_{2 f*}(q1[k]); q2[k] = - 6*w1[k] + 4*v1[k] - v2[k]; \
        v2[k] = prox_{2 g}(q2[k]); w1[k+1] = - w1[k] + v1[k] + v2[k]";
    // The oracles that are called alike are those of the other function.
    let early = "y1[k] = 0; u1[k] = prox_{1 g}(y1[k]); y2[k] = - x1[k] - 2*u1[k]; u2[k] = prox_{1 f}(y2[k]); \
        x1[k+1] = - u1[k] + u2[k]";
    let found = obstruction(&read(late), &read(early)).expect("distinct").run.expect("a run");
    let calls: Vec<(usize, usize)> = found.calls.iter().map(|c| (c.iteration, c.channel)).collect();
    assert_eq!((calls, found.others.into_iter().collect::<Vec<_>>()), (vec![(0, 0), (0, 1)], vec![(0, 0)]));
    let both = "y1[k] = - x1[k]; u1[k] = prox_{1 f}(y1[k]); y2[k] = - 3*x1[k]; u2[k] = prox_{1 g}(y2[k]); \
        x1[k+1] = u1[k] - u2[k]";
    let alone = "q1[k] = - w1[k]; v1[k] = prox_{1 f}(q1[k]); q2[k] = - 6*w1[k] - v2[k]; v2[k] = prox_{2 g*}(q2[k]); \
        w1[k+1] = v1[k]";
    for (a, b) in [(late, early), (early, late), (both, alone), (alone, both)] {
        summary(a, b);
    }
}

/// Runs of random algorithms can be followed from what is printed.
#[test]
fn runs_of_random_algorithms() {
    let (mut runs, mut without) = (0, 0);
    for round in 0..400 {
        let mut random = Random::new(20_261_119, "runs", round);
        let first = generate::small(&mut random, Symbols::None);
        let Some(a) = linnaeus::read(&first).analysis else { continue };
        let mut draft = Draft::new(&first, &a.system);
        perturb(&mut draft, &mut random);
        let Some(b) = linnaeus::read(&draft.text()).analysis else { continue };
        for (a, b) in [(&a, &b), (&b, &a)] {
            let Some(found) = obstruction(a, b) else { continue };
            match &found.run {
                Ok(run) => {
                    println!("{first}\n--\n{}", draft.text());
                    check_run(a, b, &found, run);
                    runs += 1;
                }
                Err(_) => without += 1,
            }
        }
    }
    assert!(runs >= 200 && 10 * without < runs, "{runs} runs, {without} without");
}

/// Square roots of parameters are what they are called.
#[test]
fn roots_of_parameters() {
    check(
        "x[k+1] = x[k] - sqrt(s)*grad f(x[k])",
        "x[k+1] = x[k] + sqrt(r)*grad f(x[k])",
        "entries; (0, 0): -sqrt(s)/(z - 1) | sqrt(r)/(z - 1); run",
    );
}

/// Matrices are chosen in which noncommuting operators differ.
#[test]
fn commutators() {
    // Either operator stands alone before an oracle, so that it is what it is.
    let (v, w) = ("operator V: X -> X; operator W: X -> X;", "- t*V*grad f(x[k]) - t*W*grad g(x[k])");
    for (first, second) in [
        ("V*W*x[k] - W*V*x[k]", "2*V*x[k] + V*V*x[k]"),
        ("V*W*x[k]", "W*V*x[k] + V*x[k]"),
        ("V*W*V*x[k]", "W*V*W*x[k] + x[k]"),
        ("V*V*W*x[k]", "V*W*V*x[k]"),
    ] {
        let found = summary(&format!("{v} x[k+1] = {first} {w}"), &format!("{v} x[k+1] = {second} {w}"));
        assert!(found.ends_with("; run"), "{first} and {second}: {found}");
    }
}

#[test]
fn another_relation_is_named() {
    let (a, b) = (read("x[k+1] = x[k] - t*grad f(x[k])"), read("w[k+1] = w[k] - s*grad f(w[k])"));
    let comparison = compare(&a, &b, Some(Relation::Repetition));
    let r = report::compare(&a, &b, &comparison);
    let found = r.obstruction.expect("an obstruction");
    assert_eq!((found.kind, found.run.is_none()), ("relation", true));
    assert!(found.message.ends_with("make the same calls"), "{}", found.message);
}

/// Where they agree after all is said, and that it is of no consequence.
#[test]
fn degenerate_parameters() {
    let a = read("x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])");
    let b = read("y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])");
    let r = report::compare(&a, &b, &compare(&a, &b, None)).obstruction.expect("an obstruction");
    assert!(r.message.starts_with("only degenerate parameters"));
    assert!(r.degenerate.iter().any(|d| d.conditions.contains(&"b = 0".to_string())));
}

#[test]
fn distinct_algorithms_of_the_zoo() {
    let zoo = corpus(ZOO);
    let text = |name: &str| zoo.iter().find(|e| e.label == name).expect("in the zoo").text.clone();
    let (mut count, mut runs) = (0, 0);
    let mut without = Vec::new();
    for line in RELATIONS.lines().filter(|l| l.ends_with(" distinct")) {
        let [a, b, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (x, y) = (read(&text(a)), read(&text(b)));
        let Some(found) = obstruction(&x, &y) else { continue };
        count += 1;
        match &found.run {
            Ok(run) => {
                check_run(&x, &y, &found, run);
                runs += 1;
            }
            Err(_) => without.push(format!("{a} {b}: {}", found.invariant.word())),
        }
        let nearest = found.nearest.as_ref();
        for e in nearest.iter().flat_map(|n| &n.entries) {
            match &e.values {
                Compared::Transfer(g, h) | Compared::Step(g, h) => assert_ne!(g, h, "{line}"),
                Compared::Markov(_, g, h) | Compared::Map(g, h) => assert_ne!(g, h, "{line}"),
            }
        }
    }
    eprintln!("{count} distinct pairs, {runs} with a run; without: {without:?}");
    assert!(count >= 20 && runs * 3 >= count * 2, "{count} {runs} {without:?}");
}

/// The nearest parameters silence no oracle, calls of one oracle have numbers, and where there is no run there is a reason.
#[test]
fn what_is_told() {
    let told = |first: &str, second: &str| {
        let [a, b] = [first, second].map(read);
        let comparison = compare(&a, &b, None);
        let text = report::compare_text(&a, &b, &comparison);
        (report::compare(&a, &b, &comparison).obstruction.expect("distinct"), text)
    };
    let (found, _) = told("x[k+1] = D(x[k] - a*grad f(x[k]))", "x[k+1] = x[k] - t*subgrad g(x[k+1]) - t*grad f(x[k])");
    assert_ne!(found.nearest.expect("a reading").parameters.get("t").map(String::as_str), Some("0"));
    let twice = "y[k] = x[k] - b*grad f(x[k]); x[k+1] = y[k] - b*grad f(y[k])";
    let (_, text) = told(twice, "y[k] = x[k] - b*grad f(x[k]); x[k+1] = x[k] - b*grad f(y[k])");
    assert!(text.contains("∇f (call 1) in A with ∇f (call 1) in B"), "{text}");
    let thrice = "y[k] = x[k] - b*grad f(x[k]); w[k] = y[k] - b*grad f(y[k]); x[k+1] = w[k] - b*grad f(w[k])";
    let (found, text) = told(twice, thrice);
    assert!(found.run.is_none() && text.contains("cannot be paired") && text.contains("none is shown"), "{text}");
    let (_, text) = told("x[k+1] = x[k] - a[k]*grad f(x[k])", "x[k+1] = x[k] - a[k+1]*grad f(x[k])");
    assert!(text.contains("if B's numbers are those of A one iteration earlier"), "{text}");
}
