"""Fits the ranking of Griot and says what it reaches on whole sets that it has not seen.

Reads what `griot-eval features` writes: a head line, then one line for each question at each effort with the
signals of its candidates. README.md has the commands. Every random number follows from a seed.
"""

import argparse
import json
from pathlib import Path

import lightgbm
import numpy as np
from scipy.optimize import minimize

import confidence

SEED = 1
# Questions of a set that are learned from: more let the sets with many questions speak for all.
LEARNED = 150
MEASURES = ["R@5", "R@10", "R@20", "nDCG@10", "MRR", "All@10"]
NDCG = MEASURES.index("nDCG@10")

# Signals that a part of recall gives.
PARTS = {
    "graph": ["graph", "graph_first", "graph_names", "bridge", "bridge_header", "bridge_open"],
    "time": ["time", "year_span"],
    "names": ["entities", "speaker", "graph_names"],
    "neighbours": ["before", "after", "around", "before_meaning", "after_meaning", "place", "place_meaning"],
    "vectors": ["meaning", "cosine", "place_meaning", "before_meaning", "after_meaning", "part", "echo"],
    "ranks": [],
}
# Attributes that some questions do without in training, so that a memory without them is ranked as well.
ATTRIBUTES = {
    "speaker": ["speaker"],
    "date": ["time", "year_span"],
    "header": ["header", "bridge_header"],
    "structure": PARTS["neighbours"],
    "graph": PARTS["graph"],
}
# Measured after the first sum has chosen.
LATE = ["complement", "part", "echo"]
# Scales of the weights set by hand: a softmax needs its own.
SCALES = np.arange(1, 12, 0.5)
# The rank that counts half: as in `crates/griot/src/recall/ranking.rs`.
HALF = 10.0
# The first sum chooses candidates; the whole sum stays near weights that no set taught.
L2, PULL = 0.01, 0.05
BY_HAND = Path(__file__).parent / "by_hand.txt"
TREES, TREE_SHARE = 70, 0.35


