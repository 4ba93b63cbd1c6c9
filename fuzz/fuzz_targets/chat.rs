//! Bodies of `/v1/chat/completions`.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use fuzz::Fuzzed;
use libfuzzer_sys::fuzz_target;

static FUZZED: LazyLock<Fuzzed> = LazyLock::new(|| Fuzzed::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")));

fuzz_target!(|body: &[u8]| {
    FUZZED.chat(body);
});
