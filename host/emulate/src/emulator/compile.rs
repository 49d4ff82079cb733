use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use derate_hls::kernels::HEADERS;
use derate_hls::{Function, Header, Parameter, Sources, parse};

use super::headers::list_headers;
use super::hint::find_hint;
use super::image::load_kernels;
use super::{ImageError, Kernel, Signature, read_signatures};
use crate::Scratch;
use crate::family::{adopt_orphans, end_all};

/// How often a running compiler is looked at.
const BEAT: Duration = Duration::from_millis(5);

/// The macro that lets plain pointers through (`hls/sim/derate/kernel.h`).
pub const UNCHECKED: &str = "DERATE_UNCHECKED";

/// No person writes a larger source.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Why sources did not become kernels. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A file.
    #[error("{}: {error}: check the path", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// What is made on the way.
    #[error("{}: {error}: what is compiled lies there; make room, or set TMPDIR to another folder", path.display())]
    Temporary {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no folder for what is made.
    #[error("no folder can be made in {}: {error}: set TMPDIR to a folder that can be written", path.display())]
    NoFolder {
        /// The temporary folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A name that no `#include "..."` can hold.
    #[error(
        "{:?} cannot be included by the compiler, for a quotation mark or a line break in its path: rename it, or the folder that it is in",
        path
    )]
    Name {
        /// The whole path.
        path: PathBuf,
    },
    /// No function says how its arguments are reached.
    #[error(
        "{0} has no kernel: no function with a body has an m_axi or s_axilite interface pragma, and neither nk= nor --kernel names one"
    )]
    NoKernel(String),
    /// The emulator can neither check nor count what goes through a plain pointer.
    #[error(
        "{place}: `{argument}` of {kernel} is a plain pointer, whose accesses the emulator cannot check: include \"port.h\" and write port<T> for T *"
    )]
    PlainPointer {
        /// File and line.
        place: String,
        /// The parameter.
        argument: String,
        /// The kernel.
        kernel: String,
    },
    /// A value that no host could fetch.
    #[error(
        "{place}: {kernel} returns `{returns}`, and a kernel that a host starts returns void: write the result through a port"
    )]
    Returns {
        /// File and line.
        place: String,
        /// The kernel.
        kernel: String,
        /// As the source spells it.
        returns: String,
    },
    /// What comes from another kernel, or goes to one.
    #[error(
        "{place}: `{argument}` of {kernel} is a stream, and streams between kernels are not emulated, nor are kernels that run without a host: give it a port to memory; streams inside a kernel run"
    )]
    Stream {
        /// File and line.
        place: String,
        /// The parameter.
        argument: String,
        /// The kernel.
        kernel: String,
    },
    /// There is no compiler.
    #[error(
        "kernels are compiled with a C++ compiler, and {compiler} cannot be started ({error}): install g++, or set CXX to the compiler that you have"
    )]
    NoCompiler {
        /// What was started.
        compiler: String,
        /// What the system says.
        error: io::Error,
    },
    /// A header that derate does not bring, and no folder has.
    #[error(
        "{place}: {header} is not here: derate brings {}; for another one of the vendor's, or of your own, give its folder with -I DIR (the vendor's stand in Vitis HLS's include folder)",
        list_headers()
    )]
    MissingHeader {
        /// File and line.
        place: String,
        /// As the source spells it.
        header: String,
    },
    /// The compiler refused, in these indented lines.
    #[error("the kernels do not compile; fix what the compiler reports:\n{0}")]
    Refused(String),
    /// What was compiled cannot be used.
    #[error(transparent)]
    Load(#[from] ImageError),
}

/// Compiles HLS sources for this machine and loads their kernels, as [`build_kernels`] does.
pub fn compile_kernels(
    files: &[PathBuf],
    include: &[PathBuf],
    defines: &[(String, String)],
    named: &[String],
) -> Result<Vec<Arc<Kernel>>, CompileError> {
    let (image, found) = build_kernels(files, include, defines, named)?;
    Ok(load_kernels(&image, &found)?)
}

