//! The files: each a name, whose ending says its format, and a function of how many bytes it means to become.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::pdf;

/// A file that is made to do harm.
pub struct HostileFile {
    pub name: &'static str,
    pub make: fn(usize) -> Vec<u8>,
}

macro_rules! files {
    ($($name:literal => $make:expr,)*) => {
        pub const FILES: &[HostileFile] = &[$(HostileFile { name: $name, make: $make },)*];
    };
}

files! {
    "states.pdf" => |size| pdf::flood("q ", size),
    "paths.pdf" => |size| pdf::flood("0 0 m ", size),
    "texts.pdf" => |size| pdf::flood("(a) Tj ", size),
    "long-text.pdf" => |size| pdf::flood(&format!("({}) Tj ", "a".repeat(size.min(1 << 20))), size),
    "operands.pdf" => |size| pdf::flood("1 ", size),
    "open-text.pdf" => |size| pdf::flood("(", size),
    "all-codes.pdf" => |_| pdf::map("1 beginbfrange\n<00000000> <FFFFFFFF> <0041>\nendbfrange\nendcmap", 1),
    "many-codes.pdf" => |size| {
        let entries = "<0000> <FFFF> <0041>\n".repeat(size / 40);
        pdf::map(&format!("{} beginbfrange\n{entries}endbfrange\nendcmap", size / 40), 1)
    },
    "many-fonts.pdf" => |size| {
        let count = size.min(1 << 20) / 20;
        let entries: String = (0..count).map(|code| format!("<{code:06X}> <0041>\n")).collect();
        pdf::map(&format!("{count} beginbfchar\n{entries}endbfchar\nendcmap"), 500)
    },
    "forms.pdf" => |_| pdf::forms(12, false),
    "endless-forms.pdf" => |_| pdf::forms(3, true),
    "nested-array.pdf" => |size| pdf::object("", "[", "", size),
    "long-array.pdf" => |size| pdf::object("[", "1 ", "]", size),
    "packed-array.pdf" => pdf::packed_objects,
    "picture.pdf" => |size| pdf::picture(size * 4),

    "burst.docx" => |size| zipped(&[("word/document.xml", &vec![b' '; size * 2])]),
    "elements.docx" => |size| word(&"<w:p/>".repeat(size / 6)),
    "attributes.docx" => |size| word(&format!("<w:p {}/>", many(size, |n| format!("a{n}='' ")))),
    "deep.docx" => |size| word(&"<w:p>".repeat(size / 5)),
    "columns.docx" => |size| {
        let cells = "<w:tc><w:tcPr><w:gridSpan w:val='64'/></w:tcPr></w:tc>".repeat(size / 53);
        word(&format!("<w:tbl><w:tr>{cells}</w:tr></w:tbl>"))
    },
    "nested.docx" => |size| {
        let mut inner = zipped(&[("word/document.xml", &vec![b' '; size])]);
        for _ in 0..20 {
            inner = zipped(&[("word/document.xml", &inner)]);
        }
        inner
    },
    "entries.docx" => |size| {
        let count = size.min(4 << 20) / 100;
        let names: Vec<String> = (0..count).map(|number| format!("word/{number}")).collect();
        let parts: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        zipped(&parts)
    },
    "far.xlsx" => |size| sheet(&many(size, |n| row(n % 1_048_576 + 1, &format!("XFD{}", n % 1_048_576 + 1)))),
    "farthest.xlsx" => |_| sheet(&(row(1, "A1") + &row(4_294_967_295, "ZZZZZZ4294967295"))),
    "cells.xlsx" => |size| {
        let cells = many(size, |n| format!("<c r='A{n}'><v>1</v></c>"));
        sheet(&format!("<row r='1'>{cells}</row>"))
    },
    "texts.xlsx" => |_| book("<sheetData/>", "<sst count='4294967295' uniqueCount='4294967295'/>"),
    "slides.pptx" => |size| {
        let ids = many(size.min(1 << 20), |_| "<sldId r:id='rId1'/>".to_string());
        let words = "word ".repeat(size / 5);
        let slide = format!("<sld><sp><txBody><p><r><t>{words}</t></r></p></txBody></sp></sld>");
        let relation = "<Relationships>\
            <Relationship Id='rId1' Type='x/slide' Target='slides/slide1.xml'/></Relationships>";
        zipped(&[
            ("ppt/presentation.xml", format!("<p><sldIdLst>{ids}</sldIdLst></p>").as_bytes()),
            ("ppt/_rels/presentation.xml.rels", relation.as_bytes()),
            ("ppt/slides/slide1.xml", slide.as_bytes()),
        ])
    },
    "spaces.odt" => |size| open("text", &"<p><s c='4294967295'/></p>".repeat(size / 27)),
    "repeated.ods" => |size| {
        let row = "<table-row number-rows-repeated='1048576'>\
            <table-cell number-columns-repeated='16384'><p>a</p></table-cell></table-row>";
        open("spreadsheet", &format!("<table>{}</table>", row.repeat(size / 130)))
    },
    "links.epub" => |size| book_of(&many(size, |n| format!("<a href='c{n}.html'>{n}</a>")), 1),
    "chapters.epub" => |size| book_of(&format!("<p>{}</p>", "word ".repeat(size / 5)), 5_000),

    "comments.html" => |size| "<!--".repeat(size / 4).into_bytes(),
    "closed-comments.html" => |size| "<!-- -->".repeat(size / 8).into_bytes(),
    "tags.html" => |size| "<p>a".repeat(size / 4).into_bytes(),
    "deep.html" => |size| "<div>".repeat(size / 5).into_bytes(),
    "styles.html" => |size| many(size, |n| format!("<b id={n}>")).into_bytes(),
    "attributes.html" => |size| format!("<p {}>", many(size, |n| format!("a{n}=1 "))).into_bytes(),
    "bare-attributes.html" => |size| format!("<p {}>", many(size, |n| format!("a{n} "))).into_bytes(),
    "tables.html" => |size| "<table><tr><td>".repeat(size / 15).into_bytes(),
    "cells.html" => |size| format!("<table><tr>{}", "<td>a".repeat(size / 5)).into_bytes(),
    "signs.html" => |size| "&amp;".repeat(size / 5).into_bytes(),
    "open-tag.html" => |size| format!("<a href=\"{}", "x".repeat(size)).into_bytes(),
    "scripts.html" => |size| "<script>".repeat(size / 8).into_bytes(),
    "selects.html" => |size| "<select><option>".repeat(size / 16).into_bytes(),
    "ends.html" => |size| "</p>".repeat(size / 4).into_bytes(),

    "deep.json" => |size| "[".repeat(size).into_bytes(),
    "numbers.json" => |size| format!("{{\n\"a\": [{}0]}}", "0,".repeat(size / 2)).into_bytes(),
    "keys.json" => |size| format!("{{\n{}\"z\":0}}", many(size, |n| format!("\"k{n}\":[],"))).into_bytes(),
    "open.json" => |size| format!("{{\n\"a\": \"{}", "x".repeat(size)).into_bytes(),
    "line.jsonl" => |size| format!("{{\"text\": \"{}\"}}", "x ".repeat(size / 2)).into_bytes(),
    "lines.jsonl" => |size| "{}\n".repeat(size / 3).into_bytes(),
    "deep.yaml" => |size| "[".repeat(size).into_bytes(),
    "block.yaml" => |size| "- ".repeat(size / 2).into_bytes(),
    "aliases.yaml" => |_| {
        let below = |n: usize| format!("*a{},", n - 1).repeat(9);
        let levels: String = (1..40).map(|n| format!("a{n}: &a{n} [{}]\n", below(n))).collect();
        format!("a0: &a0 [lol,lol]\n{levels}").into_bytes()
    },
    "values.yaml" => |size| "- a\n".repeat(size / 4).into_bytes(),
    "deep.xml" => |size| "<a>".repeat(size / 3).into_bytes(),
    "elements.xml" => |size| format!("<r>{}</r>", "<a/>".repeat(size / 4)).into_bytes(),
    "attributes.xml" => |size| format!("<r {}/>", many(size, |n| format!("a{n}='' "))).into_bytes(),
    "entities.xml" => |_| {
        let below = |n: usize| format!("&a{};", n - 1).repeat(10);
        let all: String = (1..40).map(|n| format!("<!ENTITY a{n} \"{}\">", below(n))).collect();
        format!("<!DOCTYPE r [<!ENTITY a0 \"lol\">{all}]><r>&a39;</r>").into_bytes()
    },
    "cells.ipynb" => |size| {
        let cells = "{\"cell_type\":\"code\",\"source\":[]},".repeat(size / 34);
        format!("{{\"cells\": [{cells}{{}}]}}").into_bytes()
    },
    "columns.csv" => |size| { let row = "a,".repeat(size / 4); format!("{row}\n{row}\n").into_bytes() },
    "rows.csv" => |size| (many(size / 8, |n| format!("c{n},")) + "\n" + &",\n".repeat(size / 4)).into_bytes(),
    "open.csv" => |size| format!("a,b\n\"{}", "x\n".repeat(size / 2)).into_bytes(),
    "quotes.md" => |size| ">".repeat(size).into_bytes(),
    "links.md" => |size| "[".repeat(size.min(4 << 20)).into_bytes(),
    "stars.md" => |size| "*a **a ".repeat(size.min(4 << 20) / 7).into_bytes(),
    "lists.md" => |size| {
        let lines = (0..size.min(4 << 20) / 200).map(|n| format!("{}- a\n", " ".repeat(n % 400)));
        lines.collect::<String>().into_bytes()
    },
    "lines.txt" => |size| "\n".repeat(size).into_bytes(),
    "line.txt" => |size| vec![b'a'; size],
    "groups.rtf" => |size| format!("{{\\rtf1 {}", "{".repeat(size)).into_bytes(),
    "cells.rtf" => |size| format!("{{\\rtf1 {}}}", "\\cell ".repeat(size / 6)).into_bytes(),
    "rows.rtf" => |size| {
        format!("{{\\rtf1 {}{}}}", "\\cell ".repeat(20_000), "\\row ".repeat(size / 5)).into_bytes()
    },
    "binary.rtf" => |_| b"{\\rtf1 \\bin4294967295 x}".to_vec(),
    "parts.eml" => |size| {
        let parts = many(size, |n| format!("--b{n}\nContent-Type: multipart/mixed; boundary=b{}\n\n", n + 1));
        format!("Subject: a\nContent-Type: multipart/mixed; boundary=b0\n\n{parts}").into_bytes()
    },
    "headers.eml" => |size| format!("{}\n\nbody", many(size, |n| format!("X-{n}: a\n"))).into_bytes(),
    "addresses.eml" => |size| format!("To: {}\n\nbody", "a@b.c, ".repeat(size / 7)).into_bytes(),
    "headers.mbox" => |size| {
        format!("From a\n{}\n\nbody", many(size, |n| format!("X-{n}: a\n"))).into_bytes()
    },
    "emails.mbox" => |size| "From a\n\n".repeat(size / 8).into_bytes(),
    "cues.srt" => |size| many(size, |n| format!("{n}\n00:00:01,000 --> 00:00:02,000\na\n\n")).into_bytes(),
    "users.zip" => |size| {
        let users = format!("[{}{{}}]", "{},".repeat(size / 3));
        zipped(&[("users.json", users.as_bytes()), ("a/b.json", b"[]")])
    },
    "conversations.zip" => |size| zipped(&[("conversations.json", "[".repeat(size).as_bytes())]),
    "nested.zip" => |size| zipped(&[("a.zip", &zipped(&[("conversations.json", &vec![b' '; size])]))]),
    "garbage.db" => |size| [b"SQLite format 3\0".as_slice(), &vec![0xA5; size]].concat(),
    "truncated.db" => |_| include_bytes!("../../../griot-ingest/tests/golden/mnemon.db")[..5000].to_vec(),
}

