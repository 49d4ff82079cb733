//! A chart as a picture that stands on its own: labels beside what they name, the legend outside the data.

mod bars;
mod draw;
pub(crate) mod ink;
mod legend;
mod linear;
mod place;
mod plot;
mod scale;

pub use self::bars::bars_svg;
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
    let top = top_of_plot(&chart.caption);
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

    let mut out = head(&chart.title, &chart.caption, height);
    grid(&mut out, frame, &x.ticks(), &y.ticks());
    axis_names(&mut out, frame, chart);
    draw_plot(&mut out, &plot);
    let at = format!("translate({} {})", px(frame.left), px(bottom + AXIS_ROOM));
    out.push_str(
        &["<g transform=\"", &at, "\" fill=\"none\">\n", &legend, "</g>\n</svg>\n"].concat(),
    );
    Ok(out.into_bytes())
}

/// The caption's lines.
fn caption_lines(caption: &str) -> Vec<String> {
    wrap(caption, 13.5, WIDTH - 2.0 * MARGIN)
}

/// Where the plot begins below title and caption.
fn top_of_plot(caption: &str) -> f64 {
    caption_lines(caption).iter().fold(56.0, |top, _| top + 19.0)
}

/// The picture's begin: who it is, its background, its title and its caption.
fn head(title: &str, caption: &str, height: f64) -> String {
    let (width, height) = (px(WIDTH), px(height));
    let heading = text(MARGIN, 33.0, 19.0, TEXT, title, " font-weight=\"600\"");
    let (title, desc) = (escape(title), escape(caption));
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title desc" font-family="{FONTS}">
<title id="title">{title}</title>
<desc id="desc">{desc}</desc>
<rect width="{width}" height="{height}" fill="#ffffff"/>
{heading}"##
    );
    let mut y = 56.0;
    for line in caption_lines(caption) {
        out.push_str(&text(MARGIN, y, 13.5, SOFT, &line, ""));
        y += 19.0;
    }
    out
}
