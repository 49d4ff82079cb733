use super::bank::BankRange;
use crate::csynth::{Decimal, Located};
use crate::{Span, Unparsed};
use serde::Serialize;

/// What a v++ configuration says.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Connectivity {
    /// `nk=`: kernels and their compute units.
    pub kernels: Vec<Kernels>,
    /// `sp=`: arguments and their memory banks.
    pub memory: Vec<MemoryPin>,
    /// `slr=`: compute units and their dies.
    pub slr: Vec<SlrPin>,
    /// `stream_connect=`, `sc=`: streams between compute units.
    pub streams: Vec<StreamLink>,
    /// Clock options, from any section.
    pub frequencies: Vec<FrequencyOption>,
    /// Every entry of the text in order, those above included: sections and keys that derate does
    /// not know are kept here.
    pub entries: Vec<Entry>,
    /// The comments, from their marker to the end of their line; blanks may be before the marker.
    #[serde(skip)]
    pub comments: Vec<Span>,
    /// What could not be read, and why. A line that another program fills in is among them.
    #[serde(serialize_with = "crate::csynth::serialize_unread")]
    pub unread: Vec<Unparsed>,
}

impl Connectivity {
    /// Whether another program fills in some of it: the banks that it shows are not those of the design. It may have a number
    /// of units to fill in, too: `nk=gemm:*`.
    pub fn is_template(&self) -> bool {
        self.entries.iter().any(|one| match &one.value {
            EntryValue::Unknown(_) => true,
            EntryValue::Text(text) => {
                let is_units = one.key.value.trim_start_matches("connectivity.") == "nk";
                is_units && text.value.split(':').any(|part| part.trim() == "*")
            }
            EntryValue::Flag => false,
        })
    }

    /// The kernel of a compute unit: what `nk=` names, else the unit's name without its number.
    pub fn kernel_of_unit<'a>(&'a self, unit: &'a str) -> &'a str {
        let has_name = |one: &&Kernels| one.names.iter().any(|name| name.value == unit);
        if let Some(kernels) = self.kernels.iter().find(has_name) {
            return &kernels.kernel.value;
        }
        let (stem, number) = unit.rsplit_once('_').unwrap_or((unit, ""));
        let is_numbered = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        let is_kernel = self.kernels.iter().any(|one| one.kernel.value == unit);
        if is_numbered && !is_kernel { stem } else { unit }
    }
}

/// `nk=gemm:3:gemm_a.gemm_b.gemm_c`
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Kernels {
    /// The kernel.
    pub kernel: Located<String>,
    /// How many compute units.
    pub count: Located<u64>,
    /// Their names, where they are given; else they are `gemm_1`, `gemm_2`... There may be more or fewer than `count`.
    pub names: Vec<Located<String>>,
    /// The entry.
    pub span: Span,
}

impl Kernels {
    /// What the entry makes, in words.
    #[must_use]
    pub fn describe_units(&self) -> String {
        let (kernel, count) = (&self.kernel.value, self.count.value);
        if !self.names.is_empty() {
            let names = self.names.iter().map(|name| format!("`{}`", name.value));
            return names.collect::<Vec<_>>().join(", ");
        }
        match count {
            0 => "no unit".to_owned(),
            1 => format!("`{kernel}_1`"),
            _ => format!("`{kernel}_1` to `{kernel}_{count}`"),
        }
    }

    /// Whether the entry makes a unit.
    #[must_use]
    pub fn makes_unit(&self, unit: &str) -> bool {
        if !self.names.is_empty() {
            return self.names.iter().any(|name| name.value == unit);
        }
        self.unit_number(unit).is_some_and(|number| (1..=self.count.value).contains(&number))
    }

    /// The number behind the kernel's name in that of a unit.
    #[must_use]
    pub fn unit_number(&self, unit: &str) -> Option<u64> {
        let digits = unit.strip_prefix(self.kernel.value.as_str())?.strip_prefix('_')?;
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
        digits.parse().ok().filter(|_| plain)
    }

    /// The names of all compute units, as v++ gives them. No more than a thousand.
    pub fn unit_names(&self) -> Vec<String> {
        if !self.names.is_empty() {
            return self.names.iter().map(|name| name.value.clone()).collect();
        }
        (1..=self.count.value.min(1000))
            .map(|index| format!("{}_{index}", self.kernel.value))
            .collect()
    }
}

/// `sp=gemm_1.a:HBM[0:3]`
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct MemoryPin {
    /// The compute unit.
    pub unit: Located<String>,
    /// The argument or port: `a`, `m_axi_gmem0`.
    pub argument: Located<String>,
    /// The banks.
    pub banks: Located<BankRange>,
    /// The entry.
    pub span: Span,
}

/// `slr=gemm_1:SLR0`
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct SlrPin {
    /// The compute unit.
    pub unit: Located<String>,
    /// The die, as written: `SLR0`.
    pub slr: Located<String>,
    /// The entry.
    pub span: Span,
}

impl SlrPin {
    /// The number of the die: 1 for `SLR1`.
    pub fn number(&self) -> Option<u64> {
        self.slr.value.to_ascii_uppercase().strip_prefix("SLR")?.parse().ok()
    }
}

/// `stream_connect=a_1.out:b_1.in:64`
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct StreamLink {
    /// The producer's stream: `a_1.out`.
    pub from: Located<String>,
    /// The consumer's stream.
    pub to: Located<String>,
    /// Elements of the FIFO between them.
    pub depth: Option<Located<u64>>,
    /// The entry.
    pub span: Span,
}

/// A clock option.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FrequencyOption {
    /// The key: `freqHz`, `defaultFreqHz`, `kernel_frequency`, `frequency`.
    pub key: String,
    /// Megahertz, whatever the unit of the key.
    pub megahertz: Located<Decimal>,
    /// The compute units or pins that it is for, or the number of the clock (`0:300`); empty for
    /// all.
    pub targets: Vec<Located<String>>,
    /// The entry.
    pub span: Span,
}

/// One `key=value`, in its section.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Entry {
    /// `connectivity`; empty before the first section.
    pub section: String,
    /// The key as written.
    pub key: Located<String>,
    /// The value.
    pub value: EntryValue,
}

/// The value of an entry.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryValue {
    /// As written, without the comment behind it.
    Text(Located<String>),
    /// A key alone.
    Flag,
    /// Another program fills it in before v++ reads it; the sentence says which form it has.
    Unknown(String),
}
