# frozen_string_literal: true

require 'spec_helper'

describe 'shop::stock' do
  let(:path) { '/var/lib/shop/stock.yaml' }

  context 'when there is a file' do
    before(:each) do
      allow(File).to receive(:exist?).and_call_original
      allow(File).to receive(:exist?).with(path).and_return(true)
      allow(File).to receive(:read).and_call_original
      allow(File).to receive(:read).with(path).and_return("tea: 3\nmilk: 0\n")
    end

    it { is_expected.to run.with_params('/var/lib/shop/stock.yaml').and_return('tea' => 3, 'milk' => 0) }

    it 'warns of nothing' do
      expect(Puppet).not_to receive(:warning)
      is_expected.to run.with_params(path)
    end

    it 'says that a file is not YAML' do
      allow(File).to receive(:read).with(path).and_return("a: [\n")
      is_expected.to run.with_params(path).and_raise_error(ArgumentError, 'shop::stock: Psych::SyntaxError')
    end

    it 'reads with the library' do
      expect(YAML).to receive(:safe_load).with("tea: 3\nmilk: 0\n").and_return('coffee' => 1)
      is_expected.to run.with_params(path).and_return('coffee' => 1)
    end
  end

  context 'when there is none' do
    it { is_expected.to run.with_params('/nowhere/stock.yaml').and_return(nil) }
    it { is_expected.to run.with_params('/nowhere/stock.yaml', 'empty').and_return('empty') }
    it { is_expected.to run.with_params('/nowhere/stock.yaml', []).and_return([]) }

    it 'warns' do
      expect(Puppet).to receive(:warning).with('there is no stock in /nowhere/stock.yaml').once
      is_expected.to run.with_params('/nowhere/stock.yaml', {}).and_return({})
    end

    it 'warns each time' do
      expect(Puppet).to receive(:warning).with(%r{no stock}).twice
      2.times { subject.execute('/nowhere/stock.yaml') }
    end

    it 'fails where a warning is expected that is not given' do
      expect(Puppet).to receive(:notice)
      is_expected.to run.with_params('/nowhere/stock.yaml')
    end

    it 'keeps what is logged' do
      subject.execute('/nowhere/stock.yaml')
      expect(@logs.map(&:message)).to include('there is no stock in /nowhere/stock.yaml')
      expect(@logs.map(&:level)).to include(:warning)
      expect(@logs.map(&:to_s)).to include('there is no stock in /nowhere/stock.yaml')
    end
  end
end
