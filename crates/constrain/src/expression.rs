//! What an expression holds that is not read as it is meant.

use regex_syntax::ast::{self, Ast, GroupKind, Visitor, parse::Parser};

/// What to look out for in an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// A group of the name by which the library is told what to look ahead to: it would match other texts.
    pub(crate) has_stop_group: bool,
    /// `(?i)`, `(?s:…)` and the like.
    pub(crate) has_flags: bool,
}

/// The traits of an expression, read as the library reads it. One that cannot be read has none; the library says what is wrong with it.
pub(crate) fn traits(pattern: &str) -> Traits {
    match Parser::new().parse(pattern) {
        Ok(tree) => ast::visit(&tree, Traits::default()).unwrap_or_default(),
        Err(_) => Traits::default(),
    }
}

impl Visitor for Traits {
    type Output = Traits;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Traits, Self::Err> {
        Ok(self)
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), Self::Err> {
        match tree {
            Ast::Flags(_) => self.has_flags = true,
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureName { name, .. } => self.has_stop_group |= name.name == "stop",
                GroupKind::NonCapturing(flags) => self.has_flags |= !flags.items.is_empty(),
                GroupKind::CaptureIndex(_) => {}
            },
            _ => {}
        }
        Ok(())
    }
}
