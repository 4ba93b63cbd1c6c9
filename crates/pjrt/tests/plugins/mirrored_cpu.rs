//! A plugin that makes the CPU's, which knows one process, serve several: each process computes for the devices of all, and shows as its own
//! only those that a plugin of GPUs would. What a process gives its devices goes to the others through the store of the run, so that all compute
//! the same. A process that starts another program than the others, or starts one alone, waits for ever, as on GPUs.
//!
//! Built by itself with `rustc`. `MIRRORED_PLUGIN` is the CPU's plugin. Calls take and give words, as the C API's structs hold them.

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::{Mutex, OnceLock};

type Call = extern "C" fn(*mut usize) -> usize;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Words of the table in front of its functions, and places of functions behind these.
const HEAD: usize = 5;
const EVENT_DESTROY: usize = 5;
const EVENT_AWAIT: usize = 8;
const CLIENT_CREATE: usize = 10;
const CLIENT_DEVICES: usize = 15;
const CLIENT_ADDRESSABLE_DEVICES: usize = 16;
const BUFFER_FROM_HOST: usize = 22;
const NUM_OUTPUTS: usize = 44;
const GET_EXECUTABLE: usize = 51;
const EXECUTABLE_DEVICES: usize = 52;
const EXECUTE: usize = 55;
const BUFFER_DESTROY: usize = 58;

const UPLOADED: usize = 0;
const DESTROYED: usize = 1;
const EXECUTED: usize = 2;

/// The real plugin's functions.
static REAL: OnceLock<Vec<usize>> = OnceLock::new();
static STATE: Mutex<Option<State>> = Mutex::new(None);

#[derive(Default)]
struct State {
    client: usize,
    /// The real client's, of all processes.
    devices: Vec<usize>,
    process: usize,
    processes: usize,
    /// Callbacks and their arguments.
    get: [usize; 2],
    put: [usize; 2],
    programs_run: usize,
    /// For each process its buffers by number, as they are here.
    buffers: Vec<HashMap<usize, usize>>,
    /// How many numbers each process has given.
    numbered: Vec<usize>,
    /// The numbers of this process's own buffers.
    numbers: HashMap<usize, usize>,
    /// What this process has done since its last program.
    log: Vec<u8>,
}

impl State {
    fn per_process(&self) -> usize {
        self.devices.len() / self.processes
    }

    fn own(&self) -> &[usize] {
        let count = self.per_process();
        &self.devices[self.process * count..][..count]
    }

    fn add(&mut self, process: usize, buffer: usize) {
        let number = self.numbered[process];
        self.numbered[process] += 1;
        self.buffers[process].insert(number, buffer);
        if process == self.process {
            self.numbers.insert(buffer, number);
        }
    }

    fn write(&mut self, words: &[usize]) {
        self.log.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    /// Does what another process did up to its program, and gives the program's arguments for each of its devices.
    fn replay(&mut self, process: usize, log: &[u8], arguments: usize) -> Vec<Vec<usize>> {
        let mut rest = log;
        loop {
            match word(&mut rest) {
                UPLOADED => {
                    let [device, kind, rank] = [(); 3].map(|()| word(&mut rest));
                    let dims: Vec<usize> = (0..rank).map(|_| word(&mut rest)).collect();
                    let (bytes, behind) = rest.split_at(element_bytes(kind) * dims.iter().product::<usize>());
                    rest = behind;
                    let (data, device) = (bytes.as_ptr() as usize, self.devices[device]);
                    let mut args = [120, 0, self.client, data, kind, dims.as_ptr() as usize, rank, 0, 0, 0, device, 0, 0, 0, 0];
                    expect(real(BUFFER_FROM_HOST, &mut args));
                    expect(real(EVENT_AWAIT, &mut [24, 0, args[13]]));
                    expect(real(EVENT_DESTROY, &mut [24, 0, args[13]]));
                    self.add(process, args[14]);
                }
                DESTROYED => {
                    let number = word(&mut rest);
                    let buffer = self.buffers[process].remove(&number).expect("it is there");
                    expect(real(BUFFER_DESTROY, &mut [24, 0, buffer]));
                }
                _ => {
                    let mut list = || (0..arguments).map(|_| self.buffers[process][&word(&mut rest)]).collect();
                    return (0..self.per_process()).map(|_| list()).collect();
                }
            }
        }
    }

    fn put(&self, key: &str, value: &[u8]) {
        let make_error = &raw const MAKE_ERROR as usize;
        let key = key.as_bytes();
        let [callback, user] = self.put;
        let value = (value.as_ptr() as usize, value.len());
        let mut args = [64, 0, key.as_ptr() as usize, key.len(), value.0, value.1, make_error, user];
        wait_if_over(call(callback, &mut args));
    }

    fn get(&self, key: &str) -> Vec<u8> {
        const TIMEOUT_MS: usize = 600_000;
        let make_error = &raw const MAKE_ERROR as usize;
        let [callback, user] = self.get;
        let mut args = [80, 0, key.as_ptr() as usize, key.len(), TIMEOUT_MS, make_error, user, 0, 0, 0];
        wait_if_over(call(callback, &mut args));
        let value = words(args[7] as *const u8, args[8]).to_vec();
        let delete: extern "C" fn(usize) = unsafe { std::mem::transmute(args[9]) };
        delete(args[7]);
        value
    }
}

/// The run of all processes is over, whose end ends this one.
fn wait_if_over(error: usize) {
    while error != 0 {
        std::thread::park();
    }
}

/// What a failed callback makes: nothing that could be told.
extern "C" fn make_error(_: u32, _: *const u8, _: usize) -> usize {
    1
}
static MAKE_ERROR: extern "C" fn(u32, *const u8, usize) -> usize = make_error;

fn expect(error: usize) {
    assert_eq!(error, 0, "a call failed");
}

fn call(function: usize, args: &mut [usize]) -> usize {
    let function: Call = unsafe { std::mem::transmute(function) };
    function(args.as_mut_ptr())
}

fn real(place: usize, args: &mut [usize]) -> usize {
    call(REAL.get().expect("it is loaded")[HEAD + place], args)
}

fn words<'a, T>(start: *const T, count: usize) -> &'a [T] {
    if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(start, count) } }
}

