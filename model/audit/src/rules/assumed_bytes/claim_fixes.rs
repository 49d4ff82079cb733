//! The claim becomes what is stored, or the types that lie become what is claimed.

use std::collections::BTreeMap;

use derate_hls::{Reason, ScalarType};

use super::TOLERANCE;
use crate::AuditInput;
use crate::rules::alias_width::{promised_type, retype_edits};
use derate_estimate::Analysis;
use derate_estimate::scenario::claim_for;
use derate_finding::{Edit, Fix, Strategy, restate_claim};
use derate_project::{
    Claim, ClaimedPrecision, Declaration, ResolvedAlias, Storage, scalar_precision,
};
use derate_units::{Bytes, Precision};

pub(super) fn list_fixes(
    analysis: &Analysis,
    claim: &Claim<ClaimedPrecision>,
    claimed: Bytes,
) -> Vec<Fix> {
    let built = name_as_built(analysis);
    let title = match &built {
        Err(_) => "claim what is built".to_owned(),
        Ok(name) if lacks_a_peak(analysis, name) => format!(
            "claim {name} (claim a peak of {name} by hand: without one the times as claimed are \
             unknown)"
        ),
        Ok(name) => format!("claim {name}"),
    };
    vec![
        Fix::of(Strategy::Claim, title, built.map(|name| vec![restate_claim(claim, &name)])),
        Fix::of(Strategy::Code, "make the aliases what they say", retype_all(analysis, claimed)),
    ]
}

/// Whether peaks are claimed, but none for that arithmetic.
fn lacks_a_peak(analysis: &Analysis, name: &str) -> bool {
    let none = |precision| claim_for(analysis, precision).is_none();
    !analysis.project.claims.peak.is_empty() && Precision::parse(name).is_some_and(none)
}

/// What `precision` must say to be true: the one precision of all tensors, or `as-stored`.
fn name_as_built(analysis: &Analysis) -> Result<String, Reason> {
    let (built, stored) = (analysis.built_tensors(), Storage::as_stored(&analysis.shape));
    let tensors = &analysis.shape.tensors;
    let all: Vec<Precision> =
        tensors.iter().map(|t| built.precision_of(&t.name)).collect::<Result<_, _>>()?;
    if let Some(first) = all.first()
        && all.iter().all(|p| p == first)
        && Precision::parse(&first.key()) == Some(*first)
    {
        return Ok(first.key());
    }
    let as_stored = tensors.iter().zip(&all).all(|(tensor, built)| {
        stored.precision_of(&tensor.name).is_ok_and(|p| p.bits() == built.bits())
    });
    if as_stored {
        Ok("as-stored".to_owned())
    } else {
        Err("the code stores the tensors in a way that no precision of derate.toml names".into())
    }
}

/// The edits that make every lying alias of a tensor true, if the bytes are then those that are claimed.
fn retype_all(analysis: &Analysis, claimed: Bytes) -> Result<Vec<Edit>, Reason> {
    let code = &analysis.code;
    let liars: Vec<(&ResolvedAlias, ScalarType)> = code
        .aliases
        .iter()
        .filter_map(|alias| Some((alias, promised_type(alias)?.ok()?)))
        .collect();
    let declared: BTreeMap<&str, &Declaration> =
        code.declarations.iter().filter_map(|d| Some((d.tensor.as_deref()?, d))).collect();
    let mut used = BTreeMap::new();
    let mut total = Bytes(0.0);
    for tensor in &analysis.shape.tensors {
        let declaration = declared.get(tensor.name.as_str()).ok_or_else(|| {
            Reason::from(format!("the code declares no array for `{}`", tensor.name))
        })?;
        let hops = &declaration.hops;
        let liar = liars.iter().find(|(alias, _)| hops.iter().any(|hop| alias.is_at(*hop)));
        let precision = match liar {
            Some((alias, scalar)) => {
                used.insert(alias.alias.span, *alias);
                scalar_precision(scalar).ok_or("the promised type has no size in memory")?
            }
            None => declaration.precision.clone()?,
        };
        total = total + precision.bytes(tensor.elements().unwrap_or(0));
    }
    if used.is_empty() {
        return Err("every alias is what its name says: there is nothing to change".into());
    }
    if (total / claimed - 1.0).abs() > TOLERANCE {
        return Err(
            "even if every alias were what its name says, the code would not store the claimed \
             bytes"
                .into(),
        );
    }
    let edits =
        used.into_values().map(|alias| retype_edits(&AuditInput::of_analysis(analysis), alias));
    Ok(edits.collect::<Result<Vec<_>, _>>()?.concat())
}
