//! What an engine has room for: rows, pages and places of adapters, by its options, its model and what is free on the device.

use std::collections::BTreeSet;

use checkpoint::LoraConfig;
use models::{AdapterPool, LinearModule, PackedKeys, StateSize};
use schedule::Limits;

use crate::adapters::{Found, Reader, config_of, rank_room};
use crate::batch::{AdapterKinds, CHUNK_MIN, LIKELIEST_MAX, Shapes, is_paged, pages_least, pool_bytes, state_bytes};
use crate::draft::{Draft, check_proposals, sums_up};
use crate::engine::{EngineOptions, PromptTile};
use crate::error::{Error, Result};
use crate::{Model, ModelPlan};

/// Of what is free on a device, the part that keys and values may take if nobody says how much: programs need room too.
const CACHE_FRACTION: f64 = 0.8;

/// Tokens of a row of prompts where a kernel attends: as many as one of its programs takes of the queries of a head, so that a row computes nothing in vain
/// but behind a prompt's end.
const TILE: usize = 64;

/// Places for ranks of adapters are told by 32-bit numbers, and so are logits of a step.
const PLACES_MAX: usize = 1 << 31;

/// Tokens of a step that keep a GPU busy with each weight that is read, and a CPU.
const STEP_TOKENS_TILED: usize = 2048;
const STEP_TOKENS: usize = 512;

/// How the tokens of prompts lie in rows: in several where kernels attend, which read what a text has, whatever its row has room for. What sums up all tokens
/// takes one row after the other.
fn prompt_tile(model: &Model<'_>, options: &EngineOptions) -> Result<PromptTile> {
    let plan = model.plan();
    let sums_up = sums_up(&plan.model);
    match options.prompt_tile {
        Some(PromptTile::Tokens(tile)) if tile < 2 || sums_up => {
            let rule = "it should be 2 or more, of a model that does not sum up all tokens in one state".to_owned();
            Err(Error::Setting { name: "the number of tokens of a row of prompts", value: tile.to_string(), rule })
        }
        Some(tile) => Ok(tile),
        None if sums_up || !plan.model.attends_by_kernels(plan.dtype)? => Ok(PromptTile::Whole),
        None => Ok(PromptTile::Tokens(TILE)),
    }
}

/// Whether prompts are computed in steps of their own, in as many rows as they take, unless somebody says otherwise.
pub(crate) fn is_tiled(model: &Model<'_>) -> Result<bool> {
    Ok(prompt_tile(model, &EngineOptions::default())? != PromptTile::Whole)
}

/// Rows of prompts that a step of so many tokens has at the most, where a model's kernels attend to pages; `None`: as many tokens as are usual.
pub fn prompt_rows(step_tokens: Option<usize>) -> usize {
    step_tokens.unwrap_or(STEP_TOKENS_TILED).div_ceil(TILE)
}

/// Refuses pages that do not hold what a plan puts there.
pub(super) fn check_pages(plan: &ModelPlan, options: &EngineOptions) -> Result<()> {
    if !plan.packs_cache() || PackedKeys::fills(options.page_tokens) {
        return Ok(());
    }
    let rule = "packed keys and values lie in pages of whole blocks of 32 tokens".to_owned();
    Err(Error::Setting { name: "tokens of a page", value: options.page_tokens.to_string(), rule })
}

/// Tokens of the longest text, as far as the model goes.
pub(super) fn longest_text(plan: &ModelPlan, options: &EngineOptions) -> Result<usize> {
    let longest = plan.longest();
    let context = options.context.unwrap_or(longest);
    if context < 2 || context > longest {
        let rule = format!("it should be from 2 to the longest that the model is meant for, {longest}");
        return Err(Error::Setting { name: "context", value: context.to_string(), rule });
    }
    Ok(context)
}

/// The state for a scheduler's limits. Its slots begin at 1.
pub(super) fn state_size(limits: &Limits) -> StateSize {
    StateSize { slots: limits.rows + 1, pages: limits.pages.max(1), page_tokens: limits.page_tokens.max(1) }
}

/// Pages for as many texts of `context` tokens, and the one that nobody is given.
pub(crate) fn pages_wanted(rows: usize, context: usize, page_tokens: usize) -> usize {
    match page_tokens {
        0 => 0,
        page_tokens => rows.saturating_mul(context.div_ceil(page_tokens)).saturating_add(1),
    }
}

