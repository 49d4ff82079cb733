//! Hide sets: the macros that a token came out of, in which it is not expanded again.

use super::token::Spelling;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// Every set once, by its number. The empty set is zero.
#[derive(Debug)]
pub(crate) struct HideSets {
    numbers: HashMap<Rc<[Spelling]>, u32>,
    sets: Vec<Rc<[Spelling]>>,
}

impl HideSets {
    pub(crate) fn new() -> Self {
        let empty: Rc<[Spelling]> = Rc::from(Vec::new());
        Self { numbers: HashMap::from_iter([(Rc::clone(&empty), 0)]), sets: vec![empty] }
    }

    pub(crate) fn contains(&self, set: u32, name: Spelling) -> bool {
        self.sets.get(set as usize).is_some_and(|names| names.binary_search(&name).is_ok())
    }

    /// The set with one name more.
    pub(crate) fn with(&mut self, set: u32, name: Spelling) -> u32 {
        if self.contains(set, name) {
            return set;
        }
        let mut names = self.names(set);
        names.push(name);
        self.number(names)
    }

    pub(crate) fn unite(&mut self, one: u32, other: u32) -> u32 {
        if one == other || other == 0 {
            return one;
        }
        if one == 0 {
            return other;
        }
        let mut names = self.names(one);
        names.extend(self.names(other));
        self.number(names)
    }

    pub(crate) fn intersect(&mut self, one: u32, other: u32) -> u32 {
        if one == other {
            return one;
        }
        let names = self.names(one).into_iter().filter(|&name| self.contains(other, name));
        let names = names.collect();
        self.number(names)
    }

    fn names(&self, set: u32) -> Vec<Spelling> {
        self.sets.get(set as usize).map(|names| names.to_vec()).unwrap_or_default()
    }

    fn number(&mut self, mut names: Vec<Spelling>) -> u32 {
        names.sort_unstable();
        names.dedup();
        let names: Rc<[Spelling]> = Rc::from(names);
        if let Some(&known) = self.numbers.get(&names) {
            return known;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(0);
        self.sets.push(Rc::clone(&names));
        self.numbers.insert(names, number);
        number
    }
}
