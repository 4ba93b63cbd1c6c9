//! Variables of the process's environment.

/// Sets a variable that a plugin reads when it makes a client, unless it is set.
///
/// To be called where nothing of a plugin runs beside it, such as before the process's first client: C has no lock for its environment.
pub fn set_missing_variable(name: &str, value: &str) {
    if std::env::var_os(name).is_none() {
        // SAFETY: Rust's own readers are kept away by the standard library; those of C are plugins, of which none runs by what is asked above.
        unsafe { std::env::set_var(name, value) };
    }
}
