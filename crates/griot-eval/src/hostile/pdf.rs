//! PDFs made to do harm, written by hand: no library writes them.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Objects from number 1 on, the first of them the catalogue; with their table.
fn document(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(out.len());
        out.extend(format!("{number} 0 obj\n").into_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let table = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    places.iter().for_each(|place| out.extend(format!("{place:010} 00000 n \n").into_bytes()));
    let size = objects.len() + 1;
    out.extend(format!("trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF").into_bytes());
    out
}

fn packed(words: &str, content: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    let _ = packer.write_all(content);
    let bytes = packer.finish().unwrap_or_default();
    let mut stream = format!("<<{words}/Length {}/Filter/FlateDecode>>stream\n", bytes.len()).into_bytes();
    stream.extend(bytes);
    stream.extend(b"\nendstream");
    stream
}

/// One page with this content, these resources, and objects from number 5 on.
fn page(content: Vec<u8>, resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let page =
        format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 600 800]/Resources<<{resources}>>>>");
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into_bytes(),
        content,
    ];
    objects.extend(more);
    document(&objects)
}

const FONT: &[u8] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";

/// A page of nothing but this, so many bytes of it.
pub fn flood(piece: &str, size: usize) -> Vec<u8> {
    let content = format!("BT /F 12 Tf {}", piece.repeat(size / piece.len()));
    page(packed("", content.as_bytes()), "/Font<</F 5 0 R>>", vec![FONT.to_vec()])
}

/// A font whose table of characters is this.
pub fn map(map: &str, fonts: usize) -> Vec<u8> {
    let names: String = (0..fonts).map(|number| format!("/F{number} {} 0 R", number + 6)).collect();
    let uses: String = (0..fonts).map(|number| format!("BT /F{number} 9 Tf (a) Tj ET ")).collect();
    let mut more = vec![packed("", map.as_bytes())];
    more.extend(
        (0..fonts).map(|_| b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>".to_vec()),
    );
    page(packed("", uses.as_bytes()), &format!("/Font<<{names}>>"), more)
}

/// Forms that each draw the next one ten times; the last draws the first where it is to have no end.
pub fn forms(levels: usize, is_endless: bool) -> Vec<u8> {
    let form = |number: usize| {
        let next = if number + 1 < levels { number + 6 } else { 5 };
        let draws =
            if is_endless || number + 1 < levels { "/N Do ".repeat(10) } else { "0 0 m ".repeat(1000) };
        packed(
            &format!("/Type/XObject/Subtype/Form/Resources<</XObject<</N {next} 0 R>>>>"),
            draws.as_bytes(),
        )
    };
    page(packed("", b"/N Do"), "/XObject<</N 5 0 R>>", (0..levels).map(form).collect())
}

/// An object of these pieces.
pub fn object(open: &str, piece: &str, close: &str, size: usize) -> Vec<u8> {
    let object = format!("{open}{}{close}", piece.repeat(size / piece.len()));
    page(packed("", b"BT ET"), "", vec![object.into_bytes()])
}

/// Objects that are packed into a stream.
pub fn packed_objects(size: usize) -> Vec<u8> {
    let content = format!("9 0 [{}]", "1 ".repeat(size / 2));
    page(packed("", b"BT ET"), "", vec![packed("/Type/ObjStm/N 1/First 4", content.as_bytes())])
}

/// A picture of zeros, drawn, and given as the content of a second page.
pub fn picture(size: usize) -> Vec<u8> {
    let picture = packed("/Type/XObject/Subtype/Image/Width 10000/Height 10000", &vec![b' '; size]);
    document(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</I 5 0 R>>>>>>"
            .to_vec(),
        packed("", b"/I Do"),
        picture,
        b"<</Type/Page/Parent 2 0 R/Contents 5 0 R/MediaBox[0 0 9 9]>>".to_vec(),
    ])
}
