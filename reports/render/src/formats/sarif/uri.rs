//! File names as URI references (RFC 3986).

use std::fmt::Write;

/// The reference to a file: relative as the name is, every other byte than a plain one percent-encoded.
pub(super) fn uri_reference(name: &str) -> String {
    let mut uri = if is_absolute(name) { "file://".to_owned() } else { String::new() };
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// Whether the user named the file by its way from the root, and so not from the project's folder.
pub(super) fn is_absolute(name: &str) -> bool {
    name.starts_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded_and_stay_relative() {
        assert_eq!(uri_reference("kernels/gemm.cpp"), "kernels/gemm.cpp");
        assert_eq!(uri_reference("../a b/50%#1?.h"), "../a%20b/50%25%231%3F.h");
        assert_eq!(uri_reference("c:权.h"), "c%3A%E6%9D%83.h");
        assert_eq!(uri_reference("/opt/x.h"), "file:///opt/x.h");
    }
}
