//! All that one card did, on a modelled time axis.

use derate_model::units::{BytesPerSecond, Hertz};
use derate_model::{Figure, Platform};

use super::moved::{Flow, PortProfile, StreamProfile, TransferProfile};
use super::order::{Copy, Run, Step, Transfer, order_steps};
use super::plan::Plan;
use super::run::{CycleModel, RunTime, Timer};
use super::schedule::{Need, schedule_steps};
use crate::emulator::{Bank, BankError, Bases, Counted, list_banks};
use crate::swemu::{DeviceRecord, Recorded, RecordedDesign};

/// What rounding makes of a time is not a longer one.
const LONGER: f64 = 1e-9;

/// Where a span is drawn.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Lane {
    /// The link from the host to the card.
    ToCard,
    /// The link from the card to the host.
    FromCard,
    /// Copies from one buffer of a card to another.
    Copy,
    /// A compute unit, by its place in [`CardProfile::units`].
    Unit(usize),
    /// A stream, by its place in [`CardProfile::streams`].
    Stream(usize),
}

/// A transfer, a copy, a run, or what goes through a stream, on the modelled time axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Who is busy.
    pub lane: Lane,
    /// Its kernel, or `to card`, `from card`, `copy`, `17 elements`.
    pub name: String,
    /// Seconds from the first step on.
    pub start: f64,
    /// Seconds that it takes; `None` where that is not known, and then it takes none on the axis.
    pub duration: Option<f64>,
    /// Bytes read and written, or moved. Counted. 0 of a stream, whose elements are named.
    pub bytes: u64,
    /// The bank of a transfer.
    pub bank: Option<String>,
    /// The time of a run.
    pub run: Option<RunTime>,
}

impl Span {
    /// Where it ends, in seconds.
    pub fn end(&self) -> f64 {
        self.start + self.duration.unwrap_or(0.0)
    }
}

/// What a compute unit did.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitProfile {
    /// Its name.
    pub name: String,
    /// Its kernel.
    pub kernel: String,
    /// Whether it runs without a host: it is taken to run from the first to the last run that it is connected to.
    pub is_free: bool,
    /// Its pointers that nothing counts.
    pub plain: Vec<String>,
    /// How often it was started.
    pub launches: u64,
    /// Seconds that its runs take, as far as they are known.
    pub busy: f64,
    /// Runs of which the time is not known.
    pub unknown: u64,
    /// Runs that take at least their time, and perhaps longer.
    pub bounds: u64,
}

impl UnitProfile {
    /// Whether it ran, or runs without being started.
    pub fn is_used(&self) -> bool {
        self.is_free || self.launches > 0
    }
}

/// What one card did.
#[derive(Clone, Debug, PartialEq)]
pub struct CardProfile {
    /// The card, counted from 0.
    pub card: u32,
    /// The clock of its kernels.
    pub clock: Hertz,
    /// Its compute units, in order of the design.
    pub units: Vec<UnitProfile>,
    /// What each of their ports moved.
    pub ports: Vec<PortProfile>,
    /// What the host moved.
    pub transfers: Vec<TransferProfile>,
    /// Copies between buffers of cards: how many, and their bytes. Their times are those of the banks on this card: a card takes at
    /// least so long.
    pub copies: (u64, u64),
    /// The streams between its units.
    pub streams: Vec<StreamProfile>,
    /// Everything that takes time, in order of its start.
    pub spans: Vec<Span>,
    /// The rates of the link, to the card and from it, where they are known.
    pub link: [Option<Figure<BytesPerSecond>>; 2],
}

impl CardProfile {
    /// Seconds from the first step to the last end.
    pub fn end(&self) -> f64 {
        self.spans.iter().map(Span::end).fold(0.0, f64::max)
    }

    /// Seconds that a lane is busy.
    pub fn busy(&self, lane: Lane) -> f64 {
        let own = self.spans.iter().filter(|span| span.lane == lane);
        own.filter_map(|span| span.duration).fold(0.0, |sum, time| sum + time)
    }

