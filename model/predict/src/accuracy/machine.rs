//! Whether runs were measured on what predictions are for.

use super::ComparedRun;
use derate_machine::{Processor, ProcessorKind, Target};
use derate_measure::{DeviceKind, Measurement};
use derate_units::Provenance;

/// Refuses runs of another kind of device: no figure of the one says anything of the other. The error is a sentence.
pub(super) fn check_device_kind(
    name: &str,
    measurement: &Measurement,
    target: &Target,
) -> Result<(), String> {
    let ran = measurement.device.kind;
    let kind = target.processor().map(|own| own.kind);
    let same = match ran {
        DeviceKind::Cpu => kind == Some(ProcessorKind::Cpu),
        DeviceKind::Gpu => kind == Some(ProcessorKind::Gpu),
        _ => kind.is_none(),
    };
    if same {
        return Ok(());
    }
    let what = match kind {
        Some(ProcessorKind::Cpu) => "a processor",
        Some(ProcessorKind::Gpu) => "a GPU",
        None => "a card",
    };
    let remedy = if ran == DeviceKind::Cpu {
        "`derate platform measure --out cpu.toml` makes that of this machine"
    } else {
        "`derate platform` lists them"
    };
    Err(format!(
        "{name}: it ran on {}, and {} is {what}: give --platform for what it ran on; {remedy}",
        ran.as_str(),
        target.name()
    ))
}

/// Where what was measured and what is predicted may not be the same machine; each is a sentence.
pub(super) fn note_devices(
    files: &[(String, Measurement)],
    target: &Target,
    cases: &[ComparedRun],
) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, measurement) in files {
        match target {
            Target::Card(card) => {
                let own = measurement.device.platform.as_ref();
                if let Some(own) = own.filter(|own| !own.eq_ignore_ascii_case(&card.name)) {
                    notes.push(format!(
                        "{name} was measured on {own}, and the predictions are for {}.",
                        card.name
                    ));
                }
            }
            Target::Processor(processor) => {
                notes.extend(note_device(name, measurement, processor));
            }
        }
    }
    let peaks_measured = |processor: &Processor| {
        let of_a_run = |case: &ComparedRun| {
            let own = processor.peaks.iter().find(|peak| peak.rate.value == case.peak);
            own.is_some_and(|peak| peak.rate.provenance == Provenance::Measured)
        };
        cases.iter().any(of_a_run)
    };
    if let Some(processor) = target.processor().filter(|own| peaks_measured(own)) {
        notes.push(format!(
            "The peaks of {} are measured ones, of a few products on such a machine: the errors say how far these carry to other \
             shapes there, and nothing of a data sheet.",
            processor.name
        ));
    }
    notes
}

/// What speaks for another processor than the platform's.
fn note_device(name: &str, measurement: &Measurement, processor: &Processor) -> Vec<String> {
    let mut notes = Vec::new();
    let device = &measurement.device.name;
    let same = match processor.kind {
        ProcessorKind::Cpu => processor.title.to_lowercase().contains(&device.to_lowercase()),
        ProcessorKind::Gpu => is_gpu(device, processor),
    };
    if !same || device.trim().is_empty() {
        notes.push(format!(
            "{name} was measured on `{}`, and the predictions are for {}: nothing says that these are one machine.",
            device.escape_debug(),
            processor.title
        ));
    }
    let threads = processor.units.as_ref().filter(|_| processor.kind == ProcessorKind::Cpu);
    if let (Some(own), Some(theirs)) = (measurement.threads, threads.map(|units| units.value))
        && (own as f64 - theirs).abs() >= 1.0
    {
        notes.push(format!(
            "{name} ran on {own} threads, and the figures of {} are of {theirs}: measure both with the same --ports.",
            processor.name
        ));
    }
    notes
}

/// Words that are of one variant of a GPU and not of the other.
const VARIANTS: [&str; 5] = ["pcie", "nvl", "laptop", "ti", "super"];

fn split_words(text: &str) -> Vec<String> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

/// Whether a driver's name, such as `NVIDIA H100 80GB HBM3` or `Tesla V100-SXM2-32GB`, is of that GPU.
fn is_gpu(device: &str, processor: &Processor) -> bool {
    let own = split_words(device);
    let theirs = split_words(&format!("{} {}", processor.name, processor.title));
    let is_number = |word: &str| word.bytes().all(|sign| sign.is_ascii_digit());
    // Memory and form come with a number, too.
    let is_model = |word: &&String| {
        let rest = word.strip_suffix("gb").unwrap_or(word);
        let of_memory = is_number(rest) && rest.len() < 4;
        let of_form = ["sxm", "hbm", "gddr"].iter().any(|begin| word.starts_with(begin));
        word.bytes().any(|sign| sign.is_ascii_digit()) && !of_memory && !of_form
    };
    let mut models = own.iter().filter(is_model).peekable();
    let named = models.peek().is_some() && models.all(|model| theirs.contains(model));
    let variant = VARIANTS.iter().all(|word| {
        let has = |words: &[String]| words.iter().any(|own| own == word);
        has(&own) == has(&theirs)
    });
    let memory = own.iter().filter_map(|word| word.strip_suffix("gb").filter(|n| is_number(n)));
    let gigabytes = theirs.iter().any(|word| word == "gb");
    let mut memory = memory.filter(|number| gigabytes && !number.is_empty());
    named && variant && memory.all(|number| theirs.iter().any(|word| word == number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first are names that NVIDIA's driver gives these GPUs.
    #[test]
    fn a_gpu_is_known_by_its_drivers_name() {
        for (device, platform) in [
            ("NVIDIA H200", "h200"),
            ("NVIDIA H100 80GB HBM3", "h100-sxm"),
            ("NVIDIA H100 PCIe", "h100-pcie"),
            ("NVIDIA A100-SXM4-40GB", "a100-40"),
            ("NVIDIA A100-SXM4-80GB", "a100-80"),
            ("Tesla V100-SXM2-32GB", "v100-sxm2"),
            ("Tesla T4", "t4"),
            ("NVIDIA L4", "l4"),
            ("NVIDIA L40S", "l40s"),
            ("NVIDIA GB10", "gb10"),
            ("NVIDIA GeForce RTX 5060 Laptop GPU", "rtx-5060-laptop"),
        ] {
            for name in Processor::names() {
                // An A100 of 40 GB and one of 80 differ in their memory alone.
                let same = is_gpu(device, &Processor::named(name).unwrap());
                assert_eq!(same, name == platform, "{device} {name}");
            }
        }
        for (device, platform) in [
            ("NVIDIA A100-PCIE-40GB", "a100-40"),
            ("NVIDIA H100 NVL", "h100-pcie"),
            ("NVIDIA GH200 480GB", "h200"),
            ("NVIDIA L40", "l40s"),
            ("NVIDIA GeForce RTX 5060", "rtx-5060-laptop"),
            ("NVIDIA GeForce RTX 5060 Ti", "rtx-5060-laptop"),
            ("Tesla V100-SXM2-16GB", "v100-sxm2"),
            ("test double, no GPU", "t4"),
            ("", "t4"),
        ] {
            assert!(!is_gpu(device, &Processor::named(platform).unwrap()), "{device} {platform}");
        }
    }
}