fn word(rest: &mut &[u8]) -> usize {
    let (first, behind) = rest.split_at(8);
    *rest = behind;
    usize::from_le_bytes(first.try_into().expect("eight bytes"))
}

/// By PJRT_Buffer_Type.
fn element_bytes(kind: usize) -> usize {
    [0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 2][kind]
}

fn with<T>(run: impl FnOnce(&mut State) -> T) -> T {
    run(STATE.lock().expect("nobody panicked").as_mut().expect("there is a client"))
}

extern "C" fn client_create(args: *mut usize) -> usize {
    let args = unsafe { std::slice::from_raw_parts_mut(args, 11) };
    let mut state = State { processes: 1, get: [args[4], args[5]], put: [args[6], args[7]], ..State::default() };
    let mut options: Vec<[usize; 7]> = words(args[2] as *const [usize; 7], args[3]).to_vec();
    options.retain(|option| match words(option[2] as *const u8, option[3]) {
        b"node_id" => {
            state.process = option[5];
            false
        }
        b"num_nodes" => {
            state.processes = option[5];
            false
        }
        _ => true,
    });
    for option in &mut options {
        if words(option[2] as *const u8, option[3]) == b"cpu_device_count" {
            option[5] *= state.processes;
        }
    }
    let mut own = [88, 0, options.as_ptr() as usize, options.len(), 0, 0, 0, 0, 0, 0, 0];
    expect(real(CLIENT_CREATE, &mut own));
    args[8] = own[8];
    let mut devices = [40, 0, own[8], 0, 0];
    expect(real(CLIENT_DEVICES, &mut devices));
    state.client = own[8];
    state.devices = words(devices[3] as *const usize, devices[4]).to_vec();
    state.buffers = vec![HashMap::new(); state.processes];
    state.numbered = vec![0; state.processes];
    *STATE.lock().expect("nobody panicked") = Some(state);
    0
}

extern "C" fn addressable_devices(args: *mut usize) -> usize {
    let args = unsafe { std::slice::from_raw_parts_mut(args, 5) };
    with(|state| (args[3], args[4]) = (state.own().as_ptr() as usize, state.own().len()));
    0
}

extern "C" fn executable_devices(args: *mut usize) -> usize {
    let args = unsafe { std::slice::from_raw_parts_mut(args, 5) };
    let error = real(EXECUTABLE_DEVICES, args);
    with(|state| {
        if args[4] == state.devices.len() {
            (args[3], args[4]) = (state.own().as_ptr() as usize, state.own().len());
        }
    });
    error
}

