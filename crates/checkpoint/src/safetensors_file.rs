//! A safetensors file, mapped into memory or read tensor by tensor.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use graph::HostTensor;
use memmap2::Mmap;

use crate::differences::nearest_name;
use crate::error::Error;
use crate::header::{self, Header};
use crate::stored::Stored;

/// Tensors of so many bytes are lent before the pages of a file are let go.
const LENT_BYTES_MAX: usize = 16 << 20;
/// Of a tensor in each of three places, for [`crate::ModelFolder::digest`]: a page.
pub(crate) const DIGEST_BYTES: usize = 4096;

/// A safetensors file whose header has been checked. Tensors are lent from the map: the host memory they take is the
/// system's page cache, which it reclaims as it likes. The process lets go of it now and then, so that a model that is
/// read through once does not count as memory of the process as a whole.
#[derive(Debug)]
pub struct SafetensorsFile {
    path: PathBuf,
    content: Content,
    header: Header,
    /// Bytes of the tensors that were lent since pages were last let go.
    lent: AtomicUsize,
}

/// How a file's bytes come into memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    /// By the pages that are looked at, whose file nobody may write meanwhile.
    Mapped,
    /// A tensor at a time, when it is asked for. Where the file is cut off meanwhile that is an error, and not the end of the process.
    Read,
}

#[derive(Debug)]
enum Content {
    Mapped(Mmap),
    Read(Mutex<File>),
}

impl SafetensorsFile {
    /// Maps the file and checks its header.
    ///
    /// # Errors
    /// The file cannot be read, or breaks a rule of the format ([`crate::HeaderError`]).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        SafetensorsFile::open_for(path.as_ref(), Access::Mapped)
    }

    /// As [`SafetensorsFile::open`], for one kind of access.
    pub(crate) fn open_for(path: &Path, access: Access) -> Result<Self, Error> {
        // Asked before opening, because opening a pipe would wait for its other end.
        let metadata = fs::metadata(path).map_err(Error::io("open", path))?;
        if !metadata.is_file() {
            let cause = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a file");
            return Err(Error::Io { action: "open", path: path.to_path_buf(), cause });
        }
        let file = File::open(path).map_err(Error::io("open", path))?;
        let of_rule = |rule| Error::Header { path: path.to_path_buf(), rule };
        let file = Mutex::new(file);
        let head = |length: usize| {
            let first = read(&file, path, 0..length.min(header::LENGTH_BYTES))?;
            // Read also where tensors are mapped: of a disk that fails it then gives an error, and not the end of the process.
            let head = read(&file, path, 0..header::beginning(&first, length))?;
            header::parse(&head, length).map_err(of_rule)
        };
        let (header, content) = match access {
            Access::Mapped => {
                let map = map_read_only(&file.lock().unwrap_or_else(PoisonError::into_inner));
                let map = map.map_err(Error::io("map", path))?;
                (head(map.len())?, Content::Mapped(map))
            }
            Access::Read => {
                let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
                (head(length)?, Content::Read(file))
            }
        };
        Ok(SafetensorsFile { path: path.to_path_buf(), content, header, lent: AtomicUsize::new(0) })
    }

    /// The file that this is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the tensors, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.header.tensors.keys().map(String::as_str)
    }

    /// The `__metadata__` of the file.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.header.metadata
    }

    /// The shape of a tensor, outermost dimension first; `None` if there is no such tensor.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.header.tensors.get(name).map(|stored| stored.shape.as_slice())
    }

    /// A tensor, borrowed from the map.
    ///
    /// # Errors
    /// There is no such tensor, its element type has no [`graph::DType`], or it cannot be read.
    pub fn tensor(&self, name: &str) -> Result<HostTensor<'_>, Error> {
        self.part(&Stored { name: Cow::Borrowed(name), block: None })
    }

    /// What stands at a place of this file.
    ///
    /// # Errors
    /// As [`SafetensorsFile::tensor`].
    pub(crate) fn part(&self, place: &Stored<'_>) -> Result<HostTensor<'_>, Error> {
        let name = &*place.name;
        let absent = || {
            let nearest = nearest_name(name, self.names()).map(str::to_string);
            Error::NoTensor { path: self.path.clone(), name: name.to_string(), nearest }
        };
        let stored = self.header.tensors.get(name).ok_or_else(absent)?;
        let unsupported = || Error::UnsupportedDType {
            path: self.path.clone(),
            name: name.to_string(),
            dtype: stored.dtype.name.to_string(),
        };
        let dtype = stored.dtype.dtype.ok_or_else(unsupported)?;
        let (mut begin, mut end) = (stored.begin, stored.end);
        let mut shape = stored.shape.clone();
        if let Some(block) = place.block {
            shape = block.shape(&shape).ok_or_else(absent)?.to_vec();
            let length = shape.iter().product::<usize>() * dtype.size();
            begin += block.number() * length;
            end = begin + length;
        }
        self.lend(end - begin);
        let bytes = self.between(begin..end)?;
        // The header's check made the bytes fill the shape, so this does not fail.
        HostTensor::new(dtype, &shape, bytes).map_err(|_| unsupported())
    }

    /// Counts what is lent. Tensors that are lent already stay valid: their pages come again from the page cache.
    fn lend(&self, bytes: usize) {
        if self.lent.fetch_add(bytes, Ordering::Relaxed) >= LENT_BYTES_MAX {
            self.let_go();
            self.lent.store(bytes, Ordering::Relaxed);
        }
    }

    /// Takes the file's pages out of the process, when it has been read through for now.
    pub fn let_go(&self) {
        self.lent.store(0, Ordering::Relaxed);
        if let Content::Mapped(map) = &self.content {
            let_go(map);
        }
    }

    /// The element type of a tensor by its name in the format, its shape, and its size in bytes.
    pub(crate) fn form(&self, name: &str) -> Option<(&'static str, &[usize], usize)> {
        let stored = self.header.tensors.get(name)?;
        Some((stored.dtype.name, &stored.shape, stored.end - stored.begin))
    }

    /// The bytes of a tensor; `None` if there is no such tensor.
    pub(crate) fn bytes_of(&self, name: &str) -> Option<Result<Cow<'_, [u8]>, Error>> {
        let stored = self.header.tensors.get(name)?;
        Some(self.between(stored.begin..stored.end))
    }

    fn between(&self, bytes: Range<usize>) -> Result<Cow<'_, [u8]>, Error> {
        match &self.content {
            Content::Mapped(map) => Ok(Cow::Borrowed(&map[bytes])),
            Content::Read(file) => read(file, &self.path, bytes).map(Cow::Owned),
        }
    }
}

