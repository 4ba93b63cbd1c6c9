//! Writing files with [`atomic_file`], and with errors that name them.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use atomic_file::{CompleteFile, PartialFile};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use crate::error::Error;

/// Where bytes go on their way to the disk: a file, or in tests a disk that fills up.
pub(crate) trait Sink: Write {
    /// Returns once the bytes would survive a power cut.
    fn sync(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Opens a new file for writing.
pub(crate) type CreateSink<'c> = &'c dyn Fn(&Path) -> io::Result<Box<dyn Sink>>;

/// A plain file, where there is none.
pub(crate) fn create_file(path: &Path) -> io::Result<Box<dyn Sink>> {
    Ok(Box::new(File::create_new(path)?))
}

/// What was written: its size, and the digest of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    pub(crate) bytes: u64,
    pub(crate) xxh3: Digest,
}

/// XXH3 of 128 bits: it finds damage, not forgery, as whoever can forge a file can forge the manifest that has its digest. At memory's
/// speed, where a hash against forgery takes longer than a disk does; and with more bits than CRC-32, which of four thousand million
/// damages to a file misses one.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Digest(u128);

/// The digest of these bytes.
pub(crate) fn digest_of(bytes: &[u8]) -> Digest {
    Digest(XxHash3_128::oneshot(bytes))
}

/// The digest of bytes that come piece by piece.
pub(crate) struct Sum(XxHash3_128);

impl Sum {
    pub(crate) fn new() -> Sum {
        Sum(XxHash3_128::new())
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub(crate) fn digest(&self) -> Digest {
        Digest(self.0.finish_128())
    }
}

impl From<Digest> for String {
    fn from(Digest(bits): Digest) -> String {
        format!("{bits:032x}")
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Digest, String> {
        let bits = u128::from_str_radix(&text, 16).ok().map(Digest);
        bits.filter(|digest| String::from(*digest) == text).ok_or_else(|| format!("{text:?} is no digest of 32 digits"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from(*self))
    }
}

/// Counts and sums what passes through.
pub(crate) struct Summed<W> {
    inner: W,
    bytes: u64,
    xxh3: Sum,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.xxh3.add(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The writer that contents are written through.
pub(crate) type ContentWriter = BufWriter<Summed<Box<dyn Sink>>>;

/// Writes one file and brings it to the disk. On an error the file, complete or not, stays for the caller to remove.
pub(crate) fn write_synced(
    path: &Path,
    create: CreateSink<'_>,
    contents: impl FnOnce(&mut ContentWriter) -> Result<(), Error>,
) -> Result<Written, Error> {
    let sink = create(path).map_err(Error::io("create", path))?;
    let mut writer = BufWriter::with_capacity(1 << 20, Summed { inner: sink, bytes: 0, xxh3: Sum::new() });
    contents(&mut writer)?;
    writer.flush().map_err(Error::io("write", path))?;
    let summed = writer.get_mut();
    summed.inner.sync().map_err(Error::io("write", path))?;
    Ok(Written { bytes: summed.bytes, xxh3: summed.xxh3.digest() })
}

/// Writes `contents` to a file that has not its name yet, and brings it to the disk.
pub(crate) fn complete_file(
    target: &Path,
    contents: impl FnOnce(&mut PartialFile) -> Result<(), Error>,
) -> Result<CompleteFile, Error> {
    let mut file = PartialFile::create(target).map_err(Error::io("create", target))?;
    contents(&mut file)?;
    file.complete().map_err(Error::io("write", target))
}

/// Gives a file its name, replacing what had it.
pub(crate) fn publish(file: CompleteFile) -> Result<(), Error> {
    let target = file.target().to_path_buf();
    file.publish().map_err(Error::io("replace", &target))
}

/// Removes what has the name of a file that is to come, if anything has.
fn remove_old(file: &CompleteFile) -> Result<(), Error> {
    let target = file.target();
    match fs::remove_file(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("replace", target)(error)),
        Ok(()) => sync_folder(target.parent().unwrap_or(target)),
    }
}

/// Gives a finished file its name; in tests also one who is killed before.
pub(crate) type Publish<'p> = &'p mut dyn FnMut(CompleteFile) -> Result<(), Error>;

/// Publishes files that belong together, and `entry`, without which the folder does not load, after them.
///
/// The old entry goes before the first of the new files comes: whoever is interrupted leaves a folder that does not load,
/// not one that mixes old and new. An entry that stands alone takes the place of the old one at once.
pub(crate) fn publish_together(
    files: Vec<CompleteFile>,
    entry: CompleteFile,
    publish: Publish<'_>,
) -> Result<(), Error> {
    if !files.is_empty() {
        remove_old(&entry)?;
    }
    files.into_iter().try_for_each(&mut *publish)?;
    publish(entry)
}

/// Brings the names in a folder to the disk; without it a rename may be lost in a power cut.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), Error> {
    atomic_file::sync_folder(folder).map_err(Error::io("flush", folder))
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::io("create", folder))
}

/// Writes a value as indented JSON, atomically.
///
/// # Errors
/// The file cannot be written, or the value is not JSON (a map whose keys are not strings, say).
pub fn write_json(path: impl AsRef<Path>, value: &impl Serialize) -> Result<(), Error> {
    let path = path.as_ref();
    publish(complete_file(path, |writer| json_to(writer, path, value))?)
}

/// Writes a file in one go: a crash leaves the one that was there or the new one.
///
/// # Errors
/// The file cannot be written or renamed, as on a full disk; then what was there stays.
pub fn write_file(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Error> {
    let path = path.as_ref();
    publish(complete_file(path, |writer| writer.write_all(bytes).map_err(Error::io("write", path)))?)
}

/// Writes files that belong together: all are whole and on the disk before the first takes its name. What tells of the others, the `entries`, goes before
/// them and comes last, so that whoever is interrupted leaves no entry beside files of another.
///
/// # Errors
/// A file cannot be written, as on a full disk; then all that was there stays. Or one cannot be renamed; then no entry is there.
pub fn write_together(files: &[(&Path, &[u8])], entries: &[(&Path, &[u8])]) -> Result<(), Error> {
    let complete = |(path, bytes): &(&Path, &[u8])| {
        complete_file(path, |writer| writer.write_all(bytes).map_err(Error::io("write", path)))
    };
    let files = files.iter().map(complete).collect::<Result<Vec<_>, _>>()?;
    let entries = entries.iter().map(complete).collect::<Result<Vec<_>, _>>()?;
    entries.iter().try_for_each(remove_old)?;
    files.into_iter().chain(entries).try_for_each(publish)
}

/// Writes a value as indented JSON with a final newline, as Hugging Face's libraries do.
pub(crate) fn json_to(writer: &mut impl Write, path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_vec_pretty(value).map_err(|cause| Error::Json { path: path.to_path_buf(), cause })?;
    writer.write_all(&json).and_then(|()| writer.write_all(b"\n")).map_err(Error::io("write", path))
}
