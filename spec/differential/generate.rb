# frozen_string_literal: true

# Makes all calls, from the signatures that real Puppet reads in the modules. Always the same ones.
#
#     ruby spec/differential/generate.rb CALLS
#
# CALLS gets a JSON object: topic => list of Ruby code (see world.rb).

require "json"
require_relative "settings"
require_relative "side/puppet"
require_relative "world"
require_relative "alias_calls"
require_relative "builtin_calls"
require_relative "module_calls"
require_relative "legacy_calls"
require_relative "dispatch_calls"
require_relative "value_calls"

Differential::Side::Puppet.boot do |side|
  files = Differential.function_files
  calls = Differential::ModuleCalls.new(Differential::World.new(side), Random.new(Differential::SEED), files)
  modules = files.keys.to_h { |name| [name, calls.of(name, side.function_class(name))] }
  signatures = files.keys.to_h { |name| [name, ["signatures(#{name.inspect})", "callables(#{name.inspect})"]] }
  builtin_calls = Differential::BuiltinCalls.new(Differential::World.new(side), Random.new(Differential::SEED))
  builtins = Differential::BUILTINS.to_h { |name| [name, builtin_calls.of(name, side.function_class(name))] }
  old = Differential::OLD_BUILTINS.to_h { |name| [name, builtin_calls.of(name, nil)] }
  signatures.update(Differential::BUILTINS.to_h { |name| [name, ["signatures(#{name.inspect})"]] })
  legacy_calls = Differential::LegacyCalls.new(side, Differential::World.new(side), Random.new(Differential::SEED))
  called = Differential.legacy_function_names - Differential.uncalled("legacy").keys
  legacy = called.to_h { |name| [name, legacy_calls.of(name)] }
  called.select { |name| side.legacy?(name) }.each do |name|
    signatures[name] = ["signatures(#{name.inspect})", "callables(#{name.inspect})"]
  end
  alias_calls = Differential::AliasCalls.new(Differential::World.new(side), Random.new(Differential::SEED))
  aliases = Differential.alias_names.to_h { |name| [name, alias_calls.of(name)] }
  dispatch = Differential::DispatchCalls.new(Random.new(Differential::SEED)).to_h
  File.write(ARGV.fetch(0), JSON.generate({modules: modules, legacy: legacy, signatures: signatures, aliases: aliases, dispatch: dispatch,
                                          builtins: builtins.merge(old),
                                          values: Differential::ValueCalls.new.to_h}))
end
