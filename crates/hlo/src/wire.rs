//! The wire form of protocol buffers, as far as XLA's messages need it.

/// A field of a message: its number, and its content.
pub(crate) struct Field<'m> {
    pub(crate) number: u64,
    pub(crate) value: Value<'m>,
}

pub(crate) enum Value<'m> {
    /// A number of variable length.
    Number(u64),
    /// Text, bytes, a message or packed numbers.
    Bytes(&'m [u8]),
    /// A number of fixed length, which nothing here reads.
    Fixed,
}

impl<'m> Value<'m> {
    pub(crate) fn number(&self) -> Option<u64> {
        if let Value::Number(number) = self { Some(*number) } else { None }
    }

    pub(crate) fn bytes(&self) -> Option<&'m [u8]> {
        if let Value::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    /// The numbers of a repeated field, packed or one by one.
    pub(crate) fn numbers(&self) -> Option<Vec<u64>> {
        match *self {
            Value::Number(number) => Some(vec![number]),
            Value::Bytes(mut bytes) => {
                let mut numbers = Vec::new();
                while !bytes.is_empty() {
                    numbers.push(varint(&mut bytes)?);
                }
                Some(numbers)
            }
            Value::Fixed => None,
        }
    }
}

/// The fields of a message, or `None` where its bytes are none.
pub(crate) fn fields(mut message: &[u8]) -> Option<Vec<Field<'_>>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut message)?),
            1 => take(&mut message, 8).map(|_| Value::Fixed)?,
            2 => {
                let length = usize::try_from(varint(&mut message)?).ok()?;
                Value::Bytes(take(&mut message, length)?)
            }
            5 => take(&mut message, 4).map(|_| Value::Fixed)?,
            _ => return None,
        };
        fields.push(Field { number: key >> 3, value });
    }
    Some(fields)
}

fn take<'m>(message: &mut &'m [u8], count: usize) -> Option<&'m [u8]> {
    let (taken, rest) = message.split_at_checked(count)?;
    *message = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value: u64 = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)?[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_no_message() {
        // field 1 = 300, field 2 = "ab", field 3 = [1, 2] packed
        let message = [0x08, 0xac, 0x02, 0x12, 2, b'a', b'b', 0x1a, 2, 1, 2];
        let read = fields(&message).expect("it is whole");
        assert_eq!(read[0].value.number(), Some(300));
        assert_eq!(read[1].value.bytes(), Some(&b"ab"[..]));
        assert_eq!(read[2].value.numbers(), Some(vec![1, 2]));
        for end in [1, 2, 4, 5, 6, 8, 9, 10] {
            assert!(fields(&message[..end]).is_none(), "{end} bytes");
        }
        assert!(fields(&[0x08; 1]).is_none() && fields(&[0x0b]).is_none());
        let endless = [[0x08].as_slice(), &[0x80; 11]].concat();
        assert!(fields(&endless).is_none());
    }
}

/// Messages as tests write them.
#[cfg(test)]
pub(crate) mod written {
    pub(crate) fn varint(mut value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    /// A field that holds a number.
    pub(crate) fn number(field: u64, value: u64) -> Vec<u8> {
        [varint(field << 3), varint(value)].concat()
    }

    /// A field that holds bytes, a text or a message.
    pub(crate) fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
        [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
    }
}
