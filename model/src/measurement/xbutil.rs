//! What `xbutil validate -f JSON` and `xrt-smi validate -f JSON` print.
//!
//! All their values are texts. Their MB/s is 2^20 bytes a second; `mem-bw` drives one compute unit on one HBM bank, and
//! `dma` goes over PCIe.

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;
use serde_json::Value;

use super::verdict::Reason;
use super::{BandwidthClaim, Judgement, MeasurementError, Verdict, read};
use crate::bandwidth::Channels;
use crate::figures::{count, quantity, significant};
use crate::units::BytesPerSecond;
use crate::{Figure, Platform, Provenance};

/// What a figure is about.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum XbutilTest {
    /// Host and card over PCIe.
    Dma,
    /// A kernel and a memory of the card.
    Memory {
        /// `HBM`, `DDR`; `None` where old versions print none.
        bank: Option<String>,
        /// Banks that it used.
        banks: Option<u64>,
    },
    /// From one memory of the card to another.
    MemoryToMemory,
}

/// One figure that is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct XbutilFigure {
    /// What for.
    pub test: XbutilTest,
    /// For people: `mem-bw, HBM, 1 bank`.
    pub name: String,
    /// The number as printed, in what is called MB/s.
    pub printed: f64,
    /// Whether the tool itself says that the test passed.
    pub passed: bool,
}

impl XbutilFigure {
    /// `printed x 2^20`.
    pub fn bandwidth(&self) -> BytesPerSecond {
        BytesPerSecond(self.printed * 1_048_576.0)
    }
}

/// One card's figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Xbutil {
    /// The shell: `xilinx_u280_gen3x16_xdma_base_1`.
    pub shell: String,
    /// The card in the catalogue that the shell's name names.
    pub platform: Option<String>,
    /// In the order in which they are printed; of `dma` the best of all banks.
    pub figures: Vec<XbutilFigure>,
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and a test compiles them")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static DMA: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(write|read) bandwidth\s*[=:]\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s"));
static KINDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"Throughput \(Type: (\w+)\) \(Bank count: ([0-9]+)\)\s*:\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s",
    )
});
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"Throughput of Memory Tag:\s*(\w+)\S*\s*:\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s")
});
static M2M: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\S+) -> (\S+) M2M bandwidth\s*:?\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s"));
static OLD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"Maximum throughput:\s*([0-9]+(?:\.[0-9]+)?)\s*MB/s"));

/// The texts of a test's log.
fn log(test: &Value) -> impl Iterator<Item = &str> {
    let entries = test.get("log").and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(Value::as_object).flat_map(|entry| entry.values()).filter_map(Value::as_str)
}

/// The card of the catalogue that a shell's name names between its underscores.
fn card(shell: &str) -> Option<String> {
    let mut words = shell.split('_');
    let known = |word: &&str| Platform::names().any(|name| name.eq_ignore_ascii_case(word));
    words.find(known).map(str::to_ascii_lowercase)
}

impl Xbutil {
    /// Whether a file is what these tools print.
    pub(super) fn is_one(value: &Value) -> bool {
        value.get("logical_devices").is_some_and(Value::is_array)
    }

    /// Reads all cards of a file. The error is that it names no bandwidth.
    pub fn parse(name: &str, text: &str) -> Result<Vec<Self>, MeasurementError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| read::sentence(name, &error))?;
        let devices = value.get("logical_devices").and_then(Value::as_array);
        let all: Vec<Self> = devices.into_iter().flatten().map(Self::device).collect();
        if all.iter().all(|device| device.figures.is_empty()) {
            return Err(MeasurementError {
                place: name.to_owned(),
                reason: "no test in it prints a bandwidth: run `xbutil validate` with the tests dma and mem-bw".to_owned(),
            });
        }
        Ok(all)
    }

    fn device(value: &Value) -> Self {
        let shell = value.get("platform").and_then(Value::as_str).unwrap_or("an unnamed card");
        let tests = value.get("tests").and_then(Value::as_array);
        Self {
            shell: shell.to_owned(),
            platform: card(shell),
            figures: tests.into_iter().flatten().flat_map(figures).collect(),
        }
    }
}

