//! Names that a script uses itself are no names of the user's in it.

use crate::report::expression::{Script, name};
use crate::synthesis::Program;
use crate::system::LinearSystem;
use crate::system::schedule::Motion;
use linnaeus_algebra::SortedMap;
use std::rc::Rc;

/// A program whose names are free for a script.
pub struct Renamed {
    /// The program.
    pub program: Program,
    /// What is called otherwise, and how.
    names: SortedMap<String, String>,
}

impl Renamed {
    /// Says what is called otherwise.
    pub fn remarks(&self) -> Vec<String> {
        self.names.iter().map(|(own, new)| format!("{new} is {own} of the text")).collect()
    }
}

/// The program with other names for what a script spells otherwise or calls so itself: by its own words, and by those
/// that it makes.
pub fn avoiding(program: &Program, script: Script, words: &[&str], made: &[String]) -> Renamed {
    let own = |program: &Program| -> Vec<String> {
        let system = &program.system;
        // The index itself is counted by the script.
        let sequences = system.schedules.list.iter().filter(|s| s.motion != Motion::Clock);
        let numbers = system.parameters.iter().chain(sequences.map(|s| &s.name));
        let operators = system.operators.iter().map(|o| &o.name);
        let constants = program.constants.iter().map(|c| &c.name);
        let functions = program.ports.iter().map(|p| &p.oracle.function);
        numbers.chain(operators).chain(constants).chain(functions).cloned().collect()
    };
    let all = own(program);
    let is_taken = |n: &str| words.contains(&n) || made.iter().any(|m| m == n);
    let mut names: SortedMap<String, String> = SortedMap::new();
    for own in &all {
        let spelled = name(script, own);
        if spelled == *own && !is_taken(own) {
            continue;
        }
        let mut new = if spelled == *own { format!("{own}_") } else { spelled };
        while is_taken(&new) || all.contains(&new) || names.iter().any(|(n, other)| n != own && *other == new) {
            new.push('_');
        }
        names.insert(own.clone(), new);
    }
    let rename = |n: &mut String| {
        if let Some(new) = names.get(n) {
            n.clone_from(new);
        }
    };
    let mut program = program.clone();
    let mut system = LinearSystem::clone(&program.system);
    system.parameters.iter_mut().for_each(rename);
    system.schedules.list.iter_mut().for_each(|s| rename(&mut s.name));
    system.operators.iter_mut().for_each(|o| rename(&mut o.name));
    system.traits = system.traits.into_iter().map(|(f, t)| (names.get(&f).cloned().unwrap_or(f), t)).collect();
    program.system = Rc::new(system);
    program.constants.iter_mut().for_each(|c| rename(&mut c.name));
    for value in program.values.iter_mut().filter(|v| matches!(v.role, crate::synthesis::Role::Constant(_))) {
        rename(&mut value.name.stem);
    }
    program.ports.iter_mut().for_each(|p| rename(&mut p.oracle.function));
    Renamed { program, names }
}
