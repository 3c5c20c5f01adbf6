//! Which programming language a text is written in, if any.

use super::Language;
use crate::source::Span;
use crate::syntax::latex;

/// The language that a text seems to be a program in.
pub fn detect(text: &str) -> Option<Language> {
    let named = fences(text).and_then(|f| f.language);
    let text = &without_prompts(text);
    if named.is_some() {
        return named;
    }
    // Indices below the line are mathematics.
    if ["ₖ₊", "ₖ₋", "ₙ₊", "ₜ₊", "₊₁"].iter().any(|s| text.contains(s)) {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(|l| undeclared(l.trim())).filter(|l| !l.is_empty()).collect();
    let code: Vec<&str> = lines.iter().copied().filter(|l| !l.starts_with(['#', '%'])).collect();
    let word = |l: &str| l.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_string();
    let starts = |words: &[&str]| code.iter().any(|l| words.contains(&word(l).as_str()));
    let ends_block = code.iter().any(|l| {
        matches!(l.trim_end_matches([';', ',']), "end" | "endfor" | "endwhile" | "endfunction")
            || l.ends_with(" end")
            || l.ends_with("; end;")
    });
    let has = |parts: &[&str]| code.iter().any(|l| parts.iter().any(|p| l.contains(p)));
    let assigns = code.iter().flat_map(|l| l.split(';')).any(|l| assignment(l.trim()));
    let plain_marks = has(&["<-", ":=", "[k", "prox_{", "grad f", "grad g", "\\", "^{", "_{"]);
    // `x[k+1] = …` without a loop around it, or beside oracles that no program calls so, is the plain notation.
    if starts(&["repeat"]) && starts(&["until"]) {
        return None;
    }
    let heads = ["for", "while", "def", "function", "class", "with", "parfor", "let", "begin"];
    let apart = has(&["prox_{", "grad f(", "grad g(", "grad h(", "∇f(", "<-", ":="]);
    if (!starts(&heads) || apart) && code.iter().any(|l| indexed_target(l)) {
        return None;
    }
    // So it is behind the head of a loop on its line.
    let behind_head = |l: &str| {
        let head = l.split_once(": ").filter(|_| ["for", "while"].contains(&word(l).as_str()));
        head.is_some_and(|(_, body)| indexed_target(body))
    };
    if code.iter().any(|l| behind_head(l)) {
        return None;
    }
    // Oracles and arrows that no language has.
    let said = |l: &&str| l.split(['#', '%']).next().unwrap_or("").to_string();
    let foreign = |l: String| ["prox_{", "grad f(", "grad g(", "grad h(", " <- "].iter().any(|m| l.contains(m));
    if code.iter().map(said).any(foreign) {
        return None;
    }
    // A page with formulas, `**bold**` and all.
    let marked = |l: &&&str| l.matches('$').count() > 1 || ["$$", "\\[", "\\begin{"].iter().any(|m| l.starts_with(m));
    if !starts(&heads) && code.iter().any(|l| marked(&l)) {
        return None;
    }
    let returns = starts(&["def", "function"]) && starts(&["return"]);
    if !assigns && !returns {
        return None;
    }
    let colon_head = code
        .iter()
        .any(|l| l.ends_with(':') && ["for", "while", "def", "if", "with", "class"].contains(&word(l).as_str()));
    let python = colon_head
        || code
            .iter()
            .any(|l| (l.starts_with("for ") && l.contains(" in ") || l.starts_with("while ")) && l.contains(": "))
        || starts(&["def", "import", "from"]) && !has(&["import LinearAlgebra"])
        || has(&[
            "np.",
            "numpy",
            "torch.",
            ".copy()",
            ".clone()",
            ".T @",
            ".T.dot",
            " @ ",
            "@= ",
            ".add_(",
            ".mul_(",
            ".sub_(",
            "**",
            ".dot(",
            ".append(",
            ".assign(",
            ".assign_add(",
            ".assign_sub(",
        ]);
    let julia = has(&[
        " .= ",
        " .+= ",
        " .-= ",
        " .*= ",
        "println(",
        "@inbounds",
        "@. ",
        "!(",
        "∇",
        "push!(",
        " ∈ ",
        "1:",
        "∘",
    ]) && (ends_block || has(&[" .= ", " .+= ", " .-= ", "@. ", "!("]))
        || starts(&["using", "begin", "let", "mutable"])
        || code.iter().any(|l| l.starts_with("function ") && !l.contains('=') && ends_block)
        || code.iter().any(|l| l.starts_with("for ") && l.contains(" in ") && !l.ends_with(':')) && ends_block;
    let matlab_for = code.iter().any(|l| {
        (l.starts_with("for ") || l.starts_with("for(")) && l.contains('=') && !l.contains(" in ") && l.contains(':')
    });
    // `U \ (L \ q)`
    let command = |l: &&&str| l.match_indices('\\').any(|(i, _)| !l[i + 1..].starts_with([' ', '(']));
    let divides = has(&[" \\ "]) && !code.iter().any(|l| command(&l));
    let bare = |l: &str| l.split('%').next().unwrap_or("").trim_end().to_string();
    let stop = |l: &str| l.ends_with(';') || l.contains("; end") || l.contains(", end");
    let stops = code.iter().filter(|l| stop(&bare(l))).count();
    let matlab = ends_block && (matlab_for && !julia || stops > 0 || lines.iter().any(|l| l.starts_with('%')))
        || code.iter().any(|l| l.starts_with("function ") && l.contains('='))
        || has(&["@(x)", "@(v", "@(z", "fprintf("])
        || stops > 0 && stops * 2 >= code.len() && (divides || has(&["'*", ".*", "(:,", "_f(", "prox", "grad"]));
    if python {
        return Some(Language::Python);
    }
    let julia_mark =
        has(&[" .= ", " .+= ", " .-= ", "@. ", "println(", "!(", "∇", "copy(", " ∈ "]) || starts(&["using", "begin"]);
    if matlab && !(julia && (julia_mark || stops == 0)) {
        return Some(Language::Matlab);
    }
    if julia || ends_block {
        return Some(Language::Julia);
    }
    let augmented = has(&[" += ", " -= ", " *= ", " /= "]);
    let calls = has(&["grad_", "prox_", "prox(", "gradf(", "grad(", ".grad(", ".prox(", "proj_", "project("]);
    let copies = code.iter().any(|l| ["_old", "_prev", "_new", "_next"].iter().any(|s| word(l).ends_with(s)));
    // `x, y = y, x - t*grad_f(y)`
    let at_once = code.iter().any(|l| {
        let left = l.split('=').next().unwrap_or("");
        left.contains(',') && left.chars().all(|c| c.is_alphanumeric() || "_, ".contains(c))
    });
    // `x = x - t*grad(x)`: the plain notation says of what.
    let unnamed =
        code.iter().any(|l| ["grad(", "prox("].iter().any(|w| l.find(w).is_some_and(|at| l[..at].contains('='))));
    (!plain_marks && (augmented || (copies || at_once || unnamed) && calls)).then_some(Language::Python)
}

/// A line without `function f linear;`, which declares in the plain notation and begins no function.
fn undeclared(line: &str) -> &str {
    let (said, rest) = line.split_once(';').unwrap_or((line, ""));
    let declares = said.starts_with("function") && said.split_whitespace().count() > 2 && !said.contains(['=', '(']);
    if declares { rest.trim_start() } else { line }
}

/// The text with blanks where an interpreter asked for it: `>>> `, `julia> `, `>> `.
pub fn without_prompts(text: &str) -> String {
    let text = &fences(text).map_or_else(|| text.to_string(), |f| f.inside);
    let asks = text.lines().any(|l| l.trim_start().starts_with(">>> "));
    let mut found = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        let goes_on = if asks { ["... ", "...\n"].as_slice() } else { &[] };
        let prompt = [">>> ", "julia> ", ">> "].iter().chain(goes_on).find(|p| body.starts_with(**p));
        let length = prompt.map_or(0, |p| p.trim_end().len());
        let margin = line.len() - body.len();
        found.push_str(&line[..margin]);
        found.extend(std::iter::repeat_n(' ', length));
        found.push_str(&body[length..]);
    }
    found
}

