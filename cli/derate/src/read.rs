//! Files to text, or one sentence why not.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, Error, bail};
use derate_model::safetensors_header;

/// Larger files are no dump and no source that a person wrote.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.display();
    let meta =
        fs::metadata(path).with_context(|| format!("{name} cannot be read: check the path"))?;
    if meta.is_dir() {
        bail!("{name} is a directory: name a file in it");
    }
    if meta.len() > LARGEST {
        bail!(
            "{name} has {} MiB and at most 256 are read: give a text dump or a single source file",
            meta.len() >> 20
        );
    }
    let mut bytes = Vec::new();
    // A device or a pipe says nothing of its size beforehand.
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .with_context(|| format!("{name} cannot be read: check its permissions"))?;
    if bytes.len() as u64 > LARGEST {
        bail!("{name} has more than 256 MiB: give a text dump or a single source file");
    }
    Ok(bytes)
}

fn without_mark(text: String) -> String {
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

fn line_of(bytes: &[u8], offset: usize) -> usize {
    bytes[..offset].split(|&b| b == b'\n').count()
}

/// A file that must be text.
pub(crate) fn text(path: &Path) -> Result<String, Error> {
    match String::from_utf8(bytes(path)?) {
        Ok(text) => Ok(without_mark(text)),
        Err(error) => {
            let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
            bail!(
                "{}:{line} is not UTF-8 text: give a text file, or save it as UTF-8",
                path.display()
            )
        }
    }
}

/// A model dump: text, or the header of a `.safetensors` file.
pub(crate) fn dump(path: &Path) -> Result<String, Error> {
    if path.is_file() {
        let file = File::open(path)
            .with_context(|| format!("{} cannot be read: check its permissions", path.display()))?;
        let header = safetensors_header(&mut BufReader::new(file)).with_context(|| {
            format!("{} cannot be read as safetensors: write it again", path.display())
        })?;
        if let Some(header) = header {
            return Ok(header);
        }
    }
    text(path)
}

/// A source file: a comment in an old encoding does not keep it from being read. The flag says whether bytes were
/// replaced.
pub(crate) fn source(path: &Path) -> Result<(String, bool), Error> {
    let bytes = bytes(path)?;
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        bail!(
            "{}:{} holds a zero byte, so it is no text: name a text file",
            path.display(),
            line_of(&bytes, at)
        );
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((without_mark(text), false)),
        Err(error) => {
            Ok((without_mark(String::from_utf8_lossy(error.as_bytes()).into_owned()), true))
        }
    }
}
