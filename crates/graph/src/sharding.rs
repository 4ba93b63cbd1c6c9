//! How tensors lie on several devices: a mesh of devices with named axes, and tables from the names of tensors' axes to those of the mesh.
//!
//! Shardings are written for Shardy, the partitioner of XLA: each argument and result says how it lies, products say which of their
//! operands are gathered and how their results lie, and the partitioner finds the rest, and where devices exchange what.

use std::ops::Range;

use crate::{Axis, HostTensor, TensorType};

/// Devices in a grid with named axes: number `((i0 * size1) + i1) * size2 + i2` stands at `(i0, i1, i2)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    axes: Vec<Axis>,
}

impl Mesh {
    /// A grid with these axes, outermost first.
    pub fn new(axes: &[Axis]) -> Mesh {
        Mesh { axes: axes.to_vec() }
    }

    /// Its axes, outermost first.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The number of its devices.
    pub fn device_count(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// The size of the axis of that name; 1 where there is none.
    pub fn size(&self, name: &str) -> usize {
        self.axes.iter().find(|axis| axis.name == name).map_or(1, |axis| axis.size)
    }

    /// Into how many parts these axes split something.
    fn parts(&self, over: &[&str]) -> usize {
        over.iter().map(|name| self.size(name)).product()
    }

    /// Where a device stands along the axis of that name.
    fn place(&self, device: usize, name: &str) -> usize {
        let inner = self.axes.iter().rev().take_while(|axis| axis.name != name).map(|axis| axis.size);
        device / inner.product::<usize>() % self.size(name)
    }

    /// Its declaration.
    pub(crate) fn stablehlo(&self) -> String {
        let axes: Vec<String> = self.axes.iter().map(|axis| format!("\"{}\"={}", axis.name, axis.size)).collect();
        format!("sdy.mesh @mesh = <[{}]>", axes.join(", "))
    }
}

/// How a tensor lies on the devices of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    mesh: Mesh,
    /// For each dimension the mesh axes that it is split over, the outermost first.
    dims: Vec<Vec<&'static str>>,
}

impl Sharding {
    /// The same on each device.
    pub fn replicated(mesh: &Mesh, rank: usize) -> Sharding {
        Sharding { mesh: mesh.clone(), dims: vec![Vec::new(); rank] }
    }

    /// The devices.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// For each dimension the mesh axes that it is split over, the outermost first.
    pub fn dims(&self) -> &[Vec<&'static str>] {
        &self.dims
    }

    /// Of the transposed tensor that has these dimensions in its order.
    pub(crate) fn with_dims_of(&self, order: &[usize]) -> Sharding {
        Sharding { mesh: self.mesh.clone(), dims: order.iter().map(|dim| self.dims[*dim].clone()).collect() }
    }

    /// Of a tensor with another dimension in front, which is split over these axes of the mesh.
    pub(crate) fn behind(&self, over: Vec<&'static str>) -> Sharding {
        let dims = std::iter::once(over).chain(self.dims.iter().cloned()).collect();
        Sharding { mesh: self.mesh.clone(), dims }
    }

    /// Whether a dimension is split over that axis of the mesh.
    pub(crate) fn splits_over(&self, name: &str) -> bool {
        self.dims.iter().flatten().any(|own| *own == name)
    }

    /// Into how many parts a dimension is split.
    pub(crate) fn parts(&self, dim: usize) -> usize {
        self.mesh.parts(&self.dims[dim])
    }

    /// In how many parts a tensor lies, each of them on one device or more.
    pub fn part_count(&self) -> usize {
        (0..self.dims.len()).map(|dim| self.parts(dim)).product()
    }

    /// The type of each device's part of a tensor.
    pub fn part_type(&self, whole: &TensorType) -> TensorType {
        let axes = whole.axes.iter().enumerate();
        whole.with_axes(axes.map(|(dim, axis)| Axis::new(axis.name, axis.size / self.parts(dim))).collect())
    }

    /// The type of a tensor whose parts are of this one.
    pub(crate) fn whole_type(&self, part: &TensorType) -> TensorType {
        let axes = part.axes.iter().enumerate();
        part.with_axes(axes.map(|(dim, axis)| Axis::new(axis.name, axis.size * self.parts(dim))).collect())
    }

    /// Which elements along each dimension of a tensor of this shape a device holds.
    pub fn part(&self, shape: &[usize], device: usize) -> Vec<Range<usize>> {
        let range = |(dim, size): (usize, &usize)| {
            let names = self.dims[dim].iter();
            let place = names.fold(0, |at, name| at * self.mesh.size(name) + self.mesh.place(device, name));
            let part = size / self.parts(dim);
            place * part..(place + 1) * part
        };
        shape.iter().enumerate().map(range).collect()
    }

