//! Documents that are no text: told by their first bytes, read within limits.

use std::fs;
use std::io::Write;
use std::path::Path;

use griot_ingest::{ReadOptions, Reading, identify, read_bytes, read_file};

use crate::{lines, pdf, problems};

fn golden(name: &str) -> Reading {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let options = ReadOptions::default();
    let reading = read_file(&path, &options).unwrap_or_else(|error| panic!("{error}")).remove(0);
    let source = identify(&path, &options).unwrap();
    assert_eq!((source.kind, source.content_hash), (reading.source.kind, reading.source.content_hash));
    assert_eq!(problems(&reading), [""; 0]);
    reading
}

/// Texts with their headings, without what the file system adds.
fn told(name: &str) -> Vec<String> {
    let reading = golden(name);
    let told = |draft: &griot::remember::Draft| {
        format!("({}) {}", draft.heading.join(" > "), draft.text.replace('\n', "⏎"))
    };
    reading.drafts.iter().map(told).collect()
}

fn refused(name: &str, bytes: &[u8]) -> String {
    read_bytes(name, bytes.to_vec(), &ReadOptions::default()).expect_err("it should be refused").to_string()
}

#[test]
fn documents_keep_headings_lists_tables_and_code() {
    for name in ["notes.docx", "notes.odt", "notes.epub"] {
        let reading = golden(name);
        let title = reading.source.title.unwrap_or_default();
        assert!(title.starts_with("Field notes"), "{name}: {title}");
        let told = told(name);
        let step = told
            .iter()
            .find(|text| text.starts_with("(Harvest > Steps)"))
            .unwrap_or_else(|| panic!("{name}: {told:#?}"));
        for part in [
            "pick",
            "by hand",
            "1. weigh",
            "2. pack",
            "```",
            "def weigh(x):⏎    return x * 2",
            "| top",
            "| 12",
        ] {
            assert!(step.contains(part), "{name}: {part} in {step}");
        }
        assert!(
            told.iter()
                .any(|text| text.starts_with("(Harvest) Tea was")
                    && text.contains("(https://example.org/log)")),
            "{name}: {told:#?}"
        );
        assert!(
            told.iter().any(|text| text.contains("Done."))
                && told.iter().any(|text| text.contains("Really.")),
            "{name}: {told:#?}"
        );
    }
    assert_eq!(golden("notes.epub").source.title.as_deref(), Some("Field notes, by Ada Lovelace"));
}

#[test]
fn rich_text_keeps_headings_and_tables() {
    let told = told("notes.rtf");
    let all = told.join("\n");
    assert!(all.contains("Tea was ready early.") && all.contains("| leaf | grams |"), "{all}");
    let text = b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title Plan}}\
                 \\pard\\s1 First\\par\\pard caf\\'e9 \\u8364? and {\\b bold}\\par{\\pict 00ff}\\pard {\\listtext -\\tab}one\\par}";
    let reading = read_bytes("a.rtf", text.to_vec(), &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(reading.source.title.as_deref(), Some("Plan"));
    assert_eq!(lines(&reading), ["passage #0 (First) | café € and bold⏎⏎- one"]);
}

#[test]
fn lists_of_rich_text_keep_their_counts() {
    let item = |mark: &str, text: &str| format!("\\pard{{\\listtext {mark}\\tab}}{text}\\par");
    let items = [("1.", "one"), ("2)", "two"), ("b)", "three"), ("o", "four"), ("\\'b7", "five")];
    let text: String = items.iter().map(|(mark, text)| item(mark, text)).collect();
    let reading = read_bytes("a.rtf", format!("{{\\rtf1 {text}}}").into_bytes(), &ReadOptions::default())
        .unwrap()
        .remove(0);
    assert_eq!(lines(&reading), ["passage #0 | 1. one⏎2. two⏎- b) three⏎- four⏎- five"]);
}

