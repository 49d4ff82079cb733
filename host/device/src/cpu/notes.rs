//! What a figure of this machine's memory leaves out, in sentences.

use derate_model::measurement::{KernelKind, Measurement, Run};
use derate_model::quantity::shown;
use derate_model::units::{Bytes, Seconds};

use super::cache::LastCache;

/// So many times the last cache, and what is left in it of the repetition before is a small part.
const TIMES: f64 = 4.0;

/// The clock's steps and the start of the threads are about a microsecond: a hundredth part of this.
const SHORT: Seconds = Seconds(100e-6);

/// Data that stay in a cache, or that take no longer than the clock's own steps, give no bandwidth of a memory.
pub fn memory_notes(measurement: &Measurement, threads: usize) -> Vec<String> {
    list_notes(measurement, LastCache::of_this_machine().map(|cache| cache.of_threads(threads)))
}

fn list_notes(measurement: &Measurement, cache: Option<LastCache>) -> Vec<String> {
    let kind = measurement.kernel;
    let cached = measurement.runs.iter().filter_map(|run| note_cached(kind, run, cache?));
    let mut notes: Vec<String> = cached.collect();
    notes.extend(measurement.runs.iter().filter_map(note_short));
    notes
}

fn note_cached(kind: KernelKind, run: &Run, cache: LastCache) -> Option<String> {
    let size = run.size?;
    // A copy has its source and its target.
    let copies = if kind == KernelKind::Memcpy { 2.0 } else { 1.0 };
    let data = size * copies;
    let holds = Bytes(cache.total_bytes() as f64);
    if data.0 >= TIMES * holds.0 {
        return None;
    }
    let (what, figure) = if data > holds {
        ("a part of them may stay there", "may be partly the cache's")
    } else {
        ("they stay there", "is the cache's")
    };
    Some(format!(
        "At {} a repetition works on {}, and the last cache holds {}: {what} from one repetition to the next, so the bandwidth \
         {figure}, not the memory's. Take --size {} or more.",
        shown(size),
        shown(data),
        shown(holds),
        spell_mebibytes(holds * (TIMES / copies))
    ))
}

/// As `--size` is written: `'430 MiB'`, rounded up.
fn spell_mebibytes(bytes: Bytes) -> String {
    format!("'{} MiB'", (bytes.0 / f64::from(1 << 20)).ceil())
}

fn note_short(run: &Run) -> Option<String> {
    let (size, median) = (run.size?, run.median().filter(|&median| median < SHORT)?);
    Some(format!(
        "At {} a repetition takes {}: the steps of the clock and the start of the threads are not a small part of that. Take sizes \
         that take {} at least.",
        shown(size),
        shown(median),
        shown(SHORT)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, size: f64, seconds: f64) -> Measurement {
        let text = format!(
            r#"{{"schema": "derate.measurement/1", "kernel": "{kind}", "device": {{"kind": "cpu", "name": "x"}},
            "provenance": "measured", "source": "a test", "runs": [{{"size": {size}, "seconds": [{seconds}]}}]}}"#
        );
        Measurement::parse("m.json", &text).unwrap()
    }

    #[test]
    fn data_that_a_cache_holds_are_told() {
        let cache = LastCache { bytes: 32 << 20, count: 2 };
        let mib = f64::from(1 << 20);
        for (kind, size, threads, what) in [
            ("read", 32.0, 1, Some("they stay there")),
            ("read", 33.0, 1, Some("a part of them may")),
            ("read", 33.0, 2, Some("they stay there")),
            ("read", 128.0, 1, None),
            ("read", 128.0, 2, Some("a part of them may")),
            ("read", 256.0, 9, None),
            ("memcpy", 17.0, 1, Some("a part of them may")),
            ("memcpy", 64.0, 1, None),
        ] {
            let notes = list_notes(&of(kind, size * mib, 0.1), Some(cache.of_threads(threads)));
            assert_eq!(notes.len(), usize::from(what.is_some()), "{notes:?}");
            assert!(what.is_none_or(|what| notes[0].contains(what)), "{notes:?}");
        }
        let notes = list_notes(&of("memcpy", 1024.0, 0.1), Some(cache.of_threads(1)));
        assert!(
            notes[0].contains("works on 2.048 kB, and the last cache holds 33.55 MB"),
            "{notes:?}"
        );
        assert!(notes[0].ends_with("Take --size '64 MiB' or more."), "{notes:?}");
        // Where nobody tells of a cache nothing is said of it.
        assert_eq!(list_notes(&of("read", 1024.0, 0.1), None), Vec::<String>::new());
    }

    #[test]
    fn times_of_a_few_steps_of_the_clock_are_told() {
        assert!(
            list_notes(&of("read", 1024.0, 99e-6), None)[0].contains("a repetition takes 99 µs")
        );
        assert_eq!(list_notes(&of("read", 1024.0, 101e-6), None), Vec::<String>::new());
    }
}
