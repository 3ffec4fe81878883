# frozen_string_literal: true

# Makes instances and graphs of catalogs, on one side of the benchmark.
#
#     ruby bench/ruby/resource_worker.rb puppet|puppetfn
#
# Reads the name of a catalog a line, and answers with the processor seconds of its instances and of its graph;
# `version` asks for the version.

require "fileutils"
require "tmpdir"

module ResourceBench
  # What the module of the mixed catalog has.
  MODULE = {
    "shop/lib/puppet/type/article.rb" => <<~'RUBY',
      Puppet::Type.newtype(:article) do
        ensurable
        newparam(:name, namevar: true) { validate { |name| raise ArgumentError, "no name" if name.empty? } }
        newparam(:fragile, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false }
        newparam(:kind) { newvalues(:book, :record); defaultto :book }
        newproperty(:tags, array_matching: :all) { validate { |tag| raise ArgumentError, "no tag" if tag == "" } }
        newproperty(:price) do
          munge { |price| Integer(price) }
          defaultto { @resource[:kind] == :book ? 20 : 10 }
        end
        validate { raise ArgumentError, "too dear" if self[:price] > 900 }
        autorequire(:file) { "/srv/#{self[:name]}" }
      end
    RUBY
    "shop/lib/puppet/provider/article/shop.rb" => <<~RUBY
      Puppet::Type.type(:article).provide(:shop) { mk_resource_methods }
    RUBY
  }.freeze

  # The code of the catalogs.
  module Code
    COMMON = <<~PUPPET
      user { 'joe': ensure => present, gid => 'staff' }
      group { 'staff': ensure => present }
      file { '/srv': ensure => directory }
      service { 'web': ensure => running, enable => true }
    PUPPET

    def self.files
      lines = Array.new(1000) do |number|
        directory = "/srv/d#{number / 25}"
        next "file { '#{directory}': ensure => directory, mode => '0755', owner => 'joe', group => 'staff' }" if (number % 25).zero?

        "file { '#{directory}/f#{number}': ensure => file, mode => '0644', owner => 'joe', group => 'staff', " \
          "content => 'content of #{number}'#{relation(number)} }"
      end
      [COMMON, *lines].join("\n")
    end

    def self.mixed
      lines = Array.new(200) do |number|
        "file { '/srv/f#{number}': ensure => file, mode => '0644', owner => 'joe', content => 'content of #{number}'#{relation(number)} }
         package { 'p#{number}': ensure => #{number.even? ? "installed" : "'1.#{number}'"} }
         service { 's#{number}': ensure => running, enable => true, require => Package['p#{number}'] }
         exec { '/bin/run #{number}': cwd => '/srv', refreshonly => true, subscribe => File['/srv/f#{number}'] }"
      end
      lines += Array.new(100) do |number|
        "user { 'u#{number}': ensure => present, uid => #{number + 1000}, gid => 'staff', home => '/home/u#{number}', managehome => true }
         article { 'f#{number}': ensure => present, kind => record, tags => ['a', 'b'], price => '#{number}' }"
      end
      [COMMON, *lines].join("\n")
    end

    def self.relation(number)
      {1 => ", require => File['/srv']", 2 => ", notify => Service['web']"}[number % 10]
    end
    private_class_method :relation
  end

  # Real Puppet.
  class PuppetSide
    def initialize(modules, directory)
      require "puppet"
      @modules = modules
      Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
      Puppet::Util::Log.close_all
    end

    def version
      "Puppet #{Puppet.version}"
    end

    def with_catalog(code)
      Puppet[:code] = code
      environment = Puppet::Node::Environment.create(:production, [@modules])
      Puppet.override(current_environment: environment, rich_data: true) do
        node = Puppet::Node.new("bench", environment: environment, facts: Puppet::Node::Facts.new("bench", {}))
        node.add_server_facts({})
        yield Puppet::Parser::Compiler.compile(node)
      end
    end
  end

  # puppetfn.
  class PuppetfnSide
    FACTS = {"os" => {"name" => "Debian", "family" => "Debian", "release" => {"major" => "12"}}}.freeze

    def initialize(modules, _directory)
      $LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
      require "puppetfn"
      @modules = modules
    end

    def version
      "puppetfn #{Puppetfn::VERSION}"
    end

    def with_catalog(code)
      yield Puppetfn::Runtime.new(modulepath: [@modules], facts: FACTS, node: "bench").compile(code)
    end
  end

  def self.timed
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    result = yield
    [result, Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start]
  end

  def self.sample(side, code)
    side.with_catalog(code) do |catalog|
      GC.start
      ral, instances = timed { catalog.to_ral }
      _, graph = timed { ral.relationship_graph.report_cycles_in_graph }
      [instances, graph]
    end
  end
end

directory = Dir.mktmpdir("puppetfn-bench-")
at_exit { FileUtils.remove_entry(directory) }
modules = File.join(directory, "modules")
ResourceBench::MODULE.each do |path, text|
  path = File.join(modules, path)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, text)
end
side = ResourceBench.const_get("#{ARGV.fetch(0).capitalize}Side").new(modules, directory)
$stdout.sync = true
$stdin.each_line(chomp: true) do |line|
  next puts(side.version) if line == "version"

  puts ResourceBench.sample(side, ResourceBench::Code.public_send(line)).join(" ")
end
