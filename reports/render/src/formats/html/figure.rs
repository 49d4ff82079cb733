//! Charts: a picture and a table of its values, which the script replaces by a figure that answers.

use base64::prelude::{BASE64_STANDARD, Engine};

use super::super::svg::ink::escape_xml;
use super::super::svg::{draw_timeline_figure, render_bars_svg, render_svg};
use super::prose::break_lines;
use super::table::render_grid;
use crate::tabulate::{tabulate_bars, tabulate_points};
use crate::{Bars, Chart, RenderError, Timeline};

/// A log-log chart, the `index`-th of the document.
pub(super) fn render_chart(chart: &Chart, index: usize) -> Result<String, RenderError> {
    let picture = render_svg(chart)?;
    let known = format!("data-chart=\"{index}\"");
    let points = render_grid(&tabulate_points(chart), &chart.title, "");
    Ok(render_figure(&known, &chart.title, &chart.caption, &picture, &points))
}

/// A bar chart, the `index`-th of the document.
pub(super) fn render_bars(chart: &Bars, index: usize) -> Result<String, RenderError> {
    let picture = render_bars_svg(chart)?;
    let known = format!("data-bars=\"{index}\"");
    let lengths = render_grid(&tabulate_bars(chart), &chart.title, "");
    Ok(render_figure(&known, &chart.title, &chart.caption, &picture, &lengths))
}

/// A timeline, which no script changes.
pub(super) fn render_timeline(chart: &Timeline) -> String {
    // No script replaces it, so that title and caption are the page's alone.
    let picture = draw_timeline_figure(chart);
    let known = format!("data-timeline=\"{}\"", escape_xml(&chart.name));
    let lanes = render_grid(&chart.tabulate(), &chart.title, "");
    render_figure(&known, &chart.title, &chart.caption, picture.as_bytes(), &lanes)
}

fn render_figure(known: &str, title: &str, caption: &str, picture: &[u8], table: &str) -> String {
    let (title, caption) = (escape_xml(title), break_lines(caption));
    let data = BASE64_STANDARD.encode(picture);
    let picture = format!(
        "<img src=\"data:image/svg+xml;base64,{data}\" alt=\"{title}; its values are in the table below\">"
    );
    format!(
        "<figure {known}>\n<figcaption><h3>{title}</h3><p>{caption}</p></figcaption>\n<div class=\"picture\">{picture}</div>\n\
         <details class=\"values\"><summary>The values as a table</summary>\n{table}</details>\n</figure>\n"
    )
}
