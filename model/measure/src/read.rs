use serde::Deserialize;

use super::{KernelKind, Measurement, MeasurementError, Run};
use derate_source::{FilePlace, Reason};
use derate_units::Seconds;

/// More seconds than any repetition takes.
const LONGEST: Seconds = Seconds(1e6);

/// More bytes than any repetition moves, and more a second than any memory gives.
const LARGEST: f64 = 1e18;

/// What every file of ours begins with.
const SCHEMA: &str = "derate.measurement/1";

/// Bits that an AXI port may have.
const WIDTHS: [u64; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];

/// Shorter than any clock resolves.
const SHORTEST: Seconds = Seconds(1e-12);

/// More repetitions and sizes than anybody runs.
const MOST: usize = 1_000_000;

/// The words of the JSON reader and ours.
const WORDS: [(&str, &str); 8] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    ("duplicate field", "key given twice:"),
    ("invalid type:", "a value of the wrong kind:"),
    ("unknown variant", "unknown word"),
    ("invalid value:", "a value that it cannot have:"),
    ("expected u64", "expected a whole number"),
    ("expected f64", "expected a number in SI base units"),
];

/// The reader's error as one sentence, its line beside the file's name.
pub(super) fn describe_error(name: &str, error: &serde_json::Error) -> MeasurementError {
    let whole = error.to_string();
    // The reader puts the place at the end.
    let reason = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(reason, _)| reason);
    let reason =
        WORDS.iter().fold(reason.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours));
    // The names of Rust types mean nothing to the reader of a file.
    let reason = match reason.split_once("expected struct ") {
        Some((before, _)) => format!("{before}expected an object in braces"),
        None => reason,
    };
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = match error.line() {
        0 => FilePlace::of_file(name),
        line => FilePlace::at_line(name, line),
    };
    MeasurementError { place, reason }
}

/// The one key that says what a file is.
#[derive(Deserialize)]
struct SchemaHead {
    schema: Option<String>,
}

impl Measurement {
    /// Reads the text of a file of `derate.measurement/1`; the error gives `name`.
    ///
    /// An unknown key is refused: else a misspelt key would be a field that the file does not give.
    pub fn parse(name: &str, text: &str) -> Result<Self, MeasurementError> {
        let refuse = |reason: String| MeasurementError { place: FilePlace::of_file(name), reason };
        let head: SchemaHead =
            serde_json::from_str(text).map_err(|error| describe_error(name, &error))?;
        match head.schema.as_deref() {
            Some(SCHEMA) => {}
            Some(other) => {
                let other = other.escape_debug();
                return Err(refuse(format!(
                    "it is of the form `{other}`, and this derate reads {SCHEMA}: measure again with `derate bench`, or use the derate that wrote it"
                )));
            }
            None => {
                return Err(refuse(format!(
                    "it has no `schema`, as what `derate bench` writes has ({SCHEMA}), and no list `logical_devices`, as what `xbutil validate -f JSON` prints has: give one of the two"
                )));
            }
        }
        let measurement: Self =
            serde_json::from_str(text).map_err(|error| describe_error(name, &error))?;
        measurement.check().map_err(|reason| refuse(reason.into()))?;
        Ok(measurement)
    }

