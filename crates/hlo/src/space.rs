//! What XLA's profiler recorded, read from `xplane.proto`: planes (a device, the host), their lines (a stream of a device), and events on them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::wire::{Field, Value, fields};

/// The bytes are no recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the plugin's profile cannot be read: {0}; this version of Finery does not know the plugin's format")]
pub struct Unreadable(&'static str);

/// A recording.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// A device's or the host's.
    pub planes: Vec<Plane>,
    /// What went wrong while it was made.
    pub errors: Vec<String>,
    /// What is missing in it.
    pub warnings: Vec<String>,
}

/// What happened on a device, or on the host.
#[derive(Clone, Debug, Default)]
pub struct Plane {
    /// Such as `/device:GPU:0`.
    pub name: String,
    /// In no order.
    pub lines: Vec<Line>,
}

/// Events that follow one another, or enclose one another.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The number of a stream or thread.
    pub id: u64,
    /// Such as `Stream #13(Compute)`.
    pub name: String,
    /// In no order.
    pub events: Vec<Event>,
}

/// What took some time.
#[derive(Clone, Debug)]
pub struct Event {
    /// Such as a kernel's name.
    pub name: Arc<str>,
    /// When it began, in picoseconds after the earliest line's own time.
    pub start_ps: u64,
    /// How long it took.
    pub duration_ps: u64,
    /// What else is known of it, by name.
    pub stats: Stats,
    /// What else is known of all events of its name.
    pub of_name: Arc<Stats>,
}

/// What is known, by name.
pub type Stats = Vec<(Arc<str>, Stat)>;

/// What is known of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Stat {
    /// Of 64 bits; negative ones as their complement.
    Number(u64),
    /// Text.
    Text(Arc<str>),
    /// What nothing here reads: fractions and bytes.
    Other,
}

impl Event {
    /// The text of a stat, such as `hlo_op`.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.stats.iter().chain(&*self.of_name).find_map(|(known, stat)| match stat {
            Stat::Text(text) if **known == *name => Some(&**text),
            _ => None,
        })
    }

    /// When it was over.
    pub fn end_ps(&self) -> u64 {
        self.start_ps.saturating_add(self.duration_ps)
    }
}

/// A day. What claims to be longer was not recorded.
const LONGEST_PS: u64 = 86_400_000_000_000_000;

impl Space {
    /// Without the byte of 0 that plugins put behind the message, and that other readers take for damage.
    pub fn trimmed(code: &[u8]) -> &[u8] {
        match (fields(code), code.strip_suffix(&[0])) {
            (None, Some(message)) => message,
            _ => code,
        }
    }

    /// Reads a serialized `XSpace`, [trimmed](Space::trimmed) or not.
    ///
    /// # Errors
    /// Bytes that are no such message, or times that are none.
    pub fn read(code: &[u8]) -> Result<Space, Unreadable> {
        let all = message(Space::trimmed(code))?;
        let mut space = Space::default();
        let mut planes = Vec::new();
        for Field { number, value } in all {
            match number {
                1 => planes.push(RawPlane::read(bytes(&value)?)?),
                2 => space.errors.push(text(&value)),
                3 => space.warnings.push(text(&value)),
                _ => {}
            }
        }
        // Whoever has no events says no time.
        let times = planes.iter().flat_map(|plane| &plane.lines).filter(|line| !line.events.is_empty());
        let first = times.map(|line| line.start_ns).min().unwrap_or(0);
        space.planes = planes.into_iter().map(|plane| plane.resolve(first)).collect::<Result<_, _>>()?;
        Ok(space)
    }
}

const DAMAGED: Unreadable = Unreadable("it is cut off or damaged");

/// A plane as it is written: names stand once, and are told by numbers.
struct RawPlane<'m> {
    name: String,
    lines: Vec<RawLine<'m>>,
    events: HashMap<u64, EventName<'m>>,
    stats: HashMap<u64, Arc<str>>,
}

/// What all events of a name have in common.
struct EventName<'m> {
    name: Arc<str>,
    stats: Vec<&'m [u8]>,
}