fn figures(test: &Value) -> Vec<XbutilFigure> {
    let name = test.get("name").and_then(Value::as_str).unwrap_or("a test").to_ascii_lowercase();
    let status = test.get("status").and_then(Value::as_str).unwrap_or_default();
    let passed = status.eq_ignore_ascii_case("passed");
    let figure = |test, what: String, printed: &str| {
        let printed = printed.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0)?;
        Some(XbutilFigure { test, name: format!("{name}, {what}"), printed, passed })
    };
    let mut found = Vec::new();
    let mut dma: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for line in log(test) {
        if let Some(hit) = DMA.captures(line) {
            let way = usize::from(&hit[1] == "read");
            if let (Some(way), Ok(printed)) = (dma.get_mut(way), hit[2].parse::<f64>()) {
                way.push(printed);
            }
        } else if let Some(hit) = KINDS.captures(line) {
            let banks = hit[2].parse::<u64>().ok();
            let said = banks.map_or_else(String::new, |n| {
                format!(", {}", count(usize::try_from(n).unwrap_or(usize::MAX), "bank"))
            });
            let test = XbutilTest::Memory { bank: Some(hit[1].to_owned()), banks };
            found.extend(figure(test, format!("{}{said}", &hit[1]), &hit[3]));
        } else if let Some(hit) = TAG.captures(line) {
            let test = XbutilTest::Memory { bank: Some(hit[1].to_owned()), banks: Some(1) };
            found.extend(figure(test, format!("{}, 1 bank", &hit[1]), &hit[2]));
        } else if let Some(hit) = M2M.captures(line) {
            let what = format!("{} to {}", &hit[1], &hit[2]);
            found.extend(figure(XbutilTest::MemoryToMemory, what, &hit[3]));
        } else if let Some(hit) = OLD.captures(line) {
            let test = XbutilTest::Memory { bank: None, banks: None };
            found.extend(figure(test, "memory not named".to_owned(), &hit[1]));
        }
    }
    for (rates, way) in dma.iter().zip(["to the card", "from the card"]) {
        let Some(best) = rates.iter().copied().max_by(f64::total_cmp) else { continue };
        let what = format!("{way}, best of {}", count(rates.len(), "bank"));
        found.extend(figure(XbutilTest::Dma, what, &best.to_string()));
    }
    found
}

/// What one of these figures says of a claim: never that it holds, as neither ports nor clocks are printed.
pub(super) fn judge(device: &Xbutil, figure: &XbutilFigure, claim: &BandwidthClaim) -> Judgement {
    let mut judgement = Judgement::new(figure.name.clone());
    let bandwidth = figure.bandwidth();
    judgement.bandwidth = Some(Figure::new(
        bandwidth,
        Provenance::Measured,
        format!(
            "{} MB/s are printed, which are MiB/s: times 1.048576 in MB/s",
            significant(figure.printed, 6)
        ),
    ));

    let (bank, banks) = match &figure.test {
        XbutilTest::Memory { bank, banks } => (bank, banks),
        XbutilTest::Dma => {
            let sentence =
                "It is the way between host and card over PCIe, not the memory of the card.";
            return judgement.decided(Verdict::NotEvidence, vec![Reason::new("pcie", sentence)]);
        }
        XbutilTest::MemoryToMemory => {
            let sentence = "It is a copy by the shell between two memories, not what kernels get.";
            return judgement
                .decided(Verdict::NotEvidence, vec![Reason::new("shell-copy", sentence)]);
        }
    };
    let platform = device.platform.as_deref().and_then(|name| {
        let own = claim.platform.as_ref().filter(|own| own.name.eq_ignore_ascii_case(name));
        own.cloned().or_else(|| Platform::named(name).ok())
    });
    let memory = platform.as_ref().and_then(|platform| {
        let wanted = bank.as_deref()?;
        platform.memories().find(|memory| {
            memory.bank.as_deref().is_some_and(|bank| bank.eq_ignore_ascii_case(wanted))
        })
    });
    if let (Some(claimed), Some(platform)) = (&claim.platform, &platform) {
        let other_card = !platform.name.eq_ignore_ascii_case(&claimed.name);
        let other_memory = memory.is_some_and(|memory| memory.title != claimed.memory.title);
        if other_card || other_memory {
            let of = memory.map_or(&platform.title, |memory| &memory.title);
            let reason = Reason::new(
                if other_card { "other-card" } else { "other-memory" },
                format!(
                    "It is of {of} ({}), and the claim is about {} ({}). --bandwidth gives a claim about any.",
                    platform.name, claimed.memory.title, claimed.name
                ),
            );
            return judgement.decided(Verdict::NotEvidence, vec![reason]);
        }
    }
    if let (Some(memory), Some(banks)) = (memory, banks) {
        let channels = Channels::of(memory);
        let used = (*banks as f64).min(channels.count as f64);
        let peak = Figure::new(
            channels.rate * used,
            Provenance::Derived,
            format!("{used} of {} banks at {}", channels.count, quantity(channels.rate)),
        );
        let above = (bandwidth > peak.value).then(|| {
            Reason::new(
                "above-peak",
                format!(
                    "{} is more than {} can carry ({}): it is of more banks than are printed, or counted otherwise.",
                    quantity(bandwidth),
                    count(usize::try_from(*banks).unwrap_or(usize::MAX), "bank"),
                    quantity(peak.value)
                ),
            )
        });
        judgement.peak = Some(peak);
        if let Some(above) = above {
            return judgement.decided(Verdict::Implausible, vec![above]);
        }
    }
    let mut reasons = Vec::new();
    if *banks == Some(1) {
        let of = memory.map_or_else(String::new, |memory| {
            format!(" of the {} banks of {}", Channels::of(memory).count, memory.title)
        });
        reasons.push(Reason::new(
            "one-bank",
            format!("It is one bank{of}: what the others would add is not measured, and one bank's figure is not multiplied."),
        ));
    }
    reasons.push(Reason::new(
        "missing-field",
        "A verdict needs port widths, kernel clock and memory clock, and these tools do not print them: use `derate bench`.",
    ));
    if !figure.passed {
        reasons.push(Reason::new("failed", "The tool does not say that this test passed."));
    }
    judgement.decided(Verdict::Inconclusive, reasons)
}
