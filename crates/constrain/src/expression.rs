//! What an expression holds that is not read as it is meant.

use regex_syntax::ast::{self, Ast, Flag, Flags, GroupKind, Visitor, parse::Parser};

/// What to look out for in an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// A group of the name by which the library is told what to look ahead to: it would match other texts.
    pub(crate) has_stop_group: bool,
    /// `(?i)`, `(?s:…)` and the like.
    pub(crate) has_flags: bool,
    /// The flag by which space and comments are passed over: to the library tabs and ends of lines are none.
    pub(crate) ignores_space: bool,
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
            Ast::Flags(set) => self.take(&set.flags),
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureName { name, .. } => self.has_stop_group |= name.name == "stop",
                GroupKind::NonCapturing(flags) => self.take(flags),
                GroupKind::CaptureIndex(_) => {}
            },
            _ => {}
        }
        Ok(())
    }
}

impl Traits {
    fn take(&mut self, flags: &Flags) {
        self.has_flags |= !flags.items.is_empty();
        self.ignores_space |= flags.flag_state(Flag::IgnoreWhitespace) == Some(true);
    }
}
