# frozen_string_literal: true

require 'spec_helper'

describe 'shop::where' do
  context 'with a node' do
    let(:node) { 'shop1.example.com' }

    it { is_expected.to run.with_params.and_return('shop1.example.com') }
    it { is_expected.to run.with_params('hostname').and_return('shop1') }
    it { is_expected.to run.with_params('domain').and_return('example.com') }
    it { is_expected.to run.with_params('clientcert').and_return('shop1.example.com') }
    it { is_expected.to run.with_params('environment').and_return('rp_env') }

    it 'knows the node' do
      trusted = scope.lookupvar('trusted')
      expect(trusted['certname']).to eq('shop1.example.com')
      expect(trusted['hostname']).to eq('shop1')
      expect(trusted['domain']).to eq('example.com')
      expect(trusted['authenticated']).to eq('remote')
      expect(trusted['extensions']).to eq({})
    end
  end

  context 'with facts' do
    let(:facts) { { weekday: 'Monday', 'shelf' => { depth: 3, 'rows' => [{ free: true }] }, networking: { 'fqdn' => 'a.b.c' } } }

    it { is_expected.to run.with_params('weekday').and_return('Monday') }
    it { is_expected.to run.with_params('shelf').and_return('depth' => 3, 'rows' => [{ 'free' => true }]) }
    it { is_expected.to run.with_params.and_return('a.b.c') }
    it { expect(scope['weekday']).to eq('Monday') }
    it { expect(scope['facts']['shelf']['depth']).to eq(3) }
    it { expect(scope.lookupvar('facts')['weekday']).to eq('Monday') }
    it { expect(scope.lookupvar('facts')['puppetversion']).to eq(Puppet.version) }
    it { expect(scope.lookupvar('::weekday')).to eq('Monday') }
    it { expect(scope.to_hash).to include('weekday' => 'Monday') }
    it { expect(scope.include?('weekday')).to be(true) }
    it { expect(scope.exist?('no_such_variable')).to be(false) }
    it { expect(Facter.value('weekday')).to eq('Monday').or be_nil }

    context 'and others' do
      let(:facts) { super().merge(weekday: 'Sunday') }

      it { is_expected.to run.with_params('weekday').and_return('Sunday') }
    end

    context 'and a node' do
      let(:node) { 'x.example.org' }

      it { is_expected.to run.with_params.and_return('x.example.org') }
      it { is_expected.to run.with_params('weekday').and_return('Monday') }
      it { is_expected.to run.with_params('fqdn').and_return('x.example.org') }
    end
  end

  context 'with a scope that is not what it seems' do
    it 'asks the scope' do
      expect(scope).to receive(:lookupvar).with('facts').and_return('networking' => { 'fqdn' => 'stubbed' })
      is_expected.to run.with_params.and_return('stubbed')
    end

    it 'asks the scope for what it is told' do
      allow(scope).to receive(:lookupvar).and_call_original
      allow(scope).to receive(:lookupvar).with('shelf').and_return(7)
      is_expected.to run.with_params('shelf').and_return(7)
    end

    it 'fails where the scope is not asked' do
      expect(scope).to receive(:lookupvar).with('never')
      subject.execute('environment') rescue nil
    end
  end

  context 'with trusted facts' do
    let(:trusted_facts) { { role: 'till', 'zone' => 'eu' } }

    it { expect(scope['trusted']['extensions']).to eq('role' => 'till', 'zone' => 'eu') }
  end

  context 'with another environment' do
    let(:environment) { 'branch' }

    it { is_expected.to run.with_params('environment').and_return('branch') }
    it { expect(scope.environment.name).to eq(:branch) }
  end

  on_supported_os.each do |os, os_facts|
    context "on #{os}" do
      let(:facts) { os_facts }

      it { expect(scope['facts']['os']['family']).to eq(os_facts[:os]['family']) }
      it { is_expected.to run.with_params('puppetversion').and_return(Puppet.version) }
    end
  end
end
