//! What a checkpoint's folder says of itself: `manifest.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use graph::DType;
use serde::{Deserialize, Serialize};

use crate::atomic::{Digest, Sum, Written, digest_of};
use crate::error::Error;
use crate::header::{dtype_from_name, dtype_name};
use crate::model_folder::{parse, read_bytes_within};
use crate::newest::is_there;
use crate::owner::Claim;
use crate::safetensors_file::{Access, SafetensorsFile};
use crate::tensor_files::{Boxes, FileBox, Place, TensorFiles};
use crate::tensor_part::{Ranges, TensorPart, check_cover};
use crate::training_state::{MANIFEST, STATE, TRAINER_STATE};

/// Raised when a file of a checkpoint changes its meaning. In format 1 the tensors of all layers were one; in format 2 each process's
/// tensors were those of the model, whole.
const FORMAT: u32 = 3;
const FORMAT_OF_WHOLE_TENSORS: u32 = 2;

/// What a manifest may take in bytes, of which a box takes some 200: the boxes of a large model on thousands of devices.
pub(crate) const MANIFEST_BYTES_MAX: u64 = 1 << 32;

/// What is saved: which tensors, in which boxes of which files, and by whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    format: u32,
    pub(crate) step: u64,
    /// Absent where nobody has taken the run over, as in a checkpoint that a test writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Claim>,
    /// The mesh that it was saved on: sizes by axis. Nothing that reads the checkpoint needs it.
    pub(crate) mesh: BTreeMap<String, usize>,
    pub(crate) tensors: BTreeMap<String, SavedTensor>,
    pub(crate) files: BTreeMap<String, Written>,
    /// Of this manifest without its digest, as JSON without spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<Digest>,
}

/// A whole tensor and the boxes that it is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedTensor {
    dtype: String,
    shape: Vec<usize>,
    boxes: Vec<SavedBox>,
}

/// A box: the tensor `key` of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedBox {
    pub(crate) file: String,
    pub(crate) key: String,
    offset: Vec<usize>,
    extent: Vec<usize>,
    /// Of its bytes, so that damage to a file can be told of a tensor.
    pub(crate) xxh3: Digest,
}

/// What a manifest of format 2 says.
#[derive(Deserialize)]
struct OfWholeTensors {
    step: u64,
    files: BTreeMap<String, WrittenThen>,
}

/// A file as format 2 has it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct WrittenThen {
    bytes: u64,
    crc32: u32,
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// A manifest of any format that is read.
#[derive(Debug)]
pub(crate) enum AnyManifest {
    Now(Manifest),
    /// All tensors are whole, in one file.
    OfWholeTensors(BTreeMap<String, WrittenThen>, u64),
}

/// What one process has written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) tensors: BTreeMap<String, SavedTensor>,
    pub(crate) files: BTreeMap<String, Written>,
}

impl Share {
    /// Notes a part that was written to a file.
    pub(crate) fn add(&mut self, part: &TensorPart, file: &str, xxh3: Digest) {
        let TensorPart { whole, ranges } = part;
        let empty =
            || SavedTensor { dtype: dtype_name(whole.dtype).to_owned(), shape: whole.shape.clone(), boxes: Vec::new() };
        self.tensors.entry(whole.name.clone()).or_insert_with(empty).boxes.push(SavedBox {
            file: file.to_owned(),
            key: part.spec().name,
            offset: ranges.iter().map(|range| range.start).collect(),
            extent: ranges.iter().map(Range::len).collect(),
            xxh3,
        });
    }

