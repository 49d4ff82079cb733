//! `derate.toml` and, behind a zero byte, a platform file of the user's: the audit and the estimate of the example
//! project with those.
#![no_main]

use std::sync::OnceLock;

use derate_fuzz::{read, run_audit, run_estimate, texts};
use derate_hls::Sources;
use derate_model::{Analysis, Build, ModelShape, Platform, Project};
use libfuzzer_sys::fuzz_target;

const DUMP: &str = include_str!("../../fixtures/smolvla/model_shape.txt");
const HEADER: &str = "using bfloat16_t = float;\nextern const bfloat16_t weight[720][32];\n";

fuzz_target!(|data: &[u8]| {
    static SHAPE: OnceLock<ModelShape> = OnceLock::new();
    let mut texts = texts(data);
    let mut sources = Sources::default();
    let file = sources.add("derate.toml", texts.next().unwrap_or_default());
    let dump = sources.add("model_shape.txt", DUMP);
    let project = Project::parse(&sources, file);
    let platform = texts.next().map(|text| Platform::parse("mine.toml", &text));
    for error in [
        project.as_ref().err().map(ToString::to_string),
        platform.as_ref().and_then(|p| p.as_ref().err()).map(ToString::to_string),
    ]
    .into_iter()
    .flatten()
    {
        assert!(!error.contains('\n'), "an error is one sentence: {error}");
    }
    let Ok(project) = project else { return };
    let platform = platform.unwrap_or_else(|| Platform::named(&project.platform.value));
    let Some(platform) = platform.or_else(|_| Platform::named("u280")).ok() else { return };
    let shape = SHAPE
        .get_or_init(|| ModelShape::parse(&sources, dump, None).expect("the fixture is a dump"));
    let header = sources.add("model_weights.h", HEADER);
    let code = read(&mut sources, &[header], &[], Some(shape));
    let analysis = Analysis::new(sources, project, shape.clone(), code, platform, Build::default());
    if let Ok(analysis) = analysis {
        run_audit(&analysis);
        run_estimate(&analysis);
    }
});
