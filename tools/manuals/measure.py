#!/usr/bin/env python3
"""Asks Griot questions about manuals and counts how early a right passage comes. README.md says how.

A result is right if its citation matches the question's pattern for the page, and its text the one for the
passage.
"""

import argparse
import json
import os
import re
import subprocess
from pathlib import Path

QUESTIONS = Path(__file__).parent / "questions.tsv"
SHOWN = 10


def run(griot, home, *arguments):
    command = [griot, *arguments]
    environment = dict(os.environ, GRIOT_HOME=str(home))
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def place(results, page, text):
    """The position of the first right result, from 1; 0 if none is right."""
    for at, result in enumerate(results, 1):
        if re.search(page, result["cite"] or "") and re.search(text, result["text"], re.DOTALL):
            return at
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("griot", help="the program")
    parser.add_argument("folder", type=Path, help="a folder of pages for each corpus")
    parser.add_argument("options", nargs="*", help="for `griot recall`, after `--`: --no-floor, --no-graph")
    options = parser.parse_args()
    asked = {}
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines()[1:]:
        corpus, *question = line.split("\t")
        asked.setdefault(corpus, []).append(question)
    everywhere = []
    for corpus, questions in asked.items():
        home = options.folder / f"home-{corpus}"
        if not home.exists():
            home.mkdir()
            run(options.griot, home, "ingest", str(options.folder / corpus))
        places = []
        for question, page, text in questions:
            recall = ("recall", "--json", "--limit", str(SHOWN), *options.options, "--", question)
            places.append(place(json.loads(run(options.griot, home, *recall))["results"], page, text))
        everywhere += places
        show(corpus, places)
    show("all", everywhere)


def show(name, places):
    within = lambda most: sum(0 < at <= most for at in places)
    rank = sum(1 / at for at in places if at) / len(places)
    print(f"{name:8} first {within(1)} three {within(3)} ten {within(SHOWN)} of {len(places)}, MRR {rank:.3f}")


if __name__ == "__main__":
    main()
