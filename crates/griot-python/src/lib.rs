//! The engine in a process of Python: `griot._engine`, on which `griot.Memory` in `sdk/python` is built.
//!
//! One class with one method for all verbs of `griot_wire::verbs`: JSON goes in, JSON comes out, as over HTTP
//! and MCP. Types, names and exceptions are Python's part. Other threads of Python run while it works.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use griot::model::Error;
use griot_cli::Program;
use griot_server::access::Caller;
use griot_server::service::Service;
use griot_wire::failure::{Failure, Outcome};
use griot_wire::verbs::{self, Verb};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use serde_json::{Map, Value};

pyo3::create_exception!(_engine, Refused, PyException, "A failure; its argument is the JSON of it.");

#[pymodule(name = "_engine")]
mod engine {
    #[pymodule_export]
    use super::{Engine, Refused};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

/// An open workspace.
#[pyclass(frozen, module = "griot._engine")]
pub struct Engine {
    verbs: Vec<Verb>,
    /// `None` once it is closed.
    service: RwLock<Option<Arc<Service>>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (db, workspace, reader))]
    fn new(
        py: Python,
        db: Option<PathBuf>,
        workspace: Option<String>,
        reader: Option<PathBuf>,
    ) -> PyResult<Self> {
        let opened = py.detach(|| griot_cli::service(Program { db, workspace, reader }));
        let service = opened.map_err(|error| refused(&error.into()))?;
        Ok(Self { verbs: verbs::table(), service: RwLock::new(Some(service)) })
    }

    /// The answer to a request, both as JSON.
    fn ask(&self, py: Python, verb: &str, request: &[u8]) -> PyResult<String> {
        py.detach(|| self.answer(verb, request)).map_err(|failure| refused(&failure))
    }

    /// Waits for the current step of running jobs, and writes what is due. Later requests are refused.
    fn close(&self, py: Python) {
        py.detach(|| {
            let service = self.service.write().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(service) = service {
                service.close();
            }
        });
    }
}

impl Engine {
    fn answer(&self, name: &str, request: &[u8]) -> Outcome<String> {
        let invalid = |why: &str| Error::invalid(format!("ask for `{name}`"), why);
        let verb = self.verbs.iter().find(|verb| verb.name == name);
        let verb = verb.ok_or_else(|| invalid("there is no such verb"))?;
        let request: Map<String, Value> =
            serde_json::from_slice(request).map_err(|error| invalid(&error.to_string()))?;
        let open = self.service.read().unwrap_or_else(PoisonError::into_inner).clone();
        let service = open.ok_or_else(|| invalid("the memory is closed").hint("open another `Memory`"))?;
        let asked = verb.read(request)?;
        let call = service.enter(&Caller::owner(), &asked.place, verb.role)?;
        asked.answer(&call)
    }
}

fn refused(failure: &Failure) -> PyErr {
    Refused::new_err(failure.body("").to_string())
}
