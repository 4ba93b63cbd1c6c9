//! Programs over tensors that the host holds.

use std::collections::HashMap;

use graph::{HostTensor, Program};
use runtime::{CompileOptions, Executable, Session};

/// Runs programs of one result, each compiled once.
pub(crate) struct HostPrograms<'s> {
    session: &'s Session,
    /// By their text.
    compiled: HashMap<String, Executable>,
}

impl<'s> HostPrograms<'s> {
    pub(crate) fn new(session: &'s Session) -> HostPrograms<'s> {
        HostPrograms { session, compiled: HashMap::new() }
    }

    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    /// The result of a program for these inputs.
    pub(crate) fn run(
        &mut self,
        program: &Program,
        inputs: &[&HostTensor<'_>],
    ) -> runtime::Result<HostTensor<'static>> {
        if !self.compiled.contains_key(&program.text) {
            let compiled = self.session.compile(&program.name, &program.text, &CompileOptions::default())?;
            self.compiled.insert(program.text.clone(), compiled);
        }
        let inputs = inputs.iter().map(|tensor| self.session.upload(tensor)).collect::<runtime::Result<Vec<_>>>()?;
        let arguments: Vec<_> = inputs.iter().collect();
        let outputs = self.compiled[&program.text].execute(&arguments)?;
        self.session.download(&outputs[0])
    }
}
