//! Ranks as threads that are joined over TCP. The command's own tests have them as processes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use loopback::free_address;
use ranks::{Failure, GroupError, JoinError, Launcher, ProcessGroup, Secret, Terms, Timing, World};

#[path = "support/loopback.rs"]
mod loopback;

/// Silence is death later than whatever else is looked at.
const TIMING: Timing = Timing {
    join_max: Duration::from_secs(20),
    word_after: Duration::from_secs(20),
    beat: Duration::from_millis(100),
    silence_max: Duration::from_secs(60),
};
/// What must not take longer, however busy the machine is.
const SOON: Duration = Duration::from_secs(20);

/// Rank 0 of a new run.
fn world(size: u32) -> World {
    let (coordinator, port) = free_address();
    World {
        rank: 0,
        size,
        local_rank: 0,
        local_device: 0,
        coordinator,
        port,
        listens_on_stdin: false,
        epoch: 1,
        secret: Secret::random().unwrap(),
        launcher: Launcher::Finery,
    }
}

fn terms(configuration: &str) -> Terms {
    Terms { version: "finery 1.0".to_owned(), configuration: configuration.to_owned() }
}

/// A rank that joins in a thread of its own, and the failures that it is told.
struct Joining {
    thread: JoinHandle<Result<ProcessGroup, JoinError>>,
    told: Receiver<Failure>,
}

fn join(world: &World, terms: &Terms) -> Joining {
    let (world, terms, (tell, told)) = (world.clone(), terms.clone(), channel());
    let on_failure = move |failure: &Failure| tell.send(failure.clone()).unwrap_or_default();
    Joining { thread: thread::spawn(move || ProcessGroup::join(&world, &terms, TIMING, || false, on_failure)), told }
}

fn rank(world: &World, rank: u32) -> World {
    World { rank, local_rank: rank, ..world.clone() }
}

/// All ranks of a run.
fn joined(size: u32) -> Vec<(ProcessGroup, Receiver<Failure>)> {
    let world = world(size);
    let joining: Vec<_> = (0..size).map(|number| join(&rank(&world, number), &terms("seed: 1"))).collect();
    joining.into_iter().map(|joining| (joining.thread.join().unwrap().unwrap(), joining.told)).collect()
}

/// Goes through rounds in which each rank stores a value and waits for its neighbour's.
fn exchange(group: ProcessGroup, told: &Receiver<Failure>) {
    let key = |rank: u32, round: usize| format!("{rank}/{round}").into_bytes();
    let value = |rank: u32, round: usize| vec![rank as u8; round * 100];
    for round in 0..100 {
        let next = (group.rank() + 1) % group.size();
        thread::scope(|scope| {
            // Both through one connection.
            let waiting = scope.spawn(|| group.get(&key(next, round), None).unwrap());
            group.put(&key(group.rank(), round), &value(group.rank(), round)).unwrap();
            assert_eq!(waiting.join().unwrap(), value(next, round));
        });
        group.barrier("round", Some(Duration::from_secs(20))).unwrap();
        let (rank, size) = (u64::from(group.rank()), u64::from(group.size()));
        assert_eq!(group.sum("round", &[rank, round as u64]).unwrap(), [size * (size - 1) / 2, size * round as u64]);
        for rank in 0..group.size() {
            assert_eq!(group.try_get(&key(rank, round)).unwrap(), Some(value(rank, round)), "behind the barrier");
        }
    }
    assert_eq!(group.told_by_first("a value", || vec![group.rank() as u8 + 7]).unwrap(), [7]);
    let all: Vec<Vec<u8>> = (0..group.size()).map(|rank| value(rank, 3)).collect();
    assert_eq!(group.gather("values", &value(group.rank(), 3)).unwrap(), all);
    // In several pieces, of which some have none.
    let large = |rank: u32| vec![rank as u8; rank as usize * 1_000_000];
    let all: Vec<Vec<u8>> = (0..group.size()).map(large).collect();
    assert!(group.gather("values", &large(group.rank())).unwrap() == all);
    group.agree("what all have", "seed: 1\ndata: 2").unwrap();
    let error =
        group.agree("what rank 4 has", if group.rank() == 4 { "a: 1\nb: 2" } else { "a: 1\nb: 3" }).unwrap_err();
    let (error, host) = (error.to_string(), rustix::system::uname().nodename().to_string_lossy().into_owned());
    assert!(
        error.starts_with(&format!("rank 4 on host {host} has `b: 2` where rank 0 on host {host} has `b: 3`")),
        "{error}"
    );
    group.leave().unwrap();
    drop(group);
    assert_eq!(told.recv().ok(), None, "leaving is no failure");
}

