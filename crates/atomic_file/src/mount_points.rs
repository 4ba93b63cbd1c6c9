//! Which folders are mount points. Nothing can take the place of one by a rename.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Where Linux tells a process of its mount points (`proc_pid_mountinfo(5)`).
const MOUNTS: &str = "/proc/self/mountinfo";

/// Refuses a folder that is a mount point. Where the system does not tell, none is refused.
///
/// # Errors
/// It is one.
pub(crate) fn refuse(folder: &Path) -> io::Result<()> {
    // What is not there is none.
    let (Ok(folder), Ok(mounts)) = (folder.canonicalize(), fs::read(MOUNTS)) else { return Ok(()) };
    if listed(&mounts).any(|mount_point| mount_point == folder) {
        let problem = "it is a mount point, whose place a finished folder cannot take: name a folder within it";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    Ok(())
}

/// The mount points that a text of the form of [`MOUNTS`] tells of: the fifth field of each line.
fn listed(mounts: &[u8]) -> impl Iterator<Item = PathBuf> {
    let of_line = |line: &[u8]| line.split(|byte| *byte == b' ').nth(4).map(unescaped);
    mounts.split(|byte| *byte == b'\n').filter_map(of_line)
}

/// A path in which white space and backslashes are `\` and three octal digits.
fn unescaped(mut field: &[u8]) -> PathBuf {
    let mut path = Vec::with_capacity(field.len());
    while let Some((&byte, rest)) = field.split_first() {
        let code = rest.first_chunk().filter(|_| byte == b'\\').and_then(octal);
        path.push(code.unwrap_or(byte));
        field = if code.is_some() { &rest[3..] } else { rest };
    }
    PathBuf::from(OsString::from_vec(path))
}

fn octal(digits: &[u8; 3]) -> Option<u8> {
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    u8::from_str_radix(digits, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_the_fifth_field_without_its_escapes() {
        let mounts = b"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
            36 35 98:0 /mnt1 /mnt/of\\040two\\011words rw,noatime master:1 - ext3 /dev/root rw\n\
            37 22 0:5 / /a\\134040b\\04 rw - tmpfs t\\040mp rw\n\
            38 22 0:6 / /m\xff\\777\\0+7 rw - tmpfs tmpfs rw\n\
            short line\n\n";
        let found: Vec<Vec<u8>> = listed(mounts).map(|path| path.into_os_string().into_vec()).collect();
        let expected: [&[u8]; 4] = [b"/", b"/mnt/of two\twords", b"/a\\040b\\04", b"/m\xff\\777\\0+7"];
        assert_eq!(found, expected);
    }
}
