//! The structs of settings, and the number formats that they name.

use derate_hls::{Header, HlsType, Resolver, ScalarType, Scope, Span};
use derate_units::{ElementFormat, Precision};

/// All structs and type names of a project.
pub(super) struct Settings<'a> {
    headers: &'a [Header],
    resolver: Resolver<'a>,
}

/// A number format, and how many numbers a packet of a stream has; `None` for a type that is not a packet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Element {
    pub(super) precision: Precision,
    pub(super) packet: Option<u64>,
}

/// More names than these lead to no type.
const LONGEST: usize = 16;

/// A number as the chip keeps it: no padding.
fn to_precision(scalar: ScalarType) -> Option<Precision> {
    Some(match scalar {
        ScalarType::Float => Precision::FP32,
        ScalarType::Double => Precision::FP64,
        ScalarType::Half => Precision::FP16,
        ScalarType::BFloat16 => Precision::BF16,
        ScalarType::Bool => Precision::integer(1, false),
        ScalarType::Int { bits, signed } | ScalarType::FreeInt { bits, signed, .. } => {
            Precision::integer(bits, signed)
        }
        ScalarType::Fixed { width, integer, signed, .. } => {
            Precision::stored(ElementFormat::Fixed { bits: width, integer, signed }, width)
        }
        _ => return None,
    })
}

impl<'a> Settings<'a> {
    pub(super) fn new(headers: &'a [Header], resolver: Resolver<'a>) -> Self {
        Self { headers, resolver }
    }

    fn is_in(scope: &Scope, config: &str) -> bool {
        matches!(scope.parts(), [one] if one == config)
    }

    /// Whether parameters.h has a struct of this name.
    pub(super) fn has(&self, config: &str) -> bool {
        self.headers.iter().flat_map(|one| &one.structures).any(|one| one.name == config)
    }

    /// A whole number of a struct.
    pub(super) fn count(&self, config: &str, key: &str) -> Option<u64> {
        let all = self.headers.iter().flat_map(|one| &one.constants);
        let own = all.into_iter().find(|one| one.name == key && Self::is_in(&one.scope, config))?;
        own.value.and_then(|value| u64::try_from(value).ok())
    }

    /// What a struct sets a name to, as it is spelt: `nnet::latency`.
    pub(super) fn word(&self, config: &str, key: &str) -> Option<&'a str> {
        let all = self.headers.iter().flat_map(|one| &one.constants);
        let own = all.into_iter().find(|one| one.name == key && Self::is_in(&one.scope, config))?;
        Some(own.expression.trim().rsplit("::").next().unwrap_or_default())
    }

    /// The type that a struct names: `weight2_t` of `typedef weight2_t weight_t`.
    pub(super) fn alias(&self, config: &str, key: &str) -> Option<&'a str> {
        let mut all = self.headers.iter().flat_map(|one| &one.aliases);
        let own = all.find(|one| one.name == key && Self::is_in(&one.scope, config))?;
        Some(own.spelling.trim())
    }

    /// The number format of a type; the error says why it is unknown.
    pub(super) fn element(&self, spelling: &str, place: Span) -> Result<Element, String> {
        let mut name = spelling.trim();
        for _ in 0..LONGEST {
            if let Some(inside) = name.strip_prefix("nnet::array<") {
                let inside = inside.trim_end().strip_suffix('>').unwrap_or(inside);
                let (element, extent) = inside.rsplit_once(',').unwrap_or((inside, ""));
                let extent = self.resolver.value_at(place, &Scope::default(), extent.trim());
                let packet = extent.ok().and_then(|extent| u64::try_from(extent).ok());
                let precision = self.scalar(element.trim(), place)?;
                return Ok(Element { precision, packet: packet.filter(|&one| one > 0) });
            }
            let mut all = self.headers.iter().flat_map(|one| &one.aliases);
            match all.find(|one| one.scope.is_global() && one.name == name) {
                Some(alias) => name = alias.spelling.trim(),
                None => break,
            }
        }
        Ok(Element { precision: self.scalar(name, place)?, packet: None })
    }

    fn scalar(&self, spelling: &str, place: Span) -> Result<Precision, String> {
        let resolution = self.resolver.resolve_at(place, &Scope::default(), spelling);
        if let Some(reason) = resolution.unknown() {
            return Err(reason.to_owned());
        }
        let found = match resolution.known() {
            Some(HlsType::Scalar(scalar)) => to_precision(*scalar),
            _ => None,
        };
        found.ok_or_else(|| "it is not a number of known width".to_owned())
    }
}
