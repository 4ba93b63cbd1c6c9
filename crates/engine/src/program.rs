//! A compiled program with a model's parameters as some of its arguments.

use graph::Program;
use runtime::{Buffer, CompileOptions, Executable};

use crate::Model;
use crate::error::Result;

/// Where an argument of a program comes from.
#[derive(Clone, Copy)]
enum Argument {
    /// The model's parameter at this position.
    Param(usize),
    /// The caller's input at this position.
    Input(usize),
}

/// A program whose arguments are a model's parameters and a few inputs.
pub(crate) struct ModelProgram {
    executable: Executable,
    arguments: Vec<Argument>,
}

impl ModelProgram {
    /// Compiles `program`; `inputs` names the arguments that [`ModelProgram::run`] is given, in that order.
    pub(crate) fn compile(model: &Model<'_>, program: &Program, inputs: &[&str]) -> Result<ModelProgram> {
        let executable = model.session().compile(&program.name, &program.text, &CompileOptions::default())?;
        let argument = |name: &str| match model.param_position(name) {
            Some(position) => Argument::Param(position),
            None => {
                let position = inputs.iter().position(|input| *input == name);
                Argument::Input(
                    position.expect("a program's arguments are the model's parameters and its named inputs"),
                )
            }
        };
        let arguments = program.inputs.iter().map(|input| argument(&input.name)).collect();
        Ok(ModelProgram { executable, arguments })
    }

    /// Starts the program. Inputs that it donates are consumed.
    pub(crate) fn run(&self, model: &Model<'_>, inputs: &[&Buffer]) -> Result<Vec<Buffer>> {
        let buffer = |argument: &Argument| match *argument {
            Argument::Param(position) => model.param(position),
            Argument::Input(position) => inputs[position],
        };
        let arguments: Vec<&Buffer> = self.arguments.iter().map(buffer).collect();
        Ok(self.executable.execute(&arguments).map_err(runtime::Error::from)?)
    }
}
