//! Intervals that are asked for and cannot be reached.

use derate_model::audit::{Level, audit};

use super::{found, small};

/// A kernel that sums the columns of a matrix, `body` in its pipelined loop.
pub(super) fn columns(kind: &str, ii: u32, body: &str) -> String {
    format!(
        "extern \"C\" void top(const {kind} v[512], {kind} out[4]) {{
#pragma HLS interface m_axi port=v bundle=gmem0
#pragma HLS interface m_axi port=out bundle=gmem1
    {kind} local[128][4], part[4], w;
#pragma HLS array_partition variable=local complete dim=2
#pragma HLS array_partition variable=part complete
    for (int i = 0; i < 512; i++) local[i / 4][i % 4] = v[i];
    for (int s = 0; s < 4; s++) part[s] = 0;
SUM: for (int r = 0; r < 128; r++) {{
#pragma HLS pipeline II={ii}
        {body}
    }}
    for (int s = 0; s < 4; s++) out[s] = part[s];
}}
"
    )
}

pub(super) const UNROLLED: &str = "for (int s = 0; s < 4; s++) part[s] += local[r][s];";

#[test]
fn a_sum_in_a_loop_that_the_pipeline_unrolls() {
    let code = "kernel/interval";
    let all = found(code, &columns("float", 1, UNROLLED));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.subject.as_str()), (Level::Warning, "top::SUM"));
    assert!(finding.message.contains("`part` of the iteration before"), "{}", finding.message);
    assert!(finding.message.ends_with("the result of a float addition"), "{}", finding.message);
    assert_eq!(
        (&finding.evidence["asked"], &finding.evidence["held_by"]),
        (&1.into(), &"recurrence".into())
    );
    assert_eq!(finding.labels.len(), 2, "the loop and the sum: {finding:#?}");
    // Whole numbers are added within a cycle, an interval that is reached is not a finding, nor one that nobody asks for.
    assert!(found(code, &columns("int", 1, UNROLLED)).is_empty());
    assert!(found(code, &columns("float", 16, UNROLLED)).is_empty());
    let unasked = columns("float", 1, UNROLLED).replace("#pragma HLS pipeline II=1", "");
    assert!(found(code, &unasked).is_empty());
}

#[test]
fn a_sum_through_a_variable() {
    let code = "kernel/interval";
    let all = found(code, &columns("float", 1, "w = part[0] + local[r][1]; part[0] = w;"));
    assert_eq!(all.len(), 1, "{all:#?}");
    // A product of its own in each iteration.
    let apart = "w = local[r][0] * local[r][1]; local[r][2] = w;";
    assert!(found(code, &columns("float", 1, apart)).is_empty());
}

#[test]
fn a_sum_that_kernel_accumulation_reports_is_reported_once() {
    let text = columns("float", 1, "part[0] += local[r][0];");
    let sums = found("kernel/accumulation", &text);
    assert_eq!(sums.len(), 1);
    assert!(sums[0].notes.iter().any(|note| note.starts_with("II=")), "{sums:#?}");
    assert!(found("kernel/interval", &text).is_empty());
}

#[test]
fn an_array_with_too_few_ports() {
    let code = "kernel/interval";
    let text = |partition: &str| {
        format!(
            "extern \"C\" void top(const float v[512], float out[128]) {{
#pragma HLS interface m_axi port=v bundle=gmem0
#pragma HLS interface m_axi port=out bundle=gmem1
    float a[512];
{partition}
    for (int i = 0; i < 512; i++) a[i] = v[i];
READ: for (int r = 0; r < 128; r++) {{
#pragma HLS pipeline II=1
        out[r] = a[4 * r] * a[4 * r + 1] * a[4 * r + 2] * a[4 * r + 3];
    }}
}}
"
        )
    };
    let all = found(code, &text("#pragma HLS bind_storage variable=a type=ram_2p impl=bram"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.evidence["held_by"], "memory");
    assert!(finding.help.starts_with("partition `a`"), "{}", finding.help);
    assert!(
        found(code, &text("#pragma HLS array_partition variable=a cyclic factor=4")).is_empty()
    );
}

