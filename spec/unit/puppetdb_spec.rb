# frozen_string_literal: true

require_relative "../support/module_tree"

# Queries to PuppetDB of functions in Ruby and in Puppet code.
RSpec.describe "Queries to PuppetDB in functions" do
  include ModuleTree

  let(:inventory) do
    [{certname: "web1", facts: {kernel: "Linux", disks: [{size: 1}]}, trusted: {certname: "web1"}}, {certname: "db1", facts: {kernel: "SunOS"}}]
  end

  # Yields a runtime with the data and a module.
  def with_data(files = {}, &block)
    paths = files.transform_keys { |path| "m/#{path}" }.merge("m/metadata.json" => ModuleTree.metadata("ada-m"))
    with_runtime(paths) { |runtime, _| runtime.tap { |made| made.puppetdb = {inventory: inventory} }.then(&block) }
  end

  it "are answered with rows that a program sets" do
    with_data do |runtime|
      expect(runtime.call_function("puppetdb_query", "inventory[certname] { facts.disks[0].size = 1 }")).to eq([{"certname" => "web1"}])
      expect(runtime.evaluate_string("puppetdb_query(['from', 'nodes', ['extract', 'certname']]).map |$row| { $row['certname'] }")).to eq(%w[db1 web1])
    end
  end

  it "take a text or an array, and fail where there is no answer" do
    with_data do |runtime|
      expect { runtime.call_function("puppetdb_query", 1) }.to raise_error(ArgumentError, /'puppetdb_query' parameter 'query' expects a value of type String or Array, got Integer/)
      expect { runtime.call_function("puppetdb_query", "nodes {") }.to raise_error(/PQL parse error at line 1, column 8/)
      expect { runtime.puppetdb = {node: []} }.to raise_error(/there is no entity 'node'/)
    end
    expect { Puppetfn::Runtime.new.call_function("puppetdb_query", "nodes {}") }.to raise_error(/there is no source of PuppetDB's data/)
  end

  it "are answered by the termini's library" do
    function = <<~RUBY
      require 'puppet/util/puppetdb'
      require 'puppet/util/profiler'
      Puppet::Functions.create_function(:'m::linux') do
        include Puppet::Util::Puppetdb
        def linux
          Puppet::Util::Profiler.profile('asking', [:puppetdb]) do
            Puppet::Util::Puppetdb.query_puppetdb(['from', 'inventory', ['extract', ['certname'], ['=', 'facts.kernel', 'Linux']]])
          end + [profile('again', [:puppetdb]) { Puppet::Util::Puppetdb.config.server_urls.first.host }]
        end
      end
    RUBY
    with_data("lib/puppet/functions/m/linux.rb" => function) do |runtime|
      expect(runtime.call_function("m::linux")).to eq([{"certname" => "web1"}, "puppetdb"])
    end
  end

  it "are answered at the endpoints of PuppetDB" do
    function = <<~RUBY
      require 'json'
      require 'puppet/network/http_pool'
      Puppet::Functions.create_function(:'m::ask') do
        def ask(entity, query)
          http = Puppet::Network::HttpPool.http_instance('puppetdb', 8081, true)
          # As dalen-puppetdbquery escapes it.
          response = http.get("/pdb/query/v4/\#{entity}" + URI.escape("?query=\#{query.to_json}"), {'Accept' => 'application/json'})
          response.is_a?(Net::HTTPSuccess) ? JSON.parse(response.body) : response.msg
        end
      end
    RUBY
    with_data("lib/puppet/functions/m/ask.rb" => function) do |runtime|
      expect(runtime.call_function("m::ask", "nodes", ["extract", ["certname"], ["~", "certname", "web"]])).to eq([{"certname" => "web1"}])
      expect(runtime.call_function("m::ask", "facts", ["extract", ["value"], ["=", "name", "kernel"]])).to eq([{"value" => "SunOS"}, {"value" => "Linux"}])
      expect(runtime.call_function("m::ask", "facts", ["=", "foo", 1])).to start_with("'foo' is not a queryable object for facts.")
    end
  end

  it "call a module's own function of the name" do
    with_data("functions/nodes.pp" => "function m::nodes() { puppetdb_query('nodes[count()] {}') }") do |runtime|
      expect(runtime.call_function("m::nodes")).to eq([{"count" => 2}])
    end
  end
end
