//! A kernel as text in Triton's IR (MLIR's dialects `tt`, `scf`, `arith` and `math`).

use std::fmt::Write;

use graph::DType;

use crate::ir::{Binary, BlockType, Comparison, Element, Kernel, Node, Op, Region, RegionId, Unary, ValueId};

/// The text of a module with the kernel as its only function.
pub(crate) fn print(kernel: &Kernel) -> String {
    let mut spelled: Vec<_> = (0..kernel.types.len()).map(|id| format!("%{id}")).collect();
    for (param, (name, _)) in kernel.body().params.iter().zip(&kernel.arguments) {
        spelled[param.0 as usize] = format!("%{name}");
    }
    let mut printer = Printer { kernel, spelled, text: String::new(), depth: 2 };
    let arguments = kernel.body().params.iter().map(|param| {
        // XLA's buffers are aligned to at least 128 bytes.
        format!("{}: {} {{tt.divisibility = 16 : i32}}", printer.name(*param), printer.ty(*param))
    });
    let arguments: Vec<_> = arguments.collect();
    let _ = writeln!(
        printer.text,
        "module {{\n  tt.func public @{}({}) attributes {{noinline = false}} {{",
        kernel.name,
        arguments.join(", ")
    );
    kernel.body().nodes.iter().for_each(|node| printer.node(node));
    printer.line("tt.return");
    printer.text.push_str("  }\n}\n");
    printer.text
}

struct Printer<'k> {
    kernel: &'k Kernel,
    /// How each value is spelled.
    spelled: Vec<String>,
    text: String,
    depth: usize,
}

fn ty(ty: &BlockType) -> String {
    let element = match ty.element {
        Element::Number(dtype) => number(dtype).to_owned(),
        Element::Pointer(dtype) => format!("!tt.ptr<{}>", number(dtype)),
    };
    if ty.shape.is_empty() {
        return element;
    }
    let sizes: String = ty.shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{element}>")
}

