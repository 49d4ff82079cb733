//! A workbook: a sheet per section and one for each of its long tables, live formulas, native charts, ready to print.

mod apart;
mod bars;
mod cell_names;
mod chart;
mod chart_data;
mod chart_labels;
mod choices;
mod clip;
mod colours;
mod content;
mod formula_text;
mod grid;
mod input;
mod live;
mod live_code;
mod look;
mod number_code;
mod pages;
mod places;
mod sheet;
mod sheet_name;
mod table;
mod widths;

use xlsxwriter::{DocProperties, ExcelDateTime, Workbook};

use self::apart::split_section;
use self::chart_data::ChartData;
use self::choices::Choices;
use self::places::{Placed, Places};
use self::sheet::Sheet;
use self::sheet_name::SheetNames;
use super::plain::one_line;
use super::wrap::truncate_text;
use crate::{Document, RenderError, Section, Values};

/// Renders a document as a workbook.
pub fn render_xlsx(document: &Document) -> Result<Vec<u8>, RenderError> {
    let mut workbook = Workbook::new();
    // Excel needs a creation date; a fixed one keeps the bytes the same.
    let properties = DocProperties::new()
        .set_title(truncate_text(&one_line(&document.title), 120))
        .set_subject(truncate_text(&one_line(&document.subtitle), 120))
        .set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?);
    workbook.set_properties(&properties);

    // A workbook cannot have circular formulas or a name twice.
    Values::of(document, &[])?;
    let mut names = SheetNames::default();
    let sections: Vec<Section> = document.sections.iter().flat_map(split_section).collect();
    let tabs: Vec<String> = sections.iter().map(|section| names.claim(&section.name)).collect();
    let mut data = ChartData::new(names.claim("Chart data"));
    let mut choices = Choices::new(names.claim("Choices"));
    let mut sheets = Vec::new();
    for (index, (section, tab)) in sections.iter().zip(&tabs).enumerate() {
        let head = (index == 0).then_some(document);
        sheets.push(Sheet::of(section, tab, head, document, &mut data, &mut choices)?);
    }
    if document.sections.is_empty() {
        sheets.push(Sheet::cover_sheet(document)?);
    }
    for (title, supporting) in [
        ("The data behind the charts", data.into_table()),
        ("What inputs may be", choices.into_table()),
    ] {
        if let Some((name, table)) = supporting {
            sheets.push(Sheet::supporting_sheet(&name, title, &table, document)?);
        }
    }

    // A formula may refer to a later table.
    let tables =
        document.all_tables().into_iter().zip(sheets.iter().flat_map(Sheet::table_corners));
    let tables = tables.map(|(table, (tab, top, columns))| Placed {
        table,
        tab: tab.to_owned(),
        top,
        columns: columns.to_vec(),
    });
    let places = Places::of(tables.collect());
    for sheet in sheets {
        workbook.push_worksheet(sheet.into_worksheet(&places)?);
    }
    for (name, cell) in places.defined_names() {
        workbook.define_name(name, &cell)?;
    }
    Ok(workbook.save_to_buffer()?)
}
