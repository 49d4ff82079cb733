//! What the compiler is asked of one alias.

use derate_hls::{HlsType, StreamForm, VectorForm};

/// An alias whose width is to be held against the compiler's.
pub(crate) struct Question {
    /// Its name from the global scope.
    pub(crate) name: String,
    /// An expression of C++ that gives its bits.
    pub(crate) expression: String,
    /// The bits that derate gives.
    pub(crate) bits: u64,
    /// The bytes in memory that derate gives.
    pub(crate) bytes: Option<u64>,
    /// The lines of the declarations that it goes through.
    pub(crate) lines: Vec<usize>,
}

/// The bits of a type, as derate counts them: a struct has the sum of its members. `None` for what only other headers of a
/// vendor define.
pub(crate) fn write_expression(name: &str, kind: &HlsType) -> Option<String> {
    match kind {
        HlsType::Scalar(_) | HlsType::Pointer(_) => Some(format!("orc::width< {name} >::bits")),
        HlsType::Array { .. } => {
            let mut inner = kind;
            while let HlsType::Array { element, .. } = inner {
                inner = element;
            }
            let one = format!("orc::inner< {name} >");
            let bits = write_expression(&one, inner)?;
            Some(format!("(sizeof({name}) / sizeof({one})) * ({bits})"))
        }
        HlsType::Stream { form: StreamForm::Hls, element } => {
            write_expression(&format!("orc::element< {name} >"), element)
        }
        HlsType::Vector { form: VectorForm::StdComplex, element, .. } => {
            Some(format!("2 * ({})", write_expression(&format!("{name}::value_type"), element)?))
        }
        HlsType::Struct { fields, .. } if fields.is_empty() => {
            let plain = format!("orc::plain< {name} >");
            Some(format!("(std::is_empty< {plain} >::value ? 0 : orc::width< {name} >::bits)"))
        }
        HlsType::Struct { fields, overlaid: false, .. } => {
            let member = |field: &derate_hls::Field| match field.bit_field {
                Some(bits) => Some(bits.to_string()),
                None => write_expression(
                    &format!("decltype(((orc::plain< {name} > *)nullptr)->{})", field.name),
                    &field.kind,
                ),
            };
            let members: Option<Vec<String>> = fields.iter().map(member).collect();
            Some(members?.join(" + "))
        }
        _ => None,
    }
}
