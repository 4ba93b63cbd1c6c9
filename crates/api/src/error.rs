//! Errors as clients read them.

use schemars::JsonSchema;
use serde::Serialize;

/// The body of an answer that is an error; all four keys are always there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ErrorDetail {
    /// A sentence for the reader.
    pub message: String,
    /// The class: `invalid_request_error`, `authentication_error`, `permission_error`, `not_found_error`, `rate_limit_error` or `server_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The field of the request that is at fault.
    pub param: Option<String>,
    /// What a program can tell errors apart by, e.g. `model_not_found`.
    pub code: Option<String>,
}
