//! Transformers from a local folder: which model is in it, its tokeniser, its forward pass, and one vector
//! of a text, or one number of a question and a text.

mod bert;
mod cross;
mod files;
mod folder;
mod groups;
mod lanes;
mod onnx;
mod sentence;
mod tensor;
mod tokeniser;
mod unigram;
mod vocabulary;
mod weights;

pub use cross::CrossEncoder;
pub use folder::Prefixes;
pub use sentence::SentenceEncoder;
