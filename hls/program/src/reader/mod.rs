//! From the syntax of a translation unit to a [`Program`]: types settled, templates filled in, structs taken apart.

mod arithmetic;
mod assign;
mod bits;
mod call;
mod changed;
mod constant;
mod construct;
mod control;
mod expression;
mod fold;
mod given;
mod instance;
mod library;
mod limit;
mod mathematics;
mod meaning;
mod member;
mod method;
mod moved;
mod once;
mod operator;
mod overload;
mod pattern;
mod pragma;
mod scope;
mod slot;
mod specialise;
mod statement;
mod template;
mod traits;
mod types;
mod unit;

pub use bits::{INSERT, REVERSE};
pub use library::BIT_TESTS;
pub use mathematics::fold_math;
pub use unit::{TopError, UnitReader, read_program};

use crate::constants::wrap;
use crate::ir::{Function, GLOBAL, Number, Object, Place, Stmt, Unknown};
use derate_syntax::ast;
use mathematics::MathematicsHeader;
use meaning::{Frame, LValue, Meaning, Slot, StructTy, Ty};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use scope::Names;
use slot::Shape;
use std::rc::Rc;

/// More functions, with their template arguments, are not read.
const FUNCTIONS: usize = 2000;

/// What is read so far.
pub(crate) struct Reader {
    names: Rc<Names>,
    functions: Vec<Option<Function>>,
    /// Which function has which name and template arguments.
    known: HashMap<String, usize>,
    structures: HashMap<String, Rc<StructTy>>,
    /// The structs that are being settled: one that names itself is not complete.
    settling: HashSet<String>,
    globals: Vec<Object>,
    global_slots: HashMap<String, LValue>,
    unknown: Vec<Unknown>,
    unit_pragmas: Vec<ast::Pragma>,
    mathematics: MathematicsHeader,
    changed_globals: Rc<changed::Changed>,
    // Of the function that is being read:
    objects: Vec<Object>,
    frames: Vec<Frame>,
    out: Vec<Stmt>,
    function: Function,
    result: Option<LValue>,
    this: Option<LValue>,
    moved: moved::MovedPointers,
    changed: changed::Changed,
    depth: usize,
    quiet: usize,
    /// Calls that were folded.
    folds: usize,
    /// Branches around that a template argument decides which is not known.
    undecided: usize,
    undecided_place: Option<Place>,
    /// Functions whose reading waits for that of one that they call.
    nesting: usize,
}

impl Reader {
    fn new(unit: &UnitReader<'_>) -> Self {
        Self {
            names: Rc::clone(&unit.names),
            functions: Vec::new(),
            known: HashMap::default(),
            structures: HashMap::default(),
            settling: HashSet::default(),
            globals: Vec::new(),
            global_slots: HashMap::default(),
            unknown: Vec::new(),
            unit_pragmas: unit.pragmas.clone(),
            mathematics: unit.mathematics.clone(),
            changed_globals: unit.changed(),
            objects: Vec::new(),
            frames: Vec::new(),
            out: Vec::new(),
            function: Function::default(),
            result: None,
            this: None,
            moved: moved::MovedPointers::default(),
            changed: changed::Changed::default(),
            depth: 0,
            quiet: 0,
            folds: 0,
            undecided: 0,
            undecided_place: None,
            nesting: 0,
        }
    }

    pub(crate) fn unknown(&mut self, place: Place, reason: impl Into<String>) {
        if self.quiet == 0 {
            let unknown = Unknown { place, reason: reason.into() };
            if !self.unknown.contains(&unknown) {
                self.unknown.push(unknown);
            }
        }
    }

    /// Looks at something without keeping what it emits.
    pub(crate) fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let out = std::mem::take(&mut self.out);
        self.quiet += 1;
        let found = look(self);
        self.quiet -= 1;
        self.out = out;
        found
    }

    /// The statements that `emit` makes.
    pub(crate) fn collect(&mut self, emit: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        let out = std::mem::take(&mut self.out);
        self.frames.push(Frame::default());
        emit(self);
        self.frames.pop();
        std::mem::replace(&mut self.out, out)
    }

    pub(crate) fn within<T>(&mut self, frame: Frame, look: impl FnOnce(&mut Self) -> T) -> T {
        self.within_frame(frame, look).0
    }

    pub(crate) fn within_frame<T>(
        &mut self,
        frame: Frame,
        look: impl FnOnce(&mut Self) -> T,
    ) -> (T, Frame) {
        self.frames.push(frame);
        let found = look(self);
        (found, self.frames.pop().unwrap_or_default())
    }

    pub(crate) fn name(&mut self, name: &str, meaning: Meaning) {
        if let Some(frame) = self.frames.last_mut() {
            frame.set(name, meaning);
        }
    }

    /// What a name means here.
    pub(crate) fn meaning(&mut self, name: &str) -> Option<Meaning> {
        if let Some(meaning) = self.frames.iter().rev().find_map(|frame| frame.get(name)) {
            return Some(meaning.clone());
        }
        if let Some(this) = self.this.clone()
            && let Some(member) = this.member(name)
        {
            return Some(Meaning::Place(member));
        }
        None
    }

    /// A global variable, an enumerator or a static member.
    pub(crate) fn global(&mut self, name: &str) -> Option<Meaning> {
        if let Some(place) = self.global_slots.get(name) {
            return Some(Meaning::Place(place.clone()));
        }
        if let Some((value, previous)) = self.names.enumerator(name) {
            if self.depth > 200 {
                return None;
            }
            self.depth += 1;
            let number = match (value, previous) {
                (Some(value), _) => self.constant(&value),
                (None, Some(previous)) => match self.global(&previous) {
                    Some(Meaning::Number(Number::Int(value), _)) => Some(value + 1),
                    _ => None,
                },
                (None, None) => Some(0),
            };
            self.depth -= 1;
            return Some(Meaning::Number(Number::Int(number?), crate::ir::Scalar::INT));
        }
        let variable = self.names.variable(name)?;
        let mut ty = self.settle_type(&variable.ty);
        if let (ast::Type::Auto, Some(init)) = (&variable.ty, &variable.init) {
            ty = self.quietly(|reader| reader.operand(init).ty());
        }
        let ty = Self::complete(&ty, variable.init.as_ref());
        let keeps = variable.is_const || self.changed_globals.keeps(scope::last(&variable.name));
        if let (true, Ty::Scalar(scalar), Some(init)) = (keeps, &ty, &variable.init)
            && let Some((value, _)) = self.number(init)
        {
            return Some(Meaning::Number(wrap(value, *scalar), *scalar));
        }
        let before = self.objects.len();
        let shape = Shape { is_static: true, ..Shape::default() };
        let slot = self.declare(&variable.name, &ty, shape, variable.place);
        let mut made = self.objects.split_off(before);
        if let ([object], Some(init)) = (made.as_mut_slice(), &variable.init) {
            let values = self.table(init, object);
            *(if variable.is_const { &mut object.table } else { &mut object.initial }) = values;
        }
        let slot = shift(slot, before, GLOBAL + self.globals.len());
        self.globals.extend(made);
        let place = LValue { slot, index: Vec::new(), offset: None, ty };
        self.global_slots.insert(name.to_owned(), place.clone());
        Some(Meaning::Place(place))
    }
}

/// The slot with its objects renumbered.
fn shift(slot: Slot, from: usize, to: usize) -> Slot {
    match slot {
        Slot::Leaf(id) => Slot::Leaf(id - from + to),
        Slot::Struct(ty, members) => {
            Slot::Struct(ty, members.into_iter().map(|member| shift(member, from, to)).collect())
        }
    }
}
