//! Where every table stands in the workbook, and so where formulas find its cells.

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
    /// The table.
    pub(super) table: Cow<'a, Table>,
    /// The sheet's name.
    pub(super) tab: String,
    /// The row of its first cells, below the headings.
    pub(super) top: u32,
    /// The sheet's column where each of its columns begins.
    pub(super) columns: Vec<u16>,
}

/// A cell that has a name.
struct Named {
    table: usize,
    row: usize,
    column: usize,
    /// What Excel calls it.
    name: String,
}

/// Where a formula stands.
pub(super) struct Home<'a> {
    /// The name of its sheet.
    pub(super) tab: &'a str,
    /// The name of its table, where that is one of the document.
    pub(super) table: Option<&'a str>,
    /// Its row in the table.
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

    /// Every name with the cell that it stands for.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = (&str, String)> {
        self.names.values().filter_map(|named| {
            let placed = self.tables.get(named.table)?;
            let cell = placed.absolute(named.row, named.column)?;
            Some((named.name.as_str(), format!("={}!{cell}", quote_sheet_name(&placed.tab))))
        })
    }

    /// What Excel calls the cell of that name, and the cell.
    pub(super) fn named(&self, name: &str) -> Option<(&str, &Cell)> {
        let named = self.names.get(name)?;
        let table = &self.tables.get(named.table)?.table;
        Some((&named.name, table.cell(named.row, named.column)))
    }

    /// The table of that name; that of `home` where there is none.
    pub(super) fn table(&self, name: Option<&str>, home: &Home<'_>) -> Option<&Placed<'a>> {
        let name = name.or(home.table)?;
        self.tables.iter().find(|placed| placed.table.name == name)
    }
}

impl Placed<'_> {
    /// The cell as its own row refers to it: `C5`.
    pub(super) fn beside(&self, row: usize, column: usize) -> Option<String> {
        let (row, column) = self.position(row, column)?;
        Some(row_col_to_cell(row, column))
    }

    /// The cell as another refers to it: `$C$5`, with the sheet's name where that is another.
    pub(super) fn cell(&self, row: usize, column: usize, home: &Home<'_>) -> Option<String> {
        Some(self.prefix(home) + &self.absolute(row, column)?)
    }

    /// The rows from `first` to `last` of a column.
    pub(super) fn range(
        &self,
        first: usize,
        last: usize,
        column: usize,
        home: &Home<'_>,
    ) -> Option<String> {
        let (first, last) = (self.absolute(first, column)?, self.absolute(last, column)?);
        Some(format!("{}{first}:{last}", self.prefix(home)))
    }

    fn absolute(&self, row: usize, column: usize) -> Option<String> {
        let (row, column) = self.position(row, column)?;
        Some(row_col_to_cell_absolute(row, column))
    }

    /// The row and column on the sheet.
    fn position(&self, row: usize, column: usize) -> Option<(u32, u16)> {
        let row = self.top.checked_add(u32::try_from(row).ok()?)?;
        Some((row, *self.columns.get(column)?))
    }

    fn prefix(&self, home: &Home<'_>) -> String {
        if self.tab == home.tab { String::new() } else { quote_sheet_name(&self.tab) + "!" }
    }
}
