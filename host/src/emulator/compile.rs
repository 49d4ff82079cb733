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
    let mut list = String::from("#include <derate/kernel.h>\n");
    for file in files {
        let path = fs::canonicalize(file).map_err(failed(file))?;
        let text = fs::read_to_string(&path).map_err(failed(file))?;
        let id = sources.add(path.to_string_lossy(), text);
        let kernels = signatures(&parse(&sources, id));
        if kernels.is_empty() {
            return Err(CompileError::NoKernel(file.display().to_string()));
        }
        list.extend(["#include \"", &path.display().to_string(), "\"\n"]);
        found.extend(kernels);
    }
    list.push_str("DERATE_EXPORT\n");
    for one in &found {
        list.extend(["DERATE_KERNEL(", &one.name, ")\n"]);
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
    write("list.cpp", &list)?;
    let image = folder.path().join("kernels.so");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut command = Command::new(&compiler);
    command.args(["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC"]);
    command.args(["-fvisibility=hidden", "-Wno-unknown-pragmas"]);
    for folder in include {
        command.arg("-I").arg(folder);
    }
    command.args(defines.iter().map(|(name, value)| format!("-D{name}={value}")));
    command.arg("-I").arg(folder.path()).arg(folder.path().join("list.cpp"));
    let output = command.arg("-o").arg(&image).output();
    let output = output.map_err(|source| CompileError::NoCompiler { compiler, source })?;
    if !output.status.success() {
        return Err(CompileError::Refused(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let bytes = fs::read(&image).map_err(failed(&image))?;
    Ok((bytes, found))
}