/// Compiles HLS sources for this machine, with these macros (name and value): a shared object for [`load_kernels`], and what it
/// holds. Folders with the vendor's own headers go into `include`: they are used instead of derate's replacements. Functions that
/// are `named`, as `nk=` does, are kernels whatever their pragmas say.
pub fn build_kernels(
    files: &[PathBuf],
    include: &[PathBuf],
    defines: &[(String, String)],
    named: &[String],
) -> Result<(Vec<u8>, Vec<Signature>), CompileError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| CompileError::File { path, error }
    };
    let unmade = |path: &Path| {
        let path = path.to_owned();
        move |error| CompileError::Temporary { path, error }
    };
    let mut sources = Sources::default();
    let mut found: Vec<Signature> = Vec::new();
    // As for v++, each source is a translation unit: what is `static` in one is unknown to the next.
    let mut units = vec!["#include <derate/kernel.h>\nDERATE_EXPORT\n".to_owned()];
    for file in files {
        let path = fs::canonicalize(file).map_err(failed(file))?;
        if path.to_string_lossy().contains(['"', '\n', '\r']) {
            return Err(CompileError::Name { path });
        }
        let text = read_source(&path).map_err(failed(file))?;
        let id = sources.add(path.to_string_lossy(), text);
        let header = parse(&sources, id);
        let kernels = read_signatures(&header, named);
        if kernels.is_empty() {
            return Err(CompileError::NoKernel(file.display().to_string()));
        }
        let place = |span| format!("{}:{}", file.display(), sources.line(span));
        if let Some(kernel) = find_returning_kernel(&header, &kernels) {
            return Err(CompileError::Returns {
                place: place(kernel.name_span),
                kernel: kernel.name.clone(),
                returns: kernel.returns.clone(),
            });
        }
        // Before plain pointers: no flag helps with it.
        if let Some((kernel, parameter)) = find_stream(&header, &kernels) {
            return Err(CompileError::Stream {
                place: place(parameter.span),
                argument: parameter.name.clone(),
                kernel: kernel.name.clone(),
            });
        }
        if !defines.iter().any(|(name, _)| name == UNCHECKED)
            && let Some((kernel, parameter)) = find_plain_pointer(&header, &kernels)
        {
            return Err(CompileError::PlainPointer {
                place: place(parameter.span),
                argument: parameter.name.clone(),
                kernel: kernel.name.clone(),
            });
        }
        let mut unit = format!("#include <derate/kernel.h>\n#include \"{}\"\n", path.display());
        for one in &kernels {
            unit.extend(["DERATE_KERNEL(", &one.name, ")\n"]);
        }
        units.push(unit);
        found.extend(kernels);
    }

    let temporary = std::env::temp_dir();
    let folder = Scratch::new(&temporary);
    let folder = folder.map_err(|error| CompileError::NoFolder { path: temporary, error })?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let into = path.parent().map_or(Ok(()), fs::create_dir_all);
        into.and_then(|()| fs::write(&path, text)).map_err(unmade(&path))
    };
    HEADERS.iter().try_for_each(|(name, text)| write(name, text))?;
    let name = |at: usize| format!("unit-{at}.cpp");
    units.iter().enumerate().try_for_each(|(at, unit)| write(&name(at), unit))?;
    let image = folder.path().join("kernels.so");
    let named = std::env::var("CXX").unwrap_or_default();
    let (compiler, words) = split_compiler(&named);
    let mut command = Command::new(compiler);
    command.args(words);
    command.args(["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC"]);
    command.args(["-fvisibility=hidden", "-Wno-unknown-pragmas"]);
    for folder in include {
        command.arg("-I").arg(folder);
    }
    command.args(defines.iter().map(|(name, value)| format!("-D{name}={value}")));
    command.arg("-I").arg(folder.path());
    command.args((0..units.len()).map(|at| folder.path().join(name(at))));
    command.arg("-o").arg(&image).env("TMPDIR", folder.path()).env("LC_ALL", "C");
    let said = folder.path().join("said");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(File::create(&said).map_err(unmade(&said))?);
    let succeeded = run_compiler(&mut command, &folder);
    if !succeeded
        .map_err(|error| CompileError::NoCompiler { compiler: compiler.to_owned(), error })?
    {
        let said = fs::read(&said).map_err(unmade(&said))?;
        let said = String::from_utf8_lossy(&said);
        return Err(find_missing_header(&said).unwrap_or_else(|| {
            let hint = find_hint(&said).map(|hint| format!("\n{hint}")).unwrap_or_default();
            CompileError::Refused(format!("{}{hint}", indent_lines(&said)))
        }));
    }
    let bytes = fs::read(&image).map_err(unmade(&image))?;
    Ok((bytes, found))
}