#[test]
fn values_and_barriers_hold_under_load() {
    let ranks = joined(6).into_iter();
    let threads: Vec<_> = ranks.map(|(group, told)| thread::spawn(move || exchange(group, &told))).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn waiting_ends_in_time_and_says_for_whom() {
    let ranks = joined(3);
    let (group, _) = &ranks[1];
    let error = group.get(b"nobody's", Some(Duration::from_millis(200))).unwrap_err();
    assert_eq!(error.to_string(), "waiting for the value of nobody's: nobody has stored it within 0.2 s");
    let error = group.barrier("the save", Some(Duration::from_millis(200))).unwrap_err();
    assert_eq!(error.to_string(), "waiting for all ranks at the save: ranks 0 and 2 did not come within 0.2 s");
    let error = group.put(b"large", &vec![0; 16 << 20]).unwrap_err();
    assert_eq!(error, GroupError::Full { key: "large".to_owned(), bytes: 16 << 20 });
    group.put(b"large", &vec![7; 15 << 20]).unwrap();
    assert_eq!(ranks[2].0.get(b"large", None).unwrap(), vec![7; 15 << 20]);
}

/// What the other ranks are told after `end` has ended one of three, which has been at step 40 for `beats` signs of life.
fn told_after(end: impl FnOnce(ProcessGroup), number: usize, beats: u32) -> Vec<String> {
    let mut ranks = joined(3);
    thread::scope(|scope| {
        for (group, _) in &ranks {
            scope.spawn(|| {
                group.at_step(40);
                // Answered behind the step.
                group.barrier("the step", None).unwrap();
            });
        }
    });
    thread::sleep(beats * TIMING.beat);
    let (ended, _) = ranks.remove(number);
    thread::scope(|scope| {
        let waiting: Vec<_> =
            ranks.iter().map(|(group, _)| scope.spawn(|| group.get(b"nobody's", None).unwrap_err())).collect();
        let begun = Instant::now();
        end(ended);
        let told: Vec<Failure> = ranks.iter().map(|(_, told)| told.recv_timeout(SOON).unwrap()).collect();
        let ends: Vec<GroupError> = waiting.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        for (failure, end) in told.iter().zip(ends) {
            assert_eq!((failure.rank, end), (number as u32, GroupError::Failed(failure.clone())));
        }
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        told.iter().map(|failure| failure.to_string().replace(&host, "HOST")).collect()
    })
}

#[test]
fn a_death_ends_all_and_everyone_who_waits() {
    assert_eq!(told_after(drop, 2, 0), ["rank 2 on host HOST died at step 40: its connection closed"; 2]);
    // The others know rank 0's step by its signs of life, which a busy machine delays.
    let mut told = [4, 40, 400].into_iter().map(|beats| told_after(drop, 0, beats));
    let told = told.find(|told| told.iter().all(|sentence| !sentence.contains(" before its first step")));
    assert_eq!(told.unwrap(), ["rank 0 on host HOST died at step 40: its connection closed"; 2]);
}

#[test]
fn an_error_of_one_is_told_to_all() {
    let fail = |group: ProcessGroup| group.fail("the disk is full");
    assert_eq!(told_after(fail, 1, 0), ["rank 1 on host HOST failed at step 40: the disk is full"; 2]);
    assert_eq!(told_after(fail, 0, 0), ["rank 0 on host HOST failed at step 40: the disk is full"; 2]);
}

#[test]
fn whoever_has_another_secret_stays_out_and_the_run_goes_on() {
    let world = world(2);
    let first = join(&world, &terms(""));
    let wrong = World { secret: Secret::random().unwrap(), ..rank(&world, 1) };
    let error = join(&wrong, &terms("")).thread.join().unwrap().unwrap_err();
    let address = format!("{}:{}", world.coordinator, world.port);
    assert_eq!(
        error.to_string(),
        format!(
            "what answers at {address} does not know this run's secret: it is another run's rank 0, or FINERY_SECRET differs between ranks"
        )
    );
    // Strangers that say something else, too much, or nothing.
    let mut strangers: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(&address).unwrap()).collect();
    strangers[0].write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    strangers[1].write_all(&[255; 4096]).unwrap();
    assert!(matches!(strangers[0].read(&mut [0]), Ok(0) | Err(_)), "hung up on");

    let second = join(&rank(&world, 1), &terms(""));
    let ranks = [first, second].map(|rank| (rank.thread.join().unwrap().unwrap(), rank.told));
    ranks[0].0.put(b"k", b"v").unwrap();
    assert_eq!(ranks[1].0.get(b"k", None).unwrap(), b"v");
}

