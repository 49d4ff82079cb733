//! The timeline as trace events, for Perfetto and `chrome://tracing`: the JSON array form.

use anyhow::Error;
use derate_host::profile::{CardProfile, Lane, Span};
use derate_model::Platform;
use serde_json::{Value, json};

use super::page::{card_name, left_out_of, list_lanes};

/// One event a line.
pub(super) fn make_trace(cards: &[CardProfile], platform: &Platform) -> Result<Vec<u8>, Error> {
    let mut events = Vec::new();
    for (at, card) in cards.iter().enumerate() {
        let process = at + 1;
        let name = format!(
            "{} ({}): times Modelled, bytes Emulated, nothing measured",
            card_name(cards, at),
            platform.name
        );
        events.push(json!({
            "ph": "M", "name": "process_name", "pid": process, "tid": 0, "args": { "name": name }
        }));
        let thread_of = |lane| thread_of(lane, card.units.len());
        for (lane, name) in list_lanes(card) {
            let thread = thread_of(lane);
            events.push(json!({
                "ph": "M", "name": "thread_name", "pid": process, "tid": thread,
                "args": { "name": name }
            }));
            events.push(json!({
                "ph": "M", "name": "thread_sort_index", "pid": process, "tid": thread,
                "args": { "sort_index": thread }
            }));
        }
        let mut spans: Vec<&Span> = card.spans.iter().collect();
        spans.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.lane.cmp(&b.lane)));
        events
            .extend(spans.into_iter().map(|span| span_event(span, process, thread_of(span.lane))));
    }
    let mut text = String::from("[\n");
    for (at, event) in events.iter().enumerate() {
        text.push_str(&serde_json::to_string(event)?);
        text.push_str(if at + 1 == events.len() { "\n" } else { ",\n" });
    }
    text.push_str("]\n");
    Ok(text.into_bytes())
}

fn thread_of(lane: Lane, units: usize) -> usize {
    match lane {
        Lane::ToCard => 1,
        Lane::FromCard => 2,
        Lane::Unit(at) => at + 3,
        Lane::Copy => units + 3,
        Lane::Stream(at) => units + at + 4,
    }
}

/// Times are in microseconds. What takes an unknown time is an instant.
fn span_event(span: &Span, process: usize, thread: usize) -> Value {
    let microseconds = |seconds: f64| (seconds * 1e9).round() / 1e3;
    let mut about = match span.lane {
        Lane::Stream(_) => json!({ "elements are": "Emulated", "time is": "Modelled" }),
        _ => json!({ "bytes": span.bytes, "bytes are": "Emulated", "time is": "Modelled" }),
    };
    let Some(fields) = about.as_object_mut() else { return about };
    if let Some(bank) = &span.bank {
        fields.insert("bank".to_owned(), json!(bank));
    }
    if let Some(run) = &span.run {
        if let Ok(cycles) = &run.cycles {
            fields.insert("cycles".to_owned(), json!(cycles.value.0));
        }
        if let Some(held) = run.held_by {
            fields.insert("held down by".to_owned(), json!(held.as_str()));
        }
        let left_out = left_out_of(run);
        if !left_out.is_empty() {
            fields.insert("at least, because".to_owned(), json!(left_out.join("; ")));
        }
    }
    let mut event = json!({
        "name": span.name, "cat": "modelled", "pid": process, "tid": thread,
        "ts": microseconds(span.start), "args": about
    });
    if let Some(fields) = event.as_object_mut() {
        if let Some(duration) = span.duration {
            fields.insert("ph".to_owned(), json!("X"));
            fields.insert("dur".to_owned(), json!(microseconds(duration)));
        } else {
            fields.insert("ph".to_owned(), json!("i"));
            fields.insert("s".to_owned(), json!("t"));
        }
    }
    event
}