/// Pages of the longest text: all but the one that nobody is given, or as many as the context takes.
pub(super) fn text_pages(limits: &Limits) -> usize {
    match limits.page_tokens {
        0 => 0,
        page_tokens => limits.context.div_ceil(page_tokens).min(limits.pages - 1),
    }
}

/// Tokens that are remembered of all texts together.
pub(super) fn remembered(limits: &Limits) -> usize {
    let of_texts = limits.rows.saturating_mul(limits.context);
    match limits.page_tokens {
        0 => of_texts,
        page_tokens => of_texts.min(limits.pages.saturating_sub(1).saturating_mul(page_tokens)),
    }
}

/// The pool for adapters like those that are `found` in the folder and those of the options, and of the modules that these name; without any, for
/// adapters of any modules, DoRA's among them. `None`: no adapters are wanted.
pub(super) fn pool_layout(reader: &Reader, options: &EngineOptions, found: &[Found]) -> Result<Option<AdapterPool>> {
    if options.adapters_max == 0 {
        return Ok(None);
    }
    let (mut modules, mut has_dora) = (BTreeSet::new(), false);
    let mut add = |config: &LoraConfig| -> std::result::Result<(), String> {
        modules.extend(reader.served(config)?.modules.values().cloned());
        has_dora |= config.use_dora;
        Ok(())
    };
    for path in &options.adapter_paths {
        // What is wrong with it is told where it is loaded.
        let _ = config_of(path).and_then(|config| add(&config));
    }
    for (_, path, config) in found {
        if let Err(reason) = config.as_ref().map_err(String::clone).and_then(&mut add) {
            tracing::warn!("the adapter {} cannot be served: {reason}", path.display());
        }
    }
    let linear: Vec<_> = reader.adaptable()?.linear.iter().filter(|module| module.share == 1.0).collect();
    for target in &options.adapter_targets {
        modules.extend(modules_named(&linear, target)?);
    }
    if modules.is_empty() {
        modules.extend(linear.into_iter().map(|module| module.path.clone()));
        has_dora = true;
    }
    let places = options.adapters_max.checked_mul(options.adapter_rank_max).filter(|places| *places < PLACES_MAX);
    let Some(places) = places.map(|places| 1 + places) else {
        let (adapters, ranks) = (options.adapters_max, options.adapter_rank_max);
        let rule = format!("times the most ranks of each, {ranks}, it should be less than {PLACES_MAX}");
        return Err(Error::Setting { name: "the number of adapters on the device", value: adapters.to_string(), rule });
    };
    let stretches = if has_dora { 1 + options.adapters_max } else { 0 };
    Ok(Some(AdapterPool { places, stretches, modules: modules.into() }))
}

/// The paths of the modules whose names end with `target`, of which there has to be one.
fn modules_named(linear: &[&LinearModule], target: &str) -> Result<Vec<String>> {
    let is_meant = |module: &&&LinearModule| match target {
        "all-linear" => !module.is_head,
        _ => module.path.strip_suffix(target).is_some_and(|before| before.is_empty() || before.ends_with('.')),
    };
    let found: Vec<_> = linear.iter().filter(is_meant).map(|module| module.path.clone()).collect();
    if found.is_empty() {
        let names: BTreeSet<_> = linear.iter().filter_map(|module| module.path.rsplit('.').next()).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        let rule = format!(
            "the model's modules that can be adapted beside others are {names}; all-linear is all but the output layer"
        );
        return Err(Error::Setting { name: "a module of adapters", value: target.to_owned(), rule });
    }
    Ok(found)
}

/// The kinds of the adapters that are known from the start and can be served, and the one that has room for all that may come.
pub(super) fn known_adapters(
    reader: &Reader,
    options: &EngineOptions,
    found: &[Found],
    layout: &AdapterPool,
) -> AdapterKinds {
    let own: Vec<_> = options.adapter_paths.iter().filter_map(|path| config_of(path).ok()).collect();
    let all = found.iter().filter_map(|(_, _, config)| config.as_ref().ok()).chain(&own);
    let rooms = all.filter_map(|config| Some(reader.footprint(config, layout).ok()?.room));
    // Whatever comes later.
    let most = (rank_room(options.adapter_rank_max), layout.stretches > 0);
    rooms.map(|room| (rank_room(room.ranks), room.stretches > 0)).chain([most]).collect()
}

