//! Server-sent events, as the HTML standard has them.

/// Bytes of an event; servers send tokens, and one that sends more than this sends something else.
const EVENT_BYTES_MAX: usize = 4 << 20;

/// Reads the data of events from bytes that come in any pieces.
#[derive(Debug, Default)]
pub(crate) struct EventReader {
    /// The line so far.
    line: Vec<u8>,
    /// The event's data so far, a line feed behind each of its lines.
    data: Vec<u8>,
    /// Whether the last byte was a carriage return, so that a line feed belongs to it.
    after_return: bool,
    has_begun: bool,
}

/// An event is longer than anyone sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream has more than {EVENT_BYTES_MAX} bytes")]
pub(crate) struct TooLong;

impl EventReader {
    /// Takes further bytes, and calls `event` with the data of each event that they complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut event: impl FnMut(&[u8])) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(bytes);
                return self.check();
            };
            self.line.extend_from_slice(&bytes[..end]);
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_line(&mut event);
            self.check()?;
        }
        Ok(())
    }

    /// Takes what stands behind the last line's end: servers leave out the empty line behind the last event.
    pub(crate) fn finish(&mut self, mut event: impl FnMut(&[u8])) {
        if !self.line.is_empty() {
            self.end_line(&mut event);
        }
        self.end_line(&mut event);
    }

    fn end_line(&mut self, event: &mut impl FnMut(&[u8])) {
        let mut line = &self.line[..];
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            if let Some((_, data)) = self.data.split_last() {
                event(data);
            }
            self.data.clear();
        } else if let Some(value) = line.strip_prefix(b"data") {
            // Else it is a field whose name only begins like that.
            let value = if value.is_empty() { Some(value) } else { value.strip_prefix(b":") };
            if let Some(value) = value {
                self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
                self.data.push(b'\n');
            }
        }
        self.line.clear();
    }

    fn check(&self) -> Result<(), TooLong> {
        if self.line.len() + self.data.len() > EVENT_BYTES_MAX { Err(TooLong) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pieces: &[&[u8]]) -> Vec<String> {
        let (mut reader, mut events) = (EventReader::default(), Vec::new());
        let mut take = |data: &[u8]| events.push(String::from_utf8(data.to_vec()).unwrap());
        pieces.iter().for_each(|piece| reader.push(piece, &mut take).unwrap());
        reader.finish(&mut take);
        events
    }

    #[test]
    fn events_are_the_same_in_any_pieces() {
        let stream = "\u{feff}data: {\"a\": 1}\n\n: still there\n\ndata:two\r\ndata: lines\r\n\r\nevent: x\rid: 3\rdata\r\rdatabase: no\n\n\
            data: é\n\ndata: [DONE]";
        let expected = ["{\"a\": 1}", "two\nlines", "", "é", "[DONE]"];
        let bytes = stream.as_bytes();
        for size in 1..=bytes.len() {
            assert_eq!(events(&bytes.chunks(size).collect::<Vec<_>>()), expected, "in pieces of {size}");
        }
        assert_eq!(events(&[]), [""; 0]);
        assert_eq!(events(&[b"\n\n: comment\n\n"]), [""; 0]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let piece = vec![b'x'; 1 << 20];
        let mut reader = EventReader::default();
        let taken = (0..8).map(|_| reader.push(&piece, |_| {})).take_while(Result::is_ok).count();
        assert_eq!(taken, 4);
        let mut reader = EventReader::default();
        let line = [b"data: ", &piece[..], b"\n"].concat();
        assert_eq!((0..8).map(|_| reader.push(&line, |_| {})).take_while(Result::is_ok).count(), 3);
    }
}
