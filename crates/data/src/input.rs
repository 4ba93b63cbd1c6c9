//! Files as text: decompressed by what they hold, without a byte order mark, and refused by name where they are no text.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};
use crate::gzip::Gzip;
use crate::zstandard::Zstandard;

/// Bytes that are looked at to tell what a file is.
const HEAD_BYTES: u64 = 4096;
const BUFFER_BYTES: usize = 1 << 16;
/// What names of data sets on the hub do not end with.
const FILE_ENDINGS: [&str; 9] = [".json", ".jsonl", ".ndjson", ".txt", ".parquet", ".arrow", ".csv", ".gz", ".zst"];
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What follows the byte order mark that some editors put first.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// The text of a small file, such as a template, without a byte order mark.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    read_all(File::open(path)?)
}

/// As [`read_text`], from what is open already.
///
/// # Errors
/// As [`read_text`].
pub fn read_all(reader: impl Read) -> io::Result<String> {
    let text = io::read_to_string(reader)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A file that is read as text.
pub(crate) struct Input {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    /// What is being done, for errors: `read` or `decompress`.
    action: &'static str,
    /// Bytes of the file that have been read, compressed as they are.
    read: Arc<AtomicU64>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let read = Arc::new(AtomicU64::new(0));
        let file = open(path)?;
        let file = Counted { file, read: Arc::clone(&read) };
        let (head, file) = Head::of(file).map_err(Error::io("read", path))?;
        let (reader, action): (Box<dyn Read>, _) = match head.compression() {
            Some(Compression::Gzip) => (Box::new(Gzip::new(file)), "decompress"),
            Some(Compression::Zstandard) => (Box::new(Zstandard::new(file)), "decompress"),
            None => (Box::new(file), "read"),
        };
        let (head, reader) = Head::of(reader).map_err(Error::io(action, path))?;
        if let Some((what, advice)) = head.foreign(path) {
            return Err(Error::Kind { path: path.to_path_buf(), what, advice });
        }
        let mut input = Input { path: path.to_path_buf(), reader: Box::new(reader), action, read };
        if input.buffered()?.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        Ok(input)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file that have been read.
    pub(crate) fn position(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// What has been read and not been consumed; empty at the end only.
    pub(crate) fn buffered(&mut self) -> Result<&[u8]> {
        self.reader.fill_buf().map_err(Error::io(self.action, &self.path))
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        self.reader.consume(bytes);
    }

    /// Adds what follows up to a line's end, that included, but at most so many bytes.
    pub(crate) fn read_line(&mut self, line: &mut Vec<u8>, bytes_max: u64) -> Result<usize> {
        let read = (&mut self.reader).take(bytes_max).read_until(b'\n', line);
        read.map_err(Error::io(self.action, &self.path))
    }
}

/// Opens a file of data.
pub(crate) fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|cause| Error::io("read", path)(with_hint(path, cause)))
}

/// Adds what to do to the error of a path that is no path, but where the data are elsewhere.
fn with_hint(path: &Path, cause: io::Error) -> io::Error {
    if cause.kind() != io::ErrorKind::NotFound {
        return cause;
    }
    let hint = if path.to_string_lossy().contains(":/") {
        "it is a URL: download what it names, and give the file or folder"
    } else if is_hub_name(path) {
        "if that is its name on the hub, download it first"
    } else {
        return cause;
    };
    io::Error::new(io::ErrorKind::NotFound, format!("{cause}; {hint}"))
}

/// As of a data set on the hub, and unlike a path whose end is misspelt, or a file's.
fn is_hub_name(path: &Path) -> bool {
    path.is_relative()
        && path.components().count() == 2
        && path.parent().is_some_and(|owner| !owner.exists())
        && !FILE_ENDINGS.iter().any(|ending| path.to_string_lossy().ends_with(ending))
}

/// Counts the bytes that are read of a file.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read(buffer)?;
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}

#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    Zstandard,
}

