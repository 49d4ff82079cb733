//! A profile as a page.

use derate_host::profile::{CardProfile, Lane, RunTime, Span};
use derate_model::Platform;
use derate_reports::{
    Block, Cell, Document, KeyFigure, NumberFormat, Section, Timeline, TimelineLane, TimelineSpan,
};

use super::figures::{TimeUnit, integer, percent};
use super::tables::{port_table, stream_table, transfer_table, unit_table};

/// The colours of the timeline.
const TO_CARD: usize = 0;
const FROM_CARD: usize = 1;
const RUN: usize = 2;
const BOUND: usize = 3;
const FREE: usize = 4;
const STREAM: usize = 5;
const COPY: usize = 6;
const KINDS: [&str; 7] = [
    "host to card",
    "card to host",
    "run",
    "run, at least so long",
    "runs without a host",
    "stream",
    "copy, at least so long",
];

/// The lanes of the link.
pub(super) const LINKS: [(Lane, &str); 2] =
    [(Lane::ToCard, "host to card"), (Lane::FromCard, "card to host")];

/// What each time is made of.
const METHOD: &str = "Times are Modelled; nothing is measured, and this machine's clock is not in them. A run takes the longest of \
    its kernel's cycles, its ports and its banks; runs that share a bank slow each other. A transfer takes its bytes over the rate of the link; \
    one goes at a time, each way. Each begins as soon as its unit or the link is free, and those before it that use its buffers are over. A \
    program that waits for something else takes longer, and so does a card: calls of the host, the time before a first word, and waiting \
    on a stream are not in the model. A stream has one element in a cycle at most. A unit that runs without a host is drawn from the \
    first to the last run that it is connected to, a stream while the run that writes it goes on. A copy takes as long as its banks.";

/// `card 0`, or with a number where its device was started more than once.
pub(super) fn card_name(cards: &[CardProfile], at: usize) -> String {
    let Some(card) = cards.get(at) else { return String::new() };
    let before = cards.iter().take(at).filter(|one| one.card == card.card).count();
    match before {
        0 => format!("card {}", card.card),
        again => format!("card {}, start {}", card.card, again + 1),
    }
}

/// Why a card may take longer than the time of a run: clauses.
pub(super) fn left_out_of(run: &RunTime) -> Vec<String> {
    let cycles = run.cycles.as_ref().err().map(|why| format!("its cycles are unknown: {}", why.0));
    cycles.into_iter().chain(run.left_out.iter().cloned()).collect()
}

/// The whole page.
pub(super) fn make_page(cards: &[CardProfile], platform: &Platform, program: &str) -> Document {
    let mut sections = Vec::new();
    for (at, card) in cards.iter().enumerate() {
        let name = card_name(cards, at);
        let unit = TimeUnit::of(card.end());
        let mut blocks = vec![
            Block::KeyFigures(key_figures(card, unit)),
            Block::Timeline(make_timeline(card, &name, unit)),
            Block::Table(unit_table(&name, card, unit)),
        ];
        if !card.ports.is_empty() {
            blocks.push(Block::Table(port_table(&name, card)));
        }
        if !card.streams.is_empty() {
            blocks.push(Block::Table(stream_table(&name, card)));
        }
        if !card.transfers.is_empty() {
            blocks.push(Block::Table(transfer_table(&name, card, unit)));
        }
        blocks.extend(list_left_out(card).into_iter().map(Block::Prose));
        let mut title = name.clone();
        title.replace_range(..1, "C");
        sections.push(Section { name: title.clone(), title, blocks, appendix: false });
    }
    let (name, title) = ("Method".to_owned(), "How it is known".to_owned());
    let mut blocks = vec![Block::Prose(METHOD.to_owned())];
    blocks.extend(link_sources(cards).map(Block::Prose));
    sections.push(Section { name, title, blocks, appendix: false });
    Document {
        title: format!("Profile of {program}"),
        subtitle: format!(
            "{}, emulated: bytes and runs are counted (Emulated), times are Modelled, nothing is measured",
            platform.title
        ),
        controls: Vec::new(),
        sections,
    }
}

fn key_figures(card: &CardProfile, unit: TimeUnit) -> Vec<KeyFigure> {
    let end = card.end();
    let runs: u64 = card.units.iter().map(|unit| unit.launches).sum();
    let sum = |way: fn(&derate_host::profile::PortProfile) -> u64| card.ports.iter().map(way).sum();
    let least = if card.is_bound() { "At least" } else { "Modelled" };
    let figure = |label: String, how: &str, value: Cell| KeyFigure {
        label,
        values: vec![("Value".to_owned(), value), ("Known as".to_owned(), Cell::text(how))],
    };
    vec![
        figure("Runs of compute units".to_owned(), "Emulated: counted", integer(runs)),
        figure("Read by them (B)".to_owned(), "Emulated: counted", integer(sum(|one| one.read))),
        figure(
            "Written by them (B)".to_owned(),
            "Emulated: counted",
            integer(sum(|one| one.written)),
        ),
        figure(
            "Clock of the kernels (MHz)".to_owned(),
            "the design says it",
            Cell::number(card.clock.0 / 1e6, NumberFormat::Significant(4)),
        ),
        figure(format!("Time on the card ({})", unit.name), least, unit.cell(end)),
        figure(
            format!("Link busy, to the card ({})", unit.name),
            "Modelled",
            unit.cell(card.busy(Lane::ToCard)),
        ),
        figure(
            format!("Link busy, from the card ({})", unit.name),
            "Modelled",
            unit.cell(card.busy(Lane::FromCard)),
        ),
        figure(
            "Neither link nor unit busy".to_owned(),
            "Modelled",
            percent(card.idle(), end).unwrap_or(Cell::Empty),
        ),
    ]
}

