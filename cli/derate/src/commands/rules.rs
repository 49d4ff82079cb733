//! `derate rules` and `derate rule CODE`.

use anyhow::Error;
use derate_model::audit::{Level, Needs, all_rules, find_rule, nearest_rule};
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
            let widest = entries.iter().map(|e| e.code.len()).max().unwrap_or(0);
            let lines: Vec<String> = entries
                .iter()
                .map(|e| {
                    format!(
                        "{:widest$}  {:7}  {:8}  {}\n",
                        e.code,
                        e.level.as_str(),
                        e.needs.as_str(),
                        e.summary
                    )
                })
                .collect();
            output::put_bytes(lines.concat().as_bytes())?;
        }
    }
    Ok(Outcome::Clean)
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
