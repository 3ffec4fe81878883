//! Checks code without evaluating it: reports failures that are certain, and code that is probably not intended.
//!
//! A [`World`] knows the functions, types and classes that exist. With it, [`World::check`] goes through a
//! text as if it were evaluated, with unknown facts and parameters, and reports failures that do not depend on
//! these. Code that may succeed is never reported as an error.
//!
//! ```
//! use puppetfn::check::World;
//!
//! let world = World::of_modulepath(["/etc/puppetlabs/code/modules"]);
//! let found = world.check_text("define app(Integer $port) { $next = $port + 'x' }");
//! assert_eq!(found[0].rule.name(), "arithmetic");
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod abstraction;
mod aliases;
mod call_fixes;
mod combination;
mod control_comments;
mod data;
mod data_check;
mod declare;
mod facts;
mod finding;
mod ignore;
mod inference;
mod kinds;
mod legacy_facts;
mod legacy_text;
mod module_file;
mod native_type;
mod near;
mod origin;
mod query;
mod recorded_facts;
mod ruby;
mod rule;
mod selection;
mod style;
mod variables;
mod walk;
mod wording;
mod words;
mod world;

pub use data::{DataKey, DataLayer, DataText};
pub use finding::{Finding, Fix, RelatedLocation};
pub use inference::Inference;
pub use module_file::ModuleFileKind;
pub use origin::TextOrigin;
pub use query::{AttributeOf, CallableFunction, Declarable, DeclarableParameter};
pub use rule::{Rule, RuleExample, RuleExplanation, RuleGroup, RuleTag};
pub use selection::Selection;
pub use style::{apart, by_meaning, fixed, same_meaning};
pub use walk::is_about_removed_function;
pub use world::{TextDefinitions, UncheckedNames, World};

use std::path::PathBuf;
use std::sync::Arc;

use puppetfn_base::diagnostic::Severity;
use puppetfn_base::limits::Limits;
use puppetfn_base::stack::StackBudget;
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::validate::{ValidationRules, validate};
use puppetfn_syntax::{Mode, Tree};

impl World {
    /// Creates a world with Puppet's own functions and types and those of the modules in the directories of a modulepath.
    pub fn of_modulepath<P: Into<PathBuf>>(directories: impl IntoIterator<Item = P>) -> Self {
        Self::new(Arc::new(Loader::of_modulepath(directories)), Limits::DEFAULT)
    }

    /// Returns the findings about a manifest that is in no module: see [`Self::check`].
    pub fn check_text(&self, text: &str) -> Vec<Finding> {
        self.check(&Tree::recover(text, None, Mode::default(), self.limits()), &TextOrigin::default())
    }

    /// Returns the findings about a text, in the order of the text. A text that is not Puppet has only its first syntax error.
    pub fn check(&self, tree: &Arc<Tree>, origin: &TextOrigin) -> Vec<Finding> {
        let (text, program) = (tree.text(), tree.program());
        if let Some(error) = tree.error() {
            return ignore::without_ignored(vec![Finding::of(error.clone())], text, None, self.selection());
        }
        let rules = ValidationRules {
            tasks: tree.mode().tasks,
            module_file: origin.file.as_ref(),
            target: self.target(),
            ..ValidationRules::default()
        };
        let refused = validate(program, rules, *self.limits());
        let mut found: Vec<Finding> =
            program.warnings.iter().cloned().chain(refused).map(Finding::of).collect();
        // Code that Puppet refuses is not evaluated.
        if !found.iter().any(|finding| finding.severity == Severity::Error) {
            let _evaluation = StackBudget::begin(self.limits());
            let mut walk = walk::Walk::new(self, text, origin);
            walk.types_with_features(tree);
            walk.program(program);
            let mut of_program = walk.findings();
            call_fixes::add(&mut of_program, program, text, self);
            found.extend(of_program);
        }
        if self.selection().has_style() {
            found.extend(style::findings(self, tree, origin));
        }
        let found = control_comments::without_ignored(found, tree);
        let mut found = ignore::without_ignored(found, text, Some(program), self.selection());
        found.retain(|finding| self.selection().has(finding.rule));
        found.sort_by_key(|finding| finding.span.start);
        found
    }
}
