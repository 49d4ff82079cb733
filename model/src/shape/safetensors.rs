//! A real `.safetensors` file: eight bytes of length, that many bytes of JSON, then the weights.

use std::io::{self, Read};

/// The format's own limit on its header.
const LONGEST: u64 = 100_000_000;

/// The JSON header of a safetensors file, to be read like any dump; the weights are never read.
///
/// `None` where the first bytes show another kind of file: nothing but those was read then.
pub fn safetensors_header(file: &mut impl Read) -> io::Result<Option<String>> {
    let mut start = Vec::new();
    file.take(9).read_to_end(&mut start)?;
    let Some((&[b'{'], length)) =
        start.split_last_chunk::<1>().map(|(length, first)| (first, length))
    else {
        return Ok(None);
    };
    let Ok(length) = <[u8; 8]>::try_from(length).map(u64::from_le_bytes) else { return Ok(None) };
    if !(2..=LONGEST).contains(&length) {
        return Ok(None);
    }
    let mut header = vec![b'{'];
    file.take(length - 1).read_to_end(&mut header)?;
    String::from_utf8(header).map(Some).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidData, "the safetensors header is not UTF-8")
    })
}