/// The first bytes of a file.
struct Head(Vec<u8>);

impl Head {
    /// Reads the first bytes, and gives a reader that still has them.
    fn of<R: Read>(mut reader: R) -> io::Result<(Head, BufReader<impl Read>)> {
        let mut head = Vec::new();
        (&mut reader).take(HEAD_BYTES).read_to_end(&mut head)?;
        let whole = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(head.clone()).chain(reader));
        Ok((Head(head), whole))
    }

    /// Told from the content, because names lie: browsers decompress `.gz` files while they download them.
    fn compression(&self) -> Option<Compression> {
        match self.0.as_slice() {
            [0x1F, 0x8B, ..] => Some(Compression::Gzip),
            // A frame, or one that decoders skip (RFC 8878, section 3.1).
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstandard),
            _ => None,
        }
    }

    /// What the file is, if it is known not to be text in UTF-8, and what to do with it.
    fn foreign(&self, path: &Path) -> Option<(&'static str, String)> {
        let head = self.0.as_slice();
        let magic: [(&[u8], &str, &str); 11] = [
            (b"PAR1", "a Parquet file", "pandas.read_parquet(…).to_json(…, orient=\"records\", lines=True) in Python"),
            (b"ARROW1", "an Arrow file", "datasets.Dataset.from_file(…).to_json(…) in Python"),
            (b"\xFF\xFF\xFF\xFF", "an Arrow stream", "datasets.Dataset.from_file(…).to_json(…) in Python"),
            (b"SQLite format 3\0", "an SQLite data base", "sqlite3 -json FILE \"select …\""),
            (b"\x89HDF", "an HDF5 file", "h5py in Python"),
            (b"\x93NUMPY", "a NumPy array", "its text before it was tokenised"),
            (b"PK\x03\x04", "a zip archive", "unzip"),
            (b"BZh", "a bzip2 file", "bzip2 -d"),
            (b"\xFD7zXZ\0", "an xz file", "xz -d"),
            (b"7z\xBC\xAF\x27\x1C", "a 7z archive", "7z x"),
            (b"%PDF", "a PDF file", "a program that takes the text out of it"),
        ];
        if let Some((_, what, way)) = magic.into_iter().find(|(magic, ..)| head.starts_with(magic)) {
            return Some((what, format!("make JSON of it, one object to a line, with {way}")));
        }
        if head.get(257..262) == Some(b"ustar") {
            return Some(("a tar archive", "unpack it with tar xf, and name the files in it".to_owned()));
        }
        let utf16 = match head {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => true,
            // JSON begins with a character of ASCII, of which one half is zero then.
            [0, first, 0, ..] | [first, 0, _, 0, ..] => first.is_ascii() && *first != 0,
            _ => false,
        };
        let convert = || format!("convert it with iconv -f UTF-16 -t UTF-8 {} > FILE", path.display());
        utf16.then(|| ("text in UTF-16, but only UTF-8 is read", convert()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_on_the_hub_is_told_from_a_path() {
        let hub = "; if that is its name on the hub, download it first";
        let url = "; it is a URL: download what it names, and give the file or folder";
        for (path, hint) in [
            ("tatsu-lab/alpaca", hub),
            ("https://huggingface.co/datasets/tatsu-lab/alpaca", url),
            ("hf://datasets/tatsu-lab/alpaca", url),
            ("s3://data/train.jsonl", url),
            // As one of the crate's folders.
            ("src/alpaca", ""),
            ("no-folder/train.jsonl", ""),
            ("no-folder/train.json.gz", ""),
            ("alpaca", ""),
            ("/tatsu-lab/alpaca", ""),
            ("a/b/c", ""),
        ] {
            let error = Input::open(Path::new(path)).map(|_| ()).expect_err("there is no such file");
            let expected = format!("cannot read {path}: No such file or directory (os error 2){hint}");
            assert_eq!(error.to_string(), expected);
        }
    }
}
