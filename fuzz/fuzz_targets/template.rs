//! Any template is compiled or left to Ruby, and rendered within the limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::value::Value;
use puppetfn_erb::{ErbTemplate, TemplateScope};

struct Known;

impl TemplateScope for Known {
    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        Ok(match name {
            "a" => Some("b\na".into()),
            "b" => Some(vec![3.into(), "x".into(), Value::Undef].into()),
            "c" => Some([(Value::from("k"), Value::from(1))].into_iter().collect()),
            _ => None,
        })
    }

    fn template(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(Some(name.to_uppercase()))
    }

    fn compare_versions(&self, left: &Value, right: &Value) -> Result<Value, Error> {
        Ok(i64::from(left != right).into())
    }
}

fuzz_target!(|text: &str| {
    let limits = Limits { work: 10_000, elements: 1_000, text: 10_000, ..Limits::DEFAULT };
    let rendered = ErbTemplate::parse(text).and_then(|template| template.render(&Known, &limits));
    assert!(rendered.is_none_or(|text| text.len() <= 10_000));
});
