//! Runs in floating point against exact ones, against reference solutions, and of pairs against each other.

use linnaeus::relation::behavior::Side;
use linnaeus::relation::{Verdict, compare};
use linnaeus::simulate::function::Function;
use linnaeus::simulate::problem::{NAMES, Problem};
use linnaeus::simulate::{Blame, MAX_ITERATIONS, Request, Simulation, Trace, simulate, simulate_both};
use linnaeus::source::Span;
use linnaeus::system::parameter;
use linnaeus::transfer::{Analysis, Explicitness, Transfer};
use linnaeus::zoo::Zoo;
use linnaeus_algebra::{Matrix, Rational, RationalFunction};

const DOUGLAS_RACHFORD: &str =
    "x1[k+1] = prox_{t f}(x3[k]); x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k]); x3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
const ADMM: &str = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k]); z[k+1] = prox_{(1/rho) g}(x[k+1] + u[k]); \
                    u[k+1] = u[k] + x[k+1] - z[k+1]";
const PD3O: &str = "x[k] = prox_{tau f}(z[k]); z[k+1] = x[k] - tau*grad h(x[k]) - tau*A'*s[k+1]; \
    s[k+1] = prox_{sigma g*}((I - tau*sigma*A*A')*s[k] + sigma*A*(2*x[k] - z[k] - tau*grad h(x[k])))";
const CHAMBOLLE_POCK: &str = "operator A: X -> Y; x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); \
    y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))";
const MOMENTUM: &str = "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
const DAVIS_YIN: &str =
    "x[k] = prox_{t g}(w[k]); y[k] = prox_{t f}(2*x[k] - w[k] - t*grad h(x[k])); w[k+1] = w[k] + y[k] - x[k]";
const EXTRAGRADIENT: &str = "w[k] = P_C(x[k] - gamma*F(x[k])); x[k+1] = P_C(x[k] - gamma*F(w[k]))";

fn read(text: &str) -> Analysis {
    linnaeus::read(text).analysis.unwrap_or_else(|| panic!("{text}"))
}

fn request(problem: &str, set: &[(&str, f64)], iterations: usize) -> Request {
    let set = set.iter().map(|(n, v)| (n.to_string(), *v)).collect();
    Request { problem: problem.to_string(), assign: Vec::new(), set, iterations }
}

/// What an iteration is in exact numbers, oracles of quadratic functions included.
struct Exact {
    a: Matrix<RationalFunction>,
    b: Matrix<RationalFunction>,
    c: Matrix<RationalFunction>,
    d: Matrix<RationalFunction>,
}

impl Exact {
    fn new(analysis: &Analysis, set: &[(&str, f64)]) -> Exact {
        let Transfer::Commuting { realization, .. } = &analysis.transfer else { panic!("no operators here") };
        let value = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| exact(*v));
        let number = |v| (0..).map(parameter).position(|p| p == v).and_then(|i| value(&analysis.system.parameters[i]));
        let at =
            |m: &Matrix<RationalFunction>| m.try_map(|e| e.substitute(&number).map(|r| r.expect("a value"))).unwrap();
        Exact { a: at(&realization.a), b: at(&realization.b), c: at(&realization.c), d: at(&realization.d) }
    }
}

fn exact(x: f64) -> RationalFunction {
    RationalFunction::rational(&Rational::try_from(x).expect("a number"))
}

fn zeros(rows: usize, cols: usize) -> Matrix<RationalFunction> {
    Matrix::zero(rows, cols)
}

