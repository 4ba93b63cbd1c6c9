//! What is asked: texts of so many tokens, or those of a file.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use hyper::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Client, Failed};
use crate::dialect::Endpoint;
use crate::draws::Draws;
use crate::lengths::Lengths;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// A text.
    Text(String),
    /// A conversation: objects with `role` and `content`.
    Messages(Vec<Value>),
}

/// What all requests ask.
#[derive(Clone, Debug)]
pub enum Prompts {
    /// Texts of random words, of these lengths.
    Made(Lengths),
    /// These, one after the other and from the beginning again.
    Given(Vec<Prompt>),
}

/// Words that most vocabularies have as one token each.
const WORDS: &[&str] = &[
    "the", "of", "and", "to", "in", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not", "he",
    "are", "or", "his", "from", "at", "which", "but", "have", "an", "had", "they", "you", "were", "their", "one",
    "all", "we", "can", "her", "has", "there", "been", "if", "more", "when", "will", "would", "who", "so", "no", "out",
    "up", "into", "that", "time", "year", "people", "way", "day", "man", "thing", "life", "world", "school", "state",
    "family", "group", "country", "problem", "hand", "part", "place", "case", "week", "company", "system", "program",
    "question", "work", "number", "night", "point", "home", "water", "room", "area", "money", "story", "fact", "month",
    "lot", "right", "study", "book", "eye", "job", "word", "a", "b", "c", "d", "e", "i", "o", "s", "t", "n",
];
/// How often a word stands in the two texts by which its tokens are counted.
const FEW: usize = 4;
const MANY: usize = 12;
/// Texts that are counted at once.
const COUNTED_AT_ONCE: usize = 16;
/// Words of the text by which the recipe is checked.
const CHECKED: usize = 100;

/// How a text of so many tokens is made: words that have the same number of tokens each, wherever they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    words: Vec<&'static str>,
    word_tokens: usize,
    /// Tokens beside the words': special ones, and those of a chat template; less than none where the first word has fewer than others.
    around: isize,
}

/// A recipe, and what there is to say about it.
#[derive(Clone, Debug)]
pub(crate) struct Calibrated {
    pub(crate) recipe: Recipe,
    /// The longest text, prompt and answer together, as the server says.
    pub(crate) context: Option<usize>,
    pub(crate) note: Option<String>,
}

impl Recipe {
    /// A token a word, which is nearly so for most vocabularies.
    pub(crate) fn rough() -> Recipe {
        Recipe { words: WORDS.to_vec(), word_tokens: 1, around: 0 }
    }

    /// A text that has `tokens` tokens, as nearly as it can; at least one word.
    pub(crate) fn text(&self, tokens: usize, draws: &mut Draws) -> String {
        let of_words = (tokens as isize - self.around).max(0) as usize;
        let count = ((of_words + self.word_tokens / 2) / self.word_tokens).max(1);
        let words = (0..count).map(|_| self.words[draws.below(self.words.len())]);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The tokens of a text of `words` words.
    fn tokens(&self, words: usize) -> isize {
        (words * self.word_tokens) as isize + self.around
    }

    /// By how many tokens a text may be longer than it should because it is of whole words.
    pub(crate) fn rounded_tokens(&self) -> u64 {
        (self.word_tokens / 2) as u64
    }

    /// The fewest tokens of a text.
    pub(crate) fn least(&self) -> usize {
        self.tokens(1).max(1) as usize
    }
}

impl Calibrated {
    fn rough(context: Option<usize>, reason: &str) -> Calibrated {
        let note = format!("a word of a prompt is taken for a token, which is nearly so: {reason}");
        Calibrated { recipe: Recipe::rough(), context, note: Some(note) }
    }
}

/// Who counts tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) client: &'a Client,
    pub(crate) endpoint: Endpoint,
    pub(crate) model: &'a str,
    /// How long the server may take for a text.
    pub(crate) limit: Duration,
}

/// The answer to `/tokenize`.
struct Count {
    tokens: usize,
    context: Option<usize>,
}

async fn count(asked: Asked<'_>, text: &str) -> Result<Count, Failed> {
    let Asked { client, endpoint, model, limit } = asked;
    let body = match endpoint {
        Endpoint::Chat => json!({"model": model, "messages": [{"role": "user", "content": text}]}),
        Endpoint::Completions => json!({"model": model, "prompt": text}),
    };
    let answered = timeout(limit, client.json(Method::POST, "/tokenize", Some(&body))).await;
    let answer = answered.unwrap_or(Err(Failed::Late))?;
    let number = |name: &str| answer.get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    let tokens = number("count").ok_or_else(|| Failed::NoStream("/tokenize tells no `count`".to_owned()))?;
    Ok(Count { tokens, context: number("max_model_len") })
}

