//! The least and the greatest value of what is computed from counters.

use super::Engine;
use crate::graph::{Linear, NodeId, Op, Symbol, Value};
use derate_program::{Binary, Scalar};

/// Bits of a type whose range bounds a loop: a report of 2^28 iterations for half of an `ap_int<30>`, and none for an `int`.
const WIDEST: u32 = 31;

impl Engine<'_> {
    /// A comparison that the ranges of counters decide.
    pub(crate) fn decide(&self, op: Binary, left: Value, right: Value) -> Option<bool> {
        if !matches!(op, Binary::Less | Binary::LessEqual | Binary::Equal | Binary::NotEqual) {
            return None;
        }
        let difference = self.linear(left)?.minus(&self.linear(right)?)?;
        let (low, high) = self.range(&difference)?;
        match op {
            Binary::Less if high < 0 => Some(true),
            Binary::Less if low >= 0 => Some(false),
            Binary::LessEqual if high <= 0 => Some(true),
            Binary::LessEqual if low > 0 => Some(false),
            Binary::Equal if low > 0 || high < 0 => Some(false),
            Binary::NotEqual if low > 0 || high < 0 => Some(true),
            Binary::Equal if low == 0 && high == 0 => Some(true),
            Binary::NotEqual if low == 0 && high == 0 => Some(false),
            _ => None,
        }
    }

    /// The least and the greatest value of a sum over counters.
    pub(crate) fn range(&self, linear: &Linear) -> Option<(i64, i64)> {
        self.range_within(linear, 0)
    }

    /// The least value alone.
    pub(crate) fn least(&self, linear: &Linear) -> Option<i64> {
        self.extreme(linear, false, 0)
    }

    /// The same in the range of another value.
    fn range_within(&self, linear: &Linear, depth: u32) -> Option<(i64, i64)> {
        Some((self.extreme(linear, false, depth)?, self.extreme(linear, true, depth)?))
    }

    /// The range of a value that is not a sum: of a choice, or of a narrow type.
    fn node_range(&self, id: NodeId, depth: u32) -> Option<(i64, i64)> {
        let node = self.graph.node(id);
        if node.op == Op::Select && depth < 8 {
            let part = |value: Value| match value {
                Value::Node(inner) if self.graph.node(inner).op == Op::Select => {
                    self.node_range(inner, depth + 1)
                }
                // A sum has two ends, so that it counts twice: the time would grow with the power of the depth.
                value => self.range_within(&self.linear(value)?, depth + 2),
            };
            let (left, right) = (part(node.inputs[1])?, part(node.inputs[2])?);
            return Some((left.0.min(right.0), left.1.max(right.1)));
        }
        let Scalar::Int { signed, .. } = node.ty else { return None };
        if let (Op::Binary(Binary::Div), Some(by)) =
            (node.op, node.inputs.get(1).and_then(|by| i64::try_from(by.whole()?).ok()))
            && by > 0
            && depth < 8
        {
            let (low, high) = self.range_within(&self.linear(node.inputs[0])?, depth + 2)?;
            return Some((low / by, high / by));
        }
        let bits = u32::from(node.width);
        (1..=WIDEST).contains(&bits).then(|| {
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
        })
    }

    /// Whether a sum has a value that only its type bounds.
    pub(crate) fn rests_on_type(&self, linear: &Linear) -> bool {
        linear.terms.iter().any(|(symbol, _)| match symbol {
            Symbol::Counter(_) => false,
            Symbol::Opaque(node) => self.is_bounded_by_type(Value::Node(*node), 0),
        })
    }

    /// Whether no operation bounds a value, such as a rest, a mask or a comparison.
    fn is_bounded_by_type(&self, value: Value, depth: u32) -> bool {
        let Value::Node(id) = value else { return false };
        let node = self.graph.node(id);
        if let Some(sum) = node.linear.as_ref().filter(|sum| !is_itself(sum, id) && depth < 8) {
            let own = sum.terms.iter().filter_map(|(symbol, _)| match symbol {
                Symbol::Counter(_) => None,
                Symbol::Opaque(node) => Some(Value::Node(*node)),
            });
            return own.into_iter().any(|one| self.is_bounded_by_type(one, depth + 2));
        }
        let is = |at: usize| self.is_bounded_by_type(node.inputs[at], depth + 1);
        let is_fixed = |at: usize| node.inputs.get(at).is_some_and(|one| one.whole().is_some());
        match node.op {
            _ if depth >= 8 => true,
            Op::Select => is(1) || is(2),
            Op::Convert | Op::Binary(Binary::Div | Binary::ShiftRight) => is(0),
            Op::Binary(Binary::Rem) => !is_fixed(1),
            Op::Binary(Binary::And) => !is_fixed(0) && !is_fixed(1),
            Op::Binary(_) | Op::Unary(_) => node.width > 1,
            _ => true,
        }
    }

    /// One end of the range: inner counters first, as their bounds may depend on outer ones.
    fn extreme(&self, linear: &Linear, high: bool, depth: u32) -> Option<i64> {
        let mut rest = linear.clone();
        while let Some((symbol, factor)) = rest.terms.pop() {
            let number = match symbol {
                Symbol::Counter(number) => number,
                Symbol::Opaque(node) => {
                    let (low, most) = self.node_range(node, depth)?;
                    let end = if (factor > 0) == high { most } else { low };
                    rest.constant = rest.constant.checked_add(end.checked_mul(factor)?)?;
                    continue;
                }
            };
            let counter = &self.counters[number as usize];
            if (factor > 0) != high {
                continue;
            }
            let last = match &counter.bounds {
                Some((start, end)) if counter.step == 1 => {
                    let mut last = end.minus(start)?;
                    last.constant -= 1;
                    // A loop that does not run has no values: the plain range holds then, too.
                    last
                }
                _ => Linear::constant(i128::from(counter.range?.1)),
            };
            rest = rest.plus(&last.scaled(factor)?)?;
        }
        Some(rest.constant)
    }
}

/// Whether a sum is a value of which nothing else is known.
fn is_itself(sum: &Linear, id: NodeId) -> bool {
    matches!(sum.terms.as_slice(), [(Symbol::Opaque(own), 1)] if *own == id)
}
