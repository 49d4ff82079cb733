//! What reports call the layers of any model.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_hls::Sources;
use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_model::{Analysis, Build, Code, ModelShape, Platform, Project, Recorded};
use derate_reports::render_markdown;
use derate_reports::sections;

const PROJECT: &str = "[model]\nshapes = \"params/vit.txt\"\nworkload = \"linear\"\n[platform]\nname = \"u280\"\n[claims]\nclock = \"300 MHz\"\nbandwidth = \"300 GB/s\"\nprecision = \"fp16\"\npeak = { fp16 = \"1 TFLOP/s\" }\nsequence_length = 16\n[design]\ndsp_per_mac = { fp16 = 4.0, fp32 = 5.0 }\n";

const DUMP: &str = "layers.0.fc.weight: torch.Size([64, 64]) torch.float16\nlayers.1.fc.weight: torch.Size([64, 64]) torch.float16\nhead.weight: torch.Size([10, 64]) torch.float16\n";

fn analysis() -> Analysis {
    let mut sources = Sources::default();
    let file = sources.add("derate.toml", PROJECT.to_owned());
    let project = Project::parse(&sources, file).unwrap();
    let dump = sources.add("params/vit.txt", DUMP.to_owned());
    let shape = ModelShape::parse(&sources, dump, None).unwrap();
    let build = Build::read(&sources, &[], None).unwrap();
    let code = Code::new(&mut sources, &[], &[], &mut Recorded::default(), Some(&shape));
    Analysis::new(sources, project, shape, code, Platform::named("u280").unwrap(), build).unwrap()
}

#[test]
fn the_mode_is_no_name_of_a_model_and_no_kernel_is_named_twice() {
    let analysis = analysis();
    let estimate = estimate(&analysis);
    let report = sections::report(&analysis, &audit(&analysis), &estimate);
    let text = String::from_utf8(render_markdown(&report).unwrap()).unwrap();
    assert!(report.subtitle.starts_with("linear layers of vit.txt on "), "{}", report.subtitle);
    assert!(!text.contains("head: head"), "{text}");
    // The head is in no layer.
    assert!(text.contains("linear layers, in all"), "{text}");
    assert!(!text.contains("linear layers, all 2"), "{text}");
}

#[test]
fn the_critique_speaks_of_the_claimed_precision_and_bears_one_title() {
    let analysis = analysis();
    let document = sections::estimate(&analysis, &estimate(&analysis));
    let text = String::from_utf8(render_markdown(&document).unwrap()).unwrap();
    assert!(text.contains("All in fp32 the linear layers have"), "{text}");
    assert!(text.contains("all in fp16") && !text.contains("all in bf16"), "{text}");
    assert_eq!(text.matches("The critique, point by point").count(), 1, "{text}");
}
