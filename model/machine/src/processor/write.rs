//! A processor as a file of the catalogue's form.

use std::fmt::Write as _;

use super::Processor;
use derate_units::figures::{quantity, rate};
use derate_units::{Figure, Provenance, Quantity};

/// A text of TOML in quotes.
fn text(words: &str) -> String {
    toml::Value::from(words).to_string()
}

fn key(provenance: Provenance) -> String {
    provenance.to_string().to_lowercase()
}

/// `key = { value = .., provenance = "..", source = ".." }`.
fn cited<Q>(
    out: &mut String,
    name: &str,
    figure: Option<&Figure<Q>>,
    value: impl Fn(&Q) -> String,
) {
    if let Some(figure) = figure {
        let (value, provenance) = (value(&figure.value), text(&key(figure.provenance)));
        let source = text(&figure.source);
        let _ = writeln!(
            out,
            "{name} = {{ value = {value}, provenance = {provenance}, source = {source} }}"
        );
    }
}

/// As a person writes it: four digits.
fn shown<Q: Quantity>(value: &Q) -> String {
    text(&quantity(*value))
}

impl Processor {
    /// The file that [`Processor::parse`] reads: figures to four digits, what is not known left out.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let kind = key_of(self);
        let (name, title) = (text(&self.name), text(&self.title));
        let _ = writeln!(out, "name = {name}\ntitle = {title}\nkind = \"{kind}\"");
        cited(&mut out, "units", self.units.as_ref(), ToString::to_string);
        cited(&mut out, "last_level_cache", self.last_level_cache.as_ref(), shown);
        cited(&mut out, "power", self.power.as_ref(), shown);
        let memory = &self.memory;
        let _ = writeln!(out, "\n[memory]\ntitle = {}", text(&memory.title));
        cited(&mut out, "bandwidth", Some(&memory.bandwidth), shown);
        cited(&mut out, "copy_bandwidth", memory.copy_bandwidth.as_ref(), shown);
        cited(&mut out, "capacity", memory.capacity.as_ref(), shown);
        for peak in &self.peaks {
            let (arithmetic, sums) = (peak.arithmetic.key(), peak.accumulate.key());
            let (arithmetic, sums) = (text(&arithmetic), text(&sums));
            let engine = text(&peak.engine);
            let _ = writeln!(
                out,
                "\n[[peak]]\narithmetic = {arithmetic}\naccumulate = {sums}\nengine = {engine}"
            );
            let value = |value: &_| text(&rate(*value, peak.arithmetic));
            cited(&mut out, "rate", Some(&peak.rate), value);
        }
        for other in &self.disputed {
            let (figure, value) = (text(&other.figure), text(&other.value));
            let source = text(&other.source);
            let _ = writeln!(
                out,
                "\n[[disputed]]\nfigure = {figure}\nvalue = {value}\nsource = {source}"
            );
        }
        for unknown in &self.unknown {
            let (arithmetic, reason) = (text(&unknown.arithmetic.key()), text(&unknown.reason));
            let _ = writeln!(out, "\n[[unknown]]\narithmetic = {arithmetic}\nreason = {reason}");
            if let Some(wider) = unknown.computed_as {
                let _ = writeln!(out, "computed_as = {}", text(&wider.key()));
            }
        }
        out
    }
}

fn key_of(processor: &Processor) -> String {
    processor.kind.to_string().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for processor in Processor::catalogue() {
            let written = processor.to_toml();
            let again = Processor::parse("again.toml", &written).unwrap();
            // Figures of more than four digits are rounded, once.
            assert_eq!(again.to_toml(), written, "{}", processor.name);
            assert_eq!(again.disputed, processor.disputed);
            assert_eq!(again.unknown, processor.unknown);
        }
    }
}
