//! `derate emu xclbin --output X KERNELS.cpp... --config u280.cfg`.

use derate_model::load;
use std::fs;

use anyhow::{Context, Error, anyhow};
use derate_hls::{Loaded, Sources, parse_project, read_connectivity};
use derate_host::emulator::{CompileError, UNCHECKED, build_kernels, find_header};
use derate_host::xclbin::{link_design, make_payload};
use derate_model::Includes;

use crate::args::BuildXclbin;
use crate::commands::platform::find_card;
use crate::load::read_named;
use crate::output::{self, Outcome};

/// What Vitis HLS defines when it synthesises.
const SYNTHESIS: &str = "__SYNTHESIS__";

pub(crate) fn run(args: &BuildXclbin) -> Result<Outcome, Error> {
    let platform = find_card(&args.platform)?;
    output::is_no_input(&args.output, args.sources.iter().chain(&args.config))?;
    output::may_replace(&args.output, output::Written::Xclbin)?;
    let mut sources = Sources::default();
    let mut given = args.preprocess.options().macros()?;
    let mut defines = given.clone();
    // The registers are those of the synthesised kernel.
    if !defines.iter().any(|(name, _)| name == SYNTHESIS) {
        defines.push((SYNTHESIS.to_owned(), "1".to_owned()));
    }
    let (mut disk, files) = read_named(&mut sources, &args.sources, &args.preprocess)?;
    let mut configurations = Vec::new();
    for path in &args.config {
        let file = sources.add(path.to_string_lossy(), load::read_text(path)?);
        configurations.push(read_connectivity(&sources, file)?);
    }
    let headers =
        parse_project(&mut sources, &files, &defines, &mut |wanted| match disk.load(wanted) {
            Loaded::Nowhere => find_header(wanted.path).map_or(Loaded::Nowhere, |text| {
                Loaded::Text { name: format!("<{}>", wanted.path), text: text.to_owned() }
            }),
            found => found,
        });
    disk.replaced().iter().for_each(output::note_replaced);
    let code = if args.without_code {
        None
    } else {
        if args.unchecked {
            given.push((UNCHECKED.to_owned(), "1".to_owned()));
        }
        let kernels = configurations.iter().flat_map(|one| &one.kernels);
        let named: Vec<String> = kernels.map(|one| one.kernel.value.clone()).collect();
        let built = build_kernels(&args.sources, &args.preprocess.include, &given, &named);
        let (image, _) = built.map_err(|error| match error {
            CompileError::PlainPointer { .. } => {
                anyhow!("{error}, or compile it as it is with --unchecked")
            }
            other => Error::new(other),
        })?;
        Some(make_payload(&image))
    };
    let linked = link_design(&sources, &headers, &configurations, &platform, code)?;
    for note in &linked.notes {
        output::note(&format!("note: {}", note.0));
    }
    let name = args.output.display();
    fs::write(&args.output, linked.xclbin.write())
        .with_context(|| format!("{name} cannot be written: check the path"))?;
    output::note(&format!("wrote {name}"));
    Ok(Outcome::Clean)
}
