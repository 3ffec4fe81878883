# frozen_string_literal: true

require_relative "../support/drop_in"

# Collectors of exported resources under the drop-in search where Puppet's do: in the terminus of `storeconfigs_backend`.
RSpec.describe "Exported resources under the drop-in, compared with real Puppet's", :differential do
  # A program that compiles the code for two nodes, with a terminus like PuppetDB's that keeps the exports of the first in memory.
  # It prints the searches of the terminus and the catalogs.
  program = <<~'RUBY'
    require "puppet"
    require "tmpdir"
    require "puppet/indirector/code"
    directory = Dir.mktmpdir
    at_exit { FileUtils.rm_rf(directory) }
    Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
    Puppet::Util::Log.close_all
    class Puppet::Resource::Memory < Puppet::Indirector::Code
      STORED = []
      def search(request)
        puts "search #{request.key} #{request.options[:filter].inspect} for #{request.options[:host]}"
        raise Puppet::Error, "the backend is away" if request.options[:filter] == %w[title == away]

        STORED.select { |type, _| type == request.key }.map do |type, title, parameters|
          parameters = parameters.map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value) }
          found = Puppet::Parser::Resource.new(type, title, parameters: parameters, scope: request.options[:scope])
          found.collector_id = "exporter|#{type}|#{title}" unless title == "nobody's"
          found
        end
      end
    end
    Puppet[:storeconfigs_backend] = "memory"
    Puppet[:storeconfigs] = true
    Puppet::Resource.indirection.terminus_class = :memory
    environment = Puppet::Node::Environment.create(:production, [])
    Puppet[:code] = "define shown($text = 'none', $list = []) { notify { \"shown ${title}\": message => $text } }\n" + ARGV.fetch(0)
    %w[exporter collector].each do |name|
      node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, {}))
      Puppet.override(current_environment: environment) do
        catalog = Puppet::Parser::Compiler.compile(node)
        catalog.resources.each do |found|
          puts [found.ref, found.to_hash, found.tags.to_a.sort, found.file, found.line, !found.exported, !found.virtual].inspect
          Puppet::Resource::Memory::STORED << [found.type, found.title, found.to_hash] if found.exported && name == "exporter"
        end
        catalog.edges.each { |edge| puts edge }
      end
    rescue Puppet::Error => e
      puts e.message
    end
  RUBY

  nothing_declined = {}.freeze
  {
    "node exporter { @@notify { ['a', 'b']: message => 'm', tag => 'x' } } node collector { Notify <<| |>> }" => nothing_declined,
    "node exporter { @@shown { 'a': text => 't', list => [1, {'b' => undef}] } } node collector { Shown <<| |>> { list => [2] } }" => nothing_declined,
    "node exporter { @@notify { 'a': } } node collector { Notify <<| title == 'a' and (tag != 'b' or message == undef) or withpath == true |>> }" =>
      nothing_declined,
    "node exporter { @@notify { 'a': } } class c { Notify <<| |>> } " \
      "node collector { Notify { withpath => true } Notify <<| |>> include c }" =>
      nothing_declined,
    "node exporter { @@notify { 'a': } } node collector { Notify <<| |>> -> notify { 'z': } @@notify { 'own': } }" => nothing_declined,
    "node exporter { @@notify { 'a': } } node collector { notify { 'a': } Notify <<| |>> }" =>
      {"an error: Puppetfn::Puppet::Error" => 1},
    "node collector { Notify <<| title == 'away' |>> } node default {}" => {"an error: Puppetfn::Puppet::Error" => 1},
    "node exporter { @@notify { \"nobody's\": } } node collector { Notify <<| |>> }" => {"exported resources that do not name their node" => 1},
    "node collector { Notify <<| require == File['/a'] |>> } node default {}" => {"a reference in a collector of exported resources" => 1}
  }.each do |code, declined|
    it "are the same in #{code}" do
      off, on = %w[off on].map { |mode| DropIn.run(mode, "-e", program, code) }
      # Puppet searches in each round of evaluating collectors, and once more for a catalog that the drop-in has declined.
      expect(on.output.lines.uniq).to eq(off.output.lines.uniq)
      expect(on.report["catalog"].values_at("taken", "declined")).to eq([2 - declined.size, declined])
    end
  end
end
