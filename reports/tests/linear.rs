//! What a report says of workload `linear`, which counts the 2-D weights alone: no whole inference, and nothing of fusion.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::Analysis;
use derate_model::audit::{Audit, audit};
use derate_model::estimate::estimate;
use derate_reports::Cell;
use derate_reports::render_markdown;
use derate_reports::sections;
use fixture::Fixture;

const TOML: &str = "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n\n[platform]\nname = \"u280\"\n\n[claims]\nprecision = \"fp32\"\nsequence_length = 197\nbandwidth = \"300 GB/s\"\npeak = { fp32 = \"1.8 TFLOP/s\" }\n";

/// Two layers that hand 1.2 MB to one another, which the chip holds with ease.
const DUMP: &str = "pos_embed: torch.Size([1, 197, 384]) [torch.float32]\nfc1.weight: torch.Size([1536, 384]) [torch.float32]\nfc2.weight: torch.Size([384, 1536]) [torch.float32]\n";

fn linear(more: &str) -> Analysis {
    let toml = format!("{TOML}{more}");
    Fixture::new("smolvla").only("derate.toml", &toml).only("model_shape.txt", DUMP).analysis()
}

fn shown(analysis: &Analysis) -> String {
    let document = sections::report(analysis, &audit(analysis), &estimate(analysis));
    String::from_utf8(render_markdown(&document).unwrap()).unwrap()
}

fn verdict(analysis: &Analysis) -> String {
    sections::verdict(analysis, &Audit::default(), &estimate(analysis)).join("\n")
}

#[test]
fn nothing_is_said_of_fusion_where_no_kernel_is_known_to_read_anothers_result() {
    for design in ["", "[design]\nrows = 16\ncolumns = 16\nschedule = \"block\"\n"] {
        let analysis = linear(design);
        let text = shown(&analysis);
        assert!(text.contains("Fusion is not modelled for workload `linear`"), "{text}");
        for wrong in ["fits on the chip", "fused as far as", "fused (", "is fused as [design]"] {
            assert!(!text.contains(wrong), "{wrong}: {text}");
        }
        let document = sections::report(&analysis, &audit(&analysis), &estimate(&analysis));
        let fusion = document.sections.iter().find(|section| section.name == "Fusion").unwrap();
        assert_eq!(fusion.blocks.len(), 1);
    }
    let whole = Fixture::new("smolvla").analysis();
    let text = shown(&whole);
    assert!(!text.contains("not modelled"), "{text}");
    assert!(text.contains("What fusing keeps off external memory"), "{text}");
}

#[test]
fn the_weights_are_no_whole_inference() {
    for text in [shown(&linear("")), verdict(&linear(""))] {
        assert!(text.contains("The products of the 2-D weights (464.8 MFLOP)"), "{text}");
        assert!(text.contains("not a whole inference"), "{text}");
        assert!(!text.contains("A whole inference") && !text.contains("FlopCounterMode"), "{text}");
        assert!(!text.contains("of a whole inference"), "{text}");
    }
    let whole = verdict(&Fixture::new("smolvla").analysis());
    assert!(whole.contains("A whole inference (839.6 GFLOP of matrix products)"), "{whole}");
}

#[test]
fn work_that_is_not_modelled_is_not_zero() {
    let of = |analysis: &Analysis| {
        let document = sections::report(analysis, &audit(analysis), &estimate(analysis));
        let parts = document.tables().find(|table| table.name == "parts").unwrap();
        parts.rows[0][2].clone()
    };
    assert_eq!(of(&linear("")), Cell::Unknown("not modelled".to_owned()));
    assert!(matches!(
        of(&Fixture::new("smolvla").analysis()),
        Cell::Formula { .. } | Cell::Number { .. }
    ));
}

/// The same project with nothing under `[claims]`.
fn without_claims() -> Analysis {
    let (toml, _) = TOML.split_once("[claims]").unwrap();
    Fixture::new("smolvla").only("derate.toml", toml).only("model_shape.txt", DUMP).analysis()
}

fn critique(analysis: &Analysis, point: &str) -> String {
    let document = sections::report(analysis, &audit(analysis), &estimate(analysis));
    let table = document.tables().find(|table| table.name == "critique").unwrap().clone();
    table.rows.iter().find(|row| row[0].display() == point).unwrap()[1].display()
}

#[test]
fn a_default_is_nobodys_claim() {
    let none = critique(&without_claims(), "Bandwidth");
    assert_eq!(none, "not claimed (bandwidth); by default 460.8 GB/s");
    assert_eq!(critique(&linear(""), "Bandwidth"), "300 GB/s");
    let rows = |analysis: &Analysis| estimate(analysis).bandwidths.swap_remove(0).name;
    assert_eq!(rows(&without_claims()), "not claimed, by default");
    assert_eq!(rows(&linear("")), "claimed");
    let none = critique(&without_claims(), "Operational intensity");
    assert!(none.starts_with("not claimed (precision, tokens); by default"), "{none}");
    let ladder = shown(&without_claims());
    assert!(ladder.contains("not claimed: precision, tokens, bandwidth, peak"), "{ladder}");
    let claimed = shown(&linear(""));
    assert!(!claimed.contains("not claimed:") && !claimed.contains("not claimed ("), "{claimed}");
}

#[test]
fn a_count_of_tokens_that_nobody_gave_is_told_with_what_the_dump_says() {
    let said = verdict(&without_claims());
    assert!(said.contains("Every figure is for one token"), "{said}");
    assert!(
        said.contains("`pos_embed` in the dump has 197 rows: set sequence_length = 197"),
        "{said}"
    );
    assert!(!verdict(&linear("")).contains("Every figure is for"));
}
