//! Problems and solutions as text, so that tests read like the systems they solve.

#![allow(dead_code)]

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use linnaeus_algebra::solve::{Branch, Conditions, Problem, Solution, Value, may_have_solution, solve, verify};
use linnaeus_algebra::{Polynomial, RationalFunction, Variable};

/// A name is a letter with digits, or one of these.
const NAMES: [&str; 8] = ["alpha", "beta", "gamma", "mu", "nu", "eta", "w'", "z"];

/// The variable of a name: the place in the list above, or a number made of its characters.
pub fn variable(name: &str) -> Variable {
    if let Some(i) = NAMES.iter().position(|&n| n == name) {
        return Variable(i as u32);
    }
    Variable(name.bytes().fold(0, |n, b| n * 128 + u32::from(b)))
}

fn name(v: Variable) -> String {
    if let Some(name) = NAMES.get(v.0 as usize) {
        return (*name).to_string();
    }
    let digits = [v.0 >> 21 & 127, v.0 >> 14 & 127, v.0 >> 7 & 127, v.0 & 127];
    digits.iter().filter(|&&d| d > 0).map(|&d| char::from(d as u8)).collect()
}

pub fn variables(names: &str) -> Vec<Variable> {
    names.split_whitespace().map(variable).collect()
}

/// Reads a rational function: + − * / ^ and parentheses, as usual.
pub fn rational(text: &str) -> RationalFunction {
    let mut rest = text.chars().peekable();
    let value = sum(&mut rest);
    assert_eq!(rest.next(), None, "in {text}");
    value
}

/// Reads a polynomial.
pub fn polynomial(text: &str) -> Polynomial {
    let f = rational(text);
    assert!(f.is_polynomial(), "{text}");
    f.numerator().clone()
}

fn next(rest: &mut Peekable<Chars>) -> Option<char> {
    while rest.next_if(|c| c.is_whitespace()).is_some() {}
    rest.peek().copied()
}

fn sum(rest: &mut Peekable<Chars>) -> RationalFunction {
    let mut sum = RationalFunction::zero();
    let mut sign = '+';
    if let Some(c @ ('+' | '-')) = next(rest) {
        sign = c;
        rest.next();
    }
    loop {
        let term = product(rest);
        sum = if sign == '+' { sum.add(&term) } else { sum.sub(&term) }.unwrap();
        match next(rest) {
            Some(c @ ('+' | '-')) => sign = c,
            _ => return sum,
        }
        rest.next();
    }
}

fn product(rest: &mut Peekable<Chars>) -> RationalFunction {
    let mut product = power(rest);
    while let Some(c @ ('*' | '/')) = next(rest) {
        rest.next();
        let factor = power(rest);
        product = match c {
            '*' => product.mul(&factor).unwrap(),
            _ => product.div(&factor).unwrap().expect("no division by zero"),
        };
    }
    product
}

fn power(rest: &mut Peekable<Chars>) -> RationalFunction {
    let base = atom(rest);
    if next(rest) != Some('^') {
        return base;
    }
    rest.next();
    base.pow(number(rest)).unwrap().unwrap()
}

fn number(rest: &mut Peekable<Chars>) -> i32 {
    let mut digits = String::new();
    while let Some(c) = rest.next_if(char::is_ascii_digit) {
        digits.push(c);
    }
    digits.parse().expect("a number")
}

fn atom(rest: &mut Peekable<Chars>) -> RationalFunction {
    match next(rest) {
        Some('(') => {
            rest.next();
            let value = sum(rest);
            assert_eq!(next(rest), Some(')'));
            rest.next();
            value
        }
        Some(c) if c.is_ascii_digit() => RationalFunction::integer(number(rest)),
        _ => {
            let mut name = String::new();
            while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '\'') {
                name.push(c);
            }
            assert!(!name.is_empty(), "a name");
            RationalFunction::variable(variable(&name))
        }
    }
}

/// The coefficients in z of the numerator of f − g: what must vanish for f = g.
pub fn matching(f: &str, g: &str) -> Vec<Polynomial> {
    let difference = rational(f).sub(&rational(g)).unwrap();
    difference.numerator().coefficients_in(variable("z"))
}

