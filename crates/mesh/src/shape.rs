//! The sizes of a mesh: as they are asked for, and as they are on a machine.

use std::fmt;
use std::str::FromStr;

use graph::{Axis, Indivisible, Mesh};

use crate::tables::MESH_AXES;

/// The sizes of a mesh's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshShape {
    /// Data parallel.
    pub dp: usize,
    /// Fully sharded data parallel.
    pub fsdp: usize,
    /// Model parallel.
    pub mp: usize,
}

/// The size of an axis of a mesh as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshSize {
    /// What the other sizes leave of the devices that there are.
    Auto,
    /// So many devices.
    Devices(usize),
}

/// The most devices along an axis: far above any machine, so that the product of three is a number too.
const DEVICES_MAX: usize = 65_536;

/// The sizes of a mesh as they are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshSizes {
    /// Data parallel.
    pub dp: MeshSize,
    /// Fully sharded data parallel.
    pub fsdp: MeshSize,
    /// Model parallel.
    pub mp: MeshSize,
}

/// Devices that no mesh can be made of, and tensors that do not divide over one.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// No sizes.
    #[error("a mesh is written as `fsdp=4,mp=2`, with {} for an axis and {} for its size; found {found:?}", MESH_AXES.join(", "), MeshSize::WORDS)]
    Sizes {
        /// What was given.
        found: String,
    },
    /// An axis has two sizes.
    #[error("`{axis}` is given twice: give each axis of the mesh one size")]
    Twice {
        /// The axis.
        axis: &'static str,
    },
    /// More than one size is to be found.
    #[error("the mesh has more than one size that is `auto`: give all but one a number")]
    Autos,
    /// The devices do not divide.
    #[error(
        "the mesh has a size that is `auto`, but its other sizes, {given} devices, do not divide the {devices} that there are: give others, whose product divides {devices}"
    )]
    Remainder {
        /// The product of the sizes that are given.
        given: usize,
        /// The number of devices.
        devices: usize,
    },
    /// The rows of a micro-batch do not divide.
    #[error(
        "`micro_batch_size` is {rows}, and the mesh spreads rows over {parts} devices (dp times fsdp): make it a multiple of that"
    )]
    Rows {
        /// Rows of a micro-batch.
        rows: usize,
        /// Over how many parts they are spread.
        parts: usize,
    },
    /// The positions of a row do not divide.
    #[error(
        "`sequence_len` is {positions}, and `mesh.sequence_parallel` splits rows over {parts} devices (mp): make it a multiple of that"
    )]
    Positions {
        /// Positions of a row.
        positions: usize,
        /// Over how many parts they are split.
        parts: usize,
    },
    /// A layer reads positions one after the other.
    #[error(
        "`mesh.sequence_parallel` splits rows by their positions, and the model's state space layers read these one after the other: \
         leave it false"
    )]
    Recurrence,
    /// A parameter does not divide.
    #[error("{0}: give the mesh sizes that divide it, or keep the axis whole by `mesh.parameters.{axis}=none`", axis = .0.axis.name)]
    Parameter(Indivisible),
}

impl MeshSize {
    /// What a size may be.
    pub const WORDS: &str = "a whole number from 1 to 65536, or `auto` for what the other sizes leave of the devices";
}

impl FromStr for MeshSize {
    type Err = ();

    fn from_str(text: &str) -> Result<MeshSize, ()> {
        match text.parse() {
            _ if text == "auto" => Ok(MeshSize::Auto),
            Ok(count) if (1..=DEVICES_MAX).contains(&count) => Ok(MeshSize::Devices(count)),
            _ => Err(()),
        }
    }
}

impl fmt::Display for MeshSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshSize::Auto => f.write_str("auto"),
            MeshSize::Devices(count) => write!(f, "{count}"),
        }
    }
}

impl Default for MeshSize {
    /// One device.
    fn default() -> MeshSize {
        MeshSize::Devices(1)
    }
}

impl FromStr for MeshSizes {
    type Err = MeshError;

    /// Reads `fsdp=4,mp=2`; an axis that is not named has a size of 1.
    fn from_str(text: &str) -> Result<MeshSizes, MeshError> {
        let error = || MeshError::Sizes { found: text.to_owned() };
        let [mut dp, mut fsdp, mut mp] = [None; 3];
        for part in text.split(',') {
            let (axis, size) = part.split_once('=').ok_or_else(error)?;
            let (axis, place) = match axis.trim() {
                "dp" => ("dp", &mut dp),
                "fsdp" => ("fsdp", &mut fsdp),
                "mp" => ("mp", &mut mp),
                _ => return Err(error()),
            };
            if place.replace(size.trim().parse().map_err(|()| error())?).is_some() {
                return Err(MeshError::Twice { axis });
            }
        }
        let [dp, fsdp, mp] = [dp, fsdp, mp].map(Option::unwrap_or_default);
        Ok(MeshSizes { dp, fsdp, mp })
    }
}

