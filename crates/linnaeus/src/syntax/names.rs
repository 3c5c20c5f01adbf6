//! Spellings: Greek letters, oracle words, functions.

use super::ast::{Elementary, OracleKind};

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ϵ', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ϑ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('µ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('ο', "omicron"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('ϱ', "rho"),
    ('σ', "sigma"),
    ('ς', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "phi"),
    ('ϕ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
];

/// The spelling of a Greek letter.
pub fn greek(letter: char) -> Option<&'static str> {
    GREEK.iter().find(|(c, _)| *c == letter).map(|(_, name)| *name)
}

/// The Greek letter that a name spells.
pub fn greek_letter(name: &str) -> Option<char> {
    GREEK.iter().find(|(_, n)| *n == name).map(|(c, _)| *c)
}

/// Words that introduce an oracle, as they stand before `_…(` or before a function's name.
pub fn oracle_word(word: &str) -> Option<OracleKind> {
    Some(match word {
        "grad" | "gradient" | "nabla" => OracleKind::Gradient,
        "subgrad" | "subgradient" | "subdiff" | "partial" => OracleKind::Subdifferential,
        "prox" | "Prox" => OracleKind::Prox,
        "proj" | "Proj" | "P" | "Pi" | "projection" => OracleKind::Projection,
        "J" | "resolvent" => OracleKind::Resolvent,
        "R" | "refl" | "rprox" => OracleKind::Reflected,
        "argmin" => OracleKind::Argmin,
        _ => return None,
    })
}

/// The sum of absolute values, wherever a notation has a sign or a routine for it.
pub const NORM_1: &str = "norm_1";
/// The vectors without a negative entry.
pub const NONNEGATIVE: &str = "nonneg";

/// One name for a function or a set that has several.
pub fn well_known(kind: OracleKind, name: &str) -> &str {
    let is_prox = matches!(kind, OracleKind::Prox | OracleKind::Reflected | OracleKind::MoreauGradient);
    match name {
        "l1" | "L1" | "ell1" | "ell_1" | "l_1" | "norm1" | "l1norm" | "l1_norm" if is_prox => NORM_1,
        "orthant" | "nonnegative" | "nonnegative_orthant" | "nonneg_orthant" | "positive_orthant" | "Rplus"
            if kind == OracleKind::Projection =>
        {
            NONNEGATIVE
        }
        _ if kind == OracleKind::Projection && name.starts_with("R_plus") => NONNEGATIVE,
        _ => name,
    }
}

/// The set whose indicator a function is by its name: `iota_C`, `delta_C`, `I_C`.
pub fn indicated(function: &str) -> Option<&str> {
    let (word, set) = function.split_once('_')?;
    let known = matches!(word, "iota" | "delta" | "chi" | "I" | "ind" | "indicator");
    Some(set).filter(|s| known && s.starts_with(char::is_uppercase))
}

/// The oracle words that are worth suggesting.
pub const ORACLE_WORDS: &[&str] = &["grad", "subgrad", "prox", "proj", "argmin"];

/// Whether a word belongs to the notation, so that no parameter, operator or constant may have it.
/// The customary single letters `P`, `J`, `R` are oracles only where they carry a subscript.
pub fn is_reserved(word: &str) -> bool {
    let letter = word.chars().count() == 1 || word == "Pi";
    matches!(word, "I" | "Id" | "env") || elementary(word).is_some() || (!letter && oracle_word(word).is_some())
}

/// Words that are functions, never names of something else.
pub fn elementary(word: &str) -> Option<Elementary> {
    Some(match word {
        "exp" => Elementary::Exp,
        "log" | "ln" => Elementary::Log,
        "sqrt" => Elementary::Sqrt,
        "inv" => Elementary::Inverse,
        "adjoint" | "transpose" => Elementary::Adjoint,
        "abs" => Elementary::Nonlinear("abs"),
        "sign" | "sgn" => Elementary::Nonlinear("sign"),
        "max" => Elementary::Nonlinear("max"),
        "min" => Elementary::Nonlinear("min"),
        "norm" => Elementary::Nonlinear("norm"),
        "sin" => Elementary::Nonlinear("sin"),
        "cos" => Elementary::Nonlinear("cos"),
        "tanh" => Elementary::Nonlinear("tanh"),
        _ => return None,
    })
}

/// Words that join formulas and stand for nothing in one.
pub fn is_joining(word: &str) -> bool {
    matches!(
        word,
        "with"
            | "where"
            | "whereas"
            | "and"
            | "for"
            | "all"
            | "we"
            | "get"
            | "gets"
            | "have"
            | "has"
            | "obtain"
            | "then"
            | "thus"
            | "hence"
            | "since"
            | "because"
            | "which"
            | "that"
            | "this"
            | "the"
            | "is"
            | "are"
            | "by"
            | "of"
            | "or"
            | "from"
            | "given"
            | "gives"
            | "give"
            | "yields"
            | "yield"
            | "becomes"
            | "reads"
            | "holds"
            | "here"
            | "each"
            | "any"
            | "some"
            | "via"
            | "using"
            | "denotes"
            | "such"
            | "followed"
            | "therefore"
            | "also"
            | "finally"
            | "first"
            | "second"
            | "until"
            | "while"
    )
}
