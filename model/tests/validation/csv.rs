use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A row of a file under `fixtures/validation`, by its headings.
#[derive(Clone)]
pub(crate) struct Record(BTreeMap<String, String>);

impl Record {
    pub(crate) fn text(&self, key: &str) -> &str {
        &self.0[key]
    }

    pub(crate) fn count(&self, key: &str) -> u64 {
        self.text(key).parse().unwrap()
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.text(key).parse().unwrap()
    }

    /// Counts with spaces between them.
    pub(crate) fn counts(&self, key: &str) -> Vec<u64> {
        self.text(key).split_whitespace().map(|word| word.parse().unwrap()).collect()
    }
}

/// The cells of a line; quotes hold commas together.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            sign => cells.last_mut().unwrap().push(sign),
        }
    }
    cells
}

pub(crate) fn read(name: &str) -> Vec<Record> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/validation").join(name);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let headings = cells(lines.next().unwrap());
    let record = |line| {
        let cells = cells(line);
        assert_eq!(cells.len(), headings.len(), "{name}: {line}");
        Record(headings.iter().cloned().zip(cells).collect())
    };
    lines.map(record).collect()
}
