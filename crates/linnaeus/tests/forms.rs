//! Other ways to write an algorithm are the algorithm.

mod support;

use linnaeus::diagnostic::Severity;
use linnaeus::relation::compare;
use linnaeus::report::{self, expression::Script};
use linnaeus::source::Source;
use linnaeus::synthesis::{Commuting, Coordinates, Forms, Freedom, Given, Request, forms, forms_of, read};
use linnaeus::system::{Coefficients, Oracle, parameter};
use linnaeus_algebra::Variable;
use std::collections::BTreeSet;
use support::corpus;
use support::random::Random;

const GOLDEN: &str = include_str!("corpus/golden.txt");

fn text(label: &str) -> String {
    corpus(GOLDEN).into_iter().find(|e| e.label == label).unwrap_or_else(|| panic!("no listing `{label}`")).text
}

fn model(text: &str) -> Commuting {
    let draft = read(text, Coefficients::AsWritten);
    let complaints: String = draft.diagnostics.iter().map(|d| d.render(&draft.source)).collect();
    match draft.given {
        Some(Given::Commuting(model)) => model,
        _ => panic!("refused: {text}\n{complaints}"),
    }
}

fn granted(text: &str, request: &Request) -> Forms {
    let granted = request.grant(&model(text)).unwrap_or_else(|d| panic!("{}", d.diagnostic.render(&d.source)));
    forms(&granted.model, &Freedom { oracles_fixed: true, ..granted.freedom })
}

/// How the second text is related to the first: relation, generality, shift.
fn relation(first: &str, second: &str) -> String {
    let [a, b] = [first, second].map(|t| linnaeus::read(t).analysis.unwrap_or_else(|| panic!("refused: {t}")));
    let found = report::compare(&a, &b, &compare(&a, &b, None));
    format!("{} {} {:?}", found.relation.unwrap_or(found.verdict), found.generality.unwrap_or(""), found.shift)
}

fn best(found: &Forms) -> String {
    let first = found.list.first().filter(|f| f.is_explicit()).expect("an explicit form");
    report::plain(first.program())
}

#[test]
fn pd3o_has_three_shifts() {
    let found = granted(&text("algoPD3O"), &Request::default());
    let mut shifts: Vec<Vec<i64>> = found.list.iter().map(|f| f.shift.clone()).collect();
    shifts.sort();
    shifts.dedup();
    assert_eq!(shifts, [[0, 0, 0], [0, 0, 1], [0, 1, 1]]);
    assert!(found.complete && !found.infinite && found.list.iter().all(|f| f.is_explicit()));
}

/// A shift that is asked for is in what is written, though another is cheaper.
#[test]
fn the_calls_are_made_when_it_is_asked() {
    let dr =
        "x1[k+1] = prox_{t f}(x3[k]); x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k]); x3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
    let request = |shift: &str| Request { shift: Some(shift.to_string()), ..Request::default() };
    assert_eq!(relation(dr, &written(dr, &request("0,0")).unwrap()), "oracle equal [0, 0]");
    assert_eq!(relation(dr, &written(dr, &request("0,1")).unwrap()), "shift equal [1, 0]");
    let words = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); \
                 u[k+1] = prox_{s f}(u[k] + A*x[k+1]); v[k+1] = prox_{s g}(v[k] + B*x[k+1])";
    assert_eq!(relation(words, &written(words, &request("0,1")).unwrap()), "shift equal [1, 0]");
}

#[test]
fn the_third_reformulation_is_well_typed() {
    let request = Request { shift: Some("0,1,1".to_string()), ..Request::default() };
    let written = best(&granted(&text("algoPD3O"), &request));
    assert!(!written.contains("inv("), "{written}");
    assert_eq!(relation(&written, &text("algoPD3Oc#fixed")), "oracle equal [0, 0, 0]");
    assert_eq!(relation(&text("algoPD3O"), &written), "shift equal [1, 0, 0]");
}

/// The parameters that steps of proximal maps are made of.
fn steps(text: &str) -> BTreeSet<String> {
    let analysis = linnaeus::read(text).analysis.expect("a good text");
    let stepped = analysis.channels.iter().map(|c| &c.oracle).filter(|o| o.kind.has_step());
    let made_of = stepped.flat_map(|o| o.step.variables());
    made_of.map(|v| analysis.system.parameters[v.0 as usize].clone()).collect()
}

#[test]
fn every_form_is_related_to_the_text() {
    for label in ["algoPD3O", "algo5", "algo6", "algoTOS", "algo14"] {
        let Some(entry) = corpus(GOLDEN).into_iter().find(|e| e.label == label) else { continue };
        let found = forms(&model(&entry.text), &Freedom::default());
        assert!(found.complete, "{label}");
        // Every oracle choice that is explicit, and some that are not.
        for form in found.list.iter().filter(|f| f.is_explicit()).chain(found.list.iter().rev().take(3)) {
            let written = report::plain(form.program());
            let told = relation(&entry.text, &written);
            // What is a step of a prox is positive, and of a gradient any number.
            let (ours, theirs) = (steps(&entry.text), steps(&written));
            let generality = match (theirs.is_subset(&ours), ours.is_subset(&theirs)) {
                (true, true) => "equal",
                (true, false) => "instance",
                (false, true) => "contains",
                (false, false) => "overlap",
            };
            let wanted = if form.changed > 0 { format!("lft {generality}") } else { generality.to_string() };
            assert!(told.contains(&wanted), "{label}: {told}\n{written}");
        }
    }
}

#[test]
fn douglas_rachford_stores_one_vector_and_admm_two() {
    let least = |label: &str| {
        let found = granted(&text(label), &Request { shift: Some("0,0".to_string()), ..Request::default() });
        found.list.iter().map(|f| f.program().stored()).min()
    };
    assert_eq!((least("algo5"), least("algo6")), (Some(1), Some(2)));
}

#[test]
fn davis_yin_with_a_conjugate_is_pd3o() {
    let request = Request { conjugate: vec!["g".to_string()], ..Request::default() };
    let written = best(&granted(&text("algoTOS"), &request));
    let pd3o = Request { set: vec!["A=I".to_string()], ..Request::default() };
    let special = best(&granted(&text("algoPD3O"), &pd3o));
    assert_eq!(relation(&written, &special), "oracle instance [0, 0, 0]");
    let numbers = Request { set: ["A=I", "sigma=1/tau"].map(str::to_string).to_vec(), ..Request::default() };
    assert_eq!(relation(&written, &best(&granted(&text("algoPD3O"), &numbers))), "oracle equal [0, 0, 0]");
}

#[test]
fn a_filter_gives_the_variant_for_quadratic_functions() {
    let linear = format!("function f linear\n{}", text("algo5"));
    for (text_in, filter) in [(text("algo5"), "f=1/(z-alpha)"), (linear, "1/(z-alpha)")] {
        let request = Request { filter: vec![filter.to_string()], ..Request::default() };
        let found = granted(&text_in, &request);
        let written = best(&found);
        assert!(written.contains("function f linear"), "{written}");
        assert_eq!(found.list[0].program().stored(), 2);
        assert!(relation(&written, &text("algo_whoa")).starts_with("oracle instance"), "{written}");
    }
}

