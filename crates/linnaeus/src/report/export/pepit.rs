//! A PEPit script: how fast the state settles, in the worst case over functions of a class.

use super::code::{Code, Language, oracle_argument};
use super::names::avoiding;
use super::refused;
use crate::advice::{Advice, Wish};
use crate::diagnostic::Diagnostic;
use crate::report::expression::Script;
use crate::source::Span;
use crate::syntax::ast::OracleKind;
use crate::synthesis::Program;
use linnaeus_algebra::SortedSet;

/// Words that the script uses besides those of its program.
const RESERVED: &[&str] = &[
    "problem",
    "fixed",
    "before",
    "after",
    "last",
    "PEP",
    "Point",
    "ConvexFunction",
    "ConvexIndicatorFunction",
    "ConvexLipschitzFunction",
    "SmoothConvexFunction",
    "proximal_step",
    "zip",
    "tuple",
    "sum",
    "dict",
    "print",
];

/// What is asked of a function: a bound on its subgradients where steps go along them. That of a set is zero on it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Convex,
    Indicator,
    Lipschitz,
    Smooth,
}

/// The script, or why there is none.
pub fn pepit(program: &Program) -> Result<String, Box<Diagnostic>> {
    use OracleKind::*;
    let words: Vec<&str> = RESERVED.iter().chain(super::code::RESERVED).copied().collect();
    let made = program.ports.iter().map(|p| format!("f_{}", p.oracle.function)).chain(Code::made(program));
    let renamed = avoiding(program, Script::Sympy, &words, &made.collect::<Vec<_>>());
    let program = &renamed.program;
    let code = Code::new(program, Language::Python);
    let mut functions: Vec<(String, Class)> = Vec::new();
    let mut oracles = String::new();
    let mut told = SortedSet::new();
    let mut arguments = Vec::new();
    for port in &program.ports {
        let f = port.oracle.function.clone();
        let argument = oracle_argument(port);
        let class = match port.oracle.kind {
            Gradient => Class::Smooth,
            Subdifferential => Class::Lipschitz,
            Projection => Class::Indicator,
            _ => Class::Convex,
        };
        match functions.iter_mut().find(|(g, _)| *g == f) {
            Some((_, c)) => *c = class.max(*c),
            None => functions.push((f.clone(), class)),
        }
        if !told.insert(argument.clone()) {
            continue;
        }
        let body = match (port.oracle.kind, port.oracle.conjugate) {
            _ if port.sample.is_some() => {
                let message = "a call that carries a sample has no counterpart in PEPit";
                return Err(refused(port.span, message, "leave the sample out to have one function in all iterations"));
            }
            (Gradient | Subdifferential, false) => format!("def {argument}(v):\n    return f_{f}.gradient(v)\n"),
            (Prox, false) => format!("def {argument}(v, t):\n    return proximal_step(v, f_{f}, t)[0]\n"),
            (Projection, false) => format!("def {argument}(v):\n    return proximal_step(v, f_{f}, 1)[0]\n"),
            // Moreau's identity.
            (Prox, true) => {
                format!("def {argument}(v, s):\n    return v - s * proximal_step(v / s, f_{f}, 1 / s)[0]\n")
            }
            _ => {
                let message = format!("the {} has no counterpart in PEPit", port.oracle.description());
                let help = Advice::from("gradients and proximal operators have one; other oracles are asked for with ")
                    .wish(Wish::Oracles(vec!["prox_f".to_string()]));
                return Err(refused(port.span, message, help));
            }
        };
        oracles += &format!("\n\n{body}");
        arguments.push(format!("{argument}={argument}"));
    }
    if code.is_counted() {
        let message = "coefficients that change with the index are not translated to PEPit";
        let help = Advice::from("use ").wish(Wish::Freeze).then(" to read them as constants");
        return Err(refused(Span::default(), message, help));
    }
    if !program.constants.is_empty() {
        let names: Vec<String> = program.constants.iter().map(|c| format!("`{}`", c.name)).collect();
        let message = format!("constant vectors have no counterpart in PEPit, and there are {}", names.join(", "));
        return Err(refused(Span::default(), message, "write them into a function, as its linear term"));
    }
    let all = code.arguments();
    let oracle_names: SortedSet<String> = program.ports.iter().map(oracle_argument).collect();
    let rest: Vec<&String> = all.iter().filter(|a| !oracle_names.contains(*a)).collect();
    if code.has_operators() {
        let names: Vec<String> = program.system.operators.iter().map(|o| format!("`{}`", o.name)).collect();
        let message = format!("linear operators are not translated to PEPit, and there are {}", names.join(", "));
        let help = Advice::from("an operator may be made the identity with ").wish(Wish::Identity);
        return Err(refused(Span::default(), message, help));
    }
    arguments.extend(rest.iter().map(|p| format!("{p}={p}")));
    let zeros = code.zeros();
    let number = |p: &&String| match zeros.contains(p) {
        true => format!("{p} = 0 * Point()\n"),
        false => format!("{p} = 1.0  # choose\n"),
    };
    let numbers: String = rest.iter().map(number).collect();
    let declared: String = functions
        .iter()
        .map(|(f, class)| match class {
            Class::Smooth => format!("f_{f} = problem.declare_function(SmoothConvexFunction, L=1.0)\n"),
            Class::Lipschitz => format!("f_{f} = problem.declare_function(ConvexLipschitzFunction, M=1.0)\n"),
            Class::Indicator => format!("f_{f} = problem.declare_function(ConvexIndicatorFunction)\n"),
            Class::Convex => format!("f_{f} = problem.declare_function(ConvexFunction)\n"),
        })
        .collect();
    let n = program.stored();
    Ok(format!(
        "{}\n\nfrom PEPit import PEP, Point\nfrom PEPit.functions import ConvexFunction, ConvexIndicatorFunction\n\
         from PEPit.functions import ConvexLipschitzFunction, SmoothConvexFunction\n\
         from PEPit.primitive_steps import proximal_step\n\nproblem = PEP()\niterations = 5\n{numbers}{declared}{}\n\n\
         arguments = dict({})\n\n# A state that one iteration leaves as it is.\nfixed = tuple(Point() for _ in range({n}))\n\
         for before, after in zip(fixed, step(fixed, **arguments)):\n    problem.add_constraint((after - before) ** 2 == 0)\n\n\
         state = tuple(problem.set_initial_point() for _ in range({n}))\n\
         problem.set_initial_condition(sum((a - b) ** 2 for a, b in zip(state, fixed)) <= 1)\n\
         last = run(state, iterations - 1, **arguments)\nstate = step(last, **arguments)\n\
         problem.set_performance_metric(sum((a - b) ** 2 for a, b in zip(state, last)))\n\
         print(problem.solve(verbose=0))\n",
        code.text(&renamed.remarks()).trim_end(),
        oracles.trim_end(),
        arguments.join(", "),
    ))
}
