//! What an alias claims, by its name or in the comment beside it.

use crate::type_claim::{ClaimSource, ClaimedFormat, TypeClaim};
use crate::words::{name_claims, word_claim};
use derate_frontend::Alias;

/// What an alias claims: first in its name, then in its comment.
pub fn claims_of(alias: &Alias) -> Vec<TypeClaim> {
    let mut claims = name_claims(&alias.name);
    if let Some(comment) = &alias.comment {
        let source = ClaimSource::Comment(comment.span);
        let separate = |c: char| !(c.is_alphanumeric() || c == '_');
        let words: Vec<&str> =
            comment.text.split(separate).filter(|word| !word.is_empty()).collect();
        // `we cannot rely on uint32` speaks of another type, and so does `fp16 values, converted`.
        let is_denied = is_negated(&comment.text)
            || words.iter().any(|word| word.to_ascii_lowercase().starts_with("convert"));
        for (at, word) in words.iter().enumerate() {
            let before = words.get(..at).unwrap_or_default();
            if is_bound(before) || is_exponent(before.last(), word) {
                continue;
            }
            let lower = word.to_ascii_lowercase();
            let next = words.get(at + 1).map(|next| next.to_ascii_lowercase());
            let found = match next.as_deref() {
                Some("bit" | "bits") if !is_of_part(words.get(at + 2)) => {
                    lower.parse().ok().map(|bits| (bits, format!("{lower}-bit")))
                }
                _ => None,
            };
            if let Some((bits, text)) = found.filter(|(bits, _)| (1..=4096).contains(bits)) {
                let format = ClaimedFormat::Unspecified;
                claims.push(TypeClaim { text, bits: Some(bits), format, lanes: None, source });
            } else if let Some(claim) = word_claim(&lower, None)
                .filter(|claim| claim.bits.is_some() && !is_denied && !says_own_width(&alias.name))
            {
                claims.push(TypeClaim { source, ..claim });
            }
        }
    }
    claims
}

/// `does not`, `can't`
fn is_negated(comment: &str) -> bool {
    let separate = |c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}'));
    let mut words = comment.split(separate).map(str::to_ascii_lowercase);
    words.any(|word| {
        matches!(word.as_str(), "not" | "cannot" | "never" | "no" | "without")
            || word.ends_with("n't")
            || word.ends_with("n\u{2019}t")
    })
}

/// `char8`, `stb_u32`: a name that ends in a width of its own is not that of the type that its comment names.
fn says_own_width(name: &str) -> bool {
    let name = name.strip_suffix("_t").unwrap_or(name);
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    matches!(&name[name.len() - digits..], "8" | "16" | "32" | "64")
}

/// `04` of `9.7e-04), bits=24`
fn is_exponent(before: Option<&&str>, word: &str) -> bool {
    let digits = before.and_then(|before| before.strip_suffix(['e', 'E']));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    are_digits(word) && digits.is_some_and(are_digits)
}

/// `12 bits fractional`, `8 bits exponent`: bits of a part of the number, and `64-bit container`, of what is around it. `8 bits integer` may
/// be all of it.
fn is_of_part(next: Option<&&str>) -> bool {
    let parts = ["fraction", "fractional", "mantissa", "exponent", "container"];
    next.is_some_and(|next| parts.contains(&next.to_ascii_lowercase().as_str()))
}

/// `max 16 bits`, `at most 8 bits`, `up to 32 bits`: a bound, not a promise.
fn is_bound(before: &[&str]) -> bool {
    let bounds = ["max", "maximum", "maximal", "most", "min", "minimum", "least", "than", "upto"];
    let last: Vec<String> = before.iter().map(|word| word.to_ascii_lowercase()).collect();
    last.iter().any(|word| bounds.contains(&word.as_str()))
        || last.windows(2).any(|pair| pair == ["up", "to"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_frontend::{Sources, parse};

    #[test]
    fn a_bound_in_a_comment_is_not_a_promise() {
        let claims = |text: &str| {
            let mut sources = Sources::default();
            let file = sources.add("a.h", text);
            claims_of(&parse(&sources, file).aliases[0]).len()
        };
        for text in [
            "typedef int len_t; // max 16 bits",
            "typedef int len_t; // at most 16 bits",
            "typedef int len_t; // up to 16 bits",
            "typedef int len_t; // less than 16 bits",
            "typedef ap_int<48> sum_t; // max is ceil(log2(Taps)) + 18 + 16 = 40 bits",
        ] {
            assert_eq!(claims(text), 0, "{text}");
        }
        assert_eq!(claims("typedef int len_t; // 16 bits"), 1);
        // Bits of a part.
        assert_eq!(claims("typedef ap_ufixed<16, 4> t; // [0, 16) with 12 bits fractional"), 0);
        assert_eq!(claims("typedef ap_int<16> t; // 16 bits integer"), 1);
        assert_eq!(claims("typedef ap_uint<48> mac_t; // 6 bytes in a 64-bit container"), 0);
        // The exponent of a number.
        assert_eq!(claims("typedef ap_fixed<24, 14> t; // step 9.765e-04), bits=24"), 0);
        assert_eq!(claims("typedef ap_fixed<24, 14> t; // step e, 04 bits"), 1);
        // Which of them is the width is not said.
        let several = "typedef ap_fixed<17, 9> t; // 17 bits for all, 9 bits for the sign, 8bits behind the point";
        assert_eq!(claims(several), 3);
    }

    /// In the manner of headers of processors and of libraries for many compilers.
    #[test]
    fn a_comment_may_speak_of_another_type() {
        let claims = |text: &str| {
            let mut sources = Sources::default();
            let file = sources.add("a.h", text);
            claims_of(&parse(&sources, file).aliases[0]).len()
        };
        for text in [
            "// the older header does not define s16 or uint64\ntypedef char char8;",
            "// the older header defines uint64, too\ntypedef char char8;",
            "// we can't rely on uint32 being there, so all names have a prefix\ntypedef unsigned char lib_uchar;",
        ] {
            assert_eq!(claims(text), 0, "{text}");
        }
        assert_eq!(claims("typedef unsigned char lib_word; // uint32"), 1);
        assert_eq!(claims("typedef ap_fixed<32, 8> s_t; // holds fp16 values converted"), 0);
        assert_eq!(claims("typedef ap_int<9> word; // not signed, 8 bits"), 1);
    }
}
