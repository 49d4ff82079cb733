use super::{Hop, Outcome, Resolution};
use crate::{Settled, Span};

/// What one resolution has done so far, and how much it may still do.
pub(super) struct Trail {
    hops: Vec<Hop>,
    /// The declarations that are being followed, to see a circle.
    open: Vec<(Span, String)>,
    /// Whether it came to an enumeration whose sign its values decide.
    open_sign: bool,
    /// Inside an argument, an extent or a member: hops there are not the type's own.
    inside: usize,
    depth: usize,
    fuel: usize,
}

/// How deep and how long a resolution may go. A chain of aliases costs four a step.
const DEPTH: usize = 240;
const FUEL: usize = 50_000;

impl Default for Trail {
    fn default() -> Self {
        Self {
            hops: Vec::new(),
            open: Vec::new(),
            open_sign: false,
            inside: 0,
            depth: 0,
            fuel: FUEL,
        }
    }
}

impl Trail {
    pub(super) fn add_hop(&mut self, name: &str, spelling: &str, span: Span) {
        if self.inside == 0 {
            self.hops.push(Hop { name: name.to_owned(), spelling: spelling.to_owned(), span });
        }
    }

    /// Notes that compilers choose the type's sign by its values.
    pub(super) fn leave_sign_open(&mut self) {
        self.open_sign |= self.inside == 0;
    }

    pub(super) fn open_declaration(&mut self, declaration: (Span, String)) {
        self.open.push(declaration);
    }

    /// Where it led.
    pub(super) fn into_resolution(self, outcome: Outcome) -> Resolution {
        Resolution { hops: self.hops, outcome, open_sign: self.open_sign }
    }

    /// Whether a declaration is being followed.
    pub(super) fn is_open(&self, span: Span) -> bool {
        self.open.iter().any(|(other, _)| *other == span)
    }

    /// Follows a declaration, unless that is being followed already.
    pub(super) fn follow_declaration<T>(
        &mut self,
        span: Span,
        name: &str,
        circle: bool,
        run: impl FnOnce(&mut Self) -> Settled<T>,
    ) -> Settled<T> {
        if circle && self.open.iter().any(|(other, named)| *other == span && named == name) {
            return Err(format!("`{name}` is declared in terms of itself").into());
        }
        self.open_declaration((span, name.to_owned()));
        let result = self.run_deeper(4, run);
        self.open.pop();
        result
    }

    pub(super) fn run_deeper<T>(
        &mut self,
        cost: usize,
        run: impl FnOnce(&mut Self) -> Settled<T>,
    ) -> Settled<T> {
        self.enter_depth(cost)?;
        let result = run(self);
        self.leave_depth(cost);
        result
    }

    pub(super) fn enter_depth(&mut self, cost: usize) -> Settled<()> {
        self.spend_fuel(1)?;
        if self.depth + cost > DEPTH {
            return Err("its declarations nest too deeply".into());
        }
        self.depth += cost;
        Ok(())
    }

    pub(super) fn leave_depth(&mut self, cost: usize) {
        self.depth -= cost;
    }

    pub(super) fn spend_fuel(&mut self, cost: usize) -> Settled<()> {
        let left = self.fuel.checked_sub(cost);
        self.fuel = left.ok_or("it takes too many steps to compute")?;
        Ok(())
    }

    /// Runs something whose hops do not belong to the type's own way.
    pub(super) fn run_aside<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.inside += 1;
        let result = run(self);
        self.inside -= 1;
        result
    }
}
