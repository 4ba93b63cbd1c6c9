//! What we write, the `safetensors` crate reads as it was, and what it writes, we do.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use checkpoint::{Error, SafetensorsFile, TensorSpec, write_safetensors};
use graph::{DType, HostTensor};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

const DTYPES: [(DType, Dtype); 9] = [
    (DType::Bool, Dtype::BOOL),
    (DType::U8, Dtype::U8),
    (DType::U32, Dtype::U32),
    (DType::I32, Dtype::I32),
    (DType::I64, Dtype::I64),
    (DType::BF16, Dtype::BF16),
    (DType::F16, Dtype::F16),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
];
const SHAPES: [&[usize]; 5] = [&[], &[1], &[3], &[2, 5], &[4, 0, 2]];

/// A tensor of every dtype in every shape, with bytes that differ between tensors.
fn tensors() -> BTreeMap<String, HostTensor<'static>> {
    let mut tensors = BTreeMap::new();
    for (dtype, _) in DTYPES {
        for shape in SHAPES {
            let bytes: usize = shape.iter().product::<usize>() * dtype.size();
            let values: Vec<u8> = (0..bytes).map(|i| (i * 7 + tensors.len()) as u8).collect();
            // A name that JSON must escape.
            tensors.insert(format!("\"{dtype}\"\n{shape:?}é"), HostTensor::new(dtype, shape, values).unwrap());
        }
    }
    tensors
}

fn specs(tensors: &BTreeMap<String, HostTensor<'_>>) -> Vec<TensorSpec> {
    tensors.iter().map(|(name, tensor)| TensorSpec::new(name, tensor.dtype(), tensor.shape())).collect()
}

#[test]
fn the_reference_reads_what_we_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sub/all.safetensors");
    let tensors = tensors();
    write_safetensors(&path, &specs(&tensors), |spec| Ok(tensors[&spec.name].clone())).unwrap();

    let bytes = std::fs::read(&path).unwrap();
    let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
    assert_eq!(metadata.metadata().as_ref().unwrap()["format"], "pt");
    let read = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(read.len(), tensors.len());
    for (name, tensor) in &tensors {
        let view = read.tensor(name).unwrap();
        let dtype = DTYPES.into_iter().find(|(ours, _)| *ours == tensor.dtype()).unwrap().1;
        assert_eq!((view.dtype(), view.shape(), view.data()), (dtype, tensor.shape(), tensor.bytes()));
    }
    let files: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(files.len(), 1, "a temporary file was left");
}

#[test]
fn we_read_what_the_reference_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.safetensors");
    let tensors = tensors();
    let view = |tensor: &'static HostTensor<'static>| {
        let dtype = DTYPES.into_iter().find(|(ours, _)| *ours == tensor.dtype()).unwrap().1;
        TensorView::new(dtype, tensor.shape().to_vec(), tensor.bytes()).unwrap()
    };
    let leaked: &'static BTreeMap<String, HostTensor<'static>> = Box::leak(Box::new(tensors));
    let views: Vec<_> = leaked.iter().map(|(name, tensor)| (name.clone(), view(tensor))).collect();
    safetensors::serialize_to_file(views, Some([("a".to_string(), "b".to_string())].into()), &path).unwrap();

    let file = SafetensorsFile::open(&path).unwrap();
    assert!(file.names().eq(leaked.keys().map(String::as_str)));
    assert_eq!(file.metadata(), &BTreeMap::from([("a".to_string(), "b".to_string())]));
    for (name, tensor) in leaked {
        assert_eq!(&file.tensor(name).unwrap(), tensor);
        assert_eq!(file.shape(name), Some(tensor.shape()));
    }
}

/// Readers that map a file and cast it need this; the format does not promise it.
#[test]
fn tensors_are_aligned_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("aligned.safetensors");
    let specs: Vec<TensorSpec> =
        DTYPES.iter().map(|(dtype, _)| TensorSpec::new(dtype.to_string(), *dtype, [3])).collect();
    write_safetensors(&path, &specs, |spec| Ok(HostTensor::new(spec.dtype, &[3], vec![0; 3 * spec.dtype.size()])?))
        .unwrap();
    let file = SafetensorsFile::open(&path).unwrap();
    for spec in &specs {
        let tensor = file.tensor(&spec.name).unwrap();
        assert_eq!(tensor.bytes().as_ptr() as usize % spec.dtype.size(), 0, "{}", spec.name);
    }
}

/// A tensor is asked for when those before it are in the file, so that the writer holds one.
#[test]
fn tensors_are_written_before_the_next_is_asked_for() {
    const BYTES: usize = 2 << 20;
    let folder = tempfile::tempdir().unwrap();
    let specs: Vec<TensorSpec> = (0..8).map(|i| TensorSpec::new(format!("t{i}"), DType::U8, [BYTES])).collect();
    let mut asked = 0;
    write_safetensors(folder.path().join("big.safetensors"), &specs, |_| {
        let partial = std::fs::read_dir(folder.path())?.next().ok_or("no file yet")??;
        assert!(partial.metadata()?.len() >= asked * BYTES as u64);
        asked += 1;
        Ok(HostTensor::new(DType::U8, &[BYTES], vec![1; BYTES])?)
    })
    .unwrap();
    assert_eq!(asked, 8);
}

#[track_caller]
fn refused(specs: &[TensorSpec], tensor: Result<HostTensor<'static>, &str>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.safetensors");
    std::fs::write(&path, "what was there").unwrap();
    let error: Error = write_safetensors(&path, specs, |_| tensor.clone().map_err(Into::into)).unwrap_err();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "what was there");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file was left");
    error.to_string().replace(&path.display().to_string(), "PATH")
}

#[test]
fn bad_specs_and_sources_leave_what_was_there() {
    let f32_pair = || Ok(HostTensor::from_vec(&[2], vec![1.0_f32, 2.0]).unwrap());
    let spec = |name: &str, shape: &[usize]| TensorSpec::new(name, DType::F32, shape);
    let cases = [
        (vec![spec("a", &[2]), spec("a", &[2])], f32_pair(), r#"PATH cannot be written: the name "a" is taken"#),
        (vec![spec("__metadata__", &[2])], f32_pair(), r#"PATH cannot be written: the name "__metadata__" is taken"#),
        (
            vec![spec("a", &[usize::MAX, 2])],
            f32_pair(),
            r#"PATH cannot be written: the size of "a" of shape [18446744073709551615, 2] overflows"#,
        ),
        (
            vec![spec("a", &[2, 1])],
            f32_pair(),
            r#"PATH cannot be written: "a" was declared as f32 [2, 1] and came as f32 [2]"#,
        ),
        (
            vec![spec("b", &[2])],
            Err("the device is gone"),
            r#"tensor "b" of PATH could not be obtained: the device is gone"#,
        ),
    ];
    for (specs, tensor, expected) in cases {
        assert_eq!(refused(&specs, tensor), expected);
    }
}
