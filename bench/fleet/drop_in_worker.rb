# frozen_string_literal: true

# Compiles catalogs of nodes with real Puppet, with the drop-in or without, in one process that keeps its environment, as a server does.
#
#     ruby bench/fleet/drop_in_worker.rb ENVIRONMENTS FACTS [storeconfigs]
#
# ENVIRONMENTS is a directory with the environment `production`, FACTS has NODE.json for each node. Each line of the input asks for a
# round, and is empty or a directory for the catalogs, as NODE.json. The answer is the processor seconds of the round; for the line
# `versions`, Puppet's version and the counts of catalogs that the drop-in compiled and declined, as JSON.

require "json"
require "tmpdir"
require_relative "real_puppet"
require "puppet/indirector/code"

# A terminus for exported resources like PuppetDB's, in memory.
class Puppet::Resource::Memory < Puppet::Indirector::Code
  STORED = {}

  # Stores the exported resources of a node, in place of its previous ones.
  #
  # @param node [String]
  # @param catalog [Puppet::Resource::Catalog]
  def self.store(node, catalog)
    STORED[node] = catalog.resources.select(&:exported).map { |resource| [resource.type, resource.title, resource.to_hash, resource.tags.to_a] }
  end

  # Finds exported resources of other nodes with a tag or a parameter.
  def search(request)
    scope, host, filter = request.options.values_at(:scope, :host, :filter)
    raise ArgumentError, "unsupported filter #{filter.inspect}" unless filter.nil? || filter[1] == "=="

    STORED.flat_map do |node, resources|
      next [] if node == host

      resources.filter_map { |resource| found(node, resource, scope) if matches?(resource, request.key, filter) }
    end
  end

  private

  def matches?((type, _, parameters, tags), key, filter)
    return false unless type == key

    name, _, value = filter
    name.nil? || (name == "tag" ? tags.include?(value) : parameters[name.to_sym] == value)
  end

  def found(node, (type, title, parameters, _), scope)
    parameters = parameters.map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value) }
    Puppet::Parser::Resource.new(type, title, parameters: parameters, scope: scope).tap do |resource|
      resource.collector_id = "#{node}|#{type}|#{title}"
    end
  end
end

module FleetBench
  # The nodes and their catalogs.
  class DropInWorker
    def initialize(directory, environments, facts, storeconfigs:)
      @storeconfigs = storeconfigs
      RealPuppet.start(directory, environments) { store_exports if storeconfigs }
      @facts = Dir.glob("#{facts}/*.json").sort.to_h { |path| [File.basename(path, ".json"), JSON.parse(File.read(path))] }
    end

    # @param out [String] a directory, or empty
    # @return [Float] processor seconds of all nodes
    def round(out)
      GC.start
      @facts.sum { |name, facts| compile(name, facts, out) }
    end

    # @return [Hash] of Puppet and the drop-in
    def versions
      {puppet: Puppet.version, drop_in: (Puppetfn::Puppet.report[:catalog] if defined?(Puppetfn::Puppet))}
    end

    private

    def store_exports
      Puppet[:storeconfigs_backend] = "memory"
      Puppet[:storeconfigs] = true
      Puppet::Resource.indirection.terminus_class = :memory
    end

    # Facts come parsed, as from a terminus. The catalog becomes JSON, as for an agent.
    def compile(name, facts, out)
      node = RealPuppet.node(name, Marshal.load(Marshal.dump(facts)))
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      catalog = Puppet.override(rich_data: true, current_environment: node.environment) { Puppet::Parser::Compiler.compile(node) }
      text = Puppet.override(rich_data: true, current_environment: node.environment) { JSON.generate(catalog.filter(&:virtual?).to_data_hash) }
      seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
      Puppet::Resource::Memory.store(name, catalog) if @storeconfigs
      File.write("#{out}/#{name}.json", text) unless out.empty?
      seconds
    end
  end
end

Dir.mktmpdir("puppetfn-bench-") do |directory|
  environments, facts, storeconfigs = ARGV
  worker = FleetBench::DropInWorker.new(directory, environments, facts, storeconfigs: !storeconfigs.nil?)
  $stdout.sync = true
  $stdin.each_line(chomp: true) { |line| puts(line == "versions" ? JSON.generate(worker.versions) : worker.round(line)) }
end
