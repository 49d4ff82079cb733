//! Reports, from text to figures.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use derate_vitis::{
    Figure, Located, Report, ReportError, Sources, count_iterations, gather_syntheses, read_report,
};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn read(name: &str, text: &str) -> (Sources, Result<Report, ReportError>) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let report = read_report(&sources, file);
    (sources, report)
}

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/reports");
    let entries = fs::read_dir(root).unwrap();
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

/// The report of a case: the one file beside `expected.json`.
fn report_of(case: &Path) -> (String, String) {
    let mut files = fs::read_dir(case).unwrap().map(|entry| entry.unwrap().path());
    let file = files.find(|file| !file.ends_with("expected.json")).unwrap();
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    (name, fs::read_to_string(file).unwrap())
}

/// A value with its place becomes the value.
fn bare(value: &Value) -> Value {
    match value {
        Value::Object(all) if all.len() == 2 && all.contains_key("span") => {
            let rest = all.iter().find(|(key, _)| *key != "span");
            rest.map_or(Value::Null, |(_, value)| bare(value))
        }
        Value::Object(all) => all.iter().map(|(key, value)| (key.clone(), bare(value))).collect(),
        Value::Array(all) => all.iter().map(bare).collect(),
        other => other.clone(),
    }
}

/// Whether `actual` holds all that `expected` says; what it does not say may be anything.
fn holds(expected: &Value, actual: &Value, path: &str) -> Result<(), String> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            expected.iter().try_for_each(|(key, value)| {
                let inside = actual.get(key).unwrap_or(&Value::Null);
                holds(value, inside, &format!("{path}/{key}"))
            })
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            let pairs = expected.iter().zip(actual).enumerate();
            pairs.into_iter().try_for_each(|(index, (expected, actual))| {
                holds(expected, actual, &format!("{path}/{index}"))
            })
        }
        _ if expected == actual => Ok(()),
        _ => Err(format!("{path}: expected {expected}, got {actual}")),
    }
}

/// Every number and every word is where its span says.
fn places(value: &Value, text: &str) {
    match value {
        Value::Object(all) => {
            if let (Some(what), Some(span)) = (all.get("value"), all.get("span")) {
                let at = |end: &str| usize::try_from(span[end].as_u64().unwrap()).unwrap();
                let slice = text.get(at("start")..at("end")).unwrap();
                match what {
                    Value::Number(number) if number.is_u64() => {
                        assert_eq!(slice.parse::<u64>().ok(), number.as_u64(), "{slice}");
                    }
                    Value::Number(number) => {
                        assert_eq!(slice.parse::<f64>().ok(), number.as_f64(), "{slice}");
                    }
                    _ => {}
                }
            }
            all.values().for_each(|inside| places(inside, text));
        }
        Value::Array(all) => all.iter().for_each(|inside| places(inside, text)),
        _ => {}
    }
}

