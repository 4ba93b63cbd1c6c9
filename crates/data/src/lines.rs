//! Lines of a plain, gzip or Zstandard file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::error::{Error, Result};

/// A longer line is not a sample but a file of another kind, or a decompression bomb.
const LINE_BYTES_MAX: u64 = 1 << 28;

/// Reads a file line by line, decompressed by its name: `.gz`, `.zst`, else as it is.
pub(crate) struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    number: u64,
    compressed: bool,
}

/// One line with its number, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io("read", path))?;
        let file = BufReader::with_capacity(1 << 16, file);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let reader: Box<dyn BufRead> = match extension {
            "gz" => Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file))),
            "zst" | "zstd" => Box::new(BufReader::with_capacity(1 << 16, Zstandard::new(file))),
            _ => Box::new(file),
        };
        let compressed = matches!(extension, "gz" | "zst" | "zstd");
        Ok(Lines { path: path.to_path_buf(), reader, number: 0, compressed })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The next line that is not blank, without its line end.
    pub(crate) fn next_line(&mut self) -> Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let read = (&mut self.reader).take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes);
            let action = if self.compressed { "decompress" } else { "read" };
            let read = read.map_err(Error::io(action, &self.path))?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 == LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
                let reason = format!("the line is longer than {} MiB, so this is no JSONL file", LINE_BYTES_MAX >> 20);
                return Err(Error::line(&self.path, self.number, reason));
            }
            while bytes.last().is_some_and(|&byte| byte == b'\n' || byte == b'\r') {
                bytes.pop();
            }
            if self.number == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Line { number: self.number, bytes }));
            }
        }
    }

    /// Up to `lines_max` lines, fewer once they hold `bytes_max` bytes; empty at the end of the file.
    pub(crate) fn next_chunk(&mut self, lines_max: usize, bytes_max: usize) -> Result<Vec<Line>> {
        let mut chunk = Vec::new();
        let mut bytes = 0;
        while chunk.len() < lines_max && bytes < bytes_max {
            let Some(line) = self.next_line()? else { break };
            bytes += line.bytes.len();
            chunk.push(line);
        }
        Ok(chunk)
    }
}

/// The frames of a Zstandard file one after another; ruzstd's own reader ends with the first.
struct Zstandard<R: BufRead> {
    source: R,
    decoder: FrameDecoder,
    inside: bool,
}

impl<R: BufRead> Zstandard<R> {
    fn new(source: R) -> Self {
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
