//! Names that a spreadsheet would take for cells, that would reorder a line, or that fit nowhere: of tensors, points,
//! kernels, their stages, ports and measurements, and of files.

use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::derate::derate_in;
use calamine::{Data, Reader, Xlsx, open_workbook};
use zip::ZipArchive;

const LONG: &str = "a_very_long_name_of_a_tensor_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_until_it_ends";

const NAMES: [&str; 10] = [
    "a!A1",
    "it's!B2",
    "Summary!A1",
    "block!$A$1",
    "=(x!A1)",
    "=SUM(A1)[1]",
    "left\u{202e}right\u{200f}",
    "#[a] <b> & *c* | $d$",
    "+1 @cell -2",
    LONG,
];

/// Those that a line of a dump can have: it would take `#` and blanks for something else.
fn list_tensors() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().filter(|name| !name.starts_with(['#', '+']))
}

const LINEAR: &str = "[model]\nshapes = \"it's!B2.txt\"\nworkload = \"linear\"\n\n[hls]\nsources = [\"Summary!A1.h\"]\n\n\
    [platform]\nname = \"u280\"\n\n[claims]\nprecision = \"bf16\"\nsequence_length = 128\nclock = \"300 MHz\"\n\
    bandwidth = \"460 GB/s\"\npeak = { bf16 = \"5.4 TFLOP/s\" }\n\n[measurements]\npoints = \"block!$A$1.csv\"\n";

const KERNEL: &str = "void gemv(const int *weights, int *out) {\n#pragma HLS INTERFACE m_axi port=weights bundle=a\n\
    #pragma HLS INTERFACE m_axi port=out bundle=b\n  for (int i = 0; i < 4096; i++) {\n#pragma HLS PIPELINE II=1\n    \
    out[i] = 3 * weights[i];\n  }\n}\n";

/// A name as a screen shows it.
fn shown(name: &str) -> String {
    name.replace(['\u{202e}', '\u{200f}'], "")
}

/// A name as TOML and CSV have it: none of these has a quotation mark.
fn quote(name: &str) -> String {
    format!("\"{name}\"")
}

/// A kernel of every name; all but the first have a stage and a port of it, too.
fn describe_kernels() -> String {
    let mut text = String::new();
    for (at, name) in NAMES.into_iter().enumerate() {
        let tensor = list_tensors().find(|tensor| *tensor == name).unwrap_or(NAMES[0]);
        let (name, serves) = (quote(name), quote(&format!("linear layers.{tensor}")));
        let _ = write!(text, "\n[[kernel]]\nname = {name}\nserves = [{serves}]\n");
        if at == 0 {
            text += "source = [\"a!A1.cpp\"]\ntop = \"gemv\"\n";
            continue;
        }
        let _ = write!(
            text,
            "port_bits = {{ {name} = 64 }}\n[[kernel.stage]]\nname = {name}\ntrips = {}\ndepth = 20\n\
             bytes = {{ {name} = 8 }}\nmultiply_adds = 16\n\n[[measured]]\nkernel = {name}\ntime = \"{} ms\"\nsource = {name}\n",
            10_000 * (at + 1),
            at + 1
        );
    }
    text
}

/// A project whose every name is one of these.
fn write_project(folder: &Path) {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("derate.toml", &(LINEAR.to_owned() + &describe_kernels()));
    write("Summary!A1.h", "using bf16_t = float;\nextern const bf16_t fc_weight[512][512];\n");
    write("a!A1.cpp", KERNEL);
    let dump = list_tensors().enumerate();
    let dump = dump.map(|(at, name)| {
        format!("{name}: torch.Size([{}, 512]) [torch.bfloat16]\n", 512 + 64 * at)
    });
    write("it's!B2.txt", &dump.collect::<String>());
    let points = NAMES.into_iter().enumerate();
    let points = points.map(|(at, name)| {
        format!("{},{},{} GFLOP/s,{}\n", quote(name), 2 + at, 30 + at, quote(name))
    });
    write("block!$A$1.csv", &("name,oi,rate,source\n".to_owned() + &points.collect::<String>()));
}

