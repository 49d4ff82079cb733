//! What the words of a name claim.

use crate::type_claim::{ClaimSource, ClaimedFormat, TypeClaim};

/// The words of a name: `FIX_16_6` is `fix`, `16`, `6`; `InputFixed` is `input`, `fixed`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (at, &c) in letters.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or('_');
        let next_is_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let hump = c.is_uppercase()
            && (previous.is_lowercase() || (previous.is_uppercase() && next_is_lower));
        if !c.is_alphanumeric() || hump {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    // `BFloat16` and `UInt8` have a hump after their first letter.
    let mut at = 0;
    while at + 1 < words.len() {
        let joined = format!("{}{}", words[at], words[at + 1]);
        let prefix = words[at] == "b" && words[at + 1].starts_with("float")
            || words[at] == "u" && words[at + 1].starts_with("int")
            || matches!(words[at].as_str(), "int" | "uint" | "fp" | "bf" | "bfloat")
                && matches!(words[at + 1].as_str(), "8" | "16" | "32" | "64");
        if prefix {
            words.splice(at..at + 2, [joined]);
        } else {
            at += 1;
        }
    }
    words
}

/// Words that say nothing about a type.
fn is_neutral(word: &str) -> bool {
    matches!(word, "t" | "type" | "typ" | "dt" | "my" | "ap" | "ac" | "hls" | "std")
}

/// Whether a name has words beside its claim: `int8_pack_t` may be a carrier of `int8`s.
pub(crate) fn has_other_words(name: &str) -> bool {
    let numeric = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let all = words_of(name);
    let others = all.iter().filter(|word| !is_neutral(word) && !numeric(word));
    others.filter(|word| word_claim(word, None).is_none() && fixed_prefix(word).is_none()).count()
        > 0
}

/// `int8_acc_t`: what adds up or multiplies numbers of that type is wider than they are.
pub(crate) fn is_sum_or_product(name: &str) -> bool {
    let derived = ["acc", "accum", "accumulator", "prod", "product", "sum"];
    words_of(name).iter().any(|word| derived.contains(&word.as_str()))
}

/// `fp16_mant_t`, `int8_idx_t`: a part of the type, or something that goes with it.
fn is_part(words: &[String]) -> bool {
    let parts = [
        "mant", "mantissa", "exp", "exponent", "sign", "idx", "index", "strb", "keep", "scale",
        "zp", "shift",
    ];
    words.iter().any(|word| parts.contains(&word.as_str()))
}

/// What a name claims; nothing for the name of a part of a type.
pub(crate) fn name_claims(name: &str) -> Vec<TypeClaim> {
    let words = words_of(name);
    if is_part(&words) {
        return Vec::new();
    }
    let significant: Vec<&String> = words.iter().filter(|word| !is_neutral(word)).collect();
    let alone = significant.len() == 1;
    let mut claims = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at + 1..).unwrap_or_default();
        let claim = fixed_claim(word, rest).or_else(|| match word.as_str() {
            "half" if alone => Some(claim_by_name("half", Some(16), ClaimedFormat::Float)),
            "double" if alone => Some(claim_by_name("double", Some(64), ClaimedFormat::Float)),
            "float" if !is_about(rest) => Some(claim_by_name("float", None, ClaimedFormat::Float)),
            // `UINTYPE_12`.
            "uintype" | "inttype" | "uinttype" => type_claim(word, rest),
            "bit" | "bits" => {
                bit_claim(word, at.checked_sub(1).and_then(|at| words.get(at)), alone)
            }
            _ => word_claim(word, Some(alone)),
        });
        // `int8_32_t`: thirty-two lanes of eight bits, if the type is that wide.
        let fixed = |claim: &TypeClaim| matches!(claim.format, ClaimedFormat::Fixed { .. });
        let lanes = rest.first().and_then(|next| next.parse().ok());
        claims.extend(claim.map(|claim| match claim.lanes {
            None if claim.bits.is_some() && !fixed(&claim) => TypeClaim { lanes, ..claim },
            _ => claim,
        }));
    }
    claims
}

