# frozen_string_literal: true

require 'spec_helper'

describe 'Shop::Price' do
  describe 'valid types' do
    [0, 1, 1.5, 10_000_000_000, 1e10, 0.0].each do |value|
      describe value.inspect do
        it { is_expected.to allow_value(value) }
      end
    end
    it { is_expected.to allow_values(1, 2, 3.5) }
  end

  describe 'invalid types' do
    [-1, -0.5, '1', nil, :undef, true, [], {}, [1], { 'a' => 1 }, 'text', '', "a\nb", :symbol].each do |value|
      describe value.inspect do
        it { is_expected.not_to allow_value(value) }
      end
    end
    it { is_expected.not_to allow_values('a', nil, true) }
  end

  describe 'examples that fail' do
    it { is_expected.to allow_value('1') }
    it { is_expected.to allow_values(1, -1) }
    it { is_expected.not_to allow_value(1) }
    it { is_expected.not_to allow_values(1, 2) }
  end
end

describe 'Shop::Anything' do
  ['a', 1, nil, :undef, :default, [1, [2, [:undef]]], { 'a' => { 1 => nil } }, /x/, "\u00e9", '$a', 'a${b}', "'", '"', '\\', "\t\e"].each do |value|
    it { is_expected.to allow_value(value) }
  end
  it { is_expected.to allow_value(sensitive('x')) }
  it { is_expected.to allow_value(ref('File', '/tmp/x')) }
end

describe 'Shop::Nothing' do
  it { is_expected.not_to allow_value(1) }
  it { is_expected.not_to allow_value('a') }
end