    /// Puts what another process has written beside it.
    pub(crate) fn join(&mut self, other: Share) -> Result<(), String> {
        for (name, tensor) in other.tensors {
            match self.tensors.get_mut(&name) {
                None => drop(self.tensors.insert(name, tensor)),
                Some(own) if (&own.dtype, &own.shape) == (&tensor.dtype, &tensor.shape) => {
                    own.boxes.extend(tensor.boxes)
                }
                Some(own) => {
                    let form = |tensor: &SavedTensor| format!("{} {:?}", tensor.dtype, tensor.shape);
                    return Err(format!("\"{name}\" is {} to one process and {} to another", form(own), form(&tensor)));
                }
            }
        }
        self.files.extend(other.files);
        Ok(())
    }
}

impl SavedBox {
    fn ranges(&self) -> Option<Ranges> {
        let ends = self.offset.iter().zip(&self.extent).map(|(start, size)| Some(*start..start.checked_add(*size)?));
        let ranges: Option<Ranges> = ends.collect();
        ranges.filter(|_| self.offset.len() == self.extent.len())
    }
}

impl Manifest {
    /// Of all that the processes have written. Each element of each tensor must be in one box.
    pub(crate) fn new(
        step: u64,
        run: Option<Claim>,
        mesh: &BTreeMap<String, usize>,
        share: Share,
    ) -> Result<Manifest, String> {
        let Share { tensors, files } = share;
        let mut manifest = Manifest { format: FORMAT, step, run, mesh: mesh.clone(), tensors, files, digest: None };
        manifest.check_boxes()?;
        manifest.digest = Some(manifest.own_digest());
        Ok(manifest)
    }

    /// On one line: a model on many devices has more boxes than anybody reads.
    pub(crate) fn write_to(&self, writer: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *writer, self)?;
        writer.write_all(b"\n")
    }

    /// Why it may not be published, where it takes so many bytes and [`AnyManifest::read`] reads at most `bytes_max`.
    pub(crate) fn check_bytes(&self, bytes: u64, bytes_max: u64) -> Result<(), String> {
        if bytes <= bytes_max {
            return Ok(());
        }
        let boxes: usize = self.tensors.values().map(|tensor| tensor.boxes.len()).sum();
        Err(format!(
            "it would take {bytes} bytes for {boxes} boxes of tensors, and at most {bytes_max} are read back: choose a `mesh` that cuts \
             tensors into fewer parts, as on fewer devices"
        ))
    }

    fn own_digest(&self) -> Digest {
        let without = Manifest { digest: None, ..self.clone() };
        digest_of(&serde_json::to_vec(&without).expect("maps with names as keys are JSON"))
    }

    /// The ranges of each tensor's boxes, which hold each of its elements once.
    fn check_boxes(&self) -> Result<BTreeMap<&str, Vec<Ranges>>, String> {
        let mut all = BTreeMap::new();
        for (name, tensor) in &self.tensors {
            let problem = |problem: String| format!("of its tensor \"{name}\" {problem}");
            let ranges: Option<Vec<_>> = tensor.boxes.iter().map(SavedBox::ranges).collect();
            let ranges = ranges.ok_or_else(|| problem("a box has no end".to_owned()))?;
            check_cover(&tensor.shape, &ranges.iter().map(Vec::as_slice).collect::<Vec<_>>()).map_err(problem)?;
            all.insert(name.as_str(), ranges);
        }
        Ok(all)
    }

    /// Opens the files of the tensors, and checks that each holds the boxes that it should and nothing else.
    pub(crate) fn open_tensors(&self, folder: &Path, access: Access) -> Result<TensorFiles, Error> {
        let ranges = self.check_boxes().map_err(|problem| incomplete(folder, problem))?;
        let of_boxes = self.tensors.values().flat_map(|tensor| &tensor.boxes);
        let mut names: BTreeSet<&str> = of_boxes.map(|own| own.file.as_str()).collect();
        // A process may have no part of anything.
        names.extend(self.files.keys().map(String::as_str).filter(|name| name.ends_with(".safetensors")));
        let names: Vec<&str> = names.into_iter().collect();
        let mut files = Vec::with_capacity(names.len());
        for name in &names {
            check_name(folder, name)?;
            let file = SafetensorsFile::open_for(&folder.join(name), access);
            files.push(file.map_err(|error| lacks(folder, name, error))?);
        }
        let mut claimed = BTreeSet::new();
        let mut tensors = BTreeMap::new();
        for (name, tensor) in &self.tensors {
            let unknown =
                || incomplete(folder, format!("its tensor \"{name}\" is of no known type ({})", tensor.dtype));
            let dtype = dtype_from_name(&tensor.dtype).ok_or_else(unknown)?;
            let mut boxes = Vec::with_capacity(tensor.boxes.len());
            for (own, ranges) in tensor.boxes.iter().zip(&ranges[name.as_str()]) {
                let file = names.binary_search(&own.file.as_str()).expect("each box's file is among them");
                self.check_box(folder, &files[file], own, dtype)?;
                if !claimed.insert((file, own.key.as_str())) {
                    return Err(incomplete(folder, format!("\"{}\" in {} is two boxes", own.key, own.file)));
                }
                boxes.push(FileBox { file, key: own.key.clone(), ranges: ranges.clone() });
            }
            let place = match boxes.as_slice() {
                [only] if only.key == *name => Place::Whole(only.file),
                _ => Place::Boxes(Boxes { dtype, shape: tensor.shape.clone(), boxes }),
            };
            tensors.insert(name.clone(), place);
        }
        for (position, file) in files.iter().enumerate() {
            if let Some(stray) = file.names().find(|name| !claimed.contains(&(position, *name))) {
                return Err(incomplete(folder, format!("\"{stray}\" in {} is a box of no tensor", names[position])));
            }
        }
        Ok(TensorFiles::new(folder.to_path_buf(), files, tensors))
    }

    fn check_box(&self, folder: &Path, file: &SafetensorsFile, own: &SavedBox, dtype: DType) -> Result<(), Error> {
        let wanted = format!("{} {:?}", dtype_name(dtype), own.extent);
        match file.form(&own.key) {
            Some((found, shape, _)) if found == dtype_name(dtype) && shape == own.extent => Ok(()),
            Some((found, shape, _)) => Err(incomplete(
                folder,
                format!("\"{}\" in {} is {found} {shape:?}, and {wanted} was saved", own.key, own.file),
            )),
            None => Err(incomplete(folder, format!("{} has no \"{}\"", own.file, own.key))),
        }
    }
}

