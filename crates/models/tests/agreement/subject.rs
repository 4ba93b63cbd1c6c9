//! Traces, runs and compares models on the CPU plugin.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use checkpoint::{ModelSource, SafetensorsFile};
use graph::{Axis, DType, Graph, HostTensor, Init, Output, ParamArray, ParamSpec, Program, Tensor};
use models::{Gpu, LanguageModel, LayerLoop, Lora, Outputs, Precision, Products, Scope, Tokens, next_token_loss};
use runtime::plugins::{Environment, Platform};
use runtime::{CompileOptions, Session};

/// The bound of every comparison with transformers, in f32. The oracles are exact, and numbers are of order one.
pub(crate) const TOLERANCE: f32 = 1e-4;

pub(crate) fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

pub(crate) fn cpu() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("the CPU plugin starts")
    })
}

/// The kind of GPU whose tiles this one has room for. Those of AMD's are small enough for any.
pub(crate) fn tiles(session: &Session) -> Gpu {
    match session.hardware().expect("a GPU tells what it is").compute_capability {
        Some((9, _)) => Gpu::Hopper,
        _ => Gpu::Nvidia,
    }
}

/// A model folder, perhaps with an adapter, and its tensors by name.
pub(crate) struct Subject {
    pub(crate) model: LanguageModel,
    pub(crate) lora: Option<Lora>,
    /// Element type of the computation; the values are f32.
    pub(crate) compute: DType,
    /// In which its layers multiply with their weights.
    pub(crate) products: Products,
    pub(crate) layers: LayerLoop,
    pub(crate) values: BTreeMap<String, Vec<f32>>,
}

impl Subject {
    pub(crate) fn open(model: &str, adapter: Option<&str>) -> Subject {
        let source = peft::parted(ModelSource::open(fixture(model), adapter.map(fixture).as_deref()).unwrap());
        let model = LanguageModel::from_json(source.model().config()).unwrap();
        let lora = source.adapter().map(|adapter| peft::lora(adapter.config(), &model).unwrap());
        let model = model.beside(lora.as_ref());
        let specs = model.params(Precision::uniform(DType::F32), lora.as_ref()).unwrap();
        source.check(&specs).unwrap();
        let names = specs.iter().flat_map(ParamSpec::checkpoint_names);
        let values = names.map(|name| (name.clone(), source.tensor(&name).unwrap().to_f32())).collect();
        Subject {
            model,
            lora,
            compute: DType::F32,
            products: Products::AsComputed,
            layers: LayerLoop::Unrolled,
            values,
        }
    }

