//! Kernels that run one after another on the same data: one layer of a network.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Count, Elementwise, FormatOf, Joins, Kernel, Matmul, Op, Operand, Role, ValueId};
use derate_units::Ops;

/// A tensor of the dump, by its index in [`derate_dump::ModelShape::tensors`].
pub type TensorId = usize;

/// One layer's own tensors.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Layer {
    /// Its number, where it has one.
    pub number: Option<u64>,
    /// Its tensors, by slot.
    pub tensors: Vec<TensorId>,
}

/// Data that flows in a block.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Value<C = u64> {
    /// Its size.
    pub elements: C,
    /// Elements of one row: what a kernel holds of it that works row by row.
    pub row: C,
    /// Number format, as its producer writes it.
    pub format: FormatOf,
    /// The kernel that makes it; `None` for what comes from outside.
    pub producer: Option<usize>,
    /// The first kernel that reads it; beyond all where none does.
    pub first_use: usize,
    /// The last kernel that reads it; 0 where none does.
    pub last_use: usize,
    /// Whether it is needed outside the block.
    pub escapes: bool,
}

/// Kernels in their order, for all layers that are alike.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Block<C = u64> {
    /// Name, such as `text layer`.
    pub name: Cow<'static, str>,
    /// The kernels, each after those whose results it reads.
    pub kernels: Vec<Kernel<C>>,
    /// The operands of all kernels.
    pub operands: Vec<Operand<C>>,
    /// The data that flows.
    pub values: Vec<Value<C>>,
    /// The layers that run these kernels, each with its own tensors.
    pub layers: Arc<[Layer]>,
}

impl<C: Count> Block<C> {
    /// A block without kernels.
    pub fn new(name: impl Into<Cow<'static, str>>, layers: &Arc<[Layer]>) -> Self {
        // A layer of a transformer; more grows.
        const KERNELS: usize = 24;
        Self {
            name: name.into(),
            layers: Arc::clone(layers),
            kernels: Vec::with_capacity(KERNELS),
            operands: Vec::with_capacity(4 * KERNELS),
            values: Vec::with_capacity(2 * KERNELS),
        }
    }

    /// The operands of one kernel.
    pub fn operands_of(&self, kernel: &Kernel<C>) -> &[Operand<C>] {
        &self.operands[kernel.first..kernel.end]
    }

    /// Operations that are not a matrix product, for each element of a kernel's result: a product with something to add
    /// has one.
    fn operations_per_result(&self, kernel: &Kernel<C>) -> u64 {
        match &kernel.op {
            Op::Elementwise(op) => op.operations(),
            Op::Matmul(_) | Op::Convolution(_) => {
                let others = self.operands_of(kernel).iter().filter(|o| o.role != Role::Output);
                u64::from(others.count() > 2 && kernel.adds)
            }
            Op::Gather => 0,
        }
    }

    /// Operations that are not a matrix product, of one call of one kernel, as a count.
    pub fn count_elementwise(&self, kernel: &Kernel<C>) -> C {
        let operations = self.operations_per_result(kernel);
        let made = self.operands_of(kernel).iter().filter(|o| o.role == Role::Output);
        made.fold(C::from(0), |sum, o| sum.plus(&o.elements)).scaled(operations)
    }

    /// Data that comes from outside.
    pub(super) fn add_input(&mut self, elements: C, row: u64, format: FormatOf) -> ValueId {
        self.add_value(elements, row.into(), format, None)
    }

    /// Marks a value as needed outside.
    pub(super) fn mark_output(&mut self, value: ValueId) {
        self.values[usize::from(value)].escapes = true;
    }

    fn add_value(
        &mut self,
        elements: C,
        row: C,
        format: FormatOf,
        producer: Option<usize>,
    ) -> ValueId {
        let id = self.values.len();
        self.values.push(Value {
            elements,
            row,
            format,
            producer,
            first_use: usize::MAX,
            last_use: 0,
            escapes: false,
        });
        // A block has some dozens of values.
        ValueId::try_from(id).unwrap_or(ValueId::MAX)
    }

    fn add_kernel(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        op: Op<C>,
        joins: Joins,
        first: usize,
    ) {
        let end = self.operands.len();
        self.kernels.push(Kernel { name: name.into(), op, joins, adds: false, first, end });
    }

    /// A value is read as it was written.
    fn add_read(&mut self, name: &'static str, value: ValueId) {
        let used = &mut self.values[usize::from(value)];
        used.first_use = used.first_use.min(self.kernels.len());
        used.last_use = self.kernels.len();
        let (elements, format) = (used.elements.clone(), used.format);
        self.operands.push(Operand {
            name,
            role: Role::Input,
            elements,
            format,
            value: Some(value),
        });
    }

    /// The number format of a value.
    pub(super) fn format_of(&self, value: ValueId) -> FormatOf {
        self.values[usize::from(value)].format
    }

