//! What names mean where they are used.

use derate_syntax::ast::{Alias, Expr, Function, Item, Structure, Unit, Variable};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a translation unit declares, by name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    functions: HashMap<String, Vec<Rc<Function>>>,
    structures: HashMap<String, Rc<Structure>>,
    aliases: HashMap<String, Rc<Alias>>,
    variables: HashMap<String, Rc<Variable>>,
    /// Per class template, its specialisations in order.
    special_structures: HashMap<String, Vec<Rc<Structure>>>,
    /// Per function template, its specialisations in order.
    special_functions: BTreeMap<String, Vec<Rc<Function>>>,
    /// Per struct, the types and the constants that it declares, in order.
    members: HashMap<String, Vec<Member>>,
    enumerators: HashMap<String, (Option<Expr>, Option<String>)>,
}

/// What a struct declares beside its data.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Alias(Rc<Alias>),
    Constant(Rc<Variable>),
    /// The last piece of its name, its value, and that of the enumerator before it.
    Enumerator(String, Option<Expr>, Option<String>),
}

/// A name in two: what is before its last `::`, and the last piece. Template arguments are not looked into.
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    let mut cut = None;
    for (at, letter) in name.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ':' if depth == 0 && name[at..].starts_with("::") => {
                cut = Some(at);
                if name[at..].starts_with("::operator") {
                    break;
                }
            }
            _ => {}
        }
    }
    cut.map_or(("", name), |cut| (&name[..cut], &name[cut + 2..]))
}

/// The name after the last `::`.
pub(crate) fn last(name: &str) -> &str {
    split_name(name).1
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
        let mut opened: Vec<&str> = Vec::new();
        for item in &unit.items {
            match item {
                Item::Function(function) if !function.specialised.is_empty() => {
                    names
                        .special_functions
                        .entry(function.name.clone())
                        .or_default()
                        .push(Rc::clone(function));
                }
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
                        continue;
                    }
                    names.structures.insert(structure.scope.clone(), Rc::clone(structure));
                    let all = names.special_structures.entry(structure.name.clone()).or_default();
                    if all.iter().all(|one| one.scope != structure.scope) {
                        all.push(Rc::clone(structure));
                    }
                }
                Item::Alias(alias) => {
                    names.add_member(&alias.name, Member::Alias(Rc::clone(alias)));
                    keep(&mut names.aliases, &alias.name, alias);
                }
                Item::Variable(variable) => {
                    if variable.is_const {
                        names.add_member(&variable.name, Member::Constant(Rc::clone(variable)));
                    }
                    keep(&mut names.variables, &variable.name, &Rc::clone(variable));
                }
                Item::Enumerator { name, value, previous } => {
                    let previous_name = previous.as_deref().map(|name| last(name).to_owned());
                    let own = last(name).to_owned();
                    names.add_member(name, Member::Enumerator(own, value.clone(), previous_name));
                    keep(&mut names.enumerators, name, &(value.clone(), previous.clone()));
                }
                Item::UsingNamespace(name) => opened.push(name),
                Item::UsingName(_) | Item::Pragma(_) => {}
            }
        }
        names.place_functions();
        names.place_opened(&opened);
        names
    }

    /// Functions of a class that is specialised as a whole belong to that class.
    fn place_functions(&mut self) {
        for all in self.special_functions.values_mut() {
            all.retain(|function| {
                let owner =
                    function.owner.as_ref().filter(|one| self.structures.contains_key(*one));
                let Some(owner) = owner else { return true };
                let name = format!("{owner}::{}", last(&function.name));
                self.functions.entry(name).or_default().push(Rc::clone(function));
                false
            });
        }
        self.special_functions.retain(|_, all| !all.is_empty());
    }

    /// Behind `using namespace n`, the body of `C::f` may be that of `n::C::f`.
    fn place_opened(&mut self, opened: &[&str]) {
        let mut placed: Vec<(String, Rc<Function>)> = Vec::new();
        for function in self.functions.values().flatten() {
            let Some(owner) = function.owner.as_deref().filter(|_| function.body.is_some()) else {
                continue;
            };
            let mut wholes = opened.iter().map(|name| format!("{name}::{owner}"));
            if let Some(whole) = wholes.find(|whole| self.structures.contains_key(whole)) {
                placed.push((format!("{whole}::{}", last(&function.name)), Rc::clone(function)));
            }
        }
        for (name, function) in placed {
            let all = self.functions.entry(name).or_default();
            if !all.iter().any(|known| Rc::ptr_eq(known, &function)) {
                all.push(function);
            }
        }
    }

    fn add_member(&mut self, name: &str, member: Member) {
        let (scope, _) = split_name(name);
        if !scope.is_empty() {
            self.members.entry(scope.to_owned()).or_default().push(member);
        }
    }

    /// The types and constants that a struct declares.
    pub(crate) fn members(&self, scope: &str) -> &[Member] {
        self.members.get(scope).map_or(&[], Vec::as_slice)
    }

    /// The specialisations of a class template.
    pub(crate) fn special_structures(&self, name: &str) -> &[Rc<Structure>] {
        find(&self.special_structures, name).map_or(&[], Vec::as_slice)
    }

    /// The specialisations of a function template.
    pub(crate) fn special_functions(&self, name: &str) -> &[Rc<Function>] {
        let all = &self.special_functions;
        all.get(name).or_else(|| all.get(last(name))).map_or(&[], Vec::as_slice)
    }

    /// The functions of exactly this name.
    pub(crate) fn functions_of(&self, name: &str) -> &[Rc<Function>] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn functions(&self, name: &str) -> &[Rc<Function>] {
        find(&self.functions, name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn structure(&self, name: &str) -> Option<Rc<Structure>> {
        find(&self.structures, name).map(Rc::clone)
    }

    /// Whether a struct, or a specialisation of one, has this full name.
    pub(crate) fn declares_structure(&self, name: &str) -> bool {
        self.structures.contains_key(name) || self.special_structures.contains_key(name)
    }

    pub(crate) fn alias(&self, name: &str) -> Option<Rc<Alias>> {
        find(&self.aliases, name).map(Rc::clone)
    }

    /// An alias by its full name alone.
    pub(crate) fn alias_of(&self, name: &str) -> Option<Rc<Alias>> {
        self.aliases.get(name).map(Rc::clone)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Rc<Variable>> {
        find(&self.variables, name).map(Rc::clone)
    }

    /// Whether a variable has this full name.
    pub(crate) fn has_variable(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    pub(crate) fn enumerator(&self, name: &str) -> Option<(Option<Expr>, Option<String>)> {
        find(&self.enumerators, name).cloned()
    }
}
