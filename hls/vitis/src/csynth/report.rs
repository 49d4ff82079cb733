use super::achieved::{AchievedClock, ComputeUnit, Memory, Utilisation};
use super::attempt::Attempt;
use super::clock_periods::ClockPeriods;
use super::cosim::Cosim;
use super::date::ReportDate;
use super::figure::{Decimal, Located};
use super::module::Module;
use super::port::{Burst, MemoryPort, TopArgument};
use super::pragmas::ReportedPragma;
use super::routed::RoutedTiming;
use super::schedule::Schedule;
use crate::{Span, Unparsed};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

/// The version of the JSON form of every result in this module.
pub const REPORT_SCHEMA: &str = "derate.hls/1";

/// Which report a text is.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportKind {
    /// `<module>_csynth.xml`: one module.
    CsynthXml,
    /// `csynth.xml` with a list of all modules, since 2020.2.
    SummaryXml,
    /// `<module>_csynth.rpt`: one module, as text.
    ModuleText,
    /// `csynth.rpt`: the tree of modules and loops, since 2020.2. It prints worst cases only.
    TreeText,
    /// `<top>_cosim.rpt`: what the simulated RTL took.
    Cosim,
    /// `system_estimate*.xtxt`: what v++ expects of each compute unit.
    SystemEstimate,
    /// `xclbin.info`: clocks that were reached, memory banks, arguments.
    XclbinInfo,
    /// `kernel_util_*.rpt`: what the placed or routed kernels occupy.
    KernelUtilisation,
    /// `vitis_hls.log`: the messages of a synthesis.
    Log,
    /// `export_syn.xml`: what Vivado's synthesis made of an exported kernel.
    RtlSynthesis,
    /// `export_impl.xml`: what the kernel takes once it is placed and routed, and the clock that it reaches.
    Implementation,
    /// `*_timing_summary_routed.rpt`: the slack of each clock of a routed design.
    TimingSummary,
}

/// When a report was written, beside another one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ReportOrder {
    /// Before it.
    Older,
    /// Not before it.
    NotOlder,
    /// One of the two has no date.
    Unknown,
}

/// The top of a report and its folder: the reports of one run of the tool have both in common.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunPlace<'a> {
    pub(crate) top: Option<&'a str>,
    pub(crate) folder: Option<&'a str>,
}

impl ReportKind {
    /// Whether latencies are the worst case alone, so that a single number may hide a range.
    pub fn worst_case_only(self) -> bool {
        self == Self::TreeText
    }
}

