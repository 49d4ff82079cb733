use derate_hls::{Report, ReportKind};

use derate_units::{Cycles, Figure, Provenance};

/// What a synthesis report says of its top function's latency.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedLatency {
    /// The top function.
    pub top: String,
    /// In the best case; `None` where the report prints the worst alone.
    pub best: Option<Figure<Cycles>>,
    /// In the worst case.
    pub worst: Figure<Cycles>,
}

/// Why a report gives no latency of its top function.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NoLatency {
    /// It is a report of another kind.
    #[error("no synthesis report: it prints no latency of a top function")]
    OtherReport,
    /// The report has the top function without its latency.
    #[error("no latency of {0} is printed")]
    NotPrinted(String),
    /// The tool itself does not know it.
    #[error("the tool does not know the latency of {top} (`{printed}`), {}", explain_loops(.loops))]
    Unknown {
        /// The top function.
        top: String,
        /// What the report prints.
        printed: String,
        /// The first loops that have no trip count.
        loops: Vec<String>,
    },
}

fn explain_loops(loops: &[String]) -> String {
    if loops.is_empty() {
        "and prints no loop that would say why".to_owned()
    } else {
        format!("as these loops have no trip count: {}", loops.join(", "))
    }
}

/// The latency of the top function, `Synthesised`. The tool assumes memory that never stalls: what it prints is a lower
/// bound where external memory is waited for.
pub fn reported_latency(report: &Report) -> Result<ReportedLatency, NoLatency> {
    let printed = matches!(
        report.kind,
        ReportKind::CsynthXml
            | ReportKind::SummaryXml
            | ReportKind::ModuleText
            | ReportKind::TreeText
    );
    let module = report.top_module().filter(|_| printed);
    let module = module.ok_or(NoLatency::OtherReport)?;
    let top = module.name.value.clone();
    let latency = module.latency.as_ref().ok_or_else(|| NoLatency::NotPrinted(top.clone()))?;
    let source = |case: &str| {
        format!("the synthesis report of {top}, {case}; external memory is taken never to stall")
    };
    let figure = |cycles: u64, case: &str| {
        Figure::new(Cycles(cycles as f64), Provenance::Synthesised, source(case))
    };
    let Some(worst) = latency.value.max() else {
        let loops = report
            .modules
            .iter()
            .flat_map(derate_hls::Module::all_loops)
            .filter(|one| one.trip_count.as_ref().is_none_or(|trips| trips.value.max().is_none()))
            .map(|one| one.name.value.clone())
            .take(5)
            .collect();
        return Err(NoLatency::Unknown { top, printed: latency.value.to_string(), loops });
    };
    let best = latency.value.min().filter(|_| !report.kind.worst_case_only());
    Ok(ReportedLatency {
        best: best.map(|best| figure(best, "best case")),
        worst: figure(worst, "worst case"),
        top,
    })
}
