//! What a configuration of v++ says in the place of flags.

use std::path::PathBuf;

use anyhow::Error;
use derate_hls::{EntryValue, Sources, read_connectivity};
use derate_model::load;

use super::words::Call;

/// Puts `platform=`, `kernel=` and `target=` of its configurations into a call that has none.
pub(super) fn read_general(call: &mut Call) -> Result<(), Error> {
    let mut sources = Sources::default();
    for path in call.config.clone() {
        let file = sources.add(path.to_string_lossy(), load::read_text(&path)?);
        let read = read_connectivity(&sources, file)?;
        for entry in read.entries.iter().filter(|one| one.section.is_empty()) {
            let EntryValue::Text(value) = &entry.value else { continue };
            let value = value.value.clone();
            match entry.key.value.as_str() {
                "platform" => _ = call.platform.get_or_insert(value),
                "kernel" => _ = call.kernel.get_or_insert(value),
                "target" => _ = call.target.get_or_insert(value),
                "include" => call.preprocess.include.push(PathBuf::from(value)),
                "define" => call.preprocess.define.push(value),
                _ => {}
            }
        }
    }
    Ok(())
}
