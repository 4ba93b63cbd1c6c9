//! Compiled programs, and those that are loaded on devices.

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use crate::api::{Api, Call, slice, text};
use crate::error::{Doing, Failure};
use crate::object::Owned;
use crate::{Buffer, Client, Error, Result, SerializedProgram, sys};

/// A program loaded on the devices of a [`Client`], ready to run.
pub struct Executable {
    loaded: Owned<sys::PJRT_LoadedExecutable>,
    program: CompiledProgram,
    client: Client,
    num_devices: usize,
    num_outputs: usize,
}

impl Executable {
    pub(crate) fn new(loaded: Owned<sys::PJRT_LoadedExecutable>, client: Client) -> Result<Executable> {
        let doing = || "inspecting a compiled program".to_owned();
        let api = loaded.api;
        let executable =
            sys::PJRT_LoadedExecutable_GetExecutable_Args { loaded_executable: loaded.raw(), ..Call::new() };
        // SAFETY: the loaded executable is alive; the executable is ours to free.
        let executable =
            unsafe { api.call(executable).and_then(|args| Owned::new(api, args.executable)) }.doing(doing)?;
        let devices = sys::PJRT_LoadedExecutable_AddressableDevices_Args { executable: loaded.raw(), ..Call::new() };
        // SAFETY: the loaded executable is alive.
        let num_devices = unsafe { api.call(devices) }.doing(doing)?.num_addressable_devices;
        let outputs = sys::PJRT_Executable_NumOutputs_Args { executable: executable.raw(), ..Call::new() };
        // SAFETY: the executable is alive.
        let num_outputs = unsafe { api.call(outputs) }.doing(doing)?.num_outputs;
        Ok(Executable { loaded, program: CompiledProgram { executable }, client, num_devices, num_outputs })
    }

    /// The compiled program: its memory, its machine code.
    pub fn program(&self) -> &CompiledProgram {
        &self.program
    }

    /// The machine program, to be stored and given to [`Client::load`].
    ///
    /// # Errors
    /// The plugin cannot write its programs.
    pub fn serialize(&self) -> Result<SerializedProgram> {
        Ok(SerializedProgram::new(&self.client.target()?, &self.program.serialize()?))
    }

    /// The client that it runs on.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// How many devices of this process it runs on.
    pub fn num_devices(&self) -> usize {
        self.num_devices
    }

    /// How many outputs each device gives.
    pub fn num_outputs(&self) -> usize {
        self.num_outputs
    }

    /// Starts the program on its one device, and returns the outputs without waiting for them.
    ///
    /// # Errors
    /// The program has several devices, an argument was donated earlier or is another client's, or the plugin refuses
    /// the arguments. A failure on the device comes out where an output is awaited.
    pub fn execute(&self, arguments: &[&Buffer]) -> Result<Vec<Buffer>> {
        let mut outputs = self.run(&[arguments])?;
        Ok(outputs.pop().unwrap_or_default())
    }

    /// Starts the program on all its devices in this process, and returns the outputs without waiting for them. Where it has devices of other
    /// processes, these have to start it as well, and all processes start such programs in one order.
    ///
    /// Both lists are `[device][value]`, devices in the order of the program's device assignment.
    ///
    /// # Errors
    /// As [`Executable::execute`]; or there is not one list for each device, or their lengths differ.
    pub fn execute_sharded(&self, arguments: &[Vec<&Buffer>]) -> Result<Vec<Vec<Buffer>>> {
        let arguments: Vec<&[&Buffer]> = arguments.iter().map(Vec::as_slice).collect();
        self.run(&arguments)
    }

