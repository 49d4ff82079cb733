//! Operators by their spelling.

use crate::ast::{BinaryOp, UnaryOp};

pub(crate) fn find_binary(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Rem,
        "&" | "bitand" => BinaryOp::And,
        "|" | "bitor" => BinaryOp::Or,
        "^" | "xor" => BinaryOp::Xor,
        "<<" => BinaryOp::ShiftLeft,
        ">>" => BinaryOp::ShiftRight,
        "&&" | "and" => BinaryOp::LogicalAnd,
        "||" | "or" => BinaryOp::LogicalOr,
        "==" => BinaryOp::Equal,
        "!=" | "not_eq" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterEqual,
        _ => return None,
    })
}

pub(crate) fn find_unary(text: &str) -> Option<UnaryOp> {
    Some(match text {
        "-" => UnaryOp::Negate,
        "+" => UnaryOp::Plus,
        "!" | "not" => UnaryOp::Not,
        "~" | "compl" => UnaryOp::Invert,
        "*" => UnaryOp::Dereference,
        "&" => UnaryOp::AddressOf,
        _ => return None,
    })
}
