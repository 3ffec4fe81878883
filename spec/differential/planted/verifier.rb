# frozen_string_literal: true

# Compiles programs with real Puppet, in a process of its own: `verifier.rb MODULEPATH` reads names, directories of modules, code
# and uses as JSON, and prints the errors by name.

$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")

require "fileutils"
require "json"
require "puppet"
require "tmpdir"

modulepath = ARGV.fetch(0).split(":")

# Compiles programs as catalogs whose resources become instances.
class Verifier
  FACTS = {"os" => {"name" => "Debian", "family" => "Debian", "release" => {"full" => "12", "major" => "12"},
                    "distro" => {"codename" => "bookworm", "id" => "Debian"}},
           "networking" => {"fqdn" => "node.example.com", "ip" => "10.0.0.1"}, "kernel" => "Linux"}.freeze
  SCHEDULES = %w[puppet hourly daily weekly monthly never].freeze

  # @return [String, nil] the error
  def error(name, code, use, environment)
    Puppet[:code] = code
    loaders = (@loaders ||= {})[environment] ||= Puppet::Pops::Loaders.new(environment)
    Puppet.override(current_environment: environment, rich_data: true, loaders: loaders) do
      catalog = Puppet::Parser::Compiler.compile(node(environment)).to_ral
      error_of_catalog(catalog) || error_of_module(environment, name, use)
    end
  rescue StandardError, ScriptError => e
    "#{e.class}: #{e.message}"
  end

  private

  def node(environment)
    facts = Marshal.load(Marshal.dump(FACTS))
    node = Puppet::Node.new("node.example.com", environment: environment, parameters: facts,
      facts: Puppet::Node::Facts.new("node.example.com", facts))
    node.trusted_data = {"certname" => "node.example.com", "extensions" => {}, "authenticated" => "local"}
    node.add_server_facts("serverversion" => Puppet.version)
    node
  end

  # An agent fails for these before it applies anything.
  def error_of_catalog(catalog)
    return "Found dependency cycles" if catalog.relationship_graph.find_cycles_in_graph.any?

    schedule = catalog.resources.filter_map { |resource| resource[:schedule]&.to_s }.find { |name| !SCHEDULES.include?(name) && !catalog.resource(:schedule, name) }
    "Could not find schedule #{schedule}" if schedule
  end

  def error_of_module(environment, name, use)
    case use
    when "meta"
      environment.module(name).unmet_dependencies
      nil
    when "task"
      environment.module(name).tasks.each do |task|
        task.metadata
        task.validate
        task.files
      end
      nil
    end
  end
end

Dir.mktmpdir("planted") do |directory|
  Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
  Puppet[:disable_i18n] = true
  Puppet[:strict] = :error
  Puppet[:strict_variables] = true
  Puppet::Util::Log.close_all
  shared = Puppet::Node::Environment.create(:production, modulepath)
  verifier = Verifier.new
  errors = JSON.parse($stdin.read).to_h do |name, place, code, use|
    next [name, verifier.error(name, code, use, shared)] if use == "class"

    # Files other than manifests may break the environment.
    alone = "#{directory}/#{name}"
    FileUtils.mkdir_p(alone)
    FileUtils.ln_s(place, alone)
    [name, verifier.error(name, code, use, Puppet::Node::Environment.create(:production, [alone]))]
  end
  puts JSON.generate(errors)
end
