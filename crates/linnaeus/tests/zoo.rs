//! The cards of the zoo and the record of how they are related. `cargo xtask zoo` compares all pairs anew;
//! here every pair must have been compared with the equations as they are, and some are compared again.

use linnaeus::diagnostic::Diagnostic;
use linnaeus::relation::{Generality, Relation};
use linnaeus::report::{self, Scope};
use linnaeus::zoo::graph::{Outcome, Record, relate_cards};
use linnaeus::zoo::{Animal, Card, Edge, Zoo};
use std::collections::{BTreeMap, BTreeSet};

const CARD: &str = "---\nid: ALG-9001\nyear: 2000\nproblem: minimize f(x)\nassumes: nothing\n---\n\n# Mine\n\nA step.\n\n\
                    ```linnaeus\nx[k+1] = x[k] - t*grad f(x[k])\n```\n\n## References\n\n```bibtex\n@misc{A, author={B}, title={T}}\n```\n";

fn render(animal: &Animal, diagnostics: &[Diagnostic]) -> String {
    let texts = diagnostics.iter().map(|d| d.render(&animal.source));
    format!("{}:\n{}", animal.card.slug, texts.collect::<String>())
}

/// Equations are understood, H is the recorded one, references are BibTeX; identifiers and slugs are
/// unique, or there would be no zoo.
#[test]
fn cards_are_in_order() {
    let zoo = Zoo::embedded();
    assert!(zoo.animals().len() >= 250);
    let wrong: Vec<String> = zoo
        .animals()
        .iter()
        .map(|a| (a, report::card_problems(a)))
        .filter(|(_, problems)| !problems.is_empty())
        .map(|(a, problems)| render(a, &problems))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(zoo.animals().iter().all(|a| !a.card.transfer.is_empty()));
}

#[test]
fn the_record_is_of_these_cards() {
    let zoo = Zoo::embedded();
    let animals = zoo.animals();
    let pairs: BTreeSet<(usize, usize)> = zoo.pairs().collect();
    let stale = pairs.iter().find(|&&(i, j)| !zoo.is_recorded(&animals[i], &animals[j]));
    let names = stale.map(|&(i, j)| (&animals[i].card.slug, &animals[j].card.slug));
    assert_eq!(names, None, "run `linnaeus zoo check --zoo zoo --write`");
    let place: BTreeMap<&str, usize> = animals.iter().enumerate().map(|(i, a)| (a.card.id.as_str(), i)).collect();
    for edge in zoo.relations() {
        assert!(pairs.contains(&(place[&*edge.first], place[&*edge.second])), "{edge}");
    }
}

/// One pair in so many is compared again.
const SAMPLE: usize = 151;

#[test]
fn the_record_is_true() {
    let zoo = Zoo::embedded();
    let animals = zoo.animals();
    let recorded: BTreeMap<(&str, &str), &Edge> = zoo.relations().map(|e| ((&*e.first, &*e.second), e)).collect();
    for (i, j) in zoo.pairs().step_by(SAMPLE) {
        let (a, b) = (&animals[i], &animals[j]);
        let found = match relate_cards(a, b) {
            Outcome::Related(edge) => Some(edge),
            _ => None,
        };
        assert_eq!(
            found.as_ref(),
            recorded.get(&(&*a.card.id, &*b.card.id)).copied(),
            "{} {}",
            a.card.slug,
            b.card.slug
        );
    }
}

