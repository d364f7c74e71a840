"""Grows the ranking trees of Griot, fits the weights of its sum, and measures both on unseen questions.

Reads what `griot-eval features` writes: a head line, then one line for each question at each effort with the
signals of its candidates. README.md has the commands. Every random number follows from a seed.
"""

import argparse
import copy
import json
import zlib
from pathlib import Path

import lightgbm
import numpy as np

FOLDS = 4
SEED = 1
EFFORTS = ["low", "normal", "high"]
MEASURES = ["R@5", "R@10", "R@20", "nDCG@10", "MRR", "All@10"]
NDCG = MEASURES.index("nDCG@10")

# Signals that trees may not use without a part of recall.
PARTS = {
    "graph": ["graph", "graph_first", "graph_names", "bridge", "bridge_header", "bridge_open"],
    "time": ["time", "years", "year_span"],
    "entity": ["entities", "speaker"],
    "neighbours": ["before", "after", "around", "before_meaning", "after_meaning", "answers"],
}
# Signals that a memory without the attribute does not have.
ATTRIBUTES = {
    "speaker": ["speaker", "machine"],
    "date": ["time"],
    "header": ["header", "bridge_header"],
    "kind": ["said"],
    "structure": ["place", "place_meaning", *PARTS["neighbours"]],
}
# What every candidate has distinguishes none.
CONSTANT = "start"

# A weight of the sum is not negative, because a match never speaks against a memory, but for these.
MAY_LOWER = ["asks", "length", "answers", "machine"]
# Measured after the sum has chosen, or the same for all candidates of a kind.
NOT_OF_THE_SUM = ["complement", "echo", "open", "said", CONSTANT]
EPOCHS, STEP, DECAY = 200, 0.02, 2e-4


