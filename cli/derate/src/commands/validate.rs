//! `derate validate FILE...`: exit 0 where every file supports the claim.

use derate_model::load;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow, bail};
use derate_hls::Sources;
use derate_model::Project;
use derate_model::measurement::{BandwidthClaim, Recording, Validation, validate_recordings};
use derate_model::quantity::ParseQuantity;
use derate_model::units::BytesPerSecond;
use derate_reports::sections;

use crate::args::Validate;
use crate::output::{self, Outcome};

/// What the claim comes from, and the files where none was named.
struct Asked {
    /// The first is the one that counts.
    claims: Vec<BandwidthClaim>,
    /// Recordings that the project names.
    recordings: Vec<Recording>,
}

pub(crate) fn run(args: &Validate) -> Result<Outcome, Error> {
    let Asked { mut claims, mut recordings } = find_claims(args)?;
    if let Some(text) = &args.bandwidth {
        let given = BytesPerSecond::parse_quantity(text)
            .map_err(|error| anyhow!("--bandwidth: {error}"))?;
        claims = vec![BandwidthClaim::from_option(given)];
    }
    let mut errors = Vec::new();
    if !args.files.is_empty() {
        recordings.clear();
        for path in &args.files {
            match read_recording(path) {
                Ok(recording) => recordings.push(recording),
                Err(error) => errors.push(error),
            }
        }
    }
    let Some((claim, others)) = claims.split_first() else {
        bail!("no bandwidth is claimed: give one with --bandwidth");
    };
    let mut outcome = Outcome::Clean;
    if !recordings.is_empty() {
        let validation = validate_recordings(&command_words(args), &recordings, claim, others);
        output::put_as(args.format, &validation, || sections::validation(&validation))?;
        if !as_asked(args, &validation) {
            outcome = Outcome::Refused;
        }
    }
    let last = errors.pop();
    errors.iter().for_each(output::print_error);
    last.map_or(Ok(outcome), Err)
}

fn as_asked(args: &Validate, validation: &Validation) -> bool {
    match args.expect {
        Some(verdict) => validation.files.iter().all(|file| file.verdict == verdict),
        None => validation.is_supported(),
    }
}

fn read_recording(path: &Path) -> Result<Recording, Error> {
    Ok(Recording::parse(&path.to_string_lossy(), &load::read_text(path)?)?)
}

/// The claims and recordings of the project, or the default claim if there is no project.
fn find_claims(args: &Validate) -> Result<Asked, Error> {
    let place = match &args.project {
        Some(place) => place.clone(),
        // A claim of the command line needs no other.
        None if args.bandwidth.is_some() && !args.files.is_empty() => {
            return Ok(Asked { claims: Vec::new(), recordings: Vec::new() });
        }
        None if Path::new(load::FILE).exists() => PathBuf::from("."),
        None if args.files.is_empty() => {
            bail!(
                "no file is named, and there is no derate.toml here that names one: give what `derate bench` wrote"
            )
        }
        None => {
            return Ok(Asked { claims: vec![BandwidthClaim::of_u280()], recordings: Vec::new() });
        }
    };
    let mut sources = Sources::default();
    let (dir, project, platform) = load::load_claims(&place, &mut sources)?;
    let recordings = if args.files.is_empty() {
        project_recordings(&dir, &sources, &project)?
    } else {
        Vec::new()
    };
    Ok(Asked { claims: BandwidthClaim::of_project(&sources, &project, &platform), recordings })
}

fn project_recordings(
    dir: &Path,
    sources: &Sources,
    project: &Project,
) -> Result<Vec<Recording>, Error> {
    let recordings = load::read_recordings(dir, sources, project)?;
    if recordings.is_empty() {
        bail!(
            "no file is named, and {} names none under [measurements]: give what `derate bench` wrote",
            sources.name(project.file)
        );
    }
    Ok(recordings)
}

/// The words of the command that gives the result again.
fn command_words(args: &Validate) -> Vec<String> {
    let files = args.files.iter().map(|path| path.to_string_lossy().into_owned());
    let project = args.project.iter().map(|place| ("--project", place.to_string_lossy().into()));
    let bandwidth = args.bandwidth.iter().map(|text| ("--bandwidth", text.clone()));
    let options = project.chain(bandwidth);
    files.chain(options.flat_map(|(flag, value)| [flag.to_owned(), value])).collect()
}