    /// The first of the devices that hold what `device` holds.
    pub fn first_with_part_of(&self, device: usize) -> usize {
        let place = |axis: &Axis| if self.splits_over(axis.name) { self.mesh.place(device, axis.name) } else { 0 };
        self.mesh.axes.iter().fold(0, |at, axis| at * axis.size + place(axis))
    }

    /// The shape of a tensor whose parts are of this one.
    pub fn whole_shape(&self, part: &[usize]) -> Vec<usize> {
        part.iter().enumerate().map(|(dim, size)| size * self.parts(dim)).collect()
    }

    /// The tensor whose parts these are, each with a device that holds it: all of them.
    ///
    /// # Panics
    /// There is no part, or they differ in shape.
    pub fn join(&self, mut parts: Vec<(usize, HostTensor<'static>)>) -> HostTensor<'static> {
        if parts.len() == 1 {
            return parts.remove(0).1;
        }
        let (_, first) = &parts[0];
        let shape = self.whole_shape(first.shape());
        let bytes = vec![0; shape.iter().product::<usize>() * first.dtype().size()];
        let mut whole = HostTensor::new(first.dtype(), &shape, bytes).expect("the bytes fill the shape");
        for (device, part) in &parts {
            whole.set_part(&self.part(&shape, *device), part);
        }
        whole
    }

    /// The attribute of an argument or a result.
    pub(crate) fn attribute(&self) -> String {
        format!("sdy.sharding = #sdy.sharding{}", self.stablehlo())
    }

    /// As it stands in attributes, without their names.
    pub(crate) fn stablehlo(&self) -> String {
        let dims: Vec<String> = self.dims.iter().map(|names| closed(names)).collect();
        format!("<@mesh, [{}]>", dims.join(", "))
    }
}

/// A line of a table: over which axes of the mesh an axis of tensors is split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisRule {
    /// What the names of the tensors hold that it is for; `None`: it is for all.
    pub name: Option<String>,
    /// The name of the tensors' axis.
    pub axis: &'static str,
    /// The names of the mesh's axes, the outermost first; none: the axis stays whole.
    pub over: Vec<&'static str>,
}

impl AxisRule {
    /// Of an axis of all tensors.
    pub fn new(axis: &'static str, over: &[&'static str]) -> AxisRule {
        AxisRule { name: None, axis, over: over.to_vec() }
    }

    /// Of an axis of those tensors whose names hold `name`.
    pub fn of(name: &str, axis: &'static str, over: &[&'static str]) -> AxisRule {
        AxisRule { name: Some(name.to_owned()), ..AxisRule::new(axis, over) }
    }

    /// Whether it is for a tensor of this name, which may number its layer.
    pub fn names(&self, tensor: &str) -> bool {
        self.is_for(&without_numbers(tensor))
    }

    fn is_for(&self, name: &str) -> bool {
        self.name.as_ref().is_none_or(|part| name.contains(part.as_str()))
    }
}

/// Which axes of tensors are split over which of the mesh. In the names of tensors a `*` stands for each number, so that all layers of a
/// kind lie alike. The first rule that fits a tensor's axis counts; where two axes of a tensor ask
/// for one of the mesh, the one whose rule stands first gets it. An axis without a rule stays whole, unless it is `outermost`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AxisTable {
    /// For axes by name.
    pub rules: Vec<AxisRule>,
    /// For what no rule has split.
    pub outermost: Option<Outermost>,
}

/// Splits tensors that no rule has split over these axes of the mesh: along the outermost axis that divides, whatever its name, besides
/// what it is split over already. So each device's part stands in one piece, and is gathered without being transposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outermost {
    /// What the names of the tensors hold, one of these, that it is for; none: it is for all.
    pub names: Vec<String>,
    /// The names of the mesh's axes, the outermost first.
    pub over: Vec<&'static str>,
}

impl AxisTable {
    /// Of rules for axes by name alone.
    pub fn of(rules: Vec<AxisRule>) -> AxisTable {
        AxisTable { rules, outermost: None }
    }

