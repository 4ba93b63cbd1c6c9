//! The prefix cache: which page holds the keys and values of which tokens behind which prefix.
//!
//! A full page is found by its tokens and by the page before it, which stands for all tokens before; the first page is found by the salt.
//! Pages are numbered anew each time they are filled, and tokens are compared, so that no collision can mix two prefixes. Refused: a chain of
//! hashes (vLLM's way), where two prefixes of the same hash exchange their keys, by chance or because somebody looked for them: fast
//! hashes do not withstand that, and those that do cost more than comparing. The order of the tokens also gives the page that agrees
//! longest with tokens that no page has in full.
//!
//! Whose table names a page that is kept names the page before it too, and lets go of it later. So pages become idle, and go, from the
//! ends of prefixes, and none is left that nobody can find.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::pages::Pages;

/// Tokens from the beginning of a sequence to the end of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Prefix {
    /// None, under this salt.
    Empty(u64),
    /// None, of this sequence, with which no other shares anything.
    Own(u64),
    /// Those up to the end of the page that was filled with this number.
    Page(u64),
}

/// What a full page holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Content {
    behind: Prefix,
    tokens: Arc<[u32]>,
}

#[derive(Debug)]
struct Kept {
    number: u64,
    content: Content,
}

/// The pages, and what they hold.
#[derive(Debug)]
pub(crate) struct Prefixes {
    page_tokens: usize,
    pages: Pages,
    by_content: BTreeMap<Content, u32>,
    /// What each page holds, if it can be found.
    kept: Vec<Option<Kept>>,
    numbers: u64,
    /// How often a page was filled.
    fills: u64,
}

/// What there is of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    beginning: Prefix,
    /// Pages that hold its beginning.
    pub(crate) pages: Vec<u32>,
    /// The numbers that these were filled with.
    numbers: Vec<u64>,
    /// A page of which so many tokens are those that follow.
    pub(crate) partly: Option<(u32, usize)>,
}

impl Found {
    /// Nothing behind the beginning of a sequence.
    pub(crate) fn nothing(beginning: Prefix) -> Found {
        Found { beginning, pages: Vec::new(), numbers: Vec::new(), partly: None }
    }

    /// What its pages hold.
    pub(crate) fn prefix(&self) -> Prefix {
        self.numbers.last().map_or(self.beginning, |number| Prefix::Page(*number))
    }

    /// What so many of its pages hold alone.
    pub(crate) fn keep(&mut self, pages: usize) {
        self.pages.truncate(pages);
        self.numbers.truncate(pages);
        self.partly = None;
    }
}

impl Prefixes {
    /// As many pages, page 0 included, all of them free.
    pub(crate) fn new(pages: usize, page_tokens: usize) -> Prefixes {
        Prefixes {
            page_tokens,
            pages: Pages::new(pages),
            by_content: BTreeMap::new(),
            kept: (0..pages).map(|_| None).collect(),
            numbers: 0,
            fills: 0,
        }
    }

    /// The pages as such.
    pub(crate) fn pages(&self) -> &Pages {
        &self.pages
    }

    /// How often a page was filled: others find it, or it is free again since another holds the same.
    pub(crate) fn fills(&self) -> u64 {
        self.fills
    }

    /// Makes the pages as many as `count`, which is no less than there are. What those that are there hold is found as before.
    pub(crate) fn grow(&mut self, count: usize) {
        self.pages.grow(count);
        self.kept.resize_with(count, || None);
    }

    /// Takes a page; nobody finds any more what it held.
    pub(crate) fn take(&mut self) -> Option<u32> {
        let page = self.pages.take()?;
        if let Some(kept) = self.kept[page as usize].take() {
            self.by_content.remove(&kept.content);
        }
        Some(page)
    }

    /// One more table names this page.
    pub(crate) fn retain(&mut self, page: u32) {
        self.pages.retain(page);
    }

    /// A table names this page no more.
    pub(crate) fn release(&mut self, page: u32) {
        self.pages.release(page);
    }

    /// Lets go of a table, its last page first.
    pub(crate) fn release_table(&mut self, table: &[u32]) {
        table.iter().rev().for_each(|&page| self.pages.release(page));
    }

