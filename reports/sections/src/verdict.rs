//! What the figures come to, in sentences.

use derate_audit::Summary;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{
    Analysis, BandwidthOwner, ClaimKey, Estimate, LatencyStanding, PartEstimate, ScenarioEstimate,
};
use derate_units::figures::{count, quantity, rate, significant, work};
use derate_units::{Bound, Seconds};

/// Nearer to the ridge than this is what people call close to the memory wall.
const CLOSE: f64 = 2.0;

/// Times nearer to each other than this are those of a claim and its rounding.
const ROUNDING: f64 = 0.01;

/// What is said of a project without a claim, a source or a report.
pub(crate) const NOT_CHECKED: &str = "Nothing could be checked: derate.toml claims no figure, and no source, report or measurement was read.";

/// Whether there is anything that a rule could find wrong; a batch size alone is not.
pub(crate) fn could_check(analysis: &Analysis) -> bool {
    let claims = &analysis.project.claims;
    let claimed = claims.precision.is_some()
        || claims.sequence_length.is_some()
        || claims.clock.is_some()
        || claims.bandwidth.is_some()
        || !claims.peak.is_empty()
        || claims.latency.is_some()
        || !claims.figures.is_empty();
    let code = &analysis.code;
    let read = code.functions().next().is_some()
        || !(code.declarations.is_empty() && code.aliases.is_empty() && code.allo.is_empty());
    claimed || read || !analysis.build.reports.is_empty() || !analysis.recordings.is_empty()
}

/// The main findings in a few sentences.
pub(crate) fn write_sentences(
    analysis: &Analysis,
    estimate: &Estimate,
    summary: Summary,
) -> Vec<String> {
    let mut lines = count_findings(analysis, summary);
    lines.extend(write_conclusions(estimate));
    lines
}

/// How many findings there are, and how many are allowed.
pub(crate) fn count_findings(analysis: &Analysis, summary: Summary) -> Vec<String> {
    let Summary { error, warning, note, allowed } = summary;
    let mut lines = vec![match (error, warning, note) {
        (0, 0, 0) if !could_check(analysis) => NOT_CHECKED.to_owned(),
        (0, 0, 0) => "The audit found nothing to object to.".to_owned(),
        _ => format!(
            "The audit found {}, {} and {}.",
            count(error, "error"),
            count(warning, "warning"),
            count(note, "note")
        ),
    }];
    if allowed > 0 {
        lines.push(format!(
            "{} allowed in the source, with a reason, and not counted.",
            count(allowed, "finding")
        ));
    }
    lines
}

/// What the scenarios of an estimate say beside each other, and which of them are missing.
pub(crate) fn write_conclusions(estimate: &Estimate) -> Vec<String> {
    let time = describe_time(estimate);
    let told = time.is_some();
    let skipped = estimate
        .skipped
        .iter()
        // Why there is no design is why there is no latency, which is said with the time.
        .filter(|s| !told || s.scenario != ScenarioKind::Design)
        .map(|s| format!("Scenario {} is missing: {}.", s.scenario, s.reason));
    let unknown = estimate.scenarios.iter().find_map(|s| Some((s, s.unknown_roof()?)));
    let unknown = unknown.map(|(s, reason)| format!("In scenario {}, {reason}.", s.name));
    let known = [
        describe_tokens(estimate),
        estimate.raw_bits.clone(),
        describe_intensity(estimate),
        memory_wall(estimate),
        describe_design(estimate),
        time,
        unknown,
    ];
    known.into_iter().flatten().chain(skipped).collect()
}

