//! Scores candidates with an ensemble of small decision trees over all signals.
//!
//! A weighted sum cannot express "the sentence before a good match, if the question asks why"; trees can.
//! `data/forest.txt` holds them as readable text; `tools/train` grows them.
//!
//! Each tree credits its value to the signals tested on the path (the change of the expected value at each
//! split; Saabas 2014), so that the shares of an answer sum to its score exactly.

use super::signals::{SIGNALS, SignalName, Values};
use crate::model::{Error, ErrorKind, Result};

/// Trees whose values are added.
#[derive(Clone, PartialEq, Debug)]
pub struct Forest {
    nodes: Vec<TreeNode>,
    /// The mean target of the training candidates that reached each node.
    means: Vec<f32>,
    /// First node and depth of each tree.
    trees: Vec<(usize, usize)>,
    scale: Scale,
    /// The sum of the trees' means at their roots.
    start: f32,
}

/// The sums that map to the scores 0 and 1: the lowest and highest sum among the training candidates. Rare
/// values beyond are clipped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    pub least: f32,
    pub most: f32,
}

impl Scale {
    fn range(&self) -> f32 {
        (self.most - self.least).max(f32::EPSILON)
    }

    fn score(&self, sum: f32) -> f32 {
        ((sum - self.least) / self.range()).clamp(0.0, 1.0)
    }
}

/// A candidate whose signal is below the threshold goes to the first child, otherwise to the second. The
/// children of a leaf are the leaf itself: every candidate takes `depth` steps, no branch is unpredictable.
#[derive(Clone, Copy, PartialEq, Debug)]
struct TreeNode {
    threshold: f32,
    signal: SignalName,
    children: [u32; 2],
}

impl TreeNode {
    fn next(&self, values: &Values) -> usize {
        self.children[usize::from(values[self.signal as usize] >= self.threshold)] as usize
    }
}

/// A tree as trained, before it is written out.
#[derive(Clone, PartialEq, Debug)]
pub enum Tree {
    Leaf(f32),
    /// `value` is the mean of the training candidates that reached this node.
    Split {
        signal: SignalName,
        threshold: f32,
        value: f32,
        below: Box<Tree>,
        above: Box<Tree>,
    },
}

/// First line of the file. A new version may use other signals or values.
const HEAD: &str = "griot forest 1";

static BUILT_IN: &str = include_str!("../../data/forest.txt");

impl Forest {
    /// The trees compiled into the binary.
    pub fn built_in() -> Result<Self> {
        Self::parse(BUILT_IN)
    }