/// What the literature says of some pairs, or what it does not.
#[test]
fn well_known_relations() {
    let zoo = Zoo::embedded();
    let line = |a: &str, b: &str| {
        let id = |slug: &str| zoo.find(slug).map(|x| x.card.id.clone()).expect(slug);
        let (a, b) = (id(a), id(b));
        let mut edges = zoo.relations();
        let edge = edges.find(|e| (e.first == a && e.second == b) || (e.first == b && e.second == a));
        edge.map(|e| format!("{} {} {}", e.relation.word(), e.seen_from(&a).1.word(), e.assuming).trim().to_string())
    };
    for (a, b, wanted) in [
        ("extra", "dlm", Some("oracle equal")),
        ("sgdw", "pytorch_sgd_weight_decay", Some("oracle instance")),
        ("pddy", "afba", Some("shift instance")),
        ("pd3o", "afba", None),
        ("bdf2", "inertial_proximal_point", Some("lft overlap")),
        ("douglas_rachford", "admm_scaled", Some("permutation equal")),
        ("loris_verhoeven", "pdfp2o", Some("lft equal")),
        ("nids", "exact_diffusion", Some("oracle equal")),
        ("gradient_descent", "heavy_ball", Some("oracle instance")),
        ("heavy_ball", "nesterov", None),
    ] {
        assert_eq!(line(a, b).as_deref(), wanted, "{a} and {b}");
    }
}

const RELATED: &str = include_str!("corpus/related_cards.txt");

/// What was computed without Linnaeus is in the graph, which `identify` finds in both directions.
#[test]
fn relations_that_are_known() {
    let zoo = Zoo::embedded();
    let id = |slug: &str| zoo.find(slug).map(|x| x.card.id.as_str()).unwrap_or_else(|| panic!("{slug} is no card"));
    let edges: BTreeMap<(&str, &str), &Edge> = zoo.relations().map(|e| ((&*e.first, &*e.second), e)).collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in RELATED.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let [a, b, wanted] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (a, b) = (id(a), id(b));
        let edge = edges.get(&(a.min(b), a.max(b)));
        // Of which function is called first nothing is assumed there, and of no function that it is special.
        let lies_in = |e: &Edge| {
            let how = matches!(e.relation, Relation::Oracle | Relation::Shift | Relation::Lft) && e.assuming.is_empty();
            how && matches!(e.seen_from(a).1, Generality::Equal | Generality::Instance)
        };
        let is_right = match wanted {
            "related" => edge.is_some(),
            _ => !edge.is_some_and(|e| lies_in(e)),
        };
        wrong.extend((!is_right).then(|| format!("{line}: {edge:?}")));
        count += 1;
    }
    assert!(wrong.is_empty() && count == 150, "{}", wrong.join("\n"));
}

/// Cards that are said to meet do.
#[test]
fn cards_meet_where_they_say_so() {
    let zoo = Zoo::embedded();
    let related: BTreeSet<(&str, &str)> = zoo.relations().map(|e| (&*e.first, &*e.second)).collect();
    for animal in zoo.animals() {
        for slug in &animal.card.meets {
            let other = zoo.find(slug).unwrap_or_else(|| panic!("{} meets {slug}, which is no card", animal.card.slug));
            let (a, b) = (animal.card.id.as_str(), other.card.id.as_str());
            assert!(related.contains(&(a.min(b), a.max(b))), "{} and {slug}", animal.card.slug);
        }
    }
}

#[test]
fn cards_of_ones_own() {
    let mut own = Zoo::default();
    own.add("mine", "step", CARD).expect("a card");
    assert!(own.add("mine", "step2", CARD).is_err(), "the identifier is taken");
    let mut zoo = Zoo::embedded();
    let before = zoo.animals().len();
    assert!(zoo.merge(own, Record::default()).is_empty());
    assert_eq!(zoo.animals().len(), before + 1);
    assert!(zoo.is_own("ALG-9001") && !zoo.is_own("ALG-0001"));
    let (mine, descent) = (zoo.find("step").expect("mine"), zoo.find("gradient_descent").expect("descent"));
    assert!(!zoo.is_recorded(mine, descent));
    let Outcome::Related(edge) = relate_cards(mine, descent) else { panic!("not related") };
    assert_eq!(
        report::edge_text(&zoo, &edge, "ALG-9001"),
        "ALG-9001 duplicates ALG-0001 gradient_descent: the same calls"
    );
    let mut taken = Zoo::default();
    taken.add("mine", "gradient_descent", CARD).expect("a card");
    assert_eq!(Zoo::embedded().merge(taken, Record::default()).len(), 1, "the slug is taken");
}

