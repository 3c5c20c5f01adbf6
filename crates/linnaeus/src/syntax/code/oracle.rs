//! Which names of a program are oracles: `grad_f`, `gradf`, `prox_g_conj`, `projC`, `soft_threshold`.

use crate::syntax::ast::OracleKind;
use crate::syntax::names::{NORM_1, greek_letter, well_known};

/// An oracle as its name tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What kind of oracle.
    pub kind: OracleKind,
    /// Whose, if the name says so.
    pub function: Option<String>,
    /// Whether it is the conjugate's.
    pub conjugate: bool,
    /// `tau` in `prox_tau_g`.
    pub step: Option<String>,
}

/// Words that begin a name, the longest first.
const WORDS: &[(&str, OracleKind)] = &[
    ("grad_env", OracleKind::MoreauGradient),
    ("moreau_grad", OracleKind::MoreauGradient),
    ("project_onto", OracleKind::Projection),
    ("projection_onto", OracleKind::Projection),
    ("proj_onto", OracleKind::Projection),
    ("projection", OracleKind::Projection),
    ("project", OracleKind::Projection),
    ("proj", OracleKind::Projection),
    ("subgradient", OracleKind::Subdifferential),
    ("subgrad", OracleKind::Subdifferential),
    ("subdiff", OracleKind::Subdifferential),
    ("gradient", OracleKind::Gradient),
    ("grad", OracleKind::Gradient),
    ("nabla", OracleKind::Gradient),
    ("proximal", OracleKind::Prox),
    ("rprox", OracleKind::Reflected),
    ("reflect", OracleKind::Reflected),
    ("refl", OracleKind::Reflected),
    ("prox", OracleKind::Prox),
    ("resolvent", OracleKind::Resolvent),
    ("argmin", OracleKind::Argmin),
];

/// The oracle that a name means.
pub fn named(name: &str) -> Option<Named> {
    let name = name.trim_end_matches(['!', '_']);
    if let Some(function) = name.strip_prefix('∇').filter(|f| !f.is_empty()) {
        return Some(of(OracleKind::Gradient, function));
    }
    if let Some(function) = name.strip_prefix('∂').filter(|f| !f.is_empty()) {
        return Some(of(OracleKind::Subdifferential, function));
    }
    let small = name.to_lowercase();
    if is_soft_threshold(&small) {
        return Some(of(OracleKind::Prox, NORM_1));
    }
    if let Some(found) = with_letter(name) {
        return Some(found);
    }
    for (word, kind) in WORDS {
        if let Some(rest) = small.starts_with(word).then(|| &name[word.len()..]) {
            if rest.is_empty() {
                return Some(Named { kind: *kind, function: None, conjugate: false, step: None });
            }
            let attached = rest.chars().count() <= 2 && rest.starts_with(char::is_alphabetic)
                || rest.starts_with(|c: char| c.is_uppercase())
                || greek_letter(rest).is_some();
            if let Some(function) = rest.strip_prefix('_').filter(|f| !f.is_empty() && !is_method(f)) {
                return Some(of(*kind, function));
            }
            if attached && rest != "s" {
                return Some(of(*kind, rest));
            }
        }
        // `f_grad`, `g_prox`.
        if let Some(function) = small.ends_with(&format!("_{word}")).then(|| &name[..name.len() - word.len() - 1]) {
            let short = function.chars().count() <= 2 || ["loss", "cost", "obj", "func"].contains(&function);
            if (short || is_star(function)) && !function.is_empty() && function != "d" {
                return Some(of(*kind, function));
            }
        }
    }
    let prime = small.strip_suffix("_prime").or_else(|| small.strip_suffix("prime")).filter(|f| !f.is_empty());
    if let Some(function) = prime.filter(|f| f.chars().count() == 1) {
        return Some(of(OracleKind::Gradient, &name[..function.len()]));
    }
    let single = name.strip_prefix('d').filter(|f| matches!(*f, "f" | "g" | "h" | "F" | "G" | "H" | "f1" | "f2"));
    single.map(|function| of(OracleKind::Gradient, function))
}

/// One of a list of oracles, and its number if it has one: `grads_0` for `grads[0]`.
pub fn one_of_many(name: &str) -> Option<(Named, &str)> {
    let numbered = name.rsplit_once('_').filter(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let (list, number) = numbered.unwrap_or((name, ""));
    let ends: &[&str] = if number.is_empty() { &["es", "s", "_list"] } else { &["es", "s", "_list", ""] };
    let single = ends.iter().find_map(|end| named(list.strip_suffix(end)?));
    single.filter(|o| o.function.is_none()).map(|o| (o, number))
}

/// Whether a name is that of a gradient which somebody else computes.
pub fn is_given_gradient(name: &str) -> bool {
    let name = name.trim_matches('_');
    name.starts_with("grad_wrt")
        || matches!(
            name,
            "dW" | "d_theta"
                | "dtheta"
                | "grad"
                | "grads"
                | "gs"
                | "gradient"
                | "gradients"
                | "d_p"
                | "d_p_list"
                | "dw"
                | "dparams"
        )
}

/// Whether a name is that of what is learnt.
pub fn is_parameter(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "p",
        "ps",
        "param",
        "params",
        "parameter",
        "parameters",
        "w",
        "W",
        "weight",
        "weights",
        "theta",
        "θ",
        "x",
        "var",
        "variable",
        "variables",
        "vars",
        "model_variable",
        "x_t",
        "theta_t",
    ];
    NAMES.contains(&name)
}

