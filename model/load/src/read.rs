//! Reads files, or says in one sentence why not.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use derate_dump::safetensors_header;

use crate::ReadError;

/// Larger files are neither a dump nor a source that a person wrote.
const LARGEST: u64 = 256 * 1024 * 1024;

/// The bytes of a file.
///
/// # Errors
///
/// A file that is not there, that is a folder, that may not be read, or that has more than 256 MiB.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let meta = fs::metadata(path)
        .map_err(|error| ReadError::caused(path, "cannot be read: check the path", error))?;
    if meta.is_dir() {
        return Err(ReadError::new(path, "is a directory: name a file in it"));
    }
    if meta.len() > LARGEST {
        let reason = format!(
            "has {} MiB and at most 256 are read: give a text dump or a single source file",
            meta.len() >> 20
        );
        return Err(ReadError::new(path, reason));
    }
    // One more, for the end to be seen without room for more.
    let room = usize::try_from(meta.len()).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room + 1);
    // A device or a pipe says nothing of its size beforehand.
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(|error| no_permission(path, error))?;
    if bytes.len() as u64 > LARGEST {
        let reason = "has more than 256 MiB: give a text dump or a single source file";
        return Err(ReadError::new(path, reason));
    }
    Ok(bytes)
}

fn no_permission(path: &Path, error: io::Error) -> ReadError {
    ReadError::caused(path, "cannot be read: check its permissions", error)
}

fn without_mark(text: String) -> String {
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

fn line_of(bytes: &[u8], offset: usize) -> usize {
    bytes[..offset].split(|&b| b == b'\n').count()
}

/// A file that must be text.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    match String::from_utf8(read_bytes(path)?) {
        Ok(text) => Ok(without_mark(text)),
        Err(error) => {
            let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
            let reason = "is not UTF-8 text: give a text file, or save it as UTF-8";
            Err(ReadError::new(path, reason).at_line(line))
        }
    }
}

/// A model dump: text, or the header of a `.safetensors` file.
pub fn read_dump(path: &Path) -> Result<String, ReadError> {
    if path.is_file() {
        let file = File::open(path).map_err(|error| no_permission(path, error))?;
        let header = safetensors_header(&mut BufReader::new(file)).map_err(|error| {
            ReadError::caused(path, "cannot be read as safetensors: write it again", error)
        })?;
        if let Some(header) = header {
            return Ok(header);
        }
    }
    read_text(path)
}

/// A source file: a comment in an old encoding does not keep it from being read. The flag says whether bytes were
/// replaced.
pub fn read_source(path: &Path) -> Result<(String, bool), ReadError> {
    let bytes = read_bytes(path)?;
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        let reason = "holds a zero byte, so it is not text: name a text file";
        return Err(ReadError::new(path, reason).at_line(line_of(&bytes, at)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((without_mark(text), false)),
        Err(error) => {
            Ok((without_mark(String::from_utf8_lossy(error.as_bytes()).into_owned()), true))
        }
    }
}
