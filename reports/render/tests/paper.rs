//! The paper: one file that needs no other.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/roofline/document.rs"]
mod document;

use derate_render::{
    BarSeries, Bars, Block, Cell, Column, Document, Length, NumberFormat, Section, Table,
};

/// The example with what it lacks: bars, a table wider than a page, texts that look like Typst.
fn everything() -> Document {
    let mut document = document::document();
    let length = |value| Some(Length { value, live: None });
    let bars = Bars {
        name: "fusion".to_owned(),
        title: "What fusion saves".to_owned(),
        caption: "Fused blocks move a third of the bytes.".to_owned(),
        label: "Traffic".to_owned(),
        unit: "GB".to_owned(),
        format: NumberFormat::Significant(3),
        bars: vec!["unfused".to_owned(), "block".to_owned()],
        series: vec![BarSeries {
            name: "bytes".to_owned(),
            lengths: vec![length(22.3), length(6.37)],
        }],
        stacked: true,
    };
    let wide = Table {
        name: "wide".to_owned(),
        caption: "Wider than a page on its side".to_owned(),
        columns: (0..30)
            .map(|at| Column::number(format!("c{at}"), format!("Column {at}"), "B"))
            .collect(),
        rows: vec![
            (0..30).map(|at| Cell::number(1e9 + f64::from(at), NumberFormat::Integer)).collect(),
            vec![Cell::Unknown("nobody measured it".to_owned()), Cell::text(HOSTILE)],
        ],
    };
    document.sections.push(Section {
        name: "Odd".to_owned(),
        title: HOSTILE.to_owned(),
        blocks: vec![Block::Bars(bars), Block::Table(wide), Block::Prose(HOSTILE.to_owned())],
        appendix: false,
    });
    document
}

const HOSTILE: &str = "#panic(\"no\") \\\" ]$x$ @y <z> `= *` // /* \u{2028}";

fn paper() -> String {
    String::from_utf8(derate_render::render_typst(&everything()).unwrap()).unwrap()
}

#[test]
fn it_is_the_same_twice_and_names_no_other_file() {
    let paper = paper();
    assert_eq!(paper, self::paper());
    for word in ["#import", "#include", "read(", "http://", "https://"] {
        let body = paper.replace("http://www.w3.org/2000/svg", "");
        let code = body.lines().filter(|line| !line.contains("panic"));
        assert!(!code.clone().any(|line| line.contains(word)), "{word}");
    }
    assert!(paper.contains("image(bytes(svg), format: \"svg\""));
    assert_eq!(paper.matches("#drawing(").count(), 2);
}

#[test]
fn no_text_is_code() {
    let paper = paper();
    let literal = r##""#panic(\"no\") \\\" ]$x$ @y <z> ""##;
    assert!(paper.contains(literal), "the text is a literal of itself");
    // Wherever it is, it is in one.
    assert_eq!(paper.matches("#panic(").count(), paper.matches("\"#panic(\\\"no\\\")").count());
}

#[test]
fn a_table_wider_than_a_page_goes_on_below_with_its_first_column() {
    let paper = paper();
    assert!(paper.contains("#set page(flipped: true)"));
    assert!(paper.contains("The same, further columns."));
    assert!(paper.matches("\"Column 0 (B)\"").count() >= 2);
    for at in 1..30 {
        assert_eq!(paper.matches(&format!("\"Column {at} (B)\"")).count(), 1);
    }
    assert!(paper.contains("\"nobody measured it\"") && paper.contains("unknown(1)"));
}

#[test]
fn the_first_page_has_both_pictures_beside_each_other_and_the_contents_behind_it() {
    let mut document = everything();
    let blocks = document.sections.iter().flat_map(|section| section.blocks.clone());
    let (bars, others): (Vec<_>, Vec<_>) =
        blocks.partition(|block| matches!(block, Block::Bars(_)));
    let charts = others.into_iter().filter(|block| matches!(block, Block::Chart(_)));
    let answer = Block::Prose("805.7 ms, not 165 ms.".to_owned());
    document.sections.insert(
        0,
        Section {
            name: "Summary".to_owned(),
            title: "What holds".to_owned(),
            blocks: [answer].into_iter().chain(bars).chain(charts).collect(),
            appendix: false,
        },
    );
    let paper = String::from_utf8(derate_render::render_typst(&document).unwrap()).unwrap();
    let at = |text: &str| paper.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert_eq!(paper.matches("#beside((").count(), 1);
    assert!(at("#verdict(\n  \"805.7 ms") < at("#beside(("));
    assert!(at("#beside((") < at("#contents\n"));
    assert!(at("#contents\n") < paper.rfind("#heading(").unwrap());
}
