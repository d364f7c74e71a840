//! PDFs written by hand, for tests of this crate and of the command line: no library writes strange ones.

use std::io::Write;

/// A PDF of these objects, numbered from 1, the first of them the catalogue.
pub fn document(objects: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(out.len());
        out.extend(format!("{number} 0 obj\n").into_bytes());
        out.extend(object.as_ref());
        out.extend(b"\nendobj\n");
    }
    let (table, size) = (out.len(), objects.len() + 1);
    out.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").into_bytes());
    places.iter().for_each(|place| out.extend(format!("{place:010} 00000 n \n").into_bytes()));
    out.extend(format!("trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n").into_bytes());
    out
}

pub fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<<{entries}/Length {}>>stream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// A PDF of one page with these resources and this stream, and further objects from number 5 on.
pub fn one_page(resources: &str, content: Vec<u8>, more: &[Vec<u8>]) -> Vec<u8> {
    let page = "<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 600 800]/Resources";
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("{page}<<{resources}>>>>").into_bytes(),
        content,
    ];
    objects.extend_from_slice(more);
    document(&objects)
}

/// A PDF of one page with this content, packed.
pub fn drawn(content: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(content).unwrap();
    let content = stream("/Filter/FlateDecode", &packer.finish().unwrap());
    one_page("/Font<</F 5 0 R>>", content, &[b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec()])
}
