//! Texts: those of the corpus and of a small grammar, damaged.

use crate::front_end::FrontEnd;
use linnaeus::syntax::notation::Notation;
use std::path::Path;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.roll(of.len())]
    }
}

/// Makes texts for one front end.
pub struct Generator {
    front_end: FrontEnd,
    dice: Dice,
    seeds: Vec<String>,
}

const ANY: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "+",
    "-",
    "*",
    "/",
    "^",
    "'",
    ",",
    ";",
    ":",
    "_",
    "&",
    "|",
    "<",
    ">",
    ".",
    "#",
    "%",
    "\n",
    "\n\n",
    "\t",
    " ",
    "0",
    "1",
    "k",
    "x",
    "y",
    "A",
    "\u{0}",
    "é",
    "ß",
    "漢",
    "😀",
    "\u{300}",
    "\u{feff}",
    "\u{200b}",
    "\r\n",
    "\\",
    "$",
    "?",
    "@",
    "!",
    "\"",
    "`",
    "~",
    "∞",
    "1e999999",
    "0.000000000000000000000001",
    "99999999999999999999999999999999999999999999999999",
    "1/0",
    "x[k+1]",
    "x[k-1000000]",
    "a^99999",
    "I",
    "…",
];
const PLAIN: &[&str] = &[
    "x[k+1] = ",
    "grad f(",
    "prox_{t f}(",
    "operator A: X -> Y\n",
    "param t\n",
    "oracle F\n",
    "A'*",
    "inv(",
    "sqrt(",
    "argmin_x f(x) + ",
    "||x||^2",
    "<a, b>",
    "proj_C(",
    "J_{t A}(",
    "index k\n",
    "<- ",
    "x[k+1/2]",
    "H = [[",
    "]]",
    "oracles: prox_f\n",
    "z^2",
];
const LATEX: &[&str] = &[
    "\\frac{",
    "\\nabla f(",
    "^{k+1}",
    "_{k}",
    "\\begin{align}",
    "\\end{align}",
    "\\\\",
    "&=",
    "\\newcommand{\\x}{\\x\\x}",
    "\\x",
    "\\left(",
    "\\right)",
    "\\operatorname{prox}_{",
    "\\arg\\min_x",
    "\\|",
    "\\text{",
    "\\For{",
    "\\EndFor",
    "\\State ",
    "\\leftarrow",
    "\\langle",
    "\\rangle",
    "\\tilde{",
    "\\mathbf",
    "\\tag{1}",
    "\\label{",
    "\\def\\a",
    "$$",
];
const UNICODE: &[&str] =
    &["xₖ₊₁", "∇f(", "−", "·", "ᵀ", "⁻¹", "∂", "⟨", "⟩", "‖", "̃", "₊", "ᵏ", "x^{k+1}", "←", "∈", "α"];
const CODE: &[&str] = &[
    "for k in range(n):\n",
    "while True:\n",
    "for k = 1:n\n",
    "for k in 1:n\n",
    "end\n",
    "if ",
    "else:\n",
    "else\n",
    "def f(x):\n",
    "function y = f(x)\n",
    "function f(x)\n",
    "return ",
    "x = ",
    "x -= ",
    "x .= ",
    "x .-= ",
    "x[:] = ",
    "x, y = ",
    "grad_f(",
    "prox_g(",
    "prox(",
    "f.prox(",
    "prox!(",
    "np.",
    "lambda x: ",
    "@(x) ",
    "x -> ",
    " @ ",
    ".T",
    "**",
    ".*",
    "\\",
    "...",
    "\\\n",
    "    ",
    "        ",
    "\"\"\"",
    "'''",
    "'",
    "x.copy()",
    "copy(x)",
    "x_old = x\n",
    "break\n",
    "continue\n",
    "print(k)\n",
    "x(:,k+1)",
    "x{k+1}",
    "x[k+1]",
    "k += 1\n",
    "buf.mul_(",
    ".add_(",
    "alpha=",
    "state['v']",
    "self.",
    "class A:\n",
    "import numpy as np\n",
    "%{",
    "%}",
    "#=",
    "=#",
    "∇f(",
    "mul!(",
    "@. ",
    "1:",
    "&&",
    "||",
    "begin\n",
    "with a:\n",
    "try:\n",
    "except:\n",
    "x = y = ",
    "f(f)",
    "def f(x):\n    return f(x)\n",
    "# operator A: X -> X\n",
    "# inverse1(v) returns inv(I + A)*v\n",
    "sign(v)*max(abs(v)-t,0)",
    "if k > 3: x = 0\n",
];
const CARD: &[&str] = &[
    "# ",
    "## ",
    "```\n",
    "---\n",
    "references:\n",
    "- ",
    "**",
    "H = [[",
    "aliases: ",
    "year: ",
    "- [",
    "](",
    "@article{",
    "}\n",
];

impl Generator {
    /// Begins with the corpus.
    pub fn new(front_end: FrontEnd, seed: u64) -> Generator {
        let place = FrontEnd::ALL.iter().position(|f| *f == front_end).unwrap_or(0) as u64;
        let seeds = seeds(front_end);
        Generator { front_end, dice: Dice(0x9e37_79b9_7f4a_7c15 ^ (seed * 0x1_0001 + place) << 7 | 1), seeds }
    }

    /// The next text.
    pub fn text(&mut self) -> String {
        let mut tokens = if self.dice.roll(4) == 0 {
            tokens(&self.written())
        } else {
            let at = self.dice.roll(self.seeds.len());
            tokens(&self.seeds[at])
        };
        for _ in 0..self.dice.roll(7) {
            self.damage(&mut tokens);
        }
        tokens.concat()
    }

