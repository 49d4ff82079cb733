use super::*;

const SMOLLM2: &str = include_str!("../../../../../fixtures/language/smollm2-360m.json");
const MISTRAL: &str = include_str!("../../../../../fixtures/language/mistral-7b-v0.1.json");
const QWEN2: &str = include_str!("../../../../../fixtures/language/qwen2-0.5b.json");
const QWEN3: &str = include_str!("../../../../../fixtures/language/qwen3-0.6b.json");
const GEMMA: &str = include_str!("../../../../../fixtures/language/gemma-2b.json");
const MIXTRAL: &str = include_str!("../../../../../fixtures/language/mixtral-8x7b.json");

fn model(text: &str) -> Decoder {
    Decoder::parse("config.json", text).unwrap()
}

/// What is said of a file in which something is different.
fn refused(text: &str, what: &str, with: &str) -> String {
    assert!(text.contains(what), "{what}");
    Decoder::parse("mine/config.json", &text.replacen(what, with, 1)).unwrap_err().to_string()
}

#[test]
fn each_family_has_the_parameters_of_its_weights() {
    for (text, parameters) in [
        (SMOLLM2, 361_821_120),
        (MISTRAL, 7_241_732_096),
        (QWEN2, 494_032_768),
        (QWEN3, 596_049_920),
        (GEMMA, 2_506_172_416),
    ] {
        let model = model(text);
        assert_eq!(model.parameters().total(), parameters, "{}", model.title);
        assert_eq!(model.dtype, Some(Precision::BF16));
    }
}

#[test]
fn a_file_and_the_catalogue_agree() {
    for (text, name) in [(SMOLLM2, "smollm2-360m"), (MISTRAL, "mistral-7b")] {
        let (file, built_in) = (model(text), Decoder::named(name).unwrap());
        let same = Decoder {
            name: built_in.name.clone(),
            title: built_in.title.clone(),
            source: built_in.source.clone(),
            ..file
        };
        assert_eq!(same, built_in);
    }
}

#[test]
fn a_window_counts_where_it_is_used() {
    assert_eq!(model(MISTRAL).window, Some(4096));
    assert_eq!(model(QWEN2).window, None, "use_sliding_window is false");
    let later = MISTRAL.replace("\"sliding_window\": 4096", "\"sliding_window\": null");
    assert_eq!(model(&later).window, None);
    let silent = model(&MISTRAL.replace("  \"sliding_window\": 4096,\n", ""));
    assert!(silent.window == Some(4096) && silent.notes[0].contains("default"), "{silent:?}");
    let some = "\"use_sliding_window\": true, \"max_window_layers\": 12, \"x\": 0";
    let text = QWEN2.replace("\"max_window_layers\": 24,", "");
    let error = refused(&text, "\"use_sliding_window\": false", some);
    assert!(error.contains("layers of two kinds are not modelled"), "{error}");
    let all = some.replace("12", "0");
    assert_eq!(model(&text.replace("\"use_sliding_window\": false", &all)).window, Some(131_072));
    // A file that says nothing of these has the library's 4,096 tokens, and 28 layers that see everything.
    let silent = text
        .replace("\"use_sliding_window\": false", "\"use_sliding_window\": true")
        .replace("\"sliding_window\": 131072,", "");
    let own = model(&silent);
    assert_eq!(own.window, None, "all of its 24 layers are below 28");
    assert!(own.notes[1].contains("no `max_window_layers`: the default of model_type qwen2, 28"));
    let deeper = silent.replace("\"num_hidden_layers\": 24", "\"num_hidden_layers\": 32");
    let error = Decoder::parse("config.json", &deeper).unwrap_err().to_string();
    assert!(error.contains("is 28 of 32 layers"), "{error}");
    let slides = silent.replacen('{', "{\"max_window_layers\": 0,", 1);
    assert_eq!(model(&slides).window, Some(4096));
    let mixed = "{\"layer_types\": [\"full_attention\", \"sliding_attention\"],";
    assert!(refused(QWEN3, "{", mixed).contains("layers of several kinds"));
}

/// The defaults of the library's configuration classes; `null` is as many as heads of queries.
#[test]
fn heads_of_keys_that_are_not_named_are_those_of_the_family() {
    let none = model(&MISTRAL.replace("\"num_key_value_heads\": 8,", ""));
    assert!(none.kv_heads == 8 && none.notes[0].contains("no `num_key_value_heads`"), "{none:?}");
    let null = model(&MISTRAL.replace("_value_heads\": 8", "_value_heads\": null"));
    assert!(null.kv_heads == 32 && null.notes.is_empty(), "{null:?}");
    let llama = model(&SMOLLM2.replace("\"num_key_value_heads\": 5,", ""));
    assert!(llama.kv_heads == 15 && llama.notes.is_empty(), "{llama:?}");
    let error = refused(QWEN2, "\"num_key_value_heads\": 2,", "");
    assert!(error.contains("is 32, which does not divide the 14"), "{error}");
}

