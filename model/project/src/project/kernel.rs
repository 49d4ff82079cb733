//! `[[kernel]]`: what computes what, and where its cycles come from.

use std::collections::BTreeMap;

use derate_hls::{Reason, Span, read_tool_version};

use super::checker::{Checker, optional, parse_precision};
use super::{Claim, ProjectError, raw, read_define};
use derate_units::{Bytes, Hertz, Precision};

/// No loop of a kernel has more iterations: 10^15 cycles are days.
const MOST_TRIPS: u64 = 1_000_000_000_000_000;

/// XRT knows at most this many compute units.
const MOST_UNITS: u64 = 128;

/// A kernel of the design.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSection {
    /// What it is called.
    pub name: Claim<String>,
    /// Parts and operations of the workload that it computes.
    pub serves: Vec<Claim<String>>,
    /// Calls per inference.
    pub calls: Option<Claim<u64>>,
    /// Compute units.
    pub units: Option<Claim<u64>>,
    /// Share of what it serves that it computes.
    pub share: Option<Claim<f64>>,
    /// Where its cycles come from.
    pub origin: KernelOrigin,
    /// The clock that it reaches.
    pub clock: Option<Claim<Hertz>>,
    /// The number format that it computes in.
    pub precision: Option<Claim<Precision>>,
    /// Bytes that the host sends to the card before each call.
    pub to_card: Option<Claim<Bytes>>,
    /// Bytes that it takes from the card after each call.
    pub from_card: Option<Claim<Bytes>>,
    /// The region of the chip that it is placed in, such as `SLR1`.
    pub slr: Option<Claim<String>>,
    /// What it takes of the card, as it is stated.
    pub used: StatedUse,
}

/// Where the cycles of a kernel come from.
#[derive(Clone, Debug, PartialEq)]
pub enum KernelOrigin {
    /// C++ that is modelled.
    Source(KernelSource),
    /// A synthesis report, perhaps with the C++ that it is of.
    Report(KernelReport),
    /// Loops that are described.
    Stages(StageList),
}

/// A synthesis report of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelReport {
    /// Its path, from the project's folder.
    pub path: Claim<String>,
    /// The C++ that it should be of.
    pub source: Option<KernelSource>,
}

/// C++ of a kernel, with paths from the project's folder.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSource {
    /// Paths or glob patterns.
    pub files: Vec<Claim<String>>,
    /// The top function.
    pub top: Option<Claim<String>>,
    /// Macros: name and value.
    pub defines: Vec<Claim<(String, String)>>,
    /// What a call passes for numbers among the arguments of the top function, by their names.
    pub arguments: BTreeMap<String, Claim<u64>>,
    /// Path of the directives.
    pub directives: Option<Claim<String>>,
    /// Year and release of the tool.
    pub tool: Option<Claim<(u16, u16)>>,
}

/// Described loops.
#[derive(Clone, Debug, PartialEq)]
pub struct StageList {
    /// In their order, at least one.
    pub stages: Vec<StageSection>,
    /// Whether they run at the same time.
    pub is_dataflow: bool,
    /// Bits of each port.
    pub port_bits: BTreeMap<String, Claim<u64>>,
}

/// A pipelined loop.
#[derive(Clone, Debug, PartialEq)]
pub struct StageSection {
    /// What it is called.
    pub name: Claim<String>,
    /// Iterations each time that it is entered.
    pub trips: u64,
    /// How often it is entered in one call.
    pub repeats: u64,
    /// Cycles between the starts of two iterations.
    pub ii: u64,
    /// Cycles of one iteration.
    pub depth: u64,
    /// Multiply-adds in one iteration.
    pub multiply_adds: f64,
    /// Bytes in one iteration, by port.
    pub bytes: BTreeMap<String, f64>,
}

/// Resources of a kernel, as they are stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedUse {
    /// DSP slices.
    pub dsp: Option<Claim<u64>>,
    /// Halves of block memories, 18 Kb each.
    pub bram18: Option<Claim<u64>>,
    /// `UltraRAM` blocks.
    pub uram: Option<Claim<u64>>,
    /// Look-up tables.
    pub lut: Option<Claim<u64>>,
    /// Flip-flops.
    pub ff: Option<Claim<u64>>,
}

fn read_tool(text: &str) -> Result<(u16, u16), Reason> {
    read_tool_version(text).ok_or_else(|| {
        Reason::from(format!("`{text}` is not a version of Vitis HLS: write one such as 2023.2"))
    })
}

fn read_schedule(text: &str) -> Result<bool, Reason> {
    match text {
        "sequential" => Ok(false),
        "dataflow" => Ok(true),
        other => Err(Reason::from(format!(
            "`{other}` is not a schedule of stages: write sequential or dataflow"
        ))),
    }
}

fn read_amount(amount: f64) -> Result<f64, Reason> {
    (amount.is_finite() && amount >= 0.0).then_some(amount).ok_or_else(|| {
        Reason::from(format!("{amount} is not an amount: write a number that is not negative"))
    })
}