    fn run(&self, arguments: &[&[&Buffer]]) -> Result<Vec<Vec<Buffer>>> {
        self.check_arguments(arguments)?;
        let inputs: Vec<Vec<*mut sys::PJRT_Buffer>> =
            arguments.iter().map(|list| list.iter().map(|buffer| buffer.raw()).collect()).collect();
        let argument_lists: Vec<*const *mut sys::PJRT_Buffer> = inputs.iter().map(Vec::as_ptr).collect();
        let mut outputs = vec![vec![null_mut::<sys::PJRT_Buffer>(); self.num_outputs]; self.num_devices];
        let output_lists: Vec<*mut *mut sys::PJRT_Buffer> = outputs.iter_mut().map(Vec::as_mut_ptr).collect();
        let mut options = execute_options();
        let args = sys::PJRT_LoadedExecutable_Execute_Args {
            executable: self.loaded.raw(),
            options: &raw mut options,
            argument_lists: argument_lists.as_ptr(),
            num_devices: self.num_devices,
            num_args: arguments.first().map_or(0, |list| list.len()),
            output_lists: output_lists.as_ptr(),
            ..Call::new()
        };
        // SAFETY: all lists are alive during the call and have the lengths that are stated, which `check_arguments` has
        // compared; the buffers are alive and of the same client. Outputs that were made are ours.
        let outcome = unsafe { self.loaded.api.call(args) };
        if let Err(failure) = outcome {
            return Err(explain(failure, arguments));
        }
        let own = |raw| {
            // SAFETY: the plugin has filled the lists with new buffers.
            let buffer = unsafe { Owned::new(self.loaded.api, raw) }.doing(running)?;
            Ok(Buffer::new(buffer, self.client.clone()))
        };
        // All are owned before any is looked at: one that is missing must not leak those behind it.
        let outputs: Vec<Vec<Result<Buffer>>> =
            outputs.into_iter().map(|list| list.into_iter().map(own).collect()).collect();
        outputs.into_iter().map(|list| list.into_iter().collect()).collect()
    }

    fn check_arguments(&self, arguments: &[&[&Buffer]]) -> Result<()> {
        let refuse = |rule| Err(Error::Argument { doing: running(), rule });
        if arguments.len() != self.num_devices {
            let (given, devices) = (arguments.len(), self.num_devices);
            return refuse(format!("it runs on {devices} devices, but arguments for {given} were given"));
        }
        for (device, list) in arguments.iter().enumerate() {
            if list.len() != arguments[0].len() {
                let (here, first) = (list.len(), arguments[0].len());
                return refuse(format!("device {device} was given {here} arguments, but device 0 {first}"));
            }
            if let Some(index) = list.iter().position(|buffer| !buffer.client().is(&self.client)) {
                return refuse(format!("argument {index} for device {device} belongs to another client"));
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Executable({} devices, {} outputs each)", self.num_devices, self.num_outputs)
    }
}

/// Why the arguments were refused: plugins do not say which one was donated. Arguments may be gone, too, that this execution itself took over before it failed: what the
/// plugin says tells whether one was gone before, and on one device what is gone tells which.
fn explain(failure: Failure, arguments: &[&[&Buffer]]) -> Error {
    /// XLA's words, for an argument that is only read and for one that is donated again.
    const GONE: [&str; 2] = ["deleted or donated", "Donation requested for invalid buffer"];
    let Failure::Status { message, .. } = &failure else { return failure.into_error(running()) };
    if !GONE.iter().any(|words| message.contains(words)) {
        return failure.into_error(running());
    }
    let gone = match arguments {
        [only] => only.iter().position(|buffer| buffer.is_deleted().unwrap_or(false)),
        _ => None,
    };
    let what = gone.map_or_else(|| "an argument".to_owned(), |index| format!("argument {index} for device 0"));
    Error::Donated { doing: running(), what }
}

fn running() -> String {
    "running a program".to_owned()
}

/// No callbacks, no launch number, donation as the program says.
fn execute_options() -> sys::PJRT_ExecuteOptions {
    sys::PJRT_ExecuteOptions {
        struct_size: size_of::<sys::PJRT_ExecuteOptions>(),
        extension_start: null_mut(),
        send_callbacks: null_mut(),
        recv_callbacks: null_mut(),
        num_send_ops: 0,
        num_recv_ops: 0,
        launch_id: 0,
        non_donatable_input_indices: null(),
        num_non_donatable_input_indices: 0,
        context: null_mut(),
        call_location: null(),
        num_tasks: 0,
        task_ids: null_mut(),
        incarnation_ids: null_mut(),
    }
}

/// A compiled program, on devices or (from a [`Topology`](crate::Topology)) for devices that are elsewhere.
pub struct CompiledProgram {
    executable: Owned<sys::PJRT_Executable>,
}

/// Memory that a program takes on each device, in bytes, as its compiler planned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompiledMemoryStats {
    /// Arguments.
    pub argument: u64,
    /// Outputs, with those that reuse an argument's memory.
    pub output: u64,
    /// The part of the outputs that reuses the memory of donated arguments.
    pub alias: u64,
    /// Temporaries, all live at some time during the run.
    pub temp: u64,
    /// Machine code.
    pub code: u64,
}

impl CompiledMemoryStats {
    /// What one run takes on each device: arguments, new outputs and temporaries.
    pub fn total(&self) -> u64 {
        (self.argument + self.output + self.temp + self.code).saturating_sub(self.alias)
    }
}

/// A program as the compiler left it.
#[derive(Clone, Debug)]
pub struct OptimizedProgram {
    /// The form of `code`: `hlo` or `hlo_with_config` (protocol buffers), or `mlir`.
    pub format: String,
    /// The program.
    pub code: Vec<u8>,
}

impl CompiledProgram {
    /// # Safety
    /// `executable` is null, or a live executable of this plugin that nobody else frees.
    pub(crate) unsafe fn new(api: Api, executable: *mut sys::PJRT_Executable) -> std::result::Result<Self, Failure> {
        // SAFETY: the caller vouches for it.
        Ok(CompiledProgram { executable: unsafe { Owned::new(api, executable) }? })
    }

