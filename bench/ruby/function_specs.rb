# frozen_string_literal: true

# Specs of all functions of a module, of the kinds that authors write: most examples say what the function returns, some
# what it raises.
class FunctionSpecs
  # The spec helper, as modules have it.
  HELPER = <<~RUBY
    require "puppetlabs_spec_helper/module_spec_helper"

    RSpec.configure { |config| config.before { Puppet.settings[:strict] = :warning } }
  RUBY
  ARGUMENTS = [
    [], [""], ["a"], ["a.b"], ["/a/b.c"], ["10.0.0.1"], ["a b"], ["yes"], [1], [2.5], [true], [["a", "b"]], [["b", "a", "a"]],
    [[1, [2, nil]]], [{"a" => 1}], [{"a" => {"b" => [1]}}], ["a", "b"], ["ab", "a"], ["ab", ["x", "a"]], [["a", "b"], "a"],
    [["a"], ["a", "b"]], [[1, 2, 3], [2]], [{"a" => 1}, {"b" => 2}], [{"a" => 1}, "a"], [1, 3], ["a", 2], ["a", "b", "c"]
  ].freeze
  # As in stdlib's own specs.
  RETURNING = 10
  RAISING = 5
  # Functions whose results depend on the machine or the moment.
  OF_THE_MOMENT = /rand|time|uuid|shuffle|salted|pw_hash|fqdn|os_version_gte|fact|has_i|glob|load|get_module_path|pry/
  # Functions that are about resources and classes.
  OF_CATALOGS = /ensure|create_resources|defined|private/
  # Functions that need another library, or answer otherwise on Debian's Puppet 7.
  OF_VERSIONS = /\Adig\z|parsepson|parsehocon|validate_augeas|\Atype|is_function|deprecation/
  LEFT_OUT = Regexp.union(OF_THE_MOMENT, OF_CATALOGS, OF_VERSIONS)
  private_constant :ARGUMENTS, :RETURNING, :RAISING, :OF_THE_MOMENT, :OF_CATALOGS, :OF_VERSIONS, :LEFT_OUT

  # @param modules [String] the directory with the modules
  # @param name [String] the module whose functions they are of
  def initialize(modules, name)
    @runtime = Puppetfn::Runtime.new(modulepath: [modules], strict: :warning)
    @directory = File.join(modules, name)
  end

  # @return [Hash{String=>String}] the code of the specs, by their file names
  def to_h
    names.to_h { |name| ["#{name.gsub("::", "_")}_spec.rb", group(name)] }
  end

  private

  def names
    %w[lib/puppet/functions lib/puppet/parser/functions].flat_map { |directory| names_in(directory) }.uniq.sort.grep_v(LEFT_OUT)
  end

  def names_in(directory)
    Dir.glob("**/*.rb", base: File.join(@directory, directory)).map { |path| path.delete_suffix(".rb").gsub("/", "::") }
  end

  def group(name)
    raising, returning = ARGUMENTS.map { |arguments| [arguments, outcome(name, arguments)] }
      .select { |_, (_, result)| writable?(result) }.partition { |_, (kind, _)| kind == :raise }
    examples = (returning.first(RETURNING) + raising.first(RAISING)).map { |arguments, outcome| example(arguments, *outcome) }
    "require \"spec_helper\"\n\ndescribe #{name.inspect} do\n  it { is_expected.not_to be_nil }\n#{examples.join("\n")}\nend\n"
  end

  def outcome(name, arguments)
    [:return, @runtime.call_function(name, *Marshal.load(Marshal.dump(arguments)))]
  rescue StandardError => e
    [:raise, e.class]
  end

  # Whether a spec can have it as its text.
  def writable?(value)
    case value
    when Array then value.all? { |element| writable?(element) }
    when Hash then value.all? { |pair| writable?(pair) }
    when Class then !value.name.nil?
    when String, Numeric, true, false, nil then true
    else false
    end
  end

  def example(arguments, kind, outcome)
    run = "run.with_params(#{arguments.map(&:inspect).join(", ")})"
    expectation = kind == :raise ? ".and_raise_error(#{outcome})" : ".and_return(#{outcome.inspect})"
    "  it { is_expected.to #{run}#{expectation} }"
  end
end
