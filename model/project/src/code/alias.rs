//! An alias with what it really is.

use derate_hls::{
    Alias, ClaimSource, ClaimedFormat, HlsType, Lie, Resolution, ScalarType, Span, TypeClaim,
    claims_of,
};

use crate::alternatives::Alternative;
use derate_units::Precision;

/// An alias with its chain down to a type, and the lie in its name or comment, if there is one.
#[derive(Clone, Debug)]
pub struct ResolvedAlias {
    /// The declaration.
    pub alias: Alias,
    /// Every hop and the outcome.
    pub resolution: Resolution,
    /// What its name or comment promises and it does not keep.
    pub lie: Option<Lie>,
    /// What it is where macros that nothing defines are defined, or where another source includes it.
    pub alternatives: Vec<Alternative<Resolution>>,
}

impl ResolvedAlias {
    /// Whether a hop of some resolution is this alias.
    pub fn is_at(&self, hop: Span) -> bool {
        let own = self.alias.span;
        own.file == hop.file && own.start <= hop.start && hop.end <= own.end
    }

    /// The width that its name or its comment promises and its type does not have, in bits of memory.
    ///
    /// A name is a promise. A comment may be old, or about something else: only a plain number with one
    /// width in its comment counts, and says so by its source.
    pub fn broken_width(&self) -> Option<(TypeClaim, u64)> {
        match &self.lie {
            Some(Lie::Width { claim, bits, .. }) => return Some((claim.clone(), *bits)),
            Some(_) => return None,
            None => {}
        }
        let HlsType::Scalar(scalar) = self.resolution.known()? else { return None };
        let claims = claims_of(&self.alias);
        let in_comment: Vec<&TypeClaim> =
            claims.iter().filter(|c| matches!(c.source, ClaimSource::Comment(_))).collect();
        let [claim] = in_comment[..] else { return None };
        let bits = u64::from(scalar.bits());
        let kept = claims.iter().filter_map(|c| c.bits).any(|promised| u64::from(promised) == bits);
        // A carrier of several elements is wider than each of them.
        (claim.bits.is_some() && !kept && bits <= 64).then(|| (claim.clone(), bits))
    }

    /// The floating-point number that its name promises where its type holds raw bits of that width: `bf16_t` that is
    /// `ap_uint<16>` says how the numbers are stored, and nothing of the arithmetic on them.
    pub fn carries(&self) -> Option<Precision> {
        let scalar = self.resolution.known().and_then(HlsType::scalar)?;
        if !matches!(scalar, ScalarType::Int { .. } | ScalarType::FreeInt { .. })
            || self.lie.is_some()
        {
            return None;
        }
        let claims = claims_of(&self.alias);
        let mut of_name = claims.iter().filter(|claim| claim.source == ClaimSource::Name);
        // A name with two promises is about something else.
        let (Some(claim), None) = (of_name.next(), of_name.next()) else { return None };
        if claim.lanes.is_some() || claim.bits != Some(scalar.bits()) {
            return None;
        }
        match (claim.format, scalar.bits()) {
            (ClaimedFormat::BrainFloat, 16) => Some(Precision::BF16),
            (ClaimedFormat::Float, 16) => Some(Precision::FP16),
            (ClaimedFormat::Float, 32) => Some(Precision::FP32),
            (ClaimedFormat::Float, 64) => Some(Precision::FP64),
            _ => None,
        }
    }

    /// Whether its name promises a width, and the type has it, and the sign that the name says.
    pub fn keeps_its_name(&self) -> bool {
        let Some(scalar) = self.resolution.known().and_then(HlsType::scalar) else { return false };
        let signed = match scalar {
            ScalarType::Int { signed, .. } | ScalarType::FreeInt { signed, .. } => Some(*signed),
            _ => None,
        };
        let signed = signed.filter(|_| !self.resolution.open_sign);
        let keeps = |claim: &TypeClaim| {
            let sign = match claim.format {
                ClaimedFormat::Int { signed: Some(promised) } => {
                    signed.is_none_or(|signed| signed == promised)
                }
                _ => true,
            };
            claim.source == ClaimSource::Name && claim.bits == Some(scalar.bits()) && sign
        };
        let claims = claims_of(&self.alias);
        let of_name = claims.iter().filter(|claim| claim.source == ClaimSource::Name);
        // A name with two promises, `int16_to_int8`, is about something else.
        self.lie.is_none() && of_name.count() == 1 && claims.iter().any(keeps)
    }
}
