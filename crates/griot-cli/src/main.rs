//! The binary `griot`.

use std::process::ExitCode;

/// Counts only in a process that reads documents for another one.
#[global_allocator]
static ALLOCATOR: griot_ingest::CountingAllocator = griot_ingest::CountingAllocator;

fn main() -> ExitCode {
    griot_cli::main()
}
