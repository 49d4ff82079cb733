//! What is wrong in a line that many files have a copy of is said once, with the places.

use std::fs;

use serde_json::Value;

use crate::derate::derate_in;

#[test]
fn a_wrong_alias_that_was_copied_is_one_finding_for_a_reader() {
    let dir = tempfile::tempdir().unwrap();
    let kernel =
        "#include \"types.h\"\nvoid top(fp16_t *x) {\n#pragma HLS INTERFACE m_axi port=x\n}\n";
    for number in 1..=6 {
        let folder = dir.path().join(format!("k{number}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("top.cpp"), kernel).unwrap();
        // The last one says the same of another name.
        let name = if number == 6 { "bfloat16_t" } else { "fp16_t" };
        let text = format!("// copy {number}\ntypedef float {name};\n");
        fs::write(folder.join("types.h"), text).unwrap();
    }
    let run = |format: &str| {
        derate_in(
            dir.path(),
            &["audit", "--only", "precision/alias-width", "--detail", "--format", format],
        )
        .stdout
    };
    let text = run("text");
    let starts: Vec<&str> =
        text.lines().filter(|line| line.contains("[precision/alias-width]")).collect();
    assert_eq!(starts.len(), 2, "{text}");
    assert!(starts[0].contains("`fp16_t`") && starts[0].ends_with("(in 5 places)"), "{text}");
    assert!(text.contains("and at k4/types.h:2, k5/types.h:2"), "{text}");
    assert!(!starts[1].contains("places"), "{text}");
    // Programs get each at its place.
    let report: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(report["findings"].as_array().unwrap().len(), 6);
    assert_eq!(run("github").lines().count(), 6);
}
