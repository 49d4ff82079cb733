//! How messages are framed: fourteen bytes before a request, nine before an answer.

use std::io::{self, ErrorKind, IoSlice, Read, Write};

use super::SwemuError;

/// XRT cuts data into pieces of 8 MiB, unless `SW_EMU_PACKET_SIZE` says otherwise.
const LONGEST: u64 = 1 << 30;
/// Bytes that are made room for at a time: a length alone takes no memory.
const PIECE: usize = 1 << 20;

/// A request: which call, and its message.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Request {
    pub(super) call: u32,
    pub(super) body: Vec<u8>,
}

/// A request of which the message is not all here.
#[derive(Debug)]
pub(super) struct Coming {
    call: u32,
    length: usize,
    body: Vec<u8>,
    filled: usize,
}

impl Coming {
    /// The number of the call.
    pub(super) fn call(&self) -> u32 {
        self.call
    }

    /// The first `count` bytes of the message, or all of it where it is shorter.
    pub(super) fn peek(
        &mut self,
        stream: &mut impl Read,
        count: usize,
    ) -> Result<&[u8], SwemuError> {
        self.fill_up_to(stream, count)?;
        Ok(self.body.get(..self.filled).unwrap_or_default())
    }

    /// The whole request.
    pub(super) fn finish(mut self, stream: &mut impl Read) -> Result<Request, SwemuError> {
        self.fill_up_to(stream, self.length)?;
        self.body.truncate(self.length);
        Ok(Request { call: self.call, body: self.body })
    }

    fn fill_up_to(&mut self, stream: &mut impl Read, count: usize) -> Result<(), SwemuError> {
        let count = count.min(self.length);
        while self.filled < count {
            let end = count.min(self.filled + PIECE);
            // The bytes of a request before are as good as zeros.
            if self.body.len() < end {
                self.body.resize(end, 0);
            }
            let place = self.body.get_mut(self.filled..end).unwrap_or_default();
            stream.read_exact(place).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => SwemuError::Cut,
                _ => SwemuError::Socket(error.to_string()),
            })?;
            self.filled = end;
        }
        Ok(())
    }
}

/// The next request, in the room of one before; `None` where the host has closed the socket between two of them.
pub(super) fn begin_request(
    stream: &mut impl Read,
    room: Vec<u8>,
) -> Result<Option<Coming>, SwemuError> {
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
    let length = usize::try_from(length).map_err(|_| SwemuError::Frame)?;
    let call = u32::from_le_bytes([c0, c1, c2, c3]);
    Ok(Some(Coming { call, length, body: room, filled: 0 }))
}

/// Sends an answer.
pub(super) fn write_answer(stream: &mut impl Write, body: &[u8]) -> io::Result<()> {
    begin_answer(stream, body.len(), body)
}

/// Sends the head of an answer of `length` bytes, and the first of them; the others follow.
pub(super) fn begin_answer(stream: &mut impl Write, length: usize, first: &[u8]) -> io::Result<()> {
    let mut head = [0x09; 9];
    head.iter_mut().skip(1).zip((length as u64).to_le_bytes()).for_each(|(to, from)| *to = from);
    // Both at once: a short answer is one packet, and a long one is not copied.
    let mut sent = loop {
        match stream.write_vectored(&[IoSlice::new(&head), IoSlice::new(first)]) {
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
    stream.write_all(first.get(sent - head.len()..).unwrap_or_default())
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

    fn read_request(mut stream: &[u8]) -> Result<Option<Request>, SwemuError> {
        let room = vec![7; 3];
        let Some(mut coming) = begin_request(&mut stream, room)? else { return Ok(None) };
        assert!(coming.peek(&mut stream, 2)?.len() <= 3);
        coming.finish(&mut stream).map(Some)
    }

    #[test]
    fn a_cut_is_told_and_an_end_is_none() {
        let whole = framed(9, &[1, 2, 3]);
        assert_eq!(read_request(&whole).unwrap(), Some(Request { call: 9, body: vec![1, 2, 3] }));
        assert!(read_request(&[]).unwrap().is_none());
        for length in 1..whole.len() {
            assert!(matches!(read_request(&whole[..length]), Err(SwemuError::Cut)), "{length}");
        }
        let mut long = framed(9, &[]);
        long[1..9].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(read_request(&long), Err(SwemuError::Frame)));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = read_request(&bytes);
        }
    }
}
