//! The page that a server gives: the same style, chart, tables and numbers as a report's, filled from its own origin.

use std::sync::LazyLock;

use super::{colors, hash};

/// The style, in the order in which rules win.
const STYLES: [&str; 5] = [
    include_str!("../../../page/page.css"),
    include_str!("../../../page/table.css"),
    include_str!("../../../page/figure.css"),
    include_str!("../../../page/controls.css"),
    include_str!("../../../page/live/live.css"),
];

/// The script's parts; the last one starts it.
const SCRIPTS: [&str; 15] = [
    include_str!("../../../page/number.js"),
    include_str!("../../../page/element.js"),
    include_str!("../../../page/tip.js"),
    include_str!("../../../page/marks.js"),
    include_str!("../../../page/scale.js"),
    include_str!("../../../page/labels.js"),
    include_str!("../../../page/roofline.js"),
    include_str!("../../../page/theme.js"),
    include_str!("../../../page/live/ask.js"),
    include_str!("../../../page/live/workloads.js"),
    include_str!("../../../page/live/form.js"),
    include_str!("../../../page/live/sweeps.js"),
    include_str!("../../../page/live/chart.js"),
    include_str!("../../../page/live/points.js"),
    include_str!("../../../page/live/start.js"),
];

static STYLE: LazyLock<String> =
    LazyLock::new(|| STYLES.concat() + &colors::color_rules() + &colors::precision_rules());
static SCRIPT: LazyLock<String> =
    LazyLock::new(|| ["(() => {\n\"use strict\";\n", &SCRIPTS.concat(), "})();\n"].concat());

/// A page, and what it may do: the content security policy to send with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LivePage {
    /// The page.
    pub html: String,
    /// The value of the header `Content-Security-Policy`.
    pub policy: String,
}

/// The page of `derate serve`. It holds no result; its script asks the API of its own origin.
pub fn render_live_page() -> LivePage {
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        hash::hash_source(&SCRIPT),
        hash::hash_source(&STYLE)
    );
    let html = include_str!("../../../page/live/live.html")
        .replace("/* style */", &STYLE)
        .replace("/* script */", &SCRIPT);
    LivePage { html, policy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_names_no_place_of_the_network() {
        let LivePage { html, policy } = render_live_page();
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
        assert!(!html.contains("/* style */") && !html.contains("/* script */"));
        assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"));
        assert!(!html.replace("url(#", "").contains("url(") && !html.contains("@import"));
        assert!(policy.contains(&hash::hash_source(&SCRIPT)) && policy.is_ascii());
    }
}
