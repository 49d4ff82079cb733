//! Prints the findings of a project, one a line: `cargo run -p audit-in-five-lines -- examples/bfloat16-header`.

use std::path::PathBuf;

use derate_model::{audit::audit, load::LoadError, load::Preprocess, load_project};

fn main() -> Result<(), LoadError> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let project = load_project(&folder, &Preprocess::default())?;
    for finding in audit(&project.analysis).findings {
        println!("{}: {}", finding.code, finding.message);
    }
    Ok(())
}