    /// For each axis of a tensor what its rule says; `None` where it has none.
    fn look_up(&self, mesh: &Mesh, name: &str, axes: &[Axis]) -> Vec<Option<Vec<&'static str>>> {
        let mut taken: Vec<&str> = Vec::new();
        let mut found = vec![None; axes.len()];
        for rule in self.rules.iter().filter(|rule| rule.is_for(name)) {
            let dim = axes.iter().position(|axis| axis.name == rule.axis);
            if let Some(dim) = dim.filter(|dim| found[*dim].is_none()) {
                let own = free(mesh, &rule.over, &taken);
                taken.extend(&own);
                found[dim] = Some(own);
            }
        }
        found
    }

    /// How a tensor lies on a mesh. Its first `stacked` axes number tensors, none of which is the outermost of its own.
    ///
    /// # Errors
    /// An axis does not divide.
    fn sharding(&self, mesh: &Mesh, tensor: &str, axes: &[Axis], stacked: usize) -> Result<Sharding, Indivisible> {
        let name = without_numbers(tensor);
        let dims = self.look_up(mesh, &name, axes).into_iter().map(Option::unwrap_or_default).collect();
        let mut sharding = Sharding { mesh: mesh.clone(), dims };
        let indivisible = |dim: usize, over: &[&'static str]| Indivisible {
            tensor: tensor.to_owned(),
            axis: axes[dim],
            parts: mesh.parts(over),
            over: over.to_vec(),
        };
        if let Some(dim) = (0..axes.len()).find(|dim| !axes[*dim].size.is_multiple_of(sharding.parts(*dim))) {
            return Err(indivisible(dim, &sharding.dims[dim]));
        }
        let is_for =
            |rule: &&Outermost| rule.names.is_empty() || rule.names.iter().any(|part| name.contains(part.as_str()));
        let rest = self.outermost.as_ref().filter(is_for).map_or(&[][..], |rule| &rule.over);
        let rest = free(mesh, rest, &sharding.dims.concat());
        let is_kept_whole = |dim: usize| {
            let rule = self.rules.iter().find(|rule| rule.axis == axes[dim].name && rule.is_for(&name));
            rule.is_some_and(|rule| rule.over.is_empty())
        };
        let mut candidates = (stacked..axes.len()).filter(|dim| !is_kept_whole(*dim)).peekable();
        let Some(first) = candidates.peek().copied().filter(|_| !rest.is_empty()) else { return Ok(sharding) };
        let parts = |dim: usize| sharding.parts(dim) * mesh.parts(&rest);
        match candidates.find(|dim| axes[*dim].size.is_multiple_of(parts(*dim))) {
            Some(dim) => sharding.dims[dim].extend(rest),
            // A vector costs little where it is whole.
            None if axes.len() - stacked < 2 => {}
            None => return Err(indivisible(first, &[sharding.dims[first].clone(), rest].concat())),
        }
        Ok(sharding)
    }
}

/// Those of a mesh's axes that split something, and are not taken.
fn free(mesh: &Mesh, over: &[&'static str], taken: &[&str]) -> Vec<&'static str> {
    over.iter().filter(|name| mesh.size(name) > 1 && !taken.contains(name)).copied().collect()
}

/// A name with a `*` for each number, or numbers, in it.
pub fn without_numbers(name: &str) -> String {
    let is_number = |part: &str| part.starts_with('*') || part.bytes().all(|byte| byte.is_ascii_digit());
    name.split('.').map(|part| if is_number(part) { "*" } else { part }).collect::<Vec<_>>().join(".")
}

/// An axis of a tensor that does not divide into the parts of a mesh.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{tensor}: its axis `{}` of {} does not divide into {parts} parts, over the mesh's {}", axis.name, axis.size, over.join(" and ")
)]
pub struct Indivisible {
    /// The name of the tensor.
    pub tensor: String,
    /// The axis.
    pub axis: Axis,
    /// Into how many parts it should divide.
    pub parts: usize,
    /// The axes of the mesh that it should be split over.
    pub over: Vec<&'static str>,
}

/// How the tensors of programs lie on a mesh. No model knows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The devices.
    pub mesh: Mesh,
    /// Of parameters where they are held, of their gradients, and of what belongs to them, such as an optimizer's moments.
    pub parameters: AxisTable,
    /// Of all else: of data, of what is computed, and of parameters where they are computed with.
    pub activations: AxisTable,
    /// Whether products that are gradients are added up over devices in their own element type, where otherwise in f32 at least.
    pub narrow_sums: bool,
    /// Whether each device runs exchanges in the program's order, those within a loop and those beside it too: then a weight that all of a
    /// loop's steps compute with is gathered once, in front of the loop. Otherwise each step gathers it, and devices do not deadlock.
    pub exchanges_in_order: bool,
}

impl Partition {
    /// How a parameter lies, or several that the first `stacked` of the axes number.
    ///
    /// # Errors
    /// An axis does not divide.
    pub fn of_parameter(&self, name: &str, axes: &[Axis], stacked: usize) -> Result<Sharding, Indivisible> {
        self.parameters.sharding(&self.mesh, name, axes, stacked)
    }

