//! Arrays on a device by name, and programs that find their arguments among them.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use graph::{HostTensor, Program, TensorType};
use pjrt::{Buffer, CompileOptions, ElementType, Executable};

use crate::session::element_type;
use crate::{Error, Result, Session};

/// A tensor on the device of a session.
#[derive(Debug)]
pub struct Array {
    buffer: Buffer,
    /// What the plugin says of it, once it is asked.
    form: OnceLock<Form>,
}

/// Element type and sizes, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    element: ElementType,
    dims: Vec<i64>,
}

impl From<&TensorType> for Form {
    fn from(ty: &TensorType) -> Form {
        let dims = ty.axes.iter().map(|axis| axis.size as i64).collect();
        Form { element: element_type(ty.dtype), dims }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.element, self.dims)
    }
}

impl Array {
    /// Its memory on the device.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    fn form(&self) -> Result<&Form> {
        if let Some(form) = self.form.get() {
            return Ok(form);
        }
        let form = Form { element: self.buffer.element_type()?, dims: self.buffer.dims()? };
        Ok(self.form.get_or_init(|| form))
    }
}

impl From<Buffer> for Array {
    fn from(buffer: Buffer) -> Array {
        Array { buffer, form: OnceLock::new() }
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
    arguments: Vec<BoundArgument>,
    /// By position: what a result is, and the place among its own arrays that it takes over with the memory of the argument there.
    results: Vec<(Form, Option<usize>)>,
}

/// An argument of a program.
struct BoundArgument {
    place: Place,
    /// For messages.
    name: String,
    form: Form,
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
        let mut results: Vec<_> = program.outputs.iter().map(|output| (Form::from(&output.ty), None)).collect();
        for input in &program.inputs {
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
                        results[result].1 = Some(place);
                    }
                    Place::Own(place)
                }
            };
            arguments.push(BoundArgument { place, name: input.name.clone(), form: Form::from(&input.ty) });
        }
        Ok(BoundProgram { label: program.name.clone(), executable, arguments, results })
    }

    /// Starts the program, with the arrays that it was compiled for. A result that takes over an argument's memory takes its place among
    /// `own`; gives the others in order, without waiting for them.
    ///
    /// # Errors
    /// A place is empty or its array of another type than the program's argument, or the device refuses the program. Then arguments that it
    /// consumes may be gone.
    pub fn run(&self, fixed: &Arrays, own: &mut Arrays) -> Result<Vec<Array>> {
        let array = |BoundArgument { place, name, form }: &BoundArgument| {
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
            Ok(array.buffer())
        };
        let arguments = self.arguments.iter().map(array).collect::<Result<Vec<_>>>()?;
        let outputs = self.executable.execute(&arguments)?;
        let mut others = Vec::new();
        for (buffer, (form, place)) in outputs.into_iter().zip(&self.results) {
            let array = Array { buffer, form: form.clone().into() };
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

fn argument_error(program: &str, name: &str, rule: String) -> Error {
    Error::Argument { program: program.to_owned(), name: name.to_owned(), rule }
}