#[test]
fn word_keeps_endnotes_large_initials_and_what_pictures_show() {
    let text = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let initial = format!("<w:p><w:pPr><w:framePr w:dropCap='drop'/></w:pPr>{}</w:p>", text("T"));
    let body = format!(
        "<w:p>{}<w:r><w:endnoteReference w:id='2'/></w:r></w:p>\
         <w:p><w:r><w:drawing><wp:inline><wp:docPr id='1' name='p' descr='A kettle on a fire'/></wp:inline></w:drawing></w:r></w:p>",
        text("ea was ready.")
    );
    let document = format!("<w:document><w:body>{initial}{body}</w:body></w:document>");
    let line = format!("<w:endnote w:type='separator' w:id='0'>{}</w:endnote>", text("line"));
    let notes = format!("<w:endnotes>{line}<w:endnote w:id='2'>{}</w:endnote></w:endnotes>", text("By Ada."));
    let bytes =
        packed(&[("word/document.xml", document.as_bytes()), ("word/endnotes.xml", notes.as_bytes())]);
    let reading = read_bytes("a.docx", bytes, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(lines(&reading), ["passage #0 | Tea was ready.[^e2]⏎⏎A kettle on a fire⏎⏎[^e2]: By Ada."]);
}

#[test]
fn slides_are_told_with_their_numbers() {
    let told = told("notes.pptx");
    assert!(told.iter().any(|text| text.starts_with("(Slide ") && text.contains("pick")), "{told:#?}");
}

#[test]
fn sheets_are_rows_with_the_names_of_their_columns() {
    assert_eq!(
        told("stock.xlsx"),
        ["(Stock) Stock of the shop", "(Stock) tea: Assam⏎counted: 2026-03-02⏎grams: 12.5"]
    );
    assert_eq!(
        told("stock.ods"),
        ["(Stock) tea: Assam⏎counted: 2026-03-02", "(Stock) tea: Assam⏎counted: 2026-03-02"]
    );
}

#[test]
fn pages_of_a_pdf_are_numbered() {
    let reading = golden("pages.pdf");
    let told = told("pages.pdf");
    assert!(
        told[0].starts_with("(page 1) ") && told.iter().any(|text| text.starts_with("(page 2) ")),
        "{told:#?}"
    );
    assert!(told[0].contains("Tea was ready early"), "{told:#?}");
    assert!(reading.drafts.iter().all(|draft| draft.lines.is_none()));
}

#[test]
fn first_bytes_win_over_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (name, wrong) in [
        ("notes.docx", "a.txt"),
        ("notes.epub", "a.md"),
        ("stock.ods", "a.csv"),
        ("pages.pdf", "a.docx"),
        ("notes.rtf", "a.pdf"),
    ] {
        let bytes = fs::read(path.join(name)).unwrap();
        let reading = read_bytes(wrong, bytes, &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"))
            .remove(0);
        assert!(!reading.drafts.is_empty(), "{name} as {wrong}");
    }
    for (name, why) in [
        ("a.pdf", "it is not a PDF: it does not begin with `%PDF-`"),
        ("a.rtf", "it is not rich text: it does not begin with `{\\rtf`"),
    ] {
        assert_eq!(refused(name, b"words"), format!("cannot read `{name}`: {why}"));
    }
    assert!(refused("a.docx", b"words").starts_with("cannot read `a.docx`: it is not a whole zip archive"));
    for name in ["a.docx", "a.pdf", "a.epub", "a.eml", "a.xlsx"] {
        assert_eq!(refused(name, b""), format!("cannot read `{name}`: it is empty"));
    }
    assert!(refused("a.doc", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0").contains("before 2007"));
    assert!(refused("a.zip", &packed(&[("x.bin", b"1")])).contains("holds no document that is read"));
}

pub fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn archives_that_burst_are_refused() {
    let zeros = vec![b' '; 80 * 1024 * 1024];
    let bomb = packed(&[("word/document.xml", &zeros)]);
    assert!(bomb.len() < 200_000);
    for name in ["a.docx", "a.zip"] {
        let why = refused(name, &bomb);
        assert!(why.contains("`word/document.xml` in it unpacks to more than"), "{why}");
    }
    assert!(
        refused("a.xlsx", &packed(&[("xl/workbook.xml", b"<a/>"), ("xl/x", &zeros)]))
            .contains("unpacks to more than")
    );
    assert!(
        refused("a.docx", &packed(&[("word/x.xml", b"<a/>")]))
            .contains("there is no `word/document.xml` in it")
    );
    let deep = format!("<document>{}", "<p>".repeat(5000));
    assert!(refused("a.docx", &packed(&[("word/document.xml", deep.as_bytes())])).contains("elements deep"));
}

fn stream(dictionary: &str, content: &str) -> String {
    format!("<< {dictionary} /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// Fonts say what their codes stand for in more ways than the library knows.
#[test]
fn pdfs_with_unusual_fonts_are_read() {
    let map = "1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfchar\n<41> <54>\nendbfchar\n\
               2 beginbfrange\n<42> <43> <65>\n<44> <44> <006600660069>\nendbfrange";
    let reading = pdf::document(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"
            .to_string(),
        stream("", "BT /F 9 Tf 9 9 Td (ABCD) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>".to_string(),
        stream("", map),
    ]);
    let reading = read_bytes("a.pdf", reading, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(lines(&reading), ["passage #0 (page 1) | Tefffi"]);
}

#[test]
fn pdfs_that_run_in_circles_end() {
    let catalogue = "<< /Type /Catalog /Pages 2 0 R >>".to_string();
    let pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string();
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>";
    let draw = stream("", "/F Do");
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F 5 0 R >> >>",
        "/F Do",
    );
    let why = refused(
        "a.pdf",
        &pdf::document(&[catalogue.clone(), pages.clone(), page.to_string(), draw.clone(), form]),
    );
    assert!(why.starts_with("cannot read `a.pdf`: "), "{why}");
    // A page that lies in itself, and pages that are their own parents.
    let own = page.replace("/Parent 2 0 R", "/Parent 3 0 R").replace("/MediaBox [0 0 100 100]", "");
    let why = refused("a.pdf", &pdf::document(&[catalogue.clone(), pages, own, draw]));
    assert!(why.contains("it lies in itself"), "{why}");
    let why = refused(
        "a.pdf",
        &pdf::document(&[
            catalogue.clone(),
            "<< /Type /Pages /Kids [2 0 R] /Count 9 /Parent 2 0 R >>".to_string(),
        ]),
    );
    assert!(why.starts_with("cannot read `a.pdf`: "), "{why}");
    // Each form draws the next one ten times.
    let mut objects = vec![
        catalogue.clone(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string(),
        page.to_string(),
        stream("", "/F Do"),
    ];
    for next in 6..26 {
        let dictionary = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F {next} 0 R >> >>"
        );
        objects.push(stream(&dictionary, &"/F Do ".repeat(10)));
    }
    objects.push(stream("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << >>", "q Q"));
    let why = refused("a.pdf", &pdf::document(&objects));
    assert!(why.starts_with("cannot read `a.pdf`: "), "{why}");
    let why = refused("a.pdf", format!("%PDF-1.4\n1 0 obj\n{}", "[".repeat(100_000)).as_bytes());
    assert!(why.contains("levels deep"), "{why}");
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
    assert!(refused("a.pdf", &bytes).contains("unpacks to more than"));
    let twice =
        b"%PDF-1.4\n1 0 obj\n<< /Filter [/FlateDecode /FlateDecode] >>\nstream\nx\nendstream\nendobj\n";
    assert!(refused("a.pdf", twice).contains("packed more than once"));
}

#[test]
fn sheets_with_far_corners_stay_small() {
    let book = |rows: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/stock.xlsx");
        let mut old = zip::ZipArchive::new(std::io::Cursor::new(fs::read(path).unwrap())).unwrap();
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
        read_bytes("a.xlsx", packed(&parts), &ReadOptions::default())
    };
    let far = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>";
    let reading = book(far).unwrap_or_else(|error| panic!("{error}")).remove(0);
    assert_eq!(reading.drafts.len(), 2);
    let wide = "<row><c r=\"XFD1\"><v>2</v></c></row>".repeat(100_000);
    let _ = book(&wide);
}

#[test]
fn rich_text_and_books_with_depths_are_bounded() {
    assert!(refused("a.rtf", format!("{{\\rtf1 {}", "{".repeat(100_000)).as_bytes()).contains("groups deep"));
    let styled = format!(
        "<html><body>{}{}{}</body></html>",
        "<b>".repeat(100),
        "<p>word</p>".repeat(20_000),
        "</b>".repeat(100)
    );
    let deep = format!("<html><body>{}x{}</body></html>", "<div>".repeat(190), "</div>".repeat(190));
    let ended = format!(
        "<html><body>{}<h1>Last</h1><p>word</p></body></html>",
        "<p>page<span id=\"p\"/></p><div/>".repeat(5_000)
    );
    let hidden = format!("<html><body><![CDATA[ > {} ]]><p>behind</p></body></html>", "<div>".repeat(900));
    let package = "<package><manifest><item id=\"c\" href=\"c.xhtml\"/><item id=\"d\" href=\"d.xhtml\"/><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/>\
                   <item id=\"b\" href=\"../../b.xhtml\"/></manifest><spine><itemref idref=\"c\"/><itemref idref=\"d\"/><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>";
    let container = "<container><rootfiles><rootfile full-path=\"o/p.opf\"/></rootfiles></container>";
    let book = packed(&[
        ("META-INF/container.xml", container.as_bytes()),
        ("o/p.opf", package.as_bytes()),
        ("o/a.xhtml", styled.as_bytes()),
        ("b.xhtml", deep.as_bytes()),
        ("o/c.xhtml", ended.as_bytes()),
        ("o/d.xhtml", hidden.as_bytes()),
    ]);
    let reading = read_bytes("a.epub", book, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
        .remove(0);
    assert!(reading.drafts.iter().any(|draft| draft.text.contains("word")));
    assert!(reading.drafts.iter().any(|draft| draft.heading == ["Last"]), "what ends itself holds nothing");
    assert!(reading.drafts.iter().any(|draft| draft.text.contains("behind")));
    assert_eq!(reading.drafts.last().map(|draft| draft.text.as_str()), Some("x"));
}

#[test]
fn scanned_and_encrypted_pdfs_are_named() {
    let scanned = pdf::document(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << >> >>"
            .to_string(),
        stream("", "q Q"),
    ]);
    assert!(
        refused("a.pdf", &scanned).contains("it is scanned: none of its 1 pages holds text"),
        "{}",
        refused("a.pdf", &scanned)
    );
    let locked = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locked/locked.pdf")).unwrap();
    assert_eq!(refused("a.pdf", &locked), "cannot read `a.pdf`: it is encrypted: save it without a password");
}

#[test]
fn a_page_that_draws_too_much_is_refused_before_it_is_built() {
    let words = "BT /F 12 Tf 50 700 Td (Tea was ready early) Tj ET ";
    let reading =
        read_bytes("a.pdf", pdf::drawn(words.as_bytes()), &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(reading.drafts[0].text, "Tea was ready early");
    for (content, why) in [
        ("q ".repeat(3_000_000), "page 1: it keeps more than 10000 states of drawing at once"),
        ("f ".repeat(3_000_000), "page 1: it is drawn with more than 2000000 operators and operands"),
        (" ".repeat(65 * 1024 * 1024), "a stream in it unpacks to more than 67108864 bytes"),
    ] {
        assert_eq!(refused("a.pdf", &pdf::drawn(content.as_bytes())), format!("cannot read `a.pdf`: {why}"));
    }
}

#[test]
fn a_presentation_with_a_workbook_behind_its_chart_is_a_presentation() {
    let book = packed(&[("xl/workbook.xml", b"<workbook/>"), ("users.json", b"[]")]);
    let mut stored = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let relation =
        "<Relationships><Relationship Id='rId1' Type='x/slide' Target='slides/slide1.xml'/></Relationships>";
    for (name, bytes) in [
        ("ppt/embeddings/book.xlsx", book.as_slice()),
        ("ppt/presentation.xml", b"<p><sldIdLst><sldId r:id='rId1'/></sldIdLst></p>"),
        ("ppt/_rels/presentation.xml.rels", relation.as_bytes()),
        (
            "ppt/slides/slide1.xml",
            b"<sld><sp><txBody><a:p><a:r><a:t>Tea grows</a:t></a:r></a:p></txBody></sp></sld>",
        ),
    ] {
        stored.start_file(name, plain).unwrap();
        stored.write_all(bytes).unwrap();
    }
    let bytes = stored.finish().unwrap().into_inner();
    let reading = read_bytes("a.pptx", bytes, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(lines(&reading), ["passage #0 (Slide 1) | Tea grows"]);
    let outer = packed(&[("notes.bin", &book)]);
    assert!(refused("a.zip", &outer).contains("holds no document that is read"));
}
