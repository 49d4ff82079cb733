//! Loops that ask for a pipeline and cannot get one.

use derate_model::audit::Level;

use super::found;

const CODE: &str = "kernel/unpipelined";

/// A loop over trees that asks for a pipeline, with a walk in it.
fn forest(walk: &str) -> String {
    format!(
        "struct Node {{ float value; int next; bool leaf; }};\n\
         static const Node TREE[64][32] = {{}};\n\
         float forest(const float f[13], int n) {{\n#pragma HLS interface s_axilite port=return\n\
         float sum = 0;\nfor (int t = 0; t < 64; t++) {{\n#pragma HLS pipeline II=1\n{walk}\n}}\nreturn sum;\n}}\n"
    )
}

#[test]
fn data_decide_how_often_the_loop_in_it_iterates() {
    let walk = "int at = 0;\nwhile (!TREE[t][at].leaf) {\n#pragma HLS LOOP_TRIPCOUNT min=1 max=20\nat = TREE[t][at].next;\n}\n\
                sum += TREE[t][at].value;";
    let found_here = found(CODE, &forest(walk));
    let [finding] = found_here.as_slice() else { panic!("{found_here:#?}") };
    assert_eq!(finding.level, Level::Warning);
    assert_eq!(finding.labels.len(), 2);
    // An argument of the run.
    let argument = "for (int i = 0; i < n; i++) sum += f[i % 13] * TREE[t][i % 32].value;";
    assert_eq!(found(CODE, &forest(argument)).len(), 1);
    // The loop in it is a pipeline by its own directive.
    let own =
        "for (int i = 0; i < n; i++) {\n#pragma HLS pipeline\nsum += TREE[t][i % 32].value;\n}";
    let found_here = found(CODE, &forest(own));
    let [finding] = found_here.as_slice() else { panic!("{found_here:#?}") };
    assert_eq!(finding.level, Level::Note);
}

/// The tool unrolls the loop in between before it finds that the pipeline around it cannot be made: its own directive goes.
#[test]
fn a_loop_that_is_unrolled_for_the_refused_pipeline_is_not_said() {
    let steps = forest(
        "STEPS: for (int k = 0; k < 4; k++) {\n#pragma HLS pipeline\nfor (int i = 0; i < n; i++) sum += f[i % 13] * k;\n}\nsum *= 0.5f;",
    );
    let all = found(CODE, &steps);
    let [finding] = all.as_slice() else { panic!("{all:#?}") };
    assert!(!finding.message.starts_with("`STEPS`"), "{finding:#?}");
    // Nobody asks for a pipeline around it.
    let all = found(CODE, &steps.replace("#pragma HLS pipeline II=1\n", ""));
    let [finding] = all.as_slice() else { panic!("{all:#?}") };
    assert!(finding.message.starts_with("`STEPS`"), "{finding:#?}");
}

/// The innermost of several is the one that can be pipelined.
#[test]
fn the_help_names_the_innermost_loop() {
    let nest = |pragma: &str| {
        forest(&format!(
            "MID: for (int i = 0; i < n; i++) {{\n{pragma}\nDEEP: for (int k = 0; k < n; k++) sum += f[k % 13] * i;\n}}"
        ))
    };
    let all = found(CODE, &nest(""));
    let [finding] = all.as_slice() else { panic!("{all:#?}") };
    assert!(finding.message.contains("`MID`") && finding.help.contains("`DEEP`"), "{finding:#?}");
    let levels: Vec<Level> =
        found(CODE, &nest("#pragma HLS pipeline")).iter().map(|one| one.level).collect();
    assert_eq!(levels, [Level::Warning, Level::Note], "that of MID says it all");
    // Beside it is another one, which a pipeline can be moved to as well.
    let two = nest("")
        .replace("}\nreturn", "SIDE: for (int k = 0; k < n; k++) sum += f[k % 13];\n}\nreturn");
    let all = found(CODE, &two);
    let [finding] = all.as_slice() else { panic!("{all:#?}") };
    assert!(
        finding.help.contains("`DEEP`, `SIDE`") && !finding.help.contains("`MID`"),
        "{finding:#?}"
    );
}

#[test]
fn a_loop_that_can_be_unrolled_hinders_no_pipeline() {
    for near in [
        "for (int i = 0; i < 13; i++) sum += f[i];",
        // Its bound is a constant all the same.
        "for (int i = 0; i < 13; i++) { if (TREE[t][i].leaf) break; sum += f[i]; }",
        "sum += TREE[t][n % 32].value;",
        // Each copy of the loop around knows its counter.
        "for (int y = 0; y < 3; y++) for (int x = y + 1; x < 5; x++) sum += f[x];",
        // A macro that nothing defines is not data.
        "for (int i = 0; i < LEAVES; i++) sum += f[i % 13];",
    ] {
        assert_eq!(found(CODE, &forest(near)), [], "{near}");
    }
    let walk = "for (int i = 0; i < n; i++) sum += f[i % 13];";
    let off = forest(walk).replace("pipeline II=1", "pipeline off");
    assert_eq!(found(CODE, &off), []);
}
