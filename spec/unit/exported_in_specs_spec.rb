# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# Exported resources of other nodes in examples.
RSpec.describe "let(:exported_resources) of puppetfn test" do
  include ModuleTree

  files = {
    "metadata.json" => ModuleTree.metadata("ada-watch"),
    "spec/spec_helper.rb" => "require 'puppetlabs_spec_helper/module_spec_helper'",
    "manifests/init.pp" => <<~PUPPET,
      class watch($tag = 'web') {
        Watch::Check <<| tag == $tag |>> { interval => 10 }
        if $settings::storeconfigs { notify { 'stores': } }
      }
    PUPPET
    "manifests/check.pp" => <<~PUPPET,
      define watch::check(String $address = $facts['networking']['ip'], Integer $interval = 60) {
        notify { "${title} at ${address} each ${interval}": }
      }
    PUPPET
    "functions/names.pp" => <<~'PUPPET',
      function watch::names(String $kernel) {
        puppetdb_query("inventory[certname] { facts.kernel = '${kernel}' }").map |$node| { $node['certname'] }
      }
    PUPPET
    "spec/functions/names_spec.rb" => <<~RUBY,
      require "spec_helper"

      describe "watch::names" do
        let(:puppetdb_data) { {inventory: [{certname: "a", facts: {kernel: "Linux"}}, {certname: "b", facts: {kernel: "AIX"}}]} }

        it { is_expected.to run.with_params("Linux").and_return(["a"]) }
      end
    RUBY
    "spec/classes/query_spec.rb" => <<~RUBY,
      require "spec_helper"

      describe "watch" do
        let(:pre_condition) { "watch::names('AIX').each |$name| { notify { $name: } }" }

        context "with one node" do
          let(:puppetdb_data) { {inventory: [{certname: "b", facts: {kernel: "AIX"}}]} }

          it { is_expected.to contain_notify("b") }
        end

        context "with another node" do
          let(:puppetdb_data) { {inventory: [{certname: "c", facts: {kernel: "AIX"}}]} }

          it { is_expected.to contain_notify("c") }
          it { is_expected.not_to contain_notify("b") }
        end

        context "without data" do
          it { is_expected.to compile.and_raise_error(/there is no source of PuppetDB's data/) }
        end
      end
    RUBY
    "spec/classes/watch_spec.rb" => <<~RUBY
      require "spec_helper"

      describe "watch" do
        let(:facts) { {networking: {ip: "10.0.0.1"}} }

        context "with resources" do
          let(:exported_resources) do
            [{type: "watch::check", title: "web1", parameters: {address: "10.0.0.2"}, tags: ["web"]},
             {type: "watch::check", title: "db1", tags: ["db"]}]
          end

          it { is_expected.to contain_notify("web1 at 10.0.0.2 each 10") }
          it { is_expected.to have_watch__check_resource_count(1) }
          it { is_expected.to contain_notify("stores") }
        end

        context "with code" do
          let(:exported_resources) { "@@watch::check { $facts['networking']['fqdn']: tag => 'web', address => '10.0.0.3' }" }

          it { is_expected.to contain_watch__check("exporter.example.com").with_address("10.0.0.3").with_interval(10) }
        end

        context "with code of several nodes" do
          let(:exported_resources) do
            {"a.example.com" => "@@watch::check { 'a': tag => 'web' }", "b.example.com" => "@@watch::check { 'b': tag => 'web' }"}
          end

          it { is_expected.to contain_watch__check("a").with_address("10.0.0.1") }
          it { is_expected.to contain_watch__check("b") }
        end

        context "with the same title on two nodes" do
          let(:exported_resources) do
            {"a" => "@@watch::check { 'x': tag => 'web' }", "b" => "@@watch::check { 'x': tag => 'web' }"}
          end

          it { is_expected.to compile.and_raise_error(/A duplicate resource was found while collecting exported resources/) }
        end

        context "without any" do
          it { is_expected.to have_watch__check_resource_count(0) }
          it { is_expected.not_to contain_notify("stores") }
        end

        context "as subject" do
          let(:pre_condition) { "@@notify { 'mine': }" }
          subject { exported_resources }

          it { is_expected.to contain_notify("mine") }
        end
      end
    RUBY
  }.freeze

  it "is found by collectors" do
    with_modules(files) do |directory|
      output, = Open3.capture2e(*Puppetfn::CLI.command, "test", "--no-color", chdir: directory)
      expect(output).to include("15 examples, 0 failures")
    end
  end

  it "is asked for while another example is asked" do
    spec = <<~RUBY
      describe "watch" do
        group = Class.new do
          include Puppetfn::RSpec::CatalogExampleGroup
          define_method(:exported_resources) { "@@watch::check { 'other': tag => 'web', address => '10.0.0.1' }" }
        end
        let(:exported_resources) { Puppetfn::RSpec::Exports.given(group.new) }

        it { is_expected.to contain_notify("other at 10.0.0.1 each 10") }
      end
    RUBY
    with_modules(files.merge("spec/classes/other_spec.rb" => "require 'spec_helper'\n#{spec}")) do |directory|
      output, = Open3.capture2e(*Puppetfn::CLI.command, "test", "--no-color", "spec/classes/other_spec.rb", chdir: directory)
      expect(output).to include("1 example, 0 failures")
    end
  end

  it "names a resource without a type" do
    runtime = Puppetfn::Runtime.new(node: "web1")
    expect { runtime.exports = [{title: "x", certname: "a"}] }.to raise_error(ArgumentError, "an exported resource has no type: x")
  end
end