/// Everything that was read of one report. Parts that the kind of report does not have are empty.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Which report it is.
    pub kind: ReportKind,
    /// The tool, where it names itself: `Vivado HLS`, `Vitis HLS`, `v++`.
    pub tool: Option<Located<String>>,
    /// The tool's version: `2022.2`.
    pub version: Option<Located<String>>,
    /// The part or platform.
    pub part: Option<Located<String>>,
    /// The family of the part, where the report names it: `zynq`.
    #[serde(skip)]
    pub(crate) family: Option<Located<String>>,
    /// When it was written.
    #[serde(skip)]
    pub(crate) date: Option<ReportDate>,
    /// The top function or the design.
    pub top: Option<Located<String>>,
    /// The report's clock periods. Modules may have their own.
    pub clock: ClockPeriods,
    /// The clock target of the whole design in MHz, where a frequency is printed
    /// (`system_estimate`). It is the platform's default; modules may say otherwise.
    pub target_frequency: Option<Located<Decimal>>,
    /// The period in ns that the tree counts its times with, where that is the target: its text prints no other.
    #[serde(skip)]
    pub counted_period: Option<f64>,
    /// The period in ns that the kernel reached once it was placed and routed, where a log says so.
    #[serde(skip)]
    pub routed_period: Option<Located<Decimal>>,
    /// Why its pipelines have their intervals, and which paths are too long, where a log says so.
    #[serde(skip)]
    pub schedule: Schedule,
    /// The last synthesis of a log, and whether it came to its end.
    #[serde(skip)]
    pub attempt: Option<Attempt>,
    /// The clocks of a routed design, of a `timing_summary`.
    #[serde(skip)]
    pub timing: Option<RoutedTiming>,
    /// `vivado` or `vitis`: decides what an `m_axi` port does by default. Vivado HLS prints none.
    pub flow_target: Option<Located<String>>,
    /// Modules, the top first where it is known.
    pub modules: Vec<Module>,
    /// The arguments of the top function, where the report lists them.
    #[serde(skip)]
    pub arguments: Vec<TopArgument>,
    /// Ports that are memories or streams outside, with the bits of their words: `BRAM`, `AXIS`.
    #[serde(skip)]
    pub word_ports: Vec<(String, u64)>,
    /// `m_axi` ports.
    pub ports: Vec<MemoryPort>,
    /// Bursts that were inferred, and accesses that miss one.
    pub bursts: Vec<Burst>,
    /// Where it says that the top starts and ends by itself (`ap_ctrl_none`), so that it has no latency.
    #[serde(skip)]
    pub free_running: Option<Span>,
    /// Where it says that no access is a burst.
    #[serde(skip)]
    pub no_burst: Option<Span>,
    /// Pragmas, and what the tool made of them.
    pub pragmas: Vec<ReportedPragma>,
    /// Co-simulation, one entry a language.
    pub cosim: Vec<Cosim>,
    /// Clocks that the bitstream reached.
    pub clocks: Vec<AchievedClock>,
    /// Memory banks.
    pub memories: Vec<Memory>,
    /// Compute units with their arguments.
    pub compute_units: Vec<ComputeUnit>,
    /// What kernels occupy.
    pub utilisation: Vec<Utilisation>,
    /// What could not be read, and why.
    #[serde(serialize_with = "serialize_unread")]
    pub unread: Vec<Unparsed>,
    /// Its folder, and whether it is of a whole synthesis.
    #[serde(skip)]
    pub place: Option<ReportPlace>,
}

/// Where a report is. `csynth.xml` is of the top, whatever its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportPlace {
    path: String,
    folder: String,
    is_whole: bool,
}

impl ReportPlace {
    pub(crate) fn of_path(path: &str) -> Self {
        let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        Self { path: path.to_owned(), folder: folder.to_owned(), is_whole: name == "csynth.xml" }
    }

    /// The whole path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The folder that it is in.
    #[must_use]
    pub fn folder(&self) -> &str {
        &self.folder
    }
}

impl Report {
    /// Whether it is `csynth.xml` of a tool that does not list modules there.
    #[must_use]
    pub fn is_whole_without_list(&self) -> bool {
        self.kind == ReportKind::CsynthXml && self.place.as_ref().is_some_and(|one| one.is_whole)
    }

