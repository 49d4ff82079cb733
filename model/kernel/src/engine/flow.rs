//! Statements: straight lines, conditions, and what they leave in the environment.

use super::tokens::Traffic;
use super::{Activation, Engine};
use crate::answer::Span;
use crate::graph::{BlockId, Value};
use derate_program::{Binary, Expr, Place, Scalar, Stmt, Unary};

/// A stretch of control flow.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Operations that are scheduled together.
    Block(BlockId),
    /// A loop with its states in all, and what it does with streams.
    Loop(Span, Vec<Traffic>),
    /// One of two ways; the first one in this share of the runs, where counters decide.
    Branch(Option<f64>, Vec<Piece>, Vec<Piece>),
}

/// Where elaboration is.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) block: BlockId,
    /// The condition under which memory is written.
    pub(crate) guard: Option<Value>,
    /// The condition under which scalars change, after a way out was passed.
    pub(crate) stays: Option<Value>,
    /// Whether everything becomes one block.
    pub(crate) pipelined: bool,
    pub(crate) pieces: Vec<Piece>,
    /// Whether this way left the loop or the function.
    pub(crate) left: bool,
    /// In the body of a loop that is unrolled in part: its counter, and which copy it is.
    pub(crate) copy: (u32, u64),
}

impl Flow {
    pub(crate) fn new(block: BlockId, pipelined: bool) -> Self {
        let pieces = vec![Piece::Block(block)];
        Self {
            block,
            guard: None,
            stays: None,
            pipelined,
            pieces,
            left: false,
            copy: (u32::MAX, 0),
        }
    }
}

/// The environment's changes in a branch: what was there before, and what is there after.
pub(crate) type Changes = Vec<((usize, u64), Option<Value>)>;

impl<'a> Engine<'a> {
    pub(crate) fn set_scalar(&mut self, key: (usize, u64), value: Value) {
        let old = self.env.insert(key, value);
        if self.journaling > 0 {
            self.journal.push((key, old));
        }
    }

    pub(crate) fn statements(
        &mut self,
        statements: &'a [Stmt],
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        for (at, statement) in statements.iter().enumerate() {
            self.count_step();
            if flow.left || self.full {
                return;
            }
            let rest = &statements[at + 1..];
            if self.ends_before(statement, rest, flow) {
                return self.end_before(statement, rest, run, flow);
            }
            self.statement(statement, run, flow);
        }
    }

    pub(crate) fn count_step(&mut self) {
        self.steps += 1;
        let parts = self.loops.len() + self.modules.len() + self.graph.blocks.len();
        self.full |= self.steps > super::STEPS || parts > super::PARTS;
    }

