//! Passes a structure to Puppet code, which calls a closure, and reads the result:
//! `cargo run --example secured_listener -- PORT`.
#![allow(clippy::print_stdout, missing_docs)]

use puppetfn::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Listener {
    port: u16,
    tls: bool,
}

fn secured(listener: &Listener) -> Result<Listener, Error> {
    let runtime = Runtime::builder().modulepath(["/etc/puppetlabs/code/modules"]).build();
    runtime.define(native("next").closure(|port: u16| port.saturating_add(1)).build()?);
    runtime.set_variable("listener", Value::from_serialize(listener)?);
    runtime.evaluate("$listener + { port => next($listener['port']), tls => true }", None)?.deserialize()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).ok_or("expected a port")?.parse()?;
    let Listener { port, tls } = secured(&Listener { port, tls: false })?;
    println!("port {port}, {}", if tls { "with TLS" } else { "without TLS" });
    Ok(())
}
