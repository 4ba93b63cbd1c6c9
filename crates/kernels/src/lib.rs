//! Kernels for GPUs, written once for all vendors.
//!
//! A kernel is a Rust function that builds a small program over blocks of numbers ([`ir`], through [`Builder`]): what one of many
//! programs, which run side by side, loads, computes and stores. It is printed as Triton IR ([`triton`]), which the vendors' XLA plugins
//! compile ([`Launch::call`]), and it can be run element by element on any machine ([`interpret`]), which finds wrong indices, reads of
//! what is written and races. This crate does no IO and knows no device.

mod agreement;
mod attention;
mod builder;
mod catalogue;
mod convolution;
mod dual_scan;
mod few_vectors;
mod filling;
mod float8;
mod grouped_product;
mod interpreter;
mod ir;
mod laid;
mod launch;
mod lines;
mod mask;
mod narrow_product;
mod packed_by_hand;
mod packed_keys;
mod packed_product;
mod packed_weight;
mod paged_write;
mod ptx;
mod row_norm;
mod selective_scan;
mod several_products;
mod sum_parts;
mod token_by_token;
mod triton;
mod unpacked_pages;
mod value;
mod vector_product;

pub use agreement::Distance;
pub use attention::{Attention, Biases, Gpu, PagedAttention, Spans};
pub use builder::Builder;
pub use catalogue::{Argument, Fill, Operation};
pub use convolution::Convolution;
pub use dual_scan::DualScan;
pub use few_vectors::{FewVectors, Multiplied};
pub use filling::filled;
pub use grouped_product::GroupedProduct;
pub use interpreter::{Array, Fault, Interpreter};
pub use ir::{Kernel, KernelError};
pub use launch::{ByHand, Code, Launch, Road};
pub use narrow_product::NarrowProduct;
pub use packed_keys::PackedKeys;
pub use packed_product::{LaidOut, PackedProduct};
pub use packed_weight::{PackedWeight, Weight};
pub use paged_write::PagedWrite;
pub use row_norm::{Added, Norm, NormForm, NormOfSum, Residual, RowNorm};
pub use selective_scan::SelectiveScan;
pub use unpacked_pages::UnpackedPages;
pub use value::{IntoValue, Value};
pub use vector_product::{Outputs, VectorProduct};
