//! The sources of one kernel with their includes, for the model of its schedule.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use derate_syntax::ast::Unit;
use derate_syntax::{SourceFile, read_unit};

use crate::{LoadError, Preprocess, read_source};

/// More is not followed: it is not a kernel.
const LARGEST_IN_ALL: u64 = 64 << 20;

/// A kernel's sources, read.
#[derive(Debug)]
pub struct LoadedKernel {
    /// What they declare.
    pub unit: Unit,
    /// Everything that was read of them: the files named in their order, then the headers on disk in order of their paths.
    pub texts: Vec<String>,
    /// The files named that are not UTF-8 throughout.
    pub replaced: Vec<String>,
}

/// The texts of a kernel, which can be parsed in many variations. Headers are read once.
#[derive(Debug)]
pub struct KernelTexts {
    files: Vec<SourceFile>,
    defines: Vec<(String, String)>,
    include: Vec<PathBuf>,
    headers: RefCell<HashMap<PathBuf, Option<String>>>,
    bytes: Cell<u64>,
    /// The files named that are not UTF-8 throughout.
    pub replaced: Vec<String>,
}

impl KernelTexts {
    /// Reads the files that a command line names.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, a folder that is not one, or a `-D` that defines nothing.
    pub fn read(paths: &[PathBuf], preprocess: &Preprocess) -> Result<Self, LoadError> {
        let defines = preprocess.macros()?;
        if let Some(folder) = preprocess.include.iter().find(|folder| !folder.is_dir()) {
            let reason = format!("{} is not a folder: check the path", folder.display());
            return Err(LoadError::Option { option: "-I", reason });
        }
        let mut replaced = Vec::new();
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let (text, odd_bytes) = read_source(path)?;
            let path = path.to_string_lossy().into_owned();
            if odd_bytes {
                replaced.push(path.clone());
            }
            files.push(SourceFile { path, text });
        }
        let (include, headers) = (preprocess.include.clone(), RefCell::default());
        Ok(Self { files, defines, include, headers, bytes: Cell::new(0), replaced })
    }

    /// The files that were named, with their texts.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// What `-D` gives for a macro, the last time that it does.
    #[must_use]
    pub fn given_macro(&self, name: &str) -> Option<&str> {
        let own = self.defines.iter().rev().find(|(own, _)| own == name);
        own.map(|(_, value)| value.as_str())
    }

    /// The headers that earlier parses included, in the order of their paths.
    #[must_use]
    pub fn headers(&self) -> Vec<SourceFile> {
        let headers = self.headers.borrow();
        let read = headers.iter().filter_map(|(path, text)| Some((path, text.as_ref()?)));
        let mut read: Vec<SourceFile> = read
            .map(|(path, text)| SourceFile {
                path: path.to_string_lossy().into_owned(),
                text: text.clone(),
            })
            .collect();
        read.sort_by(|a, b| a.path.cmp(&b.path));
        read
    }

    /// Parses the files with their includes, each text changed by `edit`, which gets its path too, and with more
    /// macros. An include in quotes is looked for beside the file that includes it, every include then in the folders of `-I`.
    /// What is not found is skipped, as headers of the tool are.
    pub fn parse(&self, edit: impl Fn(&str, &str) -> String, more: &[(String, String)]) -> Unit {
        let edited = |file: &SourceFile| {
            let text = edit(&file.path, &file.text);
            SourceFile { path: file.path.clone(), text }
        };
        let files: Vec<SourceFile> = self.files.iter().map(edited).collect();
        let defines: Vec<(String, String)> = self.defines.iter().chain(more).cloned().collect();
        let mut loader = |name: &str, quoted: bool, from: &str| {
            let beside = Path::new(from).parent().filter(|_| quoted);
            let folders = beside.into_iter().chain(self.include.iter().map(PathBuf::as_path));
            let found = folders.map(|folder| folder.join(name)).find(|path| self.has(path))?;
            let text = self.headers.borrow().get(&found).cloned().flatten()?;
            let path = found.to_string_lossy().into_owned();
            let text = edit(&path, &text);
            Some((path, text))
        };
        read_unit(&files, &mut loader, &defines)
    }

    /// Whether a header is there; it is read the first time.
    fn has(&self, path: &Path) -> bool {
        let mut headers = self.headers.borrow_mut();
        let read = headers.entry(path.to_owned()).or_insert_with(|| {
            let size = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
            self.bytes.set(self.bytes.get() + size);
            let (text, _) =
                (self.bytes.get() <= LARGEST_IN_ALL).then(|| read_source(path).ok())??;
            Some(text)
        });
        read.is_some()
    }
}

/// Reads and parses the files that a command line names, with their includes.
///
/// # Errors
///
/// Those of [`KernelTexts::read`].
pub fn load_kernel(paths: &[PathBuf], preprocess: &Preprocess) -> Result<LoadedKernel, LoadError> {
    let texts = KernelTexts::read(paths, preprocess)?;
    let unit = texts.parse(|_, text| text.to_owned(), &[]);
    let headers = texts.headers();
    let all = texts.files.into_iter().chain(headers).map(|file| file.text).collect();
    Ok(LoadedKernel { unit, texts: all, replaced: texts.replaced })
}
