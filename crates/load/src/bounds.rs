//! What a request has to keep to be counted as served well.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::record::Record;

/// The most milliseconds that a request may take; those that are `None` do not matter (Zhong et al. 2024, DistServe, on goodput).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bounds {
    /// To its first token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttft_ms: Option<f64>,
    /// Between any two pieces of its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub itl_ms: Option<f64>,
    /// A token behind the first, in the mean over the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tpot_ms: Option<f64>,
    /// In all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e2e_ms: Option<f64>,
}

/// Why a text says no bounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` says no bounds: give some of ttft, itl, tpot and e2e with their milliseconds, each once, as in ttft=500,itl=50,e2e=10000"
)]
pub struct NoBounds(String);

impl Bounds {
    /// Whether an answered request keeps them.
    pub fn keeps(&self, record: &Record) -> bool {
        let within = |measured: Option<f64>, bound: Option<f64>| match (measured, bound) {
            (Some(measured), Some(bound)) => measured <= bound,
            _ => true,
        };
        let longest = record.gaps_us().max().map(|gap| f64::from(gap) / 1e3);
        // Without a token there is none in time; one alone has nothing between it and others.
        let has_first = self.ttft_ms.is_none() || record.ttft_ms().is_some();
        record.is_done()
            && has_first
            && within(record.ttft_ms(), self.ttft_ms)
            && within(longest, self.itl_ms)
            && within(record.tpot_ms(), self.tpot_ms)
            && within(Some(record.e2e_ms()), self.e2e_ms)
    }
}

impl FromStr for Bounds {
    type Err = NoBounds;

    fn from_str(text: &str) -> Result<Bounds, NoBounds> {
        let mut bounds = Bounds::default();
        for part in text.split(',') {
            let parsed = part.split_once('=').and_then(|(name, ms)| {
                let bound = match name.trim() {
                    "ttft" => &mut bounds.ttft_ms,
                    "itl" => &mut bounds.itl_ms,
                    "tpot" => &mut bounds.tpot_ms,
                    "e2e" => &mut bounds.e2e_ms,
                    _ => return None,
                };
                let ms = ms.trim().parse::<f64>().ok().filter(|ms| ms.is_finite() && *ms > 0.0)?;
                bound.replace(ms).is_none().then_some(())
            });
            parsed.ok_or_else(|| NoBounds(if part.is_empty() { text } else { part }.to_owned()))?;
        }
        Ok(bounds)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [("TTFT", self.ttft_ms), ("ITL", self.itl_ms), ("TPOT", self.tpot_ms), ("E2E", self.e2e_ms)];
        let said = all.iter().filter_map(|(name, ms)| ms.map(|ms| format!("{name} {ms} ms")));
        f.write_str(&said.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::record::tests::done;

    #[test]
    fn a_request_keeps_what_is_asked_of_it() {
        let record = done(0, &[20, 30, 60], 65);
        let keeps = |text: &str| text.parse::<Bounds>().unwrap().keeps(&record);
        assert!(keeps("ttft=20,itl=30,tpot=22.5,e2e=65"));
        for broken in ["ttft=19.9", "itl=29", "tpot=22", "e2e=64"] {
            assert!(!keeps(broken), "{broken}");
        }
        let failed = Outcome::Failed { kind: "500".to_owned(), message: String::new() };
        assert!(!Bounds::default().keeps(&Record { outcome: failed, ..record }));
        assert!(
            !"ttft=100".parse::<Bounds>().unwrap().keeps(&done(0, &[], 5)),
            "an answer without a token is not in time"
        );
        assert!("itl=1".parse::<Bounds>().unwrap().keeps(&done(0, &[20], 21)));
    }

    #[test]
    fn other_texts_are_refused() {
        let wrong = |text: &str, part: &str| {
            let error = text.parse::<Bounds>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{part}` says no bounds")), "{error}");
        };
        for text in ["", "ttft", "ttft=", "ttft=0", "ttft=NaN", "first=3", "ttft=1,"] {
            wrong(text, text);
        }
        wrong("ttft=50,foo=1", "foo=1");
        wrong("ttft=1,ttft=2", "ttft=2");
        assert_eq!("e2e=2000, ttft=500".parse::<Bounds>().unwrap().to_string(), "TTFT 500 ms, E2E 2000 ms");
    }
}