/// Bytes of a file that others may write meanwhile.
fn read(file: &Mutex<File>, path: &Path, bytes: Range<usize>) -> Result<Vec<u8>, Error> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let mut found = vec![0; bytes.len()];
    let read = file.seek(SeekFrom::Start(bytes.start as u64)).and_then(|_| file.read_exact(&mut found));
    let cut_off = "it has become shorter since it was opened: try again when it is written";
    read.map_err(|cause| match cause.kind() {
        ErrorKind::UnexpectedEof => std::io::Error::new(ErrorKind::UnexpectedEof, cut_off),
        _ => cause,
    })
    .map_err(Error::io("read", path))?;
    Ok(found)
}

#[expect(
    unsafe_code,
    reason = "mapping a file has no safe interface, and reading models into memory would double them"
)]
fn map_read_only(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is private to this process and read-only. Another process that truncates the file while it is
    // mapped would end ours by SIGBUS and one that writes it would change our numbers, as with every reader of mapped
    // models; our own writers never modify a file in place, they rename a new one over it.
    unsafe { Mmap::map(file) }
}

/// Takes the pages of a map out of the process. They stay in the system's page cache.
#[cfg(unix)]
#[expect(unsafe_code, reason = "this advice would change maps that can be written, so it has no safe interface")]
fn let_go(map: &Mmap) {
    // SAFETY: the map is read-only and backed by a file, so a page that is dropped is read again, with the same bytes, when it is touched
    // next.
    let advised = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    // Where the system does not take advice, the pages stay until it wants them.
    let _ = advised;
}

#[cfg(not(unix))]
fn let_go(_map: &Mmap) {}