    pub(super) fn statement(
        &mut self,
        statement: &'a Stmt,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        match statement {
            Stmt::Set(target, value) | Stmt::Push(target, value) => {
                self.bindings.in_hand = self.find_bound_operations(target, run.function);
                let value = self.value(value, run, flow);
                self.bindings.in_hand.clear();
                self.write_access(target, value, run, flow);
            }
            Stmt::Evaluate(value) => {
                self.value(value, run, flow);
            }
            Stmt::If(condition, then, otherwise) => {
                self.condition(condition, then, otherwise, run, flow);
            }
            Stmt::Loop(item) => self.run_loop(item, run, flow),
            Stmt::Call(call) => self.run_call(call, run, flow),
            Stmt::Return | Stmt::Break | Stmt::Continue => flow.left = true,
        }
    }

    fn condition(
        &mut self,
        condition: &'a Expr,
        then: &'a [Stmt],
        otherwise: &'a [Stmt],
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let value = self.value(condition, run, flow);
        if let Value::Constant(number) = value {
            self.statements(if number.is_zero() { otherwise } else { then }, run, flow);
            return;
        }
        if flow.pipelined || (self.is_straight(then, 0) && self.is_straight(otherwise, 0)) {
            self.merge(value, then, otherwise, run, flow);
        } else {
            self.branch(value, [&[then], &[otherwise]], run, flow);
        }
    }

    /// Whether statements have no loop that stays a loop and no call of a module.
    pub(crate) fn is_straight(&self, statements: &[Stmt], depth: usize) -> bool {
        depth < 20
            && statements.iter().all(|statement| match statement {
                Stmt::Loop(_) => false,
                Stmt::Call(call) => self.is_straight_callee(call.function, depth + 1),
                Stmt::If(_, then, otherwise) => {
                    self.is_straight(then, depth) && self.is_straight(otherwise, depth)
                }
                _ => true,
            })
    }

    pub(crate) fn and(&mut self, left: Option<Value>, right: Value, flow: &Flow) -> Value {
        match left {
            Some(left) => {
                let ty = Scalar::BOOL;
                self.binary(Binary::And, [left, right], ty, ty, flow, Place::default())
            }
            None => right,
        }
    }

    pub(crate) fn not(&mut self, value: Value, flow: &Flow) -> Value {
        let ty = Scalar::BOOL;
        self.unary(Unary::Not, value, ty, ty, flow, Place::default())
    }

    /// Runs both ways in one block and chooses between their values.
    fn merge(
        &mut self,
        condition: Value,
        then: &'a [Stmt],
        otherwise: &'a [Stmt],
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let outer = flow.guard;
        self.journaling += 1;
        let mark = self.journal.len();
        flow.guard = Some(self.and(outer, condition, flow));
        self.statements(then, run, flow);
        let then_left = std::mem::take(&mut flow.left);
        let then_changes = self.take_back(mark);
        let inverse = self.not(condition, flow);
        flow.guard = Some(self.and(outer, inverse, flow));
        self.statements(otherwise, run, flow);
        let else_left = std::mem::take(&mut flow.left);
        let else_changes = self.take_back(mark);
        self.journaling -= 1;
        flow.guard = outer;
        let mut keys: Vec<(usize, u64)> =
            then_changes.iter().chain(&else_changes).map(|change| change.0).collect();
        keys.sort_unstable();
        keys.dedup();
        let (then_map, else_map) = (index(&then_changes), index(&else_changes));
        for key in keys {
            let before = self.env.get(&key).copied();
            let yes = then_map.get(&key).copied().flatten().or(before);
            let no = else_map.get(&key).copied().flatten().or(before);
            let value = match (yes, no) {
                (Some(yes), _) if else_left => yes,
                (_, Some(no)) if then_left => no,
                (Some(yes), Some(no)) => {
                    let ty = self.storages[key.0].ty;
                    self.select(condition, yes, no, ty, flow, Place::default())
                }
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => continue,
            };
            self.set_scalar(key, value);
        }
        match (then_left, else_left) {
            (true, true) => flow.left = true,
            (true, false) => {
                flow.guard = Some(self.and(outer, inverse, flow));
                flow.stays = flow.guard;
            }
            (false, true) => {
                flow.guard = Some(self.and(outer, condition, flow));
                flow.stays = flow.guard;
            }
            (false, false) => {}
        }
    }

    /// Undoes the changes since a mark and returns them.
    pub(crate) fn take_back(&mut self, mark: usize) -> Changes {
        let mut changes: Changes = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for (key, old) in self.journal.split_off(mark).into_iter().rev() {
            if seen.insert(key) {
                changes.push((key, self.env.get(&key).copied()));
            }
            match old {
                Some(old) => self.env.insert(key, old),
                None => self.env.remove(&key),
            };
        }
        changes
    }

    /// Runs two ways as control flow: one of them is taken. Each is some statements after others.
    pub(super) fn branch(
        &mut self,
        condition: Value,
        [then, otherwise]: [&[&'a [Stmt]]; 2],
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let share = if flow.guard.is_none() { self.share_of(condition) } else { None };
        self.journaling += 1;
        let mark = self.journal.len();
        let mut ways = Vec::new();
        let mut changed = Vec::new();
        for (way, holds) in [(then, true), (otherwise, false)] {
            let block = self.begin_block();
            let mut inner = Flow::new(block, false);
            inner.guard = flow.guard;
            self.within_way((Some(condition), holds), |engine| {
                engine.run_parts(way, run, &mut inner);
            });
            changed.extend(self.take_back(mark));
            ways.push(inner.pieces);
        }
        self.journaling -= 1;
        let otherwise = ways.pop().unwrap_or_default();
        let then = ways.pop().unwrap_or_default();
        flow.pieces.push(Piece::Branch(share, then, otherwise));
        flow.block = self.begin_block();
        flow.pieces.push(Piece::Block(flow.block));
        for (key, _) in changed {
            let ty = self.storages[key.0].ty;
            let value = self.input(ty, flow, Place::default());
            self.set_scalar(key, value);
        }
    }

    /// The states of a sequence of pieces.
    pub(crate) fn compose(&mut self, pieces: &[Piece]) -> Span {
        let mut states = Span::exactly(0.0);
        for piece in pieces {
            states = states + self.piece_states(piece);
        }
        states
    }

    fn piece_states(&mut self, piece: &Piece) -> Span {
        match piece {
            Piece::Block(block) => {
                self.balance(*block);
                self.block_states(*block).map(|states| states.max(1.0))
            }
            Piece::Loop(span, _) => *span,
            Piece::Branch(share, then, otherwise) => {
                let then = self.branch_states(then);
                let otherwise = self.branch_states(otherwise);
                match share {
                    Some(share) => then.shared(*share, otherwise),
                    None => then.either(otherwise),
                }
            }
        }
    }

    /// A way with nothing in it takes no state.
    fn branch_states(&mut self, pieces: &[Piece]) -> Span {
        if let [Piece::Block(block)] = pieces
            && self.is_empty_block(*block)
        {
            return Span::exactly(0.0);
        }
        self.compose(pieces)
    }

    pub(crate) fn is_empty_block(&self, block: BlockId) -> bool {
        self.graph.blocks[block as usize].iter().all(|node| {
            let node = self.graph.node(*node);
            node.dead || matches!(node.op, crate::graph::Op::Input | crate::graph::Op::Counter)
        })
    }
}

fn index(changes: &Changes) -> std::collections::HashMap<(usize, u64), Option<Value>> {
    changes.iter().copied().collect()
}