/// The lanes of a card with their names: both ways of the link, and the units that ran.
pub(super) fn list_lanes(card: &CardProfile) -> impl Iterator<Item = (Lane, String)> {
    let units =
        card.units.iter().enumerate().filter(|(_, unit)| unit.launches > 0 || unit.busy > 0.0);
    let links = LINKS.map(|(lane, name)| (lane, name.to_owned()));
    let copies = (card.copies.0 > 0).then(|| (Lane::Copy, "buffer to buffer".to_owned()));
    let streams = card.streams.iter().enumerate();
    let streams =
        streams.map(|(at, one)| (Lane::Stream(at), format!("{} to {}", one.from, one.to)));
    let units = units.map(|(at, unit)| (Lane::Unit(at), unit.name.clone()));
    links.into_iter().chain(copies).chain(units).chain(streams)
}

fn make_timeline(card: &CardProfile, name: &str, unit: TimeUnit) -> Timeline {
    let end = card.end();
    let lanes: Vec<TimelineLane> = list_lanes(card)
        .map(|(lane, name)| {
            let mut spans: Vec<&Span> =
                card.spans.iter().filter(|span| span.lane == lane).collect();
            spans.sort_by(|a, b| a.start.total_cmp(&b.start));
            let share = if end > 0.0 { card.busy(lane) / end * 100.0 } else { 0.0 };
            let is_free = |at: usize| card.units.get(at).is_some_and(|unit| unit.is_free);
            let end = if spans.iter().any(|span| span.duration.is_none()) {
                "unknown".to_owned()
            } else if matches!(lane, Lane::Unit(at) if is_free(at)) {
                "no host".to_owned()
            } else {
                format!("{share:.1} % busy")
            };
            TimelineLane {
                name,
                end,
                spans: spans.into_iter().map(|one| draw(one, unit)).collect(),
            }
        })
        .collect();
    let spans = lanes.iter().flat_map(|lane| &lane.spans);
    // A legend of what every profile has, and of what is in this one.
    let kinds = spans.map(|span| span.kind + 1).fold(BOUND + 1, usize::max);
    let least = if card.is_bound() { "at least " } else { "" };
    Timeline {
        name: name.replace([' ', ','], "-"),
        title: format!("Modelled timeline of {name}"),
        caption: format!(
            "Modelled: {least}{} from the first step to the last. Where no bar is, a lane is idle. Nothing is measured.",
            unit.write(end)
        ),
        unit: unit.name.to_owned(),
        kinds: KINDS.iter().take(kinds).map(|kind| (*kind).to_owned()).collect(),
        lanes,
    }
}

fn draw(span: &Span, unit: TimeUnit) -> TimelineSpan {
    let kind = match (span.lane, &span.run) {
        (_, Some(run)) if run.is_bound() => BOUND,
        (_, Some(_)) => RUN,
        (Lane::ToCard, None) => TO_CARD,
        (Lane::FromCard, None) => FROM_CARD,
        (Lane::Unit(_), None) => FREE,
        (Lane::Stream(_), None) => STREAM,
        (Lane::Copy, None) => COPY,
    };
    let (from, to) = (unit.convert(span.start), unit.convert(span.end()));
    TimelineSpan { kind, name: span.name.clone(), from, to }
}

/// What the times of a card leave out: a sentence for each unit and reason.
fn list_left_out(card: &CardProfile) -> Vec<String> {
    let mut said: Vec<(String, String)> = Vec::new();
    for span in &card.spans {
        let (Lane::Unit(at), Some(run)) = (span.lane, &span.run) else { continue };
        let unit = card.units.get(at).map_or("", |unit| unit.name.as_str());
        for why in left_out_of(run) {
            match said.iter_mut().find(|(one, _)| *one == why) {
                Some((_, units)) if units.split(", ").any(|one| one == unit) => {}
                Some((_, units)) => *units = format!("{units}, {unit}"),
                None => said.push((why, unit.to_owned())),
            }
        }
    }
    let mut all: Vec<String> = said
        .into_iter()
        .map(|(why, units)| format!("{units} may take longer than the time here: {why}."))
        .collect();
    let free = card.units.iter().filter(|unit| unit.is_free);
    all.extend(free.map(|unit| {
        let plain = if unit.plain.is_empty() { "" } else { " Its plain pointers are not counted." };
        format!(
            "{} runs without a host: what it moved is counted, its cycles are not modelled, and it may be slower than what it is connected \
             to.{plain}",
            unit.name
        )
    }));
    let unused: Vec<&str> =
        card.units.iter().filter(|unit| !unit.is_used()).map(|unit| unit.name.as_str()).collect();
    if !unused.is_empty() {
        all.push(format!("Never started: {}.", unused.join(", ")));
    }
    if card.copies.0 > 0 {
        all.push(format!(
            "{} copies between buffers, of {} bytes, take at least as long as the banks of this card: what copies them is not modelled.",
            card.copies.0, card.copies.1
        ));
    }
    all
}

/// Where the rates of the link are from.
fn link_sources(cards: &[CardProfile]) -> Option<String> {
    let [to, from] = &cards.first()?.link;
    let say = |way: &str, rate: &Option<derate_model::Figure<_>>| match rate {
        Some(rate) => {
            let rate: &derate_model::Figure<derate_model::units::BytesPerSecond> = rate;
            format!("{way} {} GB/s ({}: {})", rate.value.0 / 1e9, rate.provenance, rate.source)
        }
        None => format!("{way} unknown: the platform file has no such rate in [host]"),
    };
    Some(format!("Rate of the link: {}; {}.", say("to the card", to), say("from it", from)))
}
