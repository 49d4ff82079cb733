//! The bitstream of a design for software emulation: compiled kernels. XRT hands it to its device untouched, and however much
//! of a file there is.

use thiserror::Error;

use crate::sha256::sha256;

/// The mark before the digest; the shared object follows the digest.
const MARK: &[u8; 16] = b"derate kernels 4";
/// The mark without its number.
const MAKER: usize = 15;
const DIGEST: usize = 32;

/// Why a bitstream gives no code.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum CodeError {
    /// derate did not make it.
    #[error("it carries no code for its kernels")]
    None,
    /// It is not what derate wrote.
    #[error(
        "the code of its kernels is damaged: its {0} bytes are not those that `derate emu xclbin` wrote"
    )]
    Damaged(usize),
    /// It has another form.
    #[error("another version of derate made the code of its kernels")]
    Version,
}

/// A bitstream that holds shared objects of kernels.
pub fn make_payload(images: &[Vec<u8>]) -> Vec<u8> {
    let mut all = Vec::new();
    for image in images {
        all.extend((image.len() as u64).to_le_bytes());
        all.extend(image);
    }
    [&MARK[..], &sha256(&all), &all].concat()
}

/// The shared objects in a bitstream, where it is whole.
pub fn read_code(bitstream: &[u8]) -> Result<Vec<&[u8]>, CodeError> {
    let Some(rest) = bitstream.strip_prefix(MARK) else {
        let is_ours = bitstream.starts_with(&MARK[..MAKER]) && bitstream.len() > MARK.len();
        return Err(if is_ours { CodeError::Version } else { CodeError::None });
    };
    let damaged = CodeError::Damaged(bitstream.len());
    let (digest, mut all) = rest.split_at_checked(DIGEST).ok_or(damaged)?;
    if digest != sha256(all) {
        return Err(damaged);
    }
    let mut images = Vec::new();
    while let Some((length, rest)) = all.split_first_chunk() {
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged)?;
        let (image, rest) = rest.split_at_checked(length).ok_or(damaged)?;
        images.push(image);
        all = rest;
    }
    Ok(images)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_whole_or_none() {
        let whole = make_payload(&[b"code".to_vec(), b"more".to_vec()]);
        assert_eq!(read_code(&whole), Ok(vec![&b"code"[..], &b"more"[..]]));
        for end in MARK.len()..whole.len() {
            assert_eq!(read_code(&whole[..end]), Err(CodeError::Damaged(end)));
        }
        assert_eq!(read_code(b"derate kernels"), Err(CodeError::None));
        assert_eq!(read_code(b"derate kernels 1 ELF"), Err(CodeError::Version));
        let mut other = whole.clone();
        other[MARK.len() + DIGEST] ^= 1;
        assert_eq!(read_code(&other), Err(CodeError::Damaged(whole.len())));
    }
}
