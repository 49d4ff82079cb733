//! Where the difference between a claim and a measurement comes from, by the bandwidth model: first what kept the setup
//! from the claim, then what kept the run from what its setup gives.

use std::fmt::Write;

use super::expected::ModelledBandwidth;
use super::setup::Setup;
use super::{BAR, BandwidthClaim, Measurement, Run, VerdictReason};
use derate_machine::bandwidth::{Channels, Direction, LimitedBy, Port};
use derate_units::figures::{count, quantity, significant};
use derate_units::{BytesPerSecond, Seconds};

/// A change that gains less explains nothing.
const GAIN: f64 = 1.01;

/// From this share of a repetition on, launches are worth a sentence.
const LAUNCH_SHARE: f64 = 0.05;

/// Compute units that XRT's hardware scheduler was seen to run at once.
const SCHEDULED: u64 = 16;

/// A measurement below its claim.
pub(super) struct Shortfall<'a> {
    pub(super) measurement: &'a Measurement,
    pub(super) run: &'a Run,
    pub(super) setup: &'a Setup,
    pub(super) expected: &'a ModelledBandwidth,
    pub(super) claim: &'a BandwidthClaim,
    pub(super) bandwidth: BytesPerSecond,
    pub(super) read_share: Option<f64>,
}

impl Shortfall<'_> {
    /// What the model would give another setup.
    fn rate_with(&self, change: impl FnOnce(&mut Setup)) -> Option<BytesPerSecond> {
        let mut other = self.setup.clone();
        change(&mut other);
        let rate = other.modelled_bandwidth(self.read_share)?.most.value;
        (rate.0 > GAIN * self.expected.most.value.0).then_some(rate)
    }
}

/// The reasons, the strongest kind first.
pub(super) fn explain_gap(case: &Shortfall<'_>) -> Vec<VerdictReason> {
    let mut reasons = Vec::new();
    // Where the setup gives the claim in full and the run misses it, the run is below its setup: one of the two holds.
    if case.expected.least < case.claim.value {
        reasons.extend(
            [
                explain_channels(case),
                explain_ports(case),
                explain_width(case),
                explain_memory_clock(case),
                explain_copy(case),
            ]
            .into_iter()
            .flatten(),
        );
        if reasons.is_empty() {
            let sentence = format!("{} That is below the claim.", case.expected.most.source);
            reasons.push(VerdictReason::new("model", sentence));
        }
    }
    if case.bandwidth.0 < BAR * case.expected.least.0 {
        let before = reasons.len();
        reasons.extend([explain_launches(case), explain_scheduler(case)].into_iter().flatten());
        if reasons.len() == before {
            reasons.push(VerdictReason::new(
                "unexplained",
                format!(
                    "The model gives this setup {}; it got {} % of that, and nothing recorded says why. Look at the bursts \
                     that HLS inferred (`derate hls csynth.rpt`), and at how the buffers lie in the banks.",
                    quantity(case.expected.least),
                    significant(100.0 * (case.bandwidth / case.expected.least), 3)
                ),
            ));
        }
    }
    reasons
}

/// Channels that lie idle.
fn explain_channels(case: &Shortfall<'_>) -> Option<VerdictReason> {
    let all = Channels::of(&case.setup.memory).count;
    let used = case.setup.channels;
    if used >= all {
        return None;
    }
    // As many ports for each channel as there are now.
    let groups = all.div_ceil(used.max(1)).min(64);
    let wider = case.rate_with(|setup| {
        let spread = |port: &Port| Port { channels: (0, all - 1), ..port.clone() };
        let ports: Vec<Port> = setup.ports.iter().map(spread).collect();
        setup.ports = ports.iter().cycle().take(ports.len() * groups).cloned().collect();
        setup.channels = all;
    })?;
    Some(VerdictReason::new(
        "channels",
        format!(
            "It uses {used} of {}: they cannot carry more than {}. So the claim fails for this setup; what the others would \
             add is not measured. The model gives as many ports on each of all channels {}.",
            count(all, "channel"),
            quantity(case.setup.physical_peak(case.read_share).value),
            quantity(wider)
        ),
    ))
}

/// Fewer ports than channels, all of which they reach: a port gets no more than one channel.
fn explain_ports(case: &Shortfall<'_>) -> Option<VerdictReason> {
    let (ports, all) = (case.setup.ports.len(), Channels::of(&case.setup.memory).count);
    if case.setup.channels < all || ports >= all {
        return None;
    }
    let more = case.rate_with(|setup| {
        setup.ports = setup.ports.iter().cycle().take(all).cloned().collect();
    })?;
    Some(VerdictReason::new(
        "ports",
        format!(
            "It has {}, and a port gets no more than one channel at a time: {all} of them, one for each, would get {}.",
            count(ports, "port"),
            quantity(more)
        ),
    ))
}

