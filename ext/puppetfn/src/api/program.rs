//! `Puppetfn::Program`: Puppet code that was read.

use std::path::{Path, PathBuf};

use magnus::{Error, Module, Object, RArray, RModule, Ruby, Symbol, TypedData, function, method};
use puppetfn::diagnostic::{Diagnostic, Severity, logged, refuse_errors};
use puppetfn::error::Error as CoreError;
use puppetfn::eval::literal;
use puppetfn::source::LineIndex;
use puppetfn::syntax::ast::Program;
use puppetfn::syntax::validate::{ModuleFile, ValidationRules, validate};
use puppetfn::syntax::{Mode, check, parse_with, to_json, to_pn};

use super::limits;
use crate::ruby::classes::define_class;
use crate::ruby::convert::to_object;
use crate::ruby::error::{guarded, of_code, to_ruby};
use crate::ruby::raw::{TypedClass, TypedRef};

/// A text without errors. Its tree borrows from it and is made again for each question, which costs less
/// than a form of the tree that owns all of its names.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Program", free_immediately)]
pub struct RubyProgram {
    text: String,
    file: Option<String>,
    mode: Mode,
}

impl magnus::DataTypeFunctions for RubyProgram {}

impl TypedRef for RubyProgram {
    fn typed() -> &'static TypedClass<Self> {
        static TYPED: TypedClass<RubyProgram> = TypedClass::new();
        &TYPED
    }
}

impl RubyProgram {
    /// @yard
    /// @def parse(text, file, tasks, epp, modulepath)
    /// Parses code. The diagnostics that Puppet logs are yielded.
    /// @api private
    /// @see Runtime#parse_string
    fn parse(
        ruby: &Ruby,
        text: String,
        file: Option<String>,
        tasks: bool,
        template: bool,
        modulepath: Vec<PathBuf>,
    ) -> Result<Self, Error> {
        guarded(ruby, || {
            let program = Self { text, file, mode: Mode { tasks, template } };
            let raised = |error| of_code(ruby, &program.in_file(error));
            let tree = program.tree().map_err(raised)?;
            let module_file = module_file(program.file.as_deref(), &modulepath);
            let found = validate(
                &tree,
                ValidationRules { tasks, module_file: module_file.as_ref(), ..ValidationRules::default() },
                limits::here(),
            );
            for diagnostic in tree.warnings.iter().chain(logged(&found)) {
                let level = if diagnostic.severity == Severity::Error { "err" } else { "warning" };
                ruby.yield_values::<_, magnus::Value>((ruby.to_symbol(level), diagnostic.message.as_str()))?;
            }
            refuse_errors(&found, &program.text).map_err(raised)?;
            Ok(program)
        })
    }

    /// @yard
    /// @def check(text, file, tasks, epp, modulepath)
    /// Returns all that is wrong or questionable, as the values of a {Diagnostic} each.
    /// @api private
    /// @see Runtime#validate_string
    fn check(
        ruby: &Ruby,
        text: String,
        file: Option<String>,
        tasks: bool,
        template: bool,
        modulepath: Vec<PathBuf>,
    ) -> Result<RArray, Error> {
        guarded(ruby, || {
            let module_file = module_file(file.as_deref(), &modulepath);
            let found = check(&text, Mode { tasks, template }, module_file.as_ref(), &limits::here());
            let lines = LineIndex::new(&text);
            let values = |diagnostic: &Diagnostic| {
                let (line, column) = lines.position(&text, diagnostic.span.start);
                let severity = severity(ruby, diagnostic.severity);
                (severity, diagnostic.code, diagnostic.message.clone(), file.as_deref(), line, column)
            };
            Ok(ruby.ary_from_iter(found.iter().map(values)))
        })
    }

    /// @yard
    /// @def to_pn(pretty = false)
    /// Returns the syntax tree in Puppet Notation, as of `puppet parser dump --format pn`.
    /// @example
    ///   program = Puppetfn::Runtime.new.parse_string("if $x { 1 }")
    ///   program.to_pn  # => "(if {:test (var \"x\") :then [1]})"
    /// @param pretty [Boolean] on several lines
    /// @return [String]
    fn to_pn(ruby: &Ruby, rb_self: &Self, arguments: &[magnus::Value]) -> Result<String, Error> {
        guarded(ruby, || {
            let arguments = magnus::scan_args::scan_args::<(), (Option<bool>,), (), (), (), ()>(arguments)?;
            let pretty = arguments.optional.0.unwrap_or(false);
            Ok(to_pn(&rb_self.tree().map_err(|error| to_ruby(ruby, &error))?, pretty))
        })
    }

    /// @yard
    /// @def to_json
    /// Returns the syntax tree as JSON, with the places of everything; `docs/reference/syntax-tree.md` describes it.
    /// @return [String]
    fn to_json(ruby: &Ruby, rb_self: &Self, _state: &[magnus::Value]) -> Result<String, Error> {
        guarded(ruby, || {
            let tree = rb_self.tree().map_err(|error| to_ruby(ruby, &error))?;
            Ok(to_json(&tree, rb_self.file.as_deref()).to_string())
        })
    }

    /// @yard
    /// @def source_text
    /// @return [String] the code
    fn source_text(&self) -> String {
        self.text.clone()
    }

    /// @yard
    /// @def literal
    /// @return [Array(Object), nil] the value of a literal; nil for other code
    fn literal(ruby: &Ruby, rb_self: &Self) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            let tree = rb_self.tree().map_err(|error| to_ruby(ruby, &error))?;
            match literal(&tree) {
                Some(value) => Ok(Some(ruby.ary_from_iter([to_object(ruby, &value)?]))),
                None => Ok(None),
            }
        })
    }

    /// @yard
    /// @def file
    /// @return [String, nil] where the code is from
    fn file(&self) -> Option<String> {
        self.file.clone()
    }

    fn tree(&self) -> Result<Program<'_>, CoreError> {
        parse_with(&self.text, self.mode, &limits::here())
    }

    fn in_file(&self, error: CoreError) -> CoreError {
        match &self.file {
            Some(file) => error.in_file(file.as_str()),
            None => error,
        }
    }
}

fn module_file(file: Option<&str>, modulepath: &[PathBuf]) -> Option<ModuleFile> {
    ModuleFile::locate(Path::new(file?), modulepath)
}

fn severity(ruby: &Ruby, severity: Severity) -> Symbol {
    ruby.to_symbol(match severity {
        Severity::Deprecation => "deprecation",
        Severity::Warning => "warning",
        Severity::Error => "error",
    })
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<RubyProgram>(ruby, puppetfn, "Program", ruby.class_object())?;
    class.define_singleton_method("parse", function!(RubyProgram::parse, 5))?;
    class.define_singleton_method("check", function!(RubyProgram::check, 5))?;
    class.define_method("to_pn", method!(RubyProgram::to_pn, -1))?;
    class.define_method("to_json", method!(RubyProgram::to_json, -1))?;
    class.define_method("source_text", method!(RubyProgram::source_text, 0))?;
    class.define_method("literal", method!(RubyProgram::literal, 0))?;
    class.define_method("file", method!(RubyProgram::file, 0))?;
    class.define_method("source_ref", method!(RubyProgram::file, 0))?;
    Ok(())
}
