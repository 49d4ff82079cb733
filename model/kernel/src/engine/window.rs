//! In which iterations of its loops a guarded access happens.

use super::Engine;
use crate::graph::{Linear, Op, Symbol, Value};
use derate_program::{Binary, Unary};

/// In which iterations of each loop something happens: from, and how many.
pub(crate) type Window = Vec<(f64, f64)>;

impl Engine<'_> {
    /// Narrows a window to where a condition is `wanted`; false if that is nowhere. What is not known narrows nothing.
    pub(crate) fn narrow(
        &self,
        guard: Value,
        wanted: bool,
        counters: &[u32],
        window: &mut Window,
    ) -> bool {
        let Value::Node(id) = guard else {
            return guard.whole().is_none_or(|value| (value != 0) == wanted);
        };
        let node = self.graph.node(id);
        match node.op {
            Op::Convert => self.narrow(node.inputs[0], wanted, counters, window),
            Op::Unary(Unary::Not) => self.narrow(node.inputs[0], !wanted, counters, window),
            Op::Binary(Binary::And) if wanted => {
                node.inputs.iter().all(|input| self.narrow(*input, true, counters, window))
            }
            Op::Binary(Binary::Or) if !wanted => {
                node.inputs.iter().all(|input| self.narrow(*input, false, counters, window))
            }
            Op::Binary(op @ (Binary::Equal | Binary::NotEqual)) => {
                let difference = self
                    .linear(node.inputs[0])
                    .zip(self.linear(node.inputs[1]))
                    .and_then(|(left, right)| left.minus(&right));
                match difference {
                    Some(zero) if (op == Binary::Equal) == wanted => {
                        self.fix(&zero, counters, window)
                    }
                    Some(zero) => {
                        Self::leave_out(&zero, counters, window);
                        true
                    }
                    None => true,
                }
            }
            _ => true,
        }
    }

    /// Narrows to where a sum is zero.
    #[allow(clippy::cast_precision_loss)]
    fn fix(&self, zero: &Linear, counters: &[u32], window: &mut Window) -> bool {
        let place = |symbol: &Symbol| match symbol {
            Symbol::Counter(counter) => counters.iter().position(|own| own == counter),
            Symbol::Opaque(_) => None,
        };
        if let [(symbol, factor)] = zero.terms.as_slice() {
            let Some(at) = place(symbol) else { return true };
            if zero.constant % factor != 0 {
                return false;
            }
            let value = (-zero.constant / factor) as f64;
            let (from, count) = window[at];
            window[at] = (value, 1.0);
            return value >= from && value < from + count;
        }
        // A sum at one end of its range: each counter is at an end.
        let Some((low, high)) = self.range(zero) else { return true };
        if low != 0 && high != 0 {
            return low < 0 && high > 0;
        }
        for (symbol, factor) in &zero.terms {
            let Some(at) = place(symbol) else { continue };
            let (from, count) = window[at];
            let last = (*factor > 0) != (low == 0);
            window[at] = (if last { from + count - 1.0 } else { from }, 1.0);
        }
        true
    }

    /// Takes the end of a window off where a counter may not have that value.
    #[allow(clippy::cast_precision_loss)]
    fn leave_out(zero: &Linear, counters: &[u32], window: &mut Window) {
        let [(Symbol::Counter(counter), factor)] = zero.terms.as_slice() else { return };
        let Some(at) = counters.iter().position(|own| own == counter) else { return };
        if zero.constant % factor != 0 {
            return;
        }
        let value = (-zero.constant / factor) as f64;
        let (from, count) = window[at];
        if (value - from).abs() < 0.5 {
            window[at] = (from + 1.0, count - 1.0);
        } else if (value - (from + count - 1.0)).abs() < 0.5 {
            window[at] = (from, count - 1.0);
        }
    }
}