impl AnyManifest {
    /// Reads the manifest of a folder.
    pub(crate) fn read(folder: &Path) -> Result<AnyManifest, Error> {
        AnyManifest::read_within(folder, MANIFEST_BYTES_MAX)
    }

    /// As [`AnyManifest::read`], of one that takes at most so many bytes.
    pub(crate) fn read_within(folder: &Path, bytes_max: u64) -> Result<AnyManifest, Error> {
        let path = folder.join(MANIFEST);
        let json = read_bytes_within(&path, bytes_max)?;
        let Format { format } = parse(&path, &json)?;
        match format {
            FORMAT => {
                let manifest: Manifest = parse(&path, &json)?;
                if manifest.digest != Some(manifest.own_digest()) {
                    return Err(incomplete(
                        folder,
                        format!("its {MANIFEST} is not what was saved (its checksum differs)"),
                    ));
                }
                Ok(AnyManifest::Now(manifest))
            }
            FORMAT_OF_WHOLE_TENSORS => {
                let OfWholeTensors { step, files } = parse(&path, &json)?;
                Ok(AnyManifest::OfWholeTensors(files, step))
            }
            found => Err(Error::CheckpointFormat { path: folder.to_path_buf(), found }),
        }
    }

    pub(crate) fn step(&self) -> u64 {
        match self {
            AnyManifest::Now(manifest) => manifest.step,
            AnyManifest::OfWholeTensors(_, step) => *step,
        }
    }