/// What the bytes as built and the tokens as run do to operational intensity.
fn describe_intensity(estimate: &Estimate) -> Option<String> {
    let claimed = estimate.scenario(ScenarioKind::Claimed)?;
    let intensity = |kind| Some(estimate.scenario(kind)?.main_part()?.totals.oi.0);
    let before = claimed.main_part()?.totals.oi.0;
    let mut said = Vec::new();
    let mut last = before;
    let steps = [
        (ScenarioKind::AsBuilt, ClaimKey::Precision, "with the bytes that the code stores"),
        (ScenarioKind::TrueTokens, ClaimKey::Tokens, "with the tokens that an inference runs on"),
    ];
    for (kind, key, how) in steps {
        let Some(after) = intensity(kind) else { continue };
        let moved = (after / last - 1.0).abs() >= 0.005;
        last = after;
        if moved && !claimed.unclaimed.contains(&key) {
            said.push(format!("{} OP/B {how}", significant(after, 3)));
        }
    }
    (!said.is_empty()).then(|| {
        format!(
            "The operational intensity of the {} is claimed as {} OP/B; it is {}.",
            claimed.main_part().map_or("", |part| part.name.as_str()),
            significant(before, 3),
            said.join(", and ")
        )
    })
}

/// Which bound kernels have: by the roof that takes the larger share of their time, and by their distance to the ridge point.
fn place_by_ridge(bound: Option<Bound>, distance: f64) -> Option<&'static str> {
    Some(match bound? {
        Bound::Memory => "memory bound",
        Bound::Compute if distance < CLOSE => "compute bound, but close to the memory wall",
        Bound::Compute => "compute bound, far from the memory wall",
    })
}

/// Whether what the claim says of the memory wall holds with all corrections.
fn memory_wall(estimate: &Estimate) -> Option<String> {
    let (first, corrected) =
        (estimate.scenario(ScenarioKind::Claimed)?, estimate.scenario(ScenarioKind::DerivedPeak)?);
    let (part, own) = (first.main_part()?, corrected.main_part()?);
    let (claimed, peak) = (first.main_ceiling()?, corrected.main_ceiling()?);
    let (before, after) = (part.totals.oi / claimed.ridge, own.totals.oi / peak.ridge);
    let was = place_by_ridge(part.totals.bound, before)?;
    let is = place_by_ridge(own.totals.bound, after)?;
    let lead = if first.unclaimed.is_empty() { "As claimed" } else { "By default" };
    let claim = format!(
        "{lead}, the {} (OI {} OP/B) are at {} times the ridge point of {} OP/B: {was}.",
        part.name,
        significant(part.totals.oi.0, 3),
        significant(before, 2),
        significant(claimed.ridge.0, 3),
    );
    let how = match (was == is, peak.is_own_claim) {
        (true, true) => "That holds, and that peak can be built",
        (true, false) => "That holds, but with other figures",
        (false, _) => "That conclusion reverses",
    };
    let precision = peak.peak.precision;
    Some(format!(
        "{claim} {how}: with all corrections the peak is {} (one {precision} multiply-add: {}), the ridge point at {} is {} OP/B, and the {} (OI {} OP/B) are at {} times it, {is}.",
        rate(peak.peak.rate.value, precision),
        peak.peak.variant,
        quantity(corrected.bandwidth.value),
        significant(peak.ridge.0, 3),
        own.name,
        significant(own.totals.oi.0, 3),
        significant(after, 2),
    ))
}

