# frozen_string_literal: true

require 'spec_helper'
require 'facter'

describe Facter::Util::Fact.to_s do
  before { Facter.clear }
  after { Facter.clear }

  describe 'bakery_flour' do
    context 'with a mill' do
      before do
        allow(Facter.fact(:kernel)).to receive(:value).and_return('Linux')
        allow(Facter::Util::Resolution).to receive(:which).with('mill').and_return('/bin/mill')
        allow(Facter::Util::Resolution).to receive(:exec).with('mill --flour 2>&1').and_return('rye')
      end

      it { expect(Facter.fact(:bakery_flour).value).to eq('rye') }
      it { expect(Facter.fact('Bakery_Flour').value).to eq('rye') }
      it { expect(Facter.value(:bakery_flour_kind)).to be_nil }

      it 'has a kind once it was asked for' do
        expect(Facter.value(:bakery_flour)).to eq('rye')
        expect(Facter.value(:bakery_flour_kind)).to eq('dark')
      end

      it 'depends on what is mocked' do
        allow(Facter.fact(:bakery_flour)).to receive(:value).and_return('oat')
        expect(Facter.value(:bakery_flour_kind)).to eq(:light)
      end

      it 'keeps its value' do
        expect(Facter.value(:bakery_flour)).to eq('rye')
        allow(Facter::Util::Resolution).to receive(:exec).and_return('oat')
        Facter.flush
        expect(Facter.value(:bakery_flour)).to eq('rye')
        Facter.clear
        allow(Facter.fact(:kernel)).to receive(:value).and_return('Linux')
        expect(Facter.value(:bakery_flour)).to eq('oat')
      end
    end

    context 'with a grinder' do
      before do
        allow(Facter.fact(:kernel)).to receive(:value).and_return('Linux')
        allow(Facter::Util::Resolution).to receive(:which).with('mill')
        allow(Facter::Core::Execution).to receive(:which).with('grinder').and_return('/bin/grinder')
      end

      it 'reads its output' do
        expect(Facter::Core::Execution).to receive(:execute).with('grinder -v', { on_fail: nil }).and_return('2 spelt flour')
        expect(Facter.fact(:bakery_flour).value).to eq('spelt')
      end

      it { expect(Facter.fact(:bakery_flour).value).to be_nil }
    end

    context 'with another kernel' do
      before { allow(Facter.fact(:kernel)).to receive(:value).and_return('SunOS') }

      it { expect(Facter.fact(:bakery_flour).value).to be_nil }

      it 'is imported on Windows' do
        allow(Facter.fact(:'os.family')).to receive(:value).and_return('windows')
        expect(Facter.fact(:bakery_flour).value).to eq('imported')
      end
    end
  end
end
