//! The code of a layer is not what its `hls4ml_config.yml` asks for.
//!
//! ## What it does
//!
//! Where an `hls4ml_config.yml` lies beside the code that hls4ml wrote, joins its layers with the code: a
//! `struct config2 : nnet::dense_config` whose comment is the name of a layer, and the types `fc1_weight_t`,
//! `fc1_result_t` of `defines.h`. It compares the number formats that are asked for with those that are declared, and
//! `ReuseFactor` with `reuse_factor`. A format that is `auto` or a type that is not known is not compared, nor is a
//! layer that the code does not name, nor what decides nothing: `relu` and `linear` read neither a table nor a reuse
//! factor, and hls4ml itself makes the sum of a pooling layer wider than the file says. The factors of one file are one finding. Where
//! hls4ml does not take the factor that is asked for and the nearest that it takes is built, it is a note.
//!
//! ## Why it matters
//!
//! Accuracy and resources are those of the code. A file of settings that was changed after the conversion describes
//! another design. hls4ml takes a factor R of a layer with n inputs and m outputs where R divides n x m and either R < n and m divides
//! n x m / R, or n divides R. It replaces any other by the nearest of those, which changes the layer's time.
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
use derate_project::reuse_factors::{find_nearest, find_obstacle};

const CODE: &str = "source/hls4ml-config";

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let Some(settings) = &input.build.layers else { return Vec::new() };
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let (mut found, mut factors) = (Vec::new(), Vec::new());
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
        factors.extend(scope.and_then(|scope| compare_factors(input, layer, &scope)));
    }
    found.extend(report_factors(input, factors));
    found
}

/// The member of a layer's struct that says how often a multiplier is used again.
const FACTOR: &str = "reuse_factor";
/// So many further layers are shown.
const LAYERS: usize = 8;

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

/// A layer whose reuse factor is not the one that is asked for.
struct OtherFactor {
    layer: String,
    asked: u64,
    built: u64,
    place: Span,
    asked_at: Span,
    /// The nearest that hls4ml takes, where the layer's size is known.
    nearest: Option<u64>,
    /// Why hls4ml itself replaces the factor by the one that is built.
    corrected: Option<String>,
}

fn compare_factors(
    input: &AuditInput<'_>,
    layer: &LayerSetting,
    scope: &Scope,
) -> Option<OtherFactor> {
    let asked = layer.reuse_factor.as_ref()?;
    let constants = || input.code.headers().iter().flat_map(|header| &header.constants);
    let value = |name: &str| {
        let mut own = constants().filter(|one| one.scope == *scope && one.name == name);
        let (one, None) = (own.next()?, own.next()) else { return None };
        Some((u64::try_from(one.value?).ok()?, one.name_span))
    };
    let (built, place) = value(FACTOR)?;
    if built == asked.value {
        return None;
    }
    let number = |name: &str| value(name).map(|(number, _)| number);
    let size = number("n_in").zip(number("n_out")).or_else(|| {
        let window = number("filt_height").unwrap_or(1).checked_mul(number("filt_width")?)?;
        Some((number("n_chan")?.checked_mul(window)?, number("n_filt")?))
    });
    let nearest = size.and_then(|size| find_nearest(size, asked.value));
    let corrected =
        size.filter(|_| nearest == Some(built)).and_then(|size| find_obstacle(size, asked.value));
    let (layer, asked, asked_at) = (layer.name.clone(), asked.value, asked.span);
    Some(OtherFactor { layer, asked, built, place, asked_at, nearest, corrected })
}

/// One finding for the factors of a file that hls4ml replaced itself, and one for the others.
fn report_factors(input: &AuditInput<'_>, mut all: Vec<OtherFactor>) -> Vec<Finding> {
    let key = |one: &OtherFactor| (one.place.file, one.corrected.is_some());
    all.sort_by_key(|one| (key(one), one.place.start));
    let groups = all.chunk_by(|one, other| key(one) == key(other));
    groups.filter_map(|group| report_group(input, group)).collect()
}

fn report_group(input: &AuditInput<'_>, group: &[OtherFactor]) -> Option<Finding> {
    let (first, rest) = group.split_first()?;
    let OtherFactor { layer, asked, built, .. } = first;
    let level = if first.corrected.is_some() { Level::Note } else { Level::Warning };
    let more = match rest.len() {
        0 => String::new(),
        1 => "; and 1 more layer has another factor".to_owned(),
        more => format!("; and {more} more layers have another factor"),
    };
    let mut finding = Finding::new(CODE, level, layer.clone())
        .in_group(FACTOR)
        .with_message(format!(
            "`{layer}` asks for a reuse factor of {asked} and is built with {built}{more}"
        ))
        .with_label(first.place, format!("it is {built}"))
        .with_label(first.asked_at, format!("{asked} is asked for"));
    for one in rest.iter().take(LAYERS) {
        let text = format!("`{}`: {} is asked for, it is {}", one.layer, one.asked, one.built);
        finding = finding.with_label(one.place, text);
    }
    let (why, help) = if let Some(why) = &first.corrected {
        (
            format!(
                "hls4ml replaces the factor by the nearest that it takes, and prints that: {why}"
            ),
            "set each factor in the file to the one that is built".to_owned(),
        )
    } else {
        let name = input.sources.name(first.place.file);
        let why = match first.nearest {
            Some(nearest) => {
                format!("the nearest factor that hls4ml takes for `{layer}` is {nearest}")
            }
            None => format!(
                "whether hls4ml takes {asked} is unknown: `{name}` does not give the size of `{layer}`"
            ),
        };
        (why, format!("convert the model again, or set the file to what `{name}` has"))
    };
    let layers: Vec<_> = group
        .iter()
        .map(|one| json!({"layer": one.layer, "asked": one.asked, "built": one.built}))
        .collect();
    Some(finding.with_note(why).with_help(help).with_evidence(json!({
        "layer": layer, "of": FACTOR, "asked": asked, "built": built, "layers": layers,
    })))
}