    /// How something else lies, which stays whole along an axis that does not divide.
    pub fn of_activation(&self, axes: &[Axis]) -> Sharding {
        let dims = self.divided(axes).into_iter().map(Option::unwrap_or_default).collect();
        Sharding { mesh: self.mesh.clone(), dims }
    }

    /// For each axis of an activation over what it is split; `None` where no rule says so, or it does not divide.
    fn divided(&self, axes: &[Axis]) -> Vec<Option<Vec<&'static str>>> {
        let mut found = self.activations.look_up(&self.mesh, "", axes);
        for (over, axis) in found.iter_mut().zip(axes) {
            *over = over.take().filter(|over| axis.size.is_multiple_of(self.mesh.parts(over)));
        }
        found
    }

    /// The same mesh, over which nothing is split in what is computed but those of `axes` that divide in each of `types`.
    pub(crate) fn splitting(&self, axes: &[&str], types: &[TensorType]) -> Partition {
        let divides = |rule: &AxisRule| {
            let parts = self.mesh.parts(&rule.over);
            types.iter().flat_map(|ty| &ty.axes).all(|axis| axis.name != rule.axis || axis.size.is_multiple_of(parts))
        };
        let rules = self.activations.rules.iter().filter(|rule| axes.contains(&rule.axis) && divides(rule));
        // An axis lies alike in tensors that have another one for the same of the mesh and in those that have not.
        let (mut own, mut taken): (Vec<AxisRule>, Vec<&str>) = (Vec::new(), Vec::new());
        for rule in rules {
            if own.iter().all(|earlier| earlier.axis != rule.axis) {
                let over: Vec<&'static str> = rule.over.iter().filter(|name| !taken.contains(*name)).copied().collect();
                taken.extend(&over);
                own.push(AxisRule { over, ..rule.clone() });
            }
        }
        Partition { activations: AxisTable::of(own), ..self.clone() }
    }

    /// How a tensor lies of which each device's part has these axes.
    pub(crate) fn of_parts(&self, axes: &[Axis]) -> Sharding {
        let whole = |axis: &Axis| {
            let rule = self.activations.rules.iter().find(|rule| rule.axis == axis.name);
            Axis::new(axis.name, axis.size * rule.map_or(1, |rule| self.mesh.parts(&rule.over)))
        };
        // Of the parts themselves it would say only how they divide once more.
        self.of_activation(&axes.iter().map(whole).collect::<Vec<_>>())
    }

    /// What an activation is held to, as an attribute's text, if to anything: the partitioner decides about axes of which nothing is said.
    pub(crate) fn constraint(&self, axes: &[Axis]) -> Option<String> {
        let dims = self.divided(axes);
        let dim = |over: &Option<Vec<&'static str>>| over.as_ref().map_or(OPEN.to_owned(), |over| closed(over));
        let texts: Vec<String> = dims.iter().map(dim).collect();
        dims.iter().any(Option::is_some).then(|| format!("<@mesh, [{}]>", texts.join(", ")))
    }
}

/// A dimension that the partitioner decides about.
const OPEN: &str = "{?}";

