//! Commands and words by what they stand for.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::names::greek_letter;

pub(super) const SPACES: &[&str] = &[
    "quad",
    "intertext",
    "qquad",
    "enspace",
    "thinspace",
    ";",
    "quadless",
    "mathstrut",
    "mathord",
    "mathbin",
    "mathrel",
    "nonumber",
    "mathclose",
    "mathopen",
    "ensuremath",
    "smash",
    "textstyle",
    "displaystyle",
    "limits",
    "rm",
    "bf",
    "it",
    "cal",
    "hbox",
    "big",
    "left",
    "right",
];
pub(super) const FONTS: &[&str] = &[
    "mathbf",
    "boldsymbol",
    "bm",
    "mathcal",
    "mathscr",
    "mathfrak",
    "mathbb",
    "mathsf",
    "vec",
    "pmb",
    "mathtt",
    "vb",
    "mathbfit",
    "mathnormal",
    "bold",
    "symbf",
];
pub(super) const WORDS: &[&str] =
    &["mathrm", "operatorname", "mathop", "mathit", "textsc", "textsf", "texttt", "textit", "textbf"];
pub(super) const DECORATIONS: &[(&str, &str)] = &[
    ("tilde", "tilde"),
    ("widetilde", "tilde"),
    ("bar", "bar"),
    ("overline", "bar"),
    ("hat", "hat"),
    ("widehat", "hat"),
    ("dot", "dot"),
    ("ddot", "ddot"),
    ("check", "check"),
    ("breve", "breve"),
    ("acute", "acute"),
    ("grave", "grave"),
    ("mathring", "ring"),
    ("underline", "under"),
];
pub(super) const OPERATORS: &[(&str, char)] = &[
    ("nabla", '∇'),
    ("partial", '∂'),
    ("cdot", '*'),
    ("times", '*'),
    ("ast", '*'),
    ("div", '/'),
    ("langle", '⟨'),
    ("rangle", '⟩'),
    ("|", '‖'),
    ("Vert", '‖'),
    ("lVert", '‖'),
    ("rVert", '‖'),
    ("vert", '|'),
    ("lvert", '|'),
    ("rvert", '|'),
    ("mid", '|'),
    ("{", '('),
    ("}", ')'),
    ("lbrace", '('),
    ("rbrace", ')'),
    ("lbrack", '('),
    ("rbrack", ')'),
    ("lparen", '('),
    ("rparen", ')'),
    ("dots", '…'),
    ("ldots", '…'),
    ("cdots", '…'),
    ("star", '⋆'),
    ("top", '⊤'),
    ("intercal", '⊤'),
    ("transpose", '⊤'),
    ("dagger", '†'),
    ("prime", '\''),
    ("in", '∈'),
    ("colon", ':'),
    ("infty", '∞'),
    ("le", '<'),
    ("leq", '<'),
    ("ge", '>'),
    ("geq", '>'),
    ("bullet", '*'),
];

/// Whether a command may have something below or above it.
pub fn carries_scripts(command: &str) -> bool {
    let is_letter = greek_letter(command.strip_prefix("var").unwrap_or(command)).is_some() || command == "ell";
    let is_sign = matches!(command, "nabla" | "partial" | "|" | "Vert" | "rVert" | "rangle" | "right");
    is_letter || is_sign || known_word(command).is_some()
}

/// A word of the notation, spelled as it is kept.
pub fn known_word(word: &str) -> Option<&'static str> {
    const KNOWN: &[&str] = &[
        "argmin",
        "argmax",
        "prox",
        "Prox",
        "proj",
        "Proj",
        "projection",
        "grad",
        "nabla",
        "subgrad",
        "subdiff",
        "partial",
        "exp",
        "log",
        "ln",
        "sqrt",
        "inv",
        "sign",
        "sgn",
        "min",
        "max",
        "Id",
        "id",
        "env",
        "refl",
        "arg",
        "sin",
        "cos",
        "tanh",
        "resolvent",
    ];
    if let Some(known) = KNOWN.iter().find(|k| **k == word) {
        return Some(known);
    }
    if matches!(word, "prj" | "Prj" | "proj_" | "Projection" | "project") {
        return Some("proj");
    }
    let letter = greek_letter(word).filter(|_| word != "omicron")?;
    crate::syntax::names::greek(letter)
}

pub fn unknown(name: &str, span: Span) -> Diagnostic {
    let known =
        OPERATORS.iter().map(|(n, _)| *n).chain(DECORATIONS.iter().map(|(n, _)| *n)).chain(FONTS.iter().copied());
    let more = [
        "frac",
        "alpha",
        "beta",
        "gamma",
        "delta",
        "theta",
        "lambda",
        "sigma",
        "operatorname",
        "mathrm",
        "argmin",
        "prox",
        "gets",
        "leftarrow",
    ];
    let near = crate::diagnostic::nearest(name, known.chain(more).filter(|k| k.len() > 2));
    let message = match name {
        "sum" | "prod" => format!("`\\{name}` over many terms is not read"),
        "matrix" => "a matrix of entries is not read".to_string(),
        "mapsto" => "`\\mapsto` says what a map does, not what the next value is".to_string(),
        "odot" | "otimes" | "oplus" | "ominus" | "oslash" | "wedge" | "vee" | "mod" | "bmod" | "pmod" | "int"
        | "lim" | "sup" | "inf" | "det" | "Pr" | "cup" | "cap" => {
            format!("`\\{name}` is nothing that an update may hold")
        }
        _ => format!("the command `\\{}` is not known", crate::diagnostic::clipped(name)),
    };
    let help = match (name, near) {
        ("sum", _) => {
            "write the terms out, or give the sum of the functions a name, as in `\\nabla F(x_k)`; a sum of vectors is an \
             operator, as in `A x_k`"
                .to_string()
        }
        ("prod", _) => "write the factors out, or give the product a name".to_string(),
        ("matrix", _) => "write one line for every row, or give the matrix a name, as in `A x_k`".to_string(),
        ("mapsto", _) => "write what the next value is, as in `x_{k+1} = x_k - t \\nabla f(x_k)`".to_string(),
        ("odot", _) => "a product with a vector that never changes is an operator, as in `D x_k`".to_string(),
        _ if message.ends_with("hold") => {
            "write sums, products with numbers and operators, and calls of oracles, as in `T(x_k)`".to_string()
        }
        (_, Some(near)) => format!("did you mean `\\{near}`? Otherwise paste its `\\newcommand` too"),
        _ => "paste its `\\newcommand` too, or write what it stands for".to_string(),
    };
    Diagnostic::error(Code::UnexpectedToken, span, message).help(help)
}