/// A card that is there already may be changed; its relations are then no longer known.
#[test]
fn a_card_replaces_itself() {
    let zoo = Zoo::embedded();
    let old = zoo.find("gradient_descent").expect("descent");
    for (text, is_own) in
        [(old.source.text().to_string(), false), (old.source.text().replace("x[k+1] =", "x[k+2] ="), true)]
    {
        let (mut own, mut zoo) = (Zoo::default(), Zoo::embedded());
        own.add("gradient_momentum", "gradient_descent", &text).expect("a card");
        assert!(zoo.merge(own, Record::default()).is_empty());
        assert_eq!(zoo.is_own("ALG-0001"), is_own);
        assert_eq!(zoo.relations().any(|e| e.first == "ALG-0001"), !is_own);
    }
}

#[test]
fn transfer_functions_are_written_once() {
    let mut zoo = Zoo::default();
    zoo.add("mine", "step", CARD).expect("a card");
    let h = report::record(zoo.animals()[0].reading()).expect("H");
    assert_eq!(h, "oracles: grad f\nH = [[-t/(z - 1)]]");
    let once = Card::with_transfer(CARD, &h);
    assert_eq!(Card::with_transfer(&once, &h), once);
    assert_eq!(Card::with_transfer(&Card::with_transfer(CARD, "H = [[1]]"), &h), once);
}

#[test]
fn problems_stand_where_they_are() {
    let with_h = Card::with_transfer(CARD, "oracles: grad f\nH = [[-t/(z - 2)]]");
    let parameters = CARD.replace("nothing\n", "nothing\nparameters: t > 0, the step; s in (0, 1)\n");
    let backwards = CARD.replace("nothing\n", "nothing\nparameters: t in (2, 2]\n");
    for (text, line, says) in [
        (CARD.replace("grad f", "gard f"), Some("13 |"), "no oracle `gard`"),
        (CARD.replace("title={T}", "titel={T}"), Some("19 |"), "no title"),
        (CARD.to_string(), None, "not recorded"),
        (with_h, Some("20 |"), "computed: H = [[-t/(z - 1)]]"),
        (CARD.replace("author={B}", "year={2000}"), Some("19 |"), "`A` has no author"),
        (CARD.replace("author={B}", "author={B}, doi={1234}"), Some("19 |"), "`1234` is no DOI"),
        (CARD.replace("author={B}", "author={B}, eprint={here}"), Some("19 |"), "`here` is no number of the arXiv"),
        (parameters, Some("6 |"), "no parameter `s`"),
        (backwards, Some("6 |"), "no number `t` lies there"),
    ] {
        let mut zoo = Zoo::default();
        zoo.add("mine", "step", &text).expect("a card");
        let animal = &zoo.animals()[0];
        let told = render(animal, &report::card_problems(animal));
        assert!(told.contains(says) && line.is_none_or(|l| told.contains(l)), "{told}");
    }
}

/// H is recorded as it is printed, but may be written otherwise.
#[test]
fn a_matrix_may_be_written_otherwise() {
    for (h, is_same) in
        [("[[-t/(z-1)]]", true), ("[[t*(z + 1)/(1 - z**2)]]", true), ("[[t/(z - 1)]]", false), ("[[-t/(z - 1)", false)]
    {
        let mut zoo = Zoo::default();
        let text = Card::with_transfer(CARD, &format!("oracles: grad f\nH = {h}"));
        zoo.add("mine", "step", &text).expect("a card");
        let problems = report::card_problems(&zoo.animals()[0]);
        assert_eq!(problems.is_empty(), is_same, "{h}: {problems:?}");
    }
}

#[test]
fn pictures_show_every_card() {
    let zoo = Zoo::embedded();
    let graph = report::graph(&zoo, Scope::Plain);
    let (dot, svg) = (report::dot(&graph), report::svg(&graph));
    for animal in zoo.animals() {
        assert!(svg.contains(&format!(">{}</text>", animal.card.slug)), "{}", animal.card.slug);
        assert!(dot.contains(&format!("\"{}\" [", animal.card.id)));
    }
    assert!(graph.edges.len() < report::graph(&zoo, Scope::All).edges.len());
    assert_eq!(svg, report::svg(&report::graph(&zoo, Scope::All)));
}
