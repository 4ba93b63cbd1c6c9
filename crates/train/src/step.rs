//! The training step as one program: forward, backward, accumulation, clipping, update.

use graph::{Axis, DType, Float8, Graph, GraphError, Init, ParamSpec, Partition, Program, RandomKey, Remat, Tensor};
use models::{Anatomy, LanguageModel, LayerLoop, Lora, LossForm, Precision, Products, Scope, Tokens};

use crate::optimizer::{Optimizer, State, clip};

mod scalars;

pub use scalars::StepOutcome;
pub(crate) use scalars::{STEP_SCALARS, step_scalars};
use scalars::{StepScalars, outcome};

/// What a training step computes.
#[derive(Clone, Debug)]
pub struct StepPlan {
    /// The model.
    pub model: LanguageModel,
    /// In which forward and backward pass compute. What is trained is held in f32, and what is frozen in this.
    pub compute: DType,
    /// In which 8-bit floats layers multiply with their weights; `None`: in `compute`.
    pub products: Option<Float8>,
    /// Adapters beside the model.
    pub lora: Option<Lora>,
    /// What is trained.
    pub trained: Trained,
    /// How it is updated.
    pub optimizer: Optimizer,
    /// Gradients are scaled so that their global norm is at most this; `None` does not clip.
    pub max_grad_norm: Option<f64>,
    /// What is minimised, and how it is computed.
    pub loss: LossForm,
    /// Shape of the data.
    pub batch: BatchShape,
    /// How the loop over layers is lowered.
    pub layers: LayerLoop,
    /// How tensors lie on several devices; `None`: there is one.
    pub partition: Option<Partition>,
}

/// Which parameters are trained; the others are frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trained {
    /// All: the model's own, and its adapters' if it has any.
    All,
    /// Its adapters'.
    Adapters,
}

impl Trained {
    /// Whether a parameter is trained that is an adapter's, or is the model's own.
    pub(crate) fn includes(self, is_adapter: bool) -> bool {
        match self {
            Trained::All => true,
            Trained::Adapters => is_adapter,
        }
    }
}

/// The shape of a step's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchShape {
    /// Micro-batches whose gradients are summed before an update.
    pub accumulation: usize,
    /// Rows of a micro-batch.
    pub rows: usize,
    /// Tokens of a row.
    pub positions: usize,
    /// Whether rows hold several documents, so that positions and segments come with the tokens.
    pub packed: bool,
}

impl BatchShape {
    /// Tokens of one step, padding included.
    pub fn tokens(&self) -> usize {
        self.accumulation * self.rows * self.positions
    }
}

/// A step's program and where things stand among its arguments and results.
///
/// Arguments: the data, the step's numbers, the parameters in order of declaration, and what the optimizer remembers of those that are
/// trained; their names find them. Results: for each trained parameter its new value and what the optimizer remembers of it, then the
/// outcome.
#[derive(Clone, Debug)]
pub struct StepProgram {
    /// The program.
    pub program: Program,
    /// All parameters, in order of declaration.
    pub params: Vec<ParamSpec>,
    /// Which of them are trained, by position in `params`.
    pub trained: Vec<usize>,
}

/// A tensor of the state: an argument, and the result that takes its place.
struct Replaced<'g> {
    name: String,
    before: Tensor<'g>,
    after: Tensor<'g>,
}

/// How many numbers of a loss are reported.
const REPORTED: usize = 3;

/// What a micro-batch adds to a step's loss.
struct Loss<'g> {
    /// What is reported: its summed cross-entropy over the step's number of target tokens, and what z-loss and the model's routers add to that.
    reported: [Tensor<'g>; REPORTED],
    /// Their sum: what is minimised.
    objective: Tensor<'g>,
}

/// What the micro-batches of a step have shares in.
#[derive(Clone, Copy)]
struct Whole<'g> {
    /// Its target tokens.
    targets: Tensor<'g>,
    /// Its micro-batches that hold tokens: a run's last step may not fill all.
    micro_batches: Tensor<'g>,
}

/// The data of one step as the program takes it, each (accumulation, rows, positions), or of one of its micro-batches, each
/// (rows, positions).
struct Data<'g> {
    tokens: Tensor<'g>,
    targets: Tensor<'g>,
    weights: Tensor<'g>,
    layout: Layout<'g>,
}

