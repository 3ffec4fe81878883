# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# Each example needs a process of its own: who comes first is the point.
RSpec.describe "puppetfn beside Puppet" do
  include ModuleTree

  lib = File.expand_path("../../lib", __dir__)
  puppet = {
    "puppet/puppet.rb" => <<~RUBY,
      module Puppet
        class Error < StandardError; end
        module Functions
          def self.create_function(*) = raise("the wrong create_function")
        end
        def self.version = "8.0.0 (real)"
      end
    RUBY
    "puppet/puppet/util.rb" => "",
    "puppet/puppet/parser/functions.rb" => "",
    "mod/lib/puppet/functions/mod/f.rb" => <<~RUBY,
      require 'puppet/util'
      Puppet::Functions.create_function(:'mod::f') do
        def f
          require 'puppet'
          [Puppet.version, Puppet::Util::Package.versioncmp('1.10', '1.9')]
        end
      end
    RUBY
    "mod/lib/puppet/parser/functions/leg.rb" => <<~RUBY
      require 'puppet/parser/functions'
      module Puppet::Parser::Functions
        newfunction(:leg, :type => :rvalue) { |args| [Puppet.version, self.class.name, args] }
      end
    RUBY
  }

  define_method(:ruby) do |script, root|
    stdout, stderr, status = Open3.capture3(
      RbConfig.ruby, "-I", lib, "-I", File.join(root, "puppet"), "-e", script, root
    )
    expect(status).to be_success, stderr
    [stdout.lines(chomp: true), stderr]
  end

  it "leaves Puppet's names alone when Puppet came first" do
    with_modules(puppet) do |root|
      lines, errors = ruby(<<~RUBY, root)
        require "puppet"
        require "puppetfn"
        puts Puppet.version, Puppet::Functions.singleton_methods.inspect
        p Puppetfn::Runtime.new(modulepath: ARGV).call_function("mod::f")
        p Puppetfn::Puppet::ParseError
      RUBY

      expect(lines).to eq(["8.0.0 (real)", "[:create_function]", '["8.11.0", 1]', "Puppetfn::Puppet::ParseError"])
      expect(errors).to be_empty
    end
  end

  it "has files of the 3.x API see its own names when Puppet came first" do
    with_modules(puppet) do |root|
      lines, errors = ruby(<<~RUBY, root)
        require "puppet"
        require "puppetfn"
        p Puppetfn::Runtime.new(modulepath: ARGV).call_function("leg", nil)
      RUBY

      expect(lines).to eq(['["8.11.0", "Puppetfn::Puppet::Parser::Scope", [""]]'])
      expect(errors).to be_empty
    end
  end

  it "hands the names over, with a warning, when Puppet comes later" do
    with_modules(puppet) do |root|
      lines, errors = ruby(<<~RUBY, root)
        require "puppetfn"
        puts Puppet.version
        require "puppet"
        puts Puppet.version, Puppet::Error.superclass
        p Puppetfn::Runtime.new(modulepath: ARGV).call_function("mod::f")
      RUBY

      expect(lines).to eq(["8.11.0", "8.0.0 (real)", "StandardError", '["8.11.0", 1]'])
      expect(errors).to match(/\Apuppetfn: Puppet is loaded after puppetfn .* Require "puppet" before "puppetfn"/)
    end
  end

  it "stands for Puppet when a function requires it" do
    with_modules(puppet) do |root|
      lines, errors = ruby(<<~RUBY, root)
        require "puppetfn"
        p Puppetfn::Runtime.new(modulepath: ARGV).call_function("mod::f")
        puts Puppet.version
      RUBY

      expect(lines).to eq(['["8.11.0", 1]', "8.11.0"])
      expect(errors).to be_empty
    end
  end
end
