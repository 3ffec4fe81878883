# frozen_string_literal: true

require 'spec_helper'

describe 'shop::price' do
  it { is_expected.not_to be_nil }

  describe 'signature validation' do
    it { is_expected.to run.with_params.and_raise_error(ArgumentError, %r{shop::price}) }
    it { is_expected.to run.and_raise_error(ArgumentError) }
    it { is_expected.to run.with_params('1').and_raise_error(ArgumentError, %r{rejected: parameter 'net' expects a Numeric value, got String}) }
    it { is_expected.to run.with_params(1, 101).and_raise_error(ArgumentError, %r{parameter 'tax' expects an Integer\[0, 100\] value, got Integer\[101, 101\]}) }
    it { is_expected.to run.with_params([]).and_raise_error(ArgumentError) }
    it { is_expected.to run.with_params(1, 2, 3).and_raise_error(ArgumentError, %r{expects}) }
    it { is_expected.to run.with_params(nil).and_raise_error(StandardError) }
    it { is_expected.to run.with_params(1).with_lambda { |x| x }.and_raise_error(ArgumentError, %r{block}) }
  end

  describe 'results' do
    it { is_expected.to run.with_params(10).and_return(12.0) }
    it { is_expected.to run.with_params(10, 0).and_return(10) }
    it { is_expected.to run.with_params(0.1, 10).and_return(be_within(0.001).of(0.11)) }
    it { is_expected.not_to run.with_params(10).and_return(13) }
    it { is_expected.to run.with_params(10) }
    it { is_expected.not_to run.with_params(-10) }
    it { is_expected.to run.with_params([1, 2.5]).and_return([1.2, 3.0]) }

    [[1, 1.2], [2, 2.4], [100, 120]].each do |net, gross|
      it { is_expected.to run.with_params(net).and_return(gross) }
    end
  end

  describe 'errors' do
    it { is_expected.to run.with_params(-1).and_raise_error(Puppet::ParseError) }
    it { is_expected.to run.with_params(-1).and_raise_error(Puppet::Error, 'a price cannot be negative: -1') }
    it { is_expected.to run.with_params(-1).and_raise_error(Puppet::ParseError, %r{negative}) }
    it { is_expected.to run.with_params(-1).and_raise_error(%r{cannot be}) }
    it { is_expected.to run.with_params(-1).and_raise_error('a price cannot be negative: -1') }
    it { is_expected.not_to run.with_params(-1).and_raise_error(ArgumentError) }
    it { is_expected.not_to run.with_params(-1).and_raise_error(Puppet::ParseError, %r{positive}) }
    it { is_expected.not_to run.with_params(1).and_raise_error(Puppet::ParseError) }

    it 'raises from execute, too' do
      expect { subject.execute(-1) }.to raise_error(Puppet::ParseError, %r{-1})
      expect { subject.execute('x') }.to raise_error(ArgumentError)
    end
  end

  describe 'examples that fail' do
    it { is_expected.to run.with_params(10).and_return('12') }
    it { is_expected.to run.with_params(10).and_raise_error(Puppet::ParseError) }
    it { is_expected.to run.with_params(-1).and_return(1) }
    it { is_expected.to run.with_params(-1).and_raise_error(ArgumentError) }
    it { is_expected.to run.with_params(-1).and_raise_error(Puppet::ParseError, 'negative') }
    it { is_expected.to run.with_params(-1) }
    it { is_expected.not_to run.with_params(10) }
    it { is_expected.to be_nil }
  end
end

describe 'shop::no_such_function' do
  it { is_expected.to be_nil }
  it { is_expected.not_to be_nil }
  it { is_expected.to run.with_params(1) }
end
