//! Templates.

use std::sync::Arc;

use super::class::CurrentParameters;
use super::routine::is_reserved;
use super::scope::CompileScope;
use super::{Perspective, ProgramCompiler};
use crate::eval::code::{CompilationUnit, ParameterCode, ProgramCode, Slot, TemplateCode};
use crate::eval::interner::Interner;
use crate::eval::templates::{OWNER, TemplateContext};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::stack::StackGuard;
use puppetfn_syntax::ast::{self, ExprKind};

/// Compiles a template.
///
/// # Errors
/// Fails if the template nests too deep for the stack, or if it contains a definition.
pub(in crate::eval) fn compile_template<'s>(
    program: &ast::Program<'s>,
    file: &str,
    surroundings: &'s TemplateContext,
    interner: &mut Interner,
    perspective: Perspective<'_>,
    stack: StackGuard,
) -> Result<TemplateCode, Error> {
    let [ast::Expr { kind: ExprKind::Template(template), .. }] = program.statements.as_slice() else {
        return Err(Error::new(ErrorKind::Internal, "a text that was not read as a template"));
    };
    let unit =
        Arc::new(CompilationUnit::new(program.text, Some(file.into())).counted_by(perspective.counters));
    let scope = surroundings.class.clone().map_or_else(CompileScope::top, CompileScope::of);
    let mut compiler = ProgramCompiler::new(&unit, interner, perspective, stack, scope);
    let outside = compiler.locals.enter(0, None);
    let inside = compiler.locals.enter(0, Some(outside));
    compiler.layer = Some(inside);
    let declared = template.parameters.as_deref().unwrap_or_default();
    let types = compiler.types_of(declared)?;
    compiler.scope.enter();
    surroundings.locals.iter().for_each(|name| compiler.scope.add_parameter(name));
    compiler.scope.enter();
    // A template that declares nothing takes whatever it is given.
    let given = surroundings.arguments.as_deref().filter(|_| template.parameters.is_none());
    let parameters = match given {
        Some(names) => {
            names.iter().for_each(|name| compiler.scope.add_parameter(name));
            names.iter().map(|name| given_parameter(name)).collect()
        }
        None => {
            declared.iter().for_each(|parameter| compiler.scope.add_parameter(parameter.name));
            let first = Some(surroundings.locals.len() as Slot);
            compiler.parameters = Some(CurrentParameters::new(declared, first, Some(OWNER)));
            compiler.named_parameters(declared, types)?
        }
    };
    let body = compiler.statements(&template.body, 0)?;
    for layer in [inside, outside] {
        let (_, names) = compiler.scope.leave();
        compiler.locals.leave(layer, u32::MAX, names);
    }
    let frame_size = compiler.scope.size();
    if !compiler.functions.is_empty() || !compiler.definitions.is_empty() {
        let message = "The EPP template contains illegal expressions (definitions)";
        return Err(Error::new(ErrorKind::Evaluation, message));
    }
    unit.name_slots(compiler.locals);
    let (has_wrong_regexp, has_variables) = (compiler.has_wrong_regexp, compiler.has_variables);
    Ok(TemplateCode {
        parameters,
        declares_parameters: given.is_none(),
        body,
        unit,
        frame_size,
        has_wrong_regexp,
        has_variables,
    })
}

/// Compiles a text that sees the variables of the code around it.
///
/// # Errors
/// Fails if the text nests too deep for the stack, or if it contains a definition.
pub(in crate::eval) fn compile_snippet<'s>(
    program: &ast::Program<'s>,
    is_local: bool,
    context: &'s TemplateContext,
    interner: &mut Interner,
    perspective: Perspective<'_>,
    stack: StackGuard,
) -> Result<ProgramCode, Error> {
    let unit = Arc::new(CompilationUnit::new(program.text, None));
    let scope = context.class.clone().map_or_else(CompileScope::top, CompileScope::of);
    let mut compiler = ProgramCompiler::new(&unit, interner, perspective, stack, scope);
    let layer = compiler.locals.enter(0, None);
    compiler.layer = Some(layer);
    if is_local || !context.locals.is_empty() {
        compiler.scope.enter();
        context.locals.iter().for_each(|name| compiler.scope.add_parameter(name));
    }
    let body = compiler.statements(&program.statements, 0)?;
    let (_, names) = compiler.scope.leave();
    compiler.locals.leave(layer, u32::MAX, names);
    let frame_size = compiler.scope.size();
    if !compiler.functions.is_empty() || !compiler.definitions.is_empty() {
        return Err(Error::new(
            ErrorKind::Evaluation,
            "nothing can be defined where an evaluation is paused",
        ));
    }
    unit.name_slots(compiler.locals);
    Ok(ProgramCode { body, unit, frame_size })
}

fn given_parameter(name: &str) -> ParameterCode {
    ParameterCode {
        name: name.into(),
        type_code: None,
        default: None,
        captures_rest: false,
        at: 0,
        is_reserved: is_reserved(name),
    }
}
