//! Power: `nvidia-smi --query-gpu=..,power.draw --format=csv`, and the JSON of `xbutil examine` and `xrt-smi examine`.

use serde::Serialize;
use serde_json::Value;

use super::{parse_number, refuse};
use crate::MeasurementError;
use crate::csv::{CsvRecord, read_records, split_heading};
use derate_units::Watts;

/// The power of a device while something ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerLog {
    /// What printed it.
    pub tool: &'static str,
    /// The device, where the file names it.
    pub device: Option<String>,
    /// Samples with a number.
    pub samples: usize,
    /// Their mean.
    pub mean: Watts,
    /// The least of them.
    pub least: Watts,
    /// The most.
    pub most: Watts,
}

impl PowerLog {
    fn of(tool: &'static str, device: Option<String>, watts: &[f64]) -> Option<Self> {
        let count = watts.len();
        let least = watts.iter().copied().fold(f64::INFINITY, f64::min);
        let most = watts.iter().copied().fold(0.0, f64::max);
        let mean = watts.iter().sum::<f64>() / count as f64;
        (count > 0).then_some(Self {
            tool,
            device,
            samples: count,
            mean: Watts(mean),
            least: Watts(least),
            most: Watts(most),
        })
    }
}

/// Reads a file of power; JSON is that of XRT's tools, all else a table of `nvidia-smi`.
pub fn read_power(origin: &str, text: &str) -> Result<PowerLog, MeasurementError> {
    if text.trim_start().starts_with(['{', '[']) {
        return read_xrt(origin, text);
    }
    read_smi(origin, text)
}

/// A number with or without `W` behind it.
fn parse_watts(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = ["Watts", "watts", "W"].iter().find_map(|unit| text.strip_suffix(unit));
    parse_number(plain.unwrap_or(text))
}

const HOW_SMI: &str =
    "write the file with `nvidia-smi --query-gpu=timestamp,name,power.draw --format=csv -lms 50`";

/// Which column has the power, which ones tell devices apart, and which names the device.
struct SmiColumns {
    power: usize,
    apart: Vec<usize>,
    name: Option<usize>,
}

impl SmiColumns {
    /// By a heading, or by the only power in the first line of a file without one (`noheader`).
    fn of(head: &CsvRecord) -> Result<(Self, bool), String> {
        let headings: Vec<(String, &str)> =
            head.fields.iter().map(|field| split_heading(field)).collect();
        let find =
            |names: &[&str]| headings.iter().position(|(own, _)| names.contains(&own.as_str()));
        let power = ["power.draw", "power.draw.instant", "power.draw.average"];
        if let Some(power) = power.into_iter().find_map(|name| find(&[name])) {
            if let unit @ ("mW" | "kW") = headings[power].1 {
                return Err(format!("power.draw is in {unit}: {HOW_SMI}"));
            }
            let apart = [
                "index",
                "uuid",
                "gpu_uuid",
                "pci.bus_id",
                "gpu_bus_id",
                "serial",
                "name",
                "gpu_name",
            ];
            let apart = apart.into_iter().filter_map(|name| find(&[name])).collect();
            return Ok((Self { power, apart, name: find(&["name", "gpu_name"]) }, true));
        }
        let is_power = |field: &String| {
            let number = field.trim().strip_suffix(" W");
            number.is_some_and(|number| parse_number(number).is_some())
        };
        let found: Vec<usize> =
            (0..head.fields.len()).filter(|&at| is_power(&head.fields[at])).collect();
        match found.as_slice() {
            [power] => {
                let apart = (0..head.fields.len()).filter(|&at| is_device(&head.fields[at]));
                Ok((Self { power: *power, apart: apart.collect(), name: None }, false))
            }
            [] => Err(format!("there is no column power.draw: {HOW_SMI}")),
            _ => Err(format!("there is no heading, and several columns are in watts: {HOW_SMI}")),
        }
    }
}

