//! `derate shapes FILE`.

use anyhow::Error;
use derate_hls::Sources;
use derate_model::ModelShape;
use derate_model::load;
use derate_reports::readings;

use crate::args::Shapes;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Shapes) -> Result<Outcome, Error> {
    let name = args.file.to_string_lossy().into_owned();
    let mut sources = Sources::default();
    let workload = match args.read_as {
        None => load::read_workload(
            &args.file,
            &name,
            &args.dimension.iter().cloned().collect(),
            &mut sources,
        )?,
        Some(_) => None,
    };
    let (shape, graph) = if let Some(loaded) = workload {
        (loaded.shape, Some(loaded.graph))
    } else {
        let file = sources.add(name.clone(), load::read_dump(&args.file)?);
        (ModelShape::parse(&sources, file, args.read_as)?, None)
    };
    let (report, document) = readings::shapes(&sources, &shape, &name, graph.as_ref());
    output::put_as(args.format, &report, || document)?;
    Ok(Outcome::Clean)
}
