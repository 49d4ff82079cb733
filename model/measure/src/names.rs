//! Whether a file that says it is of hardware names something that only emulates it.

use super::{DeviceKind, Measurement, Reason, Run};
use derate_units::Provenance;

/// Programs that run a circuit or a whole machine without its hardware, as a card's name has them.
const MACHINES: [&str; 7] = ["qemu", "rtl", "verilator", "xsim", "modelsim", "questa", "vcs"];

/// What derate's emulator writes as `source`.
const OURS: &str = "derate's emulator";

/// On one line, apostrophes as they are.
fn shown(text: &str) -> String {
    text.escape_debug().to_string().replace("\\'", "'")
}

/// The word of a text that names an emulation, a simulation or XRT's noop shim. `QEMU` and `snoop` do not.
pub(super) fn word(text: &str) -> Option<&str> {
    text.split(|sign: char| !sign.is_alphanumeric()).find(|word| {
        let word = word.to_ascii_lowercase();
        matches!(word.as_str(), "emu" | "swemu" | "hwemu" | "noop" | "csim" | "cosim")
            || word.starts_with("emul")
            || word.starts_with("simulat")
    })
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

/// The part of a command line that gives the program an emulation for a card: `derate emu run`, an emulation of XRT's, or
/// a build for one.
fn stand_in(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        if word.rsplit('/').next() == Some("derate") {
            // Its own flags may stand before the subcommands.
            let mut after = words.clone().take_while(|&word| word != "--");
            if after.find(|word| !word.starts_with('-')) == Some("emu") && after.any(|w| w == "run")
            {
                return Some("derate emu run".to_owned());
            }
        }
        let mode = word.split_once("XCL_EMULATION_MODE=").map(|(_, mode)| mode);
        let small = word.to_ascii_lowercase();
        let built = small.contains("sw_emu") || small.contains("hw_emu");
        if built || mode.is_some_and(|mode| !mode.trim_matches(['"', '\'', ';']).is_empty()) {
            return Some(word.to_owned());
        }
    }
    None
}

/// Whether the command ran where the file says that it did.
fn elsewhere(measurement: &Measurement) -> Option<String> {
    let command = measurement.command.as_deref()?;
    if let Some(said) = stand_in(command) {
        return Some(format!(
            "`command` has `{}`, which runs on an emulation, and `device.kind` says {}: what is emulated is no measurement of \
             hardware. Give the command that measured it.",
            shown(&said),
            measurement.device.kind.as_str()
        ));
    }
    let device = bench_device(command)?;
    let there = match measurement.device.kind {
        DeviceKind::Cpu => device == "cpu",
        DeviceKind::Gpu => device.starts_with("cuda:"),
        _ => device.starts_with("xrt"),
    };
    (!there).then(|| {
        format!(
            "`command` ran the bench on `{}`, and `device.kind` says {}: the times are of one or of the other. Give the command that \
             measured it.",
            shown(device),
            measurement.device.kind.as_str()
        )
    })
}

/// Why a measurement of a card or a processor is none, by the names in it.
pub(super) fn emulated(measurement: &Measurement) -> Option<Reason> {
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
        word(text)?;
        Some(format!("`{key}` is `{}`", shown(text)))
    });
    // A processor may be one of such a machine, and is measured there.
    let machine = || {
        let words = device.name.split(|sign: char| !sign.is_alphanumeric());
        let of = |word: &str| MACHINES.iter().any(|known| word.eq_ignore_ascii_case(known));
        let is_one = device.kind == DeviceKind::Card && words.clone().any(of);
        is_one.then(|| format!("`device.name` is `{}`", shown(&device.name)))
    };
    let ours = || {
        let ours = measurement.source.contains(OURS);
        ours.then(|| "`source` is what derate's emulator writes".to_owned())
    };
    let said = named.or_else(machine).or_else(ours).map(|said| {
        format!(
            "{said}, and `device.kind` says {}: what is emulated, simulated or not run at all is no measurement of hardware. \
             If it did run there, give that device's name.",
            device.kind.as_str()
        )
    });
    Some(Reason::new("emulated", said.or_else(|| elsewhere(measurement))?))
}

/// A `source` that says the times were reckoned and not taken, in a file that says they were measured.
pub(super) fn reckoned(measurement: &Measurement) -> Option<Reason> {
    if measurement.provenance != Provenance::Measured {
        return None;
    }
    let small = measurement.source.to_ascii_lowercase();
    let mut words = small.split(|sign: char| !sign.is_alphanumeric());
    let starts = ["estimat", "theoretic", "extrapolat", "datasheet", "guess", "predict"];
    let word = words.find(|word| starts.iter().any(|start| word.starts_with(start)));
    let word = word.or_else(|| small.contains("data sheet").then_some("data sheet"))?;
    Some(Reason::new(
        "source",
        format!(
            "`source` speaks of `{}`, and `provenance` says that the times were measured. If they were not, say so in \
             `provenance`; if they were, give a `source` without that word.",
            shown(word)
        ),
    ))
}

/// A file that does not say where its times are from.
pub(super) fn sourceless(measurement: &Measurement) -> Option<Reason> {
    measurement.source.trim().is_empty().then(|| {
        Reason::new("source", "`source` is empty: say which clock took the times, where and when.")
    })
}

/// Results that passed a check which, by its own words, was none.
pub(super) fn unchecked(run: &Run) -> Option<Reason> {
    let method = &run.check.as_ref().filter(|check| check.passed)?.method;
    let said = method.trim().trim_end_matches('.').to_ascii_lowercase();
    let none = [
        "", "-", "?", "n/a", "na", "no", "none", "nothing", "no check", "todo", "skipped",
        "unknown",
    ];
    let denied = ["not checked", "unchecked", "not verified", "unverified", "not compared"];
    (none.contains(&said.as_str()) || denied.iter().any(|one| said.starts_with(one))).then(|| {
        Reason::new(
            "check",
            format!(
                "`check` passed by `{}`: that is no check. Say in `method` what was compared with what, or leave `check` out.",
                shown(method)
            ),
        )
    })
}

/// A `source` that speaks of an emulation: free words, which may also say that there was none.
pub(super) fn doubtful(measurement: &Measurement) -> Option<Reason> {
    let word = word(&measurement.source)?;
    Some(Reason::new(
        "source",
        format!(
            "`source` speaks of `{}`, and `device.kind` says {}. If it was emulated, say so in `device.kind` and `provenance`; \
             if not, give a `source` without that word.",
            shown(word),
            measurement.device.kind.as_str()
        ),
    ))
}