    fn add_stored(&mut self, name: &'static str, role: Role, elements: C, slot: u16) {
        let format = FormatOf::Slot(slot);
        self.operands.push(Operand { name, role, elements, format, value: None });
    }

    fn add_written(
        &mut self,
        name: &'static str,
        elements: C,
        row: C,
        format: FormatOf,
    ) -> ValueId {
        let value = self.add_value(elements.clone(), row, format, Some(self.kernels.len()));
        self.operands.push(Operand {
            name,
            role: Role::Output,
            elements,
            format,
            value: Some(value),
        });
        value
    }

    /// A GEMM of `rows` activations with the weight of `slot`.
    pub(super) fn add_linear(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        input: ValueId,
        (rows, inputs, outputs): (C, u64, u64),
        slot: u16,
    ) -> ValueId {
        let (first, format) = (self.operands.len(), FormatOf::Slot(slot));
        self.add_read("activations", input);
        let (inputs, outputs) = (C::from(inputs), C::from(outputs));
        self.add_stored("weights", Role::Weight, inputs.times(&outputs), slot);
        let made = self.add_written("result", rows.times(&outputs), outputs.clone(), format);
        let gemm = Matmul::gemm(rows, inputs, outputs);
        self.add_kernel(name, Op::Matmul(gemm), Joins::Nothing, first);
        made
    }

    /// A product of two values, the right one perhaps in several pieces.
    pub(super) fn add_product(
        &mut self,
        name: &'static str,
        matmul: Matmul<C>,
        operands: &[(&'static str, ValueId)],
        (made, format): (&'static str, FormatOf),
        joins: Joins,
    ) -> ValueId {
        let first = self.operands.len();
        for &(name, value) in operands {
            self.add_read(name, value);
        }
        let elements = matmul.batch.times(&matmul.m).times(&matmul.n);
        let made = self.add_written(made, elements, matmul.n.clone(), format);
        self.add_kernel(name, Op::Matmul(matmul), joins, first);
        made
    }

    /// An operator on every element of the first of `inputs`, with vectors of the model if it needs them.
    pub(super) fn add_elementwise(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        op: Elementwise,
        joins: Joins,
        inputs: &[ValueId],
        vectors: &[(u64, u16)],
    ) -> ValueId {
        let first = self.operands.len();
        let like = inputs.first().map(|&v| self.values[usize::from(v)].clone());
        let (elements, row, format) = like.map_or_else(
            || (C::from(0), C::from(0), FormatOf::Scores),
            |v| (v.elements, v.row, v.format),
        );
        for &value in inputs {
            self.add_read("input", value);
        }
        for &(elements, slot) in vectors {
            self.add_stored("vector", Role::Vector, elements.into(), slot);
        }
        let made = self.add_written("result", elements, row, format);
        self.add_kernel(name, Op::Elementwise(op), joins, first);
        made
    }

    /// The softmax of each row of scores, handed on in a format of its own.
    pub(super) fn add_softmax(&mut self, scores: ValueId, format: FormatOf) -> ValueId {
        let first = self.operands.len();
        self.add_read("input", scores);
        let Value { elements, row, .. } = self.values[usize::from(scores)].clone();
        let made = self.add_written("result", elements, row, format);
        self.add_kernel("softmax", Op::Elementwise(Elementwise::Softmax), Joins::Attention, first);
        made
    }

    /// An operator whose result has a size of its own.
    pub(super) fn add_made(
        &mut self,
        name: &'static str,
        op: Elementwise,
        inputs: &[ValueId],
        (elements, format): (C, FormatOf),
    ) -> ValueId {
        let first = self.operands.len();
        for &value in inputs {
            self.add_read("input", value);
        }
        let made = self.add_written("result", elements.clone(), elements, format);
        self.add_kernel(name, Op::Elementwise(op), Joins::Nothing, first);
        made
    }

    /// `rows` rows of `width` of the table of `slot`.
    pub(super) fn add_gather(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        (rows, width): (C, u64),
        slot: u16,
    ) -> ValueId {
        let first = self.operands.len();
        let elements = rows.scaled(width);
        self.add_stored("rows", Role::Weight, elements.clone(), slot);
        let made = self.add_written("result", elements, width.into(), FormatOf::Slot(slot));
        self.add_kernel(name, Op::Gather, Joins::Nothing, first);
        made
    }
}

impl Block {
    /// Operations that are not a matrix product, of one call of one kernel.
    pub fn elementwise_ops(&self, kernel: &Kernel) -> Ops {
        let operations = self.operations_per_result(kernel);
        if operations == 0 {
            return Ops(0.0);
        }
        let made = self.operands_of(kernel).iter().filter(|o| o.role == Role::Output);
        Ops(made.map(|o| o.elements as f64).sum::<f64>() * operations as f64)
    }
}
