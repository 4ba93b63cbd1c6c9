//! placeholder

pub mod plugins;
