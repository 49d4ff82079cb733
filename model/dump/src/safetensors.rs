//! A real `.safetensors` file: eight bytes of length, that many bytes of JSON, then the weights.

use std::io::{self, Read};

/// The format's own limit on its header.
const LONGEST: u64 = 100_000_000;

/// The JSON header of a safetensors file, to be read like any dump; the weights are never read.
///
/// `None` where the first bytes show another kind of file: nothing but those was read then. Fails on a file that cannot
/// be read, a length that no header has, and a header that is not UTF-8.
pub fn safetensors_header(file: &mut impl Read) -> io::Result<Option<String>> {
    let mut start = Vec::new();
    file.take(9).read_to_end(&mut start)?;
    let Some((&[b'{'], length)) =
        start.split_last_chunk::<1>().map(|(length, first)| (first, length))
    else {
        return Ok(None);
    };
    let Ok(bytes) = <[u8; 8]>::try_from(length) else { return Ok(None) };
    let length = u64::from_le_bytes(bytes);
    if !(2..=LONGEST).contains(&length) {
        // The text `tensors {` has the bracket at the same place.
        let plain = |c: char| !c.is_control() || c.is_whitespace();
        if str::from_utf8(&bytes).is_ok_and(|text| text.chars().all(plain)) {
            return Ok(None);
        }
        let reason = format!(
            "its first eight bytes give the header {length} bytes, and a header has 2 to {LONGEST}"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    let mut header = vec![b'{'];
    file.take(length - 1).read_to_end(&mut header)?;
    String::from_utf8(header).map(Some).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidData, "the safetensors header is not UTF-8")
    })
}
