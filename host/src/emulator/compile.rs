use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use derate_hls::{Sources, parse};

use super::image::load;
use super::{Kernel, Signature, signatures};

/// What a kernel's source may include, beside its own headers.
const HEADERS: [(&str, &str); 6] = [
    ("derate/frame.h", include_str!("../../../hls/sim/derate/frame.h")),
    ("derate/kernel.h", include_str!("../../../hls/sim/derate/kernel.h")),
    ("derate/port.h", include_str!("../../../hls/sim/derate/port.h")),
    ("ap_int.h", include_str!("../../../hls/sim/ap_int.h")),
    ("hls_stream.h", include_str!("../../../hls/sim/hls_stream.h")),
    ("port.h", include_str!("../../../hls/kernels/port.h")),
];

/// The text of a header that every kernel may include, though it lies nowhere beside it.
pub fn header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Why sources did not become kernels. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A file, or the folder for what is made.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// No function says how its arguments are reached.
    #[error(
        "{0} has no kernel: no function with a body has an m_axi or s_axilite interface pragma"
    )]
    NoKernel(String),
    /// There is no compiler.
    #[error(
        "{compiler}: {source}: kernels are compiled with a C++ compiler; install g++ or set CXX"
    )]
    NoCompiler {
        /// What was started.
        compiler: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The compiler refused.
    #[error("the kernels do not compile:\n{0}")]
    Refused(String),
    /// What was compiled cannot be used.
    #[error("{0}")]
    Load(String),
}

/// Compiles HLS sources for this machine and loads their kernels. Folders with the vendor's own headers go into `include`:
/// they are used instead of the stand-ins.
pub fn compile(files: &[PathBuf], include: &[PathBuf]) -> Result<Vec<Arc<Kernel>>, CompileError> {
    let (image, found) = build(files, include, &[])?;
    load(&image, &found).map_err(CompileError::Load)
}

/// Compiles HLS sources for this machine, with these macros (name and value): a shared object for [`load`], and what it
/// holds.
pub fn build(
    files: &[PathBuf],
    include: &[PathBuf],
    defines: &[(String, String)],
) -> Result<(Vec<u8>, Vec<Signature>), CompileError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| CompileError::File { path, source }
    };
    let mut sources = Sources::default();
    let mut found: Vec<Signature> = Vec::new();
    // As for v++, each source is a translation unit: what is `static` in one is unknown to the next.
    let mut units = vec!["#include <derate/kernel.h>\nDERATE_EXPORT\n".to_owned()];
    for file in files {
        let path = fs::canonicalize(file).map_err(failed(file))?;
        let text = fs::read_to_string(&path).map_err(failed(file))?;
        let id = sources.add(path.to_string_lossy(), text);
        let kernels = signatures(&parse(&sources, id));
        if kernels.is_empty() {
            return Err(CompileError::NoKernel(file.display().to_string()));
        }
        let mut unit = format!("#include <derate/kernel.h>\n#include \"{}\"\n", path.display());
        for one in &kernels {
            unit.extend(["DERATE_KERNEL(", &one.name, ")\n"]);
        }
        units.push(unit);
        found.extend(kernels);
    }

    let folder = tempfile::Builder::new()
        .prefix("derate-")
        .tempdir()
        .map_err(failed(&std::env::temp_dir()))?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let into = path.parent().map_or(Ok(()), fs::create_dir_all);
        into.and_then(|()| fs::write(&path, text)).map_err(failed(&path))
    };
    HEADERS.iter().try_for_each(|(name, text)| write(name, text))?;
    let name = |at: usize| format!("unit-{at}.cpp");
    units.iter().enumerate().try_for_each(|(at, unit)| write(&name(at), unit))?;
    let image = folder.path().join("kernels.so");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut command = Command::new(&compiler);
    command.args(["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC"]);
    command.args(["-fvisibility=hidden", "-Wno-unknown-pragmas"]);
    for folder in include {
        command.arg("-I").arg(folder);
    }
    command.args(defines.iter().map(|(name, value)| format!("-D{name}={value}")));
    command.arg("-I").arg(folder.path());
    command.args((0..units.len()).map(|at| folder.path().join(name(at))));
    let output = command.arg("-o").arg(&image).output();
    let output = output.map_err(|source| CompileError::NoCompiler { compiler, source })?;
    if !output.status.success() {
        let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
        if said.contains("::place") && said.contains("has no member") {
            said.push_str(
                "an element of a port that may be written is read and written whole: copy it, change the copy and store that\n",
            );
        }
        return Err(CompileError::Refused(said));
    }
    let bytes = fs::read(&image).map_err(failed(&image))?;
    Ok((bytes, found))
}
