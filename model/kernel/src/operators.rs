//! What an operation costs: cycles, delay within the clock, DSP, LUT and FF, by type, width, clock and tool.

use crate::graph::{Binding, Build, Node, Op, Value};
use derate_operators::FloatOperator;
use derate_operators::Settings;
use derate_operators::Timing;
use derate_program::{BIT_TESTS, Binary, REVERSE, Scalar, Unary};

/// The unit that an operation needs, if it is one that is shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Unit {
    FloatAdd(u16),
    /// The adder in logic that recurrences get.
    FastAdd(u16),
    FloatMul(u16),
    /// `fulldsp`, which takes other slices than the multiplier that the tool takes by itself.
    FullDspMul(u16),
    /// Without DSP slices.
    LogicMul(u16),
    FloatDiv(u16),
    FloatCompare(u16),
    FloatConvert,
    Math(&'static str, u16),
    /// Of a width and another, the larger first.
    IntMul(u16, u16),
    /// A product in look-up tables by itself that is added to something at once: a slice does both.
    MulAdd(u16, u16),
    /// The same without DSP slices.
    LogicIntMul(u16, u16),
    IntDiv(u16),
    /// A divider in a pipeline: each bit of the quotient has a stage of its own.
    StagedDiv(u16),
}

/// Whether a function looks at the sign or the exponent alone: it takes a few gates and no operator.
fn is_bit_test(name: &str) -> bool {
    name == "fabs" || BIT_TESTS.contains(&name)
}

/// The unit of a node.
pub(crate) fn unit(node: &Node, width: &dyn Fn(Value) -> u16) -> Option<Unit> {
    let float = !node.inputs.is_empty() && operand_type(node).is_float();
    let bits = operand_type(node).bits();
    let build = node.binding.map_or(Build::Usual, |binding| binding.build);
    match node.op {
        Op::Binary(op) if float => Some(match (op, build) {
            (Binary::Add | Binary::Sub, Build::Logic) => Unit::FastAdd(bits),
            (Binary::Add | Binary::Sub, _) => Unit::FloatAdd(bits),
            (Binary::Mul, Build::Logic) => Unit::LogicMul(bits),
            (Binary::Mul, Build::FullDsp) => Unit::FullDspMul(bits),
            (Binary::Mul, Build::Usual) => Unit::FloatMul(bits),
            (Binary::Div, _) => Unit::FloatDiv(bits),
            _ => Unit::FloatCompare(bits),
        }),
        Op::Binary(Binary::Mul) => {
            let (a, b) = (factor_width(node.inputs[0], width), factor_width(node.inputs[1], width));
            let constant = node.inputs.iter().find_map(|input| input.whole());
            let (wide, narrow) = (a.max(b), a.min(b));
            match build {
                Build::Logic => Some(Unit::LogicIntMul(wide, narrow)),
                _ => {
                    (!constant.is_some_and(is_sum_of_shifts)).then_some(Unit::IntMul(wide, narrow))
                }
            }
        }
        Op::Binary(op @ (Binary::Div | Binary::Rem)) => {
            let by = node.inputs.get(1).and_then(|input| input.whole());
            let wide = width(node.inputs[0]).max(1);
            match by {
                Some(by) if by.unsigned_abs().is_power_of_two() => None,
                // A product with the reciprocal.
                Some(_) if op == Binary::Div => Some(Unit::IntMul(wide.saturating_add(3), wide)),
                _ => Some(Unit::IntDiv(wide)),
            }
        }
        Op::Math(name) if !is_bit_test(name) && name != REVERSE => Some(Unit::Math(name, bits)),
        Op::Convert if converts_float(node) => Some(Unit::FloatConvert),
        _ => None,
    }
}

/// The bits of a factor: a constant has one for its sign, as `mul_16s_10ns_26` has for 340.
fn factor_width(factor: Value, width: &dyn Fn(Value) -> u16) -> u16 {
    let own = width(factor);
    own.saturating_add(u16::from(factor.whole().is_some_and(|number| number > 0)))
}

/// Whether a product with a constant is one sum or one difference of shifts at most. RTL of 2023.2 has multipliers for all
/// weights of a layer such as 139, 158 and 340, and a difference for -130; that of 2019.2 and 2022.1 has them for 61, 90 and 12544.
fn is_sum_of_shifts(constant: i128) -> bool {
    let size = constant.unsigned_abs();
    let odd = size >> size.trailing_zeros().min(127);
    odd <= 1 || (odd - 1).is_power_of_two() || odd.checked_add(1).is_some_and(u128::is_power_of_two)
}

/// The type that an operator computes in.
pub(crate) fn operand_type(node: &Node) -> Scalar {
    node.operand.unwrap_or(node.ty)
}

fn converts_float(node: &Node) -> bool {
    let from = operand_type(node);
    from != node.ty && (from.is_float() || node.ty.is_float())
}

/// The timing of a node.
pub(crate) fn timing(node: &Node, settings: &Settings, width: &dyn Fn(Value) -> u16) -> Timing {
    let usual = usual_timing(node, settings, width);
    match node.binding {
        Some(Binding { latency: Some(latency), .. }) => Timing { latency, ..usual },
        Some(Binding { build: Build::Logic, .. }) if operand_type(node).is_float() => {
            let bits = operand_type(node).bits();
            let logic = match node.op {
                Op::Binary(Binary::Add | Binary::Sub) => settings.fast_add(bits),
                Op::Binary(Binary::Mul) => settings.logic_mul(bits),
                _ => None,
            };
            logic.unwrap_or(usual)
        }
        _ => usual,
    }
}

