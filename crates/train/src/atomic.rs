//! Text files that are replaced in one go.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file by way of a temporary one beside it, so that a crash leaves the old file or the new one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}
