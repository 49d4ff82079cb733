//! Loops of which something is not a number.

use crate::known_figures::{KnownFigures, find_unknown};
use crate::module_names::{base_of, top_name};
use crate::{Figure, Located, Report, ReportedLoop};

/// What is not known of a loop.
#[derive(Copy, Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum UnknownFigure {
    /// How often it runs.
    Trips,
    /// Its trip count is all that the type of a variable bound allows.
    Range,
    /// It runs without end: `inf`.
    Endless,
    /// How long it takes, though it is known how often it runs.
    Latency,
}

impl UnknownFigure {
    /// `trips`, `range`, `endless` or `latency`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trips => "trips",
            Self::Range => "range",
            Self::Endless => "endless",
            Self::Latency => "latency",
        }
    }
}

/// A loop of which something is not a number.
#[derive(Clone, Debug)]
pub struct OpenLoop<'a> {
    /// The function that it is in.
    pub module: &'a str,
    /// Its own name.
    pub name: &'a str,
    /// Which figure is not a number.
    pub unknown: UnknownFigure,
    /// What is printed in place of the number.
    pub figure: &'a Located<Figure>,
    inner: &'a [ReportedLoop],
}

impl OpenLoop<'_> {
    /// Whether a loop inside has a figure that is not a number.
    #[must_use]
    pub fn has_open_inside(&self) -> bool {
        let mut open: Vec<&ReportedLoop> = self.inner.iter().collect();
        while let Some(one) = open.pop() {
            let figures = [&one.trip_count, &one.latency];
            if figures.into_iter().any(|figure| find_unknown(figure.as_ref()).is_some()) {
                return true;
            }
            open.extend(&one.loops);
        }
        false
    }
}

/// The loops whose trip count is not a number, and those whose latency is not, though their trip count is.
#[must_use]
pub fn list_open<'a>(report: &'a Report, known: &KnownFigures<'a>) -> Vec<OpenLoop<'a>> {
    let top = top_name(report);
    let all = report.modules.iter().flat_map(|module| {
        let name = module.name.value.as_str();
        module.all_loops().into_iter().map(move |one| (name, one))
    });
    let find_open = |(module, one): (&'a str, &'a ReportedLoop)| {
        let trips = find_unknown(one.trip_count.as_ref());
        let (unknown, figure) = match trips {
            Some(_) if known.has_trips(module, top, one) => return None,
            Some(trips) if is_endless(&trips.value) => (UnknownFigure::Endless, trips),
            Some(trips) => (UnknownFigure::Trips, trips),
            None => {
                let trips = one.trip_count.as_ref()?;
                if trips.value.is_type_range() {
                    let name = one.name.value.as_str();
                    return Some(OpenLoop {
                        module: base_of(module),
                        name,
                        unknown: UnknownFigure::Range,
                        figure: trips,
                        inner: &one.loops,
                    });
                }
                let latency = find_unknown(one.latency.as_ref())?;
                let is_known = known.has_latency(module, top, one) || known.has_module(module);
                (!is_known).then_some((UnknownFigure::Latency, latency))?
            }
        };
        let (module, name) = (base_of(module), one.name.value.as_str());
        Some(OpenLoop { module, name, unknown, figure, inner: &one.loops })
    };
    all.filter_map(find_open).collect()
}

fn is_endless(figure: &Figure) -> bool {
    matches!(figure, Figure::Unknown(word) if word.trim().eq_ignore_ascii_case("inf"))
}