    /// A model without files, whose parameters look random.
    pub(crate) fn drawn(model: LanguageModel) -> Subject {
        let specs = model.params(Precision::uniform(DType::F32), None).unwrap();
        let mut state = 1u64;
        let mut draw = |spec: &ParamSpec| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
            match spec.init {
                Init::Ones => 1.0 + 0.2 * unit,
                Init::Zeros => 0.1 * unit,
                // As wide as normal numbers of this deviation.
                Init::Normal(deviation) => 3f32.sqrt() * deviation as f32 * unit,
                Init::Uniform(bound) => bound as f32 * unit,
                Init::Constant(value) => value as f32,
                Init::LogCount => 1.0 + unit,
                Init::SoftplusInverse { low, .. } => low.ln() as f32 + unit,
            }
        };
        let named = specs.iter().flat_map(|spec| spec.checkpoint_names().into_iter().map(move |name| (name, spec)));
        let count = |spec: &ParamSpec| spec.checkpoint_shape().iter().product::<usize>();
        let values = named.map(|(name, spec)| (name, (0..count(spec)).map(|_| draw(spec)).collect())).collect();
        Subject {
            values,
            model,
            lora: None,
            compute: DType::F32,
            products: Products::AsComputed,
            layers: LayerLoop::Unrolled,
        }
    }

    /// Logits and mean loss of `tokens`, and the gradients of the loss by the checkpoint's names: of the adapter if there is one, else
    /// of all parameters.
    pub(crate) fn run(&self, tokens: &Batch) -> Results {
        self.run_on(cpu(), tokens)
    }

    /// The same on another device.
    pub(crate) fn run_on(&self, session: &Session, tokens: &Batch) -> Results {
        let graph = Graph::new();
        let axes = tokens.axes();
        let targets = graph.input("targets", DType::I32, &axes);
        let weights = graph.input("weights", DType::F32, &axes);
        let Outputs { logits, auxiliary_loss } = self.outputs(&graph, tokens);
        let loss = next_token_loss(logits, targets, weights) / weights.sum_all();
        let objective = auxiliary_loss.map_or(loss, |auxiliary| loss + auxiliary);
        let trained: Vec<(ParamSpec, Tensor<'_>)> = graph
            .params()
            .into_iter()
            .filter(|(spec, _)| self.lora.is_none() || self.lora.as_ref().is_some_and(|lora| lora.owns(spec)))
            .collect();
        let wrt: Vec<Tensor<'_>> = trained.iter().map(|(_, tensor)| *tensor).collect();
        let gradients = graph.grad(objective, &wrt);
        let named = trained.iter().zip(&gradients);
        let named = named.map(|((spec, _), tensor)| Output { name: &spec.name, stack: &spec.stack, tensor: *tensor });
        let zero = graph.constant(0.0, DType::F32);
        let first = [("logits", logits), ("loss", loss), ("auxiliary_loss", auxiliary_loss.unwrap_or(zero))];
        let outputs: Vec<Output<'_, '_>> = first.map(Output::from).into_iter().chain(named).collect();
        let program = graph.lower_unrolled("parity", &outputs, &[], self.layers.unrolled()).unwrap();
        let arrays = self.arrays(&graph);
        let mut values = self.execute(session, &program, &arrays, tokens).into_iter();
        let (logits, loss, auxiliary_loss) =
            (values.next().unwrap(), values.next().unwrap()[0], values.next().unwrap()[0]);
        let gradients = program.outputs[first.len()..].iter().zip(values).flat_map(|(output, stacked)| {
            let names = arrays[&output.name].checkpoint_names.clone();
            let layers: Vec<Vec<f32>> = stacked.chunks(stacked.len() / names.len()).map(<[f32]>::to_vec).collect();
            names.into_iter().zip(layers)
        });
        Results { logits, loss, auxiliary_loss, gradients: gradients.collect() }
    }

    /// The logits alone, from a program without gradients, which a compiler fuses in another way.
    pub(crate) fn logits_on(&self, session: &Session, tokens: &Batch) -> Vec<f32> {
        let graph = Graph::new();
        let logits = self.outputs(&graph, tokens).logits;
        let program = graph.lower_unrolled("logits", &[("logits", logits)], &[], self.layers.unrolled()).unwrap();
        self.execute(session, &program, &self.arrays(&graph), tokens).remove(0)
    }

    fn outputs<'g>(&self, graph: &'g Graph, tokens: &Batch) -> Outputs<'g> {
        let precision = Precision { compute: self.compute, products: self.products, ..Precision::uniform(DType::F32) };
        let scope = Scope::root(graph, precision, self.lora.clone());
        let axes = tokens.axes();
        let input = |name: &str| graph.input(name, DType::I32, &axes);
        let (ids, positions) = (input("ids"), input("positions"));
        let segments = tokens.segments.as_ref().map(|_| input("segments"));
        let lengths = tokens.lengths.as_ref().map(|_| graph.input("lengths", DType::I32, &axes[..1]));
        self.model.outputs(&scope, Tokens { ids, positions, segments, lengths })
    }

    /// By their names as inputs of a program.
    fn arrays(&self, graph: &Graph) -> BTreeMap<String, ParamArray> {
        let unrolled = self.layers.unrolled();
        graph.params().iter().flat_map(|(spec, _)| spec.arrays(unrolled)).map(|x| (x.name.clone(), x)).collect()
    }

    fn execute(
        &self,
        session: &Session,
        program: &Program,
        arrays: &BTreeMap<String, ParamArray>,
        tokens: &Batch,
    ) -> Vec<Vec<f32>> {
        let executable = session.compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
        let shape = [tokens.rows, tokens.positions];
        let argument = |input: &graph::ProgramInput| {
            let ids = |values: &[i32]| HostTensor::from_vec(&shape, values.to_vec()).unwrap();
            let tensor = match input.name.as_str() {
                "ids" => ids(&tokens.ids),
                "targets" => ids(&tokens.targets),
                "positions" => ids(&tokens.position_ids),
                "segments" => ids(tokens.segments.as_ref().unwrap()),
                "lengths" => HostTensor::from_vec(&[tokens.rows], tokens.lengths.clone().unwrap()).unwrap(),
                "weights" => HostTensor::from_vec(&shape, tokens.weights.clone()).unwrap(),
                name => {
                    let tensors = arrays[name].checkpoint_names.iter().map(|name| self.values[name].clone());
                    HostTensor::from_vec(&input.ty.shape(), tensors.collect::<Vec<_>>().concat()).unwrap()
                }
            };
            session.upload(&tensor).unwrap()
        };
        let arguments: Vec<_> = program.inputs.iter().map(argument).collect();
        let outputs = executable.execute(&arguments.iter().collect::<Vec<_>>()).unwrap();
        outputs.iter().map(|buffer| session.download(buffer).unwrap().to_f32()).collect()
    }
}

/// What a model made of some tokens.
pub(crate) struct Results {
    pub(crate) logits: Vec<f32>,
    pub(crate) loss: f32,
    /// 0 where the model has none.
    pub(crate) auxiliary_loss: f32,
    pub(crate) gradients: BTreeMap<String, Vec<f32>>,
}

