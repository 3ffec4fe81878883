# frozen_string_literal: true

require 'spec_helper'

describe 'Shop::Article' do
  it { is_expected.to allow_value('name' => 'tea', 'net' => 3) }
  it { is_expected.to allow_value(name: 'tea', net: 3, tax: 7) }
  it { is_expected.not_to allow_value('name' => 'tea') }
  it { is_expected.not_to allow_value('name' => 'tea', 'net' => 3, 'tax' => 101) }
  it { is_expected.not_to allow_value('name' => 'tea', 'net' => 3, 'more' => 1) }
  it { is_expected.not_to allow_value('name' => '', 'net' => 3) }
  it { is_expected.not_to allow_value('tea') }
  it { is_expected.to allow_value('name' => 'tea', 'net' => '3') }
end

describe 'Shop::Ean' do
  it { is_expected.to allow_values('4006381333931', '12345678') }
  it { is_expected.not_to allow_value('1234567') }
  it { is_expected.not_to allow_value("12345678\n") }
  it { is_expected.not_to allow_value(12_345_678) }
end

describe 'Shop::Day' do
  %w[monday tuesday wednesday].each { |day| it { is_expected.to allow_value(day) } }
  it { is_expected.to allow_value(:monday) }
  it { is_expected.not_to allow_value('Monday') }
  it { is_expected.not_to allow_value('sunday') }
end

describe 'Shop::Shelf' do
  let(:tea) { { 'name' => 'tea', 'net' => 3 } }

  it { is_expected.to allow_value([tea]) }
  it { is_expected.to allow_value([tea, [tea, tea]]) }
  it { is_expected.not_to allow_value([]) }
  it { is_expected.not_to allow_value([tea] * 4) }
  it { is_expected.not_to allow_value([[[tea]]]) }
end

describe 'Shop::Prices' do
  it { is_expected.to allow_value({}) }
  it { is_expected.to allow_value('tea' => 3, 'water' => :undef) }
  it { is_expected.not_to allow_value('' => 3) }
  it { is_expected.not_to allow_value('tea' => '3') }
  it { is_expected.not_to allow_value('tea' => nil) }
end

describe 'Shop::Secret' do
  it { is_expected.to allow_value(sensitive('password')) }
  it { is_expected.not_to allow_value(sensitive('short')) }
  it { is_expected.not_to allow_value('password') }
end

describe 'Shop::Mode' do
  ['0644', '0000', '7777'].each { |mode| it { is_expected.to allow_value(mode) } }
  ['644', '0888', 'u=rwx', '', 420].each { |mode| it { is_expected.not_to allow_value(mode) } }
end

describe 'Till::Coin' do
  it { is_expected.to allow_values(1, 2, '5', '10') }
  it { is_expected.not_to allow_value(3) }
  it { is_expected.not_to allow_value('1') }
end

describe 'Shop::Tax', type: :type_alias do
  let(:pre_condition) { 'function shop::unused() { 1 }' }

  it { is_expected.to allow_values(0, 100) }
  it { is_expected.not_to allow_value(101) }
  it { expect { subject.call('x') }.to raise_error(Puppet::Error, %r{expects a Shop::Tax = Integer\[0, 100\] value, got String}) }
  it { is_expected.to raise_error(ArgumentError) }
end
