//! `[[measured]]`: times of kernels and of the inference.

use derate_hls::{Reason, Span};

use super::checker::{Checker, optional};
use super::{Claim, KernelSection, ProjectError, raw};
use derate_units::Seconds;

/// What took a time.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Timer {
    /// The card: from the start of a kernel to its end.
    Card,
    /// The host: with what a call and transfers take.
    Host,
}

/// A time that was measured, or a file with several.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredSection {
    /// The kernel that it is of; `None` for the inference, or for all that a file names.
    pub kernel: Option<Claim<String>>,
    /// Where the time is.
    pub origin: MeasuredOrigin,
}

/// Where a measured time is.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasuredOrigin {
    /// In `derate.toml`.
    Stated {
        /// Of one call or one inference.
        time: Claim<Seconds>,
        /// Who measured it, on what.
        source: Claim<String>,
        /// What took it, where that is said.
        timer: Option<Claim<Timer>>,
    },
    /// Path of XRT's `summary.csv`, from the project's folder.
    Summary(Claim<String>),
    /// Path of the host's timestamps, from the project's folder.
    Timestamps(Claim<String>),
}

impl MeasuredSection {
    /// The line that a finding about it is shown at.
    pub fn span(&self) -> Span {
        match &self.origin {
            MeasuredOrigin::Stated { time, .. } => time.span,
            MeasuredOrigin::Summary(path) | MeasuredOrigin::Timestamps(path) => path.span,
        }
    }
}

fn read_timer(text: &str) -> Result<Timer, Reason> {
    match text {
        "card" => Ok(Timer::Card),
        "host" => Ok(Timer::Host),
        other => Err(Reason::from(format!("`{other}` does not take times: write card or host"))),
    }
}

impl Checker<'_> {
    pub(super) fn measured(
        &self,
        raw: Vec<raw::Measured>,
        kernels: &[KernelSection],
        at: Span,
    ) -> Result<Vec<MeasuredSection>, ProjectError> {
        raw.into_iter().map(|one| self.measured_one(one, kernels, at)).collect()
    }

    fn measured_one(
        &self,
        raw: raw::Measured,
        kernels: &[KernelSection],
        at: Span,
    ) -> Result<MeasuredSection, ProjectError> {
        let refuse = |span: Span, reason: &str| Err(ProjectError::at(self.sources, span, reason));
        let kernel = optional(raw.kernel, |name| self.text(name))?;
        if let Some(name) = &kernel
            && !kernels.iter().any(|one| one.name.value == name.value)
        {
            let names: Vec<&str> = kernels.iter().map(|one| one.name.value.as_str()).collect();
            let reason = format!(
                "`{}` is not a [[kernel]]: there are {}",
                name.value,
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            );
            return refuse(name.span, &reason);
        }
        let time = optional(raw.time, |time| self.quantity::<Seconds>(time))?;
        let source = optional(raw.source, |source| self.text(source))?;
        let timer = optional(raw.timed_by, |timer| self.claim(timer, |text| read_timer(&text)))?;
        let summary = optional(raw.summary, |path| self.text(path))?;
        let timestamps = optional(raw.timestamps, |path| self.text(path))?;
        let place = [
            kernel.as_ref().map(|one| one.span),
            time.as_ref().map(|one| one.span),
            source.as_ref().map(|one| one.span),
            timer.as_ref().map(|one| one.span),
            summary.as_ref().map(|one| one.span),
            timestamps.as_ref().map(|one| one.span),
        ];
        let place = place.into_iter().flatten().next().unwrap_or(at);
        let origin = match (time, summary, timestamps) {
            (Some(time), None, None) => {
                let Some(source) = source else {
                    return refuse(
                        time.span,
                        "a measured time needs its source: add source = \"who measured it, on what\"",
                    );
                };
                MeasuredOrigin::Stated { time, source, timer }
            }
            (None, Some(path), None) => MeasuredOrigin::Summary(path),
            (None, None, Some(path)) => MeasuredOrigin::Timestamps(path),
            _ => {
                return refuse(
                    place,
                    "[[measured]] needs exactly one of time, summary and timestamps",
                );
            }
        };
        Ok(MeasuredSection { kernel, origin })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::*;
    use derate_hls::Sources;

    fn read(text: &str) -> Result<Vec<MeasuredSection>, String> {
        let mut sources = Sources::default();
        let kernel = "[[kernel]]\nname = \"k\"\nreport = \"k.rpt\"\n";
        let text = format!("[platform]\nname = \"u280\"\n{kernel}[[measured]]\n{text}");
        let file = sources.add("derate.toml", text);
        Project::parse(&sources, file).map(|project| project.measured).map_err(|e| e.to_string())
    }

    #[test]
    fn a_time_has_a_source_and_a_kernel_that_there_is() {
        let read_one = read("kernel = \"k\"\ntime = \"2.5 ms\"\nsource = \"our card\"\n").unwrap();
        let MeasuredOrigin::Stated { time, .. } = &read_one[0].origin else { panic!("stated") };
        assert_eq!(time.value, Seconds(0.0025));
        for (text, line, word) in [
            ("time = \"2.5 ms\"\n", 7, "source"),
            ("kernel = \"q\"\nsummary = \"s.csv\"\n", 7, "there are k"),
            ("time = \"2.5 ms\"\nsource = \"me\"\nsummary = \"s.csv\"\n", 7, "exactly one"),
            ("time = \"soon\"\nsource = \"me\"\n", 7, "not a time"),
            ("time = \"1 s\"\nsource = \"me\"\ntimed_by = \"me\"\n", 9, "card or host"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(&format!("derate.toml:{line}: ")), "{text}: {error}");
            assert!(error.contains(word) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
