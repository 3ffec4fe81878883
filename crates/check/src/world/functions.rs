//! Functions that files define.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::super::declare::signature;
use super::{Callee, VisibleTypes, World};
use puppetfn_base::error::Error;
use puppetfn_runtime::builtin;
use puppetfn_runtime::loader::{FileLanguage, FunctionFile};
use puppetfn_syntax::ast::ExprKind;
use puppetfn_syntax::parse;
use puppetfn_types::function::Signature;

impl World {
    /// Returns the function of a file on the path.
    pub(super) fn load_function(&self, name: &str) -> Result<Callee, Error> {
        if let Some(file) = self.loader.find_function(name)? {
            return Ok(match file.format {
                FileLanguage::Puppet => {
                    self.puppet_function(&file, name)?.map_or(Callee::Opaque, Callee::Declared)
                }
                FileLanguage::LegacyRuby => self.legacy_arity(&file).map_or(Callee::Opaque, Callee::Legacy),
                FileLanguage::Ruby => Callee::Opaque,
            });
        }
        if !name.contains("::") {
            let function = builtin::termini().get(name)?;
            return Ok(function.map_or(Callee::Missing, |function| Callee::Native(Arc::clone(function))));
        }
        for declared in self.manifests(name) {
            if let Some((_, signature, _)) = declared.functions.iter().find(|(function, ..)| function == name)
            {
                return Ok(Callee::Declared([signature.clone()].into()));
            }
        }
        Ok(if self.is_of_module(name) { Callee::Missing } else { Callee::Unsure })
    }

    fn puppet_function(&self, file: &FunctionFile, name: &str) -> Result<Option<Arc<[Signature]>>, Error> {
        let text = self.loader.function_text(file)?.text;
        let program = parse(&text, &self.limits)?;
        Ok(program.statements.iter().find_map(|statement| match &statement.kind {
            ExprKind::Function(function) if function.name.eq_ignore_ascii_case(name) => {
                Some([signature(function, &text, &VisibleTypes::of(self), &self.limits)].into())
            }
            _ => None,
        }))
    }

    /// Returns the arity that the declaration of a function states; `None` if any number of arguments is accepted, or if
    /// the file declares several functions.
    fn legacy_arity(&self, file: &FunctionFile) -> Option<i64> {
        static DECLARATION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\bnewfunction\b").ok());
        static ARITY: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"(?:^|[\s(,]):?arity\s*(?:=>|:)\s*(-?\d+)\b").ok());
        let text = self.loader.function_text(file).ok()?.text;
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
        let declared = DECLARATION.as_ref()?.find_iter(&code).count();
        let mut stated = ARITY.as_ref()?.captures_iter(&code);
        let arity = stated.next()?.get(1)?.as_str().parse().ok()?;
        (declared == 1 && stated.next().is_none()).then_some(arity)
    }
}
