//! Documents that are not text: detected by their first bytes, read within limits.

use std::fs;
use std::io::Write;
use std::path::Path;

use griot_ingest::{ReadOptions, read_bytes};

use crate::pdf::{self, one_page, stream};
use crate::{golden, lines, packed, packed_by, read, refusal};

#[test]
fn first_bytes_win_over_names() {
    for (name, wrong) in [
        ("notes.docx", "a.txt"),
        ("notes.epub", "a.md"),
        ("stock.ods", "a.csv"),
        ("pages.pdf", "a.docx"),
        ("notes.rtf", "a.pdf"),
    ] {
        let reading = read(wrong, fs::read(golden(name)).unwrap());
        assert!(!reading.drafts.is_empty(), "{name} as {wrong}");
    }
}

#[test]
fn archives_that_burst_are_refused() {
    let zeros = vec![b' '; 80 * 1024 * 1024];
    let bomb = packed(&[("word/document.xml", &zeros)]);
    assert!(bomb.len() < 200_000);
    for name in ["a.docx", "a.zip"] {
        let why = refusal(name, &bomb);
        assert!(why.contains("`word/document.xml` in it unpacks to more than"), "{why}");
    }
    let deep = format!("<document>{}", "<p>".repeat(5000));
    for (name, parts, why) in [
        ("a.xlsx", &[("xl/workbook.xml", &b"<a/>"[..]), ("xl/x", &zeros)][..], "unpacks to more than"),
        ("a.docx", &[("word/document.xml", deep.as_bytes())], "elements deep"),
    ] {
        let found = refusal(name, packed(parts));
        assert!(found.contains(why), "{found}");
    }
}

/// Fonts say what their codes stand for in more ways than the library knows.
#[test]
fn pdfs_with_unusual_fonts_are_read() {
    let map = "1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfchar\n<41> <54>\nendbfchar\n\
               2 beginbfrange\n<42> <43> <65>\n<44> <44> <006600660069>\nendbfrange";
    let font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>".to_vec();
    let page = stream("", b"BT /F 9 Tf 9 9 Td (ABCD) Tj ET");
    let reading = read("a.pdf", one_page("/Font << /F 5 0 R >>", page, &[font, stream("", map.as_bytes())]));
    assert_eq!(lines(&reading), ["passage #0 (page 1) | Tefffi"]);
}

#[test]
fn paragraphs_of_a_pdf_are_further_apart_than_its_lines() {
    let page = |lines: u32, paragraph: u32| {
        let words = ["because the hull", "could not", "be repaired", "in time.", "The mast", "held well."];
        let shown = |(at, words): (usize, &&str)| {
            let down = if at == 4 { paragraph } else { lines };
            format!("0 -{down} Td ({words}) Tj ")
        };
        let shown: String = words.iter().enumerate().map(shown).collect();
        read("a.pdf", pdf::drawn(format!("BT /F 12 Tf 50 700 Td {shown} ET").as_bytes()))
            .drafts
            .remove(0)
            .text
    };
    let expected = "because the hull\ncould not\nbe repaired\nin time.\n\nThe mast\nheld well.";
    for (lines, paragraph) in [(14, 28), (21, 30), (24, 36)] {
        assert_eq!(page(lines, paragraph), expected, "{lines} and {paragraph} points");
    }
}

