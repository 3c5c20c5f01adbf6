//! Systems and their solutions.

mod text;

use text::*;

const TRIPLE_MOMENTUM: &str = "-alpha*(z*(1+gamma)-gamma)/((z-1)*(z-beta))";
const NESTEROV: &str = "-alpha*(z*(1+beta)-beta)/((z-1)*(z-beta))";
const HEAVY_BALL: &str = "-alpha*z/((z-1)*(z-beta))";

/// Quasi-hyperbolic momentum.
const QHM: &str = "a*(b*n*z-b*n+b-z)/((z-b)*(z-1))";
/// Stochastic unified momentum.
const SUM: &str = "-a*(b*s*z-b*s+z)/((z-b)*(z-1))";

#[test]
fn dbg() {
    for (p, u, g) in [
        (matching(TRIPLE_MOMENTUM, QHM), "a b n", "alpha beta gamma"),
        (matching(TRIPLE_MOMENTUM, SUM), "a b s", "alpha beta gamma"),
        (matching(QHM, TRIPLE_MOMENTUM), "alpha beta gamma", "a b n"),
        (matching(SUM, TRIPLE_MOMENTUM), "alpha beta gamma", "a b s"),
        (matching(QHM, "-e*(f*s*z-f*s+z)/((z-f)*(z-1))"), "e f s", "a b n"),
        (matching(SUM, "e*(f*n*z-f*n+f-z)/((z-f)*(z-1))"), "e f n", "a b s"),
        (matching(HEAVY_BALL, "-a*(z*(1+b)-b)/((z-1)*(z-b))"), "a b", "alpha beta"),
        (matching(NESTEROV, "h*(s0+s1*z)/(r0+r1*z+z^2)"), "h r0 r1 s0 s1", "alpha beta"),
        (matching("-g*z/(g*w*z-m*z+m+z^2-z)", "-a*z/((z-b)*(e*v+z-1))"), "g m w", "a b e v"),
        (matching("-g*z/(g*w*z-m*z+m+z^2-z)", "-a*z/((z-b)*(e*v+z-1))"), "a b e v", "g m w"),
        (matching(TRIPLE_MOMENTUM, EIGHT), "a11 a12 a21 a22 b1 b2 c1 c2", "alpha beta gamma"),
        (matching(TRIPLE_MOMENTUM, EIGHT), "alpha beta gamma", "a11 a12 a21 a22 b1 b2 c1 c2"),
        (system(&["x^2-2"], "x", "p").equations, "x", "p"),
        (system(&["x^2-p"], "x", "p").equations, "x", "p"),
        (system(&["x^2-p^2"], "x", "p").equations, "x", "p"),
        (system(&["x*y-1","x+y-p"], "x", "p").equations, "x y", "p"),
        (system(&["x^2+y^2-5","x*y-2"], "x", "p").equations, "x y", "p"),
        (system(&["x^2+y^2+t^2-p","x*y-2","t^2-x*y-x"], "x", "p").equations, "x y t", "p"),
        (system(&["x^3-p", "y^2-x"], "x", "p").equations, "x y", "p"),
        (system(&["x^2-2", "y^2-3","t-x-y"], "x", "p").equations, "x y t", "p"),
        (system(&["x^2-2", "y^2-8","t-x-y"], "x", "p").equations, "x y t", "p"),
    ] {
        println!("--- {u} | {g}");
        let pr = problem(p, u, g);
        let t = std::time::Instant::now();
        let s = solved(&pr);
        println!("{:?}\n  {}", t.elapsed(), show(&s).join("\n  "));
        let pr = pr.conditions_allowed();
        let t = std::time::Instant::now();
        let s = solved(&pr);
        println!("{:?}\n  {}", t.elapsed(), show(&s).join("\n  "));
    }
}

const EIGHT: &str = "(c1*(b1*(z-a22)+b2*a12)+c2*(b1*a21+b2*(z-a11)))/((z-a11)*(z-a22)-a12*a21)";
