# frozen_string_literal: true

require "fileutils"
require "open3"
require "tmpdir"

# Suites of modules with types and providers, as `puppetfn test` runs them.
RSpec.describe "puppetfn test of types and providers" do
  files = {
    "metadata.json" => '{"name": "ada-shop", "version": "1.0.0", "author": "ada", "license": "MIT", "source": "", "dependencies": []}',
    "lib/puppet_x/shop/names.rb" => "module PuppetX; module Shop; module Names; PREFIX = 'shop-'; end; end; end",
    "lib/puppet/type/article.rb" => <<~RUBY,
      require 'puppet_x/shop/names'
      Puppet::Type.newtype(:article) do
        ensurable
        newparam(:name, namevar: true) { munge { |value| PuppetX::Shop::Names::PREFIX + value } }
        newparam(:alias)
        newproperty(:price)
        autorequire(:article) { ['shop-base'] }
      end
    RUBY
    "lib/puppet/provider/article/till.rb" => <<~RUBY,
      require File.expand_path('../../../puppet_x/shop/names', __dir__)
      Puppet::Type.type(:article).provide(:till) do
        commands till: 'no-such-till'
        def self.instances = till('list').lines.map { |line| new(name: line.chomp, ensure: :present) }
        def create = self.class.till('add', resource[:name])
        mk_resource_methods
      end
    RUBY
    "spec/spec_helper.rb" => "require 'puppetlabs_spec_helper/module_spec_helper'",
    "spec/unit/article_spec.rb" => <<~RUBY,
      require 'spec_helper'
      require 'puppet/type/article'
      describe Puppet::Type.type(:article) do
        it { expect(described_class).to equal(Puppet::Type.type(:article)) }
        it { expect(described_class.new(name: 'a')[:name]).to eq('shop-a') }
        it 'is related in a catalog' do
          base, other = %w[base b].map { |name| described_class.new(name: name, alias: 'x') }
          catalog = Puppet::Resource::Catalog.new
          catalog.add_resource base, other
          expect(other.autorequire.map { |edge| [edge.source, edge.target] }).to eq([[base, other]])
          expect(catalog.resource('Article', 'base')).to equal(base)
        end
      end
    RUBY
    "spec/unit/till_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe Puppet::Type.type(:article).provider(:till) do
        let(:resource) { Puppet::Type.type(:article).new(name: 'a', provider: :till) }
        it { expect { described_class.instances }.to raise_error(Puppet::MissingCommand, 'Command till is missing') }
        it 'runs the program' do
          allow(Puppet::Util).to receive(:which).with('no-such-till').and_return('/bin/till')
          expect(Puppet::Util::Execution).to receive(:execute).with(['/bin/till', 'add', 'shop-a'], hash_including(failonfail: true))
          resource.provider.create
        end
      end
    RUBY
    "lib/facter/asked.rb" => "Facter.add(:asked) { confine { $asked = ($asked || 0) + 1; true }; setcode { $asked } }",
    "spec/unit/asked_spec.rb" => <<~RUBY,
      require 'spec_helper'
      describe('a fact of the module') { it { expect(Facter.value(:asked)).to eq(1) } }
    RUBY
    "spec/unit/broken_spec.rb" => "require 'spec_helper'\nraise 'broken'"
  }.freeze

  def run(files, *words)
    Dir.mktmpdir do |directory|
      files.each do |path, text|
        FileUtils.mkdir_p(File.dirname("#{directory}/#{path}"))
        File.write("#{directory}/#{path}", text)
      end
      Open3.capture2e(*Puppetfn::CLI.command, "test", *words, chdir: directory)
    end
  end

  it "runs them like rspec-puppet" do
    output, status = run(files.except("spec/unit/broken_spec.rb"))
    expect(output).to include("6 examples, 0 failures")
    expect(output).not_to include("already initialized constant")
    expect(status.exitstatus).to eq(0)
  end

  it "goes on after a file that cannot be loaded" do
    output, status = run(files)
    expect(output).to include("An error occurred while loading ./spec/unit/broken_spec.rb.", "broken", "6 examples, 0 failures, 1 error occurred outside of examples")
    expect(status.exitstatus).to eq(1)
  end
end