class Questions:
    """All questions with their candidates, one row each, question after question."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            head = json.loads(next(lines))
            if head.get("griot_features") != 3:
                raise SystemExit(f"{path}: not features of griot-eval")
            self.embedder, self.graph, self.signals = head["embedder"], head["graph"], head["signals"]
            self.asked, self.values, self.gold = [], [], []
            for line in lines:
                question = json.loads(line)
                rows = np.array(question.pop("values"), np.float32).reshape(-1, len(self.signals))
                hits = np.zeros(len(rows), bool)
                hits[question.pop("gold")] = True
                self.values.append(rows)
                self.gold.append(hits)
                self.asked.append(question)
        self.sets = list(dict.fromkeys(question["set"] for question in self.asked))
        self._inputs = [None] * len(self.asked)

    def __len__(self):
        return len(self.asked)

    def inputs(self, at):
        if self._inputs[at] is None:
            self._inputs[at] = inputs(self.values[at])
        return self._inputs[at]

    def index(self, names):
        """The columns of signals; one that the engine does not have is passed over."""
        return [self.signals.index(name) for name in names if name in self.signals]

    def whole(self):
        """Questions of sets about their whole pools, which have an answer."""
        return [at for at, q in enumerate(self.asked) if q["kind"] == "held" and q["pool"] != "part"]


def inputs(values):
    """Signals, and the rank of each: HALF / (HALF + n) where n candidates have more of it."""
    ranks = np.zeros_like(values)
    for column in range(values.shape[1]):
        own = values[:, column]
        falling = np.sort(own)[::-1]
        more = np.searchsorted(-falling, -own, side="left")
        ranks[:, column] = np.where(own > 0, HALF / (HALF + more), 0)
    return np.concatenate([values, ranks], 1)


def measures(hits, evidence):
    recall = lambda k: hits[:k].sum() / evidence
    gains = 1 / np.log2(np.arange(10) + 2)
    first = np.flatnonzero(hits)
    ndcg = gains[: len(hits)][hits[:10]].sum() / gains[: min(evidence, 10)].sum()
    mrr = 1 / (first[0] + 1) if len(first) else 0.0
    return [recall(5), recall(10), recall(20), ndcg, mrr, float(recall(10) == 1)]


# --- the order


class Order:
    """A fitted order of candidates."""

    def __init__(self, signals, first, weights, booster, tree_scale, columns):
        self.signals, self.first, self.weights = signals, first, weights
        self.booster, self.tree_scale, self.columns = booster, tree_scale, columns

    def scores(self, rows):
        if not len(rows):
            return np.zeros(0)
        score = rows @ self.weights
        if self.booster is not None:
            score = score + self.tree_scale * self.booster.predict(rows[:, self.columns], num_threads=1)
        return score


def learned(questions, chosen, options):
    """Inputs, labels, group sizes and weights of the questions that teach; all sets count alike."""
    random = np.random.default_rng(options.seed)
    kept, counts = [], {}
    for at in chosen:
        own = questions.asked[at]["set"]
        if questions.gold[at].any() and counts.get(own, 0) < LEARNED:
            counts[own] = counts.get(own, 0) + 1
            kept.append(at)
    rows, labels, weights = [], [], []
    for at in kept:
        values = questions.values[at]
        hidden = [names for names in ATTRIBUTES.values() if random.random() < options.mask]
        if hidden:
            values = values.copy()
            values[:, questions.index(name for names in hidden for name in names)] = 0
            rows.append(inputs(values))
        else:
            rows.append(questions.inputs(at))
        labels.append(questions.gold[at])
        weights.append(1 / counts[questions.asked[at]["set"]] / len(counts))
    return np.concatenate(rows), np.concatenate(labels), np.array([len(r) for r in rows]), np.array(weights)


def softmax_fit(rows, labels, lengths, weights, l2, free, prior=None):
    """Listwise softmax over the candidates of a question; a weight is never negative.

    `prior` are weights to stay near, in whatever scale suits the questions best.
    """
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    own = np.repeat(np.arange(len(lengths)), lengths)
    wanted = labels / np.add.reduceat(labels.astype(float), starts)[own]
    rows = rows.astype(np.float32)

    def misfit(x):
        scores = (rows @ x.astype(np.float32)).astype(float)
        scores -= np.maximum.reduceat(scores, starts)[own]
        powers = np.exp(scores)
        sums = np.add.reduceat(powers, starts)
        pull = ((powers / sums[own] - wanted) * weights[own]).astype(np.float32)
        value = weights @ (np.log(sums) - np.add.reduceat(wanted * scores, starts))
        return float(value), (rows.T @ pull).astype(float)

    start = np.zeros(rows.shape[1])
    if prior is not None:
        own_part = np.where(free, prior, 0)
        start = own_part * min(SCALES, key=lambda scale: misfit(scale * own_part)[0])

    def loss(x):
        value, slope = misfit(x)
        return value + 0.5 * l2 * ((x - start) ** 2).sum(), slope + l2 * (x - start)

    bounds = [(0, None) if is_free else (0, 0) for is_free in free]
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 120}).x


def by_hand(signals):
    """Weights of signals and ranks that no set taught."""
    weights = np.zeros(2 * len(signals))
    for line in BY_HAND.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        name, _, weight = rest.partition(" ")
        if kind == "sum" and name in signals:
            weights[signals.index(name)] = float(weight)
    return weights


def fit_order(questions, chosen, options):
    """The order learned from these questions."""
    count = len(questions.signals)
    rows, labels, lengths, weights = learned(questions, chosen, options)
    free = np.ones(2 * count, bool)
    for part in options.without:
        for column in questions.index(PARTS[part]):
            free[[column, count + column]] = False
        if part == "ranks":
            free[count:] = False
    early = free[:count].copy()
    early[questions.index(LATE)] = False
    first = softmax_fit(rows[:, :count], labels, lengths, weights, L2, early)
    total = softmax_fit(rows, labels, lengths, weights, PULL, free, by_hand(questions.signals))
    columns = np.flatnonzero(free)
    booster, scale = None, 0.0
    if options.trees:
        names = [*questions.signals, *(f"rank.{name}" for name in questions.signals)]
        data = lightgbm.Dataset(
            rows[:, columns],
            label=labels.astype(int),
            group=lengths,
            weight=np.repeat(weights * len(weights), lengths),
            feature_name=[names[at] for at in columns],
        )
        parameters = {
            "objective": "lambdarank",
            "lambdarank_truncation_level": 20,
            "num_leaves": 6,
            "learning_rate": 0.06,
            "min_data_in_leaf": 200,
            "lambda_l2": 10,
            "max_bin": 63,
            "feature_fraction": 0.4,
            "bagging_by_query": True,
            "bagging_fraction": 0.7,
            "bagging_freq": 1,
            "monotone_constraints": [1] * len(columns),
            "seed": options.seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbosity": -1,
        }
        booster = lightgbm.train(parameters, data, options.trees)
        spread = lambda scores: np.mean([part.std() for part in np.split(scores, np.cumsum(lengths)[:-1])])
        scale = TREE_SHARE * spread(rows @ total) / max(1e-9, spread(booster.predict(rows[:, columns])))
    return Order(questions.signals, first / max(1e-9, first.sum()), total, booster, scale, columns)


def ordered(questions, chosen, order):
    """The questions with their candidates in this order."""
    return [
        confidence.Ordered(
            questions.asked[at],
            questions.values[at],
            questions.gold[at],
            order.scores(questions.inputs(at)),
            questions.signals,
        )
        for at in chosen
    ]


def ranking_file(order, fitted):
    """The text that the engine reads: `griot/src/recall/ranking.rs`."""
    lines = ["griot ranking 1", "# `tools/train` fits it; docs/quality-left-out.md says what it reaches."]
    for name, weight in zip(order.signals, order.first):
        if weight > 0:
            lines.append(f"first {name} {weight:.5g}")
    names = [*order.signals, *(f"rank.{name}" for name in order.signals)]
    for name, weight in zip(names, order.weights):
        if weight > 0:
            lines.append(f"sum {name} {weight:.5g}")
    lines += confidence.lines(fitted, tree_lines)
    columns = [names[at] for at in order.columns]
    for tree in order.booster.dump_model()["tree_info"] if order.booster is not None else []:
        lines += ["tree", *tree_lines(tree["tree_structure"], columns, order.tree_scale)]
    return "\n".join(lines) + "\n"


def tree_lines(node, names, scale, indent=""):
    """The nodes of a tree in pre-order."""
    if "split_feature" not in node:
        return [f"{indent}{node['leaf_value'] * scale:.5g}"]
    own = f"{indent}{names[node['split_feature']]} < {decimal(above(node['threshold']))}"
    children = [tree_lines(node[child], names, scale, indent + " ") for child in ("left_child", "right_child")]
    return [own, *children[0], *children[1]]


def above(threshold):
    """The smallest single-precision number above a threshold: `x <= threshold` is `x < above(threshold)`."""
    near = np.float32(threshold)
    return near if float(near) > threshold else np.nextafter(near, np.float32(np.inf))


def decimal(number):
    return np.format_float_positional(np.float32(number), unique=True, trim="-")


# --- what it reaches


def best_plain(questions, chosen):
    """The plain method that is best on these questions, with hindsight, and its nDCG@10."""
    methods = questions.asked[chosen[0]]["plain"]
    reached = {name: np.mean([questions.asked[at]["plain"][name] for at in chosen]) for name in methods}
    best = max(reached, key=reached.get)
    return best, reached[best]


def difference(rows, seed=17, draws=2000):
    """By set: mean and 95 % interval of the differences; last, of the mean of the sets.

    Rows are set, cluster and difference. Clusters are drawn whole: questions of one conversation or article
    stand or fall together.
    """
    random = np.random.default_rng(seed)
    found, of_means = {}, np.zeros(draws)
    by_set = {}
    for name, cluster, value in rows:
        by_set.setdefault(name, {}).setdefault(cluster, []).append(value)
    for name, clusters in by_set.items():
        total = np.array([sum(values) for values in clusters.values()])
        count = np.array([len(values) for values in clusters.values()])
        drawn = random.integers(0, len(total), (draws, len(total)))
        drawn = total[drawn].sum(axis=1) / count[drawn].sum(axis=1)
        of_means += drawn / len(by_set)
        found[name] = interval(total.sum() / count.sum(), drawn)
    found[None] = interval(np.mean([mean for mean, _, _ in found.values()]), of_means)
    return found


def interval(mean, drawn):
    drawn = np.sort(drawn)
    return mean, drawn[len(drawn) * 25 // 1000], drawn[len(drawn) * 975 // 1000 - 1]


FLOORS = [0.03, 0.05, 0.08, 0.1, 0.12, 0.2, 0.3]


def least_answerable(floor, words):
    """How probable an answer has to be; as in `crates/griot/src/recall/rank.rs`."""
    return min(np.clip(1.5 + 1.8 * (np.log10(max(words, 1)) - 3.3), 1.5, 5.0) * floor, 0.9)


def silence(own, scores):
    """By floor: questions answered by kind; share of evidence shown, and what is lost of R@10."""
    rows = []
    for floor in FLOORS:
        answered, shown, right, before, after = {}, 0, 0, [], []
        for question, (answerable, of) in zip(own, scores):
            kind = question.question["kind"]
            kept = (of[:10] >= floor) & (answerable >= least_answerable(floor, question.question["words"]))
            answered.setdefault(kind, []).append(bool(kept.any()))
            if kind == "held":
                shown, right = shown + kept.sum(), right + (kept & question.gold[:10]).sum()
                evidence = question.question["evidence"]
                before.append(question.gold[:10].sum() / evidence)
                after.append((kept & question.gold[:10]).sum() / evidence)
        share = lambda kind: float(np.mean(answered[kind])) if kind in answered else float("nan")
        rows.append([*(share(kind) for kind in confidence.KINDS), right / max(1, shown), np.mean(before) - np.mean(after)])
    return np.array(rows, float)


def run_fit(options):
    questions = Questions(options.features)
    order = fit_order(questions, questions.whole(), options)
    fitted = confidence.fit(ordered(questions, range(len(questions)), order))
    Path(options.out).write_text(ranking_file(order, fitted), encoding="utf-8")


def run_validate(options):
    questions = Questions(options.features)
    print(f"{'set':20} {'n':>5} {'best plain':>28} {'answered':>9} {'left out':>9} {'ratio':>6} {'error':>6}")
    ratios, answered_ratios, hand_ratios, errors, tables, results = [], [], [], [], {}, []
    hand = by_hand(questions.signals)
    for name in questions.sets:
        others = [at for at in questions.whole() if questions.asked[at]["set"] != name]
        own = [at for at, question in enumerate(questions.asked) if question["set"] == name]
        order = fit_order(questions, others, options)
        rest = [at for at, question in enumerate(questions.asked) if question["set"] != name]
        fitted = confidence.fit(ordered(questions, rest, order))
        ranked = ordered(questions, own, order)
        scores = [confidence.scores(fitted, question) for question in ranked]
        tables[name] = silence(ranked, scores)
        pairs = [
            (float(score), float(hit))
            for question, (_, of) in zip(ranked, scores)
            for score, hit in zip(of[:10], question.gold[:10])
        ]
        errors.append(confidence.calibration(pairs))
        whole = [at for at in questions.whole() if questions.asked[at]["set"] == name]
        is_whole = {at for at in whole}
        reached = {at: measures(q.gold, q.question["evidence"])[NDCG] for at, q in zip(own, ranked) if at in is_whole}
        now = {at: measures(questions.gold[at], questions.asked[at]["evidence"])[NDCG] for at in whole}
        method, plain = best_plain(questions, whole)
        alone = [
            measures(questions.gold[at][np.argsort(-(questions.inputs(at) @ hand), kind="stable")],
                     questions.asked[at]["evidence"])[NDCG]
            for at in whole
        ]
        hand_ratios.append(np.mean(alone) / plain)
        left_out, answered = np.mean(list(reached.values())), np.mean(list(now.values()))
        ratios.append(left_out / plain)
        answered_ratios.append(answered / plain)
        label = f"{method} {plain:.3f}"
        print(
            f"{name:20} {len(whole):5} {label:>28} {answered:9.3f} {left_out:9.3f} {ratios[-1]:6.3f} {errors[-1]:6.3f}",
            flush=True,
        )
        for at in whole:
            question = questions.asked[at]
            results.append({
                **{key: question[key] for key in ("set", "id", "effort", "cluster")},
                "answered": round(now[at], 6), "left_out": round(reached[at], 6), "plain": round(question["plain"][method], 6),
            })
    mean = lambda of: float(np.exp(np.mean(np.log(of))))
    print(
        f"geometric mean of the ratios: left out {mean(ratios):.3f}, worst {min(ratios):.3f}; "
        f"answered {mean(answered_ratios):.3f}; by hand {mean(hand_ratios):.3f}\n"
        f"mean calibration error {np.mean(errors):.3f}"
    )
    print(f"\nleft out, mean of the sets: share answered by kind, share of evidence among shown, R@10 lost")
    print(f"{'floor':>6}" + "".join(f" {kind:>9}" for kind in [*confidence.KINDS, "evidence", "lost"]))
    for at, floor in enumerate(FLOORS):
        print(f"{floor:6.2f}" + "".join(f" {value:9.3f}" for value in np.nanmean([t[at] for t in tables.values()], axis=0)))
    print(f"\nby set at {FLOORS[2]}")
    for name, table in tables.items():
        print(f"{name:20}" + "".join(f" {value:9.3f}" for value in table[2]))
    if options.out:
        Path(options.out).write_text("".join(json.dumps(line) + "\n" for line in results), encoding="utf-8")


def run_score(options):
    """A run file of `griot-eval run` as results."""
    folder = Path(options.set)
    source = {unit["id"]: unit["source"] for unit in read_lines(folder / "corpus.jsonl")}
    queries = read_lines(folder / "queries.jsonl")
    ranked = {line["qid"]: line["ranked"] for line in read_lines(options.run)}
    several = len({query["pool"] for query in queries}) > 1
    with open(options.out, "w", encoding="utf-8") as out:
        for query in queries:
            if query["cat"] == "adversarial":
                continue
            gold, order = set(query["gold"]), list(dict.fromkeys(ranked.get(query["id"], [])))
            hits = np.array([unit in gold for unit in order], bool)
            line = {"set": folder.name, "id": query["id"], "effort": ""}
            line["cluster"] = query["pool"] if several else source[query["gold"][0]]
            line["run"] = round(float(measures(hits, len(gold))[NDCG]), 9)
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def run_compare(options):
    (first, clusters), (second, _) = results(options.first), results(options.second)
    both = [key for key in first if key in second]
    if len(both) < max(len(first), len(second)):
        print(f"{len(both)} questions of {len(first)} and {len(second)} are in both")
    print(f"{'set':20} {'effort':>8} {'n':>6} {options.first:>10} {options.second:>10}  difference")
    for effort in dict.fromkeys(effort for _, _, effort in both):
        own = [key for key in both if key[2] == effort]
        found = difference([(key[0], clusters[key], first[key] - second[key]) for key in own])
        for name, of in found.items():
            keys = [key for key in own if key[0] == name]
            one, other = (np.mean([of[key] for key in keys]) if keys else np.nan for of in (first, second))
            figures = f"{len(keys):6} {one:10.3f} {other:10.3f}" if keys else " " * 28
            print(f"{name or 'mean of the sets':20} {effort:>8} {figures}  {signed(of)}")


def results(name):
    """A column of a file of results, by set, question and effort, and the cluster of each."""
    path, _, column = name.rpartition(":")
    lines = read_lines(path)
    key = lambda line: (line["set"], line["id"], line["effort"])
    return {key(line): line[column] for line in lines}, {key(line): line["cluster"] for line in lines}


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def signed(of):
    mean, low, high = of
    bold = "**" if low > 0 or high < 0 else ""
    return f"{bold}{mean:+.3f}{bold} [{low:+.3f}, {high:+.3f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, dest="command")

    def command(name, act, help):
        own = commands.add_parser(name, help=help)
        own.set_defaults(act=act)
        return own

    def fitting(own):
        own.add_argument("features")
        own.add_argument("--out", required=own.get_default("act") is run_fit)
        own.add_argument("--trees", type=int, default=TREES)
        own.add_argument("--mask", type=float, default=0.2, help="share of questions without an attribute")
        own.add_argument("--without", action="append", choices=PARTS, default=[], help="signals left out")
        own.add_argument("--seed", type=int, default=SEED)

    fitting(command("fit", run_fit, "fit the ranking from all questions"))
    fitting(command("validate", run_validate, "what it reaches on sets that it has not seen"))
    own = command("score", run_score, "score a run of griot-eval run")
    own.add_argument("set")
    own.add_argument("run")
    own.add_argument("--out", required=True)
    own = command("compare", run_compare, "differences of two orderings")
    own.add_argument("first", metavar="FILE:COLUMN")
    own.add_argument("second", metavar="FILE:COLUMN")
    options = parser.parse_args()
    options.act(options)


if __name__ == "__main__":
    main()
