//! The time that a search may take, with its progress on a terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use derate_model::explore::Progress;

use crate::{output, session};

/// The progress is shown at this interval.
const TICK: Duration = Duration::from_millis(200);

/// The share of the time that a search has whose designs are made simple after it.
const SEARCHED: f64 = 0.9;

/// A time that runs.
pub(super) struct Clock {
    begun: Instant,
    seconds: f64,
    shown: Cell<Instant>,
    /// What is searched, before the count of designs.
    title: String,
}

impl Clock {
    pub(super) fn start(seconds: f64) -> Self {
        let now = Instant::now();
        Self { begun: now, seconds, shown: Cell::new(now), title: String::new() }
    }

    /// A clock for a part of what is left, under a title.
    pub(super) fn share(&self, parts: usize, title: &str) -> Self {
        let left = (self.seconds - self.begun.elapsed().as_secs_f64()).max(0.0);
        Self { title: format!("{title}: "), ..Self::start(left / parts.max(1) as f64) }
    }

    /// Whether there is time left; shows how far the search is.
    pub(super) fn goes_on(&self, progress: &Progress) -> bool {
        let now = Instant::now();
        if now - self.shown.get() > TICK && output::shows_progress() {
            self.shown.set(now);
            let settled = 100.0 * progress.settled / progress.designs.max(1.0);
            let left = (self.seconds - self.begun.elapsed().as_secs_f64()).max(0.0);
            let text = format!(
                "{}{} designs, {settled:.0} % of the space, {left:.0} s left",
                self.title, progress.evaluated
            );
            output::show_share(&text, Some((1.0 - left / self.seconds).max(settled / 100.0)));
        }
        self.has_time()
    }

    /// Whether there is time left.
    pub(super) fn has_time(&self) -> bool {
        self.begun.elapsed().as_secs_f64() < self.seconds && !session::is_stopped()
    }

    /// A clock that ends earlier: the rest of the time is for what comes after the search.
    pub(super) fn of_search(&self) -> Self {
        let left = (self.seconds - self.begun.elapsed().as_secs_f64()).max(0.0);
        Self { title: self.title.clone(), ..Self::start(SEARCHED * left) }
    }

    /// Whether half of the time is gone.
    pub(super) fn is_half(&self) -> bool {
        self.begun.elapsed().as_secs_f64() > self.seconds / 2.0
    }
}