/// So many bytes of numbered pieces.
fn many(size: usize, piece: impl Fn(usize) -> String) -> String {
    let mut all = String::with_capacity(size + 100);
    for number in 0.. {
        if all.len() >= size {
            break;
        }
        all.push_str(&piece(number));
    }
    all
}

fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in parts {
        let _ = archive.start_file(*name, options).map(|()| archive.write_all(bytes));
    }
    archive.finish().map(Cursor::into_inner).unwrap_or_default()
}

fn word(body: &str) -> Vec<u8> {
    let document = format!("<w:document><w:body>{body}</w:body></w:document>");
    zipped(&[("word/document.xml", document.as_bytes())])
}

fn sheet(rows: &str) -> Vec<u8> {
    book(&format!("<sheetData>{rows}</sheetData>"), "<sst/>")
}

/// With one cell, of this name.
fn row(number: usize, cell: &str) -> String {
    format!("<row r='{number}'><c r='{cell}'><v>1</v></c></row>")
}

fn book(sheet: &str, texts: &str) -> Vec<u8> {
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = |all: &[(&str, &str)]| {
        let open = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
        let one = |(number, (name, target)): (usize, &(&str, &str))| {
            format!("<Relationship Id=\"rId{number}\" Type=\"{kind}/{name}\" Target=\"{target}\"/>")
        };
        format!("{open}{}</Relationships>", (1..).zip(all).map(one).collect::<String>())
    };
    let package = relations(&[("officeDocument", "xl/workbook.xml")]);
    let relations =
        relations(&[("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")]);
    let book = format!(
        "<workbook xmlns=\"{main}\" xmlns:r=\"{kind}\"><sheets>\
         <sheet name=\"A\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let sheet = format!("<worksheet xmlns=\"{main}\">{sheet}</worksheet>");
    zipped(&[
        ("_rels/.rels", package.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/sharedStrings.xml", texts.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

fn open(kind: &str, body: &str) -> Vec<u8> {
    let content = format!("<document-content><body><{kind}>{body}</{kind}></body></document-content>");
    let mimetype = format!("application/vnd.oasis.opendocument.{kind}");
    zipped(&[("mimetype", mimetype.as_bytes()), ("content.xml", content.as_bytes())])
}

fn book_of(chapter: &str, times: usize) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path='p.opf'/></rootfiles></container>";
    let package = format!(
        "<package><metadata/><manifest>\
         <item id='c' href='c.html' media-type='application/xhtml+xml' properties='nav'/></manifest>\
         <spine>{}</spine></package>",
        "<itemref idref='c'/>".repeat(times)
    );
    zipped(&[
        ("META-INF/container.xml", container.as_bytes()),
        ("p.opf", package.as_bytes()),
        ("c.html", format!("<html><body>{chapter}</body></html>").as_bytes()),
    ])
}
