//! One run of one layer as a block of kernels.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::format::follow;
use crate::graph::{Graph, Operation, OperationKind, Origin};
use crate::workload::{
    Block, FormatOf, Joins, Kernel, Op, Operand, Role, TensorId, Value, ValueId, WorkloadError,
};
use derate_dump::ModelShape;
use derate_units::Precision;

/// A layer before others like it are known.
pub(super) struct TracedLayer {
    pub(super) block: Block,
    /// Its tensors, by slot.
    pub(super) tensors: Vec<TensorId>,
    /// What these must have in common with those of a layer of the same block.
    pub(super) slots: Vec<(Vec<u64>, Precision)>,
}

/// Builds the block of a run of operations.
pub(super) struct LayerBuilder<'a> {
    pub(super) graph: &'a Graph,
    shape: &'a ModelShape,
    /// Values that are needed outside, by place in the graph.
    escapes: &'a dyn Fn(usize) -> bool,
    pub(super) layer: TracedLayer,
    /// The block's value of each of the graph.
    values: BTreeMap<usize, ValueId>,
    /// The slot of each parameter.
    stored: BTreeMap<usize, u16>,
    names: BTreeMap<String, usize>,
}

/// A value, or a tensor of the layer.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Value(ValueId),
    Slot(u16),
}

impl<'a> LayerBuilder<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        shape: &'a ModelShape,
        name: &str,
        escapes: &'a dyn Fn(usize) -> bool,
    ) -> Self {
        let block = Block::new(name.to_owned(), &Arc::from([]));
        let layer = TracedLayer { block, tensors: Vec::new(), slots: Vec::new() };
        let (values, stored, names) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { graph, shape, escapes, layer, values, stored, names }
    }

    /// A name that no kernel of the block has yet.
    pub(super) fn name_kernel(&mut self, name: String) -> Cow<'static, str> {
        let seen = self.names.entry(name.clone()).or_default();
        *seen += 1;
        if *seen == 1 { name.into() } else { format!("{name}_{seen}").into() }
    }

    /// The tensor or the value that an input shows.
    pub(super) fn find_source(&mut self, input: usize) -> Result<Source, WorkloadError> {
        let (base, _) = self.graph.find_base(input);
        if let Origin::Parameter(name) = &self.graph.values[base].origin {
            return Ok(Source::Slot(self.find_slot(base, name)?));
        }
        if let Some(&value) = self.values.get(&base) {
            return Ok(Source::Value(value));
        }
        let format = FormatOf::Own(self.graph.values[base].dtype);
        Ok(Source::Value(self.add_value(base, format, None)?))
    }

    fn find_slot(&mut self, base: usize, name: &str) -> Result<u16, WorkloadError> {
        if let Some(&slot) = self.stored.get(&base) {
            return Ok(slot);
        }
        let own = &self.graph.values[base];
        let tensor =
            self.shape.position(name).ok_or_else(|| WorkloadError::Parameter(name.to_owned()))?;
        let dump = &self.shape.tensors[tensor];
        if dump.shape_known && dump.dims != own.shape {
            return Err(WorkloadError::OtherShape {
                tensor: name.to_owned(),
                dump: dump.dims.clone(),
                traced: own.shape.clone(),
            });
        }
        let slot = u16::try_from(self.layer.tensors.len()).map_err(|_| WorkloadError::TooLarge)?;
        self.layer.tensors.push(tensor);
        self.layer.slots.push((own.shape.clone(), own.dtype));
        self.stored.insert(base, slot);
        Ok(slot)
    }

    fn add_value(
        &mut self,
        at: usize,
        format: FormatOf,
        producer: Option<usize>,
    ) -> Result<ValueId, WorkloadError> {
        let own = &self.graph.values[at];
        let (is_view, elements) = (matches!(own.origin, Origin::View(_)), own.elements());
        let escapes = producer.is_some() && (is_view || (self.escapes)(at));
        let row = own.shape.last().copied().unwrap_or(1);
        let id = self.push_value(elements, row, format, producer, escapes)?;
        if !is_view {
            self.values.insert(at, id);
        }
        Ok(id)
    }

    /// A value that the graph does not have: scores within an attention.
    pub(super) fn push_value(
        &mut self,
        elements: u64,
        row: u64,
        format: FormatOf,
        producer: Option<usize>,
        escapes: bool,
    ) -> Result<ValueId, WorkloadError> {
        let values = &mut self.layer.block.values;
        let id = ValueId::try_from(values.len()).map_err(|_| WorkloadError::TooLarge)?;
        let (first_use, last_use) = (usize::MAX, 0);
        values.push(Value { elements, row, format, producer, first_use, last_use, escapes });
        Ok(id)
    }

    /// An operand that kernel `self.next()` reads.
    pub(super) fn read(&mut self, name: &'static str, source: Source, elements: u64, role: Role) {
        let at = self.next();
        let block = &mut self.layer.block;
        let (format, value, role) = match source {
            Source::Slot(slot) => (FormatOf::Slot(slot), None, role),
            Source::Value(id) => {
                let value = &mut block.values[usize::from(id)];
                value.first_use = value.first_use.min(at);
                value.last_use = at;
                (value.format, Some(id), Role::Input)
            }
        };
        block.operands.push(Operand { name, role, elements, format, value });
    }

    pub(super) fn write(&mut self, name: &'static str, id: ValueId) {
        let value = &self.layer.block.values[usize::from(id)];
        let (elements, format) = (value.elements, value.format);
        let value = Some(id);
        self.layer.block.operands.push(Operand {
            name,
            role: Role::Output,
            elements,
            format,
            value,
        });
    }

    /// The place of the kernel that is being made.
    pub(super) fn next(&self) -> usize {
        self.layer.block.kernels.len()
    }

    /// The operand that the next kernel begins with.
    pub(super) fn first(&self) -> usize {
        self.layer.block.operands.len()
    }

    pub(super) fn push(&mut self, name: Cow<'static, str>, op: Op, adds: bool, first: usize) {
        let end = self.layer.block.operands.len();
        let joins = Joins::Nothing;
        self.layer.block.kernels.push(Kernel { name, op, joins, adds, first, end });
    }

    /// The results of an operation, in the format of an operand that is alike.
    pub(super) fn write_results(
        &mut self,
        operation: &Operation,
        first: usize,
    ) -> Result<(), WorkloadError> {
        for &output in &operation.outputs {
            let own = self.graph.values[output].dtype;
            let read = self.layer.block.operands[first..].iter().filter(|o| o.role != Role::Output);
            let mut read: Vec<&Operand> = read.collect();
            // A weight says more than an activation.
            read.sort_by_key(|o| o.role != Role::Weight);
            let alike = read.into_iter().map(|o| (self.dtype_of(o), o.format));
            let format = follow(own, alike.collect::<Vec<_>>().into_iter());
            let id = self.add_value(output, format, Some(self.next()))?;
            self.write("result", id);
        }
        Ok(())
    }

    /// The format that an operand has where every tensor keeps its own.
    fn dtype_of(&self, operand: &Operand) -> Precision {
        match operand.format {
            FormatOf::Slot(slot) => {
                self.layer.slots.get(usize::from(slot)).map_or(Precision::FP32, |slot| slot.1)
            }
            FormatOf::Own(own) => own,
            FormatOf::Scores => Precision::FP32,
        }
    }

    /// Whether an operation multiplies matrices.
    pub(super) fn is_product(operation: &Operation) -> bool {
        matches!(
            operation.kind,
            OperationKind::Product | OperationKind::Convolution(_) | OperationKind::Attention
        )
    }
}
