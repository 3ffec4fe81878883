# frozen_string_literal: true

# Records the catalogs that real Puppet compiles of the programs in programs.yaml, with modules of Debian's packages.
#
#     PUPPET_LIB=<a checkout of Puppet>/lib ruby spec/vectors/catalogs/generate.rb [MODULE...]
#
# Writes MODULE.jsonl.gz and facts.jsonl.gz here, and ../packages.json with the versions of the packages. Without arguments, these are all
# modules of programs.yaml.

$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")

require "digest"
require "json"
require "open3"
require "yaml"
require_relative "../../../vectors/ruby/catalog"
require_relative "../../../vectors/ruby/recorder"
require_relative "../../../vectors/ruby/systems"

module Vectors
  # Writes the records.
  class CatalogRecorder
    HERE = __dir__
    NODE = "node.example.com"
    ENVIRONMENT = "production"

    def initialize
      @programs = YAML.safe_load_file(File.join(HERE, "programs.yaml"))
      @facts = Systems.names.to_h { |name| [name, Systems.facts(name)] }
      PackageList.write(@programs.keys)
      Recorder.write(File.join(HERE, FACTS), @facts.values.map { |facts| {"digest" => digest(facts), "facts" => facts} })
      @world = Catalog::World.new(HERE)
      require_relative "../../../vectors/ruby/puppet_catalogs"
      @puppet = PuppetCatalogs.new(@world)
    end

    # @param names [Array<String>] of modules; all if there are none
    def run(names)
      (names.empty? ? @programs : @programs.slice(*names)).each { |name, entry| Recorder.in_process { write(name, entry) } }
    end

    private

    def write(name, entry)
      systems = entry["systems"] || Systems.names
      strict_variables = entry.fetch("strict_variables", true)
      records = entry["programs"].product(systems).map { |code, system| record(name, code, system, strict_variables) }
      Recorder.write(File.join(HERE, "#{name}.jsonl.gz"), records)
      report(name, records)
    end

    def record(name, code, system, strict_variables)
      data = {
        "kind" => "catalog", "id" => "debian/#{name}/#{Digest::SHA256.hexdigest("#{system} #{code}")[0, 12]}", "module" => name, "os" => system,
        "code" => code, "node" => NODE, "facts" => digest(@facts[system]),
        "trusted" => {"authenticated" => "remote", "certname" => NODE, "extensions" => {}, "hostname" => "node", "domain" => "example.com", "external" => {}},
        "server_facts" => {"serverversion" => ::Puppet.version, "servername" => "puppet.example.com", "serverip" => "10.0.2.1", "environment" => ENVIRONMENT},
        "variables" => {}, "environment" => ENVIRONMENT, "hiera_config" => nil, "hiera_content" => nil,
        "strict" => "warning", "strict_variables" => strict_variables, "settings" => {}
      }
      data.merge("expected" => outcome(data, @facts[system]))
    end

    def outcome(data, facts)
      catalog = @puppet.compile(data, facts).filter(&:virtual?)
      {"catalog" => @world.recorded_form(@puppet.data_hash(catalog), data)}
    rescue ::Puppet::Error, ArgumentError => e
      {"error" => {"class" => e.class.name, "message" => @world.hidden(e.message, data)}}
    end

    def digest(facts)
      Digest::SHA256.hexdigest(JSON.generate(facts))[0, 20]
    end

    def report(name, records)
      errors = records.filter_map { |record| [record["os"], record["expected"]["error"]["message"]] if record["expected"].key?("error") }
      puts "#{name}: #{records.size - errors.size} catalogs, #{errors.size} errors"
      errors.uniq(&:last).each { |os, message| puts "  #{os}: #{message}" }
    end
  end
end

$stdout.sync = true
Vectors::CatalogRecorder.new.run(ARGV)