#[test]
fn pdfs_that_run_in_circles_end() {
    const CATALOGUE: &[u8] = b"<< /Type /Catalog /Pages 2 0 R >>";
    const PAGES: &[u8] = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
    let draw = stream("", b"/F Do");
    let draws = |next: u32| format!("/XObject << /F {next} 0 R >>");
    let form = |next: &str, content: &str| {
        let dictionary = "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources";
        stream(&format!("{dictionary} << {next} >>"), content.as_bytes())
    };
    // Each form draws the next one ten times.
    let mut forms: Vec<Vec<u8>> = (6..26).map(|next| form(&draws(next), &"/F Do ".repeat(10))).collect();
    forms.push(form("", "q Q"));
    // A page that is its own parent, and pages that are their own parents.
    let own = "<< /Type /Page /Parent 3 0 R  /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>";
    let parents = "<< /Type /Pages /Kids [2 0 R] /Count 9 /Parent 2 0 R >>";
    for (bytes, why) in [
        (one_page(&draws(5), draw.clone(), &[form(&draws(5), "/F Do")]), ""),
        (pdf::document(&[CATALOGUE, PAGES, own.as_bytes(), &draw]), "it lies in itself"),
        (pdf::document(&[CATALOGUE, parents.as_bytes()]), ""),
        (one_page(&draws(5), draw.clone(), &forms), ""),
        (format!("%PDF-1.4\n1 0 obj\n{}", "[".repeat(100_000)).into_bytes(), "levels deep"),
    ] {
        let found = refusal("a.pdf", bytes);
        assert!(found.starts_with("cannot read `a.pdf`: ") && found.contains(why), "{found}");
    }
}

#[test]
fn pdfs_that_burst_are_refused() {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let piece = vec![b' '; 1024 * 1024];
    for _ in 0..600 {
        packer.write_all(&piece).unwrap();
    }
    let packed = packer.finish().unwrap();
    let mut bytes = b"%PDF-1.4\n1 0 obj\n<< /Filter /FlateDecode >>\nstream\n".to_vec();
    bytes.extend(&packed);
    bytes.extend(b"\nendstream\nendobj\n");
    assert!(refusal("a.pdf", &bytes).contains("unpacks to more than"));
    let twice =
        b"%PDF-1.4\n1 0 obj\n<< /Filter [/FlateDecode /FlateDecode] >>\nstream\nx\nendstream\nendobj\n";
    assert!(refusal("a.pdf", twice).contains("packed more than once"));
}

#[test]
fn sheets_with_far_corners_stay_small() {
    let book = |rows: &str| {
        let old = std::io::Cursor::new(fs::read(golden("stock.xlsx")).unwrap());
        let mut old = zip::ZipArchive::new(old).unwrap();
        let names: Vec<String> = old.file_names().flatten().map(|name| name.into_owned()).collect();
        let mut parts = Vec::new();
        for name in names {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut old.by_name(&name).unwrap(), &mut bytes).unwrap();
            if name.ends_with("sheet1.xml") {
                let text = String::from_utf8(bytes).unwrap();
                let (head, _) = text.split_once("<sheetData>").unwrap();
                bytes = format!("{head}<sheetData>{rows}</sheetData></worksheet>").into_bytes();
            }
            parts.push((name, bytes));
        }
        let parts: Vec<(&str, &[u8])> =
            parts.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        packed(&parts)
    };
    let far = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>\
               <row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>";
    assert_eq!(read("a.xlsx", book(far)).drafts.len(), 2);
    let wide = "<row><c r=\"XFD1\"><v>2</v></c></row>".repeat(100_000);
    let _ = read_bytes("a.xlsx", book(&wide), &ReadOptions::default());
}

