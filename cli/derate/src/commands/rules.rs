//! `derate rules` and `derate rule CODE`.

use anyhow::Error;
use derate_model::audit::{Level, Needs, all_rules, find_rule, nearest_rule};
use derate_reports::{Block, Document, Section, Table};
use serde::Serialize;

use crate::args::{Format, Rule, Rules};
use crate::output::{self, Outcome};

#[derive(Serialize)]
struct Catalogue {
    schema: &'static str,
    rules: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    code: &'static str,
    level: Level,
    needs: Needs,
    summary: &'static str,
}

pub(crate) fn list_rules(args: &Rules) -> Result<Outcome, Error> {
    let entries: Vec<Entry> = all_rules()
        .iter()
        .map(|r| Entry { code: r.code, level: r.level, needs: r.needs(), summary: r.summary() })
        .collect();
    match args.format {
        Format::Json => output::put_json(&Catalogue { schema: "derate.rules/1", rules: entries })?,
        Format::Text => {
            output::put_document(&tabulate_rules(&entries))?;
        }
    }
    Ok(Outcome::Clean)
}

fn tabulate_rules(entries: &[Entry]) -> Document {
    let table = Table::from_items("rules", "", entries)
        .text("code", "Rule", |entry| entry.code)
        .text("level", "Level", |entry| entry.level.as_str())
        .text("needs", "Needs", |entry| entry.needs.as_str())
        .text("summary", "What it finds", |entry| entry.summary)
        .build();
    Document {
        title: "Rules".to_owned(),
        subtitle: "of the audit, at their default levels".to_owned(),
        controls: Vec::new(),
        sections: vec![Section::new("Rules", "By code", vec![Block::Table(table)])],
    }
}

/// The code of a rule, as an option names it.
pub(crate) fn read_code(word: &str) -> Result<&'static str, String> {
    find_rule(word).map(|rule| rule.code).ok_or_else(|| describe_unknown(word, ""))
}

/// Says that a word names no rule; `command` goes before the near one.
fn describe_unknown(word: &str, command: &str) -> String {
    match nearest_rule(word) {
        Some(near) => format!("there is no rule `{word}`: try `{command}{near}`"),
        None => format!("there is no rule `{word}`: `derate rules` lists them"),
    }
}

pub(crate) fn explain_rule(args: &Rule) -> Result<Outcome, Error> {
    let unknown = || Error::msg(describe_unknown(&args.code, "derate rule "));
    let rule = find_rule(&args.code).ok_or_else(unknown)?;
    output::put_bytes(rule.manual().as_bytes())?;
    Ok(Outcome::Clean)
}
