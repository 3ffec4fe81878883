# frozen_string_literal: true

require 'spec_helper'

describe 'shop::each_article' do
  let(:articles) { { 'tea' => 3, 'milk' => 1.5 } }

  it { is_expected.to run.with_params({ 'tea' => 3 }).with_lambda { |name, price| "#{name}: #{price}" }.and_return(['tea: 3']) }
  it { is_expected.to run.with_params(['b', 'a']).and_return(['a', 'b']) }
  it { is_expected.to run.with_params(['b', 'a']).with_lambda { |name| name.upcase }.and_return(['B', 'A']) }
  it { is_expected.to run.with_params({ 'tea' => 3 }).and_raise_error(ArgumentError, %r{block}) }
  it { is_expected.to run.with_params({ 'tea' => 3 }).with_lambda { |_name| 1 }.and_raise_error(ArgumentError) }
  it { is_expected.to run.with_params(['a']).with_lambda { |_a, _b| 1 }.and_raise_error(ArgumentError, %r{block}) }
  it { is_expected.to run.with_params({}).with_lambda { |name, price| [name, price] }.and_return([]) }

  it 'gives the block each article' do
    seen = []
    subject.execute(articles) { |name, price| seen << [name, price] }
    expect(seen).to eq([['tea', 3], ['milk', 1.5]])
  end

  it 'lets errors of the block through' do
    expect { subject.execute(articles) { |_name, _price| raise KeyError, 'no such article' } }.to raise_error(KeyError, 'no such article')
  end

  it do
    is_expected.to run
      .with_params(articles)
      .with_lambda { |_name, price| raise StopIteration if price < 2 }
      .and_raise_error(StopIteration)
  end
end
