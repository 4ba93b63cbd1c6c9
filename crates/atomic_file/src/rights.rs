//! Whose a file is, and who may read it.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

/// Gives a file that is for its owner alone the owner, the group and the permissions of another.
///
/// # Errors
/// They cannot be given by this user.
pub(crate) fn give_rights(file: &File, before: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
        let (user, group) = (before.uid(), before.gid());
        let is_read_by_others_than_owner = before.mode() & 0o044 != 0;
        let given = match fchown(file, Some(user), Some(group)) {
            Err(error) if is_denied(&error) && own.uid() != user && is_read_by_others_than_owner => {
                fchown(file, None, Some(group))
            }
            given => given,
        };
        given.map_err(|error| match is_denied(&error) {
            true => io::Error::new(
                error.kind(),
                format!(
                    "it belongs to user {user} and group {group}, to which this user cannot give the new one: run this as user {user}, or as root"
                ),
            ),
            false => error,
        })?;
    }
    // Behind the owner, whose change takes some away, and the group, which is not to read what another may.
    file.set_permissions(Permissions::from_mode(before.mode() & 0o777))
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}
