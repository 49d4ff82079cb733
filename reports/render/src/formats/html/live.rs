//! The page that a server gives: the same style, chart, tables and numbers as a report's, filled from its own origin.

use super::assets::SERVED;

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
    let policy = SERVED.write_policy("connect-src 'self'; ") + "; frame-ancestors 'none'";
    let html = include_str!("../../../page/live/live.html")
        .replace("/* style */", &SERVED.style)
        .replace("/* script */", &SERVED.script);
    LivePage { html, policy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_names_no_place_of_the_network() {
        let LivePage { html, policy } = render_live_page();
        assert!(!html.contains("/* style */") && !html.contains("/* script */"));
        assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"));
        assert!(policy.contains("frame-ancestors") && policy.is_ascii());
    }
}
