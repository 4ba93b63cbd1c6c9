//! What rank 0 knows of all ranks, and what follows from what they say. No connections and no clock: messages and times come in,
//! messages go out.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::frame::FRAME_BYTES_MAX;
use crate::group::patience;
use crate::message::{Brought, Reply, Request, ToRank};
use crate::{Failure, Timing};

/// The most bytes that ranks bring to a meeting together: an answer holds all of them.
pub(crate) const MEETING_BYTES_MAX: usize = FRAME_BYTES_MAX / 2;
/// The most bytes of keys and values that are kept.
const STORE_BYTES_MAX: usize = 256 << 20;

/// A message for one rank.
pub(crate) type Outgoing = (u32, ToRank);

/// The state of the run, as rank 0 sees it.
pub(crate) struct Coordinator {
    ranks: Vec<Rank>,
    timing: Timing,
    begun: Instant,
    /// Whether it has been said who is waited for.
    has_said_who: bool,
    store: HashMap<Vec<u8>, Vec<u8>>,
    store_bytes: usize,
    /// Who waits for values.
    gets: Vec<(Waiting, Vec<u8>)>,
    /// Who waits for the others, with what it brought.
    meetings: BTreeMap<String, Vec<(Waiting, Brought)>>,
    leaving: Vec<Waiting>,
    failure: Option<Failure>,
    /// Whether all have said that they leave.
    ended: bool,
}

/// One rank.
#[derive(Clone)]
enum Rank {
    /// It has not come yet.
    Awaited,
    Here(Present),
    /// Its connection is closed.
    Gone,
}

#[derive(Clone)]
struct Present {
    host: String,
    step: Option<u64>,
    heard: Instant,
}

/// Why a rank cannot join.
#[derive(Debug, PartialEq)]
pub(crate) enum Refusal {
    /// Nothing is wrong with it: the run failed before it came.
    RunFailed(Failure),
    /// There is no place for it.
    Misplaced(String),
}

/// A request that is answered later.
#[derive(Clone, Copy)]
struct Waiting {
    rank: u32,
    id: u64,
    deadline: Option<Instant>,
}

impl Waiting {
    fn reply(self, reply: Reply) -> Outgoing {
        (self.rank, ToRank::Reply { id: self.id, reply })
    }

    fn is_late(self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }
}

impl Coordinator {
    /// A run of `size` ranks, none of which has come.
    pub(crate) fn new(size: u32, timing: Timing, now: Instant) -> Coordinator {
        Coordinator {
            ranks: vec![Rank::Awaited; size as usize],
            timing,
            begun: now,
            has_said_who: false,
            store: HashMap::new(),
            store_bytes: 0,
            gets: Vec::new(),
            meetings: BTreeMap::new(),
            leaving: Vec::new(),
            failure: None,
            ended: false,
        }
    }

    /// Takes in a rank that has proved to belong here, or says why not.
    pub(crate) fn join(&mut self, rank: u32, host: &str, now: Instant) -> Result<(), Refusal> {
        let misplaced = |sentence| Err(Refusal::Misplaced(sentence));
        match &self.ranks[rank as usize] {
            Rank::Here(present) => {
                return misplaced(format!(
                    "rank {rank} on host {host} is one too many: rank {rank} runs on host {} already; give each process a rank of its own",
                    present.host
                ));
            }
            Rank::Awaited | Rank::Gone => {}
        }
        if let Some(failure) = &self.failure {
            let failure = failure.clone();
            self.ranks[rank as usize] = Rank::Gone;
            return Err(Refusal::RunFailed(failure));
        }
        if matches!(self.ranks[rank as usize], Rank::Gone) {
            return misplaced(format!("rank {rank} has left this run; start the run again"));
        }
        self.ranks[rank as usize] = Rank::Here(Present { host: host.to_owned(), step: None, heard: now });
        Ok(())
    }

    /// A sign of life.
    pub(crate) fn beat(&mut self, rank: u32, step: Option<u64>, now: Instant) {
        if let Rank::Here(present) = &mut self.ranks[rank as usize] {
            (present.step, present.heard) = (step, now);
        }
    }