/// A problem with these equations in generic given variables.
pub fn problem(equations: Vec<Polynomial>, unknowns: &str, given: &str) -> Problem {
    Problem {
        equations,
        unknowns: variables(unknowns),
        given: variables(given),
        nonzero: Vec::new(),
        conditions: Conditions::Never,
    }
}

/// The system of these polynomials.
pub fn system(equations: &[&str], unknowns: &str, given: &str) -> Problem {
    let equations = equations.iter().map(|text| polynomial(text)).collect();
    problem(equations, unknowns, given)
}

pub trait With {
    fn nonzero(self, polynomials: &[&str]) -> Self;
    fn conditions_allowed(self) -> Self;
}

impl With for Problem {
    fn nonzero(mut self, polynomials: &[&str]) -> Self {
        self.nonzero = polynomials.iter().map(|text| polynomial(text)).collect();
        self
    }

    fn conditions_allowed(mut self) -> Self {
        self.conditions = Conditions::Allowed;
        self
    }
}

/// Solves, and checks every branch.
pub fn solved(problem: &Problem) -> Solution {
    let solution = solve(problem).unwrap();
    for branch in &solution.branches {
        assert_eq!(verify(problem, branch), Ok(true), "{}", show_branch(branch));
    }
    solution
}

fn show_polynomial(p: &Polynomial) -> String {
    let mut text = String::new();
    for (powers, c) in p.terms() {
        let (sign, size) = match c.to_string().strip_prefix('-') {
            Some(size) => ('-', size.to_string()),
            None => ('+', c.to_string()),
        };
        if !text.is_empty() || sign == '-' {
            text.push(sign);
        }
        let mut factors: Vec<String> = Vec::new();
        if size != "1" || powers.is_empty() {
            factors.push(size);
        }
        for (v, e) in powers {
            let power = if e > 1 { format!("^{e}") } else { String::new() };
            factors.push(name(v) + &power);
        }
        text += &factors.join("*");
    }
    if text.is_empty() { "0".into() } else { text }
}

fn show_function(f: &RationalFunction) -> String {
    let wrap = |p: &Polynomial| match p.term_count() {
        1 => show_polynomial(p),
        _ => format!("({})", show_polynomial(p)),
    };
    match f.is_polynomial() {
        true => show_polynomial(f.numerator()),
        false => format!("{}/({})", wrap(f.numerator()), show_polynomial(f.denominator())),
    }
}

fn show_value(value: &Value) -> String {
    match value {
        Value::Rational(f) => show_function(f),
        Value::Root { a, b, radicand } => {
            format!("{} + [{}]*sqrt({})", show_function(a), show_function(b), show_polynomial(radicand))
        }
    }
}

/// One line for each branch.
pub fn show_branch(branch: &Branch) -> String {
    let mut text = String::new();
    let list = |ps: &[Polynomial]| ps.iter().map(show_polynomial).collect::<Vec<_>>().join(", ");
    for (&v, value) in &branch.conditions {
        write!(text, "if {} = {}; ", name(v), show_value(value)).unwrap();
    }
    for (&v, value) in &branch.values {
        write!(text, "{} = {}; ", name(v), show_value(value)).unwrap();
    }
    if !branch.free.is_empty() {
        let free: Vec<String> = branch.free.iter().map(|&v| name(v)).collect();
        write!(text, "free {}; ", free.join(", ")).unwrap();
    }
    if !branch.relations.is_empty() {
        write!(text, "where 0 = {}; ", list(&branch.relations)).unwrap();
    }
    if !branch.nonzero.is_empty() {
        write!(text, "nonzero {}; ", list(&branch.nonzero)).unwrap();
    }
    text.trim_end_matches("; ").to_string()
}

/// The branches as text; a last line says when something is missing.
pub fn show(solution: &Solution) -> Vec<String> {
    let mut lines: Vec<String> = solution.branches.iter().map(show_branch).collect();
    if !solution.complete {
        lines.push("incomplete".into());
    }
    lines
}

/// Solves and compares with the branches as text. A random point of what is given tells whether there are any.
pub fn check(problem: &Problem, expected: &[&str]) {
    let solution = solved(problem);
    let found = show(&solution);
    assert_eq!(found, expected, "\nfound:\n  {}\n", found.join("\n  "));
    if problem.conditions == Conditions::Never && !problem.equations.is_empty() {
        assert_eq!(may_have_solution(problem), Ok(!solution.branches.is_empty()));
    }
}
