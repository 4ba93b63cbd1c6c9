//! Expressions, choices, grammars, output types, and what each refusal says.

use std::path::Path;

use crate::vocabularies::{
    Random, SPECIAL, accepts, allowed, follow, large_tokenizer, spell, tokenizer, vocabulary_of,
};
use constrain::{Constraint, ConstraintError, Grammar, OutputType, Vocabulary, VocabularyError};
use data::Tokenizer;
use regex::Regex;
use serde_json::{Value, json};

/// Random texts that the masks allow match, and texts of the same letters are let through if and only if they match, as the `regex` crate sees it.
#[test]
fn expressions() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let patterns = [
        "a+b?",
        "",
        "(red|blue)( \\w+)*",
        "[^a-z]{2,5}",
        "\\d{3}-\\d{2}",
        "a*",
        ".",
        "(?s:.)",
        "é|猫+",
        "(?i)red",
        "[\\w.]+@[a-z]+\\.(com|org)",
        "a/b\\/c",
        "^ab{1,}$",
        "(a|ab)(c|bcd)?",
        "\\p{L}+",
        "\\s+x",
        "-?(0|[1-9]\\d*)(\\.\\d+)?",
        "\\x41\\n",
        "(a?){6}a{6}",
        "a\\(?<stop>b?",
        "\\D\\W[\\d/]\\\\d?",
    ];
    for pattern in patterns {
        // Digits and letters of words are ASCII's.
        let mut said = pattern.replace("\\\\", "\\x5c");
        for (class, letters) in [("\\d", "[0-9]"), ("\\D", "[^0-9]"), ("\\w", "[0-9A-Za-z_]"), ("\\W", "[^0-9A-Za-z_]")]
        {
            said = said.replace(class, letters);
        }
        let judge = Regex::new(&format!("^(?:{said})$")).unwrap();
        let constraint = Constraint::new(&vocabulary, &Grammar::Regex(pattern.to_owned())).unwrap();
        let mut random = Random(pattern.len() as u64);
        for _ in 0..30 {
            let mut walk = constraint.clone();
            let mut text = Vec::new();
            while !(walk.is_complete() || walk.may_end() && (random.chance(30) || text.len() > 60)) && text.len() < 400
            {
                let ids = allowed(walk.mask().unwrap());
                let id = *random.choose(&ids);
                if vocabulary.end_ids().contains(&id) {
                    break;
                }
                walk.accept(id).unwrap();
                text.extend(tokenizer.token_bytes(id).unwrap().unwrap());
            }
            if walk.may_end() {
                let text = String::from_utf8(text).unwrap();
                assert!(judge.is_match(&text), "{text:?} does not match {pattern}");
            }
        }
        let letters: Vec<char> = "abcred blue1230-./@é猫xAR\n".chars().collect();
        for _ in 0..300 {
            let text: String = (0..random.below(7)).map(|_| *random.choose(&letters)).collect();
            assert_eq!(accepts(&tokenizer, &constraint, &text), judge.is_match(&text), "{text:?} and {pattern}");
        }
    }
}

/// Forms that count much, of all kinds, and that no mask takes too long for.
fn near_the_limit() -> Vec<Grammar> {
    let matches = |pattern: &str| Grammar::Regex(pattern.to_owned());
    let string = |keywords: Value| {
        let mut schema = keywords;
        schema["type"] = json!("string");
        Grammar::JsonSchema(schema)
    };
    vec![
        matches("([a-z]{1,30} ?){1,49}"),
        matches("(([a-z]{1,9}){1,9}x?){1,18}"),
        matches("([a-z]{1,63}\\.){1,127}"),
        matches("([a-z]+){1400}"),
        matches("(\\p{L}{1,30}[ '-]?){1,4}"),
        matches("(\\p{L}{1,10} ?){1,14}"),
        matches("\\p{L}{1,100}[\\p{L}\\p{N}]{1,140}"),
        matches("([\\p{L}\\p{M}' .-]{1,13} ?){1,10}"),
        matches("(.{1,30} ?){1,24}"),
        matches("(\\S{1,20} ?){1,24}"),
        matches("([\\p{Latin}\\p{Greek}\\p{Cyrillic}]{1,45} ?){1,10}"),
        matches("([\\p{P}a-z]{1,45} ?){1,10}"),
        matches(".{1,300}\\..{1,200}\\..{1,200}"),
        matches("(.{1,50}[.!?]\\s){1,25}"),
        matches("<think>[\\s\\S]{1,2000}</think>[\\s\\S]{1,2000}"),
        matches("([A-Za-z]{1,20}[a-z] ?){1,17}"),
        matches("([aeiou][^.]{1,9}(ing|ed)?){1,2}"),
        matches("((ing|ed)?[a-z]{2,60}){1,6}"),
        matches("(((ing|ed)?[a-z]{2,20}){1,2} ?){1,8}"),
        matches("([a-z]{1,30}[a-df-z] ?){1,6}"),
        matches("([a-z]{1,30}(e[a-z]|[a-df-z]) ?){1,5}"),
        matches("([a-z]{1,3}([a-z]{1,20}[aeiou])? ?){1,7}"),
        matches("([a-z]{1,30}([sy]|e[sd])? ?){1,44}"),
        matches("[A-Za-z ]{1,400}[a-z][A-Za-z ]{1,340}"),
        string(json!({"pattern": "[aeiou].{5,90}$"})),
        string(json!({"allOf": [{"pattern": "^([a-z]{1,10} ?){1,5}$"}, {"pattern": "^([a-z ]{1,19}\\.?){1,4}$"}]})),
        string(json!({"anyOf": [{"pattern": "^([a-z]{1,30} ?){1,30}$"}, {"pattern": "^([a-z ]{1,20}\\.?){1,28}$"}]})),
        Grammar::Lark("start: A | B\nA: /([a-z]{1,30} ?){1,40}/ \"!\"\nB: /[a-z ]{1,900}/".to_owned()),
        string(json!({"pattern": ".{500}"})),
        string(json!({"pattern": "[\\s\\S]{50,5000}"})),
        string(json!({"pattern": "[\\p{L}\\p{M}' .-]{1,1000}"})),
        string(json!({"pattern": "[a-z]{1,2000}!$", "maxLength": 500})),
        string(json!({"pattern": "^([^\\n]{1,80}\\n?){1,9}$"})),
        string(json!({"pattern": "^.{1,4000}$"})),
        string(json!({"maxLength": 2000})),
    ]
}

