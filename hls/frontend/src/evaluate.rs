//! The value of an integer expression.

use crate::Settled;
use crate::expression::Expression;
use crate::linear::overflow_reason;
use crate::path::Path;
use crate::token::Token;

/// What the names of an expression mean. `Err` carries one sentence that says why a value is unknown.
pub(crate) trait Meaning {
    fn name(&mut self, path: &Path) -> Settled<i128>;
    fn call(&mut self, path: &Path, arguments: &[i128]) -> Settled<i128>;
    fn cast(&mut self, kind: &[Token], value: i128) -> Settled<i128>;
    fn size(&mut self, operand: &[Token]) -> Settled<i128>;
    /// Called around each step; refuses when the evaluation goes too deep or too long.
    fn enter(&mut self) -> Settled<()>;
    fn leave(&mut self);
}

/// Evaluates as C++ does, but in 128 bits; what leaves them, or wraps around below them, is unknown.
pub(crate) fn evaluate_expression(
    expression: &Expression,
    meaning: &mut dyn Meaning,
) -> Settled<i128> {
    meaning.enter()?;
    let result = evaluate_node(expression, meaning);
    meaning.leave();
    match result {
        // In C++ it would be a large number; which one, its width decides.
        Ok(value) if value < 0 && is_unsigned(expression) => {
            Err("it wraps around as an unsigned number".into())
        }
        result => result,
    }
}

/// Whether an operand makes the whole unsigned: a literal that says so, or a `sizeof`.
fn is_unsigned(expression: &Expression) -> bool {
    match expression {
        Expression::Unsigned(_) | Expression::Size(_) => true,
        Expression::Unary(operator, inner) => *operator != '!' && is_unsigned(inner),
        Expression::Binary(operator, left, right) => match operator.as_str() {
            "<<" | ">>" => is_unsigned(left),
            _ => is_unsigned(left) || is_unsigned(right),
        },
        Expression::Choice(parts) => is_unsigned(&parts[1]) || is_unsigned(&parts[2]),
        _ => false,
    }
}

fn evaluate_node(expression: &Expression, meaning: &mut dyn Meaning) -> Settled<i128> {
    match expression {
        Expression::Integer(value) | Expression::Unsigned(value) => Ok(*value),
        Expression::Name(path) => meaning.name(path),
        Expression::Unary(operator, inner) => {
            let value = evaluate_expression(inner, meaning)?;
            match operator {
                '-' => value.checked_neg().ok_or_else(overflow_reason),
                '!' => Ok(i128::from(value == 0)),
                '~' => Ok(!value),
                _ => Ok(value),
            }
        }
        Expression::Binary(operator, left, right) if operator == "&&" || operator == "||" => {
            // One side may decide though the other is unknown.
            let decides = |value: i128| (value != 0) == (operator == "||");
            let left = evaluate_expression(left, meaning);
            if left.as_ref().is_ok_and(|&left| decides(left)) {
                return Ok(i128::from(operator == "||"));
            }
            let right = evaluate_expression(right, meaning)?;
            if decides(right) {
                return Ok(i128::from(operator == "||"));
            }
            left.map(|_| i128::from(operator == "&&"))
        }
        Expression::Binary(operator, left, right) => {
            let (left, right) =
                (evaluate_expression(left, meaning)?, evaluate_expression(right, meaning)?);
            apply_operator(operator, left, right)
        }
        Expression::Choice(parts) => {
            let [condition, yes, no] = parts.as_ref();
            let chosen = if evaluate_expression(condition, meaning)? == 0 { no } else { yes };
            evaluate_expression(chosen, meaning)
        }
        Expression::Call(path, arguments) => {
            let mut values = Vec::with_capacity(arguments.len());
            for argument in arguments {
                values.push(evaluate_expression(argument, meaning)?);
            }
            meaning.call(path, &values)
        }
        Expression::Cast(kind, inner) => {
            let value = evaluate_expression(inner, meaning)?;
            meaning.cast(kind, value)
        }
        Expression::Size(operand) => meaning.size(operand),
    }
}

