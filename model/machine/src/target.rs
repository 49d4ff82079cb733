//! What a prediction is made for: a card or a processor.

use crate::embedded::{CARDS, PROCESSORS, unknown_name};
use crate::{Platform, PlatformError, Processor, cited};
use derate_hls::Reason;
use derate_units::{BytesPerSecond, Figure, Hertz, OpsPerSecond, Precision};

/// An FPGA card, whose peaks are derived, or a processor, whose peaks are given.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An FPGA card.
    Card(Box<Platform>),
    /// A GPU or a CPU.
    Processor(Box<Processor>),
}

impl Target {
    /// A card or a processor of the catalogue.
    pub fn named(name: &str) -> Result<Self, PlatformError> {
        match Platform::named(name) {
            Ok(card) => Ok(Self::Card(Box::new(card))),
            Err(PlatformError::Processor { .. }) => {
                Processor::named(name).map(|processor| Self::Processor(Box::new(processor)))
            }
            Err(PlatformError::Unknown { name, .. }) => {
                Err(unknown_name(&name, &[&CARDS, &PROCESSORS]))
            }
            Err(error) => Err(error),
        }
    }

    /// The file of a card or a processor of the catalogue, as a file of one's own is written.
    pub fn file(name: &str) -> Result<&'static str, PlatformError> {
        match Self::named(name)? {
            Self::Card(card) => Platform::file(&card.name),
            Self::Processor(processor) => Processor::file(&processor.name),
        }
    }

    /// One from the text of a file: of a processor where it has a `kind`, else of a card.
    pub fn parse(origin: &str, text: &str) -> Result<Self, PlatformError> {
        if cited::file_kind(text).is_processor() {
            Processor::parse(origin, text).map(|processor| Self::Processor(Box::new(processor)))
        } else {
            Platform::parse(origin, text).map(|card| Self::Card(Box::new(card)))
        }
    }

    /// All cards, then all processors, each sorted by name.
    pub fn catalogue() -> Vec<Self> {
        let cards = Platform::catalogue().into_iter().map(|card| Self::Card(Box::new(card)));
        let processors = Processor::catalogue().into_iter();
        cards.chain(processors.map(|p| Self::Processor(Box::new(p)))).collect()
    }

    /// The card, if it is one.
    pub fn card(&self) -> Option<&Platform> {
        if let Self::Card(card) = self { Some(card) } else { None }
    }

    /// The processor, if it is one.
    pub fn processor(&self) -> Option<&Processor> {
        if let Self::Processor(processor) = self { Some(processor) } else { None }
    }

    /// Its short name.
    pub fn name(&self) -> &str {
        match self {
            Self::Card(card) => &card.name,
            Self::Processor(processor) => &processor.name,
        }
    }

    /// What its main memory carries at most: as it is printed of a processor; of a card, what the memory's pins carry,
    /// whatever ports read them.
    pub fn bandwidth(&self) -> Figure<BytesPerSecond> {
        match self {
            Self::Card(card) => card.memory.physical_peak(),
            Self::Processor(processor) => processor.memory.bandwidth.clone(),
        }
    }

    /// The arithmetic that products in that one run in: another where a processor's file says that elements are widened.
    pub fn computed_as(&self, arithmetic: Precision) -> Precision {
        self.processor().map_or(arithmetic, |processor| processor.computed_as(arithmetic))
    }

    /// What its file says that it computes in, the file's first arithmetic first, each once.
    pub fn arithmetics(&self) -> Vec<Precision> {
        let mut all: Vec<Precision> = match self {
            Self::Card(card) => card.macs.iter().map(|mac| mac.precision).collect(),
            Self::Processor(processor) => processor.peaks.iter().map(|p| p.arithmetic).collect(),
        };
        let mut seen = Vec::new();
        all.retain(|arithmetic| {
            let is_new = !seen.contains(arithmetic);
            seen.push(*arithmetic);
            is_new
        });
        all
    }

    /// Why it does not compute in that arithmetic; `None` where it does, or where only its peak is not known.
    pub fn why_absent(&self, arithmetic: Precision) -> Option<Reason> {
        let lacks = match self {
            Self::Card(_) => true,
            Self::Processor(processor) => processor
                .unknown
                .iter()
                .any(|u| u.absent && u.arithmetic.format() == arithmetic.format()),
        };
        self.peak(arithmetic, None, None).err().filter(|_| lacks)
    }

    /// The peak of that arithmetic: of a processor with sums in that precision, or its default; of a card at that clock, or
    /// its own. The error is a sentence that says why there is none.
    pub fn peak(
        &self,
        arithmetic: Precision,
        accumulate: Option<Precision>,
        clock: Option<&Figure<Hertz>>,
    ) -> Result<Figure<OpsPerSecond>, Reason> {
        match self {
            Self::Processor(processor) => {
                let peak = match accumulate {
                    Some(sums) => processor.peak_summing(arithmetic, sums),
                    None => processor.peak(arithmetic),
                };
                peak.map(|peak| peak.rate.clone())
            }
            Self::Card(card) => {
                let peak = card.peak(arithmetic, clock.unwrap_or(&card.clock));
                peak.map(|peak| peak.rate).ok_or_else(|| {
                    Reason::from(format!(
                        "the {arithmetic} peak of {} is unknown: its file gives no way to build \
                         that multiply-add",
                        card.title
                    ))
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_finds_either() {
        assert!(matches!(Target::named("u280"), Ok(Target::Card(_))));
        assert!(matches!(Target::named("H100-SXM"), Ok(Target::Processor(_))));
        let error = Target::named("h300").unwrap_err().to_string();
        assert!(
            error.contains("write h200") && error.contains("`derate platform` lists"),
            "{error}"
        );
    }

    #[test]
    fn a_file_is_of_what_it_says() {
        let h100 = include_str!("../platforms/h100-sxm.toml");
        let u280 = include_str!("../platforms/u280.toml");
        assert!(matches!(Target::parse("mine.toml", h100), Ok(Target::Processor(_))));
        assert!(matches!(Target::parse("mine.toml", u280), Ok(Target::Card(_))));
    }

    #[test]
    fn a_file_of_the_catalogue_is_what_its_name_is() {
        for own in Target::catalogue() {
            let text = Target::file(own.name()).unwrap();
            assert_eq!(Target::parse(own.name(), text).unwrap(), own);
        }
        assert!(Target::file("h300").is_err());
    }

    #[test]
    fn the_catalogue_has_no_name_twice() {
        let all = Target::catalogue();
        let mut names: Vec<&str> = all.iter().map(Target::name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert_eq!(all.len(), Platform::names().count() + Processor::names().count());
    }
}