/// Where the documents of rows stand.
#[derive(Clone, Copy)]
enum Layout<'g> {
    /// One in each row, which is so long: (accumulation, rows), or (rows).
    Alone(Tensor<'g>),
    /// Positions and segments of packed rows.
    Packed(Tensor<'g>, Tensor<'g>),
}

/// What is said of clipping and updates where a profile sums up.
const OPTIMIZER: &str = "optimizer";

const ACCUMULATION: &str = "accumulation";

impl BatchShape {
    pub(crate) fn axes(&self) -> [Axis; 3] {
        [
            Axis::new(ACCUMULATION, self.accumulation),
            Axis::new("batch", self.rows),
            Axis::new("position", self.positions),
        ]
    }

    fn inputs<'g>(&self, graph: &'g Graph) -> Data<'g> {
        let input = |name, dtype| graph.input(name, dtype, &self.axes());
        Data {
            tokens: input("tokens", DType::I32),
            targets: input("targets", DType::I32),
            weights: input("weights", DType::F32),
            layout: match self.packed {
                true => Layout::Packed(input("positions", DType::I32), input("segments", DType::I32)),
                false => Layout::Alone(graph.input("lengths", DType::I32, &self.axes()[..2])),
            },
        }
    }
}

impl<'g> Data<'g> {
    fn whole(&self) -> Whole<'g> {
        // Segments of tokens are numbers from 1 on, and a row that is padding has no length.
        let (present, axes): (_, &[&str]) = match self.layout {
            Layout::Alone(lengths) => (lengths, &["batch"]),
            Layout::Packed(_, segments) => (segments, &["batch", "position"]),
        };
        let filled = present.cast(DType::F32).minimum(1.0).max(axes);
        Whole { targets: self.weights.sum_all().maximum(1.0), micro_batches: filled.sum_all().maximum(1.0) }
    }

    fn tensors(&self) -> Vec<Tensor<'g>> {
        let mut tensors = vec![self.tokens, self.targets, self.weights];
        match self.layout {
            Layout::Alone(lengths) => tensors.push(lengths),
            Layout::Packed(positions, segments) => tensors.extend([positions, segments]),
        }
        tensors
    }

    /// The data whose [`Data::tensors`] these are, as a scan hands them out in slices.
    fn of(tensors: &[Tensor<'g>]) -> Data<'g> {
        match *tensors {
            [tokens, targets, weights, lengths] => Data { tokens, targets, weights, layout: Layout::Alone(lengths) },
            [tokens, targets, weights, positions, segments] => {
                Data { tokens, targets, weights, layout: Layout::Packed(positions, segments) }
            }
            _ => unreachable!("a step's data are four tensors, or five where rows are packed"),
        }
    }

    /// The only micro-batch of data that hold one.
    fn single(&self) -> Data<'g> {
        let merged: Vec<_> =
            self.tensors().iter().map(|tensor| tensor.merge(&[ACCUMULATION, "batch"], "batch")).collect();
        Data::of(&merged)
    }
}

impl StepPlan {
    /// Traces the update of all trained parameters from one batch.
    ///
    /// # Errors
    /// A shape that does not fit, as the first op that it breaks.
    pub fn train_program(&self) -> Result<StepProgram, GraphError> {
        let graph = Graph::on(self.partition.clone());
        let data = self.batch.inputs(&graph);
        let StepScalars { numbers, dropout_seed } = StepScalars::input(&graph, &self.optimizer);
        let dropout = self.lora.as_ref().is_some_and(|lora| lora.dropout > 0.0).then(|| RandomKey::new(dropout_seed));
        let root = self.root(&graph);
        let params = self.declare(&graph)?;
        let trained: Vec<usize> = (0..params.len()).filter(|i| self.is_trained(&params[*i].0)).collect();
        let wrt: Vec<Tensor<'_>> = trained.iter().map(|i| params[*i].1).collect();
        let ([loss, z_loss, router_aux_loss], grads) = self.accumulate(&root, &data, dropout, &wrt);
        let optimizer = graph.named("gradient norm", &[], Some(OPTIMIZER));
        let (grads, norm) = clip(&graph, &grads, self.max_grad_norm);
        let updates = trained.iter().zip(&grads);
        let state: Vec<Replaced<'_>> = updates
            .flat_map(|(i, grad)| {
                let (spec, parameter) = &params[*i];
                self.update(spec, *parameter, *grad, &numbers)
            })
            .collect();
        drop(optimizer);
        let donate: Vec<_> = state.iter().enumerate().map(|(result, replaced)| (replaced.before, result)).collect();
        let mut outputs: Vec<_> = state.iter().map(|replaced| (replaced.name.as_str(), replaced.after)).collect();
        outputs.push((StepOutcome::NAME, outcome([loss, norm, z_loss, router_aux_loss])));
        let program = graph.lower_unrolled("train_step", &outputs, &donate, self.layers.unrolled())?;
        Ok(StepProgram { program, params: params.into_iter().map(|(spec, _)| spec).collect(), trained })
    }

