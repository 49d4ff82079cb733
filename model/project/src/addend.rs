//! How large a product or a plain element can be that a sum takes in.

use derate_hls::{Function, HlsType, Resolver, ScalarType, Sources, Span, Update};

/// A product with more factors does not come from a dot product.
const FACTORS: usize = 4;

/// The least and the greatest value that a type holds, in units of `2^-fraction`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ValueRange {
    /// The least value, in units of the last bit.
    pub least: i128,
    /// The greatest value, in the same units.
    pub greatest: i128,
    /// Bits behind the binary point; negative where the last bit is worth more than 1.
    pub fraction: i32,
    /// Bits of the type or, of a product, of all its factors.
    pub bits: u32,
}

impl ValueRange {
    /// Of a type whose every value may occur. `int` and wider C integers are what people write for any number: their
    /// width says nothing of the values in them, so they have none.
    pub fn of_operand(scalar: &ScalarType) -> Option<Self> {
        match scalar {
            ScalarType::Int { bits, .. } if *bits > 16 => None,
            other => Self::of_type(other),
        }
    }

    /// Of an integer or fixed-point type.
    pub fn of_type(scalar: &ScalarType) -> Option<Self> {
        let (bits, fraction, signed) = match *scalar {
            ScalarType::Int { bits, signed } | ScalarType::FreeInt { bits, signed, .. } => {
                (bits, 0, signed)
            }
            ScalarType::Fixed { width, integer, signed, .. } => {
                (width, i32::try_from(width).ok()?.checked_sub(integer)?, signed)
            }
            _ => return None,
        };
        if !(1..=64).contains(&bits) {
            return None;
        }
        let (least, greatest) =
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        Some(Self { least, greatest, fraction, bits })
    }

    /// Whole numbers between two ends alone, where those are within it.
    #[must_use]
    pub fn narrow_to(self, (least, greatest): (i128, i128)) -> Self {
        if self.fraction != 0 || least < self.least || self.greatest < greatest {
            return self;
        }
        let narrow = Self { least, greatest, ..self };
        let bits = narrow.integer_bits().and_then(|bits| u32::try_from(bits).ok());
        Self { bits: bits.map_or(self.bits, |bits| bits.max(1)), ..narrow }
    }

    fn multiply_by(self, other: Self) -> Option<Self> {
        let ends = [
            self.least.checked_mul(other.least)?,
            self.least.checked_mul(other.greatest)?,
            self.greatest.checked_mul(other.least)?,
            self.greatest.checked_mul(other.greatest)?,
        ];
        Some(Self {
            least: ends.into_iter().min()?,
            greatest: ends.into_iter().max()?,
            fraction: self.fraction.checked_add(other.fraction)?,
            bits: self.bits.checked_add(other.bits)?,
        })
    }

    /// Of a sum of so many.
    pub fn times_terms(self, terms: u64) -> Option<Self> {
        let terms = i128::from(terms);
        Some(Self {
            least: self.least.checked_mul(terms)?,
            greatest: self.greatest.checked_mul(terms)?,
            ..self
        })
    }

    /// Bits before the binary point that every value fits in, the sign's among them where there is one.
    pub fn integer_bits(self) -> Option<i32> {
        let high = if self.greatest > 0 { 128 - self.greatest.leading_zeros() } else { 0 };
        let low =
            if self.least < 0 { 128 - (self.least + 1).unsigned_abs().leading_zeros() } else { 0 };
        let sign = u32::from(self.least < 0);
        i32::try_from(high.max(low) + sign).ok()?.checked_sub(self.fraction)
    }
}

/// The values that an operand may have, by its text and its type; `None` for one that is not judged.
pub type ReadOperand<'a> = &'a dyn Fn(&str, &ScalarType) -> Option<ValueRange>;

/// What an update adds: a variable's element, or a product of such, possibly cast. `None` for anything else.
pub fn find_addend(
    resolver: &Resolver<'_>,
    sources: &Sources,
    function: &Function,
    update: &Update,
    read: ReadOperand<'_>,
) -> Option<(ValueRange, usize)> {
    let text = sources.slice(update.span);
    if text.contains(['/', '"', '\'']) {
        return None;
    }
    let (_, right) = text.split_once('=')?;
    let mut right = right.trim();
    if update.spelt_out {
        right = right.strip_prefix(update.target.as_str())?.trim_start().strip_prefix('+')?.trim();
    }
    let look = |text: &str| {
        NameLookup { resolver, function, place: update.span, read }.resolve_factor(text)
    };
    let factors = split_outside_brackets(strip_brackets(right), '*')?;
    if factors.is_empty() || factors.len() > FACTORS {
        return None;
    }
    let number = factors.len();
    let reach =
        factors.into_iter().map(look).try_fold(None::<ValueRange>, |product, factor| {
            let factor = factor?;
            Some(Some(match product {
                Some(product) => product.multiply_by(factor)?,
                None => factor,
            }))
        })??;
    Some((reach, number))
}

/// Where names are looked up.
struct NameLookup<'a> {
    resolver: &'a Resolver<'a>,
    function: &'a Function,
    place: Span,
    read: ReadOperand<'a>,
}

