//! `derate rules` and `derate rule CODE`.

use anyhow::{Error, anyhow};
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

pub(crate) fn explain_rule(args: &Rule) -> Result<Outcome, Error> {
    let rule = find_rule(&args.code).ok_or_else(|| match nearest_rule(&args.code) {
        Some(near) => anyhow!("there is no rule `{}`: try `derate rule {near}`", args.code),
        None => anyhow!("there is no rule `{}`: `derate rules` lists them", args.code),
    })?;
    output::put_bytes(rule.manual().as_bytes())?;
    Ok(Outcome::Clean)
}
