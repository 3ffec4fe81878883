//! Functions that the cases describe by their parts.

use std::panic::resume_unwind;

use puppetfn::cty::stdlib::bytes_type;
use puppetfn::cty::{CtyFunction, CtyParameter, CtyType, CtyValue, argument_error};
use puppetfn::error::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::Value as Json;

use super::codec::read_type;

/// The parts of a function.
#[derive(Deserialize)]
pub struct SpecParts {
    params: Vec<ParameterSpec>,
    var_param: Option<ParameterSpec>,
    type_rule: String,
    #[serde(rename = "impl")]
    implementation: String,
    #[serde(default)]
    unpredictable: bool,
}

#[derive(Deserialize)]
struct ParameterSpec {
    name: String,
    #[serde(rename = "type")]
    t: Json,
    allow_null: bool,
    allow_unknown: bool,
    allow_dynamic_type: bool,
    allow_marked: bool,
}

impl ParameterSpec {
    fn parameter(&self) -> Result<CtyParameter, String> {
        let mut parameter = CtyParameter::new(&self.name, read_type(&self.t)?);
        if self.allow_null {
            parameter = parameter.allow_null();
        }
        if self.allow_unknown {
            parameter = parameter.allow_unknown();
        }
        if self.allow_dynamic_type {
            parameter = parameter.allow_dynamic_type();
        }
        if self.allow_marked {
            parameter = parameter.allow_marked();
        }
        Ok(parameter)
    }
}

impl SpecParts {
    /// Returns the function.
    pub fn function(&self) -> Result<CtyFunction, String> {
        let mut function = CtyFunction::new("");
        for parameter in &self.params {
            function = function.parameter(parameter.parameter()?);
        }
        if let Some(parameter) = &self.var_param {
            function = function.variadic(parameter.parameter()?);
        }
        let (rule, implementation) = (self.type_rule.clone(), self.implementation.clone());
        let function = function
            .type_rule(move |arguments, _| type_rule(&rule, arguments))
            .implement_variadic(move |arguments, call| run(&implementation, arguments, call.returns));
        Ok(if self.unpredictable { function.unpredictable() } else { function })
    }
}

fn failed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Evaluation, message)
}

fn described(arguments: &[CtyValue]) -> String {
    let described = |value: &CtyValue| {
        let (unmarked, marks) = value.unmark();
        let mut text = String::new();
        if !marks.is_empty() {
            text = format!("marked({}) ", marks.iter().collect::<Vec<_>>().join(","));
        }
        if unmarked.contains_marked() {
            text.push_str("deep-marked ");
        }
        text.push_str(match (value.is_null(), value.is_known()) {
            (true, _) => "null ",
            (false, true) => "known ",
            (false, false) => "unknown ",
        });
        format!("{text}{}", value.ty())
    };
    arguments.iter().map(described).collect::<Vec<_>>().join("; ")
}

fn type_rule(rule: &str, arguments: &[CtyValue]) -> Result<CtyType, Error> {
    let first = || arguments.first().ok_or_else(|| failed("the rule needs an argument"));
    Ok(match rule {
        "fixed:string" => CtyType::String,
        "fixed:number" => CtyType::Number,
        "fixed:list_string" => CtyType::list(CtyType::String),
        "fixed:list_dynamic" => CtyType::list(CtyType::Dynamic),
        "fixed:object_a_string" => CtyType::object([("a", CtyType::String)]),
        "fixed:bytes" => bytes_type(),
        "same_as_first" => first()?.ty().clone(),
        "dynamic" => CtyType::Dynamic,
        "by_value" => match first()?.unmark().0.as_string() {
            Err(_) => CtyType::Dynamic,
            Ok(text) if **text == *"num" => CtyType::Number,
            Ok(_) => CtyType::String,
        },
        "error" => return Err(failed("type rule failed")),
        "arg_error:1" => return Err(argument_error(1, "type rule rejects argument 1")),
        "panic" => resume_unwind(Box::new("type rule panicked")),
        "probe" => return Err(failed(format!("type rule saw [{}]", described(arguments)))),
        _ => return Err(failed(format!("no such rule: {rule}"))),
    })
}

fn run(implementation: &str, arguments: &[CtyValue], t: &CtyType) -> Result<CtyValue, Error> {
    Ok(match implementation {
        "constant" => CtyValue::string("constant"),
        "constant_number" => CtyValue::from(1),
        "first_arg" => arguments.first().cloned().ok_or_else(|| failed("an argument is needed"))?,
        "error" => return Err(failed("impl failed")),
        // A value beside an error cannot be distinguished from none here.
        "value_and_error" => return Err(failed("impl failed with a value")),
        "arg_error:0" => return Err(argument_error(0, "impl rejects argument 0")),
        "panic" => resume_unwind(Box::new("impl panicked")),
        "length" => CtyValue::number(arguments.len()),
        "unknown" => CtyValue::unknown(t.clone()),
        "null" => CtyValue::null(t.clone()),
        "dynamic" => CtyValue::DYNAMIC,
        "marked_constant" => CtyValue::string("constant").mark("impl"),
        "probe" => CtyValue::string(format!("impl saw [{}] for {t}", described(arguments))),
        _ => return Err(failed(format!("no such implementation: {implementation}"))),
    })
}
