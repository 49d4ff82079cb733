//! Configurations that say nothing of a design's banks.

use derate_hls::Connectivity;

/// Whether all kernels of a configuration are test benches by their names.
pub fn are_benches(connectivity: &Connectivity) -> bool {
    let units = connectivity.memory.iter().map(|pin| pin.unit.value.as_str());
    let pinned = units.map(|unit| connectivity.kernel_of_unit(unit));
    let made = connectivity.kernels.iter().map(|one| one.kernel.value.as_str());
    pinned.chain(made).all(is_bench)
}

fn is_bench(kernel: &str) -> bool {
    let kernel = kernel.to_ascii_lowercase();
    kernel.ends_with("_tb") || kernel.starts_with("tb_") || kernel.starts_with("test_")
}

/// Whether a generator has not yet filled in a text: `%NAME%`, `@NAME@`, `{{name}}`.
pub fn has_placeholder(text: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with(['#', ';']));
    code.into_iter().any(|line| {
        let between = |mark: char| {
            let parts: Vec<&str> = line.split(mark).collect();
            let inner = parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default();
            inner.iter().any(|part| is_name(part))
        };
        let braced = line.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}"));
        braced || between('%') || between('@')
    })
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_names_between_marks() {
        for line in ["sp=k_1.%HAVE_A%a:HBM[0]", "nk=@KERNEL@:1", "sp={{unit}}.a:HBM[{{ bank }}]"] {
            assert!(has_placeholder(line), "{line}");
            assert!(!has_placeholder(&format!("# {line}")), "{line}");
        }
        for line in ["sp=k_1.a:HBM[0]", "param=load=50% and 20%", "prop=run.{x}={-a @ b}", "a@b"] {
            assert!(!has_placeholder(line), "{line}");
        }
    }
}