fn closed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("{{{}}}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> Mesh {
        Mesh::new(&[Axis::new("dp", 2), Axis::new("fsdp", 3), Axis::new("mp", 2)])
    }

    fn table() -> AxisTable {
        AxisTable::of(vec![
            AxisRule::of("special", "embed", &["mp", "fsdp"]),
            AxisRule::of("whole", "embed", &[]),
            AxisRule::new("embed", &["fsdp"]),
            AxisRule::new("mlp", &["mp", "fsdp"]),
        ])
    }

    fn axes(of: &[(&'static str, usize)]) -> Vec<Axis> {
        of.iter().map(|(name, size)| Axis::new(name, *size)).collect()
    }

    #[test]
    fn each_device_has_its_part() {
        let weight = axes(&[("mlp", 4), ("embed", 6)]);
        let sharding = table().sharding(&mesh(), "w", &weight, 0).expect("it divides");
        assert_eq!(sharding.part_type(&TensorType::new(crate::DType::F32, &weight)).shape(), [2, 2]);
        let parts: Vec<_> = (0..12).map(|device| sharding.part(&[4, 6], device)).collect();
        assert_eq!(parts[0], [0..2, 0..2]);
        assert_eq!(parts[1], [2..4, 0..2]);
        assert_eq!(parts[2], [0..2, 2..4]);
        assert_eq!(parts[11], [2..4, 4..6]);
        // The mesh's outermost axis splits nothing: its halves hold the same.
        assert_eq!(parts[..6], parts[6..]);
        assert_eq!(sharding.first_with_part_of(11), 5);
        assert_eq!(sharding.part_count(), 6);
    }

    #[test]
    fn one_axis_may_be_split_over_several() {
        let sharding = table().sharding(&mesh(), "a.special.weight", &axes(&[("embed", 6)]), 0).expect("it divides");
        let starts: Vec<usize> = (0..6).map(|device| sharding.part(&[6], device)[0].start).collect();
        assert_eq!(starts, [0, 3, 1, 4, 2, 5]);
    }

    #[test]
    fn the_first_rule_counts_and_takes_the_meshs_axes() {
        let dims = |name: &str, of: &[(&'static str, usize)]| {
            table().sharding(&mesh(), name, &axes(of), 0).expect("it divides").dims().to_vec()
        };
        let weight = [("mlp", 12), ("embed", 12)];
        assert_eq!(dims("w", &weight), [vec!["mp"], vec!["fsdp"]]);
        // Nothing else asks for fsdp.
        assert_eq!(dims("w", &[("mlp", 12)]), [vec!["mp", "fsdp"]]);
        assert_eq!(dims("whole", &weight), [vec!["mp", "fsdp"], vec![]]);
        assert_eq!(dims("special", &weight), [vec![], vec!["mp", "fsdp"]]);
        assert_eq!(dims("w", &[("other", 5)]), [vec![""; 0]]);
    }

    #[test]
    fn all_layers_lie_alike() {
        let table =
            AxisTable::of(vec![AxisRule::of("layers.*.up", "mlp", &["mp"]), AxisRule::of("layers.1.up", "mlp", &[])]);
        let over =
            |name: &str| table.sharding(&mesh(), name, &axes(&[("mlp", 12)]), 0).expect("it divides").dims()[0].len();
        assert_eq!(["layers.1.up", "layers.*.up", "layers.*[1::2].up", "layers.up"].map(over), [1, 1, 1, 0]);
    }

    #[test]
    fn what_does_not_divide_is_named() {
        let error = table().sharding(&mesh(), "w", &axes(&[("embed", 7)]), 0).expect_err("7 is no multiple of 3");
        assert_eq!(error.to_string(), "w: its axis `embed` of 7 does not divide into 3 parts, over the mesh's fsdp");
    }

    #[test]
    fn what_no_rule_splits_is_split_along_its_outermost_axis_that_divides() {
        let outermost = Outermost { names: Vec::new(), over: vec!["fsdp"] };
        let rules = vec![AxisRule::of("whole", "mlp", &[]), AxisRule::of("factor", "rank", &["fsdp"])];
        let rules = [rules, vec![AxisRule::new("mlp", &["mp"])]].concat();
        let table = AxisTable { rules, outermost: Some(outermost) };
        let dims = |name: &str, of: &[(&'static str, usize)], stacked| {
            table.sharding(&mesh(), name, &axes(of), stacked).map(|sharding| sharding.dims().to_vec())
        };
        let none: Vec<&str> = Vec::new();
        assert_eq!(dims("up", &[("mlp", 12), ("embed", 12)], 0), Ok(vec![vec!["mp", "fsdp"], none.clone()]));
        assert_eq!(dims("down", &[("embed", 12), ("mlp", 12)], 0), Ok(vec![vec!["fsdp"], vec!["mp"]]));
        assert_eq!(
            dims("up", &[("layers", 3), ("mlp", 12), ("embed", 12)], 1),
            Ok(vec![none.clone(), vec!["mp", "fsdp"], none.clone()])
        );
        // 14 has no sixth part.
        assert_eq!(dims("up", &[("mlp", 14), ("embed", 12)], 0), Ok(vec![vec!["mp"], vec!["fsdp"]]));
        assert_eq!(dims("whole", &[("mlp", 12), ("embed", 12)], 0), Ok(vec![none.clone(), vec!["fsdp"]]));
        assert_eq!(dims("factor", &[("embed", 12), ("rank", 12)], 0), Ok(vec![none.clone(), vec!["fsdp"]]));
        assert_eq!(dims("bias", &[("vocab", 7)], 0), Ok(vec![none]));
        let error = dims("up", &[("mlp", 14), ("embed", 7)], 0).expect_err("neither has six or three parts");
        assert_eq!(
            error.to_string(),
            "up: its axis `mlp` of 14 does not divide into 6 parts, over the mesh's mp and fsdp"
        );
    }
}