impl MeshSizes {
    fn all(&self) -> [MeshSize; 3] {
        [self.dp, self.fsdp, self.mp]
    }

    /// How many devices are asked for by number.
    pub fn given(&self) -> usize {
        let count = |size: MeshSize| if let MeshSize::Devices(count) = size { count } else { 1 };
        self.all().into_iter().map(count).product()
    }

    /// Whether the number of devices says what the sizes are.
    pub fn has_auto(&self) -> bool {
        self.all().contains(&MeshSize::Auto)
    }

    /// The mesh on a machine with so many devices.
    ///
    /// # Errors
    /// What is `auto` cannot be told.
    pub fn on(&self, devices: usize) -> Result<MeshShape, MeshError> {
        let given = self.given();
        let autos = self.all().into_iter().filter(|size| *size == MeshSize::Auto).count();
        if autos > 1 {
            return Err(MeshError::Autos);
        }
        if autos == 1 && !devices.is_multiple_of(given) {
            return Err(MeshError::Remainder { given, devices });
        }
        let [dp, fsdp, mp] = self.all().map(|size| match size {
            MeshSize::Auto => devices / given,
            MeshSize::Devices(count) => count,
        });
        Ok(MeshShape { dp, fsdp, mp })
    }
}

impl MeshShape {
    /// The number of devices.
    pub fn device_count(&self) -> usize {
        self.dp * self.fsdp * self.mp
    }

    /// Over how many parts the rows of a micro-batch are spread.
    pub fn row_parts(&self) -> usize {
        self.dp * self.fsdp
    }

    /// The names of its axes, the outermost first, each with its size.
    pub fn sizes(&self) -> [(&'static str, usize); 3] {
        let [dp, fsdp, mp] = MESH_AXES;
        [(dp, self.dp), (fsdp, self.fsdp), (mp, self.mp)]
    }

    /// Its devices.
    pub(crate) fn mesh(&self) -> Mesh {
        Mesh::new(&self.sizes().map(|(name, size)| Axis::new(name, size)))
    }

    /// Refuses a micro-batch whose rows do not divide over the devices.
    ///
    /// # Errors
    /// They do not.
    pub fn check_rows(&self, rows: usize) -> Result<(), MeshError> {
        let parts = self.row_parts();
        if rows.is_multiple_of(parts) { Ok(()) } else { Err(MeshError::Rows { rows, parts }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_found() {
        let shape = |text: &str, devices| text.parse::<MeshSizes>().and_then(|sizes| sizes.on(devices));
        let sizes = |shape: MeshShape| (shape.dp, shape.fsdp, shape.mp);
        assert_eq!(sizes(shape("fsdp=4,mp=2", 1).expect("three numbers")), (1, 4, 2));
        assert_eq!(sizes(shape("dp=2, fsdp=auto", 8).expect("4 are left")), (2, 4, 1));
        let refused = [
            ("", "a mesh is written as `fsdp=4,mp=2`"),
            ("fsdp", "a mesh is written as"),
            ("tp=2", "with dp, fsdp, mp for an axis"),
            ("fsdp=2,fsdp=4", "`fsdp` is given twice"),
            ("mp=0", "a whole number from 1 to 65536"),
            ("mp=auto,dp=auto", "more than one size"),
            (
                "mp=3,dp=auto",
                "its other sizes, 3 devices, do not divide the 8 that there are: give others, whose product divides 8",
            ),
        ];
        for (text, rule) in refused {
            let error = shape(text, 8).expect_err("it is no mesh").to_string();
            assert!(error.contains(rule), "{text}: {error}");
        }
    }

    #[test]
    fn rows_are_spread_over_dp_and_fsdp() {
        let shape = MeshShape { dp: 2, fsdp: 4, mp: 3 };
        assert!(shape.check_rows(16).is_ok());
        let error = shape.check_rows(12).expect_err("12 is no multiple of 8").to_string();
        assert!(error.starts_with("`micro_batch_size` is 12, and the mesh spreads rows over 8 devices"), "{error}");
    }
}
