//! The binding against the real CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use pjrt::{
    Buffer, Client, CompileOptions, ElementType, Error, Executable, FlagValue, HostArguments, HostFunction,
    OptionValue, Plugin, Profiler, Result, SerializedProgram, Topology,
};
use runtime::plugins::{self, Environment, Platform, Purpose};
use sha2::{Digest, Sha256};

/// The plugin that commands would use; installed if there is none.
fn plugin() -> &'static Plugin {
    static PLUGIN: OnceLock<Plugin> = OnceLock::new();
    PLUGIN.get_or_init(|| {
        let environment = Environment::from_process();
        let located = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
        located.load(&environment, Purpose::Run).unwrap_or_else(|e| panic!("{e}"))
    })
}

fn client() -> &'static Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| Client::new(plugin(), &[]).unwrap())
}

fn compile(body: &str) -> Executable {
    client().compile(format!("module {{ {body} }}"), &CompileOptions::default()).unwrap()
}

fn upload(client: &Client, dims: &[i64], values: &[f32]) -> Buffer {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    client.upload(&bytes, ElementType::F32, dims, &client.devices().unwrap()[0]).unwrap()
}

fn download(buffer: &Buffer) -> Vec<f32> {
    assert_eq!(buffer.element_type().unwrap(), ElementType::F32);
    let bytes = buffer.download().unwrap();
    bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// The message of an error, which must be there.
fn message<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("this should have failed"),
        Err(error) => error.to_string(),
    }
}

const ADD: &str = "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %a, %b : tensor<2xf32>
    return %0 : tensor<2xf32> }";

/// Adds one to its argument, in the argument's memory.
const INCREMENT: &str = "func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
    %one = stablehlo.constant dense<1.0> : tensor<2xf32>
    %0 = stablehlo.add %a, %one : tensor<2xf32>
    return %0 : tensor<2xf32> }";

#[test]
fn describes_platform_and_devices() {
    assert_eq!(client().platform_name(), "cpu");
    assert!(!client().platform_version().is_empty());
    let attributes = plugin().attributes().unwrap();
    assert!(attributes.iter().any(|(name, _)| name == "stablehlo_current_version"), "{attributes:?}");

    let device = &client().devices().unwrap()[0];
    assert_eq!(device.id().unwrap(), 0);
    assert_eq!(device.local_hardware_id().unwrap(), Some(0));
    assert_eq!(device.kind().unwrap(), "cpu");
    assert!(device.description().unwrap().contains('0'));
    assert_eq!(device.memory_stats().unwrap(), None);
}

#[test]
fn runs_a_program_on_host_data() {
    let program = compile(
        "func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<3x2xf32>) {
            %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
                : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
            %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
            return %0, %1 : tensor<2x2xf32>, tensor<3x2xf32> }",
    );
    let a = upload(client(), &[2, 3], &[1., 2., 3., 4., 5., 6.]);
    let b = upload(client(), &[3, 2], &[1., 2., 3., 4., 5., 6.]);
    let outputs = program.execute(&[&a, &b]).unwrap();
    assert_eq!(download(&outputs[0]), [22., 28., 49., 64.]);
    assert_eq!(outputs[1].dims().unwrap(), [3, 2]);
    assert_eq!(download(&outputs[1]), [1., 4., 2., 5., 3., 6.]);
}

#[test]
fn moves_every_element_type() {
    use ElementType::*;
    let device = &client().devices().unwrap()[0];
    let floats = [F16, F32, F64, BF16, F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ];
    for element in [Pred, S8, S16, S32, S64, U8, U16, U32, U64].into_iter().chain(floats) {
        let bytes: Vec<u8> = (0..6 * element.size()).map(|i| (i % 2) as u8).collect();
        let buffer = client().upload(&bytes, element, &[2, 3], device).unwrap();
        assert_eq!((buffer.element_type().unwrap(), buffer.dims().unwrap()), (element, vec![2, 3]));
        assert_eq!(buffer.download().unwrap(), bytes, "{element}");
    }
}

