# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# The load path, platform and facts of examples. Each example passes with rspec-puppet 5 on Puppet 8.11, in any order.
RSpec.describe "The environment of examples" do
  include ModuleTree

  files = {
    "metadata.json" => ModuleTree.metadata("ada-cart"),
    "spec/spec_helper.rb" => "require 'puppetlabs_spec_helper/module_spec_helper'",
    "manifests/init.pp" => <<~PUPPET,
      class cart {
        $file = $facts['os']['family'] ? { 'windows' => 'C:/cart', default => '/cart' }
        file { $file: ensure => file, content => 'x' }
        exec { 'push': command => "${file}/push", path => $facts['os']['family'] ? { 'windows' => 'C:/a;C:/b', default => '/a:/b' } }
      }
    PUPPET
    "lib/facter/cart_wheels.rb" => "Facter.add(:cart_wheels) { setcode { ($wheels = ($wheels || 3) + 1) } }",
    "spec/fixtures/modules/other/lib/facter/cart_wheels.rb" => "Facter.add(:cart_wheels) { has_weight 100; setcode { 'of another module' } }",
    "spec/fixtures/modules/other/lib/puppet_x/other.rb" => "module PuppetX; OTHER = 1; end",
    "spec/classes/cart_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe 'cart' do
        {'windows' => [';', '\\\\', true, ['C:/a', 'C:/b']], 'Debian' => [':', nil, false, ['/a', '/b']]}.each do |family, (separator, alternative, windows, path)|
          context "on \#{family}" do
            let(:facts) { {os: {'family' => family, 'name' => family}} }
            before { @before = [File::PATH_SEPARATOR, File::ALT_SEPARATOR, Puppet::Util::Platform.windows?] }
            it { expect(@before).to eq([separator, alternative, windows]) }
            it { expect(Puppet.features.microsoft_windows?).to be(windows) }
            it { is_expected.to compile.with_all_deps }
            it { is_expected.to contain_exec('push') }
            it { expect(catalogue.to_ral.resource('Exec[push]')[:path]).to eq(path) }
            it { catalogue; expect(require('puppet_x/other')).to be(true).or be(false) }
          end
        end
      end
    RUBY
    "spec/unit/around_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe 'an example without a node' do
        it { expect($LOAD_PATH.grep(%r{fixtures/modules/other/lib})).to eq([]) }
        it { expect([File::PATH_SEPARATOR, File::ALT_SEPARATOR, Puppet::Util::Platform.windows?]).to eq([':', nil, false]) }
        it { Facter.clear; expect(Facter.value(:cart_wheels)).to be_a(Integer) }
        it 'counts stubs of the platform' do
          allow(Puppet::Util::Platform).to receive(:windows?).and_return(true)
          expect(Puppet.features.microsoft_windows?).to be(true)
          expect(Puppet::Util.absolute_path?('C:/x')).to be(true)
        end
      end
    RUBY
  }.freeze

  def run(files, *words)
    with_modules(files) { |directory| Open3.capture2e(*Puppetfn::CLI.command, "test", "--no-color", *words, chdir: directory) }
  end

  # Puppet removes gems, too, but has loaded the gems of functions before examples run.
  it "leaves gems on the load path" do
    gems = files.slice("metadata.json", "spec/spec_helper.rb").merge("spec/unit/gems_spec.rb" => <<~RUBY)
      require 'spec_helper'
      describe 'gems' do
        it { expect(require('rss/maker')).to be(true) }
        it { expect(require('rss/itunes')).to be(true).or be(false) }
        it { $LOAD_PATH << '/added'; expect(require('rss/slash')).to be(true).or be(false) }
        it { expect($LOAD_PATH).not_to include('/added') }
      end
    RUBY
    expect(run(gems, "--order", "defined").first).to match(/^4 examples, 0 failures$/)
  end

  [%w[--order defined], %w[--order random:1], %w[--order random:4], %w[--parallel 2]].each do |words|
    it "passes them with #{words.join(" ")}" do
      output, status = run(files, *words)
      expect(output).to match(/^16 examples, 0 failures$/)
      expect(status.exitstatus).to eq(0)
    end
  end
end
