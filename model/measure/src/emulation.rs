//! Whether a file about hardware names an emulator as its device or its tools.

use super::{DeviceKind, EMULATOR_NAME, Measurement, VerdictReason};

/// The mark of an emulation in a name: a target of `v++ -t`, XRT's noop shim, or the name of derate's emulator.
pub(super) fn find_mark(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let contained =
        ["sw_emu", "hw_emu", EMULATOR_NAME].into_iter().find(|mark| lower.contains(mark));
    let is_noop = || lower.split(|sign: char| !sign.is_alphanumeric()).any(|word| word == "noop");
    contained.or_else(|| is_noop().then_some("noop"))
}

/// On one line, apostrophes as they are.
fn show_text(text: &str) -> String {
    text.escape_debug().to_string().replace("\\'", "'")
}

/// Where `derate bench` ran by its command line; without `--device` it is the emulator.
fn bench_device(command: &str) -> Option<&str> {
    let mut words = command.split_whitespace();
    words.find(|word| word.rsplit('/').next() == Some("derate"))?;
    words.find(|&word| word == "bench")?;
    let mut device = "emu";
    while let Some(word) = words.next() {
        if word == "--device" {
            device = words.next()?;
        } else if let Some(value) = word.strip_prefix("--device=") {
            device = value;
        }
    }
    Some(device)
}

/// The part of a command line that runs a program on an emulation: `derate emu run`, an emulation mode of XRT, or a file that
/// was built for one.
fn emulated_command(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        if word.rsplit('/').next() == Some("derate") {
            // Global flags may come before the subcommand.
            let mut after = words.clone().take_while(|&word| word != "--");
            if after.find(|word| !word.starts_with('-')) == Some("emu") && after.any(|w| w == "run")
            {
                return Some("derate emu run".to_owned());
            }
        }
        let mode = word.split_once("XCL_EMULATION_MODE=").map(|(_, mode)| mode);
        let lower = word.to_ascii_lowercase();
        let is_built_for_one = lower.contains("sw_emu") || lower.contains("hw_emu");
        let is_set = mode.is_some_and(|mode| !mode.trim_matches(['"', '\'', ';']).is_empty());
        if is_built_for_one || is_set {
            return Some(word.to_owned());
        }
    }
    None
}

/// Why the command did not run where the file says.
fn check_command(measurement: &Measurement) -> Option<String> {
    let command = measurement.command.as_deref()?;
    let kind = measurement.device.kind;
    if let Some(part) = emulated_command(command) {
        return Some(format!(
            "`command` has `{}`, which runs on an emulation, and `device.kind` says {}: an emulation is not a measurement of \
             hardware. Give the command that measured it.",
            show_text(&part),
            kind.as_str()
        ));
    }
    let device = bench_device(command)?;
    let is_there = match kind {
        DeviceKind::Cpu => device == "cpu",
        DeviceKind::Gpu => device.starts_with("cuda:"),
        _ => device.starts_with("xrt"),
    };
    (!is_there).then(|| {
        format!(
            "`command` ran the bench on `{}`, and `device.kind` says {}: the times are of one of the two. Give the command that \
             measured it.",
            show_text(device),
            kind.as_str()
        )
    })
}

/// Why a measurement of a card, a processor or a GPU is an emulation, by the names and the command in it.
pub(super) fn find_emulation(measurement: &Measurement) -> Option<VerdictReason> {
    let (device, versions) = (&measurement.device, &measurement.versions);
    let fields = [
        ("device.name", Some(&device.name)),
        ("device.platform", device.platform.as_ref()),
        ("versions.xrt", versions.xrt.as_ref()),
        ("versions.shell", versions.shell.as_ref()),
        ("versions.xclbin", versions.xclbin.as_ref()),
        ("versions.compiler", versions.compiler.as_ref()),
    ];
    let named = fields.into_iter().find_map(|(key, text)| {
        let text = text?;
        let mark = find_mark(text)?;
        Some(format!(
            "`{key}` is `{}`, which names an emulation ({mark}), and `device.kind` says {}: an emulation is not a measurement of \
             hardware. If it ran on hardware, give the name of that device.",
            show_text(text),
            device.kind.as_str()
        ))
    });
    Some(VerdictReason::new("emulated", named.or_else(|| check_command(measurement))?))
}