    /// Of a table that was let go: those pages that nobody has are given to others before all that are kept, the last first.
    pub(crate) fn give_up(&mut self, table: &[u32]) {
        table.iter().for_each(|&page| self.pages.give_first(page));
    }

    /// What there is of these tokens, of which `found` was found before, or nothing. What is there still is not compared again.
    pub(crate) fn find(&self, mut found: Found, tokens: &[u32]) -> Found {
        let filled = found.pages.iter().zip(&found.numbers);
        let is_there = |(page, number): &(&u32, &u64)| {
            self.kept[**page as usize].as_ref().is_some_and(|kept| kept.number == **number)
        };
        found.keep(filled.take_while(is_there).count());
        for rest in tokens.chunks(self.page_tokens).skip(found.pages.len()) {
            let Some((page, agreeing)) = self.find_page(found.prefix(), rest) else { break };
            match &self.kept[page as usize] {
                Some(kept) if agreeing == self.page_tokens => {
                    found.pages.push(page);
                    found.numbers.push(kept.number);
                }
                _ => {
                    found.partly = Some((page, agreeing)).filter(|_| agreeing > 0);
                    break;
                }
            }
        }
        found
    }

    /// The page behind a prefix that agrees longest with some tokens, at most a page of them, and for how many. In the order of tokens it stands beside
    /// them.
    fn find_page(&self, behind: Prefix, tokens: &[u32]) -> Option<(u32, usize)> {
        let content = Content { behind, tokens: tokens.into() };
        let neighbours = [self.by_content.range(&content..).next(), self.by_content.range(..&content).next_back()];
        let agreeing = |(other, &page): (&Content, &u32)| (page, agreement(&other.tokens, tokens));
        // The first of those that agree as long.
        let mut best = None;
        for (page, agreeing) in
            neighbours.into_iter().flatten().filter(|(other, _)| other.behind == behind).map(agreeing)
        {
            if best.is_none_or(|(_, longest)| longest < agreeing) {
                best = Some((page, agreeing));
            }
        }
        best
    }

    /// A page was filled with these tokens behind a prefix. Gives the page that is to be named in its place, which is another one if that holds the
    /// same already, and the prefix that ends with it.
    pub(crate) fn fill(&mut self, behind: Prefix, tokens: &[u32], page: u32) -> (u32, Prefix) {
        self.fills += 1;
        let content = Content { behind, tokens: tokens.into() };
        let earlier = self.by_content.get(&content).copied();
        if let Some((earlier, kept)) =
            earlier.and_then(|earlier| Some((earlier, self.kept[earlier as usize].as_ref()?)))
        {
            let prefix = Prefix::Page(kept.number);
            self.pages.retain(earlier);
            self.pages.release(page);
            return (earlier, prefix);
        }
        self.numbers += 1;
        self.by_content.insert(content.clone(), page);
        self.kept[page as usize] = Some(Kept { number: self.numbers, content });
        self.pages.keep(page);
        (page, Prefix::Page(self.numbers))
    }

