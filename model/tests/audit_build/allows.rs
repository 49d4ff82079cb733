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

/// What is left of one rule, as its message, and how many findings are allowed.
fn left(analysis: &Analysis, code: &str) -> (Vec<String>, usize) {
    let audit = audit(analysis);
    let unused = audit.findings.iter().filter(|one| one.code == "audit/unused-allow").count();
    assert_eq!(unused, 0, "{:#?}", audit.findings);
    let left = audit.findings.into_iter().filter(|one| one.code == code).map(|one| one.message);
    (left.collect(), audit.allowed.len())
}

#[test]
fn an_allow_takes_its_own_case_out_of_several() {
    let allow = "# derate: allow(connectivity/not-on-card): the U55C only";
    let of = |text: &str| left(&analysis("", text, &[]), "connectivity/not-on-card");
    let cfg = |marks: [&str; 3]| {
        let [a, b, c] = marks;
        format!("[connectivity]\nsp=k_1.a:HBM[40] {a}\nsp=k_1.b:HBM[77] {b}\nslr=k_1:SLR9 {c}\n")
    };
    let both = "2 pins name what u280 does not have: ";
    assert_eq!(of(&cfg([allow, "", ""])), (vec![format!("{both}`HBM[77]`, `SLR9`")], 1));
    assert_eq!(of(&cfg(["", allow, ""])), (vec![format!("{both}`HBM[40]`, `SLR9`")], 1));
    assert_eq!(of(&cfg(["", "", allow])), (vec![format!("{both}`HBM[40]`, `HBM[77]`")], 1));
    assert_eq!(of(&cfg([allow, allow, allow])), (vec![], 3));

    let allow = "# derate: allow(connectivity/slr-crossing): registered";
    let text = format!(
        "[connectivity]\nslr=k_1:SLR1\nsp=k_1.a:HBM[0]\nsp=k_1.b:HBM[1] {allow}\nsp=k_1.c:HBM[2]\n"
    );
    let (found, allowed) = left(&analysis("", &text, &[]), "connectivity/slr-crossing");
    assert_eq!(found, ["2 arguments cross between SLRs on the way to memory"]);
    assert_eq!(allowed, 1);

    let allow = "# derate: allow(connectivity/compute-unit): renamed by a script";
    let text = format!("[connectivity]\nnk=k:1\nslr=k_2:SLR0\nslr=k_3:SLR0 {allow}\n");
    let (found, allowed) = left(&analysis("", &text, &[]), "connectivity/compute-unit");
    assert_eq!((found, allowed), (vec!["1 compute unit that no `nk` makes: `k_2`".to_owned()], 1));

    let allow = "# derate: allow(connectivity/shared-bank): never at once";
    let text = format!(
        "[connectivity]\nsp=k_1.a:HBM[0] {allow}\nsp=k_1.b:HBM[0]\nsp=k_1.c:HBM[1]\nsp=k_1.d:HBM[1]\n"
    );
    let (found, allowed) = left(&analysis("", &text, &[]), "connectivity/shared-bank");
    assert_eq!((found, allowed), (vec!["2 arguments share HBM[1]".to_owned()], 1));
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
    let one =
        "1 floating-point sum of `f` cannot reach II=1: the adder's latency bounds the interval";
    assert_eq!(of("", "").0, [one.replace("1 floating-point sum", "2 floating-point sums")]);
    assert_eq!(of(allow, ""), (vec![one.to_owned()], 1));
    assert_eq!(of("", allow), (vec![one.to_owned()], 1));
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
    let allow = "# derate: allow(report/burst): the old design";
    assert_eq!(of(&format!("reports = [\"csynth/*.rpt\"] {allow}")), ["report/burst"]);
    assert_eq!(of(&format!("reports = [\n{allow}\n\"csynth/mlp.rpt\",\n]")), ["report/burst"]);
    assert!(of(&format!("reports = [\n\"csynth/mlp.rpt\",\n\"*.rpt\", {allow}\n]")).is_empty());
    assert!(of("reports = [\"csynth/*.rpt\"]").is_empty());
}
