//! One thing that a kernel leaves open, and what a value of it changes.

use super::port_group::PortGroup;
use crate::Axis;
use derate_advice::WIDEST_PORT;
use derate_hls::{Count, DirectiveKind, Partition, Partitioning, Pipeline, TclDirective};

/// What a variation changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariationTarget {
    /// How often a loop is unrolled; the arrays that it reads and writes are cut alike.
    Unroll {
        /// The function.
        function: String,
        /// The loop's label.
        label: String,
    },
    /// Whether a loop is pipelined, and at which interval.
    Pipeline {
        /// The function.
        function: String,
        /// The loop's label.
        label: String,
    },
    /// Whether a function is pipelined, which unrolls the loops in it, and at which interval.
    PipelineFunction {
        /// The function.
        function: String,
    },
    /// Into how many banks an array is cut, cyclically.
    Partition {
        /// The function that declares it.
        function: String,
        /// The array.
        array: String,
        /// The dimension, from one.
        dim: u64,
    },
    /// Whether the calls or loops of a function run at the same time.
    Dataflow {
        /// The function.
        function: String,
    },
    /// How many bits the tool makes an `m_axi` port: the loops that use it are unrolled to its lanes. Ports that the same loops
    /// use get as many lanes.
    Port {
        /// The ports; the width is that of the first.
        ports: Vec<String>,
    },
    /// A macro, a constant or a type that the source defines, or a placeholder `auto{NAME}` in it.
    Text {
        /// Its name.
        name: String,
    },
}

/// A target with the values that it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// What is changed.
    pub target: VariationTarget,
    /// As they are written.
    pub values: Vec<String>,
}

/// Why a text is not a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariationError(pub String);

impl std::fmt::Display for VariationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for VariationError {}

/// The value of a pipeline that leaves the loop as it is written.
pub(super) const AS_WRITTEN: &str = "as-written";

impl Variation {
    /// Reads `unroll:f/loop=1,2,4`, `pipeline:f/loop=as-written,off,1`, `pipeline:f=as-written,1`, `partition:f/x@2=1,4,8`,
    /// `port:q=8,512` or `NAME=8,16`.
    pub fn parse(text: &str) -> Result<Self, VariationError> {
        let error = |reason: &str| {
            VariationError(format!(
                "`{text}` {reason}: write unroll:FUNCTION/LOOP=1,2,4, pipeline:FUNCTION/LOOP=as-written,1, \
                 pipeline:FUNCTION=as-written,1, \
                 partition:FUNCTION/ARRAY@DIM=1,8, dataflow:FUNCTION=as-written,on, port:PORT=8,512, or MACRO=8,16"
            ))
        };
        let (name, values) = text.split_once('=').ok_or_else(|| error("has no values"))?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        let target = match name.split_once(':') {
            None => VariationTarget::Text { name: name.trim().to_owned() },
            Some((kind, function)) if kind.trim() == "dataflow" && !function.contains('/') => {
                VariationTarget::Dataflow { function: function.trim().to_owned() }
            }
            Some((kind, function)) if kind.trim() == "pipeline" && !function.contains('/') => {
                VariationTarget::PipelineFunction { function: function.trim().to_owned() }
            }
            Some((kind, ports)) if kind.trim() == "port" && !ports.contains('/') => {
                let ports = ports.split('+').map(|port| port.trim().to_owned()).collect();
                VariationTarget::Port { ports }
            }
            Some((kind, place)) => {
                let (function, rest) =
                    place.split_once('/').ok_or_else(|| error("names no function"))?;
                let (function, rest) = (function.trim().to_owned(), rest.trim().to_owned());
                match kind.trim() {
                    "unroll" => VariationTarget::Unroll { function, label: rest },
                    "pipeline" => VariationTarget::Pipeline { function, label: rest },
                    "partition" => {
                        let (array, dim) = rest.split_once('@').unwrap_or((&rest, "1"));
                        let dim = dim.parse().map_err(|_| error("has no dimension"))?;
                        VariationTarget::Partition { function, array: array.to_owned(), dim }
                    }
                    _ => return Err(error("is of no kind that is known")),
                }
            }
        };
        let variation = Self { target, values };
        match variation.values.iter().find(|value| !variation.takes(value)) {
            Some(value) => Err(error(&format!("has the value `{value}`, which it cannot have"))),
            None => Ok(variation),
        }
    }

