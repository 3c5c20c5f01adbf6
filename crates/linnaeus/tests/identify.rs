//! `identify` on every card of the zoo: as it stands, and rewritten at random.

mod support;

use linnaeus::relation::{Relation, Verdict, compare};
use linnaeus::report::{self, Palette};
use linnaeus::zoo::{Animal, Finding, Group, Identification, Inquiry, Match, Zoo, identify};
use std::collections::{BTreeMap, BTreeSet};
use support::disguise::{Disguise, Step};
use support::random::Random;

fn ask<'z>(zoo: &'z Zoo, text: &str) -> Identification<'z> {
    let reading = linnaeus::read(text);
    let analysis = reading.analysis.as_ref().unwrap_or_else(|| panic!("{text}\n{:?}", reading.diagnostics));
    identify(zoo, &reading.source, analysis)
}

/// The cards that are asked about in one of so many tests that run side by side.
fn share(zoo: &Zoo, part: usize) -> impl Iterator<Item = &Animal> {
    zoo.animals().iter().skip(part).step_by(PARTS)
}

const PARTS: usize = 4;

/// Every card finds itself first, and every card that is recorded as related.
fn finds_its_relations(part: usize) {
    let zoo = Zoo::embedded();
    let mut related: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for edge in zoo.relations() {
        related.entry(&edge.first).or_default().insert(&edge.second);
        related.entry(&edge.second).or_default().insert(&edge.first);
    }
    let mut wrong = Vec::new();
    for animal in share(&zoo, part) {
        let slug = &animal.card.slug;
        let found = ask(&zoo, &animal.card.equations);
        let first = found.matches.first().map_or("none", |m| m.animal.card.slug.as_str());
        if slug != first {
            wrong.push(format!("{slug} finds {first} first"));
        }
        let ids: BTreeSet<&str> = found.matches.iter().map(|m| m.animal.card.id.as_str()).collect();
        let missing = related.get(animal.card.id.as_str()).into_iter().flatten().filter(|id| !ids.contains(*id));
        wrong.extend(missing.map(|id| format!("{slug} misses {}", zoo.find(id).map_or(*id, |a| &a.card.slug))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every card with constant coefficients, rewritten at random, finds itself. Some rewritings of rewritings
/// are no algorithms any more and are skipped.
fn is_found_in_disguise(part: usize) {
    const STEPS: [Step; 6] =
        [Step::Coordinates, Step::Uncontrolled, Step::Wording, Step::Exchange, Step::Conjugate, Step::Reparametrise];
    let zoo = Zoo::embedded();
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for animal in share(&zoo, part) {
        let analysis = animal.analysis().expect("cards are read");
        if !analysis.system.schedules.is_empty() || analysis.channels.is_empty() {
            continue;
        }
        let slug = &animal.card.slug;
        let mut random = Random::new(1, slug, 0);
        let mut disguise = Disguise::new(&animal.card.equations, analysis);
        disguise.reword(2, &mut random);
        disguise.apply(*random.pick(&STEPS), &mut random);
        disguise.reword(1, &mut random);
        disguise.apply(*random.pick(&STEPS), &mut random);
        if random.one_in(2) {
            disguise.apply(Step::Rotate, &mut random);
        }
        let text = disguise.draft.text();
        let reading = linnaeus::read(&text);
        let Some(analysis) = &reading.analysis else { continue };
        asked += 1;
        let found = identify(&zoo, &reading.source, analysis);
        let myself = |m: &&Match| m.animal.card.id == animal.card.id;
        match found.matches.iter().find(myself) {
            Some(m) if m.group <= Group::SameInOtherOracles => {}
            Some(m) => wrong.push(format!("{slug} as\n{text}\nafter {:?} is {:?} only", disguise.done, m.group)),
            None => wrong.push(format!("{slug} as\n{text}\nafter {:?} is not found", disguise.done)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(asked > 60, "{asked} cards were changed");
}

#[test]
fn cards_are_found_in_disguise_0() {
    is_found_in_disguise(0);
}

#[test]
fn cards_are_found_in_disguise_1() {
    is_found_in_disguise(1);
}

#[test]
fn cards_are_found_in_disguise_2() {
    is_found_in_disguise(2);
}

#[test]
fn cards_are_found_in_disguise_3() {
    is_found_in_disguise(3);
}

#[test]
fn cards_find_their_relations_0() {
    finds_its_relations(0);
}

#[test]
fn cards_find_their_relations_1() {
    finds_its_relations(1);
}

#[test]
fn cards_find_their_relations_2() {
    finds_its_relations(2);
}

#[test]
fn cards_find_their_relations_3() {
    finds_its_relations(3);
}

/// What people would not expect, as a list: input, card, and the line of the answer.
const SURPRISES: &[(&str, &str, Group, &str)] = &[
    ("schedule_free_sgd", "qhm", Group::Same, "Quasi-hyperbolic momentum · {α = γ, β of the card = 1 - c, ν = β}"),
    ("schedule_free_constant", "qhm", Group::Same, "Quasi-hyperbolic momentum · {α = γ, β of the card = 1 - c, ν = β}"),
    (
        "bdf2",
        "inertial_proximal_point",
        Group::SpecialCaseOf,
        "Inertial proximal point algorithm · ∇f for prox_{tf} · {β = 1/3, t = 2h/3} · where h > 0",
    ),
    (
        "sgdw",
        "pytorch_sgd_weight_decay",
        Group::SpecialCaseOf,
        "PyTorch SGD with momentum and L2 weight decay · {γ = α, μ = β(1 - η·wd), wd of the card = η·wd·(1 - β)/α} · where α != 0",
    ),
    ("extra", "dlm", Group::Same, "Decentralized linearized ADMM"),
    (
        "pddy",
        "afba",
        Group::SpecialCaseOf,
        "Asymmetric forward–backward–adjoint splitting · shift(1,0,0) · {g1 = τ, g2 = σ, lam = 1, μ = 1, θ = 1}",
    ),
];

#[test]
fn surprises() {
    let zoo = Zoo::embedded();
    for (slug, card, group, line) in SURPRISES {
        let input = zoo.find(slug).unwrap_or_else(|| panic!("{slug} is no card"));
        // Integrators are asked about on the gradient flow.
        let reading = &linnaeus::read(&input.card.equations.replace("*F(", "*(-grad f)("));
        let found = identify(&zoo, &reading.source, reading.analysis.as_ref().expect("cards are read"));
        let m = found.matches.iter().find(|m| m.animal.card.slug == *card);
        let m = m.unwrap_or_else(|| panic!("{slug} does not find {card}"));
        assert_eq!(m.group, *group, "{slug} and {card}");
        let shown = report::identify_text(&zoo, reading, &found, true, Palette::Plain);
        let line = format!("{} {line}", m.animal.card.id);
        assert!(shown.lines().any(|l| l.trim().starts_with(&line)), "{line} in\n{shown}");
    }
    // PD3O is no instance of the family that PDDY is one of.
    let pd3o = ask(&zoo, &zoo.find("pd3o").expect("a card").card.equations);
    let afba = pd3o.matches.iter().find(|m| m.animal.card.slug == "afba");
    assert!(afba.is_none_or(|m| m.group == Group::UnderAssumption));
}

/// Peaceman–Rachford does not depend on which function comes first, up to a shift; Douglas–Rachford does.
/// Texts with a parameter that may or may not be taken into a function, what is, and the first card.
const FACTORS: &[(&str, &str, &str)] = &[
    ("x[k+1] = prox_{t*lam*g}(x[k] - t*grad f(x[k]))", "lam g", "proximal_gradient"),
    (
        "y[k] = prox_{t*mu*f}(z[k]); x[k] = prox_{t*lam*g}(2*y[k] - z[k]); z[k+1] = z[k] + x[k] - y[k]",
        "mu f, lam g",
        "douglas_rachford",
    ),
    (
        "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])
         x[k+1] = prox_{s*lam*g}(y[k] - s*grad f(y[k]))",
        "lam g",
        "fista",
    ),
    // It is a step where nothing else is.
    ("x[k+1] = prox_{t*lam*f}(x[k])", "", "proximal_point"),
    ("x[k+1] = x[k] - t*lam*grad f(x[k])", "", "gradient_descent"),
    // It does more than scale.
    ("x[k+1] = prox_{t*lam*g}(x[k] - t*grad f(x[k]) + lam*(x[k] - x[k-1]))", "", ""),
    ("x[k+1] = prox_{t*lam*g}(x[k] - t*grad f(prox_{t*g}(x[k])))", "", ""),
];

#[test]
fn factors_of_functions() {
    let zoo = Zoo::embedded();
    for (text, factors, card) in FACTORS {
        let reading = linnaeus::read(text);
        let found = identify(&zoo, &reading.source, reading.analysis.as_ref().expect("it is read"));
        let folded = found.asked.iter().flat_map(|asked| &asked.folded);
        let folded: Vec<String> = folded.map(|f| format!("{} {}", f.parameter, f.function)).collect();
        assert_eq!(folded.join(", "), *factors, "{text}");
        let shown = report::identify_text(&zoo, &reading, &found, false, Palette::Plain);
        assert_eq!(shown.contains("does nothing but scale"), !factors.is_empty(), "{shown}");
        if !card.is_empty() {
            assert_eq!(found.matches[0].animal.card.slug, *card, "{text}");
            assert_eq!(found.matches[0].group, Group::Same, "{text}");
        }
    }
}

#[test]
fn order_of_functions() {
    let zoo = Zoo::embedded();
    let related = |slug: &str| {
        let card = zoo.find(slug).expect("a card");
        let exchanged =
            card.card.equations.replace("{t f}", "{t h}").replace("{t g}", "{t f}").replace("{t h}", "{t g}");
        assert_ne!(exchanged, card.card.equations);
        let exchanged = linnaeus::read(&exchanged).analysis.expect("read");
        let comparison = compare(card.analysis().expect("cards are read"), &exchanged, Some(Relation::Shift));
        matches!(comparison.verdict, Verdict::Related(_))
    };
    assert!(related("peaceman_rachford"));
    assert!(!related("douglas_rachford"));
}

/// No comparison needs another, and their order is of no consequence.
#[test]
fn comparisons_in_any_order() {
    let zoo = Zoo::embedded();
    for slug in ["douglas_rachford", "schedule_free_sgd", "gradient_descent"] {
        let reading = zoo.find(slug).expect("a card").reading();
        let analysis = reading.analysis.as_ref().expect("read");
        let listed = |found: &Identification| {
            let matches = found.matches.iter().map(|m| (m.animal.card.id.clone(), m.group, m.frozen));
            let undecided = found.undecided.iter().map(|open| open.animal.card.id.clone());
            (matches.collect::<Vec<_>>(), undecided.collect::<Vec<_>>())
        };
        let inquiry = Inquiry::new(&zoo, &reading.source, analysis);
        let backwards = (0..inquiry.candidates()).rev().filter_map(|i| inquiry.compare(i)).collect();
        let found = inquiry.finish(backwards);
        assert_eq!(listed(&found), listed(&identify(&zoo, &reading.source, analysis)), "{slug}");
    }
}

/// Texts in words of their own, and the card that is found with the group it stands in.
#[test]
fn texts_of_ones_own() {
    const TEXTS: &[(&str, &str, Group)] = &[
        // A saddle-point problem has h where others write g*, whatever h is.
        (
            "x[k+1] = prox_{t f}(x[k] - t*A'*y[k]); y[k+1] = prox_{s h}(y[k] + s*A*(2*x[k+1] - x[k]))",
            "chambolle_pock",
            Group::SpecialCaseOf,
        ),
        (
            "x[k+1] = prox_{t f}(x[k] - t*A'*y[k]); y[k+1] = P_B(y[k] + s*A*(2*x[k+1] - x[k]))",
            "chambolle_pock",
            Group::SpecialCaseOf,
        ),
        // As many iterations as one as may be, and two matrices of which one is made of the other.
        (
            "u[k] = x[k] - a*grad f(x[k]); v[k] = u[k] - a*grad f(u[k]); w[k] = v[k] - a*grad f(v[k]); \
             s[k] = w[k] - a*grad f(w[k]); x[k+1] = s[k] - a*grad f(s[k])",
            "gradient_descent",
            Group::Repetition,
        ),
        (
            "operators W, V: X -> X; x[k+2] = (I + W)*x[k+1] - V*x[k] - a*(grad f(x[k+1]) - grad f(x[k]))",
            "extra",
            Group::Contains,
        ),
        // An implicit line in one space that gives an iterate of another.
        (
            "u[k+1] = argmin_u f(u) + (l/2)||A u - d[k] + b[k]||^2; d[k+1] = prox_{(1/l) g}(A*u[k+1] + b[k]); \
             b[k+1] = b[k] + A*u[k+1] - d[k+1]",
            "admm_composite",
            Group::Same,
        ),
        ("x[k+1] = x[k] - a*grad f(x[k]; xi[k])", "gradient_descent", Group::Same),
        // What no call depends on may change with the index.
        (
            "x[k+1] = x[k] - a*grad f(x[k]); m[k+1] = (1 - 1/(k+1))*m[k] + 1/(k+1)*x[k+1]",
            "gradient_descent",
            Group::Same,
        ),
        // One resolvent in two guises.
        ("x[k+1] = x[k] + prox_{t g}(R_{t f}(x[k])) - prox_{t f}(x[k])", "douglas_rachford", Group::Same),
        ("x[k+1] = x[k] + J_{t B}(R_{t A}(x[k])) - J_{t A}(x[k])", "douglas_rachford", Group::Same),
        ("x[k+1] = b/2*(R_C(R_D(x[k])) + x[k]) + (1-b)*P_D(x[k])", "raar", Group::Contains),
        // No operator stands in the square of an argmin.
        ("x[k+1] = argmin_{rho f}(x[k])", "proximal_point", Group::Same),
        (
            "x[k+1] = argmin_{rho f}(z[k] - u[k]); z[k+1] = argmin_{rho g}(x[k+1] + u[k]); u[k+1] = u[k] + x[k+1] - z[k+1]",
            "admm_scaled",
            Group::Same,
        ),
        // What is reflected is declared to be a set.
        ("set A; set B; x[k+1] = 1/2*(x[k] + R_A(R_B(x[k])))", "dr_feasibility", Group::Same),
        ("set A; set B; x[k+1] = 1/2*(I + R_A*R_B)*x[k]", "dr_feasibility", Group::Same),
        // At every index it is one with constant momentum.
        ("y[k] = x[k] + k/(k+3)*(x[k] - x[k-1]); x[k+1] = y[k] - a*grad f(y[k])", "nesterov", Group::SpecialCaseOf),
        ("v[k+1] = b*v[k] + grad f_k(x[k]); x[k+1] = x[k] - a*v[k+1]", "heavy_ball", Group::Same),
        (
            "xₖ₊₁ = prox_{τ f}(xₖ − τ Aᵀ yₖ); yₖ₊₁ = prox_{σ g*}(yₖ + σ A (2xₖ₊₁ − xₖ))",
            "chambolle_pock",
            Group::SpecialCaseOf,
        ),
        (
            "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k+1] = x[k] - (1/L)*grad f(x[k]); \
             x[k+1] = y[k+1] + ((t[k]-1)/t[k+1])*(y[k+1]-y[k]) + (t[k]/t[k+1])*(y[k+1]-x[k])",
            "ogm",
            Group::Same,
        ),
        // Two functions of the card, or of the text, are one.
        ("x[k+1] = prox_{t f}(x[k] - t*grad f(x[k]))", "proximal_gradient", Group::UnderAssumption),
        ("x[k+1] = x[k] - t*grad f(x[k] - t*grad g(x[k]))", "extragradient", Group::UnderAssumption),
        // A function of the card is zero, and its numbers change with the index.
        (
            "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
             x[k+1] = y[k] - s*grad f(y[k])",
            "fista",
            Group::UnderAssumption,
        ),
        (
            "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2; y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1]); \
             x[k+1] = prox_{s f}(y[k])",
            "fista",
            Group::UnderAssumption,
        ),
    ];
    let zoo = Zoo::embedded();
    let mut wrong = Vec::new();
    for (text, slug, group) in TEXTS {
        let found = ask(&zoo, text);
        let group_found = found.matches.iter().find(|m| m.animal.card.slug == *slug).map(|m| m.group);
        if group_found.is_none_or(|found| found > *group) {
            wrong.push(format!("{text}: {slug} is {group_found:?}, not {group:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Texts and cards that are no more to each other than this, or nothing.
#[test]
fn no_more_than_that() {
    const AVERAGED: &str = "x[k+1] = x[k] - a*grad f(x[k]); m[k+1] = (1 - 1/(k+1))*m[k] + 1/(k+1)*x[k+1]";
    const ANCHORED: &str =
        "y[k] = x[k] + 1/(k+2)*(x0 - x[k]) - a*F(x[k]); x[k+1] = x[k] + 1/(k+2)*(x0 - x[k]) - a*F(y[k])";
    const LINEAR: &str = "function W linear; x[k+1] = W(x[k])";
    const TEXTS: &[(&str, &str, Option<Group>)] = &[
        // A prox is no matrix, unless it is assumed to be linear.
        ("x[k+1] = prox_{t f}(x[k])", "average_consensus", Some(Group::UnderAssumption)),
        ("x[k+1] = T(x[k])", "average_consensus", Some(Group::Contains)),
        ("x[k+1] = T(x[k])", "picard", Some(Group::Same)),
        (LINEAR, "average_consensus", Some(Group::Same)),
        (LINEAR, "picard", Some(Group::SpecialCaseOf)),
        // The index is not chosen.
        (ANCHORED, "anchored_frozen", None),
        (ANCHORED, "proximal_point", None),
        ("s[k] = L(grad f(x[k])); x[k+1] = (1 - 2/(k+2))*x[k] + 2/(k+2)*s[k]", "dca", None),
        // No step is zero, and no operator.
        (AVERAGED, "arrow_hurwicz", None),
        (AVERAGED, "dlm", None),
        ("x[k+1] = x[k] - a[k]*grad f(x[k])", "arrow_hurwicz", None),
    ];
    let zoo = Zoo::embedded();
    let mut wrong = Vec::new();
    for (text, slug, group) in TEXTS {
        let found = ask(&zoo, text);
        let found = found.matches.iter().find(|m| m.animal.card.slug == *slug).map(|m| m.group);
        if found != *group {
            wrong.push(format!("{text}: {slug} is {found:?}, not {group:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said of a match: what is assumed, where the card wants its parameters, what is cited.
#[test]
fn answers_in_words() {
    const TEXTS: &[(&str, &str)] = &[
        (
            "x[k+1] = prox_{t f}(x[k])",
            "ALG-0188 Average consensus · prox_{tf} for W · assuming oracles of f are linear in the input",
        ),
        (
            "x[k+1] = prox_{t f}(x[k] - t*grad f(x[k]))",
            "ALG-0090 Proximal gradient method · prox_{tf} for prox_{tg} · assuming g = f in the card",
        ),
        (
            "x[k+1] = prox_{t f}(x[k] - t*grad f(x[k]))",
            "ALG-0108 Projected gradient method · prox_{tf} for proj_C · {α = t} · assuming f is the indicator of C in the card",
        ),
        ("x[k+1] = x[k] - t*H*grad f(x[k])", "ALG-0001 Gradient descent · {α = t} · assuming H = I in the input"),
        (
            "x[k+1] = x[k] + a*F(x[k]) - b*F(x[k-1])",
            "ALG-0259 Anchored iteration with frozen anchor weight · F for T · {a of the card = 1 - a} · where b = a · for starts with \
             b = ",
        ),
        // What the text conserves and the card does not, and a constant of the card that makes up for it.
        (
            "y[k] = P_C(x[k] + p[k]); p[k+1] = x[k] + p[k] - y[k]; x[k+1] = P_D(y[k] + q[k]); \
             q[k+1] = y[k] + q[k] - x[k+1]",
            "ALG-0126 Averaged alternating modified reflections · {α = 1, β = 1/2} · for starts with \
             p[0] + x[0] + q[0] = 0 · ",
        ),
        (
            "y[k] = P_C(x[k] + p[k]); p[k+1] = x[k] + p[k] - y[k]; x[k+1] = P_D(y[k] + q[k]); \
             q[k+1] = y[k] + q[k] - x[k+1]",
            "ALG-0127 Dual alternating minimization for the prox of a sum (dual block coordinate ascent) · proj_C for \
             prox_{g*}, proj_D for prox_{f*} · for starts with b = p[0] + x[0] + q[0]",
        ),
        // Of two roots the one that the card wants.
        (
            "x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])",
            "ALG-0048 Symplectic Euler on the damped Hamiltonian system · {h = √(a), ",
        ),
        ("x[k+1] = T(x[k])", "ALG-0253 Krasnoselskii–Mann iteration · {lam = 1} · the card wants lam in (0, 1)"),
        ("x[k+1] = R*(x[k] - a*y[k]); y[k+1] = C*y[k] + grad f(x[k+1]) - grad f(x[k])", "Pu et al. 2021;"),
        ("x[k+1] = x[k] + h*F(x[k+1])", "Cauchy 1824;"),
    ];
    let zoo = Zoo::embedded();
    for (text, line) in TEXTS {
        let reading = linnaeus::read(text);
        let found = ask(&zoo, text);
        let shown = report::identify_text(&zoo, &reading, &found, true, Palette::Plain);
        assert!(shown.lines().any(|l| l.trim().starts_with(line)), "{line} in\n{shown}");
    }
}

/// What was asked in comparisons before is kept, and changes no answer.
#[test]
fn no_comparison_needs_another() {
    let zoo = Zoo::embedded();
    for slug in ["nesterov", "proximal_gradient", "chambolle_pock"] {
        let animal = zoo.find(slug).expect("a card");
        let analysis = animal.analysis().expect("it is read");
        let inquiry = || Inquiry::new(&zoo, &animal.reading().source, analysis);
        let told = |finding: Option<Finding>| match finding {
            Some(Finding::Match(m)) => format!("{} {:?} {:?}", m.animal.card.id, m.group, m.comparison),
            Some(Finding::Undecided(open)) => format!("{} undecided", open.animal.card.id),
            None => String::new(),
        };
        let (together, mut found) = (inquiry(), 0);
        for i in (0..together.candidates()).rev() {
            let (alone, together) = (told(inquiry().compare(i)), told(together.compare(i)));
            assert_eq!(alone, together, "{slug}");
            found += usize::from(!together.is_empty());
        }
        assert!(found > 10, "{slug}: {found}");
    }
}

/// What is not related is told with the nearest cards, those with the same oracles and most of H first, and what differs.
#[test]
fn nearest_cards() {
    const TEXTS: &[(&str, &str, &str)] = &[
        (
            "operator A: X -> Y; operator B: X -> Z; x[k+1] = x[k] - tau*(grad h(x[k]) + A'*u[k] + B'*v[k]); \
             u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k])); \
             v[k+1] = prox_{sigma g*}(v[k] + sigma*B*(2*x[k+1] - x[k]))",
            "condat_vu",
            "orders      3 in the input, 2 in the card",
        ),
        (
            "x[k+1] = x[k] - grad f(x[k-10])",
            "gradient_delayed_nesterov",
            "differs     H: -1/(z¹⁰·(z - 1)) in the input, -α((β + 1)z - β)/(z(z - 1)(z - β)) in the card",
        ),
    ];
    let zoo = Zoo::embedded();
    for (text, slug, line) in TEXTS {
        let reading = linnaeus::read(text);
        let found = ask(&zoo, text);
        assert_eq!(found.near_misses.first().map(|m| m.animal.card.slug.as_str()), Some(*slug), "{text}");
        let shown = report::identify_text(&zoo, &reading, &found, false, Palette::Plain);
        assert!(shown.lines().any(|l| l.trim() == *line), "{line} in\n{shown}");
        assert!(!shown.contains(" in A") && !shown.contains(" in B"), "{shown}");
    }
}

/// What is left open is told with the reason.
#[test]
fn open_cards() {
    let zoo = Zoo::embedded();
    let text = "x[k+1] = x[k] - a/(k+1)*grad f(x[k])";
    let found = ask(&zoo, text);
    let shown = report::identify_text(&zoo, &linnaeus::read(text), &found, false, Palette::Plain);
    let told = |id: &str| shown.lines().any(|l| l.starts_with("Undecided: ") && l.contains(id) && l.contains("; "));
    assert!(!found.undecided.is_empty() && found.undecided.iter().all(|o| told(&o.animal.card.id)), "{shown}");
}

/// What calls nothing is told how it could.
#[test]
fn nothing_is_called() {
    const TEXTS: &[(&str, &str)] = &[
        ("x[k+1] = x[k] + w*(b - A*x[k])", "declared as `function A linear` and called, `A(…)`"),
        (
            "operator A: X -> Y; constant b: Y; x[k+1] = x[k] - t*A'*(A*x[k] - b)",
            "write `grad f(x[k])` in its place to have it as an oracle",
        ),
    ];
    let zoo = Zoo::embedded();
    for (text, line) in TEXTS {
        let reading = linnaeus::read(text);
        let found = ask(&zoo, text);
        let shown = report::told(&reading, Palette::Plain)
            + &report::identify_text(&zoo, &reading, &found, false, Palette::Plain);
        assert!(shown.contains(line) && shown.contains("It calls no oracle"), "{shown}");
    }
    // As it says.
    let found = ask(&zoo, "function A linear; x[k+1] = x[k] + w*(b - A(x[k]))");
    assert_eq!(found.matches[0].animal.card.slug, "richardson");
}
