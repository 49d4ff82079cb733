//! `OpenCL` C for readers of C++.

/// The words of `OpenCL` C that readers of C++ do without, and what they mean there.
const OPENCL_C: [(&str, &str); 11] = [
    ("kernel", ""),
    ("__kernel", ""),
    ("global", ""),
    ("__global", ""),
    ("local", ""),
    ("__local", ""),
    ("constant", "const"),
    ("__constant", "const"),
    ("restrict", ""),
    ("__restrict", ""),
    ("__attribute__", ""),
];

/// `OpenCL` C as readers of C++ take it, each byte at its place: what `derate/opencl_c.h` does for the compiler.
pub fn read_opencl_c(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, at) = rest.split_at(start);
        let (word, after) = at.split_at(at.find(|sign| !is_word(sign)).unwrap_or(at.len()));
        read.push_str(before);
        match OPENCL_C.iter().find(|(known, _)| *known == word) {
            Some((_, meaning)) => {
                read.push_str(meaning);
                read.extend(std::iter::repeat_n(' ', word.len().saturating_sub(meaning.len())));
            }
            None => read.push_str(word),
        }
        rest = after;
        // An attribute goes with its brackets.
        if word == "__attribute__" {
            let length = bracketed(rest);
            let (brackets, after) = rest.split_at(length);
            read.extend(brackets.chars().map(|sign| if sign == '\n' { sign } else { ' ' }));
            rest = after;
        }
    }
    read.push_str(rest);
    read
}

/// The bytes up to the bracket that closes the first one.
fn bracketed(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' if depth > 1 => depth -= 1,
            ')' if depth == 1 => return at + 1,
            _ if depth == 0 && !sign.is_whitespace() => return 0,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    #[test]
    fn opencl_c_is_read_as_cpp() {
        let text = "kernel __attribute__((a(1, 1))) void f(global const int* p) { int globals; }";
        let read = super::read_opencl_c(text);
        assert_eq!(read.len(), text.len());
        let words: Vec<&str> = read.split_whitespace().collect();
        assert_eq!(words.join(" "), "void f( const int* p) { int globals; }");
    }
}