#[test]
fn requests_do_what_they_say() {
    let one = |f: fn(&mut Request)| {
        let mut request = Request::default();
        f(&mut request);
        best(&granted(&text("algo5"), &request))
    };
    let twice = one(|r| r.repeat = Some(2));
    assert!(relation(&text("algo5"), &twice).starts_with("repetition"), "{twice}");
    let dual = one(|r| r.dual = true);
    assert!(dual.contains("f*") && dual.contains("g*"), "{dual}");
    assert!(relation(&text("algo5"), &dual).starts_with("lft equal"), "{dual}");
    let swapped = one(|r| r.permute = vec!["f,g".to_string()]);
    assert!(swapped.find("prox_g") < swapped.find("prox_f"), "{swapped}");
    let without = one(|r| r.set = vec!["g=0".to_string()]);
    assert!(!without.contains('g') && without.contains("prox_f"), "{without}");
    let deleted = one(|r| r.delete = vec!["g".to_string()]);
    assert!(!deleted.contains('g') && deleted.contains("prox_f"), "{deleted}");
    let other = one(|r| r.oracles = Some("prox_f, prox_{g*}".to_string()));
    assert!(other.contains("prox_{g*}"), "{other}");
}

#[test]
fn requests_that_cannot_be_met_say_why() {
    let refused = |f: &dyn Fn(&mut Request)| {
        let mut request = Request::default();
        f(&mut request);
        request.grant(&model(&text("algo5"))).expect_err("refused").diagnostic.message
    };
    type Change<'a> = &'a dyn Fn(&mut Request);
    let cases: [(Change, &str); 9] = [
        (&|r| r.conjugate = vec!["q".into()], "no oracle of `q`"),
        (&|r| r.shift = Some("1,0".into()), "later"),
        (&|r| r.shift = Some("1".into()), "2 whole numbers"),
        (&|r| r.repeat = Some(1000), "not taken as one"),
        (&|r| r.set = vec!["g".into()], "no `=`"),
        (&|r| r.filter = vec!["1/(z-a)".into()], "linear is not said"),
        (&|r| r.filter = vec!["f=z".into()], "later"),
        (&|r| r.filter = vec!["f=0*z".into()], "zero"),
        (&|r| r.oracles = Some("prox_f, prox_".into()), ""),
    ];
    for (request, expected) in cases {
        let message = refused(request);
        assert!(message.contains(expected), "{message}");
    }
}

/// H as text, the algorithm that realizes it, its H.
fn from_matrix(text: &str, order: usize) -> String {
    let given = Given::Commuting(model(text));
    let realized = linnaeus::synthesis::realize(&given, Some(Coordinates::Minimal)).unwrap();
    assert_eq!(realized.program.stored(), order, "{text}");
    let written = report::plain(&realized.program);
    let again = linnaeus::synthesis::read(&written, Coefficients::AsWritten);
    let Some(Given::Commuting(again)) = again.given else { panic!("{written}") };
    assert_eq!(again.transfer().unwrap().rows(), realized.program.ports.len());
    written
}

#[test]
fn matrices_become_algorithms() {
    let dr = from_matrix("H = [[-1/(z-1), 1/(z-1)],\n [(2*z-1)/(z-1), -1/(z-1)]]\noracles: prox_f, prox_g", 1);
    assert_eq!(relation(&dr, &text("algo5")), "oracle equal [0, 0]");
    let twelve = from_matrix("oracles: grad f, grad g; H = [[(z-1)**5/z**6, 0], [0, z**5/(z-1)**6]]", 12);
    let show = linnaeus::read(&twelve).report();
    assert_eq!(show.minimal_order, Some(12));
    let h = show.transfer.unwrap().unwrap();
    let entry = |i: usize, j: usize| h[i][j].clone().unwrap();
    assert_eq!([entry(0, 0), entry(0, 1), entry(1, 1)], ["(z - 1)**5/(z**6)", "0", "z**5/(z - 1)**6"]);
    let typed = "operator A: X -> Y; oracles: prox_{tau f}, prox_{sigma g*}\n\
                 H = [[1/z, -tau*A'/z], [sigma*A*(2*z-1)/z, 1/z]]";
    let written = from_matrix(typed, 2);
    assert!(written.contains("A'*"), "{written}");
    let typeset = "\\Phi = (\\nabla f)\nH = \\begin{bmatrix} -\\alpha (z - 1) (z I - W)^{-2} \\end{bmatrix}";
    from_matrix(typeset, 2);
    let single = from_matrix("oracles: grad f; H = -t/(z-1)", 1);
    assert_eq!(relation(&single, "x[k+1] = x[k] - t*grad f(x[k])"), "oracle equal [0]");
}

#[test]
fn bad_matrices_are_refused() {
    let cases = [
        ("oracles: prox_f, prox_g; H = [[1/z, 0]]", "bad-transfer", "H = [[1/z, 0]]"),
        ("H = [[1/z]]", "bad-transfer", "H = [[1/z]]"),
        ("oracles: prox_f; H = [[1/z, ]]", "bad-transfer", "H = [[1/z, ]]"),
        ("oracles: prox_f; H = [[1/z]]; x[k+1] = x[k]", "bad-transfer", "x[k+1] = x[k]"),
        (
            "operator A: X -> Y; function f: X; function g: Y; oracles: prox_f, prox_g; H = [[0, 1/z], [A/z, 0]]",
            "ill-typed",
            "1/z",
        ),
        ("oracles: prox_f; H = [[1/0]]", "division-by-zero", "0"),
        ("oracles: porx_f; H = [[1/z]]", "unknown-oracle", "porx"),
        ("oracles: prox_{z f}; H = [[1/z]]", "bad-transfer", "prox_{z f}"),
        ("operators A, B: X -> X; oracles: prox_f; H = [[A*B/z]]", "bad-transfer", "H = [[A*B/z]]"),
    ];
    for (text, code, at) in cases {
        let draft = read(text, Coefficients::AsWritten);
        assert!(draft.given.is_none(), "{text}");
        let found = &draft.diagnostics[0];
        assert_eq!((found.code.text(), draft.source.slice(found.span)), (code, at), "{text}: {}", found.message);
        assert!(found.help.is_some(), "{text}");
    }
}

#[test]
fn an_implicit_algorithm_is_offered_a_prox() {
    for (text, offered) in [
        ("x[k+1] = x[k] - t*grad f(x[k+1])", "prox_{t f}"),
        ("x[k+1] = x[k] - t*subgrad f(x[k+1]) - t*grad g(x[k])", "prox_{t f}, grad g"),
    ] {
        let mut draft = read(text, Coefficients::AsWritten);
        let given = draft.given.clone().unwrap();
        assert!(report::realize_draft(&mut draft, &given, None).is_none());
        let found = draft.diagnostics.last().unwrap();
        assert_eq!(found.code.text(), "implicit");
        assert!(found.help.as_ref().unwrap().to_string().contains(&format!("\"{offered}\"")), "{:?}", found.help);
        let request = Request { oracles: Some(offered.to_string()), ..Request::default() };
        let written = best(&granted(text, &request));
        // The step of a prox is positive.
        assert!(relation(text, &written).starts_with("lft contains"), "{written}");
    }
}

