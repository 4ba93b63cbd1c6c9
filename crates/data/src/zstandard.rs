//! Zstandard files.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The frames of a Zstandard file one after another; ruzstd's own reader ends with the first.
pub(crate) struct Zstandard<R: BufRead> {
    source: R,
    decoder: FrameDecoder,
    inside: bool,
}

impl<R: BufRead> Zstandard<R> {
    pub(crate) fn new(source: R) -> Self {
        Zstandard { source, decoder: FrameDecoder::new(), inside: false }
    }

    /// Reads the header of the next frame; false at the end of the file.
    fn start_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(error) => match skippable(&error) {
                    Some(length) => drop(io::copy(&mut (&mut self.source).take(length), &mut io::sink())?),
                    None => return Err(io::Error::other(error)),
                },
            }
        }
        Ok(false)
    }

    fn check_sum(&self) -> io::Result<()> {
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(written), Some(found)) if written != found => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum of a Zstandard frame does not match"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside {
                self.inside = self.start_frame()?;
                if !self.inside {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() < buffer.len() && !self.decoder.is_finished() {
                let missing = buffer.len() - self.decoder.can_collect();
                let strategy = BlockDecodingStrategy::UptoBytes(missing);
                self.decoder.decode_blocks(&mut self.source, strategy).map_err(|error| plain(&error))?;
            }
            match self.decoder.read(buffer)? {
                0 => {
                    self.check_sum()?;
                    self.inside = false;
                }
                read => return Ok(read),
            }
        }
    }
}

/// A decoder's error without its type's inner parts, where they say that the file ends too early.
fn plain(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof) {
            return io::Error::new(io::ErrorKind::UnexpectedEof, "it ends inside of a block: the file is cut off");
        }
        cause = error.source();
    }
    io::Error::other(error.to_string())
}

/// The length of a frame that decoders must skip, RFC 8878 section 3.1.2.
fn skippable(error: &FrameDecoderError) -> Option<u64> {
    match error {
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. }) => {
            Some(u64::from(*length))
        }
        _ => None,
    }
}
