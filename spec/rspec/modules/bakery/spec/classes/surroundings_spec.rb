# frozen_string_literal: true

require 'spec_helper'

# What is around a class: settings, data of Hiera 3, mocks of Puppet's own names.
describe 'bakery' do
  context 'with settings' do
    let(:post_condition) { 'notify { "${settings::cacrl} ${settings::ssldir} ${settings::serverport} ${settings::storeconfigs}": }' }

    it { is_expected.to contain_notify('/etc/puppetlabs/puppetserver/ca/ca_crl.pem /dev/null/ssl 8140 false') }
  end

  context 'with a setting that is made before the examples' do
    before(:context) { Puppet.settings[:cacrl] = '/srv/crl.pem' }

    let(:post_condition) { 'notify { $settings::cacrl: }' }

    it { is_expected.to contain_notify('/srv/crl.pem') }
  end

  context 'with data of Hiera 3' do
    let(:hiera_config) { 'spec/fixtures/hiera3/hiera.yaml' }
    let(:post_condition) do
      <<~PUPPET
        notify { "crumbs of ${lookup('crumbs')}": }
        notify { "trays ${lookup('trays')}": }
        notify { "all trays ${hiera_hash('trays')}": }
        notify { "nothing ${lookup('nothing')}": }
      PUPPET
    end

    it { is_expected.to contain_class('bakery::oven').with_heat(240) }
    it { is_expected.to contain_notify('crumbs of 240 of rp_env') }
    it { is_expected.to contain_notify('trays {small => 3, sizes => [2]}') }
    it { is_expected.to contain_notify('all trays {small => 3, sizes => [1, 2], big => 1}') }
    it { is_expected.to contain_notify('nothing ') }
  end

  context "with mocks of Puppet's names" do
    before do
      allow(Puppet::FileSystem).to receive(:exist?).and_call_original
      allow(Puppet::FileSystem).to receive(:exist?).with('/etc/oven').and_return(true)
      allow(Puppet::Util).to receive(:which).with('oven').and_return('/usr/bin/oven')
      allow(Facter).to receive(:value).with(:oven).and_return('hot')
    end

    it { expect([Puppet::FileSystem.exist?('/etc/oven'), Puppet::Util.which('oven'), Facter.value(:oven)]).to eq([true, '/usr/bin/oven', 'hot']) }
  end

  describe 'chains without arguments' do
    it { is_expected.to contain_file('/etc/bakery').with.without.with_ensure('directory') }
  end

  describe 'sensitive values' do
    let(:post_condition) { "file { '/etc/secret': content => Sensitive('yeast') }" }

    it { is_expected.to contain_file('/etc/secret').with_content(sensitive('yeast')) }
    it { is_expected.to contain_file('/etc/secret').with_content('Sensitive("yeast")') }
    it { is_expected.to contain_file('/etc/secret').with_content('yeast') }
  end

  it { expect { 1.should eq(1) }.not_to raise_error }
end