struct RawLine<'m> {
    id: u64,
    name: String,
    start_ns: u64,
    events: Vec<&'m [u8]>,
}

impl<'m> RawPlane<'m> {
    fn read(code: &'m [u8]) -> Result<RawPlane<'m>, Unreadable> {
        let mut plane =
            RawPlane { name: String::new(), lines: Vec::new(), events: HashMap::new(), stats: HashMap::new() };
        for Field { number, value } in message(code)? {
            match number {
                2 => plane.name = text(&value),
                3 => plane.lines.push(RawLine::read(bytes(&value)?)?),
                4 => {
                    let (key, value) = entry(bytes(&value)?)?;
                    plane.events.insert(key, EventName::read(value)?);
                }
                5 => {
                    let (key, value) = entry(bytes(&value)?)?;
                    let name = message(value)?.iter().rfind(|field| field.number == 2).map(|field| text(&field.value));
                    plane.stats.insert(key, name.unwrap_or_default().into());
                }
                _ => {}
            }
        }
        Ok(plane)
    }

    fn resolve(self, first_ns: u64) -> Result<Plane, Unreadable> {
        let mut texts = HashMap::new();
        let mut names = HashMap::new();
        for (id, EventName { name, stats }) in &self.events {
            let stats = stats.iter().map(|code| self.stat(code, &mut texts)).collect::<Result<Stats, _>>()?;
            names.insert(*id, (Arc::clone(name), Arc::new(stats)));
        }
        let unknown = (Arc::from(""), Arc::default());
        let mut lines = Vec::new();
        for line in &self.lines {
            let before = line.start_ns.saturating_sub(first_ns).checked_mul(1000).filter(|ps| *ps <= LONGEST_PS);
            let before = match (before, line.events.is_empty()) {
                (Some(before), _) => before,
                (None, true) => 0,
                (None, false) => return Err(Unreadable("its lines are days apart")),
            };
            let events = line.events.iter().map(|code| {
                let (id, event) = self.event(code, before, &mut texts)?;
                let (name, of_name) = names.get(&id).unwrap_or(&unknown);
                Ok(Event { name: Arc::clone(name), of_name: Arc::clone(of_name), ..event })
            });
            let events = events.collect::<Result<_, _>>()?;
            lines.push(Line { id: line.id, name: line.name.clone(), events });
        }
        Ok(Plane { name: self.name, lines })
    }

    /// The number of its name, and the rest of an `XEvent` on a line whose time is so long after the earliest.
    fn event(
        &self,
        code: &'m [u8],
        before_ps: u64,
        texts: &mut HashMap<&'m [u8], Arc<str>>,
    ) -> Result<(u64, Event), Unreadable> {
        let (mut id, mut offset, mut duration, mut stats) = (0, 0, 0, Stats::new());
        for Field { number, value } in message(code)? {
            match number {
                1 => id = value.number().unwrap_or(0),
                2 => offset = value.number().unwrap_or(0),
                3 => duration = value.number().unwrap_or(0),
                4 => stats.push(self.stat(bytes(&value)?, texts)?),
                _ => {}
            }
        }
        if offset > LONGEST_PS || duration > LONGEST_PS {
            return Err(Unreadable("an event takes days"));
        }
        let (name, of_name) = (Arc::from(""), Arc::default());
        Ok((id, Event { name, start_ps: before_ps + offset, duration_ps: duration, stats, of_name }))
    }

    /// `XStat`. Texts that stand many times are held once: a short message could ask for a great many copies of a long one.
    fn stat(&self, code: &'m [u8], texts: &mut HashMap<&'m [u8], Arc<str>>) -> Result<(Arc<str>, Stat), Unreadable> {
        let (mut id, mut stat) = (0, Stat::Other);
        for Field { number, value } in message(code)? {
            match number {
                1 => id = value.number().unwrap_or(0),
                3 | 4 => stat = Stat::Number(value.number().unwrap_or(0)),
                5 => {
                    let code = bytes(&value)?;
                    let known = texts.entry(code).or_insert_with(|| String::from_utf8_lossy(code).into());
                    stat = Stat::Text(Arc::clone(known));
                }
                // A text that stands as the name of a stat.
                7 => {
                    let name = value.number().and_then(|id| self.stats.get(&id));
                    stat = name.map_or(Stat::Other, |name| Stat::Text(Arc::clone(name)));
                }
                _ => {}
            }
        }
        let name = self.stats.get(&id).map_or_else(|| Arc::from(""), Arc::clone);
        Ok((name, stat))
    }
}

impl<'m> EventName<'m> {
    /// `XEventMetadata`.
    fn read(code: &'m [u8]) -> Result<EventName<'m>, Unreadable> {
        let (mut name, mut shown, mut stats) = (String::new(), String::new(), Vec::new());
        for Field { number, value } in message(code)? {
            match number {
                2 => name = text(&value),
                4 => shown = text(&value),
                5 => stats.push(bytes(&value)?),
                _ => {}
            }
        }
        Ok(EventName { name: if name.is_empty() { shown } else { name }.into(), stats })
    }
}

impl<'m> RawLine<'m> {
    /// `XLine`.
    fn read(code: &'m [u8]) -> Result<RawLine<'m>, Unreadable> {
        let mut line = RawLine { id: 0, name: String::new(), start_ns: 0, events: Vec::new() };
        let mut shown = String::new();
        for Field { number, value } in message(code)? {
            match number {
                1 => line.id = value.number().unwrap_or(0),
                2 => line.name = text(&value),
                3 => line.start_ns = value.number().unwrap_or(0),
                4 => line.events.push(bytes(&value)?),
                11 => shown = text(&value),
                _ => {}
            }
        }
        if line.name.is_empty() {
            line.name = shown;
        }
        Ok(line)
    }
}

/// Key and value of a map's entry.
fn entry(code: &[u8]) -> Result<(u64, &[u8]), Unreadable> {
    let (mut key, mut inner) = (0, &[][..]);
    for Field { number, value } in message(code)? {
        match number {
            1 => key = value.number().unwrap_or(0),
            2 => inner = bytes(&value)?,
            _ => {}
        }
    }
    Ok((key, inner))
}

fn message(code: &[u8]) -> Result<Vec<Field<'_>>, Unreadable> {
    fields(code).ok_or(DAMAGED)
}

fn bytes<'m>(value: &Value<'m>) -> Result<&'m [u8], Unreadable> {
    value.bytes().ok_or(Unreadable("a message in it is none"))
}

