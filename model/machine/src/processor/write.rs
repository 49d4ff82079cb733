//! A processor as a file of the catalogue's form.

use std::fmt::Write as _;

use super::Processor;
use derate_units::figures::{quantity, rate};
use derate_units::{Figure, Provenance, Quantity};

/// A text of TOML in quotes.
fn quote_text(words: &str) -> String {
    toml::Value::from(words).to_string()
}

fn provenance_key(provenance: Provenance) -> String {
    provenance.to_string().to_lowercase()
}

/// `key = { value = .., provenance = "..", source = ".." }`.
fn write_cited<Q>(
    out: &mut String,
    name: &str,
    figure: Option<&Figure<Q>>,
    value: impl Fn(&Q) -> String,
) {
    if let Some(figure) = figure {
        let (value, provenance) =
            (value(&figure.value), quote_text(&provenance_key(figure.provenance)));
        let source = quote_text(&figure.source);
        let _ = writeln!(
            out,
            "{name} = {{ value = {value}, provenance = {provenance}, source = {source} }}"
        );
    }
}

/// As a person writes it: four digits.
fn quote_quantity<Q: Quantity>(value: &Q) -> String {
    quote_text(&quantity(*value))
}

impl Processor {
    /// The file that [`Processor::parse`] reads: figures to four digits, what is not known left out.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let kind = kind_key(self);
        let (name, title) = (quote_text(&self.name), quote_text(&self.title));
        let _ = writeln!(out, "name = {name}\ntitle = {title}\nkind = \"{kind}\"");
        write_cited(&mut out, "units", self.units.as_ref(), ToString::to_string);
        write_cited(&mut out, "last_level_cache", self.last_level_cache.as_ref(), quote_quantity);
        write_cited(&mut out, "power", self.power.as_ref(), quote_quantity);
        let memory = &self.memory;
        let _ = writeln!(out, "\n[memory]\ntitle = {}", quote_text(&memory.title));
        write_cited(&mut out, "bandwidth", Some(&memory.bandwidth), quote_quantity);
        write_cited(&mut out, "copy_bandwidth", memory.copy_bandwidth.as_ref(), quote_quantity);
        write_cited(&mut out, "capacity", memory.capacity.as_ref(), quote_quantity);
        write_cited(&mut out, "driver_keeps", memory.driver_keeps.as_ref(), quote_quantity);
        for peak in &self.peaks {
            let (arithmetic, sums) = (peak.arithmetic.key(), peak.accumulate.key());
            let (arithmetic, sums) = (quote_text(&arithmetic), quote_text(&sums));
            let engine = quote_text(&peak.engine);
            let _ = writeln!(
                out,
                "\n[[peak]]\narithmetic = {arithmetic}\naccumulate = {sums}\nengine = {engine}"
            );
            let value = |value: &_| quote_text(&rate(*value, peak.arithmetic));
            write_cited(&mut out, "rate", Some(&peak.rate), value);
        }
        for other in &self.disputed {
            let (figure, value) = (quote_text(&other.figure), quote_text(&other.value));
            let source = quote_text(&other.source);
            let _ = writeln!(
                out,
                "\n[[disputed]]\nfigure = {figure}\nvalue = {value}\nsource = {source}"
            );
        }
        for unknown in &self.unknown {
            let (arithmetic, reason) =
                (quote_text(&unknown.arithmetic.key()), quote_text(&unknown.reason));
            let _ = writeln!(out, "\n[[unknown]]\narithmetic = {arithmetic}\nreason = {reason}");
            if unknown.absent {
                out.push_str("absent = true\n");
            }
            if let Some(wider) = unknown.computed_as {
                let _ = writeln!(out, "computed_as = {}", quote_text(&wider.key()));
            }
        }
        out
    }
}

fn kind_key(processor: &Processor) -> String {
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
