//! The weights in an ONNX file, under the names that PyTorch gave them.
//!
//! The file is a protocol buffer of which a few fields matter here, so they are read where they are instead
//! of through a generated copy of all of them. Exporters keep the names of biases, but turn the matrices and
//! number them (`onnx::MatMul_123`); a matrix gets its name back from the bias that is added to its product.
//! Those of a head are in `Gemm`, which says whether they are turned.

use std::collections::HashMap;
use std::ops::Range;

use super::tensor::{Precision, Tensor};

// Numbers of fields in onnx.proto.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const NODE_INPUT: u64 = 1;
const NODE_OUTPUT: u64 = 2;
const NODE_OP_TYPE: u64 = 4;
const NODE_ATTRIBUTE: u64 = 5;
const ATTRIBUTE_NAME: u64 = 1;
const ATTRIBUTE_INTEGER: u64 = 3;
const TENSOR_DIMS: u64 = 1;
const TENSOR_DATA_TYPE: u64 = 2;
const TENSOR_FLOAT_DATA: u64 = 4;
const TENSOR_NAME: u64 = 8;
const TENSOR_RAW_DATA: u64 = 9;
const TENSOR_DATA_LOCATION: u64 = 14;

/// All tensors of floats. The error is a reason.
pub(crate) fn tensors(file: &[u8]) -> Result<Vec<(String, Tensor)>, String> {
    let mut graph = None;
    for_each(file, 0..file.len(), |number, field| {
        if let (MODEL_GRAPH, Field::Bytes(range)) = (number, field) {
            graph = Some(range);
        }
        Ok(())
    })?;
    let graph = graph.ok_or("it has no graph")?;
    let mut found = Vec::new();
    let mut products: HashMap<&str, &str> = HashMap::new();
    let mut names: HashMap<&str, &str> = HashMap::new();
    for_each(file, graph, |number, field| {
        match (number, field) {
            (GRAPH_INITIALIZER, Field::Bytes(range)) => found.extend(tensor(file, range)?),
            (GRAPH_NODE, Field::Bytes(range)) => {
                let node = node(file, range)?;
                match (node.operation, &node.inputs[..], &node.outputs[..]) {
                    ("MatMul", [_, matrix], [product]) => {
                        products.insert(product, matrix);
                    }
                    ("Gemm", [_, matrix, bias], _) if !node.as_in_pytorch => {
                        if let Some(of) = bias.strip_suffix(".bias") {
                            names.insert(matrix, of);
                        }
                    }
                    ("Add", [a, b], _) => {
                        for (bias, product) in [(a, b), (b, a)] {
                            if let (Some(of), Some(matrix)) =
                                (bias.strip_suffix(".bias"), products.get(product))
                            {
                                names.insert(matrix, of);
                            }
                        }
                    }
                    ("MatMulInteger" | "QLinearMatMul" | "DynamicQuantizeMatMul" | "MatMulNBits", ..) => {
                        return Err("its weights are integers, and only floats are known".into());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    for (name, tensor) in &mut found {
        if let Some(of) = names.get(name.as_str())
            && tensor.shape.len() == 2
        {
            *name = format!("{of}.weight");
            tensor.shape.reverse();
            tensor.turned = true;
        }
    }
    Ok(found)
}

/// `None` for numbers that are no floats.
fn tensor(file: &[u8], range: Range<usize>) -> Result<Option<(String, Tensor)>, String> {
    let (mut name, mut shape, mut kind) = ("", Vec::new(), 0);
    let (mut bytes, mut elsewhere) = (0..0, false);
    for_each(file, range, |number, field| {
        match (number, field) {
            (TENSOR_DIMS, Field::Number(side)) => shape.push(whole(side)?),
            (TENSOR_DIMS, Field::Bytes(packed)) => {
                let mut at = packed.start;
                while at < packed.end {
                    shape.push(whole(varint(file, &mut at, packed.end)?)?);
                }
            }
            (TENSOR_DATA_TYPE, Field::Number(number)) => kind = number,
            (TENSOR_NAME, Field::Bytes(range)) => name = text(file, range)?,
            (TENSOR_FLOAT_DATA | TENSOR_RAW_DATA, Field::Bytes(range)) => bytes = range,
            (TENSOR_DATA_LOCATION, Field::Number(place)) => elsewhere = place == 1,
            _ => {}
        }
        Ok(())
    })?;
    // The numbers of types in onnx.proto.
    let precision = match kind {
        1 => Precision::Single,
        10 => Precision::Half,
        16 => Precision::Brain,
        _ => return Ok(None),
    };
    if elsewhere {
        return Err("it keeps its weights in another file, and only those in itself are known".into());
    }
    let tensor = Tensor::new(shape, precision, bytes);
    if tensor.is_whole() {
        Ok(Some((name.to_string(), tensor)))
    } else {
        Err(format!("`{name}` has {} bytes for the shape {:?}", tensor.bytes.len(), tensor.shape))
    }
}

struct Node<'a> {
    operation: &'a str,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    /// The matrix of a `Gemm` is not turned: its attribute `transB` is 1.
    as_in_pytorch: bool,
}

fn node(file: &[u8], range: Range<usize>) -> Result<Node<'_>, String> {
    let mut node = Node { operation: "", inputs: Vec::new(), outputs: Vec::new(), as_in_pytorch: false };
    for_each(file, range, |number, field| {
        match (number, field) {
            (NODE_INPUT, Field::Bytes(range)) => node.inputs.push(text(file, range)?),
            (NODE_OUTPUT, Field::Bytes(range)) => node.outputs.push(text(file, range)?),
            (NODE_OP_TYPE, Field::Bytes(range)) => node.operation = text(file, range)?,
            (NODE_ATTRIBUTE, Field::Bytes(range)) => {
                node.as_in_pytorch |= attribute(file, range)? == ("transB", 1);
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(node)
}

/// Its name, and its value if that is an integer.
fn attribute(file: &[u8], range: Range<usize>) -> Result<(&str, u64), String> {
    let (mut name, mut value) = ("", 0);
    for_each(file, range, |number, field| {
        match (number, field) {
            (ATTRIBUTE_NAME, Field::Bytes(range)) => name = text(file, range)?,
            (ATTRIBUTE_INTEGER, Field::Number(number)) => value = number,
            _ => {}
        }
        Ok(())
    })?;
    Ok((name, value))
}

enum Field {
    Number(u64),
    /// A message, a string or packed numbers.
    Bytes(Range<usize>),
}

/// Passes every field of the message in `range` with its number.
fn for_each(
    file: &[u8],
    range: Range<usize>,
    mut take: impl FnMut(u64, Field) -> Result<(), String>,
) -> Result<(), String> {
    let (mut at, end) = (range.start, range.end);
    while at < end {
        let key = varint(file, &mut at, end)?;
        let field = match key & 7 {
            0 => Field::Number(varint(file, &mut at, end)?),
            kind @ (1 | 2 | 5) => {
                let length = match kind {
                    1 => 8,
                    2 => whole(varint(file, &mut at, end)?)?,
                    _ => 4,
                };
                let start = at;
                at = start.checked_add(length).filter(|behind| *behind <= end).ok_or("it is cut off")?;
                Field::Bytes(start..at)
            }
            _ => return Err("it is not ONNX".into()),
        };
        take(key >> 3, field)?;
    }
    Ok(())
}

/// A number of variable length: seven bits a byte, the lowest first.
fn varint(file: &[u8], at: &mut usize, end: usize) -> Result<u64, String> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *file[..end].get(*at).ok_or("it is cut off")?;
        *at += 1;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err("it is not ONNX".into())
}

fn whole(number: u64) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{number} is more than fits into memory"))
}

fn text(file: &[u8], range: Range<usize>) -> Result<&str, String> {
    std::str::from_utf8(&file[range]).map_err(|_| "a name in it is no UTF-8".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(number: u64, content: &[u8]) -> Vec<u8> {
        assert!(content.len() < 128);
        [&[(number << 3 | 2) as u8, content.len() as u8], content].concat()
    }

    fn number(field: u64, value: u8) -> Vec<u8> {
        vec![(field << 3) as u8, value]
    }

    /// The matrix `m` of 1 × 2 values.
    fn matrix(kind: u8, bytes: &[u8]) -> Vec<u8> {
        let dims = [number(TENSOR_DIMS, 1), number(TENSOR_DIMS, 2)].concat();
        [dims, number(TENSOR_DATA_TYPE, kind), message(TENSOR_NAME, b"m"), message(TENSOR_RAW_DATA, bytes)]
            .concat()
    }

    fn model(tensor: &[u8], nodes: &[(&str, &[&str], &str)]) -> Vec<u8> {
        let mut graph = Vec::new();
        for (operation, inputs, output) in nodes {
            let inputs = inputs.iter().flat_map(|name| message(NODE_INPUT, name.as_bytes()));
            let mut node: Vec<u8> = inputs.collect();
            node.extend(message(NODE_OUTPUT, output.as_bytes()));
            node.extend(message(NODE_OP_TYPE, operation.as_bytes()));
            graph.extend(message(GRAPH_NODE, &node));
        }
        graph.extend(message(GRAPH_INITIALIZER, tensor));
        message(MODEL_GRAPH, &graph)
    }

    #[test]
    fn a_matrix_has_the_name_of_the_bias_behind_it() {
        let half = matrix(10, &[0x00, 0x3c, 0x00, 0xc0]);
        let file = model(&half, &[("MatMul", &["x", "m"], "y"), ("Add", &["part.bias", "y"], "z")]);
        let tensors = tensors(&file).expect("a whole model");
        let [(name, tensor)] = &tensors[..] else { panic!("{tensors:?}") };
        assert_eq!((name.as_str(), &tensor.shape[..], tensor.turned), ("part.weight", &[2, 1][..], true));
        assert_eq!(
            (tensor.precision, &file[tensor.bytes.clone()]),
            (Precision::Half, &half[half.len() - 4..])
        );
    }

    #[test]
    fn a_matrix_of_a_head_is_turned_unless_it_says_otherwise() {
        let whole = matrix(1, &[0; 8]);
        let file = model(&whole, &[("Gemm", &["x", "m", "part.bias"], "y")]);
        let found = tensors(&file).expect("a whole model");
        let (name, tensor) = &found[0];
        assert_eq!((name.as_str(), &tensor.shape[..], tensor.turned), ("part.weight", &[2, 1][..], true));
        let attribute = [message(ATTRIBUTE_NAME, b"transB"), number(ATTRIBUTE_INTEGER, 1)].concat();
        let names = ["x", "m", "part.bias"].iter().flat_map(|name| message(NODE_INPUT, name.as_bytes()));
        let mut node: Vec<u8> = names.collect();
        node.extend(message(NODE_OP_TYPE, b"Gemm"));
        node.extend(message(NODE_ATTRIBUTE, &attribute));
        let graph = [message(GRAPH_NODE, &node), message(GRAPH_INITIALIZER, &whole)].concat();
        let found = tensors(&message(MODEL_GRAPH, &graph)).expect("a whole model");
        assert_eq!(
            (found[0].0.as_str(), &found[0].1.shape[..], found[0].1.turned),
            ("m", &[1, 2][..], false)
        );
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_a_reason() {
        let whole = matrix(1, &[0; 8]);
        let elsewhere = [whole.clone(), number(TENSOR_DATA_LOCATION, 1)].concat();
        let torn = model(&whole, &[]);
        let cases = [
            (model(&elsewhere, &[]), "it keeps its weights in another file, "),
            (model(&matrix(1, &[0; 4]), &[]), "`m` has 4 bytes for the shape [1, 2]"),
            (model(&whole, &[("MatMulInteger", &["x", "m"], "y")]), "its weights are integers, "),
            (torn[..torn.len() - 1].to_vec(), "it is cut off"),
            (b"PK\x03\x04 an archive".to_vec(), "it is"),
            (Vec::new(), "it has no graph"),
        ];
        for (file, why) in cases {
            let refusal = tensors(&file).expect_err("it is refused");
            assert!(refusal.starts_with(why), "{refusal}, not {why}");
        }
        // Integers such as positions are left out.
        assert_eq!(tensors(&model(&matrix(7, &[0; 16]), &[])), Ok(Vec::new()));
    }
}
