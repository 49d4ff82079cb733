//! Comma-separated values as spreadsheets write them: RFC 4180, or with semicolons or tabs.

/// A line and its values.
#[derive(Debug, PartialEq)]
pub(crate) struct CsvRecord {
    /// The number of its first line, from one.
    pub(crate) line: usize,
    /// Its values.
    pub(crate) fields: Vec<String>,
}

/// The records of `text`, lines without any value left out. The error is the line and what is wrong there.
pub(crate) fn read_records(text: &str) -> Result<Vec<CsvRecord>, (usize, String)> {
    let text = text.trim_start_matches('\u{feff}');
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let separator = [',', ';', '\t'].into_iter().max_by_key(|&c| head.matches(c).count());
    let separator = separator.filter(|&c| head.contains(c)).unwrap_or(',');
    let (mut records, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut first, mut opened) = (1, 1, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if opened.is_some() && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if opened.is_some() => opened = None,
            '"' if field.trim().is_empty() => {
                field.clear();
                opened = Some(line);
            }
            '\n' => {
                line += 1;
                if opened.is_some() {
                    field.push('\n');
                    continue;
                }
                fields.push(std::mem::take(&mut field));
                end_record(&mut records, first, std::mem::take(&mut fields));
                first = line;
            }
            '\r' if opened.is_none() => {}
            c if c == separator && opened.is_none() => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    if let Some(line) = opened {
        return Err((
            line,
            "the quotation mark that opens here is never closed: close it".to_owned(),
        ));
    }
    fields.push(field);
    end_record(&mut records, first, fields);
    Ok(records)
}

/// Adds a record that says something.
fn end_record(records: &mut Vec<CsvRecord>, line: usize, fields: Vec<String>) {
    if fields.iter().any(|field| !field.trim().is_empty()) {
        records.push(CsvRecord { line, fields });
    }
}

/// `Rate (GOP/s)` as its name in lower case and its unit.
pub(crate) fn split_heading(field: &str) -> (String, &str) {
    let (name, unit) = field.split_once(['(', '[']).unwrap_or((field, ""));
    (name.trim().to_lowercase(), unit.trim_end_matches([')', ']']).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_values_hold_separators_marks_and_lines() {
        let read = read_records("a,b\n\"x, \"\"y\"\"\nz\",2\n,\n\nlast\t,3").unwrap();
        let fields: Vec<_> = read.iter().map(|record| (record.line, &record.fields[..])).collect();
        let texts = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        let expected =
            [(1, texts("a", "b")), (2, texts("x, \"y\"\nz", "2")), (6, texts("last\t", "3"))];
        assert_eq!(fields, expected.iter().map(|(l, f)| (*l, &f[..])).collect::<Vec<_>>());
    }
}
