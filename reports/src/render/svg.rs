//! A chart as a picture that stands on its own: labels beside what they name, the legend outside the data.

mod draw;
pub(crate) mod ink;
mod legend;
mod place;
mod plot;
mod scale;

use self::draw::{axis_names, draw_plot, grid, text};
use self::ink::{FONTS, SOFT, TEXT, escape, px, text_width, wrap};
use self::legend::legend;
use self::plot::Plot;
use self::scale::Scale;
use super::hull::Frame;
use crate::{Chart, RenderError};

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 28.0;
const PLOT_HEIGHT: f64 = 430.0;

/// From the frame down to the legend: tick labels and the axis' name.
const AXIS_ROOM: f64 = 62.0;

/// Renders a chart as SVG 1.1.
pub fn svg(chart: &Chart) -> Result<Vec<u8>, RenderError> {
    chart.check()?;
    let caption = wrap(&chart.caption, 13.5, WIDTH - 2.0 * MARGIN);
    let lines = f64::from(u32::try_from(caption.len()).unwrap_or(0));
    let top = 56.0 + 19.0 * lines;
    let bottom = top + PLOT_HEIGHT;
    let labels = Scale::new(&chart.y, bottom, top).ticks();
    let widest =
        labels.iter().filter_map(|tick| tick.label.as_deref()).map(|label| text_width(label, 12.0));
    let left = MARGIN + 30.0 + widest.fold(20.0, f64::max);
    let frame = Frame { left, top, right: WIDTH - MARGIN, bottom };
    let (x, y) = (
        Scale::new(&chart.x, frame.left, frame.right),
        Scale::new(&chart.y, frame.bottom, frame.top),
    );

    let plot = Plot::new(chart, frame, x, y);
    let (legend, legend_height) = legend(chart, &plot, frame.right - frame.left);
    let height = bottom + AXIS_ROOM + legend_height + 16.0;

    let mut out = head(chart, height);
    for (index, line) in caption.iter().enumerate() {
        let y = 56.0 + 19.0 * f64::from(u32::try_from(index).unwrap_or(0));
        out.push_str(&text(MARGIN, y, 13.5, SOFT, line, ""));
    }
    grid(&mut out, frame, &x.ticks(), &y.ticks());
    axis_names(&mut out, frame, chart);
    draw_plot(&mut out, &plot);
    let at = format!("translate({} {})", px(frame.left), px(bottom + AXIS_ROOM));
    out.push_str(
        &["<g transform=\"", &at, "\" fill=\"none\">\n", &legend, "</g>\n</svg>\n"].concat(),
    );
    Ok(out.into_bytes())
}

/// The picture's begin: who it is, its background, its title.
fn head(chart: &Chart, height: f64) -> String {
    let (width, height) = (px(WIDTH), px(height));
    let (title, caption) = (escape(&chart.title), escape(&chart.caption));
    let heading = text(MARGIN, 33.0, 19.0, TEXT, &chart.title, " font-weight=\"600\"");
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc" font-family="{FONTS}">
<title id="title">{title}</title>
<desc id="desc">{caption}</desc>
<rect width="{width}" height="{height}" fill="#ffffff"/>
{heading}"##
    )
}
