//! The code of a layer is not what its `hls4ml_config.yml` asks for.
//!
//! ## What it does
//!
//! Where an `hls4ml_config.yml` lies beside the code that hls4ml wrote, joins its layers with the code: a
//! `struct config2 : nnet::dense_config` whose comment is the name of a layer, and the types `fc1_weight_t`,
//! `fc1_result_t` of `defines.h`. It compares the number formats that are asked for with those that are declared, and
//! `ReuseFactor` with `reuse_factor`. A format that is `auto` or a type that is not known is not compared, nor is a
//! layer that the code does not name, nor what decides nothing: `relu` and `linear` read neither a table nor a reuse
//! factor, and hls4ml itself makes the sum of a pooling layer wider than the file says.
//!
//! ## Why it matters
//!
//! Accuracy and resources are those of the code. A file of settings that was changed after the conversion describes
//! another design, and a factor that hls4ml replaced by the nearest that divides the layer changes its time.
//!
//! ## Example
//!
//! ```yaml
//! LayerName:
//!   fc1:
//!     Precision:
//!       weight: ap_fixed<8,2>    # defines.h: typedef ap_fixed<16,6> fc1_weight_t;
//! ```
//!
//! ## How to fix
//!
//! Convert the model again, or set the file to what is built.

use derate_hls::{LayerSetting, Located, Outcome, Resolution, Resolver, Scope, Span, Structure};
use serde_json::json;

use crate::{AuditInput, Finding, Level};
use derate_project::ResolvedAlias;

const CODE: &str = "source/hls4ml-config";

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let Some(settings) = &input.build.layers else { return Vec::new() };
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let mut found = Vec::new();
    for layer in &settings.layers {
        let own = find_struct(input, layer);
        let reads = |of: &str| match own {
            Some(own) => reads(own, of),
            None => !matches!(of, "accum" | "table"),
        };
        let scope = own.map(|own| own.scope.inner(&own.name));
        let formats = layer.formats.iter().filter(|(of, _)| reads(of));
        found.extend(formats.filter_map(|(of, asked)| {
            let built = find_alias(input, layer, scope.as_ref(), of)?;
            compare_formats(&resolver, layer, (of, asked), built)
        }));
        let scope = scope.filter(|_| reads(FACTOR));
        found.extend(scope.and_then(|scope| compare_factors(input, layer, &scope)));
    }
    found
}

/// The member of a layer's struct that says how often a multiplier is used again.
const FACTOR: &str = "reuse_factor";

/// Whether the function of a layer reads a member of its struct. hls4ml calls the struct by its function: `relu_config3`.
fn reads(own: &Structure, of: &str) -> bool {
    let is_plain = ["relu_config", "linear_config"].iter().any(|name| own.name.starts_with(name));
    let is_pooling = own.bases.iter().any(|base| base.starts_with("nnet::pooling"));
    match of {
        "table" | FACTOR => !is_plain,
        "accum" => !is_pooling,
        _ => true,
    }
}

/// The struct that holds a layer's settings in the code: the only one whose comment is the layer's name.
fn find_struct<'a>(input: &AuditInput<'a>, layer: &LayerSetting) -> Option<&'a Structure> {
    let mut named = input.code.structures.iter().filter(|one| {
        let comment = one.structure.comment.as_ref().map(|comment| comment.text.trim());
        comment == Some(layer.name.as_str())
            && one.structure.bases.iter().any(|base| base.starts_with("nnet::"))
    });
    let (one, None) = (named.next()?, named.next()) else { return None };
    Some(&one.structure)
}

/// The type that the code has for what is asked for: that of `defines.h`, which the one in the layer's struct is a name for.
fn find_alias<'a>(
    input: &AuditInput<'a>,
    layer: &LayerSetting,
    scope: Option<&Scope>,
    of: &str,
) -> Option<&'a ResolvedAlias> {
    let aliases = &input.code.aliases;
    let inside = format!("{of}_t");
    let outside = format!("{}_{of}_t", layer.name);
    let own =
        aliases.iter().find(|one| Some(&one.alias.scope) == scope && one.alias.name == inside);
    let mut named = aliases.iter().filter(|one| one.alias.name == outside);
    let global = named.next().filter(|_| named.next().is_none());
    let is_it = |one: &&ResolvedAlias| {
        own.is_none_or(|own| own.resolution.outcome == one.resolution.outcome)
    };
    global.filter(is_it).or(own)
}

fn compare_formats(
    resolver: &Resolver<'_>,
    layer: &LayerSetting,
    (of, asked): (&str, &Located<String>),
    built: &ResolvedAlias,
) -> Option<Finding> {
    let wanted = resolver.resolve(&Scope::default(), &spell_type(&asked.value));
    let (Outcome::Known(wanted), Outcome::Known(is)) = (&wanted.outcome, &built.resolution.outcome)
    else {
        return None;
    };
    if wanted == is {
        return None;
    }
    let name = &layer.name;
    let message = format!("`{name}` asks for `{wanted}` as its {of} and is built with `{is}`");
    let bits = |resolution: &Resolution| resolution.bits();
    // The type that this one is a name for.
    let root = built.resolution.hops.last().filter(|hop| hop.span != built.alias.span);
    let finding = Finding::new(CODE, Level::Warning, name.clone())
        .in_group(format!("{wanted} {is}"))
        .with_message(message)
        .with_label(built.alias.name_span, format!("`{}` is `{is}`", built.alias.name))
        .with_label(asked.span, format!("`{wanted}` is asked for"))
        .with_help("convert the model again, or set the file to what is built")
        .with_evidence(json!({
            "layer": name,
            "of": of,
            "asked": wanted.to_string(),
            "built": is.to_string(),
            "built_bits": bits(&built.resolution),
        }));
    let Some(root) = root else { return Some(finding) };
    let (span, place) = (root.span, format!("the {of} of `{name}`"));
    let cause = format!("{wanted} {is} {span:?}");
    Some(
        finding
            .with_label(span, format!("`{}` is `{is}`", root.name))
            .with_cause(cause, place, 0.0),
    )
}

/// `fixed<16,6>`, as newer files have it, is `ap_fixed<16,6>`.
fn spell_type(text: &str) -> String {
    let short = ["fixed<", "ufixed<", "int<", "uint<"].iter().any(|name| text.starts_with(name));
    if short { format!("ap_{text}") } else { text.to_owned() }
}

fn compare_factors(input: &AuditInput<'_>, layer: &LayerSetting, scope: &Scope) -> Option<Finding> {
    let asked = layer.reuse_factor.as_ref()?;
    let constants = input.code.headers().iter().flat_map(|header| &header.constants);
    let mut own = constants.filter(|one| one.scope == *scope && one.name == FACTOR);
    let (built, None) = (own.next()?, own.next()) else { return None };
    let value = u64::try_from(built.value?).ok()?;
    if value == asked.value {
        return None;
    }
    let (name, wanted, place): (_, _, Span) = (&layer.name, asked.value, built.name_span);
    Some(
        Finding::new(CODE, Level::Warning, name.clone())
            .in_group(FACTOR)
            .with_message(format!(
                "`{name}` asks for a reuse factor of {wanted} and is built with {value}"
            ))
            .with_label(place, format!("it is {value}"))
            .with_label(asked.span, format!("{wanted} is asked for"))
            .with_note("hls4ml replaces a factor that does not divide the layer's multiplications by the nearest that does")
            .with_help(format!("convert the model again, or set the file to {value}, which is what is built"))
            .with_evidence(
                json!({"layer": name, "of": FACTOR, "asked": wanted, "built": value}),
            ),
    )
}
