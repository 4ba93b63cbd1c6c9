use checkpoint::{LoraConfig, MAGNITUDE, TargetModules, TensorSpec, write_adapter};
use graph::HostTensor;

use super::*;

/// Writes an adapter of the query projections.
fn write(model: &Model<'_>, folder: &Path, rank: usize, use_dora: bool) {
    let target_modules = Some(TargetModules::Names(vec!["q_proj".to_owned()]));
    let config = LoraConfig { r: rank, use_dora, target_modules, ..LoraConfig::default() };
    let modules = model.plan().model.adaptable_modules().unwrap();
    let of_module = modules.iter().filter(|module| module.path.ends_with("q_proj")).flat_map(|module| {
        let (input, output) = (module.input.size, module.output.size);
        let of_path = move |path: String| {
            let magnitude = use_dora.then(|| TensorSpec::new(format!("{path}{MAGNITUDE}"), DType::F32, [output]));
            let factors = [("A", [rank, input]), ("B", [output, rank])];
            let factors =
                factors.map(|(name, shape)| TensorSpec::new(format!("{path}.lora_{name}.weight"), DType::F32, shape));
            factors.into_iter().chain(magnitude)
        };
        module.paths().into_iter().flat_map(of_path)
    });
    write_adapter(folder, &config, &of_module.collect::<Vec<_>>(), None, |spec| {
        Ok(HostTensor::from_vec(&spec.shape, vec![0.1f32; spec.shape.iter().product()])?)
    })
    .unwrap();
}

/// How a request with an adapter ends.
fn end(engine: &mut Engine<'_, '_>, events: &mut Receiver<(Instant, Event)>) -> Event {
    for _ in 0..20_000 {
        engine.adapters.receive(engine.live.is_empty());
        engine.step().unwrap();
        if let Some(ended) = read(events).1 {
            return ended;
        }
    }
    panic!("the answer does not end");
}

/// Of each kind alone, and of kinds together, in batches of any rows.
#[test]
fn programs_of_known_adapters_are_made_before_the_first_request() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        let adapters = [("plain", 3, false), ("wide", 20, false), ("dora", 4, true)];
        adapters.iter().for_each(|(name, rank, is_dora)| write(model, &folder.path().join(name), *rank, *is_dora));
        let options = EngineOptions {
            rows: 2,
            context: Some(16),
            adapters: Some(folder.path().to_owned()),
            adapters_max: 3,
            adapter_rank_max: 32,
            prompt_tile: Some(PromptTile::Tokens(4)),
            step_tokens: Some(8),
            ..options()
        };
        let counters = counters();
        let mut engine = Engine::new(model, &options, Arc::clone(&counters)).unwrap();
        engine.warm_up(&mut |_, _| ControlFlow::Continue(())).unwrap();
        let made = engine.program_count();
        let rounds: [&[&str]; 5] = [&["plain"], &["wide"], &["dora"], &["plain", "dora"], &["wide", "dora"]];
        let ask = |engine: &mut Engine<'_, '_>| {
            for (number, names) in (0..).zip(rounds) {
                let asked = (2 * number..).zip(names).map(|(number, name)| {
                    send(engine, number, Request { adapter: Some((*name).to_owned()), ..request(&[5, 9, 17], 3) })
                });
                let asked: Vec<_> = asked.collect();
                for mut events in asked {
                    assert_eq!(end(engine, &mut events), Event::Finished(FinishReason::Length), "{names:?}");
                }
                assert_eq!(engine.program_count(), made, "{names:?}");
            }
        };
        ask(&mut engine);
        // Behind a failure of the device, too.
        engine.recover().unwrap();
        assert_eq!(engine.program_count(), made);
        ask(&mut engine);
    });
}