/// Finds with the server's `/tokenize` how texts of a length are made; where there is none, or it takes longer than `at_most` for all texts behind the first, a word
/// counts as a token, and that is said.
pub(crate) async fn calibrate(asked: Asked<'_>, at_most: Duration) -> Calibrated {
    let context = match count(asked, WORDS[0]).await {
        Ok(first) => first.context,
        Err(failed) => return Calibrated::rough(None, &format!("the server's /tokenize does not count: {failed}")),
    };
    timeout(at_most, calibrate_words(asked, context)).await.unwrap_or_else(|_| {
        let seconds = at_most.as_secs_f64();
        Calibrated::rough(context, &format!("the server's /tokenize takes more than {seconds:.0} s"))
    })
}

async fn calibrate_words(asked: Asked<'_>, context: Option<usize>) -> Calibrated {
    let repeated = |word: &str, times: usize| vec![word; times].join(" ");
    let counts = stream::iter(WORDS).map(|word| async move {
        let few = count(asked, &repeated(word, FEW)).await.ok()?.tokens;
        let many = count(asked, &repeated(word, MANY)).await.ok()?.tokens;
        Some((*word, few, many))
    });
    let counts: Vec<_> = counts.buffered(COUNTED_AT_ONCE).filter_map(std::future::ready).collect().await;
    let Some(recipe) = recipe(&counts) else {
        return Calibrated::rough(context, "no word has the same tokens wherever it stands");
    };
    let words: Vec<_> = (0..CHECKED).map(|index| recipe.words[index % recipe.words.len()]).collect();
    let note = match count(asked, &words.join(" ")).await {
        Ok(counted) if counted.tokens as isize == recipe.tokens(CHECKED) => (recipe.word_tokens > 1).then(|| {
            format!(
                "prompts have the length asked for up to {} tokens: a word has {}",
                recipe.word_tokens / 2,
                recipe.word_tokens
            )
        }),
        Ok(counted) => Some(format!(
            "prompts have nearly the length asked for: {CHECKED} words should have {} tokens and have {}",
            recipe.tokens(CHECKED),
            counted.tokens
        )),
        Err(failed) => Some(format!("prompts should have the length asked for, which could not be checked: {failed}")),
    };
    Calibrated { recipe, context, note }
}

/// The largest set of words that have the same number of tokens, which is the least that words of a set have; from each word's tokens in
/// [`FEW`] and in [`MANY`].
fn recipe(counts: &[(&'static str, usize, usize)]) -> Option<Recipe> {
    let mut sets: BTreeMap<(usize, isize), Vec<&'static str>> = BTreeMap::new();
    for &(word, few, many) in counts {
        let more = many.saturating_sub(few);
        if more > 0 && more.is_multiple_of(MANY - FEW) {
            let word_tokens = more / (MANY - FEW);
            sets.entry((word_tokens, few as isize - (FEW * word_tokens) as isize)).or_default().push(word);
        }
    }
    let least = sets.keys().map(|(word_tokens, _)| *word_tokens).min()?;
    let set = sets.into_iter().filter(|((word_tokens, _), _)| *word_tokens == least);
    let ((word_tokens, around), words) = set.max_by_key(|(_, words)| words.len())?;
    Some(Recipe { words, word_tokens, around })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::Purpose;

    #[test]
    fn a_recipe_is_of_words_with_the_fewest_tokens() {
        // `the` has a token, and so has `of`, with two around the text; `school` has two; `time` merges with itself.
        let counts = [("the", 6, 14), ("school", 10, 26), ("of", 6, 14), ("time", 5, 9), ("odd", 7, 15)];
        let recipe = recipe(&counts).unwrap();
        assert_eq!(recipe, Recipe { words: vec!["the", "of"], word_tokens: 1, around: 2 });
        let words = |tokens| recipe.text(tokens, &mut Draws::of(1, Purpose::Words, 4)).split(' ').count();
        assert_eq!([1, 3, 4, 100].map(words), [1, 1, 2, 98]);
        assert_eq!(recipe.least(), 3);
        assert_eq!(super::recipe(&[("time", 5, 9), ("none", 3, 3)]), None);
    }

    /// With three tokens a word a text is off by one at most.
    #[test]
    fn texts_of_long_words_are_as_near_as_they_can() {
        let recipe = Recipe { words: vec!["abc"], word_tokens: 3, around: -1 };
        for tokens in 2..50 {
            let words = recipe.text(tokens, &mut Draws::of(1, Purpose::Words, 0)).split(' ').count();
            assert!((recipe.tokens(words) - tokens as isize).abs() <= 1, "{tokens}");
        }
    }
}
