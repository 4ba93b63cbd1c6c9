//! Named values: how options go into a plugin, and properties come out.

use crate::api::{slice, text};
use crate::error::Failure;
use crate::{Code, sys};

/// The value of a client option or of a plugin's attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// Text.
    String(String),
    /// An integer.
    Int(i64),
    /// Several integers, such as device numbers.
    IntList(Vec<i64>),
    /// A number.
    Float(f32),
    /// A switch.
    Bool(bool),
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        OptionValue::String(value.to_owned())
    }
}

impl From<i64> for OptionValue {
    fn from(value: i64) -> Self {
        OptionValue::Int(value)
    }
}

impl From<f32> for OptionValue {
    fn from(value: f32) -> Self {
        OptionValue::Float(value)
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        OptionValue::Bool(value)
    }
}

/// The options as the C API takes them. They point into `options`, which must outlive them.
pub(crate) fn named_values(options: &[(&str, OptionValue)]) -> Vec<sys::PJRT_NamedValue> {
    options.iter().map(|(name, value)| named_value(name, value)).collect()
}

fn named_value(name: &str, value: &OptionValue) -> sys::PJRT_NamedValue {
    type Value = sys::PJRT_NamedValue__bindgen_ty_1;
    let (type_, union, value_size) = match value {
        OptionValue::String(text) => {
            (sys::PJRT_NamedValue_kString, Value { string_value: text.as_ptr().cast() }, text.len())
        }
        OptionValue::Int(int) => (sys::PJRT_NamedValue_kInt64, Value { int64_value: *int }, 1),
        OptionValue::IntList(ints) => {
            (sys::PJRT_NamedValue_kInt64List, Value { int64_array_value: ints.as_ptr() }, ints.len())
        }
        OptionValue::Float(float) => (sys::PJRT_NamedValue_kFloat, Value { float_value: *float }, 1),
        OptionValue::Bool(switch) => (sys::PJRT_NamedValue_kBool, Value { bool_value: *switch }, 1),
    };
    sys::PJRT_NamedValue {
        struct_size: size_of::<sys::PJRT_NamedValue>(),
        extension_start: std::ptr::null_mut(),
        name: name.as_ptr().cast(),
        name_size: name.len(),
        type_,
        __bindgen_anon_1: union,
        value_size,
    }
}

/// Copies the named values that a plugin returned; those of an unknown type are left out.
///
/// The struct grows at its end, so the elements of a newer plugin's array may be further apart than ours.
///
/// # Safety
/// `start` is null or the start of `len` named values, as large as the first says; they and what they point to are alive,
/// and each holds the member of the union that its type names.
pub(crate) unsafe fn read_named_values(
    start: *const sys::PJRT_NamedValue,
    len: usize,
) -> Result<Vec<(String, OptionValue)>, Failure> {
    if start.is_null() || len == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: every version of the struct begins with its size.
    let struct_size = unsafe { (&raw const (*start).struct_size).read() };
    if struct_size < size_of::<sys::PJRT_NamedValue>() {
        let message = format!("the plugin returned named values of {struct_size} bytes, too few to hold one");
        return Err(Failure::Status { code: Code::Internal, message });
    }
    // The size that is stated ends with the last field; the array has padding after it.
    let stride = struct_size.next_multiple_of(align_of::<sys::PJRT_NamedValue>());
    // SAFETY: the caller vouches for the array, and each element holds at least the fields that we know.
    let values = (0..len).map(|index| unsafe { start.byte_add(index * stride).read() });
    // SAFETY: the caller vouches for the pointers and the union.
    Ok(values.filter_map(|named| unsafe { read_named_value(&named) }).collect())
}

/// `None` for a type that is not known here.
///
/// # Safety
/// What `named` points to is alive, and its union holds the member that its type names.
unsafe fn read_named_value(named: &sys::PJRT_NamedValue) -> Option<(String, OptionValue)> {
    let union = named.__bindgen_anon_1;
    // SAFETY: the caller vouches for the pointers and the union.
    unsafe {
        let value = match named.type_ {
            sys::PJRT_NamedValue_kString => OptionValue::String(text(union.string_value, named.value_size)),
            sys::PJRT_NamedValue_kInt64 => OptionValue::Int(union.int64_value),
            sys::PJRT_NamedValue_kInt64List => {
                OptionValue::IntList(slice(union.int64_array_value, named.value_size).to_vec())
            }
            sys::PJRT_NamedValue_kFloat => OptionValue::Float(union.float_value),
            sys::PJRT_NamedValue_kBool => OptionValue::Bool(union.bool_value),
            _ => return None,
        };
        Some((text(named.name, named.name_size), value))
    }
}
