//! Proposals for how a text goes on, by looking up where its last tokens stood before (prompt lookup decoding, Saxena 2023; Yang et al. 2023,
//! Inference with Reference). A wrong one costs what its tokens take beside others in a step, and changes nothing.

use crate::engine::Lookup;

/// Up to `most` tokens that may follow `text`: those that followed its last tokens where these stood last, of as many as agree, from
/// `lookup.longest` to `lookup.shortest`. What followed may reach into what follows now, so that a text that repeats itself goes on doing so.
pub(crate) fn proposed(text: &[u32], lookup: Lookup, most: usize) -> Vec<u32> {
    let Some((&last, before)) = text.split_last() else { return Vec::new() };
    let most = most.min(lookup.tokens);
    // The end of the longest agreement, and how long that is.
    let mut found = (0, 0);
    for end in (1..=before.len()).rev().filter(|end| before[end - 1] == last) {
        let pairs = text[..end].iter().rev().zip(text.iter().rev()).take(lookup.longest);
        let agreeing = pairs.take_while(|(earlier, later)| earlier == later).count();
        if agreeing > found.1 {
            found = (end, agreeing);
        }
        if agreeing == lookup.longest {
            break;
        }
    }
    let (end, agreeing) = found;
    if agreeing < lookup.shortest {
        return Vec::new();
    }
    let mut all = Vec::with_capacity(most);
    for at in 0..most {
        all.push(text.get(end + at).copied().unwrap_or_else(|| all[end + at - text.len()]));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_followed_may_follow() {
        let (tokens, longest, shortest) = (4, 3, 2);
        let lookup = Lookup { tokens, longest, shortest };
        for (text, most, expected) in [
            (&[][..], 4, &[][..]),
            (&[1], 4, &[]),
            (&[1, 2, 3, 4], 4, &[]),
            // One token agrees, and two should.
            (&[2, 3, 9, 3], 4, &[]),
            (&[1, 2, 3, 4, 5, 1, 2], 4, &[3, 4, 5, 1]),
            (&[1, 2, 3, 4, 5, 1, 2], 2, &[3, 4]),
            (&[1, 2, 3, 4, 5, 1, 2], 9, &[3, 4, 5, 1]),
            // The later of two, but the longer before that.
            (&[1, 2, 7, 1, 2, 8, 1, 2], 1, &[8]),
            (&[5, 1, 2, 7, 6, 1, 2, 8, 5, 1, 2], 1, &[7]),
            // It goes on repeating itself.
            (&[1, 2, 1, 2], 4, &[1, 2, 1, 2]),
            (&[6, 6, 6], 3, &[6, 6, 6]),
        ] {
            assert_eq!(proposed(text, lookup, most), expected, "{text:?}");
        }
    }
}
