use derate_model::measurement::{BytesFrom, Run};
use derate_model::units::{Bytes, Seconds};

use super::assembly::AtSize;
use derate_emulate::Ran;
use derate_emulate::emulator::{ExpectedTraffic, Modelled, Moved, TrafficDifference};

/// What the repetitions at one size come to, of a stream as of a product.
pub(super) struct Gathered<'a> {
    run: Run,
    /// What the model says that each unit moves.
    expected: &'a [ExpectedTraffic],
    findings: Vec<TrafficDifference>,
    modelled: Option<Modelled>,
}

impl<'a> Gathered<'a> {
    /// For `run`, whose bytes are those of the model in each of `units`, as long as no device counts them.
    pub(super) fn new(run: Run, expected: &'a [ExpectedTraffic], units: usize) -> Self {
        let total = |of: fn(&ExpectedTraffic) -> u64| {
            Some(Bytes(expected.iter().map(of).sum::<u64>() as f64 * units as f64))
        };
        let (bytes_read, bytes_written) = (total(|one| one.read), total(|one| one.written));
        let run = Run { bytes_read, bytes_written, ..run };
        Self { run, expected, findings: Vec::new(), modelled: None }
    }

    /// Takes a repetition. Its traffic counts in any case, its time only where it is not one of the warm-up.
    pub(super) fn take_run(&mut self, ran: Ran, timed: bool) {
        if !ran.counted.is_empty() {
            let sum = |of: fn(&Moved) -> u64| {
                let moved = ran.counted.iter().flat_map(|one| &one.moved);
                Some(Bytes(moved.map(of).sum::<u64>() as f64))
            };
            self.run.bytes_read = sum(|one| one.read);
            self.run.bytes_written = sum(|one| one.written);
            self.run.bytes_from = Some(BytesFrom::Counted);
        }
        for found in ran.counted.iter().filter_map(|one| TrafficDifference::of(one, self.expected))
        {
            found.add_to(&mut self.findings);
        }
        if !timed {
            return;
        }
        let wall = Seconds(ran.wall.as_secs_f64());
        match &ran.modelled {
            Some(one) => {
                self.run.seconds.push(one.time.value);
                self.run.wall_seconds.push(wall);
            }
            None => self.run.seconds.push(wall),
        }
        self.modelled = ran.modelled;
    }

    /// The run with what its check came to.
    pub(super) fn finish_run(
        self,
        check: Option<derate_model::measurement::ResultCheck>,
    ) -> AtSize {
        (Run { check, ..self.run }, self.findings, self.modelled)
    }
}
