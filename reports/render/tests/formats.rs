//! One realistic document through every renderer.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/roofline/document.rs"]
mod document;

use document::document;

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn terminal(color: bool, width: usize) -> String {
    utf8(derate_render::render_text(&document(), color, width).unwrap())
}

#[test]
fn a_report_reads_in_eighty_columns() {
    let text = terminal(false, 80);
    for line in text.lines().filter(|line| !line.contains(['|', '['])) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_wide_terminal_keeps_tables_whole() {
    insta::assert_snapshot!(terminal(false, 140));
}

#[test]
fn colours_are_paint_only() {
    let painted = terminal(true, 100);
    assert!(painted.contains("\u{1b}[31m"));
    let bare = terminal(false, 100);
    assert!(!bare.contains('\u{1b}'));
    // The excerpts are somebody else's paint; the rest must be the same text.
    let (before, _) = painted.split_once("What contradicts what").unwrap();
    let stripped: String = before
        .split('\u{1b}')
        .map(|piece| {
            piece
                .split_once('m')
                .map_or(piece, |(code, rest)| if code.starts_with('[') { rest } else { piece })
        })
        .collect();
    assert!(bare.starts_with(&stripped), "{stripped}");
}

#[test]
fn markdown_fits_a_pull_request() {
    insta::assert_snapshot!(utf8(derate_render::render_markdown(&document()).unwrap()));
}

#[test]
fn csv_has_numbers_without_noise() {
    let document = document();
    let kernels = document.tables().find(|table| table.name == "kernels").unwrap();
    insta::assert_snapshot!(utf8(derate_render::render_csv(kernels).unwrap()));
}

#[test]
fn the_roofline_stands_on_its_own() {
    let document = document();
    let svg = utf8(derate_render::render_svg(document.charts().next().unwrap()).unwrap());
    assert!(!svg.contains("No room"), "every label finds a place");
    insta::assert_snapshot!(svg);
}