/// The answer of an oracle of ½x'Qx − c'x, rows being vectors.
fn answer(
    function: &Function,
    step: &RationalFunction,
    prox: bool,
    query: &Matrix<RationalFunction>,
) -> Matrix<RationalFunction> {
    let Function::Quadratic(q, c) = function else { panic!("{function:?}") };
    let n = c.len();
    let q = Matrix::from_fn(n, n, |i, j| exact(q.rows[i][j]));
    let c = Matrix::from_fn(n, 1, |i, _| exact(c[i]));
    let y = query.transpose();
    if prox {
        let left = Matrix::identity(n).add(&q.scale(step).unwrap()).unwrap();
        left.solve(&y.add(&c.scale(step).unwrap()).unwrap()).unwrap().expect("positive definite").transpose()
    } else {
        q.mul(&y).unwrap().sub(&c).unwrap().transpose()
    }
}

#[test]
fn runs_are_the_exact_ones_up_to_rounding() {
    let heavy_ball = "x[k+1] = x[k] - t*grad f(x[k]) + b*(x[k] - x[k-1])";
    for (text, set) in [
        (heavy_ball, &[("t", 0.125), ("b", 0.5)][..]),
        (MOMENTUM, &[("s", 0.25), ("b", 0.25)]),
        (DOUGLAS_RACHFORD, &[("t", 0.5)]),
        (ADMM, &[("rho", 2.0)]),
        ("x[k+1] = x[k] - t*grad f(x[k] - 1/4*grad f(x[k-1]))", &[("t", 0.125)]),
    ] {
        let analysis = read(text);
        let found = simulate(&analysis, None, &request("quadratic", set, 8)).unwrap();
        let problem = Problem::new("quadratic").unwrap();
        let function = |name: &str| {
            let role = &found.assigned.iter().find(|a| a.name == name).unwrap().role;
            problem.terms.iter().find(|t| t.name == role).unwrap().function.clone()
        };
        let system = Exact::new(&analysis, set);
        let Explicitness::Explicit(order) = &analysis.explicitness else { panic!("explicit") };
        let (p, n) = (analysis.channels.len(), problem.matrix.cols);
        let mut state = zeros(system.a.rows(), n);
        for k in 0..8 {
            let mut answers = zeros(p, n);
            for &i in order {
                let queries = system.c.mul(&state).unwrap().add(&system.d.mul(&answers).unwrap()).unwrap();
                let query = queries.submatrix(&[i], &(0..n).collect::<Vec<_>>());
                let oracle = &analysis.channels[i].oracle;
                let step = oracle.step.substitute(&|v| {
                    let i = (0..).map(parameter).position(|p| p == v)?;
                    set.iter().find(|(name, _)| *name == analysis.system.parameters[i]).map(|(_, x)| exact(*x))
                });
                let step = step.unwrap().unwrap();
                let given = answer(&function(&oracle.function), &step, oracle.kind.has_step(), &query);
                for j in 0..n {
                    answers[(i, j)] = given[(0, j)].clone();
                    let wanted = query[(0, j)].as_rational().unwrap().to_f64().value();
                    let floating = found.first.calls[k][i].query[j];
                    assert!((wanted - floating).abs() < 1e-11 * (1.0 + wanted.abs()), "{text}: {wanted} {floating}");
                }
            }
            state = system.a.mul(&state).unwrap().add(&system.b.mul(&answers).unwrap()).unwrap();
        }
        assert!(state.rows() == 0 || !state.is_zero(), "{text}: nothing happened");
    }
}

fn end(found: &Simulation) -> f64 {
    let last = found.first.distances.last().expect("a solution is known");
    last.iter().copied().fold(0.0, f64::max)
}

#[test]
fn methods_converge_to_the_reference_solution() {
    for (text, problems) in [
        (DOUGLAS_RACHFORD, &["lasso", "logistic", "quadratic"][..]),
        (ADMM, &["lasso", "logistic", "quadratic"]),
        (MOMENTUM, &["lasso", "logistic", "quadratic"]),
        (DAVIS_YIN, &["lasso", "logistic", "quadratic"]),
        (CHAMBOLLE_POCK, &NAMES),
        (PD3O, &NAMES),
        (EXTRAGRADIENT, &["quadratic", "bilinear"]),
    ] {
        for problem in problems {
            let found = simulate(&read(text), None, &request(problem, &[], 400)).unwrap();
            assert!(end(&found) < 1e-6, "{text} on {problem}: {}", end(&found));
            assert!(!found.first.diverged);
        }
    }
}