/// Ports that carry less than their channels.
fn explain_width(case: &Shortfall<'_>) -> Option<VerdictReason> {
    if case.expected.limited_by != LimitedBy::Port {
        return None;
    }
    let wider = case.rate_with(|setup| {
        for port in &mut setup.ports {
            port.width_bits *= 2.0;
        }
    })?;
    Some(VerdictReason::new(
        "port-width",
        format!(
            "The ports hold it: by width and kernel clock their wires carry {}, and the model gives {} of that. It gives ports \
             twice as wide {}.",
            quantity(case.setup.wire_rate(case.read_share)),
            quantity(case.expected.most.value),
            quantity(wider)
        ),
    ))
}

/// A memory that runs below the clock of its data sheet.
fn explain_memory_clock(case: &Shortfall<'_>) -> Option<VerdictReason> {
    let full = case.setup.memory.axi_clock.value;
    let faster = case.rate_with(|setup| setup.memory_clock = full)?;
    Some(VerdictReason::new(
        "memory-clock",
        format!(
            "The memory's ports ran at {}, not at the {} of the data sheet: {} there, {} here.",
            quantity(case.setup.memory_clock),
            quantity(full),
            quantity(faster),
            quantity(case.expected.most.value)
        ),
    ))
}

/// Channels that are read and written at the same time.
fn explain_copy(case: &Shortfall<'_>) -> Option<VerdictReason> {
    let mut alone = case.setup.clone();
    for port in &mut alone.ports {
        port.direction = Direction::Read;
    }
    let reads = alone.modelled_bandwidth(None)?.most.value;
    let least = case.expected.least;
    (case.expected.most.value > least && reads.0 > GAIN * least.0).then(|| {
        VerdictReason::new(
            "copy",
            format!(
                "It reads and writes the same channels at once: {} to {} is what published copies reach of them, {} what \
                 reads alone do.",
                quantity(least),
                quantity(case.expected.most.value),
                quantity(reads)
            ),
        )
    })
}

/// What the host's calls take, by what they are known to cost and by how the time grows with the size.
fn explain_launches(case: &Shortfall<'_>) -> Option<VerdictReason> {
    let launches = case.run.launches.unwrap_or(1);
    if launches == 0 {
        return None;
    }
    let median = case.run.median()?;
    let launch = &case.setup.platform.kernel.launch;
    let spent = launch.value * launches as f64;
    let share = (spent / median).min(1.0);
    let fitted =
        fit_line(&case.measurement.runs).filter(|(start, _)| *start / median > LAUNCH_SHARE);
    if share < LAUNCH_SHARE && fitted.is_none() {
        return None;
    }
    let calls = match launches {
        1 => "its kernel call".to_owned(),
        more => format!("its {more} kernel calls"),
    };
    let mut sentence = format!(
        "Launches weigh: at {} for one ({}: {}), {calls} would be {} % of the {} that a repetition takes. Move more bytes per call.",
        quantity(launch.value),
        launch.provenance,
        launch.source,
        significant(100.0 * share, 2),
        quantity(median)
    );
    if let Some((start, rate)) = fitted {
        let _ = write!(
            sentence,
            " From the smallest size to the largest the time grows as at {}, after {} that no byte explains.",
            quantity(rate),
            quantity(start)
        );
    }
    Some(VerdictReason::new("launches", sentence))
}

/// `t = t0 + bytes / rate` through the smallest and the largest size.
fn fit_line(runs: &[Run]) -> Option<(Seconds, BytesPerSecond)> {
    let mut points: Vec<(f64, f64)> =
        runs.iter().filter_map(|run| Some((run.bytes()?.0, run.median()?.0))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (&(few, short), &(many, long)) = (points.first()?, points.last()?);
    let rate = (many - few) / (long - short);
    let start = short - few / rate;
    (rate.is_finite() && rate > 0.0 && start > 0.0)
        .then_some((Seconds(start), BytesPerSecond(rate)))
}

/// About half, with more compute units than the scheduler ran at once.
fn explain_scheduler(case: &Shortfall<'_>) -> Option<VerdictReason> {
    let units = case.measurement.compute_units.filter(|&units| units > SCHEDULED)?;
    let share = case.bandwidth / case.expected.most.value;
    (0.4..=0.6).contains(&share).then(|| {
        VerdictReason::new(
            "scheduler",
            format!(
                "It is about half of what the model gives, with {units} compute units: XRT's hardware scheduler was seen to \
                 run {SCHEDULED} at once (pc2/HPCC_FPGA). Measure again with ert=false and kds=false in xrt.ini.",
            ),
        )
    })
}
