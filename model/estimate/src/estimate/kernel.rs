//! A kernel, its members and its operands.

use std::borrow::Cow;

use serde::Serialize;

use super::Totals;
use crate::Terms;
use derate_units::{Bytes, OpsPerByte, Precision, Provenance};
use derate_workload::{Convolved, Elementwise, Matmul, Role};

/// One call of one kernel, or of several that are fused into one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelEstimate {
    /// The block that it is in.
    pub block: Cow<'static, str>,
    /// Its name, with the layers that it is of where these differ.
    pub name: Cow<'static, str>,
    /// Its matrix product, where it has just one.
    #[serde(flatten)]
    pub matmul: Option<Matmul>,
    /// Calls per inference pass.
    pub calls: u64,
    /// The arithmetic of its products, or the format of its first operand.
    pub precision: Precision,
    /// Figures of one call.
    #[serde(flatten)]
    pub totals: Totals,
    /// Where its precision's roofs meet.
    pub ridge: Option<OpsPerByte>,
    /// What its latency is made of.
    pub latency: Option<Terms>,
    /// Why a figure is null.
    pub unknown: Vec<Cow<'static, str>>,
    /// How its times are known.
    pub provenance: Provenance,
    /// The operators that run as one.
    pub members: Vec<Member>,
    /// Bytes that it must hold on the chip, tiles aside.
    pub footprint: Bytes,
    /// What crosses external memory, and what stays on the chip.
    pub operands: Vec<OperandTraffic>,
}

impl KernelEstimate {
    /// The weights of one call, each counted once.
    pub(super) fn stored_weights(&self) -> Bytes {
        let weights = self.operands.iter().filter(|operand| operand.role == Role::Weight);
        let bits = weights.map(|w| w.elements as f64 * f64::from(w.precision.bits()));
        Bytes(bits.sum::<f64>() / 8.0)
    }
}

/// An operator of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its matrix product; that which a convolution is.
    pub matmul: Option<Matmul>,
    /// Its window, if it is a convolution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convolution: Option<Box<Convolved>>,
    /// What it does on each element, if it is not a product.
    pub elementwise: Option<Elementwise>,
}

/// One operand's traffic in one call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperandTraffic {
    /// Which of the kernel's members it is of.
    pub member: usize,
    /// What it is.
    pub name: &'static str,
    /// Read as weight, read as input, or written.
    pub role: Role,
    /// Elements.
    pub elements: u64,
    /// Its number format.
    pub precision: Precision,
    /// How often it crosses: 0 where it stays on the chip, below one where it is read once for several runs.
    pub crossings: f64,
    /// `elements x bits / 8 x crossings`.
    pub bytes: Bytes,
}
