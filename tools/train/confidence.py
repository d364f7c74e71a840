"""How probable is it that a candidate bears on the question: figures, fit and measures.

Mirrors `crates/griot/src/recall/confidence.rs`, which says what the figures are.
"""

import lightgbm
import numpy as np
from scipy.optimize import minimize

FIGURES = [
    "first_coverage", "best_coverage", "unknown", "rarity", "rare", "possible", "cosine", "best_cosine", "lead",
    "terms", "store_words", "names", "named", "time", "margin",
]
OF_VECTORS = ["cosine", "best_cosine", "lead", "margin"]
OWN = ["behind", "place", "own_coverage", "own_possible", "own_cosine", "own_rarity"]
# A figure that can only speak for an answer (1), only against one (-1), or either.
SIGNS = {
    "first_coverage": 1, "best_coverage": 1, "unknown": -1, "rarity": 1, "rare": 1, "possible": 1, "cosine": 1,
    "best_cosine": 1, "lead": 1, "names": 1, "named": 1, "time": 1, "margin": 1,
    "behind": -1, "place": -1, "own_coverage": 1, "own_possible": 1, "own_cosine": 1, "own_rarity": 1,
}
AMONG, MARGIN, SEVERAL = 10, 4.0, 5
ALL_WORDS, RARE = 0.999, 0.6
# Candidates of a question from which the evidence is learned.
LEARNED = 30
TREES = 300
# All questions together: what the trees' own penalty is relative to.
TREE_WEIGHT = 1000.0
# How much each kind of question counts: half of what is asked has an answer.
KINDS = {"held": 0.5, "foreign": 0.2, "near": 0.12, "everyday": 0.18}


class Ordered:
    """A question with its candidates in the order of a ranking."""

    def __init__(self, question, values, gold, order, signals):
        self.question = question
        at = np.argsort(-order, kind="stable")
        self.order, self.gold = order[at].astype(float), gold[at]
        rows = values[at]
        column = lambda name: rows[:, signals.index(name)].astype(float)
        self.coverage, self.possible = column("coverage"), column("possible")
        self.rarity, self.cosine = column("rarity"), column("cosine")
        self.names, self.named, self.time = column("entities"), column("named"), column("time")

    def figures(self):
        question, first = self.question, lambda values: float(values[0]) if len(values) else 0.0
        best = lambda values: float(values[:AMONG].max()) if len(values) else 0.0
        tenth = self.order[AMONG] if len(self.order) > AMONG else first(self.order)
        rarest = np.sort(self.rarity[:AMONG])[::-1][:3]
        rare = float(rarest.mean()) if len(rarest) else 0.0
        mean = float(self.cosine.mean()) if len(self.cosine) >= SEVERAL else 0.0
        return np.array([
            first(self.coverage), best(self.coverage), question["unknown"], first(self.rarity), rare,
            best(self.possible), first(self.cosine), best(self.cosine), best(self.cosine) - mean,
            min(1.0, question["terms"] / 12), min(1.0, np.log1p(question["words"]) / np.log(1e8)),
            best(self.names), best(self.named) if question["capitals"] else 1.0, best(self.time), np.clip(first(self.order) - tenth, 0, MARGIN) / MARGIN,
        ])

    def own(self, most=None):
        cut = slice(0, most)
        behind = self.order[:1] - self.order[cut]
        place = np.log1p(np.arange(len(behind)))
        return np.column_stack([behind, place, self.coverage[cut], self.possible[cut], self.cosine[cut], self.rarity[cut]])