    /// Parses the output of [`Forest::print`]: a head, then trees in pre-order, one node per line. `signal <
    /// threshold : value` is followed by the node for smaller values and the one for others; a lone number is
    /// a leaf.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |line: usize, why: String| {
            Error::new(ErrorKind::InvalidInput, "read the ranking trees", format!("line {line}: {why}"))
        };
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default().trim()))
            .filter(|(_, line)| !line.is_empty());
        match lines.next() {
            Some((_, HEAD)) => {}
            Some((at, other)) => return Err(refuse(at, format!("`{other}` is not `{HEAD}`"))),
            None => return Err(refuse(1, "the file is empty".to_string())),
        }
        let Some((at, line)) = lines.next() else { return Err(refuse(2, "there is no scale".to_string())) };
        let numbers = line
            .strip_prefix("scale ")
            .map(|rest| rest.split(' ').map(str::parse::<f32>).collect::<Vec<_>>());
        let scale = match numbers.as_deref() {
            Some(&[Ok(least), Ok(most)]) if least < most && (most - least).is_finite() => {
                Scale { least, most }
            }
            _ => return Err(refuse(at, format!("`{line}` is not `scale LEAST MOST`"))),
        };
        let mut trees = Vec::new();
        while let Some(line) = lines.next() {
            trees.push(parse_tree(line, &mut lines, 0).map_err(|(at, why)| refuse(at, why))?);
        }
        Ok(Self::new(&trees, scale))
    }

    pub fn new(trees: &[Tree], scale: Scale) -> Self {
        let mut forest = Self { nodes: Vec::new(), means: Vec::new(), trees: Vec::new(), scale, start: 0.0 };
        for tree in trees {
            let root = forest.nodes.len();
            forest.start += tree.value();
            let depth = forest.add(tree);
            forest.trees.push((root, depth));
        }
        forest
    }

    /// Adds the nodes of a tree; returns its depth.
    fn add(&mut self, tree: &Tree) -> usize {
        let at = self.nodes.len();
        self.means.push(tree.value());
        self.nodes.push(TreeNode { threshold: 0.0, signal: SignalName::Start, children: [at as u32; 2] });
        match tree {
            Tree::Leaf(_) => 0,
            Tree::Split { signal, threshold, below, above, .. } => {
                let first = self.nodes.len() as u32;
                let one = self.add(below);
                let second = self.nodes.len() as u32;
                let other = self.add(above);
                self.nodes[at] =
                    TreeNode { threshold: *threshold, signal: *signal, children: [first, second] };
                1 + one.max(other)
            }
        }
    }

    /// Formats trees for [`Forest::parse`].
    pub fn print(trees: &[Tree], scale: Scale) -> String {
        let mut text = format!(
            "{HEAD}\n# Trees over the signals of a candidate; `tools/train` grows them. \
             A line is `signal < threshold : mean`,\n\
             # then the tree for smaller values, then that for others; a lone number is a leaf.\n\
             scale {} {}\n",
            scale.least, scale.most
        );
        for tree in trees {
            tree.print(0, &mut text);
        }
        text
    }

    /// Scores in 0..=1, one per candidate.
    pub fn scores(&self, candidates: &[Values]) -> Vec<f32> {
        self.sums(candidates).into_iter().map(|sum| self.scale.score(sum)).collect()
    }

    /// The unscaled sums of the trees, one per candidate.
    pub fn sums(&self, candidates: &[Values]) -> Vec<f32> {
        // Enough candidates for their steps to overlap, few enough for their values to stay in cache.
        const TOGETHER: usize = 16;
        let mut all = Vec::with_capacity(candidates.len());
        for some in candidates.chunks(TOGETHER) {
            let mut sums = [0.0f32; TOGETHER];
            for &(root, depth) in &self.trees {
                let mut at = [root; TOGETHER];
                for _ in 0..depth {
                    for (at, values) in at.iter_mut().zip(some) {
                        *at = self.nodes[*at].next(values);
                    }
                }
                sums.iter_mut().zip(at).for_each(|(sum, at)| *sum += self.means[at]);
            }
            all.extend(&sums[..some.len()]);
        }
        all
    }

    /// The contribution of each signal to the score; the constant part is under [`SignalName::Start`].
    pub fn shares(&self, values: &Values) -> Values {
        let mut shares = [0.0; SIGNALS];
        for &(root, _) in &self.trees {
            let mut at = root;
            loop {
                let next = self.nodes[at].next(values);
                if next == at {
                    break;
                }
                shares[self.nodes[at].signal as usize] += self.means[next] - self.means[at];
                at = next;
            }
        }
        let score = self.scale.score(self.start + shares.iter().sum::<f32>());
        shares.iter_mut().for_each(|share| *share /= self.scale.range());
        // Clipping is charged to the constant part.
        shares[SignalName::Start as usize] = score - shares.iter().sum::<f32>();
        shares
    }
}

impl Tree {
    pub fn value(&self) -> f32 {
        match self {
            Tree::Leaf(value) | Tree::Split { value, .. } => *value,
        }
    }

    fn print(&self, depth: usize, text: &mut String) {
        let indent = depth * 2;
        match self {
            Tree::Leaf(value) => text.push_str(&format!("{:indent$}{value:.5}\n", "")),
            Tree::Split { signal, threshold, value, below, above } => {
                text.push_str(&format!("{:indent$}{} < {threshold} : {value:.5}\n", "", signal.name()));
                below.print(depth + 1, text);
                above.print(depth + 1, text);
            }
        }
    }
}

/// A limit beyond any trained tree, so that a file cannot overflow the parser's stack.
const DEEPEST: usize = 64;

