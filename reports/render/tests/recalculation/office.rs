//! `LibreOffice` without a window: it opens workbooks, calculates them anew, and writes what it found.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Value;
use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Formulas of a file are calculated when it is loaded, whoever wrote it.
const SETTINGS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>"#;

/// A machine may be busy with other things: what takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(900);

/// A cell: sheet, row, column, from 0.
pub(crate) type Place = (String, u32, u32);

/// What the test needs and what is not installed; `make setup` installs it where it may.
pub(crate) fn missing_tool() -> Option<String> {
    let there = Command::new("soffice").arg("--version").stdout(Stdio::null()).status().is_ok();
    (!there).then(|| "soffice".to_owned())
}

/// The workbooks as `LibreOffice` has calculated and written them.
pub(crate) fn recalculated(books: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let (profile, out) = (folder.path().join("profile"), folder.path().join("out"));
    fs::create_dir_all(profile.join("user")).unwrap();
    fs::write(profile.join("user/registrymodifications.xcu"), SETTINGS).unwrap();
    let names: Vec<String> = (0..books.len()).map(|at| format!("book-{at}.xlsx")).collect();
    for (name, book) in names.iter().zip(books) {
        fs::write(folder.path().join(name), book).unwrap();
    }
    let log = folder.path().join("log");
    let office = Command::new("soffice")
        .arg(format!("-env:UserInstallation=file://{}", profile.display()))
        .args(["--headless", "--norestore", "--convert-to", "xlsx:Calc MS Excel 2007 XML"])
        .arg("--outdir")
        .arg(&out)
        .args(&names)
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    ends(office);
    let read = |name: &String| fs::read(out.join(name));
    names
        .iter()
        .map(|name| {
            read(name).unwrap_or_else(|error| {
                panic!("{name}: {error}\n{}", fs::read_to_string(&log).unwrap_or_default())
            })
        })
        .collect()
}

/// Waits for the program, and ends it where it hangs.
#[track_caller]
fn ends(mut office: Child) {
    let began = Instant::now();
    while office.try_wait().unwrap().is_none() {
        if began.elapsed() > PATIENCE {
            office.kill().unwrap();
            office.wait().unwrap();
            panic!("soffice did not end within {} s", PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Every cell that holds a formula, with the value that is there.
pub(crate) fn formulas(book: &[u8]) -> Vec<(Place, String)> {
    let mut book: Xlsx<_> = open_workbook_from_rs(Cursor::new(book)).unwrap();
    let mut all = Vec::new();
    for sheet in book.sheet_names() {
        let range = book.worksheet_formula(&sheet).unwrap();
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, text) in range.used_cells() {
            let row = top + u32::try_from(row).unwrap();
            let column = left + u32::try_from(column).unwrap();
            all.push(((sheet.clone(), row, column), text.clone()));
        }
    }
    all
}

/// Every cell with something in it.
pub(crate) fn values(book: &[u8]) -> BTreeMap<Place, Data> {
    let mut book: Xlsx<_> = open_workbook_from_rs(Cursor::new(book)).unwrap();
    let mut all = BTreeMap::new();
    for (sheet, range) in book.worksheets() {
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let row = top + u32::try_from(row).unwrap();
            let column = left + u32::try_from(column).unwrap();
            all.insert((sheet.clone(), row, column), value.clone());
        }
    }
    all
}

/// The cell that a defined name stands for, as its sheet's place in the book and its address.
fn defined(book: &[u8], name: &str) -> (usize, String) {
    let book: Xlsx<_> = open_workbook_from_rs(Cursor::new(book)).unwrap();
    let (_, cell) = book.defined_names().iter().find(|(own, _)| own == name).unwrap();
    let (sheet, address) = cell.rsplit_once('!').unwrap();
    let sheet = sheet.trim_matches('\'');
    let at = book.sheet_names().iter().position(|own| own == sheet).unwrap();
    (at, address.replace('$', ""))
}

/// The workbook with another value in the cell of that name, and nothing else: what a reader does.
pub(crate) fn edited(book: &[u8], name: &str, value: &Value) -> Vec<u8> {
    let (sheet, address) = defined(book, name);
    let part = format!("xl/worksheets/sheet{}.xml", sheet + 1);
    let mut old = ZipArchive::new(Cursor::new(book)).unwrap();
    let mut new = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..old.len() {
        let mut file = old.by_index(at).unwrap();
        let file_name = file.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        if Path::new(&file_name) == Path::new(&part) {
            bytes = set(&String::from_utf8(bytes).unwrap(), &address, value).into_bytes();
        }
        new.start_file(file_name, SimpleFileOptions::default()).unwrap();
        new.write_all(&bytes).unwrap();
    }
    new.finish().unwrap().into_inner()
}

/// A sheet's XML with `value` at `address`.
fn set(xml: &str, address: &str, value: &Value) -> String {
    let (before, rest) = xml.split_once(&format!("<c r=\"{address}\"")).unwrap();
    let (cell, after) = rest.split_once("</c>").unwrap();
    let style = cell.split_once("s=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
    let (kind, value) = match value {
        Value::Number(value) => ("n", value.to_string()),
        Value::Text(value) => ("str", value.clone()),
    };
    format!("{before}<c r=\"{address}\" s=\"{style}\" t=\"{kind}\"><v>{value}</v></c>{after}")
}

/// Two engines add in different orders.
const SAME: f64 = 1e-9;

/// Whether a cell holds what is expected.
pub(crate) fn same(found: Option<&Data>, expected: &Value) -> bool {
    match (found, expected) {
        (Some(Data::Float(found)), Value::Number(expected)) => {
            (found - expected).abs() <= SAME * expected.abs()
        }
        (Some(Data::Int(_)), Value::Number(_)) => unreachable!("workbooks have one kind of number"),
        (Some(Data::String(found)), Value::Text(expected)) => found == expected,
        // A reader sees an empty text as nothing.
        (None, Value::Text(expected)) => expected.is_empty(),
        _ => false,
    }
}

/// What `LibreOffice` finds differs nowhere from what stands in the file.
#[track_caller]
pub(crate) fn keeps_its_values(book: &[u8], again: &[u8]) {
    let (old, new) = (values(book), values(again));
    for (place, text) in formulas(book) {
        let expected = match old.get(&place) {
            Some(Data::Float(value)) => Value::Number(*value),
            Some(Data::String(text)) => Value::from(text.as_str()),
            other => panic!("{place:?}: ={text} has {other:?}"),
        };
        let found = new.get(&place);
        assert!(same(found, &expected), "{place:?}: ={text} gives {found:?}, not {expected:?}");
    }
}
