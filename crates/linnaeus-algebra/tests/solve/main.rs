//! Systems and their solutions.

mod families;
mod planted;
mod text;

use text::*;

#[test]
fn one_equation() {
    check(&system(&["2*x-p"], "x", "p"), &["x = p/(2)"]);
    check(&system(&["x^2-2"], "x", ""), &["x = 0 + [-1]*sqrt(2)", "x = 0 + [1]*sqrt(2)"]);
    check(&system(&["x^2-p"], "x", "p"), &["x = 0 + [-1]*sqrt(p)", "x = 0 + [1]*sqrt(p)"]);
    check(&system(&["x^2-p^2"], "x", "p"), &["x = -p", "x = p"]);
    check(&system(&["8*x^2+p"], "x", "p"), &["x = 0 + [-1/(4)]*sqrt(-2*p)", "x = 0 + [1/(4)]*sqrt(-2*p)"]);
    check(&system(&["x^2*(p*x-1)^3"], "x", "p"), &["x = 0", "x = 1/(p); nonzero p"]);
}

#[test]
fn products_and_sums() {
    check(
        &system(&["x*y-1", "x+y-p"], "x y", "p"),
        &[
            "x = p/(2) + [-1/(2)]*sqrt(p^2-4); y = p/(2) + [1/(2)]*sqrt(p^2-4)",
            "x = p/(2) + [1/(2)]*sqrt(p^2-4); y = p/(2) + [-1/(2)]*sqrt(p^2-4)",
        ],
    );
    check(
        &system(&["x^2+y^2-5", "x*y-2"], "x y", ""),
        &["x = -2; y = -1", "x = -1; y = -2", "x = 1; y = 2", "x = 2; y = 1"],
    );
    check(&system(&["x*y-p"], "x y", "p"), &["y = p/(x); free x; nonzero x"]);
    check(&system(&["x*y"], "x y", ""), &["x = 0; free y", "y = 0; free x"]);
}

#[test]
fn nothing_to_solve() {
    check(&system(&[], "x y", "p"), &["free x, y"]);
    check(&system(&["0", "0"], "x", "p"), &["free x"]);
    check(&system(&[], "", "p"), &[""]);
    check(&system(&[], "x", "p").nonzero(&["x-p"]), &["free x"]);
}

#[test]
fn no_solution() {
    check(&system(&["1"], "x", ""), &[]);
    check(&system(&["p"], "x", "p"), &[]);
    check(&system(&["x-1", "x-2"], "x", ""), &[]);
    check(&system(&["x*y-1", "x*y-2"], "x y", ""), &[]);
    check(&system(&["x^2+y^2-1", "x^2+y^2-2"], "x y", ""), &[]);
    check(&system(&["x-p"], "x", "p").nonzero(&["x-p"]), &[]);
    check(&system(&["x"], "x", "p").nonzero(&["0"]), &[]);
    check(&system(&["x*(x-p)"], "x", "p").nonzero(&["x"]), &["x = p; nonzero p"]);
}

#[test]
fn conditions_on_what_is_given() {
    check(&system(&["p*(p-q)"], "", "p q").conditions_allowed(), &["if p = 0", "if q = p"]);
    check(&system(&["x-p", "x-q", "x-1"], "x", "p q").conditions_allowed(), &["if p = 1; if q = 1; x = 1"]);
    // A branch that exists for all p, and one that needs p = 1 and leaves x free.
    check(&system(&["(p-1)*(x-2)"], "x", "p").conditions_allowed(), &["x = 2", "if p = 1; free x"]);
    // p = q = 0 with x free is a limit of the branch.
    check(&system(&["p*x-q"], "x", "p q").conditions_allowed(), &["x = q/(p); nonzero p"]);
    // Here p = 0 leaves more freedom than a limit has.
    check(
        &system(&["p*x-q", "p*(y-x)-r", "p*(y-1)-q"], "x y", "p q r").conditions_allowed(),
        &["if r = p; x = q/(p); y = (q+p)/(p); nonzero p", "if p = 0; if q = 0; if r = 0; free x, y"],
    );
    check(
        &system(&["p^2+q^2-1"], "", "p q").conditions_allowed(),
        &["if q = 0 + [-1]*sqrt(-p^2+1)", "if q = 0 + [1]*sqrt(-p^2+1)"],
    );
    check(&system(&["p^5+q^5+p*q-1"], "x", "p q").conditions_allowed(), &["free x; where 0 = q^5+p*q+p^5-1"]);
}

