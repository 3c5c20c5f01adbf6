//! From an algorithm to H to a minimal realization to a printed algorithm to H: nothing is lost on the way.

mod support;

use linnaeus::operator::OperatorPolynomial;
use linnaeus::report::{self, Format};
use linnaeus::syntax::notation::Notation;
use linnaeus::synthesis::{Commuting, Coordinates, Given, Model, Program, Realized, Unwritable, realize, reduced};
use linnaeus::system::LinearSystem;
use linnaeus::transfer::{Analysis, Transfer, markov, over_operators};
use linnaeus_algebra::{Matrix, RationalFunction, Variable};
use support::random::Random;
use support::{corpus, generate};

const GOLDEN: &str = include_str!("corpus/golden.txt");

fn read(text: &str) -> Analysis {
    let reading = linnaeus::read(text);
    let complaints: String = reading.diagnostics.iter().map(|d| d.render(&reading.source)).collect();
    reading.analysis.unwrap_or_else(|| panic!("refused:\n{text}\n{complaints}"))
}

/// H with the symbols of one text renamed to those of another.
fn renamed(h: &Matrix<RationalFunction>, from: &Analysis, to: &Analysis) -> Matrix<RationalFunction> {
    h.map(|e| rename(e, from, to))
}

fn rename(e: &RationalFunction, from: &Analysis, to: &Analysis) -> RationalFunction {
    rename_system(e, &from.system, &to.system)
}

fn rename_system(e: &RationalFunction, a: &LinearSystem, b: &LinearSystem) -> RationalFunction {
    let place = |v: Variable| {
        use linnaeus::system::{operator_symbol, parameter};
        if let Some(name) = a.parameters.get(v.0 as usize) {
            let place = b.parameters.iter().position(|p| p == name);
            return place.map(parameter).unwrap_or_else(|| panic!("`{name}` is no parameter"));
        }
        let operator = (0..a.operators.len()).find(|&i| operator_symbol(i) == v);
        let name = operator.map(|i| &a.operators[i].name);
        name.and_then(|n| b.operators.iter().position(|o| o.name == *n)).map_or(v, operator_symbol)
    };
    e.rename(&place)
}

fn transfer(analysis: &Analysis) -> &Matrix<RationalFunction> {
    let Transfer::Commuting { h, .. } = &analysis.transfer else { panic!("operators do not commute") };
    h
}

/// The printed program has the H of the text, rows and columns in the order of the calls.
fn same_transfer(label: &str, analysis: &Analysis, program: &Program, text: &str) -> Checked {
    // The coordinates of a random algorithm may have coefficients that take too long to be read.
    if linnaeus::read(text).is_limited() {
        return Checked::Limited;
    }
    let again = read(text);
    let p = analysis.channels.len();
    assert_eq!(again.channels.len(), p, "{label}:\n{text}");
    let printed: Vec<usize> = program.order.clone();
    for name in &again.system.parameters {
        assert!(analysis.system.parameters.contains(name), "{label}: `{name}` was no parameter\n{text}");
    }
    let h = transfer(&again);
    let back = renamed(h, &again, analysis);
    let constant = |name: &str| again.system.constants.iter().position(|c| c.name == name);
    let columns: Vec<Option<usize>> = (0..p)
        .map(|j| printed.iter().position(|q| *q == j))
        .chain(analysis.system.constants.iter().map(|c| constant(&c.name).map(|i| p + i)))
        .collect();
    let expected = transfer(analysis);
    for i in 0..p {
        let row = printed.iter().position(|q| *q == i).expect("every call");
        for (j, column) in columns.iter().enumerate() {
            let found = column.map_or_else(RationalFunction::zero, |c| back[(row, c)].clone());
            assert_eq!(found, expected[(i, j)], "{label}: entry {i} {j}\n{text}");
        }
    }
    Checked::Same
}

/// The program in every notation that is meant to be read back.
fn notations(realized: &Realized) -> Vec<String> {
    let formats = [Format::Plain, Format::Unicode, Format::Latex, Format::Algorithmic];
    formats.map(|f| report::export(realized, f).unwrap()).to_vec()
}

/// What came of a check that did not fail.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Checked {
    Same,
    Limited,
}