    /// The step that rank 0 is at.
    pub(crate) fn step(&self) -> Option<u64> {
        match &self.ranks[0] {
            Rank::Here(present) => present.step,
            Rank::Awaited | Rank::Gone => None,
        }
    }

    /// Answers a request, now or later.
    pub(crate) fn request(&mut self, rank: u32, id: u64, request: Request, now: Instant) -> Vec<Outgoing> {
        if let Rank::Here(present) = &mut self.ranks[rank as usize] {
            present.heard = now;
        }
        let waiting = |timeout: Option<Duration>| Waiting {
            rank,
            id,
            deadline: timeout.and_then(|timeout| now.checked_add(timeout)),
        };
        let this = waiting(None);
        match request {
            Request::TryGet { key } => {
                vec![this.reply(self.store.get(&key).map_or(Reply::Absent, |value| Reply::Value(value.clone())))]
            }
            Request::Get { key, timeout } => match self.store.get(&key) {
                Some(value) => vec![this.reply(Reply::Value(value.clone()))],
                None => {
                    self.gets.push((waiting(timeout), key));
                    Vec::new()
                }
            },
            Request::Put { key, value } => self.put(this, key, value),
            Request::Meet { name, brings, timeout } => {
                let arrived = self.meetings.entry(name.clone()).or_default();
                arrived.push((waiting(timeout), brings));
                match arrived.len() == self.ranks.len() {
                    true => met(self.meetings.remove(&name).unwrap_or_default()),
                    false => Vec::new(),
                }
            }
            Request::Leave => {
                self.leaving.push(this);
                self.ended = self.leaving.len() == self.ranks.len();
                if self.ended {
                    self.leaving.iter().map(|waiting| waiting.reply(Reply::Done)).collect()
                } else {
                    Vec::new()
                }
            }
            Request::Fail { message } => {
                let what = |place: &str| format!("{place} failed{}: {message}", self.step_text(rank));
                let mut out = self.fail(rank, what(&self.place(rank)), Some(rank));
                out.push(this.reply(Reply::Done));
                out
            }
        }
    }

    fn put(&mut self, this: Waiting, key: Vec<u8>, value: Vec<u8>) -> Vec<Outgoing> {
        let old = self.store.get(&key).map_or(0, |old| key.len() + old.len());
        let bytes = self.store_bytes - old + key.len() + value.len();
        if bytes > STORE_BYTES_MAX {
            return vec![this.reply(Reply::Full)];
        }
        self.store_bytes = bytes;
        let mut out = vec![this.reply(Reply::Done)];
        self.gets.retain(|(waiting, awaited)| {
            let is_other = *awaited != key;
            if !is_other {
                out.push(waiting.reply(Reply::Value(value.clone())));
            }
            is_other
        });
        self.store.insert(key, value);
        out
    }

    /// A rank's connection is closed, which is its death unless all are leaving.
    pub(crate) fn closed(&mut self, rank: u32) -> Vec<Outgoing> {
        let place = self.place(rank);
        let died = format!("{place} died{}: its connection closed", self.step_text(rank));
        self.ranks[rank as usize] = Rank::Gone;
        if self.ended { Vec::new() } else { self.fail(rank, died, Some(rank)) }
    }

    /// A rank belongs to the run but cannot take part in it, because of a failure that is most often its own; nor can the others then.
    pub(crate) fn refuse(&mut self, rank: u32, failure: Failure) -> Vec<Outgoing> {
        // One that is here under this number is another process, and has to hear of it.
        if let Some(refused @ Rank::Awaited) = self.ranks.get_mut(rank as usize) {
            *refused = Rank::Gone;
        }
        self.fail(failure.rank, failure.sentence, None)
    }

    /// Whether the run has failed and some rank, which may still come, does not know.
    pub(crate) fn is_failed_for_some(&self, now: Instant) -> bool {
        self.failure.is_some() && self.awaited().is_some() && now < self.begun + self.timing.join_max
    }

