//! The process's allocator: jemalloc where it is supported. It stands in the binary under the names of the C library, and so serves
//! the plugins as well.
//!
//! The CPU plugin takes a program's temporaries and outputs from `malloc` at every run. Given back to the kernel they come again as
//! pages that are zeroed first, a fifth of the time of a training step, so they are kept; but not those of loading a model,
//! whose sizes nothing asks for again.

use runtime::plugins::Platform;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// To be called when all is loaded and the same programs will run again and again: from here on, memory that was freed stays with
/// the process. Does nothing for devices with memory of their own, or where the user has set jemalloc up.
pub(crate) fn keep_freed_memory(platform: Platform) {
    let set_up = |&(name, value): &(&str, &str)| name == "MALLOC_CONF" && std::env::var(name).is_ok_and(|v| v == value);
    if platform == Platform::Cpu && runtime::process_variables(platform).iter().any(set_up) {
        set_decay(FOR_EVER);
    }
}

/// How long jemalloc keeps freed pages, in milliseconds, when it is never to give them back.
const FOR_EVER: isize = -1;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn set_decay(milliseconds: isize) {
    use tikv_jemalloc_ctl::{Access as _, AsName as _};

    let set = |name: String| format!("{name}\0").name().write(milliseconds);
    if let Err(error) = set("arenas.dirty_decay_ms".to_owned()) {
        return tracing::debug!(%error, "jemalloc does not keep freed memory");
    }
    // That was for arenas yet to be. Of those that are counted some were never used, and have nothing to set.
    let arenas: u32 = "arenas.narenas\0".name().read().unwrap_or(0);
    for arena in 0..arenas {
        let _ = set(format!("arena.{arena}.dirty_decay_ms"));
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn set_decay(_milliseconds: isize) {}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use tikv_jemalloc_ctl::{Access as _, AsName as _};

    #[test]
    fn decay_can_be_set() {
        super::set_decay(1234);
        let now: isize = "arenas.dirty_decay_ms\0".name().read().unwrap();
        let of_first: isize = "arena.0.dirty_decay_ms\0".name().read().unwrap();
        assert_eq!((now, of_first), (1234, 1234));
    }
}
