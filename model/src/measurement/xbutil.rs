//! What `xbutil validate -f JSON` and `xrt-smi validate -f JSON` print.
//!
//! All their values are texts. Their MB/s is 2^20 bytes a second; `mem-bw` drives one compute unit on one HBM bank, and
//! `dma` goes over the host's bus.

mod judge;

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;
use serde_json::Value;

pub(in crate::measurement) use judge::judge;

use super::{MeasurementError, read};
use crate::Platform;
use crate::figures::count;
use crate::units::BytesPerSecond;

/// What a figure is about.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum XbutilTest {
    /// Host and card, over the host's bus.
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

/// The texts of a test's log; some versions put several lines into one entry.
fn log(test: &Value) -> impl Iterator<Item = &str> {
    let entries = test.get("log").and_then(Value::as_array).into_iter().flatten();
    let values = entries.filter_map(Value::as_object).flat_map(|entry| entry.values());
    values.flat_map(lines).filter_map(Value::as_str)
}

fn lines(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |lines| lines.iter().collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn figures_of(log: &str) -> Vec<(String, f64)> {
        let text = format!(
            "{{\"logical_devices\": [{{\"platform\": \"xilinx_u55c_gen3x16_xdma_base_3\", \"tests\": [{{\"name\": \"mem-bw\", \"status\": \"passed\", \"log\": {log}}}]}}]}}"
        );
        let cards = Xbutil::parse("x.json", &text).unwrap();
        assert_eq!(cards[0].platform.as_deref(), Some("u55c"));
        cards[0].figures.iter().map(|figure| (figure.name.clone(), figure.printed)).collect()
    }

    #[test]
    fn the_lines_of_all_versions_are_read() {
        for (line, name, printed) in [
            (
                "Throughput (Type: HBM) (Bank count: 1) : 12100.5 MB/s",
                "mem-bw, HBM, 1 bank",
                12100.5,
            ),
            (
                "Throughput (Type: DDR) (Bank count: 4) : 67895.8MB/s",
                "mem-bw, DDR, 4 banks",
                67895.8,
            ),
            ("Throughput of Memory Tag: DDR[2] : 16974 MB/s", "mem-bw, DDR, 1 bank", 16974.0),
            ("Maximum throughput: 29265 MB/s", "mem-bw, memory not named", 29265.0),
            ("bank0 -> bank1 M2M bandwidth: 11153.2 MB/s", "mem-bw, bank0 to bank1", 11153.2),
            (
                "Host -> PCIe -> FPGA write bandwidth = 777.5 MB/s",
                "mem-bw, to the card, best of 1 bank",
                777.5,
            ),
        ] {
            let expected = vec![(name.to_owned(), printed)];
            assert_eq!(figures_of(&format!("[{{\"Details\": \"{line}\"}}]")), expected);
            assert_eq!(figures_of(&format!("[{{\"Details\": [\"{line}\", \"more\"]}}]")), expected);
        }
    }

    #[test]
    fn a_printed_megabyte_is_a_mebibyte() {
        let figure = XbutilFigure {
            test: XbutilTest::Dma,
            name: String::new(),
            printed: 12100.5,
            passed: true,
        };
        assert_eq!(figure.bandwidth(), BytesPerSecond(12_688_293_888.0));
    }
}