/// Words that make the name of a method of an oracle's.
fn is_method(word: &str) -> bool {
    let first = word.split('_').next().unwrap_or("");
    ["descent", "desc", "method", "point", "gradient", "grad", "newton", "step", "norm", "ascent", "flow", "alg"]
        .contains(&first)
}

/// `P_C`, `J_A`, `R_f`, `Pi_C`.
fn with_letter(name: &str) -> Option<Named> {
    let (word, function) = name.split_once('_')?;
    let kind = match word {
        "P" | "Pi" => OracleKind::Projection,
        "J" => OracleKind::Resolvent,
        "R" => OracleKind::Reflected,
        _ => return None,
    };
    function.starts_with(char::is_alphabetic).then(|| of(kind, function))
}

fn of(kind: OracleKind, function: &str) -> Named {
    let function = function.trim_matches('_');
    // `prox_conj`: the conjugate of whatever the call names.
    if is_star(function) {
        return Named { kind, function: None, conjugate: true, step: None };
    }
    let (mut name, conjugate) = conjugated(function);
    let mut step = None;
    if kind.has_step()
        && let Some((before, after)) = name.split_once('_')
        && (greek_letter(before).is_some() || before == "t")
        && !after.is_empty()
    {
        step = Some(before.to_string());
        name = after;
    }
    Named { kind, function: Some(well_known(kind, name).to_string()), conjugate, step }
}

/// Whether a word means the conjugate and names no function: `f.conj().prox`, `prox_conjugate`.
pub fn is_star(word: &str) -> bool {
    let word: String = word.chars().filter(|c| *c != '_').collect();
    matches!(
        word.to_lowercase().as_str(),
        "conj" | "conjugate" | "convexconj" | "convexconjugate" | "fenchelconj" | "fenchelconjugate" | "star"
    )
}

/// The function whose conjugate a name means, or the function itself.
pub fn conjugated(name: &str) -> (&str, bool) {
    const STARS: &[&str] =
        &["_conjugate", "_conj", "_star", "conjugate", "conj", "star", "Conj", "Star", "_fenchel", "ᶜ"];
    // `ProxFS`, `ProxGS`.
    let short = name.strip_suffix('S').filter(|s| matches!(*s, "F" | "G" | "H"));
    let stem = STARS.iter().find_map(|s| name.strip_suffix(s)).or_else(|| name.strip_prefix("conj_")).or(short);
    stem.filter(|s| !s.is_empty()).map_or((name, false), |s| (s, true))
}

/// Names of the prox of the sum of absolute values.
fn is_soft_threshold(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| *c != '_').collect();
    matches!(
        plain.as_str(),
        "softthreshold" | "softthresholding" | "softthresh" | "shrink" | "shrinkage" | "softshrink" | "proxl1" | "soft"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, kind: OracleKind, function: &str, conjugate: bool) {
        let found = named(name).unwrap_or_else(|| panic!("{name} is an oracle"));
        let whose = found.function.unwrap_or_default();
        assert_eq!((found.kind, whose.as_str(), found.conjugate), (kind, function, conjugate), "{name}");
    }

    #[test]
    fn names_of_oracles() {
        use OracleKind::*;
        check("grad_f", Gradient, "f", false);
        check("gradf", Gradient, "f", false);
        check("gradF", Gradient, "F", false);
        check("gradient", Gradient, "", false);
        check("∇f", Gradient, "f", false);
        check("f_grad", Gradient, "f", false);
        check("fprime", Gradient, "f", false);
        check("proxG", Prox, "G", false);
        check("prox_g_conjugate", Prox, "g", true);
        check("prox_fstar", Prox, "f", true);
        check("prox_conj", Prox, "", true);
        check("proximal_conjugate", Prox, "", true);
        check("conj_prox", Prox, "", true);
        check("grad_conj", Gradient, "", true);
        check("project", Projection, "", false);
        check("projC", Projection, "C", false);
        check("resolvent_A", Resolvent, "A", false);
        check("soft_threshold", Prox, "norm_1", false);
        check("prox_l1", Prox, "norm_1", false);
        check("proj_orthant", Projection, "nonneg", false);
        check("grad_l1", Gradient, "l1", false);
        for name in [
            "gradients",
            "x_new",
            "gradual",
            "produce",
            "d_p",
            "probe",
            "step",
            "gradient_descent",
            "proximal_gradient",
        ] {
            assert_eq!(named(name), None, "{name}");
        }
    }
}