#[test]
fn moves_scalars_and_empty_tensors() {
    assert_eq!(download(&upload(client(), &[], &[7.])), [7.]);
    assert_eq!(download(&upload(client(), &[0, 3], &[])), [0.; 0]);
}

#[test]
fn uploads_do_not_borrow() {
    let device = &client().devices().unwrap()[0];
    // The most that the plugin copies at once, and what it reads until the transfer completes.
    for size in [4 << 20, (4 << 20) + 1] {
        let mut bytes = vec![1; size];
        let buffer = client().upload(&bytes, ElementType::U8, &[size as i64], device).unwrap();
        bytes.fill(2);
        assert!(buffer.download().unwrap().iter().all(|&byte| byte == 1), "{size} bytes");
    }
}

#[test]
fn donated_buffers_are_gone() {
    let program = compile(INCREMENT);
    let before = upload(client(), &[2], &[1., 2.]);
    assert!(!before.is_deleted().unwrap());
    let after = program.execute(&[&before]).unwrap().remove(0);
    assert_eq!(download(&after), [2., 3.]);
    assert!(before.is_deleted().unwrap());
    assert!(matches!(before.wait(), Err(Error::Donated { .. })));
    assert_eq!(
        message(before.download()),
        "downloading a buffer: it was donated to an earlier execution and no longer exists"
    );
    assert_eq!(
        message(compile(ADD).execute(&[&after, &before])),
        "running a program: argument 1 for device 0 was donated to an earlier execution and no longer exists"
    );
    assert_eq!(download(&after), [2., 3.]);
}

#[test]
fn handles_may_be_dropped_in_any_order() {
    let buffer = {
        let client = Client::new(plugin(), &[]).unwrap();
        let program = client.compile(format!("module {{ {INCREMENT} }}"), &CompileOptions::default()).unwrap();
        let mut outputs = program.execute(&[&upload(&client, &[2], &[1., 2.])]).unwrap();
        outputs.remove(0)
    };
    assert_eq!(download(&buffer), [2., 3.]);
}

/// A loop of some 10 ms after another one: the moments are those of their ends, whenever somebody asks.
#[test]
fn the_moment_is_noted_at_which_a_buffer_is_computed() {
    let turns = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %turns = stablehlo.constant dense<300000> : tensor<i32>
        %next = stablehlo.constant dense<1> : tensor<i32>
        %half = stablehlo.constant dense<0.5> : tensor<2xf32>
        %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xf32>
        cond {
            %c = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
        } do {
            %j = stablehlo.add %i, %next : tensor<i32>
            %y = stablehlo.multiply %x, %half : tensor<2xf32>
            stablehlo.return %j, %y : tensor<i32>, tensor<2xf32>
        }
        return %0#1 : tensor<2xf32> }";
    let executable = compile(turns);
    let begun = Instant::now();
    let first = executable.execute(&[&upload(client(), &[2], &[1.0, 2.0])]).unwrap().remove(0);
    let of_first = first.completion().unwrap();
    let second = executable.execute(&[&first]).unwrap().remove(0);
    let of_second = second.completion().unwrap();
    second.wait().unwrap();
    let seen = Instant::now();
    // Long enough that a thread which was not given a processor at once does not seem to look first when it is asked.
    std::thread::sleep(Duration::from_secs(1));
    let [first_ended, second_ended] = [of_first, of_second].map(|completion| completion.at().unwrap());
    assert!(begun < first_ended && first_ended < second_ended, "{begun:?} {first_ended:?} {second_ended:?}");
    assert!(second_ended < seen + Duration::from_millis(500), "{second_ended:?} is long after {seen:?}");
    let [one, other] = [first_ended - begun, second_ended - first_ended].map(|time| time.as_secs_f64());
    assert!(other > one / 50.0, "the first took {one} s, and the second {other} s");
    // What is computed already.
    let late = second.completion().unwrap();
    assert!(late.at().unwrap() >= second_ended);
}