/// Of the most ranks that there may be, whether or not others are known.
#[test]
fn programs_are_made_for_adapters_that_come_later() {
    with_model(|model| {
        for (tile, known) in [(PromptTile::Whole, None), (PromptTile::Whole, Some(3)), (PromptTile::Tokens(4), Some(3))]
        {
            let folder = tempfile::tempdir().unwrap();
            known.into_iter().for_each(|rank| write(model, &folder.path().join("known"), rank, false));
            let options = EngineOptions {
                rows: 2,
                context: Some(16),
                adapters: Some(folder.path().to_owned()),
                adapters_max: 3,
                adapter_rank_max: 32,
                prompt_tile: Some(tile),
                step_tokens: Some(8),
                ..options()
            };
            let mut engine = Engine::new(model, &options, counters()).unwrap();
            engine.warm_up(&mut |_, _| ControlFlow::Continue(())).unwrap();
            let made = engine.program_count();
            for (number, (name, rank)) in (0..).zip([("narrow", 3), ("wide", 32)]) {
                write(model, &folder.path().join(name), rank, false);
                let asked = Request { adapter: Some(name.to_owned()), ..request(&[5, 9, 17], 3) };
                let mut events = send(&mut engine, number, asked);
                assert_eq!(end(&mut engine, &mut events), Event::Finished(FinishReason::Length), "{name}");
                assert_eq!(engine.program_count(), made, "{name}, {tile:?}, {known:?}");
            }
        }
    });
}

/// It was told that it failed, and may have loaded another adapter by that name since.
#[test]
fn whoever_asks_to_unload_and_leaves_unloads_nothing() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        write(model, &folder.path().join("tuned"), 4, false);
        let options = EngineOptions { adapters: Some(folder.path().to_owned()), adapters_max: 1, ..options() };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        // One from elsewhere, which hides the folder's.
        engine.adapters.register("tuned", "elsewhere/tuned".into());
        let unload = |engine: &mut Engine<'_, '_>, name: &str, is_waited_for: bool| {
            let (reply, told) = oneshot::channel();
            let told = is_waited_for.then_some(told);
            engine.take(Message::UnloadAdapter { name: name.to_owned(), reply });
            while engine.awaits_looks() {
                engine.adapters.receive(true);
            }
            engine.bring_adapters().unwrap();
            (told.map(|mut told| told.try_recv().unwrap()), engine.adapters.entry(name).is_some())
        };
        assert_eq!(unload(&mut engine, "tuned", false), (None, true));
        assert_eq!(unload(&mut engine, "tuned", true), (Some(Ok(Unloaded::InFolder)), false));
        engine.adapters.register("elsewhere", folder.path().join("tuned"));
        assert_eq!(unload(&mut engine, "elsewhere", true), (Some(Ok(Unloaded::Gone)), false));
        assert_eq!(
            unload(&mut engine, "nobody", true),
            (Some(Err(Refusal::NoSuchAdapter("nobody".to_owned()))), false)
        );
    });
}

/// One that is put into the folder later is found by who asks first, and who makes a name up is refused and in no count.
#[test]
fn an_adapter_is_sought_when_it_is_first_asked_for() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        let options = EngineOptions { adapters: Some(folder.path().to_owned()), adapters_max: 1, ..options() };
        let counters = counters();
        let mut engine = Engine::new(model, &options, Arc::clone(&counters)).unwrap();
        write(model, &folder.path().join("tuned"), 4, false);
        for max_tokens in [3, 0] {
            for (name, expected) in [
                ("nobody", Event::Failed(Failure::Refused(Refusal::NoSuchAdapter("nobody".to_owned())))),
                ("tuned", Event::Finished(FinishReason::Length)),
            ] {
                let asked = Request { adapter: Some(name.to_owned()), ..request(&[5, 9, 17], max_tokens) };
                let mut events = send(&mut engine, 1, asked);
                let is_counted = |counters: &Counters| counters.adapters().contains_key(name);
                assert!(!is_counted(&counters), "{name}, of which nothing is known yet");
                assert_eq!(end(&mut engine, &mut events), expected, "{name}, {max_tokens} tokens");
                assert!(!is_counted(&counters));
            }
        }
        assert_eq!(counters.waiting_in_all(), 0);
    });
}

