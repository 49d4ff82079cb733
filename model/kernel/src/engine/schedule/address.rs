//! When the address of an access is there: what the counters of its index go through before they reach a memory.
//!
//! The address in a bank is `(first * length + second) * length + third`. A length with two signed digits is a shift and a
//! sum. For another one the tool takes a DSP slice that multiplies and adds in three cycles (`mac_muladd` in its tables), and
//! of two in a row the first product is made in logic (`ama_addmuladd`).

use super::Slot;
use super::place::Start;
use crate::engine::Engine;
use crate::graph::{
    BlockId, Cut, Implementation, Linear, MemoryAccess, NodeId, Op, Storage, Symbol,
};
use rustc_hash::FxHashMap as HashMap;

/// How the address of an access comes about.
#[derive(Clone, Debug)]
pub(super) struct Address {
    dimensions: Vec<Dimension>,
    /// Bits of the address.
    bits: u16,
    /// The outermost counter: where iterations start more than a cycle apart, a product that only this one changes is made
    /// in logic.
    outermost: Option<usize>,
}

/// The part of an address that one index gives.
#[derive(Clone, Debug)]
struct Dimension {
    /// By what the sum of the dimensions before is multiplied.
    length: u64,
    /// The counters in it, as positions in the schedule.
    counters: Vec<usize>,
    /// Sums within it.
    sums: usize,
    /// Whether it has a part that the loops do not change.
    is_shifted: bool,
    /// Whether its bits are put beside those of the dimensions before: its length is a power of two, and it is a multiple
    /// of a counter, so that no bit is left over. A counter alone has a bit more than its values need.
    is_appended: bool,
}

/// The sum of the dimensions so far.
#[derive(Clone, Copy)]
enum Sum {
    Nothing,
    /// Known before the loop.
    Fixed,
    At(Start),
}

impl Engine<'_> {
    /// The address of a node; `None` where its index comes from other operations, or where there is none.
    pub(super) fn address_of(
        &self,
        id: NodeId,
        block: BlockId,
        counters: &HashMap<Symbol, usize>,
    ) -> Option<Address> {
        let node = self.graph.node(id);
        if !matches!(node.op, Op::Load | Op::Store) {
            return None;
        }
        let access = node.access.as_ref()?;
        let storage = &self.storages[access.storage];
        let in_memory = matches!(
            storage.implementation,
            Implementation::Bram
                | Implementation::Lutram
                | Implementation::Uram
                | Implementation::Port
        );
        if !in_memory || !self.is_of_counters(access, block) {
            return None;
        }
        let mut dimensions = Vec::new();
        for at in 0..storage.dims.len() {
            let divisor = divisor_of(storage, at);
            let length = storage.dims[at].div_ceil(divisor).max(1);
            let index = access.index.get(at).cloned().unwrap_or_default();
            if length > 1 {
                dimensions.push(Dimension::of_index(&index, length, divisor, counters));
            }
        }
        let words = dimensions.iter().fold(1_u64, |words, one| words.saturating_mul(one.length));
        let bits = u16::try_from(64 - words.leading_zeros()).unwrap_or(64);
        Some(Address { dimensions, bits, outermost: counters.values().min().copied() })
    }

    /// Whether an index is a sum of counters and of what was known before the block.
    fn is_of_counters(&self, access: &MemoryAccess, block: BlockId) -> bool {
        access.index.iter().flat_map(|part| &part.terms).all(|(symbol, _)| match symbol {
            Symbol::Counter(_) => true,
            Symbol::Opaque(node) => {
                let node = self.graph.node(*node);
                node.block != block || node.op == Op::Input
            }
        })
    }

    /// When an address is there.
    pub(super) fn address_start(&self, address: &Address, slots: &[Slot], interval: i64) -> Start {
        let budget = self.settings.budget();
        let adder = self.settings.adder(address.bits);
        let mut sum = Sum::Nothing;
        for (at, own) in address.dimensions.iter().enumerate() {
            let added = own.start(slots, adder, budget);
            let is_added = own.is_shifted || added.is_some();
            let product = match sum {
                Sum::At(start) => {
                    let next = address.dimensions.get(at + 1).map(|next| next.length);
                    let digits = signed_digits(own.length);
                    if digits > 2 && is_added && next.is_none_or(|next| signed_digits(next) <= 2) {
                        let by_logic = interval > 1 && address.is_outer_product(at);
                        if !by_logic {
                            sum = Sum::At(self.multiply_add(start, added));
                            continue;
                        }
                    }
                    let delay = match digits {
                        0 | 1 => 0.0,
                        2 => adder,
                        _ => self.settings.multiplier(address.bits, address.bits).after,
                    };
                    Sum::At(start.then(delay, budget))
                }
                other => other,
            };
            sum = match (product, added) {
                (Sum::Nothing, None) if !own.is_shifted => Sum::Nothing,
                (Sum::Nothing | Sum::Fixed, None) => Sum::Fixed,
                (Sum::Nothing, Some(own)) => Sum::At(own),
                (Sum::Fixed, Some(own)) => Sum::At(own.then(adder, budget)),
                (Sum::At(start), None) if !own.is_shifted => Sum::At(start),
                (Sum::At(start), added) if own.is_appended => {
                    Sum::At(added.map_or(start, |added| start.later(added)))
                }
                (Sum::At(start), own) => {
                    Sum::At(own.map_or(start, |own| start.later(own)).then(adder, budget))
                }
            };
        }
        match sum {
            Sum::At(start) => start,
            Sum::Nothing | Sum::Fixed => Start { cycle: 0, time: 0.0 },
        }
    }

    /// A DSP slice that multiplies and adds: what is added may be two cycles late.
    fn multiply_add(&self, start: Start, added: Option<Start>) -> Start {
        let slice = self.settings.multiply_add();
        let mut start = start.fit(slice, self.settings.budget());
        if let Some(added) = added {
            start.cycle = start.cycle.max(added.cycle - i64::from(slice.latency) + 1);
        }
        Start { cycle: start.cycle + i64::from(slice.latency), time: slice.after }
    }
}

