//! Whether an alias is what its name says.

use crate::type_claim::{ClaimedFormat, TypeClaim};
use crate::words::{has_other_words, is_sum_or_product, name_claims};
use derate_frontend::{Alias, HlsType, NumberKind, Resolution, ScalarType};

/// A name that contradicts its type.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Lie {
    /// The numbers have another width: `bfloat16_t` is `float`.
    Width {
        /// What the name says.
        claim: TypeClaim,
        /// What one number really is.
        actual: ScalarType,
        /// How wide it really is.
        bits: u64,
    },
    /// The numbers are of another kind: `fp16_t` is `ap_fixed<16, 6>`.
    Format {
        /// What the name says.
        claim: TypeClaim,
        /// What one number really is.
        actual: ScalarType,
        /// How wide it really is.
        bits: u64,
    },
    /// The number in the name counts elements and is not a precision: `float16` is sixteen floats.
    Lanes {
        /// What the name seems to say.
        claim: TypeClaim,
        /// What one number really is.
        actual: ScalarType,
        /// How many there are.
        lanes: u64,
    },
}

impl Lie {
    /// What the name says.
    pub fn claim(&self) -> &TypeClaim {
        match self {
            Self::Width { claim, .. } | Self::Format { claim, .. } | Self::Lanes { claim, .. } => {
                claim
            }
        }
    }

    /// What one number really is.
    pub fn actual(&self) -> &ScalarType {
        match self {
            Self::Width { actual, .. }
            | Self::Format { actual, .. }
            | Self::Lanes { actual, .. } => actual,
        }
    }

    /// `width`, `format` or `lanes`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Width { .. } => "width",
            Self::Format { .. } => "format",
            Self::Lanes { .. } => "lanes",
        }
    }
}

/// Compares an alias's name with what it resolved to. A type that is unknown gives no lie, nor
/// does a comment alone: comments age, and `uint16_t // ap_uint<13>` may tell what was meant.
pub fn find_lie(alias: &Alias, resolution: &Resolution) -> Option<Lie> {
    let kind = resolution.known()?;
    if is_static_assertion(alias, kind) {
        return None;
    }
    let claims = name_claims(&alias.name);
    // A name with two promises, `float_to_int8`, is about something else.
    let [claim] = claims.as_slice() else { return None };
    let actual = *kind.scalar()?;
    if is_sum_or_product(&alias.name) && claim.bits.is_some_and(|bits| bits < actual.bits()) {
        return None;
    }
    let is_wider = claim.bits.is_some_and(|bits| bits < actual.bits());
    if (is_wider && says_all(alias, &["at least"]))
        || (actual.kind() == NumberKind::Integer && says_all(alias, &["software", "float"]))
    {
        return None;
    }
    if is_enumeration(alias, resolution) && !matches!(claim.format, ClaimedFormat::Int { .. }) {
        return None;
    }
    if resolution.open_width && matches!(claim.bits, Some(32 | 64)) && actual.bits() == 64 {
        return None;
    }
    // The C library's own `double_t` is as wide as the processor computes.
    if alias.name == "double_t" && actual.kind() == NumberKind::Float && actual.bits() >= 64 {
        return None;
    }
    if may_count_lanes(&alias.name, actual) {
        return None;
    }
    let composite = is_composite(kind);
    if composite && let Some(found) = judge_lanes(claim, kind, actual) {
        return found;
    }
    if computes_on_bits(claim, kind, actual, has_other_words(&alias.name)) {
        return Some(Lie::Format { claim: claim.clone(), actual, bits: u64::from(actual.bits()) });
    }
    if is_carrier(claim, kind, actual, composite || has_other_words(&alias.name)) {
        return None;
    }
    judge_number(claim, actual).or_else(|| {
        let plain = matches!(kind, HlsType::Scalar(_))
            && !resolution.open_sign
            && !has_other_words(&alias.name);
        (plain && loses_its_sign(claim, actual)).then(|| {
            let (claim, bits) = (claim.clone(), u64::from(actual.bits()));
            Lie::Format { claim, actual, bits }
        })
    })
}