    /// Memory that it takes on each device.
    ///
    /// # Errors
    /// The plugin does not count it.
    pub fn memory_stats(&self) -> Result<CompiledMemoryStats> {
        let args = sys::PJRT_Executable_GetCompiledMemoryStats_Args { executable: self.raw(), ..Call::new() };
        // SAFETY: the executable is alive.
        let args = unsafe { self.executable.api.call(args) }.doing(|| "reading a program's memory use".to_owned())?;
        let bytes = |count: i64| u64::try_from(count).unwrap_or(0);
        Ok(CompiledMemoryStats {
            argument: bytes(args.argument_size_in_bytes),
            output: bytes(args.output_size_in_bytes),
            alias: bytes(args.alias_size_in_bytes),
            temp: bytes(args.temp_size_in_bytes),
            code: bytes(args.generated_code_size_in_bytes),
        })
    }

    /// The machine program as the plugin writes it.
    ///
    /// # Errors
    /// The plugin cannot write its programs.
    pub fn serialize(&self) -> Result<Vec<u8>> {
        let args = sys::PJRT_Executable_Serialize_Args { executable: self.raw(), ..Call::new() };
        // SAFETY: the executable is alive; the bytes live until the deleter is called, which happens once.
        unsafe {
            let args = self.executable.api.call(args).doing(|| "serializing a compiled program".to_owned())?;
            let bytes = slice(args.serialized_bytes.cast::<u8>(), args.serialized_bytes_size).to_vec();
            if let Some(delete) = args.serialized_executable_deleter {
                delete(args.serialized_executable);
            }
            Ok(bytes)
        }
    }

    /// The program after the compiler's passes, for a look at fusions and collectives.
    ///
    /// # Errors
    /// The plugin cannot write it.
    pub fn optimized(&self) -> Result<OptimizedProgram> {
        let doing = || "reading an optimized program".to_owned();
        let api = self.executable.api;
        let mut program = sys::PJRT_Program {
            struct_size: size_of::<sys::PJRT_Program>(),
            extension_start: null_mut(),
            code: null_mut(),
            code_size: 0,
            format: null(),
            format_size: 0,
        };
        let args =
            |program| sys::PJRT_Executable_OptimizedProgram_Args { executable: self.raw(), program, ..Call::new() };
        // SAFETY: the executable is alive. Without memory for the code, this tells its size.
        unsafe { api.call(args(&raw mut program)) }.doing(doing)?;
        let mut code = vec![0; program.code_size];
        program.code = code.as_mut_ptr().cast::<c_char>();
        // SAFETY: as above, and `code` has the size that was asked for.
        unsafe { api.call(args(&raw mut program)) }.doing(doing)?;
        // SAFETY: the format is a string of the plugin's that lives as long as the executable.
        let format = unsafe { text(program.format, program.format_size) };
        Ok(OptimizedProgram { format, code })
    }

    fn raw(&self) -> *mut sys::PJRT_Executable {
        self.executable.raw()
    }
}

impl std::fmt::Debug for CompiledProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CompiledProgram")
    }
}
