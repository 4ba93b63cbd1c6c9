//! Weights that stay as they are and are held in 8-bit floats: rounded on the device, tensor by tensor.

use graph::{DType, ParamArray, ParamSpec, TensorType};
use models::Float8Part;
use runtime::{Array, Arrays, Parameters};

use crate::Error;

/// Makes the arrays that hold what `array` stands for of the weight `spec`, of its tensors, which `init` brings to the device one at a time.
pub(super) fn round<'s>(
    parameters: &mut Parameters<'s>,
    spec: &ParamSpec,
    array: &ParamArray,
    init: &mut impl FnMut(&mut Parameters<'s>, &ParamSpec, &ParamArray) -> Result<Array, Error>,
    arrays: &mut Arrays,
) -> Result<(), Error> {
    let mut held = Float8Part::ALL.map(|part| (part, part_of(array, part), None));
    for (position, name) in array.checkpoint_names.iter().enumerate() {
        let whole = ParamSpec { name: name.clone(), dtype: DType::F32, stack: Vec::new(), ..spec.clone() };
        let whole_array = whole.arrays(&[]).remove(0);
        let tensor = init(parameters, &whole, &whole_array)?;
        for (part, of_part, stack) in &mut held {
            let dtype = array.ty.dtype;
            let own = parameters.computed(of_part, &whole_array, &tensor, |weight| part.of_weight(weight, dtype))?;
            *stack = Some(parameters.placed(of_part, stack.take(), own, position)?);
        }
    }
    for (_, of_part, values) in held {
        arrays.insert(&of_part.name, values.expect("an array holds a tensor at least"));
    }
    Ok(())
}

/// The array of a part of what `values` holds the rounded elements of.
fn part_of(values: &ParamArray, part: Float8Part) -> ParamArray {
    let (stacked, own) = values.ty.axes.split_at(values.stacked);
    let (dtype, own) = match part {
        Float8Part::Values => (values.ty.dtype, own.to_vec()),
        Float8Part::Turned => (values.ty.dtype, own.iter().rev().copied().collect()),
        Float8Part::Unit => (DType::F32, Vec::new()),
    };
    ParamArray {
        name: part.name(&values.name),
        ty: TensorType { dtype, axes: [stacked, &own].concat() },
        checkpoint_names: values.checkpoint_names.iter().map(|name| part.name(name)).collect(),
        ..values.clone()
    }
}
