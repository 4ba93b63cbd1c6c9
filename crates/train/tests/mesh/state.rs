//! Trained state on its way from the devices of one mesh to those of another.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use graph::{DType, HostTensor};
use mesh::Rules;
use models::LayerLoop;
use runtime::HostPart;

use crate::{Sizes, batch, llama, on, plan, trainer};

/// Whatever mesh it comes from: each element is copied to the host once, and of a file no more is read than the devices hold, each part once.
#[test]
fn each_device_gives_and_takes_its_part() {
    let plan = plan(&llama(), LayerLoop::Loop);
    let of = |mesh: Sizes| trainer(on(&plan, &Rules::default(), mesh));
    let mut before = of((1, 8, 1));
    before.step(&batch(plan.batch, 1), 1, 1e-2, 7).unwrap();
    let mut whole: BTreeMap<String, HostTensor<'static>> = BTreeMap::new();
    let mut reader = before.reader();
    for spec in before.state() {
        let parts = reader.read_parts(&spec.name, DType::F32).unwrap();
        assert_eq!(parts.len(), 8, "{}", spec.name);
        assert!(reader.part_ranges(&spec.name).unwrap().iter().eq(parts.iter().map(|part| &part.ranges)));
        let count = spec.shape.iter().product();
        assert_eq!(parts.iter().map(|part| part.tensor.len()).sum::<usize>(), count, "{}", spec.name);
        // What no part holds stays no number, and so is never equal.
        let mut tensor = HostTensor::from_vec(&spec.shape, vec![f32::NAN; count]).unwrap();
        parts.iter().for_each(|HostPart { ranges, tensor: part }| tensor.set_part(ranges, part));
        assert_eq!(tensor, reader.read(&spec.name, DType::F32).unwrap());
        assert!(tensor.to_f32().iter().all(|value| value.is_finite()), "{}", spec.name);
        whole.insert(spec.name, tensor);
    }

    let mut after = of((2, 2, 2));
    let mut asked: BTreeSet<(String, Vec<usize>)> = BTreeSet::new();
    let take = |name: &str, ranges: &[Range<usize>]| {
        let tensor = whole[name].part(ranges).into_owned();
        let parts = if tensor.shape().len() == 2 { 4 } else { 2 };
        assert_eq!(tensor.len() * parts, whole[name].len(), "{name}");
        let is_new = asked.insert((name.to_owned(), ranges.iter().map(|range| range.start).collect()));
        assert!(is_new, "{name} {ranges:?} is read twice");
        Ok(tensor)
    };
    after.restore(take).unwrap();
    let mut reader = after.reader();
    for (name, tensor) in &whole {
        assert!(reader.read(name, DType::F32).unwrap() == *tensor, "{name}");
    }
}