/// Tokens with their targets: (rows, positions) each.
pub(crate) struct Batch {
    pub(crate) rows: usize,
    pub(crate) positions: usize,
    pub(crate) ids: Vec<i32>,
    pub(crate) targets: Vec<i32>,
    pub(crate) weights: Vec<f32>,
    pub(crate) position_ids: Vec<i32>,
    pub(crate) segments: Option<Vec<i32>>,
    /// How many tokens of each row are no padding.
    pub(crate) lengths: Option<Vec<i32>>,
}

impl Batch {
    /// The inputs of an oracle. transformers' labels are not shifted: position t is to predict `labels[t + 1]`, unless that is -100.
    pub(crate) fn of(oracle: &Oracle) -> Batch {
        let ids = oracle.ids("input_ids").expect("every oracle has input_ids");
        let [rows, positions] = oracle.shape("input_ids").try_into().unwrap();
        let labels = oracle.ids("labels").unwrap();
        let shifted = labels.chunks(positions).flat_map(|row| row[1..].iter().copied().chain([-100]));
        let (targets, weights) = shifted.map(|label| (label.max(0), if label < 0 { 0.0 } else { 1.0 })).unzip();
        let counted = (0..rows).flat_map(|_| 0..positions as i32).collect();
        let position_ids = oracle.ids("position_ids").unwrap_or(counted);
        let (segments, lengths) = (oracle.ids("document_ids"), oracle.ids("lengths"));
        Batch { rows, positions, ids, targets, weights, position_ids, segments, lengths }
    }
}

impl Batch {
    fn axes(&self) -> [Axis; 2] {
        [Axis::new("batch", self.rows), Axis::new("position", self.positions)]
    }

    /// The rows one behind the other as the documents of a single row, with padding behind them.
    pub(crate) fn packed(&self) -> Batch {
        const PADDING: usize = 5;
        let padded = |values: &[i32]| values.iter().copied().chain([0; PADDING]).collect::<Vec<i32>>();
        let segments = (0..self.ids.len()).map(|at| (at / self.positions) as i32 + 1).chain([0; PADDING]);
        Batch {
            rows: 1,
            positions: self.ids.len() + PADDING,
            ids: padded(&self.ids),
            targets: padded(&self.targets),
            weights: self.weights.iter().copied().chain([0.0; PADDING]).collect(),
            position_ids: padded(&self.position_ids),
            segments: Some(segments.collect()),
            lengths: None,
        }
    }

    /// The first tokens of the first row.
    pub(crate) fn first(&self, count: usize) -> Batch {
        Batch {
            rows: 1,
            positions: count,
            ids: self.ids[..count].to_vec(),
            targets: self.targets[..count].to_vec(),
            weights: self.weights[..count].to_vec(),
            position_ids: self.position_ids[..count].to_vec(),
            segments: None,
            lengths: None,
        }
    }

    /// Two single rows as the documents of one.
    pub(crate) fn followed_by(&self, other: &Batch) -> Batch {
        let segments = [vec![1; self.positions], vec![2; other.positions]].concat();
        Batch {
            rows: 1,
            positions: self.positions + other.positions,
            ids: [&self.ids[..], &other.ids].concat(),
            targets: [&self.targets[..], &other.targets].concat(),
            weights: [&self.weights[..], &other.weights].concat(),
            position_ids: [&self.position_ids[..], &other.position_ids].concat(),
            segments: Some(segments),
            lengths: None,
        }
    }
}

/// A file of what transformers computed.
pub(crate) struct Oracle(SafetensorsFile);

impl Oracle {
    pub(crate) fn open(path: &str) -> Oracle {
        let unmade =
            |error| panic!("{error}; scripts/fixtures/zoo.py, llama.py or lora.py writes it, if it runs to its end");
        Oracle(SafetensorsFile::open(fixture(path)).unwrap_or_else(unmade))
    }

    fn shape(&self, name: &str) -> Vec<usize> {
        self.0.shape(name).unwrap().to_vec()
    }

    pub(crate) fn ids(&self, name: &str) -> Option<Vec<i32>> {
        self.0.shape(name)?;
        Some(self.0.tensor(name).unwrap().to_vec::<i32>().unwrap())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.shape(name).is_some()
    }

    pub(crate) fn floats(&self, name: &str) -> Vec<f32> {
        self.0.tensor(name).unwrap().to_f32()
    }

    /// The gradients, by the name of the tensor.
    pub(crate) fn gradients(&self) -> BTreeMap<String, Vec<f32>> {
        let named = self.0.names().filter_map(|name| Some((name.strip_prefix("grad.")?.to_owned(), self.floats(name))));
        named.collect()
    }
}

/// How far `found` is from `expected`, as a part of the norm of `expected`; NaN if there is one.
#[track_caller]
pub(crate) fn relative_distance(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let whole = norm(&mut expected.iter().map(|x| f64::from(*x)));
    let off = norm(&mut found.iter().zip(expected).map(|(a, b)| f64::from(*a) - f64::from(*b)));
    if off == 0.0 { 0.0 } else { off / whole }
}

/// The greatest difference of two lists of numbers, which have to be as long as each other; NaN if there is one.
#[track_caller]
pub(crate) fn difference(found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp).unwrap()
}
