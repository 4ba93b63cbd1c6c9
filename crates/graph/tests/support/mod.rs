//! Runs graphs on the CPU.

use std::sync::OnceLock;

use graph::{HostTensor, Program};
use runtime::plugins::{Environment, Platform};
use runtime::{Buffer, CompileOptions, Executable, Session};

fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {})
            .unwrap_or_else(|error| panic!("{error}"))
    })
}

/// A compiled program.
pub(crate) struct Compiled {
    executable: Executable,
}

/// Compiles a program; a text that the compiler refuses is printed.
pub(crate) fn compile(program: &Program) -> Compiled {
    let executable = session().compile(&program.name, &program.text, &CompileOptions::default());
    Compiled { executable: executable.unwrap_or_else(|error| panic!("{error}\n{}", program.text)) }
}

impl Compiled {
    /// Runs the program.
    pub(crate) fn run(&self, inputs: &[HostTensor<'_>]) -> Vec<HostTensor<'static>> {
        let buffers: Vec<Buffer> = inputs.iter().map(|tensor| session().upload(tensor).unwrap()).collect();
        let outputs = self.executable.execute(&buffers.iter().collect::<Vec<_>>()).unwrap();
        outputs.iter().map(|buffer| session().download(buffer).unwrap()).collect()
    }
}
