//! Power: `nvidia-smi --query-gpu=..,power.draw --format=csv`, and the JSON of `xbutil examine` and `xrt-smi examine`.

use serde::Serialize;
use serde_json::Value;

use super::{parse_number, refuse};
use crate::MeasurementError;
use crate::csv::{read_records, split_heading};
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

fn read_smi(origin: &str, text: &str) -> Result<PowerLog, MeasurementError> {
    let how = "write the file with `nvidia-smi --query-gpu=timestamp,name,power.draw --format=csv -lms 50`";
    let records = read_records(text).map_err(|(line, reason)| refuse(origin, line, reason))?;
    let mut records = records.into_iter();
    let head = records
        .next()
        .ok_or_else(|| refuse(origin, 1, format!("there is nothing in it: {how}")))?;
    let headings: Vec<(String, &str)> =
        head.fields.iter().map(|field| split_heading(field)).collect();
    let find = |names: &[&str]| headings.iter().position(|(own, _)| names.contains(&own.as_str()));
    let power = find(&["power.draw", "power.draw.instant", "power.draw.average"]);
    let power = power.ok_or_else(|| {
        refuse(origin, head.line, format!("there is no column power.draw: {how}"))
    })?;
    if let unit @ ("mW" | "kW") = headings[power].1 {
        return Err(refuse(origin, head.line, format!("power.draw is in {unit}: {how}")));
    }
    let name = find(&["name", "gpu_name"]);
    let (mut device, mut watts) = (None, Vec::new());
    for record in records {
        let field = record.fields.get(power).ok_or_else(|| {
            refuse(origin, record.line, "the line is cut off before power.draw: leave it out")
        })?;
        let field = field.trim();
        if field.starts_with('[') || field == "N/A" {
            continue;
        }
        watts.push(parse_watts(field).ok_or_else(|| {
            refuse(origin, record.line, format!("`{field}` is not a power such as 71.23 W"))
        })?);
        let own = name.and_then(|name| record.fields.get(name)).map(|name| name.trim().to_owned());
        match (&device, own) {
            (Some(known), Some(own)) if *known != own => {
                return Err(refuse(
                    origin,
                    record.line,
                    format!(
                        "the file has {known} and {own}: give one device, with `nvidia-smi -i 0`"
                    ),
                ));
            }
            (None, own) => device = own,
            _ => {}
        }
    }
    PowerLog::of("nvidia-smi", device, &watts).ok_or_else(|| {
        refuse(origin, head.line, "no line has a number of power: this device does not report it")
    })
}

fn read_xrt(origin: &str, text: &str) -> Result<PowerLog, MeasurementError> {
    let json: Value = serde_json::from_str(text)
        .map_err(|error| refuse(origin, error.line(), format!("this is not JSON: {error}")))?;
    let how = "write the file with `xbutil examine -d BDF -r electrical -f JSON -o FILE`, or with `xrt-smi examine -r platform -f JSON -o FILE`";
    let devices = json.get("devices").and_then(Value::as_array);
    let devices =
        devices.ok_or_else(|| refuse(origin, 1, format!("there is no `devices`: {how}")))?;
    let [device] = devices.as_slice() else {
        let reason = format!("there are {} devices: give one with -d BDF", devices.len());
        return Err(refuse(origin, 1, reason));
    };
    // A card has it at its top, a processor's engine in its platform.
    let places = [
        device.pointer("/electrical/power_consumption_watts"),
        device.pointer("/platforms/0/electrical/power_consumption_watts"),
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
        assert!((card.mean.0 - 33.7).abs() < 1e-9, "{card:?}");
        assert_eq!(card.device.as_deref(), Some("xilinx_u280_gen3x16_xdma_base_1"));
    }

    #[test]
    fn damaged_files_are_refused_in_a_sentence() {
        for (text, says) in [
            ("timestamp, name\n1, T4\n", "no column power.draw"),
            ("name, power.draw [W]\nT4, [N/A]\n", "does not report it"),
            ("name, power.draw [W]\nT4, hot\n", "`hot` is not a power"),
            ("name, power.draw [W]\nT4\n", "cut off"),
            ("name, power.draw [W]\nT4, 30 W\nL4, 31 W\n", "give one device"),
            ("{\"devices\": []}", "0 devices"),
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
