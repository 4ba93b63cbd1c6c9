//! Which blocks each expert has.

use graph::{Axis, DType, TensorType};

use super::GroupedProduct;
use crate::{Builder, Code, Kernel, KernelError, Launch, Road};

/// Experts of a program, and blocks that it looks at together.
const TILE: [usize; 2] = [16, 64];

impl GroupedProduct {
    /// Of the expert of each of the blocks, in their order: the first block of each expert, and how many it has, i32 (experts).
    pub(super) fn segments<R: Road>(&self, road: &R, owners: &R::Array) -> Result<[R::Array; 2], KernelError> {
        let each = TensorType::new(DType::I32, &[Axis::new("experts", self.experts)]);
        let launch = Launch {
            kernel: self.segments_kernel()?,
            grid: [self.experts.div_ceil(TILE[0]), 1, 1],
            code: Code::Triton { warps: 4, stages: 1 },
            results: vec![each.clone(), each],
            in_place: Vec::new(),
        };
        let results = road.run(&launch, std::slice::from_ref(owners));
        Ok([results[0].clone(), results[1].clone()])
    }

    pub(super) fn segments_kernel(&self) -> Result<Kernel, KernelError> {
        self.check()?;
        let k = Builder::new("expert_segments");
        let owners = k.input("owners", DType::I32);
        let [first, count] = ["first", "count"].map(|name| k.output(name, DType::I32));
        let expert = k.program_id(0) * TILE[0] + k.range(TILE[0]);
        let zeros = k.full(0.0, DType::I32, &TILE);
        let [before, own] = k.for_range(0, self.blocks, TILE[1], [zeros, zeros], |start, [before, own]| {
            let block = start + k.range(TILE[1]);
            let owner = (owners + block).load_where(block.less(self.blocks), self.experts).row();
            let [is_before, is_own] = [owner.less(expert.column()), owner.equals(expert.column())];
            [before + is_before.cast(DType::I32), own + is_own.cast(DType::I32)]
        });
        let is_expert = expert.less(self.experts);
        (first + expert).store_where(before.sum(1), is_expert);
        (count + expert).store_where(own.sum(1), is_expert);
        k.finish()
    }
}