/// Which bound the design has under its own roofs; it may differ from the bound under those of the card.
fn describe_design(estimate: &Estimate) -> Option<String> {
    // Only the unfused estimate has the claim's own kernels.
    let design = estimate.scenario(ScenarioKind::Design)?;
    let (part, ceiling) = (design.main_part()?, design.main_ceiling()?);
    let oi = part.totals.oi;
    let distance = oi / ceiling.ridge;
    let position = place_by_ridge(part.totals.bound, distance)?;
    let of_the_card = || {
        let corrected = estimate.scenario(ScenarioKind::DerivedPeak)?;
        let distance = corrected.main_part()?.totals.oi / corrected.main_ceiling()?.ridge;
        place_by_ridge(corrected.main_part()?.totals.bound, distance)
    };
    // `There` is where the sentence before has it.
    let lead = match memory_wall(estimate).and_then(|_| of_the_card()) {
        Some(card) if card != position => "The design is not there",
        Some(_) => "The design is there, too",
        None => "The design of [design]",
    };
    let own = estimate.bandwidths.iter().find(|row| {
        row.owner == BandwidthOwner::OwnPorts
            && row.bandwidth.as_ref().is_some_and(|own| own.value == design.bandwidth.value)
    });
    let why = own.and_then(|own| own.reason.as_ref()).map_or_else(String::new, |reason| {
        format!(" Its bandwidth is that of the project's own ports: {reason}.")
    });
    Some(format!(
        "{lead}: at {} and the {} of its {}, the ridge point is {} OP/B, and the {} (OI {} OP/B) are at {} times it, {position}.{why}",
        quantity(design.bandwidth.value),
        rate(ceiling.peak.rate.value, ceiling.peak.precision),
        ceiling.peak.variant,
        significant(ceiling.ridge.0, 3),
        part.name,
        significant(oi.0, 3),
        significant(distance, 2)
    ))
}

/// Whether the first scenario is a claim at all.
fn as_claimed(first: &ScenarioEstimate) -> String {
    if first.unclaimed.is_empty() {
        "as claimed".to_owned()
    } else {
        format!("with defaults for what is not claimed ({})", first.unclaimed_text())
    }
}

/// Where the number of tokens is nobody's: everything scales with it.
fn describe_tokens(estimate: &Estimate) -> Option<String> {
    let tokens = &estimate.scenario(ScenarioKind::Claimed)?.tokens;
    let guessed = !estimate.is_whole() && tokens.value.to_bits() == 1.0_f64.to_bits();
    (guessed && estimate.scenario(ScenarioKind::Claimed)?.unclaimed.contains(&ClaimKey::Tokens))
        .then(|| format!("Every figure is for {}.", tokens.source))
}

/// What a pass takes by throughput, claimed and corrected, unfused and fused, and what latency adds to it.
fn describe_time(estimate: &Estimate) -> Option<String> {
    let first = estimate.scenario(ScenarioKind::Claimed)?;
    let corrected = estimate.scenario(ScenarioKind::DerivedPeak)?;
    let before = first.running_time()?;
    let Some(after) = corrected.running_time() else {
        return Some(without_a_peak(estimate, first, before));
    };
    let longest = corrected.parts.iter().filter(|part| part.runs).max_by(|a, b| {
        let seconds = |p: &PartEstimate| p.totals.throughput_seconds.map_or(0.0, |t| t.0);
        seconds(a).total_cmp(&seconds(b))
    })?;
    let share = longest.totals.throughput_seconds? / after;
    let least = |kind| {
        let times = estimate.schedules(kind).filter_map(ScenarioEstimate::running_time);
        times.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(String::new, quantity)
    };
    let running = first.parts.iter().filter(|part| part.runs).flat_map(|part| &part.kernels);
    let products = running.filter(|kernel| kernel.matmul.is_some()).map(|kernel| kernel.precision);
    let (flops, claimed) = (work(first.totals.flops, products), as_claimed(first));
    let bound = corrected.totals.bound?.as_str();
    let faster = match after.0 < before.0 * (1.0 - ROUNDING) {
        false => "",
        true if corrected.totals.bytes < first.totals.bytes => {
            ", less than claimed, as the bytes that the code stores are fewer"
        }
        true => ", less than claimed, as the peak of what the code stores is higher",
    };
    let (before, after, latency) = (quantity(before), quantity(after), describe_latency(estimate));
    if !estimate.is_whole() {
        let held = against_weights(estimate).unwrap_or_default();
        return Some(format!(
            "The products of the 2-D weights ({flops}), unfused, take {before} {claimed} and {after} with all corrections ({bound} bound{faster}). That is not a whole inference: workload `linear` leaves out attention products, convolutions and elementwise work, takes every layer to see all tokens, and does not model fusion. {held}{latency}"
        ));
    }
    let best =
        estimate.schedules(ScenarioKind::DerivedPeak).filter_map(ScenarioEstimate::running_time);
    let best = best.min_by(|a, b| a.0.total_cmp(&b.0));
    Some(format!(
        "A whole inference ({flops} of matrix products), unfused, takes {before} {claimed} and {after} with all corrections ({bound} bound{faster}; {} is {} % of it), and at best, fused as far as the chip allows, {} and {}. {}{latency}",
        longest.name,
        significant(100.0 * share, 3),
        least(ScenarioKind::Claimed),
        least(ScenarioKind::DerivedPeak),
        estimate
            .claimed_latency
            .zip(best)
            .map_or_else(String::new, |(claim, best)| compare_latency(claim, best)),
    ))
}

