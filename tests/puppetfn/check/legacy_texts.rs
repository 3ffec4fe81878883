//! Legacy facts in texts that are not code.
#![allow(clippy::disallowed_methods, reason = "the command mends files")]

use std::fs;

use super::command::{Files, command};
use puppetfn_cli::OK;

#[test]
fn legacy_facts_are_found_in_data_hierarchies_and_templates() {
    let files = Files::new(
        "legacy-texts",
        &[
            ("environment.conf", ""),
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: os\n    path: \"%{facts.osfamily}.yaml\"\n  - name: all\n    path: all.yaml\n",
            ),
            ("data/all.yaml", "a: \"%{::fqdn} %{facts.os.name} %{ipaddress_eth0} %{facts.interfaces}\"\n"),
            (
                "modules/app/templates/a.erb",
                "@osfamily <%= @osfamily %> <%= @id %>\n<%= scope['::fqdn'] + scope.lookupvar('hostname') + @facts['processor0'] %><%# @uptime %>\n",
            ),
            ("modules/app/templates/b.epp", "<%= $facts['osfamily'] %>"),
            ("modules/app/manifests/init.pp", "class app ($id) { notice($id) }"),
        ],
    );
    let path = files.path(".");
    let (_, out, _) = command(&[&path, "--select", "legacy-fact", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 9, "{out}");
    assert_eq!(command(&[&path, "--select", "legacy-fact", "--fix"]).0, OK);
    let read = |path: &str| fs::read_to_string(files.path(path)).unwrap();
    assert!(read("hiera.yaml").contains("\"%{facts.os.family}.yaml\""));
    assert_eq!(
        read("data/all.yaml"),
        "a: \"%{facts.networking.fqdn} %{facts.os.name} %{facts.networking.interfaces.eth0.ip} %{facts.interfaces}\"\n"
    );
    assert_eq!(
        read("modules/app/templates/a.erb"),
        "@osfamily <%= @facts['os']['family'] %> <%= @id %>\n<%= scope['facts']['networking']['fqdn'] + \
         scope['facts']['networking']['hostname'] + @facts.dig('processors', 'models', 0) %><%# @uptime %>\n"
    );
    assert_eq!(read("modules/app/templates/b.epp"), "<%= $facts['os']['family'] %>");
}
