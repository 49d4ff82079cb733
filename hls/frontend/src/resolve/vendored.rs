//! Copies of the vendors' headers among the texts: what their templates are is known without reading them.

use super::Resolver;
use super::context::Context;
use super::vendor::{Arguments, build_template, is_sized_template};
use crate::header::Structure;
use crate::path::Path;
use crate::preprocess::is_vendor_copy;
use crate::token::Token;
use crate::{HlsType, Settled};

impl Resolver<'_> {
    /// Whether a path is a vendor's template, which no text but a copy of the vendor's own declares.
    pub(super) fn is_vendor_template(&self, path: &Path) -> bool {
        let has_arguments = path.segments.last().is_some_and(|last| last.arguments.is_some());
        let name = path.plain();
        if !has_arguments || !is_sized_template(&name) {
            return false;
        }
        if let Some(known) = self.vendored.borrow().get(&name) {
            return *known;
        }
        let own = |file| !is_vendor_copy(self.sources.name(file), &name);

        let vendored = !self.index.has_type(&name, own);
        self.vendored.borrow_mut().insert(name, vendored);
        vendored
    }

    /// What a vendor's template is that a copy among the texts declares.
    pub(super) fn vendored_kind(
        &self,
        structure: &Structure,
        inside: &Context,
    ) -> Option<Settled<HlsType>> {
        let name = structure.scope.qualify(&structure.name);
        let file = self.sources.name(structure.span.file);
        if !is_sized_template(&name) || !is_vendor_copy(file, &name) {
            return None;
        }
        let list: Vec<Vec<Token>> =
            structure.template.iter().map(|one| vec![Token::name(&one.name)]).collect();
        let mut arguments = Arguments { list: &list, resolver: self, context: inside };
        build_template(&name, &mut arguments).transpose()
    }
}
