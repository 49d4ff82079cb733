//! Scores the kernel model on laid designs: `score DIR [dataset[/kernel]] [--each]`.

use derate_hls::read_tcl;
use derate_kernel::*;
use derate_syntax::{SourceFile, read_unit};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Row {
    kernel: String,
    design: String,
    folder: PathBuf,
    truth: Option<f64>,
    cosim: Option<f64>,
    reported: Option<f64>,
    expected: Option<f64>,
    resources: [(Option<f64>, f64); 4],
    routed: bool,
    loops: Vec<(String, [Option<f64>; 3], Option<[f64; 3]>)>,
    seconds: f64,
    unknown: Vec<String>,
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn find(folder: &Path, includes: &[String], name: &str, from: &str) -> Option<(String, String)> {
    let near = Path::new(from).parent().map(|parent| parent.join(name));
    let mut candidates: Vec<PathBuf> = near.into_iter().collect();
    candidates.extend(includes.iter().map(|include| Path::new(include).join(name)));
    for candidate in candidates {
        if let Ok(bytes) = std::fs::read(folder.join(&candidate)) {
            return Some((
                candidate.display().to_string(),
                String::from_utf8_lossy(&bytes).into_owned(),
            ));
        }
    }
    None
}

fn run(folder: &Path) -> Option<Row> {
    let design: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("design.json")).ok()?).ok()?;
    let strings = |key: &str| -> Vec<String> {
        design[key]
            .as_array()
            .map(|list| list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect())
            .unwrap_or_default()
    };
    let started = std::time::Instant::now();
    let includes = strings("includes");
    let files: Vec<SourceFile> = strings("files")
        .into_iter()
        .map(|path| SourceFile {
            text: String::from_utf8_lossy(&std::fs::read(folder.join(&path)).unwrap_or_default())
                .into_owned(),
            path,
        })
        .collect();
    let defines: Vec<(String, String)> = strings("defines")
        .iter()
        .map(|define| {
            define
                .split_once('=')
                .map_or((define.clone(), "1".to_owned()), |(a, b)| (a.to_owned(), b.to_owned()))
        })
        .collect();
    let mut loader = |name: &str, _quoted: bool, from: &str| find(folder, &includes, name, from);
    let unit = read_unit(&files, &mut loader, &defines);
    let tcl = design["directives"]
        .as_str()
        .map(|name| read_tcl(&std::fs::read_to_string(folder.join(name)).unwrap_or_default()))
        .unwrap_or_default();
    let tool = design["tool"].as_str().unwrap_or_default();
    let version = tool
        .split('.')
        .filter_map(|part| part.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u16>().ok())
        .collect::<Vec<_>>();
    let tool = match version.as_slice() {
        [year, release, ..] if *year > 2000 => (*year, *release),
        _ => (2023, 2),
    };
    let settings = Settings {
        clock_ns: number(&design["clock_ns"])?,
        uncertainty: 0.27,
        tool,
        part: find_part(design["part"].as_str()?)?,
        unsafe_math: tcl.settings.iter().any(|setting| {
            setting.options.iter().any(|option| option.0 == "unsafe_math_optimizations")
        }),
        pipeline_loops: 64,
        complete_threshold: 4,
        constants: Constants::built_in(),
    };
    let mut unknown = Vec::new();
    let answer = match read_program(&unit, design["top"].as_str()?) {
        Ok(program) => {
            let directives = Directives { list: tcl.directives };
            Some(estimate_kernel(&program, &directives, &settings))
        }
        Err(error) => {
            unknown.push(error.to_string());
            None
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let truth = &design["truth"];
    let told: Vec<(String, [f64; 3])> = answer
        .iter()
        .flat_map(|answer| &answer.loops)
        .map(|one| {
            (
                one.label.clone(),
                [
                    one.trip.map_or(-1.0, |trip| trip.1),
                    one.ii.map_or(-1.0, |ii| ii as f64),
                    one.depth,
                ],
            )
        })
        .collect();
    let loops = design["loops"]
        .as_array()
        .map(|list| {
            list.iter()
                .map(|one| {
                    let label = one["label"].as_str().unwrap_or_default().to_owned();
                    let hit = told
                        .iter()
                        .find(|told| {
                            told.0 == label
                                || label.ends_with(&format!("_{}", told.0))
                                || told.0.ends_with(&format!("_{label}"))
                        })
                        .map(|told| told.1);
                    (label, [number(&one["trip"]), number(&one["ii"]), number(&one["depth"])], hit)
                })
                .collect()
        })
        .unwrap_or_default();
    let r = answer.as_ref().map(|answer| answer.resources);
    let routed = design["resources_stage"] == "route";
    let pick = |one: Option<ResourceAnswer>| {
        one.map_or(0.0, |one| if routed { one.routed } else { one.value })
    };
    let resources = [
        (number(&truth["dsp"]), pick(r.map(|r| r.dsp))),
        (number(&truth["bram18"]), pick(r.map(|r| r.bram18))),
        (number(&truth["lut"]), pick(r.map(|r| r.lut))),
        (number(&truth["ff"]), pick(r.map(|r| r.ff))),
    ];
    if let Some(answer) = &answer {
        unknown
            .extend(answer.unknown.iter().map(|one| format!("{}: {}", one.place.line, one.reason)));
    }
    let open = answer.as_ref().is_none_or(|answer| answer.latency.is_open);
    Some(Row {
        kernel: design["kernel"].as_str()?.to_owned(),
        design: design["design"].as_str()?.to_owned(),
        folder: folder.to_owned(),
        truth: number(&truth["latency_max"]),
        cosim: number(&truth["cosim_cycles"]),
        reported: answer.as_ref().filter(|_| !open).map(|answer| answer.latency.worst),
        expected: answer.as_ref().filter(|_| !open).map(|answer| answer.latency.expected),
        resources,
        routed,
        loops,
        seconds,
        unknown,
    })
}

fn folders(root: &Path, found: &mut Vec<PathBuf>) {
    if root.join("design.json").exists() {
        found.push(root.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(root) else { return };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    for path in paths {
        folders(&path, found);
    }
}

fn quantile(errors: &mut [f64], at: f64) -> f64 {
    errors.sort_by(f64::total_cmp);
    if errors.is_empty() {
        return f64::NAN;
    }
    errors[((errors.len() - 1) as f64 * at).round() as usize]
}

fn summary(name: &str, rows: &[&Row]) {
    let timed: Vec<&&Row> = rows.iter().filter(|row| row.truth.is_some()).collect();
    let mut errors: Vec<f64> = timed
        .iter()
        .filter_map(|row| Some(100.0 * (row.reported? - row.truth?).abs() / row.truth?.max(1.0)))
        .collect();
    let n = errors.len();
    let exact = errors.iter().filter(|error| **error == 0.0).count();
    let mean = errors.iter().sum::<f64>() / n.max(1) as f64;
    let mut rtl: Vec<f64> = rows
        .iter()
        .filter_map(|row| Some(100.0 * (row.expected? - row.cosim?).abs() / row.cosim?))
        .collect();
    let honest = rows
        .iter()
        .filter(|row| row.truth.is_none())
        .map(|row| row.reported.is_none())
        .collect::<Vec<_>>();
    let (med, p90, rtl_med) =
        (quantile(&mut errors, 0.5), quantile(&mut errors, 0.9), quantile(&mut rtl, 0.5));
    let resource = |at: usize| {
        let mut errors: Vec<f64> = rows
            .iter()
            .filter_map(|row| {
                let (truth, own) = row.resources[at];
                let truth = truth?;
                (truth > 0.0).then(|| 100.0 * (own - truth).abs() / truth)
            })
            .collect();
        let exact =
            rows.iter().filter(|row| row.resources[at].0 == Some(row.resources[at].1)).count()
                as f64
                / rows.iter().filter(|row| row.resources[at].0.is_some()).count().max(1) as f64;
        format!("{:.0}%ex/{:.0}", 100.0 * exact, quantile(&mut errors, 0.5))
    };
    let loops: Vec<_> = rows.iter().flat_map(|row| &row.loops).collect();
    let ok = |at: usize| {
        let known: Vec<bool> = loops
            .iter()
            .filter_map(|one| one.1[at].map(|truth| one.2.is_some_and(|own| own[at] == truth)))
            .collect();
        if known.is_empty() {
            "-".to_owned()
        } else {
            format!(
                "{:.0}%",
                100.0 * known.iter().filter(|one| **one).count() as f64 / known.len() as f64
            )
        }
    };
    let slow = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
    println!(
        "{name:26} n {:5} cover {:5.1}% honest {}/{} exact {:5.1}% med {:7.2} mean {:8.2} p90 {:8.2} | rtl {} med {:.2} mean {:.2} | dsp {} bram {} lut {} ff {} | loops {} {} {} | max {:.2}s",
        rows.len(),
        100.0 * n as f64 / timed.len().max(1) as f64,
        honest.iter().filter(|one| **one).count(),
        honest.len(),
        100.0 * exact as f64 / n.max(1) as f64,
        med,
        mean,
        p90,
        rtl.len(),
        rtl_med,
        rtl.iter().sum::<f64>() / rtl.len().max(1) as f64,
        resource(0),
        resource(1),
        resource(2),
        resource(3),
        ok(0),
        ok(1),
        ok(2),
        slow
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let root = PathBuf::from(&arguments[1]);
    let filter = arguments.get(2).filter(|one| !one.starts_with("--"));
    let each = arguments.iter().any(|one| one == "--each");
    let limit: usize = arguments
        .iter()
        .find_map(|one| one.strip_prefix("--limit=").and_then(|one| one.parse().ok()))
        .unwrap_or(usize::MAX);
    let start = filter.map_or(root.clone(), |filter| root.join(filter));
    let mut found = Vec::new();
    folders(&start, &mut found);
    let mut per: BTreeMap<String, usize> = BTreeMap::new();
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for folder in found {
        let dataset = folder
            .strip_prefix(&root)
            .ok()
            .and_then(|path| path.iter().next())
            .map(|one| one.to_string_lossy().into_owned())
            .unwrap_or_default();
        let key = folder.parent().map(|one| one.display().to_string()).unwrap_or_default();
        let count = per.entry(key).or_default();
        *count += 1;
        if *count > limit {
            continue;
        }
        if let Some(row) = run(&folder) {
            if each {
                let error = row
                    .reported
                    .zip(row.truth)
                    .map_or(f64::NAN, |(own, truth)| 100.0 * (own - truth) / truth.max(1.0));
                println!(
                    "{:14} {:9.2}% own {:?} truth {:?} exp {:?} cosim {:?} dsp {:?} {:.2}s {} {}",
                    row.kernel,
                    error,
                    row.reported,
                    row.truth,
                    row.expected,
                    row.cosim,
                    row.resources[0],
                    row.seconds,
                    row.design,
                    row.folder.display()
                );
                for one in &row.loops {
                    println!("      {:?}", one);
                }
                for one in row.unknown.iter().take(5) {
                    println!("      ? {one}");
                }
            }
            rows.entry(dataset).or_default().push(row);
        }
    }
    for (dataset, rows) in rows {
        let mut by: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &rows {
            by.entry(&row.kernel).or_default().push(row);
        }
        println!("== {dataset}");
        if by.len() < 40 {
            for (kernel, rows) in &by {
                summary(kernel, rows);
            }
        }
        summary("ALL", &rows.iter().collect::<Vec<_>>());
        let _ = rows.iter().filter(|row| row.routed).count();
    }
}
