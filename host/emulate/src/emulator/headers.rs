//! What a kernel's source may include though it lies nowhere beside it.

macro_rules! headers {
    ($($name:literal => $path:literal,)*) => { [$(($name, include_str!(concat!("../../../../hls/", $path)))),*] };
}

/// Names and texts. Where a folder given by the user has a header of the same name, that one is used.
pub(super) const HEADERS: [(&str, &str); 13] = headers! {
    "ap_int.h" => "sim/ap_int.h",
    "hls_math.h" => "sim/hls_math.h",
    "hls_stream.h" => "sim/hls_stream.h",
    "hls_vector.h" => "sim/hls_vector.h",
    "port.h" => "kernels/port.h",
    "derate/ap_operand.h" => "sim/derate/ap_operand.h",
    "derate/ap_operators.h" => "sim/derate/ap_operators.h",
    "derate/ap_reference.h" => "sim/derate/ap_reference.h",
    "derate/ap_value.h" => "sim/derate/ap_value.h",
    "derate/frame.h" => "sim/derate/frame.h",
    "derate/kernel.h" => "sim/derate/kernel.h",
    "derate/port.h" => "sim/derate/port.h",
    "derate/updates.h" => "sim/derate/updates.h",
};

/// The text of such a header.
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