/// One operation on two values.
pub(crate) fn apply_operator(operator: &str, left: i128, right: i128) -> Settled<i128> {
    let shift = || u32::try_from(right).ok().filter(|&by| by < 64);
    let flag = |yes: bool| Ok(i128::from(yes));
    match operator {
        "+" => left.checked_add(right).ok_or_else(overflow_reason),
        "-" => left.checked_sub(right).ok_or_else(overflow_reason),
        "*" => left.checked_mul(right).ok_or_else(overflow_reason),
        "/" if right != 0 => left.checked_div(right).ok_or_else(overflow_reason),
        "%" if right != 0 => left.checked_rem(right).ok_or_else(overflow_reason),
        "/" | "%" => Err("it divides by zero".into()),
        "<<" => {
            let by = shift().ok_or_else(overflow_reason)?;
            left.checked_mul(1_i128 << by).ok_or_else(overflow_reason)
        }
        ">>" => Ok(left >> shift().ok_or_else(overflow_reason)?),
        "&" => Ok(left & right),
        "|" => Ok(left | right),
        "^" => Ok(left ^ right),
        "==" => flag(left == right),
        "!=" => flag(left != right),
        "<" => flag(left < right),
        ">" => flag(left > right),
        "<=" => flag(left <= right),
        ">=" => flag(left >= right),
        _ => Err(format!("`{operator}` is not computed").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::read_expression;
    use crate::token::lex;
    use proptest::prelude::*;

    /// Knows no name.
    struct Nothing;

    impl Meaning for Nothing {
        fn name(&mut self, path: &Path) -> Settled<i128> {
            Err(format!("`{path}` is unknown").into())
        }
        fn call(&mut self, path: &Path, _: &[i128]) -> Settled<i128> {
            self.name(path)
        }
        fn cast(&mut self, _: &[Token], value: i128) -> Settled<i128> {
            Ok(value)
        }
        fn size(&mut self, _: &[Token]) -> Settled<i128> {
            Err("sizeof".into())
        }
        fn enter(&mut self) -> Settled<()> {
            Ok(())
        }
        fn leave(&mut self) {}
    }

    #[test]
    fn what_wraps_around_is_unknown() {
        for text in ["~0u >> 28", "1u - 2", "(3u - 5 > 0) ? 8 : 16", "0xFFu - 0x100"] {
            assert!(value(text).is_err_and(|reason| reason.contains("wraps around")), "{text}");
        }
        assert_eq!(value("8u - 5"), Ok(3));
        assert_eq!(value("-3 + 5u"), Ok(2));
        assert_eq!(value("1 - 2"), Ok(-1));
    }

    fn value(text: &str) -> Settled<i128> {
        evaluate_expression(&read_expression(&lex(text))?, &mut Nothing)
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3 - 4 / 2", 5),
            ("(1 + 2) * 3 % 5", 4),
            ("1 << 4 | 1", 17),
            ("256 >> 2 + 1", 32),
            ("7 == 7 && !(3 > 4)", 1),
            ("0 ? 1 : 2 < 3 ? 8 : 9", 8),
            ("-7 / 2", -3),
            ("(int)-3 + (unsigned char)5", 2),
            ("static_cast<int>(9)", 9),
            ("int(4) + unsigned(2)", 6),
            ("~0 & 0xFF", 255),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    /// `#if defined(A) && UNKNOWN` is decided when A is not defined.
    #[test]
    fn one_known_side_may_decide() {
        assert_eq!(value("0 && X"), Ok(0));
        assert_eq!(value("X && 0"), Ok(0));
        assert_eq!(value("X || 1"), Ok(1));
        assert!(value("X || 0").is_err());
    }

    #[test]
    fn what_is_no_integer_says_so() {
        assert!(value("1.5").unwrap_err().contains("floating-point"));
        assert!(value("1 / 0").unwrap_err().contains("zero"));
        assert!(value("${WIDTH}").unwrap_err().contains("filled in"));
        assert!(value("1 +").is_err() && value("").is_err() && value("(1").is_err());
        assert!(value(&"(".repeat(9000)).is_err());
        assert!(value(&"1+".repeat(9000)).is_err());
        assert!(value("1 << 200").is_err());
    }

    proptest! {
        #[test]
        fn any_tokens_are_survived(text in "([-+*/%<>()!~?:&|,a-c1-9 ]|<<|>>|sizeof|int){0,60}") {
            let _ = value(&text);
        }
    }
}
