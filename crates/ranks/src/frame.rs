//! Frames on a stream: the length of a message as four little-endian bytes, then the message.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most bytes of a frame between ranks; a client's keys and values are far smaller.
pub(crate) const FRAME_BYTES_MAX: usize = 16 << 20;

/// Writes a message in one piece.
pub(crate) fn write_frame(mut stream: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    frame.extend(postcard::to_allocvec(message).map_err(io::Error::other)?);
    let length = frame.len() - 4;
    if length > FRAME_BYTES_MAX {
        return Err(io::Error::other(format!("a message of {length} bytes; the limit is {FRAME_BYTES_MAX}")));
    }
    frame[..4].copy_from_slice(&(length as u32).to_le_bytes());
    stream.write_all(&frame)
}

/// Reads a message of at most `bytes_max` bytes. Memory grows with what has arrived, not with what is announced.
///
/// # Errors
/// The stream ends or fails, the frame is too long, or it does not hold exactly one message.
pub(crate) fn read_frame<M: DeserializeOwned>(mut stream: impl Read, bytes_max: usize) -> io::Result<M> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > bytes_max {
        return Err(invalid(format!("a message of {length} bytes; the limit is {bytes_max}")));
    }
    let mut bytes = Vec::new();
    if stream.take(length as u64).read_to_end(&mut bytes)? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match postcard::take_from_bytes(&bytes) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(invalid(format!("{} bytes behind a message", rest.len()))),
        Err(error) => Err(invalid(format!("a malformed message: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Request, ToCoordinator};

    fn read(bytes: &[u8]) -> Result<ToCoordinator, io::ErrorKind> {
        read_frame(bytes, 64).map_err(|error| error.kind())
    }

    #[test]
    fn a_frame_is_read_as_written_and_hostile_ones_are_refused() {
        let message = ToCoordinator::Request { id: 7, request: Request::TryGet { key: b"a key".to_vec() } };
        let mut frame = Vec::new();
        write_frame(&mut frame, &message).unwrap();
        assert_eq!(read(&frame), Ok(message));

        for cut in 0..frame.len() {
            assert_eq!(read(&frame[..cut]), Err(io::ErrorKind::UnexpectedEof), "{cut} bytes");
        }
        let mut longer = frame.clone();
        longer[0] += 1;
        longer.push(0);
        assert_eq!(read(&longer), Err(io::ErrorKind::InvalidData), "a byte behind the message");
        assert_eq!(
            read(&u32::MAX.to_le_bytes()),
            Err(io::ErrorKind::InvalidData),
            "an announced length beyond the limit"
        );
        assert_eq!(read(&[1, 0, 0, 0, 99]), Err(io::ErrorKind::InvalidData), "no such message");
        // A key of more bytes than the frame has.
        assert_eq!(read(&[4, 0, 0, 0, 0, 0, 1, 60]), Err(io::ErrorKind::InvalidData));
    }

    #[test]
    fn a_message_that_is_too_long_is_not_sent() {
        let request = Request::Put { key: Vec::new(), value: vec![0; FRAME_BYTES_MAX] };
        let error = write_frame(io::sink(), &ToCoordinator::Request { id: 0, request }).unwrap_err();
        assert!(error.to_string().ends_with("the limit is 16777216"), "{error}");
    }
}