fn read_units(units: i64) -> Result<u64, Reason> {
    u64::try_from(units).ok().filter(|units| (1..=MOST_UNITS).contains(units)).ok_or_else(|| {
        Reason::from(format!(
            "{units} is not a count of compute units: write a whole number from 1 to {MOST_UNITS}"
        ))
    })
}

fn read_share(share: f64) -> Result<f64, Reason> {
    (share > 0.0 && share <= 1.0).then_some(share).ok_or_else(|| {
        Reason::from(format!("{share} is not a share: write a number above 0 and at most 1"))
    })
}

impl Checker<'_> {
    pub(super) fn kernels(
        &self,
        raw: Vec<raw::Kernel>,
    ) -> Result<Vec<KernelSection>, ProjectError> {
        let mut kernels: Vec<KernelSection> = Vec::with_capacity(raw.len());
        for one in raw {
            let kernel = self.kernel(one)?;
            if kernels.iter().any(|other| other.name.value == kernel.name.value) {
                let reason = format!(
                    "the kernel `{}` is described twice: keep one, or give it another name",
                    kernel.name.value
                );
                return Err(ProjectError::at(self.sources, kernel.name.span, reason));
            }
            kernels.push(kernel);
        }
        Ok(kernels)
    }

    fn kernel(&self, raw: raw::Kernel) -> Result<KernelSection, ProjectError> {
        let name = self.text(raw.name)?;
        let whole = |n| self.whole(n);
        let used = StatedUse {
            dsp: optional(raw.dsp, whole)?,
            bram18: optional(raw.bram18, whole)?,
            uram: optional(raw.uram, whole)?,
            lut: optional(raw.lut, whole)?,
            ff: optional(raw.ff, whole)?,
        };
        let files = self.texts(raw.source)?;
        let report = optional(raw.report, |path| self.text(path))?;
        let defines = raw.defines.into_iter().flatten();
        let source = KernelSource {
            files,
            top: optional(raw.top, |top| self.text(top))?,
            defines: defines
                .map(|one| self.claim(one, |text| read_define(&text)))
                .collect::<Result<_, _>>()?,
            arguments: self.arguments(raw.arguments.unwrap_or_default())?,
            directives: optional(raw.directives, |path| self.text(path))?,
            tool: optional(raw.tool, |tool| self.claim(tool, |text| read_tool(&text)))?,
        };
        let schedule =
            optional(raw.schedule, |text| self.claim(text, |text| read_schedule(&text)))?;
        let port_bits = self.port_bits(raw.port_bits.unwrap_or_default())?;
        let stages: Vec<StageSection> = raw
            .stage
            .into_iter()
            .flatten()
            .map(|stage| self.stage(stage, &port_bits))
            .collect::<Result<_, _>>()?;
        if stages.is_empty() {
            let key = schedule.as_ref().map(|claim| claim.span);
            let key = key.or_else(|| port_bits.values().next().map(|claim| claim.span));
            self.refuse_key(key, "a schedule and port_bits are of stages: add [[kernel.stage]]")?;
        }
        if source.files.is_empty() {
            let keys = [
                source.top.as_ref().map(|one| one.span),
                source.directives.as_ref().map(|one| one.span),
                source.arguments.values().next().map(|one| one.span),
            ];
            let key = keys.into_iter().flatten().next();
            self.refuse_key(key, "top, directives and arguments are of C++: add source = [...]")?;
        }
        let origin = match (source.files.is_empty(), report, stages.is_empty()) {
            (false, None, true) => KernelOrigin::Source(source),
            (is_alone, Some(path), true) => {
                KernelOrigin::Report(KernelReport { path, source: (!is_alone).then_some(source) })
            }
            (true, None, false) => KernelOrigin::Stages(StageList {
                stages,
                is_dataflow: schedule.is_some_and(|claim| claim.value),
                port_bits,
            }),
            _ => {
                let reason = format!(
                    "the kernel `{}` needs exactly one of source, report and [[kernel.stage]], which say how long it takes; a report may have its source beside it",
                    name.value
                );
                return Err(ProjectError::at(self.sources, name.span, reason));
            }
        };
        Ok(KernelSection {
            name,
            serves: self.texts(raw.serves)?,
            calls: optional(raw.calls, whole)?,
            units: optional(raw.units, |n| self.claim(n, read_units))?,
            share: optional(raw.share, |share| self.claim(share, read_share))?,
            origin,
            clock: optional(raw.clock, |clock| self.quantity(clock))?,
            precision: optional(raw.precision, |text| {
                self.claim(text, |text| parse_precision(&text))
            })?,
            to_card: optional(raw.to_card, |text| self.amount_of_bytes(text))?,
            from_card: optional(raw.from_card, |text| self.amount_of_bytes(text))?,
            slr: optional(raw.slr, |text| self.text(text))?,
            used,
        })
    }

    fn refuse_key(&self, key: Option<Span>, reason: &str) -> Result<(), ProjectError> {
        key.map_or(Ok(()), |span| Err(ProjectError::at(self.sources, span, reason)))
    }

    fn arguments(
        &self,
        raw: BTreeMap<toml::Spanned<String>, toml::Spanned<i64>>,
    ) -> Result<BTreeMap<String, Claim<u64>>, ProjectError> {
        let number = |(name, value): (toml::Spanned<String>, toml::Spanned<i64>)| {
            let value = self.claim(value, |value| {
                u64::try_from(value).map_err(|_| {
                    Reason::from(format!(
                        "{value} is no size that a kernel gets: write a whole number from 0"
                    ))
                })
            })?;
            Ok((name.into_inner(), value))
        };
        raw.into_iter().map(number).collect()
    }

    fn port_bits(
        &self,
        raw: BTreeMap<toml::Spanned<String>, toml::Spanned<i64>>,
    ) -> Result<BTreeMap<String, Claim<u64>>, ProjectError> {
        let width = |(name, bits): (toml::Spanned<String>, toml::Spanned<i64>)| {
            let bits = self.claim(bits, |bits| {
                u64::try_from(bits).ok().filter(|bits| (1..=4096).contains(bits)).ok_or_else(|| {
                    Reason::from(format!(
                        "{bits} is not the width of a port: write bits from 1 to 4096"
                    ))
                })
            })?;
            Ok((name.into_inner(), bits))
        };
        raw.into_iter().map(width).collect()
    }

    fn stage(
        &self,
        raw: raw::Stage,
        ports: &BTreeMap<String, Claim<u64>>,
    ) -> Result<StageSection, ProjectError> {
        let count = |n| self.whole(n).map(|claim| claim.value);
        let mut bytes = BTreeMap::new();
        for (port, amount) in raw.bytes.unwrap_or_default() {
            let span = self.span(port.span());
            let port = port.into_inner();
            if !ports.contains_key(&port) {
                let reason = format!(
                    "the port `{port}` has no width: add it to port_bits of the kernel, such as {{ {port} = 512 }}"
                );
                return Err(ProjectError::at(self.sources, span, reason));
            }
            bytes.insert(port, self.claim(amount, read_amount)?.value);
        }
        Ok(StageSection {
            name: self.text(raw.name)?,
            trips: count(raw.trips)?,
            repeats: raw.repeats.map_or(Ok(1), count)?,
            ii: raw.ii.map_or(Ok(1), count)?,
            depth: count(raw.depth)?,
            multiply_adds: raw
                .multiply_adds
                .map_or(Ok(0.0), |n| self.claim(n, read_amount).map(|claim| claim.value))?,
            bytes,
        })
    }

    /// A whole number that is not negative.
    fn whole(&self, raw: toml::Spanned<i64>) -> Result<Claim<u64>, ProjectError> {
        self.claim(raw, |n| {
            u64::try_from(n).ok().filter(|n| *n <= MOST_TRIPS).ok_or_else(|| {
                Reason::from(format!(
                    "{n} is not a count: write a whole number from 0 to {MOST_TRIPS}"
                ))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::*;
    use derate_hls::Sources;

    fn read_kernels(kernels: &str) -> Result<Vec<KernelSection>, String> {
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", format!("[platform]\nname = \"u280\"\n{kernels}"));
        Project::parse(&sources, file).map(|project| project.kernels).map_err(|e| e.to_string())
    }

    #[test]
    fn stages_describe_a_kernel_without_code() {
        let kernels = read_kernels(
            "[[kernel]]\nname = \"attention\"\nserves = [\"vision.attention\"]\nschedule = \"dataflow\"\n\
             port_bits = { q = 8 }\n[[kernel.stage]]\nname = \"scores\"\ntrips = 1024\nrepeats = 64\ndepth = 20\n\
             multiply_adds = 16\nbytes = { q = 1 }\n",
        );
        let kernels = kernels.unwrap();
        let KernelOrigin::Stages(list) = &kernels[0].origin else { panic!("stages") };
        assert!(list.is_dataflow);
        assert_eq!((list.stages[0].trips, list.stages[0].ii), (1024, 1));
    }

    #[test]
    fn what_is_not_one_kernel_is_refused_with_its_line() {
        let stage = "[[kernel.stage]]\nname = \"s\"\ntrips = 1\ndepth = 1\n";
        for (text, line, word) in [
            ("name = \"a\"\n".to_owned(), 4, "exactly one"),
            (format!("name = \"a\"\nreport = \"r.rpt\"\n{stage}"), 4, "exactly one"),
            ("name = \"a\"\nreport = \"r.rpt\"\ntop = \"f\"\n".to_owned(), 6, "add source"),
            (format!("name = \"a\"\nschedule = \"both\"\n{stage}"), 5, "dataflow"),
            (format!("name = \"a\"\n{stage}bytes = {{ q = 1 }}\n"), 9, "port_bits"),
            (format!("name = \"a\"\n{stage}ii = -1\n"), 9, "whole number"),
            (format!("name = \"a\"\nshare = 1.5\n{stage}"), 5, "at most 1"),
            (format!("name = \"a\"\nunits = 0\n{stage}"), 5, "from 1 to 128"),
        ] {
            let error = read_kernels(&format!("[[kernel]]\n{text}")).unwrap_err();
            assert!(error.starts_with(&format!("derate.toml:{line}: ")), "{text}: {error}");
            assert!(error.contains(word) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
