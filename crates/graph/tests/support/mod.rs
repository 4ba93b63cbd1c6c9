//! Runs graphs on the CPU plugin.

use std::sync::OnceLock;

use graph::{DType, HostTensor, Program};
use pjrt::{Client, CompileOptions, ElementType, Plugin};

fn client() -> &'static Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let path = std::env::var("FINERY_PLUGIN").expect("FINERY_PLUGIN");
        Client::new(&Plugin::load(path).expect("plugin"), &[]).expect("client")
    })
}

/// A compiled program.
pub(crate) struct Compiled<'p> {
    program: &'p Program,
    executable: pjrt::Executable,
}

/// Compiles a program; a text that the compiler refuses is printed.
pub(crate) fn compile(program: &Program) -> Compiled<'_> {
    let executable = client().compile(&program.text, &CompileOptions::default());
    Compiled { program, executable: executable.unwrap_or_else(|error| panic!("{error}\n{}", program.text)) }
}

impl Compiled<'_> {
    /// Runs the program.
    pub(crate) fn run(&self, inputs: &[HostTensor<'_>]) -> Vec<HostTensor<'static>> {
        let device = client().devices().expect("devices").remove(0);
        let upload = |tensor: &HostTensor<'_>| {
            let dims: Vec<i64> = tensor.shape().iter().map(|d| *d as i64).collect();
            client().upload(tensor.bytes(), element(tensor.dtype()), &dims, &device).expect("upload")
        };
        let buffers: Vec<_> = inputs.iter().map(upload).collect();
        let outputs = self.executable.execute(&buffers.iter().collect::<Vec<_>>()).expect("execute");
        let download = |(buffer, output): (&pjrt::Buffer, &graph::ProgramOutput)| {
            let bytes = buffer.download().expect("download");
            HostTensor::new(output.ty.dtype, &output.ty.shape(), bytes).expect("size")
        };
        outputs.iter().zip(&self.program.outputs).map(download).collect()
    }
}

fn element(dtype: DType) -> ElementType {
    match dtype {
        DType::Bool => ElementType::Pred,
        DType::U8 => ElementType::U8,
        DType::U32 => ElementType::U32,
        DType::I32 => ElementType::S32,
        DType::I64 => ElementType::S64,
        DType::BF16 => ElementType::BF16,
        DType::F16 => ElementType::F16,
        DType::F32 => ElementType::F32,
        DType::F64 => ElementType::F64,
    }
}