    /// Each file's name and size.
    pub(crate) fn files(&self) -> Vec<(&str, u64)> {
        match self {
            AnyManifest::Now(manifest) => {
                manifest.files.iter().map(|(name, file)| (name.as_str(), file.bytes)).collect()
            }
            AnyManifest::OfWholeTensors(files, _) => {
                files.iter().map(|(name, file)| (name.as_str(), file.bytes)).collect()
            }
        }
    }

    pub(crate) fn open_tensors(&self, folder: &Path, access: Access) -> Result<TensorFiles, Error> {
        match self {
            AnyManifest::Now(manifest) => manifest.open_tensors(folder, access),
            AnyManifest::OfWholeTensors(..) => whole_tensors(&folder.join(STATE), access),
        }
    }

    /// Checks that each file that is needed is listed, and that each that is listed is there with its size.
    pub(crate) fn check_sizes(&self, folder: &Path) -> Result<(), Error> {
        let files = self.files();
        let mut needed = vec![TRAINER_STATE];
        match self {
            AnyManifest::Now(manifest) => {
                needed.extend(manifest.tensors.values().flat_map(|tensor| &tensor.boxes).map(|own| own.file.as_str()));
            }
            AnyManifest::OfWholeTensors(..) => needed.push(STATE),
        }
        if let Some(needed) =
            needed.into_iter().find(|needed| files.binary_search_by_key(needed, |file| file.0).is_err())
        {
            return Err(incomplete(folder, format!("its {MANIFEST} does not list {needed}")));
        }
        for (name, bytes) in files {
            check_name(folder, name)?;
            let path = folder.join(name);
            let found = match fs::metadata(&path) {
                Ok(found) => found.len(),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                    return Err(incomplete(folder, format!("it has no {name}")));
                }
                // No damage: it may be as it was saved, and be there again.
                Err(cause) => return Err(Error::io("look at", &path)(cause)),
            };
            if found != bytes {
                return Err(incomplete(folder, format!("{name} has {found} bytes, and {bytes} were saved")));
            }
        }
        Ok(())
    }

    /// Compares a file's checksum; says what differs.
    pub(crate) fn check_file(&self, folder: &Path, name: &str) -> Result<(), Error> {
        let path = folder.join(name);
        let file = File::open(&path).map_err(Error::io("open", &path))?;
        let differs = match self {
            AnyManifest::Now(manifest) => {
                let mut sum = Sum::new();
                read_through(&path, file, |bytes| sum.add(bytes))?;
                let is_saved = sum.digest() == manifest.files[name].xxh3;
                (!is_saved).then(|| manifest.damaged_box(&path, name)).transpose()?
            }
            AnyManifest::OfWholeTensors(files, _) => {
                let mut sum = crc32fast::Hasher::new();
                read_through(&path, file, |bytes| sum.update(bytes))?;
                (sum.finalize() != files[name].crc32).then(String::new)
            }
        };
        match differs {
            None => Ok(()),
            Some(at) => Err(incomplete(folder, format!("{name} is not what was saved (its checksum differs){at}"))),
        }
    }
}

/// Reads a file to its end, which may be larger than memory. Not through a map: a page of it that the disk cannot read would end the process.
fn read_through(path: &Path, mut file: impl Read, mut take: impl FnMut(&[u8])) -> Result<(), Error> {
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(bytes) => take(&buffer[..bytes]),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(Error::io("read", path)(cause)),
        }
    }
}

impl Manifest {
    /// Names the first box of a file that is not what was saved, as the end of a sentence; nothing of a file without tensors.
    fn damaged_box(&self, path: &Path, name: &str) -> Result<String, Error> {
        if !name.ends_with(".safetensors") {
            return Ok(String::new());
        }
        let file = SafetensorsFile::open_for(path, Access::Read)?;
        for (tensor, saved) in &self.tensors {
            for own in saved.boxes.iter().filter(|own| own.file == name) {
                let found = file.bytes_of(&own.key).transpose()?;
                if found.is_some_and(|bytes| digest_of(&bytes) == own.xxh3) {
                    continue;
                }
                return Ok(match own.key == *tensor {
                    true => format!(", in \"{tensor}\""),
                    false => format!(", in the box \"{}\"", own.key),
                });
            }
        }
        Ok(", in its header".to_owned())
    }
}

