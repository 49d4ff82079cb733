//! Kernel sources and configurations to a design.

use std::path::PathBuf;

use anyhow::Error;
use derate_hls::{
    Connectivity, FileId, Loaded, Sources, Trees, Wanted, parse_project, read_connectivity,
    read_opencl_c,
};
use derate_host::emulator::{KernelSource, build_kernels, find_header, is_opencl_c};
use derate_host::xclbin::{DesignSource, Linked, digest_texts, link_design, make_payload};
use derate_model::load::LoadedKernel;
use derate_model::{Includes, Platform, load};

use crate::args::Preprocess;
use crate::load::read_named;
use crate::output;

/// What Vitis HLS defines when it synthesises.
const SYNTHESIS: &str = "__SYNTHESIS__";

/// What becomes of the kernels' code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Code {
    /// Its pointers are ports where that is possible.
    Checked,
    /// Its pointers stay as they are.
    Plain,
    /// None goes into the design.
    None,
}

/// A source as the command line names it.
#[derive(Clone, Debug)]
pub(super) struct KernelFile {
    pub(super) path: PathBuf,
    pub(super) preprocess: Preprocess,
    /// The kernel of `-k`.
    pub(super) kernel: Option<String>,
}

/// All that makes a design.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) files: &'a [KernelFile],
    pub(super) config: &'a [PathBuf],
    /// Lines of a configuration from the command line.
    pub(super) inline: &'a str,
    pub(super) platform: &'a Platform,
    pub(super) code: Code,
}

/// Sources as the compiler takes them.
pub(super) fn read_sources(files: &[KernelFile]) -> Result<Vec<KernelSource>, Error> {
    let source = |file: &KernelFile| {
        Ok(KernelSource {
            path: file.path.clone(),
            include: file.preprocess.include.clone(),
            defines: file.preprocess.options().macros()?,
            named: file.kernel.clone().into_iter().collect(),
            only_named: file.kernel.is_some(),
        })
    };
    files.iter().map(source).collect()
}

/// A source as a profile will look for it; none where its path is not text.
fn describe_source(file: &KernelFile) -> Option<DesignSource> {
    let as_named = |path: &PathBuf| path.to_str().map(str::to_owned);
    let path = as_named(&file.path)?;
    let include = file.preprocess.include.iter().filter_map(as_named).collect();
    let define = file.preprocess.define.clone();
    let mut source = DesignSource { path, digest: String::new(), include, define };
    let (_, digest) = load_source(&source).ok()?;
    source.digest = digest;
    Some(source)
}

/// Reads a source of a design for the model of its cycles; with the digest of all its texts.
pub(super) fn load_source(source: &DesignSource) -> Result<(LoadedKernel, String), Error> {
    let include = source.include.iter().map(PathBuf::from).collect();
    let preprocess = Preprocess { include, define: source.define.clone() };
    let loaded = load::load_kernel(&[PathBuf::from(&source.path)], &preprocess.options())?;
    let digest = digest_texts(loaded.texts.iter().map(String::as_str));
    Ok((loaded, digest))
}

/// Compiles and links; notes are printed.
pub(super) fn build_design(job: &Job<'_>) -> Result<Linked, Error> {
    let mut sources = Sources::default();
    let mut configurations: Vec<Connectivity> = Vec::new();
    for path in job.config {
        let file = sources.add(path.to_string_lossy(), load::read_text(path)?);
        configurations.push(read_connectivity(&sources, file)?);
    }
    if !job.inline.is_empty() {
        let file = sources.add("the command line", job.inline);
        configurations.push(read_connectivity(&sources, file)?);
    }
    let kernels = configurations.iter().flat_map(|one| &one.kernels);
    let asked: Vec<String> = kernels.map(|one| one.kernel.value.clone()).collect();
    let mut headers = Vec::new();
    let mut units = read_sources(job.files)?;
    for unit in units.iter_mut().filter(|unit| !unit.only_named) {
        unit.named.clone_from(&asked);
    }
    for (file, unit) in job.files.iter().zip(&units) {
        let mut defines = unit.defines.clone();
        // The registers are those of the synthesised kernel.
        if !defines.iter().any(|(name, _)| name == SYNTHESIS) {
            defines.push((SYNTHESIS.to_owned(), "1".to_owned()));
        }
        let path = std::slice::from_ref(&file.path);
        let (mut disk, mut files) = read_named(&mut sources, path, &file.preprocess)?;
        if is_opencl_c(&file.path) {
            let read =
                |id: &FileId| (sources.name(*id).to_owned(), read_opencl_c(sources.text(*id)));
            let texts: Vec<(String, String)> = files.iter().map(read).collect();
            files = texts.into_iter().map(|(name, text)| sources.add(name, text)).collect();
        }
        let mut load = |wanted: &Wanted<'_>| match disk.load(wanted) {
            Loaded::Nowhere => find_header(wanted.path).map_or(Loaded::Nowhere, |text| {
                Loaded::Text { name: format!("<{}>", wanted.path), text: text.to_owned() }
            }),
            found => found,
        };
        let trees = &mut Trees::default();
        headers.extend(parse_project(&mut sources, &files, &defines, &mut load, trees));
        disk.replaced().iter().for_each(output::note_replaced);
    }
    let (payload, chosen) = if job.code == Code::None {
        (None, job.files.iter().filter_map(|file| file.kernel.clone()).collect())
    } else {
        let built = build_kernels(&units, job.code == Code::Plain)?;
        built.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
        let names: Vec<String> = built.kernels.into_iter().map(|one| one.name).collect();
        (Some(make_payload(&built.images)), names)
    };
    let made_of: Vec<DesignSource> = job.files.iter().filter_map(describe_source).collect();
    let linked =
        link_design(&sources, &headers, &configurations, job.platform, payload, &chosen, &made_of)?;
    linked.notes.iter().for_each(|note| output::note(&format!("note: {}", note.0)));
    Ok(linked)
}