extern "C" fn buffer_from_host(args: *mut usize) -> usize {
    let args = unsafe { std::slice::from_raw_parts_mut(args, 15) };
    let error = real(BUFFER_FROM_HOST, args);
    with(|state| {
        let kind = args[4] as u32 as usize;
        let dims = words(args[5] as *const usize, args[6]);
        let device = state.devices.iter().position(|device| *device == args[10]).expect("it is the client's");
        state.write(&[UPLOADED, device, kind, dims.len()]);
        state.write(dims);
        state.log.extend(words(args[3] as *const u8, element_bytes(kind) * dims.iter().product::<usize>()));
        state.add(state.process, args[14]);
    });
    error
}

extern "C" fn buffer_destroy(args: *mut usize) -> usize {
    let args = unsafe { std::slice::from_raw_parts_mut(args, 3) };
    with(|state| {
        if let Some(number) = state.numbers.remove(&args[2]) {
            state.buffers[state.process].remove(&number);
            state.write(&[DESTROYED, number]);
        }
    });
    real(BUFFER_DESTROY, args)
}

extern "C" fn execute(args: *mut usize) -> usize {
    let args = unsafe { std::slice::from_raw_parts_mut(args, 10) };
    let mut devices = [40, 0, args[2], 0, 0];
    expect(real(EXECUTABLE_DEVICES, &mut devices));
    with(|state| if devices[4] == state.devices.len() { execute_with_all(state, args) } else { real(EXECUTE, args) })
}

fn execute_with_all(state: &mut State, args: &mut [usize]) -> usize {
    let mut executable = [32, 0, args[2], 0];
    expect(real(GET_EXECUTABLE, &mut executable));
    let mut outputs = [32, 0, executable[3], 0];
    expect(real(NUM_OUTPUTS, &mut outputs));
    let (own_lists, count, outputs) = (words(args[4] as *const *const usize, args[5]), args[6], outputs[3]);
    state.write(&[EXECUTED]);
    for list in own_lists {
        let numbers: Vec<usize> = words(*list, count).iter().map(|buffer| state.numbers[buffer]).collect();
        state.write(&numbers);
    }
    let (log, round) = (std::mem::take(&mut state.log), state.programs_run);
    state.programs_run += 1;
    state.put(&format!("{}/{round}", state.process), &log);
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for process in 0..state.processes {
        if process == state.process {
            lists.extend(own_lists.iter().map(|list| words(*list, count).to_vec()));
        } else {
            let log = state.get(&format!("{process}/{round}"));
            lists.extend(state.replay(process, &log, count));
        }
    }
    let mut results = vec![vec![0; outputs]; state.devices.len()];
    let lists: Vec<*const usize> = lists.iter().map(Vec::as_ptr).collect();
    let result_lists: Vec<*mut usize> = results.iter_mut().map(Vec::as_mut_ptr).collect();
    let mut all = [80, 0, args[2], args[3], lists.as_ptr() as usize, lists.len(), count, result_lists.as_ptr() as usize, 0, 0];
    let error = real(EXECUTE, &mut all);
    let own_results = words(args[7] as *const *mut usize, args[5]);
    for (device, buffers) in results.iter().enumerate() {
        let (process, place) = (device / state.per_process(), device % state.per_process());
        for (output, buffer) in buffers.iter().enumerate() {
            state.add(process, *buffer);
            if process == state.process {
                unsafe { *own_results[place].add(output) = *buffer };
            }
        }
    }
    error
}

/// The real plugin's table with those functions in place.
#[unsafe(no_mangle)]
pub extern "C" fn GetPjrtApi() -> *const usize {
    static TABLE: OnceLock<Vec<usize>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let path = std::env::var("MIRRORED_PLUGIN").expect("MIRRORED_PLUGIN is the CPU's plugin");
        let path = CString::new(path).expect("a path");
        const NOW: c_int = 2;
        let real = unsafe {
            let api = dlsym(dlopen(path.as_ptr(), NOW), c"GetPjrtApi".as_ptr());
            let api: extern "C" fn() -> *const usize = std::mem::transmute(api);
            let table = api();
            words(table, *table / 8).to_vec()
        };
        let mut table = REAL.get_or_init(|| real).clone();
        let functions: [(usize, Call); 6] = [
            (CLIENT_CREATE, client_create),
            (CLIENT_ADDRESSABLE_DEVICES, addressable_devices),
            (EXECUTABLE_DEVICES, executable_devices),
            (BUFFER_FROM_HOST, buffer_from_host),
            (EXECUTE, execute),
            (BUFFER_DESTROY, buffer_destroy),
        ];
        for (place, function) in functions {
            table[HEAD + place] = function as usize;
        }
        table
    });
    table.as_ptr()
}
