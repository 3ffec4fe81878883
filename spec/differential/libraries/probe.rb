# frozen_string_literal: true

# Prints as JSON the constants and methods that a library, or all of Puppet, adds to a bare Ruby:
#
#     ruby probe.rb FEATURE     after `require FEATURE`
#     ruby probe.rb --puppet    after Puppet has compiled a catalog
#
# JSON is loaded last, so that its own names are not missing from the answer.

# Modules of a bare Ruby, with their names.
class Baseline
  NAME = Module.instance_method(:name)
  # Ruby's tools for its own messages and packages: no function calls them.
  TOOLS = /\A(?:Baseline|Gem|DidYouMean|ErrorHighlight|Monitor|RbConfig|RubyVM|Warning)(?:::|\z)/
  private_constant :NAME, :TOOLS

  def initialize
    @modules = ObjectSpace.each_object(Module).to_h { |mod| [NAME.bind_call(mod), mod] }
    @modules.select! { |name, mod| name && !name.match?(TOOLS) && !mod.singleton_class? }
    @known = @modules.each_value.flat_map { |mod| [mod, mod.singleton_class] }.to_h { |mod| [mod, true] }.compare_by_identity
    @features = $LOADED_FEATURES.dup
    @constants = constants
    @methods = methods_by_owner
  end

  # @return [Hash] the differences of now
  def additions
    {constants: added_constants, methods: added_methods, features: $LOADED_FEATURES - @features}
  end

  private

  def constants
    @modules.transform_values { |mod| mod.constants(false) }
  end

  # Methods by the module, or the singleton class of the module, that introduces them.
  def methods_by_owner
    @modules.flat_map { |name, mod| [[name, mod], ["#{name}.", mod.singleton_class]] }.to_h do |name, mod|
      [name, visible(mod) - (mod.ancestors - [mod]).select { |other| @known[other] }.flat_map { |other| visible(other) }]
    end
  end

  # Private methods of Object and Kernel are functions.
  def visible(mod)
    mod.instance_methods + ([Object, Kernel].include?(mod) ? mod.private_instance_methods : [])
  end

  def added_constants
    constants.to_h { |name, names| [name, (names - @constants[name]).to_h { |constant| [constant, within(@modules[name], constant)] }] }
      .reject { |_, names| names.empty? }
  end

  # The names within a constant, and the file that defines it.
  def within(owner, name)
    value = owner.const_get(name) unless owner.autoload?(name)
    {names: value.is_a?(Module) ? value.constants(false) : [], file: owner.const_source_location(name)&.first || ""}
  end

  def added_methods
    methods_by_owner.to_h { |name, names| [name, (names - @methods[name])] }.reject { |_, names| names.empty? }
  end
end

baseline = Baseline.new
if ARGV.first == "--puppet"
  require "puppet"
  directory = Dir.mktmpdir
  at_exit { FileUtils.remove_entry(directory) }
  FileUtils.mkdir_p(File.join(directory, "environments", "test", "manifests"))
  Puppet.initialize_settings(["--confdir", directory, "--vardir", directory, "--environmentpath", File.join(directory, "environments")])
  Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:user]) if Puppet.const_defined?(:ApplicationSupport)
  node = Puppet::Node.new("test", environment: Puppet.lookup(:environments).get!("test"))
  Puppet::Parser::Compiler.compile(node)
else
  require ARGV.fetch(0)
end
additions = baseline.additions
require "json"
puts JSON.generate(additions)
