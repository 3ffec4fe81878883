# frozen_string_literal: true

require 'spec_helper'

# What examples ask catalogs and their resources for, and what helpers ask of examples.
describe 'bakery' do
  let(:node) { 'oven.example.com' }
  let(:node_params) { { 'shift' => 'early' } }
  let(:trusted_facts) { { 'role' => 'baker' } }
  let(:trusted_external_data) { { 'source' => 'list' } }
  let(:pre_condition) { 'class shelf { bakery::bread { "rye": } }' }
  let(:post_condition) { 'include shelf' }
  let(:bread) { catalogue.resource('Bakery::Bread', 'rye') }

  it { expect(catalogue.class).to eq(Puppet::Resource::Catalog) }
  it { expect(catalogue).to be_instance_of(Puppet::Resource::Catalog) }
  it { expect(catalogue.container_of(bread).ref).to eq('Class[Shelf]') }
  it { expect(catalogue.container_of(catalogue.resource('Stage[main]'))).to be_nil }
  it { expect(catalogue.adjacent(catalogue.resource('Class[shelf]')).map(&:ref)).to eq(['Bakery::Bread[rye]']) }
  it { expect(catalogue.adjacent(bread, direction: :in).map(&:ref)).to eq(['Class[Shelf]']) }
  it { expect(catalogue.upstream_from_vertex(bread).keys.map(&:ref)).to include('Class[Shelf]', 'Stage[main]') }
  it { expect(catalogue.downstream_from_vertex(catalogue.resource('Stage[main]')).keys.map(&:ref)).to include('Class[Shelf]', bread.ref) }
  it { expect(bread.builtin_type?).to be(false) }
  it { expect(catalogue.resource('Class[shelf]').builtin_type?).to be(false) }
  it { expect(test_manifest(:class)).to eq('include bakery') }
  it { expect(facts_hash('a.example.com')).to include('fqdn' => 'a.example.com', 'clientversion' => Puppet.version) }
  it { expect(node_params_hash).to eq('shift' => 'early') }
  it { expect(trusted_facts_hash('oven.example.com')).to eq('role' => 'baker') }
  it { expect(trusted_external_data_hash).to eq('source' => 'list') }

  context 'with parameters' do
    let(:params) { { name: 'x' } }

    it { expect(test_manifest(:class)).to eq("class { 'bakery': name => \"x\" }") }
  end
end
