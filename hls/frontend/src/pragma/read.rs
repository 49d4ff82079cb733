//! From options to directives. Keys are in any order and case; words without `=` are known by
//! what they can only be.

use super::directive::{
    Bind, Dependence, Directive, DirectiveKind, Inline, Interface, Partition, Partitioning,
    Pipeline, Stream, TripCount,
};
use super::option::{Count, OptionPair, has_flag, read_pairs};

/// Modes of `interface`, where the mode is a bare word.
const INTERFACE_MODES: &str = "m_axi s_axilite axis ap_none ap_stable ap_vld ap_ack ap_hs ap_ovld ap_memory bram ap_fifo \
    ap_bus ap_auto";

fn is_interface_mode(word: &str) -> bool {
    INTERFACE_MODES.split(' ').any(|mode| mode == word) || word.starts_with("ap_ctrl_")
}

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
    let options = Options(read_pairs(options));
    let kind = options.read_kind(&name.to_ascii_lowercase());
    Some(Directive { kind, options: options.0 })
}

struct Options(Vec<OptionPair>);

impl Options {
    fn read_kind(&self, name: &str) -> DirectiveKind {
        let variable = || self.text_of("variable");
        match name {
            "pipeline" => DirectiveKind::Pipeline(Pipeline {
                ii: self.count_of("ii"),
                rewind: self.has_flag("rewind"),
                off: self.has_flag("off"),
                style: self.text_of("style"),
            }),
            "unroll" => DirectiveKind::Unroll { factor: self.count_of("factor") },
            "dataflow" => DirectiveKind::Dataflow,
            "array_partition" => DirectiveKind::ArrayPartition(self.read_array()),
            "array_reshape" => DirectiveKind::ArrayReshape(self.read_array()),
            "interface" => DirectiveKind::Interface(self.read_interface()),
            "stream" => DirectiveKind::Stream(Stream {
                variable: variable(),
                depth: self.count_of("depth"),
                style: self.text_of("type"),
                off: self.has_flag("off"),
            }),
            "bind_op" | "bind_storage" => {
                let bind = Bind {
                    variable: variable(),
                    op: self.text_of("op"),
                    storage: self.text_of("type"),
                    implementation: self.text_of("impl"),
                    latency: self.count_of("latency"),
                };
                if name == "bind_op" {
                    DirectiveKind::BindOp(bind)
                } else {
                    DirectiveKind::BindStorage(bind)
                }
            }
            "resource" => DirectiveKind::Resource {
                variable: variable(),
                core: self.text_of("core"),
                latency: self.count_of("latency"),
            },
            "allocation" => DirectiveKind::Allocation {
                instances: self.text_of("instances"),
                limit: self.count_of("limit"),
            },
            "loop_tripcount" => DirectiveKind::LoopTripcount(TripCount {
                min: self.count_of("min"),
                max: self.count_of("max"),
                avg: self.count_of("avg"),
            }),
            "inline" => DirectiveKind::Inline(Inline {
                off: self.has_flag("off"),
                recursive: self.has_flag("recursive"),
            }),
            "dependence" => DirectiveKind::Dependence(self.read_dependence()),
            "function_instantiate" => DirectiveKind::FunctionInstantiate { variable: variable() },
            "aggregate" => DirectiveKind::Aggregate { variable: variable() },
            "disaggregate" => DirectiveKind::Disaggregate { variable: variable() },
            "data_pack" => DirectiveKind::DataPack { variable: variable() },
            "stable" => DirectiveKind::Stable { variable: variable() },
            "performance" => DirectiveKind::Performance { target_ti: self.count_of("target_ti") },
            other => DirectiveKind::Other(other.to_owned()),
        }
    }

    /// The last of a key counts, as it does for the tools.
    fn text_of(&self, key: &str) -> Option<String> {
        let found = self.0.iter().rev().find(|pair| pair.key == key);
        found.and_then(|pair| pair.value.clone())
    }

    fn count_of(&self, key: &str) -> Option<Count> {
        self.text_of(key).map(|text| Count::read_count(&text))
    }

    fn has_flag(&self, key: &str) -> bool {
        has_flag(&self.0, key)
    }

    /// A bare word that passes.
    fn bare_word(&self, test: impl Fn(&str) -> bool) -> Option<String> {
        let mut words = self.0.iter().filter(|pair| pair.value.is_none());
        words.find(|pair| test(&pair.key)).map(|pair| pair.key.clone())
    }

    fn read_array(&self) -> Partitioning {
        let written = self.text_of("type").map(|word| word.to_ascii_lowercase());
        let bare = || self.bare_word(|word| matches!(word, "complete" | "block" | "cyclic"));
        let partition = written.or_else(bare).map(|word| match word.as_str() {
            "complete" => Partition::Complete,
            "block" => Partition::Block,
            "cyclic" => Partition::Cyclic,
            _ => Partition::Other(word),
        });
        Partitioning {
            variable: self.text_of("variable"),
            partition,
            factor: self.count_of("factor"),
            dim: self.count_of("dim"),
        }
    }

    fn read_interface(&self) -> Interface {
        let bare = || self.bare_word(is_interface_mode);
        let mode = self.text_of("mode").map(|mode| mode.to_ascii_lowercase());
        Interface {
            mode: mode.or_else(bare),
            port: self.text_of("port"),
            bundle: self.text_of("bundle"),
            depth: self.count_of("depth"),
            offset: self.text_of("offset"),
            latency: self.count_of("latency"),
            num_read_outstanding: self.count_of("num_read_outstanding"),
            num_write_outstanding: self.count_of("num_write_outstanding"),
            max_read_burst_length: self.count_of("max_read_burst_length"),
            max_write_burst_length: self.count_of("max_write_burst_length"),
            max_widen_bitwidth: self.count_of("max_widen_bitwidth"),
            storage_type: self.text_of("storage_type"),
        }
    }

    fn read_dependence(&self) -> Dependence {
        let written = self.text_of("dependent").map(|word| word.to_ascii_lowercase());
        let said = written.or_else(|| self.bare_word(|word| matches!(word, "true" | "false")));
        let scope = || self.bare_word(|word| matches!(word, "inter" | "intra"));
        let direction = || self.bare_word(|word| matches!(word, "raw" | "war" | "waw"));
        Dependence {
            variable: self.text_of("variable"),
            // `type=` is the newer spelling; a bare word the older.
            scope: self.text_of("type").map(|word| word.to_ascii_lowercase()).or_else(scope),
            direction: self
                .text_of("direction")
                .or_else(direction)
                .map(|word| word.to_ascii_uppercase()),
            distance: self.count_of("distance"),
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