#[test]
fn every_case_gives_what_it_says() {
    let mut failures = Vec::new();
    for case in fixtures() {
        let (name, text) = report_of(&case);
        let expected = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        for text in [text.clone(), text.replace("\r\n", "\n").replace('\n', "\r\n")] {
            let (_, report) = read(&name, &text);
            match report {
                Ok(report) => {
                    let actual = serde_json::to_value(&report).unwrap();
                    places(&actual, &text);
                    if let Err(difference) = holds(&expected, &bare(&actual), "") {
                        failures.push(format!("{}{difference}", case.display()));
                    }
                }
                Err(error) => {
                    let said = expected.get("error").and_then(Value::as_str);
                    if said != Some(&error.to_string()) {
                        failures.push(format!("{}: {error}", case.display()));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut one, mut quoted) = (Vec::new(), String::new(), false);
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(std::mem::take(&mut one)),
            other => one.push(other),
        }
    }
    all.push(one);
    all
}

fn shown(figure: Option<&Located<Figure>>) -> String {
    figure.map_or_else(String::new, |figure| figure.value.to_string().replace(" ~ ", "~"))
}

/// Latency, interval, version and part, as `index.csv` lists them.
fn summary(report: &Report) -> [String; 4] {
    let word = |word: &Option<Located<String>>| {
        word.as_ref().map_or_else(String::new, |word| word.value.clone())
    };
    let ran = report.cosim.iter().find(|cosim| cosim.ran());
    let (latency, interval) = match (ran, report.top_module()) {
        (Some(cosim), _) => (cosim.latency.max.as_ref(), cosim.interval.max.as_ref()),
        (None, Some(module)) => (module.latency.as_ref(), module.interval.as_ref()),
        (None, None) => (None, None),
    };
    [shown(latency), shown(interval), word(&report.version), word(&report.part)]
}

/// `DERATE_REPORTS` names a directory with reports and an `index.csv`
/// (`file,...,tool_version,part,latency_cycles,interval_or_II,...`).
#[test]
#[ignore = "needs a directory of real reports in DERATE_REPORTS"]
fn real_reports_say_what_their_index_says() {
    let directory = PathBuf::from(std::env::var_os("DERATE_REPORTS").expect("DERATE_REPORTS"));
    let index = fs::read_to_string(directory.join("index.csv")).unwrap();
    let (mut files, mut read_well, mut equal) = (0, 0, 0);
    for line in index.lines().skip(1) {
        let line = fields(line);
        let text = fs::read_to_string(directory.join(&line[0])).unwrap();
        files += 1;
        let (sources, report) = read(&line[0], &text);
        let Ok(report) = report else {
            println!("{}: {}", line[0], report.unwrap_err());
            continue;
        };
        read_well += 1;
        places(&serde_json::to_value(&report).unwrap(), &text);
        for place in &report.unread {
            println!("{}:{}: {}", line[0], sources.position(place.span), place.reason);
        }
        let wanted = [&line[8], &line[9], &line[6], &line[7]];
        let got = summary(&report);
        let wrong: Vec<String> = wanted
            .iter()
            .zip(&got)
            .filter(|(wanted, got)| !wanted.is_empty() && **wanted != *got)
            .map(|(wanted, got)| format!("wanted {wanted}, got {got}"))
            .collect();
        equal += usize::from(wrong.is_empty());
        let (loops, bursts) = (
            report.modules.iter().map(|module| module.all_loops().len()).sum::<usize>(),
            report.bursts.len(),
        );
        println!(
            "{}: {:?}, {} modules, {loops} loops, {} ports, {bursts} bursts, {} pragmas {}",
            line[0],
            report.kind,
            report.modules.len(),
            report.ports.len(),
            report.pragmas.len(),
            wrong.join("; ")
        );
    }
    println!("{files} files, {read_well} read, {equal} equal to the index");
    assert_eq!((read_well, equal), (files, files));
}

/// All fixtures, one after another, for breaking.
fn samples() -> Vec<String> {
    fixtures().iter().map(|case| report_of(case).1).collect()
}

/// Reads, and looks whether every place lies in the text.
fn survives(text: &str) {
    let (_, report) = read("broken", text);
    if let Ok(report) = report {
        let all = serde_json::to_value(&report).unwrap();
        places(&all, text);
        for place in &report.unread {
            assert!(text.get(place.span.start..place.span.end).is_some());
        }
    }
}

#[test]
fn deep_and_odd_texts_end_in_a_sentence() {
    let deep = format!("<profile>{}", "<L><TripCount>1</TripCount>".repeat(5000));
    let (_, error) = read("deep.xml", &deep);
    assert!(error.unwrap_err().to_string().contains("nests more than"));
    let bomb = "<!DOCTYPE profile [<!ENTITY a \"&b;&b;\"><!ENTITY b \"&a;&a;\">]>\
                <profile><ReportVersion><Version>&a;</Version></ReportVersion></profile>";
    let (_, report) = read("bomb.xml", bomb);
    assert_eq!(report.unwrap().version.unwrap().value, "&a;");
    let mut tree = samples().into_iter().find(|text| text.contains("Synthesis Summary")).unwrap();
    let row = tree.lines().find(|line| line.contains("| + load")).unwrap().to_owned();
    let deeper: Vec<String> = (1..200)
        .map(|depth| row.replacen(" + load", &format!("{}+ load", " ".repeat(depth)), 1))
        .collect();
    tree = tree.replacen(&row, &deeper.join("\n"), 1);
    let (_, report) = read("csynth.rpt", &tree);
    assert!(!report.unwrap().unread.is_empty());
}

/// A text far larger than any report ends soon, and says what it left out.
#[test]
fn endless_tables_end() {
    let border = format!("+{}+\n", "-".repeat(20));
    let wide = "|".repeat(600);
    let table = format!("{border}|a|b|\n{border}{}", format!("{wide}\n").repeat(12_000));
    let text = format!("== Synthesis Summary Report of 'x'\n{table}");
    let (_, report) = read("csynth.rpt", &text);
    assert!(report.unwrap().unread.iter().any(|place| place.reason.contains("cells")));
    let header = format!("Simulation tool\n{border}{}", format!("{wide}\n").repeat(12_000));
    assert!(read("x_cosim.rpt", &header).1.is_ok());
    let dashes = format!(
        "Timing Information (MHz)\n{}\n{}\nx\n",
        "x ".repeat(1 << 20),
        "- ".repeat(1 << 20)
    );
    assert!(read("x.xtxt", &dashes).1.is_ok());
}

#[test]
fn every_cut_of_every_case_is_survived() {
    for text in samples() {
        for at in (0..text.len()).step_by(7).filter(|at| text.is_char_boundary(*at)) {
            survives(&text[..at]);
        }
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        survives(&text);
    }

    #[test]
    fn no_xml_panics(body in "([ <>/&;a-zé\"=!\\[\\]?-]|<range>|<min>|</min>|<Module>|<Name>x</Name>|&amp;){0,60}") {
        survives(&format!("<profile>{body}"));
    }

    #[test]
    fn no_broken_report_panics(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, "[ |+o<>/~:é0-9-]{0,6}"), 1..6),
    ) {
        let mut samples = samples();
        let mut text = samples.swap_remove(which.index(samples.len()));
        for (at, length, put) in edits {
            let signs: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let from = at.index(signs.len());
            let to = (from + length).min(signs.len());
            let end = signs.get(to).copied().unwrap_or(text.len());
            text.replace_range(signs[from]..end, &put);
            if text.is_empty() {
                break;
            }
        }
        survives(&text);
    }
}

