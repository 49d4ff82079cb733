//! What `xbutil validate -f JSON` and `xrt-smi validate -f JSON` print.
//!
//! All their values are texts. Their MB/s is 2^20 bytes a second; `mem-bw` drives one compute unit on one HBM bank, and
//! `dma` goes over the host's bus.

mod judge;
mod log;

use serde::Serialize;
use serde_json::Value;

pub(crate) use judge::judge_figure;

use super::{MeasurementError, named_card, read};
use derate_source::FilePlace;
use derate_units::BytesPerSecond;

/// So many of the reasons why a file gives no figure.
const TOLD: usize = 8;

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
    /// What the tool says became of the test, in small letters: `passed`, `failed`; `None` where it says nothing.
    pub status: Option<String>,
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
    /// Rates in the file that could not be read, and tests that give no rate: a sentence each.
    pub left_out: Vec<String>,
}

impl Xbutil {
    /// Whether a file is what these tools print.
    pub(super) fn is_one(value: &Value) -> bool {
        value.get("logical_devices").is_some_and(Value::is_array)
    }

    /// Reads all cards of a file. The error is that it names no bandwidth.
    pub fn parse(name: &str, text: &str) -> Result<Vec<Self>, MeasurementError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| read::describe_error(name, &error))?;
        let devices = value.get("logical_devices").and_then(Value::as_array);
        let all: Vec<Self> = devices.into_iter().flatten().map(Self::read_device).collect();
        if all.iter().all(|device| device.figures.is_empty()) {
            let reason = "no test in it prints a bandwidth that could be read (rates in MB/s, as these tools print them): run `xbutil validate` with the tests dma and mem-bw";
            let left_out = all.iter().flat_map(|device| &device.left_out).take(TOLD);
            let said = left_out.map(|one| format!(". {}", one.trim_end_matches('.')));
            let reason = reason.to_owned() + &said.collect::<String>();
            return Err(MeasurementError { place: FilePlace::of_file(name), reason });
        }
        Ok(all)
    }

    fn read_device(value: &Value) -> Self {
        let shell = value.get("platform").and_then(Value::as_str).unwrap_or("an unnamed card");
        let tests = value.get("tests").and_then(Value::as_array);
        let mut device = Self {
            shell: shell.to_owned(),
            platform: named_card::find_card(shell),
            figures: Vec::new(),
            left_out: Vec::new(),
        };
        for test in tests.into_iter().flatten() {
            log::read_test(test, &mut device);
        }
        if device.figures.is_empty() && device.left_out.is_empty() {
            let sentence = format!("No test of {} prints a bandwidth.", shell.escape_debug());
            device.left_out.push(sentence);
        }
        device
    }
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
            ("Throughput (Type: HBM) (Bank count: 0) : 12100.5 MB/s", "mem-bw, HBM", 12100.5),
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

    fn card_of(tests: &str) -> Xbutil {
        let text = format!(
            "{{\"logical_devices\": [{{\"platform\": \"x_u280_y\", \"tests\": [{tests}]}}]}}"
        );
        Xbutil::parse("x.json", &text).unwrap().remove(0)
    }

    const GOOD: &str = r#"{"name": "dma", "status": "PASSED", "log": [{"Details": "Host -> PCIe -> FPGA write bandwidth = 777.5 MB/s"}]}"#;

    #[test]
    fn what_cannot_be_read_is_told_with_its_test() {
        for (test, said) in [
            (
                r#"{"name": "mem-bw", "status": "FAILED", "log": [{"Error Message": "Bandwidth kernel timed out"}]}"#,
                "mem-bw gives no figure: the tool says that it failed.",
            ),
            (
                r#"{"name": "mem-bw", "log": [{"Details": "Throughput (Type: HBM) (Bank count: 1) : 12.1 GB/s"}]}"#,
                "mem-bw: `Throughput (Type: HBM) (Bank count: 1) : 12.1 GB/s` is left out: it has no rate in MB/s in a form that is known.",
            ),
            (
                r#"{"name": "dma", "log": [{"Details": "Host <- PCIe <- FPGA read bandwidth = 0.0 MB/s"}]}"#,
                "dma: `Host <- PCIe <- FPGA read bandwidth = 0.0 MB/s` is left out: the rate is nothing.",
            ),
            (
                r#"{"name": "m2m", "log": "all in one text"}"#,
                "m2m gives no figure: the tool does not say that it passed.",
            ),
        ] {
            let card = card_of(&format!("{GOOD}, {test}"));
            assert_eq!(card.figures.len(), 1);
            assert_eq!(card.left_out[0], said);
        }
        // Tests of other things, and lines that are not rates, are not missed.
        let other = r#"{"name": "iops", "status": "PASSED", "log": [{"Details": "IOPS: 367654"}]}"#;
        let sizes = r#"{"name": "DMA", "status": "PASSED", "log": [{"Details": ["Buffer size - '16 MB'", "Host -> PCIe -> FPGA write bandwidth = 1 MB/s"]}]}"#;
        assert_eq!(card_of(&format!("{GOOD}, {other}, {sizes}")).left_out, Vec::<String>::new());
    }

    #[test]
    fn a_file_without_a_figure_says_why() {
        let text = r#"{"logical_devices": [{"platform": "x_u280_y", "tests": [{"name": "mem-bw", "status": "FAILED"}]}]}"#;
        let error = Xbutil::parse("x.json", text).unwrap_err().to_string();
        assert!(error.ends_with("mem-bw gives no figure: the tool says that it failed"), "{error}");
        // However many cards say nothing, it is a sentence for each of a few.
        let cards = format!(r#"{{"logical_devices": [{}]}}"#, vec!["{}"; 1000].join(", "));
        let error = Xbutil::parse("x.json", &cards).unwrap_err().to_string();
        assert!(error.len() < 1000 && !error.contains(".."), "{error}");
    }

    #[test]
    fn many_lines_that_cannot_be_read_are_counted() {
        let line = r#"{"Details": "bandwidth = ? MB/s"}"#;
        let test = format!(r#"{{"name": "dma", "log": [{}]}}"#, vec![line; 100].join(", "));
        let left_out = card_of(&format!("{GOOD}, {test}")).left_out;
        assert!(left_out.len() < 10, "{left_out:?}");
        assert!(
            left_out.iter().any(|one| one == "dma: 96 more lines are left out."),
            "{left_out:?}"
        );
    }

    #[test]
    fn a_printed_megabyte_is_a_mebibyte() {
        let figure = XbutilFigure {
            test: XbutilTest::Dma,
            name: String::new(),
            printed: 12100.5,
            status: None,
        };
        assert_eq!(figure.bandwidth(), BytesPerSecond(12_688_293_888.0));
    }
}
