//! From options to directives. Keys stand in any order and case; words without `=` are known by
//! what they can only be.

use super::directive::{
    Bind, Dependence, Directive, DirectiveKind, Inline, Interface, Partition, Partitioning,
    Pipeline, Stream, TripCount,
};
use super::option::{Count, OptionPair, pairs};

/// Modes of `interface`, where the mode is a bare word.
const MODES: [&str; 14] = [
    "m_axi",
    "s_axilite",
    "axis",
    "ap_none",
    "ap_stable",
    "ap_vld",
    "ap_ack",
    "ap_hs",
    "ap_ovld",
    "ap_memory",
    "bram",
    "ap_fifo",
    "ap_bus",
    "ap_auto",
];

/// Reads what follows `#pragma`.
pub fn read_directive(text: &str) -> Option<Directive> {
    let mut words = text.trim_start().splitn(2, char::is_whitespace);
    if !words.next()?.eq_ignore_ascii_case("HLS") {
        return None;
    }
    let rest = words.next()?.trim();
    let end = rest.find(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    let (name, options) = rest.split_at(end.unwrap_or(rest.len()));
    if name.is_empty() {
        return None;
    }
    let options = Options(pairs(options));
    let kind = options.kind(&name.to_ascii_lowercase());
    Some(Directive { kind, options: options.0 })
}

struct Options(Vec<OptionPair>);

impl Options {
    fn kind(&self, name: &str) -> DirectiveKind {
        let variable = || self.variable();
        match name {
            "pipeline" => DirectiveKind::Pipeline(Pipeline {
                ii: self.count("ii"),
                rewind: self.flag("rewind"),
                off: self.flag("off"),
                style: self.text("style"),
            }),
            "unroll" => DirectiveKind::Unroll { factor: self.count("factor") },
            "dataflow" => DirectiveKind::Dataflow,
            "array_partition" => DirectiveKind::ArrayPartition(self.array()),
            "array_reshape" => DirectiveKind::ArrayReshape(self.array()),
            "interface" => DirectiveKind::Interface(self.interface()),
            "stream" => DirectiveKind::Stream(Stream {
                variable: variable(),
                depth: self.count("depth"),
                style: self.text("type"),
                off: self.flag("off"),
            }),
            "bind_op" | "bind_storage" => {
                let bind = Bind {
                    variable: variable(),
                    op: self.text("op"),
                    storage: self.text("type"),
                    implementation: self.text("impl"),
                    latency: self.count("latency"),
                };
                if name == "bind_op" {
                    DirectiveKind::BindOp(bind)
                } else {
                    DirectiveKind::BindStorage(bind)
                }
            }
            "resource" => DirectiveKind::Resource {
                variable: variable(),
                core: self.text("core"),
                latency: self.count("latency"),
            },
            "allocation" => DirectiveKind::Allocation {
                instances: self.text("instances"),
                limit: self.count("limit"),
            },
            "loop_tripcount" => DirectiveKind::LoopTripcount(TripCount {
                min: self.count("min"),
                max: self.count("max"),
                avg: self.count("avg"),
            }),
            "inline" => DirectiveKind::Inline(Inline {
                off: self.flag("off"),
                recursive: self.flag("recursive"),
            }),
            "dependence" => DirectiveKind::Dependence(self.dependence()),
            "function_instantiate" => DirectiveKind::FunctionInstantiate { variable: variable() },
            "aggregate" => DirectiveKind::Aggregate { variable: variable() },
            "disaggregate" => DirectiveKind::Disaggregate { variable: variable() },
            "data_pack" => DirectiveKind::DataPack { variable: variable() },
            "stable" => DirectiveKind::Stable { variable: variable() },
            "performance" => DirectiveKind::Performance { target_ti: self.count("target_ti") },
            other => DirectiveKind::Other(other.to_owned()),
        }
    }

    /// The last of a key counts, as it does for the tools.
    fn text(&self, key: &str) -> Option<String> {
        let found = self.0.iter().rev().find(|pair| pair.key == key);
        found.and_then(|pair| pair.value.clone())
    }

    fn count(&self, key: &str) -> Option<Count> {
        self.text(key).map(|text| Count::read(&text))
    }

    /// `off`, or `off=true`.
    fn flag(&self, key: &str) -> bool {
        self.0.iter().any(|pair| {
            let value = pair.value.as_deref();
            pair.key == key && value.is_none_or(|value| value.eq_ignore_ascii_case("true"))
        })
    }

    /// A bare word that passes.
    fn bare(&self, test: impl Fn(&str) -> bool) -> Option<String> {
        let mut words = self.0.iter().filter(|pair| pair.value.is_none());
        words.find(|pair| test(&pair.key)).map(|pair| pair.key.clone())
    }

    fn variable(&self) -> Option<String> {
        self.text("variable")
    }

    fn array(&self) -> Partitioning {
        let written = self.text("type").map(|word| word.to_ascii_lowercase());
        let bare = || self.bare(|word| matches!(word, "complete" | "block" | "cyclic"));
        let partition = written.or_else(bare).map(|word| match word.as_str() {
            "complete" => Partition::Complete,
            "block" => Partition::Block,
            "cyclic" => Partition::Cyclic,
            _ => Partition::Other(word),
        });
        Partitioning {
            variable: self.variable(),
            partition,
            factor: self.count("factor"),
            dim: self.count("dim"),
        }
    }

    fn interface(&self) -> Interface {
        let bare = || self.bare(|word| MODES.contains(&word) || word.starts_with("ap_ctrl_"));
        let mode = self.text("mode").map(|mode| mode.to_ascii_lowercase());
        Interface {
            mode: mode.or_else(bare),
            port: self.text("port"),
            bundle: self.text("bundle"),
            depth: self.count("depth"),
            offset: self.text("offset"),
            latency: self.count("latency"),
            num_read_outstanding: self.count("num_read_outstanding"),
            num_write_outstanding: self.count("num_write_outstanding"),
            max_read_burst_length: self.count("max_read_burst_length"),
            max_write_burst_length: self.count("max_write_burst_length"),
            max_widen_bitwidth: self.count("max_widen_bitwidth"),
        }
    }

    fn dependence(&self) -> Dependence {
        let written = self.text("dependent").map(|word| word.to_ascii_lowercase());
        let said = written.or_else(|| self.bare(|word| matches!(word, "true" | "false")));
        let scope = || self.bare(|word| matches!(word, "inter" | "intra"));
        let direction = || self.bare(|word| matches!(word, "raw" | "war" | "waw"));
        Dependence {
            variable: self.variable(),
            // `type=` is the newer spelling; a bare word the older.
            scope: self.text("type").map(|word| word.to_ascii_lowercase()).or_else(scope),
            direction: self
                .text("direction")
                .or_else(direction)
                .map(|word| word.to_ascii_uppercase()),
            distance: self.count("distance"),
            dependent: match said.as_deref() {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kind(text: &str) -> DirectiveKind {
        read_directive(text).unwrap().kind
    }

    #[test]
    fn case_and_order_do_not_matter() {
        let wanted = DirectiveKind::ArrayPartition(Partitioning {
            variable: Some("A".to_owned()),
            partition: Some(Partition::Cyclic),
            factor: Some(Count::Text("FACTOR".to_owned())),
            dim: Some(Count::Number(2)),
        });
        assert_eq!(kind("HLS ARRAY_PARTITION dim = 2 cyclic Factor=FACTOR variable=A"), wanted);
        assert_eq!(
            kind("hls array_partition variable=A type=cyclic factor = FACTOR dim=2"),
            wanted
        );
    }

    #[test]
    fn a_pipeline_may_be_off() {
        let DirectiveKind::Pipeline(off) = kind("HLS PIPELINE off") else { panic!() };
        assert!(off.off && off.ii.is_none());
        let DirectiveKind::Pipeline(on) = kind("HLS pipeline II=2 rewind style=flp") else {
            panic!()
        };
        assert_eq!(
            (on.ii, on.rewind, on.style.as_deref()),
            (Some(Count::Number(2)), true, Some("flp"))
        );
    }

    #[test]
    fn an_interface_keeps_its_numbers() {
        let text = "HLS INTERFACE m_axi port = w offset=slave bundle=gmem1 depth=N \
                    max_widen_bitwidth=512 num_read_outstanding=32";
        let DirectiveKind::Interface(port) = kind(text) else { panic!() };
        assert_eq!(port.mode.as_deref(), Some("m_axi"));
        assert_eq!((port.port.as_deref(), port.bundle.as_deref()), (Some("w"), Some("gmem1")));
        assert_eq!(port.depth, Some(Count::Text("N".to_owned())));
        assert_eq!(port.max_widen_bitwidth.and_then(|count| count.number()), Some(512));
        let DirectiveKind::Interface(port) = kind("HLS interface mode=s_axilite port=return")
        else {
            panic!()
        };
        assert_eq!(port.mode.as_deref(), Some("s_axilite"));
        let DirectiveKind::Interface(port) = kind("HLS INTERFACE ap_ctrl_none port=return") else {
            panic!()
        };
        assert_eq!(port.mode.as_deref(), Some("ap_ctrl_none"));
    }

    #[test]
    fn a_dependence_may_be_promised_away() {
        let DirectiveKind::Dependence(one) = kind("HLS dependence variable=acc inter false") else {
            panic!()
        };
        assert_eq!((one.scope.as_deref(), one.dependent), (Some("inter"), Some(false)));
    }

    #[test]
    fn each_directive_has_its_options() {
        let text = |text: &str| serde_json::to_value(kind(text)).unwrap().to_string();
        assert_eq!(text("HLS unroll factor=4"), r#"{"unroll":{"factor":4}}"#);
        assert_eq!(text("HLS DATAFLOW"), r#""dataflow""#);
        assert_eq!(text("HLS unheard_of x"), r#"{"other":"unheard_of"}"#);
        assert_eq!(
            text("HLS bind_op variable=m op=mul impl=dsp latency=3"),
            r#"{"bind_op":{"implementation":"dsp","latency":3,"op":"mul","storage":null,"variable":"m"}}"#
        );
        assert_eq!(
            text("HLS loop_tripcount min=1 max=N"),
            r#"{"loop_tripcount":{"avg":null,"max":"N","min":1}}"#
        );
        assert_eq!(text("HLS inline off"), r#"{"inline":{"off":true,"recursive":false}}"#);
        assert_eq!(
            text("HLS allocation operation instances=mul limit=2"),
            r#"{"allocation":{"instances":"mul","limit":2}}"#
        );
    }

    #[test]
    fn other_pragmas_are_none() {
        assert_eq!(read_directive("once"), None);
        assert_eq!(read_directive("HLS"), None);
        assert_eq!(read_directive("HLSX pipeline"), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(HLS )?\\PC{0,60}") {
            let _ = read_directive(&text);
        }

        #[test]
        fn no_options_panic(text in "HLS (interface|array_partition|pipeline)[ =,()a-zA-Z0-9\\[\\]é]{0,60}") {
            prop_assert!(read_directive(&text).is_some());
        }
    }
}