/// The texts of every element called `name`.
fn texts<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let rest = xml.split(open.as_str()).skip(1);
    rest.filter_map(|rest| Some(rest.split_once(close.as_str())?.0)).collect()
}

/// The parts of a workbook whose names begin so.
fn read_parts(book: &Path, begin: &str) -> Vec<String> {
    let mut archive = ZipArchive::new(File::open(book).unwrap()).unwrap();
    let mut parts = Vec::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        if file.name().unwrap().starts_with(begin) {
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            parts.push(text);
        }
    }
    parts
}

/// Every name is a text of the workbook, and nothing refers to a sheet that is not there.
fn assert_book_keeps_names(path: &Path) {
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let sheets = book.sheet_names();
    let cells = sheets.iter().flat_map(|sheet| {
        let range = book.worksheet_range(sheet).unwrap();
        range.used_cells().map(|(.., data)| data.clone()).collect::<Vec<_>>()
    });
    let cells: Vec<String> = cells
        .filter_map(|data| if let Data::String(text) = data { Some(text) } else { None })
        .collect();
    for name in NAMES {
        assert!(cells.iter().any(|text| *text == shown(name)), "no cell is {name:?}");
    }
    let charts = read_parts(path, "xl/charts/chart");
    assert!(charts.len() >= 2, "{} charts", charts.len());
    for place in charts.iter().flat_map(|chart| texts(chart, "c:f")) {
        let sheet = place.rsplit_once('!').unwrap().0.trim_matches('\'');
        assert!(sheets.iter().any(|own| own == sheet), "a chart refers to {place}");
    }
    for formula in
        read_parts(path, "xl/worksheets/sheet").iter().flat_map(|sheet| texts(sheet, "f"))
    {
        for part in formula.split('!').rev().skip(1) {
            let named = |sheet: &String| {
                part.ends_with(sheet.as_str()) || part.ends_with(&format!("{sheet}'"))
            };
            assert!(sheets.iter().any(named), "no sheet before `!` in {formula}");
        }
    }
}

#[test]
fn names_stay_names_in_every_file() {
    let project = tempfile::tempdir().unwrap();
    write_project(project.path());
    let run = derate_in(project.path(), &["report", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let out = project.path().join("out");
    let entries = fs::read_dir(&out).unwrap().chain(fs::read_dir(out.join("tables")).unwrap());
    let read = entries.filter_map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Programs read these: a name is what it is.
        let extension = path.extension().and_then(|one| one.to_str());
        let is_data = matches!(extension, Some("json" | "sarif" | "xlsx"));
        (path.is_file() && !is_data).then_some((name, path))
    });
    let mut files = 0;
    for (name, path) in read {
        let text = fs::read_to_string(path).unwrap();
        assert!(!text.contains(['\u{202e}', '\u{200f}']), "{name} reorders its text");
        files += 1;
    }
    assert!(files > 20, "{files} files");
    assert_book_keeps_names(&out.join("derate.xlsx"));

    let table = fs::read_to_string(out.join("tables/design-kernels.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + NAMES.len(), "{table}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!page.contains("<b> &"), "a name became markup");
}

#[test]
fn names_stay_names_on_the_terminal() {
    let project = tempfile::tempdir().unwrap();
    write_project(project.path());
    for command in ["report", "audit", "estimate"] {
        for detail in
            [None, Some("--detail")].into_iter().filter(|one| command != "report" || one.is_none())
        {
            let args: Vec<&str> = [command].into_iter().chain(detail).collect();
            let run = derate_in(project.path(), &args);
            assert!(run.code < 2, "{args:?}: {}", run.stderr);
            assert!(!run.stdout.contains(['\u{202e}', '\u{200f}']), "{args:?} reorders its text");
            assert!(
                detail.is_some() || run.stdout.lines().count() <= 42,
                "{args:?}: {}",
                run.stdout
            );
        }
    }
}
