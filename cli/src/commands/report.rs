//! `derate report`: all files or none.

mod files;
mod folder;
mod names;

use anyhow::Error;
use clap::ValueEnum;
use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_model::present;

use self::files::Subject;
use super::audit::text;
use crate::args::{Report, ReportFormat};
use crate::output::{self, Outcome};
use crate::project;

pub(crate) fn run(args: &Report) -> Result<Outcome, Error> {
    let analysis = project::load(&args.project, &args.preprocess)?;
    let audit = audit(&analysis);
    let estimate = estimate(&analysis);
    let validation = analysis.validation();
    let subject = Subject {
        analysis: &analysis,
        audit: &audit,
        estimate: &estimate,
        validation: validation.as_ref(),
        document: &present::report(&analysis, &audit, &estimate),
    };
    let asked = |format: &ReportFormat| args.format.is_empty() || args.format.contains(format);
    let mut files = Vec::new();
    for format in ReportFormat::value_variants().iter().filter(|format| asked(format)) {
        files.extend(subject.files(*format)?);
    }
    let owned = |name: &str| {
        asked(if name.ends_with(".csv") { &ReportFormat::Csv } else { &ReportFormat::Svg })
    };
    let gone = folder::write(&args.out, &files, owned)?;

    let mut out = text(&analysis, &audit);
    out.push('\n');
    let mut said = present::verdict(&audit, &estimate);
    said.extend(present::measurements(validation.as_ref()));
    out.push_str(&said.join("\n"));
    out.push_str("\n\n");
    out.push_str(&wrote(args, &files));
    for name in gone {
        out.push_str(&format!("removed {}: it is out of date\n", args.out.join(name).display()));
    }
    if asked(&ReportFormat::Svg) && subject.document.charts().next().is_none() {
        out.push_str("no roofline: no peak is known\n");
    }
    output::put(out.as_bytes())?;
    Ok(Outcome::Clean)
}

/// A line for each file, one for all tables.
fn wrote(args: &Report, files: &[files::File]) -> String {
    let kilobytes = |bytes: usize| bytes.div_ceil(1000);
    let (tables, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|(name, _)| name.starts_with("tables/"));
    let mut out = String::new();
    for (name, bytes) in others {
        let path = args.out.join(name);
        out.push_str(&format!("wrote {} ({} kB)\n", path.display(), kilobytes(bytes.len())));
    }
    if !tables.is_empty() {
        let bytes = tables.iter().map(|(_, bytes)| bytes.len()).sum();
        let path = args.out.join("tables");
        out.push_str(&format!(
            "wrote {}: {} tables as CSV ({} kB)\n",
            path.display(),
            tables.len(),
            kilobytes(bytes)
        ));
    }
    out
}
