//! The page breaks of a printed sheet, all measures in points.

/// What a landscape page of A4 holds between the margins.
pub(super) const PAGE_WIDTH: f64 = 770.0;
const PAGE_HEIGHT: f64 = 494.0;

/// The share of a page that is used: the height of rows depends on the fonts.
const RESERVE: f64 = 0.95;

/// Print that is smaller than this share of its size is hard to read.
const SMALLEST: f64 = 0.55;

/// The pages of a sheet while it is written; a wide sheet is shrunk until it is as wide as a page.
#[derive(Default)]
pub(super) struct Pages {
    /// The height of all that is written.
    pub(super) height: f64,
    /// The rows that begin a page.
    pub(super) breaks: Vec<u32>,
    /// The height above the last of them.
    above: f64,
}

impl Pages {
    /// Whether the sheet is readable on one page.
    pub(super) fn fit_one(&self, width: f64) -> bool {
        (PAGE_WIDTH / width).min(PAGE_HEIGHT / self.height) >= SMALLEST
    }

    /// Whether this height is kept on one page: a page holds it, and a break leaves less than half of the current page empty.
    pub(super) fn holds(&self, height: f64, width: f64) -> bool {
        let page = page_height(width);
        let used = (self.height - self.above) % page;
        height <= page && (used + height <= page || used >= page / 2.0)
    }

    /// Begins a page at `row` if `height` does not fit on the current page, but fits on a new one.
    pub(super) fn keep_together(&mut self, row: u32, height: f64, width: f64) {
        let page = page_height(width);
        let used = (self.height - self.above) % page;
        if row > 0 && used > 0.0 && used + height > page && height <= page {
            self.breaks.push(row);
            self.above = self.height;
        }
    }
}

/// The height that a page holds of a sheet of this width.
fn page_height(width: f64) -> f64 {
    PAGE_HEIGHT * (width / PAGE_WIDTH).max(1.0) * RESERVE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_or_the_beginning_of_a_table_is_not_torn_apart() {
        let mut pages = Pages::default();
        let page = PAGE_HEIGHT * RESERVE;
        let asks = |pages: &mut Pages, row, height| pages.keep_together(row, height, 400.0);
        asks(&mut pages, 0, page);
        assert_eq!(pages.breaks.len(), 0, "nothing is above it");
        pages.height += page - 100.0;
        asks(&mut pages, 1, 90.0);
        assert_eq!(pages.breaks.len(), 0, "it fits");
        asks(&mut pages, 1, 110.0);
        assert_eq!(pages.breaks, [1]);
        pages.height += 50.0;
        asks(&mut pages, 2, page - 60.0);
        assert_eq!(pages.breaks, [1], "the page is a new one");
        asks(&mut pages, 2, page * 2.0);
        assert_eq!(pages.breaks, [1], "it fits nowhere");
    }

    #[test]
    fn a_table_is_kept_whole_where_that_wastes_less_than_half_a_page() {
        let page = PAGE_HEIGHT * RESERVE;
        let holds = |used: f64, height: f64| {
            Pages { height: used, ..Pages::default() }.holds(height * page, 400.0)
        };
        assert!(holds(0.0, 1.0) && !holds(0.0, 1.1), "no page has room for more than a page");
        assert!(holds(0.3 * page, 0.6), "it fits below");
        assert!(!holds(0.4 * page, 0.7), "a page less than half full is gone on with");
        assert!(holds(0.6 * page, 0.7));
    }

    #[test]
    fn a_sheet_of_a_page_and_a_half_is_printed_on_one_and_a_longer_one_is_not() {
        let fit = |rows: u32, width| {
            Pages { height: f64::from(rows) * 15.0, ..Pages::default() }.fit_one(width)
        };
        // 494 points hold 33 rows of 15 points, and 63 of them at 52 %.
        assert!(fit(20, PAGE_WIDTH) && fit(50, PAGE_WIDTH));
        assert!(!fit(70, PAGE_WIDTH) && !fit(10_000, PAGE_WIDTH));
        assert!(!fit(1, PAGE_WIDTH * 2.0), "too wide already");
    }
}
