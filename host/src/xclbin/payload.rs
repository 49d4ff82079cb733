//! The bitstream of a design for software emulation: compiled kernels. XRT hands it to its device untouched.

/// What stands in front of the shared object.
const MARK: &[u8; 16] = b"derate kernels 1";

/// A bitstream that holds a shared object of kernels.
pub fn payload(image: &[u8]) -> Vec<u8> {
    [MARK, image].concat()
}

/// The shared object in a bitstream; `None` where it is none of ours.
pub fn code(bitstream: &[u8]) -> Option<&[u8]> {
    bitstream.strip_prefix(MARK)
}
