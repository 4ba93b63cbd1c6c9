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

/// The member that begins here; `None` at the end, or where zeros fill the rest.
fn next_member<R: BufRead>(mut source: R) -> io::Result<Option<GzDecoder<R>>> {
    if source.fill_buf()?.first().is_some_and(|first| *first != 0) {
        return Ok(Some(GzDecoder::new(source)));
    }
    loop {
        match source.fill_buf()? {
            [] => return Ok(None),
            rest if rest.iter().any(|byte| *byte != 0) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "something stands behind the zeros at its end"));
            }
            zeros => {
                let length = zeros.len();
                source.consume(length);
            }
        }
    }
}