    /// Who is waited for, once, where that takes long.
    pub(crate) fn word(&mut self, now: Instant) -> Option<String> {
        if self.has_said_who || self.failure.is_some() || now < self.begun + self.timing.word_after {
            return None;
        }
        self.has_said_who = true;
        let (awaited, size) = (self.awaited()?, self.ranks.len());
        Some(format!("rank 0 waits for {awaited} of {size} to join the run; {}", patience(self.timing.join_max)))
    }

    /// Looks at what is late.
    pub(crate) fn tick(&mut self, now: Instant) -> Vec<Outgoing> {
        let mut out = self.time_out(now);
        if let Some(awaited) = self.awaited().filter(|_| now >= self.begun + self.timing.join_max) {
            let rank = self.numbers(|rank| matches!(rank, Rank::Awaited)).first().copied().unwrap_or(0);
            let seconds = self.timing.join_max.as_secs_f64();
            out.extend(self.fail(rank, format!("{awaited} did not join the run within {seconds:.1} s"), None));
        }
        let silence_max = self.timing.silence_max;
        let is_silent = |rank: &Rank| matches!(rank, Rank::Here(present) if now.saturating_duration_since(present.heard) >= silence_max);
        if let (false, Some(rank)) = (self.ended, self.numbers(is_silent).first().copied()) {
            let (place, step) = (self.place(rank), self.step_text(rank));
            let sentence =
                format!("{place} died{step}: nothing was heard of it for {:.0} s", silence_max.as_secs_f64());
            out.extend(self.fail(rank, sentence, None));
        }
        out
    }

    /// Answers what nobody waits for any longer.
    fn time_out(&mut self, now: Instant) -> Vec<Outgoing> {
        let mut out = Vec::new();
        self.gets.retain(|(waiting, _)| {
            if waiting.is_late(now) {
                out.push(waiting.reply(Reply::TimedOut { missing: Vec::new() }));
            }
            !waiting.is_late(now)
        });
        let all = 0..self.ranks.len() as u32;
        for arrived in self.meetings.values_mut() {
            let missing: Vec<u32> =
                all.clone().filter(|rank| arrived.iter().all(|(waiting, _)| waiting.rank != *rank)).collect();
            arrived.retain(|(waiting, _)| {
                if waiting.is_late(now) {
                    out.push(waiting.reply(Reply::TimedOut { missing: missing.clone() }));
                }
                !waiting.is_late(now)
            });
        }
        self.meetings.retain(|_, arrived| !arrived.is_empty());
        out
    }

    /// Ends the run for all but `except`. The first failure stays: what follows it, follows from it.
    fn fail(&mut self, rank: u32, sentence: String, except: Option<u32>) -> Vec<Outgoing> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let failure = Failure { rank, sentence };
        self.failure = Some(failure.clone());
        let told = self.numbers(|rank| matches!(rank, Rank::Here(_))).into_iter().filter(|rank| Some(*rank) != except);
        told.map(|rank| (rank, ToRank::Failed(failure.clone()))).collect()
    }

    fn numbers(&self, is_meant: impl Fn(&Rank) -> bool) -> Vec<u32> {
        (0..).zip(&self.ranks).filter(|(_, rank)| is_meant(rank)).map(|(number, _)| number).collect()
    }

    /// The ranks that have not come, in words.
    fn awaited(&self) -> Option<String> {
        let awaited = self.numbers(|rank| matches!(rank, Rank::Awaited));
        (!awaited.is_empty()).then(|| in_words(&awaited))
    }

    fn place(&self, rank: u32) -> String {
        match &self.ranks[rank as usize] {
            Rank::Here(present) => place(rank, &present.host),
            Rank::Awaited | Rank::Gone => format!("rank {rank}"),
        }
    }

    fn step_text(&self, rank: u32) -> String {
        match &self.ranks[rank as usize] {
            Rank::Here(present) => step_text(present.step),
            Rank::Awaited | Rank::Gone => String::new(),
        }
    }
}