fn parse_tree<'a>(
    (at, line): (usize, &str),
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    depth: usize,
) -> std::result::Result<Tree, (usize, String)> {
    let number = |text: &str| {
        let number = text.trim().parse::<f32>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| (at, format!("`{}` is not a number", text.trim())))
    };
    let Some((signal, rest)) = line.split_once('<') else { return Ok(Tree::Leaf(number(line)?)) };
    let Some((threshold, value)) = rest.split_once(':') else {
        return Err((at, "a split is `signal < threshold : value`".to_string()));
    };
    let Some(signal) = SignalName::parse(signal.trim()) else {
        return Err((at, format!("there is no signal `{}`", signal.trim())));
    };
    if depth >= DEEPEST {
        return Err((at, format!("the tree is deeper than {DEEPEST}")));
    }
    let (threshold, value) = (number(threshold)?, number(value)?);
    let mut child = || match lines.next() {
        Some(line) => parse_tree(line, lines, depth + 1),
        None => Err((at, "the tree ends here in the middle".to_string())),
    };
    let (below, above) = (Box::new(child()?), Box::new(child()?));
    Ok(Tree::Split { signal, threshold, value, below, above })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const SMALL: &str = "griot forest 1\nscale -0.2 0.85\nwords < 0.5 : 0.1\n\x20 -0.2\n\
        \x20 graph < 0.25 : 0.4\n    0.2\n    0.8\n0.05\n";

    #[test]
    fn shares_sum_to_the_score() {
        for forest in [Forest::parse(SMALL).unwrap(), Forest::built_in().unwrap()] {
            for seed in 0..50 {
                let values: Values = std::array::from_fn(|at| ((at + seed) as f32 * 0.37).fract());
                let sum: f32 = forest.shares(&values).iter().sum();
                let score = forest.scores(&[values])[0];
                assert!((sum - score).abs() < 1e-4, "{sum} {score}");
                assert!((-1e-4..=1.0001).contains(&score), "{score}");
            }
        }
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let tree = Tree::Split {
            signal: SignalName::Words,
            threshold: 0.5,
            value: 0.1,
            below: Box::new(Tree::Leaf(-0.2)),
            above: Box::new(Tree::Split {
                signal: SignalName::Graph,
                threshold: 0.25,
                value: 0.4,
                below: Box::new(Tree::Leaf(0.2)),
                above: Box::new(Tree::Leaf(0.8)),
            }),
        };
        let trees = [tree, Tree::Leaf(0.05)];
        let scale = Scale { least: -0.2, most: 0.85 };
        let forest = Forest::parse(&Forest::print(&trees, scale)).unwrap();
        assert_eq!(forest, Forest::new(&trees, scale));
        assert_eq!(forest, Forest::parse(SMALL).unwrap());
        let mut values = [0.0; SIGNALS];
        values[SignalName::Words as usize] = 0.5;
        values[SignalName::Graph as usize] = 0.3;
        assert_eq!(forest.scores(&[values]), [1.0]);
    }

    #[test]
    fn a_broken_file_is_refused_by_line() {
        for (text, why) in [
            ("", "empty"),
            ("griot forest 9\n0.1", "line 1"),
            ("griot forest 1\n0.1", "is not `scale LEAST MOST`"),
            ("griot forest 1\nscale 1 0\n0.1", "is not `scale LEAST MOST`"),
            ("griot forest 1\nscale 0 1\nwrods < 1 : 0\n0\n0", "no signal `wrods`"),
            ("griot forest 1\nscale 0 1\nwords < 1 : 0\n0", "ends here in the middle"),
            ("griot forest 1\nscale 0 1\nwords < x : 0\n0\n0", "`x` is not a number"),
            ("griot forest 1\nscale 0 1\nNaN", "not a number"),
            (&format!("griot forest 1\nscale 0 1\n{}", "words < 1 : 0\n".repeat(10_000)), "deeper than"),
        ] {
            assert!(Forest::parse(text).unwrap_err().why.contains(why), "{text:.40}");
        }
    }
}
