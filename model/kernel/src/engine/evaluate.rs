//! Expressions to nodes.

use super::fixed::fraction;
use super::{Activation, Engine, Flow};
use crate::graph::{Binding, Linear, Node, NodeId, Op, Symbol, Value};
use derate_program::{Binary, Expr, INSERT, Number, Place, Scalar, Unary};
use derate_program::{fold_binary, fold_math, fold_unary, wrap};
use smallvec::SmallVec;

/// What makes two operations the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    op: Op,
    ty: Scalar,
    operand: Option<Scalar>,
    binding: Option<Binding>,
    inputs: SmallVec<[(bool, u64, u64); 3]>,
}

fn key_of(value: Value) -> (bool, u64, u64) {
    match value {
        Value::Node(node) => (true, u64::from(node), 0),
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Value::Constant(Number::Int(value)) => (false, value as u64, (value >> 64) as u64 ^ 1),
        Value::Constant(Number::Real(value)) => (false, value.to_bits(), 2),
    }
}

impl<'a> Engine<'a> {
    /// The bits that a value really needs.
    pub(crate) fn width(&self, value: Value) -> u16 {
        match value {
            Value::Node(node) => self.graph.node(node).width,
            Value::Constant(Number::Int(value)) => {
                let bits = 128 - value.unsigned_abs().leading_zeros();
                u16::try_from(bits).unwrap_or(128) + u16::from(value < 0)
            }
            Value::Constant(Number::Real(_)) => 32,
        }
    }

    pub(crate) fn blank(op: Op, ty: Scalar, flow: &Flow, place: Place) -> Node {
        Node {
            op,
            ty,
            operand: None,
            binding: None,
            width: ty.bits(),
            inputs: Vec::new(),
            guard: None,
            after: Vec::new(),
            linear: None,
            access: None,
            block: flow.block,
            place,
            dead: false,
        }
    }

    /// A node for a pure operation; an equal one in the block is used again.
    pub(crate) fn pure(&mut self, node: Node) -> Value {
        let key = Key {
            op: node.op,
            ty: node.ty,
            operand: node.operand,
            binding: node.binding,
            inputs: node.inputs.iter().map(|input| key_of(*input)).collect(),
        };
        if let Some(known) = self.known.get(&key)
            && self.graph.node(*known).block == node.block
        {
            return Value::Node(*known);
        }
        let id = self.push(node);
        self.known.insert(key, id);
        Value::Node(id)
    }

    pub(crate) fn push(&mut self, mut node: Node) -> NodeId {
        let id = u32::try_from(self.graph.nodes.len()).unwrap_or(u32::MAX);
        if node.linear.is_none() && !node.ty.is_float() {
            node.linear = Some(Linear::symbol(Symbol::Opaque(id)));
        }
        self.edges += node.inputs.len() + node.after.len();
        if self.graph.nodes.len() + self.skipped >= super::NODES || self.edges > super::EDGES {
            self.full = true;
        }
        self.graph.add(node)
    }

    /// A value from outside that nothing is known of.
    pub(crate) fn input(&mut self, ty: Scalar, flow: &Flow, place: Place) -> Value {
        let node = Self::blank(Op::Input, ty, flow, place);
        Value::Node(self.push(node))
    }

    pub(crate) fn linear(&self, value: Value) -> Option<Linear> {
        match value {
            Value::Constant(Number::Int(value)) => Some(Linear::constant(value)),
            Value::Constant(Number::Real(_)) => None,
            Value::Node(node) => self.graph.node(node).linear.clone(),
        }
    }

