//! Arrays on a device by name, and programs that find their arguments among them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use graph::{HostTensor, Program, Sharding, TensorType};
use pjrt::{Buffer, Completion, ElementType, Executable};

use crate::session::element_type;
use crate::{Error, Result, Session};

/// A tensor on the first device of a session, or in parts on several, of which each process of a run holds those on its own devices.
#[derive(Debug)]
pub struct Array {
    /// One for each device of this process.
    parts: Vec<Buffer>,
    /// How it lies; `None` on one device.
    sharding: Option<Sharding>,
    /// What the plugin says of each part, once it is asked.
    form: OnceLock<Form>,
}

/// A part of a tensor in host memory.
#[derive(Clone, Debug, PartialEq)]
pub struct HostPart {
    /// Which elements along each dimension.
    pub ranges: Vec<Range<usize>>,
    /// These.
    pub tensor: HostTensor<'static>,
}

/// Element type and sizes, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    element: ElementType,
    dims: Vec<i64>,
}

impl Form {
    /// Of each part of a tensor.
    fn new(ty: &TensorType, sharding: Option<&Sharding>) -> Form {
        let part = sharding.map_or_else(|| ty.clone(), |sharding| sharding.part_type(ty));
        Form { element: element_type(ty.dtype), dims: part.axes.iter().map(|axis| axis.size as i64).collect() }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.element, self.dims)
    }
}

impl Array {
    /// One buffer for each device of this process that `sharding` says, in the order of the mesh.
    pub(crate) fn new(parts: Vec<Buffer>, sharding: Option<Sharding>) -> Array {
        Array { parts, sharding, form: OnceLock::new() }
    }

    /// Its memory on each device.
    pub(crate) fn parts(&self) -> &[Buffer] {
        &self.parts
    }

    /// Waits for it.
    ///
    /// # Errors
    /// What was to compute it failed.
    pub fn wait(&self) -> Result<()> {
        self.parts.iter().try_for_each(|part| Ok(part.wait()?))
    }

    /// Has the moment noted at which its first part of this process is computed.
    ///
    /// # Errors
    /// It was consumed by a program, or the plugin does not tell of such moments.
    pub fn completion(&self) -> Result<Completion> {
        Ok(self.parts[0].completion()?)
    }

    /// Waits for it and copies it to the host.
    ///
    /// # Errors
    /// It was consumed by a program, what was to compute it failed, or other processes hold parts of it.
    pub fn download(&self, session: &Session) -> Result<HostTensor<'static>> {
        let Some(sharding) = &self.sharding else { return session.download(&self.parts[0]) };
        let held = self.held(session, sharding)?;
        let distinct: BTreeMap<usize, &Buffer> =
            held.map(|(place, part)| (sharding.first_with_part_of(place), part)).collect();
        if distinct.len() < sharding.part_count() {
            return Err(Error::Elsewhere { parts: sharding.part_count(), here: distinct.len() });
        }
        let part = |(place, part)| Ok((place, session.download(part)?));
        Ok(sharding.join(distinct.into_iter().map(part).collect::<Result<_>>()?))
    }

    /// Waits for it and copies its parts to the host, each from the first of all processes' devices that hold it: where that is another
    /// process's, it is not among them.
    ///
    /// # Errors
    /// It was consumed by a program, or what was to compute it failed.
    pub fn download_parts(&self, session: &Session) -> Result<Vec<HostPart>> {
        let Some(sharding) = &self.sharding else {
            let tensor = session.download(&self.parts[0])?;
            return Ok(vec![HostPart { ranges: tensor.shape().iter().map(|size| 0..*size).collect(), tensor }]);
        };
        let own = self.held(session, sharding)?.filter(|(place, _)| sharding.first_with_part_of(*place) == *place);
        let part = |(place, part): (usize, &Buffer)| {
            let tensor = session.download(part)?;
            Ok(HostPart { ranges: sharding.part(&sharding.whole_shape(tensor.shape()), place), tensor })
        };
        own.map(part).collect()
    }

    /// The parts that this process holds, each with the place of its device in the mesh.
    fn held<'a>(
        &'a self,
        session: &'a Session,
        sharding: &Sharding,
    ) -> Result<impl Iterator<Item = (usize, &'a Buffer)>> {
        Ok(session.places(sharding.mesh().device_count())?.iter().copied().zip(&self.parts))
    }

    fn form(&self) -> Result<&Form> {
        if let Some(form) = self.form.get() {
            return Ok(form);
        }
        let form = Form { element: self.parts[0].element_type()?, dims: self.parts[0].dims()? };
        Ok(self.form.get_or_init(|| form))
    }
}

