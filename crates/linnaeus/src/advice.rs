//! What to do, in the words of the front end that is used: what the command calls `--freeze` is `freeze=True` in Python.

use std::fmt;

/// Where the user is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    /// The command line.
    Command,
    /// The Python package.
    Python,
    /// The page in a browser.
    Page,
}

/// What can be asked for besides what the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Coefficients that change with the index are read as constants.
    Freeze,
    /// Calls at these times.
    Shift(Vec<i64>),
    /// Calls at whichever times.
    Shifts,
    /// A matrix with calls at these times.
    MatrixShift(Vec<i64>),
    /// A matrix in these oracles.
    MatrixOracles(Vec<String>),
    /// These oracles.
    Oracles(Vec<String>),
    /// A parameter has a value.
    Set,
    /// An operator is the identity.
    Identity,
    /// The oracle of a linear function is multiplied.
    Filter,
    /// Two functions change places.
    Permute,
    /// The state as it is written.
    OwnState,
    /// The proof in place of a script.
    Proof,
    /// An algorithm is written without a change.
    Realize,
    /// All ways to write an algorithm.
    Forms,
}

impl Wish {
    /// How it is asked for.
    pub fn said(&self, front_end: FrontEnd) -> String {
        use Wish::*;
        match front_end {
            FrontEnd::Command => match self {
                Freeze => "`--freeze`".to_string(),
                Shift(m) => format!("`--shift {}`", joined(m, ",")),
                MatrixShift(m) => format!("`forms --shift {}`", joined(m, ",")),
                Shifts => "leave out `--shift`".to_string(),
                Oracles(names) | MatrixOracles(names) => format!("`--oracles \"{}\"`", names.join(", ")),
                Set => "`--set t=1/2`".to_string(),
                Identity => "`--set A=I`".to_string(),
                Filter => "`--filter f=1/(z-alpha)`".to_string(),
                Permute => "`--permute f,g`".to_string(),
                OwnState => "leave out `--state`".to_string(),
                Proof => "`--latex`".to_string(),
                Realize => "`realize`".to_string(),
                Forms => "`forms`".to_string(),
            },
            FrontEnd::Python => match self {
                Freeze => "`freeze=True` in `parse`".to_string(),
                Shift(m) => format!("`.shift({})`", joined(m, ", ")),
                Shifts => "ask `.forms()`".to_string(),
                MatrixShift(m) => format!("`shift=\"{}\"`", joined(m, ",")),
                MatrixOracles(names) => format!("`oracles=\"{}\"`", names.join(", ")),
                Oracles(names) => {
                    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
                    format!("`.with_oracles({})`", quoted.join(", "))
                }
                Set => "`.substitute(t=\"1/2\")`".to_string(),
                Identity => "`.substitute(A=\"I\")`".to_string(),
                Filter => "`.filter(f=\"1/(z-alpha)\")`".to_string(),
                Permute => "`.permute(\"f\", \"g\")`".to_string(),
                OwnState => "take `.realization()`".to_string(),
                Proof => "`.proof()`".to_string(),
                Realize => "`TransferMatrix.algorithm()`".to_string(),
                Forms => "`.forms()`".to_string(),
            },
            FrontEnd::Page => match self {
                Freeze => "the command with `--freeze`".to_string(),
                Shift(m) | MatrixShift(m) => format!("`{}` for the shift", joined(m, ",")),
                Shifts => "empty the shift and open “Forms”".to_string(),
                Oracles(names) | MatrixOracles(names) => format!("`{}`", names.join(", ")),
                Set => "`t=1/2` under “set”".to_string(),
                Identity => "`A=I` under “set”".to_string(),
                Filter => "`f=1/(z-alpha)`".to_string(),
                Permute => "`f,g`".to_string(),
                OwnState => "leave the state as it is".to_string(),
                Proof => "“Statement and proof”".to_string(),
                Realize => "“Explore”".to_string(),
                Forms => "“Forms”".to_string(),
            },
        }
    }
}

fn joined(numbers: &[i64], comma: &str) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(comma)
}

/// A sentence, some parts of which are wishes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Wish(Wish),
}

impl Advice {
    /// The sentence goes on with a wish.
    pub fn wish(mut self, wish: Wish) -> Advice {
        self.0.push(Part::Wish(wish));
        self
    }

    /// The sentence goes on.
    pub fn then(mut self, more: impl Into<Advice>) -> Advice {
        self.0.extend(more.into().0);
        self
    }

    /// The sentence for a front end.
    pub fn said(&self, front_end: FrontEnd) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Wish(wish) => wish.said(front_end),
        };
        self.0.iter().map(part).collect()
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Advice {
        Advice(vec![Part::Text(text)])
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Advice {
        text.to_string().into()
    }
}

impl From<Wish> for Advice {
    fn from(wish: Wish) -> Advice {
        Advice::default().wish(wish)
    }
}

/// As the command says it.
impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(FrontEnd::Command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_front_end_has_its_words() {
        let advice = Advice::from("use ")
            .wish(Wish::Freeze)
            .then(" or ")
            .then(Wish::Oracles(vec!["prox_f".into(), "prox_{s g*}".into()]));
        assert_eq!(advice.to_string(), "use `--freeze` or `--oracles \"prox_f, prox_{s g*}\"`");
        let python = "use `freeze=True` in `parse` or `.with_oracles(\"prox_f\", \"prox_{s g*}\")`";
        assert_eq!(advice.said(FrontEnd::Python), python);
        assert_eq!(Advice::from(Wish::Shift(vec![0, 1])).said(FrontEnd::Page), "`0,1` for the shift");
    }
}
