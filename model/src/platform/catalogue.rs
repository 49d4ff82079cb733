//! Platform files: the embedded ones and the user's own, in one form.

use serde::Deserialize;

use super::{MacCost, Memory, MemoryBanks, Platform, QuotedPeak, Shell};
use crate::quantity::ParseQuantity;
use crate::units::{Hertz, OpsPerSecond};
use crate::{Figure, Precision, Provenance};

/// The embedded files, sorted by name.
const EMBEDDED: [(&str, &str); 2] = [
    ("u200", include_str!("../../platforms/u200.toml")),
    ("u280", include_str!("../../platforms/u280.toml")),
];

/// Why a platform could not be had.
#[derive(Debug, thiserror::Error)]
pub enum PlatformError {
    /// No embedded platform has that name.
    #[error(
        "no platform is called `{name}`: the catalogue has {known}; a path that ends in .toml names your own"
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The file is not of the platform form.
    #[error("{origin}{at}: {reason}; model/platforms/u280.toml of the sources shows the form")]
    Invalid {
        /// Which file.
        origin: String,
        /// `:line`, where it is known.
        at: String,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    title: String,
    memory: MemoryTable,
    logic: Logic,
    shell: Vec<ShellTable>,
    #[serde(default)]
    bank: Vec<BankTable>,
    #[serde(default)]
    mac: Vec<MacTable>,
    #[serde(default)]
    quoted_peak: Vec<QuotedTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryTable {
    title: String,
    channels: Cited<f64>,
    port_bits: Cited<f64>,
    axi_clock: Cited<String>,
    efficiency: Cited<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Logic {
    dsp: Cited<f64>,
    clock: Cited<String>,
    fastest_clock: Cited<String>,
    slrs: Option<Cited<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BankTable {
    memory: String,
    count: Cited<u64>,
    slr: Option<Cited<Vec<u64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShellTable {
    name: String,
    dsp: Cited<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MacTable {
    precision: String,
    name: String,
    macs_per_dsp: Cited<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuotedTable {
    precision: String,
    rate: String,
    source: String,
}

/// A value with its provenance, as the files spell it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cited<T> {
    value: T,
    provenance: Provenance,
    source: String,
}

impl Cited<f64> {
    fn number(self, key: &str) -> Result<Figure<f64>, String> {
        if self.value.is_finite() && self.value > 0.0 {
            Ok(Figure::new(self.value, self.provenance, self.source))
        } else {
            Err(format!("`{key}` must be a positive number, not {}", self.value))
        }
    }
}

impl Cited<f64> {
    fn share(self, key: &str) -> Result<Figure<f64>, String> {
        let share = self.number(key)?;
        if share.value <= 1.0 {
            Ok(share)
        } else {
            Err(format!("`{key}` is a share, at most 1, not {}", share.value))
        }
    }
}

impl Cited<String> {
    fn clock(self) -> Result<Figure<Hertz>, String> {
        Ok(Figure::new(Hertz::parse_quantity(&self.value)?, self.provenance, self.source))
    }
}

impl<T> Cited<T> {
    fn figure(self) -> Figure<T> {
        Figure::new(self.value, self.provenance, self.source)
    }
}

impl Cited<u64> {
    fn whole(self, key: &str) -> Result<Figure<u64>, String> {
        match self.value {
            0 => Err(format!("`{key}` must be a positive number, not 0")),
            _ => Ok(self.figure()),
        }
    }
}

impl BankTable {
    fn banks(self) -> Result<MemoryBanks, String> {
        let count = self.count.whole("count")?;
        let slr = self.slr.map(Cited::figure);
        if let Some(slr) = &slr {
            let given = u64::try_from(slr.value.len()).unwrap_or(u64::MAX);
            if given != 1 && given != count.value {
                return Err(format!(
                    "`slr` of {} names {given} SLRs: give one for all banks, or one for each of the {}",
                    self.memory, count.value
                ));
            }
        }
        Ok(MemoryBanks { memory: self.memory, count, slr })
    }
}

fn precision(name: &str) -> Result<Precision, String> {
    Precision::parse(name).ok_or_else(|| format!("`{name}` is no known precision"))
}

impl File {
    fn into_platform(self) -> Result<Platform, String> {
        if self.shell.is_empty() {
            return Err("at least one [[shell]] with its DSP budget is needed".to_owned());
        }
        Ok(Platform {
            name: self.name,
            title: self.title,
            memory: Memory {
                title: self.memory.title,
                channels: self.memory.channels.number("channels")?,
                port_bits: self.memory.port_bits.number("port_bits")?,
                axi_clock: self.memory.axi_clock.clock()?,
                efficiency: self.memory.efficiency.share("efficiency")?,
            },
            dsp: self.logic.dsp.number("dsp")?,
            clock: self.logic.clock.clock()?,
            fastest_clock: self.logic.fastest_clock.clock()?,
            slrs: self.logic.slrs.map(|slrs| slrs.whole("slrs")).transpose()?,
            banks: self.bank.into_iter().map(BankTable::banks).collect::<Result<_, String>>()?,
            shells: self
                .shell
                .into_iter()
                .map(|s| Ok(Shell { name: s.name, dsp: s.dsp.number("dsp")? }))
                .collect::<Result<_, String>>()?,
            macs: self
                .mac
                .into_iter()
                .map(|m| {
                    Ok(MacCost {
                        precision: precision(&m.precision)?,
                        name: m.name,
                        macs_per_dsp: m.macs_per_dsp.number("macs_per_dsp")?,
                    })
                })
                .collect::<Result<_, String>>()?,
            quoted_peaks: self
                .quoted_peak
                .into_iter()
                .map(|q| {
                    Ok(QuotedPeak {
                        precision: precision(&q.precision)?,
                        rate: OpsPerSecond::parse_quantity(&q.rate)?,
                        source: q.source,
                    })
                })
                .collect::<Result<_, String>>()?,
        })
    }
}

impl Platform {
    /// The names in the catalogue, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// A platform of the catalogue.
    pub fn named(name: &str) -> Result<Self, PlatformError> {
        let found = EMBEDDED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let (name, text) = found.ok_or_else(|| PlatformError::Unknown {
            name: name.to_owned(),
            known: Self::names().collect::<Vec<_>>().join(", "),
        })?;
        Self::parse(name, text)
    }

    /// All platforms of the catalogue.
    pub fn catalogue() -> Vec<Self> {
        Self::names().filter_map(|name| Self::named(name).ok()).collect()
    }

    /// A platform from the text of a file of the catalogue's form; `origin` names it in errors.
    pub fn parse(origin: &str, text: &str) -> Result<Self, PlatformError> {
        let invalid = |at: String, reason: String| PlatformError::Invalid {
            origin: origin.to_owned(),
            at,
            reason,
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            invalid(line.map(|l| format!(":{l}")).unwrap_or_default(), error.message().to_owned())
        })?;
        file.into_platform().map_err(|reason| invalid(String::new(), reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_of_the_form() {
        assert_eq!(Platform::catalogue().len(), EMBEDDED.len());
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Platform::named("u999").unwrap_err().to_string();
        assert!(error.contains("u200, u280"), "{error}");
    }

    #[test]
    fn banks_hang_on_one_slr_or_on_one_each() {
        let u280 = Platform::named("u280").unwrap();
        let of = |memory: &str| u280.banks.iter().find(|banks| banks.memory == memory).unwrap();
        assert_eq!((of("HBM").count.value, of("HBM").slr_of(31)), (32, Some(0)));
        assert_eq!((of("DDR").count.value, of("DDR").slr_of(1)), (2, Some(1)));
        let text = include_str!("../../platforms/u280.toml").replace("[0, 1]", "[0, 1, 2]");
        let error = Platform::parse("mine.toml", &text).unwrap_err().to_string();
        assert!(error.contains("`slr` of DDR names 3 SLRs"), "{error}");
    }

    #[test]
    fn a_typo_names_its_line() {
        let text =
            include_str!("../../platforms/u280.toml").replace("[logic]\ndsp", "[logic]\ndps");
        let error = Platform::parse("mine.toml", &text).unwrap_err().to_string();
        assert!(error.starts_with("mine.toml:13: unknown field `dps`"), "{error}");
    }
}