/// What shows where a round ends is free to repeat as often as it likes; what does not is held to so few counts that hardly a mask is too much for the library. With as many tokens as a
/// model has, whatever may come: any of them, words, words with spaces, and single letters.
#[test]
fn repetitions_that_are_taken_hold() {
    let tokenizer = large_tokenizer();
    let vocabulary = vocabulary_of(&tokenizer);
    assert!(vocabulary.vocab_size() > 60_000);
    let spelled: Vec<Vec<u8>> =
        (0..tokenizer.vocab_size() as u32).map(|id| tokenizer.token_bytes(id).unwrap().unwrap_or_default()).collect();
    let is_word = |id: &u32| {
        let word = &spelled[*id as usize];
        word.len() > 1 && word.iter().all(u8::is_ascii_lowercase)
    };
    let is_prose = |id: &u32| {
        let word = &spelled[*id as usize];
        word.len() > 1 && word.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ')
    };
    let is_letter = |id: &u32| matches!(spelled[*id as usize][..], [b' '..=b'~']);
    for form in near_the_limit() {
        let constraint = Constraint::new(&vocabulary, &form).unwrap();
        let mut random = Random(7);
        for kind in 0..4 {
            let mut walk = constraint.clone();
            for step in 0..30 {
                let mask = walk.mask().unwrap_or_else(|error| panic!("{form:?} at step {step}: {error}"));
                let mut ids = allowed(mask);
                assert!(!walk.is_by_letters(), "{form:?} at step {step}");
                ids.retain(|id| !vocabulary.end_ids().contains(id));
                let of_kind: Vec<u32> = match kind {
                    0 => Vec::new(),
                    1 => ids.iter().copied().filter(is_word).collect(),
                    2 => ids.iter().copied().filter(is_prose).collect(),
                    _ => ids.iter().copied().filter(is_letter).collect(),
                };
                let Some(id) = [of_kind, ids].iter().find(|ids| !ids.is_empty()).map(|ids| *random.choose(ids)) else {
                    assert!(walk.is_complete());
                    break;
                };
                walk.accept(id).unwrap_or_else(|error| panic!("{form:?} at step {step}: {error}"));
            }
        }
    }
}

/// What a form makes of all that may be written is more than the library remembers. It begins anew, and says what one would say that has read the same text and computed
/// no mask.
#[test]
fn long_answers_go_on() {
    let tokenizer = large_tokenizer();
    let vocabulary = vocabulary_of(&tokenizer);
    let pattern = json!({"type": "string", "pattern": "[aeiou].{15,50}$"});
    let start = Constraint::new(&vocabulary, &Grammar::JsonSchema(pattern)).unwrap();
    let is_prose = |id: &u32| {
        let word = tokenizer.token_bytes(*id).unwrap().unwrap_or_default();
        word.len() > 1 && word.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ')
    };
    let prose: Vec<u32> = (0..tokenizer.vocab_size() as u32).filter(is_prose).collect();
    let mut random = Random(3);
    let mut walk = start.clone();
    let mut taken = spell(&tokenizer, "\"", true);
    follow(&mut walk, &taken).unwrap();
    for step in 0..300 {
        let mask = walk.mask().unwrap_or_else(|error| panic!("step {step}: {error}")).to_vec();
        assert!(!walk.is_by_letters(), "step {step}");
        if step % 50 == 49 {
            let mut other = start.clone();
            taken.iter().for_each(|id| other.accept(*id).unwrap());
            assert_eq!(other.mask().unwrap(), mask, "step {step}");
            assert_eq!(other.may_end(), walk.may_end());
        }
        let id = *random.choose(&prose);
        walk.accept(id).unwrap_or_else(|error| panic!("step {step}: {error}"));
        taken.push(id);
    }
}