#[test]
fn operators_that_do_not_commute_keep_their_state() {
    let text = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - A'*grad f(A*x[k]) - B'*grad g(B*x[k])";
    let mut draft = read(text, Coefficients::AsWritten);
    let given = draft.given.clone().unwrap();
    let realized = report::realize_draft(&mut draft, &given, None).unwrap();
    assert!(draft.diagnostics.iter().any(|d| d.message.contains("do not commute")));
    assert_eq!(relation(text, &report::plain(&realized.program)), "oracle equal [0, 0]");
    assert!(report::realize_draft(&mut draft, &given, Some(Coordinates::Minimal)).is_none());
    // What is asked of them and cannot be done is pointed at.
    for (request, at) in [
        (Request { dual: true, ..Request::default() }, "dual"),
        (Request { filter: vec!["f=1/(z-a)".into()], shift: Some("0,0".into()), ..Request::default() }, "f=1/(z-a)"),
        (Request { repeat: Some(99), shift: Some("0,0".into()), ..Request::default() }, "99"),
    ] {
        let denied = forms_of(&given, &request, true).unwrap_err();
        assert_eq!(denied.source.slice(denied.diagnostic.span), at);
        assert!(denied.diagnostic.help.is_some() && request.grant_given(&given).is_err());
    }
}

/// Whatever is typed in place of a matrix, there is a model or an error that helps and points into the text.
#[test]
fn mangled_matrices_are_answered() {
    let texts = [
        "operator A: X -> Y; oracles: prox_{tau f}, prox_{sigma g*}\nH = [[1/z, -tau*A'/z], [sigma*A*(2*z-1)/z, 1/z]]",
        "oracles: grad f; H = [[-t/(z-1)]]",
    ];
    let pieces =
        ["[", "]", ",", "z", "(", ")", "A'", "H = ", "oracles:", ";", "^9", "/0", "prox", "_{", "}", "x[k]", "é"];
    let mut random = Random::new(3, "matrices", 0);
    for _ in 0..400 {
        let mut text: Vec<char> = texts[random.next() as usize % texts.len()].chars().collect();
        for _ in 0..1 + random.next() % 3 {
            let at = random.next() as usize % text.len();
            if random.next().is_multiple_of(2) {
                text.remove(at);
            } else {
                let piece = pieces[random.next() as usize % pieces.len()];
                text.splice(at..at, piece.chars());
            }
        }
        let text: String = text.into_iter().collect();
        let draft = read(&text, Coefficients::AsWritten);
        let errors: Vec<_> = draft.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert_eq!(draft.given.is_none(), !errors.is_empty(), "{text}: {errors:?}");
        for error in errors {
            assert!(text.get(error.span.range()).is_some() && error.help.is_some(), "{text}: {error:?}");
            error.render(&draft.source);
        }
        if let Some(given) = draft.given {
            let _ = linnaeus::synthesis::realize(&given, None).map(|r| report::realize_text(&r));
        }
    }
}

/// A matrix that grows with z says what makes it an algorithm, and that does.
#[test]
fn improper_matrices_are_mended() {
    let improper = |text: &str| match read(text, Coefficients::AsWritten).given {
        Some(Given::Improper(matrix)) => matrix,
        other => panic!("{text}: {other:?}"),
    };
    let help = |text: &str| report::improper(&improper(text)).help.unwrap_or_default().to_string();
    let h = |model: &Commuting| {
        let h = model.transfer().unwrap();
        h.row(0).iter().map(|e| report::expression::plain(e, &|_| "?".to_string())).collect::<Vec<_>>()
    };
    let text = "H = [[z]]\noracles: grad f";
    assert_eq!(Source::new(text).slice(improper(text).span), "z");
    assert!(help(text).contains("--oracles \"subgrad f*\""), "{}", help(text));
    let request = Request { oracles: Some("subgrad f*".to_string()), ..Request::default() };
    let granted = request.grant_given(&Given::Improper(improper(text))).unwrap();
    assert_eq!(h(&granted.model), ["1/z"]);
    let text = "H = [[0, z], [1/z^2, 0]]\noracles: prox_f, prox_g";
    assert!(help(text).contains("forms --shift 1,0"), "{}", help(text));
    let request = Request { shift: Some("1,0".to_string()), ..Request::default() };
    let granted = request.grant_given(&Given::Improper(improper(text))).unwrap();
    assert_eq!(h(&granted.model), ["0", "1"]);
    let text = "H = [[z]]\noracle F\noracles: F";
    assert!(help(text).contains("no other oracles"), "{}", help(text));
    // What does not help is denied, and so is everything while nothing helps.
    let request = Request { oracles: Some("grad f".to_string()), ..Request::default() };
    let denied = request.grant_given(&Given::Improper(improper("H = [[z]]\noracles: grad f"))).unwrap_err();
    assert!(denied.diagnostic.message.contains("grows with z"), "{}", denied.diagnostic.message);
}

/// The program that a request gives.
fn written(text: &str, request: &Request) -> Result<String, String> {
    let draft = read(text, Coefficients::AsWritten);
    let changed = request.change(&draft.given.expect("it is read")).map_err(|d| d.diagnostic.message.clone())?;
    let realized = linnaeus::synthesis::realize(&changed.given(), None).unwrap();
    Ok(report::plain(&realized.program))
}

#[test]
fn functions_of_parameters_follow_their_values() {
    let text = "x[k+1] = x[k] - a*grad f(x[k]) + sqrt(a)*(x[k] - x[k-1])";
    let put = |text: &str, value: &str| written(text, &Request { set: vec![value.to_string()], ..Request::default() });
    let at_four = put(text, "a=4").unwrap();
    assert_eq!(at_four, "x[k+1] = 3*x[k] - 2*x[k-1] - 4*grad f(x[k])\n");
    let at_five = put(text, "a=5").unwrap();
    assert!(at_five.contains("sqrt(5)") && !at_five.contains("sqrt(a)"), "{at_five}");
    assert_eq!(relation(&at_five, "x[k+1] = x[k] - 5*grad f(x[k]) + sqrt(5)*(x[k] - x[k-1])"), "oracle equal [0]");
    assert!(put(text, "a=b^2 + 1").unwrap().contains("sqrt(b^2 + 1)"));
    assert!(put(text, "a=-1").unwrap_err().contains("`sqrt(a)` is no real number"));
    let text = "x[k+1] = x[k] - log(a)*grad f(x[k]) + exp(b)*(x[k] - x[k-1])";
    assert_eq!(put(text, "b=0").unwrap(), "x[k+1] = 2*x[k] - x[k-1] - log(a)*grad f(x[k])\n");
    assert!(put(text, "a=0").unwrap_err().contains("`log(a)` is no real number"));
    let both = "x[k+1] = x[k] - sqrt(a)*grad f(x[k]) + sqrt(b)*(x[k] - x[k-1])";
    assert!(!put(both, "b=a").unwrap().contains('b'));
}

