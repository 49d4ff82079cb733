//! What of a sheet is printed.

use super::super::look;
use super::{DIGIT, GUTTER, Sheet, UNUSED};
use crate::RenderError;

/// What is below an appendix.
const UNPRINTED: &str =
    "This sheet is not printed. To print it, clear its print area (Page Layout > Print Area).";

/// The width of a column that was not set, in characters.
const STANDARD: f64 = 8.43;

impl Sheet {
    /// Prints nothing of the sheet: its print area is an empty cell, which its reader can clear.
    pub(super) fn leave_unprinted(&mut self) -> Result<(), RenderError> {
        self.write_paragraph(UNPRINTED, &look::legend())?;
        self.out.set_tab_color(look::BEHIND);
        self.out.set_print_area(self.row + 1, 0, self.row + 1, 0)?;
        Ok(())
    }

    /// What is printed: all that is written, and the charts.
    pub(super) fn set_print_area(&mut self) -> Result<(), RenderError> {
        let (mut column, mut width) = (0_u16, 0.0);
        let columns = self.grid.widths().len().max(usize::from(self.span));
        while usize::from(column) < columns || width < self.drawn {
            let own = self.grid.widths().get(usize::from(column)).copied();
            width += own.unwrap_or(if usize::from(column) < columns { UNUSED } else { STANDARD })
                * DIGIT
                + GUTTER;
            column += 1;
        }
        let last = self.row.saturating_sub(1);
        self.out.set_print_area(0, 0, last, column.saturating_sub(1))?;
        Ok(())
    }
}