#[test]
fn what_does_not_converge_is_not_said_to() {
    let descent = "x[k+1] = x[k] - t*F(x[k])";
    let found = simulate(&read(descent), None, &request("bilinear", &[("t", 0.5)], 100)).unwrap();
    assert!(end(&found) > 1.0);
    let far = simulate(&read(descent), None, &request("lasso", &[("t", 100.0)], 1000)).unwrap();
    assert!(far.first.diverged && far.first.calls.len() < 1000);
}

/// The largest difference between queries, and how the second was started.
fn apart(a: &str, b: &str, problem: &str) -> (f64, String) {
    let (first, second) = (read(a), read(b));
    let Verdict::Related(witness) = compare(&first, &second, None).verdict else { panic!("{a} and {b} are related") };
    let found = simulate(&first, Some((&second, &witness)), &request(problem, &[], 60)).unwrap();
    let following = found.second.expect("the second ran");
    assert!(following.differences.len() >= 60 || found.first.diverged, "{a} {b}");
    (following.differences.iter().flatten().copied().fold(0.0, f64::max), following.start)
}

/// What is not related runs on its own, with its own numbers, and the queries of the same oracles are compared.
#[test]
fn others_run_on_their_own() {
    let run = |a: &str, b: &str, problem: &str, set: &[(&str, f64)]| {
        let (first, second) = (read(a), read(b));
        let verdict = compare(&first, &second, None).verdict;
        assert!(!matches!(verdict, Verdict::Related(_)), "{a} and {b}");
        simulate_both(&first, &second, &verdict, &request(problem, set, 40))
    };
    let heavy_ball = "x[k+1] = x[k] + b*(x[k] - x[k-1]) - t*grad f(x[k])";
    let nesterov = "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])";
    let set = [("t", 0.125), ("b", 0.25), ("B.t", 0.25), ("B.b", 0.25)];
    let found = run(heavy_ball, nesterov, "quadratic", &set).unwrap();
    let alone = |text: &str, t: f64| simulate(&read(text), None, &request("quadratic", &[("t", t), ("b", 0.25)], 40));
    let (first, second) = (alone(heavy_ball, 0.125).unwrap().first, alone(nesterov, 0.25).unwrap().first);
    let other = found.second.expect("the second ran");
    let queries = |t: &Trace| t.calls.iter().map(|row| row[0].query.clone()).collect::<Vec<_>>();
    assert_eq!(queries(&found.first), queries(&first));
    assert_eq!(queries(&other.trace), queries(&second));
    assert_eq!((other.pairs, other.differences.len()), (vec![(0, 0)], 40));
    assert!(other.differences[0][0] == 0.0 && other.differences[5][0] > 0.0, "from one start, then apart");
    // A name that neither has, and a text that cannot be run.
    assert!(run(heavy_ball, nesterov, "quadratic", &[("c", 1.0)]).is_err());
    let implicit = "x[k+1] = x[k] - t*grad f(x[k+1]) - t*prox_{s g}(x[k+1])";
    assert_eq!(run(heavy_ball, implicit, "lasso", &[]).unwrap_err().blame, Blame::Text(Side::Second));
}

