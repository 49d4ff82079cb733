//! A source that was read: its kernels, and what is to become of their pointers.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use derate_hls::read_opencl_c;
use derate_hls::{Function, Header, Sources, parse};

use super::rewrite::Top;
use super::{CompileError, KernelSource};
use crate::emulator::{Signature, read_signatures};
use crate::interfaces::Interfaces;

/// No person writes a larger source.
const LARGEST: u64 = 256 * 1024 * 1024;

/// A source that was read.
pub(super) struct Unit<'s> {
    pub(super) source: &'s KernelSource,
    pub(super) path: PathBuf,
    pub(super) kernels: Vec<Signature>,
    pub(super) tops: Vec<Top>,
}

pub(super) fn read_unit(source: &KernelSource) -> Result<Unit<'_>, CompileError> {
    let file = &source.path;
    let failed = |error| CompileError::File { path: file.clone(), error };
    let path = fs::canonicalize(file).map_err(failed)?;
    if path.to_string_lossy().contains(['"', '\n', '\r']) {
        return Err(CompileError::Name { path });
    }
    let mut text = read_source(&path).map_err(failed)?;
    if is_opencl_c(&path) {
        text = read_opencl_c(&text);
    }
    let mut sources = Sources::default();
    let id = sources.add(path.to_string_lossy(), text);
    let header = parse(&sources, id);
    let mut kernels = read_signatures(&header, &source.named);
    if source.only_named {
        kernels.retain(|one| source.named.contains(&one.name));
    }
    if kernels.is_empty() {
        kernels = choose_kernel(&sources, &header, file).into_iter().collect();
    }
    if kernels.is_empty() {
        return Err(CompileError::NoKernel(file.display().to_string()));
    }
    if let Some(kernel) = find_returning_kernel(&header, &kernels) {
        return Err(CompileError::Returns {
            place: format!("{}:{}", file.display(), sources.line(kernel.name_span)),
            kernel: kernel.name.clone(),
            returns: kernel.returns.clone(),
        });
    }
    let tops = kernel_functions(&header, &kernels).map(describe_top).collect();
    Ok(Unit { source, path, kernels, tops })
}

/// Whether a source is in `OpenCL` C.
pub fn is_opencl_c(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "cl")
}

/// Where nothing says which function is the kernel: the one that is alone in `extern "C"`, else the one that is called as the
/// file is.
fn choose_kernel(sources: &Sources, header: &Header, file: &Path) -> Option<Signature> {
    let bodies = || header.functions.iter().filter(|one| one.body.is_some() && !one.is_template());
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let is_c = |one: &&Function| is_in_c(sources.text(one.span.file), one.span.start);
    let mut of_c = bodies().filter(is_c);
    let alone = of_c.next().filter(|_| of_c.next().is_none());
    let chosen = alone.or_else(|| bodies().find(|one| one.name == stem))?;
    read_signatures(header, std::slice::from_ref(&chosen.name))
        .into_iter()
        .find(|one| one.name == chosen.name)
}

/// Whether a place is in a block of `extern "C"`, or just behind the words.
fn is_in_c(text: &str, at: usize) -> bool {
    let Some(before) = text.get(..at) else { return false };
    let Some(words) = before.rfind("extern \"C\"") else {
        return text.get(at..).is_some_and(|rest| rest.trim_start().starts_with("extern \"C\""));
    };
    let Some(between) = before.get(words + "extern \"C\"".len()..) else { return false };
    let open = between.matches('{').count();
    between.trim().is_empty() || open > between.matches('}').count()
}

/// What the interface pragmas of a kernel say of its pointers.
fn describe_top(function: &Function) -> Top {
    let interfaces = Interfaces::of(function);
    let is_register = |name: &&String| {
        let modes = interfaces.modes_of(name);
        !modes.is_empty() && modes.iter().all(|mode| *mode == "s_axilite")
    };
    let names = function.parameters.iter().map(|one| &one.name);
    Top { name: function.name.clone(), registers: names.filter(is_register).cloned().collect() }
}

/// The text of a source; a device or a pipe does not give its size beforehand.
fn read_source(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it has more than 256 MiB, which no source has"));
    }
    Ok(text)
}

/// The first kernel that returns something, as far as its spelling says so: an alias may mean `void`.
fn find_returning_kernel<'a>(header: &'a Header, kernels: &[Signature]) -> Option<&'a Function> {
    const VALUES: [&str; 12] = [
        "bool", "char", "double", "float", "half", "int", "long", "short", "signed", "size_t",
        "uint", "unsigned",
    ];
    let is_value = |spelt: &str| {
        let first = spelt.split([' ', '<', '*']).next().unwrap_or_default();
        let first = first.trim_start_matches("std::");
        let sized = first.starts_with("int") || first.starts_with("uint");
        spelt.ends_with('*')
            || VALUES.contains(&first)
            || first.starts_with("ap_")
            || sized && first.ends_with("_t")
    };
    kernel_functions(header, kernels).find(|kernel| is_value(&kernel.returns))
}

/// The functions that are kernels.
fn kernel_functions<'a>(
    header: &'a Header,
    kernels: &[Signature],
) -> impl Iterator<Item = &'a Function> {
    let named = |one: &&Function| kernels.iter().any(|kernel| kernel.name == one.name);
    header.functions.iter().filter(|one| one.body.is_some()).filter(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_linkage_is_seen() {
        let text = "extern \"C\" { void a() {} } void b() {} extern \"C\" void c() {}";
        let at = |name: &str| text.find(&format!("void {name}")).unwrap();
        let found: Vec<bool> = ["a", "b", "c"].map(|name| is_in_c(text, at(name))).to_vec();
        assert_eq!(found, [true, false, true]);
    }
}