/// Where telling all that may come takes more than the library may spend, a text goes on letter by letter for a while, and then by words again. What comes out matches.
#[test]
fn what_takes_too_much_goes_on_letter_by_letter() {
    let tokenizer = large_tokenizer();
    let vocabulary = vocabulary_of(&tokenizer);
    let word = |id: &u32| tokenizer.token_bytes(*id).unwrap().unwrap_or_default();
    let is_small = |id: &u32| word(id).iter().all(u8::is_ascii_lowercase);
    for (pattern, least_turns) in [("([aeiou][^.]{1,26}){1,26}", 2), ("([a-z]{1,30}(e[a-z]x?|[a-df-z]) ?){1,44}", 1)] {
        let judge = Regex::new(&format!("^(?:{pattern})$")).unwrap();
        let mut walk = Constraint::new(&vocabulary, &Grammar::Regex(pattern.to_owned())).unwrap();
        let mut random = Random(7);
        let (mut text, mut turns) = (Vec::new(), 0);
        let mut was_by_letters = false;
        for _ in 0..140 {
            let mut ids = allowed(walk.mask().unwrap_or_else(|error| panic!("{pattern} behind {text:?}: {error}")));
            let may_end = ids.iter().any(|id| vocabulary.end_ids().contains(id));
            assert_eq!(may_end, judge.is_match(std::str::from_utf8(&text).unwrap()), "{pattern}: {text:?}");
            ids.retain(|id| !vocabulary.end_ids().contains(id));
            if walk.is_by_letters() {
                assert!(ids.iter().all(|id| word(id).len() == 1), "{pattern} behind {text:?}");
            }
            turns += usize::from(walk.is_by_letters() != was_by_letters);
            was_by_letters = walk.is_by_letters();
            ids.retain(is_small);
            if ids.is_empty() {
                break;
            }
            let id = *random.choose(&ids);
            walk.accept(id).unwrap();
            text.extend(word(&id));
        }
        assert!(turns >= least_turns, "{pattern}: {turns} turns, {text:?}");
    }
}

/// The longest string that may be asked for is counted to its end, whatever characters it has.
#[test]
fn long_strings_of_any_characters_are_counted() {
    let tokenizer = large_tokenizer();
    let vocabulary = vocabulary_of(&tokenizer);
    for character in ["猫", "😀", "\\n", "a"] {
        let schema = json!({"type": "string", "minLength": 24_000});
        let mut constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        let [quote, letter] = ["\"", character].map(|text| spell(&tokenizer, text, true));
        for (at, id) in quote.iter().chain(letter.repeat(24_000).iter()).enumerate() {
            // Where masks are made the lexer has states of its own for them.
            if at % 1_000 == 0 || at > 24_000 * letter.len() - 200 {
                constraint.mask().unwrap();
            }
            constraint.accept(*id).unwrap();
        }
        follow(&mut constraint, &[letter, quote].concat()).unwrap();
        assert!(constraint.is_complete(), "{character}");
    }
}

/// A string of as many characters as models write in an answer is counted to its end.
#[test]
fn long_strings_are_counted() {
    let tokenizer = large_tokenizer();
    let vocabulary = vocabulary_of(&tokenizer);
    let prose = "the quick brown fox jumps over 13 lazy dogs - naïve, isn't it? ".repeat(400);
    let prose: String = prose.chars().take(24_999).collect();
    for (schema, chars) in [
        (json!({"type": "string", "maxLength": 24_999}), 24_999),
        (json!({"type": "string", "minLength": 500, "maxLength": 2_000}), 2_000),
        (json!({"type": "string", "pattern": "^.{1,4000}$"}), 4_000),
        (json!({"type": "string", "pattern": "^[a-z].{1,90}( .{1,90}){1,5}"}), 9_999),
    ] {
        let mut constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
        let text: String = prose.chars().take(chars).collect();
        follow(&mut constraint, &spell(&tokenizer, &format!("\"{text}"), true)).unwrap();
        follow(&mut constraint, &spell(&tokenizer, "\"", true)).unwrap();
        assert!(constraint.is_complete(), "{schema}");
    }
}