#[test]
fn a_rank_of_an_earlier_start_stays_out_and_the_run_goes_on() {
    let world = world(2);
    let first = join(&world, &terms(""));
    let stale = World { epoch: 0, ..rank(&world, 1) };
    let error = join(&stale, &terms("")).thread.join().unwrap().unwrap_err().to_string();
    assert!(
        error.starts_with("rank 1 on host ") && error.contains(" belongs to start 0 of the run and rank 0 "),
        "{error}"
    );
    let second = join(&rank(&world, 1), &terms(""));
    first.thread.join().unwrap().unwrap();
    second.thread.join().unwrap().unwrap();
}

#[test]
fn a_rank_with_another_configuration_ends_the_run_for_all() {
    let world = world(3);
    let ours = "seed: 1\nlearning_rate: 0.1\n";
    let first = join(&world, &terms(ours));
    let third = join(&rank(&world, 2), &terms("seed: 1\nlearning_rate: 0.2\n")).thread.join().unwrap();
    // Behind the end of the run.
    let [second, first] = [join(&rank(&world, 1), &terms(ours)), first].map(|joining| joining.thread.join().unwrap());
    assert!(matches!(third, Err(JoinError::Refused { .. })), "it is what differs");
    for told in [&second, &first] {
        assert!(matches!(told, Err(JoinError::Failed(failure)) if failure.rank == 2), "{told:?}");
    }
    for ended in [third, second, first] {
        let error = ended.unwrap_err().to_string();
        assert!(error.contains("has `learning_rate: 0.2` where rank 0 on host "), "{error}");
        assert!(error.ends_with("has `learning_rate: 0.1`: start all ranks with one configuration"), "{error}");
    }
}

/// Its error, and no other of their configurations, which it has not read.
#[test]
fn a_rank_that_cannot_begin_tells_those_that_wait() {
    for declining in [0, 1] {
        let world = world(3);
        let others: Vec<_> = (0..3)
            .filter(|number| *number != declining)
            .map(|number| join(&rank(&world, number), &terms("seed: 1")))
            .collect();
        let own = rank(&world, declining);
        ProcessGroup::decline(&own, &terms(""), TIMING, "no such file".to_owned()).unwrap();
        for joining in others {
            // Before rank 0 has heard of it or after.
            let error = joining.thread.join().unwrap().unwrap_err();
            let JoinError::Failed(failure) = error else { panic!("{error}") };
            assert_eq!(joining.told.recv_timeout(SOON), Ok(failure.clone()));
            assert_eq!(failure.rank, declining);
            assert!(failure.sentence.starts_with(&format!("rank {declining} on host ")), "{failure}");
            assert!(failure.sentence.ends_with(" cannot begin: no such file"), "{failure}");
        }
    }
}

