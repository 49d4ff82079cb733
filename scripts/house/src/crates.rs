//! The crates of the workspace and what they depend on.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A crate of the workspace.
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its folder, from the root of the workspace.
    pub folder: String,
    /// The folder at the top level that it is in.
    pub family: String,
    /// The crates of the workspace that it depends on, tests aside.
    pub dependencies: Vec<String>,
}

impl Member {
    /// The folder with its modules.
    pub fn source(&self) -> PathBuf {
        root().join(&self.folder).join("src")
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read_toml(path: &Path) -> Result<toml::Table, Box<dyn Error>> {
    Ok(fs::read_to_string(path)?.parse()?)
}

/// All crates of the workspace.
///
/// # Errors
///
/// A manifest that cannot be read, or that lacks what Cargo asks for.
pub fn read_members() -> Result<Vec<Member>, Box<dyn Error>> {
    let workspace = read_toml(&root().join("Cargo.toml"))?;
    let folders = workspace.get("workspace").and_then(|table| table.get("members"));
    let folders = folders.and_then(toml::Value::as_array).ok_or("the workspace has no members")?;
    folders.iter().filter_map(toml::Value::as_str).map(read_member).collect()
}

fn read_member(folder: &str) -> Result<Member, Box<dyn Error>> {
    let manifest = read_toml(&root().join(folder).join("Cargo.toml"))?;
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    let dependencies = dependencies.map_or_else(Vec::new, |table| {
        table.keys().filter(|name| name.starts_with("derate")).cloned().collect()
    });
    let name = manifest.get("package").and_then(|package| package.get("name"));
    let name = name.and_then(toml::Value::as_str).ok_or("a package has no name")?;
    Ok(Member {
        name: name.to_owned(),
        folder: folder.to_owned(),
        family: folder.split('/').next().unwrap_or_default().to_owned(),
        dependencies,
    })
}