#[test]
fn repetitions_that_count_too_much_are_refused() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let refusal = |form: &Grammar| Constraint::new(&vocabulary, form).unwrap_err().to_string();
    let expression = |pattern: &str| Grammar::Regex(pattern.to_owned());
    let too_many = "up to a number of times what does not show where it ends";
    for pattern in
        ["([a-z]{1,50}){1,50}", "(([a-z]{1,20}){1,20}x?){1,20}", "(\\p{L}{1,30} ?){1,6}", "(.{1,40} ?){1,20}"]
    {
        let error = refusal(&expression(pattern));
        assert!(error.contains(too_many), "{error}");
        let error = refusal(&Grammar::JsonSchema(json!({"type": "string", "pattern": format!("^{pattern}$")})));
        assert!(error.contains(too_many), "{error}");
    }
    let strings = |patterns: [&str; 2]| {
        let strings = patterns.map(|pattern| json!({"type": "string", "pattern": pattern}));
        [json!({"anyOf": strings}), json!({"allOf": strings})].map(Grammar::JsonSchema)
    };
    let both = strings(["^([a-z]{1,30} ?){1,30}$", "^([a-z]{1,30} ?){1,31}$"]);
    for (form, counts) in both.into_iter().zip([30 * 61, 8 * 30 * 61]) {
        let error = refusal(&form);
        let told = format!("2 patterns that a string may match here take {counts} counts at a time together");
        assert!(error.contains(&told), "{error}");
    }
    for form in strings(["^([a-z]{1,30} ?){1,30}$", "^([a-z]{1,30} ?){1,30}$"]) {
        assert!(Constraint::new(&vocabulary, &form).is_ok());
    }
    for (pattern, reason) in [
        (r"[\w-.](?=a)", "look-ahead"),
        (r"[z-a]{1,5}", "cannot be used: invalid character class range"),
        (r"abc\", "cannot be used: incomplete escape sequence"),
        ("(?x) a b\n c", "and the flag `x`: write it on one line"),
        ("(?x) a\tb", "and the flag `x`: write it on one line"),
        (r"a\bc", "`^` is supported at the beginning"),
    ] {
        let error = refusal(&expression(pattern));
        assert!(error.contains(reason), "{error}");
    }
    let error = refusal(&Grammar::Lark("start: \"a/b\" A\nA: /([a-z]{1,50}){1,50}/".to_owned()));
    assert!(error.contains("the expression `/([a-z]{1,50}){1,50}/` repeats up to"), "{error}");
    let error = refusal(&Grammar::Lark("start: A\nA: /\\bfoo/".to_owned()));
    assert!(error.contains("A: /\\bfoo/") && error.contains("nothing else that looks around"), "{error}");
    let error = refusal(&Grammar::Lark("start: a // lookarounds not supported\na: nothing".to_owned()));
    assert!(!error.contains("looks around"), "{error}");
    let long = refusal(&expression(&"a?".repeat(20_000)));
    assert!(long.len() < 700 && long.contains("a?…` is made of 40001 parts"), "{long}");
    let words: Vec<String> = (0..3000).map(|number| format!("word{number}")).collect();
    assert!(Constraint::new(&vocabulary, &expression(&format!("({})", words.join("|")))).is_ok(), "nothing repeats");
}

/// What a request's answers are numbered by is no less than what an answer's form keeps, however it is written.
#[test]
fn counts_are_known_before_a_form_is_compiled() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let commented = Grammar::Lark("start: /([a-z]{1,99}){1,99} # a/x".to_owned());
    assert_eq!(commented.counts(), 1500);
    let error = Constraint::new(&vocabulary, &commented).unwrap_err().to_string();
    assert!(error.contains("the expression `/([a-z]{1,99}){1,99} # a/` repeats"), "{error}");
    let strings = |count: u8| {
        let string = |at: u8| json!({"type": "string", "pattern": format!("^([a-x{}]{{1,6}} ?){{1,7}}$", char::from(b'A' + at))});
        (0..count).map(string).collect::<Vec<_>>()
    };
    let searched = ["e[a-z]{1,40}$", "a[a-y]{1,40}$", "o[a-x]{1,40}$", "i[a-w]{1,40}$"];
    let searched = searched.map(|pattern| json!({"pattern": pattern}));
    let repeated = |name: &str, part: &str| format!("{name}: {}\n", [part; 8].join(" "));
    let words = format!("start: D\nA: /[a-z]{{1,45}} ?/\n{}{}D: C C C C\n", repeated("B", "A"), repeated("C", "B"));
    let both = "start: A\nA: /(.*[aeiou])?.{1,80}/ & /(.*[xyz])?.{1,80}/".to_owned();
    for (form, expected) in [
        (Grammar::JsonSchema(json!({"anyOf": strings(26)})), 1500),
        (
            Grammar::JsonSchema(json!({"type": "object", "properties": {"a": strings(1)[0], "b": strings(2)[1]}})),
            2 * 42,
        ),
        (Grammar::JsonSchema(json!({"type": "string", "allOf": searched})), 8 * 4 * 41),
        (Grammar::Lark(words), 1500),
        (Grammar::Lark(both), 1500),
        (
            Grammar::JsonSchema(
                json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^\\d{4}-\\d\\d$"}}}),
            ),
            0,
        ),
    ] {
        assert_eq!(form.counts(), expected, "{form:?}");
        assert!(Constraint::new(&vocabulary, &form).is_ok(), "{form:?}");
    }
}

/// A hyphen beside a class stands for itself, in an expression as in a schema.
#[test]
fn hyphens_beside_classes() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for (pattern, meant) in [
        (r"[\w-.]+", r"[0-9A-Za-z_\-.]+"),
        (r"[a-c\d-_]+", r"[a-c0-9\-_]+"),
        (r"[+-\d]+", r"[+\-0-9]+"),
        (r"[^\w-.]", r"[^0-9A-Za-z_\-.]"),
        (r"[\pL-!]", r"[a-zA-Z!\-]"),
        // These are operators to the library, and stay so.
        (r"[a-c--b]", "[ac]"),
        (r"[a-c&&[^b]]", "[ac]"),
    ] {
        let constraint = Constraint::new(&vocabulary, &Grammar::Regex(pattern.to_owned())).unwrap();
        let judge = Regex::new(&format!("^(?:{meant})$")).unwrap();
        for letter in (' '..='~').map(String::from) {
            assert_eq!(accepts(&tokenizer, &constraint, &letter), judge.is_match(&letter), "{letter} by {pattern}");
        }
    }
    let address = Grammar::Regex(r"^[\w-\.]+@([\w-]+\.)+[\w-]{2,4}$".to_owned());
    let address = Constraint::new(&vocabulary, &address).unwrap();
    assert!(accepts(&tokenizer, &address, "a-b.c@x-y.z-.com") && !accepts(&tokenizer, &address, "a@b"));
}

