//! Names of which few are asked for often and most seldom.

use crate::draws::Draws;

/// Zipf's law over `count` names: the k-th comes in proportion to 1 / k^exponent.
#[derive(Clone, Debug)]
pub struct Zipf {
    /// The sum of the weights up to and with each name.
    cumulative: Vec<f64>,
}

impl Zipf {
    /// Exponent 0 is each name as often as the others, 1 is Zipf's own.
    pub fn new(count: usize, exponent: f64) -> Zipf {
        let weights = (1..=count).map(|rank| (rank as f64).powf(-exponent));
        let cumulative = weights.scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Zipf { cumulative: cumulative.collect() }
    }

    /// One of 0, …, `count` - 1.
    pub fn draw(&self, draws: &mut Draws) -> usize {
        let Some(sum) = self.cumulative.last() else { return 0 };
        let drawn = draws.uniform() * sum;
        self.cumulative.partition_point(|cumulative| *cumulative <= drawn).min(self.cumulative.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::Purpose;

    fn counts(count: usize, exponent: f64, draws: u64) -> Vec<f64> {
        let zipf = Zipf::new(count, exponent);
        let mut counts = vec![0.0; count];
        (0..draws).for_each(|number| counts[zipf.draw(&mut Draws::of(1, Purpose::Model, number))] += 1.0);
        counts
    }

    /// Pearson's chi-square; with nine degrees of freedom it is above 27.9 in one of a thousand cases.
    #[test]
    fn names_come_in_proportion_to_their_rank() {
        // 1 + 1/2 + … + 1/10.
        let harmonic = 7381.0 / 2520.0;
        for (exponent, sum) in [(1.0, harmonic), (0.0, 10.0)] {
            let counts = counts(10, exponent, 20_000);
            let chi_square = |sum: f64| -> f64 {
                let expected = (1..=10).map(|rank| 20_000.0 / sum / f64::from(rank).powf(exponent));
                counts.iter().zip(expected).map(|(count, expected)| (count - expected).powi(2) / expected).sum()
            };
            assert!(chi_square(sum) < 27.9, "{counts:?}");
            assert!(chi_square(1.05 * sum) > 27.9, "the test sees what is off by 5 %");
        }
    }

    #[test]
    fn ten_thousand_names_are_reached() {
        let counts = counts(10_000, 1.0, 200_000);
        // The first has 1 / 9.7876 of all.
        assert!((20_000.0..20_900.0).contains(&counts[0]), "{}", counts[0]);
        assert!(counts.iter().filter(|count| **count > 0.0).count() > 8000);
        assert_eq!(Zipf::new(1, 1.0).draw(&mut Draws::of(1, Purpose::Model, 0)), 0);
    }
}