/// How large an engine's steps are, of limits that fit its options.
pub(super) fn step_shapes(
    model: &Model<'_>,
    options: &EngineOptions,
    limits: &Limits,
    layout: Option<&AdapterPool>,
    known: AdapterKinds,
) -> Result<Shapes> {
    let tile = prompt_tile(model, options)?;
    let is_tiled = tile != PromptTile::Whole;
    // Elsewhere programs are many: one kind serves all.
    let known = if is_tiled { known } else { known.greatest() };
    let usual_least = if options.compiles_ahead { 1 } else { model.plan().slots_min };
    let tokens_least = options.read_tokens_min.unwrap_or(usual_least).max(1);
    let [prompts, chunk] = match tile {
        PromptTile::Whole => [limits.prefill_rows, limits.chunk],
        PromptTile::Tokens(tile) => [limits.prefill_tokens / tile, tile],
    };
    Ok(Shapes {
        rows: limits.rows,
        prompts,
        chunk,
        is_tiled,
        pages: text_pages(limits),
        pages_least: pages_least(model.plan(), limits.page_tokens, tokens_least)?,
        prompt_factor: if options.compiles_ahead { 4 } else { 2 },
        fixed: options.is_deterministic,
        is_apart: options.is_deterministic || is_tiled,
        proposals: (limits.proposals > 0).then_some(limits.proposals),
        ranks: layout.map_or(0, |_| rank_room(options.adapter_rank_max)),
        known,
        stretches: layout.is_some_and(|layout| layout.stretches > 0),
        // As many as may be asked for: they cost little beside a prompt, and one program less.
        likeliest: options.compiles_ahead.then_some(LIKELIEST_MAX),
    })
}

/// How large the steps of a smaller model are that follows `model`: it computes what that does, and texts that go on by one token after the other, so that
/// few programs serve it where prompts have steps of their own.
pub(super) fn draft_shapes(
    model: &Model<'_>,
    draft: &Model<'_>,
    options: &EngineOptions,
    limits: &Limits,
) -> Result<Shapes> {
    // Chunks are planned for the model's rows of prompts.
    let options = EngineOptions { prompt_tile: Some(prompt_tile(model, options)?), ..options.clone() };
    Ok(Shapes {
        is_apart: true,
        proposals: Some(0),
        // It scores nothing.
        likeliest: None,
        ..step_shapes(draft, &options, limits, None, AdapterKinds::default())?
    })
}

/// Bytes on each device of so many pages, and of what else an engine with such options keeps of texts.
pub fn cache_bytes(model: &Model<'_>, options: &EngineOptions, pages: usize) -> u64 {
    let size = StateSize { slots: options.rows + 1, pages, page_tokens: options.page_tokens };
    u64::try_from(state_bytes(model, size)).unwrap_or(u64::MAX)
}

/// The most tokens that are proposed for a text in a step, of which a smaller model proposes `draft`.
pub(super) fn proposals(plan: &ModelPlan, options: &EngineOptions, draft: Option<usize>) -> Result<usize> {
    if let Some(lookup) = options.lookup {
        lookup.check()?;
    }
    let tokens = match (draft, options.lookup) {
        (None, None) => return Ok(0),
        (None, Some(lookup)) => lookup.tokens,
        (Some(tokens), None) => tokens,
        (Some(_), Some(_)) => {
            let rule = "tokens are looked up already: propose them in the one way or the other".to_owned();
            return Err(Error::Draft(rule));
        }
    };
    check_proposals(tokens)?;
    let refuse = |rule: &str| Error::Setting {
        name: "the number of speculative tokens",
        value: tokens.to_string(),
        rule: rule.to_owned(),
    };
    if sums_up(&plan.model) {
        return Err(refuse("this model sums up all tokens in a state that cannot take one back: serve it without"));
    }
    if options.is_deterministic {
        let rule =
            "where answers are the same to the bit each token is computed alone: serve without the one or the other";
        return Err(refuse(rule));
    }
    Ok(tokens)
}

/// What prompts have of a step.
struct Prompts {
    /// Tokens of one, and of all.
    chunk: usize,
    tokens: usize,
    /// How many.
    most: usize,
    /// Tokens for which each row has room.
    unit: usize,
}