    /// As the file has it: keys in a fixed order, a line break at the end.
    pub fn to_json(&self) -> String {
        // Keys are texts and numbers are finite or null: nothing in here can fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// What the form alone cannot say; the error is a sentence.
    pub fn check(&self) -> Result<(), Reason> {
        if self.runs.is_empty() {
            return Err("it has no run: nothing was measured".into());
        }
        let positive = [
            ("kernel_clock", self.kernel_clock.map(|clock| clock.0)),
            ("memory_clock", self.memory_clock.map(|clock| clock.0)),
            ("compute_units", self.compute_units.map(|units| units as f64)),
        ];
        for (key, value) in positive {
            if value.is_some_and(|value| value <= 0.0) {
                return Err(format!("`{key}` is 0: leave it out where it is not known").into());
            }
        }
        for (at, group) in self.ports.iter().enumerate() {
            if let Some(bits) = group.bits.filter(|&bits| bits != 0 && !WIDTHS.contains(&bits)) {
                return Err(format!(
                    "`bits` of ports[{at}] is {bits}: an AXI port moves 8, 16, 32, 64, 128, 256, 512 or 1024 bit in a cycle"
                ).into());
            }
            for (key, value) in [("count", group.count), ("bits", group.bits)] {
                if value == Some(0) {
                    return Err(format!(
                        "`{key}` of ports[{at}] is 0: leave it out where it is not known"
                    )
                    .into());
                }
            }
        }
        for (at, run) in self.runs.iter().enumerate() {
            self.check_run(run).map_err(|reason| format!("runs[{at}] {reason}"))?;
        }
        Ok(())
    }

    fn check_run(&self, run: &Run) -> Result<(), Reason> {
        if self.runs.len() > MOST || run.seconds.len() > MOST || run.wall_seconds.len() > MOST {
            return Err(format!("has more than {MOST} repetitions: keep fewer").into());
        }
        if run.seconds.iter().chain(&run.wall_seconds).any(|time| time.0 <= 0.0) {
            let nothing =
                "moved no byte and took 0 s: its kernel did nothing, so nothing was measured";
            let zero = "has a repetition of 0 s: a time is positive";
            return Err(if run.moves_nothing() { nothing } else { zero }.into());
        }
        let tiny = run.seconds.iter().chain(&run.wall_seconds).find(|&&time| time < SHORTEST);
        if let Some(tiny) = tiny {
            return Err(format!(
                "has a repetition of {:e} s: no clock resolves less than {:e} s, and times are in seconds",
                tiny.0, SHORTEST.0
            ).into());
        }
        if run.seconds.iter().chain(&run.wall_seconds).any(|&time| time > LONGEST) {
            return Err("has a repetition of more than 1e6 s: times are in seconds".into());
        }
        let bytes = [
            ("size", run.size),
            ("bytes_read", run.bytes_read),
            ("bytes_written", run.bytes_written),
        ];
        if let Some((key, _)) = bytes.iter().find(|(_, some)| some.is_some_and(|b| b.0 > LARGEST)) {
            return Err(
                format!("has a `{key}` of more than 1e18 B: no repetition moves so many").into()
            );
        }
        if run.stated_bandwidth.is_some_and(|rate| rate.0 > LARGEST) {
            return Err("has a `stated_bandwidth` of more than 1e18 B/s: write it in B/s".into());
        }
        let error = run
            .check
            .as_ref()
            .and_then(|check| check.worst_error.into_iter().chain(check.bound).find(|n| *n < 0.0));
        if let Some(error) = error {
            return Err(format!(
                "has a `worst_error` or a `bound` of {error}: an error is a size, zero or more"
            )
            .into());
        }
        match (run.seconds.is_empty(), run.stated_bandwidth) {
            (true, None) => {
                return Err("has no `seconds`: write those of each repetition".into());
            }
            (false, Some(_)) => {
                return Err(
                    "has `seconds` and `stated_bandwidth`: the second is for a rate that was published without times".into());
            }
            (true, Some(_)) if self.provenance != derate_units::Provenance::Published => {
                return Err(
                    "has `stated_bandwidth` and no `seconds`: only what was published may be a bare rate".into());
            }
            (true, Some(rate)) if rate.0 <= 0.0 => {
                return Err("has a `stated_bandwidth` of 0".into());
            }
            _ => {}
        }
        match (&run.gemm, self.kernel) {
            (Some(_), kernel) if !matches!(kernel, KernelKind::Gemm | KernelKind::Gemv) => {
                Err(format!("has `gemm`, and the kernel is {kernel}: take it out").into())
            }
            (Some(gemm), _) if gemm.m == 0 || gemm.n == 0 || gemm.k == 0 || gemm.count == 0 => {
                Err("has a matrix product without elements: m, n and k are at least 1".into())
            }
            (Some(gemm), KernelKind::Gemv) if gemm.m != 1 => {
                Err("has a `gemm` of several rows, and the kernel is gemv: its m is 1".into())
            }
            _ => self.check_operator(run),
        }
    }

    /// Attention and MLP: whether they are of that kernel, and can be.
    fn check_operator(&self, run: &Run) -> Result<(), Reason> {
        for (key, given, kind) in [
            ("attention", run.attention.is_some(), KernelKind::Attention),
            ("mlp", run.mlp.is_some(), KernelKind::Mlp),
        ] {
            if given && self.kernel != kind {
                return Err(
                    format!("has `{key}`, and the kernel is {}: take it out", self.kernel).into()
                );
            }
        }
        let extents = match (&run.attention, &run.mlp) {
            (Some(own), _) => {
                vec![own.batch, own.heads, own.kv_heads, own.head_dim, own.queries, own.keys]
            }
            (None, Some(own)) => vec![own.batch, own.width, own.layers],
            (None, None) => return Ok(()),
        };
        let most = derate_workload::operator::MOST_EXTENT;
        if extents.iter().any(|extent| !(1..=most).contains(extent)) {
            return Err(format!(
                "has an extent that is none: write whole numbers from 1 to {most}"
            )
            .into());
        }
        let own = run.attention.as_ref().map(|own| own.shape().check_heads());
        own.transpose().map(|_| ()).map_err(|error| format!("has no attention: {error}").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
  "schema": "derate.measurement/1",
  "kernel": "memcpy",
  "device": { "kind": "card", "name": "xilinx_u280_gen3x16_xdma_base_1", "platform": "u280" },
  "provenance": "measured",
  "source": "made up for a test",
  "ports": [
    { "direction": "read", "count": 16, "bits": 512, "banks": "HBM[0:15]" },
    { "direction": "write", "count": 16, "bits": 512, "banks": "HBM[16:31]" }
  ],
  "kernel_clock": 300000000,
  "memory_clock": 450000000,
  "runs": [
    { "size": 1e9, "bytes_read": 1e9, "bytes_written": 1e9, "seconds": [0.005, 0.0051, 0.0049] }
  ]
}
"#;

    fn refused(from: &str, to: &str) -> String {
        assert!(TEXT.contains(from), "{from}");
        Measurement::parse("m.json", &TEXT.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let measurement = Measurement::parse("m.json", TEXT).unwrap();
        let again = Measurement::parse("m.json", &measurement.to_json()).unwrap();
        assert_eq!(again, measurement);
        assert!(measurement.to_json().contains("\"kernel_clock\": 300000000"));
    }

    #[test]
    fn what_is_wrong_is_told_in_one_sentence_with_its_place() {
        for (from, to, start) in [
            ("\"kernel_clock\"", "\"kernel_clok\"", "m.json:11: unknown key `kernel_clok`"),
            ("\"bits\": 512", "\"bit\": 512", "m.json:8: unknown key `bit`"),
            (
                "derate.measurement/1",
                "derate.measurement/2",
                "m.json: it is of the form `derate.measurement/2`",
            ),
            ("\"schema\"", "\"shema\"", "m.json: it has no `schema`"),
            ("\"kernel\": \"memcpy\",", "", "m.json:16: missing key `kernel`"),
            ("\"memcpy\"", "\"strcpy\"", "m.json:3: unknown word `strcpy`"),
            ("0.0051", "-0.0051", "m.json:14: -0.0051 is negative"),
            ("0.0051", "0", "m.json: runs[0] has a repetition of 0 s"),
            ("0.0051", "1e-300", "m.json: runs[0] has a repetition of 1e-300 s: no clock resolves"),
            ("0.0051", "5.1e6", "m.json: runs[0] has a repetition of more than 1e6 s"),
            ("1e9", "1e19", "m.json: runs[0] has a `size` of more than 1e18 B"),
            ("0.0051", "1e999", "m.json:14: number out of range"),
            ("[0.005, 0.0051, 0.0049]", "[]", "m.json: runs[0] has no `seconds`"),
            (
                "\"seconds\": [0.005, 0.0051, 0.0049]",
                "\"stated_bandwidth\": 4e11",
                "m.json: runs[0] has `stated_bandwidth` and no",
            ),
            ("300000000", "0", "m.json: `kernel_clock` is 0"),
            (
                "300000000",
                "\"300 MHz\"",
                "m.json:11: a value of the wrong kind: string \"300 MHz\", expected a number in SI base",
            ),
            (
                "0.0049] }",
                "0.0049], \"check\": {\"passed\": true, \"method\": \"x\", \"worst_error\": -1} }",
                "m.json: runs[0] has a `worst_error` or a `bound` of -1",
            ),
            (
                "\"count\": 16",
                "\"count\": -16",
                "m.json:8: a value that it cannot have: integer `-16`, expected a whole",
            ),
            ("\"count\": 16", "\"count\": 0", "m.json: `count` of ports[0] is 0"),
            ("\"bits\": 512", "\"bits\": 513", "m.json: `bits` of ports[0] is 513: an AXI port"),
            ("\"bits\": 512", "\"bits\": 384", "m.json: `bits` of ports[0] is 384"),
            ("\"bits\": 512", "\"bits\": 2048", "m.json: `bits` of ports[0] is 2048"),
            ("{", "", "m.json:2: a value of the wrong kind: string \"schema\", expected an object"),
        ] {
            let error = refused(from, to);
            assert!(error.starts_with(start), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