#[test]
fn choices() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let choices = ["red", "red fox", "blue", "", "a\"\\\n\u{1}\u{7f}é", "</s>", "  ", "name\": \""].map(String::from);
    let constraint = Constraint::new(&vocabulary, &Grammar::Choice(choices.to_vec())).unwrap();
    for choice in &choices {
        assert!(accepts(&tokenizer, &constraint, choice), "{choice:?}");
        assert!(!accepts(&tokenizer, &constraint, &format!("{choice}.")), "{choice:?}");
    }
    for other in ["re", "blu", "fox", "a", "Red", " "] {
        assert!(!accepts(&tokenizer, &constraint, other), "{other:?}");
    }
    // Every way through the masks is one of them.
    let mut open = vec![(constraint, Vec::new())];
    while let Some((mut constraint, text)) = open.pop() {
        if constraint.may_end() {
            assert!(choices.contains(&String::from_utf8(text.clone()).unwrap()));
        }
        for id in allowed(constraint.mask().unwrap()).into_iter().filter(|id| !vocabulary.end_ids().contains(id)) {
            let mut next = constraint.clone();
            next.accept(id).unwrap();
            open.push((next, [text.clone(), tokenizer.token_bytes(id).unwrap().unwrap()].concat()));
        }
    }
}

/// Sums and products, whose brackets have to close: what an expression cannot say.
#[test]
fn arithmetic() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let grammar = r#"
        start: sum
        sum: product (("+" | "-") product)*
        product: value (("*" | "/") value)*
        value: NUMBER | "(" sum ")"
        NUMBER: /[0-9]+/
    "#;
    let constraint = Constraint::new(&vocabulary, &Grammar::Lark(grammar.to_owned())).unwrap();
    for (text, expected) in [
        ("1", true),
        ("12+3*(4-5)", true),
        ("((1))", true),
        ("((123)-1)/7", true),
        ("", false),
        ("1+", false),
        ("(1", false),
        ("1)", false),
        ("a", false),
        ("1 + 2", false),
        ("()", false),
    ] {
        assert_eq!(accepts(&tokenizer, &constraint, text), expected, "{text:?}");
    }
}

