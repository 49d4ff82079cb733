use super::{Hop, Outcome, Resolution};
use crate::{Settled, Span};
use std::cell::{Cell, RefCell};

/// What one resolution has done so far, and how much it may still do. All contexts of the resolution share it.
pub(super) struct Trail {
    hops: RefCell<Vec<Hop>>,
    /// The declarations that are being followed, to see a circle.
    open: RefCell<Vec<(Span, String)>>,
    /// Whether it came to an enumeration whose sign its values decide.
    open_sign: Cell<bool>,
    /// Whether it came to `long`, whose width the system decides.
    open_width: Cell<bool>,
    /// The first template parameter without a meaning that it came to.
    dependent: RefCell<Option<String>>,
    /// Inside an argument, an extent or a member: hops there are not the type's own.
    inside: Cell<usize>,
    depth: Cell<usize>,
    fuel: Cell<usize>,
}

/// How deep and how long a resolution may go. A chain of aliases costs four a step.
const DEPTH: usize = 240;
const FUEL: usize = 50_000;

impl Default for Trail {
    fn default() -> Self {
        Self {
            hops: RefCell::default(),
            open: RefCell::default(),
            open_sign: Cell::new(false),
            open_width: Cell::new(false),
            dependent: RefCell::default(),
            inside: Cell::new(0),
            depth: Cell::new(0),
            fuel: Cell::new(FUEL),
        }
    }
}

impl Trail {
    pub(super) fn add_hop(&self, name: &str, spelling: &str, span: Span) {
        if self.inside.get() == 0 {
            let hop = Hop { name: name.to_owned(), spelling: spelling.to_owned(), span };
            self.hops.borrow_mut().push(hop);
        }
    }

    /// Whether the way goes by a declaration, as far as it is known.
    pub(super) fn may_pass(&self, declaration: Span) -> bool {
        let hops = self.hops.borrow();
        hops.is_empty() || hops.iter().any(|hop| hop.span == declaration)
    }

    /// Notes that compilers choose the type's sign by its values.
    pub(super) fn leave_sign_open(&self) {
        self.open_sign.set(self.open_sign.get() || self.inside.get() == 0);
    }

    /// Notes that the type has 32 bits on some systems and 64 on others.
    pub(super) fn leave_width_open(&self) {
        self.open_width.set(self.open_width.get() || self.inside.get() == 0);
    }

    pub(super) fn note_dependence(&self, parameter: &str) {
        self.dependent.borrow_mut().get_or_insert_with(|| parameter.to_owned());
    }

    pub(super) fn dependence(&self) -> Option<String> {
        self.dependent.borrow().clone()
    }

    pub(super) fn open_declaration(&self, span: Span, name: &str) {
        self.open.borrow_mut().push((span, name.to_owned()));
    }

    /// Ends the resolution with what it came to.
    pub(super) fn end_with(&self, outcome: impl Into<Outcome>) -> Resolution {
        let (open_sign, open_width) = (self.open_sign.get(), self.open_width.get());
        let (hops, outcome) = (self.hops.take(), outcome.into());
        Resolution { hops, outcome, open_sign, open_width, open_size: false }
    }

    /// Whether a declaration is being followed.
    pub(super) fn is_open(&self, span: Span) -> bool {
        self.open.borrow().iter().any(|(other, _)| *other == span)
    }

    /// Follows a declaration, unless that is being followed already.
    pub(super) fn follow_declaration<T>(
        &self,
        span: Span,
        name: &str,
        circle: bool,
        run: impl FnOnce() -> Settled<T>,
    ) -> Settled<T> {
        let is_same = |(other, named): &(Span, String)| *other == span && named == name;
        if circle && self.open.borrow().iter().any(is_same) {
            return Err(format!("`{name}` is declared in terms of itself").into());
        }
        self.open_declaration(span, name);
        let result = self.run_deeper(4, run);
        self.open.borrow_mut().pop();
        result
    }

    pub(super) fn run_deeper<T>(
        &self,
        cost: usize,
        run: impl FnOnce() -> Settled<T>,
    ) -> Settled<T> {
        self.enter_depth(cost)?;
        let result = run();
        self.leave_depth(cost);
        result
    }

    pub(super) fn enter_depth(&self, cost: usize) -> Settled<()> {
        self.spend_fuel(1)?;
        if self.depth.get() + cost > DEPTH {
            return Err("its declarations nest too deeply".into());
        }
        self.depth.set(self.depth.get() + cost);
        Ok(())
    }

    pub(super) fn leave_depth(&self, cost: usize) {
        self.depth.set(self.depth.get() - cost);
    }

    pub(super) fn spend_fuel(&self, cost: usize) -> Settled<()> {
        let left = self.fuel.get().checked_sub(cost);
        self.fuel.set(left.ok_or("it takes too many steps to compute")?);
        Ok(())
    }

    /// Runs something whose hops do not belong to the type's own way.
    pub(super) fn run_aside<T>(&self, run: impl FnOnce() -> T) -> T {
        self.inside.set(self.inside.get() + 1);
        let result = run();
        self.inside.set(self.inside.get() - 1);
        result
    }
}
