//! Arrays on a device by name, and programs that find their arguments among them.

use std::collections::HashMap;

use graph::{HostTensor, Program};
use pjrt::{Buffer, CompileOptions, Executable};

use crate::{Error, Result, Session};

/// A tensor on the device of a session.
#[derive(Debug)]
pub struct Array {
    buffer: Buffer,
}

impl Array {
    /// Its memory on the device.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}

impl From<Buffer> for Array {
    fn from(buffer: Buffer) -> Array {
        Array { buffer }
    }
}

/// Arrays by name. A name keeps its place for good, so that programs look it up once.
#[derive(Debug, Default)]
pub struct Arrays {
    places: HashMap<String, usize>,
    arrays: Vec<Option<Array>>,
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

    /// Copies a tensor to the device, to be the array of a name.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn upload(&mut self, session: &Session, name: &str, tensor: &HostTensor<'_>) -> Result<()> {
        self.insert(name, session.upload(tensor)?);
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
    /// By position, with the argument's name for messages.
    arguments: Vec<(Place, String)>,
    /// By position: the place among its own arrays that a result takes over with the memory of the argument there.
    results: Vec<Option<usize>>,
}

impl BoundProgram {
    /// Compiles `program`. Arguments are those of `own` where it knows their names, else of `fixed`; `own` gets a place for each that neither
    /// knows.
    ///
    /// # Errors
    /// The compiler refuses the program, or it consumes an argument that is fixed.
    pub fn compile(session: &Session, program: &Program, fixed: &Arrays, own: &mut Arrays) -> Result<BoundProgram> {
        let executable = session.compile(&program.name, &program.text, &CompileOptions::default())?;
        let mut arguments = Vec::new();
        let mut results = vec![None; program.outputs.len()];
        for input in &program.inputs {
            let in_fixed = fixed.places.get(&input.name).filter(|_| !own.knows(&input.name));
            let place = match (in_fixed, input.donated_to) {
                (Some(place), None) => Place::Fixed(*place),
                (Some(_), Some(_)) => {
                    return Err(argument_error(&program.name, &input.name, "it is consumed, but it is fixed"));
                }
                (None, donated_to) => {
                    let place = own.place(&input.name);
                    if let Some(result) = donated_to {
                        results[result] = Some(place);
                    }
                    Place::Own(place)
                }
            };
            arguments.push((place, input.name.clone()));
        }
        Ok(BoundProgram { label: program.name.clone(), executable, arguments, results })
    }

    /// Starts the program, with the arrays that it was compiled for. A result that takes over an argument's memory takes its place among
    /// `own`; gives the others in order, without waiting for them.
    ///
    /// # Errors
    /// A place is empty, or the device refuses the program. Then arguments that it consumes may be gone.
    pub fn run(&self, fixed: &Arrays, own: &mut Arrays) -> Result<Vec<Array>> {
        let array = |(place, name): &(Place, String)| {
            let array = match *place {
                Place::Fixed(place) => &fixed.arrays[place],
                Place::Own(place) => &own.arrays[place],
            };
            array
                .as_ref()
                .map(Array::buffer)
                .ok_or_else(|| argument_error(&self.label, name, "there is no array of this name"))
        };
        let arguments = self.arguments.iter().map(array).collect::<Result<Vec<_>>>()?;
        let outputs = self.executable.execute(&arguments)?;
        let mut others = Vec::new();
        for (output, place) in outputs.into_iter().zip(&self.results) {
            match place {
                Some(place) => own.arrays[*place] = Some(output.into()),
                None => others.push(output.into()),
            }
        }
        Ok(others)
    }

    /// The compiled program, for its memory statistics.
    pub fn executable(&self) -> &Executable {
        &self.executable
    }
}

fn argument_error(program: &str, name: &str, rule: &'static str) -> Error {
    Error::Argument { program: program.to_owned(), name: name.to_owned(), rule }
}
