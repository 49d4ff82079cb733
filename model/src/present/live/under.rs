//! What is asked of a scenario under any schedule.

use derate_reports::Formula;
use derate_reports::formula::{at, choose, text};

use super::cell::or_unknown;
use super::followed::Followed;
use super::sums::{Place, total};

// Parts by their place among those that run; after the last, the whole inference.
impl Followed<'_> {
    fn places(&self) -> impl Iterator<Item = &Place> {
        let parts = self.scenario.parts.iter().zip(&self.sheet.parts);
        parts.filter(|(part, _)| part.runs).map(|(_, place)| place)
    }

    /// The bound; of the whole inference, the roof that takes the larger share of time.
    pub(in crate::present) fn bound(&self, at: usize) -> Formula {
        let table = &self.sheet.table.name;
        if let Some(place) = self.places().nth(at) {
            return place.ratio(table, "bound");
        }
        let compute = total(self.places().map(|place| place.bound_by(table, "compute")));
        // A text is no time.
        let time = self.figure(at, "time") * 1.0;
        or_unknown(choose((compute * 2.0).at_least(time), text("compute"), text("memory")))
    }

    /// Intensity and rate of a part that runs, in OP/B and OP/s.
    pub(in crate::present) fn running_point(&self, part: usize) -> Option<[Formula; 2]> {
        let place = self.places().nth(part)?;
        let cell = |key: &str| at(&self.sheet.table.name, key, place.total);
        Some([cell("oi"), cell("attainable") * 1e9])
    }
}
