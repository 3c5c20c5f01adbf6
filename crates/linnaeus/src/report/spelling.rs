//! Names as SymPy's script spells them, no two alike.

use super::expression::{Script, name};
use crate::system::LinearSystem;

/// What a name is called among others. Those that the script takes keep their own; the rest, such as `lambda`, `in` and
/// `z`, are spelled as [`name`] does, with underscores behind them as long as another is called so.
fn among<'a>(own: &str, all: impl Iterator<Item = &'a str>) -> String {
    let spelled = |n: &str| name(Script::Sympy, n);
    if spelled(own) == own {
        return own.to_string();
    }
    let (mut taken, mut moved): (Vec<String>, Vec<String>) = all.map(str::to_string).partition(|n| spelled(n) == *n);
    moved.sort();
    for other in moved.iter().take_while(|n| n.as_str() < own) {
        let new = free(spelled(other), &taken);
        taken.push(new);
    }
    free(spelled(own), &taken)
}

fn free(mut name: String, taken: &[String]) -> String {
    while taken.contains(&name) {
        name.push('_');
    }
    name
}

/// A number, an operator, or a number that changes with the index, `z[k+1]` and `b^k`, as it is spelled beside all
/// others of some texts.
pub fn spelled(own: &str, systems: &[&LinearSystem]) -> String {
    let (stem, index) = own.split_at(own.find(['[', '^']).unwrap_or(own.len()));
    let schedules = systems.iter().flat_map(|s| &s.schedules.list).map(|s| s.name.as_str());
    let spelled = match index.starts_with('[') {
        true => among(stem, schedules),
        false => among(stem, systems.iter().flat_map(|s| symbols(s))),
    };
    name(Script::Sympy, &(spelled + index))
}

/// Every number and operator of a text, and what formulas for SymPy call it.
pub fn spellings(system: &LinearSystem) -> Vec<(String, String)> {
    symbols(system).map(|own| (own.to_string(), spelled(own, &[system]))).collect()
}

/// The names of numbers and operators; functions of numbers have none of their own.
pub fn symbols(system: &LinearSystem) -> impl Iterator<Item = &str> {
    let operators = system.operators.iter().map(|o| o.name.as_str());
    system.parameters.iter().map(String::as_str).filter(|n| !n.contains('(')).chain(operators)
}

#[cfg(test)]
mod tests {
    use super::among;

    #[test]
    fn no_two_names_are_alike() {
        let names = ["z", "z_", "z__", "in", "in_", "lambda", "lamda", "lambda_", "lamda_", "t"];
        let made = names.map(|own| among(own, names.into_iter()));
        assert_eq!(made, ["z___", "z_", "z__", "in__", "in_", "lamda__", "lamda", "lamda___", "lamda_", "t"]);
        for own in names {
            let alone = among(own, [own].into_iter());
            assert_eq!(alone, super::name(super::Script::Sympy, own));
        }
    }
}