fn claim_by_name(text: &str, bits: Option<u32>, format: ClaimedFormat) -> TypeClaim {
    TypeClaim { text: text.to_owned(), bits, format, lanes: None, source: ClaimSource::Name }
}

/// `float_bits`, `float_count`: about a float, but none.
fn is_about(rest: &[String]) -> bool {
    let about = [
        "bits", "raw", "count", "num", "size", "len", "width", "pack", "packed", "idx", "index",
        "as", "to", "bus", "word", "addr", "exp", "mant", "int", "uint", "union", "point", "rate",
    ];
    rest.iter().any(|word| about.contains(&word.as_str()))
}

/// The number after `UINTYPE_`, in bits.
fn type_claim(word: &str, rest: &[String]) -> Option<TypeClaim> {
    let [number] = rest else { return None };
    let bits = number.parse().ok().filter(|bits| (1..=4096).contains(bits))?;
    let format = ClaimedFormat::Int { signed: Some(!word.starts_with('u')) };
    Some(claim_by_name(&format!("{word}_{number}"), Some(bits), format))
}

/// `bit`, `TwoBit`.
fn bit_claim(word: &str, before: Option<&String>, alone: bool) -> Option<TypeClaim> {
    let integer = ClaimedFormat::Int { signed: None };
    if alone {
        return (word == "bit").then(|| claim_by_name("bit", Some(1), integer));
    }
    let numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    let at = numbers.iter().position(|number| before.is_some_and(|before| before == number))?;
    let bits = u32::try_from(at + 1).ok()?;
    Some(claim_by_name(&format!("{} {word}", numbers[at]), Some(bits), integer))
}

/// The claim of one word. `alone` says whether the name has no other; a comment's words pass `None`.
pub(crate) fn word_claim(word: &str, alone: Option<bool>) -> Option<TypeClaim> {
    if matches!(word, "bfloat16" | "bf16" | "bfloat") {
        return Some(claim_by_name(word, Some(16), ClaimedFormat::BrainFloat));
    }
    // Elements of block formats; `nf4` is a code of four bits into a table of floats.
    if let Some(bits) = match word {
        "nf4" | "mxfp4" | "nvfp4" => Some(4),
        "mxfp6" => Some(6),
        "mxfp8" => Some(8),
        _ => None,
    } {
        return Some(claim_by_name(word, Some(bits), ClaimedFormat::Unspecified));
    }
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &word[letters.len()..];
    // `int8x16`: sixteen lanes of eight bits.
    if let Some(inner) = letters.strip_suffix('x').filter(|_| !digits.is_empty())
        && inner.ends_with(|c: char| c.is_ascii_digit())
    {
        let lanes = digits.parse().ok();
        let inner = word_claim(inner, None).filter(|inner| inner.bits.is_some());
        return inner.map(|inner| TypeClaim { text: word.to_owned(), lanes, ..inner });
    }
    if let Some(bits) = word.strip_suffix("bits").or_else(|| word.strip_suffix("bit")) {
        let bits = bits.parse().ok().filter(|bits| (1..=4096).contains(bits))?;
        return Some(claim_by_name(word, Some(bits), ClaimedFormat::Unspecified));
    }
    if digits.is_empty() || digits.starts_with('0') {
        return None;
    }
    let bits: u32 = digits.parse().ok().filter(|bits| (1..=4096).contains(bits))?;
    let common = matches!(bits, 8 | 16 | 32 | 64 | 128);
    let int = |signed| Some(ClaimedFormat::Int { signed });
    let format = match letters {
        "float" if matches!(bits, 2..=4) => {
            let lanes = Some(u64::from(bits));
            return Some(TypeClaim { lanes, ..claim_by_name(word, None, ClaimedFormat::Float) });
        }
        "float" if (8..=128).contains(&bits) => Some(ClaimedFormat::Float),
        "fp" if (4..=128).contains(&bits) => Some(ClaimedFormat::Float),
        "f" if matches!(bits, 16 | 32 | 64) => Some(ClaimedFormat::Float),
        "int" | "sint" => int(Some(true)),
        "uint" => int(Some(false)),
        "i" | "s" if common => int(Some(true)),
        "u" if common => int(Some(false)),
        "bit" if alone == Some(true) => int(None),
        "word" | "data" if alone == Some(true) && common => Some(ClaimedFormat::Unspecified),
        _ => None,
    };
    Some(claim_by_name(word, Some(bits), format?))
}

