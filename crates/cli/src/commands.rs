//! One module for each subcommand: its arguments and what it does.

pub(crate) mod bench;
pub(crate) mod cache;
pub(crate) mod chat;
pub(crate) mod checkpoint;
pub(crate) mod config;
pub(crate) mod data;
pub(crate) mod devices;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod keys;
pub(crate) mod launch;
pub(crate) mod merge;
pub(crate) mod mesh;
pub(crate) mod models;
pub(crate) mod plan;
pub(crate) mod plot;
pub(crate) mod plugin;
pub(crate) mod profile;
pub(crate) mod quickstart;
pub(crate) mod ranks;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod tokenizer;
pub(crate) mod train;
