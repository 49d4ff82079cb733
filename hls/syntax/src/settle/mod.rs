//! Tokens to the text that is parsed. A parser that knows no types takes `(k) + (3)` for a cast
//! and `a < b && c > (d)` for a call; here, where types are known, such text is written so that
//! it has one reading only.

mod cuts;
mod learn;
mod output;
mod single;
mod tables;
mod vocabulary;
mod words;
mod writer;

pub(crate) use output::Expanded;
pub(crate) use vocabulary::Vocabulary;
pub(crate) use writer::CALL_OPERATOR;

use crate::ast::Expr;
use crate::preprocess::Preprocessed;
use cuts::list_cuts;
use learn::learn_neighbours;
use rustc_hash::FxHashMap as HashMap;
use tables::read_table;
use words::Words;
use writer::Writer;

/// Writes the text of a unit. Long lists of numbers are left out of it, and are given by the byte of the empty list that is
/// written for them.
pub(crate) fn write_text(
    unit: Preprocessed,
    vocabulary: &mut Vocabulary,
) -> (Expanded, HashMap<usize, Expr>) {
    let words = Words::new(&unit.tokens, &unit.spellings);
    learn_neighbours(&words, vocabulary);
    let mut writer = Writer::new(&words, vocabulary, unit.is_c);
    writer.output.unread = unit.unread;
    let mut pragmas = unit.pragmas.into_iter().peekable();
    // Functions of old C have declarations before their bodies.
    let cuts = if unit.is_c { Vec::new() } else { list_cuts(&words) };
    let mut cuts = cuts.into_iter().peekable();
    let mut tables = HashMap::default();
    let mut at = 0;
    while at < words.len() {
        while let Some(cut) = cuts.next_if(|cut| *cut <= at) {
            if cut == at {
                writer.output.cuts.push(writer.output.text.len());
            }
        }
        while let Some((_, pragma)) = pragmas.next_if(|(index, _)| *index <= at) {
            writer.output.write_pragma(pragma);
        }
        if words.text(at) == "{"
            && let Some(table) = read_table(&words, at)
        {
            tables.insert(writer.write_empty_list(at), table);
            at = words.partner(at) + 1;
            continue;
        }
        at = writer.write_word(at);
    }
    for (_, pragma) in pragmas {
        writer.output.write_pragma(pragma);
    }
    (writer.output, tables)
}
