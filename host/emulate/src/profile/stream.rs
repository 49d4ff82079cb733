//! Streams between compute units, and the units that run without a host, on the modelled time axis.

use std::collections::BTreeSet;

use super::card::{CardProfile, Lane, Span};
use super::moved::{Flow, StreamProfile};
use crate::swemu::RecordedStream;

impl CardProfile {
    /// Adds what went through streams, once the spans of runs have their places.
    pub(super) fn add_flows(&mut self, flows: &[Flow<'_>]) {
        let moved = flows.iter().flat_map(|flow| flow.streams).filter(|one| one.elements > 0);
        for one in moved {
            let at = self.stream_of(one);
            if let Some(stream) = self.streams.get_mut(at) {
                let sum = if one.writes { &mut stream.written } else { &mut stream.read };
                *sum += one.elements;
            }
        }
        // Which run ended first is a matter of this machine.
        self.streams.sort_by(|a, b| (&a.from, &a.to, a.at).cmp(&(&b.from, &b.to, b.at)));
        self.add_stream_spans(flows);
        self.add_free_spans(flows);
    }

    fn stream_of(&mut self, one: &RecordedStream) -> usize {
        let known = |known: &StreamProfile| {
            (&known.from, &known.to, known.at) == (&one.from, &one.to, one.at)
        };
        self.streams.iter().position(known).unwrap_or_else(|| {
            let (from, to, at) = (one.from.clone(), one.to.clone(), one.at);
            self.streams.push(StreamProfile { from, to, at, written: 0, read: 0 });
            self.streams.len() - 1
        })
    }

    /// A stream is busy while the run that writes it goes on; where its writer runs by itself, while that is that reads it.
    fn add_stream_spans(&mut self, flows: &[Flow<'_>]) {
        let mut spans = Vec::new();
        for flow in flows {
            for one in flow.streams.iter().filter(|one| one.elements > 0) {
                let is_by_itself = |unit: &str| self.is_free(unit);
                let (start, duration) = match flow.span.and_then(|at| self.spans.get(at)) {
                    Some(span) if one.writes || is_by_itself(&one.from) => {
                        (span.start, span.duration)
                    }
                    None if one.writes && is_by_itself(&one.to) => {
                        let (start, end) = self.service_of(flow.unit, flows);
                        (start, Some(end - start))
                    }
                    _ => continue,
                };
                let known = |known: &StreamProfile| {
                    (&known.from, &known.to, known.at) == (&one.from, &one.to, one.at)
                };
                let Some(at) = self.streams.iter().position(known) else { continue };
                let (lane, name) = (Lane::Stream(at), format!("{} elements", one.elements));
                let (bytes, bank, run) = (0, None, None);
                spans.push(Span { lane, name, start, duration, bytes, bank, run });
            }
        }
        self.spans.extend(spans);
    }

    /// A unit by itself is busy from the first to the last run that it is connected to.
    fn add_free_spans(&mut self, flows: &[Flow<'_>]) {
        for flow in flows.iter().filter(|flow| flow.span.is_none()) {
            let at = flow.unit;
            let (start, end) = self.service_of(at, flows);
            let ports: u64 = match self.units.get(at) {
                Some(unit) => {
                    let own = self.ports.iter().filter(|port| port.unit == unit.name);
                    own.map(|port| port.read + port.written).sum()
                }
                None => continue,
            };
            if ports == 0 && flow.streams.iter().all(|one| one.elements == 0) {
                continue;
            }
            let Some(unit) = self.units.get_mut(at) else { continue };
            unit.busy = end - start;
            let name = unit.kernel.clone();
            let (lane, duration, bytes) = (Lane::Unit(at), Some(end - start), ports);
            self.spans.push(Span { lane, name, start, duration, bytes, bank: None, run: None });
        }
    }

    fn is_free(&self, unit: &str) -> bool {
        self.units.iter().rev().find(|one| one.name == unit).is_some_and(|one| one.is_free)
    }

    /// From the start of the first to the end of the last run that reaches a unit through streams and others that run by
    /// themselves; the whole axis where none does.
    fn service_of(&self, unit: usize, flows: &[Flow<'_>]) -> (f64, f64) {
        let name = |at: usize| self.units.get(at).map_or("", |unit| unit.name.as_str());
        let (mut known, mut open) = (BTreeSet::from([name(unit)]), vec![name(unit)]);
        while let Some(one) = open.pop() {
            if !self.is_free(one) {
                continue;
            }
            for stream in &self.streams {
                let ends = [(&stream.from, &stream.to), (&stream.to, &stream.from)];
                for (_, other) in ends.into_iter().filter(|(own, _)| *own == one) {
                    if known.insert(other) {
                        open.push(other);
                    }
                }
            }
        }
        let runs = flows.iter().filter(|flow| {
            known.contains(name(flow.unit)) && flow.streams.iter().any(|one| one.elements > 0)
        });
        let spans = runs.filter_map(|flow| self.spans.get(flow.span?));
        let reach = spans.fold(None, |reach: Option<(f64, f64)>, span| {
            let (start, end) = reach.unwrap_or((span.start, span.end()));
            Some((start.min(span.start), end.max(span.end())))
        });
        reach.unwrap_or_else(|| (0.0, self.end()))
    }
}
