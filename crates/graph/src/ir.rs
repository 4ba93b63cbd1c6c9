//! The arena that holds a traced graph: values, nodes and regions.
//!
//! A node belongs to one region; a region is the graph itself, the body of a scan, or one half of a `custom_vjp`. Once a region is
//! closed its nodes use only its own values: what a scan body captured has become a parameter of it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::ops::Op;
use crate::param::{ParamSpec, Stack};
use crate::place::{Here, Place};
use crate::{Axis, GraphError, Partition, TensorType};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ValueId(pub(crate) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RegionId(pub(crate) u32);

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Def {
    /// Parameter of its region, by position.
    Param(usize),
    /// Result of a node.
    Result(NodeId),
}

#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) ty: TensorType,
    pub(crate) region: RegionId,
    pub(crate) def: Def,
    /// The name under which a rematerialisation policy knows this value.
    pub(crate) tag: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) inputs: Vec<ValueId>,
    pub(crate) results: Vec<ValueId>,
    /// What it belongs to.
    pub(crate) here: Here,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    pub(crate) params: Vec<ValueId>,
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) results: Vec<ValueId>,
}

/// A region that is being traced.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) region: RegionId,
    pub(crate) kind: FrameKind,
}

#[derive(Debug)]
pub(crate) enum FrameKind {
    Root,
    /// The body of a scan over `axis`. `sliced` lists inputs that were added while tracing: a parameter of the body, and the stacked
    /// value outside of which it is one slice.
    Scan {
        axis: Axis,
        sliced: Vec<(ValueId, ValueId)>,
    },
    /// A body that may use its own values only: of a `custom_vjp`.
    Closed,
    /// The same, of what each device computes for its own part.
    PerShard,
}

/// What a parameter of the root region is: data and the like, by its name with a `*` for each axis that it is stacked along; something that
/// belongs to a parameter, such as a moment; or one of the graph's parameters, by position.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Input(String, Vec<Stack>),
    Slot(String, Vec<Stack>),
    Param(usize),
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) values: Vec<Value>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) regions: Vec<Region>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) params: Vec<(ParamSpec, ValueId)>,
    /// The names of the checkpoint's tensors that they hold.
    pub(crate) tensors: HashSet<String>,
    pub(crate) error: Option<GraphError>,
    /// What nodes belong to; the first is the graph as a whole.
    pub(crate) places: Vec<Arc<Place>>,
    /// What new nodes belong to.
    pub(crate) here: Here,
    /// How tensors lie on several devices.
    pub(crate) partition: Option<Partition>,
}

pub(crate) const ROOT: RegionId = RegionId(0);

impl Inner {
    pub(crate) fn new(partition: Option<Partition>) -> Inner {
        Inner {
            values: Vec::new(),
            nodes: Vec::new(),
            regions: vec![Region::default()],
            frames: vec![Frame { region: ROOT, kind: FrameKind::Root }],
            arguments: Vec::new(),
            params: Vec::new(),
            tensors: HashSet::new(),
            error: None,
            places: vec![Arc::default()],
            here: Here::default(),
            partition,
        }
    }

    pub(crate) fn value(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    pub(crate) fn ty(&self, id: ValueId) -> &TensorType {
        &self.values[id.0 as usize].ty
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    pub(crate) fn region_mut(&mut self, id: RegionId) -> &mut Region {
        &mut self.regions[id.0 as usize]
    }

    /// The region that new nodes go to.
    pub(crate) fn current(&self) -> RegionId {
        self.frames.last().map_or(ROOT, |frame| frame.region)
    }

    pub(crate) fn new_value(&mut self, ty: TensorType, region: RegionId, def: Def) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(Value { ty, region, def, tag: None });
        id
    }

    pub(crate) fn new_region(&mut self) -> RegionId {
        let id = RegionId(self.regions.len() as u32);
        self.regions.push(Region::default());
        id
    }

    pub(crate) fn new_region_param(&mut self, region: RegionId, ty: TensorType) -> ValueId {
        let position = self.region(region).params.len();
        let id = self.new_value(ty, region, Def::Param(position));
        self.region_mut(region).params.push(id);
        id
    }

    /// Appends a node to `region`, with one new value for each of `types`.
    pub(crate) fn append(&mut self, region: RegionId, op: Op, inputs: Vec<ValueId>, types: Vec<TensorType>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let results = types.into_iter().map(|ty| self.new_value(ty, region, Def::Result(id))).collect();
        self.nodes.push(Node { op, inputs, results, here: self.here });
        self.region_mut(region).nodes.push(id);
        id
    }

    /// The slice of a stacked value from outside that the scan of frame `depth` hands its body: a parameter of the body.
    pub(crate) fn slice_in_frame(&mut self, depth: usize, whole: ValueId) -> ValueId {
        let frame = &self.frames[depth];
        let (region, FrameKind::Scan { axis, sliced }) = (frame.region, &frame.kind) else { return whole };
        if let Some((known, _)) = sliced.iter().find(|(_, outside)| *outside == whole) {
            return *known;
        }
        let ty = self.ty(whole).without(axis.name);
        let slice = self.new_region_param(region, ty);
        if let FrameKind::Scan { sliced, .. } = &mut self.frames[depth].kind {
            sliced.push((slice, whole));
        }
        slice
    }

    /// Records the first error; later ones are consequences of it.
    pub(crate) fn fail(&mut self, error: GraphError) {
        self.error.get_or_insert(error);
    }
}
