"""Does a reader see what other programs see?

Compares the words that Griot reads from documents (pdf, docx, odt, epub, rtf, html) with those that
`pdftotext` (poppler-utils) and `pandoc` print: python tools/overlap/overlap.py FILES-OR-FOLDERS… [--misses].
Exit 1 where too few are shared. Needs `griot-eval` (`--binary`) and these two programs.

Words are runs of letters and digits, without case and compatibility forms; an ideograph is a word of its own,
because lines break between them anywhere. Each counts as often as it occurs. Targets of links are not
compared: passages keep them, plain text does not.
"""

import argparse
import itertools
import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

# Fewer words than these are no text layer, such as those of a stamp on a scanned page.
FEW = 10
# A passage repeats no more characters of the one before it; what is longer is said twice in the document.
REPEATED = 320
# So many words are listed on each side.
LISTED = 12

# Lines so wide that no column of a table breaks a word.
PANDOC = ["--to=plain", "--wrap=none", "--columns=1000", "--quiet"]
PANDOC_KINDS = ["docx", "odt", "epub", "rtf", "html"]

IDEOGRAPH = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(f"[{IDEOGRAPH}]|[^\\W_{IDEOGRAPH}]+")


def words(text):
    text = unicodedata.normalize("NFKC", text.replace("\u00ad", "")).lower()
    return Counter(WORD.findall(text))


def reference(path, format):
    """What the other program prints; raises OSError or CalledProcessError."""
    if format == "pdf":
        command = ["pdftotext", "-q", path, "-"]
    else:
        command = ["pandoc", f"--from={format}", path, *PANDOC]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode(errors="replace")


def text_of(reading, format):
    """What the document says: each heading where it begins, and no passage's end again in the next one."""
    out, before, headings = [], None, []
    for passage in reading["passages"]:
        # `page 3` is a name that we give.
        if format != "pdf":
            own = passage["heading"]
            same = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], zip(own, headings))))
            out += own[same:]
            headings = own
        again = before is not None and before["heading"] == passage["heading"]
        out.append(passage["text"][repeated(before["text"], passage["text"]) if again else 0 :])
        before = passage
    text = re.sub(r"\]\([^)\n]*", " ", "\n".join(out))
    # Some readers take the title out of the text, and some programs print it. A file's name is no title.
    title = reading["title"] or ""
    if title != Path(reading["path"]).stem and title.lower() not in text.lower():
        text += "\n" + title
    return text


def repeated(before, text):
    """How much of the beginning of a passage is the end of the one before it."""
    ends = range(min(len(text), REPEATED), 0, -1)
    return next((end for end in ends if before.endswith(text[:end])), 0)


def read(binary, paths):
    """What Griot reads, a list of readings for each file."""
    formats = [f"--format={format}" for format in ("pdf", *PANDOC_KINDS)]
    printed = subprocess.run([binary, "read", *formats, *paths], check=True, stdout=subprocess.PIPE).stdout
    documents = {}
    for line in printed.decode().splitlines():
        reading = json.loads(line)
        documents.setdefault(reading["path"], []).append(reading)
    return documents


def compared(theirs, ours):
    """Recall, precision, and the words that one of both has more often."""
    both = (theirs & ours).total()
    order = lambda more: sorted(more.items(), key=lambda item: (-item[1], item[0]))[:LISTED]
    shares = both / max(theirs.total(), 1), both / max(ours.total(), 1)
    return *shares, {"missed": order(theirs - ours), "added": order(ours - theirs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", help="documents, or folders of them")
    parser.add_argument("--binary", default="target/release/griot-eval")
    parser.add_argument("--bar", type=float, default=0.95, help="share of their words that has to be read")
    parser.add_argument("--misses", action="store_true", help="list words that were missed or added")
    options = parser.parse_args()
    print(f"{'':5} {'recall':>6} {'precision':>9} {'words':>8}  document")
    by_format, holds = {}, True
    for path, readings in read(options.binary, options.paths).items():
        format = readings[0]["format"]
        own = by_format.setdefault(format, {"compared": [], "no text": 0, "not measured": 0})
        try:
            theirs = words(reference(path, format))
        except (OSError, subprocess.CalledProcessError) as why:
            own["not measured"] += 1
            holds = False
            print(f"{format:5} NOT MEASURED: {why}  {path}")
            continue
        ours = words("".join(text_of(reading, format) for reading in readings))
        if theirs.total() < FEW:
            own["no text"] += 1
            print(f"{format:5} no text layer, {ours.total()} words of ours  {path}")
            continue
        recall, precision, more = compared(theirs, ours)
        own["compared"].append((recall, precision))
        holds &= recall >= options.bar
        print(f"{format:5} {recall:6.3f} {precision:9.3f} {theirs.total():8}  {path}")
        for problem in (problem for reading in readings for problem in reading["problems"]):
            print(f"      {problem}")
        for what, listed in more.items():
            if options.misses and listed:
                print(f"      {what}: {', '.join(f'{word} {count}' for word, count in listed)}")
    if not by_format:
        sys.exit("there are no documents: name files or folders with .pdf, .docx, .odt, .epub, .rtf or .html")
    print(f"\n{'format':7} {'documents':>9} {'mean':>7} {'least':>7} {'precision':>10}  below {options.bar}")
    for format, own in sorted(by_format.items()):
        recalls, precisions = zip(*own["compared"]) if own["compared"] else ([0.0], [0.0])
        mean = lambda values: sum(values) / len(values)
        below = sum(recall < options.bar for recall in recalls) if own["compared"] else 0
        figures = f"{mean(recalls):7.3f} {min(recalls):7.3f} {mean(precisions):10.3f}  {below}"
        rest = f"; {own['no text']} without text, {own['not measured']} not measured"
        print(f"{format:7} {len(own['compared']):9} {figures}{rest}")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