#[test]
fn threads_share_a_program() {
    let program = compile(ADD);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let program = &program;
            scope.spawn(move || {
                for step in 0..50 {
                    let (a, b) = (thread as f32, step as f32);
                    let inputs = [upload(client(), &[2], &[a, b]), upload(client(), &[2], &[1., 1.])];
                    let sum = program.execute(&[&inputs[0], &inputs[1]]).unwrap();
                    assert_eq!(download(&sum[0]), [a + 1., b + 1.]);
                }
            });
        }
    });
}

#[test]
fn reports_memory_and_the_optimized_program() {
    let program = compile(INCREMENT);
    let memory = program.program().memory_stats().unwrap();
    assert_eq!((memory.argument, memory.output, memory.alias), (8, 8, 8));
    assert_eq!(memory.total(), 8 + memory.temp + memory.code);
    let optimized = program.program().optimized().unwrap();
    assert!(optimized.format.starts_with("hlo"), "{}", optimized.format);
    assert!(!optimized.code.is_empty());
}

#[test]
fn loads_what_it_serialized() {
    let serialized = compile(ADD).serialize().unwrap();
    let stored = SerializedProgram::from_bytes(serialized.as_bytes().to_vec()).unwrap();
    let program = client().load(&stored).unwrap();
    let (a, b) = (upload(client(), &[2], &[1., 2.]), upload(client(), &[2], &[10., 20.]));
    assert_eq!(download(&program.execute(&[&a, &b]).unwrap()[0]), [11., 22.]);
}

#[test]
fn programs_for_another_target_are_refused() {
    let mut bytes = compile(ADD).serialize().unwrap().as_bytes().to_vec();
    let (digest, platform) = (8..40, 48..51);
    assert_eq!(&bytes[platform.clone()], b"cpu");
    bytes[platform].copy_from_slice(b"gpu");
    assert_eq!(SerializedProgram::from_bytes(bytes.clone()), None);
    let sealed = Sha256::digest(&bytes[digest.end..]);
    bytes[digest].copy_from_slice(&sealed);
    let refused = message(client().load(&SerializedProgram::from_bytes(bytes).unwrap()));
    assert!(refused.contains("it is for \"gpu ") && refused.contains("but this client is for \"cpu "), "{refused}");
}

#[test]
fn loaded_programs_donate() {
    let serialized = compile(INCREMENT).serialize().unwrap();
    let before = upload(client(), &[2], &[1., 2.]);
    let after = client().load(&serialized).unwrap().execute(&[&before]).unwrap();
    assert!(before.is_deleted().unwrap());
    assert_eq!(download(&after[0]), [2., 3.]);
}

/// `a` split over rows times a replicated `b`, and the sum of all of `a`.
const SHARDED: &str = r#"module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
    sdy.mesh @mesh = <["x"=4]>
    func.func @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                    %b: tensor<2x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
        -> (tensor<4x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
            tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
      return %0, %1 : tensor<4x1xf32>, tensor<f32> } }"#;

#[test]
fn runs_on_several_devices() {
    let client = Client::new(plugin(), &[("cpu_device_count", OptionValue::Int(4))]).unwrap();
    let devices = client.devices().unwrap();
    let program = client.compile(SHARDED, &CompileOptions::sharded([0, 1, 2, 3])).unwrap();
    let shard = |dims: &[i64], values: [f32; 2], device| {
        let bytes = values.map(f32::to_le_bytes).concat();
        client.upload(&bytes, ElementType::F32, dims, device).unwrap()
    };
    let inputs: Vec<[Buffer; 2]> = (devices.iter().enumerate())
        .map(|(i, device)| [shard(&[1, 2], [i as f32, 1.], device), shard(&[2, 1], [10., 1.], device)])
        .collect();
    let arguments: Vec<Vec<&Buffer>> = inputs.iter().map(|shards| shards.iter().collect()).collect();
    let outputs = program.execute_sharded(&arguments).unwrap();
    for (i, outputs) in outputs.iter().enumerate() {
        assert_eq!(download(&outputs[0]), [i as f32 * 10. + 1.]);
        assert_eq!(download(&outputs[1]), [6. + 4.]);
    }
    assert_eq!(
        message(program.execute(&arguments[0])),
        "running a program: it runs on 4 devices, but arguments for 1 were given"
    );
    let uneven: Vec<Vec<&Buffer>> = (0..4).map(|i| arguments[i][..2 - i % 2].to_vec()).collect();
    assert_eq!(
        message(program.execute_sharded(&uneven)),
        "running a program: device 1 was given 1 arguments, but device 0 2"
    );
}

