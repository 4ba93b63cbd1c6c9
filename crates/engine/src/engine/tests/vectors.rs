//! Texts whose vectors are asked for.

use std::sync::atomic::AtomicBool;

use tokio::sync::oneshot;

use super::*;
use crate::embedder::Embedder;

/// A text whose program is being made waits alone: answers begin and end meanwhile, and texts of other lengths. An engine that is told to end makes the program
/// yet.
#[test]
fn answers_go_on_while_a_program_of_vectors_is_made() {
    with_model(|model| {
        let counters = counters();
        let (service, mut inbox) = Service::new(64, 96, 4, Arc::clone(&counters));
        let mut engine = Engine::new(model, &options(), counters).unwrap();
        let hold = Arc::clone(&engine.hold);
        let client = std::thread::spawn(move || {
            let vector = |length: u32| {
                let (reply, vector) = oneshot::channel();
                let (tokens, counted) = ((0..length).collect(), counted(service.counters()));
                let text = Message::Embed { key: 0, tokens, adapter: None, pooling: Pooling::Mean, reply, counted };
                service.send(text).unwrap();
                vector
            };
            let short = vector(5).blocking_recv().unwrap();
            let held = hold.lock().unwrap();
            let mut long = vector(40);
            for _ in 0..3 {
                let mut answer = answer_of(&service, request(&[1, 2], 4)).unwrap();
                assert!(matches!(ending(&mut answer), Event::Finished(_)));
            }
            let again = vector(6).blocking_recv().unwrap();
            assert_eq!(long.try_recv(), Err(oneshot::error::TryRecvError::Empty));
            drop(held);
            let long = long.blocking_recv().unwrap();
            let last = vector(20);
            service.send(Message::Drain).unwrap();
            [short, again, long, last.blocking_recv().unwrap()]
        });
        engine.run(&mut inbox).unwrap();
        drop(inbox);
        let vectors = client.join().unwrap();
        assert!(vectors.iter().all(|vector| vector.as_ref().unwrap().len() == 32));
    });
}

/// What panics on the thread that makes programs is told to who waits, and later texts are not held up.
#[test]
fn a_program_that_panics_fails_those_who_wait_for_it() {
    with_model(|model| {
        let (service, inbox) = Service::new(64, 96, 4, counters());
        std::thread::scope(|scope| {
            let make = |length| match length {
                16 => panic!("as a test wants"),
                length => Embedder::compile(model, length),
            };
            let mut maker = ProgramMaker::begin(scope, make, inbox.waker.clone());
            assert!(maker.wait().is_none());
            [16, 32, 16].iter().for_each(|length| maker.want(*length));
            let (length, made) = maker.wait().unwrap();
            assert_eq!((length, maker.is_making(16), maker.is_making(32)), (16, false, true));
            let rule =
                "the program that embeds texts of 16 tokens cannot be made: the compiler or what traces it panicked";
            assert_eq!(made.err().unwrap().to_string(), rule);
            assert!(matches!(maker.wait(), Some((32, Ok(_)))));
        });
        drop(service);
    });
}

/// An engine whose programs of vectors have so many tokens at once.
fn with_engine(embedded_tokens: usize, body: impl FnOnce(&mut Engine<'_, '_>)) {
    with_model(|model| {
        let plan = ModelPlan { embedded_tokens, ..model.plan().clone() };
        let model = Model::random(model.session(), plan, 7).unwrap();
        body(&mut Engine::new(&model, &options(), counters()).unwrap());
    });
}

/// A text of so many tokens whose vector is asked for.
fn ask(engine: &mut Engine<'_, '_>, length: u32) -> oneshot::Receiver<std::result::Result<Vec<f32>, Failure>> {
    ask_pooled(engine, length, Pooling::Mean)
}

fn ask_pooled(
    engine: &mut Engine<'_, '_>,
    length: u32,
    pooling: Pooling,
) -> oneshot::Receiver<std::result::Result<Vec<f32>, Failure>> {
    ask_of(engine, 0, length, pooling)
}

fn ask_of(
    engine: &mut Engine<'_, '_>,
    key: u64,
    length: u32,
    pooling: Pooling,
) -> oneshot::Receiver<std::result::Result<Vec<f32>, Failure>> {
    let (reply, vector) = oneshot::channel();
    let (tokens, counted) = ((0..length).collect(), counted(&engine.counters));
    engine.take(Message::Embed { key, tokens, adapter: None, pooling, reply, counted });
    vector
}