/// Triton's whole numbers have no signs by their type.
fn number(dtype: DType) -> &'static str {
    if dtype == DType::U16 { "i16" } else { dtype.stablehlo() }
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn name(&self, id: ValueId) -> &str {
        &self.spelled[id.0 as usize]
    }

    fn names(&self, ids: &[ValueId]) -> String {
        ids.iter().map(|id| self.name(*id)).collect::<Vec<_>>().join(", ")
    }

    fn ty(&self, id: ValueId) -> String {
        ty(self.kernel.ty(id))
    }

    fn types(&self, ids: &[ValueId]) -> String {
        ids.iter().map(|id| self.ty(*id)).collect::<Vec<_>>().join(", ")
    }

    fn node(&mut self, node: &Node) {
        match &node.op {
            Op::For { body, stages } => self.for_range(node, *body, *stages),
            Op::If { then, otherwise } => self.when(node, *then, *otherwise),
            Op::Reduce { dim, combine } => self.combine(node, "reduce", &format!("axis = {dim} : i32"), *combine),
            Op::Scan { dim, reverse, combine } => {
                let attributes = format!("axis = {dim} : i32, reverse = {reverse}");
                self.combine(node, "scan", &attributes, *combine);
            }
            Op::Store => {
                let line = format!("tt.store {} : {}", self.names(&node.inputs), self.ty(node.inputs[0]));
                self.line(&line);
            }
            Op::Split => {
                let results = self.results(node);
                let [from, half] = [node.inputs[0], node.results[0]].map(|id| self.ty(id));
                self.line(&format!("{results}tt.split {} : {from} -> {half}", self.name(node.inputs[0])));
            }
            _ => {
                let line = format!("{} = {}", self.name(node.results[0]), self.simple(node));
                self.line(&line);
            }
        }
    }

    /// An operation with one result and no region.
    fn simple(&self, node: &Node) -> String {
        let inputs = self.names(&node.inputs);
        let result = self.ty(node.results[0]);
        let from = || self.ty(node.inputs[0]);
        let converts = |op: &str| format!("{op} {inputs} : {} -> {result}", from());
        match &node.op {
            Op::Constant(value) => self.constant(*value, node.results[0]),
            Op::ProgramId(dim) => format!("tt.get_program_id {} : i32", ["x", "y", "z"][*dim]),
            Op::Range => {
                let size = self.kernel.ty(node.results[0]).len();
                format!("tt.make_range {{end = {size} : i32, start = 0 : i32}} : {result}")
            }
            Op::Splat => converts("tt.splat"),
            Op::ExpandDims(dim) => format!("tt.expand_dims {inputs} {{axis = {dim} : i32}} : {} -> {result}", from()),
            Op::Broadcast => converts("tt.broadcast"),
            Op::Reshape => converts("tt.reshape"),
            Op::Transpose(order) => {
                let order: Vec<_> = order.iter().map(ToString::to_string).collect();
                format!("tt.trans {inputs} {{order = array<i32: {}>}} : {} -> {result}", order.join(", "), from())
            }
            Op::Unary(Unary::Exp2Ptx) => {
                let asm =
                    "\"ex2.approx.ftz.f32 $0, $1;\" {constraints = \"=f,f\", packed_element = 1 : i32, pure = true}";
                format!("tt.elementwise_inline_asm {asm} {inputs} : {} -> {result}", from())
            }
            Op::Unary(op) => format!("{} {inputs} : {result}", unary(*op)),
            Op::Binary(op) => format!("{} {inputs} : {result}", binary(*op, self.kernel.ty(node.inputs[0]).is_float())),
            Op::MultiplyAdd => format!("math.fma {inputs} : {result}"),
            Op::Compare(op) => self.comparison(*op, node),
            Op::Select => self.select(node),
            Op::Cast => {
                let [from, to] = [node.inputs[0], node.results[0]].map(|id| self.kernel.ty(id).element.dtype());
                if from.is_float8() {
                    return converts("tt.fp_to_fp");
                }
                format!("{} {inputs} : {} to {result}", cast(from, to), self.ty(node.inputs[0]))
            }
            Op::Bitcast => converts("tt.bitcast"),
            Op::Advance => format!("tt.addptr {inputs} : {}, {}", from(), self.ty(node.inputs[1])),
            Op::Load => format!("tt.load {inputs} : {}", from()),
            Op::Dot => {
                let [a, b] = [node.inputs[0], node.inputs[1]].map(|id| self.ty(id));
                // Factors of f32 count in full; of narrower ones the precision says nothing.
                let is_f32 = self.kernel.ty(node.inputs[0]).element == Element::Number(DType::F32);
                let precision = if is_f32 { "ieee" } else { "tf32" };
                format!("tt.dot {inputs}, inputPrecision = {precision} : {a} * {b} -> {result}")
            }
            Op::Split | Op::Store | Op::Reduce { .. } | Op::Scan { .. } | Op::For { .. } | Op::If { .. } => {
                unreachable!("printed by `node`")
            }
        }
    }

    fn constant(&self, value: f64, result: ValueId) -> String {
        let block = self.kernel.ty(result);
        let dtype = block.element.dtype();
        match (block.shape.is_empty(), dtype) {
            (true, DType::Bool) => format!("arith.constant {}", value != 0.0),
            (true, _) => format!("arith.constant {} : {}", dtype.literal(value), ty(block)),
            (false, _) => format!("arith.constant dense<{}> : {}", dtype.literal(value), ty(block)),
        }
    }

    fn comparison(&self, op: Comparison, node: &Node) -> String {
        let operand = self.kernel.ty(node.inputs[0]);
        let (inputs, block) = (self.names(&node.inputs), ty(operand));
        match operand.is_float() {
            true => {
                let predicate = match op {
                    Comparison::Equal => "oeq",
                    Comparison::NotEqual => "une",
                    Comparison::Less => "olt",
                    Comparison::LessEqual => "ole",
                    Comparison::Greater => "ogt",
                    Comparison::GreaterEqual => "oge",
                };
                format!("arith.cmpf {predicate}, {inputs} : {block}")
            }
            false => {
                let predicate = match op {
                    Comparison::Equal => "eq",
                    Comparison::NotEqual => "ne",
                    Comparison::Less => "slt",
                    Comparison::LessEqual => "sle",
                    Comparison::Greater => "sgt",
                    Comparison::GreaterEqual => "sge",
                };
                format!("arith.cmpi {predicate}, {inputs} : {block}")
            }
        }
    }

    fn select(&self, node: &Node) -> String {
        let (inputs, result) = (self.names(&node.inputs), self.ty(node.results[0]));
        match self.kernel.ty(node.results[0]).shape.is_empty() {
            true => format!("arith.select {inputs} : {result}"),
            false => format!("arith.select {inputs} : {}, {result}", self.ty(node.inputs[0])),
        }
    }

    fn combine(&mut self, node: &Node, op: &str, attributes: &str, combine: RegionId) {
        let region = self.kernel.region(combine);
        let results = self.results(node);
        self.line(&format!("{results}\"tt.{op}\"({}) <{{{attributes}}}> ({{", self.names(&node.inputs)));
        let params: Vec<_> =
            region.params.iter().map(|param| format!("{}: {}", self.name(*param), self.ty(*param))).collect();
        self.line(&format!("^bb0({}):", params.join(", ")));
        let end = format!("tt.{op}.return {} : {}", self.names(&region.results), self.types(&region.results));
        self.block(region, &end);
        self.line(&format!("}}) : ({}) -> ({})", self.types(&node.inputs), self.types(&node.results)));
    }

    fn for_range(&mut self, node: &Node, body: RegionId, stages: Option<usize>) {
        let region = self.kernel.region(body);
        let [from, to, step] = [0, 1, 2].map(|input| self.name(node.inputs[input]).to_owned());
        let carried: Vec<_> = region.params[1..]
            .iter()
            .zip(&node.inputs[3..])
            .map(|(param, input)| format!("{} = {}", self.name(*param), self.name(*input)))
            .collect();
        let carried = match carried.is_empty() {
            true => String::new(),
            false => format!(" iter_args({}) -> ({})", carried.join(", "), self.types(&node.results)),
        };
        let results = self.results(node);
        let number = self.name(region.params[0]).to_owned();
        self.line(&format!("{results}scf.for {number} = {from} to {to} step {step}{carried} : i32 {{"));
        let end = yields(self, region);
        self.block(region, &end);
        let ahead = stages.map_or(String::new(), |stages| format!(" {{tt.num_stages = {stages} : i32}}"));
        self.line(&format!("}}{ahead}"));
    }

    fn when(&mut self, node: &Node, then: RegionId, otherwise: RegionId) {
        let results = self.results(node);
        let types = match node.results.is_empty() {
            true => String::new(),
            false => format!(" -> ({})", self.types(&node.results)),
        };
        self.line(&format!("{results}scf.if {}{types} {{", self.name(node.inputs[0])));
        for (i, region) in [then, otherwise].into_iter().enumerate() {
            let region = self.kernel.region(region);
            let end = yields(self, region);
            self.block(region, &end);
            self.line(if i == 0 { "} else {" } else { "}" });
        }
    }

    fn block(&mut self, region: &Region, end: &str) {
        self.depth += 1;
        region.nodes.iter().for_each(|node| self.node(node));
        if !end.is_empty() {
            self.line(end);
        }
        self.depth -= 1;
    }

    /// What stands in front of an operation: its results, of several a name for all, behind which each has a number.
    fn results(&mut self, node: &Node) -> String {
        if let [first, _, ..] = node.results[..] {
            for (i, result) in node.results.iter().enumerate() {
                self.spelled[result.0 as usize] = format!("%{}#{i}", first.0);
            }
        }
        match &node.results[..] {
            [] => String::new(),
            [only] => format!("{} = ", self.name(*only)),
            [first, ..] => format!("%{}:{} = ", first.0, node.results.len()),
        }
    }
}

