//! Tensors by name, in one safetensors file or several, whole or in boxes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use graph::{DType, HostTensor};

use crate::differences::nearest_name;
use crate::error::Error;
use crate::header::dtype_name;
use crate::safetensors_file::{DIGEST_BYTES, SafetensorsFile};
use crate::stored::Stored;
use crate::tensor_part::{overlap, within};

/// Tensors in files, which are mapped or read. What is a tensor here may be in boxes there, as the devices of a mesh had it; whoever asks for a part of it
/// is given that part alone.
#[derive(Debug)]
pub struct TensorFiles {
    /// What errors name.
    path: PathBuf,
    files: Vec<SafetensorsFile>,
    tensors: BTreeMap<String, Place>,
}

/// Where a tensor is.
#[derive(Debug)]
pub(crate) enum Place {
    /// In the file of this position, under its own name.
    Whole(usize),
    /// In boxes, which hold each element once.
    Boxes(Boxes),
}

/// A tensor in boxes.
#[derive(Debug)]
pub(crate) struct Boxes {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) boxes: Vec<FileBox>,
}

/// A box of a tensor: the tensor `key` of a file.
#[derive(Debug)]
pub(crate) struct FileBox {
    pub(crate) file: usize,
    pub(crate) key: String,
    pub(crate) ranges: Vec<Range<usize>>,
}

/// A tensor's type and shape, and where it begins, its middle and its end: one that was trained further differs in some of these places.
#[derive(PartialEq)]
pub(crate) struct Sample<'f> {
    dtype: &'f str,
    shape: &'f [usize],
    parts: [Cow<'f, [u8]>; 3],
}

impl TensorFiles {
    /// Of files whose tensors are known to be in them, and boxes that are known to hold each element once.
    pub(crate) fn new(path: PathBuf, files: Vec<SafetensorsFile>, tensors: BTreeMap<String, Place>) -> TensorFiles {
        TensorFiles { path, files, tensors }
    }

    /// All tensors of a file, whole.
    pub(crate) fn of_file(file: SafetensorsFile) -> TensorFiles {
        let tensors = file.names().map(|name| (name.to_owned(), Place::Whole(0))).collect();
        TensorFiles { path: file.path().to_path_buf(), files: vec![file], tensors }
    }

    /// Those whose names are wanted.
    #[must_use]
    pub(crate) fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> TensorFiles {
        self.tensors.retain(|name, _| is_wanted(name));
        self
    }

