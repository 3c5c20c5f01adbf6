//! Which space every vector lives in, by unification.

/// A space that may still turn out to be another one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Space(usize);

/// All spaces of a text.
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    parent: Vec<usize>,
    declared: Vec<Option<String>>,
    apart: Vec<(Space, Space)>,
}

impl Spaces {
    /// A space of which nothing is known.
    pub fn fresh(&mut self) -> Space {
        self.parent.push(self.parent.len());
        self.declared.push(None);
        Space(self.parent.len() - 1)
    }

    /// The space that the text calls by this name.
    pub fn named(&mut self, name: &str) -> Space {
        if let Some(i) = self.declared.iter().position(|d| d.as_deref() == Some(name)) {
            return Space(i);
        }
        let space = self.fresh();
        self.declared[space.0] = Some(name.to_string());
        space
    }

    fn root(&self, space: Space) -> usize {
        let mut i = space.0;
        while self.parent[i] != i {
            i = self.parent[i];
        }
        i
    }

    /// Whether the two are known to be one.
    pub fn same(&self, a: Space, b: Space) -> bool {
        self.root(a) == self.root(b)
    }

    /// Whether the text declares them to be different.
    pub fn are_declared_apart(&self, a: Space, b: Space) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        a != b && self.declared[a].is_some() && self.declared[b].is_some()
    }

    /// A number that is the same for spaces that are one.
    pub fn class(&self, a: Space) -> usize {
        self.root(a)
    }

    /// Makes the two one; false if they are known to differ.
    pub fn unify(&mut self, a: Space, b: Space) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        if self.declared[a].is_some() && self.declared[b].is_some() {
            return false;
        }
        let pair = |x: Space, y: Space| (self.root(x), self.root(y));
        if self.apart.iter().any(|&(x, y)| pair(x, y) == (a, b) || pair(x, y) == (b, a)) {
            return false;
        }
        let (keep, drop) =
            if self.declared[b].is_some() || (self.declared[a].is_none() && b < a) { (b, a) } else { (a, b) };
        self.parent[drop] = keep;
        true
    }

    /// From now on the two may not become one.
    pub fn separate(&mut self, a: Space, b: Space) {
        if !self.same(a, b) {
            self.apart.push((a, b));
        }
    }

    /// Names for the spaces in the given order of first mention: declared ones keep theirs, the
    /// others are called X, Y, Z, …
    pub fn names(&self, order: &[Space]) -> Names {
        let mut names: Vec<(usize, String)> = Vec::new();
        let taken: Vec<&str> = self.declared.iter().flatten().map(String::as_str).collect();
        let letters = ["X", "Y", "Z", "U", "V", "W", "S", "T"].into_iter().map(str::to_string);
        let mut free = letters.chain((1..).map(|i| format!("X{i}"))).filter(|n| !taken.contains(&n.as_str()));
        for &space in order {
            let root = self.root(space);
            if names.iter().all(|(r, _)| *r != root) {
                let name = self.declared[root].clone().unwrap_or_else(|| free.next().expect("endless"));
                names.push((root, name));
            }
        }
        Names { names }
    }
}

/// What the spaces are called in reports.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: Vec<(usize, String)>,
}

impl Names {
    /// The name of a space.
    pub fn of(&self, spaces: &Spaces, space: Space) -> String {
        let root = spaces.class(space);
        self.names.iter().find(|(r, _)| *r == root).map_or_else(|| "?".to_string(), |(_, n)| n.clone())
    }
}