/// The same where no peak that can be built is known.
fn without_a_peak(estimate: &Estimate, first: &ScenarioEstimate, before: Seconds) -> String {
    let derated = estimate.scenario(ScenarioKind::Derated).and_then(ScenarioEstimate::running_time);
    let derated = derated.map_or_else(String::new, |time| {
        format!(", {} with the bytes as built at the derated bandwidth", quantity(time))
    });
    let (what, caveat) = if estimate.is_whole() {
        ("A whole inference of matrix products takes", "")
    } else {
        ("The products of the 2-D weights take", " That is not a whole inference.")
    };
    format!(
        "{what}, unfused, {} {}{derated}; what they take with a peak that can be built is unknown.{caveat} {}",
        quantity(before),
        as_claimed(first),
        describe_latency(estimate)
    )
}

/// The claimed latency against what the claimed roofs allow the products of the 2-D weights, as `latency/batch-1` says it.
fn against_weights(estimate: &Estimate) -> Option<String> {
    let (claim, roofs) = (estimate.claimed_latency?, estimate.latency_roofs?);
    let (time, own) = (quantity(claim), quantity(roofs.own?));
    Some(match roofs.compare(claim) {
        LatencyStanding::Impossible => format!(
            "The claimed latency of {time} cannot hold: under the claimed roofs these products take {} at least, however they are fused. ",
            quantity(roofs.least?)
        ),
        LatencyStanding::BelowDesign => format!(
            "The claimed latency of {time} is less than the {own} that these products take unfused under the claimed roofs: it takes results that stay on the chip from one product to the next, which `linear` does not model. "
        ),
        LatencyStanding::Possible => format!(
            "The claimed latency of {time} is no less than the {own} that these products take under the claimed roofs, which proves nothing by itself. "
        ),
    })
}

/// The claimed latency against the best pass under the corrected roofs.
fn compare_latency(claim: Seconds, best: Seconds) -> String {
    let claimed = quantity(claim);
    if claim.0 < best.0 {
        let times = significant(best / claim, 2);
        format!(
            "The claimed latency of {claimed} cannot hold then: that best pass takes {times} times as long. "
        )
    } else {
        format!("The claimed latency of {claimed} is above that floor, which does not prove it. ")
    }
}

/// What the design takes, or why that is unknown.
fn describe_latency(estimate: &Estimate) -> String {
    match estimate.design().and_then(|s| Some((s, s.latency.as_ref()?))) {
        Some((scenario, latency)) => format!(
            "The design of [design] takes {} ({}) at {} ({}), {} times the {} that its throughput promises.",
            quantity(latency.seconds),
            latency.provenance,
            quantity(latency.array.clock.value),
            latency.array.clock.source,
            latency
                .gap
                .map_or_else(|| "an unknown number of".to_owned(), |gap| significant(gap, 3)),
            scenario.running_time().map_or_else(|| "time".to_owned(), quantity)
        ),
        None => format!("Latency is unknown: {}.", estimate.no_latency()),
    }
}