    /// The clock uncertainty in ns: its own, or that of a report beside it which has the same target and is of its top.
    #[must_use]
    pub fn find_uncertainty<'a>(&self, all: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        let own = |one: &Self| one.clock.uncertainty.as_ref()?.value.known();
        own(self).or_else(|| self.list_beside(all).find_map(own))
    }

    /// Its top and its folder.
    pub(crate) fn run_place(&self) -> RunPlace<'_> {
        RunPlace {
            top: self.top.as_ref().map(|top| top.value.as_str()),
            folder: self.place.as_ref().map(|place| place.folder.as_str()),
        }
    }

    /// The reports of its top in its folder; none where it has no top.
    fn list_beside<'a>(
        &self,
        all: impl IntoIterator<Item = &'a Self>,
    ) -> impl Iterator<Item = &'a Self> {
        let own = self.run_place();
        all.into_iter().filter(move |one| own.top.is_some() && one.run_place() == own)
    }

    /// When it was written, beside another report. An XML report has no date of its own: that of a text of its run is taken.
    pub fn order_beside<'a>(
        &self,
        other: &Self,
        all: impl IntoIterator<Item = &'a Self> + Copy,
    ) -> ReportOrder {
        let is_xml =
            |one: &Self| matches!(one.kind, ReportKind::CsynthXml | ReportKind::SummaryXml);
        let date = |one: &Self| {
            let beside = || one.list_beside(all).find_map(|one| one.date);
            one.date.or_else(|| if is_xml(one) { beside() } else { None })
        };
        match date(self).zip(date(other)) {
            Some((own, other)) if own < other => ReportOrder::Older,
            Some(_) => ReportOrder::NotOlder,
            None => ReportOrder::Unknown,
        }
    }

    /// Whether it says when it was written.
    #[must_use]
    pub fn has_date(&self) -> bool {
        self.date.is_some()
    }

    /// Whether this report has a later date than the other.
    #[must_use]
    pub fn is_newer_than(&self, other: &Self) -> bool {
        self.date > other.date
    }

    /// How many folders the two reports have in common, from the top.
    #[must_use]
    pub fn count_common(&self, other: &Self) -> usize {
        let folders = |one: &Self| one.place.as_ref().map_or(String::new(), |it| it.folder.clone());
        let (own, other) = (folders(self), folders(other));
        own.split('/').zip(other.split('/')).take_while(|(a, b)| a == b).count()
    }

    /// Whether another report is of a module in this one's synthesis, where no report says so: it lies beside this one, is of the
    /// same version, part and clock, and has another top. `all` may have the text of this one's top, which lists what it calls.
    #[must_use]
    pub fn has_beside<'a>(&self, module: &Self, all: impl IntoIterator<Item = &'a Self>) -> bool {
        let is_module = matches!(module.kind, ReportKind::CsynthXml | ReportKind::ModuleText);
        if !self.is_whole_without_list() || !is_module || module.is_whole_without_list() {
            return false;
        }
        let word = |word: &Option<Located<String>>| word.as_ref().map(|word| word.value.clone());
        let run = |report: &Self| {
            let clock = report.clock.target.as_ref().map(|target| target.value.clone());
            let folder = report.place.as_ref().map(|place| place.folder.clone());
            (folder, word(&report.version), word(&report.part), clock)
        };
        let (Some(top), Some(other)) = (word(&self.top), word(&module.top)) else { return false };
        top != other
            && run(self) == run(module)
            && !all.into_iter().any(|one| {
                let is_text = one.kind == ReportKind::ModuleText;
                is_text && word(&one.top) == Some(top.clone()) && run(one).0 == run(self).0
            })
    }

    pub(crate) fn new(kind: ReportKind) -> Self {
        Self {
            place: None,
            kind,
            tool: None,
            version: None,
            part: None,
            family: None,
            date: None,
            top: None,
            clock: ClockPeriods::default(),
            target_frequency: None,
            counted_period: None,
            routed_period: None,
            schedule: Schedule::default(),
            attempt: None,
            timing: None,
            flow_target: None,
            modules: Vec::new(),
            arguments: Vec::new(),
            word_ports: Vec::new(),
            ports: Vec::new(),
            bursts: Vec::new(),
            no_burst: None,
            free_running: None,
            pragmas: Vec::new(),
            cosim: Vec::new(),
            clocks: Vec::new(),
            memories: Vec::new(),
            compute_units: Vec::new(),
            utilisation: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Notes a place that could not be read.
    pub(crate) fn note_unread(&mut self, span: Span, reason: impl Into<String>) {
        if self.unread.len() < UNREAD {
            self.unread.push(Unparsed { span, reason: reason.into() });
        }
    }

    /// The module of the top function: the one of that name, else the first.
    pub fn top_module(&self) -> Option<&Module> {
        let top = self.top.as_ref().map(|top| top.value.as_str());
        let named = self.modules.iter().find(|module| Some(module.name.value.as_str()) == top);
        named.or_else(|| self.modules.first())
    }
}

/// More unread places than this say nothing new.
const UNREAD: usize = 1000;

/// Places that could not be read, with their reasons.
pub(crate) fn serialize_unread<S: Serializer>(
    places: &[Unparsed],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Place<'a> {
        span: Span,
        reason: &'a str,
    }
    let mut all = serializer.serialize_seq(Some(places.len()))?;
    for Unparsed { span, reason } in places {
        all.serialize_element(&Place { span: *span, reason })?;
    }
    all.end()
}
