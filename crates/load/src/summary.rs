//! What all requests together tell.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::bounds::Bounds;
use crate::record::{Outcome, Record};
use crate::statistics::{Gaps, Statistics};

/// What all requests together tell. Slow readers are counted apart and part of nothing else.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// From the begin to the last answer.
    pub seconds: f64,
    /// Requests that were answered.
    pub done: u64,
    /// Requests that were not.
    pub failed: u64,
    /// Requests that were given up when the measurement was stopped.
    pub stopped: u64,
    /// How they failed, the most frequent first.
    pub errors: Vec<Failures>,
    /// Answered requests a second.
    pub requests_per_second: f64,
    /// Tokens of the answered requests' prompts, as the server counts them.
    pub input_tokens: u64,
    /// Those of them that the server had computed before; `None` where it does not tell.
    pub cached_tokens: Option<u64>,
    /// By how many tokens at least each prompt was longer than it should be, where all were and not for their last word alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_excess_tokens_min: Option<u64>,
    /// Tokens of the answers; pieces where the server does not count them.
    pub output_tokens: u64,
    /// Answers with fewer tokens than were asked for.
    pub short_answers: u64,
    /// Pieces in which the answers came.
    pub pieces: u64,
    /// Tokens of prompts a second.
    pub input_tokens_per_second: f64,
    /// Tokens of answers a second.
    pub output_tokens_per_second: f64,
    /// What came while requests did, where they come for a time and do not run out before: behind it fewer and fewer are under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Of requests that keep bounds, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goodput: Option<Goodput>,
    /// Time to the first token, from when the request should have been sent.
    pub ttft_ms: Option<Statistics>,
    /// Time between two pieces of an answer, most often a token each.
    pub itl_ms: Option<Statistics>,
    /// Time a token behind the first, of each answer.
    pub tpot_ms: Option<Statistics>,
    /// Time to the end of the answer, from when the request should have been sent.
    pub e2e_ms: Option<Statistics>,
    /// Most that were under way at once.
    pub under_way_max: u64,
    /// Most answers that had begun and not ended at once.
    pub streams_max: u64,
    /// The most that a request was sent too late.
    pub late_ms_max: f64,
    /// Between models, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Fairness>,
    /// Between keys, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<Fairness>,
    /// Those that read slowly, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slow_readers: Option<SlowReaders>,
}

/// What came within a time of the begin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Window {
    /// The time, or that at which the measurement was stopped.
    pub seconds: f64,
    /// Requests answered in it, a second.
    pub requests_per_second: f64,
    /// Tokens of answers in it, a second, of answers whose end came later too; each piece of an answer has as many.
    pub output_tokens_per_second: f64,
}

/// Failures of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// A status, or a few words.
    pub kind: String,
    /// How many.
    pub count: u64,
    /// What was said of the first.
    pub example: String,
}

/// Requests that keep bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Goodput {
    /// The bounds.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// How many keep them.
    pub requests: u64,
    /// How many do so a second.
    pub requests_per_second: f64,
}

/// How those who share a server fare, the least and the most of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fairness {
    /// How many were asked for or with.
    pub asked: usize,
    /// Requests answered.
    pub done: Range,
    /// Mean time to the first token.
    pub ttft_ms_mean: Option<Range>,
    /// Mean time to the end.
    pub e2e_ms_mean: Option<Range>,
}

/// The least and the most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The least.
    pub least: f64,
    /// Whose it is.
    pub least_of: String,
    /// The most.
    pub most: f64,
    /// Whose it is.
    pub most_of: String,
}

/// Those that read a few bytes a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlowReaders {
    /// How many requests they sent.
    pub sent: u64,
    /// How many of their answers came to the end.
    pub done: u64,
    /// How many failed.
    pub failed: u64,
    /// How many were still reading when all others had their answers.
    pub still_reading: u64,
}

/// What a model or a key has had.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    asked: u64,
    done: u64,
    begun: u64,
    ttft_ms: f64,
    e2e_ms: f64,
}

/// Takes records one by one. It keeps 24 bytes of each, and of the times between tokens counts alone.
#[derive(Debug)]
pub(crate) struct Tally {
    bounds: Option<Bounds>,
    /// In which requests come, with what came in it.
    window: Option<Duration>,
    done_within: u64,
    tokens_within: f64,
    end: Duration,
    done: u64,
    failed: u64,
    good: u64,
    errors: BTreeMap<String, Failures>,
    input_tokens: u64,
    cached_tokens: Option<u64>,
    excess_tokens_min: Option<u64>,
    output_tokens: u64,
    short_answers: u64,
    pieces: u64,
    ttft_ms: Vec<f64>,
    tpot_ms: Vec<f64>,
    e2e_ms: Vec<f64>,
    gaps: Gaps,
    late: Duration,
    models: Vec<Group>,
    keys: Vec<Group>,
    slow: SlowReaders,
}

