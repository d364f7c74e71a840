//! Small decision trees whose values are added.

/// Trees over named inputs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trees {
    nodes: Vec<TreeNode>,
    /// The value of each node that is a leaf.
    leaves: Vec<f32>,
    /// First node and depth of each tree.
    roots: Vec<(usize, usize)>,
}

/// An input below the threshold leads to the first child, another to the second. The children of a leaf are
/// the leaf itself: every row takes `depth` steps, no branch is unpredictable.
#[derive(Clone, Copy, PartialEq, Debug)]
struct TreeNode {
    threshold: f32,
    input: u16,
    children: [u32; 2],
}

/// A limit beyond any trained tree, so that a file cannot overflow the parser's stack.
const DEEPEST: usize = 64;
/// Enough rows for their steps to overlap, few enough for their inputs to stay in cache.
const TOGETHER: usize = 16;

/// The number of a line, if it is not the one that began the tree, and what is wrong with it.
pub type Wrong = (Option<usize>, String);

impl Trees {
    /// Reads the nodes of a tree in pre-order: `INPUT < THRESHOLD` is followed by the node for smaller values
    /// and the one for others; a lone number is a leaf.
    pub fn read<'a>(
        &mut self,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
        input: fn(&str) -> Result<usize, String>,
    ) -> Result<(), Wrong> {
        let root = self.nodes.len();
        let depth = self.read_node(lines, input, 0)?;
        self.roots.push((root, depth));
        Ok(())
    }

    /// Reads a node and all below it; returns their depth.
    fn read_node<'a>(
        &mut self,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
        input: fn(&str) -> Result<usize, String>,
        above: usize,
    ) -> Result<usize, Wrong> {
        let Some((at, line)) = lines.next() else {
            return Err((None, "a tree ends in the middle".to_string()));
        };
        let here = |why| (Some(at), why);
        let own = self.nodes.len();
        self.nodes.push(TreeNode { threshold: 0.0, input: 0, children: [own as u32; 2] });
        self.leaves.push(0.0);
        let Some((name, threshold)) = line.split_once('<') else {
            self.leaves[own] = number(line).map_err(here)?;
            return Ok(0);
        };
        if above >= DEEPEST {
            return Err(here(format!("the tree is deeper than {DEEPEST}")));
        }
        let (input_at, threshold) =
            (input(name.trim()).map_err(here)? as u16, number(threshold).map_err(here)?);
        let below = self.nodes.len() as u32;
        let one = self.read_node(lines, input, above + 1)?;
        let others = self.nodes.len() as u32;
        let two = self.read_node(lines, input, above + 1)?;
        self.nodes[own] = TreeNode { threshold, input: input_at, children: [below, others] };
        Ok(1 + one.max(two))
    }

    /// Adds to each sum what the trees say of its row.
    pub fn add_to<const N: usize>(&self, sums: &mut [f32], rows: &[[f32; N]]) {
        for (sums, rows) in sums.chunks_mut(TOGETHER).zip(rows.chunks(TOGETHER)) {
            for &(root, depth) in &self.roots {
                let mut at = [root; TOGETHER];
                for _ in 0..depth {
                    for (at, row) in at.iter_mut().zip(rows) {
                        let node = self.nodes[*at];
                        *at = node.children[usize::from(row[node.input as usize] >= node.threshold)] as usize;
                    }
                }
                sums.iter_mut().zip(at).for_each(|(sum, at)| *sum += self.leaves[at]);
            }
        }
    }
}

/// A finite number.
pub(super) fn number(text: &str) -> std::result::Result<f32, String> {
    let number = text.trim().parse::<f32>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("`{}` is not a number", text.trim()))
}
