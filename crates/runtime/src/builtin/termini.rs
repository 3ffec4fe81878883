//! The functions of PuppetDB's termini.
//!
//! See `puppet/functions/puppetdb_query.rb` of PuppetDB. They are no functions of Puppet's own: one of a module takes precedence.

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Call, Declaration, LogLevel, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn puppetdb_query() -> Declaration {
    native("puppetdb_query")
        .doc(
            "The rows that PuppetDB answers to a query in PQL, or as an array in its abstract syntax. The data is that of the nodes that \
             are compiled together, or of the source that the option `--exports` names.",
        )
        .dispatch::<&Value>("(Variant[String[1], Array[Data, 1]] query)", query)
        .returns(|_| Type::Any)
}

fn query(call: &mut Call<'_>, query: &Value) -> Result<Value, Error> {
    let Some(source) = call.caller().query_source() else {
        let message = "puppetdb_query: there is no source of PuppetDB's data; the option --exports names one, `compile --nodes` has the data of its nodes, and specs have `let(:puppetdb_data)`";
        return Err(Error::new(ErrorKind::Evaluation, message));
    };
    let mut warnings = Vec::new();
    let answer = source.query(query, None, &mut |warning| warnings.push(warning));
    for warning in warnings {
        call.caller().log_here(LogLevel::Warning, &warning);
    }
    answer
}
