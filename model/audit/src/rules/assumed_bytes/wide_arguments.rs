//! Kernels whose arguments are wider floats than a claim of 16 bits, where no array is a tensor of a dump.

use std::collections::BTreeSet;

use derate_hls::{
    DirectiveKind, Function, Header, HlsType, Outcome, Parameter, Resolution, Resolver, Role, Span,
};
use serde_json::json;

use crate::{AuditInput, Finding, Label, Level};
use derate_project::{Claim, ClaimedPrecision, scalar_precision};
use derate_units::Precision;
use derate_units::figures::count;

/// The claims that are held against arguments: integers of few bits are often scaled by floats.
const CLAIMED_BITS: u32 = 16;

/// An argument that is an array of floats.
struct WideArgument {
    kernel: String,
    name: String,
    precision: Precision,
    span: Span,
    alias: Option<Span>,
}

/// One finding for each kernel that has such arguments.
pub(super) fn report_arguments(
    input: &AuditInput<'_>,
    claim: &Claim<ClaimedPrecision>,
) -> Vec<Finding> {
    let ClaimedPrecision::Uniform(claimed) = claim.value else { return Vec::new() };
    if claimed.bits() != CLAIMED_BITS {
        return Vec::new();
    }
    let mut arguments = read_arguments(input);
    arguments.extend(read_annotations(input));
    arguments.retain(|one| one.precision.is_float() && one.precision.bits() > claimed.bits());
    let by_kernel = arguments.chunk_by(|one, next| one.kernel == next.kernel);
    by_kernel.map(|own| make_finding(own, claim.span, claimed, input.analysis.is_some())).collect()
}

fn make_finding(own: &[WideArgument], claim: Span, claimed: Precision, has_dump: bool) -> Finding {
    let kernel = &own[0].kernel;
    let bits = own.iter().map(|one| one.precision.bits()).max().unwrap_or_default();
    let mut labels: Vec<Label> = Vec::new();
    for one in own {
        labels.push(Label::new(
            one.span,
            format!("{}: {} bits", one.precision, one.precision.bits()),
        ));
    }
    let aliases: BTreeSet<Span> = own.iter().filter_map(|one| one.alias).collect();
    labels.extend(aliases.into_iter().map(|alias| Label::new(alias, "the type behind the alias")));
    labels.push(Label::new(claim, format!("{} bits per element", claimed.bits())));
    let names: Vec<&str> = own.iter().map(|one| one.name.as_str()).collect();
    Finding::new("precision/assumed-bytes", Level::Error, kernel.clone())
        .with_message(format!(
            "{} of `{kernel}` {} of {bits} bits, the analysis counts {} for {claimed}",
            count(own.len(), "argument"),
            if own.len() == 1 { "has elements" } else { "have elements" },
            claimed.bits(),
        ))
        .with_labels(labels)
        .with_note(if has_dump {
            "no array of the code is a tensor of the dump, so the factor over all weights is unknown"
        } else {
            "no dump of the model is named, so the factor over all weights is unknown"
        })
        .with_help(format!(
            "claim the precision that the kernel reads, or make the arguments {claimed}"
        ))
        .with_evidence(json!({
            "kernel": kernel,
            "arguments": names,
            "claimed_bits": claimed.bits(),
            "bits": bits,
        }))
}

/// What an array or a pointer has as its elements.
fn read_element(resolution: &Resolution) -> Option<Precision> {
    let Outcome::Known(mut kind) = resolution.outcome.clone() else { return None };
    let mut is_array = false;
    while let HlsType::Array { element, .. } | HlsType::Pointer(element) = kind {
        (kind, is_array) = (*element, true);
    }
    kind.scalar().and_then(scalar_precision).filter(|_| is_array)
}

fn first_hop(resolution: &Resolution) -> Option<Span> {
    resolution.hops.first().map(|hop| hop.span)
}

/// Arrays and pointers that kernels of C++ take.
fn read_arguments(input: &AuditInput<'_>) -> Vec<WideArgument> {
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let mut all = Vec::new();
    for function in list_kernels(input) {
        for parameter in &function.parameters {
            // The element alone counts: an extent may be unknown.
            let is_array = !parameter.dims.is_empty();
            let bare = Parameter {
                dims: Vec::new(),
                pointer: parameter.pointer || is_array,
                ..parameter.clone()
            };
            let resolution = resolver.parameter(function, &bare);
            if let Some(precision) = read_element(&resolution) {
                all.push(WideArgument {
                    kernel: function.qualified(),
                    name: parameter.name.clone(),
                    precision,
                    span: parameter.span,
                    alias: first_hop(&resolution),
                });
            }
        }
    }
    all
}

/// The functions that scripts name as tops; else those whose interface a pragma gives, and those of synthesis that no function of
/// the project calls: they have a pragma too, or no function of the project has an interface. A file with a `main` is a test
/// bench.
fn list_kernels<'a>(input: &AuditInput<'a>) -> Vec<&'a Function> {
    let headers = || input.code.headers().iter().filter(|one| input.reach().has(one.file));
    let all = || headers().flat_map(|header| &header.functions);
    // A specialised template is one of its uses.
    let is_plain =
        |one: &Function| one.body.is_some() && !one.is_template() && !one.name.contains('<');
    let named = |one: &&Function| {
        is_plain(one) && input.tops().is_some_and(|tops| tops.contains(&one.name))
    };
    let tops: Vec<&Function> = all().filter(named).collect();
    if !tops.is_empty() {
        return tops;
    }
    let is_bench = |header: &&Header| header.functions.iter().any(|one| one.name == "main");
    let kernels = || headers().filter(|header| !is_bench(header));
    let calls = kernels().flat_map(|header| &header.functions).flat_map(|one| &one.calls);
    let called: BTreeSet<&str> = calls.map(|call| last_part(&call.callee)).collect();
    let is_marked = all().any(has_interface);
    let is_kernel = |one: &&Function| {
        let is_synthesised = !is_marked || !one.pragmas.is_empty();
        let is_top = is_synthesised && !called.contains(one.name.as_str());
        is_plain(one) && (is_top || has_interface(one))
    };
    kernels().flat_map(|header| &header.functions).filter(is_kernel).collect()
}

fn has_interface(function: &Function) -> bool {
    function.pragmas.iter().any(|pragma| {
        matches!(pragma.directive().map(|d| d.kind), Some(DirectiveKind::Interface(_)))
    })
}

fn last_part(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Arrays that kernels of Allo's Python take.
fn read_annotations(input: &AuditInput<'_>) -> Vec<WideArgument> {
    let all = input.code.allo.iter().flat_map(|source| &source.annotations);
    let arrays = all.filter(|one| one.role == Role::Argument && !one.dims.is_empty());
    let read = arrays.filter_map(|one| {
        Some(WideArgument {
            kernel: one.function.parts().join("::"),
            name: one.name.clone(),
            precision: scalar_precision(one.resolution.known()?.scalar()?)?,
            span: one.span,
            alias: first_hop(&one.resolution),
        })
    });
    read.collect()
}
