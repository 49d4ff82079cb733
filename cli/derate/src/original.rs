//! A project's files as they are on the disk, byte for byte.

use derate_model::load;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Error};

use derate_model::load::FILE;

/// The byte order mark, which readers pass over.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The project's folder.
pub(crate) struct Folder {
    dir: PathBuf,
    real: PathBuf,
}

/// A file's bytes, beside the text that was read from them.
pub(crate) struct Original {
    /// Where it really is: a link is followed.
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
}

impl Folder {
    /// The folder of a project, given by itself or by its file.
    pub(crate) fn of(place: &Path) -> Result<Self, Error> {
        let file = if place.is_dir() { place.join(FILE) } else { place.to_owned() };
        let dir = match file.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
            _ => PathBuf::from("."),
        };
        let real = dir
            .canonicalize()
            .with_context(|| format!("{} cannot be read: check its permissions", dir.display()))?;
        Ok(Self { dir, real })
    }

    /// Why a file of the project must not be changed, if so.
    pub(crate) fn lock_reason(&self, name: &str) -> Option<String> {
        let path = Path::new(name);
        let inside =
            path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if !inside {
            return Some(format!("{name} is outside of the project's folder"));
        }
        let real = self.dir.join(path).canonicalize().ok()?;
        if !real.starts_with(&self.real) {
            return Some(format!("{name} is a link that leads out of the project's folder"));
        }
        let read_only = real.metadata().is_ok_and(|meta| meta.permissions().readonly());
        read_only.then(|| format!("{name} may not be written: check its permissions"))
    }

    /// A file of the project.
    pub(crate) fn read_file(&self, name: &str) -> Result<Original, Error> {
        let path = self.dir.join(name);
        let path = path
            .canonicalize()
            .with_context(|| format!("{} cannot be read any more", path.display()))?;
        let bytes = load::read_bytes(&path)?;
        let text = String::from_utf8_lossy(bytes.strip_prefix(MARK).unwrap_or(&bytes)).into_owned();
        Ok(Original { path, bytes, text })
    }
}

impl Original {
    /// Where in the bytes a place of the text is.
    pub(crate) fn byte_offset(&self, place: usize) -> usize {
        byte_offset(&self.bytes, place)
    }
}

/// A byte order mark is not in the text, and each run of bytes that is not UTF-8 is one replacement character there.
fn byte_offset(bytes: &[u8], place: usize) -> usize {
    let mut at = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    let mut left = place;
    for chunk in bytes.get(at..).unwrap_or_default().utf8_chunks() {
        if left <= chunk.valid().len() {
            return at + left;
        }
        left -= chunk.valid().len();
        at += chunk.valid().len() + chunk.invalid().len();
        left = left.saturating_sub('\u{fffd}'.len_utf8());
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_of_the_text_is_found_in_the_bytes() {
        for bytes in [
            &b"plain x"[..],
            b"\xef\xbb\xbfmarked x",
            b"caf\xe9 \xff\xfe x",
            b"\xef\xbb\xbf\xe9\xe9\xe9x",
            b"\xe9x",
            "\u{6743}\u{91cd} x".as_bytes(),
            b"\xf0\x9f\x98 cut x",
        ] {
            let text =
                String::from_utf8_lossy(bytes.strip_prefix(MARK).unwrap_or(bytes)).into_owned();
            let place = text.find('x').unwrap();
            assert_eq!(bytes[byte_offset(bytes, place)], b'x', "{bytes:?}");
            assert_eq!(byte_offset(bytes, text.len()), bytes.len(), "{bytes:?}");
        }
    }
}