fn check(label: &str, analysis: &Analysis, states: &[Coordinates]) -> Vec<Checked> {
    let mut all = Vec::new();
    let Some(model) = Commuting::new(analysis) else {
        words(label, analysis);
        return all;
    };
    for &coordinates in states {
        let found = reduced(&model, coordinates).unwrap();
        assert_eq!(found.model.transfer().unwrap(), *transfer(analysis), "{label}");
        if coordinates != Coordinates::AsWritten && analysis.system.constants.is_empty() {
            assert_eq!(found.model.order(), analysis.minimal_order, "{label}");
        }
        assert_eq!(found.unreachable + found.unobservable + found.model.order(), model.order(), "{label}");
        let canonical = !matches!(coordinates, Coordinates::Minimal | Coordinates::AsWritten);
        let realized = match realize(&Given::Commuting(model.clone()), Some(coordinates)) {
            // A state of that kind would need the inverse of an operator between two spaces.
            Err(Unwritable::Untyped(_)) if canonical && !analysis.system.operators.is_empty() => continue,
            found => found.unwrap_or_else(|why| panic!("{label}: {why:?}")),
        };
        for text in notations(&realized) {
            all.push(same_transfer(label, analysis, &realized.program, &text));
        }
    }
    all
}

/// Operators that do not commute: the Markov parameters are the same words.
fn words(label: &str, analysis: &Analysis) {
    let Some(model) = Model::<OperatorPolynomial>::over_words(analysis) else { return };
    let realized = realize(&Given::Words(model), None).unwrap();
    for text in notations(&realized) {
        same_words(label, analysis, &realized.program, &text);
    }
}

fn same_words(label: &str, analysis: &Analysis, program: &Program, text: &str) {
    let again = read(text);
    // What does not occur is not declared again, so that what is left may commute.
    let markov = |a: &Analysis| markov(&over_operators(a).unwrap(), &a.system.schedules, 6).unwrap();
    let (a, b) = (markov(analysis), markov(&again));
    assert!(!a.is_empty() && !b.is_empty());
    let order = &program.order;
    for (m, n) in a.iter().zip(&b) {
        for i in 0..order.len() {
            for j in 0..order.len() {
                let expected = named(&m[(order[i], order[j])], analysis);
                let found = named(&n[(i, j)], &again);
                let found: Vec<_> = found.into_iter().map(|(w, c)| (w, rename(&c, &again, analysis))).collect();
                assert_eq!(expected, found, "{label}\n{text}");
            }
        }
    }
}

/// The terms of a polynomial by the names of their operators.
fn named(e: &OperatorPolynomial, s: &Analysis) -> Vec<(String, RationalFunction)> {
    let letter = |l: &linnaeus::operator::Letter| {
        let name = &s.system.operators[l.operator as usize].name;
        format!("{name} {} {}", l.adjoint, l.inverse)
    };
    let word = |w: &[linnaeus::operator::Letter]| w.iter().map(letter).collect::<Vec<_>>().join(", ");
    let mut terms: Vec<_> = e.terms().into_iter().map(|(w, c)| (word(w), c.clone())).collect();
    terms.sort_by(|a, b| a.0.cmp(&b.0));
    terms
}

#[test]
fn golden_listings() {
    for entry in corpus(GOLDEN).iter().filter(|e| e.one("error").is_none()) {
        assert!(
            !check(&entry.label, &read(&entry.text), &Coordinates::ALL).contains(&Checked::Limited),
            "{}",
            entry.label
        );
    }
}

#[test]
fn cards_of_the_zoo() {
    for animal in linnaeus::zoo::Zoo::embedded().animals() {
        let all = check(&animal.card.slug, &read(&animal.card.equations), &Coordinates::ALL);
        assert!(!all.contains(&Checked::Limited), "{}", animal.card.slug);
    }
}

/// Python and Julia that were printed are read again.
#[test]
fn programs_are_read_again() {
    let mut count = 0;
    for animal in linnaeus::zoo::Zoo::embedded().animals() {
        let (label, analysis) = (&animal.card.slug, read(&animal.card.equations));
        let given = match (Commuting::new(&analysis), Model::<OperatorPolynomial>::over_words(&analysis)) {
            (Some(model), _) => Given::Commuting(model),
            (None, Some(model)) => Given::Words(model),
            (None, None) => panic!("{label}: no model"),
        };
        // Sequences of numbers are functions of the index there.
        if !analysis.system.schedules.is_empty() {
            continue;
        }
        for coordinates in [Coordinates::AsWritten, Coordinates::Minimal] {
            // Where operators do not commute the state stays as written.
            let Ok(realized) = realize(&given, Some(coordinates)) else { continue };
            for format in [Format::Python, Format::Julia] {
                let Ok(text) = report::export(&realized, format) else { continue };
                let notation = Notation::detect(&text);
                assert_eq!(notation.word(), format.word(), "{label}\n{text}");
                match &given {
                    Given::Commuting(_) => {
                        let same = same_transfer(label, &analysis, &realized.program, &text);
                        assert!(same == Checked::Same, "{label}");
                    }
                    Given::Words(_) => same_words(label, &analysis, &realized.program, &text),
                    Given::Improper(_) => panic!("{label}: an algorithm is no matrix"),
                }
                count += 1;
            }
        }
    }
    assert!(count > 800, "{count}");
}