/// A line beside the code that is for the reader: a declaration, or a value for a parameter or a flag.
fn is_setting(line: &str) -> bool {
    let word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_alphanumeric() || c == '_');
    let value =
        |v: &str| v.parse::<f64>().is_ok() || matches!(v, "True" | "False" | "None" | "true" | "false" | "nothing");
    let given = line.split_once('=').is_some_and(|(name, v)| word(name.trim()) && value(v.trim()));
    let short = line.split_whitespace().count() <= 6 && !line.ends_with(['.', ':', '?', ',']);
    given || short && latex::declares(line)
}

/// A text with code between fences.
pub struct Fenced {
    /// The code, with blanks for the rest.
    pub inside: String,
    /// The lines of the rest.
    pub outside: Vec<Span>,
    /// The language that the first fence names.
    pub language: Option<Language>,
}

/// Code between lines of three backticks or tildes, as Markdown has it; `None` if there are none.
pub fn fences(text: &str) -> Option<Fenced> {
    let mark = |l: &str| ["```", "~~~"].into_iter().find(|m| l.trim_start().starts_with(m));
    let mut found = Fenced { inside: String::with_capacity(text.len()), outside: Vec::new(), language: None };
    let (mut open, mut any, mut start) = (None, false, 0);
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let fence = mark(line).filter(|m| open.is_none_or(|o| o == *m));
        if fence.is_some() {
            if open.is_none() && !any {
                found.language = match body.trim_start_matches(['`', '~']).trim().to_lowercase().as_str() {
                    "python" | "py" | "python3" => Some(Language::Python),
                    "julia" | "jl" => Some(Language::Julia),
                    "matlab" | "octave" | "m" => Some(Language::Matlab),
                    _ => None,
                };
            }
            (open, any) = (if open.is_some() { None } else { fence }, true);
        }
        if fence.is_none() && (open.is_some() || is_setting(body)) {
            found.inside.push_str(line);
        } else {
            found.inside.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            let from = start + line.len() - line.trim_start().len();
            if !body.is_empty() {
                found.outside.push(Span::new(from, from + body.len()));
            }
        }
        start += line.len();
    }
    any.then_some(found)
}

/// `x[k+1] = …`.
fn indexed_target(line: &str) -> bool {
    let left = line.split('=').next().unwrap_or("").trim_end();
    let inside = left.strip_suffix(']').and_then(|l| l.split_once('[')).map_or("", |(_, inside)| inside);
    inside.starts_with(char::is_alphabetic)
}

/// Whether a line is `name = …` as programs write it.
fn assignment(line: &str) -> bool {
    let Some(at) = line.find('=') else {
        let module = line.starts_with("np.") || line.starts_with("numpy.");
        let overwrites = ["_(", "!(", ".append(", ".assign(", ".assign_add(", ".assign_sub("];
        return overwrites.iter().any(|m| line.contains(m)) || module;
    };
    let left = line[..at].trim_end_matches(['+', '-', '*', '/', '.', '@', '^']).trim();
    !left.is_empty()
        && left.chars().all(|c| {
            c.is_alphanumeric() || "_., []()'\":{}-+!∇₊₋⁺⁻".contains(c) || ('\u{300}'..='\u{36f}').contains(&c)
        })
}