/// Lamini's output types: all properties in order, nothing else.
#[test]
fn output_types() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let kinds = json!({"answer": "str", "score": "int", "share": "float", "sure": "bool", "colour": ["red", "blue"]});
    let schema = OutputType::new(&kinds).unwrap().schema();
    let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
    for (text, expected) in [
        (r#"{"answer": "a\"b", "score": -3, "share": 0.5, "sure": true, "colour": "red"}"#, true),
        (r#"{"answer":"","score":0,"share":1,"sure":false,"colour":"blue"}"#, true),
        (r#"{"score":0,"answer":"","share":1,"sure":false,"colour":"blue"}"#, false),
        (r#"{"answer":"","score":0.5,"share":1,"sure":false,"colour":"blue"}"#, false),
        (r#"{"answer":"","score":0,"share":1,"sure":false,"colour":"green"}"#, false),
        (r#"{"answer":"","score":0,"share":1,"sure":false}"#, false),
        (r#"{"answer":"","score":0,"share":1,"sure":false,"colour":"blue","more":1}"#, false),
    ] {
        assert_eq!(accepts(&tokenizer, &constraint, text), expected, "{text}");
    }
    let refusal = |value: Value| OutputType::new(&value).unwrap_err().to_string();
    assert_eq!(refusal(json!({})), "output_type has to be an object with at least one property");
    assert_eq!(
        refusal(json!({"a": "text"})),
        "output_type says that `a` is \"text\"; the types are str, int, float, bool, and an array of strings"
    );
    assert_eq!(
        refusal(json!({"a": [1]})),
        "output_type says that `a` is [1]; the types are str, int, float, bool, and an array of strings"
    );
}

/// White space between marks: none, one space, or a new line with its indentation.
#[test]
fn white_space_is_bounded() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let constraint = Constraint::new(&vocabulary, &Grammar::JsonObject).unwrap();
    for (text, expected) in [
        ("{\"a\":[1,2]}", true),
        ("{\"a\": [1, 2]}", true),
        ("{\n  \"a\": [\n    1,\n    2\n  ]\n}", true),
        ("{\n\t\"a\": 1\n}", true),
        ("{  \"a\":1}", false),
        ("{\n\n\"a\":1}", false),
        (" {}", false),
        ("{} ", false),
        ("{}\n", false),
        ("[]", false),
        ("{\"a\":1,}", false),
    ] {
        assert_eq!(accepts(&tokenizer, &constraint, text), expected, "{text:?}");
    }
    assert!(!accepts(&tokenizer, &constraint, &format!("{{\n{}}}", " ".repeat(41))));
}

/// The end comes exactly where the text may end, and nothing after it.
#[test]
fn ends() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let [end, other] = [vocabulary.end_ids()[0], vocabulary.end_ids()[1]];
    let mut constraint = Constraint::new(&vocabulary, &Grammar::Regex("ab?".to_owned())).unwrap();
    assert_eq!(constraint.mask().unwrap().len(), vocabulary.vocab_size().div_ceil(32));
    assert_eq!(constraint.accept(end), Err(ConstraintError::NotAllowed(end)));
    assert_eq!(constraint.accept(u32::from(b'b')), Err(ConstraintError::NotAllowed(u32::from(b'b'))));
    assert_eq!(
        constraint.accept(vocabulary.vocab_size() as u32 - 1),
        Err(ConstraintError::NotAllowed(vocabulary.vocab_size() as u32 - 1))
    );
    assert_eq!(constraint.accept(u32::MAX), Err(ConstraintError::NotAllowed(u32::MAX)));
    // What was refused has changed nothing.
    follow(&mut constraint, &spell(&tokenizer, "a", true)).unwrap();
    assert!(constraint.may_end() && !constraint.is_complete());
    let mut longer = constraint.clone();
    longer.accept(u32::from(b'b')).unwrap();
    assert!(longer.may_end() && longer.is_complete());
    assert_eq!(allowed(longer.mask().unwrap()), [end, other]);
    constraint.accept(other).unwrap();
    assert!(constraint.is_complete() && constraint.may_end());
    assert_eq!(constraint.mask().err(), Some(ConstraintError::Ended));
    assert_eq!(constraint.accept(end), Err(ConstraintError::Ended));
}

/// Special tokens are not text, and ids without a token are never allowed, by no grammar.
#[test]
fn special_tokens_are_not_text() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let special: Vec<u32> = SPECIAL.iter().map(|name| tokenizer.token_to_id(name).unwrap()).collect();
    for grammar in [
        Grammar::Regex("(?s:.)*".to_owned()),
        Grammar::JsonSchema(json!({"type": "string"})),
        Grammar::Lark("start: /.*/".to_owned()),
    ] {
        let mut constraint = Constraint::new(&vocabulary, &grammar).unwrap();
        let ids = allowed(constraint.mask().unwrap());
        assert!(ids.iter().all(|id| (*id as usize) < tokenizer.vocab_size()));
        assert!(special.iter().all(|id| vocabulary.end_ids().contains(id) || !ids.contains(id)));
    }
    let any = Constraint::new(&vocabulary, &Grammar::Lark("start: <[*]>".to_owned()));
    let ids = allowed(any.unwrap().mask().unwrap());
    assert!(ids.len() > 100 && ids.iter().all(|id| (*id as usize) < tokenizer.vocab_size()));
}

#[test]
fn vocabularies_that_cannot_be_used() {
    let tokenizer = tokenizer(SPECIAL);
    assert!(matches!(Vocabulary::new(&tokenizer, tokenizer.vocab_size(), &[]), Err(VocabularyError::NoEnd)));
    assert!(matches!(Vocabulary::new(&tokenizer, 10, &[10]), Err(VocabularyError::End { id: 10, vocab_size: 10 })));
}

/// Tokenizers that are trained and converted, as models have them.
#[test]
fn real_tokenizers() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for folder in ["data/tests/fixtures/chat", "engine/tests/fixtures/score/model"] {
        let tokenizer = Tokenizer::from_dir(fixtures.join(folder)).unwrap();
        let end = tokenizer.token_to_id("</s>").unwrap();
        let vocabulary = Vocabulary::new(&tokenizer, tokenizer.vocab_size(), &[end]).unwrap();
        let schema = json!({"type": "object", "properties": {"näme": {"type": "string"}, "tools": {"type": "array", "items": {"type": "integer"}}}});
        let mut constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        let text = "{\"näme\": \"the 猫 \\\"content\\\"\", \"tools\": [1, 22]}";
        follow(&mut constraint, &tokenizer.encode(text, false).unwrap()).unwrap();
        assert!(constraint.is_complete(), "{folder}");
    }
}

#[test]
fn refusals_of_schemas() {
    let schema = |value: Value| Grammar::JsonSchema(value);
    let cases = [
        (
            schema(json!({"type": "object", "minlength": 3})),
            "the JSON schema: the keyword `minlength` is unknown; did you mean `minLength`?",
        ),
        (
            schema(json!({"properties": {"a/b": {"not": {}}}})),
            "the JSON schema, at `/properties/a~1b`: the keyword `not` is not supported",
        ),
        (
            schema(json!({"properties": {"a": {"type": "int"}}})),
            "the JSON schema, at `/properties/a`: `int` is not a type; the types are null, boolean, integer, number, string, array, object",
        ),
        (
            schema(json!({"format": "phone"})),
            "the JSON schema: the format `phone` is not supported; those that are: base64, base64url, binary, byte, date, date-time, directory-path, double, duration, email, file-path, float, hostname, int, int16, int32, int64, int8, ipv4, ipv6, password, path, time, uint, uint16, uint32, uint64, uint8, uri, uuid, uuid1, uuid3, uuid4, uuid5, uuid6, uuid7, uuid8",
        ),
        (
            schema(json!({"exclusiveMinimum": true, "minimum": 1})),
            "the JSON schema: `exclusiveMinimum` has to be a number, and is true",
        ),
        (
            schema(json!({"minimum": 1e300})),
            "the JSON schema: `minimum` is 1e+300: numbers below 2^53, and from 1e-9 on, can be compared with",
        ),
        (
            schema(json!({"prefixItems": [{"const": 1}], "additionalItems": false})),
            "the JSON schema: `prefixItems` goes with one schema as `items`, not with an array or `additionalItems`",
        ),
        (schema(json!({"enum": []})), "the JSON schema: `enum` has to be an array with at least one value"),
        (
            schema(json!({"const": "\u{1}"})),
            "the JSON schema, at `/const`: a string has the control character U+0001, which is not written",
        ),
        (
            schema(json!({"minProperties": 2})),
            "the JSON schema: `minProperties` is 2: at most one more than the properties that `required` names is supported",
        ),
        (
            schema(json!({"oneOf": [{"type": "object"}, {"type": "object"}]})),
            "the JSON schema: `oneOf` is supported where its branches are seen to exclude each other, by their types or by constants; write `anyOf`",
        ),
        (
            schema(json!({"type": "string", "minLength": 5, "maxLength": 3})),
            "the JSON schema: Unsatisfiable schema: minLength (5) is greater than maxLength (3)",
        ),
        (
            schema(json!({"type": "integer", "minimum": 5, "maximum": 3})),
            "the JSON schema: Unsatisfiable schema: minimum (5) is greater than maximum (3)",
        ),
        (
            schema(json!(false)),
            "the JSON schema: no value that ends is valid: each holds another one, or one that `false` forbids",
        ),
        (schema(json!([])), "the JSON schema: a schema is an object, `true` or `false`"),
    ];
    check_refusals(&cases);
}

/// What is supported of a keyword in part.
#[test]
fn refusals_of_what_is_supported_in_part() {
    let schema = |value: Value| Grammar::JsonSchema(value);
    let cases = [
        (
            schema(json!({"type": "array", "uniqueItems": true})),
            "the JSON schema: `uniqueItems` is supported where `maxItems` is at most 1, and where `items` has an `enum` of numbers, texts, `true`, `false` and `null` that 600 arrays can be made of, as of 5 values, or of 24 and a `maxItems` of 2",
        ),
        (schema(json!({"multipleOf": 0})), "the JSON schema: `multipleOf` has to be a number above 0, and 0 is none"),
        (
            schema(json!({"multipleOf": 0.53})),
            "the JSON schema: `multipleOf` is 0.53, whose digits are lost in floats, as those of some decimals are: write one of which it is a multiple, such as 0.01",
        ),
        (
            schema(json!({"propertyNames": {"pattern": "^a", "maxLength": 2}})),
            "the JSON schema: `propertyNames` is supported with a `pattern`, with `minLength` and `maxLength`, with an `enum` of names or a `const`, or with a `$ref` to such a schema, each without the others",
        ),
        (
            schema(json!({"propertyNames": {"pattern": "^a"}, "patternProperties": {"b": {}}})),
            "the JSON schema: `propertyNames` is not supported beside `patternProperties`: leave it out, or write the patterns so that no other name matches",
        ),
        (
            schema(
                json!({"propertyNames": {"maxLength": 2}, "properties": {"ab": {}}, "additionalProperties": {"type": "null"}}),
            ),
            "the JSON schema: `propertyNames` lets the name `ab` through, which `properties` has: that is supported where `additionalProperties` is `true`, `false` or left out",
        ),
    ];
    check_refusals(&cases);
}

/// What no value is valid by, and what cannot be put together, is told in words of the schema, not of what it has become.
#[test]
fn refusals_of_what_is_put_together() {
    let schema = |value: Value| Grammar::JsonSchema(value);
    let no_number = "the JSON schema: no value is valid: between the bounds is no number of the type, or none that is a multiple as `multipleOf` asks for, those of members of `allOf` and of what a `$ref` names among them";
    let cases = [
        (
            schema(json!({"allOf": [{"propertyNames": {"enum": ["a", "b"]}}, {"propertyNames": {"pattern": "^b"}}]})),
            "the JSON schema: a name may match both of the patterns /^(?:a|b)$/ and /^b/, which is not supported, nor is it of members of `allOf` and what a `$ref` names; names that `propertyNames` lets through are such a pattern: write one for both",
        ),
        (
            schema(json!({"allOf": [{"type": "string", "maxLength": 3}, {"type": "string", "format": "uuid"}]})),
            "the JSON schema: no value is valid: no string has all that is asked of one by `pattern`, `format`, `minLength`, `maxLength` and `enum`, those of members of `allOf` and of what a `$ref` names among them",
        ),
        (schema(json!({"type": "integer", "multipleOf": 12.5, "minimum": -1.5, "maximum": -1.0})), no_number),
        (schema(json!({"type": "integer", "minimum": 0.3, "maximum": 0.8})), no_number),
        (
            schema(json!({"allOf": [{"type": "string"}, {"type": "number"}]})),
            "the JSON schema: no value is valid: what is said of one by types, bounds and multiples leaves none, that of members of `allOf` and of what a `$ref` names included",
        ),
    ];
    check_refusals(&cases);
}

/// What would be read in another way than it is meant.
#[test]
fn refusals_of_what_is_misread() {
    let schema = |value: Value| Grammar::JsonSchema(value);
    let cases = [
        (
            schema(json!({"type": "integer", "exclusiveMinimum": 9_007_199_254_740_992u64})),
            "the JSON schema: `exclusiveMinimum` is 9007199254740992: numbers below 2^53, and from 1e-9 on, can be compared with",
        ),
        (
            schema(json!({"const": [9_007_199_254_740_993u64]})),
            "the JSON schema, at `/const/0`: `a value` is 9007199254740993: numbers below 2^53, and from 1e-9 on, can be compared with",
        ),
        (
            schema(json!({"pattern": "^[].]$"})),
            "the JSON schema: the pattern `^[].]$` has brackets with nothing within: write `\\]` for the character, or `[\\s\\S]` for any",
        ),
        (
            schema(json!({"patternProperties": {"[^]": {}}})),
            "the JSON schema, at `/patternProperties/[^]`: the pattern `[^]` has brackets with nothing within: write `\\]` for the character, or `[\\s\\S]` for any",
        ),
        (
            schema(json!({"patternProperties": {".": {"type": "null"}, "[^\\n\\r\\u2028\\u2029]": {}}})),
            "the JSON schema: `patternProperties` has two patterns that mean the same: write one for both",
        ),
        (
            schema(json!({"pattern": "^a(?<stop>b*)$"})),
            "the JSON schema: the pattern `^a(?<stop>b*)$` has a group named `stop`, which is not supported: name it otherwise",
        ),
        (
            schema(json!({"pattern": "^[a-\\d](?<stop>b*)$"})),
            "the JSON schema: the pattern `^[a-\\d](?<stop>b*)$` has a group named `stop`, which is not supported: name it otherwise",
        ),
        (
            schema(json!({"pattern": "(?x)^a( ?<stop>b)$"})),
            "the JSON schema: the pattern `(?x)^a( ?<stop>b)$` has flags within, such as `(?i)`, which are not supported: write what they mean, such as `[aA]`",
        ),
        (
            schema(json!({"patternProperties": {"^(?s:.)$": {}}})),
            "the JSON schema, at `/patternProperties/^(?s:.)$`: the pattern `^(?s:.)$` has flags within, such as `(?i)`, which are not supported: write what they mean, such as `[aA]`",
        ),
    ];
    check_refusals(&cases);
}

#[test]
fn refusals_of_text() {
    let cases = [
        (
            Grammar::Regex("(?=a)a".into()),
            "the regular expression `(?=a)a` cannot be used: look-around, including look-ahead and look-behind, is not supported",
        ),
        (Grammar::Regex("(a".into()), "the regular expression `(a` cannot be used: unclosed group"),
        (Grammar::Regex("[a&&b]".into()), "the regular expression `[a&&b]` matches nothing"),
        (
            Grammar::Regex("a(?P<stop>b*)".into()),
            "the regular expression `a(?P<stop>b*)` has a group named `stop`, which is not supported: name it otherwise",
        ),
        (
            Grammar::Regex("(?x)a( ?<stop>b*)".into()),
            "the regular expression `(?x)a( ?<stop>b*)` has a group named `stop`, which is not supported: name it otherwise",
        ),
        (Grammar::Choice(vec![]), "the choice has no texts to choose from"),
        (Grammar::Lark(" ".into()), "the grammar cannot be used: it is empty"),
        (Grammar::Lark("start: start".into()), "no text at all is of the form that the grammar asks for"),
    ];
    check_refusals(&cases);
}

/// Each form with what is said of it.
fn check_refusals(cases: &[(Grammar, &str)]) {
    let vocabulary = crate::vocabularies::vocabulary();
    for (grammar, expected) in cases {
        let error = Constraint::new(&vocabulary, grammar).expect_err(expected);
        assert_eq!(error.to_string(), *expected);
    }
}

/// Annotations say nothing of which values are valid, and are left alone.
#[test]
fn annotations_are_accepted() {
    let vocabulary = crate::vocabularies::vocabulary();
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/a", "title": "A", "description": "a", "$comment": "c",
        "definitions": {"p": {"type": "string", "x-order": 1, "deprecated": true}},
        "type": "object", "properties": {"p": {"$ref": "#/definitions/p"}, "t": {"type": "array", "items": [{"const": 1}], "additionalItems": false}},
        "default": {}, "examples": [{}], "readOnly": false
    });
    let tokenizer = tokenizer(SPECIAL);
    let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
    assert!(accepts(&tokenizer, &constraint, "{\"p\":\"x\",\"t\":[1]}"));
    assert!(!accepts(&tokenizer, &constraint, "{\"p\":1}"));
    assert!(!accepts(&tokenizer, &constraint, "{\"t\":[1,1]}"));
}
