//! What is asked about the warnings of the verifier.

use griot::model::Result;
use serde::{Deserialize, Serialize};

use super::{Place, Request, Scope};

requests! {
    /// What the verifier noticed.
    Warnings {
        /// Those too that were acknowledged.
        #[serde(default)]
        all: bool,
    }

    /// You know of a warning, and leave it as it is.
    Acknowledge {
        /// Id of a warning, such as `w-3f2a90c1d4e5`.
        #[schemars(regex(pattern = r"^w-[0-9a-f]{12}$"))]
        name: String,
        /// Why.
        #[serde(default)]
        #[schemars(length(max = 2000))]
        note: Option<String>,
    }
}