/// Whether the number of `int2` may be of lanes, as `OpenCL` and CUDA have it, or that of `int4` of bytes, as Fortran has it.
fn may_count_lanes(name: &str, actual: ScalarType) -> bool {
    // Who chooses bits counts bits.
    if !matches!(actual, ScalarType::Int { .. }) {
        return false;
    }
    let integer = ["int", "uint", "INT", "UINT"].iter().find_map(|word| name.strip_prefix(word));
    match integer {
        Some("2" | "3") => actual.bits() >= 16,
        Some("4") => actual.bits() == 32,
        _ => false,
    }
}

/// `typedef enum { MOVE, NEGATE } float_move_op_t;` names what is done to numbers, and holds none.
fn is_enumeration(alias: &Alias, resolution: &Resolution) -> bool {
    resolution.open_sign || alias.spelling.starts_with("enum ")
}

/// Whether the comment of its declarations says all of these: `at least as many bits`, or the raw storage of floating point
/// in software.
fn says_all(alias: &Alias, words: &[&str]) -> bool {
    let comments = [&alias.comment, &alias.heading];
    comments.into_iter().flatten().any(|comment| {
        let text = comment.text.to_ascii_lowercase().replace('\n', " ");
        words.iter().all(|word| text.contains(word))
    })
}

/// `typedef char int16_is_two_bytes[sizeof(int16) == 2 ? 1 : -1];` checks a size and stores nothing.
fn is_static_assertion(alias: &Alias, kind: &HlsType) -> bool {
    let extent = alias.spelling.split_once('[').map_or("", |(_, extent)| extent);
    matches!(kind, HlsType::Array { .. }) && extent.contains('?')
}

/// `uint16` that may be negative. The opposite, `int8` for unsigned bytes, is common and misleads nobody who counts bits.
fn loses_its_sign(claim: &TypeClaim, actual: ScalarType) -> bool {
    let unsigned = claim.format == ClaimedFormat::Int { signed: Some(false) };
    let (ScalarType::Int { signed, .. } | ScalarType::FreeInt { signed, .. }) = actual else {
        return false;
    };
    unsigned && signed
}

fn is_composite(kind: &HlsType) -> bool {
    match kind {
        HlsType::Vector { .. } | HlsType::Array { .. } | HlsType::Struct { .. } => true,
        HlsType::Stream { element: inner, .. }
        | HlsType::Pointer(inner)
        | HlsType::Packet { data: inner, .. } => is_composite(inner),
        HlsType::Scalar(_) | HlsType::Void => false,
    }
}

/// The verdict on a composite type, if the number in the name is about the whole of it.
#[allow(clippy::option_option, reason = "decided honest, decided a lie, or not decided")]
fn judge_lanes(claim: &TypeClaim, kind: &HlsType, actual: ScalarType) -> Option<Option<Lie>> {
    let count = match kind {
        HlsType::Pointer(inner) => inner.lanes(),
        _ => kind.lanes(),
    };
    let width = u64::from(actual.bits());
    match claim.bits.map(u64::from) {
        Some(bits) if bits == width => None,
        Some(bits) if kind.bits() == Some(bits) => Some(None),
        // `int3` is often padded to four.
        Some(bits) if bits == 3 && count == Some(4) => Some(None),
        // `data16_t` says how many there are, or how wide one is: neither is a lie.
        Some(bits) if claim.format == ClaimedFormat::Unspecified && count == Some(bits) => {
            Some(None)
        }
        Some(bits) if count == Some(bits) => {
            // Nobody takes `int2` for a precision.
            let confusing = bits >= 8;
            let lie = Lie::Lanes { claim: claim.clone(), actual, lanes: bits };
            Some(confusing.then_some(lie))
        }
        _ => None,
    }
}

/// Whether the name of a floating-point number is that of an integer of its width on which operators compute: a signed
/// one, or one of C under a name that says nothing else. `bf16_t` that is `ap_uint<16>` only stores its bits.
fn computes_on_bits(claim: &TypeClaim, kind: &HlsType, actual: ScalarType, packs: bool) -> bool {
    let is_float = matches!(claim.format, ClaimedFormat::Float | ClaimedFormat::BrainFloat);
    let is_number = match actual {
        ScalarType::Int { signed, .. } => signed || !packs,
        ScalarType::FreeInt { signed, .. } => signed,
        _ => false,
    };
    is_float
        && is_number
        && claim.lanes.is_none()
        && claim.bits == Some(actual.bits())
        && matches!(kind, HlsType::Scalar(_))
}