def logistic(figures, labels, weights, names, l2, without=()):
    """Weights and constant; bounds by SIGNS."""
    labels, weights = labels.astype(float), weights / weights.sum()

    def loss(x):
        z = figures @ x[:-1] + x[-1]
        p = 1 / (1 + np.exp(-z))
        value = weights @ np.logaddexp(0, np.where(labels > 0, -z, z)) + 0.5 * l2 * (x[:-1] ** 2).sum()
        pull = weights * (p - labels)
        return value, np.append(figures.T @ pull + l2 * x[:-1], pull.sum())

    def bound(name):
        if name in without:
            return (0, 0)
        sign = SIGNS.get(name, 0)
        return (0 if sign > 0 else None, 0 if sign < 0 else None)

    bounds = [bound(name) for name in names] + [(None, None)]
    return minimize(loss, np.zeros(figures.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds).x


def grown(figures, labels, weights, without=()):
    """Trees that rise or fall with a figure as SIGNS says."""
    columns = [at for at, name in enumerate(FIGURES) if name not in without]
    names = [FIGURES[at] for at in columns]
    data = lightgbm.Dataset(
        figures[:, columns],
        label=labels.astype(int),
        weight=weights / weights.sum() * TREE_WEIGHT,
        feature_name=names,
    )
    parameters = {
        "objective": "binary",
        "num_leaves": 6,
        "learning_rate": 0.06,
        "min_data_in_leaf": 60,
        "lambda_l2": 5,
        "feature_fraction": 0.5,
        "monotone_constraints": [SIGNS.get(name, 0) for name in names],
        "seed": 1,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }
    return lightgbm.train(parameters, data, TREES), columns


def fit(questions, l2=1e-4):
    """The three functions, from ordered questions; sets count alike within a kind."""
    groups = {}
    for question in questions:
        key = (question.question["kind"], question.question["set"])
        groups[key] = groups.get(key, 0) + 1
    sets_of = {kind: len({s for k, s in groups if k == kind}) for kind in KINDS}
    weight = lambda q: KINDS[q["kind"]] / sets_of[q["kind"]] / groups[(q["kind"], q["set"])]
    figures = np.array([question.figures() for question in questions])
    labels = np.array([question.question["kind"] == "held" for question in questions])
    weights = np.array([weight(question.question) for question in questions])
    answerable = grown(figures, labels, weights)
    by_words = grown(figures, labels, weights, OF_VECTORS)
    rows, hits, counts = [], [], []
    for question in questions:
        if question.question["kind"] == "held" and len(question.order):
            own = question.own(LEARNED)
            rows.append(own)
            hits.append(question.gold[:LEARNED])
            counts.append(np.full(len(own), weight(question.question)))
    evidence = logistic(np.concatenate(rows), np.concatenate(hits), np.concatenate(counts), OWN, l2)
    return {"answerable": answerable, "words": by_words, "evidence": evidence}


def scores(fitted, question, vectors=True):
    """How probable it is that a candidate answers the question, and the scores of its candidates in order."""
    if not len(question.order):
        return 0.0, np.zeros(0)
    of = lambda x, rows: 1 / (1 + np.exp(-(rows @ x[:-1] + x[-1])))
    figures = question.figures()
    by_trees = lambda trees: float(trees[0].predict(figures[None, trees[1]], num_threads=1)[0])
    answerable, by_words = by_trees(fitted["answerable"]), by_trees(fitted["words"])
    if not vectors:
        answerable = by_words
    elif question.coverage[0] >= ALL_WORDS and question.rarity[0] >= RARE:
        answerable = max(answerable, by_words)
    return answerable, np.minimum.accumulate(answerable * of(fitted["evidence"], question.own()))


def lines(fitted, nodes):
    """The part of the ranking's file that Rust reads; `nodes` writes a tree."""
    text = []
    for name, value in zip([*OWN, "constant"], fitted["evidence"]):
        if value:
            text.append(f"evidence {name} {value:.5g}")
    for part in ("answerable", "words"):
        booster, columns = fitted[part]
        for tree in booster.dump_model()["tree_info"]:
            text.append(f"{part} tree")
            text += nodes(tree["tree_structure"], [FIGURES[at] for at in columns], 1.0)
    return text


def calibration(pairs, bins=10):
    """Mean absolute distance of probability and share, in bins of equal mass."""
    pairs = np.array(sorted(pairs))
    if not len(pairs):
        return float("nan")
    return float(np.mean([abs(part[:, 0].mean() - part[:, 1].mean()) for part in np.array_split(pairs, bins) if len(part)]))
