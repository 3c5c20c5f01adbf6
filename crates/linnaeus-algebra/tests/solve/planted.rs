//! Systems made to have a known solution.

use linnaeus_algebra::solve::{Branch, Conditions, Problem, Value, may_have_solution, solve, verify};
use linnaeus_algebra::{Integer, Polynomial, RationalFunction, Variable, with_fuel};
use proptest::collection::vec;
use proptest::prelude::*;

const GIVEN: [Variable; 2] = [Variable(0), Variable(1)];
const UNKNOWNS: [Variable; 3] = [Variable(2), Variable(3), Variable(4)];

/// Small polynomials in the first few variables.
fn small(variables: u32, degree: u32) -> impl Strategy<Value = Polynomial> {
    let monomial = vec((0..variables, 1..=degree), 0..3);
    let monomial = monomial.prop_map(|m| m.into_iter().map(|(v, e)| (Variable(v), e)).collect());
    vec((monomial, (-3i64..4).prop_map(Integer::from)), 1..4).prop_map(Polynomial::from_terms)
}

/// Small polynomials, half of them zero.
fn sparse(variables: u32) -> impl Strategy<Value = Polynomial> {
    prop_oneof![Just(Polynomial::zero()), small(variables, 1)]
}

/// Small rational functions of the first few variables.
fn function(variables: u32) -> impl Strategy<Value = RationalFunction> {
    (small(variables, 1), small(variables, 1)).prop_map(|(p, q)| {
        let q = if q.is_zero() { Polynomial::one() } else { q };
        RationalFunction::new(p, q).unwrap().unwrap()
    })
}

/// Is the point, given as values of all variables, a zero of v = value without denominators?
fn satisfies(v: Variable, value: &Value, point: &dyn Fn(Variable) -> RationalFunction) -> bool {
    let x = RationalFunction::variable(v);
    let difference = match value {
        Value::Rational(f) => x.sub(f).unwrap(),
        Value::Root { a, b, radicand } => {
            let r = RationalFunction::polynomial(radicand.clone());
            let square = b.mul(b).unwrap().mul(&r).unwrap();
            let d = x.sub(a).unwrap();
            d.mul(&d).unwrap().sub(&square).unwrap()
        }
    };
    vanishes(difference.numerator(), point)
}

fn vanishes(p: &Polynomial, point: &dyn Fn(Variable) -> RationalFunction) -> bool {
    let p = RationalFunction::polynomial(p.clone());
    p.substitute(&|v| Some(point(v))).unwrap().unwrap().is_zero()
}

/// Is the point in the branch, or possibly a limit of it?
fn contains(branch: &Branch, point: &dyn Fn(Variable) -> RationalFunction) -> bool {
    let mut values = branch.values.iter().chain(&branch.conditions);
    values.all(|(&v, value)| satisfies(v, value, point)) && branch.relations.iter().all(|p| vanishes(p, point))
}

/// Σ (x − x₀) a for the given cofactors a, without denominators.
fn combination(planted: &[(Variable, RationalFunction)], cofactors: &[Polynomial]) -> Polynomial {
    let terms = planted.iter().zip(cofactors).map(|((v, value), a)| {
        let difference = RationalFunction::variable(*v).sub(value).unwrap();
        difference.mul(&RationalFunction::polynomial(a.clone())).unwrap()
    });
    let zero = RationalFunction::zero();
    terms.fold(zero, |sum, term| sum.add(&term).unwrap()).numerator().clone()
}

fn planted_is_found(
    conditions: Conditions,
    planted: &[(Variable, RationalFunction)],
    cofactors: &[Vec<Polynomial>],
) -> Result<(), TestCaseError> {
    let problem = Problem {
        equations: cofactors.iter().map(|a| combination(planted, a)).collect(),
        unknowns: UNKNOWNS.to_vec(),
        given: GIVEN.to_vec(),
        nonzero: Vec::new(),
        conditions,
    };
    let point = |v| {
        let value = planted.iter().find(|(w, _)| *w == v);
        value.map_or(RationalFunction::variable(v), |(_, value)| value.clone())
    };
    let Ok(solution) = with_fuel(5_000_000, || solve(&problem)) else {
        return Ok(());
    };
    for branch in &solution.branches {
        prop_assert_eq!(verify(&problem, branch), Ok(true));
    }
    let found = solution.branches.iter().any(|branch| contains(branch, &point));
    prop_assert!(found || !solution.complete, "{:#?}", solution);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_planted_solution_is_found(
        values in vec(function(2), 3),
        cofactors in vec(vec(sparse(5), 3), 1..4),
    ) {
        let planted: Vec<_> = UNKNOWNS.into_iter().zip(values).collect();
        planted_is_found(Conditions::Never, &planted, &cofactors)?;
    }

    #[test]
    fn a_random_point_tells_whether_there_are_solutions(
        equations in vec(small(5, 2), 1..4),
        nonzero in vec(small(5, 1), 0..3),
    ) {
        let (unknowns, given) = (UNKNOWNS.to_vec(), GIVEN.to_vec());
        let problem = Problem { equations, unknowns, given, nonzero, conditions: Conditions::Never };
        if let Ok(solution) = with_fuel(10_000_000, || solve(&problem)) {
            let may = may_have_solution(&problem).unwrap();
            prop_assert!(may || solution.branches.is_empty());
            prop_assert!(!may || !solution.branches.is_empty() || !solution.complete);
        }
    }

    #[test]
    fn a_planted_condition_is_found(
        condition in function(1),
        values in vec(function(1), 3),
        cofactors in vec(vec(sparse(5), 4), 2..5),
    ) {
        let variables = [GIVEN[1]].into_iter().chain(UNKNOWNS);
        let planted: Vec<_> = variables.zip([vec![condition], values].concat()).collect();
        planted_is_found(Conditions::Allowed, &planted, &cofactors)?;
    }

    #[test]
    fn all_of_finitely_many_solutions_are_found(
        first in vec(function(2), 2),
        second in vec((function(2), function(2)), 2),
        mix in small(4, 1),
    ) {
        let [x, y] = [2, 3].map(|i| RationalFunction::variable(Variable(i)));
        let minus = |a: &RationalFunction, b: &RationalFunction| a.sub(b).unwrap();
        let f = minus(&x, &first[0]).mul(&minus(&x, &first[1])).unwrap();
        let line = |(a, b): &(RationalFunction, RationalFunction)| {
            minus(&y, &a.mul(&x).unwrap().add(b).unwrap())
        };
        let g = line(&second[0]).mul(&line(&second[1])).unwrap();
        let g = g.add(&f.mul(&RationalFunction::polynomial(mix)).unwrap()).unwrap();
        let problem = Problem {
            equations: vec![g.numerator().clone(), f.numerator().clone()],
            unknowns: vec![Variable(2), Variable(3)],
            given: GIVEN.to_vec(),
            nonzero: Vec::new(),
            conditions: Conditions::Never,
        };
        let mut expected: Vec<[RationalFunction; 2]> = Vec::new();
        for a in &first {
            for (m, b) in &second {
                expected.push([a.clone(), m.mul(a).unwrap().add(b).unwrap()]);
            }
        }
        expected.sort();
        expected.dedup();
        let solution = solve(&problem).unwrap();
        let rational = |branch: &Branch, i| match &branch.values[&Variable(i)] {
            Value::Rational(f) => f.clone(),
            root => panic!("{root:?}"),
        };
        let mut found: Vec<_> =
            solution.branches.iter().map(|b| [rational(b, 2), rational(b, 3)]).collect();
        found.sort();
        prop_assert!(solution.complete);
        prop_assert_eq!(found, expected);
    }
}
