//! The training step as one program: forward, backward, accumulation, clipping, update.

use graph::{Axis, DType, Graph, GraphError, Init, ParamSpec, Program, RandomKey, Remat, Tensor};
use models::llama::Tokens;
use models::{LayerLoop, Llama, Lora, Precision, Scope, next_token_loss};

use crate::adamw::{AdamW, State};

mod scalars;

pub use scalars::StepOutcome;
pub(crate) use scalars::{STEP_SCALARS, step_scalars};
use scalars::{StepScalars, outcome};

/// What a training step computes.
#[derive(Clone, Debug)]
pub struct StepPlan {
    /// The model.
    pub model: Llama,
    /// Element types.
    pub precision: Precision,
    /// Adapters to train instead of the model.
    pub lora: Option<Lora>,
    /// The optimizer.
    pub optimizer: AdamW,
    /// Shape of the data.
    pub batch: BatchShape,
    /// How the loop over layers is lowered.
    pub layers: LayerLoop,
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
/// Arguments: the parameters in order of declaration mixed with the data; find them by `program.input_index`. Results: for each trained
/// parameter its new value, then its moments, then the outcome.
#[derive(Clone, Debug)]
pub struct StepProgram {
    /// The program.
    pub program: Program,
    /// All parameters, in order of declaration.
    pub params: Vec<ParamSpec>,
    /// Which of them are trained, by position in `params`.
    pub trained: Vec<usize>,
}

/// The name of the argument that holds the first or second moment of a parameter.
pub fn moment_name(param: &str, second: bool) -> String {
    format!("{param}.{}", if second { "exp_avg_sq" } else { "exp_avg" })
}

/// The moment of a parameter, as the program takes it and checkpoints hold it.
pub(crate) fn moment_spec(spec: &ParamSpec, second: bool) -> ParamSpec {
    ParamSpec { name: moment_name(&spec.name, second), dtype: DType::F32, init: Init::Zeros, ..spec.clone() }
}

/// The data of one step as the program takes it, each (accumulation, rows, positions), or of one of its micro-batches, each
/// (rows, positions).
struct Data<'g> {
    tokens: Tensor<'g>,
    targets: Tensor<'g>,
    weights: Tensor<'g>,
    /// Positions and segments of packed rows.
    packing: Option<(Tensor<'g>, Tensor<'g>)>,
}

const ACCUMULATION: &str = "accumulation";

impl BatchShape {
    fn axes(&self) -> [Axis; 3] {
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
            packing: self.packed.then(|| (input("positions", DType::I32), input("segments", DType::I32))),
        }
    }
}

