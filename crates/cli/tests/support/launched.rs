//! The processes that `finery launch` has started.

use std::fs;

use rustix::process::Pid;

/// The child of the launcher that has this rank.
pub(crate) fn rank_of(launcher: u32, rank: u32) -> Option<Pid> {
    let wanted = format!("FINERY_RANK={rank}");
    fs::read_dir("/proc").unwrap().find_map(|entry| {
        let id: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let (parent, _) = parent_and_group(id)?;
        let environment = fs::read(format!("/proc/{id}/environ")).ok()?;
        let has_rank = environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes());
        (parent == launcher as i32 && has_rank).then(|| Pid::from_raw(id)).flatten()
    })
}

pub(crate) fn parent_and_group(id: i32) -> Option<(i32, i32)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name before may have spaces and brackets.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(1);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}