#[test]
fn roots_of_roots_and_of_higher_degree() {
    check(&system(&["x^3+x-p"], "x", "p"), &["free x; where 0 = x^3+x-p", "incomplete"]);
    check(&system(&["x^3-p", "y-x^2"], "x y", "p"), &["y = x^2; free x; where 0 = x^3-p", "incomplete"]);
    check(
        &system(&["x^2-2", "y^2-8", "t-x-y"], "x y t", ""),
        &[
            "t = 0 + [-3]*sqrt(2); x = 0 + [-1]*sqrt(2); y = 0 + [-2]*sqrt(2)",
            "t = 0 + [-1]*sqrt(2); x = 0 + [1]*sqrt(2); y = 0 + [-2]*sqrt(2)",
            "t = 0 + [1]*sqrt(2); x = 0 + [-1]*sqrt(2); y = 0 + [2]*sqrt(2)",
            "t = 0 + [3]*sqrt(2); x = 0 + [1]*sqrt(2); y = 0 + [2]*sqrt(2)",
        ],
    );
    check(
        &system(&["x^2-2", "y^2-3"], "x y", ""),
        &[
            "x = 0 + [-1]*sqrt(2); y = 0 + [-1]*sqrt(3)",
            "x = 0 + [-1]*sqrt(2); y = 0 + [1]*sqrt(3)",
            "x = 0 + [1]*sqrt(2); y = 0 + [-1]*sqrt(3)",
            "x = 0 + [1]*sqrt(2); y = 0 + [1]*sqrt(3)",
        ],
    );
    check(
        &system(&["x^2-2", "y^2-3", "t-x-y"], "x y t", ""),
        &[
            "t = x + [-1]*sqrt(3); y = 0 + [-1]*sqrt(3); free x; where 0 = x^2-2",
            "t = x + [1]*sqrt(3); y = 0 + [1]*sqrt(3); free x; where 0 = x^2-2",
            "incomplete",
        ],
    );
    // √(3 + 2√2) = 1 + √2
    check(
        &system(&["x^2-2", "y^2-3-x^3"], "x y", ""),
        &[
            "x = 0 + [-1]*sqrt(2); y = -1 + [1]*sqrt(2)",
            "x = 0 + [-1]*sqrt(2); y = 1 + [-1]*sqrt(2)",
            "x = 0 + [1]*sqrt(2); y = -1 + [-1]*sqrt(2)",
            "x = 0 + [1]*sqrt(2); y = 1 + [1]*sqrt(2)",
        ],
    );
    check(&system(&["x^2-2", "y^2-1-x"], "x y", ""), &["x = y^2-1; free y; where 0 = y^4-2*y^2-1", "incomplete"]);
}

#[test]
fn systems_that_are_linear_in_nothing() {
    // Three quadrics: the eight points with coordinates ±1.
    let cube = system(&["x^2-y^2", "y^2-t^2", "x^2+y^2+t^2-3"], "x y t", "");
    assert_eq!(solved(&cube).branches.len(), 8);
    // Two ellipses that meet in four points.
    check(
        &system(&["x^2+4*y^2-8", "4*x^2+y^2-17"], "x y", ""),
        &["x = -2; y = -1", "x = -2; y = 1", "x = 2; y = -1", "x = 2; y = 1"],
    );
    // A common component and two points besides.
    check(
        &system(&["(x^2+y^2-p)*(x-1)", "(x^2+y^2-p)*(y-2)"], "x y", "p"),
        &["y = 0 + [-1]*sqrt(-x^2+p); free x", "y = 0 + [1]*sqrt(-x^2+p); free x", "x = 1; y = 2"],
    );
}

#[test]
fn a_branch_shows_what_must_not_vanish() {
    check(&system(&["x-p^2*q"], "x", "p q").nonzero(&["x", "p"]), &["x = p^2*q; nonzero q"]);
    check(&system(&["p^2*x-1"], "x", "p").nonzero(&["p"]), &["x = 1/(p^2)"]);
    check(
        &system(&["x^2-p"], "x", "p").nonzero(&["x-1"]),
        &["x = 0 + [-1]*sqrt(p); nonzero p-1", "x = 0 + [1]*sqrt(p); nonzero p-1"],
    );
}
