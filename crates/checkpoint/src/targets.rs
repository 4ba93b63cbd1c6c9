//! Which modules an adapter's configuration means, and what it gives each.

use std::borrow::Cow;

use crate::adapter_config::{ALL_LINEAR, LoraConfig, OneOrMany, PatternTable, Scaling, TargetModules, module_of};
use crate::differences::nearest_name;
use crate::module_match::{BadPattern, FullMatch, Layers, is_path_end};
use crate::stored;

/// A configuration with its patterns compiled.
///
/// Modules are known by the names that they have in files and by those that transformers 5 gives them. Where both are tried, adapters
/// made for either are understood.
pub struct Targets<'c> {
    config: &'c LoraConfig,
    pattern: Option<FullMatch>,
    excluded: Option<FullMatch>,
    ranks: Vec<(FullMatch, usize)>,
    alphas: Vec<(FullMatch, f64)>,
    layers: Layers,
}

impl<'c> Targets<'c> {
    pub(crate) fn new(config: &'c LoraConfig) -> Result<Targets<'c>, BadPattern> {
        let pattern = match &config.target_modules {
            Some(TargetModules::Pattern(pattern)) => Some(FullMatch::new("target_modules", pattern)?),
            _ => None,
        };
        let excluded = match &config.exclude_modules {
            Some(OneOrMany::One(pattern)) => Some(FullMatch::new("exclude_modules", pattern)?),
            _ => None,
        };
        Ok(Targets {
            config,
            pattern,
            excluded,
            ranks: compiled("rank_pattern", &config.rank_pattern)?,
            alphas: compiled("alpha_pattern", &config.alpha_pattern)?,
            layers: Layers::new(config.layers_pattern.as_ref().map_or(&[][..], OneOrMany::as_slice))?,
        })
    }

    /// The rank and scale of the adapter on `module`, a path in the base model such as `model.layers.0.self_attn.q_proj`, or that of a
    /// parameter with the matrices of all experts.
    ///
    /// # Errors
    /// Matching a pattern takes too long.
    pub fn scaling(&self, module: &str) -> Result<Scaling, BadPattern> {
        let config = self.config;
        let names = self.patterned_names(module)?;
        let r = first_match(&self.ranks, &names)?.unwrap_or(config.r);
        let alpha = first_match(&self.alphas, &names)?.unwrap_or(config.lora_alpha);
        let divisor = if config.use_rslora { (r as f64).sqrt() } else { r as f64 };
        Ok(Scaling { r, alpha, scale: alpha / divisor })
    }

    /// Those of a model's linear modules that are adapted, in the order given. `output_head` is the path of the module
    /// that gives the logits, which `all-linear` leaves out.
    ///
    /// # Errors
    /// Nothing is adapted, or matching a pattern takes too long.
    pub fn select<'m>(
        &self,
        linear_modules: &[&'m str],
        output_head: Option<&str>,
    ) -> Result<Vec<&'m str>, SelectError> {
        if self.config.target_modules.is_none() && self.config.target_parameters.is_none() {
            return Err(SelectError::NoTargets);
        }
        let (mut selected, mut saved) = (Vec::new(), Vec::new());
        for &module in linear_modules {
            if self.has_parameter_of(module) || self.has_module(module, output_head == Some(module))? {
                if self.config.saves(module) { &mut saved } else { &mut selected }.push(module);
            }
        }
        match (selected.is_empty(), saved.is_empty()) {
            (false, _) => Ok(selected),
            (true, false) => Err(SelectError::AllSaved { target: self.first() }),
            (true, true) => Err(self.nothing_selected(linear_modules)),
        }
    }

    /// Whether `target_parameters` has the weight of a module, or the tensor with it and those of other experts.
    pub fn has_parameter_of(&self, module: &str) -> bool {
        let config = self.config;
        config.has_target_parameters()
            && stored::whole_places(&format!("{module}.weight")).any(|place| config.targets_parameter(&place.name))
    }

    /// The name under which PEFT, with transformers 5, looks for a parameter of the model's own; `None` if it is written under that.
    pub fn missed_by_peft(&self, parameter: &str) -> Option<String> {
        let module = module_of(parameter);
        let written = format!("{}{}", self.written_path(module), &parameter[module.len()..]);
        let sought = stored::whole_places(parameter).last()?.name;
        (sought != written).then(|| sought.into_owned())
    }

