//! Every `distinct` says what differs, and its run is one that the second algorithm cannot follow.

mod support;

use linnaeus::relation::behavior::Side;
use linnaeus::relation::{Compared, Obstruction, Refutation, Relation, Verdict, compare};
use linnaeus::report;
use linnaeus::transfer::{Analysis, Explicitness, Transfer};
use linnaeus_algebra::{Matrix, Rational, RationalFunction};
use support::corpus;

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

/// One side's A, B, C, D in the numbers of a run.
fn numbers(analysis: &Analysis, side: Side, run: &Refutation) -> [M; 4] {
    let Transfer::Commuting { realization: r, .. } = &analysis.transfer else { panic!("operators commute") };
    let at = |m: &M| {
        m.map(|e| {
            let e = e.rename(&|v| side.place(v));
            e.evaluate(&|v| run.numbers.get(&v).cloned()).unwrap().expect("no denominator vanishes")
        })
    };
    [at(&r.a), at(&r.b), at(&r.c), at(&r.d)]
}

fn number(x: &Rational) -> RationalFunction {
    RationalFunction::rational(x)
}

fn column(list: Vec<RationalFunction>) -> M {
    Matrix::from_fn(list.len(), 1, |i, _| list[i].clone())
}

/// Runs the first from its start with the listed answers, then asks for a start of the second that
/// makes all calls but the last, and for one that makes all.
fn check_run(a: &Analysis, b: &Analysis, found: &Obstruction, run: &Refutation) {
    let nearest = found.nearest.as_ref().expect("a reading");
    let [sa, sb, sc, sd] = numbers(a, Side::First, run);
    let constants: Vec<RationalFunction> = run.constants.iter().map(number).collect();
    let last = run.calls.last().expect("calls");
    let mut state = column(run.start.iter().map(number).collect());
    let known = |k: usize, i: usize| run.calls.iter().find(|c| (c.iteration, c.channel) == (k, i));
    for k in 0..=last.iteration {
        // A call that is not listed is later than the last one and answers nothing before it.
        let answer = |i: usize| known(k, i).map_or_else(RationalFunction::zero, |c| number(&c.answer));
        let inputs = (0..sd.cols()).map(|j| if j < sc.rows() { answer(j) } else { constants[j - sc.rows()].clone() });
        let inputs = column(inputs.collect());
        let queries = sc.mul(&state).unwrap().add(&sd.mul(&inputs).unwrap()).unwrap();
        for i in 0..sc.rows() {
            if let Some(call) = known(k, i) {
                assert_eq!(queries[(i, 0)], number(&call.query), "query {i} of iteration {k}");
            }
        }
        state = sa.mul(&state).unwrap().add(&sb.mul(&inputs).unwrap()).unwrap();
    }

    let [ta, tb, tc, td] = numbers(b, Side::Second, run);
    let inverse: Vec<M> = nearest
        .matrices
        .iter()
        .map(|m| m.map(|e| e.evaluate(&|v| run.numbers.get(&v).cloned()).unwrap().unwrap()).inverse().unwrap().unwrap())
        .collect();
    let n = ta.rows();
    let (mut from_start, mut driven) = (Matrix::identity(n), Matrix::zero(n, 1));
    let mut rows: Vec<(bool, Vec<RationalFunction>)> = Vec::new();
    for k in 0..=run.iteration {
        let mut answers = vec![RationalFunction::zero(); td.cols()];
        let mut wanted = Vec::new();
        for (pair, &(i, j)) in nearest.channel_map.iter().enumerate() {
            let Some(call) = known(k + nearest.shift[pair] as usize, i) else { continue };
            let both = inverse[pair].mul(&column(vec![number(&call.query), number(&call.answer)])).unwrap();
            answers[j] = both[(1, 0)].clone();
            wanted.push((std::ptr::eq(call, last), j, both[(0, 0)].clone()));
        }
        for (j, c) in constants.iter().enumerate().filter(|(j, _)| tc.rows() + j < td.cols()) {
            answers[tc.rows() + j] = c.clone();
        }
        let inputs = column(answers);
        let queries = tc.mul(&driven).unwrap().add(&td.mul(&inputs).unwrap()).unwrap();
        let seen = tc.mul(&from_start).unwrap();
        for (is_last, j, query) in wanted {
            let mut row = seen.row(j).to_vec();
            row.push(query.sub(&queries[(j, 0)]).unwrap());
            rows.push((is_last, row));
        }
        driven = ta.mul(&driven).unwrap().add(&tb.mul(&inputs).unwrap()).unwrap();
        from_start = ta.mul(&from_start).unwrap();
    }
    let solvable = |rows: Vec<Vec<RationalFunction>>| {
        let all: Vec<usize> = (0..rows.len()).collect();
        let both = Matrix::from_rows(rows);
        let start = both.submatrix(&all, &(0..n).collect::<Vec<_>>());
        start.rank().unwrap() == both.rank().unwrap()
    };
    let (parting, before): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(is_last, _)| *is_last);
    let rows = |list: &[(bool, Vec<RationalFunction>)]| list.iter().map(|(_, r)| r.clone()).collect::<Vec<_>>();
    assert_eq!(parting.len(), 1);
    let implicit = matches!(b.explicitness, Explicitness::Implicit(_));
    assert!(implicit || before.is_empty() || solvable(rows(&before)), "they part before the last call");
    assert!(!solvable([rows(&before), rows(&parting)].concat()), "a start of the second makes all calls");
    assert_ne!(run.queries.0, run.queries.1);
}

/// Kind, entries, and whether there is a run.
fn summary(a: &str, b: &str) -> String {
    let (a, b) = (read(a), read(b));
    let comparison = compare(&a, &b, None);
    let Verdict::Distinct(found) = &comparison.verdict else { panic!("not distinct") };
    if let Some(run) = &found.run {
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
    check(proximal, &proximal.replace("f(x[k])", "f(x[k-1])"), "delays; (1, 0): 1/z | 1/(z**2); run");
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
    check(two, &late, "entries; (1, 0): -t*s*B*adjoint(A) | 0; (1, 1): 1 - t*s*B*adjoint(B) | 1; no run");
}

#[test]
fn another_relation_is_named() {
    let (a, b) = (read("x[k+1] = x[k] - t*grad f(x[k])"), read("w[k+1] = w[k] - s*grad f(w[k])"));
    let comparison = compare(&a, &b, Some(Relation::Repetition));
    let r = report::compare(&a, &b, &comparison);
    let found = r.obstruction.expect("an obstruction");
    assert_eq!((found.kind, found.run.is_none()), ("relation", true));
    assert!(found.message.ends_with("oracle"), "{}", found.message);
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
            Some(run) => {
                check_run(&x, &y, &found, run);
                runs += 1;
            }
            None => without.push(format!("{a} {b}: {}", found.invariant.word())),
        }
        let nearest = found.nearest.as_ref();
        for e in nearest.iter().flat_map(|n| &n.entries) {
            match &e.values {
                Compared::Transfer(g, h) | Compared::Step(g, h) => assert_ne!(g, h, "{line}"),
                Compared::Markov(_, g, h) => assert_ne!(g, h, "{line}"),
            }
        }
    }
    eprintln!("{count} distinct pairs, {runs} with a run; without: {without:?}");
    assert!(count >= 20 && runs * 3 >= count * 2, "{count} {runs} {without:?}");
}