#[test]
fn random_algorithms() {
    let mut all = Vec::new();
    for i in 0..60 {
        let text = generate::algorithm(&mut Random::new(7, "synthesis", i));
        if let Some(analysis) = linnaeus::read(&text).analysis {
            all.extend(check(&text, &analysis, &[Coordinates::Minimal, Coordinates::AsWritten]));
        }
    }
    let same = all.iter().filter(|c| **c == Checked::Same).count();
    assert!(same > 80 && 10 * same > 9 * all.len(), "{same} of {}", all.len());
}

/// What `show --latex` prints is a transfer matrix that `realize` reads.
#[test]
fn typeset_matrices_are_read_again() {
    let golden = corpus(GOLDEN).into_iter().filter(|e| e.one("error").is_none()).map(|e| (e.label, e.text));
    let zoo = linnaeus::zoo::Zoo::embedded();
    let cards = zoo.animals().iter().map(|a| (a.card.slug.clone(), a.card.equations.clone()));
    let mut count = 0;
    for (label, text) in golden.chain(cards) {
        let reading = linnaeus::read(&text);
        let analysis = reading.analysis.as_ref().unwrap();
        let Transfer::Commuting { h, .. } = &analysis.transfer else { continue };
        let typeset = report::latex(&reading);
        let draft = linnaeus::synthesis::read(&typeset, linnaeus::system::Coefficients::AsWritten);
        let complaints: String = draft.diagnostics.iter().map(|d| d.render(&draft.source)).collect();
        let Some(Given::Commuting(model)) = &draft.given else { panic!("{label}: {typeset}\n{complaints}") };
        let p = analysis.channels.len();
        let all: Vec<usize> = (0..p).collect();
        let back = model.transfer().unwrap().map(|e| rename_system(e, &model.system, &analysis.system));
        assert_eq!(back, h.submatrix(&all, &all), "{label}: {typeset}");
        for (port, channel) in model.ports.iter().zip(&analysis.channels) {
            let (a, b) = (&port.oracle, &channel.oracle);
            let step = rename_system(&a.step, &model.system, &analysis.system);
            assert_eq!((a.kind, &a.function, a.conjugate, step), (b.kind, &b.function, b.conjugate, b.step.clone()));
        }
        count += 1;
    }
    assert!(count > 300, "{count} matrices");
}

/// Names that look alike when they are typeset are told apart.
#[test]
fn names_that_look_alike() {
    let text = "x_1[k+1] = prox_{t f}(x_1[k]) + a1*x1[k]; x1[k+1] = a_1*x_1[k]";
    let analysis = read(text);
    let realized =
        realize(&Given::Commuting(Commuting::new(&analysis).unwrap()), Some(Coordinates::AsWritten)).unwrap();
    for text in &notations(&realized)[2..] {
        let again = read(text);
        assert_eq!(again.system.parameters.len(), 3, "{text}");
        let names = |a: &Analysis| a.minimal_order;
        assert_eq!((again.channels.len(), names(&again)), (1, names(&analysis)), "{text}");
    }
    let capital = read("param L_0; x[k+1] = x[k] - L_0*grad f(x[k])");
    let realized = realize(&Given::Commuting(Commuting::new(&capital).unwrap()), None).unwrap();
    let again = read(&report::export(&realized, Format::Latex).unwrap());
    assert_eq!((again.system.parameters, again.system.operators.len()), (vec!["L0".to_string()], 0));
}

fn realized(text: &str, coordinates: Coordinates) -> Realized {
    realize(&Given::Commuting(Commuting::new(&read(text)).unwrap()), Some(coordinates)).unwrap()
}

