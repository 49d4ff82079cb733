//! How messages are framed: fourteen bytes before a request, nine before an answer.

use std::io::{self, ErrorKind, IoSlice, Read, Write};

use super::SwemuError;

/// XRT cuts data into pieces of 8 MiB, unless `SW_EMU_PACKET_SIZE` says otherwise.
const LONGEST: u64 = 1 << 30;

/// A request: which call, and its message.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Request {
    pub(super) call: u32,
    pub(super) body: Vec<u8>,
}

/// The next request, in the room of one before; `None` where the host has closed the socket between two of them.
pub(super) fn read_request(
    stream: &mut impl Read,
    room: Vec<u8>,
) -> Result<Option<Request>, SwemuError> {
    let mut head = [0; 14];
    let mut filled = 0;
    while filled < head.len() {
        match stream.read(head.get_mut(filled..).unwrap_or_default()) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(SwemuError::Cut),
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // A host that died.
            Err(error) if error.kind() == ErrorKind::ConnectionReset && filled == 0 => {
                return Ok(None);
            }
            Err(error) => return Err(SwemuError::Socket(error.to_string())),
        }
    }
    let [tag, l0, l1, l2, l3, l4, l5, l6, l7, call_tag, c0, c1, c2, c3] = head;
    let length = u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]);
    if tag != 0x09 || call_tag != 0x15 || length > LONGEST {
        return Err(SwemuError::Frame);
    }
    let mut body = room;
    body.clear();
    let read = stream.take(length).read_to_end(&mut body);
    let read = read.map_err(|error| SwemuError::Socket(error.to_string()))?;
    if read as u64 != length {
        return Err(SwemuError::Cut);
    }
    Ok(Some(Request { call: u32::from_le_bytes([c0, c1, c2, c3]), body }))
}

/// Sends an answer.
pub(super) fn write_answer(stream: &mut impl Write, body: &[u8]) -> io::Result<()> {
    let mut head = [0x09; 9];
    head.iter_mut()
        .skip(1)
        .zip((body.len() as u64).to_le_bytes())
        .for_each(|(to, from)| *to = from);
    // Both at once: a short answer is one packet, and a long one is not copied.
    let mut sent = loop {
        match stream.write_vectored(&[IoSlice::new(&head), IoSlice::new(body)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => break count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    if let Some(rest) = head.get(sent..) {
        stream.write_all(rest)?;
        sent = head.len();
    }
    stream.write_all(body.get(sent - head.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn framed(call: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x09];
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.push(0x15);
        bytes.extend(call.to_le_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn a_cut_is_told_and_an_end_is_none() {
        let whole = framed(9, &[1, 2, 3]);
        assert_eq!(
            read_request(&mut &*whole, Vec::new()).unwrap(),
            Some(Request { call: 9, body: vec![1, 2, 3] })
        );
        assert!(read_request(&mut &[][..], Vec::new()).unwrap().is_none());
        for length in 1..whole.len() {
            assert!(
                matches!(read_request(&mut &whole[..length], Vec::new()), Err(SwemuError::Cut)),
                "{length}"
            );
        }
        let mut long = framed(9, &[]);
        long[1..9].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(read_request(&mut &*long, Vec::new()), Err(SwemuError::Frame)));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = read_request(&mut &*bytes, Vec::new());
        }
    }
}
