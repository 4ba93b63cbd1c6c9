//! Files that break a rule of the safetensors format: each is one test, and one sentence.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use checkpoint::SafetensorsFile;

/// A file with this header and that many bytes of data.
fn file(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

/// What opening such a file says, without the path.
#[track_caller]
fn refused(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    std::fs::write(&path, bytes).unwrap();
    let message = SafetensorsFile::open(&path).expect_err("the file is not valid").to_string();
    let rule = message.strip_prefix(&format!("{} is not a valid safetensors file: ", path.display()));
    rule.unwrap_or_else(|| panic!("no path in {message}")).to_string()
}

#[track_caller]
fn refused_header(header: &str, data: usize) -> String {
    refused(&file(header, data))
}

#[test]
fn empty_file() {
    assert_eq!(refused(b""), "it is 0 bytes long, and the length of the header alone takes 8");
}

#[test]
fn file_shorter_than_the_length() {
    assert_eq!(refused(&[1, 0, 0]), "it is 3 bytes long, and the length of the header alone takes 8");
}

#[test]
fn git_lfs_pointer() {
    let rule = refused(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
    assert_eq!(rule, "it is a Git LFS pointer and not the file itself; run `git lfs pull` in its folder");
}

#[test]
fn header_of_absurd_length() {
    let expected = "its header claims 18446744073709551615 bytes, and the format allows 100000000; it is damaged or \
                    another kind of file";
    assert_eq!(refused(&[0xFF; 64]), expected);
}

#[test]
fn header_beyond_the_end() {
    let mut bytes = file("{}", 0);
    bytes[0] = 200;
    assert_eq!(refused(&bytes), "its header claims 200 bytes, but only 2 follow; the file is truncated");
}

#[test]
fn header_that_is_not_utf8() {
    let mut bytes = file(r#"{"a":1}"#, 0);
    bytes[8 + 2] = 0xC0;
    assert_eq!(refused(&bytes), "byte 2 of its header is not UTF-8");
}

#[test]
fn header_that_is_not_an_object() {
    assert_eq!(refused_header("[]", 0), r#"its header does not begin with "{""#);
}

#[test]
fn header_of_no_length() {
    assert_eq!(refused_header("", 0), r#"its header does not begin with "{""#);
}

#[test]
fn header_that_is_cut_json() {
    let rule = refused_header(r#"{"a":{"dtype":"F32""#, 0);
    let expected = "its header is not the JSON that the format asks for, at \"a\": EOF while parsing an object at line \
                    1 column 19";
    assert_eq!(rule, expected);
}

#[test]
fn header_with_json_after_it() {
    let expected = "its header is not the JSON that the format asks for: trailing characters at line 1 column 4";
    assert_eq!(refused_header("{} {}", 0), expected);
}

#[test]
fn header_nested_without_end() {
    let header = format!(r#"{{"a":{}"#, "[".repeat(100_000));
    assert!(refused_header(&header, 0).contains("at \"a\""));
}

#[test]
fn negative_offset() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}"#, 4);
    assert!(rule.contains("at \"a\": invalid value: integer `-4`, expected usize"), "{rule}");
}

#[test]
fn three_offsets() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}"#, 4);
    assert!(rule.contains("at \"a\": trailing characters"), "{rule}");
}

#[test]
fn missing_shape() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","data_offsets":[0,4]}}"#, 4);
    assert!(rule.contains("at \"a\": missing field `shape`"), "{rule}");
}

#[test]
fn repeated_field() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","dtype":"F64","shape":[1],"data_offsets":[0,4]}}"#, 4);
    assert!(rule.contains("at \"a\": duplicate field `dtype`"), "{rule}");
}

#[test]
fn metadata_that_is_not_strings() {
    let rule = refused_header(r#"{"__metadata__":{"epochs":3}}"#, 0);
    assert!(rule.contains("at \"__metadata__\": invalid type: integer `3`, expected a string"), "{rule}");
}

#[test]
fn repeated_name() {
    let entry = r#"{"dtype":"U8","shape":[1],"data_offsets":[0,1]}"#;
    let rule = refused_header(&format!(r#"{{"a":{entry},"a":{entry}}}"#), 1);
    assert_eq!(rule, r#"the name "a" stands in its header twice"#);
}

#[test]
fn name_repeated_in_another_spelling() {
    let entry = r#"{"dtype":"U8","shape":[1],"data_offsets":[0,1]}"#;
    let rule = refused_header(&format!(r#"{{"a":{entry},"\u0061":{entry}}}"#), 1);
    assert_eq!(rule, r#"the name "a" stands in its header twice"#);
}

#[test]
fn repeated_metadata() {
    let rule = refused_header(r#"{"__metadata__":{},"__metadata__":{}}"#, 0);
    assert_eq!(rule, r#"the name "__metadata__" stands in its header twice"#);
}

#[test]
fn unknown_dtype() {
    let rule = refused_header(r#"{"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}}"#, 4);
    assert_eq!(rule, r#"tensor "a" has the dtype "F31", which the format does not know"#);
}

#[test]
fn end_before_begin() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#, 4);
    assert_eq!(rule, r#"tensor "a" begins at byte 4 and ends before that, at 0"#);
}

#[test]
fn offsets_beyond_the_file() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 7);
    assert_eq!(rule, r#"tensor "a" ends at byte 8 of the data, of which there are 7; the file is truncated"#);
}

#[test]
fn shape_that_overflows() {
    let rule = refused_header(r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#, 0);
    assert_eq!(rule, r#"tensor "a" has the shape [4294967296, 4294967296], whose size in bytes overflows"#);
}

#[test]
fn shape_that_overflows_behind_a_zero() {
    let shape = "[4294967296,4294967296,0]";
    let rule = refused_header(&format!(r#"{{"a":{{"dtype":"F32","shape":{shape},"data_offsets":[0,0]}}}}"#), 0);
    assert!(rule.contains("whose size in bytes overflows"), "{rule}");
}

#[test]
fn shape_that_does_not_fill_its_bytes() {
    let rule = refused_header(r#"{"a":{"dtype":"BF16","shape":[3],"data_offsets":[0,8]}}"#, 8);
    assert_eq!(rule, r#"tensor "a" of shape [3] and dtype BF16 takes 6 bytes, but its offsets span 8"#);
}

#[test]
fn packed_shape_that_ends_within_a_byte() {
    let rule = refused_header(r#"{"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}}"#, 2);
    assert_eq!(rule, r#"tensor "a" of shape [3] and dtype F4 does not end on a whole byte"#);
}

#[test]
fn overlapping_tensors() {
    let a = r#""a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}"#;
    let b = r#""b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}"#;
    assert_eq!(refused_header(&format!("{{{a},{b}}}"), 6), r#"tensors "a" and "b" overlap"#);
}

#[test]
fn tensors_that_share_all_bytes() {
    let entry = r#"{"dtype":"U8","shape":[4],"data_offsets":[0,4]}"#;
    assert_eq!(refused_header(&format!(r#"{{"a":{entry},"b":{entry}}}"#), 4), r#"tensors "a" and "b" overlap"#);
}

#[test]
fn hole_between_tensors() {
    let a = r#""a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}"#;
    let b = r#""b":{"dtype":"U8","shape":[4],"data_offsets":[6,10]}"#;
    let rule = refused_header(&format!("{{{a},{b}}}"), 10);
    assert_eq!(rule, r#"bytes 4 to 6 of the data, before tensor "b", belong to no tensor"#);
}

#[test]
fn bytes_after_the_last_tensor() {
    let rule = refused_header(r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}"#, 9);
    assert_eq!(rule, "the last 5 bytes of the data belong to no tensor");
}

#[test]
fn missing_file_and_folder() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.safetensors");
    let message = SafetensorsFile::open(&missing).unwrap_err().to_string();
    assert!(message.starts_with(&format!("could not open {}: ", missing.display())), "{message}");
    let message = SafetensorsFile::open(folder.path()).unwrap_err().to_string();
    assert_eq!(message, format!("could not open {}: it is not a file", folder.path().display()));
}

/// Tensors that we cannot compute with do not make the rest of the file unusable.
#[test]
fn unsupported_dtype_is_an_error_of_that_tensor() {
    let a = r#""a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}"#;
    let b = r#""b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.safetensors");
    std::fs::write(&path, file(&format!("{{{a},{b}}}"), 6)).unwrap();
    let opened = SafetensorsFile::open(&path).unwrap();
    assert_eq!(opened.tensor("b").unwrap().shape(), [2]);
    let message = opened.tensor("a").unwrap_err().to_string();
    assert!(message.starts_with(r#"tensor "a" of "#) && message.contains("stored as F8_E4M3"), "{message}");
}

#[test]
fn unknown_tensor_names_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.safetensors");
    std::fs::write(&path, file(r#"{"lm_head.weight":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#, 0)).unwrap();
    let opened = SafetensorsFile::open(&path).unwrap();
    let message = opened.tensor("lm_head.weights").unwrap_err().to_string();
    let expected = r#"holds no tensor "lm_head.weights"; the nearest name is "lm_head.weight""#;
    assert!(message.ends_with(expected), "{message}");
    assert!(opened.tensor("x").unwrap_err().to_string().ends_with(r#"holds no tensor "x""#));
}
