//! `puppetfn compile`.