impl Dimension {
    fn of_index(
        index: &Linear,
        length: u64,
        divisor: u64,
        counters: &HashMap<Symbol, usize>,
    ) -> Self {
        let own: Vec<usize> =
            index.terms.iter().filter_map(|term| counters.get(&term.0).copied()).collect();
        let fixed =
            index.terms.len() > own.len() || index.constant.unsigned_abs() / divisor.max(1) > 0;
        let factors: usize = index
            .terms
            .iter()
            .filter(|term| counters.contains_key(&term.0))
            .map(|term| signed_digits(term.1.unsigned_abs() / divisor.max(1)).saturating_sub(1))
            .sum();
        let sums = own.len().saturating_sub(1) + factors + usize::from(fixed && !own.is_empty());
        let multiple = |factor: i64| factor.unsigned_abs() / divisor.max(1) > 1;
        let is_appended = length.is_power_of_two()
            && own.len() == 1
            && index.terms.len() == 1
            && index.terms.iter().all(|term| multiple(term.1))
            || own.is_empty() && index.terms.is_empty() && length.is_power_of_two();
        let is_shifted = fixed && own.is_empty();
        // What a multiple leaves free takes a constant.
        let sums = if is_appended { 0 } else { sums };
        Self { length, is_shifted, counters: own, sums, is_appended }
    }

    /// When its value is there, if the loops change it.
    fn start(&self, slots: &[Slot], adder: f64, budget: f64) -> Option<Start> {
        let ready = |at: &usize| {
            let slot = &slots[*at];
            Start { cycle: slot.end, time: slot.time }
        };
        let mut start = self.counters.iter().map(ready).reduce(Start::later)?;
        for _ in 0..self.sums {
            start = start.then(adder, budget);
        }
        Some(start)
    }
}

impl Address {
    /// Whether a dimension adds to a product of the outermost counter alone.
    fn is_outer_product(&self, at: usize) -> bool {
        let before: Vec<usize> =
            self.dimensions[..at].iter().flat_map(|one| one.counters.iter().copied()).collect();
        self.outermost.is_some_and(|outermost| before == [outermost])
    }
}

/// By what an index is divided to find the place in a bank, or in a word of it.
fn divisor_of(storage: &Storage, at: usize) -> u64 {
    let length = storage.dims[at].max(1);
    let part = |cut: Option<&Cut>| cut.map_or(1, |cut| cut.banks(length));
    part(storage.cuts.get(at)).saturating_mul(part(storage.words.get(at))).min(length)
}

/// The powers of two of which a number is a sum or a difference.
fn signed_digits(number: u64) -> usize {
    let (mut rest, mut digits) = (u128::from(number), 0);
    while rest > 0 {
        if rest % 2 == 1 {
            digits += 1;
            if rest % 4 == 3 {
                rest += 1;
            } else {
                rest -= 1;
            }
        }
        rest /= 2;
    }
    digits
}
