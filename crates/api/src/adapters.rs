//! Adapters at run time, as vLLM names it.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::whole_request;
use crate::whole;

/// An adapter to be registered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct LoadAdapter {
    /// The name by which requests ask for it.
    pub lora_name: String,
    /// Its folder on the server.
    pub lora_path: String,
    /// Whether it is brought to the device at once, and stays there and in host memory until it is unloaded or its name is registered again.
    pub pin: Option<bool>,
    /// vLLM's word for whether an adapter of the same name may be replaced; here it is replaced always.
    pub load_inplace: Option<bool>,
}

/// An adapter to be forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct UnloadAdapter {
    /// Its name.
    pub lora_name: String,
    /// Its number in vLLM, which has none here.
    #[serde(default, deserialize_with = "whole::option")]
    pub lora_int_id: Option<i64>,
}

whole_request!(LoadAdapter);
whole_request!(UnloadAdapter);
