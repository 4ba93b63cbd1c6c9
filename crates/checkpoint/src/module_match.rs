//! Which modules a PEFT setting means, by PEFT's own rules (`peft/tuners/tuners_utils.py`, 0.21).

use fancy_regex::Regex;

/// A setting of an adapter holds a pattern that cannot be matched.
#[derive(Debug, thiserror::Error)]
#[error("{setting} holds the pattern \"{pattern}\", which is not a regular expression that can be matched: {cause}")]
pub struct BadPattern {
    setting: &'static str,
    pattern: String,
    cause: Box<fancy_regex::Error>,
}

/// A pattern that must match a whole module path. Python's `re` has look-around, which adapters for models with a
/// vision tower use (`^(?!.*vision).*q_proj$`); hence `fancy_regex`.
pub(crate) struct FullMatch {
    setting: &'static str,
    pattern: String,
    regex: Regex,
}

impl FullMatch {
    /// `re.fullmatch(pattern, …)`.
    pub(crate) fn new(setting: &'static str, pattern: &str) -> Result<Self, BadPattern> {
        Self::compile(setting, pattern, &format!("^(?:{pattern})$"))
    }

    /// The pattern for the whole path or for what follows one of its dots: how PEFT reads the keys of `rank_pattern`
    /// and `alpha_pattern`.
    pub(crate) fn path_end(setting: &'static str, pattern: &str) -> Result<Self, BadPattern> {
        Self::compile(setting, pattern, &format!(r"^(?:.*\.)?(?:{pattern})$"))
    }

    fn compile(setting: &'static str, pattern: &str, anchored: &str) -> Result<Self, BadPattern> {
        match Regex::new(anchored) {
            Ok(regex) => Ok(FullMatch { setting, pattern: pattern.to_string(), regex }),
            Err(cause) => Err(BadPattern { setting, pattern: pattern.to_string(), cause: Box::new(cause) }),
        }
    }

    /// Whether the pattern matches; fails if that takes too much backtracking.
    pub(crate) fn matches(&self, path: &str) -> Result<bool, BadPattern> {
        self.regex.is_match(path).map_err(|cause| BadPattern {
            setting: self.setting,
            pattern: self.pattern.clone(),
            cause: Box::new(cause),
        })
    }
}

/// Whether `path` is `name`, or ends with it after a dot.
pub(crate) fn is_path_end(path: &str, name: &str) -> bool {
    path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Finds the layer that a module is in: the first number among the parts of its path that follows at least two parts, or, given names of the
/// list of layers, the number after the first of those. Later numbers (an expert's) do not count.
pub(crate) struct Layers {
    patterns: Vec<(String, Regex)>,
}

impl Layers {
    const SETTING: &str = "layers_pattern";

    /// By these names of the list of layers, which are patterns; none for any.
    pub(crate) fn new(names: &[String]) -> Result<Layers, BadPattern> {
        let any = [r"[^.]*".to_string()];
        let (prefix, names) = if names.is_empty() { (r".*?\.", any.as_slice()) } else { (r"(?:.*?\.)?", names) };
        let compile = |pattern: &String| {
            let regex = Regex::new(&format!(r"^{prefix}(?:{pattern})\.(?P<idx>\d+)\."));
            Ok((pattern.clone(), regex.map_err(|cause| Self::bad(pattern, cause))?))
        };
        Ok(Layers { patterns: names.iter().map(compile).collect::<Result<_, BadPattern>>()? })
    }

    /// Its index.
    pub(crate) fn index(&self, path: &str) -> Result<Option<usize>, BadPattern> {
        for (pattern, regex) in &self.patterns {
            if let Some(captures) = regex.captures(path).map_err(|cause| Self::bad(pattern, cause))? {
                return Ok(captures.name("idx").and_then(|digits| digits.as_str().parse().ok()));
            }
        }
        Ok(None)
    }

    fn bad(pattern: &str, cause: fancy_regex::Error) -> BadPattern {
        BadPattern { setting: Self::SETTING, pattern: pattern.to_owned(), cause: Box::new(cause) }
    }
}