/// What to start, and its first arguments, from `CXX` as make takes it: `ccache g++`, `clang++ -stdlib=libc++`.
fn split_compiler(named: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut words = named.split_whitespace();
    (words.next().unwrap_or("c++"), words)
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

/// The first plain pointer among the parameters of the kernels.
fn find_plain_pointer<'a>(
    header: &'a Header,
    kernels: &[Signature],
) -> Option<(&'a Function, &'a Parameter)> {
    kernel_parameters(header, kernels)
        .find(|(_, parameter)| parameter.pointer || !parameter.dims.is_empty())
}

/// The first stream among them, as far as its spelling says so.
fn find_stream<'a>(
    header: &'a Header,
    kernels: &[Signature],
) -> Option<(&'a Function, &'a Parameter)> {
    let is_stream = |one: &Parameter| {
        let name = one.element.trim_start_matches("::").trim_start_matches("hls::");
        name.split('<').next().is_some_and(|name| name.trim_end() == "stream")
    };
    kernel_parameters(header, kernels).find(|(_, parameter)| is_stream(parameter))
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

fn kernel_parameters<'a>(
    header: &'a Header,
    kernels: &[Signature],
) -> impl Iterator<Item = (&'a Function, &'a Parameter)> {
    kernel_functions(header, kernels)
        .flat_map(|kernel| kernel.parameters.iter().map(move |parameter| (kernel, parameter)))
}

/// The functions that are kernels.
fn kernel_functions<'a>(
    header: &'a Header,
    kernels: &[Signature],
) -> impl Iterator<Item = &'a Function> {
    let named = |one: &&Function| kernels.iter().any(|kernel| kernel.name == one.name);
    header.functions.iter().filter(|one| one.body.is_some()).filter(named)
}

/// Runs a compiler; whether it succeeded. Where this process is asked to end meanwhile, the compiler ends first, and all
/// else that this process has started.
fn run_compiler(command: &mut Command, folder: &Scratch) -> io::Result<bool> {
    let mut compiler = command.spawn()?;
    loop {
        if let Some(status) = compiler.try_wait()? {
            return Ok(status.success());
        }
        if folder.asked().is_some() {
            adopt_orphans()?;
            end_all();
            compiler.wait()?;
            return Ok(false);
        }
        sleep(BEAT);
    }
}

/// The header that a compiler misses: `mine.cpp:2:10: fatal error: ap_fixed.h: No such file or directory`.
fn find_missing_header(said: &str) -> Option<CompileError> {
    let line = said.lines().find(|line| line.ends_with(": No such file or directory"))?;
    let (place, rest) = line.split_once(": fatal error: ")?;
    let (header, _) = rest.split_once(": ")?;
    let place = place.rsplit_once(':').map_or(place, |(place, _column)| place);
    Some(CompileError::MissingHeader { place: place.to_owned(), header: header.to_owned() })
}

fn indent_lines(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_may_have_words_of_its_own() {
        let words = |named| {
            let (program, words) = split_compiler(named);
            [&[program][..], &words.collect::<Vec<_>>()].concat()
        };
        assert_eq!(words("ccache g++ -fuse-ld=gold"), ["ccache", "g++", "-fuse-ld=gold"]);
        assert_eq!((words(" "), words("g++")), (vec!["c++"], vec!["g++"]));
    }

    #[test]
    fn a_path_that_no_include_can_hold_is_refused() {
        let folder = Scratch::new(&std::env::temp_dir()).unwrap();
        let path = folder.path().join("a\"b.cpp");
        fs::write(&path, "void k() {}\n").unwrap();
        let error = build_kernels(&[path], &[], &[], &[]).unwrap_err();
        assert!(matches!(error, CompileError::Name { .. }), "{error}");
        assert!(!error.to_string().contains('\n') && error.to_string().contains("rename it"));
    }

    #[cfg(unix)]
    #[test]
    fn a_source_without_end_is_refused() {
        let error = build_kernels(&["/dev/zero".into()], &[], &[], &[]).unwrap_err().to_string();
        assert!(error.starts_with("/dev/zero: it has more than 256 MiB"), "{error}");
    }
}