/// Answers all who came with what follows from what they brought.
fn met(mut arrived: Vec<(Waiting, Brought)>) -> Vec<Outgoing> {
    arrived.sort_by_key(|(waiting, _)| waiting.rank);
    let (mut sum, mut all) = (Vec::new(), Vec::new());
    for (_, brought) in &mut arrived {
        match brought {
            Brought::Terms(terms) => {
                sum.resize(sum.len().max(terms.len()), 0_u64);
                sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum = sum.saturating_add(*term));
            }
            Brought::Value(value) => all.push(std::mem::take(value)),
        }
    }
    let reply = if all.is_empty() { Reply::Sum(sum) } else { Reply::All(Arc::new(all)) };
    arrived.iter().map(|(waiting, _)| waiting.reply(reply.clone())).collect()
}

/// A rank with its host, as all sentences name it.
pub(crate) fn place(rank: u32, host: &str) -> String {
    format!("rank {rank} on host {host}")
}

/// When something happened.
pub(crate) fn step_text(step: Option<u64>) -> String {
    step.map_or_else(|| " before its first step".to_owned(), |step| format!(" at step {step}"))
}

/// `rank 3`, or `ranks 1, 2 and 5`; of many the first.
pub(crate) fn in_words(ranks: &[u32]) -> String {
    const SHOWN_MAX: usize = 8;
    let numbers: Vec<String> = ranks.iter().take(SHOWN_MAX).map(u32::to_string).collect();
    match (numbers.split_last(), ranks.len().saturating_sub(SHOWN_MAX)) {
        (Some((only, [])), 0) => format!("rank {only}"),
        (Some((last, before)), 0) => format!("ranks {} and {last}", before.join(", ")),
        (_, more) => format!("ranks {} and {more} more", numbers.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const TIMING: Timing = Timing {
        join_max: Duration::from_secs(60),
        word_after: Duration::from_secs(5),
        beat: Duration::from_secs(1),
        silence_max: Duration::from_secs(10),
    };

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Three ranks on hosts a, b and c.
    fn joined(now: Instant) -> Coordinator {
        let mut coordinator = Coordinator::new(3, TIMING, now);
        for (rank, host) in ["a", "b", "c"].iter().enumerate() {
            coordinator.join(rank as u32, host, now).unwrap();
        }
        coordinator
    }

    /// Who is told what.
    fn check(outgoing: &[Outgoing], expected: &Expect) {
        let line = |(rank, message): &Outgoing| match message {
            ToRank::Reply { id, reply } => format!("{rank}: {id} {reply:?}\n"),
            ToRank::Failed(failure) => format!("{rank}: {} failed: {failure}\n", failure.rank),
            ToRank::Beat { step } => format!("{rank}: {step:?}\n"),
        };
        expected.assert_eq(&outgoing.iter().map(line).collect::<String>());
    }

    fn sum(name: &str, terms: &[u64], timeout: Option<Duration>) -> Request {
        Request::Meet { name: name.to_owned(), brings: Brought::Terms(terms.to_vec()), timeout }
    }

    #[test]
    fn values_reach_those_who_wait_and_nobody_waits_beyond_its_time() {
        let now = Instant::now();
        let mut run = joined(now);
        let get = |key: &str, seconds| Request::Get { key: key.into(), timeout: Some(Duration::from_secs(seconds)) };
        let put = |key: &str, value: &str| Request::Put { key: key.into(), value: value.into() };
        let mut out = run.request(0, 1, Request::TryGet { key: "k".into() }, now);
        out.extend(run.request(1, 1, get("k", 5), now));
        out.extend(run.request(2, 1, get("other", 5), now));
        out.extend(run.request(0, 2, put("k", "v"), now));
        out.extend(run.request(2, 2, get("k", 5), now));
        out.extend(run.request(0, 3, put("k", "w"), now));
        out.extend(run.request(2, 3, Request::TryGet { key: "k".into() }, now));
        out.extend(run.tick(now + seconds(4)));
        out.extend(run.tick(now + seconds(5)));
        check(
            &out,
            &expect![[r#"
            0: 1 Absent
            0: 2 Done
            1: 1 Value([118])
            2: 2 Value([118])
            0: 3 Done
            2: 3 Value([119])
            2: 1 TimedOut { missing: [] }
        "#]],
        );
    }

    #[test]
    fn a_full_store_takes_no_more_and_counts_what_is_replaced_once() {
        let now = Instant::now();
        let mut run = joined(now);
        let mut put =
            |id, key: &str, bytes| run.request(0, id, Request::Put { key: key.into(), value: vec![0; bytes] }, now);
        let mut out = put(1, "k", STORE_BYTES_MAX - 1);
        out.extend(put(2, "k", STORE_BYTES_MAX - 1));
        out.extend(put(3, "l", 0));
        out.extend(put(4, "k", 5));
        out.extend(put(5, "l", 0));
        check(
            &out,
            &expect![[r#"
            0: 1 Done
            0: 2 Done
            0: 3 Full
            0: 4 Done
            0: 5 Done
        "#]],
        );
    }

    #[test]
    fn sums_are_told_to_all_at_once_and_name_who_is_missing() {
        let now = Instant::now();
        let mut run = joined(now);
        let mut out = Vec::new();
        for rank in [2, 0, 1] {
            out.extend(run.request(rank, 1, sum("first", &[1, 10 * u64::from(rank)], None), now));
        }
        out.extend(run.request(1, 2, sum("second", &[5], Some(seconds(3))), now));
        out.extend(run.tick(now + seconds(3)));
        // What a rank gave that did not wait counts no more.
        for rank in [0, 1, 2] {
            out.extend(run.request(rank, 3, sum("second", &[1], None), now));
        }
        check(
            &out,
            &expect![[r#"
            0: 1 Sum([3, 30])
            1: 1 Sum([3, 30])
            2: 1 Sum([3, 30])
            1: 2 TimedOut { missing: [0, 2] }
            0: 3 Sum([3])
            1: 3 Sum([3])
            2: 3 Sum([3])
        "#]],
        );
    }

    #[test]
    fn values_are_told_to_all_in_the_order_of_ranks() {
        let now = Instant::now();
        let mut run = joined(now);
        let mut meet = |rank: u32, id, bytes| {
            let brings = Brought::Value(vec![rank as u8; bytes]);
            run.request(rank, id, Request::Meet { name: "values".to_owned(), brings, timeout: None }, now)
        };
        let mut out = Vec::new();
        for (id, bytes) in [(1, 2), (2, 0)] {
            for rank in [2, 0, 1] {
                out.extend(meet(rank, id, bytes));
            }
        }
        check(
            &out,
            &expect![[r#"
                0: 1 All([[0, 0], [1, 1], [2, 2]])
                1: 1 All([[0, 0], [1, 1], [2, 2]])
                2: 1 All([[0, 0], [1, 1], [2, 2]])
                0: 2 All([[], [], []])
                1: 2 All([[], [], []])
                2: 2 All([[], [], []])
            "#]],
        );
    }

    #[test]
    fn a_rank_that_dies_is_told_to_the_others_with_its_host_and_step() {
        let now = Instant::now();
        let mut run = joined(now);
        run.beat(2, Some(40), now);
        let mut out = run.closed(2);
        // What follows from it is not told.
        out.extend(run.closed(1));
        let sentence = "rank 2 on host c died at step 40: its connection closed".to_owned();
        assert_eq!(run.join(2, "d", now), Err(Refusal::RunFailed(Failure { rank: 2, sentence })));
        check(
            &out,
            &expect![[r#"
            0: 2 failed: rank 2 on host c died at step 40: its connection closed
            1: 2 failed: rank 2 on host c died at step 40: its connection closed
        "#]],
        );
    }

    #[test]
    fn a_rank_that_reports_its_error_is_answered_and_the_others_are_told() {
        let now = Instant::now();
        let out = joined(now).request(1, 9, Request::Fail { message: "the disk is full".to_owned() }, now);
        check(
            &out,
            &expect![[r#"
            0: 1 failed: rank 1 on host b failed before its first step: the disk is full
            2: 1 failed: rank 1 on host b failed before its first step: the disk is full
            1: 9 Done
        "#]],
        );
    }

    #[test]
    fn silence_is_death_and_signs_of_life_are_not() {
        let now = Instant::now();
        let mut run = joined(now);
        for second in 1..=9 {
            for rank in [0, 2] {
                run.beat(rank, Some(second), now + seconds(second));
            }
            check(&run.tick(now + seconds(second)), &expect![""]);
        }
        check(
            &run.tick(now + seconds(10)),
            &expect![[r#"
            0: 1 failed: rank 1 on host b died before its first step: nothing was heard of it for 10 s
            1: 1 failed: rank 1 on host b died before its first step: nothing was heard of it for 10 s
            2: 1 failed: rank 1 on host b died before its first step: nothing was heard of it for 10 s
        "#]],
        );
    }

    #[test]
    fn ranks_that_do_not_come_end_the_run() {
        let now = Instant::now();
        let mut run = Coordinator::new(4, Timing { silence_max: seconds(1000), ..TIMING }, now);
        run.join(1, "b", now).unwrap();
        check(&run.tick(now + seconds(59)), &expect![""]);
        check(
            &run.tick(now + seconds(60)),
            &expect![[r#"
            1: 0 failed: ranks 0, 2 and 3 did not join the run within 60.0 s
        "#]],
        );
    }

    #[test]
    fn who_is_waited_for_is_said_once() {
        let now = Instant::now();
        let mut run = Coordinator::new(4, TIMING, now);
        run.join(1, "b", now).unwrap();
        assert_eq!(run.word(now + seconds(4)), None);
        let word = "rank 0 waits for ranks 0, 2 and 3 of 4 to join the run; it gives up 60 s after its start (FINERY_JOIN_SECONDS)";
        assert_eq!(run.word(now + seconds(5)).as_deref(), Some(word));
        assert_eq!(run.word(now + seconds(6)), None);
        assert_eq!(joined(now).word(now + seconds(5)), None);
        // Nobody is waited for then.
        let mut failed = Coordinator::new(3, TIMING, now);
        failed.refuse(1, Failure { rank: 1, sentence: "rank 1 on host b has another version".to_owned() });
        assert_eq!(failed.word(now + seconds(5)), None);
    }

    #[test]
    fn a_rank_exists_once() {
        let now = Instant::now();
        let mut run = joined(now);
        let one_too_many =
            "rank 1 on host d is one too many: rank 1 runs on host b already; give each process a rank of its own";
        assert_eq!(run.join(1, "d", now), Err(Refusal::Misplaced(one_too_many.to_owned())));
    }

    #[test]
    fn a_rank_that_came_hears_of_a_second_one_that_was_told_something_else() {
        let now = Instant::now();
        let mut run = Coordinator::new(3, TIMING, now);
        run.join(1, "b", now).unwrap();
        let failure = Failure { rank: 1, sentence: "rank 1 on host d has another version".to_owned() };
        check(
            &run.refuse(1, failure.clone()),
            &expect![[r#"
                1: 1 failed: rank 1 on host d has another version
            "#]],
        );
        // Who comes later did nothing wrong.
        assert_eq!(run.join(0, "a", now), Err(Refusal::RunFailed(failure)));
    }

    #[test]
    fn leaving_together_is_no_death() {
        let now = Instant::now();
        let mut run = joined(now);
        let mut out = Vec::new();
        for rank in 0..3 {
            out.extend(run.request(rank, 5, Request::Leave, now));
        }
        out.extend(run.closed(1));
        out.extend(run.tick(now + seconds(100)));
        check(
            &out,
            &expect![[r#"
            0: 5 Done
            1: 5 Done
            2: 5 Done
        "#]],
        );
    }

    #[test]
    fn leaving_alone_is_death() {
        let now = Instant::now();
        let mut run = joined(now);
        let mut out = run.request(1, 5, Request::Leave, now);
        out.extend(run.closed(1));
        check(
            &out,
            &expect![[r#"
            0: 1 failed: rank 1 on host b died before its first step: its connection closed
            2: 1 failed: rank 1 on host b died before its first step: its connection closed
        "#]],
        );
    }

    #[test]
    fn many_ranks_are_not_all_listed() {
        let words = |count| in_words(&(0..count).collect::<Vec<u32>>());
        assert_eq!(words(1), "rank 0");
        assert_eq!(words(2), "ranks 0 and 1");
        assert_eq!(words(8), "ranks 0, 1, 2, 3, 4, 5, 6 and 7");
        assert_eq!(words(11), "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 3 more");
    }
}