    /// The path that a module of the model has in the adapter's file: the one of transformers 5, if the configuration means that.
    pub(crate) fn written_path<'n>(&self, module: &'n str) -> Cow<'n, str> {
        let targets = |name: &str| self.targets_as(name, false).is_ok_and(|targeted| targeted);
        let means = |newest: &str| self.config.saves_as(newest) || targets(newest) && !targets(module);
        stored::names(module).skip(1).find(|newest| means(newest)).unwrap_or(Cow::Borrowed(module))
    }

    /// Whether `target_modules` has a module, which may be the output layer, and `exclude_modules` has it not.
    fn has_module(&self, module: &str, is_head: bool) -> Result<bool, BadPattern> {
        let (mut targeted, mut excluded) = (false, false);
        for name in stored::names(module) {
            targeted |= self.targets_as(&name, is_head)?;
            excluded |= self.excludes_as(&name)?;
        }
        Ok(targeted && !excluded)
    }

    /// Whether `target_modules` has the module of this name.
    fn targets_as(&self, module: &str, is_head: bool) -> Result<bool, BadPattern> {
        match (&self.pattern, &self.config.target_modules) {
            (Some(pattern), _) => pattern.matches(module),
            (None, Some(TargetModules::Names(names))) => self.names_target(names, module),
            (None, Some(_)) => Ok(!is_head),
            (None, None) => Ok(false),
        }
    }

    fn names_target(&self, names: &[String], module: &str) -> Result<bool, BadPattern> {
        if names.iter().any(|name| name == module) {
            return Ok(true);
        }
        Ok(names.iter().any(|name| is_path_end(module, name)) && self.in_layers(module)?)
    }

    /// Whether `layers_to_transform` allows the module.
    fn in_layers(&self, module: &str) -> Result<bool, BadPattern> {
        let allowed = self.config.layers_to_transform.as_ref().map_or(&[][..], OneOrMany::as_slice);
        Ok(allowed.is_empty() || self.layers.index(module)?.is_some_and(|layer| allowed.contains(&layer)))
    }

    /// Whether `exclude_modules` has the module of this name.
    fn excludes_as(&self, module: &str) -> Result<bool, BadPattern> {
        match (&self.excluded, &self.config.exclude_modules) {
            (Some(pattern), _) => pattern.matches(module),
            (None, Some(names)) => Ok(names.as_slice().iter().any(|name| is_path_end(module, name))),
            (None, None) => Ok(false),
        }
    }

    /// The names under which patterns may mean a module: its own, or, where a parameter is targeted and not the module, that one's.
    fn patterned_names<'n>(&self, module: &'n str) -> Result<Vec<Cow<'n, str>>, BadPattern> {
        let config = self.config;
        if !config.has_target_parameters() || self.has_module(module, false)? {
            return Ok(stored::names(module).collect());
        }
        if config.targets_parameter(module) {
            return Ok(vec![Cow::Borrowed(module)]);
        }
        let weight = format!("{module}.weight");
        let targeted = stored::whole_places(&weight).filter(|place| config.targets_parameter(&place.name));
        Ok(targeted.map(|place| Cow::Owned(place.name.into_owned())).collect())
    }

    /// The first name, or the pattern.
    fn first(&self) -> String {
        match &self.config.target_modules {
            Some(TargetModules::Names(names)) if !names.is_empty() => names[0].clone(),
            Some(TargetModules::Pattern(pattern)) => pattern.clone(),
            Some(TargetModules::AllLinear) => ALL_LINEAR.to_string(),
            _ => self.config.target_parameters.iter().flatten().next().cloned().unwrap_or_default(),
        }
    }

    fn nothing_selected(&self, linear_modules: &[&str]) -> SelectError {
        let target = self.first();
        let last_parts = linear_modules.iter().map(|module| module.rsplit('.').next().unwrap_or(module));
        let nearest = nearest_name(&target, last_parts).map(str::to_string);
        SelectError::NothingSelected { target, nearest }
    }
}

fn compiled<T: Copy>(setting: &'static str, table: &PatternTable<T>) -> Result<Vec<(FullMatch, T)>, BadPattern> {
    table.0.iter().map(|(pattern, value)| Ok((FullMatch::path_end(setting, pattern)?, *value))).collect()
}

/// The value of the first pattern that matches one of the names.
fn first_match<T: Copy>(table: &[(FullMatch, T)], names: &[Cow<'_, str>]) -> Result<Option<T>, BadPattern> {
    for (pattern, value) in table {
        for name in names {
            if pattern.matches(name)? {
                return Ok(Some(*value));
            }
        }
    }
    Ok(None)
}

/// No module to adapt could be found.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// The setting is missing.
    #[error("target_modules is not set; name the modules to adapt, or \"all-linear\"")]
    NoTargets,
    /// The setting matches nothing.
    #[error("target_modules (\"{target}\") names no linear module of the model{}", did_you_mean(nearest.as_deref()))]
    NothingSelected {
        /// The first name, or the pattern.
        target: String,
        /// The last part of a module's path that is nearest to it.
        nearest: Option<String>,
    },
    /// Another setting has all that it matches.
    #[error(
        "target_modules (\"{target}\") names only modules that modules_to_save trains in full; leave them out of one of the two"
    )]
    AllSaved {
        /// The first name, or the pattern.
        target: String,
    },
    /// A setting holds a bad pattern.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean \"{name}\"?")).unwrap_or_default()
}
