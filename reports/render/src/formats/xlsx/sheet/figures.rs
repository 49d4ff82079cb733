//! Figures in a sheet: one below its caption, or two beside each other.

use xlsxwriter::Formula;

use super::super::bars::{bar_rows, native_bars};
use super::super::chart::{Extent, native_chart};
use super::super::chart_data::{ChartData, WITHIN};
use super::super::content::Content;
use super::super::look;
use super::super::widths::LINE;
use super::Sheet;
use crate::RenderError;

/// Points in a pixel of a chart.
const POINTS: f64 = 0.75;

impl Sheet {
    /// One figure below its caption, or two beside each other, whose captions are their alternative text.
    pub(super) fn add_figures(
        &mut self,
        figures: &[Content<'_>],
        data: &mut ChartData,
    ) -> Result<(), RenderError> {
        let extent = if figures.len() > 1 { Extent::BESIDE } else { Extent::ALONE };
        let (mut charts, mut captions, mut rows) = (Vec::new(), Vec::new(), 0);
        let (mut outside, mut unlabelled) = (None, String::new());
        for figure in figures {
            match figure {
                Content::Chart(chart) => {
                    let drawn = native_chart(chart, extent, data)?;
                    charts.push(drawn.chart);
                    captions.push(chart.caption.as_str());
                    outside = outside.or(drawn.outside);
                    unlabelled.push_str(&drawn.unlabelled);
                    rows = rows.max(extent.rows());
                }
                Content::Bars(chart) => {
                    charts.push(native_bars(chart, extent, data));
                    captions.push(&chart.caption);
                    rows = rows.max(bar_rows(chart));
                }
                Content::Prose(_) | Content::Table(_) | Content::Listing(_) => {}
            }
        }
        if figures.len() > 1 {
            (captions, unlabelled) = (Vec::new(), String::new());
        }
        let height: f64 = captions.iter().map(|caption| self.caption_height(caption)).sum();
        self.pages.keep_together(self.row, height + f64::from(rows) * LINE, self.total_width());
        for caption in captions {
            self.write_fixed_text(caption, &look::prose())?;
        }
        match outside {
            Some(text) => {
                let said = Formula::new(text).set_result(WITHIN);
                self.out.write_formula_with_format(self.row, 0, said, &look::chart_note())?;
                self.end_row(LINE)?;
            }
            None => self.skip_row()?,
        }
        for (at, chart) in (0_u32..).zip(&charts) {
            self.out.insert_chart_with_offset(self.row, 0, chart, at * (extent.width + 10), 0)?;
        }
        self.drawn = self.drawn.max(f64::from(extent.width + 10) * charts.len() as f64 * POINTS);
        // A chart is as high as the rows that it covers.
        (0..rows).try_for_each(|_| self.end_row(LINE))?;
        self.write_paragraph(&unlabelled, &look::prose())
    }
}
