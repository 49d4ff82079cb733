//! HLS sources to kernels of this machine.

mod cache;
mod compiler;
mod error;
mod rewrite;
mod unit;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use derate_hls::kernels::HEADERS;

use super::image::load_kernels;
use super::{Kernel, Signature};
use crate::Scratch;
use cache::{Cache, key_of};
use compiler::{Compiler, Said, read_made};
pub use error::CompileError;
use rewrite::{find_races, rewrite_pointers};
pub use unit::is_opencl_c;
use unit::{Unit, read_unit};

/// What decides how a kernel is compiled, beside its text.
///
/// A unit has its own static variables, and its code goes with its design: no symbol is unique in the process.
const FLAGS: [&str; 9] = [
    "-std=c++17",
    "-fconcepts",
    "-O2",
    "-ftree-vectorize",
    "-march=native",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-w",
];

/// `DERATE_EXPORT` of kernel.h, whose macros are gone in preprocessed text.
const EXPORT: &str = "\nextern \"C\" [[gnu::visibility(\"default\")]] const derate::kernel *derate_kernel(std::uint32_t index) {\n\
    const derate::listed *one = derate::list;\n\
    while (one != nullptr && index-- > 0) { one = one->next; }\n\
    return one == nullptr ? nullptr : &one->described;\n}\n";

/// A source with all that decides how it is read: a translation unit.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct KernelSource {
    /// The file.
    pub path: PathBuf,
    /// Where its headers may be. The vendor's own there are used instead of derate's.
    pub include: Vec<PathBuf>,
    /// Macros, name and value.
    pub defines: Vec<(String, String)>,
    /// Functions that are kernels whatever their pragmas say.
    pub named: Vec<String>,
    /// Whether no other function of it is one.
    pub only_named: bool,
}

