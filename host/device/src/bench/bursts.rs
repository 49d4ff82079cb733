//! What a kernel's pragmas ask of its bursts, where the model counts others.

use derate_hls::{Count, DirectiveKind, FileId, Function, Interface, Sources, parse};
use derate_model::Platform;
use derate_model::bandwidth::{Channels, Direction, Port, single_stream};
use derate_model::quantity::shown;
use derate_model::units::Hertz;

use super::Contract;
use super::reach::memory_of;

/// Ports of a kernel as the bench runs it.
pub(super) struct Asked<'a> {
    pub(super) kernel: &'a str,
    pub(super) contract: &'a Contract,
    pub(super) bits: u32,
    /// The first bank that its ports reach.
    pub(super) bank: usize,
    pub(super) platform: &'a Platform,
    pub(super) clock: Hertz,
}

/// A change of the rate that four digits do not show does not count.
const TELLING: f64 = 1e-4;

impl Asked<'_> {
    /// A sentence for each argument whose pragma asks for bursts that the model does not count; `sources` are names and texts.
    pub(super) fn burst_notes(&self, sources: &[(String, String)]) -> Vec<String> {
        let mut texts = Sources::default();
        let files: Vec<FileId> =
            sources.iter().map(|(name, text)| texts.add(name.as_str(), text.as_str())).collect();
        let mut notes = Vec::new();
        for file in files {
            let header = parse(&texts, file);
            let kernels = header.functions.iter();
            for kernel in kernels.filter(|one| one.name == self.kernel && one.body.is_some()) {
                for pragma in &kernel.pragmas {
                    let Some(DirectiveKind::Interface(interface)) =
                        pragma.directive().map(|d| d.kind)
                    else {
                        continue;
                    };
                    let line = texts.position(pragma.span).line;
                    let place = format!("{}:{line}", texts.name(file));
                    notes.extend(self.burst_note(kernel, &interface, &place));
                }
            }
        }
        notes
    }

    fn burst_note(&self, kernel: &Function, interface: &Interface, place: &str) -> Option<String> {
        if !interface.mode.as_ref()?.eq_ignore_ascii_case("m_axi") {
            return None;
        }
        let argument = interface.port.as_deref()?;
        let at = kernel.parameters.iter().position(|one| one.name == argument)?;
        // The sums of a read are a word a run.
        let direction = self.contract.directions().get(at).copied().flatten()?;
        let keys = if direction == Direction::Read {
            [
                ("max_read_burst_length", &interface.max_read_burst_length),
                ("num_read_outstanding", &interface.num_read_outstanding),
            ]
        } else {
            [
                ("max_write_burst_length", &interface.max_write_burst_length),
                ("num_write_outstanding", &interface.num_write_outstanding),
            ]
        };
        let defaults = &self.platform.kernel;
        let port =
            Port { direction, ..Port::sequential(f64::from(self.bits), self.clock, 0, defaults) };
        let mut own = port.clone();
        let mut said = Vec::new();
        let mut known = true;
        for ((key, given), value) in
            keys.into_iter().zip([&mut own.burst_beats, &mut own.outstanding])
        {
            let Some(given) = given else { continue };
            match given {
                Count::Number(0) => return None,
                Count::Number(number) if (*number as f64).to_bits() == value.to_bits() => continue,
                Count::Number(number) => *value = *number as f64,
                Count::Text(_) => known = false,
            }
            said.push(match given {
                Count::Number(number) => format!("{key} = {number}"),
                Count::Text(text) => format!("{key} = {}", text.escape_debug()),
            });
        }
        let channels = Channels::of(memory_of(self.platform, self.bank));
        let rate = |port: &Port| single_stream(port, &channels).ok().map(|rate| rate.value);
        let (modelled, with) = (rate(&port)?, rate(&own)?);
        if said.is_empty() || known && (with / modelled - 1.0).abs() < TELLING {
            return None;
        }
        let instead = if known {
            format!("with those a port would get {}, not {}", shown(with), shown(modelled))
        } else {
            format!("what a port gets by them is not known; the model gives it {}", shown(modelled))
        };
        Some(format!(
            "{place}: `{argument}` asks for {}. The model counts {} bursts of {} beats in flight for every port: {instead}.",
            said.join(" and "),
            port.outstanding,
            port.burst_beats
        ))
    }
}