    fn takes(&self, value: &str) -> bool {
        let is_factor = value.parse::<u64>().is_ok_and(|factor| factor > 0);
        match self.target {
            VariationTarget::Unroll { .. } | VariationTarget::Partition { .. } => is_factor,
            VariationTarget::Port { .. } => {
                value.parse::<u64>().is_ok_and(|bits| bits.is_power_of_two() && bits <= WIDEST_PORT)
            }
            VariationTarget::Pipeline { .. } | VariationTarget::PipelineFunction { .. } => {
                is_factor || matches!(value, AS_WRITTEN | "off")
            }
            VariationTarget::Dataflow { .. } => matches!(value, AS_WRITTEN | "on"),
            VariationTarget::Text { .. } => true,
        }
    }

    /// The axis with its name and values.
    #[must_use]
    pub fn axis(&self) -> Axis {
        let name = match &self.target {
            VariationTarget::Unroll { function, label } => format!("unroll:{function}/{label}"),
            VariationTarget::Pipeline { function, label } => format!("pipeline:{function}/{label}"),
            VariationTarget::Partition { function, array, dim } => {
                format!("partition:{function}/{array}@{dim}")
            }
            VariationTarget::PipelineFunction { function } => format!("pipeline:{function}"),
            VariationTarget::Dataflow { function } => format!("dataflow:{function}"),
            VariationTarget::Port { ports } => format!("port:{}", ports.join("+")),
            VariationTarget::Text { name } => name.clone(),
        };
        Axis { name, values: self.values.clone() }
    }

    /// Whether arrays have to be cut for it.
    pub(super) fn changes_loop(&self) -> bool {
        let target = &self.target;
        matches!(
            target,
            VariationTarget::Unroll { .. }
                | VariationTarget::Pipeline { .. }
                | VariationTarget::PipelineFunction { .. }
                | VariationTarget::Port { .. }
        )
    }

    pub(super) fn changes_text(&self) -> bool {
        matches!(self.target, VariationTarget::Text { .. })
    }

    /// The name of a macro or a placeholder.
    pub(super) fn text_name(&self) -> Option<&str> {
        match &self.target {
            VariationTarget::Text { name } => Some(name),
            _ => None,
        }
    }

    /// Name and value of a macro or a placeholder.
    pub(super) fn substitution(&self, at: usize) -> Option<(String, String)> {
        Some((self.text_name()?.to_owned(), self.values.get(at)?.clone()))
    }

    /// The factor of an unrolled loop.
    pub(super) fn unroll_factor(&self, at: usize) -> Option<(&str, &str, u64)> {
        match &self.target {
            VariationTarget::Unroll { function, label } => {
                Some((function, label, self.values.get(at)?.parse().ok()?))
            }
            _ => None,
        }
    }

    /// The function that is pipelined, with the loop unless it is the whole.
    pub(super) fn pipelined(&self, at: usize) -> Option<(&str, Option<&str>)> {
        self.values.get(at)?.parse::<u64>().ok()?;
        match &self.target {
            VariationTarget::Pipeline { function, label } => Some((function, Some(label))),
            VariationTarget::PipelineFunction { function } => Some((function, None)),
            _ => None,
        }
    }