/// Whether a wide integer only carries the numbers that the name speaks of.
fn is_carrier(claim: &TypeClaim, kind: &HlsType, actual: ScalarType, packs: bool) -> bool {
    if actual.kind() != NumberKind::Integer {
        return false;
    }
    let bits = actual.bits();
    if let (Some(width), Some(lanes)) = (claim.bits, claim.lanes)
        && u64::from(width).checked_mul(lanes) == Some(u64::from(bits))
    {
        return true;
    }
    // `float16` of 512 raw bits: sixteen floats, or thirty-two halves. No number has that many.
    if claim.format == ClaimedFormat::Float
        && bits >= 128
        && claim.bits.is_some_and(|width| bits > width && bits.is_multiple_of(width))
    {
        return true;
    }
    let integer = matches!(claim.format, ClaimedFormat::Int { .. } | ClaimedFormat::Unspecified);
    // `uint16` of 512 bits: sixteen numbers of 32 bits, as OpenCL calls them.
    if integer && bits >= 128 && claim.bits.is_some_and(|lanes| lanes.checked_mul(32) == Some(bits))
    {
        return true;
    }
    let packet = match kind {
        HlsType::Stream { element: inner, .. } => matches!(**inner, HlsType::Packet { .. }),
        other => matches!(other, HlsType::Packet { .. }),
    };
    match claim.bits {
        // Raw bits of the promised width: arithmetic happens elsewhere, traffic is as promised.
        Some(width) if width == bits && !integer => true,
        Some(width) => {
            (packs || packet) && bits > width && bits.is_multiple_of(width) && bits >= 64
        }
        None => packet || bits > 64,
    }
}

fn judge_number(claim: &TypeClaim, actual: ScalarType) -> Option<Lie> {
    let bits = u64::from(actual.bits());
    let width_differs = claim.bits.is_some_and(|claimed| u64::from(claimed) != bits);
    let is_brain =
        matches!(actual, ScalarType::BFloat16 | ScalarType::ApFloat { width: 16, exponent: 8, .. });
    let format_differs = match claim.format {
        ClaimedFormat::Float => {
            actual.kind() != NumberKind::Float || (is_brain && claim.bits == Some(16))
        }
        ClaimedFormat::BrainFloat => !is_brain,
        // Fixed point is often kept in a plain integer.
        ClaimedFormat::Fixed { .. } => actual.kind() == NumberKind::Float,
        ClaimedFormat::Int { .. } => match actual {
            ScalarType::Fixed { width, integer, .. } => i64::from(integer) != i64::from(width),
            other => other.kind() == NumberKind::Float,
        },
        ClaimedFormat::Unspecified => false,
    };
    let claim = claim.clone();
    // Of a fixed-point name the format weighs more; of the others the width, which traffic follows.
    let fixed = matches!(claim.format, ClaimedFormat::Fixed { .. });
    if fixed && format_differs {
        return Some(Lie::Format { claim, actual, bits });
    }
    if width_differs && !is_sum(&claim, actual) {
        return Some(Lie::Width { claim, actual, bits });
    }
    (format_differs || point_differs(&claim, actual)).then_some(Lie::Format { claim, actual, bits })
}

/// `fix8_8` may count integer and fraction bits: sixteen in all.
fn is_sum(claim: &TypeClaim, actual: ScalarType) -> bool {
    let (ClaimedFormat::Fixed { integer: Some(second) }, Some(first)) = (claim.format, claim.bits)
    else {
        return false;
    };
    i64::from(first) + i64::from(second) == i64::from(actual.bits())
}

/// `fixed32_14` with another binary point, however its name is read.
fn point_differs(claim: &TypeClaim, actual: ScalarType) -> bool {
    let (ClaimedFormat::Fixed { integer: Some(claimed) }, ScalarType::Fixed { width, integer, .. }) =
        (claim.format, actual)
    else {
        return false;
    };
    let fraction = i64::from(width) - i64::from(integer);
    let claimed = i64::from(claimed);
    !(claimed == i64::from(integer) || claimed == fraction || is_sum(claim, actual))
}

#[cfg(test)]
mod tests;
