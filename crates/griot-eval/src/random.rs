//! Random numbers that are the same on every machine and with every version of every dependency: a generated
//! workspace and a bootstrap interval are a function of their seed alone.

/// SplitMix64 (Steele, Lea, Flood 2014): one multiplication chain per number, any seed is good.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The stream of thing `index` under `seed`, independent of its neighbours: memory 7 can be made without
    /// making the six before it.
    pub fn of(seed: u64, index: u64) -> Self {
        let mut mixer = Self::new(seed ^ index.wrapping_mul(GOLDEN));
        Self::new(mixer.next())
    }

    #[allow(clippy::should_implement_trait)] // an endless stream, not an Iterator: no Option to unwrap
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `0..bound`; 0 for a bound of 0. The bias of multiply-and-shift is below 2⁻³² for our
    /// bounds.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// At most `most` of `items`, each once.
    pub fn some<T>(&mut self, items: impl Iterator<Item = T>, most: usize) -> Vec<T> {
        let mut all: Vec<T> = items.collect();
        let most = most.min(all.len());
        for at in 0..most {
            let other = at + self.below(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(most);
        all
    }
}

/// Ranks drawn so that rank r comes up in proportion to `1 / (r + 1 + flatten)^exponent`.
#[derive(Clone, Debug)]
pub struct Zipf {
    cumulative: Vec<f64>,
}

impl Zipf {
    pub fn new(ranks: usize, exponent: f64, flatten: f64) -> Self {
        let mut total = 0.0;
        let cumulative = (0..ranks)
            .map(|rank| {
                total += (rank as f64 + 1.0 + flatten).powf(-exponent);
                total
            })
            .collect();
        Self { cumulative }
    }

    pub fn draw(&self, random: &mut Random) -> usize {
        let Some(&total) = self.cumulative.last() else {
            return 0;
        };
        let point = random.unit() * total;
        self.cumulative.partition_point(|&c| c <= point).min(self.cumulative.len() - 1)
    }
}

/// A seed that no one chose.
pub fn clock_seed() -> u64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_the_published_numbers() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn bounds_hold_and_every_value_comes_up() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn zipf_prefers_low_ranks() {
        let zipf = Zipf::new(1000, 1.0, 0.0);
        let mut random = Random::new(2);
        let mut counts = vec![0; 1000];
        for _ in 0..100_000 {
            counts[zipf.draw(&mut random)] += 1;
        }
        // Harmonic number of 1000 is 7.485: rank 0 takes 13.4 %, rank 9 a tenth of that.
        assert!((12_800..14_000).contains(&counts[0]), "{}", counts[0]);
        assert!((1_150..1_550).contains(&counts[9]), "{}", counts[9]);
    }
}
