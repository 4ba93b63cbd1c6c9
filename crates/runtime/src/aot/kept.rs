//! What was told of a program that was compiled ahead of time, kept for who asks again. The program itself is of no use here: nothing can run it.

use std::io::Write as _;
use std::path::Path;

use file_cache::FileCache;
use graph::Program;
use pjrt::{CompiledMemoryStats, OptimizedProgram, Plugin};

use super::{Description, Nodes, options_of, topology_of};
use crate::plugins::Environment;
use crate::program_key::{checksum, file_identity, key};
use crate::session::xla_flags;

/// The place of a program among those that are kept.
#[derive(Debug)]
pub struct Kept {
    files: FileCache,
    key: String,
}

impl Kept {
    /// That of a program for such devices, by this plugin; `None` where there is no cache, or nothing tells the plugin from another.
    pub fn of(
        environment: &Environment,
        plugin: &Plugin,
        device: &Description,
        nodes: Nodes,
        cuda_toolchain: Option<&Path>,
        program: &Program,
    ) -> Option<Kept> {
        let (files, identity) = (environment.programs()?, file_identity(plugin.path()).ok()?);
        let options = options_of(device, cuda_toolchain, program).encode();
        let flags = environment.xla_flags.as_deref().map(xla_flags).unwrap_or_default();
        let (text, topology) = (program.text.as_bytes(), topology_of(nodes));
        let parts = [b"told", text, &options, device.text().as_bytes(), topology.as_bytes(), &identity, &flags];
        Some(Kept { files, key: key(&parts) })
    }

    /// What was stored there.
    pub fn load(&self) -> Option<(CompiledMemoryStats, OptimizedProgram)> {
        let found = self.files.load(&self.key).unwrap_or_else(|error| {
            tracing::debug!(%error, "cannot read what is kept of a program");
            None
        });
        read(&found?)
    }

    /// Stores it. A cache that cannot be written costs time later, and is no error.
    pub fn store(&self, memory: &CompiledMemoryStats, optimized: &OptimizedProgram) {
        let bytes = written(memory, optimized);
        if let Err(error) = self.files.store(&self.key, |file| file.write_all(&bytes)) {
            tracing::debug!(%error, "cannot keep what is told of a program");
        }
    }
}

/// A line of numbers, the format and a checksum, then the program.
fn written(memory: &CompiledMemoryStats, optimized: &OptimizedProgram) -> Vec<u8> {
    let CompiledMemoryStats { argument, output, alias, temp, code } = memory;
    let head = format!("{argument} {output} {alias} {temp} {code} {}", optimized.format);
    let sum = checksum(&[head.as_bytes(), &optimized.code]);
    [format!("{head} {sum}\n").as_bytes(), &optimized.code].concat()
}

fn read(bytes: &[u8]) -> Option<(CompiledMemoryStats, OptimizedProgram)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (head, sum) = std::str::from_utf8(&bytes[..end]).ok()?.rsplit_once(' ')?;
    let code = &bytes[end + 1..];
    if sum.parse() != Ok(checksum(&[head.as_bytes(), code])) {
        return None;
    }
    let mut words = head.split(' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let memory = CompiledMemoryStats {
        argument: number()?,
        output: number()?,
        alias: number()?,
        temp: number()?,
        code: number()?,
    };
    Some((memory, OptimizedProgram { format: words.next()?.to_owned(), code: code.to_vec() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_is_not_told() {
        let memory = CompiledMemoryStats { argument: 1, output: 2, alias: 3, temp: 4, code: 5 };
        let optimized = OptimizedProgram { format: "hlo".to_owned(), code: vec![0, b'\n', 7] };
        let whole = written(&memory, &optimized);
        let (found, program) = read(&whole).expect("it is whole");
        assert_eq!((found.argument, found.output, found.alias, found.temp, found.code), (1, 2, 3, 4, 5));
        assert_eq!((program.format.as_str(), program.code), ("hlo", optimized.code));
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_none(), "{end} bytes");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(read(&damaged).is_none(), "byte {at}");
        }
    }
}