impl<'g> Data<'g> {
    fn tensors(&self) -> Vec<Tensor<'g>> {
        let packing = self.packing.into_iter().flat_map(|(positions, segments)| [positions, segments]);
        [self.tokens, self.targets, self.weights].into_iter().chain(packing).collect()
    }

    /// The data whose [`Data::tensors`] these are, as a scan hands them out in slices.
    fn of(tensors: &[Tensor<'g>]) -> Data<'g> {
        match *tensors {
            [tokens, targets, weights] => Data { tokens, targets, weights, packing: None },
            [tokens, targets, weights, positions, segments] => {
                Data { tokens, targets, weights, packing: Some((positions, segments)) }
            }
            _ => unreachable!("a step's data are three tensors, or five where rows are packed"),
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
        let graph = Graph::new();
        let data = self.batch.inputs(&graph);
        let StepScalars { size, dropout_seed } = StepScalars::input(&graph);
        let total = data.weights.sum_all().maximum(1.0);
        let dropout = self.lora.as_ref().is_some_and(|lora| lora.dropout > 0.0).then(|| RandomKey::new(dropout_seed));
        let root = Scope::root(&graph, self.precision, self.lora.clone());
        let params = self.declare(&graph)?;
        let is_trained = |spec: &ParamSpec| self.is_trained(spec);
        let trained: Vec<usize> = (0..params.len()).filter(|i| is_trained(&params[*i].0)).collect();
        let wrt: Vec<Tensor<'_>> = trained.iter().map(|i| params[*i].1).collect();
        let (loss, grads) = self.accumulate(&root, &data, total, dropout, &wrt);
        let (grads, norm) = self.optimizer.clip(&graph, &grads);
        let mut outputs = Vec::new();
        let mut moments = Vec::new();
        let mut donate = Vec::new();
        for ((i, parameter), grad) in trained.iter().zip(&wrt).zip(&grads) {
            let spec = &params[*i].0;
            let moment = |second| {
                let ParamSpec { name, dtype, axes, stack, .. } = moment_spec(spec, second);
                graph.stacked_input(&name, dtype, &stack, &axes)
            };
            let state = State { parameter: *parameter, first: moment(false), second: moment(true) };
            let next = self.optimizer.update(state, *grad, size, spec.axes.len() >= 2);
            donate.push((*parameter, outputs.len()));
            outputs.push((spec.name.clone(), next.parameter));
            moments.push((moment_name(&spec.name, false), state.first, next.first));
            moments.push((moment_name(&spec.name, true), state.second, next.second));
        }
        for (name, before, after) in moments {
            donate.push((before, outputs.len()));
            outputs.push((name, after));
        }
        outputs.push((StepOutcome::NAME.into(), outcome(loss, norm, total)));
        let named: Vec<(&str, Tensor<'_>)> = outputs.iter().map(|(name, tensor)| (name.as_str(), *tensor)).collect();
        let program = graph.lower_unrolled("train_step", &named, &donate, self.layers.unrolled())?;
        Ok(StepProgram { program, params: params.into_iter().map(|(spec, _)| spec).collect(), trained })
    }

    /// Traces the loss alone. Its outcome has the sum over target tokens for the loss, and no norm.
    ///
    /// # Errors
    /// A shape that does not fit.
    pub fn evaluation_program(&self) -> Result<StepProgram, GraphError> {
        let graph = Graph::new();
        let data = self.batch.inputs(&graph);
        let root = Scope::root(&graph, self.precision, self.lora.clone());
        let params = self.declare(&graph)?;
        let one = graph.constant(1.0, DType::F32);
        let axis = self.batch.axes()[0];
        let (sum, _) = graph.scan(axis, &[graph.constant(0.0, DType::F32)], &data.tensors(), Remat::full(), |step| {
            (vec![step.carry[0] + self.loss(&root, &Data::of(step.slices), one)], vec![])
        });
        let norm = graph.constant(0.0, DType::F32);
        let outputs = [(StepOutcome::NAME, outcome(sum[0], norm, data.weights.sum_all()))];
        let program = graph.lower_unrolled("evaluation", &outputs, &[], self.layers.unrolled())?;
        Ok(StepProgram { program, params: params.into_iter().map(|(spec, _)| spec).collect(), trained: vec![] })
    }

    /// All parameters of the model and its adapters, in order of declaration.
    ///
    /// # Errors
    /// A shape that does not fit.
    pub fn params(&self) -> Result<Vec<ParamSpec>, GraphError> {
        self.model.params(self.precision, self.lora.as_ref())
    }

    /// Whether a parameter is trained; the others are frozen.
    pub fn is_trained(&self, spec: &ParamSpec) -> bool {
        self.lora.is_none() || self.is_adapter(spec)
    }

    /// Whether a parameter is an adapter's.
    pub fn is_adapter(&self, spec: &ParamSpec) -> bool {
        self.lora.as_ref().is_some_and(|lora| lora.owns(&spec.name))
    }

    /// Declares all parameters, before anything uses them.
    fn declare<'g>(&self, graph: &'g Graph) -> Result<Vec<(ParamSpec, Tensor<'g>)>, GraphError> {
        for spec in self.params()? {
            graph.param(spec);
        }
        Ok(graph.params())
    }

    /// Loss and gradients summed over the micro-batches.
    fn accumulate<'g>(
        &self,
        root: &Scope<'g>,
        data: &Data<'g>,
        total: Tensor<'g>,
        dropout: Option<RandomKey<'g>>,
        wrt: &[Tensor<'g>],
    ) -> (Tensor<'g>, Vec<Tensor<'g>>) {
        let graph = root.graph();
        let micro = |data: &Data<'g>, index: Tensor<'g>| {
            let scope = match dropout {
                Some(key) => root.clone().with_dropout(key.fold_in(index)),
                None => root.clone(),
            };
            let loss = self.loss(&scope, data, total);
            (loss, graph.grad(loss, wrt))
        };
        if self.batch.accumulation == 1 {
            return micro(&data.single(), graph.constant(0.0, DType::I32));
        }
        let zeros = wrt.iter().map(|tensor| graph.full(0.0, tensor.dtype(), &tensor.axes()));
        let init: Vec<_> = std::iter::once(graph.constant(0.0, DType::F32)).chain(zeros).collect();
        let axis = self.batch.axes()[0];
        let (sums, _) = graph.scan(axis, &init, &data.tensors(), Remat::full(), |step| {
            let (loss, grads) = micro(&Data::of(step.slices), step.index);
            let parts = std::iter::once(loss).chain(grads);
            (step.carry.iter().zip(parts).map(|(sum, part)| *sum + part).collect(), vec![])
        });
        (sums[0], sums[1..].to_vec())
    }

    /// The micro-batch's share of the mean loss: its summed cross-entropy over the step's number of target tokens.
    fn loss<'g>(&self, scope: &Scope<'g>, data: &Data<'g>, total: Tensor<'g>) -> Tensor<'g> {
        let ids = data.tokens;
        let (positions, segments) = match data.packing {
            Some((positions, segments)) => (positions, Some(segments)),
            None => (scope.graph().iota(ids.axis("position"), DType::I32).broadcast(&ids.axes()), None),
        };
        let logits = self.model.logits(scope, Tokens { ids, positions, segments });
        next_token_loss(logits, data.targets, data.weights) / total
    }
}
