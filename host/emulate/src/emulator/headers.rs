//! What a kernel's source may include though it lies nowhere beside it.

use derate_hls::kernels::HEADERS;

/// The text of such a header. Where a folder given by the user has a header of the same name, that one is used.
pub fn find_header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Those that are for people: `ap_int.h, hls_stream.h and port.h`.
pub(super) fn list_headers() -> String {
    let names: Vec<&str> =
        HEADERS.iter().map(|(name, _)| *name).filter(|name| !name.contains('/')).collect();
    match names.split_last() {
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
