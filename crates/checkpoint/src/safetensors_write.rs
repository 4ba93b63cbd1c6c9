//! Writing safetensors files, one tensor in memory at a time.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use atomic_file::CompleteFile;
use graph::{DType, HostTensor};
use serde_json::{Map, Value, json};

use crate::atomic::{complete_file, create_folder, publish};
use crate::error::{Error, SourceError};
use crate::header::{HEADER_BYTES_MAX, LENGTH_BYTES, METADATA_KEY, dtype_name};

/// The key, in a file's metadata, of the step after which a model was trained. A key without a namespace might be one of other programs.
pub(crate) const STEP_KEY: &str = "finery.step";

/// A tensor that is going to be written. The header comes first in the file, so that all are declared before any is
/// produced.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorSpec {
    /// Its name in the file.
    pub name: String,
    /// Its element type in the file.
    pub dtype: DType,
    /// Its shape, outermost dimension first.
    pub shape: Vec<usize>,
}

impl TensorSpec {
    /// A declaration of the tensor `name`.
    pub fn new(name: impl Into<String>, dtype: DType, shape: impl Into<Vec<usize>>) -> Self {
        TensorSpec { name: name.into(), dtype, shape: shape.into() }
    }

    /// The most bytes that it takes in the header of a file, wherever it lies there.
    fn header_bytes_max(&self) -> u64 {
        let offsets = [u64::MAX; 2];
        let entry = json!({ "dtype": dtype_name(self.dtype), "shape": self.shape, "data_offsets": offsets });
        (json!(self.name).to_string().len() + ":,".len() + entry.to_string().len()) as u64
    }

    /// The size of the tensor, or `None` if it overflows.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let size = self.dtype.size() as u64;
        self.shape.iter().try_fold(size, |product, &n| product.checked_mul(n as u64))
    }
}

/// Writes a safetensors file whose tensors `source` yields when asked, each once. Asking, instead of being given them,
/// leaves their order to the layout of the file and never needs more than one of them.
///
/// The file has the metadata `{"format": "pt"}`, without which transformers does not load it, and appears under its
/// name when it is complete; a file that was there stays until then.
///
/// # Errors
/// The specs repeat a name or overflow; `source` fails, or yields another dtype or shape than declared; the file cannot
/// be written.
pub fn write_safetensors<'t>(
    path: impl AsRef<Path>,
    specs: &[TensorSpec],
    source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
) -> Result<(), Error> {
    let path = path.as_ref();
    if let Some(parent) = path.parent() {
        create_folder(parent)?;
    }
    publish(write_complete(path, &specs.iter().collect::<Vec<_>>(), None, source)?)
}

/// As [`write_safetensors`], but leaves the file under its temporary name. Its metadata say after which step it was trained, where that is given.
pub(crate) fn write_complete<'t>(
    path: &Path,
    specs: &[&TensorSpec],
    step: Option<u64>,
    source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
) -> Result<CompleteFile, Error> {
    let layout = Layout::of(path, specs, step)?;
    complete_file(path, |writer| layout.write_to(writer, source))
}

/// Shares tensors out to as many files as are needed for no header to take more than so many bytes: at least one. File by file they are in
/// the order in which they would be in one.
pub(crate) fn in_files(specs: &[TensorSpec], header_bytes_max: u64) -> Vec<Vec<&TensorSpec>> {
    /// Of metadata without a step, braces and padding.
    const REST_BYTES: u64 = 64;
    let (mut files, mut bytes) = (vec![Vec::new()], REST_BYTES);
    for spec in in_order(specs) {
        let own = spec.header_bytes_max();
        if bytes + own > header_bytes_max && bytes > REST_BYTES {
            files.push(Vec::new());
            bytes = REST_BYTES;
        }
        bytes += own;
        files.last_mut().expect("there is at least one").push(spec);
    }
    files
}

/// Wider elements first, so that with the header padded to 8 bytes every tensor is aligned in a mapped file.
fn in_order<'s>(specs: impl IntoIterator<Item = &'s TensorSpec>) -> Vec<&'s TensorSpec> {
    let mut ordered: Vec<&TensorSpec> = specs.into_iter().collect();
    ordered.sort_by_key(|spec| std::cmp::Reverse(spec.dtype.size()));
    ordered
}

/// The header, and the order in which the tensors follow it.
pub(crate) struct Layout<'s> {
    path: &'s Path,
    header: Vec<u8>,
    ordered: Vec<&'s TensorSpec>,
}

impl<'s> Layout<'s> {
    /// Lays out a file, whose metadata have the step that is given. `path` stands in errors.
    pub(crate) fn of(path: &'s Path, specs: &[&'s TensorSpec], step: Option<u64>) -> Result<Layout<'s>, Error> {
        let problem = |problem: String| Error::Specs { path: path.to_path_buf(), problem };
        let ordered = in_order(specs.iter().copied());
        let mut names = HashSet::from([METADATA_KEY]);
        // Other programs take strings alone.
        let step = step.map(|step| (STEP_KEY.to_owned(), json!(step.to_string())));
        let metadata: Map<String, Value> = [("format".to_owned(), json!("pt"))].into_iter().chain(step).collect();
        let mut entries = Map::from_iter([(METADATA_KEY.to_string(), Value::Object(metadata))]);
        let mut offset: u64 = 0;
        for spec in &ordered {
            let name = &spec.name;
            if !names.insert(name) {
                return Err(problem(format!("the name \"{name}\" is taken")));
            }
            let end = spec.bytes().and_then(|bytes| offset.checked_add(bytes));
            let end =
                end.ok_or_else(|| problem(format!("the size of \"{name}\" of shape {:?} overflows", spec.shape)))?;
            let dtype = dtype_name(spec.dtype);
            entries.insert(name.clone(), json!({ "dtype": dtype, "shape": spec.shape, "data_offsets": [offset, end] }));
            offset = end;
        }
        let mut header = Value::Object(entries).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(LENGTH_BYTES), b' ');
        if header.len() as u64 > HEADER_BYTES_MAX {
            return Err(problem(format!("its header would take {} bytes, over the format's limit", header.len())));
        }
        Ok(Layout { path, header, ordered })
    }

    /// Writes the file.
    pub(crate) fn write_to<'t>(
        &self,
        writer: &mut impl Write,
        mut source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<(), Error> {
        let path = self.path;
        writer.write_all(&(self.header.len() as u64).to_le_bytes()).map_err(Error::io("write", path))?;
        writer.write_all(&self.header).map_err(Error::io("write", path))?;
        for spec in &self.ordered {
            let name = &spec.name;
            let tensor =
                source(spec).map_err(|cause| Error::Source { path: path.to_path_buf(), name: name.clone(), cause })?;
            if tensor.dtype() != spec.dtype || tensor.shape() != spec.shape {
                let declared = format!("{} {:?}", spec.dtype, spec.shape);
                let problem = format!(
                    "\"{name}\" was declared as {declared} and came as {} {:?}",
                    tensor.dtype(),
                    tensor.shape()
                );
                return Err(Error::Specs { path: path.to_path_buf(), problem });
            }
            writer.write_all(tensor.bytes()).map_err(Error::io("write", path))?;
        }
        Ok(())
    }
}
