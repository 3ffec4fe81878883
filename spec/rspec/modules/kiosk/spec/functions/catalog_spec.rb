# frozen_string_literal: true

require 'spec_helper'

describe 'kiosk::open' do
  let(:pre_condition) { 'class before { notify { "first": } } include before' }

  before { subject.execute('/srv/kiosk', { 'tea' => 3 }) }

  it 'declares resources' do
    expect(catalogue).to contain_file('/srv/kiosk').with_ensure('directory').with('mode' => %r{755\z})
    expect(catalogue).to contain_file('/srv/kiosk/tea').only_with(ensure: 'file', content: '3', notify: 'Service[till]')
    expect(catalogue).to contain_service('till').with(ensure: 'running', enable: true, tag: ['kiosk', a_string_starting_with('ni')])
    expect(catalogue).to contain_service('till').without_provider.without(['hasstatus'])
    expect(catalogue).to contain_notify('first')
    expect(catalogue).to contain_class('before')
    expect(-> { catalogue }).to contain_file('/srv/kiosk')
  end

  it 'tells what is not as it should be' do
    expect(catalogue).not_to contain_file('/srv/shop')
    expect(catalogue).not_to contain_file('/srv/kiosk').with_mode('0644')
    expect(catalogue).not_to contain_file('/srv/kiosk').without_mode
    expect(catalogue).not_to contain_file('/srv/kiosk').only_with_ensure('directory')
    expect(catalogue).not_to contain_service('till').with_tag(['kiosk'])
    expect { expect(catalogue).to contain_file('/srv/kiosk').with_mode('0644').that_requires('Notify[first]') }
      .to raise_error(RSpec::Expectations::ExpectationNotMetError, <<~TEXT.chomp)
        expected that the catalogue would contain File[/srv/kiosk] with mode set to "0644" but it is set to "0755", and parameter that requires Notify[first]
      TEXT
    expect { expect(catalogue).to contain_user('ann') }
      .to raise_error(RSpec::Expectations::ExpectationNotMetError, /would contain User\[ann\]\nit has none of that type/)
  end

  it 'knows in which order resources are' do
    expect(catalogue).to contain_file('/srv/kiosk').that_comes_before('Service[till]')
    expect(catalogue).to contain_service('till').that_requires(['File[/srv/kiosk]', 'File[/srv/kiosk/tea]'])
    expect(catalogue).to contain_file('/srv/kiosk/tea').that_notifies('Service[till]')
    expect(catalogue).to contain_service('till').that_subscribes_to('File[/srv/kiosk/tea]')
    expect(catalogue).not_to contain_file('/srv/kiosk').that_notifies('Service[till]')
    expect(catalogue).not_to contain_service('till').that_comes_before('File[/srv/kiosk]')
  end

  it 'counts resources' do
    expect(catalogue).to have_resource_count(4)
    expect(catalogue).to have_file_resource_count(2)
    expect(catalogue).to have_class_count(1)
    expect(catalogue).not_to have_file_resource_count(1)
  end

  it 'gives resources' do
    expect(catalogue.resource('service', 'till').tags).to include('night')
    expect(catalogue.resource('Service[till]')[:enable]).to be(true)
  end
end