#[test]
fn related_algorithms_ask_the_same() {
    let reformulated = "s[k+1] = prox_{sigma g*}(s[k] + sigma*A*v[k]); x[k+1] = prox_{tau f}(x[k] - tau*A'*s[k+1] - tau*grad h(x[k])); \
                        v[k+1] = 2*x[k+1] - x[k] + tau*grad h(x[k]) - tau*grad h(x[k+1])";
    let twice = "y[k] = x[k] - t*grad f(x[k]); x[k+1] = y[k] - t*grad f(y[k])";
    let descent = "x[k+1] = x[k] - t*grad f(x[k])";
    for (a, b, problem) in [
        (DOUGLAS_RACHFORD, ADMM, "lasso"),
        (ADMM, DOUGLAS_RACHFORD, "logistic"),
        (PD3O, reformulated, "lasso"),
        (reformulated, PD3O, "lasso"),
        (CHAMBOLLE_POCK, CHAMBOLLE_POCK, "bilinear"),
        (descent, twice, "quadratic"),
        (twice, descent, "quadratic"),
        (DAVIS_YIN, DOUGLAS_RACHFORD, "lasso"),
        (
            "x[k+1] = prox_{t f}(x[k])",
            "v[k+1] = prox_{s f*}(v[k] + s*w[k]); w[k+1] = w[k] + (v[k] - v[k+1])/s - v[k+1]/s",
            "lasso",
        ),
        (
            "x[k+1] = x[k] - t*A'*(A*x[k] - b) - t*grad f(x[k])",
            "y[k+1] = y[k] - s*A'*(A*y[k] - b) - s*grad f(y[k])",
            "lasso",
        ),
        (
            "y[k] = x[k] + k/(k+3)*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])",
            "y[k+1] = x[k+1] + (k+1)/(k+4)*(x[k+1] - x[k]); x[k+1] = y[k] - s*grad f(y[k])",
            "lasso",
        ),
        (
            "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
             x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))",
            "x[k] = prox_{s g}(y[k] - s*grad f(y[k])); t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; \
             y[k+1] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])",
            "lasso",
        ),
        (
            "operator V: X -> X; operator W: X -> X; y[k+1] = W*V*y[k] - t*grad f(V*y[k])",
            "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k])",
            "lasso",
        ),
        (
            "operator V: X -> X; operator W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k])",
            "operator V: X -> X; operator W: X -> X; y[k+1] = W*V*y[k] - t*grad f(V*y[k])",
            "lasso",
        ),
        (IMPLICIT, "x[k+1] = prox_{s f}(x[k])", "lasso"),
    ] {
        if !matches!(compare(&read(a), &read(b), None).verdict, Verdict::Related(_)) {
            panic!("{a} and {b} are related");
        }
        let (difference, start) = apart(a, b, problem);
        assert!(difference < 1e-9, "{a} and {b}: {difference}, {start}");
        assert!(start.starts_with("by the state map"), "{a} and {b}: {start}");
    }
}

/// What operators are said to be is what they are: here argmins are proxes because they are I and -I.
#[test]
fn operators_are_told() {
    let general = "x[k+1] = argmin_x f(x) + rho/2*||A*x + B*z[k] + u[k]||^2; \
                   z[k+1] = argmin_z g(z) + rho/2*||A*x[k+1] + B*z + u[k]||^2; \
                   u[k+1] = u[k] + A*x[k+1] + B*z[k+1]";
    let (first, second) = (read(general), read(DOUGLAS_RACHFORD));
    let verdict = compare(&first, &second, None).verdict;
    let found = simulate_both(&first, &second, &verdict, &request("lasso", &[], 20)).unwrap();
    let told = |name: &str| found.assigned.iter().find(|a| a.name == name).map(|a| a.formula.as_str());
    assert_eq!([told("A"), told("B")], [Some("the identity"), Some("minus the identity")]);
    assert!(found.second.unwrap().differences.iter().flatten().all(|d| *d < 1e-9));
}

