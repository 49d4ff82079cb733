//! What `hls4ml_config.yml` asks of the layers of a model: number formats and reuse factors.

use crate::{FileId, Located, Sources, Span};

/// What is asked of each layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSettings {
    /// The file.
    pub file: FileId,
    /// The layers, in the order of the text.
    pub layers: Vec<LayerSetting>,
}

/// What is asked of one layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerSetting {
    /// Its name.
    pub name: String,
    /// The number formats as they are spelt, by what they are of: `weight`, `bias`, `result`, `accum`.
    pub formats: Vec<(String, Located<String>)>,
    /// How many multiplications one multiplier does for one result.
    pub reuse_factor: Option<Located<u64>>,
}

/// Reads the layers of such a file: the keys below `LayerName`. Lists and mappings in brackets are passed over.
pub fn read_layer_settings(sources: &Sources, file: FileId) -> LayerSettings {
    let mut layers: Vec<LayerSetting> = Vec::new();
    // The keys around a line, with their indents.
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for line in sources.text(file).split_inclusive('\n') {
        let from = start;
        start += line.len();
        let words = line.split(" #").next().unwrap_or(line).trim_end();
        let indent = words.len() - words.trim_start().len();
        let Some((key, value)) = words.trim_start().split_once(':') else { continue };
        if key.starts_with(['#', '-']) || key.is_empty() {
            continue;
        }
        around.retain(|(outer, _)| *outer < indent);
        around.push((indent, key.trim_matches(['"', '\''])));
        let text = value.trim().trim_matches(['"', '\'']);
        let Some(at) = around.iter().position(|(_, key)| *key == "LayerName") else { continue };
        let path: Vec<&str> = around[at + 1..].iter().map(|(_, key)| *key).collect();
        if let [name] = path[..] {
            layers.push(LayerSetting { name: name.to_owned(), ..LayerSetting::default() });
        }
        let (Some(layer), false) =
            (layers.last_mut(), text.is_empty() || text.starts_with(['{', '[']))
        else {
            continue;
        };
        let place = from + line.find(text).unwrap_or(0);
        let span = Span { file, start: place, end: place + text.len() };
        match path[..] {
            [_, "Precision", of] => {
                layer.formats.push((of.to_owned(), Located { value: text.to_owned(), span }));
            }
            [_, "ReuseFactor"] => {
                let value = text.parse().ok();
                layer.reuse_factor = value.map(|value| Located { value, span });
            }
            [_, of] if of.ends_with("_t") => {
                let of = of.trim_end_matches("_t").to_owned();
                layer.formats.push((of, Located { value: text.to_owned(), span }));
            }
            _ => {}
        }
    }
    LayerSettings { file, layers }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Backend: Vitis
HLSConfig:
  Model:
    Precision: ap_fixed<16,6>
    ReuseFactor: 1
  LayerName:
    fc1:  # the first
      Precision:
        weight: ap_fixed<8,2>
        bias: 'ap_fixed<8,2>'
        result: auto
      ReuseFactor: 64
      accum_t: ap_fixed<24,12>
    relu1:
      Precision: ap_ufixed<7,1>
      Strides: [1, 2]
OutputDir: here
";

    #[test]
    fn layers_have_formats_and_factors() {
        let mut sources = Sources::default();
        let file = sources.add("hls4ml_config.yml", TEXT);
        let settings = read_layer_settings(&sources, file);
        let names: Vec<&str> = settings.layers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["fc1", "relu1"]);
        let fc1 = &settings.layers[0];
        let formats: Vec<_> =
            fc1.formats.iter().map(|(of, one)| (of.as_str(), one.value.as_str())).collect();
        assert_eq!(
            formats,
            [
                ("weight", "ap_fixed<8,2>"),
                ("bias", "ap_fixed<8,2>"),
                ("result", "auto"),
                ("accum", "ap_fixed<24,12>"),
            ]
        );
        assert_eq!(sources.slice(fc1.formats[1].1.span), "ap_fixed<8,2>");
        assert_eq!(fc1.reuse_factor.as_ref().map(|one| one.value), Some(64));
        assert_eq!(settings.layers[1], LayerSetting { name: "relu1".into(), ..Default::default() });
    }
}
