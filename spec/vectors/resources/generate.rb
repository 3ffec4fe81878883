# frozen_string_literal: true

# Records the instances and relationship graphs that real Puppet makes.
#
#     PUPPET_LIB=<a checkout of Puppet>/lib ruby spec/vectors/resources/generate.rb
#
# core.jsonl.gz: the same programs again, which use Puppet's own types. MODULE.jsonl.gz: programs that are drawn for the types in
# types.yaml, of Debian's packages in ../packages.json; the same in every run.

$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")

require "json"
require "yaml"
require_relative "../../../vectors/ruby/puppet_instances"
require_relative "../../../vectors/ruby/recorded"
require_relative "../../../vectors/ruby/recorder"

module Vectors
  # Draws programs for a type from the attributes that it has in real Puppet.
  class InstancePrograms
    # Values in the Puppet language.
    POOL = [
      "''", "'a'", "'A b'", "'a,b'", "'a=b'", "'/a/b'", "'/a/b/'", "'relative/path'", "'http://x.example/y'", "'x.example.com'", "'10.0.0.1'", "'::1'",
      "'0'", "'-1'", "'80-90'", "'0644'", "'true'", "'no'", "'present'", "'absent'", "'root'", "'UPPER'", "'*'", "'^a.*$'", "'ü'", "\"a\\nb\"",
      "0", "1", "-1", "8080", "1.5", "true", "false", "undef", "[]", "['a']", "['a', 'b']", "[1, 2]", "[['a'], 'b']", "{}", "{ 'a' => 'b' }",
      "{ 'a' => ['b', 1] }", "Sensitive('hidden')", "File['/x']", "/a/", "default"
    ].freeze
    # The number of values from the pool for an attribute, and of programs with several attributes.
    VALUES, SEVERAL = 7, 12
    TITLES = ["'a'", "'/a/b/'", "'A B'", "'a::b'", "'a/b@c'", "['a', 'b']", "''"].freeze
    METAPARAMETERS = %w[noop tag alias loglevel schedule audit before].freeze

    # @param type [Class] real Puppet's
    # @param title [String]
    # @param required [Hash{String=>Object}]
    def initialize(type, title, required)
      @type, @title, @required = type, title, required
      @random = Random.new(type.name.name.sum)
    end

    # @return [Array<Array(String, String)>] kinds and programs
    def all
      [["base", program({})], *titles, *single, *several, *providers, *metaparameters].uniq(&:last)
    end

    private

    def titles
      TITLES.map { |title| ["title", program({}, title: title)] }
    end

    def single
      attributes.flat_map { |name| values(name).map { |value| ["attribute", program({name => value})] } }
    end

    def several
      return [] if attributes.size < 2

      Array.new(SEVERAL) { ["several", program(attributes.sample(2, random: @random).to_h { |name| [name, values(name).sample(random: @random)] })] }
    end

    def providers
      @type.paramclass(:provider) ? @type.providers.sort.map { |name| ["provider", program({"provider" => "'#{name}'"})] } : []
    end

    def metaparameters
      METAPARAMETERS.map { |name| ["metaparameter", program({name => POOL.sample(random: @random)})] }
    end

    def attributes
      @attributes ||= (@type.properties.map(&:name) + @type.parameters - [:provider]).map(&:to_s).uniq
    end

    # The values that the attribute declares, and some of the pool.
    def values(name)
      collection = @type.attrclass(name.to_sym).value_collection
      declared = collection.values.first(6).map { |value| value.is_a?(Regexp) ? "'a'" : "'#{value}'" }
      declared + POOL.sample(VALUES, random: @random)
    end

    def program(attributes, title: literal(@title))
      all = @required.transform_values { |value| literal(value) }.merge(attributes)
      "#{@type.name} { #{title}: #{all.map { |name, value| "#{name} => #{value}, " }.join}}"
    end

    def literal(value)
      case value
      when Hash then "{ #{value.map { |pair| pair.map { |part| literal(part) }.join(" => ") }.join(", ")} }"
      when Array then "[#{value.map { |element| literal(element) }.join(", ")}]"
      when String then "'#{value}'"
      else value.to_s
      end
    end
  end

  # Writes the records.
  class InstanceRecorder
    HERE = __dir__
    CORE = "core.jsonl.gz"

    def initialize
      @types = YAML.safe_load_file(File.join(HERE, "types.yaml"))
      PackageList.write(@types.keys)
      @puppet = PuppetInstances.new(Modules.of(HERE).directory, JSON.parse(File.read(File.join(HERE, "facts.json"))))
    end

    def run(names)
      record_again(File.join(HERE, CORE)) if names.empty? || names.include?("core")
      (names.empty? ? @types : @types.slice(*names)).each { |name, types| record(name, types) }
    end

    private

    def record_again(path)
      changed = 0
      records = Recorded.new(path).cases.map do |recorded|
        outcome = @puppet.outcome(recorded.data["code"])
        changed += 1 if outcome != recorded.data["expected"]
        recorded.data.merge("expected" => outcome)
      end
      Recorder.write(path, records)
      puts "#{CORE}: #{records.size} programs, #{changed} with another answer than before"
    end

    def record(name, types)
      records = types.flat_map do |type, (title, required, left_out)|
        InstancePrograms.new(@puppet.type(type), title, required || {}).all.each_with_index.filter_map do |(kind, code), number|
          next if left_out && code.match?(left_out)

          {"id" => "debian/#{type}/#{kind}:#{number}", "kind" => kind, "module" => name, "code" => code, "expected" => @puppet.outcome(code)}
        end
      end
      Recorder.write(File.join(HERE, "#{name}.jsonl.gz"), records)
      puts "#{name}: #{records.size} programs, #{records.count { |record| record["expected"].key?("error") }} errors"
    end
  end
end

$stdout.sync = true
Vectors::InstanceRecorder.new.run(ARGV)