/// Whatever a text is cut to, down to its title, it says that something is missing.
#[test]
fn a_report_that_is_cut_off_says_so() {
    for (name, last) in [
        ("module-2018/fir_csynth.rpt", "|Utilization (%)"),
        ("module-2022/relu_csynth.rpt", "|Utilization (%)"),
        ("tree-2022/csynth.rpt", "    o acc "),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/reports").join(name);
        let text = fs::read_to_string(path).unwrap();
        let title = text.find("Report").unwrap();
        // The row that is the last of what is needed, and the border behind it.
        let needed = text.find(last).unwrap();
        let ends = text.match_indices('\n').map(|(at, _)| at + 1).filter(|end| *end > title);
        let mut cuts = 0;
        for end in ends {
            let mut sources = Sources::default();
            let file = sources.add("cut.rpt", text[..end].to_owned());
            let report = read_report(&sources, file).unwrap();
            if end <= needed {
                assert!(!report.unread.is_empty(), "{name} cut at {end}");
                cuts += 1;
            }
        }
        assert!(cuts > 10, "{name}: {cuts}");
        let mut sources = Sources::default();
        let file = sources.add("whole.rpt", text);
        assert_eq!(read_report(&sources, file).unwrap().unread, [], "{name}");
    }
}

/// The tree prints no target: cycles and times of its modules have it, unless the estimate is longer.
#[test]
fn a_tree_counts_its_times_with_the_target() {
    let (_, text) =
        report_of(&fixtures().into_iter().find(|one| one.ends_with("tree-2022")).unwrap());
    let period = |text: &str| read("csynth.rpt", text).1.unwrap().counted_period;
    assert!(period(&text).is_some_and(|ns| (ns - 3.33).abs() < 0.01));
    // All modules miss their timing by more than the uncertainty.
    let late = text.replace("|   0.00|", "|  -1.20|").replace("|   0.31|", "|  -1.20|");
    assert_eq!(period(&late), None);
}