/// Reads six elements of an array in an iteration, in a region of its own.
fn region(dataflow: &str, trips: &str) -> String {
    format!(
        "void add(const int v[4096], int out[512], int n) {{
READ: for (int i = 0; i < {trips}; i++) {{
#pragma HLS pipeline II=1
        int sum = 0;
        for (int k = 0; k < 6; k++) sum += v[8 * i + k];
        out[i] = sum;
    }}
}}
void top(const int v[4096], int out[512], int n) {{
#pragma HLS interface ap_memory port=v
#pragma HLS interface ap_memory port=out
{dataflow}
    add(v, out, n);
}}
"
    )
}

#[test]
fn an_interval_that_another_process_may_lengthen_is_a_least_one() {
    let message = |text: &str| {
        let all = found("kernel/interval", text);
        let [one] = &all[..] else { panic!("{all:#?}") };
        one.message.clone()
    };
    let alone = message(&region("", "512"));
    assert!(alone.contains("reaches 3: "), "{alone}");
    let shared = message(&region("#pragma HLS dataflow", "512"));
    assert!(shared.contains("reaches at least 3: "), "{shared}");
    // Data decide how often the loop runs.
    let open = message(&region("", "n"));
    assert!(open.contains("reaches at least 3: "), "{open}");
}

#[test]
fn a_kernel_of_which_something_is_unknown_is_not_judged() {
    let text = columns("float", 1, &format!("{UNROLLED} part[1] = elsewhere(part[1]);"));
    assert!(found("kernel/interval", &text).is_empty());
    // What `array_stencil` keeps is not read anew.
    let stencil = format!("#pragma HLS array_stencil variable=local\n{UNROLLED}");
    assert!(found("kernel/interval", &columns("float", 1, &stencil)).is_empty());
    // A function that others call is not a kernel of its own.
    let called =
        columns("float", 1, UNROLLED).replace("top(", "inner(").replace("extern \"C\" ", "");
    let called: String =
        called.lines().filter(|line| !line.contains("interface")).collect::<Vec<_>>().join("\n");
    assert!(
        found("kernel/interval", &format!("{called}\nint main() {{ return 0; }}\n")).len() == 1
    );
    assert!(found("kernel/interval", &format!("{called}\nvoid other(const float *v, float *out);\nvoid use(const float v[512], float out[4]) {{\n#pragma HLS interface m_axi port=v\n    other(v, out); }}\n")).is_empty());
}

/// A function of another file may cut the array that it is passed.
#[test]
fn an_array_that_a_function_elsewhere_gets() {
    let text = |call: &str| {
        format!(
            "void mix(int rows[64][4]);
extern \"C\" void top(const int *v, int *out) {{
#pragma HLS interface m_axi port=v bundle=gmem0
#pragma HLS interface m_axi port=out bundle=gmem1
    int rows[64][4];
#pragma HLS bind_storage variable=rows type=ram_2p impl=bram
    for (int i = 0; i < 256; i++) rows[i / 4][i % 4] = v[i];
    {call}
SUM: for (int r = 0; r < 64; r++) {{
#pragma HLS pipeline II=1
        out[r] = rows[r][0] + rows[r][1] + rows[r][2] + rows[r][3];
    }}
}}
"
        )
    };
    assert_eq!(found("kernel/interval", &text("")).len(), 1);
    assert!(found("kernel/interval", &text("mix(rows);")).is_empty());
}

/// What the tool reports of a loop is more than what the model says of it.
#[test]
fn an_interval_that_a_report_says_is_reached() {
    let whole = include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt");
    let report = own_loop(whole);
    let text = columns("float", 1, UNROLLED).replace("top(", "fir(").replace("SUM:", "Taps:");
    let find = |report: &str, from: &str, to: &str| {
        assert!(report.contains(from), "no `{from}`");
        let reports = [("fir_csynth.rpt", report.replace(from, to))];
        let findings = audit(&small::with_code("", "", &reports, &text)).findings;
        findings.into_iter().filter(|one| one.code == "kernel/interval").collect::<Vec<_>>()
    };
    let found = |from: &str, to: &str| find(&report, from, to).len();
    // The model says 4 as well, and something else than the report.
    assert_eq!(found("          2|          1|", "          4|          1|"), 1);
    assert_eq!(found("          2|          1|", "          2|          1|"), 0);
    assert_eq!(found("          2|          1|", "          1|          1|"), 0);
    // Another loop.
    assert_eq!(
        found(
            "Taps       |   34|  130|         5|          2|",
            "Tips       |   34|  130|         5|          1|"
        ),
        1
    );
}