/// What was changed to make a text linear is called after it, and said, in every notation.
#[test]
fn changed_variables_are_named() {
    let text = "x[k+1] = x[k]*exp(-t*grad f(log x[k]))";
    let found = realized(text, Coordinates::Minimal);
    assert_eq!(report::plain(&found.program), "# log_x = log(x)\nlog_x[k+1] = log_x[k] - t*grad f(log_x[k])\n");
    for format in Format::ALL.into_iter().filter(|f| *f != Format::Control) {
        let written = report::export(&found, format).unwrap();
        assert!(written.contains(" = log(x)\n"), "{written}");
    }
    for format in [Format::Plain, Format::Unicode, Format::Latex] {
        let written = report::export(&found, format).unwrap();
        let again = read(&written);
        assert_eq!(renamed(transfer(&again), &again, &read(text)), *transfer(&read(text)), "{written}");
    }
    let taken = "param log_x; x[k+1] = x[k]*exp(-log_x*grad f(log x[k]))";
    assert!(report::plain(&realized(taken, Coordinates::Minimal).program).contains("log_x1[k+1]"));
}

/// Nothing is divided by that the transfer matrix does not divide by, unless that is said.
#[test]
fn divisions_are_needed_or_said() {
    let chambolle_pock = "operator A: X -> Y; x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); \
        y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(x[k+1] + theta*(x[k+1] - x[k])))";
    for coordinates in Coordinates::PLAIN {
        let found = realized(chambolle_pock, coordinates);
        assert!(found.program.divisors().unwrap().is_empty(), "{}", report::plain(&found.program));
    }
    // The state that holds answers, where the text stores a multiple of them.
    for (label, text) in corpus(GOLDEN).into_iter().filter(|e| e.one("error").is_none()).map(|e| (e.label, e.text)) {
        let analysis = read(&text);
        let Some(model) = Commuting::new(&analysis) else { continue };
        for coordinates in [Coordinates::Minimal, Coordinates::Answers, Coordinates::Controllable] {
            let Ok(found) = realize(&Given::Commuting(model.clone()), Some(coordinates)) else { continue };
            let written = report::plain(&found.program);
            for p in &found.program.nonzero {
                assert!(written.contains(" != 0\n"), "{label}: {p:?}\n{written}");
            }
        }
    }
}

/// An operator between two spaces has no inverse: the state is one that needs none.
#[test]
fn rectangular_operators_are_not_inverted() {
    let admm = "operator A: X -> Y; x[k+1] = argmin_{rho f}(y[k] - u[k]); y[k+1] = prox_g(A*x[k+1] + u[k]); \
        u[k+1] = u[k] + A*x[k+1] - y[k+1]";
    for coordinates in Coordinates::PLAIN {
        let written = report::plain(&realized(admm, coordinates).program);
        assert!(!written.contains("inv("), "{written}");
        assert_eq!(
            renamed(transfer(&read(&written)), &read(&written), &read(admm)),
            *transfer(&read(admm)),
            "{written}"
        );
    }
    for text in ["x[k+1] = prox_f(x[k] - inv(A)*y[k])", "x[k+1] = prox_f(x[k] - A^-1*y[k])"] {
        let reading = linnaeus::read(&format!("operator A: X -> Y; {text}; y[k+1] = prox_g(y[k] + A*x[k])"));
        assert_eq!(reading.diagnostics[0].code.text(), "ill-typed", "{text}");
    }
}

/// Calls are printed in the order of the channels where they may be made in it.
#[test]
fn calls_keep_their_order() {
    for text in [
        "x[k+1] = x[k] - a*grad f(x[k]); y[k] = prox_g(x[k])",
        "y[k] = prox_g(x[k]); x[k+1] = x[k] - a*grad f(x[k])",
        "x[k+1] = x[k] - a*grad f(x[k]) - b*grad g(w[k]); w[k+1] = prox_h(x[k])",
    ] {
        let written = report::plain(&realized(text, Coordinates::Minimal).program);
        assert_eq!(
            renamed(transfer(&read(&written)), &read(&written), &read(text)),
            *transfer(&read(text)),
            "{written}"
        );
    }
}