    fn words(&self) -> &'static [&'static str] {
        match self.front_end {
            FrontEnd::Algorithm(Notation::Plain) | FrontEnd::Transfer => PLAIN,
            FrontEnd::Algorithm(Notation::Latex) => LATEX,
            FrontEnd::Algorithm(Notation::Unicode) => UNICODE,
            FrontEnd::Algorithm(_) => CODE,
            FrontEnd::Card => CARD,
        }
    }

    fn damage(&mut self, tokens: &mut Vec<String>) {
        let at = self.dice.roll(tokens.len() + 1);
        let to = (at + 1 + self.dice.roll(8)).min(tokens.len());
        match self.dice.roll(11) {
            0 => drop(tokens.drain(at.min(to)..to)),
            1 => {
                let copy: Vec<String> = tokens[at.min(to)..to].to_vec();
                tokens.splice(at..at, copy);
            }
            2 if to < tokens.len() && at < to => tokens.swap(at, to),
            3 => {
                // A piece of another text.
                let other = self.dice.roll(self.seeds.len());
                let other = self::tokens(&self.seeds[other]);
                let from = self.dice.roll(other.len());
                let end = (from + 1 + self.dice.roll(20)).min(other.len());
                tokens.splice(at..at, other[from..end].iter().cloned());
            }
            4 => {
                let (open, close) = *[("(", ")"), ("{", "}"), ("[", "]"), ("-", ""), ("\\frac{", "}"), ("f(", ")")]
                    .get(self.dice.roll(6))
                    .unwrap_or(&("(", ")"));
                let deep = [3, 60, 70, 1000, 20_000][self.dice.roll(5)];
                tokens.insert(at, open.repeat(deep) + "x" + &close.repeat(deep - self.dice.roll(2)));
            }
            5 => tokens
                .insert(at, self.dice.one(&["7", "0.", "9e", "αβ", "x", "(", "+ x "]).repeat(1 + self.dice.roll(900))),
            6 | 7 => tokens.insert(at, self.dice.one(ANY).to_string()),
            8 if at < tokens.len() => tokens[at] = self.dice.one(ANY).to_string(),
            9 => {
                // Lines in another order.
                let text = tokens.concat();
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let (i, j) = (self.dice.roll(lines.len()), self.dice.roll(lines.len()));
                if !lines.is_empty() {
                    lines.swap(i, j);
                }
                *tokens = self::tokens(&lines.concat());
            }
            _ => tokens.insert(at, self.dice.one(self.words()).to_string()),
        }
    }

    /// A text by the grammar: lines of words that belong to the notation.
    fn written(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.dice.roll(8) {
            for _ in 0..1 + self.dice.roll(6) {
                let word = if self.dice.roll(3) == 0 { self.dice.one(ANY) } else { self.dice.one(self.words()) };
                text.push_str(word);
            }
            text.push('\n');
        }
        text
    }
}

/// Names, numbers, blanks and signs.
fn tokens(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        c if c.is_alphabetic() || c == '_' => 0,
        c if c.is_ascii_digit() => 1,
        ' ' => 2,
        _ => 3,
    };
    let mut found: Vec<String> = Vec::new();
    let mut before = 3;
    for c in text.chars() {
        let own = class(c);
        match found.last_mut() {
            Some(last) if own == before && own != 3 => last.push(c),
            _ => found.push(c.to_string()),
        }
        before = own;
    }
    found
}

/// The texts of the corpus that a front end is for.
fn seeds(front_end: FrontEnd) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let corpus = root.join("crates/linnaeus/tests/corpus");
    let mut found = Vec::new();
    match front_end {
        FrontEnd::Card => {
            for family in std::fs::read_dir(root.join("zoo")).into_iter().flatten().flatten() {
                for card in std::fs::read_dir(family.path()).into_iter().flatten().flatten() {
                    found.extend(std::fs::read_to_string(card.path()));
                }
            }
        }
        FrontEnd::Transfer => {
            let zoo = linnaeus::zoo::Zoo::embedded();
            for animal in zoo.animals().iter().take(120) {
                let transfer = &animal.card.transfer;
                found.push(format!("oracles: grad f, prox_{{t g}}, F\nH = {transfer}\n"));
                found.push(format!("H = [[{transfer}]]\noracles: grad f\n"));
            }
            found
                .push("oracles: prox_{t f}, prox_{t g}\nH = [[-1/(z-1), 1/(z-1)], [(2*z-1)/(z-1), -1/(z-1)]]\n".into());
        }
        FrontEnd::Algorithm(notation) => {
            for name in ["pasted/bad.txt", "pasted/code_bad.txt", "golden.txt", "mistakes.txt", "varying.txt"] {
                found.extend(entries(&corpus.join(name)));
            }
            for file in std::fs::read_dir(corpus.join("pasted")).into_iter().flatten().flatten() {
                found.extend(entries(&file.path()));
            }
            // Three texts in four are in the notation at hand.
            let (own, other): (Vec<String>, Vec<String>) =
                found.into_iter().partition(|t| Notation::detect(t) == notation);
            let keep = (own.len() / 3).max(10);
            found = own.into_iter().chain(other.into_iter().take(keep)).collect();
        }
    }
    found.sort();
    if found.is_empty() {
        found.push("x[k+1] = x[k] - t*grad f(x[k])\n".to_string());
    }
    found
}

/// The texts under the titles of a file.
fn entries(path: &Path) -> Vec<String> {
    let file = std::fs::read_to_string(path).unwrap_or_default();
    let parts = file.split("\n=== ").map(|p| p.split_once('\n').map_or("", |(_, text)| text));
    parts.map(|t| t.split("\n--- ").next().unwrap_or("").to_string() + "\n").filter(|t| t.len() < 4000).collect()
}