/// Who asks for many adapters holds up neither other keys nor better priorities, and nobody whose adapter is there.
#[test]
fn answers_with_adapters_begin_by_priority_then_by_turns_of_keys() {
    with_model(|model| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/llama/grouped/adapter");
        let rank = config_of(&folder).unwrap().r;
        let options = EngineOptions { adapters_max: 1, adapter_rank_max: rank, ..options() };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        let ask = |engine: &mut Engine<'_, '_>, number, (adapter, key, priority): (&str, u64, i32), max_tokens| {
            if engine.adapters.entry(adapter).is_none() {
                engine.load_adapter(adapter, &folder, false).unwrap();
            }
            let adapter = Some(adapter.to_owned());
            send(engine, number, Request { adapter, key, priority, ..request(&[5, 9, 17], max_tokens) })
        };
        let mut all = vec![ask(&mut engine, 0, ("a", 1, 0), 40)];
        while engine.live.is_empty() {
            engine.adapters.receive(true);
            engine.step().unwrap();
        }
        // Key 1 has three more, of which the first waits for room once all are read; then key 2 comes.
        for asked in [[("b", 1, 0), ("c", 1, 0), ("d", 1, 0)], [("a", 2, 0), ("e", 2, 0), ("f", 2, -1)]] {
            for asked in asked {
                all.push(ask(&mut engine, all.len() as u64, asked, 3));
            }
            for _ in 0..20 {
                engine.adapters.receive(true);
                engine.bring_adapters().unwrap();
            }
        }
        for _ in 0..200 {
            // What was just asked for is read before an answer ends.
            engine.adapters.receive(true);
            engine.step().unwrap();
        }
        let mut begun: Vec<_> =
            (0..).zip(&mut all).map(|(number, events)| (events.try_recv().unwrap().0, number)).collect();
        begun.sort_unstable();
        assert_eq!(begun.iter().map(|(_, number)| *number).collect::<Vec<i32>>(), [0, 4, 6, 1, 2, 5, 3]);
        assert!(all.iter_mut().all(|events| matches!(read(events).1, Some(Event::Finished(FinishReason::Length)))));
    });
}

/// A disk may be slow.
#[test]
fn answers_go_on_while_an_adapter_is_looked_at() {
    with_model(|model| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/llama/grouped/adapter");
        let counters = counters();
        let (service, mut inbox) = Service::new(64, 96, 4, Arc::clone(&counters));
        let options = EngineOptions { adapters_max: 1, ..options() };
        let mut engine = Engine::new(model, &options, counters).unwrap();
        let (go_on, hold) = std::sync::mpsc::channel();
        engine.adapters.hold_looks(hold);
        let asking = std::thread::spawn(move || {
            let load = |name: &str, path: &Path| {
                let (reply, told) = oneshot::channel();
                let (name, path) = (name.to_owned(), path.to_owned());
                service.send(Message::LoadAdapter { name, path, is_pinned: false, reply }).unwrap();
                told
            };
            // Whoever asked for it waits no longer when it has been looked at.
            drop(load("left", &folder));
            let mut told = [load("tuned", &folder), load("tuned", Path::new("nowhere"))];
            let ended = ending(&mut answer_of(&service, request(&[1, 2, 3], 2)).unwrap());
            assert_eq!(ended, Event::Finished(FinishReason::Length));
            assert!(told.iter_mut().all(|told| told.try_recv().is_err()), "it is being looked at");
            (0..3).for_each(|_| go_on.send(()).unwrap());
            // Though the engine has nothing else to do.
            let told = told.map(|told| told.blocking_recv().unwrap());
            assert!(matches!(told, [Ok(()), Err(Refusal::Adapter { .. })]), "{told:?}");
        });
        engine.run(&mut inbox).unwrap();
        asking.join().unwrap();
        assert!(
            engine.adapters.entry("tuned").is_some()
                && engine.adapters.entry("left").is_none()
                && !engine.adapters.is_looking()
        );
    });
}