/// What is synthesised is a copy of the source, under another top: the report has the function with as many iterations.
#[test]
fn an_interval_that_a_report_of_a_copy_has() {
    let report = own_loop(include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt"));
    let text = columns("float", 1, UNROLLED).replace("top(", "fir(").replace("r < 128", "r < 64");
    let found = |reached: u32| {
        let to = format!("Other      |   34|  130|         5|          {reached}|");
        let report = report.replace("Taps       |   34|  130|         5|          2|", &to);
        assert!(report.contains(&to));
        let reports = [("fir_csynth.rpt", report)];
        let findings = audit(&small::with_code("", "", &reports, &text)).findings;
        let mut own = findings.into_iter().filter(|one| one.code == "kernel/interval");
        own.next().map(|one| (one.level, one.labels.len()))
    };
    assert_eq!(found(2), Some((Level::Note, 3)));
    assert_eq!(found(9), Some((Level::Warning, 2)));
}

/// A report with loops that the source does not have is of another version: it does not silence the model.
#[test]
fn an_old_report_does_not_refute() {
    let report = include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt");
    let text = columns("float", 1, UNROLLED).replace("top(", "fir(").replace("SUM:", "Taps:");
    let reports = [("fir_csynth.rpt", report.to_owned())];
    let findings = audit(&small::with_code("", "", &reports, &text)).findings;
    assert!(findings.iter().any(|one| one.code == "report/stale"), "{findings:#?}");
    let own: Vec<_> = findings.iter().filter(|one| one.code == "kernel/interval").collect();
    let [finding] = &own[..] else { panic!("{own:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert!(finding.notes.iter().any(|note| note.starts_with("a report has II=2")), "{finding:#?}");
}

/// The report with only the loop that the source has.
pub(super) fn own_loop(report: &str) -> String {
    let other = ["|- Out ", "| + Inner", "|  ++ Deep"];
    let lines = report.lines().filter(|line| !other.iter().any(|one| line.contains(one)));
    let lines: Vec<&str> = lines.collect();
    format!("{}\n", lines.join("\n")).replace("16 ~ 64", "     64")
}

/// The tool counts loops without a label otherwise than the model: the line is enough.
#[test]
fn a_loop_without_a_label_is_known_by_its_line() {
    let report = own_loop(include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt"));
    let text = columns("float", 1, UNROLLED).replace("top(", "fir(").replace("SUM:", "");
    let at = text.lines().position(|line| line.contains("r++")).unwrap() + 1;
    let found = |line: usize, achieved: u32| {
        let name = format!("|- VITIS_LOOP_{line}_17 |   34|  130|         5|          {achieved}|");
        let from = report.lines().find(|row| row.starts_with("        |- Taps")).unwrap();
        let row = from.split('|').nth(2).map(|_| from.splitn(6, '|').nth(5).unwrap());
        let row = row.and_then(|rest| rest.split_once('|')).unwrap().1;
        let reports = [("fir_csynth.rpt", report.replace(from, &format!("        {name}{row}")))];
        let findings = audit(&small::with_code("", "", &reports, &text)).findings;
        findings.into_iter().filter(|one| one.code == "kernel/interval").count()
    };
    assert_eq!(found(at, 1), 0);
    assert_eq!(found(at + 1, 1), 1);
}

/// An array outside functions: whether the tool cuts it is known from 2024.2 on only.
#[test]
fn an_array_outside_functions_may_be_cut() {
    let text = |outside: &str, inside: &str| {
        format!(
            "{outside}
extern \"C\" void top(const int v[512], int out[128]) {{
#pragma HLS interface m_axi port=v bundle=gmem0
#pragma HLS interface m_axi port=out bundle=gmem1
    {inside}
    for (int i = 0; i < 512; i++) a[i / 4][i % 4] = v[i];
READ: for (int r = 0; r < 128; r++) {{
#pragma HLS pipeline II=1
        out[r] = a[r][0] * a[r][1] * a[r][2] * a[r][3];
    }}
}}
"
        )
    };
    let bound = "#pragma HLS bind_storage variable=a type=ram_2p impl=bram";
    assert!(found("kernel/interval", &text("static int a[128][4];", "")).is_empty());
    assert_eq!(found("kernel/interval", &text("", &format!("int a[128][4];\n{bound}"))).len(), 1);
}
