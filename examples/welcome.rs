//! Compiles a catalog from a program's own values and function: `cargo run --example welcome -- HOST PORT`.
#![allow(clippy::print_stdout, missing_docs)]

use puppetfn::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let host = arguments.next().ok_or("expected a host")?;
    let port = arguments.next().ok_or("expected a port")?.parse()?;
    println!("{}", catalog(&host, port)?);
    Ok(())
}

/// Returns the catalog of a host in JSON.
pub fn catalog(host: &str, port: i64) -> Result<String, Box<dyn std::error::Error>> {
    // Values from outside are checked against Puppet's types.
    "Integer[1, 65535]".parse::<Type>()?.assert("the port", &Value::from(port))?;

    let runtime = Runtime::builder().facts(Hash::from([("hostname", host)])).manifests().node(host).build();
    runtime.set_variable("port", port.into());
    runtime.define(native("banner").closure(|text: &str| format!("*** {text} ***\n")).build()?);

    let code = "file { '/etc/motd': content => banner(\"${facts['hostname']}:${port}\") }";
    let draft = runtime.compile(&[code.into()], &[])?;
    let catalog = draft.finish(Identity::new("production"), Selection::Real, &Limits::DEFAULT)?.catalog;
    Ok(serde_json::to_string_pretty(&catalog)?)
}
