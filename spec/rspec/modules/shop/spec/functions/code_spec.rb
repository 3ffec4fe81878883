# frozen_string_literal: true

require 'spec_helper'

describe 'shop::line' do
  it { is_expected.not_to be_nil }
  it { is_expected.to run.with_params('tea', 3).and_return('tea            3.00') }
  it { is_expected.to run.with_params('tea', 3, 3).and_return(%r{\Atea +3\.00\z}) }
  it { is_expected.to run.with_params('', 3).and_raise_error(ArgumentError, %r{parameter 'name' expects a String\[1\] value, got String}) }
  it { is_expected.to run.with_params('tea').and_raise_error(ArgumentError, %r{expects between 2 and 3 arguments, got 1}) }
  it { is_expected.to run.with_params('tea', '3').and_raise_error(ArgumentError, %r{expects a Numeric value, got String}) }
  it { is_expected.to run.with_params('tea', 3, 0).and_raise_error(ArgumentError) }
  it { is_expected.to run.with_params('tea', 3).and_return(match(/\Atea/).and(end_with('3.00'))) }
end

describe 'shop::cheapest' do
  it { is_expected.to run.with_params({ 'tea' => 3, 'milk' => 1 }).and_return('milk') }
  it { is_expected.to run.with_params({}).and_return(nil) }
  it { is_expected.to run.with_params({ 'tea' => 'dear' }).and_raise_error(ArgumentError) }
  it { is_expected.to run.with_params([]).and_raise_error(ArgumentError, %r{expects a Hash value, got Array}) }
end

describe 'shop::refuse' do
  it { is_expected.to run.with_params('closed').and_raise_error(Puppet::Error, %r{refused: closed}) }
  it { is_expected.to run.with_params('closed').and_raise_error(Puppet::PreformattedError) }
  it { is_expected.not_to run.with_params('closed') }
end

describe 'shop::counter' do
  let(:node) { 'till1.example.com' }
  let(:facts) { { os: { 'family' => 'Debian' } } }
  let(:trusted_facts) { { 'role' => 'till' } }

  it { is_expected.to run.with_params.and_return('Debian/till1.example.com/till') }
end

describe 'shop::receipt' do
  it { is_expected.to run.with_params({ 'tea' => 3 }).and_return("tea            3.60\n3") }
  it { is_expected.to run.with_params({ 'tea' => -3 }).and_raise_error(Puppet::ParseError, %r{negative}) }
  it { is_expected.to run.with_params({}).and_return('0') }

  it 'calls other functions' do
    expect(subject.func).to receive(:call_function).with('shop::price', 3).and_return(9.0)
    expect(subject.func).to receive(:call_function).with('shop::line', 'tea', 9.0).and_return('tea for 9')
    expect(subject.func).to receive(:call_function).with('shop_total', [3]).and_return(3)
    is_expected.to run.with_params({ 'tea' => 3 }).and_return("tea for 9\n3")
  end
end

describe 'till::change' do
  it { is_expected.to run.with_params(88).and_return([50, 20, 10, 5, 2, 1]) }
  it { is_expected.to run.with_params(0).and_return([]) }
  it { is_expected.to run.with_params(-1).and_raise_error(ArgumentError, "'till::change' parameter 'amount' expects an Integer[0] value, got Integer[-1, -1]") }
end

describe 'shop::spoil' do
  it { is_expected.to run.with_params(+'text').and_raise_error(FrozenError) }
  it { is_expected.to run.with_params([1]).and_raise_error(FrozenError) }
  it { is_expected.to run.with_params({ 'a' => [+'b'] }).and_raise_error(FrozenError, %r{can't modify frozen Hash}) }

  it 'is given frozen arguments, inside as well' do
    argument = { 'a' => [+'b'] }
    expect { subject.execute(argument) }.to raise_error(FrozenError)
    expect(argument).to be_frozen
    expect(argument['a']).to be_frozen
    expect(argument['a'][0]).to be_frozen
  end
end

describe 'shop::hide' do
  it { is_expected.to run.with_params('secret').and_return(sensitive('secret')) }
  it { is_expected.to run.with_params(sensitive('secret')).and_return(sensitive('secret')) }
  it { is_expected.to run.with_params('secret').and_return(Puppet::Pops::Types::PSensitiveType::Sensitive.new('secret')) }
  it { is_expected.not_to run.with_params('secret').and_return(sensitive('other')) }
  it { expect(subject.execute('secret').unwrap).to eq('secret') }
  it { expect(subject.execute('secret').to_s).not_to include('secret') }
end

describe 'upcase' do
  it { is_expected.to run.with_params('tea').and_return('TEA') }
  it { is_expected.to run.with_params(%w[a b]).and_return(%w[A B]) }
  it { is_expected.to run.with_params.and_raise_error(ArgumentError) }
end

describe 'reduce' do
  it { is_expected.to run.with_params([1, 2, 3]).with_lambda { |memo, value| memo + value }.and_return(6) }
  it { is_expected.to run.with_params([], 5).with_lambda { |memo, value| memo + value }.and_return(5) }
end
