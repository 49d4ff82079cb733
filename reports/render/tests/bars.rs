//! Bars as a picture.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use derate_render::{BarSeries, Bars, Length, NumberFormat};

/// The terms of a latency; `None` is unknown.
fn latency_gap(stacked: bool) -> Bars {
    let series = |name: &str, values: [Option<f64>; 4]| BarSeries {
        name: name.to_owned(),
        lengths: values.map(|value| value.map(|value| Length { value, live: None })).to_vec(),
    };
    Bars {
        name: "latency-gap".to_owned(),
        title: "What a roofline leaves out of the latency".to_owned(),
        caption: "Fill and launches take longer than the arithmetic: a latency is 2.3 times the time of the roofline, and \
                  launching each block once would gain more than any wider array."
            .to_owned(),
        label: "Time of one inference".to_owned(),
        unit: "ms".to_owned(),
        format: NumberFormat::Significant(4),
        bars: ["As claimed", "As built <FP32> & derated", "The design: an array of 32 x 32 elements at the clock that it reached", "Nothing known"]
            .map(str::to_owned)
            .to_vec(),
        series: vec![
            series("Roofline", [Some(165.0), Some(805.7), Some(420.0), None]),
            series("Array fill", [Some(0.0), None, Some(210.25), None]),
            series("Launches", [Some(2.0), Some(140.0), Some(88.0), None]),
        ],
        stacked,
    }
}

fn svg(chart: &Bars) -> String {
    String::from_utf8(derate_render::render_bars_svg(chart).unwrap()).unwrap()
}

#[test]
fn parts_end_to_end_say_their_sum_and_what_is_not_in_it() {
    let svg = svg(&latency_gap(true));
    assert!(svg.contains(">718.3 ms<") && svg.contains(">945.7 ms + unknown<"), "{svg}");
    assert!(svg.contains("Unknown of As built &lt;FP32&gt; &amp; derated: Array fill"), "{svg}");
    insta::assert_snapshot!(svg);
}

#[test]
fn readings_beside_one_another_say_each_figure() {
    let svg = svg(&latency_gap(false));
    assert_eq!(svg.matches(">unknown<").count(), 4, "{svg}");
    assert!(svg.contains(">210.3 ms<"), "{svg}");
}

#[test]
fn no_length_leaves_the_picture() {
    let mut chart = latency_gap(false);
    chart.series[0].lengths[0] = Some(Length { value: f64::MAX, live: None });
    chart.series[1].lengths[0] = Some(Length { value: f64::NAN, live: None });
    chart.series[2].lengths[0] = Some(Length { value: -1e300, live: None });
    chart.series[2].lengths.truncate(1);
    let svg = svg(&chart);
    for piece in svg.split("<rect ").skip(2) {
        let number = |key: &str| -> f64 {
            let rest = piece.split_once(&format!("{key}=\"")).unwrap().1;
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!(number("x") >= 0.0 && number("x") + number("width") <= 960.0, "{piece}");
    }
}
