//! The place of every table in the workbook, where formulas find its cells.

use std::borrow::Cow;
use std::collections::BTreeMap;

use xlsxwriter::utility::{quote_sheet_name, row_col_to_cell, row_col_to_cell_absolute};

use super::cell_names::CellNames;
use crate::{Cell, Table};

/// The places of all tables and names.
pub(super) struct Places<'a> {
    tables: Vec<Placed<'a>>,
    names: BTreeMap<String, Named>,
}

/// A table on a sheet.
pub(super) struct Placed<'a> {
    pub(super) table: Cow<'a, Table>,
    pub(super) tab: String,
    /// The row of its first cells, below the headings.
    pub(super) top: u32,
    /// The sheet's column where each of its columns begins.
    pub(super) columns: Vec<u16>,
}

struct Named {
    table: usize,
    row: usize,
    column: usize,
    /// Its name in Excel.
    name: String,
}

pub(super) struct FormulaSite<'a> {
    pub(super) tab: &'a str,
    /// The name of its table, where that is one of the document.
    pub(super) table: Option<&'a str>,
    pub(super) row: usize,
}

impl<'a> Places<'a> {
    /// The places of `tables`, in the order of the document.
    pub(super) fn of(tables: Vec<Placed<'a>>) -> Self {
        let mut claimed = CellNames::default();
        let mut names = BTreeMap::new();
        for (at, placed) in tables.iter().enumerate() {
            for (row, column, cell) in placed.table.cells() {
                if let Some(wish) = cell.name() {
                    let named = Named { table: at, row, column, name: claimed.claim(wish) };
                    names.insert(wish.to_owned(), named);
                }
            }
        }
        Self { tables, names }
    }

    /// Every name with its cell.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = (&str, String)> {
        self.names.values().filter_map(|named| {
            let placed = self.tables.get(named.table)?;
            let cell = placed.absolute_cell(named.row, named.column)?;
            Some((named.name.as_str(), format!("={}!{cell}", quote_sheet_name(&placed.tab))))
        })
    }

    /// The name in Excel of the cell with that name, and the cell.
    pub(super) fn find_name(&self, name: &str) -> Option<(&str, &Cell)> {
        let named = self.names.get(name)?;
        let table = &self.tables.get(named.table)?.table;
        Some((&named.name, table.cell(named.row, named.column)))
    }

    /// The table of that name; that of `home` where there is none.
    pub(super) fn find_table(
        &self,
        name: Option<&str>,
        home: &FormulaSite<'_>,
    ) -> Option<&Placed<'a>> {
        let name = name.or(home.table)?;
        self.tables.iter().find(|placed| placed.table.name == name)
    }
}

impl Placed<'_> {
    /// The reference from the same row: `C5`.
    pub(super) fn relative_cell(&self, row: usize, column: usize) -> Option<String> {
        let (row, column) = self.sheet_position(row, column)?;
        Some(row_col_to_cell(row, column))
    }

    /// The absolute reference from `home`: `$C$5`, with the sheet's name if that is another sheet.
    pub(super) fn cell_seen_from(
        &self,
        row: usize,
        column: usize,
        home: &FormulaSite<'_>,
    ) -> Option<String> {
        Some(self.sheet_prefix(home) + &self.absolute_cell(row, column)?)
    }

    /// The rows from `first` to `last` of a column.
    pub(super) fn range_seen_from(
        &self,
        first: usize,
        last: usize,
        column: usize,
        home: &FormulaSite<'_>,
    ) -> Option<String> {
        let (first, last) = (self.absolute_cell(first, column)?, self.absolute_cell(last, column)?);
        Some(format!("{}{first}:{last}", self.sheet_prefix(home)))
    }

    fn absolute_cell(&self, row: usize, column: usize) -> Option<String> {
        let (row, column) = self.sheet_position(row, column)?;
        Some(row_col_to_cell_absolute(row, column))
    }

    fn sheet_position(&self, row: usize, column: usize) -> Option<(u32, u16)> {
        let row = self.top.checked_add(u32::try_from(row).ok()?)?;
        Some((row, *self.columns.get(column)?))
    }

    fn sheet_prefix(&self, home: &FormulaSite<'_>) -> String {
        if self.tab == home.tab { String::new() } else { quote_sheet_name(&self.tab) + "!" }
    }
}