/// A state that needs no inverse of an operator is taken where one of the same size is known; where the state that is asked
/// for needs one, the text says so.
#[test]
fn operators_are_inverted_only_where_that_is_said() {
    let zoo = linnaeus::zoo::Zoo::embedded();
    for slug in ["diging", "qu_li", "gradient_tracking_heavy_ball", "acc_dngd"] {
        let animal = zoo.find(slug).unwrap_or_else(|| panic!("no card `{slug}`"));
        let found = realized(&animal.card.equations, Coordinates::Minimal);
        let text = report::plain(&found.program);
        assert!(found.program.cost.inversions == 0 && !text.contains("inv("), "{slug}:\n{text}");
        assert!(!text.contains("invertible"), "{slug}:\n{text}");
    }
    let text = "operator W: X -> X; x[k+1] = x[k] - W*grad f(x[k])";
    for coordinates in Coordinates::ALL {
        let found = realized(text, coordinates);
        let (text, inversions) = (report::plain(&found.program), found.program.cost.inversions);
        assert_eq!(inversions > 0, text.contains("# W is invertible"), "{coordinates:?}:\n{text}");
    }
    // What H itself divides by needs no word.
    let text = "operator W: X -> X; x[k+1] = x[k] - inv(I + t*W)*grad f(x[k])";
    let found = realized(text, Coordinates::Minimal);
    assert!(found.program.cost.inversions > 0 && found.program.inverted.is_empty());
}

/// The canonical forms of textbooks: a companion matrix with the denominator, and the numerator beside it.
#[test]
fn canonical_forms_hold_the_coefficients_of_h() {
    let text = "H = (e*z^2 + a*z + b)/(z^3 + p*z^2 + q*z + r); oracles: grad f";
    let Some(Given::Commuting(model)) =
        linnaeus::synthesis::read(text, linnaeus::system::Coefficients::AsWritten).given
    else {
        panic!("refused: {text}")
    };
    let parameter = |name: &str| {
        let place = model.system.parameters.iter().position(|p| p == name).expect("a parameter");
        RationalFunction::variable(linnaeus::system::parameter(place))
    };
    let (zero, one) = (RationalFunction::zero, RationalFunction::one);
    let denominator = ["r", "q", "p"].map(|name| parameter(name).neg());
    let numerator = ["b", "a", "e"].map(parameter);
    let companion =
        Matrix::from_rows(vec![vec![zero(), one(), zero()], vec![zero(), zero(), one()], denominator.to_vec()]);
    let last = Matrix::from_rows(vec![vec![zero()], vec![zero()], vec![one()]]);
    let coefficients = Matrix::from_rows(vec![numerator.to_vec()]);
    let controllable = reduced(&model, Coordinates::Controllable).unwrap().model;
    assert_eq!((&controllable.a, &controllable.b, &controllable.c), (&companion, &last, &coefficients));
    let observable = reduced(&model, Coordinates::Observable).unwrap().model;
    assert_eq!(
        (observable.a, observable.b, observable.c),
        (companion.transpose(), coefficients.transpose(), last.transpose())
    );
}

/// With several answers there is a companion block for each: a row of A and B that is not the last of its block moves on
/// the next component.
#[test]
fn canonical_forms_have_a_block_for_every_answer() {
    for text in [
        "H = [[(a*z^2+b)/(z^3+c*z+d), 1/z], [1/(z-2), 0]]; oracles: grad f, grad g",
        "H = [[-1/(z-1), 1/(z-1)], [(2*z-1)/(z-1), -1/(z-1)]]; oracles: prox_f, prox_g",
        "x[k+1] = prox_f(z[k] - u[k]); z[k+1] = prox_g(x[k+1] + u[k]); u[k+1] = u[k] + x[k+1] - z[k+1]",
    ] {
        let Some(Given::Commuting(model)) =
            linnaeus::synthesis::read(text, linnaeus::system::Coefficients::AsWritten).given
        else {
            panic!("refused: {text}")
        };
        for coordinates in [Coordinates::Controllable, Coordinates::Observable] {
            let found = reduced(&model, coordinates).unwrap().model;
            assert_eq!(found.transfer().unwrap(), model.transfer().unwrap(), "{text}");
            let (a, b) = match coordinates {
                Coordinates::Controllable => (found.a, found.b),
                _ => (found.a.transpose(), found.c.transpose()),
            };
            let moves = |i: usize| {
                let is_unit = (0..a.cols()).all(|j| a[(i, j)] == RationalFunction::integer(i64::from(j == i + 1)));
                is_unit && b.row(i).iter().all(RationalFunction::is_zero)
            };
            let ends = (0..a.rows()).filter(|&i| !moves(i)).count();
            assert!(ends <= b.cols(), "{text}, {coordinates:?}: {a:?}");
        }
    }
}
