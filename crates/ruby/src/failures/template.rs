//! Calls in templates, and names that are neither variables nor methods.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::CodeFailure;
use crate::parse::RubyCode;
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};

/// The methods and local variables that code of a template has, as of Puppet 8 and Ruby 3: `TemplateWrapper` includes
/// `Puppet::Util` and `Puppet::Util::Logging`.
const KNOWN: &str = "__binding__ __callee__ __dir__ __id__ __method__ __send__ _erbout abort absolute_path? alert all_tags at_exit \
    autoload autoload? benchmark binding block_given? caller caller_locations catch class class_def classes clear_environment clone \
    create_erb crit daemonize debug default_env define_singleton_method deterministic_rand deterministic_rand_int display dup emerg \
    enum_for eql? equal? err escaped_template_source eval exec exit exit! exit_on_fail extend fail file fork format freeze frozen? gem \
    gem_original_require get_env get_environment gets global_variables has_variable? hash info initialize inspect instance_eval \
    instance_exec instance_of? instance_variable_defined? instance_variable_get instance_variable_set instance_variables is_a? \
    iterator? itself j jj kind_of? lambda load load_dir local_variables loop merge_environment meta_def meta_eval meta_undef method \
    methods nil? notice object_id open p path_to_uri pp print printf private_methods proc protected_methods public_method \
    public_methods public_send putc puts raise rand readline readlines remove_instance_variable replace_file require \
    require_relative resource respond_to? result rfc2396_escape safe_posix_fork scope script_line select send set_env \
    set_trace_func singleton_class singleton_method singleton_methods skip_external_facts sleep spawn sprintf srand string \
    symbolizehash syscall system tags taint tainted? tap template template_source test then thinmark throw to_enum to_json to_s \
    to_yaml trace_var trap trust untaint untrace_var untrust untrusted? uri_encode uri_query_encode uri_to_path uri_unescape warn \
    warning which withenv y yield_self";
/// Words after which names may be defined elsewhere, or errors expected.
const OPEN: [&str; 12] = [
    "rescue",
    "defined?",
    "eval",
    "exec",
    "method_missing",
    "define_method",
    "alias",
    "require",
    "include ",
    "extend",
    "class ",
    "send",
];

/// Calls in a template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TemplateCalls {
    /// Names that nothing defines.
    pub failures: Vec<CodeFailure>,
    /// Functions that are called by constant names, as methods of the scope.
    pub functions: Vec<CalledFunction>,
}

/// A function that a template calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalledFunction {
    /// The line of the call, counted from 1.
    pub line: u32,
    /// The name.
    pub name: String,
}

/// Returns the calls in the Ruby code of a template.
#[must_use]
pub fn template_calls(code: &RubyCode<'_>) -> TemplateCalls {
    if OPEN.iter().any(|word| code.text().contains(word)) {
        return TemplateCalls::default();
    }
    let Some((source, statements)) = code.statements() else { return TemplateCalls::default() };
    let mut defined = HashSet::new();
    let mut names = Vec::new();
    let mut functions = Vec::new();
    for statement in statements {
        statement.walk(&mut |node: &RubyNode| {
            match &node.kind {
                RubyNodeKind::Method(method) => _ = defined.insert(method.name.clone()),
                RubyNodeKind::Call(call) if call.receiver.is_none() => {
                    names.push((source.line(call.at), call.name.clone()));
                }
                RubyNodeKind::Call(call) => {
                    let called =
                        function_called(call).map(|name| CalledFunction { line: source.line(call.at), name });
                    functions.extend(called);
                }
                _ => {}
            }
            true
        });
    }
    static METHODS: LazyLock<HashSet<&str>> = LazyLock::new(|| KNOWN.split_whitespace().collect());
    let is_name = |name: &str| name.starts_with(|first: char| first.is_ascii_lowercase());
    names.retain(|(_, name)| is_name(name) && !defined.contains(name) && !METHODS.contains(name.as_str()));
    let failure = |(line, name): (u32, String)| {
        CodeFailure::new(line, format!("undefined local variable or method `{name}' in the template"))
    };
    TemplateCalls { failures: names.into_iter().map(failure).collect(), functions }
}

/// Returns the name of the function that a call of a method of the scope calls.
fn function_called(call: &RubyCall) -> Option<String> {
    let is_scope = call.receiver.as_ref()?.call().is_some_and(|scope| scope.is_name && scope.name == "scope");
    if !is_scope {
        return None;
    }
    if call.name == "call_function" {
        return call.args.first()?.literal();
    }
    call.name.strip_prefix("function_").map(str::to_owned)
}
