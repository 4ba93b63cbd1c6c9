//! Pages of keys and values by number: which are free, which are in use and how often, and which are idle but worth keeping.

/// The pages. Each but page 0 is free, in use (named by one or several tables), or idle: kept for what it holds until pages are needed.
#[derive(Debug)]
pub(crate) struct Pages {
    /// How often tables name each page.
    references: Vec<u32>,
    /// Whether a page's content is worth keeping when nobody names it.
    is_kept: Vec<bool>,
    free: Vec<u32>,
    /// The idle pages as a ring, longest idle first. Page 0, which is never idle, is where it begins and ends.
    ring: Vec<Link>,
    idle: usize,
}

/// Neighbours in the ring.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    before: u32,
    after: u32,
}

impl Pages {
    /// Pages 0 to `count`, of which 1 to `count` are free.
    pub(crate) fn new(count: usize) -> Pages {
        let end = u32::try_from(count).unwrap_or(u32::MAX);
        Pages {
            references: vec![0; count],
            is_kept: vec![false; count],
            free: (1..end).rev().collect(),
            ring: vec![Link::default(); count.max(1)],
            idle: 0,
        }
    }

    /// Makes the pages as many as `count`, which is no less than there are. The new ones are free.
    pub(crate) fn grow(&mut self, count: usize) {
        let [old, new] = [self.references.len(), count].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.references.resize(count, 0);
        self.is_kept.resize(count, false);
        self.ring.resize(count.max(1), Link::default());
        self.free.splice(0..0, (old.max(1)..new).rev());
    }

    /// Pages that can be taken.
    pub(crate) fn available(&self) -> usize {
        self.free.len() + self.idle
    }

    /// Idle pages.
    pub(crate) fn idle(&self) -> usize {
        self.idle
    }

    /// Pages that tables name.
    pub(crate) fn in_use(&self) -> usize {
        self.references.len().saturating_sub(1) - self.available()
    }

    /// Takes a page: a free one, or else the one that is idle for longest, which then is not kept any more.
    pub(crate) fn take(&mut self) -> Option<u32> {
        let page = match self.free.pop() {
            Some(page) => page,
            None => {
                let longest = self.ring[0].after;
                if longest == 0 {
                    return None;
                }
                self.unlink(longest);
                self.is_kept[longest as usize] = false;
                longest
            }
        };
        self.references[page as usize] = 1;
        Some(page)
    }

    /// One more table names this page, which is in use or idle.
    pub(crate) fn retain(&mut self, page: u32) {
        if self.references[page as usize] == 0 {
            self.unlink(page);
        }
        self.references[page as usize] += 1;
    }

    /// A table names this page no more.
    pub(crate) fn release(&mut self, page: u32) {
        let references = &mut self.references[page as usize];
        *references -= 1;
        if *references > 0 {
            return;
        }
        if self.is_kept[page as usize] {
            self.link_behind(self.ring[0].before, page);
        } else {
            self.free.push(page);
        }
    }

    /// A page that is idle is given out before all others that are.
    pub(crate) fn give_first(&mut self, page: u32) {
        if self.references[page as usize] > 0 || !self.is_kept[page as usize] {
            return;
        }
        self.unlink(page);
        self.link_behind(0, page);
    }

    /// What this page, which is in use, holds is worth keeping.
    pub(crate) fn keep(&mut self, page: u32) {
        self.is_kept[page as usize] = true;
    }

    /// How often tables name a page.
    pub(crate) fn references(&self, page: u32) -> u32 {
        self.references[page as usize]
    }

    /// Whether a page is kept when nobody names it.
    pub(crate) fn is_kept(&self, page: u32) -> bool {
        self.is_kept[page as usize]
    }

    /// Links a page into the ring, behind another.
    fn link_behind(&mut self, before: u32, page: u32) {
        let after = self.ring[before as usize].after;
        self.ring[page as usize] = Link { before, after };
        self.ring[before as usize].after = page;
        self.ring[after as usize].before = page;
        self.idle += 1;
    }

    fn unlink(&mut self, page: u32) {
        let Link { before, after } = self.ring[page as usize];
        self.ring[before as usize].after = after;
        self.ring[after as usize].before = before;
        self.idle -= 1;
    }

    /// The idle pages, longest idle first.
    pub(crate) fn by_idleness(&self) -> Vec<u32> {
        let next = |page: &u32| Some(self.ring[*page as usize].after);
        std::iter::successors(Some(self.ring[0].after), next).take(self.idle).collect()
    }

    /// Says what is wrong with the pages, if `named` is how often tables name each.
    pub(crate) fn check(&self, named: &[u32]) -> Result<(), String> {
        let mut places = vec![0; self.references.len()];
        let idle = self.by_idleness();
        for &page in self.free.iter().chain(&idle) {
            places[page as usize] += 1;
        }
        for page in 0..self.references.len() {
            let (references, is_kept) = (self.references[page], self.is_kept[page]);
            let is_right = references == named[page]
                && places[page] == u32::from(page > 0 && references == 0)
                && (references > 0 || is_kept == idle.contains(&(page as u32)));
            if !is_right {
                return Err(format!(
                    "page {page}: named {} times, counted {references}, {} times free or idle, kept: {is_kept}",
                    named[page], places[page]
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_idle_page_goes_first_and_page_0_never() {
        let mut pages = Pages::new(5);
        let taken: Vec<u32> = std::iter::from_fn(|| pages.take()).collect();
        assert_eq!(taken, [1, 2, 3, 4]);
        [3, 1, 4].into_iter().for_each(|page| pages.keep(page));
        [3, 2, 1, 4].into_iter().for_each(|page| pages.release(page));
        assert_eq!((pages.available(), pages.idle(), pages.in_use()), (4, 3, 0));
        assert_eq!(pages.by_idleness(), [3, 1, 4]);
        pages.retain(1);
        pages.check(&[0, 1, 0, 0, 0]).unwrap();
        assert_eq!(pages.take(), Some(2), "what is free goes before what is kept");
        assert_eq!(pages.take(), Some(3));
        pages.release(1);
        assert_eq!(pages.by_idleness(), [4, 1], "used again, idle anew");
        assert_eq!([pages.take(), pages.take(), pages.take()], [Some(4), Some(1), None]);
        pages.release(1);
        assert_eq!((pages.idle(), pages.take()), (0, Some(1)), "given out anew, it is not kept");
        assert!(pages.check(&[0, 1, 1, 1, 2]).is_err());
        pages.grow(7);
        pages.check(&[0, 1, 1, 1, 1, 0, 0]).unwrap();
        assert_eq!([pages.take(), pages.take(), pages.take()], [Some(5), Some(6), None]);
    }
}
