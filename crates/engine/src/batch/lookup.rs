//! Proposals for how a text goes on, by looking up where its last tokens stood before (prompt lookup decoding, Saxena 2023; Yang et al. 2023,
//! Inference with Reference). A wrong one costs what its tokens take beside others in a step, and changes nothing.

use crate::engine::Lookup;

/// Chains of places in a text; each has those whose last tokens have one hash.
const CHAINS: usize = 4096;

/// Where tokens of a text stood, so that its last ones are found again without all of it being read: 4 bytes a token, and 16 KiB.
#[derive(Debug, Default)]
pub(crate) struct NgramIndex {
    /// Of each chain the last end of such tokens; 0: there is none.
    last: Vec<u32>,
    /// For each end the one before it in its chain.
    before: Vec<u32>,
}

impl NgramIndex {
    /// Up to `most` tokens that may follow `text`, which has grown since it was last asked for: those that followed its last tokens where these stood last, of as many as
    /// agree, from `lookup.longest` to `lookup.shortest`. What followed may reach into what follows now, so that a text that repeats itself goes on doing so.
    pub(crate) fn proposed(&mut self, text: &[u32], lookup: Lookup, most: usize) -> Vec<u32> {
        let most = most.min(lookup.tokens);
        self.extend_to(text, lookup.shortest);
        // The end of the longest agreement, and how long that is.
        let mut found = (0, 0);
        for end in self.candidates(text, lookup.shortest) {
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

    /// Takes in all ends before that of the text, of `shortest` tokens each.
    fn extend_to(&mut self, text: &[u32], shortest: usize) {
        self.last.resize(CHAINS, 0);
        for end in self.before.len()..text.len() {
            let before = match end.checked_sub(shortest) {
                Some(start) => std::mem::replace(&mut self.last[chain(&text[start..end])], end as u32),
                None => 0,
            };
            self.before.push(before);
        }
    }

    /// The ends in the chain of the text's last tokens, the last first.
    fn candidates(&self, text: &[u32], shortest: usize) -> impl Iterator<Item = usize> {
        let last = text.len().checked_sub(shortest).map(|start| self.last[chain(&text[start..])]);
        let some = |end: u32| (end > 0).then_some(end as usize);
        std::iter::successors(last.and_then(some), move |end| some(self.before[*end]))
    }
}

/// The chain of these tokens: by the high bits of a product with the golden ratio, on which all bits of a token have a bearing.
fn chain(tokens: &[u32]) -> usize {
    const BITS: u32 = CHAINS.trailing_zeros();
    let mix = |hash: u64, token: &u32| (hash ^ u64::from(*token)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (tokens.iter().fold(0, mix) >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

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
            assert_eq!(NgramIndex::default().proposed(text, lookup, most), expected, "{text:?}");
        }
    }

    /// Of few chains each would be as long as the text.
    #[test]
    fn tokens_are_spread_over_all_chains() {
        for count in 1..=4 {
            let chains: HashSet<usize> = (0..20_000_u32)
                .map(|at| {
                    chain(&(0..count).map(|token| (at.wrapping_mul(7919) >> (3 * token)) % 50_000).collect::<Vec<_>>())
                })
                .collect();
            assert!(chains.len() > CHAINS * 9 / 10, "{} of {CHAINS} for {count} tokens", chains.len());
        }
    }

    /// By reading all of the text.
    fn by_reading(text: &[u32], lookup: Lookup, most: usize) -> Vec<u32> {
        let agreeing = |end: &usize| {
            let pairs = text[..*end].iter().rev().zip(text.iter().rev()).take(lookup.longest);
            pairs.take_while(|(earlier, later)| earlier == later).count()
        };
        let found = (1..text.len()).max_by_key(agreeing).filter(|end| agreeing(end) >= lookup.shortest);
        let Some(end) = found else { return Vec::new() };
        text[end..].iter().copied().cycle().take(most.min(lookup.tokens)).collect()
    }

    #[test]
    fn what_is_found_is_what_reading_all_finds() {
        for seed in 0..200_u64 {
            let mut state = seed;
            let mut draw = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) % below
            };
            let (shortest, vocab) = (1 + draw(3) as usize, 2 + draw(30));
            let lookup = Lookup { tokens: 5, longest: shortest + draw(3) as usize, shortest };
            let (mut text, mut ngrams) = (Vec::new(), NgramIndex::default());
            for _ in 0..60 {
                // One token, as a step gives it, or several where some that were proposed are right.
                text.extend((0..1 + draw(4)).map(|_| draw(vocab) as u32 * 50_000));
                let most = draw(7) as usize;
                assert_eq!(
                    ngrams.proposed(&text, lookup, most),
                    by_reading(&text, lookup, most),
                    "{text:?}, {lookup:?}"
                );
            }
        }
    }
}