/// What waits for a row has its adapter on the device: no more of it than would be computed soon.
#[test]
fn who_waits_for_a_row_keeps_no_better_priority_from_the_device() {
    with_model(|model| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/llama/grouped/adapter");
        let rank = config_of(&folder).unwrap().r;
        let options = EngineOptions { adapters_max: 1, adapter_rank_max: rank, ..options() };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        ["a", "b"].iter().for_each(|name| engine.load_adapter(name, &folder, false).unwrap());
        let ask = |engine: &mut Engine<'_, '_>, number, (adapter, key, priority): (&str, u64, i32)| {
            let adapter = Some(adapter.to_owned());
            send(engine, number, Request { adapter, key, priority, ..request(&[5, 9, 17], 8) })
        };
        let mut many: Vec<_> = (0..40).map(|number| ask(&mut engine, number, ("a", 1, 0))).collect();
        while engine.live.len() < options.rows {
            engine.adapters.receive(true);
            engine.step().unwrap();
        }
        let mut urgent = ask(&mut engine, 40, ("b", 2, -1));
        assert_eq!(end(&mut engine, &mut urgent), Event::Finished(FinishReason::Length));
        let before = many.iter_mut().filter_map(|events| read(events).1).count();
        assert!(before <= 3 * options.rows, "{before} answers of another priority went before");
    });
}

/// How an answer ends that is asked for while others come one behind the other for ever, by what `ask` asks for in each place.
fn end_among<'m, 's>(
    engine: &mut Engine<'m, 's>,
    asked: Request,
    places: usize,
    ask: impl Fn(&mut Engine<'m, 's>, u64, usize) -> Receiver<(Instant, Event)>,
) -> Option<Event> {
    let mut others: Vec<_> = (0..places).map(|place| ask(engine, 1000 + place as u64, place)).collect();
    let mut go_on = |engine: &mut Engine<'m, 's>, step: u64| {
        engine.adapters.receive(engine.live.is_empty());
        engine.step().unwrap();
        for (place, other) in others.iter_mut().enumerate() {
            if read(other).1.is_some() {
                *other = ask(engine, 1000 * (step + 1) + place as u64, place);
            }
        }
    };
    (1..50).for_each(|step| go_on(engine, step));
    let mut events = send(engine, 0, asked);
    (50..2000).find_map(|step| {
        go_on(engine, step);
        read(&mut events).1
    })
}

#[test]
fn requests_of_the_model_alone_keep_no_adapter_out() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        write(model, &folder.path().join("tuned"), 4, false);
        let options = EngineOptions { adapters: Some(folder.path().to_owned()), adapters_max: 1, ..options() };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        let ask = |engine: &mut Engine<'_, '_>, number, _| {
            send(engine, number, Request { key: 1, ..request(&[5, 9, 17], 4) })
        };
        let asked = Request { adapter: Some("tuned".to_owned()), key: 2, ..request(&[5, 9, 17], 4) };
        // More of them wait for a row at all times than there are rows.
        let ended = end_among(&mut engine, asked, 3 * options.rows, ask);
        assert_eq!(ended, Some(Event::Finished(FinishReason::Length)));
    });
}

/// An adapter that takes as much as several others has its turn, though these are never without an answer at the same time.
#[test]
fn an_adapter_that_takes_more_than_any_other_has_its_turn() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        [("a", 8), ("b", 8), ("c", 16)]
            .iter()
            .for_each(|(name, rank)| write(model, &folder.path().join(name), *rank, false));
        let options = EngineOptions {
            adapters: Some(folder.path().to_owned()),
            adapters_max: 1,
            adapter_rank_max: 16,
            ..options()
        };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        let ask = |engine: &mut Engine<'_, '_>, number, place: usize| {
            let name = ["a", "b"][place];
            // The very first is shorter, so that no two end at the same time.
            let asked = request(&[5, 9, 17], if number == 1000 { 4 } else { 8 });
            send(engine, number, Request { adapter: Some(name.to_owned()), key: place as u64, ..asked })
        };
        let asked = Request { adapter: Some("c".to_owned()), key: 9, ..request(&[5, 9, 17], 4) };
        let ended = end_among(&mut engine, asked, 2, ask);
        assert_eq!(ended, Some(Event::Finished(FinishReason::Length)));
    });
}