/// The tensors of a checkpoint, wherever its folder is and whatever that is called; `None` where there are none.
pub(crate) fn saved_tensors(folder: &Path, access: Access) -> Result<Option<TensorFiles>, Error> {
    if folder.join(MANIFEST).is_file()
        && let manifest @ AnyManifest::Now(_) = AnyManifest::read(folder)?
    {
        return manifest.open_tensors(folder, access).map(Some);
    }
    let state = folder.join(STATE);
    if state.exists() { whole_tensors(&state, access).map(Some) } else { Ok(None) }
}

fn whole_tensors(state: &Path, access: Access) -> Result<TensorFiles, Error> {
    SafetensorsFile::open_for(state, access).map(TensorFiles::of_file)
}

/// A manifest from outside must not make us read elsewhere.
fn check_name(folder: &Path, name: &str) -> Result<(), Error> {
    match Path::new(name).file_name() == Some(name.as_ref()) {
        true => Ok(()),
        false => Err(incomplete(folder, format!("its {MANIFEST} lists \"{name}\", which is no file of the folder"))),
    }
}

/// The error of opening a file that the manifest lists.
fn lacks(folder: &Path, name: &str, error: Error) -> Error {
    match is_there(&folder.join(name)) {
        Ok(false) => incomplete(folder, format!("it has no {name}")),
        _ => error,
    }
}

pub(crate) fn incomplete(path: &Path, problem: String) -> Error {
    Error::Incomplete { path: path.to_path_buf(), problem }
}

#[cfg(test)]
mod tests {
    use graph::HostTensor;

    use super::*;
    use crate::{Checkpoint, Checkpoints, TensorSpec, read_json};

    /// What is said of a checkpoint whose manifest was changed by someone who knows how its digest is made.
    fn attacked(attack: impl FnOnce(&mut Manifest)) -> String {
        let run = tempfile::tempdir().unwrap();
        let part = |name: &str, rows: Range<usize>| TensorPart {
            whole: TensorSpec::new(name, DType::F32, [4, 2]),
            ranges: vec![rows, 0..2],
        };
        let parts = [part("v", 0..4), part("w", 0..1), part("w", 1..4)];
        let zeros = |part: &TensorPart| Ok(HostTensor::new(DType::F32, &part.spec().shape, vec![0; part.bytes()])?);
        let folder = Checkpoints::open(run.path()).unwrap().save(1, &(), &parts, zeros).unwrap();
        let path = folder.join(MANIFEST);
        let mut manifest: Manifest = read_json(&path).unwrap();
        attack(&mut manifest);
        manifest.digest = Some(manifest.own_digest());
        fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
        match Checkpoint::open(&folder) {
            Ok(_) => "it is read".to_owned(),
            Err(error) => error.to_string().rsplit_once("step-00000001 ").unwrap().1.to_owned(),
        }
    }

