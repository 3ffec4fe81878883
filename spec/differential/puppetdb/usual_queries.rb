# frozen_string_literal: true

module Differential
  module PuppetDB
    # Queries of the kinds in public control repositories and modules: the nodes with a class, their addresses or keys, the exports for a check,
    # counts.
    USUAL_QUERIES = [
      'nodes[certname] { resources { type = "Class" and title = "Apache" } order by certname }',
      'nodes[certname] { resources { type = "Class" and title in ["Apache", "Nginx"] } and resources { type = "File" and title = "/etc/motd" } }',
      'nodes[certname] { resources { type = "Class" and title = "Apache" and certname ~ "web" } order by certname }',
      'nodes[certname] { inventory { facts.os.family = "Debian" } }',
      'nodes[certname] { facts { name = "kernel" and value = "Linux" } order by certname limit 1 offset 1 }',
      "nodes[certname] { deactivated is null and expired is null }",
      "nodes[certname] { certname in resources[certname] { type = 'Class' and title = 'Apache' } and !(certname ~ '^db') }",
      "nodes[count()] { }",
      'resources[certname, parameters] { type = "Class" order by certname }',
      'resources[certname, tags, parameters] { type = "Class" and title = "Apache" }',
      "resources[parameters, title] { type = 'User' and exported = true and parameters.uid = '1' order by title }",
      'resources[parameters, title] { type = "File" and parameters.mode = "0644" order by parameters }',
      'resources[certname, parameters, title] { type = "Class" and parameters.ssl = true and parameters.port = 81 order by certname }',
      'resources[certname, parameters] { type = "Notify" and title ~ "^n" and nodes { resources { type = "Class" and title = "Apache" } } order by parameters }',
      'resources[title] { type = "User" and certname in resources[certname] { type = "Class" and title = "Apache" } group by title }',
      'resources[parameters] { environment = "production" and type = "User" and exported = true and tag = "user" and nodes { deactivated is null } }',
      "resources[type, count()] { group by type }",
      'resources { type = "Class" and title = "Apache" and (certname = "web1" or certname = "db1") }',
      'inventory[certname, facts.os.release.major] { facts.os.family = "Debian" }',
      'inventory[facts] { resources { type = "Class" and title = "Apache" } }',
      "inventory[certname, facts.networking.ip] { facts.kernel = 'Linux' }",
      'inventory[certname, trusted.extensions.pp_role] { trusted.extensions.pp_role = "web" }',
      "inventory[certname, facts.uptime] { facts.uptime > 100 and facts.uptime <= 400 order by certname }",
      'facts[certname, value] { name = "kernel" and value = "Linux" }',
      'facts[certname, value] { name in ["kernel", "os"] and certname ~ "web" order by certname, name }',
      'facts[value, count()] { name = "kernel" group by value }',
      'facts { name = "uptime" and value > 100 }',
      'fact_contents[certname, value] { path ~> ["os", ".*"] and value = "Debian" }',
      ["from", "resources", ["extract", ["certname"], ["and", %w[= type Class], %w[= title Apache]]]],
      ["from", "nodes", ["extract", ["certname"], ["in", "certname", ["extract", "certname", ["select_resources", %w[= type Class]]]]]],
      ["from", "facts", ["extract", %w[certname value], ["=", "name", "kernel"]], ["order_by", [%w[certname desc]]], ["limit", 3]]
    ].freeze
  end
end
