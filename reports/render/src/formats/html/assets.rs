//! The style and the script of the pages, from the files in `reports/render/page`.

use std::sync::LazyLock;

use super::colors;
use super::hash::hash_source;

/// Which page has a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    Both,
    Report,
    Served,
}

/// The styles, in the order in which rules win.
const STYLES: [(Page, &str); 7] = [
    (Page::Both, include_str!("../../../page/page.css")),
    (Page::Both, include_str!("../../../page/table.css")),
    (Page::Report, include_str!("../../../page/finding.css")),
    (Page::Both, include_str!("../../../page/figure.css")),
    (Page::Both, include_str!("../../../page/controls.css")),
    (Page::Report, include_str!("../../../page/print.css")),
    (Page::Served, include_str!("../../../page/live/live.css")),
];

/// The parts of the script; the last one of a page starts it.
const SCRIPTS: [(Page, &str); 27] = [
    (Page::Both, include_str!("../../../page/number.js")),
    (Page::Report, include_str!("../../../page/formula.js")),
    (Page::Report, include_str!("../../../page/model.js")),
    (Page::Both, include_str!("../../../page/element.js")),
    (Page::Report, include_str!("../../../page/cells.js")),
    (Page::Report, include_str!("../../../page/field.js")),
    (Page::Report, include_str!("../../../page/controls.js")),
    (Page::Report, include_str!("../../../page/table.js")),
    (Page::Both, include_str!("../../../page/tip.js")),
    (Page::Report, include_str!("../../../page/explain.js")),
    (Page::Both, include_str!("../../../page/marks.js")),
    (Page::Both, include_str!("../../../page/scale.js")),
    (Page::Both, include_str!("../../../page/labels.js")),
    (Page::Both, include_str!("../../../page/download.js")),
    (Page::Both, include_str!("../../../page/roofline.js")),
    (Page::Report, include_str!("../../../page/bars.js")),
    (Page::Both, include_str!("../../../page/theme.js")),
    (Page::Report, include_str!("../../../page/unfold.js")),
    (Page::Report, include_str!("../../../page/address.js")),
    (Page::Report, include_str!("../../../page/start.js")),
    (Page::Served, include_str!("../../../page/live/ask.js")),
    (Page::Served, include_str!("../../../page/live/workloads.js")),
    (Page::Served, include_str!("../../../page/live/form.js")),
    (Page::Served, include_str!("../../../page/live/sweeps.js")),
    (Page::Served, include_str!("../../../page/live/chart.js")),
    (Page::Served, include_str!("../../../page/live/points.js")),
    (Page::Served, include_str!("../../../page/live/start.js")),
];

/// What a page is made of.
pub(super) struct Assets {
    pub(super) style: String,
    pub(super) script: String,
}

/// Those of a report.
pub(super) static REPORT: LazyLock<Assets> =
    LazyLock::new(|| Assets::of(Page::Report, &colors::color_rules()));

/// Those of the page that a server gives.
pub(super) static SERVED: LazyLock<Assets> = LazyLock::new(|| {
    Assets::of(Page::Served, &(colors::color_rules() + &colors::precision_rules()))
});

impl Assets {
    fn of(page: Page, colors: &str) -> Self {
        let join = |files: &[(Page, &str)]| -> String {
            let own = files.iter().filter(|(of, _)| [Page::Both, page].contains(of));
            own.map(|(_, text)| *text).collect()
        };
        let script = ["(() => {\n\"use strict\";\n", &join(&SCRIPTS), "})();\n"].concat();
        Self { style: join(&STYLES) + colors, script }
    }

    /// The content security policy: nothing is loaded, and only this script and style are used; `more` are its other
    /// directives.
    pub(super) fn write_policy(&self, more: &str) -> String {
        format!(
            "default-src 'none'; script-src {}; style-src {}; img-src data:; {more}base-uri 'none'; form-action 'none'",
            hash_source(&self.script),
            hash_source(&self.style)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assets_cannot_close_their_own_elements_and_name_no_place_of_the_network() {
        let namespace = "http://www.w3.org/2000/svg";
        for Assets { style, script } in [&*REPORT, &*SERVED] {
            assert!(!script.to_lowercase().contains("</script") && !script.contains("<!--"));
            assert!(!style.to_lowercase().contains("</style"));
            assert!(!style.replace("url(#", "").contains("url(") && !style.contains("@import"));
            assert!(!script.replace(namespace, "").contains("http"));
        }
    }
}
