//! The number formats of a kernel's source: what its ports hold, and what it multiplies.

use crate::object_use::find_object_uses;
use crate::products::{Operand, find_operand};
use derate_hls::ScalarType;
use derate_kernel::Program;
use derate_kernel::ir::{Object, ObjectKind, Scalar};
use derate_project::scalar_precision;
use derate_units::Precision;
use serde::Serialize;

/// An element with more bits is a word of several.
const WIDEST: u16 = 64;

/// A port of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortFormat {
    /// The argument.
    pub name: String,
    /// Whether the kernel reads it.
    pub is_read: bool,
    /// Whether the kernel writes it.
    pub is_written: bool,
    /// How many elements it has; `None` for a stream, and where the source does not say.
    pub elements: Option<u64>,
    /// What one element is; `None` where a word holds several.
    pub format: Option<Precision>,
}

/// The number formats of a kernel, as its source has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelFormats {
    /// Its arrays, pointers and streams.
    pub ports: Vec<PortFormat>,
    /// What it multiplies data in; `None` where nothing, or more than one format, has most of the products.
    pub arithmetic: Option<Precision>,
    /// What one operand takes in memory; `None` where operands are of several formats.
    pub operands: Option<Precision>,
}

/// Reads the formats of a kernel from its source.
#[must_use]
pub fn read_formats(program: &Program) -> KernelFormats {
    let Some(top) = program.functions.first() else {
        return KernelFormats { ports: Vec::new(), arithmetic: None, operands: None };
    };
    let uses = find_object_uses(program);
    let is_port = |object: &Object| object.kind != ObjectKind::Scalar || object.is_pointer;
    let ports: Vec<PortFormat> = top
        .parameters
        .iter()
        .filter_map(|at| Some((top.objects.get(*at)?, uses.get(at))))
        .filter(|(object, _)| is_port(object))
        .map(|(object, used)| PortFormat {
            name: object.name.clone(),
            is_read: used.is_some_and(|used| used.is_read),
            is_written: used.is_some_and(|used| used.is_written),
            elements: count_elements(object),
            format: (object.ty.bits() <= WIDEST).then(|| read_precision(object.ty)).flatten(),
        })
        .collect();
    let operand = find_operand(program);
    let arithmetic = operand.and_then(|one| read_precision(one.computed));
    let operands = find_stored(&ports, operand);
    KernelFormats { ports, arithmetic, operands }
}

fn count_elements(object: &Object) -> Option<u64> {
    let is_known = object.kind == ObjectKind::Array && !object.is_pointer;
    let product = object.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul(*dim));
    product.filter(|product| is_known && *product > 0)
}

/// The one format of all that is read; else what is multiplied, where both operands are alike.
fn find_stored(ports: &[PortFormat], operand: Option<Operand>) -> Option<Precision> {
    let mut read = ports.iter().filter(|port| port.is_read).map(|port| port.format);
    let first = read.next().flatten();
    if first.is_some() && read.all(|other| other == first) {
        return first;
    }
    read_precision(operand?.stored?)
}

/// A scalar of the source as a number format, padded as memory pads it.
fn read_precision(scalar: Scalar) -> Option<Precision> {
    scalar_precision(&match scalar {
        Scalar::Int { bits, signed } => ScalarType::ap_int(bits.into(), signed),
        Scalar::Fixed { bits, integer, signed } => {
            ScalarType::ap_fixed(bits.into(), integer.into(), signed)
        }
        Scalar::Half => ScalarType::Half,
        Scalar::Float => ScalarType::Float,
        Scalar::Double => ScalarType::Double,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_syntax::{SourceFile, read_unit};

    fn read(text: &str) -> KernelFormats {
        let file = SourceFile { path: "k.cpp".to_owned(), text: text.to_owned() };
        let unit = read_unit(&[file], &mut |_, _, _| None, &[]);
        let program = derate_kernel::read_program(&unit, "k").map_err(|error| error.to_string());
        read_formats(&program.unwrap_or_default())
    }

    const LOOP: &str = "for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++)";

    #[test]
    fn integers_that_c_widens_are_what_the_ports_hold() {
        let formats = read(&format!(
            "#include <ap_int.h>\nvoid k(const ap_int<8> *x, const ap_int<8> *w, int *y) {{\n int sum = 0;\n {LOOP} \
             sum += x[i] * w[j * 64 + i];\n y[0] = sum;\n}}"
        ));
        assert_eq!(formats.arithmetic, Some(Precision::INT8));
        assert_eq!(formats.operands, Some(Precision::INT8));
        let ports: Vec<_> = formats.ports.iter().map(|one| (one.is_read, one.is_written)).collect();
        assert_eq!(ports, [(true, false), (true, false), (false, true)]);
        assert_eq!(formats.ports[2].format, Some(Precision::INT32));
    }

    #[test]
    fn what_is_stored_in_bytes_and_multiplied_in_float_is_both() {
        let formats = read(&format!(
            "void k(const signed char *x, const signed char *w, float *y) {{\n float sum = 0;\n {LOOP} \
             sum += (float)x[i] * (float)w[j];\n y[0] = sum;\n}}"
        ));
        assert_eq!(formats.arithmetic, Some(Precision::FP32));
        assert_eq!(formats.operands, Some(Precision::INT8));
    }

    #[test]
    fn a_call_reads_and_writes_what_it_is_given() {
        let formats = read(
            "static void load(const float *from, float to[64]) { for (int i = 0; i < 64; i++) to[i] = from[i]; }\n\
             void k(const float *x, float *y) {\n float own[64];\n load(x, own);\n \
             for (int i = 0; i < 64; i++) y[i] = own[i] * own[63 - i];\n}",
        );
        let ports: Vec<_> = formats.ports.iter().map(|one| (one.is_read, one.is_written)).collect();
        assert_eq!(ports, [(true, false), (false, true)]);
    }

    #[test]
    fn a_word_of_several_elements_has_no_format_of_one() {
        let formats = read(
            "#include <ap_int.h>\nvoid k(const ap_uint<512> *x, ap_uint<512> *y) { for (int i = 0; i < 8; i++) y[i] = x[i]; }",
        );
        assert_eq!(formats.ports[0].format, None);
        assert_eq!((formats.arithmetic, formats.operands), (None, None));
    }
}