/// Texts that are about as long are computed beside each other, whoever asks and however they are pooled, and each has the vector that it has alone.
#[test]
fn vectors_are_computed_side_by_side() {
    with_engine(64, |engine| {
        let asked = [3, 20, 7, 1, 16, 5, 2].map(|length| (length, [Pooling::Mean, Pooling::Last][length as usize % 2]));
        let mut vectors = asked.map(|(length, pooling)| Some(ask_pooled(engine, length, pooling)));
        // Who has left is not computed.
        vectors[3] = None;
        let mut found: Vec<Option<Vec<f32>>> = vec![None; asked.len()];
        let mut rounds = Vec::new();
        for _ in 0..4 {
            engine.embed_next().unwrap();
            let mut round = Vec::new();
            for (place, vector) in vectors.iter_mut().enumerate() {
                if let Some(vector) = vector.as_mut().and_then(|vector| vector.try_recv().ok()) {
                    found[place] = Some(vector.unwrap());
                    round.push(place);
                }
            }
            rounds.push(round);
        }
        assert_eq!(rounds, [vec![0, 2, 4, 5], vec![1], vec![6], vec![]]);
        for ((length, pooling), beside) in asked.into_iter().zip(found) {
            let Some(beside) = beside else { continue };
            let mut alone = ask_pooled(engine, length, pooling);
            engine.embed_next().unwrap();
            assert!(alone.try_recv().unwrap().unwrap() == beside, "a text of {length} tokens, {pooling:?}");
        }
    });
}

/// A key may have as many texts here as a server has places by default. Those of others would wait behind them all.
#[test]
fn keys_have_their_texts_computed_one_after_the_other() {
    with_engine(32, |engine| {
        let mut ask = |key, length| ask_of(engine, key, length, Pooling::Mean);
        let mut waiting: Vec<_> = (0..1024).map(|_| (1, ask(1, 5))).collect();
        // That of the third has a program of its own.
        waiting.extend([(2, 5), (2, 7), (3, 20)].map(|(key, length)| (key, ask(key, length))));
        let mut programs = Vec::new();
        for round in 0..5 {
            // Whose first text comes later has its turn, too.
            if round == 1 {
                waiting.push((4, ask_of(engine, 4, 5, Pooling::Mean)));
            }
            engine.embed_next().unwrap();
            let mut keys = Vec::new();
            waiting.retain_mut(|(key, vector)| match vector.try_recv() {
                Ok(vector) => {
                    keys.push(*key);
                    vector.is_err()
                }
                Err(_) => true,
            });
            programs.push(keys);
        }
        assert_eq!(programs, [vec![1, 2], vec![3], vec![1, 2], vec![1, 4], vec![1, 1]]);
    });
}

/// A text of another length than those of all others is passed once by what goes beside the next one, and not for as long as that comes.
#[test]
fn a_text_of_another_length_has_its_turn() {
    with_engine(32, |engine| {
        let mut ask = |key, length| ask_of(engine, key, length, Pooling::Mean);
        let _short: Vec<_> = (0..8).map(|_| ask(2, 5)).collect();
        let mut long = ask(1, 20);
        let _beside: Vec<_> = (0..8).map(|_| ask(1, 5)).collect();
        for is_computed in [false, true] {
            engine.embed_next().unwrap();
            assert_eq!(long.try_recv().is_ok(), is_computed);
        }
    });
}

