//! What `v++ -c` makes: where a kernel's source is and how it is read. The compiled code is in the cache, by its content.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::super::build::KernelFile;
use crate::args::Preprocess;

const SCHEMA: &str = "derate.xo/1";

/// A kernel that was compiled.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Object {
    schema: String,
    sources: Vec<PathBuf>,
    include: Vec<PathBuf>,
    define: Vec<String>,
    kernel: Option<String>,
    /// Configurations that it was compiled with.
    pub(super) config: Vec<PathBuf>,
}

impl Object {
    pub(super) fn of(files: &[KernelFile], config: &[PathBuf]) -> Result<Self, Error> {
        let absolute = |path: &PathBuf| {
            std::path::absolute(path).with_context(|| format!("{} is not a path", path.display()))
        };
        let all = |paths: &[PathBuf]| paths.iter().map(absolute).collect::<Result<Vec<_>, _>>();
        let preprocess = files.first().map(|one| one.preprocess.clone()).unwrap_or_default();
        let sources: Vec<PathBuf> = files.iter().map(|one| one.path.clone()).collect();
        Ok(Self {
            schema: SCHEMA.to_owned(),
            sources: all(&sources)?,
            include: all(&preprocess.include)?,
            define: preprocess.define,
            kernel: files.first().and_then(|one| one.kernel.clone()),
            config: all(config)?,
        })
    }

    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display();
        let bytes =
            fs::read(path).with_context(|| format!("{name} cannot be read: check the path"))?;
        if bytes.starts_with(b"PK") {
            bail!(
                "{name} is an object of Vitis' own, or packs RTL: derate runs kernels in C++, which its own v++ -c compiles; it runs no RTL"
            );
        }
        let object: Self = serde_json::from_slice(&bytes).map_err(|error| {
            anyhow!("{name} is not an object that derate's v++ -c wrote: {error}; compile it again")
        })?;
        if object.schema != SCHEMA {
            bail!(
                "{name} has schema {}, and this derate reads {SCHEMA}: compile it again",
                object.schema
            );
        }
        Ok(object)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        fs::write(path, bytes)
            .with_context(|| format!("{} cannot be written: check the path", path.display()))
    }

    pub(super) fn files(&self) -> impl Iterator<Item = KernelFile> {
        self.sources.iter().map(|path| KernelFile {
            path: path.clone(),
            preprocess: Preprocess { include: self.include.clone(), define: self.define.clone() },
            kernel: self.kernel.clone(),
        })
    }
}
