//! Which lines of a conversation were taken back?
//!
//! Each line names the line that it follows. If the user goes back and writes another prompt, two prompts
//! follow one line, and the conversation goes on from the later one. Other lines with a parent in common are
//! no branches: calls of tools side by side, and their results.

use std::collections::HashMap;

/// What a line is in the conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The user wrote it.
    Prompt,
    /// What the agent says, and results of its tools.
    Reply,
    /// Notes of the program between them.
    Note,
}

struct Line {
    /// An earlier line.
    parent: Option<usize>,
    role: Role,
}

/// The lines that were read, in their order.
#[derive(Default)]
pub(crate) struct Branches {
    numbers: HashMap<String, usize>,
    lines: Vec<Line>,
}

impl Branches {
    /// Adds a line, and returns its number; `None` if its id is known already. A parent that is not known
    /// begins a conversation anew.
    pub(crate) fn add(&mut self, id: &str, parent: Option<&str>, role: Role) -> Option<usize> {
        if self.numbers.contains_key(id) {
            return None;
        }
        let number = self.lines.len();
        let parent = parent.and_then(|parent| self.numbers.get(parent)).copied();
        self.numbers.insert(id.to_string(), number);
        self.lines.push(Line { parent, role });
        Some(number)
    }

    /// For each line whether it was taken back: it, or a line that it follows, begins a branch with a prompt,
    /// and such a branch beside it was continued later.
    pub(crate) fn taken_back(&self) -> Vec<bool> {
        let count = self.lines.len();
        // Whether the first message of a line and what follows it is a prompt, and the last message of these.
        let mut is_prompt = vec![false; count];
        let mut last: Vec<Option<usize>> = vec![None; count];
        // The last message of the branches behind a line that begin with a prompt.
        let mut goes_on: Vec<Option<usize>> = vec![None; count];
        for (at, line) in self.lines.iter().enumerate().rev() {
            if line.role != Role::Note {
                is_prompt[at] = line.role == Role::Prompt;
                last[at] = last[at].max(Some(at));
            }
            let Some(parent) = line.parent else { continue };
            last[parent] = last[parent].max(last[at]);
            if is_prompt[at] {
                is_prompt[parent] = true;
                goes_on[parent] = goes_on[parent].max(last[at]);
            }
        }
        let mut taken_back = vec![false; count];
        for (at, line) in self.lines.iter().enumerate() {
            let Some(parent) = line.parent else { continue };
            taken_back[at] = taken_back[parent] || is_prompt[at] && last[at] < goes_on[parent];
        }
        taken_back
    }
}

#[cfg(test)]
mod tests {
    use super::{Branches, Role};

    /// The lines that were taken back; each line is `id parent role`.
    fn taken_back(lines: &str) -> Vec<&str> {
        let mut branches = Branches::default();
        let mut ids = Vec::new();
        for line in lines.split(", ") {
            let fields: Vec<&str> = line.split(' ').collect();
            let role = match fields[2] {
                "user" => Role::Prompt,
                "note" => Role::Note,
                _ => Role::Reply,
            };
            assert!(branches.add(fields[0], Some(fields[1]), role).is_some(), "{line}");
            ids.push(fields[0]);
        }
        let taken_back = branches.taken_back();
        ids.into_iter().zip(taken_back).filter(|(_, is)| *is).map(|(id, _)| id).collect()
    }

    #[test]
    fn the_earlier_of_two_prompts_after_one_line_was_taken_back() {
        assert_eq!(taken_back("a - user, b a says, c b user, d c says, e b user, f e says"), ["c", "d"]);
        assert_eq!(taken_back("a - user, b a says, s b note, c s user, d c says, e b user"), ["s", "c", "d"]);
        assert_eq!(taken_back("a - user, b a says, c b user, e b user, f c says"), ["e"], "it went on");
    }

    #[test]
    fn tools_side_by_side_and_broken_chains_take_nothing_back() {
        for whole in [
            "a - user, b a says, c b says, r b result, s c result, d s says, e d user",
            "a - user, b a says, u b user, r b result, d r says, e d user",
            "a - user, b - user, c - says, d ? user, e ? user",
            "a - user, b a says, n b note, c b user, d c says",
        ] {
            assert!(taken_back(whole).is_empty(), "{whole}");
        }
    }
}
