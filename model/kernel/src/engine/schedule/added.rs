//! Products of few bits that are added to something at once: a DSP slice does both, `mac_muladd_8s_8s_32s_32` in reports.

use crate::engine::Engine;
use crate::graph::{NodeId, Op, Value};
use crate::operators::{Unit, multiplier_dsp, unit};
use derate_program::Binary;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Operands of fewer bits stay in look-up tables.
const LEAST: u16 = 5;

impl Engine<'_> {
    /// Each sum takes one product that nothing else uses: of two products that are added, one is in look-up tables.
    pub(super) fn find_added_products(&self, live: &[NodeId]) -> HashSet<NodeId> {
        let is_sum = |id: &&NodeId| {
            let node = self.graph.node(**id);
            matches!(node.op, Op::Binary(Binary::Add | Binary::Sub)) && !node.ty.is_float()
        };
        let mut added = HashSet::default();
        if !live.iter().any(|id| is_sum(&id)) {
            return added;
        }
        let mut uses: HashMap<NodeId, u32> = HashMap::default();
        uses.reserve(live.len());
        for input in live.iter().flat_map(|id| &self.graph.node(*id).inputs) {
            if let Value::Node(input) = input {
                *uses.entry(*input).or_default() += 1;
            }
        }
        for id in live.iter().filter(is_sum) {
            let node = self.graph.node(*id);
            let products = node.inputs.iter().filter_map(|input| self.small_product(*input, &uses));
            added.extend(products.take(1));
        }
        added
    }

    /// The product that a value is, however it is widened, if only one sum uses it and no slice is taken for it alone.
    fn small_product(&self, value: Value, uses: &HashMap<NodeId, u32>) -> Option<NodeId> {
        let mut id = value.node()?;
        loop {
            let node = self.graph.node(id);
            if uses.get(&id) != Some(&1) {
                return None;
            }
            match node.op {
                Op::Convert => id = node.inputs.first()?.node()?,
                Op::Binary(Binary::Mul) => break,
                _ => return None,
            }
        }
        match unit(self.graph.node(id), &|value| self.width(value))? {
            Unit::IntMul(wide, narrow) if narrow >= LEAST => {
                (multiplier_dsp(wide, narrow) == 0).then_some(id)
            }
            _ => None,
        }
    }
}
