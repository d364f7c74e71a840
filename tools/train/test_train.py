"""Tests of train.py on made-up questions: python tools/train/test_train.py."""

import argparse
import json
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

# For so little data, threads that wait for each other cost more than they bring.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import train  # noqa: E402

SIGNALS = ["words", "graph", "place", "said", "start"]
OPTIONS = argparse.Namespace(
    trees=60, leaves=8, depth=7, leaf_size=50, step=0.2, top=40, mask=0.0, seed=1, without=[]
)


def features(folder, questions):
    """Evidence is where exactly one of two signals is high: no weighted sum can separate it from the rest."""
    random, path = np.random.default_rng(5), Path(folder) / "features.jsonl"
    with open(path, "w", encoding="utf-8") as out:
        head = {"griot_features": 1, "embedder": "none", "graph": True, "signals": SIGNALS}
        out.write(json.dumps(head) + "\n")
        for at in range(questions):
            one, two = random.random((2, 40))
            gold = np.flatnonzero(((one > 0.6) != (two > 0.6)) & (one + two > 0.9))
            values = [[float(a), float(b), 0.0, 0.0, 1.0] for a, b in zip(one, two)]
            line = {"set": "a" if at % 2 else "b", "id": str(at), "pool": "p", "cluster": str(at // 2)}
            line |= {"effort": "normal", "evidence": len(gold), "gold": gold.tolist()}
            out.write(json.dumps(line | {"scores": [0.0] * 40, "values": values}) + "\n")
    return train.Questions(path)


class Trees(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.questions = features(self.folder.name, 200)
        self.everything = np.ones(200, bool)

    def test_trees_learn_what_a_sum_cannot(self):
        booster = train.grow(self.questions, self.everything, OPTIONS)
        first = [self.questions.hits(at, train.predicted(booster, self.questions))[0] for at in range(200)]
        self.assertGreaterEqual(sum(first), 190)

    def test_the_same_input_gives_the_same_bytes_and_the_file_says_what_the_trees_say(self):
        files = []
        for _ in range(2):
            booster = train.grow(self.questions, self.everything, OPTIONS)
            scores = train.predicted(booster, self.questions)
            files.append(train.forest_file(booster, scores))
        self.assertEqual(*files)
        nodes = [line.strip() for line in files[0].splitlines()]
        nodes = nodes[nodes.index(next(line for line in nodes if line.startswith("scale"))) + 1 :]
        sums = [read_forest(list(nodes), row) for row in self.questions.values[:200]]
        np.testing.assert_allclose(sums, scores[:200], atol=1e-3)

    def test_a_fold_and_a_set_are_not_seen_and_a_part_is_not_used(self):
        for scores in (train.unseen(self.questions, OPTIONS), train.left_out(self.questions, OPTIONS)):
            self.assertGreater(self.questions.measures(scores)[:, train.NDCG].mean(), 0.7)
        booster = train.grow(self.questions, self.everything, OPTIONS, ["graph"])
        self.assertNotIn("graph", booster.feature_name())

    def test_thresholds_keep_their_side(self):
        for value in np.float32([0.1, 1 / 3, 4.8e-6, 1.0]):
            self.assertLess(value, train.above(float(value)))
            self.assertEqual(train.above(np.nextafter(float(value), 0)), value)


class Differences(unittest.TestCase):
    def test_a_steady_gain_is_sure_and_a_tossed_coin_is_not(self):
        mean, low, high = train.difference([("a", at, 0.1) for at in range(100)])["a"]
        np.testing.assert_allclose([mean, low, high], 0.1)
        _, low, high = train.difference([("a", at, 0.1 if at % 2 else -0.1) for at in range(100)])["a"]
        self.assertTrue(low < 0 < high)

    def test_questions_of_one_cluster_are_not_independent(self):
        rows = lambda size: [("a", at // size, 0.3 if at < 50 else -0.2) for at in range(100)]
        width = lambda size: np.diff(train.difference(rows(size))["a"][1:])
        # 1.96 · 2 · 0.25 / 10 = 0.098 for independent ones; four clusters are far less sure.
        self.assertTrue(0.08 < width(1) < 0.12)
        self.assertGreater(width(25), 0.3)

    def test_sets_count_alike_however_many_questions_they_have(self):
        rows = [("small", 0, 1.0), *(("large", at, 0.0) for at in range(99))]
        self.assertAlmostEqual(train.difference(rows)[None][0], 0.5)

    def test_measures_are_those_of_the_harness(self):
        hits = np.array([False, True, False, True], bool)
        expected = [1, 1, 1, 1.0616063116 / 1.6309297536, 0.5, 1]
        np.testing.assert_allclose(train.measures(hits, 2), expected)


def read_forest(nodes, row):
    """The sum of the trees of a file, as the engine adds them."""

    def value(take):
        line = nodes.pop(0)
        if "<" not in line:
            return float(line) if take else 0.0
        name, rest = line.split(" < ")
        is_below = row[SIGNALS.index(name)] < np.float32(rest.split(" : ")[0])
        return value(take and is_below) + value(take and not is_below)

    total = 0.0
    while nodes:
        total += value(True)
    return total


if __name__ == "__main__":
    unittest.main()
