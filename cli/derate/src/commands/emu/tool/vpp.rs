//! `v++`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_host::emulator::compile_check;
use derate_host::xclbin::{HEADER_BYTES, Xclbin};

use super::super::build::{Code, Job, KernelFile, build_design, read_sources};
use super::card::find_platform;
use super::config::read_general;
use super::object::Object;
use super::words::{Call, Step, read_words};
use crate::output::{self, Outcome};

/// Sources of hardware, which no compiler for this machine takes.
const RTL: [&str; 5] = ["v", "sv", "vhd", "vhdl", "xci"];

pub(super) fn run(words: &[String]) -> Result<Outcome, Error> {
    if words.iter().any(|word| word == "--version" || word == "-v") {
        output::put_bytes(
            format!("v++ of derate {}, for emulation alone\n", env!("CARGO_PKG_VERSION"))
                .as_bytes(),
        )?;
        return Ok(Outcome::Clean);
    }
    let mut call = read_words(words)?;
    read_general(&mut call)?;
    if !call.ignored.is_empty() {
        output::note(&format!("note: v++: derate leaves out {}", call.ignored.join(" ")));
    }
    match call.target.as_deref() {
        Some("hw") => bail!(
            "v++ of derate makes designs for emulation, and -t hw asks for one for a card: build that with Vitis, or set TARGET to hw_emu"
        ),
        Some("hw_emu") if call.step == Some(Step::Link) => output::note(
            "note: hw_emu is answered as sw_emu is: data are real, cycles are not simulated",
        ),
        Some("hw_emu" | "sw_emu") | None => {}
        Some(other) => bail!("v++: there is no target {other}: give sw_emu or hw_emu"),
    }
    if let Some(rtl) = call.inputs.iter().find(|path| has_end(path, &RTL)) {
        bail!("{} is RTL, and derate runs kernels in C++", rtl.display());
    }
    match call.step {
        Some(Step::Compile) => compile(&call),
        Some(Step::Package) => package(&call),
        Some(Step::Link) | None => link(&call),
    }
}

fn has_end(path: &Path, ends: &[&str]) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| ends.contains(&end))
}

fn output_of<'c>(call: &'c Call, by_default: &'c str) -> Result<&'c Path, Error> {
    let path = call.output.as_deref().unwrap_or(Path::new(by_default));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made: check the path", folder.display()))?;
    }
    Ok(path)
}

/// Sources to an object: they are compiled once, so that what is wrong with them is said here.
fn compile(call: &Call) -> Result<Outcome, Error> {
    if call.inputs.is_empty() {
        bail!("v++ -c: name a source");
    }
    let file = |path: &PathBuf| KernelFile {
        path: path.clone(),
        preprocess: call.preprocess.clone(),
        kernel: call.kernel.clone(),
    };
    let files: Vec<KernelFile> = call.inputs.iter().map(file).collect();
    let notes = compile_check(&read_sources(&files)?)?;
    for note in notes {
        output::note(&format!("note: {note}"));
    }
    Object::of(&files, &call.config)?.write(output_of(call, "a.xo")?)?;
    Ok(Outcome::Clean)
}

/// Objects to a design.
fn link(call: &Call) -> Result<Outcome, Error> {
    let objects: Vec<Object> =
        call.inputs.iter().map(|path| Object::read(path)).collect::<Result<_, _>>()?;
    if objects.is_empty() {
        bail!("v++ -l: name an object (.xo)");
    }
    let Some(platform) = &call.platform else {
        bail!("v++ -l: name the platform with --platform, or set PLATFORM");
    };
    let platform = find_platform(platform)?;
    let files: Vec<KernelFile> = objects.iter().flat_map(Object::files).collect();
    let mut config = call.config.clone();
    let of_objects = objects.iter().flat_map(|object| &object.config);
    for path in of_objects.map(PathBuf::from) {
        let known = |one: &PathBuf| std::path::absolute(one).is_ok_and(|one| one == path);
        if !config.iter().any(known) {
            config.push(path);
        }
    }
    let job = Job {
        files: &files,
        config: &config,
        inline: &call.inline,
        platform: &platform,
        code: Code::Checked,
    };
    let linked = build_design(&job)?;
    let path = output_of(call, "a.xclbin")?;
    fs::write(path, linked.xclbin.write())
        .with_context(|| format!("{} cannot be written: check the path", path.display()))?;
    Ok(Outcome::Clean)
}

/// A design as it is to be loaded: emulation has nothing to add.
fn package(call: &Call) -> Result<Outcome, Error> {
    let Some(input) = call.inputs.iter().find(|path| has_end(path, &["xclbin", "xsa"])) else {
        bail!("v++ -p: name a linked design (.xclbin)");
    };
    let bytes = fs::read(input)
        .with_context(|| format!("{} cannot be read: check the path", input.display()))?;
    let head = bytes.first_chunk::<HEADER_BYTES>();
    let is_design = head.is_some_and(|head| Xclbin::stated_length(head).is_some());
    if !is_design {
        bail!("{} is not a linked design: make it with v++ -l", input.display());
    }
    let path = output_of(call, "a.xclbin")?;
    fs::write(path, bytes)
        .with_context(|| format!("{} cannot be written: check the path", path.display()))?;
    Ok(Outcome::Clean)
}