/// Other readers take the last, and say nothing.
#[test]
fn a_key_that_stands_twice_is_refused() {
    let error = refused(SMOLLM2, "{", "{\"num_hidden_layers\": 8,");
    assert!(error.contains("the key `num_hidden_layers` is given twice"), "{error}");
}

#[test]
fn what_is_no_plain_decoder_is_refused() {
    let error = Decoder::parse("config.json", MIXTRAL).unwrap_err().to_string();
    assert!(
        error.contains("`model_type` \"mixtral\" is not a decoder that is understood"),
        "{error}"
    );
    let error = refused(SMOLLM2, "{", "{\"num_local_experts\": 8,");
    assert!(error.contains("mixture of experts"), "{error}");
    let nested = "{\"model_type\": \"idefics3\", \"text_config\": {\"model_type\": \"llama\"}}";
    let error = Decoder::parse("config.json", nested).unwrap_err().to_string();
    assert!(error.contains("give that object as a file of its own"), "{error}");
    assert!(refused(SMOLLM2, "\"model_type\": \"llama\",", "").contains("no `model_type`"));
}

#[test]
fn what_is_wrong_names_file_and_key() {
    for (what, with, says) in [
        ("\"hidden_size\": 960", "\"hidden_size\": -960", "`hidden_size` is -960: a whole number"),
        ("\"hidden_size\": 960", "\"hidden_size\": 960.5", "`hidden_size` is 960.5"),
        ("\"hidden_size\": 960", "\"hidden_size\": \"960\"", "`hidden_size` is \"960\""),
        ("\"hidden_size\": 960", "\"hidden_size\": 0", "`hidden_size` is 0"),
        ("\"hidden_size\": 960", "\"hidden_size\": 1e12", "`hidden_size` is 1000000000000.0"),
        ("\"hidden_size\": 960", "\"hidden_size\": [9]", "`hidden_size` is [9]"),
        ("  \"hidden_size\": 960,\n", "", "there is no `hidden_size`"),
        ("  \"vocab_size\": 49152", "  \"v\": 1", "there is no `vocab_size`"),
        (
            "\"num_hidden_layers\": 32",
            "\"num_hidden_layers\": 18446744073709551615",
            "`num_hidden_layers` is 18446744073709551615: a whole number from 1 to 4,096",
        ),
        ("\"num_key_value_heads\": 5", "\"num_key_value_heads\": 4", "does not divide the 15"),
        ("\"hidden_size\": 960", "\"hidden_size\": 961", "is not a whole number of"),
        ("\"attention_bias\": false", "\"attention_bias\": 0", "`attention_bias` is 0: true or"),
        ("\"bfloat16\"", "\"q4\"", "`torch_dtype` is \"q4\", which is not a known precision"),
        ("{", "[", "this is not JSON"),
    ] {
        let error = refused(SMOLLM2, what, with);
        assert!(error.starts_with("mine/config.json: ") && error.contains(says), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    assert!(Decoder::parse("a", "[]").unwrap_err().to_string().contains("not a JSON object"));
    let deep = "[".repeat(100_000);
    assert!(Decoder::parse("a", &deep).unwrap_err().to_string().contains("not JSON"));
}

/// The largest of everything that is read: no product overflows.
#[test]
fn the_largest_extents_stay_within_64_bits() {
    let text = format!(
        "{{\"model_type\": \"llama\", \"hidden_size\": {MOST_HIDDEN}, \"num_attention_heads\": {MOST_HEADS}, \
         \"head_dim\": {MOST_HEADS}, \"num_hidden_layers\": {MOST_LAYERS}, \"intermediate_size\": {MOST_FFN}, \
         \"vocab_size\": {MOST_VOCABULARY}, \"attention_bias\": true, \"mlp_bias\": true}}"
    );
    assert!(model(&text).parameters().total() > 1 << 58);
}

#[test]
fn quantised_weights_are_noted() {
    let text = SMOLLM2.replacen('{', "{\"quantization_config\": {\"quant_method\": \"gptq\"},", 1);
    assert!(model(&text).notes[0].contains("gptq"));
}
