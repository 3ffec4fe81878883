//! The cases of cty's functions; `spec/vectors/cty/README.md` describes them.

mod codec;
mod spec;

use puppetfn::cty::stdlib::{bytes_type, conversion_to, function};
use puppetfn::cty::{CtyFunction, CtyType, CtyValue};
use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::expectation::CaseResult;
use codec::{read_type, read_value};
use spec::SpecParts;

/// A case: a function, by name or specification, with its inputs and recorded results.
#[derive(Deserialize)]
pub struct CtyCase {
    function: Option<String>,
    spec: Option<SpecParts>,
    to: Option<Json>,
    #[serde(flatten)]
    question: CtyQuestion,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum CtyQuestion {
    Redescribe { descriptions: Vec<String>, result: Json },
    Call { args: Vec<Json>, call: Recorded, return_type_for_values: Recorded, return_type: Recorded },
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
enum Recorded {
    Ok(Json),
    Error(RecordedFailure),
}

#[derive(Deserialize, Debug)]
struct RecordedFailure {
    kind: FailureKind,
    message: String,
    arg: Option<usize>,
}

#[derive(Deserialize, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum FailureKind {
    Arg,
    Plain,
    Panic,
}

impl CtyCase {
    /// Runs the case on the core.
    pub fn run(&self) -> CaseResult {
        let function = self.function()?;
        match &self.question {
            CtyQuestion::Redescribe { descriptions, result } => redescribe(&function, descriptions, result),
            CtyQuestion::Call { args, call, return_type_for_values, return_type } => {
                let values = args.iter().map(read_value).collect::<Result<Vec<_>, _>>()?;
                let types: Vec<CtyType> = values.iter().map(|value| value.ty().clone()).collect();
                let about = |question: &'static str| move |wrong: String| format!("{question}: {wrong}");
                call.compare(function.call(&values, &Limits::DEFAULT), same_value).map_err(about("call"))?;
                return_type_for_values
                    .compare(function.return_type_for_values(&values, &Limits::DEFAULT), same_type)
                    .map_err(about("return_type_for_values"))?;
                return_type
                    .compare(function.return_type(&types, &Limits::DEFAULT), same_type)
                    .map_err(about("return_type"))
            }
        }
    }

    fn function(&self) -> Result<CtyFunction, String> {
        match (&self.spec, &self.to, &self.function) {
            (Some(spec), ..) => spec.function(),
            (None, Some(to), _) => Ok(conversion_to(&read_type(to)?)),
            (None, None, Some(name)) => {
                function(name).cloned().ok_or_else(|| format!("there is no cty function {name}"))
            }
            (None, None, None) => Err("the case has no function".to_owned()),
        }
    }
}

impl Recorded {
    fn compare<T: std::fmt::Debug>(
        &self,
        actual: Result<T, Error>,
        same: impl Fn(&Json, &T) -> Result<bool, String>,
    ) -> CaseResult {
        let right = match (self, &actual) {
            (Self::Ok(recorded), Ok(actual)) => same(recorded, actual)?,
            (Self::Error(recorded), Err(error)) => recorded.is(error),
            (Self::Ok(_), Err(_)) | (Self::Error(_), Ok(_)) => false,
        };
        if right { Ok(()) } else { Err(format!("expected {self:?}\ngot      {actual:?}")) }
    }
}

impl RecordedFailure {
    fn is(&self, error: &Error) -> bool {
        let index = if let ErrorKind::Argument(index) = error.kind() { Some(*index) } else { None };
        self.kind == FailureKind::Panic || self.arg == index && self.message == error.message()
    }
}

fn same_type(recorded: &Json, actual: &CtyType) -> Result<bool, String> {
    Ok(read_type(recorded)? == *actual)
}

fn same_value(recorded: &Json, actual: &CtyValue) -> Result<bool, String> {
    let recorded = read_value(recorded)?;
    if *recorded.ty() == bytes_type() && recorded.marks() == actual.marks() {
        let (recorded, actual) = (recorded.unmark().0, actual.unmark().0);
        if let (Ok(recorded), Ok(actual)) = (recorded.as_capsule::<Vec<u8>>(), actual.as_capsule::<Vec<u8>>())
        {
            return Ok(recorded == actual);
        }
    }
    recorded.is_same(actual).map_err(|error| error.to_string())
}

fn redescribe(function: &CtyFunction, descriptions: &[String], result: &Json) -> CaseResult {
    let texts: Vec<&str> = descriptions.iter().map(String::as_str).collect();
    let actual = function.redescribed("new function", &texts);
    let shown = actual.as_ref().ok().map(|function| {
        let parameters: Vec<&str> = function.parameters().iter().map(|parameter| parameter.text()).collect();
        let variadic = function.variadic_parameter().map(|parameter| parameter.text());
        serde_json::json!({ "description": function.description(), "params": parameters, "var_param": variadic })
    });
    let right = match &shown {
        Some(shown) => result.get("ok") == Some(shown),
        None => result.get("error").is_some(),
    };
    if right { Ok(()) } else { Err(format!("expected {result}\ngot      {shown:?}")) }
}
