//! A translation unit whose names are looked up once, for all of its tops.

use super::Reader;
use super::changed::Changed;
use super::mathematics::MathematicsHeader;
use super::meaning::Frame;
use super::scope::Names;
use crate::find_top_candidates;
use crate::ir::{Program, Unknown, Work};
use crate::top::has_pragma;
use derate_syntax::ast::{self, Unit};
use std::cell::OnceCell;
use std::rc::Rc;

/// What the tops of a unit share.
pub struct UnitReader<'a> {
    unit: &'a Unit,
    pub(super) names: Rc<Names>,
    /// What any function of the unit changes.
    changed: OnceCell<Rc<Changed>>,
    /// Whether a method has a directive of an interface.
    has_methods: OnceCell<bool>,
    pub(super) mathematics: MathematicsHeader,
    pub(super) pragmas: Vec<ast::Pragma>,
}

/// Reads what `top` does.
///
/// # Errors
///
/// [`TopError`] if the unit has no function of this name with a body.
pub fn read_program(unit: &Unit, top: &str) -> Result<Program, TopError> {
    let mut program = UnitReader::new(unit).read_statements(top)?;
    program.work = program.count_work(&[]);
    Ok(program)
}

impl<'a> UnitReader<'a> {
    /// Looks up the names of a unit.
    #[must_use]
    pub fn new(unit: &'a Unit) -> Self {
        let pragma = |item: &ast::Item| match item {
            ast::Item::Pragma(pragma) => Some(pragma.clone()),
            _ => None,
        };
        Self {
            unit,
            names: Rc::new(Names::of_unit(unit)),
            changed: OnceCell::new(),
            has_methods: OnceCell::new(),
            mathematics: MathematicsHeader::of_unit(unit),
            pragmas: unit.items.iter().filter_map(pragma).collect(),
        }
    }

    /// The name of the function with a body that `top` means.
    pub fn find_top(&self, top: &str) -> Option<&str> {
        self.find_function(top).map(|function| function.name.as_str())
    }

    /// Whether reading `top` may give it a directive of an interface: one is in its body, outside of functions, or in a method,
    /// whose objects may be its own.
    pub fn may_have_interface(&self, top: &str) -> bool {
        let is_interface =
            |pragma: &ast::Pragma| pragma.text.to_ascii_lowercase().contains("interface");
        let has = |function: &ast::Function| {
            let mut statements = function.body.iter().flatten();
            statements.any(|one| has_pragma(one, &is_interface))
        };
        self.pragmas.iter().any(is_interface)
            || self.find_function(top).is_some_and(|function| has(function))
            || *self.has_methods.get_or_init(|| {
                let functions = self.unit.items.iter().filter_map(|item| match item {
                    ast::Item::Function(function) => Some(function),
                    _ => None,
                });
                functions.filter(|one| one.owner.is_some()).any(|one| has(one))
            })
    }

    fn find_function(&self, top: &str) -> Option<&Rc<ast::Function>> {
        let mut defined = self.names.functions(top).iter().filter(|one| one.body.is_some());
        // `add` of a script is not `math::add`, where both are there.
        defined.clone().find(|one| one.name == top).or_else(|| defined.next())
    }

    pub(super) fn changed(&self) -> Rc<Changed> {
        let changed = || Rc::new(Changed::of_unit(self.unit, &self.names));
        Rc::clone(self.changed.get_or_init(changed))
    }

    /// Reads what `top` does; [`Program::work`] is not counted.
    ///
    /// # Errors
    ///
    /// [`TopError`] if the unit has no function of this name with a body.
    pub fn read_statements(&self, top: &str) -> Result<Program, TopError> {
        let unit = self.unit;
        let Some(function) = self.find_function(top) else {
            return Err(TopError { name: top.to_owned(), has: list_tops(unit) });
        };
        let mut reader = Reader::new(self);
        let id = reader.instantiate(function, Frame::default(), None);
        debug_assert_eq!(id, Some(0));
        let mut program = Program {
            functions: reader.functions.into_iter().map(Option::unwrap_or_default).collect(),
            globals: reader.globals,
            files: unit.files.clone(),
            unknown: reader.unknown,
            undecided: reader.undecided_place,
            work: Work::default(),
            open_functions: Vec::new(),
            has_guesses: false,
        };
        program.unknown.dedup();
        crate::initialise::fold_initialisers(&mut program.functions);
        crate::first_values::keep_first_values(&mut program.functions);
        crate::unwritten::keep_unwritten(&mut program.functions, &mut program.globals);
        if program.unknown.is_empty() {
            crate::unread::drop_unread(&mut program.functions);
        } else {
            program.unknown.splice(0..0, find_missing(unit));
        }
        program.open_functions = crate::open::list_open(&program.functions);
        let objects = program.functions.iter().flat_map(|function| &function.objects);
        program.has_guesses = objects.chain(&program.globals).any(|object| object.is_guessed);
        Ok(program)
    }
}

/// Includes that were not found and are no vendor's: what is in them is not known.
fn find_missing(unit: &Unit) -> Vec<Unknown> {
    let missing = unit.missing.iter().filter(|one| !derate_frontend::is_vendor(&one.path, true));
    let reason =
        |path: &str| format!("`{path}` is not found: name its folder with -I, or give the file");
    missing.map(|one| Unknown { place: one.place, reason: reason(&one.path) }).collect()
}

/// The functions with a body, those first that nobody calls.
fn list_tops(unit: &Unit) -> Vec<String> {
    let mut names = find_top_candidates(unit);
    for item in &unit.items {
        if let ast::Item::Function(function) = item
            && function.body.is_some()
            && !names.contains(&function.name)
        {
            names.push(function.name.clone());
        }
    }
    names
}

/// The top function is not there.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no function `{name}` with a body{}", list(has))]
pub struct TopError {
    /// The name that was asked for.
    pub name: String,
    /// The functions that are there.
    pub has: Vec<String>,
}

fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("; the source has `{one}`"),
        many => format!("; the source has `{}`", many[..many.len().min(6)].join("`, `")),
    }
}
