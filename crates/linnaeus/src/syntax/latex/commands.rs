//! Commands of a page that are no formulas, and what each is for.

use crate::syntax::ast::Role;

/// Environments that set formulas apart.
const DISPLAYS: &[&str] = &[
    "equation",
    "align",
    "alignat",
    "flalign",
    "gather",
    "multline",
    "eqnarray",
    "displaymath",
    "subequations",
    "dmath",
    "IEEEeqnarray",
];
/// Environments within formulas, and the one that is none.
const INNER: &[&str] =
    &["aligned", "alignedat", "split", "gathered", "multlined", "cases", "dcases", "rcases", "array", "math"];
/// Environments that hold the entries of a matrix.
pub fn is_matrix(name: &str) -> bool {
    let kind = name.trim_end_matches('*').strip_suffix("matrix");
    kind.is_some_and(|k| matches!(k, "" | "p" | "b" | "B" | "v" | "V" | "small"))
}

/// Commands of a page whose argument is no formula.
pub const LABELS: &[&str] = &[
    "label",
    "tag",
    "caption",
    "vspace",
    "hspace",
    "ref",
    "eqref",
    "cite",
    "citep",
    "citet",
    "intertext",
    "color",
    "footnote",
    "section",
    "subsection",
    "paragraph",
    "title",
    "usepackage",
    "documentclass",
    "setcounter",
    "SetKwInOut",
    "SetAlgoLined",
    "phantom",
    "hphantom",
    "vphantom",
    "textcolor",
    "SetKwInput",
    "setlength",
    "algsetup",
];
/// Commands of a page without argument.
pub const SILENT: &[&str] = &[
    "nonumber",
    "notag",
    "hfill",
    "centering",
    "displaystyle",
    "textstyle",
    "scriptstyle",
    "limits",
    "nolimits",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "biggl",
    "biggr",
    "Biggl",
    "Biggr",
    "left",
    "right",
    "middle",
    "noindent",
    "small",
    "footnotesize",
    "normalsize",
    "DontPrintSemicolon",
    "LinesNumbered",
    "medskip",
    "smallskip",
    "bigskip",
    "hline",
    "allowbreak",
    "nobreak",
    "mathstrut",
    "strut",
    "relax",
    "SetAlgoLined",
    "qedhere",
    "newline",
    "mathsurround",
    "thinspace",
    "negthinspace",
    "enspace",
    "par",
    "hspace",
    "unskip",
    "bm@",
    "IEEEyesnumber",
    "IEEEyessubnumber",
    "IEEEnonumber",
    "IEEEeqnarraynumspace",
];

/// What a command does to the blocks of the page.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Structure {
    /// `\For`: a loop; whether its passes are side by side.
    Loop,
    /// `\EndFor`, `\Until`.
    EndLoop,
    /// `\If`
    Test,
    /// `\eIf`, of two bodies.
    Either,
    /// `\ElsIf`
    Next,
    /// `\Else`
    Last,
    /// `\EndIf`
    EndTest,
    /// `\Comment`
    Comment,
    /// `\Procedure`
    Layout,
}

/// What a command does to the blocks of the page, if anything.
pub fn structure(name: &str) -> Option<Structure> {
    Some(match name {
        "For" | "ForAll" | "ForEach" | "While" | "Loop" | "Repeat" | "FOR" | "FORALL" | "WHILE" | "LOOP" | "REPEAT"
        | "lFor" | "lForEach" | "lForAll" | "lWhile" | "lRepeat" | "ParFor" | "ForPar" => Structure::Loop,
        "EndFor" | "EndWhile" | "EndLoop" | "ENDFOR" | "ENDWHILE" | "ENDLOOP" | "EndForAll" | "EndForEach"
        | "Until" | "UNTIL" | "EndParFor" => Structure::EndLoop,
        "If" | "IF" | "uIf" | "lIf" | "Switch" | "Case" | "uCase" | "lCase" => Structure::Test,
        "eIf" | "leIf" => Structure::Either,
        "ElsIf" | "ELSIF" | "ElseIf" | "uElseIf" | "lElseIf" | "ELSEIF" => Structure::Next,
        "Else" | "ELSE" | "uElse" | "lElse" | "Other" | "lOther" => Structure::Last,
        "EndIf" | "ENDIF" | "EndSwitch" | "EndCase" => Structure::EndTest,
        "Comment" | "COMMENT" | "tcp" | "tcc" | "LComment" => Structure::Comment,
        "Procedure" | "EndProcedure" | "Function" | "EndFunction" | "Begin" => Structure::Layout,
        _ => return None,
    })
}

/// What the line of a command is for.
pub fn announces(name: &str) -> Option<(Role, &'static str)> {
    Some(match name {
        "Require" | "REQUIRE" | "KwIn" | "KwData" | "Input" | "INPUT" | "KwInit" | "KwInput" | "Init"
        | "Initialize" => (Role::Initialization, "initialisation"),
        "Ensure" | "ENSURE" | "KwOut" | "KwResult" | "Output" | "OUTPUT" | "Return" | "RETURN" | "KwRet" | "Print" => {
            (Role::Output, "output")
        }
        _ => return None,
    })
}

/// Whether an environment sets formulas apart, with or without a star.
pub(crate) fn is_display(environment: &str) -> bool {
    DISPLAYS.contains(&environment.trim_end_matches('*'))
}

/// Whether formulas stand in an environment.
pub(crate) fn is_math(environment: &str) -> bool {
    is_display(environment) || INNER.contains(&environment.trim_end_matches('*'))
}

/// Whether a command says what a line is for, however a paper makes it look.
pub(crate) fn is_structural(name: &str) -> bool {
    structure(name).is_some()
        || announces(name).is_some()
        || LABELS.contains(&name)
        || matches!(name, "State" | "STATE" | "Statex" | "StateX" | "item")
}