/// What sources became.
#[derive(Debug)]
pub struct Built {
    /// Shared objects for [`load_kernels`], one of each source: what two of them call alike are two things.
    pub images: Vec<Vec<u8>>,
    /// The kernels in it.
    pub kernels: Vec<Signature>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Compiles HLS sources for this machine and loads their kernels, as [`build_kernels`] does.
pub fn compile_kernels(
    files: &[PathBuf],
    include: &[PathBuf],
    defines: &[(String, String)],
    named: &[String],
) -> Result<Vec<Arc<Kernel>>, CompileError> {
    let source = |path: &PathBuf| KernelSource {
        path: path.clone(),
        include: include.to_vec(),
        defines: defines.to_vec(),
        named: named.to_vec(),
        only_named: false,
    };
    let sources: Vec<KernelSource> = files.iter().map(source).collect();
    let built = build_kernels(&sources, false)?;
    let images: Vec<&[u8]> = built.images.iter().map(Vec::as_slice).collect();
    Ok(load_kernels(&images, &built.kernels)?)
}

/// Compiles HLS sources for this machine. The pointers of kernels become ports, which check and count each access; where that
/// does not compile, they stay plain, with guards around each buffer and a note. With `plain` all of them do.
pub fn build_kernels(sources: &[KernelSource], plain: bool) -> Result<Built, CompileError> {
    let units: Vec<Unit<'_>> = sources.iter().map(read_unit).collect::<Result<_, _>>()?;
    let folder = make_folder()?;
    let compiler = Compiler::of_environment(&folder);
    let texts = preprocess(&compiler, &folder, &units)?;
    let mut notes = Vec::new();
    let images = compile(&compiler, &folder, &units, &texts, plain, &mut notes)?;
    let mut kernels: Vec<Signature> = Vec::new();
    for kernel in units.into_iter().flat_map(|unit| unit.kernels) {
        if !kernels.iter().any(|one| one.name == kernel.name) {
            kernels.push(kernel);
        }
    }
    Ok(Built { images, kernels, notes })
}

/// Compiles HLS sources for this machine and keeps what comes of it for [`build_kernels`]; the notes.
pub fn compile_check(sources: &[KernelSource]) -> Result<Vec<String>, CompileError> {
    let units: Vec<Unit<'_>> = sources.iter().map(read_unit).collect::<Result<_, _>>()?;
    let folder = make_folder()?;
    let compiler = Compiler::of_environment(&folder);
    let texts = preprocess(&compiler, &folder, &units)?;
    let mut notes = Vec::new();
    compile(&compiler, &folder, &units, &texts, false, &mut notes)?;
    Ok(notes)
}

/// A folder for what is made on the way, with the headers.
fn make_folder() -> Result<Scratch, CompileError> {
    let temporary = std::env::temp_dir();
    let folder = Scratch::new(&temporary);
    let folder = folder.map_err(|error| CompileError::NoFolder { path: temporary, error })?;
    write_headers(&folder)?;
    Ok(folder)
}

fn write_headers(folder: &Scratch) -> Result<(), CompileError> {
    let write = |(name, text): &(&str, &str)| {
        let path = folder.path().join("include").join(name);
        let into = path.parent().map_or(Ok(()), fs::create_dir_all);
        into.and_then(|()| fs::write(&path, text))
            .map_err(|error| CompileError::Temporary { path, error })
    };
    HEADERS.iter().try_for_each(write)
}

/// The preprocessed texts, each with the list of its kernels.
fn preprocess(
    compiler: &Compiler<'_>,
    folder: &Scratch,
    units: &[Unit<'_>],
) -> Result<Vec<String>, CompileError> {
    let mut commands = Vec::new();
    let place = |at: usize, end: &str| folder.path().join(format!("unit-{at}{end}"));
    for (at, unit) in units.iter().enumerate() {
        let words = if is_opencl_c(&unit.path) { "#include <derate/opencl_c.h>\n" } else { "" };
        let text =
            format!("#include <derate/kernel.h>\n{words}#include \"{}\"\n", unit.path.display());
        write_file(&place(at, ".cpp"), &text)?;
        let mut command = compiler.command();
        command.args(["-std=c++17", "-E", "-Wno-unknown-pragmas"]);
        for folder in &unit.source.include {
            command.arg("-I").arg(folder);
        }
        let defines = unit.source.defines.iter();
        command.args(defines.map(|(name, value)| format!("-D{name}={value}")));
        command.arg("-isystem").arg(folder.path().join("include"));
        command.arg(place(at, ".cpp")).arg("-o").arg(place(at, ".ii"));
        commands.push(command);
    }
    let said = compiler.run_all(commands)?;
    if let Some(refused) = said.into_iter().find(|one| !one.succeeded) {
        return Err(refused.into_error());
    }
    let read = |(at, unit): (usize, &Unit<'_>)| {
        let bytes = read_made(&place(at, ".ii"))?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        text.push_str(EXPORT);
        for Signature { name, .. } in &unit.kernels {
            // `DERATE_KERNEL`, likewise.
            let _ = write!(
                text,
                "\nstatic const derate::listed derate_kernel_{name}({{\"{name}\", derate::entry<&{name}>::count, \
                 derate::entry<&{name}>::described, derate::entry<&{name}>::run}});\n"
            );
        }
        Ok(text)
    };
    units.iter().enumerate().map(read).collect()
}

/// The shared objects of all units, from the cache where they are there.
fn compile(
    compiler: &Compiler<'_>,
    folder: &Scratch,
    units: &[Unit<'_>],
    texts: &[String],
    plain: bool,
    notes: &mut Vec<String>,
) -> Result<Vec<Vec<u8>>, CompileError> {
    let cache = Cache::of_user();
    let mut images: Vec<Vec<u8>> = vec![Vec::new(); units.len()];
    let mut waiting = Vec::new();
    for (at, (unit, text)) in units.iter().zip(texts).enumerate() {
        let note = |race: &String| {
            format!(
                "{}: {race}: on a card the two race, and here one runs after the other",
                unit.source.path.display()
            )
        };
        notes.extend(find_races(text).iter().map(note));
        let rewritten = if plain { None } else { rewrite_pointers(text, &unit.tops) };
        let text = rewritten.as_deref().unwrap_or(text);
        let key = key_of(&[&compiler.name(), &FLAGS.join(" "), text]);
        if let (Some(found), Some(image)) = (cache.find(&key), images.get_mut(at)) {
            *image = found;
        } else {
            let object = folder.path().join(format!("unit-{at}.so"));
            waiting.push((at, key, rewritten, object));
        }
    }
    let call = |text: &str, object: &Path| -> Result<Command, CompileError> {
        let path = object.with_extension("ii");
        write_file(&path, text)?;
        let mut command = compiler.command();
        command.args(FLAGS).args(["-shared", "-x", "c++-cpp-output"]).arg(path);
        command.arg("-o").arg(object);
        Ok(command)
    };
    let commands = waiting.iter().map(|(at, _, rewritten, object)| {
        let text = rewritten.as_deref().or_else(|| texts.get(*at).map(String::as_str));
        call(text.unwrap_or_default(), object)
    });
    let said = compiler.run_all(commands.collect::<Result<_, _>>()?)?;
    let mut again = Vec::new();
    for ((at, key, rewritten, object), said) in waiting.into_iter().zip(said) {
        if said.succeeded {
            let made = read_made(&object)?;
            cache.keep(&key, &made);
            put_image(&mut images, at, made);
        } else if rewritten.is_some() {
            again.push((at, key, object, said));
        } else {
            return Err(said.into_error());
        }
    }
    // With plain pointers, then; the compiler's words are about the user's own text.
    let commands = again.iter().map(|(at, _, object, _)| {
        call(texts.get(*at).map(String::as_str).unwrap_or_default(), object)
    });
    let second = compiler.run_all(commands.collect::<Result<_, _>>()?)?;
    for ((at, _, object, first), second) in again.into_iter().zip(second) {
        if !second.succeeded {
            return Err(second.into_error());
        }
        put_image(&mut images, at, read_made(&object)?);
        if let Some(unit) = units.get(at) {
            notes.push(note_plain(unit, &first));
        }
    }
    Ok(images)
}

fn put_image(images: &mut [Vec<u8>], at: usize, made: Vec<u8>) {
    if let Some(image) = images.get_mut(at) {
        *image = made;
    }
}

fn note_plain(unit: &Unit<'_>, said: &Said) -> String {
    let names: Vec<&str> = unit.kernels.iter().map(|one| one.name.as_str()).collect();
    let why = said.first_complaint().unwrap_or_else(|| "the compiler does not say why".to_owned());
    format!(
        "{}: the pointers of {} stay plain, as ports do not compile ({why}): an access beyond a buffer is found by the pages \
         around it, and what is moved is not counted",
        unit.source.path.display(),
        names.join(", ")
    )
}

fn write_file(path: &Path, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), CompileError> {
    fs::write(path, bytes).map_err(|error| CompileError::Temporary { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_file(path: &Path) -> CompileError {
        let source = KernelSource { path: path.to_owned(), ..KernelSource::default() };
        build_kernels(&[source], false).unwrap_err()
    }

    #[test]
    fn a_path_that_no_include_can_hold_is_refused() {
        let folder = Scratch::new(&std::env::temp_dir()).unwrap();
        let path = folder.path().join("a\"b.cpp");
        fs::write(&path, "void k() {}\n").unwrap();
        let error = build_file(&path);
        assert!(matches!(error, CompileError::Name { .. }), "{error}");
        assert!(!error.to_string().contains('\n') && error.to_string().contains("rename it"));
    }

    #[cfg(unix)]
    #[test]
    fn a_source_without_end_is_refused() {
        let error = build_file(Path::new("/dev/zero")).to_string();
        assert!(error.starts_with("/dev/zero: it has more than 256 MiB"), "{error}");
    }
}
