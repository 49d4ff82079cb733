use super::*;

fn log() -> Log {
    let place = |file: &str, message: &str| Place {
        file: file.to_owned(),
        start: (12, 5),
        end: (12, 30),
        text: "using bfloat16_t = float;".to_owned(),
        message: message.to_owned(),
    };
    let entry = LogEntry {
        code: "precision/alias-width".to_owned(),
        level: Level::Error,
        subject: "bfloat16_t".to_owned(),
        message: "`${T}` has 32 bits\u{1b}".to_owned(),
        notes: vec!["474 tensors".to_owned()],
        help: "claim fp32".to_owned(),
        places: vec![place("include/my weights.h", "32 bits"), place("derate.toml", "16 bits")],
        allowed: None,
    };
    let allowed = LogEntry { allowed: Some("simulation".to_owned()), ..entry.clone() };
    Log {
        tool: "derate".to_owned(),
        version: "0.1.0".to_owned(),
        rules: vec![LogRule {
            code: "precision/alias-width".to_owned(),
            level: Level::Error,
            summary: "An alias lies.".to_owned(),
            manual: "# Page".to_owned(),
        }],
        entries: vec![entry, allowed],
    }
}

#[test]
fn a_finding_with_its_claim_and_an_allowed_one() {
    insta::assert_snapshot!(String::from_utf8(render_sarif(&log()).unwrap()).unwrap());
}

#[test]
fn nothing_found_is_an_empty_list() {
    let text =
        String::from_utf8(render_sarif(&Log { entries: Vec::new(), ..log() }).unwrap()).unwrap();
    assert!(text.contains("\"results\": []"), "{text}");
}