fn text(value: &Value<'_>) -> String {
    String::from_utf8_lossy(value.bytes().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::written::{bytes, number};

    fn named(field: u64, id: u64, name: &str, more: &[u8]) -> Vec<u8> {
        let value = [number(1, id), bytes(2, name.as_bytes()), more.to_vec()].concat();
        bytes(field, &[number(1, id), bytes(2, &value)].concat())
    }

    fn event(id: u64, offset: u64, duration: u64, stats: &[Vec<u8>]) -> Vec<u8> {
        let stats: Vec<u8> = stats.iter().flat_map(|stat| bytes(4, stat)).collect();
        bytes(4, &[number(1, id), number(2, offset), number(3, duration), stats].concat())
    }

    fn line(name: &str, start_ns: u64, events: &[Vec<u8>]) -> Vec<u8> {
        bytes(3, &[number(1, 7), bytes(2, name.as_bytes()), number(3, start_ns), events.concat()].concat())
    }

    /// A device with two kernels on a line that begins 2 ns after the host's.
    fn space() -> Vec<u8> {
        let of_kernel = bytes(5, &[number(1, 1), bytes(5, b"regs:16")].concat());
        let graph = [number(1, 2), number(7, 3)].concat();
        let fraction = [number(1, 4), vec![2 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
        let events = [event(5, 500, 100, &[graph, fraction]), event(9, 0, 7, &[])];
        let device = [
            bytes(2, b"/device:GPU:0"),
            line("Stream #7(Compute)", 1_700_000_000_000_000_002, &events),
            line("Stream #8", 0, &[]),
            named(4, 5, "loop_add_fusion", &of_kernel),
            [named(5, 1, "kernel_details", &[]), named(5, 2, "hlo_op", &[])].concat(),
            [named(5, 3, "command_buffer_1", &[]), named(5, 4, "occupancy", &[])].concat(),
        ];
        let host = [bytes(2, b"/host:CPU"), line("thread", 1_700_000_000_000_000_000, &[event(1, 0, 1, &[])])];
        [bytes(1, &device.concat()), bytes(1, &host.concat()), bytes(3, b"some were lost")].concat()
    }

    #[test]
    fn a_recording_is_read() {
        let space = Space::read(&space()).expect("it is whole");
        assert_eq!((space.planes.len(), &space.warnings[..]), (2, &["some were lost".to_owned()][..]));
        let Plane { name, lines } = &space.planes[0];
        assert_eq!((name.as_str(), lines.len(), lines[0].id), ("/device:GPU:0", 2, 7));
        let [first, second] = &lines[0].events[..] else { panic!("{lines:?}") };
        assert_eq!((&*first.name, first.start_ps, first.end_ps()), ("loop_add_fusion", 2_500, 2_600));
        let texts = ["hlo_op", "kernel_details", "occupancy", "nothing"].map(|stat| first.text(stat));
        assert_eq!(texts, [Some("command_buffer_1"), Some("regs:16"), None, None]);
        // Of a name that nothing tells.
        assert_eq!((&*second.name, second.start_ps, second.stats.len()), ("", 2_000, 0));
    }

    #[test]
    fn a_byte_behind_the_message_is_none_of_it() {
        let whole = space();
        let padded = [&whole[..], &[0]].concat();
        assert_eq!((Space::trimmed(&padded), Space::trimmed(&whole)), (&whole[..], &whole[..]));
        assert_eq!(Space::read(&padded).expect("it is whole").planes.len(), 2);
        assert!(Space::read(&[]).expect("nothing is a recording of nothing").planes.is_empty());
        assert!(Space::trimmed(&[0]).is_empty());
    }

    #[test]
    fn damage_is_read_or_refused() {
        let whole = space();
        for end in 0..whole.len() {
            let _ = Space::read(&whole[..end]);
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let _ = Space::read(&damaged);
            }
        }
    }

    #[test]
    fn times_that_are_none_are_refused() {
        let of = |line: Vec<u8>| Space::read(&bytes(1, &line)).map_err(|error| error.to_string());
        let message = of(line("Stream", 0, &[event(1, 0, u64::MAX, &[])])).expect_err("it is refused");
        assert!(message.contains("an event takes days"), "{message}");
        let lines = [line("Stream", 1, &[event(1, 0, 1, &[])]), line("Stream", u64::MAX, &[event(1, 0, 1, &[])])];
        let message = of(lines.concat()).expect_err("it is refused");
        assert!(message.contains("its lines are days apart"), "{message}");
    }

    /// What a message says once and many events mean is held once.
    #[test]
    fn a_name_of_many_events_is_one() {
        let long = "x".repeat(1 << 16);
        let text = [number(1, 1), bytes(5, long.as_bytes())].concat();
        let events: Vec<Vec<u8>> = (0..1000).map(|_| event(5, 0, 1, &[])).collect();
        let plane = [line("Stream", 0, &events), named(4, 5, &long, &bytes(5, &text)), named(5, 1, "details", &[])];
        let space = Space::read(&bytes(1, &plane.concat())).expect("it is whole");
        let all = &space.planes[0].lines[0].events;
        assert_eq!(all.len(), 1000);
        assert!(all.iter().all(|event| Arc::ptr_eq(&event.name, &all[0].name)));
        assert!(all.iter().all(|event| Arc::ptr_eq(&event.of_name, &all[0].of_name)));
        assert_eq!(all[999].text("details"), Some(long.as_str()));
    }
}