/// Who waits for a program that cannot be made or has no room is told so, and nobody else. What has no room is not made again before there is more.
#[test]
fn a_program_that_fails_fails_its_own_texts() {
    with_model(|model| {
        let panicked =
            "the program that embeds texts of 16 tokens cannot be made: the compiler or what traces it panicked";
        for is_no_room in [false, true] {
            let (free, hold) = (std::cell::Cell::new(1 << 40), std::sync::Mutex::new(()));
            let make = |length| {
                let _held = hold.lock();
                assert!(is_no_room || length != 16, "as a test wants");
                Embedder::compile(model, length)
            };
            let (_service, inbox) = Service::new(64, 96, 4, counters());
            std::thread::scope(|scope| {
                let room = Room::told_by(|| Some(runtime::Memory { total: 1 << 40, free: free.get(), peak: None }));
                let mut engine = Engine::in_room(model, None, &options(), counters(), room).unwrap();
                engine.maker = Some(ProgramMaker::begin(scope, make, inbox.waker.clone()));
                let waiting =
                    |engine: &Engine<'_, '_>| (engine.counters.waiting_in_all(), engine.counters.waiting_for_steps());
                let held = hold.lock();
                let mut vectors = [3, 20, 7].map(|length| ask(&mut engine, length));
                assert_eq!(waiting(&engine), (3, 3));
                (0..3).for_each(|_| engine.embed_next().unwrap());
                assert_eq!(waiting(&engine), (3, 0), "they wait for programs");
                let mut last = ask(&mut engine, 5);
                assert_eq!(waiting(&engine), (4, 1), "nobody has looked at it");
                engine.embed_next().unwrap();
                assert_eq!(waiting(&engine), (4, 0));
                drop(held);

                free.set(0);
                let made = engine.maker.as_mut().and_then(ProgramMaker::wait).unwrap();
                engine.take_made(made);
                let failure = |tokens| match is_no_room {
                    true => Failure::Refused(Refusal::NoRoom { tokens }),
                    false => Failure::Device(panicked.to_owned()),
                };
                assert_eq!(vectors[0].try_recv().unwrap(), Err(failure(3)));
                assert_eq!(vectors[2].try_recv().unwrap(), Err(failure(7)));
                assert_eq!(last.try_recv().unwrap(), Err(failure(5)));
                assert!(vectors[1].try_recv().is_err());
                assert_eq!(waiting(&engine), (1, 0));

                free.set(1 << 40);
                let made = engine.maker.as_mut().and_then(ProgramMaker::wait).unwrap();
                engine.take_made(made);
                engine.embed_next().unwrap();
                assert_eq!(vectors[1].try_recv().unwrap().unwrap().len(), 32);
                for is_free in [false, true] {
                    free.set(if is_free { 1 << 40 } else { 0 });
                    let held = hold.lock();
                    let mut later = ask(&mut engine, 6);
                    engine.embed_next().unwrap();
                    let is_made = engine.maker.as_ref().is_some_and(|maker| maker.is_making(16));
                    assert_eq!(is_made, is_free || !is_no_room);
                    drop(held);
                    if is_made {
                        let made = engine.maker.as_mut().and_then(ProgramMaker::wait).unwrap();
                        engine.take_made(made);
                        engine.embed_next().unwrap();
                    }
                    let told = later.try_recv().unwrap().map(|vector| vector.len());
                    assert_eq!(told, if is_made && is_no_room { Ok(32) } else { Err(failure(6)) });
                }
            });
        }
    });
}

/// One client that asks for many vectors would keep all others from asking for anything.
#[test]
fn texts_that_wait_for_vectors_keep_no_request_away() {
    with_model(|model| {
        let counters = counters();
        let (service, _inbox) = Service::new(64, 96, 2, Arc::clone(&counters));
        let mut engine = Engine::new(model, &options(), Arc::clone(&counters)).unwrap();
        let mut vectors: Vec<_> = (0..4)
            .map(|_| {
                let (reply, vector) = oneshot::channel();
                let (tokens, pooling) = (vec![1, 2], Pooling::Last);
                engine.take(Message::Embed {
                    key: 0,
                    tokens,
                    adapter: None,
                    pooling,
                    reply,
                    counted: counted(&counters),
                });
                vector
            })
            .collect();
        // Four for the rows that are free, and two that wait.
        let _answers = [(); 6].map(|()| answer_of(&service, request(&[1], 1)).unwrap());
        assert_eq!(
            answer_of(&service, request(&[1], 1)).map(drop),
            Err(Refusal::Full { waiting: 6, places: 6, asked: 1 })
        );
        assert_eq!(counters.waiting_in_all(), 10);
        // Clients leave: the first, and one in the middle.
        vectors.remove(2);
        vectors.remove(0);
        engine.embed_next().unwrap();
        assert_eq!(counters.waiting_in_all(), 7, "one text is computed, and two are wanted no more");
        engine.embed_next().unwrap();
        assert!(vectors.iter_mut().all(|vector| vector.try_recv().unwrap().is_ok()));
        assert_eq!(counters.waiting_in_all(), 6);
    });
}

/// Else health would tell of a long text that the engine hangs, and whoever watches over the server would end it with all its answers.
#[test]
fn while_a_vector_is_computed_it_is_known_how_long_that_may_take() {
    with_model(|model| {
        let counters = counters();
        let mut engine = Engine::new(model, &options(), Arc::clone(&counters)).unwrap();
        let [short, long] = [16, 64].map(|length| engine.embedder.time_max(length));
        assert!(short > Duration::ZERO && long > short, "{short:?}, {long:?}");
        let until = |counters: &Counters| counters.vector_until_ms.load(Ordering::Relaxed);
        let (is_over, began) = (AtomicBool::new(false), Instant::now());
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut was_told = false;
                while !is_over.load(Ordering::Relaxed) && began.elapsed() < Duration::from_secs(60) {
                    was_told |= until(&counters) > 0;
                }
                was_told
            });
            for _ in 0..200 {
                let mut vector = ask(&mut engine, 40);
                engine.embed_next().unwrap();
                assert!(vector.try_recv().unwrap().is_ok());
                assert_eq!(until(&counters), 0, "none is computed");
            }
            is_over.store(true, Ordering::Relaxed);
            assert!(watcher.join().unwrap());
        });
    });
}