    /// Seconds in which neither the link nor a unit is busy.
    pub fn idle(&self) -> f64 {
        let mut spans: Vec<(f64, f64)> =
            self.spans.iter().map(|span| (span.start, span.end())).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut idle, mut end) = (0.0, 0.0_f64);
        for (start, stop) in spans {
            idle += (start - end).max(0.0);
            end = end.max(stop);
        }
        idle
    }

    /// Whether a time in it is not known, or a bound.
    pub fn is_bound(&self) -> bool {
        let has_unknown = self.spans.iter().any(|span| span.duration.is_none());
        let is_open = |unit: &UnitProfile| unit.bounds > 0 || unit.is_free && unit.busy > 0.0;
        has_unknown
            || self.copies.0 > 0
            || !self.streams.is_empty()
            || self.units.iter().any(is_open)
    }
}

/// Profiles what one device did: counts as they are, times modelled. A transfer begins when the one before it the same way is over, a run when
/// its unit is free, and both when those that wrote or read their buffers before them have ended. What the threads of XRT may do in
/// any order comes in order of its buffers.
pub fn profile_card(
    record: &DeviceRecord,
    platform: &Platform,
    model: &mut dyn CycleModel,
) -> Result<CardProfile, BankError> {
    let banks = list_banks(platform, Bases::RunningSum)?;
    let link = [platform.host.to_card.clone(), platform.host.from_card.clone()];
    let mut profile = CardProfile {
        card: record.card,
        clock: platform.clock.value,
        units: Vec::new(),
        ports: Vec::new(),
        transfers: Vec::new(),
        copies: (0, 0),
        streams: Vec::new(),
        spans: Vec::new(),
        link,
    };
    let steps = order_steps(&record.done);
    let mut plan = Plan::default();
    let (mut needs, mut flows) = (Vec::new(), Vec::new());
    for step in &steps {
        let timer = Timer { platform, banks: &banks, clock: profile.clock };
        let banks = match step {
            Step::Design(design) => {
                profile.add_design(design);
                continue;
            }
            Step::Transfer(transfer) => {
                profile.add_transfer(transfer, &mut plan);
                Vec::new()
            }
            Step::Copy(copy) => profile.add_copy(copy, &timer, &mut plan),
            Step::Run(run) => {
                let span = Some(profile.spans.len());
                let Some(unit) = profile.add_run(run, &timer, model, &mut plan) else { continue };
                flows.push(Flow { unit, span, streams: run.streams });
                let time = profile.spans.last().and_then(|span| span.run.as_ref());
                time.map(|run| run.banks.clone()).unwrap_or_default()
            }
        };
        let alone = profile.spans.last().and_then(|span| span.duration).unwrap_or(0.0);
        needs.push(Need { alone, banks });
    }
    let times = schedule_steps(&needs, &plan.into_follows());
    for (span, ((start, end), need)) in profile.spans.iter_mut().zip(times.into_iter().zip(&needs))
    {
        span.start = start;
        // Alone it takes what it takes, to the bit.
        let longer = (end - start) - need.alone;
        if longer > need.alone * LONGER {
            span.duration = span.duration.map(|alone| alone + longer);
        }
        if let (Lane::Unit(at), Some(duration)) = (span.lane, span.duration)
            && let Some(unit) = profile.units.get_mut(at)
        {
            unit.busy += duration;
        }
    }
    for one in &record.done {
        if let Recorded::Free(counted, streams) = one
            && let Some(unit) = profile.add_free(counted, &banks)
        {
            flows.push(Flow { unit, span: None, streams });
        }
    }
    profile.add_flows(&flows);
    profile.sort_all(&banks);
    Ok(profile)
}

impl CardProfile {
    fn add_design(&mut self, design: &RecordedDesign) {
        if let Some(megahertz) = design.megahertz.filter(|one| *one > 0.0) {
            self.clock = Hertz(megahertz * 1e6);
        }
        for unit in &design.units {
            let known = |one: &UnitProfile| one.name == unit.name && one.kernel == unit.kernel;
            if self.units.iter().any(known) {
                continue;
            }
            self.units.push(UnitProfile {
                name: unit.name.clone(),
                kernel: unit.kernel.clone(),
                is_free: unit.is_free,
                plain: unit.plain.clone(),
                launches: 0,
                busy: 0.0,
                unknown: 0,
                bounds: 0,
            });
        }
    }

