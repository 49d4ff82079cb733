//! Comments that allow what is found in the build files.

use derate_hls::Sources;
use derate_model::audit::audit;
use derate_model::{Analysis, Build, Code, ModelShape, Named, Platform, Project};

use super::{DUMP, analysis, fixture, with_code};

#[test]
fn a_comment_in_the_configuration_allows() {
    let allowed = |comment: &str| {
        let text = format!("[connectivity]\nsp=k_1.a:HBM[32] {comment}\n");
        let audit = audit(&analysis("", &text, &[]));
        (audit.findings.iter().map(|one| one.code).collect::<Vec<_>>(), audit.allowed.len())
    };
    for mark in ['#', ';'] {
        let comment = format!("{mark} derate: allow(connectivity/not-on-card): another shell");
        let (left, allowed) = allowed(&comment);
        assert!(!left.contains(&"connectivity/not-on-card"), "{left:?}");
        assert_eq!(allowed, 1);
    }
    let (left, _) = allowed("# derate: allow(connectivity/shared-bank): another shell");
    assert!(left.contains(&"connectivity/not-on-card") && left.contains(&"audit/unused-allow"));
    let above = "[connectivity]\n; derate: allow(connectivity/not-on-card): another shell\nsp=k_1.a:HBM[32]\n";
    assert_eq!(audit(&analysis("", above, &[])).allowed.len(), 1);
}

/// The subjects of what is left of one rule, and how many findings are allowed.
fn left(analysis: &Analysis, code: &str) -> (Vec<String>, usize) {
    let audit = audit(analysis);
    let unused = audit.findings.iter().filter(|one| one.code == "audit/unused-allow").count();
    assert_eq!(unused, 0, "{:#?}", audit.findings);
    let left = audit.findings.into_iter().filter(|one| one.code == code).map(|one| one.subject);
    (left.collect(), audit.allowed.len())
}

#[test]
fn an_allow_takes_its_own_case_out_of_several() {
    for (code, lines, subjects) in [
        (
            "connectivity/not-on-card",
            &["", "sp=k_1.a:HBM[40]", "sp=k_1.b:HBM[77]", "slr=k_1:SLR9"][..],
            &["HBM[40]", "HBM[77]", "SLR9"][..],
        ),
        (
            "connectivity/slr-crossing",
            &["slr=k_1:SLR1", "sp=k_1.a:HBM[0]", "sp=k_1.b:HBM[1]"],
            &["k_1.a", "k_1.b"],
        ),
        ("connectivity/compute-unit", &["nk=k:1", "slr=k_2:SLR0", "slr=k_3:SLR0"], &["k_2", "k_3"]),
    ] {
        for at in 0..subjects.len() {
            let allow = |line: usize| {
                if line == at + 1 {
                    format!("# derate: allow({code}): reasons")
                } else {
                    String::new()
                }
            };
            let lines = lines.iter().enumerate().map(|(i, line)| format!("{line} {}\n", allow(i)));
            let text = format!("[connectivity]\n{}", lines.collect::<String>());
            let mut rest = subjects.to_vec();
            rest.remove(at);
            let (found, allowed) = left(&analysis("", &text, &[]), code);
            assert_eq!((found.iter().map(String::as_str).collect(), allowed), (rest, 1), "{text}");
        }
    }
    let allow = "# derate: allow(connectivity/shared-bank): never at once";
    let text = format!(
        "[connectivity]\nsp=k_1.a:HBM[0] {allow}\nsp=k_1.b:HBM[0]\nsp=k_1.c:HBM[1]\nsp=k_1.d:HBM[1]\n"
    );
    let found = left(&analysis("", &text, &[]), "connectivity/shared-bank");
    assert_eq!(found, (vec!["HBM[1]".to_owned()], 1));
}

#[test]
fn an_allow_takes_one_sum_out_of_a_function() {
    let code = |first: &str, second: &str| {
        let sum = |name: &str, mark: &str| {
            format!(
                "  float {name} = 0;\n  for (int i = 0; i < 64; i++) {{\n#pragma HLS PIPELINE II=1\n    {name} += a[i]; {mark}\n  }}\n"
            )
        };
        let (one, two) = (sum("s", first), sum("t", second));
        format!("void f(float a[64], float *out) {{\n{one}{two}  *out = s + t;\n}}\n")
    };
    let allow = "// derate: allow(kernel/accumulation): the report's II is counted";
    let of = |first: &str, second: &str| {
        left(&with_code("", "", &[], &code(first, second)), "kernel/accumulation")
    };
    let sums = |names: &[&str]| names.iter().map(|name| format!("f::{name}")).collect::<Vec<_>>();
    assert_eq!(of("", ""), (sums(&["s", "t"]), 0));
    assert_eq!(of(allow, ""), (sums(&["t"]), 1));
    assert_eq!(of("", allow), (sums(&["s"]), 1));
    assert_eq!(of(allow, allow), (vec![], 2));
}

#[test]
fn a_comment_beside_the_entry_of_a_report_allows_what_is_found_in_it() {
    let of = |entries: &str| {
        let mut sources = Sources::default();
        let toml = format!(
            "[model]\nshapes = \"dump.txt\"\n\n[platform]\nname = \"u280\"\n\n[hls]\n{entries}\n"
        );
        let file = sources.add("derate.toml", toml);
        let project = Project::parse(&sources, file).unwrap();
        let dump = sources.add("dump.txt", DUMP);
        let shape = ModelShape::parse(&sources, dump, None).unwrap();
        let report = sources.add("csynth/mlp.rpt", fixture("tree-2022/csynth.rpt"));
        let named = Named { file: report, by: project.platform.clone(), by_pattern: false };
        let build = Build::read(&sources, &[named], None).unwrap();
        let platform = Platform::named("u280").unwrap();
        let code = Code::default();
        let audit = audit(&Analysis::new(sources, project, shape, code, platform, build).unwrap());
        audit.allowed.iter().map(|one| one.finding.code).collect::<Vec<_>>()
    };
    let both = ["report/burst"; 2];
    let allow = "# derate: allow(report/burst): the old design";
    assert_eq!(of(&format!("reports = [\"csynth/*.rpt\"] {allow}")), both);
    assert_eq!(of(&format!("reports = [\n{allow}\n\"csynth/mlp.rpt\",\n]")), both);
    assert!(of(&format!("reports = [\n\"csynth/mlp.rpt\",\n\"*.rpt\", {allow}\n]")).is_empty());
    assert!(of("reports = [\"csynth/*.rpt\"]").is_empty());
}
