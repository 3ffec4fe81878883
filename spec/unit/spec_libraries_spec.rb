# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# Libraries of spec helpers that reach into rspec-puppet. Each example passes with rspec-puppet 5.
RSpec.describe "puppetfn test with libraries of spec helpers" do
  include ModuleTree

  # As rspec-puppet-utils does: https://github.com/Accuity/rspec-puppet-utils.
  library = <<~RUBY
    module RSpec::Puppet
      module Support
        def self.clear_cache
          require 'rspec-puppet/cache'
          @@cache = RSpec::Puppet::Cache.new
        end
      end
    end

    class MockFunction
      def initialize(name)
        this = self
        Puppet::Parser::Functions.newfunction(name.to_sym, type: :rvalue) { |args| this.execute(*args) }
      end

      def execute(*args) = args
    end
  RUBY
  files = {
    "metadata.json" => ModuleTree.metadata("ada-twice"),
    "manifests/init.pp" => "class twice { notify { twofold(2): } }",
    "spec/spec_helper.rb" => "require 'puppetlabs_spec_helper/module_spec_helper'\nrequire 'functions_of_specs'",
    "spec/functions_of_specs.rb" => library,
    "spec/classes/twice_spec.rb" => <<~RUBY
      require 'spec_helper'
      describe 'twice' do
        let!(:twofold) { MockFunction.new('twofold') }
        before { RSpec::Puppet::Support.clear_cache }
        %w[four vier quatre].each do |word|
          it { expect(twofold).to receive(:execute).with(2).and_return(word); is_expected.to contain_notify(word) }
        end
      end
    RUBY
  }.freeze

  it "compiles again where a library clears the cache" do
    with_modules(files) do |directory|
      expect(Open3.capture2e(*Puppetfn::CLI.command, "test", "--no-color", chdir: directory).first).to include("3 examples, 0 failures")
    end
  end
end