    fn add_transfer(&mut self, transfer: &Transfer<'_>, plan: &mut Plan) {
        let Transfer { to_card, bytes, bank, .. } = *transfer;
        TransferProfile::add_transfer(&mut self.transfers, to_card, bank, bytes);
        let [to, from] = &self.link;
        let rate = if to_card { to } else { from };
        let duration = rate.as_ref().map(|rate| bytes as f64 / rate.value.0);
        plan.add_transfer(transfer);
        let name = if to_card { "to card" } else { "from card" }.to_owned();
        let lane = if to_card { Lane::ToCard } else { Lane::FromCard };
        let (start, bank) = (0.0, Some(bank.to_owned()));
        self.spans.push(Span { lane, name, start, duration, bytes, bank, run: None });
    }

    /// What the copy needs of each bank.
    fn add_copy(
        &mut self,
        copy: &Copy<'_>,
        timer: &Timer<'_>,
        plan: &mut Plan,
    ) -> Vec<(usize, f64)> {
        self.copies.0 += 1;
        self.copies.1 += copy.bytes;
        plan.add_copy(copy);
        let (duration, banks) = timer.time_copy(copy);
        let (lane, name, start, bytes) = (Lane::Copy, "copy".to_owned(), 0.0, copy.bytes);
        self.spans.push(Span { lane, name, start, duration, bytes, bank: None, run: None });
        banks
    }

    /// What a unit moved by itself, and its place.
    fn add_free(&mut self, counted: &Counted, banks: &[Bank]) -> Option<usize> {
        let at = self.units.iter().rposition(|unit| unit.name == counted.unit)?;
        for one in counted.moved.iter().filter(|one| one.read + one.written > 0) {
            let bank = banks.iter().find(|bank| bank.holds(one.address));
            let bank = bank.map_or("no bank", |bank| bank.name.as_str());
            PortProfile::add_moved(&mut self.ports, &counted.unit, bank, one);
        }
        Some(at)
    }

    /// The place of its unit.
    fn add_run(
        &mut self,
        run: &Run<'_>,
        timer: &Timer<'_>,
        model: &mut dyn CycleModel,
        plan: &mut Plan,
    ) -> Option<usize> {
        // A design that was loaded later has the unit of this name.
        let at = self.units.iter().rposition(|unit| unit.name == run.unit)?;
        let unit = self.units.get_mut(at)?;
        let time = timer.time_run(run, &unit.kernel, &unit.plain, model);
        let duration = time.time.as_ref().map(|time| time.value.0);
        unit.launches += 1;
        unit.unknown += u64::from(duration.is_none());
        unit.bounds += u64::from(duration.is_some() && time.is_bound());
        let name = unit.kernel.clone();
        let moved = run.counted.map_or(&[][..], |counted| counted.moved.as_slice());
        let mut bytes = 0;
        let mut uses = Vec::new();
        for argument in run.arguments {
            let Some((buffer, bank)) = &argument.place else { continue };
            match moved.iter().find(|one| one.argument == argument.name) {
                Some(one) => {
                    bytes += one.read + one.written;
                    PortProfile::add_moved(&mut self.ports, run.unit, bank, one);
                    uses.extend((one.read > 0).then_some((*buffer, false)));
                    uses.extend((one.written > 0).then_some((*buffer, true)));
                }
                // Nothing counts it: it may do both.
                None => uses.push((*buffer, true)),
            }
        }
        plan.add_run(at, &uses);
        let (lane, start) = (Lane::Unit(at), 0.0);
        self.spans.push(Span { lane, name, start, duration, bytes, bank: None, run: Some(time) });
        Some(at)
    }

    /// Orders that depend on the threads of XRT go.
    fn sort_all(&mut self, banks: &[Bank]) {
        self.spans.sort_by(|a, b| {
            let key = |span: &Span| (span.lane, span.bytes);
            a.start
                .total_cmp(&b.start)
                .then_with(|| key(a).cmp(&key(b)))
                .then_with(|| a.name.cmp(&b.name))
                .then_with(|| a.bank.cmp(&b.bank))
        });
        let bank_of = |name: &str| banks.iter().position(|bank| bank.name == name);
        let unit_of = |name: &str| self.units.iter().rposition(|unit| unit.name == name);
        // The arguments of one unit come in their order.
        self.ports.sort_by_key(|one| unit_of(&one.unit));
        self.transfers.sort_by_key(|one| (!one.to_card, bank_of(&one.bank)));
    }
}
