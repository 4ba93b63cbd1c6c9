//! Zstandard files.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Bytes of a window that are held, as many as `zstd -d` holds unless it is told otherwise.
const WINDOW_MAX: u64 = 128 << 20;

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
            let header = read_header(&mut self.source)?;
            // A decoder has a limit of its own, which is lower, for all frames but its first.
            let started = match self.decoder.reset(header.as_slice()) {
                Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                    self.decoder = FrameDecoder::new();
                    self.decoder.reset(header.as_slice())
                }
                started => started,
            };
            match started {
                Ok(()) => return Ok(true),
                Err(error) => match skippable(&error) {
                    Some(length) => drop(io::copy(&mut (&mut self.source).take(length), &mut io::sink())?),
                    None => return Err(plain(&error)),
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

/// Reads the header of a frame, RFC 8878 section 3.1.1.1, or the first bytes of one that decoders skip; as much of it as there is.
///
/// # Errors
/// Its window is larger than what is held.
fn read_header(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut header = Vec::new();
    source.take(5).read_to_end(&mut header)?;
    let [0x28, 0xB5, 0x2F, 0xFD, descriptor] = header[..] else {
        source.take(3).read_to_end(&mut header)?;
        return Ok(header);
    };
    let is_single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = [u64::from(is_single), 2, 4, 8][usize::from(descriptor >> 6)];
    source.take(u64::from(!is_single) + dictionary + content).read_to_end(&mut header)?;
    let window = if is_single {
        let content = header.iter().skip(5 + dictionary as usize).rev();
        content.fold(0, |size, byte| size << 8 | u64::from(*byte))
    } else {
        let descriptor = header.get(5).copied().unwrap_or_default();
        (8 + u64::from(descriptor & 7)) << (7 + (descriptor >> 3))
    };
    if window > WINDOW_MAX {
        let (found, most) = (window >> 20, WINDOW_MAX >> 20);
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a frame's window is {found} MiB, and {most} MiB is the most: compress it anew with a smaller one"),
        ));
    }
    Ok(header)
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