/// Before it has reached rank 0, and while it waits for one that does not come.
#[test]
fn a_rank_that_is_stopped_tells_those_that_wait() {
    for (stopped, is_in) in [(0, true), (1, true), (0, false), (1, false)] {
        // All that are in wait for one more.
        let world = world(2 + u32::from(is_in));
        let other = join(&rank(&world, 1 - stopped), &terms(""));
        let address = (world.coordinator.as_str(), world.port);
        while stopped == 1 && TcpStream::connect(address).is_err() {
            thread::sleep(Duration::from_millis(1));
        }
        let asked = AtomicU32::new(0);
        // Asked first on its way in, and again only behind that.
        let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) >= u32::from(is_in);
        let on_failure = |failure: &Failure| panic!("{failure}");
        let own = ProcessGroup::join(&rank(&world, stopped), &terms(""), TIMING, is_stopped, on_failure);
        assert!(matches!(own, Err(JoinError::Stopped)), "{own:?}");
        let error = other.thread.join().unwrap().unwrap_err();
        let JoinError::Failed(failure) = error else { panic!("{error}") };
        assert_eq!(failure.rank, stopped);
        assert!(failure.sentence.starts_with(&format!("rank {stopped} on host ")), "{failure}");
        assert!(failure.sentence.ends_with(": it was asked to stop"), "{failure}");
    }
}

/// Its threads that wait for the others, which would be for ever.
#[test]
fn whoever_gives_up_waits_no_longer() {
    let ranks = joined(2);
    let (group, _) = &ranks[0];
    thread::scope(|scope| {
        let waiting = scope.spawn(|| group.gather("values", b"").unwrap_err());
        thread::sleep(Duration::from_millis(50));
        group.fail("the disk is full");
        assert_eq!(waiting.join().unwrap(), GroupError::Left);
    });
    assert_eq!(group.barrier("the next", None).unwrap_err(), GroupError::Left);
    assert!(!group.await_failure(Duration::ZERO), "it has failed itself");
    assert!(ranks[1].0.await_failure(Duration::from_secs(20)));
}

#[test]
fn a_rank_that_is_there_twice_is_turned_away() {
    let world = world(3);
    let ranks = [0, 1, 1, 2].map(|number| join(&rank(&world, number), &terms("")));
    let mut ended = ranks.map(|rank| rank.thread.join().unwrap());
    assert!(ended[0].is_ok() && ended[3].is_ok(), "{ended:?}");
    // Whichever of them comes first is in.
    ended.sort_by_key(Result::is_err);
    let [Ok(_), Ok(_), Ok(_), Err(error)] = &ended else { panic!("{ended:?}") };
    let error = error.to_string();
    assert!(error.contains("is one too many: rank 1 runs on host "), "{error}");
}

#[test]
fn nobody_waits_for_ever_for_a_rank_that_does_not_come() {
    let join = |world: &World, number, join_max| {
        let (world, timing) = (rank(world, number), Timing { join_max, ..TIMING });
        thread::spawn(move || ProcessGroup::join(&world, &terms(""), timing, || false, |_| {}).unwrap_err().to_string())
    };
    // On a busy machine rank 2 may be late as well.
    let mut told = [1, 10, 100].into_iter().map(|seconds| {
        let (world, join_max) = (world(3), Duration::from_secs(seconds));
        (seconds, [0, 2].map(|number| join(&world, number, join_max)).map(|rank| rank.join().unwrap()))
    });
    let (seconds, told) = told.find(|(_, told)| !told[0].starts_with("ranks 1 and 2 ")).unwrap();
    assert_eq!(told, [(); 2].map(|()| format!("rank 1 did not join the run within {seconds}.0 s")));

    let world = world(3);
    let error = join(&world, 2, Duration::from_millis(500)).join().unwrap();
    let expected = format!("rank 2 cannot reach rank 0 at {}:{} within ", world.coordinator, world.port);
    assert!(error.starts_with(&expected), "{error}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let world = world(2);
    let _taken = TcpListener::bind((world.coordinator.as_str(), world.port)).unwrap();
    let error = ProcessGroup::join(&world, &terms(""), TIMING, || false, |_| {}).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!(
            "rank 0 cannot listen on {}:{} for the other ranks: ",
            world.coordinator, world.port
        )),
        "{error}"
    );
    assert!(error.ends_with("; FINERY_PORT takes another port"), "{error}");
}