/// `fixed32` is 32, `fix` is nothing more; `None` for a word that is not about fixed point.
fn fixed_prefix(word: &str) -> Option<&str> {
    let word = word.strip_prefix("ap").unwrap_or(word);
    let word = word.strip_prefix('u').unwrap_or(word);
    let rest = ["fixed", "fix", "fxp", "fx"].iter().find_map(|prefix| word.strip_prefix(prefix))?;
    rest.chars().all(|c| c.is_ascii_digit()).then_some(rest)
}

/// `fixed32_14`, `FIX_16_6`, `InputFixed`.
fn fixed_claim(word: &str, rest: &[String]) -> Option<TypeClaim> {
    let own = fixed_prefix(word)?;
    let number = |text: &String| text.parse::<u32>().ok().filter(|_| text.len() <= 4);
    let mut numbers: Vec<u32> = own.parse().ok().into_iter().collect();
    numbers.extend(rest.iter().map_while(number));
    let (bits, integer) = match numbers[..] {
        [] => {
            let about = rest.first().is_some_and(|word| {
                matches!(
                    word.as_str(),
                    "size" | "len" | "length" | "width" | "rate" | "array" | "str"
                )
            });
            // `FIX_FM` is a name for a role; `Fixed` is a word.
            if !word.ends_with("fixed") || about {
                return None;
            }
            (None, None)
        }
        // `fx2` is the second of its kind.
        [bits] if bits < 4 => return None,
        [bits] => (Some(bits), None),
        [bits, integer, ..] => (Some(bits), i32::try_from(integer).ok()),
    };
    let bits = bits.filter(|bits| (1..=4096).contains(bits));
    let text = numbers.iter().skip(usize::from(!own.is_empty())).take(2);
    let text = text.fold(word.to_owned(), |text, number| format!("{text}_{number}"));
    Some(claim_by_name(&text, bits, ClaimedFormat::Fixed { integer }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Vec<(String, Option<u32>)> {
        name_claims(name).into_iter().map(|claim| (claim.text, claim.bits)).collect()
    }

    #[test]
    fn names_promise_widths() {
        for (name, text, bits) in [
            ("bfloat16_t", "bfloat16", Some(16)),
            ("BFloat16", "bfloat16", Some(16)),
            ("fp32_t", "fp32", Some(32)),
            ("uint5_t", "uint5", Some(5)),
            ("UInt8", "uint8", Some(8)),
            ("FIX_16_6", "fix_16_6", Some(16)),
            ("fixed40_22", "fixed40_22", Some(40)),
            ("InputFixed", "fixed", None),
            ("INTYPE_FLOAT", "float", None),
            ("bit", "bit", Some(1)),
            ("bit2", "bit2", Some(2)),
            ("TwoBit", "two bit", Some(2)),
            ("half", "half", Some(16)),
            ("ap_uint64", "uint64", Some(64)),
        ] {
            assert_eq!(read(name), [(text.to_owned(), bits)], "{name}");
        }
    }

    /// Digits in a name are often lanes, indices or roles.
    #[test]
    fn names_that_promise_nothing() {
        for name in [
            "A_t64",
            "bus_t0",
            "data_plio_128",
            "comb_32",
            "FIX_FM",
            "FIX_WT",
            "KType",
            "int_I",
            "edge_t",
            "fx2",
            "double_buffer_t",
            "half_block_t",
            "float_bits_t",
            "fixed_size_t",
            "u280_t",
        ] {
            assert!(read(name).is_empty(), "{name}: {:?}", read(name));
        }
    }

    #[test]
    fn lanes_are_not_widths() {
        let claim = &name_claims("int8x16_t")[0];
        assert_eq!((claim.bits, claim.lanes), (Some(8), Some(16)));
        let claim = &name_claims("float4")[0];
        assert_eq!((claim.bits, claim.lanes), (None, Some(4)));
    }
}
