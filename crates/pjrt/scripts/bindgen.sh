#!/bin/sh
# Prints src/sys.rs. Needs bindgen-cli 0.73.2 (`cargo install bindgen-cli@0.73.2`) and libclang (LIBCLANG_PATH names its
# folder when it is not on the system's path); BINDGEN_EXTRA_CLANG_ARGS may add the folder of stddef.h.
set -eu
cd "$(dirname "$0")/.."
cat <<'HEAD'
//! The PJRT C API, version 0.81, as Rust declarations. Generated: do not edit.
//!
//! `scripts/bindgen.sh > src/sys.rs` makes this file again from `include/pjrt_c_api.h`, with bindgen-cli 0.73.2.
//! The header is the OpenXLA authors' work under the Apache License 2.0 (see `include/NOTICE`).
#![allow(missing_docs, dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals, unreachable_pub)]
#![allow(clippy::all)]

HEAD
bindgen include/pjrt_c_api.h --disable-header-comment --allowlist-item 'PJRT_.*' \
    --blocklist-item 'PJRT_.*_STRUCT_SIZE|_bindgen_ty_.*' --no-prepend-enum-name \
    --no-layout-tests --no-doc-comments --ctypes-prefix core::ffi --use-core --rust-target 1.88 --rust-edition 2024 -- -x c
