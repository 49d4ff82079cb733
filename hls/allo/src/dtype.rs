//! The names of `allo.ir.types`.

use derate_frontend::{HlsType, ScalarType};
use derate_source::Settled;

/// What a name of `allo.ir.types` means.
pub(super) enum Named {
    /// A type.
    Type(ScalarType),
    /// A class whose call gives a type.
    Class(Class),
    /// `Stream[T, depth]`: a FIFO.
    Stream,
    /// `ConstExpr[T]`, `Stateful`, `stateful(T)`: what it wraps has the type.
    Wrapper,
}

/// A class of number types.
#[derive(Copy, Clone)]
pub(super) enum Class {
    Int { signed: bool },
    Fixed { signed: bool },
    Float,
}

/// Wider integers than this are a slip of the pen.
const WIDEST: u32 = 4096;

fn int_type(bits: u32, signed: bool) -> ScalarType {
    match bits {
        8 | 16 | 32 | 64 => ScalarType::Int { bits, signed },
        _ => ScalarType::ap_int(bits, signed),
    }
}

/// The meaning of a name, or why it has none here.
pub(super) fn read_dtype(name: &str) -> Settled<Named> {
    Ok(match name {
        "Int" => Named::Class(Class::Int { signed: true }),
        "UInt" => Named::Class(Class::Int { signed: false }),
        "Fixed" => Named::Class(Class::Fixed { signed: true }),
        "UFixed" => Named::Class(Class::Fixed { signed: false }),
        "Float" => Named::Class(Class::Float),
        "Stream" => Named::Stream,
        "ConstExpr" | "Stateful" | "stateful" => Named::Wrapper,
        // An index is 32 bits wide there.
        "index" => Named::Type(int_type(32, true)),
        "bool" => Named::Type(int_type(1, false)),
        "float16" => Named::Type(ScalarType::Half),
        "float32" => Named::Type(ScalarType::Float),
        "float64" => Named::Type(ScalarType::Double),
        "bfloat16" => Named::Type(ScalarType::BFloat16),
        "MXFP" | "MXInt" | "Struct" => {
            return Err(format!(
                "`{name}` is not a single number: the size of one element is not read"
            )
            .into());
        }
        _ if name.starts_with("mx") => {
            return Err(format!(
                "`{name}` is a block of numbers that share a scale: what one element takes is not read"
            ).into());
        }
        _ => {
            let (digits, signed) = match name.strip_prefix("uint") {
                Some(digits) => (digits, false),
                None => (name.strip_prefix("int").unwrap_or(""), true),
            };
            let known = matches!(digits.parse(), Ok(1..=16 | 32 | 64 | 128 | 256 | 512_u32));
            match digits.parse() {
                Ok(bits) if known && !digits.starts_with('0') => {
                    Named::Type(int_type(bits, signed))
                }
                _ => return Err(format!("`allo.ir.types` has no type `{name}`").into()),
            }
        }
    })
}

/// A type by its constructor; the arguments' values are given in their order.
pub(super) fn build_type(class: Class, values: &[(Option<&str>, i128)]) -> Settled<HlsType> {
    let value = |at: usize, names: &[&str]| {
        let named = values.iter().find(|(name, _)| name.is_some_and(|name| names.contains(&name)));
        named.or_else(|| values.get(at).filter(|(name, _)| name.is_none())).map(|(_, value)| *value)
    };
    let bits = value(0, &["bits"]).ok_or("no width is given")?;
    let width = u32::try_from(bits).ok().filter(|bits| (1..=WIDEST).contains(bits));
    let width = width.ok_or_else(|| format!("{bits} is not a width of 1 to {WIDEST} bits"))?;
    let fraction = value(1, &["fracs", "frac"]);
    Ok(HlsType::Scalar(match class {
        Class::Int { signed } => int_type(width, signed),
        // The second number counts the bits behind the point: `ap_fixed` counts those before it.
        Class::Fixed { signed } => {
            let fraction = fraction.ok_or("no number of fraction bits is given")?;
            let fraction = i32::try_from(fraction).ok().filter(|bits| (0..=255).contains(bits));
            let fraction = fraction.ok_or("the width of the fraction is not 0 to 255 bits")?;
            let integer = i32::try_from(width).unwrap_or(i32::MAX) - fraction;
            ScalarType::ap_fixed(width, integer, signed)
        }
        Class::Float => match (width, fraction) {
            (16, None | Some(10)) => ScalarType::Half,
            (16, Some(7)) => ScalarType::BFloat16,
            (32, None | Some(23)) => ScalarType::Float,
            (64, None | Some(52)) => ScalarType::Double,
            _ => return Err("Allo has no such floating-point type".into()),
        },
    }))
}