    /// The ports that are made wide, with the bits of an element of the first.
    fn find_group<'g>(&self, groups: &'g [PortGroup]) -> Option<(&'g PortGroup, u64)> {
        let VariationTarget::Port { ports } = &self.target else { return None };
        let first = ports.first()?;
        groups.iter().find_map(|group| {
            let own = group.ports.iter().find(|one| one.0 == *first)?;
            Some((group, own.1))
        })
    }

    /// The bits of an element of the first port; `None` where they are not known.
    pub(super) fn find_bits(&self, groups: &[PortGroup]) -> Option<u64> {
        self.find_group(groups).map(|(_, bits)| bits)
    }

    /// The ports that are made wide, and their lanes; `None` where they stay as they are.
    pub(super) fn widened<'g>(
        &self,
        at: usize,
        groups: &'g [PortGroup],
    ) -> Option<(&'g PortGroup, u64)> {
        let (group, own) = self.find_group(groups)?;
        let bits: u64 = self.values.get(at)?.parse().ok()?;
        let lanes = (bits / own.max(1)).clamp(1, group.most_lanes());
        (lanes > 1).then_some((group, lanes))
    }

    /// The directive of a value, but for unrolled loops and wide ports, which several values may share; `None` where it leaves the source as it is.
    pub(super) fn directive(&self, at: usize) -> Option<TclDirective> {
        let value = self.values.get(at)?;
        let number = value.parse::<u64>().ok();
        match &self.target {
            VariationTarget::Pipeline { .. } | VariationTarget::PipelineFunction { .. }
                if value == AS_WRITTEN =>
            {
                None
            }
            VariationTarget::Pipeline { function, label } => Some(TclDirective::for_loop(
                function,
                label,
                DirectiveKind::Pipeline(pipeline_at(number)),
            )),
            VariationTarget::PipelineFunction { function } => Some(TclDirective::for_function(
                function,
                DirectiveKind::Pipeline(pipeline_at(number)),
            )),
            VariationTarget::Partition { function, array, dim } => {
                Some(cut_array(function, array, *dim, number?))
            }
            VariationTarget::Dataflow { function } => (value == "on")
                .then(|| TclDirective::for_function(function, DirectiveKind::Dataflow)),
            VariationTarget::Unroll { .. }
            | VariationTarget::Port { .. }
            | VariationTarget::Text { .. } => None,
        }
    }
}

pub(super) fn unroll_loop(function: &str, label: &str, factor: u64) -> TclDirective {
    TclDirective::for_loop(
        function,
        label,
        DirectiveKind::Unroll { factor: Some(Count::Number(factor)) },
    )
}

/// A pipeline of an interval; one that is forbidden without it.
fn pipeline_at(ii: Option<u64>) -> Pipeline {
    Pipeline { ii: ii.map(Count::Number), off: ii.is_none(), ..Pipeline::default() }
}

/// `set_directive_array_partition -type cyclic`.
pub(super) fn cut_array(function: &str, array: &str, dim: u64, factor: u64) -> TclDirective {
    let partitioning = Partitioning {
        variable: Some(array.to_owned()),
        partition: Some(Partition::Cyclic),
        factor: Some(Count::Number(factor)),
        dim: Some(Count::Number(dim)),
    };
    TclDirective::for_variable(function, array, DirectiveKind::ArrayPartition(partitioning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_read_as_its_axis_is_written() {
        for text in [
            "unroll:f/loop=1,2,4",
            "pipeline:f/l=as-written,off,2",
            "pipeline:f=as-written,1",
            "partition:f/x@2=1,8",
            "dataflow:f=as-written,on",
            "port:q+k=8,64,512",
            "TILE=8,16",
        ] {
            let axis = Variation::parse(text).unwrap().axis();
            assert_eq!(format!("{}={}", axis.name, axis.values.join(",")), text);
        }
    }

    #[test]
    fn what_is_no_variation_is_refused_in_a_sentence() {
        for text in [
            "unroll:f/l",
            "unroll:f=2",
            "unroll:f/l=two",
            "inline:f/l=1",
            "partition:f/x@y=2",
            "port:q=7",
        ] {
            let error = Variation::parse(text).unwrap_err().to_string();
            assert!(error.contains("write unroll:") && !error.contains('\n'), "{error}");
        }
    }
}
