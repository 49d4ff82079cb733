//! Compiled kernels by the content that they come from: what did not change is not compiled again.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::sha256::{sha256, to_hex};

/// What the folder holds at most; the oldest go first.
const MOST: u64 = 256 << 20;

/// A folder of objects. Without a home it keeps nothing.
#[derive(Debug)]
pub(super) struct Cache(Option<PathBuf>);

impl Cache {
    /// The user's: below `XDG_CACHE_HOME`, else `~/.cache`.
    pub(super) fn of_user() -> Self {
        let folder = |name: &str| {
            std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
        };
        let root = folder("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let root = root.or_else(|| folder("HOME").map(|home| home.join(".cache")));
        Self(root.map(|root| root.join("derate/kernels")))
    }

    /// What these parts make, where it was made before.
    pub(super) fn find(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.0.as_ref()?.join(key);
        let bytes = fs::read(&path).ok()?;
        // A file that was cut short by a full disk is not what was written.
        let (digest, object) = bytes.split_at_checked(32)?;
        (digest == sha256(object)).then(|| object.to_vec())
    }

    /// Keeps an object. That it cannot be kept is no error.
    pub(super) fn keep(&self, key: &str, object: &[u8]) {
        let Some(folder) = &self.0 else { return };
        if fs::create_dir_all(folder).is_err() {
            return;
        }
        let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
            file.write_all(&sha256(object))?;
            file.write_all(object)?;
            Ok(file)
        });
        if let Ok(file) = written {
            let _ = file.persist(folder.join(key));
        }
        self.remove_oldest();
    }

    fn remove_oldest(&self) {
        let Some(entries) = self.0.as_ref().and_then(|folder| fs::read_dir(folder).ok()) else {
            return;
        };
        let about = |entry: fs::DirEntry| {
            let about = entry.metadata().ok()?;
            Some((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len(), entry.path()))
        };
        let mut files: Vec<_> = entries.flatten().filter_map(about).collect();
        files.sort();
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in files {
            if total <= MOST {
                return;
            }
            let _ = fs::remove_file(path);
            total = total.saturating_sub(bytes);
        }
    }
}

/// The key of what these parts make.
pub(super) fn key_of(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(&part.len().to_string());
        text.push('\n');
        text.push_str(part);
    }
    to_hex(&sha256(text.as_bytes()))
}
