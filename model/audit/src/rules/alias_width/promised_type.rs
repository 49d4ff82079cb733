//! A lying alias becomes the type that its name promises.

use derate_hls::{
    ClaimSource, ClaimedFormat, FileId, Header, NumberKind, NumberLibrary, Reason, ScalarType,
    TypeClaim,
};
use std::path::Path;

use crate::AuditInput;
use derate_finding::{Edit, Fix, Strategy, add_include, find_spelling};
use derate_project::ResolvedAlias;

/// The type that a name promises, or why the name gives none.
fn read_promise(claim: &TypeClaim, actual: Option<ScalarType>) -> Result<ScalarType, Reason> {
    if matches!(claim.source, ClaimSource::Comment(_)) {
        return Err(
            "only its comment promises another width: change the comment or the type by hand"
                .into(),
        );
    }
    if claim.lanes.is_some() {
        return Err(format!(
            "`{}` counts lanes too: widen the type by hand, or rename it",
            claim.text
        )
        .into());
    }
    let unknown = || Err(format!("`{}` does not say which type it is", claim.text).into());
    let Some(bits) = claim.bits else { return unknown() };
    let whole = actual.is_some_and(|actual| actual.kind() == NumberKind::Integer);
    let library = actual.and_then(|actual| actual.library()).unwrap_or(NumberLibrary::Ap);
    Ok(match (claim.format, bits) {
        (ClaimedFormat::BrainFloat, 16) => {
            ScalarType::ApFloat { library: NumberLibrary::Ap, width: 16, exponent: 8 }
        }
        (ClaimedFormat::Float, 16) => ScalarType::Half,
        (ClaimedFormat::Float, 32) => ScalarType::Float,
        (ClaimedFormat::Float, 64) => ScalarType::Double,
        (ClaimedFormat::Fixed { integer: Some(integer) }, width) => {
            let signed = !claim.text.trim_start_matches("ap").starts_with('u');
            ScalarType::Fixed { library, width, integer, signed }
        }
        (ClaimedFormat::Int { .. }, _) if !whole => {
            return Err(
                "whole numbers in place of others need scales, which no edit can give".into()
            );
        }
        (ClaimedFormat::Int { signed: Some(signed) }, bits) => {
            ScalarType::FreeInt { library, bits, signed }
        }
        _ => return unknown(),
    })
}

fn header_of(scalar: ScalarType) -> Option<&'static str> {
    match scalar {
        ScalarType::ApFloat { .. } => Some("ap_float.h"),
        ScalarType::Half => Some("hls_half.h"),
        ScalarType::FreeInt { library, .. } | ScalarType::Fixed { library, .. } => {
            Some(match (library, scalar.kind()) {
                (NumberLibrary::Ap, NumberKind::Fixed) => "ap_fixed.h",
                (NumberLibrary::Ap, _) => "ap_int.h",
                (NumberLibrary::Ac, NumberKind::Fixed) => "ac_fixed.h",
                (NumberLibrary::Ac, _) => "ac_int.h",
                (NumberLibrary::Sc | NumberLibrary::ScBig, _) => "systemc.h",
            })
        }
        _ => None,
    }
}

/// The type that the alias's name promises.
pub(in crate::rules) fn promised_type(alias: &ResolvedAlias) -> Option<Result<ScalarType, Reason>> {
    let (claim, _) = alias.broken_width()?;
    let scalar =
        read_promise(&claim, alias.resolution.known().and_then(|kind| kind.scalar()).copied());
    Some(match scalar {
        Ok(scalar) if scalar.to_string() == alias.alias.name => {
            Err(format!("`{scalar}` cannot be an alias of itself: rename the alias").into())
        }
        other => other,
    })
}

/// The edits that make it so, at the last alias of its chain that promises the same.
pub(in crate::rules) fn retype_edits(
    input: &AuditInput<'_>,
    alias: &ResolvedAlias,
) -> Result<Vec<Edit>, Reason> {
    let scalar = promised_type(alias).unwrap_or_else(|| Err("its name is kept".into()))?;
    let hops = alias.resolution.hops.iter().rev();
    let last = hops
        .filter_map(|hop| input.code.aliases.iter().find(|other| other.is_at(hop.span)))
        .find(|other| promised_type(other).is_some_and(|truth| truth == Ok(scalar)))
        .unwrap_or(alias);
    let (sources, headers) = (input.sources, input.code.all_headers());
    if let Some(file) = header_of(scalar).and_then(|_| find_c_file(input, last.alias.span.file)) {
        return Err(format!("{file} is C, which has no `{scalar}`: change the type by hand").into());
    }
    let mut edits = vec![Edit::new(find_spelling(sources, &last.alias)?, scalar.to_string())];
    edits.extend(
        header_of(scalar).and_then(|path| add_include(sources, headers, last.alias.span, path)),
    );
    Ok(edits)
}

/// The C source that the file is, or that includes it: the types of HLS are C++.
fn find_c_file<'a>(input: &AuditInput<'a>, file: FileId) -> Option<&'a str> {
    let is_c = |name: &&str| {
        Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("c"))
    };
    let reaches = |header: &&Header| !input.code.are_apart(header.file, file);
    let names = input.code.all_headers().iter().filter(reaches);
    names.map(|header| input.sources.name(header.file)).find(is_c)
}

/// The finding's fix.
pub(super) fn make_fix(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Fix {
    let title = match promised_type(alias) {
        Some(Ok(scalar)) => format!("make `{}` what it says, `{scalar}`", alias.alias.name),
        _ => format!("make `{}` what it says", alias.alias.name),
    };
    Fix::of(Strategy::Code, title, retype_edits(input, alias))
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_project::{Code, Recorded};

    #[test]
    fn a_name_says_its_type_or_is_left_alone() {
        let text = "using bf16_t = float;\nusing fp16_t = double;\nusing float32_t = double;\n\
            typedef ap_fixed<32, 6> fixed_16_6;\nusing ufix_16_6 = ap_ufixed<32, 6>;\n\
            using int8_t = float;\nusing uint5_t = unsigned char;\nusing half = float;\n\
            using w_t = float; // 16-bit\nusing float16 = float;\n\
            typedef ap_uint<64> int16x8_t;\ntypedef ac_int<8, false> uint12_t;\n";
        let mut sources = derate_hls::Sources::default();
        let file = sources.add("a.h", text);
        let code = Code::new(&mut sources, &[file], &[], &mut Recorded::default(), None);
        let said: Vec<(&str, String)> = code
            .aliases
            .iter()
            .filter_map(|alias| {
                let truth =
                    promised_type(alias)?.map_or_else(|_| "?".to_owned(), |t| t.to_string());
                Some((alias.alias.name.as_str(), truth))
            })
            .collect();
        let said: Vec<(&str, &str)> = said.iter().map(|(n, t)| (*n, t.as_str())).collect();
        assert_eq!(
            said,
            [
                ("bf16_t", "ap_float<16, 8>"),
                ("fp16_t", "half"),
                ("float32_t", "float"),
                ("fixed_16_6", "ap_fixed<16, 6>"),
                ("ufix_16_6", "ap_ufixed<16, 6>"),
                ("int8_t", "?"),
                ("uint5_t", "ap_uint<5>"),
                ("half", "?"),
                ("w_t", "?"),
                ("float16", "half"),
                ("int16x8_t", "?"),
                ("uint12_t", "ac_int<12, false>"),
            ]
        );
    }
}