/// One device takes its argument over before the other's is found to be wrong.
#[test]
fn what_fails_on_one_device_is_not_told_as_the_donation_on_another() {
    let client = Client::new(plugin(), &[("cpu_device_count", OptionValue::Int(2))]).unwrap();
    let program = r#"module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
        sdy.mesh @mesh = <["x"=2]>
        func.func @main(%b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                        %a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32})
            -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
          %0 = stablehlo.add %a, %b : tensor<4xf32>
          return %0 : tensor<4xf32> } }"#;
    let program = client.compile(program, &CompileOptions::sharded([0, 1])).unwrap();
    let devices = client.devices().unwrap();
    // The plugin keeps a hold on arguments of a device that failed: to use or free one again would wait for ever.
    let part = |device: usize| -> &Buffer {
        Box::leak(Box::new(client.upload(&[0; 8], ElementType::F32, &[2], &devices[device]).unwrap()))
    };
    let (taken, misplaced) = (part(0), part(0));
    let refused = program.execute_sharded(&[vec![part(0), taken], vec![misplaced, part(1)]]);
    assert!(matches!(refused, Err(Error::Plugin { .. })), "{refused:?}");
    assert!(taken.is_deleted().unwrap());
    // One that is only read, and one that is donated again.
    for list in [vec![taken, part(0)], vec![part(0), taken]] {
        assert_eq!(
            message(program.execute_sharded(&[list, vec![part(1), part(1)]])),
            "running a program: an argument was donated to an earlier execution and no longer exists"
        );
    }
}

#[test]
fn bad_requests_are_refused() {
    let device = &client().devices().unwrap()[0];
    let upload_bytes = |bytes: &[u8], dims: &[i64]| message(client().upload(bytes, ElementType::F32, dims, device));
    assert_eq!(upload_bytes(&[0; 7], &[2]), "uploading a tensor f32[2]: it takes 8 bytes, but 7 were given");
    for dims in [vec![-1], vec![i64::MAX, 2]] {
        let refused = upload_bytes(&[], &dims);
        assert!(refused.ends_with("a dimension is negative or the product is too large"), "{refused}");
    }

    let add = compile(ADD);
    let (two, three) = (upload(client(), &[2], &[1., 2.]), upload(client(), &[3], &[1., 2., 3.]));
    for arguments in [vec![&two], vec![&two, &two, &two], vec![&two, &three]] {
        assert!(matches!(add.execute(&arguments), Err(Error::Plugin { .. })), "{} arguments", arguments.len());
    }

    let other = Client::new(plugin(), &[]).unwrap();
    let foreign = upload(&other, &[2], &[1., 2.]);
    assert_eq!(
        message(add.execute(&[&two, &foreign])),
        "running a program: argument 1 for device 0 belongs to another client"
    );
    let refused = message(client().upload(&[], ElementType::F32, &[0], &other.devices().unwrap()[0]));
    assert_eq!(refused, "uploading a tensor f32[0]: the device belongs to another client");
}

#[test]
fn errors_carry_the_plugins_words() {
    let malformed = message(client().compile("module { nonsense }", &CompileOptions::default()));
    assert!(malformed.starts_with("compiling a program for cpu: "), "{malformed}");
    assert!(malformed.contains("nonsense"), "{malformed}");

    let options = CompileOptions::default().with_flag("xla_no_such_flag", FlagValue::Bool(true));
    let unknown = message(client().compile(format!("module {{ {ADD} }}"), &options));
    assert!(unknown.contains("xla_no_such_flag"), "{unknown}");

    let topology = message(Topology::new(plugin(), "", "1x1x1"));
    assert!(topology.starts_with("describing 1x1x1 devices to the plugin "), "{topology}");
}

#[test]
fn the_plugin_of_cpus_has_no_profiler() {
    assert!(Profiler::start(plugin()).unwrap().is_none());
}

