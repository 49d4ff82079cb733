//! A document on one screen: the sections that fit, the first of the others in short, and the names of what is left out.

use super::plain::one_line;
use super::screen::{Screen, count_lines};
use super::style::Style;
use super::text::TextPage;
use super::wrap::cut_at_word;
use crate::tabulate::tabulate_key_figures;
use crate::{Block, Cell, Document, Section, Table};

/// A section that is cut shorter says nothing.
const SHORTEST: usize = 9;
/// Columns of a text in a table that is cut.
const LONGEST_TEXT: usize = 60;
/// So many names of sections are listed.
const NAMED: usize = 3;

/// A document in at most `lines` lines: all of it if that fits. Else the first section comes first; then come the sections that fit
/// whole, in reading order, and what is left of the screen goes to the beginnings of those that do not fit. `closing` ends every screen; where
/// there is none, `how` says how to see what is left out.
pub fn render_text_screen(
    document: &Document,
    color: bool,
    width: usize,
    lines: usize,
    how: &str,
    closing: &str,
) -> Screen {
    let page = TextPage::new(color, width);
    let head = page.document_head(document);
    let texts: Vec<String> =
        document.sections.iter().map(|section| page.draw_section(section)).collect();
    let whole = head.clone() + &texts.concat();
    let end = page.draw_closing(closing);
    if count_lines(&whole) + count_lines(&end) <= lines {
        return Screen { text: whole + &end, is_cut: false };
    }
    let end = if closing.is_empty() { how } else { closing };
    let all = document.sections.iter().map(|section| section.title.as_str());
    let longest = page.draw_closing(&list_left_out(all, end));
    let mut left = lines.saturating_sub(count_lines(&head) + count_lines(&longest));
    let mut shown: Vec<Option<String>> = vec![None; texts.len()];
    let mut left_out = Vec::new();
    for (at, text) in texts.into_iter().enumerate() {
        let section = &document.sections[at];
        let fits = count_lines(&text) <= left;
        if !fits {
            left_out.push(at);
        }
        // The first section is the answer.
        let text = if fits || at > 0 { text } else { page.draw_cut(section, left) };
        if fits || at == 0 {
            left = left.saturating_sub(count_lines(&text));
            shown[at] = Some(text);
        }
    }
    for at in &left_out {
        if shown[*at].is_none() && left >= SHORTEST {
            let text = page.draw_cut(&document.sections[*at], left);
            left = left.saturating_sub(count_lines(&text));
            shown[*at] = Some(text);
        }
    }
    let mut text = head + &shown.into_iter().flatten().collect::<String>();
    let titles = left_out.iter().map(|at| document.sections[*at].title.as_str());
    text.push_str(&page.draw_closing(&list_left_out(titles, end)));
    Screen { text, is_cut: true }
}

/// `Not shown in full: One, Two and 3 more sections. END`
fn list_left_out<'a>(titles: impl ExactSizeIterator<Item = &'a str>, end: &str) -> String {
    let count = titles.len();
    let named: Vec<String> =
        titles.take(if count > NAMED + 1 { NAMED } else { count }).map(one_line).collect();
    let more = match count - named.len() {
        0 => String::new(),
        more => format!(" and {more} more sections"),
    };
    format!("Not shown in full: {}{more}. {end}", named.join(", "))
}

impl TextPage {
    /// A paragraph below an empty line; nothing for nothing.
    fn draw_closing(&self, text: &str) -> String {
        let mut drawn = String::new();
        if !text.is_empty() {
            drawn.push('\n');
            self.push_paragraph(text, Style::Dim, &mut drawn);
        }
        drawn
    }

    fn draw_section(&self, section: &Section) -> String {
        let mut text = "\n".to_owned();
        self.push_section(section, &mut text);
        text
    }

