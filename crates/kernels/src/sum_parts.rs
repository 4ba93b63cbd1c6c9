//! Sums of what several programs gave each for itself, always in the same order.

use graph::{Axis, DType, TensorType};

use crate::{Builder, Code, Kernel, KernelError, Launch, Road};

/// Parts and elements of a program's block.
const BLOCK: [usize; 2] = [16, 128];

/// The sum over the outermost of (part, `axes`…) in f32, rounded to `dtype`.
pub(crate) struct SumParts<'a> {
    /// What is summed, for profilers.
    pub(crate) name: &'a str,
    pub(crate) parts: usize,
    pub(crate) axes: &'a [Axis],
    pub(crate) dtype: DType,
}

impl SumParts<'_> {
    pub(crate) fn run<R: Road>(&self, road: &R, parts: &R::Array) -> Result<R::Array, KernelError> {
        let launch = Launch {
            kernel: self.kernel()?,
            grid: [self.size().div_ceil(BLOCK[1]), 1, 1],
            code: Code::Triton { warps: 4, stages: 1 },
            results: vec![TensorType::new(self.dtype, self.axes)],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, std::slice::from_ref(parts)).swap_remove(0))
    }

    fn size(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new(&format!("sum_{}", self.name));
        let given = k.input("parts", DType::F32);
        let sum = k.output("sum", self.dtype);
        let [parts, elements] = BLOCK;
        // Of all rows together, there may be more than 32 bits count.
        let element = k.program_id(0).cast(DType::I64) * elements + k.range(elements).cast(DType::I64);
        let is_element = element.less(self.size());
        let [total] = k.for_range(0, self.parts, parts, [k.zeros(&BLOCK)], |first, [total]| {
            let part = (first + k.range(parts)).column();
            let place = part.cast(DType::I64) * self.size() + element.row();
            let mask = part.less(self.parts).and(is_element.row());
            [total + (given + place).load_where(mask, 0.0)]
        });
        (sum + element).store_where(total.sum(0), is_element);
        k.finish()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let axes = [Axis::new("inner", 11), Axis::new("state", 13)];
        let rates = SumParts { name: "rates", parts: 3, axes: &axes, dtype: DType::F32 };
        let shared = SumParts { name: "b_and_c", parts: 40, axes: &axes[1..], dtype: DType::BF16 };
        let texts = [rates, shared].map(|sum| crate::triton::print(&sum.kernel().expect("the kernel is built")));
        expect_file!["../tests/golden/sum_parts.mlir"].assert_eq(&texts.concat());
    }
}