/// The numbers of the first argument times `factor`, added to as many of the second as `shift` says.
struct Shifted;

impl HostFunction for Shifted {
    const NAME: &'static str = "finery_test_shifted";

    fn call(arguments: &HostArguments<'_>, result: &mut [f32]) -> std::result::Result<(), String> {
        let (x, offsets) = (arguments.f32s(0)?, arguments.i32s(1)?);
        let (factor, shift) = (arguments.float("factor")?, arguments.int("shift")?);
        assert_ne!(offsets, [-13], "so that a panic can be seen");
        if arguments.shape(0)? != [2, 3] || shift < 0 {
            return Err(format!("{:?} shifted by {shift}", arguments.shape(0)?));
        }
        result.iter_mut().zip(x).for_each(|(y, x)| *y = factor * x + (i64::from(offsets[0]) * shift) as f32);
        Ok(())
    }
}

/// A program that calls it with its arguments and these numbers, for x of that type.
fn shifted(ty: &str, numbers: &str) -> Executable {
    shifted_of("", ty, numbers)
}

/// The same of x with these attributes.
fn shifted_of(attributes: &str, ty: &str, numbers: &str) -> Executable {
    compile(&format!(
        "func.func @main(%x: {ty} {attributes}, %o: tensor<1xi32>) -> {ty} {{
            %0 = stablehlo.add %x, %x : {ty}
            %1 = stablehlo.custom_call @finery_test_shifted(%0, %o) {{api_version = 4 : i32, backend_config = {{{numbers}}}}}
                : ({ty}, tensor<1xi32>) -> {ty}
            %2 = stablehlo.negate %1 : {ty}
            return %2 : {ty} }}"
    ))
}

#[test]
fn programs_call_functions_of_ours() {
    assert!(plugin().register::<Shifted>().unwrap());
    // Once more is the same.
    assert!(plugin().register::<Shifted>().unwrap());
    let offset = |offset: i32| {
        client().upload(&offset.to_le_bytes(), ElementType::S32, &[1], &client().devices().unwrap()[0]).unwrap()
    };
    let numbers = "factor = 0.5 : f32, shift = 100 : i64";
    let program = shifted("tensor<2x3xf32>", numbers);
    let x = upload(client(), &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for times in [1, 2] {
        let results = program.execute(&[&x, &offset(times)]).unwrap();
        let expected = [1, 2, 3, 4, 5, 6].map(|x| -(x + 100 * times) as f32);
        assert_eq!(download(&results[0]), expected);
    }
    // What a function refuses, and a panic, are the execution's errors; the process goes on, and so does the program.
    let failure = |program: &Executable, x: &Buffer, o: i32| {
        message(program.execute(&[x, &offset(o)]).and_then(|results| results[0].download()))
    };
    let refused = failure(&shifted("tensor<2x3xf32>", "factor = 0.5 : f32, shift = -1 : i64"), &x, 1);
    assert!(refused.contains("finery_test_shifted: [2, 3] shifted by -1"), "{refused}");
    let refused = failure(&shifted("tensor<2x3xf32>", "shift = 1 : i64"), &x, 1);
    assert!(refused.contains("no number is called `factor`"), "{refused}");
    // By then the argument is taken over, which is no reason.
    let donating =
        shifted_of("{tf.aliasing_output = 0 : i32}", "tensor<2x3xf32>", "factor = 0.5 : f32, shift = -1 : i64");
    let refused = failure(&donating, &upload(client(), &[2, 3], &[0.0; 6]), 1);
    assert!(refused.contains("finery_test_shifted: [2, 3] shifted by -1"), "{refused}");
    let other = upload(client(), &[6], &[0.0; 6]);
    let refused = failure(&shifted("tensor<6xf32>", numbers), &other, 1);
    assert!(refused.contains("[6] shifted by 100"), "{refused}");
    let panicked = failure(&program, &x, -13);
    assert!(panicked.contains("finery_test_shifted: it panicked"), "{panicked}");
    assert_eq!(download(&program.execute(&[&x, &offset(0)]).unwrap()[0]), [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
}
