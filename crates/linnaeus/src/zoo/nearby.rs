//! Cards that somebody may mean who names none.

use super::{Animal, Zoo};
use crate::diagnostic::nearest;

/// No more cards than this are suggested.
const MANY: usize = 4;

impl Zoo {
    /// Cards whose slug, title or other names are near to a name, the nearest first.
    pub fn nearby(&self, name: &str) -> Vec<&Animal> {
        let wanted = words(name);
        let all = |said: &str| !wanted.is_empty() && wanted.iter().all(|w| words(said).contains(w));
        let rank = |a: &Animal| {
            let card = &a.card;
            let names = || std::iter::once(&card.name).chain(&card.aliases);
            let begins = wanted.first().is_some_and(|w| card.slug.starts_with(w.as_str()));
            match () {
                () if names().any(|n| words(n) == wanted) => Some(0),
                () if begins && all(&card.slug) => Some(1),
                () if all(&card.slug) => Some(2),
                () if names().any(|n| all(n)) => Some(3),
                () if nearest(name, [card.slug.as_str()]).is_some() => Some(4),
                () => None,
            }
        };
        let mut found: Vec<(usize, &Animal)> = self.animals().iter().filter_map(|a| Some((rank(a)?, a))).collect();
        found.sort_by_key(|(rank, a)| (*rank, a.card.slug.len(), a.card.slug.clone()));
        found.into_iter().take(MANY).map(|(_, a)| a).collect()
    }

    /// One sentence on a name that no card has.
    pub fn no_card(&self, name: &str) -> String {
        let slugs: Vec<String> = self.nearby(name).iter().map(|a| format!("`{}`", a.card.slug)).collect();
        let guess = match &slugs[..] {
            [] => String::new(),
            [one] => format!("; did you mean {one}?"),
            [some @ .., last] => format!("; did you mean {} or {last}?", some.join(", ")),
        };
        format!("there is no card `{name}` in the zoo{guess}")
    }
}

/// Words in small letters, whatever stands between them.
fn words(text: &str) -> Vec<String> {
    let apart = text.split(|c: char| !c.is_alphanumeric());
    apart.filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let zoo = Zoo::embedded();
        let first = |name: &str| zoo.nearby(name).first().map(|a| a.card.slug.clone()).unwrap_or_default();
        assert!(first("admm").contains("admm"), "{}", first("admm"));
        assert_eq!(first("gradient_decent"), "gradient_descent");
        assert_eq!(first("POCS"), "alternating_projections");
        assert!(zoo.nearby("nothing of the kind").is_empty());
        assert!(zoo.no_card("admm").contains("did you mean `"));
    }
}