    /// The names of the tensors, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    pub(crate) fn holds(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The shape of a tensor, outermost dimension first; `None` if there is no such tensor.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        match self.tensors.get(name)? {
            Place::Whole(file) => self.files[*file].shape(name),
            Place::Boxes(boxes) => Some(&boxes.shape),
        }
    }

    /// The element type of a tensor.
    ///
    /// # Errors
    /// There is no such tensor, or its element type has no [`graph::DType`].
    pub fn dtype(&self, name: &str) -> Result<DType, Error> {
        match self.place(name)? {
            Place::Whole(file) => Ok(self.files[*file].tensor(name)?.dtype()),
            Place::Boxes(boxes) => Ok(boxes.dtype),
        }
    }

    /// In how many boxes a tensor is; 0 if there is no such tensor.
    pub fn box_count(&self, name: &str) -> usize {
        match self.tensors.get(name) {
            None => 0,
            Some(Place::Whole(_)) => 1,
            Some(Place::Boxes(boxes)) => boxes.boxes.len(),
        }
    }

    /// A tensor: of its file, or assembled where it is in boxes.
    ///
    /// # Errors
    /// As [`TensorFiles::dtype`].
    pub fn tensor(&self, name: &str) -> Result<HostTensor<'_>, Error> {
        match self.place(name)? {
            Place::Whole(file) => self.files[*file].tensor(name),
            Place::Boxes(boxes) => self.assembled(boxes, &boxes.shape.iter().map(|size| 0..*size).collect::<Vec<_>>()),
        }
    }

    /// The elements of a tensor in these ranges along each dimension. Reads no others.
    ///
    /// # Errors
    /// As [`TensorFiles::dtype`].
    ///
    /// # Panics
    /// There is not one range for each dimension, or one goes beyond it.
    pub fn part(&self, name: &str, ranges: &[Range<usize>]) -> Result<HostTensor<'_>, Error> {
        match self.place(name)? {
            Place::Whole(file) => Ok(self.files[*file].tensor(name)?.into_part(ranges)),
            Place::Boxes(boxes) => self.assembled(boxes, ranges),
        }
    }

    /// What stands at a place of these files.
    ///
    /// # Errors
    /// As [`TensorFiles::tensor`].
    pub(crate) fn at(&self, place: &Stored<'_>) -> Result<HostTensor<'_>, Error> {
        let (boxes, block) = match (self.place(&place.name)?, &place.block) {
            (Place::Whole(file), _) => return self.files[*file].part(place),
            (Place::Boxes(_), None) => return self.tensor(&place.name),
            (Place::Boxes(boxes), Some(block)) => (boxes, block),
        };
        let (shape, ranges) =
            block.shape(&boxes.shape).zip(block.ranges(&boxes.shape)).ok_or_else(|| self.absent(&place.name))?;
        let part = self.assembled(boxes, &ranges)?;
        Ok(HostTensor::new(boxes.dtype, &shape, part.bytes().to_vec())
            .expect("a matrix of a tensor fills its own shape"))
    }

    fn assembled(&self, Boxes { dtype, boxes, .. }: &Boxes, wanted: &[Range<usize>]) -> Result<HostTensor<'_>, Error> {
        let mut found = boxes.iter().filter_map(|own| Some((own, overlap(&own.ranges, wanted)?)));
        if let (Some((own, common)), None) = (found.next(), found.next())
            && common == wanted
        {
            return Ok(self.files[own.file].tensor(&own.key)?.into_part(&within(wanted, &own.ranges)));
        }
        let shape: Vec<usize> = wanted.iter().map(Range::len).collect();
        let bytes = vec![0; shape.iter().product::<usize>() * dtype.size()];
        let mut whole = HostTensor::new(*dtype, &shape, bytes).expect("the bytes fill the shape");
        for own in boxes {
            let Some(common) = overlap(&own.ranges, wanted) else { continue };
            let part = self.files[own.file].tensor(&own.key)?.into_part(&within(&common, &own.ranges));
            whole.set_part(&within(&common, wanted), &part);
        }
        Ok(whole)
    }

    /// Takes the files' pages out of the process, when they have been read through for now.
    pub fn let_go(&self) {
        self.files.iter().for_each(SafetensorsFile::let_go);
    }

    /// Adds what each tensor is to a checksum, and a part of its bytes: where it begins, its middle and its end.
    pub(crate) fn add_to_digest(&self, digest: &mut crc32fast::Hasher) {
        for (name, place) in &self.tensors {
            let sample = self.sample_at(name, place);
            digest.update(format!("{name} {} {:?}\n", sample.dtype, sample.shape).as_bytes());
            sample.parts.iter().for_each(|part| digest.update(part));
        }
    }

    /// What a tensor is known again by.
    pub(crate) fn sample(&self, name: &str) -> Option<Sample<'_>> {
        Some(self.sample_at(name, self.tensors.get(name)?))
    }

    fn sample_at<'f>(&'f self, name: &str, place: &'f Place) -> Sample<'f> {
        let (dtype, shape, length) = match place {
            Place::Whole(file) => self.files[*file].form(name).expect("a tensor is in its file"),
            Place::Boxes(Boxes { dtype, shape, .. }) => {
                (dtype_name(*dtype), &shape[..], shape.iter().product::<usize>() * dtype.size())
            }
        };
        let part = length.min(DIGEST_BYTES);
        let bytes = |begin: usize| match place {
            Place::Whole(file) => match self.bytes_in(*file, name) {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[begin..begin + part]),
                Cow::Owned(bytes) => Cow::Owned(bytes.get(begin..begin + part).unwrap_or_default().to_vec()),
            },
            Place::Boxes(boxes) => Cow::Owned(self.bytes_between(boxes, begin..begin + part)),
        };
        Sample { dtype, shape, parts: [0, (length - part) / 2, length - part].map(bytes) }
    }

    /// Bytes of a tensor in boxes, as the whole would have them.
    fn bytes_between(&self, Boxes { dtype, shape, boxes }: &Boxes, bytes: Range<usize>) -> Vec<u8> {
        let size = dtype.size();
        let (mut found, mut at) = (Vec::with_capacity(bytes.len()), bytes.start);
        while at < bytes.end {
            let mut rest = at / size;
            let mut place = vec![0; shape.len()];
            for dim in (0..shape.len()).rev() {
                place[dim] = rest % shape[dim];
                rest /= shape[dim];
            }
            let has = |own: &&FileBox| own.ranges.iter().zip(&place).all(|(range, at)| range.contains(at));
            let own = boxes.iter().find(has).expect("each element is in a box");
            let along = own.ranges.iter().zip(&place);
            let element = along.fold(0, |element, (range, at)| element * range.len() + at - range.start);
            // Those behind it along the innermost dimension stand side by side.
            let elements = own.ranges.last().zip(place.last()).map_or(1, |(range, at)| range.end - at);
            let length = (elements * size - at % size).min(bytes.end - at);
            let begin = element * size + at % size;
            let bytes = self.bytes_in(own.file, &own.key);
            found.extend_from_slice(bytes.get(begin..begin + length).unwrap_or_default());
            at += length;
        }
        found
    }

    /// The bytes of a file's tensor; none where they cannot be read any more, so that they are not those of before.
    fn bytes_in(&self, file: usize, name: &str) -> Cow<'_, [u8]> {
        self.files[file].bytes_of(name).and_then(Result::ok).unwrap_or_default()
    }

    fn place(&self, name: &str) -> Result<&Place, Error> {
        self.tensors.get(name).ok_or_else(|| self.absent(name))
    }

    pub(crate) fn absent(&self, name: &str) -> Error {
        let nearest = nearest_name(name, self.names()).map(str::to_string);
        Error::NoTensor { path: self.path.clone(), name: name.to_string(), nearest }
    }
}
