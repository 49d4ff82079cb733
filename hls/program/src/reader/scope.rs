//! What names mean where they are used.

use derate_syntax::ast::{Alias, Expr, Function, Item, Structure, Unit, Variable};
use std::collections::HashMap;
use std::rc::Rc;

/// What a translation unit declares, by name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    functions: HashMap<String, Vec<Rc<Function>>>,
    structures: HashMap<String, Rc<Structure>>,
    aliases: HashMap<String, Rc<Alias>>,
    variables: HashMap<String, Rc<Variable>>,
    enumerators: HashMap<String, (Option<Expr>, Option<String>)>,
}

/// The name after the last `::`.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// A value by its full name, else by its last piece.
fn find<'a, T>(map: &'a HashMap<String, T>, name: &str) -> Option<&'a T> {
    map.get(name).or_else(|| map.get(last(name)))
}

/// Keeps a value by its full name, and by its last piece where that is free.
fn keep<T: Clone>(map: &mut HashMap<String, T>, name: &str, value: &T) {
    map.insert(name.to_owned(), value.clone());
    if name.contains("::") {
        map.entry(last(name).to_owned()).or_insert_with(|| value.clone());
    }
}

impl Names {
    pub(crate) fn of_unit(unit: &Unit) -> Self {
        let mut names = Self::default();
        for item in &unit.items {
            match item {
                Item::Function(function) => {
                    names
                        .functions
                        .entry(function.name.clone())
                        .or_default()
                        .push(Rc::clone(function));
                    if function.name.contains("::") {
                        let short = last(&function.name).to_owned();
                        names.functions.entry(short).or_default().push(Rc::clone(function));
                    }
                }
                Item::Structure(structure) => {
                    if structure.specialised.is_empty() {
                        keep(&mut names.structures, &structure.name, structure);
                    }
                }
                Item::Alias(alias) => keep(&mut names.aliases, &alias.name, alias),
                Item::Variable(variable) => {
                    keep(&mut names.variables, &variable.name, &Rc::clone(variable));
                }
                Item::Enumerator { name, value, previous } => {
                    keep(&mut names.enumerators, name, &(value.clone(), previous.clone()));
                }
                Item::UsingNamespace(_) | Item::Pragma(_) => {}
            }
        }
        names
    }

    pub(crate) fn functions(&self, name: &str) -> &[Rc<Function>] {
        find(&self.functions, name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn structure(&self, name: &str) -> Option<Rc<Structure>> {
        find(&self.structures, name).map(Rc::clone)
    }

    pub(crate) fn alias(&self, name: &str) -> Option<Rc<Alias>> {
        find(&self.aliases, name).map(Rc::clone)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Rc<Variable>> {
        find(&self.variables, name).map(Rc::clone)
    }

    pub(crate) fn enumerator(&self, name: &str) -> Option<(Option<Expr>, Option<String>)> {
        find(&self.enumerators, name).cloned()
    }
}