impl From<Buffer> for Array {
    fn from(buffer: Buffer) -> Array {
        Array::new(vec![buffer], None)
    }
}

/// Arrays by name. A name keeps its place for good, so that programs look it up once.
#[derive(Debug, Default)]
pub struct Arrays {
    places: HashMap<String, usize>,
    arrays: Vec<Option<Array>>,
    /// How a program takes the array of that name, where it runs on several devices.
    shardings: HashMap<String, Sharding>,
}

impl Arrays {
    /// None yet.
    pub fn new() -> Arrays {
        Arrays::default()
    }

    /// Sets the array of a name.
    pub fn insert(&mut self, name: &str, array: impl Into<Array>) {
        let place = self.place(name);
        self.arrays[place] = Some(array.into());
    }

    /// Copies a tensor to the device, to be the array of a name; in parts to several, as the program takes it that was bound last of those that do.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn upload(&mut self, session: &Session, name: &str, tensor: &HostTensor<'_>) -> Result<()> {
        let array = session.upload_parts(tensor, self.shardings.get(name))?;
        self.insert(name, array);
        Ok(())
    }

    /// The array of a name, unless there is none.
    pub fn get(&self, name: &str) -> Option<&Array> {
        self.arrays[*self.places.get(name)?].as_ref()
    }

    /// Frees the array of a name.
    pub fn remove(&mut self, name: &str) {
        if let Some(place) = self.places.get(name) {
            self.arrays[*place] = None;
        }
    }

    /// Gives the array of one name to another, in place of that one's.
    pub fn rename(&mut self, from: &str, to: &str) {
        let [from, to] = [from, to].map(|name| self.place(name));
        self.arrays[to] = self.arrays[from].take();
    }

    /// Whether the name has a place, with an array or without.
    pub fn knows(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Gives a name a place, without an array yet.
    pub fn expect(&mut self, name: &str) {
        self.place(name);
    }

    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.arrays.len();
        self.places.insert(name.to_owned(), place);
        self.arrays.push(None);
        place
    }
}

/// Where an argument of a program is found.
#[derive(Clone, Copy, Debug)]
enum Place {
    Fixed(usize),
    Own(usize),
}

/// A compiled program and the places of its arguments among named arrays: some that it only reads, and its own.
pub struct BoundProgram {
    label: String,
    executable: Executable,
    arguments: Vec<BoundArgument>,
    results: Vec<BoundResult>,
}

/// A result of a program.
struct BoundResult {
    form: Form,
    sharding: Option<Sharding>,
    /// The place among its own arrays that it takes over with the memory of the argument there.
    place: Option<usize>,
}

/// An argument of a program.
struct BoundArgument {
    place: Place,
    /// For messages.
    name: String,
    form: Form,
    sharding: Option<Sharding>,
}

/// A compiled program whose arguments have no places yet: for programs that several threads compile at once.
pub struct CompiledProgram {
    program: Program,
    executable: Executable,
}

impl CompiledProgram {
    /// Compiles `program`.
    ///
    /// # Errors
    /// The compiler refuses it.
    pub fn compile(session: &Session, program: Program) -> Result<CompiledProgram> {
        let executable = session.compile_program(&program)?;
        Ok(CompiledProgram { program, executable })
    }

    /// Gives its arguments places, as [`BoundProgram::compile`] does.
    ///
    /// # Errors
    /// It consumes an argument that is fixed.
    pub fn bind(self, fixed: &Arrays, own: &mut Arrays) -> Result<BoundProgram> {
        BoundProgram::of(self.executable, &self.program, fixed, own)
    }
}

impl BoundProgram {
    /// Compiles `program`. Arguments are those of `own` where it knows their names, else of `fixed`; `own` gets a place for each that neither
    /// knows.
    ///
    /// # Errors
    /// The compiler refuses the program, or it consumes an argument that is fixed.
    pub fn compile(session: &Session, program: &Program, fixed: &Arrays, own: &mut Arrays) -> Result<BoundProgram> {
        BoundProgram::of(session.compile_program(program)?, program, fixed, own)
    }