/// What the run knows and no record tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    pub(crate) stopped: u64,
    /// When it was stopped, since the begin.
    pub(crate) stopped_at: Option<Duration>,
    /// Whether there were no more requests while they should still have come.
    pub(crate) ran_out: bool,
    pub(crate) under_way_max: u64,
    pub(crate) streams_max: u64,
    /// Of slow readers.
    pub(crate) slow_sent: u64,
    /// By how many tokens a prompt may be longer than it should because it is of whole words.
    pub(crate) rounded_tokens: u64,
}

impl Tally {
    pub(crate) fn new(models: usize, keys: usize, bounds: Option<Bounds>, window: Option<Duration>) -> Tally {
        Tally {
            bounds,
            window,
            done_within: 0,
            tokens_within: 0.0,
            end: Duration::ZERO,
            done: 0,
            failed: 0,
            good: 0,
            errors: BTreeMap::new(),
            input_tokens: 0,
            cached_tokens: None,
            excess_tokens_min: None,
            output_tokens: 0,
            short_answers: 0,
            pieces: 0,
            ttft_ms: Vec::new(),
            tpot_ms: Vec::new(),
            e2e_ms: Vec::new(),
            gaps: Gaps::new(),
            late: Duration::ZERO,
            models: vec![Group::default(); models],
            keys: vec![Group::default(); keys],
            slow: SlowReaders::default(),
        }
    }

    pub(crate) fn add(&mut self, record: &Record) {
        if let Outcome::Failed { kind, message } = &record.outcome {
            let new = || Failures { kind: kind.clone(), count: 0, example: message.clone() };
            self.errors.entry(kind.clone()).or_insert_with(new).count += 1;
        }
        if record.is_slow {
            *(if record.is_done() { &mut self.slow.done } else { &mut self.slow.failed }) += 1;
            return;
        }
        self.late = self.late.max(record.late);
        for group in [self.models.get_mut(record.model), self.keys.get_mut(record.key)].into_iter().flatten() {
            group.add(record);
        }
        if !record.is_done() {
            self.failed += 1;
            return;
        }
        self.done += 1;
        self.end = self.end.max(record.due + record.end);
        self.good += u64::from(self.bounds.is_some_and(|bounds| bounds.keeps(record)));
        self.input_tokens += record.prompt_tokens.unwrap_or(0);
        if let (Some(tokens), Some(wanted)) = (record.prompt_tokens, record.wanted_prompt_tokens) {
            let excess = tokens.saturating_sub(wanted);
            self.excess_tokens_min = Some(self.excess_tokens_min.map_or(excess, |least| least.min(excess)));
        }
        if let Some(cached) = record.cached_tokens {
            *self.cached_tokens.get_or_insert(0) += cached;
        }
        if let Some(window) = self.window {
            self.done_within += u64::from(record.due + record.end <= window);
            let pieces = &record.pieces_us;
            let came = |us: &&u32| record.due + Duration::from_micros(u64::from(**us)) <= window;
            let part = pieces.iter().filter(came).count() as f64 / pieces.len().max(1) as f64;
            self.tokens_within += part * record.tokens() as f64;
        }
        self.output_tokens += record.tokens();
        self.short_answers += u64::from(record.tokens() < record.wanted_tokens);
        self.pieces += record.pieces_us.len() as u64;
        self.ttft_ms.extend(record.ttft_ms());
        self.tpot_ms.extend(record.tpot_ms());
        self.e2e_ms.push(record.e2e_ms());
        record.gaps_us().for_each(|gap| self.gaps.add(gap));
    }

