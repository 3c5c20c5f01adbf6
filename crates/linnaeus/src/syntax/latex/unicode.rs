//! Characters that stand for a command, a script or a decorated letter.

/// The command that a character draws.
pub fn command(c: char) -> Option<&'static str> {
    Some(match c {
        '∇' => "nabla",
        '∂' => "partial",
        '∈' | '∋' => "in",
        '←' | '⟵' | '⇐' | '↤' => "gets",
        '≔' | '≜' | '≝' => "coloneqq",
        '‖' | '∥' => "|",
        '⟨' | '〈' => "langle",
        '⟩' | '〉' => "rangle",
        '·' | '⋅' | '×' | '∙' | '•' => "cdot",
        '∘' | '◦' => "circ",
        '√' => "sqrt",
        '≤' | '⩽' => "leq",
        '≥' | '⩾' => "geq",
        '≠' => "neq",
        '≈' => "approx",
        '→' => "to",
        '…' | '⋯' => "dots",
        '∀' => "forall",
        '∞' => "infty",
        '⋆' | '★' => "star",
        '⊤' => "top",
        '†' => "dagger",
        '∑' => "sum",
        '∏' => "prod",
        'ℓ' => "ell",
        '±' => "pm",
        '½' => "frac12",
        '⅓' => "frac13",
        '¼' => "frac14",
        '⅔' => "frac23",
        '¾' => "frac34",
        '⅛' => "frac18",
        '\u{a0}' | '\u{2009}' | '\u{202f}' => "quadless",
        _ => return None,
    })
}

const BELOW: &[(&str, &str)] =
    &[("₀₁₂₃₄₅₆₇₈₉", "0123456789"), ("ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "aehijklmnoprstuvx"), ("₊₋₌₍₎", "+-=()")];
const ABOVE: &[(&str, &str)] = &[
    ("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"),
    ("ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", "abcdefghijklmnoprstuvwxyz"),
    ("⁺⁻⁼⁽⁾", "+-=()"),
    ("ᵀᴴ", "TH"),
];

/// Below or above the line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A subscript.
    Below,
    /// A superscript.
    Above,
}

/// The letter that is drawn small, and where.
pub fn script(c: char) -> Option<(Place, char)> {
    let find = |tables: &[(&str, &str)]| {
        tables.iter().find_map(|(small, plain)| {
            let at = small.chars().position(|s| s == c)?;
            plain.chars().nth(at)
        })
    };
    find(BELOW).map(|l| (Place::Below, l)).or_else(|| find(ABOVE).map(|l| (Place::Above, l)))
}

/// The decoration that a combining mark puts on the letter before it.
pub fn combining(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{302}' => "hat",
        '\u{303}' => "tilde",
        '\u{304}' | '\u{305}' => "bar",
        '\u{307}' => "dot",
        '\u{30c}' => "check",
        '\u{20d7}' => "vec",
        _ => return None,
    })
}

const DECORATED: &[(&str, &str, &str)] = &[
    ("âĉêĝĥîĵôŝûŵŷẑ", "aceghijosuwyz", "hat"),
    ("ãẽĩñõũṽỹ", "aeinouvy", "tilde"),
    ("āēīōūȳḡ", "aeiouyg", "bar"),
    ("ẋẏżḟġ", "xyzfg", "dot"),
];

/// A letter with its decoration in one character.
pub fn decorated(c: char) -> Option<(char, &'static str)> {
    DECORATED.iter().find_map(|(whole, plain, mark)| {
        let at = whole.chars().position(|w| w == c)?;
        Some((plain.chars().nth(at)?, *mark))
    })
}

/// A letter of the mathematical alphabets as the plain one, and whether the font is a bold one.
pub fn alphabet(c: char) -> Option<(char, bool)> {
    if c == 'ℝ' {
        return Some(('R', true));
    }
    let n = (c as u32).checked_sub(0x1d400).filter(|n| *n < 13 * 52)?;
    let letter = n % 52;
    let base = if letter < 26 { b'A' } else { b'a' - 26 };
    Some(((base + letter as u8) as char, n / 52 != 1))
}

/// A Greek letter, nabla or partial of the mathematical alphabets as the plain one; their fonts tell nothing apart.
pub fn upright(c: char) -> Option<char> {
    const PLAIN: &str = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΘΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂εθκφρπ";
    let n = (c as u32).checked_sub(0x1d6a8).filter(|n| *n < 5 * 58)?;
    PLAIN.chars().nth(n as usize % 58)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slanted_and_bold_letters() {
        for (fonts, plain) in
            [("𝛂𝛼𝜶𝝰𝞪", 'α'), ("𝛁𝛻𝜵𝝯𝞩", '∇'), ("𝛔𝜎𝝈", 'σ'), ("𝛚𝜔", 'ω'), ("𝜕", '∂'), ("𝚺", 'Σ'), ("𝜖", 'ε')]
        {
            assert!(fonts.chars().all(|c| upright(c) == Some(plain)), "{fonts}");
        }
        assert_eq!(upright('α'), None);
        assert_eq!(upright('𝟎'), None);
    }
}