/// Whether a field without a heading says which device it is: a name, a UUID or a place on the bus.
fn is_device(field: &str) -> bool {
    let field = field.trim();
    let is_place = || field.len() > 8 && field.as_bytes()[8] == b':' && field.contains('.');
    ["GPU-", "NVIDIA", "Tesla", "Quadro", "GeForce"].iter().any(|word| field.starts_with(word))
        || is_place() && field[..8].bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn read_smi(origin: &str, text: &str) -> Result<PowerLog, MeasurementError> {
    let records = read_records(text).map_err(|(line, reason)| refuse(origin, line, reason))?;
    let head = records
        .first()
        .ok_or_else(|| refuse(origin, 1, format!("there is nothing in it: {HOW_SMI}")))?;
    let (columns, has_heading) =
        SmiColumns::of(head).map_err(|reason| refuse(origin, head.line, reason))?;
    let (mut known, mut watts): (Option<&CsvRecord>, _) = (None, Vec::new());
    for record in records.iter().skip(usize::from(has_heading)) {
        // Loops that append one call to another repeat the heading.
        if has_heading && record.fields == head.fields {
            continue;
        }
        let field = record.fields.get(columns.power).ok_or_else(|| {
            refuse(origin, record.line, "the line is cut off before power.draw: leave it out")
        })?;
        let field = field.trim();
        if field.starts_with('[') || field == "N/A" {
            continue;
        }
        watts.push(parse_watts(field).ok_or_else(|| {
            refuse(origin, record.line, format!("`{field}` is not a power such as 71.23 W"))
        })?);
        let own = |record: &CsvRecord, at: usize| {
            record.fields.get(at).map_or(String::new(), |field| field.trim().to_owned())
        };
        let known = *known.get_or_insert(record);
        for &at in &columns.apart {
            let (one, other) = (own(known, at), own(record, at));
            if one != other {
                let what = head.fields.get(at).filter(|_| has_heading);
                let what = what.map_or("the devices", |name| name.trim());
                let reason = format!(
                    "the file has {what} {one} and {other}: give one device, with `nvidia-smi -i 0`"
                );
                return Err(refuse(origin, record.line, reason));
            }
        }
    }
    let device = columns.name.zip(known).and_then(|(at, record)| record.fields.get(at));
    PowerLog::of("nvidia-smi", device.map(|name| name.trim().to_owned()), &watts).ok_or_else(|| {
        refuse(origin, head.line, "no line has a number of power: this device does not report it")
    })
}

fn read_xrt(origin: &str, text: &str) -> Result<PowerLog, MeasurementError> {
    let json: Value = serde_json::from_str(text)
        .map_err(|error| refuse(origin, error.line(), format!("this is not JSON: {error}")))?;
    let how = "write the file with `xbutil examine -d BDF -r electrical -f JSON -o FILE`, or with `xrt-smi examine -r platform -f JSON -o FILE`";
    let device = match json.get("devices").and_then(Value::as_array).map(Vec::as_slice) {
        Some([device]) => device,
        Some(devices) => {
            let reason = format!("there are {} devices: give one with -d BDF", devices.len());
            return Err(refuse(origin, 1, reason));
        }
        // What XRT's own query of a device gives, which programs print.
        None => &json,
    };
    // A card has it at its top, a processor's engine in its platform.
    let places = [
        device.pointer("/electrical/power_consumption_watts"),
        device.pointer("/platforms/0/electrical/power_consumption_watts"),
        device.pointer("/power_consumption_watts"),
    ];
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let said = places.into_iter().flatten().find_map(text);
    let said = said.ok_or_else(|| {
        refuse(origin, 1, format!("there is no electrical.power_consumption_watts: {how}"))
    })?;
    let watts = parse_watts(&said)
        .ok_or_else(|| refuse(origin, 1, format!("electrical.power_consumption_watts is `{said}`, which is not a number: this device does not report it")))?;
    let name = [
        "/platform/static_region/vbnv",
        "/platforms/0/static_region/vbnv",
        "/platforms/0/static_region/name",
        "/device_id",
    ];
    let name = name.iter().find_map(|place| device.pointer(place).and_then(Value::as_str));
    let log = PowerLog::of("xbutil or xrt-smi", name.map(str::to_owned), &[watts]);
    log.ok_or_else(|| refuse(origin, 1, how))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_gives_its_power() {
        let smi =
            read_power("smi.csv", include_str!("../../../../fixtures/profiles/smi-power.csv"))
                .unwrap();
        assert_eq!((smi.tool, smi.samples), ("nvidia-smi", 4));
        assert_eq!(smi.device.as_deref(), Some("NVIDIA A100-SXM4-40GB"));
        assert!((smi.mean.0 - 250.0).abs() < 1e-9 && smi.most.0 > smi.mean.0);
        let card = read_power(
            "card.json",
            include_str!("../../../../fixtures/profiles/xbutil-electrical.json"),
        )
        .unwrap();
        // By its rails: 12.256 V x 0.481 A + 12.24 V x 0.985 A + 3.36 V x 1.04 A.
        assert!((card.mean.0 - 21.445_936).abs() < 1e-9, "{card:?}");
        assert_eq!(card.device.as_deref(), Some("xilinx_u55c_gen3x16_xdma_base_3"));
    }

    #[test]
    fn logs_of_loops_and_without_a_heading_are_read() {
        let twice = "timestamp, name, power.draw [W]\n1, T4, 30.00 W\n\ntimestamp, name, power.draw [W]\n2, T4, 50.00 W\n";
        let log = read_power("twice.csv", twice).unwrap();
        assert_eq!((log.samples, log.device.as_deref()), (2, Some("T4")));
        assert!((log.mean.0 - 40.0).abs() < 1e-12);
        let bare = "2026/01/05 16:06:06.780, 0 %, 2 MiB, 27, 11.60 W\n2026/01/05 16:06:11.788, 9 %, 5 MiB, 28, 31.40 W\n";
        let log = read_power("bare.csv", bare).unwrap();
        assert_eq!((log.samples, log.device), (2, None));
        assert!((log.mean.0 - 21.5).abs() < 1e-12 && log.least.0 < 11.7);
    }

    #[test]
    fn other_forms_of_xrt_are_read() {
        for (text, watts) in [
            (
                r#"{"power_rails": [], "power_consumption_max_watts": "75", "power_consumption_watts": "20.98", "power_consumption_warning": "false"}"#,
                20.98,
            ),
            (
                r#"{"devices": [{"platforms": [{"static_region": {"name": "NPU"}, "electrical": {"power_consumption_watts": "1.402 Watts"}}]}]}"#,
                1.402,
            ),
        ] {
            assert!((read_power("x.json", text).unwrap().mean.0 - watts).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn damaged_files_are_refused_in_a_sentence() {
        for (text, says) in [
            ("timestamp, name\n1, T4\n", "no column power.draw"),
            ("name, power.draw [W]\nT4, [N/A]\n", "does not report it"),
            ("name, power.draw [W]\nT4, hot\n", "`hot` is not a power"),
            ("name, power.draw [W]\nT4\n", "cut off"),
            ("name, power.draw [W]\nT4, 30 W\nL4, 31 W\n", "give one device"),
            ("index, name, power.draw [W]\n0, H100, 300 W\n1, H100, 90 W\n", "index 0 and 1"),
            ("09:15:01, 27, 11.64 W, 70.00 W\n", "several columns are in watts"),
            ("NVIDIA A100, 30 W\nNVIDIA L4, 31 W\n", "give one device"),
            ("1, GPU-a1, 30 W\n1, GPU-b2, 31 W\n", "give one device"),
            ("00000000:01:00.0, 30 W\n00000000:02:00.0, 31 W\n", "give one device"),
            ("{\"devices\": []}", "0 devices"),
            ("{\"electrical\": {}}", "no electrical.power_consumption_watts"),
            (
                "{\"devices\": [{\"electrical\": {\"power_consumption_watts\": \"N/A\"}}]}",
                "not a number",
            ),
            ("{\"devices\": [", "not JSON"),
            ("", "nothing in it"),
        ] {
            let error = read_power("power", text).unwrap_err().to_string();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }
}
