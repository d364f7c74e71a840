"""Tests of train.py on made-up questions: python tools/train/test_train.py."""

import argparse
import contextlib
import io
import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import numpy as np

# For so little data, threads that wait for each other cost more than they bring.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import confidence  # noqa: E402
import train  # noqa: E402

SIGNALS = ["words", "graph", "coverage", "possible", "rarity", "cosine", "entities", "named", "time", "echo"]
OPTIONS = argparse.Namespace(trees=20, mask=0.0, seed=1, without=[])


def features(folder, questions):
    """Evidence has many words and is near by the graph; strangers cover little."""
    random, path = np.random.default_rng(5), Path(folder) / "features.jsonl"
    with open(path, "w", encoding="utf-8") as out:
        head = {"griot_features": 3, "embedder": "none", "graph": True, "signals": SIGNALS}
        out.write(json.dumps(head) + "\n")
        for at in range(questions):
            values = random.random((40, len(SIGNALS)))
            kind = ["held", "foreign", "held", "everyday", "held", "near"][at % 6]
            if kind != "held":
                values *= 0.4
            best = np.argsort(-(values[:, 0] + 0.5 * values[:, 1]))[:2].tolist() if kind == "held" else []
            line = {"set": "a" if at // 6 % 2 else "b", "id": str(at), "pool": "p", "cluster": str(at // 2)}
            line |= {"effort": "normal", "kind": kind, "words": 800, "unknown": 0.0 if best else 0.7, "terms": 5, "capitals": False}
            line |= {"evidence": len(best), "gold": best, "plain": {"BM25": 0.5} if best else {}}
            out.write(json.dumps(line | {"values": values.tolist()}) + "\n")
    return train.Questions(path)


class Fitted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.questions = features(cls.folder.name, 240)
        cls.order = train.fit_order(cls.questions, cls.questions.whole(), OPTIONS)
        cls.ranked = train.ordered(cls.questions, range(len(cls.questions)), cls.order)
        cls.confidence = confidence.fit(cls.ranked)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_evidence_comes_first(self):
        held = [q for q in self.ranked if q.question["kind"] == "held"]
        self.assertGreater(np.mean([q.gold[0] for q in held]), 0.9)

    def test_validation_prints_what_the_engine_and_the_weights_by_hand_reach(self):
        path = Path(self.folder.name) / "features.jsonl"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            train.run_validate(argparse.Namespace(**vars(OPTIONS), features=path, out=None))
        summary = next(line for line in printed.getvalue().splitlines() if line.startswith("geometric mean"))
        reached = lambda name: float(re.search(f"{name} ([0-9.]+[0-9])", summary)[1])
        # The engine's order is the arbitrary one of the file.
        self.assertGreater(min(reached("left out"), reached("by hand")), reached("answered"))

    def test_a_strong_pull_keeps_the_prior_and_no_pull_forgets_it(self):
        rows, labels, lengths, weights = train.learned(self.questions, self.questions.whole(), OPTIONS)
        prior = np.zeros(rows.shape[1])
        prior[SIGNALS.index("time")] = 1.0
        free = np.ones(rows.shape[1], bool)
        fit = lambda l2: train.softmax_fit(rows, labels, lengths, weights, l2, free, prior)
        time = SIGNALS.index("time")
        self.assertGreater(fit(1000.0)[time], 0.9)
        self.assertLess(fit(0.001)[time], 0.5)

    def test_no_weight_is_negative_and_late_signals_wait(self):
        self.assertTrue((self.order.weights >= 0).all() and (self.order.first >= 0).all())
        self.assertEqual(self.order.first[SIGNALS.index("echo")], 0)
        self.assertAlmostEqual(self.order.first.sum(), 1)

    def test_scores_fall_and_strangers_score_low(self):
        means = {}
        for question in self.ranked:
            _, scores = confidence.scores(self.confidence, question)
            self.assertTrue((np.diff(scores) <= 0).all() and (scores >= 0).all() and (scores <= 1).all())
            means.setdefault(question.question["kind"], []).append(scores[0])
        self.assertGreater(np.mean(means["held"]), 5 * np.mean(means["foreign"]))

    def test_an_improbable_answer_is_not_shown_whatever_its_results_score(self):
        question = next(q for q in self.ranked if q.question["kind"] == "held")
        floor, score = train.FLOORS[2], np.full(len(question.order), train.FLOORS[2])
        of = lambda answerable: train.silence([question], [(answerable, score)])[2][0]
        least = train.least_answerable(floor, question.question["words"])
        self.assertEqual((of(least * 1.01), of(least * 0.99)), (1.0, 0.0))

    def test_the_same_input_gives_the_same_bytes(self):
        again = train.fit_order(self.questions, self.questions.whole(), OPTIONS)
        files = [train.ranking_file(order, self.confidence) for order in (self.order, again)]
        self.assertEqual(*files)

    def test_the_file_says_what_the_order_says(self):
        lines = train.ranking_file(self.order, self.confidence).splitlines()
        names = [*SIGNALS, *(f"rank.{name}" for name in SIGNALS)]
        rows = self.questions.inputs(0)
        sums = np.zeros(len(rows))
        at = 0
        while at < len(lines):
            words = lines[at].split()
            at += 1
            if words[0] == "sum":
                sums += float(words[2]) * rows[:, names.index(words[1])]
            elif words == ["tree"]:
                tree, at = read_tree(lines, at, names)
                sums += [tree(row) for row in rows]
        np.testing.assert_allclose(sums, self.order.scores(rows), atol=1e-3)

    def test_a_part_can_be_left_out(self):
        order = train.fit_order(self.questions, self.questions.whole(), argparse.Namespace(**{**vars(OPTIONS), "without": ["graph"]}))
        self.assertEqual(order.weights[SIGNALS.index("graph")], 0)


def read_tree(lines, at, names):
    name, found, threshold = lines[at].strip().partition(" < ")
    if not found:
        leaf = float(name)
        return lambda row: leaf, at + 1
    below, at = read_tree(lines, at + 1, names)
    others, at = read_tree(lines, at, names)
    column, threshold = names.index(name), np.float32(threshold)
    return lambda row: below(row) if row[column] < threshold else others(row), at


class Figures(unittest.TestCase):
    def test_ranks_are_shared_by_equal_values(self):
        rows = train.inputs(np.array([[0.5], [1.0], [1.0], [0.0]], np.float32))
        np.testing.assert_allclose(rows[:, 1], [10 / 12, 1, 1, 0])

    def test_measures(self):
        hits = np.array([False, True, False])
        self.assertEqual(train.measures(hits, 1)[0], 1.0)
        self.assertAlmostEqual(train.measures(hits, 1)[train.NDCG], 1 / np.log2(3))

    def test_calibration_is_0_where_probabilities_hold(self):
        random = np.random.default_rng(3)
        scores = random.random(20000)
        pairs = [(score, float(random.random() < score)) for score in scores]
        self.assertLess(confidence.calibration(pairs), 0.02)
        self.assertGreater(confidence.calibration([(score / 2, hit) for score, hit in pairs]), 0.2)

    def test_intervals_hold_the_mean(self):
        rows = [("a", str(at % 7), 0.1 * (at % 3)) for at in range(70)]
        mean, low, high = train.difference(rows)["a"]
        self.assertTrue(low <= mean <= high)


if __name__ == "__main__":
    unittest.main()
