//! HLS C++ in, preprocessed and parsed into functions, statements and expressions.

pub mod ast;