class Questions:
    """The candidates of all questions: one row each, question after question."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            head = json.loads(next(lines))
            if head.get("griot_features") != 1:
                raise SystemExit(f"{path}: not features of griot-eval")
            self.embedder, self.graph, self.signals = head["embedder"], head["graph"], head["signals"]
            self.asked, values, scores, gold = [], [], [], []
            for line in lines:
                question = json.loads(line)
                rows = np.array(question.pop("values"), np.float32).reshape(-1, len(self.signals))
                values.append(rows)
                scores.append(np.array(question.pop("scores"), np.float32))
                hits = np.zeros(len(rows), bool)
                hits[question.pop("gold")] = True
                gold.append(hits)
                self.asked.append(question)
        self.values = np.concatenate(values)
        self.scores, self.gold = np.concatenate(scores), np.concatenate(gold)
        self.ends = np.cumsum([len(rows) for rows in values])
        self.starts = self.ends - [len(rows) for rows in values]
        self.sets = list(dict.fromkeys(question["set"] for question in self.asked))
        self.set_of = np.array([self.sets.index(question["set"]) for question in self.asked])
        self.efforts = [effort for effort in EFFORTS if effort in {q["effort"] for q in self.asked}]
        self.effort_of = np.array([question["effort"] for question in self.asked])
        self.fold_of = self._folds()

    def __len__(self):
        return len(self.asked)

    def _folds(self):
        """By pool where a set has several, else by question; the same at every effort."""
        pools = {name: [] for name in self.sets}
        for question in self.asked:
            if question["pool"] not in pools[question["set"]]:
                pools[question["set"]].append(question["pool"])
        folds = []
        for question in self.asked:
            own = pools[question["set"]]
            at = own.index(question["pool"]) if len(own) > 1 else zlib.crc32(question["id"].encode())
            folds.append(at % FOLDS)
        return np.array(folds)

    def at(self, effort):
        """The questions at one effort."""
        kept = self.effort_of == effort
        own, rows = copy.copy(self), self.rows(kept)
        own.asked = [question for question, is_kept in zip(self.asked, kept) if is_kept]
        own.values, own.scores, own.gold = self.values[rows], self.scores[rows], self.gold[rows]
        lengths = (self.ends - self.starts)[kept]
        own.ends = np.cumsum(lengths)
        own.starts = own.ends - lengths
        own.set_of, own.effort_of, own.fold_of = self.set_of[kept], self.effort_of[kept], self.fold_of[kept]
        own.efforts = [effort]
        return own

    def rows(self, chosen):
        """The rows of the questions that `chosen` marks."""
        return np.repeat(chosen, self.ends - self.starts)

    def hits(self, at, scores):
        """Which ranks are evidence when the candidates of a question are ordered by score; ties stay."""
        own = slice(self.starts[at], self.ends[at])
        return self.gold[own][np.argsort(-scores[own], kind="stable")]

    def measures(self, scores):
        """The measures of each question."""
        rows = [measures(self.hits(at, scores), self.asked[at]["evidence"]) for at in range(len(self))]
        return np.array(rows).reshape(-1, len(MEASURES))

    def index(self, names):
        """The columns of signals; one that the engine does not have is passed over."""
        return [self.signals.index(name) for name in names if name in self.signals]


def measures(hits, evidence):
    recall = lambda k: hits[:k].sum() / evidence
    gains = 1 / np.log2(np.arange(10) + 2)
    first = np.flatnonzero(hits)
    ndcg = gains[: len(hits)][hits[:10]].sum() / gains[: min(evidence, 10)].sum()
    mrr = 1 / (first[0] + 1) if len(first) else 0.0
    return [recall(5), recall(10), recall(20), ndcg, mrr, float(recall(10) == 1)]


def means(questions, values, effort):
    """By set; NaN for a set without questions at this effort."""
    of_set = lambda at: values[(questions.set_of == at) & (questions.effort_of == effort)]
    own = [of_set(at) for at in range(len(questions.sets))]
    return np.array([part.mean(axis=0) if len(part) else np.full(values.shape[1:], np.nan) for part in own])


# --- trees


def masked(questions, chosen, share, seed):
    """The signals of the chosen questions, with attributes of some of them hidden."""
    values = questions.values[questions.rows(chosen)]
    random = np.random.default_rng(seed)
    lengths = (questions.ends - questions.starts)[chosen]
    for names in ATTRIBUTES.values():
        hidden = np.repeat(random.random(len(lengths)) < share, lengths)
        values[np.ix_(hidden, questions.index(names))] = 0
    return values


def grow(questions, chosen, options, without=()):
    """Trees for the questions that `chosen` marks; all sets count alike."""
    # A question whose evidence was not found teaches nothing.
    ranges = zip(questions.starts, questions.ends)
    chosen = chosen & np.array([questions.gold[start:end].any() for start, end in ranges])
    sets, counts = np.unique(questions.set_of[chosen], return_counts=True)
    share = dict(zip(sets, chosen.sum() / (counts * len(sets))))
    lengths = (questions.ends - questions.starts)[chosen]
    forbidden = {CONSTANT, *(name for part in without for name in PARTS[part])}
    asked = [at for at, name in enumerate(questions.signals) if name not in forbidden]
    data = lightgbm.Dataset(
        masked(questions, chosen, options.mask, options.seed)[:, asked],
        label=questions.gold[questions.rows(chosen)],
        group=lengths,
        weight=np.repeat([share[at] for at in questions.set_of[chosen]], lengths),
        feature_name=[questions.signals[at] for at in asked],
    )
    parameters = {
        "objective": "lambdarank",
        "lambdarank_truncation_level": options.top,
        "num_leaves": options.leaves,
        "max_depth": options.depth,
        "learning_rate": options.step,
        # A question counts once at each effort, and so do its candidates.
        "min_data_in_leaf": options.leaf_size * len(questions.efforts),
        "max_bin": 63,
        "feature_fraction": 0.7,
        "bagging_by_query": True,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "seed": options.seed,
        "deterministic": True,
        "force_row_wise": True,
        "verbosity": -1,
    }
    return lightgbm.train(parameters, data, options.trees)


def predicted(booster, questions, rows=slice(None)):
    return booster.predict(questions.values[rows][:, questions.index(booster.feature_name())])


def forest_file(booster, scores):
    """The text that the engine reads: `griot/src/recall/forest.rs`."""
    names = booster.feature_name()
    lines = [
        "griot forest 1",
        "# Trees over the signals of a candidate; `tools/train` grows them.",
        "# A line is `signal < threshold : mean`, then the tree for smaller values, then that for others;",
        "# a lone number is a leaf.",
        f"scale {decimal(scores.min())} {decimal(scores.max())}",
    ]

    def add(node, indent):
        if "split_feature" not in node:
            lines.append(f"{indent}{node['leaf_value']:.5f}")
            return
        name, value = names[node["split_feature"]], node["internal_value"]
        lines.append(f"{indent}{name} < {decimal(above(node['threshold']))} : {value:.5f}")
        add(node["left_child"], indent + "  ")
        add(node["right_child"], indent + "  ")

    for tree in booster.dump_model()["tree_info"]:
        add(tree["tree_structure"], "")
    return "\n".join(lines) + "\n"


def above(threshold):
    """The smallest single-precision number above a threshold: `x <= threshold` is `x < above(threshold)`."""
    near = np.float32(threshold)
    return near if float(near) > threshold else np.nextafter(near, np.float32(np.inf))


def decimal(number):
    return np.format_float_positional(np.float32(number), unique=True, trim="-")


# --- the weighted sum


def read_weights(path, signals):
    """Weights by kind (written, said) and signal."""
    weights = np.zeros((2, len(signals)))
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, said, written = line.split("\t")
            weights[:, signals.index(name)] = float(written), float(said)
    return weights


def kinds(questions):
    return (questions.values[:, questions.signals.index("said")] > 0.5).astype(int)


def sums(questions, weights):
    scale = np.maximum(weights, 0).sum(axis=1, keepdims=True)
    weights = weights / np.where(scale > 0, scale, 1)
    return (questions.values * weights[kinds(questions)]).sum(axis=1)


def fit(questions, start, chosen):
    """Gradient descent (Adam) on pairs of evidence and others, weighted by what swapping them changes."""
    count, kind = np.bincount(questions.set_of[chosen], minlength=len(questions.sets)), kinds(questions)
    lower, unused = questions.index(MAY_LOWER), questions.index(NOT_OF_THE_SUM)
    free = np.zeros(len(questions.signals), bool)
    free[lower] = True
    weights, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for epoch in range(1, EPOCHS + 1):
        gradient = DECAY * weights
        for at in np.flatnonzero(chosen):
            own = slice(questions.starts[at], questions.ends[at])
            if questions.gold[own].any():
                evidence = questions.asked[at]["evidence"]
                pulls = pair_gradient(
                    questions.values[own], kind[own], questions.gold[own], evidence, weights
                )
                gradient += pulls / count[questions.set_of[at]]
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        spread = np.sqrt(second / (1 - 0.999**epoch)) + 1e-8
        weights -= STEP * first / (1 - 0.9**epoch) / spread
        weights[:, ~free] = np.maximum(weights[:, ~free], 0)
        weights[:, unused] = 0
    return weights


def pair_gradient(values, kind, gold, evidence, weights):
    scores = (values * weights[kind]).sum(axis=1)
    rank = np.empty(len(scores), int)
    rank[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    # Soft beyond the cut, so that evidence at rank 40 still pulls.
    gain = 1 / np.log2(rank + 2)
    ideal = (1 / np.log2(np.arange(min(evidence, 10)) + 2)).sum()
    swap = np.abs(gain[gold][:, None] - gain[~gold][None, :]) / ideal
    pull = swap / (1 + np.exp(scores[gold][:, None] - scores[~gold][None, :]))
    gradient = np.zeros_like(weights)
    np.add.at(gradient, kind[gold], -pull.sum(axis=1)[:, None] * values[gold])
    np.add.at(gradient, kind[~gold], pull.sum(axis=0)[:, None] * values[~gold])
    return gradient


def weights_file(weights, signals):
    lines = [
        "# Weights of the signals that make a score: name, where said (conversations), where written.",
        "# `tools/train` learns them.",
    ]
    written, said = 10 * weights / np.maximum(np.maximum(weights, 0).sum(axis=1, keepdims=True), 1e-6)
    lines += [f"{name}\t{said[at]:.3f}\t{written[at]:.3f}" for at, name in enumerate(signals)]
    return "\n".join(lines) + "\n"


# --- validation


def unseen(questions, options, without=()):
    """Scores by trees that have not seen the question: grown once for each fold."""
    scores = np.zeros(len(questions.values))
    for fold in range(FOLDS):
        rows = questions.rows(questions.fold_of == fold)
        if rows.any():
            booster = grow(questions, questions.fold_of != fold, options, without)
            scores[rows] = predicted(booster, questions, rows)
    return scores


def left_out(questions, options, without=()):
    """Scores by trees that have seen nothing of the set; `None` if there is only one."""
    if len(questions.sets) < 2:
        return None
    scores = np.zeros(len(questions.values))
    for at in range(len(questions.sets)):
        rows = questions.rows(questions.set_of == at)
        booster = grow(questions, questions.set_of != at, options, without)
        scores[rows] = predicted(booster, questions, rows)
    return scores


def orderings(questions, options, without=(), with_left_out=False):
    """Measures of each question by each ordering of its candidates."""
    place = np.concatenate([np.arange(length) for length in questions.ends - questions.starts])
    scores = {
        "answered": -place,
        "scored": questions.scores,
        "sum": sums(questions, read_weights(options.ranker, questions.signals)),
        "unseen": unseen(questions, options, without),
    }
    away = left_out(questions, options, without) if with_left_out else None
    if away is not None:
        scores["left_out"] = away
    return {name: questions.measures(of) for name, of in scores.items()}


def table(head, rows):
    """Figures below a head, with the mean of the rows."""
    lines = [f"{head[0]:20}" + "".join(f" {name:>10}" for name in head[1:])]
    rows = [*rows, ("mean of the sets", np.mean([values for _, values in rows], axis=0))]
    for name, values in rows:
        lines.append(f"{name:20}" + "".join(f" {'-' if np.isnan(v) else f'{v:.3f}':>10}" for v in values))
    return "\n".join(lines) + "\n"


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


# --- commands


def run_grow(options):
    questions = Questions(options.features)
    booster = grow(questions, np.ones(len(questions), bool), options, options.without)
    Path(options.out).write_text(forest_file(booster, predicted(booster, questions)), encoding="utf-8")


def run_weights(options):
    questions = Questions(options.features)
    start = read_weights(options.ranker, questions.signals)
    reached = lambda weights, chosen: questions.measures(sums(questions, weights))[chosen, NDCG]
    everything = np.ones(len(questions), bool)
    columns = np.zeros((len(questions), 4))
    columns[:, 0] = reached(start, everything)
    for parts, column in [(questions.fold_of, 1), (questions.set_of, 2)]:
        for part in np.unique(parts):
            chosen = parts != part
            weights = fit(questions, start, chosen) if chosen.any() else np.full_like(start, np.nan)
            columns[~chosen, column] = reached(weights, ~chosen)
    weights = fit(questions, start, everything)
    columns[:, 3] = reached(weights, everything)
    for effort in questions.efforts:
        rows = zip(questions.sets, means(questions, columns, effort))
        print(table([f"sum, {effort}", "in use", "unseen", "left out", "fitted"], list(rows)))
    if options.out:
        Path(options.out).write_text(weights_file(weights, questions.signals), encoding="utf-8")


def run_validate(options):
    questions = Questions(options.features)
    found = orderings(questions, options, options.without, options.left_out)
    for effort in questions.efforts:
        columns = {name: of[:, NDCG] for name, of in found.items()}
        columns |= {name: found["unseen"][:, at] for at, name in enumerate(MEASURES)}
        rows = zip(questions.sets, means(questions, np.column_stack(list(columns.values())), effort))
        print(table([f"{effort} effort", *columns], list(rows)))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            for at, question in enumerate(questions.asked):
                line = {key: question[key] for key in ("set", "id", "effort", "cluster")}
                line |= {name: round(float(of[at, NDCG]), 9) for name, of in found.items()}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")


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


def run_report(options):
    import report

    report.write(options)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, dest="command")

    def command(name, act, help):
        own = commands.add_parser(name, help=help)
        own.set_defaults(act=act)
        return own

    def growth(own):
        own.add_argument("--trees", type=int, default=200)
        own.add_argument("--leaves", type=int, default=31)
        own.add_argument("--depth", type=int, default=7, help="signals on the way to a leaf at most")
        own.add_argument("--leaf-size", type=int, default=400, help="candidates in a leaf, by effort")
        own.add_argument("--step", type=float, default=0.05, help="how much of each tree counts (shrinkage)")
        own.add_argument("--top", type=int, default=40, help="pairs whose better one is above this rank")
        own.add_argument("--mask", type=float, default=0.0, help="share of questions without an attribute")
        own.add_argument("--without", action="append", choices=PARTS, default=[], help="signals left out")
        own.add_argument("--seed", type=int, default=SEED)

    ranker = Path(__file__).parents[2] / "crates/griot/data/ranker.tsv"
    own = command("grow", run_grow, "grow trees from all questions")
    own.add_argument("features")
    own.add_argument("--out", required=True)
    growth(own)
    own = command("weights", run_weights, "fit the weights of the sum")
    own.add_argument("features")
    own.add_argument("--ranker", default=ranker, help="the weights to start from")
    own.add_argument("--out")
    own = command("validate", run_validate, "what trees reach on questions that they have not seen")
    own.add_argument("features")
    own.add_argument("--left-out", action="store_true", help="also leave out each set as a whole")
    own.add_argument("--ranker", default=ranker, help="the weights in use")
    own.add_argument("--out", help="results of each question, for compare")
    growth(own)
    own = command("score", run_score, "score a run of griot-eval run")
    own.add_argument("set")
    own.add_argument("run")
    own.add_argument("--out", required=True)
    own = command("compare", run_compare, "differences of two orderings")
    own.add_argument("first", metavar="FILE:COLUMN")
    own.add_argument("second", metavar="FILE:COLUMN")
    own = command("report", run_report, "write docs/quality-trees.md")
    own.add_argument("features", nargs="+")
    own.add_argument("--ranker", default=ranker)
    own.add_argument("--out", required=True)
    growth(own)
    options = parser.parse_args()
    options.act(options)


if __name__ == "__main__":
    main()