    fn boxes<'m>(manifest: &'m mut Manifest, name: &str) -> &'m mut Vec<SavedBox> {
        &mut manifest.tensors.get_mut(name).unwrap().boxes
    }

    #[track_caller]
    fn check(attack: impl FnOnce(&mut Manifest), expected: &str) {
        assert_eq!(attacked(attack), format!("is not complete: {expected}"));
    }

    /// A disk that gives one part of a file and cannot read the next.
    #[test]
    fn what_the_disk_cannot_read_is_an_error_and_no_damage() {
        struct Failing(usize);
        impl Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    1 => Err(io::ErrorKind::Interrupted.into()),
                    2 => {
                        buffer[..3].fill(7);
                        Ok(3)
                    }
                    _ => Err(rustix::io::Errno::IO.into()),
                }
            }
        }
        let mut taken = Vec::new();
        let read = read_through(Path::new("state"), Failing(0), |bytes| taken.extend_from_slice(bytes));
        assert_eq!(taken, [7; 3]);
        assert!(matches!(read, Err(Error::Io { action: "read", .. })), "{read:?}");
    }

    #[test]
    fn what_was_saved_is_read() {
        assert_eq!(attacked(|_| {}), "it is read");
    }

    #[test]
    fn files_elsewhere_are_not_read() {
        let message = "its manifest.json lists \"../state\", which is no file of the folder";
        let elsewhere = |manifest: &mut Manifest| {
            manifest.files.insert("../state".into(), manifest.files[STATE]);
        };
        check(elsewhere, message);
        check(|manifest| boxes(manifest, "w")[0].file = "../state".into(), "its manifest.json does not list ../state");
    }

    #[test]
    fn files_that_are_needed_are_listed() {
        check(|manifest| _ = manifest.files.remove(STATE), "its manifest.json does not list state.safetensors");
        check(
            |manifest| _ = manifest.files.remove(TRAINER_STATE),
            "its manifest.json does not list trainer_state.json",
        );
    }

    #[test]
    fn boxes_hold_each_element_once() {
        let message = "of its tensor \"w\" 2 of its 8 elements are in no box";
        check(|manifest| drop(boxes(manifest, "w").remove(0)), message);
        let message = "of its tensor \"w\" its elements [1:2,0:2] are in two boxes";
        check(
            |manifest| boxes(manifest, "w")[1].offset = vec![0, 0],
            "of its tensor \"w\" its elements [0:1,0:2] are in two boxes",
        );
        check(|manifest| boxes(manifest, "w")[0].extent = vec![2, 2], message);
        let message = "of its tensor \"w\" its box [2:5,0:2] does not lie within its shape [4, 2]";
        check(|manifest| boxes(manifest, "w")[1].offset = vec![2, 0], message);
        check(|manifest| boxes(manifest, "w")[1].offset = vec![usize::MAX, 0], "of its tensor \"w\" a box has no end");
        check(|manifest| boxes(manifest, "w")[1].offset = vec![1], "of its tensor \"w\" a box has no end");
        let huge = vec![usize::MAX, 2];
        let message = format!("of its tensor \"w\" its shape {huge:?} overflows");
        check(|manifest| manifest.tensors.get_mut("w").unwrap().shape = huge, &message);
    }

    #[test]
    fn a_box_is_what_its_file_says() {
        let lengthen = |manifest: &mut Manifest| {
            manifest.tensors.get_mut("v").unwrap().shape = vec![5, 2];
            boxes(manifest, "v")[0].extent = vec![5, 2];
        };
        check(lengthen, "\"v\" in state.safetensors is F32 [4, 2], and F32 [5, 2] was saved");
        let message = "\"v\" in state.safetensors is F32 [4, 2], and I32 [4, 2] was saved";
        check(|manifest| manifest.tensors.get_mut("v").unwrap().dtype = "I32".into(), message);
        let message = "its tensor \"v\" is of no known type (F7)";
        check(|manifest| manifest.tensors.get_mut("v").unwrap().dtype = "F7".into(), message);
        check(|manifest| boxes(manifest, "v")[0].key = "u".into(), "state.safetensors has no \"u\"");
    }

    #[test]
    fn what_a_file_holds_is_one_box_of_one_tensor() {
        let message = "\"v\" in state.safetensors is two boxes";
        check(|manifest| drop(manifest.tensors.insert("x".into(), manifest.tensors["v"].clone())), message);
        check(|manifest| drop(manifest.tensors.remove("v")), "\"v\" in state.safetensors is a box of no tensor");
    }
}