    pub(crate) fn finish(self, course: Course, models: &[String]) -> Summary {
        let seconds = self.end.as_secs_f64();
        let per_second = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        let mut errors: Vec<Failures> = self.errors.into_values().collect();
        errors.sort_by_key(|failures| std::cmp::Reverse(failures.count));
        let stopped_at = course.stopped_at.unwrap_or(Duration::MAX);
        let window = self.window.filter(|_| !course.ran_out).map(|window| window.min(stopped_at).as_secs_f64());
        let slow = SlowReaders {
            sent: course.slow_sent,
            still_reading: course.slow_sent.saturating_sub(self.slow.done + self.slow.failed),
            ..self.slow
        };
        Summary {
            seconds,
            done: self.done,
            failed: self.failed,
            stopped: course.stopped,
            errors,
            requests_per_second: per_second(self.done),
            input_tokens: self.input_tokens,
            cached_tokens: self.cached_tokens,
            input_excess_tokens_min: self.excess_tokens_min.filter(|excess| *excess > course.rounded_tokens),
            output_tokens: self.output_tokens,
            short_answers: self.short_answers,
            pieces: self.pieces,
            input_tokens_per_second: per_second(self.input_tokens),
            output_tokens_per_second: per_second(self.output_tokens),
            window: window.filter(|seconds| *seconds > 0.0).map(|seconds| Window {
                seconds,
                requests_per_second: self.done_within as f64 / seconds,
                output_tokens_per_second: self.tokens_within / seconds,
            }),
            goodput: self.bounds.map(|bounds| Goodput {
                bounds,
                requests: self.good,
                requests_per_second: per_second(self.good),
            }),
            ttft_ms: Statistics::of(self.ttft_ms),
            itl_ms: self.gaps.statistics(),
            tpot_ms: Statistics::of(self.tpot_ms),
            e2e_ms: Statistics::of(self.e2e_ms),
            under_way_max: course.under_way_max,
            streams_max: course.streams_max,
            late_ms_max: self.late.as_secs_f64() * 1e3,
            models: fairness(&self.models, |model| models[model].clone()),
            keys: fairness(&self.keys, |key| format!("key {}", key + 1)),
            slow_readers: (course.slow_sent > 0).then_some(slow),
        }
    }
}

impl Group {
    fn add(&mut self, record: &Record) {
        self.asked += 1;
        if record.is_done() {
            self.done += 1;
            self.e2e_ms += record.e2e_ms();
            if let Some(ttft_ms) = record.ttft_ms() {
                self.begun += 1;
                self.ttft_ms += ttft_ms;
            }
        }
    }
}

