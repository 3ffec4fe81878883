# frozen_string_literal: true

require 'spec_helper'

describe 'shop_total' do
  it { is_expected.not_to be_nil }
  it { is_expected.to run.with_params([1, 2]).and_return(3) }
  it { is_expected.to run.with_params([]).and_return(0) }
  it { is_expected.to run.with_params('1').and_raise_error(Puppet::ParseError, %r{expects an Array, got String}) }
  it { is_expected.to run.with_params.and_raise_error(ArgumentError, %r{Wrong number of arguments given \(0 for 1\)}) }
  it { is_expected.to run.with_params([1], [2]).and_raise_error(ArgumentError) }

  it 'is a method of the scope' do
    expect(scope.function_shop_total([[1, 2, 3]])).to eq(6)
  end

  it 'is called by name' do
    expect(call_function('shop_total', [4, 5])).to eq(9)
    expect(scope.call_function('shop_total', [[4, 6]])).to eq(10)
  end
end

describe 'shop_open' do
  let(:facts) { { weekday: 'Tuesday' } }

  it { is_expected.to run.with_params.and_return(true) }
  it { is_expected.to run.with_params('Sunday').and_return(false) }

  context 'on Saturday' do
    let(:facts) { { weekday: 'Saturday' } }

    it { is_expected.to run.with_params.and_return(false) }
    it { is_expected.to run.with_params('friday').and_return(true) }
  end

  context 'on no day' do
    let(:facts) { { weekday: '' } }

    it { is_expected.to run.with_params.and_raise_error(Puppet::ParseError, 'shop_open(): no day') }
  end

  it 'asks its scope' do
    expect(scope).to receive(:lookupvar).with('weekday').and_return('sunday')
    is_expected.to run.with_params.and_return(false)
  end
end