    fn of(executable: Executable, program: &Program, fixed: &Arrays, own: &mut Arrays) -> Result<BoundProgram> {
        let mut arguments = Vec::new();
        let result = |output: &graph::ProgramOutput| {
            let sharding = output.sharding.clone();
            BoundResult { form: Form::new(&output.ty, sharding.as_ref()), sharding, place: None }
        };
        let mut results: Vec<_> = program.outputs.iter().map(result).collect();
        for input in &program.inputs {
            if let Some(sharding) = &input.sharding {
                own.shardings.insert(input.name.clone(), sharding.clone());
            }
            let in_fixed = fixed.places.get(&input.name).filter(|_| !own.knows(&input.name));
            let place = match (in_fixed, input.donated_to) {
                (Some(place), None) => Place::Fixed(*place),
                (Some(_), Some(_)) => {
                    let rule =
                        "a result takes over its memory: it belongs among the program's own arrays, not the fixed ones";
                    return Err(argument_error(&program.name, &input.name, rule.to_owned()));
                }
                (None, donated_to) => {
                    let place = own.place(&input.name);
                    if let Some(result) = donated_to {
                        results[result].place = Some(place);
                    }
                    Place::Own(place)
                }
            };
            arguments.push(BoundArgument {
                place,
                name: input.name.clone(),
                form: Form::new(&input.ty, input.sharding.as_ref()),
                sharding: input.sharding.clone(),
            });
        }
        Ok(BoundProgram { label: program.name.clone(), executable, arguments, results })
    }

    /// As [`Arrays::upload`], for this program: where others take an array of that name too, of which other sizes divide over the devices.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn upload(&self, session: &Session, own: &mut Arrays, name: &str, tensor: &HostTensor<'_>) -> Result<()> {
        let argument = self.arguments.iter().find(|argument| argument.name == name);
        let array = session.upload_parts(tensor, argument.and_then(|argument| argument.sharding.as_ref()))?;
        own.insert(name, array);
        Ok(())
    }

    /// Starts the program, with the arrays that it was compiled for. A result that takes over an argument's memory takes its place among
    /// `own`; gives the others in order, without waiting for them.
    ///
    /// # Errors
    /// A place is empty or its array of another type than the program's argument, or the device refuses the program. Then arguments that it
    /// consumes may be gone.
    pub fn run(&self, fixed: &Arrays, own: &mut Arrays) -> Result<Vec<Array>> {
        let array = |BoundArgument { place, name, form, sharding }: &BoundArgument| {
            let array = match *place {
                Place::Fixed(place) => &fixed.arrays[place],
                Place::Own(place) => &own.arrays[place],
            };
            let error = |rule: String| argument_error(&self.label, name, rule);
            let array = array.as_ref().ok_or_else(|| error("there is no array of this name".into()))?;
            let found = array.form()?;
            if found != form {
                // A plugin compares numbers of bytes at most.
                return Err(error(format!("it should be {form}, but the array of this name is {found}")));
            }
            if array.sharding != *sharding {
                return Err(error("the array of this name lies otherwise on the devices than it should".into()));
            }
            Ok(array.parts())
        };
        let arguments = self.arguments.iter().map(array).collect::<Result<Vec<_>>>()?;
        let outputs = run_on_all(&self.executable, &arguments)?;
        let mut others = Vec::new();
        for (parts, BoundResult { form, sharding, place }) in outputs.into_iter().zip(&self.results) {
            let array = Array { parts, sharding: sharding.clone(), form: form.clone().into() };
            match place {
                Some(place) => own.arrays[*place] = Some(array),
                None => others.push(array),
            }
        }
        Ok(others)
    }

    /// The compiled program, for its memory statistics.
    pub fn executable(&self) -> &Executable {
        &self.executable
    }
}

/// Runs a program on all its devices; arguments and results are in parts, one for each device of this process.
pub(crate) fn run_on_all(executable: &Executable, arguments: &[&[Buffer]]) -> Result<Vec<Vec<Buffer>>> {
    let devices = executable.num_devices();
    let of_device = |device: usize| arguments.iter().map(|parts| &parts[device]).collect();
    let outputs = executable.execute_sharded(&(0..devices).map(of_device).collect::<Vec<_>>())?;
    let mut results: Vec<Vec<Buffer>> = (0..executable.num_outputs()).map(|_| Vec::with_capacity(devices)).collect();
    for device in outputs {
        for (parts, buffer) in results.iter_mut().zip(device) {
            parts.push(buffer);
        }
    }
    Ok(results)
}

fn argument_error(program: &str, name: &str, rule: String) -> Error {
    Error::Argument { program: program.to_owned(), name: name.to_owned(), rule }
}