/// Of those that were asked for or with; of one alone there is nothing to say.
fn fairness(groups: &[Group], name: impl Fn(usize) -> String) -> Option<Fairness> {
    if groups.len() < 2 {
        return None;
    }
    let asked = || groups.iter().enumerate().filter(|(_, group)| group.asked > 0);
    let range = |value: &dyn Fn(&Group) -> Option<f64>| {
        let values = || asked().filter_map(|(index, group)| Some((value(group)?, index)));
        let by_value = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0);
        let ((least, least_of), (most, most_of)) = (values().min_by(by_value)?, values().max_by(by_value)?);
        Some(Range { least, least_of: name(least_of), most, most_of: name(most_of) })
    };
    let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
    Some(Fairness {
        asked: asked().count(),
        done: range(&|group| Some(group.done as f64))?,
        ttft_ms_mean: range(&|group| mean(group.ttft_ms, group.begun)),
        e2e_ms_mean: range(&|group| mean(group.e2e_ms, group.done)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::done;

    fn failed(number: u64, kind: &str, message: &str) -> Record {
        let outcome = Outcome::Failed { kind: kind.to_owned(), message: message.to_owned() };
        Record { outcome, ..done(number, &[], 3) }
    }

    fn summary(records: &[Record], course: Course) -> Summary {
        let mut tally = Tally::new(3, 1, "ttft=25".parse().ok(), Some(Duration::from_secs(1)));
        records.iter().for_each(|record| tally.add(record));
        tally.finish(course, &["base", "poet", "clerk"].map(str::to_owned))
    }

    /// Three answers, of 3, 2 and 1 tokens, the last of which ends 2 s after the begin; three failures, the last of which ends a minute after it.
    #[test]
    fn a_summary_is_that_computed_by_hand() {
        let last = Record { due: Duration::from_millis(1900), wanted_tokens: 4, model: 1, ..done(2, &[20], 100) };
        let records = [
            done(0, &[20, 30, 60], 65),
            done(1, &[30, 80], 90),
            last,
            failed(3, "429", "too many"),
            failed(4, "429", "still too many"),
            Record { end: Duration::from_secs(60), ..failed(5, "timeout", "gone") },
        ];
        let told = summary(&records, Course { stopped: 1, under_way_max: 4, streams_max: 3, ..Course::default() });
        assert_eq!((told.seconds, told.done, told.failed, told.stopped), (2.0, 3, 3, 1));
        assert_eq!((told.input_tokens, told.output_tokens, told.pieces, told.short_answers), (21, 6, 6, 1));
        assert_eq!(told.cached_tokens, Some(6));
        assert_eq!((told.requests_per_second, told.output_tokens_per_second), (1.5, 3.0));
        let goodput = told.goodput.unwrap();
        assert_eq!((goodput.requests, goodput.requests_per_second), (2, 1.0));
        let (ttft, e2e) = (told.ttft_ms.unwrap(), told.e2e_ms.unwrap());
        assert!((ttft.mean - 70.0 / 3.0).abs() < 1e-9 && ttft.p50 == 20.0 && ttft.max == 30.0, "{ttft:?}");
        assert_eq!((e2e.mean, e2e.p50, e2e.p90), (85.0, 90.0, 98.0));
        assert_eq!(told.tpot_ms.unwrap().mean, 41.25);
        // Gaps of 10, 30 and 50 ms.
        let itl = told.itl_ms.unwrap();
        assert!((itl.mean - 30.0).abs() < 1e-9 && (itl.p50 - 30.0).abs() < 0.03 && itl.max == 50.0, "{itl:?}");
        let expected = Failures { kind: "429".to_owned(), count: 2, example: "too many".to_owned() };
        assert_eq!(told.errors[0], expected);
        assert_eq!(told.errors.len(), 2);
        let models = told.models.unwrap();
        assert_eq!(models.asked, 2, "nobody asked for the third");
        assert_eq!((models.done.least, &*models.done.least_of, models.done.most), (1.0, "poet", 2.0));
        let range = models.ttft_ms_mean.unwrap();
        assert_eq!((range.least, range.most, &*range.most_of), (20.0, 25.0, "base"));
        assert!(told.keys.is_none() && told.slow_readers.is_none());
    }

    /// One ends in the second in which requests come, one has two of its three tokens in it, one begins behind it.
    #[test]
    fn what_comes_behind_the_last_request_is_apart() {
        let at = |due_ms: u64, record: Record| Record { due: Duration::from_millis(due_ms), ..record };
        let records = [
            at(0, done(0, &[20, 30], 40)),
            at(900, done(1, &[50, 100, 600], 3100)),
            at(990, Record { answer_tokens: Some(8), ..done(2, &[20, 40], 50) }),
        ];
        let told = summary(&records, Course::default());
        let window = told.window.unwrap();
        assert_eq!((window.seconds, window.requests_per_second, window.output_tokens_per_second), (1.0, 1.0, 4.0));
        assert_eq!((told.seconds, told.done, told.output_tokens_per_second), (4.0, 3, 13.0 / 4.0));
    }

    /// An answer of two tokens in 40 ms of a second in which requests should come.
    #[test]
    fn rates_are_of_the_time_in_which_requests_came() {
        let window = |course| summary(&[done(0, &[20, 30], 40)], course).window;
        let stopped = |ms| Course { stopped_at: Some(Duration::from_millis(ms)), ..Course::default() };
        for (stopped_ms, seconds) in [(100, 0.1), (1000, 1.0), (5000, 1.0)] {
            let expected =
                Window { seconds, requests_per_second: 1.0 / seconds, output_tokens_per_second: 2.0 / seconds };
            assert_eq!(window(stopped(stopped_ms)), Some(expected), "stopped after {stopped_ms} ms");
        }
        assert_eq!(window(Course { ran_out: true, ..Course::default() }), None);
        assert_eq!(window(Course { ran_out: true, ..stopped(100) }), None);
    }

    #[test]
    fn prompts_are_too_long_where_all_are() {
        let of = |tokens, wanted| Record { prompt_tokens: tokens, wanted_prompt_tokens: wanted, ..done(0, &[20], 30) };
        let (long, longer) = (of(Some(9), Some(5)), of(Some(30), Some(5)));
        for (records, rounded_tokens, excess) in [
            (&[long.clone(), longer.clone()][..], 0, Some(4)),
            (&[longer.clone(), long.clone()], 3, Some(4)),
            (&[long.clone(), longer.clone()], 4, None),
            (&[long.clone(), of(Some(5), Some(5))], 0, None),
            (&[longer.clone(), of(Some(5), Some(6))], 0, None),
            // Of a file, and of a server that does not count.
            (&[of(Some(9), None), of(None, Some(5))], 0, None),
            (&[of(None, Some(5)), longer], 0, Some(25)),
        ] {
            let told = summary(records, Course { rounded_tokens, ..Course::default() });
            assert_eq!(told.input_excess_tokens_min, excess, "{records:?}");
        }
    }

    #[test]
    fn slow_readers_are_apart() {
        let slow = |record: Record| Record { is_slow: true, ..record };
        let records = [done(0, &[5], 6), slow(done(1, &[9000], 9001)), slow(failed(2, "cut", "gone"))];
        let told = summary(&records, Course { slow_sent: 5, ..Course::default() });
        assert_eq!(told.slow_readers, Some(SlowReaders { sent: 5, done: 1, failed: 1, still_reading: 3 }));
        assert_eq!((told.done, told.failed, told.ttft_ms.unwrap().max, told.seconds), (1, 0, 5.0, 0.006));
        assert_eq!(told.errors.len(), 1);
    }

    #[test]
    fn of_nothing_there_is_nothing_to_tell() {
        let told = summary(&[], Course::default());
        assert_eq!((told.seconds, told.requests_per_second), (0.0, 0.0));
        assert!(told.ttft_ms.is_none() && told.itl_ms.is_none() && told.models.is_none());
    }
}