#[test]
fn names_that_are_taken_are_no_numbers() {
    let text = "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    for (value, what) in
        [("t=k", "the index"), ("t=s", "an iterate"), ("t=f", "a function"), ("t=1/(2*x)", "an iterate")]
    {
        let message = written(text, &Request { set: vec![value.to_string()], ..Request::default() }).unwrap_err();
        assert!(message.contains(what), "{value}: {message}");
    }
    let request = Request { filter: vec!["f=1/(k-z)".to_string()], ..Request::default() };
    assert!(written(text, &request).unwrap_err().contains("the index"));
    let request = Request { oracles: Some("prox_{k f}, prox_{t g}".to_string()), ..Request::default() };
    assert!(written(text, &request).unwrap_err().contains("the index"));
    let free = written(text, &Request { set: vec!["t=w".to_string()], ..Request::default() }).unwrap();
    assert_eq!(relation(&free, &text.replace("{t ", "{w ")), "oracle equal [0, 0]");
}

#[test]
fn values_without_a_meaning_are_refused() {
    let text = "x[k+1] = proj_C(x[k] - t*grad f(x[k]))";
    let put = |text: &str, value: &str| written(text, &Request { set: vec![value.to_string()], ..Request::default() });
    assert!(put(text, "A=I").unwrap_err().contains("no operator, parameter or function `A`"));
    assert!(put(text, "C=0").unwrap_err().contains("`C` is a set"));
    assert_eq!(put(text, "C=all").unwrap(), "x[k+1] = x[k] - t*grad f(x[k])\n");
    assert!(put(text, "C={0}").unwrap().contains("grad f(0)"));
    assert!(put("x[k+1] = prox_{t g}(x[k])", "t=-1").unwrap_err().contains("not positive"));
    assert!(put("x[k+1] = prox_{t g}(x[k])", "g=0").unwrap_err().contains("no oracle is called"));
    let request = Request { delete: vec!["g".to_string()], ..Request::default() };
    assert!(written("x[k+1] = prox_{t g}(x[k])", &request).unwrap_err().contains("no oracle is called"));
}

#[test]
fn only_explicit_shifts_are_offered() {
    let Some(Given::Improper(matrix)) =
        read("H = [[0, z], [1/z, 0]]\noracles: grad f, grad g", Coefficients::AsWritten).given
    else {
        panic!("it is improper")
    };
    assert!(!report::improper(&matrix).help.unwrap_or_default().to_string().contains("--shift"));
}

#[test]
fn diagonal_matrices() {
    from_matrix("H = diag((z-1)**5/z**6, z**5/(z-1)**6)\noracles: prox_f, prox_g", 12);
    assert_eq!(from_matrix("H = diag(-t/(z-1))\noracles: grad f", 1), from_matrix("H = -t/(z-1)\noracles: grad f", 1));
    let message = |text: &str| read(text, Coefficients::AsWritten).diagnostics[0].message.clone();
    assert_eq!(
        message("H = [[1/z, 0]]\noracles: prox_f"),
        "there is 1 oracle, so H has 1 entry, not 1 row of 2 entries"
    );
    assert!(message("H = diag(1/z, )\noracles: prox_f, prox_g").contains("missing"));
}

/// Where coefficients do not commute or change with the index, calls are moved, and nothing else.
#[test]
fn calls_are_moved_where_nothing_commutes() {
    let varying = "x[k] = prox_{t[k] f}(s[k]); y[k] = prox_{t[k] g}(2*x[k] - s[k]); s[k+1] = s[k] + a[k]*(y[k] - x[k])";
    let operators = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - t*(A'*u[k] + B'*v[k]); \
        u[k+1] = prox_{s f*}(u[k] + s*A*x[k+1]); v[k+1] = prox_{s g*}(v[k] + s*B*(2*x[k+1] - x[k]))";
    for text in [varying, operators] {
        let draft = read(text, Coefficients::AsWritten);
        let given = draft.given.unwrap();
        let (found, assumptions) = forms_of(&given, &Request::default(), false).unwrap();
        assert!(assumptions.is_empty() && found.list.iter().any(|f| f.shift.iter().any(|m| *m > 0)), "{text}");
        for form in &found.list {
            let written = report::plain(form.program());
            let told = relation(text, &written);
            assert!(told.starts_with("oracle equal") || told.starts_with("shift equal"), "{told}\n{written}");
            let shift: Vec<String> = form.shift.iter().map(i64::to_string).collect();
            let request = Request { shift: Some(shift.join(",")), ..Request::default() };
            assert_eq!(forms_of(&given, &request, false).unwrap().0.list.len(), 1);
        }
        for request in [
            Request { filter: vec!["f=1/(z-a)".to_string()], ..Request::default() },
            Request { shift: Some("9,0".to_string()), ..Request::default() },
        ] {
            assert!(forms_of(&given, &request, false).is_err(), "{text}");
        }
    }
}

/// A matrix in many parameters is realized by chains of states.
#[test]
fn matrices_in_many_parameters() {
    let text = "H = [[-(a*z^3+b*z^2+c*z+d)/((z-1)*(z-p)*(z-q)*(z-r)), 1/(z-s)], \
        [(z-a)/((z-b)*(z-c)), 1/((z-1)*(z-s)*(z-a))]]; oracles: grad f, grad g";
    let draft = read(text, Coefficients::AsWritten);
    let Some(Given::Commuting(model)) = draft.given else { panic!("{:?}", draft.diagnostics) };
    assert_eq!(model.order(), 9);
    let realized = linnaeus::synthesis::realize(&Given::Commuting(model), None).unwrap();
    assert_eq!(realized.program.stored(), 9);
}