    pub(crate) fn value(
        &mut self,
        expr: &Expr,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Value {
        match expr {
            Expr::Constant(number, _) => Value::Constant(*number),
            // What computes an address is not what is bound.
            Expr::Read(access, ty) => {
                self.without_bindings(|engine| engine.read_access(access, *ty, run, flow))
            }
            Expr::Pop(access, ty) => {
                self.without_bindings(|engine| engine.pop(access, *ty, run, flow))
            }
            Expr::Unary(op, inner, ty, place) => {
                let inner_ty = inner.ty();
                let value = self.value(inner, run, flow);
                self.unary(*op, value, inner_ty, *ty, flow, *place)
            }
            Expr::Binary(op, left, right, ty, place) => {
                if let Some(value) = self.fixed_binary(*op, [left, right], (*ty, *place), run, flow)
                {
                    return value;
                }
                let operand = left.ty();
                let left = self.value(left, run, flow);
                let right = self.value(right, run, flow);
                self.binary(*op, [left, right], operand, *ty, flow, *place)
            }
            Expr::Select(condition, yes, no, ty, place) => {
                let condition = self.value(condition, run, flow);
                let yes = self.value(yes, run, flow);
                let no = self.value(no, run, flow);
                self.select(condition, yes, no, *ty, flow, *place)
            }
            Expr::Cast(inner, ty, place) => {
                let from = inner.ty();
                let value = self.value(inner, run, flow);
                self.convert(value, from, *ty, flow, *place)
            }
            Expr::Math(name, arguments, ty, place) => {
                let inputs: Vec<Value> =
                    arguments.iter().map(|argument| self.value(argument, run, flow)).collect();
                if let [Value::Constant(number)] = inputs.as_slice()
                    && let Some(known) = fold_math(name, number.real())
                {
                    return Value::Constant(wrap(Number::Real(known), *ty));
                }
                if *name == INSERT
                    && let Some(whole) = self.insert_bits(&inputs, *ty, flow, *place)
                {
                    return whole;
                }
                let mut node = Self::blank(Op::Math(name), *ty, flow, *place);
                node.inputs = inputs;
                self.pure(node)
            }
            Expr::Unknown(ty) => self.input(*ty, flow, Place::default()),
        }
    }

    pub(crate) fn unary(
        &mut self,
        op: Unary,
        value: Value,
        operand: Scalar,
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Value {
        if let Value::Constant(number) = value
            && let Some(folded) = fold_unary(op, number, ty)
        {
            return Value::Constant(folded);
        }
        let mut node = Self::blank(Op::Unary(op), ty, flow, place);
        node.operand = Some(operand);
        node.inputs = vec![value];
        node.width = match op {
            Unary::Not => 1,
            Unary::Negate => (self.width(value) + 1).min(ty.bits()),
            Unary::Invert => ty.bits(),
        };
        if op == Unary::Negate && !ty.is_float() {
            node.linear = self.linear(value).and_then(|linear| linear.scaled(-1));
        }
        self.pure(node)
    }

    pub(crate) fn binary(
        &mut self,
        op: Binary,
        [left, right]: [Value; 2],
        operand: Scalar,
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Value {
        if let (Value::Constant(a), Value::Constant(b)) = (left, right)
            && let Some(folded) = fold_binary(op, a, b, ty)
        {
            return Value::Constant(folded);
        }
        if let Some(value) = self.simplify(op, left, right, operand) {
            return value;
        }
        if let Some((base, sum)) = self.joined_constants(op, [left, right], operand, ty) {
            return self.binary(op, [base, sum], operand, ty, flow, place);
        }
        if self.is_reciprocal(op, left, ty) {
            let mut node = Self::blank(Op::Math("recip"), ty, flow, place);
            node.inputs = vec![right];
            return self.pure(node);
        }
        let (wide, narrow) = (self.width(left), self.width(right));
        let mut node = Self::blank(Op::Binary(op), ty, flow, place);
        node.operand = Some(operand);
        node.binding = self.binding_for(op, operand);
        let both = wide.max(narrow);
        let width = match op {
            Binary::Add | Binary::Sub => both.saturating_add(1),
            Binary::Mul => wide.saturating_add(narrow),
            Binary::Div => wide,
            Binary::Rem | Binary::And => wide.min(narrow),
            Binary::Or | Binary::Xor => both,
            Binary::ShiftLeft => match right.whole() {
                Some(by) => wide.saturating_add(u16::try_from(by.clamp(0, 4096)).unwrap_or(0)),
                None => ty.bits(),
            },
            Binary::ShiftRight => match right.whole() {
                Some(by) => {
                    wide.saturating_sub(u16::try_from(by.clamp(0, 4096)).unwrap_or(0)).max(1)
                }
                None => wide,
            },
            _ => 1,
        };
        node.width = width.min(ty.bits()).max(1);
        if !ty.is_float() && !operand.is_float() {
            node.linear = self.linear_of(op, left, right);
            if let Some(linear) = &node.linear
                && linear.is_constant()
            {
                return Value::Constant(Number::Int(i128::from(linear.constant)));
            }
            if let Some(known) = self.decide(op, left, right) {
                return Value::Constant(Number::Int(i128::from(known)));
            }
        }
        node.inputs = vec![left, right];
        self.pure(node)
    }

    fn linear_of(&self, op: Binary, left: Value, right: Value) -> Option<Linear> {
        let (a, b) = (self.linear(left)?, self.linear(right)?);
        match op {
            Binary::Add => a.plus(&b),
            Binary::Sub => a.minus(&b),
            Binary::Mul if b.is_constant() => a.scaled(b.constant),
            Binary::Mul if a.is_constant() => b.scaled(a.constant),
            Binary::ShiftLeft if b.is_constant() && (0..32).contains(&b.constant) => {
                a.scaled(1 << b.constant)
            }
            Binary::Div | Binary::Rem if b.is_constant() && b.constant > 0 => {
                self.divided(op, &a, b.constant)
            }
            // The lower bits are the rest of a division.
            Binary::And if is_mask(&b) => self.divided(Binary::Rem, &a, b.constant + 1),
            Binary::And if is_mask(&a) => self.divided(Binary::Rem, &b, a.constant + 1),
            Binary::ShiftRight if b.is_constant() && (1..32).contains(&b.constant) => {
                self.divided(Binary::Div, &a, 1 << b.constant)
            }
            _ => None,
        }
    }

    /// `a / by` and `a % by` where all factors of `a` are multiples of `by`, or `a` is small.
    fn divided(&self, op: Binary, a: &Linear, by: i64) -> Option<Linear> {
        if self.least(a)? < 0 {
            return None;
        }
        // Where data end a loop its counter has no greatest value, and still a rest.
        if self.range(a).is_some_and(|(_, high)| high < by) {
            return Some(if op == Binary::Div { Linear::default() } else { a.clone() });
        }
        let mut whole = Linear::default();
        let mut rest = Linear::constant(i128::from(a.constant.rem_euclid(by)));
        whole.constant = a.constant.div_euclid(by);
        for (symbol, factor) in &a.terms {
            if factor % by == 0 {
                whole.terms.push((*symbol, factor / by));
            } else {
                rest.terms.push((*symbol, *factor));
            }
        }
        let (low, high) = self.range(&rest)?;
        (low >= 0 && high < by).then_some(if op == Binary::Div { whole } else { rest })
    }

    pub(crate) fn select(
        &mut self,
        condition: Value,
        yes: Value,
        no: Value,
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Value {
        if yes == no {
            return yes;
        }
        if let Value::Constant(number) = condition {
            return if number.is_zero() { no } else { yes };
        }
        let mut node = Self::blank(Op::Select, ty, flow, place);
        node.width = self.width(yes).max(self.width(no)).min(ty.bits());
        node.inputs = vec![condition, yes, no];
        self.pure(node)
    }

    pub(crate) fn convert(
        &mut self,
        value: Value,
        from: Scalar,
        to: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Value {
        if let Value::Constant(number) = value {
            return Value::Constant(wrap(number, to));
        }
        if from == to {
            return value;
        }
        if let Some(part) = self.written_bits(value, (from, to), flow, place) {
            return part;
        }
        if let Some(narrow) = self.cut_upper_bits(value, from, to, flow, place) {
            return narrow;
        }
        let both_whole = !from.is_float() && !to.is_float();
        let mut node = Self::blank(Op::Convert, to, flow, place);
        node.operand = Some(from);
        node.inputs = vec![value];
        node.width = to.bits();
        if both_whole {
            // Bits that are appended behind the point, or cut off.
            let moved = fraction(to) - fraction(from);
            let width = i32::from(self.width(value)) + moved;
            node.width = u16::try_from(width.max(1)).unwrap_or(u16::MAX).min(to.bits());
        }
        if let (Scalar::Int { .. }, Scalar::Int { bits, signed }) = (from, to) {
            // A counter in a narrower type is the same number unless it does not fit.
            let linear = self.linear(value);
            // A width that is not known may come as zero, and holds nothing.
            let range = linear.as_ref().and_then(|linear| self.range(linear));
            let fits = range.is_some_and(|(low, high)| {
                let sign = u16::from(signed);
                let least = |bits: u16| if signed { -(1_i64 << (bits - 1)) } else { 0 };
                bits >= 63 || bits > 0 && low >= least(bits) && high < (1_i64 << (bits - sign))
            });
            // The sign of a word that holds addresses is no matter.
            let is_same = if signed == from.is_signed() || bits >= 32 {
                bits >= from.bits()
            } else {
                signed && bits > from.bits()
            };
            if is_same || fits {
                node.linear = linear;
            }
        }
        self.pure(node)
    }
}

/// Whether a number is a mask of lower bits: 1, 3, 7 and so on.
fn is_mask(number: &Linear) -> bool {
    let mask = number.constant;
    number.is_constant() && (1..=i64::from(u32::MAX)).contains(&mask) && mask & (mask + 1) == 0
}