/// The iterates of the second are what the state map makes of the first's, in every iteration; those of which queries leave
/// a choice are not compared.
#[test]
fn related_algorithms_keep_the_same() {
    let fista = "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
                 x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
    let (descent, twice) =
        ("x[k+1] = x[k] - t*grad f(x[k])", "y[n] = x[n] - t*grad f(x[n]); x[n+1] = y[n] - t*grad f(y[n])");
    let dependent = "x1[k+1] = 3*x1[k] - 2*x2[k] + 1/5*grad f(-x1[k] + 2*x2[k]); x2[k+1] = x1[k]";
    let words = |line: &str| format!("operator V: X -> X; operator W: X -> X; {line}");
    let (moved, still) = (words("x[k+1] = V*W*x[k] - t*V*grad f(x[k])"), words("y[k+1] = W*V*y[k] - t*grad f(V*y[k])"));
    for (a, b, names, open) in [
        (DOUGLAS_RACHFORD, ADMM, &["z[k]", "u[k]"][..], &["x[k]"][..]),
        (ADMM, DOUGLAS_RACHFORD, &["x3[k]"], &["x1[k]", "x2[k]"]),
        (CHAMBOLLE_POCK, CHAMBOLLE_POCK, &["x[k]", "y[k]"], &[]),
        (descent, twice, &["x[n]"], &[]),
        (twice, descent, &["x[k]"], &[]),
        (fista, MOMENTUM.replace('b', "b[k]").as_str(), &["x[k]", "x[k-1]"], &[]),
        ("y[k+1] = y[k] - 1/5*grad f(y[k])", dependent, &[], &["x1[k]", "x2[k]"]),
        (&still, &moved, &["x[k]"], &[]),
        (&moved, &still, &[], &["y[k]"]),
    ] {
        let (first, second) = (read(a), read(b));
        let Verdict::Related(witness) = compare(&first, &second, None).verdict else { panic!("{a} and {b}") };
        let found = simulate(&first, Some((&second, &witness)), &request("quadratic", &[], 40)).unwrap();
        let iterates =
            found.second.expect("the second ran").iterates.unwrap_or_else(|why| panic!("{a} and {b}: {why}"));
        assert_eq!((&iterates.names[..], &iterates.open[..]), (&strings(names)[..], &strings(open)[..]), "{a} and {b}");
        assert!(iterates.differences.len() >= 39, "{a} and {b}: {}", iterates.differences.len());
        let most = iterates.differences.iter().flatten().copied().fold(0.0, f64::max);
        assert!(most < 1e-9, "{a} and {b}: {most}");
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

/// Pairs of cards, as many as there is time for, of all kinds.
#[test]
fn recorded_relations_show_in_runs() {
    let zoo = Zoo::embedded();
    let (mut wrong, mut ran) = (Vec::new(), 0);
    let edges: Vec<_> = zoo.relations().collect();
    for edge in edges.iter().step_by(edges.len() / 60 + 1) {
        let [a, b] = [&edge.first, &edge.second].map(|id| zoo.find(id).and_then(|a| a.analysis()).expect("a card"));
        let Verdict::Related(witness) = compare(a, b, None).verdict else { continue };
        let Ok(found) = simulate(a, Some((b, &witness)), &request("quadratic", &[], 20)) else { continue };
        let Some(following) = found.second.filter(|f| f.start.starts_with("by the state map")) else { continue };
        let scale =
            found.first.calls.iter().flatten().flat_map(|c| c.query.iter()).fold(1.0_f64, |m, x| m.max(x.abs()));
        ran += 1;
        if let Some(d) = following.differences.iter().flatten().find(|d| d.is_nan() || **d >= 1e-8 * scale) {
            wrong.push(format!("{} and {}: {d} of {scale}", edge.first, edge.second));
        }
    }
    assert!(ran >= 30 && wrong.is_empty(), "{ran} ran\n{}", wrong.join("\n"));
}

const IMPLICIT: &str = "x[k+1] = x[k] - t*subgrad f(x[k+1])";
const LOOP: &str = "x[k+1] = x[k] - t*grad f(y[k+1]); y[k+1] = x[k+1] - s*grad g(x[k+1])";

/// A call that waits for its own answer is a prox; several are solved together where they are affine.
#[test]
fn implicit_algorithms_run() {
    for problem in ["lasso", "logistic", "quadratic"] {
        let found = simulate(&read(IMPLICIT), None, &request(problem, &[("t", 0.5)], 30)).unwrap();
        let prox = simulate(&read("x[k+1] = prox_{t f}(x[k])"), None, &request(problem, &[("t", 0.5)], 30)).unwrap();
        for (a, b) in found.first.calls.iter().zip(&prox.first.calls) {
            for (x, y) in a[0].query.iter().zip(&b[0].answer) {
                assert!((x - y).abs() < 1e-10, "{problem}: {x} {y}");
            }
        }
    }
    let moved = "y[k+1] = x[k] - t*grad env_{s f}(y[k+1]); x[k+1] = y[k+1]";
    let found = simulate(&read(moved), None, &request("lasso", &[("t", 0.5), ("s", 0.25)], 20)).unwrap();
    let mut before = vec![0.0; found.first.calls[0][0].query.len()];
    for call in found.first.calls.iter().map(|c| &c[0]) {
        for (i, y) in call.query.iter().enumerate() {
            assert!((y - (before[i] - 0.5 * call.answer[i])).abs() < 1e-12);
        }
        before = call.query.clone();
    }
    let found = simulate(&read(LOOP), None, &request("quadratic", &[("t", 0.25), ("s", 0.5)], 12)).unwrap();
    let mut before = vec![0.0; found.first.calls[0][0].query.len()];
    for calls in &found.first.calls {
        let [f, g] = &calls[..] else { panic!("two calls") };
        for (i, x) in before.iter().enumerate() {
            assert!((f.query[i] - (g.query[i] - 0.5 * g.answer[i])).abs() < 1e-10);
            assert!((g.query[i] - (x - 0.25 * f.answer[i])).abs() < 1e-10);
        }
        before = g.query.clone();
    }
    assert!(before.iter().any(|x| x.abs() > 1e-3), "nothing happened");
}

#[test]
fn refusals_say_what_to_do() {
    let check = |text: &str, request: &Request, part: &str| match simulate(&read(text), None, request) {
        Err(why) => {
            assert!(why.told().contains(part), "{}", why.told());
            assert!(why.diagnostic.help.is_some() && why.diagnostic.span != Span::default(), "{}", why.told());
        }
        Ok(_) => panic!("{text} was run"),
    };
    let plain = request("lasso", &[], 10);
    check(&LOOP.replace("grad g", "subgrad g"), &plain, "wait for each other");
    check(IMPLICIT, &request("lasso", &[("t", -1.0)], 10), "wait for each other");
    check(DOUGLAS_RACHFORD, &request("lazzo", &[], 10), "there are lasso, logistic");
    let refused = simulate(&read(DOUGLAS_RACHFORD), None, &request("lasso", &[("s", 1.0)], 10)).unwrap_err();
    assert_eq!(refused.blame, Blame::Option("--set s=1".to_string()));
    check(DOUGLAS_RACHFORD, &request("lasso", &[("s", 1.0)], 10), "there are t");
    check(DOUGLAS_RACHFORD, &request("lasso", &[("t", -1.0)], 10), "not positive");
    check(DOUGLAS_RACHFORD, &request("lasso", &[], MAX_ITERATIONS + 1), "at most");
    let assign = |f: &str, role: &str| Request { assign: vec![(f.to_string(), role.to_string())], ..plain.clone() };
    check(DOUGLAS_RACHFORD, &assign("f", "l2"), "there are smooth, l1");
    check(DOUGLAS_RACHFORD, &assign("h", "l1"), "there are f, g");
    check("x[k+1] = x[k] - t*grad f(x[k])", &assign("f", "box"), "choose another function");
    let found = simulate(&read(DOUGLAS_RACHFORD), None, &assign("f", "smooth")).unwrap();
    assert_eq!(found.assigned.iter().map(|a| a.role.as_str()).collect::<Vec<_>>(), ["smooth", "l1"]);
}