    /// The beginning of a section in at most `lines` lines: its blocks as far as they fit; a table that does not has shorter texts, and
    /// then fewer rows.
    fn draw_cut(&self, section: &Section, lines: usize) -> String {
        let mut kept = Section { blocks: Vec::new(), ..section.clone() };
        for block in &section.blocks {
            if let Some(longer) = self.add_block(&kept, block.clone(), lines) {
                kept = longer;
                continue;
            }
            let table = match block {
                Block::Table(table) => shorten_texts(table),
                Block::KeyFigures(figures) => shorten_texts(&tabulate_key_figures(figures)),
                _ => continue,
            };
            let most = table.rows.len().min(lines);
            let fitting = (1..=most).rev().find_map(|rows| {
                let longer = self.add_block(&kept, Block::Table(take_rows(&table, rows)), lines)?;
                let more = table.rows.len() - rows;
                let plural = if more == 1 { "" } else { "s" };
                let said = Block::Prose(format!("and {more} more row{plural}"));
                if more == 0 { Some(longer) } else { self.add_block(&longer, said, lines) }
            });
            match fitting {
                Some(longer) => kept = longer,
                None => break,
            }
        }
        if kept.blocks.is_empty() { String::new() } else { self.draw_section(&kept) }
    }

    /// A section with one block more, if it takes at most `lines` lines.
    fn add_block(&self, section: &Section, block: Block, lines: usize) -> Option<Section> {
        let mut longer = section.clone();
        longer.blocks.push(block);
        (count_lines(&self.draw_section(&longer)) <= lines).then_some(longer)
    }
}

/// A table whose texts take a few lines at most.
fn shorten_texts(table: &Table) -> Table {
    let mut table = table.clone();
    for cell in table.rows.iter_mut().flatten() {
        if let Cell::Text(text) = cell {
            *text = cut_at_word(&one_line(text), LONGEST_TEXT);
        }
    }
    table
}

fn take_rows(table: &Table, rows: usize) -> Table {
    Table { rows: table.rows.iter().take(rows).cloned().collect(), ..table.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;
    use proptest::prelude::*;

    fn section(title: &str, rows: usize) -> Section {
        let rows = (0..rows).map(|row| vec![Cell::text(format!("{title}{row}"))]).collect();
        let columns = vec![Column::text("name", "Name")];
        let table = Table { name: String::new(), caption: String::new(), columns, rows };
        let (name, title) = (title.to_owned(), title.to_owned());
        Section { name, title, blocks: vec![Block::Table(table)], appendix: false }
    }

    fn document(sections: Vec<Section>) -> Document {
        let (title, subtitle) = ("Title".to_owned(), "what it is of".to_owned());
        Document { title, subtitle, controls: Vec::new(), sections }
    }

    fn screen(sections: Vec<Section>) -> Screen {
        render_text_screen(&document(sections), false, 80, 40, "--detail shows all", "")
    }

    #[test]
    fn what_fits_is_shown_in_full() {
        let few = vec![section("a", 3), section("b", 20)];
        let shown = screen(few.clone());
        assert!(!shown.is_cut);
        assert_eq!(
            shown.text.as_bytes(),
            crate::render_text(&document(few), false, 80).unwrap_or_default()
        );
    }

    #[test]
    fn a_short_section_is_not_lost_behind_a_long_one() {
        let shown = screen(vec![section("a", 3), section("b", 200), section("c", 4)]);
        assert!(shown.is_cut);
        assert!(shown.text.contains("a2\n") && shown.text.contains("c3\n"), "{}", shown.text);
        assert!(shown.text.contains("b0\n") && shown.text.contains("more rows"), "{}", shown.text);
        assert!(
            shown.text.ends_with("Not shown in full: b. --detail shows all\n"),
            "{}",
            shown.text
        );
    }

    #[test]
    fn the_first_section_is_cut_before_it_is_left_out() {
        let shown = screen(vec![section("a", 100), section("b", 2)]);
        assert!(shown.text.contains("a20\n"), "{}", shown.text);
        assert!(shown.text.contains("more rows"), "{}", shown.text);
    }

    proptest! {
        /// However many sections and rows, a screen is a screen, and what is not on it is named or counted.
        #[test]
        fn a_screen_is_never_longer_than_it_is(rows in prop::collection::vec(0_usize..90, 1..30)) {
            let sections = rows.iter().enumerate().map(|(at, rows)| section(&format!("s{at}x"), *rows)).collect();
            let shown = screen(sections);
            prop_assert!(count_lines(&shown.text) <= 40, "{}", shown.text);
            let all: usize = rows.iter().map(|rows| rows + 5).sum::<usize>() + 2;
            prop_assert_eq!(shown.is_cut, all > 40);
        }
    }
}
