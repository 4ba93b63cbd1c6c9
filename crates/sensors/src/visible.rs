//! Which GPUs a vendor's runtime shows this process, and in which order: the variables with which users choose.

use std::env;

/// The variables that choose GPUs, as the process finds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleDevices {
    /// `CUDA_VISIBLE_DEVICES`, which HIP obeys too where its own is not set.
    pub cuda: Option<String>,
    /// `CUDA_DEVICE_ORDER`.
    pub cuda_order: Option<String>,
    /// `HIP_VISIBLE_DEVICES`.
    pub hip: Option<String>,
    /// `ROCR_VISIBLE_DEVICES`.
    pub rocr: Option<String>,
}

impl VisibleDevices {
    /// Those of this process.
    pub fn from_process() -> VisibleDevices {
        let variable = |name| env::var(name).ok();
        VisibleDevices {
            cuda: variable("CUDA_VISIBLE_DEVICES"),
            cuda_order: variable("CUDA_DEVICE_ORDER"),
            hip: variable("HIP_VISIBLE_DEVICES"),
            rocr: variable("ROCR_VISIBLE_DEVICES"),
        }
    }

    /// What CUDA numbers from 0 on: for each the place in `uuids`, which are those of all GPUs in the order of the PCI bus, or `None` where it
    /// cannot be told which it is.
    ///
    /// By itself CUDA puts the fastest GPU first and says nothing of the others, so that its numbers are known only where all are `alike` or
    /// `CUDA_DEVICE_ORDER` is `PCI_BUS_ID`. UUIDs, also shortened, are always known; parts of a GPU (`MIG-…`) have no sensors of their own.
    pub(crate) fn cuda(&self, uuids: &[String], alike: bool) -> Vec<Option<usize>> {
        let numbered = alike || self.cuda_order.as_deref() == Some("PCI_BUS_ID");
        let known = |place: usize| numbered.then_some(place);
        match &self.cuda {
            None => (0..uuids.len()).map(known).collect(),
            Some(list) => chosen(list, uuids).into_iter().map(|entry| entry.place(known)).collect(),
        }
    }

    /// As [`VisibleDevices::cuda`], for HIP: `uuids` are in the order of the kernel driver's topology, which the runtime follows.
    /// `ROCR_VISIBLE_DEVICES` chooses first, and HIP's numbers count what is left.
    pub(crate) fn rocm(&self, uuids: &[String]) -> Vec<Option<usize>> {
        let whole: Vec<Option<usize>> = (0..uuids.len()).map(Some).collect();
        let left: Vec<Option<usize>> = match &self.rocr {
            None => whole,
            Some(list) => chosen(list, uuids).into_iter().map(|entry| entry.place(Some)).collect(),
        };
        // An empty one is taken as if it were not set.
        let hip = [&self.hip, &self.cuda].into_iter().flatten().find(|list| !list.trim().is_empty());
        let Some(list) = hip else { return left };
        let left_uuids: Vec<String> =
            left.iter().map(|place| place.map_or_else(String::new, |place| uuids[place].clone())).collect();
        let pick = |entry: Entry| entry.place(Some).and_then(|place| left[place]);
        chosen(list, &left_uuids).into_iter().map(pick).collect()
    }
}

/// An entry of a list that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Number(usize),
    Uuid(usize),
    Part,
}

impl Entry {
    fn place(self, of_number: impl Fn(usize) -> Option<usize>) -> Option<usize> {
        match self {
            Entry::Number(place) => of_number(place),
            Entry::Uuid(place) => Some(place),
            Entry::Part => None,
        }
    }
}

/// The entries of a list up to the first that names nothing, where the runtimes stop too; `-1` is the customary one.
fn chosen(list: &str, uuids: &[String]) -> Vec<Entry> {
    let entry = |text: &str| -> Option<Entry> {
        if let Ok(number) = text.parse::<usize>() {
            return (number < uuids.len()).then_some(Entry::Number(number));
        }
        if text.starts_with("MIG-") {
            return Some(Entry::Part);
        }
        let mut named = (0..uuids.len()).filter(|place| text.starts_with("GPU-") && uuids[*place].starts_with(text));
        let place = named.next()?;
        // A beginning that several share names none.
        named.next().is_none().then_some(Entry::Uuid(place))
    };
    list.split(',').map_while(|text| entry(text.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uuids() -> Vec<String> {
        ["GPU-aa11", "GPU-aa22", "GPU-bb33"].map(str::to_owned).to_vec()
    }

    #[test]
    fn cuda() {
        let visible = |list: Option<&str>, order: Option<&str>| VisibleDevices {
            cuda: list.map(str::to_owned),
            cuda_order: order.map(str::to_owned),
            ..VisibleDevices::default()
        };
        let cases: [(Option<&str>, &[Option<usize>]); 9] = [
            (None, &[Some(0), Some(1), Some(2)]),
            (Some(""), &[]),
            (Some("2, 0"), &[Some(2), Some(0)]),
            (Some("1,-1,0"), &[Some(1)]),
            (Some("1,7,0"), &[Some(1)]),
            (Some("GPU-bb,0"), &[Some(2), Some(0)]),
            (Some("GPU-aa,0"), &[]),
            (Some("MIG-0123,1"), &[None, Some(1)]),
            (Some("NoDevFiles"), &[]),
        ];
        for (list, expected) in cases {
            assert_eq!(visible(list, None).cuda(&uuids(), true), expected, "{list:?}");
        }
        // Of cards that differ, which is number 0 depends on CUDA's guess of the fastest.
        assert_eq!(visible(Some("0,GPU-aa2"), None).cuda(&uuids(), false), [None, Some(1)]);
        assert_eq!(visible(None, None).cuda(&uuids(), false), [None; 3]);
        assert_eq!(visible(Some("1"), Some("FASTEST_FIRST")).cuda(&uuids(), false), [None]);
        assert_eq!(visible(Some("1"), Some("PCI_BUS_ID")).cuda(&uuids(), false), [Some(1)]);
    }

    #[test]
    fn rocm() {
        let order = |variables: [Option<&str>; 3]| {
            let [rocr, hip, cuda] = variables.map(|list| list.map(str::to_owned));
            VisibleDevices { rocr, hip, cuda, cuda_order: None }.rocm(&uuids())
        };
        assert_eq!(order([None, None, None]), [Some(0), Some(1), Some(2)]);
        assert_eq!(order([Some("2,1"), None, None]), [Some(2), Some(1)]);
        assert_eq!(order([Some("2,1"), Some("1"), None]), [Some(1)]);
        assert_eq!(order([Some("2,1"), Some("1"), Some("0")]), [Some(1)]);
        assert_eq!(order([None, None, Some("2")]), [Some(2)]);
        assert_eq!(order([None, Some(""), Some("2")]), [Some(2)]);
        assert_eq!(order([Some(""), None, None]), []);
        assert_eq!(order([Some("GPU-bb33,0"), Some("1,2"), None]), [Some(0)]);
    }
}
