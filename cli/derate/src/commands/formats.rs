//! `derate formats`.

use derate_model::load;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use derate_model::Mixture;
use derate_model::formats::{self, FormatQuestion, FormatStudy, GivenFigures, OwnWeights};
use derate_model::operator::{GivenPeaks, Shape};
use derate_model::quantity::ParseQuantity;
use derate_model::units::BytesPerSecond;
use derate_reports::sections;

use super::platform::find_target;
use super::predict::read_any_points;
use super::report::{self, File};
use crate::args::Formats;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Formats) -> Result<Outcome, Error> {
    let platform = args.platform.as_deref();
    let target = platform.map(find_target).transpose()?;
    let mixture = |text: &String| Mixture::parse(text).map_err(|e| anyhow!("--precision: {e}"));
    let mixtures: Vec<Mixture> = args.precision.iter().map(mixture).collect::<Result<_, _>>()?;
    let points = match &args.points {
        Some(path) => read_any_points(path)?,
        None => Vec::new(),
    };
    let bandwidth = args.bandwidth.as_ref().map(|text| {
        BytesPerSecond::parse_quantity(text).map_err(|error| anyhow!("--bandwidth: {error}"))
    });
    let weights = args.weights.as_ref().map(|path| -> Result<OwnWeights, Error> {
        Ok(OwnWeights::parse(&path.display().to_string(), &load::read_text(path)?)?)
    });
    let question = FormatQuestion {
        target: target.as_ref().zip(platform),
        subject: parse_subject(args)?,
        mixtures: &mixtures,
        points: &points,
        given: GivenFigures {
            bandwidth: bandwidth.transpose()?,
            peaks: parse_peaks("peak", &args.peak)?,
            claims: parse_peaks("claim", &args.claim)?,
            weights: weights.transpose()?,
        },
        words: output::command_line(),
    };
    let study = question.study_formats().map_err(Error::msg)?;
    for point in points.iter().filter(|point| !study.has_point(&point.name)) {
        output::note(&format!(
            "note: the point `{}` begins with the name of no format that is shown, and is left out",
            point.name
        ));
    }
    let wrote = args.out.as_deref().map(|out| write_study(args, out, &study)).transpose()?;
    output::put_as(args.format, &study, || sections::formats(&study, sections::Figures::Without))?;
    if let Some(wrote) = wrote {
        output::note(wrote.trim_end());
    }
    Ok(Outcome::Clean)
}

fn parse_peaks(option: &str, texts: &[String]) -> Result<GivenPeaks, Error> {
    GivenPeaks::parse(texts).map_err(|error| anyhow!("--{option}: {error}"))
}

fn parse_subject(args: &Formats) -> Result<Option<Shape>, Error> {
    let gemm = args.gemm.as_deref().map(|text| (formats::parse_gemm(text), "--gemm"));
    let mlp = args.mlp.as_deref().map(|text| (formats::parse_mlp(text), "--mlp"));
    let given = gemm.or(mlp).map(|(subject, option)| subject.map_err(|e| anyhow!("{option}: {e}")));
    given.transpose()
}

/// The page, the Markdown, the figures and the tables; all or none.
fn write_study(args: &Formats, out: &Path, study: &FormatStudy) -> Result<String, Error> {
    let document = sections::formats(study, sections::Figures::With);
    let mut files: Vec<File> = vec![
        ("formats.html".to_owned(), derate_reports::render_html(&document)?),
        ("formats.md".to_owned(), derate_reports::render_markdown(&document)?),
    ];
    files.extend(report::picture_files(document.charts(), document.bars())?);
    files.extend(report::data_files(&sections::formats_data(study))?);
    let own = args.platform.iter().map(PathBuf::from);
    report::write_files(out, &files, args.points.iter().chain(&args.weights).cloned().chain(own))
}