impl Prompts {
    /// Beside `decoded` tokens of texts that go on.
    fn of(options: &EngineOptions, tile: PromptTile, decoded: usize) -> Prompts {
        match tile {
            PromptTile::Whole => {
                let step_tokens = options.step_tokens.unwrap_or(STEP_TOKENS);
                let chunk = options.chunk.min(step_tokens).max(CHUNK_MIN);
                Prompts {
                    chunk,
                    tokens: step_tokens.saturating_sub(decoded).max(chunk),
                    most: options.prompts.max(1),
                    unit: 1,
                }
            }
            // A step is of fixed size, and has one prompt.
            PromptTile::Tokens(tile) if options.is_deterministic => {
                let chunk = options.chunk.next_multiple_of(tile);
                Prompts { chunk, tokens: chunk, most: 1, unit: tile }
            }
            PromptTile::Tokens(tile) => {
                let tokens = options.step_tokens.unwrap_or(STEP_TOKENS_TILED).next_multiple_of(tile);
                Prompts { chunk: tokens, tokens, most: tokens / tile, unit: tile }
            }
        }
    }
}

/// Checks that a number tells each logit of a step in which tokens may be chosen in so many places.
fn check_logits(places: usize, vocab_size: usize) -> Result<()> {
    if places.checked_mul(vocab_size).is_some_and(|logits| logits < PLACES_MAX) {
        return Ok(());
    }
    let rule = format!(
        "times the {vocab_size} tokens of the model's vocabulary it should be less than {PLACES_MAX}: continue fewer texts at once, or propose fewer tokens for each"
    );
    Err(Error::Setting {
        name: "the number of places of a step where a token is chosen",
        value: places.to_string(),
        rule,
    })
}

/// What there is to give out.
pub(super) fn limits(
    model: &Model<'_>,
    draft: Option<&Draft<'_, '_>>,
    options: &EngineOptions,
    context: usize,
    pool: Option<&AdapterPool>,
) -> Result<Limits> {
    let plan = model.plan();
    let one = StateSize { slots: 1, pages: 1, page_tokens: options.page_tokens.max(1) };
    let specs = plan.model.ragged_state_specs(plan.dtype, one);
    let has_pages = specs.iter().any(is_paged);
    let sums_up = sums_up(&plan.model);
    let proposals = proposals(plan, options, draft.map(|draft| draft.tokens))?;
    let page_tokens = if has_pages { options.page_tokens.max(1) } else { 0 };
    let decoded = options.rows.max(1).saturating_mul(1 + proposals);
    let prompts = Prompts::of(options, prompt_tile(model, options)?, decoded);
    check_logits(decoded.saturating_add(prompts.most), model.sizes().vocab_size)?;
    let limits = Limits {
        rows: options.rows.max(1),
        page_tokens,
        pages: if has_pages { 2 } else { 0 },
        context,
        step_tokens: decoded + prompts.tokens,
        chunk: prompts.chunk,
        prefill_rows: prompts.most,
        prefill_tokens: prompts.tokens,
        prefill_unit: prompts.unit,
        // A service takes no more than may wait and run together, and so none that is refused here: preempted ones wait, too.
        waiting: options.waiting + options.rows,
        shares_prefixes: options.shares_prefixes && has_pages && !sums_up && !plan.model.depends_on_length(),
        chunk_aligned: options.is_deterministic,
        anew_at: plan.model.longest_continued().map(|longest| longest + 1),
        proposals,
    };
    if !has_pages {
        return Ok(limits);
    }
    let models = [Some(model), draft.map(|draft| draft.model)];
    let bytes = |pages| -> u128 {
        let size = StateSize { pages, ..state_size(&limits) };
        models.iter().flatten().map(|model| state_bytes(model, size)).sum()
    };
    let fixed = bytes(0);
    let page = (bytes(1) - fixed).max(1);
    let wanted = pages_wanted(limits.rows, context, page_tokens) as u128;
    let free = model.session().memory_of_each(plan.device_count())?;
    let of_pool = pool.map(|pool| pool_bytes(plan, pool)).transpose()?.unwrap_or_default();
    let room = match (options.cache_bytes, free) {
        (Some(bytes), _) => u128::from(bytes),
        (None, Some(memory)) => ((memory.free as f64 * CACHE_FRACTION) as u128).saturating_sub(of_pool),
        (None, None) => u128::MAX,
    };
    let pages = wanted.min(room.saturating_sub(fixed) / page).max(2);
    Ok(Limits { pages: usize::try_from(pages).unwrap_or(usize::MAX), ..limits })
}
