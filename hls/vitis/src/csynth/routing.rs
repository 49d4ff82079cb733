//! What routing reached of a kernel.

use super::report::{Report, ReportKind, ReportOrder, RunPlace};
use crate::Span;

/// What routing reached.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct RoutedPeriod {
    /// The period in ns.
    pub period: f64,
    /// Where it is printed, or the slack that it follows from.
    pub span: Span,
    /// When it was routed, beside the synthesis.
    pub order: ReportOrder,
}

impl Report {
    /// What routing reached of this report's top, where it met the same target: a log in its folder or above it says so, or a timing
    /// summary of a design with an instance of it. `all` has the reports of its design.
    #[must_use]
    pub fn find_routed<'a>(
        &self,
        all: impl IntoIterator<Item = &'a Self> + Copy,
    ) -> Option<RoutedPeriod> {
        let RunPlace { top: Some(top), folder: Some(folder) } = self.run_place() else {
            return None;
        };
        let target = |one: &Self| one.clock.target.as_ref()?.value.known();
        let own = target(self).or(self.counted_period);
        let read = |one: &Self| match one.kind {
            ReportKind::Log => {
                let log = one.run_place();
                let above = log.folder?;
                let rest = folder.strip_prefix(above)?;
                let is_above = above.is_empty() || rest.is_empty() || rest.starts_with('/');
                let is_it = is_above && log.top == Some(top);
                let is_same = target(self).is_none() || target(self) == target(one);
                let routed = one.routed_period.as_ref().filter(|_| is_it && is_same)?;
                let period = routed.value.known().filter(|it| target(one) >= Some(*it))?;
                let order = one.order_beside(self, all);
                Some(RoutedPeriod { period, span: routed.span, order })
            }
            ReportKind::TimingSummary => {
                let clock = one.timing.as_ref()?.find_clock(own?, top)?;
                let slack = clock.slack.value;
                let is_met = slack >= 0.0 && one.is_routed_of(self);
                let order = one.order_beside(self, all);
                let period = clock.period - slack;
                is_met.then_some(RoutedPeriod { period, span: clock.slack.span, order })
            }
            _ => None,
        };
        let all = all.into_iter().filter_map(|one| Some((self.count_common(one), read(one)?)));
        // The nearest.
        all.max_by_key(|(common, _)| *common).map(|(_, routed)| routed)
    }

    /// Whether this timing summary is of a design with an instance of the other report's top, or one that v++ or `SDSoC` linked in
    /// the folder where it compiled that, or what HLS exported of its solution.
    #[must_use]
    pub fn is_routed_of(&self, other: &Self) -> bool {
        let build = |one: &Self| above_build(one.place.as_ref()?.folder()).map(str::to_owned);
        let Some(timing) = &self.timing else { return false };
        let other_place = other.run_place();
        let folder = self.run_place().folder.unwrap_or_default();
        let is_exported = || {
            let (solution, _) = folder.split_once("/impl/")?;
            Some(other_place.folder?.strip_prefix(solution)? == "/syn/report")
        };
        other_place.top.is_some_and(|top| timing.has_cell(top))
            || build(self).is_some() && build(self) == build(other)
            || is_exported() == Some(true)
    }
}

/// The folder in which v++ or `SDSoC` builds: it has all steps in `_x` or `_sds`.
fn above_build(folder: &str) -> Option<&str> {
    let marks = ["_x", "_sds"];
    let mut ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
    let mut start = 0;
    loop {
        let end = ends.next()?;
        if marks.contains(&&folder[start..end]) {
            return Some(folder[..start].trim_end_matches('/'));
        }
        start = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::above_build;

    #[test]
    fn a_build_lies_in_a_folder_of_its_own() {
        assert_eq!(above_build("a/Impl/_sds/p0/ipi/w.runs/impl_1"), Some("a/Impl"));
        assert_eq!(above_build("a/_x/link"), Some("a"));
        assert_eq!(above_build("_x/link"), Some(""));
        assert_eq!(above_build("a/b_x/link"), None);
    }
}
