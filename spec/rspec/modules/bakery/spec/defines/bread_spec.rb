# frozen_string_literal: true

require 'spec_helper'

describe 'bakery::bread' do
  let(:title) { 'rye' }
  let(:pre_condition) { 'include bakery' }

  it { is_expected.to compile.with_all_deps }
  it { is_expected.to contain_bakery__bread('rye').only_with_count(1) }
  it { is_expected.to contain_bakery__bread('rye').only_with({}) }
  it { is_expected.to contain_bakery_loaf('rye').with_name('rye') }
  it { is_expected.to contain_bakery_loaf('rye').only_with_count(1) }
  it { is_expected.to contain_bakery_loaf('rye').only_with(count: 1, shape: nil) }

  context 'with a title that has quotes' do
    let(:title) { %q(baker's "best") }

    it { is_expected.to contain_bakery_loaf(%q(baker's "best")) }
  end

  context 'with titles' do
    let(:title) { %w[rye wheat] }
    let(:params) { { count: 4 } }

    it { is_expected.to contain_bakery_loaf('wheat').with_count(4) }
    it { is_expected.to have_bakery_loaf_resource_count(2) }
  end

  context 'with nested values' do
    let(:params) { { topping: { 'seeds' => [1, { 'x' => true }], :salt => :undef } } }

    it { is_expected.to contain_bakery_loaf('rye').with_topping('seeds' => ['1', { 'x' => 'true' }], 'salt' => nil) }
    it { is_expected.to contain_bakery_loaf('rye').with_topping('seeds' => [1, { 'x' => true }]) }
    it { is_expected.to contain_bakery_loaf('rye').with_topping('seeds' => [1, { 'x' => false }], 'salt' => nil) }
    it { is_expected.to contain_bakery_loaf('rye').without_topping('seeds' => [2], 'other' => 1) }
    it { is_expected.to contain_bakery_loaf('rye').without_topping('seeds' => [2]) }
  end

  context 'with references' do
    let(:params) { { after: [ref('Package', 'flour'), ref('Notify', 'lost')] } }

    it { is_expected.to contain_bakery_loaf('rye').that_requires('Package[flour]') }
    it { is_expected.to compile }
    it { is_expected.to compile.with_all_deps }
  end

  context 'with more than there can be' do
    let(:params) { { count: 1001 } }

    it { is_expected.to contain_bakery_loaf('rye').with_count(1001) }
    it { is_expected.to compile }
    it { is_expected.to compile.and_raise_error(/too many/) }
  end

  context 'without the class that contains its directory' do
    let(:pre_condition) { nil }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.to contain_file('/etc/bakery/rye').that_requires('File[/etc/bakery]') }
  end
end
