//! Protocol buffers, as far as XRT's software emulation uses them: varints, byte strings, fixed numbers.

/// One field of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Value<'a> {
    /// `bool`, `uint32`, `uint64`.
    Number(u64),
    /// `bytes`, `string`, or a message within.
    Bytes(&'a [u8]),
}

/// A message's fields in order. A second field of a number counts as another one of a list.
#[derive(Debug, Default)]
pub(super) struct Message<'a>(Vec<(u64, Value<'a>)>);

/// Fields of one message; XRT's largest have some dozens.
const MOST_FIELDS: usize = 4096;

impl<'a> Message<'a> {
    /// Takes a message apart; `None` where it breaks off or has a form that no message has.
    pub(super) fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let tag = read_varint(&mut bytes)?;
            let value = read_value(&mut bytes, tag)?;
            if fields.len() >= MOST_FIELDS {
                return None;
            }
            fields.push((tag >> 3, value));
        }
        Some(Self(fields))
    }

    /// The number in a field; what is not sent counts as zero.
    pub(super) fn number(&self, field: u64) -> u64 {
        let numbers = self.0.iter().rev().filter(|(number, _)| *number == field);
        let number = |value| if let Value::Number(number) = value { Some(number) } else { None };
        numbers.copied().find_map(|(_, value)| number(value)).unwrap_or_default()
    }

    /// The bytes in a field; what is not sent counts as empty.
    pub(super) fn bytes(&self, field: u64) -> &'a [u8] {
        self.all(field).last().unwrap_or_default()
    }

    /// The text in a field.
    pub(super) fn text(&self, field: u64) -> String {
        String::from_utf8_lossy(self.bytes(field)).into_owned()
    }

    /// The bytes of every field of a number.
    pub(super) fn all(&self, field: u64) -> impl Iterator<Item = &'a [u8]> {
        self.0.iter().filter_map(move |(number, value)| match value {
            Value::Bytes(bytes) if *number == field => Some(*bytes),
            _ => None,
        })
    }
}

/// The value that follows a tag.
fn read_value<'a>(bytes: &mut &'a [u8], tag: u64) -> Option<Value<'a>> {
    Some(match tag & 7 {
        0 => Value::Number(read_varint(bytes)?),
        1 => Value::Number(u64::from_le_bytes(*take_bytes(bytes, 8)?.first_chunk()?)),
        2 => {
            let length = usize::try_from(read_varint(bytes)?).ok()?;
            Value::Bytes(take_bytes(bytes, length)?)
        }
        5 => {
            let four = *take_bytes(bytes, 4)?.first_chunk()?;
            Value::Number(u64::from(u32::from_le_bytes(four)))
        }
        _ => return None,
    })
}

/// The fields before the bytes of a field, and the length of those, from the beginning of a message; `None` where it does not
/// reach so far.
pub(super) fn read_before(mut bytes: &[u8], field: u64) -> Option<(Message<'_>, u64)> {
    let mut fields = Vec::new();
    loop {
        let tag = read_varint(&mut bytes)?;
        if tag == field << 3 | 2 {
            return Some((Message(fields), read_varint(&mut bytes)?));
        }
        fields.push((tag >> 3, read_value(&mut bytes, tag)?));
    }
}

fn take_bytes<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (first, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(first)
}

fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..10 {
        let byte = *take_bytes(bytes, 1)?.first()?;
        number |= u64::from(byte & 0x7f).checked_shl(7 * place).unwrap_or_default();
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// A message to send.
#[derive(Debug, Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    /// Says that so many bytes follow, which are not here yet.
    #[must_use]
    pub(super) fn length(mut self, field: u64, bytes: usize) -> Self {
        self.push_varint(field << 3 | 2);
        self.push_varint(bytes as u64);
        self
    }

    /// Adds a number.
    #[must_use]
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        self.push_varint(field << 3);
        self.push_varint(value);
        self
    }

    /// Adds bytes.
    #[must_use]
    pub(super) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.push_varint(field << 3 | 2);
        self.push_varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    /// The message.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn push_varint(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            value >>= 7;
            if value == 0 {
                self.0.push(low & 0x7f);
                return;
            }
            self.0.push(low | 0x80);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The example of the encoding's own documentation.
    #[test]
    fn one_hundred_and_fifty() {
        assert_eq!(Writer::default().number(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::read(&[0x08, 0x96, 0x01]).unwrap().number(1), 150);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(a: u64, text in proptest::collection::vec(any::<u8>(), 0..300)) {
            let bytes = Writer::default().number(3, a).bytes(4, &text).bytes(4, &[1]).into_bytes();
            let message = Message::read(&bytes).unwrap();
            prop_assert_eq!(message.number(3), a);
            prop_assert_eq!(message.all(4).next(), Some(&text[..]));
            prop_assert_eq!(message.bytes(4), &[1]);
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Message::read(&bytes);
        }
    }
}