/// Who waits for room waits for as few adapters as make it: answers with others begin as they come, however many.
#[test]
fn answers_with_adapters_that_stay_pass_as_they_come() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        ["a", "b", "c"].iter().for_each(|name| write(model, &folder.path().join(name), 8, false));
        let options = EngineOptions {
            adapters: Some(folder.path().to_owned()),
            adapters_max: 2,
            adapter_rank_max: 8,
            ..options()
        };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        let ask = |engine: &mut Engine<'_, '_>, number, name: &str, max_tokens| {
            send(engine, number, Request { adapter: Some(name.to_owned()), ..request(&[5, 9, 17], max_tokens) })
        };
        let _running = [ask(&mut engine, 0, "a", 60), ask(&mut engine, 1, "b", 60), ask(&mut engine, 2, "b", 60)];
        while engine.live.len() < 3 {
            engine.adapters.receive(true);
            engine.step().unwrap();
        }
        let mut waits = ask(&mut engine, 3, "c", 2);
        while engine.pending.behind(None).is_none_or(|first| engine.pending.lets_pass(first)) {
            engine.adapters.receive(true);
            engine.bring_adapters().unwrap();
        }
        // `a` has fewer answers, and goes for it.
        let [mut goes, mut stays] = ["a", "b"].map(|name| ask(&mut engine, 4 + u64::from(name == "b"), name, 2));
        assert_eq!(end(&mut engine, &mut stays), Event::Finished(FinishReason::Length));
        assert_eq!([&mut goes, &mut waits].map(|events| read(events).1), [None, None]);
        assert_eq!(end(&mut engine, &mut waits), Event::Finished(FinishReason::Length));
        assert_eq!(end(&mut engine, &mut goes), Event::Finished(FinishReason::Length));
    });
}

/// A name that somebody has made up is told of at once, however many wait.
#[test]
fn an_adapter_that_is_not_there_is_told_of_behind_many() {
    with_model(|model| {
        let folder = tempfile::tempdir().unwrap();
        write(model, &folder.path().join("tuned"), 4, false);
        let options = EngineOptions { adapters: Some(folder.path().to_owned()), adapters_max: 1, ..options() };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        let ask = |engine: &mut Engine<'_, '_>, number, name: &str| {
            send(engine, number, Request { adapter: Some(name.to_owned()), ..request(&[5, 9, 17], 40) })
        };
        let mut many: Vec<_> = (0..20).map(|number| ask(&mut engine, number, "tuned")).collect();
        while engine.live.len() < options.rows {
            engine.adapters.receive(true);
            engine.step().unwrap();
        }
        let mut nobody = ask(&mut engine, 20, "nobody");
        while engine.adapters.is_looking() {
            engine.adapters.receive(true);
        }
        engine.step().unwrap();
        let expected = Event::Failed(Failure::Refused(Refusal::NoSuchAdapter("nobody".to_owned())));
        assert_eq!(read(&mut nobody).1, Some(expected));
        assert!(many.iter_mut().all(|events| read(events).1.is_none()), "one of them has made room");
    });
}

/// Also where no more may pass the one that waits.
#[test]
fn who_has_left_is_let_go_behind_one_that_waits_for_room() {
    with_model(|model| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/llama/grouped/adapter");
        let rank = config_of(&folder).unwrap().r;
        let options = EngineOptions { adapters_max: 1, adapter_rank_max: rank, ..options() };
        let counters = counters();
        let mut engine = Engine::new(model, &options, Arc::clone(&counters)).unwrap();
        let ask = |engine: &mut Engine<'_, '_>, number, adapter: &str| {
            if engine.adapters.entry(adapter).is_none() {
                engine.load_adapter(adapter, &folder, false).unwrap();
            }
            send(engine, number, Request { adapter: Some(adapter.to_owned()), ..request(&[5, 9, 17], 40) })
        };
        let _running = ask(&mut engine, 0, "a");
        while engine.live.is_empty() {
            engine.adapters.receive(true);
            engine.step().unwrap();
        }
        let _first = ask(&mut engine, 1, "b");
        for _ in 0..20 {
            engine.adapters.receive(true);
            engine.bring_adapters().unwrap();
        }
        let first = engine.pending.behind(None).unwrap();
        while engine.pending.lets_pass(first) {}
        let (_later, gone) = (ask(&mut engine, 2, "a"), ask(&mut engine, 3, "c"));
        assert_eq!(counters.waiting.load(Ordering::Relaxed), 3);
        drop(gone);
        engine.bring_adapters().unwrap();
        assert_eq!(counters.waiting.load(Ordering::Relaxed), 2);
    });
}
