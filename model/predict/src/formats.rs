//! What a number format does to a workload: bits, operational intensity, distance to the ridge of its own arithmetic, and
//! bit-level intensity. `derate.formats/1`.

mod circuit;
mod encoding_note;
mod given;
mod note;
mod row;
mod subject;

pub use circuit::{BitIntensity, CircuitWeights};
pub use encoding_note::note_encoding;
pub use given::{ClaimedPeak, GivenFigures, OwnWeights, WeightsError, weigh_circuit};
pub use row::{AchievedPoint, ConditionalBound, FormatRow};
pub use subject::{parse_gemm, parse_mlp};

use serde::Serialize;

use derate_machine::Target;
use derate_measure::points::MeasuredPoint;
use derate_units::command::quote_word;
use derate_units::{BytesPerSecond, Figure, Mixture, Provenance};
use derate_workload::operator::Shape;
use subject::Studied;

/// A workload in several formats, on a target or on none.
#[derive(Debug, Serialize)]
pub struct FormatStudy {
    schema: &'static str,
    command: String,
    /// The card or processor whose peaks and bandwidth count.
    pub platform: Option<String>,
    /// What its memory carries at most.
    pub bandwidth: Option<Figure<BytesPerSecond>>,
    /// The workload.
    pub subject: Option<Shape>,
    /// The same for headings.
    #[serde(skip)]
    pub title: Option<String>,
    /// A row for each format, in the order that was asked for.
    pub rows: Vec<FormatRow>,
    /// Claimed peaks beside the platform's own.
    pub claims: Vec<ClaimedPeak>,
    /// What to know of all rows.
    pub notes: Vec<String>,
}

/// What is studied.
#[derive(Clone, Debug)]
pub struct FormatQuestion<'a> {
    /// The card or processor, and the name or path that it was asked for by.
    pub target: Option<(&'a Target, &'a str)>,
    /// The workload.
    pub subject: Option<Shape>,
    /// The formats; none for all that have a name.
    pub mixtures: &'a [Mixture],
    /// What was measured: a point belongs to the format that its name begins with.
    pub points: &'a [MeasuredPoint],
    /// Figures in place of the platform's, or beside them.
    pub given: GivenFigures,
    /// The command line, where figures were given.
    pub words: String,
}

impl FormatQuestion<'_> {
    /// Computes a row for each format. The error is a sentence for a workload of which there is no study.
    pub fn study_formats(&self) -> Result<FormatStudy, String> {
        let studied = self.subject.as_ref().map(Studied::new).transpose()?;
        let all: Vec<Mixture>;
        let mixtures = if self.mixtures.is_empty() {
            all = derate_units::Encoding::catalogue().into_iter().map(Mixture::of).collect();
            &all
        } else {
            self.mixtures
        };
        let target = self.target.map(|(target, _)| target);
        let subject = self.subject.as_ref().zip(studied.as_ref().map(|own| own.weights));
        let row =
            |mixture: &Mixture| FormatRow::of(*mixture, subject, target, self.points, &self.given);
        let rows: Vec<FormatRow> = mixtures.iter().map(row).collect();
        Ok(FormatStudy {
            schema: "derate.formats/1",
            command: self.command_line(studied.as_ref()),
            platform: self.target.map(|(_, name)| name.to_owned()),
            bandwidth: target.map(|target| self.given.bandwidth_of(target)),
            claims: target.map_or_else(Vec::new, |target| self.list_claims(target, &rows)),
            subject: self.subject,
            notes: note::note_study(&rows, self.subject.is_some(), target),
            title: studied.map(|own| own.title),
            rows,
        })
    }

    /// Each arithmetic of the rows that somebody claims a peak of.
    fn list_claims(&self, target: &Target, rows: &[FormatRow]) -> Vec<ClaimedPeak> {
        let bandwidth = self.given.bandwidth_of(target).value;
        let mut all: Vec<ClaimedPeak> = Vec::new();
        for row in rows {
            let Some(claimed) = self.given.claims.of(row.arithmetic) else { continue };
            if all.iter().any(|known| known.arithmetic == row.arithmetic) {
                continue;
            }
            let own = row.peak.as_ref().map(|peak| peak.value);
            all.push(ClaimedPeak {
                arithmetic: row.arithmetic,
                claimed,
                claimed_ridge: claimed / bandwidth,
                own,
                own_ridge: own.map(|own| own / bandwidth),
                ratio: own.map(|own| claimed / own),
            });
        }
        all
    }

    /// The command that gives it again; measured points are not in it.
    fn command_line(&self, studied: Option<&Studied>) -> String {
        if self.given != GivenFigures::default() {
            return self.words.clone();
        }
        let mut words = vec!["derate formats".to_owned()];
        if let Some((_, name)) = self.target {
            words.push(format!("--platform {}", quote_word(name)));
        }
        words.extend(studied.map(|own| own.option.clone()));
        words.extend(
            self.mixtures.iter().map(|m| format!("--precision {}", quote_word(&m.to_string()))),
        );
        words.push("--format json".to_owned());
        words.join(" ")
    }
}

impl GivenFigures {
    /// The one that is given, else the target's.
    fn bandwidth_of(&self, target: &Target) -> Figure<BytesPerSecond> {
        let source = "--bandwidth on the command line";
        let given = self.bandwidth.map(|own| Figure::new(own, Provenance::Assumed, source));
        given.unwrap_or_else(|| target.bandwidth())
    }
}

impl FormatStudy {
    /// Whether a measured point of that name belongs to one of the rows.
    pub fn has_point(&self, point: &str) -> bool {
        self.rows.iter().flat_map(|row| &row.achieved).any(|achieved| achieved.name == point)
    }
}

#[cfg(test)]
mod tests;
