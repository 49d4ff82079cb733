//! A workbook: a sheet per section, live formulas, native charts, ready to print.

mod chart;
mod chart_data;
mod chart_labels;
mod look;
mod number_code;
mod sheet;
mod sheet_name;
mod table;
mod widths;

use xlsxwriter::{DocProperties, ExcelDateTime, Workbook};

use self::chart_data::ChartData;
use self::sheet::Sheet;
use self::sheet_name::SheetNames;
use super::plain::one_line;
use super::wrap::truncate;
use crate::{Document, RenderError};

/// Renders a document as a workbook.
pub fn xlsx(document: &Document) -> Result<Vec<u8>, RenderError> {
    let mut workbook = Workbook::new();
    // Excel wants a date of creation; any fixed one keeps the bytes the same.
    let properties = DocProperties::new()
        .set_title(truncate(&one_line(&document.title), 120))
        .set_subject(truncate(&one_line(&document.subtitle), 120))
        .set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?);
    workbook.set_properties(&properties);

    let mut names = SheetNames::default();
    let tabs: Vec<String> =
        document.sections.iter().map(|section| names.claim(&section.name)).collect();
    let mut data = ChartData::new(names.claim("Chart data"));
    for (index, (section, tab)) in document.sections.iter().zip(&tabs).enumerate() {
        let head = (index == 0).then_some(document);
        let sheet = Sheet::of(section, tab, head, document, &mut data)?;
        workbook.push_worksheet(sheet);
    }
    if document.sections.is_empty() {
        workbook.push_worksheet(Sheet::cover(document)?);
    }
    if let Some(sheet) = data.finish(document)? {
        workbook.push_worksheet(sheet);
    }
    Ok(workbook.save_to_buffer()?)
}
