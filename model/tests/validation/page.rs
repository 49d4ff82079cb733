use std::fmt::Write;

use super::{Part, Standing};

const TOP: &str = "# How far the closed forms are from published numbers

Made from `fixtures/validation` and `fixtures/gpu_gemm` by `make golden`; a test keeps it true. Every number on the right of a comparison is
`Published`: somebody else's report or measurement, never ours. `fixtures/PROVENANCE.md` says where each is from.

Errors are shares of the published number. *Exact* counts those met to the cycle. Where *standing* says *fitted*, parameters of
the model come from the same numbers, and the errors say how well the form fits, not how well it predicts; where it says
*chosen here*, nothing was fitted, but the form was chosen while these numbers were looked at. *Free* is neither. *Not used* is
there to compare with.
";

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

pub(crate) fn page(parts: &[Part]) -> String {
    let mut page = TOP.to_owned();
    for part in parts {
        write!(page, "\n## {}\n\n", part.title).unwrap();
        page += "| numbers | model | standing | n | exact | mean | p95 | max | source |\n";
        page += "|---|---|---|--:|--:|--:|--:|--:|---|\n";
        for row in &part.rows {
            let errors = &row.errors;
            let standing = match row.standing {
                Standing::Free => "free",
                Standing::Fitted => "fitted",
                Standing::Chosen => "chosen here",
                Standing::Other => "not used",
            };
            let exact = errors.exact.map_or_else(
                || "-".to_owned(),
                |exact| format!("{exact} ({:.1} %)", errors.exact_share() * 100.0),
            );
            writeln!(
                page,
                "| {} | `{}` | {standing} | {} | {exact} | {} | {} | {} | {} |",
                row.set,
                row.model,
                errors.count,
                percent(errors.mean),
                percent(errors.p95),
                percent(errors.max),
                row.source
            )
            .unwrap();
        }
        for remark in &part.remarks {
            write!(page, "\n{remark}\n").unwrap();
        }
    }
    page
}