/// The timing of a node that no directive binds.
fn usual_timing(node: &Node, settings: &Settings, width: &dyn Fn(Value) -> u16) -> Timing {
    let float = operand_type(node).is_float();
    match node.op {
        Op::Input
        | Op::Counter
        | Op::Carried
        | Op::Call(_)
        | Op::Load
        | Op::Store
        | Op::Pop
        | Op::Push
        | Op::Insert(Some(_))
        | Op::Math(REVERSE) => Timing::NOTHING,
        Op::Wait(cycles) => {
            Timing { latency: cycles.saturating_sub(1), before: 0.0, after: settings.budget() }
        }
        Op::Insert(None) => Timing::logic(settings.delay("shift")),
        Op::Convert if !converts_float(node) => Timing::NOTHING,
        Op::Binary(op) if float => {
            let kind = match op {
                Binary::Add | Binary::Sub => "add",
                Binary::Mul => "mul",
                Binary::Div => "div",
                _ => "cmp",
            };
            float_timing(kind, operand_type(node), settings)
        }
        Op::Unary(_) if float => Timing::logic(settings.delay("logic")),
        Op::Math("sqrt") if matches!(node.ty, Scalar::Fixed { .. }) => {
            float_timing("fixed_sqrt", node.ty, settings)
        }
        Op::Math(name) if is_bit_test(name) => Timing::logic(settings.delay("logic")),
        Op::Math(name) => float_timing(name, node.ty, settings),
        Op::Convert => {
            let from = operand_type(node);
            let kind = match (from.is_float(), node.ty.is_float()) {
                (true, true) if node.ty.bits() > from.bits() => "extend",
                (true, true) => "truncate",
                (false, true) => "from_int",
                _ => "to_int",
            };
            let ty = if from.is_float() { from } else { node.ty };
            float_timing(kind, ty, settings)
        }
        Op::Binary(op) => int_timing(op, node, settings, width),
        Op::Unary(Unary::Negate) => Timing::logic(settings.adder(node.width)),
        Op::Unary(_) => Timing::logic(settings.delay("logic")),
        Op::Select => Timing::logic(settings.delay("select")),
    }
}

fn float_timing(kind: &str, ty: Scalar, settings: &Settings) -> Timing {
    let operator: FloatOperator = settings.float(kind, ty.bits());
    Timing { latency: operator.latency, before: operator.before, after: operator.after }
}

fn int_timing(
    op: Binary,
    node: &Node,
    settings: &Settings,
    width: &dyn Fn(Value) -> u16,
) -> Timing {
    let constant = |at: usize| node.inputs.get(at).and_then(|input| input.whole());
    match op {
        Binary::Add | Binary::Sub => Timing::logic(settings.adder(node.width)),
        Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual => {
            let bits = width(node.inputs[0]).max(width(node.inputs[1]));
            Timing::logic(settings.comparator(bits))
        }
        Binary::And | Binary::Or | Binary::Xor => Timing::logic(settings.delay("logic")),
        Binary::ShiftLeft | Binary::ShiftRight => {
            if constant(1).is_some() {
                Timing::NOTHING
            } else {
                Timing::logic(settings.delay("shift"))
            }
        }
        Binary::Mul => {
            let by = constant(0).or_else(|| constant(1));
            if let Some(by) = by {
                if by.unsigned_abs().count_ones() <= 1 {
                    return Timing::NOTHING;
                }
                if is_sum_of_shifts(by) {
                    return Timing::logic(settings.adder(node.width));
                }
            }
            let (a, b) = (width(node.inputs[0]), width(node.inputs[1]));
            settings.multiplier(a.max(b), a.min(b))
        }
        Binary::Div | Binary::Rem => {
            if let Some(by) = constant(1)
                && by.unsigned_abs().is_power_of_two()
            {
                return Timing::logic(settings.delay("logic"));
            }
            let wide = width(node.inputs[0]).max(1);
            if op == Binary::Div && constant(1).is_some() {
                // The tool multiplies by the reciprocal, which has three bits more: RTL has `mul_52s_55ns_106` for 52 bits
                // over a constant.
                return settings.multiplier(wide.saturating_add(3), wide);
            }
            // A divider makes one bit in each stage.
            let bits = u32::from(wide);
            let after = settings.delay("add");
            Timing { latency: bits + 3, before: after, after }
        }
    }
}

/// DSP slices of a multiplier of whole numbers.
pub(crate) fn multiplier_dsp(wide: u16, narrow: u16) -> u32 {
    if u32::from(wide) * u32::from(narrow) <= 64 || narrow <= 4 {
        return 0;
    }
    match (wide, narrow) {
        (..=27, ..=18) => 1,
        (..=35, ..=18) => 2,
        (..=35, _) => 3,
        (..=64, ..=35) => 6,
        _ => {
            let across = u32::from(wide).div_ceil(26);
            let down = u32::from(narrow).div_ceil(17);
            across * down
        }
    }
}
