//! SLURM's lists of hosts, such as `gpu[001-004,007],login`.

/// The first host of a list, or the rule that the list breaks.
///
/// Brackets may stand anywhere and several times (`r[1-2]n[01-16]-ib`); numbers keep their leading zeros.
pub(crate) fn first_host(list: &str) -> Result<String, &'static str> {
    let (mut host, mut rest) = (String::new(), list);
    while let Some(at) = rest.find(['[', ']', ',']) {
        host.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b',' => {
                rest = "";
                break;
            }
            b']' => return Err("a bracket is closed that was not opened"),
            _ => {
                let (ranges, behind) = rest[at + 1..].split_once(']').ok_or("a bracket is not closed")?;
                host.push_str(first_number(ranges)?);
                rest = behind;
            }
        }
    }
    host.push_str(rest);
    match host.is_empty() {
        true => Err("its first host has no name"),
        false => Ok(host),
    }
}

/// The first number of `001-004,007`, with its zeros.
fn first_number(ranges: &str) -> Result<&str, &'static str> {
    let range = ranges.split(',').next().unwrap_or_default();
    let (low, high) = range.split_once('-').unwrap_or((range, range));
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match (number(low), number(high)) {
        (Some(first), Some(last)) if first <= last => Ok(low),
        (Some(_), Some(_)) => Err("a range ends before it begins"),
        _ => Err("there is something else than numbers in brackets"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_host() {
        let cases = [
            ("n1", Ok("n1")),
            ("n1,n2", Ok("n1")),
            ("n[1-4]", Ok("n1")),
            ("n[3,5-7]", Ok("n3")),
            ("gpu[001-004,007],login", Ok("gpu001")),
            ("gpu[099-101]", Ok("gpu099")),
            ("gpu[7]", Ok("gpu7")),
            ("login,gpu[001-004]", Ok("login")),
            ("r[1-2]n[01-16]-ib", Ok("r1n01-ib")),
            ("nid[005632-005633]", Ok("nid005632")),
            ("n1.cluster.example,n2.cluster.example", Ok("n1.cluster.example")),
            ("[1-2]", Ok("1")),
            ("", Err("its first host has no name")),
            (",n1", Err("its first host has no name")),
            ("n[1-4", Err("a bracket is not closed")),
            ("n1]", Err("a bracket is closed that was not opened")),
            ("n[4-1]", Err("a range ends before it begins")),
            ("n[]", Err("there is something else than numbers in brackets")),
            ("n[a-b]", Err("there is something else than numbers in brackets")),
            ("n[+1-2]", Err("there is something else than numbers in brackets")),
            ("n[[1]]", Err("there is something else than numbers in brackets")),
            ("n[1-99999999999999999999]", Err("there is something else than numbers in brackets")),
        ];
        for (list, expected) in cases {
            assert_eq!(first_host(list).as_deref(), expected.as_ref().map(|host| *host), "{list:?}");
        }
    }
}
