# frozen_string_literal: true

require 'spec_helper'

describe 'kiosk::sum' do
  it { is_expected.to run.with_params([10]).and_return(14.0) }

  it 'sees a mock of a function of another module, in Ruby' do
    price = mock_function('shop::price').and_return(1, 2)

    is_expected.to run.with_params([10, 20, 30]).and_return(7)
    expect(price.call_count).to eq(3)
    expect(price.calls).to eq([[10], [20], [30]])
    expect(price).to be_called(20)
    expect(price).not_to be_called(40)
  end

  it 'sees a mock of a function of the 3.x API' do
    mock_function('shop_total') { |prices| prices.size }

    is_expected.to run.with_params([10, 20]).and_return(4)
    expect(scope.function_shop_total([[1, 2, 3]])).to eq(3)
  end

  it 'sees a mock of a function in the Puppet language' do
    mock_function('kiosk::surcharge').and_return(0)

    is_expected.to run.with_params([]).and_return(0)
  end

  it 'sees a mock of a built-in function, which gets lambdas' do
    map = mock_function('map') { |nets, &block| nets.reverse.map(&block) }

    is_expected.to run.with_params([10]).and_return(14.0)
    expect(map).to be_called
  end

  it 'sees another answer for each list of arguments' do
    price = mock_function('shop::price').and_return(5)
    price.with_params(10).and_return(1)
    price.with_params(a_value > 100).and_return(2)

    is_expected.to run.with_params([10, 20, 200]).and_return(10)
  end

  it 'fails with what a mock raises' do
    mock_function('shop::price').and_raise_error(Puppet::ParseError, 'no price')

    is_expected.to run.with_params([10]).and_raise_error(Puppet::ParseError, %r{no price})
  end

  it 'fails with a mock that has no answer for the arguments' do
    mock_function('shop::price').with_params(1).and_return(1)

    is_expected.to run.with_params([10]).and_raise_error(Puppetfn::RSpec::FunctionMock::UnexpectedCall, %r{\Ashop::price\(\): the mock expects the arguments \(1\), got \(10\)})
  end

  it 'is over after the example' do
    expect(call_function('shop::price', 10)).to eq(12.0)
  end

  it 'can be a function that there is not' do
    mock_function('vault::secret').with_params('db', { 'ttl' => 1 }) { |name, _| name.upcase }

    expect(runtime.evaluate_string("vault::secret('db', {ttl => 1})")).to eq('DB')
  end

  context 'with code that comes first' do
    let(:pre_condition) { 'function local_rate() { 3 }' }

    before { mock_function('local_rate').and_return(4) }

    it { expect(call_function('local_rate')).to eq(4) }
  end
end

describe 'kiosk::greeting' do
  let!(:sum) { mock_function('kiosk::sum').and_return('free') }

  it { is_expected.to run.with_params('Ann').and_return('Hello Ann, that is free') }

  it 'is the subject and not a mock' do
    subject.execute('Ann')
    expect(sum).to be_called([10])
  end
end
