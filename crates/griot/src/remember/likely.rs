//! How likely an earlier memory is a cause of a new one, without a word that says so.
//!
//! Half of all causes share no word with their effect, and no edge leads to them. Most are recent, or nearest
//! in meaning, or share a rare word, and a known chain goes on more often than a new one begins: a logistic
//! sum, learned on written worlds one by one and several worlds mixed in one store. Pure.

/// What an earlier memory has in common with the new one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ground {
    /// Rarity of the common words: 1 for one that no other memory has.
    pub rare: f32,
    /// Cosine as a share of the nearest memory's; 0 without vectors.
    pub nearness: f32,
    /// 1 for the memory stored just before, 2 for the one before that, …
    pub rank: usize,
    /// Something is known to have caused it: a chain that may go on.
    pub caused: bool,
    /// How many effects of it are known. Most causes have one.
    pub effects: usize,
}

// The sum is as steep as 1,600 offers of seven worlds and twelve days say, each of three kinds of text
// counting alike.
const RARE: f32 = 1.14;
const NEARNESS: f32 = 3.24;
const RANK: f32 = -0.57;
const CAUSED: f32 = 0.91;
const EFFECTS: f32 = -1.68;
const START: f32 = -5.89;
/// Beyond this, known effects change nothing.
const MOST_EFFECTS: usize = 2;
/// Beyond this, common words add nothing: the two are about one subject, or say the same.
const MOST_RARE: f32 = 3.0;

/// The least probability of an offered cause. In seven written worlds, with twice as much, 121 instead of 126
/// of 194 true causes are offered, among 899 instead of 1,054, and of the questions why whose offers a caller
/// judged, 0.48 instead of 0.55 find the whole chain.
pub const LEAST: f32 = 0.012;

/// The probability that the earlier memory caused the new one, 0..=1.
pub fn probability(ground: &Ground) -> f32 {
    let rank = (ground.rank.max(1) as f32).ln();
    let rare = ground.rare.clamp(0.0, MOST_RARE);
    let chain =
        CAUSED * f32::from(u8::from(ground.caused)) + EFFECTS * ground.effects.min(MOST_EFFECTS) as f32;
    let sum = START + RARE * rare + NEARNESS * ground.nearness.clamp(0.0, 1.0) + RANK * rank + chain;
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_near_and_rare_are_likelier() {
        let base = Ground { rare: 0.5, nearness: 0.5, rank: 5, caused: false, effects: 0 };
        let known = probability(&base);
        assert!(probability(&Ground { rare: 1.5, ..base }) > known);
        assert!(probability(&Ground { nearness: 1.0, ..base }) > known);
        assert!(probability(&Ground { rank: 1, ..base }) > known);
        assert!(probability(&Ground { caused: true, ..base }) > known);
        assert!(probability(&Ground { effects: 1, ..base }) < known);
        assert_eq!(probability(&Ground { rank: 0, ..base }), probability(&Ground { rank: 1, ..base }));
    }

    #[test]
    fn strange_measures_give_a_probability() {
        for value in [f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30] {
            let ground = Ground { rare: value, nearness: value, rank: usize::MAX, caused: true, effects: 9 };
            let found = probability(&ground);
            assert!((0.0..=1.0).contains(&found), "{found}");
        }
    }
}