#[test]
fn inverses_numbers_and_maps() {
    let realized = |text: &str| linnaeus::synthesis::realize(&Given::Commuting(model(text)), None).unwrap();
    let inverse = report::inverse_text(&realized("x[k+1] = x[k] - t*subgrad f(x[k+1])")).unwrap();
    assert!(inverse.contains("H^-1 = [[-(z - 1)/(t*z)]]"), "{inverse}");
    assert!(
        report::inverse_text(&realized("x[k+1] = x[k] - t*grad f(x[k])"))
            .unwrap_err()
            .message
            .contains("no proper inverse")
    );
    let numbers = "x[k+1] = 2*x[k] - w[k] - 1/10*grad f(2*x[k] - w[k]); w[k+1] = x[k]";
    let told = report::numeric_text(&realized(numbers), 1e-6).unwrap();
    assert!(told.contains("2 exactly, 2 in floating point") && told.contains("1e-6 of the largest"), "{told}");
    assert!(report::numeric_text(&realized(numbers), 0.5).unwrap().contains("1 in floating point"));
    assert!(report::numeric_text(&realized("x[k+1] = x[k] - t*grad f(x[k])"), 1e-6).is_err());
    let text = "x[k+1] = 3*x[k] - 2*w[k] + 1/5*grad f(-x[k] + 2*w[k]); w[k+1] = x[k]";
    assert!(report::map_text(&model(text), &realized(text)).unwrap().contains("= x_text[k] - 2*w[k]\n"));
    // Operators are put back.
    let text = "operator A: X -> Y; x[k] = prox_{tau f}(z[k])
        s[k+1] = prox_{sigma g*}(s[k] + sigma*A*(2*x[k] - z[k] - tau*grad h(x[k]) - tau*A'*s[k]))
        z[k+1] = x[k] - tau*grad h(x[k]) - tau*A'*s[k+1]";
    for (state, line) in [
        (Coordinates::Answers, "= tau*A'*s[k] + z[k]\n"),
        (Coordinates::Queries, "= (I - sigma*tau*A*A')*s[k] - sigma*A*z[k]\n"),
    ] {
        let realized = linnaeus::synthesis::realize(&Given::Commuting(model(text)), Some(state)).unwrap();
        let told = report::map_text(&model(text), &realized).unwrap();
        assert!(told.contains(line), "{told}");
    }
}

/// Several iterations as one cost no more than so many iterations, and what is printed makes the same calls.
/// Whether two models have one H, in whatever order their parameters are named.
fn same_transfer(a: &Commuting, b: &Commuting) -> bool {
    let place = |name: &String| a.system.parameters.iter().position(|p| p == name).map(parameter);
    let named = |v: Variable| b.system.parameters.get(v.0 as usize).and_then(place).unwrap_or(v);
    let calls: Vec<usize> = (0..a.calls()).collect();
    let [h, g] = [a, b].map(|m| m.transfer().unwrap().submatrix(&calls, &calls));
    h == g.map(|e| e.rename(&named))
}

#[test]
fn repetitions_are_iterations_one_after_the_other() {
    const TEXTS: [&str; 6] = [
        "x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])",
        "v[k+1] = m*v[k] + (1 - tau)*grad f(x[k]) + wd*x[k]; x[k+1] = x[k] - g*v[k+1]",
        "x1[k+1] = prox_{t f}(x3[k]); x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k]); x3[k+1] = x3[k] + x2[k+1] - x1[k+1]",
        "operator A: X -> Y; x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))",
        "constant b; x[k+1] = x[k] - t*grad f(x[k] - b) + b",
        "y[k+1] = x[k] - grad f(x[k]); x[k+1] = y[k+1] + beta*(y[k+1] - y[k])",
    ];
    for text in TEXTS {
        let draft = read(text, Coefficients::AsWritten);
        let given = draft.given.expect("it is read");
        let single = forms_of(&given, &Request::default(), true).unwrap().0.list.remove(0);
        for n in [1, 2, 3, 5] {
            let request = Request { repeat: Some(n), ..Request::default() };
            let (found, _) = forms_of(&given, &request, true).unwrap();
            let first = &found.list[0];
            let cost = |f: &linnaeus::synthesis::Form| f.program().cost.total();
            assert!(cost(first) <= n * cost(&single), "{text}\n{}", report::plain(first.program()));
            assert!(first.program().stored() <= single.program().stored(), "{text}");
            let wanted = request.grant_given(&given).unwrap().model;
            for form in found.list.iter().filter(|f| f.shift.iter().all(|m| *m == 0)) {
                let written = report::plain(form.program());
                assert!(same_transfer(&wanted, &model(&written)), "{text}, {n} times\n{written}");
            }
        }
    }
}

/// What is set is put into H, and only then a state is chosen.
#[test]
fn values_are_put_into_matrices() {
    let put = |text: &str, set: &[&str]| {
        let request = Request { set: set.iter().map(|s| s.to_string()).collect(), ..Request::default() };
        let draft = read(text, Coefficients::AsWritten);
        let granted =
            request.grant_given(&draft.given.expect("it is read")).map_err(|d| d.diagnostic.message.clone())?;
        let realized = linnaeus::synthesis::realize(&Given::Commuting(granted.model), None).unwrap();
        Ok::<_, String>(report::plain(&realized.program))
    };
    let h = |text: &str| report::transfer(&model(text), Script::Plain).unwrap().scalar;
    // A list of queries to come divides by a.
    let text = "H = [[a/(z*(z-1)), b/(z-1)], [b/(z-2), 1/z]]; oracles: grad f, grad g";
    for (set, wanted) in [
        (vec!["a=0"], "H = [[0, b/(z-1)], [b/(z-2), 1/z]]"),
        (vec!["b=0"], "H = [[a/(z*(z-1)), 0], [0, 1/z]]"),
        (vec!["a=0", "b=0"], "H = [[0, 0], [0, 1/z]]"),
    ] {
        let written = put(text, &set).unwrap_or_else(|why| panic!("{set:?}: {why}"));
        assert_eq!(h(&written), h(&format!("{wanted}; oracles: grad f, grad g")), "{set:?}\n{written}");
    }
    let momentum = "H = [[-(a*z - a + b)/((z - 1)*(z - c))]]; oracles: grad f";
    assert_eq!(put(momentum, &["b=a*(1 - c)"]).unwrap(), "x[k+1] = x[k] - a*grad f(x[k])\n");
    // What grows with z does not for some values, and the other way round.
    assert_eq!(
        put("H = [[(eps*z^2 + 1)/(z - 1)]]; oracles: grad f", &["eps=0"]).unwrap(),
        "x[k+1] = x[k] + grad f(x[k])\n"
    );
    let why = put("H = [[(z + 1)/(eps*z + 1)]]; oracles: grad f", &["eps=0"]).unwrap_err();
    assert!(why.contains("grows with z"), "{why}");
    let why = put("H = [[1/(eps*(z - 1))]]; oracles: grad f", &["eps=0"]).unwrap_err();
    assert!(why.contains("denominator is zero"), "{why}");
    // Functions and operators, where a matrix grows.
    assert_eq!(
        put("H = [[1/(z-1), z], [0, 0]]; oracles: grad f, prox_g", &["g=0"]).unwrap(),
        "x[k+1] = x[k] + grad f(x[k])\n"
    );
    let typed = "operator A: X -> Y; H = [[0, -A'/(z-1)], [A/z, 0]]; oracles: grad f, grad g";
    assert!(!put(typed, &["A=I"]).unwrap().contains('A'));
}

/// z is the transform variable of a matrix and nothing else: no parameter, and a name like any other for a vector.
#[test]
fn z_is_no_parameter_of_a_matrix() {
    for text in ["H = [[-t/(z-1)]]; oracles: prox_{s f}", "oracles: prox_{s f}; H = [[-t*q/(z-q)]]"] {
        let model = model(text);
        assert!(!model.system.parameters.contains(&"z".to_string()), "{:?}", model.system.parameters);
        let request = Request { set: vec!["z=2".to_string()], ..Request::default() };
        let denied = request.grant(&model).unwrap_err();
        assert!(denied.diagnostic.message.contains("no operator, parameter or function `z`"));
        let request = Request { set: vec!["t=1/3".to_string(), "s=t".to_string()], ..Request::default() };
        let put = request.grant(&model).unwrap().model;
        assert!(report::oracles(&put)[0].contains("{t f}"), "{:?}", report::oracles(&put));
    }
    let draft = read("H = [[sqrt(z)/(z-1)]]; oracles: grad f", Coefficients::AsWritten);
    assert!(draft.given.is_none() && draft.diagnostics[0].message.contains("quotient of polynomials in z"));
}

/// No operator is inverted where another state needs no inverse.
#[test]
fn states_of_matrices_need_no_inverses() {
    for text in [
        "operator A: X -> X; H = [[A/(z*(z-1)), 1/(z-1)], [1/(z-2), 1/z]]; oracles: grad f, grad g",
        "operator A: X -> Y; H = [[1/(z-1), A'*(z-2)/(z-1)^2], [A/z, 0]]; oracles: prox_f, prox_g",
        "operator W: X -> X; H = [[inv(z*I - W)*W/z, W^2/z], [1/z, W/(z-1)]]; oracles: grad f, grad g",
    ] {
        let realized = linnaeus::synthesis::realize(&Given::Commuting(model(text)), None).unwrap();
        let written = report::plain(&realized.program);
        assert_eq!(realized.program.cost.inversions, 0, "{text}\n{written}");
        let h = |text: &str| report::transfer(&model(text), Script::Plain).unwrap().scalar;
        assert_eq!(h(&written), h(text), "{written}");
    }
}

/// The best form does not depend on which multiple of the state a text stores, or whether it is H.
#[test]
fn the_best_form_has_the_best_multiple_of_the_state() {
    let texts = [
        "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]",
        "w[k] = prox_{t f}(2*r[k]); v[k] = prox_{t g}(2*w[k] - 2*r[k]); r[k+1] = r[k] + v[k]/2 - w[k]/2",
        "w[k] = prox_{t f}(c*r[k]); v[k] = prox_{t g}(2*w[k] - c*r[k]); r[k+1] = r[k] + v[k]/c - w[k]/c",
        "H = [[-1/(z-1), 1/(z-1)], [(2*z-1)/(z-1), -1/(z-1)]]; oracles: prox_{t f}, prox_{t g}",
    ];
    for text in texts {
        let found = forms(&model(text), &Freedom::default());
        let cost = found.list[0].program().cost;
        assert_eq!((found.list[0].program().stored(), cost.additions, cost.scalings), (1, 3, 1), "{}", best(&found));
    }
    // In oracles of the conjugates the state is a multiple of the one as written.
    let found = granted(texts[0], &Request { dual: true, ..Request::default() });
    let cost = found.list[0].program().cost;
    assert_eq!((cost.additions, cost.scalings), (3, 1), "{}", best(&found));
}

/// Two iterations with an operator, calls moved: a query and an answer of `argmin` are of different sizes before the start.
#[test]
fn two_iterations_with_an_operator_are_known() {
    let one = "operator A: X -> Y; x[k+1] = argmin_{rho f}(v[k] - u[k]); v[k+1] = prox_{(1/rho) g}(A*x[k+1] + u[k]); \
        u[k+1] = u[k] + A*x[k+1] - v[k+1]";
    let two = "operator A: X -> Y; r[k] = prox_{(1/rho) g}(x[k]); y[k] = x[k] - r[k] + A*argmin_{rho f}(2*r[k] - x[k]); \
        p[k] = prox_{(1/rho) g}(y[k]); x[k+1] = y[k] - p[k] + A*argmin_{rho f}(2*p[k] - y[k])";
    assert!(relation(one, two).starts_with("repetition"), "{}", relation(one, two));
    assert!(relation(two, one).starts_with("repetition"), "{}", relation(two, one));
}

#[test]
fn velocity_is_the_cheapest_state_of_heavy_ball() {
    let found = granted("x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])", &Request::default());
    assert_eq!(found.list[0].program().cost.total(), 4);
    let again = best(&found);
    assert!(relation("x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])", &again).starts_with("oracle"), "{again}");
}

const CONDAT_VU: &str = "x[k+1] = prox_{tau f}(x[k] - tau*grad h(x[k]) - tau*A'*y[k]); \
    y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))";

#[test]
fn queries_to_come_that_need_no_inverse_are_stored() {
    let given = Given::Commuting(model(CONDAT_VU));
    for coordinates in [Coordinates::Queries, Coordinates::Answers] {
        let realized = linnaeus::synthesis::realize(&given, Some(coordinates)).unwrap();
        let text = report::plain(&realized.program);
        assert_eq!((realized.program.stored(), text.contains("inv(")), (2, false), "{text}");
        assert!(relation(CONDAT_VU, &text).starts_with("oracle"), "{text}");
    }
}

#[test]
fn calls_are_printed_in_the_order_of_the_text() {
    let text = "c[k] = proj_C(x[k]) - (1/beta)*(proj_C(x[k]) - x[k]); d[k] = proj_D(x[k]) + (1/beta)*(proj_D(x[k]) - x[k]); \
        x[k+1] = x[k] + beta*(proj_C(d[k]) - proj_D(c[k]))";
    let realized = linnaeus::synthesis::realize(&Given::Commuting(model(text)), None).unwrap();
    assert_eq!(realized.program.order, [0, 1, 2, 3]);
    let again = model(&report::plain(&realized.program));
    assert_eq!(again.transfer().unwrap(), model(text).transfer().unwrap());
}

#[test]
fn capitals_in_a_matrix_follow_one_rule() {
    let told = |text: &str| {
        let draft = read(text, Coefficients::AsWritten);
        let Some(Given::Commuting(model)) = &draft.given else { panic!("{:?}", draft.diagnostics) };
        let notes: String = draft.diagnostics.iter().map(|d| d.render(&draft.source)).collect();
        (model.system.operators.len(), notes)
    };
    for (text, operators, note) in [
        ("H = [[W/(z-1)]]; oracles: grad f", 1, "declare `param W`"),
        ("H = [[1/(z-W)]]; oracles: grad f", 1, "declare `param W`"),
        ("H = [[-2*a*(z - 1)/(2*z**2 - (2*W + 2)*z + W + 1)]]; oracles: grad f", 1, "declare `param W`"),
        ("H = [[-1/(L*(z-1))]]; oracles: grad f", 0, "declare `operator L: X -> X`"),
        ("H = [[-1/(L*z - L)]]; oracles: grad f", 0, "declare `operator L: X -> X`"),
        ("H = [[(L - m)/(L*(z - 1 + W))]]; oracles: grad f", 1, "declare `operator L: X -> X`"),
        ("param W; H = [[1/(z-W)]]; oracles: grad f", 0, ""),
        ("H = [[-sqrt(L)/(z-1)]]; oracles: grad f", 0, "declare `operator L: X -> X`"),
        ("H = [[-1/(L(z-1))]]; oracles: grad f", 0, "declare `operator L: X -> X`"),
        ("H = [[W(z-2)/(z-1)]]; oracles: grad f", 1, "declare `param W`"),
        ("operator A: X -> Y; H = [[-A'*A/(z - 1 - A'*A)]]; oracles: grad f", 1, ""),
    ] {
        let (found, notes) = told(text);
        assert!(found == operators && notes.contains(note) && !notes.contains('~'), "{text}: {found}\n{notes}");
        assert!(!note.is_empty() || notes.is_empty(), "{text}\n{notes}");
    }
}

#[test]
fn oracles_that_make_a_text_implicit_are_answered_with_others() {
    let text = "u[k] = prox_{t f}(x[k]); x[k+1] = x[k] - u[k] + prox_{t g}(2*u[k] - x[k])";
    let draft = read(text, Coefficients::AsWritten);
    for asked in ["subgrad f, subgrad g", "prox_{s f}, prox_{r g}"] {
        let request = Request { oracles: Some(asked.to_string()), ..Request::default() };
        let granted = request.grant_given(draft.given.as_ref().unwrap()).unwrap();
        let realized = linnaeus::synthesis::realize(&Given::Commuting(granted.model), None).unwrap();
        let Some(found) = report::implicit(&realized, draft.given.as_ref()) else { panic!("{asked} is explicit") };
        let help = found.help.unwrap().to_string();
        assert!(help.contains("--oracles"), "{asked}: {help}");
    }
}

#[test]
fn one_call_that_is_given_two_rows_is_told_of() {
    for (text, count) in [
        ("H = [[1/(z-1), 1/(z-1)], [1/(z-1), 1/(z-1)]]; oracles: prox_f, prox_f", 1),
        ("H = [[1/(z-1), 1/z], [1/(z*(z-1)), 1/z^2]]; oracles: prox_f, prox_f", 1),
        ("H = [[1/(z-1), 1/z], [1/(z-1), 1/z]]; oracles: prox_f, prox_g", 0),
        ("H = [[1/(z-1), 1/z], [2/(z-1), 2/z]]; oracles: prox_f, prox_f", 0),
    ] {
        assert_eq!(read(text, Coefficients::AsWritten).diagnostics.len(), count, "{text}");
    }
}

const TWO_OPERATORS: &str = "operator A: X -> Y; operator B: X -> Z; \
    x[k+1] = x[k] - tau*(grad h(x[k]) + A'*u[k] + B'*v[k]); \
    u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k])); \
    v[k+1] = prox_{sigma g*}(v[k] + sigma*B*(2*x[k+1] - x[k]))";

/// What needs no coefficients to commute is done where they do not: the outcome is the algorithm that one writes by hand.
#[test]
fn values_and_oracles_where_nothing_commutes() {
    let varying = "y[k] = x[k] + b[k]*(x[k] - x[k-1]); x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
    let set = |text: &str| Request { set: vec![text.to_string()], ..Request::default() };
    let identity = TWO_OPERATORS.replace("operator A: X -> Y; ", "").replace("A'*", "").replace("A*", "");
    let without = TWO_OPERATORS.replace("grad h(x[k]) + ", "");
    let exchanged = TWO_OPERATORS.replace("f*", "q*").replace("g*", "f*").replace("q*", "g*");
    let moreau = TWO_OPERATORS.replace(
        "u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k]))",
        "e[k] = u[k] + sigma*A*(2*x[k+1] - x[k]); u[k+1] = e[k] - sigma*prox_{1/sigma f}(e[k]/sigma)",
    );
    for (text, request, expected) in [
        (TWO_OPERATORS, set("A=I"), identity),
        (TWO_OPERATORS, set("tau=1/2"), TWO_OPERATORS.replace("tau", "1/2")),
        (TWO_OPERATORS, set("h=0"), without),
        (TWO_OPERATORS, Request { permute: vec!["f,g".into()], ..Request::default() }, exchanged),
        (TWO_OPERATORS, Request { conjugate: vec!["f".into()], ..Request::default() }, moreau),
        (varying, set("s=1/2"), varying.replace("{s g}", "{1/2 g}").replace("s*grad", "1/2*grad")),
        (varying, set("g=0"), varying.replace("prox_{s g}", "")),
        (
            varying,
            Request { conjugate: vec!["g".into()], ..Request::default() },
            "y[k] = x[k] + b[k]*(x[k] - x[k-1]); e[k] = y[k] - s*grad f(y[k]); \
             x[k+1] = e[k] - s*prox_{1/s g*}(e[k]/s)"
                .to_string(),
        ),
    ] {
        let given = read(text, Coefficients::AsWritten).given.unwrap();
        let (found, _) =
            forms_of(&given, &request, true).unwrap_or_else(|d| panic!("{}", d.diagnostic.render(&d.source)));
        let written = report::plain(found.list[0].program());
        let told = relation(&expected, &written);
        assert!(told.starts_with("oracle equal") || told.starts_with("shift equal"), "{told}\n{expected}\n{written}");
    }
    // What is declared and does not occur changes nothing.
    let unused =
        "operator A: X -> Y; operator B: X -> Z; x[k+1] = prox_{t f}(x[k] - t*A'*A*x[k]); q[k+1] = q[k] + x[k]";
    assert_eq!(
        forms_of(&Given::Commuting(model(unused)), &Request::default(), true).unwrap().0.list[0].program().stored(),
        1
    );
}

/// What several lines need is computed once, and no algorithm costs more than its text: stored vectors, additions,
/// scalings, operators.
#[test]
fn no_form_is_dearer_than_the_text() {
    let pd3o = "x[k] = prox_{tau f}(z[k]); \
        s[k+1] = prox_{sigma g*}((I - tau*sigma*A*A')*s[k] + sigma*A*(2*x[k] - z[k] - tau*grad h(x[k]))); \
        z[k+1] = x[k] - tau*grad h(x[k]) - tau*A'*s[k+1]";
    let svl = "v[k] = (I - W)*x[k]; y[k] = x[k] - delta*v[k]; \
        x[k+1] = x[k] + beta*w[k] - alpha*grad f(y[k]) - gamma*v[k]; w[k+1] = w[k] - v[k]";
    let diffusion = "operator W: X -> X symmetric; x[k+1] = w[k] - alpha*grad f(w[k]); \
        y[k] = x[k+1] + w[k] - x[k]; w[k+1] = W*y[k]";
    let shifted = Request { shift: Some("0,1,1".to_string()), ..Request::default() };
    let deleted = Request { delete: vec!["f".to_string()], ..Request::default() };
    let shifted_text = "u[k] = grad h(x[k]); q[k] = x[k] - tau*u[k]; s[k+1] = prox_{sigma g*}(v[k] + sigma*A*(x[k] + q[k])); \
        x[k+1] = prox_{tau f}(q[k] - tau*A'*s[k+1]); v[k+1] = s[k+1] - sigma*A*q[k]";
    for (text, request, dearest) in [
        (TWO_OPERATORS, Request::default(), [3, 7, 5, 4]),
        (svl, Request::default(), [2, 6, 4, 1]),
        (diffusion, Request::default(), [2, 3, 1, 1]),
        (pd3o, Request::default(), [2, 5, 3, 2]),
        (pd3o, shifted, [2, 5, 4, 3]),
        (pd3o, deleted, [1, 2, 1, 1]),
        (shifted_text, Request::default(), [2, 5, 4, 3]),
    ] {
        let given = read(text, Coefficients::AsWritten).given.unwrap();
        let (found, _) = forms_of(&given, &request, true).unwrap();
        let cost =
            |p: &linnaeus::synthesis::Program| [p.stored(), p.cost.additions, p.cost.scalings, p.cost.applications];
        let (program, weight) = (found.list[0].program(), |c: [usize; 4]| c[1] + c[2] + 4 * c[3]);
        let own = cost(program);
        assert!(
            own[0] <= dearest[0] && weight(own) <= weight(dearest),
            "{own:?} {dearest:?}\n{}",
            report::plain(program)
        );
        if request.is_empty() {
            let text = linnaeus::synthesis::realize(&given, Some(Coordinates::AsWritten)).unwrap();
            let own = linnaeus::synthesis::realize(&given, None).unwrap();
            assert!(own.program.cost.total() <= text.program.cost.total(), "{}", report::plain(&own.program));
        }
    }
    // The text is listed beside a cheaper form of the same size.
    let (found, _) = forms_of(&Given::Commuting(model(pd3o)), &Request::default(), true).unwrap();
    let written = found.list.iter().filter(|f| f.shift == [0, 0, 0]);
    assert_eq!(written.map(|f| f.realized.coordinates.word()).collect::<Vec<_>>(), ["minimal", "as-written"]);
}

/// A transfer matrix with its oracles is an algorithm wherever one is read.
#[test]
fn a_matrix_is_read_as_an_algorithm() {
    let written = "x[k+1] = x[k] - t*grad f(x[k])";
    for matrix in [
        "H = [[-t/(z-1)]]; oracles: grad f",
        "H(z) = [[-t/(z-1)]]\noracles: grad f",
        "H(z) = -t/(z-1); oracles: grad f",
    ] {
        assert_eq!(relation(written, matrix), "oracle equal [0]", "{matrix}");
    }
    let refused = linnaeus::read("H = [[-t/(z-1)]]; oracles: foo f");
    let messages: Vec<&str> = refused.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["this is no oracle"]);
    assert_eq!(refused.source.slice(refused.diagnostics[0].span), "foo f");
}

/// Adjoints are put back in the inverse, and its matrices are not called what an operator is called.
#[test]
fn the_inverse_is_well_typed() {
    let text = "operator A: X -> Y; H = [[1, -A'/z],[A/z, 1]]; oracles: prox_f, prox_g";
    let mut draft = read(text, Coefficients::AsWritten);
    let given = draft.given.clone().unwrap();
    let realized = report::write_draft(&mut draft, &given, None).unwrap();
    let inverse = report::inverse_text(&realized).unwrap();
    assert!(inverse.contains("A_inverse = [") && inverse.contains("A'"), "{inverse}");
    assert!(!inverse.contains("A^2") && inverse.contains("A'*A"), "{inverse}");
}

/// y = x − t F(y) is J_{t F}(x): an implicit black box has its resolvent.
#[test]
fn an_implicit_black_box_is_a_resolvent() {
    for (text, oracles) in [
        ("x[k+1] = x[k] - t*F(x[k+1])", "J_{t F}"),
        ("x[k+1] = 4/3*x[k] - 1/3*x[k-1] + 2/3*h*F(x[k+1])", "J_{(-2*h/3) F}"),
        ("x[k+1] = x[k] - h*grad f(x[k]) - h*(B(x[k]) + B(x[k+1]))/2", "grad f, J_{(h/2) B}"),
    ] {
        let own = Given::Commuting(model(text));
        let realized = linnaeus::synthesis::realize(&own, None).unwrap();
        let offered = realized.implicit(&[]).unwrap().expect("implicit").oracles.expect("a resolvent");
        let request = Request { oracles: Some(oracles.to_string()), ..Request::default() };
        let named = request.grant(&model(text)).unwrap_or_else(|d| panic!("{}", d.diagnostic.render(&d.source)));
        let named: Vec<Oracle> = named.model.ports.iter().map(|p| p.oracle.clone()).collect();
        assert_eq!(offered, named, "{text}");
        let (found, _) = forms_of(&own, &Request::default(), false).unwrap();
        let written = best(&found);
        assert!(relation(text, &written).starts_with("lft"), "{text}\n{written}");
        assert!(relation(text, &best(&granted(text, &request))).starts_with("lft"), "{text}");
    }
    let back = Request { oracles: Some("F".to_string()), ..Request::default() };
    let found = granted("x[k+1] = J_{t F}(x[k])", &back);
    assert!(!found.list[0].is_explicit());
    assert!(relation("x[k+1] = J_{t F}(x[k])", &report::plain(found.list[0].program())).starts_with("lft"));
    // A number that is not positive is no step, and what answers elsewhere has no resolvent.
    for text in [
        "x[k+1] = x[k] + 1/2*F(x[k+1])",
        "operator A: X -> Y; oracle F: X -> Y; x[k+1] = x[k] - t*A'*F(x[k+1])",
        "operator W: X -> X; x[k+1] = x[k] - t*W*F(x[k+1])",
    ] {
        let realized = linnaeus::synthesis::realize(&Given::Commuting(model(text)), None).unwrap();
        assert!(realized.implicit(&[]).unwrap().expect("implicit").oracles.is_none(), "{text}");
    }
    let elsewhere = "operator A: X -> Y; oracle F: X -> Y; x[k+1] = x[k] - t*A'*F(x[k])";
    let request = Request { oracles: Some("J_{t F}".to_string()), ..Request::default() };
    assert!(request.grant(&model(elsewhere)).is_err());
}

/// A step is a number: a loop over an operator is no prox.
#[test]
fn operators_are_no_steps() {
    for text in [
        "operator A: X -> Y; x[k+1] = x[k] - t*A'*A*grad f(x[k+1])",
        "operator W: X -> X symmetric; x[k+1] = x[k] - W*grad f(x[k+1])",
    ] {
        let found = forms(&model(text), &Freedom::default());
        assert!(!found.list.is_empty() && found.list.iter().all(|f| !f.is_explicit()), "{text}");
        let oracles = found.list.iter().flat_map(|f| &f.oracles);
        assert!(oracles.into_iter().all(|o| o.step.is_one()), "{text}");
    }
}

/// Where operators do not commute several iterations are one iteration written so many times.
#[test]
fn iterations_are_repeated_where_operators_do_not_commute() {
    let constant = "operators V, W: X -> X; constant b: X; x[k+1] = V*W*x[k] - t*V*(grad f(x[k]) - b)";
    let two = "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - tau*(grad h(x[k]) + A'*u[k] + B'*v[k]); \
        u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k])); v[k+1] = prox_{sigma g*}(v[k] + sigma*B*(2*x[k+1] - x[k]))";
    for (text, n) in [(two, 2), (constant, 3)] {
        let given = read(text, Coefficients::AsWritten).given.expect("a good text");
        let request = Request { repeat: Some(n), ..Request::default() };
        let (found, _) = forms_of(&given, &request, true).unwrap_or_else(|d| panic!("{}", d.diagnostic.message));
        let one = forms_of(&given, &Request::default(), true).unwrap().0;
        let (first, single) = (&found.list[0], &one.list[0]);
        assert_eq!(first.program().stored(), single.program().stored(), "{text}");
        assert!(first.program().cost.total() <= n * single.program().cost.total(), "{text}");
        assert!(relation(text, &best(&found)).starts_with("repetition"), "{}", best(&found));
    }
    let varying = "y[k] = x[k] + k/(k+3)*(x[k] - x[k-1]); x[k+1] = y[k] - t*grad f(y[k])";
    for (text, request) in [
        (varying, Request { repeat: Some(2), ..Request::default() }),
        (two, Request { repeat: Some(99), ..Request::default() }),
        (two, Request { filter: vec!["h=1/(z-a)".to_string()], ..Request::default() }),
    ] {
        let given = read(text, Coefficients::AsWritten).given.expect("a good text");
        assert!(forms_of(&given, &request, true).is_err(), "{text}");
    }
}

/// What no query reads is left out also where operators do not commute.
#[test]
fn onlookers_are_left_out_where_operators_do_not_commute() {
    let text = "operators V, W: X -> X; x[k+1] = V*W*x[k] - t*V*grad f(x[k]); y[k+1] = y[k] + V*x[k]";
    let given = read(text, Coefficients::AsWritten).given.expect("a good text");
    let written = |state| linnaeus::synthesis::realize(&given, state).unwrap().program;
    assert_eq!((written(None).stored(), written(Some(Coordinates::AsWritten)).stored()), (1, 2));
    assert!(relation(text, &report::plain(&written(None))).starts_with("oracle equal"));
}
