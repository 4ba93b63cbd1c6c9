//! Gzip files.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// The members of a gzip file one after another. Zeros behind the last are its end, as they are to `gzip -d`: tapes and disks fill their blocks with them.
pub(crate) struct Gzip<R: BufRead> {
    /// The member that is read; `None` behind the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gzip<R> {
    pub(crate) fn new(source: R) -> Self {
        Gzip { member: Some(GzDecoder::new(source)) }
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            match member.read(buffer)? {
                0 => {
                    self.member = self.member.take().map(GzDecoder::into_inner).map(next_member).transpose()?.flatten()
                }
                read => return Ok(read),
            }
        }
        Ok(0)
    }
}

/// The member that begins here; `None` at the end, or where zeros fill the rest. An interruption is waited out: with the error the source would be gone, and
/// whoever reads again, as all of `std` does, would find the file's end.
fn next_member<R: BufRead>(mut source: R) -> io::Result<Option<GzDecoder<R>>> {
    let mut behind_zeros = false;
    loop {
        let length = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok([]) => return Ok(None),
            Ok([first, ..]) if *first != 0 && !behind_zeros => break,
            Ok(rest) if rest.iter().any(|byte| *byte != 0) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "something stands behind the zeros at its end"));
            }
            Ok(zeros) => zeros.len(),
        };
        source.consume(length);
        behind_zeros = true;
    }
    Ok(Some(GzDecoder::new(source)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// Is interrupted once where each part begins.
    struct Interrupted {
        parts: Vec<Vec<u8>>,
        at: usize,
        was_interrupted: bool,
    }

    impl Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.fill_buf()?.read(buffer)?;
            self.consume(read);
            Ok(read)
        }
    }

    impl BufRead for Interrupted {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            if self.parts.first().is_some_and(|part| part.len() == self.at) {
                self.parts.remove(0);
                (self.at, self.was_interrupted) = (0, false);
            }
            if self.at == 0 && !self.was_interrupted {
                self.was_interrupted = true;
                return Err(io::ErrorKind::Interrupted.into());
            }
            Ok(self.parts.first().map_or(&[] as &[u8], |part| &part[self.at..]))
        }

        fn consume(&mut self, bytes: usize) {
            self.at += bytes;
        }
    }

    #[test]
    fn an_interruption_between_members_ends_nothing() {
        let member = |text: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(text).expect("memory");
            encoder.finish().expect("memory")
        };
        let parts = vec![member(b"one "), member(b"two "), member(b"three"), vec![0; 3], vec![0; 2]];
        let mut text = String::new();
        let read = Gzip::new(Interrupted { parts, at: 0, was_interrupted: false }).read_to_string(&mut text);
        assert_eq!((read.expect("two members"), text.as_str()), (13, "one two three"));
    }
}
