//! Rows that come in segments.

use graph::Tensor;

use super::Convolution;
use crate::KernelError;

/// What stands in front of rows that go on: as many tokens as one sees besides itself.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'g> {
    /// (batch, position, channel) of `taps - 1` positions, the nearest last, in x's type; zeros where there is no token.
    pub x: Tensor<'g>,
    /// The document of each, i32 (batch, position); `None`: they belong to none that goes on, and are not seen where rows hold several.
    pub documents: Option<Tensor<'g>>,
}

/// A document that no token has.
const NOBODY: f64 = -1.0;

impl Convolution {
    /// The convolution of rows that go on from earlier segments of theirs, or with `None` begin: y (batch, position, channel), and what the next segments
    /// go on from. Segments one after the other give what whole rows give, also those of fewer tokens than one sees.
    ///
    /// `inputs` are x (batch, position, channel), weight (tap, channel) and bias (channel) in f32, and, where rows hold several documents, the document
    /// of each token, i32 (batch, position); sizes are those of the segment. `convolve` gives y for an operation and its inputs, whose rows are longer
    /// by `taps - 1` positions: by the kernels, which are [`Convolution::forward`] with [`Convolution::backward`] as its derivative, or by
    /// [`Convolution::reference`]. Both results are differentiable in x, in what came before, and, as far as `convolve` is, in weight and bias.
    ///
    /// # Errors
    /// A token sees no other, or there are no kernels for the longer rows ([`Convolution::check`]).
    pub fn segment<'g>(
        &self,
        inputs: &[Tensor<'g>],
        earlier: Option<Earlier<'g>>,
        convolve: impl FnOnce(&Convolution, &[Tensor<'g>]) -> Tensor<'g>,
    ) -> Result<(Tensor<'g>, Earlier<'g>), KernelError> {
        if self.taps < 2 {
            return Err(self.refused("of one tap nothing goes on".to_owned()));
        }
        let before = self.taps - 1;
        let longer = Convolution { positions: self.positions + before, ..*self };
        longer.check()?;
        let x = inputs[0];
        // Joined to nothing, a tensor has that in front which is no token.
        let join = |earlier: Option<Tensor<'g>>, own: Tensor<'g>, none: f64| match earlier {
            Some(earlier) => {
                let names: Vec<_> = own.axes().iter().map(|axis| axis.name).collect();
                Tensor::concat(&[earlier, own], "position").transpose(&names)
            }
            None => own.pad("position", before, 0, none),
        };
        let last = |joined: Tensor<'g>| joined.slice("position", self.positions, before);
        let mut joined = inputs.to_vec();
        joined[0] = join(earlier.map(|earlier| earlier.x), x, 0.0);
        if self.documents {
            joined[3] = join(earlier.and_then(|earlier| earlier.documents), inputs[3], NOBODY);
        }
        let y = convolve(&longer, &joined).slice("position", before, self.positions);
        let documents = self.documents.then(|| last(joined[3]));
        Ok((y, Earlier { x: last(joined[0]), documents }))
    }
}