    /// Says what is wrong, if `named` is how often tables name each page.
    pub(crate) fn check(&self, named: &[u32]) -> Result<(), String> {
        self.pages.check(named)?;
        let idle = self.pages.by_idleness();
        let idleness = |page: u32| idle.iter().position(|&other| other == page).unwrap_or(usize::MAX);
        let numbers: BTreeMap<u64, u32> =
            (0..).zip(&self.kept).filter_map(|(page, kept)| Some((kept.as_ref()?.number, page))).collect();
        if numbers.len() != self.by_content.len() {
            return Err(format!("{} pages are kept, and {} can be found", numbers.len(), self.by_content.len()));
        }
        for (page, kept) in (0..).zip(&self.kept) {
            if self.pages.is_kept(page) != kept.is_some() {
                return Err(format!("page {page} is kept: {}, and holds {kept:?}", self.pages.is_kept(page)));
            }
            let Some(Kept { content, .. }) = kept else { continue };
            if self.by_content.get(content) != Some(&page) {
                return Err(format!("page {page} is not found by what it holds"));
            }
            let Prefix::Page(number) = content.behind else { continue };
            match numbers.get(&number) {
                None => return Err(format!("page {page} is behind a page that is gone")),
                Some(&before) if idleness(before) < idleness(page) => {
                    return Err(format!("page {before} goes before page {page}, which is behind it"));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

/// For how many tokens two texts agree.
pub(crate) fn agreement(one: &[u32], other: &[u32]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages of 4 tokens; what `texts` hold in full is kept and idle, each text under its salt.
    fn filled(texts: &[(u64, &[u32])]) -> Prefixes {
        let mut prefixes = Prefixes::new(16, 4);
        for (salt, tokens) in texts {
            let (mut prefix, mut table) = (Prefix::Empty(*salt), Vec::new());
            for tokens in tokens.chunks_exact(4) {
                let page = prefixes.take().unwrap();
                let (page, longer) = prefixes.fill(prefix, tokens, page);
                prefix = longer;
                table.push(page);
            }
            prefixes.release_table(&table);
        }
        prefixes.check(&[0; 16]).unwrap();
        prefixes
    }

    #[test]
    fn finds_whole_pages_and_the_page_that_agrees_longest() {
        let prefixes = filled(&[
            (0, &[1, 2, 3, 4, 5, 6, 7, 8]),
            (0, &[1, 2, 3, 4, 5, 6, 9, 9]),
            (0, &[2, 2, 3, 4]),
            (7, &[1, 2, 3, 4, 5, 5, 5, 5]),
        ]);
        for (salt, tokens, pages, partly) in [
            (0, &[1, 2, 3, 4, 5, 6, 7, 8][..], &[1, 2][..], None),
            (0, &[1, 2, 3, 4, 5, 6, 9, 9, 1], &[1, 3], None),
            (0, &[1, 2, 3, 4, 5, 6, 9, 8], &[1], Some((3, 3))),
            (0, &[1, 2, 3, 4, 5, 6, 7], &[1], Some((2, 3))),
            (0, &[1, 2, 3, 4, 5, 9], &[1], Some((3, 1))),
            (0, &[1, 2, 3, 4, 6], &[1], None),
            (0, &[1, 2, 3], &[], Some((1, 3))),
            (0, &[2, 2, 2], &[], Some((4, 2))),
            (0, &[5, 6, 7, 8], &[], None),
            (7, &[1, 2, 3, 4, 5, 6, 7, 8], &[5], Some((6, 1))),
            (8, &[1, 2, 3, 4, 5, 6, 7, 8], &[], None),
            (0, &[], &[], None),
        ] {
            let found = prefixes.find(Found::nothing(Prefix::Empty(salt)), tokens);
            assert_eq!((&found.pages[..], found.partly), (pages, partly), "{salt} {tokens:?}");
        }
    }

    #[test]
    fn what_was_found_before_is_not_compared_again_as_long_as_it_is_there() {
        let text = [1, 2, 3, 4, 5, 6, 7, 8];
        let mut prefixes = filled(&[(0, &text)]);
        let nothing = Found::nothing(Prefix::Empty(0));
        let before = prefixes.find(nothing.clone(), &text);
        assert_eq!((&before.pages[..], prefixes.find(before.clone(), &[0; 8])), (&[1, 2][..], before.clone()));
        (0..14).for_each(|_| assert!(prefixes.take().is_some()));
        let left = prefixes.find(before.clone(), &text);
        assert_eq!((&left.pages[..], &left), (&[1][..], &prefixes.find(nothing.clone(), &text)));
        prefixes.retain(1);
        prefixes.fill(left.prefix(), &text[4..], 2);
        let anew = prefixes.find(before.clone(), &text);
        assert_eq!((&anew.pages[..], &anew), (&[1, 2][..], &prefixes.find(nothing, &text)));
        assert!(anew != before, "it has a number of its own");
    }

    #[test]
    fn what_two_sequences_computed_is_kept_once_and_goes_from_its_end() {
        let mut prefixes = filled(&[(0, &[1, 2, 3, 4, 5, 6, 7, 8]), (0, &[1, 2, 3, 4, 5, 6, 7, 8])]);
        assert_eq!(prefixes.pages().idle(), 2);
        assert_eq!(prefixes.pages().by_idleness(), [2, 1]);
        let free = prefixes.pages().available() - 2;
        (0..=free).for_each(|_| assert!(prefixes.take().is_some()));
        assert_eq!(prefixes.find(Found::nothing(Prefix::Empty(0)), &[1, 2, 3, 4, 5, 6, 7, 8]).pages, [1]);
    }
}