#[test]
fn rich_text_and_books_with_depths_are_bounded() {
    assert!(refusal("a.rtf", format!("{{\\rtf1 {}", "{".repeat(100_000)).as_bytes()).contains("groups deep"));
    let html = |body: &str| format!("<html><body>{body}</body></html>");
    let within = |tag: &str, times: usize, text: &str| {
        format!("{}{text}{}", format!("<{tag}>").repeat(times), format!("</{tag}>").repeat(times))
    };
    let styled = html(&within("b", 100, &"<p>word</p>".repeat(20_000)));
    let deep = html(&within("div", 190, "x"));
    let ended = "<p>page<span id=\"p\"/></p><div/>".repeat(5_000);
    let ended = html(&format!("{ended}<h1>Last</h1><p>word</p>"));
    let hidden = html(&format!("<![CDATA[ > {} ]]><p>behind</p>", "<div>".repeat(900)));
    let package = "<package><manifest><item id=\"c\" href=\"c.xhtml\"/><item id=\"d\" href=\"d.xhtml\"/>\
                   <item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/>\
                   <item id=\"b\" href=\"../../b.xhtml\"/></manifest><spine><itemref idref=\"c\"/>\
                   <itemref idref=\"d\"/><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>";
    let container = "<container><rootfiles><rootfile full-path=\"o/p.opf\"/></rootfiles></container>";
    let book = packed(&[
        ("META-INF/container.xml", container.as_bytes()),
        ("o/p.opf", package.as_bytes()),
        ("o/a.xhtml", styled.as_bytes()),
        ("b.xhtml", deep.as_bytes()),
        ("o/c.xhtml", ended.as_bytes()),
        ("o/d.xhtml", hidden.as_bytes()),
    ]);
    let reading = read("a.epub", book);
    assert!(reading.drafts.iter().any(|draft| draft.text.contains("word")));
    assert!(reading.drafts.iter().any(|draft| draft.heading == ["Last"]), "what ends itself holds nothing");
    assert!(reading.drafts.iter().any(|draft| draft.text.contains("behind")));
    assert_eq!(reading.drafts.last().map(|draft| draft.text.as_str()), Some("x"));
}

#[test]
fn scanned_and_encrypted_pdfs_are_named() {
    let why = refusal("a.pdf", one_page("", stream("", b"q Q"), &[]));
    assert!(why.contains("it is scanned: none of its 1 pages holds text"), "{why}");
    let locked = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locked/locked.pdf")).unwrap();
    assert_eq!(refusal("a.pdf", &locked), "cannot read `a.pdf`: it is encrypted: save it without a password");
}

#[test]
fn a_page_that_draws_too_much_is_refused_before_it_is_built() {
    let words = "BT /F 12 Tf 50 700 Td (Tea was ready early) Tj ET ";
    assert_eq!(read("a.pdf", pdf::drawn(words.as_bytes())).drafts[0].text, "Tea was ready early");
    for (content, why) in [
        ("q ".repeat(3_000_000), "page 1: it keeps more than 10000 states of drawing at once"),
        ("f ".repeat(3_000_000), "page 1: it is drawn with more than 2000000 operators and operands"),
        (" ".repeat(65 * 1024 * 1024), "a stream in it unpacks to more than 67108864 bytes"),
    ] {
        assert_eq!(refusal("a.pdf", pdf::drawn(content.as_bytes())), format!("cannot read `a.pdf`: {why}"));
    }
}

#[test]
fn a_presentation_with_a_workbook_behind_its_chart_is_a_presentation() {
    let book = packed(&[("xl/workbook.xml", b"<workbook/>"), ("users.json", b"[]")]);
    let relation =
        "<Relationships><Relationship Id='rId1' Type='x/slide' Target='slides/slide1.xml'/></Relationships>";
    let slide = "<sld><sp><txBody><a:p><a:r><a:t>Tea grows</a:t></a:r></a:p></txBody></sp></sld>";
    let parts = [
        ("ppt/embeddings/book.xlsx", book.as_slice()),
        ("ppt/presentation.xml", b"<p><sldIdLst><sldId r:id='rId1'/></sldIdLst></p>"),
        ("ppt/_rels/presentation.xml.rels", relation.as_bytes()),
        ("ppt/slides/slide1.xml", slide.as_bytes()),
    ];
    let reading = read("a.pptx", packed_by(zip::CompressionMethod::Stored, &parts));
    assert_eq!(lines(&reading), ["passage #0 (Slide 1) | Tea grows"]);
    let outer = packed(&[("notes.bin", &book)]);
    assert!(refusal("a.zip", &outer).contains("holds no document that is read"));
}