    /// Declares what the optimizer remembers of a parameter, and updates both.
    fn update<'g>(
        &self,
        spec: &ParamSpec,
        parameter: Tensor<'g>,
        grad: Tensor<'g>,
        numbers: &[Tensor<'g>],
    ) -> Vec<Replaced<'g>> {
        let _named = parameter.graph().named(&format!("update.{}", spec.name), &spec.stack, Some(OPTIMIZER));
        let slots: Vec<ParamSpec> = self.slots(spec).collect();
        let state = State { parameter, slots: slots.iter().map(|slot| parameter.graph().slot(slot)).collect() };
        // Vectors are norms and biases, which do not decay, and neither do a state space's rates (Gu and Dao 2023).
        let decays = spec.axes.len() >= 2 && spec.init != Init::LogCount;
        let next = self.optimizer.update(&state, grad, numbers, decays);
        let names = std::iter::once(&spec.name).chain(slots.iter().map(|slot| &slot.name));
        names
            .zip(state.tensors().zip(next.tensors()))
            .map(|(name, (before, after))| Replaced { name: name.clone(), before, after })
            .collect()
    }

    /// What the optimizer remembers of a parameter, as the program takes it and checkpoints hold it.
    pub(crate) fn slots(&self, spec: &ParamSpec) -> impl Iterator<Item = ParamSpec> {
        let slot = |slot: &&str| ParamSpec {
            name: format!("{}.{slot}", spec.name),
            dtype: DType::F32,
            init: Init::Zeros,
            ..spec.clone()
        };
        self.optimizer.slots().iter().map(slot)
    }

    /// Traces the loss alone. Its outcome has the sum over target tokens for the loss, and nothing else.
    ///
    /// # Errors
    /// A shape that does not fit.
    pub fn evaluation_program(&self) -> Result<StepProgram, GraphError> {
        let graph = Graph::on(self.partition.clone());
        let data = self.batch.inputs(&graph);
        let root = self.root(&graph);
        let params = self.declare(&graph)?;
        let one = graph.constant(1.0, DType::F32);
        let whole = Whole { targets: one, micro_batches: one };
        let axis = self.batch.axes()[0];
        let (sum, _) = graph.scan(axis, &[graph.constant(0.0, DType::F32)], &data.tensors(), Remat::full(), |step| {
            let [loss, ..] = self.loss(&root, &Data::of(step.slices), whole).reported;
            (vec![step.carry[0] + loss], vec![])
        });
        let none = graph.constant(0.0, DType::F32);
        let outputs = [(StepOutcome::NAME, outcome([sum[0], none, none, none]))];
        let program = graph.lower_unrolled("evaluation", &outputs, &[], self.layers.unrolled())?;
        Ok(StepProgram { program, params: params.into_iter().map(|(spec, _)| spec).collect(), trained: vec![] })
    }

    /// The number of devices that it is spread over.
    pub fn device_count(&self) -> usize {
        self.partition.as_ref().map_or(1, |partition| partition.mesh.device_count())
    }

    /// All parameters of the model and its adapters, in order of declaration.
    ///
    /// # Errors
    /// A shape that does not fit.
    pub fn params(&self) -> Result<Vec<ParamSpec>, GraphError> {
        Ok(self.anatomy()?.params)
    }

    /// The parameters and modules of the model and its adapters.
    pub(crate) fn anatomy(&self) -> Result<Anatomy, GraphError> {
        self.model.anatomy(self.precision(), self.lora.as_ref())
    }

    fn root<'g>(&self, graph: &'g Graph) -> Scope<'g> {
        Scope::root(graph, self.precision(), self.lora.clone())
    }

    /// In which parameters are held and computed with.
    pub(crate) fn precision(&self) -> Precision {
        let held = |is_trained| if is_trained { DType::F32 } else { self.compute };
        Precision {
            compute: self.compute,
            model: held(self.trained.includes(false)),
            adapters: held(self.trained.includes(true)),
            products: match (self.products, self.trained) {
                (None, _) => Products::AsComputed,
                (Some(kind), Trained::All) => Products::Rounded(kind),
                (Some(kind), Trained::Adapters) => Products::Held(kind),
            },
        }
    }

    /// Whether a parameter is trained; the others are frozen.
    pub fn is_trained(&self, spec: &ParamSpec) -> bool {
        self.trained.includes(self.is_adapter(spec))
    }

    /// Whether a parameter is an adapter's.
    pub fn is_adapter(&self, spec: &ParamSpec) -> bool {
        self.lora.as_ref().is_some_and(|lora| lora.owns(spec))
    }

    /// Declares all parameters, before anything uses them.
    fn declare<'g>(&self, graph: &'g Graph) -> Result<Vec<(ParamSpec, Tensor<'g>)>, GraphError> {
        for spec in self.params()? {
            graph.param(spec);
        }
        Ok(graph.params())
    }

    /// What is reported of the loss, and gradients, summed over the micro-batches.
    fn accumulate<'g>(
        &self,
        root: &Scope<'g>,
        data: &Data<'g>,
        dropout: Option<RandomKey<'g>>,
        wrt: &[Tensor<'g>],
    ) -> ([Tensor<'g>; REPORTED], Vec<Tensor<'g>>) {
        let graph = root.graph();
        let whole = data.whole();
        let micro = |data: &Data<'g>, index: Tensor<'g>| {
            let scope = match dropout {
                Some(key) => root.clone().with_dropout(key.fold_in(index)),
                None => root.clone(),
            };
            let Loss { reported, objective } = self.loss(&scope, data, whole);
            (reported, graph.grad(objective, wrt))
        };
        if self.batch.accumulation == 1 {
            return micro(&data.single(), graph.constant(0.0, DType::I32));
        }
        let _named = graph.named("accumulation", &[], Some(ACCUMULATION));
        let zeros = wrt.iter().map(|tensor| graph.full(0.0, tensor.dtype(), &tensor.axes()));
        let init: Vec<_> = [graph.constant(0.0, DType::F32); REPORTED].into_iter().chain(zeros).collect();
        let axis = self.batch.axes()[0];
        let (sums, _) = graph.scan(axis, &init, &data.tensors(), Remat::full(), |step| {
            let (reported, grads) = micro(&Data::of(step.slices), step.index);
            let parts = reported.into_iter().chain(grads);
            (step.carry.iter().zip(parts).map(|(sum, part)| *sum + part).collect(), vec![])
        });
        let (reported, grads) = sums.split_at(REPORTED);
        ([0, 1, 2].map(|place: usize| reported[place]), grads.to_vec())
    }

    /// The micro-batch's share of the loss of a step.
    fn loss<'g>(&self, scope: &Scope<'g>, data: &Data<'g>, whole: Whole<'g>) -> Loss<'g> {
        let ids = data.tokens;
        let tokens = match data.layout {
            Layout::Alone(lengths) => {
                let positions = scope.graph().iota(ids.axis("position"), DType::I32).broadcast(&ids.axes());
                Tokens { ids, positions, segments: None, lengths: Some(lengths) }
            }
            Layout::Packed(positions, segments) => Tokens { ids, positions, segments: Some(segments), lengths: None },
        };
        // Each token counts for its share of the mean, so that nothing is left to scale the gradients with.
        let weights = data.weights / whole.targets;
        let (losses, auxiliary) = self.model.losses(scope, tokens, data.targets, weights, self.loss);
        let objective = losses.objective;
        let auxiliary =
            auxiliary.map(|auxiliary| auxiliary.cast(objective.dtype()) / whole.micro_batches.cast(objective.dtype()));
        let none = || scope.graph().constant(0.0, objective.dtype());
        let added = auxiliary.map_or_else(none, Tensor::stop_gradient);
        Loss {
            reported: [losses.cross_entropy, losses.squared_log_z * self.loss.z_loss_multiplier, added],
            objective: auxiliary.map_or(objective, |auxiliary| objective + auxiliary),
        }
    }
}