/// XML of Vivado HLS does not say what a module calls.
#[test]
fn modules_beside_the_report_of_a_top_are_below_it() {
    let (_, text) = report_of(Path::new(&format!(
        "{}/../../fixtures/reports/xml-2018-nested",
        env!("CARGO_MANIFEST_DIR")
    )));
    let tops = |module: &str| {
        let mut sources = Sources::default();
        let reports =
            [("a/syn/csynth.xml", text.clone()), (module, text.replace("scale", "inner"))];
        let reports = reports.map(|(name, text)| {
            let file = sources.add(name, text);
            (file, read_report(&sources, file).unwrap())
        });
        let found = gather_syntheses(&reports).into_iter();
        found.map(|one| (one.top, one.loops.len())).collect::<Vec<_>>()
    };
    let own = gather_loops(&text);
    assert_eq!(tops("a/syn/inner_csynth.xml"), [("scale".to_owned(), 2 * own)]);
    let two = [("scale".to_owned(), own), ("inner".to_owned(), own)];
    assert_eq!(tops("b/syn/inner_csynth.xml"), two);
    // The module synthesised alone is a kernel.
    assert_eq!(tops("b/syn/csynth.xml"), two);
}

/// How many loops a report of one module has.
fn gather_loops(text: &str) -> usize {
    let (mut sources, mut reports) = (Sources::default(), Vec::new());
    let file = sources.add("scale_csynth.xml", text);
    reports.push((file, read_report(&sources, file).unwrap()));
    gather_syntheses(&reports)[0].loops.len()
}

/// A function that is called from several places runs as often as all of them call it.
#[test]
fn the_runs_of_a_module_are_those_of_all_its_callers() {
    let one_loop = |name: &str, trips: u64, instances: &str| {
        format!(
            "<{name}><Name>{name}</Name><TripCount>{trips}</TripCount><Latency>9</Latency>\
             <InstanceList>{instances}</InstanceList></{name}>"
        )
    };
    let module = |name: &str, loops: &str| {
        format!(
            "<Module><Name>{name}</Name><PerformanceEstimates><SummaryOfLoopLatency>{loops}\
             </SummaryOfLoopLatency></PerformanceEstimates></Module>"
        )
    };
    let call = |name: &str, instance: &str, inside: &str| {
        format!(
            "<Instance><ModuleName>{name}</ModuleName><InstName>{instance}</InstName>\
             <InstancesList>{inside}</InstancesList></Instance>"
        )
    };
    let count = |rows: u64, calls: &str| {
        let outer = one_loop("ROWS", rows, "<Instance>copy_1</Instance>");
        let text = format!(
            "<profile><UserAssignments><TopModelName>top</TopModelName></UserAssignments>\
             <RTLDesignHierarchy><TopModule><ModuleName>top</ModuleName><InstancesList>{calls}</InstancesList>\
             </TopModule></RTLDesignHierarchy><ModuleInformation>{}{}{}</ModuleInformation></profile>",
            module("copy", &one_loop("WORDS", 5, "")),
            module("step", &outer),
            module("top", "")
        );
        let (_, report) = read("csynth.xml", &text);
        count_iterations(&report.unwrap(), "WORDS")
    };
    let (alone, step) =
        (call("copy", "copy_9", ""), call("step", "step_1", &call("copy", "copy_1", "")));
    assert_eq!(count(10, &alone), Some(5));
    assert_eq!(count(10, &step), Some(50));
    // From the top and from a loop of another module, in either order; twice from one place.
    assert_eq!(count(10, &format!("{alone}{step}")), Some(55));
    assert_eq!(count(10, &format!("{step}{alone}")), Some(55));
    assert_eq!(count(10, &format!("{alone}{}", call("copy", "copy_8", ""))), Some(10));
    // Each instance of the module around has its own.
    assert_eq!(count(10, &format!("{step}{}", step.replace("step_1", "step_2"))), Some(100));
}