fn yields(printer: &Printer<'_>, region: &Region) -> String {
    match region.results.is_empty() {
        true => String::new(),
        false => format!("scf.yield {} : {}", printer.names(&region.results), printer.types(&region.results)),
    }
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Exp => "math.exp",
        Unary::Exp2 | Unary::Exp2Ptx => "math.exp2",
        Unary::Log2 => "math.log2",
        Unary::Negate => "arith.negf",
        Unary::Rsqrt => "math.rsqrt",
    }
}

fn binary(op: Binary, is_float: bool) -> &'static str {
    match (op, is_float) {
        (Binary::Add, true) => "arith.addf",
        (Binary::Add, false) => "arith.addi",
        (Binary::Subtract, true) => "arith.subf",
        (Binary::Subtract, false) => "arith.subi",
        (Binary::Multiply, true) => "arith.mulf",
        (Binary::Multiply, false) => "arith.muli",
        (Binary::Divide, true) => "arith.divf",
        (Binary::Divide, false) => "arith.divsi",
        (Binary::Remainder, true) => "arith.remf",
        (Binary::Remainder, false) => "arith.remsi",
        (Binary::Maximum, true) => "arith.maxnumf",
        (Binary::Maximum, false) => "arith.maxsi",
        (Binary::Minimum, true) => "arith.minnumf",
        (Binary::Minimum, false) => "arith.minsi",
        (Binary::And, _) => "arith.andi",
        (Binary::Or, _) => "arith.ori",
        (Binary::Xor, _) => "arith.xori",
    }
}

/// Between numbers; a truth value becomes 0 or 1.
fn cast(from: DType, to: DType) -> &'static str {
    let has_no_sign = matches!(from, DType::Bool | DType::U16);
    match (from.is_float(), to.is_float()) {
        (true, true) if from.size() < to.size() => "arith.extf",
        (true, true) => "arith.truncf",
        (true, false) => "arith.fptosi",
        (false, true) if has_no_sign => "arith.uitofp",
        (false, true) => "arith.sitofp",
        (false, false) if from == DType::Bool || (from.size() < to.size() && has_no_sign) => "arith.extui",
        (false, false) if from.size() < to.size() => "arith.extsi",
        (false, false) => "arith.trunci",
    }
}