impl NameLookup<'_> {
    /// One factor: `a[i][k]`, `(int)a[i]`, `acc_t(a[i])`, `static_cast<int>(a[i])`.
    fn resolve_factor(&self, text: &str) -> Option<ValueRange> {
        let text = strip_brackets(text.trim());
        if let Some((kind, inner)) = split_cast(text) {
            let inner = self.resolve_element(strip_brackets(inner.trim()))?;
            let kind = self.resolver.resolve_at(self.place, &self.scope(), kind.trim());
            let HlsType::Scalar(scalar) = kind.known()? else { return None };
            let held = ValueRange::of_type(scalar)?;
            // What the cast may cut is not judged.
            let fits =
                inner.fraction <= held.fraction && inner.integer_bits()? <= held.integer_bits()?;
            let sign = inner.least >= 0 || held.least < 0;
            return (fits && sign).then_some(inner);
        }
        self.resolve_element(text)
    }

    fn scope(&self) -> derate_hls::Scope {
        self.function.scope.clone()
    }

    fn resolve_element(&self, text: &str) -> Option<ValueRange> {
        let name = text.split('[').next()?.trim();
        let plain = !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        if !plain || !is_subscripts(text.get(name.len()..).unwrap_or_default()) {
            return None;
        }
        match self.resolver.variable(self.function, self.place, name).known()? {
            HlsType::Scalar(scalar) => (self.read)(text, scalar),
            _ => None,
        }
    }
}

/// Without the brackets around the whole of it.
fn strip_brackets(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let mut depth = 0_i32;
        let closes = inner.chars().any(|sign| {
            depth += match sign {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth < 0
        });
        if closes {
            break;
        }
        text = inner.trim();
    }
    text
}

/// At a sign outside all brackets; `None` where the brackets do not close.
fn split_outside_brackets(text: &str, mark: char) -> Option<Vec<&str>> {
    let (mut depth, mut from, mut parts) = (0_i32, 0, Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if sign == mark && depth == 0 => {
                parts.push(&text[from..at]);
                from = at + sign.len_utf8();
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    parts.push(&text[from..]);
    (depth == 0).then_some(parts)
}

/// Whether a text is `[i][j + 1]` and nothing else.
fn is_subscripts(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(inner) = rest.strip_prefix('[') {
        let Some(end) = find_closing(inner, '[', ']') else { return false };
        rest = inner.get(end + 1..).unwrap_or_default().trim_start();
    }
    rest.is_empty()
}

/// The type and what is cast to it.
fn split_cast(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix("static_cast<") {
        let (kind, rest) = rest.split_at(find_closing(rest, '<', '>')?);
        let inner = rest.strip_prefix('>')?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
        return Some((kind, inner));
    }
    if let Some(rest) = text.strip_prefix('(') {
        let (kind, rest) = rest.split_at(find_closing(rest, '(', ')')?);
        return Some((kind, rest.strip_prefix(')')?));
    }
    let (kind, rest) = text.split_once('(')?;
    Some((kind, rest.strip_suffix(')')?))
}

/// Where a bracket that was opened before the text closes.
fn find_closing(text: &str, open: char, shut: char) -> Option<usize> {
    let mut depth = 1;
    for (at, sign) in text.char_indices() {
        if sign == open {
            depth += 1;
        } else if sign == shut {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bits: u32, signed: bool) -> ValueRange {
        ValueRange::of_type(&ScalarType::ap_int(bits, signed)).unwrap()
    }

    #[test]
    fn a_product_reaches_as_far_as_its_factors_corners() {
        let product = int(8, true).multiply_by(int(8, true)).unwrap();
        assert_eq!((product.least, product.greatest), (-128 * 127, 128 * 128));
        assert_eq!(product.integer_bits(), Some(16));
        // 768 products: 768 * 2^14 = 12,582,912 needs 24 bits and a sign.
        assert_eq!(product.times_terms(768).unwrap().integer_bits(), Some(25));
        assert_eq!(int(8, false).multiply_by(int(8, false)).unwrap().integer_bits(), Some(16));
    }

    #[test]
    fn bits_before_the_point_leave_out_those_behind() {
        let fixed = ScalarType::ap_fixed(16, 6, true);
        let reach = ValueRange::of_type(&fixed).unwrap();
        assert_eq!(reach.integer_bits(), Some(6));
        assert_eq!(
            reach.multiply_by(reach).unwrap().times_terms(64).unwrap().integer_bits(),
            Some(18)
        );
    }

    #[test]
    fn brackets_are_taken_off_only_as_pairs() {
        assert_eq!(strip_brackets("((a[i]))"), "a[i]");
        assert_eq!(strip_brackets("(a) * (b)"), "(a) * (b)");
        assert_eq!(split_outside_brackets("(int)a[i * 2] * b", '*').unwrap().len(), 2);
        assert_eq!(split_outside_brackets("a)", '*'), None);
        assert_eq!(split_cast("(ap_int<8>)a[i]"), Some(("ap_int<8>", "a[i]")));
        assert_eq!(split_cast("acc_t(a[i])"), Some(("acc_t", "a[i]")));
        assert_eq!(split_cast("static_cast<ap_int<8>>(a)"), Some(("ap_int<8>", "a")));
        assert_eq!(split_cast("a[i]"), None);
        assert!(is_subscripts("[i][b[j] + 1]") && is_subscripts(""));
        assert!(!is_subscripts("[i] * b[j]") && !is_subscripts("[i"));
    }
}
