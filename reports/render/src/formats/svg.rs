//! A chart as a picture: labels beside lines and points, the legend outside the data.

mod bars;
mod draw;
mod heading;
pub(crate) mod ink;
mod legend;
mod linear;
mod place;
mod plot;
mod roof;
mod scale;
mod timeline;

pub(super) use self::bars::draw_bars_figure;
pub use self::bars::render_bars_svg;
use self::draw::{draw_axis_names, draw_grid, draw_plot};
use self::heading::Heading;
use self::ink::{px, text_width};
use self::legend::draw_legend;
use self::plot::Plot;
use self::scale::Scale;
pub(super) use self::timeline::draw_timeline_figure;
use super::hull::Frame;
use crate::{Chart, RenderError};

/// The width of a picture that has a page for itself, in pixels.
pub(super) const WIDTH: f64 = 960.0;
/// A picture narrower than this is beside another one.
const NARROW: f64 = 600.0;
const MARGIN: f64 = 28.0;
const PLOT_HEIGHT: f64 = 430.0;
const LEAST_PLOT_HEIGHT: f64 = 220.0;

/// From the frame down to the legend: tick labels and the axis' name.
const AXIS_ROOM: f64 = 62.0;

/// Renders a chart as SVG 1.1.
pub fn render_svg(chart: &Chart) -> Result<Vec<u8>, RenderError> {
    Ok(draw_chart(chart, &Heading::with_text(&chart.title, &chart.caption))?.into_bytes())
}

/// The same without title and caption, for a page that has them, `width` pixels wide.
pub(super) fn draw_chart_figure(chart: &Chart, width: f64) -> Result<String, RenderError> {
    draw_chart(chart, &Heading::without_text(&chart.title, &chart.caption, width))
}

fn draw_chart(chart: &Chart, heading: &Heading<'_>) -> Result<String, RenderError> {
    chart.check_axes()?;
    let chart = &*chart.without_trials();
    let top = heading.height();
    let bottom = top + (PLOT_HEIGHT * heading.width / WIDTH).max(LEAST_PLOT_HEIGHT);
    let labels = Scale::new(&chart.y, bottom, top).list_ticks();
    let widest =
        labels.iter().filter_map(|tick| tick.label.as_deref()).map(|label| text_width(label, 12.0));
    let left = heading.margin() + 30.0 + widest.fold(20.0, f64::max);
    // Half of the last figure of the axis is beside the frame.
    let frame = Frame { left, top, right: heading.width - heading.margin().max(18.0), bottom };
    let (x, y) = (
        Scale::new(&chart.x, frame.left, frame.right),
        Scale::new(&chart.y, frame.bottom, frame.top),
    );

    let plot = Plot::new(chart, frame, x, y);
    let (legend, legend_height) = draw_legend(chart, &plot, frame.right - frame.left);
    let height = bottom + AXIS_ROOM + legend_height + 16.0;

    let mut out = heading.begin_picture(height);
    draw_grid(&mut out, frame, &x.list_ticks(), &y.list_ticks());
    draw_axis_names(&mut out, frame, heading.margin(), chart);
    draw_plot(&mut out, &plot);
    let at = format!("translate({} {})", px(frame.left), px(bottom + AXIS_ROOM));
    out.push_str(
        &["<g transform=\"", &at, "\" fill=\"none\">\n", &legend, "</g>\n</svg>\n"].concat(),
    );
    Ok(out)
}
