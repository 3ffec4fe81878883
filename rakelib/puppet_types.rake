# frozen_string_literal: true

desc "Write what Puppet's own resource types say of themselves to where the core has it"
task :puppet_types do
  require_relative "../lib/puppetfn/doc/own_types"
  require "json"
  lines = Puppetfn::Doc::OwnTypes.descriptions.map { |description| JSON.generate(description) }
  File.write("crates/runtime/src/catalog/puppet_types.json", "[\n#{lines.join(",\n")}\n]\n")
end
