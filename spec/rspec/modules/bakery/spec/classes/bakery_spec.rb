# frozen_string_literal: true

require 'spec_helper'

describe 'bakery' do
  it { is_expected.to compile }
  it { is_expected.to compile.with_all_deps }
  it { is_expected.not_to compile }
  it { is_expected.to contain_class('bakery') }
  it { is_expected.to contain_class('bakery::oven').with_heat(180) }
  it { is_expected.to create_class('Bakery') }
  it { is_expected.not_to contain_class('bakery::shop') }
  it { is_expected.to contain_class('bakery::shop') }
  it { is_expected.to contain_bakery__bread('none') }

  describe 'parameters' do
    it { is_expected.to contain_package('flour').with_ensure('installed').with_name('flour-debian') }
    it { is_expected.to contain_package('flour').with(ensure: 'present') }
    it { is_expected.to contain_package('flour-debian') }
    it { is_expected.to contain_file('/etc/bakery.conf').with_mode(/\A0?644\z/) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_mode(644) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_content(/^opening = 06:30$/) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_content("opening = 06:30\nnode = #{Puppet[:certname]}\n") }
    it { is_expected.to contain_file('/etc/bakery.conf').with_content("opening = 08:30\n") }
    it { is_expected.to contain_file('/etc/bakery.conf').with_owner(nil) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_mode(nil) }
    it { is_expected.to contain_file('/etc/bakery.conf').without_owner }
    it { is_expected.to contain_file('/etc/bakery.conf').without_mode }
    it { is_expected.to contain_file('/etc/bakery.conf').without(%w[owner group]) }
    it { is_expected.to contain_file('/etc/bakery.conf').without_owner('root') }
    it { is_expected.to contain_file('/etc/bakery.conf').without_mode('0644') }
    it { is_expected.to contain_file('/etc/bakery.conf').without_mode('0600') }
    it { is_expected.to contain_file('/etc/bakery.conf').without_mode(/6/) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_mode(->(mode) { mode.start_with?('0') }) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_mode(->(mode) { mode.start_with?('1') }) }
    it { is_expected.to contain_file('/etc/bakery.conf').with_mode(->(mode) { mode[0] }) }
    it { is_expected.to contain_file('/etc/bakery').with_tag(%w[sweet savoury]) }
    it { is_expected.to contain_file('/etc/bakery').with_tag(%w[savoury sweet]) }
    it { is_expected.to contain_file('/etc/bakery').with_tag(%w[sweet]) }
    it { is_expected.to contain_file('/etc/bakery').with_tag([/sweet/, /savoury/]) }
    it { is_expected.to contain_file('/etc/bakery').with_ensure(['directory']) }
    it { is_expected.to contain_file('/etc/bakery').without_tag(%w[sweet]) }
    it { is_expected.to contain_file('/etc/bakery').without_tag(%w[a b]) }
    it { is_expected.to contain_file('/etc/bakery').only_with_ensure('directory') }
    it { is_expected.to contain_file('/etc/bakery').only_with(ensure: 'directory', tag: %w[sweet savoury]) }
    it { is_expected.to contain_file('/etc/bakery').only_with(ensure: 'directory', tag: %w[sweet savoury], path: '/etc/bakery') }
    it { is_expected.to contain_service('oven').with('ensure' => 'running', 'enable' => true) }
    it { is_expected.to contain_service('oven').with('ensure' => 'running', 'enable' => 'true').without_hasstatus }
    it { is_expected.to contain_file('/etc/bakery/') }
    it { is_expected.to contain_user('baker') }
    it { is_expected.to contain_notify('fresh bread') }
    it { expect(exported_resources).to contain_notify('fresh bread').with_message(/^at /) }
    it { expect(exported_resources).to contain_package('flour') }
  end

  describe 'order' do
    it { is_expected.to contain_file('/etc/bakery.conf').that_requires('Package[flour]') }
    it { is_expected.to contain_file('/etc/bakery.conf').that_requires('Package[flour-debian]') }
    it { is_expected.to contain_file('/etc/bakery.conf').that_comes_before('Service[oven]') }
    it { is_expected.to contain_file('/etc/bakery.conf').that_notifies('Class[bakery::oven]') }
    it { is_expected.to contain_file('/etc/bakery.conf').that_notifies(['Class[bakery::oven]', 'Service[oven]']) }
    it { is_expected.to contain_service('oven').that_subscribes_to('File[/etc/bakery.conf]') }
    it { is_expected.to contain_service('oven').that_requires('Package[flour]') }
    it { is_expected.to contain_package('flour').that_comes_before('File[/etc/bakery.conf]') }
    it { is_expected.to contain_package('flour').that_comes_before('Service[oven]') }
    it { is_expected.to contain_package('flour').that_notifies('File[/etc/bakery.conf]') }
    it { is_expected.to contain_package('flour').that_requires('File[/etc/bakery.conf]') }
    it { is_expected.to contain_package('flour').that_requires('File[/nowhere]') }
    it { is_expected.to contain_file('/etc/bakery.conf').with_ensure('file').that_requires('Package[flour]').that_notifies('Class[bakery::oven]') }
    it { is_expected.to contain_file('/etc/bakery.conf').that_requires('File[/etc]') }
    it { is_expected.to contain_file('/etc/bakery.conf').that_requires('File[/]') }
  end

  describe 'counts' do
    it { is_expected.to have_class_count(2) }
    it { is_expected.to have_class_count(1) }
    it { is_expected.to have_resource_count(4) }
    it { is_expected.to have_file_resource_count(2) }
    it { is_expected.to have_file_resource_count(1) }
    it { is_expected.to have_bakery__bread_resource_count(0) }
    it { is_expected.not_to have_notify_resource_count(1) }
  end

  context 'with breads' do
    let(:params) { { breads: { 'rye' => 2, "baker's" => 3 }, opening: "5 o'clock $now" } }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.to contain_bakery__bread('rye').with_count(2) }
    it { is_expected.to contain_bakery__bread("baker's").with(count: '3') }
    it { is_expected.to contain_bakery_loaf('rye').with_count(2).without_shape }
    it { is_expected.to contain_bakery_loaf('rye').that_requires('File[/etc/bakery/rye]') }
    it { is_expected.to contain_bakery_loaf('rye').that_comes_before('Service[oven]') }
    it { is_expected.to contain_bakery_loaf('rye').that_requires("File[/etc/bakery/baker's]") }
    it { is_expected.to contain_file('/etc/bakery/rye').with_content('2').that_requires('File[/etc/bakery]') }
    it { is_expected.to contain_file('/etc/bakery.conf').with_content(/^opening = 5 o'clock \$now$/) }
    it { is_expected.to have_bakery__bread_resource_count(2) }
  end

  context 'with a secret' do
    let(:params) { { secret: sensitive('yeast') } }

    it { is_expected.to compile.with_all_deps }
    it { is_expected.to contain_class('bakery').with_secret(sensitive('yeast')) }
    it { is_expected.to contain_file('/etc/bakery/recipe').with_content(sensitive('yeast')) }
    it { is_expected.to contain_file('/etc/bakery/recipe').with_content('yeast') }
    it { is_expected.to contain_file('/etc/bakery/recipe').with_content(sensitive(/ye/)) }
    it { is_expected.to contain_exec('hide').with_command('/bin/hide recipe') }
    it { is_expected.to contain_exec('hide').that_subscribes_to('File[/etc/bakery/recipe]') }
    it { is_expected.to contain_exec('hide').that_requires('File[/etc/bakery/recipe]') }
  end

  context 'when it fails' do
    let(:params) { { ensure: 'closed' } }

    it { is_expected.to compile.and_raise_error(/is closed/) }
    it { is_expected.to compile.and_raise_error(/is open/) }
    it { is_expected.to compile.and_raise_error('is closed') }
    it { is_expected.to compile }
    it { is_expected.not_to compile }
    it { is_expected.to raise_error(Puppet::Error, /is closed/) }
    it { expect { catalogue }.to raise_error(/is closed/) }
    it { is_expected.to contain_class('bakery') }
  end

  context 'with parameters of the wrong type' do
    let(:params) { { breads: 1 } }

    it { is_expected.to compile.and_raise_error(/parameter 'breads' expects a Hash value, got Integer/) }
    it { is_expected.to raise_error(Puppet::PreformattedError) }
  end

  context 'with undef and default' do
    let(:params) { { secret: :undef, opening: :default } }

    it { is_expected.to compile }
    it { is_expected.to contain_class('bakery').without_secret }
  end

  context 'with a reference' do
    let(:pre_condition) { ["notify { 'early': }", nil] }
    let(:post_condition) { "notify { 'late': require => Class['bakery'] }" }
    let(:params) { { before_all: ref('Notify', 'early') } }

    it { is_expected.to contain_class('bakery').with_before_all('Notify[early]') }
    it { is_expected.to contain_notify('late').that_requires('Class[bakery]') }
    it { is_expected.to contain_notify('late').that_requires('Service[oven]') }
  end

  context 'on a node' do
    let(:node) { 'Shop.Example.com' }
    let(:facts) { { 'os' => { 'family' => 'RedHat' }, networking: { fqdn: 'other', ip: '10.0.0.1' } } }
    let(:node_params) { { 'oven_colour' => 'red' } }
    let(:trusted_facts) { { 'role' => 'shop' } }
    let(:trusted_external_data) { { 'pool' => { 'colour' => 'blue' } } }
    let(:post_condition) do
      <<~'PUPPET'
        notify { "${facts['networking']['fqdn']} ${facts['networking']['ip']} ${oven_colour} ${trusted['certname']}": }
        notify { "${trusted['extensions']['role']} ${trusted['external']['pool']['colour']} ${trusted['authenticated']}": }
        notify { "${environment} ${server_facts['environment']} ${server_facts['serverversion'] =~ /^8/}": }
        notify { "${facts['clientcert']} ${facts['hostname']} ${facts['domain']} ${module_name}": }
      PUPPET
    end

    it { is_expected.to contain_package('flour').with_name('flour-redhat') }
    it { is_expected.to contain_notify('Shop.Example.com 10.0.0.1 red Shop.Example.com') }
    it { is_expected.to contain_notify('shop blue remote') }
    it { is_expected.to contain_notify('rp_env rp_env true') }
    it { is_expected.to contain_notify('Shop.Example.com Shop Example.com ') }
  end

  it 'has a catalogue' do
    expect(catalogue).to contain_file('/etc/bakery')
    expect(catalogue.resource('file', '/etc/bakery')[:ensure]).to eq('directory')
    expect(catalogue.resource('File[/etc/bakery]').tags).to include('sweet', 'bakery')
    expect(catalogue.classes).to include('bakery', 'bakery::oven')
    expect(catalogue.resources.map(&:ref)).to include('Class[Bakery]', 'Class[main]', 'Stage[main]')
    expect(catalogue.resource_keys).to include(['File', '/etc/bakery'])
  end
end

describe 'bakery::loop' do
  it { is_expected.to compile }
  it { is_expected.not_to compile }
  it { is_expected.to contain_notify('first') }
end

describe 'bakery::lost' do
  it { is_expected.to compile }
  it { is_expected.to compile.with_all_deps }
  it { is_expected.to compile.and_raise_error(/nowhere/) }
  it { is_expected.not_to compile.with_all_deps }
end

describe 'bakery::wrong' do
  it { is_expected.to compile }
  it { is_expected.to compile.and_raise_error(/fully qualified/) }
  it { is_expected.to contain_file('relative') }
end

describe 'bakery::nowhere' do
  it { is_expected.to compile }
  it { is_expected.to compile.and_raise_error(/Could not find class ::bakery::nowhere/) }
end
