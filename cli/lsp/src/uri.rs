//! Paths as the editor names them.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const SCHEME: &str = "file://";
/// What a path may have as it is (RFC 3986, `pchar` and the slash).
const KEPT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path of a `file:` URI; `None` for another scheme or another machine.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix(SCHEME)?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(rest).decode_utf8().ok()?;
    path.starts_with('/').then(|| PathBuf::from(path.as_ref()))
}

/// The URI of an absolute path.
pub(crate) fn uri_of(path: &Path) -> Uri {
    Uri(format!("{SCHEME}{}", utf8_percent_encode(&path.to_string_lossy(), KEPT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_its_uri() {
        for path in ["/a/b.h", "/a b/\u{e4}%20#?.cpp", "/c++/x(1).h"] {
            assert_eq!(path_of(&uri_of(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
    }

    #[test]
    fn only_files_of_this_machine_have_a_path() {
        for uri in ["https://a/b.h", "file://host/b.h", "untitled:Untitled-1", "file:///%ff"] {
            assert_eq!(path_of(&Uri(uri.to_owned())), None, "{uri}");
        }
    }
}
