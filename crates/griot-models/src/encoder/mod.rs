//! Transformers from a local folder: which model is in it, its tokeniser, its forward pass, one vector a
//! text.

mod bert;
mod files;
mod folder;
mod lanes;
mod onnx;
mod sentence;
mod tensor;
mod tokeniser;
mod unigram;
mod vocabulary;
mod weights;

pub use folder::Prefixes;
pub use sentence::SentenceEncoder;
